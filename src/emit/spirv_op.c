/* One rule for each op of the IR: an instruction for each kind of number, or a function that emits it by hand. Control
 * flow is in spirv_control.c. Source: SPIR-V 1.6, "Instructions"; GLSL.std.450. */
#include "emit/spirv.h"

/* Instructions of SPIR-V are positive, those of GLSL.std.450 negative; 0: the op does not have this kind. */
typedef struct tsr_spv_rule {
    int16_t f, s, u, b; /* by the scalar of operand 0: float, i32, u32, bool */
    tsr_spv_hand *hand;
    bool wide;      /* f16 goes through f32: drivers have these functions for f32, and some for nothing else */
    bool elsewhere; /* constants, parameters, control flow, or gone after build */
} tsr_spv_rule;

#define ALL(op)                                                                                                        \
    {                                                                                                                  \
        .f = SPV_##op, .s = SPV_##op, .u = SPV_##op, .b = SPV_##op                                                     \
    }
#define INTS(op)                                                                                                       \
    {                                                                                                                  \
        .s = SPV_##op, .u = SPV_##op                                                                                   \
    }
#define NUMS(x, y)                                                                                                     \
    {                                                                                                                  \
        .f = SPV_##x, .s = SPV_##y, .u = SPV_##y                                                                       \
    }
#define COMPARE(x)                                                                                                     \
    {                                                                                                                  \
        .f = SPV_FOrd##x, .s = SPV_S##x, .u = SPV_U##x                                                                 \
    }
#define EXT(x)                                                                                                         \
    {                                                                                                                  \
        .f = -SPV_GLSL_##x                                                                                             \
    }
#define EXT_WIDE(x)                                                                                                    \
    {                                                                                                                  \
        .f = -SPV_GLSL_##x, .wide = true                                                                               \
    }
#define HAND(name)                                                                                                     \
    {                                                                                                                  \
        .hand = tsr_spv_emit_##name                                                                                    \
    }
#define ELSEWHERE                                                                                                      \
    {                                                                                                                  \
        .elsewhere = true                                                                                              \
    }

