/* Any bytes as WGSL source, through lexer and parser: no crash, no hang, errors exactly when refused, and the tree of
 * what is accepted can be walked and printed.
 *
 *     cmake -S . -B build/fuzz -DTSR_FUZZ=ON -DCMAKE_C_COMPILER=clang
 *     build/fuzz/fuzz_wgsl -dict=tests/fuzz/wgsl.dict -max_len=4096 CORPUS tests/wgsl/accept tests/wgsl/reject */
#include "wgsl/parse.h"

#include <setjmp.h>
#include <stdlib.h>

#define ARENA_BYTES ((size_t)256 << 20)

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tsr_arena arena;
    jmp_buf full;
    tsr_arena_init(&arena, &full);
    arena.limit_bytes = ARENA_BYTES;
    if (setjmp(full)) abort(); /* so small a text never needs so much */
    tsr_source source = {.name = "fuzz", .text = (const char *)data, .len = size};
    tsr_diags diags;
    tsr_diags_init(&diags, &arena, &source);
    tsr_symbols symbols;
    tsr_symbols_init(&symbols, &arena);
    tsr_ast ast;
    bool ok = tsr_wgsl_parse(&ast, &arena, &symbols, &diags);
    if (ok != (diags.error_count == 0)) abort();
    print_all(&diags, &ast, ok);
    tsr_arena_fini(&arena);
    return 0;
}
