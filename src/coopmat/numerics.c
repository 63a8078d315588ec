/* The `reference` model of the matrix multiply-add, and components as words.
 *
 * Four ways through: f32 results are chains of fused multiply-adds (the product is exact, the addition rounds once);
 * integers are 32-bit arithmetic, or 64-bit when saturating; f16 results of narrow inputs are f32 arithmetic, and every
 * other float goes through f64: there products are exact, and sums are rounded to odd before they are rounded to the
 * result. */
#include "coopmat/numerics.h"

#include "base/compiler.h"
#include "base/number.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef float TSR_MAY_ALIAS word_f32;
typedef uint32_t TSR_MAY_ALIAS mem_u32;
typedef uint16_t TSR_MAY_ALIAS mem_u16;

/* Columns that one pass keeps in registers: one vector of the widest kind that the marked functions may use. */
#define BLOCK 8u

#define CANONICAL_NAN 0x7fc00000u

/* ---- Components. */

unsigned tsr_component_words(tsr_component c)
{
    return c == TSR_F64 ? 2 : 1;
}

uint32_t tsr_component_wrap(tsr_component c, uint32_t bits)
{
    if (c == TSR_U8) return bits & 0xffu;
    if (c == TSR_S8) return ((bits & 0xffu) ^ 0x80u) - 0x80u;
    return bits;
}

uint32_t tsr_component_clamp(tsr_component c, uint32_t bits)
{
    if (c == TSR_U8) return bits > UINT8_MAX ? UINT8_MAX : bits;
    if (c != TSR_S8) return bits;
    if (bits >> 31) return bits < (uint32_t)INT8_MIN ? (uint32_t)INT8_MIN : bits;
    return bits > INT8_MAX ? INT8_MAX : bits;
}

double tsr_component_to_f64(tsr_component c, const uint32_t *words)
{
    switch (c) {
    case TSR_F16: return (double)tsr_f16_to_f32((uint16_t)words[0]);
    case TSR_BF16: return (double)tsr_bf16_to_f32((uint16_t)words[0]);
    case TSR_F8E4M3: return (double)tsr_f8e4m3_to_f32((uint8_t)words[0]);
    case TSR_F8E5M2: return (double)tsr_f8e5m2_to_f32((uint8_t)words[0]);
    case TSR_F64: return tsr_f64_from_bits(words[0] | (uint64_t)words[1] << 32);
    default: return (double)tsr_f32_from_bits(words[0]);
    }
}

/* To f32 by truncation, with the last bit set when something was cut off: a second rounding to a narrower format is
 * then right (Boldo, Melquiond: Emulation of a FMA and correctly rounded sums, 2008). */
static float f32_to_odd(double x)
{
    if (!(fabs(x) <= FLT_MAX)) return isinf(x) || x != x ? (float)x : copysignf(FLT_MAX, (float)(x > 0 ? 1 : -1));
    float near = (float)x;
    if ((double)near == x) return near;
    uint32_t bits = tsr_bits_from_f32(near);
    if (bits & 1) return near;
    bool away = fabs((double)near) > fabs(x);
    return tsr_f32_from_bits(away ? bits - 1 : bits + 1);
}

/* The f32 nearest to x; a plain cast of what f32 cannot hold is undefined. */
static float f32_nearest(double x)
{
    const double half_above = 3.4028235677973366e38; /* halfway from FLT_MAX to 2^128 */
    if (fabs(x) >= half_above) return x > 0 ? INFINITY : -INFINITY;
    if (fabs(x) > FLT_MAX) return copysignf(FLT_MAX, x > 0 ? 1.0f : -1.0f);
    return (float)x;
}

void tsr_component_from_f64(tsr_component c, double x, uint32_t *words)
{
    switch (c) {
    case TSR_F16: words[0] = tsr_f16_from_f64(x); break;
    case TSR_BF16: words[0] = tsr_bf16_from_f32(f32_to_odd(x)); break;
    case TSR_F8E4M3: words[0] = tsr_f8e4m3_from_f32(f32_to_odd(x)); break;
    case TSR_F8E5M2: words[0] = tsr_f8e5m2_from_f32(f32_to_odd(x)); break;
    case TSR_F64:
        words[0] = (uint32_t)tsr_bits_from_f64(x);
        words[1] = (uint32_t)(tsr_bits_from_f64(x) >> 32);
        break;
    default: words[0] = tsr_bits_from_f32(f32_nearest(x)); break;
    }
}

static double round_to(tsr_component c, double x)
{
    uint32_t words[2];
    tsr_component_from_f64(c, x, words);
    return tsr_component_to_f64(c, words);
}

