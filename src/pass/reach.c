/* Drops the functions and module-scope variables that an entry point does not reach, and closes the gaps in their
 * numbers. */
#include "analysis/reach.h"
#include "pass/pass.h"

#include <string.h>

struct renumber {
    tsr_ir *ir;
    const uint32_t *function; /* old number to new */
};

static void renumber_call(void *user, tsr_id id)
{
    const struct renumber *r = user;
    tsr_inst *inst = tsr_inst_at(r->ir, id);
    if (inst->op == TSR_OP_call) inst->aux = r->function[inst->aux];
}

static void keep_functions(tsr_ir *ir, const tsr_reach *reach, uint32_t *entry)
{
    uint32_t *number = TSR_NEW_ARRAY(ir->arena, uint32_t, ir->functions.count);
    for (uint32_t i = 0; i < reach->function_count; i++)
        number[reach->functions[i]] = 1;
    uint32_t count = 1;
    for (uint32_t f = 1; f < ir->functions.count; f++) {
        if (!number[f]) continue;
        number[f] = count;
        if (count != f) memcpy(tsr_function_at(ir, count), tsr_function_at(ir, f), sizeof(tsr_function));
        count++;
    }
    ir->functions.count = count;
    struct renumber r = {.ir = ir, .function = number};
    for (uint32_t f = 1; f < count; f++)
        tsr_block_walk(ir, tsr_function_at(ir, f)->body, renumber_call, &r);
    *entry = number[*entry];
}

static void keep_globals(tsr_ir *ir, const tsr_reach *reach)
{
    bool *kept = TSR_NEW_ARRAY(ir->arena, bool, ir->globals.count);
    for (uint32_t i = 0; i < reach->global_count; i++)
        kept[reach->globals[i]] = true;
    tsr_block_info *module = tsr_block_at(ir, ir->module_block);
    uint32_t insts = 0;
    for (uint32_t i = 0; i < module->count; i++) {
        const tsr_inst *inst = tsr_inst_at(ir, module->insts[i]);
        if (inst->op != TSR_OP_global || kept[inst->aux]) module->insts[insts++] = module->insts[i];
    }
    module->count = insts;
    uint32_t count = 1;
    for (uint32_t g = 1; g < ir->globals.count; g++) {
        if (!kept[g]) continue;
        if (count != g) memcpy(tsr_global_at(ir, count), tsr_global_at(ir, g), sizeof(tsr_global));
        tsr_inst_at(ir, tsr_global_at(ir, count)->inst)->aux = count;
        count++;
    }
    ir->globals.count = count;
}

bool tsr_pass_reach(tsr_ir *ir, uint32_t *entry)
{
    uint32_t functions = ir->functions.count, globals = ir->globals.count;
    tsr_reach reach;
    tsr_reacher_find(tsr_reacher_new(ir, ir->arena), *entry, &reach);
    keep_globals(ir, &reach);
    keep_functions(ir, &reach, entry);
    return ir->functions.count != functions || ir->globals.count != globals;
}
