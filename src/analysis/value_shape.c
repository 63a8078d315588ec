/* Arithmetic of shapes, and the shapes of what ops compute. */
#include "analysis/value_shape.h"

#include "analysis/value_shape_inside.h"

static uint8_t trailing_zeros(uint32_t x)
{
    uint8_t n = 0;
    if (x == 0) return 32;
    while (!(x >> n & 1u))
        n++;
    return n;
}

static uint32_t add_max(uint32_t a, uint32_t b)
{
    return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

static uint32_t multiply_max(uint32_t a, uint32_t b)
{
    return b != 0 && a > UINT32_MAX / b ? UINT32_MAX : a * b;
}

tsr_vshape tsr_shape_any(const tsr_value_shapes *s)
{
    (void)s;
    return (tsr_vshape){.known = true, .max = UINT32_MAX};
}

tsr_vshape tsr_shape_same(const tsr_value_shapes *s)
{
    return (tsr_vshape){.run = s->full, .known = true, .max = UINT32_MAX};
}

tsr_vshape tsr_shape_const(const tsr_value_shapes *s, uint32_t value)
{
    return (tsr_vshape){.run = s->full, .tz = trailing_zeros(value), .known = true, .max = value};
}

/* The same value seen in shorter runs: each of them begins further on. */
static tsr_vshape shorten(tsr_vshape a, uint8_t run)
{
    if (a.run <= run) return a;
    uint8_t tz = trailing_zeros((uint32_t)a.stride << run);
    if (a.stride != 0 && tz < a.tz) a.tz = tz;
    a.run = run;
    if (run == 0) a.stride = 0;
    return a;
}

static uint8_t least(uint8_t a, uint8_t b)
{
    return a < b ? a : b;
}

tsr_vshape tsr_shape_join(const tsr_value_shapes *s, tsr_vshape a, tsr_vshape b)
{
    (void)s;
    if (!a.known) return b;
    if (!b.known) return a;
    uint8_t run = least(a.run, b.run);
    if (a.stride != b.stride) run = 0;
    a = shorten(a, run);
    b = shorten(b, run);
    a.tz = least(a.tz, b.tz);
    if (b.max > a.max) a.max = b.max;
    return a;
}

tsr_vshape tsr_shape_add(const tsr_value_shapes *s, tsr_vshape a, tsr_vshape b)
{
    (void)s;
    uint8_t run = least(a.run, b.run);
    a = shorten(a, run);
    b = shorten(b, run);
    a.stride = run ? (int32_t)((uint32_t)a.stride + (uint32_t)b.stride) : 0;
    a.tz = least(a.tz, b.tz);
    a.max = add_max(a.max, b.max);
    return a;
}

static tsr_vshape subtract(tsr_vshape a, tsr_vshape b)
{
    uint8_t run = least(a.run, b.run);
    a = shorten(a, run);
    b = shorten(b, run);
    a.stride = run ? (int32_t)((uint32_t)a.stride - (uint32_t)b.stride) : 0;
    a.tz = least(a.tz, b.tz);
    a.max = UINT32_MAX;
    return a;
}

tsr_vshape tsr_shape_mul_const(const tsr_value_shapes *s, tsr_vshape a, uint32_t c)
{
    (void)s;
    unsigned tz = (unsigned)a.tz + trailing_zeros(c);
    a.stride = (int32_t)((uint32_t)a.stride * c);
    a.tz = tz > 32 ? 32 : (uint8_t)tz;
    a.max = multiply_max(a.max, c);
    return a;
}

/* Bits that the distance from a run's first lane to its last one needs; the stride is not negative. */
static uint8_t bits_of_run(tsr_vshape a)
{
    uint64_t last = (uint64_t)(uint32_t)a.stride * ((1u << a.run) - 1);
    uint8_t bits = 0;
    while (last >> bits)
        bits++;
    return bits;
}

/* Adding i * stride to the first value of a run changes no bit at tz or above. */
static bool carries_nothing(tsr_vshape a)
{
    return a.stride >= 0 && (a.tz >= 32 || bits_of_run(a) <= a.tz);
}

/* The longest run in which a value stays between two multiples of 2^bits. */
static tsr_vshape within_blocks(tsr_vshape a, uint8_t bits)
{
    if (a.stride < 0) return shorten(a, 0);
    for (uint8_t run = a.run; run > 0; run--) {
        tsr_vshape x = shorten(a, run);
        uint64_t last = (uint64_t)(uint32_t)x.stride * ((1u << run) - 1);
        uint64_t room = UINT64_C(1) << (x.tz < bits ? x.tz : bits);
        if (last < room) return x;
    }
    return shorten(a, 0);
}

/* a / c, unsigned. With c = 2^k * odd, what stays within blocks of 2^k has one quotient. */
tsr_vshape tsr_shape_div_const(const tsr_value_shapes *s, tsr_vshape a, uint32_t c)
{
    if (c == 0) return a;
    uint8_t bits = trailing_zeros(c);
    if (c == 1) return a;
    (void)s;
    bool is_power = (c & (c - 1)) == 0;
    /* A power of two also serves values that stay below it: (32 q + i) / 64. */
    tsr_vshape x = within_blocks(a, bits);
    x.stride = 0;
    x.tz = is_power && x.tz >= bits ? (uint8_t)(x.tz == 32 ? 32 : x.tz - bits) : 0;
    x.max = a.max / c;
    if (x.max == 0) x.tz = 32;
    return x;
}

tsr_vshape tsr_shape_rem_const(const tsr_value_shapes *s, tsr_vshape a, uint32_t c)
{
    if (c == 0) return tsr_shape_const(s, 0);
    if (a.max < c) return a;
    uint8_t bits = trailing_zeros(c);
    tsr_vshape x = within_blocks(a, bits);
    bool is_power = (c & (c - 1)) == 0;
    if (is_power && x.tz >= bits) x.tz = 32;
    if (!is_power && x.tz > bits) x.tz = bits;
    x.max = c - 1;
    return x;
}

bool tsr_shape_compares_alike(const tsr_value_shapes *s, tsr_vshape a, tsr_vshape b)
{
    /* Not across 2^31, where signs change. */
    return a.run == s->full && b.run == s->full && b.stride == 0 && a.stride > 0 && carries_nothing(a) &&
           bits_of_run(a) < 32 && b.tz >= bits_of_run(a);
}

/* A result that follows from the operands of its lane and nothing else. */
static tsr_vshape follow(tsr_vshape sum, tsr_vshape x)
{
    uint8_t run = x.stride == 0 ? x.run : 0;
    if (run < sum.run) sum.run = run;
    return sum;
}

tsr_vshape tsr_shape_builtin(const tsr_value_shapes *s, uint8_t builtin, uint32_t k)
{
    const uint32_t *size = s->program->workgroup_size;
    uint64_t all = (uint64_t)size[0] * size[1] * size[2];
    uint64_t lanes = (all + s->subgroup_size - 1) / s->subgroup_size * s->subgroup_size;
    tsr_vshape index = {.run = s->full, .tz = s->full, .known = true, .stride = 1, .max = (uint32_t)(lanes - 1)};
    tsr_vshape lane = index, same = tsr_shape_same(s);
    if (lanes == s->subgroup_size) index.tz = 32;
    lane.tz = 32;
    lane.max = s->subgroup_size - 1;
    switch (builtin) {
    case TSR_BV_local_invocation_index: return index;
    case TSR_BV_subgroup_invocation_id: return lane;
    case TSR_BV_local_invocation_id:
    case TSR_BV_global_invocation_id: {
        tsr_vshape x = index;
        if (k == 0 && size[0] < lanes) x = tsr_shape_rem_const(s, x, size[0]);
        if (k >= 1) x = tsr_shape_div_const(s, x, size[0]);
        if (k == 2) x = tsr_shape_div_const(s, x, size[1]);
        if (k == 1 && x.max >= size[1]) x = tsr_shape_rem_const(s, x, size[1]);
        if (builtin == TSR_BV_local_invocation_id) return x;
        return tsr_shape_add(s, tsr_shape_mul_const(s, same, size[k]), x);
    }
    case TSR_BV_global_invocation_index: return tsr_shape_any(s);
    case TSR_BV_subgroup_size: return tsr_shape_const(s, s->subgroup_size);
    case TSR_BV_num_subgroups: return tsr_shape_const(s, (uint32_t)(lanes / s->subgroup_size));
    case TSR_BV_subgroup_id: same.max = (uint32_t)(lanes / s->subgroup_size - 1); return same;
    default: return same;
    }
}

/* ---- Ops. */

static const tsr_inst *inst_at(const tsr_value_shapes *s, tsr_id id)
{
    return tsr_inst_at(s->program->ir, id);
}

/* The value of word w of a value when it is a known integer. */
static bool find_const(const tsr_value_shapes *s, tsr_id id, uint32_t w, uint32_t *value)
{
    const tsr_ir *ir = s->program->ir;
    for (int depth = 0; depth < 8; depth++) {
        const tsr_inst *inst = tsr_inst_at(ir, id);
        switch (inst->op) {
        case TSR_OP_const: *value = (uint32_t)tsr_constant_bits(ir, inst); return true;
        case TSR_OP_zero: *value = 0; return true;
        case TSR_OP_param:
            id = s->param_arg[id];
            if (id == 0 || id == TSR_ARGS_DIFFER) return false;
            break;
        case TSR_OP_splat:
            id = tsr_arg(ir, inst, 0);
            w = 0;
            break;
        case TSR_OP_compose:
            if (tsr_type_kind_of(ir->types, inst->type) != TSR_T_vec || w >= inst->nargs) return false;
            id = tsr_arg(ir, inst, w);
            w = 0;
            break;
        default: return false;
        }
    }
    return false;
}

static bool is_integer(const tsr_value_shapes *s, tsr_type t)
{
    tsr_type scalar = tsr_type_scalar(s->program->ir->types, t);
    return scalar == TSR_T_i32 || scalar == TSR_T_u32;
}

static tsr_vshape integer_word(const tsr_value_shapes *s, const tsr_inst *inst, uint32_t w, const tsr_vshape *a,
                               tsr_vshape plain)
{
    uint32_t c = 0;
    tsr_id second = inst->nargs > 1 ? tsr_arg(s->program->ir, inst, 1) : 0;
    bool has_const = second && find_const(s, second, w, &c);
    bool is_signed = tsr_type_scalar(s->program->ir->types, inst->type) == TSR_T_i32;
    bool divides = has_const && (!is_signed || (a[0].max <= INT32_MAX && c <= INT32_MAX)) && c != 0;
    switch (inst->op) {
    case TSR_OP_add: return tsr_shape_add(s, a[0], a[1]);
    case TSR_OP_sub: return subtract(a[0], a[1]);
    case TSR_OP_mul: {
        uint32_t first;
        if (has_const) return tsr_shape_mul_const(s, a[0], c);
        if (find_const(s, tsr_arg(s->program->ir, inst, 0), w, &first)) return tsr_shape_mul_const(s, a[1], first);
        unsigned tz = (unsigned)shorten(a[0], plain.run).tz + shorten(a[1], plain.run).tz;
        plain.tz = tz > 32 ? 32 : (uint8_t)tz;
        plain.max = multiply_max(a[0].max, a[1].max);
        return plain;
    }
    case TSR_OP_shl: return has_const ? tsr_shape_mul_const(s, a[0], UINT32_C(1) << (c & 31)) : plain;
    case TSR_OP_shr:
        if (has_const && (!is_signed || a[0].max <= INT32_MAX))
            return tsr_shape_div_const(s, a[0], UINT32_C(1) << (c & 31));
        return plain;
    case TSR_OP_div:
        if (divides) return tsr_shape_div_const(s, a[0], c);
        if (!is_signed) plain.max = a[0].max;
        return plain;
    case TSR_OP_rem:
        if (divides) return tsr_shape_rem_const(s, a[0], c);
        if (!is_signed) plain.max = a[1].max < a[0].max ? a[1].max : a[0].max;
        return plain;
    case TSR_OP_and:
        if (has_const && c != UINT32_MAX && (c & (c + 1)) == 0) return tsr_shape_rem_const(s, a[0], c + 1);
        plain.max = a[0].max < a[1].max ? a[0].max : a[1].max;
        return plain;
    case TSR_OP_or:
        if (a[0].stride == 0 && a[1].max != UINT32_MAX && a[0].tz < 32 && a[1].max < UINT32_C(1) << a[0].tz)
            return tsr_shape_add(s, a[0], a[1]);
        return plain;
    case TSR_OP_min: plain.max = is_signed ? UINT32_MAX : a[0].max < a[1].max ? a[0].max : a[1].max; return plain;
    case TSR_OP_max: plain.max = is_signed ? UINT32_MAX : a[0].max > a[1].max ? a[0].max : a[1].max; return plain;
    case TSR_OP_convert: return a[0].max <= INT32_MAX || !is_signed ? a[0] : a[0];
    default: return plain;
    }
}

tsr_vshape tsr_shape_comps_word(const tsr_value_shapes *s, tsr_id id, uint32_t w, const tsr_vshape *a, uint32_t count)
{
    const tsr_inst *inst = inst_at(s, id);
    tsr_type first = inst_at(s, tsr_arg(s->program->ir, inst, 0))->type;
    tsr_vshape plain = tsr_shape_same(s);
    for (uint32_t i = 0; i < count; i++) {
        if (!a[i].known) return (tsr_vshape){0};
        plain = follow(plain, a[i]);
    }
    bool is_int = is_integer(s, first);
    if ((inst->op == TSR_OP_lt || inst->op == TSR_OP_ge) && is_int && tsr_shape_compares_alike(s, a[0], a[1]))
        return tsr_shape_same(s);
    if ((inst->op == TSR_OP_gt || inst->op == TSR_OP_le) && is_int && tsr_shape_compares_alike(s, a[1], a[0]))
        return tsr_shape_same(s);
    if (inst->op == TSR_OP_select && tsr_shape_is_uniform(s, a[2]) && is_int) return tsr_shape_join(s, a[0], a[1]);
    if (is_int && is_integer(s, inst->type)) return integer_word(s, inst, w, a, plain);
    return plain;
}
