/* `tessera devices`: where programs can run, what each device can do, and what devices can do that are not here. */
#include "cli.h"
#include "profile.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { ARG_json = 1, ARG_all, ARG_with, ARG_profile, CONFIG_NAME_BYTES = 128, NAME_COLUMN = 22, TYPES_MAX = 4 };
static const struct cli_option options[] = {
    {"all", NULL, "List the profiles of devices that are not here, too.", ARG_all},
    {"with", "MxNxK",
     "Which devices have that shape; component types may follow: A's and the result's, or\nthose of A, B, "
     "C and the result.",
     ARG_with},
    {"profile", "FILE.json", "Take profiles from that file instead of those that ship.", ARG_profile},
    {"json", NULL, "Print the devices as JSON on standard output: a file for --profile.", ARG_json},
};

struct devices_args {
    const char *file, *with;
    char **names; /* or types, after --with */
    int name_count;
    bool all, json;
    tsr_profiles *profiles;
    json_t *list;
};

/* ---- Text ------------------------------------------------------------------------------------------------------ */

static void print_configs(const tsr_support *s)
{
    char name[CONFIG_NAME_BYTES];
    for (size_t i = 0; i < s->config_count; i++) {
        tsr_config_name(&s->configs[i], name, sizeof name);
        printf("    %s (%s)\n", name, tsr_regime_name(tsr_config_regime(&s->configs[i])));
    }
}

static void print_support(const tsr_support *s)
{
    printf("  subgroup sizes:  ");
    cli_print_sizes(s->subgroup_sizes, s->subgroup_size_count, stdout);
    if (s->open) printf("; with --subgroup-size 4, 8, 16, 32, 64 or 128");
    printf("\n  matrices:        ");
    if (s->open)
        printf("every shape, every legal pair of types");
    else
        printf("%zu configurations of %zu advertised, record %s", s->config_count, s->advertised,
               cli_knowledge_name(s->knowledge));
    printf("%s\n", s->bounds_checked ? "; bounds checked" : "");
}

static void print_limit(uint64_t limit, const char *unit)
{
    if (limit)
        printf("%llu%s", (unsigned long long)limit, unit);
    else
        printf("unknown%s", unit);
}

static void print_limits(const tsr_limits *l, const char *estimate_workgroup, const char *estimate_memory)
{
    printf("  workgroup:       at most ");
    for (int i = 0; i < 3; i++)
        print_limit(l->max_workgroup_size[i], i < 2 ? "x" : ", ");
    print_limit(l->max_workgroup_invocations, " invocations");
    printf("%s, ", estimate_workgroup);
    print_limit(l->max_workgroup_bytes, " bytes");
    printf("%s\n", estimate_memory);
    if (l->max_workgroups_per_dimension)
        printf("  dispatch:        at most %u workgroups in each dimension\n",
               (unsigned)l->max_workgroups_per_dimension);
}

static const char *const answers[] = {"unknown", "no", "yes"};

static void print_unkept(const tsr_unkept *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        printf("    %s: not represented: %s\n", list[i].text, list[i].why);
}

static void print_flexible(const tsr_device_info *info)
{
    if (info->flexible_dimensions != TSR_ANSWER_YES && info->workgroup_scope != TSR_ANSWER_YES) return;
    printf("  flexible:        dimensions %s (at most %u), workgroup scope %s (at most %u invocations, %u bytes "
           "reserved)\n",
           answers[info->flexible_dimensions], (unsigned)info->flexible_max_dimension, answers[info->workgroup_scope],
           (unsigned)info->workgroup_scope_max_invocations, (unsigned)info->workgroup_scope_reserved_bytes);
    for (size_t i = 0; i < info->flexible_count; i++)
        printf("    multiples of %s%s\n", info->flexible[i].text, info->flexible[i].kept ? "" : ": not represented");
}

