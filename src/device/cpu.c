/* The device "cpu": the interpreter of exec behind the driver interface. It accepts every shape and every legal pair of
 * types, runs with the subgroup size that it was opened with, and has finished when a dispatch returns. */
#include "compile_native.h"
#include "device/device.h"
#include "device/sanitize.h"
#include "exec/fiber.h"
#include "exec/interp.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Chosen to take what the kernels of large GPUs need (WebGPU's defaults are 256, 256, 64, 256 and 16 KiB, data-centre
 * GPUs have up to 227 KiB a workgroup); 65535 workgroups a dimension is WebGPU's default, kept so that a program that
 * runs here runs elsewhere. */
#define MAX_SIZE_XY         1024u
#define MAX_SIZE_Z          64u
#define MAX_INVOCATIONS     1024u
#define MAX_WORKGROUPS      65535u
#define MAX_WORKGROUP_BYTES (UINT64_C(256) * 1024)
#define MAX_BUFFER_BYTES    (UINT64_C(1) << 40) /* no machine has more; keeps sums of sizes in range */

#define DEFAULT_SUBGROUP 32u
#define MIN_SUBGROUP     4u
#define MAX_SUBGROUP     128u
#define MAX_THREADS      1024u
#define LARGE_PAGE       ((size_t)1 << 21) /* of x86-64, and of AArch64 with 4 KiB pages */
#define BUFFER_ALIGN     64u               /* a cache line; at least the 16 that tessera.h promises */

struct cpu_device {
    tsr_device head;
    uint32_t threads;
    tsr_thread_pool *pool;
    uint32_t subgroup_sizes[1];
    tsr_profiles *profiles; /* whose device it stands for; NULL: its own */
    bool native;            /* runs native code where it can */
    bool exact_bits;        /* which gives the interpreter's bits */
    tsr_model model;        /* of its multiply-adds: that of the profile */
};

struct cpu_buffer {
    tsr_buffer head;
    void *memory;        /* as calloc gave it */
    unsigned char *data; /* aligned */
};

struct cpu_pipeline {
    tsr_pipeline head;
    tsr_interp *interp; /* one of the two */
    tsr_jit *jit;
};

/* ---- Device ---------------------------------------------------------------------------------------------------- */

static size_t count_devices(void)
{
    return 1;
}

static const char *get_device_name(size_t i)
{
    return i == 0 ? "cpu" : NULL;
}

static uint32_t count_cores(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (cores < 1) return 1;
    return cores > (long)MAX_THREADS ? MAX_THREADS : (uint32_t)cores;
}

static bool is_subgroup_size(uint32_t size)
{
    return size >= MIN_SUBGROUP && size <= MAX_SUBGROUP && (size & (size - 1)) == 0;
}

static void fill_caps(struct cpu_device *d)
{
    tsr_caps *caps = &d->head.caps;
    caps->name = d->head.name;
    caps->f16 = true;
    caps->max_subgroup_size = caps->subgroup_size;
    d->subgroup_sizes[0] = caps->subgroup_size;
    caps->support = (tsr_support){.knowledge = TSR_COMPLETE,
                                  .open = true,
                                  .bounds_checked = true,
                                  .subgroup_sizes = d->subgroup_sizes,
                                  .subgroup_size_count = 1};
    caps->limits = (tsr_limits){.max_workgroup_size = {MAX_SIZE_XY, MAX_SIZE_XY, MAX_SIZE_Z},
                                .max_workgroup_invocations = MAX_INVOCATIONS,
                                .max_workgroups_per_dimension = MAX_WORKGROUPS,
                                .max_workgroup_bytes = MAX_WORKGROUP_BYTES,
                                .max_buffer_bytes = MAX_BUFFER_BYTES};
}

/* What holds for the CPU as itself and in another device's name. NULL on failure, which *st then tells. */
static struct cpu_device *new_device(const tsr_device_args *args, uint32_t subgroup, tsr_status *st)
{
    struct cpu_device *d = NULL;
    if (!is_subgroup_size(subgroup))
        *st = tsr_fail(TSR_ERR_INVALID, "cpu has no subgroup size %u; it takes 4, 8, 16, 32, 64 and 128",
                       (unsigned)subgroup);
    else if (args->threads > MAX_THREADS)
        *st = tsr_fail(TSR_ERR_INVALID, "%u threads; cpu takes at most %u", (unsigned)args->threads, MAX_THREADS);
    else if (!(d = calloc(1, sizeof *d)))
        *st = tsr_fail(TSR_ERR_MEMORY, "out of memory while opening cpu");
    if (!d) return NULL;
    d->threads = args->threads ? args->threads : count_cores();
    d->pool = tsr_thread_pool_new(); /* without one, runs make threads of their own */
    d->head.driver = &tsr_cpu_driver;
    d->head.memory_limit_bytes = args->memory_limit_bytes;
    d->head.caps.subgroup_size = subgroup;
    return d;
}

