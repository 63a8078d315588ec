/* Native speed on the CPU, measured beside C and OpenBLAS in one process: WGSL kernels on the device "cpu" with one
 * thread, CPU time of this thread, medians; prints one line of JSON each.
 *
 *   jit [--runs N] [gemm SIZE]... [stream] [compile]
 *
 * OpenBLAS is opened at run time (libopenblas.so.0); without it its column is null. */
#define _DEFAULT_SOURCE
#include "tessera.h"

#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#if defined(__x86_64__) && defined(__clang__)
#define NATIVE __attribute__((target("avx2,fma")))
#elif defined(__x86_64__) && defined(__GNUC__)
#define NATIVE __attribute__((target("avx2,fma"), optimize("O3")))
#else
#define NATIVE
#endif

static int runs = 9;

static double cpu_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *list, int count)
{
    qsort(list, (size_t)count, sizeof *list, by_size);
    return list[count / 2];
}

static void check(tsr_status st)
{
    if (st == TSR_OK) return;
    fprintf(stderr, "jit: %s\n", tsr_last_error());
    exit(3);
}

static char *read_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f) {
        fprintf(stderr, "jit: %s cannot be read\n", path);
        exit(3);
    }
    char *text = calloc(1, 1 << 20);
    size_t n = fread(text, 1, (1 << 20) - 1, f);
    text[n] = 0;
    fclose(f);
    return text;
}

typedef struct kernel {
    tsr_device *dev;
    tsr_pipeline *pipeline;
    tsr_buffer *buffer[4];
    tsr_binding binding[4];
    size_t count;
    double compile_ms; /* from IR to code */
} kernel;

static void open_kernel(kernel *k, const char *path, uint32_t subgroup)
{
    char *text = read_file(path);
    tsr_module *m = NULL;
    memset(k, 0, sizeof *k);
    check(tsr_device_open("cpu", &(tsr_device_args){.threads = 1, .subgroup_size = subgroup}, &k->dev));
    (void)tsr_compile(&(tsr_compile_args){.name = path, .source = text, .source_bytes = strlen(text)}, &m);
    for (size_t i = 0; i < tsr_module_diagnostic_count(m); i++)
        fputs(tsr_module_diagnostic_text(m, i, 0), stderr);
    double start = cpu_ms();
    check(tsr_pipeline_create(k->dev, m, NULL, &k->pipeline));
    k->compile_ms = cpu_ms() - start;
    tsr_module_free(m);
    free(text);
}

static void add_buffer(kernel *k, const void *data, size_t bytes)
{
    size_t i = k->count++;
    check(tsr_buffer_create(k->dev, bytes, data, &k->buffer[i]));
    k->binding[i] = (tsr_binding){.binding = (uint32_t)i, .buffer = k->buffer[i]};
}

static double run_kernel(kernel *k, uint32_t x, uint32_t y)
{
    double start = cpu_ms();
    check(tsr_dispatch(k->pipeline,
                       &(tsr_dispatch_args){.bindings = k->binding, .binding_count = k->count, .groups = {x, y, 1}}));
    return cpu_ms() - start;
}

static void close_kernel(kernel *k)
{
    tsr_pipeline_free(k->pipeline);
    for (size_t i = 0; i < k->count; i++)
        tsr_buffer_free(k->buffer[i]);
    tsr_device_free(k->dev);
}

/* ---- The machine's peak. */

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
static NATIVE double peak_gflops(void)
{
    __m256 a[12], x = _mm256_set1_ps(1.0000001f), y = _mm256_set1_ps(1e-9f);
    enum { TIMES = 4000000 };
    for (int i = 0; i < 12; i++)
        a[i] = _mm256_set1_ps((float)i);
    double start = cpu_ms();
    for (int n = 0; n < TIMES; n++)
        for (int i = 0; i < 12; i++)
            a[i] = _mm256_fmadd_ps(a[i], x, y);
    double ms = cpu_ms() - start;
    volatile float keep = 0;
    for (int i = 0; i < 12; i++)
        keep += _mm256_cvtss_f32(a[i]);
    (void)keep;
    return 12.0 * 16 * TIMES / ms * 1e-6;
}
#else
static double peak_gflops(void)
{
    return 0;
}
#endif

/* ---- GEMM. */

