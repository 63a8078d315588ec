/* The scanner and template list discovery, in one pass. WGSL, "Textual Structure" and "Template Lists".
 *
 * Discovery as the spec describes it works on code points before tokens exist; here each token that it cares about
 * does its part as it is read: `<` after a name becomes a candidate, a `>` on the same nesting level closes it, and
 * tokens that cannot stand in an expression drop what is open. */
#include "wgsl/lex.h"

#include "wgsl/unicode_ident.h"

#include <string.h>

#define BATCH_TOKENS     2048u
#define LEAST_BATCH      64u
#define TOKEN_BYTES      8   /* with what is between tokens: a text of shorter ones has several batches */
#define LEAST_NAME_SLOTS 64u /* power of two */
#define FIRST_OPEN       64u
/* A template list of more tokens than this is not looked for: a batch is held in memory as a whole. */
#define OPEN_TOKENS_MAX  (1u << 20)

typedef struct tsr_open_template {
    uint32_t token; /* the `<` */
    uint32_t depth;
} open_template;

/* ---- Characters ---------------------------------------------------------------------------------------------- */

enum { C_START = 1, C_DIGIT = 2, C_HEX = 4, C_BLANK = 8, C_NAME = C_START | C_DIGIT };

#define S C_START
#define H (C_START | C_HEX)
#define D (C_DIGIT | C_HEX)
#define B C_BLANK
static const uint8_t char_class[256] = {
    ['\t'] = B, ['\n'] = B, ['\v'] = B, ['\f'] = B, ['\r'] = B, [' '] = B, ['0'] = D, ['1'] = D, ['2'] = D, ['3'] = D,
    ['4'] = D,  ['5'] = D,  ['6'] = D,  ['7'] = D,  ['8'] = D,  ['9'] = D, ['a'] = H, ['b'] = H, ['c'] = H, ['d'] = H,
    ['e'] = H,  ['f'] = H,  ['g'] = S,  ['h'] = S,  ['i'] = S,  ['j'] = S, ['k'] = S, ['l'] = S, ['m'] = S, ['n'] = S,
    ['o'] = S,  ['p'] = S,  ['q'] = S,  ['r'] = S,  ['s'] = S,  ['t'] = S, ['u'] = S, ['v'] = S, ['w'] = S, ['x'] = S,
    ['y'] = S,  ['z'] = S,  ['_'] = S,  ['A'] = H,  ['B'] = H,  ['C'] = H, ['D'] = H, ['E'] = H, ['F'] = H, ['G'] = S,
    ['H'] = S,  ['I'] = S,  ['J'] = S,  ['K'] = S,  ['L'] = S,  ['M'] = S, ['N'] = S, ['O'] = S, ['P'] = S, ['Q'] = S,
    ['R'] = S,  ['S'] = S,  ['T'] = S,  ['U'] = S,  ['V'] = S,  ['W'] = S, ['X'] = S, ['Y'] = S, ['Z'] = S,
};
#undef S
#undef H
#undef D
#undef B

/* The byte k after the current one; 0 behind the end (the callers look for bytes that are not 0). */
static inline unsigned char peek(const tsr_lexer *lx, uint32_t k)
{
    return k < lx->len - lx->at ? (unsigned char)lx->text[lx->at + k] : 0;
}

static inline unsigned get_class(const tsr_lexer *lx)
{
    return lx->at < lx->len ? char_class[(unsigned char)lx->text[lx->at]] : 0;
}

/* The code point here and its length, 0 when the bytes are no UTF-8. */
static unsigned decode(const tsr_lexer *lx, uint32_t *code)
{
    return tsr_utf8_decode(lx->text + lx->at, lx->len - lx->at, code);
}

/* ---- Tokens -------------------------------------------------------------------------------------------------- */

static void grow_tokens(tsr_lexer *lx)
{
    uint32_t cap = lx->cap * 2;
    tsr_token *grown = TSR_NEW_ARRAY(lx->arena, tsr_token, cap);
    memcpy(grown, lx->tokens, lx->count * sizeof *grown);
    lx->tokens = grown;
    lx->cap = cap;
}

