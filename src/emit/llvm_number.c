/* Ops on numbers, component by component: what src/ir/eval.def says, as LLVM instructions. What is not written here
 * goes through frame.eval, the interpreter's own functions. */
#include "emit/llvm_inside.h"

static tsr_ll_word u32(tsr_ll *e, uint32_t x)
{
    return tsr_ll_u32(e, x);
}

/* ---- Integers. */

/* A divisor that LLVM does not look behind. It divides by each part of a select or of a phi to see whether that says
 * something, and forgets that lanes choose one by one: one zero in a part that is a constant vector makes all of that
 * part undefined, and the whole becomes what the other part gives (LLVM 15 to 19, InstSimplify). A freeze is taken
 * away where all parts are constants. */
static tsr_ll_word hold(tsr_ll *e, tsr_ll_word by)
{
    if (by.is_const || by.form == LL_SAME) return by;
    return tsr_ll_op2(e, "add", by, tsr_ll_named(LL_I, LL_SAME, tsr_ll_load_field(e, TSR_FRAME_ZERO, "i32")));
}

static tsr_ll_word divide(tsr_ll *e, bool is_signed, bool rest, tsr_ll_word a, tsr_ll_word b)
{
    tsr_ll_word bad = tsr_ll_cmp(e, "icmp eq", b, u32(e, 0));
    bool known = b.is_const && b.form == LL_SAME;
    if (known && b.bits != 0 && b.bits != UINT32_MAX) bad = tsr_ll_const(e, LL_B, 0);
    if (is_signed && !(known && b.bits != UINT32_MAX)) {
        tsr_ll_word over = tsr_ll_op2(e, "and", tsr_ll_cmp(e, "icmp eq", a, u32(e, 0x80000000u)),
                                      tsr_ll_cmp(e, "icmp eq", b, u32(e, UINT32_MAX)));
        bad = bad.is_const ? over : tsr_ll_op2(e, "or", bad, over);
    }
    tsr_ll_word by = hold(e, tsr_ll_select(e, bad, u32(e, 1), b));
    return tsr_ll_op2(e, rest ? (is_signed ? "srem" : "urem") : (is_signed ? "sdiv" : "udiv"), a, by);
}

static tsr_ll_word shift(tsr_ll *e, const char *op, tsr_ll_word a, tsr_ll_word b)
{
    tsr_ll_word by =
        b.is_const && b.form == LL_SAME ? u32(e, (uint32_t)b.bits & 31) : tsr_ll_op2(e, "and", b, u32(e, 31));
    return tsr_ll_op2(e, op, a, by);
}

static tsr_ll_word pick(tsr_ll *e, const char *cmp, tsr_ll_word a, tsr_ll_word b)
{
    return tsr_ll_select(e, tsr_ll_cmp(e, cmp, b, a), b, a);
}

static tsr_ll_word greatest(tsr_ll *e, bool is_signed, tsr_ll_word a, tsr_ll_word b)
{
    return tsr_ll_select(e, tsr_ll_cmp(e, is_signed ? "icmp slt" : "icmp ult", a, b), b, a);
}

/* o = min(offset, 32), c = min(count, 32 - o), as WGSL clamps them. */
static void clamp_bits(tsr_ll *e, tsr_ll_word offset, tsr_ll_word count, tsr_ll_word *o, tsr_ll_word *c)
{
    *o = pick(e, "icmp ult", offset, u32(e, 32));
    *c = pick(e, "icmp ult", count, tsr_ll_op2(e, "sub", u32(e, 32), *o));
}

static tsr_ll_word extract_bits(tsr_ll *e, bool is_signed, const tsr_ll_word *a)
{
    tsr_ll_word o, c;
    clamp_bits(e, a[1], a[2], &o, &c);
    tsr_ll_word none = tsr_ll_cmp(e, "icmp eq", c, u32(e, 0));
    tsr_ll_word up = tsr_ll_op2(e, "sub", u32(e, 32), tsr_ll_op2(e, "add", o, c));
    tsr_ll_word down = tsr_ll_op2(e, "sub", u32(e, 32), c);
    up = tsr_ll_op2(e, "and", up, u32(e, 31));
    down = tsr_ll_op2(e, "and", down, u32(e, 31));
    tsr_ll_word r = tsr_ll_op2(e, is_signed ? "ashr" : "lshr", tsr_ll_op2(e, "shl", a[0], up), down);
    return tsr_ll_select(e, none, u32(e, 0), r);
}

