/* Computing ops on constants. What each op means stands in ir/eval; here constants become words and words constants,
 * ops that only move parts are done directly, and what a const-expression may not do is reported: overflow of abstract
 * numbers and floats, division by zero, shifts too far, arguments outside a function's domain. */
#include "base/number.h"
#include "wgsl/expr.h"

#include <math.h>
#include <string.h>

/* The widest value with a place in an op: mat4x4; the most operands: insertBits. */
enum { WORDS_MAX = 32, ARGS_MAX = 4 };

typedef union words {
    uint32_t w32[WORDS_MAX];
    uint64_t w64[WORDS_MAX];
} words;

/* ---- What is an error. */

static bool is_integer(tsr_type_kind k)
{
    return k == TSR_T_i32 || k == TSR_T_u32;
}

/* Arithmetic on i32 and u32 wraps, in constants as well (WGSL, "Integer Types"); only a quotient that does not exist is
 * refused. The negative of the least integer is that integer, for abstract ones as well. */
static unsigned errors_of(tsr_op op, tsr_type_kind kind)
{
    unsigned all = TSR_EVAL_OVERFLOW | TSR_EVAL_DIV_ZERO | TSR_EVAL_DOMAIN | TSR_EVAL_SHIFT | TSR_EVAL_RANGE;
    if (op == TSR_OP_neg || op == TSR_OP_abs) return all & ~(unsigned)TSR_EVAL_OVERFLOW;
    if (is_integer(kind) && op != TSR_OP_div && op != TSR_OP_rem) return all & ~(unsigned)TSR_EVAL_OVERFLOW;
    return all;
}

static const char *infix_of(tsr_op op)
{
    switch (op) {
    case TSR_OP_add:
    case TSR_OP_mat_add: return "+";
    case TSR_OP_sub:
    case TSR_OP_mat_sub: return "-";
    case TSR_OP_mul:
    case TSR_OP_mat_mul:
    case TSR_OP_mat_scale: return "*";
    case TSR_OP_div: return "/";
    case TSR_OP_rem: return "%";
    case TSR_OP_shl: return "<<";
    case TSR_OP_shr: return ">>";
    default: return NULL;
    }
}

/* WGSL's name of the built-in function: inverse_sqrt is inverseSqrt. */
static void print_function(tsr_text *out, tsr_op op)
{
    if (op == TSR_OP_quantize_f16) {
        tsr_text_puts(out, "quantizeToF16");
        return;
    }
    const char *name = tsr_op_table[op].name;
    for (const char *p = name; *p != '\0'; p++) {
        bool is_capital = p != name && p[-1] == '_' && *p >= 'a' && *p <= 'z';
        char c = is_capital ? (char)(*p - 'a' + 'A') : *p;
        if (*p != '_') tsr_text_add(out, &c, 1);
    }
}

static const char *print_operation(tsr_wgsl *w, tsr_op op, const tsr_cval *const *args, uint32_t nargs)
{
    tsr_text out;
    tsr_text_init(&out, w->arena);
    const char *infix = nargs == 2 ? infix_of(op) : NULL;
    if (op == TSR_OP_neg) {
        tsr_text_puts(&out, "-(");
    } else if (infix == NULL) {
        print_function(&out, op);
        tsr_text_puts(&out, "(");
    }
    for (uint32_t i = 0; i < nargs; i++) {
        if (i != 0) tsr_text_printf(&out, infix != NULL ? " %s " : "%s ", infix != NULL ? infix : ",");
        tsr_cval_print(&out, w, args[i]);
    }
    if (infix == NULL) tsr_text_puts(&out, ")");
    return tsr_text_get(&out);
}

static unsigned bits_of_kind(tsr_type_kind k)
{
    return k == TSR_T_aint ? 64 : 32;
}