typedef void (*sgemm_fn)(int order, int ta, int tb, int m, int n, int k, float alpha, const float *a, int lda,
                         const float *b, int ldb, float beta, float *c, int ldc);

static sgemm_fn open_blas(void)
{
    unsetenv("OPENBLAS_CORETYPE");
    unsetenv("OPENBLAS_L2_SIZE");
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    void *library = dlopen("libopenblas.so.0", RTLD_NOW);
    sgemm_fn f = NULL;
    if (library) *(void **)&f = dlsym(library, "cblas_sgemm");
    return f;
}

typedef struct row {
    const char *name, *path;
    unsigned bits;
    uint32_t tile;
} row;

/* Zeroed memory on large pages, as the device's buffers are, so that OpenBLAS has them too. */
static void *large(size_t bytes)
{
    void *p = NULL;
    if (posix_memalign(&p, (size_t)1 << 21, bytes) != 0) exit(3);
#ifdef MADV_HUGEPAGE
    (void)madvise(p, bytes, MADV_HUGEPAGE);
#endif
    memset(p, 0, bytes);
    return p;
}

/* One sample of each in turn, so that a disturbance meets all of them. */
static void bench_gemm(uint32_t n, sgemm_fn blas)
{
    static const row rows[] = {{"f32 cpu tile", "bench/kernels/gemm_f32_cpu.wgsl", 32, 256},
                               {"f32 gpu tile", "bench/kernels/gemm_f32_gpu.wgsl", 32, 64},
                               {"f16 cpu tile", "bench/kernels/gemm_f16_cpu.wgsl", 16, 256},
                               {"i8 cpu tile", "bench/kernels/gemm_i8_cpu.wgsl", 8, 256}};
    enum { ROWS = sizeof rows / sizeof rows[0] };
    kernel k[ROWS];
    size_t count = (size_t)n * n;
    float *a = large(count * 4), *b = large(count * 4), *c = large(count * 4);
    double ms[ROWS + 2][64];
    uint32_t sizes[4] = {n, n, n, 0};
    for (size_t i = 0; i < count; i++) {
        a[i] = (float)((i * 7 + i / n) % 13) / 8 - 0.5f;
        b[i] = (float)((i * 5 + i / n) % 11) / 8 - 0.5f;
    }
    for (int r = 0; r < ROWS; r++) {
        open_kernel(&k[r], rows[r].path, 32);
        size_t bytes = count * rows[r].bits / 8;
        unsigned char *x = calloc(1, bytes), *y = calloc(1, bytes);
        for (size_t i = 0; i < bytes; i++) {
            x[i] = rows[r].bits == 16 ? (i % 2 ? 0x38 : 0) : (unsigned char)(i * 7 + i / n);
            y[i] = rows[r].bits == 16 ? (i % 2 ? 0x3c : 0) : (unsigned char)(i * 5 + i / n);
        }
        add_buffer(&k[r], rows[r].bits == 32 ? (void *)a : x, bytes);
        add_buffer(&k[r], rows[r].bits == 32 ? (void *)b : y, bytes);
        add_buffer(&k[r], c, count * 4);
        add_buffer(&k[r], sizes, sizeof sizes);
        free(x);
        free(y);
    }
    double peak[64];
    for (int i = 0; i < runs; i++) {
        for (int r = 0; r < ROWS; r++)
            ms[r][i] = run_kernel(&k[r], n / rows[r].tile, n / rows[r].tile);
        double start = cpu_ms();
        if (blas) blas(101, 111, 111, (int)n, (int)n, (int)n, 1, a, (int)n, b, (int)n, 0, c, (int)n);
        ms[ROWS][i] = cpu_ms() - start;
        peak[i] = peak_gflops();
    }
    double worst = 0, work = 2.0 * n * n * n * 1e-6, own = 0;
    float *got = malloc(count * 4);
    check(tsr_buffer_read(k[0].buffer[2], 0, got, count * 4));
    for (size_t i = 0; blas && i < count; i++)
        if (!(fabs((double)got[i] - (double)c[i]) <= worst))
            worst = isnan(got[i]) ? INFINITY : fabs((double)got[i] - (double)c[i]);
    double best = blas ? work / median(ms[ROWS], runs) : NAN, top = median(peak, runs);
    for (int r = 0; r < ROWS; r++) {
        double rate = work / median(ms[r], runs);
        if (r == 0) own = rate;
        printf("{\"gemm\": %u, \"kernel\": \"%s\", \"gops\": %.1f, \"of_openblas\": %.3f, \"of_peak\": %.3f, "
               "\"of_own_f32\": %.2f, "
               "\"compile_ms\": %.1f}\n",
               (unsigned)n, rows[r].name, rate, rate / best, rate / top, rate / own, k[r].compile_ms);
        close_kernel(&k[r]);
    }
    printf("{\"gemm\": %u, \"openblas_gflops\": %.1f, \"peak_gflops\": %.1f, \"worst_difference\": %g}\n", (unsigned)n,
           best, top, worst);
    free(got);
    free(a);
    free(b);
    free(c);
}

