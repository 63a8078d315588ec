/* `tessera verify`: does a device compute what it should? Every configuration that it advertises, also those that WGSL
 * cannot spell, at every subgroup size, with patterns made to catch mistakes; then which numerics it shows. */
#include "cli.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum {
    ARG_device = 1,
    ARG_profile,
    ARG_subgroup_size,
    ARG_config,
    ARG_quick,
    ARG_validate,
    ARG_json,
    NAME_BYTES = 128,
    SIZES_MAX = 16
};
static const struct cli_option options[] = {
    {"device", "NAME", "Which device (default: the first of `tessera devices`).", ARG_device},
    {"profile", "FILE.json", "Take profile:NAME from that file instead of those that ship.", ARG_profile},
    {"subgroup-size", "S", "Only at that subgroup size (default: at every one that the device has).",
     ARG_subgroup_size},
    {"config", "CONFIG", "Only that configuration, as `tessera devices` writes it.", ARG_config},
    {"quick", NULL, "All matrices row-major and all column-major only.", ARG_quick},
    {"validate", NULL, "Let the Vulkan validation layers watch; what they find ends the proof.", ARG_validate},
    {"json", NULL, "Print the table as JSON on standard output.", ARG_json},
};

/* What a device without a list of its own is tried with: every pair of types, m, n and k all different. */
static const char *const open_configs[] = {
    "8x16x4 f32*f32+f32->f32 subgroup",
    "16x8x32 f16*f16+f16->f16 subgroup",
    "16x8x32 f16*f16+f32->f32 subgroup",
    "16x8x32 bf16*bf16+f32->f32 subgroup",
    "16x8x32 f8e4m3*f8e4m3+f32->f32 subgroup",
    "16x8x32 f8e5m2*f8e5m2+f32->f32 subgroup",
    "16x8x32 s8*s8+s32->s32 subgroup",
    "16x8x32 u8*u8+u32->u32 subgroup",
    "16x8x32 u8*s8+s32->s32 subgroup",
    "16x8x32 s8*u8+s32->s32 subgroup",
    "16x8x32 s8*s8+s32->s32 subgroup saturating",
    "8x16x4 s32*s32+s32->s32 subgroup",
    "8x16x4 u32*u32+u32->u32 subgroup",
    "12x20x28 f32*f32+f32->f32 subgroup",
};
static const uint32_t open_sizes[] = {4, 8, 16, 32, 64, 128};

struct verify_state {
    const char *device, *profile_file;
    tsr_config only;
    bool has_only, quick, validate, json;
    uint32_t sizes[SIZES_MAX];
    size_t size_count;
    tsr_config *configs;
    size_t config_count, advertised;
    size_t counts[TSR_DOES_NOT_FIT + 1];
    json_t *rows, *numerics;
};

static int open_device(const struct verify_state *s, uint32_t subgroup_size, tsr_device **out)
{
    const tsr_device_args args = {
        .subgroup_size = subgroup_size, .profile_file = s->profile_file, .validate = s->validate};
    tsr_status st = tsr_device_open(s->device, &args, out);
    if (st == TSR_ERR_INVALID) {
        cli_error("%s", tsr_last_error());
        return CLI_BAD_COMMAND;
    }
    return st == TSR_OK ? CLI_DONE : cli_fail(st);
}

/* The configurations and subgroup sizes to try. */
static int list_work(struct verify_state *s)
{
    tsr_device *dev;
    int exit_status = open_device(s, s->size_count ? s->sizes[0] : 0, &dev);
    if (exit_status != CLI_DONE) return exit_status;
    const tsr_support *support = tsr_device_support(dev);
    size_t count = s->has_only ? 1 : support->open ? sizeof open_configs / sizeof *open_configs : support->config_count;
    s->configs = calloc(count + 1, sizeof *s->configs);
    s->config_count = s->configs ? count : 0;
    s->advertised = support->open || s->has_only ? count : support->advertised;
    for (size_t i = 0; i < s->config_count; i++) {
        if (s->has_only)
            s->configs[i] = s->only;
        else if (support->open)
            tsr_config_parse(open_configs[i], &s->configs[i]);
        else
            s->configs[i] = support->configs[i];
    }
    if (s->size_count == 0) {
        const uint32_t *sizes = support->open ? open_sizes : support->subgroup_sizes;
        size_t have = support->open ? sizeof open_sizes / sizeof *open_sizes : support->subgroup_size_count;
        for (size_t i = 0; i < have && i < SIZES_MAX; i++)
            s->sizes[s->size_count++] = sizes[i];
        if (s->size_count == 0) s->sizes[s->size_count++] = tsr_device_subgroup_size(dev);
    }
    tsr_device_free(dev);
    if (s->configs) return CLI_DONE;
    cli_error("out of memory");
    return CLI_ENVIRONMENT;
}

