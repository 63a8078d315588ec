/* Exponentials, logarithms, powers and angles in f32 alone, within WGSL's accuracy ("Floating Point Evaluation",
 * accuracy of built-in functions): for code that need not give the interpreter's bits. tests/unit/jit_math.c measures
 * them (docs/numerics.md). Series called minimax were fitted by Remez' algorithm to the least relative error, which
 * stands beside them, on the stretch they are used on; reductions are those of Cephes (S. Moshier). */
#include "emit/llvm_inside.h"

#define LN2 0.69314718f
#define PI  3.14159265f

static tsr_ll_word f(tsr_ll *e, float x)
{
    return tsr_ll_f32(e, x);
}

static tsr_ll_word infinity(tsr_ll *e)
{
    return tsr_ll_const(e, LL_F, 0x7f800000u);
}

static tsr_ll_word not_a_number(tsr_ll *e)
{
    return tsr_ll_const(e, LL_F, 0x7fc00000u);
}

static tsr_ll_word add(tsr_ll *e, tsr_ll_word a, tsr_ll_word b)
{
    return tsr_ll_op2(e, "fadd", a, b);
}

static tsr_ll_word sub(tsr_ll *e, tsr_ll_word a, tsr_ll_word b)
{
    return tsr_ll_op2(e, "fsub", a, b);
}

static tsr_ll_word mul(tsr_ll *e, tsr_ll_word a, tsr_ll_word b)
{
    return tsr_ll_op2(e, "fmul", a, b);
}

static tsr_ll_word quotient(tsr_ll *e, tsr_ll_word a, tsr_ll_word b)
{
    return tsr_ll_op2(e, "fdiv", a, b);
}

static tsr_ll_word size_of(tsr_ll *e, tsr_ll_word x)
{
    return tsr_ll_call(e, "llvm.fabs", &x, 1);
}

static tsr_ll_word with_sign(tsr_ll *e, tsr_ll_word size, tsr_ll_word sign)
{
    tsr_ll_word args[2] = {size, sign};
    return tsr_ll_call(e, "llvm.copysign", args, 2);
}

static tsr_ll_word mul_add(tsr_ll *e, tsr_ll_word a, tsr_ll_word b, tsr_ll_word c)
{
    tsr_ll_word args[3] = {a, b, c};
    if (e->o->cpu.fma) return tsr_ll_call(e, "llvm.fma", args, 3);
    return add(e, mul(e, a, b), c);
}

/* Horner's rule, the highest power first. */
static tsr_ll_word polynomial(tsr_ll *e, tsr_ll_word x, const float *terms, int count)
{
    tsr_ll_word sum = f(e, terms[0]);
    for (int i = 1; i < count; i++)
        sum = mul_add(e, sum, x, f(e, terms[i]));
    return sum;
}

/* x + x^3 P(x^2) */
static tsr_ll_word odd_series(tsr_ll *e, tsr_ll_word x, const float *terms, int count)
{
    tsr_ll_word x2 = mul(e, x, x);
    return mul_add(e, mul(e, x, x2), polynomial(e, x2, terms, count), x);
}

/* The nearest integer, by adding 1.5 * 2^23: for |x| < 2^22. */
static tsr_ll_word nearest(tsr_ll *e, tsr_ll_word x)
{
    tsr_ll_word big = f(e, 12582912.0f);
    return sub(e, add(e, x, big), big);
}

/* 2^n as a float for an integer n in [-126, 127]. */
static tsr_ll_word power_of_two(tsr_ll *e, tsr_ll_word n)
{
    tsr_ll_word bits = tsr_ll_op2(e, "shl", tsr_ll_op2(e, "add", n, tsr_ll_u32(e, 127)), tsr_ll_u32(e, 23));
    return tsr_ll_op1(e, "bitcast", LL_F, bits);
}

static tsr_ll_word limit(tsr_ll *e, tsr_ll_word x, float low, float high)
{
    x = tsr_ll_select(e, tsr_ll_cmp(e, "fcmp ult", x, f(e, low)), f(e, low), x);
    return tsr_ll_select(e, tsr_ll_cmp(e, "fcmp ogt", x, f(e, high)), f(e, high), x);
}

/* The exponent of a power of two, as whole numbers in f32 and i32. */
typedef struct exponent {
    tsr_ll_word whole, bits;
} exponent;

