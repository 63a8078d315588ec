/* The driver's pipeline cache, kept on disk between runs, one file for each device and driver. It is read when the
 * first pipeline is made and written when the device is closed, together with what others wrote meanwhile. Drivers may
 * trust what they are given, so data whose checksum or header is not right never reach them. */
#include "base/cache.h"
#include "base/map.h"
#include "device/vulkan.h"

#include <stdlib.h>
#include <string.h>

static const char kind[] = "pipelines";
/* A file above this is not read any more, so that the next one begins anew: 64 MiB. */
static const size_t bytes_max = (size_t)64 << 20;

static tsr_cache_key find_key(const vk_state *d)
{
    const vk_properties *p = &d->facts.properties;
    const uint32_t numbers[] = {p->vendor, p->device, p->driver_version, p->api_version};
    tsr_cache_key key;
    for (uint64_t i = 0; i < 2; i++) {
        uint64_t h = tsr_hash_bytes(numbers, sizeof numbers, i);
        h = tsr_hash_bytes(p->cache_uuid, sizeof p->cache_uuid, h);
        h = tsr_hash_bytes(d->facts.properties_1_1.driver_uuid, sizeof d->facts.properties_1_1.driver_uuid, h);
        h = tsr_hash_bytes(d->facts.properties_1_1.device_uuid, sizeof d->facts.properties_1_1.device_uuid, h);
        key.part[i] = tsr_hash_bytes(tsr_version(), strlen(tsr_version()), h);
    }
    return key;
}

/* Source: Vulkan, "VkPipelineCacheHeaderVersionOne". */
static bool is_own(const vk_state *d, const unsigned char *data, size_t bytes)
{
    const vk_properties *p = &d->facts.properties;
    vk_cache_header h;
    if (bytes < sizeof h || bytes > bytes_max) return false;
    memcpy(&h, data, sizeof h);
    return h.bytes == sizeof h && h.version == 1 && h.vendor == p->vendor && h.device == p->device &&
           memcmp(h.uuid, p->cache_uuid, sizeof h.uuid) == 0;
}

static unsigned char *read_file(const vk_state *d, size_t *bytes)
{
    unsigned char *data = tsr_cache_read(kind, find_key(d), bytes);
    if (data && is_own(d, data, *bytes)) return data;
    free(data);
    *bytes = 0;
    return NULL;
}

static vk_handle make_cache(vk_state *d, const unsigned char *data, size_t bytes)
{
    vk_handle cache = 0;
    const vk_cache_info info = {.type = VKS_PIPELINE_CACHE_CREATE_INFO, .size = bytes, .data = data};
    return d->host.api.create_cache(d->device, &info, NULL, &cache) == VK_OK ? cache : 0;
}

static uint64_t hash(const unsigned char *data, size_t bytes)
{
    return bytes ? tsr_hash_bytes(data, bytes, bytes) : 0;
}

vk_handle tsr_vk_cache(vk_state *d)
{
    size_t bytes = 0;
    tsr_vk_lock(d);
    if (!d->cache_tried) {
        unsigned char *data = read_file(d, &bytes);
        d->cache_tried = true;
        d->cache_hash = hash(data, bytes);
        d->cache = make_cache(d, data, bytes);
        if (!d->cache && bytes) d->cache = make_cache(d, NULL, 0);
        free(data);
    }
    tsr_vk_unlock(d);
    return d->cache;
}

/* Another process may have written since: its pipelines are kept, too. */
static void merge_file(vk_state *d)
{
    size_t bytes = 0;
    unsigned char *data = read_file(d, &bytes);
    vk_handle other = data && hash(data, bytes) != d->cache_hash ? make_cache(d, data, bytes) : 0;
    if (other) {
        d->host.api.merge_caches(d->device, d->cache, 1, &other);
        d->host.api.destroy_cache(d->device, other, NULL);
    }
    free(data);
}

static void write_file(vk_state *d)
{
    size_t bytes = 0;
    merge_file(d);
    if (d->host.api.get_cache_data(d->device, d->cache, &bytes, NULL) != VK_OK || bytes == 0) return;
    unsigned char *data = malloc(bytes);
    if (data && d->host.api.get_cache_data(d->device, d->cache, &bytes, data) == VK_OK &&
        hash(data, bytes) != d->cache_hash)
        tsr_cache_write(kind, find_key(d), data, bytes);
    free(data);
}

void tsr_vk_cache_fini(vk_state *d)
{
    if (!d->cache) return;
    if (!d->lost) write_file(d);
    d->host.api.destroy_cache(d->device, d->cache, NULL);
}
