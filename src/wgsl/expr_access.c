/* Parts of values: a[i], a.member, swizzles. A reference gives a reference, a pointer counts as what it points to
 * (language feature pointer_composite_access), a constant gives a constant, any other value gives a value. Sources:
 * WGSL, "Composite Value Decomposition Expressions", "Array Access Expression", "Structure Access Expression". */
#include "wgsl/declare.h"
#include "wgsl/expr.h"

#include <inttypes.h>

/* A value of pointer type as the reference it stands for; other operands stay. */
static tsr_operand through_pointer(tsr_wgsl *w, tsr_operand o)
{
    if (o.kind != TSR_O_value) return o;
    const tsr_type_info *info = tsr_type_get(w->types, o.type);
    if (info->kind != TSR_T_ptr) return o;
    o.kind = TSR_O_ref;
    o.space = info->space;
    o.access = info->access;
    o.type = info->elem;
    return o;
}

static tsr_operand refuse_void(tsr_wgsl *w, const tsr_operand *o)
{
    tsr_error(w->diags, o->span, TSR_E_EXPR_NOT_VALUE, "this function returns nothing, so its result has no parts");
    return tsr_operand_error();
}

/* The reference to a part of what `base` refers to. */
static tsr_operand part_ref(tsr_wgsl *w, const tsr_operand *base, tsr_type type, tsr_id id, bool component,
                            tsr_span span)
{
    (void)w;
    tsr_operand r = *base;
    r.type = type;
    r.id = id;
    r.component_of_vector = component;
    r.must_use = false;
    r.span = span;
    return r;
}

static tsr_type part_ptr(tsr_wgsl *w, const tsr_operand *base, tsr_type part)
{
    return tsr_type_ptr(w->types, (tsr_space)base->space, part, (tsr_access)base->access);
}

/* ---- a[i] */

static tsr_operand refuse_index(tsr_wgsl *w, const tsr_operand *base, tsr_span span)
{
    const char *name = tsr_expr_type_name(w, base->type);
    switch (tsr_type_kind_of(w->types, base->type)) {
    case TSR_T_smat:
        tsr_error(
            w->diags, span, TSR_E_EXPR_MATRIX,
            "a subgroup matrix (`%s`) cannot be indexed: its components are spread over the subgroup; store it to "
            "memory with `subgroupMatrixStore` and read that",
            name);
        break;
    case TSR_T_struct:
        tsr_error(w->diags, span, TSR_E_EXPR_INDEX, "the structure `%s` cannot be indexed; name a member with `.`",
                  name);
        break;
    default:
        tsr_error(w->diags, span, TSR_E_EXPR_INDEX,
                  "`%s` cannot be indexed; vectors, matrices, arrays and pointers to them can", name);
    }
    return tsr_operand_error();
}

/* Whether the constant index lies within `count` parts (0: not known now, only negative ones are refused). */
static bool check_range(tsr_wgsl *w, const tsr_operand *index, uint32_t count, tsr_type type)
{
    int64_t i = tsr_cval_int(w, index->cval);
    if (i >= 0 && (count == 0 || i < (int64_t)count)) return true;
    if (count == 0) {
        tsr_error(w->diags, index->span, TSR_E_EXPR_INDEX_RANGE, "the index %" PRId64 " is negative", i);
    } else {
        tsr_error(w->diags, index->span, TSR_E_EXPR_INDEX_RANGE,
                  "the index %" PRId64 " is out of range: `%s` has parts 0 to %u", i, tsr_expr_type_name(w, type),
                  count - 1);
    }
    return false;
}

/* The index as i32 or u32; a constant one is checked against the parts of `type`. */
static bool read_index(tsr_wgsl *w, tsr_operand *index, tsr_type type)
{
    if (index->kind == TSR_O_error) return false;
    if (index->type != TSR_T_i32 && index->type != TSR_T_u32 && index->type != TSR_T_aint) {
        tsr_error(w->diags, index->span, TSR_E_EXPR_INDEX, "an index must be of type `i32` or `u32`, not `%s`",
                  tsr_expr_type_name(w, index->type));
        return false;
    }
    if (index->kind != TSR_O_const) return true;
    if (w->unevaluated == 0 && !check_range(w, index, tsr_type_part_count(w->types, type), type)) return false;
    return tsr_wgsl_concretize(w, index);
}

static bool is_indexable(const tsr_types *t, tsr_type type)
{
    tsr_type_kind k = tsr_type_kind_of(t, type);
    return k == TSR_T_vec || k == TSR_T_mat || k == TSR_T_array;
}

