/* Control flow and calls.
 *
 * Where a subgroup goes one way together, control flow is branches. Where its lanes part it is masks: %mask holds the
 * active lanes, a part is jumped over when no lane takes it, lanes that leave a loop or function are taken out of the
 * mask and come back behind it. While `all` holds, %mask is not looked at. */
#include "emit/llvm_inside.h"

#define CALL_DEPTH_MAX 64u
#define SHORT_TRIPS    1024u

struct finding {
    const tsr_ll *e;
    bool found;
};

/* ---- Masks around constructs. */

typedef struct saved {
    bool all;
    tsr_ll_here here;
    tsr_ll_word mask;
} saved;

static saved save_mask(tsr_ll *e)
{
    return (saved){e->all, e->here, e->all ? tsr_ll_const(e, LL_B, 1) : tsr_ll_mask(e)};
}

/* The lanes that were active before are again. */
static void restore_mask(tsr_ll *e, saved s)
{
    if (!s.all && e->open) tsr_ll_set_mask(e, s.mask);
    e->all = s.all;
    e->here = s.here;
}

/* From here on the mask is in %mask. */
static void use_mask(tsr_ll *e)
{
    tsr_ll_here here = e->here;
    if (!e->all) return;
    tsr_ll_set_mask(e, tsr_ll_const(e, LL_B, 1));
    e->all = false;
    e->here = here;
}

/* Behind a construct that ran without masks: the lanes that were active before are, unless some have left it. */
static void come_back(tsr_ll *e, bool all, tsr_ll_here before, bool leaves)
{
    e->all = all;
    e->here = before;
    if (leaves) tsr_ll_other_lanes(e);
}

static uint32_t new_mask(tsr_ll *e)
{
    return tsr_ll_alloca_word(e, LL_B, true);
}

static tsr_ll_word load_mask(tsr_ll *e, uint32_t from)
{
    tsr_ll_word r = tsr_ll_named(LL_B, LL_EACH, tsr_ll_new(e));
    tsr_ll_line(e, "%%t%u = load %s, ptr %%t%u, align 64", r.name, e->vector_name[LL_B], from);
    return r;
}

static void store_mask(tsr_ll *e, uint32_t to, tsr_ll_word m)
{
    tsr_ll_line(e, "store %s %s, ptr %%t%u, align 64", e->vector_name[LL_B], tsr_ll_vector(e, m), to);
}

static void clear_mask(tsr_ll *e, uint32_t to)
{
    tsr_ll_line(e, "store %s zeroinitializer, ptr %%t%u, align 64", e->vector_name[LL_B], to);
}

/* The active lanes go to a set and are no longer active. */
static void leave_to(tsr_ll *e, uint32_t set)
{
    if (set) store_mask(e, set, tsr_ll_op2(e, "or", load_mask(e, set), tsr_ll_mask(e)));
    tsr_ll_line(e, "store %s zeroinitializer, ptr %%mask, align 64", e->vector_name[LL_B]);
    tsr_ll_other_lanes(e);
}

/* ---- What is known. Conditions that hold for all lanes which are here are told to the ranges. */

static uint32_t assume(tsr_ll *e, tsr_id id, bool truth)
{
    uint32_t mark = tsr_ranges_mark(e->ranges);
    tsr_ranges_assume(e->ranges, tsr_ll_arg(e, id, 0), truth);
    return mark;
}

/* Behind `if (...) { break }` the condition does not hold. */
static void assume_behind(tsr_ll *e, tsr_id id)
{
    if (tsr_block_is_ended(e->ir, tsr_inst_block(e->ir, tsr_ll_inst(e, id), 0))) assume(e, id, false);
}

/* A block of its own: what leaves all its lanes goes to its end. */
static void emit_nested(tsr_ll *e, tsr_block block)
{
    uint32_t skip = e->skip, end = tsr_ll_new(e);
    e->skip = end;
    if (block) tsr_ll_emit_block(e, block);
    tsr_ll_label(e, end);
    e->skip = skip;
}

