/* The pipeline's first half, text to checked IR, and the diagnostics of it. The second half is compile_build.c.
 *
 *     WGSL:     parse -> lower -> (verify, debug builds) -> uniformity -> reflect
 *     IR text:  parse -> verify -> reflect
 *
 * One arena holds the module, a second one what only the way there needs (the tree). Out of memory, either jumps back
 * to compile_guarded, which holds nothing else. */
#include "compile.h"

#include "check/uniform.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "wgsl/lower.h"
#include "wgsl/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Places are 32-bit numbers, and one bit is left free. */
#define SOURCE_BYTES_MAX ((size_t)1 << 31)

struct job {
    const tsr_compile_args *args;
    tsr_module *m;
    tsr_arena scratch;
    jmp_buf full;
};

/* ---- Text to IR ------------------------------------------------------------------------------------------------ */

static void copy_source(tsr_module *m, const tsr_compile_args *args)
{
    const char *name = args->name ? args->name : "<source>";
    m->source.name = tsr_arena_strndup(&m->arena, name, strlen(name));
    m->source.text = tsr_arena_strndup(&m->arena, args->source ? args->source : "", args->source_bytes);
    m->source.len = args->source_bytes;
}

/* The memory limit is for both arenas together: each gets what the other has left when its turn comes. */
static void share_limit(const struct job *job, tsr_arena *growing, const tsr_arena *other)
{
    size_t limit = job->args->memory_limit_bytes;
    if (!limit) return;
    growing->limit_bytes = limit > other->held_bytes ? limit - other->held_bytes : 1;
}

static void verify_own(tsr_module *m)
{
#ifndef NDEBUG
    if (tsr_ir_verify(&m->ir, &m->diags)) return;
    for (size_t i = 0; i < m->diags.error_count && m->diags.first; i++, m->diags.first = m->diags.first->next)
        fprintf(stderr, "%s\n", m->diags.first->text);
    TSR_ICE("the front end made IR that breaks its own rules");
#else
    (void)m;
#endif
}

static void compile_wgsl(struct job *job)
{
    tsr_module *m = job->m;
    tsr_ast ast = {0};
    share_limit(job, &job->scratch, &m->arena);
    if (!tsr_wgsl_parse(&ast, &job->scratch, &m->symbols, &m->diags)) return;
    share_limit(job, &m->arena, &job->scratch);
    if (!tsr_wgsl_lower(&m->ir, &ast, &m->diags)) return;
    verify_own(m);
    tsr_check_uniformity(&m->ir, &m->diags);
}

static void compile_ir(struct job *job)
{
    tsr_module *m = job->m;
    if (tsr_ir_parse(&m->ir, &m->diags)) tsr_ir_verify(&m->ir, &m->diags);
}

/* ---- Diagnostics by place -------------------------------------------------------------------------------------- */

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* In the order of the text, whatever order the stages went in; what has no place comes last. */
static void list_diagnostics(tsr_module *m, tsr_arena *scratch)
{
    uint32_t count = 0, i = 0, line, column;
    for (const tsr_diag *d = m->diags.first; d; d = d->next)
        count++;
    if (count == 0) return;
    const tsr_diag **found = TSR_NEW_ARRAY(scratch, const tsr_diag *, count);
    uint64_t *keys = TSR_NEW_ARRAY(scratch, uint64_t, count);
    for (const tsr_diag *d = m->diags.first; d; d = d->next, i++) {
        bool placed = d->span.pos || d->span.len;
        found[i] = d;
        keys[i] = (uint64_t)(placed ? d->span.pos : UINT32_MAX) << 32 | i;
    }
    qsort(keys, count, sizeof *keys, compare_keys);
    m->diag_list = TSR_NEW_ARRAY(&m->arena, const tsr_diag *, count);
    for (i = 0; i < count; i++)
        m->diag_list[i] = found[(uint32_t)keys[i]];
    m->diag_count = count;
    tsr_source_locate(&m->source, &m->arena, 0, &line, &column); /* makes the lines, so that readers allocate nothing */
}

/* ---- The entry ------------------------------------------------------------------------------------------------- */

static void compile_job(struct job *job)
{
    tsr_module *m = job->m;
    m->arena.limit_bytes = job->args->memory_limit_bytes;
    copy_source(m, job->args);
    tsr_diags_init(&m->diags, &m->arena, &m->source);
    tsr_symbols_init(&m->symbols, &m->arena);
    tsr_types_init(&m->types, &m->arena, &m->symbols);
    tsr_ir_init(&m->ir, &m->arena, &m->symbols, &m->types);
    if (job->args->ir_text)
        compile_ir(job);
    else
        compile_wgsl(job);
    m->valid = m->diags.error_count == 0;
    if (m->valid) tsr_reflect(m, &job->scratch);
    list_diagnostics(m, &job->scratch);
}

static tsr_status compile_guarded(struct job *job)
{
    if (setjmp(job->full)) return TSR_ERR_MEMORY;
    compile_job(job);
    return job->m->valid ? TSR_OK : TSR_ERR_SOURCE;
}

static tsr_status fail_memory(const struct job *job)
{
    const char *name = job->args->name ? job->args->name : "<source>";
    size_t limit = job->args->memory_limit_bytes;
    if (limit) return tsr_fail(TSR_ERR_MEMORY, "%s: compiling needs more than the limit of %zu bytes", name, limit);
    return tsr_fail(TSR_ERR_MEMORY, "%s: out of memory while compiling", name);
}

