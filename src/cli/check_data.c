/* `tessera check` with data: runs a kernel in a device's place and on the CPU as itself, and compares. */
#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REFERENCE_SIZE_COUNT = 5 };
/* Sums in another order differ: so much, as a part of the largest number in the array, is rounding and no difference.
 */
static const double rounding_f32 = 1.0 / 4096, rounding_f16 = 1.0 / 64;
static const double default_timeout_s = 60;

/* ---- Options in the file --------------------------------------------------------------------------------------- */

/* Appends the words of the lines "//! check ..." at the top of a file. `text` is changed: words end in NUL. */
static int take_words(char *text, char **argv, int argc, int most)
{
    static const char head[] = "//! check ";
    for (char *line = text; strncmp(line, "//!", 3) == 0;) {
        char *end = line + strcspn(line, "\r\n"), *next = end + strspn(end, "\r\n");
        bool mine = strncmp(line, head, sizeof head - 1) == 0;
        *end = 0;
        for (char *w = mine ? strtok(line + sizeof head - 1, " \t") : NULL; w && argc < most; w = strtok(NULL, " \t"))
            argv[argc++] = w;
        line = next;
    }
    return argc;
}

int check_find_data(const struct check_args *a, const char *file, const struct cli_bytes *source, struct run_args *out,
                    char **words, bool *found)
{
    bool help = false;
    size_t most = source->size_bytes / 2 + (size_t)a->data_count + 3; /* no more words than half of the bytes */
    char **argv = calloc(most, sizeof *argv);
    *words = malloc(source->size_bytes + 1);
    *out = (struct run_args){.groups = {1, 1, 1}};
    if (!argv || !*words) {
        free(argv);
        cli_error("out of memory");
        return CLI_ENVIRONMENT;
    }
    memcpy(*words, source->data, source->size_bytes);
    (*words)[source->size_bytes] = 0;
    int argc = take_words(*words, argv, 0, (int)(most - (size_t)a->data_count - 2));
    for (int i = 0; i < a->data_count; i++)
        argv[argc++] = a->data[i];
    *found = argc > 0;
    int status = run_parse(&cli_run, file, argc, argv, out, &help);
    if (status != CLI_DONE) cli_error("these are options for %s: //! check lines and the command line", file);
    free(argv);
    return status;
}

/* ---- One run --------------------------------------------------------------------------------------------------- */

struct result {
    size_t count; /* of bindings */
    tsr_binding_info *info;
    struct cli_array *before; /* what --bind gives */
    unsigned char **after;
    uint64_t *bytes;
    tsr_run_report report;
};

static void free_result(struct result *r)
{
    for (size_t i = 0; i < r->count; i++) {
        if (r->before) cli_array_fini(&r->before[i]);
        if (r->after) free(r->after[i]);
    }
    free(r->info);
    free(r->before);
    free(r->after);
    free(r->bytes);
    *r = (struct result){0};
}

static int fill_result(const tsr_module *m, const struct run_args *data, const char *entry, struct result *r)
{
    char option[256];
    int status = CLI_DONE;
    r->count = tsr_module_binding_count(m, entry);
    r->info = calloc(r->count + 1, sizeof *r->info);
    r->before = calloc(r->count + 1, sizeof *r->before);
    r->after = calloc(r->count + 1, sizeof *r->after);
    r->bytes = calloc(r->count + 1, sizeof *r->bytes);
    if (!r->info || !r->before || !r->after || !r->bytes) {
        r->count = 0;
        cli_error("out of memory");
        return CLI_ENVIRONMENT;
    }
    for (size_t i = 0; i < r->count && status == CLI_DONE; i++) {
        const struct run_bind *bind = NULL;
        tsr_module_binding(m, entry, i, &r->info[i]);
        for (size_t b = 0; b < data->bind_count; b++)
            if (data->binds[b].group == r->info[i].group && data->binds[b].binding == r->info[i].binding)
                bind = &data->binds[b];
        if (!bind) {
            cli_error("--bind %u,%u=... is missing for `%s`", (unsigned)r->info[i].group, (unsigned)r->info[i].binding,
                      r->info[i].name);
            return CLI_BAD_INPUT;
        }
        snprintf(option, sizeof option, "--bind %s", bind->text);
        status = cli_array_make(bind->spec, option, &r->before[i]);
        r->bytes[i] = (r->before[i].size_bytes + 3) / 4 * 4;
    }
    return status;
}

