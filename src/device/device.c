/* Devices, buffers, pipelines, dispatch: everything that holds for each driver alike is checked here, so that a driver
 * gets only what it can do. */
#include "device/device.h"

#include "ir/text.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* In order of preference; the CPU is always there. A new kind of device is one line. */
static const tsr_driver *const drivers[] = {&tsr_cpu_driver, &tsr_vulkan_driver, &tsr_profile_driver};

/* ---- Devices --------------------------------------------------------------------------------------------------- */

size_t tsr_device_list_count(void)
{
    size_t count = 0;
    for (size_t d = 0; d < TSR_COUNT_OF(drivers); d++)
        count += drivers[d]->count();
    return count;
}

const char *tsr_device_list_name(size_t i)
{
    for (size_t d = 0; d < TSR_COUNT_OF(drivers); d++) {
        if (i < drivers[d]->count()) return drivers[d]->device_name(i);
        i -= drivers[d]->count();
    }
    return NULL;
}

/* The driver whose name is `name` up to a ':'. */
static const tsr_driver *find_driver(const char *name)
{
    size_t len = strcspn(name, ":");
    for (size_t d = 0; d < TSR_COUNT_OF(drivers); d++)
        if (strlen(drivers[d]->name) == len && memcmp(drivers[d]->name, name, len) == 0) return drivers[d];
    return NULL;
}

tsr_status tsr_device_open(const char *name, const tsr_device_args *args, tsr_device **out)
{
    static const tsr_device_args defaults = {0};
    if (!out) return tsr_fail(TSR_ERR_INVALID, "tsr_device_open: out must not be NULL");
    if (!name) name = tsr_device_list_name(0);
    const tsr_driver *driver = name ? find_driver(name) : NULL;
    if (!driver) {
        return tsr_fail(
            TSR_ERR_DEVICE,
            "there is no device \"%s\"; the devices here begin with \"%s\", and a profile is \"profile:NAME\"",
            name ? name : "", tsr_device_list_name(0));
    }
    if (args && args->validate && !driver->validates)
        return tsr_fail(TSR_ERR_INVALID, "%s has no validation layers; Vulkan devices (\"vulkan:0\") have", name);
    return driver->open(name, args ? args : &defaults, out);
}

void tsr_device_free(tsr_device *dev)
{
    if (dev) dev->driver->close(dev);
}

const char *tsr_device_name(const tsr_device *dev)
{
    return dev->name;
}

const char *tsr_device_description(const tsr_device *dev)
{
    return dev->description;
}

const tsr_support *tsr_device_support(const tsr_device *dev)
{
    return &dev->caps.support;
}

const tsr_limits *tsr_device_limits(const tsr_device *dev)
{
    return &dev->caps.limits;
}

uint32_t tsr_device_subgroup_size(const tsr_device *dev)
{
    return dev->caps.subgroup_size;
}

tsr_status tsr_device_get_info(const tsr_device *dev, tsr_device_info *out)
{
    if (!dev || !out) return tsr_fail(TSR_ERR_INVALID, "tsr_device_get_info: dev and out must not be NULL");
    *out = dev->info;
    if (!out->kind) out->kind = "";
    if (!out->driver) out->driver = "";
    if (!out->api) out->api = "";
    return TSR_OK;
}

tsr_status tsr_device_wait(tsr_device *dev)
{
    return dev->driver->wait(dev);
}

/* ---- Buffers --------------------------------------------------------------------------------------------------- */

/* Counts the bytes before they are taken: threads may share a device. */
static tsr_status reserve(tsr_device *dev, uint64_t size_bytes)
{
    uint64_t limit = dev->memory_limit_bytes, used = dev->buffer_bytes;
    do {
        if (limit && (used > limit || size_bytes > limit - used))
            return tsr_fail(TSR_ERR_MEMORY,
                            "a buffer of %" PRIu64 " bytes is over the device's memory limit: %" PRIu64 " of %" PRIu64
                            " bytes are in use",
                            size_bytes, used, limit);
    } while (!atomic_compare_exchange_weak(&dev->buffer_bytes, &used, used + size_bytes));
    return TSR_OK;
}

