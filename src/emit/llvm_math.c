/* Exponentials, logarithms and angles in f32 alone, within WGSL's accuracy ("Floating Point Evaluation", accuracy of
 * built-in functions): for code that need not give the interpreter's bits. */
#include "emit/llvm_inside.h"

static tsr_ll_word f(tsr_ll *e, float x)
{
    return tsr_ll_f32(e, x);
}

static tsr_ll_word mul_add(tsr_ll *e, tsr_ll_word a, tsr_ll_word b, tsr_ll_word c)
{
    tsr_ll_word args[3] = {a, b, c};
    if (e->o->fma) return tsr_ll_call(e, "llvm.fma", args, 3);
    return tsr_ll_op2(e, "fadd", tsr_ll_op2(e, "fmul", a, b), c);
}

/* Horner's rule, the highest power first. */
static tsr_ll_word polynomial(tsr_ll *e, tsr_ll_word x, const float *terms, int count)
{
    tsr_ll_word sum = f(e, terms[0]);
    for (int i = 1; i < count; i++)
        sum = mul_add(e, sum, x, f(e, terms[i]));
    return sum;
}

/* The nearest integer, by adding 1.5 * 2^23: for |x| < 2^22. */
static tsr_ll_word nearest(tsr_ll *e, tsr_ll_word x)
{
    tsr_ll_word big = f(e, 12582912.0f);
    return tsr_ll_op2(e, "fsub", tsr_ll_op2(e, "fadd", x, big), big);
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

/* e^r for |r| <= ln2 / 2 times 2^n; n in two halves, so that the ends of the range are right. */
static tsr_ll_word exp_scaled(tsr_ll *e, tsr_ll_word r, tsr_ll_word n, tsr_ll_word x)
{
    static const float terms[] = {0.00019841270f, 0.0013888889f, 0.0083333333f, 0.041666667f,
                                  0.16666667f,    0.5f,          1.0f,          1.0f};
    tsr_ll_word p = polynomial(e, r, terms, 8), i = tsr_ll_op1(e, "fptosi", LL_I, n);
    tsr_ll_word half = tsr_ll_op2(e, "ashr", i, tsr_ll_u32(e, 1)), rest = tsr_ll_op2(e, "sub", i, half);
    p = tsr_ll_op2(e, "fmul", tsr_ll_op2(e, "fmul", p, power_of_two(e, half)), power_of_two(e, rest));
    return tsr_ll_select(e, tsr_ll_cmp(e, "fcmp uno", x, x), x, p);
}

static tsr_ll_word emit_exp(tsr_ll *e, tsr_ll_word x)
{
    tsr_ll_word y = limit(e, x, -110, 90), n = nearest(e, tsr_ll_op2(e, "fmul", y, f(e, 1.44269504f)));
    tsr_ll_word r = mul_add(e, n, f(e, -0.693359375f), y);
    r = mul_add(e, n, f(e, 2.12194440e-4f), r);
    return exp_scaled(e, r, n, x);
}

static tsr_ll_word emit_exp2(tsr_ll *e, tsr_ll_word x)
{
    tsr_ll_word y = limit(e, x, -160, 130), n = nearest(e, y);
    return exp_scaled(e, tsr_ll_op2(e, "fmul", tsr_ll_op2(e, "fsub", y, n), f(e, 0.69314718f)), n, x);
}

/* x = m * 2^e with m in [0.7071, 1.4142); ln m = s + s^3/3 ... with s = (m - 1) / (m + 1), twice. */
static tsr_ll_word emit_log(tsr_ll *e, tsr_ll_word x, bool base2)
{
    static const float terms[] = {0.22222222f, 0.28571429f, 0.4f, 0.66666667f};
    tsr_ll_word small = tsr_ll_cmp(e, "fcmp olt", x, f(e, 1.17549435e-38f));
    tsr_ll_word y = tsr_ll_select(e, small, tsr_ll_op2(e, "fmul", x, f(e, 8388608.0f)), x),
                bits = tsr_ll_op1(e, "bitcast", LL_I, y);
    tsr_ll_word moved = tsr_ll_op2(e, "sub", bits, tsr_ll_u32(e, 0x3f3504f3u));
    tsr_ll_word k = tsr_ll_op1(e, "sitofp", LL_F, tsr_ll_op2(e, "ashr", moved, tsr_ll_u32(e, 23)));
    k = tsr_ll_select(e, small, tsr_ll_op2(e, "fsub", k, f(e, 23)), k);
    tsr_ll_word m =
        tsr_ll_op2(e, "add", tsr_ll_op2(e, "and", moved, tsr_ll_u32(e, 0x7fffffu)), tsr_ll_u32(e, 0x3f3504f3u));
    tsr_ll_word u = tsr_ll_op2(e, "fsub", tsr_ll_op1(e, "bitcast", LL_F, m), f(e, 1));
    tsr_ll_word s = tsr_ll_op2(e, "fdiv", u, tsr_ll_op2(e, "fadd", u, f(e, 2))), s2 = tsr_ll_op2(e, "fmul", s, s);
    /* ln(1 + u) = u - s * (u - s2 * p), exact in its first term. */
    tsr_ll_word p = tsr_ll_op2(e, "fmul", s2, polynomial(e, s2, terms, 4));
    tsr_ll_word ln = tsr_ll_op2(e, "fsub", u, tsr_ll_op2(e, "fmul", s, tsr_ll_op2(e, "fsub", u, p)));
    tsr_ll_word r;
    if (base2) {
        r = mul_add(e, ln, f(e, 1.44269502f), tsr_ll_op2(e, "fmul", ln, f(e, 1.92596299e-8f)));
        r = tsr_ll_op2(e, "fadd", k, r);
    } else {
        r = mul_add(e, k, f(e, 0.693359375f), mul_add(e, k, f(e, -2.12194440e-4f), ln));
    }
    r = tsr_ll_select(e, tsr_ll_cmp(e, "fcmp olt", x, f(e, 3.40282347e38f)), r, x); /* infinity, NaN */
    r = tsr_ll_select(e, tsr_ll_cmp(e, "fcmp oeq", x, f(e, 3.40282347e38f)), f(e, base2 ? 128.0f : 88.7228394f), r);
    r = tsr_ll_select(e, tsr_ll_cmp(e, "fcmp oeq", x, f(e, 0)), tsr_ll_const(e, LL_F, 0xff800000u), r);
    return tsr_ll_select(e, tsr_ll_cmp(e, "fcmp olt", x, f(e, 0)), tsr_ll_const(e, LL_F, 0x7fc00000u), r);
}

/* x = k pi/2 + r; beyond 2^15 WGSL promises nothing. */
static tsr_ll_word emit_sin(tsr_ll *e, tsr_ll_word x, bool cosine)
{
    static const float sine[] = {2.718311494e-6f, -1.98393348e-4f, 8.33332912e-3f, -0.16666667f};
    static const float cosines[] = {2.44331571e-5f, -1.38873162e-3f, 4.16666456e-2f, -0.5f};
    tsr_ll_word y = limit(e, x, -65536, 65536), k = nearest(e, tsr_ll_op2(e, "fmul", y, f(e, 0.636619772f)));
    tsr_ll_word r = mul_add(e, k, f(e, -1.5703125f), y);
    r = mul_add(e, k, f(e, -4.8351287841796875e-4f), r);
    r = mul_add(e, k, f(e, -3.138553906232118607e-7f), r);
    r = mul_add(e, k, f(e, -6.077100506e-11f), r);
    tsr_ll_word r2 = tsr_ll_op2(e, "fmul", r, r), i = tsr_ll_op1(e, "fptosi", LL_I, k);
    if (cosine) i = tsr_ll_op2(e, "add", i, tsr_ll_u32(e, 1));
    tsr_ll_word s = mul_add(e, tsr_ll_op2(e, "fmul", r, r2), polynomial(e, r2, sine, 4), r);
    tsr_ll_word c = mul_add(e, r2, polynomial(e, r2, cosines, 4), f(e, 1));
    tsr_ll_word odd = tsr_ll_cmp(e, "icmp ne", tsr_ll_op2(e, "and", i, tsr_ll_u32(e, 1)), tsr_ll_u32(e, 0));
    tsr_ll_word sign = tsr_ll_op2(e, "shl", tsr_ll_op2(e, "and", i, tsr_ll_u32(e, 2)), tsr_ll_u32(e, 30));
    tsr_ll_word v = tsr_ll_op1(e, "bitcast", LL_I, tsr_ll_select(e, odd, c, s));
    v = tsr_ll_op1(e, "bitcast", LL_F, tsr_ll_op2(e, "xor", v, sign));
    tsr_ll_word size = tsr_ll_call(e, "llvm.fabs", &x, 1);
    tsr_ll_word finite = tsr_ll_cmp(e, "fcmp olt", size, tsr_ll_const(e, LL_F, 0x7f800000u));
    v = tsr_ll_select(e, finite, v, tsr_ll_const(e, LL_F, 0x7fc00000u));
    return cosine ? v : tsr_ll_select(e, tsr_ll_cmp(e, "fcmp oeq", x, f(e, 0)), x, v);
}

/* 1 - 2 / (e^2|x| + 1), and a polynomial where that would cancel. */
static tsr_ll_word emit_tanh(tsr_ll *e, tsr_ll_word x)
{
    static const float terms[] = {-5.70498872745e-3f, 2.06390887954e-2f, -5.37397155531e-2f, 1.33314422036e-1f,
                                  -3.33332819422e-1f};
    tsr_ll_word a = tsr_ll_call(e, "llvm.fabs", &x, 1), x2 = tsr_ll_op2(e, "fmul", x, x);
    tsr_ll_word small = mul_add(e, tsr_ll_op2(e, "fmul", x, x2), polynomial(e, x2, terms, 5), x);
    tsr_ll_word p = emit_exp(e, tsr_ll_op2(e, "fadd", a, a));
    tsr_ll_word large =
        tsr_ll_op2(e, "fsub", f(e, 1), tsr_ll_op2(e, "fdiv", f(e, 2), tsr_ll_op2(e, "fadd", p, f(e, 1))));
    tsr_ll_word args[2] = {large, x};
    return tsr_ll_select(e, tsr_ll_cmp(e, "fcmp olt", a, f(e, 0.625f)), small,
                         tsr_ll_call(e, "llvm.copysign", args, 2));
}

bool tsr_ll_math(tsr_ll *e, tsr_op op, bool half, const tsr_ll_word *a, tsr_ll_word *out)
{
    (void)half;
    switch (op) {
    case TSR_OP_exp: *out = emit_exp(e, a[0]); return true;
    case TSR_OP_exp2: *out = emit_exp2(e, a[0]); return true;
    case TSR_OP_log: *out = emit_log(e, a[0], false); return true;
    case TSR_OP_log2: *out = emit_log(e, a[0], true); return true;
    case TSR_OP_sin: *out = emit_sin(e, a[0], false); return true;
    case TSR_OP_cos: *out = emit_sin(e, a[0], true); return true;
    case TSR_OP_tanh: *out = emit_tanh(e, a[0]); return true;
    default: return false;
    }
}
