/* Buffers in device memory, filled and read through one staging buffer, and the one command buffer that everything goes
 * through: simple, and fast enough where kernels are what takes time. */
#include "device/vulkan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STAGING_BYTES (UINT64_C(16) << 20)
#define WAIT_SLICE_NS UINT64_C(100000000) /* how soon a progress function can stop a run: 0.1 s */

/* Pipeline stages and accesses of barriers: transfer, compute, host; read and write. */
enum { STAGE_COMPUTE = 0x800, STAGE_TRANSFER = 0x1000, STAGE_HOST = 0x4000, STAGE_ALL = 0x10000, ACCESS_ALL = 0x18000 };

/* ---- Commands. One command buffer and one staging buffer serve all threads, one after the other. */

void tsr_vk_lock(vk_state *d)
{
    pthread_mutex_lock(&d->lock);
}

void tsr_vk_unlock(vk_state *d)
{
    pthread_mutex_unlock(&d->lock);
}

tsr_status tsr_vk_check_usable(const vk_state *d)
{
    if (!d->lost) return TSR_OK;
    return tsr_fail(TSR_ERR_DEVICE,
                    "vulkan: %s was lost earlier, or a run on it did not end in its time; open it again", d->head.name);
}

tsr_status tsr_vk_begin(vk_state *d)
{
    const vk_begin_info info = {.type = VKS_COMMAND_BUFFER_BEGIN_INFO, .flags = 1}; /* one time */
    tsr_status st = tsr_vk_check_usable(d);
    if (st != TSR_OK) return st;
    vk_result r = d->host.api.begin(d->command, &info);
    return r == VK_OK ? TSR_OK : tsr_vk_fail(r, "starting a command buffer");
}

/* Everything before is done and seen by everything after. */
static void full_barrier(vk_state *d)
{
    const vk_memory_barrier all = {.type = VKS_MEMORY_BARRIER, .from = ACCESS_ALL, .to = ACCESS_ALL};
    d->host.api.cmd_barrier(d->command, STAGE_ALL | STAGE_HOST, STAGE_ALL | STAGE_HOST, 0, 1, &all, 0, NULL, 0, NULL);
}

/* Until the work is done, the time allowed is over, or the caller's progress function says stop, which is asked between
 * slices. How far the work is, a device does not tell. */
static vk_result wait_done(vk_state *d, const tsr_dispatch_args *args)
{
    bool asks = args && args->progress;
    uint64_t left = args && args->timeout_ns ? args->timeout_ns : UINT64_MAX;
    for (;;) {
        uint64_t slice = asks && left > WAIT_SLICE_NS ? WAIT_SLICE_NS : left;
        vk_result r = d->host.api.wait_fences(d->device, 1, &d->fence, 1, slice);
        if (r != VK_TIMEOUT) return r;
        left -= slice;
        if (left == 0 || (asks && !args->progress(args->progress_user, 0, 0))) return r;
    }
}

bool tsr_vk_is_idle(vk_state *d, uint64_t wait_ns)
{
    if (d->hung) d->hung = d->host.api.wait_fences(d->device, 1, &d->fence, 1, wait_ns) == VK_TIMEOUT;
    return !d->hung;
}

tsr_status tsr_vk_finish(vk_state *d, const tsr_dispatch_args *args)
{
    vk_api *api = &d->host.api;
    const vk_submit_info submit = {.type = VKS_SUBMIT_INFO, .command_count = 1, .commands = &d->command};
    full_barrier(d);
    vk_result r = api->end(d->command);
    if (r == VK_OK) r = api->reset_fences(d->device, 1, &d->fence);
    if (r == VK_OK) r = api->submit(d->queue, 1, &submit, d->fence);
    if (r == VK_OK) r = wait_done(d, args);
    if (r == VK_OK) return TSR_OK;
    /* What still runs cannot be taken back: the device is given up, and its memory stays until the work ends. */
    d->hung = r == VK_TIMEOUT;
    d->lost = d->hung || r == VK_DEVICE_LOST;
    return tsr_vk_fail(r, args ? "running the kernel" : "copying or filling a buffer");
}

/* ---- Memory. */