static const tsr_spv_rule rules[TSR_OP_COUNT] = {
    [TSR_OP_const] = ELSEWHERE,
    [TSR_OP_zero] = ELSEWHERE,
    [TSR_OP_override] = ELSEWHERE,
    [TSR_OP_param] = ELSEWHERE,
    [TSR_OP_global] = ELSEWHERE,
    [TSR_OP_compose] = HAND(compose),
    [TSR_OP_splat] = HAND(splat),
    [TSR_OP_extract] = HAND(extract),
    [TSR_OP_element] = HAND(element),
    [TSR_OP_swizzle] = HAND(swizzle),
    [TSR_OP_insert] = HAND(insert),

    [TSR_OP_neg] = {.f = SPV_FNegate, .s = SPV_SNegate},
    [TSR_OP_not] = {.b = SPV_LogicalNot},
    [TSR_OP_bitnot] = INTS(Not),
    [TSR_OP_add] = NUMS(FAdd, IAdd),
    [TSR_OP_sub] = NUMS(FSub, ISub),
    [TSR_OP_mul] = NUMS(FMul, IMul),
    [TSR_OP_div] = HAND(divide),
    [TSR_OP_rem] = HAND(divide),
    [TSR_OP_and] = {.s = SPV_BitwiseAnd, .u = SPV_BitwiseAnd, .b = SPV_LogicalAnd},
    [TSR_OP_or] = {.s = SPV_BitwiseOr, .u = SPV_BitwiseOr, .b = SPV_LogicalOr},
    [TSR_OP_xor] = INTS(BitwiseXor),
    [TSR_OP_shl] = HAND(shift),
    [TSR_OP_shr] = HAND(shift),
    [TSR_OP_land] = {.b = SPV_LogicalAnd},
    [TSR_OP_lor] = {.b = SPV_LogicalOr},
    [TSR_OP_eq] = {.f = SPV_FOrdEqual, .s = SPV_IEqual, .u = SPV_IEqual, .b = SPV_LogicalEqual},
    [TSR_OP_ne] = {.f = SPV_FUnordNotEqual, .s = SPV_INotEqual, .u = SPV_INotEqual, .b = SPV_LogicalNotEqual},
    [TSR_OP_lt] = COMPARE(LessThan),
    [TSR_OP_le] = COMPARE(LessThanEqual),
    [TSR_OP_gt] = COMPARE(GreaterThan),
    [TSR_OP_ge] = COMPARE(GreaterThanEqual),
    [TSR_OP_select] = HAND(select),
    [TSR_OP_any] = HAND(any_all),
    [TSR_OP_all] = HAND(any_all),
    [TSR_OP_convert] = HAND(convert),
    [TSR_OP_bitcast] = HAND(bitcast),

    [TSR_OP_dot] = HAND(dot),
    [TSR_OP_mat_mul] = HAND(mat_mul),
    [TSR_OP_mat_scale] = {.f = SPV_MatrixTimesScalar},
    [TSR_OP_mat_add] = HAND(mat_sum),
    [TSR_OP_mat_sub] = HAND(mat_sum),
    [TSR_OP_transpose] = {.f = SPV_Transpose},
    [TSR_OP_determinant] = EXT(Determinant),

    [TSR_OP_abs] = HAND(abs),
    [TSR_OP_sign] = {.f = -SPV_GLSL_FSign, .s = -SPV_GLSL_SSign},
    [TSR_OP_min] = {.f = -SPV_GLSL_NMin, .s = -SPV_GLSL_SMin, .u = -SPV_GLSL_UMin},
    [TSR_OP_max] = {.f = -SPV_GLSL_NMax, .s = -SPV_GLSL_SMax, .u = -SPV_GLSL_UMax},
    [TSR_OP_clamp] = HAND(clamp),
    [TSR_OP_saturate] = HAND(saturate),
    [TSR_OP_floor] = EXT(Floor),
    [TSR_OP_ceil] = EXT(Ceil),
    [TSR_OP_round] = EXT(RoundEven),
    [TSR_OP_trunc] = EXT(Trunc),
    [TSR_OP_fract] = EXT(Fract),
    [TSR_OP_sqrt] = EXT(Sqrt),
    [TSR_OP_inverse_sqrt] = EXT(InverseSqrt),
    [TSR_OP_exp] = EXT_WIDE(Exp),
    [TSR_OP_exp2] = EXT_WIDE(Exp2),
    [TSR_OP_log] = EXT_WIDE(Log),
    [TSR_OP_log2] = EXT_WIDE(Log2),
    [TSR_OP_pow] = EXT_WIDE(Pow),
    [TSR_OP_sin] = EXT_WIDE(Sin),
    [TSR_OP_cos] = EXT_WIDE(Cos),
    [TSR_OP_tan] = EXT_WIDE(Tan),
    [TSR_OP_asin] = EXT_WIDE(Asin),
    [TSR_OP_acos] = EXT_WIDE(Acos),
    [TSR_OP_atan] = EXT_WIDE(Atan),
    [TSR_OP_atan2] = EXT_WIDE(Atan2),
    [TSR_OP_sinh] = EXT_WIDE(Sinh),
    [TSR_OP_cosh] = EXT_WIDE(Cosh),
    [TSR_OP_tanh] = EXT_WIDE(Tanh),
    [TSR_OP_asinh] = EXT_WIDE(Asinh),
    [TSR_OP_acosh] = EXT_WIDE(Acosh),
    [TSR_OP_atanh] = EXT_WIDE(Atanh),
    [TSR_OP_degrees] = EXT(Degrees),
    [TSR_OP_radians] = EXT(Radians),
    [TSR_OP_fma] = EXT(Fma),
    [TSR_OP_mix] = EXT(FMix),
    [TSR_OP_step] = EXT(Step),
    [TSR_OP_smoothstep] = HAND(smoothstep),
    [TSR_OP_quantize_f16] = {.f = SPV_QuantizeToF16},
    [TSR_OP_ldexp] = EXT(Ldexp),
    [TSR_OP_frexp] = EXT(FrexpStruct),
    [TSR_OP_modf] = EXT(ModfStruct),
    [TSR_OP_count_leading_zeros] = HAND(count_zeros),
    [TSR_OP_count_trailing_zeros] = HAND(count_zeros),
    [TSR_OP_count_one_bits] = INTS(BitCount),
    [TSR_OP_reverse_bits] = INTS(BitReverse),
    [TSR_OP_first_leading_bit] = {.s = -SPV_GLSL_FindSMsb, .u = -SPV_GLSL_FindUMsb},
    [TSR_OP_first_trailing_bit] = {.s = -SPV_GLSL_FindILsb, .u = -SPV_GLSL_FindILsb},
    [TSR_OP_extract_bits] = HAND(bits),
    [TSR_OP_insert_bits] = HAND(bits),

    [TSR_OP_length] = EXT(Length),
    [TSR_OP_distance] = EXT(Distance),
    [TSR_OP_normalize] = EXT(Normalize),
    [TSR_OP_cross] = EXT(Cross),
    [TSR_OP_face_forward] = EXT(FaceForward),
    [TSR_OP_reflect] = EXT(Reflect),
    [TSR_OP_refract] = EXT(Refract),

    [TSR_OP_pack4x8snorm] = HAND(pack_norm),
    [TSR_OP_pack4x8unorm] = HAND(pack_norm),
    [TSR_OP_pack4xi8] = HAND(pack_int),
    [TSR_OP_pack4xu8] = HAND(pack_int),
    [TSR_OP_pack4xi8_clamp] = HAND(pack_int),
    [TSR_OP_pack4xu8_clamp] = HAND(pack_int),
    [TSR_OP_pack2x16snorm] = HAND(pack_norm),
    [TSR_OP_pack2x16unorm] = HAND(pack_norm),
    [TSR_OP_pack2x16float] = HAND(pack_half),
    [TSR_OP_unpack4x8snorm] = HAND(unpack_norm),
    [TSR_OP_unpack4x8unorm] = HAND(unpack_norm),
    [TSR_OP_unpack4xi8] = HAND(unpack_int),
    [TSR_OP_unpack4xu8] = HAND(unpack_int),
    [TSR_OP_unpack2x16snorm] = HAND(unpack_norm),
    [TSR_OP_unpack2x16unorm] = HAND(unpack_norm),
    [TSR_OP_unpack2x16float] = HAND(unpack_half),
    [TSR_OP_dot4_u8] = HAND(dot4),
    [TSR_OP_dot4_i8] = HAND(dot4),

    [TSR_OP_var] = HAND(var),
    [TSR_OP_field] = HAND(field),
    [TSR_OP_index] = HAND(index),
    [TSR_OP_load] = HAND(load),
    [TSR_OP_store] = HAND(store),
    [TSR_OP_array_length] = HAND(array_length),
    [TSR_OP_atomic_load] = HAND(atomic),
    [TSR_OP_atomic_store] = HAND(atomic),
    [TSR_OP_atomic_add] = HAND(atomic),
    [TSR_OP_atomic_sub] = HAND(atomic),
    [TSR_OP_atomic_max] = HAND(atomic),
    [TSR_OP_atomic_min] = HAND(atomic),
    [TSR_OP_atomic_and] = HAND(atomic),
    [TSR_OP_atomic_or] = HAND(atomic),
    [TSR_OP_atomic_xor] = HAND(atomic),
    [TSR_OP_atomic_exchange] = HAND(atomic),
    [TSR_OP_atomic_cas] = HAND(atomic),
    [TSR_OP_barrier_workgroup] = HAND(barrier),
    [TSR_OP_barrier_storage] = HAND(barrier),
    [TSR_OP_barrier_texture] = HAND(barrier),
    [TSR_OP_barrier_subgroup] = HAND(barrier),
    [TSR_OP_load_uniform] = HAND(load_uniform),

    [TSR_OP_sg_elect] = HAND(vote),
    [TSR_OP_sg_all] = HAND(vote),
    [TSR_OP_sg_any] = HAND(vote),
    [TSR_OP_sg_ballot] = HAND(vote),
    [TSR_OP_sg_add] = HAND(sum),
    [TSR_OP_sg_mul] = HAND(sum),
    [TSR_OP_sg_min] = HAND(sum),
    [TSR_OP_sg_max] = HAND(sum),
    [TSR_OP_sg_and] = HAND(sum),
    [TSR_OP_sg_or] = HAND(sum),
    [TSR_OP_sg_xor] = HAND(sum),
    [TSR_OP_sg_inclusive_add] = HAND(sum),
    [TSR_OP_sg_inclusive_mul] = HAND(sum),
    [TSR_OP_sg_exclusive_add] = HAND(sum),
    [TSR_OP_sg_exclusive_mul] = HAND(sum),
    [TSR_OP_sg_broadcast] = HAND(shuffle),
    [TSR_OP_sg_broadcast_first] = HAND(shuffle),
    [TSR_OP_sg_shuffle] = HAND(shuffle),
    [TSR_OP_sg_shuffle_down] = HAND(shuffle),
    [TSR_OP_sg_shuffle_up] = HAND(shuffle),
    [TSR_OP_sg_shuffle_xor] = HAND(shuffle),
    [TSR_OP_quad_broadcast] = HAND(quad),
    [TSR_OP_quad_swap_x] = HAND(quad),
    [TSR_OP_quad_swap_y] = HAND(quad),
    [TSR_OP_quad_swap_diagonal] = HAND(quad),

    [TSR_OP_mfill] = HAND(mfill),
    [TSR_OP_mload] = HAND(mload),
    [TSR_OP_mstore] = HAND(mstore),
    [TSR_OP_mma] = HAND(mma),
    [TSR_OP_madd] = HAND(mscalar),
    [TSR_OP_msub] = HAND(mscalar),
    [TSR_OP_mscale] = HAND(mscalar),

    [TSR_OP_if] = ELSEWHERE,
    [TSR_OP_loop] = ELSEWHERE,
    [TSR_OP_switch] = ELSEWHERE,
    [TSR_OP_break] = ELSEWHERE,
    [TSR_OP_continue] = ELSEWHERE,
    [TSR_OP_break_if] = ELSEWHERE,
    [TSR_OP_return] = ELSEWHERE,
    [TSR_OP_unreachable] = ELSEWHERE,
    [TSR_OP_call] = HAND(call),
};

