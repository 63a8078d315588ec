/* Records of devices from JSON. Every field has a row in the table below: what it may hold and what becomes of it. A
 * field that has none is an error, so that a slip of the pen is not a device with other properties. */
#include "base/error.h"
#include "coopmat/numerics_model.h"
#include "coopmat/profile.h"

#include <stdio.h>
#include <string.h>

static const char format_name[] = "tessera device profiles 1";
enum { NAME_BYTES_MAX = 48, SUBGROUP_MAX = 1024, PATH_BYTES = 96, DEVICES_MAX = 4096 };

struct record_reader {
    tsr_profiles *set;
    const char *text;
    size_t device; /* which record */
    tsr_profile *to;
    bool in_list; /* the record stands in "devices" */
};

enum {
    MAY_NULL = 1u << TSR_JSON_NULL,
    MAY_BOOL = 1u << TSR_JSON_BOOL,
    MAY_NUMBER = 1u << TSR_JSON_NUMBER,
    MAY_STRING = 1u << TSR_JSON_STRING,
    MAY_ARRAY = 1u << TSR_JSON_ARRAY,
    MAY_OBJECT = 1u << TSR_JSON_OBJECT,
    MAY_ANY = 63
};

/* Reads one field; false after fail_at. */
typedef bool read_field(struct record_reader *r, const tsr_json *j);

/* ---- Messages -------------------------------------------------------------------------------------------------- */

static unsigned find_line(const struct record_reader *r, const tsr_json *j)
{
    unsigned line = 1;
    for (size_t i = 0; i < j->begin; i++)
        line += r->text[i] == '\n';
    return line;
}

static bool fail_at(const struct record_reader *r, const tsr_json *j, const char *path, const char *fmt, ...)
    TSR_PRINTF(4, 5);
static bool fail_at(const struct record_reader *r, const tsr_json *j, const char *path, const char *fmt, ...)
{
    char what[300], where[40] = "";
    va_list args;
    va_start(args, fmt);
    vsnprintf(what, sizeof what, fmt, args);
    va_end(args);
    if (r->in_list) snprintf(where, sizeof where, "devices[%zu].", r->device);
    tsr_fail(TSR_ERR_INVALID, "%s:%u: %s%s: %s", r->set->name, find_line(r, j), where, path, what);
    return false;
}

/* The value itself as shown in a message, cut short. */
static const char *show(const tsr_json *j)
{
    return j->kind == TSR_JSON_STRING ? j->text : tsr_json_kind_name(j);
}

/* ---- Plain fields ---------------------------------------------------------------------------------------------- */

static const char *text_of(const tsr_json *j)
{
    return j && j->kind == TSR_JSON_STRING ? j->text : "";
}

static bool read_name(struct record_reader *r, const tsr_json *j)
{
    size_t len = strlen(j->text);
    if (len == 0 || len > NAME_BYTES_MAX || strcspn(j->text, " ,\t\n\"\\") != len)
        return fail_at(r, j, "name", "'%.60s' is no name: 1 to %d characters without space, comma or quote", j->text,
                       NAME_BYTES_MAX);
    r->to->info.name = j->text;
    return true;
}

/* The whole of strings that only say where a record is from. */
#define TEXT_FIELD(field)                                                                                              \
    static bool read_##field(struct record_reader *r, const tsr_json *j)                                               \
    {                                                                                                                  \
        r->to->info.field = text_of(j);                                                                                \
        return true;                                                                                                   \
    }
TEXT_FIELD(description)
TEXT_FIELD(vendor)
TEXT_FIELD(architecture)
TEXT_FIELD(driver)
TEXT_FIELD(api)
TEXT_FIELD(confidence)
TEXT_FIELD(source)
TEXT_FIELD(notes)

static bool read_numerics(struct record_reader *r, const tsr_json *j)
{
    tsr_model model;
    if (!tsr_model_parse(j->text, &model))
        return fail_at(r, j, "numerics",
                       "'%.40s' is no model; there are reference, mul-add, f32-then-round and, for "
                       "example, blocked-8+2",
                       j->text);
    r->to->info.numerics = j->text;
    return true;
}