/* After a construct that lanes may have left: when none is here, the rest of the block is jumped over. */
static void skip_if_empty(tsr_ll *e)
{
    if (!e->open) return;
    uint32_t go = tsr_ll_new(e), to = e->skip;
    const tsr_ll_frame *f = e->frame;
    /* Values of a loop's body that its continuing block uses stand before the first `continue`: before one, whoever has
     * left has left the loop. */
    if (f && f->inst && to == f->next && !f->continued && f->exit) to = f->exit;
    tsr_ll_branch(e, tsr_ll_any(e, tsr_ll_mask(e)), go, to);
    tsr_ll_label(e, go);
}

/* ---- if. */

static void emit_uniform_if(tsr_ll *e, tsr_id id, tsr_ll_word cond)
{
    const tsr_inst *inst = tsr_ll_inst(e, id);
    tsr_block then_block = tsr_inst_block(e->ir, inst, 0), else_block = tsr_inst_block(e->ir, inst, 1);
    uint32_t yes = tsr_ll_new(e), no = tsr_ll_new(e), end = tsr_ll_new(e);
    bool leaves = e->shapes.leaves[id];
    if (leaves) use_mask(e);
    bool all = e->all;
    tsr_ll_here here = e->here;
    tsr_ll_branch(e, cond, yes, else_block ? no : end);
    tsr_ll_label(e, yes);
    uint32_t mark = assume(e, id, true);
    emit_nested(e, then_block);
    tsr_ranges_forget(e->ranges, mark);
    tsr_ll_jump(e, end);
    if (else_block) {
        come_back(e, all, here, false);
        tsr_ll_label(e, no);
        assume(e, id, false);
        emit_nested(e, else_block);
        tsr_ranges_forget(e->ranges, mark);
    }
    come_back(e, all, here, leaves);
    tsr_ll_label(e, end);
    assume_behind(e, id);
    if (leaves) skip_if_empty(e);
}

/* Lanes where `cond` holds leave the loop or switch: they are in `left`, where somebody asks for them. */
static void leave_where(tsr_ll *e, uint32_t left, tsr_ll_word cond)
{
    tsr_ll_word mask = tsr_ll_mask(e), out = tsr_ll_op2(e, "and", mask, cond);
    if (left) store_mask(e, left, tsr_ll_op2(e, "or", load_mask(e, left), out));
    tsr_ll_set_mask(e, tsr_ll_op2(e, "and", mask, tsr_ll_not(e, cond)));
}

bool tsr_ll_only_breaks(const tsr_ll *e, const tsr_inst *inst)
{
    tsr_block then_block = tsr_inst_block(e->ir, inst, 0);
    if (!then_block || tsr_inst_block(e->ir, inst, 1)) return false;
    const tsr_block_info *info = tsr_block_at(e->ir, then_block);
    return info->count == 1 && tsr_ll_inst(e, info->insts[0])->op == TSR_OP_break;
}

/* A test that says whether a condition holds in all lanes (`holds`), or in none. */
typedef struct sure {
    bool known, holds;
    tsr_ll_word test;
} sure;

/* Of the first lane: lanes that are evenly spaced, compared with what all have: `i < count`, or `i >= count`, written
 * either way. */
static sure find_sure(tsr_ll *e, tsr_id cond)
{
    sure s = {.holds = true};
    const tsr_inst *inst = tsr_ll_inst(e, cond);
    for (; inst->op == TSR_OP_not; inst = tsr_ll_inst(e, tsr_arg(e->ir, inst, 0)))
        s.holds = !s.holds;
    bool turned = inst->op == TSR_OP_gt || inst->op == TSR_OP_le, less = inst->op == TSR_OP_lt || inst->op == TSR_OP_gt;
    if (!turned && !less && inst->op != TSR_OP_ge) return s;
    const tsr_ll_value *lanes = &e->value[tsr_arg(e->ir, inst, turned)],
                       *bound = &e->value[tsr_arg(e->ir, inst, !turned)];
    if (tsr_ll_inst(e, tsr_arg(e->ir, inst, 0))->type != TSR_T_u32 || !lanes->words || !bound->words) return s;
    tsr_ll_word first = lanes->words[0], count = bound->words[0];
    uint64_t reach = (uint64_t)(uint32_t)first.shape.stride * (e->size - 1);
    if (first.form != LL_EVEN || count.form != LL_SAME || first.shape.stride <= 0 || reach > UINT32_MAX) return s;
    if (!less) s.holds = !s.holds;
    first.form = LL_SAME;
    s.known = true;
    s.test = tsr_ll_cmp(e, "icmp ult", first,
                        tsr_ll_call(e, "llvm.usub.sat", (tsr_ll_word[]){count, tsr_ll_u32(e, (uint32_t)reach)}, 2));
    return s;
}

