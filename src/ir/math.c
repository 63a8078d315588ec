/* Each function reduces its argument to a small interval, where a Taylor series reaches about 1e-15, and undoes the
 * reduction. Series and identities are the textbook ones (Abramowitz and Stegun, chapter 4). */
#include "ir/math.h"

#include "base/number.h"

#include <math.h>
#include <stdint.h>

static const double ln2 = 0.69314718055994530942;
static const double log2_e = 1.4426950408889634074;
static const double pi = 3.14159265358979323846;

/* 1 / k! */
static const double exp_terms[] = {
    1.0,
    1.0,
    0.5,
    0.16666666666666666,
    0.041666666666666664,
    0.008333333333333333,
    0.001388888888888889,
    0.0001984126984126984,
    2.48015873015873e-05,
    2.7557319223985893e-06,
    2.755731922398589e-07,
    2.505210838544172e-08,
    2.08767569878681e-09,
    1.6059043836821613e-10,
};
/* (-1)^k / (2k + 1)! */
static const double sin_terms[] = {
    1.0,
    -0.16666666666666666,
    0.008333333333333333,
    -0.0001984126984126984,
    2.7557319223985893e-06,
    -2.505210838544172e-08,
    1.6059043836821613e-10,
    -7.647163731819816e-13,
    2.8114572543455206e-15,
    -8.22063524662433e-18,
};
/* (-1)^k / (2k)! */
static const double cos_terms[] = {
    1.0,
    -0.5,
    0.041666666666666664,
    -0.001388888888888889,
    2.48015873015873e-05,
    -2.755731922398589e-07,
    2.08767569878681e-09,
    -1.1470745597729725e-11,
    4.779477332387385e-14,
    -1.5619206968586225e-16,
};
/* 1 / (2k + 1)! */
static const double sinh_terms[] = {
    1.0,
    0.16666666666666666,
    0.008333333333333333,
    0.0001984126984126984,
    2.7557319223985893e-06,
    2.505210838544172e-08,
    1.6059043836821613e-10,
    7.647163731819816e-13,
    2.8114572543455206e-15,
    8.22063524662433e-18,
};
/* 1 / (2k + 1) */
static const double artanh_terms[] = {
    1.0,
    0.3333333333333333,
    0.2,
    0.14285714285714285,
    0.1111111111111111,
    0.09090909090909091,
    0.07692307692307693,
    0.06666666666666667,
    0.058823529411764705,
    0.05263157894736842,
    0.047619047619047616,
    0.043478260869565216,
};
/* (-1)^k / (2k + 1) */
static const double atan_terms[] = {
    1.0,
    -0.3333333333333333,
    0.2,
    -0.14285714285714285,
    0.1111111111111111,
    -0.09090909090909091,
    0.07692307692307693,
    -0.06666666666666667,
    0.058823529411764705,
    -0.05263157894736842,
    0.047619047619047616,
    -0.043478260869565216,
    0.04,
};

#define SERIES(terms, x) sum_series(terms, (int)(sizeof(terms) / sizeof((terms)[0])), (x))

/* terms[0] + terms[1] x + terms[2] x^2 + ..., by Horner's rule. */
static inline double sum_series(const double *terms, int count, double x)
{
    double sum = terms[count - 1];
    for (int k = count - 2; k >= 0; k--)
        sum = sum * x + terms[k];
    return sum;
}

/* 2^n for any n, by building the bits; far out it is infinity or 0. */
static double power_of_two(double n)
{
    if (n > 1023) return INFINITY;
    if (n < -1022) return n < -1074 ? 0 : tsr_f64_from_bits((uint64_t)1 << (int)(n + 1074));
    return tsr_f64_from_bits((uint64_t)(int)(n + 1023) << 52);
}

double tsr_math_exp2(double x)
{
    if (x != x) return x;
    if (x > 1100) return INFINITY;
    if (x < -1200) return 0;
    double n = floor(x + 0.5);
    double t = (x - n) * ln2; /* |t| <= 0.3466: t^13/13! < 2e-16 */
    double sum = SERIES(exp_terms, t);
    if (n > 1023) return sum * power_of_two(1023) * power_of_two(n - 1023);
    if (n < -1022) return sum * power_of_two(-1000) * power_of_two(n + 1000);
    return sum * power_of_two(n);
}

