/* Where in the program a result comes from: what makes it depend on the subgroup size, where the place in the grid is
 * used. By following operands, stores and calls, not conditions. */
#include "exec/sanitize_inside.h"

#include <stdlib.h>
#include <string.h>

typedef struct search {
    const tsr_ir *ir;
    tsr_id *queue;
    uint8_t *seen; /* by instruction */
    uint32_t count;
} search;

static void add(search *s, tsr_id id)
{
    if (id == 0 || s->seen[id]) return;
    s->seen[id] = 1;
    s->queue[s->count++] = id;
}

static bool is_write(const tsr_inst *i)
{
    return i->op == TSR_OP_store || i->op == TSR_OP_mstore || (tsr_op_table[i->op].flags & TSR_OPF_ATOMIC);
}

static void add_writes(search *s, tsr_id root)
{
    for (tsr_id i = 1; i < s->ir->insts.count; i++) {
        const tsr_inst *inst = tsr_inst_at(s->ir, i);
        if (is_write(inst) && tsr_pointer_root(s->ir, tsr_arg(s->ir, inst, 0)) == root) add(s, i);
    }
}

static void add_if_return(void *user, tsr_id id)
{
    search *s = user;
    if (tsr_inst_at(s->ir, id)->op == TSR_OP_return) add(s, id);
}

/* What callers give for a parameter. */
static void add_arguments(search *s, tsr_id param, uint32_t number)
{
    for (tsr_id i = 1; i < s->ir->insts.count; i++) {
        const tsr_inst *inst = tsr_inst_at(s->ir, i);
        if (inst->op != TSR_OP_call || number >= inst->nargs) continue;
        const tsr_function *f = tsr_function_at(s->ir, inst->aux);
        if (number < f->param_count && f->params[number].value == param) add(s, tsr_arg(s->ir, inst, number));
    }
}

static bool is_of_subgroup(uint8_t builtin)
{
    return builtin == TSR_BV_subgroup_invocation_id || builtin == TSR_BV_subgroup_size ||
           builtin == TSR_BV_subgroup_id || builtin == TSR_BV_num_subgroups;
}

static bool is_of_grid(uint8_t builtin)
{
    return builtin == TSR_BV_workgroup_id || builtin == TSR_BV_global_invocation_id;
}

/* Whether a parameter of the entry point is such a built-in value. */
static bool is_builtin(const tsr_program *p, tsr_id param, bool (*is_such)(uint8_t))
{
    const tsr_function *f = tsr_function_at(p->ir, p->entry);
    for (uint32_t i = 0; i < f->param_count; i++)
        if (f->params[i].value == param) return is_such(f->params[i].io.builtin);
    return false;
}

static bool depends_on_subgroups(const tsr_program *p, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(p->ir, id);
    return (tsr_op_table[inst->op].flags & (TSR_OPF_SG | TSR_OPF_QUAD)) != 0 ||
           (inst->op == TSR_OP_param && is_builtin(p, id, is_of_subgroup));
}

static void follow(search *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    for (uint32_t i = 0; i < inst->nargs; i++)
        add(s, tsr_arg(s->ir, inst, i));
    if (inst->op == TSR_OP_load || inst->op == TSR_OP_load_uniform || inst->op == TSR_OP_mload)
        add_writes(s, tsr_pointer_root(s->ir, tsr_arg(s->ir, inst, 0)));
    else if (inst->op == TSR_OP_call)
        tsr_block_walk(s->ir, tsr_function_at(s->ir, inst->aux)->body, add_if_return, s);
    else if (inst->op == TSR_OP_param)
        add_arguments(s, id, inst->aux);
}

tsr_id tsr_san_subgroup_source(const tsr_program *p, tsr_id from)
{
    search s = {.ir = p->ir};
    tsr_id found = 0;
    s.queue = malloc(p->ir->insts.count * sizeof *s.queue);
    s.seen = calloc(p->ir->insts.count, 1);
    if (s.queue && s.seen) add(&s, from);
    for (uint32_t i = 0; i < s.count && !found; i++) {
        if (depends_on_subgroups(p, s.queue[i]) && tsr_inst_at(p->ir, s.queue[i])->span.len != 0)
            found = s.queue[i];
        else
            follow(&s, s.queue[i]);
    }
    free(s.queue);
    free(s.seen);
    return found;
}

tsr_span tsr_san_grid_use(const tsr_program *p)
{
    tsr_span first = {0};
    for (tsr_id i = 1; i < p->ir->insts.count; i++) {
        const tsr_inst *inst = tsr_inst_at(p->ir, i);
        bool uses = false;
        for (uint32_t k = 0; k < inst->nargs && !uses; k++) {
            tsr_id a = tsr_arg(p->ir, inst, k);
            uses = a != 0 && tsr_inst_at(p->ir, a)->op == TSR_OP_param && is_builtin(p, a, is_of_grid);
        }
        if (uses && inst->span.len && (first.len == 0 || inst->span.pos < first.pos)) first = inst->span;
    }
    return first;
}