static void print_device(tsr_device *dev)
{
    tsr_device_info info;
    tsr_device_get_info(dev, &info);
    printf("%s: %s\n", tsr_device_name(dev), tsr_device_description(dev));
    if (info.kind[0])
        printf("  what it is:      %s, %s%s", info.kind, info.api[0] ? info.api : "no driver", info.api[0] ? ", " : "");
    if (info.kind[0]) printf("%s\n", info.driver);
    print_support(tsr_device_support(dev));
    print_configs(tsr_device_support(dev));
    print_unkept(info.unkept, info.unkept_count);
    print_flexible(&info);
    print_limits(tsr_device_limits(dev), "", "");
    printf(
        "  shaders:         f16 %s, bf16 matrices %s, int8 %s; subgroup size can be fixed: %s; device timestamps: %s\n",
        answers[info.f16], answers[info.bf16], answers[info.int8], answers[info.size_control],
        answers[info.timestamps]);
    printf("  subgroups:       maximal reconvergence %s\n", answers[info.maximal_reconvergence]);
    if (info.memory_bytes) printf("  memory:          %.1f GiB\n", (double)info.memory_bytes / (double)(1u << 30));
}

static void print_field(const char *name, const char *value)
{
    if (value[0]) printf("  %-16s %s\n", name, value);
}

static void print_profile(const tsr_profiles *p, size_t i)
{
    static const char estimate[] = " (estimate)";
    tsr_profile_info info;
    tsr_profiles_get(p, i, &info);
    printf("%s: %s\n", info.name, info.description);
    printf("  %-16s %s, %s, %s\n", "what it is:", tsr_profile_kind_name(info.kind), info.api, info.driver);
    print_support(&info.support);
    print_configs(&info.support);
    print_unkept(info.unkept, info.unkept_count);
    print_limits(&info.limits, info.inferred & TSR_INFERRED_WORKGROUP ? estimate : "",
                 info.inferred & TSR_INFERRED_MEMORY ? estimate : "");
    print_field("bounds checked:", answers[info.bounds_checked]);
    if (info.maximal_reconvergence) print_field("reconvergence:", answers[info.maximal_reconvergence]);
    print_field("numerics:", info.numerics);
    print_field("known from:", info.confidence);
    print_field("source:", info.source);
    print_field("notes:", info.notes);
}

static void print_row(const tsr_profiles *p, size_t i)
{
    tsr_profile_info info;
    char configs[48];
    tsr_profiles_get(p, i, &info);
    snprintf(configs, sizeof configs, "%zu of %zu", info.support.config_count, info.support.advertised);
    printf("%-*s %-15s %-9s %-10s ", NAME_COLUMN, info.name, tsr_profile_kind_name(info.kind),
           cli_knowledge_name(info.support.knowledge), info.support.open ? "every" : configs);
    const tsr_support *s = &info.support;
    char sizes[32] = "?";
    if (s->subgroup_size_count == 1)
        snprintf(sizes, sizeof sizes, "%u", (unsigned)s->subgroup_sizes[0]);
    else if (s->subgroup_size_count)
        snprintf(sizes, sizeof sizes, "%u-%u", (unsigned)s->subgroup_sizes[0],
                 (unsigned)s->subgroup_sizes[s->subgroup_size_count - 1]);
    printf("%-8s %s\n", sizes, info.description);
}

