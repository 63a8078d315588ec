/* Values made by naming their type: f32(x), vec3(1, v.xy), mat2x2<f32>(...), array(1, 2), S(a, b), and the zero value
 * T(). Where the element type is not given, the arguments decide it; from abstract numbers alone the value stays
 * abstract. Sources: WGSL, "Zero Value Built-in Functions", "Value Constructor Built-in Functions". */
#include "wgsl/expr.h"

/* One argument, small: arrays have many. A constant has cval, a value has id. */
typedef struct argument {
    const tsr_cval *cval;
    tsr_id id;
    tsr_type type;
    tsr_span span;
} argument;

typedef struct arguments {
    argument *at;
    uint32_t count;
    tsr_when when; /* the latest; const exactly when all are constants */
    tsr_span span; /* of the call */
    bool failed;
} arguments;

enum { FEW = 16 };

static tsr_operand operand_of(tsr_wgsl *w, const arguments *args, uint32_t i)
{
    const argument *a = &args->at[i];
    if (a->cval != NULL) return tsr_operand_const(w, a->cval, a->span);
    return tsr_operand_value(w, a->id, args->when, a->span);
}

/* Evaluates the arguments in order. `few` has room for FEW. */
static arguments read_arguments(tsr_wgsl *w, tsr_node call, argument *few)
{
    tsr_list list = tsr_ast_at(w->ast, call)->b;
    arguments args = {.at = few, .count = tsr_ast_list_count(w->ast, list), .span = tsr_ast_span(w->ast, call)};
    if (args.count > FEW) args.at = TSR_NEW_ARRAY(w->arena, argument, args.count);
    for (uint32_t i = 0; i < args.count; i++) {
        tsr_operand o = tsr_wgsl_value(w, tsr_ast_list_at(w->ast, list, i));
        args.at[i] = (argument){o.kind == TSR_O_const ? o.cval : NULL, o.id, o.type, o.span};
        if (o.kind == TSR_O_error) args.failed = true;
        if (o.when > args.when) args.when = (tsr_when)o.when;
    }
    return args;
}

static void print_types(tsr_text *out, tsr_wgsl *w, const arguments *args)
{
    tsr_text_puts(out, "(");
    for (uint32_t i = 0; i < args->count && i < FEW; i++) {
        if (i != 0) tsr_text_puts(out, ", ");
        tsr_type_print(out, w->types, args->at[i].type);
    }
    tsr_text_puts(out, args->count > FEW ? ", ...)" : ")");
}

/* `wanted` says what would have been right. */
static tsr_operand refuse(tsr_wgsl *w, const arguments *args, const char *type, const char *wanted)
{
    tsr_text types;
    tsr_text_init(&types, w->arena);
    print_types(&types, w, args);
    tsr_error(w->diags, args->span, TSR_E_EXPR_CONSTRUCT, "`%s` cannot be made from %s; it takes %s", type,
              tsr_text_get(&types), wanted);
    return tsr_operand_error();
}

static const char *format(tsr_wgsl *w, const char *fmt, ...) TSR_PRINTF(2, 3);
static const char *format(tsr_wgsl *w, const char *fmt, ...)
{
    tsr_text out;
    va_list list;
    tsr_text_init(&out, w->arena);
    va_start(list, fmt);
    tsr_text_vprintf(&out, fmt, list);
    va_end(list);
    return tsr_text_get(&out);
}

/* ---- Composites from operands that already have the types of its parts. */

