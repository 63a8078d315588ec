/* A program becomes steps: one flat list in which structured control flow is masks and jumps to the ends of blocks.
 * Functions are decoded from a queue, once for each set of pointers that they are called with, so that where a pointer
 * points is known in every step. */
#include "exec/inside.h"

#include <string.h>

/* A loop or switch that is open: where `break` and `continue` put the mask. */
typedef struct tsr_frame {
    struct tsr_frame *outside;
    bool is_loop;
    tsr_slot left, continued;
} tsr_frame;

#define SLOT_ALIGN  16u /* words: a cache line */
#define GROUP_ALIGN 16u

void tsr_decode_fail(tsr_decode *d, tsr_status st, const char *fmt, ...)
{
    if (d->status != TSR_OK) return;
    d->status = st;
    va_list args;
    va_start(args, fmt);
    tsr_text_vprintf(d->why, fmt, args);
    va_end(args);
}

tsr_slot tsr_decode_alloc(tsr_decode *d, uint64_t words_a_lane, uint32_t extra_words)
{
    uint64_t words = words_a_lane * d->in->lanes + extra_words;
    words = (words + SLOT_ALIGN - 1) / SLOT_ALIGN * SLOT_ALIGN;
    if (words > TSR_FRAME_WORDS_MAX || d->frame_words + words > TSR_FRAME_WORDS_MAX) {
        tsr_decode_fail(d, TSR_ERR_LIMIT,
                        "the values and variables of a workgroup of %u invocations need more than 1 GiB; use a smaller "
                        "workgroup or smaller arrays",
                        d->in->lanes);
        return SLOT_ALIGN;
    }
    tsr_slot slot = (tsr_slot)d->frame_words;
    d->frame_words += words;
    return slot;
}

tsr_step *tsr_decode_step(tsr_decode *d, tsr_id inst, tsr_step_kind kind)
{
    tsr_step *s = (tsr_step *)tsr_pool_at(&d->steps, tsr_pool_push(&d->steps, 1));
    s->inst = inst;
    s->kind = (uint8_t)kind;
    s->op = inst ? tsr_inst_at(d->ir, inst)->op : TSR_OP_none;
    return s;
}

tsr_slot tsr_decode_value(tsr_decode *d, tsr_id id)
{
    tsr_slot slot = d->slots[id];
    if (slot == 0) {
        tsr_decode_fail(d, TSR_ERR_INVALID, "value %%%u (%s) is used where it has none", id,
                        tsr_op_table[tsr_inst_at(d->ir, id)->op].name);
        return SLOT_ALIGN;
    }
    return slot;
}

const tsr_xptr *tsr_decode_pointer(tsr_decode *d, tsr_id id)
{
    static const tsr_xptr nowhere = {.at = SLOT_ALIGN};
    if (d->ptrs[id]) return d->ptrs[id];
    tsr_decode_fail(d, TSR_ERR_UNSUPPORTED, "value %%%u is not a pointer that the interpreter can follow", id);
    return &nowhere;
}

static uint32_t here(const tsr_decode *d)
{
    return d->steps.count;
}

static tsr_step *step_at(const tsr_decode *d, uint32_t i)
{
    return (tsr_step *)tsr_pool_at(&d->steps, i);
}

/* ---- Control flow. A step that jumps to the end of its block is put on `ends`, linked through its target. */

static void decode_block(tsr_decode *d, tsr_block block);

/* A set of lanes: a mask and the number of its lanes. */
static tsr_slot alloc_lanes(tsr_decode *d)
{
    return tsr_decode_alloc(d, 1, 1);
}

static uint32_t jump_to_end(uint32_t *ends, uint32_t step, tsr_step *s)
{
    s->target = *ends;
    *ends = step;
    return step;
}

static tsr_step *control(tsr_decode *d, tsr_id id, tsr_step_kind kind, tsr_slot a0, tsr_slot a1, tsr_slot a2)
{
    tsr_step *s = tsr_decode_step(d, id, kind);
    s->arg[0] = a0;
    s->arg[1] = a1;
    s->arg[2] = a2;
    return s;
}

