/* What `tessera check` found out about kernels: as text, as JSON, as SARIF results. */
#include "check.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { CONFIG_NAME_BYTES = 128, MESSAGE_BYTES = 1024, NAME_COLUMN = 22, CELL_COLUMN = 9 };

static const char *cell_word(const struct check_cell *c)
{
    if (c->failed) return "failed";
    return c->differs ? "differs" : tsr_fit_name(c->fit);
}

static void get_device(const struct check_state *s, size_t d, tsr_profile_info *info)
{
    tsr_profiles_get(s->args->profiles, s->args->devices[d], info);
}

/* ---- Budget ---------------------------------------------------------------------------------------------------- */

/* 32-bit words of matrices an invocation, rounded up. */
static uint64_t words_per_lane(const tsr_budget *b, uint32_t subgroup_size)
{
    return subgroup_size ? (b->matrix_bytes / 4 + subgroup_size - 1) / subgroup_size : 0;
}

static uint32_t smallest_size(const tsr_profile_info *info)
{
    return info->support.subgroup_size_count ? info->support.subgroup_sizes[0] : 32;
}

static void print_device_budget(const tsr_budget *b, const tsr_profile_info *info)
{
    char most[32] = "unknown", room[32] = "unknown";
    uint32_t size = smallest_size(info);
    uint64_t words = words_per_lane(b, size);
    if (info->limits.max_workgroup_invocations)
        snprintf(most, sizeof most, "%u", (unsigned)info->limits.max_workgroup_invocations);
    if (info->limits.max_workgroup_bytes)
        snprintf(room, sizeof room, "%llu", (unsigned long long)info->limits.max_workgroup_bytes);
    printf("    %-*s %llu of %s bytes, %llu of %s invocations, %llu words of matrices an invocation (subgroup %u)%s\n",
           NAME_COLUMN, info->name, (unsigned long long)b->workgroup_bytes, room, (unsigned long long)b->invocations,
           most, (unsigned long long)words, (unsigned)size, words > TSR_BUDGET_WORDS ? ": may spill registers" : "");
}

static void print_budget(const struct check_state *s, const struct check_kernel *k)
{
    const tsr_budget *b = &k->budget;
    printf("%s %s: workgroup %ux%ux%u, %llu bytes of workgroup memory\n", k->file, k->entry,
           (unsigned)b->workgroup_size[0], (unsigned)b->workgroup_size[1], (unsigned)b->workgroup_size[2],
           (unsigned long long)b->workgroup_bytes);
    if (b->matrix_components) {
        printf("  matrices: %llu components a subgroup at line %u, %llu bytes;",
               (unsigned long long)b->matrix_components, (unsigned)b->worst.line, (unsigned long long)b->matrix_bytes);
        for (uint32_t size = 8; size <= 64; size *= 2)
            printf("%s %llu at %u", size == 8 ? " words an invocation:" : ",",
                   (unsigned long long)words_per_lane(b, size), (unsigned)size);
        printf("\n");
    }
    tsr_profile_info info;
    for (size_t d = 0; d < s->args->device_count; d++) {
        get_device(s, d, &info);
        print_device_budget(&k->cells[d].budget, &info);
    }
}

void check_print_budgets(const struct check_state *s, size_t first)
{
    for (size_t k = first; k < s->kernel_count; k++)
        print_budget(s, &s->kernels[k]);
}

/* ---- Reasons --------------------------------------------------------------------------------------------------- */

/* The message with what belongs to it: the nearest configuration, the subgroup size. */
static void write_reason(const tsr_fit_reason *r, char buf[MESSAGE_BYTES])
{
    char near[CONFIG_NAME_BYTES], at[48] = "";
    if (r->subgroup_size) snprintf(at, sizeof at, "with subgroups of %u: ", (unsigned)r->subgroup_size);
    if (r->has_nearest) {
        tsr_config_name(&r->nearest, near, sizeof near);
        snprintf(buf, MESSAGE_BYTES, "%s%s; the nearest is %s, which differs in %s", at, r->message, near, r->differs);
    } else {
        snprintf(buf, MESSAGE_BYTES, "%s%s", at, r->message);
    }
}

static void print_reasons(const struct check_kernel *k, const struct check_cell *cell)
{
    char text[MESSAGE_BYTES];
    tsr_fit_reason r;
    for (size_t i = 0; i < tsr_fit_reason_count(cell->report); i++) {
        tsr_fit_get_reason(cell->report, i, &r);
        if (cell->fit == TSR_FIT_REFUSED && r.fit != TSR_FIT_REFUSED) continue;
        write_reason(&r, text);
        printf("      %s:%u:%u: E%04u: %s\n", k->file, (unsigned)r.place.line, (unsigned)r.place.column,
               (unsigned)r.number, text);
    }
}

