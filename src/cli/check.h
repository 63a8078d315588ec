/* `tessera check`: what its files share. */
#ifndef CLI_CHECK_H
#define CLI_CHECK_H

#include "profile.h"
#include "run.h"
#include "sarif.h"

struct json_t;

/* The command line. */
struct check_args {
    char **files;
    int file_count;
    const char *on, *profile_file, *sarif_path;
    bool json, budget, strict;
    char **data; /* options of `tessera run` for every file: --entry, --set, --bind, --dispatch, ... */
    int data_count;
    tsr_profiles *profiles;
    size_t *devices; /* indices of profiles */
    size_t device_count;
};

/* One kernel on one device. */
struct check_cell {
    tsr_fit_report *report;
    tsr_fit fit;
    bool differs;
    char differs_text[240]; /* what differs, "" when it was not run or nothing does */
    char ran_text[80];      /* at which sizes it was run and compared; "" when it was not */
};

/* One entry point. */
struct check_kernel {
    const char *file;
    char *entry; /* malloc */
    tsr_budget budget;
    struct check_cell *cells; /* by device */
};

struct check_state {
    const struct check_args *args;
    struct check_kernel *kernels;
    size_t kernel_count, kernel_cap;
    struct json_t *list;     /* NULL: text */
    struct cli_sarif *sarif; /* NULL: none */
    int status;
};

/* check_on.c: judges the compute entry points of a module on every device and adds them to the kernels; `data` are the
 * options that hold for this file. */
int check_judge(struct check_state *s, const char *file, const tsr_module *m, const struct cli_bytes *source,
                const struct run_args *data);
/* Exit status of the verdicts: refused and differing kernels, and with `strict` unknown ones, make it CLI_BAD_INPUT. */
int check_verdict(const struct check_state *s);

/* check_report.c */
void check_print_budgets(const struct check_state *s, size_t first);
void check_print_table(const struct check_state *s);
void check_report_sarif(const struct check_state *s);
struct json_t *check_json_kernels(const struct check_state *s, size_t first);

/* check_data.c: the options in the file's first lines ("//! check --bind ..."), then those of the command line. *found:
 * there are any. run_args_fini frees `out`; *words too is the caller's to free. */
int check_find_data(const struct check_args *a, const char *file, const struct cli_bytes *source, struct run_args *out,
                    char **words, bool *found);
/* Runs a kernel as `device` at each of the sizes, and compares with the CPU's own result. */
int check_compare(const struct check_args *a, const tsr_module *m, const struct run_args *data, const char *entry,
                  const char *device, const uint32_t *sizes, size_t size_count, struct check_cell *cell);

#endif