static tsr_ll_word insert_bits(tsr_ll *e, const tsr_ll_word *a)
{
    tsr_ll_word o, c, ones = u32(e, UINT32_MAX);
    clamp_bits(e, a[2], a[3], &o, &c);
    tsr_ll_word none = tsr_ll_cmp(e, "icmp eq", c, u32(e, 0));
    tsr_ll_word safe = tsr_ll_op2(e, "and", o, u32(e, 31));
    tsr_ll_word down = tsr_ll_op2(e, "and", tsr_ll_op2(e, "sub", u32(e, 32), c), u32(e, 31));
    tsr_ll_word mask = tsr_ll_op2(e, "shl", tsr_ll_op2(e, "lshr", ones, down), safe);
    tsr_ll_word kept = tsr_ll_op2(e, "and", a[0], tsr_ll_op2(e, "xor", mask, ones));
    tsr_ll_word put = tsr_ll_op2(e, "and", tsr_ll_op2(e, "shl", a[1], safe), mask);
    return tsr_ll_select(e, none, a[0], tsr_ll_op2(e, "or", kept, put));
}

static tsr_ll_word first_leading_bit(tsr_ll *e, bool is_signed, tsr_ll_word a)
{
    if (is_signed) a = tsr_ll_op2(e, "xor", a, tsr_ll_op2(e, "ashr", a, u32(e, 31)));
    return tsr_ll_op2(e, "sub", u32(e, 31), tsr_ll_call(e, "llvm.ctlz", &a, 1));
}

static tsr_ll_word first_trailing_bit(tsr_ll *e, tsr_ll_word a)
{
    tsr_ll_word n = tsr_ll_call(e, "llvm.cttz", &a, 1);
    return tsr_ll_select(e, tsr_ll_cmp(e, "icmp eq", a, u32(e, 0)), u32(e, UINT32_MAX), n);
}