/* Adds the token from `start` to the current byte. */
static inline void add_token(tsr_lexer *lx, tsr_token_kind kind, uint32_t start, uint32_t value)
{
    if (TSR_UNLIKELY(lx->count == lx->cap)) grow_tokens(lx);
    uint32_t len = lx->at - start;
    if (TSR_UNLIKELY(len > TSR_TOKEN_BYTES_MAX)) {
        kind = TSR_TOK_error;
        value = TSR_LEX_token_long;
        len = (uint32_t)TSR_TOKEN_BYTES_MAX;
    }
    lx->tokens[lx->count++] = (tsr_token){.kind = (uint8_t)kind, .len = len & 0xffffffu, .pos = start, .value = value};
}

/* An error after which nothing more is read: the text is not WGSL's encoding. */
static void add_fatal(tsr_lexer *lx, tsr_lex_problem problem, uint32_t pos, uint32_t len)
{
    lx->at = pos + len;
    add_token(lx, TSR_TOK_error, pos, problem);
    lx->at = lx->len;
}

/* ---- Template list discovery --------------------------------------------------------------------------------- */

static void open_candidate(tsr_lexer *lx)
{
    if (lx->open_count == lx->open_cap) {
        uint32_t cap = lx->open_cap ? lx->open_cap * 2 : FIRST_OPEN;
        open_template *grown = TSR_NEW_ARRAY(lx->arena, open_template, cap);
        if (lx->open_count) memcpy(grown, lx->open, lx->open_count * sizeof *grown);
        lx->open = grown;
        lx->open_cap = cap;
    }
    lx->open[lx->open_count++] = (open_template){lx->count, lx->depth};
}

static void close_nested(tsr_lexer *lx)
{
    while (lx->open_count && lx->open[lx->open_count - 1].depth >= lx->depth)
        lx->open_count--;
}

static void leave_expression(tsr_lexer *lx)
{
    lx->open_count = 0;
    lx->depth = 0;
}

/* ---- Comments and blankspace --------------------------------------------------------------------------------- */

/* The length of the line break at a byte of line-ending comment, or 0. CR LF: the CR ends the comment. */
static unsigned is_line_break(const tsr_lexer *lx)
{
    unsigned char c = (unsigned char)lx->text[lx->at];
    if (c >= '\n' && c <= '\r') return 1;
    uint32_t code;
    unsigned n = c < 0x80 ? 0 : decode(lx, &code);
    return n && (code == 0x85 || code == 0x2028 || code == 0x2029) ? n : 0;
}

/* One code point of a comment; false when it may not stand in a text at all (the error token is made). */
static bool skip_comment_code(tsr_lexer *lx)
{
    unsigned char c = (unsigned char)lx->text[lx->at];
    uint32_t code;
    unsigned n = c < 0x80 ? 1 : decode(lx, &code);
    if (n == 0 || c == 0) {
        add_fatal(lx, c == 0 ? TSR_LEX_null : TSR_LEX_utf8, lx->at, 1);
        return false;
    }
    lx->at += n;
    return true;
}

#define EACH_BYTE(c) (UINT64_MAX / 255 * (c)) /* eight of that byte */

/* Eight bytes of plain ASCII at a time while there are so many; a byte below ' ' borrows from the next, which costs no
 * more than a look at each of the eight. */
static void skip_plain_bytes(tsr_lexer *lx)
{
    for (uint64_t bytes; lx->len - lx->at >= sizeof bytes; lx->at += (uint32_t)sizeof bytes) {
        memcpy(&bytes, lx->text + lx->at, sizeof bytes);
        if (((bytes - EACH_BYTE(' ')) | bytes) & EACH_BYTE(0x80)) return;
    }
}

static void skip_line_comment(tsr_lexer *lx)
{
    skip_plain_bytes(lx);
    while (lx->at < lx->len) {
        unsigned char c = (unsigned char)lx->text[lx->at];
        if (c >= ' ' && c < 0x80)
            lx->at++;
        else if (is_line_break(lx) || !skip_comment_code(lx))
            return;
    }
}

static void skip_block_comment(tsr_lexer *lx)
{
    uint32_t start = lx->at, depth = 0;
    do {
        if (lx->at >= lx->len) {
            add_fatal(lx, TSR_LEX_comment, start, 2);
            return;
        }
        if (peek(lx, 0) == '/' && peek(lx, 1) == '*') {
            depth++;
            lx->at += 2;
        } else if (peek(lx, 0) == '*' && peek(lx, 1) == '/') {
            depth--;
            lx->at += 2;
        } else if (!skip_comment_code(lx)) {
            return;
        }
    } while (depth);
}

