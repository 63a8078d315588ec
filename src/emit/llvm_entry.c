/* What an entry point is given: built-in values, and which lanes of the subgroup there are. */
#include "emit/llvm_inside.h"

static tsr_ll_word uniform(tsr_ll *e, uint32_t name)
{
    tsr_ll_word w = tsr_ll_named(LL_I, LL_SAME, name);
    w.shape = tsr_shape_any(&e->shapes);
    w.shape.run = e->shapes.full;
    return w;
}

static tsr_ll_word group_id(tsr_ll *e, uint32_t k)
{
    return uniform(e, e->group_id[k]);
}

static tsr_ll_word subgroup_id(tsr_ll *e)
{
    return e->subgroups == 1 ? tsr_ll_u32(e, 0) : uniform(e, e->subgroup);
}

static tsr_ll_word group_count(tsr_ll *e, uint32_t k)
{
    return uniform(e, tsr_ll_load_field(e, TSR_FRAME_GROUPS + 4 * k, "i32"));
}

/* The local index: the subgroup's number times its size, plus the lane. */
static tsr_ll_word local_index(tsr_ll *e)
{
    tsr_vshape shape = tsr_shape_builtin(&e->shapes, TSR_BV_local_invocation_index, 0);
    tsr_ll_word base =
        shape.max < e->size ? tsr_ll_u32(e, 0) : tsr_ll_op2(e, "mul", subgroup_id(e), tsr_ll_u32(e, e->size));
    base.form = LL_EVEN;
    base.shape = shape;
    return base;
}

static tsr_ll_word local_id(tsr_ll *e, uint32_t k)
{
    const uint32_t *size = e->program->workgroup_size;
    tsr_ll_word x = local_index(e);
    uint64_t lanes = (uint64_t)x.shape.max + 1;
    if (k == 0) return size[0] < lanes ? tsr_ll_rem_const(e, x, size[0]) : x;
    x = tsr_ll_div_const(e, x, size[0]);
    if (k == 1) return x.shape.max >= size[1] ? tsr_ll_rem_const(e, x, size[1]) : x;
    return tsr_ll_div_const(e, x, size[1]);
}

static tsr_ll_word global_id(tsr_ll *e, uint32_t k)
{
    tsr_ll_word group = tsr_ll_mul_const(e, group_id(e, k), e->program->workgroup_size[k]);
    return tsr_ll_add(e, group, local_id(e, k));
}

static tsr_ll_word linear(tsr_ll *e, const tsr_ll_word id[3], bool in_workgroups)
{
    const uint32_t *size = e->program->workgroup_size;
    tsr_ll_word width = tsr_ll_mul_const(e, group_count(e, 0), in_workgroups ? 1 : size[0]);
    tsr_ll_word height = tsr_ll_mul_const(e, group_count(e, 1), in_workgroups ? 1 : size[1]);
    tsr_ll_word plane = tsr_ll_op2(e, "add", id[1], tsr_ll_op2(e, "mul", height, id[2]));
    return tsr_ll_op2(e, "add", id[0], tsr_ll_op2(e, "mul", width, plane));
}

static tsr_ll_word builtin(tsr_ll *e, uint8_t value, uint32_t k)
{
    tsr_ll_word id[3], lane;
    switch (value) {
    case TSR_BV_local_invocation_id: return local_id(e, k);
    case TSR_BV_local_invocation_index: return local_index(e);
    case TSR_BV_global_invocation_id: return global_id(e, k);
    case TSR_BV_global_invocation_index:
        for (uint32_t i = 0; i < 3; i++)
            id[i] = global_id(e, i);
        return linear(e, id, false);
    case TSR_BV_workgroup_id: return group_id(e, k);
    case TSR_BV_workgroup_index:
        for (uint32_t i = 0; i < 3; i++)
            id[i] = group_id(e, i);
        return linear(e, id, true);
    case TSR_BV_num_workgroups: return group_count(e, k);
    case TSR_BV_subgroup_invocation_id:
        lane = tsr_ll_u32(e, 0);
        lane.form = LL_EVEN;
        lane.shape = tsr_shape_builtin(&e->shapes, value, 0);
        return lane;
    case TSR_BV_subgroup_size: return tsr_ll_u32(e, e->size);
    case TSR_BV_subgroup_id: return subgroup_id(e);
    case TSR_BV_num_subgroups: return tsr_ll_u32(e, e->subgroups);
    default: tsr_ll_fail(e, "a built-in value of another stage"); return tsr_ll_u32(e, 0);
    }
}

static uint32_t builtin_words(uint8_t value)
{
    return value == TSR_BV_local_invocation_id || value == TSR_BV_global_invocation_id ||
                   value == TSR_BV_workgroup_id || value == TSR_BV_num_workgroups
               ? 3
               : 1;
}

void tsr_ll_emit_entry_param(tsr_ll *e, const tsr_param *p)
{
    const tsr_type_info *t = tsr_type_get(e->types, p->type);
    tsr_ll_value v = tsr_ll_make(e, (uint32_t)tsr_shape_type_words(&e->shapes, p->type));
    uint32_t at = 0;
    if (t->kind != TSR_T_struct)
        for (uint32_t k = 0; k < builtin_words(p->io.builtin); k++)
            v.words[at++] = builtin(e, p->io.builtin, k);
    for (uint32_t m = 0; t->kind == TSR_T_struct && m < t->member_count; m++)
        for (uint32_t k = 0; k < builtin_words(t->members[m].io.builtin); k++)
            v.words[at++] = builtin(e, t->members[m].io.builtin, k);
    tsr_ll_set(e, p->value, v);
}

/* Workgroups that are no whole number of subgroups: the last one has fewer lanes. */
void tsr_ll_start_mask(tsr_ll *e)
{
    const uint32_t *size = e->program->workgroup_size;
    uint32_t invocations = size[0] * size[1] * size[2];
    e->all = invocations % e->size == 0;
    e->full_start = e->all;
    if (!e->all) tsr_ll_set_mask(e, tsr_ll_cmp(e, "icmp ult", local_index(e), tsr_ll_u32(e, invocations)));
}
