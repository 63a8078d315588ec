/* Subgroup matrices: their types, constructors, the scalar operations, and the way to the other functions. Three forms
 * are read, told apart by the `enable` and by the arguments; what one form has and the other lacks is accepted under
 * either, unless they disagree: sizes and `col_major` are const-expressions under chromium_experimental_subgroup_matrix
 * and override-expressions under subgroup_matrix. Source: gpuweb/proposals/subgroup-matrix.md and Dawn's
 * docs/dawn/features/subgroup_matrix.md. */
#include "wgsl/matrix.h"
#include "wgsl/expr.h"

#include <string.h>

/* ---- What matrices are like. */

const tsr_type_info *tsr_matrix_info(const tsr_wgsl *w, tsr_type type)
{
    const tsr_type_info *info = tsr_type_get(w->types, type);
    return info->kind == TSR_T_smat ? info : NULL;
}

bool tsr_matrix_same_size(tsr_size a, tsr_size b)
{
    return a.over == b.over && (a.over != 0 || a.value == b.value);
}

const char *tsr_matrix_size_text(tsr_wgsl *w, tsr_size s)
{
    tsr_text t;
    if (s.over != 0 && tsr_inst_at(w->ir, s.over)->name != 0)
        return tsr_symbols_cstr(w->symbols, tsr_inst_at(w->ir, s.over)->name);
    if (s.over != 0) return "(override-expression)";
    tsr_text_init(&t, w->arena);
    tsr_text_printf(&t, "%u", s.value);
    return tsr_text_get(&t);
}

static const char *type_name(tsr_wgsl *w, tsr_type type)
{
    return tsr_type_cstr(w->types, w->arena, type);
}

static bool check_enabled(tsr_wgsl *w, const char *name, tsr_span span)
{
    if (w->matrix_chromium || w->matrix_standard) return true;
    tsr_error(w->diags, span, TSR_E_MATRIX_DISABLED,
              "`%s` needs subgroup matrices; put `enable chromium_experimental_subgroup_matrix;` (or `enable "
              "subgroup_matrix;`) at the top of the file",
              name);
    return false;
}

/* ---- Types. */

/* u8 and i8: names that only matrix types know. TSR_COMPONENT_NONE for others, and when a declaration hides them. */
static tsr_component small_component(tsr_wgsl *w, tsr_node n)
{
    const tsr_ast_node *node = tsr_ast_at(w->ast, n);
    if (node->kind != TSR_N_ident || node->b != 0) return TSR_COMPONENT_NONE;
    tsr_str name = tsr_symbols_get(w->symbols, node->a);
    tsr_component c = tsr_str_is(name, "u8") ? TSR_U8 : tsr_str_is(name, "i8") ? TSR_S8 : TSR_COMPONENT_NONE;
    bool failed = false;
    if (c == TSR_COMPONENT_NONE || tsr_wgsl_lookup(w, node->a, tsr_ast_span(w->ast, n), &failed) != NULL || failed)
        return TSR_COMPONENT_NONE;
    return c;
}

tsr_component tsr_matrix_component(tsr_wgsl *w, tsr_node n, tsr_type *type)
{
    tsr_component small = small_component(w, n);
    *type = 0;
    if (small != TSR_COMPONENT_NONE) return small;
    *type = tsr_wgsl_type(w, n);
    return *type == 0 || !tsr_type_is_scalar(w->types, *type) ? TSR_COMPONENT_NONE : tsr_type_component(*type);
}

static bool is_integer(tsr_type type)
{
    return type == TSR_T_i32 || type == TSR_T_u32 || type == TSR_T_aint;
}

/* A size that is a constant; false after reporting. */
static bool const_size(tsr_wgsl *w, const tsr_cval *v, const char *what, tsr_span span, tsr_size *out)
{
    if (!is_integer(v->type)) {
        tsr_error(w->diags, span, TSR_E_MATRIX_SIZE, "%s must be an integer, not `%s`", what, type_name(w, v->type));
        return false;
    }
    uint64_t bits = tsr_cval_bits(v);
    int64_t value = v->type == TSR_T_i32 ? (int64_t)(int32_t)(uint32_t)bits : (int64_t)bits;
    if (value < 1 || value > (int64_t)TSR_MATRIX_SIZE_MAX) {
        tsr_error(w->diags, span, TSR_E_MATRIX_SIZE, "%s is %lld; it must lie in 1 to %u", what, (long long)value,
                  TSR_MATRIX_SIZE_MAX);
        return false;
    }
    *out = (tsr_size){.value = (uint32_t)value};
    return true;
}

