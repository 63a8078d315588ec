/* Small floats as bits, and numbers as text. */
#include "base/number.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Small formats ------------------------------------------------------------------------------------------- */

/* A format with a sign, ebits of exponent and mbits of mantissa. */
struct format {
    unsigned ebits, mbits;
    uint32_t biggest;  /* code of the largest finite number */
    uint32_t overflow; /* what lies above it */
    uint32_t nan;      /* the quiet NaN without payload */
};

/* IEEE 754-2008; the 8-bit ones: Micikevicius and others, FP8 Formats for Deep Learning, 2022 (f8e4m3 has no
 * infinity, and one NaN). */
static const struct format f16 = {5, 10, 0x7bff, 0x7c00, 0x7e00};
static const struct format bf16 = {8, 7, 0x7f7f, 0x7f80, 0x7fc0};
static const struct format f8e4m3 = {4, 3, 0x7e, 0x7f, 0x7f};
static const struct format f8e5m2 = {5, 2, 0x7b, 0x7c, 0x7e};

#define F64_MBITS    52u
#define F64_BIAS     1023
#define F64_INF_BITS 0x7ff0000000000000u

/* bits >> shift, rounded to nearest, ties to even; 0 < shift < 64. */
static inline uint64_t shift_rounded(uint64_t bits, unsigned shift)
{
    uint64_t half = (uint64_t)1 << (shift - 1);
    return (bits + (half - 1) + ((bits >> shift) & 1)) >> shift;
}

static inline uint32_t encode(double x, struct format f)
{
    uint64_t bits = tsr_bits_from_f64(x), mag = bits & ~((uint64_t)1 << 63);
    uint32_t sign = (uint32_t)(bits >> 63) << (f.ebits + f.mbits);
    if (mag > F64_INF_BITS) {
        uint32_t payload = (uint32_t)(mag >> (F64_MBITS - f.mbits)) & ((1u << f.mbits) - 1);
        return sign | f.nan | payload;
    }
    int bias = (1 << (f.ebits - 1)) - 1;
    int exponent = (int)(mag >> F64_MBITS) - F64_BIAS;
    uint64_t code;
    if (exponent >= 1 - bias) {
        code = shift_rounded(mag - ((uint64_t)(F64_BIAS - bias) << F64_MBITS), F64_MBITS - f.mbits);
    } else {
        unsigned shift = F64_MBITS - f.mbits + (unsigned)(1 - bias - exponent);
        uint64_t m = (mag & (((uint64_t)1 << F64_MBITS) - 1)) | (uint64_t)1 << F64_MBITS;
        code = shift > F64_MBITS + 1 ? 0 : shift_rounded(m, shift);
    }
    return sign | (code > f.biggest ? f.overflow : (uint32_t)code);
}

static inline float decode(uint32_t code, struct format f)
{
    uint32_t sign = (code >> (f.ebits + f.mbits)) << 31;
    uint32_t mag = code & ((1u << (f.ebits + f.mbits)) - 1);
    int bias = (1 << (f.ebits - 1)) - 1;
    if (mag > f.biggest) {
        if (mag == f.overflow && f.overflow != f.nan) return tsr_f32_from_bits(sign | 0x7f800000u);
        return tsr_f32_from_bits(sign | 0x7fc00000u | (mag & ((1u << f.mbits) - 1)) << (23 - f.mbits));
    }
    if (mag >> f.mbits) return tsr_f32_from_bits(sign | ((mag << (23 - f.mbits)) + ((uint32_t)(127 - bias) << 23)));
    /* Subnormal: mag * 2^(1 - bias - mbits), exact in f32 as that scale is a normal f32. */
    float scale = tsr_f32_from_bits((uint32_t)(127 + 1 - bias - (int)f.mbits) << 23);
    return tsr_f32_from_bits(sign | tsr_bits_from_f32((float)mag * scale));
}

uint16_t tsr_f16_from_f32(float x)
{
    return (uint16_t)encode((double)x, f16);
}

uint16_t tsr_f16_from_f64(double x)
{
    return (uint16_t)encode(x, f16);
}

float tsr_f16_to_f32(uint16_t bits)
{
    return decode(bits, f16);
}

uint16_t tsr_bf16_from_f32(float x)
{
    return (uint16_t)encode((double)x, bf16);
}

float tsr_bf16_to_f32(uint16_t bits)
{
    return tsr_f32_from_bits((uint32_t)bits << 16);
}

uint8_t tsr_f8e4m3_from_f32(float x)
{
    return (uint8_t)encode((double)x, f8e4m3);
}

float tsr_f8e4m3_to_f32(uint8_t bits)
{
    return decode(bits, f8e4m3);
}

uint8_t tsr_f8e5m2_from_f32(float x)
{
    return (uint8_t)encode((double)x, f8e5m2);
}

float tsr_f8e5m2_to_f32(uint8_t bits)
{
    return decode(bits, f8e5m2);
}

