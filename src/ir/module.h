/* What a program is: functions made of instructions in blocks, module-scope values and variables, types, names.
 *
 * Every instruction of the module has one number (tsr_id); values, variables and statements are all instructions.
 * Values are SSA; what changes lives in variables. Control flow is structured: `if`, `loop` and `switch` hold blocks.
 * docs/ir.md defines each op. A module is built by the functions at the end of this header and then only changed by
 * passes. */
#ifndef TSR_IR_MODULE_H
#define TSR_IR_MODULE_H

#include "base/diag.h"
#include "ir/type.h"

typedef enum tsr_op {
    TSR_OP_none = 0,
#define OP(name, nargs, result, flags, meaning) TSR_OP_##name,
#include "ir/op.def"
    TSR_OP_COUNT
} tsr_op;

enum {
    TSR_OPF_PURE = 1u << 0,
    TSR_OPF_READ = 1u << 1,
    TSR_OPF_WRITE = 1u << 2,
    TSR_OPF_ATOMIC = 1u << 3,
    TSR_OPF_BARRIER = 1u << 4,
    TSR_OPF_SG = 1u << 5,
    TSR_OPF_SG_UNI = 1u << 6,
    TSR_OPF_QUAD = 1u << 7,
    TSR_OPF_COMPS = 1u << 8,
    TSR_OPF_BLOCKS = 1u << 9,
    TSR_OPF_END = 1u << 10,
    TSR_OPF_CONSTEX = 1u << 11,
    TSR_OPF_DIAG = 1u << 12
};

typedef enum tsr_op_result {
    TSR_OPR_SAME,
    TSR_OPR_SECOND,
    TSR_OPR_THIRD,
    TSR_OPR_VOID,
    TSR_OPR_TYPED,
    TSR_OPR_BOOLS,
    TSR_OPR_SCALAR
} tsr_op_result;

typedef struct tsr_op_info {
    const char *name;
    int8_t nargs; /* -1: any */
    uint8_t result;
    uint16_t flags;
    const char *meaning;
} tsr_op_info;

extern const tsr_op_info tsr_op_table[TSR_OP_COUNT];
/* TSR_OP_none when there is no such op. */
tsr_op tsr_op_find(tsr_str name);
/* The op that a subgroup reduction or scan repeats: sg_exclusive_add gives add. */
tsr_op tsr_op_repeated(tsr_op op);

typedef struct tsr_inst {
    uint16_t op;   /* tsr_op */
    uint16_t diag; /* index in module.diag_states, for ops with DIAG */
    tsr_type type; /* of the result; 0 for none */
    uint32_t aux;  /* as op.def says */
    uint32_t nargs;
    uint32_t args; /* first operand in module.args, when nargs > 2; else operands 0 and 1 stand in arg2 */
    tsr_id arg2[2];
    tsr_span span;
    tsr_sym name;    /* the user's name for the value or variable, 0: none */
    uint32_t blocks; /* first of the blocks in module.block_lists, for ops with BLOCKS except switch */
} tsr_inst;

/* Blocks nest at most so deep: the verifier refuses more, so that what works on IR may recurse. */
#define TSR_IR_BLOCK_DEPTH_MAX 4096

typedef uint32_t tsr_block; /* index in module.blocks; 0: none */

typedef struct tsr_block_info {
    tsr_id *insts; /* in order; lives in the arena */
    uint32_t count, cap;
} tsr_block_info;

typedef struct tsr_case {
    tsr_id *selectors; /* constants of the selector's type */
    uint32_t selector_count;
    bool is_default; /* besides its selectors */
    tsr_block block;
} tsr_case;

typedef struct tsr_switch {
    tsr_case *cases;
    uint32_t case_count;
} tsr_switch;

typedef struct tsr_param {
    tsr_sym name;
    tsr_type type;
    tsr_io io;
    tsr_id value; /* its `param` instruction, which stands in no block */
} tsr_param;

