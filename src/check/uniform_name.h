/* How built-in operations and what differs are called in messages about uniformity. */
#ifndef TSR_CHECK_UNIFORM_NAME_H
#define TSR_CHECK_UNIFORM_NAME_H

#include "ir/module.h"

/* The WGSL name of a built-in operation, as `name` in quotes, or a phrase for what has none; lives in the arena. */
const char *tsr_uniform_name(const tsr_ir *ir, tsr_arena *arena, const tsr_inst *inst);
/* The WGSL name of the parameter for operand `arg` of the operation. */
const char *tsr_uniform_operand_name(const tsr_inst *inst, uint32_t arg);
/* A sentence on why reading through the pointer may give each invocation something else. */
const char *tsr_uniform_memory_text(const tsr_ir *ir, tsr_arena *arena, const tsr_function *fn, tsr_id pointer);
/* The same on parameter `param` of an entry point. */
const char *tsr_uniform_input_text(const tsr_ir *ir, tsr_arena *arena, const tsr_function *fn, uint32_t param);

#endif