static void read_bytes(const unsigned char *from, size_t count, uint32_t *words, size_t step, uint32_t sign)
{
    for (size_t i = 0; i < count; i++)
        words[i * step] = ((uint32_t)from[i] ^ sign) - sign;
}

void tsr_components_read(tsr_component c, const unsigned char *from, size_t count, uint32_t *words, size_t step)
{
    const mem_u16 *halves = (const void *)from;
    const mem_u32 *whole = (const void *)from;
    switch (tsr_component_bits(c)) {
    case 8: read_bytes(from, count, words, step, c == TSR_S8 ? 0x80u : 0); break;
    case 16:
        for (size_t i = 0; i < count; i++)
            words[i * step] = halves[i];
        break;
    case 64:
        for (size_t i = 0; i < count; i++) {
            words[2 * i * step] = whole[2 * i];
            words[2 * i * step + 1] = whole[2 * i + 1];
        }
        break;
    default:
        if (step == 1)
            memcpy(words, from, count * sizeof *words);
        else
            for (size_t i = 0; i < count; i++)
                words[i * step] = whole[i];
    }
}

void tsr_components_write(tsr_component c, unsigned char *to, size_t count, const uint32_t *words, size_t step)
{
    mem_u16 *halves = (void *)to;
    mem_u32 *whole = (void *)to;
    switch (tsr_component_bits(c)) {
    case 8:
        for (size_t i = 0; i < count; i++)
            to[i] = (unsigned char)words[i * step];
        break;
    case 16:
        for (size_t i = 0; i < count; i++)
            halves[i] = (uint16_t)words[i * step];
        break;
    case 64:
        for (size_t i = 0; i < count; i++) {
            whole[2 * i] = words[2 * i * step];
            whole[2 * i + 1] = words[2 * i * step + 1];
        }
        break;
    default:
        for (size_t i = 0; i < count; i++)
            whole[i] = words[i * step];
    }
}

/* ---- f32 results. */

/* f16 to f32 without a branch, so that loops over it become vectors: the exponent is moved by a multiplication, which
 * also makes normal numbers of subnormal ones. */
static inline float f16_value(uint32_t h)
{
    const float rebias = 0x1p112f;
    float f = tsr_f32_from_bits((h & 0x7fffu) << 13) * rebias;
    uint32_t bits = tsr_bits_from_f32(f);
    bits |= (h & 0x7c00u) == 0x7c00u ? 0x7f800000u : 0;
    return tsr_f32_from_bits(bits | (h & 0x8000u) << 16);
}

static TSR_ALWAYS_INLINE void widen(tsr_component c, const uint32_t *from, size_t count, word_f32 *to)
{
    switch (c) {
    case TSR_F16:
        for (size_t i = 0; i < count; i++)
            to[i] = f16_value(from[i]);
        break;
    case TSR_BF16:
        for (size_t i = 0; i < count; i++)
            to[i] = tsr_f32_from_bits(from[i] << 16);
        break;
    default:
        for (size_t i = 0; i < count; i++)
            to[i] = (float)tsr_component_to_f64(c, from + i);
    }
}

/* r already holds C. Rows are independent, so the processor overlaps their chains. */
static TSR_ALWAYS_INLINE void multiply_f32(tsr_shape s, const word_f32 *a, const word_f32 *b, word_f32 *r)
{
    uint32_t j0 = 0;
    for (; j0 + BLOCK <= s.n; j0 += BLOCK) {
        for (uint32_t i = 0; i < s.m; i++) {
            word_f32 *row = r + (size_t)i * s.n + j0;
            float sum[BLOCK];
            for (uint32_t j = 0; j < BLOCK; j++)
                sum[j] = row[j];
            for (uint32_t k = 0; k < s.k; k++) {
                float left = a[(size_t)i * s.k + k];
                const word_f32 *right = b + (size_t)k * s.n + j0;
                for (uint32_t j = 0; j < BLOCK; j++)
                    sum[j] = fmaf(left, right[j], sum[j]);
            }
            for (uint32_t j = 0; j < BLOCK; j++)
                row[j] = sum[j];
        }
    }
    for (; j0 < s.n; j0++)
        for (uint32_t i = 0; i < s.m; i++) {
            float sum = r[(size_t)i * s.n + j0];
            for (uint32_t k = 0; k < s.k; k++)
                sum = fmaf(a[(size_t)i * s.k + k], b[(size_t)k * s.n + j0], sum);
            r[(size_t)i * s.n + j0] = sum;
        }
}

