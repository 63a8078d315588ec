/* Scalar types of arrays on the command line. */
#include "scalar.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *name;
    unsigned bytes;
    double least, most; /* integers; 0, 0 for floats */
} table[CLI_SCALAR_COUNT] = {
    [CLI_F32] = {"f32", 4, 0, 0},          [CLI_F16] = {"f16", 2, 0, 0},
    [CLI_U32] = {"u32", 4, 0, UINT32_MAX}, [CLI_I32] = {"i32", 4, INT32_MIN, INT32_MAX},
    [CLI_U8] = {"u8", 1, 0, UINT8_MAX},    [CLI_I8] = {"i8", 1, INT8_MIN, INT8_MAX},
};

const char *cli_scalar_name(enum cli_scalar s)
{
    return table[s].name;
}

unsigned cli_scalar_bytes(enum cli_scalar s)
{
    return table[s].bytes;
}

bool cli_scalar_is_float(enum cli_scalar s)
{
    return s == CLI_F32 || s == CLI_F16;
}

bool cli_scalar_find(const char *name, size_t len, enum cli_scalar *out)
{
    for (int s = 0; s < CLI_SCALAR_COUNT; s++) {
        if (strlen(table[s].name) != len || memcmp(table[s].name, name, len) != 0) continue;
        *out = (enum cli_scalar)s;
        return true;
    }
    return false;
}

/* binary16: 10 bits of fraction, exponents -14 to 15, subnormals below. Source: IEEE 754-2019, table 3.5. */
uint16_t cli_f16_from_double(double x)
{
    enum { FRACTION_BITS = 10, LEAST_EXPONENT = -14, BIAS = 15, INFINITY_BITS = 0x7c00, NAN_BITS = 0x7e00 };
    uint16_t sign = signbit(x) ? 0x8000 : 0;
    double a = fabs(x);
    int exponent;
    if (isnan(x)) return (uint16_t)(sign | NAN_BITS);
    if (a == 0) return sign;
    if (a >= 65520) return (uint16_t)(sign | INFINITY_BITS); /* half-way to the number after the largest, 65504 */
    frexp(a, &exponent);
    exponent--; /* a = 1.f * 2^exponent */
    if (exponent < LEAST_EXPONENT) exponent = LEAST_EXPONENT;
    /* In units of the last place; rint rounds ties to even. A carry into the next exponent adds up by itself. */
    uint32_t units = (uint32_t)rint(ldexp(a, FRACTION_BITS - exponent));
    return (uint16_t)(sign | (units + ((uint32_t)(exponent + BIAS - 1) << FRACTION_BITS)));
}

bool cli_scalar_store(enum cli_scalar s, double value, unsigned char *to)
{
    if (s == CLI_F32) {
        if (isfinite(value) && fabs(value) > 3.4028235677973366e38) return false; /* rounds to infinity from here */
        float f = (float)value;
        memcpy(to, &f, sizeof f);
        return true;
    }
    if (s == CLI_F16) {
        uint16_t bits = cli_f16_from_double(value);
        if (isfinite(value) && (bits & 0x7fff) == 0x7c00) return false;
        memcpy(to, &bits, sizeof bits);
        return true;
    }
    if (!(value >= table[s].least && value <= table[s].most) || floor(value) != value) return false;
    uint32_t word = value < 0 ? (uint32_t)(int32_t)value : (uint32_t)value;
    uint8_t byte = (uint8_t)word;
    if (table[s].bytes == 1)
        memcpy(to, &byte, sizeof byte);
    else
        memcpy(to, &word, sizeof word);
    return true;
}
