/* Memory and subgroup matrices: which address spaces and access modes an op works on, and how sizes must fit. */
#include "ir/verifier.h"

static tsr_type arg_type(const tsr_ir_verifier *v, const tsr_inst *inst, uint32_t i)
{
    return tsr_ir_verify_arg_type(v, inst, i);
}

static const tsr_type_info *info_of(const tsr_ir_verifier *v, tsr_type type)
{
    return tsr_type_get(v->types, type);
}

static bool require(tsr_ir_verifier *v, const tsr_inst *inst, bool ok, tsr_diag_code code, const char *what)
{
    return ok || tsr_ir_verify_fail(v, inst, code, "%s", what);
}

/* Operand 0 as a pointer; NULL after reporting. */
static const tsr_type_info *find_ptr(tsr_ir_verifier *v, const tsr_inst *inst)
{
    const tsr_type_info *p = info_of(v, arg_type(v, inst, 0));
    if (p->kind == TSR_T_ptr) return p;
    tsr_ir_verify_fail(v, inst, TSR_E_IR_OPERAND, "the first operand must be a pointer");
    return NULL;
}

static bool is_readable(const tsr_type_info *ptr)
{
    return ptr->access == TSR_ACCESS_read || ptr->access == TSR_ACCESS_read_write;
}

static bool is_writable(const tsr_type_info *ptr)
{
    return ptr->access == TSR_ACCESS_write || ptr->access == TSR_ACCESS_read_write;
}

/* ---- What makes memory. */

bool tsr_ir_check_override(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst)
{
    const tsr_override *o;
    if (inst->aux == 0 || inst->aux >= v->ir->overrides.count || tsr_override_at(v->ir, inst->aux)->inst != id)
        return tsr_ir_verify_fail(v, inst, TSR_E_IR_AUX, "the module has no override of this number");
    o = tsr_override_at(v->ir, inst->aux);
    if (!require(v, inst, inst->type >= TSR_T_bool && inst->type <= TSR_T_f16, TSR_E_IR_RESULT,
                 "an override is a bool or a number"))
        return false;
    if (o->initial == 0) return true;
    if (o->initial >= v->ir->insts.count || (v->seen[o->initial] & TSR_IR_SEEN_MODULE) == 0)
        return tsr_ir_verify_fail(v, inst, TSR_E_IR_SCOPE,
                                  "the default must be a module-scope value that stands above");
    return require(v, inst, tsr_inst_at(v->ir, o->initial)->type == inst->type, TSR_E_IR_OPERAND,
                   "the default must be of the override's type");
}

/* WGSL, "Address Spaces" and "Variables": what each address space can hold. */
static const char *fault_of_global(const tsr_types *t, const tsr_type_info *p)
{
    const bool matrix = tsr_type_contains(t, p->elem, TSR_T_smat);
    if (matrix && p->space != TSR_SPACE_private) return "subgroup matrices live in function and private memory only";
    if (tsr_type_kind_of(t, p->elem) == TSR_T_array && tsr_type_get(t, p->elem)->size.over != 0 &&
        p->space != TSR_SPACE_workgroup)
        return "only arrays in workgroup memory can have an override as their size";
    switch ((tsr_space)p->space) {
    case TSR_SPACE_private:
        if (!tsr_type_is_constructible(t, p->elem)) return "private memory holds constructible types";
        return p->access == TSR_ACCESS_read_write ? NULL : "private memory is read_write";
    case TSR_SPACE_workgroup:
        if (!tsr_type_has_fixed_footprint(t, p->elem)) return "workgroup memory holds types of fixed size";
        return p->access == TSR_ACCESS_read_write ? NULL : "workgroup memory is read_write";
    case TSR_SPACE_uniform:
    case TSR_SPACE_immediate:
        if (!tsr_type_is_host_shareable(t, p->elem) ||
            (!tsr_type_is_constructible(t, p->elem) && tsr_type_kind_of(t, p->elem) != TSR_T_opaque))
            return "uniform and immediate memory holds types that are host-shareable and constructible";
        return p->access == TSR_ACCESS_read ? NULL : "uniform and immediate memory is read";
    case TSR_SPACE_storage:
        if (!tsr_type_is_host_shareable(t, p->elem)) return "storage memory holds host-shareable types";
        return p->access != TSR_ACCESS_write ? NULL : "storage memory is read or read_write";
    case TSR_SPACE_handle: return tsr_type_kind_of(t, p->elem) == TSR_T_opaque ? NULL : "handles are opaque";
    default: return "a module-scope variable is not in function memory";
    }
}

