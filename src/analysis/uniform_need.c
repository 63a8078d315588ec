/* Built-in operations: what they need, and how far their results differ whatever the operands are.
 * WGSL, "Uniformity Rules for Function Calls"; the subgroup matrix proposal, "Built-in Functions". */
#include "analysis/uniform_inside.h"

static const tsr_diag_state *state_of(const tsr_ir *ir, const tsr_inst *inst)
{
    return tsr_pool_at(&ir->diag_states, inst->diag);
}

static tsr_str name_of(const tsr_ir *ir, const tsr_inst *inst)
{
    return tsr_symbols_get(ir->symbols, inst->aux);
}

/* Derivatives, and the samples that take theirs from the neighbours. */
static bool is_derivative(const tsr_ir *ir, const tsr_inst *inst)
{
    static const char *const names[] = {
        "dpdx",   "dpdxCoarse",   "dpdxFine",   "dpdy",          "dpdyCoarse",        "dpdyFine",
        "fwidth", "fwidthCoarse", "fwidthFine", "textureSample", "textureSampleBias", "textureSampleCompare"};
    tsr_str name = name_of(ir, inst);
    if (name.len == 0 || (name.s[0] != 'd' && name.s[0] != 'f' && name.s[0] != 't')) return false;
    for (size_t i = 0; i < TSR_COUNT_OF(names); i++) {
        if (tsr_str_is(name, names[i])) return true;
    }
    return false;
}

/* textureLoad from a texture that others may write. */
static bool is_shared_texture_load(const tsr_ir *ir, const tsr_inst *inst)
{
    static const char access[] = "read_write>";
    const size_t len = sizeof access - 1;
    if (inst->nargs == 0 || !tsr_str_is(name_of(ir, inst), "textureLoad")) return false;
    const tsr_type_info *t = tsr_type_get(ir->types, tsr_inst_at(ir, tsr_arg(ir, inst, 0))->type);
    if (t->kind == TSR_T_ptr) t = tsr_type_get(ir->types, t->elem);
    tsr_str type = tsr_symbols_get(ir->symbols, t->name);
    return type.len >= len && tsr_str_eq((tsr_str){type.s + type.len - len, len}, (tsr_str){access, len});
}

/* A variable that starts as zero and holds matrices: they are made there, as their constructor makes them. */
static bool makes_matrices(const tsr_ir *ir, const tsr_inst *inst)
{
    if (inst->op != TSR_OP_var) return false;
    if (inst->nargs > 0 && tsr_inst_at(ir, tsr_arg(ir, inst, 0))->op != TSR_OP_zero) return false;
    tsr_type type = tsr_type_get(ir->types, inst->type)->elem;
    return (tsr_type_get(ir->types, type)->kinds >> TSR_T_smat & 1) != 0;
}

static bool fill(tsr_uniform_need *n, tsr_uniform_rule rule, tsr_uniform_scope scope, uint8_t severity)
{
    n->rule = (uint8_t)rule;
    n->scope = (uint8_t)scope;
    n->severity = severity;
    return severity != TSR_SEVERITY_OFF;
}

bool tsr_uneed_of(const tsr_ir *ir, const tsr_inst *inst, tsr_uniform_need *out)
{
    unsigned flags = tsr_op_table[inst->op].flags;
    if ((flags & TSR_OPF_DIAG) == 0 || inst->op == TSR_OP_call) return false;
    if (inst->op == TSR_OP_barrier_subgroup)
        return fill(out, TSR_UNIFORM_barrier, TSR_UNIFORM_subgroup, TSR_SEVERITY_ERROR);
    if (flags & TSR_OPF_BARRIER) return fill(out, TSR_UNIFORM_barrier, TSR_UNIFORM_workgroup, TSR_SEVERITY_ERROR);
    if (flags & (TSR_OPF_SG | TSR_OPF_QUAD))
        return fill(out, TSR_UNIFORM_collective, TSR_UNIFORM_subgroup, state_of(ir, inst)->subgroup_uniformity);
    if ((flags & TSR_OPF_SG_UNI) || makes_matrices(ir, inst))
        return fill(out, TSR_UNIFORM_matrix, TSR_UNIFORM_subgroup, state_of(ir, inst)->subgroup_matrix_uniformity);
    if (inst->op == TSR_OP_builtin_call && is_derivative(ir, inst))
        return fill(out, TSR_UNIFORM_derivative, TSR_UNIFORM_workgroup, state_of(ir, inst)->derivative_uniformity);
    return false;
}

