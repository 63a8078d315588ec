/* Random programs (random_program.h) on native code and on the interpreter: results must be equal bit for bit (a NaN is
 * as good as another). Portable ones run also on native code that need not give the interpreter's bits, and on another
 * device when one is named: integers must be equal, and floats as near as their bounds say. The seed and the program
 * are printed when they differ.
 *
 * Half of them are compiled by the long list of passes, unless TSR_JIT says by which.
 *
 *   JIT_PROGRAMS=N   how many (default 60)      JIT_SEED=N   where they begin      JIT_SECONDS=N   no longer than that
 *   TSR_TEST_DEVICE=vulkan:0   the other device; with it most programs are portable */
#define _DEFAULT_SOURCE
#include "tessera.h"
#include "unit.h"

#include "random_program.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { GROUPS = 2, MATRIX_WORDS = 1 << 17, DATA_WORDS = 1024 };

/* What a device gave, and what the comparison needs to know of the numbers in it. */
typedef enum numbers { ALL_BITS, BOUNDED_PAIRS, PRODUCTS_F32, PRODUCTS_F16 } numbers;

typedef struct trial {
    maker m;
    tsr_device *other;
    uint64_t seed;
    uint32_t subgroup, fill, words;
    numbers numbers;
    uint32_t *want, *got, *sizes; /* sizes: the sums of magnitudes of products */
    uint64_t oob;                 /* accesses out of bounds that the last run counted */
    uint64_t programs, elsewhere, refused;
    bool lacks; /* the device of the last run has no such matrices */
} trial;

/* ---- Running. */

static void fill_data(uint32_t *in, uint32_t fill, bool magnitudes)
{
    for (uint32_t i = 0; i < DATA_WORDS; i++) {
        in[i] = fill == 1   ? 0x3c003800u ^ (i * 0x01010101u & 0x03ff03ffu) ^ (i * 2654435761u & 0x80008000u)
                : fill == 2 ? (0x3f800000u + i * 0x1357u) ^ (i * 2654435761u & 0x80000000u)
                            : i * 2654435761u;
        if (magnitudes) in[i] &= fill == 1 ? 0x7fff7fffu : 0x7fffffffu;
    }
}

/* The error of a matrix that stands in no configuration of the device. */
static bool lacks_matrices(void)
{
    return strstr(tsr_last_error(), "[E0642]") != NULL;
}

static bool run_on(trial *t, tsr_device *dev, bool magnitudes, uint32_t *out)
{
    tsr_module *mod = NULL;
    tsr_pipeline *p = NULL;
    tsr_buffer *data = NULL, *result = NULL;
    uint32_t in[DATA_WORDS];
    fill_data(in, t->fill, magnitudes);
    memset(out, 0xab, t->words * 4);
    (void)tsr_compile(&(tsr_compile_args){.name = "random", .source = t->m.text, .source_bytes = strlen(t->m.text)},
                      &mod);
    bool ok = tsr_pipeline_create(dev, mod, NULL, &p) == TSR_OK &&
              tsr_buffer_create(dev, sizeof in, in, &data) == TSR_OK &&
              tsr_buffer_create(dev, t->words * 4, out, &result) == TSR_OK;
    if (ok && strstr(tsr_pipeline_engine(p), "cannot read")) { /* native code that LLVM refuses */
        fprintf(stderr, "%s\n", tsr_pipeline_engine(p));
        ok = false;
    }
    tsr_binding b[2] = {{.binding = 0, .buffer = data}, {.binding = 1, .buffer = result}};
    tsr_run_report report = {0};
    tsr_dispatch_args args = {.bindings = b, .binding_count = 2, .groups = {GROUPS, 1, 1}, .report = &report};
    ok = ok && tsr_dispatch(p, &args) == TSR_OK && tsr_device_wait(dev) == TSR_OK;
    t->oob = report.oob_accesses;
    if (ok) ok = tsr_buffer_read(result, 0, out, t->words * 4) == TSR_OK;
    t->lacks = !ok && lacks_matrices();
    if (!ok && !t->lacks) {
        if (mod && tsr_module_diagnostic_count(mod)) fputs(tsr_module_diagnostic_text(mod, 0, 0), stderr);
        fprintf(stderr, "%s: %s\n", tsr_device_name(dev), tsr_last_error());
    }
    tsr_pipeline_free(p);
    tsr_buffer_free(data);
    tsr_buffer_free(result);
    tsr_module_free(mod);
    return ok;
}

static bool run(trial *t, const char *device, bool exact, bool magnitudes, uint32_t *out)
{
    tsr_device *dev = NULL;
    tsr_device_args args = {.threads = 2, .subgroup_size = t->subgroup, .exact_bits = exact};
    if (tsr_device_open(device, &args, &dev) != TSR_OK) return false;
    bool ok = run_on(t, dev, magnitudes, out);
    tsr_device_free(dev);
    return ok;
}

/* ---- Comparing. */