/* Every argument converted to the type of its part. */
static tsr_operand compose_arguments(tsr_wgsl *w, tsr_type type, const arguments *args, const char *what)
{
    bool is_const = args->when == TSR_WHEN_const;
    const tsr_cval **parts = is_const ? TSR_NEW_ARRAY(w->arena, const tsr_cval *, args->count) : NULL;
    tsr_id *ids = is_const ? NULL : TSR_NEW_ARRAY(w->arena, tsr_id, args->count);
    if (is_const && !tsr_cval_fits(w, type, args->span)) return tsr_operand_error();
    for (uint32_t i = 0; i < args->count; i++) {
        tsr_operand o = operand_of(w, args, i);
        if (!tsr_wgsl_convert(w, &o, tsr_type_part(w->types, type, i), what)) return tsr_operand_error();
        if (is_const) {
            parts[i] = o.cval;
        } else {
            ids[i] = tsr_wgsl_id(w, &o);
        }
    }
    if (is_const) return tsr_operand_const(w, tsr_cval_adopt(w, type, parts, args->count), args->span);
    w->b.span = args->span;
    return tsr_operand_value(
        w, tsr_expr_build(w, TSR_OP_compose, type, 0, ids, args->count, (tsr_when)args->when, args->span), args->when,
        args->span);
}

/* The zero value. One that holds subgroup matrices is no constant. */
static tsr_operand make_zero(tsr_wgsl *w, tsr_type type, tsr_span span)
{
    const tsr_cval *v = tsr_cval_zero(w, type);
    if (!tsr_type_contains(w->types, type, TSR_T_smat)) return tsr_operand_const(w, v, span);
    w->b.span = span;
    return tsr_operand_value(w, tsr_build0(&w->b, TSR_OP_zero, type, 0), TSR_WHEN_run, span);
}

/* ---- Scalars. */

static tsr_operand make_scalar(tsr_wgsl *w, tsr_type type, const arguments *args)
{
    if (args->count == 0) return make_zero(w, type, args->span);
    if (args->count != 1 || !tsr_type_is_scalar(w->types, args->at[0].type)) {
        return refuse(w, args, tsr_expr_type_name(w, type), "one scalar");
    }
    tsr_operand o = operand_of(w, args, 0);
    o.span = args->span;
    if (o.type == type) return o;
    return tsr_expr_apply1(w, TSR_OP_convert, type, 0, o, args->span);
}

/* ---- Vectors. */

/* Number of components given, UINT32_MAX when an argument is neither scalar nor vec or does not become `scalar`. */
static uint32_t count_components(tsr_wgsl *w, const arguments *args, tsr_type scalar)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < args->count && i <= 4; i++) {
        const tsr_type_info *info = tsr_type_get(w->types, args->at[i].type);
        bool is_vec = info->kind == TSR_T_vec;
        if (!is_vec && !tsr_type_is_scalar(w->types, args->at[i].type)) return UINT32_MAX;
        if (tsr_wgsl_rank(w, is_vec ? info->elem : args->at[i].type, scalar) == UINT32_MAX) return UINT32_MAX;
        sum += is_vec ? info->count : 1u;
    }
    return sum;
}

/* vec4(v.xy, 0, 1): at most four components in all. */
static tsr_operand mix_components(tsr_wgsl *w, tsr_type type, tsr_type scalar, const arguments *args)
{
    tsr_operand parts[4];
    uint32_t count = 0;
    for (uint32_t i = 0; i < args->count; i++) {
        tsr_operand o = operand_of(w, args, i);
        tsr_type to = tsr_type_with_scalar(w->types, o.type, scalar);
        if (!tsr_wgsl_convert(w, &o, to, "a component")) return tsr_operand_error();
        uint32_t given = tsr_type_part_count(w->types, to);
        for (uint32_t c = 0; c < given; c++)
            parts[count++] = tsr_expr_apply1(w, TSR_OP_extract, scalar, c, o, o.span);
        if (given == 0) parts[count++] = o;
    }
    return tsr_expr_apply(w, TSR_OP_compose, type, 0, parts, count, args->span);
}

static const char *vec_wanted(tsr_wgsl *w, unsigned count, const char *scalar)
{
    return format(w, "%u components, one value for all of them, or another vec%u; components must be %s", count, count,
                  scalar);
}

