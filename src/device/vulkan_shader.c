/* The code of a pipeline: SPIR-V from the emitter, through tsr_build_emit, held against what the device has turned on,
 * and handed to the driver. */
#include "device/vulkan.h"

#include <stdlib.h>

enum { HEAD_WORDS = 5, OP_CAPABILITY = 17 };

/* VkSubgroupFeatureFlagBits by number, in compute shaders. */
static bool has_subgroup_operation(const vk_facts *f, unsigned bit)
{
    return (f->properties_1_1.subgroup_stages & VK_STAGE_COMPUTE) &&
           (f->properties_1_1.subgroup_operations >> bit & 1u);
}

static tsr_status check_capability(const vk_facts *f, const char *device, uint32_t capability)
{
    static const struct {
        uint32_t number;
        const char *name, *lacks;
    } rows[] = {
#define CAPABILITY(number, name, condition, lacks) {number, name, lacks},
#include "device/vulkan_capability.def"
    };
    const bool has[] = {
#define CAPABILITY(number, name, condition, lacks) (condition) != 0,
#include "device/vulkan_capability.def"
    };
    for (size_t i = 0; i < TSR_COUNT_OF(rows); i++)
        if (rows[i].number == capability && !has[i])
            return tsr_fail(TSR_ERR_UNSUPPORTED, "%s (%s) has no %s, which the program needs (capability %s)", device,
                            f->properties.name, rows[i].lacks, rows[i].name);
    return TSR_OK;
}

/* Capabilities stand first in a module. */
static tsr_status check_capabilities(const vk_state *d, const uint32_t *words, size_t count)
{
    for (size_t i = HEAD_WORDS; i + 1 < count && (words[i] & 0xffffu) == OP_CAPABILITY; i += words[i] >> 16) {
        tsr_status st = check_capability(&d->facts, d->head.name, words[i + 1]);
        if (st != TSR_OK) return st;
    }
    return TSR_OK;
}

tsr_status tsr_vk_make_shader(vk_state *d, vk_pipeline *p)
{
    const tsr_emit_options options = {
        .caps = &d->head.caps, .subgroup_size = d->head.caps.subgroup_size, .debug_lines = d->host.validates};
    void *words;
    size_t size;
    tsr_status st = tsr_build_emit(p->head.build, &tsr_target_spirv, &options, &words, &size);
    if (st != TSR_OK) return st;
    st = check_capabilities(d, words, size / sizeof(uint32_t));
    const vk_shader_info info = {.type = VKS_SHADER_MODULE_CREATE_INFO, .size = size, .words = words};
    vk_result r = st == TSR_OK ? d->host.api.create_shader(d->device, &info, NULL, &p->shader) : VK_OK;
    if (d->host.validates)
        p->words = words, p->word_count = size / sizeof(uint32_t);
    else
        free(words);
    return r == VK_OK ? st : tsr_vk_fail(r, "making a shader module");
}
