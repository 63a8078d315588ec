/* Device profiles on the command line: see profile.h. */
#include "profile.h"

#include <stdlib.h>
#include <string.h>

#define PROFILE_BYTES_MAX (UINT64_C(17) << 20) /* tsr_profiles_load takes 16 MiB */
enum { NAME_BYTES = 64 };

int cli_profiles_load(const char *file, tsr_profiles **out)
{
    struct cli_bytes bytes = {0};
    if (file) {
        int status = cli_read_file(file, CLI_TEXT, PROFILE_BYTES_MAX, &bytes);
        if (status != CLI_DONE) return status;
    }
    tsr_status st = tsr_profiles_load((const char *)bytes.data, bytes.size_bytes, file, out);
    free(bytes.data);
    return st == TSR_OK ? CLI_DONE : cli_fail(st);
}

/* The next name before a comma, without "profile:". False at the end. */
static bool take_name(const char **at, char name[NAME_BYTES])
{
    static const char prefix[] = "profile:";
    if (!**at) return false;
    size_t len = strcspn(*at, ","), skip = strncmp(*at, prefix, sizeof prefix - 1) == 0 ? sizeof prefix - 1 : 0;
    if (skip > len) skip = 0;
    snprintf(name, NAME_BYTES, "%.*s", (int)(len - skip > NAME_BYTES - 1 ? NAME_BYTES - 1 : len - skip), *at + skip);
    *at += len + ((*at)[len] == ',');
    return true;
}

static size_t list_all(const tsr_profiles *p, bool from_file, size_t *list)
{
    size_t n = 0;
    tsr_profile_info info;
    for (size_t i = 0; i < tsr_profiles_count(p); i++) {
        tsr_profiles_get(p, i, &info);
        if (from_file || info.kind == TSR_PROFILE_DEVICE) list[n++] = i;
    }
    return n;
}

int cli_profiles_choose(const tsr_profiles *p, const char *names, bool from_file, size_t **list, size_t *count)
{
    char name[NAME_BYTES];
    size_t most = tsr_profiles_count(p) + strlen(names) + 1;
    *count = 0;
    *list = calloc(most, sizeof **list);
    if (!*list) {
        cli_error("out of memory");
        return CLI_ENVIRONMENT;
    }
    if (strcmp(names, "all") == 0) {
        *count = list_all(p, from_file, *list);
        return CLI_DONE;
    }
    while (take_name(&names, name)) {
        if (tsr_profiles_find(p, name, &(*list)[*count]) != TSR_OK) {
            cli_error("%s", tsr_last_error());
            return CLI_BAD_COMMAND;
        }
        ++*count;
    }
    return CLI_DONE;
}

void cli_print_sizes(const uint32_t *sizes, size_t count, FILE *to)
{
    for (size_t i = 0; i < count; i++)
        fprintf(to, "%s%u", i ? ", " : "", (unsigned)sizes[i]);
    if (count == 0) fputs("unknown", to);
}

const char *cli_knowledge_name(tsr_knowledge k)
{
    return k == TSR_COMPLETE ? "complete" : k == TSR_PARTIAL ? "partial" : "unknown";
}
