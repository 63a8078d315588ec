/* `tessera compile`: a program in another form. */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    ARG_to = 1,
    ARG_out,
    ARG_entry,
    ARG_set,
    ARG_oob,
    ARG_spirv_version,
    ARG_subgroup_size,
    ARG_device,
    ARG_lines,
    ARG_reconvergence
};
static const struct cli_option options[] = {
    {"to", "TARGET", "What to make; see below.", ARG_to},
    {"o", "FILE", "Where to write it (default: standard output).", ARG_out},
    {"entry", "NAME", "Entry point; may be left out when there is one compute entry point.", ARG_entry},
    {"set", "NAME=V", "Give override NAME (or the one with @id NAME, a number) the value V.", ARG_set},
    {"oob", "HOW", "Accesses outside their array: zero (default), clamp, restart, unchecked.", ARG_oob},
    {"spirv-version", "V", "SPIR-V 1.3, 1.4, 1.5 or 1.6 (default).", ARG_spirv_version},
    {"device", "NAME", "The device that it is for: its rules are checked.", ARG_device},
    {"subgroup-size", "S", "The subgroup size that it will run with (default: the device's, or not known).",
     ARG_subgroup_size},
    {"maximal-reconvergence", NULL,
     "SPIR-V: where subgroup operations are used, invocations that parted come together again as\nthe program is "
     "written (SPV_KHR_maximal_reconvergence).",
     ARG_reconvergence},
    {"lines", NULL, "Carry the lines of the source, for debuggers and validation.", ARG_lines},
};

/* What the command line asks for. */
struct request {
    const char *path, *to, *out, *device;
    tsr_emit_args args;
    tsr_override_value *overrides;
};

/* ---- The command line. */

/* NAME=V; the name's bytes belong to the command line, where the '=' becomes a NUL. */
static int add_override(struct request *r, char *text)
{
    char *equals = strchr(text, '=');
    tsr_override_value v = {.name = text};
    uint64_t id;
    if (!equals || equals == text || !cli_parse_number(equals + 1, strlen(equals + 1), &v.value)) {
        cli_error("--set %s: it must be NAME=NUMBER", text);
        return CLI_BAD_COMMAND;
    }
    if (cli_parse_u64(text, (size_t)(equals - text), &id) && id <= UINT32_MAX) {
        v.name = NULL;
        v.id = (uint32_t)id;
    }
    *equals = '\0';
    tsr_override_value *more = realloc(r->overrides, (r->args.override_count + 1) * sizeof *more);
    if (!more) return cli_fail(TSR_ERR_MEMORY);
    r->overrides = more;
    more[r->args.override_count++] = v;
    r->args.overrides = more;
    return CLI_DONE;
}

static int set_oob(struct request *r, const char *name)
{
    const char *names[TSR_OOB_COUNT];
    for (int i = 0; i < TSR_OOB_COUNT; i++) {
        names[i] = tsr_oob_name((tsr_oob)i);
        r->args.oob = (tsr_oob)i;
        if (strcmp(name, names[i]) == 0) return CLI_DONE;
    }
    const char *near = cli_suggest(name, names, TSR_OOB_COUNT);
    cli_error("--oob %s: it must be zero, clamp, restart or unchecked%s%s", name, near ? "; did you mean " : "",
              near ? near : "");
    return CLI_BAD_COMMAND;
}

static int set_version(struct request *r, const char *text)
{
    if (strlen(text) != 3 || text[0] != '1' || text[1] != '.' || text[2] < '3' || text[2] > '6') {
        cli_error("--spirv-version %s: it must be 1.3, 1.4, 1.5 or 1.6", text);
        return CLI_BAD_COMMAND;
    }
    r->args.version = 100u + (uint32_t)(text[2] - '0');
    return CLI_DONE;
}

static int set_subgroup_size(struct request *r, const char *text)
{
    enum { SUBGROUP_MAX = 128 }; /* WebGPU, "subgroupMaxSize" */
    uint64_t size;
    if (!cli_parse_u64(text, strlen(text), &size) || size < 1 || size > SUBGROUP_MAX) {
        cli_error("--subgroup-size %s: it must be a number from 1 to %d", text, SUBGROUP_MAX);
        return CLI_BAD_COMMAND;
    }
    r->args.subgroup_size = (uint32_t)size;
    return CLI_DONE;
}

static int set_path(struct request *r, const char *path)
{
    if (r->path) {
        cli_error("%s: one program at a time; %s was given already", path, r->path);
        return CLI_BAD_COMMAND;
    }
    r->path = path;
    return CLI_DONE;
}

static int take_argument(struct request *r, int id, const char *value)
{
    switch (id) {
    case ARG_to: r->to = value; return CLI_DONE;
    case ARG_out: r->out = value; return CLI_DONE;
    case ARG_entry: r->args.entry = value; return CLI_DONE;
    case ARG_device: r->device = value; return CLI_DONE;
    case ARG_lines: r->args.debug_lines = true; return CLI_DONE;
    case ARG_reconvergence: r->args.maximal_reconvergence = true; return CLI_DONE;
    case ARG_set: return add_override(r, (char *)value);
    case ARG_oob: return set_oob(r, value);
    case ARG_spirv_version: return set_version(r, value);
    case ARG_subgroup_size: return set_subgroup_size(r, value);
    default: return set_path(r, value);
    }
}

