/* Text to tokens. The lexer hands out tokens in batches: a batch ends where no template list is open, so that each `<`
 * and `>` in it is known to be a template delimiter or an operator; the parser never sees a batch, only the next token.
 *
 * What is wrong with the text becomes an `error` token; the parser reports it when it gets there. */
#ifndef TSR_WGSL_LEX_H
#define TSR_WGSL_LEX_H

#include "base/diag.h"
#include "base/symbol.h"

/* Limits. WGSL, "Limits": implementations must support 127 nested brace-enclosed statements in a function; with the
 * function's own braces, 128. */
#define TSR_BRACE_DEPTH_MAX  128
/* Parentheses, brackets, template lists, calls and prefix operators inside each other: how deep the parser recurses. */
#define TSR_EXPR_NESTING_MAX 512
/* Height of an expression's tree, so also of left-deep chains such as a + a + a ... or a[0][0][0] ...: how deep
 * whoever walks the tree recurses. Tint's limit is 512. */
#define TSR_EXPR_HEIGHT_MAX  1024
/* `else if` after `else if`: a chain is nested ifs to whoever walks the tree. */
#define TSR_ELSE_IF_MAX      1000
/* Positions are 32 bits wide, token lengths 24. */
#define TSR_SOURCE_BYTES_MAX ((size_t)0x7fffffff)
#define TSR_TOKEN_BYTES_MAX  ((size_t)0xffffff)

typedef enum tsr_token_kind {
#define TOKEN(name, text) TSR_TOK_##name,
#define KEYWORD(name)     TSR_TOK_##name,
#include "wgsl/token.def"
    TSR_TOK_COUNT
} tsr_token_kind;

typedef enum tsr_lex_problem {
    TSR_LEX_utf8,        /* bytes that are not UTF-8 */
    TSR_LEX_null,        /* U+0000 */
    TSR_LEX_bom,         /* a byte order mark */
    TSR_LEX_utf16,       /* the text looks like UTF-16 */
    TSR_LEX_too_long,    /* more than TSR_SOURCE_BYTES_MAX */
    TSR_LEX_character,   /* no token starts so */
    TSR_LEX_comment,     /* a block comment without its end */
    TSR_LEX_token_long,  /* more than TSR_TOKEN_BYTES_MAX */
    TSR_LEX_number,      /* a number runs into letters, or lacks digits */
    TSR_LEX_leading_zero /* 012 */
} tsr_lex_problem;

typedef struct tsr_token {
    uint32_t kind : 8;
    uint32_t len : 24;
    uint32_t pos;
    uint32_t value; /* see token.def */
} tsr_token;

#define TSR_KEYWORD_SLOTS 512u  /* power of two, more than twice the words of token.def */
#define TSR_NAME_SLOTS    1024u /* at most; power of two */

/* A name met before: its first bytes, where it stands in the text, what it is; len 0: the slot is free. */
typedef struct tsr_lex_name {
    uint64_t head;
    uint32_t pos, len;
    tsr_sym symbol;
    uint32_t kind;
} tsr_lex_name;

typedef struct tsr_lexer {
    tsr_arena *arena;
    tsr_symbols *symbols;
    const char *text;
    uint32_t len;
    uint32_t at;      /* next byte to look at */
    uint32_t depth;   /* of parentheses and brackets: NestingDepth of template list discovery */
    bool after_ident; /* the last token can have a template list */
    bool done;        /* the end token, or an error that ends everything, was handed out */
    bool too_long;

    tsr_token *tokens; /* the batch */
    uint32_t count, cap;
    uint32_t batch; /* tokens in it, unless a template list is open */

    struct tsr_open_template *open; /* candidates not closed yet: Pending of template list discovery */
    uint32_t open_count, open_cap;

    uint8_t word_slot[TSR_KEYWORD_SLOTS]; /* keywords and reserved words by hash; 0: free */
    tsr_lex_name *names;                  /* the latest of each hash: spares most look-ups */
    uint32_t name_mask;
} tsr_lexer;

void tsr_lex_init(tsr_lexer *lx, tsr_arena *arena, tsr_symbols *symbols, const char *text, size_t len);
/* Drops the first `used` tokens of the batch, moves the others to the front and reads more behind them: at least
 * one, the last one of a file being `end`. After that it adds no more. */
void tsr_lex_more(tsr_lexer *lx, uint32_t used);
/* Reports what an `error` token stands for. */
void tsr_lex_report(const tsr_lexer *lx, const tsr_token *t, tsr_diags *diags);
/* The spelling of a kind for messages: "name", ";", "while". */
const char *tsr_token_text(tsr_token_kind kind);
static inline bool tsr_token_is_keyword(tsr_token_kind kind)
{
    return kind >= TSR_TOK_alias;
}

/* The value of a number token's text: what the literal is, or why it is not representable. */
typedef enum tsr_number_problem { TSR_NUMBER_ok = 0, TSR_NUMBER_range, TSR_NUMBER_inexact } tsr_number_problem;
/* suffix: 0, 'i' or 'u'. bits: int64_t for 0 and 'i', else uint64_t. */
tsr_number_problem tsr_lex_int(const char *s, size_t len, int suffix, uint64_t *bits);
/* suffix: 0 (f64), 'f' or 'h'. The value is rounded once, to the suffix's type. */
tsr_number_problem tsr_lex_float(const char *s, size_t len, int suffix, double *value);

#endif
