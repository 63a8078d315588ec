/* What each op computes, on plain numbers, written once: the constant folder and the interpreter both call this.
 *
 * Numbers are words: 32-bit words for bool (0 or 1), i32, u32, f32 and f16 (its 16 bits), 64-bit words for AbstractInt
 * (int64_t) and AbstractFloat (double). Kinds are the scalar values of tsr_type_kind. */
#ifndef TSR_IR_EVAL_H
#define TSR_IR_EVAL_H

#include "ir/module.h"

/* What went wrong in some component; the result is the one that a running shader gets (wrapped, clamped, ...). */
enum {
    TSR_EVAL_OVERFLOW = 1u << 0, /* integer result out of range, or a float result that is not finite */
    TSR_EVAL_DIV_ZERO = 1u << 1,
    TSR_EVAL_DOMAIN = 1u << 2, /* outside the function's domain: sqrt(-1), log(0), acos(2), clamp with low > high ... */
    TSR_EVAL_SHIFT = 1u << 3,  /* shift amount not below the width, or bits lost where WGSL makes that an error */
    TSR_EVAL_RANGE = 1u << 4   /* extractBits, insertBits, ldexp ... arguments out of range */
};

/* Computes n independent results. args[i] points to n words; result may be the same memory as an argument. What went
 * wrong is told only for n = 1, a constant: a running shader gets its result and asks no questions. */
typedef unsigned (*tsr_eval_fn)(size_t n, const void *const *args, void *result);

/* The function for a COMPS op (op.def) on operands of `kind` (that of operand 0; `shl`, `ldexp` ... have others as
 * op.def says); NULL when the op is not defined for that kind. `convert` is found by tsr_eval_convert. */
tsr_eval_fn tsr_eval_find(tsr_op op, tsr_type_kind kind);
tsr_eval_fn tsr_eval_convert(tsr_type_kind from, tsr_type_kind to);

/* Whether a step of the expression that defines a COMPS op on floats overflows where the result may not: an error in
 * constants and override-expressions. `v`: the operands as numbers. */
bool tsr_eval_step_beyond(tsr_op op, tsr_type_kind kind, const double *v);

/* The ops that are not COMPS but PURE (dot, mat_mul, cross, pack..., frexp, ...): operands and result are n values of
 * `width` words each, word w of value i at [w * n + i] (component-major, as the interpreter keeps lanes). The types
 * give kinds and widths; structs of results are their members one after the other. The result must not overlap an
 * argument. NULL when the op is not of this group; compose, splat, extract, element, swizzle, insert, land and lor move
 * values around and are left to the callers. */
typedef unsigned (*tsr_eval_wide_fn)(const tsr_types *t, tsr_type result_type, const tsr_type *arg_types, size_t n,
                                     const void *const *args, void *result);
tsr_eval_wide_fn tsr_eval_find_wide(tsr_op op);

#endif
