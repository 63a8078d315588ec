/* Blocks, branches, functions. The IR is structured, and so is SPIR-V: each `if`, `loop` and `switch` names the block
 * where it ends. So SPV_KHR_maximal_reconvergence brings lanes together where the interpreter does: behind an `if` or
 * `switch` those that came to it and did not leave by `break`, `continue` or `return`; at the continuing block those of
 * this iteration; behind a loop all that entered it and did not return; behind a call all that called. Only headers,
 * merge blocks, continue targets and cases have several predecessors, as that extension asks.
 * Source: SPIR-V 1.6, "Structured Control Flow". */
#include "emit/spirv.h"

enum { NO_CONTROL = 0 };
enum { WANTED_VALUE = 1, WANTED_BRANCH = 2 }; /* what an instruction is used for */

/* ---- Labels and branches. */

void tsr_spv_label(tsr_spv *s, uint32_t label)
{
    tsr_spv_put(s, &s->body, SPV_Label, &label, 1);
    s->label = label;
    s->line = 0; /* a line does not reach beyond its block */
}

void tsr_spv_branch(tsr_spv *s, uint32_t label)
{
    SPV_DO(s, SPV_Branch, label);
    s->label = 0;
}

static void branch_either(tsr_spv *s, uint32_t condition, uint32_t when_true, uint32_t when_false)
{
    SPV_DO(s, SPV_BranchConditional, condition, when_true, when_false);
    s->label = 0;
}

uint32_t tsr_spv_begin_if(tsr_spv *s, uint32_t condition)
{
    uint32_t inside = tsr_spv_new_id(s), merge = tsr_spv_new_id(s);
    SPV_DO(s, SPV_SelectionMerge, merge, NO_CONTROL);
    branch_either(s, condition, inside, merge);
    tsr_spv_label(s, inside);
    return merge;
}

void tsr_spv_end_if(tsr_spv *s, uint32_t merge)
{
    tsr_spv_branch(s, merge);
    tsr_spv_label(s, merge);
}

tsr_spv_loop tsr_spv_begin_loop(tsr_spv *s, uint32_t first, uint32_t count, uint32_t step, uint32_t *counter)
{
    uint32_t u32 = tsr_spv_type(s, TSR_T_u32), before = s->label, body = tsr_spv_new_id(s);
    tsr_spv_loop l = {.step = step, .header = tsr_spv_new_id(s), .next = tsr_spv_new_id(s), .merge = tsr_spv_new_id(s)};
    uint32_t stepped = tsr_spv_new_id(s);
    l.counter = stepped;
    tsr_spv_branch(s, l.header);
    tsr_spv_label(s, l.header);
    *counter = SPV_VALUE(s, SPV_Phi, u32, first, before, stepped, l.next);
    uint32_t more = SPV_VALUE(s, SPV_ULessThan, tsr_spv_type(s, TSR_T_bool), *counter, count);
    SPV_DO(s, SPV_LoopMerge, l.merge, l.next, NO_CONTROL);
    branch_either(s, more, body, l.merge);
    tsr_spv_label(s, body);
    l.current = *counter;
    return l;
}

void tsr_spv_end_loop(tsr_spv *s, const tsr_spv_loop *l)
{
    tsr_spv_branch(s, l->next);
    tsr_spv_label(s, l->next);
    SPV_DO(s, SPV_IAdd, tsr_spv_type(s, TSR_T_u32), l->counter, l->current, l->step);
    tsr_spv_branch(s, l->header);
    tsr_spv_label(s, l->merge);
}

/* ---- Blocks of the IR. */

static void emit_block(tsr_spv *s, tsr_block block);

struct matrix_search {
    tsr_spv *s;
    bool found;
};

/* A block and what it knows: what was assumed in it is forgotten after it. */
static void emit_branch(tsr_spv *s, tsr_block block, uint32_t label, uint32_t after)
{
    uint32_t mark = tsr_ranges_mark(s->ranges);
    tsr_spv_label(s, label);
    emit_block(s, block);
    if (s->label) tsr_spv_branch(s, after);
    tsr_ranges_forget(s->ranges, mark);
}

