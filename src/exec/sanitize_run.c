/* The whole of a checked run: once with the checks, then again in other orders of workgroups, with other subgroup
 * sizes, on copies of the memory, comparing what comes out. */
#include "exec/sanitize_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ORDERS_DEFAULT 3u
/* More workgroups than this are not shuffled: the order alone would take as much memory as large buffers. */
#define SHUFFLED_MAX   (UINT64_C(1) << 24)
/* Checks that watch the run itself. */
#define WATCHING                                                                                                       \
    (TSR_CHECK_BOUNDS | TSR_CHECK_STRIDES | TSR_CHECK_RACES | TSR_CHECK_UNIFORMITY | TSR_CHECK_UNINITIALISED |         \
     TSR_CHECK_F16 | TSR_CHECK_WRAP | TSR_CHECK_VARIABLES)

/* ---- Memory ---------------------------------------------------------------------------------------------------- */

bool tsr_san_is_writable(const tsr_san_whole *x, uint32_t i)
{
    return x->job->program->resources[i].writable;
}

static tsr_exec_memory *copy_memory(const tsr_san_whole *x)
{
    tsr_exec_memory *m = calloc(x->count + 1u, sizeof *m);
    for (uint32_t i = 0; m && i < x->count; i++) {
        m[i] = x->job->exec.memory[i];
        if (!tsr_san_is_writable(x, i)) continue;
        void *data = NULL;
        if (posix_memalign(&data, 64, (size_t)m[i].size_bytes + 1) != 0) data = NULL;
        m[i].data = data;
        if (!data) return m; /* have_all tells */
        memcpy(data, x->job->exec.memory[i].data, (size_t)m[i].size_bytes);
    }
    return m;
}

static bool have_all(const tsr_san_whole *x, const tsr_exec_memory *m)
{
    for (uint32_t i = 0; m && i < x->count; i++)
        if (!m[i].data) return false;
    return m != NULL;
}

static void free_memory(const tsr_san_whole *x, tsr_exec_memory *m)
{
    for (uint32_t i = 0; m && i < x->count; i++)
        if (tsr_san_is_writable(x, i)) free(m[i].data);
    free(m);
}

static void restore(const tsr_san_whole *x)
{
    for (uint32_t i = 0; i < x->count; i++)
        if (tsr_san_is_writable(x, i)) memcpy(x->again[i].data, x->before[i].data, (size_t)x->before[i].size_bytes);
}

/* ---- Runs ------------------------------------------------------------------------------------------------------ */

tsr_status tsr_san_new_plain(const tsr_san_whole *x, uint32_t subgroup_size, tsr_interp **out, tsr_text *why)
{
    tsr_status st = tsr_interp_new(x->job->program, subgroup_size, out, why);
    if (st == TSR_OK && x->job->model) tsr_interp_set_model(*out, x->job->model);
    return st;
}

tsr_status tsr_san_run_again(const tsr_san_whole *x, tsr_interp *in, const uint32_t *order, uint64_t timeout_ns)
{
    tsr_exec_args args = x->job->exec;
    args.memory = x->again;
    args.threads = 1;
    args.oob = x->job->args->oob;
    args.order = order;
    if (timeout_ns) args.timeout_ns = timeout_ns;
    args.san = NULL;
    restore(x);
    return tsr_interp_run(in, &args, NULL);
}

static uint64_t next_random(uint64_t *state) /* splitmix64 */
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Number 0 is the reverse order, later ones are shuffled. */
static void make_order(uint32_t *order, uint32_t count, uint32_t number, uint64_t *state)
{
    for (uint32_t i = 0; i < count; i++)
        order[i] = number == 0 ? count - 1 - i : i;
    for (uint32_t i = count; number > 0 && i > 1; i--) {
        uint32_t j = (uint32_t)(next_random(state) % i), kept = order[i - 1];
        order[i - 1] = order[j];
        order[j] = kept;
    }
}