static tsr_operand make_vec(tsr_wgsl *w, tsr_type type, const arguments *args)
{
    const tsr_type_info *info = tsr_type_get(w->types, type);
    tsr_type scalar = info->elem;
    if (args->count == 0) return make_zero(w, type, args->span);
    if (args->count == 1) {
        const tsr_type_info *given = tsr_type_get(w->types, args->at[0].type);
        tsr_operand o = operand_of(w, args, 0);
        o.span = args->span;
        if (o.type == type) return o;
        /* A whole vector converts like a scalar does: vec2<f32>(vec2<i32>(...)). */
        if (given->kind == TSR_T_vec && given->count == info->count) {
            return tsr_expr_apply1(w, TSR_OP_convert, type, 0, o, args->span);
        }
        if (tsr_wgsl_rank(w, o.type, scalar) != UINT32_MAX) {
            if (!tsr_wgsl_convert(w, &o, scalar, NULL)) return tsr_operand_error();
            return tsr_expr_apply1(w, TSR_OP_splat, type, 0, o, args->span);
        }
    } else if (count_components(w, args, scalar) == info->count) {
        return mix_components(w, type, scalar, args);
    }
    const char *of = format(w, "`%s`", tsr_expr_type_name(w, scalar));
    return refuse(w, args, tsr_expr_type_name(w, type), vec_wanted(w, info->count, of));
}

/* The scalar type that all arguments (scalars, vecs, for matrices mats) have in common with `scalar`; 0: none. */
static tsr_type common_scalar(const tsr_wgsl *w, const arguments *args, tsr_type scalar)
{
    for (uint32_t i = 0; i < args->count; i++) {
        tsr_type s = tsr_type_scalar(w->types, args->at[i].type);
        if (s == 0 || tsr_type_kind_of(w->types, args->at[i].type) == TSR_T_atomic) return 0;
        scalar = scalar == 0 ? s : tsr_expr_common(w, scalar, s);
        if (scalar == 0) return 0;
    }
    return scalar;
}

static tsr_operand make_bare_vec(tsr_wgsl *w, unsigned count, const arguments *args)
{
    if (args->count == 0) return make_zero(w, tsr_type_vec(w->types, TSR_T_aint, count), args->span);
    tsr_type scalar = common_scalar(w, args, 0);
    if (scalar != 0) {
        const tsr_type_info *only = tsr_type_get(w->types, args->at[0].type);
        bool is_mat = only->kind == TSR_T_mat;
        bool fits = args->count == 1 ? tsr_type_is_scalar(w->types, args->at[0].type) ||
                                           (only->kind == TSR_T_vec && only->count == count)
                                     : count_components(w, args, scalar) == count;
        if (fits && !is_mat) return make_vec(w, tsr_type_vec(w->types, scalar, count), args);
    }
    return refuse(w, args, format(w, "vec%u", count), vec_wanted(w, count, "of one type"));
}

/* ---- Matrices. */

static tsr_operand convert_mat(tsr_wgsl *w, tsr_type type, tsr_operand m, tsr_span span)
{
    const tsr_type_info *info = tsr_type_get(w->types, type);
    if (m.type == type) return m;
    if (m.kind == TSR_O_const) return tsr_expr_apply1(w, TSR_OP_convert, type, 0, m, span);
    tsr_type from = tsr_type_part(w->types, m.type, 0);
    tsr_type to = tsr_type_part(w->types, type, 0);
    tsr_operand columns[4];
    for (uint32_t c = 0; c < info->count; c++) {
        tsr_operand column = tsr_expr_apply1(w, TSR_OP_extract, from, c, m, span);
        columns[c] = tsr_expr_apply1(w, TSR_OP_convert, to, 0, column, span);
    }
    return tsr_expr_apply(w, TSR_OP_compose, type, 0, columns, info->count, span);
}

static bool are_all(tsr_wgsl *w, const arguments *args, tsr_type wanted)
{
    for (uint32_t i = 0; i < args->count; i++) {
        if (tsr_wgsl_rank(w, args->at[i].type, wanted) == UINT32_MAX) return false;
    }
    return true;
}

