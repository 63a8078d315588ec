/* From a program to LLVM IR as text, for native code that runs one subgroup of one workgroup per call.
 *
 * The module defines `void @tsr_kernel(ptr frame)` and `@tsr_info`. The frame is the struct that the code reads and
 * calls through: nothing outside is named, so that the object needs no linking. exec/jit_frame.h is the same struct in
 * C. */
#ifndef TSR_EMIT_LLVM_H
#define TSR_EMIT_LLVM_H

#include "base/diag.h"
#include "ir/program.h"

typedef struct tsr_llvm_options {
    uint32_t subgroup_size;
    uint32_t vector_bytes; /* of the machine's registers: 16, 32 or 64 */
    bool fma;              /* has fused multiply-add on vectors */
    bool f16c;             /* converts f16 */
    bool masked_store;     /* stores vectors of 32-bit words under a mask */
    bool gather;           /* has a gather that is faster than single loads */
    bool vnni;             /* vpdpbusd on the whole register */
    bool x86;              /* x86 intrinsics may be used */
    bool exact_bits;       /* floats as the interpreter computes them */
} tsr_llvm_options;

/* false when the program holds something that is not emitted; `why` then says what. */
bool tsr_llvm_emit(const tsr_program *p, const tsr_llvm_options *options, tsr_arena *arena, tsr_text *out,
                   tsr_text *why);

/* Words of @tsr_info. */
enum {
    TSR_LLVM_INFO_VERSION,
    TSR_LLVM_INFO_SUBGROUP,
    TSR_LLVM_INFO_GROUP_BYTES,
    TSR_LLVM_INFO_STACK_BYTES,
    TSR_LLVM_INFO_BARRIERS, /* 1: the code calls frame.barrier */
    TSR_LLVM_INFO_COUNT = 8
};
#define TSR_LLVM_VERSION 1u

/* Byte offsets in the frame. */
enum {
    TSR_FRAME_MEMORY = 0,    /* ptr to { ptr, i64 } for each resource */
    TSR_FRAME_GROUP = 8,     /* ptr: workgroup memory */
    TSR_FRAME_EVAL = 16,     /* void (*)(u32 what, u64 n, ptr a, ptr b, ptr c, ptr d, ptr result) */
    TSR_FRAME_BARRIER = 24,  /* void (*)(ptr frame) */
    TSR_FRAME_STOP = 32,     /* ptr to i32: not 0 when the run must end */
    TSR_FRAME_MMA = 40,      /* void (*)(ptr what: 8 words, ptr a, ptr b, ptr c, ptr r) */
    TSR_FRAME_GROUP_ID = 48, /* u32[3] */
    TSR_FRAME_GROUPS = 60,   /* u32[3] */
    TSR_FRAME_SUBGROUP = 72, /* u32 */
    TSR_FRAME_OOB = 80       /* ptr to u64[3]: accesses out of bounds, matrix ones, the first one's instruction */
};

/* frame.eval's `what`: an op with the kind of its operands, or a conversion. */
#define TSR_EVAL_WHAT(op, kind)         ((uint32_t)(op) << 8 | (uint32_t)(kind))
#define TSR_EVAL_WHAT_CONVERT(from, to) (0x80000000u | (uint32_t)(from) << 8 | (uint32_t)(to))

#endif
