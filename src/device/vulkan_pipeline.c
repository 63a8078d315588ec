/* A built program as a Vulkan pipeline, and running it. The subgroup size is pinned, with full subgroups, where the
 * device lets one. */
#include "base/clock.h"
#include "device/vulkan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BIND_COMPUTE = 1, STAGE_TOP = 1, STAGE_BOTTOM = 0x2000 };

/* The binding's kind from the variable's address space. */
static uint32_t descriptor_kind(const tsr_program *p, const tsr_resource *r)
{
    const tsr_type_info *ptr =
        tsr_type_get(p->ir->types, tsr_inst_at(p->ir, tsr_global_at(p->ir, r->global)->inst)->type);
    return ptr->space == TSR_SPACE_uniform ? VK_DESCRIPTOR_UNIFORM : VK_DESCRIPTOR_STORAGE;
}

static tsr_status make_set_layout(vk_state *d, vk_pipeline *p, uint32_t group)
{
    const tsr_program *program = &p->head.build->program;
    vk_set_binding *bindings = calloc(program->resource_count + 1u, sizeof *bindings);
    if (!bindings) return tsr_fail(TSR_ERR_MEMORY, "out of memory while making a pipeline");
    uint32_t count = 0;
    for (uint32_t i = 0; i < program->resource_count; i++) {
        const tsr_resource *r = &program->resources[i];
        if (r->group != group) continue;
        bindings[count++] = (vk_set_binding){
            .binding = r->binding, .kind = descriptor_kind(program, r), .count = 1, .stages = VK_STAGE_COMPUTE};
    }
    const vk_set_layout_info info = {
        .type = VKS_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .count = count, .bindings = bindings};
    vk_result r = d->host.api.create_set_layout(d->device, &info, NULL, &p->set_layouts[group]);
    free(bindings);
    return r == VK_OK ? TSR_OK : tsr_vk_fail(r, "making a descriptor set layout");
}

static tsr_status make_layout(vk_state *d, vk_pipeline *p)
{
    const tsr_program *program = &p->head.build->program;
    for (uint32_t i = 0; i < program->resource_count; i++) {
        if (program->resources[i].group >= VK_SETS_MAX)
            return tsr_fail(TSR_ERR_LIMIT, "@group(%u): %s takes groups 0 to %d", (unsigned)program->resources[i].group,
                            d->head.name, VK_SETS_MAX - 1);
        if (program->resources[i].group >= p->set_count) p->set_count = program->resources[i].group + 1;
    }
    for (uint32_t g = 0; g < p->set_count; g++) {
        tsr_status st = make_set_layout(d, p, g);
        if (st != TSR_OK) return st;
    }
    const vk_layout_info info = {
        .type = VKS_PIPELINE_LAYOUT_CREATE_INFO, .set_count = p->set_count, .sets = p->set_layouts};
    vk_result r = d->host.api.create_layout(d->device, &info, NULL, &p->layout);
    return r == VK_OK ? TSR_OK : tsr_vk_fail(r, "making a pipeline layout");
}

static tsr_status make_pool(vk_state *d, vk_pipeline *p)
{
    const tsr_program *program = &p->head.build->program;
    vk_pool_size sizes[] = {{VK_DESCRIPTOR_UNIFORM, 1}, {VK_DESCRIPTOR_STORAGE, 1}};
    for (uint32_t i = 0; i < program->resource_count; i++)
        sizes[descriptor_kind(program, &program->resources[i]) == VK_DESCRIPTOR_STORAGE].count++;
    const vk_descriptor_pool_info info = {
        .type = VKS_DESCRIPTOR_POOL_CREATE_INFO, .max_sets = VK_SETS_MAX, .count = 2, .sizes = sizes};
    vk_result r = d->host.api.create_descriptor_pool(d->device, &info, NULL, &p->pool);
    return r == VK_OK ? TSR_OK : tsr_vk_fail(r, "making a descriptor pool");
}

