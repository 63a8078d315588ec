/* Numbers that do not fit: f16 results that overflow or are lost, f16 matrix sums that overflow though their result
 * would fit (in the order of the interpreter, or in another one), integer matrix components that wrap. */
#include "exec/sanitize_inside.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Source: IEEE 754 binary16: from 65520 on a number rounds to infinity; below 2^-14 numbers are subnormal. */
#define F16_LIMIT  65520.0
#define F16_NORMAL 0x1p-14

static double f16_value(uint32_t bits)
{
    return tsr_component_to_f64(TSR_F16, &bits);
}

static double number_of(tsr_type_kind kind, uint32_t bits)
{
    float f;
    switch (kind) {
    case TSR_T_f16: return f16_value(bits);
    case TSR_T_i32: return (int32_t)bits;
    case TSR_T_f32: memcpy(&f, &bits, sizeof f); return f;
    default: return bits;
    }
}

/* ---- Ops on scalars and vectors -------------------------------------------------------------------------------- */

static tsr_type_kind kind_of(const tsr_interp *in, tsr_type type)
{
    return tsr_type_kind_of(in->ir->types, tsr_type_scalar(in->ir->types, type));
}

/* Ops that have infinities of their own, not because a number is too large for f16. */
static bool may_be_infinite(uint16_t op)
{
    return op == TSR_OP_log || op == TSR_OP_log2 || op == TSR_OP_inverse_sqrt || op == TSR_OP_atanh || op == TSR_OP_tan;
}

/* The exact result where it is cheap to know; NAN elsewhere. */
static double exact_result(uint16_t op, const double *x)
{
    switch (op) {
    case TSR_OP_mul: return x[0] * x[1];
    case TSR_OP_div: return x[1] == 0 ? (double)NAN : x[0] / x[1];
    case TSR_OP_fma: return x[0] * x[1] + x[2];
    case TSR_OP_convert:
    case TSR_OP_quantize_f16: return x[0];
    default: return (double)NAN;
    }
}

static void check_f16(tsr_worker *w, const tsr_step *s, uint32_t lane, double result, const double *x, uint32_t count)
{
    if (isfinite(result) && fabs(result) >= F16_NORMAL) return;
    for (uint32_t i = 0; i < count; i++)
        if (!isfinite(x[i])) return;
    const char *name = tsr_op_table[s->op].name;
    if (isinf(result)) {
        if (may_be_infinite(s->op) || (s->op == TSR_OP_div && count > 1 && x[1] == 0)) return;
        if (count == 1)
            tsr_san_report(w, TSR_SAN_f16_overflow, lane, s, "f16 overflow: `%s` of %g is above 65504", name, x[0]);
        else if (count > 1)
            tsr_san_report(w, TSR_SAN_f16_overflow, lane, s, "f16 overflow: `%s` of %g and %g is above 65504", name,
                           x[0], x[1]);
        else
            tsr_san_report(w, TSR_SAN_f16_overflow, lane, s, "f16 overflow: `%s` of finite numbers is above 65504",
                           name);
        return;
    }
    double exact = exact_result(s->op, x);
    if (isnan(result) || isnan(exact) || exact == result || exact == 0 || fabs(exact) >= F16_NORMAL) return;
    tsr_san_report(w, TSR_SAN_f16_loss, lane, s, "f16 loss: `%s` gives %g where the exact result is %g", name, result,
                   exact);
}

static void after_f16(tsr_worker *w, const tsr_step *s)
{
    const tsr_eval_types *types = s->more;
    const uint32_t *to = tsr_at(w, s->dst);
    for (uint32_t k = 0; k < s->words; k++) {
        for (uint32_t i = 0; i < w->lanes; i++) {
            double result = number_of(kind_of(w->in, types->result), to[(size_t)k * w->lanes + i]), x[4];
            if (!w->mask[i] || (isfinite(result) && fabs(result) >= F16_NORMAL)) continue;
            for (uint32_t a = 0; a < s->nargs; a++) {
                size_t word = types->arg_words[a] == s->words ? k : 0;
                x[a] = number_of(kind_of(w->in, types->args[a]), tsr_at(w, s->arg[a])[word * w->lanes + i]);
            }
            check_f16(w, s, i, result, x, s->nargs);
        }
    }
}

static bool all_finite(const tsr_worker *w, const tsr_step *s, uint32_t lane)
{
    const tsr_eval_types *types = s->more;
    for (uint32_t a = 0; a < s->nargs; a++) {
        tsr_type_kind kind = kind_of(w->in, types->args[a]);
        for (uint32_t k = 0; k < types->arg_words[a]; k++)
            if (!isfinite(number_of(kind, tsr_at(w, s->arg[a])[(size_t)k * w->lanes + lane]))) return false;
    }
    return true;
}

