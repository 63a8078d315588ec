/* `tessera run`: what its files share. */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "array.h"

struct run_bind {
    uint32_t group, binding;
    const char *spec, *text; /* after the '='; the whole, for messages */
};

struct run_out {
    uint32_t group, binding;
    const char *text;
    struct cli_out_spec spec;
};

/* The command line. Lists are malloc's; strings point into argv. */
struct run_args {
    const char *path, *entry, *device, *profile_file;
    uint32_t subgroup_size, threads;
    double timeout_s;
    uint32_t groups[3];
    bool json, validate, exact_bits;
    uint32_t dump;              /* which forms: run_dump.c */
    tsr_sanitize_args sanitize; /* `expected` is made when the program is known */
    double tolerance;
    tsr_override_value *sets;
    struct run_bind *binds, *expects;
    struct run_out *outs;
    size_t set_count, bind_count, out_count, expect_count;
};

/* `path` is the program, NULL: the arguments name it. CLI_DONE with *help set when help was printed; else an exit
 * status after a message. */
int run_parse(const struct cli_command *self, const char *path, int argc, char **argv, struct run_args *out,
              bool *help);
void run_args_fini(struct run_args *a);

int run_main(const struct cli_command *self, int argc, char **argv);

/* One buffer of the program. */
struct run_slot {
    tsr_binding_info info;
    tsr_buffer *buffer;
};

/* Everything that a run holds. */
struct run_state {
    const struct run_args *args;
    tsr_module *module;
    struct cli_bytes source;
    tsr_device *device;
    tsr_pipeline *pipeline;
    const char *entry;
    struct run_slot *slots;
    size_t slot_count;
    tsr_run_report report;
    tsr_sanitize_args sanitize;
    tsr_expected *expected; /* expect_count, with the arrays behind them */
    struct cli_array *expected_arrays;
    tsr_findings *findings;
};

/* run_report.c: the progress bar (for tsr_dispatch_args), the warnings and the summary. */
struct run_progress {
    struct timespec *started;
    double drawn_s; /* when the bar was last drawn */
    bool shown;
};
bool run_progress_tick(void *user, uint64_t done, uint64_t total);
void run_progress_end(struct run_progress *p);
int run_print_report(const struct run_state *s);

/* run_dump.c: --dump. A list of forms as bits; writes the files. */
int run_parse_dump(const char *list, uint32_t *out);
int run_dump(const struct run_state *s);
/* The file of form number i that was asked for; false: there is no such one. */
bool run_dump_path(const struct run_state *s, unsigned i, char *out, size_t bytes);

/* Whether an array may be the contents of a binding; CLI_DONE, or an exit status after a message. */
int run_check_type(const tsr_binding_info *info, const struct cli_array *a, const char *option);

/* run_sanitize.c: the options and the findings. */
int run_parse_checks(const char *list, uint32_t *out);
int run_parse_oob(const char *name, tsr_oob *out);
bool run_is_watched(const struct run_args *a);
int run_prepare_sanitize(struct run_state *s);
void run_free_sanitize(struct run_state *s);
void run_show_findings(const struct run_state *s);
struct json_t *run_findings_json(const struct run_state *s);

/* run_output.c: reads the buffers that --out names and writes their files, then prints the report. */
int run_write_outputs(struct run_state *s);

#endif
