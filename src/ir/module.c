/* A module's parts: its pools, functions, variables and the two walks over them. Building instructions: build.c. */
#include "ir/module.h"

#include <string.h>

static void init_diag_default(tsr_ir *ir)
{
    tsr_diag_state *s = tsr_pool_at(&ir->diag_states, 0);
    /* WGSL, "Filterable Triggering Rules": errors unless the program says otherwise. */
    s->derivative_uniformity = TSR_SEVERITY_ERROR;
    s->subgroup_uniformity = TSR_SEVERITY_ERROR;
    s->subgroup_matrix_uniformity = TSR_SEVERITY_ERROR;
}

void tsr_ir_init(tsr_ir *ir, tsr_arena *arena, tsr_symbols *symbols, tsr_types *types)
{
    memset(ir, 0, sizeof *ir);
    ir->arena = arena;
    ir->symbols = symbols;
    ir->types = types;
    tsr_pool_init(&ir->insts, arena, (uint32_t)sizeof(tsr_inst));
    tsr_pool_init(&ir->args, arena, (uint32_t)sizeof(tsr_id));
    tsr_pool_init(&ir->blocks, arena, (uint32_t)sizeof(tsr_block_info));
    tsr_pool_init(&ir->block_lists, arena, (uint32_t)sizeof(tsr_block));
    tsr_pool_init(&ir->switches, arena, (uint32_t)sizeof(tsr_switch));
    tsr_pool_init(&ir->constants, arena, (uint32_t)sizeof(uint64_t));
    tsr_pool_init(&ir->functions, arena, (uint32_t)sizeof(tsr_function));
    tsr_pool_init(&ir->overrides, arena, (uint32_t)sizeof(tsr_override));
    tsr_pool_init(&ir->globals, arena, (uint32_t)sizeof(tsr_global));
    tsr_pool_init(&ir->diag_states, arena, (uint32_t)sizeof(tsr_diag_state));
    tsr_map_init(&ir->constant_index, arena);
    init_diag_default(ir);
    ir->module_block = tsr_block_new(ir);
}

/* There are at most 4^3 different states, so this stays short. */
uint16_t tsr_diag_state_add(tsr_ir *ir, tsr_diag_state s)
{
    uint32_t i;
    for (i = 0; i < ir->diag_states.count; i++) {
        const tsr_diag_state *old = tsr_pool_at(&ir->diag_states, i);
        if (old->derivative_uniformity == s.derivative_uniformity &&
            old->subgroup_uniformity == s.subgroup_uniformity &&
            old->subgroup_matrix_uniformity == s.subgroup_matrix_uniformity)
            return (uint16_t)i;
    }
    i = tsr_pool_push(&ir->diag_states, 1);
    *(tsr_diag_state *)tsr_pool_at(&ir->diag_states, i) = s;
    return (uint16_t)i;
}

/* ---- Functions and module-scope variables. */

uint32_t tsr_function_new(tsr_ir *ir, tsr_sym name, tsr_span span)
{
    uint32_t f = tsr_pool_push(&ir->functions, 1);
    tsr_function *fn = tsr_function_at(ir, f);
    fn->name = name;
    fn->span = span;
    fn->body = tsr_block_new(ir);
    return f;
}

static tsr_id new_inst(tsr_ir *ir, tsr_op op, tsr_type type, uint32_t aux, tsr_sym name, tsr_span span)
{
    tsr_id id = tsr_pool_push(&ir->insts, 1);
    tsr_inst *inst = tsr_inst_at(ir, id);
    inst->op = (uint16_t)op;
    inst->type = type;
    inst->aux = aux;
    inst->name = name;
    inst->span = span;
    return id;
}