static bool read_size(tsr_wgsl *w, tsr_node n, const char *what, tsr_size *out)
{
    tsr_span span = tsr_ast_span(w->ast, n);
    if (!w->matrix_standard) {
        const tsr_cval *v = tsr_wgsl_const_expr(w, n, 0, what);
        return v != NULL && const_size(w, v, what, span, out);
    }
    tsr_operand o = tsr_wgsl_override_expr(w, n, what);
    if (o.kind == TSR_O_const) return const_size(w, o.cval, what, span, out);
    if (o.kind != TSR_O_value) return false;
    *out = (tsr_size){.over = o.id};
    return true;
}

static tsr_use use_of_name(tsr_str name)
{
    return tsr_str_is(name, "subgroup_matrix_left")    ? TSR_USE_A
           : tsr_str_is(name, "subgroup_matrix_right") ? TSR_USE_B
                                                       : TSR_USE_ACCUMULATOR;
}

tsr_type tsr_wgsl_matrix_type(tsr_wgsl *w, tsr_node n)
{
    const tsr_ast_node *node = tsr_ast_at(w->ast, n);
    const char *name = tsr_symbols_cstr(w->symbols, node->a);
    tsr_span span = tsr_ast_span(w->ast, n);
    tsr_type other = 0;
    tsr_size rows = {0}, columns = {0};
    if (!check_enabled(w, name, span)) return 0;
    if (tsr_ast_list_count(w->ast, node->b) != 3) {
        tsr_error(w->diags, span, TSR_E_MATRIX_TYPE,
                  "`%s` takes a component type, the number of columns and the number of rows: `%s<f32, 8, 8>`", name,
                  name);
        return 0;
    }
    tsr_component c = tsr_matrix_component(w, tsr_ast_list_at(w->ast, node->b, 0), &other);
    if (c == TSR_COMPONENT_NONE) {
        if (other != 0)
            tsr_error(w->diags, tsr_ast_span(w->ast, tsr_ast_list_at(w->ast, node->b, 0)), TSR_E_MATRIX_COMPONENT,
                      "`%s` is no component type of subgroup matrices; those are f32, f16, u32, i32, u8 and i8",
                      type_name(w, other));
        return 0;
    }
    if (!read_size(w, tsr_ast_list_at(w->ast, node->b, 1), "the number of columns of a subgroup matrix", &columns) ||
        !read_size(w, tsr_ast_list_at(w->ast, node->b, 2), "the number of rows of a subgroup matrix", &rows))
        return 0;
    return tsr_type_smat(w->types, use_of_name(tsr_symbols_get(w->symbols, node->a)), c, rows, columns,
                         TSR_SCOPE_SUBGROUP);
}

/* ---- Arguments and results. */

tsr_operand tsr_matrix_value(tsr_wgsl *w, tsr_id id, tsr_span span)
{
    tsr_operand r = tsr_operand_value(w, id, TSR_WHEN_run, span);
    r.must_use = true;
    return r;
}

bool tsr_matrix_check_arg_count(tsr_wgsl *w, const tsr_matrix_call *c, uint32_t want, const char *usage)
{
    if (c->arg_count == want) return true;
    tsr_error(w->diags, c->span, TSR_E_MATRIX_COUNT, "`%s` takes %u argument%s here, %u given: %s", c->name, want,
              want == 1 ? "" : "s", c->arg_count, usage);
    return false;
}

static tsr_id const_count(tsr_wgsl *w, const tsr_operand *o, uint32_t factor, const char *what)
{
    uint64_t bits = tsr_cval_bits(o->cval);
    int64_t value = o->type == TSR_T_i32 ? (int64_t)(int32_t)(uint32_t)bits : (int64_t)bits;
    if (value >= 0 && value <= (int64_t)(UINT32_MAX / factor)) return tsr_build_u32(w->ir, (uint32_t)value * factor);
    tsr_error(w->diags, o->span, TSR_E_MATRIX_OFFSET,
              value < 0 ? "%s is %lld; it cannot be negative"
                        : "%s is %lld; the matrix would lie beyond 2^32 components",
              what, (long long)value);
    return 0;
}

