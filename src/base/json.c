/* A reader of JSON: see json.h. Source: RFC 8259. */
#include "base/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 64, MEMBERS_MAX = 1024, NUMBER_BYTES = 64 };
static const uint64_t whole_max = UINT64_C(1) << 53; /* all whole numbers up to here are doubles */

struct reader {
    tsr_arena *arena;
    const char *s;
    size_t len, at;
    unsigned depth;
    tsr_json_fault *fault;
};

static bool fail(struct reader *r, size_t at, const char *what)
{
    uint32_t line = 1, column = 1;
    for (size_t i = 0; i < at && i < r->len; i++, column++) {
        if (r->s[i] != '\n') continue;
        line++;
        column = 0;
    }
    *r->fault = (tsr_json_fault){.line = line, .column = column};
    snprintf(r->fault->text, sizeof r->fault->text, "%s", what);
    return false;
}

static void skip_space(struct reader *r)
{
    while (r->at < r->len && strchr(" \t\r\n", r->s[r->at]) && r->s[r->at])
        r->at++;
}

static int peek(const struct reader *r)
{
    return r->at < r->len ? (unsigned char)r->s[r->at] : -1;
}

static bool take(struct reader *r, char c)
{
    if (peek(r) != c) return false;
    r->at++;
    return true;
}

/* ---- Strings --------------------------------------------------------------------------------------------------- */

static bool take_hex4(struct reader *r, uint32_t *out)
{
    uint32_t v = 0;
    for (int i = 0; i < 4; i++) {
        int c = peek(r);
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0) return fail(r, r->at, "\\u needs four hexadecimal digits");
        v = v * 16 + (uint32_t)digit;
        r->at++;
    }
    *out = v;
    return true;
}