static TSR_ALWAYS_INLINE void mma_f32(const tsr_mma *d, const uint32_t *a, const uint32_t *b, const uint32_t *c,
                                      uint32_t *r, uint32_t *scratch)
{
    tsr_shape s = d->shape;
    size_t a_count = (size_t)s.m * s.k, b_count = (size_t)s.k * s.n, count = (size_t)s.m * s.n;
    const word_f32 *left = (const void *)a, *right = (const void *)b;
    if (d->a != TSR_F32) {
        widen(d->a, a, a_count, (void *)scratch);
        left = (const void *)scratch;
    }
    if (d->b != TSR_F32) {
        widen(d->b, b, b_count, (void *)(scratch + a_count));
        right = (const void *)(scratch + a_count);
    }
    if (d->c == TSR_F32)
        memcpy(r, c, count * sizeof *r);
    else if (d->c == TSR_F64)
        for (size_t i = 0; i < count; i++)
            tsr_component_from_f64(TSR_F32, tsr_component_to_f64(TSR_F64, c + 2 * i), r + i);
    else
        widen(d->c, c, count, (void *)r);
    multiply_f32(s, left, right, (void *)r);
    for (size_t i = 0; i < count; i++) /* which NaN comes out differs by machine */
        r[i] = (r[i] & 0x7fffffffu) > 0x7f800000u ? CANONICAL_NAN : r[i];
}

static TSR_TARGET_FMA void mma_f32_fast(const tsr_mma *d, const uint32_t *a, const uint32_t *b, const uint32_t *c,
                                        uint32_t *r, uint32_t *scratch)
{
    mma_f32(d, a, b, c, r, scratch);
}

static void mma_f32_plain(const tsr_mma *d, const uint32_t *a, const uint32_t *b, const uint32_t *c, uint32_t *r,
                          uint32_t *scratch)
{
    mma_f32(d, a, b, c, r, scratch);
}

/* ---- f16 results. Products of f16 and f8 components have 22 bits at most: f32 holds them and the error of a sum. */

/* Without a branch for the compiler to find. */
static inline uint32_t choose(bool first, uint32_t a, uint32_t b)
{
    uint32_t mask = 0u - (uint32_t)first;
    return (a & mask) | (b & ~mask);
}

/* x rounded to the nearest f16, ties to even; branchless, so that loops over it become vectors. */
static inline float round_f16(float x)
{
    const float magic = 0.75f; /* its unit in the last place is that of f16's subnormals */
    const uint32_t least_normal = 0x38800000u, above_greatest = 0x477ff000u, infinity = 0x7f800000u;
    uint32_t bits = tsr_bits_from_f32(x), sign = bits & 0x80000000u, mag = bits & 0x7fffffffu;
    uint32_t normal = (mag + 0xfffu + (mag >> 13 & 1u)) & ~UINT32_C(0x1fff);
    uint32_t small = tsr_bits_from_f32((tsr_f32_from_bits(mag) + magic) - magic);
    uint32_t rounded = choose(mag < least_normal, small, normal);
    rounded = choose(mag >= above_greatest, infinity, rounded);
    rounded = choose(mag > infinity, CANONICAL_NAN, rounded);
    return tsr_f32_from_bits(rounded | sign);
}

/* a + b rounded to odd in f32 (see add_to_odd), then to f16. */
static inline float add_f16(float a, float b)
{
    float sum = a + b;
    float b_part = sum - a;
    float error = (a - (sum - b_part)) + (b - b_part);
    uint32_t bits = tsr_bits_from_f32(sum), lost = tsr_bits_from_f32(error);
    uint32_t step = 1u - ((lost ^ bits) >> 31) * 2u;
    uint32_t inexact = (lost & 0x7fffffffu) - 1u < 0x7f800000u; /* neither zero nor NaN */
    return round_f16(tsr_f32_from_bits(bits + step * (inexact & ~bits)));
}

/* The bits of an f16 that x holds exactly. */
static inline uint32_t f16_bits(float x)
{
    uint32_t bits = tsr_bits_from_f32(x), sign = bits >> 16 & 0x8000u, mag = bits & 0x7fffffffu;
    uint32_t small = (uint32_t)(tsr_f32_from_bits(mag < 0x38800000u ? mag : 0) * 0x1p24f);
    uint32_t code = mag < 0x38800000u ? small : (mag - 0x38000000u) >> 13;
    code = mag == 0x7f800000u ? 0x7c00u : code;
    return mag > 0x7f800000u ? 0x7e00u : sign | code;
}

