/* See grid.h. */
#include "exec/grid.h"

#define BLOCKS_A_THREAD 16u /* so that threads finish at about the same time */
#define BLOCK_MAX       256u
#define THREADS_MAX     1024u

static tsr_status check_memory(const tsr_program *p, const tsr_exec_args *args)
{
    for (uint32_t i = 0; i < p->resource_count; i++) {
        if (args->memory[i].size_bytes < p->resources[i].min_bytes) return TSR_ERR_INVALID;
        if (args->memory[i].size_bytes >= UINT32_MAX) return TSR_ERR_LIMIT; /* offsets are 32-bit */
    }
    return TSR_OK;
}

static uint64_t count_workgroups(const uint32_t groups[3])
{
    uint64_t plane = (uint64_t)groups[0] * groups[1];
    if (plane != 0 && groups[2] > UINT64_MAX / plane) return UINT64_MAX;
    return plane * groups[2];
}

tsr_status tsr_grid_begin(tsr_grid *g, const tsr_program *p, const tsr_exec_args *args)
{
    tsr_status st = check_memory(p, args);
    g->total = count_workgroups(args->groups);
    g->threads = args->threads < 1 ? 1 : args->threads > THREADS_MAX ? THREADS_MAX : args->threads;
    if (g->threads > g->total) g->threads = (uint32_t)g->total;
    /* One thread has nobody to finish with, but somebody may want to see how far it is. */
    bool alone = g->threads <= 1 && !args->progress;
    g->block = alone ? g->total : g->total / ((uint64_t)g->threads * BLOCKS_A_THREAD);
    g->block = g->block < 1 ? 1 : g->block > BLOCK_MAX ? BLOCK_MAX : g->block;
    return st;
}

bool tsr_grid_take(tsr_grid *g, uint64_t *from, uint64_t *to)
{
    uint64_t at = atomic_fetch_add(&g->next, g->block);
    if (at >= g->total || at > UINT64_MAX - g->block) return false;
    *from = at;
    *to = g->total - at < g->block ? g->total : at + g->block;
    return true;
}