static bool check_initial(tsr_ir_verifier *v, const tsr_inst *inst, const tsr_type_info *p)
{
    if (inst->nargs == 0) return true;
    if (inst->nargs > 1)
        return tsr_ir_verify_fail(v, inst, TSR_E_IR_OPERAND, "a variable has at most one initial value");
    return require(v, inst, arg_type(v, inst, 0) == p->elem, TSR_E_IR_OPERAND,
                   "the initial value must be of the variable's type");
}

bool tsr_ir_check_global(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst)
{
    const tsr_type_info *p = info_of(v, inst->type);
    const tsr_global *g;
    const char *fault;
    bool resource;
    if (inst->aux == 0 || inst->aux >= v->ir->globals.count || tsr_global_at(v->ir, inst->aux)->inst != id)
        return tsr_ir_verify_fail(v, inst, TSR_E_IR_AUX, "the module has no variable of this number");
    if (!require(v, inst, p->kind == TSR_T_ptr, TSR_E_IR_RESULT, "the result must be a pointer")) return false;
    fault = fault_of_global(v->types, p);
    if (fault != NULL) return tsr_ir_verify_fail(v, inst, TSR_E_IR_MEMORY, "%s", fault);
    g = tsr_global_at(v->ir, inst->aux);
    resource = p->space == TSR_SPACE_uniform || p->space == TSR_SPACE_storage || p->space == TSR_SPACE_handle;
    if (!require(v, inst, g->has_binding == resource, TSR_E_IR_MEMORY,
                 "variables in uniform, storage and handle memory, and only they, have a group and a binding"))
        return false;
    if (!require(v, inst, inst->nargs == 0 || p->space == TSR_SPACE_private, TSR_E_IR_MEMORY,
                 "only private variables of the module have initial values"))
        return false;
    return check_initial(v, inst, p);
}

bool tsr_ir_check_var(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst)
{
    const tsr_type_info *p = info_of(v, inst->type);
    (void)id;
    if (!require(v, inst, p->kind == TSR_T_ptr && p->space == TSR_SPACE_function && p->access == TSR_ACCESS_read_write,
                 TSR_E_IR_RESULT, "the result must be a pointer to function memory, read_write"))
        return false;
    if (!require(v, inst, tsr_type_is_constructible(v->types, p->elem), TSR_E_IR_MEMORY,
                 "function memory holds constructible types"))
        return false;
    return check_initial(v, inst, p);
}

/* ---- Pointers to parts. */

static bool is_ptr_like(const tsr_ir_verifier *v, tsr_type type, const tsr_type_info *base)
{
    const tsr_type_info *r = info_of(v, type);
    return r->kind == TSR_T_ptr && r->space == base->space && r->access == base->access;
}

bool tsr_ir_check_field(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst)
{
    const tsr_type_info *p = find_ptr(v, inst), *s;
    (void)id;
    if (p == NULL) return false;
    s = info_of(v, p->elem);
    if (!require(v, inst, s->kind == TSR_T_struct, TSR_E_IR_OPERAND, "the operand must point to a struct"))
        return false;
    if (inst->aux >= s->member_count)
        return tsr_ir_verify_fail(v, inst, TSR_E_IR_AUX, "member %u does not exist, there are %u", (unsigned)inst->aux,
                                  (unsigned)s->member_count);
    return require(v, inst, is_ptr_like(v, inst->type, p) && info_of(v, inst->type)->elem == s->members[inst->aux].type,
                   TSR_E_IR_RESULT, "the result must be a pointer to the member, with the operand's space and access");
}

static bool is_element(const tsr_ir_verifier *v, const tsr_type_info *whole, tsr_type type)
{
    const tsr_type_info *e = info_of(v, type);
    if (whole->kind == TSR_T_mat) return e->kind == TSR_T_vec && e->elem == whole->elem && e->count == whole->rows;
    return whole->elem == type;
}

bool tsr_ir_check_index(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst)
{
    const tsr_type_info *p = find_ptr(v, inst), *whole;
    (void)id;
    if (p == NULL) return false;
    whole = info_of(v, p->elem);
    if (!require(v, inst, whole->kind == TSR_T_array || whole->kind == TSR_T_mat || whole->kind == TSR_T_vec,
                 TSR_E_IR_OPERAND, "the first operand must point to an array, matrix or vector"))
        return false;
    return require(v, inst, is_ptr_like(v, inst->type, p) && is_element(v, whole, info_of(v, inst->type)->elem),
                   TSR_E_IR_RESULT, "the result must be a pointer to the element, with the operand's space and access");
}

/* ---- Access. */

