/* Runs steps over a workgroup in lockstep. Control flow is masks: a construct saves the mask, each part runs with the
 * lanes that take it, and the lanes that are left over come together behind it. A part that no lane takes is jumped over. */
#include "exec/inside.h"

#include <string.h>

/* Loop iterations between two looks at the clock. */
#define PATIENCE 64u

void tsr_mask_count(tsr_worker *w)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < w->lanes; i++)
        sum -= w->mask[i];
    w->active = sum;
}

static inline uint32_t spread(uint32_t condition)
{
    return condition ? UINT32_MAX : 0;
}

static void clear_mask(tsr_worker *w)
{
    memset(w->mask, 0, w->lanes * sizeof *w->mask);
    w->active = 0;
}

static void set_mask(tsr_worker *w, tsr_slot from)
{
    memcpy(w->mask, tsr_at(w, from), w->lanes * sizeof *w->mask);
    tsr_mask_count(w);
}

/* slot |= mask */
static void join_mask(tsr_worker *w, tsr_slot slot)
{
    uint32_t *restrict to = tsr_at(w, slot);
    const uint32_t *restrict mask = w->mask;
    for (uint32_t i = 0; i < w->lanes; i++)
        to[i] |= mask[i];
}

static void enter_then(tsr_worker *w, const tsr_step *s)
{
    const uint32_t *restrict cond = tsr_at(w, s->arg[0]);
    uint32_t *restrict saved = tsr_at(w, s->arg[1]);
    uint32_t *restrict mask = w->mask;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < w->lanes; i++) {
        uint32_t now = mask[i];
        saved[i] = now;
        now &= spread(cond[i]);
        mask[i] = now;
        sum -= now;
    }
    w->active = sum;
}

static void enter_else(tsr_worker *w, const tsr_step *s)
{
    const uint32_t *restrict cond = tsr_at(w, s->arg[0]), *restrict saved = tsr_at(w, s->arg[1]);
    uint32_t *restrict kept = tsr_at(w, s->arg[2]);
    uint32_t *restrict mask = w->mask;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < w->lanes; i++) {
        kept[i] = mask[i];
        mask[i] = saved[i] & ~spread(cond[i]);
        sum -= mask[i];
    }
    w->active = sum;
}

/* Without an else, the lanes that did not take `then` come back; with one, those that finished `then`. */
static void leave_if(tsr_worker *w, const tsr_step *s)
{
    const uint32_t *restrict cond = tsr_at(w, s->arg[0]), *restrict saved = tsr_at(w, s->arg[1]);
    const uint32_t *restrict kept = tsr_at(w, s->arg[2]);
    uint32_t *restrict mask = w->mask;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < w->lanes; i++) {
        mask[i] |= s->arg[2] ? kept[i] : saved[i] & ~spread(cond[i]);
        sum -= mask[i];
    }
    w->active = sum;
}

static void enter_loop(tsr_worker *w, const tsr_step *s)
{
    memset(tsr_at(w, s->arg[0]), 0, w->lanes * sizeof(uint32_t));
    memset(tsr_at(w, s->arg[1]), 0, w->lanes * sizeof(uint32_t));
}

static void enter_continuing(tsr_worker *w, const tsr_step *s)
{
    uint32_t *restrict continued = tsr_at(w, s->arg[1]);
    uint32_t *restrict mask = w->mask;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < w->lanes; i++) {
        mask[i] |= continued[i];
        continued[i] = 0;
        sum -= mask[i];
    }
    w->active = sum;
}

static void break_if(tsr_worker *w, const tsr_step *s)
{
    const uint32_t *restrict cond = tsr_at(w, s->arg[0]);
    uint32_t *restrict left = tsr_at(w, s->arg[1]);
    uint32_t *restrict mask = w->mask;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < w->lanes; i++) {
        uint32_t go = spread(cond[i]) & mask[i];
        left[i] |= go;
        mask[i] &= ~go;
        sum -= mask[i];
    }
    w->active = sum;
}

