/* Any bytes as WGSL source: no crash, no hang, no memory without limit; errors exactly when refused; the tree of what
 * parses can be walked and printed; the IR of what is accepted comes back from its own text as the same text, and every
 * compute entry point is built for the CPU or refused by name. mutate_wgsl.c makes the texts.
 *
 *     tools/fuzz wgsl -max_total_time=3600 */
#include "tessera.h"
#include "wgsl/parse.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY_LIMIT ((size_t)512 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void print_all(tsr_diags *diags, const tsr_ast *ast, bool ok)
{
    tsr_text out;
    tsr_text_init(&out, NULL);
    for (const tsr_diag *d = diags->first; d; d = d->next)
        tsr_diag_print(&out, diags, d, true);
    if (ok) tsr_ast_print(&out, ast);
    tsr_text_fini(&out);
}

static bool parse(const char *text, size_t len)
{
    tsr_arena arena;
    jmp_buf full;
    tsr_arena_init(&arena, &full);
    arena.limit_bytes = MEMORY_LIMIT;
    if (setjmp(full)) abort(); /* so small a text never needs so much */
    tsr_source source = {.name = "fuzz", .text = text, .len = len};
    tsr_diags diags;
    tsr_diags_init(&diags, &arena, &source);
    tsr_symbols symbols;
    tsr_symbols_init(&symbols, &arena);
    tsr_ast ast;
    bool ok = tsr_wgsl_parse(&ast, &arena, &symbols, &diags);
    if (ok != (diags.error_count == 0)) abort();
    print_all(&diags, &ast, ok);
    tsr_arena_fini(&arena);
    return ok;
}

static void read_back(tsr_module *m)
{
    const char *text = tsr_module_ir_text(m);
    if (!text) return;
    tsr_module *again = NULL;
    tsr_compile_args args = {.name = "fuzz.ir",
                             .source = text,
                             .source_bytes = strlen(text),
                             .memory_limit_bytes = MEMORY_LIMIT,
                             .ir_text = true};
    tsr_status st = tsr_compile(&args, &again);
    if (st == TSR_ERR_MEMORY || st == TSR_ERR_LIMIT) return;
    if (st != TSR_OK) abort();
    const char *other = tsr_module_ir_text(again);
    if (other && strcmp(text, other)) abort();
    tsr_module_free(again);
}

static void build(const tsr_module *m)
{
    tsr_device *dev = NULL;
    if (tsr_module_entry_count(m) == 0) return;
    if (tsr_device_open("cpu", &(tsr_device_args){.threads = 1}, &dev)) abort();
    for (size_t i = 0; i < tsr_module_entry_count(m); i++) {
        tsr_entry_info entry;
        if (tsr_module_entry(m, i, &entry)) abort();
        tsr_pipeline *p = NULL;
        if (tsr_pipeline_create(dev, m, &(tsr_pipeline_args){.entry = entry.name}, &p) == TSR_OK) tsr_pipeline_free(p);
    }
    tsr_device_free(dev);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bool parsed = parse((const char *)data, size);
    tsr_module *m = NULL;
    tsr_compile_args args = {
        .name = "fuzz", .source = (const char *)data, .source_bytes = size, .memory_limit_bytes = MEMORY_LIMIT};
    tsr_status st = tsr_compile(&args, &m);
    if (st == TSR_OK && !parsed) abort();
    if (st == TSR_OK) {
        read_back(m);
        build(m);
    }
    for (size_t i = 0; m && i < tsr_module_diagnostic_count(m); i++)
        tsr_module_diagnostic_text(m, i, 0);
    tsr_module_free(m);
    return 0;
}
