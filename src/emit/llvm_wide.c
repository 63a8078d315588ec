/* Ops on whole vectors and matrices, written with the ops on components as src/ir/eval_wide.c is, and values made of
 * parts of values. */
#include "emit/llvm_inside.h"

typedef struct wide {
    tsr_ll *e;
    tsr_id id;
    tsr_ll_value a, b, c, r;
    tsr_type_kind kind; /* of the scalars */
} wide;

static tsr_ll_word apply2(const wide *w, tsr_op op, tsr_ll_word a, tsr_ll_word b)
{
    tsr_ll_word args[2] = {a, b};
    return tsr_ll_comps(w->e, op, w->kind, args, 2);
}

static tsr_ll_word apply1(const wide *w, tsr_op op, tsr_ll_word a)
{
    return tsr_ll_comps(w->e, op, w->kind, &a, 1);
}

static tsr_ll_word number(const wide *w, float x)
{
    uint32_t half = x == 0 ? 0 : x == 1 ? 0x3c00 : 0x4000;
    return w->kind == TSR_T_f16 ? tsr_ll_const(w->e, LL_H, half) : tsr_ll_f32(w->e, x);
}

static tsr_ll_word dot(const wide *w, const tsr_ll_value *a, const tsr_ll_value *b)
{
    tsr_ll_word sum = apply2(w, TSR_OP_mul, a->words[0], b->words[0]);
    for (uint32_t c = 1; c < a->count; c++)
        sum = apply2(w, TSR_OP_add, sum, apply2(w, TSR_OP_mul, a->words[c], b->words[c]));
    return sum;
}

static tsr_ll_word length(const wide *w, const tsr_ll_value *a)
{
    return a->count == 1 ? apply1(w, TSR_OP_abs, a->words[0]) : apply1(w, TSR_OP_sqrt, dot(w, a, a));
}

static void emit_distance(wide *w)
{
    tsr_ll_value d = tsr_ll_make(w->e, w->a.count);
    for (uint32_t c = 0; c < d.count; c++)
        d.words[c] = apply2(w, TSR_OP_sub, w->a.words[c], w->b.words[c]);
    w->r.words[0] = length(w, &d);
}

static void emit_cross(wide *w)
{
    for (uint32_t c = 0; c < 3; c++) {
        uint32_t i = (c + 1) % 3, j = (c + 2) % 3;
        w->r.words[c] = apply2(w, TSR_OP_sub, apply2(w, TSR_OP_mul, w->a.words[i], w->b.words[j]),
                               apply2(w, TSR_OP_mul, w->a.words[j], w->b.words[i]));
    }
}

static void emit_face_forward(wide *w)
{
    tsr_ll_word less = apply2(w, TSR_OP_lt, dot(w, &w->b, &w->c), number(w, 0));
    for (uint32_t c = 0; c < w->r.count; c++)
        w->r.words[c] = tsr_ll_select(w->e, less, w->a.words[c], apply1(w, TSR_OP_neg, w->a.words[c]));
}

static void emit_reflect(wide *w)
{
    tsr_ll_word d = apply2(w, TSR_OP_mul, number(w, 2), dot(w, &w->b, &w->a));
    for (uint32_t c = 0; c < w->r.count; c++)
        w->r.words[c] = apply2(w, TSR_OP_sub, w->a.words[c], apply2(w, TSR_OP_mul, d, w->b.words[c]));
}

static void emit_refract(wide *w)
{
    tsr_ll_word ratio = w->c.words[0], one = number(w, 1), zero = number(w, 0), d = dot(w, &w->b, &w->a);
    tsr_ll_word k = apply2(w, TSR_OP_sub, one, apply2(w, TSR_OP_mul, d, d));
    k = apply2(w, TSR_OP_mul, ratio, apply2(w, TSR_OP_mul, ratio, k));
    k = apply2(w, TSR_OP_sub, one, k);
    tsr_ll_word absent = apply2(w, TSR_OP_lt, k, zero);
    k = apply1(w, TSR_OP_sqrt, apply2(w, TSR_OP_max, k, zero));
    tsr_ll_word scale = apply2(w, TSR_OP_add, apply2(w, TSR_OP_mul, ratio, d), k);
    for (uint32_t c = 0; c < w->r.count; c++) {
        tsr_ll_word x = apply2(w, TSR_OP_sub, apply2(w, TSR_OP_mul, ratio, w->a.words[c]),
                               apply2(w, TSR_OP_mul, scale, w->b.words[c]));
        w->r.words[c] = tsr_ll_select(w->e, absent, zero, x);
    }
}

