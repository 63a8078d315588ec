/* The pipeline's last part: a program to a target's text or words.
 *
 *     build -> the target's passes -> emit */
#include "compile.h"

#include "pass/pass.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct job {
    tsr_built *b;
    const tsr_target *target;
    tsr_emit_options options;
    tsr_text text;
    jmp_buf full;
};

const char *tsr_oob_name(tsr_oob o)
{
    static const char *const names[TSR_OOB_COUNT] = {"zero", "clamp", "restart", "unchecked"};
    return (unsigned)o < TSR_OOB_COUNT ? names[o] : "unknown";
}

size_t tsr_emit_target_count(void)
{
    return tsr_target_count();
}

tsr_status tsr_emit_target(size_t i, tsr_emit_target_info *out)
{
    const tsr_target *t = tsr_target_at(i);
    if (!t || !out) return tsr_fail(TSR_ERR_INVALID, "tsr_emit_target: there are %zu targets", tsr_target_count());
    *out = (tsr_emit_target_info){
        .name = t->name, .extension = t->extension, .summary = t->summary, .is_text = t->is_text};
    return TSR_OK;
}

/* ---- A program that is built ------------------------------------------------------------------------------------ */

static void emit_job(struct job *job)
{
    tsr_program *p = &job->b->program;
    if (job->target->direct_pointers) {
        tsr_pass_direct_pointers(p->ir, &p->entry, &job->b->diags);
        if (job->b->diags.error_count) return;
        tsr_verify_pass(p->ir, &job->b->diags, "direct_pointers");
    }
    job->target->emit(p, &job->options, &job->text, &job->b->diags);
}

/* Out of memory jumps to `full`; what is emitted stands in the arena until it is copied. */
static tsr_status emit_guarded(struct job *job)
{
    if (setjmp(job->full)) return tsr_fail(TSR_ERR_MEMORY, "out of memory while emitting %s", job->target->name);
    emit_job(job);
    return job->b->diags.error_count ? tsr_build_fail(job->b) : TSR_OK;
}

tsr_status tsr_build_emit(tsr_built *b, const tsr_target *target, const tsr_emit_options *options, void **data,
                          size_t *size_bytes)
{
    struct job job = {.b = b, .target = target, .options = *options};
    job.options.source = &b->source;
    tsr_text_init(&job.text, &b->arena);
    b->arena.on_full = &job.full;
    tsr_status st = emit_guarded(&job);
    b->arena.on_full = NULL;
    if (st != TSR_OK) return st;
    char *copy = malloc(job.text.len + 1);
    if (!copy) return tsr_fail(TSR_ERR_MEMORY, "out of memory while emitting %s", target->name);
    if (job.text.len) memcpy(copy, job.text.s, job.text.len);
    copy[job.text.len] = '\0';
    *data = copy;
    *size_bytes = job.text.len;
    return TSR_OK;
}

/* ---- The public entry ------------------------------------------------------------------------------------------- */

static tsr_status fail_target(const char *name)
{
    char list[256] = "";
    for (size_t i = 0, len = 0; i < tsr_target_count() && len < sizeof list; i++)
        len += (size_t)snprintf(list + len, sizeof list - len, "%s%s", i ? ", " : "", tsr_target_at(i)->name);
    return tsr_fail(TSR_ERR_INVALID, "there is no target \"%s\"; there are %s", name, list);
}

/* 105 becomes SPIR-V's 0x00010500. */
static tsr_status find_version(const tsr_target *t, uint32_t wanted, uint32_t *out)
{
    *out = (wanted / 100) << 16 | (wanted % 100) << 8;
    for (const uint32_t *v = t->versions; *v; v++)
        if (*v == *out || wanted == 0) return TSR_OK;
    if (wanted == 0) return TSR_OK;
    return tsr_fail(TSR_ERR_INVALID, "%s of version %u.%u cannot be made", t->name, (unsigned)(wanted / 100),
                    (unsigned)(wanted % 100));
}

static tsr_status emit_module(const tsr_module *m, const tsr_emit_args *args, const tsr_target *target,
                              uint32_t version, void **data, size_t *size_bytes)
{
    const tsr_caps *caps = args->device ? tsr_device_caps(args->device) : NULL;
    tsr_build_args build = {
        .entry = args->entry, .overrides = args->overrides, .override_count = args->override_count, .caps = caps};
    tsr_emit_options options = {.caps = caps,
                                .oob = args->oob,
                                .version = version,
                                .subgroup_size = args->subgroup_size,
                                .debug_lines = args->debug_lines,
                                .maximal_reconvergence = args->maximal_reconvergence};
    tsr_built *b;
    tsr_status st = tsr_build_new(m, &build, &b);
    if (st != TSR_OK) return st;
    if (caps && !options.subgroup_size) options.subgroup_size = caps->subgroup_size;
    st = tsr_build_emit(b, target, &options, data, size_bytes);
    tsr_build_free(b);
    return st;
}

tsr_status tsr_emit(const tsr_module *m, const tsr_emit_args *args, void **data, size_t *size_bytes)
{
    static const tsr_emit_args defaults;
    uint32_t version;
    if (!m || !data || !size_bytes)
        return tsr_fail(TSR_ERR_INVALID, "tsr_emit: module, data and size_bytes must not be NULL");
    if (!args) args = &defaults;
    if ((unsigned)args->oob >= TSR_OOB_COUNT)
        return tsr_fail(TSR_ERR_INVALID, "tsr_emit: there is no oob %d", (int)args->oob);
    const tsr_target *target = tsr_target_find(args->target ? args->target : "spirv");
    if (!target) return fail_target(args->target);
    tsr_status st = find_version(target, args->version, &version);
    return st == TSR_OK ? emit_module(m, args, target, version, data, size_bytes) : st;
}