static tsr_status make_buffers(tsr_device *dev, const struct result *r, tsr_binding *bindings)
{
    for (size_t i = 0; i < r->count; i++) {
        bindings[i] = (tsr_binding){.group = r->info[i].group, .binding = r->info[i].binding};
        tsr_status st = tsr_buffer_create(dev, r->bytes[i], NULL, &bindings[i].buffer);
        if (st == TSR_OK) st = tsr_buffer_write(bindings[i].buffer, 0, r->before[i].data, r->before[i].size_bytes);
        if (st != TSR_OK) return st;
    }
    return TSR_OK;
}

static tsr_status read_buffers(const struct result *r, const tsr_binding *bindings)
{
    for (size_t i = 0; i < r->count; i++) {
        if (!r->after[i]) r->after[i] = malloc(r->bytes[i] + 1);
        if (!r->after[i]) return TSR_ERR_MEMORY;
        tsr_status st = tsr_buffer_read(bindings[i].buffer, 0, r->after[i], r->bytes[i]);
        if (st != TSR_OK) return st;
    }
    return TSR_OK;
}

static tsr_status run_pipeline(tsr_device *dev, tsr_pipeline *p, const struct run_args *data, struct result *r)
{
    tsr_binding *bindings = calloc(r->count + 1, sizeof *bindings);
    if (!bindings) return TSR_ERR_MEMORY;
    double seconds = data->timeout_s > 0 ? data->timeout_s : default_timeout_s;
    tsr_dispatch_args args = {
        .bindings = bindings, .binding_count = r->count, .timeout_ns = (uint64_t)(seconds * 1e9), .report = &r->report};
    memcpy(args.groups, data->groups, sizeof args.groups);
    tsr_status st = make_buffers(dev, r, bindings);
    if (st == TSR_OK) st = tsr_dispatch(p, &args);
    if (st == TSR_OK) st = tsr_device_wait(dev);
    if (st == TSR_OK) st = read_buffers(r, bindings);
    for (size_t i = 0; i < r->count; i++)
        tsr_buffer_free(bindings[i].buffer);
    free(bindings);
    return st;
}

/* The record that was read already: the file may be a pipe, and reading all of it for each device takes time that grows
 * with the square of the records. */
static const char *get_record(const struct check_args *a, const char *device)
{
    size_t i;
    return tsr_profiles_find(a->profiles, device, &i) == TSR_OK ? tsr_profiles_json(a->profiles, i) : NULL;
}

/* device NULL: the CPU as itself, by the interpreter: what a program means. */
static tsr_status run_once(const struct check_args *a, const tsr_module *m, const struct run_args *data,
                           const char *entry, const char *device, uint32_t subgroup_size, struct result *r)
{
    tsr_device *dev = NULL;
    tsr_pipeline *p = NULL;
    char name[80] = "cpu:interpreter";
    tsr_device_args open = {.subgroup_size = subgroup_size,
                            .threads = data->threads,
                            .profile_json = device ? get_record(a, device) : NULL};
    tsr_pipeline_args args = {.entry = entry, .overrides = data->sets, .override_count = data->set_count};
    if (device) snprintf(name, sizeof name, "profile:%s", device);
    tsr_status st = tsr_device_open(name, &open, &dev);
    if (st == TSR_OK) st = tsr_pipeline_create(dev, m, &args, &p);
    if (st == TSR_OK) st = run_pipeline(dev, p, data, r);
    tsr_pipeline_free(p);
    tsr_device_free(dev);
    return st;
}

/* ---- Comparing ------------------------------------------------------------------------------------------------- */

static double f16_to_double(uint16_t bits)
{
    int exponent = bits >> 10 & 31;
    double fraction = bits & 1023, value;
    if (exponent == 31)
        value = fraction != 0 ? NAN : INFINITY;
    else
        value = exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24);
    return bits & 0x8000 ? -value : value;
}

static double get_number(const unsigned char *data, size_t i, bool is_f16)
{
    if (is_f16) {
        uint16_t half;
        memcpy(&half, data + i * 2, sizeof half);
        return f16_to_double(half);
    }
    float single;
    memcpy(&single, data + i * 4, sizeof single);
    return single;
}

