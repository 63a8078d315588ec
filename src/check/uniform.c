/* Uniformity failures as messages. Each stands at the built-in call that needs uniformity; its notes go the way from
 * there to what differs, one step of the program each: conditions, assignments, calls, and the source.
 * WGSL, "Uniformity". */
#include "check/uniform.h"

#include "analysis/uniform.h"
#include "check/uniform_name.h"

/* The first failures get notes: each may walk other functions again. */
#define EXPLAINED_MAX 20u
#define NOTES_MAX     12u
/* Calls between the function that fails and the built-in call, or what differs, that are told. */
#define CALLS_MAX     6u

typedef struct reporter {
    const tsr_ir *ir;
    tsr_uniform *u;
    tsr_diags *diags;
    tsr_arena *arena;
    uint32_t failures;
    tsr_diag *diag; /* notes go there */
    uint32_t notes;
} reporter;

/* A need, and the function that has it. */
typedef struct level {
    uint32_t function;
    tsr_uniform_failure failure;
} level;

static const char *name_of(const reporter *r, uint32_t function)
{
    return tsr_symbols_cstr(r->ir->symbols, tsr_function_at(r->ir, function)->name);
}

static const char *group_of(const tsr_uniform_need *need)
{
    if (need->scope == TSR_UNIFORM_subgroup) return "subgroup";
    return need->rule == TSR_UNIFORM_derivative ? "draw" : "workgroup";
}

static void note(reporter *r, tsr_span span, const char *text)
{
    if (r->notes++ < NOTES_MAX) tsr_note(r->diags, r->diag, span, "%s", text);
}

static void note_name(reporter *r, tsr_span span, const char *before, const char *name, const char *after)
{
    if (r->notes++ < NOTES_MAX) tsr_note(r->diags, r->diag, span, "%s`%s`%s", before, name, after);
}

/* ---- One step of a way. */

static bool is_control(unsigned kind)
{
    return kind == TSR_UNIFORM_branch || kind == TSR_UNIFORM_after || kind == TSR_UNIFORM_loop ||
           kind == TSR_UNIFORM_break_if || kind == TSR_UNIFORM_start;
}

/* Where a condition stands: its own place when it has one in the function. */
static tsr_span condition_span(const reporter *r, const tsr_inst *inst)
{
    const tsr_inst *cond = tsr_inst_at(r->ir, tsr_arg(r->ir, inst, 0));
    return cond->op == TSR_OP_param || (tsr_op_table[cond->op].nargs == 0 && cond->op != TSR_OP_call) ? inst->span
                                                                                                      : cond->span;
}

static void note_condition(reporter *r, const tsr_inst *inst, bool leaves)
{
    const char *text = "control flow depends on this condition";
    if (inst->op == TSR_OP_break_if)
        text = "the loop ends when this is true, and may end earlier for some invocations";
    else if (leaves)
        text = "control flow depends on this condition: behind it, some invocations may leave before others";
    else if (inst->op == TSR_OP_switch)
        text = "control flow depends on this selector";
    note(r, condition_span(r, inst), text);
}

static void note_variable(reporter *r, const tsr_uniform_step *s, bool by_control)
{
    const tsr_inst *inst = tsr_inst_at(r->ir, s->inst), *root = inst;
    if (inst->op == TSR_OP_store) root = tsr_inst_at(r->ir, tsr_pointer_root(r->ir, tsr_arg(r->ir, inst, 0)));
    if (root->name == 0) return;
    note_name(r, inst->span, "", tsr_symbols_cstr(r->ir->symbols, root->name),
              by_control ? " is assigned here, where not all invocations may come" : " gets its value here");
}

static void note_call(reporter *r, const tsr_inst *inst, const char *before, const char *after)
{
    note_name(r, inst->span, before, name_of(r, inst->aux), after);
}

static void note_source(reporter *r, const tsr_function *fn, const tsr_uniform_step *s)
{
    const tsr_inst *inst = tsr_inst_at(r->ir, s->inst);
    tsr_text text;
    switch (s->kind) {
    case TSR_UNIFORM_from_memory:
        note(r, inst->span, tsr_uniform_memory_text(r->ir, r->arena, fn, tsr_arg(r->ir, inst, 0)));
        break;
    case TSR_UNIFORM_from_input: note(r, inst->span, tsr_uniform_input_text(r->ir, r->arena, fn, s->index)); break;
    case TSR_UNIFORM_from_call: note_call(r, inst, "what ", " returns may differ between invocations"); break;
    case TSR_UNIFORM_from_passed:
        note_call(r, inst, "", " may leave different values behind this pointer in each invocation");
        break;
    default:
        tsr_text_init(&text, r->arena);
        tsr_text_printf(&text, "the result of %s may differ between invocations",
                        tsr_uniform_name(r->ir, r->arena, inst));
        note(r, inst->span, tsr_text_get(&text));
    }
}

