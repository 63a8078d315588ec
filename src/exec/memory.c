/* Pointers, loads, stores and atomics. A pointer's root and the known part of its offset are in the step; what is left
 * is an offset for each lane, with a note on how they lie together, because a row of neighbours is a copy.
 *
 * Only `index` can leave its array: it makes an invalid offset, which loads zero, stores nothing and is reported when
 * it is used. Everything else is inside by its type, and bindings are at least as large as theirs. */
#include "exec/inside.h"

#include <stdio.h>
#include <string.h>

typedef uint32_t TSR_MAY_ALIAS mem_u32;
typedef uint16_t TSR_MAY_ALIAS mem_u16;

/* ---- Out of bounds. */

static uint32_t elements_of(const tsr_worker *w, const tsr_xptr *base, uint32_t count, uint32_t stride)
{
    if (count != 0) return count;
    uint64_t size = tsr_root_bytes(w, base);
    uint64_t elements = size > base->off ? (size - base->off) / stride : 0;
    return elements > UINT32_MAX ? UINT32_MAX : (uint32_t)elements;
}

bool tsr_oob_is_first(const tsr_worker *w)
{
    return !w->has_oob || w->workgroup < w->oob_workgroup;
}

void tsr_oob_note(tsr_worker *w, tsr_span span, const char *text)
{
    w->has_oob = true;
    w->oob_workgroup = w->workgroup;
    w->oob_span = span;
    snprintf(w->oob_text, sizeof w->oob_text, "%s", text);
}

/* The outermost index on the way to p that left its array in this lane; NULL when it lies in a caller. */
static const tsr_index *find_culprit(const tsr_worker *w, const tsr_xptr *p, uint32_t lane)
{
    const tsr_index *culprit = NULL;
    for (const tsr_index *x = p->index; x; x = x->base->index)
        if (tsr_at(w, x->idx)[lane] >= elements_of(w, x->base, x->count, x->stride)) culprit = x;
    return culprit;
}

/* Puts the access on record: as the first of the run, and as a finding of a checked one. */
static void note_oob(tsr_worker *w, const tsr_step *s, uint32_t lane, tsr_span span, const char *text)
{
    if (tsr_oob_is_first(w)) tsr_oob_note(w, span, text);
    if (w->san) tsr_san_bounds(w, s, lane, span, text);
}

/* x: the index that left its array. */
static TSR_COLD void describe_oob(tsr_worker *w, const tsr_step *s, const tsr_index *x, uint32_t lane)
{
    tsr_text type, text;
    tsr_text_init(&type, NULL);
    tsr_text_init(&text, NULL);
    uint32_t number = tsr_at(w, x->idx)[lane];
    tsr_type_print(&type, w->in->ir->types, x->indexed);
    if (x->is_signed)
        tsr_text_printf(&text, "index %lld", (long long)(int32_t)number);
    else
        tsr_text_printf(&text, "index %lu", (unsigned long)number);
    tsr_text_printf(&text, " is outside %s", tsr_text_get(&type));
    if (x->count == 0)
        tsr_text_printf(&text, " of %lu elements", (unsigned long)elements_of(w, x->base, x->count, x->stride));
    note_oob(w, s, lane, x->span, tsr_text_get(&text));
    tsr_text_fini(&type);
    tsr_text_fini(&text);
}

static TSR_COLD void report_oob(tsr_worker *w, const tsr_step *s, uint32_t lane)
{
    w->oob_accesses++;
    if (!tsr_oob_is_first(w) && !w->san) return;
    const tsr_index *x = find_culprit(w, s->ptr, lane);
    if (x)
        describe_oob(w, s, x, lane);
    else
        note_oob(w, s, lane, tsr_inst_at(w->in->ir, s->inst)->span, "the pointer leaves its array");
}

/* Counts the active lanes whose offset is invalid. */
static TSR_COLD void report_bad_lanes(tsr_worker *w, const tsr_step *s)
{
    const uint32_t *dyn = tsr_at(w, s->ptr->dyn);
    for (uint32_t i = 0; i < w->lanes; i++)
        if (w->mask[i] && dyn[i] == TSR_INVALID_OFFSET) report_oob(w, s, i);
}

