/* Uniformity (WGSL, "Uniformity"): which calls must be reached by all invocations together, and whether they are.
 *
 * Each function becomes a graph. A node stands for "this value, or control flow at this point, is the same in all
 * invocations", an edge a -> b for "a only if b". A call that needs company fails when its node leads to something that
 * may differ. What a caller must know of a function is kept as tags, so functions go callees first.
 *
 * There are two scopes, analysed on one graph: the workgroup (outside compute: the draw) for barriers and derivatives,
 * the subgroup for subgroup, quad and matrix operations. What differs within a subgroup differs within its workgroup.
 *
 *     tsr_uniform *u = tsr_uniform_new(ir, arena);                 NULL: nothing in the program needs uniformity
 *     for (uint32_t i = 0; i < tsr_uniform_function_count(u); i++)
 *         if (!tsr_uniform_run(u, tsr_uniform_function(u, i))) ... tsr_uniform_explain, tsr_uniform_find_failures
 */
#ifndef TSR_ANALYSIS_UNIFORM_H
#define TSR_ANALYSIS_UNIFORM_H

#include "ir/module.h"

typedef enum tsr_uniform_scope {
    TSR_UNIFORM_workgroup,
    TSR_UNIFORM_subgroup,
    TSR_UNIFORM_SCOPE_COUNT
} tsr_uniform_scope;

/* The diagnostic rule behind a need; barriers have none that could be switched off. */
typedef enum tsr_uniform_rule {
    TSR_UNIFORM_barrier,
    TSR_UNIFORM_derivative,
    TSR_UNIFORM_collective, /* subgroup and quad operations */
    TSR_UNIFORM_matrix
} tsr_uniform_rule;

/* What of an instruction must be uniform. */
typedef enum tsr_uniform_what {
    TSR_UNIFORM_control, /* control flow where it stands */
    TSR_UNIFORM_operand, /* operand `arg` */
    TSR_UNIFORM_contents /* the variable behind operand `arg` of a call */
} tsr_uniform_what;

/* For a call of a user function rule and severity are those of the built-in call inside it. */
typedef struct tsr_uniform_need {
    tsr_id inst; /* 0: none */
    uint32_t node;
    uint16_t arg;
    uint8_t what;     /* tsr_uniform_what */
    uint8_t scope;    /* tsr_uniform_scope */
    uint8_t rule;     /* tsr_uniform_rule */
    uint8_t severity; /* tsr_severity */
} tsr_uniform_need;

/* What a node of the graph stands for. */
typedef enum tsr_uniform_kind {
    TSR_UNIFORM_none,
    TSR_UNIFORM_value,    /* computed by inst */
    TSR_UNIFORM_load,     /* inst reads a function variable */
    TSR_UNIFORM_store,    /* the variable after the store inst */
    TSR_UNIFORM_var,      /* the variable after its declaration inst */
    TSR_UNIFORM_join,     /* a variable where ways of control meet */
    TSR_UNIFORM_branch,   /* control flow inside the `if` or `switch` inst */
    TSR_UNIFORM_after,    /* control flow after the `if`, `switch` or `loop` inst, which not all leave together */
    TSR_UNIFORM_loop,     /* control flow at the start of each iteration of inst */
    TSR_UNIFORM_break_if, /* control flow after the break_if inst */
    TSR_UNIFORM_result,   /* of the call inst */
    TSR_UNIFORM_passed,   /* the variable behind operand `index` after the call inst */
    TSR_UNIFORM_return,   /* the value that the function returns */
    /* Where a way may end: the caller decides. */
    TSR_UNIFORM_start,          /* control flow where the function begins */
    TSR_UNIFORM_param,          /* parameter `index` */
    TSR_UNIFORM_param_contents, /* what pointer parameter `index` points to, at the beginning */
    /* Sources: what may differ between invocations. */
    TSR_UNIFORM_from_memory,  /* inst loads memory that others may write */
    TSR_UNIFORM_from_atomic,  /* inst is an atomic operation */
    TSR_UNIFORM_from_builtin, /* inst is a subgroup, quad, derivative or texture operation */
    TSR_UNIFORM_from_input,   /* parameter `index` of the entry point */
    TSR_UNIFORM_from_call,    /* the call inst, whose callee returns something that may differ */
    TSR_UNIFORM_from_passed   /* the callee of inst may leave something that differs behind operand `index` */
} tsr_uniform_kind;

typedef struct tsr_uniform_step {
    uint8_t kind; /* tsr_uniform_kind */
    uint16_t index;
    tsr_id inst;
} tsr_uniform_step;

/* A way through the graph, from what must be uniform to what may differ. Lives in the arena. */
typedef struct tsr_uniform_way {
    tsr_uniform_step *steps;
    uint32_t count;
} tsr_uniform_way;

typedef struct tsr_uniform_failure {
    tsr_uniform_need need;
    tsr_uniform_way way;
} tsr_uniform_failure;

typedef struct tsr_uniform tsr_uniform;

tsr_uniform *tsr_uniform_new(const tsr_ir *ir, tsr_arena *arena);
/* The functions that matter, callees before callers. */
uint32_t tsr_uniform_function_count(const tsr_uniform *u);
uint32_t tsr_uniform_function(const tsr_uniform *u, uint32_t i);
/* Finds the tags of a function whose callees have theirs. False: some need of it is not met. */
bool tsr_uniform_run(tsr_uniform *u, uint32_t function);

/* ---- Why. After tsr_uniform_run: the graph again, with a node for each step. The functions below use it. */
void tsr_uniform_explain(tsr_uniform *u, uint32_t function);
/* Needs that are not met, errors first. What an earlier one went through is not gone through again: one cause, one
 * failure. Returns how many; the array lives in the arena. */
uint32_t tsr_uniform_find_failures(tsr_uniform *u, const tsr_uniform_failure **out);
/* The need of the explained function behind a tag of it: its call sites (control), parameter (operand) or what the
 * parameter points to (contents). `way` leads from the need to the tag. False when there is no such tag. */
bool tsr_uniform_find_need(tsr_uniform *u, tsr_uniform_what tag, uint32_t param, tsr_uniform_scope scope,
                           tsr_uniform_failure *out);
/* Why the result may differ, or (passed) what pointer parameter `param` points to after a call. */
bool tsr_uniform_find_source(tsr_uniform *u, bool passed, uint32_t param, tsr_uniform_scope scope,
                             tsr_uniform_way *out);

#endif