/* ---- A way: its steps that the reader would not see from the last one. */

static void note_step(reporter *r, const tsr_function *fn, const tsr_uniform_step *s, const tsr_uniform_step *next,
                      bool leaves)
{
    const tsr_inst *inst = tsr_inst_at(r->ir, s->inst);
    bool by_control = next != NULL && is_control(next->kind);
    switch (s->kind) {
    case TSR_UNIFORM_branch:
    case TSR_UNIFORM_break_if:
        if (!by_control) note_condition(r, inst, leaves);
        break;
    case TSR_UNIFORM_store:
    case TSR_UNIFORM_var: note_variable(r, s, by_control); break;
    case TSR_UNIFORM_value:
        if (inst->name != 0 && next != NULL)
            note_name(r, inst->span, "", tsr_symbols_cstr(r->ir->symbols, inst->name), " is computed here");
        break;
    case TSR_UNIFORM_result:
        if (next == NULL || next->kind == TSR_UNIFORM_from_call || next->kind == TSR_UNIFORM_result) break;
        note_call(r, inst, "the result of ",
                  by_control ? " differs when not all invocations call it" : " depends on what it is given here");
        break;
    case TSR_UNIFORM_passed:
        if (next == NULL || next->kind == TSR_UNIFORM_from_passed || next->kind == TSR_UNIFORM_passed) break;
        note_call(r, inst, "",
                  by_control ? " may change a variable here, where not all invocations may come"
                             : " may change a variable here");
        break;
    default:
        if (s->kind >= TSR_UNIFORM_from_memory) note_source(r, fn, s);
    }
}

static void note_way(reporter *r, uint32_t function, const tsr_uniform_way *way)
{
    bool leaves = false;
    for (uint32_t i = 0; i < way->count; i++) {
        const tsr_uniform_step *s = &way->steps[i], *next = i + 1 < way->count ? s + 1 : NULL;
        note_step(r, tsr_function_at(r->ir, function), s, next, leaves);
        if (s->kind == TSR_UNIFORM_after || s->kind == TSR_UNIFORM_loop)
            leaves = true;
        else if (next == NULL || !is_control(next->kind))
            leaves = false;
    }
}

/* ---- Through calls. */

/* From the function that fails down to the built-in call: at most CALLS_MAX levels are kept, the last is the lowest. */
static uint32_t find_levels(reporter *r, uint32_t function, const tsr_uniform_failure *failure, level *levels)
{
    uint32_t count = 1;
    levels[0] = (level){.function = function, .failure = *failure};
    for (;;) {
        const level *last = &levels[count - 1];
        tsr_uniform_need need = last->failure.need;
        const tsr_inst *inst = tsr_inst_at(r->ir, need.inst);
        level below = {.function = inst->aux};
        if (inst->op != TSR_OP_call) return count;
        tsr_uniform_explain(r->u, inst->aux);
        if (!tsr_uniform_find_need(r->u, (tsr_uniform_what)need.what, need.arg, (tsr_uniform_scope)need.scope,
                                   &below.failure))
            return count;
        if (count < CALLS_MAX) count++;
        levels[count - 1] = below;
    }
}

static void note_levels(reporter *r, const level *levels, uint32_t count)
{
    for (uint32_t i = count; i-- > 0;) {
        note_way(r, levels[i].function, &levels[i].failure.way);
        if (i == 0) break;
        const tsr_uniform_need *need = &levels[i - 1].failure.need;
        const tsr_inst *inst = tsr_inst_at(r->ir, need->inst);
        tsr_text text;
        if (inst->op != TSR_OP_call) continue;
        tsr_text_init(&text, r->arena);
        tsr_text_printf(&text, "`%s` calls `%s` here", name_of(r, levels[i - 1].function), name_of(r, inst->aux));
        if (need->what != TSR_UNIFORM_control) {
            const tsr_function *callee = tsr_function_at(r->ir, inst->aux);
            tsr_text_printf(&text, ", where %s`%s` must be uniform",
                            need->what == TSR_UNIFORM_contents ? "what it points to by " : "its parameter ",
                            tsr_symbols_cstr(r->ir->symbols, callee->params[need->arg].name));
        }
        note(r, inst->span, tsr_text_get(&text));
    }
}

