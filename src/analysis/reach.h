/* What a function reaches: functions, module-scope variables and values, types. WGSL calls it "statically accessed". */
#ifndef TSR_ANALYSIS_REACH_H
#define TSR_ANALYSIS_REACH_H

#include "ir/module.h"

/* What one function, or everything that it reaches, names. Each thing once. */
typedef struct tsr_reach {
    uint32_t *functions; /* callees before callers, the function itself last */
    uint32_t *globals;   /* indices in ir.globals, ascending */
    tsr_id *values;      /* module-scope values, directly named (operands, sizes, initial values, workgroup size) */
    tsr_type *types;     /* of values and variables, with all they are made of, ascending */
    tsr_id *mmas;        /* multiply-adds, in source order */
    uint32_t function_count, global_count, value_count, type_count, mma_count;
    bool matrices, subgroups, f16;
} tsr_reach;

/* Facts about functions of a module, found once when first asked for; each entry point is a union of some. */
typedef struct tsr_reacher tsr_reacher;

tsr_reacher *tsr_reacher_new(const tsr_ir *ir, tsr_arena *arena);
/* The results live in the reacher's arena, until the next query. */
void tsr_reacher_find(tsr_reacher *r, uint32_t function, tsr_reach *out);
/* All functions of the module, callees before callers; as long as the results of tsr_reacher_find. */
const uint32_t *tsr_reacher_order(tsr_reacher *r, uint32_t *count);
/* What the function names itself: `functions` are its callees, nothing is sorted, and `matrices` and `f16` are left to
 * who follows the types. Lives in the arena. */
void tsr_reacher_direct(tsr_reacher *r, uint32_t function, tsr_reach *out);

#endif
