/* The functions behind ir/eval.def: one loop a row, found by op and kind. */
#include "ir/eval.h"

#include "base/compiler.h"
#include "base/number.h"
#include "ir/math.h"

#include <math.h>

#undef bool /* stdbool.h makes it a macro, and then it cannot be part of a pasted name */

typedef uint32_t TSR_MAY_ALIAS word;
typedef int32_t TSR_MAY_ALIAS word_i32;
typedef float TSR_MAY_ALIAS word_f32;
typedef int64_t TSR_MAY_ALIAS word_i64;
typedef double TSR_MAY_ALIAS word_f64;

/* How a type of eval.def lies in memory (MEM), what an expression sees of it (VAL), and the way between. dbl32 and
 * dbl16 are f32 and f16 read as f64; f16bits is a result given as the bits of an f16. */
#define MEM_bool         word
#define MEM_i32          word_i32
#define MEM_u32          word
#define MEM_f32          word_f32
#define MEM_f16          word
#define MEM_f16bits      word
#define MEM_dbl32        word_f32
#define MEM_dbl16        word
#define MEM_aint         word_i64
#define MEM_afloat       word_f64
#define VAL_bool         uint32_t
#define VAL_i32          int32_t
#define VAL_u32          uint32_t
#define VAL_f32          float
#define VAL_f16          float
#define VAL_f16bits      uint32_t
#define VAL_dbl32        double
#define VAL_dbl16        double
#define VAL_aint         int64_t
#define VAL_afloat       double
#define LOAD_bool(x)     ((x) != 0)
#define LOAD_i32(x)      (x)
#define LOAD_u32(x)      (x)
#define LOAD_f32(x)      (x)
#define LOAD_f16(x)      tsr_f16_to_f32((uint16_t)(x))
#define LOAD_dbl32(x)    ((double)(x))
#define LOAD_dbl16(x)    ((double)tsr_f16_to_f32((uint16_t)(x)))
#define LOAD_aint(x)     (x)
#define LOAD_afloat(x)   (x)
/* An expression's result in the type that the check sees ... */
#define KEEP_bool(x)     ((uint32_t)(x))
#define KEEP_i32(x)      ((int32_t)(x))
#define KEEP_u32(x)      ((uint32_t)(x))
#define KEEP_f32(x)      ((float)(x))
#define KEEP_f16(x)      tsr_f16_to_f32(tsr_f16_from_f64((double)(x)))
#define KEEP_f16bits(x)  ((uint32_t)(x))
#define KEEP_aint(x)     ((int64_t)(x))
#define KEEP_afloat(x)   ((double)(x))
/* ... and as it is stored. */
#define STORE_bool(x)    ((uint32_t)(x))
#define STORE_i32(x)     ((int32_t)(x))
#define STORE_u32(x)     ((uint32_t)(x))
#define STORE_f32(x)     ((float)(x))
#define STORE_f16(x)     tsr_f16_from_f64((double)(x))
#define STORE_f16bits(x) ((uint32_t)(x))
#define STORE_aint(x)    ((int64_t)(x))
#define STORE_afloat(x)  ((double)(x))

/* ---- What the expressions of eval.def call. */

static inline int32_t wrap_i32(uint32_t x)
{
    return x <= INT32_MAX ? (int32_t)x : (int32_t)(x - 0x80000000u) + INT32_MIN;
}

static inline int64_t wrap_i64(uint64_t x)
{
    return x <= INT64_MAX ? (int64_t)x : (int64_t)(x - 0x8000000000000000u) + INT64_MIN;
}

static unsigned check_add(int64_t a, int64_t b)
{
    return (b > 0 && a > INT64_MAX - b) || (b < 0 && a < INT64_MIN - b) ? TSR_EVAL_OVERFLOW : 0;
}

static unsigned check_sub(int64_t a, int64_t b)
{
    return (b < 0 && a > INT64_MAX + b) || (b > 0 && a < INT64_MIN + b) ? TSR_EVAL_OVERFLOW : 0;
}

