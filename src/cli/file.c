/* Files: read whole, written all or none. */
#ifdef __linux__
#define _DEFAULT_SOURCE /* MADV_HUGEPAGE */
#endif
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

enum { FIRST_BYTES = 65536, HUGE_PAGE_BYTES = 2 * 1024 * 1024 };

/* ---- Reading --------------------------------------------------------------------------------------------------- */

static int fail_path(const char *what, const char *path, int error)
{
    cli_error("cannot %s %s: %s", what, path, strerror(error));
    return CLI_ENVIRONMENT;
}

/* Room for a long file lies in large pages where there are some: one fault each instead of 512. */
static void *allocate(size_t cap)
{
    if (cap < HUGE_PAGE_BYTES || cap > SIZE_MAX - HUGE_PAGE_BYTES) return malloc(cap);
    size_t whole = (cap + HUGE_PAGE_BYTES - 1) / HUGE_PAGE_BYTES * HUGE_PAGE_BYTES;
    void *room = aligned_alloc(HUGE_PAGE_BYTES, whole);
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (room) madvise(room, whole, MADV_HUGEPAGE);
#endif
    return room;
}

/* Whether data[0, n), of which the last `got` bytes are new, can be what the file is to hold. */
static bool can_be(enum cli_content content, const unsigned char *data, size_t n, size_t got)
{
    static const char npy[] = "\x93NUMPY";
    if (content == CLI_TEXT) return memchr(data + n - got, 0, got) == NULL;
    return content != CLI_NPY || n < sizeof npy - 1 || memcmp(data, npy, sizeof npy - 1) == 0;
}

/* Reads until the end or one byte more than `most`; grows as it goes, since a pipe has no size. */
static int read_all(int fd, const char *path, enum cli_content content, uint64_t most, size_t expected,
                    struct cli_bytes *out)
{
    size_t cap = expected + 2 > FIRST_BYTES ? expected + 2 : FIRST_BYTES, n = 0;
    unsigned char *data = allocate(cap);
    for (;;) {
        if (!data) {
            cli_error("no memory to read %s", path);
            return CLI_ENVIRONMENT;
        }
        ssize_t got = read(fd, data + n, cap - n - 1);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) {
            free(data);
            return fail_path("read", path, errno);
        }
        n += (size_t)got;
        if (got == 0 || !can_be(content, data, n, (size_t)got)) break;
        if (n > most) {
            free(data);
            cli_error("%s is larger than %llu bytes", path, (unsigned long long)most);
            return CLI_BAD_INPUT;
        }
        if (cap - n < 2) {
            unsigned char *more = cap > SIZE_MAX / 2 ? NULL : realloc(data, cap *= 2);
            if (!more) free(data);
            data = more;
        }
    }
    data[n] = 0;
    *out = (struct cli_bytes){.data = data, .size_bytes = n};
    return CLI_DONE;
}

int cli_read_file(const char *path, enum cli_content content, uint64_t most_bytes, struct cli_bytes *out)
{
    struct stat st;
    bool is_stdin = strcmp(path, "-") == 0;
    int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY);
    if (fd < 0) return fail_path("open", path, errno);
    size_t expected = 0;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
        if ((uint64_t)st.st_size > most_bytes) {
            if (!is_stdin) close(fd);
            cli_error("%s is larger than %llu bytes", path, (unsigned long long)most_bytes);
            return CLI_BAD_INPUT;
        }
        expected = (size_t)st.st_size;
    }
    int status = read_all(fd, is_stdin ? "standard input" : path, content, most_bytes, expected, out);
    if (!is_stdin) close(fd);
    return status;
}

/* ---- Writing --------------------------------------------------------------------------------------------------- */

/* The folder of a path; malloc. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t len = slash ? (size_t)(slash - path) : 0;
    char *folder = malloc(len + 2);
    if (!folder) return NULL;
    if (!slash)
        strcpy(folder, ".");
    else if (len == 0)
        strcpy(folder, "/");
    else
        memcpy(folder, path, len), folder[len] = 0;
    return folder;
}

/* Where a path leads: through links when the file is there, else its real folder and its own name. malloc. */
static char *resolve(const char *path)
{
    char *real = realpath(path, NULL);
    if (real) return real;
    char *folder = folder_of(path);
    char *real_folder = folder ? realpath(folder, NULL) : NULL;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (real_folder) {
        real = malloc(strlen(real_folder) + strlen(name) + 2);
        if (real) sprintf(real, "%s/%s", strcmp(real_folder, "/") == 0 ? "" : real_folder, name);
    }
    free(folder);
    free(real_folder);
    return real;
}

