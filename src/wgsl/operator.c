/* Operators: which types each takes, what it gives, and the code for it. Overloads follow from a few rules instead of a
 * list: both operands become one scalar type (tsr_expr_common), a scalar beside a vector is spread over it, matrices
 * follow linear algebra. Sources: WGSL, "Logical / Arithmetic / Comparison / Bit Expressions". */
#include "wgsl/expr.h"

/* The right operand of a short circuit is computed in any case when that is so little work as this many instructions.
 */
enum { HOIST_MAX = 8 };

static tsr_type scalar_of(const tsr_wgsl *w, const tsr_operand *o)
{
    return tsr_type_scalar(w->types, o->type);
}

static tsr_type_kind kind_of(const tsr_wgsl *w, const tsr_operand *o)
{
    return tsr_type_kind_of(w->types, o->type);
}

/* A scalar or a vec. */
static bool is_flat(const tsr_wgsl *w, const tsr_operand *o)
{
    return tsr_type_is_scalar(w->types, o->type) || kind_of(w, o) == TSR_T_vec;
}

static bool is_integer_scalar(tsr_type s)
{
    return s == TSR_T_i32 || s == TSR_T_u32 || s == TSR_T_aint;
}

/* ---- Refusals. */

static bool refuse_matrix(tsr_wgsl *w, tsr_ast_op op, const tsr_operand *o, tsr_span span)
{
    if (kind_of(w, o) != TSR_T_smat) return false;
    tsr_error(
        w->diags, span, TSR_E_EXPR_MATRIX,
        "`%s` is not defined for subgroup matrices (`%s`); use the functions whose names begin with `subgroupMatrix`",
        tsr_ast_op_text(op), tsr_expr_type_name(w, o->type));
    return true;
}

static const char *advice(tsr_wgsl *w, tsr_ast_op op, const tsr_operand *a, const tsr_operand *b)
{
    tsr_type sa = scalar_of(w, a);
    tsr_type sb = scalar_of(w, b);
    if (op == TSR_AST_shl || op == TSR_AST_shr)
        return "; the right side of a shift is u32, with as many components as the left";
    if (op == TSR_AST_land || op == TSR_AST_lor) return "; both sides must be bool";
    if (kind_of(w, a) == TSR_T_ptr || kind_of(w, b) == TSR_T_ptr)
        return "; write `*` before a pointer to use what it points to";
    if (sa == TSR_T_bool || sb == TSR_T_bool || sa == sb || sa == 0 || sb == 0) return "";
    return "; convert one of them, for WGSL does not convert between these types by itself";
}

static tsr_operand refuse_binary(tsr_wgsl *w, tsr_ast_op op, const tsr_operand *a, const tsr_operand *b, tsr_span span)
{
    if (refuse_matrix(w, op, a, span) || refuse_matrix(w, op, b, span)) return tsr_operand_error();
    tsr_error(w->diags, span, TSR_E_EXPR_OPERATOR, "no operator `%s` takes `%s` and `%s`%s", tsr_ast_op_text(op),
              tsr_expr_type_name(w, a->type), tsr_expr_type_name(w, b->type), advice(w, op, a, b));
    return tsr_operand_error();
}

static tsr_operand refuse_unary(tsr_wgsl *w, tsr_ast_op op, const tsr_operand *a, tsr_span span)
{
    if (refuse_matrix(w, op, a, span)) return tsr_operand_error();
    tsr_error(w->diags, span, TSR_E_EXPR_OPERATOR, "no operator `%s` takes `%s`", tsr_ast_op_text(op),
              tsr_expr_type_name(w, a->type));
    return tsr_operand_error();
}

/* ---- Operands made alike. */

static bool to_scalar(tsr_wgsl *w, tsr_operand *o, tsr_type scalar)
{
    return tsr_wgsl_convert(w, o, tsr_type_with_scalar(w->types, o->type, scalar), NULL);
}

/* Both get the scalar type that they have in common; 0 when there is none, and *failed when a value does not fit. */
static tsr_type unify(tsr_wgsl *w, tsr_operand *a, tsr_operand *b, bool *failed)
{
    tsr_type sa = scalar_of(w, a);
    tsr_type sb = scalar_of(w, b);
    tsr_type s = sa == 0 || sb == 0 ? 0 : tsr_expr_common(w, sa, sb);
    if (s == 0) return 0;
    if (!to_scalar(w, a, s) || !to_scalar(w, b, s)) *failed = true;
    return s;
}

