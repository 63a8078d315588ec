/* Inside the verifier: what its files share.
 *
 *   verify.c          functions, blocks, where values are visible, how blocks end
 *   verify_module.c   module scope, entry points, recursion
 *   verify_op.c       operand and result types: the table of ops
 *   verify_check.c    what the table cannot say: composites, memory, matrices, calls */
#ifndef TSR_IR_VERIFIER_H
#define TSR_IR_VERIFIER_H

#include "base/diag.h"
#include "ir/module.h"

enum {
    TSR_IR_SEEN_STANDS = 1u << 0,  /* it stands in a block, or is a parameter */
    TSR_IR_SEEN_VISIBLE = 1u << 1, /* it may be used here */
    TSR_IR_SEEN_MODULE = 1u << 2   /* it stands in the module block */
};

/* A call, for the search for recursion. */
typedef struct tsr_ir_call_edge {
    uint32_t caller, callee;
    tsr_id inst;
} tsr_ir_call_edge;

typedef struct tsr_ir_verifier {
    const tsr_ir *ir;
    const tsr_types *types;
    tsr_diags *diags;
    tsr_arena *arena;    /* scratch */
    uint8_t *seen;       /* of instructions: TSR_IR_SEEN_... */
    uint8_t *type_state; /* of types: 0 not judged, 1 in order, 2 reported */
    uint8_t *block_used; /* of blocks */
    uint32_t function;   /* being verified, 0: module scope */
    tsr_ir_call_edge *edges;
    uint32_t edge_count, edge_cap;
} tsr_ir_verifier;

/* Reports a broken rule at an instruction, with the instruction's shape before it; returns false. */
bool tsr_ir_verify_fail(tsr_ir_verifier *v, const tsr_inst *inst, tsr_diag_code code, const char *fmt, ...)
    TSR_PRINTF(4, 5) TSR_COLD;
/* A type for a message; empty once so many errors were reported that no more are shown (names may be long). */
const char *tsr_ir_verify_type_text(tsr_ir_verifier *v, tsr_type type);
/* Whether the type and its parts are in order and every override in it is visible; reports at `inst` once a type. */
bool tsr_ir_verify_type(tsr_ir_verifier *v, const tsr_inst *inst, tsr_type type);

static inline tsr_type tsr_ir_verify_arg_type(const tsr_ir_verifier *v, const tsr_inst *inst, uint32_t i)
{
    return tsr_inst_at(v->ir, tsr_arg(v->ir, inst, i))->type;
}

/* ---- verify_op.c. Operands are visible and counted, types in order. */
bool tsr_ir_verify_op(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst);

/* ---- verify_check.c: named in the table of verify_op.c. */
bool tsr_ir_check_const(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst);
bool tsr_ir_check_zero(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst);
bool tsr_ir_check_compose(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst);
bool tsr_ir_check_splat(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst);
bool tsr_ir_check_extract(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst);
bool tsr_ir_check_element(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst);
bool tsr_ir_check_swizzle(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst);
bool tsr_ir_check_insert(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst);
bool tsr_ir_check_convert(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst);
bool tsr_ir_check_bitcast(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst);
bool tsr_ir_check_mat_mul(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst);
bool tsr_ir_check_transpose(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst);
bool tsr_ir_check_determinant(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst);
bool tsr_ir_check_frexp(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst);
bool tsr_ir_check_modf(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst);
bool tsr_ir_check_const_lane(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst);
bool tsr_ir_check_call(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst);
bool tsr_ir_check_builtin_call(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst);
bool tsr_ir_check_return(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst);
bool tsr_ir_check_switch(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst);

/* ---- verify_memory.c: likewise. */
bool tsr_ir_check_override(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst);
bool tsr_ir_check_global(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst);
bool tsr_ir_check_var(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst);
bool tsr_ir_check_field(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst);
bool tsr_ir_check_index(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst);
bool tsr_ir_check_load(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst);
bool tsr_ir_check_store(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst);
bool tsr_ir_check_array_length(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst);
bool tsr_ir_check_atomic(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst);
bool tsr_ir_check_load_uniform(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst);
bool tsr_ir_check_mfill(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst);
bool tsr_ir_check_mload(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst);
bool tsr_ir_check_mstore(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst);
bool tsr_ir_check_mma(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst);
bool tsr_ir_check_mscalar(tsr_ir_verifier *v, tsr_id id, const tsr_inst *inst);

/* ---- verify_module.c */
bool tsr_ir_verify_overrides(tsr_ir_verifier *v);
bool tsr_ir_verify_signature(tsr_ir_verifier *v, uint32_t f);
bool tsr_ir_verify_recursion(tsr_ir_verifier *v);
void tsr_ir_verify_add_call(tsr_ir_verifier *v, uint32_t callee, tsr_id inst);
/* A place for messages about a function: an instruction that stands for it. */
tsr_inst tsr_ir_verify_function_place(const tsr_function *f);

#endif
