/* Numbers, where WGSL says more than SPIR-V does: division by zero, shifts, conversions out of range, and the like.
 * Source: WGSL, "Arithmetic Expressions", "Bit Expressions", "Floating Point Conversion"; Vulkan, "Precision and
 * Operation of SPIR-V Instructions". */
#include "base/number.h"
#include "emit/spirv.h"

static bool is_float(tsr_type_kind kind)
{
    return kind == TSR_T_f32 || kind == TSR_T_f16;
}

static uint32_t bools_like(tsr_spv *s, tsr_type type)
{
    return tsr_spv_vec_type(s, TSR_T_bool, tsr_type_width(s->types, type));
}

/* ---- Division. */

/* Calls for components that are constants: whether all of them pass. */
static bool all_components(const tsr_spv *s, tsr_id id, bool (*pass)(uint32_t bits))
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    if (inst->op == TSR_OP_const) return pass((uint32_t)tsr_constant_bits(s->ir, inst));
    if (inst->op != TSR_OP_compose && inst->op != TSR_OP_splat) return false;
    for (uint32_t i = 0; i < inst->nargs; i++) {
        const tsr_inst *part = tsr_inst_at(s->ir, tsr_arg(s->ir, inst, i));
        if (part->op != TSR_OP_const || !pass((uint32_t)tsr_constant_bits(s->ir, part))) return false;
    }
    return true;
}

static bool is_safe_divisor(uint32_t bits)
{
    return bits != 0 && bits != UINT32_MAX; /* -1 overflows with the least i32; as u32 it is merely rare */
}

/* The divisor, or 1 where the quotient is not defined: a / 1 and a % 1 are what WGSL gives there. */
static uint32_t safe_divisor(tsr_spv *s, const tsr_inst *inst, uint32_t a, uint32_t b)
{
    uint32_t type = tsr_spv_type(s, inst->type), bools = bools_like(s, inst->type);
    if (all_components(s, tsr_arg(s->ir, inst, 1), is_safe_divisor)) return b;
    uint32_t bad = SPV_VALUE(s, SPV_IEqual, bools, b, tsr_spv_number(s, inst->type, 0));
    if (tsr_spv_kind(s, inst->type) == TSR_T_i32) {
        uint32_t least = SPV_VALUE(s, SPV_IEqual, bools, a, tsr_spv_number(s, inst->type, INT32_MIN));
        uint32_t minus = SPV_VALUE(s, SPV_IEqual, bools, b, tsr_spv_number(s, inst->type, -1));
        bad = SPV_VALUE(s, SPV_LogicalOr, bools, bad, SPV_VALUE(s, SPV_LogicalAnd, bools, least, minus));
    }
    return SPV_VALUE(s, SPV_Select, type, bad, tsr_spv_number(s, inst->type, 1), b);
}

/* OpSRem is not defined for negative operands in Vulkan, so the remainder of i32 is worked out. */
uint32_t tsr_spv_emit_divide(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    bool quotient = inst->op == TSR_OP_div;
    uint32_t type = tsr_spv_type(s, inst->type), a = tsr_spv_arg(s, inst, 0), b = tsr_spv_arg(s, inst, 1);
    tsr_type_kind kind = tsr_spv_kind(s, inst->type);
    if (is_float(kind)) return SPV_VALUE(s, quotient ? SPV_FDiv : SPV_FRem, type, a, b);
    uint32_t d = safe_divisor(s, inst, a, b);
    if (kind == TSR_T_u32) return SPV_VALUE(s, quotient ? SPV_UDiv : SPV_UMod, type, a, d);
    uint32_t q = SPV_VALUE(s, SPV_SDiv, type, a, d);
    return quotient ? q : SPV_VALUE(s, SPV_ISub, type, a, SPV_VALUE(s, SPV_IMul, type, q, d));
}

/* ---- Bits. */

static bool is_shift(uint32_t bits)
{
    return bits < 32;
}

uint32_t tsr_spv_emit_shift(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    uint32_t a = tsr_spv_arg(s, inst, 0), b = tsr_spv_arg(s, inst, 1);
    tsr_type by = tsr_spv_arg_type(s, inst, 1);
    if (!all_components(s, tsr_arg(s->ir, inst, 1), is_shift))
        b = SPV_VALUE(s, SPV_BitwiseAnd, tsr_spv_type(s, by), b, tsr_spv_number(s, by, 31));
    tsr_spv_op op = inst->op == TSR_OP_shl                     ? SPV_ShiftLeftLogical
                    : tsr_spv_kind(s, inst->type) == TSR_T_i32 ? SPV_ShiftRightArithmetic
                                                               : SPV_ShiftRightLogical;
    return SPV_VALUE(s, op, tsr_spv_type(s, inst->type), a, b);
}

