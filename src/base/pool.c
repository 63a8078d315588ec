/* The pool: see pool.h for the shape of its chunks. */
#include "base/pool.h"

/* Elements in chunk k, and the index of its first. */
static uint64_t get_chunk_elems(uint32_t k)
{
    return k == 0 ? 1u << TSR_POOL_SHIFT : (uint64_t)1 << (TSR_POOL_SHIFT + k - 1);
}

static uint64_t get_chunk_start(uint32_t k)
{
    return k == 0 ? 0 : (uint64_t)1 << (TSR_POOL_SHIFT + k - 1);
}

void tsr_pool_init(tsr_pool *p, tsr_arena *arena, uint32_t elem_bytes)
{
    *p = (tsr_pool){.arena = arena, .elem_bytes = elem_bytes};
    tsr_pool_push(p, 1);
}

uint32_t tsr_pool_push_slow(tsr_pool *p, uint32_t n)
{
    uint32_t first = p->count;
    uint64_t end = (uint64_t)first + n;
    if (end > UINT32_MAX) tsr_arena_full(p->arena);
    for (uint32_t k = 0; k < TSR_POOL_CHUNKS && get_chunk_start(k) < end; k++) {
        if (!p->chunk[k]) p->chunk[k] = tsr_arena_array(p->arena, get_chunk_elems(k), p->elem_bytes);
        p->room =
            (uint32_t)(get_chunk_start(k) + get_chunk_elems(k) > UINT32_MAX ? UINT32_MAX
                                                                            : get_chunk_start(k) + get_chunk_elems(k));
    }
    p->count = (uint32_t)end;
    return first;
}

void *tsr_pool_at_slow(const tsr_pool *p, uint32_t index)
{
    uint32_t k = 0;
    while (index >= get_chunk_start(k) + get_chunk_elems(k))
        k++;
    return p->chunk[k] + (size_t)(index - get_chunk_start(k)) * p->elem_bytes;
}
