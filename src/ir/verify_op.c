/* Operand and result types of every op: one row an op, letters for classes of types; what letters cannot say is a
 * function of the row. The op table itself (op.def) says how many operands there are and how SAME, BOOLS ... follow. */
#include "ir/verifier.h"

/* Operands, one letter each:
 *   n number   s number with sign   f float   i integer   b bool   e integer or bool   x any: scalars and vectors
 *   = the type of operand 0         u u32, I i32, B bool: with the width of operand 0
 *   L bool   U u32   Z i32   J i32 or u32   S the scalar of operand 0
 *   w vector of numbers   v vector of floats   3 vec3 of floats   m matrix
 *   g f32 or vector of it   F vec4<f32>   G vec2<f32>   4 vec4<i32>   5 vec4<u32>
 *   . anything: the function looks
 * result: one letter as well, for TYPED ops; '.' the function looks. */
struct rule {
    const char *args;
    char result;
    bool (*check)(tsr_verifier *v, tsr_id id, const tsr_inst *inst);
};

#define ROW(name, args, result, check) [TSR_OP_##name] = {args, result, check},
static const struct rule rules[TSR_OP_COUNT] = {
    ROW(const, "", '.', tsr_check_const)
    ROW(zero, "", '.', tsr_check_zero)
    ROW(override, "", '.', tsr_check_override)
    ROW(compose, NULL, '.', tsr_check_compose)
    ROW(splat, ".", '.', tsr_check_splat)
    ROW(extract, ".", '.', tsr_check_extract)
    ROW(element, ".J", '.', tsr_check_element)
    ROW(swizzle, ".", '.', tsr_check_swizzle)
    ROW(insert, "..", '.', tsr_check_insert)
    ROW(neg, "s", 0, NULL)
    ROW(not, "b", 0, NULL)
    ROW(bitnot, "i", 0, NULL)
    ROW(add, "n=", 0, NULL)
    ROW(sub, "n=", 0, NULL)
    ROW(mul, "n=", 0, NULL)
    ROW(div, "n=", 0, NULL)
    ROW(rem, "n=", 0, NULL)
    ROW(and, "e=", 0, NULL)
    ROW(or, "e=", 0, NULL)
    ROW(xor, "i=", 0, NULL)
    ROW(shl, "iu", 0, NULL)
    ROW(shr, "iu", 0, NULL)
    ROW(land, "LL", 0, NULL)
    ROW(lor, "LL", 0, NULL)
    ROW(eq, "x=", 0, NULL)
    ROW(ne, "x=", 0, NULL)
    ROW(lt, "n=", 0, NULL)
    ROW(le, "n=", 0, NULL)
    ROW(gt, "n=", 0, NULL)
    ROW(ge, "n=", 0, NULL)
    ROW(select, "x=B", 0, NULL)
    ROW(any, "b", 'L', NULL)
    ROW(all, "b", 'L', NULL)
    ROW(convert, "x", 'x', tsr_check_convert)
    ROW(bitcast, "n", 'n', tsr_check_bitcast)
    ROW(dot, "w=", 0, NULL)
    ROW(mat_mul, "..", '.', tsr_check_mat_mul)
    ROW(mat_scale, "mS", 0, NULL)
    ROW(mat_add, "m=", 0, NULL)
    ROW(mat_sub, "m=", 0, NULL)
    ROW(transpose, "m", 'm', tsr_check_transpose)
    ROW(determinant, "m", '.', tsr_check_determinant)
    ROW(abs, "n", 0, NULL)
    ROW(sign, "s", 0, NULL)
    ROW(min, "n=", 0, NULL)
    ROW(max, "n=", 0, NULL)
    ROW(clamp, "n==", 0, NULL)
    ROW(saturate, "f", 0, NULL)
    ROW(floor, "f", 0, NULL)
    ROW(ceil, "f", 0, NULL)
    ROW(round, "f", 0, NULL)
    ROW(trunc, "f", 0, NULL)
    ROW(fract, "f", 0, NULL)
    ROW(sqrt, "f", 0, NULL)
    ROW(inverse_sqrt, "f", 0, NULL)
    ROW(exp, "f", 0, NULL)
    ROW(exp2, "f", 0, NULL)
    ROW(log, "f", 0, NULL)
    ROW(log2, "f", 0, NULL)
    ROW(pow, "f=", 0, NULL)
    ROW(sin, "f", 0, NULL)
    ROW(cos, "f", 0, NULL)
    ROW(tan, "f", 0, NULL)
    ROW(asin, "f", 0, NULL)
    ROW(acos, "f", 0, NULL)
    ROW(atan, "f", 0, NULL)
    ROW(atan2, "f=", 0, NULL)
    ROW(sinh, "f", 0, NULL)
    ROW(cosh, "f", 0, NULL)
    ROW(tanh, "f", 0, NULL)
    ROW(asinh, "f", 0, NULL)
    ROW(acosh, "f", 0, NULL)
    ROW(atanh, "f", 0, NULL)
    ROW(degrees, "f", 0, NULL)
    ROW(radians, "f", 0, NULL)
    ROW(fma, "f==", 0, NULL)
    ROW(mix, "f==", 0, NULL)
    ROW(step, "f=", 0, NULL)
    ROW(smoothstep, "f==", 0, NULL)
    ROW(quantize_f16, "g", 0, NULL)
    ROW(ldexp, "fI", 0, NULL)
    ROW(frexp, "f", '.', tsr_check_frexp)
    ROW(modf, "f", '.', tsr_check_modf)
    ROW(count_leading_zeros, "i", 0, NULL)
    ROW(count_trailing_zeros, "i", 0, NULL)
    ROW(count_one_bits, "i", 0, NULL)
    ROW(reverse_bits, "i", 0, NULL)
    ROW(first_leading_bit, "i", 0, NULL)
    ROW(first_trailing_bit, "i", 0, NULL)
    ROW(extract_bits, "iuu", 0, NULL)
    ROW(insert_bits, "i=uu", 0, NULL)
    ROW(length, "f", 0, NULL)
    ROW(distance, "f=", 0, NULL)
    ROW(normalize, "v", 0, NULL)
    ROW(cross, "3=", 0, NULL)
    ROW(face_forward, "v==", 0, NULL)
    ROW(reflect, "v=", 0, NULL)
    ROW(refract, "v=S", 0, NULL)
    ROW(pack4x8snorm, "F", 'U', NULL)
    ROW(pack4x8unorm, "F", 'U', NULL)
    ROW(pack4xi8, "4", 'U', NULL)
    ROW(pack4xu8, "5", 'U', NULL)
    ROW(pack4xi8_clamp, "4", 'U', NULL)
    ROW(pack4xu8_clamp, "5", 'U', NULL)
    ROW(pack2x16snorm, "G", 'U', NULL)
    ROW(pack2x16unorm, "G", 'U', NULL)
    ROW(pack2x16float, "G", 'U', NULL)
    ROW(unpack4x8snorm, "U", 'F', NULL)
    ROW(unpack4x8unorm, "U", 'F', NULL)
    ROW(unpack4xi8, "U", '4', NULL)
    ROW(unpack4xu8, "U", '5', NULL)
    ROW(unpack2x16snorm, "U", 'G', NULL)
    ROW(unpack2x16unorm, "U", 'G', NULL)
    ROW(unpack2x16float, "U", 'G', NULL)
    ROW(dot4_u8, "UU", 'U', NULL)
    ROW(dot4_i8, "UU", 'Z', NULL)
    ROW(var, NULL, '.', tsr_check_var)
    ROW(global, NULL, '.', tsr_check_global)
    ROW(field, ".", '.', tsr_check_field)
    ROW(index, ".J", '.', tsr_check_index)
    ROW(load, ".", '.', tsr_check_load)
    ROW(store, "..", 0, tsr_check_store)
    ROW(array_length, ".", 'U', tsr_check_array_length)
    ROW(atomic_load, ".", '.', tsr_check_atomic)
    ROW(atomic_store, "..", 0, tsr_check_atomic)
    ROW(atomic_add, "..", 0, tsr_check_atomic)
    ROW(atomic_sub, "..", 0, tsr_check_atomic)
    ROW(atomic_max, "..", 0, tsr_check_atomic)
    ROW(atomic_min, "..", 0, tsr_check_atomic)
    ROW(atomic_and, "..", 0, tsr_check_atomic)
    ROW(atomic_or, "..", 0, tsr_check_atomic)
    ROW(atomic_xor, "..", 0, tsr_check_atomic)
    ROW(atomic_exchange, "..", 0, tsr_check_atomic)
    ROW(atomic_cas, "...", '.', tsr_check_atomic)
    ROW(barrier_workgroup, "", 0, NULL)
    ROW(barrier_storage, "", 0, NULL)
    ROW(barrier_texture, "", 0, NULL)
    ROW(barrier_subgroup, "", 0, NULL)
    ROW(load_uniform, ".", '.', tsr_check_load_uniform)
    ROW(sg_elect, "", 'L', NULL)
    ROW(sg_all, "L", 'L', NULL)
    ROW(sg_any, "L", 'L', NULL)
    ROW(sg_ballot, "L", '5', NULL)
    ROW(sg_add, "n", 0, NULL)
    ROW(sg_mul, "n", 0, NULL)
    ROW(sg_min, "n", 0, NULL)
    ROW(sg_max, "n", 0, NULL)
    ROW(sg_and, "i", 0, NULL)
    ROW(sg_or, "i", 0, NULL)
    ROW(sg_xor, "i", 0, NULL)
    ROW(sg_inclusive_add, "n", 0, NULL)
    ROW(sg_inclusive_mul, "n", 0, NULL)
    ROW(sg_exclusive_add, "n", 0, NULL)
    ROW(sg_exclusive_mul, "n", 0, NULL)
    ROW(sg_broadcast, "nJ", 0, tsr_check_const_lane)
    ROW(sg_broadcast_first, "n", 0, NULL)
    ROW(sg_shuffle, "nJ", 0, NULL)
    ROW(sg_shuffle_down, "nU", 0, NULL)
    ROW(sg_shuffle_up, "nU", 0, NULL)
    ROW(sg_shuffle_xor, "nU", 0, NULL)
    ROW(quad_broadcast, "nJ", 0, tsr_check_const_lane)
    ROW(quad_swap_x, "n", 0, NULL)
    ROW(quad_swap_y, "n", 0, NULL)
    ROW(quad_swap_diagonal, "n", 0, NULL)
    ROW(mfill, ".", '.', tsr_check_mfill)
    ROW(mload, ".UU", '.', tsr_check_mload)
    ROW(mstore, ".UU.", 0, tsr_check_mstore)
    ROW(mma, "...", '.', tsr_check_mma)
    ROW(madd, "..", 0, tsr_check_mscalar)
    ROW(msub, "..", 0, tsr_check_mscalar)
    ROW(mscale, "..", 0, tsr_check_mscalar)
    ROW(if, "L", 0, NULL)
    ROW(loop, "", 0, NULL)
    ROW(switch, "J", 0, tsr_check_switch)
    ROW(break, "", 0, NULL)
    ROW(continue, "", 0, NULL)
    ROW(break_if, "L", 0, NULL)
    ROW(return, NULL, 0, tsr_check_return)
    ROW(unreachable, "", 0, NULL)
    ROW(discard, "", 0, NULL)
    ROW(call, NULL, '.', tsr_check_call)
    ROW(builtin_call, NULL, '.', tsr_check_builtin_call)
};
#undef ROW