/* The label that a block goes to when it does nothing else: `break` or `continue` alone. */
static uint32_t plain_exit(const tsr_spv *s, tsr_block block)
{
    const tsr_block_info *info = tsr_block_at(s->ir, block);
    if (info->count != 1) return 0;
    tsr_op op = (tsr_op)tsr_inst_at(s->ir, info->insts[0])->op;
    if (op == TSR_OP_break && !s->target.break_is_switch) return s->target.break_label;
    return op == TSR_OP_continue ? s->target.continue_label : 0;
}

/* A condition without its negations, which nothing else uses (tsr_spv_skips); *negated tells whether it was one. */
static uint32_t plain_condition(tsr_spv *s, tsr_id condition, bool *negated)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, condition);
    for (*negated = false; tsr_spv_skips(s, condition); inst = tsr_inst_at(s->ir, condition)) {
        *negated = !*negated;
        condition = tsr_arg(s->ir, inst, 0);
    }
    return tsr_spv_use(s, condition);
}

static void branch_if(tsr_spv *s, tsr_id condition, uint32_t when_true, uint32_t when_false)
{
    bool negated;
    uint32_t value = plain_condition(s, condition, &negated);
    if (negated)
        branch_either(s, value, when_false, when_true);
    else
        branch_either(s, value, when_true, when_false);
}

/* `if (...) { break }`, `if (...) { continue }`: a branch out of the loop needs no selection. */
static void emit_exit_if(tsr_spv *s, tsr_id condition, uint32_t exit)
{
    uint32_t next = tsr_spv_new_id(s);
    branch_if(s, condition, exit, next);
    tsr_spv_label(s, next);
    tsr_ranges_assume(s->ranges, condition, false);
}

static void emit_if(tsr_spv *s, const tsr_inst *inst)
{
    tsr_id condition = tsr_arg(s->ir, inst, 0);
    tsr_block then = tsr_inst_block(s->ir, inst, 0), otherwise = tsr_inst_block(s->ir, inst, 1);
    uint32_t exit = otherwise ? 0 : plain_exit(s, then);
    if (exit) {
        emit_exit_if(s, condition, exit);
        return;
    }
    uint32_t then_label = tsr_spv_new_id(s), merge = tsr_spv_new_id(s);
    uint32_t else_label = otherwise ? tsr_spv_new_id(s) : merge, mark = tsr_ranges_mark(s->ranges);
    SPV_DO(s, SPV_SelectionMerge, merge, NO_CONTROL);
    branch_if(s, condition, then_label, else_label);
    tsr_ranges_assume(s->ranges, condition, true);
    emit_branch(s, then, then_label, merge);
    tsr_ranges_forget(s->ranges, mark);
    if (otherwise) {
        tsr_ranges_assume(s->ranges, condition, false);
        emit_branch(s, otherwise, else_label, merge);
        tsr_ranges_forget(s->ranges, mark);
    }
    tsr_spv_label(s, merge);
    if (tsr_block_is_ended(s->ir, then)) tsr_ranges_assume(s->ranges, condition, false);
}

/* `break_if` ends the continuing block: it is the branch back. */
static void emit_continuing(tsr_spv *s, tsr_block block, uint32_t header, uint32_t merge)
{
    const tsr_block_info *info = tsr_block_at(s->ir, block);
    uint32_t mark = tsr_ranges_mark(s->ranges);
    for (uint32_t i = 0; block && i < info->count; i++) {
        const tsr_inst *inst = tsr_inst_at(s->ir, info->insts[i]);
        if (inst->op == TSR_OP_break_if)
            branch_if(s, tsr_arg(s->ir, inst, 0), merge, header);
        else
            tsr_spv_block_inst(s, info->insts[i]);
    }
    if (s->label) tsr_spv_branch(s, header);
    tsr_ranges_forget(s->ranges, mark);
}

/* What works on matrices: arrays of them are registers only when every index is a constant, so a loop over them has to
 * be unrolled. */
static void note_matrix(void *user, tsr_id id)
{
    struct matrix_search *m = user;
    const tsr_inst *inst = tsr_inst_at(m->s->ir, id);
    tsr_type type = inst->type;
    if (tsr_type_kind_of(m->s->types, type) == TSR_T_ptr) type = tsr_type_get(m->s->types, type)->elem;
    if (tsr_type_contains(m->s->types, type, TSR_T_smat)) m->found = true;
}