double tsr_math_exp(double x)
{
    if (x != x) return x;
    if (x > 750) return INFINITY;
    if (x < -800) return 0;
    /* x = n ln2 + t with ln2 in two parts, so that t keeps its digits when x is large. */
    const double ln2_high = 0.693147180369123816490, ln2_low = 1.90821492927058770002e-10;
    double n = floor(x * log2_e + 0.5);
    double t = (x - n * ln2_high) - n * ln2_low;
    return SERIES(exp_terms, t) *
           power_of_two(n > 1000    ? 1000
                        : n < -1000 ? -1000
                                    : n) *
           power_of_two(n > 1000    ? n - 1000
                        : n < -1000 ? n + 1000
                                    : 0);
}

/* ln(1 + u) by 2 artanh(u / (2 + u)), for |u| <= 0.42. */
static double log1p_small(double u)
{
    double s = u / (2 + u), s2 = s * s; /* |s| <= 0.1736: s^23/23 < 1e-18 */
    return 2 * s * SERIES(artanh_terms, s2);
}

/* x = m * 2^e with m in [0.7071, 1.4143). */
static double split_exponent(double x, double *e)
{
    uint64_t bits = tsr_bits_from_f64(x);
    int shift = 0;
    if ((bits >> 52) == 0) { /* subnormal: scale by 2^54 */
        bits = tsr_bits_from_f64(x * 18014398509481984.0);
        shift = 54;
    }
    int exponent = (int)(bits >> 52) - 1023;
    double m = tsr_f64_from_bits((bits & 0x000fffffffffffffu) | 0x3ff0000000000000u);
    if (m > 1.4142135623730951) m *= 0.5, exponent++;
    *e = exponent - shift;
    return m;
}

double tsr_math_log(double x)
{
    if (x != x || x < 0) return NAN;
    if (x == 0) return -INFINITY;
    if (x > 1.7976931348623157e308) return x;
    double e, m = split_exponent(x, &e);
    return e * ln2 + log1p_small(m - 1);
}

double tsr_math_log2(double x)
{
    if (x != x || x < 0) return NAN;
    if (x == 0) return -INFINITY;
    if (x > 1.7976931348623157e308) return x;
    double e, m = split_exponent(x, &e);
    return e + log1p_small(m - 1) * log2_e;
}

/* exp2(y * log2(x)) for x > 0; 0^y as limits say, 0^0 is 1, a negative base has no power. */
double tsr_math_pow(double x, double y)
{
    if (y == 0) return 1;
    if (x != x || y != y || x < 0) return NAN;
    if (x == 0) return y > 0 ? 0 : INFINITY;
    if (x == 1) return 1;
    return tsr_math_exp2(y * tsr_math_log2(x));
}

/* sin and cos of |r| <= pi/4. */
static double sin_small(double r)
{
    return r * SERIES(sin_terms, r * r);
}

static double cos_small(double r)
{
    return SERIES(cos_terms, r * r);
}

/* x = k pi/2 + r, |r| <= pi/4; returns k mod 4. Beyond 2^30 x is first taken modulo the nearest f64 to 2 pi: WGSL
 * promises nothing there, the result only has to be the same everywhere. */
static int reduce_angle(double x, double *r)
{
    /* pi/2 in three parts of 33 bits (fdlibm's split). */
    const double part1 = 1.57079632673412561417e+00, part2 = 6.07710050630396597660e-11,
                 part3 = 2.02226624879595063154e-21;
    if (fabs(x) > 1073741824.0) x = fmod(x, 2 * pi);
    double k = floor(x * (2 / pi) + 0.5);
    *r = ((x - k * part1) - k * part2) - k * part3;
    double quarter = k - 4 * floor(k / 4);
    return (int)quarter;
}

double tsr_math_sin(double x)
{
    if (!(fabs(x) < INFINITY)) return NAN;
    double r;
    switch (reduce_angle(x, &r)) {
    case 0: return x == 0 ? x : sin_small(r);
    case 1: return cos_small(r);
    case 2: return -sin_small(r);
    default: return -cos_small(r);
    }
}

