/* What a function reaches. Each body that is reached is walked once for what it names itself; a query then unites the
 * functions below one entry point. Visited marks are numbers that count up, so that no query has to clear them. */
#include "analysis/reach.h"

#include <stdlib.h>
#include <string.h>

struct list {
    uint32_t *items;
    uint32_t count, cap;
};

/* What a body names itself. */
struct direct {
    struct list callees, globals, values, types, mmas;
    bool subgroups, known;
};

struct tsr_reacher {
    const tsr_ir *ir;
    tsr_arena *arena;
    struct direct *direct; /* by function */
    uint32_t *inst_mark;   /* by instruction: 0 not of module scope, else 1 or the mark that saw it */
    uint32_t *type_mark, *function_mark, *global_mark;
    uint32_t *ordered; /* by function: the newest order that it stands in */
    uint32_t order;
    uint32_t mark;      /* the newest; 1 is "never seen" for instructions */
    struct direct *now; /* being collected */
    struct list stack, next, functions, globals, values, types, mmas; /* of the query at hand */
};

static void push(tsr_reacher *r, struct list *l, uint32_t item)
{
    if (l->count == l->cap) {
        uint32_t cap = l->cap ? l->cap * 2 : 8;
        uint32_t *items = TSR_NEW_ARRAY(r->arena, uint32_t, cap);
        if (l->count) memcpy(items, l->items, l->count * sizeof *items);
        l->items = items;
        l->cap = cap;
    }
    l->items[l->count++] = item;
}

static void note_type(tsr_reacher *r, struct list *types, tsr_type type)
{
    if (type == 0 || r->type_mark[type] == r->mark) return;
    r->type_mark[type] = r->mark;
    push(r, types, type);
}

static void note_operand(tsr_reacher *r, struct direct *d, tsr_id id)
{
    if (id == 0 || r->inst_mark[id] == 0 || r->inst_mark[id] == r->mark) return;
    r->inst_mark[id] = r->mark;
    const tsr_inst *inst = tsr_inst_at(r->ir, id);
    note_type(r, &d->types, inst->type);
    push(r, inst->op == TSR_OP_global ? &d->globals : &d->values, inst->op == TSR_OP_global ? inst->aux : id);
}

static void note_cases(tsr_reacher *r, const tsr_inst *inst)
{
    const tsr_switch *s = tsr_switch_at(r->ir, inst->aux);
    for (uint32_t c = 0; c < s->case_count; c++)
        for (uint32_t i = 0; i < s->cases[c].selector_count; i++)
            note_operand(r, r->now, s->cases[c].selectors[i]);
}

static void note_inst(void *user, tsr_id id)
{
    tsr_reacher *r = user;
    struct direct *d = r->now;
    const tsr_inst *inst = tsr_inst_at(r->ir, id);
    note_type(r, &d->types, inst->type);
    for (uint32_t i = 0; i < inst->nargs; i++)
        note_operand(r, d, tsr_arg(r->ir, inst, i));
    if (inst->op == TSR_OP_switch) note_cases(r, inst);
    if (inst->op == TSR_OP_mma) push(r, &d->mmas, id);
    if (tsr_op_table[inst->op].flags & (TSR_OPF_SG | TSR_OPF_QUAD)) d->subgroups = true;
    if (inst->op == TSR_OP_call && r->function_mark[inst->aux] != r->mark) {
        r->function_mark[inst->aux] = r->mark;
        push(r, &d->callees, inst->aux);
    }
}

static bool is_subgroup_builtin(uint8_t builtin)
{
    return builtin == TSR_BV_subgroup_invocation_id || builtin == TSR_BV_subgroup_size ||
           builtin == TSR_BV_subgroup_id || builtin == TSR_BV_num_subgroups;
}

static bool struct_has_subgroup_builtin(const tsr_types *t, tsr_type type)
{
    const tsr_type_info *info = tsr_type_get(t, type);
    if (info->kind != TSR_T_struct) return false;
    for (uint32_t i = 0; i < info->member_count; i++)
        if (is_subgroup_builtin(info->members[i].io.builtin)) return true;
    return false;
}

