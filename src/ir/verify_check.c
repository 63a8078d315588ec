/* What an op asks beyond classes of operands: parts of composites, conversions, linear algebra, calls, returns. */
#include "ir/verifier.h"

static tsr_type arg_type(const tsr_ir_verifier *v, const tsr_inst *inst, uint32_t i)
{
    return tsr_ir_verify_arg_type(v, inst, i);
}

static const tsr_type_info *info_of(const tsr_ir_verifier *v, tsr_type type)
{
    return tsr_type_get(v->types, type);
}

static bool require_result(tsr_ir_verifier *v, const tsr_inst *inst, bool ok, const char *what)
{
    return ok || tsr_ir_verify_fail(v, inst, TSR_E_IR_RESULT, "the result must be %s", what);
}

static bool require_operand(tsr_ir_verifier *v, const tsr_inst *inst, bool ok, const char *what)
{
    return ok || tsr_ir_verify_fail(v, inst, TSR_E_IR_OPERAND, "%s", what);
}

/* ---- Constants. */

bool tsr_ir_check_const(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst)
{
    uint64_t bits;
    (void)id;
    if (!require_result(v, inst, inst->type >= TSR_T_bool && inst->type <= TSR_T_f16, "a scalar")) return false;
    if (inst->aux == 0 || inst->aux >= v->ir->constants.count)
        return tsr_ir_verify_fail(v, inst, TSR_E_IR_AUX, "the module has no constant of this number");
    bits = tsr_constant_bits(v->ir, inst);
    if ((inst->type == TSR_T_bool && bits > 1) || (inst->type == TSR_T_f16 && bits > UINT16_MAX) || bits > UINT32_MAX)
        return tsr_ir_verify_fail(v, inst, TSR_E_IR_AUX, "the constant has bits that its type does not have");
    return true;
}

bool tsr_ir_check_zero(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst)
{
    (void)id;
    return require_result(v, inst, tsr_type_is_constructible(v->types, inst->type), "of a constructible type");
}

/* ---- Composites. Parts of a mat are its columns. */

static bool is_column(const tsr_ir_verifier *v, const tsr_type_info *mat, tsr_type type)
{
    const tsr_type_info *i = info_of(v, type);
    return i->kind == TSR_T_vec && i->elem == mat->elem && i->count == mat->rows;
}

/* How many parts a composite has; 0 when it is none or the number is not known. */
static uint32_t part_count(const tsr_type_info *i)
{
    switch ((tsr_type_kind)i->kind) {
    case TSR_T_vec:
    case TSR_T_mat: return i->count;
    case TSR_T_array: return i->size.over == 0 ? i->size.value : 0;
    case TSR_T_struct: return i->member_count;
    default: return 0;
    }
}

static bool is_part(const tsr_ir_verifier *v, const tsr_type_info *whole, uint32_t n, tsr_type type)
{
    if (whole->kind == TSR_T_mat) return is_column(v, whole, type);
    if (whole->kind == TSR_T_struct) return whole->members[n].type == type;
    return whole->elem == type;
}

bool tsr_ir_check_compose(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst)
{
    const tsr_type_info *whole = info_of(v, inst->type);
    (void)id;
    if (!require_result(v, inst, part_count(whole) > 0, "a vector, matrix, array of fixed size or struct"))
        return false;
    if (!require_result(v, inst, tsr_type_is_constructible(v->types, inst->type), "of a constructible type"))
        return false;
    if (inst->nargs != part_count(whole))
        return tsr_ir_verify_fail(v, inst, TSR_E_IR_OPERAND, "the result has %u parts, there are %u operands",
                                  (unsigned)part_count(whole), (unsigned)inst->nargs);
    for (uint32_t i = 0; i < inst->nargs; i++)
        if (!is_part(v, whole, i, arg_type(v, inst, i)))
            return tsr_ir_verify_fail(v, inst, TSR_E_IR_OPERAND, "operand %u is not of the type of its part",
                                      (unsigned)i + 1);
    return true;
}