static exponent nearest_exponent(tsr_ll *e, tsr_ll_word x)
{
    tsr_ll_word n = nearest(e, x);
    return (exponent){n, tsr_ll_op1(e, "fptosi", LL_I, n)};
}

/* e^r for |r| <= ln2 / 2 times 2^n; n in two halves, so that the ends of the range are right. */
static tsr_ll_word exp_scaled(tsr_ll *e, tsr_ll_word r, tsr_ll_word n)
{
    static const float terms[] = {0.00019841270f, 0.0013888889f, 0.0083333333f, 0.041666667f,
                                  0.16666667f,    0.5f,          1.0f,          1.0f};
    tsr_ll_word p = polynomial(e, r, terms, 8);
    tsr_ll_word half = tsr_ll_op2(e, "ashr", n, tsr_ll_u32(e, 1)), rest = tsr_ll_op2(e, "sub", n, half);
    return mul(e, mul(e, p, power_of_two(e, half)), power_of_two(e, rest));
}

static tsr_ll_word keep_nan(tsr_ll *e, tsr_ll_word x, tsr_ll_word r)
{
    return tsr_ll_select(e, tsr_ll_cmp(e, "fcmp uno", x, x), x, r);
}

/* e^x / 2^halvings. ln2 in two parts, so that r keeps its digits. */
static tsr_ll_word emit_exp(tsr_ll *e, tsr_ll_word x, uint32_t halvings)
{
    tsr_ll_word y = limit(e, x, -110, 90);
    exponent n = nearest_exponent(e, mul(e, y, f(e, 1.44269504f)));
    tsr_ll_word r = mul_add(e, n.whole, f(e, -0.693359375f), y);
    r = mul_add(e, n.whole, f(e, 2.12194440e-4f), r);
    if (halvings) n.bits = tsr_ll_op2(e, "sub", n.bits, tsr_ll_u32(e, halvings));
    return keep_nan(e, x, exp_scaled(e, r, n.bits));
}

static tsr_ll_word emit_exp2(tsr_ll *e, tsr_ll_word x)
{
    tsr_ll_word y = limit(e, x, -160, 130);
    exponent n = nearest_exponent(e, y);
    return keep_nan(e, x, exp_scaled(e, mul(e, sub(e, y, n.whole), f(e, LN2)), n.bits));
}

/* x = m * 2^k with m in [0.7071, 1.4142), for finite x > 0: ln m = s + s^3/3 ... with s = (m - 1) / (m + 1), twice. */
static tsr_ll_word log_parts(tsr_ll *e, tsr_ll_word x, tsr_ll_word *k)
{
    static const float terms[] = {0.22222222f, 0.28571429f, 0.4f, 0.66666667f};
    tsr_ll_word small = tsr_ll_cmp(e, "fcmp olt", x, f(e, 1.17549435e-38f));
    tsr_ll_word y = tsr_ll_select(e, small, mul(e, x, f(e, 8388608.0f)), x);
    tsr_ll_word moved = tsr_ll_op2(e, "sub", tsr_ll_op1(e, "bitcast", LL_I, y), tsr_ll_u32(e, 0x3f3504f3u));
    *k = tsr_ll_op1(e, "sitofp", LL_F, tsr_ll_op2(e, "ashr", moved, tsr_ll_u32(e, 23)));
    *k = tsr_ll_select(e, small, sub(e, *k, f(e, 23)), *k);
    tsr_ll_word m =
        tsr_ll_op2(e, "add", tsr_ll_op2(e, "and", moved, tsr_ll_u32(e, 0x7fffffu)), tsr_ll_u32(e, 0x3f3504f3u));
    tsr_ll_word u = sub(e, tsr_ll_op1(e, "bitcast", LL_F, m), f(e, 1));
    tsr_ll_word s = quotient(e, u, add(e, u, f(e, 2))), s2 = mul(e, s, s);
    /* ln(1 + u) = u - s * (u - s2 * p), exact in its first term. */
    tsr_ll_word p = mul(e, s2, polynomial(e, s2, terms, 4));
    return sub(e, u, mul(e, s, sub(e, u, p)));
}