/* FindUMsb and FindILsb give all ones when there is no bit: 31 - that is 32, and its minimum with 32 as well. */
uint32_t tsr_spv_emit_count_zeros(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    uint32_t type = tsr_spv_type(s, inst->type), a = tsr_spv_arg(s, inst, 0);
    unsigned count = tsr_type_width(s->types, inst->type);
    uint32_t unsigned_type = tsr_spv_vec_type(s, TSR_T_u32, count);
    if (unsigned_type != type) a = SPV_VALUE(s, SPV_Bitcast, unsigned_type, a);
    uint32_t n = inst->op == TSR_OP_count_leading_zeros ? 31 : 32;
    n = tsr_spv_splat_constant(s, tsr_spv_u32(s, n), unsigned_type, count);
    uint32_t r;
    if (inst->op == TSR_OP_count_leading_zeros)
        r = SPV_VALUE(s, SPV_ISub, unsigned_type, n, SPV_EXT(s, FindUMsb, unsigned_type, a));
    else
        r = SPV_EXT(s, UMin, unsigned_type, SPV_EXT(s, FindILsb, unsigned_type, a), n);
    return unsigned_type == type ? r : SPV_VALUE(s, SPV_Bitcast, type, r);
}

/* Component c of a scalar (c of 0) or vector. */
static uint32_t component(tsr_spv *s, uint32_t value, tsr_type type, unsigned c)
{
    if (tsr_type_width(s->types, type) == 1) return value;
    return SPV_VALUE(s, SPV_CompositeExtract, tsr_spv_type(s, tsr_type_scalar(s->types, type)), value, c);
}

/* min(offset, 32) and min(count, 32 - that): WGSL clamps where SPIR-V is undefined. */
static void clamp_bits(tsr_spv *s, uint32_t *offset, uint32_t *count)
{
    uint32_t type = tsr_spv_type(s, TSR_T_u32), width = tsr_spv_u32(s, 32);
    *offset = SPV_EXT(s, UMin, type, *offset, width);
    *count = SPV_EXT(s, UMin, type, *count, SPV_VALUE(s, SPV_ISub, type, width, *offset));
}

static uint32_t emit_bit_field(tsr_spv *s, const tsr_inst *inst, uint32_t type, const uint32_t *args)
{
    bool insert = inst->op == TSR_OP_insert_bits;
    uint32_t offset = args[insert ? 2 : 1], count = args[insert ? 3 : 2];
    clamp_bits(s, &offset, &count);
    if (insert) return SPV_VALUE(s, SPV_BitFieldInsert, type, args[0], args[1], offset, count);
    bool is_signed = tsr_spv_kind(s, inst->type) == TSR_T_i32;
    return SPV_VALUE(s, is_signed ? SPV_BitFieldSExtract : SPV_BitFieldUExtract, type, args[0], offset, count);
}

/* The scalar that every component of the operand is, 0 when that is not known. */
static tsr_id splatted(const tsr_spv *s, const tsr_inst *inst, uint32_t i)
{
    tsr_id arg = tsr_arg(s->ir, inst, i);
    const tsr_inst *a = tsr_inst_at(s->ir, arg);
    if (a->op == TSR_OP_splat) return tsr_arg(s->ir, a, 0);
    return tsr_type_is_scalar(s->types, a->type) ? arg : 0;
}

/* Offset and count are scalars in SPIR-V, so what differs by component goes component by component. */
uint32_t tsr_spv_emit_bits(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    uint32_t first = inst->nargs - 2, args[4] = {0}, parts[4], type = tsr_spv_type(s, inst->type);
    unsigned width = tsr_type_width(s->types, inst->type);
    tsr_id offset = splatted(s, inst, first), count = splatted(s, inst, first + 1);
    for (uint32_t i = 0; i < first; i++)
        args[i] = tsr_spv_arg(s, inst, i);
    if (offset && count) {
        args[first] = tsr_spv_use(s, offset);
        args[first + 1] = tsr_spv_use(s, count);
        return emit_bit_field(s, inst, type, args);
    }
    uint32_t scalar = tsr_spv_type(s, tsr_type_scalar(s->types, inst->type));
    for (unsigned c = 0; c < width; c++) {
        for (uint32_t i = 0; i < inst->nargs; i++)
            args[i] = component(s, tsr_spv_arg(s, inst, i), tsr_spv_arg_type(s, inst, i), c);
        parts[c] = emit_bit_field(s, inst, scalar, args);
    }
    return tsr_spv_value(s, SPV_CompositeConstruct, type, parts, width);
}