static void compare_orders(const tsr_san_whole *x, uint32_t number)
{
    for (uint32_t i = 0; i < x->count; i++) {
        if (!tsr_san_is_writable(x, i)) continue;
        tsr_san_difference d =
            tsr_san_compare(tsr_san_resource_kind(x, i), x->after[i].data, x->again[i].data, x->after[i].size_bytes, 0);
        if (d.count == 0) continue;
        tsr_san_add_difference(x, TSR_SAN_order, i, i, &d, x->after[i].data, x->again[i].data,
                               "with workgroups in ascending order",
                               number == 0 ? "in the reverse order" : "in a shuffled order");
    }
}

static tsr_status try_orders(const tsr_san_whole *x)
{
    const uint32_t *groups = x->job->exec.groups;
    uint64_t total = (uint64_t)groups[0] * groups[1], state = x->job->args->seed;
    if (total == 0 || groups[2] > SHUFFLED_MAX / total || total * groups[2] < 2) return TSR_OK;
    total *= groups[2];
    uint32_t *order = malloc(total * sizeof *order);
    tsr_interp *plain = NULL;
    tsr_status st = order ? tsr_san_new_plain(x, x->job->subgroup_size, &plain, x->why) : TSR_ERR_MEMORY;
    uint32_t orders = x->job->args->orders ? x->job->args->orders : ORDERS_DEFAULT;
    for (uint32_t n = 0; st == TSR_OK && n < orders; n++) {
        make_order(order, (uint32_t)total, n, &state);
        st = tsr_san_run_again(x, plain, order, 0);
        if (st == TSR_OK) compare_orders(x, n);
    }
    tsr_interp_free(plain);
    free(order);
    return st;
}

static void compare_sizes(const tsr_san_whole *x, uint32_t size)
{
    for (uint32_t i = 0; i < x->count; i++) {
        if (!tsr_san_is_writable(x, i)) continue;
        tsr_type_kind kind = tsr_san_resource_kind(x, i);
        tsr_san_difference d =
            tsr_san_compare(kind, x->after[i].data, x->again[i].data, x->after[i].size_bytes, tsr_san_tolerance(kind));
        char one[48], other[48];
        if (d.count == 0) continue;
        snprintf(one, sizeof one, "with subgroups of %u", x->job->subgroup_size);
        snprintf(other, sizeof other, "with subgroups of %u", size);
        tsr_san_add_difference(x, d.beyond ? TSR_SAN_subgroup_size : TSR_SAN_subgroup_rounding, i, i, &d,
                               x->after[i].data, x->again[i].data, one, other);
    }
}

/* A device with such subgroups would refuse the program, or its @subgroup_size asks for another. */
static bool is_size_possible(const tsr_program *p, uint32_t size)
{
    if (tsr_function_at(p->ir, p->entry)->subgroup_size) return false;
    return !p->uses_matrices || p->workgroup_size[0] % size == 0;
}

static void tell_no_size(const tsr_san_whole *x)
{
    tsr_san san = {.list = x->list};
    tsr_san_finding *f = tsr_san_find(&san, TSR_SAN_subgroup_refused, 0, 0);
    if (f)
        snprintf(f->at.text, sizeof f->at.text,
                 "no other subgroup size was tried: the device or the program allows %u alone", x->job->subgroup_size);
}

static tsr_status try_sizes(const tsr_san_whole *x)
{
    uint32_t tried = 0;
    for (uint32_t i = 0; i < x->job->size_count; i++) {
        uint32_t size = x->job->sizes[i];
        tsr_interp *in = NULL;
        if (size == x->job->subgroup_size || !is_size_possible(x->job->program, size)) continue;
        tsr_text ignored;
        tsr_text_init(&ignored, NULL);
        tsr_status st = tsr_san_new_plain(x, size, &in, &ignored);
        tsr_text_fini(&ignored);
        if (st == TSR_ERR_SHAPE || st == TSR_ERR_UNSUPPORTED) continue; /* it does not divide some matrix */
        if (st == TSR_OK) st = tsr_san_run_again(x, in, NULL, 0);
        if (st == TSR_OK) compare_sizes(x, size);
        tsr_interp_free(in);
        if (st != TSR_OK) return st;
        tried++;
    }
    if (tried == 0) tell_no_size(x);
    return TSR_OK;
}

/* ---- The whole ------------------------------------------------------------------------------------------------- */

