/* Which types can be stored where: store types of the address spaces, the layout rules of uniform buffers, limits.
 * WGSL, "Memory Layout", "Address Spaces" and "Limits". */
#include "ir/type_style.h"
#include "wgsl/declare.h"

#include <string.h>

/* ---- Names in messages. */

#define SIZE_TEXT_MAX 40u /* bytes of an expression that are shown */

static void print_name(void *user, tsr_text *out, tsr_type type)
{
    const tsr_wgsl *w = user;
    tsr_text_puts(out, tsr_sym_text(w, tsr_type_get(w->types, type)->name));
}

/* The override, or the expression as it is written: two that differ are two types. */
static void print_size(void *user, tsr_text *out, tsr_id over)
{
    const tsr_wgsl *w = user;
    const tsr_inst *inst = tsr_inst_at(w->ir, over);
    const tsr_source *source = w->diags->source;
    bool is_short = inst->span.len <= SIZE_TEXT_MAX && (size_t)inst->span.pos + inst->span.len <= source->len;
    if (inst->op == TSR_OP_override)
        tsr_text_puts(out, tsr_sym_text(w, tsr_override_at(w->ir, inst->aux)->name));
    else if (is_short && memchr(source->text + inst->span.pos, '\n', inst->span.len) == NULL)
        tsr_text_add(out, source->text + inst->span.pos, inst->span.len);
    else
        tsr_text_puts(out, "...");
}

const char *tsr_wgsl_type_name(const tsr_wgsl *w, tsr_type type)
{
    const tsr_type_style style = {(void *)w, print_name, print_name, print_size};
    tsr_text text;
    tsr_text_init(&text, w->arena);
    tsr_type_print_styled(&text, w->types, type, &style);
    return tsr_text_get(&text);
}

static bool has_trait(const tsr_wgsl *w, tsr_type type, uint16_t trait)
{
    return (tsr_type_get(w->types, type)->traits & trait) != 0;
}

bool tsr_wgsl_is_runtime_sized(const tsr_wgsl *w, tsr_type type)
{
    const tsr_type_info *i = tsr_type_get(w->types, type);
    if (i->kind == TSR_T_struct && i->member_count > 0) {
        i = tsr_type_get(w->types, i->members[i->member_count - 1].type);
    }
    return i->kind == TSR_T_array && i->size.value == 0 && i->size.over == 0;
}

/* Such an array is always the whole type: neither elements nor members may be one. */
bool tsr_wgsl_is_override_sized(const tsr_wgsl *w, tsr_type type)
{
    const tsr_type_info *i = tsr_type_get(w->types, type);
    return i->kind == TSR_T_array && i->size.over != 0;
}

bool tsr_wgsl_is_value_type(const tsr_wgsl *w, tsr_type type)
{
    static const tsr_type_kind never[] = {TSR_T_atomic, TSR_T_ptr, TSR_T_opaque, TSR_T_aint, TSR_T_afloat};
    if (type == TSR_T_void || tsr_wgsl_is_runtime_sized(w, type) || tsr_wgsl_is_override_sized(w, type)) return false;
    for (unsigned i = 0; i < TSR_COUNT_OF(never); i++) {
        if (tsr_wgsl_has_kind(w, type, never[i])) return false;
    }
    return true;
}

bool tsr_wgsl_check_type_limits(tsr_wgsl *w, tsr_type type, tsr_span span)
{
    const tsr_type_info *i = tsr_type_get(w->types, type);
    if (i->depth > TSR_NEST_DEPTH_MAX + 1) {
        tsr_error(w->diags, span, TSR_E_TYPE_DEPTH, "this type is nested more than %d levels deep; flatten it",
                  TSR_NEST_DEPTH_MAX);
        return false;
    }
    if (has_trait(w, type, TSR_TRAIT_TOO_BIG)) {
        tsr_error(w->diags, span, TSR_E_TYPE_SIZE,
                  "this type is larger than %u bytes; make it smaller, or use a run-time sized array in storage",
                  TSR_TYPE_BYTES_MAX);
        return false;
    }
    return true;
}