typedef struct tsr_function {
    tsr_sym name;
    tsr_span span;
    tsr_param *params;
    uint32_t param_count;
    tsr_type result; /* 0: void */
    tsr_io result_io;
    tsr_block body;
    bool is_entry, must_use;
    tsr_stage stage;          /* entry points */
    tsr_id workgroup_size[3]; /* compute entry points: module-scope values (i32 or u32); 0: 1 */
    tsr_id subgroup_size;     /* @subgroup_size, 0: none */
    uint16_t diag;            /* the diagnostic state of the function itself */
} tsr_function;

typedef struct tsr_override {
    tsr_sym name;
    bool has_id;
    uint16_t id;
    tsr_id inst;    /* its `override` instruction */
    tsr_id initial; /* a module-scope value that gives the default, 0: none */
} tsr_override;

typedef struct tsr_global {
    tsr_sym name;
    tsr_id inst; /* its `global` instruction, of type ptr<space, T, access> */
    bool has_binding;
    uint32_t group, binding;
} tsr_global;

/* The severities of the diagnostic rules at one place of the program. */
typedef struct tsr_diag_state {
    uint8_t derivative_uniformity; /* tsr_severity */
    uint8_t subgroup_uniformity;
    uint8_t subgroup_matrix_uniformity;
} tsr_diag_state;

typedef struct tsr_ir {
    tsr_arena *arena;
    tsr_symbols *symbols;
    tsr_types *types;
    tsr_pool insts;         /* of tsr_inst; 0 is none */
    tsr_pool args;          /* of tsr_id: operand lists; a list may straddle chunks: read it through tsr_arg */
    tsr_pool blocks;        /* of tsr_block_info */
    tsr_pool block_lists;   /* of tsr_block, two for each if and loop */
    tsr_pool switches;      /* of tsr_switch; 0 is none */
    tsr_pool constants;     /* of uint64_t: bits of scalars, zero-extended (f16: 16 bits) */
    tsr_pool functions;     /* of tsr_function; 0 is none. A callee may stand after its caller */
    tsr_pool overrides;     /* of tsr_override; 0 is none */
    tsr_pool globals;       /* of tsr_global; 0 is none */
    tsr_pool diag_states;   /* of tsr_diag_state; 0 is the default */
    tsr_block module_block; /* module-scope values: const, override, their expressions, globals; in order */
    tsr_map constant_index; /* (type, bits) -> its one `const` instruction */
    bool uses_f16, uses_subgroups, uses_matrices; /* by enable directives */
    bool uniformity_off;                          /* by one too: nothing of it is checked */
} tsr_ir;

void tsr_ir_init(tsr_ir *ir, tsr_arena *arena, tsr_symbols *symbols, tsr_types *types);

static inline tsr_inst *tsr_inst_at(const tsr_ir *ir, tsr_id id)
{
    return (tsr_inst *)tsr_pool_at(&ir->insts, id);
}
/* Operand i of an instruction. */
static inline tsr_id tsr_arg(const tsr_ir *ir, const tsr_inst *inst, uint32_t i)
{
    return inst->nargs <= 2 ? inst->arg2[i & 1] : *(tsr_id *)tsr_pool_at(&ir->args, inst->args + i);
}
void tsr_arg_set(tsr_ir *ir, tsr_inst *inst, uint32_t i, tsr_id value);
/* The variable, parameter or other value that a pointer begins with. Chains are as deep as types nest. */
static inline tsr_id tsr_pointer_root(const tsr_ir *ir, tsr_id pointer)
{
    const tsr_inst *inst = tsr_inst_at(ir, pointer);
    for (; inst->op == TSR_OP_field || inst->op == TSR_OP_index; inst = tsr_inst_at(ir, pointer))
        pointer = tsr_arg(ir, inst, 0);
    return pointer;
}
static inline tsr_block_info *tsr_block_at(const tsr_ir *ir, tsr_block b)
{
    return (tsr_block_info *)tsr_pool_at(&ir->blocks, b);
}
/* Block i (0 or 1) of an `if` or `loop`; 0 when it has none. */
static inline tsr_block tsr_inst_block(const tsr_ir *ir, const tsr_inst *inst, uint32_t i)
{
    return *(tsr_block *)tsr_pool_at(&ir->block_lists, inst->blocks + i);
}
static inline tsr_function *tsr_function_at(const tsr_ir *ir, uint32_t f)
{
    return (tsr_function *)tsr_pool_at(&ir->functions, f);
}
static inline tsr_override *tsr_override_at(const tsr_ir *ir, uint32_t o)
{
    return (tsr_override *)tsr_pool_at(&ir->overrides, o);
}
static inline tsr_global *tsr_global_at(const tsr_ir *ir, uint32_t g)
{
    return (tsr_global *)tsr_pool_at(&ir->globals, g);
}
static inline tsr_switch *tsr_switch_at(const tsr_ir *ir, uint32_t s)
{
    return (tsr_switch *)tsr_pool_at(&ir->switches, s);
}
static inline uint64_t tsr_constant_bits(const tsr_ir *ir, const tsr_inst *inst)
{
    return *(uint64_t *)tsr_pool_at(&ir->constants, inst->aux);
}

