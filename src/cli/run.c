/* `tessera run`: compile, bind, dispatch, write. Everything that can be wrong is looked at before anything runs, and
 * files are written only when all went well. */
#include "run.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- Bindings -------------------------------------------------------------------------------------------------- */

static const struct run_bind *find_bind(const struct run_args *a, uint32_t group, uint32_t binding)
{
    for (size_t i = 0; i < a->bind_count; i++)
        if (a->binds[i].group == group && a->binds[i].binding == binding) return &a->binds[i];
    return NULL;
}

static const struct run_slot *find_slot(const struct run_state *s, uint32_t group, uint32_t binding)
{
    for (size_t i = 0; i < s->slot_count; i++)
        if (s->slots[i].info.group == group && s->slots[i].info.binding == binding) return &s->slots[i];
    return NULL;
}

static int list_slots(struct run_state *s)
{
    s->slot_count = tsr_module_binding_count(s->module, s->entry);
    s->slots = calloc(s->slot_count + 1, sizeof *s->slots);
    if (!s->slots) {
        s->slot_count = 0;
        cli_error("out of memory");
        return CLI_ENVIRONMENT;
    }
    for (size_t i = 0; i < s->slot_count; i++)
        tsr_module_binding(s->module, s->entry, i, &s->slots[i].info);
    return CLI_DONE;
}

/* Names all that is missing or not there at once. */
static int check_slots(const struct run_state *s)
{
    int status = CLI_DONE;
    const struct run_args *a = s->args;
    for (size_t i = 0; i < s->slot_count; i++) {
        const tsr_binding_info *info = &s->slots[i].info;
        if (find_bind(a, info->group, info->binding)) continue;
        cli_error("--bind %u,%u=... is missing: `%s` is %s, at least %llu bytes", (unsigned)info->group,
                  (unsigned)info->binding, info->name, info->type, (unsigned long long)info->min_bytes);
        status = CLI_BAD_INPUT;
    }
    for (size_t i = 0; i < a->bind_count; i++) {
        if (find_slot(s, a->binds[i].group, a->binds[i].binding)) continue;
        cli_error("--bind %s: entry point %s uses no @group(%u) @binding(%u)", a->binds[i].text, s->entry,
                  (unsigned)a->binds[i].group, (unsigned)a->binds[i].binding);
        status = CLI_BAD_INPUT;
    }
    for (size_t i = 0; i < a->expect_count; i++) {
        if (find_slot(s, a->expects[i].group, a->expects[i].binding)) continue;
        cli_error("--expect %s: entry point %s uses no @group(%u) @binding(%u)", a->expects[i].text, s->entry,
                  (unsigned)a->expects[i].group, (unsigned)a->expects[i].binding);
        status = CLI_BAD_INPUT;
    }
    for (size_t i = 0; i < a->out_count; i++) {
        if (find_slot(s, a->outs[i].group, a->outs[i].binding)) continue;
        cli_error("--out %s: entry point %s uses no @group(%u) @binding(%u)", a->outs[i].text, s->entry,
                  (unsigned)a->outs[i].group, (unsigned)a->outs[i].binding);
        status = CLI_BAD_INPUT;
    }
    return status;
}

/* Bytes fit 32-bit words and structs; else the array has the binding's scalar type. */
int run_check_type(const tsr_binding_info *info, const struct cli_array *a, const char *option)
{
    const char *have = cli_scalar_name(a->type);
    bool words = strcmp(info->scalar, "u32") == 0 || strcmp(info->scalar, "i32") == 0 || !info->scalar[0];
    if (a->raw || strcmp(have, info->scalar) == 0 || (cli_scalar_bytes(a->type) == 1 && words)) return CLI_DONE;
    if (!info->scalar[0])
        cli_error("%s: `%s` is %s, which is made of several types; give it as bytes (u8) or with struct:TYPE=V,...",
                  option, info->name, info->type);
    else
        cli_error("%s: `%s` is %s and needs %s, but this is %s", option, info->name, info->type, info->scalar, have);
    return CLI_BAD_INPUT;
}

static int fill_slot(struct run_state *s, struct run_slot *slot)
{
    char option[256];
    struct cli_array array;
    const struct run_bind *bind = find_bind(s->args, slot->info.group, slot->info.binding);
    snprintf(option, sizeof option, "--bind %s", bind->text);
    int status = cli_array_make(bind->spec, option, &array);
    if (status != CLI_DONE) return status;
    status = run_check_type(&slot->info, &array, option);
    /* A last word that bytes fill only in part is a whole word of the buffer; the data are followed by zeros. */
    uint64_t size = array.size_bytes;
    bool words = strcmp(slot->info.scalar, "f16") != 0;
    uint64_t rounded = words ? (size + 3) / 4 * 4 : size;
    if (status == CLI_DONE && rounded < slot->info.min_bytes) {
        cli_error("%s: `%s` is %s and needs at least %llu bytes, but this has %llu", option, slot->info.name,
                  slot->info.type, (unsigned long long)slot->info.min_bytes, (unsigned long long)size);
        status = CLI_BAD_INPUT;
    }
    if (status == CLI_DONE) {
        tsr_status st = tsr_buffer_create(s->device, rounded, NULL, &slot->buffer);
        if (st == TSR_OK) st = tsr_buffer_write(slot->buffer, 0, array.data, size);
        if (st != TSR_OK) status = cli_fail(st);
    }
    cli_array_fini(&array);
    return status;
}