static bool emit_integer(tsr_ll *e, tsr_op op, bool s, const tsr_ll_word *a, tsr_ll_word *r)
{
    switch (op) {
    case TSR_OP_neg: *r = tsr_ll_op2(e, "sub", u32(e, 0), a[0]); return true;
    case TSR_OP_bitnot: *r = tsr_ll_op2(e, "xor", a[0], u32(e, UINT32_MAX)); return true;
    case TSR_OP_add: *r = tsr_ll_op2(e, "add", a[0], a[1]); return true;
    case TSR_OP_sub: *r = tsr_ll_op2(e, "sub", a[0], a[1]); return true;
    case TSR_OP_mul: *r = tsr_ll_op2(e, "mul", a[0], a[1]); return true;
    case TSR_OP_div: *r = divide(e, s, false, a[0], a[1]); return true;
    case TSR_OP_rem: *r = divide(e, s, true, a[0], a[1]); return true;
    case TSR_OP_and: *r = tsr_ll_op2(e, "and", a[0], a[1]); return true;
    case TSR_OP_or: *r = tsr_ll_op2(e, "or", a[0], a[1]); return true;
    case TSR_OP_xor: *r = tsr_ll_op2(e, "xor", a[0], a[1]); return true;
    case TSR_OP_shl: *r = shift(e, "shl", a[0], a[1]); return true;
    case TSR_OP_shr: *r = shift(e, s ? "ashr" : "lshr", a[0], a[1]); return true;
    case TSR_OP_eq: *r = tsr_ll_cmp(e, "icmp eq", a[0], a[1]); return true;
    case TSR_OP_ne: *r = tsr_ll_cmp(e, "icmp ne", a[0], a[1]); return true;
    case TSR_OP_lt: *r = tsr_ll_cmp(e, s ? "icmp slt" : "icmp ult", a[0], a[1]); return true;
    case TSR_OP_le: *r = tsr_ll_cmp(e, s ? "icmp sle" : "icmp ule", a[0], a[1]); return true;
    case TSR_OP_gt: *r = tsr_ll_cmp(e, s ? "icmp sgt" : "icmp ugt", a[0], a[1]); return true;
    case TSR_OP_ge: *r = tsr_ll_cmp(e, s ? "icmp sge" : "icmp uge", a[0], a[1]); return true;
    case TSR_OP_abs:
        *r = s ? tsr_ll_select(e, tsr_ll_cmp(e, "icmp slt", a[0], u32(e, 0)), tsr_ll_op2(e, "sub", u32(e, 0), a[0]),
                               a[0])
               : a[0];
        return true;
    case TSR_OP_sign: {
        tsr_ll_word up = tsr_ll_op1(e, "zext", LL_I, tsr_ll_cmp(e, "icmp sgt", a[0], u32(e, 0)));
        *r = tsr_ll_op2(e, "or", up, tsr_ll_op2(e, "ashr", a[0], u32(e, 31)));
        return true;
    }
    case TSR_OP_min: *r = pick(e, s ? "icmp slt" : "icmp ult", a[0], a[1]); return true;
    case TSR_OP_max: *r = greatest(e, s, a[0], a[1]); return true;
    case TSR_OP_clamp: *r = pick(e, s ? "icmp slt" : "icmp ult", greatest(e, s, a[0], a[1]), a[2]); return true;
    case TSR_OP_count_leading_zeros: *r = tsr_ll_call(e, "llvm.ctlz", a, 1); return true;
    case TSR_OP_count_trailing_zeros: *r = tsr_ll_call(e, "llvm.cttz", a, 1); return true;
    case TSR_OP_count_one_bits: *r = tsr_ll_call(e, "llvm.ctpop", a, 1); return true;
    case TSR_OP_reverse_bits: *r = tsr_ll_call(e, "llvm.bitreverse", a, 1); return true;
    case TSR_OP_first_leading_bit: *r = first_leading_bit(e, s, a[0]); return true;
    case TSR_OP_first_trailing_bit: *r = first_trailing_bit(e, a[0]); return true;
    case TSR_OP_extract_bits: *r = extract_bits(e, s, a); return true;
    case TSR_OP_insert_bits: *r = insert_bits(e, a); return true;
    default: return false;
    }
}

static bool emit_bool(tsr_ll *e, tsr_op op, const tsr_ll_word *a, tsr_ll_word *r)
{
    switch (op) {
    case TSR_OP_not: *r = tsr_ll_not(e, a[0]); return true;
    case TSR_OP_and:
    case TSR_OP_land: *r = tsr_ll_op2(e, "and", a[0], a[1]); return true;
    case TSR_OP_or:
    case TSR_OP_lor: *r = tsr_ll_op2(e, "or", a[0], a[1]); return true;
    case TSR_OP_eq: *r = tsr_ll_not(e, tsr_ll_op2(e, "xor", a[0], a[1])); return true;
    case TSR_OP_ne: *r = tsr_ll_op2(e, "xor", a[0], a[1]); return true;
    default: return false;
    }
}

/* ---- Floats. */

/* b < a || a != a ? b : a */
static tsr_ll_word float_min(tsr_ll *e, tsr_ll_word a, tsr_ll_word b)
{
    return tsr_ll_select(e, tsr_ll_op2(e, "or", tsr_ll_cmp(e, "fcmp olt", b, a), tsr_ll_cmp(e, "fcmp uno", a, a)), b,
                         a);
}

static tsr_ll_word float_max(tsr_ll *e, tsr_ll_word a, tsr_ll_word b)
{
    return tsr_ll_select(e, tsr_ll_op2(e, "or", tsr_ll_cmp(e, "fcmp olt", a, b), tsr_ll_cmp(e, "fcmp uno", a, a)), b,
                         a);
}

static tsr_ll_word float_clamp(tsr_ll *e, tsr_ll_word x, tsr_ll_word low, tsr_ll_word high)
{
    tsr_ll_word under = tsr_ll_op2(e, "or", tsr_ll_cmp(e, "fcmp olt", x, low), tsr_ll_cmp(e, "fcmp uno", x, x));
    tsr_ll_word raised = tsr_ll_select(e, under, low, x);
    return tsr_ll_select(e, tsr_ll_cmp(e, "fcmp ogt", raised, high), high, raised);
}

