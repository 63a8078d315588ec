/* The parser's ground: tokens, errors and recovery, lists and nodes; then the module and its directives. */
#include "wgsl/parse.h"

#include "wgsl/parse_state.h"

#include <stdio.h>
#include <string.h>

#define FIRST_LIST 256u

/* ---- Tokens -------------------------------------------------------------------------------------------------- */

void tsr_parse_advance(tsr_parser *p)
{
    if (p->panic || p->tok.kind == TSR_TOK_end) return;
    if (p->tok.kind == TSR_TOK_brace_left)
        p->braces++;
    else if (p->tok.kind == TSR_TOK_brace_right && p->braces)
        p->braces--;
    p->prev_end = p->tok.pos + p->tok.len;
    p->at++;
    if (p->at + 1 >= p->lx.count && !p->lx.done) {
        tsr_lex_more(&p->lx, p->at);
        p->at = 0;
    }
    p->tok = p->lx.tokens[p->at];
}

tsr_token_kind tsr_parse_peek(const tsr_parser *p)
{
    return p->at + 1 < p->lx.count && !p->panic ? (tsr_token_kind)p->lx.tokens[p->at + 1].kind : TSR_TOK_end;
}

void tsr_parse_split(tsr_parser *p, tsr_token_kind half)
{
    tsr_token *t = &p->lx.tokens[p->at];
    t->kind = (uint8_t)half;
    t->pos++;
    t->len = 1;
    p->tok = *t;
    p->prev_end = t->pos;
}

tsr_str tsr_parse_spelling(const tsr_parser *p)
{
    const tsr_token *t = &p->lx.tokens[p->at];
    return (tsr_str){p->lx.text + t->pos, t->len};
}

/* ---- Errors -------------------------------------------------------------------------------------------------- */

#define FOUND_BYTES 48 /* more of a token is not shown */

/* "`x`" or "the end of the file", for messages. */
static const char *describe_found(const tsr_parser *p, char *buf, size_t size)
{
    if (p->tok.kind == TSR_TOK_end) return "the end of the file";
    tsr_str s = tsr_parse_spelling(p);
    size_t shown = s.len < FOUND_BYTES ? s.len : FOUND_BYTES;
    while (shown < s.len && ((unsigned char)s.s[shown] & 0xc0) == 0x80)
        shown--; /* no half of a character */
    const char *kind = tsr_token_is_keyword((tsr_token_kind)p->tok.kind) ? "the keyword " : "";
    snprintf(buf, size, "%s`%.*s%s`", kind, (int)shown, s.s, shown < s.len ? "..." : "");
    return buf;
}

static void start_panic(tsr_parser *p)
{
    p->panic = true;
    p->tok.kind = TSR_TOK_end;
}

/* What stands in the way is no token at all: that is the mistake to report. */
static bool report_error_token(tsr_parser *p)
{
    if (p->tok.kind != TSR_TOK_error) return false;
    tsr_lex_report(&p->lx, &p->tok, p->diags);
    start_panic(p);
    return true;
}

tsr_diag *tsr_parse_fail(tsr_parser *p, const char *fmt, ...)
{
    if (p->panic || report_error_token(p)) return NULL;
    char found[FOUND_BYTES + 40];
    tsr_text what;
    tsr_text_init(&what, p->lx.arena);
    va_list args;
    va_start(args, fmt);
    tsr_text_vprintf(&what, fmt, args);
    va_end(args);
    tsr_diag *d = tsr_error(p->diags, tsr_parse_span(p), TSR_E_SYNTAX, "%s, found %s", tsr_text_get(&what),
                            describe_found(p, found, sizeof found));
    start_panic(p);
    return d;
}

tsr_diag *tsr_parse_fail_at(tsr_parser *p, tsr_span span, tsr_diag_code code, const char *fmt, ...)
{
    if (p->panic || report_error_token(p)) return NULL;
    tsr_text what;
    tsr_text_init(&what, p->lx.arena);
    va_list args;
    va_start(args, fmt);
    tsr_text_vprintf(&what, fmt, args);
    va_end(args);
    tsr_diag *d = tsr_error(p->diags, span, code, "%s", tsr_text_get(&what));
    start_panic(p);
    return d;
}

