/* libFuzzer target: IR text through everything that comes after parsing: verify, reflect, build with values for the
 * overrides, device checks, and a short run. The first byte chooses the subgroup size and what overrides are worth. */
#include "tessera.h"

#include <stdlib.h>
#include <string.h>

#define MEMORY_LIMIT ((size_t)256 * 1024 * 1024)
enum { LIST_MAX = 16, BUFFER_BYTES_MAX = 65536, RUN_NS = 20 * 1000 * 1000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void run(tsr_device *dev, tsr_pipeline *p, const tsr_module *m, const char *entry)
{
    tsr_binding bindings[LIST_MAX] = {{0}};
    size_t count = tsr_module_binding_count(m, entry), made = 0;
    bool good = count <= LIST_MAX;
    for (; good && made < count; made++) {
        tsr_binding_info info;
        good = tsr_module_binding(m, entry, made, &info) == TSR_OK && info.min_bytes <= BUFFER_BYTES_MAX &&
               tsr_buffer_create(dev, info.min_bytes + 64, NULL, &bindings[made].buffer) == TSR_OK;
        bindings[made].group = info.group;
        bindings[made].binding = info.binding;
    }
    tsr_run_report report;
    tsr_dispatch_args args = {
        .bindings = bindings, .binding_count = made, .groups = {2, 1, 1}, .timeout_ns = RUN_NS, .report = &report};
    if (good) tsr_dispatch(p, &args);
    for (size_t i = 0; i < LIST_MAX; i++)
        tsr_buffer_free(bindings[i].buffer);
}

static void build(tsr_device *dev, const tsr_module *m, const char *entry, double value)
{
    tsr_override_value values[LIST_MAX];
    size_t count = tsr_module_override_count(m) < LIST_MAX ? tsr_module_override_count(m) : LIST_MAX;
    for (size_t i = 0; i < count; i++) {
        tsr_override_info info;
        if (tsr_module_override(m, i, &info) != TSR_OK) abort();
        values[i] = (tsr_override_value){.name = info.name[0] ? info.name : NULL, .id = info.id, .value = value};
    }
    tsr_pipeline *p;
    tsr_pipeline_args args = {.entry = entry, .overrides = values, .override_count = count};
    if (tsr_pipeline_create(dev, m, &args, &p) != TSR_OK) return;
    run(dev, p, m, entry);
    tsr_pipeline_free(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1) return 0;
    tsr_module *m;
    tsr_device *dev;
    tsr_device_args device = {.subgroup_size = 4u << data[0] % 6, .threads = 1, .memory_limit_bytes = MEMORY_LIMIT};
    tsr_compile_args args = {.source = (const char *)data + 1,
                             .source_bytes = size - 1,
                             .memory_limit_bytes = MEMORY_LIMIT,
                             .ir_text = true};
    tsr_status st = tsr_compile(&args, &m);
    if (st != TSR_OK && st != TSR_ERR_SOURCE) return 0;
    for (size_t i = 0; i < tsr_module_diagnostic_count(m); i++)
        tsr_module_diagnostic_text(m, i, i % 2);
    if (tsr_device_open("cpu", &device, &dev) != TSR_OK) abort();
    for (size_t i = 0; i < tsr_module_entry_count(m); i++) {
        tsr_entry_info info;
        if (tsr_module_entry(m, i, &info) == TSR_OK) build(dev, m, info.name, (double)(data[0] / 6));
    }
    tsr_device_free(dev);
    tsr_module_free(m);
    return 0;
}
