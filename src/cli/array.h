/* Arrays that the command line describes: what --bind and --out say after "G,B=". */
#ifndef CLI_ARRAY_H
#define CLI_ARRAY_H

#include "cli.h"
#include "npy.h"

struct cli_array {
    enum cli_scalar type;
    bool raw;            /* bytes of any type: zeros, bytes, struct */
    unsigned char *data; /* malloc */
    size_t size_bytes;
};

/* "zeros:f32:64x64", "iota:...", "random:i8:64x32:SEED", "values:u32:1,2,3", "bytes:0a0b", "struct:u32=5,f32=0.5", or
 * the path of an .npy file. CLI_DONE, or an exit status after a message that begins with `option` ("--bind 0,1=...").
 */
int cli_array_make(const char *spec, const char *option, struct cli_array *out);
void cli_array_fini(struct cli_array *a);

/* "64x64": up to NPY_DIMS_MAX positive sizes or a single 0. False when it is no shape or too large. */
bool cli_parse_shape(const char *s, size_t len, uint64_t *shape, unsigned *dims, uint64_t *elements);

/* "out.npy[:type[:shape]]". The path is a copy: malloc. */
struct cli_out_spec {
    char *path;
    bool has_type, has_shape;
    enum cli_scalar type;
    unsigned dims;
    uint64_t shape[NPY_DIMS_MAX], elements;
};
bool cli_parse_out(const char *s, struct cli_out_spec *out);

#endif