/* ---- Index. */

static void note_pattern(uint32_t *dyn, uint32_t lanes)
{
    uint32_t first = dyn[0], distance = dyn[1] - first, differ = 0;
    for (uint32_t i = 0; i < lanes; i++)
        differ |= dyn[i] ^ (first + i * distance);
    int64_t last = (int64_t)first + (int64_t)(lanes - 1) * (int32_t)distance;
    if (last < 0 || last > UINT32_MAX) differ = 1; /* even only modulo 2^32 */
    dyn[lanes] = differ ? 0 : distance == 0 ? TSR_DYN_UNIFORM : TSR_DYN_EVEN;
    dyn[lanes + 1] = distance;
}

/* The same where an index outside means the nearest element that is there: reported here, since nothing is invalid
 * afterwards. */
static void index_clamped(tsr_worker *w, const tsr_step *s, const tsr_index *x, uint32_t count)
{
    const uint32_t *idx = tsr_at(w, x->idx), *in = tsr_at(w, x->in);
    uint32_t *out = tsr_at(w, x->out);
    for (uint32_t i = 0; i < w->lanes; i++) {
        uint32_t number = idx[i] < count ? idx[i] : count - 1;
        out[i] = (x->in ? in[i] : 0) + number * x->stride;
        if (number == idx[i] || !w->mask[i]) continue;
        w->oob_accesses++;
        if (tsr_oob_is_first(w) || w->san) describe_oob(w, s, x, i);
    }
    note_pattern(out, w->lanes);
}

/* Some index is out of range, or the pointer was invalid before. */
static void index_checked(tsr_worker *w, const tsr_index *x, uint32_t count)
{
    const uint32_t *idx = tsr_at(w, x->idx), *in = tsr_at(w, x->in);
    uint32_t *out = tsr_at(w, x->out);
    for (uint32_t i = 0; i < w->lanes; i++) {
        uint32_t before = x->in ? in[i] : 0;
        out[i] = idx[i] >= count || before == TSR_INVALID_OFFSET ? TSR_INVALID_OFFSET : before + idx[i] * x->stride;
    }
    out[w->lanes] = TSR_DYN_BAD;
}

void tsr_run_index(tsr_worker *w, const tsr_step *s)
{
    const tsr_index *x = s->more;
    uint32_t count = elements_of(w, x->base, x->count, x->stride), lanes = w->lanes, outside = 0;
    const uint32_t *restrict idx = tsr_at(w, x->idx), *restrict in = tsr_at(w, x->in);
    uint32_t *restrict out = tsr_at(w, x->out);
    for (uint32_t i = 0; i < lanes; i++) {
        outside |= idx[i] >= count;
        out[i] = idx[i] * x->stride;
    }
    if (outside || (x->in && in[lanes] & TSR_DYN_BAD)) {
        if (w->oob == TSR_OOB_ZERO || count == 0)
            index_checked(w, x, count);
        else
            index_clamped(w, s, x, count);
        return;
    }
    if (x->in)
        for (uint32_t i = 0; i < lanes; i++)
            out[i] += in[i];
    note_pattern(out, lanes);
}

/* ---- Memory of lanes: function and private variables. */

/* Copies `words` words of each lane where the mask is set. */
static void copy_masked(const tsr_worker *w, uint32_t *to, const uint32_t *from, uint32_t words)
{
    size_t lanes = w->lanes;
    if (w->active == lanes) {
        memcpy(to, from, words * lanes * sizeof *to);
        return;
    }
    const uint32_t *restrict mask = w->mask;
    for (size_t k = 0; k < words; k++) {
        uint32_t *restrict t = to + k * lanes;
        const uint32_t *restrict f = from + k * lanes;
        for (size_t i = 0; i < lanes; i++)
            t[i] = (f[i] & mask[i]) | (t[i] & ~mask[i]);
    }
}