static bool emit_compare(tsr_ll *e, tsr_op op, const tsr_ll_word *a, tsr_ll_word *r)
{
    const char *name = op == TSR_OP_eq   ? "fcmp oeq"
                       : op == TSR_OP_ne ? "fcmp une"
                       : op == TSR_OP_lt ? "fcmp olt"
                       : op == TSR_OP_le ? "fcmp ole"
                       : op == TSR_OP_gt ? "fcmp ogt"
                       : op == TSR_OP_ge ? "fcmp oge"
                                         : NULL;
    if (!name) return false;
    *r = tsr_ll_cmp(e, name, a[0], a[1]);
    return true;
}

/* Those that round once in f32, whatever the operands (f16 too: f32 holds more than twice its digits). */
static bool emit_float(tsr_ll *e, tsr_op op, const tsr_ll_word *a, tsr_ll_word *r)
{
    tsr_ll_word one = tsr_ll_f32(e, 1), zero = tsr_ll_f32(e, 0);
    switch (op) {
    case TSR_OP_add: *r = tsr_ll_op2(e, "fadd", a[0], a[1]); return true;
    case TSR_OP_sub: *r = tsr_ll_op2(e, "fsub", a[0], a[1]); return true;
    case TSR_OP_mul: *r = tsr_ll_op2(e, "fmul", a[0], a[1]); return true;
    case TSR_OP_div: *r = tsr_ll_op2(e, "fdiv", a[0], a[1]); return true;
    case TSR_OP_neg: *r = tsr_ll_op1(e, "fneg", LL_F, a[0]); return true;
    case TSR_OP_abs: *r = tsr_ll_call(e, "llvm.fabs", a, 1); return true;
    case TSR_OP_sign:
        *r = tsr_ll_select(e, tsr_ll_cmp(e, "fcmp ogt", a[0], zero), one,
                           tsr_ll_select(e, tsr_ll_cmp(e, "fcmp olt", a[0], zero), tsr_ll_f32(e, -1), a[0]));
        return true;
    case TSR_OP_min: *r = float_min(e, a[0], a[1]); return true;
    case TSR_OP_max: *r = float_max(e, a[0], a[1]); return true;
    case TSR_OP_clamp: *r = float_clamp(e, a[0], a[1], a[2]); return true;
    case TSR_OP_saturate: *r = float_clamp(e, a[0], zero, one); return true;
    case TSR_OP_sqrt: *r = tsr_ll_call(e, "llvm.sqrt", a, 1); return true;
    case TSR_OP_step: *r = tsr_ll_select(e, tsr_ll_cmp(e, "fcmp oge", a[1], a[0]), one, zero); return true;
    case TSR_OP_quantize_f16: *r = tsr_ll_half_to_float(e, tsr_ll_float_to_half(e, a[0])); return true;
    default: return false;
    }
}

/* Beyond 2^23 an f32 is whole. Below, toward zero by way of i32, or to the nearest by adding 2^23. */
static tsr_ll_word round_by_hand(tsr_ll *e, tsr_op op, tsr_ll_word x)
{
    tsr_ll_word size = tsr_ll_call(e, "llvm.fabs", &x, 1), one = tsr_ll_f32(e, 1), zero = tsr_ll_f32(e, 0);
    tsr_ll_word bound = tsr_ll_f32(e, 0x1p23f), small = tsr_ll_cmp(e, "fcmp olt", size, bound), r;
    if (op == TSR_OP_round) {
        r = tsr_ll_op2(e, "fsub", tsr_ll_op2(e, "fadd", size, bound), bound);
    } else {
        r = tsr_ll_op1(e, "fptosi", LL_I, tsr_ll_select(e, small, x, zero));
        r = tsr_ll_op1(e, "sitofp", LL_F, r);
        if (op == TSR_OP_floor)
            r = tsr_ll_op2(e, "fsub", r, tsr_ll_select(e, tsr_ll_cmp(e, "fcmp ogt", r, x), one, zero));
        else if (op == TSR_OP_ceil)
            r = tsr_ll_op2(e, "fadd", r, tsr_ll_select(e, tsr_ll_cmp(e, "fcmp olt", r, x), one, zero));
    }
    tsr_ll_word args[2] = {r, x};
    return tsr_ll_select(e, small, tsr_ll_call(e, "llvm.copysign", args, 2), x);
}

