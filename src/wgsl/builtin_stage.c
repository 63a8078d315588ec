/* What only some stages have: barriers, workgroup memory and subgroup matrices are compute's, derivatives fragment's,
 * subgroup functions both theirs. Read off the finished IR of every function that an entry point reaches, so that one
 * table (the flags of op.def) says what an op needs. Source: WGSL, "Built-in Functions" and "Address Spaces". */
#include "wgsl/overload.h"

enum { IN_COMPUTE = 1u << TSR_STAGE_COMPUTE, IN_VERTEX = 1u << TSR_STAGE_VERTEX, IN_FRAGMENT = 1u << TSR_STAGE_FRAGMENT };
#define IN_ALL (IN_COMPUTE | IN_VERTEX | IN_FRAGMENT)

/* The first thing in a function that an entry point's stage may not have. */
struct need {
    unsigned stages; /* where it is allowed */
    tsr_id inst;     /* 0: nothing found */
};

/* One walk: from an entry point through everything it reaches. */
struct walk {
    tsr_wgsl *w;
    unsigned stage; /* bit of the entry point's */
    struct need found;
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
    return is_derivative(name) || is_implicit_sample(name) ? (unsigned)IN_FRAGMENT : IN_ALL;
}

static bool touches_workgroup(const tsr_wgsl *w, const tsr_inst *inst)
{
    for (uint32_t i = 0; i < inst->nargs; i++) {
        const tsr_inst *arg = tsr_inst_at(w->ir, tsr_arg(w->ir, inst, i));
        if (arg->op == TSR_OP_global && tsr_type_get(w->types, arg->type)->space == TSR_SPACE_workgroup) return true;
    }
    return false;
}

static unsigned stages_of(const tsr_wgsl *w, const tsr_inst *inst)
{
    unsigned flags = tsr_op_table[inst->op].flags;
    if (inst->op == TSR_OP_builtin_call) return stages_of_call(w, inst);
    if ((flags & (TSR_OPF_BARRIER | TSR_OPF_SG_UNI)) != 0 || touches_workgroup(w, inst)) return IN_COMPUTE;
    if ((flags & (TSR_OPF_SG | TSR_OPF_QUAD)) != 0) return IN_COMPUTE | IN_FRAGMENT;
    return inst->op == TSR_OP_discard ? (unsigned)IN_FRAGMENT : IN_ALL;
}

static void visit_inst(void *user, tsr_id id)
{
    struct walk *walk = user;
    if (walk->found.inst != 0) return;
    unsigned stages = stages_of(walk->w, tsr_inst_at(walk->w->ir, id));
    if ((stages & walk->stage) == 0) walk->found = (struct need){stages, id};
}

static void visit_function(void *user, uint32_t function)
{
    struct walk *walk = user;
    tsr_block body = tsr_function_at(walk->w->ir, function)->body;
    if (walk->found.inst == 0 && body != 0) tsr_block_walk(walk->w->ir, body, visit_inst, walk);
}

static const char *stage_name(tsr_stage stage)
{
    return stage == TSR_STAGE_VERTEX ? "vertex" : stage == TSR_STAGE_FRAGMENT ? "fragment" : "compute";
}

static const char *name_of(const tsr_wgsl *w, const tsr_inst *inst)
{
    if (inst->op == TSR_OP_builtin_call) return tsr_symbols_cstr(w->symbols, inst->aux);
    if (touches_workgroup(w, inst)) return "workgroup memory";
    return (tsr_op_table[inst->op].flags & TSR_OPF_BARRIER) != 0  ? "a barrier"
           : (tsr_op_table[inst->op].flags & TSR_OPF_SG_UNI) != 0 ? "a subgroup matrix operation"
           : inst->op == TSR_OP_discard                           ? "discard"
                                                                  : "a subgroup operation";
}

static void report(tsr_wgsl *w, const tsr_function *entry, struct need need)
{
    const tsr_inst *inst = tsr_inst_at(w->ir, need.inst);
    const char *where = need.stages == IN_COMPUTE    ? "compute shaders"
                        : need.stages == IN_FRAGMENT ? "fragment shaders"
                                                     : "compute and fragment shaders";
    tsr_diag *d = tsr_error(w->diags, inst->span, TSR_E_BUILTIN_STAGE, "%s can only be used in %s, and the %s entry point "
                            "`%s` reaches it", name_of(w, inst), where, stage_name(entry->stage),
                            tsr_symbols_cstr(w->symbols, entry->name));
    tsr_note(w->diags, d, entry->span, "the entry point is here");
}

void tsr_wgsl_check_stages(tsr_wgsl *w)
{
    for (uint32_t f = 1; f < w->ir->functions.count; f++) {
        const tsr_function *entry = tsr_function_at(w->ir, f);
        if (!entry->is_entry) continue;
        struct walk walk = {.w = w, .stage = 1u << entry->stage};
        tsr_function_walk(w->ir, f, visit_function, &walk);
        if (walk.found.inst != 0) report(w, entry, walk.found);
    }
}