/* A vec is one column on the right of a product, one row on the left. */
static void matrix_size(const wide *w, uint32_t arg, uint32_t *columns, uint32_t *rows)
{
    const tsr_type_info *t = tsr_type_get(w->e->types, tsr_ll_inst(w->e, tsr_ll_arg(w->e, w->id, arg))->type);
    bool is_mat = t->kind == TSR_T_mat;
    *columns = is_mat ? t->count : arg == 0 ? t->count : 1;
    *rows = is_mat ? t->rows : arg == 0 ? 1 : t->count;
}

static void emit_mat_mul(wide *w)
{
    uint32_t inner, rows, columns, inner_b;
    matrix_size(w, 0, &inner, &rows);
    matrix_size(w, 1, &columns, &inner_b);
    for (uint32_t c = 0; c < columns; c++)
        for (uint32_t r = 0; r < rows; r++) {
            tsr_ll_word sum = apply2(w, TSR_OP_mul, w->a.words[r], w->b.words[c * inner_b]);
            for (uint32_t k = 1; k < inner; k++)
                sum = apply2(w, TSR_OP_add, sum,
                             apply2(w, TSR_OP_mul, w->a.words[k * rows + r], w->b.words[c * inner_b + k]));
            w->r.words[c * rows + r] = sum;
        }
}

static tsr_ll_word determinant(const wide *w, uint32_t from, uint32_t columns, uint32_t size)
{
    tsr_ll_word sum = w->a.words[0];
    bool first = true, minus = false;
    for (uint32_t c = 0; c < size; c++) {
        if (!(columns >> c & 1u)) continue;
        tsr_ll_word element = w->a.words[c * size + from];
        if (from + 1 == size) return element;
        tsr_ll_word part = apply2(w, TSR_OP_mul, element, determinant(w, from + 1, columns & ~(1u << c), size));
        sum = first ? part : apply2(w, minus ? TSR_OP_sub : TSR_OP_add, sum, part);
        first = false;
        minus = !minus;
    }
    return sum;
}

static void emit_transpose(wide *w)
{
    const tsr_type_info *t = tsr_type_get(w->e->types, tsr_ll_inst(w->e, tsr_ll_arg(w->e, w->id, 0))->type);
    for (uint32_t c = 0; c < t->count; c++)
        for (uint32_t r = 0; r < t->rows; r++)
            w->r.words[r * t->count + c] = w->a.words[c * t->rows + r];
}

static void emit_each(wide *w, tsr_op op, bool scalar)
{
    for (uint32_t c = 0; c < w->r.count; c++)
        w->r.words[c] = apply2(w, op, w->a.words[c], w->b.words[scalar ? 0 : c]);
}

/* ---- Splitting floats. */

static void emit_modf(wide *w)
{
    tsr_ll *e = w->e;
    for (uint32_t c = 0; c < w->a.count; c++) {
        tsr_ll_word x = w->a.words[c], whole = apply1(w, TSR_OP_trunc, x);
        tsr_ll_word size = apply1(w, TSR_OP_abs, x);
        tsr_ll_word infinity = w->kind == TSR_T_f16 ? tsr_ll_const(e, LL_H, 0x7c00) : tsr_ll_const(e, LL_F, 0x7f800000);
        tsr_ll_word is_infinite = apply2(w, TSR_OP_eq, size, infinity);
        tsr_ll_word sign =
            w->kind == TSR_T_f16
                ? tsr_ll_op2(e, "and", x, tsr_ll_const(e, LL_H, 0x8000))
                : tsr_ll_from_bits(e, tsr_ll_op2(e, "and", tsr_ll_to_bits(e, x), tsr_ll_u32(e, 0x80000000u)), LL_F);
        w->r.words[c] = tsr_ll_select(e, is_infinite, sign, apply2(w, TSR_OP_sub, x, whole));
        w->r.words[w->a.count + c] = whole;
    }
}

