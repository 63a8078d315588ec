/* The driver "vulkan": devices by number ("vulkan:0"), by kind ("vulkan:discrete", "integrated", "virtual", "cpu") or
 * by a part of their name ("vulkan:nvidia"). "vulkan" is the first. */
#include "device/vulkan.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Which devices there are. Lists open an instance of their own: nothing stays behind. */

static size_t count_devices(void)
{
    vk_instance_state s = {0};
    size_t count = tsr_vk_open(&s, false) == TSR_OK ? s.physical_count : 0;
    tsr_vk_close(&s, true);
    return count;
}

static const char *get_device_name(size_t i)
{
    static const char *const names[VK_PHYSICAL_MAX] = {
        "vulkan:0", "vulkan:1", "vulkan:2",  "vulkan:3",  "vulkan:4",  "vulkan:5",  "vulkan:6",  "vulkan:7",
        "vulkan:8", "vulkan:9", "vulkan:10", "vulkan:11", "vulkan:12", "vulkan:13", "vulkan:14", "vulkan:15"};
    return i < VK_PHYSICAL_MAX ? names[i] : NULL;
}

static bool contains_word(const char *text, const char *word)
{
    size_t len = strlen(word);
    for (; *text; text++) {
        size_t i = 0;
        while (i < len && text[i] && tolower((unsigned char)text[i]) == tolower((unsigned char)word[i]))
            i++;
        if (i == len) return true;
    }
    return false;
}

const char *tsr_vk_kind_name(uint32_t kind)
{
    static const char *const kinds[] = {"other", "integrated", "discrete", "virtual", "cpu"};
    return kinds[kind < TSR_COUNT_OF(kinds) ? kind : 0];
}

static bool is_chosen(vk_api *api, vk_physical physical, uint32_t number, const char *wanted)
{
    char own[16];
    snprintf(own, sizeof own, "%u", (unsigned)number);
    if (strcmp(wanted, "") == 0 || strcmp(wanted, own) == 0) return true;
    if (isdigit((unsigned char)wanted[0])) return false;
    vk_properties p = {.type = VKS_PROPERTIES_2};
    api->get_properties(physical, &p);
    return strcmp(tsr_vk_kind_name(p.kind), wanted) == 0 || contains_word(p.name, wanted);
}

static tsr_status choose_physical(vk_state *d, const char *name)
{
    const char *colon = strchr(name, ':'), *wanted = colon ? colon + 1 : "";
    for (uint32_t i = 0; i < d->host.physical_count; i++) {
        if (!is_chosen(&d->host.api, d->host.physical[i], i, wanted)) continue;
        d->physical = d->host.physical[i];
        snprintf(d->head.name, sizeof d->head.name, "vulkan:%u", (unsigned)i);
        return TSR_OK;
    }
    return tsr_fail(TSR_ERR_DEVICE, "vulkan: no device is \"%s\"; there are %u, see `tessera devices`", wanted,
                    (unsigned)d->host.physical_count);
}

/* ---- Opening and closing. */

/* How long closing a device waits for a run that had not ended in its time: 1 s. */
#define LAST_WAIT_NS UINT64_C(1000000000)

/* Turns on what the device has of what kernels may need, and nothing else. */
static void keep_features(vk_facts *f)
{
    static const uint8_t keep_1_2[] = {VKF12_STORAGE_8BIT,
                                       VKF12_UNIFORM_8BIT,
                                       VKF12_FLOAT16,
                                       VKF12_INT8,
                                       VKF12_SCALAR_LAYOUT,
                                       VKF12_STANDARD_UNIFORM_LAYOUT,
                                       VKF12_MEMORY_MODEL,
                                       VKF12_MEMORY_MODEL_DEVICE_SCOPE,
                                       VKF12_SUBGROUP_EXTENDED_TYPES};
    static const uint8_t keep_1_3[] = {VKF13_SUBGROUP_SIZE_CONTROL, VKF13_FULL_SUBGROUPS, VKF13_ZERO_WORKGROUP,
                                       VKF13_DOT_PRODUCT, VKF13_MAINTENANCE4};
    static const uint8_t keep_core[] = {VKF_ROBUST_BUFFER_ACCESS, VKF_SHADER_FLOAT64, VKF_SHADER_INT16,
                                        VKF_SHADER_INT64};
    vk_features core = {.type = VKS_FEATURES_2, .next = f->features.next};
    vk_features_1_2 f12 = {.type = VKS_FEATURES_1_2, .next = f->features_1_2.next};
    vk_features_1_3 f13 = {.type = VKS_FEATURES_1_3, .next = f->features_1_3.next};
    vk_features_1_1 f11 = {.type = VKS_FEATURES_1_1,
                           .next = f->features_1_1.next,
                           .storage_16bit = f->features_1_1.storage_16bit,
                           .uniform_16bit = f->features_1_1.uniform_16bit};
    for (size_t i = 0; i < sizeof keep_core; i++)
        core.core[keep_core[i]] = f->features.core[keep_core[i]];
    for (size_t i = 0; i < sizeof keep_1_2; i++)
        f12.all[keep_1_2[i]] = f->features_1_2.all[keep_1_2[i]];
    for (size_t i = 0; i < sizeof keep_1_3; i++)
        f13.all[keep_1_3[i]] = f->features_1_3.all[keep_1_3[i]];
    f->features = core, f->features_1_1 = f11, f->features_1_2 = f12, f->features_1_3 = f13;
    f->matrix.robust_access = f->matrix.robust_access && f->features.core[VKF_ROBUST_BUFFER_ACCESS];
}

