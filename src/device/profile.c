/* Devices "profile:NAME": the CPU in the place of a device that is not here, from a profile that ships or from a file
 * of the user's. The list of devices does not name them: they are no devices of this machine. */
#include "device/device.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char prefix[] = "profile:";
enum { FIRST_BYTES = 64 * 1024 };
static const size_t file_bytes_max = (size_t)17 << 20; /* tsr_profiles_load takes 16 MiB */

static size_t count_none(void)
{
    return 0;
}

static const char *get_no_name(size_t i)
{
    (void)i;
    return NULL;
}

/* The whole of a file, malloc. */
static tsr_status read_stream(FILE *f, const char *path, char **data, size_t *bytes)
{
    size_t size = FIRST_BYTES, len = 0;
    char *text = malloc(size);
    while (text) {
        len += fread(text + len, 1, size - len, f);
        if (len < size || len > file_bytes_max) break;
        char *more = realloc(text, size *= 2);
        if (!more) free(text);
        text = more;
    }
    if (!text) return tsr_fail(TSR_ERR_MEMORY, "out of memory while reading %s", path);
    if (ferror(f)) {
        free(text);
        return tsr_fail(TSR_ERR_IO, "%s could not be read: %s", path, strerror(errno));
    }
    *data = text;
    *bytes = len;
    return TSR_OK;
}

static tsr_status load_file(const char *path, tsr_profiles **out)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *f = fopen(path, "rb");
    if (!f) return tsr_fail(TSR_ERR_IO, "%s could not be opened: %s", path, strerror(errno));
    tsr_status st = read_stream(f, path, &text, &bytes);
    fclose(f);
    if (st != TSR_OK) return st;
    st = tsr_profiles_load(text, bytes, path, out);
    free(text);
    return st;
}

/* "profile:NAME"; of a file with a single record, "profile:" and "profile" will do. */
static tsr_status find_profile(const tsr_profiles *p, const char *name, size_t *out)
{
    const char *rest = strncmp(name, prefix, sizeof prefix - 1) == 0 ? name + sizeof prefix - 1 : "";
    *out = 0;
    if (!rest[0] && p->count == 1) return TSR_OK;
    if (!rest[0]) return tsr_fail(TSR_ERR_DEVICE, "which profile of %s? write profile:NAME", p->name);
    return tsr_profiles_find(p, rest, out);
}

static tsr_status check_subgroup(const tsr_profile *p, uint32_t wanted)
{
    const tsr_support *s = &p->info.support;
    if (!wanted || !s->subgroup_size_count) return TSR_OK;
    for (size_t i = 0; i < s->subgroup_size_count; i++)
        if (s->subgroup_sizes[i] == wanted) return TSR_OK;
    return tsr_fail_subgroup_size(p->info.name, wanted, s->subgroup_sizes[0],
                                  s->subgroup_sizes[s->subgroup_size_count - 1]);
}

static tsr_status load_profiles(const tsr_device_args *args, tsr_profiles **out)
{
    if (args->profile_json) return tsr_profiles_load(args->profile_json, strlen(args->profile_json), "profile", out);
    return args->profile_file ? load_file(args->profile_file, out) : tsr_profiles_load(NULL, 0, NULL, out);
}

static tsr_status open_profile(const char *name, const tsr_device_args *args, tsr_device **out)
{
    tsr_profiles *profiles;
    size_t which;
    tsr_status st = load_profiles(args, &profiles);
    if (st != TSR_OK) return st;
    st = find_profile(profiles, name, &which);
    if (st == TSR_OK) st = check_subgroup(&profiles->items[which], args->subgroup_size);
    if (st == TSR_OK) st = tsr_cpu_open_profile(profiles, which, args, out);
    if (st != TSR_OK) tsr_profiles_free(profiles);
    return st;
}

/* Opening gives a device of the driver cpu, which does the rest. */
const tsr_driver tsr_profile_driver = {
    .name = "profile", .count = count_none, .device_name = get_no_name, .open = open_profile};