bool cli_same_file(const char *a, const char *b)
{
    if (strcmp(a, b) == 0) return true;
    char *x = resolve(a), *y = resolve(b);
    bool same = x && y && strcmp(x, y) == 0;
    free(x);
    free(y);
    return same;
}

int cli_check_output(const char *path)
{
    struct stat st;
    if (stat(path, &st) == 0) {
        if (S_ISDIR(st.st_mode)) return fail_path("write", path, EISDIR);
        if (!S_ISREG(st.st_mode)) return access(path, W_OK) == 0 ? CLI_DONE : fail_path("write", path, errno);
    }
    char *target = resolve(path), *folder = target ? folder_of(target) : NULL;
    int error = !target ? errno : !folder ? ENOMEM : access(folder, W_OK | X_OK) == 0 ? 0 : errno;
    free(target);
    free(folder);
    return error ? fail_path("write", path, error) : CLI_DONE;
}

static bool write_all(int fd, const void *data, size_t size)
{
    const char *at = data;
    while (size > 0) {
        ssize_t n = write(fd, at, size);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

static mode_t mode_of(const char *target)
{
    struct stat st;
    if (stat(target, &st) == 0) return st.st_mode & 07777;
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* Fills in target and special, and opens where the bytes go first; -1 with errno. */
static int open_output(struct cli_output *o)
{
    struct stat st;
    o->target = resolve(o->path);
    if (!o->target) return -1;
    o->special = stat(o->target, &st) == 0 && !S_ISREG(st.st_mode);
    if (o->special) return open(o->target, O_WRONLY);
    o->temp = malloc(strlen(o->target) + sizeof ".tmp-XXXXXX");
    if (!o->temp) return -1;
    sprintf(o->temp, "%s.tmp-XXXXXX", o->target);
    int fd = mkstemp(o->temp);
    if (fd < 0) {
        int error = errno;
        free(o->temp);
        o->temp = NULL;
        errno = error;
    }
    return fd;
}

static int write_output(struct cli_output *o)
{
    int fd = open_output(o);
    if (fd < 0) return fail_path("write", o->path, errno);
    bool good = write_all(fd, o->head, o->head_bytes) && write_all(fd, o->data, o->data_bytes);
    if (good && !o->special) good = fchmod(fd, mode_of(o->target)) == 0 && fsync(fd) == 0;
    int error = good ? 0 : errno;
    if (close(fd) != 0 && !error) error = errno; /* network file systems report a full disk here */
    return error ? fail_path("write", o->path, error) : CLI_DONE;
}

/* A rename is only sure to last once its folder is on the disk. Some file systems cannot do that: not an error. */
static void sync_folder(const char *target)
{
    char *folder = folder_of(target);
    int fd = folder ? open(folder, O_RDONLY) : -1;
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    free(folder);
}

static int rename_output(struct cli_output *o)
{
    if (!o->temp) return CLI_DONE;
    if (rename(o->temp, o->target) != 0) return fail_path("replace", o->path, errno);
    o->renamed = true;
    sync_folder(o->target);
    return CLI_DONE;
}

static void forget_outputs(struct cli_output *outputs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (outputs[i].temp && !outputs[i].renamed) unlink(outputs[i].temp);
        free(outputs[i].temp);
        free(outputs[i].target);
        outputs[i].temp = outputs[i].target = NULL;
    }
}

int cli_write_outputs(struct cli_output *outputs, size_t count)
{
    int status = CLI_DONE;
    for (size_t i = 0; i < count && status == CLI_DONE; i++)
        status = write_output(&outputs[i]);
    for (size_t i = 0; i < count && status == CLI_DONE; i++)
        status = rename_output(&outputs[i]);
    forget_outputs(outputs, count);
    return status;
}
