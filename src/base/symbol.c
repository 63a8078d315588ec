/* The symbol table: see symbol.h. */
#include "base/symbol.h"

#include "base/map.h"

#include <string.h>
#include <time.h>

#define FIRST_SLOTS 256u

/* Not secret, but not known to whoever writes the names: where things lie in memory, and the time. Numbering is by
 * order of arrival, so nothing that people see depends on it. */
static uint64_t make_seed(const tsr_symbols *t)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    uint64_t parts[4] = {(uint64_t)(uintptr_t)t, (uint64_t)(uintptr_t)t->arena->top, (uint64_t)now.tv_sec,
                         (uint64_t)now.tv_nsec};
    return tsr_hash_bytes(parts, sizeof parts, 0);
}

void tsr_symbols_init(tsr_symbols *t, tsr_arena *arena)
{
    *t = (tsr_symbols){.arena = arena};
    tsr_pool_init(&t->names, arena, sizeof(tsr_str));
    *(tsr_str *)tsr_pool_at(&t->names, 0) = TSR_STR("");
    t->slot_count = FIRST_SLOTS;
    t->slots = TSR_NEW_ARRAY(arena, uint64_t, FIRST_SLOTS);
    t->seed = make_seed(t);
}

static uint32_t hash_name(const tsr_symbols *t, tsr_str name)
{
    return (uint32_t)tsr_hash_bytes(name.s, name.len, t->seed);
}

/* The slot of the name, or the free one where it belongs; a free slot holds 0. A name is looked at only when its hash,
 * which stands in the slot, is the wanted one: with millions of names each look is a wait for memory. */
static uint32_t find_slot(const tsr_symbols *t, tsr_str name, uint32_t hash)
{
    uint32_t i = hash & (t->slot_count - 1);
    while (t->slots[i] &&
           ((uint32_t)(t->slots[i] >> 32) != hash || !tsr_str_eq(tsr_symbols_get(t, (tsr_sym)t->slots[i]), name)))
        i = (i + 1) & (t->slot_count - 1);
    return i;
}

static void grow(tsr_symbols *t)
{
    const uint64_t *old = t->slots;
    uint32_t old_count = t->slot_count;
    if (t->slot_count > UINT32_MAX / 2) tsr_arena_full(t->arena);
    t->slot_count *= 2;
    t->slots = TSR_NEW_ARRAY(t->arena, uint64_t, t->slot_count);
    for (uint32_t k = 0; k < old_count; k++) {
        uint32_t i = (uint32_t)(old[k] >> 32) & (t->slot_count - 1);
        if (!old[k]) continue;
        while (t->slots[i])
            i = (i + 1) & (t->slot_count - 1);
        t->slots[i] = old[k];
    }
}

tsr_sym tsr_symbols_add(tsr_symbols *t, const char *s, size_t len)
{
    if (len == 0) return 0;
    uint32_t hash = hash_name(t, (tsr_str){s, len}), slot = find_slot(t, (tsr_str){s, len}, hash);
    if (t->slots[slot]) return (tsr_sym)t->slots[slot];
    tsr_sym sym = tsr_pool_push(&t->names, 1);
    *(tsr_str *)tsr_pool_at(&t->names, sym) = (tsr_str){tsr_arena_strndup(t->arena, s, len), len};
    t->slots[slot] = (uint64_t)hash << 32 | sym;
    if ((uint64_t)t->names.count * 3 > (uint64_t)t->slot_count * 2) grow(t);
    return sym;
}

tsr_sym tsr_symbols_find(const tsr_symbols *t, const char *s, size_t len)
{
    if (len == 0) return 0;
    return (tsr_sym)t->slots[find_slot(t, (tsr_str){s, len}, hash_name(t, (tsr_str){s, len}))];
}

tsr_str tsr_symbols_get(const tsr_symbols *t, tsr_sym sym)
{
    return *(const tsr_str *)tsr_pool_at(&t->names, sym);
}

const char *tsr_symbols_cstr(const tsr_symbols *t, tsr_sym sym)
{
    return tsr_symbols_get(t, sym).s;
}