/* ---- Names --------------------------------------------------------------------------------------------------- */

static const struct word {
    const char *text;
    uint8_t len, kind;
} words[] = {
    {NULL, 0, 0}, /* slot value 0: free */
#define KEYWORD(name)  {#name, sizeof(#name) - 1, TSR_TOK_##name},
#define RESERVED(text) {text, sizeof(text) - 1, TSR_TOK_reserved},
#include "wgsl/token.def"
};

/* The first eight bytes of a text, fewer when it is shorter, as a number: equal for equal texts. `room` bytes may be
 * read from `s` on, which spares short texts a copy byte by byte. */
static inline uint64_t get_head(const char *s, uint32_t len, size_t room)
{
    const union {
        uint16_t word;
        unsigned char first;
    } order = {1};
    uint64_t head = 0;
    if (len >= sizeof head || room >= sizeof head) {
        memcpy(&head, s, sizeof head);
        unsigned excess = len < sizeof head ? 64 - 8 * len : 0;
        return order.first ? head << excess : head >> excess;
    }
    for (uint32_t i = 0; i < len; i++)
        head |= (uint64_t)(unsigned char)s[i] << (order.first ? 64 - 8 * (len - i) : 8 * (len - 1 - i));
    return head;
}

#define HASH_FACTOR 0x9e3779b97f4a7c15u /* 2^64 divided by the golden ratio: Knuth, TAOCP 6.4 */
#define HASH_BITS   10                  /* the highest, which all bits of the text move: enough for both tables */

/* A weak hash, good enough for a cache and for a fixed set of words: of the first eight bytes, the last eight and the
 * length. */
static inline uint32_t hash_text(const char *s, uint32_t len, uint64_t head)
{
    uint64_t tail = 0;
    if (len > sizeof tail) memcpy(&tail, s + len - sizeof tail, sizeof tail);
    return (uint32_t)(((head + tail * 3 + len) * HASH_FACTOR) >> (64 - HASH_BITS));
}

static void fill_words(tsr_lexer *lx)
{
    for (uint32_t i = 1; i < TSR_COUNT_OF(words); i++) {
        uint64_t head = get_head(words[i].text, words[i].len, words[i].len);
        uint32_t slot = hash_text(words[i].text, words[i].len, head) % TSR_KEYWORD_SLOTS;
        while (lx->word_slot[slot])
            slot = (slot + 1) % TSR_KEYWORD_SLOTS;
        lx->word_slot[slot] = (uint8_t)i;
    }
}

/* The kind of a name: a keyword's, reserved, underscore or ident. */
static tsr_token_kind classify_word(const tsr_lexer *lx, const char *s, uint32_t len, uint32_t hash)
{
    if (s[0] == '_') return len == 1 ? TSR_TOK_underscore : s[1] == '_' ? TSR_TOK_reserved : TSR_TOK_ident;
    uint32_t slot = hash % TSR_KEYWORD_SLOTS;
    for (; lx->word_slot[slot]; slot = (slot + 1) % TSR_KEYWORD_SLOTS) {
        const struct word *w = &words[lx->word_slot[slot]];
        if (w->len == len && memcmp(w->text, s, len) == 0) return (tsr_token_kind)w->kind;
    }
    return TSR_TOK_ident;
}

/* What the name at `pos` is. The cache's hash is weak; a miss asks the symbol table, whose hash is not. */
static const tsr_lex_name *find_name(tsr_lexer *lx, uint32_t pos, uint32_t len)
{
    const char *s = lx->text + pos;
    uint64_t head = get_head(s, len, lx->len - pos);
    uint32_t hash = hash_text(s, len, head);
    tsr_lex_name *known = &lx->names[hash & lx->name_mask];
    if (known->head == head && known->len == len && (len <= sizeof head || memcmp(lx->text + known->pos, s, len) == 0))
        return known;
    tsr_token_kind kind = classify_word(lx, s, len, hash);
    bool named = (kind == TSR_TOK_ident || kind == TSR_TOK_reserved) && len <= TSR_TOKEN_BYTES_MAX;
    *known = (tsr_lex_name){head, pos, len, named ? tsr_symbols_add(lx->symbols, s, len) : 0, kind};
    return known;
}

