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

static int judge_module(struct check_state *s, struct check_kernel *k, size_t d, const tsr_module *m,
                        const struct run_args *data, const tsr_profile_info *info)
{
    struct check_cell *cell = &k->cells[d];
    const struct check_args *a = s->args;
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
    return check_compare(a, m, data, k->entry, info->name, sizes, count, cell);
}

/* With what the device chose behind what the user set. The array is malloc's. */
static tsr_override_value *join_sets(const struct run_args *data, const struct check_made *made)
{
    tsr_override_value *sets = calloc(data->set_count + made->set_count + 1, sizeof *sets);
    if (!sets) return NULL;
    if (data->set_count) memcpy(sets, data->sets, data->set_count * sizeof *sets);
    memcpy(sets + data->set_count, made->sets, made->set_count * sizeof *sets);
    return sets;
}

static int judge_device(struct check_state *s, struct check_kernel *k, size_t d, const struct check_program *p)
{
    struct check_made made = {0};
    tsr_profile_info info;
    struct run_args data = *p->data;
    int status = CLI_DONE;
    tsr_profiles_get(s->args->profiles, s->args->devices[d], &info);
    if (p->variant) status = check_make_variant(p->variant, p->file, p->source, p->module, &info.support, &made);
    tsr_override_value *sets = join_sets(p->data, &made);
    if (!sets) status = fail_memory();
    data.sets = sets;
    data.set_count += made.set_count;
    k->cells[d].chosen = made.chosen;
    k->cells[d].config = made.config;
    const tsr_module *module = made.module ? made.module : p->module;
    tsr_pipeline_args args = {.entry = k->entry, .overrides = data.sets, .override_count = data.set_count};
    if (!sets || !made.chosen || tsr_module_budget(module, &args, &k->cells[d].budget) != TSR_OK)
        k->cells[d].budget = k->budget;
    if (status == CLI_DONE) status = judge_module(s, k, d, module, &data, &info);
    k->cells[d].failed = status != CLI_DONE && !k->cells[d].report;
    free(sets);
    tsr_module_free(made.module);
    return status;
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

static int judge_entry(struct check_state *s, const char *entry, const struct check_program *p)
{
    tsr_budget budget;
    tsr_pipeline_args args = {.entry = entry, .overrides = p->data->sets, .override_count = p->data->set_count};
    tsr_status st = tsr_module_budget(p->module, &args, &budget);
    /* A program may lack values for its overrides: that is an error only where numbers were asked for. */
    bool asked = s->args->device_count || s->args->budget;
    if (st != TSR_OK) return asked ? fail_build(st, p->source) : CLI_DONE;
    struct check_kernel *k = add_kernel(s, p->file, entry);
    if (!k) return fail_memory();
    k->budget = budget;
    int status = CLI_DONE;
    for (size_t d = 0; d < s->args->device_count; d++) {
        int one = judge_device(s, k, d, p);
        if (one > status) status = one;
    }
    return status;
}

int check_judge(struct check_state *s, const struct check_program *p)
{
    int status = CLI_DONE;
    tsr_entry_info info;
    bool found = false;
    const char *wanted = p->data->entry;
    for (size_t i = 0; i < tsr_module_entry_count(p->module); i++) {
        tsr_module_entry(p->module, i, &info);
        if (info.stage != TSR_STAGE_COMPUTE || (wanted && strcmp(info.name, wanted) != 0)) continue;
        int one = judge_entry(s, info.name, p);
        if (one > status) status = one;
        found = true;
    }
    if (found || !wanted) return status;
    cli_error("%s has no compute entry point %s", p->file, wanted);
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