void tsr_run_nothing(tsr_worker *w, const tsr_step *s)
{
    (void)w;
    (void)s;
}

void tsr_run_var(tsr_worker *w, const tsr_step *s)
{
    size_t lanes = w->lanes;
    uint32_t *to = tsr_at(w, s->dst);
    if (s->arg[0]) {
        copy_masked(w, to, tsr_at(w, s->arg[0]), s->words);
    } else if (w->active == lanes) {
        memset(to, 0, s->words * lanes * sizeof *to);
    } else {
        for (size_t k = 0; k < s->words; k++)
            for (size_t i = 0; i < lanes; i++)
                to[k * lanes + i] &= ~w->mask[i];
    }
}

/* Where the words lie when all lanes have the same offset; NULL when they do not. */
static uint32_t *find_same_place(tsr_worker *w, const tsr_xptr *p)
{
    uint32_t *base = tsr_at(w, p->at) + (size_t)p->off * w->lanes;
    if (!p->dyn) return base;
    const uint32_t *dyn = tsr_at(w, p->dyn);
    return dyn[w->lanes] & TSR_DYN_UNIFORM ? base + (size_t)dyn[0] * w->lanes : NULL;
}

void tsr_run_load_lane(tsr_worker *w, const tsr_step *s)
{
    size_t lanes = w->lanes;
    const tsr_xptr *p = s->ptr;
    uint32_t *to = tsr_at(w, s->dst);
    const uint32_t *from = find_same_place(w, p);
    if (from) {
        memcpy(to, from, s->words * lanes * sizeof *to);
        return;
    }
    const uint32_t *dyn = tsr_at(w, p->dyn), *base = tsr_at(w, p->at) + p->off * lanes;
    if (dyn[lanes] & TSR_DYN_BAD) report_bad_lanes(w, s);
    for (size_t k = 0; k < s->words; k++)
        for (size_t i = 0; i < lanes; i++)
            to[k * lanes + i] = dyn[i] == TSR_INVALID_OFFSET ? 0 : base[(dyn[i] + k) * lanes + i];
}

void tsr_run_store_lane(tsr_worker *w, const tsr_step *s)
{
    size_t lanes = w->lanes;
    const tsr_xptr *p = s->ptr;
    const uint32_t *from = tsr_at(w, s->arg[0]);
    uint32_t *to = find_same_place(w, p);
    if (to) {
        copy_masked(w, to, from, s->words);
        return;
    }
    const uint32_t *dyn = tsr_at(w, p->dyn);
    uint32_t *base = tsr_at(w, p->at) + p->off * lanes;
    if (dyn[lanes] & TSR_DYN_BAD) report_bad_lanes(w, s);
    for (size_t i = 0; i < lanes; i++) {
        if (!w->mask[i] || dyn[i] == TSR_INVALID_OFFSET) continue;
        for (size_t k = 0; k < s->words; k++)
            base[(dyn[i] + k) * lanes + i] = from[k * lanes + i];
    }
}

/* ---- Loads from workgroup memory and bindings. */

static inline uint32_t read_scalar(const unsigned char *from, uint8_t size)
{
    return size == 2 ? *(const mem_u16 *)(const void *)from : *(const mem_u32 *)(const void *)from;
}

static inline void write_scalar(unsigned char *to, uint8_t size, uint32_t value)
{
    if (size == 2)
        *(mem_u16 *)(void *)to = (uint16_t)value;
    else
        *(mem_u32 *)(void *)to = value;
}

static void fill(uint32_t *to, uint32_t lanes, uint32_t value)
{
    for (uint32_t i = 0; i < lanes; i++)
        to[i] = value;
}

/* One scalar of each lane, `distance` bytes apart. */
static void load_even(uint32_t *to, uint32_t lanes, const unsigned char *from, uint32_t distance, uint8_t size)
{
    if (size == 4 && distance == 4) {
        memcpy(to, from, lanes * sizeof *to);
    } else if (size == 4) {
        for (size_t i = 0; i < lanes; i++)
            to[i] = *(const mem_u32 *)(const void *)(from + (ptrdiff_t)i * (int32_t)distance);
    } else {
        for (size_t i = 0; i < lanes; i++)
            to[i] = *(const mem_u16 *)(const void *)(from + (ptrdiff_t)i * (int32_t)distance);
    }
}

