/* Packing. The formulas are WGSL's, which round in another way than GLSL's functions of the same names. Source: WGSL,
 * "Data Packing Built-in Functions", "Data Unpacking Built-in Functions". */
#include "emit/spirv.h"

/* How many parts a word has, and how wide they are. */
struct pack {
    unsigned count, bits;
    bool is_signed;
};

static struct pack pack_of(tsr_op op)
{
    switch (op) {
    case TSR_OP_pack2x16snorm:
    case TSR_OP_unpack2x16snorm: return (struct pack){2, 16, true};
    case TSR_OP_pack2x16unorm:
    case TSR_OP_unpack2x16unorm: return (struct pack){2, 16, false};
    case TSR_OP_pack4x8snorm:
    case TSR_OP_unpack4x8snorm:
    case TSR_OP_pack4xi8:
    case TSR_OP_pack4xi8_clamp:
    case TSR_OP_unpack4xi8:
    case TSR_OP_dot4_i8: return (struct pack){4, 8, true};
    default: return (struct pack){4, 8, false};
    }
}

/* The low bits of each part side by side; parts is a vector of u32 or i32. */
static uint32_t join(tsr_spv *s, uint32_t parts, tsr_type_kind kind, const struct pack *p)
{
    uint32_t type = tsr_spv_type(s, TSR_T_u32), part = tsr_spv_type(s, kind), word = 0;
    for (unsigned c = 0; c < p->count; c++) {
        uint32_t bits = SPV_VALUE(s, SPV_CompositeExtract, part, parts, c);
        if (kind == TSR_T_i32) bits = SPV_VALUE(s, SPV_Bitcast, type, bits);
        bits = SPV_VALUE(s, SPV_BitwiseAnd, type, bits, tsr_spv_u32(s, (1u << p->bits) - 1));
        if (c > 0) bits = SPV_VALUE(s, SPV_ShiftLeftLogical, type, bits, tsr_spv_u32(s, c * p->bits));
        word = c == 0 ? bits : SPV_VALUE(s, SPV_BitwiseOr, type, word, bits);
    }
    return word;
}

/* The parts of a word as a vector of u32 or i32, with their sign. */
static uint32_t split(tsr_spv *s, uint32_t word, const struct pack *p)
{
    uint32_t parts[4], width = tsr_spv_u32(s, p->bits);
    tsr_type kind = p->is_signed ? TSR_T_i32 : TSR_T_u32;
    uint32_t type = tsr_spv_type(s, kind);
    if (p->is_signed) word = SPV_VALUE(s, SPV_Bitcast, type, word);
    for (unsigned c = 0; c < p->count; c++)
        parts[c] = SPV_VALUE(s, p->is_signed ? SPV_BitFieldSExtract : SPV_BitFieldUExtract, type, word,
                             tsr_spv_u32(s, c * p->bits), width);
    return tsr_spv_value(s, SPV_CompositeConstruct, tsr_spv_vec_type(s, kind, p->count), parts, p->count);
}

/* The greatest part: 127, 255, 32767, 65535. */
static double norm_scale(const struct pack *p)
{
    return (1u << (p->is_signed ? p->bits - 1 : p->bits)) - 1;
}

/* floor(0.5 + scale * clamp(a)). */
uint32_t tsr_spv_emit_pack_norm(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    struct pack p = pack_of((tsr_op)inst->op);
    tsr_type vec = tsr_spv_arg_type(s, inst, 0);
    uint32_t floats = tsr_spv_type(s, vec), a = tsr_spv_arg(s, inst, 0);
    a = SPV_EXT(s, NClamp, floats, a, tsr_spv_number(s, vec, p.is_signed ? -1 : 0), tsr_spv_number(s, vec, 1));
    a = SPV_VALUE(s, SPV_FMul, floats, a, tsr_spv_number(s, vec, norm_scale(&p)));
    a = SPV_EXT(s, Floor, floats, SPV_VALUE(s, SPV_FAdd, floats, a, tsr_spv_number(s, vec, 0.5)));
    tsr_type kind = p.is_signed ? TSR_T_i32 : TSR_T_u32;
    uint32_t ints = tsr_spv_vec_type(s, kind, p.count);
    a = SPV_VALUE(s, p.is_signed ? SPV_ConvertFToS : SPV_ConvertFToU, ints, a);
    return join(s, a, (tsr_type_kind)kind, &p);
}

