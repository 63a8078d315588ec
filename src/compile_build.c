/* The pipeline's second half: a checked module, an entry point, overrides and the device's caps to a program.
 *
 *     find entry -> clone -> reach -> specialize -> program -> checks
 *
 * reach comes first, so that only what the entry point uses needs a value and is checked; checks come last, because
 * they want numbers. The clone makes the program independent of its module. */
#include "check/check.h"
#include "compile.h"
#include "ir/verify.h"
#include "pass/pass.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct job {
    const tsr_module *m;
    const tsr_build_args *args;
    tsr_built *b;
    jmp_buf full;
};

/* ---- Finding the entry point ----------------------------------------------------------------------------------- */

static const char *name_of(const tsr_ir *ir, uint32_t function)
{
    return tsr_symbols_cstr(ir->symbols, tsr_function_at(ir, function)->name);
}

/* "`a`, `b`" of the entry points; *count of those of compute, *last one of these. */
static const char *list_entries(struct job *job, bool compute_only, uint32_t *count, uint32_t *last)
{
    const tsr_ir *ir = &job->m->ir;
    tsr_text t;
    tsr_text_init(&t, &job->b->arena);
    *count = *last = 0;
    for (uint32_t f = 1; f < ir->functions.count; f++) {
        const tsr_function *fn = tsr_function_at(ir, f);
        if (!fn->is_entry || (compute_only && fn->stage != TSR_STAGE_COMPUTE)) continue;
        tsr_text_printf(&t, "%s`%s`", t.len ? ", " : "", name_of(ir, f));
        ++*count;
        *last = f;
    }
    return tsr_text_get(&t);
}

/* 0 after reporting. */
static uint32_t find_entry(struct job *job)
{
    const tsr_ir *ir = &job->m->ir;
    const tsr_span nowhere = {0, 0};
    const char *wanted = job->args->entry;
    uint32_t count, last;
    if (!wanted) {
        const char *list = list_entries(job, true, &count, &last);
        if (count == 1) return last;
        if (count == 0)
            tsr_error(&job->b->diags, nowhere, TSR_E_BUILD_ENTRY_UNKNOWN, "the program has no compute entry point");
        else
            tsr_error(&job->b->diags, nowhere, TSR_E_BUILD_ENTRY_UNKNOWN, "name one of the compute entry points: %s",
                      list);
        return 0;
    }
    tsr_sym name = tsr_symbols_find(ir->symbols, wanted, strlen(wanted));
    uint32_t f = name ? tsr_function_find(ir, name) : 0;
    if (f && tsr_function_at(ir, f)->is_entry) return f;
    const char *list = list_entries(job, false, &count, &last);
    tsr_error(&job->b->diags, nowhere, TSR_E_BUILD_ENTRY_UNKNOWN, "there is no entry point `%s`; the program has %s",
              wanted, count ? list : "none");
    return 0;
}

/* ---- Filling in the program ------------------------------------------------------------------------------------ */

uint64_t tsr_min_binding_bytes(const tsr_types *t, tsr_type type)
{
    const tsr_type_info *info = tsr_type_get(t, type);
    if (info->kind == TSR_T_array && info->size.value == 0) return info->stride;
    if (info->kind != TSR_T_struct || info->member_count == 0) return info->size_bytes;
    const tsr_member *last = &info->members[info->member_count - 1];
    const tsr_type_info *tail = tsr_type_get(t, last->type);
    if (tail->kind != TSR_T_array || tail->size.value != 0) return info->size_bytes;
    uint64_t end = (uint64_t)last->offset + tail->stride;
    return info->align ? (end + info->align - 1) / info->align * info->align : end;
}

static int compare_resources(const void *a, const void *b)
{
    const tsr_resource *x = a, *y = b;
    if (x->group != y->group) return x->group < y->group ? -1 : 1;
    return (x->binding > y->binding) - (x->binding < y->binding);
}

static void add_resource(tsr_program *p, uint32_t g)
{
    const tsr_global *global = tsr_global_at(p->ir, g);
    const tsr_type_info *ptr = tsr_type_get(p->ir->types, tsr_inst_at(p->ir, global->inst)->type);
    tsr_resource *r = &p->resources[p->resource_count++];
    *r = (tsr_resource){.global = g,
                        .group = global->group,
                        .binding = global->binding,
                        .writable = ptr->space == TSR_SPACE_storage && ptr->access != TSR_ACCESS_read,
                        .min_bytes = tsr_min_binding_bytes(p->ir->types, ptr->elem)};
}