/* ---- Uniform buffers. WGSL, "Address Space Layout Constraints". The language feature uniform_buffer_standard_layout
 * lifts them, here as well; what would break them is a warning, since not every implementation has it. */

#define UNIFORM_ALIGN 16u /* of arrays and structs in uniform buffers */

static bool needs_uniform_align(const tsr_wgsl *w, tsr_type type)
{
    tsr_type_kind kind = tsr_type_kind_of(w->types, type);
    return kind == TSR_T_struct || kind == TSR_T_array;
}

static bool warned(tsr_wgsl *w, tsr_diag *d)
{
    tsr_note(w->diags, d, (tsr_span){0, 0},
             "implementations without the language feature uniform_buffer_standard_layout refuse it; "
             "`requires uniform_buffer_standard_layout;` says that it is needed, and silences this");
    return false;
}

static bool report_offset(tsr_wgsl *w, const tsr_type_info *s, const tsr_member *m, tsr_span span)
{
    return warned(
        w,
        tsr_report(
            w->diags, TSR_SEVERITY_WARNING, span, TSR_E_UNIFORM_LAYOUT,
            "in a uniform buffer, member `%s` of `%s` must start at a multiple of %u bytes, but starts at %u; give it "
            "@align(%u)",
            tsr_sym_text(w, m->name), tsr_sym_text(w, s->name), UNIFORM_ALIGN, m->offset, UNIFORM_ALIGN));
}

static bool check_uniform(tsr_wgsl *w, tsr_type type, tsr_span span, tsr_map *seen);

/* A struct must be followed by a gap up to the next multiple of 16. */
static bool check_gap(tsr_wgsl *w, const tsr_type_info *s, uint32_t i, tsr_span span)
{
    const tsr_member *m = &s->members[i], *next = &s->members[i + 1];
    uint64_t bytes = tsr_type_get(w->types, m->type)->size_bytes;
    uint64_t need = (bytes + UNIFORM_ALIGN - 1) / UNIFORM_ALIGN * UNIFORM_ALIGN;
    if (tsr_type_kind_of(w->types, m->type) != TSR_T_struct || next->offset - m->offset >= need) return true;
    return warned(
        w,
        tsr_report(
            w->diags, TSR_SEVERITY_WARNING, span, TSR_E_UNIFORM_LAYOUT,
            "in a uniform buffer, member `%s` of `%s` must start at least %llu bytes after the struct `%s` before it; "
            "give it @align(%u)",
            tsr_sym_text(w, next->name), tsr_sym_text(w, s->name), (unsigned long long)need, tsr_sym_text(w, m->name),
            UNIFORM_ALIGN));
}

static bool check_uniform_struct(tsr_wgsl *w, const tsr_type_info *s, tsr_span span, tsr_map *seen)
{
    for (uint32_t i = 0; i < s->member_count; i++) {
        const tsr_member *m = &s->members[i];
        if (needs_uniform_align(w, m->type) && m->offset % UNIFORM_ALIGN != 0) return report_offset(w, s, m, span);
        if (i + 1 < s->member_count && !check_gap(w, s, i, span)) return false;
        if (!check_uniform(w, m->type, span, seen)) return false;
    }
    return true;
}

/* Assumes: types are at most TSR_NEST_DEPTH_MAX deep. Each type is looked at once. */
static bool check_uniform(tsr_wgsl *w, tsr_type type, tsr_span span, tsr_map *seen)
{
    const tsr_type_info *i = tsr_type_get(w->types, type);
    uint32_t before;
    if (!needs_uniform_align(w, type) || tsr_map_find(seen, type, &before)) return true;
    tsr_map_set(seen, type, 1);
    if (i->kind == TSR_T_struct) return check_uniform_struct(w, i, span, seen);
    if (i->stride % UNIFORM_ALIGN != 0) {
        return warned(
            w,
            tsr_report(
                w->diags, TSR_SEVERITY_WARNING, span, TSR_E_UNIFORM_LAYOUT,
                "in a uniform buffer the elements of an array must be a multiple of %u bytes apart, but those of `%s` "
                "are %u apart; use elements of %u bytes such as vec4, or a storage buffer",
                UNIFORM_ALIGN, tsr_wgsl_type_name(w, type), i->stride, UNIFORM_ALIGN));
    }
    return check_uniform(w, i->elem, span, seen);
}