/* Ops whose components mix: dot, length, products of matrices, packing. */
static void after_f16_wide(tsr_worker *w, const tsr_step *s)
{
    const uint32_t *to = tsr_at(w, s->dst);
    bool packed = s->op == TSR_OP_pack2x16float;
    for (uint32_t i = 0; i < w->lanes; i++) {
        if (!w->mask[i]) continue;
        bool infinite = false;
        for (uint32_t k = 0; k < s->words; k++) {
            uint32_t bits = to[(size_t)k * w->lanes + i];
            infinite = infinite || isinf(f16_value(bits & 0xffffu)) || (packed && isinf(f16_value(bits >> 16)));
        }
        if (infinite && all_finite(w, s, i)) check_f16(w, s, i, (double)INFINITY, NULL, 0);
    }
}

/* ---- Matrix sums ----------------------------------------------------------------------------------------------- */

/* a, b and c as numbers, one behind the other. */
static bool read_numbers(tsr_san *san, const tsr_mma_step *x, const uint32_t *a, const uint32_t *b, const uint32_t *c)
{
    size_t m = x->mma.shape.m, n = x->mma.shape.n, k = x->mma.shape.k, need = m * k + k * n + m * n;
    if (san->number_count < need) {
        double *grown = realloc(san->numbers, need * sizeof *grown);
        if (!grown) return false;
        san->numbers = grown;
        san->number_count = need;
    }
    const uint32_t *const from[3] = {a, b, c};
    const tsr_component component[3] = {x->mma.a, x->mma.b, x->mma.c};
    const size_t count[3] = {m * k, k * n, m * n};
    double *to = san->numbers;
    for (int p = 0; p < 3; p++) {
        unsigned words = tsr_component_words(component[p]);
        for (size_t i = 0; i < count[p]; i++)
            *to++ = tsr_component_is_integer(component[p])
                        ? number_of(tsr_component_is_signed(component[p]) ? TSR_T_i32 : TSR_T_u32, from[p][i])
                        : tsr_component_to_f64(component[p], from[p] + i * words);
    }
    return true;
}

struct sum {
    double exact, positive, negative;
    bool finite;
    double rounded; /* as the reference adds: one rounding to f16 an addition */
    uint32_t overflow_at;
};

static struct sum sum_terms(const tsr_mma_step *x, const double *a, const double *b, double c, uint32_t row,
                            uint32_t col)
{
    uint32_t n = x->mma.shape.n, k = x->mma.shape.k, word;
    struct sum s = {.exact = c, .rounded = c, .finite = isfinite(c), .overflow_at = UINT32_MAX};
    s.positive = c > 0 ? c : 0;
    s.negative = c < 0 ? c : 0;
    for (uint32_t i = 0; i < k; i++) {
        double term = a[(size_t)row * k + i] * b[(size_t)i * n + col];
        s.finite = s.finite && isfinite(term);
        s.exact += term;
        *(term > 0 ? &s.positive : &s.negative) += term;
        tsr_component_from_f64(TSR_F16, s.rounded + term, &word);
        s.rounded = f16_value(word);
        if (s.overflow_at == UINT32_MAX && isinf(s.rounded)) s.overflow_at = i;
    }
    return s;
}

static void check_f16_sum(tsr_worker *w, const tsr_step *s, uint32_t agent, const struct sum *x, uint32_t row,
                          uint32_t col)
{
    if (!x->finite) return;
    if (x->overflow_at != UINT32_MAX)
        tsr_san_report(w, TSR_SAN_f16_sum_overflow, agent, s,
                       "f16 sum of element [%u, %u] overflows at k = %u; its exact result %g %s", row, col,
                       x->overflow_at, x->exact,
                       fabs(x->exact) < F16_LIMIT ? "would fit: keep the sum in f32" : "does not fit either");
    else if (x->positive >= F16_LIMIT || x->negative <= -F16_LIMIT)
        tsr_san_report(
            w, TSR_SAN_f16_sum_order, agent, s,
            "f16 sum of element [%u, %u] is %g here, but its terms add up to %g and %g by sign: another order "
            "of additions overflows",
            row, col, x->exact, x->positive, x->negative);
}

static void integer_range(tsr_component c, double *least, double *most)
{
    unsigned bits = tsr_component_bits(c);
    bool is_signed = tsr_component_is_signed(c);
    *most = ldexp(1, (int)bits - is_signed) - 1;
    *least = is_signed ? -ldexp(1, (int)bits - 1) : 0;
}

/* Sums of products of 32-bit integers may need more bits than a double has: off by far less than what wraps. */
static void check_integer(tsr_worker *w, const tsr_step *s, uint32_t agent, tsr_component c, double exact, uint32_t row,
                          uint32_t col)
{
    double least, most;
    integer_range(c, &least, &most);
    if (exact >= least && exact <= most) return;
    tsr_san_report(w, TSR_SAN_accumulator_wrap, agent, s, "element [%u, %u] is %.0f and wraps: %s holds %.0f to %.0f",
                   row, col, exact, tsr_component_name(c), least, most);
}