static bool find_memory_type(const vk_state *d, uint32_t types, uint32_t flags, uint32_t *out)
{
    for (uint32_t i = 0; i < d->memory.type_count; i++) {
        if (!(types >> i & 1u) || (d->memory.types[i].flags & flags) != flags) continue;
        *out = i;
        return true;
    }
    return false;
}

static tsr_status make_buffer(vk_state *d, uint64_t size, uint32_t use, uint32_t flags, vk_handle *buffer,
                              vk_handle *memory)
{
    vk_api *api = &d->host.api;
    const vk_buffer_info info = {.type = VKS_BUFFER_CREATE_INFO, .size = size, .use = use};
    vk_memory_info allocation = {.type = VKS_MEMORY_ALLOCATE_INFO};
    vk_requirements need;
    char what[64];
    snprintf(what, sizeof what, "making a buffer of %" PRIu64 " bytes", size);
    vk_result r = api->create_buffer(d->device, &info, NULL, buffer);
    if (r != VK_OK) return tsr_vk_fail(r, what);
    api->get_requirements(d->device, *buffer, &need);
    allocation.size = need.size;
    if (!find_memory_type(d, need.types, flags, &allocation.memory_type) &&
        !find_memory_type(d, need.types, 0, &allocation.memory_type))
        return tsr_fail(TSR_ERR_DEVICE, "vulkan: there is no memory for buffers");
    r = api->allocate(d->device, &allocation, NULL, memory);
    if (r == VK_OK) r = api->bind_buffer(d->device, *buffer, *memory, 0);
    return r == VK_OK ? TSR_OK : tsr_vk_fail(r, what);
}

/* What a kernel that does not end may still use is left to the driver. */
static void drop_buffer(vk_state *d, vk_handle buffer, vk_handle memory)
{
    if (!tsr_vk_is_idle(d, 0)) return;
    if (buffer) d->host.api.destroy_buffer(d->device, buffer, NULL);
    if (memory) d->host.api.free(d->device, memory, NULL);
}

tsr_status tsr_vk_memory_init(vk_state *d)
{
    vk_api *api = &d->host.api;
    const vk_command_pool_info pool = {
        .type = VKS_COMMAND_POOL_CREATE_INFO, .flags = VK_POOL_RESET, .family = d->facts.family};
    const vk_fence_info fence = {.type = VKS_FENCE_CREATE_INFO};
    const vk_query_info queries = {.type = VKS_QUERY_POOL_CREATE_INFO, .kind = 2, .count = 2}; /* timestamps */
    vk_result r = api->create_command_pool(d->device, &pool, NULL, &d->command_pool);
    if (r != VK_OK) return tsr_vk_fail(r, "making a command pool");
    const vk_command_info command = {.type = VKS_COMMAND_BUFFER_ALLOCATE_INFO, .pool = d->command_pool, .count = 1};
    r = api->allocate_commands(d->device, &command, &d->command);
    if (r == VK_OK) r = api->create_fence(d->device, &fence, NULL, &d->fence);
    if (r == VK_OK && d->facts.has_timestamps) r = api->create_queries(d->device, &queries, NULL, &d->queries);
    if (r != VK_OK) return tsr_vk_fail(r, "making a command buffer");
    tsr_status st = make_buffer(d, STAGING_BYTES, VK_USE_COPY_FROM | VK_USE_COPY_TO,
                                VK_MEMORY_HOST_VISIBLE | VK_MEMORY_HOST_COHERENT, &d->staging, &d->staging_memory);
    if (st != TSR_OK) return st;
    r = api->map(d->device, d->staging_memory, 0, STAGING_BYTES, 0, &d->staging_data);
    return r == VK_OK ? TSR_OK : tsr_vk_fail(r, "mapping the staging buffer");
}

void tsr_vk_memory_fini(vk_state *d)
{
    vk_api *api = &d->host.api;
    drop_buffer(d, d->staging, d->staging_memory);
    if (d->queries) api->destroy_queries(d->device, d->queries, NULL);
    if (d->fence) api->destroy_fence(d->device, d->fence, NULL);
    if (d->command_pool) api->destroy_command_pool(d->device, d->command_pool, NULL);
}

