/* Around the code of a subgroup: the loops over workgroups and subgroups, built-in values, and which lanes there are.
 */
#include "emit/llvm_inside.h"

static tsr_ll_word group_id(tsr_ll *e, uint32_t k)
{
    return tsr_ll_uniform(e, LL_I, e->group_id[k]);
}

static tsr_ll_word subgroup_id(tsr_ll *e)
{
    return e->subgroups == 1 ? tsr_ll_u32(e, 0) : tsr_ll_uniform(e, LL_I, e->subgroup);
}

static tsr_ll_word group_count(tsr_ll *e, uint32_t k)
{
    return tsr_ll_uniform(e, LL_I, tsr_ll_load_field(e, TSR_FRAME_GROUPS + 4 * k, "i32"));
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
    for (uint32_t i = 0; i < at; i++)
        tsr_ll_follow_rows(e, &v.words[i]);
    tsr_ll_set(e, p->value, v);
}

static uint32_t count_rows(const tsr_ll *e)
{
    uint32_t rows = e->size >> tsr_shape_builtin(&e->shapes, TSR_BV_local_invocation_id, 0).run;
    return rows > 1 && rows <= TSR_LL_ROWS_MOST ? rows : 0;
}

/* Workgroups that are no whole number of subgroups: the last one has fewer lanes. */
void tsr_ll_start_mask(tsr_ll *e)
{
    const uint32_t *size = e->program->workgroup_size;
    uint32_t invocations = size[0] * size[1] * size[2];
    e->rows = count_rows(e);
    e->all = invocations % e->size == 0;
    e->full_start = e->all;
    if (!e->all) tsr_ll_set_mask(e, tsr_ll_cmp(e, "icmp ult", local_index(e), tsr_ll_u32(e, invocations)));
}

/* ---- Loops over workgroups and subgroups. */

/* A call runs one subgroup of each workgroup. */
static bool runs_one(const tsr_ll *e)
{
    return e->has_barriers && !e->fission.is_on;
}

/* Workgroup memory begins as zeros. Where subgroups wait for each other the first one runs first. */
static void zero_group(tsr_ll *e)
{
    uint32_t zero = tsr_ll_new(e), go = tsr_ll_new(e);
    if (e->group_bytes == 0) return;
    if (runs_one(e)) {
        tsr_ll_branch(e, tsr_ll_cmp(e, "icmp eq", tsr_ll_named(LL_I, LL_SAME, e->subgroup), tsr_ll_u32(e, 0)), zero,
                      go);
        tsr_ll_label(e, zero);
    }
    tsr_ll_zero(e, tsr_ll_load_field(e, TSR_FRAME_GROUP, "ptr"), e->group_bytes);
    if (runs_one(e)) tsr_ll_label(e, go);
}

/* All subgroups run from here to the region's end, those that stand between two barriers in turn. */
static void begin_region(tsr_ll *e)
{
    tsr_ll_fission *f = &e->fission;
    f->subgroup = tsr_ll_alloca_not_kept(e, "i32", 4, 4);
    f->start = tsr_ll_new(e);
    e->subgroup = tsr_ll_new(e);
    tsr_ll_line(e, "store i32 0, ptr %%t%u, align 4", f->subgroup);
    tsr_ll_label(e, f->start);
    tsr_ll_line(e, "%%t%u = load i32, ptr %%t%u, align 4", e->subgroup, f->subgroup);
}

static void end_region(tsr_ll *e)
{
    e->fission.end = tsr_ll_end_stretch(e);
}

