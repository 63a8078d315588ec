/* Inside the interpreter: what its files share.
 *
 *   layout.c     how values lie in lanes and in memory
 *   decode.c     a program becomes steps: functions, blocks, control flow
 *   decode_op.c  one instruction becomes one step
 *   step.c       runs steps over a workgroup: control flow by masks
 *   value.c      ops on values       memory.c    pointers, loads, stores, atomics
 *   subgroup.c   subgroup and quad ops             matrix.c    subgroup matrices
 *   run.c        workgroups, threads, time         interp.c    new and free
 *   sanitize*.c  checks (see sanitize.h)
 *
 * A thread has one frame of 32-bit words. A slot is a word offset in it; a value of W scalars takes W * lanes words,
 * word w of lane i at slot + w * lanes + i. WGSL has no recursion, so every function has its slots once and for all,
 * and no slot serves two values. Variables of functions and private variables lie in the frame in the same way, so that
 * a load from a known place is a copy. Lanes beyond the workgroup's size (up to a whole subgroup) are never active.
 *
 * Ops on values run over all lanes: what an inactive lane computes is never seen. Whatever can be seen (stores,
 * atomics, subgroup ops) heeds the mask. */
#ifndef TSR_EXEC_INSIDE_H
#define TSR_EXEC_INSIDE_H

#include "base/compiler.h"
#include "coopmat/numerics.h"
#include "exec/interp.h"
#include "exec/sanitize.h"
#include "ir/eval.h"

#include <setjmp.h>
#include <stdatomic.h>

typedef uint32_t tsr_slot; /* 0: none */

/* Frames and pointers are 32-bit: 2^28 words are 1 GiB. */
#define TSR_FRAME_WORDS_MAX (UINT64_C(1) << 28)
/* Copies of functions, one for each set of pointers that a function is called with. */
#define TSR_VARIANTS_MAX    65536u
#define TSR_BLOCK_DEPTH_MAX 4096u
#define TSR_INVALID_OFFSET  UINT32_MAX

/* ---- Layout of types. */

/* Words of a value that have no size here: a run-time array, a pointer, a matrix that the subgroup does not divide. */
#define TSR_WORDS_NONE      UINT64_MAX
#define TSR_WORDS_UNDIVIDED (UINT64_MAX - 1)
#define TSR_WORDS_HUGE      (UINT64_MAX - 2)

/* `count` scalars of `size` bytes, `stride` bytes apart, that are the words `word` and on of a value. */
typedef struct tsr_leaves {
    uint32_t word, byte, count, stride;
    uint8_t size; /* 2 or 4 */
} tsr_leaves;

typedef struct tsr_leaf_list {
    tsr_leaves *runs;
    uint32_t count;
} tsr_leaf_list;

/* ---- Pointers. All of a pointer is known when decoding but an offset for each lane. */

typedef enum tsr_root {
    TSR_ROOT_LANE,   /* function and private variables: `at` is a slot, offsets count words of a lane */
    TSR_ROOT_GROUP,  /* workgroup memory: `at` and offsets are bytes */
    TSR_ROOT_BINDING /* `at` is a resource, offsets are bytes */
} tsr_root;

/* What an offset slot holds after its `lanes` words. */
enum {
    TSR_DYN_BAD = 1u << 0,     /* some lane has TSR_INVALID_OFFSET */
    TSR_DYN_UNIFORM = 1u << 1, /* all lanes have the same */
    TSR_DYN_EVEN = 1u << 2     /* lane i has that of lane 0 plus i times the next word */
};
#define TSR_DYN_EXTRA 2u /* the flags, the distance */

typedef struct tsr_step tsr_step;

typedef struct tsr_xptr {
    uint8_t root; /* tsr_root */
    uint32_t at;
    uint32_t off;                  /* the part of the offset that is known */
    tsr_slot dyn;                  /* the rest, for each lane; 0: none */
    const struct tsr_index *index; /* the last `index` on the way here that was not known, for messages */
    tsr_type pointee;
} tsr_xptr;

typedef struct tsr_index {
    const tsr_xptr *base;
    tsr_slot in, idx, out;
    uint32_t count;  /* elements; 0: a run-time array */
    uint32_t stride; /* words or bytes */
    bool is_signed;
    tsr_type indexed;
    tsr_span span;
} tsr_index;

/* ---- Steps. */

