/* What a matrix multiply-add computes: the `reference` model, which the interpreter runs. Products are exact; the sum
 * starts at C (converted to the result's type) and takes them by ascending k, with one rounding an addition, in the
 * result's type. A NaN in the result is the quiet positive one. Integers wrap to the result's width, or stop at the
 * ends of its range when saturating.
 *
 * Matrices are dense, row-major, one component in a 32-bit word: f16, bf16 and the f8s as their bits, s8 sign-extended,
 * u8 zero-extended; f64 takes two words, low one first. */
#ifndef TSR_COOPMAT_NUMERICS_H
#define TSR_COOPMAT_NUMERICS_H

#include "tessera.h"

typedef struct tsr_mma {
    tsr_shape shape;
    tsr_component a, b, c, r;
    bool saturating;
} tsr_mma;

/* Whether the model covers these types: all integers, or all floats; f64 inputs only with an f64 result. */
bool tsr_mma_is_covered(const tsr_mma *d);
/* Words of scratch that tsr_mma_reference needs. */
size_t tsr_mma_scratch_words(const tsr_mma *d);
/* r = a * b + c. `r` overlaps none of the others. */
void tsr_mma_reference(const tsr_mma *d, const uint32_t *a, const uint32_t *b, const uint32_t *c, uint32_t *r,
                       uint32_t *scratch);
/* The same without the machine's fused multiply-add: equal bit for bit, slower. For tests. */
void tsr_mma_reference_plain(const tsr_mma *d, const uint32_t *a, const uint32_t *b, const uint32_t *c, uint32_t *r,
                             uint32_t *scratch);

/* 32-bit words of one component: 1, or 2 for f64. */
unsigned tsr_component_words(tsr_component c);
/* An integer's low bits as the word of an 8-bit or 32-bit component: wrapped, then extended. */
uint32_t tsr_component_wrap(tsr_component c, uint32_t bits);
/* `bits` is an i32 (for s8) or u32 (for u8) scalar: clamped to the component's range. Others stay. */
uint32_t tsr_component_clamp(tsr_component c, uint32_t bits);
/* The number in `words`, and its nearest component. Floats only. */
double tsr_component_to_f64(tsr_component c, const uint32_t *words);
void tsr_component_from_f64(tsr_component c, double x, uint32_t *words);

/* `count` components that lie side by side in memory, little-endian, to and from words `step` words apart. */
void tsr_components_read(tsr_component c, const unsigned char *from, size_t count, uint32_t *words, size_t step);
void tsr_components_write(tsr_component c, unsigned char *to, size_t count, const uint32_t *words, size_t step);

#endif
