/* A growing array whose elements never move: chunks of doubling size, so an index stays an index, a pointer stays
 * a pointer, and growth copies nothing. Element 0 exists after init and means "none" wherever an index is stored. */
#ifndef TSR_BASE_POOL_H
#define TSR_BASE_POOL_H

#include "base/arena.h"

#include <stdint.h>

#define TSR_POOL_CHUNKS 28
#define TSR_POOL_SHIFT  6 /* the first chunk holds 64 elements; each later one as many as all before it */

typedef struct tsr_pool {
    tsr_arena *arena;
    uint32_t elem_bytes;
    uint32_t count; /* elements in use, element 0 included */
    uint32_t room;  /* elements in the chunks that are there */
    unsigned char *chunk[TSR_POOL_CHUNKS];
} tsr_pool;

void tsr_pool_init(tsr_pool *p, tsr_arena *arena, uint32_t elem_bytes);
uint32_t tsr_pool_push_slow(tsr_pool *p, uint32_t n);
void *tsr_pool_at_slow(const tsr_pool *p, uint32_t index);

/* Appends n zeroed elements; returns the index of the first. The n elements need not be contiguous in memory. */
static inline uint32_t tsr_pool_push(tsr_pool *p, uint32_t n)
{
    uint32_t first = p->count;
    if (p->room - first < n) return tsr_pool_push_slow(p, n);
    p->count = first + n;
    return first;
}

/* Element `index`; must be < count. */
static inline void *tsr_pool_at(const tsr_pool *p, uint32_t index)
{
    uint32_t block = index >> TSR_POOL_SHIFT;
    if (block == 0) return p->chunk[0] + (size_t)index * p->elem_bytes;
#if defined(__GNUC__) || defined(__clang__)
    uint32_t k = 32u - (uint32_t)__builtin_clz(block); /* chunk k holds [64 * 2^(k-1), 64 * 2^k) */
    return p->chunk[k] + (size_t)(index - (1u << (TSR_POOL_SHIFT + k - 1u))) * p->elem_bytes;
#else
    return tsr_pool_at_slow(p, index);
#endif
}

#endif
