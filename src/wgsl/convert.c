/* Automatic conversions: which are feasible and how good they are, what abstract numbers become by themselves, and the
 * IR value of an operand. A value of abstract type is always a constant. Sources: WGSL, "Conversion Rank", "Overload
 * Resolution", "Concretization". */
#include "wgsl/expr.h"

#include <stdio.h>
#include <string.h>

/* Ranks of WGSL's table "Conversion Rank". */
static uint32_t scalar_rank(tsr_type_kind from, tsr_type_kind to)
{
    if (from == TSR_T_afloat && to == TSR_T_f32) return 1;
    if (from == TSR_T_afloat && to == TSR_T_f16) return 2;
    if (from != TSR_T_aint) return UINT32_MAX;
    switch (to) {
    case TSR_T_i32: return 3;
    case TSR_T_u32: return 4;
    case TSR_T_afloat: return 5;
    case TSR_T_f32: return 6;
    case TSR_T_f16: return 7;
    default: return UINT32_MAX;
    }
}

/* Result structures of frexp and modf on abstract floats convert like their numbers: "__modf_result_vec2_abstract" to
 * "__modf_result_vec2_f32". Gives the length of the common part, 0 for other names. */
static size_t abstract_struct_stem(tsr_str name)
{
    static const char tail[] = "_abstract";
    size_t len = sizeof(tail) - 1;
    if (name.len <= len + 2 || memcmp(name.s, "__", 2) != 0) return 0;
    return memcmp(name.s + name.len - len, tail, len) == 0 ? name.len - len : 0;
}

static uint32_t struct_rank(const tsr_wgsl *w, const tsr_type_info *from, const tsr_type_info *to)
{
    tsr_str from_name = tsr_symbols_get(w->symbols, from->name);
    tsr_str to_name = tsr_symbols_get(w->symbols, to->name);
    size_t stem = abstract_struct_stem(from_name);
    if (stem == 0 || to_name.len != stem + 4 || memcmp(from_name.s, to_name.s, stem) != 0) return UINT32_MAX;
    if (memcmp(to_name.s + stem, "_f32", 4) == 0) return 1;
    if (memcmp(to_name.s + stem, "_f16", 4) == 0) return 2;
    return UINT32_MAX;
}

uint32_t tsr_wgsl_rank(const tsr_wgsl *w, tsr_type from, tsr_type to)
{
    while (from != to) {
        const tsr_type_info *a = tsr_type_get(w->types, from);
        const tsr_type_info *b = tsr_type_get(w->types, to);
        if (a->kind <= TSR_T_afloat) return scalar_rank((tsr_type_kind)a->kind, (tsr_type_kind)b->kind);
        if (a->kind != b->kind) return UINT32_MAX;
        switch (a->kind) {
        case TSR_T_vec:
            if (a->count != b->count) return UINT32_MAX;
            break;
        case TSR_T_mat:
            if (a->count != b->count || a->rows != b->rows) return UINT32_MAX;
            break;
        case TSR_T_array:
            if (a->size.value != b->size.value || a->size.over != b->size.over) return UINT32_MAX;
            break;
        case TSR_T_struct: return struct_rank(w, a, b);
        default: return UINT32_MAX;
        }
        from = a->elem;
        to = b->elem;
    }
    return 0;
}

tsr_type tsr_expr_common(const tsr_wgsl *w, tsr_type a, tsr_type b)
{
    if (tsr_wgsl_rank(w, a, b) != UINT32_MAX) return b;
    return tsr_wgsl_rank(w, b, a) != UINT32_MAX ? a : 0;
}

static tsr_type concrete_struct(tsr_wgsl *w, tsr_type type)
{
    const tsr_type_info *info = tsr_type_get(w->types, type);
    tsr_str name = tsr_symbols_get(w->symbols, info->name);
    size_t stem = abstract_struct_stem(name);
    if (stem == 0 || info->member_count > 2) return type;
    tsr_member members[2];
    memset(members, 0, sizeof(members));
    for (uint32_t i = 0; i < info->member_count; i++) {
        members[i].name = info->members[i].name;
        members[i].type = tsr_wgsl_concrete(w, info->members[i].type);
    }
    char text[64];
    int len = snprintf(text, sizeof(text), "%.*s_f32", (int)stem, name.s);
    return tsr_type_struct(w->types, tsr_symbols_add(w->symbols, text, (size_t)len), members, info->member_count);
}

