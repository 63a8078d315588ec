/* What the tests of the IR share: a module with all that belongs to it, read from text, printed, verified. */
#ifndef TSR_TESTS_IR_HELP_H
#define TSR_TESTS_IR_HELP_H

#include "unit.h"

#include "ir/text.h"
#include "ir/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct module {
    tsr_arena arena;
    tsr_source source;
    tsr_diags diags;
    tsr_symbols symbols;
    tsr_types types;
    tsr_ir ir;
} module;

static inline void module_init(module *m, const char *text, size_t len)
{
    memset(m, 0, sizeof *m);
    tsr_arena_init(&m->arena, NULL);
    m->source = (tsr_source){.name = "test.ir", .text = text, .len = len};
    tsr_diags_init(&m->diags, &m->arena, &m->source);
    tsr_symbols_init(&m->symbols, &m->arena);
    tsr_types_init(&m->types, &m->arena, &m->symbols);
    tsr_ir_init(&m->ir, &m->arena, &m->symbols, &m->types);
}

static inline void module_fini(module *m)
{
    tsr_arena_fini(&m->arena);
}

static inline tsr_sym module_sym(module *m, const char *name)
{
    return tsr_symbols_add(&m->symbols, name, strlen(name));
}

/* The diagnostics as a user sees them, to show why a test failed. */
static inline void module_show(module *m)
{
    for (const tsr_diag *d = m->diags.first; d != NULL; d = d->next) {
        tsr_text text;
        tsr_text_init(&text, &m->arena);
        tsr_diag_print(&text, &m->diags, d, false);
        print_message("%s", tsr_text_get(&text));
    }
}

/* The printed text; lives as long as the module. */
static inline const char *module_print(module *m, const tsr_ir *ir)
{
    tsr_text text;
    tsr_text_init(&text, &m->arena);
    tsr_ir_print(&text, ir);
    return tsr_text_get(&text);
}

/* Reads and verifies; shows and fails when either does not go. */
static inline void module_read(module *m, const char *text, size_t len)
{
    bool ok;
    module_init(m, text, len);
    ok = tsr_ir_parse(&m->ir, &m->diags) && tsr_ir_verify(&m->ir, &m->diags);
    if (!ok) module_show(m);
    assert_true(ok);
}

static inline char *read_file(const char *path, size_t *len)
{
    FILE *f = fopen(path, "rb");
    char *text;
    long size;
    if (f == NULL) fail_msg("cannot open %s", path);
    fseek(f, 0, SEEK_END);
    size = ftell(f);
    rewind(f);
    text = malloc((size_t)size + 1);
    if (text == NULL || fread(text, 1, (size_t)size, f) != (size_t)size) fail_msg("cannot read %s", path);
    fclose(f);
    text[size] = '\0';
    *len = (size_t)size;
    return text;
}

#endif
