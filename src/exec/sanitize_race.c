/* Shadow memory. Two accesses by different invocations to the same bytes are a race when at least one writes, not both
 * are atomic, and nothing orders them: within a workgroup workgroupBarrier orders workgroup memory, storageBarrier
 * storage memory, subgroupBarrier both within its subgroup; between workgroups nothing orders anything. Source: WGSL,
 * "Memory Model", "Synchronization Built-in Functions"; Vulkan's memory model, from which it comes.
 *
 * A matrix access is done by the subgroup as a whole, by whichever of its invocations the device likes: it races with
 * plain accesses of its own subgroup too, but not with the subgroup's other matrix accesses, which come in program
 * order. */
#include "exec/sanitize_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHADOW_BYTES_DEFAULT (UINT64_C(1) << 30)

typedef uint16_t TSR_MAY_ALIAS mem_u16;
typedef uint32_t TSR_MAY_ALIAS mem_u32;

/* ---- Ordered or not -------------------------------------------------------------------------------------------- */

static uint32_t subgroup_of(const tsr_san *san, uint32_t who)
{
    uint32_t lane = who & (TSR_SAN_WHOLE - 1);
    return who & TSR_SAN_WHOLE ? lane : lane / san->in->subgroup_size;
}

static bool is_ordered(const tsr_san *san, const tsr_san_touch *t, tsr_san_record r)
{
    if (r.time == 0 || r.time < san->barrier_at[t->root == TSR_ROOT_BINDING]) return true;
    if (TSR_SAN_AGENT(r.who) == t->agent) return true;
    uint32_t subgroup = subgroup_of(san, t->agent);
    return subgroup_of(san, r.who) == subgroup && r.time < san->subgroup_barrier_at[subgroup];
}

/* ---- Reports --------------------------------------------------------------------------------------------------- */

static bool is_plain_store(const tsr_san *san, uint32_t who)
{
    return san->in->steps[san->program->site_steps[who >> TSR_SAN_SITE_SHIFT]].op == TSR_OP_store;
}

/* Both are plain stores and bring the same value. The other one is in memory already, unless it is of another lane in
 * this very step. */
static bool writes_same_value(const tsr_san *san, const tsr_san_touch *t, uint32_t other, bool grid)
{
    if (!t->values || !is_plain_store(san, other)) return false;
    uint32_t lane = t->agent, lane2 = TSR_SAN_AGENT(other), value = t->values[lane];
    if (!grid && other >> TSR_SAN_SITE_SHIFT == t->site && (!t->offsets || t->offsets[lane] == t->offsets[lane2]))
        return t->values[lane2] == value;
    return t->size == 2 ? *(const mem_u16 *)(const void *)t->memory == (uint16_t)value
                        : *(const mem_u32 *)(const void *)t->memory == value;
}

static void print_who(char *to, size_t size, const tsr_invocation *v)
{
    if (v->whole_subgroup)
        snprintf(to, size, "subgroup %u of workgroup (%u, %u, %u)", v->subgroup, v->workgroup[0], v->workgroup[1],
                 v->workgroup[2]);
    else
        snprintf(to, size, "invocation (%u, %u, %u)", v->global[0], v->global[1], v->global[2]);
}

static void fill_access(const tsr_san *san, tsr_san_access *a, const tsr_step *s, uint32_t group, uint32_t agent)
{
    char who[96];
    a->span = tsr_inst_at(san->in->ir, s->inst)->span;
    a->has_who = true;
    a->who = tsr_san_invocation(san, group, agent);
    print_who(who, sizeof who, &a->who);
    snprintf(a->text, sizeof a->text, "this %s by %s", tsr_san_op_name(s->op), who);
}

static const char *missing_order(const tsr_san_touch *t, bool grid)
{
    if (grid) return "nothing orders workgroups";
    return t->root == TSR_ROOT_GROUP ? "no workgroupBarrier() orders them" : "no storageBarrier() orders them";
}

static TSR_COLD void report_race(tsr_san *san, const tsr_san_touch *t, uint32_t other, uint32_t group)
{
    bool grid = group != san->group;
    bool both_write = t->how == TSR_SAN_WRITE && writes_same_value(san, t, other, grid);
    tsr_san_kind kind = both_write                  ? TSR_SAN_race_same_value
                        : grid                      ? TSR_SAN_race_grid
                        : t->root == TSR_ROOT_GROUP ? TSR_SAN_race_workgroup
                                                    : TSR_SAN_race_storage;
    const tsr_step *s2 = &san->in->steps[san->program->site_steps[other >> TSR_SAN_SITE_SHIFT]];
    tsr_id lower = s2->inst < t->step->inst ? s2->inst : t->step->inst;
    tsr_san_finding *f = tsr_san_find(san, kind, lower, s2->inst ^ t->step->inst ^ lower);
    if (!f) return;
    fill_access(san, &f->at, t->step, san->group, t->agent);
    fill_access(san, &f->other, s2, group, TSR_SAN_AGENT(other));
    f->has_other = true;
    tsr_text text;
    tsr_text_init(&text, NULL);
    tsr_text_printf(&text, "%s races with another %son ", f->at.text,
                    s2->inst == t->step->inst ? "of its kind " : "access ");
    tsr_san_describe(san->in, &text, t->root, t->at, t->byte);
    tsr_text_printf(&text, ": %s%s", missing_order(t, grid), both_write ? "; both write the same value" : "");
    snprintf(f->at.text, sizeof f->at.text, "%s", tsr_text_get(&text));
    tsr_text_fini(&text);
}

