/* What the files of subgroup matrices share: matrix.c (types, constructors, scalar operations), matrix_access.c (load
 * and store), matrix_multiply.c. Inside tessera a matrix is [rows, columns] and offsets and strides count its
 * components; the three source forms are translated here and nowhere else. */
#ifndef TSR_WGSL_MATRIX_H
#define TSR_WGSL_MATRIX_H

#include "wgsl/resolve.h"

/* Larger sizes are refused: no machine comes near, and a value must fit the memory of an interpreter. */
#define TSR_MATRIX_SIZE_MAX 1024u
#define TSR_MATRIX_ARGS     5 /* subgroupMatrixStore(p, offset, value, col_major, stride) */

/* A call of a matrix function, its arguments evaluated. */
typedef struct tsr_matrix_call {
    const char *name;
    tsr_node node;
    tsr_span span;
    tsr_list templates; /* template arguments of the callee */
    uint32_t template_count;
    tsr_operand args[TSR_MATRIX_ARGS];
    uint32_t arg_count;
} tsr_matrix_call;

const tsr_type_info *tsr_matrix_info(const tsr_wgsl *w, tsr_type type); /* NULL when it is no subgroup matrix */
/* Equal constants or the same override. */
bool tsr_matrix_same_size(tsr_size a, tsr_size b);
/* "8" or the override's name. */
const char *tsr_matrix_size_text(tsr_wgsl *w, tsr_size s);
/* The component type that a template argument names: f32, f16, i32, u32, and u8 and i8, which mean nothing elsewhere.
 * TSR_COMPONENT_NONE with *type set when it names another type, with *type 0 after reporting. */
tsr_component tsr_matrix_component(tsr_wgsl *w, tsr_node n, tsr_type *type);
/* An argument as a number of matrix components in u32: i32 and AbstractInt become u32, times `factor`. 0 after
 * reporting. */
tsr_id tsr_matrix_count(tsr_wgsl *w, tsr_operand *o, uint32_t factor, const char *what);
/* The value of an operation that is of a matrix type: @must_use, known at run time. */
tsr_operand tsr_matrix_value(tsr_wgsl *w, tsr_id id, tsr_span span);
bool tsr_matrix_check_arg_count(tsr_wgsl *w, const tsr_matrix_call *c, uint32_t want, const char *usage);

tsr_operand tsr_matrix_load(tsr_wgsl *w, tsr_matrix_call *c);
tsr_operand tsr_matrix_store(tsr_wgsl *w, tsr_matrix_call *c);
tsr_operand tsr_matrix_multiply(tsr_wgsl *w, tsr_matrix_call *c);
tsr_operand tsr_matrix_multiply_accumulate(tsr_wgsl *w, tsr_matrix_call *c);

#endif
