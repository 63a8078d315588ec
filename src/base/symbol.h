/* Names as small numbers: two names are equal exactly when their symbols are. Symbol 0 is the empty name. */
#ifndef TSR_BASE_SYMBOL_H
#define TSR_BASE_SYMBOL_H

#include "base/arena.h"
#include "base/pool.h"
#include "base/text.h"

typedef uint32_t tsr_sym;

typedef struct tsr_symbols {
    tsr_arena *arena;
    tsr_pool names;  /* of tsr_str, NUL-terminated copies in the arena */
    uint64_t *slots; /* open addressing: hash << 32 | symbol; keyed, so that hostile names cannot collide cheaply */
    uint32_t slot_count;
    uint64_t seed;
} tsr_symbols;

void tsr_symbols_init(tsr_symbols *t, tsr_arena *arena);
tsr_sym tsr_symbols_add(tsr_symbols *t, const char *s, size_t len);
/* 0 when the name was never added. */
tsr_sym tsr_symbols_find(const tsr_symbols *t, const char *s, size_t len);
tsr_str tsr_symbols_get(const tsr_symbols *t, tsr_sym sym);
/* The name as a C string; it lives as long as the arena. */
const char *tsr_symbols_cstr(const tsr_symbols *t, tsr_sym sym);

#endif