tsr_id tsr_matrix_count(tsr_wgsl *w, tsr_operand *o, uint32_t factor, const char *what)
{
    if (!is_integer(o->type)) {
        tsr_error(w->diags, o->span, TSR_E_MATRIX_OFFSET, "%s must be an i32 or u32, not `%s`", what,
                  type_name(w, o->type));
        return 0;
    }
    if (!tsr_wgsl_concretize(w, o)) return 0;
    if (o->kind == TSR_O_const) return const_count(w, o, factor, what);
    bool is_signed = o->type == TSR_T_i32;
    tsr_id id = tsr_wgsl_id(w, o);
    w->b.span = o->span;
    if (is_signed) id = tsr_build1(&w->b, TSR_OP_bitcast, TSR_T_u32, 0, id);
    return factor == 1 ? id : tsr_build2(&w->b, TSR_OP_mul, 0, 0, id, tsr_build_u32(w->ir, factor));
}

static bool check_scope(tsr_wgsl *w, const char *name, tsr_span span)
{
    if (!tsr_expr_at_module(w)) return true;
    tsr_error(
        w->diags, span, TSR_E_MATRIX_SCOPE,
        "`%s` works when the shader runs: call it in a function, not where a const- or override-expression must stand",
        name);
    return false;
}

/* The operand as the scalar that WGSL works with for the component; 0 after reporting. */
static tsr_id scalar_for(tsr_wgsl *w, const tsr_type_info *m, tsr_operand *o)
{
    tsr_type scalar = tsr_component_scalar((tsr_component)m->component);
    if (!tsr_wgsl_convert(w, o, scalar, "the scalar of a subgroup matrix operation")) return 0;
    return tsr_wgsl_id(w, o);
}

/* ---- T() and T(value). */

tsr_operand tsr_wgsl_matrix_construct(tsr_wgsl *w, tsr_type type, tsr_node call)
{
    tsr_list list = tsr_ast_at(w->ast, call)->b;
    tsr_span span = tsr_ast_span(w->ast, call);
    const tsr_type_info *m = tsr_type_get(w->types, type);
    const char *name = type_name(w, type);
    if (!check_scope(w, name, span)) return tsr_operand_error();
    if (tsr_ast_list_count(w->ast, list) == 0) { /* no shared constant: where it stands must be uniform */
        w->b.span = span;
        tsr_id zero = tsr_build_const(w->ir, tsr_component_scalar((tsr_component)m->component), 0);
        return tsr_matrix_value(w, tsr_build1(&w->b, TSR_OP_mfill, type, 0, zero), span);
    }
    if (tsr_ast_list_count(w->ast, list) != 1) {
        tsr_error(w->diags, span, TSR_E_MATRIX_COUNT,
                  "`%s` is made of nothing (zeros) or of one scalar that every component gets, not of %u values", name,
                  tsr_ast_list_count(w->ast, list));
        return tsr_operand_error();
    }
    tsr_operand value = tsr_wgsl_value(w, tsr_ast_list_at(w->ast, list, 0));
    if (value.kind == TSR_O_error) return tsr_operand_error();
    tsr_id scalar = scalar_for(w, m, &value);
    if (scalar == 0) return tsr_operand_error();
    w->b.span = span;
    return tsr_matrix_value(w, tsr_build1(&w->b, TSR_OP_mfill, type, 0, scalar), span);
}

/* ---- subgroupMatrixScalarAdd, Subtract, Multiply(matrix, value). */

static tsr_operand scalar_operation(tsr_wgsl *w, tsr_matrix_call *c, tsr_op op)
{
    if (c->template_count != 0) {
        tsr_error(w->diags, c->span, TSR_E_MATRIX_TEMPLATE, "`%s` takes no template arguments", c->name);
        return tsr_operand_error();
    }
    if (!tsr_matrix_check_arg_count(w, c, 2, "a matrix and a scalar")) return tsr_operand_error();
    const tsr_type_info *m = tsr_matrix_info(w, c->args[0].type);
    if (m == NULL) {
        tsr_error(w->diags, c->args[0].span, TSR_E_MATRIX_OPERAND,
                  "the first argument of `%s` must be a subgroup matrix, not `%s`", c->name,
                  type_name(w, c->args[0].type));
        return tsr_operand_error();
    }
    tsr_id matrix = tsr_wgsl_id(w, &c->args[0]);
    tsr_id scalar = scalar_for(w, m, &c->args[1]);
    if (scalar == 0) return tsr_operand_error();
    w->b.span = c->span;
    return tsr_matrix_value(w, tsr_build2(&w->b, op, 0, 0, matrix, scalar), c->span);
}