/* Where `break` or `continue` puts the mask; 0 after reporting that there is no such place. */
static tsr_slot leave_slot(tsr_decode *d, bool is_continue)
{
    const tsr_frame *f = d->outside;
    while (f && is_continue && !f->is_loop)
        f = f->outside;
    if (f) return is_continue ? f->continued : f->left;
    tsr_decode_fail(d, TSR_ERR_INVALID, "a break or continue stands outside a loop");
    return 0;
}

/* `if (c) { break; }` and the like are one step: most loops begin so. */
static bool decode_short_if(tsr_decode *d, tsr_id id, tsr_block then_block, tsr_slot cond, uint32_t *ends)
{
    const tsr_block_info *info = tsr_block_at(d->ir, then_block);
    if (info->count != 1) return false;
    const tsr_inst *only = tsr_inst_at(d->ir, info->insts[0]);
    tsr_slot left = 0;
    if (only->op == TSR_OP_break || only->op == TSR_OP_continue)
        left = leave_slot(d, only->op == TSR_OP_continue);
    else if (only->op != TSR_OP_return || only->nargs != 0)
        return false;
    tsr_step *s = control(d, id, TSR_STEP_leave_if, cond, left, 0);
    jump_to_end(ends, here(d) - 1, s);
    return true;
}

static void decode_if(tsr_decode *d, tsr_id id, uint32_t *ends)
{
    const tsr_inst *inst = tsr_inst_at(d->ir, id);
    tsr_block then_block = tsr_inst_block(d->ir, inst, 0), else_block = tsr_inst_block(d->ir, inst, 1);
    tsr_slot cond = tsr_decode_value(d, tsr_arg(d->ir, inst, 0));
    if (!else_block && decode_short_if(d, id, then_block, cond, ends)) return;
    tsr_slot saved = alloc_lanes(d), kept = else_block ? alloc_lanes(d) : 0;
    tsr_step *first = control(d, id, TSR_STEP_if, cond, saved, 0);
    decode_block(d, then_block);
    first->target = here(d);
    if (else_block) {
        tsr_step *middle = control(d, id, TSR_STEP_else, cond, saved, kept);
        decode_block(d, else_block);
        middle->target = here(d);
    }
    tsr_step *last = control(d, id, TSR_STEP_endif, cond, saved, kept);
    jump_to_end(ends, here(d) - 1, last);
}

static void decode_loop(tsr_decode *d, tsr_id id, uint32_t *ends)
{
    const tsr_inst *inst = tsr_inst_at(d->ir, id);
    tsr_frame frame = {d->outside, true, alloc_lanes(d), alloc_lanes(d)};
    d->outside = &frame;
    control(d, id, TSR_STEP_loop, frame.left, frame.continued, 0);
    uint32_t body = here(d);
    decode_block(d, tsr_inst_block(d->ir, inst, 0));
    tsr_step *middle = control(d, id, TSR_STEP_continuing, frame.left, frame.continued, 0);
    if (tsr_inst_block(d->ir, inst, 1)) decode_block(d, tsr_inst_block(d->ir, inst, 1));
    control(d, id, TSR_STEP_loop_back, 0, 0, 0)->target = body;
    middle->target = here(d);
    tsr_step *last = control(d, id, TSR_STEP_loop_exit, frame.left, 0, 0);
    jump_to_end(ends, here(d) - 1, last);
    d->outside = frame.outside;
}

