/* The scalar types of arrays on the command line: what an .npy file and a --bind specification can hold. */
#ifndef CLI_SCALAR_H
#define CLI_SCALAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cli_scalar { CLI_F32 = 0, CLI_F16, CLI_U32, CLI_I32, CLI_U8, CLI_I8, CLI_SCALAR_COUNT };

const char *cli_scalar_name(enum cli_scalar s);
unsigned cli_scalar_bytes(enum cli_scalar s);
bool cli_scalar_is_float(enum cli_scalar s);
/* Name of len bytes; false when it is none. */
bool cli_scalar_find(const char *name, size_t len, enum cli_scalar *out);

/* Rounds to nearest, ties to even; too large becomes infinity. */
uint16_t cli_f16_from_double(double x);
/* Writes one value of the type at `to`, as buffers hold it. False when the value does not fit the type: a fraction for
 * an integer, out of range. */
bool cli_scalar_store(enum cli_scalar s, double value, unsigned char *to);

#endif
