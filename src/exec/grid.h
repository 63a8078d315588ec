/* What runs of a grid share: their workgroups, handed out in blocks from one counter. */
#ifndef TSR_EXEC_GRID_H
#define TSR_EXEC_GRID_H

#include "exec/interp.h"

#include <stdatomic.h>

typedef struct tsr_grid {
    uint64_t total, block; /* workgroups */
    uint32_t threads;      /* that are worth while */
    _Atomic uint64_t next, done;
} tsr_grid;

/* Refuses bindings that are too small or too large for the program. total 0: there is nothing to run. */
tsr_status tsr_grid_begin(tsr_grid *g, const tsr_program *p, const tsr_exec_args *args);
/* The next block, [*from, *to); false: all are given out. */
bool tsr_grid_take(tsr_grid *g, uint64_t *from, uint64_t *to);

#endif
