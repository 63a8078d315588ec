/* Runs steps over a workgroup in lockstep. Control flow is masks: a construct saves the mask, each part runs with the
 * lanes that take it, and the lanes that are left over come together behind it. A part that no lane takes is jumped
 * over. */
#include "exec/inside.h"

#include <string.h>

/* Loop iterations between two looks at the clock. */
#define PATIENCE 64u

static inline uint32_t spread(uint32_t condition)
{
    return condition ? UINT32_MAX : 0;
}

/* The active lanes whose condition is set. */
static uint32_t count_true(const tsr_worker *w, tsr_slot condition)
{
    const uint32_t *restrict cond = tsr_at(w, condition);
    const uint32_t *restrict mask = w->mask;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < w->lanes; i++)
        sum -= mask[i] & spread(cond[i]);
    return sum;
}

static void clear_mask(tsr_worker *w)
{
    memset(w->mask, 0, w->lanes * sizeof *w->mask);
    w->active = 0;
}

/* ---- Sets of lanes. A set that counts none has no words that matter. */

static uint32_t *count_of(const tsr_worker *w, tsr_slot set)
{
    return tsr_at(w, set) + w->lanes;
}

static void save_mask(tsr_worker *w, tsr_slot set)
{
    memcpy(tsr_at(w, set), w->mask, w->lanes * sizeof *w->mask);
    *count_of(w, set) = w->active;
}

static void set_mask(tsr_worker *w, tsr_slot set)
{
    w->active = *count_of(w, set);
    if (w->active)
        memcpy(w->mask, tsr_at(w, set), w->lanes * sizeof *w->mask);
    else
        clear_mask(w);
}

/* The active lanes go to the set, which holds none of them. */
static void join_set(tsr_worker *w, tsr_slot set)
{
    if (w->active == 0) return;
    if (*count_of(w, set) == 0) {
        save_mask(w, set);
        return;
    }
    uint32_t *restrict to = tsr_at(w, set);
    const uint32_t *restrict mask = w->mask;
    for (uint32_t i = 0; i < w->lanes; i++)
        to[i] |= mask[i];
    *count_of(w, set) += w->active;
}

/* The lanes of the set become active, besides those that are. */
static void join_mask(tsr_worker *w, tsr_slot set)
{
    if (*count_of(w, set) == 0) return;
    if (w->active == 0) {
        set_mask(w, set);
        return;
    }
    const uint32_t *restrict from = tsr_at(w, set);
    uint32_t *restrict mask = w->mask;
    for (uint32_t i = 0; i < w->lanes; i++)
        mask[i] |= from[i];
    w->active += *count_of(w, set);
}

/* ---- if. The count of the saved set tells how it went: 0 when all lanes went the same way, which needs no masks. */

static uint32_t enter_then(tsr_worker *w, const tsr_step *s, uint32_t next)
{
    uint32_t count = count_true(w, s->arg[0]);
    if (count == w->active || count == 0) {
        *count_of(w, s->arg[1]) = 0;
        return count ? next : s->target + 1; /* behind the else or endif: the mask is right as it is */
    }
    save_mask(w, s->arg[1]);
    const uint32_t *restrict cond = tsr_at(w, s->arg[0]);
    uint32_t *restrict mask = w->mask;
    for (uint32_t i = 0; i < w->lanes; i++)
        mask[i] &= spread(cond[i]);
    w->active = count;
    return next;
}

/* mask = lanes of the set whose condition is not set, besides the active ones when `join`. */
static void take_others(tsr_worker *w, const tsr_step *s, bool join)
{
    const uint32_t *restrict cond = tsr_at(w, s->arg[0]), *restrict saved = tsr_at(w, s->arg[1]);
    uint32_t *restrict mask = w->mask;
    uint32_t sum = 0, keep = join ? UINT32_MAX : 0;
    for (uint32_t i = 0; i < w->lanes; i++) {
        mask[i] = (mask[i] & keep) | (saved[i] & ~spread(cond[i]));
        sum -= mask[i];
    }
    w->active = sum;
}

static uint32_t enter_else(tsr_worker *w, const tsr_step *s, uint32_t next)
{
    if (*count_of(w, s->arg[1]) == 0) return s->target;
    *count_of(w, s->arg[2]) = 0;
    join_set(w, s->arg[2]);
    take_others(w, s, false);
    return next;
}

/* Without an else, the lanes that did not take `then` come back; with one, those that finished `then`. */
static void leave_if(tsr_worker *w, const tsr_step *s)
{
    if (*count_of(w, s->arg[1]) == 0) return;
    if (s->arg[2])
        join_mask(w, s->arg[2]);
    else
        take_others(w, s, true);
}

/* ---- Loops. */

static void enter_loop(tsr_worker *w, const tsr_step *s)
{
    *count_of(w, s->arg[0]) = 0;
    *count_of(w, s->arg[1]) = 0;
}

static void enter_continuing(tsr_worker *w, const tsr_step *s)
{
    join_mask(w, s->arg[1]);
    *count_of(w, s->arg[1]) = 0;
}

