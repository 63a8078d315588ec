/* `tessera compile`: a program in another form. */
#include "cli.h"

#include <string.h>

enum { ARG_to = 1, ARG_out };
static const struct cli_option options[] = {
    {"to", "TARGET", "What to make: ir (tessera's intermediate form as text).", ARG_to},
    {"o", "FILE", "Where to write it (default: standard output).", ARG_out},
};

static int write_text(const char *text, const char *path)
{
    struct cli_output out = {.path = path, .data = text, .data_bytes = strlen(text)};
    if (path) return cli_write_outputs(&out, 1);
    fputs(text, stdout);
    return cli_close_stdout(CLI_DONE);
}

static int compile_to_ir(const char *path, const char *out)
{
    tsr_module *m;
    int status = cli_load(path, true, &m, NULL);
    if (status == CLI_DONE) {
        const char *text = tsr_module_ir_text(m);
        status = text ? write_text(text, out) : cli_fail(TSR_ERR_MEMORY);
    }
    tsr_module_free(m);
    return status;
}

static int run_compile(const struct cli_command *self, int argc, char **argv)
{
    struct cli_args args = {.command = self, .argc = argc, .argv = argv};
    const char *value = NULL, *path = NULL, *to = NULL, *out = NULL;
    for (int id; (id = cli_next(&args, &value)) != CLI_ARG_END;) {
        if (id == CLI_ARG_BAD) return CLI_BAD_COMMAND;
        if (id == CLI_ARG_HELP) return cli_close_stdout(CLI_DONE);
        if (id == ARG_to) {
            to = value;
        } else if (id == ARG_out) {
            out = value;
        } else if (path) {
            cli_error("%s: one program at a time; %s was given already", value, path);
            return CLI_BAD_COMMAND;
        } else {
            path = value;
        }
    }
    if (!path || !to) {
        cli_error(path ? "--to is missing; there is --to ir" : "which program? see `tessera compile --help`");
        return CLI_BAD_COMMAND;
    }
    if (strcmp(to, "ir") != 0) {
        cli_error("there is no target \"%s\"; there is --to ir", to);
        return CLI_BAD_COMMAND;
    }
    int status = out ? cli_check_output(out) : CLI_DONE;
    return status == CLI_DONE ? compile_to_ir(path, out) : status;
}

const struct cli_command cli_compile = {
    .name = "compile",
    .summary = "Check a program and print it in another form.",
    .usage = "FILE --to TARGET [-o OUT]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .details = "A FILE of - is standard input; one whose name ends in .ir holds tessera's IR as text.\n",
    .examples = "  tessera compile kernel.wgsl --to ir\n  tessera compile kernel.wgsl --to ir -o kernel.ir\n",
    .run = run_compile,
};