tsr_type tsr_wgsl_concrete(tsr_wgsl *w, tsr_type type)
{
    const tsr_type_info *info = tsr_type_get(w->types, type);
    switch (info->kind) {
    case TSR_T_aint: return TSR_T_i32;
    case TSR_T_afloat: return TSR_T_f32;
    case TSR_T_vec:
    case TSR_T_mat: return tsr_type_with_scalar(w->types, type, tsr_wgsl_concrete(w, info->elem));
    case TSR_T_array: {
        tsr_type elem = tsr_wgsl_concrete(w, info->elem);
        return elem == info->elem ? type : tsr_type_array(w->types, elem, info->size);
    }
    case TSR_T_struct: return concrete_struct(w, type);
    default: return type;
    }
}

/* "write `f32(...)` to convert it", when a value conversion exists. */
static const char *conversion_hint(tsr_wgsl *w, tsr_type from, tsr_type to)
{
    const tsr_type_info *a = tsr_type_get(w->types, from);
    const tsr_type_info *b = tsr_type_get(w->types, to);
    bool scalars = tsr_type_is_scalar(w->types, from) && tsr_type_is_scalar(w->types, to);
    bool vecs = a->kind == TSR_T_vec && b->kind == TSR_T_vec && a->count == b->count;
    bool splat = b->kind == TSR_T_vec && a->kind != TSR_T_vec && tsr_wgsl_rank(w, from, b->elem) != UINT32_MAX;
    if (!scalars && !vecs && !splat) return "";
    tsr_text out;
    tsr_text_init(&out, w->arena);
    tsr_text_puts(&out, "; write `");
    tsr_type_print(&out, w->types, to);
    tsr_text_puts(&out, "(...)` to convert it");
    return tsr_text_get(&out);
}

static void refuse(tsr_wgsl *w, const tsr_operand *o, tsr_type to, const char *what)
{
    bool has_what = what != NULL && what[0] != '\0';
    const char *from_name = tsr_expr_type_name(w, o->type), *to_name = tsr_expr_type_name(w, to);
    /* WGSL, "Array Types": counts are the same expression only when both name one override. */
    const char *hint = strcmp(from_name, to_name) == 0
                           ? "; written twice, the count makes two types: give it a name with an alias of the type"
                           : conversion_hint(w, o->type, to);
    tsr_error(w->diags, o->span, TSR_E_EXPR_CONVERT, "cannot convert `%s` to `%s`%s%s%s", from_name, to_name,
              has_what ? " for " : "", has_what ? what : "", hint);
}

static bool is_usable(tsr_wgsl *w, tsr_operand *o)
{
    if (o->kind == TSR_O_ref) *o = tsr_wgsl_load(w, *o);
    if (o->kind == TSR_O_void) {
        tsr_error(w->diags, o->span, TSR_E_EXPR_NOT_VALUE,
                  "this function returns nothing, so its call cannot stand where a value is needed");
        *o = tsr_operand_error();
    }
    return o->kind != TSR_O_error;
}

bool tsr_wgsl_convert(tsr_wgsl *w, tsr_operand *o, tsr_type to, const char *what)
{
    if (!is_usable(w, o)) return false;
    if (o->type == to) return true;
    if (tsr_wgsl_rank(w, o->type, to) == UINT32_MAX) {
        refuse(w, o, to, what);
        *o = tsr_operand_error();
        return false;
    }
    if (o->kind != TSR_O_const) TSR_ICE("a value of abstract type that is no constant");
    const tsr_cval *v = tsr_cval_convert(w, o->cval, to, true, o->span);
    *o = v == NULL ? tsr_operand_error() : tsr_operand_const(w, v, o->span);
    return v != NULL;
}

bool tsr_wgsl_concretize(tsr_wgsl *w, tsr_operand *o)
{
    if (!is_usable(w, o)) return false;
    return o->kind != TSR_O_const || tsr_wgsl_convert(w, o, tsr_wgsl_concrete(w, o->type), NULL);
}

tsr_id tsr_wgsl_id(tsr_wgsl *w, tsr_operand *o)
{
    if (!tsr_wgsl_concretize(w, o)) return 0;
    if (o->kind != TSR_O_const) return o->id;
    return tsr_cval_lower(w, o->cval);
}
