/* Device profiles on the command line: the set (those that ship, or a file's) and names in it. */
#ifndef CLI_PROFILE_H
#define CLI_PROFILE_H

#include "cli.h"

/* FILE NULL: those that ship. CLI_DONE, or an exit status after a message. */
int cli_profiles_load(const char *file, tsr_profiles **out);

/* "all" (devices only: no instruction sets, no prototypes; of a file, all), or names with commas between them, each
 * with or without "profile:". *list is malloc's. */
int cli_profiles_choose(const tsr_profiles *p, const char *names, bool from_file, size_t **list, size_t *count);

/* "16, 32" or "unknown". */
void cli_print_sizes(const uint32_t *sizes, size_t count, FILE *to);
const char *cli_knowledge_name(tsr_knowledge k);

#endif
