/* bitcast<T>(e): the same bits as another type. It stands outside the overload table because T is given, not found.
 * Legal: i32, u32, f32 and vectors of equal width among themselves; vec2<f16> and a 32-bit scalar; vec4<f16> and a
 * 32-bit vec2; a type and itself. Source: WGSL, "Bit Reinterpretation Built-in Functions". */
#include "base/number.h"
#include "wgsl/expr.h"
#include "wgsl/overload.h"

#include <math.h>

static bool is_word(tsr_type scalar)
{
    return scalar == TSR_T_i32 || scalar == TSR_T_u32 || scalar == TSR_T_f32;
}

/* Bits of a concrete numeric scalar or vector; 0 for other types. */
static unsigned bits_of(tsr_wgsl *w, tsr_type type)
{
    tsr_type_kind kind = tsr_type_kind_of(w->types, type);
    if (kind != TSR_T_vec && !tsr_type_is_scalar(w->types, type)) return 0;
    tsr_type scalar = tsr_type_scalar(w->types, type);
    unsigned each = is_word(scalar) ? 32 : scalar == TSR_T_f16 ? 16 : 0;
    return each * tsr_type_width(w->types, type);
}

static bool is_legal(tsr_wgsl *w, tsr_type from, tsr_type to)
{
    unsigned bits = bits_of(w, from);
    return bits != 0 && bits == bits_of(w, to);
}

static bool is_negative(tsr_wgsl *w, const tsr_operand *e)
{
    unsigned n = tsr_type_width(w->types, e->type);
    for (unsigned i = 0; i < n; i++) {
        const tsr_cval *part = n == 1 ? e->cval : tsr_cval_part(w, e->cval, i);
        if ((int64_t)tsr_cval_bits(part) < 0) return true;
    }
    return false;
}

/* What an abstract argument becomes: i32 or f32; u32 where that is made and an i32 would not hold it; f16 when only
 * that has the bits of the result, as vec2(1, 2) has those of a u32. */
static tsr_type settled_scalar(tsr_wgsl *w, const tsr_operand *e, tsr_type to)
{
    tsr_type scalar = tsr_type_scalar(w->types, e->type);
    unsigned width = tsr_type_width(w->types, e->type);
    if (width * 16 == bits_of(w, to)) return TSR_T_f16;
    if (scalar == TSR_T_aint && tsr_type_scalar(w->types, to) == TSR_T_u32 && !is_negative(w, e)) return TSR_T_u32;
    return scalar == TSR_T_aint ? TSR_T_i32 : TSR_T_f32;
}

static bool settle_argument(tsr_wgsl *w, tsr_operand *e, tsr_type to)
{
    const tsr_type_info *info = tsr_type_get(w->types, e->type);
    tsr_type scalar = tsr_type_scalar(w->types, e->type);
    bool is_number = info->kind == TSR_T_vec || tsr_type_is_scalar(w->types, e->type);
    if (!is_number || (scalar != TSR_T_aint && scalar != TSR_T_afloat)) return tsr_wgsl_concretize(w, e);
    tsr_type want = settled_scalar(w, e, to);
    if (info->kind == TSR_T_vec) want = tsr_type_vec(w->types, want, info->count);
    return tsr_wgsl_convert(w, e, want, "the argument of `bitcast`");
}

static bool is_finite(const tsr_cval *v)
{
    if (v->type == TSR_T_f32) return isfinite((double)tsr_f32_from_bits((uint32_t)tsr_cval_bits(v))) != 0;
    if (v->type == TSR_T_f16) return isfinite((double)tsr_f16_to_f32((uint16_t)tsr_cval_bits(v))) != 0;
    return true;
}

/* WGSL: a const-expression cannot be NaN or infinite. */
static bool check_finite(tsr_wgsl *w, const tsr_cval *v, tsr_span span)
{
    unsigned n = tsr_type_kind_of(w->types, v->type) == TSR_T_vec ? v->count : 1;
    for (unsigned i = 0; i < n && w->unevaluated == 0; i++) {
        if (is_finite(n == 1 ? v : tsr_cval_part(w, v, i))) continue;
        tsr_error(w->diags, span, TSR_E_BUILTIN_RANGE,
                  "these bits are no finite number as `%s`, and constants must be finite; pass them through a variable",
                  tsr_type_cstr(w->types, w->arena, v->type));
        return false;
    }
    return true;
}

static tsr_operand convert_bits(tsr_wgsl *w, tsr_operand *e, tsr_type to, tsr_span span)
{
    if (e->type == to) {
        e->span = span;
        return *e;
    }
    if (e->kind == TSR_O_const) {
        const tsr_cval *r = tsr_cval_eval(w, TSR_OP_bitcast, to, 0, &e->cval, 1, span);
        if (r == NULL || !check_finite(w, r, span)) return tsr_operand_error();
        return tsr_operand_const(w, r, span);
    }
    tsr_id id = tsr_wgsl_id(w, e);
    w->b.span = span;
    return tsr_operand_value(w, tsr_expr_build(w, TSR_OP_bitcast, to, 0, &id, 1, (tsr_when)e->when, span),
                             (tsr_when)e->when, span);
}

tsr_operand tsr_builtin_bitcast(tsr_wgsl *w, tsr_node call)
{
    tsr_operand args[TSR_BUILTIN_ARGS];
    uint32_t count = 0;
    tsr_span span = tsr_ast_span(w->ast, call);
    tsr_node callee = tsr_ast_at(w->ast, call)->a;
    tsr_list templates = tsr_ast_at(w->ast, callee)->b;
    if (!tsr_builtin_arguments(w, call, args, &count)) return tsr_operand_error();
    if (tsr_ast_list_count(w->ast, templates) != 1) {
        tsr_error(w->diags, tsr_ast_span(w->ast, callee), TSR_E_BUILTIN_TEMPLATE,
                  "`bitcast` takes the type it makes: `bitcast<u32>(x)`");
        return tsr_operand_error();
    }
    tsr_type to = tsr_wgsl_type(w, tsr_ast_list_at(w->ast, templates, 0));
    if (to == 0) return tsr_operand_error();
    if (count != 1) {
        tsr_error(w->diags, span, TSR_E_BUILTIN_COUNT, "`bitcast` takes 1 argument, %u given", count);
        return tsr_operand_error();
    }
    if (!settle_argument(w, &args[0], to)) return tsr_operand_error();
    if (!is_legal(w, args[0].type, to)) {
        tsr_error(w->diags, span, TSR_E_BUILTIN_BITCAST,
                  "`%s` cannot be reinterpreted as `%s`: both must be numbers or vectors of them, of the same size",
                  tsr_type_cstr(w->types, w->arena, args[0].type), tsr_type_cstr(w->types, w->arena, to));
        return tsr_operand_error();
    }
    return convert_bits(w, &args[0], to, span);
}