typedef struct tsr_worker tsr_worker;
typedef void (*tsr_step_fn)(tsr_worker *w, const tsr_step *s);

typedef enum tsr_step_kind {
    TSR_STEP_op = 0, /* calls `run` */
    /* Arguments called `lanes` are sets of lanes: a mask, then one word that counts them. */
    TSR_STEP_if,    /* arg0 condition, arg1 lanes saved; target: else or endif */
    TSR_STEP_else,  /* arg0 condition, arg1 lanes saved, arg2 lanes kept by then; target: endif */
    TSR_STEP_endif, /* arg0 condition, arg1 lanes saved, arg2 lanes kept, 0 without else; target: the end of the block
                       outside */
    TSR_STEP_leave_if,   /* an `if` that only leaves: arg0 condition, arg1 lanes left or 0; target: the end of the block
                          */
    TSR_STEP_loop,       /* arg0 lanes left, arg1 lanes continued: emptied */
    TSR_STEP_continuing, /* arg1 lanes continued; target: loop_exit */
    TSR_STEP_break_if,   /* arg0 condition, arg1 lanes left */
    TSR_STEP_loop_back,  /* target: the first step of the body */
    TSR_STEP_loop_exit,  /* arg0 lanes left; target: the end of the block outside */
    TSR_STEP_switch,     /* arg0 selector, arg1 lanes remaining, arg2 lanes left */
    TSR_STEP_case,       /* arg0 selector, arg1 lanes remaining; more: tsr_selectors; target: the next case */
    TSR_STEP_default,    /* arg1 lanes remaining; target: the next case */
    TSR_STEP_endcase,    /* arg2 lanes left */
    TSR_STEP_endswitch,  /* arg1 lanes remaining, arg2 lanes left; target: the end of the block outside */
    TSR_STEP_leave,      /* break, continue: arg0 lanes that leave; target: the end of the block */
    TSR_STEP_return,     /* arg0 value or 0, dst where it goes; target: the end of the block */
    TSR_STEP_call,       /* arg0 lanes saved; target: first step of the function */
    TSR_STEP_end         /* of a function */
} tsr_step_kind;

struct tsr_step {
    tsr_step_fn run;
    uint8_t kind; /* tsr_step_kind */
    uint8_t nargs;
    uint16_t op; /* tsr_op */
    tsr_id inst;
    tsr_slot dst;
    tsr_slot arg[4];
    uint32_t words;  /* of the result; of the value, in a store */
    uint32_t target; /* a step */
    union {
        tsr_eval_fn eval;
        tsr_eval_wide_fn wide;
        const tsr_xptr *ptr;
    };
    const void *more;
};

typedef struct tsr_selectors {
    const uint32_t *values;
    uint32_t count;
} tsr_selectors;

/* Parts that are copied one after another: compose, arguments of calls. */
typedef struct tsr_copy {
    tsr_slot from, to;
    uint32_t words; /* of a lane */
} tsr_copy;
typedef struct tsr_copies {
    const tsr_copy *list;
    uint32_t count;
} tsr_copies;

/* An op on values whose operands do not all have the result's width, or a wide one. */
typedef struct tsr_eval_types {
    tsr_type result;
    const tsr_type *args;
    uint32_t arg_words[4];
} tsr_eval_types;

typedef struct tsr_matrix {
    tsr_component component;
    uint32_t rows, cols;
    uint32_t words; /* of a lane */
} tsr_matrix;

typedef struct tsr_matrix_access {
    tsr_matrix m;
    bool col_major;
    uint32_t array_bytes;    /* 0: a run-time array */
    uint32_t element_stride; /* bytes */
} tsr_matrix_access;

/* What one subgroup accesses, counted in components. */
typedef struct tsr_tile {
    unsigned char *array; /* its first component */
    uint64_t present;     /* components that the array has */
    uint64_t offset, stride;
    uint32_t major, minor; /* rows of memory and their length */
    bool clamp;            /* components outside are the last one that is there */
    unsigned bytes;        /* of a component */
} tsr_tile;

typedef struct tsr_matrix_scalar {
    tsr_matrix m;
    tsr_type_kind scalar;
} tsr_matrix_scalar;

typedef struct tsr_mma_step {
    tsr_mma mma;
    tsr_matrix a, b, c, r;
} tsr_mma_step;

/* ---- The decoded program. */

typedef struct tsr_builtin_slot {
    uint8_t builtin; /* tsr_builtin_value */
    tsr_slot slot;
} tsr_builtin_slot;

