/* The demo: every example kernel on unequal, odd sizes, on the CPU, each result compared with an f64 reference
 * (integers: exact) within a bound derived from the data. A client of the public API, as any program would be.
 *
 *   demo [--kernels DIR] [--quick]
 *
 * The first table runs at the device's own subgroup size; the second runs every kernel at each size from 4 to 128,
 * where a size that does not divide a fragment has to be refused. Exit status: 0 when every verdict is good, else 1. */
#include "tessera.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Half a unit in the last place of 1 in f32: the relative error of one rounding. */
static const double unit_f32 = 0x1p-24;

/* ---- Data. */

typedef struct generator {
    uint64_t state;
} generator;

/* splitmix64: the same numbers on every machine. */
static uint64_t next_bits(generator *g)
{
    uint64_t z = g->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* [-1, 1) with `bits` bits: 11 fit f16 exactly, 24 fill the significand of f32. */
static double next_unit(generator *g, int bits)
{
    return ldexp((double)(next_bits(g) >> (64 - bits)), 1 - bits) - 1.0;
}

/* An f16 from a value that it holds exactly (a multiple of 2^-10 in [-1, 1]). */
static uint16_t half_of(double x)
{
    if (x == 0) return 0;
    int e;
    double m = frexp(fabs(x), &e); /* m in [0.5, 1) */
    uint16_t sign = x < 0 ? 0x8000 : 0;
    return (uint16_t)(sign | ((unsigned)(e + 14) << 10) | (unsigned)((m * 2 - 1) * 1024));
}

static void *take(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size);
    if (!p) {
        fprintf(stderr, "demo: out of memory\n");
        exit(3);
    }
    return p;
}

static float *random_floats(generator *g, size_t count, int bits)
{
    float *x = take(count, sizeof *x);
    for (size_t i = 0; i < count; i++)
        x[i] = (float)next_unit(g, bits);
    return x;
}

/* ---- Running one kernel. */

typedef struct demo {
    const char *dir;
    tsr_device *device;
    bool quick;
    int bad; /* verdicts that were not good */
} demo;

/* A kernel's buffers in the order of their bindings in group 0, and its grid. */
typedef struct launch {
    const char *file;
    struct {
        const void *data; /* NULL: zeros */
        size_t bytes;
    } buffers[8];
    unsigned buffer_count, out; /* out: which buffer is read back */
    void *result;
    uint32_t groups[3];
    const tsr_override_value *overrides;
    size_t override_count;
} launch;

typedef struct outcome {
    tsr_status status;
    char refusal[256];
    char config[80];
    tsr_run_report report;
} outcome;

static char *read_file(const char *dir, const char *name, size_t *bytes)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *f = fopen(path, "rb");
    if (!f) {
        fprintf(stderr, "demo: cannot open %s; give the folder of the kernels with --kernels DIR\n", path);
        exit(3);
    }
    size_t cap = 1 << 20;
    char *text = take(cap, 1);
    *bytes = fread(text, 1, cap, f);
    fclose(f);
    return text;
}

static tsr_module *compile(const demo *d, const char *file)
{
    size_t bytes;
    char *text = read_file(d->dir, file, &bytes);
    tsr_module *m = NULL;
    tsr_status st = tsr_compile(&(tsr_compile_args){.name = file, .source = text, .source_bytes = bytes}, &m);
    free(text);
    if (st == TSR_OK) return m;
    for (size_t i = 0; m && i < tsr_module_diagnostic_count(m); i++)
        fputs(tsr_module_diagnostic_text(m, i, 0), stderr);
    fprintf(stderr, "demo: %s does not compile: %s\n", file, tsr_last_error());
    exit(1);
}

static void describe_config(const tsr_module *m, char *out, size_t bytes)
{
    tsr_config cfg;
    if (tsr_module_config_count(m, NULL) == 0 || tsr_module_config(m, NULL, 0, &cfg) != TSR_OK)
        snprintf(out, bytes, "no matrices");
    else
        tsr_config_name(&cfg, out, bytes);
}

static tsr_status dispatch(tsr_device *dev, tsr_pipeline *p, const launch *l, outcome *o)
{
    tsr_buffer *buffers[8] = {0};
    tsr_binding bindings[8];
    tsr_status st = TSR_OK;
    for (unsigned i = 0; i < l->buffer_count && st == TSR_OK; i++) {
        st = tsr_buffer_create(dev, l->buffers[i].bytes, l->buffers[i].data, &buffers[i]);
        bindings[i] = (tsr_binding){.group = 0, .binding = i, .buffer = buffers[i]};
    }
    tsr_dispatch_args args = {.bindings = bindings, .binding_count = l->buffer_count, .report = &o->report};
    memcpy(args.groups, l->groups, sizeof args.groups);
    if (st == TSR_OK) st = tsr_dispatch(p, &args);
    if (st == TSR_OK) st = tsr_device_wait(dev);
    if (st == TSR_OK) st = tsr_buffer_read(buffers[l->out], 0, l->result, l->buffers[l->out].bytes);
    for (unsigned i = 0; i < l->buffer_count; i++)
        tsr_buffer_free(buffers[i]);
    return st;
}

