/* The value of each function variable at each point (WGSL, "Function-scope Variable Value Analysis").
 *
 * The walk keeps one current value a variable and a list of events, its changes in order. Where ways meet (a target),
 * every way that comes in is linked: what changed since the last link goes to the variable's slot there. A way that has
 * ended is rewound to where the target was opened. So a link costs what changed, not what exists, and the work stays
 * in proportion to the program (times the depth of its blocks). */
#include "analysis/uniform_inside.h"

void tsr_uvar_set(tsr_uniform *u, uint32_t var, unode value)
{
    uvar *v = &u->vars.at[var];
    if (v->now == value) return;
    *UPUSH(u, u->events) = (uevent){.var = var, .old = v->now};
    v->now = value;
}

void tsr_utarget_open(tsr_uniform *u, utarget *t, uint32_t limit)
{
    *t = (utarget){.outer = u->targets, .start = u->events.count, .cursor = u->events.count, .limit = limit};
    u->targets = t;
}

/* A variable has few slots at a time: one a target around the walk. */
static uslot *find_slot(tsr_uniform *u, const utarget *t, uint32_t var)
{
    for (uint32_t s = u->vars.at[var].slots; s != 0; s = u->slots.at[s].next_of_var) {
        if (u->slots.at[s].target == t) return &u->slots.at[s];
    }
    return NULL;
}

static uslot *add_slot(tsr_uniform *u, utarget *t, uint32_t var)
{
    uslot *s = UPUSH(u, u->slots);
    *s = (uslot){.var = var, .target = t, .next_of_var = u->vars.at[var].slots, .next = t->slots};
    u->vars.at[var].slots = t->slots = u->slots.count - 1;
    return s;
}

static void add_to_slot(tsr_uniform *u, uslot *s, unode value)
{
    if (!s->is_set) {
        s->is_set = true;
        s->value = value;
    } else if (s->is_join) {
        tsr_unode_edge(u, s->value, value);
    } else {
        unode before = s->value;
        if (before == value) return;
        s->value = tsr_unode_both(u, TSR_UNIFORM_join, u->vars.at[s->var].inst, before, value);
        s->is_join = s->value != before && s->value != value && s->value != NODE_differs;
    }
}

/* The way that the walk is on ends at `t`. A variable without a slot there had, on the ways linked before, the value it
 * had when `t` was opened: what its first event calls old. */
void tsr_utarget_link(tsr_uniform *u, utarget *t)
{
    for (uint32_t i = t->cursor; i < u->events.count; i++) {
        uevent e = u->events.at[i];
        if (e.var >= t->limit) continue;
        uslot *s = find_slot(u, t, e.var);
        if (s == NULL) {
            s = add_slot(u, t, e.var);
            if (t->links > 0) add_to_slot(u, s, e.old);
        }
        add_to_slot(u, s, u->vars.at[e.var].now);
    }
    t->cursor = u->events.count;
    t->links++;
}

/* Back to the values when `t` was opened, for the next way. */
void tsr_utarget_rewind(tsr_uniform *u, utarget *t)
{
    uint32_t end = u->events.count, stamp = ++u->stamp;
    for (uint32_t i = t->start; i < end; i++) {
        uevent e = u->events.at[i];
        if (u->vars.at[e.var].stamp == stamp) continue;
        u->vars.at[e.var].stamp = stamp;
        tsr_uvar_set(u, e.var, e.old);
    }
}

/* One event a variable is left of all that happened; outer targets look at those again. */
static void shorten_events(tsr_uniform *u, utarget *t)
{
    uint32_t kept = t->start, stamp = ++u->stamp;
    for (uint32_t i = t->start; i < u->events.count; i++) {
        uevent e = u->events.at[i];
        if (u->vars.at[e.var].stamp == stamp) continue;
        u->vars.at[e.var].stamp = stamp;
        u->vars.at[e.var].now = e.old;
        if (e.var < t->limit) u->events.at[kept++] = e;
    }
    u->events.count = kept;
    for (utarget *o = t->outer; o != NULL; o = o->outer) {
        if (o->cursor > t->start) o->cursor = t->start;
    }
}

/* Takes the slot out of its variable's list. */
static void drop_slot(tsr_uniform *u, uint32_t slot)
{
    uint32_t *at = &u->vars.at[u->slots.at[slot].var].slots;
    while (*at != slot)
        at = &u->slots.at[*at].next_of_var;
    *at = u->slots.at[slot].next_of_var;
}

/* From here on each variable has what the linked ways left. */
void tsr_utarget_close(tsr_uniform *u, utarget *t)
{
    u->targets = t->outer;
    shorten_events(u, t);
    for (uint32_t s = t->slots; s != 0; s = u->slots.at[s].next) {
        uvar *v = &u->vars.at[u->slots.at[s].var];
        v->now = u->slots.at[s].value;
        drop_slot(u, s);
    }
    if (u->targets == NULL) u->slots.count = 1;
}

/* ---- Which variables there are. */

uint32_t tsr_uvar_of(const tsr_uniform *u, tsr_id pointer, bool *partial)
{
    const tsr_inst *inst = tsr_inst_at(u->ir, pointer);
    *partial = false;
    while (inst->op == TSR_OP_field || inst->op == TSR_OP_index) {
        *partial = true;
        pointer = tsr_arg(u->ir, inst, 0);
        inst = tsr_inst_at(u->ir, pointer);
    }
    return inst->op == TSR_OP_param ? u->param_var[inst->aux] : u->value[pointer] & ~UVAR;
}

uint32_t tsr_uvar_add(tsr_uniform *u, tsr_id inst)
{
    *UPUSH(u, u->vars) = (uvar){.inst = inst};
    return u->vars.count - 1;
}

/* Ranges of inner loops lie in those of outer ones: one entry serves them all. */
static void note_assignment(tsr_uniform *u, tsr_id pointer)
{
    bool partial;
    if (!tsr_is_local_pointer(u->ir, tsr_inst_at(u->ir, pointer)->type)) return;
    uvar *v = &u->vars.at[tsr_uvar_of(u, pointer, &partial)];
    if (v->assigned > u->loop_begin) return;
    *UPUSH(u, u->assigned) = (uint32_t)(v - u->vars.at);
    v->assigned = u->assigned.count;
}

static void note_passed(tsr_uniform *u, const tsr_inst *call)
{
    for (uint32_t i = 0; i < call->nargs; i++)
        note_assignment(u, tsr_arg(u->ir, call, i));
}

void tsr_uvar_survey(tsr_uniform *u, uint32_t loop)
{
    for (uint32_t i = u->loops.at[loop].first_note;; i++) {
        unote n = u->notes.at[i];
        uloop *inner = &u->loops.at[n.id < u->loops.count ? n.id : 0];
        switch (n.kind) {
        case UNOTE_var: u->value[n.id] = tsr_uvar_add(u, n.id) | UVAR; break;
        case UNOTE_store: note_assignment(u, n.id); break;
        case UNOTE_call: note_passed(u, tsr_inst_at(u->ir, n.id)); break;
        case UNOTE_loop:
            inner->outer_begin = u->loop_begin;
            inner->begin = u->loop_begin = u->assigned.count;
            break;
        default:
            inner->end = u->assigned.count;
            u->loop_begin = inner->outer_begin;
            if (n.id == loop) return;
        }
    }
}

void tsr_uvar_clear(tsr_uniform *u)
{
    u->vars.count = u->events.count = u->slots.count = 0;
    u->assigned.count = u->loop_begin = u->loop_depth = 0;
    (void)UPUSH(u, u->slots);
}
