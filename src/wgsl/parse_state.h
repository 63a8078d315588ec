/* Inside the parser: what its files share.
 *
 *   parse.c       tokens, errors, recovery, lists; the module and its directives; the entry
 *   parse_decl.c  declarations of module scope, attributes
 *   parse_stmt.c  statements
 *   parse_expr.c  expressions and types
 *
 * Errors: `tsr_parse_fail` reports once and starts a panic, in which the current token reads as the end of the file, so
 * that every rule ends at once and says nothing. Who can resume (a block at the next statement, the module at the next
 * declaration) ends the panic and skips. */
#ifndef TSR_WGSL_PARSE_STATE_H
#define TSR_WGSL_PARSE_STATE_H

#include "base/map.h"
#include "wgsl/ast.h"
#include "wgsl/lex.h"

typedef struct tsr_parser {
    tsr_ast *ast;
    tsr_diags *diags;
    tsr_lexer lx;
    uint32_t at;       /* the current token, in lx.tokens */
    tsr_token tok;     /* a copy of it; kind `end` in a panic */
    uint32_t prev_end; /* where the last token taken ended */
    uint32_t braces;   /* open now */
    uint32_t nesting;  /* of expressions, up to TSR_EXPR_NESTING_MAX */
    bool panic;
    bool in_for_header;
    bool decl_seen;   /* directives are over */
    bool left_early;  /* a function was given up at a keyword of module scope: its '}' may still come */
    bool lacks_brace; /* a '{' was missing, so a function may end before its text does */

    tsr_ast_node *node_next; /* where the next node goes, in the pool's last chunk */
    uint32_t node_room;      /* nodes that fit there */

    uint32_t *list; /* a stack: items of the lists being read */
    uint32_t list_count, list_cap;

    tsr_map bad_names; /* reported already: one message a name */
} tsr_parser;

/* ---- parse.c: tokens. */
void tsr_parse_advance(tsr_parser *p);
/* The token behind the current one. */
tsr_token_kind tsr_parse_peek(const tsr_parser *p);
/* Takes the current token when it is of that kind. */
static inline bool tsr_parse_take(tsr_parser *p, tsr_token_kind kind)
{
    if (p->tok.kind != kind) return false;
    tsr_parse_advance(p);
    return true;
}
/* Takes the first character of `--` or `&&`, which WGSL's tokenizer gives where only the single one fits. */
void tsr_parse_split(tsr_parser *p, tsr_token_kind half);
static inline tsr_span tsr_parse_span(const tsr_parser *p)
{
    return (tsr_span){p->tok.pos, p->tok.len};
}

/* ---- parse.c: errors. */
/* Reports at the current token ("..., found `x`" is added) and starts a panic. In a panic: nothing. Returns the
 * diagnostic or NULL. */
tsr_diag *tsr_parse_fail(tsr_parser *p, const char *fmt, ...) TSR_PRINTF(2, 3) TSR_COLD;
/* The same with a place and code of its own, and nothing added. */
tsr_diag *tsr_parse_fail_at(tsr_parser *p, tsr_span span, tsr_diag_code code, const char *fmt, ...)
    TSR_PRINTF(4, 5) TSR_COLD;
/* Takes a token of that kind or fails: "expected ')' <context>". */
bool tsr_parse_expect(tsr_parser *p, tsr_token_kind kind, const char *context);
/* The closing partner of what was opened at `open`. */
bool tsr_parse_close(tsr_parser *p, tsr_token_kind kind, uint32_t open);
bool tsr_parse_semicolon(tsr_parser *p, const char *after);
/* A name being declared or used: its symbol. Words that must not be names are reported, once, and taken as names.
 * `what` for the message: "a name for the variable". 0 after failing. */
tsr_sym tsr_parse_name(tsr_parser *p, const char *what);
/* Whether the token can start a name (reserved words and '_' included, for better messages). */
bool tsr_parse_at_name(const tsr_parser *p);
/* The nearest of the words, at most two edits away ("retrun": "return"); NULL: none. */
const char *tsr_parse_nearest(tsr_str word, const char *const *words, size_t count);
/* The spelling of the current token. */
tsr_str tsr_parse_spelling(const tsr_parser *p);
/* Ends a panic at the next statement of the block with `braces` open braces; false: its function is over. */
bool tsr_parse_resume_statement(tsr_parser *p, uint32_t braces);

/* ---- parse.c: nodes and lists. */
/* Makes room for a node at the end of the pool: node_next, node_room. */
void tsr_parse_more_nodes(tsr_parser *p);
static inline tsr_ast_node *tsr_parse_add(tsr_parser *p, tsr_node_kind kind, tsr_span at, uint32_t a, uint32_t b)
{
    if (TSR_UNLIKELY(p->node_room == 0)) tsr_parse_more_nodes(p);
    p->node_room--;
    p->ast->nodes.count++;
    tsr_ast_node *n = p->node_next++;
    n->kind = (uint8_t)kind;
    n->pos = at.pos;
    n->end = at.pos + at.len;
    n->a = a;
    n->b = b;
    return n;
}
static inline tsr_node tsr_parse_node(tsr_parser *p, tsr_node_kind kind, tsr_span at, uint32_t a, uint32_t b)
{
    tsr_parse_add(p, kind, at, a, b);
    return p->ast->nodes.count - 1;
}
/* `words` zeroed words of extra. */
uint32_t tsr_parse_record(tsr_parser *p, uint32_t words);
void tsr_parse_set(tsr_parser *p, uint32_t record, uint32_t word, uint32_t value);
void tsr_parse_push(tsr_parser *p, uint32_t item);
/* The items pushed since list_count was `from`, as a list. */
tsr_list tsr_parse_list(tsr_parser *p, uint32_t from);

/* ---- parse_expr.c. */
tsr_node tsr_parse_expr(tsr_parser *p);
tsr_node tsr_parse_type(tsr_parser *p);
/* A name with its template list, if any. */
tsr_node tsr_parse_ident(tsr_parser *p);
/* `(` expressions `)` or `<` expressions `>`; the current token is the opening one. *height: of the highest. */
tsr_list tsr_parse_args(tsr_parser *p, tsr_token_kind close, uint32_t *height);
/* call_phrase, the callee read already. */
tsr_node tsr_parse_call(tsr_parser *p, tsr_node callee);
/* lhs_expression; `ident`: read already, or 0. */
tsr_node tsr_parse_lhs(tsr_parser *p, tsr_node ident);

/* ---- parse_decl.c. */
tsr_list tsr_parse_attrs(tsr_parser *p);
/* One declaration with its attributes; stray semicolons are not its business. */
tsr_node tsr_parse_decl(tsr_parser *p);
/* var, let, const, override without the semicolon; the current token is the keyword. */
tsr_node tsr_parse_variable(tsr_parser *p, tsr_list attrs);
tsr_node tsr_parse_const_assert(tsr_parser *p);

/* ---- parse_stmt.c. */
/* A block; fails with "expected '{' <context>". */
tsr_node tsr_parse_block(tsr_parser *p, const char *context);

#endif