/* ---- Building. A builder appends to one block at a time. */

typedef struct tsr_builder {
    tsr_ir *ir;
    tsr_block block; /* where instructions go */
    tsr_span span;   /* given to what is built */
    uint16_t diag;   /* likewise, for ops with DIAG */
} tsr_builder;

tsr_block tsr_block_new(tsr_ir *ir);
void tsr_block_append(tsr_ir *ir, tsr_block b, tsr_id id);
/* The last instruction is an END op: what comes after it cannot be reached. */
bool tsr_block_is_ended(const tsr_ir *ir, tsr_block b);

/* The one `const` of that scalar type and those bits; it stands in the module block. */
tsr_id tsr_build_const(tsr_ir *ir, tsr_type scalar, uint64_t bits);
tsr_id tsr_build_u32(tsr_ir *ir, uint32_t value);
/* Any op: `type` is used when the op's result is TYPED and must be 0 otherwise. Checks operand count (ICE). */
tsr_id tsr_build(tsr_builder *b, tsr_op op, tsr_type type, uint32_t aux, const tsr_id *args, uint32_t nargs);
tsr_id tsr_build0(tsr_builder *b, tsr_op op, tsr_type type, uint32_t aux);
tsr_id tsr_build1(tsr_builder *b, tsr_op op, tsr_type type, uint32_t aux, tsr_id a0);
tsr_id tsr_build2(tsr_builder *b, tsr_op op, tsr_type type, uint32_t aux, tsr_id a0, tsr_id a1);
tsr_id tsr_build3(tsr_builder *b, tsr_op op, tsr_type type, uint32_t aux, tsr_id a0, tsr_id a1, tsr_id a2);
tsr_id tsr_build_if(tsr_builder *b, tsr_id cond, tsr_block then_block, tsr_block else_block);
tsr_id tsr_build_loop(tsr_builder *b, tsr_block body, tsr_block continuing);
/* `cases` is copied. */
tsr_id tsr_build_switch(tsr_builder *b, tsr_id selector, const tsr_case *cases, uint32_t case_count);

uint32_t tsr_function_new(tsr_ir *ir, tsr_sym name, tsr_span span);
/* Sets the parameters and makes their `param` values. */
void tsr_function_set_params(tsr_ir *ir, uint32_t f, const tsr_param *params, uint32_t count);
/* The instruction goes to the module block. */
uint32_t tsr_override_new(tsr_ir *ir, tsr_sym name, tsr_type type, tsr_span span);
uint32_t tsr_global_new(tsr_ir *ir, tsr_sym name, tsr_type ptr_type, tsr_id initial, tsr_span span);
uint16_t tsr_diag_state_add(tsr_ir *ir, tsr_diag_state s);
/* 0 when there is none. */
uint32_t tsr_function_find(const tsr_ir *ir, tsr_sym name);

/* Calls `visit` for each function that `f` reaches, callees before callers, each once, `f` last. */
void tsr_function_walk(const tsr_ir *ir, uint32_t f, void (*visit)(void *user, uint32_t function), void *user);
/* Calls `visit` for every instruction of a block and the blocks below it, in order. */
void tsr_block_walk(const tsr_ir *ir, tsr_block b, void (*visit)(void *user, tsr_id id), void *user);

/* A deep copy in another arena, types and symbols included: what build works on. Numbers stay the same. */
tsr_ir *tsr_ir_clone(const tsr_ir *from, tsr_arena *arena);

#endif