static uint32_t loop_control(tsr_spv *s, tsr_id id)
{
    enum { UNROLL_MAX = 32 }; /* iterations: longer loops are not over an array of registers */
    struct matrix_search m = {s, false};
    uint32_t trips = tsr_range_trips(s->ranges, id);
    if (trips < 2 || trips > UNROLL_MAX) return NO_CONTROL;
    tsr_block_walk(s->ir, tsr_inst_block(s->ir, tsr_inst_at(s->ir, id), 0), note_matrix, &m);
    return m.found ? SPV_LoopControl_Unroll : NO_CONTROL;
}

static void emit_loop(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    tsr_spv_target outer = s->target;
    uint32_t header = tsr_spv_new_id(s), body = tsr_spv_new_id(s), next = tsr_spv_new_id(s), merge = tsr_spv_new_id(s);
    tsr_spv_branch(s, header);
    tsr_spv_label(s, header);
    SPV_DO(s, SPV_LoopMerge, merge, next, loop_control(s, id));
    tsr_spv_branch(s, body);
    s->target = (tsr_spv_target){merge, next, false};
    s->loop_depth++;
    tsr_ranges_enter(s->ranges, id);
    emit_branch(s, tsr_inst_block(s->ir, inst, 0), body, next);
    tsr_ranges_leave(s->ranges);
    tsr_spv_label(s, next);
    s->target = (tsr_spv_target){0, 0, false};
    emit_continuing(s, tsr_inst_block(s->ir, inst, 1), header, merge);
    s->loop_depth--;
    s->target = outer;
    tsr_spv_label(s, merge);
}

/* Whether lanes with different selectors, which OpSwitch may keep apart in one case even under maximal reconvergence
 * ("Divergence"), could tell: in a case of several selectors, or the default. */
static bool wants_case_numbers(const tsr_spv *s, const tsr_switch *sw)
{
    for (uint32_t i = 0; s->reconverges && i < sw->case_count; i++) {
        const tsr_case *c = &sw->cases[i];
        if ((c->is_default || c->selector_count > 1) && tsr_spv_asks_company(s, c->block)) return true;
    }
    return false;
}

/* The number of the case that a selector chooses, `otherwise` when none is. */
static uint32_t case_number(tsr_spv *s, const tsr_inst *inst, const tsr_switch *sw, uint32_t otherwise)
{
    uint32_t u32 = tsr_spv_type(s, TSR_T_u32), bools = tsr_spv_type(s, TSR_T_bool);
    uint32_t selector = tsr_spv_arg(s, inst, 0), number = tsr_spv_u32(s, otherwise);
    for (uint32_t i = 0; i < sw->case_count; i++)
        for (uint32_t k = 0; !sw->cases[i].is_default && k < sw->cases[i].selector_count; k++) {
            uint32_t value = tsr_spv_use(s, sw->cases[i].selectors[k]);
            uint32_t is_it = SPV_VALUE(s, SPV_IEqual, bools, selector, value);
            number = SPV_VALUE(s, SPV_Select, u32, is_it, tsr_spv_u32(s, i), number);
        }
    return number;
}

/* The operands of OpSwitch; case i is at label first + i. */
static tsr_words switch_of_selectors(tsr_spv *s, const tsr_inst *inst, const tsr_switch *sw, uint32_t first,
                                     uint32_t otherwise)
{
    tsr_words words = {0};
    tsr_words_add(&words, s->arena, (const uint32_t[]){tsr_spv_arg(s, inst, 0), otherwise}, 2);
    for (uint32_t i = 0; i < sw->case_count; i++)
        for (uint32_t k = 0; k < sw->cases[i].selector_count; k++) {
            const tsr_inst *selector = tsr_inst_at(s->ir, sw->cases[i].selectors[k]);
            uint32_t bits = selector->op == TSR_OP_const ? (uint32_t)tsr_constant_bits(s->ir, selector) : 0;
            tsr_words_add(&words, s->arena, (const uint32_t[]){bits, first + i}, 2);
        }
    return words;
}