static void load_scattered(uint32_t *restrict to, uint32_t lanes, const unsigned char *from,
                           const uint32_t *restrict dyn, uint8_t size)
{
    if (size == 4)
        for (uint32_t i = 0; i < lanes; i++)
            to[i] = *(const mem_u32 *)(const void *)(from + dyn[i]);
    else
        for (uint32_t i = 0; i < lanes; i++)
            to[i] = *(const mem_u16 *)(const void *)(from + dyn[i]);
}

static void load_checked(uint32_t *to, uint32_t lanes, const unsigned char *from, const uint32_t *dyn, uint8_t size)
{
    for (uint32_t i = 0; i < lanes; i++)
        to[i] = dyn[i] == TSR_INVALID_OFFSET ? 0 : read_scalar(from + dyn[i], size);
}

static void load_one(uint32_t *to, uint32_t lanes, const unsigned char *from, const uint32_t *dyn, uint8_t size)
{
    uint32_t flags = dyn ? dyn[lanes] : TSR_DYN_UNIFORM;
    if (flags & TSR_DYN_UNIFORM)
        fill(to, lanes, read_scalar(from + (dyn ? dyn[0] : 0), size));
    else if (flags & TSR_DYN_EVEN)
        load_even(to, lanes, from + dyn[0], dyn[lanes + 1], size);
    else if (flags & TSR_DYN_BAD)
        load_checked(to, lanes, from, dyn, size);
    else
        load_scattered(to, lanes, from, dyn, size);
}

void tsr_run_load_shared(tsr_worker *w, const tsr_step *s)
{
    const tsr_xptr *p = s->ptr;
    const tsr_leaf_list *leaves = s->more;
    const unsigned char *base = tsr_root_base(w, p) + p->off;
    const uint32_t *dyn = p->dyn ? tsr_at(w, p->dyn) : NULL;
    uint32_t lanes = w->lanes;
    uint32_t *to = tsr_at(w, s->dst);
    if (dyn && dyn[lanes] & TSR_DYN_BAD) report_bad_lanes(w, s);
    for (uint32_t r = 0; r < leaves->count; r++) {
        const tsr_leaves *run = &leaves->runs[r];
        for (uint32_t k = 0; k < run->count; k++)
            load_one(to + (size_t)(run->word + k) * lanes, lanes, base + run->byte + (size_t)k * run->stride, dyn,
                     run->size);
    }
}

/* ---- Stores. Lanes that write the same place do so in ascending order. */

static void store_one(tsr_worker *w, unsigned char *to, const uint32_t *dyn, const uint32_t *from, uint8_t size)
{
    uint32_t lanes = w->lanes;
    const uint32_t *restrict mask = w->mask;
    if (!dyn) {
        for (uint32_t i = lanes; i-- > 0;)
            if (mask[i]) {
                write_scalar(to, size, from[i]);
                return;
            }
    } else if (w->active == lanes && size == 4 && dyn[lanes] & TSR_DYN_EVEN && dyn[lanes + 1] == 4) {
        memcpy(to + dyn[0], from, lanes * sizeof *from);
    } else if (w->active == lanes && size == 4 && !(dyn[lanes] & TSR_DYN_BAD)) {
        for (uint32_t i = 0; i < lanes; i++)
            *(mem_u32 *)(void *)(to + dyn[i]) = from[i];
    } else {
        for (uint32_t i = 0; i < lanes; i++)
            if (mask[i] && dyn[i] != TSR_INVALID_OFFSET) write_scalar(to + dyn[i], size, from[i]);
    }
}

