/* Native code in two steps. A short list of LLVM's passes makes the first code soon; what has run for long is compiled
 * again by a long list, in a thread of its own, and runs that begin afterwards use that. Both give the same results.
 * Runs in progress end on the code that they began with, for neither is freed before the pipeline is. Nobody waits for
 * the thread but the end of the process: it and the pipeline share what it works on, and who is last frees it. If the
 * second code cannot be made, the first stays. */
#include "exec/jit_inside.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How long runs must have taken: twenty times what the second compilation takes, so that where it gains nothing it
 * costs a twentieth, once. Opening libLLVM takes some 25 ms, where the first code came from the cache, and a byte of
 * text 0.8 to 1.5 us (measured: Zen 5, kernels of bench/, the long list). */
#define HOT_NS          UINT64_C(500000000)
#define HOT_NS_PER_BYTE UINT64_C(25000)
#define STACK_BYTES     ((size_t)8 << 20) /* what a main thread has; LLVM recurses over programs */

/* A compilation to come, in progress, or done. */
typedef struct second {
    _Atomic uint32_t owners;
    _Atomic(tsr_code *) code; /* NULL: not there yet */
    char engine[64];          /* as tsr_jit_engine says it; before `code` is there */
    tsr_jit_args args;        /* of the first, with text, cpu and program of our own */
    tsr_jit_cpu cpu;
    tsr_program program; /* what it points to is used by runs alone */
    tsr_cache_key key;
    char text[];
} second;

struct tsr_jit {
    tsr_code *first;
    char engine[64];
    second *second; /* NULL: the first stays */
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

static second *new_second(const tsr_jit_args *args, tsr_cache_key key)
{
    second *s = calloc(1, sizeof *s + args->text_bytes + 1);
    if (!s) return NULL;
    memcpy(s->text, args->text, args->text_bytes);
    s->owners = 1;
    s->cpu = *args->cpu;
    s->program = *args->program;
    s->key = key;
    s->args = *args;
    s->args.text = s->text;
    s->args.cpu = &s->cpu;
    s->args.program = &s->program;
    return s;
}

static void drop_second(second *s)
{
    if (!s || atomic_fetch_sub(&s->owners, 1) > 1) return;
    tsr_code_free(atomic_load(&s->code));
    free(s);
}

/* Perhaps another process has made it since. */
static void *make_second(void *user)
{
    second *s = user;
    tsr_text why;
    tsr_jit_background_enter();
    tsr_text_init(&why, NULL);
    tsr_code *code = s->args.use_cache ? tsr_code_find(&s->args, s->key, TSR_PASSES_LONG) : NULL;
    bool cached = code != NULL;
    if (cached || tsr_code_new(&s->args, s->key, TSR_PASSES_LONG, &code, &why) == TSR_OK) {
        name_engine(s->engine, sizeof s->engine, true, cached);
        atomic_store(&s->code, code);
    }
    tsr_text_fini(&why);
    drop_second(s);
    tsr_jit_background_leave();
    return NULL;
}

/* Signals go to threads of the program that uses us. */
static bool start_thread(second *s)
{
    pthread_t thread;
    pthread_attr_t attributes;
    sigset_t all, before;
    if (pthread_attr_init(&attributes) != 0) return false;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool ok = pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0 &&
              pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED) == 0 &&
              pthread_create(&thread, &attributes, make_second, s) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return ok;
}

static void start_second(second *s)
{
    if (!tsr_jit_background_add()) return;
    atomic_fetch_add(&s->owners, 1);
    if (start_thread(s)) return;
    drop_second(s);
    tsr_jit_background_leave();
}

/* Of runs that end at once, one crosses the line. */
static void count_run(tsr_jit *j, uint64_t time_ns)
{
    uint64_t before = atomic_fetch_add(&j->run_ns, time_ns);
    if (before < j->after_ns && before + time_ns >= j->after_ns) start_second(j->second);
}

/* ---- The whole. */

/* Where both lists will do, what the cache has of the long one is taken at once. Debuggers and profilers see code that
 * stays. */
static tsr_status make_first(tsr_jit *j, const tsr_jit_args *args, tsr_text *why)
{
    bool look = args->use_cache && !args->assembly, hot = args->passes != TSR_PASSES_SHORT;
    tsr_cache_key key = {{0, 0}};
    if (args->use_cache) key = tsr_code_key(args);
    if (look && hot) j->first = tsr_code_find(args, key, TSR_PASSES_LONG);
    hot = j->first || args->passes == TSR_PASSES_LONG;
    if (look && !hot) j->first = tsr_code_find(args, key, TSR_PASSES_SHORT);
    bool cached = j->first != NULL;
    tsr_status st = cached ? TSR_OK : tsr_code_new(args, key, hot ? TSR_PASSES_LONG : TSR_PASSES_SHORT, &j->first, why);
    if (st != TSR_OK) return st;
    name_engine(j->engine, sizeof j->engine, hot, cached);
    if (hot || args->passes != TSR_PASSES_BOTH || args->debug_name || args->assembly) return TSR_OK;
    j->second = new_second(args, key);
    j->after_ns = HOT_NS + HOT_NS_PER_BYTE * args->text_bytes;
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
    drop_second(j->second);
    free(j);
}

static tsr_code *find_second(const tsr_jit *j)
{
    return j->second ? atomic_load(&j->second->code) : NULL;
}

const char *tsr_jit_engine(const tsr_jit *j)
{
    return find_second(j) ? j->second->engine : j->engine;
}

tsr_status tsr_jit_run(tsr_jit *j, const tsr_exec_args *args, tsr_exec_report *report)
{
    tsr_exec_report own;
    if (!report) report = &own;
    tsr_code *code = find_second(j);
    bool count = j->second && !code;
    tsr_status st = tsr_code_run(code ? code : j->first, args, report);
    if (count) count_run(j, report->time_ns);
    return st;
}