/* Any other condition, lane by lane: whether it holds in all of them, or, where what it guards is not reached else, in
 * none. */
static sure test_lanes(tsr_ll *e, const tsr_inst *inst, tsr_ll_word cond)
{
    sure s = {.known = cond.form == LL_EACH, .holds = !tsr_block_is_ended(e->ir, tsr_inst_block(e->ir, inst, 0))};
    if (!s.known) return s;
    s.test = s.holds ? tsr_ll_every(e, cond) : tsr_ll_not(e, tsr_ll_any(e, cond));
    return s;
}

static void note_access(void *user, tsr_id id)
{
    struct finding *r = user;
    const tsr_inst *inst = tsr_ll_inst(r->e, id);
    if (inst->op == TSR_OP_index || inst->op == TSR_OP_call) r->found = true;
}

/* Memory is accessed where the condition holds: that all lanes do so spares looking at each. */
static bool is_worth_a_test(const tsr_ll *e, tsr_id id)
{
    struct finding r = {e, false};
    tsr_block_walk(e->ir, tsr_inst_block(e->ir, tsr_ll_inst(e, id), 0), note_access, &r);
    return r.found;
}

/* Goes to `yes` with the lanes of `take` as the mask, to `no` where there are none; where `all` says so, with
 * all of them. */
static void branch_with_mask(tsr_ll *e, const sure *all, tsr_ll_word take, uint32_t yes, uint32_t no)
{
    uint32_t every = tsr_ll_new(e), test = tsr_ll_new(e), some = tsr_ll_new(e);
    if (all->known && all->holds) {
        tsr_ll_branch(e, all->test, every, test);
        tsr_ll_label(e, every);
        tsr_ll_set_mask(e, tsr_ll_const(e, LL_B, 1));
        tsr_ll_jump(e, yes);
        tsr_ll_label(e, test);
    }
    tsr_ll_branch(e, tsr_ll_any(e, take), some, no);
    tsr_ll_label(e, some);
    tsr_ll_set_mask(e, take);
    tsr_ll_label(e, yes);
    if (all->known && all->holds) e->here.full = all->test.name;
}

static void emit_parted_if(tsr_ll *e, tsr_id id, tsr_ll_word cond, const sure *all)
{
    const tsr_inst *inst = tsr_ll_inst(e, id);
    tsr_block then_block = tsr_inst_block(e->ir, inst, 0), else_block = tsr_inst_block(e->ir, inst, 1);
    bool leaves = e->shapes.leaves[id];
    saved before = save_mask(e);
    cond = tsr_ll_to_vector(e, cond);
    tsr_ll_word take = before.all ? cond : tsr_ll_op2(e, "and", before.mask, cond);
    tsr_ll_word others = tsr_ll_not(e, cond);
    if (!before.all) others = tsr_ll_op2(e, "and", before.mask, others);
    uint32_t kept = leaves ? new_mask(e) : 0, yes = tsr_ll_new(e), middle = tsr_ll_new(e);
    if (kept) clear_mask(e, kept);
    e->all = false;
    branch_with_mask(e, all, take, yes, middle);
    emit_nested(e, then_block);
    if (kept) store_mask(e, kept, tsr_ll_mask(e));
    tsr_ll_label(e, middle);
    e->all = false;
    tsr_ll_other_lanes(e);
    if (else_block) {
        uint32_t no = tsr_ll_new(e), end = tsr_ll_new(e);
        tsr_ll_set_mask(e, others);
        tsr_ll_branch(e, tsr_ll_any(e, others), no, end);
        tsr_ll_label(e, no);
        emit_nested(e, else_block);
        tsr_ll_label(e, end);
        e->all = false;
        if (kept) tsr_ll_set_mask(e, tsr_ll_op2(e, "or", tsr_ll_mask(e), load_mask(e, kept)));
    } else if (kept) {
        tsr_ll_set_mask(e, tsr_ll_op2(e, "or", others, load_mask(e, kept)));
    }
    if (!leaves)
        restore_mask(e, before);
    else
        skip_if_empty(e);
}