static void decode_case(tsr_decode *d, tsr_id id, const tsr_case *c, const tsr_step *head)
{
    tsr_step *s = control(d, id, c->is_default ? TSR_STEP_default : TSR_STEP_case, head->arg[0], head->arg[1], 0);
    tsr_selectors *selectors = TSR_NEW(d->arena, tsr_selectors);
    uint32_t *values = TSR_NEW_ARRAY(d->arena, uint32_t, c->selector_count + 1);
    for (uint32_t i = 0; i < c->selector_count; i++)
        values[i] = (uint32_t)tsr_constant_bits(d->ir, tsr_inst_at(d->ir, c->selectors[i]));
    *selectors = (tsr_selectors){values, c->selector_count};
    s->more = selectors;
    decode_block(d, c->block);
    control(d, id, TSR_STEP_endcase, 0, 0, head->arg[2]);
    s->target = here(d);
}

/* The default comes last: then it takes whatever no other case has taken. */
static void decode_switch(tsr_decode *d, tsr_id id, uint32_t *ends)
{
    const tsr_inst *inst = tsr_inst_at(d->ir, id);
    const tsr_switch *sw = tsr_switch_at(d->ir, inst->aux);
    tsr_frame frame = {d->outside, false, alloc_lanes(d), 0};
    d->outside = &frame;
    tsr_step *head =
        control(d, id, TSR_STEP_switch, tsr_decode_value(d, tsr_arg(d->ir, inst, 0)), alloc_lanes(d), frame.left);
    for (uint32_t i = 0; i < sw->case_count; i++)
        if (!sw->cases[i].is_default) decode_case(d, id, &sw->cases[i], head);
    for (uint32_t i = 0; i < sw->case_count; i++)
        if (sw->cases[i].is_default) decode_case(d, id, &sw->cases[i], head);
    tsr_step *last = control(d, id, TSR_STEP_endswitch, 0, head->arg[1], head->arg[2]);
    jump_to_end(ends, here(d) - 1, last);
    d->outside = frame.outside;
}

static void decode_leave(tsr_decode *d, tsr_id id, bool is_continue, uint32_t *ends)
{
    tsr_step *s = control(d, id, TSR_STEP_leave, leave_slot(d, is_continue), 0, 0);
    jump_to_end(ends, here(d) - 1, s);
}

static void decode_return(tsr_decode *d, tsr_id id, uint32_t *ends)
{
    const tsr_inst *inst = tsr_inst_at(d->ir, id);
    tsr_slot value = inst->nargs ? tsr_decode_value(d, tsr_arg(d->ir, inst, 0)) : 0;
    tsr_step *s = control(d, id, TSR_STEP_return, value, 0, 0);
    s->dst = d->variant->result;
    if (value) s->words = tsr_decode_words(d, tsr_inst_at(d->ir, tsr_arg(d->ir, inst, 0))->type);
    jump_to_end(ends, here(d) - 1, s);
}

static void decode_break_if(tsr_decode *d, tsr_id id)
{
    if (!d->outside || !d->outside->is_loop) {
        tsr_decode_fail(d, TSR_ERR_INVALID, "a break_if stands outside a loop");
        return;
    }
    const tsr_inst *inst = tsr_inst_at(d->ir, id);
    control(d, id, TSR_STEP_break_if, tsr_decode_value(d, tsr_arg(d->ir, inst, 0)), d->outside->left, 0);
}

/* ---- Calls. */

static bool same_place(const tsr_xptr *a, const tsr_xptr *b)
{
    if (!a || !b) return a == b;
    return a->root == b->root && a->at == b->at && a->off == b->off && (a->dyn == 0) == (b->dyn == 0);
}

