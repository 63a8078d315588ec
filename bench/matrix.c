/* Matrix kernels in WGSL on the device "cpu", beside oneDNN, OpenBLAS and the machine's peak in one process: one sample
 * of each in turn, so that a disturbance meets all of them; medians; one line of JSON for each kernel and peer.
 *
 *   matrix [--runs N] [--threads N] [--only WORD] [--alone] [gemm M N K]... [attention HEADS TOKENS SIZE]...
 *          [device NAME SIZE]...
 *
 * gemm: C [m,n] = A [m,k] * B [k,n], plain row-major operands. attention: softmax(Q K^T / sqrt(size)) V, f32; the peer
 * is OpenBLAS for the products and a vectorised exp. device: small tiles as a GPU has them, on "cpu" and on that
 * device. --only: kernels whose name holds the word. --alone: without the libraries, whose threads go on for a while
 * after their work.
 * With one thread the time is the thread's CPU time, with more it is the clock's and the machine must be quiet.
 * The libraries are opened at run time; what is not there is left out. */
#define _DEFAULT_SOURCE
#include "measure.h"

#include <dlfcn.h>
#include <math.h>
#include <stdint.h>

static int runs = 9;
static uint32_t threads = 1;
static const char *only = "";
static bool alone;

/* A number for JSON, which has no word for those that are none. */
typedef struct figure {
    char text[32];
} figure;

static figure ratio(double x)
{
    figure f = {"null"};
    if (isfinite(x)) snprintf(f.text, sizeof f.text, "%.4g", x);
    return f;
}

static clockid_t used_clock(void)
{
    return threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
}

/* ---- The machine's peak: fused multiply-adds on registers alone. */

enum { CHAINS = 24, PEAK_TIMES = 1000000 };

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
static volatile float kept; /* so that the work is not left out */
__attribute__((target("avx512f"))) static double peak_512(void)
{
    __m512 a[CHAINS], x = _mm512_set1_ps(1.0000001f), y = _mm512_set1_ps(1e-9f);
    for (int i = 0; i < CHAINS; i++)
        a[i] = _mm512_set1_ps((float)i);
    double start = cpu_ms();
    for (int n = 0; n < PEAK_TIMES; n++)
#pragma GCC unroll 24
        for (int i = 0; i < CHAINS; i++)
            a[i] = _mm512_fmadd_ps(a[i], x, y);
    double ms = cpu_ms() - start;
    for (int i = 0; i < CHAINS; i++)
        kept = kept + _mm512_cvtss_f32(a[i]);
    return 32.0 * CHAINS * PEAK_TIMES / ms * 1e-6;
}

__attribute__((target("avx2,fma"))) static double peak_256(void)
{
    enum { HALF = CHAINS / 2 };
    __m256 a[HALF], x = _mm256_set1_ps(1.0000001f), y = _mm256_set1_ps(1e-9f);
    for (int i = 0; i < HALF; i++)
        a[i] = _mm256_set1_ps((float)i);
    double start = cpu_ms();
    for (int n = 0; n < PEAK_TIMES; n++)
#pragma GCC unroll 12
        for (int i = 0; i < HALF; i++)
            a[i] = _mm256_fmadd_ps(a[i], x, y);
    double ms = cpu_ms() - start;
    for (int i = 0; i < HALF; i++)
        kept = kept + _mm256_cvtss_f32(a[i]);
    return 16.0 * HALF * PEAK_TIMES / ms * 1e-6;
}

static double peak_gflops(void)
{
    if (__builtin_cpu_supports("avx512f")) return peak_512();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? peak_256() : NAN;
}
#else
static double peak_gflops(void)
{
    return NAN;
}
#endif

/* ---- The peers. Source of the prototypes: cblas.h; oneapi/dnnl/dnnl.h. */

enum { ROW_MAJOR = 101, PLAIN = 111, TRANSPOSED = 112 };