/* a = f * 2^exp with 0.5 <= |f| < 1, in f32: subnormals are scaled first. */
static void emit_frexp(wide *w)
{
    tsr_ll *e = w->e;
    for (uint32_t c = 0; c < w->a.count; c++) {
        tsr_ll_word x = w->a.words[c];
        if (w->kind == TSR_T_f16) x = tsr_ll_half_to_float(e, x);
        tsr_ll_word bits = tsr_ll_to_bits(e, x), mag = tsr_ll_op2(e, "and", bits, tsr_ll_u32(e, 0x7fffffffu));
        tsr_ll_word small = tsr_ll_cmp(e, "icmp ult", mag, tsr_ll_u32(e, 0x00800000u));
        tsr_ll_word scaled = tsr_ll_to_bits(e, tsr_ll_op2(e, "fmul", x, tsr_ll_f32(e, 0x1p24f)));
        tsr_ll_word b = tsr_ll_select(e, small, scaled, bits);
        tsr_ll_word exponent = tsr_ll_op2(e, "and", tsr_ll_op2(e, "lshr", b, tsr_ll_u32(e, 23)), tsr_ll_u32(e, 255));
        exponent = tsr_ll_op2(e, "sub", exponent, tsr_ll_select(e, small, tsr_ll_u32(e, 150), tsr_ll_u32(e, 126)));
        tsr_ll_word f =
            tsr_ll_op2(e, "or", tsr_ll_op2(e, "and", b, tsr_ll_u32(e, 0x807fffffu)), tsr_ll_u32(e, 0x3f000000u));
        tsr_ll_word special = tsr_ll_op2(e, "or", tsr_ll_cmp(e, "icmp eq", mag, tsr_ll_u32(e, 0)),
                                         tsr_ll_cmp(e, "icmp uge", mag, tsr_ll_u32(e, 0x7f800000u)));
        tsr_ll_word fraction = tsr_ll_select(e, special, x, tsr_ll_from_bits(e, f, LL_F));
        w->r.words[c] = w->kind == TSR_T_f16 ? tsr_ll_float_to_half(e, fraction) : fraction;
        w->r.words[w->a.count + c] = tsr_ll_select(e, special, tsr_ll_u32(e, 0), exponent);
    }
}

/* ---- Packing. */

static tsr_ll_word mask_shift(tsr_ll *e, tsr_ll_word x, uint32_t c, uint32_t bits)
{
    tsr_ll_word low = tsr_ll_op2(e, "and", x, tsr_ll_u32(e, bits == 8 ? 0xff : 0xffff));
    return c ? tsr_ll_op2(e, "shl", low, tsr_ll_u32(e, c * bits)) : low;
}

static tsr_ll_word pack_norm(tsr_ll *e, tsr_ll_word x, float low, float scale)
{
    tsr_ll_word under =
        tsr_ll_op2(e, "or", tsr_ll_cmp(e, "fcmp olt", x, tsr_ll_f32(e, low)), tsr_ll_cmp(e, "fcmp uno", x, x));
    tsr_ll_word y = tsr_ll_select(e, under, tsr_ll_f32(e, low), x);
    y = tsr_ll_select(e, tsr_ll_cmp(e, "fcmp ogt", y, tsr_ll_f32(e, 1)), tsr_ll_f32(e, 1), y);
    tsr_ll_word scaled = tsr_ll_op2(e, "fmul", tsr_ll_op1(e, "fpext", LL_D, y), tsr_ll_f64(e, (double)scale));
    /* Adding 1.5 * 2^52 rounds to the nearest integer, ties to even. */
    tsr_ll_word big = tsr_ll_f64(e, 6755399441055744.0);
    tsr_ll_word r = tsr_ll_op2(e, "fsub", tsr_ll_op2(e, "fadd", scaled, big), big);
    return tsr_ll_op1(e, "fptosi", LL_I, r);
}

static tsr_ll_word pack_one(tsr_ll *e, tsr_op op, tsr_ll_word x)
{
    tsr_ll_word y;
    switch (op) {
    case TSR_OP_pack4x8snorm: return pack_norm(e, x, -1, 127);
    case TSR_OP_pack4x8unorm: return pack_norm(e, x, 0, 255);
    case TSR_OP_pack2x16snorm: return pack_norm(e, x, -1, 32767);
    case TSR_OP_pack2x16unorm: return pack_norm(e, x, 0, 65535);
    case TSR_OP_pack2x16float: return tsr_ll_op1(e, "zext", LL_I, tsr_ll_float_to_half(e, x));
    case TSR_OP_pack4xi8_clamp:
        y = tsr_ll_select(e, tsr_ll_cmp(e, "icmp slt", x, tsr_ll_u32(e, (uint32_t)-128)), tsr_ll_u32(e, (uint32_t)-128),
                          x);
        return tsr_ll_select(e, tsr_ll_cmp(e, "icmp sgt", y, tsr_ll_u32(e, 127)), tsr_ll_u32(e, 127), y);
    case TSR_OP_pack4xu8_clamp:
        return tsr_ll_select(e, tsr_ll_cmp(e, "icmp ugt", x, tsr_ll_u32(e, 255)), tsr_ll_u32(e, 255), x);
    default: return x;
    }
}

