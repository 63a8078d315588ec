/* Text that grows, and pieces of text that do not own their bytes. */
#ifndef TSR_BASE_TEXT_H
#define TSR_BASE_TEXT_H

#include "base/arena.h"
#include "base/compiler.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct tsr_str { /* a view: not NUL-terminated */
    const char *s;
    size_t len;
} tsr_str;

#define TSR_STR(lit) ((tsr_str){(lit), sizeof(lit) - 1})

bool tsr_str_eq(tsr_str a, tsr_str b);
bool tsr_str_is(tsr_str a, const char *cstr);

/* A text buffer. With an arena it grows there; with NULL it grows by malloc, `failed` tells when that ran out, and
 * tsr_text_fini gives it back. `s` is NUL-terminated once anything was added; before, it is NULL. */
typedef struct tsr_text {
    tsr_arena *arena;
    char *s;
    size_t len, cap;
    bool failed;
} tsr_text;

void tsr_text_init(tsr_text *t, tsr_arena *arena);
void tsr_text_fini(tsr_text *t);
void tsr_text_add(tsr_text *t, const char *s, size_t len);
void tsr_text_puts(tsr_text *t, const char *s);
void tsr_text_printf(tsr_text *t, const char *fmt, ...) TSR_PRINTF(2, 3);
void tsr_text_vprintf(tsr_text *t, const char *fmt, va_list args);
/* The text so far, never NULL. */
const char *tsr_text_get(const tsr_text *t);

/* Distance in edits (insert, delete, replace, swap of neighbours), at most `limit` + 1: for "did you mean". */
unsigned tsr_text_distance(tsr_str a, tsr_str b, unsigned limit);

/* Decodes one UTF-8 scalar value at s[0..len). Returns its length in bytes (1 to 4), or 0 when the bytes are not
 * well-formed UTF-8 (overlong, surrogate, above U+10FFFF, truncated). */
unsigned tsr_utf8_decode(const char *s, size_t len, uint32_t *code);

#endif