tsr_status tsr_fail_subgroup_size(const char *device, uint32_t wanted, uint32_t least, uint32_t most)
{
    if (least == most)
        return tsr_fail(TSR_ERR_INVALID, "%s has no subgroup size %u; it has %u alone", device, (unsigned)wanted,
                        (unsigned)least);
    return tsr_fail(TSR_ERR_INVALID, "%s has no subgroup size %u; it has %u to %u", device, (unsigned)wanted,
                    (unsigned)least, (unsigned)most);
}

tsr_status tsr_buffer_create(tsr_device *dev, uint64_t size_bytes, const void *data, tsr_buffer **out)
{
    if (!dev || !out) return tsr_fail(TSR_ERR_INVALID, "tsr_buffer_create: dev and out must not be NULL");
    uint64_t most = dev->caps.limits.max_buffer_bytes;
    if (most && size_bytes > most)
        return tsr_fail(TSR_ERR_LIMIT, "a buffer of %" PRIu64 " bytes; %s takes at most %" PRIu64, size_bytes,
                        dev->name, most);
    tsr_status st = reserve(dev, size_bytes);
    if (st != TSR_OK) return st;
    st = dev->driver->buffer_create(dev, size_bytes, data, out);
    if (st != TSR_OK) dev->buffer_bytes -= size_bytes;
    return st;
}

void tsr_buffer_free(tsr_buffer *b)
{
    if (!b) return;
    b->device->buffer_bytes -= b->size_bytes;
    b->device->driver->buffer_free(b);
}

uint64_t tsr_buffer_size(const tsr_buffer *b)
{
    return b->size_bytes;
}

static tsr_status check_range(const tsr_buffer *b, uint64_t offset, const void *data, uint64_t size)
{
    if (!b) return tsr_fail(TSR_ERR_INVALID, "the buffer is NULL");
    if (!data && size) return tsr_fail(TSR_ERR_INVALID, "the data is NULL");
    if (offset > b->size_bytes || size > b->size_bytes - offset)
        return tsr_fail(TSR_ERR_INVALID, "bytes %" PRIu64 " to %" PRIu64 " + %" PRIu64 " leave a buffer of %" PRIu64,
                        offset, offset, size, b->size_bytes);
    return TSR_OK;
}

tsr_status tsr_buffer_write(tsr_buffer *b, uint64_t offset_bytes, const void *data, uint64_t size_bytes)
{
    tsr_status st = check_range(b, offset_bytes, data, size_bytes);
    return st != TSR_OK || !size_bytes ? st : b->device->driver->buffer_write(b, offset_bytes, data, size_bytes);
}

tsr_status tsr_buffer_read(tsr_buffer *b, uint64_t offset_bytes, void *data, uint64_t size_bytes)
{
    tsr_status st = check_range(b, offset_bytes, data, size_bytes);
    return st != TSR_OK || !size_bytes ? st : b->device->driver->buffer_read(b, offset_bytes, data, size_bytes);
}

/* ---- Pipelines ------------------------------------------------------------------------------------------------- */

tsr_status tsr_pipeline_create(tsr_device *dev, const tsr_module *m, const tsr_pipeline_args *args, tsr_pipeline **out)
{
    static const tsr_pipeline_args defaults = {0};
    if (!dev || !m || !out) return tsr_fail(TSR_ERR_INVALID, "tsr_pipeline_create: dev, m and out must not be NULL");
    if (!args) args = &defaults;
    if (args->override_count && !args->overrides)
        return tsr_fail(TSR_ERR_INVALID, "tsr_pipeline_create: overrides is NULL");
    tsr_build_args build = {
        .entry = args->entry, .overrides = args->overrides, .override_count = args->override_count, .caps = &dev->caps};
    tsr_built *b;
    tsr_status st = tsr_build_new(m, &build, &b);
    if (st != TSR_OK) return st;
    st = dev->driver->pipeline_create(dev, b, out);
    if (st != TSR_OK) tsr_build_free(b);
    return st;
}

void tsr_pipeline_free(tsr_pipeline *p)
{
    if (p) p->device->driver->pipeline_free(p);
}