static void emit_pack(wide *w, tsr_op op, uint32_t bits)
{
    tsr_ll_word sum = mask_shift(w->e, pack_one(w->e, op, w->a.words[0]), 0, bits);
    for (uint32_t c = 1; c < w->a.count; c++)
        sum = tsr_ll_op2(w->e, "or", sum, mask_shift(w->e, pack_one(w->e, op, w->a.words[c]), c, bits));
    w->r.words[0] = sum;
}

static tsr_ll_word field(tsr_ll *e, tsr_ll_word x, uint32_t c, uint32_t bits, bool is_signed)
{
    tsr_ll_word up = tsr_ll_op2(e, "shl", x, tsr_ll_u32(e, 32 - (c + 1) * bits));
    return tsr_ll_op2(e, is_signed ? "ashr" : "lshr", up, tsr_ll_u32(e, 32 - bits));
}

/* x / scale. Without exact bits a product, which is quicker: at most 1.25 units off, and 1 for `scale` itself. */
static tsr_ll_word scale_down(tsr_ll *e, tsr_ll_word x, float scale)
{
    if (e->o->exact_bits) return tsr_ll_op2(e, "fdiv", x, tsr_ll_f32(e, scale));
    return tsr_ll_op2(e, "fmul", x, tsr_ll_f32(e, 1 / scale));
}

static tsr_ll_word unpack_snorm(tsr_ll *e, tsr_ll_word s, int32_t least, float scale)
{
    tsr_ll_word q = scale_down(e, tsr_ll_op1(e, "sitofp", LL_F, s), scale);
    return tsr_ll_select(e, tsr_ll_cmp(e, "icmp slt", s, tsr_ll_u32(e, (uint32_t)least)), tsr_ll_f32(e, -1), q);
}

static tsr_ll_word unpack_one(tsr_ll *e, tsr_op op, tsr_ll_word x, uint32_t c)
{
    switch (op) {
    case TSR_OP_unpack4x8snorm: return unpack_snorm(e, field(e, x, c, 8, true), -127, 127);
    case TSR_OP_unpack2x16snorm: return unpack_snorm(e, field(e, x, c, 16, true), -32767, 32767);
    case TSR_OP_unpack4x8unorm: return scale_down(e, tsr_ll_op1(e, "uitofp", LL_F, field(e, x, c, 8, false)), 255);
    case TSR_OP_unpack2x16unorm: return scale_down(e, tsr_ll_op1(e, "uitofp", LL_F, field(e, x, c, 16, false)), 65535);
    case TSR_OP_unpack2x16float:
        return tsr_ll_half_to_float(e, tsr_ll_op1(e, "trunc", LL_H, field(e, x, c, 16, false)));
    case TSR_OP_unpack4xi8: return field(e, x, c, 8, true);
    default: return field(e, x, c, 8, false);
    }
}

static void emit_unpack(wide *w, tsr_op op)
{
    for (uint32_t c = 0; c < w->r.count; c++)
        w->r.words[c] = unpack_one(w->e, op, w->a.words[0], c);
}

static void emit_dot4(wide *w, bool is_signed)
{
    tsr_ll_word sum = tsr_ll_u32(w->e, 0);
    for (uint32_t c = 0; c < 4; c++)
        sum = tsr_ll_op2(w->e, "add", sum,
                         tsr_ll_op2(w->e, "mul", field(w->e, w->a.words[0], c, 8, is_signed),
                                    field(w->e, w->b.words[0], c, 8, is_signed)));
    w->r.words[0] = sum;
}