/* What the shape of a scalar or vector is: its scalar and its width; width 0 for everything else. */
struct shape {
    tsr_type scalar;
    unsigned width;
};

static struct shape shape_of(const tsr_types *t, tsr_type type)
{
    const tsr_type_info *i = tsr_type_get(t, type);
    if (i->kind == TSR_T_vec) return (struct shape){i->elem, i->count};
    if (tsr_type_is_scalar(t, type)) return (struct shape){type, 1};
    return (struct shape){0, 0};
}

static bool is_float(tsr_type scalar)
{
    return scalar == TSR_T_f32 || scalar == TSR_T_f16;
}

static bool is_integer(tsr_type scalar)
{
    return scalar == TSR_T_i32 || scalar == TSR_T_u32;
}

static bool is_vec(const tsr_types *t, tsr_type type, tsr_type elem, unsigned count)
{
    const struct shape s = shape_of(t, type);
    return s.scalar == elem && s.width == count;
}

/* Whether a type is of the class that a letter stands for; `first` is the type of operand 0. */
static bool is_of_class(const tsr_types *t, char letter, tsr_type type, tsr_type first)
{
    const struct shape s = shape_of(t, type), s0 = shape_of(t, first);
    switch (letter) {
    case 'n': return is_float(s.scalar) || is_integer(s.scalar);
    case 's': return is_float(s.scalar) || s.scalar == TSR_T_i32;
    case 'f': return is_float(s.scalar);
    case 'i': return is_integer(s.scalar);
    case 'b': return s.scalar == TSR_T_bool;
    case 'e': return is_integer(s.scalar) || s.scalar == TSR_T_bool;
    case 'x': return s.width > 0;
    case '=': return type == first;
    case 'u': return s.scalar == TSR_T_u32 && s.width == s0.width;
    case 'I': return s.scalar == TSR_T_i32 && s.width == s0.width;
    case 'B': return s.scalar == TSR_T_bool && s.width == s0.width;
    case 'L': return type == TSR_T_bool;
    case 'U': return type == TSR_T_u32;
    case 'Z': return type == TSR_T_i32;
    case 'J': return is_integer(type);
    case 'S': return type != 0 && type == tsr_type_scalar(t, first);
    case 'w': return (is_float(s.scalar) || is_integer(s.scalar)) && s.width > 1;
    case 'v': return is_float(s.scalar) && s.width > 1;
    case '3': return is_float(s.scalar) && s.width == 3;
    case 'm': return tsr_type_kind_of(t, type) == TSR_T_mat;
    case 'g': return s.scalar == TSR_T_f32;
    case 'F': return is_vec(t, type, TSR_T_f32, 4);
    case 'G': return is_vec(t, type, TSR_T_f32, 2);
    case '4': return is_vec(t, type, TSR_T_i32, 4);
    case '5': return is_vec(t, type, TSR_T_u32, 4);
    default: return true;
    }
}