bool tsr_parse_expect(tsr_parser *p, tsr_token_kind kind, const char *context)
{
    if (tsr_parse_take(p, kind)) return true;
    tsr_parse_fail(p, "expected `%s` %s", tsr_token_text(kind), context);
    return false;
}

bool tsr_parse_close(tsr_parser *p, tsr_token_kind kind, uint32_t open)
{
    if (tsr_parse_take(p, kind)) return true;
    tsr_diag *d = tsr_parse_fail(p, "expected `%s`", tsr_token_text(kind));
    if (d) tsr_note(p->diags, d, (tsr_span){open, 1}, "to match this `%c`", p->lx.text[open]);
    return false;
}

/* What lacks its semicolon ends with its line or its block: then nothing needs to be skipped. */
static bool ends_here(const tsr_parser *p)
{
    if (p->panic || p->tok.kind == TSR_TOK_error) return false;
    return p->tok.kind == TSR_TOK_brace_right ||
           memchr(p->lx.text + p->prev_end, '\n', p->tok.pos - p->prev_end) != NULL;
}

/* Like clang: where the semicolon should stand, behind the last token. */
bool tsr_parse_semicolon(tsr_parser *p, const char *after)
{
    if (tsr_parse_take(p, TSR_TOK_semicolon)) return true;
    if (p->tok.kind == TSR_TOK_plus_plus || p->tok.kind == TSR_TOK_minus_minus)
        tsr_parse_fail_at(p, tsr_parse_span(p), TSR_E_SYNTAX,
                          "`%s` is a statement of its own in WGSL, no part of an expression",
                          tsr_token_text((tsr_token_kind)p->tok.kind));
    else if (p->tok.kind == TSR_TOK_equal)
        tsr_parse_fail(p, "expected `;` after %s", after);
    else if (ends_here(p))
        tsr_error(p->diags, (tsr_span){p->prev_end, 0}, TSR_E_SYNTAX, "expected `;` after %s", after);
    else
        tsr_parse_fail_at(p, (tsr_span){p->prev_end, 0}, TSR_E_SYNTAX, "expected `;` after %s", after);
    return false;
}

const char *tsr_parse_nearest(tsr_str word, const char *const *words, size_t count)
{
    const char *best = NULL;
    unsigned best_distance = word.len <= 4 ? 1 : 2;
    for (size_t i = 0; i < count; i++) {
        unsigned d = tsr_text_distance(word, (tsr_str){words[i], strlen(words[i])}, best_distance);
        if (d <= best_distance && (!best || d < best_distance)) {
            best = words[i];
            best_distance = d;
        }
    }
    return best;
}

/* ---- Names --------------------------------------------------------------------------------------------------- */

bool tsr_parse_at_name(const tsr_parser *p)
{
    return p->tok.kind == TSR_TOK_ident || p->tok.kind == TSR_TOK_reserved;
}

/* True the first time that this name is complained about. */
static bool is_new_bad_name(tsr_parser *p, tsr_sym name)
{
    uint32_t seen;
    if (tsr_map_find(&p->bad_names, name, &seen)) return false;
    tsr_map_set(&p->bad_names, name, 1);
    return true;
}

/* WGSL, "Identifiers": no reserved word, no two underscores in front. */
static void report_name(tsr_parser *p)
{
    tsr_str s = tsr_parse_spelling(p);
    if (!is_new_bad_name(p, p->tok.value)) return;
    if (s.s[0] == '_')
        tsr_error(p->diags, tsr_parse_span(p), TSR_E_NAME, "a name must not start with two underscores; rename `%.*s`",
                  (int)(s.len < FOUND_BYTES ? s.len : FOUND_BYTES), s.s);
    else
        tsr_error(p->diags, tsr_parse_span(p), TSR_E_NAME, "`%.*s` is a reserved word of WGSL; choose another name",
                  (int)s.len, s.s);
}

/* What follows a name being declared. */
static bool stands_for_name(tsr_token_kind next)
{
    return next == TSR_TOK_equal || next == TSR_TOK_colon || next == TSR_TOK_semicolon || next == TSR_TOK_paren_left ||
           next == TSR_TOK_brace_left;
}

/* A keyword where a name was meant. */
static tsr_sym take_keyword(tsr_parser *p, const char *what)
{
    tsr_str word = tsr_parse_spelling(p);
    tsr_error(p->diags, tsr_parse_span(p), TSR_E_NAME, "expected %s, but `%.*s` is a keyword", what, (int)word.len,
              word.s);
    tsr_parse_advance(p);
    return tsr_symbols_add(p->ast->symbols, word.s, word.len);
}

