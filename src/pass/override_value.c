/* The values that a caller gives for overrides: which override is meant, and the number as a word of its type. */
#include "base/number.h"
#include "pass/pass_internal.h"

#include <math.h>
#include <string.h>

/* Names that are so far away are no slip of the finger. */
enum { SUGGEST_DISTANCE = 2 };

const char *tsr_override_label(const tsr_ir *ir, tsr_arena *arena, uint32_t override)
{
    const tsr_override *o = tsr_override_at(ir, override);
    tsr_text t;
    tsr_text_init(&t, arena);
    if (o->name)
        tsr_text_printf(&t, "`%s`", tsr_symbols_cstr(ir->symbols, o->name));
    else
        tsr_text_printf(&t, "with @id(%u)", (unsigned)o->id);
    return tsr_text_get(&t);
}

/* 0: no such override. */
static uint32_t find_override(const tsr_ir *ir, const tsr_override_value *v)
{
    tsr_sym name = v->name ? tsr_symbols_find(ir->symbols, v->name, strlen(v->name)) : 0;
    if (v->name && !name) return 0;
    for (uint32_t o = 1; o < ir->overrides.count; o++) {
        const tsr_override *over = tsr_override_at(ir, o);
        if (v->name ? over->name == name : over->has_id && over->id == v->id) return o;
    }
    return 0;
}

static const char *nearest_name(const tsr_ir *ir, const char *name)
{
    const char *best = NULL;
    unsigned least = SUGGEST_DISTANCE + 1;
    for (uint32_t o = 1; o < ir->overrides.count; o++) {
        tsr_str have = tsr_symbols_get(ir->symbols, tsr_override_at(ir, o)->name);
        unsigned far = tsr_text_distance((tsr_str){name, strlen(name)}, have, SUGGEST_DISTANCE);
        if (far >= have.len || far >= least) continue; /* as many edits as letters: no likeness */
        least = far;
        best = tsr_symbols_cstr(ir->symbols, tsr_override_at(ir, o)->name);
    }
    return best;
}

static void report_unknown(const tsr_ir *ir, const tsr_override_value *v, tsr_diags *diags)
{
    const tsr_span nowhere = {0, 0};
    const char *near = v->name ? nearest_name(ir, v->name) : NULL;
    if (ir->overrides.count <= 1) {
        tsr_error(diags, nowhere, TSR_E_BUILD_OVERRIDE_UNKNOWN, "the program has no overrides to set");
    } else if (near) {
        tsr_error(diags, nowhere, TSR_E_BUILD_OVERRIDE_UNKNOWN, "there is no override `%s`; did you mean `%s`?",
                  v->name, near);
    } else if (v->name) {
        tsr_error(diags, nowhere, TSR_E_BUILD_OVERRIDE_UNKNOWN, "there is no override `%s`", v->name);
    } else {
        tsr_error(diags, nowhere, TSR_E_BUILD_OVERRIDE_UNKNOWN, "there is no override with @id(%u)", (unsigned)v->id);
    }
}

/* NULL: it fits and *word holds it; else what is wrong. WGSL and WebGPU convert by Web IDL's rules, which refuse what
 * is out of range; a fraction for an integer is refused too, since dropping it can only hide a mistake. */
static const char *convert_value(tsr_type type, double value, uint32_t *word)
{
    if (!isfinite(value)) return "is not a finite number";
    bool whole = floor(value) == value;
    switch (type) {
    case TSR_T_bool: *word = value != 0; return NULL;
    case TSR_T_i32:
        if (!whole) return "is not a whole number";
        if (value < INT32_MIN || value > INT32_MAX) return "is out of range";
        *word = (uint32_t)(int32_t)value;
        return NULL;
    case TSR_T_u32:
        if (!whole) return "is not a whole number";
        if (value < 0 || value > UINT32_MAX) return "is out of range";
        *word = (uint32_t)value;
        return NULL;
    case TSR_T_f32: {
        float f = fabs(value) > 3.5e38 ? INFINITY : (float)value; /* above, the conversion would be undefined */
        *word = tsr_bits_from_f32(f);
        return isinf(f) ? "is out of range" : NULL;
    }
    case TSR_T_f16:
        *word = tsr_f16_from_f64(value);
        return isinf(tsr_f16_to_f32((uint16_t)*word)) ? "is out of range" : NULL;
    default: return "cannot be a value of its type";
    }
}

bool tsr_override_values_give(tsr_fold *f, const tsr_override_value *values, size_t count, tsr_diags *diags)
{
    const tsr_ir *ir = f->ir;
    uint32_t errors = diags->error_count;
    for (size_t i = 0; i < count; i++) {
        uint32_t word, o = find_override(ir, &values[i]);
        if (!o) {
            report_unknown(ir, &values[i], diags);
            continue;
        }
        const tsr_inst *inst = tsr_inst_at(ir, tsr_override_at(ir, o)->inst);
        const char *label = tsr_override_label(ir, diags->arena, o);
        const char *wrong = convert_value(inst->type, values[i].value, &word);
        if (wrong) {
            tsr_error(diags, inst->span, TSR_E_BUILD_OVERRIDE_RANGE, "the value %.17g for override %s of type %s %s",
                      values[i].value, label, tsr_type_cstr(ir->types, diags->arena, inst->type), wrong);
        } else if (f->given[o]) {
            tsr_error(diags, inst->span, TSR_E_BUILD_OVERRIDE_DOUBLED, "override %s is given two values; give it one",
                      label);
        } else {
            tsr_fold_give(f, o, word);
        }
    }
    return diags->error_count == errors;
}