static unsigned check_mul(int64_t a, int64_t b)
{
    if (a == 0 || b == 0) return 0;
    if (a == -1) return b == INT64_MIN ? TSR_EVAL_OVERFLOW : 0;
    if (b == -1) return a == INT64_MIN ? TSR_EVAL_OVERFLOW : 0;
    int64_t limit = (a < 0) == (b < 0) ? INT64_MAX : INT64_MIN;
    int fits = b > 0 ? (a > 0 ? a <= limit / b : a >= limit / b) : (a > 0 ? a <= limit / b : a >= limit / b);
    return fits ? 0 : TSR_EVAL_OVERFLOW;
}

static unsigned check_div(int64_t a, int64_t b, int64_t least)
{
    if (b == 0) return TSR_EVAL_DIV_ZERO;
    return a == least && b == -1 ? TSR_EVAL_OVERFLOW : 0;
}

/* WGSL, "Bit Expressions": the bits shifted out and the new sign bit must all be equal. */
static unsigned check_shl32(int32_t a, uint32_t b)
{
    if (b > 31) return TSR_EVAL_SHIFT;
    return b > 0 && (a >> (31 - b)) != (a < 0 ? -1 : 0) ? TSR_EVAL_SHIFT : 0;
}

static unsigned check_shl64(int64_t a, uint32_t b)
{
    if (b > 63) return a == 0 ? 0 : TSR_EVAL_SHIFT;
    return b > 0 && (a >> (63 - b)) != (a < 0 ? -1 : 0) ? TSR_EVAL_SHIFT : 0;
}

static unsigned check_bits(uint32_t offset, uint32_t count)
{
    return (uint64_t)offset + count > 32 ? TSR_EVAL_RANGE : 0;
}

static inline double clamp_float(double x, double low, double high)
{
    double raised = x < low || x != x ? low : x;
    return raised > high ? high : raised;
}

static inline double round_even(double x)
{
    const double big = 4503599627370496.0; /* 2^52: every larger f64 is an integer */
    if (!(fabs(x) < big)) return x;
    double r = x < 0 ? (x - big) + big : (x + big) - big;
    return copysign(r, x);
}

static double smoothstep(double low, double high, double x)
{
    double t = clamp_float((x - low) / (high - low), 0, 1);
    return t * t * (3 - 2 * t);
}

static double scale2(double x, int32_t e)
{
    return ldexp(x, e);
}

static inline int32_t leading_zeros(uint32_t x)
{
    int32_t n = 0;
    if (x == 0) return 32;
    if (x <= 0x0000ffffu) n += 16, x <<= 16;
    if (x <= 0x00ffffffu) n += 8, x <<= 8;
    if (x <= 0x0fffffffu) n += 4, x <<= 4;
    if (x <= 0x3fffffffu) n += 2, x <<= 2;
    return n + (x <= 0x7fffffffu);
}

static inline int32_t trailing_zeros(uint32_t x)
{
    return x == 0 ? 32 : 31 - leading_zeros(x & (0u - x));
}

static inline int32_t one_bits(uint32_t x)
{
    x -= (x >> 1) & 0x55555555u;
    x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0fu;
    return (int32_t)((x * 0x01010101u) >> 24);
}

static inline uint32_t reverse_bits(uint32_t x)
{
    x = ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
    x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
    x = ((x >> 4) & 0x0f0f0f0fu) | ((x & 0x0f0f0f0fu) << 4);
    x = ((x >> 8) & 0x00ff00ffu) | ((x & 0x00ff00ffu) << 8);
    return (x >> 16) | (x << 16);
}

