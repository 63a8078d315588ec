/* Findings, and the steps that the sanitizer puts before and after those of a program. */
#include "exec/sanitize_inside.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const tsr_san_info tsr_san_table[TSR_SAN_COUNT] = {
#define SANITIZE(name, number, check, severity, title)                                                                 \
    {#name, number, TSR_CHECK_##check, TSR_SEVERITY_##severity, title},
#include "exec/sanitize.def"
};

/* Steps between an index and its access: the value that is stored is computed there. */
#define ACCESS_FAR 256

/* ---- Findings -------------------------------------------------------------------------------------------------- */

void tsr_san_list_fini(tsr_san_list *l)
{
    free(l->items);
    *l = (tsr_san_list){0};
}

static bool is_same(const tsr_san_finding *f, tsr_san_kind kind, tsr_id inst, tsr_id other)
{
    return f->kind == kind && f->inst == inst && f->other_inst == other;
}

static tsr_san_finding *append(tsr_san_list *l)
{
    if (l->count == TSR_SAN_FINDINGS_MAX) return NULL;
    if (l->count == l->cap) {
        uint32_t cap = l->cap ? l->cap * 2 : 16;
        tsr_san_finding *items = realloc(l->items, cap * sizeof *items);
        if (!items) {
            l->failed = true;
            return NULL;
        }
        l->items = items;
        l->cap = cap;
    }
    tsr_san_finding *f = &l->items[l->count++];
    memset(f, 0, sizeof *f);
    return f;
}

tsr_san_finding *tsr_san_find(tsr_san *san, tsr_san_kind kind, tsr_id inst, tsr_id other_inst)
{
    tsr_san_list *l = san->list;
    uint32_t i = san->last_found;
    if (i >= l->count || !is_same(&l->items[i], kind, inst, other_inst))
        for (i = 0; i < l->count && !is_same(&l->items[i], kind, inst, other_inst); i++)
            continue;
    san->last_found = i;
    if (i < l->count) {
        l->items[i].count++;
        return NULL;
    }
    tsr_san_finding *f = append(l);
    if (!f) return NULL;
    f->kind = kind;
    f->count = 1;
    f->inst = inst;
    f->other_inst = other_inst;
    return f;
}

/* `group` counts from 1; agent is a lane, or TSR_SAN_WHOLE with a subgroup. */
tsr_invocation tsr_san_invocation(const tsr_san *san, uint32_t group, uint32_t agent)
{
    const uint32_t *size = san->in->program->workgroup_size;
    uint32_t lane = agent & (TSR_SAN_WHOLE - 1), index = group - 1;
    tsr_invocation v = {.whole_subgroup = (agent & TSR_SAN_WHOLE) != 0};
    if (v.whole_subgroup) lane *= san->in->subgroup_size;
    v.local_index = lane;
    v.subgroup = lane / san->in->subgroup_size;
    v.workgroup[0] = index % san->groups[0];
    v.workgroup[1] = index / san->groups[0] % san->groups[1];
    v.workgroup[2] = index / san->groups[0] / san->groups[1];
    uint32_t local[3] = {lane % size[0], lane / size[0] % size[1], lane / size[0] / size[1]};
    for (int i = 0; i < 3; i++)
        v.global[i] = v.workgroup[i] * size[i] + local[i];
    return v;
}

static void fill_access(tsr_san_access *a, const tsr_san *san, tsr_span span, uint32_t agent)
{
    a->span = span;
    a->has_who = true;
    a->who = tsr_san_invocation(san, san->group, agent);
}

void tsr_san_report(tsr_worker *w, tsr_san_kind kind, uint32_t agent, const tsr_step *s, const char *fmt, ...)
{
    tsr_san_finding *f = tsr_san_find(w->san, kind, s->inst, 0);
    if (!f) return;
    fill_access(&f->at, w->san, tsr_inst_at(w->in->ir, s->inst)->span, agent);
    va_list args;
    va_start(args, fmt);
    vsnprintf(f->at.text, sizeof f->at.text, fmt, args);
    va_end(args);
}