static struct {
    void (*sgemm)(int order, int ta, int tb, int m, int n, int k, float alpha, const float *a, int lda, const float *b,
                  int ldb, float beta, float *c, int ldc);
    int (*dnnl_sgemm)(char ta, char tb, int64_t m, int64_t n, int64_t k, float alpha, const float *a, int64_t lda,
                      const float *b, int64_t ldb, float beta, float *c, int64_t ldc);
    int (*dnnl_s8)(char ta, char tb, char offset, int64_t m, int64_t n, int64_t k, float alpha, const int8_t *a,
                   int64_t lda, int8_t ao, const int8_t *b, int64_t ldb, int8_t bo, float beta, int32_t *c, int64_t ldc,
                   const int32_t *co);
} peer;

/* OpenBLAS reads its variables when it is loaded: here it finds the processor itself. */
static void open_peers(void)
{
    char count[16];
    snprintf(count, sizeof count, "%u", (unsigned)threads);
    unsetenv("OPENBLAS_CORETYPE");
    unsetenv("OPENBLAS_L2_SIZE");
    setenv("OPENBLAS_NUM_THREADS", count, 1);
    setenv("OMP_NUM_THREADS", count, 1);
    if (alone) return;
    void *blas = dlopen("libopenblas.so.0", RTLD_NOW), *dnnl = dlopen("libdnnl.so.2", RTLD_NOW);
    if (blas) *(void **)&peer.sgemm = dlsym(blas, "cblas_sgemm");
    if (!dnnl) return;
    *(void **)&peer.dnnl_sgemm = dlsym(dnnl, "dnnl_sgemm");
    *(void **)&peer.dnnl_s8 = dlsym(dnnl, "dnnl_gemm_s8s8s32");
}

/* ---- GEMM. */

typedef struct gemm_kernel {
    const char *name, *path;
    unsigned bits;
    uint32_t tile_m, tile_n, tile_k; /* of a workgroup: what the sizes must be multiples of */
    uint32_t subgroup;
    bool any;              /* other sizes too */
    const char *constants; /* as replace_constants takes them */
} gemm_kernel;

#define LARGE_TILE "const BM = 128u;\nconst BN = 128u;\nconst SM = 64u;\nconst SN = 64u;"

static const gemm_kernel gemm_kernels[] = {
    {"f32 cpu tile", "bench/kernels/gemm_f32_cpu.wgsl", 32, 256, 256, 128, 32, false, NULL},
    {"f32 gpu tile", "bench/kernels/gemm_f32_gpu.wgsl", 32, 64, 64, 32, 32, false, NULL},
    {"f16 cpu tile", "bench/kernels/gemm_f16_cpu.wgsl", 16, 256, 256, 256, 32, false, NULL},
    {"i8 cpu tile", "bench/kernels/gemm_i8_cpu.wgsl", 8, 256, 256, 256, 32, false, NULL},
    {"f32 any size, 24 rows", "bench/kernels/gemm_f32_any.wgsl", 32, 24, 128, 64, 32, true, NULL},
    {"f32 any size, 96 rows", "bench/kernels/gemm_f32_any.wgsl", 32, 96, 128, 64, 32, true, "const ROWS = 96u;"},
    {"f16 8x8x8", "bench/kernels/gemm_f16_small.wgsl", 16, 64, 64, 32, 8, false, NULL},
    {"i8 8x8x8", "bench/kernels/gemm_i8_small.wgsl", 8, 64, 64, 32, 8, false, NULL},
    {"f16 8x8x8, 8 x 8 of them", "bench/kernels/gemm_f16_small.wgsl", 16, 128, 128, 32, 8, false, LARGE_TILE},
    {"i8 8x8x8, 8 x 8 of them", "bench/kernels/gemm_i8_small.wgsl", 8, 128, 128, 32, 8, false, LARGE_TILE},
};
enum { GEMM_KERNELS = sizeof gemm_kernels / sizeof gemm_kernels[0], SMALL_TILES = 4 };

typedef struct gemm {
    uint32_t m, n, k;
    void *a[33], *b[33]; /* by bits a component */
    float *blas, *dnnl;
    int32_t *dnnl_s8;
} gemm;

static void fill(void *to, size_t count, unsigned bits, size_t width, size_t step, size_t modulus)
{
    for (size_t i = 0; i < count; i++) {
        size_t x = (i * step + i / width) % modulus;
        if (bits == 32)
            ((float *)to)[i] = (float)x / 8 - 0.5f;
        else if (bits == 16)
            ((uint16_t *)to)[i] = (uint16_t)(x == 0 ? 0 : (x % 2 ? 0x8000u : 0u) | 0x3400u | x << 5);
        else
            ((uint8_t *)to)[i] = (uint8_t)(x * 23 + i % 7);
    }
}

