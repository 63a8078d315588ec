/* libFuzzer target: any bytes as an .npy file. An array that is accepted must survive being written and read again. */
#include "../../src/cli/npy.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_round_trip(const struct npy *a)
{
    char header[NPY_HEADER_MAX], why[NPY_WHY_BYTES];
    struct npy again;
    size_t length = npy_header(header, a->type, a->shape, a->dims);
    unsigned char *file = malloc(length + a->size_bytes);
    if (!file) return;
    memcpy(file, header, length);
    if (a->size_bytes) memcpy(file + length, a->data, a->size_bytes);
    if (length % 64 != 0 || !npy_parse(file, length + a->size_bytes, &again, why)) abort();
    if (again.dims != a->dims || again.type != a->type || again.size_bytes != a->size_bytes) abort();
    if (a->size_bytes && memcmp(again.data, a->data, a->size_bytes) != 0) abort();
    npy_fini(&again);
    free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char why[NPY_WHY_BYTES] = "";
    struct npy a;
    if (npy_parse(data, size, &a, why)) {
        check_round_trip(&a);
        npy_fini(&a);
    } else if (why[0] == 0 || strlen(why) >= sizeof why) {
        abort();
    }
    return 0;
}
