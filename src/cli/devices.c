/* `tessera devices`: where programs can run, and what each can do. */
#include "cli.h"

#include <jansson.h>
#include <string.h>

enum { ARG_json = 1, CONFIG_NAME_BYTES = 128 };
static const struct cli_option options[] = {{"json", NULL, "Print the devices as JSON on standard output.", ARG_json}};

static const char *knowledge_name(tsr_knowledge k)
{
    return k == TSR_COMPLETE ? "complete" : k == TSR_PARTIAL ? "partial" : "unknown";
}

/* ---- Text ------------------------------------------------------------------------------------------------------ */

static void print_support(const tsr_support *s)
{
    char name[CONFIG_NAME_BYTES];
    printf("  subgroup sizes:  ");
    for (size_t i = 0; i < s->subgroup_size_count; i++)
        printf("%s%u", i ? ", " : "", (unsigned)s->subgroup_sizes[i]);
    printf("\n  matrices:        ");
    if (s->open)
        printf("every shape, every legal pair of types");
    else
        printf("%zu configurations of %zu advertised, record %s", s->config_count, s->advertised,
               knowledge_name(s->knowledge));
    printf("%s\n", s->bounds_checked ? "; bounds checked" : "");
    for (size_t i = 0; i < s->config_count; i++) {
        tsr_config_name(&s->configs[i], name, sizeof name);
        printf("    %s (%s)\n", name, tsr_regime_name(tsr_config_regime(&s->configs[i])));
    }
}

static void print_device(tsr_device *dev)
{
    const tsr_limits *l = tsr_device_limits(dev);
    printf("%s: %s\n", tsr_device_name(dev), tsr_device_description(dev));
    print_support(tsr_device_support(dev));
    printf("  workgroup:       at most %ux%ux%u, %u invocations, %llu bytes\n", (unsigned)l->max_workgroup_size[0],
           (unsigned)l->max_workgroup_size[1], (unsigned)l->max_workgroup_size[2],
           (unsigned)l->max_workgroup_invocations, (unsigned long long)l->max_workgroup_bytes);
    printf("  dispatch:        at most %u workgroups in each dimension\n", (unsigned)l->max_workgroups_per_dimension);
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

static json_t *describe_device(tsr_device *dev)
{
    const tsr_support *s = tsr_device_support(dev);
    char name[CONFIG_NAME_BYTES];
    json_t *o = json_object(), *configs = json_array(), *sizes = json_array();
    for (size_t i = 0; i < s->config_count; i++) {
        tsr_config_name(&s->configs[i], name, sizeof name);
        json_array_append_new(configs, json_string(name));
    }
    for (size_t i = 0; i < s->subgroup_size_count; i++)
        json_array_append_new(sizes, json_integer(s->subgroup_sizes[i]));
    json_object_set_new(o, "name", cli_json_text(tsr_device_name(dev)));
    json_object_set_new(o, "description", cli_json_text(tsr_device_description(dev)));
    json_object_set_new(o, "support", json_string(knowledge_name(s->knowledge)));
    json_object_set_new(o, "open", json_boolean(s->open));
    json_object_set_new(o, "advertised", json_integer((json_int_t)s->advertised));
    json_object_set_new(o, "configurations", configs);
    json_object_set_new(o, "bounds_checked", json_boolean(s->bounds_checked));
    json_object_set_new(o, "subgroup_sizes", sizes);
    json_object_set_new(o, "subgroup_size", json_integer(tsr_device_subgroup_size(dev)));
    json_object_set_new(o, "limits", describe_limits(tsr_device_limits(dev)));
    return o;
}

/* ---- The command ----------------------------------------------------------------------------------------------- */

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

static int run_devices(const struct cli_command *self, int argc, char **argv)
{
    struct cli_args args = {.command = self, .argc = argc, .argv = argv};
    const char *value = NULL;
    bool json = false;
    int names = 0, status = CLI_DONE;
    for (int id; (id = cli_next(&args, &value)) != CLI_ARG_END;) {
        if (id == CLI_ARG_BAD) return CLI_BAD_COMMAND;
        if (id == CLI_ARG_HELP) return cli_close_stdout(CLI_DONE);
        if (id == ARG_json)
            json = true;
        else
            argv[names++] = (char *)value;
    }
    json_t *list = json ? json_array() : NULL;
    size_t count = names ? (size_t)names : tsr_device_list_count();
    for (size_t i = 0; i < count; i++) {
        int one = show_device(names ? argv[i] : tsr_device_list_name(i), list);
        if (one > status) status = one;
    }
    if (!json) return cli_close_stdout(status);
    json_t *root = json_object();
    json_object_set_new(root, "devices", list);
    return cli_json_print(root, status);
}

const struct cli_command cli_devices = {
    .name = "devices",
    .summary = "List the devices here and what they can do.",
    .usage = "[NAME...] [options]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .examples = "  tessera devices\n  tessera devices cpu --json\n",
    .run = run_devices,
};