static tsr_operand mat_of_scalars(tsr_wgsl *w, tsr_type type, const arguments *args)
{
    const tsr_type_info *info = tsr_type_get(w->types, type);
    tsr_type column_type = tsr_type_part(w->types, type, 0);
    tsr_operand columns[4];
    for (uint32_t c = 0; c < info->count; c++) {
        tsr_operand rows[4];
        for (uint32_t r = 0; r < info->rows; r++) {
            rows[r] = operand_of(w, args, c * info->rows + r);
            if (!tsr_wgsl_convert(w, &rows[r], info->elem, "a component")) return tsr_operand_error();
        }
        columns[c] = tsr_expr_apply(w, TSR_OP_compose, column_type, 0, rows, info->rows, args->span);
    }
    return tsr_expr_apply(w, TSR_OP_compose, type, 0, columns, info->count, args->span);
}

static tsr_operand make_mat(tsr_wgsl *w, tsr_type type, const arguments *args)
{
    const tsr_type_info *info = tsr_type_get(w->types, type);
    if (args->count == 0) return make_zero(w, type, args->span);
    if (args->count == 1) {
        const tsr_type_info *given = tsr_type_get(w->types, args->at[0].type);
        if (given->kind == TSR_T_mat && given->count == info->count && given->rows == info->rows) {
            tsr_operand m = operand_of(w, args, 0);
            m.span = args->span;
            return convert_mat(w, type, m, args->span);
        }
    }
    if (args->count == info->count && are_all(w, args, tsr_type_part(w->types, type, 0))) {
        return compose_arguments(w, type, args, "a column");
    }
    if (args->count == (uint32_t)info->count * info->rows && are_all(w, args, info->elem)) {
        return mat_of_scalars(w, type, args);
    }
    return refuse(w, args, tsr_expr_type_name(w, type),
                  format(w, "%u columns of `%s`, %u numbers, or another mat%ux%u", info->count,
                         tsr_expr_type_name(w, tsr_type_part(w->types, type, 0)), info->count * info->rows, info->count,
                         info->rows));
}

static tsr_operand make_bare_mat(tsr_wgsl *w, unsigned columns, unsigned rows, const arguments *args)
{
    /* Matrices hold floats: numbers that are all abstract integers become abstract floats. */
    tsr_type scalar = args->count == 0 ? 0 : common_scalar(w, args, TSR_T_afloat);
    if (scalar != 0) return make_mat(w, tsr_type_mat(w->types, scalar, columns, rows), args);
    return refuse(w, args, format(w, "mat%ux%u", columns, rows),
                  format(w, "%u columns of vec%u or %u numbers, all of one float type", columns, rows, columns * rows));
}

/* ---- Arrays and structures. */

static tsr_operand make_array(tsr_wgsl *w, tsr_type type, const arguments *args)
{
    const tsr_type_info *info = tsr_type_get(w->types, type);
    if (args->count == 0) return make_zero(w, type, args->span);
    if (args->count == info->size.value) return compose_arguments(w, type, args, "an element of the array");
    tsr_error(w->diags, args->span, TSR_E_EXPR_CONSTRUCT, "`%s` takes %u elements, not %u", tsr_expr_type_name(w, type),
              info->size.value, args->count);
    return tsr_operand_error();
}

static tsr_operand make_bare_array(tsr_wgsl *w, const arguments *args)
{
    if (args->count == 0) {
        tsr_error(w->diags, args->span, TSR_E_EXPR_CONSTRUCT,
                  "`array()` does not say of what; write `array<T, N>()` for N zero values of type T");
        return tsr_operand_error();
    }
    tsr_type elem = args->at[0].type;
    for (uint32_t i = 1; i < args->count; i++) {
        tsr_type common = tsr_expr_common(w, elem, args->at[i].type);
        if (common == 0) {
            tsr_error(w->diags, args->at[i].span, TSR_E_EXPR_CONSTRUCT,
                      "the elements of an array must have one type, but this is `%s` after `%s`",
                      tsr_expr_type_name(w, args->at[i].type), tsr_expr_type_name(w, elem));
            return tsr_operand_error();
        }
        elem = common;
    }
    if (args->when != TSR_WHEN_const) elem = tsr_wgsl_concrete(w, elem);
    bool fits = tsr_type_is_constructible(w->types, tsr_wgsl_concrete(w, elem)) ||
                tsr_type_contains(w->types, elem, TSR_T_smat);
    if (!fits) {
        tsr_error(w->diags, args->span, TSR_E_EXPR_CONSTRUCT, "an array cannot hold values of type `%s`",
                  tsr_expr_type_name(w, elem));
        return tsr_operand_error();
    }
    tsr_type type = tsr_type_array(w->types, elem, (tsr_size){args->count, 0});
    return compose_arguments(w, type, args, "an element of the array");
}

