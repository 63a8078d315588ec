/* How near native code's functions on floats are to the exact values: over stratified bit patterns of f32 (TSR_ALL=1:
 * one of each 16), and all of f16; with and without fused multiply-add. The reference is the C library's in f64. What
 * WGSL promises
 * ("Accuracy of Concrete Floating Point Expressions") is wider everywhere. With exact bits, the interpreter's bits.
 *
 *   JIT_MATH=NAME   only this function; its worst errors are printed */
#define _DEFAULT_SOURCE
#include "tessera.h"
#include "unit.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 1 << 16, CHUNKS = 4, CHUNKS_PAIRS = 16, CHUNKS_MOST = 1 << 12, CHUNKS_ALL = 1 << 16 };

static double ref_inverse_sqrt(double x, double y)
{
    (void)y;
    return 1 / sqrt(x);
}

static double ref_fract(double x, double y)
{
    (void)y;
    return x - floor(x);
}

static double ref_ldexp(double x, double y)
{
    return ldexp(x, y != y ? 0 : (int)fmax(-2000, fmin(2000, y)));
}

/* A negative base has no power in WGSL, not even a whole one. */
static double ref_pow(double x, double y)
{
    if (y != y) return y;
    if (x == 0) return y > 0 ? 0 : y < 0 ? INFINITY : 1;
    return x < 0 && y != 0 ? NAN : x != x && y != 0 ? x : pow(x, y);
}

static double ref_atan2(double x, double y)
{
    return atan2(y, x);
}

#define ONE(name)                                                                                                      \
    static double ref_##name(double x, double y)                                                                       \
    {                                                                                                                  \
        (void)y;                                                                                                       \
        return name(x);                                                                                                \
    }
ONE(exp)
ONE(exp2)
ONE(log)
ONE(log2)
ONE(sin)
ONE(cos)
ONE(tan)
ONE(asin)
ONE(acos)
ONE(atan)
ONE(sinh)
ONE(cosh)
ONE(tanh)
ONE(asinh)
ONE(acosh)
ONE(atanh)
ONE(sqrt)
ONE(floor)
ONE(ceil)
ONE(trunc)
ONE(rint)
#undef ONE

/* Units in the last place that the result may be off: `ulps`, and `more` for each power of two of the result (pow). */
typedef struct function {
    const char *name, *text; /* of x and y */
    double (*exact)(double x, double y);
    double ulps, more;
    double domain; /* |x| up to which the bound holds; 0: everywhere */
    bool pairs;
} function;

static const function functions[] = {
    {"exp", "exp(x)", ref_exp, 1.5, 0, 0, false},
    {"exp2", "exp2(x)", ref_exp2, 1.5, 0, 0, false},
    {"log", "log(x)", ref_log, 1.5, 0, 0, false},
    {"log2", "log2(x)", ref_log2, 2.5, 0, 0, false},
    {"pow", "pow(x, y)", ref_pow, 2, 2, 0, true},
    {"sin", "sin(x)", ref_sin, 2, 0, 3.1415, false},
    {"cos", "cos(x)", ref_cos, 2, 0, 3.1415, false},
    {"tan", "tan(x)", ref_tan, 4, 0, 3.1415, false},
    {"asin", "asin(x)", ref_asin, 3, 0, 0, false},
    {"acos", "acos(x)", ref_acos, 2, 0, 0, false},
    {"atan", "atan(x)", ref_atan, 2.5, 0, 0, false},
    {"atan2", "atan2(y, x)", ref_atan2, 2.5, 0, 0, true},
    {"sinh", "sinh(x)", ref_sinh, 2.5, 0, 0, false},
    {"cosh", "cosh(x)", ref_cosh, 2.5, 0, 0, false},
    {"tanh", "tanh(x)", ref_tanh, 2, 0, 0, false},
    {"asinh", "asinh(x)", ref_asinh, 4, 0, 0, false},
    {"acosh", "acosh(x)", ref_acosh, 3, 0, 0, false},
    {"atanh", "atanh(x)", ref_atanh, 3, 0, 0, false},
    {"sqrt", "sqrt(x)", ref_sqrt, 0.5, 0, 0, false},
    {"inverseSqrt", "inverseSqrt(x)", ref_inverse_sqrt, 2, 0, 0, false},
    {"fract", "fract(x)", ref_fract, 0.5, 0, 0, false},
    {"floor", "floor(x)", ref_floor, 0, 0, 0, false},
    {"ceil", "ceil(x)", ref_ceil, 0, 0, 0, false},
    {"trunc", "trunc(x)", ref_trunc, 0, 0, 0, false},
    {"round", "round(x)", ref_rint, 0, 0, 0, false},
    {"ldexp", "ldexp(x, i32(y))", ref_ldexp, 0.5, 0, 0, true},
    {"rem", "x % y", fmod, 0, 0, 0, true},
};