static void leave_if_true(tsr_worker *w, const tsr_step *s)
{
    if (s->arg[1]) {
        break_if(w, s);
        return;
    }
    const uint32_t *restrict cond = tsr_at(w, s->arg[0]);
    for (uint32_t i = 0; i < w->lanes; i++)
        w->mask[i] &= ~spread(cond[i]);
    tsr_mask_count(w);
}

static void enter_switch(tsr_worker *w, const tsr_step *s)
{
    memcpy(tsr_at(w, s->arg[1]), w->mask, w->lanes * sizeof(uint32_t));
    memset(tsr_at(w, s->arg[2]), 0, w->lanes * sizeof(uint32_t));
}

static void enter_case(tsr_worker *w, const tsr_step *s)
{
    const tsr_selectors *selectors = s->more;
    const uint32_t *selector = tsr_at(w, s->arg[0]);
    uint32_t *remaining = tsr_at(w, s->arg[1]);
    memset(w->mask, 0, w->lanes * sizeof *w->mask);
    for (uint32_t k = 0; k < selectors->count; k++)
        for (uint32_t i = 0; i < w->lanes; i++)
            w->mask[i] |= spread(selector[i] == selectors->values[k]);
    for (uint32_t i = 0; i < w->lanes; i++) {
        w->mask[i] &= remaining[i];
        remaining[i] &= ~w->mask[i];
    }
    tsr_mask_count(w);
}

static void enter_default(tsr_worker *w, const tsr_step *s)
{
    set_mask(w, s->arg[1]);
    memset(tsr_at(w, s->arg[1]), 0, w->lanes * sizeof(uint32_t));
}

static void leave_switch(tsr_worker *w, const tsr_step *s)
{
    const uint32_t *remaining = tsr_at(w, s->arg[1]), *left = tsr_at(w, s->arg[2]);
    for (uint32_t i = 0; i < w->lanes; i++)
        w->mask[i] = remaining[i] | left[i];
    tsr_mask_count(w);
}

static void return_value(tsr_worker *w, const tsr_step *s)
{
    size_t lanes = w->lanes;
    for (uint32_t k = 0; k < s->words; k++) {
        uint32_t *restrict to = tsr_at(w, s->dst) + k * lanes;
        const uint32_t *restrict from = tsr_at(w, s->arg[0]) + k * lanes;
        for (size_t i = 0; i < lanes; i++)
            to[i] = (from[i] & w->mask[i]) | (to[i] & ~w->mask[i]);
    }
}

/* Returns the step to go on with, 0 to stop. */
static uint32_t control(tsr_worker *w, const tsr_step *s, uint32_t next)
{
    switch ((tsr_step_kind)s->kind) {
    case TSR_STEP_if: enter_then(w, s); break;
    case TSR_STEP_else: enter_else(w, s); break;
    case TSR_STEP_endif: leave_if(w, s); break;
    case TSR_STEP_leave_if: leave_if_true(w, s); break;
    case TSR_STEP_loop: enter_loop(w, s); return next;
    case TSR_STEP_continuing: enter_continuing(w, s); break;
    case TSR_STEP_break_if: break_if(w, s); return next;
    case TSR_STEP_loop_back:
        if (w->active == 0) return next;
        if (--w->patience == 0) {
            w->patience = PATIENCE;
            tsr_worker_check(w);
            if (w->stopped) return 0;
        }
        return s->target;
    case TSR_STEP_loop_exit: set_mask(w, s->arg[0]); break;
    case TSR_STEP_switch: enter_switch(w, s); return next;
    case TSR_STEP_case: enter_case(w, s); break;
    case TSR_STEP_default: enter_default(w, s); break;
    case TSR_STEP_endcase: join_mask(w, s->arg[2]); return next;
    case TSR_STEP_endswitch: leave_switch(w, s); break;
    case TSR_STEP_leave:
        join_mask(w, s->arg[0]);
        clear_mask(w);
        break;
    case TSR_STEP_return:
        return_value(w, s);
        clear_mask(w);
        break;
    case TSR_STEP_call:
        memcpy(tsr_at(w, s->arg[0]), w->mask, w->lanes * sizeof(uint32_t));
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
