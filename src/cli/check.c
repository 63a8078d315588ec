/* `tessera check`: diagnostics of programs, a verdict on each, and on which devices they would run. */
#include "check.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum {
    ARG_json = 1,
    ARG_on,
    ARG_profile,
    ARG_sarif,
    ARG_budget,
    ARG_strict,
    ARG_format,
    ARG_first_data /* from here on: options of `tessera run` */
};
static const struct cli_option options[] = {
    {"on", "NAME,...",
     "Would it run there? Names of profiles, or all (every device that ships; of --profile, every\n"
     "record in the file).",
     ARG_on},
    {"profile", "FILE.json", "Take profiles from that file instead of those that ship; implies --on all.", ARG_profile},
    {"strict", NULL, "With --on: a verdict of unknown counts as a failure too.", ARG_strict},
    {"budget", NULL, "Print what each entry point takes: matrices an invocation, workgroup memory.", ARG_budget},
    {"format", "FORMAT", "text (default), json (as --json) or sarif (as --sarif -).", ARG_format},
    {"json", NULL, "Print the results as JSON on standard output.", ARG_json},
    {"sarif", "FILE", "Write the results as SARIF 2.1.0, for code scanning; - is standard output.", ARG_sarif},
    {"entry", "NAME", "Only that entry point, for every file.", ARG_first_data},
    {"set", "NAME=V", "As for `tessera run`, for every file.", ARG_first_data + 1},
    {"subgroup-size", "S", "Only that subgroup size instead of each that a device may choose.", ARG_first_data + 2},
    {"bind", "G,B=WHAT", "As for `tessera run`: with data, kernels are run in each device's place and compared.",
     ARG_first_data + 3},
    {"dispatch", "X[,Y[,Z]]", "As for `tessera run`.", ARG_first_data + 4},
    {"threads", "N", "As for `tessera run`.", ARG_first_data + 5},
    {"timeout", "SECONDS", "As for `tessera run`; default 60.", ARG_first_data + 6},
};

static const char details[] =
    "A FILE of - is standard input; one whose name ends in .ir holds tessera's IR as text; a folder stands for\n"
    "every NAME.wgsl below it.\n"
    "What overrides decide is looked at where a pipeline is made: with --on, and by `tessera run`.\n"
    "\n"
    "Verdicts of --on: runs; refused (a rule of the device forbids it); unknown (the device's record is not\n"
    "complete, or a limit that decides is not known); differs (it runs, and its results depend on the\n"
    "device's subgroup size). The last needs data: from --bind, or from first lines in the file such as\n"
    "  //! check --bind 0,0=random:f16:64x64:1 --bind 0,1=zeros:f32:64x64 --dispatch 2,2\n"
    "\n"
    "A kernel for any shape names its three numbers, constants or overrides, and gets each device's first shape:\n"
    "  //! configuration M N K f16*f16+f32->f32\n"
    "\n"
    "Exit status 1: some program has errors, is refused, or differs. 3: some file could not be read.\n";

/* ---- One file -------------------------------------------------------------------------------------------------- */

static void print_verdict(const char *path, const tsr_module *m, int status)
{
    size_t errors = 0, warnings = 0;
    for (size_t i = 0; i < tsr_module_diagnostic_count(m); i++) {
        tsr_severity severity = tsr_module_diagnostic(m, i).severity;
        errors += severity == TSR_SEVERITY_ERROR;
        warnings += severity == TSR_SEVERITY_WARNING;
    }
    fprintf(stderr, "%s: ", strcmp(path, "-") == 0 ? "<stdin>" : path);
    if (status == CLI_DONE && !warnings)
        fprintf(stderr, "ok\n");
    else if (status == CLI_DONE)
        fprintf(stderr, "ok, %zu warning%s\n", warnings, warnings == 1 ? "" : "s");
    else
        fprintf(stderr, "%zu error%s\n", errors, errors == 1 ? "" : "s");
}

static void list_file(struct check_state *s, const char *path, const tsr_module *m, int status, size_t first)
{
    json_t *one = json_object();
    json_object_set_new(one, "file", cli_json_text(path));
    json_object_set_new(one, "ok", json_boolean(status == CLI_DONE));
    json_object_set_new(one, "read", json_boolean(m != NULL));
    json_object_set_new(one, "diagnostics", m ? cli_json_diagnostics(m) : json_array());
    if (s->kernel_count > first) json_object_set_new(one, "entries", check_json_kernels(s, first));
    json_array_append_new(s->list, one);
}