/* ---- The driver's buffers. Sizes are rounded up to words, which copies and fills count in. */

static uint64_t whole_words(uint64_t size)
{
    return size == 0 ? 4 : (size + 3) / 4 * 4;
}

static tsr_status fill_zero(vk_state *d, vk_buffer *b)
{
    tsr_status st = tsr_vk_begin(d);
    if (st != TSR_OK) return st;
    d->host.api.cmd_fill(d->command, b->buffer, 0, UINT64_MAX, 0); /* the whole buffer */
    return tsr_vk_finish(d, NULL);
}

tsr_status tsr_vk_buffer_create(tsr_device *dev, uint64_t size, const void *data, tsr_buffer **out)
{
    vk_state *d = (vk_state *)dev;
    tsr_status st = tsr_vk_check_usable(d);
    if (st != TSR_OK) return st;
    vk_buffer *b = calloc(1, sizeof *b);
    if (!b) return tsr_fail(TSR_ERR_MEMORY, "no memory for a buffer");
    b->head.device = dev;
    b->head.size_bytes = size;
    uint32_t use = VK_USE_COPY_FROM | VK_USE_COPY_TO | VK_USE_STORAGE | VK_USE_UNIFORM;
    st = make_buffer(d, whole_words(size), use, VK_MEMORY_DEVICE_LOCAL, &b->buffer, &b->memory);
    if (st == TSR_OK) {
        tsr_vk_lock(d);
        st = fill_zero(d, b);
        tsr_vk_unlock(d);
    }
    if (st == TSR_OK && data && size) st = tsr_vk_buffer_write(&b->head, 0, data, size);
    st = tsr_vk_check_messages(d, NULL, st);
    if (st != TSR_OK) {
        tsr_vk_buffer_free(&b->head);
        return st;
    }
    *out = &b->head;
    return TSR_OK;
}

void tsr_vk_buffer_free(tsr_buffer *buffer)
{
    vk_buffer *b = (vk_buffer *)buffer;
    drop_buffer((vk_state *)buffer->device, b->buffer, b->memory);
    free(b);
}

/* Copies between the staging buffer and a buffer; offset and size may be any bytes, which Vulkan's copies take too. */
static tsr_status copy_piece(vk_state *d, vk_handle from, uint64_t from_at, vk_handle to, uint64_t to_at, uint64_t size)
{
    const vk_copy copy = {from_at, to_at, size};
    tsr_status st = tsr_vk_begin(d);
    if (st != TSR_OK) return st;
    d->host.api.cmd_copy(d->command, from, to, 1, &copy);
    return tsr_vk_finish(d, NULL);
}

tsr_status tsr_vk_buffer_write(tsr_buffer *buffer, uint64_t offset, const void *data, uint64_t size)
{
    vk_state *d = (vk_state *)buffer->device;
    tsr_status st = TSR_OK;
    tsr_vk_lock(d);
    for (uint64_t at = 0; at < size && st == TSR_OK; at += STAGING_BYTES) {
        uint64_t piece = size - at < STAGING_BYTES ? size - at : STAGING_BYTES;
        memcpy(d->staging_data, (const char *)data + at, (size_t)piece);
        st = copy_piece(d, d->staging, 0, ((vk_buffer *)buffer)->buffer, offset + at, piece);
    }
    tsr_vk_unlock(d);
    return tsr_vk_check_messages(d, NULL, st);
}

tsr_status tsr_vk_buffer_read(tsr_buffer *buffer, uint64_t offset, void *data, uint64_t size)
{
    vk_state *d = (vk_state *)buffer->device;
    tsr_status st = TSR_OK;
    tsr_vk_lock(d);
    for (uint64_t at = 0; at < size && st == TSR_OK; at += STAGING_BYTES) {
        uint64_t piece = size - at < STAGING_BYTES ? size - at : STAGING_BYTES;
        st = copy_piece(d, ((vk_buffer *)buffer)->buffer, offset + at, d->staging, 0, piece);
        if (st == TSR_OK) memcpy((char *)data + at, d->staging_data, (size_t)piece);
    }
    tsr_vk_unlock(d);
    return tsr_vk_check_messages(d, NULL, st);
}