static void list_resources(tsr_program *p, tsr_diags *diags)
{
    p->resources = TSR_NEW_ARRAY(p->ir->arena, tsr_resource, p->ir->globals.count);
    for (uint32_t g = 1; g < p->ir->globals.count; g++)
        if (tsr_global_at(p->ir, g)->has_binding) add_resource(p, g);
    if (p->resource_count > 1) qsort(p->resources, p->resource_count, sizeof *p->resources, compare_resources);
    for (uint32_t i = 1; i < p->resource_count; i++) {
        const tsr_resource *r = &p->resources[i];
        if (compare_resources(r - 1, r) != 0) continue;
        tsr_error(diags, tsr_inst_at(p->ir, tsr_global_at(p->ir, r->global)->inst)->span, TSR_E_BUILD_BINDING_SHARED,
                  "`%s` and `%s` both are @group(%u) @binding(%u)",
                  tsr_symbols_cstr(p->ir->symbols, tsr_global_at(p->ir, r[-1].global)->name),
                  tsr_symbols_cstr(p->ir->symbols, tsr_global_at(p->ir, r->global)->name), (unsigned)r->group,
                  (unsigned)r->binding);
    }
}

static void sum_workgroup_bytes(tsr_program *p)
{
    for (uint32_t g = 1; g < p->ir->globals.count; g++) {
        const tsr_type_info *ptr = tsr_type_get(p->ir->types, tsr_inst_at(p->ir, tsr_global_at(p->ir, g)->inst)->type);
        if (ptr->space != TSR_SPACE_workgroup) continue;
        uint64_t size = tsr_type_get(p->ir->types, ptr->elem)->size_bytes;
        p->workgroup_bytes += (size + TSR_WORKGROUP_ALIGN - 1) / TSR_WORKGROUP_ALIGN * TSR_WORKGROUP_ALIGN;
    }
}

/* A size of the entry point, which an override may have decided; 1 when there is none. */
static uint32_t get_size(const tsr_program *p, tsr_id id, const char *what, tsr_diags *diags)
{
    if (!id) return 1;
    const tsr_inst *inst = tsr_inst_at(p->ir, id);
    uint32_t size = (uint32_t)tsr_constant_bits(p->ir, inst);
    if (size == 0 || (inst->type == TSR_T_i32 && size > INT32_MAX))
        tsr_error(diags, tsr_function_at(p->ir, p->entry)->span, TSR_E_BUILD_WORKGROUP_ZERO,
                  "%s is %ld; it must be at least 1", what, inst->type == TSR_T_i32 ? (long)(int32_t)size : (long)size);
    return size;
}

static void set_workgroup_size(tsr_program *p, tsr_diags *diags)
{
    static const char *const what[] = {"workgroup size x", "workgroup size y", "workgroup size z"};
    const tsr_function *entry = tsr_function_at(p->ir, p->entry);
    for (int i = 0; i < 3; i++)
        p->workgroup_size[i] = get_size(p, entry->workgroup_size[i], what[i], diags);
    get_size(p, entry->subgroup_size, "the subgroup size", diags);
}

static void note_matrix(void *user, tsr_id id)
{
    tsr_program *p = user;
    const tsr_inst *inst = tsr_inst_at(p->ir, id);
    tsr_type type = inst->type;
    if (tsr_type_kind_of(p->ir->types, type) == TSR_T_ptr) type = tsr_type_get(p->ir->types, type)->elem;
    if (inst->op == TSR_OP_mstore || tsr_type_contains(p->ir->types, type, TSR_T_smat)) p->uses_matrices = true;
}

static void note_config(void *user, tsr_id id)
{
    tsr_built *b = user;
    tsr_config c;
    if (tsr_inst_at(b->program.ir, id)->op == TSR_OP_mma && tsr_mma_config(b->program.ir, id, NULL, &c))
        tsr_config_list_add(&b->configs, &b->arena, &c);
}

static void fill_program(tsr_built *b)
{
    tsr_program *p = &b->program;
    tsr_diags *diags = &b->diags;
    set_workgroup_size(p, diags);
    sum_workgroup_bytes(p);
    list_resources(p, diags);
    for (uint32_t f = 1; f < p->ir->functions.count; f++)
        tsr_block_walk(p->ir, tsr_function_at(p->ir, f)->body, note_matrix, p);
    for (uint32_t f = 1; f < p->ir->functions.count; f++)
        tsr_block_walk(p->ir, tsr_function_at(p->ir, f)->body, note_config, b);
}

/* ---- The steps ------------------------------------------------------------------------------------------------- */

void tsr_verify_pass(const tsr_ir *ir, tsr_diags *diags, const char *pass)
{
#ifndef NDEBUG
    const tsr_diag *before = diags->last;
    if (tsr_ir_verify(ir, diags)) return;
    fprintf(stderr, "after %s: %s\n", pass, (before ? before->next : diags->first)->text);
    TSR_ICE("a pass broke the rules of the IR");
#else
    (void)ir, (void)diags, (void)pass;
#endif
}

