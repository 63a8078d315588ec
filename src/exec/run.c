/* A run: workgroups in blocks from one counter, to threads that have a frame each; the calling thread is one of them.
 */
#include "base/clock.h"
#include "exec/grid.h"
#include "exec/inside.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define FRAME_ALIGN        64u
#define PROGRESS_NS        UINT64_C(100000000)
#define WORKGROUP_PATIENCE 8u /* a workgroup costs about as much patience as this many loop iterations */

struct tsr_exec {
    tsr_interp *in;
    const tsr_exec_args *args;
    tsr_grid grid;
    uint64_t started_ns, last_progress_ns;
    atomic_bool stop;
    pthread_t caller;
};

/* ---- Time. */

static void check_time(struct tsr_exec *run, bool is_caller)
{
    uint64_t now = tsr_now_ns();
    if (run->args->timeout_ns && now - run->started_ns > run->args->timeout_ns) atomic_store(&run->stop, true);
    if (!is_caller || !run->args->progress || now - run->last_progress_ns < PROGRESS_NS) return;
    run->last_progress_ns = now;
    if (!run->args->progress(run->args->progress_user, atomic_load(&run->grid.done), run->grid.total))
        atomic_store(&run->stop, true);
}

void tsr_worker_check(tsr_worker *w)
{
    if (!w->run) return;
    check_time(w->run, pthread_equal(pthread_self(), w->run->caller) != 0);
    if (atomic_load_explicit(&w->run->stop, memory_order_relaxed)) w->stopped = true;
}

/* ---- A workgroup. */

/* Where a workgroup stands in the grid. */
struct place {
    uint32_t id[3], local[3], groups[3], size[3];
};

static uint32_t linear_in_grid(const struct place *p, const uint32_t id[3], bool in_workgroups)
{
    uint32_t width = p->groups[0] * (in_workgroups ? 1 : p->size[0]);
    uint32_t height = p->groups[1] * (in_workgroups ? 1 : p->size[1]);
    return id[0] + width * (id[1] + height * id[2]);
}

/* Component k of a built-in value in one invocation. Source: WGSL, "Built-in Inputs and Outputs". */
static uint32_t builtin_value(const tsr_interp *in, const struct place *p, uint8_t builtin, uint32_t lane, uint32_t k)
{
    uint32_t global[3];
    for (int i = 0; i < 3; i++)
        global[i] = p->id[i] * p->size[i] + p->local[i];
    switch (builtin) {
    case TSR_BV_local_invocation_id: return p->local[k];
    case TSR_BV_local_invocation_index: return lane;
    case TSR_BV_global_invocation_id: return global[k];
    case TSR_BV_global_invocation_index: return linear_in_grid(p, global, false);
    case TSR_BV_workgroup_id: return p->id[k];
    case TSR_BV_workgroup_index: return linear_in_grid(p, p->id, true);
    case TSR_BV_num_workgroups: return p->groups[k];
    case TSR_BV_subgroup_invocation_id: return lane % in->subgroup_size;
    case TSR_BV_subgroup_size: return in->subgroup_size;
    case TSR_BV_subgroup_id: return lane / in->subgroup_size;
    case TSR_BV_num_subgroups: return in->lanes / in->subgroup_size;
    default: return 0;
    }
}

static uint32_t builtin_words(uint8_t builtin)
{
    return builtin == TSR_BV_local_invocation_id || builtin == TSR_BV_global_invocation_id ||
                   builtin == TSR_BV_workgroup_id || builtin == TSR_BV_num_workgroups
               ? 3
               : 1;
}

static bool differs_by_workgroup(uint8_t builtin)
{
    return builtin == TSR_BV_global_invocation_id || builtin == TSR_BV_global_invocation_index ||
           builtin == TSR_BV_workgroup_id || builtin == TSR_BV_workgroup_index;
}

static void fill_builtin(tsr_worker *w, struct place *p, const tsr_builtin_slot *b)
{
    const tsr_interp *in = w->in;
    uint32_t words = builtin_words(b->builtin), lanes = in->lanes;
    uint32_t *to = tsr_at(w, b->slot);
    memset(p->local, 0, sizeof p->local);
    for (uint32_t i = 0; i < lanes; i++) {
        for (uint32_t k = 0; k < words; k++)
            to[(size_t)k * lanes + i] = builtin_value(in, p, b->builtin, i, k);
        for (int k = 0; k < 3 && ++p->local[k] == p->size[k] && k < 2; k++)
            p->local[k] = 0;
    }
}

static void fill_builtins(tsr_worker *w, uint64_t index, bool first)
{
    const tsr_exec_args *args = w->run->args;
    struct place p;
    memcpy(p.groups, args->groups, sizeof p.groups);
    memcpy(p.size, w->in->program->workgroup_size, sizeof p.size);
    p.id[0] = (uint32_t)(index % p.groups[0]);
    p.id[1] = (uint32_t)(index / p.groups[0] % p.groups[1]);
    p.id[2] = (uint32_t)(index / ((uint64_t)p.groups[0] * p.groups[1]));
    for (uint32_t i = 0; i < w->in->builtin_count; i++)
        if (first || differs_by_workgroup(w->in->builtins[i].builtin)) fill_builtin(w, &p, &w->in->builtins[i]);
}

static void reset_privates(tsr_worker *w)
{
    for (uint32_t i = 0; i < w->in->private_count; i++) {
        const tsr_private *p = &w->in->privates[i];
        size_t bytes = (size_t)p->words * w->lanes * sizeof(uint32_t);
        if (p->initial)
            memcpy(tsr_at(w, p->at), tsr_at(w, p->initial), bytes);
        else
            memset(tsr_at(w, p->at), 0, bytes);
    }
}

