/* Conversions of constants, scalar by scalar. Abstract numbers must fit where they go; between concrete types the rules
 * of a running shader hold (float to integer clamps), except that no constant may become infinite. Sources: WGSL,
 * "Conversion Rank", "Floating Point Conversion", "Value Constructor Built-in Functions". */
#include "base/number.h"
#include "wgsl/expr.h"

#include <float.h>
#include <math.h>

static const tsr_cval *refuse(tsr_wgsl *w, const tsr_cval *v, tsr_type to, tsr_span span)
{
    if (w->unevaluated != 0) return tsr_cval_zero(w, to);
    const char *range = "";
    switch (tsr_type_kind_of(w->types, to)) {
    case TSR_T_i32: range = ", which holds -2147483648 to 2147483647"; break;
    case TSR_T_u32: range = ", which holds 0 to 4294967295"; break;
    case TSR_T_f16: range = ", which holds magnitudes up to 65504"; break;
    case TSR_T_f32: range = ", which holds magnitudes up to 3.4028235e38"; break;
    default: break;
    }
    tsr_error(w->diags, span, TSR_E_EXPR_RANGE, "the value `%s` does not fit `%s`%s", tsr_cval_cstr(w, v),
              tsr_expr_type_name(w, to), range);
    return NULL;
}

static const tsr_cval *finite_or_refuse(tsr_wgsl *w, const tsr_cval *from, tsr_type to, uint64_t bits, tsr_span span)
{
    const tsr_cval *r = tsr_cval_scalar(w, to, bits);
    return tsr_cval_is_finite(w, r) ? r : refuse(w, from, to, span);
}

/* WGSL, "Floating Point Conversion": what lies beyond the largest f16 is an error, also where rounding would come back
 * to it. */
static const tsr_cval *to_f16(tsr_wgsl *w, const tsr_cval *v, double x, tsr_span span)
{
    if (!(fabs(x) <= TSR_F16_MAX)) return refuse(w, v, TSR_T_f16, span);
    return tsr_cval_scalar(w, TSR_T_f16, tsr_f16_from_f64(x));
}

static const tsr_cval *convert_aint(tsr_wgsl *w, const tsr_cval *v, tsr_type to, tsr_span span)
{
    int64_t x = (int64_t)tsr_cval_bits(v);
    switch (tsr_type_kind_of(w->types, to)) {
    case TSR_T_bool: return tsr_cval_scalar(w, to, x != 0);
    case TSR_T_i32:
        if (x < INT32_MIN || x > INT32_MAX) return refuse(w, v, to, span);
        return tsr_cval_scalar(w, to, (uint32_t)x);
    case TSR_T_u32:
        if (x < 0 || x > (int64_t)UINT32_MAX) return refuse(w, v, to, span);
        return tsr_cval_scalar(w, to, (uint32_t)x);
    case TSR_T_f32: return tsr_cval_scalar(w, to, tsr_bits_from_f32((float)x));
    case TSR_T_f16: return to_f16(w, v, (double)x, span);
    case TSR_T_afloat: return tsr_cval_scalar(w, to, tsr_bits_from_f64((double)x));
    default: TSR_ICE("conversion of an abstract integer to a type that is no scalar");
    }
}

static const tsr_cval *convert_afloat(tsr_wgsl *w, const tsr_cval *v, tsr_type to, tsr_span span)
{
    double x = tsr_f64_from_bits(tsr_cval_bits(v));
    double whole = trunc(x);
    switch (tsr_type_kind_of(w->types, to)) {
    case TSR_T_bool: return tsr_cval_scalar(w, to, x != 0.0);
    /* Only i32(...) and u32(...) come here: no float becomes an integer by itself. They clamp, as for f32. */
    case TSR_T_i32:
        return tsr_cval_scalar(w, to, (uint32_t)(int32_t)fmin(fmax(whole, (double)INT32_MIN), (double)INT32_MAX));
    case TSR_T_u32: return tsr_cval_scalar(w, to, (uint32_t)fmin(fmax(whole, 0.0), (double)UINT32_MAX));
    case TSR_T_f32:
        if (!(fabs(x) <= (double)FLT_MAX)) return refuse(w, v, to, span);
        return tsr_cval_scalar(w, to, tsr_bits_from_f32((float)x));
    case TSR_T_f16: return to_f16(w, v, x, span);
    default: TSR_ICE("conversion of an abstract float to a type that it has no conversion to");
    }
}

static const tsr_cval *convert_scalar(tsr_wgsl *w, const tsr_cval *v, tsr_type to, tsr_span span)
{
    tsr_type_kind from_kind = tsr_type_kind_of(w->types, v->type);
    if (from_kind == TSR_T_aint) return convert_aint(w, v, to, span);
    if (from_kind == TSR_T_afloat) return convert_afloat(w, v, to, span);
    tsr_eval_fn fn = tsr_eval_convert(from_kind, tsr_type_kind_of(w->types, to));
    if (fn == NULL) TSR_ICE("conversion of a constant between types that have none");
    uint32_t from_word = (uint32_t)tsr_cval_bits(v);
    if (to == TSR_T_f16 && v->type != TSR_T_bool) return to_f16(w, v, tsr_cval_number(w, v), span);
    uint32_t to_word = 0;
    const void *args[1] = {&from_word};
    fn(1, args, &to_word);
    return finite_or_refuse(w, v, to, to_word, span);
}

static const tsr_cval *convert_parts(tsr_wgsl *w, const tsr_cval *v, tsr_type to, bool automatic, tsr_span span)
{
    const tsr_cval **parts = TSR_NEW_ARRAY(w->arena, const tsr_cval *, v->count);
    for (uint32_t i = 0; i < v->count; i++) {
        parts[i] = tsr_cval_convert(w, v->parts[i], tsr_type_part(w->types, to, i), automatic, span);
        if (parts[i] == NULL) return NULL;
    }
    return tsr_cval_adopt(w, to, parts, v->count);
}

/* An array is converted once to each type, however often it is used. */
static const tsr_cval *convert_array(tsr_wgsl *w, const tsr_cval *v, tsr_type to, bool automatic, tsr_span span)
{
    tsr_constants *c = tsr_constants_get(w);
    uint64_t words[2] = {(uint64_t)(uintptr_t)v, to};
    uint64_t key = tsr_hash_bytes(words, sizeof(words), 0);
    uint32_t known = 0;
    if (tsr_map_find(&c->converted, key, &known)) {
        const tsr_conversion *done = tsr_pool_at(&c->conversions, known);
        if (done->from == v && done->to->type == to) return done->to;
    }
    const tsr_cval *r = convert_parts(w, v, to, automatic, span);
    if (r == NULL) return NULL;
    known = tsr_pool_push(&c->conversions, 1);
    *(tsr_conversion *)tsr_pool_at(&c->conversions, known) = (tsr_conversion){v, r};
    tsr_map_set(&c->converted, key, known);
    return r;
}

const tsr_cval *tsr_cval_convert(tsr_wgsl *w, const tsr_cval *v, tsr_type to, bool automatic, tsr_span span)
{
    if (v->type == to) return v;
    if (v->is_zero) return tsr_cval_zero(w, to);
    if (tsr_type_is_scalar(w->types, v->type)) return convert_scalar(w, v, to, span);
    if (tsr_type_kind_of(w->types, v->type) == TSR_T_array) return convert_array(w, v, to, automatic, span);
    return convert_parts(w, v, to, automatic, span);
}