static void make_gemm(gemm *g)
{
    size_t a = (size_t)g->m * g->k, b = (size_t)g->k * g->n, c = (size_t)g->m * g->n;
    for (unsigned bits = 8; bits <= 32; bits *= 2) {
        g->a[bits] = large(a * bits / 8);
        g->b[bits] = large(b * bits / 8);
        fill(g->a[bits], a, bits, g->k, 7, 13);
        fill(g->b[bits], b, bits, g->n, 5, 11);
    }
    g->blas = large(c * 4);
    g->dnnl = large(c * 4);
    g->dnnl_s8 = large(c * 4);
}

static void free_gemm(gemm *g)
{
    for (unsigned bits = 8; bits <= 32; bits *= 2) {
        free(g->a[bits]);
        free(g->b[bits]);
    }
    free(g->blas);
    free(g->dnnl);
    free(g->dnnl_s8);
}

static double time_blas(const gemm *g)
{
    double start = clock_ms(used_clock());
    if (!peer.sgemm) return NAN;
    peer.sgemm(ROW_MAJOR, PLAIN, PLAIN, (int)g->m, (int)g->n, (int)g->k, 1, g->a[32], (int)g->k, g->b[32], (int)g->n, 0,
               g->blas, (int)g->n);
    return clock_ms(used_clock()) - start;
}

static double time_dnnl(const gemm *g)
{
    double start = clock_ms(used_clock());
    if (!peer.dnnl_sgemm) return NAN;
    peer.dnnl_sgemm('N', 'N', g->m, g->n, g->k, 1, g->a[32], g->k, g->b[32], g->n, 0, g->dnnl, g->n);
    return clock_ms(used_clock()) - start;
}

static double time_dnnl_s8(const gemm *g)
{
    int32_t zero = 0;
    double start = clock_ms(used_clock());
    if (!peer.dnnl_s8) return NAN;
    peer.dnnl_s8('N', 'N', 'F', g->m, g->n, g->k, 1, g->a[8], g->k, 0, g->b[8], g->n, 0, 0, g->dnnl_s8, g->n, &zero);
    return clock_ms(used_clock()) - start;
}

/* The greatest difference to a peer's result; to a sum in f64 of some elements where there is none (f16). */
static double half(uint16_t h)
{
    double x = ldexp((h & 0x3ffu) + (h >> 10 & 31u ? 1024.0 : 0), (h >> 10 & 31u ? (int)(h >> 10 & 31u) : 1) - 25);
    return h >> 15 ? -x : x;
}

static double element(const void *p, unsigned bits, size_t i)
{
    return bits == 32 ? ((const float *)p)[i] : bits == 16 ? half(((const uint16_t *)p)[i]) : ((const int8_t *)p)[i];
}

static double find_worst(const gemm *g, kernel *k, unsigned bits)
{
    enum { PROBES = 997 };
    size_t count = (size_t)g->m * g->n;
    float *got = malloc(count * 4);
    double worst = 0;
    check(tsr_buffer_read(k->buffer[2], 0, got, count * 4));
    for (size_t p = 0; p < PROBES; p++) {
        size_t at = p * (count / PROBES | 1) % count, i = at / g->n, j = at % g->n;
        double sum = 0;
        for (size_t q = 0; q < g->k; q++)
            sum += element(g->a[bits], bits, i * g->k + q) * element(g->b[bits], bits, q * g->n + j);
        int32_t word;
        memcpy(&word, &got[at], sizeof word);
        double off = fabs((bits == 8 ? (double)word : (double)got[at]) - sum);
        if (!(off <= worst)) worst = isnan(off) ? INFINITY : off;
    }
    free(got);
    return worst;
}

static double rate(const gemm *g, const double *ms)
{
    return 2e-6 * g->m * g->n * g->k / median(ms, runs);
}

static bool fits(const gemm_kernel *r, const gemm *g)
{
    return strstr(r->name, only) &&
           (r->any || (g->m % r->tile_m == 0 && g->n % r->tile_n == 0 && g->k % r->tile_k == 0));
}

