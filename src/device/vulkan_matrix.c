/* The cooperative matrix configurations of a Vulkan device, in its own order: what the vocabulary can represent is
 * kept, everything else is kept as text with the reason, so that advertised and kept are both seen. */
#include "device/vulkan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* VkComponentTypeKHR, with the values of VK_KHR_shader_bfloat16, VK_EXT_shader_float8 and VK_NV_cooperative_vector.
 * TSR_COMPONENT_NONE: known, and not represented. */
static const struct {
    uint32_t value;
    tsr_component component;
    const char *name;
} components[] = {
    {0, TSR_F16, "f16"},
    {1, TSR_F32, "f32"},
    {2, TSR_F64, "f64"},
    {3, TSR_S8, "s8"},
    {4, TSR_COMPONENT_NONE, "s16"},
    {5, TSR_S32, "s32"},
    {6, TSR_COMPONENT_NONE, "s64"},
    {7, TSR_U8, "u8"},
    {8, TSR_COMPONENT_NONE, "u16"},
    {9, TSR_U32, "u32"},
    {10, TSR_COMPONENT_NONE, "u64"},
    {1000141000, TSR_BF16, "bf16"},
    {1000491000, TSR_COMPONENT_NONE, "s8-packed"},
    {1000491001, TSR_COMPONENT_NONE, "u8-packed"},
    {1000491002, TSR_F8E4M3, "f8e4m3"},
    {1000491003, TSR_F8E5M2, "f8e5m2"},
};

/* VkScopeKHR: device 1, workgroup 2, subgroup 3, queue family 5. */
static bool scope_of(uint32_t value, tsr_scope *out)
{
    switch (value) {
    case 1: *out = TSR_SCOPE_DEVICE; return true;
    case 2: *out = TSR_SCOPE_WORKGROUP; return true;
    case 3: *out = TSR_SCOPE_SUBGROUP; return true;
    case 5: *out = TSR_SCOPE_QUEUE_FAMILY; return true;
    default: return false;
    }
}

/* A configuration as the driver gives it. */
typedef struct raw_config {
    uint32_t size[3], types[4], saturating, scope;
} raw_config;

/* Its name in `text`; false with the reason in `why` when it cannot be represented. */
static bool read_raw(const raw_config *raw, tsr_config *out, vk_text *text, vk_text *why)
{
    tsr_component found[4] = {TSR_COMPONENT_NONE};
    char names[4][24], scope[24];
    why->text[0] = 0;
    for (int i = 0; i < 4; i++) {
        size_t c = 0;
        while (c < TSR_COUNT_OF(components) && components[c].value != raw->types[i])
            c++;
        bool is_known = c < TSR_COUNT_OF(components);
        snprintf(names[i], sizeof names[i], "type-%u", (unsigned)raw->types[i]);
        if (is_known) snprintf(names[i], sizeof names[i], "%s", components[c].name);
        if (is_known) found[i] = components[c].component;
        if (found[i] == TSR_COMPONENT_NONE)
            snprintf(why->text, sizeof why->text, "component %s%s is not %s", is_known ? "type " : "", names[i],
                     is_known ? "represented" : "known");
    }
    tsr_scope s = TSR_SCOPE_SUBGROUP;
    bool has_scope = scope_of(raw->scope, &s);
    snprintf(scope, sizeof scope, "scope-%u", (unsigned)raw->scope);
    if (!has_scope) snprintf(why->text, sizeof why->text, "%s is not known", scope);
    if (has_scope) snprintf(scope, sizeof scope, "%s", tsr_scope_name(s));
    snprintf(text->text, sizeof text->text, "%ux%ux%u %s*%s+%s->%s %s%s", (unsigned)raw->size[0],
             (unsigned)raw->size[1], (unsigned)raw->size[2], names[0], names[1], names[2], names[3], scope,
             raw->saturating ? " saturating" : "");
    *out = (tsr_config){
        {raw->size[0], raw->size[1], raw->size[2]}, found[0], found[1], found[2], found[3], raw->saturating != 0, s};
    return why->text[0] == 0;
}

/* ---- VK_KHR_cooperative_matrix. */