static outcome run(const demo *d, const launch *l)
{
    outcome o = {0};
    tsr_module *m = compile(d, l->file);
    describe_config(m, o.config, sizeof o.config);
    tsr_pipeline *p = NULL;
    tsr_pipeline_args args = {.overrides = l->overrides, .override_count = l->override_count};
    o.status = tsr_pipeline_create(d->device, m, &args, &p);
    if (o.status == TSR_OK) o.status = dispatch(d->device, p, l, &o);
    if (o.status != TSR_OK) snprintf(o.refusal, sizeof o.refusal, "%s", tsr_last_error());
    tsr_pipeline_free(p);
    tsr_module_free(m);
    return o;
}

/* ---- Comparing. */

typedef struct verdict {
    double worst, bound; /* of the element whose error is the largest part of its bound */
    size_t at, bad;      /* bad: elements over their bound; not a number counts as over */
} verdict;

static void compare(verdict *v, size_t i, double got, double want, double bound)
{
    double error = fabs(got - want);
    bool good = error <= bound; /* false for NaN */
    if (!good) v->bad++;
    double part = bound > 0 ? error / bound : error, worst = v->bound > 0 ? v->worst / v->bound : v->worst;
    if (i == 0 || !(part <= worst)) *v = (verdict){error, bound, i, v->bad};
}

/* k roundings on a running sum: |error| <= ((1 + u)^k - 1) * sum|a b| (Higham, "Accuracy and Stability of Numerical
 * Algorithms", chapter 3). */
static double growth(double k)
{
    return expm1(k * log1p(unit_f32));
}

/* Element i is the sum of k products a[j * a_step] * b[j * b_step]. */
static void compare_dot(verdict *v, size_t i, double got, const float *a, size_t a_step, const float *b, size_t b_step,
                        size_t k)
{
    double sum = 0, size = 0;
    for (size_t j = 0; j < k; j++) {
        double term = (double)a[j * a_step] * b[j * b_step];
        sum += term;
        size += fabs(term);
    }
    compare(v, i, got, sum, growth((double)k) * size);
}

/* ---- The kernels. Each makes its data, runs, and compares; NULL v: only the outcome matters. */

typedef struct sizes {
    uint32_t m, n, k; /* attention: queries, keys, head size */
    uint32_t heads;
    bool causal, mask;
} sizes;

static uint32_t up(uint32_t a, uint32_t b)
{
    return (a + b - 1) / b;
}

static outcome gemm_f32(const demo *d, const sizes *s, verdict *v)
{
    generator g = {1};
    size_t na = (size_t)s->m * s->k, nb = (size_t)s->k * s->n, nc = (size_t)s->m * s->n;
    float *a = random_floats(&g, na, 24), *b = random_floats(&g, nb, 24), *c = take(nc, sizeof *c);
    uint32_t dims[4] = {s->m, s->n, s->k, 0};
    launch l = {.file = "gemm_f32.wgsl",
                .buffers = {{a, na * 4}, {b, nb * 4}, {NULL, nc * 4}, {dims, sizeof dims}},
                .buffer_count = 4,
                .out = 2,
                .result = c,
                .groups = {up(s->n, 32), up(s->m, 32), 1}};
    outcome o = run(d, &l);
    for (size_t i = 0; v && o.status == TSR_OK && i < nc; i++)
        compare_dot(v, i, c[i], a + i / s->n * s->k, 1, b + i % s->n, s->n, s->k);
    free(a), free(b), free(c);
    return o;
}

