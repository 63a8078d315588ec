/* Arrays as .npy files. Source: NumPy Enhancement Proposal 1 and numpy.lib.format, versions 1.0, 2.0 and 3.0. */
#ifndef CLI_NPY_H
#define CLI_NPY_H

#include "scalar.h"

#define NPY_DIMS_MAX   32 /* numpy's own limit until 2.0 */
#define NPY_HEADER_MAX 1024
#define NPY_WHY_BYTES  256

struct npy {
    enum cli_scalar type;
    unsigned dims;
    uint64_t shape[NPY_DIMS_MAX];
    unsigned char *data; /* C order, this machine's byte order; malloc */
    size_t size_bytes;
};

/* Reads a whole file. False with one sentence in `why` (NPY_WHY_BYTES) when it is none, or one that tessera has no type
 * for; *out is untouched then. Any bytes are safe, and no more memory is taken than the file has bytes. */
bool npy_parse(const unsigned char *file, size_t size_bytes, struct npy *out, char *why);
void npy_fini(struct npy *a);

/* Writes the header of an array (C order) and returns its length, a multiple of 64. */
size_t npy_header(char buf[NPY_HEADER_MAX], enum cli_scalar type, const uint64_t *shape, unsigned dims);

#endif
