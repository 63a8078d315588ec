/* The clock that runs and timeouts are measured by. */
#ifndef TSR_BASE_CLOCK_H
#define TSR_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t tsr_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

#endif