static void emit_masked_if(tsr_ll *e, tsr_id id, tsr_ll_word cond)
{
    const tsr_inst *inst = tsr_ll_inst(e, id);
    sure all = {0};
    if (tsr_ll_only_breaks(e, inst) && e->frame->masked) {
        leave_where(e, e->frame->left, tsr_ll_to_vector(e, cond));
        e->all = false;
        skip_if_empty(e);
        return;
    }
    if (e->all && !tsr_inst_block(e->ir, inst, 1)) {
        all = find_sure(e, tsr_ll_arg(e, id, 0));
        if (!all.known && (e->shapes.leaves[id] || is_worth_a_test(e, id))) all = test_lanes(e, inst, cond);
    }
    if (!all.known || all.holds) {
        emit_parted_if(e, id, cond, &all);
        return;
    }
    /* `if (i >= count) { return }`: where no lane goes there, all go on. */
    uint32_t test = tsr_ll_new(e), none = tsr_ll_new(e), end = tsr_ll_new(e);
    tsr_ll_branch(e, all.test, none, test);
    tsr_ll_label(e, test);
    emit_parted_if(e, id, cond, &all);
    tsr_ll_jump(e, end);
    tsr_ll_label(e, none);
    if (!e->all) tsr_ll_set_mask(e, tsr_ll_const(e, LL_B, 1));
    tsr_ll_label(e, end);
    if (!e->all) e->here.full = all.test.name;
}

/* Which way it goes is known: overrides choose between parts of a program. */
static void emit_taken(tsr_ll *e, tsr_id id, bool truth)
{
    bool leaves = e->shapes.leaves[id];
    if (leaves) use_mask(e);
    bool all = e->all;
    tsr_ll_here here = e->here;
    uint32_t mark = assume(e, id, truth);
    emit_nested(e, tsr_inst_block(e->ir, tsr_ll_inst(e, id), truth ? 0 : 1));
    tsr_ranges_forget(e->ranges, mark);
    if (!truth) assume_behind(e, id);
    come_back(e, all, here, leaves);
    if (leaves) skip_if_empty(e);
}

static void emit_if(tsr_ll *e, tsr_id id)
{
    tsr_ll_word cond = tsr_ll_get(e, tsr_ll_arg(e, id, 0)).words[0];
    if (e->failed) return;
    if (cond.is_const && cond.form == LL_SAME && !e->shapes.masked[id])
        emit_taken(e, id, cond.bits != 0);
    else if (cond.form == LL_SAME && !e->shapes.masked[id])
        emit_uniform_if(e, id, cond);
    else
        emit_masked_if(e, id, cond);
}

/* ---- Loops. */

void tsr_ll_check_stop(tsr_ll *e)
{
    uint32_t ptr = tsr_ll_load_field(e, TSR_FRAME_STOP, "ptr"), stop = tsr_ll_new(e), is = tsr_ll_new(e),
             go = tsr_ll_new(e);
    tsr_ll_line(e, "%%t%u = load atomic i32, ptr %%t%u monotonic, align 4", stop, ptr);
    tsr_ll_line(e, "%%t%u = icmp ne i32 %%t%u, 0", is, stop);
    tsr_ll_line(e, "br i1 %%t%u, label %%stopped, label %%b%u", is, go);
    e->open = false;
    tsr_ll_label(e, go);
}

static void note_repeating(void *user, tsr_id id)
{
    const tsr_inst *inst = tsr_ll_inst(((struct finding *)user)->e, id);
    if (inst->op == TSR_OP_loop || inst->op == TSR_OP_call) ((struct finding *)user)->found = true;
}

/* A loop that counts to a small number and holds no other ends by itself soon enough. */
static bool is_short(tsr_ll *e, tsr_id loop)
{
    struct finding r = {e, false};
    uint32_t trips = tsr_range_most_trips(e->ranges, loop);
    if (trips == 0 || trips > SHORT_TRIPS) return false;
    for (uint32_t k = 0; k < 2; k++)
        if (tsr_inst_block(e->ir, tsr_ll_inst(e, loop), k))
            tsr_block_walk(e->ir, tsr_inst_block(e->ir, tsr_ll_inst(e, loop), k), note_repeating, &r);
    return !r.found;
}