static TSR_ALWAYS_INLINE void multiply_f16(tsr_shape s, const word_f32 *a, const word_f32 *b, word_f32 *r)
{
    for (uint32_t i = 0; i < s.m; i++) {
        word_f32 *restrict row = r + (size_t)i * s.n;
        for (uint32_t k = 0; k < s.k; k++) {
            float left = a[(size_t)i * s.k + k];
            const word_f32 *right = b + (size_t)k * s.n;
            for (uint32_t j = 0; j < s.n; j++)
                row[j] = add_f16(left * right[j], row[j]);
        }
    }
}

static TSR_ALWAYS_INLINE void mma_f16(const tsr_mma *d, const uint32_t *a, const uint32_t *b, const uint32_t *c,
                                      uint32_t *r, uint32_t *scratch)
{
    tsr_shape s = d->shape;
    size_t a_count = (size_t)s.m * s.k, count = (size_t)s.m * s.n;
    word_f32 *left = (void *)scratch, *right = (void *)(scratch + a_count), *sum = (void *)r;
    widen(d->a, a, a_count, left);
    widen(d->b, b, (size_t)s.k * s.n, right);
    if (d->c == TSR_F16) {
        widen(TSR_F16, c, count, sum);
    } else {
        for (size_t i = 0; i < count; i++)
            sum[i] = (float)round_to(TSR_F16, tsr_component_to_f64(d->c, c + i * tsr_component_words(d->c)));
    }
    multiply_f16(s, left, right, sum);
    for (size_t i = 0; i < count; i++)
        r[i] = f16_bits(sum[i]);
}

static TSR_TARGET_FMA void mma_f16_fast(const tsr_mma *d, const uint32_t *a, const uint32_t *b, const uint32_t *c,
                                        uint32_t *r, uint32_t *scratch)
{
    mma_f16(d, a, b, c, r, scratch);
}

static void mma_f16_plain(const tsr_mma *d, const uint32_t *a, const uint32_t *b, const uint32_t *c, uint32_t *r,
                          uint32_t *scratch)
{
    mma_f16(d, a, b, c, r, scratch);
}

static bool has_short_products(const tsr_mma *d)
{
    return (d->a == TSR_F16 || d->a == TSR_F8E4M3 || d->a == TSR_F8E5M2) &&
           (d->b == TSR_F16 || d->b == TSR_F8E4M3 || d->b == TSR_F8E5M2);
}

/* ---- Integers. Modulo 2^32 signs do not matter, and 8-bit results are the low bits. */

static TSR_ALWAYS_INLINE void multiply_int(tsr_shape s, const uint32_t *a, const uint32_t *b, uint32_t *r)
{
    for (uint32_t i = 0; i < s.m; i++) {
        uint32_t *restrict row = r + (size_t)i * s.n;
        for (uint32_t k = 0; k < s.k; k++) {
            uint32_t left = a[(size_t)i * s.k + k];
            const uint32_t *right = b + (size_t)k * s.n;
            for (uint32_t j = 0; j < s.n; j++)
                row[j] += left * right[j];
        }
    }
}

static TSR_TARGET_FMA void multiply_int_fast(tsr_shape s, const uint32_t *a, const uint32_t *b, uint32_t *r)
{
    multiply_int(s, a, b, r);
}

static void multiply_int_plain(tsr_shape s, const uint32_t *a, const uint32_t *b, uint32_t *r)
{
    multiply_int(s, a, b, r);
}

static void mma_int(const tsr_mma *d, const uint32_t *a, const uint32_t *b, const uint32_t *c, uint32_t *r, bool fast)
{
    size_t count = (size_t)d->shape.m * d->shape.n;
    memcpy(r, c, count * sizeof *r);
    if (fast)
        multiply_int_fast(d->shape, a, b, r);
    else
        multiply_int_plain(d->shape, a, b, r);
    if (tsr_component_bits(d->r) < 32)
        for (size_t i = 0; i < count; i++)
            r[i] = tsr_component_wrap(d->r, r[i]);
}

static int64_t int_value(tsr_component c, uint32_t word)
{
    return tsr_component_is_signed(c) && word >> 31 ? (int64_t)word - ((int64_t)1 << 32) : (int64_t)word;
}

/* x * y, limited to +-2^62: far outside every sum, and safe to add to one. */
static int64_t multiply_limited(int64_t x, int64_t y)
{
    const int64_t most = (int64_t)1 << 62;
    uint64_t ux = x < 0 ? (uint64_t)-x : (uint64_t)x, uy = y < 0 ? (uint64_t)-y : (uint64_t)y;
    uint64_t product = ux * uy; /* both below 2^32 */
    int64_t size = product > (uint64_t)most ? most : (int64_t)product;
    return (x < 0) != (y < 0) ? -size : size;
}