static const char *describe_class(char letter)
{
    switch (letter) {
    case 'n': return "a number or a vector of numbers";
    case 's': return "i32, f32, f16 or a vector of it";
    case 'f': return "f32, f16 or a vector of it";
    case 'i': return "i32, u32 or a vector of it";
    case 'b': return "bool or a vector of it";
    case 'e': return "i32, u32, bool or a vector of it";
    case 'x': return "a scalar or a vector";
    case '=': return "of the type of the first operand";
    case 'u': return "u32 with the width of the first operand";
    case 'I': return "i32 with the width of the first operand";
    case 'B': return "bool with the width of the first operand";
    case 'L': return "bool";
    case 'U': return "u32";
    case 'Z': return "i32";
    case 'J': return "i32 or u32";
    case 'S': return "the scalar of the first operand";
    case 'w': return "a vector of numbers";
    case 'v': return "a vector of f32 or f16";
    case '3': return "vec3<f32> or vec3<f16>";
    case 'm': return "a matrix";
    case 'g': return "f32 or a vector of it";
    case 'F': return "vec4<f32>";
    case 'G': return "vec2<f32>";
    case '4': return "vec4<i32>";
    case '5': return "vec4<u32>";
    default: return "something else";
    }
}

static const char *const places[] = {"first", "second", "third", "fourth"};