static bool read_kind(struct record_reader *r, const tsr_json *j)
{
    for (unsigned k = 0; k < TSR_PROFILE_KIND_COUNT; k++) {
        if (strcmp(j->text, tsr_profile_kind_name((tsr_profile_kind)k)) != 0) continue;
        r->to->info.kind = (tsr_profile_kind)k;
        return true;
    }
    return fail_at(r, j, "kind", "'%.60s'; there are device, instruction-set and prototype", j->text);
}

static bool read_support(struct record_reader *r, const tsr_json *j)
{
    static const char *const names[] = {"unknown", "partial", "complete"};
    for (unsigned k = 0; k < TSR_COUNT_OF(names); k++) {
        if (strcmp(j->text, names[k]) != 0) continue;
        r->to->info.support.knowledge = (tsr_knowledge)k;
        return true;
    }
    return fail_at(r, j, "support", "'%.60s'; there are complete, partial and unknown", j->text);
}

static bool read_open(struct record_reader *r, const tsr_json *j)
{
    r->to->info.support.open = j->truth;
    return true;
}

static tsr_answer answer_of(const tsr_json *j)
{
    if (j->kind != TSR_JSON_BOOL) return TSR_ANSWER_UNKNOWN;
    return j->truth ? TSR_ANSWER_YES : TSR_ANSWER_NO;
}

static bool read_bounds_checked(struct record_reader *r, const tsr_json *j)
{
    r->to->info.bounds_checked = answer_of(j);
    r->to->info.support.bounds_checked = r->to->info.bounds_checked == TSR_ANSWER_YES;
    return true;
}

static bool read_f16(struct record_reader *r, const tsr_json *j)
{
    r->to->info.f16 = answer_of(j);
    return true;
}

static bool read_maximal_reconvergence(struct record_reader *r, const tsr_json *j)
{
    r->to->info.maximal_reconvergence = answer_of(j);
    return true;
}

static bool skip_field(struct record_reader *r, const tsr_json *j)
{
    (void)r, (void)j; /* kept in the record's text */
    return true;
}

/* ---- Configurations -------------------------------------------------------------------------------------------- */

static bool read_unkept(struct record_reader *r, const tsr_json *j, size_t position, const char *path)
{
    const tsr_json *text = tsr_json_member(j, "text"), *why = tsr_json_member(j, "not_kept");
    if (!text || text->kind != TSR_JSON_STRING || !why || why->kind != TSR_JSON_STRING || !why->text[0])
        return fail_at(r, j, path, "must hold \"name\", or \"text\" with \"not_kept\" (why it cannot be represented)");
    tsr_unkept *list = (tsr_unkept *)r->to->info.unkept;
    list[r->to->info.unkept_count++] = (tsr_unkept){.position = position, .text = text->text, .why = why->text};
    return true;
}

static bool read_config(struct record_reader *r, const tsr_json *j, size_t position)
{
    char path[PATH_BYTES];
    const tsr_json *name = j->kind == TSR_JSON_OBJECT ? tsr_json_member(j, "name") : j;
    snprintf(path, sizeof path, "configurations[%zu]", position);
    for (const tsr_json *m = j->first; j->kind == TSR_JSON_OBJECT && m; m = m->next)
        if (strcmp(m->key, "name") && strcmp(m->key, "text") && strcmp(m->key, "not_kept") && strcmp(m->key, "remark"))
            return fail_at(r, m, path, "there is no member \"%.40s\" here", m->key);
    if (j->kind == TSR_JSON_OBJECT && !name) return read_unkept(r, j, position, path);
    if (!name || name->kind != TSR_JSON_STRING)
        return fail_at(r, j, path, "must be a configuration's name or an object, not %s", tsr_json_kind_name(j));
    tsr_config *list = (tsr_config *)r->to->info.support.configs;
    if (tsr_config_parse(name->text, &list[r->to->info.support.config_count]) != TSR_OK)
        return fail_at(r, name, path,
                       "'%.100s' is no configuration: write '16x16x16 f16*f16+f32->f32 subgroup', or what cannot be "
                       "represented as {\"text\": ..., \"not_kept\": why}",
                       name->text);
    r->to->info.support.config_count++;
    return true;
}