/* ---- Streams. */

static NATIVE void saxpy(size_t n, const float *restrict x, float *restrict y)
{
    for (size_t i = 0; i < n; i++)
        y[i] = 1.5f * x[i] + y[i];
}

#if defined(__GNUC__) && !defined(__clang__)
__attribute__((optimize("O3", "fast-math")))
#endif
#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2,fma")))
#endif
static float
sum_up(size_t n, const float *x)
{
    float s = 0;
    for (size_t i = 0; i < n; i++)
        s += x[i];
    return s;
}

static void bench_stream(size_t n)
{
    kernel axpy, reduce;
    float *x = malloc(n * 4), *y = malloc(n * 4), out[4096] = {0};
    double ms[4][64];
    for (size_t i = 0; i < n; i++)
        x[i] = y[i] = (float)(i % 17);
    open_kernel(&axpy, "bench/kernels/saxpy.wgsl", 32);
    add_buffer(&axpy, x, n * 4);
    add_buffer(&axpy, y, n * 4);
    open_kernel(&reduce, "bench/kernels/reduce.wgsl", 32);
    add_buffer(&reduce, x, n * 4);
    add_buffer(&reduce, out, n / 16384 * 4);
    volatile float keep = 0;
    for (int i = 0; i < runs; i++) {
        enum { TIMES = 20 };
        memset(&ms[0][i], 0, sizeof(double));
        ms[1][i] = ms[2][i] = ms[3][i] = 0;
        for (int t = 0; t < TIMES; t++) {
            ms[0][i] += run_kernel(&axpy, (uint32_t)(n / 256), 1) / TIMES;
            double start = cpu_ms();
            saxpy(n, x, y);
            ms[1][i] += (cpu_ms() - start) / TIMES;
            ms[2][i] += run_kernel(&reduce, (uint32_t)(n / 16384), 1) / TIMES;
            start = cpu_ms();
            for (size_t p = 0; p < n; p += 16384)
                keep += sum_up(16384, x + p);
            ms[3][i] += (cpu_ms() - start) / TIMES;
        }
    }
    (void)keep;
    double a = median(ms[0], runs), b = median(ms[1], runs), c = median(ms[2], runs), d = median(ms[3], runs);
    printf("{\"stream\": \"saxpy\", \"elements\": %zu, \"us\": %.1f, \"c_us\": %.1f, \"ratio\": %.2f}\n", n, a * 1e3,
           b * 1e3, a / b);
    printf("{\"stream\": \"reduce\", \"elements\": %zu, \"us\": %.1f, \"c_us\": %.1f, \"ratio\": %.2f}\n", n, c * 1e3,
           d * 1e3, c / d);
    close_kernel(&axpy);
    close_kernel(&reduce);
    free(x);
    free(y);
}

int main(int argc, char **argv)
{
    sgemm_fn blas = open_blas();
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--runs") == 0 && i + 1 < argc) {
            runs = atoi(argv[++i]);
            runs = runs < 1 ? 1 : runs > 63 ? 63 : runs;
        } else if (strcmp(argv[i], "gemm") == 0 && i + 1 < argc) {
            bench_gemm((uint32_t)atoi(argv[++i]), blas);
        } else if (strcmp(argv[i], "stream") == 0) {
            bench_stream((size_t)1 << 18);
            bench_stream((size_t)1 << 22);
        } else {
            fprintf(stderr, "usage: jit [--runs N] [gemm SIZE]... [stream]\n");
            return 2;
        }
    }
    return 0;
}
