/* Text buffers, views, UTF-8, and how far two names are apart. */
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CAP    ((size_t)64)
#define DISTANCE_MAX 64 /* longer names are never compared letter by letter */

bool tsr_str_eq(tsr_str a, tsr_str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.s, b.s, a.len) == 0);
}

bool tsr_str_is(tsr_str a, const char *cstr)
{
    return tsr_str_eq(a, (tsr_str){cstr, strlen(cstr)});
}

void tsr_text_init(tsr_text *t, tsr_arena *arena)
{
    *t = (tsr_text){.arena = arena};
}

void tsr_text_fini(tsr_text *t)
{
    if (!t->arena) free(t->s);
    *t = (tsr_text){.arena = t->arena};
}

/* Makes room for `more` bytes and the NUL; false when malloc gave none. */
static bool reserve(tsr_text *t, size_t more)
{
    if (t->failed) return false;
    if (more > SIZE_MAX / 4 || t->len > SIZE_MAX / 4) {
        if (t->arena) tsr_arena_full(t->arena);
        t->failed = true;
        return false;
    }
    if (t->cap - t->len > more) return true;
    size_t cap = t->cap ? t->cap * 2 : FIRST_CAP;
    while (cap - t->len <= more)
        cap *= 2;
    char *s;
    if (t->arena) {
        s = tsr_arena_alloc(t->arena, cap);
        if (t->len) memcpy(s, t->s, t->len);
    } else {
        s = realloc(t->s, cap);
        if (!s) {
            t->failed = true;
            return false;
        }
    }
    t->s = s;
    t->cap = cap;
    return true;
}

void tsr_text_add(tsr_text *t, const char *s, size_t len)
{
    if (!reserve(t, len)) return;
    if (len) memcpy(t->s + t->len, s, len);
    t->len += len;
    t->s[t->len] = '\0';
}

void tsr_text_puts(tsr_text *t, const char *s)
{
    tsr_text_add(t, s, strlen(s));
}

void tsr_text_printf(tsr_text *t, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    tsr_text_vprintf(t, fmt, args);
    va_end(args);
}

void tsr_text_vprintf(tsr_text *t, const char *fmt, va_list args)
{
    if (!reserve(t, FIRST_CAP)) return;
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(t->s + t->len, t->cap - t->len, fmt, args);
    if (len > 0 && (size_t)len >= t->cap - t->len) {
        t->s[t->len] = '\0';
        if (reserve(t, (size_t)len))
            vsnprintf(t->s + t->len, t->cap - t->len, fmt, again);
        else
            len = 0;
    }
    va_end(again);
    if (len > 0) t->len += (size_t)len;
}

const char *tsr_text_get(const tsr_text *t)
{
    return t->s ? t->s : "";
}

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
    unsigned m = a < b ? a : b;
    return m < c ? m : c;
}

/* The optimal string alignment distance, row by row; the last two rows are enough. */
unsigned tsr_text_distance(tsr_str a, tsr_str b, unsigned limit)
{
    size_t gap = a.len > b.len ? a.len - b.len : b.len - a.len;
    if (gap > limit) return limit + 1;
    if (a.len > DISTANCE_MAX || b.len > DISTANCE_MAX) return tsr_str_eq(a, b) ? 0 : limit + 1;
    unsigned rows[3][DISTANCE_MAX + 1];
    unsigned *before = rows[0], *last = rows[1], *now = rows[2];
    for (size_t j = 0; j <= b.len; j++)
        last[j] = (unsigned)j;
    for (size_t i = 1; i <= a.len; i++) {
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= b.len; j++) {
            unsigned replace = last[j - 1] + (a.s[i - 1] != b.s[j - 1]);
            now[j] = min3(replace, last[j] + 1, now[j - 1] + 1);
            bool swapped = i > 1 && j > 1 && a.s[i - 1] == b.s[j - 2] && a.s[i - 2] == b.s[j - 1];
            if (swapped && before[j - 2] + 1 < now[j]) now[j] = before[j - 2] + 1;
        }
        unsigned *spare = before;
        before = last;
        last = now;
        now = spare;
    }
    return last[b.len] <= limit ? last[b.len] : limit + 1;
}

/* Unicode, section 3.9, table 3-7: well-formed UTF-8 byte sequences. */
unsigned tsr_utf8_decode(const char *s, size_t len, uint32_t *code)
{
    static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
    if (len == 0) return 0;
    unsigned char lead = (unsigned char)s[0];
    if (lead < 0x80) {
        *code = lead;
        return 1;
    }
    unsigned n = lead >= 0xf8 ? 0 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 0;
    if (n == 0 || n > len) return 0;
    uint32_t value = lead & (0x7fu >> n);
    for (unsigned i = 1; i < n; i++) {
        unsigned char next = (unsigned char)s[i];
        if ((next & 0xc0) != 0x80) return 0;
        value = value << 6 | (next & 0x3f);
    }
    if (value < smallest[n] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) return 0;
    *code = value;
    return n;
}
