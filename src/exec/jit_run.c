/* Runs native code over the grid: workgroups in blocks from one counter, to threads that have the memory of a workgroup
 * and a stack for each subgroup. Where the code has no barriers it runs a block in one call; else each subgroup runs on
 * a stack of its own, and a barrier passes on to the next. */
#include "base/clock.h"
#include "exec/jit_inside.h"

#include "exec/fiber.h"
#include "exec/grid.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROGRESS_NS UINT64_C(100000000)
#define WATCH_NS    UINT64_C(5000000)
#define STACK_SPARE (256u * 1024u) /* for what the code calls: the interpreter's functions */

typedef struct jit_run {
    tsr_code *code;
    const tsr_exec_args *args;
    tsr_grid grid;
    uint64_t started_ns;
    _Atomic uint32_t stop; /* the code reads it as a plain word */
} jit_run;

typedef struct tsr_jit_worker {
    jit_run *run;
    tsr_jit_room *room;
    tsr_jit_frame *frames; /* the room's */
    uint32_t fibers;
    tsr_jit_frame *turn; /* the subgroup that goes on; NULL: none is left */
    uint64_t oob[3];     /* as the frame says */
    uint64_t from, to;   /* the workgroups at hand */
} jit_worker;

/* ---- A workgroup. */

/* The subgroups that have not ended stand in a ring. */
static void close_ring(jit_worker *w)
{
    for (uint32_t s = 0; s < w->fibers; s++) {
        w->frames[s].next = &w->frames[s + 1 == w->fibers ? 0 : s + 1];
        w->frames[s].previous = &w->frames[s == 0 ? w->fibers - 1 : s - 1];
    }
}

static void enter_kernel(void *user)
{
    tsr_jit_frame *f = user;
    f->kernel(f);
    f->worker->turn = f->next == f ? NULL : f->next;
    f->next->previous = f->previous;
    f->previous->next = f->next;
}

static void wait_at_barrier(tsr_jit_frame *f)
{
    f->worker->turn = f->next;
    if (f->next != f) tsr_fiber_pass(f->fiber, f->next->fiber);
}

/* Workgroups [from, to) of a worker. Returns how many were done. */
static uint64_t run_block(jit_worker *w)
{
    const uint32_t *groups = w->run->args->groups;
    uint64_t least = w->to;
    for (uint32_t s = 0; s < w->fibers; s++) {
        tsr_jit_frame *f = &w->frames[s];
        f->from = w->from;
        f->to = w->to;
        f->group_id[0] = (uint32_t)(w->from % groups[0]);
        f->group_id[1] = (uint32_t)(w->from / groups[0] % groups[1]);
        f->group_id[2] = (uint32_t)(w->from / ((uint64_t)groups[0] * groups[1]));
        tsr_fiber_start(f->fiber, enter_kernel, f);
    }
    close_ring(w);
    w->turn = &w->frames[0];
    while (w->turn)
        tsr_fiber_resume(w->turn->fiber);
    for (uint32_t s = 0; s < w->fibers; s++)
        if (w->frames[s].from < least) least = w->frames[s].from;
    return least - w->from;
}

/* ---- A thread. */

void tsr_jit_room_free(tsr_jit_room *room)
{
    if (!room) return;
    for (uint32_t i = 0; room->frames && i < room->fibers; i++)
        tsr_fiber_free(room->frames[i].fiber);
    free(room->frames);
    free(room->memory);
    free(room);
}

static tsr_jit_room *new_room(const tsr_code *c)
{
    tsr_jit_room *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->fibers = c->has_barriers ? c->subgroups : 1;
    r->frames = calloc(r->fibers, sizeof *r->frames);
    r->memory = malloc(c->group_bytes + 64u);
    bool ok = r->frames && r->memory;
    for (uint32_t s = 0; ok && s < r->fibers; s++) {
        r->frames[s].fiber = tsr_fiber_new((size_t)c->stack_bytes + STACK_SPARE);
        ok = r->frames[s].fiber != NULL;
    }
    if (ok) return r;
    tsr_jit_room_free(r);
    return NULL;
}

static tsr_jit_room *take_room(tsr_code *c)
{
    pthread_mutex_lock(&c->lock);
    tsr_jit_room *room = c->idle;
    if (room) c->idle = room->next;
    pthread_mutex_unlock(&c->lock);
    return room ? room : new_room(c);
}

static void worker_fini(jit_worker *w)
{
    tsr_code *c = w->run->code;
    pthread_mutex_lock(&c->lock);
    w->room->next = c->idle;
    c->idle = w->room;
    pthread_mutex_unlock(&c->lock);
}