static void report_shift(tsr_wgsl *w, const char *text, const tsr_cval *const *args, uint32_t nargs, tsr_span span)
{
    tsr_type scalar = tsr_type_scalar(w->types, args[0]->type);
    unsigned width = bits_of_kind(tsr_type_kind_of(w->types, scalar));
    bool too_far = nargs == 2 && tsr_type_is_scalar(w->types, args[1]->type) && tsr_cval_bits(args[1]) >= width;
    if (too_far) {
        tsr_error(w->diags, span, TSR_E_EXPR_CONST_EVAL, "`%s` shifts too far: `%s` has %u bits", text,
                  tsr_expr_type_name(w, scalar), width);
    } else {
        tsr_error(w->diags, span, TSR_E_EXPR_CONST_EVAL,
                  "`%s` shifts out bits that matter: the result does not fit `%s`", text,
                  tsr_expr_type_name(w, scalar));
    }
}

static void report(tsr_wgsl *w, unsigned errors, tsr_op op, tsr_type type, const tsr_cval *const *args, uint32_t nargs,
                   tsr_span span)
{
    const char *text = print_operation(w, op, args, nargs);
    tsr_type scalar = tsr_type_scalar(w->types, type);
    const char *name = tsr_expr_type_name(w, scalar != 0 ? scalar : type);
    if (errors & TSR_EVAL_DIV_ZERO) {
        tsr_error(w->diags, span, TSR_E_EXPR_CONST_EVAL, "`%s` divides by zero", text);
    } else if (errors & TSR_EVAL_SHIFT) {
        report_shift(w, text, args, nargs, span);
    } else if (errors & TSR_EVAL_DOMAIN) {
        tsr_error(w->diags, span, TSR_E_EXPR_CONST_EVAL, "`%s` is not defined for these numbers", text);
    } else if (errors & TSR_EVAL_RANGE) {
        tsr_error(w->diags, span, TSR_E_EXPR_CONST_EVAL,
                  "`%s`: an argument is out of the range that this function takes", text);
    } else {
        tsr_error(w->diags, span, TSR_E_EXPR_CONST_EVAL, "`%s` overflows: the result does not fit `%s`", text, name);
    }
}

/* ---- Constants as words and back. */

static bool is_wide(const tsr_types *t, tsr_type scalar)
{
    tsr_type_kind k = tsr_type_kind_of(t, scalar);
    return k == TSR_T_aint || k == TSR_T_afloat;
}

static void put_words(tsr_wgsl *w, const tsr_cval *v, words *out, uint32_t *at)
{
    if (tsr_type_is_scalar(w->types, v->type)) {
        if (*at >= WORDS_MAX) TSR_ICE("constant too wide for an op");
        if (is_wide(w->types, v->type)) {
            out->w64[*at] = tsr_cval_bits(v);
        } else {
            out->w32[*at] = (uint32_t)tsr_cval_bits(v);
        }
        *at += 1;
        return;
    }
    for (uint32_t i = 0; i < v->count; i++)
        put_words(w, tsr_cval_part(w, v, i), out, at);
}

/* Clears *finite when a float among the words is none that a constant may be. */
static const tsr_cval *take_words(tsr_wgsl *w, tsr_type type, const words *in, uint32_t *at, bool *finite)
{
    if (tsr_type_is_scalar(w->types, type)) {
        if (*at >= WORDS_MAX) TSR_ICE("result of an op too wide for a constant");
        uint64_t bits = is_wide(w->types, type) ? in->w64[*at] : in->w32[*at];
        *at += 1;
        const tsr_cval *v = tsr_cval_scalar(w, type, bits);
        if (!tsr_cval_is_finite(w, v)) *finite = false;
        return v;
    }
    const tsr_cval *parts[WORDS_MAX];
    uint32_t count = tsr_type_part_count(w->types, type);
    if (count > WORDS_MAX) TSR_ICE("result of an op too wide for a constant");
    for (uint32_t i = 0; i < count; i++)
        parts[i] = take_words(w, tsr_type_part(w->types, type, i), in, at, finite);
    return tsr_cval_make(w, type, parts, count);
}

/* ---- Component by component. */

