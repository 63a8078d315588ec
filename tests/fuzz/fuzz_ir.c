/* libFuzzer target: any bytes as IR text. What is read is printed; what the verifier accepts must come back from its
 * own text, and from a clone, as the same text. */
#include "ir/text.h"
#include "ir/verify.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY_LIMIT ((size_t)512 * 1024 * 1024)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct reading {
    tsr_source source;
    tsr_diags diags;
    tsr_symbols symbols;
    tsr_types types;
    tsr_ir ir;
};

static bool read_text(struct reading *r, tsr_arena *arena, const char *text, size_t len)
{
    r->source = (tsr_source){.name = "fuzz.ir", .text = text, .len = len};
    tsr_diags_init(&r->diags, arena, &r->source);
    tsr_symbols_init(&r->symbols, arena);
    tsr_types_init(&r->types, arena, &r->symbols);
    tsr_ir_init(&r->ir, arena, &r->symbols, &r->types);
    return tsr_ir_parse(&r->ir, &r->diags);
}

static tsr_text print_ir(tsr_arena *arena, const tsr_ir *ir)
{
    tsr_text text;
    tsr_text_init(&text, arena);
    tsr_ir_print(&text, ir);
    return text;
}

static void require_same(const tsr_text *a, const tsr_text *b)
{
    if (a->len != b->len || memcmp(a->s, b->s, a->len) != 0) abort();
}

static void print_reports(tsr_arena *arena, struct reading *r)
{
    tsr_text text;
    tsr_text_init(&text, arena);
    for (const tsr_diag *d = r->diags.first; d != NULL; d = d->next)
        tsr_diag_print(&text, &r->diags, d, true);
}

static void check(tsr_arena *arena, const char *data, size_t size)
{
    struct reading *r = TSR_NEW(arena, struct reading), *again = TSR_NEW(arena, struct reading);
    tsr_text text, other;
    if (!read_text(r, arena, data, size)) {
        if (r->diags.error_count == 0) abort();
        print_reports(arena, r);
        return;
    }
    text = print_ir(arena, &r->ir);
    if (!tsr_ir_verify(&r->ir, &r->diags)) {
        print_reports(arena, r);
        return;
    }
    if (!read_text(again, arena, text.s, text.len)) abort();
    if (!tsr_ir_verify(&again->ir, &again->diags)) abort();
    other = print_ir(arena, &again->ir);
    require_same(&text, &other);
    other = print_ir(arena, tsr_ir_clone(&r->ir, arena));
    require_same(&text, &other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tsr_arena arena;
    jmp_buf full;
    tsr_arena_init(&arena, &full);
    arena.limit_bytes = MEMORY_LIMIT;
    if (setjmp(full) == 0) check(&arena, (const char *)data, size);
    tsr_arena_fini(&arena);
    return 0;
}