bool tsr_ir_check_load(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst)
{
    const tsr_type_info *p = find_ptr(v, inst);
    (void)id;
    if (p == NULL) return false;
    if (!require(v, inst, is_readable(p), TSR_E_IR_MEMORY, "this memory cannot be read")) return false;
    if (!require(v, inst,
                 tsr_type_is_constructible(v->types, p->elem) || tsr_type_kind_of(v->types, p->elem) == TSR_T_opaque,
                 TSR_E_IR_MEMORY, "only constructible types can be loaded"))
        return false;
    return require(v, inst, inst->type == p->elem, TSR_E_IR_RESULT, "the result must be of the type pointed to");
}

bool tsr_ir_check_store(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst)
{
    const tsr_type_info *p = find_ptr(v, inst);
    (void)id;
    if (p == NULL) return false;
    if (!require(v, inst, is_writable(p), TSR_E_IR_MEMORY, "this memory cannot be written")) return false;
    if (!require(v, inst, tsr_type_is_constructible(v->types, p->elem), TSR_E_IR_MEMORY,
                 "only constructible types can be stored"))
        return false;
    return require(v, inst, arg_type(v, inst, 1) == p->elem, TSR_E_IR_OPERAND,
                   "the second operand must be of the type pointed to");
}

bool tsr_ir_check_array_length(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst)
{
    const tsr_type_info *p = find_ptr(v, inst), *a;
    (void)id;
    if (p == NULL) return false;
    a = info_of(v, p->elem);
    return require(v, inst,
                   p->space == TSR_SPACE_storage && a->kind == TSR_T_array && a->size.value == 0 && a->size.over == 0,
                   TSR_E_IR_OPERAND, "the operand must point to a run-time sized array in storage memory");
}

/* The struct { old_value, exchanged } that atomic_cas gives. */
static bool is_cas_result(const tsr_ir_verifier *v, tsr_type type, tsr_type value)
{
    const tsr_type_info *r = info_of(v, type);
    return r->kind == TSR_T_struct && r->member_count == 2 && r->members[0].type == value &&
           r->members[1].type == TSR_T_bool;
}

bool tsr_ir_check_atomic(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst)
{
    const tsr_type_info *p = find_ptr(v, inst), *atomic;
    (void)id;
    if (p == NULL) return false;
    atomic = info_of(v, p->elem);
    if (!require(v, inst, atomic->kind == TSR_T_atomic, TSR_E_IR_OPERAND, "the first operand must point to an atomic"))
        return false;
    if (!require(v, inst,
                 (p->space == TSR_SPACE_storage || p->space == TSR_SPACE_workgroup) &&
                     p->access == TSR_ACCESS_read_write,
                 TSR_E_IR_MEMORY, "atomics work on storage and workgroup memory that is read_write"))
        return false;
    for (uint32_t i = 1; i < inst->nargs; i++)
        if (!require(v, inst, arg_type(v, inst, i) == atomic->elem, TSR_E_IR_OPERAND,
                     "the value must be of the atomic's type"))
            return false;
    if (inst->op == TSR_OP_atomic_load)
        return require(v, inst, inst->type == atomic->elem, TSR_E_IR_RESULT, "the result must be of the atomic's type");
    return inst->op != TSR_OP_atomic_cas ||
           require(v, inst, is_cas_result(v, inst->type, atomic->elem), TSR_E_IR_RESULT,
                   "the result must be a struct of the old value and a bool");
}

bool tsr_ir_check_load_uniform(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst)
{
    const tsr_type_info *p = find_ptr(v, inst), *held;
    (void)id;
    if (p == NULL) return false;
    held = info_of(v, p->elem);
    if (!require(v, inst, p->space == TSR_SPACE_workgroup, TSR_E_IR_MEMORY, "this op reads workgroup memory"))
        return false;
    if (held->kind == TSR_T_atomic)
        return require(v, inst, inst->type == held->elem, TSR_E_IR_RESULT, "the result must be of the atomic's type");
    return require(v, inst, tsr_type_is_constructible(v->types, p->elem) && inst->type == p->elem, TSR_E_IR_RESULT,
                   "the result must be of the type pointed to, which must be constructible");
}

/* ---- Subgroup matrices. */

static bool is_matrix(tsr_ir_verifier *v, const tsr_inst *inst, const tsr_type_info *m, const char *what)
{
    return m->kind == TSR_T_smat || tsr_ir_verify_fail(v, inst, TSR_E_IR_MATRIX, "%s must be a subgroup matrix", what);
}

bool tsr_ir_check_mfill(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst)
{
    const tsr_type_info *m = info_of(v, inst->type);
    (void)id;
    if (!is_matrix(v, inst, m, "the result")) return false;
    return require(v, inst, arg_type(v, inst, 0) == tsr_component_scalar((tsr_component)m->component), TSR_E_IR_MATRIX,
                   "the operand must be the scalar that goes with the components");
}