static bool worker_init(jit_worker *w, jit_run *run)
{
    tsr_jit_room *room = take_room(run->code);
    if (!room) return false;
    *w = (jit_worker){.run = run, .room = room, .frames = room->frames, .fibers = room->fibers};
    for (uint32_t s = 0; s < w->fibers; s++) {
        tsr_jit_frame *f = &w->frames[s];
        *f = (tsr_jit_frame){.memory = run->args->memory,
                             .group = room->memory + (64 - (uintptr_t)room->memory % 64) % 64,
                             .eval = tsr_jit_eval,
                             .barrier = wait_at_barrier,
                             .stop = (const void *)&run->stop,
                             .mma = tsr_jit_mma,
                             .lanes = tsr_jit_lanes,
                             .even = tsr_jit_even,
                             .subgroup = s,
                             .oob = w->oob,
                             .fiber = f->fiber,
                             .worker = w};
        memcpy(f->groups, run->args->groups, sizeof f->groups);
        *(void **)&f->kernel = run->code->object.kernel;
    }
    return true;
}

static void worker_run(void *user)
{
    jit_worker *w = user;
    jit_run *run = w->run;
    while (!atomic_load_explicit(&run->stop, memory_order_relaxed) && tsr_grid_take(&run->grid, &w->from, &w->to))
        atomic_fetch_add_explicit(&run->grid.done, run_block(w), memory_order_relaxed);
}

/* The caller waits, looks at the clock, and tells of the progress. */
static void watch(jit_run *run, tsr_thread_pool *pool, bool worked)
{
    const tsr_exec_args *args = run->args;
    uint64_t told = run->started_ns;
    while (!tsr_thread_pool_wait(pool, WATCH_NS, worked)) {
        uint64_t now = tsr_now_ns();
        if (args->timeout_ns && now - run->started_ns > args->timeout_ns) atomic_store(&run->stop, 1);
        if (args->progress && now - told >= PROGRESS_NS) {
            told = now;
            if (!args->progress(args->progress_user, atomic_load(&run->grid.done), run->grid.total))
                atomic_store(&run->stop, 1);
        }
    }
}

/* ---- The whole. */

/* The code tells which instruction was the first of its thread, not what the index was. */
static void merge_report(const jit_run *run, const jit_worker *w, tsr_exec_report *report)
{
    const tsr_ir *ir = run->code->program->ir;
    report->oob_accesses += w->oob[0];
    report->oob_matrix_accesses += w->oob[1];
    if (w->oob[2] == 0 || w->oob[2] >= ir->insts.count || report->first_oob_text[0]) return;
    const tsr_inst *inst = tsr_inst_at(ir, (tsr_id)w->oob[2]);
    tsr_text text;
    tsr_text_init(&text, NULL);
    report->first_oob = inst->span;
    if (inst->op == TSR_OP_index) {
        tsr_text_puts(&text, "an index is outside ");
        tsr_type_print(&text, ir->types, tsr_type_get(ir->types, tsr_inst_at(ir, tsr_arg(ir, inst, 0))->type)->elem);
    } else {
        tsr_text_puts(&text, "a matrix leaves its array");
    }
    snprintf(report->first_oob_text, sizeof report->first_oob_text, "%s", tsr_text_get(&text));
    tsr_text_fini(&text);
}

/* The caller works too, unless somebody must watch. Fewer threads than wanted will do, one must be. */
static bool run_workers(jit_run *run, jit_worker *workers, uint32_t count)
{
    uint32_t own = run->args->timeout_ns || run->args->progress ? 0 : 1;
    if (count == own) {
        worker_run(&workers[0]);
        return true;
    }
    tsr_thread_pool *pool = tsr_thread_pool_take(run->args->pool);
    bool started = pool && tsr_thread_pool_start(pool, worker_run, workers + own, sizeof *workers, count - own);
    if (own) worker_run(&workers[0]);
    if (started) watch(run, pool, own != 0);
    if (pool) tsr_thread_pool_give(run->args->pool, pool);
    return started || own;
}

static bool run_grid(jit_run *run, uint32_t wanted, tsr_exec_report *report)
{
    jit_worker *workers = calloc(wanted, sizeof *workers);
    uint32_t count = 0;
    while (workers && count < wanted && worker_init(&workers[count], run))
        count++;
    bool ok = count > 0 && run_workers(run, workers, count);
    for (uint32_t i = 0; i < count; i++) {
        merge_report(run, &workers[i], report);
        worker_fini(&workers[i]);
    }
    free(workers);
    return ok;
}

tsr_status tsr_code_run(tsr_code *c, const tsr_exec_args *args, tsr_exec_report *report)
{
    tsr_exec_report unused;
    if (!report) report = &unused;
    memset(report, 0, sizeof *report);
    jit_run run = {.code = c, .args = args, .started_ns = tsr_now_ns()};
    tsr_status st = tsr_grid_begin(&run.grid, c->program, args);
    if (st != TSR_OK || run.grid.total == 0) return st;
    bool ok = run_grid(&run, run.grid.threads, report);
    report->workgroups = atomic_load(&run.grid.done);
    report->time_ns = tsr_now_ns() - run.started_ns;
    if (!ok) return TSR_ERR_MEMORY;
    return report->workgroups < run.grid.total ? TSR_ERR_TIMEOUT : TSR_OK;
}