static void emit_loop_body(tsr_ll *e, tsr_id loop)
{
    tsr_ranges_enter(e->ranges, loop);
    tsr_ll_emit_block(e, tsr_inst_block(e->ir, tsr_ll_inst(e, loop), 0));
    tsr_ranges_leave(e->ranges);
}

static void emit_uniform_loop(tsr_ll *e, tsr_id id)
{
    const tsr_inst *inst = tsr_ll_inst(e, id);
    tsr_ll_frame f = {.outside = e->frame, .inst = id, .exit = tsr_ll_new(e), .next = tsr_ll_new(e)};
    uint32_t head = tsr_ll_new(e), skip = e->skip;
    bool all = e->all;
    tsr_ll_here here = e->here;
    e->frame = &f;
    tsr_ll_label(e, head);
    e->skip = f.next;
    emit_loop_body(e, id);
    tsr_ll_label(e, f.next);
    come_back(e, all, here, false);
    if (tsr_inst_block(e->ir, inst, 1)) {
        e->skip = f.exit;
        tsr_ll_emit_block(e, tsr_inst_block(e->ir, inst, 1));
    }
    if (!is_short(e, id)) tsr_ll_check_stop(e);
    tsr_ll_jump(e, head);
    tsr_ll_label(e, f.exit);
    come_back(e, all, here, false);
    e->skip = skip;
    e->frame = f.outside;
}

static void emit_masked_loop(tsr_ll *e, tsr_id id)
{
    const tsr_inst *inst = tsr_ll_inst(e, id);
    bool leaves = e->shapes.leaves[id];
    tsr_ll_frame f = {.outside = e->frame, .inst = id, .masked = true, .exit = tsr_ll_new(e), .next = tsr_ll_new(e)};
    uint32_t head = tsr_ll_new(e), on = tsr_ll_new(e), back = tsr_ll_new(e), skip = e->skip;
    saved before = save_mask(e);
    use_mask(e);
    f.left = leaves ? new_mask(e) : 0;
    f.cont = new_mask(e);
    if (f.left) clear_mask(e, f.left);
    e->frame = &f;
    tsr_ll_label(e, head);
    tsr_ll_other_lanes(e);
    clear_mask(e, f.cont);
    e->skip = f.next;
    emit_loop_body(e, id);
    tsr_ll_label(e, f.next);
    e->all = false;
    tsr_ll_set_mask(e, tsr_ll_op2(e, "or", tsr_ll_mask(e), load_mask(e, f.cont)));
    tsr_ll_branch(e, tsr_ll_any(e, tsr_ll_mask(e)), on, f.exit);
    tsr_ll_label(e, on);
    if (tsr_inst_block(e->ir, inst, 1)) {
        e->skip = f.exit;
        tsr_ll_emit_block(e, tsr_inst_block(e->ir, inst, 1));
    }
    if (!is_short(e, id)) tsr_ll_check_stop(e);
    tsr_ll_branch(e, tsr_ll_any(e, tsr_ll_mask(e)), back, f.exit);
    tsr_ll_label(e, back);
    tsr_ll_jump(e, head);
    tsr_ll_label(e, f.exit);
    e->skip = skip;
    e->frame = f.outside;
    e->all = false;
    if (!leaves) {
        restore_mask(e, before);
        return;
    }
    tsr_ll_set_mask(e, load_mask(e, f.left));
    skip_if_empty(e);
}

/* ---- switch. */