static float as_f32(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static float half_at(const uint32_t *words, size_t i)
{
    uint32_t h = words[i / 2] >> (i % 2 * 16), exponent = h >> 10 & 31, fraction = h & 1023;
    float size = exponent == 31 ? (fraction ? NAN : INFINITY)
                 : exponent     ? ldexpf((float)(fraction | 1024), (int)exponent - 25)
                                : ldexpf((float)fraction, -24);
    return h & 0x8000 ? -size : size;
}

static bool equal_bits(uint32_t a, uint32_t b)
{
    return a == b || ((a & 0x7fffffffu) > 0x7f800000u && (b & 0x7fffffffu) > 0x7f800000u);
}

/* Both bounds say how far from the exact value; beyond 1e30 nothing is promised. */
/* A bound that is no bound, large, NaN or below zero, comes from an infinity, of which WGSL promises nothing. */
static bool near_pair(const uint32_t *a, const uint32_t *b)
{
    double x = (double)as_f32(a[0]), y = (double)as_f32(b[0]), e = (double)as_f32(a[1]), f = (double)as_f32(b[1]);
    bool promised = e >= 0 && e < 1e30 && f >= 0 && f < 1e30;
    return equal_bits(a[0], b[0]) || !promised || fabs(x - y) <= 1.01 * (e + f);
}

/* tsr_compare_product's bound on both sides: 2 k + 1 roundings, each perhaps a truncation. */
static bool near_product(double x, double y, double size, uint32_t sums, double unit)
{
    if (x == y || (x != x && y != y) || !isfinite(size)) return true;
    return fabs(x - y) <= 2 * (2 * sums + 2) * unit * size + 1e-6 * unit;
}

/* The first word that differs; words when there is none. */
static size_t first_difference(const trial *t, bool exact)
{
    size_t i = 0, bits = exact || t->numbers == ALL_BITS ? t->words : t->numbers == BOUNDED_PAIRS ? FLOATS_AT : 0;
    while (i < bits && (t->want[i] == t->got[i] || (exact && equal_bits(t->want[i], t->got[i]))))
        i++;
    if (i < bits || bits == t->words) return i;
    if (t->numbers == BOUNDED_PAIRS) {
        for (; i + 3 < t->words; i += 4)
            for (size_t j = i; j < i + 4; j += 2)
                if (!near_pair(t->want + j, t->got + j)) return j;
        return t->words;
    }
    for (; i < t->words && t->numbers == PRODUCTS_F32; i++)
        if (!near_product((double)as_f32(t->want[i]), (double)as_f32(t->got[i]), (double)as_f32(t->sizes[i]), t->m.sums,
                          0x1p-23))
            return i;
    for (size_t h = 2 * i; h < 2 * (size_t)t->words; h++)
        if (!near_product((double)half_at(t->want, h), (double)half_at(t->got, h), (double)half_at(t->sizes, h),
                          t->m.sums, 0x1p-10))
            return h / 2;
    return t->words;
}

static bool check(const trial *t, const char *device, bool ok, bool exact)
{
    size_t i = ok ? first_difference(t, exact) : 0;
    if (ok && i == t->words) return true;
    const char *list = getenv("TSR_JIT");
    fprintf(stderr, "seed %llu, subgroup %u, TSR_JIT=%s, word %zu: %s%s %08x, interpreter %08x\n%s\n",
            (unsigned long long)t->seed, (unsigned)t->subgroup, list ? list : "", i, device, exact ? " (exact)" : "",
            (unsigned)t->got[i], (unsigned)t->want[i], t->m.text);
    return false;
}

static bool counts_alike(const trial *t, uint64_t want)
{
    if (t->oob == want) return true;
    fprintf(stderr, "seed %llu, subgroup %u: %llu accesses out of bounds, interpreter %llu\n%s\n",
            (unsigned long long)t->seed, (unsigned)t->subgroup, (unsigned long long)t->oob, (unsigned long long)want,
            t->m.text);
    return false;
}

static bool compare(trial *t)
{
    setenv("TSR_BARRIERS", t->seed % 5 ? "" : "stacks", 1);
    bool ok = run(t, "cpu:interpreter", false, false, t->want);
    uint64_t oob = t->oob;
    t->programs++;
    if (!ok) t->refused++;
    bool ok_native = run(t, "cpu", true, false, t->got);
    if (!ok && !ok_native) return true;
    if (!check(t, "cpu", ok && ok_native, true) || !counts_alike(t, oob)) return false;
    if (!t->m.portable && t->numbers < PRODUCTS_F32) return true;
    if (t->numbers >= PRODUCTS_F32 && !run(t, "cpu:interpreter", false, true, t->sizes)) return false;
    if (!check(t, "cpu", run(t, "cpu", false, false, t->got), false)) return false;
    if (!t->other || !t->m.portable) return true;
    bool ok_other = run_on(t, t->other, false, t->got);
    if (t->lacks) return true;
    t->elsewhere++;
    return check(t, tsr_device_name(t->other), ok_other, false);
}

/* ---- The tests. */

static uint64_t number_of(const char *name, uint64_t instead)
{
    const char *s = getenv(name);
    return s && *s ? strtoull(s, NULL, 10) : instead;
}

/* Else a driver may keep lanes apart that the program brings together. */
static bool reconverges(const tsr_device *dev)
{
    tsr_device_info info;
    return tsr_device_get_info(dev, &info) == TSR_OK && info.maximal_reconvergence == TSR_ANSWER_YES;
}

static void control_program(trial *t)
{
    static const uint32_t subgroups[] = {4, 8, 16, 32, 64, 128},
                          sizes[][2] = {{64, 1}, {16, 8}, {8, 4}, {96, 1}, {128, 1},
                                        {8, 8},  {32, 4}, {4, 8}, {37, 1}, {10, 10}};
    maker *m = &t->m;
    m->seed = t->seed * 7919;
    m->portable = t->other ? t->seed % 4 != 0 : t->seed % 4 == 1;
    /* lavapipe 26.1 forgets what atan gives to lanes of which others have left a switch; NVIDIA's driver does not. */
    m->no_atan = t->other != NULL;
    m->no_parted = m->portable && t->other && !reconverges(t->other);
    const uint32_t *size = sizes[roll(m, m->portable ? 8 : 10)];
    t->subgroup = t->other && m->portable ? tsr_device_subgroup_size(t->other) : subgroups[roll(m, 6)];
    t->fill = 0;
    t->words = WORDS;
    t->numbers = m->portable ? BOUNDED_PAIRS : ALL_BITS;
    if (t->seed % 3 == 0)
        make_barrier_program(m, size[0], size[1]);
    else
        make_program(m, size[0], size[1]);
}

static void matrix_program(trial *t)
{
    static const uint32_t subgroups[] = {4, 8, 16, 32};
    maker *m = &t->m;
    m->seed = t->seed * 104729;
    m->portable = t->other && t->seed % 4 != 0;
    if (t->seed % 2)
        make_matrix_program(m);
    else
        make_grid_program(m);
    bool half = strstr(m->text, "enable f16"), single = strstr(m->text, "c: array<f32>");
    t->subgroup = t->other && m->portable ? tsr_device_subgroup_size(t->other) : subgroups[roll(m, 4)];
    t->fill = half ? 1 : single ? 2 : 0;
    t->words = MATRIX_WORDS;
    t->numbers = single ? PRODUCTS_F32 : half ? PRODUCTS_F16 : ALL_BITS;
}

/* Not by what else the seed decides, which are remainders of 2, 3 and 4. */
static void choose_list(uint64_t seed)
{
    setenv("TSR_JIT", seed / 4 % 2 ? "hot" : "first", 1);
}

static void run_trials(void (*make)(trial *t), uint64_t seconds)
{
    bool chosen = getenv("TSR_JIT") != NULL; /* by who runs this */
    trial t = {.m = {.text = calloc(1, TEXT_MAX)}};
    uint32_t *words = calloc(3, MATRIX_WORDS * sizeof *words);
    t.want = words, t.got = words + MATRIX_WORDS, t.sizes = words + 2 * MATRIX_WORDS;
    const char *device = getenv("TSR_TEST_DEVICE");
    if (device && *device) assert_int_equal(tsr_device_open(device, NULL, &t.other), TSR_OK);
    uint64_t count = number_of("JIT_PROGRAMS", 60), first = number_of("JIT_SEED", 1), bad = 0;
    time_t end = time(NULL) + (time_t)seconds;
    for (t.seed = first; t.seed < first + count && time(NULL) < end; t.seed++) {
        make(&t);
        if (!chosen) choose_list(t.seed);
        bad += !compare(&t);
        if (t.programs % 500 == 0)
            fprintf(stderr, "%llu programs, %llu of them on %s, %llu refused, %llu differ\n",
                    (unsigned long long)t.programs, (unsigned long long)t.elsewhere, t.other ? device : "cpu alone",
                    (unsigned long long)t.refused, (unsigned long long)bad);
    }
    printf("%llu programs, %llu of them on %s, %llu refused, %llu differ; seeds from %llu\n",
           (unsigned long long)t.programs, (unsigned long long)t.elsewhere, t.other ? device : "cpu alone",
           (unsigned long long)t.refused, (unsigned long long)bad, (unsigned long long)first);
    if (!chosen) unsetenv("TSR_JIT");
    tsr_device_free(t.other);
    free(words);
    free(t.m.text);
    assert_int_equal(t.refused, 0);
    assert_int_equal(bad, 0);
}

/* The seconds are shared: most for control flow, which has more to it. */
static void test_programs(void **state)
{
    (void)state;
    run_trials(control_program, number_of("JIT_SECONDS", 600) * 3 / 4);
}

static void test_matrices(void **state)
{
    (void)state;
    run_trials(matrix_program, number_of("JIT_SECONDS", 600) / 4);
}

int main(void)
{
    setenv("TSR_CACHE", "off", 1);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_programs), cmocka_unit_test(test_matrices)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