static bool is_set(const char *variable, const char *value)
{
    const char *s = getenv(variable);
    return s && strcmp(s, value) == 0;
}

static tsr_status open_device(const char *name, const tsr_device_args *args, tsr_device **out)
{
    tsr_status st = TSR_OK;
    bool plain = strcmp(name, "cpu:interpreter") == 0;
    if (strcmp(name, "cpu") != 0 && !plain)
        return tsr_fail(TSR_ERR_DEVICE,
                        "there is no device \"%s\"; the CPU is called \"cpu\", its interpreter \"cpu:interpreter\"",
                        name);
    uint32_t subgroup = args->subgroup_size ? args->subgroup_size : DEFAULT_SUBGROUP;
    struct cpu_device *d = new_device(args, subgroup, &st);
    if (!d) return st;
    d->native = !plain && !is_set("TSR_JIT", "0");
    d->exact_bits = args->exact_bits || is_set("TSR_EXACT_BITS", "1");
    snprintf(d->head.name, sizeof d->head.name, "%s", name);
    snprintf(d->head.description, sizeof d->head.description, "%s, %u thread%s, subgroups of %u",
             d->native ? "native code where libLLVM is, else interpreter" : "interpreter", (unsigned)d->threads,
             d->threads == 1 ? "" : "s", (unsigned)subgroup);
    fill_caps(d);
    d->head.info = (tsr_device_info){.kind = "cpu",
                                     .f16 = TSR_ANSWER_YES,
                                     .bf16 = TSR_ANSWER_YES,
                                     .int8 = TSR_ANSWER_YES,
                                     .size_control = TSR_ANSWER_YES,
                                     .timestamps = TSR_ANSWER_YES,
                                     .maximal_reconvergence = TSR_ANSWER_YES};
    *out = &d->head;
    return TSR_OK;
}

/* The lesser of what the device takes and what this CPU does; a limit of 0 is not known. */
static void clamp_limit(uint32_t *limit, uint32_t most)
{
    if (*limit == 0 || *limit > most) *limit = most;
}

static void clamp_limits(tsr_limits *l)
{
    clamp_limit(&l->max_workgroup_size[0], MAX_SIZE_XY);
    clamp_limit(&l->max_workgroup_size[1], MAX_SIZE_XY);
    clamp_limit(&l->max_workgroup_size[2], MAX_SIZE_Z);
    clamp_limit(&l->max_workgroup_invocations, MAX_INVOCATIONS);
    clamp_limit(&l->max_workgroups_per_dimension, MAX_WORKGROUPS);
    if (!l->max_workgroup_bytes || l->max_workgroup_bytes > MAX_WORKGROUP_BYTES)
        l->max_workgroup_bytes = MAX_WORKGROUP_BYTES;
    if (!l->max_buffer_bytes || l->max_buffer_bytes > MAX_BUFFER_BYTES) l->max_buffer_bytes = MAX_BUFFER_BYTES;
}

tsr_status tsr_cpu_open_profile(tsr_profiles *profiles, size_t which, const tsr_device_args *args, tsr_device **out)
{
    const tsr_profile *p = &profiles->items[which];
    tsr_status st = TSR_OK;
    uint32_t subgroup = args->subgroup_size ? args->subgroup_size : tsr_profile_subgroup_size(p);
    struct cpu_device *d = new_device(args, subgroup, &st);
    if (!d) return st;
    d->profiles = profiles;
    tsr_model_parse(p->info.numerics, &d->model); /* the reader of profiles has refused other names */
    snprintf(d->head.name, sizeof d->head.name, "profile:%s", p->info.name);
    snprintf(d->head.description, sizeof d->head.description, "%.180s: interpreter, subgroups of %u",
             p->info.description[0] ? p->info.description : p->info.name, (unsigned)subgroup);
    d->head.caps = tsr_profile_caps(p, subgroup);
    d->head.caps.name = d->head.name;
    clamp_limits(&d->head.caps.limits);
    d->head.info = (tsr_device_info){.f16 = p->info.f16,
                                     .maximal_reconvergence = p->info.maximal_reconvergence,
                                     .driver = p->info.driver,
                                     .api = p->info.api,
                                     .unkept = p->info.unkept,
                                     .unkept_count = p->info.unkept_count};
    *out = &d->head;
    return TSR_OK;
}

static void close_device(tsr_device *dev)
{
    struct cpu_device *d = (struct cpu_device *)dev;
    tsr_thread_pool_free(d->pool);
    tsr_profiles_free(d->profiles);
    free(d);
}

