/* From a program to LLVM IR as text.
 *
 * The module defines `void @tsr_kernel(ptr frame)` and `@tsr_info`. A call runs the workgroups from frame.from to
 * frame.to: all their subgroups or, where @tsr_info says so, one of them, and each has a stack of its own. The
 * frame is the struct that the code reads and calls through: nothing outside is named, so that the object needs no
 * linking. exec/jit_inside.h is the same struct in C. */
#ifndef TSR_EMIT_LLVM_H
#define TSR_EMIT_LLVM_H

#include "base/diag.h"
#include "ir/native.h"
#include "ir/program.h"

typedef struct tsr_llvm_options {
    uint32_t subgroup_size;
    tsr_native_cpu cpu;
    bool exact_bits;          /* floats as the interpreter computes them */
    bool stacks;              /* barriers never as fission */
    const tsr_source *source; /* the code carries its lines; NULL: none */
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
    TSR_LLVM_INFO_BARRIERS, /* 1: the code calls frame.barrier and runs one subgroup; 0: all of them */
    TSR_LLVM_INFO_COUNT = 8
};

/* Byte offsets in the frame. */
enum {
    TSR_FRAME_MEMORY = 0,    /* ptr to { ptr, i64 } for each resource */
    TSR_FRAME_GROUP = 8,     /* ptr: workgroup memory */
    TSR_FRAME_EVAL = 16,     /* void (*)(u32 what, u64 n, ptr a, ptr b, ptr c, ptr d, ptr result) */
    TSR_FRAME_BARRIER = 24,  /* void (*)(ptr frame) */
    TSR_FRAME_STOP = 32,     /* ptr to i32: not 0 when the run must end */
    TSR_FRAME_MMA = 40,      /* void (*)(ptr what: 8 words, ptr a, ptr b, ptr c, ptr r) */
    TSR_FRAME_GROUP_ID = 48, /* u32[3]: of the (first) workgroup */
    TSR_FRAME_GROUPS = 60,   /* u32[3] */
    TSR_FRAME_SUBGROUP = 72, /* u32 */
    TSR_FRAME_ZERO = 76,     /* u32: 0, which LLVM does not know */
    TSR_FRAME_OOB = 80,      /* ptr to u64[3]: accesses out of bounds, matrix ones, the first one's instruction */
    TSR_FRAME_FROM = 88,     /* u64: the first workgroup, counted through; on return the one behind the last that ran */
    TSR_FRAME_TO = 96,       /* u64: the one behind the last */
    TSR_FRAME_LANES = 104,   /* void (*)(ptr frame, u32 what, u32 id, ptr base, ptr block) */
    TSR_FRAME_EVEN = 112     /* void (*)(ptr frame, u32 what, u32 id, ptr base, ptr block, u32 index, u32 index_step,
                                u32 count, u32 offset, u32 offset_step) */
};

/* frame.eval's `what`: an op with the kind of its operands, or a conversion. */
#define TSR_EVAL_WHAT(op, kind)         ((uint32_t)(op) << 8 | (uint32_t)(kind))
#define TSR_EVAL_WHAT_CONVERT(from, to) (0x80000000u | (uint32_t)(from) << 8 | (uint32_t)(to))

#endif