/* ---- The table ------------------------------------------------------------------------------------------------- */

static void print_matrix(const struct check_state *s)
{
    tsr_profile_info info;
    for (size_t k = 0; k < s->kernel_count; k++)
        printf("%zu: %s %s\n", k + 1, s->kernels[k].file, s->kernels[k].entry);
    printf("\n%-*s", NAME_COLUMN, "device");
    for (size_t k = 0; k < s->kernel_count; k++)
        printf(" %-*zu", CELL_COLUMN, k + 1);
    printf("\n");
    for (size_t d = 0; d < s->args->device_count; d++) {
        get_device(s, d, &info);
        printf("%-*s", NAME_COLUMN, info.name);
        for (size_t k = 0; k < s->kernel_count; k++)
            printf(" %-*s", k + 1 < s->kernel_count ? CELL_COLUMN : 0, cell_word(&s->kernels[k].cells[d]));
        printf("\n");
    }
    printf("\n");
}

static void print_cell(const struct check_state *s, const struct check_kernel *k, size_t d)
{
    const struct check_cell *cell = &k->cells[d];
    tsr_profile_info info;
    get_device(s, d, &info);
    printf("    %-*s %s", NAME_COLUMN, info.name, cell_word(cell));
    if (cell->fit == TSR_FIT_RUNS && !cell->failed) {
        const uint32_t *sizes;
        size_t count = tsr_fit_sizes(cell->report, &sizes);
        if (cell->chosen)
            printf(" as %ux%ux%u", (unsigned)cell->config.shape.m, (unsigned)cell->config.shape.n,
                   (unsigned)cell->config.shape.k);
        printf(" (subgroup ");
        cli_print_sizes(sizes, count, stdout);
        printf("%s%s)", cell->ran_text[0] ? "; run and compared at " : "", cell->ran_text);
    }
    printf("%s%s\n", cell->differs ? ": " : "", cell->differs_text);
    if (cell->oob_matrix && info.bounds_checked != TSR_ANSWER_YES)
        printf("      %s:%u:%u: %llu matrix accesses out of bounds: nothing says what %s does then\n", k->file,
               (unsigned)cell->first_oob.line, (unsigned)cell->first_oob.column, (unsigned long long)cell->oob_matrix,
               info.name);
    if (cell->fit != TSR_FIT_RUNS) print_reasons(k, cell);
}

static void print_counts(const struct check_state *s)
{
    size_t runs = 0, refused = 0, unknown = 0, differs = 0;
    for (size_t k = 0; k < s->kernel_count; k++) {
        for (size_t d = 0; d < s->args->device_count; d++) {
            const struct check_cell *cell = &s->kernels[k].cells[d];
            differs += cell->differs;
            runs += cell->fit == TSR_FIT_RUNS && !cell->differs && !cell->failed;
            refused += cell->fit == TSR_FIT_REFUSED;
            unknown += cell->fit == TSR_FIT_UNKNOWN;
        }
    }
    printf("%zu run, %zu refused, %zu run but differ, %zu unknown\n", runs, refused, differs, unknown);
}

void check_print_table(const struct check_state *s)
{
    if (s->kernel_count > 1) print_matrix(s);
    for (size_t k = 0; k < s->kernel_count; k++) {
        printf("%s %s\n", s->kernels[k].file, s->kernels[k].entry);
        for (size_t d = 0; d < s->args->device_count; d++)
            print_cell(s, &s->kernels[k], d);
    }
    print_counts(s);
}

/* ---- SARIF ----------------------------------------------------------------------------------------------------- */

static void report_cell(const struct check_state *s, const struct check_kernel *k, size_t d)
{
    const struct check_cell *cell = &k->cells[d];
    char text[MESSAGE_BYTES], message[MESSAGE_BYTES + 160];
    tsr_profile_info info;
    tsr_fit_reason r;
    get_device(s, d, &info);
    for (size_t i = 0; i < tsr_fit_reason_count(cell->report); i++) {
        tsr_fit_get_reason(cell->report, i, &r);
        write_reason(&r, text);
        snprintf(message, sizeof message, "%s on %s: %s", k->entry, info.name, text);
        cli_sarif_add(s->sarif, r.number, r.rule, r.fit == TSR_FIT_REFUSED ? "error" : "open", message, k->file,
                      r.place);
    }
    if (!cell->differs) return;
    snprintf(message, sizeof message, "%s on %s: %s", k->entry, info.name, cell->differs_text);
    cli_sarif_add(s->sarif, 0, "the result depends on the device", "error", message, k->file, (tsr_place){0});
}

