/* Fragment layouts: the rows of layout.def as functions, and finding the one that a device uses. */
#include "base/compiler.h"
#include "base/error.h"
#include "coopmat/caps.h"

#include <inttypes.h>
#include <string.h>

/* A row's two formulas; the names are layout.def's. */
struct place {
    uint32_t row, col;
};
typedef struct place place_element(uint32_t l, uint32_t e);

/* Each row becomes a function, named after the line it stands in. */
#define GLUE_(a, b) a##b
#define GLUE(a, b)  GLUE_(a, b)
#define LAYOUT(name, profiles, components, use, rows, cols, lanes, length, copies, row, col)                           \
    static struct place GLUE(place_, __LINE__)(uint32_t l, uint32_t e)                                                 \
    {                                                                                                                  \
        uint32_t g = l / 4 % 8, t = l % 4;                                                                             \
        (void)g, (void)t, (void)l, (void)e;                                                                            \
        return (struct place){row, col};                                                                               \
    }
#include "coopmat/layout.def"

struct layout {
    const char *profiles;
    tsr_layout_info info;
    place_element *place;
};

static const struct layout layouts[] = {
#define LAYOUT(row_name, on, of, with, row_count, col_count, lanes, count, times, row, col)                            \
    {.profiles = on,                                                                                                   \
     .info = {.name = row_name,                                                                                        \
              .components = of,                                                                                        \
              .use = TSR_USE_##with,                                                                                   \
              .rows = row_count,                                                                                       \
              .cols = col_count,                                                                                       \
              .subgroup_size = lanes,                                                                                  \
              .length = count,                                                                                         \
              .copies = times},                                                                                        \
     .place = GLUE(place_, __LINE__)},
#include "coopmat/layout.def"
};

/* Where a row is from, by how its name begins; layout.def says it in full. */
static const struct {
    const char *begin, *source;
} sources[] = {
    {"nv.", "PTX ISA, warp-level matrix instructions; NVIDIA/cutlass mma_traits_sm*.hpp"},
    {"nvk.", "Mesa, nak_nir_lower_cmat.c"},
    {"rdna", "ROCm/amd_matrix_instruction_calculator"},
    {"radv.", "Mesa, radv_nir_lower_cooperative_matrix.c"},
    {"cdna", "ROCm/amd_matrix_instruction_calculator"},
    {"intel.sycl.", "intel/sycl-tla, mma_traits_xe.hpp"},
    {"anv.", "Mesa, brw_nir_lower_cooperative_matrix.c"},
    {"apple.", "ml-explore/mlx, steel/attn/mma.h and steel/gemm/nax.h"},
    {"lavapipe.", "Mesa, lvp_nir_lower_cooperative_matrix.c"},
    {"mali.", "Mesa, panvk_nir_lower_cooperative_matrix.c (development)"},
};

static const char *find_source(const char *name)
{
    for (size_t i = 0; i < TSR_COUNT_OF(sources); i++)
        if (strncmp(name, sources[i].begin, strlen(sources[i].begin)) == 0) return sources[i].source;
    return "";
}

size_t tsr_layout_count(void)
{
    return TSR_COUNT_OF(layouts);
}

tsr_status tsr_layout_get(size_t i, tsr_layout_info *out)
{
    if (i >= TSR_COUNT_OF(layouts)) return tsr_fail(TSR_ERR_INVALID, "there is no layout number %zu", i);
    *out = layouts[i].info;
    out->source = find_source(out->name);
    return TSR_OK;
}

tsr_status tsr_layout_place(size_t i, uint32_t lane, uint32_t element, uint32_t *row, uint32_t *col)
{
    if (i >= TSR_COUNT_OF(layouts) || lane >= layouts[i].info.subgroup_size || element >= layouts[i].info.length)
        return tsr_fail(TSR_ERR_INVALID, "layout %zu has no element %" PRIu32 " of invocation %" PRIu32, i, element,
                        lane);
    struct place p = layouts[i].place(lane, element);
    *row = p.row;
    *col = p.col;
    return TSR_OK;
}

/* ---- Finding --------------------------------------------------------------------------------------------------- */

/* Whether `word` is one of the words of a list; a word of the list that ends in '*' stands for all that begin so. */
static bool has_word(const char *list, const char *word)
{
    while (*list) {
        size_t len = strcspn(list, " ");
        bool any_rest = list[len - 1] == '*';
        if (any_rest ? strncmp(list, word, len - 1) == 0 : strlen(word) == len && strncmp(list, word, len) == 0)
            return true;
        list += len + (list[len] == ' ');
    }
    return false;
}

tsr_status tsr_layout_find(const char *profile, const tsr_config *cfg, tsr_use use, uint32_t subgroup_size, size_t *out)
{
    tsr_config_fragments f = tsr_config_get_fragments(cfg);
    const tsr_fragment *fragment = use == TSR_USE_A ? &f.a : use == TSR_USE_B ? &f.b : &f.r;
    const char *component = tsr_component_name(fragment->component);
    for (size_t i = 0; i < TSR_COUNT_OF(layouts); i++) {
        const tsr_layout_info *info = &layouts[i].info;
        if (info->use != use || info->rows != tsr_fragment_rows(fragment) || info->cols != tsr_fragment_cols(fragment))
            continue;
        if (subgroup_size && info->subgroup_size != subgroup_size) continue;
        if (!has_word(layouts[i].profiles, profile) || !has_word(info->components, component)) continue;
        *out = i;
        return TSR_OK;
    }
    return tsr_fail(TSR_ERR_UNSUPPORTED,
                    "nothing is known of how %s spreads %s of %" PRIu32 "x%" PRIu32 " %s over its invocations", profile,
                    tsr_use_name(use), tsr_fragment_rows(fragment), tsr_fragment_cols(fragment), component);
}
