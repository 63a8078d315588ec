/* How libFuzzer changes WGSL: by pieces of the language (expressions, statements, declarations, types, attributes)
 * instead of bytes, so that most of what it makes gets past the parser. One mutation in eight stays libFuzzer's own.
 *
 * Pieces are found without a parser, by brackets that match: the texts are often wrong, and what is tested here must
 * not be what tests. Every mutation is a few replacements of a piece by text, from a table, the same input or another
 * one. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2, size_t size2, uint8_t *out,
                                 size_t max_out_size, unsigned seed);

#define COUNT_OF(a) (sizeof(a) / sizeof *(a))
enum { TOKENS_MAX = 8192, TEMPLATE_TOKENS_MAX = 64, TRIES = 16 };

/* ---- Words: the tables of the front end, and what no table holds. --------------------------------------------- */

static const char *const functions[] = {
#define BUILTIN(name, class, params, result, op, flags, check) #name,
#define TEXTURE(name, kinds, dims, params, result, flags)      #name,
#include "wgsl/builtin.def"
    "subgroupMatrixLoad",          "subgroupMatrixStore",
    "subgroupMatrixMultiply",      "subgroupMatrixMultiplyAccumulate",
    "subgroupMatrixScalarAdd",     "subgroupMatrixScalarSubtract",
    "subgroupMatrixScalarMultiply"};

static const char *const types[] = {
#define TYPE_NAME(name, kind, scalar, count, rows, args) #name,
#include "wgsl/type_name.def"
    "vec2<bool>",
    "vec3<f16>",
    "vec4<u32>",
    "mat2x3<f32>",
    "mat4x2<f16>",
    "array<u32>",
    "array<f32, 3>",
    "array<vec3f, 2>",
    "array<array<u32, 2>, 3>",
    "array<array<f32, 4096>, 4096>",
    "array<u32, 0>",
    "atomic<u32>",
    "atomic<i32>",
    "ptr<function, u32>",
    "ptr<workgroup, atomic<u32>>",
    "ptr<storage, array<f32>, read_write>",
    "ptr<private, array<u32, 4>>",
    "subgroup_matrix_left<f16, 8, 8>",
    "subgroup_matrix_right<f16, 8, 8>",
    "subgroup_matrix_result<f32, 8, 8>",
    "subgroup_matrix_left<i8, 16, 32>"};

static const char *const values[] = {
#define BUILTIN_VALUE(name, stages, type) #name,
#include "ir/builtin_value.def"
};

static const char *const literals[] = {"0",
                                       "1",
                                       "-1",
                                       "2",
                                       "3",
                                       "31",
                                       "32",
                                       "33",
                                       "0u",
                                       "1u",
                                       "7u",
                                       "4294967295u",
                                       "2147483647",
                                       "-2147483648",
                                       "2147483648",
                                       "0i",
                                       "-1i",
                                       "9223372036854775807",
                                       "9223372036854775808",
                                       "-9223372036854775808",
                                       "0x7fffffff",
                                       "0xffffffffu",
                                       "0f",
                                       "0.0",
                                       "-0.0",
                                       "1.5",
                                       "0.5h",
                                       "65504h",
                                       "65505.0",
                                       "6e-8h",
                                       "3.4028234663852886e38f",
                                       "3.5e38",
                                       "1e-45",
                                       "1e308",
                                       "1.7976931348623157e308",
                                       "1e309",
                                       "0x1p-149f",
                                       "0x1.fffffep127",
                                       "0x1p-1074",
                                       "true",
                                       "false",
                                       "65535",
                                       "65536",
                                       "127",
                                       "128",
                                       "4096",
                                       "1000000"};

static const char *const binary[] = {"+",  "-",  "*",  "/", "%",  "&", "|",  "^", "<<", ">>", "&&",
                                     "||", "==", "!=", "<", "<=", ">", ">=", ",", ".",  "->"};
static const char *const assignments[] = {
    "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"};

static const char *const keywords[] = {
#define KEYWORD(name) #name,
#include "wgsl/token.def"
};

