/* The values of numeric literals: exact for integers, rounded once for floats. WGSL, "Numeric Literals". */
#include "base/number.h"
#include "wgsl/lex.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEX_DIGITS_MAX 16        /* significant digits that count; WGSL truncates behind them */
#define EXPONENT_MAX   (1 << 28) /* beyond what the longest token can make up for */

static bool is_hex(const char *s, size_t len)
{
    return len > 2 && s[0] == '0' && (s[1] | 0x20) == 'x';
}

/* The digit's value, or -1. */
static int get_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

tsr_number_problem tsr_lex_int(const char *s, size_t len, int suffix, uint64_t *bits)
{
    uint64_t base = is_hex(s, len) ? 16 : 10, value = 0;
    uint64_t max = suffix == 'u' ? UINT32_MAX : suffix == 'i' ? INT32_MAX : INT64_MAX;
    *bits = 0;
    if (suffix) len--;
    for (size_t i = base == 16 ? 2 : 0; i < len; i++) {
        uint64_t digit = (uint64_t)get_digit(s[i]);
        if (value > (max - digit) / base) return TSR_NUMBER_range;
        value = value * base + digit;
    }
    *bits = value;
    return TSR_NUMBER_ok;
}

/* ---- Hexadecimal floats -------------------------------------------------------------------------------------- */

struct hex_float {
    uint64_t mantissa; /* the first HEX_DIGITS_MAX significant digits */
    int64_t exponent;  /* of 2 */
};

static int64_t read_exponent(const char *s, const char *end)
{
    bool negative = *s == '-';
    if (*s == '-' || *s == '+') s++;
    int64_t value = 0;
    for (; s < end; s++) {
        if (value < EXPONENT_MAX) value = value * 10 + (*s - '0');
    }
    return negative ? -value : value;
}

static struct hex_float read_hex(const char *s, const char *end)
{
    struct hex_float h = {0, 0};
    unsigned digits = 0;
    bool point = false;
    for (s += 2; s < end && (*s | 0x20) != 'p'; s++) {
        if (*s == '.') {
            point = true;
            continue;
        }
        if (digits < HEX_DIGITS_MAX) {
            h.mantissa = h.mantissa * 16 + (uint64_t)get_digit(*s);
            if (h.mantissa) digits++;
            if (point) h.exponent -= 4;
        } else if (!point) {
            h.exponent += 4;
        }
    }
    if (s < end) h.exponent += read_exponent(s + 1, end);
    return h;
}

static double scale(double x, int64_t exponent)
{
    return ldexp(x, exponent > 8192 ? 8192 : exponent < -8192 ? -8192 : (int)exponent);
}

static double round_to(double x, int suffix)
{
    if (suffix == 'f') return (double)(float)x;
    return suffix == 'h' ? (double)tsr_f16_to_f32(tsr_f16_from_f64(x)) : x;
}

/* WGSL, "Floating Point Conversion": what lies beyond the largest number of the type is an error, also where rounding
 * would come back to it. */
static bool is_beyond(double x, int suffix)
{
    const double most_f16 = 65504.0;
    return (suffix == 'f' && x > (double)FLT_MAX) || (suffix == 'h' && x > most_f16);
}

static tsr_number_problem convert_hex(const char *s, const char *end, int suffix, double *value)
{
    struct hex_float h = read_hex(s, end);
    if (h.mantissa == 0) return TSR_NUMBER_ok;
    while (!(h.mantissa & 1)) {
        h.mantissa >>= 1;
        h.exponent++;
    }
    double x = scale((double)h.mantissa, h.exponent);
    *value = round_to(x, suffix);
    if (isinf(*value) || is_beyond(x, suffix)) return TSR_NUMBER_range;
    bool exact = *value == x && h.mantissa < (uint64_t)1 << DBL_MANT_DIG && x != 0;
    return suffix && !exact ? TSR_NUMBER_inexact : TSR_NUMBER_ok;
}

/* ---- Decimal floats ------------------------------------------------------------------------------------------ */

/* Digits without leading zeros; the number is 0.DIGITS * 10^exponent. */
struct digits {
    const char *s, *end; /* a '.' may be among them */
    int64_t exponent;
};

static struct digits read_digits(const char *s, const char *end)
{
    struct digits d = {s, end, 0};
    int64_t leading = 0;
    bool point = false, started = false;
    for (const char *p = s; p < end; p++) {
        if ((*p | 0x20) == 'e') {
            d.end = p;
            d.exponent += read_exponent(p + 1, end);
            break;
        }
        if (*p == '.') {
            point = true;
            continue;
        }
        if (!started && *p != '0') {
            started = true;
            d.s = p;
        }
        if (started && !point) d.exponent++;
        if (!started && point) leading++;
    }
    d.exponent -= leading;
    return d;
}

static char next_digit(struct digits *d)
{
    if (d->s < d->end && *d->s == '.') d->s++;
    return d->s < d->end ? *d->s++ : '0';
}

/* The sign of (the decimal text) - x, exactly; x > 0. */
static int compare_exactly(const char *s, const char *end, double x)
{
    char buf[1100]; /* an f64 has at most 767 significant digits */
    int n = snprintf(buf, sizeof buf, "%.800e", x);
    char *e = memchr(buf, 'e', (size_t)n);
    for (char *p = buf; p < e; p++) {
        if (*p < '0' || *p > '9') *p = '.'; /* whatever the locale's point is */
    }
    struct digits a = read_digits(s, end), b = {buf, e, strtol(e + 1, NULL, 10) + 1};
    if (a.exponent != b.exponent) return a.exponent < b.exponent ? -1 : 1;
    while (a.s < a.end || b.s < b.end) {
        int difference = next_digit(&a) - next_digit(&b);
        if (difference) return difference;
    }
    return 0;
}

/* Rounding to f64 and then to f32 or f16 errs only where the f64 lies exactly between two of those: it then moves
 * one step to the side where the text is. */
static double round_once(const char *s, const char *end, double x, int suffix)
{
    if (suffix && x > 0 && isfinite(x)) {
        double below = nextafter(x, 0), above = nextafter(x, DBL_MAX);
        if (round_to(below, suffix) != round_to(above, suffix)) {
            int side = compare_exactly(s, end, x);
            if (side) x = side < 0 ? below : above;
        }
    }
    return round_to(x, suffix);
}

tsr_number_problem tsr_lex_float(const char *s, size_t len, int suffix, double *value)
{
    if (suffix) len--;
    *value = 0;
    if (is_hex(s, len)) return convert_hex(s, s + len, suffix, value);
    double x = 0;
    if (!tsr_parse_f64(s, len, &x)) return TSR_NUMBER_range;
    *value = round_once(s, s + len, x, suffix);
    return isfinite(*value) && !is_beyond(x, suffix) ? TSR_NUMBER_ok : TSR_NUMBER_range;
}