void tsr_pipeline_workgroup(const tsr_pipeline *p, uint32_t size[3], uint64_t *workgroup_bytes)
{
    memcpy(size, p->build->program.workgroup_size, sizeof p->build->program.workgroup_size);
    *workgroup_bytes = p->build->program.workgroup_bytes;
}

const char *tsr_pipeline_engine(const tsr_pipeline *p)
{
    return p->device->driver->engine ? p->device->driver->engine(p) : p->engine;
}

tsr_status tsr_pipeline_dump(const tsr_pipeline *p, const char *form, char **text)
{
    tsr_text out;
    tsr_status st = TSR_OK;
    if (!p || !form || !text) return tsr_fail(TSR_ERR_INVALID, "tsr_pipeline_dump: an argument is NULL");
    tsr_text_init(&out, NULL);
    if (strcmp(form, "ir") == 0)
        tsr_ir_print(&out, p->build->program.ir);
    else if (strcmp(form, "llvm") != 0 && strcmp(form, "asm") != 0)
        st = tsr_fail(TSR_ERR_INVALID, "there is no form \"%s\"; there are ir, llvm and asm", form);
    else if (!p->device->driver->dump)
        st = tsr_fail(TSR_ERR_UNSUPPORTED, "%s runs no native code that could be shown as %s", p->device->name, form);
    else
        st = p->device->driver->dump(p, form, &out);
    if (st == TSR_OK && (out.failed || !tsr_text_get(&out)[0]))
        st = tsr_fail(TSR_ERR_MEMORY, "no memory for the %s", form);
    if (st == TSR_OK) *text = out.s;
    if (st != TSR_OK) tsr_text_fini(&out);
    return st;
}

size_t tsr_pipeline_config_count(const tsr_pipeline *p)
{
    return p->build->configs.count;
}

tsr_status tsr_pipeline_config(const tsr_pipeline *p, size_t i, tsr_config *out)
{
    if (i >= p->build->configs.count)
        return tsr_fail(TSR_ERR_INVALID, "the pipeline has no configuration number %zu", i);
    *out = p->build->configs.items[i];
    return TSR_OK;
}

/* ---- Dispatch -------------------------------------------------------------------------------------------------- */

static const char *resource_name(const tsr_program *p, uint32_t i)
{
    return tsr_symbols_cstr(p->ir->symbols, tsr_global_at(p->ir, p->resources[i].global)->name);
}

static tsr_status check_doubles(const tsr_dispatch_args *args)
{
    for (size_t i = 0; i < args->binding_count; i++)
        for (size_t j = 0; j < i; j++)
            if (args->bindings[i].group == args->bindings[j].group &&
                args->bindings[i].binding == args->bindings[j].binding)
                return tsr_fail(TSR_ERR_INVALID, "@group(%u) @binding(%u) is bound twice",
                                (unsigned)args->bindings[i].group, (unsigned)args->bindings[i].binding);
    return TSR_OK;
}

/* One binding, with its size made explicit. */
static tsr_status check_binding(const tsr_pipeline *p, uint32_t i, tsr_binding *b)
{
    const tsr_resource *r = &p->build->program.resources[i];
    const char *name = resource_name(&p->build->program, i);
    unsigned group = r->group, binding = r->binding;
    if (!b->buffer)
        return tsr_fail(TSR_ERR_INVALID, "@group(%u) @binding(%u) `%s`: the buffer is NULL", group, binding, name);
    if (b->buffer->device != p->device)
        return tsr_fail(TSR_ERR_INVALID, "@group(%u) @binding(%u) `%s`: the buffer belongs to another device", group,
                        binding, name);
    if (b->offset_bytes % 4 != 0)
        return tsr_fail(TSR_ERR_INVALID, "@group(%u) @binding(%u) `%s`: offset %" PRIu64 " is not a multiple of 4",
                        group, binding, name, b->offset_bytes);
    uint64_t size = b->buffer->size_bytes;
    if (b->offset_bytes > size || b->size_bytes > size - b->offset_bytes)
        return tsr_fail(TSR_ERR_INVALID,
                        "@group(%u) @binding(%u) `%s`: offset %" PRIu64 " and size %" PRIu64
                        " leave a buffer of %" PRIu64 " bytes",
                        group, binding, name, b->offset_bytes, b->size_bytes, size);
    if (b->size_bytes == 0) b->size_bytes = size - b->offset_bytes;
    if (b->size_bytes < r->min_bytes)
        return tsr_fail(TSR_ERR_INVALID,
                        "@group(%u) @binding(%u) `%s` needs at least %" PRIu64 " bytes; it has %" PRIu64, group,
                        binding, name, r->min_bytes, b->size_bytes);
    return TSR_OK;
}