static size_t put_utf8(char *to, uint32_t c)
{
    if (c < 0x80) {
        to[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        to[0] = (char)(0xc0 | c >> 6);
        to[1] = (char)(0x80 | (c & 0x3f));
        return 2;
    }
    if (c < 0x10000) {
        to[0] = (char)(0xe0 | c >> 12);
        to[1] = (char)(0x80 | (c >> 6 & 0x3f));
        to[2] = (char)(0x80 | (c & 0x3f));
        return 3;
    }
    to[0] = (char)(0xf0 | c >> 18);
    to[1] = (char)(0x80 | (c >> 12 & 0x3f));
    to[2] = (char)(0x80 | (c >> 6 & 0x3f));
    to[3] = (char)(0x80 | (c & 0x3f));
    return 4;
}

/* After "\u": one code unit, or a pair of surrogates. */
static bool take_unicode(struct reader *r, char *to, size_t *n)
{
    uint32_t high, low;
    size_t start = r->at;
    if (!take_hex4(r, &high)) return false;
    if (high == 0) return fail(r, start, "a NUL in a string");
    if (high >= 0xd800 && high < 0xdc00) {
        if (!take(r, '\\') || !take(r, 'u')) return fail(r, start, "half of a surrogate pair");
        if (!take_hex4(r, &low)) return false;
        if (low < 0xdc00 || low > 0xdfff) return fail(r, start, "half of a surrogate pair");
        high = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
    } else if (high >= 0xdc00 && high < 0xe000) {
        return fail(r, start, "half of a surrogate pair");
    }
    *n += put_utf8(to + *n, high);
    return true;
}

static bool take_escape(struct reader *r, char *to, size_t *n)
{
    static const char from[] = "\"\\/bfnrt", meaning[] = "\"\\/\b\f\n\r\t";
    int c = peek(r);
    r->at++;
    if (c == 'u') return take_unicode(r, to, n);
    const char *found = c > 0 ? strchr(from, c) : NULL;
    if (!found) return fail(r, r->at - 1, "an unknown escape in a string");
    to[(*n)++] = meaning[found - from];
    return true;
}

/* Behind the opening quote. */
static const char *take_string(struct reader *r)
{
    size_t start = r->at, end = start, n = 0;
    while (end < r->len && r->s[end] != '"')
        end += r->s[end] == '\\' ? 2 : 1;
    if (end >= r->len) {
        fail(r, start, "a string without end");
        return NULL;
    }
    char *to = tsr_arena_alloc(r->arena, end - start + 1); /* no escape is shorter than what it stands for */
    while (r->at < end) {
        uint32_t code;
        unsigned len = tsr_utf8_decode(r->s + r->at, r->len - r->at, &code);
        if (len == 0 || code < ' ') {
            fail(r, r->at, len ? "a control character in a string" : "a string that is not UTF-8");
            return NULL;
        }
        if (take(r, '\\')) {
            if (!take_escape(r, to, &n)) return NULL;
            continue;
        }
        memcpy(to + n, r->s + r->at, len);
        n += len;
        r->at += len;
    }
    r->at = end + 1;
    return to;
}

/* ---- Numbers and words ----------------------------------------------------------------------------------------- */

static size_t skip_digits(struct reader *r)
{
    size_t start = r->at;
    while (peek(r) >= '0' && peek(r) <= '9')
        r->at++;
    return r->at - start;
}

static bool take_number(struct reader *r, tsr_json *j)
{
    char text[NUMBER_BYTES];
    size_t start = r->at;
    bool negative = take(r, '-'), plain = !negative;
    size_t first = r->at, digits = skip_digits(r);
    if (digits == 0) return fail(r, start, "a value was expected here");
    if (digits > 1 && r->s[first] == '0') return fail(r, start, "a number with a leading zero");
    if (take(r, '.')) {
        plain = false;
        if (!skip_digits(r)) return fail(r, r->at, "digits were expected after the point");
    }
    if (take(r, 'e') || take(r, 'E')) {
        plain = false;
        if (!take(r, '+')) take(r, '-');
        if (!skip_digits(r)) return fail(r, r->at, "digits were expected in the exponent");
    }
    if (r->at - start >= sizeof text) return fail(r, start, "a number of too many digits");
    memcpy(text, r->s + start, r->at - start);
    text[r->at - start] = 0;
    j->kind = TSR_JSON_NUMBER;
    j->number = strtod(text, NULL);
    if (!isfinite(j->number)) return fail(r, start, "a number that is too large");
    j->is_whole = plain && j->number <= (double)whole_max;
    if (j->is_whole) j->whole = (uint64_t)j->number;
    return true;
}

static bool take_word(struct reader *r, tsr_json *j)
{
    static const struct {
        const char *word;
        tsr_json_kind kind;
        bool truth;
    } words[] = {{"null", TSR_JSON_NULL, false}, {"true", TSR_JSON_BOOL, true}, {"false", TSR_JSON_BOOL, false}};
    for (size_t i = 0; i < TSR_COUNT_OF(words); i++) {
        size_t len = strlen(words[i].word);
        if (r->len - r->at < len || memcmp(r->s + r->at, words[i].word, len) != 0) continue;
        j->kind = words[i].kind;
        j->truth = words[i].truth;
        r->at += len;
        return true;
    }
    return take_number(r, j);
}

/* ---- Arrays and objects ---------------------------------------------------------------------------------------- */

static bool take_value(struct reader *r, tsr_json **out);

static bool take_key(struct reader *r, const tsr_json *object, const char **key)
{
    size_t start = r->at;
    skip_space(r);
    if (!take(r, '"')) return fail(r, r->at, "a member's name was expected, in double quotes");
    *key = take_string(r);
    if (!*key) return false;
    if (tsr_json_member(object, *key)) return fail(r, start, "an object has two members of one name");
    skip_space(r);
    return take(r, ':') || fail(r, r->at, "a colon was expected after a member's name");
}

/* Behind the opening bracket. */
static bool take_parts(struct reader *r, tsr_json *j, char close)
{
    tsr_json *last = NULL;
    skip_space(r);
    if (take(r, close)) return true;
    do {
        tsr_json *part;
        const char *key = NULL;
        if (close == '}' && j->count >= MEMBERS_MAX) return fail(r, r->at, "an object of more than 1024 members");
        if (close == '}' && !take_key(r, j, &key)) return false;
        if (!take_value(r, &part)) return false;
        part->key = key;
        if (last)
            last->next = part;
        else
            j->first = part;
        last = part;
        j->count++;
        skip_space(r);
    } while (take(r, ','));
    return take(r, close) || fail(r, r->at, close == '}' ? "a comma or } was expected" : "a comma or ] was expected");
}

static bool take_nested(struct reader *r, tsr_json *j, tsr_json_kind kind, char close)
{
    j->kind = kind;
    if (++r->depth > DEPTH_MAX) return fail(r, r->at, "values nest more than 64 deep");
    bool done = take_parts(r, j, close);
    r->depth--;
    return done;
}

static bool take_value(struct reader *r, tsr_json **out)
{
    skip_space(r);
    tsr_json *j = *out = TSR_NEW(r->arena, tsr_json);
    j->begin = r->at;
    bool done;
    if (take(r, '{')) {
        done = take_nested(r, j, TSR_JSON_OBJECT, '}');
    } else if (take(r, '[')) {
        done = take_nested(r, j, TSR_JSON_ARRAY, ']');
    } else if (take(r, '"')) {
        j->kind = TSR_JSON_STRING;
        j->text = take_string(r);
        done = j->text != NULL;
    } else {
        done = take_word(r, j);
    }
    j->end = r->at;
    return done;
}

tsr_json *tsr_json_parse(tsr_arena *arena, const char *s, size_t len, tsr_json_fault *fault)
{
    struct reader r = {.arena = arena, .s = s, .len = len, .fault = fault};
    tsr_json *j;
    if (!take_value(&r, &j)) return NULL;
    skip_space(&r);
    if (r.at == len) return j;
    fail(&r, r.at, "something stands after the end of the value");
    return NULL;
}

const tsr_json *tsr_json_member(const tsr_json *object, const char *key)
{
    if (!object || object->kind != TSR_JSON_OBJECT) return NULL;
    for (const tsr_json *m = object->first; m; m = m->next)
        if (strcmp(m->key, key) == 0) return m;
    return NULL;
}

const char *tsr_json_kind_name(const tsr_json *j)
{
    static const char *const names[] = {"null", "a truth value", "a number", "a string", "an array", "an object"};
    return j ? names[j->kind] : "nothing";
}
