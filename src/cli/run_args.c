/* The command line of `tessera run`. */
#include "run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    ARG_entry = 1,
    ARG_set,
    ARG_device,
    ARG_subgroup_size,
    ARG_threads,
    ARG_bind,
    ARG_dispatch,
    ARG_out,
    ARG_timeout,
    ARG_json,
    ARG_profile,
    ARG_sanitize,
    ARG_oob,
    ARG_extent,
    ARG_orders,
    ARG_seed,
    ARG_expect,
    ARG_tolerance,
    ARG_validate,
    ARG_exact_bits,
    ARG_dump,
    ARG_COUNT
};

static const struct cli_option options[] = {
    {"entry", "NAME", "Entry point; may be left out when there is one compute entry point.", ARG_entry},
    {"set", "NAME=V", "Give override NAME (or the one with @id NAME, a number) the value V.", ARG_set},
    {"bind", "G,B=WHAT", "What buffer @group(G) @binding(B) holds; see below.", ARG_bind},
    {"out", "G,B=FILE.npy[:TYPE[:SHAPE]]",
     "Write that buffer after the run. Without TYPE and SHAPE: the array's scalar type, one\ndimension. Structs are "
     "written as bytes.",
     ARG_out},
    {"dispatch", "X[,Y[,Z]]", "Workgroups to run (default 1,1,1). 0 runs nothing and succeeds.", ARG_dispatch},
    {"device", "NAME",
     "Where to run (default: the first of `tessera devices`); profile:NAME is a CPU with the\n"
     "configurations, subgroup sizes and limits of that device (`tessera devices --all`).",
     ARG_device},
    {"profile", "FILE.json", "Look profile:NAME up in that file; with one record in it, --device may be left out.",
     ARG_profile},
    {"subgroup-size", "S", "Subgroup size; cpu takes 4, 8, 16, 32, 64, 128 (default 32).", ARG_subgroup_size},
    {"threads", "N", "Worker threads of cpu (default: one a core).", ARG_threads},
    {"timeout", "SECONDS", "Stop the run after that time; nothing is written then.", ARG_timeout},
    {"validate", NULL, "Let the Vulkan validation layers watch; what they find stands at its line, exit status 1.",
     ARG_validate},
    {"exact-bits", NULL, "cpu: native code gives the interpreter's bits for floats too; slower.", ARG_exact_bits},
    {"dump", "LIST", "Write what the program becomes to ENTRY.ir, ENTRY.ll, ENTRY.s: ir, llvm, asm, with commas.",
     ARG_dump},
    {"json", NULL, "Print the report as JSON on standard output.", ARG_json},
    {"sanitize", "LIST",
     "Watch the run for faults: `all`, or names with commas: bounds, strides, races, uniformity,\nuninitialised, "
     "f16, wrap, order, subgroup-size, coverage, and variables, which `all` leaves out.\nExit status 1 when a fault "
     "is found; "
     "see docs/sanitizer.md.",
     ARG_sanitize},
    {"oob", "WHAT", "What accesses out of bounds do: zero (default), clamp or restart.", ARG_oob},
    {"extent", "exact|coarse",
     "coarse: also report tiles that are outside by the proposal's coarser formula,\noffset + stride * rows * columns.",
     ARG_extent},
    {"orders", "N", "Other orders of workgroups that --sanitize=order tries (default 3).", ARG_orders},
    {"seed", "N", "Of those orders.", ARG_seed},
    {"expect", "G,B=WHAT",
     "What that buffer must hold in the end, as for --bind. When it does not, each matrix\naccess is tried with the "
     "other majorness and each size with another one, to find the one that is wrong.",
     ARG_expect},
    {"tolerance", "T",
     "Of --expect for floats, as a part of the greatest magnitude (default 2^-10, f16 2^-7);\n0: equal bits.",
     ARG_tolerance},
};