bool tsr_ir_check_splat(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst)
{
    const tsr_type_info *vec = info_of(v, inst->type);
    (void)id;
    if (!require_result(v, inst, vec->kind == TSR_T_vec, "a vector")) return false;
    return require_operand(v, inst, arg_type(v, inst, 0) == vec->elem, "the operand must be the vector's scalar");
}

/* The composite that operand 0 is, when it has a part of number aux. */
static const tsr_type_info *find_whole(tsr_ir_verifier *v, const tsr_inst *inst)
{
    const tsr_type_info *whole = info_of(v, arg_type(v, inst, 0));
    if (part_count(whole) == 0) {
        require_operand(v, inst, false, "the first operand must be a vector, matrix, array of fixed size or struct");
        return NULL;
    }
    if (inst->aux < part_count(whole)) return whole;
    tsr_ir_verify_fail(v, inst, TSR_E_IR_AUX, "part %u does not exist, there are %u", (unsigned)inst->aux,
                       (unsigned)part_count(whole));
    return NULL;
}

bool tsr_ir_check_extract(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst)
{
    const tsr_type_info *whole = find_whole(v, inst);
    (void)id;
    return whole != NULL && require_result(v, inst, is_part(v, whole, inst->aux, inst->type), "of the part's type");
}

bool tsr_ir_check_element(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst)
{
    const tsr_type_info *whole = info_of(v, arg_type(v, inst, 0));
    (void)id;
    if (!require_operand(v, inst, part_count(whole) > 0 && whole->kind != TSR_T_struct,
                         "the first operand must be a vector, matrix or array of fixed size"))
        return false;
    return require_result(v, inst, is_part(v, whole, 0, inst->type), "of the element's type");
}

bool tsr_ir_check_insert(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst)
{
    const tsr_type_info *whole = find_whole(v, inst);
    (void)id;
    return whole != NULL && require_operand(v, inst, is_part(v, whole, inst->aux, arg_type(v, inst, 1)),
                                            "the second operand must be of the part's type");
}

bool tsr_ir_check_swizzle(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst)
{
    const tsr_type_info *from = info_of(v, arg_type(v, inst, 0)), *to = info_of(v, inst->type);
    uint32_t left = inst->aux;
    (void)id;
    if (!require_operand(v, inst, from->kind == TSR_T_vec, "the operand must be a vector")) return false;
    if (!require_result(v, inst, to->kind == TSR_T_vec && to->elem == from->elem, "a vector of the same scalar"))
        return false;
    for (unsigned i = 0; i < to->count; i++, left >>= 4)
        if ((left & 15u) >= from->count)
            return tsr_ir_verify_fail(v, inst, TSR_E_IR_AUX,
                                      "the swizzle names a component that the vector does not have");
    return left == 0 ||
           tsr_ir_verify_fail(v, inst, TSR_E_IR_AUX, "the swizzle names more components than the result has");
}

/* ---- Conversions. */

bool tsr_ir_check_convert(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst)
{
    const bool same = tsr_type_width(v->types, arg_type(v, inst, 0)) == tsr_type_width(v->types, inst->type);
    (void)id;
    return require_result(v, inst, same, "as wide as the operand");
}

bool tsr_ir_check_bitcast(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst)
{
    const tsr_type from = arg_type(v, inst, 0);
    const uint64_t from_bytes =
        info_of(v, tsr_type_scalar(v->types, from))->size_bytes * tsr_type_width(v->types, from);
    const uint64_t to_bytes =
        info_of(v, tsr_type_scalar(v->types, inst->type))->size_bytes * tsr_type_width(v->types, inst->type);
    (void)id;
    return require_result(v, inst, from_bytes == to_bytes, "of the operand's size");
}

/* ---- Linear algebra. A matCxR has C columns of R rows. */

