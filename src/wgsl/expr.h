/* What the files of the expression part share: expr.c, expr_access.c, expr_call.c, operator.c, construct.c, convert.c
 * and constant*.c. The rest of the resolver sees resolve.h only. */
#ifndef TSR_WGSL_EXPR_H
#define TSR_WGSL_EXPR_H

#include "wgsl/resolve.h"

/* Expressions nest at most so deep, declarations that they use on the way included: the stack is bounded. Above the
 * parser's TSR_EXPR_HEIGHT_MAX, so that one expression alone is never refused here. */
#define TSR_EXPR_DEPTH_MAX 1536u

/* Private tables of the constants: caches, so that a value is made once. */
typedef struct tsr_constants {
    tsr_map zeros;               /* type -> index in zero_values */
    tsr_pool zero_values;        /* of const tsr_cval * */
    tsr_map lowered;             /* address of a composite -> its IR value */
    tsr_map composed;            /* hash of type and parts -> its IR value */
    tsr_map converted;           /* hash of address and type -> index in conversions */
    tsr_pool conversions;        /* of tsr_conversion */
    const tsr_cval *recent[512]; /* scalars made lately, by hash: repeated numbers share one */
} tsr_constants;

typedef struct tsr_conversion {
    const tsr_cval *from, *to;
} tsr_conversion;

tsr_constants *tsr_constants_get(tsr_wgsl *w);

/* Parts of a vec (components), mat (columns), array of known size or struct; 0 for others. */
uint32_t tsr_type_part_count(const tsr_types *t, tsr_type type);
tsr_type tsr_type_part(tsr_types *t, tsr_type type, uint32_t i);
/* vec or scalar `shape` with its scalar replaced. */
tsr_type tsr_type_with_scalar(tsr_types *t, tsr_type shape, tsr_type scalar);

/* As tsr_cval_make, keeping `parts` itself. */
const tsr_cval *tsr_cval_adopt(tsr_wgsl *w, tsr_type type, const tsr_cval *const *parts, uint32_t count);
/* Reports a type with more scalars than TSR_CONST_SCALARS_MAX. */
bool tsr_cval_fits(tsr_wgsl *w, tsr_type type, tsr_span span);
/* The value as text, for messages. */
const char *tsr_cval_cstr(tsr_wgsl *w, const tsr_cval *v);
/* A scalar integer constant as a number. */
int64_t tsr_cval_int(tsr_wgsl *w, const tsr_cval *v);
/* A concrete number, or an abstract one, as f64 (which holds all of the former exactly). */
double tsr_cval_number(tsr_wgsl *w, const tsr_cval *v);
bool tsr_cval_is_finite(tsr_wgsl *w, const tsr_cval *scalar);

/* No function is open: only override-expressions may be built. */
bool tsr_expr_at_module(const tsr_wgsl *w);
/* Builds an op on operands of concrete type, or computes it when all are constants. `type` is the result's type.
 * An error operand among them gives an error operand. */
tsr_operand tsr_expr_apply(tsr_wgsl *w, tsr_op op, tsr_type type, uint32_t aux, tsr_operand *args, uint32_t nargs,
                           tsr_span span);
/* Builds an op in the place where it is computed: what an override decides stands in the module block, also when a
 * function says it, so that a pipeline evaluates and checks it. WGSL, "override Expressions". */
tsr_id tsr_expr_build(tsr_wgsl *w, tsr_op op, tsr_type type, uint32_t aux, const tsr_id *ids, uint32_t nargs,
                      tsr_when when, tsr_span span);
tsr_operand tsr_expr_apply1(tsr_wgsl *w, tsr_op op, tsr_type type, uint32_t aux, tsr_operand a, tsr_span span);
tsr_operand tsr_expr_apply2(tsr_wgsl *w, tsr_op op, tsr_type type, tsr_operand a, tsr_operand b, tsr_span span);
/* The type that both convert to automatically; 0 when there is none. */
tsr_type tsr_expr_common(const tsr_wgsl *w, tsr_type a, tsr_type b);
const char *tsr_expr_type_name(const tsr_wgsl *w, tsr_type type);

tsr_operand tsr_expr_unary(tsr_wgsl *w, tsr_node n);
tsr_operand tsr_expr_binary(tsr_wgsl *w, tsr_node n);
tsr_operand tsr_expr_index(tsr_wgsl *w, tsr_node n);
tsr_operand tsr_expr_member(tsr_wgsl *w, tsr_node n);
/* A value of `type` from the arguments of the call. */
tsr_operand tsr_expr_construct(tsr_wgsl *w, tsr_type type, tsr_node call);
/* The same for vecN(...), matCxR(...), array(...): the arguments decide the element type. */
tsr_operand tsr_expr_construct_bare(tsr_wgsl *w, tsr_type_kind kind, unsigned count, unsigned rows, tsr_node call);

#endif
