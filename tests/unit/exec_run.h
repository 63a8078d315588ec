/* Runs a program given as IR text, for the tests of the interpreter: every binding of the text is a resource, in order.
 */
#ifndef TSR_TESTS_EXEC_RUN_H
#define TSR_TESTS_EXEC_RUN_H

#include "unit.h"

#include "exec/interp.h"
#include "ir/text.h"
#include "ir/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BINDINGS_MAX 8u

typedef struct runner {
    tsr_arena arena;
    tsr_symbols symbols;
    tsr_types types;
    tsr_ir ir;
    tsr_source source;
    tsr_diags diags;
    tsr_program program;
    tsr_resource resources[BINDINGS_MAX];
    tsr_interp *interp;
    tsr_text why;
} runner;

static inline void add_resources(runner *r)
{
    for (uint32_t g = 1; g < r->ir.globals.count; g++) {
        const tsr_global *global = tsr_global_at(&r->ir, g);
        if (!global->has_binding) continue;
        assert_true(r->program.resource_count < BINDINGS_MAX);
        const tsr_type_info *p = tsr_type_get(&r->types, tsr_inst_at(&r->ir, global->inst)->type);
        const tsr_type_info *t = tsr_type_get(&r->types, p->elem);
        tsr_resource *out = &r->resources[r->program.resource_count++];
        *out = (tsr_resource){g, global->group, global->binding, p->access != TSR_ACCESS_read, t->size_bytes};
    }
    r->program.resources = r->resources;
}

static inline void find_entry(runner *r)
{
    for (uint32_t f = 1; f < r->ir.functions.count; f++) {
        const tsr_function *fn = tsr_function_at(&r->ir, f);
        if (!fn->is_entry) continue;
        r->program.entry = f;
        for (int i = 0; i < 3; i++)
            r->program.workgroup_size[i] =
                fn->workgroup_size[i] ? (uint32_t)tsr_constant_bits(&r->ir, tsr_inst_at(&r->ir, fn->workgroup_size[i]))
                                      : 1;
    }
    assert_true(r->program.entry != 0);
}

/* Parses and decodes; returns the status of decoding. The text must be valid. */
static inline tsr_status runner_init(runner *r, const char *text, uint32_t subgroup_size)
{
    memset(r, 0, sizeof *r);
    tsr_arena_init(&r->arena, NULL);
    tsr_symbols_init(&r->symbols, &r->arena);
    tsr_types_init(&r->types, &r->arena, &r->symbols);
    tsr_ir_init(&r->ir, &r->arena, &r->symbols, &r->types);
    r->source = (tsr_source){.name = "test.ir", .text = text, .len = strlen(text)};
    tsr_diags_init(&r->diags, &r->arena, &r->source);
    if (!tsr_ir_parse(&r->ir, &r->diags)) {
        tsr_text out;
        tsr_text_init(&out, &r->arena);
        for (const tsr_diag *d = r->diags.first; d; d = d->next)
            tsr_diag_print(&out, &r->diags, d, false);
        fail_msg("%s", tsr_text_get(&out));
    }
    r->program.ir = &r->ir;
    add_resources(r);
    find_entry(r);
    tsr_text_init(&r->why, &r->arena);
    return tsr_interp_new(&r->program, subgroup_size, &r->interp, &r->why);
}

static inline void runner_fini(runner *r)
{
    tsr_interp_free(r->interp);
    tsr_arena_fini(&r->arena);
}

typedef struct buffer {
    void *data;
    size_t size_bytes;
} buffer;

/* Copies the buffers to aligned memory between guards, runs, checks the guards, and copies back. */
static inline tsr_status runner_run(runner *r, const buffer *buffers, tsr_exec_args args, tsr_exec_report *report)
{
    enum { GUARD = 64, MARK = 0xa5 };
    tsr_exec_memory memory[BINDINGS_MAX];
    unsigned char *block[BINDINGS_MAX];
    for (uint32_t i = 0; i < r->program.resource_count; i++) {
        size_t size = buffers[i].size_bytes, all = (size + 2 * GUARD + 63) / 64 * 64;
        block[i] = aligned_alloc(64, all);
        memset(block[i], MARK, all);
        memcpy(block[i] + GUARD, buffers[i].data, size);
        memory[i] = (tsr_exec_memory){block[i] + GUARD, size};
    }
    args.memory = memory;
    tsr_status st = tsr_interp_run(r->interp, &args, report);
    for (uint32_t i = 0; i < r->program.resource_count; i++) {
        for (int k = 0; k < GUARD; k++) {
            assert_int_equal(block[i][k], MARK);
            assert_int_equal(block[i][GUARD + buffers[i].size_bytes + (size_t)k], MARK);
        }
        memcpy(buffers[i].data, block[i] + GUARD, buffers[i].size_bytes);
        free(block[i]);
    }
    return st;
}

/* The usual: it decodes, runs on one thread and succeeds. */
static inline tsr_exec_report run_text(const char *text, uint32_t subgroup_size, const buffer *buffers, uint32_t groups)
{
    runner r;
    tsr_exec_report report;
    tsr_status st = runner_init(&r, text, subgroup_size);
    if (st != TSR_OK) fail_msg("%s: %s", tsr_status_name(st), tsr_text_get(&r.why));
    st = runner_run(&r, buffers, (tsr_exec_args){.groups = {groups, 1, 1}, .threads = 1}, &report);
    assert_int_equal(st, TSR_OK);
    assert_int_equal(report.workgroups, groups);
    runner_fini(&r);
    return report;
}

#define BUFFER(array)                                                                                                  \
    {                                                                                                                  \
        (array), sizeof(array)                                                                                         \
    }

#endif