static void emit_uniform_switch(tsr_ll *e, tsr_id id, tsr_ll_word selector)
{
    const tsr_switch *sw = tsr_switch_at(e->ir, tsr_ll_inst(e, id)->aux);
    tsr_ll_frame f = {.outside = e->frame, .inst = id, .exit = tsr_ll_new(e)};
    bool leaves = e->shapes.leaves[id];
    if (leaves) use_mask(e);
    bool all = e->all;
    tsr_ll_here here = e->here;
    tsr_text list;
    uint32_t label[512], other = f.exit;
    if (sw->case_count > TSR_COUNT_OF(label)) {
        tsr_ll_fail(e, "a switch of more than %u cases", (unsigned)TSR_COUNT_OF(label));
        return;
    }
    tsr_text_init(&list, e->arena);
    for (uint32_t i = 0; i < sw->case_count; i++) {
        label[i] = tsr_ll_new(e);
        if (sw->cases[i].is_default) other = label[i];
        for (uint32_t k = 0; k < sw->cases[i].selector_count; k++)
            tsr_text_printf(&list, " i32 %u, label %%b%u",
                            (unsigned)tsr_constant_bits(e->ir, tsr_ll_inst(e, sw->cases[i].selectors[k])), label[i]);
    }
    tsr_ll_line(e, "switch i32 %s, label %%b%u [%s ]", tsr_ll_scalar(e, selector), other, tsr_text_get(&list));
    e->open = false;
    e->frame = &f;
    for (uint32_t i = 0; i < sw->case_count; i++) {
        come_back(e, all, here, false);
        tsr_ll_label(e, label[i]);
        emit_nested(e, sw->cases[i].block);
        tsr_ll_jump(e, f.exit);
    }
    tsr_ll_label(e, f.exit);
    come_back(e, all, here, leaves);
    e->frame = f.outside;
    if (leaves) skip_if_empty(e);
}

static tsr_block find_case(const tsr_ll *e, const tsr_switch *sw, uint32_t selector)
{
    tsr_block other = 0;
    for (uint32_t i = 0; i < sw->case_count; i++) {
        if (sw->cases[i].is_default) other = sw->cases[i].block;
        for (uint32_t k = 0; k < sw->cases[i].selector_count; k++)
            if ((uint32_t)tsr_constant_bits(e->ir, tsr_ll_inst(e, sw->cases[i].selectors[k])) == selector)
                return sw->cases[i].block;
    }
    return other;
}

static void emit_taken_case(tsr_ll *e, tsr_id id, uint32_t selector)
{
    tsr_ll_frame f = {.outside = e->frame, .inst = id, .exit = tsr_ll_new(e)};
    bool leaves = e->shapes.leaves[id];
    if (leaves) use_mask(e);
    bool all = e->all;
    tsr_ll_here here = e->here;
    e->frame = &f;
    emit_nested(e, find_case(e, tsr_switch_at(e->ir, tsr_ll_inst(e, id)->aux), selector));
    tsr_ll_label(e, f.exit);
    come_back(e, all, here, leaves);
    e->frame = f.outside;
    if (leaves) skip_if_empty(e);
}

static tsr_ll_word matches(tsr_ll *e, const tsr_case *c, tsr_ll_word selector)
{
    tsr_ll_word any = tsr_ll_const(e, LL_B, 0);
    for (uint32_t k = 0; k < c->selector_count; k++) {
        uint32_t value = (uint32_t)tsr_constant_bits(e->ir, tsr_ll_inst(e, c->selectors[k]));
        tsr_ll_word is = tsr_ll_cmp(e, "icmp eq", selector, tsr_ll_u32(e, value));
        any = k ? tsr_ll_op2(e, "or", any, is) : is;
    }
    return any;
}

static void emit_masked_case(tsr_ll *e, const tsr_case *c, tsr_ll_word selector, uint32_t remaining, uint32_t left)
{
    tsr_ll_word rest = load_mask(e, remaining), take = rest;
    if (!c->is_default) take = tsr_ll_op2(e, "and", rest, tsr_ll_to_vector(e, matches(e, c, selector)));
    store_mask(e, remaining, tsr_ll_op2(e, "xor", rest, take));
    uint32_t yes = tsr_ll_new(e), end = tsr_ll_new(e);
    tsr_ll_branch(e, tsr_ll_any(e, take), yes, end);
    tsr_ll_label(e, yes);
    e->all = false;
    tsr_ll_set_mask(e, take);
    emit_nested(e, c->block);
    e->all = false;
    leave_to(e, left);
    tsr_ll_label(e, end);
}

