/* Number formats: binary16, bfloat16 and the two 8-bit floats as bits, and numbers as text. All conversions round to
 * nearest, ties to even, keep NaN a NaN, and go to infinity (f8e4m3: to NaN) on overflow. */
#ifndef TSR_BASE_NUMBER_H
#define TSR_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TSR_F16_MAX 65504.0 /* the largest f16 */

uint16_t tsr_f16_from_f32(float x);
uint16_t tsr_f16_from_f64(double x); /* one rounding, not two */
float tsr_f16_to_f32(uint16_t bits);
uint16_t tsr_bf16_from_f32(float x);
float tsr_bf16_to_f32(uint16_t bits);
uint8_t tsr_f8e4m3_from_f32(float x);
float tsr_f8e4m3_to_f32(uint8_t bits);
uint8_t tsr_f8e5m2_from_f32(float x);
float tsr_f8e5m2_to_f32(uint8_t bits);

/* a + b with one rounding to f16 (a, b finite f64 that hold f16 values or exact products of two): the f64 sum is
 * rounded to odd first, so that the second rounding is innocent. */
uint16_t tsr_f16_add_exact(double a, double b);

static inline uint32_t tsr_bits_from_f32(float x)
{
    union {
        float f;
        uint32_t u;
    } v = {.f = x};
    return v.u;
}
static inline float tsr_f32_from_bits(uint32_t bits)
{
    union {
        uint32_t u;
        float f;
    } v = {.u = bits};
    return v.f;
}
static inline uint64_t tsr_bits_from_f64(double x)
{
    union {
        double f;
        uint64_t u;
    } v = {.f = x};
    return v.u;
}
static inline double tsr_f64_from_bits(uint64_t bits)
{
    union {
        uint64_t u;
        double f;
    } v = {.u = bits};
    return v.f;
}

/* Shortest decimal text that reads back to the same f64 / f32 / f16; always shows '.', 'e', "inf" or "nan".
 * buf holds at least 40 bytes. Independent of the locale. Returns buf. */
char *tsr_format_f64(char *buf, double x);
char *tsr_format_f32(char *buf, float x);
char *tsr_format_f16(char *buf, uint16_t bits);

/* Reads a decimal or hexadecimal ("0x1.8p3") number that is all of s[0..len), correctly rounded, independent of the
 * locale. Returns false when it is none, or for hexadecimal when the value does not fit f64 exactly. */
bool tsr_parse_f64(const char *s, size_t len, double *out);

#endif
