/* The ops that work on whole vectors and matrices (dot, mat_mul, cross, frexp, pack4x8snorm ...). Those of linear
 * algebra are written with the component ops of eval.def, a row of values at a time, so each step rounds as that op
 * does. */
#include "ir/eval.h"

#include "base/compiler.h"
#include "base/number.h"
#include "ir/math.h"

#include <math.h>
#include <string.h>

/* Rows are handled in pieces of this many values, so that temporaries fit the stack. */
#define PIECE 64

typedef uint32_t TSR_MAY_ALIAS word;
typedef float TSR_MAY_ALIAS word_f32;
typedef int64_t TSR_MAY_ALIAS word_i64;
typedef double TSR_MAY_ALIAS word_f64;

typedef union row {
    uint64_t align;
    unsigned char bytes[PIECE * 8];
} row;

/* One call, looking at values [at, at + count) of n. */
typedef struct wide {
    const tsr_types *types;
    tsr_type result_type;
    const tsr_type *arg_types;
    const void *const *args;
    void *result;
    size_t n, at, count;
    tsr_type_kind kind; /* of operand 0's scalar */
    size_t word_bytes;
    unsigned bad;
} wide;

static const void *arg_row(const wide *w, unsigned arg, unsigned component)
{
    return (const unsigned char *)w->args[arg] + (component * w->n + w->at) * w->word_bytes;
}

static void *result_row(const wide *w, unsigned component)
{
    return (unsigned char *)w->result + (component * w->n + w->at) * w->word_bytes;
}

static unsigned arg_width(const wide *w, unsigned arg)
{
    return tsr_type_width(w->types, w->arg_types[arg]);
}

static void apply(wide *w, tsr_op op, void *r, const void *a, const void *b)
{
    const void *args[2] = {a, b};
    unsigned bad = tsr_eval_find(op, w->kind)(w->count, args, r);
    if (w->n == 1) w->bad |= bad;
}

static void copy_row(const wide *w, void *r, const void *a)
{
    memcpy(r, a, w->count * w->word_bytes);
}

/* Every value of the row becomes x (floating-point kinds only). */
static void fill_row(const wide *w, row *r, double x)
{
    for (size_t i = 0; i < w->count; i++) {
        if (w->kind == TSR_T_afloat)
            ((word_f64 *)r->bytes)[i] = x;
        else if (w->kind == TSR_T_f32)
            ((word_f32 *)r->bytes)[i] = (float)x;
        else
            ((word *)r->bytes)[i] = tsr_f16_from_f64(x);
    }
}

/* ---- Linear algebra. */

static void dot_rows(wide *w, void *r, unsigned a, unsigned b)
{
    row product;
    apply(w, TSR_OP_mul, r, arg_row(w, a, 0), arg_row(w, b, 0));
    for (unsigned c = 1; c < arg_width(w, a); c++) {
        apply(w, TSR_OP_mul, &product, arg_row(w, a, c), arg_row(w, b, c));
        apply(w, TSR_OP_add, r, r, &product);
    }
}

static void eval_dot(wide *w)
{
    dot_rows(w, result_row(w, 0), 0, 1);
}

static void eval_length(wide *w)
{
    row sum;
    if (arg_width(w, 0) == 1) {
        apply(w, TSR_OP_abs, result_row(w, 0), arg_row(w, 0, 0), NULL);
        return;
    }
    dot_rows(w, &sum, 0, 0);
    apply(w, TSR_OP_sqrt, result_row(w, 0), &sum, NULL);
}

static void eval_distance(wide *w)
{
    row difference, square, sum;
    unsigned width = arg_width(w, 0);
    for (unsigned c = 0; c < width; c++) {
        apply(w, TSR_OP_sub, &difference, arg_row(w, 0, c), arg_row(w, 1, c));
        if (width == 1) {
            apply(w, TSR_OP_abs, result_row(w, 0), &difference, NULL);
            return;
        }
        apply(w, TSR_OP_mul, &square, &difference, &difference);
        if (c == 0)
            copy_row(w, &sum, &square);
        else
            apply(w, TSR_OP_add, &sum, &sum, &square);
    }
    apply(w, TSR_OP_sqrt, result_row(w, 0), &sum, NULL);
}