static outcome gemm_f16(const demo *d, const sizes *s, verdict *v)
{
    generator g = {2};
    size_t na = (size_t)s->m * s->k, nb = (size_t)s->k * s->n, nc = (size_t)s->m * s->n;
    float *a = random_floats(&g, na, 11), *b = random_floats(&g, nb, 11), *c = take(nc, sizeof *c);
    uint16_t *ha = take(na + 1, 2), *hb = take(nb + 1, 2);
    for (size_t i = 0; i < na; i++)
        ha[i] = half_of(a[i]);
    for (size_t i = 0; i < nb; i++)
        hb[i] = half_of(b[i]);
    uint32_t dims[4] = {s->m, s->n, s->k, 0};
    launch l = {.file = "gemm_f16.wgsl",
                .buffers = {{ha, (na + 1) / 2 * 4}, {hb, (nb + 1) / 2 * 4}, {NULL, nc * 4}, {dims, sizeof dims}},
                .buffer_count = 4,
                .out = 2,
                .result = c,
                .groups = {up(s->n, 64), up(s->m, 64), 1}};
    outcome o = run(d, &l);
    for (size_t i = 0; v && o.status == TSR_OK && i < nc; i++)
        compare_dot(v, i, c[i], a + i / s->n * s->k, 1, b + i % s->n, s->n, s->k);
    free(a), free(b), free(c), free(ha), free(hb);
    return o;
}

static outcome gemm_i8(const demo *d, const sizes *s, verdict *v)
{
    generator g = {3};
    size_t na = (size_t)s->m * s->k, nb = (size_t)s->k * s->n, nc = (size_t)s->m * s->n;
    int8_t *a = take(na + 4, 1), *b = take(nb + 4, 1);
    int32_t *c = take(nc, sizeof *c);
    for (size_t i = 0; i < na; i++)
        a[i] = (int8_t)(int)(next_bits(&g) >> 56);
    for (size_t i = 0; i < nb; i++)
        b[i] = (int8_t)(int)(next_bits(&g) >> 56);
    uint32_t dims[4] = {s->m, s->n, s->k, 0};
    launch l = {.file = "gemm_i8.wgsl",
                .buffers = {{a, (na + 3) / 4 * 4}, {b, (nb + 3) / 4 * 4}, {NULL, nc * 4}, {dims, sizeof dims}},
                .buffer_count = 4,
                .out = 2,
                .result = c,
                .groups = {up(s->n, 32), up(s->m, 32), 1}};
    outcome o = run(d, &l);
    for (size_t i = 0; v && o.status == TSR_OK && i < nc; i++) {
        int64_t sum = 0;
        for (size_t k = 0; k < s->k; k++)
            sum += (int64_t)a[i / s->n * s->k + k] * b[k * s->n + i % s->n];
        compare(v, i, c[i], (double)sum, 0);
    }
    free(a), free(b), free(c);
    return o;
}

static outcome gemv(const demo *d, const sizes *s, verdict *v)
{
    generator g = {4};
    float *w = random_floats(&g, (size_t)s->n * s->k, 24), *x = random_floats(&g, s->k, 24), *y = take(s->n, sizeof *y);
    uint32_t dims[2] = {s->n, s->k};
    launch l = {.file = "gemv.wgsl",
                .buffers = {{w, (size_t)s->n * s->k * 4}, {x, s->k * 4u}, {NULL, s->n * 4u}, {dims, sizeof dims}},
                .buffer_count = 4,
                .out = 2,
                .result = y,
                .groups = {up(s->n, 32), 1, 1}};
    outcome o = run(d, &l);
    for (size_t i = 0; v && o.status == TSR_OK && i < s->n; i++)
        compare_dot(v, i, y[i], w + i * s->k, 1, x, 1, s->k); /* fewer roundings than one long sum has */
    free(w), free(x), free(y);
    return o;
}

/* The data of one attention. */
typedef struct attention_data {
    const float *q, *k, *v, *mask, *o;
    double *weight; /* scratch, n_kv */
    double scale;
} attention_data;

static bool sees(const sizes *s, size_t row, size_t col)
{
    return !s->causal || col + s->m <= row + s->n;
}

/* Weights of one row in f64 and a bound on the relative error of each computed weight: what the score may be off (its
 * sum's roundings, scale and mask: one rounding each), twice since the greatest score is off too, three units for each
 * exp (one for the argument's subtraction), and two for each block's shrinking. */
static double row_weights(const sizes *s, const attention_data *a, size_t head, size_t row)
{
    double most = -INFINITY, off = 0;
    for (size_t j = 0; j < s->n; j++) {
        a->weight[j] = -INFINITY;
        if (!sees(s, row, j)) continue;
        double sum = 0, size = 0;
        for (size_t t = 0; t < s->k; t++) {
            double term = (double)a->q[(head * s->m + row) * s->k + t] * a->k[(head * s->n + j) * s->k + t];
            sum += term;
            size += fabs(term);
        }
        double bias = s->mask ? a->mask[row * s->n + j] : 0;
        a->weight[j] = sum * a->scale + bias;
        double error = growth((double)s->k + 2) * size * a->scale + unit_f32 * fabs(a->weight[j]);
        if (error > off) off = error;
        if (a->weight[j] > most) most = a->weight[j];
    }
    double range = 0;
    for (size_t j = 0; j < s->n; j++) {
        if (a->weight[j] == -INFINITY) continue;
        if (most - a->weight[j] > range) range = most - a->weight[j];
    }
    for (size_t j = 0; j < s->n; j++)
        a->weight[j] = a->weight[j] == -INFINITY ? 0 : exp(a->weight[j] - most);
    double blocks = (double)up(s->n, 16);
    return expm1(2 * off + range * unit_f32 + 3 * unit_f32 + blocks * (3 + range) * unit_f32);
}