static tsr_variant *new_variant(tsr_decode *d, uint32_t function, const tsr_xptr *const *pointers)
{
    const tsr_function *f = tsr_function_at(d->ir, function);
    tsr_variant *v = TSR_NEW(d->arena, tsr_variant);
    v->function = function;
    v->pointers = TSR_NEW_ARRAY(d->arena, const tsr_xptr *, f->param_count + 1);
    v->params = TSR_NEW_ARRAY(d->arena, tsr_slot, f->param_count + 1);
    for (uint32_t i = 0; i < f->param_count; i++) {
        if (!pointers[i]) {
            v->params[i] = tsr_decode_alloc(d, tsr_decode_words(d, f->params[i].type), 0);
            continue;
        }
        tsr_xptr *p = TSR_NEW(d->arena, tsr_xptr);
        *p = *pointers[i];
        if (p->dyn) p->dyn = v->params[i] = tsr_decode_alloc(d, 1, TSR_DYN_EXTRA);
        v->pointers[i] = p;
    }
    v->result = f->result ? tsr_decode_alloc(d, tsr_decode_words(d, f->result), 0) : 0;
    v->saved = alloc_lanes(d);
    v->next_same = d->variants[function];
    d->variants[function] = v;
    *(tsr_variant **)tsr_pool_at(&d->queue, tsr_pool_push(&d->queue, 1)) = v;
    if (d->queue.count > TSR_VARIANTS_MAX)
        tsr_decode_fail(d, TSR_ERR_LIMIT, "functions are called with too many different pointers");
    return v;
}

static tsr_variant *find_variant(tsr_decode *d, uint32_t function, const tsr_xptr *const *pointers)
{
    const tsr_function *f = tsr_function_at(d->ir, function);
    for (tsr_variant *v = d->variants[function]; v; v = v->next_same) {
        uint32_t i = 0;
        while (i < f->param_count && same_place(v->pointers[i], pointers[i]))
            i++;
        if (i == f->param_count) return v;
    }
    return new_variant(d, function, pointers);
}

static void add_copies(tsr_decode *d, tsr_id id, tsr_copy *list, uint32_t count)
{
    if (count == 0) return;
    tsr_copies *copies = TSR_NEW(d->arena, tsr_copies);
    *copies = (tsr_copies){list, count};
    tsr_step *s = tsr_decode_step(d, id, TSR_STEP_op);
    s->run = tsr_run_copies;
    s->more = copies;
}

static void decode_call(tsr_decode *d, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(d->ir, id);
    const tsr_function *f = tsr_function_at(d->ir, inst->aux);
    const tsr_xptr **pointers = TSR_NEW_ARRAY(d->arena, const tsr_xptr *, f->param_count + 1);
    for (uint32_t i = 0; i < f->param_count; i++)
        if (tsr_type_kind_of(d->types, f->params[i].type) == TSR_T_ptr)
            pointers[i] = tsr_decode_pointer(d, tsr_arg(d->ir, inst, i));
    tsr_variant *v = find_variant(d, inst->aux, pointers);
    tsr_copy *list = TSR_NEW_ARRAY(d->arena, tsr_copy, f->param_count + 1);
    uint32_t count = 0, lanes = d->in->lanes;
    for (uint32_t i = 0; i < f->param_count; i++) {
        if (pointers[i] && pointers[i]->dyn)
            list[count++] = (tsr_copy){pointers[i]->dyn, v->params[i], lanes + TSR_DYN_EXTRA};
        else if (!pointers[i])
            list[count++] = (tsr_copy){tsr_decode_value(d, tsr_arg(d->ir, inst, i)), v->params[i],
                                       tsr_decode_words(d, f->params[i].type) * lanes};
    }
    add_copies(d, id, list, count);
    tsr_callee *callee = TSR_NEW(d->arena, tsr_callee);
    *callee = (tsr_callee){v, d->variant->callees, control(d, id, TSR_STEP_call, v->saved, 0, 0)};
    d->variant->callees = callee;
    if (!f->result) return;
    uint32_t words = tsr_decode_words(d, f->result);
    d->slots[id] = tsr_decode_alloc(d, words, 0);
    list = TSR_NEW_ARRAY(d->arena, tsr_copy, 1);
    *list = (tsr_copy){v->result, d->slots[id], words * lanes};
    add_copies(d, id, list, 1);
}

/* ---- Blocks and functions. */