void tsr_run_store_shared(tsr_worker *w, const tsr_step *s)
{
    const tsr_xptr *p = s->ptr;
    const tsr_leaf_list *leaves = s->more;
    unsigned char *base = tsr_root_base(w, p) + p->off;
    const uint32_t *dyn = p->dyn ? tsr_at(w, p->dyn) : NULL, *from = tsr_at(w, s->arg[0]);
    if (dyn && dyn[w->lanes] & TSR_DYN_BAD) report_bad_lanes(w, s);
    for (uint32_t r = 0; r < leaves->count; r++) {
        const tsr_leaves *run = &leaves->runs[r];
        for (uint32_t k = 0; k < run->count; k++)
            store_one(w, base + run->byte + (size_t)k * run->stride, dyn, from + (size_t)(run->word + k) * w->lanes,
                      run->size);
    }
}

void tsr_run_array_length(tsr_worker *w, const tsr_step *s)
{
    fill(tsr_at(w, s->dst), w->lanes, elements_of(w, s->ptr, 0, s->target));
}

/* ---- Atomics. Workgroups run on several threads: these are the processor's. */

typedef _Atomic uint32_t atomic_word;

static uint32_t extreme(atomic_word *at, uint32_t value, bool is_signed, bool greater)
{
    uint32_t flip = is_signed ? 0x80000000u : 0; /* makes signed order unsigned */
    uint32_t old = atomic_load_explicit(at, memory_order_relaxed);
    while (greater ? (value ^ flip) > (old ^ flip) : (value ^ flip) < (old ^ flip))
        if (atomic_compare_exchange_weak_explicit(at, &old, value, memory_order_relaxed, memory_order_relaxed)) break;
    return old;
}

static uint32_t run_atomic(const tsr_step *s, atomic_word *at, uint32_t value)
{
    const memory_order order = memory_order_relaxed;
    switch (s->op) {
    case TSR_OP_atomic_load: return atomic_load_explicit(at, order);
    case TSR_OP_atomic_store: atomic_store_explicit(at, value, order); return 0;
    case TSR_OP_atomic_add: return atomic_fetch_add_explicit(at, value, order);
    case TSR_OP_atomic_sub: return atomic_fetch_sub_explicit(at, value, order);
    case TSR_OP_atomic_max: return extreme(at, value, s->target, true);
    case TSR_OP_atomic_min: return extreme(at, value, s->target, false);
    case TSR_OP_atomic_and: return atomic_fetch_and_explicit(at, value, order);
    case TSR_OP_atomic_or: return atomic_fetch_or_explicit(at, value, order);
    case TSR_OP_atomic_xor: return atomic_fetch_xor_explicit(at, value, order);
    default: return atomic_exchange_explicit(at, value, order);
    }
}

/* The result is a struct: the old value, then whether it was exchanged. */
static void run_cas(tsr_worker *w, const tsr_step *s, atomic_word *at, uint32_t lane)
{
    uint32_t expected = tsr_at(w, s->arg[1])[lane], *to = tsr_at(w, s->dst);
    bool done = atomic_compare_exchange_strong(at, &expected, tsr_at(w, s->arg[2])[lane]);
    to[lane] = expected;
    to[w->lanes + lane] = done;
}

void tsr_run_atomic(tsr_worker *w, const tsr_step *s)
{
    const tsr_xptr *p = s->ptr;
    unsigned char *base = tsr_root_base(w, p) + p->off;
    const uint32_t *dyn = p->dyn ? tsr_at(w, p->dyn) : NULL, *value = tsr_at(w, s->arg[1]);
    uint32_t *to = s->dst ? tsr_at(w, s->dst) : NULL;
    if (to) memset(to, 0, (size_t)s->words * w->lanes * sizeof *to);
    for (uint32_t i = 0; i < w->lanes; i++) {
        if (!w->mask[i]) continue;
        if (dyn && dyn[i] == TSR_INVALID_OFFSET) {
            report_oob(w, s, i);
            continue;
        }
        atomic_word *at = (void *)(base + (dyn ? dyn[i] : 0));
        if (s->op == TSR_OP_atomic_cas) {
            run_cas(w, s, at, i);
            continue;
        }
        uint32_t old = run_atomic(s, at, value[i]);
        if (to) to[i] = old;
    }
}
