/* The map: open addressing, linear probing, at most two thirds full. And the hash of bytes that symbols use. */
#include "base/map.h"

#include <string.h>

#define FIRST_SLOTS 16u

/* The finalizer of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014). */
static uint64_t mix(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

void tsr_map_init(tsr_map *m, tsr_arena *arena)
{
    *m = (tsr_map){.arena = arena};
}

/* The slot that holds the key, or the free one where it belongs. Assumes a free slot. */
static uint32_t find_slot(const tsr_map *m, uint64_t key)
{
    uint32_t i = (uint32_t)mix(key) & (m->slot_count - 1);
    while (m->used[i] && m->keys[i] != key)
        i = (i + 1) & (m->slot_count - 1);
    return i;
}

static void grow(tsr_map *m)
{
    tsr_map old = *m;
    if (old.slot_count > UINT32_MAX / 2) tsr_arena_full(m->arena);
    m->slot_count = old.slot_count ? old.slot_count * 2 : FIRST_SLOTS;
    m->keys = TSR_NEW_ARRAY(m->arena, uint64_t, m->slot_count);
    m->values = TSR_NEW_ARRAY(m->arena, uint32_t, m->slot_count);
    m->used = TSR_NEW_ARRAY(m->arena, unsigned char, m->slot_count);
    for (uint32_t i = 0; i < old.slot_count; i++) {
        if (!old.used[i]) continue;
        uint32_t to = find_slot(m, old.keys[i]);
        m->used[to] = 1;
        m->keys[to] = old.keys[i];
        m->values[to] = old.values[i];
    }
}

void tsr_map_set(tsr_map *m, uint64_t key, uint32_t value)
{
    if ((uint64_t)m->count * 3 >= (uint64_t)m->slot_count * 2) grow(m);
    uint32_t i = find_slot(m, key);
    m->count += !m->used[i];
    m->used[i] = 1;
    m->keys[i] = key;
    m->values[i] = value;
}

bool tsr_map_find(const tsr_map *m, uint64_t key, uint32_t *value)
{
    if (m->slot_count == 0) return false;
    uint32_t i = find_slot(m, key);
    if (!m->used[i]) return false;
    *value = m->values[i];
    return true;
}

static uint64_t rotate(uint64_t x, unsigned by)
{
    return x << by | x >> (64 - by);
}

static void sip_round(uint64_t v[4])
{
    v[0] += v[1];
    v[1] = rotate(v[1], 13) ^ v[0];
    v[0] = rotate(v[0], 32);
    v[2] += v[3];
    v[3] = rotate(v[3], 16) ^ v[2];
    v[0] += v[3];
    v[3] = rotate(v[3], 21) ^ v[0];
    v[2] += v[1];
    v[1] = rotate(v[1], 17) ^ v[2];
    v[2] = rotate(v[2], 32);
}

/* SipHash-1-3 (Aumasson, Bernstein: SipHash, 2012; one round a word and three at the end, as hash tables use it).
 * Words are read in the machine's own byte order: hashes never leave the process. */
uint64_t tsr_hash_bytes(const void *data, size_t size_bytes, uint64_t seed)
{
    uint64_t k0 = seed, k1 = mix(seed + 0x9e3779b97f4a7c15u);
    uint64_t v[4] = {k0 ^ 0x736f6d6570736575u, k1 ^ 0x646f72616e646f6du, k0 ^ 0x6c7967656e657261u,
                     k1 ^ 0x7465646279746573u};
    const unsigned char *p = data;
    size_t left = size_bytes;
    for (; left >= 8; left -= 8, p += 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        v[3] ^= word;
        sip_round(v);
        v[0] ^= word;
    }
    uint64_t tail = (uint64_t)size_bytes << 56;
    for (size_t i = 0; i < left; i++)
        tail |= (uint64_t)p[i] << (8 * i);
    v[3] ^= tail;
    sip_round(v);
    v[0] ^= tail;
    v[2] ^= 0xff;
    for (int i = 0; i < 3; i++)
        sip_round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