static void print_peer(const gemm *g, const char *name, double gops, double peak)
{
    if (!isnan(gops))
        printf("{\"gemm\": [%u, %u, %u], \"peer\": \"%s\", \"gops\": %.1f, \"of_f32_peak\": %.3f}\n", (unsigned)g->m,
               (unsigned)g->n, (unsigned)g->k, name, gops, gops / peak);
}

static void bench_gemm(gemm *g)
{
    kernel k[GEMM_KERNELS];
    static double ms[GEMM_KERNELS][RUNS_MAX], blas[RUNS_MAX], dnnl[RUNS_MAX], dnnl_s8[RUNS_MAX], peak[RUNS_MAX];
    uint32_t sizes[4] = {g->m, g->n, g->k, 0};
    size_t a = (size_t)g->m * g->k, b = (size_t)g->k * g->n, c = (size_t)g->m * g->n;
    make_gemm(g);
    for (int r = 0; r < GEMM_KERNELS; r++) {
        const gemm_kernel *row = &gemm_kernels[r];
        if (!fits(row, g)) continue;
        open_kernel(&k[r], row->path, "cpu", row->subgroup, threads, row->constants);
        add_buffer(&k[r], g->a[row->bits], a * row->bits / 8);
        add_buffer(&k[r], g->b[row->bits], b * row->bits / 8);
        add_buffer(&k[r], NULL, c * 4);
        add_buffer(&k[r], sizes, sizeof sizes);
    }
    for (int i = -1; i < runs; i++) { /* the first round warms up */
        int at = i < 0 ? 0 : i;
        for (int r = 0; r < GEMM_KERNELS; r++)
            if (fits(&gemm_kernels[r], g))
                ms[r][at] =
                    run_kernel(&k[r], used_clock(), (g->n + gemm_kernels[r].tile_n - 1) / gemm_kernels[r].tile_n,
                               (g->m + gemm_kernels[r].tile_m - 1) / gemm_kernels[r].tile_m);
        blas[at] = time_blas(g);
        dnnl[at] = time_dnnl(g);
        dnnl_s8[at] = time_dnnl_s8(g);
        peak[at] = peak_gflops();
    }
    double top = median(peak, runs) * threads, f32 = rate(g, ms[0]);
    double best = fmax(peer.sgemm ? rate(g, blas) : 0, peer.dnnl_sgemm ? rate(g, dnnl) : 0);
    for (int r = 0; r < GEMM_KERNELS; r++) {
        const gemm_kernel *row = &gemm_kernels[r];
        if (!fits(row, g)) continue;
        double own = rate(g, ms[r]);
        figure of_own = ratio(fits(&gemm_kernels[0], g) ? own / f32 : NAN), of_best = ratio(own / best);
        printf("{\"gemm\": [%u, %u, %u], \"kernel\": \"%s\", \"gops\": %.1f, \"of_best_f32_peer\": %s, "
               "\"of_f32_peak\": %.3f, \"of_own_f32\": %s, \"compile_ms\": %.1f, \"worst_difference\": %g}\n",
               (unsigned)g->m, (unsigned)g->n, (unsigned)g->k, row->name, own, of_best.text, own / top, of_own.text,
               k[r].compile_ms, find_worst(g, &k[r], row->bits));
        close_kernel(&k[r]);
    }
    print_peer(g, "OpenBLAS f32", peer.sgemm ? rate(g, blas) : NAN, top);
    print_peer(g, "oneDNN f32", peer.dnnl_sgemm ? rate(g, dnnl) : NAN, top);
    print_peer(g, "oneDNN s8", peer.dnnl_s8 ? rate(g, dnnl_s8) : NAN, top);
    print_peer(g, "f32 peak", top, top);
    free_gemm(g);
}

/* ---- Attention. The peer: OpenBLAS for the products of blocks, and what stands between in vectors of C. */

enum { QUERIES = 128, KEYS = 256 };

typedef struct attention {
    uint32_t heads, tokens, size;
    float *q, *k, *v, *o, *score;
} attention;