/* For scalars. */
static bool has_step_beyond(tsr_wgsl *w, tsr_op op, tsr_type_kind kind, const tsr_cval *const *args, uint32_t nargs)
{
    double v[ARGS_MAX] = {0};
    for (uint32_t i = 0; i < nargs && tsr_type_is_scalar(w->types, args[i]->type); i++)
        v[i] = tsr_cval_number(w, args[i]);
    return tsr_eval_step_beyond(op, kind, v);
}

static const tsr_cval *eval_component(tsr_wgsl *w, tsr_op op, tsr_type type, const tsr_cval *const *args,
                                      uint32_t nargs, tsr_span span)
{
    words in[ARGS_MAX];
    words result;
    const void *pointers[ARGS_MAX];
    for (uint32_t i = 0; i < nargs; i++) {
        uint32_t at = 0;
        put_words(w, args[i], &in[i], &at);
        pointers[i] = &in[i];
    }
    tsr_type_kind kind = tsr_type_kind_of(w->types, args[0]->type);
    /* An abstract integer may be shifted right by any amount (WGSL, "Bit Expressions"). */
    if (op == TSR_OP_shr && kind == TSR_T_aint && in[1].w32[0] > 63) in[1].w32[0] = 63;
    tsr_eval_fn fn = tsr_eval_find(op, kind);
    if (fn == NULL) TSR_ICE("op without a meaning for the kind of its constants");
    memset(&result, 0, sizeof(result));
    unsigned errors = fn(1, pointers, &result) & errors_of(op, kind);
    uint32_t at = 0;
    bool finite = true;
    const tsr_cval *v = take_words(w, type, &result, &at, &finite);
    if (!finite || (errors == 0 && has_step_beyond(w, op, kind, args, nargs))) errors |= TSR_EVAL_OVERFLOW;
    if (op == TSR_OP_quantize_f16 && fabs(tsr_cval_number(w, args[0])) > TSR_F16_MAX) errors |= TSR_EVAL_RANGE;
    if (errors == 0 || w->unevaluated != 0) return v;
    report(w, errors, op, type, args, nargs, span);
    return NULL;
}

static const tsr_cval *eval_components(tsr_wgsl *w, tsr_op op, tsr_type type, const tsr_cval *const *args,
                                       uint32_t nargs, tsr_span span)
{
    if (nargs == 0 || nargs > ARGS_MAX) TSR_ICE("component-wise op with a strange number of operands");
    if (tsr_type_is_scalar(w->types, type)) return eval_component(w, op, type, args, nargs, span);
    const tsr_cval *parts[4];
    uint32_t count = tsr_type_part_count(w->types, type);
    tsr_type scalar = tsr_type_scalar(w->types, type);
    for (uint32_t c = 0; c < count; c++) {
        const tsr_cval *components[ARGS_MAX];
        for (uint32_t i = 0; i < nargs; i++) {
            bool scalar_arg = tsr_type_is_scalar(w->types, args[i]->type);
            components[i] = scalar_arg ? args[i] : tsr_cval_part(w, args[i], c);
        }
        parts[c] = eval_component(w, op, scalar, components, nargs, span);
        if (parts[c] == NULL) return NULL;
    }
    return tsr_cval_make(w, type, parts, count);
}

/* ---- Whole values. */

static bool fits_f16(tsr_wgsl *w, const tsr_cval *vec)
{
    for (uint32_t i = 0; i < tsr_type_part_count(w->types, vec->type); i++)
        if (fabs(tsr_cval_number(w, tsr_cval_part(w, vec, i))) > TSR_F16_MAX) return false;
    return true;
}