static void compare_row(const sizes *s, const attention_data *a, size_t head, size_t row, verdict *v)
{
    double relative = row_weights(s, a, head, row), total = 0;
    for (size_t j = 0; j < s->n; j++)
        total += a->weight[j];
    for (size_t t = 0; t < s->k; t++) {
        double sum = 0, size = 0;
        for (size_t j = 0; j < s->n; j++) {
            double term = a->weight[j] * a->v[(head * s->n + j) * s->k + t];
            sum += term;
            size += fabs(term);
        }
        size_t i = (head * s->m + row) * s->k + t;
        double want = total > 0 ? sum / total : 0;
        /* Numerator and denominator are each off by the weights' error and their sums' roundings. */
        double bound = total > 0 ? (2 * relative + 2 * growth((double)s->n + 2 * up(s->n, 16) + 2)) * size / total : 0;
        compare(v, i, a->o[i], want, bound * 1.01);
    }
}

static outcome attention(const demo *d, const sizes *s, verdict *v)
{
    generator g = {5};
    size_t nq = (size_t)s->heads * s->m * s->k, nkv = (size_t)s->heads * s->n * s->k, nm = (size_t)s->m * s->n;
    float *q = random_floats(&g, nq, 24), *k = random_floats(&g, nkv, 24), *val = random_floats(&g, nkv, 24),
          *mask = random_floats(&g, nm, 24);
    float *o = take(nq, sizeof *o);
    struct {
        uint32_t n_q, n_kv, causal, has_mask;
        float scale;
        uint32_t pad[3];
    } params = {s->m, s->n, s->causal, s->mask, 1.0f / sqrtf((float)s->k), {0}};
    tsr_override_value head_size = {.name = "HEAD", .value = s->k};
    launch l = {
        .file = "attention.wgsl",
        .buffers =
            {{q, nq * 4}, {k, nkv * 4}, {val, nkv * 4}, {mask, nm * 4}, {NULL, nq * 4}, {&params, sizeof params}},
        .buffer_count = 6,
        .out = 4,
        .result = o,
        .groups = {up(s->m, 16), s->heads, 1},
        .overrides = &head_size,
        .override_count = 1};
    outcome out = run(d, &l);
    attention_data a = {q, k, val, mask, o, take(s->n, sizeof(double)), params.scale};
    for (size_t head = 0; v && out.status == TSR_OK && head < s->heads; head++)
        for (size_t row = 0; row < s->m; row++)
            compare_row(s, &a, head, row, v);
    free(q), free(k), free(val), free(mask), free(o), free(a.weight);
    return out;
}

/* ---- Tables. */

typedef struct kernel {
    const char *name;
    outcome (*run)(const demo *d, const sizes *s, verdict *v);
    double flops_per_mnk; /* times heads */
    sizes cases[5];       /* until m is 0 */
} kernel;

static const kernel kernels[] = {
    {"gemm_f32", gemm_f32, 2, {{45, 37, 29, 1, 0, 0}, {131, 67, 257, 1, 0, 0}, {1, 3, 5, 1, 0, 0}}},
    {"gemm_f16", gemm_f16, 2, {{45, 37, 29, 1, 0, 0}, {131, 67, 257, 1, 0, 0}, {1, 3, 5, 1, 0, 0}}},
    {"gemm_i8", gemm_i8, 2, {{45, 37, 29, 1, 0, 0}, {131, 67, 257, 1, 0, 0}, {1, 3, 5, 1, 0, 0}}},
    {"gemv", gemv, 2, {{1, 67, 1025, 1, 0, 0}, {1, 333, 129, 1, 0, 0}}},
    {"attention",
     attention,
     4,
     {{37, 53, 64, 2, 0, 0}, {37, 53, 40, 3, 0, 1}, {29, 23, 17, 2, 1, 1}, {1, 131, 80, 2, 0, 0}}},
};
enum { KERNELS = sizeof kernels / sizeof kernels[0] };