#if defined(__x86_64__) && defined(__GNUC__)
/* exp(x) for x <= 0: 2^n * 2^f by a polynomial of degree 6; Source: Taylor's series of 2^f at |f| <= 0.5. */
__attribute__((target("avx512f,avx512dq"))) static __m512 exp_512(__m512 x)
{
    static const float term[] = {1.5403530e-4f, 1.3333558e-3f, 9.6181291e-3f, 5.5504109e-2f,
                                 2.4022651e-1f, 6.9314718e-1f, 1.0f};
    x = _mm512_max_ps(_mm512_mul_ps(x, _mm512_set1_ps(1.44269504f)), _mm512_set1_ps(-126));
    __m512 n = _mm512_roundscale_ps(x, 0), f = _mm512_sub_ps(x, n), r = _mm512_set1_ps(term[0]);
    for (int i = 1; i < 7; i++)
        r = _mm512_fmadd_ps(r, f, _mm512_set1_ps(term[i]));
    return _mm512_scalef_ps(r, n);
}

/* One block of scores [QUERIES][KEYS] becomes weights; the sums so far [QUERIES][size] shrink. */
__attribute__((target("avx512f,avx512dq"))) static void weigh(float *score, float *sums, uint32_t size, float *greatest,
                                                              float *total, float scale)
{
    for (int i = 0; i < QUERIES; i++) {
        float *row = score + i * KEYS;
        __m512 most = _mm512_set1_ps(-INFINITY), sum = _mm512_setzero_ps();
        for (int j = 0; j < KEYS; j += 16)
            most = _mm512_max_ps(most, _mm512_loadu_ps(row + j));
        float now = fmaxf(greatest[i], _mm512_reduce_max_ps(most) * scale);
        for (int j = 0; j < KEYS; j += 16) {
            __m512 x = _mm512_fmsub_ps(_mm512_loadu_ps(row + j), _mm512_set1_ps(scale), _mm512_set1_ps(now));
            x = exp_512(x);
            _mm512_storeu_ps(row + j, x);
            sum = _mm512_add_ps(sum, x);
        }
        float less = expf(greatest[i] - now);
        total[i] = total[i] * less + _mm512_reduce_add_ps(sum);
        greatest[i] = now;
        for (uint32_t d = 0; d < size; d += 16)
            _mm512_storeu_ps(sums + i * size + d,
                             _mm512_mul_ps(_mm512_loadu_ps(sums + i * size + d), _mm512_set1_ps(less)));
    }
}

static bool has_peer(void)
{
    return peer.sgemm && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
}
#else
static void weigh(float *score, float *sums, uint32_t size, float *greatest, float *total, float scale)
{
    (void)score, (void)sums, (void)size, (void)greatest, (void)total, (void)scale;
}

static bool has_peer(void)
{
    return false;
}
#endif

static void peer_block(const attention *t, size_t head, uint32_t row)
{
    float greatest[QUERIES], total[QUERIES], scale = 1 / sqrtf((float)t->size);
    int size = (int)t->size;
    float *sums = t->o + head + (size_t)row * t->size;
    for (int i = 0; i < QUERIES; i++) {
        greatest[i] = -3e38f;
        total[i] = 0;
    }
    memset(sums, 0, sizeof *sums * QUERIES * t->size);
    for (uint32_t key = 0; key < t->tokens; key += KEYS) {
        size_t at = head + (size_t)key * t->size;
        peer.sgemm(ROW_MAJOR, PLAIN, TRANSPOSED, QUERIES, KEYS, size, 1, t->q + head + (size_t)row * t->size, size,
                   t->k + at, size, 0, t->score, KEYS);
        weigh(t->score, sums, t->size, greatest, total, scale);
        peer.sgemm(ROW_MAJOR, PLAIN, PLAIN, QUERIES, size, KEYS, 1, t->score, KEYS, t->v + at, size, 1, sums, size);
    }
    for (int i = 0; i < QUERIES; i++)
        for (int d = 0; d < size; d++)
            sums[i * size + d] /= total[i];
}

static double time_peer(const attention *t)
{
    double start = clock_ms(used_clock());
    for (uint32_t h = 0; h < t->heads; h++)
        for (uint32_t row = 0; row < t->tokens; row += QUERIES)
            peer_block(t, (size_t)h * t->tokens * t->size, row);
    return clock_ms(used_clock()) - start;
}

