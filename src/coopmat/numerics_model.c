/* The models other than `reference`, element by element and plainly: they are for trying a device's behaviour and for
 * telling which one a device shows, not for speed. All values of the types concerned and their products are exact in
 * f64. */
#include "coopmat/numerics_model.h"

#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_MAX = 64, EXTRA_MAX = 8, F32_DIGITS = 24 };

bool tsr_model_parse(const char *name, tsr_model *out)
{
    static const char *const plain[] = {"reference", "mul-add", "f32-then-round"};
    unsigned block, extra = 0;
    int end = 0;
    for (int i = 0; i < 3; i++) {
        if (strcmp(name, plain[i]) != 0) continue;
        *out = (tsr_model){.kind = (tsr_model_kind)i};
        return true;
    }
    if (sscanf(name, "blocked-%2u%n", &block, &end) != 1) return false;
    name += end;
    if (*name == '+') {
        end = 0;
        if (sscanf(name, "+%1u%n", &extra, &end) != 1) return false;
        name += end;
    }
    if (*name || block == 0 || block > BLOCK_MAX || (block & (block - 1)) || extra > EXTRA_MAX) return false;
    *out = (tsr_model){TSR_MODEL_blocked, (uint8_t)block, (uint8_t)extra};
    return true;
}

void tsr_model_print(const tsr_model *m, char *out, size_t bytes)
{
    static const char *const plain[] = {"reference", "mul-add", "f32-then-round"};
    if (m->kind == TSR_MODEL_blocked)
        snprintf(out, bytes, "blocked-%u+%u", m->block, m->extra_bits);
    else
        snprintf(out, bytes, "%s", plain[m->kind]);
}

static double round_to(tsr_component c, double x)
{
    uint32_t words[2];
    tsr_component_from_f64(c, x, words);
    return tsr_component_to_f64(c, words);
}

/* a + b rounded once to f32: the f64 sum of an f32 and an exact product may not fit 53 bits, so it is rounded to odd.
 */
static double add_f32(double a, double b)
{
    double sum = a + b, part = sum - a;
    double rest = (a - (sum - part)) + (b - part);
    if (rest != 0 && isfinite(sum)) {
        uint64_t bits = tsr_bits_from_f64(sum);
        if ((bits & 1) == 0) bits += (rest > 0) == (sum > 0) ? 1 : (uint64_t)-1;
        sum = tsr_f64_from_bits(bits);
    }
    return round_to(TSR_F32, sum);
}

/* Toward zero, to 24 bits. */
static double cut_f32(double x)
{
    int e;
    if (x == 0 || !isfinite(x)) return x;
    frexp(x, &e);
    double unit = ldexp(1, e - F32_DIGITS < -149 ? -149 : e - F32_DIGITS);
    return trunc(x / unit) * unit;
}

/* The least exponent of a type's normal numbers: a subnormal is held with it, unnormalised. */
static int least_exponent(tsr_component c)
{
    switch (c) {
    case TSR_F16: return -14;
    case TSR_F8E4M3: return -6;
    case TSR_F8E5M2: return -14;
    default: return -126;
    }
}

static int exponent_of(tsr_component c, double x)
{
    int e;
    frexp(x, &e);
    return e - 1 > least_exponent(c) ? e - 1 : least_exponent(c);
}

/* What is added: a product's exponent is the sum of its factors', though the product of their significands may reach 4.
 */
typedef struct term {
    double value;
    int exponent;
} term;

/* The sum so far (all[0]) and a block of products: each is cut to a multiple of what lies 23 + extra bits below the
 * greatest exponent, then they add up exactly; the sum is cut to f32, or rounded to the nearest of a narrower type. */
static double add_block(const tsr_model *m, tsr_component r, const term *all, size_t count)
{
    bool some = false, finite = true;
    int top = 0;
    double total = 0;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(all[i].value)) finite = false;
        if (all[i].value == 0) continue;
        if (!some || all[i].exponent > top) top = all[i].exponent;
        some = true;
    }
    double unit = ldexp(1, top - (F32_DIGITS - 1) - m->extra_bits);
    for (size_t i = 0; i < count; i++)
        total += finite && some ? trunc(all[i].value / unit) * unit : all[i].value;
    double result = r == TSR_F32 ? cut_f32(total) : round_to(r, total);
    return result == 0 ? 0 : result; /* no negative zero */
}

static double add_one(const tsr_model *m, tsr_component r, double sum, double product)
{
    if (m->kind == TSR_MODEL_mul_add) return round_to(r, sum + round_to(r, product));
    return add_f32(sum, product); /* f32-then-round */
}

static double make_element(const tsr_model *m, const tsr_mma *d, const uint32_t *a, const uint32_t *b, double c,
                           size_t row, size_t col)
{
    const size_t k = d->shape.k, n = d->shape.n;
    const unsigned wa = tsr_component_words(d->a), wb = tsr_component_words(d->b);
    double sum = m->kind == TSR_MODEL_f32_then_round ? round_to(TSR_F32, c) : round_to(d->r, c);
    term all[BLOCK_MAX + 1];
    size_t held = 0;
    for (size_t j = 0; j < k; j++) {
        double left = tsr_component_to_f64(d->a, a + (row * k + j) * wa);
        double right = tsr_component_to_f64(d->b, b + (j * n + col) * wb);
        if (m->kind != TSR_MODEL_blocked) {
            sum = add_one(m, d->r, sum, left * right);
            continue;
        }
        all[++held] = (term){left * right, exponent_of(d->a, left) + exponent_of(d->b, right)};
        if (held < m->block && j + 1 < k) continue;
        all[0] = (term){sum, exponent_of(d->r, sum)};
        sum = add_block(m, d->r, all, held + 1);
        held = 0;
    }
    return sum;
}

void tsr_model_mma(const tsr_model *m, const tsr_mma *d, const uint32_t *a, const uint32_t *b, const uint32_t *c,
                   uint32_t *r, uint32_t *scratch)
{
    if (m->kind == TSR_MODEL_reference || tsr_component_is_integer(d->r) || d->a == TSR_F64 || d->b == TSR_F64) {
        tsr_mma_reference(d, a, b, c, r, scratch);
        return;
    }
    const size_t n = d->shape.n, count = (size_t)d->shape.m * n;
    const unsigned wc = tsr_component_words(d->c), wr = tsr_component_words(d->r);
    for (size_t i = 0; i < count; i++) {
        double x = make_element(m, d, a, b, tsr_component_to_f64(d->c, c + i * wc), i / n, i % n);
        tsr_component_from_f64(d->r, x, r + i * wr);
    }
}
