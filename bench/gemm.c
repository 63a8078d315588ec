/* Matrix products of a GPU's size from WGSL, beside cuBLAS in one process on the same data:
 * bench/kernels/gemm_*_gpu.wgsl.
 *
 *   gemm [--device NAME] [--runs N] [--warm MS] [--json FILE] [--only WORD] [--set NAME=V]... SIZE...
 *
 * For each kernel and SIZE (m = n = k, a multiple of 256): first the product of small integers, whose sums are exact,
 * at sampled elements against a count on the CPU; then random data, where the sampled elements must keep the bound of
 * tsr_compare_product if sums are in f32; meanwhile the clock rises. Then the device and cuBLAS take turns, each for a
 * few products; the time of a product is the device's own (timestamps; CUDA events), the figure a median. The clock
 * that NVML tells is read between the products.
 *
 * cuBLAS, CUDA's runtime and NVML are opened at run time; what is not there is left out. bf16, which WGSL cannot
 * spell, is made from the IR of the f16 kernel. A device of the CPU checks, and its times say nothing about GPUs. */
#define _DEFAULT_SOURCE
#include "measure.h"

#include <dlfcn.h>
#include <math.h>
#include <stdint.h>

enum { SAMPLED_ROWS = 24, SAMPLED_COLUMNS = 24, TURN = 4, SET_MAX = 4 };

static const char *device_name = "vulkan:0", *only = "";
static int runs = 15;
static double warm_ms = 500;
static tsr_override_value set[SET_MAX];
static size_t set_count;
static FILE *json;
static bool failed;

/* ---- Kernels. */

typedef struct replacement {
    const char *from, *to;
} replacement;

typedef struct product {
    const char *name, *file;
    tsr_component in, out;
    bool transposed; /* B is [n, k] */
    bool bf16;       /* f16 becomes bf16, in the IR */
    replacement change;
    struct tiling {
        uint32_t m, n, between; /* tiles of a subgroup, override BETWEEN */
    } tiling[3];                /* the first that makes enough blocks */
} product;

static const product products[] = {
    {.name = "f16*f16, sums f32",
     .file = "bench/kernels/gemm_f16_gpu.wgsl",
     .in = TSR_F16,
     .out = TSR_F32,
     .tiling = {{4, 4, 3}, {2, 2, 1}}},
    {.name = "bf16*bf16, sums f32",
     .file = "bench/kernels/gemm_f16_gpu.wgsl",
     .in = TSR_BF16,
     .out = TSR_F32,
     .bf16 = true,
     .tiling = {{4, 4, 3}, {2, 2, 1}}},
    {.name = "f16*f16, sums f16",
     .file = "bench/kernels/gemm_f16_gpu.wgsl",
     .in = TSR_F16,
     .out = TSR_F16,
     .change = {"alias Sum = f32;", "alias Sum = f16;"},
     .tiling = {{8, 4, 2}, {4, 4, 3}, {2, 2, 1}}},
    {.name = "i8*i8, sums i32",
     .file = "bench/kernels/gemm_i8_gpu.wgsl",
     .in = TSR_S8,
     .out = TSR_S32,
     .transposed = true,
     .tiling = {{4, 4, 2}, {2, 2, 1}}},
};

/* Of C; the kernels have 2 x 4 subgroups with tiles of 16 x 16. */
static uint32_t count_blocks(const struct tiling *t, uint32_t size)
{
    return size / (32 * t->m) * (size / (64 * t->n));
}

static struct tiling choose_tiling(const product *p, uint32_t size)
{
    enum { ENOUGH = 128 }; /* an H200 has 132 multiprocessors */
    int i = 0;
    while (p->tiling[i + 1].m && count_blocks(&p->tiling[i], size) < ENOUGH)
        i++;
    return p->tiling[i];
}

