/* What `tessera run` says: a progress bar while a long run is going, warnings and a summary after it. */
#include "run.h"

#include <jansson.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BAR_CELLS = 30, CONFIG_NAME_BYTES = 128 };
static const double show_after_s = 1.0; /* shorter runs need no bar */
static const double redraw_s = 0.1;

/* ---- Progress -------------------------------------------------------------------------------------------------- */

static double seconds_since(const struct timespec *t)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - t->tv_sec) + (double)(now.tv_nsec - t->tv_nsec) / 1e9;
}

bool run_progress_tick(void *user, uint64_t done, uint64_t total)
{
    struct run_progress *p = user;
    double elapsed = seconds_since(p->started);
    if (elapsed < show_after_s || elapsed - p->drawn_s < redraw_s) return true;
    if (total == 0 || !isatty(STDERR_FILENO)) return true;
    p->drawn_s = elapsed;
    double part = (double)done / (double)total;
    int full = (int)(part * BAR_CELLS);
    fprintf(stderr, "\r[%.*s%*s] %3.0f %%  %llu of %llu workgroups", full, "##############################",
            BAR_CELLS - full, "", part * 100, (unsigned long long)done, (unsigned long long)total);
    if (done > 0) fprintf(stderr, ", %.0f s left", elapsed / part * (1 - part));
    fputs("\033[K", stderr);
    p->shown = true;
    return true;
}

void run_progress_end(struct run_progress *p)
{
    if (p->shown) fputs("\r\033[K", stderr);
}

/* ---- Warnings and summary -------------------------------------------------------------------------------------- */

static void warn_out_of_bounds(const struct run_state *s)
{
    const tsr_run_report *r = &s->report;
    char place[64] = "", text[1024];
    if (r->oob_accesses + r->oob_matrix_accesses == 0 || s->sanitize.checks & TSR_CHECK_BOUNDS) return;
    if (r->first_oob.line)
        snprintf(place, sizeof place, ":%u:%u", (unsigned)r->first_oob.line, (unsigned)r->first_oob.column);
    bool checked = r->oob_matrix_accesses == 0 || tsr_device_support(s->device)->bounds_checked;
    snprintf(text, sizeof text,
             "%.500s%s: warning: %llu accesses and %llu matrix accesses out of bounds (%s%s); the first: %s",
             s->args->path, place, (unsigned long long)r->oob_accesses, (unsigned long long)r->oob_matrix_accesses,
             s->sanitize.oob == TSR_OOB_ZERO ? "they load zero and store nothing" : "they touch what --oob says",
             checked ? "" : " here; the device itself is not known to check a matrix access: it may do anything",
             r->first_oob_text);
    cli_show_lines(text, &s->source);
}

static void print_summary(const struct run_state *s)
{
    uint32_t size[3];
    uint64_t bytes;
    char name[CONFIG_NAME_BYTES];
    tsr_pipeline_workgroup(s->pipeline, size, &bytes);
    fprintf(stderr, "%s on %s (%s): %llu workgroup%s of %ux%ux%u in %.3f ms\n", s->entry, tsr_device_name(s->device),
            tsr_device_description(s->device), (unsigned long long)s->report.workgroups,
            s->report.workgroups == 1 ? "" : "s", (unsigned)size[0], (unsigned)size[1], (unsigned)size[2],
            (double)s->report.time_ns / 1e6);
    const char *engine = tsr_pipeline_engine(s->pipeline);
    if (engine[0] && !run_is_watched(s->args)) fprintf(stderr, "  run by: %s\n", engine);
    for (size_t i = 0; i < tsr_pipeline_config_count(s->pipeline); i++) {
        tsr_config c;
        if (tsr_pipeline_config(s->pipeline, i, &c) != TSR_OK) continue;
        tsr_config_name(&c, name, sizeof name);
        fprintf(stderr, "  multiplies in %s (%s)\n", name, tsr_regime_name(tsr_config_regime(&c)));
    }
    for (size_t i = 0; i < s->args->out_count; i++)
        fprintf(stderr, "  wrote %s\n", s->args->outs[i].spec.path);
    char path[256];
    for (unsigned i = 0; i < 32; i++)
        if (run_dump_path(s, i, path, sizeof path)) fprintf(stderr, "  wrote %s\n", path);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------ */

static json_t *list_u32(const uint32_t *items, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_integer(items[i]));
    return list;
}

