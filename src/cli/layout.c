/* `tessera layout`: which invocation holds which element of a matrix, where that is known; in the terminal and as SVG.
 */
#include "profile.h"

#include <stdlib.h>
#include <string.h>

enum { ARG_device = 1, ARG_subgroup_size, ARG_svg, ARG_list, CONFIG_NAME_BYTES = 128, USE_COUNT = 3 };
enum { CELL_WIDTH = 44, CELL_HEIGHT = 22, MARGIN = 40, HEAD = 60 }; /* of the drawing, in pixels */
static const struct cli_option options[] = {
    {"device", "NAME", "The device: a profile (`tessera devices --all`).", ARG_device},
    {"subgroup-size", "S", "Only a layout for that subgroup size.", ARG_subgroup_size},
    {"svg", "FILE.svg", "Write a drawing too.", ARG_svg},
    {"list", NULL, "List all layouts that are known.", ARG_list},
};

static const char warning[] =
    "No portable program may rely on this: the APIs leave the layout open, and drivers change it.";

struct layout_args {
    const char *device, *svg;
    char **words;
    int word_count;
    uint32_t subgroup_size;
    bool list;
    tsr_config config;
};

/* One matrix: the first holder of each element. */
struct layout_grid {
    tsr_layout_info info;
    uint32_t *lane, *element; /* by row and column */
};

/* ---- Grids ----------------------------------------------------------------------------------------------------- */

static void free_grid(struct layout_grid *g)
{
    free(g->lane);
    free(g->element);
}

static int fill_grid(size_t layout, struct layout_grid *g)
{
    uint32_t row, col;
    tsr_layout_get(layout, &g->info);
    size_t count = (size_t)g->info.rows * g->info.cols;
    g->lane = calloc(count, sizeof *g->lane);
    g->element = calloc(count, sizeof *g->element);
    if (!g->lane || !g->element) {
        cli_error("out of memory");
        return CLI_ENVIRONMENT;
    }
    for (uint32_t l = g->info.subgroup_size; l-- > 0;) { /* from the last, so that the first holder stays */
        for (uint32_t e = g->info.length; e-- > 0;) {
            tsr_layout_place(layout, l, e, &row, &col);
            if (row >= g->info.rows || col >= g->info.cols) continue;
            g->lane[row * g->info.cols + col] = l;
            g->element[row * g->info.cols + col] = e;
        }
    }
    return CLI_DONE;
}

/* ---- Text ------------------------------------------------------------------------------------------------------ */

static void print_grid(const struct layout_grid *g)
{
    const tsr_layout_info *info = &g->info;
    printf("\n%s, %ux%u: %u elements in each of %u invocations", tsr_use_name(info->use), (unsigned)info->rows,
           (unsigned)info->cols, (unsigned)info->length, (unsigned)info->subgroup_size);
    if (info->copies > 1) printf(", each element held %u times (the first is shown)", (unsigned)info->copies);
    printf("\n  layout %s; source: %s\n\n       ", info->name, info->source);
    for (uint32_t c = 0; c < info->cols; c++)
        printf("%7u", (unsigned)c);
    printf("\n");
    for (uint32_t r = 0; r < info->rows; r++) {
        printf("  %4u ", (unsigned)r);
        for (uint32_t c = 0; c < info->cols; c++) {
            char cell[32];
            snprintf(cell, sizeof cell, "%u.%u", (unsigned)g->lane[r * info->cols + c],
                     (unsigned)g->element[r * info->cols + c]);
            printf("%7s", cell);
        }
        printf("\n");
    }
}

static void print_list(void)
{
    tsr_layout_info info;
    for (size_t i = 0; i < tsr_layout_count(); i++) {
        tsr_layout_get(i, &info);
        printf("%-24s %-11s %3ux%-3u %3u invocations, %3u elements each%s  %s\n", info.name, tsr_use_name(info.use),
               (unsigned)info.rows, (unsigned)info.cols, (unsigned)info.subgroup_size, (unsigned)info.length,
               info.copies > 1 ? ", with copies" : "", info.components);
    }
}

/* ---- SVG ------------------------------------------------------------------------------------------------------- */

static void draw_cell(FILE *to, const struct layout_grid *g, uint32_t r, uint32_t c, uint32_t top)
{
    uint32_t lane = g->lane[r * g->info.cols + c];
    unsigned hue = (unsigned)((uint64_t)lane * 360 / g->info.subgroup_size);
    unsigned x = MARGIN + c * CELL_WIDTH, y = top + r * CELL_HEIGHT;
    fprintf(to,
            "<rect x=\"%u\" y=\"%u\" width=\"%d\" height=\"%d\" fill=\"hsl(%u,65%%,%d%%)\"/>"
            "<text x=\"%u\" y=\"%u\">%u.%u</text>\n",
            x, y, CELL_WIDTH, CELL_HEIGHT, hue, lane % 2 ? 78 : 88, x + CELL_WIDTH / 2, y + CELL_HEIGHT / 2 + 4,
            (unsigned)lane, (unsigned)g->element[r * g->info.cols + c]);
}

