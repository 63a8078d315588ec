/* The syntax tree of one WGSL file: small nodes in a pool, lists in another. Node 0 is "none", list 0 is empty.
 *
 * A node has two fields of its own, `a` and `b`; kinds that need more keep a record of consecutive words in `extra` and
 * its index in `a` (the X_ enums below name the words). A list is a count followed by that many node numbers. */
#ifndef TSR_WGSL_AST_H
#define TSR_WGSL_AST_H

#include "base/diag.h"
#include "base/pool.h"
#include "base/symbol.h"

typedef uint32_t tsr_node;
typedef uint32_t tsr_list;

typedef enum tsr_node_kind {
    TSR_N_none = 0,
    /* Expressions. */
    TSR_N_bool,   /* a: 0 or 1 */
    TSR_N_int,    /* value in a (low) and b (high); op: 0, 'i' or 'u'. Suffixed literals were range-checked */
    TSR_N_float,  /* f64 bits in a (low) and b (high); op: 0, 'f' or 'h'. Range-checked for its suffix */
    TSR_N_ident,  /* a: symbol, b: list of template arguments (expressions), 0: none given */
    TSR_N_call,   /* a: callee (ident), b: list of arguments */
    TSR_N_index,  /* a[b] */
    TSR_N_member, /* a . symbol b */
    TSR_N_unary,  /* op: tsr_ast_op, a */
    TSR_N_binary, /* op: tsr_ast_op, a, b */
    TSR_N_paren,  /* ( a ) */
    /* Statements. */
    TSR_N_block,     /* a: list of statements, b: list of attributes */
    TSR_N_var,       /* record X_VAR; also at module scope */
    TSR_N_let,       /* record X_VAR */
    TSR_N_const,     /* record X_VAR; also at module scope */
    TSR_N_assign,    /* a = b; op: TSR_AST_none or the operator of a compound assignment */
    TSR_N_phony,     /* _ = a */
    TSR_N_increment, /* a++ */
    TSR_N_decrement, /* a-- */
    TSR_N_call_stmt, /* a: call */
    TSR_N_if,        /* record X_IF */
    TSR_N_switch,    /* record X_SWITCH */
    TSR_N_clause,    /* a: list of selectors (a TSR_N_default among them for `default`), b: block */
    TSR_N_default,
    TSR_N_loop,  /* record X_LOOP */
    TSR_N_for,   /* record X_FOR */
    TSR_N_while, /* record X_WHILE */
    TSR_N_break,
    TSR_N_continue,
    TSR_N_return, /* a: expression or 0 */
    TSR_N_discard,
    TSR_N_const_assert, /* a: expression; also at module scope */
    /* Module scope. */
    TSR_N_override, /* record X_VAR */
    TSR_N_alias,    /* a: symbol, b: type expression */
    TSR_N_struct,   /* a: symbol, b: list of TSR_N_field */
    TSR_N_field,    /* record X_FIELD */
    TSR_N_fn,       /* record X_FN */
    TSR_N_param,    /* record X_FIELD */
    TSR_N_attr,     /* a: symbol of the name, b: list of arguments (expressions). @diagnostic(off, a.b): idents, the
                       rule as ident or TSR_N_member; @builtin(position): ident */
    /* Directives, in the order given, before all declarations. */
    TSR_N_enable,     /* a: list of idents */
    TSR_N_requires,   /* a: list of idents */
    TSR_N_diagnostic, /* a: ident (severity), b: ident or TSR_N_member (rule) */
    TSR_N_KIND_COUNT
} tsr_node_kind;

typedef enum tsr_ast_op {
    TSR_AST_none = 0,
    TSR_AST_neg,
    TSR_AST_not,
    TSR_AST_compl,
    TSR_AST_deref,
    TSR_AST_addr,
    TSR_AST_add,
    TSR_AST_sub,
    TSR_AST_mul,
    TSR_AST_div,
    TSR_AST_rem,
    TSR_AST_and,
    TSR_AST_or,
    TSR_AST_xor,
    TSR_AST_shl,
    TSR_AST_shr,
    TSR_AST_land,
    TSR_AST_lor,
    TSR_AST_eq,
    TSR_AST_ne,
    TSR_AST_lt,
    TSR_AST_le,
    TSR_AST_gt,
    TSR_AST_ge,
    TSR_AST_OP_COUNT
} tsr_ast_op;
/* "+", "&&", ... */
const char *tsr_ast_op_text(tsr_ast_op op);