/* log2(e) in two parts. */
static tsr_ll_word to_base2(tsr_ll *e, tsr_ll_word ln)
{
    return mul_add(e, ln, f(e, 1.44269502f), mul(e, ln, f(e, 1.92596299e-8f)));
}

static tsr_ll_word emit_log(tsr_ll *e, tsr_ll_word x, bool base2)
{
    tsr_ll_word k, ln = log_parts(e, x, &k), r;
    if (base2)
        r = add(e, k, to_base2(e, ln));
    else
        r = mul_add(e, k, f(e, 0.693359375f), mul_add(e, k, f(e, -2.12194440e-4f), ln));
    r = tsr_ll_select(e, tsr_ll_cmp(e, "fcmp olt", x, infinity(e)), r, x); /* infinity, NaN */
    r = tsr_ll_select(e, tsr_ll_cmp(e, "fcmp oeq", x, f(e, 0)), tsr_ll_const(e, LL_F, 0xff800000u), r);
    return tsr_ll_select(e, tsr_ll_cmp(e, "fcmp olt", x, f(e, 0)), not_a_number(e), r);
}

/* 0^y and infinity^y, and where there is no power. */
static tsr_ll_word pow_special(tsr_ll *e, tsr_ll_word x, tsr_ll_word y, tsr_ll_word r)
{
    tsr_ll_word zero = f(e, 0), is_zero = tsr_ll_cmp(e, "fcmp oeq", x, zero);
    tsr_ll_word to_zero = tsr_ll_not(e, tsr_ll_op2(e, "xor", is_zero, tsr_ll_cmp(e, "fcmp ogt", y, zero)));
    tsr_ll_word ends = tsr_ll_op2(e, "or", is_zero, tsr_ll_cmp(e, "fcmp oeq", x, infinity(e)));
    tsr_ll_word none = tsr_ll_op2(e, "or", tsr_ll_cmp(e, "fcmp ult", x, zero), tsr_ll_cmp(e, "fcmp uno", y, y));
    r = tsr_ll_select(e, ends, tsr_ll_select(e, to_zero, zero, infinity(e)), r);
    r = tsr_ll_select(e, none, not_a_number(e), r);
    return tsr_ll_select(e, tsr_ll_cmp(e, "fcmp oeq", y, zero), f(e, 1), r);
}

/* 2^(y (k + l)), where k is whole and |l| <= 1/2: y k is kept apart, so that with a fused multiply-add it is exact. */
static tsr_ll_word emit_pow(tsr_ll *e, tsr_ll_word x, tsr_ll_word y)
{
    tsr_ll_word k, l = to_base2(e, log_parts(e, x, &k));
    /* 2^31 times the log2 of the float after 1 is far out of range. */
    tsr_ll_word w = limit(e, y, -2147483648.0f, 2147483648.0f), part = mul(e, w, l);
    exponent n = nearest_exponent(e, limit(e, mul_add(e, w, k, part), -160, 130));
    tsr_ll_word r = add(e, mul_add(e, w, k, tsr_ll_op1(e, "fneg", LL_F, n.whole)), part);
    r = mul(e, limit(e, r, -1, 1), f(e, LN2));
    return pow_special(e, x, y, exp_scaled(e, r, n.bits));
}

/* ---- Angles. */

/* x = k pi/2 + r; beyond 2^15 WGSL promises nothing. Gives k, and sin and cos of r. */
static tsr_ll_word reduce_angle(tsr_ll *e, tsr_ll_word x, tsr_ll_word *s, tsr_ll_word *c)
{
    static const float sine[] = {2.718311494e-6f, -1.98393348e-4f, 8.33332912e-3f, -0.16666667f};
    static const float cosines[] = {2.44331571e-5f, -1.38873162e-3f, 4.16666456e-2f, -0.5f};
    tsr_ll_word y = limit(e, x, -65536, 65536), k = nearest(e, mul(e, y, f(e, 0.636619772f)));
    tsr_ll_word r = mul_add(e, k, f(e, -1.5703125f), y);
    r = mul_add(e, k, f(e, -4.8351287841796875e-4f), r);
    r = mul_add(e, k, f(e, -3.138553906232118607e-7f), r);
    r = mul_add(e, k, f(e, -6.10836439e-11f), r);
    tsr_ll_word r2 = mul(e, r, r);
    *s = mul_add(e, mul(e, r, r2), polynomial(e, r2, sine, 4), r);
    *c = mul_add(e, r2, polynomial(e, r2, cosines, 4), f(e, 1));
    return tsr_ll_op1(e, "fptosi", LL_I, k);
}