/* ---- Store types. */

static bool refuse(tsr_wgsl *w, tsr_type type, tsr_space space, tsr_span span, const char *why)
{
    tsr_error(w->diags, span, TSR_E_STORE_TYPE, "a variable in the address space `%s` cannot have type `%s`: %s",
              tsr_space_name(space), tsr_wgsl_type_name(w, type), why);
    return false;
}

/* Function and private memory hold values; each invocation has its own. */
static bool check_private(tsr_wgsl *w, tsr_type type, tsr_space space, tsr_span span)
{
    if (tsr_wgsl_is_runtime_sized(w, type)) {
        return refuse(w, type, space, span, "run-time sized arrays stand only in storage buffers; give it a size");
    }
    if (tsr_wgsl_is_override_sized(w, type)) {
        return refuse(w, type, space, span,
                      "arrays sized by an override stand only in workgroup variables; use a `const` size");
    }
    if (tsr_wgsl_has_kind(w, type, TSR_T_atomic)) {
        return refuse(w, type, space, span, "atomics stand only in workgroup and storage variables");
    }
    if (!tsr_wgsl_is_value_type(w, type)) {
        return refuse(w, type, space, span, "it is not a type of plain values; use `let` or a parameter for it");
    }
    return true;
}

static bool has_wide_atomic(const tsr_wgsl *w, tsr_type type)
{
    const tsr_type_info *i = tsr_type_get(w->types, type);
    if (!tsr_wgsl_has_kind(w, type, TSR_T_atomic)) return false;
    if (i->kind == TSR_T_atomic) return tsr_type_kind_of(w->types, i->elem) == TSR_T_vec;
    if (i->kind != TSR_T_struct) return has_wide_atomic(w, i->elem);
    for (uint32_t m = 0; m < i->member_count; m++)
        if (has_wide_atomic(w, i->members[m].type)) return true;
    return false;
}

static tsr_raw_buffer raw_buffer(const tsr_wgsl *w, tsr_type type)
{
    uint32_t bytes;
    return tsr_wgsl_raw_buffer(w, type, &bytes);
}

static bool check_workgroup(tsr_wgsl *w, tsr_type type, tsr_span span)
{
    if (raw_buffer(w, type) != TSR_RAW_none) return true;
    if (tsr_wgsl_has_kind(w, type, TSR_T_smat)) {
        return refuse(w, type, TSR_SPACE_workgroup, span,
                      "subgroup matrices stand only in function and private memory");
    }
    if (tsr_wgsl_has_kind(w, type, TSR_T_ptr) || tsr_wgsl_has_kind(w, type, TSR_T_opaque)) {
        return refuse(w, type, TSR_SPACE_workgroup, span, "it holds no plain values");
    }
    if (has_wide_atomic(w, type)) {
        return refuse(w, type, TSR_SPACE_workgroup, span, "atomic<vec2<u32>> stands only in storage buffers");
    }
    return true;
}

