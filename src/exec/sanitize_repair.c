/* Results that are not as expected: which one change of the program would make them right? */
#include "exec/sanitize_inside.h"

#include <stdio.h>

/* A changed program may run for ever: a try that takes longer is given up. */
#define REPAIR_NS UINT64_C(10000000000)
/* Tries besides those of majorness. */
#define TRIES_MAX 256u

/* Tells of the first expectation that does not hold in `memory`; true when all do. */
static bool meets(const tsr_san_whole *x, const tsr_exec_memory *memory, bool tell)
{
    for (size_t e = 0; e < x->job->args->expected_count; e++) {
        const tsr_expected *want = &x->job->args->expected[e];
        for (uint32_t i = 0; i < x->count; i++) {
            const tsr_resource *r = &x->job->program->resources[i];
            if (r->group != want->group || r->binding != want->binding) continue;
            tsr_type_kind kind = tsr_san_resource_kind(x, i);
            uint64_t size = want->size_bytes < memory[i].size_bytes ? want->size_bytes : memory[i].size_bytes;
            double tolerance = want->tolerance != 0 ? want->tolerance : tsr_san_tolerance(kind);
            tsr_san_difference d = tsr_san_compare(kind, want->data, memory[i].data, size, tolerance);
            if (d.beyond == 0) continue;
            if (tell)
                tsr_san_add_difference(x, TSR_SAN_expected, i, i, &d, want->data, memory[i].data, "in what is expected",
                                       "here");
            return false;
        }
    }
    return true;
}

/* Turns round the majorness of an access, wherever it was decoded. */
static void turn_round(tsr_interp *in, tsr_id inst)
{
    for (uint32_t i = 0; i < in->step_count; i++) {
        const tsr_step *s = &in->steps[i];
        if (s->inst == inst && (s->run == tsr_run_mload || s->run == tsr_run_mstore))
            ((tsr_matrix_access *)s->more)->col_major ^= true;
    }
}

static tsr_status try_majorness(const tsr_san_whole *x, tsr_interp *plain, tsr_id inst)
{
    const tsr_inst *access = tsr_inst_at(x->job->program->ir, inst);
    turn_round(plain, inst);
    tsr_status st = tsr_san_run_again(x, plain, NULL, REPAIR_NS);
    turn_round(plain, inst);
    if (st == TSR_ERR_TIMEOUT) return TSR_OK;
    if (st != TSR_OK || !meets(x, x->again, false)) return st;
    tsr_san san = {.list = x->list};
    tsr_san_finding *f = tsr_san_find(&san, TSR_SAN_majorness, inst, 0);
    if (!f) return TSR_OK;
    f->at.span = access->span;
    snprintf(f->at.text, sizeof f->at.text, "this %s is %s-major; %s-major, the result is as expected",
             tsr_san_op_name(access->op), access->aux & 1u ? "column" : "row", access->aux & 1u ? "row" : "column");
    return TSR_OK;
}

/* ---- Sizes: one member of a binding in the place of another. */

/* Loads of one 32-bit integer from a place that is known: `sizes.m`. */
static bool is_member_load(const tsr_interp *in, const tsr_step *s)
{
    if (s->run != tsr_run_load_shared || s->words != 1 || s->ptr->root != TSR_ROOT_BINDING || s->ptr->dyn) return false;
    tsr_type_kind kind = tsr_type_kind_of(in->ir->types, s->ptr->pointee);
    return kind == TSR_T_u32 || kind == TSR_T_i32;
}

static void tell_member(const tsr_san_whole *x, const tsr_step *s, const tsr_xptr *other)
{
    tsr_san san = {.list = x->list};
    tsr_san_finding *f = tsr_san_find(&san, TSR_SAN_member, s->inst, other->off);
    if (!f) return;
    tsr_text text;
    tsr_text_init(&text, NULL);
    tsr_text_puts(&text, "with ");
    tsr_san_describe(x->interp, &text, TSR_ROOT_BINDING, other->at, other->off);
    tsr_text_puts(&text, " here in the place of ");
    tsr_san_describe(x->interp, &text, TSR_ROOT_BINDING, s->ptr->at, s->ptr->off);
    tsr_text_puts(&text, ", the result is as expected");
    f->at.span = tsr_inst_at(x->job->program->ir, s->inst)->span;
    snprintf(f->at.text, sizeof f->at.text, "%s", tsr_text_get(&text));
    tsr_text_fini(&text);
}