static tsr_ll_word is_odd(tsr_ll *e, tsr_ll_word i)
{
    return tsr_ll_cmp(e, "icmp ne", tsr_ll_op2(e, "and", i, tsr_ll_u32(e, 1)), tsr_ll_u32(e, 0));
}

static tsr_ll_word only_finite(tsr_ll *e, tsr_ll_word x, tsr_ll_word r)
{
    return tsr_ll_select(e, tsr_ll_cmp(e, "fcmp olt", size_of(e, x), infinity(e)), r, not_a_number(e));
}

static tsr_ll_word keep_zero(tsr_ll *e, tsr_ll_word x, tsr_ll_word r)
{
    return tsr_ll_select(e, tsr_ll_cmp(e, "fcmp oeq", x, f(e, 0)), x, r);
}

static tsr_ll_word emit_sin(tsr_ll *e, tsr_ll_word x, bool cosine)
{
    tsr_ll_word s, c, i = reduce_angle(e, x, &s, &c);
    if (cosine) i = tsr_ll_op2(e, "add", i, tsr_ll_u32(e, 1));
    tsr_ll_word sign = tsr_ll_op2(e, "shl", tsr_ll_op2(e, "and", i, tsr_ll_u32(e, 2)), tsr_ll_u32(e, 30));
    tsr_ll_word v = tsr_ll_op1(e, "bitcast", LL_I, tsr_ll_select(e, is_odd(e, i), c, s));
    v = only_finite(e, x, tsr_ll_op1(e, "bitcast", LL_F, tsr_ll_op2(e, "xor", v, sign)));
    return cosine ? v : keep_zero(e, x, v);
}

static tsr_ll_word emit_tan(tsr_ll *e, tsr_ll_word x)
{
    tsr_ll_word s, c, odd = is_odd(e, reduce_angle(e, x, &s, &c));
    tsr_ll_word over = tsr_ll_select(e, odd, c, s), under = tsr_ll_select(e, odd, tsr_ll_op1(e, "fneg", LL_F, s), c);
    return keep_zero(e, x, only_finite(e, x, quotient(e, over, under)));
}

/* The angle of the smaller of two sides, by their ratio t in [0, 1]. Minimax: 2^-25.8. */
static tsr_ll_word small_angle(tsr_ll *e, tsr_ll_word t)
{
    static const float terms[] = {0.00291932561f, -0.0163629688f, 0.0432045758f, -0.0755165815f,
                                  0.106657699f,   -0.14211002f,   0.199937671f,  -0.333331525f};
    return odd_series(e, t, terms, 8);
}

static tsr_ll_word emit_atan(tsr_ll *e, tsr_ll_word x)
{
    tsr_ll_word a = size_of(e, x), one = f(e, 1), over = tsr_ll_cmp(e, "fcmp ogt", a, one);
    tsr_ll_word r = small_angle(e, quotient(e, tsr_ll_select(e, over, one, a), tsr_ll_select(e, over, a, one)));
    return with_sign(e, tsr_ll_select(e, over, sub(e, f(e, PI / 2), r), r), x);
}

/* Equal sides, 0 and infinity among them, need no quotient. */
static tsr_ll_word emit_atan2(tsr_ll *e, tsr_ll_word y, tsr_ll_word x)
{
    tsr_ll_word ay = size_of(e, y), ax = size_of(e, x), over = tsr_ll_cmp(e, "fcmp ogt", ay, ax), zero = f(e, 0);
    tsr_ll_word less = tsr_ll_select(e, over, ax, ay), more = tsr_ll_select(e, over, ay, ax);
    tsr_ll_word same = tsr_ll_select(e, tsr_ll_cmp(e, "fcmp oeq", ax, zero), zero, f(e, 1));
    tsr_ll_word t = tsr_ll_select(e, tsr_ll_cmp(e, "fcmp oeq", ax, ay), same, quotient(e, less, more));
    tsr_ll_word r = small_angle(e, t);
    r = tsr_ll_select(e, over, sub(e, f(e, PI / 2), r), r);
    tsr_ll_word left = tsr_ll_cmp(e, "icmp slt", tsr_ll_op1(e, "bitcast", LL_I, x), tsr_ll_u32(e, 0));
    return with_sign(e, tsr_ll_select(e, left, sub(e, f(e, PI), r), r), y);
}