/* Down the functions that give what differs. */
static void note_origin(reporter *r, tsr_uniform_way way, unsigned scope)
{
    for (uint32_t depth = 0; depth < CALLS_MAX && way.count > 0; depth++) {
        tsr_uniform_step last = way.steps[way.count - 1];
        if (last.kind != TSR_UNIFORM_from_call && last.kind != TSR_UNIFORM_from_passed) return;
        uint32_t callee = tsr_inst_at(r->ir, last.inst)->aux;
        tsr_uniform_explain(r->u, callee);
        if (!tsr_uniform_find_source(r->u, last.kind == TSR_UNIFORM_from_passed, last.index, (tsr_uniform_scope)scope,
                                     &way))
            return;
        note_way(r, callee, &way);
    }
}

/* ---- The message itself. */

static tsr_diag_code code_of(const tsr_uniform_need *need)
{
    bool value = need->what != TSR_UNIFORM_control;
    switch ((tsr_uniform_rule)need->rule) {
    case TSR_UNIFORM_barrier: return value ? TSR_E_UNIFORM_LOAD : TSR_E_UNIFORM_BARRIER;
    case TSR_UNIFORM_derivative: return TSR_E_UNIFORM_DERIVATIVE;
    case TSR_UNIFORM_collective: return value ? TSR_E_UNIFORM_SUBGROUP_VALUE : TSR_E_UNIFORM_SUBGROUP;
    default: return value ? TSR_E_UNIFORM_MATRIX_VALUE : TSR_E_UNIFORM_MATRIX;
    }
}

static void report_need(reporter *r, const tsr_uniform_need *need)
{
    const tsr_inst *inst = tsr_inst_at(r->ir, need->inst);
    tsr_severity severity = (tsr_severity)need->severity;
    const char *name = inst->op == TSR_OP_call ? "a function that needs it" : tsr_uniform_name(r->ir, r->arena, inst);
    if (need->what == TSR_UNIFORM_control) {
        r->diag =
            tsr_report(r->diags, severity, inst->span, code_of(need),
                       "%s must only be called from %s control flow: all invocations of the %s must come here "
                       "together",
                       name, need->scope == TSR_UNIFORM_subgroup ? "subgroup uniform" : "uniform", group_of(need));
        return;
    }
    const tsr_inst *arg = tsr_inst_at(r->ir, tsr_arg(r->ir, inst, need->arg));
    bool placed =
        arg->op != TSR_OP_param && arg->op != TSR_OP_const && arg->op != TSR_OP_var && arg->op != TSR_OP_global;
    r->diag = tsr_report(r->diags, severity, placed ? arg->span : inst->span, code_of(need),
                         "the argument `%s` of %s must be uniform: the same in all invocations of the %s",
                         tsr_uniform_operand_name(inst, need->arg), name, group_of(need));
}

/* What the reader may do besides changing the program. */
static void note_control(reporter *r, const tsr_uniform_need *need)
{
    static const char *const names[] = {NULL, "derivative_uniformity", "subgroup_uniformity",
                                        "chromium.subgroup_matrix_uniformity"};
    const char *name = names[need->rule];
    if (name == NULL) return;
    tsr_note(
        r->diags, r->diag, (tsr_span){0, 0},
        "when the program is right all the same, `@diagnostic(off, %s)` before the function or statement accepts it",
        name);
}

static void report_failure(reporter *r, uint32_t function, const tsr_uniform_failure *failure)
{
    level levels[CALLS_MAX];
    if (++r->failures > EXPLAINED_MAX) {
        report_need(r, &failure->need);
        return;
    }
    uint32_t count = find_levels(r, function, failure, levels);
    report_need(r, &levels[count - 1].failure.need);
    r->notes = 0;
    note_levels(r, levels, count);
    note_origin(r, failure->way, failure->need.scope);
    note_control(r, &levels[count - 1].failure.need);
}

static void report_function(reporter *r, uint32_t function)
{
    const tsr_uniform_failure *failures;
    tsr_uniform_explain(r->u, function);
    uint32_t count = tsr_uniform_find_failures(r->u, &failures);
    for (uint32_t i = 0; i < count; i++)
        report_failure(r, function, &failures[i]);
}

bool tsr_check_uniformity(const tsr_ir *ir, tsr_diags *diags)
{
    if (ir->uniformity_off) return true;
    const tsr_arena_mark mark = tsr_arena_get_mark(ir->arena);
    const uint32_t errors = diags->error_count;
    reporter r = {.ir = ir, .u = tsr_uniform_new(ir, ir->arena), .diags = diags, .arena = ir->arena};
    for (uint32_t i = 0; r.u != NULL && i < tsr_uniform_function_count(r.u); i++) {
        uint32_t function = tsr_uniform_function(r.u, i);
        if (!tsr_uniform_run(r.u, function)) report_function(&r, function);
    }
    if (r.failures == 0) tsr_arena_reset(ir->arena, mark);
    return diags->error_count == errors;
}