static const char *const attributes[] = {"@compute",
                                         "@vertex",
                                         "@fragment",
                                         "@workgroup_size(1)",
                                         "@workgroup_size(64, 1, 1)",
                                         "@workgroup_size(N)",
                                         "@group(0)",
                                         "@binding(0)",
                                         "@binding(1)",
                                         "@id(0)",
                                         "@id(65535)",
                                         "@align(16)",
                                         "@align(3)",
                                         "@size(32)",
                                         "@size(0)",
                                         "@must_use",
                                         "@const",
                                         "@location(0)",
                                         "@location(0) @interpolate(flat)",
                                         "@location(1) @blend_src(0)",
                                         "@invariant",
                                         "@interpolate(linear, sample)",
                                         "@diagnostic(off, derivative_uniformity)",
                                         "@diagnostic(error, subgroup_uniformity)",
                                         "@builtin(position)",
                                         "@builtin(local_invocation_index)",
                                         "@builtin(subgroup_size)",
                                         "@subgroup_size(32)",
                                         "@color(0)"};

/* $ stands for the piece that is wrapped. */
static const char *const expression_frames[] = {"($)",
                                                "-$",
                                                "!$",
                                                "~$",
                                                "&$",
                                                "*$",
                                                "-(-$)",
                                                "f32($)",
                                                "u32($)",
                                                "i32($)",
                                                "f16($)",
                                                "bool($)",
                                                "vec2($, $)",
                                                "vec3($)",
                                                "vec4f($).xyzw",
                                                "$.x",
                                                "$.zyx",
                                                "$[0]",
                                                "$[$]",
                                                "($ + $)",
                                                "($ - $)",
                                                "($ * $)",
                                                "($ / $)",
                                                "($ % $)",
                                                "($ == $)",
                                                "($ < $)",
                                                "($ && $)",
                                                "($ << $)",
                                                "select($, $, true)",
                                                "abs($)",
                                                "min($, $)",
                                                "max($, 0)",
                                                "clamp($, $, $)",
                                                "dot(vec2($), vec2($))",
                                                "array($, $)",
                                                "array($, $)[1]",
                                                "array<u32, 2>($, 1)",
                                                "bitcast<u32>($)",
                                                "bitcast<vec2<f16>>($)",
                                                "mat2x2f($, $, $, $)",
                                                "workgroupUniformLoad(&$)",
                                                "atomicAdd(&$, 1)",
                                                "subgroupAdd($)",
                                                "arrayLength(&$)",
                                                "quantizeToF16($)",
                                                "frexp($).exp",
                                                "modf($).whole",
                                                "pow($, $)",
                                                "(*&$)",
                                                "(&$)[0]",
                                                "subgroupMatrixMultiply<f32>($, $)"};

static const char *const statement_frames[] = {"{ $ }",
                                               "if true { $ }",
                                               "if (1 < 2) { $ } else { $ }",
                                               "if false { $ } else if true { $ }",
                                               "loop { $ break; }",
                                               "loop { break; continuing { $ } }",
                                               "loop { $ continuing { break if true; } }",
                                               "while false { $ }",
                                               "for (var q = 0; q < 4; q++) { $ }",
                                               "for (;;) { $ }",
                                               "for (var q = 0u; q < 3u; q += 1u) { if q == 1u { continue; } $ }",
                                               "switch 1 { default { $ } }",
                                               "switch 1u { case 0, 1: { $ } case default { $ } }",
                                               "switch q { case 3 { $ } default {} }",
                                               "$ $",
                                               "$ return;",
                                               "return; $",
                                               "$ break;",
                                               "$ continue;",
                                               "$ discard;",
                                               "workgroupBarrier(); $",
                                               "var q = 1; $",
                                               "let q = 2u; $",
                                               "const q = vec2(1, 2); $",
                                               "const_assert 1 < 2; $",
                                               "_ = 1; $"};

static const char *const declarations[] = {
    "enable f16;\n",
    "enable subgroups;\n",
    "enable chromium_experimental_subgroup_matrix;\n",
    "enable subgroup_matrix;\n",
    "diagnostic(off, subgroup_uniformity);\n",
    "diagnostic(off, derivative_uniformity);\n",
    "diagnostic(warning, chromium.subgroup_matrix_uniformity);\n",
    "requires readonly_and_readwrite_storage_textures;\n",
    "override N: u32 = 4;\n",
    "override q = 1.5;\n",
    "const q = 1;\n",
    "const N = 3;\n",
    "alias q = vec3f;\n",
    "var<private> q: array<u32, 4>;\n",
    "var<workgroup> q: array<atomic<u32>, N>;\n",
    "var<workgroup> q: f32;\n",
    "@group(0) @binding(0) var<storage, read_write> q: array<f32>;\n",
    "@group(0) @binding(1) var<uniform> q: vec4f;\n",
    "struct q { a: u32, @align(16) b: vec3f, c: array<u32> }\n",
    "fn q(p: ptr<function, u32>) -> u32 { return *p; }\n",
    "fn q() {}\n",
    "const_assert true;\n",
    "@compute @workgroup_size(1) fn q() {}\n",
    "@compute @workgroup_size(8, N) fn q(@builtin(local_invocation_index) i: u32) { if i == 0 { q(); } }\n"};

