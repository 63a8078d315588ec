/* Subgroup and quad ops among the active invocations. Invocations are in subgroups in the order of their local index.
 * Sums run by ascending invocation id, so that floats give the same bits every time. What WGSL leaves open (a value of
 * an invocation that is inactive or does not exist) is zero. */
#include "exec/inside.h"

#include <string.h>

#define NO_LANE UINT32_MAX

static uint32_t first_active(const tsr_worker *w, uint32_t base)
{
    for (uint32_t i = base; i < base + w->in->subgroup_size; i++)
        if (w->mask[i]) return i;
    return NO_LANE;
}

static uint32_t combine(const tsr_step *s, uint32_t a, uint32_t b)
{
    const void *args[2] = {&a, &b};
    uint32_t r;
    (void)s->eval(1, args, &r);
    return r;
}

void tsr_run_sg_reduce(tsr_worker *w, const tsr_step *s)
{
    uint32_t size = w->in->subgroup_size, lanes = w->lanes;
    for (uint32_t k = 0; k < s->words; k++) {
        const uint32_t *from = tsr_at(w, s->arg[0]) + (size_t)k * lanes;
        uint32_t *to = tsr_at(w, s->dst) + (size_t)k * lanes;
        for (uint32_t base = 0; base < lanes; base += size) {
            uint32_t first = first_active(w, base);
            if (first == NO_LANE) continue;
            uint32_t sum = from[first];
            for (uint32_t i = first + 1; i < base + size; i++)
                if (w->mask[i]) sum = combine(s, sum, from[i]);
            for (uint32_t i = base; i < base + size; i++)
                to[i] = sum;
        }
    }
}

static bool is_exclusive(const tsr_step *s)
{
    return s->op == TSR_OP_sg_exclusive_add || s->op == TSR_OP_sg_exclusive_mul;
}

void tsr_run_sg_scan(tsr_worker *w, const tsr_step *s)
{
    uint32_t size = w->in->subgroup_size, lanes = w->lanes;
    bool exclusive = is_exclusive(s);
    for (uint32_t k = 0; k < s->words; k++) {
        const uint32_t *from = tsr_at(w, s->arg[0]) + (size_t)k * lanes;
        uint32_t *to = tsr_at(w, s->dst) + (size_t)k * lanes;
        for (uint32_t base = 0; base < lanes; base += size) {
            uint32_t sum = s->target; /* the identity */
            bool any = false;
            for (uint32_t i = base; i < base + size; i++) {
                if (!w->mask[i]) continue;
                uint32_t before = sum;
                sum = any ? combine(s, sum, from[i]) : from[i];
                to[i] = exclusive ? before : sum;
                any = true;
            }
        }
    }
}

/* The lanes whose bool is set, or all active ones when there is no operand. */
static bool holds(const tsr_worker *w, const tsr_step *s, uint32_t lane)
{
    return w->mask[lane] && (s->nargs == 0 || tsr_at(w, s->arg[0])[lane]);
}

static void ballot(tsr_worker *w, const tsr_step *s, uint32_t base)
{
    uint32_t bits[4] = {0}, *to = tsr_at(w, s->dst);
    for (uint32_t i = 0; i < w->in->subgroup_size; i++)
        if (holds(w, s, base + i)) bits[i / 32] |= 1u << (i % 32);
    for (uint32_t k = 0; k < 4; k++)
        for (uint32_t i = 0; i < w->in->subgroup_size; i++)
            to[(size_t)k * w->lanes + base + i] = bits[k];
}

static void vote(tsr_worker *w, const tsr_step *s, uint32_t base)
{
    uint32_t active = 0, held = 0, *to = tsr_at(w, s->dst);
    for (uint32_t i = base; i < base + w->in->subgroup_size; i++) {
        active += w->mask[i] & 1u;
        held += holds(w, s, i);
    }
    for (uint32_t i = base; i < base + w->in->subgroup_size; i++)
        to[i] = s->op == TSR_OP_sg_all ? held == active : held != 0;
}

void tsr_run_sg_vote(tsr_worker *w, const tsr_step *s)
{
    for (uint32_t base = 0; base < w->lanes; base += w->in->subgroup_size) {
        if (s->op == TSR_OP_sg_ballot) {
            ballot(w, s, base);
        } else if (s->op == TSR_OP_sg_elect) {
            uint32_t first = first_active(w, base), *to = tsr_at(w, s->dst);
            for (uint32_t i = base; i < base + w->in->subgroup_size; i++)
                to[i] = i == first;
        } else {
            vote(w, s, base);
        }
    }
}

/* The invocation id whose value invocation `id` gets; `other` is its second operand. */
static uint32_t source_id(uint16_t op, uint32_t id, uint32_t other)
{
    switch (op) {
    case TSR_OP_sg_broadcast:
    case TSR_OP_sg_shuffle: return other;
    case TSR_OP_sg_shuffle_down: return other > UINT32_MAX - id ? NO_LANE : id + other;
    case TSR_OP_sg_shuffle_up: return other > id ? NO_LANE : id - other;
    case TSR_OP_sg_shuffle_xor: return id ^ other;
    case TSR_OP_quad_broadcast: return other > 3 ? NO_LANE : (id & ~3u) | other;
    case TSR_OP_quad_swap_x: return id ^ 1u;
    case TSR_OP_quad_swap_y: return id ^ 2u;
    default: return id ^ 3u; /* quad_swap_diagonal */
    }
}

static void move_subgroup(tsr_worker *w, const tsr_step *s, uint32_t base)
{
    uint32_t size = w->in->subgroup_size;
    const uint32_t *other = s->nargs > 1 ? tsr_at(w, s->arg[1]) : NULL;
    uint32_t first = s->op == TSR_OP_sg_broadcast_first ? first_active(w, base) : NO_LANE;
    for (uint32_t i = 0; i < size; i++) {
        uint32_t id = s->op == TSR_OP_sg_broadcast_first ? (first == NO_LANE ? NO_LANE : first - base)
                                                         : source_id(s->op, i, other ? other[base + i] : 0);
        bool there = id < size && w->mask[base + id];
        for (uint32_t k = 0; k < s->words; k++) {
            size_t row = (size_t)k * w->lanes + base;
            tsr_at(w, s->dst)[row + i] = there ? tsr_at(w, s->arg[0])[row + id] : 0;
        }
    }
}

void tsr_run_sg_move(tsr_worker *w, const tsr_step *s)
{
    for (uint32_t base = 0; base < w->lanes; base += w->in->subgroup_size)
        move_subgroup(w, s, base);
}
