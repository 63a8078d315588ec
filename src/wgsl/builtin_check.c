/* Rules of single built-in functions about arguments whose values are known, also when others are not: WGSL makes
 * `clamp(x, 2, 1)` an error whatever x is. The arguments have the parameters' types already. */
#include "base/number.h"
#include "wgsl/overload.h"

#define LANES 128u /* WGSL: no subgroup is larger */
#define QUAD  4u

static unsigned width_of(tsr_wgsl *w, tsr_type type)
{
    unsigned n = tsr_type_width(w->types, type);
    return n == 0 ? 1 : n;
}

/* Component i of a constant; a scalar serves for every i. */
static const tsr_cval *component(tsr_wgsl *w, const tsr_cval *v, unsigned i)
{
    return tsr_type_kind_of(w->types, v->type) == TSR_T_vec ? tsr_cval_part(w, v, i) : v;
}

static double as_f64(const tsr_cval *v)
{
    uint64_t bits = tsr_cval_bits(v);
    switch (v->type) {
    case TSR_T_afloat: return tsr_f64_from_bits(bits);
    case TSR_T_f32: return (double)tsr_f32_from_bits((uint32_t)bits);
    case TSR_T_f16: return (double)tsr_f16_to_f32((uint16_t)bits);
    default: return 0;
    }
}

static int64_t as_i64(const tsr_cval *v)
{
    uint64_t bits = tsr_cval_bits(v);
    switch (v->type) {
    case TSR_T_i32: return (int32_t)(uint32_t)bits;
    case TSR_T_u32: return (int64_t)(uint32_t)bits;
    default: return (int64_t)bits;
    }
}

/* -1, 0 or 1 as a is less than, equal to or greater than b, of one scalar type. */
static int compare(const tsr_cval *a, const tsr_cval *b)
{
    if (a->type == TSR_T_afloat || a->type == TSR_T_f32 || a->type == TSR_T_f16) {
        double x = as_f64(a), y = as_f64(b);
        return x < y ? -1 : x > y;
    }
    int64_t x = as_i64(a), y = as_i64(b);
    return x < y ? -1 : x > y;
}

static const char *print_value(tsr_wgsl *w, const tsr_cval *v)
{
    tsr_text t;
    tsr_text_init(&t, w->arena);
    tsr_cval_print(&t, w, v);
    return tsr_text_get(&t);
}

static bool check_low_high(tsr_wgsl *w, const tsr_operand *low, const tsr_operand *high)
{
    if (low->kind != TSR_O_const || high->kind != TSR_O_const) return true;
    for (unsigned i = 0; i < width_of(w, low->type); i++) {
        const tsr_cval *a = component(w, low->cval, i), *b = component(w, high->cval, i);
        if (compare(a, b) <= 0) continue;
        tsr_error(w->diags, low->span, TSR_E_BUILTIN_RANGE, "`clamp` with low %s greater than high %s; swap the two",
                  print_value(w, a), print_value(w, b));
        return false;
    }
    return true;
}

static bool check_edges(tsr_wgsl *w, const tsr_operand *edge0, const tsr_operand *edge1)
{
    if (edge0->kind != TSR_O_const || edge1->kind != TSR_O_const) return true;
    for (unsigned i = 0; i < width_of(w, edge0->type); i++) {
        const tsr_cval *a = component(w, edge0->cval, i);
        if (compare(a, component(w, edge1->cval, i)) != 0) continue;
        tsr_error(w->diags, edge0->span, TSR_E_BUILTIN_RANGE,
                  "`smoothstep` with both edges %s divides by zero; use `step` for a sharp edge", print_value(w, a));
        return false;
    }
    return true;
}

static bool check_bits(tsr_wgsl *w, const char *name, const tsr_operand *offset, const tsr_operand *count)
{
    const int64_t bits = 32;
    if (offset->kind != TSR_O_const || count->kind != TSR_O_const) return true;
    int64_t o = as_i64(offset->cval), c = as_i64(count->cval);
    if (o + c <= bits) return true;
    tsr_error(w->diags, offset->span, TSR_E_BUILTIN_RANGE,
              "`%s` with offset %lld and count %lld reaches past the 32 bits of its operand", name, (long long)o,
              (long long)c);
    return false;
}

/* ldexp: WGSL allows exponents up to the format's bias + 1. */
static int64_t largest_exponent(tsr_type scalar)
{
    return scalar == TSR_T_f16 ? 16 : scalar == TSR_T_f32 ? 128 : 1024;
}

static bool check_exponent(tsr_wgsl *w, tsr_type scalar, const tsr_operand *exponent)
{
    if (exponent->kind != TSR_O_const) return true;
    for (unsigned i = 0; i < width_of(w, exponent->type); i++) {
        int64_t e = as_i64(component(w, exponent->cval, i));
        if (e <= largest_exponent(scalar)) continue;
        tsr_error(w->diags, exponent->span, TSR_E_BUILTIN_RANGE,
                  "`ldexp` with exponent %lld; the largest for %s is %lld", (long long)e,
                  tsr_type_cstr(w->types, w->arena, scalar), (long long)largest_exponent(scalar));
        return false;
    }
    return true;
}

static bool check_lane(tsr_wgsl *w, const char *name, const tsr_operand *id, uint32_t limit, bool must_be_const)
{
    if (id->kind != TSR_O_const) {
        if (!must_be_const) return true;
        tsr_error(w->diags, id->span, TSR_E_BUILTIN_NOT_CONST,
                  "the second argument of `%s` must be a const-expression%s", name,
                  limit == LANES ? "; `subgroupShuffle` takes any value" : "");
        return false;
    }
    int64_t value = as_i64(id->cval);
    if (value >= 0 && value < (int64_t)limit) return true;
    tsr_error(w->diags, id->span, TSR_E_BUILTIN_RANGE, "the second argument of `%s` is %lld; it must lie in 0 to %u",
              name, (long long)value, limit - 1);
    return false;
}

bool tsr_builtin_check_args(tsr_wgsl *w, const tsr_overload *o, const tsr_operand *args, uint32_t count)
{
    const char *name = o->row->name;
    const bool about_constness = o->row->check == TSR_BC_const_lane || o->row->check == TSR_BC_const_quad;
    if (w->unevaluated != 0 && !about_constness) return true; /* as operators: what is skipped is only typed */
    switch ((tsr_builtin_check)o->row->check) {
    case TSR_BC_low_high: return check_low_high(w, &args[1], &args[2]);
    case TSR_BC_edges: return check_edges(w, &args[0], &args[1]);
    case TSR_BC_bits: return check_bits(w, name, &args[count - 2], &args[count - 1]);
    case TSR_BC_exponent: return check_exponent(w, o->scalar, &args[1]);
    case TSR_BC_lane: return check_lane(w, name, &args[1], LANES, false);
    case TSR_BC_const_lane: return check_lane(w, name, &args[1], LANES, true);
    case TSR_BC_const_quad: return check_lane(w, name, &args[1], QUAD, true);
    default: return true;
    }
}