/* Around the code of a subgroup: the workgroups of a block and, where none waits for another, their subgroups. */
void tsr_ll_begin_loops(tsr_ll *e, tsr_ll_loops *l)
{
    uint32_t from = tsr_ll_load_field(e, TSR_FRAME_FROM, "i64"), first[3], latch;
    for (uint32_t k = 0; k < 3; k++) {
        first[k] = tsr_ll_load_field(e, TSR_FRAME_GROUP_ID + 4 * k, "i32");
        e->group_id[k] = tsr_ll_new(e);
        l->id_next[k] = tsr_ll_new(e);
    }
    l->group = tsr_ll_new(e);
    l->group_head = tsr_ll_new(e);
    l->subgroup_head = tsr_ll_new(e);
    l->next = tsr_ll_new(e);
    latch = l->next;
    tsr_ll_label(e, l->group_head);
    tsr_ll_line(e, "%%t%u = phi i64 [ %%t%u, %%start ], [ %%next, %%b%u ]", l->group, from, latch);
    for (uint32_t k = 0; k < 3; k++)
        tsr_ll_line(e, "%%t%u = phi i32 [ %%t%u, %%start ], [ %%t%u, %%b%u ]", e->group_id[k], first[k], l->id_next[k],
                    latch);
    if (runs_one(e)) e->subgroup = tsr_ll_load_field(e, TSR_FRAME_SUBGROUP, "i32");
    zero_group(e);
    if (e->fission.is_on) begin_region(e);
    if (e->has_barriers || e->subgroups == 1) return;
    e->subgroup = tsr_ll_new(e);
    tsr_ll_label(e, l->subgroup_head);
    tsr_ll_line(e, "%%t%u = phi i32 [ 0, %%b%u ], [ %%subgroup_next, %%b0 ]", e->subgroup, l->group_head);
}

/* The id of the next workgroup: x runs fastest. */
static void count_group_id(tsr_ll *e, const tsr_ll_loops *l)
{
    uint32_t carry = 0;
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t more = tsr_ll_new(e), over = tsr_ll_new(e),
                 size = tsr_ll_load_field(e, TSR_FRAME_GROUPS + 4 * k, "i32");
        if (k == 0)
            tsr_ll_line(e, "%%t%u = add i32 %%t%u, 1", more, e->group_id[k]);
        else
            tsr_ll_line(e, "%%t%u = add i32 %%t%u, %%t%u", more, e->group_id[k], carry);
        tsr_ll_line(e, "%%t%u = icmp eq i32 %%t%u, %%t%u", over, more, size);
        tsr_ll_line(e, "%%t%u = select i1 %%t%u, i32 0, i32 %%t%u", l->id_next[k], over, more);
        carry = tsr_ll_new(e);
        tsr_ll_line(e, "%%t%u = zext i1 %%t%u to i32", carry, over);
    }
}

void tsr_ll_end_loops(tsr_ll *e, const tsr_ll_loops *l)
{
    uint32_t done = tsr_ll_new(e), end = tsr_ll_new(e), go = tsr_ll_new(e),
             to = tsr_ll_load_field(e, TSR_FRAME_TO, "i64");
    if (e->fission.is_on) end_region(e);
    if (e->subgroups > 1 && !e->has_barriers) {
        tsr_ll_line(e, "%%subgroup_next = add i32 %%t%u, 1", e->subgroup);
        tsr_ll_line(e, "%%t%u = icmp eq i32 %%subgroup_next, %u", done, e->subgroups);
        tsr_ll_line(e, "br i1 %%t%u, label %%b%u, label %%b%u", done, end, l->subgroup_head);
        e->open = false;
        tsr_ll_label(e, end);
    }
    uint32_t more = tsr_ll_new(e), last = tsr_ll_new(e);
    tsr_ll_line(e, "%%next = add i64 %%t%u, 1", l->group);
    tsr_ll_line(e, "%%t%u = icmp ult i64 %%next, %%t%u", more, to);
    tsr_ll_line(e, "br i1 %%t%u, label %%b%u, label %%b%u", more, go, last);
    e->open = false;
    tsr_ll_label(e, go);
    if (runs_one(e)) tsr_ll_call_barrier(e); /* a subgroup in its next workgroup would meet others in this one */
    tsr_ll_check_stop(e);
    tsr_ll_label(e, l->next);
    count_group_id(e, l);
    tsr_ll_jump(e, l->group_head);
    tsr_ll_label(e, last);
    tsr_ll_line(e, "%%at_end = getelementptr i8, ptr %%frame, i64 %d", TSR_FRAME_FROM);
    tsr_ll_line(e, "store i64 %%next, ptr %%at_end, align 8");
    tsr_ll_line(e, "ret void");
    e->open = false;
    /* Where loops are told to stop. */
    tsr_text_puts(&e->body, "stopped:\n");
    tsr_ll_line(e, "%%at_stop = getelementptr i8, ptr %%frame, i64 %d", TSR_FRAME_FROM);
    tsr_ll_line(e, "store i64 %%t%u, ptr %%at_stop, align 8", l->group);
    tsr_ll_line(e, "ret void");
}