static bool read_configurations(struct record_reader *r, const tsr_json *j)
{
    tsr_profile_info *info = &r->to->info;
    size_t position = 0;
    info->support.configs = TSR_NEW_ARRAY(&r->set->arena, tsr_config, j->count + 1u);
    info->unkept = TSR_NEW_ARRAY(&r->set->arena, tsr_unkept, j->count + 1u);
    for (const tsr_json *c = j->first; c; c = c->next)
        if (!read_config(r, c, position++)) return false;
    info->support.advertised = j->count;
    return true;
}

/* After the configurations: a device may advertise what its dump could not name. */
static bool read_advertised(struct record_reader *r, const tsr_json *j)
{
    if (!j->is_whole || j->whole < r->to->info.support.advertised)
        return fail_at(r, j, "advertised", "must be a whole number and at least the number of configurations, %zu",
                       r->to->info.support.advertised);
    r->to->info.support.advertised = (size_t)j->whole;
    return true;
}

/* ---- Subgroups, limits ----------------------------------------------------------------------------------------- */

static bool is_subgroup_size(const tsr_json *j)
{
    return j->kind == TSR_JSON_NUMBER && j->is_whole && j->whole >= 1 && j->whole <= SUBGROUP_MAX &&
           (j->whole & (j->whole - 1)) == 0;
}

static bool read_subgroup_sizes(struct record_reader *r, const tsr_json *j)
{
    uint32_t *sizes = TSR_NEW_ARRAY(&r->set->arena, uint32_t, j->count + 1u);
    size_t n = 0;
    for (const tsr_json *s = j->first; s; s = s->next) {
        if (!is_subgroup_size(s) || (n && s->whole <= sizes[n - 1]))
            return fail_at(r, s, "subgroup_sizes", "must be powers of two from 1 to %d, ascending", SUBGROUP_MAX);
        sizes[n++] = (uint32_t)s->whole;
    }
    r->to->info.support.subgroup_sizes = sizes;
    r->to->info.support.subgroup_size_count = n;
    return true;
}

/* After the sizes. */
static bool read_subgroup_size(struct record_reader *r, const tsr_json *j)
{
    const tsr_support *s = &r->to->info.support;
    bool found = s->subgroup_size_count == 0;
    if (j->kind == TSR_JSON_NULL) return true;
    if (!is_subgroup_size(j))
        return fail_at(r, j, "subgroup_size", "must be a power of two from 1 to %d", SUBGROUP_MAX);
    for (size_t i = 0; i < s->subgroup_size_count; i++)
        found |= s->subgroup_sizes[i] == j->whole;
    if (!found) return fail_at(r, j, "subgroup_size", "%u is not among subgroup_sizes", (unsigned)j->whole);
    r->to->info.subgroup_size = (uint32_t)j->whole;
    return true;
}

static bool read_whole(struct record_reader *r, const tsr_json *j, const char *path, uint64_t most, uint64_t *out)
{
    *out = 0;
    if (j->kind == TSR_JSON_NULL) return true;
    if (j->kind != TSR_JSON_NUMBER || !j->is_whole || j->whole > most)
        return fail_at(r, j, path, "must be a whole number from 0 to %llu (0 or null: unknown), not '%.40s'",
                       (unsigned long long)most, show(j));
    *out = j->whole;
    return true;
}

static bool read_workgroup_size(struct record_reader *r, const tsr_json *j)
{
    uint64_t value;
    size_t i = 0;
    if (j->kind == TSR_JSON_NULL) return true;
    if (j->kind != TSR_JSON_ARRAY || j->count != 3)
        return fail_at(r, j, "limits.max_workgroup_size", "must be three numbers or null");
    for (const tsr_json *n = j->first; n; n = n->next, i++) {
        if (!read_whole(r, n, "limits.max_workgroup_size", UINT32_MAX, &value)) return false;
        r->to->info.limits.max_workgroup_size[i] = (uint32_t)value;
    }
    return true;
}