/* One element in f64. */
static double attend(const attention *t, size_t head, uint32_t row, uint32_t d)
{
    double sum = 0, total = 0, scale = 1 / sqrt(t->size);
    for (uint32_t j = 0; j < t->tokens; j++) {
        double s = 0;
        for (uint32_t i = 0; i < t->size; i++)
            s += (double)t->q[head + (size_t)row * t->size + i] * t->k[head + (size_t)j * t->size + i];
        s = exp(s * scale);
        total += s;
        sum += s * t->v[head + (size_t)j * t->size + d];
    }
    return sum / total;
}

static double attention_error(const attention *t, const float *got)
{
    double worst = 0;
    for (uint32_t p = 0; p < 61; p++) {
        uint32_t h = p % t->heads, row = p * 37 % t->tokens, d = p * 11 % t->size;
        size_t head = (size_t)h * t->tokens * t->size;
        double off = fabs(got[head + (size_t)row * t->size + d] - attend(t, head, row, d));
        if (!(off <= worst)) worst = isnan(off) ? INFINITY : off;
    }
    return worst;
}

static void bench_attention(attention *t)
{
    size_t count = (size_t)t->heads * t->tokens * t->size;
    float **lists[] = {&t->q, &t->k, &t->v, &t->o}, shape[4] = {0, 1.44269504f / sqrtf((float)t->size)};
    static double ms[RUNS_MAX], theirs[RUNS_MAX], peak[RUNS_MAX];
    char constant[32];
    kernel k;
    if (t->tokens % KEYS || (t->size != 64 && t->size != 128)) {
        fprintf(stderr, "matrix: attention takes tokens in multiples of %d and sizes of 64 and 128\n", KEYS);
        exit(2);
    }
    for (int i = 0; i < 4; i++) {
        *lists[i] = large(count * 4);
        for (size_t j = 0; i < 3 && j < count; j++)
            (*lists[i])[j] = (float)((j * (size_t)(7 + 2 * i) + j / 61) % 101) / 50 - 1;
    }
    t->score = large(sizeof(float) * QUERIES * KEYS);
    memcpy(&shape[0], &t->tokens, sizeof shape[0]);
    snprintf(constant, sizeof constant, "const HEAD = %uu;", (unsigned)t->size);
    open_kernel(&k, "bench/kernels/attention_f32.wgsl", "cpu", 32, threads, constant);
    for (int i = 0; i < 4; i++)
        add_buffer(&k, *lists[i], count * 4);
    add_buffer(&k, shape, sizeof shape);
    for (int i = -1; i < runs; i++) {
        int at = i < 0 ? 0 : i;
        ms[at] = run_kernel(&k, used_clock(), t->tokens / QUERIES, t->heads);
        theirs[at] = has_peer() ? time_peer(t) : NAN;
        peak[at] = peak_gflops();
    }
    float *got = malloc(count * 4);
    check(tsr_buffer_read(k.buffer[3], 0, got, count * 4));
    double work = 4e-6 * t->heads * t->tokens * t->tokens * t->size, top = median(peak, runs) * threads;
    double own = work / median(ms, runs), best = has_peer() ? work / median(theirs, runs) : NAN;
    printf("{\"attention\": [%u, %u, %u], \"gflops\": %.1f, \"of_f32_peak\": %.3f, \"blas_and_exp_gflops\": %s, "
           "\"ratio\": %s, \"compile_ms\": %.1f, \"worst_differences\": [%g, %s]}\n",
           (unsigned)t->heads, (unsigned)t->tokens, (unsigned)t->size, own, own / top, ratio(best).text,
           ratio(own / best).text, k.compile_ms, attention_error(t, got),
           ratio(has_peer() ? attention_error(t, t->o) : NAN).text);
    close_kernel(&k);
    free(got);
    for (int i = 0; i < 4; i++)
        free(*lists[i]);
    free(t->score);
}

/* ---- The same kernels on another device: CPU time of the whole process, since software devices have threads. */

