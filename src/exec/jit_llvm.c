/* libLLVM through its C API, found at run time. Only what is declared here is used, and no header of LLVM is needed. */
#include "exec/jit_inside.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void *ref; /* all of LLVM's handles are pointers */

/* API(name, result, parameters). Source: llvm-c/Core.h, IRReader.h, Target.h, TargetMachine.h, Error.h,
 * Transforms/PassBuilder.h. */
#define LLVM_API(API)                                                                                                  \
    API(LLVMContextCreate, ref, (void))                                                                                \
    API(LLVMContextDispose, void, (ref context))                                                                       \
    API(LLVMContextSetDiagnosticHandler, void, (ref context, void (*handler)(ref info, void *user), void *user))       \
    API(LLVMCreateMemoryBufferWithMemoryRangeCopy, ref, (const char *data, size_t bytes, const char *name))            \
    API(LLVMParseIRInContext, int, (ref context, ref buffer, ref * module, char **message))                            \
    API(LLVMDisposeMessage, void, (char *message))                                                                     \
    API(LLVMDisposeModule, void, (ref module))                                                                         \
    API(LLVMSetTarget, void, (ref module, const char *triple))                                                         \
    API(LLVMSetModuleDataLayout, void, (ref module, ref layout))                                                       \
    API(LLVMCreateTargetDataLayout, ref, (ref machine))                                                                \
    API(LLVMDisposeTargetData, void, (ref layout))                                                                     \
    API(LLVMGetDefaultTargetTriple, char *, (void))                                                                    \
    API(LLVMGetTargetFromTriple, int, (const char *triple, ref *target, char **message))                               \
    API(LLVMGetHostCPUName, char *, (void))                                                                            \
    API(LLVMGetHostCPUFeatures, char *, (void))                                                                        \
    API(LLVMCreateTargetMachine, ref,                                                                                  \
        (ref target, const char *triple, const char *cpu, const char *features, int level, int reloc, int model))      \
    API(LLVMDisposeTargetMachine, void, (ref machine))                                                                 \
    API(LLVMCreatePassBuilderOptions, ref, (void))                                                                     \
    API(LLVMDisposePassBuilderOptions, void, (ref options))                                                            \
    API(LLVMRunPasses, ref, (ref module, const char *passes, ref machine, ref options))                                \
    API(LLVMGetErrorMessage, char *, (ref error))                                                                      \
    API(LLVMDisposeErrorMessage, void, (char *message))                                                                \
    API(LLVMTargetMachineEmitToMemoryBuffer, int, (ref machine, ref module, int kind, char **message, ref *buffer))    \
    API(LLVMGetBufferStart, const char *, (ref buffer))                                                                \
    API(LLVMGetBufferSize, size_t, (ref buffer))                                                                       \
    API(LLVMDisposeMemoryBuffer, void, (ref buffer))

typedef struct llvm_api {
    void *library;
    bool tried;
    unsigned major;
    char version[32];
    char why[256];
#define API(name, result, args) result(*name) args;
    LLVM_API(API)
#undef API
} llvm_api;

/* The library, once for the process: LLVM cannot be closed and opened again. */
static llvm_api llvm;
static pthread_mutex_t llvm_lock = PTHREAD_MUTEX_INITIALIZER;

enum { LEVEL_DEFAULT = 2, RELOC_PIC = 2, MODEL_DEFAULT = 0, FILE_ASSEMBLY = 0, FILE_OBJECT = 1 };

/* The two lists. Without gvn: LLVM 19's takes two calls of ctpop for one of which the first is good only under a
 * condition, since instcombine has noted a range there and licm has moved it away; and no kernel of bench/ gains by it.
 * 18's early-cse does the same, so it stands before the first instcombine only.
 * What else default<O2> has and the long list has not, neither gained: docs/jit.md, "LLVM". */
#define SHORT_LIST(combine) "function(sroa,early-cse," combine ",simplifycfg,loop-mssa(licm)," combine ",simplifycfg)"
#define LONG_LIST(combine)                                                                                             \
    "function(sroa,early-cse<memssa>," combine ",simplifycfg,jump-threading,simplifycfg,reassociate,"                  \
    "loop-mssa(licm,loop-rotate,licm),simplifycfg," combine ",loop(indvars,loop-deletion,loop-unroll-full),"           \
    "sroa,sccp,bdce," combine ",adce,loop-mssa(licm),simplifycfg," combine ",simplifycfg)"

/* Since 18, instcombine run by name ends the process when it has not settled, unless told not to look. */
static const char *list_of(tsr_jit_passes passes, unsigned major)
{
    static const char *const list[][2] = {
        [TSR_PASSES_SHORT] = {SHORT_LIST("instcombine"), SHORT_LIST("instcombine<no-verify-fixpoint>")},
        [TSR_PASSES_LONG] = {LONG_LIST("instcombine"), LONG_LIST("instcombine<no-verify-fixpoint>")},
    };
    return list[passes][major >= 18];
}