static inline void check_record(tsr_san *san, const tsr_san_touch *t, tsr_san_record r)
{
    if (!is_ordered(san, t, r)) report_race(san, t, r.who, san->group);
}

/* ---- Cells ----------------------------------------------------------------------------------------------------- */

/* A cell of storage meets a new workgroup: what the last one did becomes old. */
static void make_old(const tsr_san *san, tsr_san_cell *c)
{
    const tsr_san_record newest[TSR_SAN_HOW_COUNT] = {[TSR_SAN_READ] = c->read[0].time ? c->read[0] : c->read[1],
                                                      [TSR_SAN_WRITE] = c->write,
                                                      [TSR_SAN_ATOMIC] =
                                                          c->atomic[0].time ? c->atomic[0] : c->atomic[1]};
    for (int i = 0; i < TSR_SAN_HOW_COUNT; i++) {
        if (!newest[i].time) continue;
        c->old[i].who = newest[i].who;
        c->old[i].group = c->group;
    }
    c->write = c->read[0] = c->read[1] = c->atomic[0] = c->atomic[1] = (tsr_san_record){0, 0};
    c->group = san->group;
}

static void check_old(tsr_san *san, const tsr_san_touch *t, const tsr_san_cell *c)
{
    for (int i = 0; i < TSR_SAN_HOW_COUNT; i++) {
        bool harmless = t->how == TSR_SAN_WRITE ? false : i == (int)t->how;
        if (c->old[i].group && !harmless) report_race(san, t, c->old[i].who, c->old[i].group);
    }
}

static void check_own(tsr_san *san, const tsr_san_touch *t, const tsr_san_cell *c)
{
    check_record(san, t, c->write);
    if (t->how != TSR_SAN_READ) {
        check_record(san, t, c->read[0]);
        check_record(san, t, c->read[1]);
    }
    if (t->how != TSR_SAN_ATOMIC) {
        check_record(san, t, c->atomic[0]);
        check_record(san, t, c->atomic[1]);
    }
}

/* Keeps two accesses that differ as much as they can: a later one conflicts with at least one of them. */
static void keep_two(const tsr_san *san, const tsr_san_touch *t, tsr_san_record r[2], tsr_san_record now)
{
    uint32_t subgroup = subgroup_of(san, now.who);
    int to = 1;
    if (TSR_SAN_AGENT(r[0].who) == t->agent || is_ordered(san, t, r[0]))
        to = 0;
    else if (TSR_SAN_AGENT(r[1].who) == t->agent || is_ordered(san, t, r[1]))
        to = 1;
    else if (subgroup_of(san, r[0].who) != subgroup_of(san, r[1].who) && subgroup_of(san, r[0].who) == subgroup)
        to = 0;
    r[to] = now;
}

static void touch_cell(tsr_worker *w, const tsr_san_touch *t, tsr_san_cell *c)
{
    tsr_san *san = w->san;
    tsr_san_record now = {san->now, t->site << TSR_SAN_SITE_SHIFT | t->agent};
    if (t->root == TSR_ROOT_BINDING) {
        if (c->group != san->group) make_old(san, c);
        if (tsr_san_checks(w, TSR_CHECK_RACES)) check_old(san, t, c);
    } else if (t->how != TSR_SAN_READ) {
        c->group = san->group;
    }
    if (tsr_san_checks(w, TSR_CHECK_RACES)) check_own(san, t, c);
    switch (t->how) {
    case TSR_SAN_READ: keep_two(san, t, c->read, now); break;
    case TSR_SAN_ATOMIC: keep_two(san, t, c->atomic, now); break;
    default: c->write = now;
    }
}

/* Workgroup memory is zero until something is written: reading it before is defined, and seldom meant. */
static void check_written(tsr_worker *w, const tsr_san_touch *t, const tsr_san_cell *c)
{
    if (t->how != TSR_SAN_READ || c->group == w->san->group) return;
    tsr_san_finding *f = tsr_san_find(w->san, TSR_SAN_read_unwritten, t->step->inst, 0);
    if (!f) return;
    tsr_text text;
    tsr_text_init(&text, NULL);
    fill_access(w->san, &f->at, t->step, w->san->group, t->agent);
    tsr_text_printf(&text, "%s of ", f->at.text);
    tsr_san_describe(w->in, &text, t->root, t->at, t->byte);
    tsr_text_puts(&text, ", which nothing in the workgroup has written: it is zero");
    snprintf(f->at.text, sizeof f->at.text, "%s", tsr_text_get(&text));
    tsr_text_fini(&text);
}

