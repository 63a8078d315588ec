/* Native code in two steps. A short list of LLVM's passes makes the first code soon; what has run for long is compiled
 * again by a long list, and runs that begin afterwards use that. Both give the same results.
 *
 * The second compilation happens at the start of a run, in the thread that asks for it: a thread in the background
 * would have to be kept from LLVM's destructors when the process ends, from forks, and from being unloaded. Runs that
 * other threads ask for meanwhile use the first code; neither is freed before the pipeline is. If the second code
 * cannot be made, the first stays. */
#include "exec/jit_inside.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How long runs must have taken: twenty times what the second compilation takes, so that where it gains nothing it
 * costs a twentieth, once. Opening libLLVM takes some 25 ms, where the first code came from the cache, and a byte of
 * text 0.8 to 1.5 us (measured: Zen 5, kernels of bench/, the long list). */
#define HOT_NS          UINT64_C(500000000)
#define HOT_NS_PER_BYTE UINT64_C(25000)

/* What the second compilation works on: the arguments of the first, with text and cpu of our own. */
typedef struct second {
    tsr_jit_args args;
    tsr_jit_cpu cpu;
    char text[];
} second;

struct tsr_jit {
    tsr_code *first;
    _Atomic(tsr_code *) hot; /* NULL: not there yet, or never */
    char engine[64], hot_engine[64];
    second *second; /* NULL: the first stays; belongs to who has set `is_taken` */
    _Atomic bool is_taken;
    uint64_t after_ns;
    _Atomic uint64_t run_ns; /* of all runs together */
};

static void name_engine(char *out, size_t bytes, bool hot, bool cached)
{
    if (cached)
        snprintf(out, bytes, "%snative code from the cache", hot ? "hot " : "");
    else
        snprintf(out, bytes, "%snative code, LLVM %s", hot ? "hot " : "", tsr_jit_llvm_version());
}

/* ---- The second code. */

static second *new_second(const tsr_jit_args *args)
{
    second *s = calloc(1, sizeof *s + args->text_bytes + 1);
    if (!s) return NULL;
    memcpy(s->text, args->text, args->text_bytes);
    s->cpu = *args->cpu;
    s->args = *args;
    s->args.text = s->text;
    s->args.cpu = &s->cpu;
    return s;
}

/* Perhaps another process has made it since. */
static void make_hot(tsr_jit *j)
{
    const tsr_jit_args *args = &j->second->args;
    tsr_text why;
    tsr_text_init(&why, NULL);
    tsr_code *code = args->use_cache ? tsr_code_find(args, TSR_PASSES_LONG) : NULL;
    bool cached = code != NULL;
    if (cached || tsr_code_new(args, TSR_PASSES_LONG, &code, &why) == TSR_OK) {
        name_engine(j->hot_engine, sizeof j->hot_engine, true, cached);
        atomic_store(&j->hot, code);
    }
    tsr_text_fini(&why);
    free(j->second);
    j->second = NULL;
}

/* ---- The whole. */

/* Where both lists will do, what the cache has of the long one is taken at once. Debuggers and profilers see code that
 * stays. */
static tsr_status make_first(tsr_jit *j, const tsr_jit_args *args, tsr_text *why)
{
    bool look = args->use_cache && !args->assembly, hot = args->passes != TSR_PASSES_SHORT;
    if (look && hot) j->first = tsr_code_find(args, TSR_PASSES_LONG);
    hot = j->first || args->passes == TSR_PASSES_LONG;
    if (look && !hot) j->first = tsr_code_find(args, TSR_PASSES_SHORT);
    bool cached = j->first != NULL;
    tsr_status st = cached ? TSR_OK : tsr_code_new(args, hot ? TSR_PASSES_LONG : TSR_PASSES_SHORT, &j->first, why);
    if (st != TSR_OK) return st;
    name_engine(j->engine, sizeof j->engine, hot, cached);
    bool stays = hot || args->passes != TSR_PASSES_BOTH || args->debug_name || args->assembly;
    j->second = stays ? NULL : new_second(args);
    j->after_ns = j->second ? HOT_NS + HOT_NS_PER_BYTE * args->text_bytes : UINT64_MAX;
    return TSR_OK;
}

tsr_status tsr_jit_new(const tsr_jit_args *args, tsr_jit **out, tsr_text *why)
{
    tsr_jit *j = calloc(1, sizeof *j);
    if (!j) return TSR_ERR_MEMORY;
    tsr_status st = make_first(j, args, why);
    if (st != TSR_OK) {
        tsr_jit_free(j);
        return st;
    }
    *out = j;
    return TSR_OK;
}

void tsr_jit_free(tsr_jit *j)
{
    if (!j) return;
    tsr_code_free(j->first);
    tsr_code_free(atomic_load(&j->hot));
    free(j->second);
    free(j);
}

const char *tsr_jit_engine(const tsr_jit *j)
{
    return atomic_load(&j->hot) ? j->hot_engine : j->engine;
}

tsr_status tsr_jit_run(tsr_jit *j, const tsr_exec_args *args, tsr_exec_report *report)
{
    tsr_exec_report own;
    if (!report) report = &own;
    if (atomic_load(&j->run_ns) >= j->after_ns && !atomic_exchange(&j->is_taken, true)) make_hot(j);
    tsr_code *hot = atomic_load(&j->hot);
    tsr_status st = tsr_code_run(hot ? hot : j->first, args, report);
    if (!hot) atomic_fetch_add(&j->run_ns, report->time_ns);
    return st;
}
