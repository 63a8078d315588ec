/* The LLVM functions that work on blocks, written on first use; each returns its name. */
#ifndef TSR_EMIT_LLVM_BLOCK_H
#define TSR_EMIT_LLVM_BLOCK_H

#include "emit/llvm_inside.h"

/* void (ptr to, i64 bytes), void (ptr to, ptr from, i64 bytes); bytes a multiple of 64. */
const char *tsr_ll_block_zero(tsr_ll *e);
const char *tsr_ll_block_copy(tsr_ll *e);
/* void (ptr block, ptr array, i64 offset, i64 stride, i64 present): all in components. Not `inside`: each is tested. */
const char *tsr_ll_block_mover(tsr_ll *e, const tsr_ll_matrix *m, bool col_major, bool store, bool inside);
/* void (ptr d, ptr c, i64 stride, ptr a, i64 stride, ptr b, i64 stride); d is dense and may be c. */
const char *tsr_ll_block_mma(tsr_ll *e, const tsr_ll_matrix *a, const tsr_ll_matrix *b, const tsr_ll_matrix *r,
                             bool zero);
/* void (ptr to, ptr from, T scalar) */
const char *tsr_ll_block_scalar(tsr_ll *e, const tsr_ll_matrix *m, tsr_op op);

/* Of llvm_memory.c: the ptr to what a place in shared memory leads to (when its index is good), and the elements of a
 * run-time array there. */
uint32_t tsr_ll_shared_ptr(tsr_ll *e, const tsr_ll_place *p);
tsr_ll_word tsr_ll_element_count(tsr_ll *e, const tsr_ll_place *p, uint32_t stride);

#endif
