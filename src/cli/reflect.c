/* `tessera reflect`: entry points, bindings, overrides and matrix configurations of a program. */
#include "cli.h"

#include <jansson.h>
#include <string.h>

enum { ARG_json = 1, CONFIG_NAME_BYTES = 128 };
static const struct cli_option options[] = {{"json", NULL, "Print it as JSON on standard output.", ARG_json}};

static const char *stage_name(tsr_stage s)
{
    return s == TSR_STAGE_COMPUTE ? "compute" : s == TSR_STAGE_VERTEX ? "vertex" : "fragment";
}

static const char *kind_name(tsr_binding_kind k)
{
    switch (k) {
    case TSR_BINDING_UNIFORM: return "uniform";
    case TSR_BINDING_STORAGE_READ: return "storage, read";
    case TSR_BINDING_STORAGE_READ_WRITE: return "storage, read_write";
    default: return "other";
    }
}

/* ---- Text ------------------------------------------------------------------------------------------------------ */

static void print_entry(const tsr_module *m, const tsr_entry_info *e)
{
    char name[CONFIG_NAME_BYTES];
    printf("%s entry point %s\n", stage_name(e->stage), e->name);
    if (e->stage == TSR_STAGE_COMPUTE) {
        if (e->size_known)
            printf("  workgroup %ux%ux%u, %llu bytes of workgroup memory\n", (unsigned)e->workgroup_size[0],
                   (unsigned)e->workgroup_size[1], (unsigned)e->workgroup_size[2],
                   (unsigned long long)e->workgroup_bytes);
        else
            printf("  workgroup size or memory depends on overrides without a default\n");
    }
    for (size_t i = 0; i < tsr_module_binding_count(m, e->name); i++) {
        tsr_binding_info b;
        if (tsr_module_binding(m, e->name, i, &b) != TSR_OK) continue;
        printf("  @group(%u) @binding(%u) %s: %s (%s), at least %llu bytes\n", (unsigned)b.group, (unsigned)b.binding,
               b.name, b.type, kind_name(b.kind), (unsigned long long)b.min_bytes);
    }
    for (size_t i = 0; i < tsr_module_config_count(m, e->name); i++) {
        tsr_config c;
        if (tsr_module_config(m, e->name, i, &c) != TSR_OK) continue;
        tsr_config_name(&c, name, sizeof name);
        printf("  multiplies in %s (%s)\n", name, tsr_regime_name(tsr_config_regime(&c)));
    }
    if (e->uses_f16 || e->uses_subgroups || e->uses_matrices)
        printf("  uses%s%s%s\n", e->uses_f16 ? " f16" : "", e->uses_subgroups ? " subgroups" : "",
               e->uses_matrices ? " subgroup matrices" : "");
}

static void print_override(const tsr_override_info *o)
{
    printf("override %s", o->name[0] ? o->name : "(without a name)");
    if (o->has_id) printf(" @id(%u)", (unsigned)o->id);
    printf(": %s", o->type);
    if (o->default_known)
        printf(" = %.17g", o->default_value);
    else if (o->has_default)
        printf(", its default follows from other overrides");
    else
        printf(", without a default: --set it");
    printf("\n");
}

static void print_module(const tsr_module *m)
{
    for (size_t i = 0; i < tsr_module_entry_count(m); i++) {
        tsr_entry_info e;
        if (tsr_module_entry(m, i, &e) == TSR_OK) print_entry(m, &e);
    }
    for (size_t i = 0; i < tsr_module_override_count(m); i++) {
        tsr_override_info o;
        if (tsr_module_override(m, i, &o) == TSR_OK) print_override(&o);
    }
}

/* ---- JSON ------------------------------------------------------------------------------------------------------ */

static json_t *describe_binding(const tsr_binding_info *b)
{
    json_t *o = json_object();
    json_object_set_new(o, "group", json_integer(b->group));
    json_object_set_new(o, "binding", json_integer(b->binding));
    json_object_set_new(o, "name", cli_json_text(b->name));
    json_object_set_new(o, "kind", json_string(kind_name(b->kind)));
    json_object_set_new(o, "type", cli_json_text(b->type));
    json_object_set_new(o, "min_bytes", json_integer((json_int_t)b->min_bytes));
    json_object_set_new(o, "element_stride", json_integer(b->element_stride));
    json_object_set_new(o, "scalar", cli_json_text(b->scalar));
    return o;
}