/* Knuth's two-sum gives the error of the f64 addition; rounding to odd (Boldo, Melquiond: Emulation of a FMA and
 * correctly rounded sums, 2008) then keeps "there was more" in the last bit. */
uint16_t tsr_f16_add_exact(double a, double b)
{
    double sum = a + b;
    double b_part = sum - a;
    double error = (a - (sum - b_part)) + (b - b_part);
    uint64_t bits = tsr_bits_from_f64(sum);
    if ((error > 0 || error < 0) && !(bits & 1)) bits += (error > 0) == (sum > 0) ? 1 : UINT64_MAX;
    return tsr_f16_from_f64(tsr_f64_from_bits(bits));
}

/* ---- Text to number ------------------------------------------------------------------------------------------ */

/* No f64 needs more than 767 significant digits to be rounded right, if a digit that is not zero stands for all that
 * follow. */
#define DIGITS_MAX     800
#define EXPONENT_LIMIT 100000000 /* exponents stop growing here; far outside of what f64 holds */

struct cursor {
    const char *s, *end;
};

static bool take(struct cursor *c, char lower)
{
    if (c->s == c->end || (*c->s | 0x20) != lower) return false;
    c->s++;
    return true;
}

static bool take_sign(struct cursor *c)
{
    if (c->s == c->end || (*c->s != '+' && *c->s != '-')) return false;
    return *c->s++ == '-';
}

/* The digits of an exponent, all that is left: true when there is at least one and nothing else. */
static bool read_exponent(struct cursor *c, int64_t *out)
{
    bool negative = take_sign(c);
    if (c->s == c->end) return false;
    int64_t value = 0;
    for (; c->s < c->end; c->s++) {
        if (*c->s < '0' || *c->s > '9') return false;
        if (value < EXPONENT_LIMIT) value = value * 10 + (*c->s - '0');
    }
    *out = negative ? -value : value;
    return true;
}