/* ---- Chance. --------------------------------------------------------------------------------------------------- */

static uint32_t state;

/* xorshift (Marsaglia: Xorshift RNGs, 2003): below n. */
static uint32_t pick(size_t n)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return n ? state % (uint32_t)n : 0;
}

static const char *pick_word(const char *const *words, size_t count)
{
    return words[pick(count)];
}
#define PICK_WORD(words) pick_word(words, COUNT_OF(words))

/* ---- Tokens. --------------------------------------------------------------------------------------------------- */

typedef enum kind { NAME, NUMBER, OPEN, CLOSE, MARK } kind;

typedef struct token {
    uint32_t from, to; /* bytes */
    uint32_t partner;  /* of OPEN and CLOSE: the token that matches; else, or when none does, the token itself */
    uint32_t parent;   /* the OPEN around it + 1; 0: none */
    kind kind;
} token;

typedef struct text {
    const char *s;
    uint32_t count;
    token tokens[TOKENS_MAX];
} text;

/* Tokens from `from` to `to`, the last not included. */
typedef struct piece {
    uint32_t from, to;
} piece;

static bool is_name(unsigned char c, bool first)
{
    return (c | 0x20u) - 'a' < 26u || c == '_' || c >= 0x80 || (!first && c - '0' < 10u);
}

static bool is_digit(unsigned char c)
{
    return c >= '0' && c <= '9';
}

/* Where the token at `at` ends. */
static size_t find_end(const char *s, size_t at, size_t size, kind *kind)
{
    static const char *const marks[] = {"<<=", ">>=", "->", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>",
                                        "+=",  "-=",  "*=", "/=", "%=", "&=", "|=", "^=", "++", "--"};
    size_t end = at;
    *kind = is_name((unsigned char)s[at], true) ? NAME : MARK;
    if (is_digit((unsigned char)s[at]) || (s[at] == '.' && at + 1 < size && is_digit((unsigned char)s[at + 1])))
        *kind = NUMBER;
    if (*kind != MARK) {
        while (end < size && (is_name((unsigned char)s[end], false) || (*kind == NUMBER && s[end] == '.')))
            end++;
        return end;
    }
    if (strchr("({[", s[at]) && s[at]) *kind = OPEN;
    if (strchr(")}]", s[at]) && s[at]) *kind = CLOSE;
    for (size_t i = 0; i < COUNT_OF(marks); i++) {
        size_t len = strlen(marks[i]);
        if (len <= size - at && memcmp(s + at, marks[i], len) == 0) return at + len;
    }
    return at + 1;
}

static bool is_mark(const text *t, uint32_t i, const char *mark)
{
    size_t len = strlen(mark);
    return i < t->count && t->tokens[i].to - t->tokens[i].from == len &&
           memcmp(t->s + t->tokens[i].from, mark, len) == 0;
}

/* `<` behind a name with a `>` on the same level soon after, and nothing between that ends an expression. */
static void match_template(text *t, uint32_t less)
{
    uint32_t depth = 0;
    for (uint32_t i = less; i < t->count && i < less + TEMPLATE_TOKENS_MAX; i++) {
        char c = t->s[t->tokens[i].from];
        if (c == ';' || c == '{' || c == '}' || is_mark(t, i, "=")) return;
        if (is_mark(t, i, "<")) depth++;
        if (is_mark(t, i, ">") && --depth == 0) {
            t->tokens[less].partner = i;
            t->tokens[i].partner = less;
            t->tokens[less].kind = OPEN;
            t->tokens[i].kind = CLOSE;
            return;
        }
    }
}

static void match_brackets(text *t)
{
    uint32_t inner = 0; /* the innermost open one + 1; `parent` chains the others */
    for (uint32_t i = 0; i < t->count; i++) {
        token *k = &t->tokens[i];
        k->partner = i;
        if (k->kind == CLOSE && inner) {
            k->partner = inner - 1;
            t->tokens[inner - 1].partner = i;
            inner = t->tokens[inner - 1].parent;
        }
        k->parent = inner;
        if (k->kind == OPEN) inner = i + 1;
    }
    for (uint32_t i = 1; i < t->count; i++) {
        if (is_mark(t, i, "<") && t->tokens[i - 1].kind == NAME && t->tokens[i].kind == MARK) match_template(t, i);
    }
}

