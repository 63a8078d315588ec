/* From LLVM text to code that can be called: which processor it is for, the cache, loading. */
#include "exec/jit_inside.h"

#include "base/cache.h"
#include "base/map.h"
#include "ir/native.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The processor. */

#if defined(__x86_64__) && defined(__GNUC__)
static void find_host(tsr_jit_cpu *c)
{
    /* Every processor with AVX2 has F16C too, which clang 14 cannot ask about. */
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
    c->x86 = true;
    c->vector_bytes = avx512 ? 64 : avx2 ? 32 : 16;
    c->fma = c->f16c = c->masked_store = avx2;
    c->gather = avx512;
    c->vnni = avx512 && __builtin_cpu_supports("avx512vnni");
    if (avx512) snprintf(c->features, sizeof c->features, "-prefer-256-bit");
}
#else
static void find_host(tsr_jit_cpu *c)
{
    c->vector_bytes = 16;
#if defined(__aarch64__)
    c->fma = c->f16c = true;
#endif
}
#endif

static void limit_cpu(tsr_jit_cpu *c, uint32_t bytes, const char *name)
{
    c->features[0] = 0;
    c->vector_bytes = bytes;
    c->fma = c->f16c = c->masked_store = bytes >= 32;
    c->gather = bytes == 64;
    c->vnni = false;
    snprintf(c->name, sizeof c->name, "%s", c->x86 ? name : "generic");
    if (bytes == 64) snprintf(c->features, sizeof c->features, "-prefer-256-bit");
}

bool tsr_jit_cpu_find(tsr_jit_cpu *c, tsr_text *why)
{
    const char *wanted = getenv("TSR_CPU");
    memset(c, 0, sizeof *c);
    find_host(c);
    if (!wanted || !*wanted) return true;
    uint32_t bytes = strcmp(wanted, "plain") == 0    ? 16
                     : strcmp(wanted, "avx2") == 0   ? 32
                     : strcmp(wanted, "avx512") == 0 ? 64
                                                     : 0;
    if (bytes == 0 || bytes > c->vector_bytes) {
        tsr_text_printf(why,
                        bytes ? "TSR_CPU=%s: this processor has no such instructions"
                              : "TSR_CPU=%s is none of plain, avx2 and avx512",
                        wanted);
        return false;
    }
    limit_cpu(c, bytes, bytes == 64 ? "x86-64-v4" : bytes == 32 ? "x86-64-v3" : "x86-64");
    return true;
}

/* ---- The key of an object: its text, the processor, this library. */

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

static tsr_cache_key find_key(const tsr_jit_args *a)
{
    tsr_cache_key key;
    uint64_t cpu = a->cpu->name[0] ? 1 : host_hash();
    cpu = tsr_hash_bytes(a->cpu->name, strlen(a->cpu->name), cpu);
    cpu = tsr_hash_bytes(a->cpu->features, strlen(a->cpu->features), cpu);
    cpu = tsr_hash_bytes(tsr_version(), strlen(tsr_version()), cpu);
    key.part[0] = tsr_hash_bytes(a->text, a->text_bytes, cpu);
    key.part[1] = tsr_hash_bytes(a->text, a->text_bytes, ~cpu ^ a->text_bytes);
    return key;
}

/* ---- Making and freeing. */

static bool read_info(tsr_jit *j, uint32_t subgroup_size, tsr_text *why)
{
    const uint32_t *info = j->object.info;
    if (info[0] != TSR_NATIVE_VERSION || info[1] != subgroup_size) {
        tsr_text_puts(why, "the code was made by another version");
        return false;
    }
    j->group_bytes = info[2];
    j->stack_bytes = info[3];
    j->has_barriers = info[4] != 0;
    return true;
}

static bool load_cached(tsr_jit *j, const tsr_jit_args *args, tsr_cache_key key)
{
    size_t bytes;
    tsr_text why;
    unsigned char *object = tsr_cache_read("o", key, &bytes);
    if (!object) return false;
    tsr_text_init(&why, NULL);
    j->was_cached = tsr_object_load(object, bytes, args->debug_name, args->perf, &j->object, &why) &&
                    read_info(j, args->subgroup_size, &why);
    if (!j->was_cached) tsr_object_unload(&j->object);
    tsr_text_fini(&why);
    free(object);
    return j->was_cached;
}

static tsr_status compile(tsr_jit *j, const tsr_jit_args *args, tsr_cache_key key, tsr_text *why)
{
    unsigned char *object = NULL;
    size_t bytes = 0;
    tsr_status st = tsr_jit_compile(args, &object, &bytes, why);
    if (st != TSR_OK) return st;
    if (!tsr_object_load(object, bytes, args->debug_name, args->perf, &j->object, why) ||
        !read_info(j, args->subgroup_size, why))
        st = TSR_ERR_UNSUPPORTED;
    if (st == TSR_OK && args->use_cache) tsr_cache_write("o", key, object, bytes);
    free(object);
    return st;
}

tsr_status tsr_jit_new(const tsr_jit_args *args, tsr_jit **out, tsr_text *why)
{
    tsr_jit *j = calloc(1, sizeof *j);
    if (!j) return TSR_ERR_MEMORY;
    pthread_mutex_init(&j->lock, NULL);
    const uint32_t *size = args->program->workgroup_size;
    uint64_t invocations = (uint64_t)size[0] * size[1] * size[2];
    j->program = args->program;
    j->subgroup_size = args->subgroup_size;
    j->subgroups = (uint32_t)((invocations + args->subgroup_size - 1) / args->subgroup_size);
    tsr_cache_key key = find_key(args);
    tsr_status st = TSR_OK;
    if (!args->use_cache || args->assembly || !load_cached(j, args, key)) st = compile(j, args, key, why);
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
    while (j->idle) {
        tsr_jit_room *room = j->idle;
        j->idle = room->next;
        tsr_jit_room_free(room);
    }
    pthread_mutex_destroy(&j->lock);
    tsr_object_unload(&j->object);
    free(j);
}

bool tsr_jit_was_cached(const tsr_jit *j)
{
    return j->was_cached;
}