void tsr_san_touch_memory(tsr_worker *w, const tsr_san_touch *t)
{
    const tsr_san_shadow *shadow = t->root == TSR_ROOT_GROUP ? &w->san->group_shadow : &w->san->binding_shadows[t->at];
    if (!shadow->cells || t->size == 0) return;
    uint64_t last = (t->byte + t->size - 1) >> shadow->shift;
    for (uint64_t i = t->byte >> shadow->shift; i <= last && i < shadow->count; i++) {
        if (t->root == TSR_ROOT_GROUP && tsr_san_checks(w, TSR_CHECK_UNINITIALISED))
            check_written(w, t, &shadow->cells[i]);
        touch_cell(w, t, &shadow->cells[i]);
    }
}

/* ---- Making and freeing ---------------------------------------------------------------------------------------- */

/* False when memory ran out; what is over the limit is told and not watched. */
static bool make_cells(tsr_san *san, tsr_san_shadow *shadow, uint8_t shift, uint64_t bytes, uint64_t *left,
                       uint32_t key, const char *name)
{
    if (shift == TSR_SAN_UNWATCHED || bytes == 0) return true;
    uint64_t count = (bytes >> shift) + 1, need = count * sizeof *shadow->cells;
    if (need <= *left) {
        *left -= need;
        *shadow = (tsr_san_shadow){calloc(count, sizeof *shadow->cells), count, shift};
        return shadow->cells != NULL;
    }
    tsr_san_finding *f = tsr_san_find(san, TSR_SAN_race_unchecked, 0, key);
    if (f)
        snprintf(f->at.text, sizeof f->at.text,
                 "%.80s was not watched for races: that takes %llu bytes, over the limit of shadow memory", name,
                 (unsigned long long)need);
    return true;
}

static const char *binding_name(const tsr_interp *in, uint32_t i)
{
    return tsr_symbols_cstr(in->ir->symbols, tsr_global_at(in->ir, in->program->resources[i].global)->name);
}

/* ---- Last ------------------------------------------------------------------------------------------------------ */

static void tell_left_out(tsr_san *san)
{
    tsr_san_finding *f = tsr_san_find(san, TSR_SAN_race_unchecked, 0, 0);
    if (f)
        snprintf(f->at.text, sizeof f->at.text,
                 "%u of the program's accesses were not watched for races: no more than %u can be",
                 san->program->left_out, TSR_SAN_SITES_MAX - 1);
}

tsr_id tsr_san_last_writer(const tsr_san *san, uint32_t resource, uint64_t byte, tsr_san_access *out)
{
    const tsr_san_shadow *shadow = &san->binding_shadows[resource];
    if (!shadow->cells) return 0;
    const tsr_san_cell *c = &shadow->cells[byte >> shadow->shift];
    tsr_san_record last = c->write;
    for (int i = 0; i < 2; i++)
        if (c->atomic[i].time > last.time) last = c->atomic[i];
    uint32_t who = last.who, group = c->group;
    if (last.time == 0) {
        int how = c->old[TSR_SAN_ATOMIC].group > c->old[TSR_SAN_WRITE].group ? TSR_SAN_ATOMIC : TSR_SAN_WRITE;
        who = c->old[how].who;
        group = c->old[how].group;
    }
    if (group == 0 || who == 0) return 0;
    const tsr_step *step = &san->in->steps[san->program->site_steps[who >> TSR_SAN_SITE_SHIFT]];
    fill_access(san, out, step, group, TSR_SAN_AGENT(who));
    return step->inst;
}

bool tsr_san_shadow_init(tsr_san *san, const tsr_exec_memory *memory)
{
    const tsr_interp *in = san->in;
    uint32_t count = in->program->resource_count;
    uint64_t left = san->args->shadow_limit_bytes ? san->args->shadow_limit_bytes : SHADOW_BYTES_DEFAULT;
    san->binding_shadows = calloc(count + 1u, sizeof *san->binding_shadows);
    if (!san->binding_shadows) return false;
    uint32_t checks = san->args->checks;
    bool group = (checks & (TSR_CHECK_RACES | TSR_CHECK_UNINITIALISED)) != 0;
    /* Runs that compare want to know who wrote what differs. */
    const uint32_t compared = TSR_CHECK_ORDER | TSR_CHECK_SUBGROUP_SIZE | TSR_CHECK_COVERAGE;
    bool bindings = (checks & (TSR_CHECK_RACES | compared)) != 0 || san->args->expected_count > 0;
    if (san->program->left_out) tell_left_out(san);
    if (group &&
        !make_cells(san, &san->group_shadow, san->program->group_shift, in->group_bytes, &left, 1, "workgroup memory"))
        return false;
    for (uint32_t i = 0; bindings && i < count; i++)
        if (!make_cells(san, &san->binding_shadows[i], san->program->binding_shift[i], memory[i].size_bytes, &left,
                        i + 2, binding_name(in, i)))
            return false;
    return true;
}

void tsr_san_shadow_fini(tsr_san *san)
{
    free(san->group_shadow.cells);
    for (uint32_t i = 0; san->binding_shadows && i < san->in->program->resource_count; i++)
        free(san->binding_shadows[i].cells);
    free(san->binding_shadows);
}
