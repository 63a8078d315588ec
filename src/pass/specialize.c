/* Overrides become numbers. Each value of module scope that the entry point uses is evaluated (analysis/fold) and
 * becomes a constant under its old number, so that nothing that refers to it changes; the rest of module scope goes. */
#include "analysis/reach.h"
#include "pass/pass.h"
#include "pass/pass_internal.h"

#include "ir/eval.h"

struct specialize {
    tsr_ir *ir;
    tsr_fold fold;
    tsr_diags *diags;
    tsr_map placed;   /* instructions in the new module block */
    tsr_map reported; /* instructions whose fault was reported */
    tsr_builder b;
};

/* ---- Faults ---------------------------------------------------------------------------------------------------- */

static const char *explain(unsigned flags)
{
    if (flags & TSR_EVAL_DIV_ZERO) return "divides by zero";
    if (flags & TSR_EVAL_SHIFT) return "shifts by too much, or shifts bits out";
    if (flags & TSR_EVAL_RANGE) return "has an argument out of range";
    if (flags & TSR_EVAL_DOMAIN) return "is not defined for its arguments";
    if (flags & TSR_EVAL_OVERFLOW) return "overflows its type";
    if (flags & TSR_FOLD_INDEX) return "has an index out of range";
    if (flags & TSR_FOLD_TOO_LARGE) return "makes a value of more than 64 MiB";
    return "cannot be evaluated";
}

static void report_fault(struct specialize *s, const tsr_fold_value *v)
{
    uint32_t ignored;
    if (tsr_map_find(&s->reported, v->fault, &ignored)) return;
    tsr_map_set(&s->reported, v->fault, 1);
    const tsr_inst *inst = tsr_inst_at(s->ir, v->fault);
    if (v->state == TSR_FOLD_open) {
        tsr_error(s->diags, inst->span, TSR_E_BUILD_OVERRIDE_MISSING,
                  "override %s has no default and was given no value; give it one",
                  tsr_override_label(s->ir, s->diags->arena, inst->aux));
    } else if (v->state == TSR_FOLD_cycle) {
        tsr_error(s->diags, inst->span, TSR_E_BUILD_OVERRIDE_CYCLE, "this value depends on itself");
    } else {
        tsr_error(s->diags, inst->span, TSR_E_BUILD_OVERRIDE_EVAL,
                  "with these override values, this expression (`%s`) %s", tsr_op_table[inst->op].name,
                  explain(v->flags));
    }
}

/* ---- Values as constants --------------------------------------------------------------------------------------- */

static bool is_placed(struct specialize *s, tsr_id id)
{
    uint32_t ignored;
    return tsr_map_find(&s->placed, id, &ignored);
}

static tsr_id place(struct specialize *s, tsr_id id)
{
    tsr_map_set(&s->placed, id, 1);
    tsr_block_append(s->ir, s->ir->module_block, id);
    return id;
}

static tsr_id place_const(struct specialize *s, tsr_type scalar, uint32_t word)
{
    uint32_t before = s->ir->insts.count;
    tsr_id id = tsr_build_const(s->ir, scalar, word);
    if (id >= before)
        tsr_map_set(&s->placed, id, 1); /* new: it went to the module block by itself */
    else if (!is_placed(s, id))
        place(s, id);
    return id;
}

static tsr_type part_type(const tsr_type_info *whole, uint32_t part, tsr_type column)
{
    if (whole->kind == TSR_T_struct) return whole->members[part].type;
    return whole->kind == TSR_T_mat ? column : whole->elem;
}

static uint32_t part_count(const tsr_type_info *whole)
{
    if (whole->kind == TSR_T_struct) return whole->member_count;
    return whole->kind == TSR_T_array ? whole->size.value : whole->count;
}

/* A value of the type from words, below what is being made. Recursion is as deep as types nest. */
static tsr_id make_value(struct specialize *s, tsr_type type, const uint32_t *words);

/* The parts of a composite value, in the arena. */
static tsr_id *make_parts(struct specialize *s, tsr_type type, const uint32_t *words, uint32_t *count)
{
    tsr_types *t = s->ir->types;
    const tsr_type_info *info = tsr_type_get(t, type);
    tsr_type column = info->kind == TSR_T_mat ? tsr_type_vec(t, info->elem, info->rows) : 0;
    *count = part_count(info);
    tsr_id *parts = TSR_NEW_ARRAY(s->ir->arena, tsr_id, *count + 1u);
    for (uint32_t i = 0; i < *count; i++) {
        tsr_type part = part_type(info, i, column);
        parts[i] = make_value(s, part, words);
        words += tsr_fold_word_count(t, part);
    }
    return parts;
}

static bool is_all_zero(const uint32_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (words[i]) return false;
    return true;
}

