/* Characters of IR text to tokens, one at a time, and the small questions a parser asks about the next one. */
#include "ir/reader.h"

#define SHOWN_MAX 40u /* bytes of a token in a message: enough to know it by */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool tsr_ir_reader_fail(tsr_ir_reader *r, tsr_span span, tsr_diag_code code, const char *fmt, ...)
{
    tsr_text text;
    va_list args;
    if (!r->failed) {
        tsr_text_init(&text, r->arena);
        va_start(args, fmt);
        tsr_text_vprintf(&text, fmt, args);
        va_end(args);
        tsr_error(r->diags, span, code, "%s", tsr_text_get(&text));
    }
    r->failed = true;
    r->pos = r->len;
    r->tok.kind = TSR_IRT_end;
    return false;
}

bool tsr_ir_reader_expected(tsr_ir_reader *r, const char *what)
{
    const tsr_ir_token *t = &r->tok;
    uint32_t shown = t->span.len > SHOWN_MAX ? SHOWN_MAX : t->span.len;
    while (shown > 0 && shown < t->span.len && ((unsigned char)r->text[t->span.pos + shown] & 0xc0u) == 0x80)
        shown--;
    if (t->kind == TSR_IRT_string)
        return tsr_ir_reader_fail(r, t->span, TSR_E_IR_SYNTAX, "expected %s, found a quoted name", what);
    if (t->kind == TSR_IRT_end)
        return tsr_ir_reader_fail(r, t->span, TSR_E_IR_SYNTAX, "expected %s, but the text ends here", what);
    return tsr_ir_reader_fail(r, t->span, TSR_E_IR_SYNTAX, "expected %s, found `%.*s`", what, (int)shown,
                              r->text + t->span.pos);
}

/* Skips blanks and comments; tells whether a line ended. */
static bool skip_space(tsr_ir_reader *r)
{
    bool line_ended = r->pos == 0;
    while (r->pos < r->len) {
        const char c = r->text[r->pos];
        if (c == '/' && r->pos + 1 < r->len && r->text[r->pos + 1] == '/') {
            while (r->pos < r->len && r->text[r->pos] != '\n')
                r->pos++;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
            line_ended |= c == '\n';
            r->pos++;
        } else {
            break;
        }
    }
    return line_ended;
}

static uint32_t ident_end(const tsr_ir_reader *r, uint32_t pos)
{
    uint32_t code;
    while (pos < r->len) {
        const char c = r->text[pos];
        if (is_letter(c) || is_digit(c))
            pos++;
        else if ((unsigned char)c >= 0x80 && tsr_utf8_decode(r->text + pos, r->len - pos, &code) > 0)
            pos += tsr_utf8_decode(r->text + pos, r->len - pos, &code);
        else
            break;
    }
    return pos;
}

/* Digits, letters and dots; a sign after the `e` of a decimal exponent. */
static uint32_t number_end(const tsr_ir_reader *r, uint32_t pos)
{
    const uint32_t first = pos + (r->text[pos] == '-');
    const bool hex = first + 1 < r->len && r->text[first] == '0' && r->text[first + 1] == 'x';
    pos = first;
    while (pos < r->len) {
        const char c = r->text[pos];
        const bool exponent = !hex && pos > first && (r->text[pos - 1] == 'e' || r->text[pos - 1] == 'E');
        if (is_letter(c) || is_digit(c) || c == '.' || (exponent && (c == '-' || c == '+')))
            pos++;
        else
            break;
    }
    return pos;
}

static uint32_t digits_end(const tsr_ir_reader *r, uint32_t pos)
{
    while (pos < r->len && is_digit(r->text[pos]))
        pos++;
    return pos;
}

static void set_token(tsr_ir_reader *r, tsr_ir_token_kind kind, uint32_t end)
{
    tsr_ir_token *t = &r->tok;
    t->kind = kind;
    t->span = (tsr_span){r->pos, end - r->pos};
    t->text = (tsr_str){r->text + r->pos, end - r->pos};
    r->pos = end;
}

static void lex_string(tsr_ir_reader *r)
{
    uint32_t end = r->pos + 1;
    while (end < r->len && r->text[end] != '"' && r->text[end] != '\n')
        end += r->text[end] == '\\' && end + 1 < r->len && r->text[end + 1] != '\n' ? 2 : 1;
    if (end >= r->len || r->text[end] != '"') {
        tsr_ir_reader_fail(r, (tsr_span){r->pos, 1}, TSR_E_IR_SYNTAX, "this quoted name does not end on its line");
        return;
    }
    set_token(r, TSR_IRT_string, end + 1);
    r->tok.text.s++;
    r->tok.text.len -= 2;
}

static void lex_value(tsr_ir_reader *r)
{
    uint32_t end = digits_end(r, r->pos + 1);
    if (end == r->pos + 1) {
        tsr_ir_reader_fail(r, (tsr_span){r->pos, 1}, TSR_E_IR_SYNTAX, "expected the number of a value after `%%`");
        return;
    }
    set_token(r, TSR_IRT_value, end);
    r->tok.text.s++;
    r->tok.text.len--;
}

