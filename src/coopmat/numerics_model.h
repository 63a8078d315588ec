/* Named models of what a multiply-add in floats computes. `reference` is what the interpreter runs unless a profile
 * names another; the others are what devices do, as measured or published (docs/numerics.md has the sources). */
#ifndef TSR_COOPMAT_NUMERICS_MODEL_H
#define TSR_COOPMAT_NUMERICS_MODEL_H

#include "coopmat/numerics.h"

typedef enum tsr_model_kind {
    TSR_MODEL_reference =
        0,             /* products exact, start at C, ascending k, one rounding per addition in the result's type */
    TSR_MODEL_mul_add, /* the product is rounded to the result's type too */
    TSR_MODEL_f32_then_round, /* sums kept in f32, rounded to the result's type once */
    TSR_MODEL_blocked /* blocks of products and the sum so far are aligned to the greatest, cut, and added exactly */
} tsr_model_kind;

typedef struct tsr_model {
    tsr_model_kind kind;
    uint8_t block;      /* blocked: products in a block, a power of two up to 64 */
    uint8_t extra_bits; /* blocked: bits kept below the 24 of f32 at the greatest exponent, 0 to 8 */
} tsr_model;

/* "reference", "mul-add", "f32-then-round", "blocked-8+2": name to model and back. False when it is none of these. */
bool tsr_model_parse(const char *name, tsr_model *out);
void tsr_model_print(const tsr_model *m, char *out, size_t bytes);

/* r = a * b + c as the model says; integers are always the reference's. Scratch as for tsr_mma_reference. */
void tsr_model_mma(const tsr_model *m, const tsr_mma *d, const uint32_t *a, const uint32_t *b, const uint32_t *c,
                   uint32_t *r, uint32_t *scratch);

#endif