static void take_configs(vk_state *d, const vk_matrix_properties *list, uint32_t count)
{
    tsr_support *s = &d->head.caps.support;
    tsr_device_info *info = &d->head.info;
    for (uint32_t i = 0; i < count; i++) {
        const vk_matrix_properties *p = &list[i];
        const raw_config raw = {{p->m, p->n, p->k}, {p->a, p->b, p->c, p->r}, p->saturating, p->scope};
        vk_text *text = &d->unkept_text[2 * info->unkept_count], *why = text + 1;
        if (read_raw(&raw, &d->configs[s->config_count], text, why))
            s->config_count++;
        else
            d->unkept[info->unkept_count++] = (tsr_unkept){.position = i, .text = text->text, .why = why->text};
    }
    s->configs = d->configs;
    s->advertised = count;
    info->unkept = d->unkept;
}

tsr_status tsr_vk_list_configs(vk_state *d)
{
    uint32_t count = 0;
    if (!d->facts.has_matrix) return TSR_OK;
    vk_result r = d->host.api.get_matrices(d->physical, &count, NULL);
    if (r != VK_OK) return tsr_vk_fail(r, "listing matrix configurations");
    vk_matrix_properties *list = calloc(count + 1u, sizeof *list);
    d->configs = calloc(count + 1u, sizeof *d->configs);
    d->unkept = calloc(count + 1u, sizeof *d->unkept);
    d->unkept_text = calloc(2 * (size_t)count + 2, sizeof *d->unkept_text);
    bool has_memory = list && d->configs && d->unkept && d->unkept_text;
    for (uint32_t i = 0; has_memory && i < count; i++)
        list[i].type = VKS_COOPERATIVE_MATRIX_PROPERTIES;
    if (has_memory) r = d->host.api.get_matrices(d->physical, &count, list);
    if (has_memory && r == VK_OK) take_configs(d, list, count);
    free(list);
    if (!has_memory) return tsr_fail(TSR_ERR_MEMORY, "out of memory while listing matrix configurations");
    return r == VK_OK ? TSR_OK : tsr_vk_fail(r, "listing matrix configurations");
}

/* ---- VK_NV_cooperative_matrix2: told, not used. */

static void take_flexible(vk_state *d, const vk_flexible_properties *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const vk_flexible_properties *p = &list[i];
        const raw_config raw = {{p->m, p->n, p->k}, {p->a, p->b, p->c, p->r}, p->saturating, p->scope};
        tsr_flexible *f = &d->flexible[i];
        vk_text why, *text = &d->flexible_text[i];
        f->kept = read_raw(&raw, &f->config, text, &why);
        f->workgroup_invocations = p->invocations;
        f->text = text->text;
        size_t end = strlen(text->text);
        if (p->invocations)
            snprintf(text->text + end, sizeof text->text - end, ", %u invocations", (unsigned)p->invocations);
    }
    d->head.info.flexible = d->flexible;
    d->head.info.flexible_count = count;
}

tsr_status tsr_vk_list_flexible(vk_state *d)
{
    uint32_t count = 0;
    if (!d->facts.matrix_2.flexible || !d->host.api.get_flexible) return TSR_OK;
    vk_result r = d->host.api.get_flexible(d->physical, &count, NULL);
    if (r != VK_OK) return tsr_vk_fail(r, "listing flexible matrix dimensions");
    vk_flexible_properties *list = calloc(count + 1u, sizeof *list);
    d->flexible = calloc(count + 1u, sizeof *d->flexible);
    d->flexible_text = calloc(count + 1u, sizeof *d->flexible_text);
    bool has_memory = list && d->flexible && d->flexible_text;
    for (uint32_t i = 0; has_memory && i < count; i++)
        list[i].type = VKS_COOPERATIVE_MATRIX_FLEXIBLE_PROPERTIES;
    if (has_memory) r = d->host.api.get_flexible(d->physical, &count, list);
    if (has_memory && r == VK_OK) take_flexible(d, list, count);
    free(list);
    if (!has_memory) return tsr_fail(TSR_ERR_MEMORY, "out of memory while listing flexible matrix dimensions");
    return r == VK_OK ? TSR_OK : tsr_vk_fail(r, "listing flexible matrix dimensions");
}