/* `>>` is two tokens when it closes two lists; nobody can tell which yet, so it always is. */
static void read_tokens(text *t, const uint8_t *data, size_t size)
{
    t->s = (const char *)data;
    t->count = 0;
    for (size_t at = 0; at < size && t->count < TOKENS_MAX;) {
        if (data[at] <= ' ') {
            at++;
        } else if (data[at] == '/' && at + 1 < size && data[at + 1] == '/') {
            while (at < size && data[at] != '\n')
                at++;
        } else {
            kind kind;
            size_t end = find_end(t->s, at, size, &kind);
            if (end - at == 2 && t->s[at] == '>' && t->s[at + 1] == '>') end--;
            t->tokens[t->count++] = (token){.from = (uint32_t)at, .to = (uint32_t)end, .kind = kind};
            at = end;
        }
    }
    match_brackets(t);
}

/* ---- Pieces. Each finder returns an empty piece when there is none where it looked. ----------------------------- */

static const piece nothing = {0, 0};

static bool is_empty(piece p)
{
    return p.from == p.to;
}

static bool is_keyword(const text *t, uint32_t i)
{
    for (size_t k = 0; k < COUNT_OF(keywords); k++) {
        if (is_mark(t, i, keywords[k])) return true;
    }
    return false;
}

/* A name, a number or something in parentheses, with what may follow: <...>, (...), [...], .name */
static piece find_primary(const text *t, uint32_t at)
{
    const token *k = &t->tokens[at];
    bool starts = (k->kind == NAME && !is_keyword(t, at)) || k->kind == NUMBER ||
                  (k->kind == OPEN && k->partner != at && is_mark(t, at, "("));
    if (!starts) return nothing;
    uint32_t to = k->kind == OPEN ? k->partner + 1 : at + 1;
    while (to < t->count) {
        const token *next = &t->tokens[to];
        if (next->kind == OPEN && next->partner != to && !is_mark(t, to, "{"))
            to = next->partner + 1;
        else if (is_mark(t, to, ".") && to + 1 < t->count && t->tokens[to + 1].kind == NAME)
            to += 2;
        else
            break;
    }
    return (piece){at, to};
}

/* What stands between commas in brackets. */
static piece find_argument(const text *t, uint32_t at)
{
    uint32_t open = t->tokens[at].parent;
    if (open == 0 || t->tokens[open - 1].partner == open - 1 || is_mark(t, open - 1, "{")) return nothing;
    uint32_t from = open, end = t->tokens[open - 1].partner;
    for (uint32_t i = open; i <= end; i++) {
        if (t->tokens[i].kind == OPEN) i = t->tokens[i].partner > i ? t->tokens[i].partner : i;
        if (i != end && !is_mark(t, i, ",")) continue;
        if (i >= at) return (piece){from, i};
        from = i + 1;
    }
    return nothing;
}

static piece find_expression(const text *t, uint32_t at)
{
    return pick(3) ? find_primary(t, at) : find_argument(t, at);
}

static piece find_type(const text *t, uint32_t at)
{
    bool place = at > 0 && (is_mark(t, at - 1, ":") || is_mark(t, at - 1, "->") || is_mark(t, at - 1, "<"));
    for (size_t i = 0; !place && i < COUNT_OF(types); i++)
        place = is_mark(t, at, types[i]);
    return place && t->tokens[at].kind == NAME ? find_primary(t, at) : nothing;
}

static piece find_attribute(const text *t, uint32_t at)
{
    if (!is_mark(t, at, "@") || at + 1 >= t->count) return nothing;
    bool arguments = is_mark(t, at + 2, "(") && t->tokens[at + 2].partner > at + 2;
    return (piece){at, arguments ? t->tokens[at + 2].partner + 1 : at + 2};
}

/* Whether a statement or a declaration may start here. */
static bool is_start(const text *t, uint32_t at)
{
    return at == 0 || is_mark(t, at - 1, ";") || is_mark(t, at - 1, "}") || is_mark(t, at - 1, "{");
}

/* To the `;` or the block that ends it, `else` parts included. */
static piece find_ended(const text *t, uint32_t at)
{
    if (!is_start(t, at)) return nothing;
    for (uint32_t i = at; i < t->count; i++) {
        const token *k = &t->tokens[i];
        if (k->kind == CLOSE) return nothing;
        if (is_mark(t, i, ";")) return (piece){at, i + 1};
        if (k->kind != OPEN || k->partner == i) continue;
        bool block = is_mark(t, i, "{");
        i = k->partner;
        if (block && !is_mark(t, i + 1, "else")) return (piece){at, i + 1};
    }
    return nothing;
}