static void eval_normalize(wide *w)
{
    row sum, length;
    dot_rows(w, &sum, 0, 0);
    apply(w, TSR_OP_sqrt, &length, &sum, NULL);
    for (unsigned c = 0; c < arg_width(w, 0); c++)
        apply(w, TSR_OP_div, result_row(w, c), arg_row(w, 0, c), &length);
    if (w->bad) w->bad = TSR_EVAL_DOMAIN;
}

static void eval_cross(wide *w)
{
    row p, q;
    for (unsigned c = 0; c < 3; c++) {
        unsigned i = (c + 1) % 3, j = (c + 2) % 3;
        apply(w, TSR_OP_mul, &p, arg_row(w, 0, i), arg_row(w, 1, j));
        apply(w, TSR_OP_mul, &q, arg_row(w, 0, j), arg_row(w, 1, i));
        apply(w, TSR_OP_sub, result_row(w, c), &p, &q);
    }
}

static void eval_face_forward(wide *w)
{
    row d, zero, negative, less;
    dot_rows(w, &d, 1, 2);
    fill_row(w, &zero, 0);
    apply(w, TSR_OP_lt, &less, &d, &zero);
    tsr_eval_fn choose = tsr_eval_find(TSR_OP_select, w->kind);
    for (unsigned c = 0; c < arg_width(w, 0); c++) {
        apply(w, TSR_OP_neg, &negative, arg_row(w, 0, c), NULL);
        const void *args[3] = {&negative, arg_row(w, 0, c), &less};
        choose(w->count, args, result_row(w, c));
    }
}

static void eval_reflect(wide *w)
{
    row d, two, part;
    dot_rows(w, &d, 1, 0);
    fill_row(w, &two, 2);
    apply(w, TSR_OP_mul, &d, &two, &d);
    for (unsigned c = 0; c < arg_width(w, 0); c++) {
        apply(w, TSR_OP_mul, &part, &d, arg_row(w, 1, c));
        apply(w, TSR_OP_sub, result_row(w, c), arg_row(w, 0, c), &part);
    }
}

/* k = 1 - c^2 (1 - d^2), d = dot(b, a); zero when k < 0, else c a - (c d + sqrt(k)) b. */
static void eval_refract(wide *w)
{
    row d, one, k, zero, absent, scale, part, other;
    const void *ratio = arg_row(w, 2, 0);
    dot_rows(w, &d, 1, 0);
    fill_row(w, &one, 1);
    fill_row(w, &zero, 0);
    apply(w, TSR_OP_mul, &k, &d, &d);
    apply(w, TSR_OP_sub, &k, &one, &k);
    apply(w, TSR_OP_mul, &k, ratio, &k);
    apply(w, TSR_OP_mul, &k, ratio, &k);
    apply(w, TSR_OP_sub, &k, &one, &k);
    apply(w, TSR_OP_lt, &absent, &k, &zero);
    if (w->count == 1 && *(const word *)absent.bytes != 0) { /* a constant: what is not computed cannot overflow */
        for (unsigned c = 0; c < arg_width(w, 0); c++)
            copy_row(w, result_row(w, c), &zero);
        return;
    }
    apply(w, TSR_OP_max, &k, &k, &zero);
    apply(w, TSR_OP_sqrt, &k, &k, NULL);
    apply(w, TSR_OP_mul, &scale, ratio, &d);
    apply(w, TSR_OP_add, &scale, &scale, &k);
    tsr_eval_fn choose = tsr_eval_find(TSR_OP_select, w->kind);
    for (unsigned c = 0; c < arg_width(w, 0); c++) {
        apply(w, TSR_OP_mul, &part, ratio, arg_row(w, 0, c));
        apply(w, TSR_OP_mul, &other, &scale, arg_row(w, 1, c));
        apply(w, TSR_OP_sub, &part, &part, &other);
        const void *args[3] = {&part, &zero, &absent};
        choose(w->count, args, result_row(w, c));
    }
}