const char *tsr_jit_pass_list(tsr_jit_passes passes)
{
    return list_of(passes, UINT_MAX);
}

/* ---- Opening. */

static bool find_functions(llvm_api *a)
{
#define API(name, result, args)                                                                                        \
    *(void **)&a->name = dlsym(a->library, #name);                                                                     \
    if (!a->name) {                                                                                                    \
        snprintf(a->why, sizeof a->why, "libLLVM lacks " #name);                                                       \
        return false;                                                                                                  \
    }
    LLVM_API(API)
#undef API
    return true;
}

#if defined(__x86_64__)
#define TARGET_PREFIX "LLVMInitializeX86"
#elif defined(__aarch64__)
#define TARGET_PREFIX "LLVMInitializeAArch64"
#else
#define TARGET_PREFIX "LLVMInitializeNone"
#endif

static bool start_target(llvm_api *a)
{
    static const char *const part[] = {TARGET_PREFIX "TargetInfo", TARGET_PREFIX "Target", TARGET_PREFIX "TargetMC",
                                       TARGET_PREFIX "AsmPrinter"};
    for (size_t i = 0; i < TSR_COUNT_OF(part); i++) {
        void (*start)(void);
        *(void **)&start = dlsym(a->library, part[i]);
        if (!start) {
            snprintf(a->why, sizeof a->why, "libLLVM lacks %s", part[i]);
            return false;
        }
        start();
    }
    return true;
}

/* Once loaded it stays: LLVM keeps memory of its own that unloading would lose. Newest first. Source: the names under
 * which Debian, Fedora and LLVM itself install it. */
static void *open_library(void)
{
    static const char *const name[] = {"libLLVM.so.22.1", "libLLVM.so.21.1", "libLLVM.so.20.1", "libLLVM.so.19.1",
                                       "libLLVM-19.so",   "libLLVM.so.18.1", "libLLVM-18.so",   "libLLVM-17.so",
                                       "libLLVM-17.so.1", "libLLVM-16.so",   "libLLVM-16.so.1", "libLLVM-15.so",
                                       "libLLVM-15.so.1"};
    const char *chosen = getenv("TSR_LLVM");
    if (chosen && *chosen) return dlopen(chosen, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    for (size_t i = 0; i < TSR_COUNT_OF(name); i++) {
        void *library = dlopen(name[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
        if (library) return library;
    }
    return NULL;
}

static void find_version(llvm_api *a)
{
    void (*get)(unsigned *, unsigned *, unsigned *);
    unsigned major = 15, minor = 0, patch = 0;
    *(void **)&get = dlsym(a->library, "LLVMGetVersion"); /* since 16 */
    if (get) get(&major, &minor, &patch);
    a->major = major;
    snprintf(a->version, sizeof a->version, "%u.%u.%u", major, minor, patch);
}

static void open_once(llvm_api *a)
{
    a->tried = true;
    void *library = open_library();
    if (!library) {
        const char *chosen = getenv("TSR_LLVM");
        if (chosen && *chosen)
            snprintf(a->why, sizeof a->why, "TSR_LLVM names no library that can be loaded");
        else
            snprintf(a->why, sizeof a->why, "no libLLVM of version 15 to 22 was found (Debian: libllvm19)");
        return;
    }
    a->library = library;
    if (find_functions(a) && start_target(a)) {
        find_version(a);
        return;
    }
    a->library = NULL;
}

bool tsr_jit_open_llvm(tsr_text *why)
{
    pthread_mutex_lock(&llvm_lock);
    if (!llvm.tried) open_once(&llvm);
    bool ok = llvm.library != NULL;
    pthread_mutex_unlock(&llvm_lock);
    if (!ok && why) tsr_text_puts(why, llvm.why);
    return ok;
}

const char *tsr_jit_llvm_version(void)
{
    return llvm.library ? llvm.version : NULL;
}

/* ---- Compiling. */

typedef struct job {
    ref context, module, machine, buffer;
    const tsr_jit_args *args;
    tsr_jit_passes passes;
    tsr_text *why;
} job;

static void ignore_remark(ref info, void *user)
{
    (void)info;
    (void)user;
}

static bool parse(job *j)
{
    char *message = NULL;
    j->context = llvm.LLVMContextCreate();
    llvm.LLVMContextSetDiagnosticHandler(j->context, ignore_remark, NULL);
    ref text = llvm.LLVMCreateMemoryBufferWithMemoryRangeCopy(j->args->text, j->args->text_bytes, "tessera");
    if (llvm.LLVMParseIRInContext(j->context, text, &j->module, &message) == 0) return true;
    tsr_text_printf(j->why, "LLVM %s cannot read the program: %s", llvm.version, message ? message : "");
    if (message) llvm.LLVMDisposeMessage(message);
    return false;
}

static bool make_machine(job *j)
{
    char *message = NULL, *triple = llvm.LLVMGetDefaultTargetTriple(), *cpu = llvm.LLVMGetHostCPUName(),
         *features = llvm.LLVMGetHostCPUFeatures();
    const tsr_jit_cpu *c = j->args->cpu;
    ref target;
    char list[4096];
    bool host = c->name[0] == 0;
    snprintf(list, sizeof list, "%s%s%s", host ? features : "", host && c->features[0] ? "," : "", c->features);
    if (llvm.LLVMGetTargetFromTriple(triple, &target, &message) == 0)
        j->machine = llvm.LLVMCreateTargetMachine(target, triple, host ? cpu : c->name, list, LEVEL_DEFAULT, RELOC_PIC,
                                                  MODEL_DEFAULT);
    if (j->machine) {
        ref layout = llvm.LLVMCreateTargetDataLayout(j->machine);
        llvm.LLVMSetTarget(j->module, triple);
        llvm.LLVMSetModuleDataLayout(j->module, layout);
        llvm.LLVMDisposeTargetData(layout);
    } else {
        tsr_text_printf(j->why, "LLVM has no code for %s: %s", triple, message ? message : "");
    }
    if (message) llvm.LLVMDisposeMessage(message);
    llvm.LLVMDisposeMessage(triple);
    llvm.LLVMDisposeMessage(cpu);
    llvm.LLVMDisposeMessage(features);
    return j->machine != NULL;
}

static bool run_passes(job *j, tsr_jit_passes passes, tsr_text *why)
{
    ref options = llvm.LLVMCreatePassBuilderOptions();
    ref error = llvm.LLVMRunPasses(j->module, list_of(passes, llvm.major), j->machine, options);
    llvm.LLVMDisposePassBuilderOptions(options);
    if (!error) return true;
    char *message = llvm.LLVMGetErrorMessage(error);
    if (why) tsr_text_printf(why, "LLVM's passes failed: %s", message);
    llvm.LLVMDisposeErrorMessage(message);
    return false;
}

/* A list with a name that this LLVM has not is refused before any of it runs; all have those of the short one. */
static bool optimise(job *j)
{
    return (j->passes == TSR_PASSES_LONG && run_passes(j, TSR_PASSES_LONG, NULL)) ||
           run_passes(j, TSR_PASSES_SHORT, j->why);
}

static bool emit(job *j, int kind)
{
    char *message = NULL;
    if (llvm.LLVMTargetMachineEmitToMemoryBuffer(j->machine, j->module, kind, &message, &j->buffer) == 0) return true;
    tsr_text_printf(j->why, "LLVM cannot make code: %s", message ? message : "");
    if (message) llvm.LLVMDisposeMessage(message);
    j->buffer = NULL;
    return false;
}

static void drop(job *j)
{
    if (j->buffer) llvm.LLVMDisposeMemoryBuffer(j->buffer);
    if (j->machine) llvm.LLVMDisposeTargetMachine(j->machine);
    if (j->module) llvm.LLVMDisposeModule(j->module);
    if (j->context) llvm.LLVMContextDispose(j->context);
    memset(j, 0, sizeof *j);
}

/* Emission changes the module, so the text is made by a run of its own. */
static void write_assembly(const tsr_jit_args *args, tsr_jit_passes passes, tsr_text *why)
{
    job j = {.args = args, .passes = passes, .why = why};
    if (parse(&j) && make_machine(&j) && optimise(&j) && emit(&j, FILE_ASSEMBLY))
        tsr_text_add(args->assembly, llvm.LLVMGetBufferStart(j.buffer), llvm.LLVMGetBufferSize(j.buffer));
    drop(&j);
}

tsr_status tsr_jit_compile(const tsr_jit_args *args, tsr_jit_passes passes, unsigned char **object, size_t *bytes,
                           tsr_text *why)
{
    if (!tsr_jit_open_llvm(why)) return TSR_ERR_UNSUPPORTED;
    job j = {.args = args, .passes = passes, .why = why};
    tsr_status st = TSR_ERR_UNSUPPORTED;
    if (parse(&j) && make_machine(&j) && optimise(&j) && emit(&j, FILE_OBJECT)) {
        *bytes = llvm.LLVMGetBufferSize(j.buffer);
        *object = malloc(*bytes + 1);
        st = *object ? TSR_OK : TSR_ERR_MEMORY;
        if (*object) memcpy(*object, llvm.LLVMGetBufferStart(j.buffer), *bytes);
    }
    drop(&j);
    if (args->assembly && st == TSR_OK) write_assembly(args, passes, why);
    return st;
}
