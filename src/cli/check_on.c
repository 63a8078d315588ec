/* `tessera check --on`: each compute entry point against each device. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

static int fail_memory(void)
{
    cli_error("out of memory");
    return CLI_ENVIRONMENT;
}

/* What is wrong with the program itself was not said by the check: overrides without a value, sizes of 0. */
static int fail_build(tsr_status st, const struct cli_bytes *source)
{
    if (st == TSR_ERR_MEMORY) return cli_fail(st);
    cli_show_lines(tsr_last_error(), source);
    return CLI_BAD_INPUT;
}

static int judge_device(struct check_state *s, struct check_kernel *k, size_t d, const tsr_module *m,
                        const struct run_args *data)
{
    struct check_cell *cell = &k->cells[d];
    const struct check_args *a = s->args;
    tsr_profile_info info;
    tsr_fit_args fit = {.entry = k->entry,
                        .overrides = data->sets,
                        .override_count = data->set_count,
                        .profiles = a->profiles,
                        .profile = a->devices[d],
                        .subgroup_size = data->subgroup_size};
    tsr_status st = tsr_fit_check(m, &fit, &cell->report);
    if (st != TSR_OK) return cli_fail(st);
    cell->fit = tsr_fit_verdict(cell->report);
    if (cell->fit != TSR_FIT_RUNS || data->bind_count == 0) return CLI_DONE;
    const uint32_t *sizes;
    size_t count = tsr_fit_sizes(cell->report, &sizes);
    tsr_profiles_get(a->profiles, a->devices[d], &info);
    return check_compare(a, m, data, k->entry, info.name, sizes, count, cell);
}

static struct check_kernel *add_kernel(struct check_state *s, const char *file, const char *entry)
{
    if (s->kernel_count == s->kernel_cap) {
        size_t cap = s->kernel_cap ? s->kernel_cap * 2 : 8;
        struct check_kernel *more = realloc(s->kernels, cap * sizeof *more);
        if (!more) return NULL;
        s->kernels = more;
        s->kernel_cap = cap;
    }
    struct check_kernel *k = &s->kernels[s->kernel_count];
    *k = (struct check_kernel){.file = file, .entry = malloc(strlen(entry) + 1)};
    k->cells = calloc(s->args->device_count + 1, sizeof *k->cells);
    if (!k->entry || !k->cells) {
        free(k->entry);
        free(k->cells);
        return NULL;
    }
    strcpy(k->entry, entry);
    s->kernel_count++;
    return k;
}

static int judge_entry(struct check_state *s, const char *file, const char *entry, const tsr_module *m,
                       const struct cli_bytes *source, const struct run_args *data)
{
    tsr_budget budget;
    tsr_pipeline_args args = {.entry = entry, .overrides = data->sets, .override_count = data->set_count};
    tsr_status st = tsr_module_budget(m, &args, &budget);
    if (st != TSR_OK) return fail_build(st, source);
    struct check_kernel *k = add_kernel(s, file, entry);
    if (!k) return fail_memory();
    k->budget = budget;
    int status = CLI_DONE;
    for (size_t d = 0; d < s->args->device_count; d++) {
        int one = judge_device(s, k, d, m, data);
        if (one > status) status = one;
    }
    return status;
}

int check_judge(struct check_state *s, const char *file, const tsr_module *m, const struct cli_bytes *source,
                const struct run_args *data)
{
    int status = CLI_DONE;
    tsr_entry_info info;
    bool found = false;
    for (size_t i = 0; i < tsr_module_entry_count(m); i++) {
        tsr_module_entry(m, i, &info);
        if (info.stage != TSR_STAGE_COMPUTE || (data->entry && strcmp(info.name, data->entry) != 0)) continue;
        int one = judge_entry(s, file, info.name, m, source, data);
        if (one > status) status = one;
        found = true;
    }
    if (found || !data->entry) return status;
    cli_error("%s has no compute entry point %s", file, data->entry);
    return CLI_BAD_INPUT;
}

int check_verdict(const struct check_state *s)
{
    for (size_t k = 0; k < s->kernel_count; k++) {
        for (size_t d = 0; d < s->args->device_count; d++) {
            const struct check_cell *cell = &s->kernels[k].cells[d];
            if (cell->fit == TSR_FIT_REFUSED || cell->differs) return CLI_BAD_INPUT;
            if (cell->fit == TSR_FIT_UNKNOWN && s->args->strict) return CLI_BAD_INPUT;
        }
    }
    return CLI_DONE;
}