static int refuse_target(const char *to, const char *const *names, size_t count)
{
    char list[256] = "";
    const char *near = to ? cli_suggest(to, names, count) : NULL;
    for (size_t i = 0, len = 0; i < count && len < sizeof list; i++)
        len += (size_t)snprintf(list + len, sizeof list - len, "%s--to %s", i ? ", " : "", names[i]);
    if (!to)
        cli_error("--to is missing; there is %s", list);
    else if (near)
        cli_error("there is no target \"%s\"; did you mean --to %s?", to, near);
    else
        cli_error("there is no target \"%s\"; there is %s", to, list);
    return CLI_BAD_COMMAND;
}

/* Whether there is such a target; *is_text tells whether a terminal can show it. */
static int check_target(const char *to, bool *is_text)
{
    const char *names[32] = {"ir"};
    size_t count = 1;
    tsr_emit_target_info info;
    *is_text = true;
    if (to && strcmp(to, "ir") == 0) return CLI_DONE;
    for (size_t i = 0; tsr_emit_target(i, &info) == TSR_OK && count < sizeof names / sizeof *names; i++) {
        names[count++] = info.name;
        *is_text = info.is_text;
        if (to && strcmp(to, info.name) == 0) return CLI_DONE;
    }
    return refuse_target(to, names, count);
}

static int check_request(const struct request *r)
{
    bool is_text;
    if (!r->path) {
        cli_error("which program? see `tessera compile --help`");
        return CLI_BAD_COMMAND;
    }
    int status = check_target(r->to, &is_text);
    if (status != CLI_DONE) return status;
    if (!is_text && !r->out && isatty(STDOUT_FILENO)) {
        cli_error("--to %s makes binary data, and standard output is a terminal; use -o FILE", r->to);
        return CLI_BAD_COMMAND;
    }
    return r->out ? cli_check_output(r->out) : CLI_DONE;
}

/* ---- The work. */

static int write_output(const void *data, size_t size_bytes, const char *path)
{
    struct cli_output out = {.path = path, .data = data, .data_bytes = size_bytes};
    if (path) return cli_write_outputs(&out, 1);
    fwrite(data, 1, size_bytes, stdout);
    return cli_close_stdout(CLI_DONE);
}

static int write_ir(const struct request *r, tsr_module *m)
{
    const char *text = tsr_module_ir_text(m);
    return text ? write_output(text, strlen(text), r->out) : cli_fail(TSR_ERR_MEMORY);
}

static int emit(const struct request *r, const tsr_module *m, const struct cli_bytes *source)
{
    void *data;
    size_t size_bytes;
    tsr_status st = tsr_emit(m, &r->args, &data, &size_bytes);
    if (st != TSR_OK && st != TSR_ERR_MEMORY) { /* one message a line, each with its place */
        cli_show_lines(tsr_last_error(), source);
        return CLI_BAD_INPUT;
    }
    if (st != TSR_OK) return cli_fail(st);
    int status = write_output(data, size_bytes, r->out);
    free(data);
    return status;
}

static int compile_program(const struct request *r)
{
    tsr_module *m = NULL;
    struct cli_bytes source = {0};
    int status = cli_load(r->path, true, &m, &source);
    if (status == CLI_DONE) status = strcmp(r->to, "ir") == 0 ? write_ir(r, m) : emit(r, m, &source);
    tsr_module_free(m);
    free(source.data);
    return status;
}

static int compile_for_device(struct request *r)
{
    tsr_device *device = NULL;
    if (r->device) {
        tsr_status st = tsr_device_open(r->device, NULL, &device);
        if (st != TSR_OK) return cli_fail(st);
        r->args.device = device;
    }
    int status = compile_program(r);
    tsr_device_free(device);
    return status;
}

static int run_compile(const struct cli_command *self, int argc, char **argv)
{
    struct cli_args args = {.command = self, .argc = argc, .argv = argv};
    struct request r = {0};
    const char *value = NULL;
    int status = CLI_DONE;
    for (int id; status == CLI_DONE && (id = cli_next(&args, &value)) != CLI_ARG_END;) {
        if (id == CLI_ARG_HELP) return cli_close_stdout(CLI_DONE);
        status = id == CLI_ARG_BAD ? CLI_BAD_COMMAND : take_argument(&r, id, value);
    }
    if (status == CLI_DONE) status = check_request(&r);
    r.args.target = r.to;
    if (status == CLI_DONE) status = compile_for_device(&r);
    free(r.overrides);
    return status;
}

const struct cli_command cli_compile = {
    .name = "compile",
    .summary = "Check a program and print it in another form.",
    .usage = "FILE --to TARGET [-o OUT]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .details = "Targets:\n"
               "  ir            tessera's intermediate form as text, the whole module\n"
               "  spirv         SPIR-V for Vulkan, one entry point\n"
               "  spirv-text    the same, disassembled, with the program's names\n"
               "  spirv-header  the same, as an array in a C header\n"
               "  llvm          LLVM IR of one block of workgroups, as the CPU runs it (x86-64 with AVX2)\n"
               "A FILE of - is standard input; one whose name ends in .ir holds tessera's IR as text.\n",
    .examples = "  tessera compile kernel.wgsl --to spirv -o kernel.spv\n"
                "  tessera compile kernel.wgsl --entry main --set N=64 --to spirv-text\n"
                "  tessera compile kernel.wgsl --to ir\n",
    .run = run_compile,
};