static void emit_bitcast(wide *w)
{
    tsr_ll *e = w->e;
    const tsr_inst *inst = tsr_ll_inst(e, w->id);
    uint8_t from = w->a.words[0].type, to = tsr_ll_scalar_type(e, inst->type);
    for (uint32_t c = 0; c < w->r.count; c++) {
        if (from == LL_H && to != LL_H) {
            tsr_ll_word low = tsr_ll_to_bits(e, w->a.words[2 * c]), high = tsr_ll_to_bits(e, w->a.words[2 * c + 1]);
            tsr_ll_word both = tsr_ll_op2(e, "or", low, tsr_ll_op2(e, "shl", high, tsr_ll_u32(e, 16)));
            w->r.words[c] = tsr_ll_from_bits(e, both, to);
        } else if (from != LL_H && to == LL_H) {
            tsr_ll_word bits = tsr_ll_to_bits(e, w->a.words[c / 2]);
            if (c % 2) bits = tsr_ll_op2(e, "lshr", bits, tsr_ll_u32(e, 16));
            w->r.words[c] = tsr_ll_from_bits(e, bits, LL_H);
        } else if (from == to) {
            w->r.words[c] = w->a.words[c];
        } else {
            w->r.words[c] = tsr_ll_from_bits(e, tsr_ll_to_bits(e, w->a.words[c]), to);
        }
    }
}

static void emit_any_all(wide *w, const char *op)
{
    tsr_ll_word sum = w->a.words[0];
    for (uint32_t c = 1; c < w->a.count; c++)
        sum = tsr_ll_op2(w->e, op, sum, w->a.words[c]);
    w->r.words[0] = sum;
}

static void emit_normalize(wide *w)
{
    tsr_ll_word l = apply1(w, TSR_OP_sqrt, dot(w, &w->a, &w->a));
    for (uint32_t c = 0; c < w->r.count; c++)
        w->r.words[c] = apply2(w, TSR_OP_div, w->a.words[c], l);
}

void tsr_ll_emit_wide(tsr_ll *e, tsr_id id)
{
    const tsr_inst *inst = tsr_ll_inst(e, id);
    tsr_op op = (tsr_op)inst->op;
    wide w = {.e = e, .id = id, .a = tsr_ll_get(e, tsr_ll_arg(e, id, 0))};
    if (inst->nargs > 1) w.b = tsr_ll_get(e, tsr_ll_arg(e, id, 1));
    if (inst->nargs > 2) w.c = tsr_ll_get(e, tsr_ll_arg(e, id, 2));
    w.kind = (tsr_type_kind)tsr_type_scalar(e->types, tsr_ll_inst(e, tsr_ll_arg(e, id, 0))->type);
    w.r = tsr_ll_make(e, (uint32_t)tsr_shape_type_words(&e->shapes, inst->type));
    switch (op) {
    case TSR_OP_any: emit_any_all(&w, "or"); break;
    case TSR_OP_all: emit_any_all(&w, "and"); break;
    case TSR_OP_bitcast: emit_bitcast(&w); break;
    case TSR_OP_dot: w.r.words[0] = dot(&w, &w.a, &w.b); break;
    case TSR_OP_mat_mul: emit_mat_mul(&w); break;
    case TSR_OP_mat_scale: emit_each(&w, TSR_OP_mul, true); break;
    case TSR_OP_mat_add: emit_each(&w, TSR_OP_add, false); break;
    case TSR_OP_mat_sub: emit_each(&w, TSR_OP_sub, false); break;
    case TSR_OP_transpose: emit_transpose(&w); break;
    case TSR_OP_determinant: {
        uint32_t size = tsr_type_get(e->types, tsr_ll_inst(e, tsr_ll_arg(e, id, 0))->type)->count;
        w.r.words[0] = determinant(&w, 0, (1u << size) - 1, size);
        break;
    }
    case TSR_OP_frexp: emit_frexp(&w); break;
    case TSR_OP_modf: emit_modf(&w); break;
    case TSR_OP_length: w.r.words[0] = length(&w, &w.a); break;
    case TSR_OP_distance: emit_distance(&w); break;
    case TSR_OP_normalize: emit_normalize(&w); break;
    case TSR_OP_cross: emit_cross(&w); break;
    case TSR_OP_face_forward: emit_face_forward(&w); break;
    case TSR_OP_reflect: emit_reflect(&w); break;
    case TSR_OP_refract: emit_refract(&w); break;
    case TSR_OP_pack4x8snorm:
    case TSR_OP_pack4x8unorm:
    case TSR_OP_pack4xi8:
    case TSR_OP_pack4xu8:
    case TSR_OP_pack4xi8_clamp:
    case TSR_OP_pack4xu8_clamp: emit_pack(&w, op, 8); break;
    case TSR_OP_pack2x16snorm:
    case TSR_OP_pack2x16unorm:
    case TSR_OP_pack2x16float: emit_pack(&w, op, 16); break;
    case TSR_OP_unpack4x8snorm:
    case TSR_OP_unpack4x8unorm:
    case TSR_OP_unpack4xi8:
    case TSR_OP_unpack4xu8:
    case TSR_OP_unpack2x16snorm:
    case TSR_OP_unpack2x16unorm:
    case TSR_OP_unpack2x16float: emit_unpack(&w, op); break;
    case TSR_OP_dot4_u8: emit_dot4(&w, false); break;
    case TSR_OP_dot4_i8: emit_dot4(&w, true); break;
    default: tsr_ll_fail(e, "`%s`", tsr_op_table[op].name); return;
    }
    tsr_ll_set(e, id, w.r);
}

