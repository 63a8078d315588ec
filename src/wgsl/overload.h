/* The typed table of built-in functions as data, and the choice of a row for the types of a call's arguments: WGSL,
 * "Overload Resolution", with the conversion ranks of convert.c. Inside builtin*.c only. */
#ifndef TSR_WGSL_OVERLOAD_H
#define TSR_WGSL_OVERLOAD_H

#include "wgsl/resolve.h"

#define TSR_BUILTIN_ARGS 8 /* no built-in function takes more */

enum { TSR_BF_CONST = 1, TSR_BF_MUST_USE = 2, TSR_BF_SUBGROUPS = 4 };

typedef enum tsr_builtin_check {
    TSR_BC_none,
    TSR_BC_bitcast,    /* not in the signature language: builtin_bitcast.c */
    TSR_BC_buffer,     /* the same: builtin_buffer.c */
    TSR_BC_resource,   /* the same: builtin_resource.c */
    TSR_BC_low_high,   /* clamp: low <= high */
    TSR_BC_edges,      /* smoothstep: edges differ */
    TSR_BC_bits,       /* the last two, offset + count, within 32 */
    TSR_BC_exponent,   /* ldexp: at most bias + 1 */
    TSR_BC_lane,       /* the second, when constant, in [0, 128) */
    TSR_BC_const_lane, /* the second must be constant, in [0, 128) */
    TSR_BC_const_quad  /* the second must be constant, in [0, 4) */
} tsr_builtin_check;

/* One row of builtin.def. */
typedef struct tsr_builtin {
    const char *name;
    const char *scalars, *params, *result; /* the signature language of builtin.def */
    uint16_t op;
    uint8_t flags; /* TSR_BF_... */
    uint8_t check; /* tsr_builtin_check */
} tsr_builtin;

/* A row with its type variables bound to the arguments of one call. */
typedef struct tsr_overload {
    const tsr_builtin *row;
    tsr_type scalar;                   /* S; 0 when the row has none */
    unsigned width;                    /* of T and V: 1 for a scalar; 0: not bound */
    unsigned columns, rows;            /* of M and Q */
    tsr_type params[TSR_BUILTIN_ARGS]; /* what each argument converts to */
    tsr_type result;                   /* 0: none */
    uint32_t rank;                     /* sum of the conversion ranks; lower is better */
    uint32_t failed;                   /* on failure: the argument that does not fit; the count when they are too few
                                          or too many */
    bool failed_alone;                 /* that argument fits no choice of S, whatever the others are */
} tsr_overload;

/* Binds the row to the argument types. On failure `out->failed` tells where. */
bool tsr_overload_match(tsr_wgsl *w, const tsr_builtin *row, const tsr_type *args, uint32_t count, tsr_overload *out);
/* The row of `rows` that fits best, bound; false when none does (nothing is reported). */
bool tsr_overload_choose(tsr_wgsl *w, const tsr_builtin *rows, uint32_t row_count, const tsr_type *args, uint32_t count,
                         tsr_overload *out);
/* Adds one note to `d` for each row: its signature and what did not fit. */
void tsr_overload_explain(tsr_wgsl *w, tsr_diag *d, const tsr_builtin *rows, uint32_t row_count, const tsr_type *args,
                          uint32_t count);
uint32_t tsr_builtin_param_count(const tsr_builtin *row);

/* The result structure of frexp, modf and atomicCompareExchangeWeak (builtin_struct.c). */
tsr_type tsr_builtin_struct(tsr_wgsl *w, tsr_op op, tsr_type scalar, unsigned width);

/* builtin_check.c: rules about constant arguments, converted to the parameters' types. False after reporting. */
bool tsr_builtin_check_args(tsr_wgsl *w, const tsr_overload *o, const tsr_operand *args, uint32_t count);

/* builtin_bitcast.c */
tsr_operand tsr_builtin_bitcast(tsr_wgsl *w, tsr_node call);

/* builtin_buffer.c: bufferView and its kin. */
tsr_operand tsr_builtin_buffer(tsr_wgsl *w, tsr_node call);
/* The bytes that a view of the type takes at least. */
uint64_t tsr_builtin_view_bytes(tsr_wgsl *w, tsr_type type);

/* builtin_resource.c: hasResource, getResource. */
tsr_operand tsr_builtin_resource(tsr_wgsl *w, tsr_node call);

/* builtin_texture.c: whether `name` is a texture function, and a call of one. */
uint32_t tsr_builtin_texture_count(void);
const char *tsr_builtin_texture_name(uint32_t row);
tsr_operand tsr_builtin_texture_call(tsr_wgsl *w, tsr_node call, uint32_t first_row);

/* builtin.c: the values of a call's arguments, load rule applied. False when there are more than TSR_BUILTIN_ARGS (then
 * reported) or one of them is wrong (reported). */
bool tsr_builtin_arguments(tsr_wgsl *w, tsr_node call, tsr_operand *args, uint32_t *count);

#endif
