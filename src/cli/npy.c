/* Reading and writing .npy files. A file is ten bytes or more of preamble, a Python dictionary as text, and the data.
 * The text is not trusted: nothing of it is believed before the data turn out to be exactly as long as it says. */
#include "npy.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Failing --------------------------------------------------------------------------------------------------- */

static bool fail(char *why, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(why, NPY_WHY_BYTES, fmt, args);
    va_end(args);
    for (char *c = why; *c; c++) /* parts of the file may be quoted: nothing of it may steer a terminal */
        if ((unsigned char)*c < ' ' || (unsigned char)*c >= 0x7f) *c = '?';
    return false;
}

/* ---- The dictionary -------------------------------------------------------------------------------------------- */

struct reader {
    const char *at, *end;
    char *why;
};

struct header {
    bool has_descr, has_order, has_shape;
    bool fortran, swapped;
    enum cli_scalar type;
    unsigned dims;
    uint64_t shape[NPY_DIMS_MAX];
};

static void skip_space(struct reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r'))
        r->at++;
}

static bool take(struct reader *r, char c)
{
    skip_space(r);
    if (r->at == r->end || *r->at != c) return false;
    r->at++;
    return true;
}

/* A Python string without escapes; the quotes are not part of it. */
static bool read_string(struct reader *r, const char **s, size_t *len)
{
    skip_space(r);
    if (r->at == r->end || (*r->at != '\'' && *r->at != '"')) return false;
    char quote = *r->at++;
    *s = r->at;
    while (r->at < r->end && *r->at != quote && *r->at != '\\')
        r->at++;
    if (r->at == r->end || *r->at != quote) return false;
    *len = (size_t)(r->at++ - *s);
    return true;
}

static bool is_text(const char *s, size_t len, const char *word)
{
    return strlen(word) == len && memcmp(s, word, len) == 0;
}

static bool is_big_endian(void)
{
    const uint16_t probe = 1;
    unsigned char first;
    memcpy(&first, &probe, 1);
    return first == 0;
}

/* "<f4": byte order, kind, bytes an element. */
static bool read_descr(struct reader *r, struct header *h)
{
    static const struct {
        char code[3];
        enum cli_scalar type;
    } known[] = {{"f4", CLI_F32}, {"f2", CLI_F16}, {"u4", CLI_U32}, {"i4", CLI_I32},
                 {"u1", CLI_U8},  {"i1", CLI_I8},  {"b1", CLI_U8}};
    const char *s;
    size_t len;
    skip_space(r);
    if (r->at < r->end && *r->at == '[') return fail(r->why, "it holds records (structured dtype); give plain numbers");
    if (!read_string(r, &s, &len)) return fail(r->why, "its header has no readable 'descr'");
    if (len < 2 || strchr("<>|=", s[0]) == NULL)
        return fail(r->why, "its dtype is '%.*s'; tessera reads f4, f2, u4, i4, u1, i1 and b1",
                    (int)(len > 40 ? 40 : len), s);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (!is_text(s + 1, len - 1, known[i].code)) continue;
        h->type = known[i].type;
        h->swapped = cli_scalar_bytes(h->type) > 1 && ((s[0] == '>') != is_big_endian()) && s[0] != '=';
        if (s[0] == '|' && cli_scalar_bytes(h->type) > 1)
            return fail(r->why, "its dtype '%.*s' has no byte order", (int)len, s);
        return true;
    }
    if (is_text(s + 1, len - 1, "f8")) return fail(r->why, "it holds 64-bit floats; save it with .astype('f4')");
    if (is_text(s + 1, len - 1, "i8") || is_text(s + 1, len - 1, "u8"))
        return fail(r->why, "it holds 64-bit integers; save it with .astype('%c4')", s[1]);
    return fail(r->why, "its dtype is '%.*s'; tessera reads f4, f2, u4, i4, u1, i1 and b1", (int)(len > 40 ? 40 : len),
                s);
}

static bool read_bool(struct reader *r, bool *out)
{
    skip_space(r);
    size_t left = (size_t)(r->end - r->at);
    if (left >= 4 && memcmp(r->at, "True", 4) == 0) {
        *out = true;
        r->at += 4;
        return true;
    }
    if (left >= 5 && memcmp(r->at, "False", 5) == 0) {
        *out = false;
        r->at += 5;
        return true;
    }
    return fail(r->why, "its header's 'fortran_order' is neither True nor False");
}