static bool read_limit(struct record_reader *r, const tsr_json *j)
{
    tsr_limits *l = &r->to->info.limits;
    uint64_t value;
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "limits.%.60s", j->key);
    if (strcmp(j->key, "max_workgroup_size") == 0) return read_workgroup_size(r, j);
    bool wide = strcmp(j->key, "max_workgroup_bytes") == 0 || strcmp(j->key, "max_buffer_bytes") == 0;
    if (!read_whole(r, j, path, wide ? UINT64_MAX : UINT32_MAX, &value)) return false;
    if (strcmp(j->key, "max_workgroup_invocations") == 0)
        l->max_workgroup_invocations = (uint32_t)value;
    else if (strcmp(j->key, "max_workgroups_per_dimension") == 0)
        l->max_workgroups_per_dimension = (uint32_t)value;
    else if (strcmp(j->key, "max_workgroup_bytes") == 0)
        l->max_workgroup_bytes = value;
    else if (strcmp(j->key, "max_buffer_bytes") == 0)
        l->max_buffer_bytes = value;
    else
        return fail_at(r, j, path, "there is no such limit");
    return true;
}

static bool read_limits(struct record_reader *r, const tsr_json *j)
{
    for (const tsr_json *m = j->first; m; m = m->next)
        if (!read_limit(r, m)) return false;
    return true;
}

static bool read_inferred(struct record_reader *r, const tsr_json *j)
{
    static const struct {
        const char *name;
        unsigned bit;
    } parts[] = {{"configurations", TSR_INFERRED_CONFIGS},
                 {"subgroup", TSR_INFERRED_SUBGROUP},
                 {"workgroup", TSR_INFERRED_WORKGROUP},
                 {"memory", TSR_INFERRED_MEMORY}};
    for (const tsr_json *s = j->first; s; s = s->next) {
        unsigned bit = 0;
        for (size_t i = 0; i < TSR_COUNT_OF(parts); i++)
            if (s->kind == TSR_JSON_STRING && strcmp(s->text, parts[i].name) == 0) bit = parts[i].bit;
        if (!bit)
            return fail_at(r, s, "inferred", "'%.40s'; there are configurations, subgroup, workgroup and memory",
                           show(s));
        r->to->info.inferred |= bit;
    }
    return true;
}

/* ---- Records --------------------------------------------------------------------------------------------------- */

/* In the order in which they are read, whatever the order in the file. */
static const struct field {
    const char *name;
    unsigned may;
    bool needed;
    read_field *read;
} fields[] = {
    {"name", MAY_STRING, true, read_name},
    {"description", MAY_STRING, false, read_description},
    {"kind", MAY_STRING, false, read_kind},
    {"architecture", MAY_STRING | MAY_NULL, false, read_architecture},
    {"vendor", MAY_STRING | MAY_NULL, false, read_vendor},
    {"vendor_id", MAY_STRING | MAY_NULL, false, skip_field},
    {"driver", MAY_STRING | MAY_NULL, false, read_driver},
    {"driver_version", MAY_STRING | MAY_NULL, false, skip_field},
    {"api", MAY_STRING | MAY_NULL, false, read_api},
    {"support", MAY_STRING, true, read_support},
    {"open", MAY_BOOL, false, read_open},
    {"order_known", MAY_BOOL, false, skip_field},
    {"configurations", MAY_ARRAY, true, read_configurations},
    {"advertised", MAY_NUMBER, false, read_advertised},
    {"subgroup_sizes", MAY_ARRAY, false, read_subgroup_sizes},
    {"subgroup_size", MAY_NUMBER | MAY_NULL, false, read_subgroup_size},
    {"bounds_checked", MAY_BOOL | MAY_NULL, false, read_bounds_checked},
    {"f16", MAY_BOOL | MAY_NULL, false, read_f16},
    {"bf16", MAY_BOOL | MAY_NULL, false, skip_field},
    {"int8", MAY_BOOL | MAY_NULL, false, skip_field},
    {"subgroup_size_control", MAY_BOOL | MAY_NULL, false, skip_field},
    {"maximal_reconvergence", MAY_BOOL | MAY_NULL, false, read_maximal_reconvergence},
    {"timestamps", MAY_BOOL | MAY_NULL, false, skip_field},
    {"memory_bytes", MAY_NUMBER | MAY_NULL, false, skip_field},
    {"limits", MAY_OBJECT, false, read_limits},
    {"inferred", MAY_ARRAY, false, read_inferred},
    {"inferred_notes", MAY_ARRAY, false, skip_field},
    {"numerics", MAY_STRING, false, read_numerics},
    {"confidence", MAY_STRING | MAY_NULL, false, read_confidence},
    {"source", MAY_STRING | MAY_NULL, false, read_source},
    {"source_file", MAY_STRING | MAY_NULL, false, skip_field},
    {"source_commit", MAY_STRING | MAY_NULL, false, skip_field},
    {"more_sources", MAY_ARRAY, false, skip_field},
    {"stages", MAY_ARRAY | MAY_NULL, false, skip_field},
    {"emulated", MAY_BOOL | MAY_NULL, false, skip_field},
    {"peak_dense", MAY_ANY, false, skip_field},
    {"flexible", MAY_ANY, false, skip_field},
    {"quirks", MAY_ARRAY, false, skip_field},
    {"notes", MAY_STRING | MAY_NULL, false, read_notes},
};