static const tsr_cval *eval_wide(tsr_wgsl *w, tsr_op op, tsr_type type, const tsr_cval *const *args, uint32_t nargs,
                                 tsr_span span)
{
    tsr_eval_wide_fn fn = tsr_eval_find_wide(op);
    if (fn == NULL || nargs > ARGS_MAX) TSR_ICE("op that constants cannot compute");
    words in[ARGS_MAX];
    words result;
    const void *pointers[ARGS_MAX];
    tsr_type types[ARGS_MAX];
    for (uint32_t i = 0; i < nargs; i++) {
        uint32_t at = 0;
        put_words(w, args[i], &in[i], &at);
        pointers[i] = &in[i];
        types[i] = args[i]->type;
    }
    memset(&result, 0, sizeof(result));
    tsr_type scalar = tsr_type_scalar(w->types, args[0]->type);
    unsigned errors = fn(w->types, type, types, 1, pointers, &result);
    errors &= errors_of(op, tsr_type_kind_of(w->types, scalar));
    uint32_t at = 0;
    bool finite = true;
    const tsr_cval *v = take_words(w, type, &result, &at, &finite);
    if (!finite) errors |= TSR_EVAL_OVERFLOW;
    if (op == TSR_OP_pack2x16float && !fits_f16(w, args[0])) errors |= TSR_EVAL_RANGE;
    if (errors == 0 || w->unevaluated != 0) return v;
    report(w, errors, op, type, args, nargs, span);
    return NULL;
}

/* ---- Moving parts. */

static const tsr_cval *eval_splat(tsr_wgsl *w, tsr_type type, const tsr_cval *part)
{
    const tsr_cval *parts[4] = {part, part, part, part};
    return tsr_cval_make(w, type, parts, tsr_type_part_count(w->types, type));
}

static const tsr_cval *eval_element(tsr_wgsl *w, tsr_type type, const tsr_cval *v, const tsr_cval *index)
{
    int64_t i = tsr_cval_int(w, index);
    return i < 0 || i >= (int64_t)v->count ? tsr_cval_zero(w, type) : tsr_cval_part(w, v, (uint32_t)i);
}

static const tsr_cval *eval_swizzle(tsr_wgsl *w, tsr_type type, uint32_t aux, const tsr_cval *v)
{
    const tsr_cval *parts[4];
    uint32_t count = tsr_type_part_count(w->types, type);
    for (uint32_t i = 0; i < count; i++)
        parts[i] = tsr_cval_part(w, v, (aux >> (4 * i)) & 0xFu);
    return tsr_cval_make(w, type, parts, count);
}

static const tsr_cval *eval_insert(tsr_wgsl *w, const tsr_cval *v, uint32_t at, const tsr_cval *part)
{
    const tsr_cval **parts = TSR_NEW_ARRAY(w->arena, const tsr_cval *, v->count);
    for (uint32_t i = 0; i < v->count; i++)
        parts[i] = i == at ? part : tsr_cval_part(w, v, i);
    return tsr_cval_adopt(w, v->type, parts, v->count);
}

static const tsr_cval *eval_select(tsr_wgsl *w, tsr_type type, const tsr_cval *const *args)
{
    const tsr_cval *cond = args[2];
    if (tsr_type_is_scalar(w->types, cond->type)) return tsr_cval_bits(cond) != 0 ? args[1] : args[0];
    const tsr_cval *parts[4];
    uint32_t count = tsr_type_part_count(w->types, type);
    for (uint32_t i = 0; i < count; i++) {
        bool second = tsr_cval_bits(tsr_cval_part(w, cond, i)) != 0;
        parts[i] = tsr_cval_part(w, second ? args[1] : args[0], i);
    }
    return tsr_cval_make(w, type, parts, count);
}

/* any (wanted: true) and all (wanted: false): whether a component with that value exists. */
static bool has_component(tsr_wgsl *w, const tsr_cval *v, bool wanted)
{
    if (tsr_type_is_scalar(w->types, v->type)) return (tsr_cval_bits(v) != 0) == wanted;
    for (uint32_t i = 0; i < v->count; i++) {
        if ((tsr_cval_bits(tsr_cval_part(w, v, i)) != 0) == wanted) return true;
    }
    return false;
}

static const tsr_cval *eval_bool(tsr_wgsl *w, bool b)
{
    return tsr_cval_scalar(w, TSR_T_bool, b);
}

/* ---- bitcast: low byte first. */

