/* What was compiled once, on disk, one file each, named by the key. A file is written under another name and renamed,
 * so that readers and other writers see it whole or not at all; a checksum over everything tells a damaged one. All
 * failures mean "not there".
 *
 *   TSR_CACHE, else XDG_CACHE_HOME/tessera, else HOME/.cache/tessera. TSR_CACHE=off: no cache. */
#include "base/cache.h"

#include "base/map.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC     UINT64_C(0x3163726a72737374) /* "tssrjrc1" */
#define BYTES_MAX (UINT64_C(1) << 28)
#define PATH_MAX_ 3800

typedef struct header {
    uint64_t magic;
    tsr_cache_key key;
    uint64_t bytes, checksum;
} header;

static bool find_folder(char *out, size_t bytes)
{
    const char *own = getenv("TSR_CACHE"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int n;
    if (own && *own) {
        if (strcmp(own, "off") == 0) return false;
        n = snprintf(out, bytes, "%s", own);
    } else if (xdg && *xdg == '/') {
        n = snprintf(out, bytes, "%s/tessera", xdg);
    } else if (home && *home == '/') {
        n = snprintf(out, bytes, "%s/.cache/tessera", home);
    } else {
        return false;
    }
    return n > 0 && (size_t)n < bytes;
}

static void make_folders(char *path)
{
    for (char *p = path + 1; *p; p++) {
        if (*p != '/') continue;
        *p = 0;
        (void)mkdir(path, 0777);
        *p = '/';
    }
    (void)mkdir(path, 0777);
}

static void name_file(char *out, size_t bytes, const char *folder, const char *kind, tsr_cache_key key)
{
    snprintf(out, bytes, "%s/%016" PRIx64 "%016" PRIx64 ".%s", folder, key.part[0], key.part[1], kind);
}

static uint64_t check_sum(const header *h, const unsigned char *data)
{
    return tsr_hash_bytes(data, (size_t)h->bytes, h->key.part[0] ^ h->key.part[1] ^ h->bytes);
}

static bool read_all(int fd, void *to, size_t bytes)
{
    unsigned char *p = to;
    while (bytes > 0) {
        ssize_t n = read(fd, p, bytes);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        p += n;
        bytes -= (size_t)n;
    }
    return true;
}

static bool write_all(int fd, const void *from, size_t bytes)
{
    const unsigned char *p = from;
    while (bytes > 0) {
        ssize_t n = write(fd, p, bytes);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        p += n;
        bytes -= (size_t)n;
    }
    return true;
}

unsigned char *tsr_cache_read(const char *kind, tsr_cache_key key, size_t *bytes)
{
    char folder[PATH_MAX_], path[PATH_MAX_ + 64];
    header h;
    if (!find_folder(folder, sizeof folder)) return NULL;
    name_file(path, sizeof path, folder, kind, key);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe of that name must not hold us up */
    if (fd < 0) return NULL;
    unsigned char *data = NULL;
    bool ok = read_all(fd, &h, sizeof h) && h.magic == MAGIC && h.key.part[0] == key.part[0] &&
              h.key.part[1] == key.part[1] && h.bytes <= BYTES_MAX;
    if (ok) data = malloc((size_t)h.bytes + 1);
    ok = ok && data && read_all(fd, data, (size_t)h.bytes) && check_sum(&h, data) == h.checksum;
    close(fd);
    if (!ok) {
        free(data);
        return NULL;
    }
    *bytes = (size_t)h.bytes;
    return data;
}

void tsr_cache_write(const char *kind, tsr_cache_key key, const unsigned char *data, size_t bytes)
{
    char folder[PATH_MAX_], path[PATH_MAX_ + 64], own[PATH_MAX_ + 96];
    if (bytes > BYTES_MAX || !find_folder(folder, sizeof folder)) return;
    make_folders(folder);
    name_file(path, sizeof path, folder, kind, key);
    snprintf(own, sizeof own, "%s/.new-XXXXXX", folder);
    int fd = mkstemp(own);
    if (fd < 0) return;
    header h = {.magic = MAGIC, .key = key, .bytes = bytes};
    h.checksum = check_sum(&h, data);
    bool ok = write_all(fd, &h, sizeof h) && write_all(fd, data, bytes);
    ok = close(fd) == 0 && ok;
    if (!ok || rename(own, path) != 0) (void)unlink(own);
}