/* The lanes whose condition is set go to the set arg1, or nowhere (return). */
static void leave_if_true(tsr_worker *w, const tsr_step *s)
{
    uint32_t count = count_true(w, s->arg[0]);
    if (count == 0) return;
    if (count == w->active) {
        if (s->arg[1]) join_set(w, s->arg[1]);
        clear_mask(w);
        return;
    }
    const uint32_t *restrict cond = tsr_at(w, s->arg[0]);
    uint32_t *restrict mask = w->mask;
    if (s->arg[1]) {
        uint32_t *restrict left = tsr_at(w, s->arg[1]);
        uint32_t keep = *count_of(w, s->arg[1]) ? UINT32_MAX : 0;
        for (uint32_t i = 0; i < w->lanes; i++)
            left[i] = (left[i] & keep) | (mask[i] & spread(cond[i]));
        *count_of(w, s->arg[1]) += count;
    }
    for (uint32_t i = 0; i < w->lanes; i++)
        mask[i] &= ~spread(cond[i]);
    w->active -= count;
}

/* ---- switch. */

static void enter_switch(tsr_worker *w, const tsr_step *s)
{
    save_mask(w, s->arg[1]);
    *count_of(w, s->arg[2]) = 0;
}

static void enter_case(tsr_worker *w, const tsr_step *s)
{
    const tsr_selectors *selectors = s->more;
    const uint32_t *selector = tsr_at(w, s->arg[0]);
    uint32_t *remaining = tsr_at(w, s->arg[1]), *count = count_of(w, s->arg[1]);
    clear_mask(w);
    if (*count == 0) return;
    for (uint32_t k = 0; k < selectors->count; k++)
        for (uint32_t i = 0; i < w->lanes; i++)
            w->mask[i] |= spread(selector[i] == selectors->values[k]);
    for (uint32_t i = 0; i < w->lanes; i++) {
        w->mask[i] &= remaining[i];
        remaining[i] &= ~w->mask[i];
        w->active -= w->mask[i];
    }
    *count -= w->active;
}

static void enter_default(tsr_worker *w, const tsr_step *s)
{
    set_mask(w, s->arg[1]);
    *count_of(w, s->arg[1]) = 0;
}

static void leave_switch(tsr_worker *w, const tsr_step *s)
{
    set_mask(w, s->arg[1]);
    join_mask(w, s->arg[2]);
}

/* ---- Calls. */

static void return_value(tsr_worker *w, const tsr_step *s)
{
    size_t lanes = w->lanes;
    if (w->active == lanes) {
        memcpy(tsr_at(w, s->dst), tsr_at(w, s->arg[0]), s->words * lanes * sizeof(uint32_t));
        return;
    }
    for (uint32_t k = 0; k < s->words; k++) {
        uint32_t *restrict to = tsr_at(w, s->dst) + k * lanes;
        const uint32_t *restrict from = tsr_at(w, s->arg[0]) + k * lanes;
        for (size_t i = 0; i < lanes; i++)
            to[i] = (from[i] & w->mask[i]) | (to[i] & ~w->mask[i]);
    }
}

/* Loops and calls are what makes a run long. */
static bool is_to_stop(tsr_worker *w)
{
    if (--w->patience != 0) return false;
    w->patience = PATIENCE;
    tsr_worker_check(w);
    return w->stopped;
}

/* Returns the step to go on with, 0 to stop. */
static uint32_t control(tsr_worker *w, const tsr_step *s, uint32_t next)
{
    switch ((tsr_step_kind)s->kind) {
    case TSR_STEP_if: return enter_then(w, s, next);
    case TSR_STEP_else: next = enter_else(w, s, next); break;
    case TSR_STEP_endif: leave_if(w, s); break;
    case TSR_STEP_leave_if: leave_if_true(w, s); break;
    case TSR_STEP_loop: enter_loop(w, s); return next;
    case TSR_STEP_continuing: enter_continuing(w, s); break;
    case TSR_STEP_break_if: leave_if_true(w, s); return next;
    case TSR_STEP_loop_back:
        if (w->active == 0) return next;
        return is_to_stop(w) ? 0 : s->target;
    case TSR_STEP_loop_exit: set_mask(w, s->arg[0]); break;
    case TSR_STEP_switch: enter_switch(w, s); return next;
    case TSR_STEP_case: enter_case(w, s); break;
    case TSR_STEP_default: enter_default(w, s); break;
    case TSR_STEP_endcase: join_set(w, s->arg[2]); return next;
    case TSR_STEP_endswitch: leave_switch(w, s); break;
    case TSR_STEP_leave:
        join_set(w, s->arg[0]);
        clear_mask(w);
        break;
    case TSR_STEP_return:
        if (s->arg[0]) return_value(w, s);
        clear_mask(w);
        break;
    case TSR_STEP_call:
        if (is_to_stop(w)) return 0;
        save_mask(w, s->arg[0]);
        w->calls[w->call_count++] = (tsr_call_frame){next, s->arg[0]};
        return s->target;
    case TSR_STEP_end:
        if (w->call_count == 0) return 0;
        w->call_count--;
        set_mask(w, w->calls[w->call_count].saved);
        return w->calls[w->call_count].back;
    case TSR_STEP_op: return next;
    }
    return w->active == 0 ? s->target : next;
}

void tsr_steps_run(tsr_worker *w, uint32_t step)
{
    const tsr_step *steps = w->in->steps;
    w->call_count = 0;
    if (w->patience == 0) w->patience = PATIENCE;
    while (step != 0) {
        const tsr_step *s = &steps[step];
        if (TSR_LIKELY(s->run != NULL)) {
            s->run(w, s);
            step++;
        } else {
            step = control(w, s, step + 1);
        }
    }
}
