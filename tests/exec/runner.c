/* Runs execution cases: tests/exec/NAME.wgsl, each with its data and expectation in its first lines.
 *
 *   runner [--device NAME] FILE...
 *
 *   //! subgroups 4 8 16 32          sizes to run at; default 32; `all`: 4 to 128
 *   //! refused   128 "cannot share"  at this size (or `always`) the pipeline or dispatch fails, and says this
 *   //! needs     maximal reconvergence   skipped on devices that do not promise it (docs/spirv.md)
 *   //! set       NAME 8             an override
 *   //! entry     main
 *   //! dispatch  2 1 1              default 1 1 1
 *   //! a         f16 8x16 iota      a buffer: name, type (f32 f16 u32 i32 u8 i8), shape (64, or 8x16), filling. Bound
 *                                    as group 0, binding 0, 1, 2 ... in the order given
 *   //! expect    d == a * b + c
 *
 * Fillings: iota, iota FIRST STEP, zeros, marker (a value that no kernel makes), identity, random SEED, values V V V
 * ... (the last is repeated). Expectations, D the name of a buffer: D == NAME              the same bits          D ==
 * transpose NAME D == values V V ...    the same bits; the list covers the whole buffer, or its last value is repeated
 *   D ~ U values V V ...   within U units in the last place
 *   D == A * B [+ C]       integers: exact, modulo 2^bits; floats: within the bound from formats, k and magnitudes
 *   D unchanged            still what it was filled with
 *   report oob N           a CPU's count of out-of-bounds accesses, plain and matrix, is N
 *
 * On a device with a list of its own (a GPU), sizes and configurations that it does not have are skipped, and a case of
 * which nothing ran counts as skipped; a case that names no size of the device runs at the device's own.
 *
 * Guards stand before and after every buffer and must survive. A NaN never matches, except in `values nan`. */
#include "base/number.h"
#include "tessera.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BUFFERS = 12, MAX_EXPECT = 16, MAX_SETS = 8, GUARD_BYTES = 256, GUARD = 0xa5 };

typedef struct buffer {
    char name[32];
    tsr_component type;
    size_t rows, cols, count;
    double *value; /* as filled */
    double *after; /* as read back */
    bool has_nan_marker;
} buffer;

typedef struct test_case {
    const char *file;
    char *text;
    uint32_t sizes[8];
    unsigned size_count;
    uint32_t refused_at[8]; /* 0: always */
    char refused_text[8][160];
    unsigned refused_count;
    bool needs_reconvergence;
    char set_name[MAX_SETS][64];
    tsr_override_value sets[MAX_SETS];
    unsigned set_count;
    char entry[64];
    uint32_t groups[3];
    buffer buffers[MAX_BUFFERS];
    unsigned buffer_count;
    char expect[MAX_EXPECT][4096];
    unsigned expect_count;
} test_case;

static int failures_here; /* of the case at hand */

static void fail(const test_case *t, uint32_t size, const char *what, const char *detail)
{
    failures_here++;
    printf("FAIL %s (subgroup %u): %s%s%s\n", t->file, (unsigned)size, what, *detail ? ": " : "", detail);
}

static void die(const char *file, const char *what, const char *line)
{
    fprintf(stderr, "runner: %s: %s: %s\n", file, what, line);
    exit(3);
}

static void *take(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size);
    if (!p) die("", "out of memory", "");
    return p;
}

/* ---- Numbers of the component types. */

static size_t size_of(tsr_component c)
{
    return tsr_component_bits(c) / 8;
}

static void encode(tsr_component c, unsigned char *to, double x)
{
    uint32_t u = 0;
    switch (c) {
    case TSR_F32: u = tsr_bits_from_f32((float)x); break;
    case TSR_F16: u = tsr_f16_from_f64(x); break;
    default: u = (uint32_t)(int64_t)x; break;
    }
    for (size_t i = 0; i < size_of(c); i++)
        to[i] = (unsigned char)(u >> 8 * i);
}

static double decode(tsr_component c, const unsigned char *from)
{
    uint32_t u = 0;
    for (size_t i = 0; i < size_of(c); i++)
        u |= (uint32_t)from[i] << 8 * i;
    switch (c) {
    case TSR_F32: return tsr_f32_from_bits(u);
    case TSR_F16: return tsr_f16_to_f32((uint16_t)u);
    case TSR_S32: return (int32_t)u;
    case TSR_S8: return (int8_t)u;
    default: return u;
    }
}