static void decode_inst(tsr_decode *d, tsr_id id, uint32_t *ends)
{
    switch (tsr_inst_at(d->ir, id)->op) {
    case TSR_OP_if: decode_if(d, id, ends); break;
    case TSR_OP_loop: decode_loop(d, id, ends); break;
    case TSR_OP_switch: decode_switch(d, id, ends); break;
    case TSR_OP_break: decode_leave(d, id, false, ends); break;
    case TSR_OP_continue: decode_leave(d, id, true, ends); break;
    case TSR_OP_break_if: decode_break_if(d, id); break;
    case TSR_OP_return: decode_return(d, id, ends); break;
    case TSR_OP_call: decode_call(d, id); break;
    case TSR_OP_unreachable: break;
    default: tsr_decode_op(d, id); break;
    }
}

static void decode_block(tsr_decode *d, tsr_block block)
{
    if (++d->depth > TSR_BLOCK_DEPTH_MAX) {
        tsr_decode_fail(d, TSR_ERR_LIMIT, "blocks are nested more than %u deep", TSR_BLOCK_DEPTH_MAX);
    } else {
        const tsr_block_info *info = tsr_block_at(d->ir, block);
        uint32_t ends = 0;
        for (uint32_t i = 0; i < info->count && d->status == TSR_OK; i++)
            decode_inst(d, info->insts[i], &ends);
        while (ends) {
            tsr_step *s = step_at(d, ends);
            ends = s->target;
            s->target = here(d);
        }
    }
    d->depth--;
}

static void add_builtin(tsr_decode *d, uint8_t builtin, tsr_slot slot)
{
    tsr_builtin_slot *b = (tsr_builtin_slot *)tsr_pool_at(&d->builtins, tsr_pool_push(&d->builtins, 1));
    *b = (tsr_builtin_slot){builtin, slot};
}

static void decode_entry_param(tsr_decode *d, const tsr_param *p, tsr_slot slot)
{
    const tsr_type_info *t = tsr_type_get(d->types, p->type);
    if (p->io.builtin) add_builtin(d, p->io.builtin, slot);
    if (t->kind != TSR_T_struct) return;
    for (uint32_t i = 0; i < t->member_count; i++) {
        if (t->members[i].io.builtin) add_builtin(d, t->members[i].io.builtin, slot);
        slot += tsr_decode_words(d, t->members[i].type) * d->in->lanes;
    }
}

static void decode_variant(tsr_decode *d, tsr_variant *v)
{
    const tsr_function *f = tsr_function_at(d->ir, v->function);
    d->variant = v;
    v->first_step = here(d);
    for (uint32_t i = 0; i < f->param_count; i++) {
        d->ptrs[f->params[i].value] = v->pointers[i];
        d->slots[f->params[i].value] = v->pointers[i] ? 0 : v->params[i];
        if (v->function == d->in->program->entry) decode_entry_param(d, &f->params[i], v->params[i]);
    }
    decode_block(d, f->body);
    tsr_decode_step(d, 0, TSR_STEP_end);
}

/* ---- Module scope. */

static void mark_operands(tsr_decode *d, bool *needed, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(d->ir, id);
    for (uint32_t i = 0; i < inst->nargs; i++) {
        tsr_id arg = tsr_arg(d->ir, inst, i);
        if (d->in_module[arg]) needed[arg] = true;
    }
}

struct marking {
    tsr_decode *d;
    bool *needed;
};

static void mark_inst(void *user, tsr_id id)
{
    struct marking *m = user;
    mark_operands(m->d, m->needed, id);
}

static void mark_function(void *user, uint32_t function)
{
    struct marking *m = user;
    tsr_block_walk(m->d->ir, tsr_function_at(m->d->ir, function)->body, mark_inst, user);
}

static const tsr_resource *find_resource(const tsr_program *p, uint32_t global)
{
    for (uint32_t i = 0; i < p->resource_count; i++)
        if (p->resources[i].global == global) return &p->resources[i];
    return NULL;
}

