/* Native speed on the CPU, measured beside C in one process: WGSL kernels on the device "cpu" with one
 * thread, CPU time of this thread, medians; prints one line of JSON each. The C loops are compiled with -O3
 * -march=native (cmake/targets.cmake); `stream`'s second sum may also be reordered, as the kernel's is.
 *
 * `compile`: a pipeline that nobody has made before, without the cache; a process's first one, which also opens
 * libLLVM, stands apart.
 *
 *   jit [--runs N] [stream] [math] [compile] */
#define _DEFAULT_SOURCE
#include "measure.h"

#include <math.h>

static int runs = 9;

/* ---- Streams. */

static void saxpy(size_t n, const float *restrict x, float *restrict y)
{
    for (size_t i = 0; i < n; i++)
        y[i] = 1.5f * x[i] + y[i];
}

static float sum_in_order(size_t n, const float *x)
{
    float s = 0;
    for (size_t i = 0; i < n; i++)
        s += x[i];
    return s;
}

#if defined(__GNUC__) && !defined(__clang__)
__attribute__((optimize("fast-math")))
#endif
static float
sum_up(size_t n, const float *x)
{
    float s = 0;
    for (size_t i = 0; i < n; i++)
        s += x[i];
    return s;
}

enum { PART = 16384, TIMES = 20 }; /* PART: kernels/reduce.wgsl */

typedef struct times {
    double ms[RUNS_MAX];
} times;

static void print_ratio(const char *name, size_t n, const times *ours, const char *peer, const times *theirs)
{
    double a = median(ours->ms, runs), b = median(theirs->ms, runs);
    printf(
        "{\"stream\": \"%s\", \"elements\": %zu, \"us\": %.1f, \"peer\": \"%s\", \"peer_us\": %.1f, \"ratio\": %.2f}\n",
        name, n, a * 1e3, peer, b * 1e3, a / b);
}

/* Both sides compute in memory of their own on large pages, as often in a row: in equally warm caches. */
typedef struct stream {
    size_t n;
    float *x, *y;
    kernel axpy, axpy_fours, reduce;
} stream;

static void axpy_kernel(stream *s)
{
    dispatch_kernel(&s->axpy, (uint32_t)(s->n / 256), 1);
}

static void axpy_fours_kernel(stream *s)
{
    dispatch_kernel(&s->axpy_fours, (uint32_t)(s->n / 256), 1);
}

static void axpy_in_c(stream *s)
{
    saxpy(s->n, s->x, s->y);
}

static void reduce_kernel(stream *s)
{
    dispatch_kernel(&s->reduce, (uint32_t)(s->n / PART), 1);
}

static volatile float keep;

static void reduce_in_c(stream *s)
{
    for (size_t p = 0; p < s->n; p += PART)
        keep += sum_in_order(PART, s->x + p);
}

static void reduce_in_any_order(stream *s)
{
    for (size_t p = 0; p < s->n; p += PART)
        keep += sum_up(PART, s->x + p);
}

static double time_of(stream *s, void (*work)(stream *s))
{
    work(s);
    double start = cpu_ms();
    for (int t = 0; t < TIMES; t++)
        work(s);
    return (cpu_ms() - start) / TIMES;
}

static void open_stream(stream *s, size_t n)
{
    static const float none[4096];
    *s = (stream){.n = n, .x = large(n * 4), .y = large(n * 4)};
    for (size_t i = 0; i < n; i++)
        s->x[i] = s->y[i] = (float)(i % 17);
    open_kernel(&s->axpy, "bench/kernels/saxpy.wgsl", "cpu", 32, 1, NULL);
    add_buffer(&s->axpy, s->x, n * 4);
    add_buffer(&s->axpy, s->y, n * 4);
    open_kernel(&s->axpy_fours, "bench/kernels/saxpy_vec4.wgsl", "cpu", 32, 1, NULL);
    add_buffer(&s->axpy_fours, s->x, n * 4);
    add_buffer(&s->axpy_fours, s->y, n * 4);
    open_kernel(&s->reduce, "bench/kernels/reduce.wgsl", "cpu", 32, 1, NULL);
    add_buffer(&s->reduce, s->x, n * 4);
    add_buffer(&s->reduce, none, n / PART * 4);
}

