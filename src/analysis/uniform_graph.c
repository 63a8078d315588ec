/* The graph of one function. Without detail it is small: what follows from one node alone is that node, and what leads
 * to something that differs everywhere is NODE_differs itself. */
#include "analysis/uniform_inside.h"

#include <string.h>

#define FIRST_CAP 64

void *tsr_uniform_grow(tsr_arena *arena, void *at, size_t elem_bytes, uint32_t *cap)
{
    uint32_t count = *cap;
    *cap = count ? count * 2 : FIRST_CAP;
    void *grown = tsr_arena_array(arena, *cap, elem_bytes);
    if (count) memcpy(grown, at, count * elem_bytes);
    return grown;
}

unode tsr_unode_new(tsr_uniform *u, tsr_uniform_kind kind, tsr_id inst, uint32_t index)
{
    unode_info *n = UPUSH(u, u->nodes);
    *n = (unode_info){.kind = (uint8_t)kind, .inst = inst, .index = (uint16_t)index};
    return u->nodes.count - 1;
}

void tsr_unode_edge(tsr_uniform *u, unode from, unode to)
{
    if (to == 0 || to == from) return;
    unode_info *n = &u->nodes.at[from];
    for (int i = 0; i < 2; i++) {
        if (n->to[i] == to) return;
        if (n->to[i] != 0) continue;
        n->to[i] = to;
        return;
    }
    if (n->more != 0 && u->edges.at[n->more].to == to) return;
    uedge *e = UPUSH(u, u->edges);
    *e = (uedge){.to = to, .next = n->more};
    n->more = u->edges.count - 1;
}

unode tsr_unode_both(tsr_uniform *u, tsr_uniform_kind kind, tsr_id inst, unode a, unode b)
{
    if (a == 0 && b == 0) return 0;
    if (!u->detailed) {
        if (a == b || b == 0) return a;
        if (a == 0) return b;
        if (a == NODE_differs || b == NODE_differs) return NODE_differs;
    }
    unode n = tsr_unode_new(u, kind, inst, 0);
    tsr_unode_edge(u, n, a);
    tsr_unode_edge(u, n, b);
    return n;
}

unode tsr_unode_add(tsr_uniform *u, tsr_uniform_kind kind, tsr_id inst, unode sum, unode part)
{
    if (part == 0) return sum;
    if (!u->detailed) return tsr_unode_both(u, kind, inst, sum, part);
    if (sum == 0) sum = tsr_unode_new(u, kind, inst, 0);
    tsr_unode_edge(u, sum, part);
    return sum;
}

unode tsr_unode_source(tsr_uniform *u, tsr_uniform_kind kind, tsr_id inst, uint32_t index, unsigned level)
{
    if (level == 0) return 0;
    unode differs = level == 1 ? NODE_differs_in_workgroup : NODE_differs;
    if (!u->detailed) return differs;
    unode n = tsr_unode_new(u, kind, inst, index);
    tsr_unode_edge(u, n, differs);
    return n;
}

unode tsr_unode_next(const tsr_uniform *u, uwalker *w)
{
    const unode_info *n = &u->nodes.at[w->node];
    while (w->step < 2) {
        unode to = n->to[w->step++];
        if (to != 0) return to;
    }
    if (w->step == 2) {
        w->at = w->at == 0 ? n->more : u->edges.at[w->at].next;
        if (w->at != 0) return u->edges.at[w->at].to;
        w->step = 3;
    }
    const upass *p = &u->passes.at[n->passes];
    while (w->at < p->sources.count) {
        unode to = u->args.at[p->args + u->sources.at[p->sources.first + w->at++]];
        if (to != 0) return to;
    }
    return 0;
}

void tsr_unode_clear(tsr_uniform *u)
{
    u->nodes.count = u->edges.count = u->passes.count = u->args.count = 0;
    (void)UPUSH(u, u->edges);
    *UPUSH(u, u->passes) = (upass){0};
    *UPUSH(u, u->args) = 0;
    tsr_unode_new(u, TSR_UNIFORM_none, 0, 0);
    tsr_unode_new(u, TSR_UNIFORM_none, 0, 0);
    tsr_unode_new(u, TSR_UNIFORM_none, 0, 0);
    tsr_unode_new(u, TSR_UNIFORM_start, 0, 0);
    for (uint32_t i = 0; i < u->fn->param_count; i++) {
        tsr_unode_new(u, TSR_UNIFORM_param, u->fn->params[i].value, i);
        tsr_unode_new(u, TSR_UNIFORM_param_contents, u->fn->params[i].value, i);
    }
}
