/* Building instructions: where a result's type comes from, where operands are kept, which blocks an op holds. */
#include "ir/module.h"

#include <string.h>

#define ARGS_INLINE 2u

void tsr_arg_set(tsr_ir *ir, tsr_inst *inst, uint32_t i, tsr_id value)
{
    if (inst->nargs <= ARGS_INLINE)
        inst->arg2[i] = value;
    else
        *(tsr_id *)tsr_pool_at(&ir->args, inst->args + i) = value;
}

/* ---- Blocks. */

tsr_block tsr_block_new(tsr_ir *ir)
{
    return tsr_pool_push(&ir->blocks, 1);
}

void tsr_block_append(tsr_ir *ir, tsr_block b, tsr_id id)
{
    tsr_block_info *info = tsr_block_at(ir, b);
    if (info->count == info->cap) {
        uint32_t cap = info->cap == 0 ? 4 : info->cap * 2;
        tsr_id *more = TSR_NEW_ARRAY(ir->arena, tsr_id, cap);
        if (info->count != 0) memcpy(more, info->insts, info->count * sizeof *more);
        info->insts = more;
        info->cap = cap;
    }
    info->insts[info->count++] = id;
}

bool tsr_block_is_ended(const tsr_ir *ir, tsr_block b)
{
    const tsr_block_info *info = tsr_block_at(ir, b);
    if (info->count == 0) return false;
    return (tsr_op_table[tsr_inst_at(ir, info->insts[info->count - 1])->op].flags & TSR_OPF_END) != 0;
}

/* ---- Constants. */

static tsr_id add_const(tsr_ir *ir, tsr_type scalar, uint64_t bits)
{
    tsr_id id = tsr_pool_push(&ir->insts, 1);
    tsr_inst *inst = tsr_inst_at(ir, id);
    uint32_t number = tsr_pool_push(&ir->constants, 1);
    *(uint64_t *)tsr_pool_at(&ir->constants, number) = bits;
    inst->op = TSR_OP_const;
    inst->type = scalar;
    inst->aux = number;
    tsr_block_append(ir, ir->module_block, id);
    return id;
}

/* Concrete scalars have at most 32 bits, so type and bits are the key itself; the seed keeps hostile programs from
 * choosing constants whose keys collide in the map. */
tsr_id tsr_build_const(tsr_ir *ir, tsr_type scalar, uint64_t bits)
{
    const uint64_t key = ((uint64_t)scalar << 32 | bits) ^ ir->symbols->seed;
    uint32_t found;
    if (bits >> 32 != 0) TSR_ICE("a constant of the IR has more than 32 bits");
    if (tsr_map_find(&ir->constant_index, key, &found)) return found;
    found = add_const(ir, scalar, bits);
    tsr_map_set(&ir->constant_index, key, found);
    return found;
}

tsr_id tsr_build_u32(tsr_ir *ir, uint32_t value)
{
    return tsr_build_const(ir, TSR_T_u32, value);
}

/* ---- Instructions. */

static tsr_type type_of(const tsr_ir *ir, tsr_id id)
{
    return tsr_inst_at(ir, id)->type;
}

static tsr_type bools_like(tsr_ir *ir, tsr_type type)
{
    const tsr_type_info *i = tsr_type_get(ir->types, type);
    return i->kind == TSR_T_vec ? tsr_type_vec(ir->types, TSR_T_bool, i->count) : TSR_T_bool;
}

static tsr_type result_type(tsr_ir *ir, const tsr_op_info *info, tsr_type type, const tsr_id *args, uint32_t nargs)
{
    switch ((tsr_op_result)info->result) {
    case TSR_OPR_SAME: return type_of(ir, args[0]);
    case TSR_OPR_SECOND: return nargs > 1 ? type_of(ir, args[1]) : 0;
    case TSR_OPR_THIRD: return nargs > 2 ? type_of(ir, args[2]) : 0;
    case TSR_OPR_BOOLS: return bools_like(ir, type_of(ir, args[0]));
    case TSR_OPR_SCALAR: return tsr_type_scalar(ir->types, type_of(ir, args[0]));
    case TSR_OPR_TYPED: return type;
    default: return 0;
    }
}