typedef struct tsr_private {
    tsr_slot at, initial; /* initial 0: zero */
    uint32_t words;
} tsr_private;

struct tsr_interp {
    tsr_arena arena;
    const tsr_program *program;
    const tsr_ir *ir;
    uint32_t subgroup_size;
    uint32_t invocations; /* of a workgroup */
    uint32_t lanes;       /* the same, rounded up to whole subgroups */
    const tsr_step *steps;
    uint32_t entry_step, setup_step; /* setup: module-scope values, once a thread */
    uint32_t call_depth;
    uint32_t frame_words;
    tsr_slot mask, ones; /* the active lanes now (0 or all ones each); those of the workgroup */
    tsr_slot scratch;    /* matrices of one subgroup, dense */
    uint32_t group_bytes;
    const tsr_builtin_slot *builtins;
    uint32_t builtin_count;
    const tsr_private *privates;
    uint32_t private_count;
    uint32_t step_count;
    tsr_model model;                  /* of multiply-adds */
    uint32_t checks;                  /* TSR_CHECK_... that it is decoded for; 0: a plain program */
    struct tsr_san_program *sanitize; /* checked programs only */
};

/* ---- Decoding. */

typedef struct tsr_variant { /* a function for one set of pointer arguments */
    uint32_t function;
    const tsr_xptr **pointers; /* one for each parameter; NULL where it is none */
    tsr_slot *params;          /* slots of the others, offset slots of pointers */
    tsr_slot result, saved;    /* saved: the caller's mask */
    uint32_t first_step;
    uint32_t height;               /* calls below it, for the depth of the stack; 0 while unknown */
    struct tsr_variant *next_same; /* of the same function */
    struct tsr_callee *callees;
} tsr_variant;

typedef struct tsr_callee {
    tsr_variant *variant;
    struct tsr_callee *next;
    tsr_step *step; /* whose target is the callee's first step */
} tsr_callee;

typedef struct tsr_decode {
    tsr_interp *in;
    tsr_arena *arena;
    const tsr_ir *ir;
    tsr_types *types;
    tsr_text *why;
    tsr_status status;
    uint64_t frame_words;
    uint64_t group_bytes;
    uint64_t *type_words;       /* by type */
    tsr_leaf_list *type_leaves; /* by type, made when asked for */
    tsr_slot *zero_slots;       /* by type */
    tsr_slot *slots;            /* by instruction: of its value */
    const tsr_xptr **ptrs;      /* by instruction: when it is a pointer */
    bool *in_module;            /* by instruction: stands at module scope */
    tsr_pool steps;             /* of tsr_step */
    tsr_pool builtins, privates;
    tsr_variant **variants;    /* by function: the first */
    tsr_pool queue;            /* of tsr_variant *, in the order in which they are decoded */
    tsr_variant *variant;      /* being decoded */
    struct tsr_frame *outside; /* the loops and switches that are open */
    uint32_t depth;
    uint64_t scratch_words;
} tsr_decode;

/* Records the first failure; decoding goes on and its result is dropped. */
void tsr_decode_fail(tsr_decode *d, tsr_status st, const char *fmt, ...) TSR_PRINTF(3, 4);
tsr_slot tsr_decode_alloc(tsr_decode *d, uint64_t words_a_lane, uint32_t extra_words);
uint32_t tsr_decode_words(tsr_decode *d, tsr_type type); /* fails for what has none */
const tsr_leaf_list *tsr_decode_leaves(tsr_decode *d, tsr_type type);
tsr_slot tsr_decode_value(tsr_decode *d, tsr_id id);
const tsr_xptr *tsr_decode_pointer(tsr_decode *d, tsr_id id);
tsr_step *tsr_decode_step(tsr_decode *d, tsr_id inst, tsr_step_kind kind);
/* One instruction that is not control flow. */
void tsr_decode_op(tsr_decode *d, tsr_id id);
/* All of it: fills d->in. */
tsr_status tsr_decode_program(tsr_decode *d);

void tsr_layout_words(tsr_decode *d);

/* ---- Running. */

typedef struct tsr_call_frame {
    uint32_t back; /* the step after the call */
    tsr_slot saved;
} tsr_call_frame;