static void draw_grid(FILE *to, const struct layout_grid *g, uint32_t top)
{
    fprintf(to, "<text x=\"%d\" y=\"%u\" class=\"t\">%s, %ux%u (%s)</text>\n", MARGIN, (unsigned)top - 10,
            tsr_use_name(g->info.use), (unsigned)g->info.rows, (unsigned)g->info.cols, g->info.name);
    for (uint32_t r = 0; r < g->info.rows; r++)
        for (uint32_t c = 0; c < g->info.cols; c++)
            draw_cell(to, g, r, c, top);
}

static void draw_all(FILE *to, const struct layout_args *a, const struct layout_grid *grids)
{
    char name[CONFIG_NAME_BYTES];
    uint32_t width = 0, height = HEAD, top = HEAD + 30;
    for (int i = 0; i < USE_COUNT; i++) {
        if (grids[i].info.cols > width) width = grids[i].info.cols;
        height += grids[i].info.rows * CELL_HEIGHT + 50;
    }
    tsr_config_name(&a->config, name, sizeof name);
    fprintf(to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" font-family=\"sans-serif\">\n"
            "<style>rect{stroke:#555;stroke-width:.5}text{font-size:11px;text-anchor:middle}"
            ".t{font-size:14px;text-anchor:start}</style>\n"
            "<text x=\"%d\" y=\"24\" class=\"t\">%.*s&gt;%s on %s: invocation.element</text>\n"
            "<text x=\"%d\" y=\"44\" class=\"t\">%s</text>\n",
            (unsigned)(width * CELL_WIDTH + 2 * MARGIN > 820 ? width * CELL_WIDTH + 2 * MARGIN : 820), (unsigned)height,
            MARGIN, (int)strcspn(name, ">"), name, strchr(name, '>') + 1, a->device, MARGIN, warning);
    for (int i = 0; i < USE_COUNT; i++) {
        draw_grid(to, &grids[i], top);
        top += grids[i].info.rows * CELL_HEIGHT + 50;
    }
    fputs("</svg>\n", to);
}

static int write_svg(const struct layout_args *a, const struct layout_grid *grids)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *to = open_memstream(&text, &bytes);
    if (!to) return cli_fail(TSR_ERR_MEMORY);
    draw_all(to, a, grids);
    if (fclose(to) != 0 || !text) {
        free(text);
        cli_error("out of memory while drawing");
        return CLI_ENVIRONMENT;
    }
    struct cli_output out = {.path = a->svg, .data = text, .data_bytes = bytes};
    int status = cli_write_outputs(&out, 1);
    free(text);
    return status;
}

/* ---- The command ----------------------------------------------------------------------------------------------- */

/* A whole name in one word, or a shape and the types of A and the result. */
static int parse_config(struct layout_args *a)
{
    char name[CONFIG_NAME_BYTES];
    if (a->word_count == 1)
        snprintf(name, sizeof name, "%s", a->words[0]);
    else if (a->word_count == 3)
        snprintf(name, sizeof name, "%.30s %.12s*%.12s+%.12s->%.12s subgroup", a->words[0], a->words[1], a->words[1],
                 a->words[2], a->words[2]);
    else
        name[0] = 0;
    if (tsr_config_parse(name, &a->config) == TSR_OK) return CLI_DONE;
    cli_error("write the configuration as 16x16x16 f16 f32 (types of A and the result), or as "
              "'16x16x16 f16*f16+f32->f32 subgroup'");
    return CLI_BAD_COMMAND;
}

/* One size for all three matrices: the asked one, else the first for which all three are known. */
static bool find_layouts(const struct layout_args *a, uint32_t size, size_t layouts[USE_COUNT])
{
    for (int u = 0; u < USE_COUNT; u++)
        if (tsr_layout_find(a->device, &a->config, (tsr_use)u, size, &layouts[u]) != TSR_OK) return false;
    return true;
}

static bool find_any(const struct layout_args *a, size_t layouts[USE_COUNT])
{
    tsr_layout_info info;
    if (a->subgroup_size) return find_layouts(a, a->subgroup_size, layouts);
    if (tsr_layout_find(a->device, &a->config, TSR_USE_ACCUMULATOR, 0, &layouts[2]) != TSR_OK) return false;
    tsr_layout_get(layouts[2], &info);
    return find_layouts(a, info.subgroup_size, layouts);
}