static tsr_operand make_struct(tsr_wgsl *w, tsr_type type, const arguments *args)
{
    const tsr_type_info *info = tsr_type_get(w->types, type);
    if (args->count == 0) return make_zero(w, type, args->span);
    if (args->count == info->member_count) return compose_arguments(w, type, args, "a member of the structure");
    tsr_error(w->diags, args->span, TSR_E_EXPR_CONSTRUCT, "`%s` has %u member%s, but %u value%s given",
              tsr_expr_type_name(w, type), info->member_count, info->member_count == 1 ? "" : "s", args->count,
              args->count == 1 ? " is" : "s are");
    return tsr_operand_error();
}

/* ---- All types. */

/* WGSL, "Constructible Types"; values that hold subgroup matrices can be made, too. */
static bool can_construct(tsr_wgsl *w, tsr_type type, tsr_span span)
{
    const tsr_type_info *info = tsr_type_get(w->types, type);
    bool is_sized = info->kind != TSR_T_array || (info->size.value != 0 && info->size.over == 0);
    if (is_sized && tsr_type_is_constructible(w->types, type)) return true; /* nearly all: no name is spelt for them */
    const char *name = tsr_expr_type_name(w, type);
    if (!is_sized) {
        tsr_error(w->diags, span, TSR_E_EXPR_CONSTRUCT,
                  "no value of `%s` can be made: its size is not known when the shader is compiled", name);
        return false;
    }
    if (tsr_type_contains(w->types, type, TSR_T_smat) && !tsr_type_contains(w->types, type, TSR_T_atomic)) return true;
    if (tsr_type_contains(w->types, type, TSR_T_atomic)) {
        tsr_error(w->diags, span, TSR_E_EXPR_CONSTRUCT,
                  "no value of `%s` can be made: atomics live in memory only; use `atomicStore` on a variable", name);
    } else {
        tsr_error(w->diags, span, TSR_E_EXPR_CONSTRUCT, "no value of `%s` can be made", name);
    }
    return false;
}

tsr_operand tsr_expr_construct(tsr_wgsl *w, tsr_type type, tsr_node call)
{
    argument few[FEW];
    tsr_type_kind kind = tsr_type_kind_of(w->types, type);
    if (kind == TSR_T_smat) return tsr_wgsl_matrix_construct(w, type, call);
    if (!can_construct(w, type, tsr_ast_span(w->ast, call))) return tsr_operand_error();
    arguments args = read_arguments(w, call, few);
    if (args.failed) return tsr_operand_error();
    switch (kind) {
    case TSR_T_vec: return make_vec(w, type, &args);
    case TSR_T_mat: return make_mat(w, type, &args);
    case TSR_T_array: return make_array(w, type, &args);
    case TSR_T_struct: return make_struct(w, type, &args);
    default: return make_scalar(w, type, &args);
    }
}

tsr_operand tsr_expr_construct_bare(tsr_wgsl *w, tsr_type_kind kind, unsigned count, unsigned rows, tsr_node call)
{
    argument few[FEW];
    arguments args = read_arguments(w, call, few);
    if (args.failed) return tsr_operand_error();
    switch (kind) {
    case TSR_T_vec: return make_bare_vec(w, count, &args);
    case TSR_T_mat: return make_bare_mat(w, count, rows, &args);
    default: return make_bare_array(w, &args);
    }
}