double tsr_math_cos(double x)
{
    if (!(fabs(x) < INFINITY)) return NAN;
    double r;
    switch (reduce_angle(x, &r)) {
    case 0: return cos_small(r);
    case 1: return -sin_small(r);
    case 2: return -cos_small(r);
    default: return sin_small(r);
    }
}

double tsr_math_tan(double x)
{
    return tsr_math_sin(x) / tsr_math_cos(x);
}

/* atan of 0 <= x <= 1, by halving the angle twice: x <= tan(pi/16) = 0.199. */
static double atan_unit(double x)
{
    double y = x / (1 + sqrt(1 + x * x));
    double z = y / (1 + sqrt(1 + y * y)), z2 = z * z;
    return 4 * z * SERIES(atan_terms, z2);
}

double tsr_math_atan(double x)
{
    if (x != x) return x;
    double a = fabs(x);
    double r = a > 1 ? pi / 2 - atan_unit(1 / a) : atan_unit(a);
    return copysign(r, x);
}

double tsr_math_atan2(double y, double x)
{
    if (x != x || y != y) return NAN;
    double ay = fabs(y), ax = fabs(x), r;
    if (ax == 0 && ay == 0)
        r = 0;
    else if (ax > 1.7976931348623157e308 && ay > 1.7976931348623157e308)
        r = pi / 4;
    else
        r = ay > ax ? pi / 2 - atan_unit(ax / ay) : atan_unit(ay / ax);
    if (signbit(x)) r = pi - r;
    return copysign(r, y);
}

double tsr_math_asin(double x)
{
    if (!(fabs(x) <= 1)) return NAN;
    double a = fabs(x);
    double r =
        a < 0.7 ? tsr_math_atan(a / sqrt((1 - a) * (1 + a))) : pi / 2 - tsr_math_atan(sqrt((1 - a) * (1 + a)) / a);
    return copysign(r, x);
}

double tsr_math_acos(double x)
{
    if (!(fabs(x) <= 1)) return NAN;
    return tsr_math_atan2(sqrt((1 - x) * (1 + x)), x);
}

/* sinh for |x| < 1, where the exponentials would cancel. */
static double sinh_small(double x)
{
    return x * SERIES(sinh_terms, x * x);
}

/* e^x / 2 where e^x alone is too large. */
static double half_exp(double x)
{
    double root = tsr_math_exp(0.5 * x);
    return 0.5 * root * root;
}

double tsr_math_sinh(double x)
{
    if (fabs(x) < 1) return sinh_small(x);
    double e = tsr_math_exp(fabs(x));
    if (isinf(e)) return copysign(half_exp(fabs(x)), x);
    return copysign(0.5 * e - 0.5 / e, x);
}

double tsr_math_cosh(double x)
{
    double e = tsr_math_exp(fabs(x));
    return isinf(e) ? half_exp(fabs(x)) : 0.5 * e + 0.5 / e;
}

double tsr_math_tanh(double x)
{
    if (x != x) return x;
    double a = fabs(x);
    if (a < 1) return sinh_small(x) / tsr_math_cosh(x);
    if (a > 25) return copysign(1, x);
    return copysign(1 - 2 / (tsr_math_exp(2 * a) + 1), x);
}

static double log1p_any(double u)
{
    return u < 0.4 ? log1p_small(u) : tsr_math_log(1 + u);
}

double tsr_math_asinh(double x)
{
    double a = fabs(x);
    if (a > 1e150) return copysign(tsr_math_log(a) + ln2, x);
    return copysign(log1p_any(a + a * a / (1 + sqrt(1 + a * a))), x);
}

double tsr_math_acosh(double x)
{
    if (!(x >= 1)) return NAN;
    if (x > 1e150) return tsr_math_log(x) + ln2;
    double t = x - 1;
    return log1p_any(t + sqrt(2 * t + t * t));
}

double tsr_math_atanh(double x)
{
    if (!(fabs(x) <= 1)) return NAN;
    double a = fabs(x);
    return copysign(0.5 * log1p_any(2 * a / (1 - a)), x);
}
