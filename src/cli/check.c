/* `tessera check`: diagnostics of programs, and a verdict on each. */
#include "cli.h"

#include <jansson.h>
#include <string.h>

enum { ARG_json = 1 };
static const struct cli_option options[] = {{"json", NULL, "Print the results as JSON on standard output.", ARG_json}};

/* One file. The worst status of all files is the command's. */
static int check_file(const char *path, json_t *list)
{
    tsr_module *m;
    int status = cli_load(path, list == NULL, &m, NULL);
    size_t errors = 0, warnings = 0;
    for (size_t i = 0; i < tsr_module_diagnostic_count(m); i++) {
        tsr_severity severity = tsr_module_diagnostic(m, i).severity;
        errors += severity == TSR_SEVERITY_ERROR;
        warnings += severity == TSR_SEVERITY_WARNING;
    }
    if (list) {
        json_t *one = json_object();
        json_object_set_new(one, "file", cli_json_text(path));
        json_object_set_new(one, "ok", json_boolean(status == CLI_DONE));
        json_object_set_new(one, "read", json_boolean(m != NULL));
        json_object_set_new(one, "diagnostics", m ? cli_json_diagnostics(m) : json_array());
        json_array_append_new(list, one);
    } else if (m) {
        fprintf(stderr, "%s: ", path);
        if (status == CLI_DONE && !warnings)
            fprintf(stderr, "ok\n");
        else if (status == CLI_DONE)
            fprintf(stderr, "ok, %zu warning%s\n", warnings, warnings == 1 ? "" : "s");
        else
            fprintf(stderr, "%zu error%s\n", errors, errors == 1 ? "" : "s");
    }
    tsr_module_free(m);
    return status;
}

static int run_check(const struct cli_command *self, int argc, char **argv)
{
    struct cli_args args = {.command = self, .argc = argc, .argv = argv};
    const char *value = NULL;
    bool json = false;
    int id, status = CLI_DONE, files = 0;
    while ((id = cli_next(&args, &value)) != CLI_ARG_END) {
        if (id == CLI_ARG_BAD) return CLI_BAD_COMMAND;
        if (id == CLI_ARG_HELP) return cli_close_stdout(CLI_DONE);
        if (id == ARG_json)
            json = true;
        else
            argv[files++] = (char *)value; /* the files move to the front */
    }
    if (files == 0) {
        cli_error("which programs? tessera check FILE...; see `tessera check --help`");
        return CLI_BAD_COMMAND;
    }
    json_t *list = json ? json_array() : NULL;
    for (int i = 0; i < files; i++) {
        int one = check_file(argv[i], list);
        if (one > status) status = one;
    }
    return json ? cli_json_print(list, status) : status;
}

const struct cli_command cli_check = {
    .name = "check",
    .summary = "Check programs and print what is wrong with them.",
    .usage = "FILE... [options]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .details = "A FILE of - is standard input; one whose name ends in .ir holds tessera's IR as text.\n"
               "Exit status 1: some program has errors. 3: some file could not be read.\n",
    .examples = "  tessera check kernel.wgsl\n  tessera check --json *.wgsl\n  generate | tessera check -\n",
    .run = run_check,
};