static json_t *list_configs(const struct run_state *s)
{
    json_t *list = json_array();
    char name[CONFIG_NAME_BYTES];
    for (size_t i = 0; i < tsr_pipeline_config_count(s->pipeline); i++) {
        tsr_config c;
        if (tsr_pipeline_config(s->pipeline, i, &c) != TSR_OK) continue;
        tsr_config_name(&c, name, sizeof name);
        json_t *one = json_object();
        json_object_set_new(one, "name", json_string(name));
        json_object_set_new(one, "regime", json_string(tsr_regime_name(tsr_config_regime(&c))));
        json_array_append_new(list, one);
    }
    return list;
}

static json_t *describe_out_of_bounds(const tsr_run_report *r)
{
    json_t *o = json_object();
    json_object_set_new(o, "accesses", json_integer((json_int_t)r->oob_accesses));
    json_object_set_new(o, "matrix_accesses", json_integer((json_int_t)r->oob_matrix_accesses));
    if (r->oob_accesses + r->oob_matrix_accesses == 0) return o;
    json_object_set_new(o, "line", json_integer(r->first_oob.line));
    json_object_set_new(o, "column", json_integer(r->first_oob.column));
    json_object_set_new(o, "first", cli_json_text(r->first_oob_text));
    return o;
}

static json_t *list_outputs(const struct run_args *a)
{
    json_t *list = json_array();
    for (size_t i = 0; i < a->out_count; i++) {
        const struct cli_out_spec *spec = &a->outs[i].spec;
        json_t *one = json_object(), *shape = json_array();
        for (unsigned d = 0; d < spec->dims; d++)
            json_array_append_new(shape, json_integer((json_int_t)spec->shape[d]));
        json_object_set_new(one, "group", json_integer(a->outs[i].group));
        json_object_set_new(one, "binding", json_integer(a->outs[i].binding));
        json_object_set_new(one, "path", cli_json_text(spec->path));
        json_object_set_new(one, "type", json_string(cli_scalar_name(spec->type)));
        json_object_set_new(one, "shape", shape);
        json_array_append_new(list, one);
    }
    return list;
}

static int print_json(const struct run_state *s)
{
    uint32_t size[3];
    uint64_t bytes;
    tsr_pipeline_workgroup(s->pipeline, size, &bytes);
    json_t *root = json_object();
    json_object_set_new(root, "program", cli_json_text(s->args->path));
    json_object_set_new(root, "entry", cli_json_text(s->entry));
    json_object_set_new(root, "device", cli_json_text(tsr_device_name(s->device)));
    json_object_set_new(root, "description", cli_json_text(tsr_device_description(s->device)));
    json_object_set_new(root, "engine", json_string(run_is_watched(s->args) ? "" : tsr_pipeline_engine(s->pipeline)));
    json_object_set_new(root, "subgroup_size", json_integer(tsr_device_subgroup_size(s->device)));
    json_object_set_new(root, "workgroup_size", list_u32(size, 3));
    json_object_set_new(root, "workgroup_bytes", json_integer((json_int_t)bytes));
    json_object_set_new(root, "dispatch", list_u32(s->args->groups, 3));
    json_object_set_new(root, "workgroups", json_integer((json_int_t)s->report.workgroups));
    json_object_set_new(root, "time_ns", json_integer((json_int_t)s->report.time_ns));
    json_object_set_new(root, "configurations", list_configs(s));
    json_object_set_new(root, "out_of_bounds", describe_out_of_bounds(&s->report));
    json_object_set_new(root, "outputs", list_outputs(s->args));
    if (run_is_watched(s->args)) json_object_set_new(root, "sanitizer", run_findings_json(s));
    return cli_json_print(root, tsr_findings_warnings(s->findings) ? CLI_BAD_INPUT : CLI_DONE);
}

int run_print_report(const struct run_state *s)
{
    warn_out_of_bounds(s);
    run_show_findings(s);
    if (s->args->json) return print_json(s);
    print_summary(s);
    return tsr_findings_warnings(s->findings) ? CLI_BAD_INPUT : CLI_DONE;
}
