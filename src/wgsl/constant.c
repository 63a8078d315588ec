/* Constant values: making, reading, comparing, printing them, and their place in the IR. A value whose bits are all
 * zero is always the zero value of its type, which has no parts until one is asked for; so two values are equal exactly
 * when they have the same form, and a huge zeroed array costs nothing. */
#include "base/number.h"
#include "wgsl/expr.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { PRINTED_PARTS_MAX = 8 };

tsr_constants *tsr_constants_get(tsr_wgsl *w)
{
    tsr_constants *c = w->own[TSR_WGSL_OWN_constant];
    if (c != NULL) return c;
    c = TSR_NEW(w->arena, tsr_constants);
    tsr_map_init(&c->zeros, w->arena);
    tsr_map_init(&c->lowered, w->arena);
    tsr_map_init(&c->composed, w->arena);
    tsr_map_init(&c->converted, w->arena);
    tsr_pool_init(&c->zero_values, w->arena, sizeof(const tsr_cval *));
    tsr_pool_init(&c->conversions, w->arena, sizeof(tsr_conversion));
    w->own[TSR_WGSL_OWN_constant] = c;
    return c;
}

/* ---- Shapes of types. */

uint32_t tsr_type_part_count(const tsr_types *t, tsr_type type)
{
    const tsr_type_info *info = tsr_type_get(t, type);
    switch (info->kind) {
    case TSR_T_vec:
    case TSR_T_mat: return info->count;
    case TSR_T_array: return info->size.over != 0 ? 0 : info->size.value;
    case TSR_T_struct: return info->member_count;
    default: return 0;
    }
}

tsr_type tsr_type_part(tsr_types *t, tsr_type type, uint32_t i)
{
    const tsr_type_info *info = tsr_type_get(t, type);
    switch (info->kind) {
    case TSR_T_vec:
    case TSR_T_array: return info->elem;
    case TSR_T_mat: return tsr_type_vec(t, info->elem, info->rows);
    case TSR_T_struct: return info->members[i].type;
    default: return 0;
    }
}

tsr_type tsr_type_with_scalar(tsr_types *t, tsr_type shape, tsr_type scalar)
{
    const tsr_type_info *info = tsr_type_get(t, shape);
    if (info->kind == TSR_T_vec) return tsr_type_vec(t, scalar, info->count);
    if (info->kind == TSR_T_mat) return tsr_type_mat(t, scalar, info->count, info->rows);
    return scalar;
}

static uint64_t add_limited(uint64_t a, uint64_t b)
{
    uint64_t sum = a + b;
    return sum > TSR_CONST_SCALARS_MAX ? TSR_CONST_SCALARS_MAX + 1u : sum;
}

/* Scalars in a value of the type; more than TSR_CONST_SCALARS_MAX count as one more. */
static uint64_t count_scalars(const tsr_types *t, tsr_type type)
{
    const tsr_type_info *info = tsr_type_get(t, type);
    uint64_t sum = 0;
    switch (info->kind) {
    case TSR_T_vec: return info->count;
    case TSR_T_mat: return (uint64_t)info->count * info->rows;
    case TSR_T_array: sum = count_scalars(t, info->elem); return sum == 0 ? 0 : add_limited(0, sum * info->size.value);
    case TSR_T_struct:
        for (uint32_t i = 0; i < info->member_count; i++)
            sum = add_limited(sum, count_scalars(t, info->members[i].type));
        return sum;
    default: return 1;
    }
}

bool tsr_cval_fits(tsr_wgsl *w, tsr_type type, tsr_span span)
{
    if (count_scalars(w->types, type) <= TSR_CONST_SCALARS_MAX) return true;
    tsr_error(w->diags, span, TSR_E_EXPR_CONST_SIZE,
              "a constant of type `%s` would hold more than %u numbers; use a variable or a buffer instead",
              tsr_expr_type_name(w, type), TSR_CONST_SCALARS_MAX);
    return false;
}

/* ---- Making and reading. */

const tsr_cval *tsr_cval_zero(tsr_wgsl *w, tsr_type type)
{
    tsr_constants *c = tsr_constants_get(w);
    uint32_t index = 0;
    if (tsr_map_find(&c->zeros, type, &index)) return *(const tsr_cval **)tsr_pool_at(&c->zero_values, index);
    tsr_cval *v = TSR_NEW(w->arena, tsr_cval);
    v->type = type;
    v->is_zero = true;
    v->count = tsr_type_part_count(w->types, type);
    index = tsr_pool_push(&c->zero_values, 1);
    *(const tsr_cval **)tsr_pool_at(&c->zero_values, index) = v;
    tsr_map_set(&c->zeros, type, index);
    return v;
}