/* ---- Parts of values. */

static void copy_words(tsr_ll_value *to, uint32_t at, const tsr_ll_value *from, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        to->words[at + i] = from->words[first + i];
}

/* Part b of a, of however many parts; zero where there is none. */
static void emit_element(tsr_ll *e, tsr_id id, tsr_ll_value *r)
{
    tsr_ll_value a = tsr_ll_get(e, tsr_ll_arg(e, id, 0)), b = tsr_ll_get(e, tsr_ll_arg(e, id, 1));
    for (uint32_t w = 0; w < r->count; w++) {
        uint8_t type = a.words[w].type;
        tsr_ll_word x = tsr_ll_const(e, type, 0);
        for (uint32_t i = 0; i * r->count + w < a.count; i++)
            x = tsr_ll_select(e, tsr_ll_cmp(e, "icmp eq", b.words[0], tsr_ll_u32(e, i)), a.words[i * r->count + w], x);
        r->words[w] = x;
    }
}

static void emit_const(tsr_ll *e, tsr_id id, tsr_ll_value *r)
{
    uint64_t bits = tsr_constant_bits(e->ir, tsr_ll_inst(e, id));
    r->words[0] = tsr_ll_const(e, tsr_ll_scalar_type(e, tsr_ll_inst(e, id)->type), bits);
}

static void emit_zero(tsr_ll *e, tsr_id id, tsr_ll_value *r)
{
    const tsr_ll_leaves *l = tsr_ll_type_leaves(e, tsr_ll_inst(e, id)->type);
    for (uint32_t w = 0; w < r->count && w < l->count; w++)
        r->words[w] = tsr_ll_const(e, l->list[w].type, 0);
}

void tsr_ll_emit_parts(tsr_ll *e, tsr_id id)
{
    const tsr_inst *inst = tsr_ll_inst(e, id);
    uint64_t words = tsr_shape_type_words(&e->shapes, inst->type);
    if (words == TSR_WORDLESS || words > 4096) {
        tsr_ll_fail(e, "a value of %llu scalars", (unsigned long long)words);
        return;
    }
    tsr_ll_value r = tsr_ll_make(e, (uint32_t)words), a = {0}, b;
    if (inst->nargs > 0) a = tsr_ll_get(e, tsr_ll_arg(e, id, 0));
    uint32_t at = 0;
    switch (inst->op) {
    case TSR_OP_const: emit_const(e, id, &r); break;
    case TSR_OP_zero: emit_zero(e, id, &r); break;
    case TSR_OP_compose:
        for (uint32_t i = 0; i < inst->nargs; i++) {
            tsr_ll_value part = tsr_ll_get(e, tsr_ll_arg(e, id, i));
            copy_words(&r, at, &part, 0, part.count);
            at += part.count;
        }
        break;
    case TSR_OP_splat:
        for (uint32_t i = 0; i < r.count; i++)
            r.words[i] = a.words[0];
        break;
    case TSR_OP_extract:
        copy_words(&r, 0, &a, tsr_shape_words_before(&e->shapes, tsr_ll_inst(e, tsr_ll_arg(e, id, 0))->type, inst->aux),
                   r.count);
        break;
    case TSR_OP_swizzle:
        for (uint32_t i = 0; i < r.count; i++)
            r.words[i] = a.words[inst->aux >> (4 * i) & 15u];
        break;
    case TSR_OP_insert:
        b = tsr_ll_get(e, tsr_ll_arg(e, id, 1));
        copy_words(&r, 0, &a, 0, r.count);
        copy_words(&r, tsr_shape_words_before(&e->shapes, inst->type, inst->aux), &b, 0, b.count);
        break;
    default: emit_element(e, id, &r); break;
    }
    if (!e->failed) tsr_ll_set(e, id, r);
}
