/* Subgroup and quad operations. Source: WGSL, "Subgroup Built-in Functions", "Quad Operations"; SPIR-V 1.6,
 * "Non-Uniform Instructions". */
#include "emit/spirv.h"

static uint32_t subgroup(tsr_spv *s)
{
    return tsr_spv_u32(s, SPV_SCOPE_SUBGROUP);
}

uint32_t tsr_spv_emit_vote(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    uint32_t type = tsr_spv_type(s, inst->type);
    tsr_spv_capability(s, SPV_Capability_GroupNonUniform);
    switch ((tsr_op)inst->op) {
    case TSR_OP_sg_elect: return SPV_VALUE(s, SPV_GroupNonUniformElect, type, subgroup(s));
    case TSR_OP_sg_ballot:
        tsr_spv_capability(s, SPV_Capability_GroupNonUniformBallot);
        return SPV_VALUE(s, SPV_GroupNonUniformBallot, type, subgroup(s), tsr_spv_arg(s, inst, 0));
    default:
        tsr_spv_capability(s, SPV_Capability_GroupNonUniformVote);
        return SPV_VALUE(s, inst->op == TSR_OP_sg_all ? SPV_GroupNonUniformAll : SPV_GroupNonUniformAny, type,
                         subgroup(s), tsr_spv_arg(s, inst, 0));
    }
}

/* ---- Reductions and scans. */

enum sum_kind { SUM_float, SUM_signed, SUM_unsigned };

static tsr_spv_op sum_op(tsr_op op, enum sum_kind kind)
{
    switch (op) {
    case TSR_OP_sg_mul:
    case TSR_OP_sg_inclusive_mul:
    case TSR_OP_sg_exclusive_mul: return kind == SUM_float ? SPV_GroupNonUniformFMul : SPV_GroupNonUniformIMul;
    case TSR_OP_sg_min:
        return kind == SUM_float    ? SPV_GroupNonUniformFMin
               : kind == SUM_signed ? SPV_GroupNonUniformSMin
                                    : SPV_GroupNonUniformUMin;
    case TSR_OP_sg_max:
        return kind == SUM_float    ? SPV_GroupNonUniformFMax
               : kind == SUM_signed ? SPV_GroupNonUniformSMax
                                    : SPV_GroupNonUniformUMax;
    case TSR_OP_sg_and: return SPV_GroupNonUniformBitwiseAnd;
    case TSR_OP_sg_or: return SPV_GroupNonUniformBitwiseOr;
    case TSR_OP_sg_xor: return SPV_GroupNonUniformBitwiseXor;
    default: return kind == SUM_float ? SPV_GroupNonUniformFAdd : SPV_GroupNonUniformIAdd;
    }
}

static uint32_t group_operation(tsr_op op)
{
    switch (op) {
    case TSR_OP_sg_inclusive_add:
    case TSR_OP_sg_inclusive_mul: return SPV_GroupOperation_InclusiveScan;
    case TSR_OP_sg_exclusive_add:
    case TSR_OP_sg_exclusive_mul: return SPV_GroupOperation_ExclusiveScan;
    default: return SPV_GroupOperation_Reduce;
    }
}

uint32_t tsr_spv_emit_sum(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    tsr_type_kind scalar = tsr_spv_kind(s, inst->type);
    enum sum_kind kind = scalar == TSR_T_i32 ? SUM_signed : scalar == TSR_T_u32 ? SUM_unsigned : SUM_float;
    tsr_op op = (tsr_op)inst->op;
    tsr_spv_capability(s, SPV_Capability_GroupNonUniformArithmetic);
    return SPV_VALUE(s, sum_op(op, kind), tsr_spv_type(s, inst->type), subgroup(s), group_operation(op),
                     tsr_spv_arg(s, inst, 0));
}

/* ---- Values of other invocations. */