bool tsr_spv_handles(tsr_op op)
{
    const tsr_spv_rule *r = &rules[op];
    return r->elsewhere || r->hand || r->f || r->s || r->u || r->b;
}

/* ---- Values. */

uint32_t tsr_spv_use(tsr_spv *s, tsr_id id)
{
    uint32_t value = s->value_ids[id];
    if (!value) value = tsr_spv_constant(s, id);
    if (!value) TSR_ICE("a value is used before it was made");
    return value;
}

uint32_t tsr_spv_arg(tsr_spv *s, const tsr_inst *inst, uint32_t i)
{
    return tsr_spv_use(s, tsr_arg(s->ir, inst, i));
}

tsr_type tsr_spv_arg_type(const tsr_spv *s, const tsr_inst *inst, uint32_t i)
{
    return tsr_inst_at(s->ir, tsr_arg(s->ir, inst, i))->type;
}

tsr_type_kind tsr_spv_kind(const tsr_spv *s, tsr_type type)
{
    return tsr_type_kind_of(s->types, tsr_type_scalar(s->types, type));
}

/* ---- Regular ops. */

static int pick_instruction(const tsr_spv_rule *r, tsr_type_kind kind)
{
    switch (kind) {
    case TSR_T_f32:
    case TSR_T_f16: return r->f;
    case TSR_T_i32: return r->s;
    case TSR_T_u32: return r->u;
    default: return r->b;
    }
}