void tsr_san_mma(tsr_worker *w, const tsr_step *s, uint32_t lane, const uint32_t *a, const uint32_t *b,
                 const uint32_t *c, const uint32_t *r)
{
    const tsr_mma_step *x = s->more;
    bool integer = tsr_component_is_integer(x->mma.r);
    (void)r;
    if (integer ? !tsr_san_checks(w, TSR_CHECK_WRAP) || x->mma.saturating
                : !tsr_san_checks(w, TSR_CHECK_F16) || x->mma.r != TSR_F16)
        return;
    if (!read_numbers(w->san, x, a, b, c)) return;
    size_t m = x->mma.shape.m, n = x->mma.shape.n, k = x->mma.shape.k;
    const double *left = w->san->numbers, *right = left + m * k, *add = right + k * n;
    uint32_t agent = TSR_SAN_WHOLE | lane / w->in->subgroup_size;
    for (uint32_t i = 0; i < m; i++)
        for (uint32_t j = 0; j < n; j++) {
            struct sum sum = sum_terms(x, left, right, add[i * n + j], i, j);
            if (integer)
                check_integer(w, s, agent, x->mma.r, sum.exact, i, j);
            else
                check_f16_sum(w, s, agent, &sum, i, j);
        }
}

/* ---- Matrix and scalar ----------------------------------------------------------------------------------------- */

/* Component e of the row-major list lies in lane e mod S of the subgroup, as its component e / S. */
static void check_component(tsr_worker *w, const tsr_step *s, uint32_t base, uint32_t k, uint32_t lane, uint32_t scalar)
{
    const tsr_matrix_scalar *x = s->more;
    size_t at = (size_t)k * w->lanes + lane;
    uint32_t e = k * w->in->subgroup_size + lane - base, agent = TSR_SAN_WHOLE | base / w->in->subgroup_size;
    tsr_type_kind kind = tsr_component_is_integer(x->m.component)
                             ? (tsr_component_is_signed(x->m.component) ? TSR_T_i32 : TSR_T_u32)
                             : TSR_T_f16;
    double v[2] = {number_of(kind, tsr_at(w, s->arg[0])[at]),
                   number_of(kind, tsr_component_clamp(x->m.component, scalar))};
    double exact = s->op == TSR_OP_madd ? v[0] + v[1] : s->op == TSR_OP_msub ? v[0] - v[1] : v[0] * v[1];
    if (kind != TSR_T_f16) {
        if (tsr_san_checks(w, TSR_CHECK_WRAP))
            check_integer(w, s, agent, x->m.component, exact, e / x->m.cols, e % x->m.cols);
    } else if (tsr_san_checks(w, TSR_CHECK_F16) && isfinite(v[0]) && isfinite(v[1])) {
        double result = f16_value(tsr_at(w, s->dst)[at]);
        if (isinf(result))
            tsr_san_report(w, TSR_SAN_f16_overflow, agent, s,
                           "f16 overflow: element [%u, %u] of the matrix becomes %g, above 65504", e / x->m.cols,
                           e % x->m.cols, exact);
        else if (fabs(exact) < F16_NORMAL && result != exact)
            tsr_san_report(w, TSR_SAN_f16_loss, agent, s,
                           "f16 loss: element [%u, %u] of the matrix is %g where the exact result is %g", e / x->m.cols,
                           e % x->m.cols, result, exact);
    }
}

static void after_matrix_scalar(tsr_worker *w, const tsr_step *s)
{
    const tsr_matrix_scalar *x = s->more;
    for (uint32_t base = 0; base < w->lanes; base += w->in->subgroup_size) {
        uint32_t first = tsr_san_first(w, base);
        if (first == TSR_SAN_NO_LANE) continue;
        uint32_t scalar = tsr_at(w, s->arg[1])[first];
        for (uint32_t k = 0; k < x->m.words; k++)
            for (uint32_t i = base; i < base + w->in->subgroup_size; i++)
                check_component(w, s, base, k, i, scalar);
    }
}

/* ---- Which steps ----------------------------------------------------------------------------------------------- */

void tsr_san_site_number(const tsr_interp *in, const tsr_step *s, tsr_san_site *site)
{
    bool f16 = (in->checks & TSR_CHECK_F16) != 0, wrap = (in->checks & TSR_CHECK_WRAP) != 0;
    if (s->run == tsr_run_mscalar) {
        tsr_component c = ((const tsr_matrix_scalar *)s->more)->m.component;
        if ((c == TSR_F16 && f16) || (tsr_component_is_integer(c) && wrap)) tsr_san_after(site, after_matrix_scalar);
        return;
    }
    bool by_component = s->run == tsr_run_eval || s->run == tsr_run_eval_mixed;
    if (!f16 || (!by_component && s->run != tsr_run_wide)) return;
    tsr_type_kind result = kind_of(in, ((const tsr_eval_types *)s->more)->result);
    if (by_component && (result == TSR_T_f16 || s->op == TSR_OP_quantize_f16))
        tsr_san_after(site, after_f16);
    else if (s->run == tsr_run_wide && (result == TSR_T_f16 || s->op == TSR_OP_pack2x16float) &&
             s->op != TSR_OP_bitcast && !(tsr_op_table[s->op].flags & TSR_OPF_COMPS))
        tsr_san_after(site, after_f16_wide);
}