/* The rest of an identifier. */
static void skip_name(tsr_lexer *lx)
{
    for (;;) {
        const char *s = lx->text + lx->at, *end = lx->text + lx->len;
        while (s < end && (char_class[(unsigned char)*s] & C_NAME))
            s++;
        lx->at = (uint32_t)(s - lx->text);
        if (TSR_LIKELY(s == end || (unsigned char)*s < 0x80)) return;
        uint32_t code;
        unsigned n = decode(lx, &code);
        if (n == 0 || !tsr_unicode_xid_continue(code)) return;
        lx->at += n;
    }
}

static void scan_name(tsr_lexer *lx)
{
    uint32_t start = lx->at;
    skip_name(lx);
    const tsr_lex_name *name = find_name(lx, start, lx->at - start);
    add_token(lx, (tsr_token_kind)name->kind, start, name->symbol);
    /* true and false are literals, which no template list follows */
    lx->after_ident = name->kind != TSR_TOK_true && name->kind != TSR_TOK_false && name->kind != TSR_TOK_underscore;
}

/* ---- Numbers ------------------------------------------------------------------------------------------------- */

static uint32_t skip_digits(tsr_lexer *lx, unsigned class)
{
    uint32_t start = lx->at;
    while (get_class(lx) & class)
        lx->at++;
    return lx->at - start;
}

/* e+10, p-3: skipped when complete. */
static bool skip_exponent(tsr_lexer *lx, unsigned char lower)
{
    if ((peek(lx, 0) | 0x20) != lower) return false;
    uint32_t sign = peek(lx, 1) == '+' || peek(lx, 1) == '-';
    if (!(char_class[peek(lx, 1 + sign)] & C_DIGIT)) return false;
    lx->at += 1 + sign;
    skip_digits(lx, C_DIGIT);
    return true;
}

static int skip_suffix(tsr_lexer *lx, const char *allowed)
{
    unsigned char c = peek(lx, 0);
    while (*allowed && (unsigned char)*allowed != c)
        allowed++;
    if (*allowed == 0) return 0;
    lx->at++;
    return c;
}

/* decimal_int_literal, hex_int_literal, decimal_float_literal, hex_float_literal. */
static void scan_number(tsr_lexer *lx)
{
    uint32_t start = lx->at, digits;
    bool hex = peek(lx, 0) == '0' && (peek(lx, 1) | 0x20) == 'x';
    if (hex) lx->at += 2;
    uint32_t whole = skip_digits(lx, hex ? C_HEX : C_DIGIT);
    digits = whole;
    bool point = peek(lx, 0) == '.';
    if (point) {
        lx->at++;
        digits += skip_digits(lx, hex ? C_HEX : C_DIGIT);
    }
    bool exponent = skip_exponent(lx, hex ? 'p' : 'e');
    bool is_float = point || exponent;
    int suffix = skip_suffix(lx, is_float ? (hex && !exponent ? "" : "fh") : (hex ? "iu" : "iufh"));
    is_float = is_float || suffix == 'f' || suffix == 'h';

    uint32_t end = lx->at;
    skip_name(lx);
    if (digits == 0 || lx->at != end)
        add_token(lx, TSR_TOK_error, start, TSR_LEX_number);
    else if (!hex && !point && !exponent && whole > 1 && lx->text[start] == '0')
        add_token(lx, TSR_TOK_error, start, TSR_LEX_leading_zero);
    else
        add_token(lx, is_float ? TSR_TOK_float : TSR_TOK_int, start, (uint32_t)suffix);
}

/* ---- Punctuation --------------------------------------------------------------------------------------------- */

static void add_mark(tsr_lexer *lx, tsr_token_kind kind, uint32_t len)
{
    uint32_t start = lx->at;
    lx->at += len;
    add_token(lx, kind, start, 0);
}

/* An operator that may be followed by '=' or doubled; `doubled` of 0: it cannot. */
static void scan_operator(tsr_lexer *lx, tsr_token_kind plain, tsr_token_kind assign, tsr_token_kind doubled)
{
    unsigned char c = peek(lx, 0), next = peek(lx, 1);
    if (next == '=') {
        leave_expression(lx);
        add_mark(lx, assign, 2);
    } else if (doubled && next == c) {
        if (c == '&' || c == '|') close_nested(lx); /* lower precedence than < and > */
        add_mark(lx, doubled, 2);
    } else {
        add_mark(lx, plain, 1);
    }
}

