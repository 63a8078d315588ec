/* Subgroup and quad ops: a subgroup is a vector, so these are reductions, scans and shuffles within it. What an
 * inactive or absent invocation would give is zero; float sums run by ascending invocation under exact_bits. */
#include "emit/llvm_inside.h"

#include <stdio.h>
#include <string.h>

static bool is_float(tsr_type_kind kind)
{
    return kind == TSR_T_f32 || kind == TSR_T_f16;
}

/* What changes nothing when it is combined with a number. */
static tsr_ll_word identity(tsr_ll *e, tsr_op op, tsr_type_kind kind)
{
    bool s = kind == TSR_T_i32;
    if (kind == TSR_T_f32) {
        uint32_t bits = op == TSR_OP_add   ? 0x80000000u
                        : op == TSR_OP_mul ? 0x3f800000u
                        : op == TSR_OP_min ? 0x7f800000u
                                           : 0xff800000u;
        return tsr_ll_const(e, LL_F, bits);
    }
    if (kind == TSR_T_f16) {
        uint32_t bits = op == TSR_OP_add ? 0x8000u : op == TSR_OP_mul ? 0x3c00u : op == TSR_OP_min ? 0x7c00u : 0xfc00u;
        return tsr_ll_const(e, LL_H, bits);
    }
    switch (op) {
    case TSR_OP_mul: return tsr_ll_u32(e, 1);
    case TSR_OP_min: return tsr_ll_u32(e, s ? INT32_MAX : UINT32_MAX);
    case TSR_OP_max: return tsr_ll_u32(e, s ? 0x80000000u : 0);
    case TSR_OP_and: return tsr_ll_u32(e, UINT32_MAX);
    default: return tsr_ll_u32(e, 0);
    }
}

static tsr_ll_word combine(tsr_ll *e, tsr_op op, tsr_type_kind kind, tsr_ll_word a, tsr_ll_word b)
{
    tsr_ll_word args[2] = {a, b};
    return tsr_ll_comps(e, op, kind, args, 2);
}

/* Whether lane i is active, as an LL_SAME bool; constant when all are. */
static tsr_ll_word is_active(tsr_ll *e, tsr_ll_word mask, uint32_t lane)
{
    return e->all ? tsr_ll_const(e, LL_B, 1) : tsr_ll_lane(e, mask, lane);
}

/* The lanes of a vector turned by `distance`: lane i gets that of i + distance, modulo the size. */
static tsr_ll_word rotate(tsr_ll *e, tsr_ll_word w, uint32_t distance)
{
    tsr_ll_word r = tsr_ll_named(w.type, LL_EACH, tsr_ll_new(e));
    tsr_text list;
    tsr_text_init(&list, e->arena);
    for (uint32_t i = 0; i < e->size; i++)
        tsr_text_printf(&list, "%si32 %u", i ? ", " : "", (i + distance) % e->size);
    r.shape = tsr_shape_any(&e->shapes);
    tsr_ll_line(e, "%%t%u = shufflevector %s %s, %s poison, <%u x i32> <%s>", r.name, e->vector_name[w.type],
                tsr_ll_vector(e, w), e->vector_name[w.type], e->size, tsr_text_get(&list));
    return r;
}

static tsr_ll_word lane_by_lane(tsr_ll *e, tsr_op op, tsr_type_kind kind, tsr_ll_word w)
{
    tsr_ll_word mask = tsr_ll_mask(e), sum = tsr_ll_lane(e, w, 0), any = is_active(e, mask, 0);
    for (uint32_t i = 1; i < e->size; i++) {
        tsr_ll_word x = tsr_ll_lane(e, w, i), on = is_active(e, mask, i);
        tsr_ll_word more = combine(e, op, kind, sum, x);
        if (!e->all) {
            more = tsr_ll_select(e, on, tsr_ll_select(e, any, more, x), sum);
            any = tsr_ll_op2(e, "or", any, on);
        }
        sum = more;
    }
    return sum;
}

/* The instruction of LLVM that combines two vectors; NULL: it takes several. */
static const char *single_op(tsr_op op, tsr_type_kind kind)
{
    if (op == TSR_OP_add) return kind == TSR_T_f32 ? "fadd" : kind == TSR_T_f16 ? NULL : "add";
    if (op == TSR_OP_mul) return kind == TSR_T_f32 ? "fmul" : kind == TSR_T_f16 ? NULL : "mul";
    return op == TSR_OP_and ? "and" : op == TSR_OP_or ? "or" : op == TSR_OP_xor ? "xor" : NULL;
}