static void print_table(const tsr_profiles *p)
{
    printf("%-*s %-15s %-9s %-10s %-8s %s\n", NAME_COLUMN, "profile", "kind", "record", "kept", "subgroup", "device");
    for (size_t i = 0; i < tsr_profiles_count(p); i++)
        print_row(p, i);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------ */

static json_t *describe_limits(const tsr_limits *l)
{
    json_t *o = json_object(), *size = json_array();
    for (int i = 0; i < 3; i++)
        json_array_append_new(size, json_integer(l->max_workgroup_size[i]));
    json_object_set_new(o, "max_workgroup_size", size);
    json_object_set_new(o, "max_workgroup_invocations", json_integer(l->max_workgroup_invocations));
    json_object_set_new(o, "max_workgroups_per_dimension", json_integer(l->max_workgroups_per_dimension));
    json_object_set_new(o, "max_workgroup_bytes", json_integer((json_int_t)l->max_workgroup_bytes));
    json_object_set_new(o, "max_buffer_bytes", json_integer((json_int_t)l->max_buffer_bytes));
    return o;
}

static json_t *describe_answer(tsr_answer a)
{
    return a == TSR_ANSWER_UNKNOWN ? json_null() : json_boolean(a == TSR_ANSWER_YES);
}

/* In the device's order: what is kept by name, the rest where it stands among it. */
static json_t *describe_configs(const tsr_support *s, const tsr_device_info *info)
{
    char name[CONFIG_NAME_BYTES];
    json_t *configs = json_array();
    for (size_t i = 0, u = 0, at = 0; i < s->config_count || u < info->unkept_count; at++) {
        if (u < info->unkept_count && (info->unkept[u].position == at || i == s->config_count)) {
            json_array_append_new(
                configs, json_pack("{s:s, s:s}", "text", info->unkept[u].text, "not_kept", info->unkept[u].why));
            u++;
            continue;
        }
        tsr_config_name(&s->configs[i++], name, sizeof name);
        json_array_append_new(configs, json_string(name));
    }
    return configs;
}

static json_t *describe_row(const tsr_flexible *f)
{
    const tsr_config *c = &f->config;
    if (!f->kept) return json_pack("{s:s, s:s}", "text", f->text, "not_kept", "a number that is not known");
    return json_pack("{s:s, s:I, s:I, s:I, s:I, s:s, s:s, s:s, s:s, s:b}", "scope", tsr_scope_name(c->scope),
                     "workgroup_invocations", (json_int_t)f->workgroup_invocations, "Mg", (json_int_t)c->shape.m, "Ng",
                     (json_int_t)c->shape.n, "Kg", (json_int_t)c->shape.k, "A", tsr_component_name(c->a), "B",
                     tsr_component_name(c->b), "C", tsr_component_name(c->c), "R", tsr_component_name(c->r),
                     "saturating", c->saturating);
}

static json_t *describe_flexible(const tsr_device_info *info)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < info->flexible_count; i++)
        json_array_append_new(rows, describe_row(&info->flexible[i]));
    bool has_any = info->flexible_dimensions == TSR_ANSWER_YES || info->workgroup_scope == TSR_ANSWER_YES;
    return json_pack("{s:b, s:o, s:o, s:I, s:I, s:I, s:o}", "supported", has_any, "flexible_dimensions",
                     describe_answer(info->flexible_dimensions), "workgroup_scope",
                     describe_answer(info->workgroup_scope), "max_dimension", (json_int_t)info->flexible_max_dimension,
                     "max_workgroup_invocations", (json_int_t)info->workgroup_scope_max_invocations,
                     "reserved_workgroup_bytes", (json_int_t)info->workgroup_scope_reserved_bytes, "entries", rows);
}

/* What a driver says beside configurations and limits. */
static void describe_info(json_t *o, const tsr_device_info *info)
{
    if (info->driver[0]) json_object_set_new(o, "driver", cli_json_text(info->driver));
    if (info->api[0]) json_object_set_new(o, "api", json_string(info->api));
    json_object_set_new(o, "f16", describe_answer(info->f16));
    json_object_set_new(o, "bf16", describe_answer(info->bf16));
    json_object_set_new(o, "int8", describe_answer(info->int8));
    json_object_set_new(o, "subgroup_size_control", describe_answer(info->size_control));
    json_object_set_new(o, "maximal_reconvergence", describe_answer(info->maximal_reconvergence));
    json_object_set_new(o, "timestamps", describe_answer(info->timestamps));
    json_object_set_new(o, "memory_bytes", json_integer((json_int_t)info->memory_bytes));
    if (info->flexible_dimensions != TSR_ANSWER_UNKNOWN) json_object_set_new(o, "flexible", describe_flexible(info));
}

static json_t *describe_device(tsr_device *dev)
{
    const tsr_support *s = tsr_device_support(dev);
    tsr_device_info info;
    json_t *o = json_object(), *sizes = json_array();
    tsr_device_get_info(dev, &info);
    for (size_t i = 0; i < s->subgroup_size_count; i++)
        json_array_append_new(sizes, json_integer(s->subgroup_sizes[i]));
    json_object_set_new(o, "name", cli_json_text(tsr_device_name(dev)));
    json_object_set_new(o, "description", cli_json_text(tsr_device_description(dev)));
    json_object_set_new(o, "kind", json_string(tsr_profile_kind_name(TSR_PROFILE_DEVICE)));
    json_object_set_new(o, "support", json_string(cli_knowledge_name(s->knowledge)));
    json_object_set_new(o, "open", json_boolean(s->open));
    json_object_set_new(o, "advertised", json_integer((json_int_t)s->advertised));
    json_object_set_new(o, "configurations", describe_configs(s, &info));
    json_object_set_new(o, "bounds_checked", json_boolean(s->bounds_checked));
    describe_info(o, &info);
    json_object_set_new(o, "subgroup_sizes", sizes);
    json_object_set_new(o, "subgroup_size", json_integer(tsr_device_subgroup_size(dev)));
    json_object_set_new(o, "limits", describe_limits(tsr_device_limits(dev)));
    return o;
}