void tsr_function_set_params(tsr_ir *ir, uint32_t f, const tsr_param *params, uint32_t count)
{
    tsr_function *fn = tsr_function_at(ir, f);
    fn->params = TSR_NEW_ARRAY(ir->arena, tsr_param, count == 0 ? 1 : count);
    fn->param_count = count;
    for (uint32_t i = 0; i < count; i++) {
        fn->params[i] = params[i];
        fn->params[i].value = new_inst(ir, TSR_OP_param, params[i].type, i, params[i].name, fn->span);
    }
}

uint32_t tsr_override_new(tsr_ir *ir, tsr_sym name, tsr_type type, tsr_span span)
{
    uint32_t o = tsr_pool_push(&ir->overrides, 1);
    tsr_override *over = tsr_override_at(ir, o);
    over->name = name;
    over->inst = new_inst(ir, TSR_OP_override, type, o, name, span);
    tsr_block_append(ir, ir->module_block, over->inst);
    return o;
}

uint32_t tsr_global_new(tsr_ir *ir, tsr_sym name, tsr_type ptr_type, tsr_id initial, tsr_span span)
{
    uint32_t g = tsr_pool_push(&ir->globals, 1);
    tsr_global *global = tsr_global_at(ir, g);
    tsr_inst *inst;
    global->name = name;
    global->inst = new_inst(ir, TSR_OP_global, ptr_type, g, name, span);
    inst = tsr_inst_at(ir, global->inst);
    inst->nargs = initial != 0;
    inst->arg2[0] = initial;
    tsr_block_append(ir, ir->module_block, global->inst);
    return g;
}

uint32_t tsr_function_find(const tsr_ir *ir, tsr_sym name)
{
    for (uint32_t f = 1; f < ir->functions.count; f++)
        if (tsr_function_at(ir, f)->name == name) return f;
    return 0;
}

/* ---- Walks. Both are iterative: how deep a program nests and calls is the user's choice. */

/* Where a walk stands: the next instruction of a block, or the next block of the instruction before it. */
struct place {
    tsr_block block;
    uint32_t next;     /* instruction */
    uint32_t subblock; /* of instruction next - 1 */
    bool has_blocks;   /* that instruction may have more of them */
};

#define PLACES_INLINE 32

/* A stack that leaves the C stack when it grows; the arena keeps what it outgrew. */
struct places {
    tsr_arena *arena;
    struct place first[PLACES_INLINE];
    struct place *at;
    uint32_t count, cap;
};

static void push_place(struct places *p, tsr_block b)
{
    if (p->count == p->cap) {
        struct place *more = TSR_NEW_ARRAY(p->arena, struct place, (size_t)p->cap * 2);
        memcpy(more, p->at, p->count * sizeof *more);
        p->at = more;
        p->cap *= 2;
    }
    p->at[p->count++] = (struct place){.block = b};
}

static void init_places(struct places *p, tsr_arena *arena, tsr_block b)
{
    p->arena = arena;
    p->at = p->first;
    p->count = 0;
    p->cap = PLACES_INLINE;
    push_place(p, b);
}

/* Block `i` of an instruction in *out; false when it has no more. A missing one (number 0) is skipped. */
static bool find_subblock(const tsr_ir *ir, const tsr_inst *inst, uint32_t *i, tsr_block *out)
{
    if (inst->op == TSR_OP_switch) {
        const tsr_switch *s = tsr_switch_at(ir, inst->aux);
        if (*i >= s->case_count) return false;
        *out = s->cases[(*i)++].block;
        return true;
    }
    if ((tsr_op_table[inst->op].flags & TSR_OPF_BLOCKS) == 0) return false;
    while (*i < 2) {
        *out = tsr_inst_block(ir, inst, (*i)++);
        if (*out != 0) return true;
    }
    return false;
}

static bool holds_blocks(const tsr_ir *ir, tsr_id id)
{
    return (tsr_op_table[tsr_inst_at(ir, id)->op].flags & TSR_OPF_BLOCKS) != 0;
}

static const tsr_inst *last_inst(const tsr_ir *ir, const struct place *at)
{
    return tsr_inst_at(ir, tsr_block_at(ir, at->block)->insts[at->next - 1]);
}

