/* What a multiply-add should give, and how far off it may be.
 *
 * Strict results (integer sums) must equal the reference model bit for bit, saturation included. For floats the
 * reference is the f64 sum, and the bound counts roundings: each of the k products and k additions rounds once in the
 * result's type at worst, in any order (Higham, "Accuracy and Stability of Numerical Algorithms", 4.2), each by at most
 * u times a partial sum, which is at most sum|a b| + |c|; truncation instead of rounding to nearest doubles u; each may
 * also lose half the least subnormal (truncation: all of it). One more rounding turns the sum into the result. A result
 * that is not finite never matches; where sum|a b| + |c| leaves the result's range, nothing is promised, and the
 * element is not counted. */
#include "verify/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Significand bits with the hidden one, least subnormal, greatest number. */
typedef struct format {
    int digits;
    double tiny, greatest;
} format;

static format get_format(tsr_component c)
{
    switch (c) {
    case TSR_F16: return (format){11, 0x1p-24, 65504};
    case TSR_BF16: return (format){8, 0x1p-133, 3.3895313892515355e38};
    case TSR_F8E4M3: return (format){4, 0x1p-9, 448};
    case TSR_F8E5M2: return (format){3, 0x1p-16, 57344};
    case TSR_F64: return (format){53, 0x1p-1074, 1.7976931348623157e308};
    default: return (format){24, 0x1p-149, 3.4028234663852886e38};
    }
}

static double ulp_of(const format *f, double x)
{
    int e;
    if (x == 0) return f->tiny;
    frexp(x, &e);
    double u = ldexp(1, e - f->digits);
    return u < f->tiny ? f->tiny : u;
}

/* The first bad element stands for all; while there is none, the one whose error is the largest part of its bound. */
static void count(tsr_comparison *out, size_t i, double got, double want, double bound, double ulps)
{
    double error = fabs(got - want);
    bool good = error <= bound; /* false when got is not a number */
    bool nearer = out->elements == 0 || error * out->bound > out->error * bound;
    bool speaks = good ? out->bad == 0 && nearer : out->bad == 0;
    out->elements++;
    if (!good) out->bad++;
    if (!speaks) return;
    out->worst = i, out->got = got, out->want = want, out->error = error, out->bound = bound, out->ulps = ulps;
}

static void compare_strict(const tsr_trial *t, tsr_comparison *out)
{
    const tsr_config *cfg = &t->config;
    const tsr_mma d = {cfg->shape, cfg->a, cfg->b, cfg->c, cfg->r, cfg->saturating};
    const size_t n = (size_t)cfg->shape.m * cfg->shape.n;
    uint32_t *want = calloc(n, sizeof *want), *scratch = calloc(tsr_mma_scratch_words(&d) + 1, sizeof *scratch);
    if (want && scratch) {
        tsr_mma_reference(&d, t->a, t->b, t->c, want, scratch);
        for (size_t i = 0; i < n; i++) {
            double g = tsr_trial_get(cfg->r, t->r, i), w = tsr_trial_get(cfg->r, want, i);
            count(out, i, g, w, 0, fabs(g - w));
        }
    } else
        out->bad++; /* nothing was proved */
    free(want), free(scratch);
}

static void compare_bounded(const tsr_trial *t, tsr_comparison *out)
{
    const tsr_config *cfg = &t->config;
    const size_t m = cfg->shape.m, n = cfg->shape.n, k = cfg->shape.k;
    const format f = get_format(cfg->r);
    const double unit = ldexp(1, 1 - f.digits); /* truncation: a whole unit in the last place */
    for (size_t i = 0; i < m * n; i++) {
        double sum = tsr_trial_get(cfg->c, t->c, i), size = fabs(sum);
        for (size_t j = 0; j < k; j++) {
            double term = tsr_trial_get(cfg->a, t->a, i / n * k + j) * tsr_trial_get(cfg->b, t->b, j * n + i % n);
            sum += term;
            size += fabs(term);
        }
        double roundings = 2 * (double)k + 1;
        if (size * (1 + roundings * unit) > f.greatest) continue;
        double bound = expm1(roundings * log1p(unit)) * size + roundings * f.tiny;
        double got = tsr_trial_get(cfg->r, t->r, i);
        count(out, i, got, sum, bound, fabs(got - sum) / ulp_of(&f, sum));
    }
}

void tsr_trial_compare(const tsr_trial *t, tsr_comparison *out)
{
    memset(out, 0, sizeof *out);
    if (tsr_config_regime(&t->config) == TSR_REGIME_STRICT)
        compare_strict(t, out);
    else
        compare_bounded(t, out);
}

/* ---- The public way: components as they lie in memory. */

static void read_matrix(tsr_component c, const void *from, size_t count_of, uint32_t *to)
{
    tsr_components_read(c, from, count_of, to, 1);
}

tsr_status tsr_compare_product(const tsr_config *cfg, const void *a, const void *b, const void *c, const void *r,
                               tsr_comparison *out)
{
    const uint64_t limit = (uint64_t)1 << 28; /* components of a matrix: keeps sizes in range on every machine */
    if (!cfg || !a || !b || !c || !r || !out) return TSR_ERR_INVALID;
    const tsr_mma d = {cfg->shape, cfg->a, cfg->b, cfg->c, cfg->r, cfg->saturating};
    const uint64_t m = cfg->shape.m, n = cfg->shape.n, k = cfg->shape.k;
    if (m == 0 || n == 0 || k == 0 || m * k > limit || k * n > limit || m * n > limit) return TSR_ERR_SHAPE;
    if (!tsr_mma_is_covered(&d)) return TSR_ERR_UNSUPPORTED;
    tsr_trial t;
    if (!tsr_trial_init(&t, cfg)) return TSR_ERR_MEMORY;
    read_matrix(cfg->a, a, m * k, t.a);
    read_matrix(cfg->b, b, k * n, t.b);
    read_matrix(cfg->c, c, m * n, t.c);
    read_matrix(cfg->r, r, m * n, t.r);
    tsr_trial_compare(&t, out);
    tsr_trial_fini(&t);
    return TSR_OK;
}