void tsr_uneed_add(tsr_uniform *u, tsr_uniform_need need, tsr_uniform_what what, uint32_t arg, unode node)
{
    if (node == 0) return;
    if (!u->detailed && u->needs.count > 0) {
        const tsr_uniform_need *last = &u->needs.at[u->needs.count - 1];
        if (last->node == node && last->scope == need.scope && last->severity == need.severity) return;
    }
    need.what = (uint8_t)what;
    need.arg = (uint16_t)arg;
    need.node = node;
    *UPUSH(u, u->needs) = need;
}

/* Whether operand i must be uniform. */
static bool needs_operand(const tsr_inst *inst, uint32_t i)
{
    switch (inst->op) {
    case TSR_OP_load_uniform: return true;
    case TSR_OP_sg_shuffle_down:
    case TSR_OP_sg_shuffle_up:
    case TSR_OP_sg_shuffle_xor: return i == 1;
    default: return (tsr_op_table[inst->op].flags & TSR_OPF_SG_UNI) != 0;
    }
}

void tsr_uneed_builtin(tsr_uniform *u, tsr_id id, const tsr_inst *inst)
{
    tsr_uniform_need need = {.inst = id};
    if (!tsr_uneed_of(u->ir, inst, &need)) return;
    tsr_uneed_add(u, need, TSR_UNIFORM_control, 0, u->control);
    for (uint32_t i = 0; i < inst->nargs; i++) {
        if (needs_operand(inst, i))
            tsr_uneed_add(u, need, TSR_UNIFORM_operand, i, tsr_unode_of(u, tsr_arg(u->ir, inst, i)));
    }
}

unsigned tsr_ulevel_of(const tsr_ir *ir, const tsr_inst *inst)
{
    switch (inst->op) {
    case TSR_OP_sg_all:
    case TSR_OP_sg_any:
    case TSR_OP_sg_ballot:
    case TSR_OP_sg_add:
    case TSR_OP_sg_mul:
    case TSR_OP_sg_min:
    case TSR_OP_sg_max:
    case TSR_OP_sg_and:
    case TSR_OP_sg_or:
    case TSR_OP_sg_xor:
    case TSR_OP_sg_broadcast:
    case TSR_OP_sg_broadcast_first: return 1;
    case TSR_OP_builtin_call: return is_derivative(ir, inst) || is_shared_texture_load(ir, inst) ? 2 : 0;
    case TSR_OP_barrier_subgroup: return 0;
    default: return tsr_op_table[inst->op].flags & (TSR_OPF_SG | TSR_OPF_QUAD) ? 2 : 0;
    }
}

/* ---- Inputs of entry points. */

/* WGSL, "Uniformity Rules for Expressions": the uniform built-in input variables. */
static unsigned level_of_io(tsr_io io, tsr_stage stage)
{
    switch (io.builtin) {
    case TSR_BV_workgroup_id:
    case TSR_BV_num_workgroups:
    case TSR_BV_num_subgroups: return 0;
    case TSR_BV_subgroup_size: return stage == TSR_STAGE_COMPUTE ? 0 : 2;
    case TSR_BV_subgroup_id: return 1;
    default: return 2;
    }
}

/* A struct is one value: it differs when some member does. */
unsigned tsr_ulevel_of_input(const tsr_ir *ir, const tsr_function *fn, uint32_t param)
{
    const tsr_param *p = &fn->params[param];
    const tsr_type_info *t = tsr_type_get(ir->types, p->type);
    if (t->kind != TSR_T_struct) return level_of_io(p->io, fn->stage);
    unsigned level = 0;
    for (uint32_t i = 0; i < t->member_count; i++) {
        unsigned one = level_of_io(t->members[i].io, fn->stage);
        if (one > level) level = one;
    }
    return level;
}
