/* The command `tessera`: finds the subcommand and hands over. Exit status: 0 done, 1 bad input or a negative verdict,
 * 2 wrong command line, 3 the environment (files, disk, memory, drivers). */
#include "cli/cli.h"

#include <signal.h>
#include <string.h>

static const struct cli_command *const commands[] = {&cli_run,    &cli_check,  &cli_compile, &cli_reflect, &cli_devices,
                                                     &cli_layout, &cli_verify, &cli_explain, &cli_version};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static void print_usage(FILE *to)
{
    fprintf(to, "tessera: matrix kernels, written once in WGSL, run and checked everywhere\n\n"
                "Usage: tessera COMMAND ...\n\nCommands:\n");
    for (int i = 0; i < COMMAND_COUNT; i++)
        fprintf(to, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
    fprintf(to, "\n`tessera COMMAND --help` tells more about each.\n\nExamples:\n"
                "  tessera check kernel.wgsl\n"
                "  tessera run kernel.wgsl --bind 0,0=in.npy --dispatch 16 --out 0,0=out.npy\n"
                "\nExit status: 0 done, 1 bad input or a negative verdict, 2 wrong command line, 3 the environment.\n");
}

static const struct cli_command *find_command(const char *name)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i]->name, name) == 0) return commands[i];
    return NULL;
}

static int fail_command(const char *name)
{
    const char *names[COMMAND_COUNT];
    for (int i = 0; i < COMMAND_COUNT; i++)
        names[i] = commands[i]->name;
    const char *near = cli_suggest(name, names, COMMAND_COUNT);
    if (near)
        cli_error("there is no command %s; did you mean %s?", name, near);
    else
        cli_error("there is no command %s; see `tessera --help`", name);
    return CLI_BAD_COMMAND;
}

int main(int argc, char **argv)
{
    setvbuf(stderr, NULL, _IOLBF, BUFSIZ); /* a message is one write, not one per character */
    signal(SIGXFSZ, SIG_IGN);              /* a file size limit becomes an error of write() like a full disk */
    if (argc < 2) {
        print_usage(stderr);
        return CLI_BAD_COMMAND;
    }
    const char *name = argv[1];
    bool is_help = strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0;
    const struct cli_command *command = is_help && argc > 2 ? find_command(argv[2]) : find_command(name);
    if (is_help && argc > 2 && command) {
        cli_print_help(command, stdout);
        return cli_close_stdout(CLI_DONE);
    }
    if (is_help && argc > 2) return fail_command(argv[2]);
    if (is_help) {
        print_usage(stdout);
        return cli_close_stdout(CLI_DONE);
    }
    if (strcmp(name, "--version") == 0) command = &cli_version;
    return command ? command->run(command, argc - 2, argv + 2) : fail_command(name);
}
