/* subgroupMatrixMultiply<R>(left, right) and subgroupMatrixMultiplyAccumulate(left, right, acc). R is a component type
 * (as first shipped) or the whole result type (the draft); left out, it is the component of the operands. Whether a
 * device has the combination is not decided here. */
#include "wgsl/matrix.h"

static const char *type_name(tsr_wgsl *w, tsr_type type)
{
    return tsr_type_cstr(w->types, w->arena, type);
}

/* The matrix that argument i is, of that use; NULL after reporting. */
static const tsr_type_info *operand(tsr_wgsl *w, const tsr_matrix_call *c, uint32_t i, tsr_use use)
{
    static const char *const names[] = {"subgroup_matrix_left", "subgroup_matrix_right", "subgroup_matrix_result"};
    const tsr_type_info *m = tsr_matrix_info(w, c->args[i].type);
    if (m != NULL && m->use == use) return m;
    tsr_error(w->diags, c->args[i].span, TSR_E_MATRIX_OPERAND, "argument %u of `%s` must be a `%s`, not `%s`", i + 1,
              c->name, names[use], type_name(w, c->args[i].type));
    return NULL;
}

/* Left is M x K, right K x N, both of one component type. */
static bool check_operands(tsr_wgsl *w, const tsr_matrix_call *c, const tsr_type_info **left,
                           const tsr_type_info **right)
{
    *left = operand(w, c, 0, TSR_USE_A);
    *right = operand(w, c, 1, TSR_USE_B);
    if (*left == NULL || *right == NULL) return false;
    if ((*left)->component != (*right)->component) {
        tsr_error(w->diags, c->span, TSR_E_MATRIX_OPERAND,
                  "left is `%s`, right is `%s`: their components must be of one type", type_name(w, c->args[0].type),
                  type_name(w, c->args[1].type));
        return false;
    }
    if (tsr_matrix_same_size((*left)->size2, (*right)->size)) return true;
    tsr_error(w->diags, c->span, TSR_E_MATRIX_SHAPE, "left is %sx%s (M x K), right is %sx%s (K x N): K differs",
              tsr_matrix_size_text(w, (*left)->size), tsr_matrix_size_text(w, (*left)->size2),
              tsr_matrix_size_text(w, (*right)->size), tsr_matrix_size_text(w, (*right)->size2));
    return false;
}

/* The result (or addend) is M x N. */
static bool check_result(tsr_wgsl *w, const tsr_type_info *left, const tsr_type_info *right,
                         const tsr_type_info *result, const char *what, tsr_span span)
{
    bool rows = tsr_matrix_same_size(left->size, result->size),
         columns = tsr_matrix_same_size(right->size2, result->size2);
    if (rows && columns) return true;
    tsr_error(w->diags, span, TSR_E_MATRIX_SHAPE,
              "left is %sx%s (M x K), right is %sx%s (K x N), %s is %sx%s (M x N): %s",
              tsr_matrix_size_text(w, left->size), tsr_matrix_size_text(w, left->size2),
              tsr_matrix_size_text(w, right->size), tsr_matrix_size_text(w, right->size2), what,
              tsr_matrix_size_text(w, result->size), tsr_matrix_size_text(w, result->size2),
              rows      ? "N differs"
              : columns ? "M differs"
                        : "M and N differ");
    return false;
}

/* The result type that the template argument gives; 0 after reporting. */
static tsr_type result_type(tsr_wgsl *w, const tsr_matrix_call *c, const tsr_type_info *left,
                            const tsr_type_info *right)
{
    tsr_type named = 0;
    tsr_component component = (tsr_component)left->component;
    if (c->template_count != 0) {
        tsr_node n = tsr_ast_list_at(w->ast, c->templates, 0);
        component = tsr_matrix_component(w, n, &named);
        if (component == TSR_COMPONENT_NONE) {
            const tsr_type_info *m = named == 0 ? NULL : tsr_matrix_info(w, named);
            if (m != NULL && m->use == TSR_USE_ACCUMULATOR)
                return check_result(w, left, right, m, "the result type", c->span) ? named : 0;
            if (named != 0)
                tsr_error(w->diags, tsr_ast_span(w->ast, n), TSR_E_MATRIX_TEMPLATE,
                          "`%s` makes a subgroup_matrix_result: name its type or its component type, not `%s`", c->name,
                          type_name(w, named));
            return 0;
        }
    }
    return tsr_type_smat(w->types, TSR_USE_ACCUMULATOR, component, left->size, right->size2, TSR_SCOPE_SUBGROUP);
}

static bool check_template_count(tsr_wgsl *w, const tsr_matrix_call *c)
{
    if (c->template_count <= 1) return true;
    tsr_error(w->diags, c->span, TSR_E_MATRIX_TEMPLATE, "`%s` takes one template argument, %u given", c->name,
              c->template_count);
    return false;
}

tsr_operand tsr_matrix_multiply(tsr_wgsl *w, tsr_matrix_call *c)
{
    const tsr_type_info *left, *right;
    if (!check_template_count(w, c) || !tsr_matrix_check_arg_count(w, c, 2, "the left and the right matrix") ||
        !check_operands(w, c, &left, &right))
        return tsr_operand_error();
    tsr_type type = result_type(w, c, left, right);
    if (type == 0) return tsr_operand_error();
    tsr_id a = tsr_wgsl_id(w, &c->args[0]), b = tsr_wgsl_id(w, &c->args[1]);
    tsr_id zero = tsr_cval_lower(w, tsr_cval_zero(w, type));
    w->b.span = c->span;
    return tsr_matrix_value(w, tsr_build3(&w->b, TSR_OP_mma, type, 0, a, b, zero), c->span);
}

/* The draft writes the result type as a template argument; it must be the addend's. */
static bool check_named_result(tsr_wgsl *w, const tsr_matrix_call *c, tsr_type addend)
{
    tsr_type named = 0;
    if (c->template_count == 0) return true;
    tsr_component component = tsr_matrix_component(w, tsr_ast_list_at(w->ast, c->templates, 0), &named);
    if (component == TSR_COMPONENT_NONE && named == 0) return false;
    if (component == TSR_COMPONENT_NONE ? named == addend : component == tsr_matrix_info(w, addend)->component)
        return true;
    tsr_error(w->diags, c->span, TSR_E_MATRIX_TEMPLATE,
              "`%s` gives what it adds to, `%s`; the template argument names "
              "another type",
              c->name, type_name(w, addend));
    return false;
}

tsr_operand tsr_matrix_multiply_accumulate(tsr_wgsl *w, tsr_matrix_call *c)
{
    const tsr_type_info *left, *right, *addend;
    if (!check_template_count(w, c) ||
        !tsr_matrix_check_arg_count(w, c, 3, "the left, the right and the result matrix to add to") ||
        !check_operands(w, c, &left, &right))
        return tsr_operand_error();
    addend = operand(w, c, 2, TSR_USE_ACCUMULATOR);
    if (addend == NULL || !check_result(w, left, right, addend, "what is added to", c->span) ||
        !check_named_result(w, c, c->args[2].type))
        return tsr_operand_error();
    tsr_type type = c->args[2].type;
    tsr_id a = tsr_wgsl_id(w, &c->args[0]), b = tsr_wgsl_id(w, &c->args[1]), acc = tsr_wgsl_id(w, &c->args[2]);
    w->b.span = c->span;
    return tsr_matrix_value(w, tsr_build3(&w->b, TSR_OP_mma, type, 0, a, b, acc), c->span);
}
