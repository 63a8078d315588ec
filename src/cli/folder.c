/* Programs below a folder, by name, in the same order everywhere. */
#include "cli.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DEPTH_MAX = 64 };

static int add_path(struct cli_paths *p, char *path)
{
    if (p->count == p->cap) {
        size_t cap = p->cap ? p->cap * 2 : 16;
        char **more = realloc(p->paths, cap * sizeof *more);
        if (!more) {
            free(path);
            cli_error("no memory for the names of files");
            return CLI_ENVIRONMENT;
        }
        p->paths = more;
        p->cap = cap;
    }
    p->paths[p->count++] = path;
    return CLI_DONE;
}

static bool ends_with(const char *s, const char *end)
{
    size_t len = strlen(s), end_len = strlen(end);
    return len > end_len && strcmp(s + len - end_len, end) == 0;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Paths of what is in the folder, sorted; hidden entries are passed over. */
static int read_folder(const char *folder, struct cli_paths *entries)
{
    DIR *dir = opendir(folder);
    const struct dirent *e;
    int status = CLI_DONE;
    if (!dir) {
        cli_error("cannot read %s: %s", folder, strerror(errno));
        return CLI_ENVIRONMENT;
    }
    while (status == CLI_DONE && (e = readdir(dir)) != NULL) {
        if (e->d_name[0] == '.') continue;
        size_t len = strlen(folder), room = len + strlen(e->d_name) + 2;
        char *path = malloc(room);
        if (path) snprintf(path, room, "%s%s%s", folder, len && folder[len - 1] == '/' ? "" : "/", e->d_name);
        status = path ? add_path(entries, path) : CLI_ENVIRONMENT;
    }
    closedir(dir);
    if (entries->count > 1) qsort(entries->paths, entries->count, sizeof *entries->paths, compare_names);
    return status;
}

/* As deep as DEPTH_MAX. Links to folders are not followed: they may lead back. */
static int add_folder(const char *folder, int depth, struct cli_paths *out)
{
    struct cli_paths entries = {0};
    struct stat st;
    int status = read_folder(folder, &entries);
    for (size_t i = 0; status == CLI_DONE && i < entries.count; i++) {
        const char *path = entries.paths[i];
        if (lstat(path, &st) != 0) continue;
        if (S_ISDIR(st.st_mode) && depth < DEPTH_MAX) status = add_folder(path, depth + 1, out);
        if (S_ISDIR(st.st_mode) || !ends_with(path, ".wgsl")) continue;
        status = add_path(out, entries.paths[i]);
        entries.paths[i] = NULL;
    }
    cli_paths_free(&entries);
    return status;
}

int cli_paths_add(struct cli_paths *p, const char *path)
{
    struct stat st;
    size_t before = p->count;
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
        int status = add_folder(path, 0, p);
        if (status == CLI_DONE && p->count == before) {
            cli_error("%s: there is no file NAME.wgsl below this folder", path);
            return CLI_BAD_INPUT;
        }
        return status;
    }
    char *copy = strdup(path);
    return copy ? add_path(p, copy) : CLI_ENVIRONMENT;
}

void cli_paths_free(struct cli_paths *p)
{
    for (size_t i = 0; i < p->count; i++)
        free(p->paths[i]);
    free(p->paths);
    *p = (struct cli_paths){0};
}