static bool is_access(uint16_t op)
{
    return op == TSR_OP_load || op == TSR_OP_load_uniform || op == TSR_OP_store || op == TSR_OP_mload ||
           op == TSR_OP_mstore || (tsr_op_table[op].flags & TSR_OPF_ATOMIC);
}

/* The access that an index is for, when it stands near behind it; else the index itself. */
static const tsr_step *find_access(const tsr_interp *in, const tsr_step *s)
{
    tsr_slot offset = ((const tsr_index *)s->more)->out;
    for (const tsr_step *t = s + 1; t < in->steps + in->step_count && t - s <= ACCESS_FAR; t++) {
        if (!t->run) continue;
        if (t->op == TSR_OP_index && ((const tsr_index *)t->more)->in == offset)
            offset = ((const tsr_index *)t->more)->out;
        else if (is_access(t->op) && t->ptr->dyn == offset)
            return t;
    }
    return s;
}

void tsr_san_bounds(tsr_worker *w, const tsr_step *s, uint32_t lane, tsr_span span, const char *text)
{
    if (!tsr_san_checks(w, TSR_CHECK_BOUNDS)) return;
    if (s->op == TSR_OP_index) s = find_access(w->in, s);
    uint16_t flags = tsr_op_table[s->op].flags;
    bool matrix = s->op == TSR_OP_mload || s->op == TSR_OP_mstore;
    tsr_san_kind kind = s->op == TSR_OP_mload    ? TSR_SAN_bounds_matrix_load
                        : s->op == TSR_OP_mstore ? TSR_SAN_bounds_matrix_store
                        : flags & TSR_OPF_ATOMIC ? TSR_SAN_bounds_atomic
                        : s->op == TSR_OP_store  ? TSR_SAN_bounds_store
                                                 : TSR_SAN_bounds_load;
    tsr_san_finding *f = tsr_san_find(w->san, kind, s->inst, 0);
    if (!f) return;
    fill_access(&f->at, w->san, span, matrix ? TSR_SAN_WHOLE | lane / w->in->subgroup_size : lane);
    snprintf(f->at.text, sizeof f->at.text, "%s %s", s->op == TSR_OP_index ? "access:" : tsr_san_op_name(s->op), text);
}

const char *tsr_san_op_name(uint16_t op)
{
    switch (op) {
    case TSR_OP_mload: return "matrix load";
    case TSR_OP_mstore: return "matrix store";
    case TSR_OP_load:
    case TSR_OP_load_uniform: return "load";
    default: break;
    }
    if (tsr_op_table[op].flags & TSR_OPF_ATOMIC)
        return op == TSR_OP_atomic_load    ? "atomic load"
               : op == TSR_OP_atomic_store ? "atomic store"
                                           : "atomic operation";
    return tsr_op_table[op].name;
}

/* ---- Places in memory ------------------------------------------------------------------------------------------ */

/* ".member", "[3]", ".x": from a type down to the scalar that holds the byte. */
static void describe_part(const tsr_interp *in, tsr_text *out, tsr_type type, uint64_t byte)
{
    const tsr_types *types = in->ir->types;
    for (;;) {
        const tsr_type_info *t = tsr_type_get(types, type);
        if (t->kind == TSR_T_struct && t->member_count > 0) {
            uint32_t i = t->member_count - 1;
            while (i > 0 && t->members[i].offset > byte)
                i--;
            tsr_text_printf(out, ".%s", tsr_symbols_cstr(in->ir->symbols, t->members[i].name));
            byte -= t->members[i].offset;
            type = t->members[i].type;
        } else if ((t->kind == TSR_T_array || t->kind == TSR_T_mat) && t->stride) {
            tsr_text_printf(out, "[%llu]", (unsigned long long)(byte / t->stride));
            byte %= t->stride;
            if (t->kind == TSR_T_mat) {
                tsr_text_printf(out, ".%c", "xyzw"[byte / tsr_type_get(types, t->elem)->size_bytes % 4]);
                return;
            }
            type = t->elem;
        } else {
            if (t->kind == TSR_T_vec)
                tsr_text_printf(out, ".%c", "xyzw"[byte / tsr_type_get(types, t->elem)->size_bytes % 4]);
            return;
        }
    }
}