/* Columns and rows of an operand as a matrix: a vec is one column on the right of a product, one row on the left. */
static void matrix_size(const wide *w, unsigned arg, unsigned *columns, unsigned *rows)
{
    const tsr_type_info *t = tsr_type_get(w->types, w->arg_types[arg]);
    bool is_mat = t->kind == TSR_T_mat;
    *columns = is_mat ? t->count : arg == 0 ? t->count : 1;
    *rows = is_mat ? t->rows : arg == 0 ? 1 : t->count;
}

static void eval_mat_mul(wide *w)
{
    row product;
    unsigned inner, rows, columns, inner_b;
    matrix_size(w, 0, &inner, &rows);
    matrix_size(w, 1, &columns, &inner_b);
    for (unsigned c = 0; c < columns; c++) {
        for (unsigned r = 0; r < rows; r++) {
            void *out = result_row(w, c * rows + r);
            apply(w, TSR_OP_mul, out, arg_row(w, 0, r), arg_row(w, 1, c * inner_b));
            for (unsigned k = 1; k < inner; k++) {
                apply(w, TSR_OP_mul, &product, arg_row(w, 0, k * rows + r), arg_row(w, 1, c * inner_b + k));
                apply(w, TSR_OP_add, out, out, &product);
            }
        }
    }
}

static void eval_mat_scale(wide *w)
{
    for (unsigned c = 0; c < arg_width(w, 0); c++)
        apply(w, TSR_OP_mul, result_row(w, c), arg_row(w, 0, c), arg_row(w, 1, 0));
}

static void eval_mat_add(wide *w)
{
    for (unsigned c = 0; c < arg_width(w, 0); c++)
        apply(w, TSR_OP_add, result_row(w, c), arg_row(w, 0, c), arg_row(w, 1, c));
}

static void eval_mat_sub(wide *w)
{
    for (unsigned c = 0; c < arg_width(w, 0); c++)
        apply(w, TSR_OP_sub, result_row(w, c), arg_row(w, 0, c), arg_row(w, 1, c));
}

static void eval_transpose(wide *w)
{
    const tsr_type_info *t = tsr_type_get(w->types, w->arg_types[0]);
    for (unsigned c = 0; c < t->count; c++)
        for (unsigned r = 0; r < t->rows; r++)
            copy_row(w, result_row(w, r * t->count + c), arg_row(w, 0, c * t->rows + r));
}

/* Of the square matrix that rows `from`.. and the columns of the mask make, by expansion along its first row. */
static void determinant_rows(wide *w, void *out, unsigned from, unsigned columns, unsigned size)
{
    row part, minor;
    bool first = true, minus = false;
    for (unsigned c = 0; c < size; c++) {
        if (!(columns >> c & 1u)) continue;
        const void *element = arg_row(w, 0, c * size + from);
        if (from + 1 == size) {
            copy_row(w, out, element);
            return;
        }
        determinant_rows(w, &minor, from + 1, columns & ~(1u << c), size);
        apply(w, TSR_OP_mul, &part, element, &minor);
        if (first)
            copy_row(w, out, &part);
        else
            apply(w, minus ? TSR_OP_sub : TSR_OP_add, out, out, &part);
        first = false;
        minus = !minus;
    }
}

static void eval_determinant(wide *w)
{
    unsigned size = tsr_type_get(w->types, w->arg_types[0])->count;
    determinant_rows(w, result_row(w, 0), 0, (1u << size) - 1, size);
}

/* ---- bool. */

static void eval_any(wide *w)
{
    word *out = result_row(w, 0);
    copy_row(w, out, arg_row(w, 0, 0));
    for (unsigned c = 1; c < arg_width(w, 0); c++) {
        const word *x = arg_row(w, 0, c);
        for (size_t i = 0; i < w->count; i++)
            out[i] |= x[i];
    }
}