static tsr_status make_compute(vk_state *d, vk_pipeline *p)
{
    const tsr_program *program = &p->head.build->program;
    const tsr_function *entry = tsr_function_at(program->ir, program->entry);
    const tsr_caps *caps = &d->head.caps;
    bool pin = tsr_vk_can_pin(&d->facts);
    vk_subgroup_info size = {.type = VKS_REQUIRED_SUBGROUP_SIZE, .size = caps->subgroup_size};
    vk_compute_info info = {.type = VKS_COMPUTE_PIPELINE_CREATE_INFO,
                            .layout = p->layout,
                            .base_index = -1,
                            .stage = {.type = VKS_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                      .stage = VK_STAGE_COMPUTE,
                                      .module = p->shader,
                                      .name = tsr_symbols_cstr(program->ir->symbols, entry->name)}};
    if (pin) info.stage.next = &size;
    if (pin && program->workgroup_size[0] % caps->subgroup_size == 0)
        info.stage.flags = VK_STAGE_REQUIRE_FULL_SUBGROUPS;
    vk_result r = d->host.api.create_compute(d->device, tsr_vk_cache(d), 1, &info, NULL, &p->pipeline);
    if (r == VK_OK || r == VK_OUT_OF_HOST_MEMORY || r == VK_OUT_OF_DEVICE_MEMORY || r == VK_DEVICE_LOST)
        return r == VK_OK ? TSR_OK : tsr_vk_fail(r, "making the pipeline");
    return tsr_fail(TSR_ERR_UNSUPPORTED, "vulkan: the driver of %s does not take the code of `%s` (%s, %d)",
                    d->facts.properties.name, info.stage.name, tsr_vk_result_name(r), (int)r);
}

tsr_status tsr_vk_pipeline_create(tsr_device *dev, tsr_built *build, tsr_pipeline **out)
{
    vk_state *d = (vk_state *)dev;
    tsr_status st = tsr_vk_check_usable(d);
    if (st != TSR_OK) return st;
    vk_pipeline *p = calloc(1, sizeof *p);
    if (!p) return tsr_fail(TSR_ERR_MEMORY, "out of memory while making a pipeline");
    p->head.device = dev;
    p->head.build = build;
    st = tsr_vk_make_shader(d, p);
    if (st == TSR_OK) st = make_layout(d, p);
    if (st == TSR_OK) st = make_pool(d, p);
    if (st == TSR_OK) st = make_compute(d, p);
    st = tsr_vk_check_messages(d, p, st);
    if (st != TSR_OK) {
        p->head.build = NULL; /* stays the caller's */
        tsr_vk_pipeline_free(&p->head);
        return st;
    }
    *out = &p->head;
    return TSR_OK;
}

static void destroy_objects(vk_state *d, vk_pipeline *p)
{
    vk_api *api = &d->host.api;
    if (p->pipeline) api->destroy_pipeline(d->device, p->pipeline, NULL);
    if (p->pool) api->destroy_descriptor_pool(d->device, p->pool, NULL);
    if (p->layout) api->destroy_layout(d->device, p->layout, NULL);
    for (uint32_t g = 0; g < p->set_count; g++)
        if (p->set_layouts[g]) api->destroy_set_layout(d->device, p->set_layouts[g], NULL);
    if (p->shader) api->destroy_shader(d->device, p->shader, NULL);
}

void tsr_vk_pipeline_free(tsr_pipeline *pipeline)
{
    vk_pipeline *p = (vk_pipeline *)pipeline;
    vk_state *d = (vk_state *)pipeline->device;
    if (tsr_vk_is_idle(d, 0)) destroy_objects(d, p); /* a kernel that does not end still uses them */
    tsr_build_free(pipeline->build);
    free(p->words);
    free(p);
}

/* ---- Running. */

static tsr_status check_alignment(const vk_state *d, const tsr_program *p, const tsr_binding *b, uint32_t i)
{
    const uint32_t *l = d->facts.properties.limits.words;
    bool uniform = descriptor_kind(p, &p->resources[i]) == VK_DESCRIPTOR_UNIFORM;
    uint32_t align = l[uniform ? VKL_MIN_UNIFORM_ALIGN : VKL_MIN_STORAGE_ALIGN];
    if (align && b->offset_bytes % align)
        return tsr_fail(TSR_ERR_INVALID,
                        "@group(%u) @binding(%u): offset %" PRIu64 " is not a multiple of %u, as %s needs",
                        (unsigned)p->resources[i].group, (unsigned)p->resources[i].binding, b->offset_bytes,
                        (unsigned)align, d->head.name);
    if (uniform && b->size_bytes > l[VKL_MAX_UNIFORM_RANGE])
        return tsr_fail(TSR_ERR_LIMIT, "@group(%u) @binding(%u): a uniform buffer of %" PRIu64 " bytes; %s takes %u",
                        (unsigned)p->resources[i].group, (unsigned)p->resources[i].binding, b->size_bytes, d->head.name,
                        (unsigned)l[VKL_MAX_UNIFORM_RANGE]);
    return TSR_OK;
}