/* WGSL, "extractBits": o = min(offset, 32), c = min(count, 32 - o). */
static inline uint32_t extract_bits_unsigned(uint32_t x, uint32_t offset, uint32_t count)
{
    uint32_t o = offset < 32 ? offset : 32;
    uint32_t c = count < 32 - o ? count : 32 - o;
    if (c == 0) return 0;
    return (x >> o) & (UINT32_MAX >> (32 - c));
}

static inline int32_t extract_bits_signed(int32_t x, uint32_t offset, uint32_t count)
{
    uint32_t o = offset < 32 ? offset : 32;
    uint32_t c = count < 32 - o ? count : 32 - o;
    if (c == 0) return 0;
    return wrap_i32((uint32_t)x << (32 - o - c)) >> (32 - c);
}

static inline uint32_t insert_bits(uint32_t x, uint32_t bits, uint32_t offset, uint32_t count)
{
    uint32_t o = offset < 32 ? offset : 32;
    uint32_t c = count < 32 - o ? count : 32 - o;
    if (c == 0) return x;
    uint32_t mask = (UINT32_MAX >> (32 - c)) << o;
    return (x & ~mask) | ((bits << o) & mask);
}

/* The greatest f32 values that i32 and u32 hold. */
#define F32_I32_MAX 2147483520.0f
#define F32_U32_MAX 4294967040.0f

static inline int32_t f32_to_i32(float x)
{
    if (x != x) return 0;
    return (int32_t)(x < -2147483648.0f ? -2147483648.0f : x > F32_I32_MAX ? F32_I32_MAX : x);
}

static inline uint32_t f32_to_u32(float x)
{
    if (x != x) return 0;
    return (uint32_t)(x < 0 ? 0 : x > F32_U32_MAX ? F32_U32_MAX : x);
}

static int32_t f64_to_i32(double x)
{
    if (x != x) return 0;
    return (int32_t)(x < INT32_MIN ? (double)INT32_MIN : x > INT32_MAX ? (double)INT32_MAX : x);
}

static uint32_t f64_to_u32(double x)
{
    if (x != x) return 0;
    return (uint32_t)(x < 0 ? 0 : x > UINT32_MAX ? (double)UINT32_MAX : x);
}

/* A cast of an f64 that f32 cannot hold is undefined in C. */
static float f64_to_f32(double x)
{
    const double half_above = 3.4028235677973366e38; /* halfway from the greatest f32 to 2^128 */
    if (x >= half_above) return INFINITY;
    if (x <= -half_above) return -INFINITY;
    const double greatest = 3.4028234663852886e38;
    return (float)(x > greatest ? greatest : x < -greatest ? -greatest : x);
}
#undef STORE_f32
#undef KEEP_f32
#define STORE_f32(x) _Generic((x), double : f64_to_f32((double)(x)), default : (float)(x))
#define KEEP_f32(x)  STORE_f32(x)

/* ---- One function a row. */