static piece find_statement(const text *t, uint32_t at)
{
    return t->tokens[at].parent ? find_ended(t, at) : nothing;
}

static piece find_declaration(const text *t, uint32_t at)
{
    return t->tokens[at].parent ? nothing : find_ended(t, at);
}

static piece find_name(const text *t, uint32_t at)
{
    return t->tokens[at].kind == NAME && !is_keyword(t, at) ? (piece){at, at + 1} : nothing;
}

static piece find_number(const text *t, uint32_t at)
{
    return t->tokens[at].kind == NUMBER ? (piece){at, at + 1} : nothing;
}

static piece find_operator(const text *t, uint32_t at)
{
    bool operates = t->tokens[at].kind == MARK && !strchr("@;:,.", t->s[t->tokens[at].from]);
    return operates ? (piece){at, at + 1} : nothing;
}

typedef piece (*finder)(const text *t, uint32_t at);

/* One piece of that kind, anywhere. */
static piece pick_piece(const text *t, finder find)
{
    for (int i = 0; i < TRIES && t->count; i++) {
        piece p = find(t, pick(t->count));
        if (!is_empty(p)) return p;
    }
    return nothing;
}

/* ---- Output: a text that takes what fits. ---------------------------------------------------------------------- */

typedef struct output {
    char *s;
    size_t count, max;
} output;

static void put(output *o, const char *s, size_t size)
{
    if (size > o->max - o->count) size = o->max - o->count;
    memcpy(o->s + o->count, s, size);
    o->count += size;
}

/* Without the frames' blanks, names would run into each other. */
static void put_piece(output *o, const text *t, piece p)
{
    put(o, " ", 1);
    if (!is_empty(p)) put(o, t->s + t->tokens[p.from].from, t->tokens[p.to - 1].to - t->tokens[p.from].from);
    put(o, " ", 1);
}

static void put_frame(output *o, const char *frame, const text *t, piece p)
{
    for (; *frame; frame++) {
        if (*frame == '$')
            put_piece(o, t, p);
        else
            put(o, frame, 1);
    }
}

/* One input being changed: `done` says what of it was copied already. */
typedef struct change {
    const text *t;
    size_t size, done;
    output out;
} change;

static void copy_to(change *c, size_t at)
{
    if (at > c->done) put(&c->out, c->t->s + c->done, at - c->done);
    if (at > c->done) c->done = at;
}

/* Copies what stands before the piece and passes over it; what takes its place is put next. */
static void cut(change *c, piece p)
{
    copy_to(c, c->t->tokens[p.from].from);
    c->done = c->t->tokens[p.to - 1].to;
}

/* ---- Mutations. Each returns whether it found something to change. `other`: where pieces come from. ------------- */

static bool replace_by_piece(change *c, const text *other, finder find)
{
    piece p = pick_piece(c->t, find), by = pick_piece(other, find);
    if (is_empty(p) || is_empty(by)) return false;
    cut(c, p);
    put_piece(&c->out, other, by);
    return true;
}

static bool replace_by_word(change *c, finder find, const char *word)
{
    piece p = pick_piece(c->t, find);
    if (is_empty(p)) return false;
    cut(c, p);
    put(&c->out, " ", 1);
    put(&c->out, word, strlen(word));
    put(&c->out, " ", 1);
    return true;
}

static bool wrap(change *c, finder find, const char *frame)
{
    piece p = pick_piece(c->t, find);
    if (is_empty(p)) return false;
    cut(c, p);
    put_frame(&c->out, frame, c->t, p);
    return true;
}

static bool mutate_expression(change *c, const text *other)
{
    if (pick(2)) return wrap(c, find_expression, PICK_WORD(expression_frames));
    return replace_by_piece(c, other, find_expression);
}

static bool mutate_statement(change *c, const text *other)
{
    if (pick(2)) return wrap(c, find_statement, PICK_WORD(statement_frames));
    return replace_by_piece(c, other, pick(3) ? find_statement : find_declaration);
}

/* A statement or declaration of another place in front of one of this text. */
static bool splice(change *c, const text *other)
{
    finder find = pick(2) ? find_statement : find_declaration;
    piece at = pick_piece(c->t, find), what = pick_piece(other, find);
    if (is_empty(at) || is_empty(what)) return false;
    copy_to(c, c->t->tokens[at.from].from);
    put_piece(&c->out, other, what);
    return true;
}