static tsr_status try_member(const tsr_san_whole *x, tsr_interp *plain, tsr_step *s, const tsr_xptr *other)
{
    const tsr_xptr *own = s->ptr;
    s->ptr = other;
    tsr_status st = tsr_san_run_again(x, plain, NULL, REPAIR_NS);
    s->ptr = own;
    if (st == TSR_ERR_TIMEOUT) return TSR_OK;
    if (st == TSR_OK && meets(x, x->again, false)) tell_member(x, s, other);
    return st;
}

/* The first load of each place stands for the others. */
static bool is_first_of_place(const tsr_interp *in, uint32_t step)
{
    const tsr_xptr *p = in->steps[step].ptr;
    for (uint32_t i = 0; i < step; i++) {
        const tsr_step *s = &in->steps[i];
        if (is_member_load(in, s) && s->ptr->at == p->at && s->ptr->off == p->off) return false;
    }
    return true;
}

static tsr_status try_members(const tsr_san_whole *x, tsr_interp *plain)
{
    tsr_status st = TSR_OK;
    tsr_step *steps = (tsr_step *)plain->steps; /* this program is ours alone */
    uint32_t tries = 0;
    for (uint32_t i = 0; i < plain->step_count; i++) {
        if (!is_member_load(plain, &steps[i])) continue;
        for (uint32_t k = 0; k < plain->step_count && st == TSR_OK && tries < TRIES_MAX; k++) {
            bool other = is_member_load(plain, &steps[k]) && steps[k].ptr->at == steps[i].ptr->at &&
                         steps[k].ptr->off != steps[i].ptr->off && is_first_of_place(plain, k);
            if (!other) continue;
            tries++;
            st = try_member(x, plain, &steps[i], steps[k].ptr);
        }
    }
    return st;
}

/* ---- The grid, with x and y turned round. */

static tsr_status try_turned(const tsr_san_whole *x, tsr_interp *plain)
{
    const uint32_t *groups = x->job->exec.groups;
    if (groups[0] == groups[1]) return TSR_OK;
    tsr_san_job turned = *x->job;
    tsr_san_whole y = *x;
    turned.exec.groups[0] = groups[1];
    turned.exec.groups[1] = groups[0];
    y.job = &turned;
    tsr_status st = tsr_san_run_again(&y, plain, NULL, REPAIR_NS);
    if (st == TSR_ERR_TIMEOUT) return TSR_OK;
    if (st != TSR_OK || !meets(x, x->again, false)) return st;
    tsr_san san = {.list = x->list};
    tsr_san_finding *f = tsr_san_find(&san, TSR_SAN_turned_grid, 0, 0);
    if (!f) return TSR_OK;
    f->at.span = tsr_san_grid_use(x->job->program);
    snprintf(f->at.text, sizeof f->at.text, "with a grid of %u,%u,%u, x and y turned round, the result is as expected",
             groups[1], groups[0], groups[2]);
    return TSR_OK;
}

/* ---- All of it. */

tsr_status tsr_san_check_expected(const tsr_san_whole *x)
{
    if (meets(x, x->after, true)) return TSR_OK;
    tsr_interp *plain = NULL;
    tsr_status st = tsr_san_new_plain(x, x->job->subgroup_size, &plain, x->why);
    const tsr_ir *ir = x->job->program->ir;
    for (tsr_id i = 1; st == TSR_OK && i < ir->insts.count; i++) {
        bool decoded = false;
        for (uint32_t k = 0; k < plain->step_count && !decoded; k++)
            decoded = plain->steps[k].inst == i &&
                      (plain->steps[k].run == tsr_run_mload || plain->steps[k].run == tsr_run_mstore);
        if (decoded) st = try_majorness(x, plain, i);
    }
    if (st == TSR_OK) st = try_members(x, plain);
    if (st == TSR_OK) st = try_turned(x, plain);
    tsr_interp_free(plain);
    return st;
}
