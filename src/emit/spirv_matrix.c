/* Subgroup matrices as cooperative matrices. Source: SPV_KHR_cooperative_matrix; docs/ir.md, "Subgroup matrices". */
#include "emit/spirv.h"

static const tsr_type_info *matrix_info(tsr_spv *s, tsr_type type, tsr_span span)
{
    const tsr_type_info *info = tsr_type_get(s->types, type);
    if (info->scope != TSR_SCOPE_SUBGROUP && !s->failed) {
        s->failed = true;
        tsr_error(s->diags, span, TSR_E_SPIRV_SCOPE,
                  "a matrix of scope %s cannot be emitted as SPIR-V; use subgroup scope",
                  tsr_scope_name((tsr_scope)info->scope));
    }
    return info;
}

/* ---- Scalars. */

/* Types that numbers are converted to and from, and not computed with. */
static bool is_storage_float(tsr_component c)
{
    return c == TSR_BF16 || c == TSR_F8E4M3 || c == TSR_F8E5M2;
}

/* The scalar that WGSL works with as a component; 8-bit integers are clamped to. */
static uint32_t to_component(tsr_spv *s, tsr_component c, uint32_t scalar)
{
    uint32_t type = tsr_spv_component_type(s, c);
    switch (c) {
    case TSR_S8: {
        uint32_t i32 = tsr_spv_type(s, TSR_T_i32);
        scalar = SPV_EXT(s, SClamp, i32, scalar, tsr_spv_i32(s, INT8_MIN), tsr_spv_i32(s, INT8_MAX));
        return SPV_VALUE(s, SPV_SConvert, type, scalar);
    }
    case TSR_U8:
        scalar = SPV_EXT(s, UMin, tsr_spv_type(s, TSR_T_u32), scalar, tsr_spv_u32(s, UINT8_MAX));
        return SPV_VALUE(s, SPV_UConvert, type, scalar);
    default:
        if (tsr_spv_type(s, tsr_component_scalar(c)) == type) return scalar;
        return SPV_VALUE(s, SPV_FConvert, type, scalar);
    }
}

uint32_t tsr_spv_emit_mfill(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    tsr_component c = (tsr_component)matrix_info(s, inst->type, inst->span)->component;
    uint32_t type = tsr_spv_type(s, inst->type), constant = tsr_spv_constant(s, tsr_arg(s->ir, inst, 0));
    if (constant && tsr_spv_type(s, tsr_component_scalar(c)) == tsr_spv_component_type(s, c))
        return tsr_spv_declare(s, SPV_ConstantComposite, type, &constant, 1);
    return SPV_VALUE(s, SPV_CompositeConstruct, type, to_component(s, c, tsr_spv_arg(s, inst, 0)));
}

/* A matrix of the same shape and use with components of f32. */
static uint32_t f32_matrix(tsr_spv *s, const tsr_type_info *info)
{
    const uint32_t words[] = {tsr_spv_type(s, TSR_T_f32), tsr_spv_u32(s, SPV_SCOPE_SUBGROUP),
                              tsr_spv_u32(s, info->size.value), tsr_spv_u32(s, info->size2.value),
                              tsr_spv_u32(s, info->use)};
    return tsr_spv_declare(s, SPV_TypeCooperativeMatrixKHR, 0, words, 5);
}

static uint32_t combine(tsr_spv *s, tsr_op op, bool integer, uint32_t type, uint32_t matrix, uint32_t scalar)
{
    if (op == TSR_OP_mscale) return SPV_VALUE(s, SPV_MatrixTimesScalar, type, matrix, scalar);
    uint32_t all = SPV_VALUE(s, SPV_CompositeConstruct, type, scalar);
    tsr_spv_op add = integer ? SPV_IAdd : SPV_FAdd, sub = integer ? SPV_ISub : SPV_FSub;
    return SPV_VALUE(s, op == TSR_OP_madd ? add : sub, type, matrix, all);
}

uint32_t tsr_spv_emit_mscalar(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    const tsr_type_info *info = matrix_info(s, inst->type, inst->span);
    tsr_component c = (tsr_component)info->component;
    tsr_op op = (tsr_op)inst->op;
    uint32_t type = tsr_spv_type(s, inst->type), matrix = tsr_spv_arg(s, inst, 0), scalar = tsr_spv_arg(s, inst, 1);
    if (!is_storage_float(c))
        return combine(s, op, tsr_component_is_integer(c), type, matrix, to_component(s, c, scalar));
    uint32_t wide = f32_matrix(s, info);
    matrix = SPV_VALUE(s, SPV_FConvert, wide, matrix);
    return SPV_VALUE(s, SPV_FConvert, type, combine(s, op, false, wide, matrix, scalar));
}

/* ---- Multiply and add. */

static uint32_t signed_bit(tsr_spv *s, tsr_type type, uint32_t bit)
{
    tsr_component c = (tsr_component)tsr_type_get(s->types, type)->component;
    return tsr_component_is_integer(c) && tsr_component_is_signed(c) ? bit : 0;
}

uint32_t tsr_spv_emit_mma(tsr_spv *s, tsr_id id)
{
    enum { SATURATING = 1 };
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    matrix_info(s, inst->type, inst->span);
    uint32_t operands = signed_bit(s, tsr_spv_arg_type(s, inst, 0), SPV_MatrixOperands_MatrixASignedComponentsKHR) |
                        signed_bit(s, tsr_spv_arg_type(s, inst, 1), SPV_MatrixOperands_MatrixBSignedComponentsKHR) |
                        signed_bit(s, tsr_spv_arg_type(s, inst, 2), SPV_MatrixOperands_MatrixCSignedComponentsKHR) |
                        signed_bit(s, inst->type, SPV_MatrixOperands_MatrixResultSignedComponentsKHR);
    if (inst->aux & SATURATING) operands |= SPV_MatrixOperands_SaturatingAccumulationKHR;
    uint32_t words[4];
    for (uint32_t i = 0; i < 3; i++)
        words[i] = tsr_spv_arg(s, inst, i);
    words[3] = operands;
    return tsr_spv_value(s, SPV_CooperativeMatrixMulAddKHR, tsr_spv_type(s, inst->type), words, operands ? 4 : 3);
}

/* ---- Load and store: spirv_tile.c. */

static tsr_spv_access access_of(tsr_spv *s, const tsr_inst *inst, tsr_type matrix)
{
    tsr_spv_access a = {.pointer = tsr_arg(s->ir, inst, 0), .column_major = inst->aux & 1, .matrix = matrix};
    a.offset_id = tsr_arg(s->ir, inst, 1);
    a.stride_id = tsr_arg(s->ir, inst, 2);
    a.offset = tsr_spv_use(s, a.offset_id);
    a.stride = tsr_spv_use(s, a.stride_id);
    a.span = inst->span;
    matrix_info(s, matrix, inst->span);
    return a;
}

uint32_t tsr_spv_emit_mload(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    tsr_spv_access a = access_of(s, inst, inst->type);
    return tsr_spv_tile_access(s, &a);
}

uint32_t tsr_spv_emit_mstore(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    tsr_spv_access a = access_of(s, inst, tsr_spv_arg_type(s, inst, 3));
    a.object = tsr_spv_arg(s, inst, 3);
    tsr_spv_tile_access(s, &a);
    return 0;
}