/* part / scale, at least -1. */
uint32_t tsr_spv_emit_unpack_norm(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    struct pack p = pack_of((tsr_op)inst->op);
    uint32_t floats = tsr_spv_type(s, inst->type), parts = split(s, tsr_spv_arg(s, inst, 0), &p);
    uint32_t a = SPV_VALUE(s, p.is_signed ? SPV_ConvertSToF : SPV_ConvertUToF, floats, parts);
    a = SPV_VALUE(s, SPV_FDiv, floats, a, tsr_spv_number(s, inst->type, norm_scale(&p)));
    return p.is_signed ? SPV_EXT(s, FMax, floats, a, tsr_spv_number(s, inst->type, -1)) : a;
}

uint32_t tsr_spv_emit_pack_int(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    struct pack p = pack_of((tsr_op)inst->op);
    tsr_type vec = tsr_spv_arg_type(s, inst, 0);
    uint32_t a = tsr_spv_arg(s, inst, 0), ints = tsr_spv_type(s, vec);
    if (inst->op == TSR_OP_pack4xi8_clamp)
        a = SPV_EXT(s, SClamp, ints, a, tsr_spv_number(s, vec, INT8_MIN), tsr_spv_number(s, vec, INT8_MAX));
    if (inst->op == TSR_OP_pack4xu8_clamp) a = SPV_EXT(s, UMin, ints, a, tsr_spv_number(s, vec, UINT8_MAX));
    return join(s, a, tsr_spv_kind(s, vec), &p);
}

uint32_t tsr_spv_emit_unpack_int(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    struct pack p = pack_of((tsr_op)inst->op);
    return split(s, tsr_spv_arg(s, inst, 0), &p);
}

uint32_t tsr_spv_emit_pack_half(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    return SPV_EXT(s, PackHalf2x16, tsr_spv_type(s, inst->type), tsr_spv_arg(s, inst, 0));
}

uint32_t tsr_spv_emit_unpack_half(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    return SPV_EXT(s, UnpackHalf2x16, tsr_spv_type(s, inst->type), tsr_spv_arg(s, inst, 0));
}

/* ---- dot4U8Packed, dot4I8Packed: an instruction in SPIR-V 1.6, worked out before. */

static uint32_t dot_by_parts(tsr_spv *s, const tsr_inst *inst, const struct pack *p, uint32_t type)
{
    uint32_t a = split(s, tsr_spv_arg(s, inst, 0), p), b = split(s, tsr_spv_arg(s, inst, 1), p);
    uint32_t ints = tsr_spv_vec_type(s, p->is_signed ? TSR_T_i32 : TSR_T_u32, p->count), sum = 0;
    uint32_t products = SPV_VALUE(s, SPV_IMul, ints, a, b);
    for (unsigned c = 0; c < p->count; c++) {
        uint32_t product = SPV_VALUE(s, SPV_CompositeExtract, type, products, c);
        sum = c == 0 ? product : SPV_VALUE(s, SPV_IAdd, type, sum, product);
    }
    return sum;
}

uint32_t tsr_spv_emit_dot4(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    struct pack p = pack_of((tsr_op)inst->op);
    uint32_t type = tsr_spv_type(s, inst->type);
    if (s->version < SPV_VERSION(1, 6)) return dot_by_parts(s, inst, &p, type);
    tsr_spv_capability(s, SPV_Capability_DotProduct);
    tsr_spv_capability(s, SPV_Capability_DotProductInput4x8BitPacked);
    return SPV_VALUE(s, p.is_signed ? SPV_SDot : SPV_UDot, type, tsr_spv_arg(s, inst, 0), tsr_spv_arg(s, inst, 1),
                     SPV_PackedVectorFormat_PackedVectorFormat4x8Bit);
}