static uint32_t lane_number(tsr_spv *s, const tsr_inst *inst)
{
    uint32_t lane = tsr_spv_arg(s, inst, 1);
    if (tsr_spv_arg_type(s, inst, 1) != TSR_T_i32) return lane;
    const tsr_inst *constant = tsr_inst_at(s->ir, tsr_arg(s->ir, inst, 1));
    if (constant->op == TSR_OP_const) return tsr_spv_u32(s, (uint32_t)tsr_constant_bits(s->ir, constant));
    return SPV_VALUE(s, SPV_Bitcast, tsr_spv_type(s, TSR_T_u32), lane);
}

uint32_t tsr_spv_emit_shuffle(tsr_spv *s, tsr_id id)
{
    static const struct {
        tsr_spv_op op;
        uint32_t capability;
    } how[TSR_OP_COUNT] = {
        [TSR_OP_sg_broadcast] = {SPV_GroupNonUniformBroadcast, SPV_Capability_GroupNonUniformBallot},
        [TSR_OP_sg_broadcast_first] = {SPV_GroupNonUniformBroadcastFirst, SPV_Capability_GroupNonUniformBallot},
        [TSR_OP_sg_shuffle] = {SPV_GroupNonUniformShuffle, SPV_Capability_GroupNonUniformShuffle},
        [TSR_OP_sg_shuffle_xor] = {SPV_GroupNonUniformShuffleXor, SPV_Capability_GroupNonUniformShuffle},
        [TSR_OP_sg_shuffle_up] = {SPV_GroupNonUniformShuffleUp, SPV_Capability_GroupNonUniformShuffleRelative},
        [TSR_OP_sg_shuffle_down] = {SPV_GroupNonUniformShuffleDown, SPV_Capability_GroupNonUniformShuffleRelative},
    };
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    uint32_t type = tsr_spv_type(s, inst->type), value = tsr_spv_arg(s, inst, 0);
    tsr_spv_capability(s, how[inst->op].capability);
    if (inst->nargs == 1) return SPV_VALUE(s, how[inst->op].op, type, subgroup(s), value);
    return SPV_VALUE(s, how[inst->op].op, type, subgroup(s), value, lane_number(s, inst));
}

uint32_t tsr_spv_emit_quad(tsr_spv *s, tsr_id id)
{
    enum { ACROSS = 0, DOWN = 1, DIAGONAL = 2 }; /* SPIR-V 1.6, OpGroupNonUniformQuadSwap */
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    uint32_t type = tsr_spv_type(s, inst->type), value = tsr_spv_arg(s, inst, 0);
    tsr_spv_capability(s, SPV_Capability_GroupNonUniformQuad);
    if (inst->op == TSR_OP_quad_broadcast)
        return SPV_VALUE(s, SPV_GroupNonUniformQuadBroadcast, type, subgroup(s), value, lane_number(s, inst));
    uint32_t direction = inst->op == TSR_OP_quad_swap_x ? ACROSS : inst->op == TSR_OP_quad_swap_y ? DOWN : DIAGONAL;
    return SPV_VALUE(s, SPV_GroupNonUniformQuadSwap, type, subgroup(s), value, tsr_spv_u32(s, direction));
}

/* ---- Who is there.
 *
 * Matrix operations are left out: all of the subgroup must be there, so that no result depends on who is. */

struct company_search {
    const tsr_spv *s;
    bool found, calls; /* calls: they count too */
};

static void note_company(void *user, tsr_id id)
{
    struct company_search *c = user;
    const tsr_inst *inst = tsr_inst_at(c->s->ir, id);
    if (tsr_op_table[inst->op].flags & (TSR_OPF_SG | TSR_OPF_QUAD)) c->found = true;
    if (c->calls && inst->op == TSR_OP_call) c->found = true;
}

bool tsr_spv_asks_company(const tsr_spv *s, tsr_block block)
{
    struct company_search c = {s, false, true};
    tsr_block_walk(s->ir, block, note_company, &c);
    return c.found;
}

static void note_function(void *user, uint32_t function)
{
    struct company_search *c = user;
    tsr_block_walk(c->s->ir, tsr_function_at(c->s->ir, function)->body, note_company, c);
}

bool tsr_spv_function_asks_company(const tsr_spv *s, uint32_t function)
{
    struct company_search c = {s, false, false};
    tsr_function_walk(s->ir, function, note_function, &c);
    return c.found;
}
