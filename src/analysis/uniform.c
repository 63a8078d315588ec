/* Which functions the uniformity analysis looks at: those that need uniformity themselves or through what they call,
 * and what those call, callees before callers. A program without any need is done after one look at its ops. */
#include "analysis/uniform_inside.h"

#include <string.h>

/* What the bodies say of the call graph. */
typedef struct uplan {
    tsr_uniform *u;
    uint32_t function;    /* being looked at */
    UVEC(uint32_t) calls; /* callees, function by function */
    uint32_t *first_call; /* by function, and one more */
    uint32_t *last_caller;
    bool *needed;
} uplan;

static bool any_need(const tsr_ir *ir)
{
    tsr_uniform_need need;
    for (tsr_id id = 1; id < ir->insts.count; id++) {
        if (tsr_uneed_of(ir, tsr_inst_at(ir, id), &need)) return true;
    }
    return false;
}

static void note_inst(void *user, tsr_id id)
{
    uplan *p = user;
    tsr_uniform_need need;
    const tsr_inst *inst = tsr_inst_at(p->u->ir, id);
    if (inst->op == TSR_OP_call) {
        if (p->last_caller[inst->aux] == p->function) return;
        p->last_caller[inst->aux] = p->function;
        *UPUSH(p->u, p->calls) = inst->aux;
    } else if (!p->needed[p->function]) {
        p->needed[p->function] = tsr_uneed_of(p->u->ir, inst, &need);
    }
}

static void note_bodies(uplan *p)
{
    const tsr_ir *ir = p->u->ir;
    for (uint32_t f = 1; f < ir->functions.count; f++) {
        const tsr_function *fn = tsr_function_at(ir, f);
        p->function = f;
        p->first_call[f] = p->calls.count;
        if (fn->body != 0) tsr_block_walk(ir, fn->body, note_inst, p);
    }
    p->first_call[ir->functions.count] = p->calls.count;
}

/* Callees before callers, depth first from each function. Call chains can be long: `path` is the stack. */
static void order_functions(uplan *p, uint32_t *order)
{
    uint32_t count = p->u->ir->functions.count, done = 0;
    uint32_t *path = TSR_NEW_ARRAY(p->u->arena, uint32_t, count);
    uint32_t *next = TSR_NEW_ARRAY(p->u->arena, uint32_t, count);
    bool *seen = TSR_NEW_ARRAY(p->u->arena, bool, count);
    for (uint32_t f = 1; f < count; f++)
        next[f] = p->first_call[f];
    for (uint32_t f = 1; f < count; f++) {
        uint32_t depth = 0;
        if (seen[f]) continue;
        seen[f] = true;
        path[depth++] = f;
        while (depth > 0) {
            uint32_t at = path[depth - 1];
            if (next[at] == p->first_call[at + 1]) {
                order[done++] = at;
                depth--;
                continue;
            }
            uint32_t callee = p->calls.at[next[at]++];
            if (seen[callee]) continue;
            seen[callee] = true;
            path[depth++] = callee;
        }
    }
}

static void choose_functions(uplan *p)
{
    uint32_t count = p->u->ir->functions.count;
    uint32_t *order = TSR_NEW_ARRAY(p->u->arena, uint32_t, count);
    order_functions(p, order);
    for (uint32_t i = 0; i + 1 < count; i++) {
        uint32_t f = order[i];
        for (uint32_t c = p->first_call[f]; c < p->first_call[f + 1]; c++)
            p->needed[f] = p->needed[f] || p->needed[p->calls.at[c]];
    }
    for (uint32_t i = count - 1; i-- > 0;) {
        uint32_t f = order[i];
        for (uint32_t c = p->first_call[f]; c < p->first_call[f + 1] && p->needed[f]; c++)
            p->needed[p->calls.at[c]] = true;
    }
    for (uint32_t i = 0; i + 1 < count; i++) {
        if (p->needed[order[i]]) *UPUSH(p->u, p->u->order) = order[i];
    }
}

tsr_uniform *tsr_uniform_new(const tsr_ir *ir, tsr_arena *arena)
{
    if (!any_need(ir)) return NULL;
    tsr_uniform *u = TSR_NEW(arena, tsr_uniform);
    uint32_t functions = ir->functions.count, params = 0;
    u->ir = ir;
    u->arena = arena;
    uplan p = {.u = u,
               .first_call = TSR_NEW_ARRAY(arena, uint32_t, functions + 1u),
               .last_caller = TSR_NEW_ARRAY(arena, uint32_t, functions),
               .needed = TSR_NEW_ARRAY(arena, bool, functions)};
    note_bodies(&p);
    choose_functions(&p);
    for (uint32_t f = 1; f < functions; f++) {
        if (tsr_function_at(ir, f)->param_count > params) params = tsr_function_at(ir, f)->param_count;
    }
    u->value = TSR_NEW_ARRAY(arena, uint32_t, ir->insts.count);
    u->summaries = TSR_NEW_ARRAY(arena, usummary, functions);
    u->param_var = TSR_NEW_ARRAY(arena, uint32_t, params + 1u);
    return u;
}

uint32_t tsr_uniform_function_count(const tsr_uniform *u)
{
    return u->order.count;
}

uint32_t tsr_uniform_function(const tsr_uniform *u, uint32_t i)
{
    return u->order.at[i];
}

bool tsr_uniform_run(tsr_uniform *u, uint32_t function)
{
    tsr_uniform_walk(u, function, false);
    return tsr_uniform_tag(u);
}
