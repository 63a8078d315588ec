/* The command `tessera`: what its subcommands share. It is a client of the public API and includes nothing else of the
 * library. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "tessera.h"

#include <stdarg.h>
#include <stdio.h>

#if defined(__GNUC__) || defined(__clang__)
#define CLI_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define CLI_PRINTF(fmt, args)
#endif

/* Exit status of the command (docs/design.md, section 11). */
enum cli_exit {
    CLI_DONE = 0,
    CLI_BAD_INPUT = 1,   /* or a negative verdict */
    CLI_BAD_COMMAND = 2, /* the command line */
    CLI_ENVIRONMENT = 3  /* files, disk, memory, drivers */
};

/* ---- Command lines (args.c) */

struct cli_option {
    const char *name;  /* without the dashes; a one-letter name is also taken after a single dash */
    const char *value; /* as shown in help: "NAME=V"; NULL: a switch */
    const char *help;
    int id; /* from 1 */
};

struct cli_command {
    const char *name, *summary;
    const char *usage;    /* after "tessera NAME " */
    const char *details;  /* paragraphs after the options; may be NULL */
    const char *examples; /* lines of "  tessera ..." */
    const struct cli_option *options;
    size_t option_count;
    int (*run)(const struct cli_command *self, int argc, char **argv);
};

enum { CLI_ARG_END = 0, CLI_ARG_POSITIONAL = -1, CLI_ARG_HELP = -2, CLI_ARG_BAD = -3 };

struct cli_args {
    const struct cli_command *command;
    int argc, at;
    char **argv;
    bool only_positional; /* after "--" */
};

/* The next argument: an option's id (its value in *value), or CLI_ARG_...; BAD was reported, HELP was printed. */
int cli_next(struct cli_args *a, const char **value);
void cli_print_help(const struct cli_command *c, FILE *to);
/* The nearest of `count` names, NULL when none is near. */
const char *cli_suggest(const char *word, const char *const *names, size_t count);
/* Whole texts only. cli_parse_number takes what strtod takes, and true and false. */
bool cli_parse_u64(const char *s, size_t len, uint64_t *out);
bool cli_parse_number(const char *s, size_t len, double *out);

extern const struct cli_command cli_run, cli_compile, cli_check, cli_reflect, cli_devices, cli_layout, cli_verify,
    cli_explain, cli_version;

/* ---- Messages (message.c) */

/* "tessera: error: ...", with colour on a terminal. */
void cli_error(const char *fmt, ...) CLI_PRINTF(1, 2);
void cli_warning(const char *fmt, ...) CLI_PRINTF(1, 2);
/* Reports tsr_last_error() and returns the exit status that goes with it. */
int cli_fail(tsr_status st);
/* Standard error is a terminal, and NO_COLOR is not set (https://no-color.org). */
bool cli_use_color(void);
/* Closes standard output; CLI_ENVIRONMENT after a message when something of it could not be written. */
int cli_close_stdout(int exit_status);

/* ---- JSON (message.c); jansson's types stay out of this header. */
struct json_t;
/* A string in valid UTF-8: bytes that are not become U+FFFD. */
struct json_t *cli_json_text(const char *s);
/* Prints to standard output and frees. */
int cli_json_print(struct json_t *root, int exit_status);
struct json_t *cli_json_diagnostics(const tsr_module *m);

/* ---- Files and programs (file.c, source.c) */

struct cli_bytes {
    unsigned char *data; /* malloc, with a NUL behind it */
    size_t size_bytes;
};
/* What a file is to hold. When it cannot be that, reading ends after the piece that shows it: what reads the bytes says
 * what is wrong, and a file without end (a device, a pipe) takes no memory. */
enum cli_content { CLI_TEXT /* no NUL */, CLI_NPY /* begins as .npy files do */, CLI_BYTES };
/* The whole of a file, "-": standard input. CLI_DONE, or CLI_ENVIRONMENT / CLI_BAD_INPUT after a message. */
int cli_read_file(const char *path, enum cli_content content, uint64_t most_bytes, struct cli_bytes *out);

/* folder.c: paths of programs. A folder stands for every NAME.wgsl below it, hidden ones apart. Free it in any case. */
struct cli_paths {
    char **paths;
    size_t count, cap;
};
int cli_paths_add(struct cli_paths *p, const char *path);
void cli_paths_free(struct cli_paths *p);

/* Reads and compiles; diagnostics go to standard error when `show`. A name that ends in ".ir" holds IR text. With
 * CLI_DONE and CLI_BAD_INPUT *out is the module, which may be NULL for the latter. `source` keeps the text when it is
 * not NULL: the caller frees it. */
int cli_load(const char *path, bool show, tsr_module **out, struct cli_bytes *source);
/* Prints lines of the form "NAME:LINE:COLUMN: KIND: text" to standard error, each with the source line and a caret, as
 * diagnostics are printed; lines of other forms as they are. */
void cli_show_lines(const char *lines, const struct cli_bytes *source);

/* Outputs: all temporary files are written first, beside their targets, then all are renamed; when something fails, no
 * target has changed. */
struct cli_output {
    const char *path;
    const void *head, *data; /* written one after the other */
    size_t head_bytes, data_bytes;
    char *target, *temp; /* file.c's own */
    bool special;        /* a device or pipe: written directly */
    bool renamed;
};
/* Whether the folder of a target can be written to, before a long run. Message and CLI_ENVIRONMENT when it cannot. */
int cli_check_output(const char *path);
/* Whether both name one file. */
bool cli_same_file(const char *a, const char *b);
int cli_write_outputs(struct cli_output *outputs, size_t count);

#endif