static int show_layouts(const struct layout_args *a)
{
    size_t layouts[USE_COUNT];
    struct layout_grid grids[USE_COUNT] = {0};
    char name[CONFIG_NAME_BYTES];
    int status = CLI_DONE;
    if (!find_any(a, layouts)) return cli_fail(TSR_ERR_UNSUPPORTED);
    for (int u = 0; u < USE_COUNT && status == CLI_DONE; u++)
        status = fill_grid(layouts[u], &grids[u]);
    if (status == CLI_DONE) {
        tsr_config_name(&a->config, name, sizeof name);
        printf("%s on %s: which invocation (before the point) holds an element, and as which of its own\n", name,
               a->device);
        for (int u = 0; u < USE_COUNT; u++)
            print_grid(&grids[u]);
        printf("\n%s\n", warning);
        if (a->svg) status = write_svg(a, grids);
    }
    for (int u = 0; u < USE_COUNT; u++)
        free_grid(&grids[u]);
    return status;
}

/* The device must have the configuration; what its record leaves open may still be drawn. */
static int check_device(const struct layout_args *a)
{
    tsr_profiles *p;
    tsr_profile_info info;
    char name[CONFIG_NAME_BYTES];
    size_t i;
    int status = cli_profiles_load(NULL, &p);
    if (status != CLI_DONE) return status;
    tsr_status st = tsr_profiles_find(p, a->device, &i);
    if (st == TSR_OK) {
        tsr_profiles_get(p, i, &info);
        tsr_verdict v = tsr_support_verdict(&info.support, &a->config);
        tsr_config_name(&a->config, name, sizeof name);
        if (v != TSR_VERDICT_YES && v != TSR_VERDICT_UNKNOWN) {
            cli_error("%s has no configuration %s; `tessera devices %s` lists them", a->device, name, a->device);
            status = CLI_BAD_INPUT;
        }
    } else {
        status = cli_fail(st);
    }
    tsr_profiles_free(p);
    return status;
}

static int take_arg(struct layout_args *a, int id, const char *value)
{
    uint64_t n;
    switch (id) {
    case ARG_device: a->device = strncmp(value, "profile:", 8) == 0 ? value + 8 : value; return CLI_DONE;
    case ARG_svg: a->svg = value; return CLI_DONE;
    case ARG_list: a->list = true; return CLI_DONE;
    case ARG_subgroup_size:
        if (!cli_parse_u64(value, strlen(value), &n) || n == 0 || n > 1024) {
            cli_error("--subgroup-size %s: it must be a whole number from 1", value);
            return CLI_BAD_COMMAND;
        }
        a->subgroup_size = (uint32_t)n;
        return CLI_DONE;
    default: a->words[a->word_count++] = (char *)value; return CLI_DONE;
    }
}

static int run_layout(const struct cli_command *self, int argc, char **argv)
{
    struct cli_args args = {.command = self, .argc = argc, .argv = argv};
    struct layout_args a = {.words = argv};
    const char *value = NULL;
    int status = CLI_DONE;
    for (int id; status == CLI_DONE && (id = cli_next(&args, &value)) != CLI_ARG_END;) {
        if (id == CLI_ARG_BAD) return CLI_BAD_COMMAND;
        if (id == CLI_ARG_HELP) return cli_close_stdout(CLI_DONE);
        status = take_arg(&a, id, value);
    }
    if (status == CLI_DONE && a.list) {
        print_list();
        return cli_close_stdout(CLI_DONE);
    }
    if (status == CLI_DONE) status = parse_config(&a);
    if (status == CLI_DONE && !a.device) {
        cli_error("--device is missing: the layout is the device's own");
        status = CLI_BAD_COMMAND;
    }
    if (status == CLI_DONE && a.svg) status = cli_check_output(a.svg);
    if (status == CLI_DONE) status = check_device(&a);
    if (status == CLI_DONE) status = show_layouts(&a);
    return cli_close_stdout(status);
}

const struct cli_command cli_layout = {
    .name = "layout",
    .summary = "Show which invocation holds which element of a matrix, where that is known.",
    .usage = "CONFIGURATION --device NAME [options]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .details = "A CONFIGURATION is a shape and the types of A and the result, or a whole name in quotes.\n"
               "No portable program may rely on what is shown: it helps to read other code and to find bugs.\n",
    .examples = "  tessera layout 16x8x16 f16 f32 --device nvk-ampere\n"
                "  tessera layout 16x16x16 f16 f32 --device radv-rdna4-all --subgroup-size 64 --svg rdna4.svg\n"
                "  tessera layout --list\n",
    .run = run_layout,
};
