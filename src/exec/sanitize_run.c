/* The whole of a checked run: once with the checks, then again in other orders of workgroups, with other subgroup
 * sizes, and with the majorness of one access turned round, on copies of the memory, comparing what comes out. */
#include "exec/sanitize_inside.h"

#include <inttypes.h>
#include <math.h>
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

/* The contents of all writable bindings, and room for another run's. */
struct whole {
    const tsr_san_job *job;
    tsr_interp *interp; /* the checked one */
    tsr_san *san;       /* after the checked run: who wrote what */
    tsr_san_list *list;
    tsr_text *why;
    uint32_t count;
    tsr_exec_memory *before, *after, *again; /* malloc; read-only bindings are the job's own in all of them */
};

static bool is_writable(const struct whole *x, uint32_t i)
{
    return x->job->program->resources[i].writable;
}

static tsr_exec_memory *copy_memory(const struct whole *x)
{
    tsr_exec_memory *m = calloc(x->count + 1u, sizeof *m);
    for (uint32_t i = 0; m && i < x->count; i++) {
        m[i] = x->job->exec.memory[i];
        if (!is_writable(x, i)) continue;
        void *data = NULL;
        if (posix_memalign(&data, 64, (size_t)m[i].size_bytes + 1) != 0) data = NULL;
        m[i].data = data;
        if (!data) return m; /* have_all tells */
        memcpy(data, x->job->exec.memory[i].data, (size_t)m[i].size_bytes);
    }
    return m;
}

static bool have_all(const struct whole *x, const tsr_exec_memory *m)
{
    for (uint32_t i = 0; m && i < x->count; i++)
        if (!m[i].data) return false;
    return m != NULL;
}

static void free_memory(const struct whole *x, tsr_exec_memory *m)
{
    for (uint32_t i = 0; m && i < x->count; i++)
        if (is_writable(x, i)) free(m[i].data);
    free(m);
}

static void restore(const struct whole *x)
{
    for (uint32_t i = 0; i < x->count; i++)
        if (is_writable(x, i)) memcpy(x->again[i].data, x->before[i].data, (size_t)x->before[i].size_bytes);
}

/* ---- Comparing ------------------------------------------------------------------------------------------------- */

/* The scalar kind that a type is made of; 0 when there are several. */
static tsr_type_kind scalar_kind(const tsr_types *types, tsr_type type)
{
    const tsr_type_info *t = tsr_type_get(types, type);
    if (t->kind == TSR_T_array) return scalar_kind(types, t->elem);
    if (t->kind != TSR_T_struct) return tsr_type_kind_of(types, tsr_type_scalar(types, type));
    tsr_type_kind kind = t->member_count ? scalar_kind(types, t->members[0].type) : TSR_T_void;
    for (uint32_t i = 1; i < t->member_count; i++)
        if (scalar_kind(types, t->members[i].type) != kind) return TSR_T_void;
    return kind;
}

static tsr_type_kind resource_kind(const struct whole *x, uint32_t i)
{
    const tsr_ir *ir = x->job->program->ir;
    const tsr_inst *inst = tsr_inst_at(ir, tsr_global_at(ir, x->job->program->resources[i].global)->inst);
    return scalar_kind(ir->types, tsr_type_get(ir->types, inst->type)->elem);
}

static uint32_t kind_bytes(tsr_type_kind kind)
{
    return kind == TSR_T_f16 ? 2 : 4;
}