bool tsr_ir_check_mat_mul(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst)
{
    const tsr_type_info *a = info_of(v, arg_type(v, inst, 0)), *b = info_of(v, arg_type(v, inst, 1)),
                        *r = info_of(v, inst->type);
    const bool a_mat = a->kind == TSR_T_mat, b_mat = b->kind == TSR_T_mat;
    bool fits = a->elem == b->elem;
    (void)id;
    if (!require_operand(v, inst,
                         (a_mat && b_mat) || (a_mat && b->kind == TSR_T_vec) || (a->kind == TSR_T_vec && b_mat),
                         "the operands must be two matrices, or a matrix and a vector"))
        return false;
    fits &= a->count == (b_mat ? b->rows : b->count);
    if (!require_operand(v, inst, fits, "the columns of the first operand must be as many as the rows of the second"))
        return false;
    if (r->elem != a->elem || r->kind != (a_mat && b_mat ? TSR_T_mat : TSR_T_vec))
        return require_result(v, inst, false, "a matrix for two matrices, else a vector, of the same scalar");
    if (a_mat && b_mat)
        fits = r->count == b->count && r->rows == a->rows;
    else
        fits = r->count == (a_mat ? a->rows : b->count);
    return require_result(v, inst, fits, "of the product's size");
}

bool tsr_ir_check_transpose(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst)
{
    const tsr_type_info *a = info_of(v, arg_type(v, inst, 0)), *r = info_of(v, inst->type);
    (void)id;
    return require_result(v, inst, r->elem == a->elem && r->count == a->rows && r->rows == a->count,
                          "the operand's transposed");
}

bool tsr_ir_check_determinant(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst)
{
    const tsr_type_info *a = info_of(v, arg_type(v, inst, 0));
    (void)id;
    if (!require_operand(v, inst, a->count == a->rows, "the operand must be a square matrix")) return false;
    return require_result(v, inst, inst->type == a->elem, "the matrix's scalar");
}

/* ---- Structs as results. */

static bool is_pair(const tsr_ir_verifier *v, tsr_type type)
{
    const tsr_type_info *i = info_of(v, type);
    return i->kind == TSR_T_struct && i->member_count == 2;
}

bool tsr_ir_check_frexp(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst)
{
    const tsr_type fract = arg_type(v, inst, 0);
    tsr_type exp;
    (void)id;
    if (!require_result(v, inst, is_pair(v, inst->type), "a struct of fract and exp")) return false;
    exp = info_of(v, inst->type)->members[1].type;
    return require_result(v, inst,
                          info_of(v, inst->type)->members[0].type == fract &&
                              tsr_type_scalar(v->types, exp) == TSR_T_i32 &&
                              tsr_type_width(v->types, exp) == tsr_type_width(v->types, fract) &&
                              (exp == TSR_T_i32 || info_of(v, exp)->kind == TSR_T_vec),
                          "a struct of the operand's type and i32 of the same width");
}

bool tsr_ir_check_modf(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst)
{
    const tsr_type type = arg_type(v, inst, 0);
    (void)id;
    return require_result(v, inst,
                          is_pair(v, inst->type) && info_of(v, inst->type)->members[0].type == type &&
                              info_of(v, inst->type)->members[1].type == type,
                          "a struct of two members of the operand's type");
}

/* WGSL: the id of subgroupBroadcast and quadBroadcast is a const-expression. */
bool tsr_ir_check_const_lane(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst)
{
    (void)id;
    return require_operand(v, inst, tsr_inst_at(v->ir, tsr_arg(v->ir, inst, 1))->op == TSR_OP_const,
                           "the second operand must be a constant");
}

/* ---- Control. */

