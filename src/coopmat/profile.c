/* Sets of profiles: loading, finding, and what each means for checks. */
#include "coopmat/profile.h"

#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_BYTES_MAX   (UINT64_C(16) << 20)
#define MEMORY_BYTES_MAX ((size_t)512 << 20) /* a tree is larger than its text */
enum { DEFAULT_SUBGROUP = 32, LEAST_SUBGROUP = 4, MOST_SUBGROUP = 128, SUGGEST_DISTANCE = 3 };

static const char *const kind_names[TSR_PROFILE_KIND_COUNT] = {
    [TSR_PROFILE_DEVICE] = "device",
    [TSR_PROFILE_INSTRUCTION_SET] = "instruction-set",
    [TSR_PROFILE_PROTOTYPE] = "prototype",
};

const char *tsr_profile_kind_name(tsr_profile_kind k)
{
    return (unsigned)k < TSR_PROFILE_KIND_COUNT ? kind_names[k] : "none";
}

/* ---- Loading --------------------------------------------------------------------------------------------------- */

static bool read_text(tsr_profiles *p, const char *json, size_t bytes)
{
    tsr_json_fault fault;
    const tsr_json *root = tsr_json_parse(&p->arena, json, bytes, &fault);
    if (root) return tsr_profiles_read(p, root, json);
    tsr_fail(TSR_ERR_INVALID, "%s:%u:%u: %s", p->name, (unsigned)fault.line, (unsigned)fault.column, fault.text);
    return false;
}

static tsr_status load_guarded(tsr_profiles *p, const char *json, size_t bytes, const char *name)
{
    jmp_buf full;
    p->arena.on_full = &full;
    if (setjmp(full)) return tsr_fail(TSR_ERR_MEMORY, "out of memory while reading device profiles");
    p->name = tsr_arena_strndup(&p->arena, name, strlen(name));
    bool done = read_text(p, json, bytes);
    p->arena.on_full = NULL;
    return done ? TSR_OK : TSR_ERR_INVALID;
}

tsr_status tsr_profiles_load(const char *json, size_t json_bytes, const char *name, tsr_profiles **out)
{
    if (!out) return tsr_fail(TSR_ERR_INVALID, "tsr_profiles_load: out must not be NULL");
    if (!name) name = json ? "<profiles>" : "data/devices.json";
    if (!json) {
        json = (const char *)tsr_profile_data;
        json_bytes = tsr_profile_data_bytes;
    }
    if (json_bytes > FILE_BYTES_MAX) return tsr_fail(TSR_ERR_LIMIT, "%s: more than 16 MiB of profiles", name);
    tsr_profiles *p = calloc(1, sizeof *p);
    if (!p) return tsr_fail(TSR_ERR_MEMORY, "out of memory while reading device profiles");
    tsr_arena_init(&p->arena, NULL);
    p->arena.limit_bytes = MEMORY_BYTES_MAX;
    tsr_status st = load_guarded(p, json, json_bytes, name);
    if (st == TSR_OK)
        *out = p;
    else
        tsr_profiles_free(p);
    return st;
}

void tsr_profiles_free(tsr_profiles *p)
{
    if (!p) return;
    tsr_arena_fini(&p->arena);
    free(p);
}

/* ---- Finding --------------------------------------------------------------------------------------------------- */

size_t tsr_profiles_count(const tsr_profiles *p)
{
    return p->count;
}

tsr_status tsr_profiles_get(const tsr_profiles *p, size_t i, tsr_profile_info *out)
{
    if (i >= p->count) return tsr_fail(TSR_ERR_INVALID, "%s has no profile number %zu", p->name, i);
    *out = p->items[i].info;
    return TSR_OK;
}

const char *tsr_profiles_json(const tsr_profiles *p, size_t i)
{
    return i < p->count ? p->items[i].json : NULL;
}

static const char *find_near(const tsr_profiles *p, const char *name)
{
    const char *best = NULL;
    unsigned least = SUGGEST_DISTANCE + 1;
    for (size_t i = 0; i < p->count; i++) {
        const char *other = p->items[i].info.name;
        unsigned far = tsr_text_distance((tsr_str){name, strlen(name)}, (tsr_str){other, strlen(other)}, least);
        if (far >= least) continue;
        least = far;
        best = other;
    }
    return best;
}