#define ARG(i, T) const MEM_##T *p##i = args[i]
#define EVAL_BODY(R, loads, first, expr, check)                                                                        \
    MEM_##R *out = result;                                                                                             \
    unsigned bad = 0;                                                                                                  \
    if (n == 1) {                                                                                                      \
        first;                                                                                                         \
        VAL_##R r = KEEP_##R(expr);                                                                                    \
        (void)r;                                                                                                       \
        bad = (unsigned)(check);                                                                                       \
    }                                                                                                                  \
    for (size_t i = 0; i < n; i++) {                                                                                   \
        loads;                                                                                                         \
        out[i] = (MEM_##R)STORE_##R(expr);                                                                             \
    }                                                                                                                  \
    return bad;
#define GET(x, p, T, i) VAL_##T x = LOAD_##T(p[i])
#define EVAL1(op, kind, R, A, expr, check)                                                                             \
    static unsigned eval_##op##_##kind(size_t n, const void *const *args, void *result)                                \
    {                                                                                                                  \
        ARG(0, A);                                                                                                     \
        EVAL_BODY(R, GET(a, p0, A, i), GET(a, p0, A, 0); (void)a, expr, check)                                         \
    }
#define EVAL2(op, kind, R, A, B, expr, check)                                                                          \
    static unsigned eval_##op##_##kind(size_t n, const void *const *args, void *result)                                \
    {                                                                                                                  \
        ARG(0, A);                                                                                                     \
        ARG(1, B);                                                                                                     \
        EVAL_BODY(R, GET(a, p0, A, i); GET(b, p1, B, i), GET(a, p0, A, 0); GET(b, p1, B, 0); (void)a;                  \
                  (void)b, expr, check)                                                                                \
    }
#define EVAL3(op, kind, R, A, B, C, expr, check)                                                                       \
    static unsigned eval_##op##_##kind(size_t n, const void *const *args, void *result)                                \
    {                                                                                                                  \
        ARG(0, A);                                                                                                     \
        ARG(1, B);                                                                                                     \
        ARG(2, C);                                                                                                     \
        EVAL_BODY(R, GET(a, p0, A, i); GET(b, p1, B, i); GET(c, p2, C, i), GET(a, p0, A, 0); GET(b, p1, B, 0);         \
                  GET(c, p2, C, 0); (void)a; (void)b; (void)c, expr, check)                                            \
    }
#define EVAL4(op, kind, R, A, B, C, D, expr, check)                                                                    \
    static unsigned eval_##op##_##kind(size_t n, const void *const *args, void *result)                                \
    {                                                                                                                  \
        ARG(0, A);                                                                                                     \
        ARG(1, B);                                                                                                     \
        ARG(2, C);                                                                                                     \
        ARG(3, D);                                                                                                     \
        EVAL_BODY(R, GET(a, p0, A, i); GET(b, p1, B, i); GET(c, p2, C, i); GET(d, p3, D, i), GET(a, p0, A, 0);         \
                  GET(b, p1, B, 0); GET(c, p2, C, 0); GET(d, p3, D, 0); (void)a; (void)b; (void)c;                     \
                  (void)d, expr, check)                                                                                \
    }
#define CONVERT(from, to, R, A, expr, check) EVAL1(convert_to_##to, from, R, A, expr, check)
#include "ir/eval.def"

tsr_eval_fn tsr_eval_find(tsr_op op, tsr_type_kind kind)
{
    static const tsr_eval_fn table[TSR_OP_COUNT][TSR_T_afloat + 1] = {
#define EVAL1(o, k, R, A, expr, check)          [TSR_OP_##o][TSR_T_##k] = eval_##o##_##k,
#define EVAL2(o, k, R, A, B, expr, check)       [TSR_OP_##o][TSR_T_##k] = eval_##o##_##k,
#define EVAL3(o, k, R, A, B, C, expr, check)    [TSR_OP_##o][TSR_T_##k] = eval_##o##_##k,
#define EVAL4(o, k, R, A, B, C, D, expr, check) [TSR_OP_##o][TSR_T_##k] = eval_##o##_##k,
#define CONVERT(from, to, R, A, expr, check)
#include "ir/eval.def"
    };
    return op < TSR_OP_COUNT && kind <= TSR_T_afloat ? table[op][kind] : NULL;
}

tsr_eval_fn tsr_eval_convert(tsr_type_kind from, tsr_type_kind to)
{
    static const tsr_eval_fn table[TSR_T_afloat + 1][TSR_T_afloat + 1] = {
#define EVAL1(o, k, R, A, expr, check)
#define EVAL2(o, k, R, A, B, expr, check)
#define EVAL3(o, k, R, A, B, C, expr, check)
#define EVAL4(o, k, R, A, B, C, D, expr, check)
#define CONVERT(from, to, R, A, expr, check) [TSR_T_##from][TSR_T_##to] = eval_convert_to_##to##_##from,
#include "ir/eval.def"
    };
    return from <= TSR_T_afloat && to <= TSR_T_afloat ? table[from][to] : NULL;
}