static tsr_words switch_of_numbers(tsr_spv *s, const tsr_inst *inst, const tsr_switch *sw, uint32_t first,
                                   uint32_t otherwise)
{
    tsr_words words = {0};
    uint32_t number = case_number(s, inst, sw, sw->case_count);
    tsr_words_add(&words, s->arena, (const uint32_t[]){number, otherwise}, 2);
    for (uint32_t i = 0; i < sw->case_count; i++)
        if (!sw->cases[i].is_default) tsr_words_add(&words, s->arena, (const uint32_t[]){i, first + i}, 2);
    return words;
}

static void emit_switch(tsr_spv *s, const tsr_inst *inst)
{
    const tsr_switch *sw = tsr_switch_at(s->ir, inst->aux);
    tsr_spv_target outer = s->target;
    uint32_t merge = tsr_spv_new_id(s), first = s->next_id, otherwise = merge;
    s->next_id += sw->case_count;
    for (uint32_t i = 0; i < sw->case_count; i++)
        if (sw->cases[i].is_default) otherwise = first + i;
    tsr_words words = wants_case_numbers(s, sw) ? switch_of_numbers(s, inst, sw, first, otherwise)
                                                : switch_of_selectors(s, inst, sw, first, otherwise);
    SPV_DO(s, SPV_SelectionMerge, merge, NO_CONTROL);
    tsr_spv_do(s, SPV_Switch, words.at, words.count);
    s->label = 0;
    s->target.break_label = merge;
    s->target.break_is_switch = true;
    for (uint32_t i = 0; i < sw->case_count; i++)
        emit_branch(s, sw->cases[i].block, first + i, merge);
    s->target = outer;
    tsr_spv_label(s, merge);
}

static void emit_return(tsr_spv *s, const tsr_inst *inst)
{
    if (inst->nargs)
        SPV_DO(s, SPV_ReturnValue, tsr_spv_arg(s, inst, 0));
    else
        tsr_spv_do(s, SPV_Return, NULL, 0);
    s->label = 0;
}

/* Any instruction that stands in a block. */
void tsr_spv_block_inst(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    switch ((tsr_op)inst->op) {
    case TSR_OP_if: emit_if(s, inst); break;
    case TSR_OP_loop: emit_loop(s, id); break;
    case TSR_OP_switch: emit_switch(s, inst); break;
    case TSR_OP_break: tsr_spv_branch(s, s->target.break_label); break;
    case TSR_OP_continue: tsr_spv_branch(s, s->target.continue_label); break;
    case TSR_OP_return: emit_return(s, inst); break;
    case TSR_OP_unreachable:
        tsr_spv_do(s, SPV_Unreachable, NULL, 0);
        s->label = 0;
        break;
    default: tsr_spv_inst(s, id); break;
    }
}

/* Recursion is as deep as blocks nest (TSR_IR_BLOCK_DEPTH_MAX). Code behind an END op cannot be reached. */
static void emit_block(tsr_spv *s, tsr_block block)
{
    const tsr_block_info *info = tsr_block_at(s->ir, block);
    for (uint32_t i = 0; i < info->count && s->label; i++)
        tsr_spv_block_inst(s, info->insts[i]);
}

/* ---- Functions. */

uint32_t tsr_spv_emit_call(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    tsr_words words = {0};
    tsr_words_add1(&words, s->arena, s->function_ids[inst->aux]);
    for (uint32_t i = 0; i < inst->nargs; i++) {
        tsr_id arg = tsr_arg(s->ir, inst, i);
        bool pointer = tsr_type_kind_of(s->types, tsr_inst_at(s->ir, arg)->type) == TSR_T_ptr;
        tsr_words_add1(&words, s->arena, pointer ? tsr_spv_pointer(s, arg) : tsr_spv_use(s, arg));
    }
    return tsr_spv_value(s, SPV_FunctionCall, tsr_spv_type(s, inst->type), words.at, words.count);
}

