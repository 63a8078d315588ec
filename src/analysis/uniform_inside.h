/* Inside the uniformity analysis: what its files share.
 *
 *   uniform_graph.c  nodes, edges, ways
 *   uniform_var.c    the value of each function variable at each point
 *   uniform_need.c   which instructions need uniformity, which give values that differ
 *   uniform_call.c   calls of user functions, by the callee's tags
 *   uniform_walk.c   a function's blocks to its graph
 *   uniform_tags.c   from the graph to tags and failures: what its needs reach
 *   uniform_flow.c   from the graph to tags: where its outputs come from
 *   uniform.c        which functions, in which order; the entries */
#ifndef TSR_ANALYSIS_UNIFORM_INSIDE_H
#define TSR_ANALYSIS_UNIFORM_INSIDE_H

#include "analysis/uniform.h"

/* ---- The graph (uniform_graph.c). */

typedef uint32_t unode; /* 0: always uniform, never an edge's end */

/* Fixed nodes. Then two for each parameter: its value, and what it points to. */
enum { NODE_differs = 1, NODE_differs_in_workgroup = 2, NODE_start = 3, NODE_first_param = 4 };

typedef struct unode_info {
    unode to[2];
    uint32_t more;   /* first further edge */
    uint32_t passes; /* what a call passes, which are edges too */
    uint32_t mark;
    tsr_id inst;
    uint16_t index;
    uint8_t kind;    /* tsr_uniform_kind */
    uint8_t visited; /* bit by scope */
} unode_info;

typedef struct uedge {
    unode to;
    uint32_t next;
} uedge;

/* A way along the edges of a node: start with node, the rest zero. */
typedef struct uwalker {
    unode node;
    uint32_t step, at;
} uwalker;

/* ---- Variables (uniform_var.c). A variable is a `var`, or a parameter that points to one. */

/* Its value changed from `old`. */
typedef struct uevent {
    uint32_t var;
    unode old;
} uevent;

/* What a variable holds where ways meet, from the ways linked so far. */
typedef struct uslot {
    uint32_t var;
    struct utarget *target;
    unode value;
    bool is_set, is_join;       /* is_join: `value` is a node of its own */
    uint32_t next_of_var, next; /* of the same variable; of the same target */
} uslot;

/* A place where ways meet: after an `if`, `switch` or `loop`, before a `continuing`, the end of the function. Lives on
 * the stack of the walk. */
typedef struct utarget {
    struct utarget *outer;
    uint32_t start, cursor; /* in the events: where it was opened; up to where the last link has looked */
    uint32_t limit;         /* variables from here on are not known there */
    uint32_t links, slots;
} utarget;

typedef struct uvar {
    unode now;
    uint32_t stamp, slots, assigned; /* assigned: 1 + last place in the list */
    tsr_id inst;
} uvar;

/* What a loop holds of interest before it is walked: variables, assignments, calls, inner loops. */
typedef struct unote {
    tsr_id id;     /* the `var`, the pointer that is stored through, the call; the number of the loop */
    uint32_t kind; /* UNOTE_... */
} unote;
enum { UNOTE_var, UNOTE_store, UNOTE_call, UNOTE_loop, UNOTE_loop_end };

/* Its notes, and the variables that it assigns: a part of `assigned`. */
typedef struct uloop {
    uint32_t first_note, begin, end, outer_begin;
} uloop;

typedef struct uhead {
    uint32_t var;
    unode join;
} uhead;

/* ---- Tags (WGSL, "Analyzing the Uniformity Requirements of a Function"). */

typedef struct utag {
    uint8_t severity[TSR_UNIFORM_SCOPE_COUNT], rule[TSR_UNIFORM_SCOPE_COUNT];
} utag;

/* Where a value may come from: `level` 1: it may differ within a workgroup, 2: within a subgroup too; and parameters,
 * each twice its number, plus 1 for what it points to. */
typedef struct usources {
    uint8_t level;
    uint32_t first, count; /* in `sources` */
} usources;

/* Many sources of one call are kept as what they are: the arguments, two nodes each, from `args` on. */
typedef struct upass {
    usources sources;
    uint32_t args;
} upass;

typedef struct uparam {
    utag value, contents;
    usources out; /* what it points to after the call */
    bool is_pointer;
} uparam;

typedef struct usummary {
    utag call_site;
    usources result;
    uparam *params;
} usummary;

/* ---- All. */

#define UVEC(type)                                                                                                     \
    struct {                                                                                                           \
        type *at;                                                                                                      \
        uint32_t count, cap;                                                                                           \
    }
/* Makes room for one more and gives its place. */
#define UPUSH(u, vec)                                                                                                  \
    ((vec).count < (vec).cap ? &(vec).at[(vec).count++]                                                                \
                             : ((vec).at = tsr_uniform_grow((u)->arena, (vec).at, sizeof *(vec).at, &(vec).cap),       \
                                &(vec).at[(vec).count++]))