/* ---- Conversions. */

/* Float to integer: NaN gives 0, the rest is clamped to the floats that the integer type holds. */
static uint32_t float_to_int(tsr_spv *s, const tsr_inst *inst, uint32_t a, tsr_type_kind from, tsr_type_kind to)
{
    const float greatest_i32 = 2147483520.0f, greatest_u32 = 4294967040.0f; /* the greatest f32 below 2^31 and 2^32 */
    unsigned count = tsr_type_width(s->types, inst->type);
    uint32_t floats = tsr_spv_vec_type(s, TSR_T_f32, count), bools = bools_like(s, inst->type);
    bool is_signed = to == TSR_T_i32;
    if (from == TSR_T_f16) a = SPV_VALUE(s, SPV_FConvert, floats, a);
    uint32_t zero = tsr_spv_scalar(s, TSR_T_f32, 0), low = zero, high;
    if (is_signed) low = tsr_spv_scalar(s, TSR_T_f32, tsr_bits_from_f32(-2147483648.0f));
    high = tsr_spv_scalar(s, TSR_T_f32, tsr_bits_from_f32(is_signed ? greatest_i32 : greatest_u32));
    zero = tsr_spv_splat_constant(s, zero, floats, count);
    low = tsr_spv_splat_constant(s, low, floats, count);
    high = tsr_spv_splat_constant(s, high, floats, count);
    if (is_signed) /* for u32, the clamp below makes 0 of a NaN by itself: NMax gives the other operand */
        a = SPV_VALUE(s, SPV_Select, floats, SPV_VALUE(s, SPV_FOrdEqual, bools, a, a), a, zero);
    a = SPV_EXT(s, NClamp, floats, a, low, high);
    return SPV_VALUE(s, is_signed ? SPV_ConvertFToS : SPV_ConvertFToU, tsr_spv_type(s, inst->type), a);
}

uint32_t tsr_spv_emit_convert(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    tsr_type source = tsr_spv_arg_type(s, inst, 0);
    tsr_type_kind from = tsr_spv_kind(s, source), to = tsr_spv_kind(s, inst->type);
    uint32_t a = tsr_spv_arg(s, inst, 0), type = tsr_spv_type(s, inst->type);
    if (from == to) return a;
    if (from == TSR_T_bool)
        return SPV_VALUE(s, SPV_Select, type, a, tsr_spv_number(s, inst->type, 1), tsr_spv_number(s, inst->type, 0));
    if (to == TSR_T_bool)
        return SPV_VALUE(s, is_float(from) ? SPV_FUnordNotEqual : SPV_INotEqual, type, a, tsr_spv_number(s, source, 0));
    if (is_float(from) && is_float(to)) return SPV_VALUE(s, SPV_FConvert, type, a);
    if (is_float(from)) return float_to_int(s, inst, a, from, to);
    if (is_float(to)) return SPV_VALUE(s, from == TSR_T_i32 ? SPV_ConvertSToF : SPV_ConvertUToF, type, a);
    return SPV_VALUE(s, SPV_Bitcast, type, a);
}

uint32_t tsr_spv_emit_bitcast(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    uint32_t a = tsr_spv_arg(s, inst, 0);
    if (tsr_spv_arg_type(s, inst, 0) == inst->type) return a;
    return SPV_VALUE(s, SPV_Bitcast, tsr_spv_type(s, inst->type), a);
}

/* ---- Choice and range. */

uint32_t tsr_spv_emit_select(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    return SPV_VALUE(s, SPV_Select, tsr_spv_type(s, inst->type), tsr_spv_arg(s, inst, 2), tsr_spv_arg(s, inst, 1),
                     tsr_spv_arg(s, inst, 0));
}

uint32_t tsr_spv_emit_any_all(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    uint32_t a = tsr_spv_arg(s, inst, 0);
    if (tsr_type_width(s->types, tsr_spv_arg_type(s, inst, 0)) == 1) return a;
    return SPV_VALUE(s, inst->op == TSR_OP_any ? SPV_Any : SPV_All, tsr_spv_type(s, TSR_T_bool), a);
}

uint32_t tsr_spv_emit_abs(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    uint32_t a = tsr_spv_arg(s, inst, 0), type = tsr_spv_type(s, inst->type);
    switch (tsr_spv_kind(s, inst->type)) {
    case TSR_T_u32: return a;
    case TSR_T_i32: return SPV_EXT(s, SAbs, type, a);
    default: return SPV_EXT(s, FAbs, type, a);
    }
}