static void eval_all(wide *w)
{
    word *out = result_row(w, 0);
    copy_row(w, out, arg_row(w, 0, 0));
    for (unsigned c = 1; c < arg_width(w, 0); c++) {
        const word *x = arg_row(w, 0, c);
        for (size_t i = 0; i < w->count; i++)
            out[i] &= x[i];
    }
}

/* ---- Splitting floats. */

static double load_float(const wide *w, const void *r, size_t i)
{
    if (w->kind == TSR_T_afloat) return ((const word_f64 *)r)[i];
    if (w->kind == TSR_T_f32) return ((const word_f32 *)r)[i];
    return tsr_f16_to_f32((uint16_t)((const word *)r)[i]);
}

static void store_float(const wide *w, void *r, size_t i, double x)
{
    if (w->kind == TSR_T_afloat)
        ((word_f64 *)r)[i] = x;
    else if (w->kind == TSR_T_f32)
        ((word_f32 *)r)[i] = (float)x;
    else
        ((word *)r)[i] = tsr_f16_from_f64(x);
}

static void eval_frexp(wide *w)
{
    unsigned width = arg_width(w, 0);
    for (unsigned c = 0; c < width; c++) {
        const void *x = arg_row(w, 0, c);
        for (size_t i = 0; i < w->count; i++) {
            int e = 0;
            double value = load_float(w, x, i), f = isfinite(value) ? frexp(value, &e) : value;
            store_float(w, result_row(w, c), i, f);
            void *out = result_row(w, width + c);
            if (w->kind == TSR_T_afloat)
                ((word_i64 *)out)[i] = e;
            else
                ((word *)out)[i] = (uint32_t)e;
        }
    }
}

static void eval_modf(wide *w)
{
    unsigned width = arg_width(w, 0);
    for (unsigned c = 0; c < width; c++) {
        const void *x = arg_row(w, 0, c);
        for (size_t i = 0; i < w->count; i++) {
            double value = load_float(w, x, i), whole = trunc(value);
            store_float(w, result_row(w, c), i, isinf(value) ? copysign(0, value) : value - whole);
            store_float(w, result_row(w, width + c), i, whole);
        }
    }
}

/* ---- Bits. */

/* How many bits a scalar of this kind has in memory. */
static unsigned kind_bits(tsr_type_kind kind)
{
    return kind == TSR_T_f16 ? 16 : 32;
}

static bool is_finite_bits(tsr_type_kind kind, uint32_t bits)
{
    if (kind == TSR_T_f32) return (bits & 0x7f800000u) != 0x7f800000u;
    if (kind == TSR_T_f16) return (bits & 0x7c00u) != 0x7c00u;
    return true;
}

/* The same bits, low component first; a constant must not become NaN or infinity. AbstractInt has its low 32 bits. */
static void eval_bitcast(wide *w)
{
    tsr_type_kind to = (tsr_type_kind)tsr_type_scalar(w->types, w->result_type);
    unsigned from_bits = kind_bits(w->kind), to_bits = kind_bits(to);
    unsigned width = tsr_type_width(w->types, w->result_type);
    for (size_t i = 0; i < w->count; i++) {
        for (unsigned c = 0; c < width; c++) {
            unsigned bit = c * to_bits;
            uint32_t x = (uint32_t)((const word *)w->args[0])[bit / from_bits * w->n + w->at + i] >> bit % from_bits;
            if (to_bits > from_bits) x |= ((const word *)w->args[0])[(bit / from_bits + 1) * w->n + w->at + i] << 16;
            if (to_bits == 16) x &= 0xffffu;
            ((word *)w->result)[c * w->n + w->at + i] = x;
            if (w->n == 1 && !is_finite_bits(to, x)) w->bad |= TSR_EVAL_OVERFLOW;
        }
    }
}

/* WGSL, "Data Packing Built-in Functions": round(clamp(x) * scale), halves to even. */
static uint32_t pack_norm(float x, float low, float scale)
{
    double clamped = x != x ? low : x < low ? low : x > 1 ? 1 : x;
    double scaled = clamped * scale, down = floor(scaled), rest = scaled - down;
    double r = rest > 0.5 || (rest == 0.5 && fmod(down, 2) != 0) ? down + 1 : down;
    return (uint32_t)(int32_t)r;
}

