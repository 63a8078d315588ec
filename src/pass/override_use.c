/* Where values that overrides decide meet one that only the running shader knows: divisors, shift amounts, indices and
 * arguments of built-in functions that no value of the other operand could make right. What overrides decide alone is
 * evaluated by specialize.c. Source: WGSL, "Arithmetic Expressions", "Bit Expressions", "Array Access Expression",
 * "Numeric Built-in Functions", "Subgroup Built-in Functions": pipeline-creation errors. */
#include "base/number.h"
#include "pass/pass_internal.h"

enum { IS_CONST = 1, IS_DECIDED = 2 };

struct use_check {
    tsr_ir *ir;
    tsr_fold *fold;
    tsr_diags *diags;
    tsr_map values; /* of module scope: IS_... */
};

static uint32_t kind_of(const struct use_check *c, tsr_id id)
{
    uint32_t kind = 0;
    return tsr_map_find(&c->values, id, &kind) ? kind : 0;
}

static bool is_decided(const struct use_check *c, tsr_id id)
{
    return kind_of(c, id) == IS_DECIDED;
}

/* Operands stand before what is made of them. */
static void find_values(struct use_check *c)
{
    const tsr_block_info *b = tsr_block_at(c->ir, c->ir->module_block);
    for (uint32_t i = 0; i < b->count; i++) {
        const tsr_inst *inst = tsr_inst_at(c->ir, b->insts[i]);
        if (inst->op == TSR_OP_global) continue;
        bool decided = inst->op == TSR_OP_override;
        for (uint32_t k = 0; k < inst->nargs && !decided; k++)
            decided = is_decided(c, tsr_arg(c->ir, inst, k));
        tsr_map_set(&c->values, b->insts[i], decided ? IS_DECIDED : IS_CONST);
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

static const tsr_type_info *indexed_type(const struct use_check *c, tsr_type type)
{
    const tsr_type_info *info = tsr_type_get(c->ir->types, type);
    return info->kind == TSR_T_ptr ? tsr_type_get(c->ir->types, info->elem) : info;
}

/* Elements of what is indexed; 0: only the running shader knows. */
static uint32_t element_count(struct use_check *c, tsr_type type)
{
    const tsr_type_info *info = indexed_type(c, type);
    uint32_t count = 0;
    if (info->kind == TSR_T_vec || info->kind == TSR_T_mat) return info->count;
    return info->kind == TSR_T_array && tsr_fold_size(c->fold, info->size, &count) ? count : 0;
}

static void check_index(struct use_check *c, const tsr_inst *inst, uint32_t index)
{
    uint32_t count = element_count(c, tsr_inst_at(c->ir, tsr_arg(c->ir, inst, 0))->type);
    bool negative = tsr_inst_at(c->ir, tsr_arg(c->ir, inst, 1))->type == TSR_T_i32 && (int32_t)index < 0;
    if (negative || (count != 0 && index >= count)) refuse(c, inst, "has an index out of range");
}

/* An override decides the operand, or how many elements there are to be indexed by a constant. */
static bool is_decided_right(const struct use_check *c, const tsr_inst *inst, tsr_id right)
{
    if (is_decided(c, right)) return true;
    if ((inst->op != TSR_OP_index && inst->op != TSR_OP_element) || kind_of(c, right) == 0) return false;
    return indexed_type(c, tsr_inst_at(c->ir, tsr_arg(c->ir, inst, 0))->type)->size.over != 0;
}

/* The second operand alone. */
static void check_right(struct use_check *c, const tsr_inst *inst, tsr_id right)
{
    uint32_t least, most;
    if (!is_decided_right(c, inst, right) || !extreme_words(c, right, &least, &most)) return;
    tsr_type scalar = tsr_type_scalar(c->ir->types, inst->type);
    bool integer = scalar == TSR_T_i32 || scalar == TSR_T_u32;
    const uint32_t width = 32;  /* bits of i32 and u32 */
    const uint32_t lanes = 128; /* WGSL: no subgroup is larger */
    switch ((tsr_op)inst->op) {
    case TSR_OP_div:
    case TSR_OP_rem:
        if (integer && least == 0) refuse(c, inst, "divides by zero");
        break;
    case TSR_OP_shl:
    case TSR_OP_shr:
        if (most >= width) refuse(c, inst, "shifts by too much");
        break;
    case TSR_OP_index:
    case TSR_OP_element: check_index(c, inst, most); break;
    case TSR_OP_sg_shuffle:
    case TSR_OP_sg_shuffle_down:
    case TSR_OP_sg_shuffle_up:
    case TSR_OP_sg_shuffle_xor:
        if (most >= lanes) refuse(c, inst, "names an invocation beyond 127");
        break;
    default: break;
    }
}

/* ---- Arguments of one call that only together are wrong. */

static double number_of(tsr_type scalar, uint32_t word)
{
    switch (scalar) {
    case TSR_T_f32: return (double)tsr_f32_from_bits(word);
    case TSR_T_f16: return (double)tsr_f16_to_f32((uint16_t)word);
    case TSR_T_i32: return (double)(int32_t)word;
    default: return (double)word;
    }
}

/* Component i of a value that is known when the pipeline is made; false for others. */
static bool known_number(struct use_check *c, tsr_id id, uint32_t i, double *out)
{
    if (kind_of(c, id) == 0) return false;
    const tsr_fold_value *v = tsr_fold_get(c->fold, id);
    if (v->state != TSR_FOLD_known || i >= v->word_count) return false;
    *out = number_of(tsr_type_scalar(c->ir->types, v->type), v->words == NULL ? 0 : v->words[i]);
    return true;
}

static const char *find_fault(const tsr_inst *inst, tsr_type scalar, double a, double b)
{
    const double bits = 32, largest_exponent = scalar == TSR_T_f16 ? 16 : 128; /* WGSL, "ldexp": bias + 1 */
    switch ((tsr_op)inst->op) {
    case TSR_OP_clamp: return a > b ? "has its low bound above its high one" : NULL;
    case TSR_OP_smoothstep: return a == b ? "has two equal edges" : NULL;
    case TSR_OP_extract_bits:
    case TSR_OP_insert_bits: return a + b > bits ? "reaches past the 32 bits of its operand" : NULL;
    case TSR_OP_ldexp: return b > largest_exponent ? "has an exponent that is too large" : NULL;
    default: return NULL;
    }
}

/* Operands `first` and `second`, of which an override decides at least one. */
static void check_pair(struct use_check *c, const tsr_inst *inst, uint32_t first, uint32_t second)
{
    tsr_id a = tsr_arg(c->ir, inst, first), b = tsr_arg(c->ir, inst, second);
    tsr_type scalar = tsr_type_scalar(c->ir->types, inst->type);
    double x, y;
    if (!is_decided(c, a) && !is_decided(c, b)) return;
    for (uint32_t i = 0; known_number(c, a, i, &x) && known_number(c, b, i, &y); i++) {
        const char *fault = find_fault(inst, scalar, x, y);
        if (fault == NULL) continue;
        refuse(c, inst, fault);
        return;
    }
}

static void check_inst(void *user, tsr_id id)
{
    struct use_check *c = user;
    const tsr_inst *inst = tsr_inst_at(c->ir, id);
    switch ((tsr_op)inst->op) {
    case TSR_OP_clamp:
    case TSR_OP_extract_bits: check_pair(c, inst, 1, 2); return;
    case TSR_OP_smoothstep: check_pair(c, inst, 0, 1); return;
    case TSR_OP_insert_bits: check_pair(c, inst, 2, 3); return;
    case TSR_OP_ldexp: check_pair(c, inst, 1, 1); return;
    default: break;
    }
    if (inst->nargs != 2) return;
    tsr_id right = tsr_arg(c->ir, inst, 1);
    const tsr_inst *made = tsr_inst_at(c->ir, right);
    if (kind_of(c, right) == 0 && made->op == TSR_OP_bitcast) right = tsr_arg(c->ir, made, 0); /* a lane, from i32 */
    check_right(c, inst, right);
}

void tsr_override_uses_check(tsr_ir *ir, const tsr_reach *reach, tsr_fold *fold, tsr_diags *diags)
{
    struct use_check c = {.ir = ir, .fold = fold, .diags = diags};
    if (ir->overrides.count <= 1) return;
    tsr_map_init(&c.values, ir->arena);
    find_values(&c);
    for (uint32_t i = 0; i < reach->function_count; i++)
        tsr_block_walk(ir, tsr_function_at(ir, reach->functions[i])->body, check_inst, &c);
}