/* `text`, which is freed, with every `from` replaced; exits when there is none. */
static char *replace(char *text, const char *from, const char *to)
{
    size_t count = 0, at = 0;
    for (const char *p = text; (p = strstr(p, from)) != NULL; p += strlen(from))
        count++;
    char *out = malloc(strlen(text) + count * strlen(to) + 1);
    if (!out || count == 0) {
        fprintf(stderr, "gemm: \"%s\" is not in the kernel\n", from);
        exit(3);
    }
    for (const char *p = text; *p;) {
        bool hit = strncmp(p, from, strlen(from)) == 0;
        memcpy(out + at, hit ? to : p, hit ? strlen(to) : 1);
        at += hit ? strlen(to) : 1;
        p += hit ? strlen(from) : 1;
    }
    out[at] = 0;
    free(text);
    return out;
}

static tsr_module *compile(const char *name, const char *text, bool ir_text)
{
    tsr_module *m = NULL;
    tsr_status st = tsr_compile(
        &(tsr_compile_args){.name = name, .source = text, .source_bytes = strlen(text), .ir_text = ir_text}, &m);
    for (size_t i = 0; m && i < tsr_module_diagnostic_count(m); i++)
        fputs(tsr_module_diagnostic_text(m, i, 0), stderr);
    check(st);
    return m;
}

static char *set_constant(char *text, const char *name, uint32_t from, uint32_t to)
{
    char old[64], new[64];
    snprintf(old, sizeof old, "const %s = %uu;", name, from);
    snprintf(new, sizeof new, "const %s = %uu;", name, to);
    return replace(text, old, new);
}

static tsr_module *make_module(const product *p, const struct tiling *t)
{
    char *text = read_file(p->file);
    if (p->change.from) text = replace(text, p->change.from, p->change.to);
    text = set_constant(text, "TILES_M", 4, t->m);
    text = set_constant(text, "TILES_N", 4, t->n);
    tsr_module *m = compile(p->file, text, false);
    free(text);
    if (!p->bf16) return m;
    const char *ir = tsr_module_ir_text(m);
    if (!ir) check(TSR_ERR_MEMORY);
    char *copy = strdup(ir);
    if (!copy) exit(3);
    copy = replace(copy, "_left<f16", "_left<bf16");
    copy = replace(copy, "_right<f16", "_right<bf16");
    tsr_module_free(m);
    m = compile("gemm_bf16", copy, true);
    free(copy);
    return m;
}

/* ---- Data: the same for both. */

static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* f is a number that the type holds exactly, no subnormal one. */
static uint16_t to_16(float f, bool bf16)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    if (bf16) return (uint16_t)(bits >> 16);
    uint32_t sign = bits >> 16 & 0x8000, exponent = bits >> 23 & 0xff;
    return (uint16_t)(exponent < 113 ? sign : sign | (exponent - 112) << 10 | (bits >> 13 & 0x3ff));
}

static double from_16(uint16_t h)
{
    int exponent = h >> 10 & 31, significand = h & 1023;
    double f = exponent == 31 ? NAN : exponent ? ldexp(1024 + significand, exponent - 25) : ldexp(significand, -24);
    return h & 0x8000 ? -f : f;
}

/* One operand: what it holds, also as numbers. */
typedef struct operand {
    void *data;
    float *number;
    size_t bytes;
} operand;

/* Integers from -1 to 1, or numbers below 1 (i8: all of them). */
static void fill(operand *o, const product *p, size_t count, bool integers, uint32_t seed)
{
    uint32_t state = seed;
    o->bytes = count * (p->in == TSR_S8 ? 1 : 2);
    for (size_t i = 0; i < count; i++) {
        uint32_t r = next_random(&state) >> 8;
        if (p->in == TSR_S8) {
            int8_t n = integers ? (int8_t)((int)(r % 3) - 1) : (int8_t)(r & 0xff);
            o->number[i] = n;
            ((int8_t *)o->data)[i] = n;
        } else {
            int one = p->in == TSR_BF16 ? 128 : 1024; /* as many bits as the type holds */
            float f = integers ? (float)((int)(r % 3) - 1) : (float)((int)(r % (2 * (uint32_t)one)) - one) / (float)one;
            o->number[i] = f;
            ((uint16_t *)o->data)[i] = to_16(f, p->in == TSR_BF16);
        }
    }
}