/* ---- Functions. */

typedef enum matrix_function {
    MATRIX_none,
    MATRIX_load,
    MATRIX_store,
    MATRIX_multiply,
    MATRIX_multiply_accumulate,
    MATRIX_scalar_add,
    MATRIX_scalar_subtract,
    MATRIX_scalar_multiply
} matrix_function;

static matrix_function find_function(const tsr_wgsl *w, tsr_sym name)
{
    static const struct {
        const char *name;
        matrix_function function;
    } table[] = {{"subgroupMatrixLoad", MATRIX_load},
                 {"subgroupMatrixStore", MATRIX_store},
                 {"subgroupMatrixMultiply", MATRIX_multiply},
                 {"subgroupMatrixMultiplyAccumulate", MATRIX_multiply_accumulate},
                 {"subgroupMatrixScalarAdd", MATRIX_scalar_add},
                 {"subgroupMatrixScalarSubtract", MATRIX_scalar_subtract},
                 {"subgroupMatrixScalarMultiply", MATRIX_scalar_multiply}};
    tsr_str s = tsr_symbols_get(w->symbols, name);
    if (s.len < strlen("subgroupMatrix") || memcmp(s.s, "subgroupMatrix", strlen("subgroupMatrix")) != 0)
        return MATRIX_none;
    for (size_t i = 0; i < TSR_COUNT_OF(table); i++)
        if (tsr_str_is(s, table[i].name)) return table[i].function;
    return MATRIX_none;
}

bool tsr_wgsl_is_matrix_function(const tsr_wgsl *w, tsr_sym name)
{
    return find_function(w, name) != MATRIX_none;
}

/* The argument of a store, load or multiply call whose place the majorness has may be anything; all others are values.
 */
static bool read_call(tsr_wgsl *w, tsr_node call, tsr_matrix_call *c)
{
    const tsr_ast_node *node = tsr_ast_at(w->ast, call), *callee = tsr_ast_at(w->ast, node->a);
    *c = (tsr_matrix_call){.name = tsr_symbols_cstr(w->symbols, callee->a),
                           .node = call,
                           .span = tsr_ast_span(w->ast, call),
                           .templates = callee->b,
                           .template_count = tsr_ast_list_count(w->ast, callee->b),
                           .arg_count = tsr_ast_list_count(w->ast, node->b)};
    if (!check_enabled(w, c->name, c->span) || !check_scope(w, c->name, c->span)) return false;
    if (c->arg_count > TSR_MATRIX_ARGS) {
        tsr_error(w->diags, c->span, TSR_E_MATRIX_COUNT, "%u arguments; no subgroup matrix function takes more than %d",
                  c->arg_count, TSR_MATRIX_ARGS);
        return false;
    }
    bool ok = true;
    for (uint32_t i = 0; i < c->arg_count; i++) {
        c->args[i] = tsr_wgsl_value(w, tsr_ast_list_at(w->ast, node->b, i));
        ok = (c->args[i].kind == TSR_O_const || c->args[i].kind == TSR_O_value) && ok;
    }
    return ok;
}

tsr_operand tsr_wgsl_matrix_call(tsr_wgsl *w, tsr_node call)
{
    tsr_matrix_call c;
    if (!read_call(w, call, &c)) return tsr_operand_error();
    switch (find_function(w, tsr_ast_at(w->ast, tsr_ast_at(w->ast, call)->a)->a)) {
    case MATRIX_load: return tsr_matrix_load(w, &c);
    case MATRIX_store: return tsr_matrix_store(w, &c);
    case MATRIX_multiply: return tsr_matrix_multiply(w, &c);
    case MATRIX_multiply_accumulate: return tsr_matrix_multiply_accumulate(w, &c);
    case MATRIX_scalar_add: return scalar_operation(w, &c, TSR_OP_madd);
    case MATRIX_scalar_subtract: return scalar_operation(w, &c, TSR_OP_msub);
    case MATRIX_scalar_multiply: return scalar_operation(w, &c, TSR_OP_mscale);
    default: return tsr_operand_error();
    }
}