/* Budgets and devices are looked at when the program is right. */
static int judge_file(struct check_state *s, const char *path, const tsr_module *m, const struct cli_bytes *source)
{
    struct run_args data;
    char *words = NULL;
    bool found = false;
    int status = check_find_data(s->args, path, source, &data, &words, &found);
    struct check_program p = {.file = path, .module = m, .source = source, .data = &data};
    struct check_variant variant;
    bool is_variant = false;
    if (status == CLI_DONE && s->args->device_count) status = check_find_variant(path, source, &variant, &is_variant);
    if (is_variant) p.variant = &variant;
    if (status == CLI_DONE) status = check_judge(s, &p);
    run_args_fini(&data);
    free(words);
    return status;
}

/* The first number that an error has: the one that a hint is given for. */
static void note_number(struct check_state *s, const tsr_module *m)
{
    for (size_t i = 0; !s->error_number && i < tsr_module_diagnostic_count(m); i++) {
        tsr_diagnostic d = tsr_module_diagnostic(m, i);
        if (d.severity == TSR_SEVERITY_ERROR) s->error_number = d.number;
    }
}

static int check_file(struct check_state *s, const char *path)
{
    tsr_module *m;
    struct cli_bytes source = {0};
    size_t first = s->kernel_count;
    bool quiet = s->list || (s->args->sarif_path && strcmp(s->args->sarif_path, "-") == 0);
    int status = cli_load(path, !quiet, &m, &source);
    if (m && !quiet) print_verdict(path, m, status);
    if (m && !quiet) note_number(s, m);
    if (s->sarif && m) cli_sarif_add_module(s->sarif, path, m);
    bool judged = s->args->device_count || s->args->budget || s->list;
    int verdict = status == CLI_DONE && judged ? judge_file(s, path, m, &source) : CLI_DONE;
    if (s->list) list_file(s, path, m, status, first);
    if (s->args->budget && !quiet) check_print_budgets(s, first);
    tsr_module_free(m);
    free(source.data);
    return verdict > status ? verdict : status;
}

/* ---- All of them ----------------------------------------------------------------------------------------------- */

static void free_state(struct check_state *s)
{
    for (size_t k = 0; k < s->kernel_count; k++) {
        for (size_t d = 0; d < s->args->device_count; d++)
            tsr_fit_free(s->kernels[k].cells[d].report);
        free(s->kernels[k].cells);
        free(s->kernels[k].entry);
    }
    free(s->kernels);
    json_decref(s->list);
    cli_sarif_free(s->sarif);
}

/* The worst status of all files and verdicts is the command's. */
static int finish(struct check_state *s)
{
    const struct check_args *a = s->args;
    int verdict = check_verdict(s);
    bool sarif_is_output = a->sarif_path && strcmp(a->sarif_path, "-") == 0;
    if (verdict > s->status) s->status = verdict;
    if (s->error_number)
        fprintf(stderr, "`tessera explain E%04u` tells more, with examples\n", (unsigned)s->error_number);
    if (a->device_count && !s->list && !sarif_is_output) check_print_table(s);
    if (s->sarif) {
        check_report_sarif(s);
        s->status = cli_sarif_write(s->sarif, a->sarif_path, s->status);
    }
    if (!s->list) return cli_close_stdout(s->status);
    return cli_json_print(json_incref(s->list), s->status);
}

static int check_all(const struct check_args *a)
{
    struct check_state s = {.args = a, .list = a->json ? json_array() : NULL};
    if (a->sarif_path) s.sarif = cli_sarif_new();
    for (size_t i = 0; i < a->files.count; i++) {
        int one = check_file(&s, a->files.paths[i]);
        if (one > s.status) s.status = one;
    }
    int status = finish(&s);
    free_state(&s);
    return status;
}

/* ---- The command line ------------------------------------------------------------------------------------------ */

static int take_format(struct check_args *a, const char *name)
{
    static const char *const names[] = {"text", "json", "sarif"};
    const char *near = cli_suggest(name, names, sizeof names / sizeof *names);
    if (strcmp(name, "text") == 0) return CLI_DONE;
    if (strcmp(name, "json") == 0) a->json = true;
    if (strcmp(name, "sarif") == 0) a->sarif_path = "-";
    if (strcmp(name, "json") == 0 || strcmp(name, "sarif") == 0) return CLI_DONE;
    cli_error("--format %s: it must be text, json or sarif%s%s", name, near ? "; did you mean " : "", near ? near : "");
    return CLI_BAD_COMMAND;
}

