/* The LLVM functions that work on blocks, written on first use; each returns its name. */
#ifndef TSR_EMIT_LLVM_BLOCK_H
#define TSR_EMIT_LLVM_BLOCK_H

#include "emit/llvm_inside.h"

/* void (ptr block, ptr array, i64 offset, i64 stride): all in components, all inside the array. */
const char *tsr_ll_block_mover(tsr_ll *e, const tsr_ll_matrix *m, bool col_major, bool store);
/* The constant that tells tsr_host_part (ir/native.h) of such a move that is partly outside. */
const char *tsr_ll_block_part(tsr_ll *e, tsr_id id, const tsr_ll_matrix *m, bool col_major, bool store);
/* Tiles of an operand or of the result that lie in one array at even distances: the table names the first one. */
typedef struct tsr_ll_even {
    bool is;
    uint32_t down, across; /* components from kk to kk + 1 (a, b) or row to row (c); then from tile to tile */
} tsr_ll_even;

/* A grid of multiply-adds: tile (i, j) of the result is the sum over kk of a[kk][i] * b[kk][j], and an addend. All
 * tiles of an operand are alike. */
typedef struct tsr_ll_mma {
    tsr_ll_matrix a, b, r;              /* types of a tile */
    uint32_t rows, cols, depth;         /* of the grid */
    uint32_t lda, ldb, ldc;             /* components between rows; 0: the table tells */
    uint32_t ahead;                     /* cache lines to prefetch at each step, from the second parameter; 0: none */
    bool zero;                          /* no addend */
    tsr_ll_even even_a, even_b, even_c; /* c: in bytes; addends are the results */
} tsr_ll_mma;
/* void (ptr table, ptr ahead); a table of entries { ptr, i64 stride }: a[kk][i], b[kk][j], addends[i][j],
 * results[i][j]. Results are dense and may be the addends. */
const char *tsr_ll_block_mma(tsr_ll *e, const tsr_ll_mma *g);
/* Writes the table and calls it: matrices in that order. */
void tsr_ll_call_mma(tsr_ll *e, const tsr_ll_mma *g, const tsr_ll_matrix *a, const tsr_ll_matrix *b,
                     const tsr_ll_matrix *c, const uint32_t *to);
/* Index of the first entry of those four, and (4) how many there are. */
uint32_t tsr_ll_mma_entry(const tsr_ll_mma *g, uint32_t which);
/* Whether copies of the operands fit on the stack; whether such a grid is one function. */
bool tsr_ll_mma_fits(tsr_ll *e, const tsr_ll_mma *g);
bool tsr_ll_mma_joins(tsr_ll *e, const tsr_ll_mma *g);
/* Components between rows of a block, and rows that it has room for. */
uint32_t tsr_ll_block_pitch(const tsr_ll_matrix *m);
uint32_t tsr_ll_block_rows(const tsr_ll_matrix *m);
/* void (ptr to, ptr from, T scalar) */
const char *tsr_ll_block_scalar(tsr_ll *e, const tsr_ll_matrix *m, tsr_op op);

/* Of llvm_memory.c: the ptr to what a place in shared memory leads to (when its index is good), and the elements of a
 * run-time array there. */
uint32_t tsr_ll_shared_ptr(tsr_ll *e, const tsr_ll_place *p);
uint32_t tsr_ll_array_ptr(tsr_ll *e, const tsr_ll_place *p);
tsr_ll_word tsr_ll_element_count(tsr_ll *e, const tsr_ll_place *p, uint32_t stride);

#endif