/* In vectors that become shorter, so that LLVM need not find out which lanes matter. */
static tsr_ll_word reduce_halves(tsr_ll *e, const char *op, tsr_ll_word w)
{
    const char *type = e->type_name[w.type];
    tsr_ll_word r = tsr_ll_uniform(e, w.type, tsr_ll_new(e));
    for (uint32_t size = e->size; size > 1; size /= 2) {
        uint32_t low = tsr_ll_take_every(e, w.name, size, 0, 1, size / 2, type);
        uint32_t high = tsr_ll_take_every(e, w.name, size, size / 2, 1, size / 2, type);
        w.name = tsr_ll_new(e);
        tsr_ll_line(e, "%%t%u = %s <%u x %s> %%t%u, %%t%u", w.name, op, size / 2, type, low, high);
    }
    tsr_ll_line(e, "%%t%u = extractelement <1 x %s> %%t%u, i64 0", r.name, type, w.name);
    return r;
}

/* Halves are combined until one is left; every lane then holds the result. */
static tsr_ll_word reduce(tsr_ll *e, tsr_op op, tsr_type_kind kind, tsr_ll_word w)
{
    if (is_float(kind) && e->o->exact_bits) return lane_by_lane(e, op, kind, w);
    w = tsr_ll_to_vector(e, w);
    if (!e->all) w = tsr_ll_select(e, tsr_ll_mask(e), w, identity(e, op, kind));
    bool half = kind == TSR_T_f16 && e->o->cpu.f16c && op != TSR_OP_min && op != TSR_OP_max;
    if (half) {
        w = tsr_ll_half_to_float(e, w);
        kind = TSR_T_f32;
    }
    const char *single = single_op(op, kind);
    if (single && !w.is_const) {
        w = reduce_halves(e, single, w);
        return half ? tsr_ll_float_to_half(e, w) : w;
    }
    for (uint32_t distance = e->size / 2; distance > 0; distance /= 2)
        w = combine(e, op, kind, w, rotate(e, w, distance));
    w = tsr_ll_lane(e, w, 0);
    return half ? tsr_ll_float_to_half(e, w) : w;
}

static tsr_ll_word insert(tsr_ll *e, tsr_ll_word vector, tsr_ll_word x, uint32_t lane)
{
    tsr_ll_word r = tsr_ll_varied(e, x.type, tsr_ll_new(e));
    tsr_ll_line(e, "%%t%u = insertelement %s %s, %s %s, i64 %u", r.name, e->vector_name[x.type],
                tsr_ll_vector(e, vector), e->type_name[x.type], tsr_ll_scalar(e, x), lane);
    return r;
}

/* An inclusive or exclusive scan by ascending invocation. */
static tsr_ll_word scan(tsr_ll *e, tsr_op op, tsr_type_kind kind, bool exclusive, tsr_ll_word w)
{
    tsr_ll_word mask = tsr_ll_mask(e), any = tsr_ll_const(e, LL_B, 0);
    tsr_ll_word one = op == TSR_OP_mul ? identity(e, op, kind) : tsr_ll_const(e, w.type, 0);
    tsr_ll_word sum = one, r = tsr_ll_to_vector(e, tsr_ll_const(e, w.type, 0));
    for (uint32_t i = 0; i < e->size; i++) {
        tsr_ll_word x = tsr_ll_lane(e, w, i), on = is_active(e, mask, i), before = sum;
        tsr_ll_word more = any.is_const && !any.bits ? x : combine(e, op, kind, sum, x);
        if (!e->all) {
            if (!any.is_const) more = tsr_ll_select(e, any, more, x);
            more = tsr_ll_select(e, on, more, sum);
            any = any.is_const ? on : tsr_ll_op2(e, "or", any, on);
        } else {
            any = tsr_ll_const(e, LL_B, 1);
        }
        sum = more;
        r = insert(e, r, exclusive ? before : sum, i);
    }
    return r;
}

/* ---- Votes. */

static void emit_ballot(tsr_ll *e, tsr_ll_word held, tsr_ll_value *r)
{
    uint32_t bits = tsr_ll_bits(e, held);
    for (uint32_t k = 0; k < 4; k++) {
        if (k * 32 >= e->size) {
            r->words[k] = tsr_ll_u32(e, 0);
            continue;
        }
        uint32_t part = bits, name = tsr_ll_new(e);
        if (k) {
            part = tsr_ll_new(e);
            tsr_ll_line(e, "%%t%u = lshr i%u %%t%u, %u", part, e->size, bits, k * 32);
        }
        if (e->size == 32)
            tsr_ll_line(e, "%%t%u = add i32 %%t%u, 0", name, part);
        else
            tsr_ll_line(e, "%%t%u = %s i%u %%t%u to i32", name, e->size < 32 ? "zext" : "trunc", e->size, part);
        r->words[k] = tsr_ll_uniform(e, LL_I, name);
    }
}