/* ---- Peers. */

typedef struct cuda {
    int (*malloc)(void **pointer, size_t bytes);
    int (*free)(void *pointer);
    int (*memcpy)(void *to, const void *from, size_t bytes, int kind);
    int (*synchronize)(void);
    int (*event_create)(void **event);
    int (*event_record)(void *event, void *stream);
    int (*event_elapsed)(float *ms, void *from, void *to);
    int (*create)(void **handle);
    int (*gemm)(void *handle, int trans_a, int trans_b, int m, int n, int k, const void *alpha, const void *a,
                int a_type, int lda, const void *b, int b_type, int ldb, const void *beta, void *c, int c_type, int ldc,
                int compute, int algorithm);
    void *handle, *start, *stop;
    int (*clock)(void *device, int domain, unsigned *mhz); /* NVML */
    void *nvml_device;
} cuda;

static cuda peer;
static bool has_peer;

static void *open_first(const char *const *names)
{
    for (; *names; names++) {
        void *library = dlopen(*names, RTLD_NOW);
        if (library) return library;
    }
    return NULL;
}

/* dlsym gives a pointer to data; POSIX promises that it holds a function too. */
static bool find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

static void open_nvml(void)
{
    int (*init)(void) = NULL, (*get)(unsigned index, void **device) = NULL;
    void *library = open_first((const char *const[]){"libnvidia-ml.so.1", NULL});
    if (!library || !find(library, "nvmlInit_v2", &init) || !find(library, "nvmlDeviceGetHandleByIndex_v2", &get) ||
        !find(library, "nvmlDeviceGetClockInfo", &peer.clock) || init() != 0 || get(0, &peer.nvml_device) != 0)
        peer.clock = NULL;
}

static unsigned clock_mhz(void)
{
    enum { SM = 1 };
    unsigned mhz = 0;
    return peer.clock && peer.clock(peer.nvml_device, SM, &mhz) == 0 ? mhz : 0;
}

static void open_peer(void)
{
    void *runtime = open_first((const char *const[]){"libcudart.so.13", "libcudart.so.12", "libcudart.so", NULL});
    void *blas = open_first((const char *const[]){"libcublas.so.13", "libcublas.so.12", "libcublas.so", NULL});
    open_nvml();
    if (!runtime || !blas) return;
    has_peer =
        find(runtime, "cudaMalloc", &peer.malloc) && find(runtime, "cudaFree", &peer.free) &&
        find(runtime, "cudaMemcpy", &peer.memcpy) && find(runtime, "cudaDeviceSynchronize", &peer.synchronize) &&
        find(runtime, "cudaEventCreate", &peer.event_create) && find(runtime, "cudaEventRecord", &peer.event_record) &&
        find(runtime, "cudaEventElapsedTime", &peer.event_elapsed) && find(blas, "cublasCreate_v2", &peer.create) &&
        find(blas, "cublasGemmEx", &peer.gemm) && peer.event_create(&peer.start) == 0 &&
        peer.event_create(&peer.stop) == 0 && peer.create(&peer.handle) == 0;
}

/* ---- One kernel at one size. */

typedef struct job {
    const product *p;
    uint32_t size, blocks;
    tsr_device *dev;
    tsr_pipeline *pipeline;
    tsr_buffer *buffer[3];
    tsr_binding binding[3];
    operand a, b;
    void *gpu[3]; /* CUDA's */
    int compute;  /* cuBLAS's */
} job;

static size_t out_bytes(const job *j)
{
    return tsr_component_bits(j->p->out) / 8;
}

static double run_once(const job *j)
{
    tsr_run_report report;
    check(tsr_dispatch(
        j->pipeline, &(tsr_dispatch_args){
                         .bindings = j->binding, .binding_count = 3, .groups = {j->blocks, 1, 1}, .report = &report}));
    check(tsr_device_wait(j->dev));
    return (double)report.time_ns * 1e-6;
}