static bool read_number(struct reader *r, uint64_t *out)
{
    skip_space(r);
    if (r->at == r->end || *r->at < '0' || *r->at > '9')
        return fail(r->why, "its header's 'shape' holds what is no size");
    for (*out = 0; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++) {
        if (*out > UINT64_MAX / 10 - 1) return fail(r->why, "its header's 'shape' holds a size beyond 64 bits");
        *out = *out * 10 + (uint64_t)(*r->at - '0');
    }
    if (r->at < r->end && *r->at == 'L') r->at++; /* Python 2 wrote long integers so */
    return true;
}

/* "()", "(3,)" or "(3, 4)". */
static bool read_shape(struct reader *r, struct header *h)
{
    if (!take(r, '(')) return fail(r->why, "its header's 'shape' is no tuple");
    while (!take(r, ')')) {
        if (h->dims == NPY_DIMS_MAX) return fail(r->why, "it has more than %d dimensions", NPY_DIMS_MAX);
        if (!read_number(r, &h->shape[h->dims++])) return false;
        if (take(r, ',')) continue;
        if (!take(r, ')')) return fail(r->why, "its header's 'shape' is not closed");
        break;
    }
    return true;
}

static bool read_entry(struct reader *r, struct header *h)
{
    const char *key;
    size_t len;
    if (!read_string(r, &key, &len) || !take(r, ':')) return fail(r->why, "its header is no Python dictionary");
    bool *seen = is_text(key, len, "descr")           ? &h->has_descr
                 : is_text(key, len, "fortran_order") ? &h->has_order
                 : is_text(key, len, "shape")         ? &h->has_shape
                                                      : NULL;
    if (!seen) return fail(r->why, "its header has an unknown key '%.*s'", (int)(len > 40 ? 40 : len), key);
    if (*seen) return fail(r->why, "its header has '%.*s' twice", (int)len, key);
    *seen = true;
    if (seen == &h->has_descr) return read_descr(r, h);
    return seen == &h->has_order ? read_bool(r, &h->fortran) : read_shape(r, h);
}

static bool read_header(struct reader *r, struct header *h)
{
    if (!take(r, '{')) return fail(r->why, "its header is no Python dictionary");
    while (!take(r, '}')) {
        if (!read_entry(r, h)) return false;
        if (take(r, ',')) continue;
        if (!take(r, '}')) return fail(r->why, "its header is no Python dictionary");
        break;
    }
    skip_space(r);
    if (r->at != r->end) return fail(r->why, "its header goes on after the dictionary");
    if (!h->has_descr) return fail(r->why, "its header has no 'descr'");
    if (!h->has_order) return fail(r->why, "its header has no 'fortran_order'");
    if (!h->has_shape) return fail(r->why, "its header has no 'shape'");
    return true;
}

/* ---- The data -------------------------------------------------------------------------------------------------- */

static bool count_bytes(const struct header *h, uint64_t *elements, uint64_t *size_bytes)
{
    *elements = 1;
    for (unsigned i = 0; i < h->dims; i++)
        if (h->shape[i] == 0) *elements = 0;
    for (unsigned i = 0; *elements && i < h->dims; i++) {
        if (*elements > UINT64_MAX / h->shape[i]) return false;
        *elements *= h->shape[i];
    }
    if (*elements > UINT64_MAX / 8) return false;
    *size_bytes = *elements * cli_scalar_bytes(h->type);
    return true;
}

static void copy_element(unsigned char *to, const unsigned char *from, unsigned bytes, bool swapped)
{
    for (unsigned i = 0; i < bytes; i++)
        to[i] = from[swapped ? bytes - 1 - i : i];
}

/* First index fastest in the file, last index fastest in memory. */
static void copy_fortran(const struct header *h, uint64_t elements, const unsigned char *from, unsigned char *to)
{
    unsigned bytes = cli_scalar_bytes(h->type);
    uint64_t index[NPY_DIMS_MAX] = {0};
    for (uint64_t i = 0; i < elements; i++) {
        uint64_t at = 0;
        for (unsigned d = 0; d < h->dims; d++)
            at = at * h->shape[d] + index[d];
        copy_element(to + at * bytes, from + i * bytes, bytes, h->swapped);
        for (unsigned d = 0; d < h->dims && ++index[d] == h->shape[d]; d++)
            index[d] = 0;
    }
}