tsr_sym tsr_parse_name(tsr_parser *p, const char *what)
{
    if (!tsr_parse_at_name(p)) {
        tsr_token_kind kind = (tsr_token_kind)p->tok.kind;
        if (tsr_token_is_keyword(kind) && stands_for_name(tsr_parse_peek(p))) return take_keyword(p, what);
        if (kind == TSR_TOK_underscore)
            tsr_parse_fail_at(p, tsr_parse_span(p), TSR_E_NAME, "`_` alone is no name; expected %s", what);
        else if (tsr_token_is_keyword(kind))
            tsr_parse_fail_at(p, tsr_parse_span(p), TSR_E_NAME, "expected %s, but `%s` is a keyword", what,
                              tsr_token_text(kind));
        else
            tsr_parse_fail(p, "expected %s", what);
        return 0;
    }
    if (p->tok.kind != TSR_TOK_ident) report_name(p);
    tsr_sym name = p->tok.value;
    tsr_parse_advance(p);
    return name;
}

/* ---- Nodes and lists ----------------------------------------------------------------------------------------- */

/* The pool's chunks end at powers of two; nothing else adds to this pool. */
void tsr_parse_more_nodes(tsr_parser *p)
{
    tsr_pool *nodes = &p->ast->nodes;
    tsr_node first = tsr_pool_push(nodes, 1);
    nodes->count--;
    uint32_t end = 1u << TSR_POOL_SHIFT;
    while (end <= first && end < 1u << 31)
        end *= 2;
    p->node_next = (tsr_ast_node *)tsr_pool_at(nodes, first);
    p->node_room = first < end ? end - first : UINT32_MAX - first;
}

/* n more words: the pool's own push, but without its work while the last chunk has room. */
static uint32_t push_words(tsr_pool *pool, uint32_t n)
{
#if defined(__GNUC__) || defined(__clang__)
    uint32_t first = pool->count;
    if (TSR_LIKELY(n && n <= UINT32_MAX - first)) {
        uint32_t block = (first + n - 1) >> TSR_POOL_SHIFT;
        uint32_t chunk = block ? 32u - (uint32_t)__builtin_clz(block) : 0;
        if (TSR_LIKELY(chunk < TSR_POOL_CHUNKS && pool->chunk[chunk])) {
            pool->count = first + n;
            return first;
        }
    }
#endif
    return tsr_pool_push(pool, n);
}

uint32_t tsr_parse_record(tsr_parser *p, uint32_t words)
{
    return push_words(&p->ast->extra, words);
}

void tsr_parse_set(tsr_parser *p, uint32_t record, uint32_t word, uint32_t value)
{
    *(uint32_t *)tsr_pool_at(&p->ast->extra, record + word) = value;
}

void tsr_parse_push(tsr_parser *p, uint32_t item)
{
    if (p->list_count == p->list_cap) {
        uint32_t cap = p->list_cap ? p->list_cap * 2 : FIRST_LIST;
        uint32_t *grown = TSR_NEW_ARRAY(p->lx.arena, uint32_t, cap);
        if (p->list_count) memcpy(grown, p->list, p->list_count * sizeof *grown);
        p->list = grown;
        p->list_cap = cap;
    }
    p->list[p->list_count++] = item;
}

tsr_list tsr_parse_list(tsr_parser *p, uint32_t from)
{
    uint32_t count = p->list_count - from;
    p->list_count = from;
    if (count == 0) return 0;
    tsr_list list = push_words(&p->ast->extra, count + 1);
    tsr_parse_set(p, list, 0, count);
    for (uint32_t i = 0; i < count; i++)
        tsr_parse_set(p, list, 1 + i, p->list[from + i]);
    return list;
}

/* ---- Recovery ------------------------------------------------------------------------------------------------ */

/* Once no more errors are kept, there is nothing more to look for. */
static void end_panic(tsr_parser *p)
{
    if (p->diags->error_count > p->diags->limit) p->lx.tokens[p->at].kind = TSR_TOK_end;
    p->panic = false;
    p->nesting = 0;
    p->tok = p->lx.tokens[p->at];
}