static void lex_other(tsr_ir_reader *r, char c, char after)
{
    static const char puncts[] = "(){}<>[],:=.@!$#";
    for (const char *p = puncts; *p != '\0'; p++) {
        if (c != *p) continue;
        set_token(r, TSR_IRT_punct, r->pos + 1);
        return;
    }
    if (c == '-' && after == '>') {
        set_token(r, TSR_IRT_arrow, r->pos + 2);
        return;
    }
    tsr_ir_reader_fail(r, (tsr_span){r->pos, 1}, TSR_E_IR_SYNTAX,
                       c > ' ' && c < 0x7f ? "`%c` has no meaning here" : "byte 0x%02x has no meaning here",
                       (unsigned char)c);
}

void tsr_ir_reader_next(tsr_ir_reader *r)
{
    const bool first = skip_space(r);
    const char c = r->pos < r->len ? r->text[r->pos] : '\0';
    const char after = r->pos + 1 < r->len ? r->text[r->pos + 1] : '\0';
    uint32_t end = ident_end(r, r->pos);
    r->tok.first_on_line = first;
    if (r->pos >= r->len) {
        r->tok.kind = TSR_IRT_end;
        r->tok.span = (tsr_span){r->len, 0};
    } else if (is_digit(c) || (c == '-' && is_digit(after))) {
        set_token(r, TSR_IRT_number, number_end(r, r->pos));
    } else if (end > r->pos) {
        set_token(r, TSR_IRT_ident, end);
    } else if (c == '"') {
        lex_string(r);
    } else if (c == '%') {
        lex_value(r);
    } else {
        lex_other(r, c, after);
    }
}

bool tsr_ir_reader_at(const tsr_ir_reader *r, char punct)
{
    return r->tok.kind == TSR_IRT_punct && r->tok.text.s[0] == punct;
}

bool tsr_ir_reader_at_word(const tsr_ir_reader *r, const char *word)
{
    return r->tok.kind == TSR_IRT_ident && tsr_str_is(r->tok.text, word);
}

bool tsr_ir_reader_take(tsr_ir_reader *r, char punct)
{
    if (!tsr_ir_reader_at(r, punct)) return false;
    tsr_ir_reader_next(r);
    return true;
}

bool tsr_ir_reader_take_word(tsr_ir_reader *r, const char *word)
{
    if (!tsr_ir_reader_at_word(r, word)) return false;
    tsr_ir_reader_next(r);
    return true;
}

bool tsr_ir_reader_expect(tsr_ir_reader *r, char punct)
{
    const char what[] = {'`', punct, '`', '\0'};
    if (tsr_ir_reader_take(r, punct)) return !r->failed;
    return tsr_ir_reader_expected(r, what);
}

/* All of `text` as a decimal number below 2^32. */
static bool read_digits(tsr_str text, uint32_t *out)
{
    uint64_t n = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (!is_digit(text.s[i])) return false;
        n = n * 10 + (uint64_t)(text.s[i] - '0');
        if (n > UINT32_MAX) return false;
    }
    *out = (uint32_t)n;
    return text.len > 0;
}

bool tsr_ir_reader_u32(tsr_ir_reader *r, uint32_t *out, const char *what)
{
    if (r->tok.kind != TSR_IRT_number || !read_digits(r->tok.text, out)) return tsr_ir_reader_expected(r, what);
    tsr_ir_reader_next(r);
    return !r->failed;
}

bool tsr_ir_reader_value_number(tsr_ir_reader *r, uint32_t *number, tsr_span *span)
{
    *span = r->tok.span;
    if (r->tok.kind != TSR_IRT_value || !read_digits(r->tok.text, number))
        return tsr_ir_reader_expected(r, "a value such as %1");
    tsr_ir_reader_next(r);
    return !r->failed;
}

static int hex_value(char c)
{
    if (is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}

/* The bytes a quoted name stands for: \" \\ and \xHH. */
static bool unescape(tsr_ir_reader *r, tsr_str quoted, tsr_span span, tsr_sym *out)
{
    char *name = TSR_NEW_ARRAY(r->arena, char, quoted.len + 1);
    size_t len = 0;
    for (size_t i = 0; i < quoted.len; i++) {
        const char c = quoted.s[i];
        const char next = i + 1 < quoted.len ? quoted.s[i + 1] : '\0';
        if (c != '\\') {
            name[len++] = c;
        } else if (next == '"' || next == '\\') {
            name[len++] = next;
            i++;
        } else if (next == 'x' && i + 3 < quoted.len && hex_value(quoted.s[i + 2]) >= 0 &&
                   hex_value(quoted.s[i + 3]) >= 0) {
            name[len++] = (char)(hex_value(quoted.s[i + 2]) * 16 + hex_value(quoted.s[i + 3]));
            i += 3;
        } else {
            return tsr_ir_reader_fail(r, span, TSR_E_IR_SYNTAX, "a quoted name knows only \\\", \\\\ and \\xHH");
        }
    }
    *out = tsr_symbols_add(r->ir->symbols, name, len);
    return true;
}

bool tsr_ir_reader_at_name(const tsr_ir_reader *r)
{
    return r->tok.kind == TSR_IRT_ident || r->tok.kind == TSR_IRT_string;
}

bool tsr_ir_reader_name(tsr_ir_reader *r, tsr_sym *out, const char *what)
{
    const tsr_ir_token t = r->tok;
    if (!tsr_ir_reader_at_name(r)) return tsr_ir_reader_expected(r, what);
    if (t.kind == TSR_IRT_ident)
        *out = tsr_symbols_add(r->ir->symbols, t.text.s, t.text.len);
    else if (!unescape(r, t.text, t.span, out))
        return false;
    tsr_ir_reader_next(r);
    return !r->failed;
}
