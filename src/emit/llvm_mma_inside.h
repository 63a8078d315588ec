/* Between the files of the multiply-add (llvm_mma.c): the function that is being written, its instructions as text, its
 * tiles in memory. Values are text: "%v7", or the digits of an i64. */
#ifndef TSR_EMIT_LLVM_MMA_INSIDE_H
#define TSR_EMIT_LLVM_MMA_INSIDE_H

#include "emit/llvm_block.h"

/* A step of k, 32 bits. */
typedef enum tsr_lm_word { LM_F32, LM_I32, LM_PAIR, LM_QUAD } tsr_lm_word;

/* What the table has entries of, in this order. */
enum { LM_LEFT, LM_RIGHT, LM_ADDENDS, LM_RESULTS };

/* The function at hand. */
typedef struct tsr_lm {
    tsr_ll *e;
    tsr_text *t;
    const tsr_ll_mma *g;
    tsr_lm_word word;
    uint32_t m, n;     /* of a tile */
    uint32_t steps;    /* of k in a tile */
    uint32_t per_step; /* components of k in a step */
    uint32_t lanes;    /* of a whole register */
    bool pack_left, pack_right, widen_left, widen_right, near_left, near_right;
    bool one_left, one_right;              /* all tiles of the operand are one matrix in memory */
    bool whole;                            /* then the depth of all tiles is one loop */
    bool flip_left;                        /* bytes of the same signedness: the left ones become of the other */
    bool left_unsigned;                    /* then */
    uint32_t vectors, width, vector_lanes; /* of the panel at hand */
    char jt[24], jc[24];                   /* its first tile and the column there */
    const char *next_right, *next_stride;  /* the next panel, of which each step asks for its own rows; NULL: none */
    uint32_t next;
} tsr_lm;

/* ---- llvm_mma_text.c. */
uint32_t tsr_lm_new(tsr_lm *x);                  /* number of a value or of labels */
const char *tsr_lm_name(tsr_lm *x, uint32_t id); /* "%vN" */
const char *tsr_lm_number(tsr_lm *x, uint64_t n);
/* i64, computed here where both are numbers. */
const char *tsr_lm_mul(tsr_lm *x, const char *a, const char *b);
const char *tsr_lm_add(tsr_lm *x, const char *a, const char *b);
/* a * by + more */
const char *tsr_lm_mul_add(tsr_lm *x, const char *a, uint64_t by, const char *more);
const char *tsr_lm_at(tsr_lm *x, const char *type, const char *ptr, const char *index);
const char *tsr_lm_load(tsr_lm *x, const char *type, const char *ptr, uint32_t align);
/* "<8 x float>" */
const char *tsr_lm_vector(tsr_lm *x, uint32_t lanes, const char *type);
const char *tsr_lm_convert(tsr_lm *x, const char *op, const char *from, const char *v, const char *to);
/* Lane i of the result is lane(i, arg) of a and b, one behind the other. */
const char *tsr_lm_shuffle(tsr_lm *x, const char *a, const char *b, uint32_t lanes, const char *type, uint32_t count,
                           uint32_t (*lane)(uint32_t i, uint32_t arg), uint32_t arg);
const char *tsr_lm_splat(tsr_lm *x, uint32_t lanes, const char *type, const char *scalar);

/* A counted loop: for (i = from; i < to; i += step); at least once. Phis may follow its opening: they come from label
 * pre`label` and from end`label`. */
typedef struct tsr_lm_loop {
    uint32_t label, var;
    const char *i;
    uint64_t to, step;
} tsr_lm_loop;
tsr_lm_loop tsr_lm_open_loop(tsr_lm *x, uint64_t from, uint64_t to, uint64_t step);
void tsr_lm_close_loop(tsr_lm *x, const tsr_lm_loop *l);

/* ---- llvm_mma_tile.c. */

/* The rows of a sub-block. */
typedef struct tsr_lm_place {
    const char *tile, *row; /* the first: tile row, row in it */
    uint32_t rows;
} tsr_lm_place;

/* Tiles narrower than the panel stand side by side. */
typedef struct tsr_lm_panel {
    uint32_t pieces;
    const char *ptr[64];    /* of a piece */
    const char *stride[64]; /* components */
} tsr_lm_panel;

bool tsr_lm_is_signed(const tsr_ll_matrix *m);
uint32_t tsr_lm_source_bytes(const tsr_ll_matrix *m); /* of a component */
const char *tsr_lm_word_type(const tsr_lm *x);
/* Copies the left operand: [rows * m][depth * steps] words. Short rows go several at a time. */
void tsr_lm_copy_left(tsr_lm *x);
/* The rows of the left operand at tile depth kk: ptr to word 0 of each; words from step to step. */
void tsr_lm_find_left_rows(tsr_lm *x, const tsr_lm_place *w, const char *kk, const char **row, const char **step);
/* Where the panel at hand lies in tile row `first` of LM_RIGHT, LM_ADDENDS or LM_RESULTS. */
void tsr_lm_find_panel(tsr_lm *x, uint32_t which, const char *first, tsr_lm_panel *p);
/* Lanes [v * L, (v + 1) * L) of the panel, from rows that lie in pieces: loads and puts side by side. */
const char *tsr_lm_load_across(tsr_lm *x, const char *type, uint32_t bytes, const tsr_lm_panel *from,
                               const char *const *index, uint32_t v);
/* And back, words only. */
void tsr_lm_store_across(tsr_lm *x, const tsr_lm_panel *d, const char *const *index, uint32_t v, const char *value);
/* Vector v of step `s` (text) of the right operand where it lies. */
const char *tsr_lm_load_right(tsr_lm *x, const tsr_lm_panel *p, const char *s, uint32_t v);
/* Asks the cache (3: the first one, 2: the second) for the rows of step `s` of a right operand that begins at `ptr`. */
void tsr_lm_ask_step(tsr_lm *x, const char *ptr, const char *stride, const char *s, int cache);
/* Sub-block `b` of the `blocks` that use the copied panel asks the second cache for its part of the next panel, which
 * the first sub-block there will copy, and of the left operand's next columns. Far rows come a page and more apart,
 * which no processor foresees. An address that is guessed wrong does no harm. A single sub-block does so on its way. */
void tsr_lm_ask_next(tsr_lm *x, const char *b, uint32_t blocks);
/* Asks for what the next step will copy (llvm_ahead.c). */
void tsr_lm_ask_ahead(tsr_lm *x);

#endif