static void describe_sizes(const kernel *k, const sizes *s, char *out, size_t bytes)
{
    if (k->run == attention)
        snprintf(out, bytes, "%ux%ux%u, %u heads%s%s", s->m, s->n, s->k, s->heads, s->causal ? ", causal" : "",
                 s->mask ? ", mask" : "");
    else
        snprintf(out, bytes, "%ux%ux%u", s->m, s->n, s->k);
}

static void print_case(demo *d, const kernel *k, const sizes *s)
{
    char what[64];
    describe_sizes(k, s, what, sizeof what);
    verdict v = {0};
    outcome o = k->run(d, s, &v);
    if (o.status != TSR_OK) {
        printf("%-10s %-33s failed: %s\n", k->name, what, o.refusal);
        d->bad++;
        return;
    }
    double flops = k->flops_per_mnk * s->m * s->n * s->k * s->heads;
    bool good = v.bad == 0 && o.report.oob_accesses == 0 && o.report.oob_matrix_accesses == 0;
    if (!good) d->bad++;
    printf("%-10s %-33s %-36s %4u %11.2e %11.2e  %-7s %8.3f\n", k->name, what, o.config,
           (unsigned)tsr_device_subgroup_size(d->device), v.worst, v.bound,
           good ? v.bound == 0 ? "exact" : "within" : "WRONG",
           flops / (double)(o.report.time_ns ? o.report.time_ns : 1));
}

static tsr_device *open_device(uint32_t subgroup_size)
{
    tsr_device *dev = NULL;
    tsr_device_args args = {.subgroup_size = subgroup_size};
    if (tsr_device_open("cpu", &args, &dev) == TSR_OK) return dev;
    fprintf(stderr, "demo: %s\n", tsr_last_error());
    exit(3);
}

static void print_results(demo *d)
{
    printf("%-10s %-33s %-36s %4s %11s %11s  %-7s %8s\n", "kernel", "m x n x k", "configuration", "sg", "worst error",
           "its bound", "verdict", "GFLOP/s");
    d->device = open_device(0);
    for (int k = 0; k < KERNELS; k++)
        for (const sizes *s = kernels[k].cases; s->m != 0; s++)
            print_case(d, &kernels[k], s);
    tsr_device_free(d->device);
}

/* "right", "refused" where some fragment's components are not divided by the size, else what went wrong. */
static const char *run_at(demo *d, const kernel *k, uint32_t size, char *reason, size_t bytes)
{
    verdict v = {0};
    outcome o = k->run(d, &k->cases[0], &v);
    tsr_config cfg;
    bool has_matrices = tsr_config_parse(o.config, &cfg) == TSR_OK;
    bool fits = !has_matrices || tsr_config_fits(&cfg, size);
    if (o.status == TSR_OK && v.bad == 0 && fits) return "right";
    if (o.status == TSR_ERR_UNSUPPORTED && !fits) {
        snprintf(reason, bytes, "%s at %u: %.*s", k->name, (unsigned)size, (int)strcspn(o.refusal, "\n"), o.refusal);
        return "refused";
    }
    d->bad++;
    return o.status == TSR_OK ? "WRONG" : "FAILED";
}

static void print_subgroup_sizes(demo *d)
{
    static const uint32_t all[] = {4, 8, 16, 32, 64, 128};
    char reasons[KERNELS * 6][300] = {{0}};
    int reason_count = 0;
    printf("\n%-10s", "subgroup");
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        printf(" %8u", (unsigned)all[i]);
    printf("\n");
    for (int k = 0; k < KERNELS; k++) {
        printf("%-10s", kernels[k].name);
        for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
            d->device = open_device(all[i]);
            printf(" %8s", run_at(d, &kernels[k], all[i], reasons[reason_count], sizeof reasons[0]));
            if (reasons[reason_count][0]) reason_count++;
            tsr_device_free(d->device);
        }
        printf("\n");
    }
    for (int i = 0; i < reason_count; i++)
        printf("%s\n", reasons[i]);
}

int main(int argc, char **argv)
{
    demo d = {.dir = "examples"};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--kernels") == 0 && i + 1 < argc)
            d.dir = argv[++i];
        else if (strcmp(argv[i], "--quick") == 0)
            d.quick = true;
        else {
            fprintf(stderr, "usage: demo [--kernels DIR] [--quick]\n");
            return 2;
        }
    }
    print_results(&d);
    if (!d.quick) print_subgroup_sizes(&d);
    printf("\n%s\n", d.bad ? "Something is wrong." : "Every result is right.");
    return d.bad ? 1 : 0;
}