static void mma_saturating(const tsr_mma *d, const uint32_t *a, const uint32_t *b, const uint32_t *c, uint32_t *r)
{
    tsr_shape s = d->shape;
    unsigned bits = tsr_component_bits(d->r);
    bool is_signed = tsr_component_is_signed(d->r);
    int64_t low = is_signed ? -((int64_t)1 << (bits - 1)) : 0;
    int64_t high = ((int64_t)1 << (is_signed ? bits - 1 : bits)) - 1;
    for (uint32_t i = 0; i < s.m; i++)
        for (uint32_t j = 0; j < s.n; j++) {
            int64_t sum = int_value(d->c, c[(size_t)i * s.n + j]);
            sum = sum < low ? low : sum > high ? high : sum;
            for (uint32_t k = 0; k < s.k; k++) {
                sum +=
                    multiply_limited(int_value(d->a, a[(size_t)i * s.k + k]), int_value(d->b, b[(size_t)k * s.n + j]));
                sum = sum < low ? low : sum > high ? high : sum;
            }
            r[(size_t)i * s.n + j] = (uint32_t)(uint64_t)sum;
        }
}

/* ---- Every other float, through f64. */

/* a + b rounded to odd: Knuth's two-sum gives the error, which only decides the last bit. */
static double add_to_odd(double a, double b)
{
    double sum = a + b;
    double b_part = sum - a;
    double error = (a - (sum - b_part)) + (b - b_part);
    uint64_t bits = tsr_bits_from_f64(sum);
    if ((error > 0 || error < 0) && !(bits & 1)) bits += (error > 0) == (sum > 0) ? 1 : UINT64_MAX;
    return tsr_f64_from_bits(bits);
}

static void mma_general(const tsr_mma *d, const uint32_t *a, const uint32_t *b, const uint32_t *c, uint32_t *r)
{
    tsr_shape s = d->shape;
    unsigned aw = tsr_component_words(d->a), bw = tsr_component_words(d->b);
    unsigned cw = tsr_component_words(d->c), rw = tsr_component_words(d->r);
    for (uint32_t i = 0; i < s.m; i++)
        for (uint32_t j = 0; j < s.n; j++) {
            size_t at = (size_t)i * s.n + j;
            double sum = round_to(d->r, tsr_component_to_f64(d->c, c + at * cw));
            for (uint32_t k = 0; k < s.k; k++) {
                double x = tsr_component_to_f64(d->a, a + ((size_t)i * s.k + k) * aw);
                double y = tsr_component_to_f64(d->b, b + ((size_t)k * s.n + j) * bw);
                sum = d->r == TSR_F64 ? fma(x, y, sum) : round_to(d->r, add_to_odd(x * y, sum));
            }
            tsr_component_from_f64(d->r, sum == sum ? sum : (double)NAN, r + at * rw);
        }
}

/* ---- The model. */

bool tsr_mma_is_covered(const tsr_mma *d)
{
    bool integer = tsr_component_is_integer(d->r);
    if (tsr_component_is_integer(d->a) != integer || tsr_component_is_integer(d->b) != integer) return false;
    if (tsr_component_is_integer(d->c) != integer) return false;
    return d->r == TSR_F64 || (d->a != TSR_F64 && d->b != TSR_F64);
}

size_t tsr_mma_scratch_words(const tsr_mma *d)
{
    return (size_t)d->shape.m * d->shape.k + (size_t)d->shape.k * d->shape.n;
}

static void run_mma(const tsr_mma *d, const uint32_t *a, const uint32_t *b, const uint32_t *c, uint32_t *r,
                    uint32_t *scratch, bool fast)
{
    bool integer = tsr_component_is_integer(d->r);
    if (integer && d->saturating)
        mma_saturating(d, a, b, c, r);
    else if (integer)
        mma_int(d, a, b, c, r, fast);
    else if (d->r == TSR_F32)
        (fast ? mma_f32_fast : mma_f32_plain)(d, a, b, c, r, scratch);
    else if (d->r == TSR_F16 && has_short_products(d))
        (fast ? mma_f16_fast : mma_f16_plain)(d, a, b, c, r, scratch);
    else
        mma_general(d, a, b, c, r);
}

void tsr_mma_reference(const tsr_mma *d, const uint32_t *a, const uint32_t *b, const uint32_t *c, uint32_t *r,
                       uint32_t *scratch)
{
    run_mma(d, a, b, c, r, scratch, TSR_CPU_HAS_FMA());
}

void tsr_mma_reference_plain(const tsr_mma *d, const uint32_t *a, const uint32_t *b, const uint32_t *c, uint32_t *r,
                             uint32_t *scratch)
{
    run_mma(d, a, b, c, r, scratch, false);
}