/* Keywords that only module scope has: a function that meets one lacks a '}'. */
static bool starts_only_decl(tsr_token_kind kind)
{
    switch (kind) {
    case TSR_TOK_fn:
    case TSR_TOK_struct:
    case TSR_TOK_override:
    case TSR_TOK_alias:
    case TSR_TOK_enable:
    case TSR_TOK_requires:
    case TSR_TOK_end: return true;
    default: return false;
    }
}

bool tsr_parse_resume_statement(tsr_parser *p, uint32_t braces)
{
    bool in_header = p->in_for_header; /* its semicolons end nothing */
    p->in_for_header = false;
    end_panic(p);
    bool in_do = tsr_str_is(tsr_parse_spelling(p), "do"); /* a `while` belongs to it */
    for (;;) {
        tsr_token_kind kind = (tsr_token_kind)p->tok.kind;
        if (starts_only_decl(kind) || p->braces < braces) {
            p->left_early = true;
            start_panic(p);
            return false;
        }
        if (kind == TSR_TOK_brace_right && p->braces == braces) return true;
        tsr_parse_advance(p);
        if (p->braces != braces) continue;
        if (kind == TSR_TOK_semicolon && !in_header) return true;
        if (kind != TSR_TOK_brace_right || p->tok.kind == TSR_TOK_else) continue;
        if (!in_do || p->tok.kind != TSR_TOK_while) return true;
    }
}

/* Where a declaration or a directive may start. */
static bool starts_global(tsr_token_kind kind)
{
    return starts_only_decl(kind) || kind == TSR_TOK_var || kind == TSR_TOK_const || kind == TSR_TOK_const_assert ||
           kind == TSR_TOK_at || kind == TSR_TOK_diagnostic || kind == TSR_TOK_semicolon;
}

/* The next declaration: behind a ';' or '}' of module scope, or at what starts one. */
static void resume_decl(tsr_parser *p)
{
    p->in_for_header = false;
    p->list_count = 0;
    end_panic(p);
    uint32_t start = p->tok.pos;
    for (;;) {
        tsr_token_kind kind = (tsr_token_kind)p->tok.kind;
        bool stands_still = p->tok.pos == start; /* the token that the failed rule did not want */
        if (starts_only_decl(kind)) break;
        if (p->braces == 0 && !stands_still && (kind == TSR_TOK_var || kind == TSR_TOK_const || kind == TSR_TOK_at))
            break;
        tsr_parse_advance(p);
        if (p->braces == 0 && (kind == TSR_TOK_semicolon || kind == TSR_TOK_brace_right)) break;
    }
    p->braces = 0;
}

/* ---- Directives ---------------------------------------------------------------------------------------------- */

static tsr_node parse_directive_name(tsr_parser *p, const char *what)
{
    tsr_span at = tsr_parse_span(p);
    tsr_sym name = tsr_parse_name(p, what);
    return tsr_parse_node(p, TSR_N_ident, at, name, 0);
}

/* enable_directive, requires_directive: names, a trailing comma allowed. */
static tsr_node parse_extensions(tsr_parser *p, tsr_node_kind kind)
{
    tsr_span at = tsr_parse_span(p);
    uint32_t from = p->list_count;
    tsr_parse_advance(p);
    do {
        if (p->list_count > from && p->tok.kind == TSR_TOK_semicolon) break;
        tsr_parse_push(p, parse_directive_name(p, "the name of an extension"));
    } while (tsr_parse_take(p, TSR_TOK_comma));
    tsr_list names = tsr_parse_list(p, from);
    tsr_parse_semicolon(p, "the directive");
    return tsr_parse_node(p, kind, at, names, 0);
}

/* diagnostic_rule_name: a name, or two with a dot. */
static tsr_node parse_rule_name(tsr_parser *p)
{
    tsr_node rule = parse_directive_name(p, "the name of a diagnostic rule");
    if (p->tok.kind != TSR_TOK_period) return rule;
    tsr_parse_advance(p);
    uint32_t pos = tsr_ast_at(p->ast, rule)->pos;
    tsr_sym member = tsr_parse_name(p, "the second part of the rule's name");
    return tsr_parse_node(p, TSR_N_member, (tsr_span){pos, p->prev_end - pos}, rule, member);
}