struct tsr_worker {
    const tsr_interp *in;
    uint32_t *frame;
    uint32_t *mask; /* in the frame */
    uint32_t lanes;
    uint32_t active; /* lanes in the mask: 0, some, or all of `lanes` */
    unsigned char *group;
    const tsr_exec_memory *memory;
    tsr_call_frame *calls;
    uint32_t call_count;
    uint32_t patience; /* loop iterations and calls until the clock is looked at */
    bool stopped;
    struct tsr_exec *run;
    uint64_t workgroup; /* linear index of the one that runs */
    uint64_t oob_accesses, oob_matrix_accesses;
    bool has_oob;
    uint64_t oob_workgroup;
    uint8_t oob;  /* tsr_oob */
    tsr_san *san; /* NULL unless the run is checked */
    tsr_span oob_span;
    char oob_text[160];
    void *memory_block;
};

static inline uint32_t *tsr_at(const tsr_worker *w, tsr_slot slot)
{
    return w->frame + slot;
}

/* Runs from `step` to the end of its function; the mask is set. */
void tsr_steps_run(tsr_worker *w, uint32_t step);
/* Looks at the clock and at what others say; sets w->stopped. In run.c. */
void tsr_worker_check(tsr_worker *w);
/* Notes the place and text of the first access out of bounds. */
bool tsr_oob_is_first(const tsr_worker *w);
/* The tile of the subgroup whose first active lane is `lane`. In matrix.c. */
tsr_tile tsr_tile_find(const tsr_worker *w, const tsr_step *s, uint32_t lane);

/* What a checked run does besides; lane is the one that accesses, a matrix access's leader. */
void tsr_san_bounds(tsr_worker *w, const tsr_step *s, uint32_t lane, tsr_span span, const char *text);
void tsr_san_mma(tsr_worker *w, const tsr_step *s, uint32_t lane, const uint32_t *a, const uint32_t *b,
                 const uint32_t *c, const uint32_t *r);
void tsr_san_begin_workgroup(tsr_worker *w);
/* Puts the sanitizer's steps before those of a program that is decoded for checks. */
void tsr_san_prepare(tsr_decode *d);
void tsr_oob_note(tsr_worker *w, tsr_span span, const char *text);

/* Memory of a root that is not LANE. */
static inline unsigned char *tsr_root_base(const tsr_worker *w, const tsr_xptr *p)
{
    return p->root == TSR_ROOT_GROUP ? w->group + p->at : w->memory[p->at].data;
}
/* Bytes from the start of the root to its end; bindings only. */
static inline uint64_t tsr_root_bytes(const tsr_worker *w, const tsr_xptr *p)
{
    return w->memory[p->at].size_bytes;
}

/* Steps, by file. */
void tsr_run_eval(tsr_worker *w, const tsr_step *s);
void tsr_run_eval_mixed(tsr_worker *w, const tsr_step *s);
void tsr_run_wide(tsr_worker *w, const tsr_step *s);
void tsr_run_copies(tsr_worker *w, const tsr_step *s);
void tsr_run_constant(tsr_worker *w, const tsr_step *s);
void tsr_run_element(tsr_worker *w, const tsr_step *s);

void tsr_run_nothing(tsr_worker *w, const tsr_step *s); /* a barrier of a checked program */
void tsr_run_index(tsr_worker *w, const tsr_step *s);
void tsr_run_var(tsr_worker *w, const tsr_step *s);
void tsr_run_load_lane(tsr_worker *w, const tsr_step *s);
void tsr_run_store_lane(tsr_worker *w, const tsr_step *s);
void tsr_run_load_shared(tsr_worker *w, const tsr_step *s);
void tsr_run_store_shared(tsr_worker *w, const tsr_step *s);
void tsr_run_array_length(tsr_worker *w, const tsr_step *s);
void tsr_run_atomic(tsr_worker *w, const tsr_step *s);

void tsr_run_sg_reduce(tsr_worker *w, const tsr_step *s);
void tsr_run_sg_scan(tsr_worker *w, const tsr_step *s);
void tsr_run_sg_vote(tsr_worker *w, const tsr_step *s);
void tsr_run_sg_move(tsr_worker *w, const tsr_step *s);

void tsr_run_mfill(tsr_worker *w, const tsr_step *s);
void tsr_run_mload(tsr_worker *w, const tsr_step *s);
void tsr_run_mstore(tsr_worker *w, const tsr_step *s);
void tsr_run_mma(tsr_worker *w, const tsr_step *s);
void tsr_run_mscalar(tsr_worker *w, const tsr_step *s);

#endif
