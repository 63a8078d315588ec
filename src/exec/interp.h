/* The interpreter: what a program means. A workgroup runs in lockstep, each op over all its invocations; workgroups are
 * spread over threads. Slow is allowed, unclear is not. */
#ifndef TSR_EXEC_INTERP_H
#define TSR_EXEC_INTERP_H

#include "coopmat/numerics_model.h"
#include "exec/thread_pool.h"
#include "ir/program.h"
#include "tessera.h"

/* A program decoded for the interpreter; shared by threads, read-only. */
typedef struct tsr_interp tsr_interp;

/* `why` receives a sentence on failure. TSR_ERR_MEMORY; TSR_ERR_SHAPE when the subgroup size does not divide a
 * fragment's components (check reports that first, with its place). The program must outlive it. */
tsr_status tsr_interp_new(const tsr_program *p, uint32_t subgroup_size, tsr_interp **out, tsr_text *why);
/* With the sanitizer's checks (TSR_CHECK_..., those that watch a run) built in; 0: none. */
tsr_status tsr_interp_new_checked(const tsr_program *p, uint32_t subgroup_size, uint32_t checks, tsr_interp **out,
                                  tsr_text *why);
void tsr_interp_free(tsr_interp *in);
/* Multiply-adds in floats are computed as the model says; before a run. The reference without it. */
void tsr_interp_set_model(tsr_interp *in, const tsr_model *model);

typedef struct tsr_exec_memory { /* behind one resource of the program, in the program's order */
    unsigned char *data;         /* 16-byte aligned start of the binding */
    uint64_t size_bytes;
} tsr_exec_memory;

typedef struct tsr_san tsr_san; /* one checked run */

typedef struct tsr_exec_args {
    const tsr_exec_memory *memory; /* resource_count of them */
    uint32_t groups[3];
    uint32_t threads;                                            /* at least 1 */
    tsr_thread_pool *pool;                                       /* NULL: the run makes its threads */
    uint64_t timeout_ns;                                         /* 0: none */
    bool (*progress)(void *user, uint64_t done, uint64_t total); /* from the calling thread; may be NULL */
    void *progress_user;
    tsr_oob oob;           /* what an access outside its array does */
    const uint32_t *order; /* the workgroups in another order, all of them; NULL: ascending */
    tsr_san *san;          /* for a checked program, with one thread; else NULL */
} tsr_exec_args;

/* What the run met; places are spans of the source. */
typedef struct tsr_exec_report {
    uint64_t workgroups, time_ns;
    uint64_t oob_accesses, oob_matrix_accesses;
    tsr_span first_oob;
    char first_oob_text[160];
} tsr_exec_report;

/* Runs the grid; returns when all is done. TSR_ERR_TIMEOUT when stopped by time or by `progress`. */
tsr_status tsr_interp_run(tsr_interp *in, const tsr_exec_args *args, tsr_exec_report *report);

#endif