static void print_row(const tsr_verify_row *r)
{
    char name[NAME_BYTES];
    tsr_config_name(&r->config, name, sizeof name);
    printf("%-46s %4u  %-7s %-13s", name, (unsigned)r->subgroup_size, tsr_regime_name(r->regime),
           tsr_conformance_name(r->verdict));
    if (r->runs == 0)
        printf(" %s\n", r->text);
    else if (r->verdict == TSR_CONFORMS)
        printf(" %5u runs, worst error %.3g of %.3g (%.2f ULP)\n", (unsigned)r->runs, r->worst.error, r->worst.bound,
               r->worst.ulps);
    else
        printf(" %u of %u runs; first: element %llu is %.9g, not %.9g (bound %.3g), %s%s%s\n", (unsigned)r->failed_runs,
               (unsigned)r->runs, (unsigned long long)r->worst.worst, r->worst.got, r->worst.want, r->worst.bound,
               r->worst_case, r->text[0] ? "; " : "", r->text);
}

static json_t *json_row(const tsr_verify_row *r)
{
    char name[NAME_BYTES];
    tsr_config_name(&r->config, name, sizeof name);
    return json_pack("{s:s, s:I, s:s, s:s, s:I, s:I, s:f, s:f, s:f, s:s, s:o}", "config", name, "subgroup_size",
                     (json_int_t)r->subgroup_size, "regime", tsr_regime_name(r->regime), "verdict",
                     tsr_conformance_name(r->verdict), "runs", (json_int_t)r->runs, "failed_runs",
                     (json_int_t)r->failed_runs, "worst_error", r->worst.error, "bound", r->worst.bound, "ulps",
                     r->worst.ulps, "worst_case", r->worst_case, "text", cli_json_text(r->text));
}

static void report_numerics(struct verify_state *s, tsr_device *dev, const tsr_config *cfg)
{
    tsr_numerics n;
    char name[NAME_BYTES];
    if (tsr_verify_numerics(dev, cfg, &n) != TSR_OK) return; /* integers, and what cannot be run */
    tsr_config_name(cfg, name, sizeof name);
    if (s->json) {
        json_array_append_new(s->numerics,
                              json_pack("{s:s, s:I, s:s, s:b, s:b, s:b, s:b, s:b, s:I, s:I}", "config", name,
                                        "subgroup_size", (json_int_t)tsr_device_subgroup_size(dev), "model", n.model,
                                        "rounds_to_nearest", n.rounds_to_nearest, "sum_starts_at_c", n.sum_starts_at_c,
                                        "products_fused", n.products_fused, "keeps_subnormals", n.keeps_subnormals,
                                        "survives_overflow", n.survives_overflow, "exact_block",
                                        (json_int_t)n.exact_block, "extra_bits", (json_int_t)n.extra_bits));
        return;
    }
    printf("    numerics: model %s; rounds %s, %s, products %s, subnormals %s, sums %s, blocks of %u", n.model,
           n.rounds_to_nearest ? "to nearest" : "toward zero", n.sum_starts_at_c ? "starts at C" : "C not first",
           n.products_fused ? "exact" : "rounded", n.keeps_subnormals ? "kept" : "flushed",
           n.survives_overflow ? "may leave the range and return" : "overflow at once", (unsigned)n.exact_block);
    if (n.exact_block > 1) printf(" with %u extra bits", (unsigned)n.extra_bits);
    printf("\n");
}

static int verify_size(struct verify_state *s, uint32_t subgroup_size, bool with_numerics)
{
    tsr_device *dev;
    int exit_status = open_device(s, subgroup_size, &dev);
    for (size_t i = 0; exit_status == CLI_DONE && i < s->config_count; i++) {
        tsr_verify_row row;
        tsr_status st = tsr_verify_config(dev, &s->configs[i], s->quick, &row);
        if (st != TSR_OK) {
            exit_status = cli_fail(st);
            break;
        }
        s->counts[row.verdict]++;
        if (s->json)
            json_array_append_new(s->rows, json_row(&row));
        else
            print_row(&row);
        if (with_numerics && row.runs) report_numerics(s, dev, &s->configs[i]);
    }
    if (exit_status != CLI_BAD_COMMAND && dev) tsr_device_free(dev);
    return exit_status;
}

