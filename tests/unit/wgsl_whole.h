/* A program through the whole front end, for tests: parse, lower, verify. */
#ifndef TSR_TESTS_WGSL_WHOLE_H
#define TSR_TESTS_WGSL_WHOLE_H

#include "ir/text.h"
#include "ir/verify.h"
#include "wgsl/lower.h"
#include "wgsl/parse.h"

#include "unit.h"

#include <string.h>

typedef struct front {
    tsr_arena arena;
    tsr_source source;
    tsr_diags diags;
    tsr_symbols symbols;
    tsr_types types;
    tsr_ast ast;
    tsr_ir ir;
    bool ok;
    tsr_text messages; /* all diagnostics as people see them */
    tsr_text ir_text;  /* when ok */
} front;

static inline void front_run(front *f, const char *text)
{
    memset(f, 0, sizeof *f);
    tsr_arena_init(&f->arena, NULL);
    f->source = (tsr_source){.name = "test.wgsl", .text = text, .len = strlen(text)};
    tsr_diags_init(&f->diags, &f->arena, &f->source);
    tsr_symbols_init(&f->symbols, &f->arena);
    tsr_types_init(&f->types, &f->arena, &f->symbols);
    tsr_ir_init(&f->ir, &f->arena, &f->symbols, &f->types);
    tsr_text_init(&f->messages, &f->arena);
    tsr_text_init(&f->ir_text, &f->arena);
    f->ok = tsr_wgsl_parse(&f->ast, &f->arena, &f->symbols, &f->diags) && tsr_wgsl_lower(&f->ir, &f->ast, &f->diags);
    if (f->ok) {
        tsr_ir_print(&f->ir_text, &f->ir);
        f->ok = tsr_ir_verify(&f->ir, &f->diags);
    }
    for (const tsr_diag *d = f->diags.first; d != NULL; d = d->next)
        tsr_diag_print(&f->messages, &f->diags, d, false);
}

static inline void front_free(front *f)
{
    tsr_arena_fini(&f->arena);
}

#endif