static bool check_args(tsr_verifier *v, const tsr_inst *inst, const char *letters)
{
    const tsr_type first = inst->nargs > 0 ? tsr_verify_arg_type(v, inst, 0) : 0;
    for (uint32_t i = 0; letters[i] != '\0'; i++) {
        if (is_of_class(v->types, letters[i], tsr_verify_arg_type(v, inst, i), first)) continue;
        return tsr_verify_fail(v, inst, TSR_E_IR_OPERAND, "the %s operand must be %s", places[i],
                               describe_class(letters[i]));
    }
    return true;
}

static bool is_bools_like(const tsr_verifier *v, tsr_type type, tsr_type like)
{
    const struct shape s = shape_of(v->types, type);
    return s.scalar == TSR_T_bool && s.width == shape_of(v->types, like).width;
}

/* The result type that follows from the operands, by the op's result class. */
static bool check_result(tsr_verifier *v, const tsr_inst *inst, char letter)
{
    const tsr_op_info *info = &tsr_op_table[inst->op];
    const tsr_type first = inst->nargs > 0 ? tsr_verify_arg_type(v, inst, 0) : 0;
    switch ((tsr_op_result)info->result) {
    case TSR_OPR_VOID:
        return inst->type == 0 || tsr_verify_fail(v, inst, TSR_E_IR_RESULT, "this op has no result");
    case TSR_OPR_SAME:
        return inst->type == first ||
               tsr_verify_fail(v, inst, TSR_E_IR_RESULT, "the result must be of the type of the first operand");
    case TSR_OPR_SECOND:
        return inst->type == tsr_verify_arg_type(v, inst, 1) ||
               tsr_verify_fail(v, inst, TSR_E_IR_RESULT, "the result must be of the type of the second operand");
    case TSR_OPR_THIRD:
        return inst->type == tsr_verify_arg_type(v, inst, 2) ||
               tsr_verify_fail(v, inst, TSR_E_IR_RESULT, "the result must be of the type of the third operand");
    case TSR_OPR_BOOLS:
        return is_bools_like(v, inst->type, first) ||
               tsr_verify_fail(v, inst, TSR_E_IR_RESULT, "the result must be bool with the width of the operands");
    case TSR_OPR_SCALAR:
        return (inst->type != 0 && inst->type == tsr_type_scalar(v->types, first)) ||
               tsr_verify_fail(v, inst, TSR_E_IR_RESULT, "the result must be the scalar of the first operand");
    default:
        return is_of_class(v->types, letter, inst->type, first) ||
               tsr_verify_fail(v, inst, TSR_E_IR_RESULT, "the result must be %s", describe_class(letter));
    }
}

/* Ops whose aux means nothing keep it 0. */
static bool has_aux(tsr_op op)
{
    switch (op) {
    case TSR_OP_const:
    case TSR_OP_override:
    case TSR_OP_param:
    case TSR_OP_extract:
    case TSR_OP_swizzle:
    case TSR_OP_insert:
    case TSR_OP_global:
    case TSR_OP_field:
    case TSR_OP_mload:
    case TSR_OP_mstore:
    case TSR_OP_mma:
    case TSR_OP_switch:
    case TSR_OP_call:
    case TSR_OP_builtin_call: return true;
    default: return false;
    }
}

bool tsr_verify_op(tsr_verifier *v, tsr_id id, const tsr_inst *inst)
{
    const struct rule *rule = &rules[inst->op];
    if (inst->aux != 0 && !has_aux((tsr_op)inst->op))
        return tsr_verify_fail(v, inst, TSR_E_IR_AUX, "this op has no number of its own");
    if (rule->args != NULL && !check_args(v, inst, rule->args)) return false;
    if (!check_result(v, inst, rule->result)) return false;
    return rule->check == NULL || rule->check(v, id, inst);
}
