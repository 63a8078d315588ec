/* The values of module scope, under given values of overrides. Nothing of the module is changed. */
#ifndef TSR_ANALYSIS_FOLD_H
#define TSR_ANALYSIS_FOLD_H

#include "ir/module.h"

typedef enum tsr_fold_state {
    TSR_FOLD_new = 0,
    TSR_FOLD_running, /* internal */
    TSR_FOLD_known,
    TSR_FOLD_open,   /* depends on override `fault`, which has neither value nor default */
    TSR_FOLD_failed, /* instruction `fault` cannot be evaluated: `flags` says why */
    TSR_FOLD_cycle   /* override `fault` depends on itself */
} tsr_fold_state;

/* Besides TSR_EVAL_...: an index out of range, a value with more words than TSR_FOLD_WORDS_MAX. */
enum { TSR_FOLD_INDEX = 1u << 16, TSR_FOLD_TOO_LARGE = 1u << 17 };
/* 64 MiB a value. Array values of WGSL programs stay far below (WGSL, "Limits": 2047 elements in a constructor). */
#define TSR_FOLD_WORDS_MAX (1u << 24)

/* Scalars are one 32-bit word each as in ir/eval.h; vec, mat, array and struct are their parts one after the other. */
typedef struct tsr_fold_value {
    tsr_type type;
    uint8_t state;         /* tsr_fold_state */
    uint32_t word_count;   /* 0 for types without words (subgroup matrices) */
    const uint32_t *words; /* NULL: all zero */
    tsr_id fault;
    unsigned flags;
} tsr_fold_value;

typedef struct tsr_fold {
    const tsr_ir *ir;
    tsr_arena *arena;
    tsr_map index;   /* instruction -> entry of values */
    tsr_pool values; /* of tsr_fold_value */
    bool *given;     /* by override */
    uint32_t *given_word;
} tsr_fold;

void tsr_fold_init(tsr_fold *f, const tsr_ir *ir, tsr_arena *arena);
/* The value of an override, as a word of its type. Before the first tsr_fold_get. */
void tsr_fold_give(tsr_fold *f, uint32_t override, uint32_t word);
/* The value of an instruction of module scope that is not `global`; lives in the arena. */
const tsr_fold_value *tsr_fold_get(tsr_fold *f, tsr_id id);
/* A size as a number; false when it is not known, not positive or a run-time size. */
bool tsr_fold_size(tsr_fold *f, tsr_size size, uint32_t *out);
/* Words of a value of the type: 0 when it has none, TSR_FOLD_WORDS_MAX + 1 when there are more than that. */
uint32_t tsr_fold_word_count(const tsr_types *t, tsr_type type);

#endif
