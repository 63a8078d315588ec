/* A hash map from 64-bit keys to 32-bit values, in an arena. */
#ifndef TSR_BASE_MAP_H
#define TSR_BASE_MAP_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct tsr_map {
    tsr_arena *arena;
    uint64_t *keys;
    uint32_t *values;
    unsigned char *used;
    uint32_t count, slot_count;
} tsr_map;

void tsr_map_init(tsr_map *m, tsr_arena *arena);
void tsr_map_set(tsr_map *m, uint64_t key, uint32_t value);
bool tsr_map_find(const tsr_map *m, uint64_t key, uint32_t *value);

/* A 64-bit hash of bytes, for callers that key by content (they compare on a hit). */
uint64_t tsr_hash_bytes(const void *data, size_t size_bytes, uint64_t seed);

#endif
