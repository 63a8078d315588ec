/* Transcendental functions from + - * /, sqrt and floor alone, in f64: the same bits on every machine, and far inside
 * WGSL's accuracy once rounded to f32 or f16. */
#ifndef TSR_IR_MATH_H
#define TSR_IR_MATH_H

double tsr_math_exp(double x);
double tsr_math_exp2(double x);
double tsr_math_log(double x);
double tsr_math_log2(double x);
double tsr_math_pow(double x, double y);
double tsr_math_sin(double x);
double tsr_math_cos(double x);
double tsr_math_tan(double x);
double tsr_math_asin(double x);
double tsr_math_acos(double x);
double tsr_math_atan(double x);
double tsr_math_atan2(double y, double x);
double tsr_math_sinh(double x);
double tsr_math_cosh(double x);
double tsr_math_tanh(double x);
double tsr_math_asinh(double x);
double tsr_math_acosh(double x);
double tsr_math_atanh(double x);

#endif
