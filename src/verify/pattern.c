/* What the matrices of a trial hold. Each pattern is made to catch a kind of mistake: swapped rows and columns, a wrong
 * stride, a part of k left out, signs of 8-bit inputs, sums kept in too small a type, subnormals flushed. Values are
 * not symmetric, and small enough for the type where sums should stay exact. */
#include "verify/verify.h"

#include <math.h>
#include <stdlib.h>

const char *tsr_pattern_name(tsr_pattern p)
{
    static const char *const names[] = {
#define PATTERN(name, text) text,
#include "verify/pattern.def"
    };
    return names[p];
}

bool tsr_trial_init(tsr_trial *t, const tsr_config *cfg)
{
    const size_t m = cfg->shape.m, n = cfg->shape.n, k = cfg->shape.k;
    *t = (tsr_trial){.config = *cfg};
    t->a = calloc(m * k * tsr_component_words(cfg->a), sizeof(uint32_t));
    t->b = calloc(k * n * tsr_component_words(cfg->b), sizeof(uint32_t));
    t->c = calloc(m * n * tsr_component_words(cfg->c), sizeof(uint32_t));
    t->r = calloc(m * n * tsr_component_words(cfg->r), sizeof(uint32_t));
    if (t->a && t->b && t->c && t->r) return true;
    tsr_trial_fini(t);
    return false;
}

void tsr_trial_fini(tsr_trial *t)
{
    free(t->a), free(t->b), free(t->c), free(t->r);
    t->a = t->b = t->c = t->r = NULL;
}

void tsr_trial_set(tsr_component c, uint32_t *matrix, size_t i, double value)
{
    uint32_t *words = matrix + i * tsr_component_words(c);
    if (tsr_component_is_integer(c))
        *words = tsr_component_wrap(c, (uint32_t)(int64_t)value);
    else
        tsr_component_from_f64(c, value, words);
}

double tsr_trial_get(tsr_component c, const uint32_t *matrix, size_t i)
{
    const uint32_t *words = matrix + i * tsr_component_words(c);
    if (!tsr_component_is_integer(c)) return tsr_component_to_f64(c, words);
    return tsr_component_is_signed(c) ? (double)(int32_t)*words : (double)*words;
}

/* The greatest number of a type, its least normal and its least subnormal. */
static double greatest(tsr_component c)
{
    switch (c) {
    case TSR_F16: return 65504;
    case TSR_BF16: return 3.3895313892515355e38;
    case TSR_F8E4M3: return 448;
    case TSR_F8E5M2: return 57344;
    case TSR_F64: return 1.7976931348623157e308;
    case TSR_F32: return 3.4028234663852886e38;
    case TSR_U8: return 255;
    case TSR_S8: return 127;
    case TSR_U32: return 4294967295.0;
    default: return 2147483647;
    }
}

static double least_subnormal(tsr_component c)
{
    switch (c) {
    case TSR_F16: return 0x1p-24;
    case TSR_BF16: return 0x1p-133;
    case TSR_F8E4M3: return 0x1p-9;
    case TSR_F8E5M2: return 0x1p-16;
    case TSR_F64: return 0x1p-1074;
    default: return 0x1p-149;
    }
}

static double least(tsr_component c)
{
    return tsr_component_is_signed(c) ? -greatest(c) - tsr_component_is_integer(c) : 0;
}

/* How large inputs may be so that k products and C stay exact in small sums: powers of two keep f8 and bf16 exact too.
 */
static double ramp_scale(tsr_component c)
{
    if (tsr_component_is_integer(c)) return 1;
    return c == TSR_F32 || c == TSR_F64 ? 1 : 0x1p-6;
}

static double ramp(tsr_component c, size_t i, size_t j)
{
    double x = 100 * (double)i + (double)j;
    if (tsr_component_is_integer(c))
        return tsr_component_bits(c) == 8 ? fmod(x, 251) - (tsr_component_is_signed(c) ? 125 : 0) : x;
    if (c == TSR_F8E4M3 || c == TSR_F8E5M2) return fmod(x, 13) - 6;
    return fmod(x, 1021) * ramp_scale(c);
}

