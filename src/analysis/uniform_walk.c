/* A function's blocks to its graph. WGSL, "Uniformity Rules for Statements" and "for Expressions".
 *
 * The specification lets every value lead to control flow where it is computed. Here values do not: control flow where
 * a value is used always leads to that where it was made. What stores it, hands it on or branches on it adds the edge.
 */
#include "analysis/uniform_inside.h"

/* What may come next (WGSL, "Statement Behavior Analysis"). */
enum { NEXT = 1, BREAK = 2, CONTINUE = 4, RETURN = 8 };

/* Where break and continue go. */
typedef struct uexits {
    utarget *on_break, *on_continue;
} uexits;

static unsigned walk_block(tsr_uniform *u, tsr_block b, const uexits *exits);

/* ---- Values and memory. */

static unode all_operands(tsr_uniform *u, tsr_uniform_kind kind, tsr_id id, const tsr_inst *inst)
{
    unode sum = 0;
    if (inst->nargs <= 2 && !u->detailed) { /* most instructions; and most of them depend on one thing or nothing */
        unode a = inst->nargs > 0 ? tsr_unode_of(u, inst->arg2[0]) : 0;
        unode b = inst->nargs > 1 ? tsr_unode_of(u, inst->arg2[1]) : 0;
        return b == 0 || a == b ? a : a == 0 ? b : tsr_unode_both(u, kind, id, a, b);
    }
    for (uint32_t i = 0; i < inst->nargs; i++)
        sum = tsr_unode_add(u, kind, id, sum, tsr_unode_of(u, tsr_arg(u->ir, inst, i)));
    return sum;
}

static unode walk_load(tsr_uniform *u, tsr_id id, const tsr_inst *inst)
{
    tsr_id pointer = tsr_arg(u->ir, inst, 0);
    unode where = tsr_unode_of(u, pointer);
    const tsr_type_info *t = tsr_type_get(u->ir->types, tsr_inst_at(u->ir, pointer)->type);
    if (t->space == TSR_SPACE_function) {
        bool partial;
        uint32_t var = tsr_uvar_of(u, pointer, &partial);
        return tsr_unode_both(u, TSR_UNIFORM_load, id, where, u->vars.at[var].now);
    }
    if (t->kind != TSR_T_ptr || t->space == TSR_SPACE_uniform || t->space == TSR_SPACE_handle ||
        t->access == TSR_ACCESS_read)
        return tsr_unode_both(u, TSR_UNIFORM_value, id, where, 0);
    return tsr_unode_source(u, TSR_UNIFORM_from_memory, id, 0, 2);
}

static void walk_store(tsr_uniform *u, tsr_id id, const tsr_inst *inst)
{
    bool partial;
    tsr_id pointer = tsr_arg(u->ir, inst, 0);
    if (!tsr_is_local_pointer(u->ir, tsr_inst_at(u->ir, pointer)->type)) return;
    uint32_t var = tsr_uvar_of(u, pointer, &partial);
    unode n = tsr_unode_add(u, TSR_UNIFORM_store, id, 0, tsr_unode_of(u, tsr_arg(u->ir, inst, 1)));
    n = tsr_unode_add(u, TSR_UNIFORM_store, id, n, u->control);
    n = tsr_unode_add(u, TSR_UNIFORM_store, id, n, tsr_unode_of(u, pointer));
    if (partial) n = tsr_unode_add(u, TSR_UNIFORM_store, id, n, u->vars.at[var].now);
    tsr_uvar_set(u, var, n);
}

static void walk_var(tsr_uniform *u, tsr_id id, const tsr_inst *inst)
{
    if (u->loop_depth == 0) u->value[id] = tsr_uvar_add(u, id) | UVAR;
    uint32_t var = u->value[id] & ~UVAR;
    unode n = all_operands(u, TSR_UNIFORM_var, id, inst);
    tsr_uneed_builtin(u, id, inst);
    u->vars_seen = var + 1;
    tsr_uvar_set(u, var, tsr_unode_add(u, TSR_UNIFORM_var, id, n, u->control));
}

/* Operations that need company, or give what differs. */
static unode walk_builtin(tsr_uniform *u, tsr_id id, const tsr_inst *inst)
{
    tsr_uneed_builtin(u, id, inst);
    unsigned level = tsr_ulevel_of(u->ir, inst);
    unode n = tsr_unode_source(u, TSR_UNIFORM_from_builtin, id, 0, level);
    if (level == 2) return n;
    n = tsr_unode_add(u, TSR_UNIFORM_value, id, 0, n);
    for (uint32_t i = 0; i < inst->nargs; i++)
        n = tsr_unode_add(u, TSR_UNIFORM_value, id, n, tsr_unode_of(u, tsr_arg(u->ir, inst, i)));
    return n;
}

/* ---- Control flow. */