/* Once a function, when it is first reached. */
static void collect_function(tsr_reacher *r, uint32_t f)
{
    const tsr_function *fn = tsr_function_at(r->ir, f);
    r->now = &r->direct[f];
    if (r->now->known) return;
    r->now->known = true;
    r->mark++;
    for (uint32_t i = 0; i < fn->param_count; i++) {
        note_type(r, &r->now->types, fn->params[i].type);
        if (is_subgroup_builtin(fn->params[i].io.builtin)) r->now->subgroups = true;
        if (fn->is_entry && struct_has_subgroup_builtin(r->ir->types, fn->params[i].type)) r->now->subgroups = true;
    }
    note_type(r, &r->now->types, fn->result);
    for (int i = 0; i < 3; i++)
        note_operand(r, r->now, fn->workgroup_size[i]);
    note_operand(r, r->now, fn->subgroup_size);
    if (fn->body) tsr_block_walk(r->ir, fn->body, note_inst, r);
}

tsr_reacher *tsr_reacher_new(const tsr_ir *ir, tsr_arena *arena)
{
    tsr_reacher *r = TSR_NEW(arena, tsr_reacher);
    r->ir = ir;
    r->arena = arena;
    r->direct = TSR_NEW_ARRAY(arena, struct direct, ir->functions.count);
    r->inst_mark = TSR_NEW_ARRAY(arena, uint32_t, ir->insts.count);
    r->type_mark = TSR_NEW_ARRAY(arena, uint32_t, ir->types->info.count);
    r->function_mark = TSR_NEW_ARRAY(arena, uint32_t, ir->functions.count);
    r->ordered = TSR_NEW_ARRAY(arena, uint32_t, ir->functions.count);
    r->global_mark = TSR_NEW_ARRAY(arena, uint32_t, ir->globals.count);
    r->mark = 1;
    const tsr_block_info *module = tsr_block_at(ir, ir->module_block);
    for (uint32_t i = 0; i < module->count; i++)
        r->inst_mark[module->insts[i]] = 1;
    return r;
}

/* Appends what the current order lacks of a function and all it calls. Callees before callers, by depth first with a
 * stack of our own: call chains can be long. */
static void order_functions(tsr_reacher *r, uint32_t function)
{
    struct list *stack = &r->stack, *next = &r->next;
    uint32_t mark = r->order;
    if (r->ordered[function] == mark) return;
    push(r, stack, function);
    push(r, next, 0);
    r->ordered[function] = mark;
    while (stack->count > 0) {
        uint32_t f = stack->items[stack->count - 1];
        collect_function(r, f);
        uint32_t i = next->items[next->count - 1]++;
        const struct list *callees = &r->direct[f].callees;
        if (i == callees->count) {
            push(r, &r->functions, f);
            stack->count--;
            next->count--;
        } else if (r->ordered[callees->items[i]] != mark) {
            r->ordered[callees->items[i]] = mark;
            push(r, stack, callees->items[i]);
            push(r, next, 0);
        }
    }
}

static void add_values(tsr_reacher *r, struct list *out, tsr_id id)
{
    if (id == 0 || r->inst_mark[id] == 0 || r->inst_mark[id] == r->mark) return;
    r->inst_mark[id] = r->mark;
    push(r, out, id);
}

/* All that a type is made of, and the values that decide its sizes. `types` serves as the queue. */
static void close_types(tsr_reacher *r, tsr_reach *out)
{
    struct list *types = &r->types, *values = &r->values;
    for (uint32_t i = 0; i < types->count; i++) {
        const tsr_type_info *info = tsr_type_get(r->ir->types, types->items[i]);
        note_type(r, types, info->elem);
        for (uint32_t m = 0; m < info->member_count; m++)
            note_type(r, types, info->members[m].type);
        add_values(r, values, info->size.over);
        add_values(r, values, info->size2.over);
        if (info->kind == TSR_T_f16) out->f16 = true;
        if (info->kind == TSR_T_smat) out->matrices = true;
        if (info->kind == TSR_T_smat && info->component == TSR_F16) out->f16 = true;
    }
}