static void run_workgroup(tsr_worker *w, uint64_t index, bool first)
{
    const tsr_interp *in = w->in;
    w->workgroup = index;
    fill_builtins(w, index, first);
    reset_privates(w);
    if (in->group_bytes) memset(w->group, 0, in->group_bytes);
    memcpy(w->mask, tsr_at(w, in->ones), in->lanes * sizeof *w->mask);
    w->active = in->invocations;
    if (w->san) tsr_san_begin_workgroup(w);
    tsr_steps_run(w, in->entry_step);
}

/* ---- A thread. */

/* Frame, workgroup memory and the stack of calls, in one piece. */
static bool worker_init(tsr_worker *w, struct tsr_exec *run)
{
    const tsr_interp *in = run->in;
    size_t frame_bytes = (size_t)in->frame_words * sizeof(uint32_t);
    size_t calls_bytes = (size_t)in->call_depth * sizeof(tsr_call_frame);
    memset(w, 0, sizeof *w);
    w->memory_block = calloc(1, FRAME_ALIGN + frame_bytes + in->group_bytes + calls_bytes);
    if (!w->memory_block) return false;
    unsigned char *at = w->memory_block;
    at += FRAME_ALIGN - (uintptr_t)at % FRAME_ALIGN;
    w->in = in;
    w->run = run;
    w->lanes = in->lanes;
    w->frame = (void *)at;
    w->mask = tsr_at(w, in->mask);
    w->group = at + frame_bytes;
    w->calls = (void *)(at + frame_bytes + in->group_bytes);
    w->memory = run->args->memory;
    w->oob = run->args->oob == TSR_OOB_UNCHECKED ? TSR_OOB_ZERO : (uint8_t)run->args->oob;
    for (uint32_t i = 0; i < in->lanes; i++) {
        w->mask[i] = UINT32_MAX;
        tsr_at(w, in->ones)[i] = i < in->invocations ? UINT32_MAX : 0;
    }
    w->active = in->lanes;
    tsr_steps_run(w, in->setup_step);
    w->san = run->args->san;
    return true;
}

static void worker_run(void *user)
{
    tsr_worker *w = user;
    struct tsr_exec *run = w->run;
    bool first = true;
    uint64_t from, to;
    while (!w->stopped && tsr_grid_take(&run->grid, &from, &to)) {
        for (uint64_t i = from; i < to && !w->stopped; i++) {
            run_workgroup(w, run->args->order ? run->args->order[i] : i, first);
            first = false;
            if (!w->stopped) atomic_fetch_add_explicit(&run->grid.done, 1, memory_order_relaxed);
            if (w->patience > WORKGROUP_PATIENCE) {
                w->patience -= WORKGROUP_PATIENCE;
            } else {
                w->patience = 0;
                tsr_worker_check(w);
            }
        }
    }
}

/* ---- The whole. */

static void merge_report(tsr_exec_report *report, const tsr_worker *w, uint64_t *oob_workgroup)
{
    report->oob_accesses += w->oob_accesses;
    report->oob_matrix_accesses += w->oob_matrix_accesses;
    if (!w->has_oob || w->oob_workgroup >= *oob_workgroup) return;
    *oob_workgroup = w->oob_workgroup;
    report->first_oob = w->oob_span;
    memcpy(report->first_oob_text, w->oob_text, sizeof report->first_oob_text);
}

static void make_report(struct tsr_exec *run, const tsr_worker *workers, uint32_t count, tsr_exec_report *report)
{
    uint64_t oob_workgroup = UINT64_MAX;
    memset(report, 0, sizeof *report);
    for (uint32_t i = 0; i < count; i++)
        merge_report(report, &workers[i], &oob_workgroup);
    report->workgroups = atomic_load(&run->grid.done);
    report->time_ns = tsr_now_ns() - run->started_ns;
}

/* The caller is the first worker; when it has no work left, it waits for the others and goes on watching the time. */
static void run_workers(struct tsr_exec *run, tsr_worker *workers, uint32_t count)
{
    tsr_thread_pool *pool = count > 1 ? tsr_thread_pool_take(run->args->pool) : NULL;
    bool started = pool && tsr_thread_pool_start(pool, worker_run, workers + 1, sizeof *workers, count - 1);
    worker_run(&workers[0]);
    while (started && !tsr_thread_pool_wait(pool, PROGRESS_NS / 4, true))
        check_time(run, true);
    if (pool) tsr_thread_pool_give(run->args->pool, pool);
}

/* Fewer workers than wanted will do, one must be. */
static tsr_status run_grid(struct tsr_exec *run, uint32_t wanted, tsr_exec_report *report)
{
    tsr_worker *workers = calloc(wanted, sizeof *workers);
    uint32_t count = 0;
    while (workers && count < wanted && worker_init(&workers[count], run))
        count++;
    if (count > 0) {
        run_workers(run, workers, count);
        make_report(run, workers, count, report);
    }
    for (uint32_t i = 0; i < count; i++)
        free(workers[i].memory_block);
    free(workers);
    if (count == 0) return TSR_ERR_MEMORY;
    return atomic_load(&run->grid.done) < run->grid.total ? TSR_ERR_TIMEOUT : TSR_OK;
}

tsr_status tsr_interp_run(tsr_interp *in, const tsr_exec_args *args, tsr_exec_report *report)
{
    tsr_exec_report unused;
    if (!report) report = &unused;
    memset(report, 0, sizeof *report);
    struct tsr_exec run = {.in = in, .args = args, .started_ns = tsr_now_ns()};
    tsr_status st = tsr_grid_begin(&run.grid, in->program, args);
    if (st != TSR_OK || run.grid.total == 0) return st;
    run.last_progress_ns = run.started_ns;
    run.caller = pthread_self();
    return run_grid(&run, run.grid.threads, report);
}