/* C^T = B^T A^T, since cuBLAS counts columns first. Values of enums: cublas_api.h, library_types.h. */
static int call_peer(const job *j)
{
    enum { F32 = 0, F16 = 2, S8 = 3, S32 = 10, BF16 = 14, SUMS_F16 = 64, SUMS_S32 = 72 };
    static const float one = 1, zero = 0;
    static const int32_t one_i = 1, zero_i = 0;
    static const uint16_t one_h = 0x3c00, zero_h = 0;
    int n = (int)j->size, in = j->p->in == TSR_S8 ? S8 : j->p->in == TSR_BF16 ? BF16 : F16;
    int out = j->p->out == TSR_S32 ? S32 : j->p->out == TSR_F16 ? F16 : F32;
    const void *alpha = j->compute == SUMS_S32   ? (const void *)&one_i
                        : j->compute == SUMS_F16 ? (const void *)&one_h
                                                 : (const void *)&one;
    const void *beta = j->compute == SUMS_S32   ? (const void *)&zero_i
                       : j->compute == SUMS_F16 ? (const void *)&zero_h
                                                : (const void *)&zero;
    return peer.gemm(peer.handle, j->p->transposed, 0, n, n, n, alpha, j->gpu[1], in, n, j->gpu[0], in, n, beta,
                     j->gpu[2], out, n, j->compute, -1);
}

static double run_peer(const job *j)
{
    float ms = 0;
    int bad = peer.event_record(peer.start, NULL) | call_peer(j) | peer.event_record(peer.stop, NULL);
    bad |= peer.synchronize();
    bad |= peer.event_elapsed(&ms, peer.start, peer.stop);
    if (bad) {
        fprintf(stderr, "gemm: cuBLAS fails at %s, %u\n", j->p->name, j->size);
        exit(3);
    }
    return ms;
}

/* ---- Checks. */

static double element_of(const void *row, size_t column, tsr_component c)
{
    if (c == TSR_S32) return ((const int32_t *)row)[column];
    return c == TSR_F16 ? from_16(((const uint16_t *)row)[column]) : (double)((const float *)row)[column];
}

/* The sum in f64, and that of the magnitudes. */
static double reference(const job *j, size_t row, size_t column, double *magnitude)
{
    size_t n = j->size;
    double sum = 0;
    *magnitude = 0;
    for (size_t k = 0; k < n; k++) {
        double x = j->a.number[row * n + k] * j->b.number[j->p->transposed ? column * n + k : k * n + column];
        sum += x;
        *magnitude += fabs(x);
    }
    return sum;
}

static void check_product(const job *j, bool exact)
{
    size_t n = j->size, bytes = n * out_bytes(j), bad = 0;
    uint32_t state = 99;
    void *row = malloc(bytes);
    if (!row) exit(3);
    for (int i = 0; i < SAMPLED_ROWS; i++) {
        size_t r = i < 2 ? (i ? n - 1 : 0) : next_random(&state) % n;
        check(tsr_buffer_read(j->buffer[2], r * bytes, row, bytes));
        for (int k = 0; k < SAMPLED_COLUMNS; k++) {
            size_t q = k < 2 ? (k ? n - 1 : 0) : next_random(&state) % n;
            double magnitude, want = reference(j, r, q, &magnitude), got = element_of(row, q, j->p->out);
            double bound = exact ? 0 : (pow(1 + 0x1p-23, 2.0 * (double)n + 1) - 1) * magnitude;
            if (fabs(got - want) <= bound) continue;
            if (bad++ == 0)
                fprintf(stderr, "gemm: %s, %u: [%zu, %zu] is %.9g, not %.9g\n", j->p->name, j->size, r, q, got, want);
        }
    }
    free(row);
    if (bad) failed = true;
}