static tsr_status run_checked(tsr_san_whole *x, tsr_exec_report *report)
{
    x->san = tsr_san_new(x->interp, x->job, x->list);
    if (!x->san) return TSR_ERR_MEMORY;
    tsr_exec_args args = x->job->exec;
    args.threads = 1;
    args.oob = x->job->args->oob;
    args.san = x->san;
    return tsr_interp_run(x->interp, &args, report);
}

/* What comes after the checked run, whose results are in the job's memory. */
static tsr_status run_others(tsr_san_whole *x)
{
    tsr_status st = TSR_OK;
    x->after = copy_memory(x);
    x->again = copy_memory(x);
    if (!have_all(x, x->after) || !have_all(x, x->again)) return TSR_ERR_MEMORY;
    if (x->job->args->checks & TSR_CHECK_ORDER) st = try_orders(x);
    if (st == TSR_OK && x->job->args->checks & TSR_CHECK_SUBGROUP_SIZE) st = try_sizes(x);
    if (x->job->args->checks & TSR_CHECK_COVERAGE) tsr_san_check_coverage(x);
    if (st == TSR_OK && x->job->args->expected_count) st = tsr_san_check_expected(x);
    return st;
}

static int by_place(const void *a, const void *b)
{
    const tsr_san_finding *f = a, *g = b;
    bool has_f = f->at.span.len != 0, has_g = g->at.span.len != 0;
    if (has_f != has_g) return has_f ? -1 : 1;
    if (f->at.span.pos != g->at.span.pos) return f->at.span.pos < g->at.span.pos ? -1 : 1;
    if (f->kind != g->kind) return f->kind < g->kind ? -1 : 1;
    return f->other.span.pos < g->other.span.pos ? -1 : f->other.span.pos > g->other.span.pos;
}

/* A race that writes the same value adds nothing where the same two places race in earnest. */
static void drop_harmless(tsr_san_list *l)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < l->count; i++) {
        const tsr_san_finding *f = &l->items[i];
        bool drop = false;
        for (uint32_t j = 0; f->kind == TSR_SAN_race_same_value && j < l->count && !drop; j++) {
            const tsr_san_finding *g = &l->items[j];
            drop = g->has_other && g->kind != f->kind && g->inst == f->inst && g->other_inst == f->other_inst;
        }
        if (!drop) l->items[kept++] = *f;
    }
    l->count = kept;
}

/* Workgroups are numbered in 32 bits. */
static bool are_too_many(const uint32_t groups[3])
{
    uint64_t plane = (uint64_t)groups[0] * groups[1];
    return plane > UINT32_MAX - 1 || (plane && groups[2] > (UINT32_MAX - 1) / plane);
}

tsr_status tsr_sanitize_run(const tsr_san_job *job, tsr_exec_report *report, tsr_san_list *out, tsr_text *why)
{
    tsr_san_whole x = {.job = job, .list = out, .why = why, .count = job->program->resource_count};
    if (are_too_many(job->exec.groups)) {
        tsr_text_puts(why, "a run of 2^32 workgroups or more cannot be watched");
        return TSR_ERR_LIMIT;
    }
    bool others = (job->args->checks & (TSR_CHECK_ORDER | TSR_CHECK_SUBGROUP_SIZE | TSR_CHECK_COVERAGE)) ||
                  job->args->expected_count;
    tsr_status st = tsr_interp_new_checked(job->program, job->subgroup_size,
                                           (job->args->checks & WATCHING) | TSR_CHECK_EXPECT, &x.interp, why);
    if (st == TSR_OK && job->model) tsr_interp_set_model(x.interp, job->model);
    if (st == TSR_OK && others) {
        x.before = copy_memory(&x);
        if (!have_all(&x, x.before)) st = TSR_ERR_MEMORY;
    }
    if (st == TSR_OK) st = run_checked(&x, report);
    if (st == TSR_OK && others) st = run_others(&x);
    if (st == TSR_OK && out->failed) st = TSR_ERR_MEMORY;
    drop_harmless(out);
    if (out->count) qsort(out->items, out->count, sizeof *out->items, by_place);
    free_memory(&x, x.before);
    free_memory(&x, x.after);
    free_memory(&x, x.again);
    tsr_san_free(x.san);
    tsr_interp_free(x.interp);
    return st;
}