/* The default comes last: then it takes whatever no other case has taken. */
static void emit_masked_switch(tsr_ll *e, tsr_id id, tsr_ll_word selector)
{
    const tsr_switch *sw = tsr_switch_at(e->ir, tsr_ll_inst(e, id)->aux);
    tsr_ll_frame f = {.outside = e->frame, .inst = id, .masked = true};
    uint32_t remaining = new_mask(e);
    saved before = save_mask(e);
    f.left = new_mask(e);
    selector = tsr_ll_to_vector(e, selector);
    store_mask(e, remaining, before.mask);
    clear_mask(e, f.left);
    e->frame = &f;
    for (uint32_t i = 0; i < sw->case_count; i++)
        if (!sw->cases[i].is_default) emit_masked_case(e, &sw->cases[i], selector, remaining, f.left);
    for (uint32_t i = 0; i < sw->case_count; i++)
        if (sw->cases[i].is_default) emit_masked_case(e, &sw->cases[i], selector, remaining, f.left);
    e->frame = f.outside;
    e->all = false;
    if (!e->shapes.leaves[id]) {
        restore_mask(e, before);
        return;
    }
    tsr_ll_set_mask(e, tsr_ll_op2(e, "or", load_mask(e, f.left), load_mask(e, remaining)));
    skip_if_empty(e);
}

static void emit_switch(tsr_ll *e, tsr_id id)
{
    tsr_ll_word selector = tsr_ll_get(e, tsr_ll_arg(e, id, 0)).words[0];
    if (e->failed) return;
    if (selector.is_const && selector.form == LL_SAME && !e->shapes.masked[id])
        emit_taken_case(e, id, (uint32_t)selector.bits);
    else if (selector.form == LL_SAME && !e->shapes.masked[id])
        emit_uniform_switch(e, id, selector);
    else
        emit_masked_switch(e, id, selector);
}

/* ---- Leaving. */

static tsr_ll_frame *find_frame(tsr_ll *e, bool is_continue)
{
    for (tsr_ll_frame *f = e->frame; f && f->inst; f = f->outside)
        if (!is_continue || tsr_ll_inst(e, f->inst)->op == TSR_OP_loop) return f;
    tsr_ll_fail(e, "a break or continue outside a loop");
    return NULL;
}

static void emit_leave(tsr_ll *e, bool is_continue)
{
    tsr_ll_frame *f = find_frame(e, is_continue);
    if (!f) return;
    if (!f->masked) {
        tsr_ll_jump(e, is_continue ? f->next : f->exit);
        return;
    }
    leave_to(e, is_continue ? f->cont : f->left);
    if (is_continue) f->continued = true;
}

static void emit_break_if(tsr_ll *e, tsr_id id)
{
    tsr_ll_frame *f = find_frame(e, false);
    tsr_ll_word cond = tsr_ll_get(e, tsr_ll_arg(e, id, 0)).words[0];
    if (!f || e->failed) return;
    if (!f->masked) {
        uint32_t go = tsr_ll_new(e);
        tsr_ll_check_stop(e);
        tsr_ll_branch(e, cond, f->exit, go);
        tsr_ll_label(e, go);
        return;
    }
    leave_where(e, f->left, tsr_ll_to_vector(e, cond));
}

static tsr_ll_frame *function_frame(tsr_ll *e)
{
    tsr_ll_frame *f = e->frame;
    while (f->inst)
        f = f->outside;
    return f;
}

static void emit_return(tsr_ll *e, tsr_id id)
{
    tsr_ll_frame *f = function_frame(e);
    if (f->matrix.ptr) {
        tsr_ll_copy_matrix(e, f->matrix, e->matrix[tsr_ll_arg(e, id, 0)]);
    } else if (tsr_ll_inst(e, id)->nargs) {
        tsr_ll_value v = tsr_ll_get(e, tsr_ll_arg(e, id, 0));
        for (uint32_t i = 0; i < v.count && i < f->result.count && !e->failed; i++)
            tsr_ll_store_slot(e, &f->result, i, v.words[i]);
    }
    if (e->shapes.masked[id])
        leave_to(e, 0);
    else
        tsr_ll_jump(e, f->next);
}

/* ---- Calls. */