static tsr_operand index_ref(tsr_wgsl *w, const tsr_operand *base, tsr_operand *index, tsr_span span)
{
    bool component = tsr_type_kind_of(w->types, base->type) == TSR_T_vec;
    tsr_type part = tsr_type_part(w->types, base->type, 0);
    tsr_id at = tsr_wgsl_id(w, index);
    if (at == 0) return tsr_operand_error();
    w->b.span = span;
    tsr_id id = tsr_build2(&w->b, TSR_OP_index, part_ptr(w, base, part), 0, base->id, at);
    return part_ref(w, base, part, id, component, span);
}

static tsr_operand index_value(tsr_wgsl *w, tsr_operand base, tsr_operand index, tsr_span span)
{
    /* Abstract values become concrete before an index that is no constant (WGSL, "Array Access Expression"). */
    if (index.kind != TSR_O_const && !tsr_wgsl_concretize(w, &base)) return tsr_operand_error();
    tsr_type part = tsr_type_part(w->types, base.type, 0);
    bool known = index.kind == TSR_O_const;
    int64_t at = known ? tsr_cval_int(w, index.cval) : 0;
    if (known && at >= 0 && at < (int64_t)tsr_type_part_count(w->types, base.type)) {
        return tsr_expr_apply1(w, TSR_OP_extract, part, (uint32_t)at, base, span);
    }
    return tsr_expr_apply2(w, TSR_OP_element, part, base, index, span);
}

/* A texture of an array of them. */
static tsr_operand index_binding_array(tsr_wgsl *w, tsr_operand base, tsr_operand index, tsr_type elem, uint32_t count,
                                       tsr_span span)
{
    static const char name[] = "binding_array";
    base = tsr_wgsl_load(w, base);
    if (base.kind == TSR_O_error || !read_index(w, &index, 0)) return tsr_operand_error();
    if (index.kind == TSR_O_const && !check_range(w, &index, count, base.type)) return tsr_operand_error();
    const tsr_id ids[2] = {tsr_wgsl_id(w, &base), tsr_wgsl_id(w, &index)};
    if (ids[0] == 0 || ids[1] == 0) return tsr_operand_error();
    w->b.span = span;
    tsr_sym callee = tsr_symbols_add(w->symbols, name, sizeof(name) - 1);
    return tsr_operand_value(w, tsr_build(&w->b, TSR_OP_builtin_call, elem, callee, ids, 2), TSR_WHEN_run, span);
}

tsr_operand tsr_expr_index(tsr_wgsl *w, tsr_node n)
{
    const tsr_ast_node *node = tsr_ast_at(w->ast, n);
    tsr_span span = tsr_ast_span(w->ast, n);
    tsr_operand base = through_pointer(w, tsr_wgsl_expr(w, node->a));
    tsr_operand index = tsr_wgsl_value(w, node->b);
    if (base.kind == TSR_O_void) return refuse_void(w, &base);
    if (base.kind == TSR_O_error) return base;
    uint32_t count;
    tsr_type elem = tsr_wgsl_binding_array(w, base.type, &count);
    if (elem != 0) return index_binding_array(w, base, index, elem, count, span);
    if (!is_indexable(w->types, base.type)) return refuse_index(w, &base, span);
    if (!read_index(w, &index, base.type)) return tsr_operand_error();
    if (base.kind == TSR_O_ref) return index_ref(w, &base, &index, span);
    return index_value(w, base, index, span);
}

/* ---- a.member */

static tsr_operand refuse_member(tsr_wgsl *w, const tsr_operand *base, tsr_sym name, tsr_span span)
{
    const char *member = tsr_symbols_cstr(w->symbols, name);
    const char *type = tsr_expr_type_name(w, base->type);
    const tsr_type_info *info = tsr_type_get(w->types, base->type);
    if (info->kind == TSR_T_smat) {
        tsr_error(
            w->diags, span, TSR_E_EXPR_MATRIX,
            "a subgroup matrix (`%s`) has no members and no swizzles: its components are spread over the subgroup",
            type);
        return tsr_operand_error();
    }
    if (info->kind != TSR_T_struct) {
        tsr_error(w->diags, span, TSR_E_EXPR_MEMBER, "`%s` has no members, so there is no `%s` in it", type, member);
        return tsr_operand_error();
    }
    if (!tsr_wgsl_is_new_unknown(w, base->type, name)) return tsr_operand_error();
    tsr_diag *d = tsr_error(w->diags, span, TSR_E_EXPR_MEMBER, "the structure `%s` has no member `%s`", type, member);
    tsr_str wanted = tsr_symbols_get(w->symbols, name);
    uint32_t best = info->member_count;
    unsigned best_distance = (unsigned)wanted.len / 3 + 1;
    for (uint32_t i = 0; i < info->member_count; i++) {
        unsigned distance =
            tsr_text_distance(wanted, tsr_symbols_get(w->symbols, info->members[i].name), best_distance);
        if (distance > best_distance || (distance == best_distance && best != info->member_count)) continue;
        best = i;
        best_distance = distance;
    }
    if (best != info->member_count) {
        tsr_note(w->diags, d, (tsr_span){0, 0}, "did you mean `%s`?",
                 tsr_symbols_cstr(w->symbols, info->members[best].name));
    }
    return tsr_operand_error();
}