tsr_status tsr_profiles_find(const tsr_profiles *p, const char *name, size_t *out)
{
    for (size_t i = 0; i < p->count; i++) {
        if (strcmp(p->items[i].info.name, name) != 0) continue;
        *out = i;
        return TSR_OK;
    }
    const char *near = find_near(p, name);
    if (near)
        return tsr_fail(TSR_ERR_DEVICE, "%s has no profile \"%.100s\"; did you mean \"%s\"?", p->name, name, near);
    return tsr_fail(TSR_ERR_DEVICE, "%s has no profile \"%.100s\"; `tessera devices --all` lists those that ship",
                    p->name, name);
}

/* ---- What a profile means -------------------------------------------------------------------------------------- */

uint32_t tsr_profile_subgroup_size(const tsr_profile *p)
{
    const tsr_support *s = &p->info.support;
    for (size_t i = s->subgroup_size_count; i-- > 0;)
        if (s->subgroup_sizes[i] >= LEAST_SUBGROUP && s->subgroup_sizes[i] <= MOST_SUBGROUP)
            return s->subgroup_sizes[i];
    return DEFAULT_SUBGROUP;
}

tsr_caps tsr_profile_caps(const tsr_profile *p, uint32_t subgroup_size)
{
    const tsr_support *s = &p->info.support;
    uint32_t largest = s->subgroup_size_count ? s->subgroup_sizes[s->subgroup_size_count - 1] : subgroup_size;
    return (tsr_caps){.name = p->info.name,
                      .support = *s,
                      .limits = p->info.limits,
                      .subgroup_size = subgroup_size,
                      .max_subgroup_size = largest > subgroup_size ? largest : subgroup_size,
                      .f16 = p->info.f16 != TSR_ANSWER_NO,
                      .maximal_reconvergence = p->info.maximal_reconvergence == TSR_ANSWER_YES};
}

/* ---- The nearest configuration --------------------------------------------------------------------------------- */

struct difference {
    bool differs;
    const char *what;
};
enum { FIELD_COUNT = 9 };

static unsigned find_differences(const tsr_config *x, const tsr_config *y, struct difference d[FIELD_COUNT])
{
    unsigned count = 0;
    d[0] = (struct difference){x->shape.m != y->shape.m, "m"};
    d[1] = (struct difference){x->shape.n != y->shape.n, "n"};
    d[2] = (struct difference){x->shape.k != y->shape.k, "k"};
    d[3] = (struct difference){x->a != y->a, "A's type"};
    d[4] = (struct difference){x->b != y->b, "B's type"};
    d[5] = (struct difference){x->c != y->c, "C's type"};
    d[6] = (struct difference){x->r != y->r, "the result's type"};
    d[7] = (struct difference){x->saturating != y->saturating, "saturation"};
    d[8] = (struct difference){x->scope != y->scope, "scope"};
    for (int i = 0; i < FIELD_COUNT; i++)
        count += d[i].differs;
    return count;
}

/* A type differs worse than a size: a kernel's tiles are changed more easily than its data. */
static unsigned measure(const tsr_config *x, const tsr_config *y)
{
    struct difference d[FIELD_COUNT];
    unsigned far = 0;
    find_differences(x, y, d);
    for (int i = 0; i < FIELD_COUNT; i++)
        far += d[i].differs ? (i < 3 ? 2u : 3u) : 0u;
    return far;
}

static void list_differences(const tsr_config *x, const tsr_config *y, char *buf, size_t bytes)
{
    struct difference d[FIELD_COUNT];
    size_t n = 0;
    find_differences(x, y, d);
    buf[0] = 0;
    for (int i = 0; i < FIELD_COUNT; i++) {
        if (!d[i].differs || n >= bytes) continue;
        int len = snprintf(buf + n, bytes - n, "%s%s", n ? ", " : "", d[i].what);
        n += len > 0 ? (size_t)len : 0;
    }
}

const tsr_config *tsr_support_nearest(const tsr_support *s, const tsr_config *wanted, char *differs,
                                      size_t differs_bytes)
{
    const tsr_config *best = NULL;
    unsigned least = ~0u;
    for (size_t i = 0; i < s->config_count; i++) {
        unsigned far = measure(&s->configs[i], wanted);
        if (far >= least) continue;
        least = far;
        best = &s->configs[i];
    }
    if (differs && differs_bytes) {
        differs[0] = 0;
        if (best) list_differences(wanted, best, differs, differs_bytes);
    }
    return best;
}
