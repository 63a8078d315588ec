/* Inside the reader of IR text: what its files share. It stops at the first fault; memory and time are linear in the
 * text, and the only recursion, in types, has a limit.
 *
 *   parse_lex.c    characters to tokens
 *   parse_value.c  types, constants, operands, attributes
 *   parse_body.c   instructions and blocks
 *   parse.c        what stands at module scope */
#ifndef TSR_IR_READER_H
#define TSR_IR_READER_H

#include "base/diag.h"
#include "ir/module.h"

typedef enum tsr_ir_token_kind {
    TSR_IRT_end,
    TSR_IRT_ident,
    TSR_IRT_number, /* with its sign and suffix */
    TSR_IRT_string, /* text: between the quotes, escapes not yet read */
    TSR_IRT_value,  /* %12; text: the digits */
    TSR_IRT_arrow,  /* -> */
    TSR_IRT_punct   /* one character */
} tsr_ir_token_kind;

typedef struct tsr_ir_token {
    tsr_ir_token_kind kind;
    tsr_span span;
    tsr_str text;
    bool first_on_line; /* an instruction ends with its line */
} tsr_ir_token;

/* A call of a function that had not been read yet. */
typedef struct tsr_ir_pending {
    tsr_id inst;
    uint64_t callee;
    tsr_span span;
} tsr_ir_pending;

typedef struct tsr_ir_reader {
    tsr_ir *ir;
    tsr_diags *diags;
    tsr_arena *arena;
    const char *text;
    uint32_t len, pos;
    tsr_ir_token tok; /* the next one, not taken yet */
    bool failed;
    tsr_map values;    /* number in the text -> instruction */
    tsr_map structs;   /* name and ordinal -> type */
    tsr_map functions; /* name and ordinal -> function */
    tsr_map states;    /* number in the text -> diagnostic state */
    tsr_map ops;       /* hash of the name -> op */
    tsr_id *args;      /* operands of the instruction being read */
    uint32_t arg_count, arg_cap;
    tsr_ir_pending *pending;
    uint32_t pending_count, pending_cap;
} tsr_ir_reader;

/* ---- parse_lex.c */
void tsr_ir_reader_next(tsr_ir_reader *r);
/* Reports the first fault; later ones are its consequences. Returns false. The next token is then the end. */
bool tsr_ir_reader_fail(tsr_ir_reader *r, tsr_span span, tsr_diag_code code, const char *fmt, ...)
    TSR_PRINTF(4, 5) TSR_COLD;
/* "expected WHAT, found ...": at the next token. */
bool tsr_ir_reader_expected(tsr_ir_reader *r, const char *what) TSR_COLD;
bool tsr_ir_reader_at(const tsr_ir_reader *r, char punct);
bool tsr_ir_reader_at_word(const tsr_ir_reader *r, const char *word);
/* Takes the next token when it is that one; `expect` reports when it is not. */
bool tsr_ir_reader_take(tsr_ir_reader *r, char punct);
bool tsr_ir_reader_take_word(tsr_ir_reader *r, const char *word);
bool tsr_ir_reader_expect(tsr_ir_reader *r, char punct);
/* A decimal number of at most 32 bits, without sign and suffix. */
bool tsr_ir_reader_u32(tsr_ir_reader *r, uint32_t *out, const char *what);
/* %number. */
bool tsr_ir_reader_value_number(tsr_ir_reader *r, uint32_t *number, tsr_span *span);
/* An identifier or a quoted name. */
bool tsr_ir_reader_name(tsr_ir_reader *r, tsr_sym *out, const char *what);
bool tsr_ir_reader_at_name(const tsr_ir_reader *r);

/* ---- parse_value.c */
bool tsr_ir_reader_type(tsr_ir_reader *r, tsr_type *out);
bool tsr_ir_reader_operand(tsr_ir_reader *r, tsr_id *out);
bool tsr_ir_reader_at_operand(const tsr_ir_reader *r);
/* Name and, after `#`, which of that name: one key. */
bool tsr_ir_reader_key(tsr_ir_reader *r, uint64_t *key, tsr_sym *name, const char *what);
/* [name] `:` type, after the number of a value. */
bool tsr_ir_reader_typed(tsr_ir_reader *r, tsr_sym *name, tsr_type *type);
/* Makes the number in the text stand for the instruction. */
bool tsr_ir_reader_define(tsr_ir_reader *r, uint32_t number, tsr_span span, tsr_id id);
/* `!` number; 0 when there is none. */
bool tsr_ir_reader_diag(tsr_ir_reader *r, uint16_t *out);
/* One attribute that says how something meets the outside, its `@` and name taken; *known tells whether it is one. */
bool tsr_ir_reader_io(tsr_ir_reader *r, tsr_str name, tsr_io *io, bool *known);
bool tsr_ir_reader_struct(tsr_ir_reader *r);

/* ---- parse_body.c */
/* One instruction, without blocks, appended to the builder's block. */
bool tsr_ir_reader_inst(tsr_ir_reader *r, tsr_block block);
/* Everything up to the closing brace of the function. */
bool tsr_ir_reader_body(tsr_ir_reader *r, tsr_block body);

#endif