/* diagnostic_directive: diagnostic ( severity , rule [,] ) ; */
static tsr_node parse_diagnostic(tsr_parser *p)
{
    tsr_span at = tsr_parse_span(p);
    tsr_parse_advance(p);
    uint32_t open = p->tok.pos;
    tsr_parse_expect(p, TSR_TOK_paren_left, "after `diagnostic`");
    tsr_node severity = parse_directive_name(p, "a severity: off, info, warning or error");
    tsr_parse_expect(p, TSR_TOK_comma, "after the severity");
    tsr_node rule = parse_rule_name(p);
    tsr_parse_take(p, TSR_TOK_comma);
    tsr_parse_close(p, TSR_TOK_paren_right, open);
    tsr_parse_semicolon(p, "the directive");
    return tsr_parse_node(p, TSR_N_diagnostic, at, severity, rule);
}

static tsr_node parse_directive(tsr_parser *p)
{
    tsr_token_kind kind = (tsr_token_kind)p->tok.kind;
    if (p->decl_seen)
        tsr_error(p->diags, tsr_parse_span(p), TSR_E_DIRECTIVE_PLACE,
                  "directives stand before all declarations (a stray `;` counts as one); move this `%s` up",
                  tsr_token_text(kind));
    if (kind == TSR_TOK_diagnostic) return parse_diagnostic(p);
    return parse_extensions(p, kind == TSR_TOK_enable ? TSR_N_enable : TSR_N_requires);
}

static bool is_directive(const tsr_parser *p)
{
    return p->tok.kind == TSR_TOK_enable || p->tok.kind == TSR_TOK_requires || p->tok.kind == TSR_TOK_diagnostic;
}

/* ---- The module ---------------------------------------------------------------------------------------------- */

static void parse_global(tsr_parser *p)
{
    uint32_t first = p->ast->nodes.count;
    tsr_node n = tsr_parse_decl(p);
    if (n == 0) return;
    uint32_t d = tsr_pool_push(&p->ast->decls, 1);
    *(tsr_ast_decl *)tsr_pool_at(&p->ast->decls, d) = (tsr_ast_decl){n, first, p->ast->nodes.count};
}

/* translation_unit: global_directive* ( global_decl | const_assert_statement ; | ; )* */
static void parse_module(tsr_parser *p)
{
    tsr_pool directives; /* few; kept apart from the stack, which each declaration uses */
    tsr_pool_init(&directives, p->lx.arena, sizeof(tsr_node));
    while (p->tok.kind != TSR_TOK_end) {
        if (is_directive(p)) {
            tsr_node n = parse_directive(p);
            *(tsr_node *)tsr_pool_at(&directives, tsr_pool_push(&directives, 1)) = n;
        } else if (tsr_parse_take(p, TSR_TOK_semicolon)) {
            p->decl_seen = true;
        } else if (p->left_early && tsr_parse_take(p, TSR_TOK_brace_right)) {
            p->left_early = false;
        } else if (p->lacks_brace && !starts_global((tsr_token_kind)p->tok.kind)) {
            tsr_parse_advance(p); /* the rest of a function that a '}' of its own closed too early */
        } else {
            p->decl_seen = true;
            parse_global(p);
        }
        if (p->panic) resume_decl(p);
        if (starts_only_decl((tsr_token_kind)p->tok.kind)) p->lacks_brace = false;
    }
    uint32_t from = p->list_count;
    for (uint32_t i = 1; i < directives.count; i++)
        tsr_parse_push(p, *(tsr_node *)tsr_pool_at(&directives, i));
    p->ast->directives = tsr_parse_list(p, from);
}

bool tsr_wgsl_parse(tsr_ast *ast, tsr_arena *arena, tsr_symbols *symbols, tsr_diags *diags)
{
    uint32_t errors = diags->error_count;
    *ast = (tsr_ast){.arena = arena, .symbols = symbols};
    tsr_pool_init(&ast->nodes, arena, sizeof(tsr_ast_node));
    tsr_pool_init(&ast->extra, arena, sizeof(uint32_t));
    tsr_pool_init(&ast->decls, arena, sizeof(tsr_ast_decl));

    tsr_parser *p = TSR_NEW(arena, tsr_parser);
    p->ast = ast;
    p->diags = diags;
    tsr_map_init(&p->bad_names, arena);
    tsr_lex_init(&p->lx, arena, symbols, diags->source->text, diags->source->len);
    p->tok = p->lx.tokens[0];
    parse_module(p);
    return diags->error_count == errors;
}