/* x as the type holds it. */
static double rounded(tsr_component c, double x)
{
    unsigned char bytes[4];
    encode(c, bytes, x);
    return decode(c, bytes);
}

/* The distance between x and the next number of the type. */
static double ulp(tsr_component c, double x)
{
    int e;
    if (x == 0) return c == TSR_F16 ? 0x1p-24 : 0x1p-149;
    frexp(x, &e);
    int digits = c == TSR_F16 ? 11 : 24, least = c == TSR_F16 ? -24 : -149;
    return ldexp(1, e - digits < least ? least : e - digits);
}

/* ---- Reading a case. */

static const char *word(const char *s, char *out, size_t bytes)
{
    while (isspace((unsigned char)*s))
        s++;
    size_t n = 0;
    while (*s && !isspace((unsigned char)*s) && n + 1 < bytes)
        out[n++] = *s++;
    out[n] = 0;
    return s;
}

static uint64_t next_bits(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static double read_number(const char *file, const char *w, tsr_component c)
{
    if (strcmp(w, "nan") == 0) return NAN;
    if (strncmp(w, "bits:", 5) == 0) {
        unsigned long u = strtoul(w + 5, NULL, 16);
        unsigned char bytes[4] = {u & 255, u >> 8 & 255, u >> 16 & 255, u >> 24 & 255};
        return decode(c, bytes);
    }
    char *end;
    double x = strtod(w, &end);
    if (*end || end == w) die(file, "not a number", w);
    return x;
}

static void fill_values(const char *file, double *to, size_t count, tsr_component c, const char *s)
{
    char w[64];
    double x = 0;
    for (size_t i = 0; i < count; i++) {
        const char *next = word(s, w, sizeof w);
        if (*w)
            x = read_number(file, w, c), s = next;
        else if (i == 0)
            die(file, "values without a value", s);
        to[i] = rounded(c, x);
    }
    word(s, w, sizeof w);
    if (*w) die(file, "more values than elements", w);
}

static void fill(const char *file, buffer *b, const char *s)
{
    char how[32], w1[32], w2[32];
    const char *rest = word(s, how, sizeof how);
    word(word(rest, w1, sizeof w1), w2, sizeof w2);
    if (strcmp(how, "values") == 0) {
        fill_values(file, b->value, b->count, b->type, rest);
        return;
    }
    double first = *w1 ? atof(w1) : 0, step = *w2 ? atof(w2) : 1;
    uint64_t seed = (uint64_t)first;
    bool is_integer = tsr_component_is_integer(b->type);
    for (size_t i = 0; i < b->count; i++) {
        double x = 0;
        if (strcmp(how, "iota") == 0)
            x = first + step * (double)i;
        else if (strcmp(how, "marker") == 0)
            x = is_integer ? 77 : -777.25;
        else if (strcmp(how, "identity") == 0)
            x = i / b->cols == i % b->cols;
        else if (strcmp(how, "random") == 0)
            x = is_integer ? (double)(int64_t)(next_bits(&seed) >> 32)
                           : (double)(int64_t)(next_bits(&seed) >> 53) / 1024 - 1;
        else if (strcmp(how, "zeros") != 0)
            die(file, "unknown filling", how);
        b->value[i] = rounded(b->type, x);
    }
}

static void read_buffer(test_case *t, const char *name, const char *s)
{
    if (t->buffer_count == MAX_BUFFERS) die(t->file, "too many buffers", name);
    buffer *b = &t->buffers[t->buffer_count++];
    char type[16], shape[32];
    snprintf(b->name, sizeof b->name, "%s", name);
    s = word(word(s, type, sizeof type), shape, sizeof shape);
    b->type = tsr_component_find(type);
    if (b->type == TSR_COMPONENT_NONE) die(t->file, "unknown type or keyword", name);
    char *x;
    b->rows = strtoul(shape, &x, 10);
    b->cols = *x == 'x' ? strtoul(x + 1, NULL, 10) : 1;
    if (*x != 'x') b->cols = b->rows, b->rows = 1;
    b->count = b->rows * b->cols;
    b->value = take(b->count, sizeof(double));
    b->after = take(b->count, sizeof(double));
    fill(t->file, b, s);
}

static void read_refused(test_case *t, const char *s)
{
    char at[32];
    s = word(s, at, sizeof at);
    const char *open = strchr(s, '"'), *close = open ? strchr(open + 1, '"') : NULL;
    if (!close) die(t->file, "refused needs a size and a text in quotes", s);
    unsigned i = t->refused_count++;
    t->refused_at[i] = strcmp(at, "always") == 0 ? 0 : (uint32_t)atoi(at);
    snprintf(t->refused_text[i], sizeof t->refused_text[i], "%.*s", (int)(close - open - 1), open + 1);
}

static void read_subgroups(test_case *t, const char *s)
{
    static const uint32_t all[] = {4, 8, 16, 32, 64, 128};
    char w[32];
    t->size_count = 0;
    for (s = word(s, w, sizeof w); *w; s = word(s, w, sizeof w)) {
        if (strcmp(w, "all") == 0) {
            memcpy(t->sizes, all, sizeof all);
            t->size_count = 6;
        } else
            t->sizes[t->size_count++] = (uint32_t)atoi(w);
    }
}

static void read_line(test_case *t, const char *line)
{
    char key[32], a[64], b[64];
    const char *s = word(line, key, sizeof key);
    word(word(s, a, sizeof a), b, sizeof b);
    if (strcmp(key, "subgroups") == 0)
        read_subgroups(t, s);
    else if (strcmp(key, "refused") == 0)
        read_refused(t, s);
    else if (strcmp(key, "needs") == 0) {
        if (strcmp(a, "maximal") != 0 || strcmp(b, "reconvergence") != 0) die(t->file, "unknown need", s);
        t->needs_reconvergence = true;
    } else if (strcmp(key, "entry") == 0)
        snprintf(t->entry, sizeof t->entry, "%s", a);
    else if (strcmp(key, "dispatch") == 0) {
        unsigned long x = 1, y = 1, z = 1;
        sscanf(s, "%lu %lu %lu", &x, &y, &z);
        t->groups[0] = (uint32_t)x, t->groups[1] = (uint32_t)y, t->groups[2] = (uint32_t)z;
    } else if (strcmp(key, "set") == 0) {
        snprintf(t->set_name[t->set_count], sizeof t->set_name[0], "%s", a);
        t->sets[t->set_count] = (tsr_override_value){.name = t->set_name[t->set_count], .value = atof(b)};
        t->set_count++;
    } else if (strcmp(key, "expect") == 0) {
        if (t->expect_count == MAX_EXPECT) die(t->file, "too many expectations", s);
        snprintf(t->expect[t->expect_count++], sizeof t->expect[0], "%s", s);
    } else if (*key)
        read_buffer(t, key, s);
}

static test_case *read_case(const char *file)
{
    test_case *t = take(1, sizeof *t);
    t->file = file;
    t->sizes[0] = 32, t->size_count = 1;
    t->groups[0] = t->groups[1] = t->groups[2] = 1;
    FILE *f = fopen(file, "rb");
    if (!f) die(file, "cannot be opened", "");
    t->text = take(1 << 20, 1);
    size_t n = fread(t->text, 1, (1 << 20) - 1, f);
    fclose(f);
    t->text[n] = 0;
    for (const char *line = t->text; strncmp(line, "//!", 3) == 0;) {
        char buf[4096];
        size_t len = strcspn(line, "\n");
        snprintf(buf, sizeof buf, "%.*s", (int)(len - 3), line + 3);
        read_line(t, buf);
        line += len + (line[len] == '\n');
    }
    if (t->expect_count == 0 && t->refused_count == 0) die(file, "a case that expects nothing", "");
    return t;
}

static void free_case(test_case *t)
{
    for (unsigned i = 0; i < t->buffer_count; i++)
        free(t->buffers[i].value), free(t->buffers[i].after);
    free(t->text);
    free(t);
}

/* ---- Expectations. */

static const buffer *find(const test_case *t, const char *name)
{
    for (unsigned i = 0; i < t->buffer_count; i++)
        if (strcmp(t->buffers[i].name, name) == 0) return &t->buffers[i];
    die(t->file, "no buffer of that name", name);
    return NULL;
}

static void mismatch(const test_case *t, uint32_t size, const char *expect, size_t i, double got, double want,
                     double bound)
{
    char text[256];
    snprintf(text, sizeof text, "element %zu is %.9g, not %.9g (bound %.3g)", i, got, want, bound);
    fail(t, size, expect, text);
}

static bool same(double got, double want)
{
    if (want != want) return got != got;
    return got == want && signbit(got) == signbit(want);
}

/* Compares all elements; reports the first that is off. */
static void check_list(const test_case *t, uint32_t size, const char *expect, const buffer *d, const double *want,
                       double ulps)
{
    for (size_t i = 0; i < d->count; i++) {
        double bound = ulps > 0 && isfinite(want[i]) ? ulps * ulp(d->type, want[i]) : 0;
        bool good = bound > 0 ? fabs(d->after[i] - want[i]) <= bound : same(d->after[i], want[i]);
        if (good) continue;
        mismatch(t, size, expect, i, d->after[i], want[i], bound);
        return;
    }
}

/* Sums of floats in f64 with the bound of k + 1 roundings in the result's type (inputs' products are exact or rounded
 * once more); sums of integers modulo 2^bits. */
static void check_product(const test_case *t, uint32_t size, const char *expect, const buffer *d, const buffer *a,
                          const buffer *b, const buffer *c)
{
    size_t m = a->rows, n = b->cols, k = a->cols;
    if (b->rows != k || d->count != m * n || (c && c->count != m * n)) die(t->file, "shapes do not fit", expect);
    bool is_integer = tsr_component_is_integer(d->type);
    double unit = d->type == TSR_F16 ? 0x1p-11 : 0x1p-24;
    for (size_t i = 0; i < m * n; i++) {
        double sum = c ? c->value[i] : 0, magnitude = fabs(sum);
        uint64_t exact = (uint64_t)(int64_t)(is_integer ? sum : 0);
        for (size_t j = 0; j < k; j++) {
            double x = a->value[i / n * k + j], y = b->value[j * n + i % n];
            sum += x * y;
            magnitude += fabs(x * y);
            if (is_integer) exact += (uint64_t)(int64_t)x * (uint64_t)(int64_t)y;
        }
        double bound = is_integer ? 0 : expm1(((double)k + 1) * log1p(unit)) * magnitude;
        double want = is_integer ? rounded(d->type, (double)(int64_t)(uint32_t)exact) : sum;
        if (fabs(d->after[i] - want) <= bound) continue;
        mismatch(t, size, expect, i, d->after[i], want, bound);
        return;
    }
}

static void check_transpose(const test_case *t, uint32_t size, const char *expect, const buffer *d, const buffer *a)
{
    double *want = take(d->count, sizeof *want);
    if (d->count != a->count) die(t->file, "shapes do not fit", expect);
    for (size_t i = 0; i < a->count; i++)
        want[i % a->cols * a->rows + i / a->cols] = a->value[i];
    check_list(t, size, expect, d, want, 0);
    free(want);
}

static void check_report(const test_case *t, uint32_t size, const char *expect, const tsr_run_report *r, const char *s)
{
    char what[16], count[16], text[64];
    word(word(s, what, sizeof what), count, sizeof count);
    uint64_t seen = r->oob_accesses + r->oob_matrix_accesses;
    snprintf(text, sizeof text, "%llu", (unsigned long long)seen);
    if (strcmp(what, "oob") != 0) die(t->file, "unknown report", what);
    if (seen != strtoull(count, NULL, 10)) fail(t, size, expect, text);
}

static void check_expectation(const test_case *t, uint32_t size, const char *expect, const tsr_run_report *r)
{
    char dst[32], op[16], w[4][64] = {{0}};
    const char *s = word(expect, dst, sizeof dst);
    if (strcmp(dst, "report") == 0) {
        check_report(t, size, expect, r, s);
        return;
    }
    const buffer *d = find(t, dst);
    s = word(s, op, sizeof op);
    if (strcmp(op, "unchanged") == 0) {
        check_list(t, size, expect, d, d->value, 0);
        return;
    }
    double ulps = 0;
    if (strcmp(op, "~") == 0) {
        s = word(s, w[0], sizeof w[0]);
        ulps = atof(w[0]);
    } else if (strcmp(op, "==") != 0)
        die(t->file, "unknown expectation", expect);
    const char *rest = word(s, w[0], sizeof w[0]);
    if (strcmp(w[0], "values") == 0) {
        double *want = take(d->count, sizeof *want);
        fill_values(t->file, want, d->count, d->type, rest);
        check_list(t, size, expect, d, want, ulps);
        free(want);
        return;
    }
    rest = word(word(rest, w[1], sizeof w[1]), w[2], sizeof w[2]);
    if (strcmp(w[0], "transpose") == 0)
        check_transpose(t, size, expect, d, find(t, w[1]));
    else if (strcmp(w[1], "*") == 0) {
        word(word(rest, w[3], sizeof w[3]), w[1], sizeof w[1]);
        check_product(t, size, expect, d, find(t, w[0]), find(t, w[2]), *w[3] ? find(t, w[1]) : NULL);
    } else
        check_list(t, size, expect, d, find(t, w[0])->value, 0);
}

/* ---- Running. */

static const char *refusal_at(const test_case *t, uint32_t size)
{
    for (unsigned i = 0; i < t->refused_count; i++)
        if (t->refused_at[i] == 0 || t->refused_at[i] == size) return t->refused_text[i];
    return NULL;
}

static size_t padded_bytes(const buffer *b)
{
    return (b->count * size_of(b->type) + 3) / 4 * 4;
}

static tsr_status make_buffers(const test_case *t, tsr_device *dev, tsr_buffer **made, tsr_binding *bindings)
{
    for (unsigned i = 0; i < t->buffer_count; i++) {
        const buffer *b = &t->buffers[i];
        size_t bytes = padded_bytes(b);
        unsigned char *data = take(bytes + 2 * GUARD_BYTES, 1);
        memset(data, GUARD, bytes + 2 * GUARD_BYTES);
        for (size_t j = 0; j < b->count; j++)
            encode(b->type, data + GUARD_BYTES + j * size_of(b->type), b->value[j]);
        tsr_status st = tsr_buffer_create(dev, bytes + 2 * GUARD_BYTES, data, &made[i]);
        free(data);
        if (st != TSR_OK) return st;
        bindings[i] = (tsr_binding){.binding = i, .buffer = made[i], .offset_bytes = GUARD_BYTES, .size_bytes = bytes};
    }
    return TSR_OK;
}

static tsr_status read_buffers(test_case *t, uint32_t size, tsr_buffer **made)
{
    for (unsigned i = 0; i < t->buffer_count; i++) {
        buffer *b = &t->buffers[i];
        size_t bytes = padded_bytes(b);
        unsigned char *data = take(bytes + 2 * GUARD_BYTES, 1);
        tsr_status st = tsr_buffer_read(made[i], 0, data, bytes + 2 * GUARD_BYTES);
        for (size_t j = 0; j < b->count; j++)
            b->after[j] = decode(b->type, data + GUARD_BYTES + j * size_of(b->type));
        for (size_t j = 0; j < GUARD_BYTES; j++)
            if (data[j] != GUARD || data[GUARD_BYTES + bytes + j] != GUARD) {
                fail(t, size, "a guard was overwritten beside", b->name);
                break;
            }
        free(data);
        if (st != TSR_OK) return st;
    }
    return TSR_OK;
}

static tsr_status run_pipeline(test_case *t, uint32_t size, tsr_device *dev, tsr_pipeline *p, tsr_run_report *report)
{
    tsr_buffer *made[MAX_BUFFERS] = {0};
    tsr_binding bindings[MAX_BUFFERS];
    tsr_status st = make_buffers(t, dev, made, bindings);
    tsr_dispatch_args args = {.bindings = bindings, .binding_count = t->buffer_count, .report = report};
    memcpy(args.groups, t->groups, sizeof args.groups);
    if (st == TSR_OK) st = tsr_dispatch(p, &args);
    if (st == TSR_OK) st = tsr_device_wait(dev);
    if (st == TSR_OK) st = read_buffers(t, size, made);
    for (unsigned i = 0; i < t->buffer_count; i++)
        tsr_buffer_free(made[i]);
    return st;
}

/* Whether a device with a list of its own refuses for what it does not have. */
static bool is_lacking(const tsr_device *dev, tsr_status st)
{
    return st == TSR_ERR_UNSUPPORTED && !tsr_device_support(dev)->open;
}

static bool has_needs(const test_case *t, const tsr_device *dev)
{
    tsr_device_info info;
    return !t->needs_reconvergence ||
           (tsr_device_get_info(dev, &info) == TSR_OK && info.maximal_reconvergence == TSR_ANSWER_YES);
}

/* False: skipped. */
static bool run_on(test_case *t, tsr_device *dev, const tsr_module *m)
{
    tsr_pipeline *p = NULL;
    tsr_run_report report = {0};
    uint32_t size = tsr_device_subgroup_size(dev);
    tsr_pipeline_args args = {
        .entry = *t->entry ? t->entry : NULL, .overrides = t->sets, .override_count = t->set_count};
    tsr_status st = tsr_pipeline_create(dev, m, &args, &p);
    if (is_lacking(dev, st)) return false;
    if (st == TSR_OK) st = run_pipeline(t, size, dev, p, &report);
    const char *refusal = refusal_at(t, size);
    bool counts = strncmp(tsr_device_name(dev), "cpu", 3) == 0; /* others do not count what they meet */
    if (refusal) {
        if (st == TSR_OK)
            fail(t, size, "ran, but should be refused", refusal);
        else if (!strstr(tsr_last_error(), refusal))
            fail(t, size, "refused with other words", tsr_last_error());
    } else if (st != TSR_OK)
        fail(t, size, tsr_status_name(st), tsr_last_error());
    else if (strstr(tsr_pipeline_engine(p), "cannot read")) /* native code that LLVM refuses is ours to mend */
        fail(t, size, "native code was not made", tsr_pipeline_engine(p));
    else
        for (unsigned i = 0; i < t->expect_count; i++)
            if (counts || strncmp(t->expect[i] + strspn(t->expect[i], " "), "report", 6) != 0)
                check_expectation(t, size, t->expect[i], &report);
    tsr_pipeline_free(p);
    return true;
}

/* Size 0: the device's own. False: skipped. */
static bool run_at(test_case *t, const char *device, const tsr_module *m, uint32_t size)
{
    tsr_device *dev = NULL;
    tsr_status st = tsr_device_open(device, &(tsr_device_args){.subgroup_size = size}, &dev);
    if (st == TSR_ERR_INVALID && strncmp(device, "cpu", 3) != 0) return false;
    if (st != TSR_OK) {
        fail(t, size, "the device cannot be opened", tsr_last_error());
        return true;
    }
    bool ran = has_needs(t, dev) && run_on(t, dev, m);
    tsr_device_free(dev);
    return ran;
}

/* False: skipped. */
static bool run_case(const char *file, const char *device)
{
    test_case *t = read_case(file);
    tsr_module *m = NULL;
    bool ran = false;
    tsr_compile_args args = {.name = file, .source = t->text, .source_bytes = strlen(t->text)};
    if (tsr_compile(&args, &m) != TSR_OK) {
        fail(t, 0, "does not compile", m && tsr_module_diagnostic_count(m) ? tsr_module_diagnostic_text(m, 0, 0) : "");
        ran = true;
    }
    for (unsigned i = 0; !failures_here && i < t->size_count; i++)
        ran |= run_at(t, device, m, t->sizes[i]);
    if (!ran && t->size_count == 1) ran = run_at(t, device, m, 0);
    tsr_module_free(m);
    free_case(t);
    return ran;
}

int main(int argc, char **argv)
{
    const char *device = "cpu";
    int passed = 0, failed = 0, skipped = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--device") == 0 && i + 1 < argc) {
            device = argv[++i];
            continue;
        }
        failures_here = 0;
        bool ran = run_case(argv[i], device);
        if (failures_here)
            failed++;
        else if (ran)
            passed++;
        else
            skipped++;
    }
    printf("exec on %s: %d passed, %d failed, %d skipped\n", device, passed, failed, skipped);
    return failed || passed == 0;
}
