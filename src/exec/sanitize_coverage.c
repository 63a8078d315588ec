/* What a run left out: elements that nothing wrote, workgroups that wrote nothing. */
#include "exec/sanitize_inside.h"

#include <stdio.h>
#include <stdlib.h>

static bool is_written(const tsr_san_cell *c)
{
    return c->write.time || c->atomic[0].time || c->atomic[1].time || c->old[TSR_SAN_WRITE].group ||
           c->old[TSR_SAN_ATOMIC].group;
}

/* Whether part of the binding was written, and part was not. */
static bool check_binding(const tsr_san_whole *x, uint32_t resource)
{
    const tsr_san_shadow *shadow = &x->san->binding_shadows[resource];
    const tsr_resource *r = &x->job->program->resources[resource];
    uint64_t cells = x->job->exec.memory[resource].size_bytes >> shadow->shift, missing = 0, first = 0;
    for (uint64_t i = 0; i < cells; i++) {
        if (is_written(&shadow->cells[i])) continue;
        if (missing++ == 0) first = i;
    }
    if (missing == 0 || missing == cells) return false;
    tsr_san_finding *f = tsr_san_find(x->san, TSR_SAN_unwritten, tsr_global_at(x->interp->ir, r->global)->inst, 0);
    if (!f) return true;
    tsr_text text;
    tsr_text_init(&text, NULL);
    tsr_text_printf(&text, "%llu of %llu parts of %u byte%s were never written, the first ",
                    (unsigned long long)missing, (unsigned long long)cells, 1u << shadow->shift,
                    shadow->shift ? "s" : "");
    tsr_san_describe(x->interp, &text, TSR_ROOT_BINDING, resource, first << shadow->shift);
    f->at.span = tsr_inst_at(x->interp->ir, tsr_global_at(x->interp->ir, r->global)->inst)->span;
    snprintf(f->at.text, sizeof f->at.text, "%s", tsr_text_get(&text));
    tsr_text_fini(&text);
    return true;
}

/* `wrote`: by number of workgroup, from 1. The last writer of each cell is known, which is enough: a workgroup all of
 * whose stores were overwritten is in a race. */
static void mark_writers(const tsr_san_shadow *shadow, bool *wrote)
{
    for (uint64_t i = 0; i < shadow->count; i++) {
        const tsr_san_cell *c = &shadow->cells[i];
        if (c->write.time || c->atomic[0].time) wrote[c->group] = true;
        wrote[c->old[TSR_SAN_WRITE].group] = true;
        wrote[c->old[TSR_SAN_ATOMIC].group] = true;
    }
}

static void tell_idle(const tsr_san_whole *x, uint32_t idle, uint32_t total, uint32_t first)
{
    tsr_san_finding *f = tsr_san_find(x->san, TSR_SAN_idle_groups, 0, 0);
    if (!f) return;
    tsr_invocation v = tsr_san_invocation(x->san, first, 0);
    f->at.span = tsr_san_grid_use(x->job->program);
    snprintf(
        f->at.text, sizeof f->at.text,
        "%u of %u workgroups write nothing, the first (%u, %u, %u), though elements are left: do the grid's x and y "
        "count what the kernel takes them for?",
        idle, total, v.workgroup[0], v.workgroup[1], v.workgroup[2]);
}

static void check_groups(const tsr_san_whole *x)
{
    const uint32_t *groups = x->job->exec.groups;
    uint32_t total = groups[0] * groups[1] * groups[2], idle = 0, first = 0; /* are_too_many was asked */
    bool *wrote = calloc((size_t)total + 1, sizeof *wrote);
    if (!wrote) return;
    for (uint32_t i = 0; i < x->count; i++)
        if (x->san->binding_shadows[i].cells) mark_writers(&x->san->binding_shadows[i], wrote);
    for (uint32_t i = total; i > 0; i--) {
        if (wrote[i]) continue;
        idle++;
        first = i;
    }
    free(wrote);
    if (idle) tell_idle(x, idle, total, first);
}

void tsr_san_check_coverage(const tsr_san_whole *x)
{
    bool left = false;
    for (uint32_t i = 0; i < x->count; i++)
        if (x->san->binding_shadows[i].cells && check_binding(x, i)) left = true;
    if (left) check_groups(x);
}