/* ---- Buffers --------------------------------------------------------------------------------------------------- */

static tsr_status create_buffer(tsr_device *dev, uint64_t size_bytes, const void *data, tsr_buffer **out)
{
    struct cpu_buffer *b = calloc(1, sizeof *b);
    /* calloc gives large zeros without touching them, which aligned allocation and memset would not. */
    size_t align = size_bytes >= LARGE_PAGE ? LARGE_PAGE : BUFFER_ALIGN;
    if (b && size_bytes < SIZE_MAX - align) b->memory = calloc(1, (size_t)size_bytes + align);
    if (!b || !b->memory) {
        free(b);
        return tsr_fail(TSR_ERR_MEMORY, "no memory for a buffer of %" PRIu64 " bytes", size_bytes);
    }
    b->head.device = dev;
    b->head.size_bytes = size_bytes;
    b->data = (unsigned char *)b->memory + (align - (uintptr_t)b->memory % align) % align;
    tsr_memory_large_pages(b->data, (size_t)size_bytes);
    if (data && size_bytes) memcpy(b->data, data, (size_t)size_bytes);
    *out = &b->head;
    return TSR_OK;
}

static void free_buffer(tsr_buffer *buffer)
{
    free(((struct cpu_buffer *)buffer)->memory);
    free(buffer);
}

static tsr_status write_buffer(tsr_buffer *b, uint64_t offset, const void *data, uint64_t size)
{
    memcpy(((struct cpu_buffer *)b)->data + offset, data, (size_t)size);
    return TSR_OK;
}

static tsr_status read_buffer(tsr_buffer *b, uint64_t offset, void *data, uint64_t size)
{
    memcpy(data, ((struct cpu_buffer *)b)->data + offset, (size_t)size);
    return TSR_OK;
}

/* ---- Pipelines ------------------------------------------------------------------------------------------------- */

static tsr_native_args native_args(const struct cpu_device *d)
{
    return (tsr_native_args){.subgroup_size = d->head.caps.subgroup_size,
                             .exact_bits = d->exact_bits,
                             .stacks = is_set("TSR_BARRIERS", "stacks"),
                             .use_cache = true,
                             .passes = is_set("TSR_JIT", "hot")     ? TSR_PASSES_LONG
                                       : is_set("TSR_JIT", "first") ? TSR_PASSES_SHORT
                                                                    : TSR_PASSES_BOTH,
                             .debug = is_set("TSR_GDB", "1"),
                             .perf = is_set("TSR_PERF", "1")};
}

/* Native code, when it can be had; else p->jit stays NULL, and the engine's name says why. */
static void make_native(struct cpu_device *d, tsr_built *build, struct cpu_pipeline *p)
{
    tsr_text why;
    tsr_text_init(&why, NULL);
    tsr_native_args args = native_args(d);
    (void)tsr_build_native(build, &args, &p->jit, &why);
    if (!p->jit) snprintf(p->head.engine, sizeof p->head.engine, "interpreter: %s", tsr_text_get(&why));
    if (!p->jit && is_set("TSR_JIT", "1")) fprintf(stderr, "tessera: %s\n", p->head.engine);
    tsr_text_fini(&why);
}

/* Made anew: nobody keeps the texts. */
static tsr_status dump_native(const tsr_pipeline *pipeline, const char *form, tsr_text *out)
{
    tsr_text why;
    tsr_jit *jit = NULL;
    tsr_text_init(&why, NULL);
    tsr_native_args args = native_args((const struct cpu_device *)pipeline->device);
    args.use_cache = false;
    if (strcmp(form, "llvm") == 0)
        args.llvm_text = out;
    else
        args.assembly = out;
    tsr_status st = tsr_build_native(pipeline->build, &args, &jit, &why);
    if (args.llvm_text && out->len) st = TSR_OK; /* the text is there, whatever could be made of it */
    if (st != TSR_OK) st = tsr_fail(TSR_ERR_UNSUPPORTED, "there is no native code to show: %s", tsr_text_get(&why));
    tsr_jit_free(jit);
    tsr_text_fini(&why);
    return st;
}

static tsr_status create_pipeline(tsr_device *dev, tsr_built *build, tsr_pipeline **out)
{
    struct cpu_pipeline *p = calloc(1, sizeof *p);
    if (!p) return tsr_fail(TSR_ERR_MEMORY, "out of memory while making a pipeline");
    tsr_text why;
    tsr_text_init(&why, NULL);
    snprintf(p->head.engine, sizeof p->head.engine, "interpreter");
    if (((struct cpu_device *)dev)->native) make_native((struct cpu_device *)dev, build, p);
    tsr_status st = p->jit ? TSR_OK : tsr_interp_new(&build->program, dev->caps.subgroup_size, &p->interp, &why);
    if (st != TSR_OK) {
        tsr_fail(st, "%s", why.len ? tsr_text_get(&why) : "the interpreter cannot run this program");
        free(p);
    } else {
        if (p->interp) tsr_interp_set_model(p->interp, &((struct cpu_device *)dev)->model);
        p->head.device = dev;
        p->head.build = build;
        *out = &p->head;
    }
    tsr_text_fini(&why);
    return st;
}

