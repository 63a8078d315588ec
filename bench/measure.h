/* What the measuring programs share: clocks, medians, kernels on the device "cpu", large memory, the machine's peak. */
#ifndef TSR_BENCH_MEASURE_H
#define TSR_BENCH_MEASURE_H

#include "tessera.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { RUNS_MAX = 63, BUFFERS_MAX = 8, TEXT_MAX_BYTES = 1 << 20 };

static inline double clock_ms(clockid_t which)
{
    struct timespec t;
    clock_gettime(which, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* Of this thread: what a busy machine disturbs least. */
static inline double cpu_ms(void)
{
    return clock_ms(CLOCK_THREAD_CPUTIME_ID);
}

static inline int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline double median(const double *list, int count)
{
    double sorted[RUNS_MAX];
    memcpy(sorted, list, (size_t)count * sizeof *list);
    qsort(sorted, (size_t)count, sizeof *sorted, by_size);
    return sorted[count / 2];
}

static inline void check(tsr_status st)
{
    if (st == TSR_OK) return;
    fprintf(stderr, "bench: %s\n", tsr_last_error());
    exit(3);
}

static inline char *read_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = calloc(1, TEXT_MAX_BYTES);
    if (!f || !text) {
        fprintf(stderr, "bench: %s cannot be read\n", path);
        exit(3);
    }
    text[fread(text, 1, TEXT_MAX_BYTES - 1, f)] = 0;
    fclose(f);
    return text;
}

typedef struct kernel {
    tsr_device *dev;
    tsr_pipeline *pipeline;
    tsr_buffer *buffer[BUFFERS_MAX];
    tsr_binding binding[BUFFERS_MAX];
    size_t count;
    double compile_ms; /* from IR to code */
} kernel;

/* `constants`: lines, each of which takes the place of the text's line that begins alike up to its `=`; NULL: none. */
static inline void replace_constants(char *text, const char *constants)
{
    for (const char *next, *c = constants; c && *c; c = *next ? next + 1 : next) {
        size_t length = strcspn(c, "\n");
        char start[64];
        next = c + length;
        snprintf(start, sizeof start, "\n%.*s", (int)strcspn(c, "=") + 1, c);
        char *at = strstr(text, start);
        if (!at) {
            fprintf(stderr, "bench: there is no line for `%.*s`\n", (int)length, c);
            exit(3);
        }
        at++;
        char *rest = at + strcspn(at, "\n");
        if (strlen(text) + length >= TEXT_MAX_BYTES) {
            fprintf(stderr, "bench: the text is too long\n");
            exit(3);
        }
        memmove(at + length, rest, strlen(rest) + 1);
        memcpy(at, c, length);
    }
}

static inline void open_kernel(kernel *k, const char *path, const char *device, uint32_t subgroup, uint32_t threads,
                               const char *constants)
{
    char *text = read_file(path);
    tsr_module *m = NULL;
    replace_constants(text, constants);
    memset(k, 0, sizeof *k);
    check(tsr_device_open(device, &(tsr_device_args){.threads = threads, .subgroup_size = subgroup}, &k->dev));
    (void)tsr_compile(&(tsr_compile_args){.name = path, .source = text, .source_bytes = strlen(text)}, &m);
    for (size_t i = 0; i < tsr_module_diagnostic_count(m); i++)
        fputs(tsr_module_diagnostic_text(m, i, 0), stderr);
    double start = cpu_ms();
    check(tsr_pipeline_create(k->dev, m, NULL, &k->pipeline));
    k->compile_ms = cpu_ms() - start;
    tsr_module_free(m);
    free(text);
}

static inline void add_buffer(kernel *k, const void *data, size_t bytes)
{
    size_t i = k->count++;
    check(tsr_buffer_create(k->dev, bytes, data, &k->buffer[i]));
    k->binding[i] = (tsr_binding){.binding = (uint32_t)i, .buffer = k->buffer[i]};
}

static inline void dispatch_kernel(kernel *k, uint32_t x, uint32_t y)
{
    check(tsr_dispatch(k->pipeline,
                       &(tsr_dispatch_args){.bindings = k->binding, .binding_count = k->count, .groups = {x, y, 1}}));
}

static inline double run_kernel(kernel *k, clockid_t which, uint32_t x, uint32_t y)
{
    double start = clock_ms(which);
    dispatch_kernel(k, x, y);
    return clock_ms(which) - start;
}

static inline void close_kernel(kernel *k)
{
    tsr_pipeline_free(k->pipeline);
    for (size_t i = 0; i < k->count; i++)
        tsr_buffer_free(k->buffer[i]);
    tsr_device_free(k->dev);
}

/* Zeroed memory on large pages, as the device's buffers are, so that the peers have them too. */
static inline void *large(size_t bytes)
{
    void *p = NULL;
    if (posix_memalign(&p, (size_t)1 << 21, bytes) != 0) exit(3);
#ifdef MADV_HUGEPAGE
    (void)madvise(p, bytes, MADV_HUGEPAGE);
#endif
    memset(p, 0, bytes);
    return p;
}

#endif