static tsr_operand spread(tsr_wgsl *w, tsr_operand o, tsr_type vec, tsr_span span)
{
    if (o.type == vec) return o;
    return tsr_expr_apply1(w, TSR_OP_splat, vec, 0, o, span);
}

/* ---- What a constant right side alone makes an error. */

static const tsr_cval *bad_component(tsr_wgsl *w, const tsr_cval *v, bool (*is_bad)(uint64_t bits))
{
    if (tsr_type_is_scalar(w->types, v->type)) return is_bad(tsr_cval_bits(v)) ? v : NULL;
    for (uint32_t i = 0; i < v->count; i++) {
        const tsr_cval *part = tsr_cval_part(w, v, i);
        if (is_bad(tsr_cval_bits(part))) return part;
    }
    return NULL;
}

static bool is_zero_bits(uint64_t bits)
{
    return bits == 0;
}

static bool is_far_shift(uint64_t bits)
{
    return bits >= 32;
}

/* Integer division and remainder by a constant zero. */
static bool check_divisor(tsr_wgsl *w, tsr_ast_op op, const tsr_operand *a, const tsr_operand *b)
{
    if (w->unevaluated != 0 || b->kind != TSR_O_const || a->kind == TSR_O_const) return true;
    if ((op != TSR_AST_div && op != TSR_AST_rem) || !is_integer_scalar(scalar_of(w, b))) return true;
    if (bad_component(w, b->cval, is_zero_bits) == NULL) return true;
    tsr_error(w->diags, b->span, TSR_E_EXPR_CONST_EVAL, "`%s` by zero", tsr_ast_op_text(op));
    return false;
}

static bool check_shift(tsr_wgsl *w, const tsr_operand *a, const tsr_operand *b)
{
    if (w->unevaluated != 0 || b->kind != TSR_O_const || a->kind == TSR_O_const) return true;
    const tsr_cval *far = bad_component(w, b->cval, is_far_shift);
    if (far == NULL) return true;
    tsr_error(w->diags, b->span, TSR_E_EXPR_CONST_EVAL, "a shift by %u is too far: `%s` has 32 bits",
              (unsigned)tsr_cval_bits(far), tsr_expr_type_name(w, scalar_of(w, a)));
    return false;
}

/* ---- + - * / % */

static tsr_op arithmetic_op(tsr_ast_op op)
{
    switch (op) {
    case TSR_AST_add: return TSR_OP_add;
    case TSR_AST_sub: return TSR_OP_sub;
    case TSR_AST_mul: return TSR_OP_mul;
    case TSR_AST_div: return TSR_OP_div;
    default: return TSR_OP_rem;
    }
}

static tsr_operand mat_sum(tsr_wgsl *w, tsr_ast_op op, tsr_operand a, tsr_operand b, tsr_span span)
{
    return tsr_expr_apply2(w, op == TSR_AST_add ? TSR_OP_mat_add : TSR_OP_mat_sub, a.type, a, b, span);
}

/* The type of a product with a matrix in it by linear algebra; 0 when the sizes do not meet. */
static tsr_type mat_product(tsr_wgsl *w, const tsr_operand *a, const tsr_operand *b)
{
    const tsr_type_info *ia = tsr_type_get(w->types, a->type);
    const tsr_type_info *ib = tsr_type_get(w->types, b->type);
    if (ia->kind == TSR_T_mat && ib->kind == TSR_T_mat) {
        return ia->count == ib->rows ? tsr_type_mat(w->types, ia->elem, ib->count, ia->rows) : 0;
    }
    if (ia->kind == TSR_T_mat) return ia->count == ib->count ? tsr_type_vec(w->types, ia->elem, ia->rows) : 0;
    return ia->count == ib->rows ? tsr_type_vec(w->types, ib->elem, ib->count) : 0;
}

static tsr_operand mat_arithmetic(tsr_wgsl *w, tsr_ast_op op, tsr_operand a, tsr_operand b, tsr_span span)
{
    tsr_operand a0 = a;
    tsr_operand b0 = b;
    bool failed = false;
    if (unify(w, &a, &b, &failed) == 0) return refuse_binary(w, op, &a0, &b0, span);
    if (failed) return tsr_operand_error();
    bool same = a.type == b.type && kind_of(w, &a) == TSR_T_mat;
    if ((op == TSR_AST_add || op == TSR_AST_sub) && same) return mat_sum(w, op, a, b, span);
    if (op != TSR_AST_mul) return refuse_binary(w, op, &a0, &b0, span);
    if (tsr_type_is_scalar(w->types, b.type)) return tsr_expr_apply2(w, TSR_OP_mat_scale, a.type, a, b, span);
    if (tsr_type_is_scalar(w->types, a.type)) return tsr_expr_apply2(w, TSR_OP_mat_scale, b.type, b, a, span);
    tsr_type type = mat_product(w, &a, &b);
    if (type == 0) return refuse_binary(w, op, &a0, &b0, span);
    return tsr_expr_apply2(w, TSR_OP_mat_mul, type, a, b, span);
}