static void scan_less(tsr_lexer *lx, bool after_ident)
{
    if (peek(lx, 1) == '=') {
        add_mark(lx, TSR_TOK_less_equal, 2);
    } else if (peek(lx, 1) == '<') {
        bool assign = peek(lx, 2) == '=';
        if (assign) leave_expression(lx);
        add_mark(lx, assign ? TSR_TOK_shift_left_equal : TSR_TOK_shift_left, assign ? 3 : 2);
    } else {
        if (after_ident) open_candidate(lx);
        add_mark(lx, TSR_TOK_less, 1);
    }
}

static void scan_greater(tsr_lexer *lx)
{
    if (lx->open_count && lx->open[lx->open_count - 1].depth == lx->depth) {
        lx->tokens[lx->open[--lx->open_count].token].kind = TSR_TOK_template_start;
        add_mark(lx, TSR_TOK_template_end, 1);
    } else if (peek(lx, 1) == '=') {
        add_mark(lx, TSR_TOK_greater_equal, 2);
    } else if (peek(lx, 1) == '>') {
        bool assign = peek(lx, 2) == '=';
        add_mark(lx, assign ? TSR_TOK_shift_right_equal : TSR_TOK_shift_right, assign ? 3 : 2);
    } else {
        add_mark(lx, TSR_TOK_greater, 1);
    }
}

static void scan_equal(tsr_lexer *lx)
{
    if (peek(lx, 1) == '=') {
        add_mark(lx, TSR_TOK_equal_equal, 2);
    } else {
        leave_expression(lx);
        add_mark(lx, TSR_TOK_equal, 1);
    }
}

static void scan_open(tsr_lexer *lx, tsr_token_kind kind)
{
    lx->depth++;
    add_mark(lx, kind, 1);
}

static void scan_close(tsr_lexer *lx, tsr_token_kind kind)
{
    close_nested(lx);
    if (lx->depth) lx->depth--;
    add_mark(lx, kind, 1);
}

/* ;, { and :, which no expression holds. */
static void scan_boundary(tsr_lexer *lx, tsr_token_kind kind)
{
    leave_expression(lx);
    add_mark(lx, kind, 1);
}

static void scan_slash(tsr_lexer *lx, bool after_ident)
{
    if (peek(lx, 1) == '/' || peek(lx, 1) == '*') {
        lx->after_ident = after_ident; /* a comment separates nothing that a blank would not */
        if (peek(lx, 1) == '/')
            skip_line_comment(lx);
        else
            skip_block_comment(lx);
    } else {
        scan_operator(lx, TSR_TOK_slash, TSR_TOK_slash_equal, 0);
    }
}

/* Not ASCII, or no character of the grammar: blankspace, a name, or an error. */
static void scan_other(tsr_lexer *lx, bool after_ident)
{
    uint32_t code = 0, start = lx->at;
    unsigned n = decode(lx, &code);
    if (n == 0 || code == 0) {
        add_fatal(lx, n ? TSR_LEX_null : TSR_LEX_utf8, lx->at, 1);
    } else if (code == 0x85 || code == 0x200e || code == 0x200f || code == 0x2028 || code == 0x2029) {
        lx->at += n;
        lx->after_ident = after_ident;
    } else if (tsr_unicode_xid_start(code)) {
        scan_name(lx);
    } else {
        lx->at += n;
        add_token(lx, TSR_TOK_error, start, TSR_LEX_character);
    }
}

/* Indentation is long: eight spaces at a time, then byte by byte. */
static void skip_blanks(tsr_lexer *lx)
{
    const char *s = lx->text + lx->at, *end = lx->text + lx->len;
    for (uint64_t bytes; end - s >= (ptrdiff_t)sizeof bytes; s += sizeof bytes) {
        memcpy(&bytes, s, sizeof bytes);
        if (bytes != EACH_BYTE(' ')) break;
    }
    while (s < end && char_class[(unsigned char)*s] == C_BLANK)
        s++;
    lx->at = (uint32_t)(s - lx->text);
}