uint32_t tsr_spv_begin_function(tsr_spv *s, uint32_t id, uint32_t result, const uint32_t *param_types,
                                uint32_t param_count, uint32_t *params)
{
    tsr_words type = {0};
    tsr_words_add1(&type, s->arena, result);
    tsr_words_add(&type, s->arena, param_types, param_count);
    uint32_t function_type = tsr_spv_declare(s, SPV_TypeFunction, 0, type.at, type.count);
    s->variables.count = s->prologue.count = s->body.count = 0;
    tsr_map_init(&s->lengths, s->arena);
    tsr_map_init(&s->lasts, s->arena);
    tsr_map_init(&s->temporaries, s->arena);
    s->line = 0;
    s->loop_depth = 0;
    tsr_spv_put(s, &s->functions, SPV_Function, (const uint32_t[]){result, id, NO_CONTROL, function_type}, 4);
    for (uint32_t i = 0; i < param_count; i++) {
        params[i] = tsr_spv_new_id(s);
        tsr_spv_put(s, &s->functions, SPV_FunctionParameter, (const uint32_t[]){param_types[i], params[i]}, 2);
    }
    s->label = tsr_spv_new_id(s);
    tsr_spv_put(s, &s->functions, SPV_Label, &s->label, 1);
    return id;
}

void tsr_spv_end_function(tsr_spv *s)
{
    tsr_words_add(&s->functions, s->arena, s->variables.at, s->variables.count);
    tsr_words_add(&s->functions, s->arena, s->prologue.at, s->prologue.count);
    tsr_words_add(&s->functions, s->arena, s->body.at, s->body.count);
    tsr_spv_put(s, &s->functions, SPV_FunctionEnd, NULL, 0);
    s->label = 0;
}

bool tsr_spv_skips(const tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    return inst->op == TSR_OP_not && inst->type == TSR_T_bool && s->wanted[id] == WANTED_BRANCH;
}

/* Pointers that something else than `field` and `index` uses: they need their access chain. And which values only
 * branches use. */
static void mark_wanted(void *user, tsr_id id)
{
    tsr_spv *s = user;
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    switch ((tsr_op)inst->op) {
    case TSR_OP_field:
    case TSR_OP_index:
    case TSR_OP_array_length:
    case TSR_OP_mload:
    case TSR_OP_mstore: return;
    case TSR_OP_if:
    case TSR_OP_break_if: s->wanted[tsr_arg(s->ir, inst, 0)] |= WANTED_BRANCH; return;
    default: break;
    }
    for (uint32_t i = 0; i < inst->nargs; i++) {
        const tsr_inst *arg = tsr_inst_at(s->ir, tsr_arg(s->ir, inst, i));
        bool of_branch = inst->op == TSR_OP_not && arg->op == TSR_OP_not;
        if (!of_branch) s->wanted[tsr_arg(s->ir, inst, i)] |= WANTED_VALUE;
    }
}

static void bind_params(tsr_spv *s, const tsr_function *f, const uint32_t *params)
{
    for (uint32_t i = 0; i < f->param_count; i++) {
        tsr_id value = f->params[i].value;
        s->value_ids[value] = params[i];
        tsr_spv_name_sym(s, params[i], f->params[i].name);
        if (tsr_type_kind_of(s->types, f->params[i].type) == TSR_T_ptr)
            tsr_spv_add_root(s, value, params[i], false, false);
    }
}

void tsr_spv_function(tsr_spv *s, uint32_t function)
{
    const tsr_function *f = tsr_function_at(s->ir, function);
    bool entry = function == s->p->entry;
    uint32_t count = entry ? 0 : f->param_count, *types = TSR_NEW_ARRAY(s->arena, uint32_t, count + 1);
    uint32_t *params = TSR_NEW_ARRAY(s->arena, uint32_t, count + 1), mark = tsr_ranges_mark(s->ranges);
    for (uint32_t i = 0; i < count; i++)
        types[i] = tsr_spv_type(s, f->params[i].type);
    tsr_block_walk(s->ir, f->body, mark_wanted, s);
    tsr_spv_name_sym(s, s->function_ids[function], f->name);
    tsr_spv_begin_function(s, s->function_ids[function], tsr_spv_type(s, entry ? TSR_T_void : f->result), types, count,
                           params);
    if (entry)
        tsr_spv_begin_entry(s);
    else
        bind_params(s, f, params);
    emit_block(s, f->body);
    if (s->label) tsr_spv_do(s, f->result ? SPV_Unreachable : SPV_Return, NULL, 0);
    tsr_spv_end_function(s);
    tsr_ranges_forget(s->ranges, mark);
}
