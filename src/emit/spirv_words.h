/* SPIR-V's numbers, and lists of its words. */
#ifndef TSR_EMIT_SPIRV_WORDS_H
#define TSR_EMIT_SPIRV_WORDS_H

#include "base/arena.h"

#include <stdint.h>

typedef enum tsr_spv_op {
#define SPV(name, opcode, operands) SPV_##name = opcode,
#include "emit/spirv_op.def"
} tsr_spv_op;

enum {
#define ENUM(kind, letter, name, value) SPV_##kind##_##name = value,
#include "emit/spirv_enum.def"
    SPV_MAGIC = 0x07230203,
    SPV_HEADER_WORDS = 5
};

/* Values that are operands by constant. Source: SPIR-V 1.6, "Scope <id>", "Memory Semantics <id>". */
enum {
    SPV_SCOPE_WORKGROUP = 2,
    SPV_SCOPE_SUBGROUP = 3,
    SPV_SCOPE_QUEUE_FAMILY = 5,
    SPV_SEMANTICS_ACQUIRE_RELEASE = 0x8,
    SPV_SEMANTICS_UNIFORM_MEMORY = 0x40,
    SPV_SEMANTICS_WORKGROUP_MEMORY = 0x100,
    SPV_SEMANTICS_IMAGE_MEMORY = 0x800,
    SPV_SEMANTICS_MAKE_AVAILABLE = 0x2000,
    SPV_SEMANTICS_MAKE_VISIBLE = 0x4000
};

typedef struct tsr_words {
    uint32_t *at;
    uint32_t count, cap;
} tsr_words;

void tsr_words_add(tsr_words *w, tsr_arena *arena, const uint32_t *words, uint32_t count);
static inline void tsr_words_add1(tsr_words *w, tsr_arena *arena, uint32_t word)
{
    if (w->count < w->cap)
        w->at[w->count++] = word;
    else
        tsr_words_add(w, arena, &word, 1);
}
/* A string as SPIR-V packs it: NUL-terminated, low byte first, filled up with zeros. */
void tsr_words_add_string(tsr_words *w, tsr_arena *arena, const char *s);

#endif
