/* Portability and budgets of the public API: a build without a device, then the checks that ask for one. */
#include "check/portable.h"
#include "check/budget.h"
#include "compile.h"

#include <stdlib.h>

struct tsr_fit_report {
    tsr_arena arena;
    tsr_fit_reason *reasons;
    tsr_fit_findings found;
};

const char *tsr_fit_name(tsr_fit f)
{
    static const char *const names[] = {"runs", "refused", "unknown"};
    return (unsigned)f < TSR_COUNT_OF(names) ? names[f] : "none";
}

static tsr_place find_place(tsr_built *b, tsr_span span)
{
    tsr_place place = {.offset_bytes = span.pos, .length_bytes = span.len};
    if (!span.pos && !span.len) return (tsr_place){0};
    tsr_source_locate(&b->source, &b->arena, span.pos, &place.line, &place.column);
    return place;
}

static tsr_status judge_guarded(tsr_built *b, const tsr_fit_args *args, tsr_fit_report *r)
{
    jmp_buf full;
    r->arena.on_full = &full;
    if (setjmp(full)) return tsr_fail(TSR_ERR_MEMORY, "out of memory while judging a device");
    tsr_check_portable(&b->program, &args->profiles->items[args->profile], args->subgroup_size, &r->arena, &b->source,
                       &r->found);
    r->reasons = TSR_NEW_ARRAY(&r->arena, tsr_fit_reason, r->found.count + 1u);
    uint32_t i = 0;
    for (const tsr_fit_finding *f = r->found.first; f; f = f->next, i++) {
        r->reasons[i] = f->reason;
        r->reasons[i].place = find_place(b, f->span);
    }
    r->arena.on_full = NULL;
    return TSR_OK;
}

tsr_status tsr_fit_check(const tsr_module *m, const tsr_fit_args *args, tsr_fit_report **out)
{
    tsr_built *b;
    if (!m || !args || !args->profiles || !out)
        return tsr_fail(TSR_ERR_INVALID, "tsr_fit_check: m, args, profiles and out must not be NULL");
    if (args->profile >= args->profiles->count)
        return tsr_fail(TSR_ERR_INVALID, "tsr_fit_check: there is no profile number %zu", args->profile);
    tsr_build_args build = {.entry = args->entry, .overrides = args->overrides, .override_count = args->override_count};
    tsr_status st = tsr_build_new(m, &build, &b);
    if (st != TSR_OK) return st;
    tsr_fit_report *r = calloc(1, sizeof *r);
    if (r) tsr_arena_init(&r->arena, NULL);
    st = r ? judge_guarded(b, args, r) : tsr_fail(TSR_ERR_MEMORY, "out of memory while judging a device");
    tsr_build_free(b);
    if (st == TSR_OK)
        *out = r;
    else
        tsr_fit_free(r);
    return st;
}

void tsr_fit_free(tsr_fit_report *r)
{
    if (!r) return;
    tsr_arena_fini(&r->arena);
    free(r);
}

tsr_fit tsr_fit_verdict(const tsr_fit_report *r)
{
    return r->found.verdict;
}

size_t tsr_fit_reason_count(const tsr_fit_report *r)
{
    return r ? r->found.count : 0;
}

tsr_status tsr_fit_get_reason(const tsr_fit_report *r, size_t i, tsr_fit_reason *out)
{
    if (i >= tsr_fit_reason_count(r)) return tsr_fail(TSR_ERR_INVALID, "the report has no reason number %zu", i);
    *out = r->reasons[i];
    return TSR_OK;
}

size_t tsr_fit_sizes(const tsr_fit_report *r, const uint32_t **sizes)
{
    *sizes = r ? r->found.sizes : NULL;
    return r ? r->found.size_count : 0;
}

/* ---- Budget ---------------------------------------------------------------------------------------------------- */

static tsr_status measure_guarded(tsr_built *b, tsr_budget *out)
{
    jmp_buf full;
    const uint32_t *size = b->program.workgroup_size;
    b->arena.on_full = &full;
    if (setjmp(full)) return tsr_fail(TSR_ERR_MEMORY, "out of memory while measuring a budget");
    tsr_held held = tsr_check_budget(&b->program, &b->arena);
    uint64_t invocations = (uint64_t)size[0] * size[1];
    *out = (tsr_budget){.matrix_components = held.components,
                        .matrix_bytes = held.bytes,
                        .worst = find_place(b, held.where),
                        .workgroup_bytes = b->program.workgroup_bytes,
                        .invocations = invocations > UINT64_MAX / size[2] ? UINT64_MAX : invocations * size[2],
                        .workgroup_size = {size[0], size[1], size[2]}};
    b->arena.on_full = NULL;
    return TSR_OK;
}

tsr_status tsr_module_budget(const tsr_module *m, const tsr_pipeline_args *args, tsr_budget *out)
{
    static const tsr_pipeline_args defaults = {0};
    tsr_built *b;
    if (!m || !out) return tsr_fail(TSR_ERR_INVALID, "tsr_module_budget: m and out must not be NULL");
    if (!args) args = &defaults;
    tsr_build_args build = {.entry = args->entry, .overrides = args->overrides, .override_count = args->override_count};
    tsr_status st = tsr_build_new(m, &build, &b);
    if (st != TSR_OK) return st;
    st = measure_guarded(b, out);
    tsr_build_free(b);
    return st;
}
