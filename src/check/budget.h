/* How much of a device's registers an entry point takes: the subgroup matrices that it holds at once. */
#ifndef TSR_CHECK_BUDGET_H
#define TSR_CHECK_BUDGET_H

#include "ir/program.h"

typedef struct tsr_held {
    uint64_t components; /* of the whole subgroup */
    uint64_t bytes;
    tsr_span where; /* of the instruction before which they are held; 0, 0: nothing is */
} tsr_held;

/* The matrices held at the worst point of the entry point and what it calls. A value is held from the instruction that
 * makes it to its last use, a variable from its first access to its last; what is live around a loop is held throughout
 * it. A sum that goes back to the variable it came from is counted once, as compilers keep it. */
tsr_held tsr_check_budget(const tsr_program *p, tsr_arena *scratch);

#endif