static void unite(tsr_reacher *r, const struct direct *d)
{
    for (uint32_t i = 0; i < d->values.count; i++)
        add_values(r, &r->values, d->values.items[i]);
    for (uint32_t i = 0; i < d->types.count; i++)
        note_type(r, &r->types, d->types.items[i]);
    for (uint32_t i = 0; i < d->mmas.count; i++)
        push(r, &r->mmas, d->mmas.items[i]);
    for (uint32_t i = 0; i < d->globals.count; i++) {
        uint32_t g = d->globals.items[i];
        if (r->global_mark[g] == r->mark) continue;
        r->global_mark[g] = r->mark;
        push(r, &r->globals, g);
        const tsr_inst *inst = tsr_inst_at(r->ir, tsr_global_at(r->ir, g)->inst);
        if (inst->nargs > 0) add_values(r, &r->values, tsr_arg(r->ir, inst, 0));
    }
}

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void sort_numbers(struct list *l)
{
    if (l->count > 1) qsort(l->items, l->count, sizeof *l->items, compare_numbers);
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* By place: functions come callees first, readers expect source order. */
static void sort_by_place(tsr_reacher *r, struct list *l)
{
    if (l->count < 2) return;
    uint64_t *keys = TSR_NEW_ARRAY(r->arena, uint64_t, l->count + 1u);
    for (uint32_t i = 0; i < l->count; i++)
        keys[i] = (uint64_t)tsr_inst_at(r->ir, l->items[i])->span.pos << 32 | l->items[i];
    qsort(keys, l->count, sizeof *keys, compare_keys);
    for (uint32_t i = 0; i < l->count; i++)
        l->items[i] = (uint32_t)keys[i];
}

void tsr_reacher_find(tsr_reacher *r, uint32_t function, tsr_reach *out)
{
    memset(out, 0, sizeof *out);
    r->functions.count = r->globals.count = r->values.count = r->types.count = r->mmas.count = 0;
    r->order++;
    order_functions(r, function);
    r->mark++;
    for (uint32_t i = 0; i < r->functions.count; i++) {
        const struct direct *d = &r->direct[r->functions.items[i]];
        unite(r, d);
        out->subgroups |= d->subgroups;
    }
    close_types(r, out);
    out->subgroups |= out->matrices;
    sort_numbers(&r->globals);
    sort_numbers(&r->types);
    sort_by_place(r, &r->mmas);
    out->functions = r->functions.items, out->function_count = r->functions.count;
    out->globals = r->globals.items, out->global_count = r->globals.count;
    out->values = r->values.items, out->value_count = r->values.count;
    out->types = r->types.items, out->type_count = r->types.count;
    out->mmas = r->mmas.items, out->mma_count = r->mmas.count;
}

const uint32_t *tsr_reacher_order(tsr_reacher *r, uint32_t *count)
{
    r->functions.count = 0;
    r->order++;
    for (uint32_t f = 1; f < r->ir->functions.count; f++)
        order_functions(r, f);
    *count = r->functions.count;
    return r->functions.items;
}

void tsr_reacher_direct(tsr_reacher *r, uint32_t function, tsr_reach *out)
{
    collect_function(r, function);
    const struct direct *d = &r->direct[function];
    *out = (tsr_reach){.functions = d->callees.items,
                       .globals = d->globals.items,
                       .values = d->values.items,
                       .types = d->types.items,
                       .mmas = d->mmas.items,
                       .function_count = d->callees.count,
                       .global_count = d->globals.count,
                       .value_count = d->values.count,
                       .type_count = d->types.count,
                       .mma_count = d->mmas.count,
                       .subgroups = d->subgroups};
}