/* ---- Running. */

typedef struct engine {
    tsr_device *dev;
    tsr_pipeline *p;
    tsr_buffer *buffer[3];
} engine;

static void open_engine(engine *g, const char *device, bool exact, const function *fn, bool half)
{
    char text[1024];
    tsr_module *mod = NULL;
    snprintf(text, sizeof text,
             "%s@group(0) @binding(0) var<storage, read> xs: array<f32>;\n"
             "@group(0) @binding(1) var<storage, read> ys: array<f32>;\n"
             "@group(0) @binding(2) var<storage, read_write> rs: array<f32>;\n"
             "@compute @workgroup_size(256) fn main(@builtin(global_invocation_id) id: vec3u) {\n"
             "    let x = %s(xs[id.x]);\n    let y = %s(ys[id.x]);\n    rs[id.x] = f32(%s);\n}\n",
             half ? "enable f16;\n" : "", half ? "f16" : "f32", half ? "f16" : "f32", fn->text);
    *g = (engine){0};
    assert_int_equal(tsr_compile(&(tsr_compile_args){.source = text, .source_bytes = strlen(text)}, &mod), TSR_OK);
    tsr_device_args args = {.threads = 1, .exact_bits = exact};
    assert_int_equal(tsr_device_open(device, &args, &g->dev), TSR_OK);
    assert_int_equal(tsr_pipeline_create(g->dev, mod, NULL, &g->p), TSR_OK);
    for (int i = 0; i < 3; i++)
        assert_int_equal(tsr_buffer_create(g->dev, COUNT * 4, NULL, &g->buffer[i]), TSR_OK);
    tsr_module_free(mod);
}

static void compute(engine *g, const float *x, const float *y, float *r)
{
    assert_int_equal(tsr_buffer_write(g->buffer[0], 0, x, COUNT * 4), TSR_OK);
    assert_int_equal(tsr_buffer_write(g->buffer[1], 0, y, COUNT * 4), TSR_OK);
    tsr_binding b[3] = {{.binding = 0, .buffer = g->buffer[0]},
                        {.binding = 1, .buffer = g->buffer[1]},
                        {.binding = 2, .buffer = g->buffer[2]}};
    tsr_dispatch_args args = {.bindings = b, .binding_count = 3, .groups = {COUNT / 256, 1, 1}};
    assert_int_equal(tsr_dispatch(g->p, &args), TSR_OK);
    assert_int_equal(tsr_buffer_read(g->buffer[2], 0, r, COUNT * 4), TSR_OK);
}

static void close_engine(engine *g)
{
    tsr_pipeline_free(g->p);
    for (int i = 0; i < 3; i++)
        tsr_buffer_free(g->buffer[i]);
    tsr_device_free(g->dev);
}

/* ---- Operands. */

static uint32_t mix(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

static float from_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static float half_value(uint32_t h)
{
    uint32_t exponent = h >> 10 & 31, fraction = h & 1023;
    float size = exponent == 31 ? (fraction ? NAN : INFINITY)
                 : exponent     ? ldexpf((float)(fraction | 1024), (int)exponent - 25)
                                : ldexpf((float)fraction, -24);
    return h & 0x8000 ? -size : size;
}

/* One of each stretch of bit patterns. Pairs: every other one near 1, so that their results are in range; small whole
 * numbers and what is special among them. */
static void fill(const function *fn, bool half, uint32_t chunk, uint32_t chunks, float *x, float *y)
{
    static const float special[] = {0.0f, -0.0f, 1.0f,  -1.0f, INFINITY, -INFINITY,
                                    NAN,  3.0f,  -2.0f, 0.5f,  127.0f,   -149.0f};
    uint32_t stretch = CHUNKS_ALL / chunks;
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t at = chunk * COUNT + i, r = mix(at), s = mix(at ^ 0x9e3779b9u);
        x[i] = half ? half_value(i) : from_bits(at * stretch + (stretch > 1 ? r % stretch : 0));
        y[i] = half ? half_value(mix(at) & 0xffff) : from_bits(s);
        if (!fn->pairs) continue;
        if (!half && i % 2) {
            x[i] = from_bits(0x3f800000u + (r & 0x0fffffffu) - 0x08000000u);
            y[i] = from_bits((0x3f800000u + (s & 0x0fffffffu) - 0x08000000u) ^ (s & 0x80000000u));
        }
        if (i % 16 == 2) y[i] = (float)((int)(s % 64) - 32);
        if (i % 64 == 6) x[i] = special[r % 12];
        if (i % 64 == 6 || i % 64 == 7) y[i] = special[s % 12];
    }
}

/* ---- Errors. */

typedef struct worst {
    double ulps;
    float x, y, got;
} worst;