static unsigned walk_if(tsr_uniform *u, tsr_id id, const tsr_inst *inst, const uexits *exits)
{
    utarget end;
    unode before = u->control;
    unode inside = tsr_unode_both(u, TSR_UNIFORM_branch, id, tsr_unode_of(u, tsr_arg(u->ir, inst, 0)), before);
    tsr_utarget_open(u, &end, u->vars_seen);
    u->control = inside;
    unsigned behaviour = walk_block(u, tsr_inst_block(u->ir, inst, 0), exits);
    unode after_then = u->control;
    if (behaviour & NEXT) tsr_utarget_link(u, &end);
    tsr_utarget_rewind(u, &end);
    u->control = inside;
    unsigned otherwise = walk_block(u, tsr_inst_block(u->ir, inst, 1), exits);
    if (otherwise & NEXT) tsr_utarget_link(u, &end);
    tsr_utarget_close(u, &end);
    behaviour |= otherwise;
    u->control = behaviour == NEXT ? before : tsr_unode_both(u, TSR_UNIFORM_after, id, after_then, u->control);
    return behaviour;
}

static unsigned walk_switch(tsr_uniform *u, tsr_id id, const tsr_inst *inst, const uexits *exits)
{
    utarget end;
    uexits inner = {.on_break = &end, .on_continue = exits->on_continue};
    const tsr_switch *s = tsr_switch_at(u->ir, inst->aux);
    unode before = u->control, after = 0;
    unode inside = tsr_unode_both(u, TSR_UNIFORM_branch, id, tsr_unode_of(u, tsr_arg(u->ir, inst, 0)), before);
    unsigned behaviour = 0;
    tsr_utarget_open(u, &end, u->vars_seen);
    for (uint32_t c = 0; c < s->case_count; c++) {
        u->control = inside;
        unsigned one = walk_block(u, s->cases[c].block, &inner);
        if (one & NEXT) tsr_utarget_link(u, &end);
        tsr_utarget_rewind(u, &end);
        after = tsr_unode_add(u, TSR_UNIFORM_after, id, after, u->control);
        behaviour |= one & BREAK ? (one & ~(unsigned)BREAK) | NEXT : one;
    }
    tsr_utarget_close(u, &end);
    u->control = behaviour == NEXT ? before : after;
    return behaviour;
}

/* What is assigned in the loop has, at the start of an iteration, the value from before or from the last iteration. */
static void open_heads(tsr_uniform *u, const uloop *loop)
{
    uint32_t stamp = ++u->stamp;
    for (uint32_t i = loop->begin; i < loop->end; i++) {
        uint32_t var = u->assigned.at[i];
        if (var >= u->vars_seen || u->vars.at[var].stamp == stamp) continue;
        u->vars.at[var].stamp = stamp;
        unode join = tsr_unode_new(u, TSR_UNIFORM_join, u->vars.at[var].inst, 0);
        tsr_unode_edge(u, join, u->vars.at[var].now);
        *UPUSH(u, u->heads) = (uhead){.var = var, .join = join};
        tsr_uvar_set(u, var, join);
    }
}

static void close_heads(tsr_uniform *u, uint32_t first)
{
    for (uint32_t i = first; i < u->heads.count; i++)
        tsr_unode_edge(u, u->heads.at[i].join, u->vars.at[u->heads.at[i].var].now);
}

static unsigned walk_loop(tsr_uniform *u, tsr_id id, const tsr_inst *inst)
{
    utarget end, next;
    uexits in_body = {.on_break = &end, .on_continue = &next}, in_continuing = {.on_break = &end};
    unode before = u->control, head = tsr_unode_new(u, TSR_UNIFORM_loop, id, 0);
    uint32_t first_head = u->heads.count;
    unsigned continuing = 0;
    tsr_unode_edge(u, head, before);
    if (u->loop_depth++ == 0) tsr_uvar_survey(u, u->value[id]);
    open_heads(u, &u->loops.at[u->value[id]]);
    tsr_utarget_open(u, &end, u->vars_seen);
    tsr_utarget_open(u, &next, UINT32_MAX);
    u->control = head;
    unsigned body = walk_block(u, tsr_inst_block(u->ir, inst, 0), &in_body);
    if (body & NEXT) tsr_utarget_link(u, &next);
    tsr_utarget_close(u, &next);
    bool repeats = (body & (NEXT | CONTINUE)) != 0;
    if (repeats) {
        continuing = walk_block(u, tsr_inst_block(u->ir, inst, 1), &in_continuing);
        tsr_unode_edge(u, head, u->control);
        close_heads(u, first_head);
    }
    tsr_utarget_close(u, &end);
    u->heads.count = first_head;
    u->loop_depth--;
    if (!(body & RETURN))
        u->control = before;
    else if (repeats)
        u->control = head;
    return (body & RETURN) | ((body | continuing) & BREAK ? NEXT : 0);
}

static unsigned walk_break_if(tsr_uniform *u, tsr_id id, const tsr_inst *inst, const uexits *exits)
{
    u->control = tsr_unode_both(u, TSR_UNIFORM_break_if, id, tsr_unode_of(u, tsr_arg(u->ir, inst, 0)), u->control);
    tsr_utarget_link(u, exits->on_break);
    return BREAK | NEXT;
}