/* asin of |x| <= 1/2 by a series; of more by asin(a) = pi/2 - 2 asin(sqrt((1 - a) / 2)): gives that inner asin, too.
 * Minimax: 2^-27.6. */
static tsr_ll_word arc_sine(tsr_ll *e, tsr_ll_word a, tsr_ll_word *large)
{
    static const float terms[] = {0.0421583876f, 0.0241847429f, 0.0454691537f, 0.0749530941f, 0.166667521f};
    *large = tsr_ll_cmp(e, "fcmp ogt", a, f(e, 0.5f));
    tsr_ll_word half = mul_add(e, a, f(e, -0.5f), f(e, 0.5f));
    tsr_ll_word z = tsr_ll_select(e, *large, half, mul(e, a, a));
    tsr_ll_word s = tsr_ll_select(e, *large, tsr_ll_call(e, "llvm.sqrt", &half, 1), a);
    return mul_add(e, mul(e, s, z), polynomial(e, z, terms, 5), s);
}

static tsr_ll_word emit_asin(tsr_ll *e, tsr_ll_word x)
{
    tsr_ll_word large, r = arc_sine(e, size_of(e, x), &large);
    return with_sign(e, tsr_ll_select(e, large, mul_add(e, r, f(e, -2), f(e, PI / 2)), r), x);
}

static tsr_ll_word emit_acos(tsr_ll *e, tsr_ll_word x)
{
    tsr_ll_word large, r = arc_sine(e, size_of(e, x), &large), twice = add(e, r, r);
    tsr_ll_word left = tsr_ll_cmp(e, "fcmp olt", x, f(e, 0));
    tsr_ll_word outer = tsr_ll_select(e, left, sub(e, f(e, PI), twice), twice);
    return tsr_ll_select(e, large, outer, sub(e, f(e, PI / 2), with_sign(e, r, x)));
}

/* ---- Hyperbolic functions, and a series where their exponentials or logarithms would cancel. */

/* Minimax to 1: 2^-31.6. */
static tsr_ll_word emit_sinh(tsr_ll *e, tsr_ll_word x)
{
    static const float terms[] = {2.78221319e-06f, 0.000198428956f, 0.00833331048f, 0.166666672f};
    tsr_ll_word a = size_of(e, x), half = emit_exp(e, a, 1);
    tsr_ll_word large = sub(e, half, quotient(e, f(e, 0.25f), half));
    tsr_ll_word small = tsr_ll_cmp(e, "fcmp olt", a, f(e, 1));
    return with_sign(e, tsr_ll_select(e, small, odd_series(e, a, terms, 4), large), x);
}

static tsr_ll_word emit_cosh(tsr_ll *e, tsr_ll_word x)
{
    tsr_ll_word half = emit_exp(e, size_of(e, x), 1);
    return add(e, half, quotient(e, f(e, 0.25f), half));
}

/* 1 - 2 / (e^2|x| + 1). */
static tsr_ll_word emit_tanh(tsr_ll *e, tsr_ll_word x)
{
    static const float terms[] = {-5.70498872745e-3f, 2.06390887954e-2f, -5.37397155531e-2f, 1.33314422036e-1f,
                                  -3.33332819422e-1f};
    tsr_ll_word a = size_of(e, x), p = emit_exp(e, add(e, a, a), 0);
    tsr_ll_word large = sub(e, f(e, 1), quotient(e, f(e, 2), add(e, p, f(e, 1))));
    tsr_ll_word small = tsr_ll_cmp(e, "fcmp olt", a, f(e, 0.625f));
    return with_sign(e, tsr_ll_select(e, small, odd_series(e, a, terms, 5), large), x);
}

