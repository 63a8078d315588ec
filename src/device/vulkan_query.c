/* What a Vulkan device can do, as it says itself: limits, features, subgroup sizes, memory. */
#include "device/vulkan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_EXTENSION_MATRIX        "VK_KHR_cooperative_matrix"
#define NAME_EXTENSION_BFLOAT16      "VK_KHR_shader_bfloat16"
#define NAME_EXTENSION_MATRIX_2      "VK_NV_cooperative_matrix2"
#define NAME_EXTENSION_RECONVERGENCE "VK_KHR_shader_maximal_reconvergence"

static void note_extensions(vk_api *api, vk_physical physical, vk_facts *f)
{
    uint32_t count = 0;
    if (api->enumerate_extensions(physical, NULL, &count, NULL) != VK_OK || count == 0) return;
    vk_extension *list = calloc(count, sizeof *list);
    if (!list) return;
    vk_result r = api->enumerate_extensions(physical, NULL, &count, list);
    for (uint32_t i = 0; i < count && (r == VK_OK || r == VK_INCOMPLETE); i++) {
        if (strcmp(list[i].name, NAME_EXTENSION_MATRIX) == 0) f->has_matrix = true;
        if (strcmp(list[i].name, NAME_EXTENSION_BFLOAT16) == 0) f->has_bfloat16 = true;
        if (strcmp(list[i].name, NAME_EXTENSION_MATRIX_2) == 0) f->has_matrix_2 = true;
        if (strcmp(list[i].name, NAME_EXTENSION_RECONVERGENCE) == 0) f->has_reconvergence = true;
    }
    free(list);
}

/* The chain of structures to ask: extensions' only when the device has them. */
static void link_features(vk_facts *f)
{
    void **next = &f->features.next;
    f->features.type = VKS_FEATURES_2;
    *next = &f->features_1_1, f->features_1_1.type = VKS_FEATURES_1_1, next = &f->features_1_1.next;
    *next = &f->features_1_2, f->features_1_2.type = VKS_FEATURES_1_2, next = &f->features_1_2.next;
    *next = &f->features_1_3, f->features_1_3.type = VKS_FEATURES_1_3, next = &f->features_1_3.next;
    if (f->has_matrix) *next = &f->matrix, f->matrix.type = VKS_COOPERATIVE_MATRIX_FEATURES, next = &f->matrix.next;
    if (f->has_bfloat16)
        *next = &f->bfloat16, f->bfloat16.type = VKS_SHADER_BFLOAT16_FEATURES, next = &f->bfloat16.next;
    if (f->has_reconvergence) {
        *next = &f->reconvergence, next = &f->reconvergence.next;
        f->reconvergence.type = VKS_MAXIMAL_RECONVERGENCE_FEATURES;
    }
    *next = NULL;
}

/* Asked by itself: what stands in the chain above is turned on when the device is opened, and this is only told. */
static void query_matrix_2(vk_api *api, vk_physical physical, vk_facts *f)
{
    vk_features features = {.type = VKS_FEATURES_2, .next = &f->matrix_2};
    vk_properties properties = {.type = VKS_PROPERTIES_2, .next = &f->matrix_2_limits};
    if (!f->has_matrix_2) return;
    f->matrix_2.type = VKS_COOPERATIVE_MATRIX_2_FEATURES;
    f->matrix_2_limits.type = VKS_COOPERATIVE_MATRIX_2_PROPERTIES;
    api->get_features(physical, &features);
    api->get_properties(physical, &properties);
}

static bool find_queue(vk_api *api, vk_physical physical, vk_facts *f)
{
    vk_queue_family families[32];
    uint32_t count = 32;
    api->get_queue_families(physical, &count, families);
    for (uint32_t i = 0; i < count; i++) {
        if (!(families[i].flags & VK_QUEUE_COMPUTE)) continue;
        f->family = i;
        f->has_timestamps = families[i].timestamp_bits >= 32;
        return true;
    }
    return false;
}

tsr_status tsr_vk_query(vk_api *api, vk_physical physical, vk_facts *out)
{
    vk_facts *f = out;
    memset(f, 0, sizeof *f);
    note_extensions(api, physical, f);
    f->properties = (vk_properties){.type = VKS_PROPERTIES_2, .next = &f->properties_1_1};
    f->properties_1_1 = (vk_properties_1_1){.type = VKS_PROPERTIES_1_1, .next = &f->properties_1_2};
    f->properties_1_2 = (vk_properties_1_2){.type = VKS_PROPERTIES_1_2, .next = &f->properties_1_3};
    f->properties_1_3 = (vk_properties_1_3){.type = VKS_PROPERTIES_1_3};
    api->get_properties(physical, &f->properties);
    if (f->properties.api_version < VK_VERSION(1, 3))
        return tsr_fail(TSR_ERR_DEVICE, "vulkan: %s has Vulkan %u.%u; 1.3 is needed", f->properties.name,
                        VK_MAJOR(f->properties.api_version), VK_MINOR(f->properties.api_version));
    link_features(f);
    api->get_features(physical, &f->features);
    query_matrix_2(api, physical, f);
    f->has_matrix = f->has_matrix && f->matrix.matrices && api->get_matrices;
    f->has_bfloat16 = f->has_bfloat16 && f->bfloat16.bfloat16 && f->bfloat16.matrices;
    f->has_reconvergence = f->has_reconvergence && f->reconvergence.maximal;
    if (!find_queue(api, physical, f))
        return tsr_fail(TSR_ERR_DEVICE, "vulkan: %s has no compute queue", f->properties.name);
    memcpy(&f->timestamp_ns, &f->properties.limits.words[VKL_TIMESTAMP_PERIOD], sizeof f->timestamp_ns);
    return TSR_OK;
}

