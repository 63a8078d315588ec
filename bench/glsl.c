/* A GEMM in WGSL beside the same one in GLSL, as SPIR-V from glslang, on one Vulkan device through one host program:
 * the same pipeline layout, buffers and dispatch, the code exchanged. One sample of each in turn, device timestamps,
 * medians; the results must be the same.
 *
 *   glsl [--device NAME] [--runs N] [--size N] KERNEL.wgsl KERNEL.spv
 *
 * WGSL runs twice: as the device runs it, where accesses outside their array are caught, and unchecked, as GLSL is. It
 * looks inside the library, which takes no foreign SPIR-V. */
#include "device/vulkan.h"
#include "measure.h"

#include <inttypes.h>

enum { CODES = 3 };

typedef struct code {
    const char *name;
    tsr_pipeline *pipeline;
    double ms[RUNS_MAX];
    float *result;
} code;

static uint32_t *read_words(const char *path, size_t *bytes)
{
    FILE *f = fopen(path, "rb");
    uint32_t *words = malloc(1 << 20);
    if (!f || !words) {
        fprintf(stderr, "bench: %s cannot be read\n", path);
        exit(3);
    }
    *bytes = fread(words, 1, 1 << 20, f);
    fclose(f);
    return words;
}

static void check_vulkan(vk_result r, const char *what)
{
    if (r != VK_OK) check(tsr_vk_fail(r, what));
}

/* The pipeline with other code: what tsr_pipeline_create made of its own goes. */
static void exchange(tsr_pipeline *pipeline, const uint32_t *words, size_t bytes)
{
    vk_pipeline *p = (vk_pipeline *)pipeline;
    vk_state *d = (vk_state *)pipeline->device;
    vk_api *api = &d->host.api;
    vk_subgroup_info size = {.type = VKS_REQUIRED_SUBGROUP_SIZE, .size = d->head.caps.subgroup_size};
    const vk_shader_info shader = {.type = VKS_SHADER_MODULE_CREATE_INFO, .size = bytes, .words = words};
    api->destroy_pipeline(d->device, p->pipeline, NULL);
    api->destroy_shader(d->device, p->shader, NULL);
    p->pipeline = p->shader = 0;
    check_vulkan(api->create_shader(d->device, &shader, NULL, &p->shader), "making a shader module");
    const vk_compute_info info = {.type = VKS_COMPUTE_PIPELINE_CREATE_INFO,
                                  .layout = p->layout,
                                  .base_index = -1,
                                  .stage = {.type = VKS_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                            .next = tsr_vk_can_pin(&d->facts) ? &size : NULL,
                                            .flags = tsr_vk_can_pin(&d->facts) ? VK_STAGE_REQUIRE_FULL_SUBGROUPS : 0,
                                            .stage = VK_STAGE_COMPUTE,
                                            .module = p->shader,
                                            .name = "main"}};
    check_vulkan(api->create_compute(d->device, 0, 1, &info, NULL, &p->pipeline), "making a pipeline");
}

static tsr_buffer *make_buffer(tsr_device *dev, size_t bytes, const void *data)
{
    tsr_buffer *b = NULL;
    check(tsr_buffer_create(dev, bytes, data, &b));
    return b;
}

/* Small integers as f16: every sum is exact, so that results can be compared by their bits. */
static uint16_t *make_halves(size_t count, uint32_t step)
{
    static const uint16_t small[] = {0x0000, 0x3c00, 0x4000, 0xbc00, 0x4200, 0xc000}; /* 0, 1, 2, -1, 3, -2 */
    uint16_t *h = malloc(count * sizeof *h);
    if (!h) exit(3);
    for (size_t i = 0; i < count; i++)
        h[i] = small[(i * step + i / 7) % 6];
    return h;
}

static void sample(code *c, const tsr_binding *bindings, uint32_t n, int run)
{
    tsr_run_report report = {0};
    const tsr_dispatch_args args = {
        .bindings = bindings, .binding_count = 4, .groups = {n / 16, n / 16, 1}, .report = &report};
    check(tsr_dispatch(c->pipeline, &args));
    if (run >= 0) c->ms[run] = (double)report.time_ns * 1e-6;
}

