/* Where a value that overrides decide meets one that only the running shader knows: divisors, shift amounts and indices
 * that no value of the other operand could make right. What overrides decide alone is evaluated by specialize.c.
 * Source: WGSL, "Arithmetic Expressions", "Bit Expressions", "Array Access Expression": pipeline-creation errors. */
#include "pass/pass_internal.h"

struct use_check {
    tsr_ir *ir;
    tsr_fold *fold;
    tsr_diags *diags;
    tsr_map decided; /* values of module scope that an override decides */
};

static bool is_decided(const struct use_check *c, tsr_id id)
{
    uint32_t ignored;
    return tsr_map_find(&c->decided, id, &ignored);
}

/* Operands stand before what is made of them. */
static void find_decided(struct use_check *c)
{
    const tsr_block_info *b = tsr_block_at(c->ir, c->ir->module_block);
    for (uint32_t i = 0; i < b->count; i++) {
        const tsr_inst *inst = tsr_inst_at(c->ir, b->insts[i]);
        bool decided = inst->op == TSR_OP_override;
        for (uint32_t k = 0; k < inst->nargs && !decided && inst->op != TSR_OP_global; k++)
            decided = is_decided(c, tsr_arg(c->ir, inst, k));
        if (decided) tsr_map_set(&c->decided, b->insts[i], 1);
    }
}

static void refuse(struct use_check *c, const tsr_inst *inst, const char *what)
{
    tsr_error(c->diags, inst->span, TSR_E_BUILD_OVERRIDE_EVAL, "with these override values, this expression (`%s`) %s",
              tsr_op_table[inst->op].name, what);
}

/* The smallest and the largest word of a value that an override decides; false when it is not known. */
static bool extreme_words(struct use_check *c, tsr_id id, uint32_t *least, uint32_t *most)
{
    const tsr_fold_value *v = tsr_fold_get(c->fold, id);
    if (v->state != TSR_FOLD_known) return false;
    *least = v->words == NULL || v->word_count == 0 ? 0 : UINT32_MAX;
    *most = 0;
    for (uint32_t i = 0; v->words != NULL && i < v->word_count; i++) {
        if (v->words[i] < *least) *least = v->words[i];
        if (v->words[i] > *most) *most = v->words[i];
    }
    return true;
}

/* Elements of what is indexed; 0: only the running shader knows. */
static uint32_t element_count(struct use_check *c, tsr_type type)
{
    const tsr_type_info *info = tsr_type_get(c->ir->types, type);
    uint32_t count = 0;
    if (info->kind == TSR_T_ptr) info = tsr_type_get(c->ir->types, info->elem);
    if (info->kind == TSR_T_vec || info->kind == TSR_T_mat) return info->count;
    return info->kind == TSR_T_array && tsr_fold_size(c->fold, info->size, &count) ? count : 0;
}

static void check_index(struct use_check *c, const tsr_inst *inst, uint32_t index)
{
    uint32_t count = element_count(c, tsr_inst_at(c->ir, tsr_arg(c->ir, inst, 0))->type);
    bool negative = tsr_inst_at(c->ir, tsr_arg(c->ir, inst, 1))->type == TSR_T_i32 && (int32_t)index < 0;
    if (negative || (count != 0 && index >= count)) refuse(c, inst, "has an index out of range");
}

static void check_inst(void *user, tsr_id id)
{
    struct use_check *c = user;
    const tsr_inst *inst = tsr_inst_at(c->ir, id);
    uint32_t least, most;
    if (inst->nargs != 2 || !is_decided(c, tsr_arg(c->ir, inst, 1))) return;
    if (!extreme_words(c, tsr_arg(c->ir, inst, 1), &least, &most)) return;
    tsr_type scalar = tsr_type_scalar(c->ir->types, inst->type);
    bool integer = scalar == TSR_T_i32 || scalar == TSR_T_u32;
    const uint32_t width = 32; /* bits of i32 and u32 */
    if ((inst->op == TSR_OP_div || inst->op == TSR_OP_rem) && integer && least == 0) refuse(c, inst, "divides by zero");
    if ((inst->op == TSR_OP_shl || inst->op == TSR_OP_shr) && most >= width) refuse(c, inst, "shifts by too much");
    if (inst->op == TSR_OP_index || inst->op == TSR_OP_element) check_index(c, inst, most);
}

void tsr_override_uses_check(tsr_ir *ir, const tsr_reach *reach, tsr_fold *fold, tsr_diags *diags)
{
    struct use_check c = {.ir = ir, .fold = fold, .diags = diags};
    if (ir->overrides.count <= 1) return;
    tsr_map_init(&c.decided, ir->arena);
    find_decided(&c);
    for (uint32_t i = 0; i < reach->function_count; i++)
        tsr_block_walk(ir, tsr_function_at(ir, reach->functions[i])->body, check_inst, &c);
}
