/* Operand and result types of every op: one row an op (verify.def), letters for classes of types; what letters cannot
 * say is a function of the row. The op table itself (op.def) says how many operands there are and how SAME, BOOLS ...
 * follow. */
#include "ir/verifier.h"

/* A row of verify.def, which tells what the letters mean. */
struct rule {
    const char *args;
    char result;
    bool (*check)(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst);
};

static const struct rule rules[TSR_OP_COUNT] = {
#define RULE(name, args, result, check) [TSR_OP_##name] = {args, result, check},
#include "ir/verify.def"
};

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

static bool check_args(tsr_ir_verifier *v, const tsr_inst *inst, const char *letters)
{
    const tsr_type first = inst->nargs > 0 ? tsr_ir_verify_arg_type(v, inst, 0) : 0;
    for (uint32_t i = 0; letters[i] != '\0'; i++) {
        if (is_of_class(v->types, letters[i], tsr_ir_verify_arg_type(v, inst, i), first)) continue;
        return tsr_ir_verify_fail(v, inst, TSR_E_IR_OPERAND, "the %s operand must be %s", places[i],
                                  describe_class(letters[i]));
    }
    return true;
}

static bool is_bools_like(const tsr_ir_verifier *v, tsr_type type, tsr_type like)
{
    const struct shape s = shape_of(v->types, type);
    return s.scalar == TSR_T_bool && s.width == shape_of(v->types, like).width;
}

/* The result type that follows from the operands, by the op's result class. */
static bool check_result(tsr_ir_verifier *v, const tsr_inst *inst, char letter)
{
    const tsr_op_info *info = &tsr_op_table[inst->op];
    const tsr_type first = inst->nargs > 0 ? tsr_ir_verify_arg_type(v, inst, 0) : 0;
    switch ((tsr_op_result)info->result) {
    case TSR_OPR_VOID: return inst->type == 0 || tsr_ir_verify_fail(v, inst, TSR_E_IR_RESULT, "this op has no result");
    case TSR_OPR_SAME:
        return inst->type == first ||
               tsr_ir_verify_fail(v, inst, TSR_E_IR_RESULT, "the result must be of the type of the first operand");
    case TSR_OPR_SECOND:
        return inst->type == tsr_ir_verify_arg_type(v, inst, 1) ||
               tsr_ir_verify_fail(v, inst, TSR_E_IR_RESULT, "the result must be of the type of the second operand");
    case TSR_OPR_THIRD:
        return inst->type == tsr_ir_verify_arg_type(v, inst, 2) ||
               tsr_ir_verify_fail(v, inst, TSR_E_IR_RESULT, "the result must be of the type of the third operand");
    case TSR_OPR_BOOLS:
        return is_bools_like(v, inst->type, first) ||
               tsr_ir_verify_fail(v, inst, TSR_E_IR_RESULT, "the result must be bool with the width of the operands");
    case TSR_OPR_SCALAR:
        return (inst->type != 0 && inst->type == tsr_type_scalar(v->types, first)) ||
               tsr_ir_verify_fail(v, inst, TSR_E_IR_RESULT, "the result must be the scalar of the first operand");
    default:
        return is_of_class(v->types, letter, inst->type, first) ||
               tsr_ir_verify_fail(v, inst, TSR_E_IR_RESULT, "the result must be %s", describe_class(letter));
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

bool tsr_ir_verify_op(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst)
{
    const struct rule *rule = &rules[inst->op];
    if (inst->aux != 0 && !has_aux((tsr_op)inst->op))
        return tsr_ir_verify_fail(v, inst, TSR_E_IR_AUX, "this op has no number of its own");
    if (rule->args != NULL && !check_args(v, inst, rule->args)) return false;
    if (!check_result(v, inst, rule->result)) return false;
    return rule->check == NULL || rule->check(v, id, inst);
}