static void place_in_group(tsr_decode *d, tsr_xptr *p)
{
    p->root = TSR_ROOT_GROUP;
    p->at = (uint32_t)d->group_bytes;
    uint64_t bytes = tsr_type_get(d->types, p->pointee)->size_bytes;
    d->group_bytes += (bytes + GROUP_ALIGN - 1) / GROUP_ALIGN * GROUP_ALIGN;
    if (bytes > TSR_FRAME_WORDS_MAX || d->group_bytes > TSR_FRAME_WORDS_MAX * sizeof(uint32_t)) {
        d->group_bytes = 0;
        tsr_decode_fail(d, TSR_ERR_LIMIT, "the workgroup variables need more than 1 GiB");
    }
}

static void place_private(tsr_decode *d, tsr_xptr *p, tsr_slot initial)
{
    uint32_t words = tsr_decode_words(d, p->pointee);
    p->root = TSR_ROOT_LANE;
    p->at = tsr_decode_alloc(d, words, 0);
    tsr_private *private = (tsr_private *)tsr_pool_at(&d->privates, tsr_pool_push(&d->privates, 1));
    *private = (tsr_private){p->at, initial, words};
}

static void decode_global(tsr_decode *d, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(d->ir, id);
    const tsr_type_info *t = tsr_type_get(d->types, inst->type);
    const tsr_resource *r = find_resource(d->in->program, inst->aux);
    tsr_xptr *p = TSR_NEW(d->arena, tsr_xptr);
    p->pointee = t->elem;
    d->ptrs[id] = p;
    if (t->space == TSR_SPACE_workgroup) {
        place_in_group(d, p);
    } else if (t->space == TSR_SPACE_private) {
        place_private(d, p, inst->nargs ? tsr_decode_value(d, tsr_arg(d->ir, inst, 0)) : 0);
    } else if (r) {
        p->root = TSR_ROOT_BINDING;
        p->at = (uint32_t)(r - d->in->program->resources);
    } else {
        tsr_decode_fail(d, TSR_ERR_UNSUPPORTED, "module-scope variable %s cannot be used here",
                        tsr_symbols_cstr(d->ir->symbols, tsr_global_at(d->ir, inst->aux)->name));
    }
}

/* The values that functions use, in order: each thread computes them once, before its first workgroup. */
static void decode_module(tsr_decode *d)
{
    const tsr_block_info *block = tsr_block_at(d->ir, d->ir->module_block);
    bool *needed = TSR_NEW_ARRAY(d->arena, bool, d->ir->insts.count);
    struct marking m = {d, needed};
    for (uint32_t i = 0; i < block->count; i++)
        d->in_module[block->insts[i]] = true;
    tsr_function_walk(d->ir, d->in->program->entry, mark_function, &m);
    for (uint32_t i = block->count; i-- > 0;)
        if (needed[block->insts[i]]) mark_operands(d, needed, block->insts[i]);
    d->in->setup_step = here(d);
    for (uint32_t i = 0; i < block->count && d->status == TSR_OK; i++) {
        tsr_id id = block->insts[i];
        if (!needed[id]) continue;
        if (tsr_inst_at(d->ir, id)->op == TSR_OP_global)
            decode_global(d, id);
        else
            tsr_decode_op(d, id);
    }
    tsr_decode_step(d, 0, TSR_STEP_end);
}

/* ---- The whole. */

/* Callees stand behind their first caller in the queue, but a later caller may follow: heights settle in as many rounds
 * as calls are deep. More rounds than functions mean recursion. */
static void find_call_depth(tsr_decode *d)
{
    bool changed = true;
    for (uint32_t round = 0; changed; round++) {
        changed = false;
        for (uint32_t i = d->queue.count; i-- > 1;) {
            tsr_variant *v = *(tsr_variant **)tsr_pool_at(&d->queue, i);
            for (const tsr_callee *c = v->callees; c; c = c->next)
                if (v->height <= c->variant->height) {
                    v->height = c->variant->height + 1;
                    changed = true;
                }
        }
        if (round > d->queue.count) {
            tsr_decode_fail(d, TSR_ERR_INVALID, "the functions call each other in a circle");
            return;
        }
    }
    d->in->call_depth = (*(tsr_variant **)tsr_pool_at(&d->queue, 1))->height + 1;
}