static const char details[] =
    "What --bind takes, TYPE being f32, f16, u32, i32, u8 or i8 and SHAPE sizes like 4096 or 64x64:\n"
    "  FILE.npy                  the array in the file\n"
    "  zeros:TYPE:SHAPE          zeros\n"
    "  iota:TYPE:SHAPE           0, 1, 2, ...; again from 0 where the type stops counting exactly\n"
    "  random:TYPE:SHAPE[:SEED]  xoshiro256**: floats in [-1, 1), i8 and u8 over their range, i32 in -128..127,\n"
    "                            u32 in 0..255; the same numbers for the same seed everywhere\n"
    "  values:TYPE:V,V,...       these values\n"
    "  struct:TYPE=V,TYPE=V,...  values of several types, each at the next multiple of its size\n"
    "  bytes:HEX                 raw bytes\n"
    "u8 and i8 pack four to a 32-bit word, low byte first.\n";

static const char examples[] =
    "  tessera run scale.wgsl --bind 0,0=in.npy --dispatch 16 --out 0,0=out.npy\n"
    "  tessera run scale.wgsl --bind 0,0=in.npy --dispatch 16 --sanitize all\n"
    "  tessera run gemm.wgsl --entry main --set N=64 --bind 0,0=random:f16:48x64:1 --bind 0,1=random:f16:64x80:2 \\\n"
    "      --bind 0,2=zeros:f32:48x80 --bind 0,3=struct:u32=48,u32=80,u32=64 --dispatch 5,3 --out "
    "0,2=d.npy:f32:48x80\n";

const struct cli_command cli_run = {.name = "run",
                                    .summary = "Compile a WGSL kernel and run it on arrays.",
                                    .usage = "FILE.wgsl [options]",
                                    .options = options,
                                    .option_count = sizeof options / sizeof *options,
                                    .details = details,
                                    .examples = examples,
                                    .run = run_main};

/* ---- Single values --------------------------------------------------------------------------------------------- */

static int fail_value(const char *option, const char *value, const char *form)
{
    cli_error("--%s %s: it must be %s", option, value, form);
    return CLI_BAD_COMMAND;
}

/* "G,B=" at the front; *rest is what follows. */
static bool parse_slot(const char *s, uint32_t *group, uint32_t *binding, const char **rest)
{
    uint64_t g, b;
    size_t comma = strcspn(s, ",="), equals = strcspn(s, "=");
    if (s[comma] != ',' || s[equals] != '=') return false;
    if (!cli_parse_u64(s, comma, &g) || !cli_parse_u64(s + comma + 1, equals - comma - 1, &b)) return false;
    if (g > UINT32_MAX || b > UINT32_MAX) return false;
    *group = (uint32_t)g;
    *binding = (uint32_t)b;
    *rest = s + equals + 1;
    return **rest != 0;
}

static int parse_u32(const char *option, const char *value, uint32_t *out)
{
    uint64_t n;
    if (!cli_parse_u64(value, strlen(value), &n) || n == 0 || n > UINT32_MAX)
        return fail_value(option, value, "a whole number from 1");
    *out = (uint32_t)n;
    return CLI_DONE;
}

/* A count beyond 32 bits is well written, but over every device's limit: the input is bad, not the command line. */
static int parse_dispatch(const char *value, uint32_t groups[3])
{
    const char *at = value;
    int n = 0;
    for (;; n++) {
        uint64_t count;
        size_t len = strcspn(at, ",");
        if (n == 3 || !cli_parse_u64(at, len, &count)) return fail_value("dispatch", value, "X, X,Y or X,Y,Z");
        if (count > UINT32_MAX) {
            cli_error("--dispatch %s: no device takes %llu workgroups in one dimension", value,
                      (unsigned long long)count);
            return CLI_BAD_INPUT;
        }
        groups[n] = (uint32_t)count;
        if (!at[len]) return CLI_DONE;
        at += len + 1;
    }
}

static int parse_timeout(const char *value, double *out)
{
    const double least = 1e-9, most = 1e9; /* a nanosecond; some thirty years, which keeps nanoseconds in 64 bits */
    if (!cli_parse_number(value, strlen(value), out) || !(*out >= least) || *out > most)
        return fail_value("timeout", value, "seconds above 0, as in 1.5");
    return CLI_DONE;
}