/* floor and its kin are instructions only where the machine has them; else they would be calls. */
static tsr_ll_word round_float(tsr_ll *e, tsr_op op, tsr_ll_word x)
{
    const char *name = op == TSR_OP_floor   ? "llvm.floor"
                       : op == TSR_OP_ceil  ? "llvm.ceil"
                       : op == TSR_OP_round ? "llvm.rint"
                                            : "llvm.trunc";
    return e->o->cpu.rounds ? tsr_ll_call(e, name, &x, 1) : round_by_hand(e, op, x);
}

static bool emit_rounding(tsr_ll *e, tsr_op op, const tsr_ll_word *a, tsr_ll_word *r)
{
    switch (op) {
    case TSR_OP_floor:
    case TSR_OP_ceil:
    case TSR_OP_round:
    case TSR_OP_trunc: *r = round_float(e, op, a[0]); return true;
    case TSR_OP_fract: *r = tsr_ll_op2(e, "fsub", a[0], round_float(e, TSR_OP_floor, a[0])); return true;
    default: return false;
    }
}

static tsr_ll_word single(tsr_ll *e, double x)
{
    return tsr_ll_f32(e, (float)x);
}

static tsr_ll_word smoothstep(tsr_ll *e, const tsr_ll_word *a, tsr_ll_word (*number)(tsr_ll *e, double x))
{
    tsr_ll_word x = tsr_ll_op2(e, "fdiv", tsr_ll_op2(e, "fsub", a[2], a[0]), tsr_ll_op2(e, "fsub", a[1], a[0]));
    tsr_ll_word t = float_clamp(e, x, number(e, 0), number(e, 1));
    tsr_ll_word s = tsr_ll_op2(e, "fsub", number(e, 3), tsr_ll_op2(e, "fmul", number(e, 2), t));
    return tsr_ll_op2(e, "fmul", tsr_ll_op2(e, "fmul", t, t), s);
}

static bool emit_double(tsr_ll *e, tsr_op op, const tsr_ll_word *a, tsr_ll_word *r)
{
    switch (op) {
    case TSR_OP_inverse_sqrt:
        *r = tsr_ll_op2(e, "fdiv", tsr_ll_f64(e, 1), tsr_ll_call(e, "llvm.sqrt", a, 1));
        return true;
    case TSR_OP_degrees: *r = tsr_ll_op2(e, "fmul", a[0], tsr_ll_f64(e, 57.295779513082320877)); return true;
    case TSR_OP_radians: *r = tsr_ll_op2(e, "fmul", a[0], tsr_ll_f64(e, 0.017453292519943295769)); return true;
    case TSR_OP_mix: {
        tsr_ll_word left = tsr_ll_op2(e, "fmul", a[0], tsr_ll_op2(e, "fsub", tsr_ll_f64(e, 1), a[2]));
        *r = tsr_ll_op2(e, "fadd", left, tsr_ll_op2(e, "fmul", a[1], a[2]));
        return true;
    }
    case TSR_OP_smoothstep: *r = smoothstep(e, a, tsr_ll_f64); return true;
    default: return false;
    }
}

/* x - q * y, rounded once: in f64 the product is exact. */
static tsr_ll_word exact_difference(tsr_ll *e, tsr_ll_word x, tsr_ll_word q, tsr_ll_word y)
{
    tsr_ll_word args[3] = {tsr_ll_op1(e, "fneg", LL_F, q), y, x};
    if (e->o->cpu.fma) return tsr_ll_call(e, "llvm.fma", args, 3);
    for (int i = 0; i < 3; i++)
        args[i] = tsr_ll_op1(e, "fpext", LL_D, args[i]);
    return tsr_ll_op1(e, "fptrunc", LL_F, tsr_ll_op2(e, "fadd", tsr_ll_op2(e, "fmul", args[0], args[1]), args[2]));
}

/* a - b * trunc(a / b), put right where the quotient was rounded to the next whole number: fmod's result while the
 * quotient is less than 2^23. */
