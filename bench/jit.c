/* Native speed on the CPU, measured beside C in one process: WGSL kernels on the device "cpu" with one
 * thread, CPU time of this thread, medians; prints one line of JSON each.
 *
 *   jit [--runs N] [stream] */
#define _DEFAULT_SOURCE
#include "measure.h"

#if defined(__x86_64__) && defined(__clang__)
#define NATIVE __attribute__((target("avx2,fma")))
#elif defined(__x86_64__) && defined(__GNUC__)
#define NATIVE __attribute__((target("avx2,fma"), optimize("O3")))
#else
#define NATIVE
#endif

static int runs = 9;

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
    open_kernel(&axpy, "bench/kernels/saxpy.wgsl", "cpu", 32, 1, NULL);
    add_buffer(&axpy, x, n * 4);
    add_buffer(&axpy, y, n * 4);
    open_kernel(&reduce, "bench/kernels/reduce.wgsl", "cpu", 32, 1, NULL);
    add_buffer(&reduce, x, n * 4);
    add_buffer(&reduce, out, n / 16384 * 4);
    volatile float keep = 0;
    for (int i = 0; i < runs; i++) {
        enum { TIMES = 20 };
        memset(&ms[0][i], 0, sizeof(double));
        ms[1][i] = ms[2][i] = ms[3][i] = 0;
        for (int t = 0; t < TIMES; t++) {
            ms[0][i] += run_kernel(&axpy, CLOCK_THREAD_CPUTIME_ID, (uint32_t)(n / 256), 1) / TIMES;
            double start = cpu_ms();
            saxpy(n, x, y);
            ms[1][i] += (cpu_ms() - start) / TIMES;
            ms[2][i] += run_kernel(&reduce, CLOCK_THREAD_CPUTIME_ID, (uint32_t)(n / 16384), 1) / TIMES;
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
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--runs") == 0 && i + 1 < argc) {
            runs = atoi(argv[++i]);
            runs = runs < 1 ? 1 : runs > RUNS_MAX ? RUNS_MAX : runs;
        } else if (strcmp(argv[i], "stream") == 0) {
            bench_stream((size_t)1 << 18);
            bench_stream((size_t)1 << 22);
        } else {
            fprintf(stderr, "usage: jit [--runs N] [stream]\n");
            return 2;
        }
    }
    return 0;
}