static int parse_extent(const char *value, bool *coarse)
{
    *coarse = strcmp(value, "coarse") == 0;
    return *coarse || strcmp(value, "exact") == 0 ? CLI_DONE : fail_value("extent", value, "exact or coarse");
}

static int parse_seed(const char *value, uint64_t *out)
{
    return cli_parse_u64(value, strlen(value), out)
               ? CLI_DONE
               : fail_value("seed", value, "a whole number from 0 to 18446744073709551615");
}

static int parse_tolerance(const char *value, double *out)
{
    if (!cli_parse_number(value, strlen(value), out) || !(*out >= 0 && *out <= 1))
        return fail_value("tolerance", value, "from 0 to 1, as in 1e-3");
    if (*out == 0) *out = -1; /* what the API calls equal bits */
    return CLI_DONE;
}

/* ---- Lists ----------------------------------------------------------------------------------------------------- */

/* NAME=V or ID=V; the name is a copy. */
static int add_set(struct run_args *a, const char *value)
{
    size_t len = strcspn(value, "=");
    uint64_t id;
    tsr_override_value *v = &a->sets[a->set_count];
    if (!len || !value[len] || !cli_parse_number(value + len + 1, strlen(value + len + 1), &v->value))
        return fail_value("set", value, "NAME=NUMBER, as in TILE=16");
    if (cli_parse_u64(value, len, &id)) {
        if (id > UINT16_MAX) return fail_value("set", value, "an @id of at most 65535");
        v->id = (uint32_t)id;
    } else {
        char *name = malloc(len + 1);
        if (!name) return CLI_ENVIRONMENT;
        memcpy(name, value, len);
        name[len] = 0;
        v->name = name;
    }
    a->set_count++;
    return CLI_DONE;
}

/* --bind and --expect. */
static int add_bind(const char *option, struct run_bind *list, size_t *count, const char *value)
{
    struct run_bind *b = &list[*count];
    b->text = value;
    if (!parse_slot(value, &b->group, &b->binding, &b->spec))
        return fail_value(option, value, "GROUP,BINDING=WHAT, as in 0,1=in.npy or 0,1=zeros:f32:4096");
    for (size_t i = 0; i < *count; i++) {
        if (list[i].group != b->group || list[i].binding != b->binding) continue;
        cli_error("--%s %u,%u is given twice", option, (unsigned)b->group, (unsigned)b->binding);
        return CLI_BAD_COMMAND;
    }
    ++*count;
    return CLI_DONE;
}

static int add_out(struct run_args *a, const char *value)
{
    const char *rest;
    struct run_out *o = &a->outs[a->out_count];
    o->text = value;
    if (!parse_slot(value, &o->group, &o->binding, &rest) || !cli_parse_out(rest, &o->spec))
        return fail_value("out", value, "GROUP,BINDING=FILE.npy[:TYPE[:SHAPE]], as in 0,2=d.npy:f32:48x80");
    a->out_count++;
    for (size_t i = 0; i + 1 < a->out_count; i++) {
        if (!cli_same_file(a->outs[i].spec.path, o->spec.path)) continue;
        cli_error("two --out options write %s", o->spec.path);
        return CLI_BAD_COMMAND;
    }
    return CLI_DONE;
}

