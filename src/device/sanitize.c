/* Findings as the API gives them: spans become places, texts are kept. */
#include "device/sanitize.h"
#include "exec/sanitize.h"

#include <stdlib.h>
#include <string.h>

struct tsr_findings {
    tsr_san_list list;
    tsr_place *places; /* two for each finding */
};

static tsr_place find_place(tsr_built *build, tsr_span span)
{
    tsr_place p = {0};
    if (span.len == 0) return p;
    p.offset_bytes = span.pos;
    p.length_bytes = span.len;
    tsr_source_locate(&build->source, &build->arena, span.pos, &p.line, &p.column);
    return p;
}

static tsr_status make_findings(tsr_built *build, tsr_san_list *list, tsr_findings **out)
{
    tsr_findings *f = calloc(1, sizeof *f);
    tsr_place *places = calloc(list->count * 2u + 1u, sizeof *places);
    if (!f || !places) {
        free(f);
        free(places);
        return TSR_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < list->count; i++) {
        places[2 * i] = find_place(build, list->items[i].at.span);
        places[2 * i + 1] = find_place(build, list->items[i].other.span);
    }
    f->list = *list;
    f->places = places;
    *list = (tsr_san_list){0};
    *out = f;
    return TSR_OK;
}

static tsr_status check_args(const tsr_sanitize_args *args)
{
    if ((unsigned)args->oob >= TSR_OOB_COUNT) return TSR_ERR_INVALID;
    for (size_t i = 0; i < args->expected_count; i++)
        if (!args->expected || (!args->expected[i].data && args->expected[i].size_bytes)) return TSR_ERR_INVALID;
    return TSR_OK;
}

/* Sizes that the interpreter has: what is tried where a device does not tell its own. */
static const uint32_t all_sizes[] = {4, 8, 16, 32, 64, 128};

tsr_status tsr_sanitize_dispatch(tsr_built *build, const tsr_caps *caps, const tsr_dispatch_args *args,
                                 const tsr_exec_args *exec, const tsr_model *model, tsr_exec_report *report)
{
    bool several = caps->support.subgroup_size_count > 1;
    tsr_san_job job = {.program = &build->program,
                       .subgroup_size = caps->subgroup_size,
                       .sizes = several ? caps->support.subgroup_sizes : all_sizes,
                       .size_count = several ? (uint32_t)caps->support.subgroup_size_count : TSR_COUNT_OF(all_sizes),
                       .args = args->sanitize,
                       .exec = *exec,
                       .model = model};
    tsr_status st = check_args(args->sanitize);
    if (st != TSR_OK) return st;
    tsr_san_list list = {0};
    tsr_text why;
    tsr_text_init(&why, NULL);
    st = tsr_sanitize_run(&job, report, &list, &why);
    if (st == TSR_OK && args->findings) st = make_findings(build, &list, args->findings);
    tsr_san_list_fini(&list);
    tsr_text_fini(&why);
    return st;
}

/* ---- The public functions -------------------------------------------------------------------------------------- */

size_t tsr_findings_count(const tsr_findings *f)
{
    return f ? f->list.count : 0;
}

tsr_finding tsr_findings_get(const tsr_findings *f, size_t i)
{
    const tsr_san_finding *x = &f->list.items[i];
    const tsr_san_info *info = &tsr_san_table[x->kind];
    return (tsr_finding){.number = info->number,
                         .name = info->name,
                         .check = info->check,
                         .severity = info->severity,
                         .count = x->count,
                         .message = x->at.text,
                         .place = f->places[2 * i],
                         .has_invocation = x->at.has_who,
                         .invocation = x->at.who,
                         .has_other = x->has_other,
                         .other_message = x->other.text,
                         .other_place = f->places[2 * i + 1],
                         .other_invocation = x->other.who};
}

size_t tsr_findings_warnings(const tsr_findings *f)
{
    size_t count = 0;
    for (size_t i = 0; f && i < f->list.count; i++)
        count += tsr_san_table[f->list.items[i].kind].severity == TSR_SEVERITY_WARNING;
    return count;
}

void tsr_findings_free(tsr_findings *f)
{
    if (!f) return;
    tsr_san_list_fini(&f->list);
    free(f->places);
    free(f);
}
