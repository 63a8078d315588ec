/* From LLVM text to code that can be called: which processor it is for, the cache, loading. */
#include "exec/jit_inside.h"

#include "base/map.h"
#include "ir/native.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

/* ---- The processor. */

/* The paths that TSR_CPU can name, each a processor of its own, from the least: a machine that has one has those before
 * it. Without TSR_CPU code is made for the machine itself. */
typedef struct path {
    const char *word;
    tsr_jit_cpu cpu;
} path;

#if defined(__x86_64__) && defined(__GNUC__)
static const path paths[] = {
    {"plain", {.name = "x86-64", .can = {.vector_bytes = 16, .registers = 16, .x86 = true}}},
    {"avx2",
     {.name = "x86-64-v3",
      .can = {.vector_bytes = 32,
              .registers = 16,
              .fma = true,
              .f16c = true,
              .rounds = true,
              .masked_store = true,
              .gather = true,
              .x86 = true}}},
    {"avx512",
     {.name = "x86-64-v4",
      .features = "-prefer-256-bit",
      .can = {.vector_bytes = 64,
              .registers = 32,
              .fma = true,
              .f16c = true,
              .rounds = true,
              .masked_store = true,
              .gather = true,
              .x86 = true}}},
};

/* Returns how many paths it has. */
static size_t find_host(tsr_jit_cpu *c)
{
    /* Every processor with AVX2 has F16C too, which clang 14 cannot ask about. */
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
    size_t count = avx512 ? 3 : avx2 ? 2 : 1;
    *c = paths[count - 1].cpu;
    c->name[0] = 0; /* LLVM knows which it is */
    c->can.vnni = avx512 && __builtin_cpu_supports("avx512vnni");
    return count;
}
#elif defined(__aarch64__)
/* Every AArch64 processor has NEON; `plain` does not use what x86-64 lacks too. */
static const path paths[] = {
    {"plain", {.name = "generic", .can = {.vector_bytes = 16, .registers = 32}}},
    {"neon",
     {.name = "generic", .can = {.vector_bytes = 16, .registers = 32, .fma = true, .f16c = true, .rounds = true}}},
};

/* Source: Linux, arch/arm64/include/uapi/asm/hwcap.h; headers may be older. */
#define HAS_F16  (UINT64_C(1) << 10) /* HWCAP_ASIMDHP */
#define HAS_DOT  (UINT64_C(1) << 20) /* HWCAP_ASIMDDP */
#define HAS_I8MM (UINT64_C(1) << 13) /* HWCAP2_I8MM */

/* The kernel says what programs may use. LLVM would read /proc/cpuinfo, which may be another machine's under an
 * emulator, and take the processor's name for more than the kernel has enabled. */
static size_t find_host(tsr_jit_cpu *c)
{
    size_t count = TSR_COUNT_OF(paths);
    *c = paths[count - 1].cpu;
#if defined(__linux__)
    uint64_t has = getauxval(AT_HWCAP), has2 = getauxval(AT_HWCAP2);
    c->can.dot = (has & HAS_DOT) != 0;
    c->can.mixed_dot = c->can.dot && (has2 & HAS_I8MM);
    snprintf(c->features, sizeof c->features, "+neon%s%s%s", has & HAS_F16 ? ",+fullfp16" : "",
             c->can.dot ? ",+dotprod" : "", c->can.mixed_dot ? ",+i8mm" : "");
#endif
    return count;
}
#else
static const path paths[] = {{"plain", {.name = "generic", .can = {.vector_bytes = 16, .registers = 16}}}};

static size_t find_host(tsr_jit_cpu *c)
{
    *c = paths[0].cpu;
    return 1;
}
#endif

bool tsr_jit_cpu_find(tsr_jit_cpu *c, tsr_text *why)
{
    const char *wanted = getenv("TSR_CPU");
    size_t has = find_host(c);
    if (!wanted || !*wanted) return true;
    for (size_t i = 0; i < TSR_COUNT_OF(paths); i++) {
        if (strcmp(wanted, paths[i].word) != 0) continue;
        *c = paths[i].cpu;
        if (i >= has) tsr_text_printf(why, "TSR_CPU=%s: this processor has no such instructions", wanted);
        return i < has;
    }
    tsr_text_printf(why, "TSR_CPU=%s is none of", wanted);
    for (size_t i = 0; i < TSR_COUNT_OF(paths); i++)
        tsr_text_printf(why, "%s %s", i == 0 ? "" : i + 1 < TSR_COUNT_OF(paths) ? "," : " and", paths[i].word);
    return false;
}

/* Masks of 128 lanes are two of AVX-512's registers, and LLVM 19's combiner of instructions does not come to an end on
 * some that a condition chooses: with AVX2 they are vectors like others. */
