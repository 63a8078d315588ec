/* Which functions the uniformity analysis looks at: those that need uniformity themselves or through what they call,
 * and what those call, callees before callers. A program without any need is done after one look at its ops. */
#include "analysis/uniform_inside.h"

#include <string.h>

/* What the bodies say of the call graph. */
typedef struct uplan {
    tsr_uniform *u;
    uint32_t function; /* being looked at */
    uint32_t loop_depth;
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

static void note(uplan *p, uint32_t id, uint32_t kind)
{
    if (p->loop_depth > 0) *UPUSH(p->u, p->u->notes) = (unote){.id = id, .kind = kind};
}

static void note_call(uplan *p, tsr_id id, const tsr_inst *inst)
{
    note(p, id, UNOTE_call);
    if (p->last_caller[inst->aux] == p->function) return;
    p->last_caller[inst->aux] = p->function;
    *UPUSH(p->u, p->calls) = inst->aux;
}

static void note_block(uplan *p, tsr_block b);

static void note_loop(uplan *p, tsr_id id, const tsr_inst *inst)
{
    tsr_uniform *u = p->u;
    uint32_t loop = u->loops.count;
    u->value[id] = loop;
    *UPUSH(u, u->loops) = (uloop){.first_note = u->notes.count};
    p->loop_depth++;
    note(p, loop, UNOTE_loop);
    note_block(p, tsr_inst_block(u->ir, inst, 0));
    note_block(p, tsr_inst_block(u->ir, inst, 1));
    note(p, loop, UNOTE_loop_end);
    p->loop_depth--;
}

static void note_inst(uplan *p, tsr_id id, const tsr_inst *inst)
{
    const tsr_ir *ir = p->u->ir;
    tsr_uniform_need need;
    switch (inst->op) {
    case TSR_OP_var: note(p, id, UNOTE_var); break;
    case TSR_OP_store: note(p, tsr_arg(ir, inst, 0), UNOTE_store); return;
    case TSR_OP_call: note_call(p, id, inst); return;
    case TSR_OP_loop: note_loop(p, id, inst); return;
    case TSR_OP_if:
        note_block(p, tsr_inst_block(ir, inst, 0));
        note_block(p, tsr_inst_block(ir, inst, 1));
        return;
    case TSR_OP_switch:
        for (uint32_t c = 0; c < tsr_switch_at(ir, inst->aux)->case_count; c++)
            note_block(p, tsr_switch_at(ir, inst->aux)->cases[c].block);
        return;
    default: break;
    }
    if (!p->needed[p->function]) p->needed[p->function] = tsr_uneed_of(ir, inst, &need);
}

static void note_block(uplan *p, tsr_block b)
{
    const tsr_ir *ir = p->u->ir;
    const unsigned interesting = TSR_OPF_BLOCKS | TSR_OPF_WRITE | TSR_OPF_DIAG;
    const tsr_block_info *info = tsr_block_at(ir, b);
    for (uint32_t i = 0; b != 0 && i < info->count; i++) {
        const tsr_inst *inst = tsr_inst_at(ir, info->insts[i]);
        if (tsr_op_table[inst->op].flags & interesting) note_inst(p, info->insts[i], inst);
    }
}

static void note_bodies(uplan *p)
{
    const tsr_ir *ir = p->u->ir;
    for (uint32_t f = 1; f < ir->functions.count; f++) {
        const tsr_function *fn = tsr_function_at(ir, f);
        p->function = f;
        p->first_call[f] = p->calls.count;
        note_block(p, fn->body);
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
    u->value = TSR_NEW_ARRAY(arena, uint32_t, ir->insts.count);
    uplan p = {.u = u,
               .first_call = TSR_NEW_ARRAY(arena, uint32_t, functions + 1u),
               .last_caller = TSR_NEW_ARRAY(arena, uint32_t, functions),
               .needed = TSR_NEW_ARRAY(arena, bool, functions)};
    note_bodies(&p);
    choose_functions(&p);
    for (uint32_t f = 1; f < functions; f++) {
        if (tsr_function_at(ir, f)->param_count > params) params = tsr_function_at(ir, f)->param_count;
    }
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