/* ln(a + sqrt(a^2 + more)), more 1 or -1; from 2^14 on the root is a. */
static tsr_ll_word log_of_sum(tsr_ll *e, tsr_ll_word a, float more)
{
    tsr_ll_word square = mul_add(e, a, a, f(e, more)), far = tsr_ll_cmp(e, "fcmp ogt", a, f(e, 16384));
    tsr_ll_word sum = add(e, a, tsr_ll_call(e, "llvm.sqrt", &square, 1));
    tsr_ll_word ln = emit_log(e, tsr_ll_select(e, far, a, sum), false);
    return tsr_ll_select(e, far, add(e, ln, f(e, LN2)), ln);
}

/* Minimax to 1/2: 2^-25.7. */
static tsr_ll_word emit_asinh(tsr_ll *e, tsr_ll_word x)
{
    static const float terms[] = {-0.0132076591f, 0.0281624123f, -0.0443830937f, 0.0749864057f, -0.166666433f};
    tsr_ll_word a = size_of(e, x), small = tsr_ll_cmp(e, "fcmp olt", a, f(e, 0.5f));
    return with_sign(e, tsr_ll_select(e, small, odd_series(e, a, terms, 5), log_of_sum(e, a, 1)), x);
}

/* acosh(1 + t) = sqrt(2 t) (1 - t/12 ...). Minimax to t = 1/2: 2^-26.8. */
static tsr_ll_word emit_acosh(tsr_ll *e, tsr_ll_word x)
{
    static const float terms[] = {-0.000527742028f, 0.00190198037f, -0.00560880359f,
                                  0.018756995f,     -0.0833337754f, 1.0f};
    tsr_ll_word t = sub(e, x, f(e, 1)), twice = add(e, t, t);
    tsr_ll_word near = mul(e, tsr_ll_call(e, "llvm.sqrt", &twice, 1), polynomial(e, t, terms, 6));
    return tsr_ll_select(e, tsr_ll_cmp(e, "fcmp olt", x, f(e, 1.5f)), near, log_of_sum(e, x, -1));
}

/* ln((1 + a) / (1 - a)) / 2. Minimax to 1/2: 2^-28.5. */
static tsr_ll_word emit_atanh(tsr_ll *e, tsr_ll_word x)
{
    static const float terms[] = {0.168225378f, 0.0579271652f, 0.116311841f, 0.142489552f, 0.200009078f, 0.333333343f};
    tsr_ll_word a = size_of(e, x), one = f(e, 1);
    tsr_ll_word ln = emit_log(e, quotient(e, add(e, one, a), sub(e, one, a)), false);
    tsr_ll_word small = tsr_ll_cmp(e, "fcmp olt", a, f(e, 0.5f)), large = mul(e, ln, f(e, 0.5f));
    return with_sign(e, tsr_ll_select(e, small, odd_series(e, a, terms, 6), large), x);
}

bool tsr_ll_math(tsr_ll *e, tsr_op op, const tsr_ll_word *a, tsr_ll_word *out)
{
    switch (op) {
    case TSR_OP_exp: *out = emit_exp(e, a[0], 0); return true;
    case TSR_OP_exp2: *out = emit_exp2(e, a[0]); return true;
    case TSR_OP_log: *out = emit_log(e, a[0], false); return true;
    case TSR_OP_log2: *out = emit_log(e, a[0], true); return true;
    case TSR_OP_pow: *out = emit_pow(e, a[0], a[1]); return true;
    case TSR_OP_sin: *out = emit_sin(e, a[0], false); return true;
    case TSR_OP_cos: *out = emit_sin(e, a[0], true); return true;
    case TSR_OP_tan: *out = emit_tan(e, a[0]); return true;
    case TSR_OP_asin: *out = emit_asin(e, a[0]); return true;
    case TSR_OP_acos: *out = emit_acos(e, a[0]); return true;
    case TSR_OP_atan: *out = emit_atan(e, a[0]); return true;
    case TSR_OP_atan2: *out = emit_atan2(e, a[0], a[1]); return true;
    case TSR_OP_sinh: *out = emit_sinh(e, a[0]); return true;
    case TSR_OP_cosh: *out = emit_cosh(e, a[0]); return true;
    case TSR_OP_tanh: *out = emit_tanh(e, a[0]); return true;
    case TSR_OP_asinh: *out = emit_asinh(e, a[0]); return true;
    case TSR_OP_acosh: *out = emit_acosh(e, a[0]); return true;
    case TSR_OP_atanh: *out = emit_atanh(e, a[0]); return true;
    default: return false;
    }
}
