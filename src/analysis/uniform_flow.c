/* Where the outputs of a function come from: its result, and what its pointer parameters point to afterwards. With few
 * outputs the graph is searched from each; with many, all are found at once, by sets that flow along the edges. */
#include "analysis/uniform_inside.h"

/* Pointer parameters up to which each is searched from. */
#define SEARCHED_MAX 4u

/* ---- One output. */

static void push_edges(tsr_uniform *u, unode from)
{
    uwalker w = {.node = from};
    for (unode to; (to = tsr_unode_next(u, &w)) != 0;)
        *UPUSH(u, u->stack) = to;
}

static usources find_sources(tsr_uniform *u, unode from)
{
    usources s = {.first = u->sources.count};
    uint32_t mark = ++u->mark;
    u->stack.count = 0;
    if (from != 0) *UPUSH(u, u->stack) = from;
    while (u->stack.count > 0) {
        unode at = u->stack.at[--u->stack.count];
        unode_info *n = &u->nodes.at[at];
        if (at == NODE_differs) {
            u->sources.count = s.first;
            return (usources){.level = 2};
        }
        if (n->mark == mark) continue;
        n->mark = mark;
        if (at == NODE_differs_in_workgroup)
            s.level = 1;
        else if (tsr_unode_is_interior(u, at))
            push_edges(u, at);
        else if (at != NODE_start)
            *UPUSH(u, u->sources) = (uint16_t)(at - NODE_first_param);
    }
    s.count = u->sources.count - s.first;
    return s;
}

/* ---- All outputs. */

/* A set of fixed and parameter nodes for each node. */
typedef struct uflow {
    tsr_uniform *u;
    uint32_t words;
    uint64_t *sets; /* by node */
    unode *order;   /* what an edge leads to comes before, cycles aside */
    uint32_t count;
    UVEC(uwalker) walkers;
} uflow;

/* Depth first, with a stack of our own. */
static void order_nodes(uflow *f, unode from, uint32_t mark)
{
    tsr_uniform *u = f->u;
    if (from == 0 || u->nodes.at[from].mark == mark) return;
    u->nodes.at[from].mark = mark;
    *UPUSH(u, f->walkers) = (uwalker){.node = from};
    while (f->walkers.count > 0) {
        uwalker *w = &f->walkers.at[f->walkers.count - 1];
        unode to = tsr_unode_is_interior(u, w->node) ? tsr_unode_next(u, w) : 0;
        if (to == 0) {
            f->order[f->count++] = w->node;
            f->walkers.count--;
        } else if (u->nodes.at[to].mark != mark) {
            u->nodes.at[to].mark = mark;
            *UPUSH(u, f->walkers) = (uwalker){.node = to};
        }
    }
}

static bool flow_node(uflow *f, unode n)
{
    uint64_t changed = 0, *set = f->sets + (size_t)n * f->words;
    uwalker w = {.node = n};
    for (unode to; (to = tsr_unode_next(f->u, &w)) != 0;) {
        const uint64_t *other = f->sets + (size_t)to * f->words;
        for (uint32_t i = 0; i < f->words; i++) {
            changed |= other[i] & ~set[i];
            set[i] |= other[i];
        }
    }
    return changed != 0;
}

static void flow_all(uflow *f)
{
    for (uint32_t i = 0; i < f->count; i++) {
        unode n = f->order[i];
        if (!tsr_unode_is_interior(f->u, n)) f->sets[(size_t)n * f->words + n / 64] |= (uint64_t)1 << n % 64;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < f->count; i++)
            changed = (tsr_unode_is_interior(f->u, f->order[i]) && flow_node(f, f->order[i])) || changed;
    }
}

static usources read_set(uflow *f, unode n)
{
    tsr_uniform *u = f->u;
    usources s = {.first = u->sources.count};
    const uint64_t *set = f->sets + (size_t)n * f->words;
    if (n == 0) return s;
    if (set[0] >> NODE_differs & 1) return (usources){.level = 2};
    s.level = set[0] >> NODE_differs_in_workgroup & 1;
    for (uint32_t i = NODE_first_param; i < NODE_first_param + 2 * u->fn->param_count; i++) {
        if (set[i / 64] >> i % 64 & 1) *UPUSH(u, u->sources) = (uint16_t)(i - NODE_first_param);
    }
    s.count = u->sources.count - s.first;
    return s;
}

static unode out_of(const tsr_uniform *u, uint32_t param)
{
    return u->vars.at[u->param_var[param]].now;
}

static void find_all(tsr_uniform *u, usummary *s)
{
    uint32_t mark = ++u->mark;
    uflow f = {.u = u, .words = (NODE_first_param + 2 * u->fn->param_count + 63) / 64};
    f.sets = TSR_NEW_ARRAY(u->arena, uint64_t, (size_t)u->nodes.count * f.words);
    f.order = TSR_NEW_ARRAY(u->arena, unode, u->nodes.count);
    order_nodes(&f, u->result, mark);
    for (uint32_t i = 0; i < u->fn->param_count; i++) {
        if (s->params[i].is_pointer) order_nodes(&f, out_of(u, i), mark);
    }
    flow_all(&f);
    s->result = read_set(&f, u->result);
    for (uint32_t i = 0; i < u->fn->param_count; i++) {
        if (s->params[i].is_pointer) s->params[i].out = read_set(&f, out_of(u, i));
    }
}

void tsr_uniform_flow(tsr_uniform *u, usummary *s)
{
    uint32_t pointers = 0;
    for (uint32_t i = 0; i < u->fn->param_count; i++) {
        s->params[i].is_pointer = tsr_is_local_pointer(u->ir, u->fn->params[i].type);
        pointers += s->params[i].is_pointer;
    }
    if (pointers > SEARCHED_MAX) {
        find_all(u, s);
        return;
    }
    s->result = find_sources(u, u->result);
    for (uint32_t i = 0; i < u->fn->param_count; i++) {
        if (s->params[i].is_pointer) s->params[i].out = find_sources(u, out_of(u, i));
    }
}