static void build_job(struct job *job)
{
    tsr_built *b = job->b;
    tsr_program *p = &b->program;
    const tsr_source *from = &job->m->source;
    b->source.name = tsr_arena_strndup(&b->arena, from->name, strlen(from->name));
    b->source.text = tsr_arena_strndup(&b->arena, from->text, from->len);
    b->source.len = from->len;
    tsr_diags_init(&b->diags, &b->arena, &b->source);
    p->entry = find_entry(job);
    if (!p->entry) return;
    p->ir = tsr_ir_clone(&job->m->ir, &b->arena);
    tsr_pass_reach(p->ir, &p->entry);
    tsr_verify_pass(p->ir, &b->diags, "reach");
    if (!tsr_check_program(p, &b->diags)) return;
    tsr_pass_specialize(p->ir, p->entry, job->args->overrides, job->args->override_count, &b->diags);
    if (b->diags.error_count) return;
    fill_program(b);
    if (b->diags.error_count) return;
    tsr_verify_pass(p->ir, &b->diags, "specialize"); /* not before fill_program has refused sizes below 1 */
    if (job->args->caps) tsr_check_device(p, job->args->caps, &b->diags);
}

/* diag_build.def says which numbers mean which status. */
static tsr_status status_of(int code)
{
    enum { FIRST_SOURCE = 620, FIRST_UNSUPPORTED = 640, FIRST_LIMIT = 670, FIRST_OTHER = 700 };
    if (code >= FIRST_LIMIT && code < FIRST_OTHER) return TSR_ERR_LIMIT;
    if (code >= FIRST_UNSUPPORTED) return TSR_ERR_UNSUPPORTED;
    return code >= FIRST_SOURCE ? TSR_ERR_SOURCE : TSR_ERR_INVALID;
}

static void print_place(tsr_text *t, tsr_built *b, tsr_span span)
{
    uint32_t line, column;
    tsr_text_puts(t, b->source.name);
    if (span.pos || span.len) {
        tsr_source_locate(&b->source, &b->arena, span.pos, &line, &column);
        tsr_text_printf(t, ":%u:%u", (unsigned)line, (unsigned)column);
    }
}

/* All that is wrong as the last error, one a line, each with its place. */
tsr_status tsr_build_fail(tsr_built *b)
{
    tsr_text t;
    tsr_text_init(&t, &b->arena);
    for (const tsr_diag *d = b->diags.first; d; d = d->next) {
        if (d != b->diags.first) tsr_text_puts(&t, "\n");
        print_place(&t, b, d->span);
        tsr_text_printf(&t, ": %s: %s", tsr_severity_name(d->severity), d->text);
        if (d->code) tsr_text_printf(&t, " [E%04u]", (unsigned)d->code);
        for (const tsr_diag_note *n = d->notes; n; n = n->next) {
            tsr_text_puts(&t, "\n");
            print_place(&t, b, n->span);
            tsr_text_printf(&t, ": note: %s", n->text);
        }
    }
    return tsr_fail(status_of(b->diags.first->code), "%s", tsr_text_get(&t));
}

static tsr_status build_guarded(struct job *job)
{
    uint32_t line, column;
    if (setjmp(job->full)) return tsr_fail(TSR_ERR_MEMORY, "out of memory while building the pipeline");
    build_job(job);
    if (job->b->diags.error_count) return tsr_build_fail(job->b);
    /* Makes the lines now: whoever runs the program may ask for places, and has no memory to give. */
    tsr_source_locate(&job->b->source, &job->b->arena, 0, &line, &column);
    return TSR_OK;
}

tsr_status tsr_build_new(const tsr_module *m, const tsr_build_args *args, tsr_built **out)
{
    if (!m->valid) return tsr_fail(TSR_ERR_SOURCE, "%s has errors; it cannot be built", m->source.name);
    struct job job = {.m = m, .args = args, .b = calloc(1, sizeof(tsr_built))};
    if (!job.b) return tsr_fail(TSR_ERR_MEMORY, "out of memory while building the pipeline");
    tsr_arena_init(&job.b->arena, &job.full);
    tsr_status st = build_guarded(&job);
    job.b->arena.on_full = NULL;
    if (st != TSR_OK) {
        tsr_build_free(job.b);
        return st;
    }
    *out = job.b;
    return TSR_OK;
}

void tsr_build_free(tsr_built *b)
{
    if (!b) return;
    tsr_arena_fini(&b->arena);
    free(b);
}