const tsr_cval *tsr_cval_scalar(tsr_wgsl *w, tsr_type type, uint64_t bits)
{
    if (bits == 0) return tsr_cval_zero(w, type);
    tsr_constants *c = tsr_constants_get(w);
    uint64_t hash = (bits ^ (bits >> 32) ^ type) * UINT64_C(0x9E3779B97F4A7C15);
    const tsr_cval **slot = &c->recent[hash >> 32 & (TSR_COUNT_OF(c->recent) - 1)];
    if (*slot != NULL && (*slot)->type == type && (*slot)->bits == bits) return *slot;
    tsr_cval *v = TSR_NEW(w->arena, tsr_cval);
    v->type = type;
    v->bits = bits;
    *slot = v;
    return v;
}

const tsr_cval *tsr_cval_adopt(tsr_wgsl *w, tsr_type type, const tsr_cval *const *parts, uint32_t count)
{
    bool is_zero = true;
    for (uint32_t i = 0; i < count && is_zero; i++)
        is_zero = parts[i]->is_zero;
    if (is_zero) return tsr_cval_zero(w, type);
    tsr_cval *v = TSR_NEW(w->arena, tsr_cval);
    v->type = type;
    v->count = count;
    v->parts = parts;
    return v;
}

const tsr_cval *tsr_cval_make(tsr_wgsl *w, tsr_type type, const tsr_cval *const *parts, uint32_t count)
{
    const tsr_cval **copy = TSR_NEW_ARRAY(w->arena, const tsr_cval *, count);
    if (count != 0) memcpy(copy, parts, count * sizeof(*copy));
    return tsr_cval_adopt(w, type, copy, count);
}

const tsr_cval *tsr_cval_part(tsr_wgsl *w, const tsr_cval *v, uint32_t i)
{
    if (v->is_zero) return tsr_cval_zero(w, tsr_type_part(w->types, v->type, i));
    return v->parts[i];
}

uint64_t tsr_cval_bits(const tsr_cval *v)
{
    return v->is_zero ? 0 : v->bits;
}

int64_t tsr_cval_int(tsr_wgsl *w, const tsr_cval *v)
{
    uint64_t bits = tsr_cval_bits(v);
    switch (tsr_type_kind_of(w->types, v->type)) {
    case TSR_T_i32: return (int32_t)(uint32_t)bits;
    case TSR_T_u32: return (int64_t)(uint32_t)bits;
    default: return (int64_t)bits;
    }
}

double tsr_cval_number(tsr_wgsl *w, const tsr_cval *v)
{
    uint64_t bits = tsr_cval_bits(v);
    switch (tsr_type_kind_of(w->types, v->type)) {
    case TSR_T_f32: return (double)tsr_f32_from_bits((uint32_t)bits);
    case TSR_T_f16: return (double)tsr_f16_to_f32((uint16_t)bits);
    case TSR_T_afloat: return tsr_f64_from_bits(bits);
    case TSR_T_u32: return (double)(uint32_t)bits;
    case TSR_T_i32: return (double)(int32_t)(uint32_t)bits;
    default: return (double)(int64_t)bits;
    }
}

bool tsr_cval_is_finite(tsr_wgsl *w, const tsr_cval *scalar)
{
    uint64_t bits = tsr_cval_bits(scalar);
    switch (tsr_type_kind_of(w->types, scalar->type)) {
    case TSR_T_f32: return isfinite(tsr_f32_from_bits((uint32_t)bits)) != 0;
    case TSR_T_f16: return (bits & 0x7C00u) != 0x7C00u;
    case TSR_T_afloat: return isfinite(tsr_f64_from_bits(bits)) != 0;
    default: return true;
    }
}

bool tsr_cval_equal(tsr_wgsl *w, const tsr_cval *a, const tsr_cval *b)
{
    if (a == b) return true;
    if (a->type != b->type || a->is_zero != b->is_zero) return false;
    if (a->is_zero) return true;
    if (a->count == 0) return a->bits == b->bits;
    for (uint32_t i = 0; i < a->count; i++) {
        if (!tsr_cval_equal(w, a->parts[i], b->parts[i])) return false;
    }
    return true;
}

/* ---- As text. */