static unsigned scalar_bytes(const tsr_types *t, tsr_type scalar)
{
    return tsr_type_kind_of(t, scalar) == TSR_T_f16 ? 2 : 4;
}

static void put_bytes(tsr_wgsl *w, const tsr_cval *scalar, unsigned char *bytes, unsigned *at)
{
    uint64_t bits = tsr_cval_bits(scalar);
    for (unsigned i = 0; i < scalar_bytes(w->types, scalar->type); i++)
        bytes[(*at)++] = (unsigned char)(bits >> (8 * i));
}

static const tsr_cval *take_bytes(tsr_wgsl *w, tsr_type scalar, const unsigned char *bytes, unsigned *at)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < scalar_bytes(w->types, scalar); i++)
        bits |= (uint64_t)bytes[(*at)++] << (8 * i);
    return tsr_cval_scalar(w, scalar, bits);
}

static const tsr_cval *eval_bitcast(tsr_wgsl *w, tsr_type type, const tsr_cval *v, tsr_span span)
{
    unsigned char bytes[16] = {0};
    const tsr_cval *parts[4];
    tsr_type scalar = tsr_type_scalar(w->types, type);
    unsigned count = tsr_type_width(w->types, type);
    unsigned at = 0;
    bool is_finite = true;
    if (tsr_type_is_scalar(w->types, v->type)) {
        put_bytes(w, v, bytes, &at);
    } else {
        for (uint32_t i = 0; i < v->count; i++)
            put_bytes(w, tsr_cval_part(w, v, i), bytes, &at);
    }
    at = 0;
    for (unsigned i = 0; i < count; i++) {
        parts[i] = take_bytes(w, scalar, bytes, &at);
        is_finite = is_finite && tsr_cval_is_finite(w, parts[i]);
    }
    if (!is_finite && w->unevaluated == 0) {
        tsr_error(w->diags, span, TSR_E_EXPR_CONST_EVAL,
                  "`bitcast<%s>(%s)` is a NaN or an infinity, which no constant may be", tsr_expr_type_name(w, type),
                  tsr_cval_cstr(w, v));
        return NULL;
    }
    return count == 1 ? parts[0] : tsr_cval_make(w, type, parts, count);
}

const tsr_cval *tsr_cval_eval(tsr_wgsl *w, tsr_op op, tsr_type type, uint32_t aux, const tsr_cval *const *args,
                              uint32_t nargs, tsr_span span)
{
    switch (op) {
    case TSR_OP_zero: return tsr_cval_zero(w, type);
    case TSR_OP_compose: return tsr_cval_fits(w, type, span) ? tsr_cval_make(w, type, args, nargs) : NULL;
    case TSR_OP_splat: return eval_splat(w, type, args[0]);
    case TSR_OP_extract: return tsr_cval_part(w, args[0], aux);
    case TSR_OP_element: return eval_element(w, type, args[0], args[1]);
    case TSR_OP_swizzle: return eval_swizzle(w, type, aux, args[0]);
    case TSR_OP_insert: return eval_insert(w, args[0], aux, args[1]);
    case TSR_OP_select: return eval_select(w, type, args);
    case TSR_OP_any: return eval_bool(w, has_component(w, args[0], true));
    case TSR_OP_all: return eval_bool(w, !has_component(w, args[0], false));
    case TSR_OP_land: return eval_bool(w, tsr_cval_bits(args[0]) != 0 && tsr_cval_bits(args[1]) != 0);
    case TSR_OP_lor: return eval_bool(w, tsr_cval_bits(args[0]) != 0 || tsr_cval_bits(args[1]) != 0);
    case TSR_OP_bitcast: return eval_bitcast(w, type, args[0], span);
    case TSR_OP_convert: return tsr_cval_convert(w, args[0], type, false, span);
    default: break;
    }
    if (tsr_op_table[op].flags & TSR_OPF_COMPS) return eval_components(w, op, type, args, nargs, span);
    return eval_wide(w, op, type, args, nargs, span);
}