static void set_data(job *j, bool integers)
{
    size_t count = (size_t)j->size * j->size;
    enum { TO_DEVICE = 1 };
    fill(&j->a, j->p, count, integers, 1);
    fill(&j->b, j->p, count, integers, 2);
    check(tsr_buffer_write(j->buffer[0], 0, j->a.data, j->a.bytes));
    check(tsr_buffer_write(j->buffer[1], 0, j->b.data, j->b.bytes));
    if (!has_peer) return;
    if (peer.memcpy(j->gpu[0], j->a.data, j->a.bytes, TO_DEVICE) |
        peer.memcpy(j->gpu[1], j->b.data, j->b.bytes, TO_DEVICE))
        exit(3);
}

static void open_job(job *j, const product *p, uint32_t size, tsr_device *dev)
{
    size_t count = (size_t)size * size, in = tsr_component_bits(p->in) / 8;
    struct tiling t = choose_tiling(p, size);
    tsr_override_value values[4 + SET_MAX] = {{.name = "SIZE_M", .value = size},
                                              {.name = "SIZE_N", .value = size},
                                              {.name = "SIZE_K", .value = size},
                                              {.name = "BETWEEN", .value = t.between}};
    memcpy(values + 4, set, set_count * sizeof *set);
    *j = (job){.p = p, .size = size, .dev = dev, .blocks = count_blocks(&t, size)};
    tsr_module *m = make_module(p, &t);
    const tsr_pipeline_args args = {.overrides = values, .override_count = 4 + set_count};
    check(tsr_pipeline_create(dev, m, &args, &j->pipeline));
    tsr_module_free(m);
    for (uint32_t i = 0; i < 3; i++) {
        size_t bytes = count * (i < 2 ? in : out_bytes(j));
        check(tsr_buffer_create(dev, bytes, NULL, &j->buffer[i]));
        j->binding[i] = (tsr_binding){.binding = i, .buffer = j->buffer[i]};
        if (has_peer && peer.malloc(&j->gpu[i], bytes)) exit(3);
    }
    j->a = (operand){.data = malloc(count * in), .number = malloc(count * sizeof(float))};
    j->b = (operand){.data = malloc(count * in), .number = malloc(count * sizeof(float))};
    if (!j->a.data || !j->a.number || !j->b.data || !j->b.number) exit(3);
}

static void close_job(job *j)
{
    tsr_pipeline_free(j->pipeline);
    for (int i = 0; i < 3; i++) {
        tsr_buffer_free(j->buffer[i]);
        if (has_peer) peer.free(j->gpu[i]);
    }
    free(j->a.data);
    free(j->a.number);
    free(j->b.data);
    free(j->b.number);
}

/* ---- Measuring. */

/* cuBLAS has two ways to f16; the faster one is the peer. */
static void choose_compute(job *j)
{
    enum { SUMS_F32 = 68, SUMS_F16 = 64, SUMS_S32 = 72 };
    double best = INFINITY;
    j->compute = j->p->out == TSR_S32 ? SUMS_S32 : SUMS_F32;
    if (!has_peer || j->p->out != TSR_F16) return;
    const int ways[] = {SUMS_F32, SUMS_F16};
    int fastest = SUMS_F32;
    for (int i = 0; i < 2; i++) {
        j->compute = ways[i];
        for (int k = 0; k < 4; k++) {
            double ms = run_peer(j);
            if (k && ms < best) best = ms, fastest = ways[i];
        }
    }
    j->compute = fastest;
}

static void report(const job *j, const double *ours, const double *theirs, int count, unsigned mhz)
{
    double ms = median(ours, count), other = has_peer ? median(theirs, count) : 0;
    double tera = 2e-9 * (double)j->size * (double)j->size * (double)j->size;
    printf("%-20s %5u  %9.4f ms %7.1f T/s", j->p->name, j->size, ms, tera / ms);
    if (has_peer) printf("   cuBLAS %9.4f ms %7.1f T/s   ratio %.2f", other, tera / other, other / ms);
    if (mhz) printf("   %u MHz", mhz);
    printf("\n");
    fflush(stdout);
    if (!json) return;
    fprintf(json, "{\"bench\": \"gemm\", \"kernel\": \"%s\", \"size\": %u, \"ms\": %.5f, \"tera_per_s\": %.2f",
            j->p->name, j->size, ms, tera / ms);
    if (has_peer)
        fprintf(json, ", \"cublas_ms\": %.5f, \"cublas_tera_per_s\": %.2f, \"ratio\": %.4f", other, tera / other,
                other / ms);
    fprintf(json, ", \"sm_mhz\": %u, \"runs\": %d, \"device\": \"%s\"}\n", mhz, count, tsr_device_name(j->dev));
    fflush(json);
}