static void bench_stream(size_t n)
{
    void (*const work[])(stream * s) = {axpy_kernel,   axpy_fours_kernel, axpy_in_c,
                                        reduce_kernel, reduce_in_c,       reduce_in_any_order};
    enum { WORKS = sizeof work / sizeof *work };
    static times ms[WORKS];
    stream s;
    open_stream(&s, n);
    for (int i = 0; i < runs; i++)
        for (int k = 0; k < WORKS; k++)
            ms[k].ms[i] = time_of(&s, work[k]);
    print_ratio("saxpy", n, &ms[0], "C", &ms[2]);
    print_ratio("saxpy, vec4", n, &ms[1], "C", &ms[2]);
    print_ratio("reduce", n, &ms[3], "C", &ms[4]);
    print_ratio("reduce", n, &ms[3], "C, any order", &ms[5]);
    close_kernel(&s.axpy);
    close_kernel(&s.axpy_fours);
    close_kernel(&s.reduce);
    free(s.x);
    free(s.y);
}

/* ---- Functions: y = f(x), and the C library's in a loop. */

/* MATH(name, C, WGSL, from, to): operands are spread from `from` to `to`; the second one of two is in [-3, 3]. */
#define FUNCTIONS(MATH)                                                                                                \
    MATH(exp, expf(a), "exp(a)", -20, 20)                                                                              \
    MATH(exp2, exp2f(a), "exp2(a)", -20, 20)                                                                           \
    MATH(log, logf(a), "log(a)", 0.01, 100)                                                                            \
    MATH(log2, log2f(a), "log2(a)", 0.01, 100)                                                                         \
    MATH(pow, powf(a, b), "pow(a, z[id.x])", 0.01, 100)                                                                \
    MATH(sin, sinf(a), "sin(a)", -3, 3)                                                                                \
    MATH(cos, cosf(a), "cos(a)", -3, 3)                                                                                \
    MATH(tan, tanf(a), "tan(a)", -3, 3)                                                                                \
    MATH(asin, asinf(a), "asin(a)", -1, 1)                                                                             \
    MATH(acos, acosf(a), "acos(a)", -1, 1)                                                                             \
    MATH(atan, atanf(a), "atan(a)", -5, 5)                                                                             \
    MATH(atan2, atan2f(a, b), "atan2(a, z[id.x])", -5, 5)                                                              \
    MATH(sinh, sinhf(a), "sinh(a)", -5, 5)                                                                             \
    MATH(cosh, coshf(a), "cosh(a)", -5, 5)                                                                             \
    MATH(tanh, tanhf(a), "tanh(a)", -5, 5)                                                                             \
    MATH(asinh, asinhf(a), "asinh(a)", -20, 20)                                                                        \
    MATH(acosh, acoshf(a), "acosh(a)", 1, 20)                                                                          \
    MATH(atanh, atanhf(a), "atanh(a)", -0.99, 0.99)                                                                    \
    MATH(sqrt, sqrtf(a), "sqrt(a)", 0.01, 100)                                                                         \
    MATH(inverse_sqrt, 1 / sqrtf(a), "inverseSqrt(a)", 0.01, 100)                                                      \
    MATH(floor, floorf(a), "floor(a)", -100, 100)                                                                      \
    MATH(round, rintf(a), "round(a)", -100, 100)                                                                       \
    MATH(fract, a - floorf(a), "fract(a)", -100, 100)                                                                  \
    MATH(rem, fmodf(a, b), "a % z[id.x]", -100, 100)                                                                   \
    MATH(ldexp, ldexpf(a, (int)b), "ldexp(a, i32(z[id.x]))", -5, 5)

#define MATH(name, c, wgsl, from, to)                                                                                  \
    static void name##_in_c(size_t n, const float *restrict x, const float *restrict z, float *restrict y)             \
    {                                                                                                                  \
        for (size_t i = 0; i < n; i++) {                                                                               \
            float a = x[i], b = z[i];                                                                                  \
            (void)b;                                                                                                   \
            y[i] = c;                                                                                                  \
        }                                                                                                              \
    }