static tsr_status order_bindings(const tsr_pipeline *p, const tsr_dispatch_args *args, tsr_binding *ordered)
{
    const tsr_program *program = &p->build->program;
    for (uint32_t i = 0; i < program->resource_count; i++) {
        const tsr_resource *r = &program->resources[i];
        size_t b = 0;
        while (b < args->binding_count &&
               (args->bindings[b].group != r->group || args->bindings[b].binding != r->binding))
            b++;
        if (b == args->binding_count)
            return tsr_fail(TSR_ERR_INVALID, "@group(%u) @binding(%u) `%s` is not bound", (unsigned)r->group,
                            (unsigned)r->binding, resource_name(program, i));
        ordered[i] = args->bindings[b];
        tsr_status st = check_binding(p, i, &ordered[i]);
        if (st != TSR_OK) return st;
    }
    return TSR_OK;
}

/* WebGPU, "encoder bind groups alias a writable resource": what one binding writes, no other may see. */
static tsr_status check_overlap(const tsr_program *p, const tsr_binding *ordered)
{
    for (uint32_t i = 0; i < p->resource_count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            const tsr_binding *x = &ordered[i], *y = &ordered[j];
            if (x->buffer != y->buffer || (!p->resources[i].writable && !p->resources[j].writable)) continue;
            if (x->offset_bytes >= y->offset_bytes + y->size_bytes ||
                y->offset_bytes >= x->offset_bytes + x->size_bytes)
                continue;
            return tsr_fail(TSR_ERR_INVALID, "`%s` and `%s` overlap in one buffer, and at least one is written",
                            resource_name(p, j), resource_name(p, i));
        }
    }
    return TSR_OK;
}

static tsr_status check_groups(const tsr_device *dev, const uint32_t groups[3])
{
    uint32_t most = dev->caps.limits.max_workgroups_per_dimension;
    for (int i = 0; most && i < 3; i++)
        if (groups[i] > most)
            return tsr_fail(TSR_ERR_LIMIT, "%u workgroups in %c; %s takes at most %u in each dimension",
                            (unsigned)groups[i], "xyz"[i], dev -> name, (unsigned)most);
    return TSR_OK;
}

static tsr_status dispatch_checked(tsr_pipeline *p, const tsr_dispatch_args *args, tsr_binding *ordered)
{
    tsr_status st;
    if ((st = check_doubles(args)) != TSR_OK) return st;
    if ((st = order_bindings(p, args, ordered)) != TSR_OK) return st;
    if ((st = check_overlap(&p->build->program, ordered)) != TSR_OK) return st;
    if ((st = check_groups(p->device, args->groups)) != TSR_OK) return st;
    if (args->groups[0] && args->groups[1] && args->groups[2]) return p->device->driver->dispatch(p, ordered, args);
    if (args->report) memset(args->report, 0, sizeof *args->report);
    return TSR_OK;
}

tsr_status tsr_dispatch(tsr_pipeline *p, const tsr_dispatch_args *args)
{
    if (!p || !args) return tsr_fail(TSR_ERR_INVALID, "tsr_dispatch: p and args must not be NULL");
    if (args->binding_count && !args->bindings) return tsr_fail(TSR_ERR_INVALID, "tsr_dispatch: bindings is NULL");
    if (args->sanitize && !p->device->driver->sanitizes)
        return tsr_fail(TSR_ERR_UNSUPPORTED, "%s cannot watch a run; the sanitizer is part of \"cpu\"",
                        p->device->name);
    tsr_binding *ordered = calloc(p->build->program.resource_count + 1u, sizeof *ordered);
    if (!ordered) return tsr_fail(TSR_ERR_MEMORY, "out of memory while checking bindings");
    tsr_status st = dispatch_checked(p, args, ordered);
    free(ordered);
    return st;
}
