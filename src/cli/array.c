/* Arrays from a specification: generated, listed, or read from an .npy file. */
#include "array.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Larger arrays are a slip of the finger; also keeps sizes far from overflow. */
#define ARRAY_BYTES_MAX (UINT64_C(1) << 40)

/* ---- Shapes ---------------------------------------------------------------------------------------------------- */

bool cli_parse_shape(const char *s, size_t len, uint64_t *shape, unsigned *dims, uint64_t *elements)
{
    *dims = 0;
    *elements = 1;
    for (size_t at = 0;;) {
        size_t digits = 0;
        while (at + digits < len && s[at + digits] >= '0' && s[at + digits] <= '9')
            digits++;
        if (*dims == NPY_DIMS_MAX || !cli_parse_u64(s + at, digits, &shape[*dims])) return false;
        if (shape[*dims] && *elements > ARRAY_BYTES_MAX / shape[*dims]) return false;
        *elements *= shape[(*dims)++];
        at += digits;
        if (at == len) return true;
        if (s[at++] != 'x') return false;
    }
}

/* ---- Generators ------------------------------------------------------------------------------------------------ */

/* xoshiro256**, seeded by splitmix64. Source: Blackman and Vigna, "Scrambled Linear Pseudorandom Number Generators". */
struct random {
    uint64_t s[4];
};

static uint64_t next_splitmix(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint64_t rotate(uint64_t x, unsigned by)
{
    return x << by | x >> (64 - by);
}

static uint64_t next_random(struct random *r)
{
    uint64_t result = rotate(r->s[1] * 5, 7) * 9, t = r->s[1] << 17;
    r->s[2] ^= r->s[0];
    r->s[3] ^= r->s[1];
    r->s[1] ^= r->s[2];
    r->s[0] ^= r->s[3];
    r->s[2] ^= t;
    r->s[3] = rotate(r->s[3], 45);
    return result;
}

/* Floats: [-1, 1) in steps that the type holds exactly. u8, i8: the whole range; u32: 0 to 255, i32: -128 to 127, so
 * that sums of products stay in range. One draw an element. */
static double random_value(enum cli_scalar type, struct random *r)
{
    uint64_t draw = next_random(r);
    switch (type) {
    case CLI_F32: return (double)(draw >> 40) / (1 << 23) - 1; /* 24 bits */
    case CLI_F16: return (double)(draw >> 53) / (1 << 10) - 1; /* 11 bits */
    case CLI_I8:
    case CLI_I32: return (double)(draw >> 56) - 128;
    default: return (double)(draw >> 56);
    }
}

/* 0, 1, 2, ... as far as the type counts exactly, then again from 0 (i8: from -128 after 127). */
static double iota_value(enum cli_scalar type, uint64_t i)
{
    switch (type) {
    case CLI_F32: return (double)(i & 0xffffff);
    case CLI_F16: return (double)(i & 0x7ff);
    case CLI_U8: return (double)(i & 0xff);
    case CLI_I8: return (double)(int8_t)(uint8_t)i;
    case CLI_U32: return (double)(uint32_t)i;
    default: return (double)(int32_t)(uint32_t)i;
    }
}

enum maker { MAKE_ZEROS, MAKE_IOTA, MAKE_RANDOM };

static void fill(struct cli_array *a, enum maker maker, uint64_t elements, uint64_t seed)
{
    struct random r;
    unsigned bytes = cli_scalar_bytes(a->type);
    for (int i = 0; i < 4; i++)
        r.s[i] = next_splitmix(&seed);
    for (uint64_t i = 0; maker != MAKE_ZEROS && i < elements; i++)
        cli_scalar_store(a->type, maker == MAKE_IOTA ? iota_value(a->type, i) : random_value(a->type, &r),
                         a->data + i * bytes);
}

static int fail_memory(const char *option, uint64_t size)
{
    cli_error("%s: no memory for %llu bytes, once here and once on the device", option, (unsigned long long)size);
    return CLI_ENVIRONMENT;
}

static bool take_field(const char **at, size_t *len)
{
    if (!**at) return false;
    if (**at == ':') ++*at;
    *len = strcspn(*at, ":");
    return true;
}

/* The array and its copy in a buffer. A machine that does not tell its memory has enough until it has not. */
static bool fits_memory(uint64_t size)
{
#ifdef _SC_PHYS_PAGES
    long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page_bytes > 0) return size <= (uint64_t)pages * (uint64_t)page_bytes / 2;
#endif
    (void)size;
    return true;
}