/* Not GLSL's clamps: these are undefined when the lower end is above the upper one. */
uint32_t tsr_spv_emit_clamp(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    uint32_t a = tsr_spv_arg(s, inst, 0), low = tsr_spv_arg(s, inst, 1), high = tsr_spv_arg(s, inst, 2);
    uint32_t type = tsr_spv_type(s, inst->type);
    switch (tsr_spv_kind(s, inst->type)) {
    case TSR_T_u32: return SPV_EXT(s, UMin, type, SPV_EXT(s, UMax, type, a, low), high);
    case TSR_T_i32: return SPV_EXT(s, SMin, type, SPV_EXT(s, SMax, type, a, low), high);
    default: return SPV_EXT(s, NMin, type, SPV_EXT(s, NMax, type, a, low), high);
    }
}

uint32_t tsr_spv_emit_saturate(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    return SPV_EXT(s, NClamp, tsr_spv_type(s, inst->type), tsr_spv_arg(s, inst, 0), tsr_spv_number(s, inst->type, 0),
                   tsr_spv_number(s, inst->type, 1));
}

/* Not GLSL's: that one is undefined when the edges are in the other order. */
uint32_t tsr_spv_emit_smoothstep(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    uint32_t low = tsr_spv_arg(s, inst, 0), high = tsr_spv_arg(s, inst, 1), x = tsr_spv_arg(s, inst, 2);
    uint32_t type = tsr_spv_type(s, inst->type);
    uint32_t zero = tsr_spv_number(s, inst->type, 0), one = tsr_spv_number(s, inst->type, 1);
    uint32_t t =
        SPV_VALUE(s, SPV_FDiv, type, SPV_VALUE(s, SPV_FSub, type, x, low), SPV_VALUE(s, SPV_FSub, type, high, low));
    t = SPV_EXT(s, NClamp, type, t, zero, one);
    uint32_t twice = SPV_VALUE(s, SPV_FMul, type, t, tsr_spv_number(s, inst->type, 2));
    uint32_t rest = SPV_VALUE(s, SPV_FSub, type, tsr_spv_number(s, inst->type, 3), twice);
    return SPV_VALUE(s, SPV_FMul, type, SPV_VALUE(s, SPV_FMul, type, t, t), rest);
}

/* ---- Linear algebra. */

uint32_t tsr_spv_emit_dot(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    uint32_t type = tsr_spv_type(s, inst->type), a = tsr_spv_arg(s, inst, 0), b = tsr_spv_arg(s, inst, 1), sum = 0;
    tsr_type vec = tsr_spv_arg_type(s, inst, 0);
    if (is_float(tsr_spv_kind(s, inst->type))) return SPV_VALUE(s, SPV_Dot, type, a, b);
    for (unsigned c = 0; c < tsr_type_width(s->types, vec); c++) {
        uint32_t product = SPV_VALUE(s, SPV_IMul, type, component(s, a, vec, c), component(s, b, vec, c));
        sum = c == 0 ? product : SPV_VALUE(s, SPV_IAdd, type, sum, product);
    }
    return sum;
}

uint32_t tsr_spv_emit_mat_mul(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    bool left = tsr_type_kind_of(s->types, tsr_spv_arg_type(s, inst, 0)) == TSR_T_mat;
    bool right = tsr_type_kind_of(s->types, tsr_spv_arg_type(s, inst, 1)) == TSR_T_mat;
    tsr_spv_op op = left && right ? SPV_MatrixTimesMatrix : left ? SPV_MatrixTimesVector : SPV_VectorTimesMatrix;
    return SPV_VALUE(s, op, tsr_spv_type(s, inst->type), tsr_spv_arg(s, inst, 0), tsr_spv_arg(s, inst, 1));
}

uint32_t tsr_spv_emit_mat_sum(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    const tsr_type_info *info = tsr_type_get(s->types, inst->type);
    uint32_t column = tsr_spv_vec_type(s, info->elem, info->rows), columns[4];
    uint32_t a = tsr_spv_arg(s, inst, 0), b = tsr_spv_arg(s, inst, 1);
    for (uint32_t c = 0; c < info->count; c++)
        columns[c] = SPV_VALUE(s, inst->op == TSR_OP_mat_add ? SPV_FAdd : SPV_FSub, column,
                               SPV_VALUE(s, SPV_CompositeExtract, column, a, c),
                               SPV_VALUE(s, SPV_CompositeExtract, column, b, c));
    return tsr_spv_value(s, SPV_CompositeConstruct, tsr_spv_type(s, inst->type), columns, info->count);
}