static unsigned walk_return(tsr_uniform *u, tsr_id id, const tsr_inst *inst)
{
    if (inst->nargs > 0 && u->result != 0) {
        unode value = tsr_unode_of(u, tsr_arg(u->ir, inst, 0));
        tsr_unode_edge(u, u->result, tsr_unode_both(u, TSR_UNIFORM_return, id, value, u->control));
    }
    if (u->returns != NULL) tsr_utarget_link(u, u->returns);
    return RETURN;
}

/* ---- Any instruction. */

static unsigned walk_inst(tsr_uniform *u, tsr_id id, const uexits *exits)
{
    const tsr_inst *inst = tsr_inst_at(u->ir, id);
    unsigned flags = tsr_op_table[inst->op].flags;
    if ((flags & (TSR_OPF_PURE | TSR_OPF_DIAG)) == TSR_OPF_PURE) {
        u->value[id] = all_operands(u, TSR_UNIFORM_value, id, inst);
        return NEXT;
    }
    switch (inst->op) {
    case TSR_OP_var: walk_var(u, id, inst); return NEXT;
    case TSR_OP_load: u->value[id] = walk_load(u, id, inst); return NEXT;
    case TSR_OP_store: walk_store(u, id, inst); return NEXT;
    case TSR_OP_call: tsr_ucall(u, id, inst); return NEXT;
    case TSR_OP_if: return walk_if(u, id, inst, exits);
    case TSR_OP_switch: return walk_switch(u, id, inst, exits);
    case TSR_OP_loop: return walk_loop(u, id, inst);
    case TSR_OP_break: tsr_utarget_link(u, exits->on_break); return BREAK;
    case TSR_OP_continue: tsr_utarget_link(u, exits->on_continue); return CONTINUE;
    case TSR_OP_break_if: return walk_break_if(u, id, inst, exits);
    case TSR_OP_return: return walk_return(u, id, inst);
    default: break;
    }
    if (flags & TSR_OPF_ATOMIC)
        u->value[id] = tsr_unode_source(u, TSR_UNIFORM_from_atomic, id, 0, 2);
    else if (flags & TSR_OPF_DIAG)
        u->value[id] = walk_builtin(u, id, inst);
    else if (inst->nargs > 0)
        u->value[id] = all_operands(u, TSR_UNIFORM_value, id, inst);
    return NEXT;
}

/* What follows an instruction that cannot be passed is `unreachable` and counts for nothing. */
static unsigned walk_block(tsr_uniform *u, tsr_block b, const uexits *exits)
{
    unsigned all = NEXT;
    if (b == 0) return all;
    const tsr_block_info *info = tsr_block_at(u->ir, b);
    for (uint32_t i = 0; i < info->count && (all & NEXT); i++)
        all = (all & ~(unsigned)NEXT) | walk_inst(u, info->insts[i], exits);
    return all;
}

/* ---- The function. */

/* Parameters of entry points are inputs; of other functions the caller decides. */
static void open_params(tsr_uniform *u)
{
    for (uint32_t i = 0; i < u->fn->param_count; i++) {
        unode n = tsr_unode_of_param(i, false);
        if (u->fn->is_entry)
            n = tsr_unode_source(u, TSR_UNIFORM_from_input, u->fn->params[i].value, i,
                                 tsr_ulevel_of_input(u->ir, u->fn, i));
        u->value[u->fn->params[i].value] = n;
        if (!tsr_is_local_pointer(u->ir, u->fn->params[i].type)) continue;
        u->param_var[i] = tsr_uvar_add(u, u->fn->params[i].value);
        u->vars.at[u->param_var[i]].now = tsr_unode_of_param(i, true);
    }
}

void tsr_uniform_walk(tsr_uniform *u, uint32_t function, bool detailed)
{
    utarget returns;
    uexits none = {0};
    u->function = function;
    u->fn = tsr_function_at(u->ir, function);
    u->detailed = detailed;
    u->needs.count = u->heads.count = 0;
    u->targets = u->returns = NULL;
    tsr_unode_clear(u);
    tsr_uvar_clear(u);
    open_params(u);
    u->vars_seen = u->vars.count;
    u->control = u->fn->is_entry ? 0 : NODE_start;
    u->result = u->fn->result != 0 && !u->fn->is_entry ? tsr_unode_new(u, TSR_UNIFORM_return, 0, 0) : 0;
    if (u->vars.count > 0) {
        tsr_utarget_open(u, &returns, u->vars.count);
        u->returns = &returns;
    }
    unsigned behaviour = walk_block(u, u->fn->body, &none);
    if (u->returns == NULL) return;
    if (behaviour & NEXT) tsr_utarget_link(u, &returns);
    tsr_utarget_close(u, &returns);
    u->returns = NULL;
}