static uint32_t emit_wide(tsr_spv *s, uint32_t instruction, tsr_type result, uint32_t *args, uint32_t count)
{
    uint32_t wide = tsr_spv_vec_type(s, TSR_T_f32, tsr_type_width(s->types, result));
    for (uint32_t i = 0; i < count; i++)
        args[i] = SPV_VALUE(s, SPV_FConvert, wide, args[i]);
    return SPV_VALUE(s, SPV_FConvert, tsr_spv_type(s, result), tsr_spv_ext(s, instruction, wide, args, count));
}

static uint32_t emit_regular(tsr_spv *s, const tsr_spv_rule *r, const tsr_inst *inst)
{
    enum { ARGS_MAX = 4 };
    uint32_t args[ARGS_MAX], type = tsr_spv_type(s, inst->type);
    if (inst->nargs == 0 || inst->nargs > ARGS_MAX) TSR_ICE("an op without a rule");
    tsr_type_kind kind = tsr_spv_kind(s, tsr_spv_arg_type(s, inst, 0));
    int instruction = pick_instruction(r, kind);
    if (instruction == 0) TSR_ICE("an op on a type that it does not have");
    for (uint32_t i = 0; i < inst->nargs; i++)
        args[i] = tsr_spv_arg(s, inst, i);
    if (r->wide && kind == TSR_T_f16) return emit_wide(s, (uint32_t)-instruction, inst->type, args, inst->nargs);
    if (instruction < 0) return tsr_spv_ext(s, (uint32_t)-instruction, type, args, inst->nargs);
    return tsr_spv_value(s, (tsr_spv_op)instruction, type, args, inst->nargs);
}

/* ---- Source lines. */

static void put_line(tsr_spv *s, tsr_span span)
{
    uint32_t line = 0, column = 0;
    if (!s->o->debug_lines || !s->o->source || (!span.pos && !span.len)) return;
    tsr_source source = *s->o->source;
    tsr_source_locate(&source, s->arena, span.pos, &line, &column);
    if (line == s->line) return;
    s->line = line;
    SPV_DO(s, SPV_Line, s->file, line, column);
}

void tsr_spv_inst(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    const tsr_spv_rule *r = &rules[inst->op];
    uint32_t before = s->next_id;
    if (r->elsewhere) { /* a constant that stands in a block */
        tsr_spv_use(s, id);
        return;
    }
    if (tsr_spv_skips(s, id)) return;
    put_line(s, inst->span);
    uint32_t value = r->hand ? r->hand(s, id) : emit_regular(s, r, inst);
    s->value_ids[id] = value;
    if (value >= before) tsr_spv_name_sym(s, value, inst->name); /* not when it is another's value */
}