static bool check_members(struct record_reader *r, const tsr_json *record)
{
    for (const tsr_json *m = record->first; m; m = m->next) {
        size_t f = 0;
        while (f < TSR_COUNT_OF(fields) && strcmp(fields[f].name, m->key) != 0)
            f++;
        if (f == TSR_COUNT_OF(fields)) return fail_at(r, m, m->key, "there is no such field (docs/profiles.md)");
        if (!(fields[f].may >> m->kind & 1u))
            return fail_at(r, m, m->key, "is %s, which it cannot be", tsr_json_kind_name(m));
    }
    return true;
}

static bool check_double(struct record_reader *r, const tsr_json *record)
{
    for (size_t i = 0; i < r->device; i++)
        if (strcmp(r->set->items[i].info.name, r->to->info.name) == 0)
            return fail_at(r, record, "name", "'%s' is given twice", r->to->info.name);
    return true;
}

static void set_defaults(tsr_profile_info *info)
{
    info->description = info->vendor = info->architecture = info->driver = info->api = "";
    info->confidence = info->source = info->notes = "";
    info->numerics = "reference";
}

static bool read_record(struct record_reader *r, const tsr_json *record)
{
    r->to = &r->set->items[r->device];
    set_defaults(&r->to->info);
    if (record->kind != TSR_JSON_OBJECT)
        return fail_at(r, record, "record", "must be an object, not %s", tsr_json_kind_name(record));
    if (!check_members(r, record)) return false;
    for (size_t f = 0; f < TSR_COUNT_OF(fields); f++) {
        const tsr_json *m = tsr_json_member(record, fields[f].name);
        if (!m && fields[f].needed) return fail_at(r, record, fields[f].name, "is missing");
        if (m && !fields[f].read(r, m)) return false;
    }
    r->to->json = tsr_arena_strndup(&r->set->arena, r->text + record->begin, record->end - record->begin);
    return check_double(r, record);
}

/* A whole file, {"format": ..., "devices": [...]}, or one record. */
bool tsr_profiles_read(tsr_profiles *out, const tsr_json *root, const char *text)
{
    struct record_reader r = {.set = out, .text = text};
    const tsr_json *devices = tsr_json_member(root, "devices"), *format = tsr_json_member(root, "format");
    if (root->kind != TSR_JSON_OBJECT)
        return fail_at(&r, root, "file", "must be an object with \"devices\", or one record, not %s",
                       tsr_json_kind_name(root));
    if (!devices) {
        out->items = TSR_NEW_ARRAY(&out->arena, tsr_profile, 1);
        out->count = 1;
        return read_record(&r, root);
    }
    if (format && strcmp(text_of(format), format_name) != 0)
        return fail_at(&r, format, "format", "'%.60s'; this version reads \"%s\"", show(format), format_name);
    if (devices->kind != TSR_JSON_ARRAY)
        return fail_at(&r, devices, "devices", "must be an array, not %s", tsr_json_kind_name(devices));
    if (devices->count > DEVICES_MAX) return fail_at(&r, devices, "devices", "more than %d records", DEVICES_MAX);
    r.in_list = true;
    out->items = TSR_NEW_ARRAY(&out->arena, tsr_profile, devices->count + 1u);
    out->count = devices->count;
    for (const tsr_json *d = devices->first; d; d = d->next, r.device++)
        if (!read_record(&r, d)) return false;
    return true;
}