static uint64_t next_bits(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static double random_unit(uint64_t *state)
{
    return ldexp((double)(next_bits(state) >> 11), -52) - 1;
}

static double random_value(tsr_component c, uint64_t *state)
{
    if (tsr_component_is_integer(c)) return (double)(int64_t)(int32_t)(next_bits(state) >> 32);
    return random_unit(state);
}

/* Exponents spread widely, yet k products of the largest stay finite in every result type that goes with the input. */
static double heavy_value(tsr_component c, uint64_t *state)
{
    if (tsr_component_is_integer(c))
        return next_bits(state) % 8 == 0 ? random_value(c, state) : (double)(next_bits(state) % 3);
    int exponent = (int)(next_bits(state) % 13) - 9;
    return ldexp(random_unit(state), c == TSR_F8E4M3 ? exponent / 2 : exponent);
}

/* One element of A (i, j), B (i, j) or C; `which` is 0, 1 or 2. */
typedef struct spot {
    const tsr_config *cfg;
    int which;
    tsr_component type;
    size_t i, j;
    uint64_t *state;
} spot;

static double at_identity(const spot *s)
{
    return s->which == 0 ? s->i == s->j : s->which == 1 ? ramp(s->type, s->i, s->j) : 0;
}

static double at_sign_flip(const spot *s)
{
    size_t along = s->which == 0 ? s->j : s->i;
    if (s->which == 2) return ramp(s->type, s->i, s->j);
    if (s->which == 1) return 1 + (double)(s->i % 3 + s->j % 2);
    double one = 1 + (double)(s->i % 2);
    return along >= s->cfg->shape.k / 2 && tsr_component_is_signed(s->type) ? -one : one;
}

static double at_extremes(const spot *s)
{
    if (!tsr_component_is_integer(s->type)) {
        double large = s->which == 2 ? 1 : ldexp(1, s->type == TSR_F8E4M3 ? 3 : 5);
        return (s->i + s->j) % 3 ? large : -large;
    }
    return (s->i + s->j) % 3 == 0 ? least(s->type) : greatest(s->type);
}

/* |A| = 1, B about 56000 / k: sums near the greatest f16 (65504), with room for what roundings may add. */
static double at_near_limit(const spot *s)
{
    if (tsr_component_is_integer(s->type)) return ramp(s->type, s->j, s->i);
    double share = floor(56000.0 / ((double)s->cfg->shape.k + 2));
    if (s->type == TSR_F8E4M3) share = fmin(share, 240);
    if (s->which == 0) return 1;
    return s->which == 1 ? share - (double)(s->i % 4) : 31;
}

static double at_subnormals(const spot *s)
{
    if (tsr_component_is_integer(s->type)) return (double)((s->i * 7 + s->j * 3) % 2);
    double tiny = least_subnormal(s->type);
    if (s->which == 0) return (s->i + s->j) % 2 ? 1 : -1;
    return tiny * (double)((s->i * 5 + s->j) % 7);
}

static double value_at(tsr_pattern p, const spot *s)
{
    switch (p) {
    case TSR_PATTERN_ramp: return s->which == 1 ? ramp(s->type, s->j, s->i) : ramp(s->type, s->i, s->j);
    case TSR_PATTERN_identity: return at_identity(s);
    case TSR_PATTERN_sign_flip: return at_sign_flip(s);
    case TSR_PATTERN_extremes: return at_extremes(s);
    case TSR_PATTERN_near_limit: return at_near_limit(s);
    case TSR_PATTERN_subnormals: return at_subnormals(s);
    case TSR_PATTERN_heavy_tails: return heavy_value(s->type, s->state);
    case TSR_PATTERN_random: return random_value(s->type, s->state);
    default: return s->which + 1;
    }
}

static void fill_matrix(tsr_pattern p, spot *s, uint32_t *matrix, size_t rows, size_t cols)
{
    for (s->i = 0; s->i < rows; s->i++)
        for (s->j = 0; s->j < cols; s->j++)
            tsr_trial_set(s->type, matrix, s->i * cols + s->j, value_at(p, s));
}

void tsr_pattern_fill(tsr_pattern p, tsr_trial *t)
{
    const tsr_config *cfg = &t->config;
    uint64_t state = 1 + (uint64_t)p;
    spot s = {.cfg = cfg, .which = 0, .type = cfg->a, .state = &state};
    fill_matrix(p, &s, t->a, cfg->shape.m, cfg->shape.k);
    s.which = 1, s.type = cfg->b;
    fill_matrix(p, &s, t->b, cfg->shape.k, cfg->shape.n);
    s.which = 2, s.type = cfg->c;
    fill_matrix(p, &s, t->c, cfg->shape.m, cfg->shape.n);
}
