/* `tessera version`. */
#include "cli.h"

static int run_version(const struct cli_command *self, int argc, char **argv)
{
    struct cli_args args = {.command = self, .argc = argc, .argv = argv};
    const char *value = NULL;
    int id = cli_next(&args, &value);
    if (id == CLI_ARG_HELP) return cli_close_stdout(CLI_DONE);
    if (id != CLI_ARG_END) {
        if (id != CLI_ARG_BAD) cli_error("%s: `tessera version` takes nothing", value);
        return CLI_BAD_COMMAND;
    }
    printf("tessera %s\n", tsr_version());
    return cli_close_stdout(CLI_DONE);
}

const struct cli_command cli_version = {
    .name = "version",
    .summary = "Print the version.",
    .usage = "",
    .examples = "  tessera version\n",
    .run = run_version,
};
