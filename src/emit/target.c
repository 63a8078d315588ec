/* The targets that there are. */
#include "emit/emit.h"

#include <string.h>

static const tsr_target *const targets[] = {&tsr_target_spirv, &tsr_target_spirv_text, &tsr_target_spirv_header,
                                            &tsr_target_llvm};

size_t tsr_target_count(void)
{
    return TSR_COUNT_OF(targets);
}

const tsr_target *tsr_target_at(size_t i)
{
    return i < TSR_COUNT_OF(targets) ? targets[i] : NULL;
}

const tsr_target *tsr_target_find(const char *name)
{
    for (size_t i = 0; i < TSR_COUNT_OF(targets); i++)
        if (strcmp(targets[i]->name, name) == 0) return targets[i];
    return NULL;
}
