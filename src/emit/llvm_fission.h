/* Fission at barriers, between the files: what lives across them, and how that is written. */
#ifndef TSR_EMIT_LLVM_FISSION_H
#define TSR_EMIT_LLVM_FISSION_H

#include "emit/llvm_inside.h"
#include "emit/llvm_read.h"

/* What may live across a barrier. */
typedef enum tsr_fi_kind { FI_VALUE, FI_VARIABLE, FI_MEMORY } tsr_fi_kind;

typedef struct tsr_fi_item {
    uint32_t name; /* of the variable that holds it: its own, or one made for a value; 0: a value that has none */
    uint8_t kind;
    bool is_kept;         /* FI_MEMORY: it lies in the record */
    bool begins_as_zeros; /* once, before all workgroups */
    tsr_str type;
    uint32_t bytes;
    uint32_t same;   /* FI_MEMORY: pointers may lead to either: the other item's index, or its own */
    uint64_t offset; /* in the record */
} tsr_fi_item;

typedef struct tsr_fi {
    tsr_ll *e;
    tsr_lr r;
    tsr_text out, prologue;
    tsr_fi_item *items;
    uint32_t item_count, set_words, barrier_count, barrier_words;
    uint32_t *value_of; /* by name: 1 + the item that is this value */
    uint32_t *leads_to; /* by name: 1 + the item that is this variable or memory; for pointers into memory too */
    uint64_t *more;     /* by name, for those of the prologue: bytes into the item */
    uint32_t *defined_in, *defined_at; /* by name: 1 + the block; the line */
    uint32_t *written_in, *written_as; /* by name: 1 + the block where it was last loaded or addressed; %tN */
    bool *is_inside;                   /* by block */
    uint32_t *behind;                  /* by block: 1 + the barrier that it stands behind */
    uint32_t *barrier_of;              /* by block: the barrier that it ends with */
    uint64_t *use, *def;               /* by block, sets of items: used before they are set; set */
    uint64_t *live, *dirty;            /* by block: wanted at its start; set since the last barrier, at its end */
    uint64_t *last;                    /* by block, sets of barriers: passed last, at its start */
    uint64_t *crossing;                /* the items that live across some barrier */
    uint32_t *behind_barrier;          /* by barrier: the block behind it; 0 is the region's start */
    uint32_t *tail, *tail_next;        /* by block, by use: 1 + a phi's use that is loaded at the block's end */
    bool zeroes;                       /* the records begin as zeros */
    uint64_t record_bytes;
    uint32_t records, record, passed; /* %tN: the array; the variables that hold this subgroup's and the last barrier */
} tsr_fi;

/* ---- Sets: of bits, `words` of them for each block. */

static inline bool tsr_fi_has(const uint64_t *set, uint32_t i)
{
    return set[i / 64] >> (i % 64) & 1;
}

static inline void tsr_fi_put(uint64_t *set, uint32_t i)
{
    set[i / 64] |= UINT64_C(1) << (i % 64);
}

static inline uint64_t *tsr_fi_set(uint64_t *sets, uint32_t words, uint32_t block)
{
    return sets + (size_t)words * block;
}

static inline uint32_t tsr_fi_count(const uint64_t *set, uint32_t words)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < words; i++)
        n += (uint32_t)__builtin_popcountll(set[i]);
    return n;
}

/* llvm_live.c: fills all but what stands behind `crossing`. false: something is not as expected, or too large. */
bool tsr_fi_find(tsr_fi *f);
/* The item that stands for all that pointers may lead to instead of this one. */
uint32_t tsr_fi_same(const tsr_fi *f, uint32_t i);

#endif
