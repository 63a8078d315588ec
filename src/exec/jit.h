/* Native code for a program: LLVM text becomes an object through a libLLVM that is opened at run time, or comes from
 * the cache on disk; the object is loaded here and run over the grid, a subgroup a call. What runs for long is compiled
 * again, with more of LLVM's passes. */
#ifndef TSR_EXEC_JIT_H
#define TSR_EXEC_JIT_H

#include "exec/interp.h"
#include "ir/native.h"

/* What this machine's processor can do, or what the environment variable TSR_CPU says. */
typedef struct tsr_jit_cpu {
    char name[64];     /* as LLVM calls it; "" is the host */
    char features[64]; /* LLVM's feature string, besides the host's own */
    tsr_native_cpu can;
} tsr_jit_cpu;
/* False, with a sentence, when TSR_CPU asks for what this processor lacks or is no such word. */
bool tsr_jit_cpu_find(tsr_jit_cpu *cpu, tsr_text *why);
/* What of it code with so many lanes may use. */
void tsr_jit_cpu_fit(tsr_jit_cpu *cpu, uint32_t lanes);

/* Whether a libLLVM can be opened, and which; says why not. Opened once, never closed. */
bool tsr_jit_open_llvm(tsr_text *why);
/* "19.1.7"; NULL before it is open. */
const char *tsr_jit_llvm_version(void);

typedef struct tsr_jit tsr_jit;

/* Which of LLVM's passes: a short list, or a long one that takes longer and gives the same results. */
typedef enum tsr_jit_passes {
    TSR_PASSES_SHORT,
    TSR_PASSES_LONG,
    TSR_PASSES_BOTH, /* the short list's code, until runs have taken long enough and the long list's is there */
} tsr_jit_passes;

typedef struct tsr_jit_args {
    const char *text; /* LLVM IR: emit/llvm.h says what it defines */
    size_t text_bytes;
    const tsr_jit_cpu *cpu;
    const tsr_program *program; /* only its sizes and resources; must outlive the code */
    uint32_t subgroup_size;
    bool use_cache;
    tsr_jit_passes passes;
    const char *debug_name; /* debuggers are told of the code under that name; NULL: they are not */
    bool perf;              /* and profilers */
    tsr_text *assembly;     /* receives the machine code as text; NULL: not wanted */
} tsr_jit_args;

tsr_status tsr_jit_new(const tsr_jit_args *args, tsr_jit **out, tsr_text *why);
/* No run may be in progress. */
void tsr_jit_free(tsr_jit *j);
/* What the last run used, or the first would use: "native code, LLVM 19.1.7", "hot native code from the cache". */
const char *tsr_jit_engine(const tsr_jit *j);
/* As tsr_interp_run; of accesses out of bounds it tells how many there were and where the first was, not its index. */
tsr_status tsr_jit_run(tsr_jit *j, const tsr_exec_args *args, tsr_exec_report *report);

#endif