static tsr_ll_word emit_rem(tsr_ll *e, tsr_ll_word a, tsr_ll_word b)
{
    tsr_ll_word x = tsr_ll_call(e, "llvm.fabs", &a, 1), y = tsr_ll_call(e, "llvm.fabs", &b, 1);
    tsr_ll_word q = round_float(e, TSR_OP_trunc, tsr_ll_op2(e, "fdiv", x, y)), zero = tsr_ll_f32(e, 0);
    tsr_ll_word r = exact_difference(e, x, q, y);
    r = tsr_ll_op2(e, "fadd", r, tsr_ll_select(e, tsr_ll_cmp(e, "fcmp olt", r, zero), y, zero));
    r = tsr_ll_op2(e, "fsub", r, tsr_ll_select(e, tsr_ll_cmp(e, "fcmp oge", r, y), y, zero));
    tsr_ll_word parts[2] = {tsr_ll_select(e, tsr_ll_cmp(e, "fcmp olt", x, y), x, r), a};
    return tsr_ll_call(e, "llvm.copysign", parts, 2);
}

/* f32 alone, within WGSL's accuracy. */
static bool emit_quick(tsr_ll *e, tsr_op op, const tsr_ll_word *a, tsr_ll_word *r)
{
    tsr_ll_word one = tsr_ll_f32(e, 1);
    switch (op) {
    case TSR_OP_inverse_sqrt: *r = tsr_ll_op2(e, "fdiv", one, tsr_ll_call(e, "llvm.sqrt", a, 1)); return true;
    case TSR_OP_degrees: *r = tsr_ll_op2(e, "fmul", a[0], tsr_ll_f32(e, 57.2957795f)); return true;
    case TSR_OP_radians: *r = tsr_ll_op2(e, "fmul", a[0], tsr_ll_f32(e, 0.0174532925f)); return true;
    case TSR_OP_mix: {
        tsr_ll_word left = tsr_ll_op2(e, "fmul", a[0], tsr_ll_op2(e, "fsub", one, a[2]));
        *r = tsr_ll_op2(e, "fadd", left, tsr_ll_op2(e, "fmul", a[1], a[2]));
        return true;
    }
    case TSR_OP_smoothstep: *r = smoothstep(e, a, single); return true;
    case TSR_OP_fma: *r = tsr_ll_op2(e, "fadd", tsr_ll_op2(e, "fmul", a[0], a[1]), a[2]); return true;
    case TSR_OP_rem: *r = emit_rem(e, a[0], a[1]); return true;
    default: return false;
    }
}

/* a * 2^b in f64, where it is exact; beyond 2^300 every a has left the range of f32. */
static tsr_ll_word emit_ldexp(tsr_ll *e, tsr_ll_word a, tsr_ll_word b)
{
    tsr_ll_word n = pick(e, "icmp slt", greatest(e, true, b, u32(e, (uint32_t)-300)), u32(e, 300));
    n = tsr_ll_op1(e, "zext", LL_L, tsr_ll_op2(e, "add", n, u32(e, 1023)));
    n = tsr_ll_op1(e, "bitcast", LL_D, tsr_ll_op2(e, "shl", n, tsr_ll_const(e, LL_L, 52)));
    return tsr_ll_op2(e, "fmul", tsr_ll_op1(e, "fpext", LL_D, a), n);
}

/* Those that the interpreter computes in f64 with instructions that round as ours do; the result is an f64. */
static bool emit_precise(tsr_ll *e, tsr_op op, const tsr_ll_word *a, uint32_t count, tsr_ll_word *r)
{
    tsr_ll_word wide[4];
    if (op == TSR_OP_ldexp) {
        *r = emit_ldexp(e, a[0], a[1]);
        return true;
    }
    if (op != TSR_OP_inverse_sqrt && op != TSR_OP_degrees && op != TSR_OP_radians && op != TSR_OP_mix &&
        op != TSR_OP_smoothstep)
        return false;
    for (uint32_t i = 0; i < count; i++)
        wide[i] = tsr_ll_op1(e, "fpext", LL_D, a[i]);
    return emit_double(e, op, wide, r);
}

static uint8_t kind_type(tsr_type_kind kind)
{
    return kind == TSR_T_bool ? LL_B : kind == TSR_T_f32 ? LL_F : kind == TSR_T_f16 ? LL_H : LL_I;
}