/* vec or scalar operands: the type of the result, scalars spread; 0 when the widths do not meet. */
static tsr_type meet(tsr_wgsl *w, const tsr_operand *a, const tsr_operand *b)
{
    if (a->type == b->type) return a->type;
    if (kind_of(w, a) == TSR_T_vec && tsr_type_is_scalar(w->types, b->type)) return a->type;
    if (kind_of(w, b) == TSR_T_vec && tsr_type_is_scalar(w->types, a->type)) return b->type;
    return 0;
}

static tsr_operand arithmetic(tsr_wgsl *w, tsr_ast_op op, tsr_operand a, tsr_operand b, tsr_span span)
{
    if (kind_of(w, &a) == TSR_T_mat || kind_of(w, &b) == TSR_T_mat) return mat_arithmetic(w, op, a, b, span);
    if (!is_flat(w, &a) || !is_flat(w, &b)) return refuse_binary(w, op, &a, &b, span);
    tsr_operand a0 = a;
    tsr_operand b0 = b;
    bool failed = false;
    tsr_type s = unify(w, &a, &b, &failed);
    if (s == 0 || s == TSR_T_bool) return refuse_binary(w, op, &a0, &b0, span);
    if (failed) return tsr_operand_error();
    tsr_type type = meet(w, &a, &b);
    if (type == 0) return refuse_binary(w, op, &a0, &b0, span);
    if (!check_divisor(w, op, &a, &b)) return tsr_operand_error();
    a = spread(w, a, type, span);
    b = spread(w, b, type, span);
    return tsr_expr_apply2(w, arithmetic_op(op), type, a, b, span);
}

/* ---- & | ^ */

static tsr_operand bitwise(tsr_wgsl *w, tsr_ast_op op, tsr_operand a, tsr_operand b, tsr_span span)
{
    tsr_operand a0 = a;
    tsr_operand b0 = b;
    bool failed = false;
    if (!is_flat(w, &a) || !is_flat(w, &b)) return refuse_binary(w, op, &a, &b, span);
    tsr_type s = unify(w, &a, &b, &failed);
    bool fits = is_integer_scalar(s) || (s == TSR_T_bool && op != TSR_AST_xor);
    if (!fits || (!failed && a.type != b.type)) return refuse_binary(w, op, &a0, &b0, span);
    if (failed) return tsr_operand_error();
    tsr_op ir = op == TSR_AST_and ? TSR_OP_and : op == TSR_AST_or ? TSR_OP_or : TSR_OP_xor;
    return tsr_expr_apply2(w, ir, a.type, a, b, span);
}

/* ---- << >> */

static tsr_operand shift(tsr_wgsl *w, tsr_ast_op op, tsr_operand a, tsr_operand b, tsr_span span)
{
    tsr_type amount = tsr_type_with_scalar(w->types, a.type, TSR_T_u32);
    bool fits = is_flat(w, &a) && is_integer_scalar(scalar_of(w, &a)) && tsr_wgsl_rank(w, b.type, amount) != UINT32_MAX;
    if (!fits) return refuse_binary(w, op, &a, &b, span);
    if (!tsr_wgsl_convert(w, &b, amount, "a shift")) return tsr_operand_error();
    /* An abstract left side needs a constant right side, else it becomes i32 ("Overload Resolution"). */
    if (b.kind != TSR_O_const && !tsr_wgsl_concretize(w, &a)) return tsr_operand_error();
    if (!check_shift(w, &a, &b)) return tsr_operand_error();
    return tsr_expr_apply2(w, op == TSR_AST_shl ? TSR_OP_shl : TSR_OP_shr, a.type, a, b, span);
}

/* ---- == != < <= > >= */

static tsr_op comparison_op(tsr_ast_op op)
{
    switch (op) {
    case TSR_AST_eq: return TSR_OP_eq;
    case TSR_AST_ne: return TSR_OP_ne;
    case TSR_AST_lt: return TSR_OP_lt;
    case TSR_AST_le: return TSR_OP_le;
    case TSR_AST_gt: return TSR_OP_gt;
    default: return TSR_OP_ge;
    }
}