static void make_result(tsr_ll *e, tsr_ll_frame *f, tsr_id call)
{
    const tsr_function *fn = tsr_function_at(e->ir, f->function);
    if (!fn->result || !call) return;
    if (tsr_type_kind_of(e->types, fn->result) == TSR_T_smat) {
        f->matrix = tsr_ll_new_matrix(e, fn->result);
        e->matrix[call] = f->matrix;
        return;
    }
    const tsr_ll_leaves *l = tsr_ll_type_leaves(e, fn->result);
    if (e->failed) return;
    f->result.count = l->count;
    f->result.here = e->here.number;
    f->result.name = TSR_NEW_ARRAY(e->arena, uint32_t, l->count + 1);
    f->result.type = TSR_NEW_ARRAY(e->arena, uint8_t, l->count + 1);
    f->result.form = TSR_NEW_ARRAY(e->arena, uint8_t, l->count + 1);
    f->result.shape = TSR_NEW_ARRAY(e->arena, tsr_vshape, l->count + 1);
    for (uint32_t i = 0; i < l->count; i++)
        tsr_ll_init_slot(e, &f->result, i, l->list[i].type, tsr_shape_at(&e->shapes, call, i));
    /* Lanes that are not here return nothing, but are computed with: with this, or with what lanes that are here
     * return. */
    bool all = e->all;
    e->all = true;
    for (uint32_t i = 0; i < l->count; i++)
        tsr_ll_store_slot(e, &f->result, i, tsr_ll_const(e, l->list[i].type, 0));
    e->all = all;
}

void tsr_ll_emit_function(tsr_ll *e, uint32_t function, tsr_id call)
{
    const tsr_function *fn = tsr_function_at(e->ir, function);
    tsr_ll_frame f = {.outside = e->frame, .function = function, .next = tsr_ll_new(e)};
    tsr_ll_scope scope = e->lines.subprogram && call ? tsr_ll_lines_enter(e, function, call) : (tsr_ll_scope){0};
    uint32_t skip = e->skip;
    saved before = save_mask(e);
    make_result(e, &f, call);
    if (++e->depth > CALL_DEPTH_MAX) tsr_ll_fail(e, "calls more than %u deep", CALL_DEPTH_MAX);
    e->frame = &f;
    e->skip = f.next;
    if (!e->failed) tsr_ll_emit_block(e, fn->body);
    tsr_ll_label(e, f.next);
    if (e->lines.subprogram && call) tsr_ll_lines_leave(e, scope);
    e->skip = skip;
    e->frame = f.outside;
    e->depth--;
    if (e->shapes.masked_return[function])
        restore_mask(e, before);
    else
        come_back(e, before.all, before.here, false);
    if (!f.result.count || e->failed) return;
    tsr_ll_value v = tsr_ll_make(e, f.result.count);
    for (uint32_t i = 0; i < f.result.count; i++)
        v.words[i] = tsr_ll_load_slot(e, &f.result, i);
    tsr_ll_set(e, call, v);
}

static void emit_call(tsr_ll *e, tsr_id id)
{
    const tsr_inst *inst = tsr_ll_inst(e, id);
    const tsr_function *fn = tsr_function_at(e->ir, inst->aux);
    if (fn->result && tsr_type_kind_of(e->types, fn->result) != TSR_T_smat &&
        tsr_type_contains(e->types, fn->result, TSR_T_smat)) {
        tsr_ll_fail(e, "a function that returns an array of matrices");
        return;
    }
    for (uint32_t i = 0; i < fn->param_count && !e->failed; i++) {
        tsr_id arg = tsr_ll_arg(e, id, i), param = fn->params[i].value;
        if (tsr_type_kind_of(e->types, fn->params[i].type) == TSR_T_ptr)
            e->place[param] = *tsr_ll_place_of(e, arg);
        else if (tsr_type_kind_of(e->types, fn->params[i].type) == TSR_T_smat)
            e->matrix[param] = e->matrix[arg];
        else
            e->value[param] = tsr_ll_get(e, arg);
    }
    if (!e->failed) tsr_ll_emit_function(e, inst->aux, id);
}

/* ---- Which it is. */

static void emit_loop(tsr_ll *e, tsr_id id)
{
    if (e->shapes.masked[id])
        emit_masked_loop(e, id);
    else
        emit_uniform_loop(e, id);
}

bool tsr_ll_emit_control(tsr_ll *e, tsr_id id)
{
    switch (tsr_ll_inst(e, id)->op) {
    case TSR_OP_if: emit_if(e, id); return true;
    case TSR_OP_loop: emit_loop(e, id); return true;
    case TSR_OP_switch: emit_switch(e, id); return true;
    case TSR_OP_break: emit_leave(e, false); return true;
    case TSR_OP_continue: emit_leave(e, true); return true;
    case TSR_OP_break_if: emit_break_if(e, id); return true;
    case TSR_OP_return: emit_return(e, id); return true;
    case TSR_OP_call: emit_call(e, id); return true;
    default: return false;
    }
}