/* LLVM narrows comparisons and selects of widened halves, and then takes them for a minimum or maximum, which may give
 * either zero: +0 for saturate(-0h). Seen: LLVM 19. WGSL allows that; exact bits do not. */
static bool may_lose_zero_sign(tsr_op op)
{
    return op == TSR_OP_min || op == TSR_OP_max || op == TSR_OP_clamp || op == TSR_OP_saturate;
}

static tsr_ll_word emit_float_op(tsr_ll *e, tsr_op op, tsr_type_kind kind, const tsr_ll_word *a, uint32_t count)
{
    bool half = kind == TSR_T_f16;
    tsr_ll_word r, wide[4];
    if (half && !e->o->cpu.f16c && op != TSR_OP_neg && op != TSR_OP_abs) {
        bool compares = op >= TSR_OP_eq && op <= TSR_OP_ge;
        return tsr_ll_eval(e, TSR_EVAL_WHAT(op, kind), a, count, compares ? LL_B : LL_H);
    }
    if (half && op == TSR_OP_neg) return tsr_ll_op2(e, "xor", a[0], tsr_ll_const(e, LL_H, 0x8000));
    if (half && op == TSR_OP_abs) return tsr_ll_op2(e, "and", a[0], tsr_ll_const(e, LL_H, 0x7fff));
    if (half && e->o->exact_bits && may_lose_zero_sign(op))
        return tsr_ll_eval(e, TSR_EVAL_WHAT(op, kind), a, count, LL_H);
    if (op == TSR_OP_fma && !half && e->o->cpu.fma) return tsr_ll_call(e, "llvm.fma", a, 3);
    for (uint32_t i = 0; i < count; i++)
        wide[i] = half && a[i].type == LL_H ? tsr_ll_half_to_float(e, a[i]) : a[i];
    if (emit_compare(e, op, wide, &r)) return r;
    if (emit_float(e, op, wide, &r) || emit_rounding(e, op, wide, &r)) return half ? tsr_ll_float_to_half(e, r) : r;
    if (!e->o->exact_bits && (emit_quick(e, op, wide, &r) || tsr_ll_math(e, op, wide, &r)))
        return half ? tsr_ll_float_to_half(e, r) : r;
    if (emit_precise(e, op, wide, count, &r))
        return half ? tsr_ll_double_to_half(e, r) : tsr_ll_op1(e, "fptrunc", LL_F, r);
    return tsr_ll_eval(e, TSR_EVAL_WHAT(op, kind), a, count, kind_type(kind));
}

tsr_ll_word tsr_ll_comps(tsr_ll *e, tsr_op op, tsr_type_kind kind, const tsr_ll_word *a, uint32_t count)
{
    tsr_ll_word r = a[0];
    if (op == TSR_OP_select) return tsr_ll_select(e, a[2], a[1], a[0]);
    if (kind == TSR_T_bool) {
        if (!emit_bool(e, op, a, &r)) tsr_ll_fail(e, "`%s` on bool", tsr_op_table[op].name);
        return r;
    }
    if (kind == TSR_T_i32 || kind == TSR_T_u32) {
        if (!emit_integer(e, op, kind == TSR_T_i32, a, &r)) tsr_ll_fail(e, "`%s` on integers", tsr_op_table[op].name);
        return r;
    }
    return emit_float_op(e, op, kind, a, count);
}

/* ---- Conversions. */

static tsr_ll_word float_to_int(tsr_ll *e, tsr_ll_word x, bool is_signed)
{
    tsr_ll_word low = tsr_ll_f32(e, is_signed ? -2147483648.0f : 0),
                high = tsr_ll_f32(e, is_signed ? 2147483520.0f : 4294967040.0f);
    tsr_ll_word y = tsr_ll_select(e, tsr_ll_cmp(e, "fcmp olt", x, low), low, x);
    y = tsr_ll_select(e, tsr_ll_cmp(e, "fcmp ogt", y, high), high, y);
    y = tsr_ll_select(e, tsr_ll_cmp(e, "fcmp uno", x, x), tsr_ll_f32(e, 0), y);
    return tsr_ll_op1(e, is_signed ? "fptosi" : "fptoui", LL_I, y);
}

