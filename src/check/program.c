/* What no target can run: other stages than compute and what belongs to them, resources that are not buffers. */
#include "check/check.h"

/* Of one variable in function or private memory, which every invocation has. WGSL, "Limits", asks for 8192 bytes of all
 * together; this is where the stacks of the CPU's invocations end. */
#define PRIVATE_BYTES_MAX (256u * 1024u)

struct program_check {
    const tsr_program *p;
    tsr_diags *diags;
};

/* A variable, local or of module scope. */
static void check_private_bytes(struct program_check *c, const tsr_inst *var)
{
    const tsr_ir *ir = c->p->ir;
    const tsr_type_info *ptr = tsr_type_get(ir->types, var->type);
    uint64_t bytes = tsr_type_get(ir->types, ptr->elem)->size_bytes;
    if ((ptr->space != TSR_SPACE_function && ptr->space != TSR_SPACE_private) || bytes <= PRIVATE_BYTES_MAX) return;
    tsr_error(c->diags, var->span, TSR_E_BUILD_PRIVATE_MEMORY,
              "`%s` takes %llu bytes, and every invocation has its own; at most %u can be run: use storage",
              var->name ? tsr_symbols_cstr(ir->symbols, var->name) : "a variable", (unsigned long long)bytes,
              PRIVATE_BYTES_MAX);
}

static void check_op(void *user, tsr_id id)
{
    struct program_check *c = user;
    const tsr_inst *inst = tsr_inst_at(c->p->ir, id);
    if (inst->op == TSR_OP_var) check_private_bytes(c, inst);
    if (inst->op == TSR_OP_builtin_call)
        tsr_error(c->diags, inst->span, TSR_E_BUILD_OP_UNSUPPORTED,
                  "`%s` cannot be run: tessera runs compute without textures",
                  tsr_symbols_cstr(c->p->ir->symbols, inst->aux));
    else if (inst->op == TSR_OP_discard)
        tsr_error(c->diags, inst->span, TSR_E_BUILD_OP_UNSUPPORTED, "`discard` belongs to the fragment stage");
}

static void check_global(struct program_check *c, const tsr_global *g)
{
    const tsr_ir *ir = c->p->ir;
    const tsr_inst *inst = tsr_inst_at(ir, g->inst);
    const tsr_type_info *ptr = tsr_type_get(ir->types, inst->type);
    check_private_bytes(c, inst);
    if (ptr->space == TSR_SPACE_immediate)
        tsr_error(c->diags, inst->span, TSR_E_BUILD_RESOURCE_UNSUPPORTED,
                  "`%s` is immediate data; tessera runs kernels on buffers only",
                  tsr_symbols_cstr(ir->symbols, g->name));
    if (ptr->space != TSR_SPACE_handle && tsr_type_kind_of(ir->types, ptr->elem) == TSR_T_opaque)
        tsr_error(c->diags, inst->span, TSR_E_BUILD_RESOURCE_UNSUPPORTED,
                  "`%s` has no type of its own (`%s`), which tessera checks but does not run; give it one, such as "
                  "array<u32>",
                  tsr_symbols_cstr(ir->symbols, g->name), tsr_type_cstr(ir->types, c->diags->arena, ptr->elem));
    else if (ptr->space == TSR_SPACE_handle || tsr_type_contains(ir->types, ptr->elem, TSR_T_opaque))
        tsr_error(c->diags, inst->span, TSR_E_BUILD_RESOURCE_UNSUPPORTED,
                  "`%s` is of type `%s`; tessera runs kernels on buffers only", tsr_symbols_cstr(ir->symbols, g->name),
                  tsr_type_cstr(ir->types, c->diags->arena, ptr->elem));
}

bool tsr_check_program(const tsr_program *p, tsr_diags *diags)
{
    struct program_check c = {.p = p, .diags = diags};
    uint32_t errors = diags->error_count;
    const tsr_function *entry = tsr_function_at(p->ir, p->entry);
    if (entry->stage != TSR_STAGE_COMPUTE) {
        tsr_error(diags, entry->span, TSR_E_BUILD_STAGE_UNSUPPORTED,
                  "`%s` is a %s entry point; only compute entry points can be run or emitted",
                  tsr_symbols_cstr(p->ir->symbols, entry->name),
                  entry->stage == TSR_STAGE_VERTEX ? "vertex" : "fragment");
        return false;
    }
    for (uint32_t g = 1; g < p->ir->globals.count; g++)
        check_global(&c, tsr_global_at(p->ir, g));
    for (uint32_t f = 1; f < p->ir->functions.count; f++)
        tsr_block_walk(p->ir, tsr_function_at(p->ir, f)->body, check_op, &c);
    return diags->error_count == errors;
}