void tsr_san_describe(const tsr_interp *in, tsr_text *out, uint8_t root, uint32_t at, uint64_t byte)
{
    const tsr_san_program *p = in->sanitize;
    for (uint32_t i = 0; i < p->variable_count; i++) {
        const tsr_san_variable *v = &p->variables[i];
        if (v->root != root || (root == TSR_ROOT_BINDING && v->at != at)) continue;
        if (root == TSR_ROOT_GROUP && (byte < v->at || byte - v->at >= v->size_bytes)) continue;
        tsr_text_printf(out, "`%s", v->name);
        describe_part(in, out, v->type, root == TSR_ROOT_GROUP ? byte - v->at : byte);
        tsr_text_puts(out, "`");
        return;
    }
    tsr_text_printf(out, "byte %llu", (unsigned long long)byte);
}

/* ---- Lanes ----------------------------------------------------------------------------------------------------- */

uint32_t tsr_san_present(const tsr_worker *w, uint32_t base)
{
    uint32_t size = w->in->subgroup_size, all = w->in->invocations;
    return base >= all ? 0 : all - base < size ? all - base : size;
}

uint32_t tsr_san_first(const tsr_worker *w, uint32_t base)
{
    for (uint32_t i = base; i < base + w->in->subgroup_size; i++)
        if (w->mask[i]) return i;
    return TSR_SAN_NO_LANE;
}

/* ---- Steps ----------------------------------------------------------------------------------------------------- */

static void run_site(tsr_worker *w, const tsr_step *s)
{
    const tsr_san_site *x = &w->in->sanitize->sites[s - w->in->steps];
    bool watched = w->san && w->active > 0; /* module-scope values are computed before the run */
    for (int i = 0; watched && i < 3 && x->before[i]; i++)
        x->before[i](w, s);
    x->run(w, s);
    for (int i = 0; watched && i < 2 && x->after[i]; i++)
        x->after[i](w, s);
}

void tsr_san_before(tsr_san_site *site, tsr_step_fn check)
{
    int i = 0;
    while (i < 2 && site->before[i])
        i++;
    site->before[i] = check;
}

void tsr_san_after(tsr_san_site *site, tsr_step_fn check)
{
    site->after[site->after[0] ? 1 : 0] = check;
}

static void add_variables(tsr_decode *d, tsr_san_program *p)
{
    const tsr_block_info *block = tsr_block_at(d->ir, d->ir->module_block);
    p->variables = TSR_NEW_ARRAY(d->arena, tsr_san_variable, block->count + 1u);
    for (uint32_t i = 0; i < block->count; i++) {
        const tsr_inst *inst = tsr_inst_at(d->ir, block->insts[i]);
        const tsr_xptr *x = d->ptrs[block->insts[i]];
        if (inst->op != TSR_OP_global || !x || x->root == TSR_ROOT_LANE) continue;
        p->variables[p->variable_count++] =
            (tsr_san_variable){.root = x->root,
                               .at = x->at,
                               .size_bytes = tsr_type_get(d->types, x->pointee)->size_bytes,
                               .type = x->pointee,
                               .name = tsr_symbols_cstr(d->ir->symbols, tsr_global_at(d->ir, inst->aux)->name)};
    }
}

static uint8_t *shift_of(tsr_san_program *p, const tsr_step *s)
{
    return s->ptr->root == TSR_ROOT_GROUP ? &p->group_shift : &p->binding_shift[s->ptr->at];
}