/* What stands behind the shape: nothing, or of random ":SEED". */
static bool read_seed(enum maker maker, const char *at, const char *option, uint64_t *seed)
{
    if (!*at) return true;
    if (maker != MAKE_RANDOM) {
        cli_error("%s: \"%s\" is too much; only random takes a seed", option, at);
        return false;
    }
    if (cli_parse_u64(at + 1, strlen(at + 1), seed)) return true;
    cli_error("%s: the seed \"%s\" must be a whole number from 0 to 18446744073709551615", option, at + 1);
    return false;
}

/* "TYPE:SHAPE" or, for random, "TYPE:SHAPE:SEED". */
static int make_generated(enum maker maker, const char *at, const char *option, struct cli_array *out)
{
    uint64_t shape[NPY_DIMS_MAX], elements, seed = 0;
    unsigned dims;
    size_t len;
    if (!take_field(&at, &len) || !cli_scalar_find(at, len, &out->type)) {
        cli_error("%s: the type must be f32, f16, u32, i32, u8 or i8, as in zeros:f32:4096", option);
        return CLI_BAD_COMMAND;
    }
    at += len;
    if (!take_field(&at, &len) || !cli_parse_shape(at, len, shape, &dims, &elements) ||
        elements * cli_scalar_bytes(out->type) > ARRAY_BYTES_MAX) {
        cli_error("%s: the shape must be sizes with x between, as in 64x64, of at most 2^40 bytes together", option);
        return CLI_BAD_COMMAND;
    }
    at += len;
    if (!read_seed(maker, at, option, &seed)) return CLI_BAD_COMMAND;
    out->size_bytes = (size_t)(elements * cli_scalar_bytes(out->type));
    if (!fits_memory(out->size_bytes)) return fail_memory(option, out->size_bytes);
    out->data = calloc(1, out->size_bytes + 1);
    if (!out->data) return fail_memory(option, out->size_bytes);
    out->raw = maker == MAKE_ZEROS;
    fill(out, maker, elements, seed);
    return CLI_DONE;
}

/* ---- Lists ----------------------------------------------------------------------------------------------------- */

/* At most one value for each byte of the text, each of at most 4 bytes and 3 of padding. */
static bool reserve_list(const char *text, struct cli_array *out)
{
    out->data = calloc(strlen(text) + 2, 8);
    return out->data != NULL;
}

static int fail_value(const char *option, const char *at, size_t len, enum cli_scalar type)
{
    cli_error("%s: \"%.*s\" is no value of type %s", option, (int)len, at, cli_scalar_name(type));
    return CLI_BAD_COMMAND;
}

/* "TYPE:V,V,V". */
static int make_values(const char *at, const char *option, struct cli_array *out)
{
    size_t len = strcspn(at, ":");
    double value;
    if (!cli_scalar_find(at, len, &out->type) || !at[len]) {
        cli_error("%s: values need a type first, as in values:u32:1,2,3", option);
        return CLI_BAD_COMMAND;
    }
    at += len;
    if (!reserve_list(at, out)) return fail_memory(option, strlen(at));
    do {
        at++;
        len = strcspn(at, ",");
        if (!cli_parse_number(at, len, &value) || !cli_scalar_store(out->type, value, out->data + out->size_bytes))
            return fail_value(option, at, len, out->type);
        out->size_bytes += cli_scalar_bytes(out->type);
        at += len;
    } while (*at);
    return CLI_DONE;
}

