/* libFuzzer target: any bytes as a file of device profiles. What is accepted must be accepted again when its records
 * are written one by one, and every question about it has an answer. */
#include "tessera.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_record(const tsr_profiles *p, size_t i)
{
    tsr_profiles *again;
    tsr_profile_info info;
    size_t found;
    tsr_config wanted = {.shape = {16, 16, 16}, .a = TSR_F16, .b = TSR_F16, .c = TSR_F32, .r = TSR_F32};
    char differs[8];
    const char *json = tsr_profiles_json(p, i);
    if (tsr_profiles_get(p, i, &info) != TSR_OK || !json) abort();
    if (tsr_profiles_find(p, info.name, &found) != TSR_OK || found != i) abort();
    if (info.support.advertised < info.support.config_count + info.unkept_count) abort();
    tsr_support_verdict(&info.support, &wanted);
    tsr_support_nearest(&info.support, &wanted, differs, sizeof differs);
    if (tsr_profiles_load(json, strlen(json), "again", &again) != TSR_OK) abort();
    tsr_profiles_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tsr_profiles *p;
    if (tsr_profiles_load(size ? (const char *)data : "", size, "fuzz", &p) == TSR_OK) {
        for (size_t i = 0; i < tsr_profiles_count(p); i++)
            check_record(p, i);
        tsr_profiles_free(p);
    } else if (!tsr_last_error()[0]) {
        abort();
    }
    return 0;
}
