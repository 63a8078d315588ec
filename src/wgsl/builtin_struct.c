/* The structures that frexp, modf and atomicCompareExchangeWeak return. No program can spell their names; the table of
 * types makes equal ones one type. Source: WGSL, "Built-in Functions". */
#include "wgsl/overload.h"

#include <string.h>

enum struct_kind { STRUCT_frexp, STRUCT_modf, STRUCT_cas, STRUCT_COUNT };

static tsr_type with_width(tsr_wgsl *w, tsr_type scalar, unsigned width)
{
    return width <= 1 ? scalar : tsr_type_vec(w->types, scalar, width);
}

static const char *scalar_suffix(tsr_type scalar)
{
    switch (scalar) {
    case TSR_T_f16: return "f16";
    case TSR_T_f32: return "f32";
    case TSR_T_i32: return "i32";
    case TSR_T_u32: return "u32";
    default: return "abstract";
    }
}

/* "__frexp_result_vec2_f32" */
static tsr_sym struct_name(tsr_wgsl *w, const char *function, tsr_type scalar, unsigned width)
{
    tsr_text t;
    tsr_text_init(&t, w->arena);
    tsr_text_printf(&t, "__%s_result_", function);
    if (width > 1) tsr_text_printf(&t, "vec%u_", width);
    tsr_text_puts(&t, scalar_suffix(scalar));
    return tsr_symbols_add(w->symbols, tsr_text_get(&t), t.len);
}

static tsr_member make_member(tsr_wgsl *w, const char *name, tsr_type type)
{
    tsr_member m;
    memset(&m, 0, sizeof m);
    m.name = tsr_symbols_add(w->symbols, name, strlen(name));
    m.type = type;
    return m;
}

static tsr_type make_struct(tsr_wgsl *w, enum struct_kind kind, tsr_type scalar, unsigned width)
{
    static const char *const function[STRUCT_COUNT] = {"frexp", "modf", "atomic_compare_exchange"};
    tsr_type part = with_width(w, scalar, width), exponent = scalar == TSR_T_afloat ? TSR_T_aint : TSR_T_i32;
    tsr_member m[2];
    switch (kind) {
    case STRUCT_frexp:
        m[0] = make_member(w, "fract", part);
        m[1] = make_member(w, "exp", with_width(w, exponent, width));
        break;
    case STRUCT_modf:
        m[0] = make_member(w, "fract", part);
        m[1] = make_member(w, "whole", part);
        break;
    default:
        m[0] = make_member(w, "old_value", part);
        m[1] = make_member(w, "exchanged", TSR_T_bool);
        break;
    }
    return tsr_type_struct(w->types, struct_name(w, function[kind], scalar, width), m, 2);
}

tsr_type tsr_builtin_struct(tsr_wgsl *w, tsr_op op, tsr_type scalar, unsigned width)
{
    return make_struct(w,
                       op == TSR_OP_frexp  ? STRUCT_frexp
                       : op == TSR_OP_modf ? STRUCT_modf
                                           : STRUCT_cas,
                       scalar, width);
}