/* "TYPE=V,TYPE=V": each value at the next multiple of its size, as WGSL lays out scalars in a struct. */
static int make_struct(const char *at, const char *option, struct cli_array *out)
{
    double value;
    out->type = CLI_U8;
    out->raw = true;
    if (!reserve_list(at, out)) return fail_memory(option, strlen(at));
    for (at--; at[0];) {
        enum cli_scalar type;
        size_t len = strcspn(++at, "=,");
        if (at[len] != '=' || !cli_scalar_find(at, len, &type)) {
            cli_error("%s: a struct is TYPE=VALUE,TYPE=VALUE, as in struct:u32=5,f32=0.5", option);
            return CLI_BAD_COMMAND;
        }
        at += len + 1;
        len = strcspn(at, ",");
        unsigned bytes = cli_scalar_bytes(type);
        size_t to = (out->size_bytes + bytes - 1) / bytes * bytes;
        if (!cli_parse_number(at, len, &value) || !cli_scalar_store(type, value, out->data + to))
            return fail_value(option, at, len, type);
        out->size_bytes = to + bytes;
        at += len;
    }
    return CLI_DONE;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static int make_bytes(const char *at, const char *option, struct cli_array *out)
{
    out->type = CLI_U8;
    out->raw = true;
    if (!reserve_list(at, out)) return fail_memory(option, strlen(at));
    for (; *at; at += 2) {
        int high = hex_digit(at[0]), low = high < 0 ? -1 : hex_digit(at[1]);
        if (low < 0) {
            cli_error("%s: bytes are pairs of hexadecimal digits, as in bytes:0a0b0c0d", option);
            return CLI_BAD_COMMAND;
        }
        out->data[out->size_bytes++] = (unsigned char)(high * 16 + low);
    }
    return CLI_DONE;
}

/* ---- Files ----------------------------------------------------------------------------------------------------- */

static int read_npy(const char *path, const char *option, struct cli_array *out)
{
    struct cli_bytes file;
    struct npy array;
    char why[NPY_WHY_BYTES];
    int status = cli_read_file(path, CLI_NPY, ARRAY_BYTES_MAX, &file);
    if (status != CLI_DONE) return status;
    bool good = npy_parse(file.data, file.size_bytes, &array, why);
    free(file.data);
    if (!good) {
        cli_error("%s: %s", option, why);
        return CLI_BAD_INPUT;
    }
    *out = (struct cli_array){.type = array.type, .data = array.data, .size_bytes = array.size_bytes};
    return CLI_DONE;
}

int cli_array_make(const char *spec, const char *option, struct cli_array *out)
{
    static const char *const kind[] = {"zeros:", "iota:", "random:", "values:", "struct:", "bytes:"};
    size_t k = 0, count = sizeof kind / sizeof *kind;
    *out = (struct cli_array){0};
    while (k < count && strncmp(spec, kind[k], strlen(kind[k])) != 0)
        k++;
    if (k == count) return read_npy(spec, option, out);
    const char *rest = spec + strlen(kind[k]);
    int status = k <= MAKE_RANDOM ? make_generated((enum maker)k, rest, option, out)
                 : k == 3         ? make_values(rest, option, out)
                 : k == 4         ? make_struct(rest, option, out)
                                  : make_bytes(rest, option, out);
    if (status != CLI_DONE) cli_array_fini(out);
    return status;
}

void cli_array_fini(struct cli_array *a)
{
    free(a->data);
    *a = (struct cli_array){0};
}

/* ---- Outputs --------------------------------------------------------------------------------------------------- */

/* The last ':' before `end`, NULL when there is none. */
static const char *find_colon(const char *s, const char *end)
{
    while (end > s)
        if (*--end == ':') return end;
    return NULL;
}

bool cli_parse_out(const char *s, struct cli_out_spec *out)
{
    const char *end = s + strlen(s), *last = find_colon(s, end);
    *out = (struct cli_out_spec){0};
    if (last && cli_scalar_find(last + 1, (size_t)(end - last - 1), &out->type)) {
        out->has_type = true;
        end = last;
    } else if (last) {
        const char *before = find_colon(s, last);
        if (before && cli_scalar_find(before + 1, (size_t)(last - before - 1), &out->type)) {
            if (!cli_parse_shape(last + 1, (size_t)(end - last - 1), out->shape, &out->dims, &out->elements))
                return false;
            out->has_type = out->has_shape = true;
            end = before;
        }
    }
    if (end == s) return false;
    out->path = malloc((size_t)(end - s) + 1);
    if (!out->path) return false;
    memcpy(out->path, s, (size_t)(end - s));
    out->path[end - s] = 0;
    return true;
}
