/* Calls of user functions: the callee's tags become needs and edges of the caller's graph.
 * WGSL, "Uniformity Rules for Function Calls". */
#include "analysis/uniform_inside.h"

/* More sources than this are not copied into the graph: functions with many pointers stay linear in memory. */
#define EDGES_MAX 8u

static void add_needs(tsr_uniform *u, tsr_id id, const utag *tag, tsr_uniform_what what, uint32_t arg, unode node)
{
    for (int scope = 0; scope < TSR_UNIFORM_SCOPE_COUNT; scope++) {
        if (tag->severity[scope] == TSR_SEVERITY_OFF) continue;
        tsr_uniform_need need = {
            .inst = id, .scope = (uint8_t)scope, .rule = tag->rule[scope], .severity = tag->severity[scope]};
        tsr_uneed_add(u, need, what, arg, node);
    }
}

static unode contents_of(const tsr_uniform *u, tsr_id pointer)
{
    bool partial;
    return u->vars.at[tsr_uvar_of(u, pointer, &partial)].now;
}

/* All arguments as they are before the call, kept once for all that the callee lets flow out. */
static uint32_t keep_args(tsr_uniform *u, const tsr_inst *inst, const usummary *s)
{
    if (u->call_args != 0) return u->call_args;
    u->call_args = u->args.count;
    for (uint32_t i = 0; i < inst->nargs; i++) {
        tsr_id arg = tsr_arg(u->ir, inst, i);
        *UPUSH(u, u->args) = tsr_unode_of(u, arg);
        *UPUSH(u, u->args) = s->params[i].is_pointer ? contents_of(u, arg) : 0;
    }
    return u->call_args;
}

/* What the callee lets flow out, on top of `sum`. */
static unode add_sources(tsr_uniform *u, tsr_id id, const tsr_inst *inst, const usources *from, tsr_uniform_kind kind,
                         unode sum)
{
    if (from->count > EDGES_MAX) {
        uint32_t args = keep_args(u, inst, &u->summaries[inst->aux]);
        unode n = tsr_unode_new(u, kind, id, 0);
        u->nodes.at[n].passes = u->passes.count;
        *UPUSH(u, u->passes) = (upass){.sources = *from, .args = args};
        return tsr_unode_add(u, kind, id, sum, n);
    }
    for (uint32_t i = 0; i < from->count; i++) {
        unsigned source = u->sources.at[from->first + i];
        tsr_id arg = tsr_arg(u->ir, inst, source / 2);
        sum = tsr_unode_add(u, kind, id, sum, source & 1 ? contents_of(u, arg) : tsr_unode_of(u, arg));
    }
    return sum;
}

static unode result_of(tsr_uniform *u, tsr_id id, const tsr_inst *inst, const usummary *s)
{
    unode source = tsr_unode_source(u, TSR_UNIFORM_from_call, id, 0, s->result.level);
    unode n = tsr_unode_add(u, TSR_UNIFORM_result, id, 0, source);
    n = add_sources(u, id, inst, &s->result, TSR_UNIFORM_result, n);
    return tsr_unode_add(u, TSR_UNIFORM_result, id, n, u->control);
}

/* What stands behind pointer argument i after the call, as far as the callee and the place of the call decide. */
static unode passed_of(tsr_uniform *u, tsr_id id, const tsr_inst *inst, const usummary *s, uint32_t i)
{
    const usources *out = &s->params[i].out;
    unode source = tsr_unode_source(u, TSR_UNIFORM_from_passed, id, i, out->level);
    unode n = tsr_unode_add(u, TSR_UNIFORM_passed, id, 0, source);
    n = add_sources(u, id, inst, out, TSR_UNIFORM_passed, n);
    n = tsr_unode_add(u, TSR_UNIFORM_passed, id, n, tsr_unode_of(u, tsr_arg(u->ir, inst, i)));
    return tsr_unode_add(u, TSR_UNIFORM_passed, id, n, u->control);
}

/* All of them see the values from before the call. What only a part of the variable was passed for keeps the rest. */
static void pass_pointers(tsr_uniform *u, tsr_id id, const tsr_inst *inst, const usummary *s)
{
    u->outs.count = 0;
    for (uint32_t i = 0; i < inst->nargs; i++) {
        if (s->params[i].is_pointer) *UPUSH(u, u->outs) = passed_of(u, id, inst, s, i);
    }
    for (uint32_t i = 0, out = 0; i < inst->nargs; i++) {
        bool partial;
        if (!s->params[i].is_pointer) continue;
        uint32_t var = tsr_uvar_of(u, tsr_arg(u->ir, inst, i), &partial);
        unode n = u->outs.at[out++];
        if (partial) n = tsr_unode_add(u, TSR_UNIFORM_passed, id, n, u->vars.at[var].now);
        tsr_uvar_set(u, var, n);
    }
}

void tsr_ucall(tsr_uniform *u, tsr_id id, const tsr_inst *inst)
{
    const usummary *s = &u->summaries[inst->aux];
    u->call_args = 0;
    add_needs(u, id, &s->call_site, TSR_UNIFORM_control, 0, u->control);
    for (uint32_t i = 0; i < inst->nargs; i++) {
        const uparam *p = &s->params[i];
        tsr_id arg = tsr_arg(u->ir, inst, i);
        add_needs(u, id, &p->value, TSR_UNIFORM_operand, i, tsr_unode_of(u, arg));
        if (p->is_pointer) add_needs(u, id, &p->contents, TSR_UNIFORM_contents, i, contents_of(u, arg));
    }
    if (inst->type != 0) u->value[id] = result_of(u, id, inst, s);
    pass_pointers(u, id, inst, s);
}