static void measure(code *codes, tsr_device *dev, uint32_t n, int runs)
{
    size_t count = (size_t)n * n;
    uint16_t *a = make_halves(count, 5), *b = make_halves(count, 11);
    const uint32_t sizes[4] = {n, n, n, 0};
    tsr_buffer *buffers[4] = {make_buffer(dev, count * 2, a), make_buffer(dev, count * 2, b),
                              make_buffer(dev, count * 4, NULL), make_buffer(dev, sizeof sizes, sizes)};
    tsr_binding bindings[4];
    for (uint32_t i = 0; i < 4; i++)
        bindings[i] = (tsr_binding){.binding = i, .buffer = buffers[i]};
    for (int run = -1; run < runs; run++)
        for (int c = 0; c < CODES; c++) {
            sample(&codes[c], bindings, n, run);
            if (run >= 0) continue;
            codes[c].result = malloc(count * sizeof(float));
            if (!codes[c].result) exit(3);
            check(tsr_buffer_read(buffers[2], 0, codes[c].result, count * sizeof(float)));
            if (memcmp(codes[c].result, codes[0].result, count * sizeof(float)) != 0) {
                fprintf(stderr, "bench: %s and %s compute different results\n", codes[0].name, codes[c].name);
                exit(1);
            }
        }
    for (int i = 0; i < 4; i++)
        tsr_buffer_free(buffers[i]);
    free(a), free(b);
}

int main(int argc, char **argv)
{
    const char *device = "vulkan:0", *files[2] = {NULL, NULL};
    uint32_t n = 256;
    int runs = 15, file = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--device") == 0 && i + 1 < argc)
            device = argv[++i];
        else if (strcmp(argv[i], "--runs") == 0 && i + 1 < argc)
            runs = atoi(argv[++i]);
        else if (strcmp(argv[i], "--size") == 0 && i + 1 < argc)
            n = (uint32_t)atoi(argv[++i]) / 16 * 16;
        else if (file < 2)
            files[file++] = argv[i];
    }
    if (file < 2 || runs < 1 || runs > RUNS_MAX || n == 0) {
        fprintf(stderr, "usage: glsl [--device NAME] [--runs N] [--size N] KERNEL.wgsl KERNEL.spv\n");
        return 2;
    }
    tsr_device *dev = NULL;
    tsr_module *m = NULL;
    char *text = read_file(files[0]);
    code codes[CODES] = {{.name = "glslang"}, {.name = "tessera"}, {.name = "tessera, unchecked"}};
    check(tsr_device_open(device, NULL, &dev));
    check(tsr_compile(&(tsr_compile_args){.name = files[0], .source = text, .source_bytes = strlen(text)}, &m));
    for (int c = 0; c < CODES; c++)
        check(tsr_pipeline_create(dev, m, NULL, &codes[c].pipeline));
    size_t bytes;
    uint32_t *words = read_words(files[1], &bytes);
    exchange(codes[0].pipeline, words, bytes);
    void *unchecked = NULL;
    check(tsr_emit(m, &(tsr_emit_args){.device = dev, .oob = TSR_OOB_UNCHECKED}, &unchecked, &bytes));
    exchange(codes[2].pipeline, unchecked, bytes);
    measure(codes, dev, n, runs);
    double peer = median(codes[0].ms, runs), flops = 2.0 * n * n * n;
    for (int c = 0; c < CODES; c++) {
        double ms = median(codes[c].ms, runs);
        printf(
            "{\"name\": \"gemm f16 8x8x8, %u\", \"device\": \"%s\", \"code\": \"%s\", \"ms\": %.4f, \"gflops\": %.2f, "
            "\"times_glslang\": %.3f}\n",
            (unsigned)n, tsr_device_description(dev), codes[c].name, ms, flops / ms * 1e-6, ms / peer);
        tsr_pipeline_free(codes[c].pipeline);
        free(codes[c].result);
    }
    free(words), free(unchecked), free(text);
    tsr_module_free(m);
    tsr_device_free(dev);
    return 0;
}
