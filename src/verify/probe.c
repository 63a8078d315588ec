/* Small inputs whose results differ between ways to round and to sum. All stand in row 0 of A and column 0 of B, in the
 * first elements of k, with the rest 0; they use values that f16, bf16, f8e5m2 and f32 hold. Ideas from Fasi, Higham,
 * Mikaitis and Pranesh, "Numerical behavior of NVIDIA tensor cores" (PeerJ Computer Science 7:e330, 2021). */
#include "verify/verify.h"

#include "coopmat/numerics_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct prober {
    tsr_trial_kernel *kernel;
    tsr_trial t;
    tsr_status status;
    int digits; /* of the result's type */
} prober;

static const tsr_placement tight;

static void clear(prober *p)
{
    const tsr_config *cfg = &p->t.config;
    memset(p->t.a, 0, (size_t)cfg->shape.m * cfg->shape.k * tsr_component_words(cfg->a) * sizeof(uint32_t));
    memset(p->t.b, 0, (size_t)cfg->shape.k * cfg->shape.n * tsr_component_words(cfg->b) * sizeof(uint32_t));
    memset(p->t.c, 0, (size_t)cfg->shape.m * cfg->shape.n * tsr_component_words(cfg->c) * sizeof(uint32_t));
}

static void set_product(prober *p, size_t at, double a, double b)
{
    tsr_trial_set(p->t.config.a, p->t.a, at, a);
    tsr_trial_set(p->t.config.b, p->t.b, at * p->t.config.shape.n, b);
}

static double ask(prober *p, double c)
{
    tsr_trial_set(p->t.config.c, p->t.c, 0, c);
    if (p->status == TSR_OK) p->status = tsr_trial_run(p->kernel, &tight, &p->t);
    return tsr_trial_get(p->t.config.r, p->t.r, 0);
}

/* 2^e as a product of two values that narrow types hold. */
static void set_power(prober *p, size_t at, int e, double factor)
{
    int half = e / 2;
    set_product(p, at, ldexp(factor, half), ldexp(1, e - half));
}

/* 1 + 1.5 half units: nearest goes up, toward zero stays. */
static bool ask_nearest(prober *p)
{
    clear(p);
    set_power(p, 0, -p->digits, 1.5);
    return ask(p, 1) > 1;
}

/* -2^d + 2^d + 1 from the left: 1 when C comes first, 0 when 2^d + 1 is formed before. */
static bool ask_c_first(prober *p)
{
    clear(p);
    set_power(p, 0, p->digits + 1, 1);
    set_power(p, 1, 0, 1);
    return ask(p, -ldexp(1, p->digits + 1)) != 0;
}

/* (1 + s)^2 - (1 + 2s) is s^2 when the product is not rounded by itself; s half the result's digits. */
static bool ask_fused(prober *p)
{
    double s = ldexp(1, -(p->digits / 2));
    clear(p);
    set_product(p, 0, 1 + s, 1 + s);
    double square = tsr_trial_get(p->t.config.a, p->t.a, 0);
    if (square != 1 + s) return true; /* inputs so narrow that every product is exact */
    return ask(p, -(1 + 2 * s)) != 0;
}

static bool ask_subnormals(prober *p)
{
    tsr_component r = p->t.config.r, a = p->t.config.a;
    clear(p);
    if (a == TSR_F16)
        set_product(p, 0, 0x1p-24, 1);
    else
        set_power(p, 0, r == TSR_F16 ? -20 : -140, 1);
    return ask(p, 0) != 0;
}

/* Two products near the greatest number and one that takes them back. */
static bool ask_overflow(prober *p)
{
    double large = p->t.config.r == TSR_F16 ? 32768 : ldexp(1, 127);
    if (p->t.config.r != TSR_F16) return false; /* f32 sums of narrow inputs cannot get there */
    clear(p);
    set_product(p, 0, large / 2, 2);
    set_product(p, 1, large / 2, 2);
    set_product(p, 2, -large / 2, 2);
    return isfinite(ask(p, 0));
}

/* C = 2^d and two units that vanish one by one but not together: how far apart may they stand? */
static uint32_t ask_block(prober *p)
{
    uint32_t block = 1;
    for (size_t i = 1; i < p->t.config.shape.k; i++) {
        clear(p);
        set_power(p, 0, 0, 1);
        set_power(p, i, 0, 1);
        double large = ldexp(1, p->digits);
        if (ask(p, large) == large) break;
        block = (uint32_t)i + 1;
    }
    return block;
}

