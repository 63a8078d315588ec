/* Constants: each exists once. */
#include "base/number.h"
#include "emit/spirv.h"

uint32_t tsr_spv_bool(tsr_spv *s, bool value)
{
    return tsr_spv_declare(s, value ? SPV_ConstantTrue : SPV_ConstantFalse, tsr_spv_type(s, TSR_T_bool), NULL, 0);
}

/* Numbers narrower than a word stand in its low bits. Source: SPIR-V 1.6, "Literal". */
uint32_t tsr_spv_scalar(tsr_spv *s, tsr_type scalar, uint32_t bits)
{
    if (scalar == TSR_T_bool) return tsr_spv_bool(s, bits != 0);
    return tsr_spv_declare(s, SPV_Constant, tsr_spv_type(s, scalar), &bits, 1);
}

uint32_t tsr_spv_u32(tsr_spv *s, uint32_t value)
{
    return tsr_spv_scalar(s, TSR_T_u32, value);
}

uint32_t tsr_spv_i32(tsr_spv *s, int32_t value)
{
    return tsr_spv_scalar(s, TSR_T_i32, (uint32_t)value);
}

static uint32_t number_bits(tsr_type scalar, double value)
{
    switch (scalar) {
    case TSR_T_f32: return tsr_bits_from_f32((float)value);
    case TSR_T_f16: return tsr_f16_from_f64(value);
    case TSR_T_i32: return (uint32_t)(int32_t)value;
    default: return (uint32_t)value;
    }
}

uint32_t tsr_spv_splat_constant(tsr_spv *s, uint32_t scalar, uint32_t vec_type, unsigned count)
{
    const uint32_t parts[4] = {scalar, scalar, scalar, scalar};
    return count == 1 ? scalar : tsr_spv_declare(s, SPV_ConstantComposite, vec_type, parts, count);
}

uint32_t tsr_spv_number(tsr_spv *s, tsr_type type, double value)
{
    tsr_type scalar = tsr_type_scalar(s->types, type);
    uint32_t one = tsr_spv_scalar(s, scalar, number_bits(scalar, value));
    return tsr_spv_splat_constant(s, one, tsr_spv_type(s, type), tsr_type_width(s->types, type));
}

uint32_t tsr_spv_undef(tsr_spv *s, uint32_t type)
{
    return type ? tsr_spv_declare(s, SPV_Undef, type, NULL, 0) : 0;
}

/* ---- Zero. */

static uint32_t zero_matrix(tsr_spv *s, tsr_type type)
{
    const tsr_type_info *info = tsr_type_get(s->types, type);
    uint32_t component = tsr_spv_component_type(s, (tsr_component)info->component);
    const uint32_t nothing[2] = {0, 0};
    uint32_t words = tsr_component_bits((tsr_component)info->component) > 32 ? 2 : 1;
    uint32_t zero = tsr_spv_declare(s, SPV_Constant, component, nothing, words);
    return tsr_spv_declare(s, SPV_ConstantComposite, tsr_spv_type(s, type), &zero, 1);
}

/* What holds subgroup matrices: every part is written out, since some drivers take a null of it for a constant without
 * parts. */
static uint32_t zero_of_matrices(tsr_spv *s, tsr_type type)
{
    const tsr_type_info *info = tsr_type_get(s->types, type);
    if (info->kind == TSR_T_smat) return zero_matrix(s, type);
    uint32_t count = info->kind == TSR_T_array ? info->size.value : info->member_count;
    uint32_t *parts = TSR_NEW_ARRAY(s->arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        parts[i] = i > 0 && info->kind == TSR_T_array
                       ? parts[0]
                       : tsr_spv_zero(s, info->kind == TSR_T_array ? info->elem : info->members[i].type);
    return tsr_spv_declare(s, SPV_ConstantComposite, tsr_spv_type(s, type), parts, count);
}

uint32_t tsr_spv_zero(tsr_spv *s, tsr_type type)
{
    if (tsr_type_contains(s->types, type, TSR_T_smat)) return zero_of_matrices(s, type);
    if (tsr_type_is_scalar(s->types, type)) return tsr_spv_scalar(s, type, 0);
    return tsr_spv_declare(s, SPV_ConstantNull, tsr_spv_type(s, type), NULL, 0);
}

/* ---- Constants of the IR. */

static uint32_t compose_constant(tsr_spv *s, const tsr_inst *inst)
{
    uint32_t *parts = TSR_NEW_ARRAY(s->arena, uint32_t, inst->nargs + 1u);
    for (uint32_t i = 0; i < inst->nargs; i++)
        if (!(parts[i] = tsr_spv_constant(s, tsr_arg(s->ir, inst, i)))) return 0;
    return tsr_spv_declare(s, SPV_ConstantComposite, tsr_spv_type(s, inst->type), parts, inst->nargs);
}

static uint32_t find_constant(tsr_spv *s, const tsr_inst *inst)
{
    switch ((tsr_op)inst->op) {
    case TSR_OP_const: return tsr_spv_scalar(s, inst->type, (uint32_t)tsr_constant_bits(s->ir, inst));
    case TSR_OP_zero: return tsr_spv_zero(s, inst->type);
    case TSR_OP_compose: return compose_constant(s, inst);
    case TSR_OP_splat: {
        uint32_t scalar = tsr_spv_constant(s, tsr_arg(s->ir, inst, 0));
        if (!scalar) return 0;
        return tsr_spv_splat_constant(s, scalar, tsr_spv_type(s, inst->type), tsr_type_width(s->types, inst->type));
    }
    default: return 0;
    }
}

/* Recursion is as deep as values nest: compose takes parts of a smaller type. */
uint32_t tsr_spv_constant(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    if (inst->op != TSR_OP_const && inst->op != TSR_OP_zero && inst->op != TSR_OP_compose && inst->op != TSR_OP_splat)
        return 0;
    if (s->value_ids[id]) { /* known; a value made in a function stands in value_ids too and is no constant */
        uint32_t known;
        return tsr_map_find(&s->constants, id, &known) ? known : 0;
    }
    uint32_t constant = find_constant(s, inst);
    if (!constant) return 0;
    tsr_map_set(&s->constants, id, constant);
    return s->value_ids[id] = constant;
}