static uint32_t pack_one(wide *w, tsr_op op, uint32_t bits)
{
    int32_t s = (int32_t)bits;
    switch (op) {
    case TSR_OP_pack4x8snorm: return pack_norm(tsr_f32_from_bits(bits), -1, 127);
    case TSR_OP_pack4x8unorm: return pack_norm(tsr_f32_from_bits(bits), 0, 255);
    case TSR_OP_pack2x16snorm: return pack_norm(tsr_f32_from_bits(bits), -1, 32767);
    case TSR_OP_pack2x16unorm: return pack_norm(tsr_f32_from_bits(bits), 0, 65535);
    case TSR_OP_pack4xi8_clamp: return (uint32_t)(s < -128 ? -128 : s > 127 ? 127 : s);
    case TSR_OP_pack4xu8_clamp: return bits > 255 ? 255 : bits;
    case TSR_OP_pack2x16float: {
        uint16_t half = tsr_f16_from_f32(tsr_f32_from_bits(bits));
        if (w->n == 1 && !is_finite_bits(TSR_T_f16, half)) w->bad |= TSR_EVAL_RANGE;
        return half;
    }
    default: return bits; /* pack4xi8, pack4xu8: the low bits */
    }
}

static void pack_rows(wide *w, tsr_op op, unsigned bits)
{
    uint32_t mask = bits == 8 ? 0xffu : 0xffffu;
    word *out = result_row(w, 0);
    for (size_t i = 0; i < w->count; i++) {
        uint32_t packed = 0;
        for (unsigned c = 0; c < 32 / bits; c++)
            packed |= (pack_one(w, op, ((const word *)arg_row(w, 0, c))[i]) & mask) << c * bits;
        out[i] = packed;
    }
}

static uint32_t unpack_one(tsr_op op, uint32_t x)
{
    int32_t s8 = (int32_t)(x ^ 0x80u) - 0x80, s16 = (int32_t)(x ^ 0x8000u) - 0x8000;
    switch (op) {
    case TSR_OP_unpack4x8snorm: return tsr_bits_from_f32(s8 < -127 ? -1.0f : (float)s8 / 127.0f);
    case TSR_OP_unpack4x8unorm: return tsr_bits_from_f32((float)x / 255.0f);
    case TSR_OP_unpack2x16snorm: return tsr_bits_from_f32(s16 < -32767 ? -1.0f : (float)s16 / 32767.0f);
    case TSR_OP_unpack2x16unorm: return tsr_bits_from_f32((float)x / 65535.0f);
    case TSR_OP_unpack2x16float: return tsr_bits_from_f32(tsr_f16_to_f32((uint16_t)x));
    case TSR_OP_unpack4xi8: return (uint32_t)s8;
    default: return x; /* unpack4xu8 */
    }
}

static void unpack_rows(wide *w, tsr_op op, unsigned bits)
{
    uint32_t mask = bits == 8 ? 0xffu : 0xffffu;
    const word *x = arg_row(w, 0, 0);
    for (unsigned c = 0; c < 32 / bits; c++) {
        word *out = result_row(w, c);
        for (size_t i = 0; i < w->count; i++)
            out[i] = unpack_one(op, x[i] >> c * bits & mask);
    }
}

#define PACKING(op, how, bits)                                                                                         \
    static void eval_##op(wide *w)                                                                                     \
    {                                                                                                                  \
        how##_rows(w, TSR_OP_##op, bits);                                                                              \
    }
