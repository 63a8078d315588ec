/* The text of the kernel's function, read back into lines and blocks: for what has to know all of it, as fission at
 * barriers does. Only what our own emitter writes is understood. */
#ifndef TSR_EMIT_LLVM_READ_H
#define TSR_EMIT_LLVM_READ_H

#include "base/arena.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct tsr_lr_use {
    uint32_t name;
    uint32_t at;    /* where its `%` stands in the line */
    uint32_t from;  /* phi: the block that it comes from */
    uint32_t fresh; /* %tN that stands there instead; 0: none. For those who rewrite */
} tsr_lr_use;

typedef struct tsr_lr_line {
    tsr_str text; /* without its newline */
    uint32_t def; /* the name that it gives a value to; 0: none */
    uint32_t use, use_count;
    bool is_phi;
} tsr_lr_line;

typedef struct tsr_lr_block {
    uint32_t label;
    uint32_t line, end; /* its lines; the last one ends it */
    uint32_t edge, edge_count;
    bool waits; /* it ends with `barrier label %bN` */
} tsr_lr_block;

/* Names: N is %tN, `mask` is %mask; 0 is none. What else has a name is not looked at. Labels: tsr_lr_label(N) is %bN.
 */
typedef struct tsr_lr {
    tsr_arena *arena;
    uint32_t mask, name_count, label_count;
    tsr_lr_line *line; /* first those before the blocks: of the prologue */
    tsr_lr_use *use;
    tsr_lr_block *block;
    uint32_t *edge;        /* indices of blocks */
    uint32_t *block_of;    /* by label: 1 + the block's index; 0: none */
    uint32_t prologue_end; /* lines before it are the prologue's */
    uint32_t line_count, use_count, block_count, edge_count;
} tsr_lr;

enum { TSR_LR_START, TSR_LR_STOPPED, TSR_LR_LABELS };
static inline uint32_t tsr_lr_label(uint32_t n)
{
    return n + TSR_LR_LABELS;
}

/* `mask`: a number above all N that are in use. false: something is not as expected. */
bool tsr_lr_read(tsr_lr *r, tsr_arena *arena, uint32_t mask, const tsr_text *prologue, const tsr_text *body,
                 const tsr_text *cold);
/* The type of what a line defines, as text; empty: not known. */
tsr_str tsr_lr_type(tsr_lr *r, const tsr_lr_line *line);
/* Bytes of a value of the type in memory; 0: not known. */
uint32_t tsr_lr_type_bytes(tsr_str type);
/* "%t12": how long it is. */
uint32_t tsr_lr_name_len(const tsr_lr_line *line, const tsr_lr_use *use);
/* Whether the text of the line begins with `word` behind its indent; behind its `=`. */
bool tsr_lr_begins(const tsr_lr_line *line, const char *word);
bool tsr_lr_is_op(const tsr_lr_line *line, const char *op);

#endif