static json_t *describe_entry(const tsr_module *m, const tsr_entry_info *e)
{
    char name[CONFIG_NAME_BYTES];
    json_t *o = json_object(), *size = json_array(), *bindings = json_array(), *configs = json_array();
    for (int i = 0; i < 3; i++)
        json_array_append_new(size, json_integer(e->workgroup_size[i]));
    for (size_t i = 0; i < tsr_module_binding_count(m, e->name); i++) {
        tsr_binding_info b;
        if (tsr_module_binding(m, e->name, i, &b) == TSR_OK) json_array_append_new(bindings, describe_binding(&b));
    }
    for (size_t i = 0; i < tsr_module_config_count(m, e->name); i++) {
        tsr_config c;
        if (tsr_module_config(m, e->name, i, &c) != TSR_OK) continue;
        tsr_config_name(&c, name, sizeof name);
        json_array_append_new(configs, json_string(name));
    }
    json_object_set_new(o, "name", cli_json_text(e->name));
    json_object_set_new(o, "stage", json_string(stage_name(e->stage)));
    json_object_set_new(o, "size_known", json_boolean(e->size_known));
    json_object_set_new(o, "workgroup_size", size);
    json_object_set_new(o, "workgroup_bytes", json_integer((json_int_t)e->workgroup_bytes));
    json_object_set_new(o, "uses_matrices", json_boolean(e->uses_matrices));
    json_object_set_new(o, "uses_subgroups", json_boolean(e->uses_subgroups));
    json_object_set_new(o, "uses_f16", json_boolean(e->uses_f16));
    json_object_set_new(o, "bindings", bindings);
    json_object_set_new(o, "configurations", configs);
    return o;
}

static json_t *describe_override(const tsr_override_info *i)
{
    json_t *o = json_object();
    json_object_set_new(o, "name", cli_json_text(i->name));
    json_object_set_new(o, "id", i->has_id ? json_integer(i->id) : json_null());
    json_object_set_new(o, "type", cli_json_text(i->type));
    json_object_set_new(o, "has_default", json_boolean(i->has_default));
    json_object_set_new(o, "default", i->default_known ? json_real(i->default_value) : json_null());
    return o;
}

static json_t *describe_module(const tsr_module *m, const char *path)
{
    json_t *o = json_object(), *entries = json_array(), *overrides = json_array();
    for (size_t i = 0; i < tsr_module_entry_count(m); i++) {
        tsr_entry_info e;
        if (tsr_module_entry(m, i, &e) == TSR_OK) json_array_append_new(entries, describe_entry(m, &e));
    }
    for (size_t i = 0; i < tsr_module_override_count(m); i++) {
        tsr_override_info info;
        if (tsr_module_override(m, i, &info) == TSR_OK) json_array_append_new(overrides, describe_override(&info));
    }
    json_object_set_new(o, "file", cli_json_text(path));
    json_object_set_new(o, "entry_points", entries);
    json_object_set_new(o, "overrides", overrides);
    return o;
}

/* ---- The command ----------------------------------------------------------------------------------------------- */

static int reflect_file(const char *path, bool json)
{
    tsr_module *m;
    int status = cli_load(path, true, &m, NULL);
    if (status == CLI_DONE && json) {
        status = cli_json_print(describe_module(m, path), status);
    } else if (status == CLI_DONE) {
        print_module(m);
        status = cli_close_stdout(status);
    }
    tsr_module_free(m);
    return status;
}

static int run_reflect(const struct cli_command *self, int argc, char **argv)
{
    struct cli_args args = {.command = self, .argc = argc, .argv = argv};
    const char *value = NULL, *path = NULL;
    bool json = false;
    for (int id; (id = cli_next(&args, &value)) != CLI_ARG_END;) {
        if (id == CLI_ARG_BAD) return CLI_BAD_COMMAND;
        if (id == CLI_ARG_HELP) return cli_close_stdout(CLI_DONE);
        if (id == ARG_json) {
            json = true;
        } else if (path) {
            cli_error("%s: one program at a time; %s was given already", value, path);
            return CLI_BAD_COMMAND;
        } else {
            path = value;
        }
    }
    if (path) return reflect_file(path, json);
    cli_error("which program? tessera reflect FILE; see `tessera reflect --help`");
    return CLI_BAD_COMMAND;
}

const struct cli_command cli_reflect = {
    .name = "reflect",
    .summary = "Show entry points, bindings, overrides and matrix configurations of a program.",
    .usage = "FILE [options]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .details = "Sizes that depend on overrides are shown for their defaults.\n",
    .examples = "  tessera reflect kernel.wgsl\n  tessera reflect kernel.wgsl --json\n",
    .run = run_reflect,
};
