/* `tessera check`: what its files share. */
#ifndef CLI_CHECK_H
#define CLI_CHECK_H

#include "profile.h"
#include "run.h"
#include "sarif.h"

struct json_t;

/* The command line. */
struct check_args {
    struct cli_paths files;
    const char *on, *profile_file, *sarif_path;
    bool json, budget, strict;
    char **data; /* options of `tessera run` for every file: --entry, --set, --bind, --dispatch, ... */
    int data_count;
    tsr_profiles *profiles;
    size_t *devices; /* indices of profiles */
    size_t device_count;
};

/* check_variant.c: a kernel whose first lines name the numbers of its shape, made again for each device. */
struct check_variant {
    char name[3][32];  /* of m, n and k */
    tsr_config config; /* its types; the shape does not count */
};
struct check_made {
    bool chosen; /* false: the device lists nothing for these types, and the program stays as it is */
    tsr_config config;
    tsr_module *module; /* the caller's */
    tsr_override_value sets[3];
    size_t set_count;
};
/* *found: the file has such a line. CLI_BAD_INPUT, with a message, when it is not as it must be. */
int check_find_variant(const char *file, const struct cli_bytes *source, struct check_variant *v, bool *found);
int check_make_variant(const struct check_variant *v, const char *file, const struct cli_bytes *source,
                       const tsr_module *m, const tsr_support *support, struct check_made *out);

/* One kernel on one device. */
struct check_cell {
    tsr_fit_report *report;
    tsr_fit fit;
    bool differs;
    uint64_t oob_matrix; /* matrix accesses that leave their array, when it was run */
    tsr_place first_oob;
    bool failed; /* it could not be judged: said already */
    bool chosen; /* the shape was chosen for this device */
    tsr_config config;
    tsr_budget budget;      /* in the shape that was chosen */
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
    uint32_t error_number;   /* of the first error that was shown, 0: none */
    int status;
};

/* One file, compiled. */
struct check_program {
    const char *file;
    const tsr_module *module;
    const struct cli_bytes *source;
    const struct run_args *data;         /* the options that hold for it */
    const struct check_variant *variant; /* NULL: as it is written */
};

/* check_on.c: judges the compute entry points of a program on every device and adds them to the kernels. */
int check_judge(struct check_state *s, const struct check_program *p);
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