static double unit_of(double exact, bool half)
{
    int e = 0, least = half ? -24 : -149, digits = half ? 11 : 24;
    (void)frexp(exact, &e);
    return ldexp(1, e - digits < least ? least : e - digits);
}

/* In units beyond what `more` allows; an infinite result counts as the first number out of range. */
static double error_of(const function *fn, bool half, double exact, float got)
{
    double limit = half ? 65536 : 0x1p128, g = (double)got;
    if (exact != exact) return got != got ? 0 : INFINITY;
    if (isinf(exact)) return g == exact ? 0 : INFINITY;
    if (isinf(g)) g = copysign(limit, g);
    if (fabs(exact) > limit) exact = copysign(limit, exact);
    double ulps = fabs(g - exact) / unit_of(fabs(exact) < limit ? exact : 0.75 * exact, half);
    if (fn->more > 0 && exact > 0) ulps -= fn->more * fabs(log2(exact));
    return g != g ? INFINITY : fmax(ulps, 0);
}

static void measure(const function *fn, bool half, uint32_t chunks, worst *w)
{
    static float x[COUNT], y[COUNT], r[COUNT];
    engine g;
    open_engine(&g, "cpu", false, fn, half);
    for (uint32_t chunk = 0; chunk < chunks; chunk++) {
        fill(fn, half, chunk, chunks, x, y);
        compute(&g, x, y, r);
        for (uint32_t i = 0; i < COUNT; i++) {
            if (fn->domain > 0 && fabs((double)x[i]) > fn->domain && !isinf(x[i]) && x[i] == x[i]) continue;
            /* A quotient of 2^23 and more leaves nothing to compare. */
            if (fn->exact == fmod && fabs((double)x[i]) / fabs((double)y[i]) >= 0x1p22 && isfinite(x[i]) && y[i] != 0)
                continue;
            double ulps = error_of(fn, half, fn->exact((double)x[i], (double)y[i]), r[i]);
            if (ulps > w->ulps) *w = (worst){ulps, x[i], y[i], r[i]};
        }
    }
    close_engine(&g);
}

static bool is_wanted(const function *fn)
{
    const char *only = getenv("JIT_MATH");
    return !only || strcmp(only, fn->name) == 0;
}

static void check_all(bool half, uint32_t chunks)
{
    bool good = true;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        const function *fn = &functions[i];
        if (!is_wanted(fn)) continue;
        worst w = {0};
        measure(fn, half, fn->pairs && chunks < CHUNKS_PAIRS ? CHUNKS_PAIRS : chunks, &w);
        double most = half ? fmax(fn->ulps > 0 ? 0.51 : 0, fn->more) : fn->ulps;
        if (w.ulps > most || getenv("JIT_MATH"))
            fprintf(stderr, "%s of %s: %.3f units (%.2f allowed) at x = %a, y = %a: %a\n", fn->text,
                    half ? "f16" : "f32", w.ulps, most, (double)w.x, (double)w.y, (double)w.got);
        good = good && w.ulps <= most;
    }
    assert_true(good);
}

static void with_cpu(const char *cpu)
{
    if (cpu)
        setenv("TSR_CPU", cpu, 1);
    else
        unsetenv("TSR_CPU");
}

static void f32_is_near(void **state)
{
    (void)state;
    check_all(false, getenv("TSR_ALL") ? CHUNKS_MOST : CHUNKS);
}

static void f16_is_near(void **state)
{
    (void)state;
    check_all(true, 1);
}

static void near_without_fma(void **state)
{
    (void)state;
    with_cpu("plain");
    check_all(false, CHUNKS);
    with_cpu(NULL);
}

static void exact_bits_are_the_interpreters(void **state)
{
    (void)state;
    static float x[COUNT], y[COUNT], r[COUNT], want[COUNT];
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        const function *fn = &functions[i];
        if (!is_wanted(fn)) continue;
        for (int half = 0; half < 2; half++) {
            engine g;
            fill(fn, half, 0, 1, x, y);
            for (int k = 0; k < 2; k++) {
                open_engine(&g, k ? "cpu" : "cpu:interpreter", k, fn, half);
                compute(&g, x, y, k ? r : want);
                close_engine(&g);
            }
            for (uint32_t k = 0; k < COUNT; k++)
                if (memcmp(&r[k], &want[k], 4) != 0 && (r[k] == r[k] || want[k] == want[k]))
                    fail_msg("%s: x = %a, y = %a: %a, interpreter %a", fn->text, (double)x[k], (double)y[k],
                             (double)r[k], (double)want[k]);
        }
    }
}

int main(void)
{
    setenv("TSR_CACHE", "off", 1);
    const struct CMUnitTest tests[] = {cmocka_unit_test(f32_is_near), cmocka_unit_test(f16_is_near),
                                       cmocka_unit_test(near_without_fma),
                                       cmocka_unit_test(exact_bits_are_the_interpreters)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