void check_report_sarif(const struct check_state *s)
{
    for (size_t k = 0; k < s->kernel_count; k++)
        for (size_t d = 0; d < s->args->device_count; d++)
            report_cell(s, &s->kernels[k], d);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------ */

static json_t *describe_budget(const tsr_budget *b)
{
    json_t *o = json_object(), *size = json_array();
    for (int i = 0; i < 3; i++)
        json_array_append_new(size, json_integer(b->workgroup_size[i]));
    json_object_set_new(o, "workgroup_size", size);
    json_object_set_new(o, "workgroup_bytes", json_integer((json_int_t)b->workgroup_bytes));
    json_object_set_new(o, "matrix_components", json_integer((json_int_t)b->matrix_components));
    json_object_set_new(o, "matrix_bytes", json_integer((json_int_t)b->matrix_bytes));
    json_object_set_new(o, "worst_line", json_integer(b->worst.line));
    return o;
}

static json_t *describe_config(const tsr_config *c)
{
    char name[CONFIG_NAME_BYTES];
    tsr_config_name(c, name, sizeof name);
    return json_string(name);
}

static json_t *describe_reason(const tsr_fit_reason *r)
{
    json_t *o = json_object();
    json_object_set_new(o, "verdict", json_string(tsr_fit_name(r->fit)));
    json_object_set_new(o, "number", json_integer(r->number));
    json_object_set_new(o, "rule", json_string(r->rule));
    json_object_set_new(o, "message", cli_json_text(r->message));
    json_object_set_new(o, "line", json_integer(r->place.line));
    json_object_set_new(o, "column", json_integer(r->place.column));
    if (r->subgroup_size) json_object_set_new(o, "subgroup_size", json_integer(r->subgroup_size));
    if (r->has_wanted) json_object_set_new(o, "wanted", describe_config(&r->wanted));
    if (r->has_nearest) {
        json_object_set_new(o, "nearest", describe_config(&r->nearest));
        json_object_set_new(o, "differs", json_string(r->differs));
    }
    return o;
}

static json_t *describe_cell(const struct check_state *s, const struct check_kernel *k, size_t d)
{
    const struct check_cell *cell = &k->cells[d];
    const uint32_t *sizes;
    tsr_profile_info info;
    tsr_fit_reason r;
    json_t *o = json_object(), *reasons = json_array(), *list = json_array();
    get_device(s, d, &info);
    for (size_t i = 0; i < tsr_fit_reason_count(cell->report); i++) {
        tsr_fit_get_reason(cell->report, i, &r);
        json_array_append_new(reasons, describe_reason(&r));
    }
    size_t count = tsr_fit_sizes(cell->report, &sizes);
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_integer(sizes[i]));
    json_object_set_new(o, "device", cli_json_text(info.name));
    json_object_set_new(o, "verdict", json_string(cell_word(cell)));
    json_object_set_new(o, "subgroup_sizes", list);
    json_object_set_new(o, "compared", json_boolean(cell->ran_text[0] != 0));
    if (cell->chosen) json_object_set_new(o, "configuration", describe_config(&cell->config));
    if (cell->differs) json_object_set_new(o, "difference", cli_json_text(cell->differs_text));
    json_object_set_new(o, "matrix_accesses_out_of_bounds", json_integer((json_int_t)cell->oob_matrix));
    json_object_set_new(o, "matrix_words_per_invocation",
                        json_integer((json_int_t)words_per_lane(&cell->budget, smallest_size(&info))));
    json_object_set_new(o, "reasons", reasons);
    return o;
}

json_t *check_json_kernels(const struct check_state *s, size_t first)
{
    json_t *list = json_array();
    for (size_t i = first; i < s->kernel_count; i++) {
        const struct check_kernel *k = &s->kernels[i];
        json_t *o = json_object(), *cells = json_array();
        for (size_t d = 0; d < s->args->device_count; d++)
            json_array_append_new(cells, describe_cell(s, k, d));
        json_object_set_new(o, "entry", cli_json_text(k->entry));
        json_object_set_new(o, "budget", describe_budget(&k->budget));
        if (s->args->device_count)
            json_object_set_new(o, "devices", cells);
        else
            json_decref(cells);
        json_array_append_new(list, o);
    }
    return list;
}
