/* Results in the form that code scanning services read: SARIF 2.1.0 (OASIS standard). */
#ifndef CLI_SARIF_H
#define CLI_SARIF_H

#include "cli.h"

struct cli_sarif;

/* NULL when there is no memory. */
struct cli_sarif *cli_sarif_new(void);
void cli_sarif_free(struct cli_sarif *s);
/* One result; number 0: that results differ. `rule` may be NULL; `level`: "error", "warning", "note", or "open" for
 * what could not be decided. */
void cli_sarif_add(struct cli_sarif *s, unsigned number, const char *rule, const char *level, const char *message,
                   const char *file, tsr_place place);
/* Diagnostics of a module. */
void cli_sarif_add_module(struct cli_sarif *s, const char *file, const tsr_module *m);
/* Writes the log to a file, "-": standard output. An exit status. */
int cli_sarif_write(struct cli_sarif *s, const char *path, int exit_status);

#endif
