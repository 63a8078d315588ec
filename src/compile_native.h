/* The pipeline's way to native code: a built program, through emit/llvm.c, to exec/jit.c. */
#ifndef TSR_COMPILE_NATIVE_H
#define TSR_COMPILE_NATIVE_H

#include "compile.h"
#include "exec/jit.h"

typedef struct tsr_native_args {
    uint32_t subgroup_size;
    bool exact_bits; /* floats as the interpreter computes them */
    bool stacks;     /* a stack for each subgroup where there are barriers */
    bool use_cache;
    tsr_jit_passes passes;
    bool debug;          /* source lines, and debuggers are told of the code */
    bool perf;           /* and profilers */
    tsr_text *llvm_text; /* receives the LLVM IR; NULL: not wanted */
    tsr_text *assembly;  /* receives the machine code as text; NULL: not wanted */
} tsr_native_args;

/* Fails with a sentence in `why` (malloc text) when the program cannot be native code here; the interpreter can run it.
 */
tsr_status tsr_build_native(tsr_built *b, const tsr_native_args *args, tsr_jit **out, tsr_text *why);

#endif