static int fill_slots(struct run_state *s)
{
    int status = list_slots(s);
    if (status == CLI_DONE) status = check_slots(s);
    for (size_t i = 0; i < s->slot_count && status == CLI_DONE; i++)
        status = fill_slot(s, &s->slots[i]);
    return status;
}

/* ---- The pipeline ---------------------------------------------------------------------------------------------- */

/* The only compute entry point when none was named; tsr_pipeline_create explains when that fails. */
static void choose_entry(struct run_state *s)
{
    tsr_entry_info info;
    s->entry = s->args->entry;
    for (size_t i = 0; !s->entry && i < tsr_module_entry_count(s->module); i++)
        if (tsr_module_entry(s->module, i, &info) == TSR_OK && info.stage == TSR_STAGE_COMPUTE) s->entry = info.name;
}

static int make_pipeline(struct run_state *s)
{
    const struct run_args *a = s->args;
    tsr_device_args device = {.subgroup_size = a->subgroup_size,
                              .threads = a->threads,
                              .profile_file = a->profile_file,
                              .validate = a->validate,
                              .exact_bits = a->exact_bits};
    const char *name = a->device;
    if (!name && a->profile_file) name = "profile:";
    if (!name && run_is_watched(a)) name = "cpu:interpreter"; /* no native code, which the sanitizer does not use */
    tsr_status st = tsr_device_open(name, &device, &s->device);
    if (st ==
        TSR_ERR_INVALID) { /* a subgroup size or a number of threads that the device does not have, a bad profile */
        cli_error("%s", tsr_last_error());
        return CLI_BAD_COMMAND;
    }
    if (st != TSR_OK) return cli_fail(st);
    tsr_pipeline_args args = {.entry = a->entry, .overrides = a->sets, .override_count = a->set_count};
    st = tsr_pipeline_create(s->device, s->module, &args, &s->pipeline);
    if (st == TSR_OK) return CLI_DONE;
    if (st == TSR_ERR_MEMORY || st == TSR_ERR_DEVICE || st == TSR_ERR_IO) return cli_fail(st);
    cli_show_lines(tsr_last_error(), &s->source);
    return CLI_BAD_INPUT;
}

static int dispatch(struct run_state *s)
{
    struct timespec started;
    struct run_progress progress = {.started = &started};
    tsr_binding *bindings = calloc(s->slot_count + 1, sizeof *bindings);
    if (!bindings) {
        cli_error("out of memory");
        return CLI_ENVIRONMENT;
    }
    for (size_t i = 0; i < s->slot_count; i++)
        bindings[i] = (tsr_binding){
            .group = s->slots[i].info.group, .binding = s->slots[i].info.binding, .buffer = s->slots[i].buffer};
    tsr_dispatch_args args = {.bindings = bindings,
                              .binding_count = s->slot_count,
                              .timeout_ns = (uint64_t)(s->args->timeout_s * 1e9),
                              .report = &s->report,
                              .progress = run_progress_tick,
                              .progress_user = &progress};
    if (run_is_watched(s->args)) {
        args.sanitize = &s->sanitize;
        args.findings = &s->findings;
    }
    memcpy(args.groups, s->args->groups, sizeof args.groups);
    clock_gettime(CLOCK_MONOTONIC, &started);
    tsr_status st = tsr_dispatch(s->pipeline, &args);
    if (st == TSR_OK) st = tsr_device_wait(s->device);
    run_progress_end(&progress);
    free(bindings);
    if (st != TSR_ERR_VALIDATION) return st == TSR_OK ? CLI_DONE : cli_fail(st);
    cli_show_lines(tsr_last_error(), &s->source);
    return CLI_BAD_INPUT;
}

static void free_state(struct run_state *s)
{
    for (size_t i = 0; i < s->slot_count; i++)
        tsr_buffer_free(s->slots[i].buffer);
    free(s->slots);
    run_free_sanitize(s);
    tsr_pipeline_free(s->pipeline);
    tsr_device_free(s->device);
    tsr_module_free(s->module);
    free(s->source.data);
}

static int run_program(const struct run_args *a)
{
    struct run_state s = {.args = a};
    int status = CLI_DONE;
    for (size_t i = 0; i < a->out_count && status == CLI_DONE; i++)
        status = cli_check_output(a->outs[i].spec.path);
    if (status == CLI_DONE) status = cli_load(a->path, true, &s.module, &s.source);
    if (status == CLI_DONE) status = make_pipeline(&s);
    if (status == CLI_DONE) {
        choose_entry(&s);
        status = run_dump(&s);
    }
    if (status == CLI_DONE) status = fill_slots(&s);
    if (status == CLI_DONE) status = run_prepare_sanitize(&s);
    if (status == CLI_DONE) status = dispatch(&s);
    if (status == CLI_DONE) status = run_write_outputs(&s);
    free_state(&s);
    return status;
}

int run_main(const struct cli_command *self, int argc, char **argv)
{
    struct run_args args;
    bool help = false;
    int status = run_parse(self, NULL, argc, argv, &args, &help);
    if (status == CLI_DONE && !help) status = run_program(&args);
    run_args_fini(&args);
    return help ? cli_close_stdout(status) : status;
}
