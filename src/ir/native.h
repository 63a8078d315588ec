/* What native code and its host agree on beyond the frame (emit/llvm.h, exec/jit_inside.h): the version of it all,
 * what the processor can do, and how code asks the host to do something lane by lane. */
#ifndef TSR_IR_NATIVE_H
#define TSR_IR_NATIVE_H

#include <stdbool.h>
#include <stdint.h>

#define TSR_NATIVE_VERSION 6u

/* What a processor can do, as far as the code asks. */
typedef struct tsr_native_cpu {
    uint32_t vector_bytes; /* of its registers: 16, 32 or 64 */
    uint32_t registers;    /* how many: 16 or 32 */
    bool fma;              /* has fused multiply-add on vectors */
    bool f16c;             /* converts f16 */
    bool rounds;           /* floor and its kin are instructions */
    bool masked_store;     /* stores vectors of 32-bit words under a mask */
    bool gather;           /* has a gather that is faster than single loads */
    bool vnni;             /* vpdpbusd on the whole register */
    bool dot;              /* AArch64: sdot and udot */
    bool mixed_dot;        /* AArch64: usdot */
    bool x86;              /* x86 intrinsics may be used */
} tsr_native_cpu;

/* frame.lanes does one thing in each lane, ascending, and counts the active lanes that are out of range for instruction
 * `id`. frame.even is the same where the index is index + lane * index_step, in range below count, and the byte offset
 * is offset + lane * offset_step.
 *
 * `what`: an op (load, store, an atomic; `index` only counts, `mload` counts one matrix access), log2 of the bytes of a
 * scalar, log2 of the subgroup size, and flags. */
#define TSR_LANES_WHAT(op, log2_bytes, log2_size)                                                                      \
    ((uint32_t)(op) | (uint32_t)(log2_bytes) << 16 | (uint32_t)(log2_size) << 20)
#define TSR_LANES_OP(what)         ((tsr_op)((what)&0xffff))
#define TSR_LANES_LOG2_BYTES(what) ((what) >> 16 & 3u)
#define TSR_LANES_SIZE(what)       (1u << ((what) >> 20 & 7u))
#define TSR_LANES_MASKED           (1u << 24) /* the active lanes are in the block; else all are */
#define TSR_LANES_CHECKED          (1u << 25) /* those in range are in the block; else all are */
#define TSR_LANES_NONE             (1u << 26) /* none is in range */
#define TSR_LANES_SILENT           (1u << 27) /* nothing is counted */
#define TSR_LANES_SIGNED           (1u << 28) /* atomic_min and atomic_max compare i32 */
#define TSR_LANES_OWN              (1u << 29) /* no other thread sees the words: atomics need not be atomic */
#define TSR_LANES_UNUSED           (1u << 30) /* nobody wants what an atomic found */

/* The block, in bytes: which lanes are in range and which are active, as bits; then arrays with a word a lane. */
#define TSR_LANES_IN_RANGE    0u
#define TSR_LANES_ACTIVE      16u
#define TSR_LANES_ARRAYS      64u
#define TSR_LANES_OFFSETS     0u /* bytes from the base */
#define TSR_LANES_VALUES      1u /* what is stored, what was loaded; 2-byte scalars are packed */
#define TSR_LANES_COMPARANDS  2u
#define TSR_LANES_ARRAY_COUNT 5u

/* Functions of the host that the code calls by name (exec/jit_object.c finds them):
 *
 *   void tsr_host_part(ptr frame, ptr what, ptr block, ptr array, i64 offset, i64 stride, i64 present)
 *     moves a matrix that is partly outside of its array, and counts that: what is absent loads as zero. Offset, stride
 *     and present are components; `what`: the words below.
 *   void tsr_host_ahead(ptr table, i32 lines)
 *     prefetches, `lines` cache lines each, where some of the next step's loads will be: as far from this step's loads
 *     as these are from those before. */
enum {
    TSR_PART_ID, /* the instruction */
    TSR_PART_FLAGS,
    TSR_PART_COMPONENT,
    TSR_PART_ROWS,
    TSR_PART_COLS,
    TSR_PART_PITCH,       /* of the block, components */
    TSR_PART_PADDED_ROWS, /* rows that the block has room for */
    TSR_PART_WORDS
};
#define TSR_PART_STORE     1u /* to the array */
#define TSR_PART_COL_MAJOR 2u
#define TSR_PART_TURNED    4u /* the block is column-major */
#define TSR_PART_WIDE      8u /* its components have 32 bits, whatever the array's have */

/* The table: ptr[SLOTS], loads of this step; the same of the step before; then two u32, how many were noted and asked
 * for. */
#define TSR_AHEAD_SLOTS  64u /* more are noted over these */
#define TSR_AHEAD_BEFORE (TSR_AHEAD_SLOTS * 8u)
#define TSR_AHEAD_COUNT  (TSR_AHEAD_SLOTS * 16u)
#define TSR_AHEAD_ASKED  (TSR_AHEAD_COUNT + 4u)
#define TSR_AHEAD_BYTES  (TSR_AHEAD_COUNT + 64u)

#endif