static tsr_operand comparison(tsr_wgsl *w, tsr_ast_op op, tsr_operand a, tsr_operand b, tsr_span span)
{
    tsr_operand a0 = a;
    tsr_operand b0 = b;
    bool failed = false;
    bool is_equality = op == TSR_AST_eq || op == TSR_AST_ne;
    if (!is_flat(w, &a) || !is_flat(w, &b)) return refuse_binary(w, op, &a, &b, span);
    tsr_type s = unify(w, &a, &b, &failed);
    bool fits = s != 0 && (s != TSR_T_bool || is_equality);
    if (!fits || (!failed && a.type != b.type)) return refuse_binary(w, op, &a0, &b0, span);
    if (failed) return tsr_operand_error();
    return tsr_expr_apply2(w, comparison_op(op), tsr_type_with_scalar(w->types, a.type, TSR_T_bool), a, b, span);
}

/* ---- && || with both sides at hand. */

/* Both are known before the shader runs, one of them only to the pipeline. */
static bool is_early(const tsr_operand *a, const tsr_operand *b)
{
    return a->when != TSR_WHEN_run && b->when != TSR_WHEN_run;
}

static tsr_operand logical_both(tsr_wgsl *w, tsr_ast_op op, tsr_operand a, tsr_operand b, tsr_span span)
{
    if (a.type != TSR_T_bool || b.type != TSR_T_bool) return refuse_binary(w, op, &a, &b, span);
    bool is_and = op == TSR_AST_land;
    bool early = tsr_expr_at_module(w) || is_early(&a, &b);
    tsr_op ir = early ? (is_and ? TSR_OP_land : TSR_OP_lor) : (is_and ? TSR_OP_and : TSR_OP_or);
    return tsr_expr_apply2(w, ir, TSR_T_bool, a, b, span);
}

tsr_operand tsr_wgsl_binary(tsr_wgsl *w, tsr_ast_op op, tsr_operand a, tsr_operand b, tsr_span span)
{
    a = tsr_wgsl_load(w, a);
    b = tsr_wgsl_load(w, b);
    if (a.kind == TSR_O_error || b.kind == TSR_O_error) return tsr_operand_error();
    if (a.kind == TSR_O_void || b.kind == TSR_O_void) {
        tsr_error(w->diags, span, TSR_E_EXPR_NOT_VALUE, "`%s` needs two values, but a function here returns nothing",
                  tsr_ast_op_text(op));
        return tsr_operand_error();
    }
    switch (op) {
    case TSR_AST_add:
    case TSR_AST_sub:
    case TSR_AST_mul:
    case TSR_AST_div:
    case TSR_AST_rem: return arithmetic(w, op, a, b, span);
    case TSR_AST_and:
    case TSR_AST_or:
    case TSR_AST_xor: return bitwise(w, op, a, b, span);
    case TSR_AST_shl:
    case TSR_AST_shr: return shift(w, op, a, b, span);
    case TSR_AST_land:
    case TSR_AST_lor: return logical_both(w, op, a, b, span);
    default: return comparison(w, op, a, b, span);
    }
}

/* ---- Short circuits. */

/* A pointer to a part of a variable of this invocation alone, chosen by members and constant indices only: such an
 * index was checked. */
static bool is_safe_pointer(const tsr_wgsl *w, tsr_id id)
{
    for (;;) {
        const tsr_inst *inst = tsr_inst_at(w->ir, id);
        unsigned space = tsr_type_get(w->types, inst->type)->space;
        if (space != TSR_SPACE_function && space != TSR_SPACE_private) return false;
        if (inst->op == TSR_OP_var || inst->op == TSR_OP_global) return true;
        bool is_index = inst->op == TSR_OP_index;
        if (is_index && tsr_inst_at(w->ir, tsr_arg(w->ir, inst, 1))->op != TSR_OP_const) return false;
        if (!is_index && inst->op != TSR_OP_field) return false;
        id = tsr_arg(w->ir, inst, 0);
    }
}

/* Whether an instruction may run although the program would skip it: it has no effect, needs no company and cannot go
 * out of bounds. */
