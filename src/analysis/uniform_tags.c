/* From the graph of a function to its tags: what its needs reach. And, of the detailed graph, the ways that explain it.
 * WGSL, "Analyzing the Uniformity Requirements of a Function". */
#include "analysis/uniform_inside.h"

static bool is_difference(unode n, unsigned scope)
{
    return n == NODE_differs || (n == NODE_differs_in_workgroup && scope == TSR_UNIFORM_workgroup);
}

static void push_edges(tsr_uniform *u, unode from)
{
    uwalker w = {.node = from};
    for (unode to; (to = tsr_unode_next(u, &w)) != 0;)
        *UPUSH(u, u->stack) = to;
}

/* ---- Needs. */

static void tag_end(tsr_uniform *u, usummary *s, unode end, const tsr_uniform_need *need)
{
    utag *tag = &s->call_site;
    if (end >= NODE_first_param) {
        uparam *p = &s->params[(end - NODE_first_param) / 2];
        tag = (end - NODE_first_param) % 2 ? &p->contents : &p->value;
    } else if (end != NODE_start) {
        return;
    }
    if (tag->severity[need->scope] != TSR_SEVERITY_OFF) return;
    tag->severity[need->scope] = need->severity;
    tag->rule[need->scope] = need->rule;
    *UPUSH(u, u->pending) = tag;
}

/* True when the need is met here; whether the callers meet it is in the tags then. */
static bool follow_need(tsr_uniform *u, usummary *s, const tsr_uniform_need *need)
{
    bool met = true;
    u->stack.count = 0;
    *UPUSH(u, u->stack) = need->node;
    while (u->stack.count > 0) {
        unode at = u->stack.at[--u->stack.count];
        unode_info *n = &u->nodes.at[at];
        if (is_difference(at, need->scope))
            met = false;
        else if (!tsr_unode_is_interior(u, at))
            tag_end(u, s, at, need);
        else if (!(n->visited >> need->scope & 1)) {
            n->visited |= (uint8_t)(1u << need->scope);
            push_edges(u, at);
        }
    }
    return met;
}

/* When a need fails, the callers are not asked for those of its severity as well. */
static bool follow_needs(tsr_uniform *u, usummary *s, unsigned scope, unsigned severity)
{
    bool met = true;
    u->pending.count = 0;
    for (uint32_t i = 0; i < u->needs.count; i++) {
        const tsr_uniform_need *need = &u->needs.at[i];
        if (need->scope == scope && need->severity == severity) met = follow_need(u, s, need) && met;
    }
    for (uint32_t i = 0; i < u->pending.count && !met; i++)
        u->pending.at[i]->severity[scope] = TSR_SEVERITY_OFF;
    return met;
}

bool tsr_uniform_tag(tsr_uniform *u)
{
    bool met = true;
    usummary *s = &u->summaries[u->function];
    if (u->fn->param_count > 0) s->params = TSR_NEW_ARRAY(u->arena, uparam, u->fn->param_count);
    for (unsigned scope = 0; scope < TSR_UNIFORM_SCOPE_COUNT && u->needs.count > 0; scope++) {
        for (unsigned severity = TSR_SEVERITY_ERROR; severity > TSR_SEVERITY_OFF; severity--)
            met = follow_needs(u, s, scope, severity) && met;
    }
    if (!u->fn->is_entry) tsr_uniform_flow(u, s);
    return met;
}

/* ---- Ways. */

static void visit(tsr_uniform *u, unode at, unode parent, uint32_t mark)
{
    if (at == 0 || u->nodes.at[at].mark == mark) return;
    if (tsr_unode_is_interior(u, at)) u->nodes.at[at].mark = mark;
    u->parents.at[at] = parent;
    *UPUSH(u, u->stack) = at;
}

static void trace_way(tsr_uniform *u, unode last, tsr_uniform_way *way)
{
    way->count = 0;
    for (unode n = last; n != 0; n = u->parents.at[n])
        way->count++;
    way->steps = TSR_NEW_ARRAY(u->arena, tsr_uniform_step, way->count + 1u);
    uint32_t i = way->count;
    for (unode n = last; n != 0; n = u->parents.at[n]) {
        const unode_info *info = &u->nodes.at[n];
        way->steps[--i] = (tsr_uniform_step){.kind = info->kind, .index = info->index, .inst = info->inst};
    }
}

/* Breadth first: the shortest way. With end 0: to what differs in the scope. Marks all that can be reached. */
static bool find_way(tsr_uniform *u, unode from, unode end, unsigned scope, uint32_t mark, tsr_uniform_way *way)
{
    bool found = false;
    while (u->parents.count < u->nodes.count)
        *UPUSH(u, u->parents) = 0;
    u->stack.count = 0;
    visit(u, from, 0, mark);
    for (uint32_t next = 0; next < u->stack.count; next++) {
        unode at = u->stack.at[next];
        bool is_end = end != 0 ? at == end : is_difference(at, scope);
        if (is_end && !found) {
            found = true;
            trace_way(u, end != 0 ? at : u->parents.at[at], way);
        }
        if (!tsr_unode_is_interior(u, at)) continue;
        uwalker w = {.node = at};
        for (unode to; (to = tsr_unode_next(u, &w)) != 0;)
            visit(u, to, at, mark);
    }
    return found;
}

void tsr_uniform_explain(tsr_uniform *u, uint32_t function)
{
    tsr_uniform_walk(u, function, true);
}

uint32_t tsr_uniform_find_failures(tsr_uniform *u, const tsr_uniform_failure **out)
{
    UVEC(tsr_uniform_failure) found = {0};
    for (unsigned scope = 0; scope < TSR_UNIFORM_SCOPE_COUNT; scope++) {
        uint32_t mark = ++u->mark;
        for (unsigned severity = TSR_SEVERITY_ERROR; severity > TSR_SEVERITY_OFF; severity--) {
            for (uint32_t i = 0; i < u->needs.count; i++) {
                tsr_uniform_failure f = {.need = u->needs.at[i]};
                if (f.need.scope != scope || f.need.severity != severity) continue;
                if (find_way(u, f.need.node, 0, scope, mark, &f.way)) *UPUSH(u, found) = f;
            }
        }
    }
    *out = found.at;
    return found.count;
}

bool tsr_uniform_find_need(tsr_uniform *u, tsr_uniform_what tag, uint32_t param, tsr_uniform_scope scope,
                           tsr_uniform_failure *out)
{
    const usummary *s = &u->summaries[u->function];
    const utag *t = &s->call_site;
    unode end = NODE_start;
    uint32_t mark = ++u->mark;
    if (tag != TSR_UNIFORM_control) {
        t = tag == TSR_UNIFORM_contents ? &s->params[param].contents : &s->params[param].value;
        end = tsr_unode_of_param(param, tag == TSR_UNIFORM_contents);
    }
    for (uint32_t i = 0; i < u->needs.count; i++) {
        out->need = u->needs.at[i];
        if (out->need.scope != (uint8_t)scope || out->need.severity != t->severity[scope]) continue;
        if (find_way(u, out->need.node, end, scope, mark, &out->way)) return true;
    }
    return false;
}

bool tsr_uniform_find_source(tsr_uniform *u, bool passed, uint32_t param, tsr_uniform_scope scope, tsr_uniform_way *out)
{
    unode from = passed ? u->vars.at[u->param_var[param]].now : u->result;
    return find_way(u, from, 0, scope, ++u->mark, out);
}
