/* Sets of 32-bit numbers that share their parts: a set never changes once made, and one made from another keeps what
 * both have. A union costs what the two sets do not share, so that many sets which are nearly the same (what each
 * function of a call chain reaches) take little more than one. */
#ifndef TSR_BASE_SET_H
#define TSR_BASE_SET_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

/* NULL is the empty set. */
typedef struct tsr_set {
    uint32_t count;  /* of members */
    uint64_t weight; /* of all members together */
    /* Inside: a piece of the line of numbers in words of 64, halved until one word is left. */
    uint32_t first, span; /* words [first, first + span); span is a power of two */
    uint64_t word;        /* the members, where span is 1 */
    const struct tsr_set *half[2];
} tsr_set;

/* Where sets are made. `weights`: what each number weighs, NULL: nothing. */
typedef struct tsr_sets {
    tsr_arena *arena;
    const uint64_t *weights;
} tsr_sets;

const tsr_set *tsr_set_with(const tsr_sets *in, const tsr_set *s, uint32_t number);
/* Numbers in any order; neighbours cost the least when they stand side by side. */
const tsr_set *tsr_set_with_all(const tsr_sets *in, const tsr_set *s, const uint32_t *numbers, uint32_t count);
/* a itself when b adds nothing to it, and the other way round. */
const tsr_set *tsr_set_union(const tsr_sets *in, const tsr_set *a, const tsr_set *b);
bool tsr_set_has(const tsr_set *s, uint32_t number);
uint32_t tsr_set_count(const tsr_set *s);
uint64_t tsr_set_weight(const tsr_set *s);
/* The i-th number, ascending; i < count. */
uint32_t tsr_set_at(const tsr_set *s, uint32_t i);

#endif
