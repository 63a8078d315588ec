/* What native code asks to be done lane by lane (ir/native.h). */
#include "exec/jit_inside.h"

#include "ir/module.h"
#include "ir/native.h"

#include <string.h>

#define LANES_MAX   128u
#define ARRAY_LEAST 64u /* bytes: the alignment of the block */

/* Which lanes are active and in range. */
typedef struct lanes {
    uint64_t active[2], good[2];
} lanes;

static unsigned char *array_at(void *block, uint32_t what, uint32_t number)
{
    uint32_t bytes = TSR_LANES_SIZE(what) * 4 < ARRAY_LEAST ? ARRAY_LEAST : TSR_LANES_SIZE(what) * 4;
    return (unsigned char *)block + TSR_LANES_ARRAYS + (size_t)number * bytes;
}

static void read_bits(const void *block, uint32_t offset, uint32_t size, uint64_t out[2])
{
    out[0] = out[1] = 0;
    memcpy(out, (const unsigned char *)block + offset, (size + 7) / 8);
    if (size < 64) out[0] &= (UINT64_C(1) << size) - 1; /* less than a byte of them for subgroups of 4 */
}

static void all_bits(uint32_t size, uint64_t out[2])
{
    out[0] = size < 64 ? (UINT64_C(1) << size) - 1 : UINT64_MAX;
    out[1] = size > 64 ? UINT64_MAX : 0;
}

static uint32_t count_bits(uint64_t x)
{
    uint32_t n = 0;
    for (; x; x &= x - 1)
        n++;
    return n;
}

static void note_oob(const tsr_jit_frame *f, uint32_t what, uint32_t id, const lanes *l)
{
    uint64_t bad = count_bits(l->active[0] & ~l->good[0]) + count_bits(l->active[1] & ~l->good[1]);
    if (bad == 0 || what & TSR_LANES_SILENT) return;
    f->oob[0] += bad;
    if (f->oob[2] == 0) f->oob[2] = id;
}

/* ---- One thing in each lane. */

/* What a lane has to do with its word. */
typedef struct lane_task {
    uint32_t what;
    unsigned char *base;
    const uint32_t *offsets, *comparands;
    uint32_t *values;
} lane_task;

static inline bool takes(tsr_op op, bool is_signed, uint32_t value, uint32_t old)
{
    bool less = is_signed ? (int32_t)value < (int32_t)old : value < old;
    return less == (op == TSR_OP_atomic_min);
}

/* All memory orders are relaxed in WGSL; an exchange that compares keeps the strongest, as it is used to build locks.
 */
