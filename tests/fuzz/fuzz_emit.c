/* Any WGSL that compiles, to every target with every --oob: no crash, no hang; twice the same bytes. With a debug
 * build, the IR is verified after each pass as well. */
#include "tessera.h"

#include <stdlib.h>
#include <string.h>

#define MEMORY_LIMIT ((size_t)512 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void emit_entry(const tsr_module *m, const char *entry, tsr_oob oob)
{
    tsr_emit_target_info target;
    for (size_t i = 0; tsr_emit_target(i, &target) == TSR_OK; i++) {
        tsr_emit_args args = {.target = target.name,
                              .entry = entry,
                              .oob = oob,
                              .debug_lines = oob != TSR_OOB_ZERO,
                              .maximal_reconvergence = oob == TSR_OOB_CLAMP};
        void *one = NULL, *two = NULL;
        size_t one_bytes = 0, two_bytes = 0;
        tsr_status st = tsr_emit(m, &args, &one, &one_bytes);
        if (st != tsr_emit(m, &args, &two, &two_bytes)) abort();
        if (st == TSR_OK && (one_bytes != two_bytes || memcmp(one, two, one_bytes) != 0)) abort();
        free(one);
        free(two);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tsr_module *m = NULL;
    tsr_compile_args args = {
        .name = "fuzz", .source = (const char *)data, .source_bytes = size, .memory_limit_bytes = MEMORY_LIMIT};
    if (tsr_compile(&args, &m) == TSR_OK)
        for (size_t i = 0; i < tsr_module_entry_count(m); i++) {
            tsr_entry_info entry;
            if (tsr_module_entry(m, i, &entry)) abort();
            for (int oob = 0; oob < TSR_OOB_COUNT; oob++)
                emit_entry(m, entry.name, (tsr_oob)oob);
        }
    tsr_module_free(m);
    return 0;
}