static void scan_token(tsr_lexer *lx)
{
    bool after_ident = lx->after_ident;
    lx->after_ident = false;
    switch (lx->text[lx->at]) {
    case '(': scan_open(lx, TSR_TOK_paren_left); break;
    case '[': scan_open(lx, TSR_TOK_bracket_left); break;
    case ')': scan_close(lx, TSR_TOK_paren_right); break;
    case ']': scan_close(lx, TSR_TOK_bracket_right); break;
    case ';': scan_boundary(lx, TSR_TOK_semicolon); break;
    case '{': scan_boundary(lx, TSR_TOK_brace_left); break;
    case ':': scan_boundary(lx, TSR_TOK_colon); break;
    case '}': add_mark(lx, TSR_TOK_brace_right, 1); break;
    case ',': add_mark(lx, TSR_TOK_comma, 1); break;
    case '@': add_mark(lx, TSR_TOK_at, 1); break;
    case '~': add_mark(lx, TSR_TOK_tilde, 1); break;
    case '<': scan_less(lx, after_ident); break;
    case '>': scan_greater(lx); break;
    case '=': scan_equal(lx); break;
    case '!': add_mark(lx, peek(lx, 1) == '=' ? TSR_TOK_not_equal : TSR_TOK_bang, peek(lx, 1) == '=' ? 2 : 1); break;
    case '&': scan_operator(lx, TSR_TOK_and, TSR_TOK_and_equal, TSR_TOK_and_and); break;
    case '|': scan_operator(lx, TSR_TOK_or, TSR_TOK_or_equal, TSR_TOK_or_or); break;
    case '^': scan_operator(lx, TSR_TOK_xor, TSR_TOK_xor_equal, 0); break;
    case '+': scan_operator(lx, TSR_TOK_plus, TSR_TOK_plus_equal, TSR_TOK_plus_plus); break;
    case '*': scan_operator(lx, TSR_TOK_star, TSR_TOK_star_equal, 0); break;
    case '%': scan_operator(lx, TSR_TOK_percent, TSR_TOK_percent_equal, 0); break;
    case '/': scan_slash(lx, after_ident); break;
    case '-':
        if (peek(lx, 1) == '>')
            add_mark(lx, TSR_TOK_arrow, 2);
        else
            scan_operator(lx, TSR_TOK_minus, TSR_TOK_minus_equal, TSR_TOK_minus_minus);
        break;
    case '.':
        if (char_class[peek(lx, 1)] & C_DIGIT)
            scan_number(lx);
        else
            add_mark(lx, TSR_TOK_period, 1);
        break;
    default: scan_other(lx, after_ident); break;
    }
}

/* ---- Batches ------------------------------------------------------------------------------------------------- */

static void scan_batch(tsr_lexer *lx)
{
    while (lx->count < lx->batch || lx->open_count) {
        if (lx->count >= OPEN_TOKENS_MAX) lx->open_count = 0;
        unsigned class = get_class(lx);
        if (lx->at >= lx->len) break;
        if (class & C_BLANK) {
            skip_blanks(lx);
        } else if (class & C_START) {
            scan_name(lx);
        } else if (class & C_DIGIT) {
            lx->after_ident = false;
            scan_number(lx);
        } else {
            scan_token(lx);
        }
    }
    if (lx->at < lx->len) return;
    add_token(lx, TSR_TOK_end, lx->at, 0);
    lx->open_count = 0;
    lx->done = true;
}

void tsr_lex_more(tsr_lexer *lx, uint32_t used)
{
    lx->count -= used;
    memmove(lx->tokens, lx->tokens + used, lx->count * sizeof *lx->tokens);
    if (!lx->done) scan_batch(lx);
}

/* What can be told from the first bytes. */
static void check_encoding(tsr_lexer *lx)
{
    const unsigned char *s = (const unsigned char *)lx->text;
    if (lx->len >= 3 && s[0] == 0xef && s[1] == 0xbb && s[2] == 0xbf)
        add_fatal(lx, TSR_LEX_bom, 0, 3);
    else if (lx->len >= 2 && ((s[0] == 0xff && s[1] == 0xfe) || (s[0] == 0xfe && s[1] == 0xff)))
        add_fatal(lx, TSR_LEX_utf16, 0, 2);
    else if (lx->len >= 2 && (s[0] == 0) != (s[1] == 0))
        add_fatal(lx, TSR_LEX_utf16, 0, 2);
}

/* The batch and the names, so that a short text touches little memory. */
static void choose_sizes(tsr_lexer *lx, size_t len)
{
    size_t tokens = LEAST_BATCH + len / TOKEN_BYTES;
    lx->batch = tokens < BATCH_TOKENS ? (uint32_t)tokens : BATCH_TOKENS;
    lx->cap = lx->batch + 1;
    uint32_t slots = LEAST_NAME_SLOTS;
    while (slots < TSR_NAME_SLOTS && slots < lx->batch)
        slots *= 2;
    lx->name_mask = slots - 1;
}