PACKING(pack4x8snorm, pack, 8)
PACKING(pack4x8unorm, pack, 8)
PACKING(pack4xi8, pack, 8)
PACKING(pack4xu8, pack, 8)
PACKING(pack4xi8_clamp, pack, 8)
PACKING(pack4xu8_clamp, pack, 8)
PACKING(pack2x16snorm, pack, 16)
PACKING(pack2x16unorm, pack, 16)
PACKING(pack2x16float, pack, 16)
PACKING(unpack4x8snorm, unpack, 8)
PACKING(unpack4x8unorm, unpack, 8)
PACKING(unpack4xi8, unpack, 8)
PACKING(unpack4xu8, unpack, 8)
PACKING(unpack2x16snorm, unpack, 16)
PACKING(unpack2x16unorm, unpack, 16)
PACKING(unpack2x16float, unpack, 16)

static void eval_dot4_u8(wide *w)
{
    const word *a = arg_row(w, 0, 0), *b = arg_row(w, 1, 0);
    word *out = result_row(w, 0);
    for (size_t i = 0; i < w->count; i++) {
        uint32_t x = a[i], y = b[i], sum = 0;
        for (unsigned c = 0; c < 32; c += 8)
            sum += (x >> c & 0xff) * (y >> c & 0xff);
        out[i] = sum;
    }
}

static void eval_dot4_i8(wide *w)
{
    const word *a = arg_row(w, 0, 0), *b = arg_row(w, 1, 0);
    word *out = result_row(w, 0);
    for (size_t i = 0; i < w->count; i++) {
        uint32_t x = a[i], y = b[i];
        int32_t sum = 0;
        for (unsigned c = 0; c < 32; c += 8)
            sum += ((int32_t)((x >> c & 0xff) ^ 0x80) - 0x80) * ((int32_t)((y >> c & 0xff) ^ 0x80) - 0x80);
        out[i] = (uint32_t)sum;
    }
}

/* ---- The table. */

/* The formatter moves these lines at every turn. */
/* clang-format off */
#define WIDE_OPS(X) \
    X(any) X(all) X(bitcast) X(dot) X(mat_mul) X(mat_scale) X(mat_add) X(mat_sub) X(transpose) X(determinant) \
    X(frexp) X(modf) X(length) X(distance) X(normalize) X(cross) X(face_forward) X(reflect) X(refract) \
    X(pack4x8snorm) X(pack4x8unorm) X(pack4xi8) X(pack4xu8) X(pack4xi8_clamp) X(pack4xu8_clamp) X(pack2x16snorm) \
    X(pack2x16unorm) X(pack2x16float) X(unpack4x8snorm) X(unpack4x8unorm) X(unpack4xi8) X(unpack4xu8) \
    X(unpack2x16snorm) X(unpack2x16unorm) X(unpack2x16float) X(dot4_u8) X(dot4_i8)
/* clang-format on */

static unsigned run_pieces(void (*step)(wide *), const tsr_types *t, tsr_type result_type, const tsr_type *arg_types,
                           size_t n, const void *const *args, void *result)
{
    tsr_type scalar = tsr_type_scalar(t, arg_types[0]);
    wide w = {.types = t, .result_type = result_type, .arg_types = arg_types, .args = args, .result = result, .n = n};
    w.kind = (tsr_type_kind)scalar;
    w.word_bytes = w.kind == TSR_T_aint || w.kind == TSR_T_afloat ? 8 : 4;
    for (w.at = 0; w.at < n; w.at += PIECE) {
        w.count = n - w.at < PIECE ? n - w.at : PIECE;
        step(&w);
    }
    return w.bad;
}

#define RUN(op)                                                                                                        \
    static unsigned run_##op(const tsr_types *t, tsr_type result_type, const tsr_type *arg_types, size_t n,            \
                             const void *const *args, void *result)                                                    \
    {                                                                                                                  \
        return run_pieces(eval_##op, t, result_type, arg_types, n, args, result);                                      \
    }
WIDE_OPS(RUN)

tsr_eval_wide_fn tsr_eval_find_wide(tsr_op op)
{
    static const tsr_eval_wide_fn table[TSR_OP_COUNT] = {
#define ROW(op) [TSR_OP_##op] = run_##op,
        WIDE_OPS(ROW)};
    return op < TSR_OP_COUNT ? table[op] : NULL;
}
