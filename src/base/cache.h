/* What was compiled once, kept on disk between runs. Every failure means "not there". */
#ifndef TSR_BASE_CACHE_H
#define TSR_BASE_CACHE_H

#include <stddef.h>
#include <stdint.h>

typedef struct tsr_cache_key {
    uint64_t part[2];
} tsr_cache_key;

/* `kind` ends the file's name: "o", "pipelines". malloc memory, NULL when it is not there. */
unsigned char *tsr_cache_read(const char *kind, tsr_cache_key key, size_t *bytes);
void tsr_cache_write(const char *kind, tsr_cache_key key, const unsigned char *data, size_t bytes);

#endif