static void print_scalar(tsr_text *out, tsr_wgsl *w, const tsr_cval *v, bool with_suffix)
{
    char buf[64];
    uint64_t bits = tsr_cval_bits(v);
    const char *suffix = "";
    switch (tsr_type_kind_of(w->types, v->type)) {
    case TSR_T_bool: tsr_text_puts(out, bits != 0 ? "true" : "false"); return;
    case TSR_T_i32: suffix = "i"; break;
    case TSR_T_u32: suffix = "u"; break;
    case TSR_T_f32:
        tsr_text_puts(out, tsr_format_f32(buf, tsr_f32_from_bits((uint32_t)bits)));
        if (with_suffix) tsr_text_puts(out, "f");
        return;
    case TSR_T_f16:
        tsr_text_puts(out, tsr_format_f16(buf, (uint16_t)bits));
        if (with_suffix) tsr_text_puts(out, "h");
        return;
    case TSR_T_afloat: tsr_text_puts(out, tsr_format_f64(buf, tsr_f64_from_bits(bits))); return;
    default: break;
    }
    tsr_text_printf(out, "%" PRId64 "%s", tsr_cval_int(w, v), with_suffix ? suffix : "");
}

static void print_value(tsr_text *out, tsr_wgsl *w, const tsr_cval *v, bool with_suffix)
{
    if (tsr_type_is_scalar(w->types, v->type)) {
        print_scalar(out, w, v, with_suffix);
        return;
    }
    tsr_type_print(out, w->types, v->type);
    tsr_text_puts(out, "(");
    for (uint32_t i = 0; i < v->count && !v->is_zero; i++) {
        if (i != 0) tsr_text_puts(out, ", ");
        if (i == PRINTED_PARTS_MAX) {
            tsr_text_puts(out, "...");
            break;
        }
        print_value(out, w, v->parts[i], false);
    }
    tsr_text_puts(out, ")");
}

void tsr_cval_print(tsr_text *out, tsr_wgsl *w, const tsr_cval *v)
{
    print_value(out, w, v, true);
}

const char *tsr_cval_cstr(tsr_wgsl *w, const tsr_cval *v)
{
    tsr_text text;
    tsr_text_init(&text, w->arena);
    tsr_cval_print(&text, w, v);
    return tsr_text_get(&text);
}

/* ---- In the IR. */

static bool is_same_compose(const tsr_ir *ir, tsr_id id, tsr_type type, const tsr_id *parts, uint32_t count)
{
    const tsr_inst *inst = tsr_inst_at(ir, id);
    if (inst->type != type || inst->nargs != count) return false;
    for (uint32_t i = 0; i < count; i++) {
        if (tsr_arg(ir, inst, i) != parts[i]) return false;
    }
    return true;
}

static tsr_id compose(tsr_wgsl *w, tsr_builder *b, const tsr_cval *v)
{
    tsr_constants *c = tsr_constants_get(w);
    tsr_id few[16];
    tsr_id *parts = v->count <= TSR_COUNT_OF(few) ? few : TSR_NEW_ARRAY(w->arena, tsr_id, v->count);
    for (uint32_t i = 0; i < v->count; i++)
        parts[i] = tsr_cval_lower(w, v->parts[i]);
    uint64_t key = tsr_hash_bytes(parts, v->count * sizeof(*parts), v->type);
    uint32_t known = 0;
    if (tsr_map_find(&c->composed, key, &known) && is_same_compose(w->ir, known, v->type, parts, v->count))
        return known;
    tsr_id id = tsr_build(b, TSR_OP_compose, v->type, 0, parts, v->count);
    tsr_map_set(&c->composed, key, id);
    return id;
}

tsr_id tsr_cval_lower(tsr_wgsl *w, const tsr_cval *v)
{
    if (tsr_type_is_scalar(w->types, v->type)) return tsr_build_const(w->ir, v->type, tsr_cval_bits(v));
    tsr_constants *c = tsr_constants_get(w);
    uint32_t known = 0;
    if (tsr_map_find(&c->lowered, (uint64_t)(uintptr_t)v, &known)) return known;
    tsr_builder b = {.ir = w->ir, .block = w->ir->module_block, .span = w->b.span};
    tsr_id id = v->is_zero ? tsr_build0(&b, TSR_OP_zero, v->type, 0) : compose(w, &b, v);
    tsr_map_set(&c->lowered, (uint64_t)(uintptr_t)v, id);
    return id;
}