/* Options of `run` are kept in `data`, written again. */
static int take_arg(struct check_args *a, const struct cli_command *self, int id, const char *value)
{
    switch (id) {
    case ARG_json: a->json = true; return CLI_DONE;
    case ARG_on: a->on = value; return CLI_DONE;
    case ARG_profile: a->profile_file = value; return CLI_DONE;
    case ARG_sarif: a->sarif_path = value; return CLI_DONE;
    case ARG_format: return take_format(a, value);
    case ARG_budget: a->budget = true; return CLI_DONE;
    case ARG_strict: a->strict = true; return CLI_DONE;
    case CLI_ARG_POSITIONAL: return cli_paths_add(&a->files, value);
    default: break;
    }
    for (size_t i = 0; i < self->option_count; i++) {
        if (self->options[i].id != id) continue;
        char *option = malloc(strlen(self->options[i].name) + strlen(value) + 4);
        if (!option) return CLI_ENVIRONMENT;
        sprintf(option, "--%s=%s", self->options[i].name, value);
        a->data[a->data_count++] = option;
    }
    return CLI_DONE;
}

static int choose_devices(struct check_args *a)
{
    if (!a->on && !a->profile_file) return CLI_DONE;
    int status = cli_profiles_load(a->profile_file, &a->profiles);
    if (status != CLI_DONE) return status;
    status =
        cli_profiles_choose(a->profiles, a->on ? a->on : "all", a->profile_file != NULL, &a->devices, &a->device_count);
    if (status != CLI_DONE || a->device_count) return status;
    if (a->profile_file && (!a->on || strcmp(a->on, "all") == 0)) {
        cli_error("%s holds no profile", a->profile_file);
        return CLI_BAD_INPUT;
    }
    cli_error("--on %s names no device", a->on ? a->on : "all");
    return CLI_BAD_COMMAND;
}

static int check_args(struct check_args *a)
{
    if (a->files.count == 0) {
        cli_error("which programs? tessera check FILE...; see `tessera check --help`");
        return CLI_BAD_COMMAND;
    }
    if (a->json && a->sarif_path && strcmp(a->sarif_path, "-") == 0) {
        cli_error("--json and --sarif - both write to standard output; give --sarif a file");
        return CLI_BAD_COMMAND;
    }
    if (a->sarif_path && !*a->sarif_path) {
        cli_error("--sarif needs the name of a file, or - for standard output");
        return CLI_BAD_COMMAND;
    }
    int status = a->sarif_path && strcmp(a->sarif_path, "-") != 0 ? cli_check_output(a->sarif_path) : CLI_DONE;
    return status == CLI_DONE ? choose_devices(a) : status;
}

static int run_check(const struct cli_command *self, int argc, char **argv)
{
    struct cli_args args = {.command = self, .argc = argc, .argv = argv};
    struct check_args a = {.data = calloc((size_t)argc + 1, sizeof(char *))};
    const char *value = NULL;
    int id, status = a.data ? CLI_DONE : CLI_ENVIRONMENT;
    bool help = false;
    while (status == CLI_DONE && !help && (id = cli_next(&args, &value)) != CLI_ARG_END) {
        help = id == CLI_ARG_HELP;
        status = id == CLI_ARG_BAD ? CLI_BAD_COMMAND : help ? CLI_DONE : take_arg(&a, self, id, value);
    }
    if (help) status = cli_close_stdout(CLI_DONE);
    if (!help && status == CLI_DONE) status = check_args(&a);
    if (!help && status == CLI_DONE) status = check_all(&a);
    for (int i = 0; i < a.data_count; i++)
        free(a.data[i]);
    free(a.data);
    cli_paths_free(&a.files);
    free(a.devices);
    tsr_profiles_free(a.profiles);
    return status;
}

const struct cli_command cli_check = {
    .name = "check",
    .summary = "Check programs, and tell on which devices they would run.",
    .usage = "FILE|FOLDER... [options]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .details = details,
    .examples = "  tessera check kernel.wgsl\n  tessera check kernel.wgsl --on all\n"
                "  tessera check *.wgsl --on metal-m1,nv-h200-580,anv-xe2 --sarif result.sarif\n"
                "  tessera check --json *.wgsl\n  generate | tessera check -\n",
    .run = run_check,
};