struct tsr_uniform {
    const tsr_ir *ir;
    tsr_arena *arena;
    uint32_t *value;     /* by instruction: its node; of `var` UVAR and its number, of `loop` its place in `loops` */
    usummary *summaries; /* by function */
    UVEC(uint16_t) sources;
    UVEC(uint32_t) order; /* functions that matter */
    UVEC(uloop) loops;    /* of all functions */
    UVEC(unote) notes;
    /* The function at hand. */
    uint32_t function;
    const tsr_function *fn;
    bool detailed; /* a node for every step; else nodes only where ways differ */
    UVEC(unode_info) nodes;
    UVEC(uedge) edges;
    UVEC(upass) passes;
    UVEC(unode) args;
    uint32_t call_args; /* of the call at hand: their place, 0 before anyone asked */
    UVEC(tsr_uniform_need) needs;
    UVEC(unode) stack;
    UVEC(unode) parents; /* by node, while a way is looked for */
    UVEC(utag *) pending;
    uint32_t mark;
    unode control, result;
    UVEC(uvar) vars;
    uint32_t vars_seen, stamp, loop_depth;
    uint32_t *param_var; /* by parameter */
    UVEC(uevent) events;
    UVEC(uslot) slots;
    UVEC(uint32_t) assigned;
    UVEC(uhead) heads;
    UVEC(unode) outs;
    utarget *targets, *returns;
    uint32_t loop_begin; /* of the innermost loop being surveyed, in `assigned` */
};

#define UVAR 0x80000000u

void *tsr_uniform_grow(tsr_arena *arena, void *at, size_t elem_bytes, uint32_t *cap);

/* uniform_graph.c */
unode tsr_unode_new(tsr_uniform *u, tsr_uniform_kind kind, tsr_id inst, uint32_t index);
void tsr_unode_edge(tsr_uniform *u, unode from, unode to);
/* a and b together: one of them, or a node that leads to both. */
unode tsr_unode_both(tsr_uniform *u, tsr_uniform_kind kind, tsr_id inst, unode a, unode b);
/* Adds to what is being put together; starts with 0. */
unode tsr_unode_add(tsr_uniform *u, tsr_uniform_kind kind, tsr_id inst, unode sum, unode part);
unode tsr_unode_source(tsr_uniform *u, tsr_uniform_kind kind, tsr_id inst, uint32_t index, unsigned level);
/* The next edge; 0: no more. */
unode tsr_unode_next(const tsr_uniform *u, uwalker *w);
/* The fixed nodes and those of the parameters, and nothing else. */
void tsr_unode_clear(tsr_uniform *u);

/* uniform_var.c */
void tsr_uvar_set(tsr_uniform *u, uint32_t var, unode value);
void tsr_utarget_open(tsr_uniform *u, utarget *t, uint32_t limit);
void tsr_utarget_link(tsr_uniform *u, utarget *t);
void tsr_utarget_rewind(tsr_uniform *u, utarget *t);
void tsr_utarget_close(tsr_uniform *u, utarget *t);
/* The variable behind a pointer; *partial: only a part of it. Assumes: its space is `function`. */
uint32_t tsr_uvar_of(const tsr_uniform *u, tsr_id pointer, bool *partial);
/* A new variable: its number. Outside loops the walk numbers, inside them the survey has done so. */
uint32_t tsr_uvar_add(tsr_uniform *u, tsr_id inst);
/* What an outermost loop, and each loop in it, assigns. */
void tsr_uvar_survey(tsr_uniform *u, uint32_t loop);
void tsr_uvar_clear(tsr_uniform *u);

/* uniform_need.c */
/* What the instruction itself needs, calls of user functions aside; false: nothing. Fills rule, scope and severity. */
bool tsr_uneed_of(const tsr_ir *ir, const tsr_inst *inst, tsr_uniform_need *out);
void tsr_uneed_add(tsr_uniform *u, tsr_uniform_need need, tsr_uniform_what what, uint32_t arg, unode node);
/* Control flow and the operands that must be uniform. */
void tsr_uneed_builtin(tsr_uniform *u, tsr_id id, const tsr_inst *inst);
/* How much the result differs whatever the operands are: 0, 1 within a workgroup, 2 within a subgroup too. */
unsigned tsr_ulevel_of(const tsr_ir *ir, const tsr_inst *inst);
unsigned tsr_ulevel_of_input(const tsr_ir *ir, const tsr_function *fn, uint32_t param);

/* uniform_call.c */
void tsr_ucall(tsr_uniform *u, tsr_id id, const tsr_inst *inst);

/* uniform_walk.c */
void tsr_uniform_walk(tsr_uniform *u, uint32_t function, bool detailed);

/* uniform_tags.c */
bool tsr_uniform_tag(tsr_uniform *u);

/* uniform_flow.c */
/* Where the values of the function's outputs come from: result, and what its pointers point to. */
void tsr_uniform_flow(tsr_uniform *u, usummary *s);

static inline bool tsr_unode_is_interior(const tsr_uniform *u, unode n)
{
    return n >= NODE_first_param + 2 * u->fn->param_count;
}

static inline unode tsr_unode_of(const tsr_uniform *u, tsr_id id)
{
    uint32_t v = u->value[id];
    return v & UVAR ? 0 : v;
}
static inline unode tsr_unode_of_param(uint32_t param, bool contents)
{
    return NODE_first_param + 2 * param + contents;
}
static inline bool tsr_is_local_pointer(const tsr_ir *ir, tsr_type type)
{
    const tsr_type_info *info = tsr_type_get(ir->types, type);
    return info->kind == TSR_T_ptr && info->space == TSR_SPACE_function;
}

#endif