static inline uint32_t shared_step(tsr_op op, bool is_signed, uint32_t *p, uint32_t value, uint32_t comparand)
{
    uint32_t old;
    switch (op) {
    case TSR_OP_atomic_load: return __atomic_load_n(p, __ATOMIC_RELAXED);
    case TSR_OP_atomic_add: return __atomic_fetch_add(p, value, __ATOMIC_RELAXED);
    case TSR_OP_atomic_sub: return __atomic_fetch_sub(p, value, __ATOMIC_RELAXED);
    case TSR_OP_atomic_and: return __atomic_fetch_and(p, value, __ATOMIC_RELAXED);
    case TSR_OP_atomic_or: return __atomic_fetch_or(p, value, __ATOMIC_RELAXED);
    case TSR_OP_atomic_xor: return __atomic_fetch_xor(p, value, __ATOMIC_RELAXED);
    case TSR_OP_atomic_cas:
        (void)__atomic_compare_exchange_n(p, &comparand, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
        return comparand;
    case TSR_OP_atomic_min:
    case TSR_OP_atomic_max:
        old = __atomic_load_n(p, __ATOMIC_RELAXED);
        while (takes(op, is_signed, value, old) &&
               !__atomic_compare_exchange_n(p, &old, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        }
        return old;
    default: return __atomic_exchange_n(p, value, __ATOMIC_RELAXED); /* exchange, store */
    }
}

/* Workgroup memory belongs to one thread while a workgroup runs. */
static inline uint32_t own_step(tsr_op op, bool is_signed, uint32_t *p, uint32_t value, uint32_t comparand)
{
    uint32_t old = *p;
    switch (op) {
    case TSR_OP_atomic_load: break;
    case TSR_OP_atomic_add: *p = old + value; break;
    case TSR_OP_atomic_sub: *p = old - value; break;
    case TSR_OP_atomic_and: *p = old & value; break;
    case TSR_OP_atomic_or: *p = old | value; break;
    case TSR_OP_atomic_xor: *p = old ^ value; break;
    case TSR_OP_atomic_cas: *p = old == comparand ? value : old; break;
    case TSR_OP_atomic_min:
    case TSR_OP_atomic_max: *p = takes(op, is_signed, value, old) ? value : old; break;
    default: *p = value; /* exchange, store */
    }
    return old;
}

static inline void access_lane(tsr_op op, bool own, uint32_t i, const lane_task *t)
{
    unsigned char *p = t->base + t->offsets[i];
    if (op == TSR_OP_load) {
        memcpy(&t->values[i], p, 4);
    } else if (op == TSR_OP_store) {
        memcpy(p, &t->values[i], 4);
    } else {
        bool is_signed = (t->what & TSR_LANES_SIGNED) != 0;
        uint32_t *word = (void *)p, value = t->values[i], comparand = t->comparands[i];
        uint32_t old =
            own ? own_step(op, is_signed, word, value, comparand) : shared_step(op, is_signed, word, value, comparand);
        if (!(t->what & TSR_LANES_UNUSED)) t->values[i] = old;
    }
}

/* The lanes of `bits`, 64 from `first` on, ascending; mostly they are the first ones. */
static inline void access_lanes(tsr_op op, bool own, uint64_t bits, uint32_t first, const lane_task *t)
{
    if ((bits & (bits + 1)) == 0) {
        uint32_t end = bits ? 64 - (uint32_t)__builtin_clzll(bits) : 0;
        for (uint32_t i = first; i < first + end; i++)
            access_lane(op, own, i, t);
        return;
    }
    for (; bits; bits &= bits - 1)
        access_lane(op, own, first + (uint32_t)__builtin_ctzll(bits), t);
}

/* One loop for each op: `op` is a constant in it. */
static void access_words(uint64_t bits, uint32_t first, const lane_task *t)
{
    bool own = (t->what & TSR_LANES_OWN) != 0;
    switch (TSR_LANES_OP(t->what)) {
    case TSR_OP_load: access_lanes(TSR_OP_load, false, bits, first, t); break;
    case TSR_OP_store: access_lanes(TSR_OP_store, false, bits, first, t); break;
#define EACH(op)                                                                                                       \
    case op:                                                                                                           \
        if (own)                                                                                                       \
            access_lanes(op, true, bits, first, t);                                                                    \
        else                                                                                                           \
            access_lanes(op, false, bits, first, t);                                                                   \
        break;
        EACH(TSR_OP_atomic_add)
        EACH(TSR_OP_atomic_sub)
        EACH(TSR_OP_atomic_and)
        EACH(TSR_OP_atomic_or)
        EACH(TSR_OP_atomic_xor)
        EACH(TSR_OP_atomic_min)
        EACH(TSR_OP_atomic_max)
#undef EACH
    default: access_lanes(TSR_LANES_OP(t->what), own, bits, first, t);
    }
}

/* Values of 16 bits: only loads and stores. */
static void access_halves(uint64_t bits, uint32_t first, const lane_task *t)
{
    for (; bits; bits &= bits - 1) {
        uint32_t i = first + (uint32_t)__builtin_ctzll(bits);
        unsigned char *p = t->base + t->offsets[i], *value = (unsigned char *)t->values + (size_t)i * 2;
        if (TSR_LANES_OP(t->what) == TSR_OP_load)
            memcpy(value, p, 2);
        else
            memcpy(p, value, 2);
    }
}

/* Lanes that have no part in it get zero. */
static void access_all(uint32_t what, void *base, void *block, const lanes *l)
{
    lane_task t = {.what = what,
                   .base = base,
                   .offsets = (const void *)array_at(block, what, TSR_LANES_OFFSETS),
                   .comparands = (const void *)array_at(block, what, TSR_LANES_COMPARANDS),
                   .values = (void *)array_at(block, what, TSR_LANES_VALUES)};
    uint32_t size = TSR_LANES_SIZE(what), bytes = 1u << TSR_LANES_LOG2_BYTES(what);
    uint64_t all[2];
    all_bits(size, all);
    for (uint32_t k = 0; k * 64 < size; k++) {
        uint64_t bits = l->active[k] & l->good[k];
        if (bytes == 4)
            access_words(bits, k * 64, &t);
        else
            access_halves(bits, k * 64, &t);
        if (TSR_LANES_OP(what) == TSR_OP_store) continue;
        for (uint64_t none = all[k] & ~bits; none; none &= none - 1)
            memset((unsigned char *)t.values + (size_t)(k * 64 + (uint32_t)__builtin_ctzll(none)) * bytes, 0, bytes);
    }
}

/* All lanes load words: what a gather is where the processor has none. */
static void gather_words(uint32_t what, const void *base, void *block)
{
    uint32_t *values = (void *)array_at(block, what, TSR_LANES_VALUES), size = TSR_LANES_SIZE(what);
    const uint32_t *offsets = (const void *)array_at(block, what, TSR_LANES_OFFSETS);
    for (uint32_t i = 0; i < size; i++)
        memcpy(&values[i], (const unsigned char *)base + offsets[i], 4);
}

void tsr_jit_lanes(tsr_jit_frame *f, uint32_t what, uint32_t id, void *base, void *block)
{
    lanes l;
    if (TSR_LANES_OP(what) == TSR_OP_mload) {
        f->oob[1]++;
        if (f->oob[2] == 0) f->oob[2] = id;
        return;
    }
    if (TSR_LANES_OP(what) == TSR_OP_load && TSR_LANES_LOG2_BYTES(what) == 2 &&
        !(what & (TSR_LANES_MASKED | TSR_LANES_CHECKED | TSR_LANES_NONE))) {
        gather_words(what, base, block);
        return;
    }
    all_bits(TSR_LANES_SIZE(what), l.active);
    all_bits(TSR_LANES_SIZE(what), l.good);
    if (what & TSR_LANES_MASKED) read_bits(block, TSR_LANES_ACTIVE, TSR_LANES_SIZE(what), l.active);
    if (what & TSR_LANES_CHECKED) read_bits(block, TSR_LANES_IN_RANGE, TSR_LANES_SIZE(what), l.good);
    if (what & TSR_LANES_NONE) l.good[0] = l.good[1] = 0;
    note_oob(f, what, id, &l);
    if (TSR_LANES_OP(what) != TSR_OP_index) access_all(what, base, block, &l);
}

void tsr_jit_even(tsr_jit_frame *f, uint32_t what, uint32_t id, void *base, void *block, uint32_t index,
                  uint32_t index_step, uint32_t count, uint32_t offset, uint32_t offset_step)
{
    uint64_t good[2] = {0};
    uint32_t *offsets = (void *)array_at(block, what, TSR_LANES_OFFSETS);
    for (uint32_t i = 0; i < TSR_LANES_SIZE(what); i++) {
        if (index + i * index_step < count) good[i / 64] |= UINT64_C(1) << i % 64;
        offsets[i] = offset + i * offset_step;
    }
    memcpy((unsigned char *)block + TSR_LANES_IN_RANGE, good, sizeof good);
    tsr_jit_lanes(f, what | TSR_LANES_CHECKED, id, base, block);
}