static double value_at(tsr_type_kind kind, const unsigned char *from)
{
    uint32_t bits = 0;
    float f;
    memcpy(&bits, from, kind_bytes(kind));
    if (kind == TSR_T_f16) return tsr_component_to_f64(TSR_F16, &bits);
    if (kind == TSR_T_i32) return (int32_t)bits;
    if (kind != TSR_T_f32) return bits;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* How two buffers differ. */
struct difference {
    uint64_t count;  /* elements that differ */
    uint64_t beyond; /* by more than the tolerance */
    uint64_t first;  /* byte of the first one (the first beyond, if any) */
    double greatest; /* magnitude in the buffer */
};

static double greatest_magnitude(tsr_type_kind kind, const unsigned char *a, uint64_t size)
{
    double most = 0;
    uint32_t step = kind_bytes(kind);
    for (uint64_t at = 0; at + step <= size; at += step) {
        double v = fabs(value_at(kind, a + at));
        if (isfinite(v) && v > most) most = v;
    }
    return most;
}

static bool is_close(tsr_type_kind kind, const unsigned char *a, const unsigned char *b, double allowed)
{
    if (kind != TSR_T_f32 && kind != TSR_T_f16) return false;
    double x = value_at(kind, a), y = value_at(kind, b);
    return fabs(x - y) <= allowed; /* false for NaN */
}

static double default_tolerance(tsr_type_kind kind)
{
    return kind == TSR_T_f16 ? 0x1p-7 : 0x1p-10;
}

/* tolerance: of the greatest magnitude in `a`; 0: equal bits. */
static struct difference compare(tsr_type_kind kind, const unsigned char *a, const unsigned char *b, uint64_t size,
                                 double tolerance)
{
    struct difference d = {0};
    uint32_t step = kind_bytes(kind);
    if (memcmp(a, b, (size_t)size) == 0) return d;
    d.greatest = greatest_magnitude(kind, a, size);
    for (uint64_t at = 0; at < size; at += step) {
        size_t bytes = size - at < step ? (size_t)(size - at) : step;
        if (memcmp(a + at, b + at, bytes) == 0) continue;
        bool close = bytes == step && is_close(kind, a + at, b + at, tolerance * d.greatest);
        if (d.count++ == 0 || (!close && d.beyond == 0)) d.first = at;
        d.beyond += !close;
    }
    return d;
}

static void print_value(tsr_text *out, tsr_type_kind kind, const unsigned char *from)
{
    uint32_t bits = 0;
    memcpy(&bits, from, kind_bytes(kind));
    if (kind == TSR_T_f32 || kind == TSR_T_f16)
        tsr_text_printf(out, "%.9g", value_at(kind, from));
    else
        tsr_text_printf(out, kind == TSR_T_i32 ? "%" PRId32 : "%" PRIu32, bits);
}

static void add_difference(const struct whole *x, tsr_san_kind kind, uint32_t key, uint32_t resource,
                           const struct difference *d, const unsigned char *a, const unsigned char *b, const char *how)
{
    tsr_san san = {.list = x->list};
    tsr_san_finding *f = tsr_san_find(&san, kind, 0, key);
    if (!f) return;
    tsr_type_kind scalar = resource_kind(x, resource);
    tsr_text text;
    tsr_text_init(&text, NULL);
    if (tsr_san_last_writer(x->san, resource, d->first, &f->at)) tsr_text_puts(&text, "what is written here differs: ");
    tsr_san_describe(x->interp, &text, TSR_ROOT_BINDING, resource, d->first);
    tsr_text_puts(&text, " is ");
    print_value(&text, scalar, a + d->first);
    tsr_text_printf(&text, " %s", how);
    print_value(&text, scalar, b + d->first);
    tsr_text_printf(&text, "; %" PRIu64 " elements differ", d->beyond ? d->beyond : d->count);
    snprintf(f->at.text, sizeof f->at.text, "%s", tsr_text_get(&text));
    tsr_text_fini(&text);
}

/* ---- Runs ------------------------------------------------------------------------------------------------------ */

static tsr_status run_again(const struct whole *x, tsr_interp *in, const uint32_t *order)
{
    tsr_exec_args args = x->job->exec;
    args.memory = x->again;
    args.threads = 1;
    args.oob = x->job->args->oob;
    args.order = order;
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

static void compare_orders(const struct whole *x, uint32_t number)
{
    for (uint32_t i = 0; i < x->count; i++) {
        if (!is_writable(x, i)) continue;
        struct difference d =
            compare(resource_kind(x, i), x->after[i].data, x->again[i].data, x->after[i].size_bytes, 0);
        char how[96];
        if (d.count == 0) continue;
        snprintf(how, sizeof how, "with workgroups in ascending order and with %s ",
                 number == 0 ? "the reverse order" : "a shuffled order");
        add_difference(x, TSR_SAN_order, i, i, &d, x->after[i].data, x->again[i].data, how);
    }
}

static tsr_status try_orders(const struct whole *x)
{
    const uint32_t *groups = x->job->exec.groups;
    uint64_t total = (uint64_t)groups[0] * groups[1], state = x->job->args->seed;
    if (total == 0 || groups[2] > SHUFFLED_MAX / total || total * groups[2] < 2) return TSR_OK;
    total *= groups[2];
    uint32_t *order = malloc(total * sizeof *order);
    tsr_interp *plain = NULL;
    tsr_status st = order ? tsr_interp_new(x->job->program, x->job->subgroup_size, &plain, x->why) : TSR_ERR_MEMORY;
    uint32_t orders = x->job->args->orders ? x->job->args->orders : ORDERS_DEFAULT;
    for (uint32_t n = 0; st == TSR_OK && n < orders; n++) {
        make_order(order, (uint32_t)total, n, &state);
        st = run_again(x, plain, order);
        if (st == TSR_OK) compare_orders(x, n);
    }
    tsr_interp_free(plain);
    free(order);
    return st;
}

static void compare_sizes(const struct whole *x, uint32_t size)
{
    for (uint32_t i = 0; i < x->count; i++) {
        if (!is_writable(x, i)) continue;
        tsr_type_kind kind = resource_kind(x, i);
        struct difference d =
            compare(kind, x->after[i].data, x->again[i].data, x->after[i].size_bytes, default_tolerance(kind));
        char how[96];
        if (d.count == 0) continue;
        snprintf(how, sizeof how, "with subgroups of %u and with subgroups of %u ", x->job->subgroup_size, size);
        add_difference(x, d.beyond ? TSR_SAN_subgroup_size : TSR_SAN_subgroup_rounding, i, i, &d, x->after[i].data,
                       x->again[i].data, how);
    }
}

/* A device with such subgroups would refuse the program, or its @subgroup_size asks for another. */
static bool is_size_possible(const tsr_program *p, uint32_t size)
{
    if (tsr_function_at(p->ir, p->entry)->subgroup_size) return false;
    return !p->uses_matrices || p->workgroup_size[0] % size == 0;
}

static tsr_status try_sizes(const struct whole *x)
{
    for (uint32_t i = 0; i < x->job->size_count; i++) {
        uint32_t size = x->job->sizes[i];
        tsr_interp *in = NULL;
        if (size == x->job->subgroup_size || !is_size_possible(x->job->program, size)) continue;
        tsr_text ignored;
        tsr_text_init(&ignored, NULL);
        tsr_status st = tsr_interp_new(x->job->program, size, &in, &ignored);
        tsr_text_fini(&ignored);
        if (st == TSR_ERR_SHAPE || st == TSR_ERR_UNSUPPORTED) continue; /* it does not divide some matrix */
        if (st == TSR_OK) st = run_again(x, in, NULL);
        if (st == TSR_OK) compare_sizes(x, size);
        tsr_interp_free(in);
        if (st != TSR_OK) return st;
    }
    return TSR_OK;
}

/* ---- Expected results ------------------------------------------------------------------------------------------ */

/* Tells of the first expectation that does not hold in `memory`; true when all do. */
static bool meets(const struct whole *x, const tsr_exec_memory *memory, bool tell)
{
    for (size_t e = 0; e < x->job->args->expected_count; e++) {
        const tsr_expected *want = &x->job->args->expected[e];
        for (uint32_t i = 0; i < x->count; i++) {
            const tsr_resource *r = &x->job->program->resources[i];
            if (r->group != want->group || r->binding != want->binding) continue;
            tsr_type_kind kind = resource_kind(x, i);
            uint64_t size = want->size_bytes < memory[i].size_bytes ? want->size_bytes : memory[i].size_bytes;
            double tolerance = want->tolerance > 0 ? want->tolerance : default_tolerance(kind);
            struct difference d = compare(kind, want->data, memory[i].data, size, tolerance);
            if (d.beyond == 0) continue;
            if (tell)
                add_difference(x, TSR_SAN_expected, i, i, &d, want->data, memory[i].data, "in what is expected, here ");
            return false;
        }
    }
    return true;
}

/* Turns round the majorness of an access, wherever it was decoded. */
static void turn_round(tsr_interp *in, tsr_id inst)
{
    for (uint32_t i = 0; i < in->step_count; i++) {
        const tsr_step *s = &in->steps[i];
        if (s->inst == inst && (s->run == tsr_run_mload || s->run == tsr_run_mstore))
            ((tsr_matrix_access *)s->more)->col_major ^= true;
    }
}

static tsr_status try_majorness(const struct whole *x, tsr_interp *plain, tsr_id inst)
{
    const tsr_inst *access = tsr_inst_at(x->job->program->ir, inst);
    turn_round(plain, inst);
    tsr_status st = run_again(x, plain, NULL);
    turn_round(plain, inst);
    if (st != TSR_OK || !meets(x, x->again, false)) return st;
    tsr_san san = {.list = x->list};
    tsr_san_finding *f = tsr_san_find(&san, TSR_SAN_majorness, inst, 0);
    if (!f) return TSR_OK;
    f->at.span = access->span;
    snprintf(f->at.text, sizeof f->at.text, "this %s is %s-major; %s-major, the result is as expected",
             tsr_san_op_name(access->op), access->aux & 1u ? "column" : "row", access->aux & 1u ? "row" : "column");
    return TSR_OK;
}

static tsr_status check_expected(const struct whole *x)
{
    if (meets(x, x->after, true)) return TSR_OK;
    tsr_interp *plain = NULL;
    tsr_status st = tsr_interp_new(x->job->program, x->job->subgroup_size, &plain, x->why);
    const tsr_ir *ir = x->job->program->ir;
    for (tsr_id i = 1; st == TSR_OK && i < ir->insts.count; i++) {
        bool decoded = false;
        for (uint32_t k = 0; k < plain->step_count && !decoded; k++)
            decoded = plain->steps[k].inst == i &&
                      (plain->steps[k].run == tsr_run_mload || plain->steps[k].run == tsr_run_mstore);
        if (decoded) st = try_majorness(x, plain, i);
    }
    tsr_interp_free(plain);
    return st;
}

/* ---- The whole ------------------------------------------------------------------------------------------------- */

static tsr_status run_checked(struct whole *x, tsr_exec_report *report)
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
static tsr_status run_others(struct whole *x)
{
    tsr_status st = TSR_OK;
    x->after = copy_memory(x);
    x->again = copy_memory(x);
    if (!have_all(x, x->after) || !have_all(x, x->again)) return TSR_ERR_MEMORY;
    if (x->job->args->checks & TSR_CHECK_ORDER) st = try_orders(x);
    if (st == TSR_OK && x->job->args->checks & TSR_CHECK_SUBGROUP_SIZE) st = try_sizes(x);
    if (st == TSR_OK && x->job->args->expected_count) st = check_expected(x);
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
    struct whole x = {.job = job, .list = out, .why = why, .count = job->program->resource_count};
    if (are_too_many(job->exec.groups)) {
        tsr_text_puts(why, "a run of 2^32 workgroups or more cannot be watched");
        return TSR_ERR_LIMIT;
    }
    bool others = (job->args->checks & (TSR_CHECK_ORDER | TSR_CHECK_SUBGROUP_SIZE)) || job->args->expected_count;
    tsr_status st = tsr_interp_new_checked(job->program, job->subgroup_size,
                                           (job->args->checks & WATCHING) | TSR_CHECK_EXPECT, &x.interp, why);
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