static tsr_id make_value(struct specialize *s, tsr_type type, const uint32_t *words)
{
    if (tsr_type_is_scalar(s->ir->types, type)) return place_const(s, type, words[0]);
    uint32_t count;
    if (is_all_zero(words, tsr_fold_word_count(s->ir->types, type))) return tsr_build0(&s->b, TSR_OP_zero, type, 0);
    tsr_id *parts = make_parts(s, type, words, &count);
    return tsr_build(&s->b, TSR_OP_compose, type, 0, parts, count);
}

static void set_operands(tsr_ir *ir, tsr_inst *inst, const tsr_id *args, uint32_t count)
{
    inst->nargs = count;
    inst->arg2[0] = inst->arg2[1] = 0;
    if (count > 2) inst->args = tsr_pool_push(&ir->args, count);
    for (uint32_t i = 0; i < count; i++)
        tsr_arg_set(ir, inst, i, args[i]);
}

/* Turns the instruction itself into the constant that it is worth. */
static void become_constant(struct specialize *s, tsr_id id, const tsr_fold_value *v)
{
    tsr_ir *ir = s->ir;
    tsr_inst *inst = tsr_inst_at(ir, id);
    if (inst->op == TSR_OP_const || inst->op == TSR_OP_zero) return;
    s->b.span = inst->span;
    if (tsr_type_is_scalar(ir->types, inst->type)) {
        inst->op = TSR_OP_const;
        inst->aux = tsr_pool_push(&ir->constants, 1);
        *(uint64_t *)tsr_pool_at(&ir->constants, inst->aux) = v->words ? v->words[0] : 0;
        set_operands(ir, inst, NULL, 0);
        return;
    }
    uint32_t count = 0;
    bool zero = v->words == NULL || is_all_zero(v->words, v->word_count);
    tsr_id *parts = zero ? NULL : make_parts(s, inst->type, v->words, &count);
    inst->op = zero ? TSR_OP_zero : TSR_OP_compose;
    inst->aux = 0;
    set_operands(ir, inst, parts, count);
}

/* ---- The pass -------------------------------------------------------------------------------------------------- */

/* Evaluates everything that is used; false when something was reported. */
static bool fold_used(struct specialize *s, const tsr_reach *reach)
{
    uint32_t errors = s->diags->error_count;
    for (uint32_t i = 0; i < reach->value_count; i++) {
        const tsr_fold_value *v = tsr_fold_get(&s->fold, reach->values[i]);
        if (v->state != TSR_FOLD_known) report_fault(s, v);
    }
    return s->diags->error_count == errors;
}

static void rebuild_module_block(struct specialize *s, const tsr_reach *reach)
{
    tsr_ir *ir = s->ir;
    *tsr_block_at(ir, ir->module_block) = (tsr_block_info){0};
    for (uint32_t i = 0; i < reach->value_count; i++) {
        tsr_id id = reach->values[i];
        if (is_placed(s, id)) continue;
        become_constant(s, id, tsr_fold_get(&s->fold, id));
        place(s, id);
    }
    for (uint32_t g = 1; g < ir->globals.count; g++)
        place(s, tsr_global_at(ir, g)->inst);
    ir->overrides.count = 1;
}

static void drop_mentions(tsr_ir *ir)
{
    for (uint32_t b = 1; b < ir->blocks.count; b++) {
        tsr_block_info *block = tsr_block_at(ir, b);
        uint32_t kept = 0;
        for (uint32_t i = 0; i < block->count; i++)
            if (tsr_inst_at(ir, block->insts[i])->op != TSR_OP_mention) block->insts[kept++] = block->insts[i];
        block->count = kept;
    }
}

bool tsr_pass_specialize(tsr_ir *ir, uint32_t entry, const tsr_override_value *values, size_t count, tsr_diags *diags)
{
    struct specialize s = {.ir = ir, .diags = diags, .b = {.ir = ir, .block = ir->module_block}};
    tsr_reach reach;
    tsr_fold_init(&s.fold, ir, ir->arena);
    tsr_map_init(&s.placed, ir->arena);
    tsr_map_init(&s.reported, ir->arena);
    bool good = tsr_override_values_give(&s.fold, values, count, diags);
    tsr_reacher_find(tsr_reacher_new(ir, ir->arena), entry, &reach);
    /* With a value refused, what follows from it would only be noise. */
    if (!good || !fold_used(&s, &reach)) return true;
    /* Before rebuild_module_block: afterwards nobody knows which constants an override decided. */
    tsr_override_uses_check(ir, &reach, &s.fold, diags);
    tsr_layout_specialize(ir, &s.fold, reach.types, reach.type_count, diags);
    rebuild_module_block(&s, &reach);
    drop_mentions(ir);
    return true;
}