FUNCTIONS(MATH)
#undef MATH

typedef struct function {
    const char *name, *wgsl;
    void (*in_c)(size_t n, const float *x, const float *z, float *y);
    double from, to;
} function;

static const function functions[] = {
#define MATH(name, c, wgsl, from, to) {#name, wgsl, name##_in_c, from, to},
    FUNCTIONS(MATH)
#undef MATH
};

static void bench_function(const function *fn)
{
    enum { N = 1 << 16 };
    static float x[N], y[N], z[N];
    static times ours, theirs;
    char constant[64];
    kernel k;
    for (size_t i = 0; i < N; i++) {
        x[i] = (float)(fn->from + (fn->to - fn->from) * (double)(i * 2654435761u % N) / N);
        z[i] = (float)((double)(i * 40503u % N) * 6.0 / N - 3);
    }
    snprintf(constant, sizeof constant, "    let r = %s;", fn->wgsl);
    open_kernel(&k, "bench/kernels/function.wgsl", "cpu", 32, 1, constant);
    add_buffer(&k, x, sizeof x);
    add_buffer(&k, z, sizeof z);
    add_buffer(&k, y, sizeof y);
    for (int i = 0; i < runs; i++) {
        double start = cpu_ms();
        for (int t = 0; t < TIMES; t++)
            dispatch_kernel(&k, N / 256, 1);
        double middle = cpu_ms();
        for (int t = 0; t < TIMES; t++)
            fn->in_c(N, x, z, y);
        ours.ms[i] = (middle - start) / TIMES;
        theirs.ms[i] = (cpu_ms() - middle) / TIMES;
    }
    double a = median(ours.ms, runs), b = median(theirs.ms, runs);
    printf("{\"function\": \"%s\", \"million_a_second\": %.0f, \"c_million_a_second\": %.0f, \"ratio\": %.2f}\n",
           fn->name, N / a / 1e3, N / b / 1e3, a / b);
    close_kernel(&k);
}

/* ---- Compiling. */

static int count_lines(const char *text)
{
    int lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

static int lines_of_llvm(const kernel *k)
{
    char *text = NULL;
    if (tsr_pipeline_dump(k->pipeline, "llvm", &text) != TSR_OK) return 0;
    int lines = count_lines(text);
    free(text);
    return lines;
}

static void bench_compile(void)
{
    static const char *const kernels[] = {"bench/kernels/saxpy.wgsl", "bench/kernels/reduce.wgsl", "examples/gemv.wgsl",
                                          "bench/kernels/gemm_f32_gpu.wgsl", "bench/kernels/attention_f32.wgsl"};
    times t;
    kernel k;
    setenv("TSR_CACHE", "off", 1);
    open_kernel(&k, kernels[0], "cpu", 32, 1, NULL);
    printf("{\"compile\": \"%s, opening libLLVM\", \"ms\": %.1f}\n", kernels[0], k.compile_ms);
    close_kernel(&k);
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        char *text = read_file(kernels[i]);
        for (int r = 0; r < runs; r++) {
            open_kernel(&k, kernels[i], "cpu", 32, 1, NULL);
            t.ms[r] = k.compile_ms;
            if (r + 1 < runs) close_kernel(&k);
        }
        printf("{\"compile\": \"%s\", \"lines\": %d, \"llvm_lines\": %d, \"ms\": %.1f}\n", kernels[i],
               count_lines(text), lines_of_llvm(&k), median(t.ms, runs));
        close_kernel(&k);
        free(text);
    }
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
        } else if (strcmp(argv[i], "math") == 0) {
            for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
                bench_function(&functions[f]);
        } else if (strcmp(argv[i], "compile") == 0) {
            bench_compile();
        } else {
            fprintf(stderr, "usage: jit [--runs N] [stream] [math] [compile]\n");
            return 2;
        }
    }
    return 0;
}
