/* Diagnostics: what is wrong with the user's program, where, and what to do. Kinds are rows of diag.def. */
#ifndef TSR_BASE_DIAG_H
#define TSR_BASE_DIAG_H

#include "base/arena.h"
#include "base/compiler.h"
#include "base/text.h"
#include "tessera.h"

/* Bytes [pos, pos + len) of the source. */
typedef struct tsr_span {
    uint32_t pos, len;
} tsr_span;

typedef enum tsr_diag_code {
#define DIAG(name, number, title) TSR_E_##name = number,
#include "base/diag.def"
    TSR_E_NONE = 0
} tsr_diag_code;

/* The text of one compilation. It does not own `name` and `text`. */
typedef struct tsr_source {
    const char *name; /* as shown to people: a path or "<stdin>" */
    const char *text;
    size_t len;
    uint32_t *line_start; /* made when first needed */
    uint32_t line_count;
} tsr_source;

typedef struct tsr_diag_note {
    struct tsr_diag_note *next;
    tsr_span span; /* len 0 and pos 0: no place */
    const char *text;
} tsr_diag_note;

typedef struct tsr_diag {
    struct tsr_diag *next;
    tsr_severity severity;
    tsr_diag_code code;
    tsr_span span;
    const char *text;
    tsr_diag_note *notes;
} tsr_diag;

typedef struct tsr_diags {
    tsr_arena *arena;
    tsr_source *source;
    tsr_diag *first, *last;
    uint32_t error_count, warning_count;
    uint32_t limit;   /* errors kept (default 100), and as many warnings; later ones are counted only */
    tsr_diag *unkept; /* what a report that is not kept returns */
} tsr_diags;

void tsr_diags_init(tsr_diags *d, tsr_arena *arena, tsr_source *source);
/* Reports an error and returns it, so that notes can be added; never NULL. */
tsr_diag *tsr_error(tsr_diags *d, tsr_span span, tsr_diag_code code, const char *fmt, ...) TSR_PRINTF(4, 5) TSR_COLD;
tsr_diag *tsr_report(tsr_diags *d, tsr_severity severity, tsr_span span, tsr_diag_code code, const char *fmt, ...)
    TSR_PRINTF(5, 6) TSR_COLD;
void tsr_note(tsr_diags *d, tsr_diag *to, tsr_span span, const char *fmt, ...) TSR_PRINTF(4, 5) TSR_COLD;
const char *tsr_diag_title(tsr_diag_code code);
const char *tsr_severity_name(tsr_severity s);

/* Line and column, both from 1; columns count UTF-8 code points, a tab as one. */
void tsr_source_locate(tsr_source *src, tsr_arena *arena, uint32_t pos, uint32_t *line, uint32_t *column);
/* As clang prints: "file:line:column: error: text [E0123]", the line, the caret line, then the notes. */
void tsr_diag_print(tsr_text *out, tsr_diags *d, const tsr_diag *diag, bool color);

/* A broken promise of our own: prints `what` and stops. No user input may reach it. */
#define TSR_ICE(what) tsr_ice(__FILE__, __LINE__, (what))
_Noreturn void tsr_ice(const char *file, int line, const char *what) TSR_COLD;

#endif