static bool can_hoist(const tsr_wgsl *w, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(w->ir, id);
    unsigned flags = tsr_op_table[inst->op].flags;
    if (flags & (TSR_OPF_SG | TSR_OPF_SG_UNI | TSR_OPF_QUAD | TSR_OPF_BLOCKS)) return false;
    if (inst->op == TSR_OP_load) return is_safe_pointer(w, tsr_arg(w->ir, inst, 0));
    return (flags & TSR_OPF_PURE) != 0;
}

/* Moves the instructions of `from` to the block that is open now, when they are few and harmless. */
static bool hoist(tsr_wgsl *w, tsr_block from, bool always)
{
    tsr_block_info *info = tsr_block_at(w->ir, from);
    for (uint32_t i = 0; i < info->count && !always; i++) {
        if (info->count > HOIST_MAX || !can_hoist(w, info->insts[i])) return false;
    }
    for (uint32_t i = 0; i < info->count; i++)
        tsr_block_append(w->ir, w->b.block, info->insts[i]);
    info->count = 0;
    return true;
}

/* `var r = a; if (r) { r = b; } r`, with the condition negated for `||`. `b_block` holds the code of b. */
static tsr_operand build_branch(tsr_wgsl *w, tsr_ast_op op, tsr_operand a, tsr_operand b, tsr_block b_block,
                                tsr_span span)
{
    tsr_builder inner = w->b;
    tsr_id a_id = tsr_wgsl_id(w, &a);
    tsr_id b_id = tsr_wgsl_id(w, &b);
    if (a_id == 0 || b_id == 0) return tsr_operand_error();
    w->b.span = span;
    inner.span = span;
    inner.block = b_block;
    tsr_type ptr = tsr_type_ptr(w->types, TSR_SPACE_function, TSR_T_bool, TSR_ACCESS_read_write);
    tsr_id var = tsr_build1(&w->b, TSR_OP_var, ptr, 0, a_id);
    tsr_build2(&inner, TSR_OP_store, 0, 0, var, b_id);
    tsr_id cond = op == TSR_AST_land ? a_id : tsr_build1(&w->b, TSR_OP_not, 0, 0, a_id);
    tsr_build_if(&w->b, cond, b_block, 0);
    return tsr_operand_value(w, tsr_build1(&w->b, TSR_OP_load, TSR_T_bool, 0, var), TSR_WHEN_run, span);
}

static tsr_operand join_short_circuit(tsr_wgsl *w, tsr_ast_op op, tsr_operand a, tsr_operand b, tsr_block b_block,
                                      bool skipped, tsr_span span)
{
    if (a.kind == TSR_O_error || b.kind == TSR_O_error) return tsr_operand_error();
    if (a.type != TSR_T_bool || b.type != TSR_T_bool) return refuse_binary(w, op, &a, &b, span);
    if (a.kind == TSR_O_const && b.kind == TSR_O_const) {
        tsr_operand r = skipped ? a : b;
        r.span = span;
        return r;
    }
    if (b_block == 0 || (is_early(&a, &b) && !skipped && a.kind != TSR_O_const)) return logical_both(w, op, a, b, span);
    if (a.kind == TSR_O_const && !skipped) {
        hoist(w, b_block, true);
        b.span = span;
        return b;
    }
    if (a.kind != TSR_O_const && hoist(w, b_block, false)) return logical_both(w, op, a, b, span);
    return build_branch(w, op, a, b, b_block, span);
}

/* a is evaluated already, b is the tree of the right side. When a constant left side decides, the right side is checked
 * but not evaluated: `false && 1 / 0 == 0` is false. */
static tsr_operand short_circuit(tsr_wgsl *w, tsr_ast_op op, tsr_operand a, tsr_node b_node, tsr_span span)
{
    bool skipped = a.kind == TSR_O_const && a.type == TSR_T_bool && (tsr_cval_bits(a.cval) != 0) == (op == TSR_AST_lor);
    tsr_block outside = w->b.block;
    tsr_block b_block = tsr_expr_at_module(w) ? 0 : tsr_block_new(w->ir);
    if (b_block != 0) w->b.block = b_block;
    if (skipped) w->unevaluated++;
    tsr_operand b = tsr_wgsl_value(w, b_node);
    if (skipped) w->unevaluated--;
    w->b.block = outside;
    return join_short_circuit(w, op, a, b, b_block, skipped, span);
}