static int finish(struct verify_state *s)
{
    size_t good = s->counts[TSR_CONFORMS], bad = s->counts[TSR_FAILS], refused = s->counts[TSR_REFUSED];
    size_t unsaid = s->counts[TSR_NOT_EXPRESSED], unfit = s->counts[TSR_DOES_NOT_FIT];
    /* A device that refuses what it advertises is as wrong as one that computes it wrongly. */
    int exit_status = bad || refused || good == 0 ? CLI_BAD_INPUT : CLI_DONE;
    if (s->json) {
        json_t *root =
            json_pack("{s:s, s:I, s:I, s:O, s:O, s:{s:I, s:I, s:I, s:I, s:I}}", "device",
                      s->device ? s->device : tsr_device_list_name(0), "advertised", (json_int_t)s->advertised, "kept",
                      (json_int_t)s->config_count, "rows", s->rows, "numerics", s->numerics, "summary", "conforms",
                      (json_int_t)good, "fails", (json_int_t)bad, "refused", (json_int_t)refused, "not_expressed",
                      (json_int_t)unsaid, "does_not_fit", (json_int_t)unfit);
        return cli_json_print(root, exit_status);
    }
    printf("\n%zu configurations advertised, %zu known here: %zu rows conform, %zu fail, %zu refused, %zu not "
           "expressed, %zu "
           "do not fit the subgroup\n",
           s->advertised, s->config_count, good, bad, refused, unsaid, unfit);
    return cli_close_stdout(exit_status);
}

static int verify_all(struct verify_state *s)
{
    int exit_status = list_work(s);
    if (exit_status != CLI_DONE) return exit_status;
    if (!s->json) printf("%-46s %4s  %-7s %-13s\n", "configuration", "sg", "regime", "verdict");
    for (size_t i = 0; i < s->size_count && exit_status == CLI_DONE; i++)
        exit_status = verify_size(s, s->sizes[i], i == 0);
    return exit_status == CLI_DONE ? finish(s) : exit_status;
}

static int set_size(struct verify_state *s, const char *value)
{
    uint64_t size;
    if (cli_parse_u64(value, strlen(value), &size) && size > 0 && size <= UINT32_MAX) {
        s->sizes[0] = (uint32_t)size, s->size_count = 1;
        return CLI_DONE;
    }
    cli_error("--subgroup-size takes a positive number, not %s", value);
    return CLI_BAD_COMMAND;
}

static int set_config(struct verify_state *s, const char *value)
{
    s->has_only = tsr_config_parse(value, &s->only) == TSR_OK;
    if (s->has_only) return CLI_DONE;
    cli_error("%s is no configuration; they are written like \"16x16x16 f16*f16+f32->f32 subgroup\"", value);
    return CLI_BAD_COMMAND;
}

static int read_args(const struct cli_command *self, int argc, char **argv, struct verify_state *s)
{
    struct cli_args args = {.command = self, .argc = argc, .argv = argv};
    const char *value;
    for (int id = cli_next(&args, &value); id != CLI_ARG_END; id = cli_next(&args, &value)) {
        int exit_status = CLI_DONE;
        switch (id) {
        case CLI_ARG_HELP: return -1;
        case CLI_ARG_BAD: return CLI_BAD_COMMAND;
        case CLI_ARG_POSITIONAL: cli_error("verify takes no file: %s", value); return CLI_BAD_COMMAND;
        case ARG_device: s->device = value; break;
        case ARG_profile: s->profile_file = value; break;
        case ARG_subgroup_size: exit_status = set_size(s, value); break;
        case ARG_config: exit_status = set_config(s, value); break;
        case ARG_quick: s->quick = true; break;
        case ARG_validate: s->validate = true; break;
        default: s->json = true; break;
        }
        if (exit_status != CLI_DONE) return exit_status;
    }
    return CLI_DONE;
}

static int run_verify(const struct cli_command *self, int argc, char **argv)
{
    struct verify_state s = {.rows = json_array(), .numerics = json_array()};
    int exit_status = read_args(self, argc, argv, &s);
    if (exit_status == CLI_DONE) exit_status = verify_all(&s);
    json_decref(s.rows);
    json_decref(s.numerics);
    free(s.configs);
    return exit_status < 0 ? cli_close_stdout(CLI_DONE) : exit_status;
}

const struct cli_command cli_verify = {
    .name = "verify",
    .summary = "Prove that a device computes what it should.",
    .usage = "[options]",
    .details =
        "Each configuration runs with nine patterns (100i+j, identity, sign flips, extremes, sums near the\n"
        "greatest f16, subnormals, heavy tails, random, constants) in both majornesses of each matrix, with tight,\n"
        "odd and wide strides and offsets. Strict ones must be right bit for bit, bounded ones within the derived\n"
        "bound; what the back end cannot express is no pass. Then small inputs show the numerics: rounding,\n"
        "order, blocks, subnormals, overflow, and the model that gives the same bits (docs/numerics.md).\n",
    .examples = "  tessera verify\n"
                "  tessera verify --device profile:nv-h200-580 --quick\n"
                "  tessera verify --config \"16x16x16 f16*f16+f32->f32 subgroup\" --subgroup-size 32 --json\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run_verify,
};