/* The first active lane, as a vector of bools. */
static tsr_ll_word elect(tsr_ll *e)
{
    uint32_t bits = tsr_ll_bits(e, tsr_ll_mask(e)), less = tsr_ll_new(e), flipped = tsr_ll_new(e),
             first = tsr_ll_new(e);
    tsr_ll_word r = tsr_ll_varied(e, LL_B, tsr_ll_new(e));
    tsr_ll_line(e, "%%t%u = sub i%u %%t%u, 1", less, e->size, bits);
    tsr_ll_line(e, "%%t%u = xor i%u %%t%u, -1", flipped, e->size, less);
    tsr_ll_line(e, "%%t%u = and i%u %%t%u, %%t%u", first, e->size, bits, flipped);
    tsr_ll_line(e, "%%t%u = bitcast i%u %%t%u to %s", r.name, e->size, first, e->vector_name[LL_B]);
    return r;
}

/* ---- Shuffles. */

#define NO_LANE UINT32_MAX

/* The invocation that lane i reads when the second operand is the constant `other`. */
static uint32_t source_id(uint16_t op, uint32_t id, uint32_t other)
{
    switch (op) {
    case TSR_OP_sg_broadcast:
    case TSR_OP_sg_shuffle: return other;
    case TSR_OP_sg_shuffle_down: return other > UINT32_MAX - id ? NO_LANE : id + other;
    case TSR_OP_sg_shuffle_up: return other > id ? NO_LANE : id - other;
    case TSR_OP_sg_shuffle_xor: return id ^ other;
    case TSR_OP_quad_broadcast: return other > 3 ? NO_LANE : (id & ~3u) | other;
    case TSR_OP_quad_swap_x: return id ^ 1u;
    case TSR_OP_quad_swap_y: return id ^ 2u;
    default: return id ^ 3u;
    }
}

static tsr_ll_word shuffle_const(tsr_ll *e, uint16_t op, uint32_t other, tsr_ll_word w)
{
    tsr_ll_word r = tsr_ll_named(w.type, LL_EACH, tsr_ll_new(e));
    tsr_text list;
    r.shape = tsr_shape_any(&e->shapes);
    if (!e->all) w = tsr_ll_select(e, tsr_ll_mask(e), w, tsr_ll_const(e, w.type, 0));
    tsr_text_init(&list, e->arena);
    for (uint32_t i = 0; i < e->size; i++) {
        uint32_t id = source_id(op, i, other);
        tsr_text_printf(&list, "%si32 %u", i ? ", " : "", id < e->size ? id : e->size);
    }
    tsr_ll_line(e, "%%t%u = shufflevector %s %s, %s zeroinitializer, <%u x i32> <%s>", r.name, e->vector_name[w.type],
                tsr_ll_vector(e, w), e->vector_name[w.type], e->size, tsr_text_get(&list));
    return r;
}

static tsr_ll_word lane_ids(tsr_ll *e)
{
    tsr_ll_word id = tsr_ll_u32(e, 0);
    id.form = LL_EVEN;
    id.shape = (tsr_vshape){.run = e->shapes.full, .tz = 32, .known = true, .stride = 1, .max = e->size - 1};
    return id;
}

static tsr_ll_word source_ids(tsr_ll *e, uint16_t op, tsr_ll_word other)
{
    tsr_ll_word id = lane_ids(e), none = tsr_ll_u32(e, NO_LANE);
    switch (op) {
    case TSR_OP_sg_shuffle_down: {
        tsr_ll_word to = tsr_ll_op2(e, "add", id, other);
        return tsr_ll_select(e, tsr_ll_cmp(e, "icmp ult", to, id), none, to);
    }
    case TSR_OP_sg_shuffle_up:
        return tsr_ll_select(e, tsr_ll_cmp(e, "icmp ugt", other, id), none, tsr_ll_op2(e, "sub", id, other));
    case TSR_OP_sg_shuffle_xor: return tsr_ll_op2(e, "xor", id, other);
    default: return tsr_ll_to_vector(e, other);
    }
}