void tsr_lex_init(tsr_lexer *lx, tsr_arena *arena, tsr_symbols *symbols, const char *text, size_t len)
{
    *lx = (tsr_lexer){.arena = arena, .symbols = symbols, .text = text};
    choose_sizes(lx, len);
    lx->tokens = TSR_NEW_ARRAY(arena, tsr_token, lx->cap);
    lx->names = TSR_NEW_ARRAY(arena, tsr_lex_name, lx->name_mask + 1);
    fill_words(lx);
    if (len > TSR_SOURCE_BYTES_MAX) {
        add_fatal(lx, TSR_LEX_too_long, 0, 0);
    } else {
        lx->len = (uint32_t)len;
        check_encoding(lx);
    }
    tsr_lex_more(lx, 0);
}

/* ---- Messages ------------------------------------------------------------------------------------------------ */

const char *tsr_token_text(tsr_token_kind kind)
{
    static const char *const text[TSR_TOK_COUNT] = {
#define TOKEN(name, spelling) [TSR_TOK_##name] = spelling,
#define KEYWORD(name)         [TSR_TOK_##name] = #name,
#include "wgsl/token.def"
    };
    return text[kind];
}

static void report_character(const tsr_lexer *lx, const tsr_token *t, tsr_span span, tsr_diags *diags)
{
    const char *s = lx->text + t->pos;
    if (*s == '#')
        tsr_error(diags, span, TSR_E_CHARACTER, "`#` starts nothing in WGSL, which has no preprocessor");
    else if (*s == '?')
        tsr_error(diags, span, TSR_E_CHARACTER, "WGSL has no `?:`; write `select(if_false, if_true, condition)`");
    else if (*s == '"' || *s == '\'')
        tsr_error(diags, span, TSR_E_CHARACTER, "WGSL has no strings; remove the quotation mark");
    else if ((unsigned char)*s < ' ' || *s == 0x7f)
        tsr_error(diags, span, TSR_E_CHARACTER, "control character U+%04X does not belong in WGSL", (unsigned)*s);
    else
        tsr_error(diags, span, TSR_E_CHARACTER, "`%.*s` starts nothing in WGSL; remove it", (int)t->len, s);
}

void tsr_lex_report(const tsr_lexer *lx, const tsr_token *t, tsr_diags *diags)
{
    tsr_span span = {t->pos, t->len};
    const char *s = lx->text + t->pos;
    int shown = t->len > 40 ? 40 : (int)t->len;
    switch ((tsr_lex_problem)t->value) {
    case TSR_LEX_utf8:
        tsr_error(diags, span, TSR_E_TEXT, "byte 0x%02X is not UTF-8 here; WGSL must be saved as UTF-8",
                  (unsigned)(unsigned char)*s);
        break;
    case TSR_LEX_null:
        tsr_error(diags, span, TSR_E_TEXT, "the text holds a null character (U+0000), which WGSL forbids");
        break;
    case TSR_LEX_bom:
        tsr_error(diags, span, TSR_E_TEXT,
                  "the text starts with a byte order mark, which WGSL forbids; save it as UTF-8 without one");
        break;
    case TSR_LEX_utf16:
        tsr_error(diags, span, TSR_E_TEXT, "the text looks like UTF-16; WGSL must be saved as UTF-8");
        break;
    case TSR_LEX_too_long: tsr_error(diags, span, TSR_E_TEXT, "the text is longer than 2 GiB; split it"); break;
    case TSR_LEX_character: report_character(lx, t, span, diags); break;
    case TSR_LEX_comment:
        tsr_error(diags, span, TSR_E_COMMENT, "this comment has no end; each `/*` needs its own `*/` (they nest)");
        break;
    case TSR_LEX_token_long:
        tsr_error(diags, (tsr_span){t->pos, 1}, TSR_E_TEXT, "a name or number of more than 16777215 bytes");
        break;
    case TSR_LEX_number:
        tsr_error(diags, span, TSR_E_NUMBER,
                  "`%.*s%s` is no number of WGSL; suffixes are i and u for integers, f and h for floats", shown, s,
                  shown < (int)t->len ? "..." : "");
        break;
    case TSR_LEX_leading_zero:
        tsr_error(diags, span, TSR_E_NUMBER,
                  "an integer must not start with 0 (there are no octal numbers); remove the zeros");
        break;
    }
}
