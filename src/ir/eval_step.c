/* Overflow inside an op whose result is a number again: WGSL defines mix, fma, smoothstep and % by expressions, and a
 * constant expression that overflows anywhere is an error. */
#include "base/number.h"
#include "ir/eval.h"

#include <math.h>

/* Whether a number lies beyond the largest of the kind, though rounding to f16 might come back to that one. */
static bool is_beyond(tsr_type_kind kind, double x)
{
    if (kind == TSR_T_afloat) return !isfinite(x);
    float rounded = (float)x;
    return kind == TSR_T_f16 ? fabsf(rounded) > (float)TSR_F16_MAX : !isfinite(rounded);
}

bool tsr_eval_step_beyond(tsr_op op, tsr_type_kind kind, const double *v)
{
    double quotient;
    if (kind != TSR_T_afloat && kind != TSR_T_f32 && kind != TSR_T_f16) return false;
    switch (op) {
    case TSR_OP_add: return is_beyond(kind, v[0] + v[1]);
    case TSR_OP_sub: return is_beyond(kind, v[0] - v[1]);
    case TSR_OP_mul: return is_beyond(kind, v[0] * v[1]);
    case TSR_OP_rem:
        if (kind == TSR_T_f16) return false;
        quotient = kind == TSR_T_f32 ? (double)((float)v[0] / (float)v[1]) : v[0] / v[1];
        return is_beyond(kind, quotient) || is_beyond(kind, v[1] * trunc(quotient));
    case TSR_OP_fma: return is_beyond(kind, v[0] * v[1]) || is_beyond(kind, v[0] * v[1] + v[2]);
    case TSR_OP_mix:
        return is_beyond(kind, 1 - v[2]) || is_beyond(kind, v[0] * (1 - v[2])) || is_beyond(kind, v[1] * v[2]) ||
               is_beyond(kind, v[0] * (1 - v[2]) + v[1] * v[2]);
    case TSR_OP_smoothstep:
        return is_beyond(kind, v[2] - v[0]) || is_beyond(kind, v[1] - v[0]) ||
               is_beyond(kind, (v[2] - v[0]) / (v[1] - v[0]));
    default: return false;
    }
}