static void measure(job *j)
{
    double ours[RUNS_MAX], theirs[RUNS_MAX];
    unsigned mhz = 0;
    set_data(j, true);
    run_once(j);
    check_product(j, true);
    set_data(j, false);
    double start = clock_ms(CLOCK_MONOTONIC);
    do
        run_once(j);
    while (clock_ms(CLOCK_MONOTONIC) - start < warm_ms / 2);
    if (j->p->out != TSR_F16) check_product(j, j->p->out == TSR_S32);
    choose_compute(j);
    while (clock_ms(CLOCK_MONOTONIC) - start < warm_ms)
        has_peer ? run_peer(j) : run_once(j);
    for (int i = 0; i < runs; i += TURN) {
        int count = runs - i < TURN ? runs - i : TURN;
        run_once(j); /* the first after a change of context is slow */
        for (int k = 0; k < count; k++)
            ours[i + k] = run_once(j);
        unsigned now = clock_mhz();
        if (now > mhz) mhz = now;
        if (!has_peer) continue;
        run_peer(j);
        for (int k = 0; k < count; k++)
            theirs[i + k] = run_peer(j);
    }
    report(j, ours, theirs, runs, mhz);
}

/* ---- The command line. */

static int usage(void)
{
    fprintf(
        stderr,
        "usage: gemm [--device NAME] [--runs N] [--warm MS] [--json FILE] [--only WORD] [--set NAME=V]... SIZE...\n");
    return 2;
}

/* NAME=V: an override, of those that leave the blocks as they are (BAND, STAGGER, ...). */
static bool add_override(char *text)
{
    char *equals = strchr(text, '=');
    if (!equals || set_count == SET_MAX) return false;
    *equals = 0;
    set[set_count++] = (tsr_override_value){.name = text, .value = atof(equals + 1)};
    return true;
}

static bool read_option(const char *name, char *value)
{
    if (!value) return false;
    if (strcmp(name, "--device") == 0) return (device_name = value) != NULL;
    if (strcmp(name, "--only") == 0) return (only = value) != NULL;
    if (strcmp(name, "--runs") == 0) return (runs = atoi(value)) > 0 && runs <= RUNS_MAX;
    if (strcmp(name, "--set") == 0) return add_override(value);
    if (strcmp(name, "--warm") == 0) return (warm_ms = atof(value)) >= 0;
    if (strcmp(name, "--json") == 0) return (json = fopen(value, "w")) != NULL;
    return false;
}

static bool is_size(int size)
{
    return size >= 256 && size % 256 == 0 && size <= 16384;
}

int main(int argc, char **argv)
{
    int at = 1;
    for (; at < argc && strncmp(argv[at], "--", 2) == 0; at += 2)
        if (!read_option(argv[at], argv[at + 1])) return usage();
    if (at >= argc) return usage();
    for (int i = at; i < argc; i++)
        if (!is_size(atoi(argv[i]))) return usage();
    tsr_device *dev = NULL;
    check(tsr_device_open(device_name, NULL, &dev));
    if (strncmp(device_name, "vulkan", 6) == 0) open_peer();
    printf("%s: %s%s\n", device_name, tsr_device_description(dev), has_peer ? "" : "; no cuBLAS here");
    for (; at < argc; at++) {
        int size = atoi(argv[at]);
        for (size_t i = 0; i < sizeof products / sizeof *products; i++) {
            job j;
            if (!strstr(products[i].name, only)) continue;
            open_job(&j, &products[i], (uint32_t)size, dev);
            measure(&j);
            close_job(&j);
        }
    }
    tsr_device_free(dev);
    if (json) fclose(json);
    return failed ? 1 : 0;
}