static bool remove_piece(change *c, const text *other)
{
    static const finder finders[] = {find_statement, find_declaration, find_attribute, find_argument, find_primary};
    (void)other;
    piece p = pick_piece(c->t, finders[pick(COUNT_OF(finders))]);
    if (is_empty(p)) return false;
    cut(c, p);
    return true;
}

static bool swap(change *c, const text *other)
{
    (void)other;
    finder find = pick(3) ? find_expression : find_statement;
    piece a = pick_piece(c->t, find), b = pick_piece(c->t, find);
    if (is_empty(a) || is_empty(b)) return false;
    piece first = a.from < b.from ? a : b, second = a.from < b.from ? b : a;
    if (second.from < first.to) return false; /* one lies in the other */
    cut(c, first);
    put_piece(&c->out, c->t, second);
    cut(c, second);
    put_piece(&c->out, c->t, first);
    return true;
}

static bool mutate_name(change *c, const text *other)
{
    if (pick(3)) return replace_by_piece(c, other, find_name);
    const char *word = pick(3) ? PICK_WORD(functions) : PICK_WORD(values);
    return replace_by_word(c, find_name, word);
}

static bool mutate_type(change *c, const text *other)
{
    if (pick(2)) return replace_by_piece(c, other, find_type);
    return replace_by_word(c, find_type, PICK_WORD(types));
}

static bool mutate_literal(change *c, const text *other)
{
    (void)other;
    return replace_by_word(c, pick(4) ? find_number : find_primary, PICK_WORD(literals));
}

static bool mutate_operator(change *c, const text *other)
{
    (void)other;
    return replace_by_word(c, find_operator, pick(4) ? PICK_WORD(binary) : PICK_WORD(assignments));
}

/* Before a declaration, a member or a parameter, or instead of another attribute. */
static bool mutate_attribute(change *c, const text *other)
{
    (void)other;
    if (pick(2)) return replace_by_word(c, find_attribute, PICK_WORD(attributes));
    piece p = pick_piece(c->t, pick(2) ? find_declaration : find_argument);
    if (is_empty(p)) return false;
    copy_to(c, c->t->tokens[p.from].from);
    const char *word = PICK_WORD(attributes);
    put(&c->out, word, strlen(word));
    put(&c->out, " ", 1);
    return true;
}

static bool add_declaration(change *c, const text *other)
{
    (void)other;
    const char *word = PICK_WORD(declarations);
    copy_to(c, pick(2) ? 0 : c->size);
    put(&c->out, word, strlen(word));
    return true;
}

static bool (*const mutations[])(change *c, const text *other) = {
    mutate_expression, mutate_expression,
    mutate_expression, mutate_statement,
    mutate_statement,  splice,
    remove_piece,      swap,
    mutate_name,       mutate_name,
    mutate_type,       mutate_literal,
    mutate_operator,   mutate_attribute,
    add_declaration,
};

/* ---- What libFuzzer calls. -------------------------------------------------------------------------------------- */

static text own, others;

/* Changes `data` into `out` with pieces of `other`; 0: found nothing to do. */
static size_t mutate(const uint8_t *data, size_t size, const text *other, char *out, size_t max)
{
    read_tokens(&own, data, size);
    for (int i = 0; i < TRIES; i++) {
        change c = {.t = &own, .size = size, .out = {.s = out, .max = max}};
        if (!mutations[pick(COUNT_OF(mutations))](&c, other ? other : &own)) continue;
        copy_to(&c, size);
        return c.out.count;
    }
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    enum { OUT_MAX = 1 << 16 };
    static char out[OUT_MAX];
    state = seed * 2654435761u | 1;
    if (pick(8) == 0) return LLVMFuzzerMutate(data, size, max_size);
    size_t max = max_size < OUT_MAX ? max_size : OUT_MAX;
    for (uint32_t rounds = 1 + pick(3); rounds; rounds--) {
        size_t count = mutate(data, size, NULL, out, max);
        if (count == 0) return LLVMFuzzerMutate(data, size, max_size);
        memcpy(data, out, count);
        size = count;
    }
    return size;
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2, size_t size2, uint8_t *out,
                                 size_t max_out_size, unsigned seed)
{
    state = seed * 2654435761u | 1;
    read_tokens(&others, data2, size2);
    return mutate(data1, size1, &others, (char *)out, max_out_size);
}
