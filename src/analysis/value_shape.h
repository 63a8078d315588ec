/* How a value differs between the invocations of one subgroup, for code that keeps a subgroup in vectors: the same in
 * all of them, evenly spaced, in runs of neighbours, or anything. And which control flow splits a subgroup, so that it
 * must run under masks. Facts hold among the invocations that are active where the value stands.
 *
 * Subgroups are cut from a workgroup by ascending local index. Facts about a function hold for all of its calls. */
#ifndef TSR_ANALYSIS_VALUE_SHAPE_H
#define TSR_ANALYSIS_VALUE_SHAPE_H

#include "ir/program.h"

/* Lanes in aligned groups of 2^run: lane i of a group has that of its first lane plus i * stride, modulo 2^32. Each
 * group's first value is a multiple of 2^tz; no value is above `max`. */
typedef struct tsr_vshape {
    uint8_t run;
    uint8_t tz; /* 32: zero */
    bool known; /* false: no value has been seen yet */
    int32_t stride;
    uint32_t max;
} tsr_vshape;

/* Values of more scalars have one shape for all of them. */
#define TSR_SHAPE_WORDS 16u

typedef struct tsr_shape_list {
    tsr_vshape *words;
    uint32_t count; /* 1: for all words of the value */
} tsr_shape_list;

typedef struct tsr_value_shapes {
    const tsr_program *program;
    tsr_arena *arena;
    uint32_t subgroup_size;
    uint8_t full;          /* log2 of it: the run of a uniform value */
    tsr_shape_list *value; /* by instruction: of values; of what variables (function, private) hold */
    bool *memory;      /* by instruction: a variable that needs memory: reached by an index or through a parameter */
    bool *uniform_ptr; /* by instruction: a pointer that is the same in all lanes */
    bool *masked;      /* by instruction: if, loop, switch whose lanes part; break, continue, return, break_if that
                          some lanes take and others, at that place, do not */
    bool *leaves;      /* by instruction: if, loop, switch with a masked leave inside that goes further out */
    bool *masked_continue; /* by instruction: a loop with a masked continue */
    tsr_id *parent;        /* by instruction: the if, loop or switch around it in its function; 0: none */
    tsr_block *block_of;   /* by instruction: the block it stands in */
    tsr_id *param_arg;     /* by instruction: what the calls pass for a parameter, if it is one constant in all of
                              them; 0: no call, TSR_ARGS_DIFFER: not so */
    bool *masked_return;   /* by function */
    bool *masked_call;     /* by function: it may run with fewer lanes than the entry point began with */
    uint64_t *type_words;  /* by type: scalars of it; UINT64_MAX when it has no size */
} tsr_value_shapes;

#define TSR_ARGS_DIFFER UINT32_MAX

void tsr_value_shapes_find(tsr_value_shapes *s, const tsr_program *p, uint32_t subgroup_size, tsr_arena *arena);

/* Shape of word w of a value. */
tsr_vshape tsr_shape_at(const tsr_value_shapes *s, tsr_id id, uint32_t w);
static inline bool tsr_shape_is_uniform(const tsr_value_shapes *s, tsr_vshape x)
{
    return x.run == s->full && x.stride == 0;
}
/* Scalars of a vec, mat, array of fixed size, struct or scalar; TSR_WORDLESS for others. */
#define TSR_WORDLESS UINT64_MAX
uint64_t tsr_shape_type_words(const tsr_value_shapes *s, tsr_type t);
/* Scalars before part `number` of a value. */
uint32_t tsr_shape_words_before(const tsr_value_shapes *s, tsr_type type, uint32_t number);

/* The shapes of integer ops, for who computes with them outside the IR. `divisor` etc. are constants. */
tsr_vshape tsr_shape_const(const tsr_value_shapes *s, uint32_t value);
tsr_vshape tsr_shape_add(const tsr_value_shapes *s, tsr_vshape a, tsr_vshape b);
tsr_vshape tsr_shape_mul_const(const tsr_value_shapes *s, tsr_vshape a, uint32_t c);
tsr_vshape tsr_shape_div_const(const tsr_value_shapes *s, tsr_vshape a, uint32_t c);
tsr_vshape tsr_shape_rem_const(const tsr_value_shapes *s, tsr_vshape a, uint32_t c);
tsr_vshape tsr_shape_any(const tsr_value_shapes *s);
/* Component k of a built-in value. */
tsr_vshape tsr_shape_builtin(const tsr_value_shapes *s, uint8_t builtin, uint32_t k);
/* a < b (or a >= b), signed or not, has the same answer in all lanes, that of the first ones. */
bool tsr_shape_compares_alike(const tsr_value_shapes *s, tsr_vshape a, tsr_vshape b);

#endif