/* The record as it was written: nothing is lost on the way from file to file. */
static void add_profile(json_t *list, const tsr_profiles *p, size_t i)
{
    json_array_append_new(list, json_loads(tsr_profiles_json(p, i), 0, NULL));
}

/* ---- One device ------------------------------------------------------------------------------------------------ */

static int show_device(const char *name, json_t *list)
{
    tsr_device *dev;
    tsr_status st = tsr_device_open(name, NULL, &dev);
    if (st != TSR_OK) return cli_fail(st);
    if (list)
        json_array_append_new(list, describe_device(dev));
    else
        print_device(dev);
    tsr_device_free(dev);
    return CLI_DONE;
}

static bool is_here(const char *name)
{
    for (size_t i = 0; i < tsr_device_list_count(); i++)
        if (strcmp(tsr_device_list_name(i), name) == 0) return true;
    return false;
}

/* A device of this machine, else a profile. */
static int show_name(const struct devices_args *a, const char *name)
{
    size_t *list = NULL, count = 0;
    bool other_driver = strchr(name, ':') && strncmp(name, "profile:", 8) != 0;
    if (!a->file && (is_here(name) || other_driver)) return show_device(name, a->list);
    if (!name[0]) {
        cli_error("a device's name is missing; `tessera devices --all` lists them");
        return CLI_BAD_COMMAND;
    }
    int status = cli_profiles_choose(a->profiles, name, a->file != NULL, &list, &count);
    if (status == CLI_BAD_COMMAND) status = CLI_ENVIRONMENT; /* as for every device that is not there */
    for (size_t i = 0; i < count && status == CLI_DONE; i++) {
        if (a->list)
            add_profile(a->list, a->profiles, list[i]);
        else
            print_profile(a->profiles, list[i]);
    }
    free(list);
    return status;
}

/* Where no device of Vulkan is listed, opening one tells why. */
static void print_why_no_vulkan(void)
{
    tsr_device *dev = NULL;
    for (size_t i = 0; i < tsr_device_list_count(); i++)
        if (strncmp(tsr_device_list_name(i), "vulkan", 6) == 0) return;
    if (tsr_device_open("vulkan:0", NULL, &dev) != TSR_OK) printf("%s\n", tsr_last_error()); /* "vulkan: ..." */
    tsr_device_free(dev);
}

static int show_all(const struct devices_args *a)
{
    int status = CLI_DONE;
    for (size_t i = 0; !a->file && i < tsr_device_list_count(); i++) {
        int one = show_device(tsr_device_list_name(i), a->list);
        if (one > status) status = one;
    }
    if (!a->list && !a->file) print_why_no_vulkan();
    if (!a->all && !a->file) return status;
    if (!a->list) {
        if (!a->file) putchar('\n');
        print_table(a->profiles);
    }
    for (size_t i = 0; a->list && i < tsr_profiles_count(a->profiles); i++)
        add_profile(a->list, a->profiles, i);
    return status;
}

/* ---- Who has a configuration ----------------------------------------------------------------------------------- */

struct wanted {
    uint32_t size[3];
    tsr_component type[TYPES_MAX]; /* none: any */
};

static bool parse_wanted(const struct devices_args *a, struct wanted *w)
{
    const char *at = a->with;
    for (int i = 0; i < 3; i++) {
        uint64_t n;
        size_t len = strcspn(at, "x");
        if (!cli_parse_u64(at, len, &n) || n == 0 || n > UINT32_MAX || (i < 2) != (at[len] == 'x')) return false;
        w->size[i] = (uint32_t)n;
        at += len + (at[len] == 'x');
    }
    if (a->name_count > TYPES_MAX || a->name_count == 3) return false;
    for (int i = 0; i < a->name_count; i++) {
        w->type[i] = tsr_component_find(a->names[i]);
        if (w->type[i] == TSR_COMPONENT_NONE) return false;
    }
    if (a->name_count == 2) { /* A's and the result's */
        w->type[3] = w->type[1];
        w->type[1] = TSR_COMPONENT_NONE;
    }
    return true;
}