/* The array behind operand 0 and the matrix type must go together: whole components in whole elements. */
static bool check_tile(tsr_ir_verifier *v, const tsr_inst *inst, const tsr_type_info *m, bool writes)
{
    const tsr_type_info *p = find_ptr(v, inst), *a;
    uint64_t component_bytes;
    if (p == NULL) return false;
    a = info_of(v, p->elem);
    component_bytes = tsr_component_bits((tsr_component)m->component) / 8;
    if (!require(v, inst, a->kind == TSR_T_array && tsr_type_is_numeric(v->types, a->elem), TSR_E_IR_MATRIX,
                 "the first operand must point to an array of numbers or vectors of numbers"))
        return false;
    if (!require(v, inst, p->space == TSR_SPACE_workgroup || p->space == TSR_SPACE_storage, TSR_E_IR_MEMORY,
                 "matrices are loaded from and stored to workgroup and storage memory"))
        return false;
    if (!require(v, inst, writes ? is_writable(p) : is_readable(p), TSR_E_IR_MEMORY,
                 writes ? "this memory cannot be written" : "this memory cannot be read"))
        return false;
    if (!require(v, inst, inst->aux <= 1, TSR_E_IR_AUX, "a matrix is row-major (0) or column-major (1)")) return false;
    return require(v, inst, a->stride % component_bytes == 0 && info_of(v, a->elem)->size_bytes % component_bytes == 0,
                   TSR_E_IR_MATRIX, "an element of the array must hold a whole number of components");
}

bool tsr_ir_check_mload(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst)
{
    const tsr_type_info *m = info_of(v, inst->type);
    (void)id;
    return is_matrix(v, inst, m, "the result") && check_tile(v, inst, m, false);
}

bool tsr_ir_check_mstore(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst)
{
    const tsr_type_info *m = info_of(v, arg_type(v, inst, 3));
    (void)id;
    return is_matrix(v, inst, m, "the fourth operand") && check_tile(v, inst, m, true);
}

static bool is_same_size(tsr_size a, tsr_size b)
{
    return a.value == b.value && a.over == b.over;
}

static bool check_mma_uses(tsr_ir_verifier *v, const tsr_inst *inst, const tsr_type_info *const m[4])
{
    static const char *const names[] = {"the first operand", "the second operand", "the third operand", "the result"};
    static const tsr_use uses[] = {TSR_USE_A, TSR_USE_B, TSR_USE_ACCUMULATOR, TSR_USE_ACCUMULATOR};
    for (unsigned i = 0; i < 4; i++) {
        if (!is_matrix(v, inst, m[i], names[i])) return false;
        if (m[i]->use != uses[i])
            return tsr_ir_verify_fail(v, inst, TSR_E_IR_MATRIX, "%s must be a matrix of use %s", names[i],
                                      tsr_use_name(uses[i]));
        if (m[i]->scope != m[0]->scope)
            return tsr_ir_verify_fail(v, inst, TSR_E_IR_MATRIX, "all matrices must be of one scope");
    }
    return true;
}

/* A is m x k, B is k x n, C and the result are m x n. */
bool tsr_ir_check_mma(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst)
{
    const tsr_type_info *const m[4] = {info_of(v, arg_type(v, inst, 0)), info_of(v, arg_type(v, inst, 1)),
                                       info_of(v, arg_type(v, inst, 2)), info_of(v, inst->type)};
    (void)id;
    if (!check_mma_uses(v, inst, m)) return false;
    if (!require(v, inst, is_same_size(m[0]->size2, m[1]->size), TSR_E_IR_MATRIX,
                 "the first operand's columns must be the second's rows"))
        return false;
    for (unsigned i = 2; i < 4; i++)
        if (!require(v, inst, is_same_size(m[i]->size, m[0]->size) && is_same_size(m[i]->size2, m[1]->size2),
                     TSR_E_IR_MATRIX, "addend and result must have the first operand's rows and the second's columns"))
            return false;
    if (!require(v, inst, inst->aux <= 1, TSR_E_IR_AUX, "the only flag of mma is saturating (1)")) return false;
    return require(v, inst, inst->aux == 0 || tsr_component_is_integer((tsr_component)m[3]->component), TSR_E_IR_MATRIX,
                   "only integer sums saturate");
}

/* madd, msub, mscale. */
bool tsr_ir_check_mscalar(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst)
{
    const tsr_type_info *m = info_of(v, arg_type(v, inst, 0));
    (void)id;
    if (!is_matrix(v, inst, m, "the first operand")) return false;
    return require(v, inst, arg_type(v, inst, 1) == tsr_component_scalar((tsr_component)m->component), TSR_E_IR_MATRIX,
                   "the second operand must be the scalar that goes with the components");
}