static tsr_operand struct_member(tsr_wgsl *w, tsr_operand base, tsr_sym name, tsr_span span)
{
    const tsr_type_info *info = tsr_type_get(w->types, base.type);
    for (uint32_t i = 0; i < info->member_count; i++) {
        if (info->members[i].name != name) continue;
        tsr_type type = info->members[i].type;
        if (base.kind != TSR_O_ref) return tsr_expr_apply1(w, TSR_OP_extract, type, i, base, span);
        w->b.span = span;
        tsr_id id = tsr_build1(&w->b, TSR_OP_field, part_ptr(w, &base, type), i, base.id);
        return part_ref(w, &base, type, id, false, span);
    }
    return refuse_member(w, &base, name, span);
}

/* Reads "xyzw" or "rgba", one to four letters of one set. Returns how many, 0 when it is no swizzle; the highest
 * component goes to *highest, the components to *aux as the op `swizzle` takes them. */
static unsigned read_swizzle(tsr_str s, uint32_t *aux, unsigned *highest)
{
    static const char sets[2][5] = {"xyzw", "rgba"};
    *aux = 0;
    *highest = 0;
    if (s.len == 0 || s.len > 4) return 0;
    for (unsigned set = 0; set < 2; set++) {
        unsigned i = 0;
        uint32_t packed = 0;
        unsigned high = 0;
        for (; i < s.len; i++) {
            unsigned c = 0;
            while (c < 4 && sets[set][c] != s.s[i])
                c++;
            if (c == 4) break;
            packed |= c << (4 * i);
            if (c > high) high = c;
        }
        if (i < s.len) continue;
        *aux = packed;
        *highest = high;
        return i;
    }
    return 0;
}

static tsr_operand refuse_swizzle(tsr_wgsl *w, const tsr_operand *base, tsr_sym name, unsigned letters, tsr_span span)
{
    const char *text = tsr_symbols_cstr(w->symbols, name);
    const char *type = tsr_expr_type_name(w, base->type);
    if (letters != 0) {
        tsr_error(w->diags, span, TSR_E_EXPR_MEMBER, "`.%s` names a component that `%s` does not have", text, type);
    } else {
        tsr_error(w->diags, span, TSR_E_EXPR_MEMBER,
                  "`.%s` is no part of `%s`; components are one to four letters of `xyzw` or of `rgba`, not mixed",
                  text, type);
    }
    return tsr_operand_error();
}

static tsr_operand vec_member(tsr_wgsl *w, tsr_operand base, tsr_sym name, tsr_span span)
{
    const tsr_type_info *info = tsr_type_get(w->types, base.type);
    uint32_t aux = 0;
    unsigned highest = 0;
    unsigned letters = read_swizzle(tsr_symbols_get(w->symbols, name), &aux, &highest);
    if (letters == 0 || highest >= info->count) return refuse_swizzle(w, &base, name, letters, span);
    if (letters == 1 && base.kind == TSR_O_ref) {
        w->b.span = span;
        tsr_id at = tsr_build_u32(w->ir, aux);
        tsr_id id = tsr_build2(&w->b, TSR_OP_index, part_ptr(w, &base, info->elem), 0, base.id, at);
        return part_ref(w, &base, info->elem, id, true, span);
    }
    if (letters == 1) return tsr_expr_apply1(w, TSR_OP_extract, info->elem, aux, base, span);
    tsr_type type = tsr_type_vec(w->types, info->elem, letters);
    return tsr_expr_apply1(w, TSR_OP_swizzle, type, aux, tsr_wgsl_load(w, base), span);
}

tsr_operand tsr_expr_member(tsr_wgsl *w, tsr_node n)
{
    const tsr_ast_node *node = tsr_ast_at(w->ast, n);
    tsr_span span = tsr_ast_span(w->ast, n);
    tsr_operand base = through_pointer(w, tsr_wgsl_expr(w, node->a));
    if (base.kind == TSR_O_void) return refuse_void(w, &base);
    if (base.kind == TSR_O_error) return base;
    switch (tsr_type_kind_of(w->types, base.type)) {
    case TSR_T_struct: return struct_member(w, base, node->b, span);
    case TSR_T_vec: return vec_member(w, base, node->b, span);
    default: return refuse_member(w, &base, node->b, span);
    }
}