/* The narrowest access decides how many bytes a cell stands for. */
static void add_access(tsr_decode *d, tsr_san_program *p, uint32_t step)
{
    const tsr_step *s = &d->in->steps[step];
    uint32_t bytes = tsr_san_access_bytes(s);
    if (!bytes || (s->ptr->root == TSR_ROOT_BINDING && !d->in->program->resources[s->ptr->at].writable)) return;
    uint8_t shift = bytes == 1 ? 0 : bytes == 2 ? 1 : 2, *to = shift_of(p, s);
    if (*to == TSR_SAN_UNWATCHED || shift < *to) *to = shift;
    if (p->site_count == TSR_SAN_SITES_MAX) {
        p->left_out++;
        return;
    }
    p->site_steps[p->site_count] = step;
    p->sites[step].number = p->site_count++;
}

void tsr_san_prepare(tsr_decode *d)
{
    tsr_interp *in = d->in;
    tsr_san_program *p = TSR_NEW(d->arena, tsr_san_program);
    tsr_step *steps = (tsr_step *)in->steps; /* the decoder's own */
    p->sites = TSR_NEW_ARRAY(d->arena, tsr_san_site, in->step_count);
    p->site_steps = TSR_NEW_ARRAY(d->arena, uint32_t, in->step_count + 1u);
    p->site_count = 1;
    p->group_shift = TSR_SAN_UNWATCHED;
    p->binding_shift = TSR_NEW_ARRAY(d->arena, uint8_t, in->program->resource_count + 1u);
    memset(p->binding_shift, TSR_SAN_UNWATCHED, in->program->resource_count + 1u);
    in->sanitize = p;
    add_variables(d, p);
    for (uint32_t i = 0; i < in->step_count; i++) {
        tsr_step *s = &steps[i];
        if (!s->run) continue;
        tsr_san_site *site = &p->sites[i];
        add_access(d, p, i);
        tsr_san_site_group(in, s, site);
        tsr_san_site_memory(in, s, site);
        tsr_san_site_number(in, s, site);
        site->run = s->run;
    }
    for (uint32_t i = 0; i < in->step_count; i++)
        if (steps[i].run && (p->sites[i].before[0] || p->sites[i].after[0])) steps[i].run = run_site;
}

/* ---- The run --------------------------------------------------------------------------------------------------- */

void tsr_san_begin_workgroup(tsr_worker *w)
{
    tsr_san *san = w->san;
    san->group = (uint32_t)w->workgroup + 1;
    san->now++;
    san->barrier_at[0] = san->barrier_at[1] = san->now;
    if (!san->written) return;
    memset(san->written, 1, w->in->frame_words);
    for (uint32_t i = 0; i < w->in->private_count; i++) {
        const tsr_private *p = &w->in->privates[i];
        if (!p->initial) memset(san->written + p->at, 0, (size_t)p->words * w->lanes);
    }
}

tsr_san *tsr_san_new(tsr_interp *in, const tsr_san_job *job, tsr_san_list *list)
{
    tsr_san *san = calloc(1, sizeof *san);
    if (!san) return NULL;
    san->in = in;
    san->program = in->sanitize;
    san->args = job->args;
    san->list = list;
    memcpy(san->groups, job->exec.groups, sizeof san->groups);
    san->subgroup_barrier_at = calloc(in->lanes / in->subgroup_size + 1u, sizeof *san->subgroup_barrier_at);
    bool ok = san->subgroup_barrier_at != NULL;
    if (ok && job->args->checks & TSR_CHECK_VARIABLES) {
        san->written = malloc((size_t)in->frame_words + 1);
        ok = san->written != NULL;
    }
    if (ok && tsr_san_shadow_init(san, job->exec.memory)) return san;
    tsr_san_free(san);
    return NULL;
}

void tsr_san_free(tsr_san *san)
{
    if (!san) return;
    tsr_san_shadow_fini(san);
    free(san->subgroup_barrier_at);
    free(san->written);
    free(san->numbers);
    free(san);
}