static const char *load_device_functions(vk_state *d)
{
    vk_api *api = &d->host.api;
    const char *missing = NULL;
#define GLOBAL(member, name, result, args)
#define INSTANCE(member, name, result, args)
#define DEVICE(member, name, result, args)                                                                             \
    {                                                                                                                  \
        vk_function f = api->get_device_function(d->device, name);                                                     \
        memcpy(&api->member, &f, sizeof f);                                                                            \
        if (!f) missing = name;                                                                                        \
    }
#include "device/vulkan_function.def"
    return missing;
}

static tsr_status create_device(vk_state *d)
{
    const float priority = 1;
    const char *extensions[3];
    vk_facts *f = &d->facts;
    if (!f->features_1_2.all[VKF12_MEMORY_MODEL])
        return tsr_fail(TSR_ERR_DEVICE, "vulkan: %s has no Vulkan memory model, which is needed", f->properties.name);
    const vk_queue_info queue = {
        .type = VKS_DEVICE_QUEUE_CREATE_INFO, .family = f->family, .count = 1, .priorities = &priority};
    vk_device_info info = {.type = VKS_DEVICE_CREATE_INFO,
                           .next = &f->features,
                           .queue_info_count = 1,
                           .queue_infos = &queue,
                           .extensions = extensions};
    if (f->matrix.type) extensions[info.extension_count++] = "VK_KHR_cooperative_matrix";
    if (f->bfloat16.type) extensions[info.extension_count++] = "VK_KHR_shader_bfloat16";
    if (f->reconvergence.type) extensions[info.extension_count++] = "VK_KHR_shader_maximal_reconvergence";
    vk_result r = d->host.api.create_device(d->physical, &info, NULL, &d->device);
    if (r != VK_OK) return tsr_vk_fail(r, "opening the device");
    const char *missing = load_device_functions(d);
    if (missing) return tsr_fail(TSR_ERR_DEVICE, "vulkan: the driver is too old, it has no %s", missing);
    d->host.api.get_queue(d->device, f->family, 0, &d->queue);
    return TSR_OK;
}

static void close_device(tsr_device *dev)
{
    vk_state *d = (vk_state *)dev;
    bool idle = tsr_vk_is_idle(d, LAST_WAIT_NS); /* else the driver keeps what its kernel uses */
    if (d->device && idle) {
        if (d->host.api.wait_idle) d->host.api.wait_idle(d->device);
        tsr_vk_cache_fini(d);
        tsr_vk_memory_fini(d);
        d->host.api.destroy_device(d->device, NULL);
    }
    tsr_vk_close(&d->host, idle);
    pthread_mutex_destroy(&d->lock);
    free(d->configs);
    free(d->unkept);
    free(d->unkept_text);
    free(d->flexible);
    free(d->flexible_text);
    free(d);
}

static tsr_status open_steps(vk_state *d, const char *name, const tsr_device_args *args)
{
    tsr_status st;
    if ((st = tsr_vk_open(&d->host, args->validate)) != TSR_OK) return st;
    if ((st = choose_physical(d, name)) != TSR_OK) return st;
    if ((st = tsr_vk_query(&d->host.api, d->physical, &d->facts)) != TSR_OK) return st;
    keep_features(&d->facts);
    if ((st = tsr_vk_fill_caps(d, args->subgroup_size)) != TSR_OK) return st;
    if ((st = create_device(d)) != TSR_OK) return st;
    st = tsr_vk_memory_init(d);
    return tsr_vk_check_messages(d, NULL, st);
}

static tsr_status open_device(const char *name, const tsr_device_args *args, tsr_device **out)
{
    vk_state *d = calloc(1, sizeof *d);
    if (!d) return tsr_fail(TSR_ERR_MEMORY, "out of memory while opening %s", name);
    if (pthread_mutex_init(&d->lock, NULL) != 0) {
        free(d);
        return tsr_fail(TSR_ERR_MEMORY, "out of memory while opening %s", name);
    }
    d->head.driver = &tsr_vulkan_driver;
    d->head.memory_limit_bytes = args->memory_limit_bytes;
    tsr_status st = open_steps(d, name, args);
    if (st != TSR_OK) {
        close_device(&d->head);
        return st;
    }
    const vk_facts *f = &d->facts;
    const char *info = f->properties_1_2.driver_info;
    snprintf(d->head.description, sizeof d->head.description, "%.80s, %.40s%s%.60s, Vulkan %u.%u.%u, subgroups of %u",
             f->properties.name, f->properties_1_2.driver_name, info[0] ? " " : "", info,
             VK_MAJOR(f->properties.api_version), VK_MINOR(f->properties.api_version),
             VK_PATCH(f->properties.api_version), (unsigned)d->head.caps.subgroup_size);
    *out = &d->head;
    return TSR_OK;
}

static tsr_status wait_device(tsr_device *dev)
{
    (void)dev; /* a dispatch waits for its fence */
    return TSR_OK;
}

const tsr_driver tsr_vulkan_driver = {
    .name = "vulkan",
    .validates = true,
    .count = count_devices,
    .device_name = get_device_name,
    .open = open_device,
    .close = close_device,
    .buffer_create = tsr_vk_buffer_create,
    .buffer_free = tsr_vk_buffer_free,
    .buffer_write = tsr_vk_buffer_write,
    .buffer_read = tsr_vk_buffer_read,
    .pipeline_create = tsr_vk_pipeline_create,
    .pipeline_free = tsr_vk_pipeline_free,
    .dispatch = tsr_vk_dispatch,
    .wait = wait_device,
};