/* ---- Subgroups and limits. */

bool tsr_vk_can_pin(const vk_facts *f)
{
    return f->features_1_3.all[VKF13_SUBGROUP_SIZE_CONTROL] && f->features_1_3.all[VKF13_FULL_SUBGROUPS] &&
           (f->properties_1_3.required_size_stages & VK_STAGE_COMPUTE);
}

static tsr_status choose_subgroup(vk_state *d, uint32_t wanted)
{
    const vk_facts *f = &d->facts;
    tsr_caps *caps = &d->head.caps;
    uint32_t own = f->properties_1_1.subgroup_size, least = own, most = own;
    if (tsr_vk_can_pin(f)) least = f->properties_1_3.min_subgroup_size, most = f->properties_1_3.max_subgroup_size;
    for (uint32_t s = least; s <= most && caps->support.subgroup_size_count < VK_SUBGROUP_SIZES_MAX; s *= 2)
        d->subgroup_sizes[caps->support.subgroup_size_count++] = s;
    caps->support.subgroup_sizes = d->subgroup_sizes;
    if (wanted && (wanted < least || wanted > most || (wanted & (wanted - 1))))
        return tsr_fail_subgroup_size(d->head.name, wanted, least, most);
    caps->subgroup_size = wanted ? wanted : own;
    caps->max_subgroup_size = tsr_vk_can_pin(f) ? caps->subgroup_size : most;
    return TSR_OK;
}

static tsr_answer answer(bool has)
{
    return has ? TSR_ANSWER_YES : TSR_ANSWER_NO;
}

/* The largest heap that is the device's own. */
static uint64_t memory_bytes(vk_state *d)
{
    uint64_t most = 0;
    d->host.api.get_memory(d->physical, &d->memory);
    for (uint32_t i = 0; i < d->memory.heap_count; i++)
        if ((d->memory.heaps[i].flags & VK_HEAP_DEVICE_LOCAL) && d->memory.heaps[i].size > most)
            most = d->memory.heaps[i].size;
    return most;
}

static void fill_info(vk_state *d)
{
    const vk_facts *f = &d->facts;
    tsr_device_info *info = &d->head.info;
    snprintf(d->driver, sizeof d->driver, "%s%s%s", f->properties_1_2.driver_name,
             f->properties_1_2.driver_info[0] ? " " : "", f->properties_1_2.driver_info);
    info->kind = tsr_vk_kind_name(f->properties.kind);
    info->driver = d->driver;
    info->api = "vulkan-khr";
    info->f16 = answer(d->head.caps.f16);
    info->bf16 = answer(f->has_bfloat16);
    info->int8 = answer(f->features_1_2.all[VKF12_INT8] != 0);
    info->size_control = answer(tsr_vk_can_pin(f));
    info->timestamps = answer(f->has_timestamps);
    info->maximal_reconvergence = answer(f->has_reconvergence);
    info->memory_bytes = memory_bytes(d);
    info->flexible_dimensions = answer(f->matrix_2.flexible != 0);
    info->workgroup_scope = answer(f->matrix_2.workgroup_scope != 0);
    info->flexible_max_dimension = f->matrix_2_limits.max_dimension;
    info->workgroup_scope_max_invocations = f->matrix_2_limits.max_workgroup_size;
    info->workgroup_scope_reserved_bytes = f->matrix_2_limits.reserved_shared_bytes;
}

tsr_status tsr_vk_fill_caps(vk_state *d, uint32_t subgroup_size)
{
    const vk_facts *f = &d->facts;
    const uint32_t *l = f->properties.limits.words;
    tsr_caps *caps = &d->head.caps;
    enum { DRIVER_LLVMPIPE = 13 }; /* VK_DRIVER_ID_MESA_LLVMPIPE: subgroups are vectors of the CPU */
    caps->name = d->head.name;
    caps->lockstep_subgroups = f->properties_1_2.driver_id == DRIVER_LLVMPIPE;
    caps->maximal_reconvergence = f->has_reconvergence;
    caps->f16 = f->features_1_2.all[VKF12_FLOAT16] && f->features_1_1.storage_16bit;
    caps->support = (tsr_support){.knowledge = TSR_COMPLETE, .bounds_checked = f->matrix.robust_access != 0};
    caps->limits = (tsr_limits){.max_workgroup_size = {l[VKL_MAX_SIZE], l[VKL_MAX_SIZE + 1], l[VKL_MAX_SIZE + 2]},
                                .max_workgroup_invocations = l[VKL_MAX_INVOCATIONS],
                                .max_workgroups_per_dimension = l[VKL_MAX_GROUPS],
                                .max_workgroup_bytes = l[VKL_MAX_SHARED_BYTES],
                                .max_buffer_bytes = l[VKL_MAX_STORAGE_RANGE]};
    for (int i = 1; i < 3; i++)
        if (l[VKL_MAX_GROUPS + i] < caps->limits.max_workgroups_per_dimension)
            caps->limits.max_workgroups_per_dimension = l[VKL_MAX_GROUPS + i];
    tsr_status st = choose_subgroup(d, subgroup_size);
    fill_info(d);
    if (st == TSR_OK) st = tsr_vk_list_configs(d);
    return st == TSR_OK ? tsr_vk_list_flexible(d) : st;
}