static bool copy_data(const struct header *h, const unsigned char *from, uint64_t left, struct npy *out, char *why)
{
    uint64_t elements, size;
    unsigned bytes = cli_scalar_bytes(h->type);
    if (!count_bytes(h, &elements, &size)) return fail(why, "its header's 'shape' is larger than any file");
    if (left < size)
        return fail(why, "it is cut off: its header promises %" PRIu64 " bytes of data and %" PRIu64 " are there", size,
                    left);
    if (left > size)
        return fail(why, "%" PRIu64 " bytes follow the data that its header describes (%" PRIu64 " bytes)", left - size,
                    size);
    unsigned char *data = malloc(size ? (size_t)size : 1);
    if (!data) return fail(why, "there is no memory for its %" PRIu64 " bytes", size);
    if (h->fortran && h->dims > 1)
        copy_fortran(h, elements, from, data);
    else if (!h->swapped)
        memcpy(data, from, (size_t)size);
    else
        for (uint64_t i = 0; i < elements; i++)
            copy_element(data + i * bytes, from + i * bytes, bytes, true);
    *out = (struct npy){.type = h->type, .dims = h->dims, .data = data, .size_bytes = (size_t)size};
    memcpy(out->shape, h->shape, sizeof out->shape);
    return true;
}

bool npy_parse(const unsigned char *file, size_t size_bytes, struct npy *out, char *why)
{
    static const unsigned char magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
    enum { VERSION_AT = 6, LENGTH_AT = 8 };
    if (size_bytes == 0) return fail(why, "it is empty");
    if (size_bytes < sizeof magic || memcmp(file, magic, sizeof magic) != 0) return fail(why, "it is no .npy file");
    if (size_bytes < LENGTH_AT + 2) return fail(why, "it is cut off in its first bytes");
    unsigned version = file[VERSION_AT];
    if (version < 1 || version > 3 || file[VERSION_AT + 1] != 0)
        return fail(why, "its format version is %u.%u; tessera reads 1.0, 2.0 and 3.0", version, file[VERSION_AT + 1]);
    size_t start = version == 1 ? LENGTH_AT + 2 : LENGTH_AT + 4;
    if (size_bytes < start) return fail(why, "it is cut off in its first bytes");
    size_t length = file[LENGTH_AT] | (size_t)file[LENGTH_AT + 1] << 8;
    if (version > 1) length |= (size_t)file[LENGTH_AT + 2] << 16 | (size_t)file[LENGTH_AT + 3] << 24;
    if (length > size_bytes - start)
        return fail(why, "it is cut off: its header should have %zu bytes, and %zu are there", length,
                    size_bytes - start);
    struct reader r = {.at = (const char *)file + start, .end = (const char *)file + start + length, .why = why};
    struct header h = {0};
    if (!read_header(&r, &h)) return false;
    return copy_data(&h, file + start + length, size_bytes - start - length, out, why);
}

void npy_fini(struct npy *a)
{
    free(a->data);
    *a = (struct npy){0};
}

/* ---- Writing --------------------------------------------------------------------------------------------------- */

size_t npy_header(char buf[NPY_HEADER_MAX], enum cli_scalar type, const uint64_t *shape, unsigned dims)
{
    static const char *const code[CLI_SCALAR_COUNT] = {
        [CLI_F32] = "f4", [CLI_F16] = "f2", [CLI_U32] = "u4", [CLI_I32] = "i4", [CLI_U8] = "u1", [CLI_I8] = "i1"};
    enum { START = 10, ALIGN = 64 };
    char order = cli_scalar_bytes(type) == 1 ? '|' : is_big_endian() ? '>' : '<';
    size_t n = START;
    n += (size_t)snprintf(buf + n, NPY_HEADER_MAX - n, "{'descr': '%c%s', 'fortran_order': False, 'shape': (", order,
                          code[type]);
    for (unsigned i = 0; i < dims; i++) /* 32 dimensions of 20 digits fit easily */
        n += (size_t)snprintf(buf + n, NPY_HEADER_MAX - n,
                              i == 0 && dims == 1 ? "%" PRIu64 ","
                              : i                 ? ", %" PRIu64
                                                  : "%" PRIu64,
                              shape[i]);
    n += (size_t)snprintf(buf + n, NPY_HEADER_MAX - n, "), }");
    while ((n + 1) % ALIGN != 0)
        buf[n++] = ' ';
    buf[n++] = '\n';
    memcpy(buf, "\x93NUMPY\x01\x00", 8);
    buf[8] = (char)((n - START) & 0xff);
    buf[9] = (char)((n - START) >> 8);
    return n;
}