bool tsr_ir_check_call(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst)
{
    const tsr_function *f;
    if (inst->aux == 0 || inst->aux >= v->ir->functions.count)
        return tsr_ir_verify_fail(v, inst, TSR_E_IR_CALL, "the module has no function of this number");
    f = tsr_function_at(v->ir, inst->aux);
    if (f->is_entry) return tsr_ir_verify_fail(v, inst, TSR_E_IR_CALL, "an entry point cannot be called");
    if (f->param_count != inst->nargs)
        return tsr_ir_verify_fail(v, inst, TSR_E_IR_CALL, "the function has %u parameters, there are %u operands",
                                  (unsigned)f->param_count, (unsigned)inst->nargs);
    for (uint32_t i = 0; i < inst->nargs; i++)
        if (arg_type(v, inst, i) != f->params[i].type)
            return tsr_ir_verify_fail(v, inst, TSR_E_IR_CALL, "operand %u is not of the type of its parameter",
                                      (unsigned)i + 1);
    if (inst->type != f->result)
        return tsr_ir_verify_fail(v, inst, TSR_E_IR_CALL, "the result must be of the function's result type");
    tsr_ir_verify_add_call(v, inst->aux, id);
    return true;
}

/* Which operands a texture function takes is the front end's to check; a module with one is never run or emitted. */
bool tsr_ir_check_builtin_call(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst)
{
    (void)id;
    return (inst->aux != 0 && inst->aux < v->ir->symbols->names.count) ||
           tsr_ir_verify_fail(v, inst, TSR_E_IR_AUX, "the built-in function has no name");
}

bool tsr_ir_check_return(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst)
{
    const tsr_type result = tsr_function_at(v->ir, v->function)->result;
    (void)id;
    if (result == 0) return require_operand(v, inst, inst->nargs == 0, "the function returns nothing");
    return require_operand(v, inst, inst->nargs == 1 && arg_type(v, inst, 0) == result,
                           "the function's result type must be returned");
}

static bool check_selector(tsr_ir_verifier *v, const tsr_inst *inst, tsr_id selector, tsr_map *values)
{
    const tsr_inst *c;
    uint32_t old;
    if (selector == 0 || selector >= v->ir->insts.count)
        return tsr_ir_verify_fail(v, inst, TSR_E_IR_OPERAND, "a selector does not exist");
    c = tsr_inst_at(v->ir, selector);
    if (c->op != TSR_OP_const || c->type != arg_type(v, inst, 0) || (v->seen[selector] & TSR_IR_SEEN_MODULE) == 0)
        return tsr_ir_verify_fail(v, inst, TSR_E_IR_OPERAND, "a selector must be a constant of the operand's type");
    if (tsr_map_find(values, tsr_constant_bits(v->ir, c) ^ v->ir->symbols->seed, &old))
        return tsr_ir_verify_fail(v, inst, TSR_E_IR_OPERAND, "two cases have the same selector");
    tsr_map_set(values, tsr_constant_bits(v->ir, c) ^ v->ir->symbols->seed, 1);
    return true;
}

bool tsr_ir_check_switch(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst)
{
    const tsr_switch *s;
    tsr_map values;
    uint32_t defaults = 0;
    (void)id;
    if (inst->aux == 0 || inst->aux >= v->ir->switches.count)
        return tsr_ir_verify_fail(v, inst, TSR_E_IR_AUX, "the module has no switch of this number");
    s = tsr_switch_at(v->ir, inst->aux);
    tsr_map_init(&values, v->arena);
    for (uint32_t i = 0; i < s->case_count; i++) {
        defaults += s->cases[i].is_default;
        if (!s->cases[i].is_default && s->cases[i].selector_count == 0)
            return tsr_ir_verify_fail(v, inst, TSR_E_IR_BLOCK, "a case has no selector");
        for (uint32_t k = 0; k < s->cases[i].selector_count; k++)
            if (!check_selector(v, inst, s->cases[i].selectors[k], &values)) return false;
    }
    return defaults == 1 || tsr_ir_verify_fail(v, inst, TSR_E_IR_BLOCK, "a switch has exactly one default");
}