/* Through memory: the vector is stored and each lane loads its source. */
static tsr_ll_word shuffle_any(tsr_ll *e, tsr_ll_word ids, tsr_ll_word w)
{
    tsr_ll_word zero = tsr_ll_const(e, w.type, 0);
    if (!e->all) w = tsr_ll_select(e, tsr_ll_mask(e), w, zero);
    tsr_ll_put_lanes(e, TSR_LANES_COMPARANDS, tsr_ll_to_bits(e, w));
    tsr_ll_word there = tsr_ll_cmp(e, "icmp ult", ids, tsr_ll_u32(e, e->size));
    tsr_ll_word safe = tsr_ll_op2(e, "shl", tsr_ll_op2(e, "and", ids, tsr_ll_u32(e, e->size - 1)), tsr_ll_u32(e, 2));
    tsr_ll_word r = tsr_ll_gather(e, tsr_ll_lanes_array(e, TSR_LANES_COMPARANDS), safe, 4);
    return tsr_ll_select(e, there, tsr_ll_from_bits(e, r, w.type), zero);
}

static tsr_ll_word move(tsr_ll *e, tsr_id id, tsr_ll_word w)
{
    const tsr_inst *inst = tsr_ll_inst(e, id);
    tsr_ll_word other = tsr_ll_u32(e, 0);
    if (inst->op == TSR_OP_sg_broadcast_first) return tsr_ll_first_active(e, w);
    if (inst->nargs > 1) other = tsr_ll_get(e, tsr_ll_arg(e, id, 1)).words[0];
    if (inst->op == TSR_OP_sg_broadcast && other.is_const) {
        if (other.bits >= e->size) return tsr_ll_const(e, w.type, 0);
        tsr_ll_word x = tsr_ll_lane(e, w, (uint32_t)other.bits);
        return e->all ? x
                      : tsr_ll_select(e, tsr_ll_lane(e, tsr_ll_mask(e), (uint32_t)other.bits), x,
                                      tsr_ll_const(e, w.type, 0));
    }
    if ((other.is_const && other.form == LL_SAME) || inst->nargs == 1)
        return shuffle_const(e, inst->op, (uint32_t)other.bits, w);
    return shuffle_any(e, source_ids(e, inst->op, other), w);
}

void tsr_ll_emit_subgroup(tsr_ll *e, tsr_id id)
{
    const tsr_inst *inst = tsr_ll_inst(e, id);
    uint32_t words = (uint32_t)tsr_shape_type_words(&e->shapes, inst->type);
    tsr_ll_value r = tsr_ll_make(e, words), a = {0};
    tsr_type_kind kind = (tsr_type_kind)tsr_type_scalar(e->types, inst->type);
    if (inst->nargs) a = tsr_ll_get(e, tsr_ll_arg(e, id, 0));
    if (e->failed) return;
    switch (inst->op) {
    case TSR_OP_sg_elect: r.words[0] = elect(e); break;
    case TSR_OP_sg_all:
        r.words[0] = e->all ? a.words[0] : tsr_ll_op2(e, "or", a.words[0], tsr_ll_not(e, tsr_ll_mask(e)));
        r.words[0] = tsr_ll_not(e, tsr_ll_any(e, tsr_ll_not(e, r.words[0])));
        break;
    case TSR_OP_sg_any:
        r.words[0] = tsr_ll_any(e, e->all ? a.words[0] : tsr_ll_op2(e, "and", a.words[0], tsr_ll_mask(e)));
        break;
    case TSR_OP_sg_ballot:
        emit_ballot(e, e->all ? a.words[0] : tsr_ll_op2(e, "and", a.words[0], tsr_ll_mask(e)), &r);
        break;
    case TSR_OP_sg_add:
    case TSR_OP_sg_mul:
    case TSR_OP_sg_min:
    case TSR_OP_sg_max:
    case TSR_OP_sg_and:
    case TSR_OP_sg_or:
    case TSR_OP_sg_xor:
        for (uint32_t w = 0; w < words; w++)
            r.words[w] = reduce(e, tsr_op_repeated((tsr_op)inst->op), kind, a.words[w]);
        break;
    case TSR_OP_sg_inclusive_add:
    case TSR_OP_sg_inclusive_mul:
    case TSR_OP_sg_exclusive_add:
    case TSR_OP_sg_exclusive_mul: {
        bool exclusive = inst->op == TSR_OP_sg_exclusive_add || inst->op == TSR_OP_sg_exclusive_mul;
        for (uint32_t w = 0; w < words; w++)
            r.words[w] = scan(e, tsr_op_repeated((tsr_op)inst->op), kind, exclusive, a.words[w]);
        break;
    }
    default:
        for (uint32_t w = 0; w < words; w++)
            r.words[w] = move(e, id, a.words[w]);
        break;
    }
    tsr_ll_set(e, id, r);
}