static bool check_buffer(tsr_wgsl *w, tsr_type type, tsr_space space, tsr_span span)
{
    if (tsr_wgsl_has_kind(w, type, TSR_T_smat)) {
        return refuse(w, type, space, span,
                      "subgroup matrices stand only in function and private memory; store their components");
    }
    if (tsr_wgsl_is_override_sized(w, type) || raw_buffer(w, type) == TSR_RAW_override) {
        return refuse(w, type, space, span, "what an override gives its size stands only in workgroup variables");
    }
    if (space == TSR_SPACE_immediate && raw_buffer(w, type) != TSR_RAW_none) {
        return refuse(w, type, space, span, "buffers stand in storage, uniform and workgroup memory");
    }
    if (tsr_wgsl_has_kind(w, type, TSR_T_bool)) {
        return refuse(w, type, space, span, "bool has no layout outside the shader; use u32");
    }
    if (space != TSR_SPACE_storage && has_wide_atomic(w, type)) {
        return refuse(w, type, space, span, "atomic<vec2<u32>> stands only in storage buffers");
    }
    if (!has_trait(w, type, TSR_TRAIT_HOST_SHAREABLE)) {
        return refuse(w, type, space, span, "its layout cannot be shared with the outside");
    }
    if (space == TSR_SPACE_storage) return true;
    if (space == TSR_SPACE_immediate && tsr_wgsl_has_kind(w, type, TSR_T_array)) {
        return refuse(w, type, space, span, "immediate data holds no arrays; use a uniform buffer");
    }
    if (tsr_wgsl_has_kind(w, type, TSR_T_atomic)) {
        return refuse(w, type, space, span, "atomics need memory that can be written; use storage, read_write");
    }
    tsr_map seen;
    tsr_map_init(&seen, w->arena);
    if (space == TSR_SPACE_uniform && !tsr_own(w)->standard_layout) check_uniform(w, type, span, &seen);
    return true;
}

/* A pointer may lead to such an array in a buffer without a type of its own; a variable needs room. */
bool tsr_wgsl_check_var_size(tsr_wgsl *w, tsr_type type, tsr_space space, tsr_span span)
{
    uint32_t bytes;
    if (space == TSR_SPACE_storage) return true;
    if (tsr_wgsl_is_runtime_sized(w, type)) {
        return refuse(w, type, space, span, "run-time sized arrays stand only in storage buffers");
    }
    if (tsr_wgsl_raw_buffer(w, type, &bytes) != TSR_RAW_unsized) return true;
    return refuse(w, type, space, span, "its size must be written, as in `buffer<64>`");
}

/* As deep as types nest. */
static bool has_long_array(const tsr_wgsl *w, tsr_type type)
{
    const tsr_type_info *i = tsr_type_get(w->types, type);
    if (i->kind == TSR_T_array) return i->size.value > TSR_ARRAY_ELEMENTS_MAX || has_long_array(w, i->elem);
    for (uint32_t m = 0; i->kind == TSR_T_struct && m < i->member_count; m++)
        if (has_long_array(w, i->members[m].type)) return true;
    return false;
}

bool tsr_wgsl_check_length(tsr_wgsl *w, tsr_type type, tsr_span span)
{
    if (!tsr_wgsl_has_kind(w, type, TSR_T_array) || !has_long_array(w, type)) return true;
    tsr_error(w->diags, span, TSR_E_STORE_TYPE,
              "a value cannot have type `%s`: arrays outside storage buffers have at most 65535 elements",
              tsr_wgsl_type_name(w, type));
    return false;
}

bool tsr_wgsl_check_store(tsr_wgsl *w, tsr_type type, tsr_space space, tsr_span span)
{
    if (space != TSR_SPACE_storage && tsr_wgsl_has_kind(w, type, TSR_T_array) && has_long_array(w, type)) {
        return refuse(w, type, space, span, "arrays outside storage buffers have at most 65535 elements");
    }
    switch (space) {
    case TSR_SPACE_function:
    case TSR_SPACE_private: return check_private(w, type, space, span);
    case TSR_SPACE_workgroup: return check_workgroup(w, type, span);
    case TSR_SPACE_uniform:
    case TSR_SPACE_immediate:
    case TSR_SPACE_storage: return check_buffer(w, type, space, span);
    case TSR_SPACE_handle:
        if (tsr_type_kind_of(w->types, type) == TSR_T_opaque && raw_buffer(w, type) == TSR_RAW_none) return true;
        tsr_error(w->diags, span, TSR_E_VAR_SPACE,
                  "a variable of type `%s` needs an address space: var<private>, var<workgroup>, var<uniform> or "
                  "var<storage>",
                  tsr_wgsl_type_name(w, type));
        return false;
    default: return true;
    }
}
