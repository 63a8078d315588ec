/* What only some stages have: barriers and subgroup matrices are compute's, derivatives, samples that
 * take them and discard are fragment's, subgroup functions both theirs. Read off the finished IR of every function that
 * an entry point reaches, so that the flags of op.def say what an op needs. Source: WGSL, "Built-in Functions". */
#include "wgsl/declare.h"
#include "wgsl/overload.h"

#include <string.h>

enum {
    IN_COMPUTE = 1u << TSR_STAGE_COMPUTE,
    IN_VERTEX = 1u << TSR_STAGE_VERTEX,
    IN_FRAGMENT = 1u << TSR_STAGE_FRAGMENT
};
#define IN_ALL (IN_COMPUTE | IN_VERTEX | IN_FRAGMENT)

enum visit_state { NEW = 0, OPEN, DONE };

/* What a function and its callees need: for each stage the first instruction that it may not have, 0: none. */
struct fn_need {
    uint8_t state; /* visit_state */
    tsr_id refused[3];
};

/* Each function is worked out once, callees first, with a stack of our own: call chains may be long. */
struct walk {
    tsr_wgsl *w;
    struct fn_need *needs; /* by function */
    uint32_t *stack;
    uint32_t stack_count, stack_cap;
    struct fn_need *now; /* the function whose body is being read */
};

static bool is_derivative(tsr_str name)
{
    return name.len >= 4 && (name.s[0] == 'd' || name.s[0] == 'f'); /* dpdx, fwidthFine ...; all others begin with t */
}

/* Samples with derivatives of the coordinates: textureSample, textureSampleBias, textureSampleCompare. */
static bool is_implicit_sample(tsr_str name)
{
    return tsr_str_is(name, "textureSample") || tsr_str_is(name, "textureSampleBias") ||
           tsr_str_is(name, "textureSampleCompare");
}

static unsigned stages_of_call(const tsr_wgsl *w, const tsr_inst *inst)
{
    tsr_str name = tsr_symbols_get(w->symbols, inst->aux);
    return is_derivative(name) || is_implicit_sample(name) || tsr_str_is(name, "inputAttachmentLoad")
               ? (unsigned)IN_FRAGMENT
               : IN_ALL;
}

static bool is_compute_only(const tsr_wgsl *w, const tsr_inst *inst)
{
    return (tsr_op_table[inst->op].flags & (TSR_OPF_BARRIER | TSR_OPF_SG_UNI)) != 0 ||
           (inst->type != 0 && tsr_type_contains(w->types, inst->type, TSR_T_smat));
}

static unsigned stages_of(const tsr_wgsl *w, const tsr_inst *inst)
{
    if (inst->op == TSR_OP_builtin_call) return stages_of_call(w, inst);
    if (inst->op == TSR_OP_discard) return IN_FRAGMENT;
    if (is_compute_only(w, inst)) return IN_COMPUTE;
    return (tsr_op_table[inst->op].flags & (TSR_OPF_SG | TSR_OPF_QUAD)) != 0 ? IN_COMPUTE | IN_FRAGMENT : IN_ALL;
}

static void push_function(struct walk *walk, uint32_t function)
{
    if (walk->stack_count == walk->stack_cap) {
        uint32_t cap = walk->stack_cap * 2;
        uint32_t *grown = TSR_NEW_ARRAY(walk->w->arena, uint32_t, cap);
        memcpy(grown, walk->stack, walk->stack_count * sizeof *grown);
        walk->stack = grown;
        walk->stack_cap = cap;
    }
    walk->stack[walk->stack_count++] = function;
}

static void push_callees(struct walk *walk, uint32_t function)
{
    const tsr_wgsl *w = walk->w;
    for (uint32_t u = tsr_fn_own_at(w, function)->first_use; u != 0;) {
        const tsr_fn_use *use = tsr_fn_use_at(w, u);
        const tsr_decl *d = tsr_decl_at(w, use->decl);
        if (d->kind == TSR_D_function && walk->needs[d->function].state == NEW) push_function(walk, d->function);
        u = use->next;
    }
}

static void merge_inst(void *user, tsr_id id)
{
    struct walk *walk = user;
    const tsr_inst *inst = tsr_inst_at(walk->w->ir, id);
    unsigned stages = stages_of(walk->w, inst);
    for (unsigned s = 0; s < TSR_COUNT_OF(walk->now->refused); s++) {
        tsr_id refused = (stages & (1u << s)) == 0 ? id : 0;
        if (inst->op == TSR_OP_call) refused = walk->needs[inst->aux].refused[s];
        if (walk->now->refused[s] == 0) walk->now->refused[s] = refused;
    }
}

static void work_out(struct walk *walk, uint32_t function)
{
    push_function(walk, function);
    while (walk->stack_count != 0) {
        uint32_t f = walk->stack[walk->stack_count - 1];
        tsr_block body = tsr_function_at(walk->w->ir, f)->body;
        walk->now = &walk->needs[f];
        if (walk->now->state == NEW && body != 0) {
            walk->now->state = OPEN;
            push_callees(walk, f);
            continue;
        }
        if (walk->now->state == OPEN) tsr_wgsl_walk_function(walk->w, f, merge_inst, walk);
        walk->now->state = DONE;
        walk->stack_count--;
    }
}

static const char *stage_name(tsr_stage stage)
{
    return stage == TSR_STAGE_VERTEX ? "vertex" : stage == TSR_STAGE_FRAGMENT ? "fragment" : "compute";
}

static const char *name_of(const tsr_wgsl *w, const tsr_inst *inst)
{
    unsigned flags = tsr_op_table[inst->op].flags;
    if (inst->op == TSR_OP_builtin_call) return tsr_symbols_cstr(w->symbols, inst->aux);
    if (inst->op == TSR_OP_discard) return "`discard`";
    if ((flags & TSR_OPF_BARRIER) != 0) return "a barrier";
    return (flags & (TSR_OPF_SG | TSR_OPF_QUAD)) != 0 ? "a subgroup operation" : "a subgroup matrix";
}

static const char *stage_list(unsigned stages)
{
    return stages == IN_COMPUTE ? "compute" : stages == IN_FRAGMENT ? "fragment" : "compute and fragment";
}

static void report(tsr_wgsl *w, const tsr_function *entry, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(w->ir, id);
    tsr_diag *d =
        tsr_error(w->diags, inst->span, TSR_E_BUILTIN_STAGE,
                  "%s can only be used in %s shaders, and the %s entry point `%s` reaches it", name_of(w, inst),
                  stage_list(stages_of(w, inst)), stage_name(entry->stage), tsr_symbols_cstr(w->symbols, entry->name));
    tsr_note(w->diags, d, entry->span, "the entry point is here");
}

void tsr_wgsl_check_stages(tsr_wgsl *w)
{
    uint32_t count = w->ir->functions.count;
    struct walk walk = {.w = w, .needs = TSR_NEW_ARRAY(w->arena, struct fn_need, count), .stack_cap = 64};
    walk.stack = TSR_NEW_ARRAY(w->arena, uint32_t, walk.stack_cap);
    for (uint32_t f = 1; f < count; f++) {
        const tsr_function *entry = tsr_function_at(w->ir, f);
        if (!entry->is_entry) continue;
        work_out(&walk, f);
        if (walk.needs[f].refused[entry->stage] != 0) report(w, entry, walk.needs[f].refused[entry->stage]);
    }
}