static int hex_digit(char ch)
{
    if (ch >= '0' && ch <= '9') return ch - '0';
    char lower = (char)(ch | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* value * 2^exponent when f64 holds it exactly. */
static bool scale_exactly(uint64_t value, int64_t exponent, double *out)
{
    if (value == 0) {
        *out = 0;
        return true;
    }
    while (!(value & 1)) {
        value >>= 1;
        exponent++;
    }
    unsigned bits = 0;
    while (bits < 64 && value >> bits)
        bits++;
    /* The last bit weighs at least 2^-1074, the first less than 2^1024. */
    if (bits > F64_MBITS + 1 || exponent < -1074 || exponent + bits > 1024) return false;
    *out = ldexp((double)value, (int)exponent);
    return true;
}

/* hexdigits [ '.' hexdigits ] [ p exponent ] */
static bool parse_hex(struct cursor c, double *out)
{
    uint64_t value = 0;
    int64_t exponent = 0, written = 0;
    bool any = false, point = false;
    for (; c.s < c.end; c.s++) {
        if (*c.s == '.' && !point) {
            point = true;
            continue;
        }
        int digit = hex_digit(*c.s);
        if (digit < 0) break;
        any = true;
        if (value >> 60) { /* no room: only zeros can follow, or the value needs more than 53 bits */
            if (digit) return false;
            exponent += point ? 0 : 4;
            continue;
        }
        value = value << 4 | (uint64_t)digit;
        exponent -= point ? 4 : 0;
    }
    if (!any) return false;
    if (take(&c, 'p') && !read_exponent(&c, &written)) return false;
    if (c.s != c.end) return false;
    return scale_exactly(value, exponent + written, out);
}

/* A decimal number as digits without point: digits * 10^exponent. */
struct decimal {
    char digits[DIGITS_MAX + 1];
    size_t count;
    int64_t exponent;
};

/* digits [ '.' digits ] [ e exponent ] */
static bool read_decimal(struct cursor c, struct decimal *d)
{
    bool any = false, point = false, more = false;
    int64_t written = 0;
    d->count = 0;
    d->exponent = 0;
    for (; c.s < c.end; c.s++) {
        if (*c.s == '.' && !point) {
            point = true;
            continue;
        }
        if (*c.s < '0' || *c.s > '9') break;
        any = true;
        if (d->count == DIGITS_MAX) {
            more = more || *c.s != '0';
            d->exponent += point ? 0 : 1;
            continue;
        }
        if (d->count || *c.s != '0') d->digits[d->count++] = *c.s;
        d->exponent -= point ? 1 : 0;
    }
    if (!any) return false;
    if (take(&c, 'e') && !read_exponent(&c, &written)) return false;
    if (c.s != c.end) return false;
    if (more) d->digits[DIGITS_MAX - 1] = '1'; /* a zero there would be read as "exactly this" */
    d->digits[d->count] = '\0';
    d->exponent += written;
    return true;
}

/* Clinger's fast path: both numbers are exact in f64, so one operation rounds once. */
static bool convert_fast(const struct decimal *d, double *out)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (d->count > 15 || d->exponent < -22 || d->exponent > 22) return false;
    uint64_t value = 0;
    for (size_t i = 0; i < d->count; i++)
        value = value * 10 + (uint64_t)(d->digits[i] - '0');
    *out = d->exponent < 0 ? (double)value / power[-d->exponent] : (double)value * power[d->exponent];
    return true;
}

/* Through strtod: no decimal point is written, so the locale has no say. */
static double convert_slow(const struct decimal *d)
{
    char buf[DIGITS_MAX + 32];
    int64_t exponent = d->exponent;
    if (exponent > EXPONENT_LIMIT) exponent = EXPONENT_LIMIT;
    if (exponent < -EXPONENT_LIMIT) exponent = -EXPONENT_LIMIT;
    snprintf(buf, sizeof buf, "%se%" PRId64, d->digits, exponent);
    return strtod(buf, NULL);
}

bool tsr_parse_f64(const char *s, size_t len, double *out)
{
    struct cursor c = {s, s + len};
    bool negative = take_sign(&c);
    double value;
    if (c.end - c.s >= 2 && c.s[0] == '0' && (c.s[1] | 0x20) == 'x') {
        c.s += 2;
        if (!parse_hex(c, &value)) return false;
    } else {
        struct decimal d;
        if (!read_decimal(c, &d)) return false;
        if (d.count == 0)
            value = 0;
        else if (!convert_fast(&d, &value))
            value = convert_slow(&d);
    }
    *out = negative ? -value : value;
    return true;
}

/* ---- Number to text ------------------------------------------------------------------------------------------ */

#define F64_DIGITS 17 /* always enough to read the same f64 back */
#define PLAIN_MIN  (-5)
#define PLAIN_MAX  16

/* digits[0].digits[1..count) * 10^exponent, in the form that people would write. */
static char *write_decimal(char *buf, bool negative, const char *digits, int count, int exponent)
{
    char *p = buf;
    if (negative) *p++ = '-';
    if (exponent >= PLAIN_MIN && exponent < 0) {
        p += sprintf(p, "0.%.*s%.*s", -exponent - 1, "0000000000", count, digits);
    } else if (exponent >= 0 && exponent < PLAIN_MAX) {
        for (int i = 0; i <= exponent; i++)
            *p++ = i < count ? digits[i] : '0';
        p += sprintf(p, ".%.*s", count > exponent + 1 ? count - exponent - 1 : 1,
                     count > exponent + 1 ? digits + exponent + 1 : "0");
    } else {
        *p++ = digits[0];
        if (count > 1) p += sprintf(p, ".%.*s", count - 1, digits + 1);
        sprintf(p, "e%d", exponent);
        return buf;
    }
    *p = '\0';
    return buf;
}

/* x to `precision` digits; returns the exponent. The point that snprintf writes (the locale's) is stepped over. */
static int get_digits(double x, int precision, char *digits)
{
    char buf[64];
    snprintf(buf, sizeof buf, "%.*e", precision - 1, x);
    char *e = strrchr(buf, 'e');
    int count = 0;
    for (const char *p = buf; p < e; p++) {
        if (*p >= '0' && *p <= '9') digits[count++] = *p;
    }
    digits[count] = '\0';
    return (int)strtol(e + 1, NULL, 10);
}

/* The value that a reader of a number of this width gets from a decimal. */
static double read_back(double x, unsigned bits)
{
    if (bits == 16) return (double)tsr_f16_to_f32(tsr_f16_from_f64(x));
    return bits == 32 ? (double)(float)x : x;
}

static char *format_shortest(char *buf, double x, unsigned bits)
{
    if (isnan(x)) return strcpy(buf, "nan");
    if (isinf(x)) return strcpy(buf, x < 0 ? "-inf" : "inf");
    if (x == 0) return strcpy(buf, signbit(x) ? "-0.0" : "0.0");
    char digits[F64_DIGITS + 1];
    int exponent = 0, precision = 0;
    double magnitude = fabs(x), back = 0;
    do {
        precision++;
        exponent = get_digits(magnitude, precision, digits);
        write_decimal(buf, false, digits, precision, exponent);
        tsr_parse_f64(buf, strlen(buf), &back);
    } while (precision < F64_DIGITS && read_back(back, bits) != magnitude);
    return write_decimal(buf, x < 0, digits, precision, exponent);
}

char *tsr_format_f64(char *buf, double x)
{
    return format_shortest(buf, x, 64);
}

char *tsr_format_f32(char *buf, float x)
{
    return format_shortest(buf, (double)x, 32);
}

char *tsr_format_f16(char *buf, uint16_t bits)
{
    return format_shortest(buf, (double)tsr_f16_to_f32(bits), 16);
}