const char *tsr_diagnostic_title(uint32_t number)
{
    return tsr_diag_title((tsr_diag_code)number);
}

tsr_status tsr_compile(const tsr_compile_args *args, tsr_module **out)
{
    if (!args || !out) return tsr_fail(TSR_ERR_INVALID, "tsr_compile: args and out must not be NULL");
    if (!args->source && args->source_bytes) return tsr_fail(TSR_ERR_INVALID, "tsr_compile: source is NULL");
    if (args->source_bytes > SOURCE_BYTES_MAX)
        return tsr_fail(TSR_ERR_LIMIT, "the source has %zu bytes; at most %zu can be compiled", args->source_bytes,
                        SOURCE_BYTES_MAX);
    struct job job = {.args = args, .m = calloc(1, sizeof(tsr_module))};
    if (!job.m) return fail_memory(&job);
    tsr_arena_init(&job.m->arena, &job.full);
    tsr_arena_init(&job.scratch, &job.full);
    tsr_status st = compile_guarded(&job);
    tsr_arena_fini(&job.scratch);
    job.m->arena.on_full = NULL;
    job.m->arena.limit_bytes = 0;
    if (st == TSR_ERR_MEMORY) {
        tsr_module_free(job.m);
        return fail_memory(&job);
    }
    *out = job.m;
    if (st == TSR_OK) return TSR_OK;
    return tsr_fail(st, "%s: %u error%s: %s", job.m->source.name, (unsigned)job.m->diags.error_count,
                    job.m->diags.error_count == 1 ? "" : "s", job.m->diag_list[0]->text);
}

void tsr_module_free(tsr_module *m)
{
    if (!m) return;
    for (int color = 0; color < 2; color++) {
        for (size_t i = 0; m->diag_text[color] && i < m->diag_count; i++)
            free(m->diag_text[color][i]);
        free(m->diag_text[color]);
    }
    free(m->ir_text);
    tsr_arena_fini(&m->arena);
    free(m);
}

/* ---- Diagnostics, seen from outside ---------------------------------------------------------------------------- */

size_t tsr_module_diagnostic_count(const tsr_module *m)
{
    return m ? m->diag_count : 0;
}

tsr_diagnostic tsr_module_diagnostic(const tsr_module *m, size_t i)
{
    tsr_diagnostic out = {.message = ""};
    if (!m || i >= m->diag_count) return out;
    const tsr_diag *d = m->diag_list[i];
    out = (tsr_diagnostic){.severity = d->severity, .number = (uint32_t)d->code, .message = d->text};
    if (!d->span.pos && !d->span.len) return out;
    out.place.offset_bytes = d->span.pos;
    out.place.length_bytes = d->span.len;
    tsr_source source = m->source; /* its lines are made: locating changes and allocates nothing */
    tsr_source_locate(&source, NULL, d->span.pos, &out.place.line, &out.place.column);
    return out;
}

/* Printing needs the arena for a moment: its own guard, and the arena is as before afterwards. */
static char *render_guarded(tsr_module *m, const tsr_diag *d, bool color)
{
    jmp_buf full;
    tsr_text text;
    tsr_arena_mark mark = tsr_arena_get_mark(&m->arena);
    tsr_text_init(&text, &m->arena);
    m->arena.on_full = &full;
    if (setjmp(full)) {
        m->arena.on_full = NULL;
        return NULL;
    }
    tsr_diag_print(&text, &m->diags, d, color);
    char *copy = malloc(text.len + 1);
    if (copy) memcpy(copy, tsr_text_get(&text), text.len + 1);
    tsr_arena_reset(&m->arena, mark);
    m->arena.on_full = NULL;
    return copy;
}

const char *tsr_module_diagnostic_text(tsr_module *m, size_t i, int color)
{
    static const char no_memory[] = "error: out of memory while printing a diagnostic\n";
    if (!m || i >= m->diag_count) return "";
    char ***texts = &m->diag_text[color != 0];
    if (!*texts) *texts = calloc(m->diag_count, sizeof **texts);
    if (!*texts) return no_memory;
    if (!(*texts)[i]) (*texts)[i] = render_guarded(m, m->diag_list[i], color != 0);
    return (*texts)[i] ? (*texts)[i] : no_memory;
}

static bool print_ir_guarded(tsr_module *m, tsr_text *text)
{
    jmp_buf full;
    m->arena.on_full = &full;
    bool done = setjmp(full) == 0;
    if (done) tsr_ir_print(text, &m->ir);
    m->arena.on_full = NULL;
    return done && !text->failed;
}

const char *tsr_module_ir_text(tsr_module *m)
{
    if (!m || !m->valid) return "";
    if (m->ir_text) return m->ir_text;
    tsr_text text;
    tsr_text_init(&text, NULL);
    if (!print_ir_guarded(m, &text)) {
        tsr_text_fini(&text);
        tsr_fail(TSR_ERR_MEMORY, "out of memory while printing the IR");
        return NULL;
    }
    if (!text.s) tsr_text_puts(&text, "");
    m->ir_text = text.s; /* malloc's; the module frees it */
    return m->ir_text;
}