static void set_args(tsr_ir *ir, tsr_inst *inst, const tsr_id *args, uint32_t nargs)
{
    inst->nargs = nargs;
    if (nargs > ARGS_INLINE) inst->args = tsr_pool_push(&ir->args, nargs);
    for (uint32_t i = 0; i < nargs; i++)
        tsr_arg_set(ir, inst, i, args[i]);
}

tsr_id tsr_build(tsr_builder *b, tsr_op op, tsr_type type, uint32_t aux, const tsr_id *args, uint32_t nargs)
{
    const tsr_op_info *info = &tsr_op_table[op];
    tsr_id id;
    tsr_inst *inst;
    if (info->nargs >= 0 && (uint32_t)info->nargs != nargs) TSR_ICE(info->name);
    id = tsr_pool_push(&b->ir->insts, 1);
    inst = tsr_inst_at(b->ir, id);
    inst->op = (uint16_t)op;
    inst->type = result_type(b->ir, info, type, args, nargs);
    inst->aux = aux;
    inst->span = b->span;
    if (info->flags & TSR_OPF_DIAG) inst->diag = b->diag;
    set_args(b->ir, inst, args, nargs);
    tsr_block_append(b->ir, b->block, id);
    return id;
}

tsr_id tsr_build0(tsr_builder *b, tsr_op op, tsr_type type, uint32_t aux)
{
    return tsr_build(b, op, type, aux, NULL, 0);
}

tsr_id tsr_build1(tsr_builder *b, tsr_op op, tsr_type type, uint32_t aux, tsr_id a0)
{
    return tsr_build(b, op, type, aux, &a0, 1);
}

tsr_id tsr_build2(tsr_builder *b, tsr_op op, tsr_type type, uint32_t aux, tsr_id a0, tsr_id a1)
{
    const tsr_id args[] = {a0, a1};
    return tsr_build(b, op, type, aux, args, 2);
}

tsr_id tsr_build3(tsr_builder *b, tsr_op op, tsr_type type, uint32_t aux, tsr_id a0, tsr_id a1, tsr_id a2)
{
    const tsr_id args[] = {a0, a1, a2};
    return tsr_build(b, op, type, aux, args, 3);
}

static void set_blocks(tsr_ir *ir, tsr_id id, tsr_block first, tsr_block second)
{
    uint32_t list = tsr_pool_push(&ir->block_lists, 2);
    *(tsr_block *)tsr_pool_at(&ir->block_lists, list) = first;
    *(tsr_block *)tsr_pool_at(&ir->block_lists, list + 1) = second;
    tsr_inst_at(ir, id)->blocks = list;
}

tsr_id tsr_build_if(tsr_builder *b, tsr_id cond, tsr_block then_block, tsr_block else_block)
{
    tsr_id id = tsr_build1(b, TSR_OP_if, 0, 0, cond);
    set_blocks(b->ir, id, then_block, else_block);
    return id;
}

tsr_id tsr_build_loop(tsr_builder *b, tsr_block body, tsr_block continuing)
{
    tsr_id id = tsr_build0(b, TSR_OP_loop, 0, 0);
    set_blocks(b->ir, id, body, continuing);
    return id;
}

tsr_id tsr_build_switch(tsr_builder *b, tsr_id selector, const tsr_case *cases, uint32_t case_count)
{
    tsr_arena *arena = b->ir->arena;
    uint32_t number = tsr_pool_push(&b->ir->switches, 1);
    tsr_switch *s = tsr_switch_at(b->ir, number);
    s->cases = TSR_NEW_ARRAY(arena, tsr_case, case_count == 0 ? 1 : case_count);
    s->case_count = case_count;
    for (uint32_t i = 0; i < case_count; i++) {
        tsr_case *c = &s->cases[i];
        *c = cases[i];
        c->selectors = TSR_NEW_ARRAY(arena, tsr_id, c->selector_count == 0 ? 1 : c->selector_count);
        if (c->selector_count != 0) memcpy(c->selectors, cases[i].selectors, c->selector_count * sizeof(tsr_id));
    }
    return tsr_build1(b, TSR_OP_switch, 0, number, selector);
}