/* Numbers that differ by more than rounding; a NaN matches nothing. */
static size_t count_floats(const unsigned char *x, const unsigned char *y, uint64_t bytes, bool is_f16, double *worst)
{
    size_t n = (size_t)bytes / (is_f16 ? 2 : 4), bad = 0;
    double largest = 0, allowed;
    *worst = 0;
    for (size_t i = 0; i < n; i++) {
        double v = fabs(get_number(x, i, is_f16));
        if (isfinite(v) && v > largest) largest = v;
    }
    allowed = largest * (is_f16 ? rounding_f16 : rounding_f32);
    for (size_t i = 0; i < n; i++) {
        size_t width = is_f16 ? 2 : 4;
        if (memcmp(x + i * width, y + i * width, width) == 0) continue;
        double off = fabs(get_number(x, i, is_f16) - get_number(y, i, is_f16));
        if (!(off <= *worst)) *worst = off;
        bad += !(off <= allowed);
    }
    return bad;
}

static void compare_buffer(const struct result *ours, const struct result *theirs, size_t i, uint32_t size,
                           struct check_cell *cell)
{
    const unsigned char *x = ours->after[i], *y = theirs->after[i];
    const char *scalar = ours->info[i].scalar;
    bool is_f16 = strcmp(scalar, "f16") == 0, is_f32 = strcmp(scalar, "f32") == 0;
    double worst = 0;
    size_t bad = 0;
    if (cell->differs || memcmp(x, y, (size_t)ours->bytes[i]) == 0) return;
    if (is_f16 || is_f32)
        bad = count_floats(x, y, ours->bytes[i], is_f16, &worst);
    else
        for (uint64_t w = 0; w < ours->bytes[i]; w += 4)
            bad += memcmp(x + w, y + w, 4) != 0;
    if (bad == 0) return; /* rounding */
    cell->differs = true;
    if (is_f16 || is_f32)
        snprintf(cell->differs_text, sizeof cell->differs_text,
                 "with subgroups of %u, %zu numbers of `%.60s` differ from the reference by up to %.3g", (unsigned)size,
                 bad, ours->info[i].name, worst);
    else
        snprintf(cell->differs_text, sizeof cell->differs_text,
                 "with subgroups of %u, %zu words of `%.60s` differ from the reference", (unsigned)size, bad,
                 ours->info[i].name);
}

/* The CPU as itself, with the first size that the kernel takes. */
static tsr_status run_reference(const struct check_args *a, const tsr_module *m, const struct run_args *data,
                                const char *entry, struct result *r)
{
    static const uint32_t sizes[REFERENCE_SIZE_COUNT] = {32, 16, 8, 4, 64};
    tsr_status st = TSR_OK;
    for (int i = 0; i < REFERENCE_SIZE_COUNT; i++) {
        st = run_once(a, m, data, entry, NULL, sizes[i], r);
        if (st != TSR_ERR_UNSUPPORTED) break;
    }
    return st;
}

int check_compare(const struct check_args *a, const tsr_module *m, const struct run_args *data, const char *entry,
                  const char *device, const uint32_t *sizes, size_t size_count, struct check_cell *cell)
{
    struct result ours = {0}, theirs = {0};
    int status = fill_result(m, data, entry, &ours);
    if (status == CLI_DONE) status = fill_result(m, data, entry, &theirs);
    tsr_status st = status == CLI_DONE ? run_reference(a, m, data, entry, &ours) : TSR_OK;
    if (st != TSR_OK) status = cli_fail(st);
    for (size_t i = 0; i < size_count && status == CLI_DONE; i++) {
        st = run_once(a, m, data, entry, device, sizes[i], &theirs);
        if (st != TSR_OK) {
            cli_error("%s as %s, subgroups of %u:", entry, device, (unsigned)sizes[i]);
            status = cli_fail(st);
            break;
        }
        cell->oob_matrix = theirs.report.oob_matrix_accesses;
        cell->first_oob = theirs.report.first_oob;
        for (size_t b = 0; b < ours.count; b++)
            compare_buffer(&ours, &theirs, b, sizes[i], cell);
        size_t n = strlen(cell->ran_text);
        snprintf(cell->ran_text + n, sizeof cell->ran_text - n, "%s%u", n ? ", " : "", (unsigned)sizes[i]);
    }
    free_result(&ours);
    free_result(&theirs);
    return status;
}