/* An integer to f16 rounds once: f64 holds it exactly. */
static tsr_ll_word int_to_half(tsr_ll *e, tsr_ll_word x, bool is_signed)
{
    return tsr_ll_double_to_half(e, tsr_ll_op1(e, is_signed ? "sitofp" : "uitofp", LL_D, x));
}

tsr_ll_word tsr_ll_convert(tsr_ll *e, tsr_type_kind from, tsr_type_kind to, tsr_ll_word a)
{
    if (from == to) return a;
    if ((from == TSR_T_f16 || to == TSR_T_f16) && !e->o->cpu.f16c)
        return tsr_ll_eval(e, TSR_EVAL_WHAT_CONVERT(from, to), &a, 1, kind_type(to));
    if (from == TSR_T_f16) {
        tsr_ll_word wide = tsr_ll_half_to_float(e, a);
        return to == TSR_T_f32 ? wide : tsr_ll_convert(e, TSR_T_f32, to, wide);
    }
    switch (to) {
    case TSR_T_bool:
        if (from == TSR_T_f32) return tsr_ll_cmp(e, "fcmp une", a, tsr_ll_f32(e, 0));
        return tsr_ll_cmp(e, "icmp ne", a, u32(e, 0));
    case TSR_T_i32:
    case TSR_T_u32:
        if (from == TSR_T_bool) return tsr_ll_op1(e, "zext", LL_I, a);
        return from == TSR_T_f32 ? float_to_int(e, a, to == TSR_T_i32) : a;
    case TSR_T_f32: return tsr_ll_op1(e, from == TSR_T_i32 ? "sitofp" : "uitofp", LL_F, a);
    default:
        if (from == TSR_T_f32) return tsr_ll_float_to_half(e, a);
        if (from == TSR_T_bool) return tsr_ll_select(e, a, tsr_ll_const(e, LL_H, 0x3c00), tsr_ll_const(e, LL_H, 0));
        return int_to_half(e, a, from == TSR_T_i32);
    }
}

/* ---- The instruction. */

void tsr_ll_emit_comps(tsr_ll *e, tsr_id id)
{
    const tsr_inst *inst = tsr_ll_inst(e, id);
    tsr_ll_value args[4];
    for (uint32_t i = 0; i < inst->nargs; i++)
        args[i] = tsr_ll_get_woven(e, tsr_ll_arg(e, id, i));
    uint32_t words = (uint32_t)tsr_shape_type_words(&e->shapes, inst->type);
    tsr_ll_value v = tsr_ll_make(e, words);
    v.woven = tsr_ll_stay_woven(e, id, args, inst->nargs, words);
    for (uint32_t i = 0; i < inst->nargs; i++)
        args[i] = v.woven ? tsr_ll_spread(e, args[i]) : tsr_ll_unweave(e, args[i]);
    tsr_type_kind kind = (tsr_type_kind)tsr_type_scalar(e->types, tsr_ll_inst(e, tsr_ll_arg(e, id, 0))->type);
    tsr_type_kind to = (tsr_type_kind)tsr_type_scalar(e->types, inst->type);
    for (uint32_t w = 0; w < words && !e->failed; w++) {
        tsr_ll_word a[4];
        tsr_vshape shape = tsr_shape_at(&e->shapes, id, w);
        bool whole = !v.woven && shape.known && shape.run == e->shapes.full;
        for (uint32_t i = 0; i < inst->nargs; i++) {
            a[i] = args[i].words[args[i].count == words ? w : 0];
            whole = whole && a[i].form != LL_EACH;
        }
        for (uint32_t i = 0; i < inst->nargs && whole; i++)
            a[i].form = LL_SAME;
        v.words[w] = inst->op == TSR_OP_convert ? tsr_ll_convert(e, kind, to, a[0])
                                                : tsr_ll_comps(e, (tsr_op)inst->op, kind, a, inst->nargs);
        if (v.woven) v.words[w] = tsr_ll_to_vector(e, v.words[w]);
        if (!whole) continue;
        v.words[w].form = shape.stride ? LL_EVEN : LL_SAME;
        v.words[w].shape = shape;
    }
    if (e->apart[id]) v = tsr_ll_unweave(e, v); /* once, not at each use */
    tsr_ll_set(e, id, v);
}