static bool has_type(tsr_component wanted, tsr_component have)
{
    return wanted == TSR_COMPONENT_NONE || wanted == have;
}

static bool is_wanted(const struct wanted *w, const tsr_config *c)
{
    return c->shape.m == w->size[0] && c->shape.n == w->size[1] && c->shape.k == w->size[2] &&
           has_type(w->type[0], c->a) && has_type(w->type[1], c->b) && has_type(w->type[2], c->c) &&
           has_type(w->type[3], c->r);
}

static bool print_matches(const tsr_profile_info *info, const struct wanted *w)
{
    char name[CONFIG_NAME_BYTES];
    bool found = false;
    for (size_t i = 0; i < info->support.config_count; i++) {
        if (!is_wanted(w, &info->support.configs[i])) continue;
        tsr_config_name(&info->support.configs[i], name, sizeof name);
        printf("%-*s %-15s %s\n", NAME_COLUMN, found ? "" : info->name, found ? "" : tsr_profile_kind_name(info->kind),
               name);
        found = true;
    }
    return found;
}

/* Exit status 1 when nobody is known to have it. */
static int show_with(const struct devices_args *a)
{
    struct wanted w = {{0}, {TSR_COMPONENT_NONE}};
    size_t have = 0, unknown = 0, count = tsr_profiles_count(a->profiles);
    tsr_profile_info info;
    if (!parse_wanted(a, &w)) {
        cli_error("--with takes a shape and 0, 1, 2 or 4 component types, as in --with 16x16x16 f16 f32");
        return CLI_BAD_COMMAND;
    }
    for (size_t i = 0; i < count; i++) {
        tsr_profiles_get(a->profiles, i, &info);
        bool found = print_matches(&info, &w);
        have += found;
        unknown += !found && info.support.knowledge != TSR_COMPLETE;
    }
    printf("%zu have it, %zu have not, of %zu it is not known\n", have, count - have - unknown, unknown);
    return have ? CLI_DONE : CLI_BAD_INPUT;
}

/* ---- The command ----------------------------------------------------------------------------------------------- */

static int show(struct devices_args *a)
{
    int status = CLI_DONE;
    if (a->with) return show_with(a);
    if (a->name_count == 0) return show_all(a);
    for (int i = 0; i < a->name_count; i++) {
        int one = show_name(a, a->names[i]);
        if (one > status) status = one;
    }
    return status;
}

static int print_list(const struct devices_args *a, int status)
{
    json_t *root = json_object();
    json_object_set_new(root, "format", json_string("tessera device profiles 1"));
    json_object_set(root, "devices", a->list);
    return cli_json_print(root, status);
}

static int run_devices(const struct cli_command *self, int argc, char **argv)
{
    struct cli_args args = {.command = self, .argc = argc, .argv = argv};
    struct devices_args a = {.names = argv};
    const char *value = NULL;
    for (int id; (id = cli_next(&args, &value)) != CLI_ARG_END;) {
        if (id == CLI_ARG_BAD) return CLI_BAD_COMMAND;
        if (id == CLI_ARG_HELP) return cli_close_stdout(CLI_DONE);
        switch (id) {
        case ARG_json: a.json = true; break;
        case ARG_all: a.all = true; break;
        case ARG_with: a.with = value; break;
        case ARG_profile: a.file = value; break;
        default: argv[a.name_count++] = (char *)value; break;
        }
    }
    if (a.with && a.json) {
        cli_error("--with prints text; --json lists devices");
        return CLI_BAD_COMMAND;
    }
    int status = cli_profiles_load(a.file, &a.profiles);
    if (status != CLI_DONE) return status;
    a.list = a.json ? json_array() : NULL;
    status = show(&a);
    status = a.json ? print_list(&a, status) : cli_close_stdout(status);
    json_decref(a.list);
    tsr_profiles_free(a.profiles);
    return status;
}

const struct cli_command cli_devices = {
    .name = "devices",
    .summary = "List devices and what they can do.",
    .usage = "[NAME...] [options]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .details = "A NAME is a device of this machine or a profile (--all lists them), with or without \"profile:\".\n"
               "docs/profiles.md tells the form of the JSON.\n",
    .examples = "  tessera devices\n  tessera devices --all\n  tessera devices nv-h200-580\n"
                "  tessera devices --with 16x16x16 f16 f32\n  tessera devices cpu --json\n",
    .run = run_devices,
};