static tsr_status write_sets(vk_state *d, vk_pipeline *p, const tsr_binding *ordered, vk_handle *sets)
{
    const tsr_program *program = &p->head.build->program;
    vk_api *api = &d->host.api;
    if (p->set_count == 0) return TSR_OK;
    const vk_set_info info = {
        .type = VKS_DESCRIPTOR_SET_ALLOCATE_INFO, .pool = p->pool, .count = p->set_count, .layouts = p->set_layouts};
    vk_result r = api->reset_descriptor_pool(d->device, p->pool, 0);
    if (r == VK_OK) r = api->allocate_sets(d->device, &info, sets);
    if (r != VK_OK) return tsr_vk_fail(r, "taking descriptor sets");
    for (uint32_t i = 0; i < program->resource_count; i++) {
        tsr_status st = check_alignment(d, program, &ordered[i], i);
        if (st != TSR_OK) return st;
        const vk_buffer_range range = {((vk_buffer *)ordered[i].buffer)->buffer, ordered[i].offset_bytes,
                                       (ordered[i].size_bytes + 3) / 4 * 4};
        const vk_write write = {.type = VKS_WRITE_DESCRIPTOR_SET,
                                .set = sets[program->resources[i].group],
                                .binding = program->resources[i].binding,
                                .count = 1,
                                .kind = descriptor_kind(program, &program->resources[i]),
                                .buffers = &range};
        api->update_sets(d->device, 1, &write, 0, NULL);
    }
    return TSR_OK;
}

static void record(vk_state *d, vk_pipeline *p, const vk_handle *sets, const uint32_t groups[3])
{
    vk_api *api = &d->host.api;
    if (d->queries) api->cmd_reset_queries(d->command, d->queries, 0, 2);
    api->cmd_bind_pipeline(d->command, BIND_COMPUTE, p->pipeline);
    if (p->set_count) api->cmd_bind_sets(d->command, BIND_COMPUTE, p->layout, 0, p->set_count, sets, 0, NULL);
    if (d->queries) api->cmd_timestamp(d->command, STAGE_TOP, d->queries, 0);
    api->cmd_dispatch(d->command, groups[0], groups[1], groups[2]);
    if (d->queries) api->cmd_timestamp(d->command, STAGE_BOTTOM, d->queries, 1);
}

/* Without timestamps the time is the host's, submission and waiting included. */
static void fill_report(vk_state *d, const uint32_t groups[3], uint64_t host_ns, tsr_run_report *report)
{
    uint64_t ticks[2] = {0, 0};
    memset(report, 0, sizeof *report);
    report->workgroups = (uint64_t)groups[0] * groups[1] * groups[2];
    report->time_ns = host_ns;
    if (!d->queries) return;
    vk_result r = d->host.api.get_queries(d->device, d->queries, 0, 2, sizeof ticks, ticks, sizeof ticks[0], 1 | 2);
    if (r == VK_OK) report->time_ns = (uint64_t)((double)(ticks[1] - ticks[0]) * (double)d->facts.timestamp_ns);
}

static tsr_status run(vk_state *d, vk_pipeline *p, const tsr_binding *ordered, const tsr_dispatch_args *args)
{
    vk_handle sets[VK_SETS_MAX] = {0};
    tsr_status st = tsr_vk_check_usable(d);
    if (st == TSR_OK) st = write_sets(d, p, ordered, sets);
    if (st == TSR_OK) st = tsr_vk_begin(d);
    if (st != TSR_OK) return st;
    record(d, p, sets, args->groups);
    uint64_t begin_ns = tsr_now_ns();
    st = tsr_vk_finish(d, args);
    if (st == TSR_OK && args->report) fill_report(d, args->groups, tsr_now_ns() - begin_ns, args->report);
    return st;
}

tsr_status tsr_vk_dispatch(tsr_pipeline *pipeline, const tsr_binding *ordered, const tsr_dispatch_args *args)
{
    vk_pipeline *p = (vk_pipeline *)pipeline;
    vk_state *d = (vk_state *)pipeline->device;
    tsr_vk_lock(d);
    tsr_status st = run(d, p, ordered, args);
    tsr_vk_unlock(d);
    return tsr_vk_check_messages(d, p, st);
}