/* The next instruction in order, 0 at the end. */
static tsr_id next_inst(const tsr_ir *ir, struct places *p)
{
    while (p->count > 0) {
        struct place *at = &p->at[p->count - 1];
        const tsr_block_info *info = tsr_block_at(ir, at->block);
        tsr_block below;
        if (at->has_blocks && find_subblock(ir, last_inst(ir, at), &at->subblock, &below)) {
            push_place(p, below);
        } else if (at->next < info->count) {
            tsr_id id = info->insts[at->next++];
            at->has_blocks = holds_blocks(ir, id);
            at->subblock = 0;
            return id;
        } else {
            p->count--;
        }
    }
    return 0;
}

/* Visits up to the next instruction that holds blocks, that one included; false: there is none. What next_inst does,
 * without its steps between two plain instructions. */
static bool visit_plain(const tsr_ir *ir, struct place *at, void (*visit)(void *user, tsr_id id), void *user)
{
    const tsr_block_info *info = tsr_block_at(ir, at->block);
    at->subblock = 0;
    at->has_blocks = false;
    while (at->next < info->count && !at->has_blocks) {
        tsr_id id = info->insts[at->next++];
        at->has_blocks = holds_blocks(ir, id);
        visit(user, id);
    }
    return at->has_blocks;
}

void tsr_block_walk(const tsr_ir *ir, tsr_block b, void (*visit)(void *user, tsr_id id), void *user)
{
    struct places p;
    init_places(&p, ir->arena, b);
    while (p.count > 0) {
        struct place *at = &p.at[p.count - 1];
        tsr_block below;
        if (at->has_blocks && find_subblock(ir, last_inst(ir, at), &at->subblock, &below))
            push_place(&p, below);
        else if (!visit_plain(ir, at, visit, user))
            p.count--;
    }
}

/* What is known of a function during a walk over calls. */
struct reached {
    uint32_t *list; /* functions in the order in which they were finished */
    uint32_t count, cap;
    struct caller {
        uint32_t function;
        struct places *at;
        struct caller *below;
    } * top;
    tsr_map seen;
    tsr_arena *arena;
};

static void enter_function(const tsr_ir *ir, struct reached *r, uint32_t f)
{
    struct caller *c;
    uint32_t ignored;
    if (f == 0 || tsr_map_find(&r->seen, f, &ignored)) return;
    tsr_map_set(&r->seen, f, 1);
    c = TSR_NEW(r->arena, struct caller);
    c->function = f;
    c->at = TSR_NEW(r->arena, struct places);
    c->below = r->top;
    init_places(c->at, r->arena, tsr_function_at(ir, f)->body);
    r->top = c;
}

static void leave_function(struct reached *r)
{
    if (r->count == r->cap) {
        uint32_t cap = r->cap == 0 ? 8 : r->cap * 2;
        uint32_t *more = TSR_NEW_ARRAY(r->arena, uint32_t, cap);
        if (r->count != 0) memcpy(more, r->list, r->count * sizeof *more);
        r->list = more;
        r->cap = cap;
    }
    r->list[r->count++] = r->top->function;
    r->top = r->top->below;
}

/* The order is found first and visited then, so a visitor may change the functions it is given. */
void tsr_function_walk(const tsr_ir *ir, uint32_t f, void (*visit)(void *user, uint32_t function), void *user)
{
    struct reached r = {.arena = ir->arena};
    tsr_map_init(&r.seen, ir->arena);
    enter_function(ir, &r, f);
    while (r.top != NULL) {
        tsr_id id = next_inst(ir, r.top->at);
        if (id == 0)
            leave_function(&r);
        else if (tsr_inst_at(ir, id)->op == TSR_OP_call)
            enter_function(ir, &r, tsr_inst_at(ir, id)->aux);
    }
    for (uint32_t i = 0; i < r.count; i++)
        visit(user, r.list[i]);
}