void tsr_jit_cpu_fit(tsr_jit_cpu *c, uint32_t lanes)
{
    enum { MASK_BITS = 64 };
    for (size_t i = 1; i < TSR_COUNT_OF(paths) && lanes > MASK_BITS && c->can.vector_bytes > 32; i++)
        if (paths[i].cpu.can.vector_bytes > 32) *c = paths[i - 1].cpu;
}

/* ---- The key of an object: its text, the processor, this library, the list of passes. Not LLVM's version: a hit does
 * not open it. */

/* Which processor "the host" is, for code that is made for it. */
static uint64_t host_hash(void)
{
    uint32_t words[8] = {0};
#if defined(__x86_64__) && defined(__GNUC__)
    __asm__("cpuid" : "=a"(words[0]), "=b"(words[1]), "=c"(words[2]), "=d"(words[3]) : "a"(1), "c"(0));
    words[1] &= 0; /* holds the number of the core */
    __asm__("cpuid" : "=a"(words[4]), "=b"(words[5]), "=c"(words[6]), "=d"(words[7]) : "a"(7), "c"(0));
#endif
    return tsr_hash_bytes(words, sizeof words, 17);
}

static tsr_cache_key find_key(const tsr_jit_args *a, tsr_jit_passes passes)
{
    tsr_cache_key key;
    const char *list = tsr_jit_pass_list(passes);
    uint64_t cpu = a->cpu->name[0] ? 1 : host_hash();
    cpu = tsr_hash_bytes(a->cpu->name, strlen(a->cpu->name), cpu);
    cpu = tsr_hash_bytes(a->cpu->features, strlen(a->cpu->features), cpu);
    cpu = tsr_hash_bytes(tsr_version(), strlen(tsr_version()), cpu);
    cpu = tsr_hash_bytes(list, strlen(list), cpu);
    key.part[0] = tsr_hash_bytes(a->text, a->text_bytes, cpu);
    key.part[1] = tsr_hash_bytes(a->text, a->text_bytes, ~cpu ^ a->text_bytes);
    return key;
}

/* ---- Making and freeing. */

/* The end of its file's name. */
static const char *cache_kind(tsr_jit_passes passes)
{
    return passes == TSR_PASSES_LONG ? "hot" : "o";
}

static tsr_code *new_code(const tsr_jit_args *args)
{
    tsr_code *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    pthread_mutex_init(&c->lock, NULL);
    const uint32_t *size = args->program->workgroup_size;
    uint64_t invocations = (uint64_t)size[0] * size[1] * size[2];
    c->program = args->program;
    c->subgroup_size = args->subgroup_size;
    c->subgroups = (uint32_t)((invocations + args->subgroup_size - 1) / args->subgroup_size);
    return c;
}

void tsr_code_free(tsr_code *c)
{
    if (!c) return;
    while (c->idle) {
        tsr_jit_room *room = c->idle;
        c->idle = room->next;
        tsr_jit_room_free(room);
    }
    pthread_mutex_destroy(&c->lock);
    tsr_object_unload(&c->object);
    free(c);
}

static bool read_info(tsr_code *c, tsr_text *why)
{
    const uint32_t *info = c->object.info;
    if (info[0] != TSR_NATIVE_VERSION || info[1] != c->subgroup_size) {
        tsr_text_puts(why, "the code was made by another version");
        return false;
    }
    c->group_bytes = info[2];
    c->stack_bytes = info[3];
    c->has_barriers = info[4] != 0;
    return true;
}

static tsr_status load(const tsr_jit_args *args, const unsigned char *object, size_t bytes, tsr_code **out,
                       tsr_text *why)
{
    tsr_code *c = new_code(args);
    if (!c) return TSR_ERR_MEMORY;
    if (!tsr_object_load(object, bytes, args->debug_name, args->perf, &c->object, why) || !read_info(c, why)) {
        tsr_code_free(c);
        return TSR_ERR_UNSUPPORTED;
    }
    *out = c;
    return TSR_OK;
}

tsr_code *tsr_code_find(const tsr_jit_args *args, tsr_jit_passes passes)
{
    size_t bytes;
    tsr_text why;
    tsr_code *c = NULL;
    unsigned char *object = tsr_cache_read(cache_kind(passes), find_key(args, passes), &bytes);
    if (!object) return NULL;
    tsr_text_init(&why, NULL);
    (void)load(args, object, bytes, &c, &why);
    tsr_text_fini(&why);
    free(object);
    return c;
}

tsr_status tsr_code_new(const tsr_jit_args *args, tsr_jit_passes passes, tsr_code **out, tsr_text *why)
{
    unsigned char *object = NULL;
    size_t bytes = 0;
    tsr_status st = tsr_jit_compile(args, passes, &object, &bytes, why);
    if (st != TSR_OK) return st;
    st = load(args, object, bytes, out, why);
    if (st == TSR_OK && args->use_cache) tsr_cache_write(cache_kind(passes), find_key(args, passes), object, bytes);
    free(object);
    return st;
}