/* Words of the records in `extra`; lists and nodes that are absent are 0. */
enum { X_VAR_name, X_VAR_type, X_VAR_init, X_VAR_template /* list: var<storage, read> */, X_VAR_attrs, X_VAR_WORDS };
enum { X_IF_cond, X_IF_then, X_IF_else /* block or if */, X_IF_attrs, X_IF_WORDS };
enum { X_SWITCH_selector, X_SWITCH_clauses, X_SWITCH_attrs, X_SWITCH_body_attrs, X_SWITCH_WORDS };
enum {
    X_LOOP_body,
    X_LOOP_continuing /* block */,
    X_LOOP_break_if /* expression at the end of continuing */,
    X_LOOP_attrs,
    X_LOOP_WORDS
};
enum { X_FOR_init, X_FOR_cond, X_FOR_update, X_FOR_body, X_FOR_attrs, X_FOR_WORDS };
enum { X_WHILE_cond, X_WHILE_body, X_WHILE_attrs, X_WHILE_WORDS };
enum { X_FIELD_name, X_FIELD_type, X_FIELD_attrs, X_FIELD_WORDS };
enum { X_FN_name, X_FN_params, X_FN_result, X_FN_result_attrs, X_FN_body, X_FN_attrs, X_FN_WORDS };

typedef struct tsr_ast_node {
    uint8_t kind;      /* tsr_node_kind */
    uint8_t op;        /* tsr_ast_op or a literal's suffix */
    uint16_t spare;    /* expressions: the height of the tree, at most TSR_EXPR_HEIGHT_MAX of lex.h */
    uint32_t pos, end; /* bytes of the source, end exclusive. Declarations and statements: of the name or the keyword
                          alone, so that carets stay short */
    uint32_t a, b;
} tsr_ast_node;

/* One declaration of module scope and the nodes below it: [first, last) of the pool. */
typedef struct tsr_ast_decl {
    tsr_node node;
    tsr_node first, last;
} tsr_ast_decl;

typedef struct tsr_ast {
    tsr_arena *arena;
    tsr_symbols *symbols;
    tsr_pool nodes; /* of tsr_ast_node */
    tsr_pool extra; /* of uint32_t */
    tsr_pool decls; /* of tsr_ast_decl, in source order; index 0 unused */
    tsr_list directives;
} tsr_ast;

/* The tree as one line of text that shows its structure, for tests and debugging: operators in parentheses, source
 * parentheses as braces. */
void tsr_ast_print(tsr_text *out, const tsr_ast *ast);

static inline const tsr_ast_node *tsr_ast_at(const tsr_ast *ast, tsr_node n)
{
    return (const tsr_ast_node *)tsr_pool_at(&ast->nodes, n);
}
static inline uint32_t tsr_ast_extra(const tsr_ast *ast, const tsr_ast_node *n, uint32_t word)
{
    return *(const uint32_t *)tsr_pool_at(&ast->extra, n->a + word);
}
static inline uint32_t tsr_ast_list_count(const tsr_ast *ast, tsr_list l)
{
    return l == 0 ? 0 : *(const uint32_t *)tsr_pool_at(&ast->extra, l);
}
static inline tsr_node tsr_ast_list_at(const tsr_ast *ast, tsr_list l, uint32_t i)
{
    return *(const tsr_node *)tsr_pool_at(&ast->extra, l + 1 + i);
}
static inline tsr_span tsr_ast_span(const tsr_ast *ast, tsr_node n)
{
    const tsr_ast_node *node = tsr_ast_at(ast, n);
    return (tsr_span){node->pos, node->end - node->pos};
}

#endif