static void link_calls(tsr_decode *d)
{
    for (uint32_t i = 1; i < d->queue.count; i++)
        for (const tsr_callee *c = (*(tsr_variant **)tsr_pool_at(&d->queue, i))->callees; c; c = c->next)
            c->step->target = c->variant->first_step;
}

static void *flatten(tsr_decode *d, const tsr_pool *pool)
{
    unsigned char *all = tsr_arena_array(d->arena, pool->count, pool->elem_bytes);
    for (uint32_t i = 0; i < pool->count; i++)
        memcpy(all + (size_t)i * pool->elem_bytes, tsr_pool_at(pool, i), pool->elem_bytes);
    return all;
}

/* Element 0 of a pool is not in use. */
static void finish(tsr_decode *d)
{
    tsr_interp *in = d->in;
    in->scratch = tsr_decode_alloc(d, 0, (uint32_t)(d->scratch_words < UINT32_MAX ? d->scratch_words : UINT32_MAX));
    in->steps = flatten(d, &d->steps);
    in->step_count = d->steps.count;
    in->builtins = (tsr_builtin_slot *)flatten(d, &d->builtins) + 1;
    in->builtin_count = d->builtins.count - 1;
    in->privates = (tsr_private *)flatten(d, &d->privates) + 1;
    in->private_count = d->privates.count - 1;
    in->frame_words = (uint32_t)d->frame_words;
    in->group_bytes = (uint32_t)d->group_bytes;
}

static void init_tables(tsr_decode *d)
{
    uint32_t insts = d->ir->insts.count;
    d->slots = TSR_NEW_ARRAY(d->arena, tsr_slot, insts);
    d->ptrs = TSR_NEW_ARRAY(d->arena, const tsr_xptr *, insts);
    d->in_module = TSR_NEW_ARRAY(d->arena, bool, insts);
    d->zero_slots = TSR_NEW_ARRAY(d->arena, tsr_slot, d->types->info.count);
    d->type_leaves = TSR_NEW_ARRAY(d->arena, tsr_leaf_list, d->types->info.count);
    d->variants = TSR_NEW_ARRAY(d->arena, tsr_variant *, d->ir->functions.count);
    tsr_pool_init(&d->steps, d->arena, sizeof(tsr_step));
    tsr_pool_init(&d->builtins, d->arena, sizeof(tsr_builtin_slot));
    tsr_pool_init(&d->privates, d->arena, sizeof(tsr_private));
    tsr_pool_init(&d->queue, d->arena, sizeof(tsr_variant *));
    tsr_layout_words(d);
}

tsr_status tsr_decode_program(tsr_decode *d)
{
    init_tables(d);
    d->frame_words = SLOT_ALIGN; /* slot 0 means none */
    d->in->mask = tsr_decode_alloc(d, 1, 0);
    d->in->ones = tsr_decode_alloc(d, 1, 0);
    decode_module(d);
    const tsr_function *entry = tsr_function_at(d->ir, d->in->program->entry);
    const tsr_xptr **none = TSR_NEW_ARRAY(d->arena, const tsr_xptr *, entry->param_count + 1);
    new_variant(d, d->in->program->entry, none);
    for (uint32_t i = 1; i < d->queue.count && d->status == TSR_OK; i++)
        decode_variant(d, *(tsr_variant **)tsr_pool_at(&d->queue, i));
    if (d->status != TSR_OK) return d->status;
    d->in->entry_step = (*(tsr_variant **)tsr_pool_at(&d->queue, 1))->first_step;
    link_calls(d);
    find_call_depth(d);
    finish(d);
    if (d->in->checks && d->status == TSR_OK) tsr_san_prepare(d);
    return d->status;
}