static int take_arg(struct run_args *a, int id, const char *value)
{
    switch (id) {
    case ARG_entry: a->entry = value; return CLI_DONE;
    case ARG_device: a->device = value; return CLI_DONE;
    case ARG_json: a->json = true; return CLI_DONE;
    case ARG_validate: a->validate = true; return CLI_DONE;
    case ARG_exact_bits: a->exact_bits = true; return CLI_DONE;
    case ARG_dump: return run_parse_dump(value, &a->dump);
    case ARG_profile: a->profile_file = value; return CLI_DONE;
    case ARG_set: return add_set(a, value);
    case ARG_bind: return add_bind("bind", a->binds, &a->bind_count, value);
    case ARG_expect: return add_bind("expect", a->expects, &a->expect_count, value);
    case ARG_sanitize: return run_parse_checks(value, &a->sanitize.checks);
    case ARG_oob: return run_parse_oob(value, &a->sanitize.oob);
    case ARG_extent: return parse_extent(value, &a->sanitize.coarse_extent);
    case ARG_orders: return parse_u32("orders", value, &a->sanitize.orders);
    case ARG_seed: return parse_seed(value, &a->sanitize.seed);
    case ARG_tolerance: return parse_tolerance(value, &a->tolerance);
    case ARG_out: return add_out(a, value);
    case ARG_dispatch: return parse_dispatch(value, a->groups);
    case ARG_subgroup_size: return parse_u32("subgroup-size", value, &a->subgroup_size);
    case ARG_threads: return parse_u32("threads", value, &a->threads);
    case ARG_timeout: return parse_timeout(value, &a->timeout_s);
    default: break;
    }
    if (a->path) {
        cli_error("%s: one program at a time; %s was given already", value, a->path);
        return CLI_BAD_COMMAND;
    }
    a->path = value;
    return CLI_DONE;
}

/* An option that changes another one is of no use without it. */
static int check_owners(const struct run_args *a, const bool *given)
{
    static const struct {
        int option, check; /* of --sanitize */
        const char *name, *owner;
    } rows[] = {{ARG_extent, TSR_CHECK_BOUNDS, "extent", "--sanitize=bounds"},
                {ARG_orders, TSR_CHECK_ORDER, "orders", "--sanitize=order"},
                {ARG_seed, TSR_CHECK_ORDER, "seed", "--sanitize=order"},
                {ARG_tolerance, 0, "tolerance", "--expect"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool has_owner = rows[i].check ? (a->sanitize.checks & (uint32_t)rows[i].check) != 0 : a->expect_count > 0;
        if (!given[rows[i].option] || has_owner) continue;
        cli_error("--%s does nothing without %s", rows[i].name, rows[i].owner);
        return CLI_BAD_COMMAND;
    }
    return CLI_DONE;
}

int run_parse(const struct cli_command *self, const char *path, int argc, char **argv, struct run_args *out, bool *help)
{
    struct cli_args args = {.command = self, .argc = argc, .argv = argv};
    bool given[ARG_COUNT] = {false};
    *out = (struct run_args){.path = path, .groups = {1, 1, 1}};
    out->sets = calloc((size_t)argc + 1, sizeof *out->sets); /* no list is longer than the command line */
    out->binds = calloc((size_t)argc + 1, sizeof *out->binds);
    out->outs = calloc((size_t)argc + 1, sizeof *out->outs);
    out->expects = calloc((size_t)argc + 1, sizeof *out->expects);
    if (!out->sets || !out->binds || !out->outs || !out->expects) {
        cli_error("out of memory");
        return CLI_ENVIRONMENT;
    }
    const char *value = NULL;
    for (int id; (id = cli_next(&args, &value)) != CLI_ARG_END;) {
        if (id == CLI_ARG_BAD) return CLI_BAD_COMMAND;
        if (id == CLI_ARG_HELP) {
            *help = true;
            return CLI_DONE;
        }
        int status = take_arg(out, id, value);
        if (status != CLI_DONE) return status;
        if (id > 0 && id < ARG_COUNT) given[id] = true;
    }
    if (out->path) return check_owners(out, given);
    cli_error("which program? tessera run FILE.wgsl; see `tessera run --help`");
    return CLI_BAD_COMMAND;
}

void run_args_fini(struct run_args *a)
{
    for (size_t i = 0; i < a->set_count; i++)
        free((char *)a->sets[i].name);
    for (size_t i = 0; i < a->out_count; i++)
        free(a->outs[i].spec.path);
    free(a->sets);
    free(a->binds);
    free(a->expects);
    free(a->outs);
}