static void free_pipeline(tsr_pipeline *pipeline)
{
    tsr_interp_free(((struct cpu_pipeline *)pipeline)->interp);
    tsr_jit_free(((struct cpu_pipeline *)pipeline)->jit);
    tsr_build_free(pipeline->build);
    free(pipeline);
}

static const char *name_engine(const tsr_pipeline *pipeline)
{
    const tsr_jit *jit = ((const struct cpu_pipeline *)pipeline)->jit;
    return jit ? tsr_jit_engine(jit) : pipeline->engine;
}

static void copy_report(tsr_built *build, const tsr_exec_report *from, tsr_run_report *to)
{
    *to = (tsr_run_report){.workgroups = from->workgroups,
                           .time_ns = from->time_ns,
                           .oob_accesses = from->oob_accesses,
                           .oob_matrix_accesses = from->oob_matrix_accesses};
    memcpy(to->first_oob_text, from->first_oob_text, sizeof to->first_oob_text);
    if (!from->oob_accesses && !from->oob_matrix_accesses) return;
    if (!from->first_oob.pos && !from->first_oob.len) return;
    to->first_oob.offset_bytes = from->first_oob.pos;
    to->first_oob.length_bytes = from->first_oob.len;
    tsr_source_locate(&build->source, &build->arena, from->first_oob.pos, &to->first_oob.line, &to->first_oob.column);
}

static tsr_status run_pipeline(tsr_pipeline *pipeline, const tsr_binding *ordered, const tsr_dispatch_args *args)
{
    struct cpu_pipeline *p = (struct cpu_pipeline *)pipeline;
    uint32_t count = pipeline->build->program.resource_count;
    tsr_exec_memory *memory = calloc(count + 1u, sizeof *memory);
    if (!memory) return tsr_fail(TSR_ERR_MEMORY, "out of memory while starting a run");
    for (uint32_t i = 0; i < count; i++)
        memory[i] = (tsr_exec_memory){.data = ((struct cpu_buffer *)ordered[i].buffer)->data + ordered[i].offset_bytes,
                                      .size_bytes = ordered[i].size_bytes};
    tsr_exec_args exec = {.memory = memory,
                          .groups = {args->groups[0], args->groups[1], args->groups[2]},
                          .threads = ((struct cpu_device *)pipeline->device)->threads,
                          .pool = ((struct cpu_device *)pipeline->device)->pool,
                          .timeout_ns = args->timeout_ns,
                          .progress = args->progress,
                          .progress_user = args->progress_user};
    tsr_exec_report report = {0};
    tsr_status st = args->sanitize ? tsr_sanitize_dispatch(pipeline->build, &pipeline->device->caps, args, &exec,
                                                           &((struct cpu_device *)pipeline->device)->model, &report)
                    : p->jit       ? tsr_jit_run(p->jit, &exec, &report)
                                   : tsr_interp_run(p->interp, &exec, &report);
    free(memory);
    if (args->report) copy_report(pipeline->build, &report, args->report);
    if (st == TSR_ERR_TIMEOUT)
        return tsr_fail(st, "stopped after %" PRIu64 " of %" PRIu64 " workgroups%s", report.workgroups,
                        (uint64_t)args->groups[0] * args->groups[1] * args->groups[2],
                        args->timeout_ns ? ": the time that it was allowed is over" : "");
    if (st == TSR_ERR_MEMORY)
        return tsr_fail(st, "out of memory: the run's threads, stacks and workgroup memory have no room");
    return st == TSR_OK ? TSR_OK : tsr_fail(st, "the run failed: %s", tsr_status_name(st));
}

static tsr_status wait_device(tsr_device *dev)
{
    (void)dev; /* a dispatch returns when all is done */
    return TSR_OK;
}

const tsr_driver tsr_cpu_driver = {
    .name = "cpu",
    .sanitizes = true,
    .count = count_devices,
    .device_name = get_device_name,
    .open = open_device,
    .close = close_device,
    .buffer_create = create_buffer,
    .buffer_free = free_buffer,
    .buffer_write = write_buffer,
    .buffer_read = read_buffer,
    .pipeline_create = create_pipeline,
    .pipeline_free = free_pipeline,
    .dispatch = run_pipeline,
    .wait = wait_device,
    .engine = name_engine,
    .dump = dump_native,
};