/* A chain such as a + b + c is walked from its left end without recursion. */
tsr_operand tsr_expr_binary(tsr_wgsl *w, tsr_node n)
{
    tsr_node few[16];
    tsr_node *chain = few;
    uint32_t count = 0;
    tsr_node leaf = n;
    for (; tsr_ast_at(w->ast, leaf)->kind == TSR_N_binary; leaf = tsr_ast_at(w->ast, leaf)->a)
        count++;
    if (count > TSR_COUNT_OF(few)) chain = TSR_NEW_ARRAY(w->arena, tsr_node, count);
    leaf = n;
    for (uint32_t i = 0; i < count; i++) {
        chain[i] = leaf;
        leaf = tsr_ast_at(w->ast, leaf)->a;
    }
    tsr_operand o = tsr_wgsl_value(w, leaf);
    for (uint32_t i = count; i-- > 0;) {
        const tsr_ast_node *node = tsr_ast_at(w->ast, chain[i]);
        tsr_ast_op op = (tsr_ast_op)node->op;
        tsr_span span = tsr_ast_span(w->ast, chain[i]);
        if (op == TSR_AST_land || op == TSR_AST_lor) {
            o = short_circuit(w, op, o, node->b, span);
        } else {
            tsr_operand right = tsr_wgsl_value(w, node->b);
            o = tsr_wgsl_binary(w, op, o, right, span);
        }
    }
    return o;
}

/* ---- One operand. */

/* WGSL, "Address-Of Expression". */
static tsr_operand address_of(tsr_wgsl *w, tsr_operand o, tsr_span span)
{
    if (o.kind == TSR_O_error) return o;
    if (o.kind != TSR_O_ref) {
        tsr_error(w->diags, span, TSR_E_EXPR_POINTER,
                  "`&` takes a variable or a part of one; this is a value without an address");
        return tsr_operand_error();
    }
    if (o.component_of_vector) {
        tsr_error(w->diags, span, TSR_E_EXPR_POINTER,
                  "a component of a vector has no address; take that of the whole vector");
        return tsr_operand_error();
    }
    if (o.space == TSR_SPACE_handle) {
        tsr_error(w->diags, span, TSR_E_EXPR_POINTER, "textures and samplers have no address; pass them themselves");
        return tsr_operand_error();
    }
    tsr_operand p = {.kind = TSR_O_value, .when = TSR_WHEN_run, .id = o.id, .span = span};
    p.type = tsr_type_ptr(w->types, (tsr_space)o.space, o.type, (tsr_access)o.access);
    return p;
}

/* WGSL, "Indirection Expression". */
static tsr_operand indirection(tsr_wgsl *w, tsr_operand o, tsr_span span)
{
    if (o.kind == TSR_O_error) return o;
    const tsr_type_info *info = tsr_type_get(w->types, o.type);
    if (o.kind == TSR_O_void || info->kind != TSR_T_ptr) {
        tsr_error(w->diags, span, TSR_E_EXPR_POINTER, "`*` takes a pointer, not `%s`", tsr_expr_type_name(w, o.type));
        return tsr_operand_error();
    }
    return (tsr_operand){.kind = TSR_O_ref,
                         .when = TSR_WHEN_run,
                         .space = info->space,
                         .access = info->access,
                         .type = info->elem,
                         .id = o.id,
                         .span = span};
}

static tsr_operand value_operator(tsr_wgsl *w, tsr_ast_op op, tsr_operand a, tsr_span span)
{
    if (a.kind == TSR_O_error) return a;
    tsr_type s = is_flat(w, &a) ? scalar_of(w, &a) : 0;
    bool is_number = s != 0 && s != TSR_T_bool;
    if (op == TSR_AST_neg && is_number && s != TSR_T_u32) return tsr_expr_apply1(w, TSR_OP_neg, a.type, 0, a, span);
    if (op == TSR_AST_not && s == TSR_T_bool) return tsr_expr_apply1(w, TSR_OP_not, a.type, 0, a, span);
    if (op == TSR_AST_compl && is_integer_scalar(s)) return tsr_expr_apply1(w, TSR_OP_bitnot, a.type, 0, a, span);
    return refuse_unary(w, op, &a, span);
}

tsr_operand tsr_expr_unary(tsr_wgsl *w, tsr_node n)
{
    const tsr_ast_node *node = tsr_ast_at(w->ast, n);
    tsr_span span = tsr_ast_span(w->ast, n);
    switch (node->op) {
    case TSR_AST_addr: return address_of(w, tsr_wgsl_expr(w, node->a), span);
    case TSR_AST_deref: return indirection(w, tsr_wgsl_value(w, node->a), span);
    default: return value_operator(w, (tsr_ast_op)node->op, tsr_wgsl_value(w, node->a), span);
    }
}
