/* Whether a device that is not here would run a program: every rule of pipeline creation, tried for each subgroup size
 * that the device may choose, with what is not known kept apart from what is refused. */
#ifndef TSR_CHECK_PORTABLE_H
#define TSR_CHECK_PORTABLE_H

#include "coopmat/profile.h"
#include "ir/program.h"

typedef struct tsr_fit_finding {
    struct tsr_fit_finding *next;
    tsr_fit_reason reason; /* without its place */
    tsr_span span;
    uint32_t sizes; /* at how many subgroup sizes it was found */
} tsr_fit_finding;

typedef struct tsr_fit_findings {
    tsr_fit_finding *first, *last;
    uint32_t count;
    uint32_t *sizes; /* at which nothing refuses it */
    uint32_t size_count;
    tsr_fit verdict;
} tsr_fit_findings;

/* subgroup_size 0: each that the profile lists, or the one that the entry point asks for. All memory is the arena's. */
void tsr_check_portable(const tsr_program *p, const tsr_profile *profile, uint32_t subgroup_size, tsr_arena *arena,
                        tsr_source *source, tsr_fit_findings *out);

#endif