/* 2^d + s - 2^d in one block: how small may s be? */
static uint32_t ask_extra_bits(prober *p)
{
    uint32_t bits = 0;
    for (int i = 1; i <= 8; i++) {
        clear(p);
        set_power(p, 0, p->digits, 1);
        set_power(p, 1, 1 - i, 1);
        set_power(p, 2, p->digits, -1);
        if (ask(p, 0) == 0) break;
        bits = (uint32_t)i;
    }
    return bits;
}

/* ---- Which model gives the same bits. */

static const char *const candidates[] = {
    "reference",    "mul-add",      "f32-then-round", "blocked-2+0",  "blocked-4+0",  "blocked-4+1",
    "blocked-4+2",  "blocked-8+0",  "blocked-8+1",    "blocked-8+2",  "blocked-8+3",  "blocked-16+0",
    "blocked-16+1", "blocked-16+2", "blocked-16+3",   "blocked-32+1", "blocked-32+2", "blocked-32+3"};
enum { CANDIDATES = sizeof candidates / sizeof candidates[0] };

static void drop_wrong_models(prober *p, bool alive[CANDIDATES])
{
    const tsr_config *cfg = &p->t.config;
    const tsr_mma d = {cfg->shape, cfg->a, cfg->b, cfg->c, cfg->r, cfg->saturating};
    const size_t bytes = (size_t)cfg->shape.m * cfg->shape.n * tsr_component_words(cfg->r) * sizeof(uint32_t);
    uint32_t *want = malloc(bytes), *scratch = calloc(tsr_mma_scratch_words(&d) + 1, sizeof *scratch);
    if (!want || !scratch) p->status = TSR_ERR_MEMORY;
    for (int i = 0; i < CANDIDATES && p->status == TSR_OK; i++) {
        tsr_model m;
        if (!alive[i] || !tsr_model_parse(candidates[i], &m)) continue;
        tsr_model_mma(&m, &d, p->t.a, p->t.b, p->t.c, want, scratch);
        alive[i] = memcmp(want, p->t.r, bytes) == 0;
    }
    free(want), free(scratch);
}

static void name_model(prober *p, tsr_numerics *out)
{
    static const tsr_pattern tried[] = {TSR_PATTERN_random, TSR_PATTERN_heavy_tails, TSR_PATTERN_ramp,
                                        TSR_PATTERN_subnormals, TSR_PATTERN_near_limit};
    bool alive[CANDIDATES];
    memset(alive, 1, sizeof alive);
    for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++) {
        tsr_pattern_fill(tried[i], &p->t);
        if (p->status == TSR_OK) p->status = tsr_trial_run(p->kernel, &tight, &p->t);
        if (p->status == TSR_OK) drop_wrong_models(p, alive);
    }
    snprintf(out->model, sizeof out->model, "none");
    for (int i = CANDIDATES - 1; i >= 0; i--)
        if (alive[i]) snprintf(out->model, sizeof out->model, "%s", candidates[i]);
}

static int digits_of(tsr_component c)
{
    return c == TSR_F16 ? 11 : c == TSR_BF16 ? 8 : c == TSR_F64 ? 53 : 24;
}

tsr_status tsr_verify_numerics(tsr_device *dev, const tsr_config *cfg, tsr_numerics *out)
{
    if (!dev || !cfg || !out) return TSR_ERR_INVALID;
    const tsr_mma d = {cfg->shape, cfg->a, cfg->b, cfg->c, cfg->r, cfg->saturating};
    bool narrow = tsr_component_bits(cfg->a) == 8 || tsr_component_bits(cfg->r) == 8 || cfg->r == TSR_F64;
    if (tsr_component_is_integer(cfg->r) || !tsr_mma_is_covered(&d) || narrow || cfg->shape.k < 4)
        return TSR_ERR_UNSUPPORTED;
    prober p = {.digits = digits_of(cfg->r)};
    if (!tsr_trial_init(&p.t, cfg)) return TSR_ERR_MEMORY;
    p.status = tsr_trial_kernel_new(dev, cfg, &tight, &p.kernel);
    tsr_numerics n = {0};
    if (p.status == TSR_OK) {
        n.rounds_to_nearest = ask_nearest(&p);
        n.sum_starts_at_c = ask_c_first(&p);
        n.products_fused = ask_fused(&p);
        n.keeps_subnormals = ask_subnormals(&p);
        n.survives_overflow = ask_overflow(&p);
        n.exact_block = ask_block(&p);
        n.extra_bits = ask_extra_bits(&p);
        name_model(&p, &n);
    }
    tsr_trial_kernel_free(p.kernel);
    tsr_trial_fini(&p.t);
    if (p.status == TSR_OK) *out = n;
    return p.status;
}