static double run_and_wait(kernel *k, uint32_t groups)
{
    double start = clock_ms(CLOCK_PROCESS_CPUTIME_ID);
    (void)run_kernel(k, CLOCK_MONOTONIC, groups, groups);
    check(tsr_device_wait(k->dev));
    return clock_ms(CLOCK_PROCESS_CPUTIME_ID) - start;
}

static void bench_device(const char *device, uint32_t n)
{
    const gemm_kernel *rows = &gemm_kernels[GEMM_KERNELS - SMALL_TILES];
    gemm g = {.m = n, .n = n, .k = n};
    uint32_t sizes[4] = {n, n, n, 0};
    size_t count = (size_t)n * n;
    make_gemm(&g);
    for (int r = 0; r < SMALL_TILES; r++) {
        if (!strstr(rows[r].name, only) || n % rows[r].tile_m) continue;
        static double ms[2][RUNS_MAX];
        double worst[2];
        kernel k[2];
        for (int d = 0; d < 2; d++) {
            open_kernel(&k[d], rows[r].path, d ? device : "cpu", 8, 0, rows[r].constants);
            add_buffer(&k[d], g.a[rows[r].bits], count * rows[r].bits / 8);
            add_buffer(&k[d], g.b[rows[r].bits], count * rows[r].bits / 8);
            add_buffer(&k[d], NULL, count * 4);
            add_buffer(&k[d], sizes, sizeof sizes);
        }
        for (int i = -1; i < runs; i++)
            for (int d = 0; d < 2; d++)
                ms[d][i < 0 ? 0 : i] = run_and_wait(&k[d], n / rows[r].tile_m);
        for (int d = 0; d < 2; d++) {
            worst[d] = find_worst(&g, &k[d], rows[r].bits);
            close_kernel(&k[d]);
        }
        printf("{\"gemm\": [%u, %u, %u], \"kernel\": \"%s\", \"cpu_gops\": %.1f, \"device\": \"%s\", "
               "\"device_gops\": %.2f, \"ratio\": %.1f, \"worst_differences\": [%g, %g]}\n",
               (unsigned)n, (unsigned)n, (unsigned)n, rows[r].name, rate(&g, ms[0]), device, rate(&g, ms[1]),
               rate(&g, ms[0]) / rate(&g, ms[1]), worst[0], worst[1]);
    }
    free_gemm(&g);
}

static uint32_t number(const char *s)
{
    long x = strtol(s, NULL, 10);
    if (x > 0 && x < 1 << 20) return (uint32_t)x;
    fprintf(stderr, "matrix: `%s` is no size\n", s);
    exit(2);
}

int main(int argc, char **argv)
{
    bool open = false;
    setenv("TSR_CACHE", "off", 0); /* compile_ms is of compiling */
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--runs") == 0 && i + 1 < argc) {
            runs = (int)number(argv[++i]);
            if (runs > RUNS_MAX) runs = RUNS_MAX;
            continue;
        }
        if (strcmp(argv[i], "--threads") == 0 && i + 1 < argc) {
            threads = number(argv[++i]);
            continue;
        }
        if (strcmp(argv[i], "--alone") == 0) {
            alone = true;
            continue;
        }
        if (strcmp(argv[i], "--only") == 0 && i + 1 < argc) {
            only = argv[++i];
            continue;
        }
        if (!open) open_peers();
        open = true;
        if (strcmp(argv[i], "gemm") == 0 && i + 3 < argc) {
            gemm g = {.m = number(argv[i + 1]), .n = number(argv[i + 2]), .k = number(argv[i + 3])};
            bench_gemm(&g);
            i += 3;
        } else if (strcmp(argv[i], "attention") == 0 && i + 3 < argc) {
            attention t = {.heads = number(argv[i + 1]), .tokens = number(argv[i + 2]), .size = number(argv[i + 3])};
            bench_attention(&t);
            i += 3;
        } else if (strcmp(argv[i], "device") == 0 && i + 2 < argc) {
            bench_device(argv[i + 1], number(argv[i + 2]));
            i += 2;
        } else {
            fprintf(stderr, "usage: matrix [--runs N] [--threads N] [--only WORD] [--alone] [gemm M N K]... [attention "
                            "HEADS TOKENS "
                            "SIZE]... [device NAME SIZE]...\n");
            return 2;
        }
    }
    return 0;
}
