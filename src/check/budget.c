/* Liveness of subgroup matrices over structured IR: see budget.h.
 *
 * The instructions of a function get positions 1, 2, 3, ... in the order of the text. Whatever is held is an interval
 * of gaps, gap p lying before position p; a use inside a loop of what was made outside reaches to the loop's end. The
 * worst gap is found by adding up where intervals begin and end. */
#include "check/budget.h"

#include <string.h>

enum { LOOK_AHEAD = 4096 }; /* positions searched for a reason against counting two names of one matrix once */

struct weight {
    uint64_t components, bytes;
};

struct loop {
    uint32_t begin, end; /* positions: of the loop itself, of the last instruction in it */
    uint32_t parent;     /* index + 1; 0: none */
};

/* What is known of an instruction, by its number. */
struct fact {
    uint32_t def; /* position; 0: a parameter, or not seen */
    bool seen;
    uint32_t first, last; /* variables: accesses; values: `last` use */
    uint32_t uses;        /* as an operand */
    tsr_id user;          /* the last one */
    bool in_place;        /* shares the registers of a variable: not counted */
};

struct budget {
    const tsr_program *p;
    const tsr_ir *ir;
    tsr_arena *arena;
    struct fact *facts;
    tsr_held *held; /* by function; of those that are done */
    /* The function at hand. */
    tsr_id *order;     /* by position */
    uint32_t *loop_of; /* by position: index + 1 */
    struct loop *loops;
    uint32_t count, loop_count;
    struct weight *change; /* by gap: begins there, less what ended before */
    struct weight *fall;
};

/* ---- Types ----------------------------------------------------------------------------------------------------- */

/* As deep as types nest. */
static struct weight weigh_type(const struct budget *b, tsr_type type)
{
    const tsr_types *types = b->ir->types;
    const tsr_type_info *info = tsr_type_get(types, type);
    struct weight w = {0, 0};
    if (!tsr_type_contains(types, type, TSR_T_smat)) return w;
    if (info->kind == TSR_T_smat) {
        w.components = (uint64_t)info->size.value * info->size2.value;
        w.bytes = w.components * tsr_component_bits((tsr_component)info->component) / 8;
    } else if (info->kind == TSR_T_array) {
        w = weigh_type(b, info->elem);
        w.components *= info->size.value;
        w.bytes *= info->size.value;
    }
    for (uint32_t i = 0; info->kind == TSR_T_struct && i < info->member_count; i++) {
        struct weight m = weigh_type(b, info->members[i].type);
        w.components += m.components;
        w.bytes += m.bytes;
    }
    return w;
}

static bool is_pointer(const struct budget *b, tsr_id id)
{
    return tsr_type_kind_of(b->ir->types, tsr_inst_at(b->ir, id)->type) == TSR_T_ptr;
}

/* Of a value; of a variable, what it holds; nothing for other pointers. */
static struct weight weigh(const struct budget *b, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(b->ir, id);
    if (!is_pointer(b, id)) return weigh_type(b, inst->type);
    bool holds = inst->op == TSR_OP_var || inst->op == TSR_OP_global;
    return holds ? weigh_type(b, tsr_type_get(b->ir->types, inst->type)->elem) : (struct weight){0, 0};
}

/* ---- Positions ------------------------------------------------------------------------------------------------- */

static void number_block(struct budget *b, tsr_block block, uint32_t loop);

static void number_nested(struct budget *b, const tsr_inst *inst, uint32_t loop)
{
    if (inst->op == TSR_OP_switch) {
        const tsr_switch *s = tsr_switch_at(b->ir, inst->aux);
        for (uint32_t i = 0; i < s->case_count; i++)
            number_block(b, s->cases[i].block, loop);
        return;
    }
    for (uint32_t i = 0; i < 2; i++)
        if (tsr_inst_block(b->ir, inst, i)) number_block(b, tsr_inst_block(b->ir, inst, i), loop);
}

/* As deep as blocks nest. */
static void number_block(struct budget *b, tsr_block block, uint32_t loop)
{
    const tsr_block_info *info = tsr_block_at(b->ir, block);
    for (uint32_t i = 0; i < info->count; i++) {
        tsr_id id = info->insts[i];
        const tsr_inst *inst = tsr_inst_at(b->ir, id);
        uint32_t at = ++b->count, inner = loop;
        b->order[at] = id;
        b->loop_of[at] = loop;
        b->facts[id] = (struct fact){.def = at, .seen = true, .first = UINT32_MAX};
        if (!(tsr_op_table[inst->op].flags & TSR_OPF_BLOCKS)) continue;
        if (inst->op == TSR_OP_loop) {
            b->loops[b->loop_count] = (struct loop){.begin = at, .parent = loop};
            inner = ++b->loop_count;
        }
        number_nested(b, inst, inner);
        if (inst->op == TSR_OP_loop) b->loops[inner - 1].end = b->count;
    }
}

static void count_one(void *user, tsr_id id)
{
    (void)id;
    ++*(uint32_t *)user;
}

/* ---- Uses ------------------------------------------------------------------------------------------------------ */

/* A use at `at` of what was made at `def`: the interval that it keeps alive. */
static void reach(const struct budget *b, uint32_t def, uint32_t at, uint32_t *from, uint32_t *to)
{
    *from = *to = at;
    for (uint32_t l = b->loop_of[at]; l && b->loops[l - 1].begin > def; l = b->loops[l - 1].parent) {
        *from = b->loops[l - 1].begin;
        *to = b->loops[l - 1].end;
    }
}

static void use_operand(struct budget *b, uint32_t at, tsr_id operand)
{
    const tsr_inst *user = tsr_inst_at(b->ir, b->order[at]);
    bool pointer = is_pointer(b, operand);
    if (pointer && (user->op == TSR_OP_field || user->op == TSR_OP_index)) return;
    struct fact *f = &b->facts[pointer ? tsr_pointer_root(b->ir, operand) : operand];
    uint32_t from, to;
    if (!f->seen) return;
    reach(b, f->def, at, &from, &to);
    if (from < f->first) f->first = from;
    if (to > f->last) f->last = to;
    f->uses++;
    f->user = b->order[at];
}

static void find_uses(struct budget *b)
{
    for (uint32_t at = 1; at <= b->count; at++) {
        const tsr_inst *inst = tsr_inst_at(b->ir, b->order[at]);
        for (uint32_t i = 0; i < inst->nargs; i++)
            use_operand(b, at, tsr_arg(b->ir, inst, i));
    }
}

/* ---- One matrix under two names -------------------------------------------------------------------------------- */

/* Whether the instruction at `at` accesses the variable; `writes`: whether it may change it. */
static bool accesses(const struct budget *b, uint32_t at, tsr_id variable, bool writes)
{
    const tsr_inst *inst = tsr_inst_at(b->ir, b->order[at]);
    if (inst->op == TSR_OP_field || inst->op == TSR_OP_index || (writes && inst->op == TSR_OP_load)) return false;
    for (uint32_t i = 0; i < inst->nargs; i++) {
        tsr_id operand = tsr_arg(b->ir, inst, i);
        if (is_pointer(b, operand) && tsr_pointer_root(b->ir, operand) == variable) return true;
    }
    return false;
}

static bool is_touched(const struct budget *b, uint32_t from, uint32_t to, tsr_id variable, bool writes)
{
    if (to - from > LOOK_AHEAD) return true;
    for (uint32_t at = from; at <= to; at++)
        if (accesses(b, at, variable, writes)) return true;
    return false;
}

/* A variable, or the pointer to one that a function was given. */
static bool is_variable(const struct budget *b, tsr_id root)
{
    uint16_t op = tsr_inst_at(b->ir, root)->op;
    return b->facts[root].seen && (op == TSR_OP_var || op == TSR_OP_param);
}

/* A value loaded from a variable is that variable until it is written again. */
static void merge_load(struct budget *b, tsr_id id, struct fact *f)
{
    tsr_id root = tsr_pointer_root(b->ir, tsr_arg(b->ir, tsr_inst_at(b->ir, id), 0));
    struct fact *v = &b->facts[root];
    if (!f->last || !is_variable(b, root)) return;
    if (f->last > f->def + 1 && is_touched(b, f->def + 1, f->last - 1, root, true)) return;
    f->in_place = true;
    if (f->last > v->last) v->last = f->last;
}

/* A value that is only stored to a variable is made in its place, when nobody needs the old content meanwhile. */
static void merge_store(struct budget *b, struct fact *f)
{
    const tsr_inst *user = f->uses == 1 ? tsr_inst_at(b->ir, f->user) : NULL;
    if (!user || user->op != TSR_OP_store) return;
    uint32_t at = b->facts[f->user].def;
    tsr_id root = tsr_pointer_root(b->ir, tsr_arg(b->ir, user, 0));
    struct fact *v = &b->facts[root];
    if (f->last != at || !is_variable(b, root) || v->def > f->def) return;
    if (at > f->def + 1 && is_touched(b, f->def + 1, at - 1, root, false)) return;
    f->in_place = true;
    if (f->def + 1 < v->first) v->first = f->def + 1;
}

static void merge_names(struct budget *b)
{
    for (uint32_t at = 1; at <= b->count; at++) {
        tsr_id id = b->order[at];
        struct fact *f = &b->facts[id];
        if (is_pointer(b, id) || !weigh(b, id).components) continue;
        if (tsr_inst_at(b->ir, id)->op == TSR_OP_load) merge_load(b, id, f);
        if (!f->in_place) merge_store(b, f);
    }
}

/* ---- The worst gap --------------------------------------------------------------------------------------------- */

static void add_interval(struct budget *b, uint32_t first, uint32_t last, struct weight w)
{
    b->change[first].components += w.components;
    b->change[first].bytes += w.bytes;
    b->fall[last + 1].components += w.components;
    b->fall[last + 1].bytes += w.bytes;
}

/* A zero matrix stands at module scope: it takes registers where it is used. */
static void add_zeros(struct budget *b, uint32_t at)
{
    const tsr_inst *inst = tsr_inst_at(b->ir, b->order[at]);
    for (uint32_t i = 0; i < inst->nargs; i++) {
        tsr_id operand = tsr_arg(b->ir, inst, i);
        if (!b->facts[operand].seen && inst->op != TSR_OP_store && inst->op != TSR_OP_var && !is_pointer(b, operand))
            add_interval(b, at, at, weigh(b, operand));
    }
}

static void add_intervals(struct budget *b, const tsr_function *fn)
{
    for (uint32_t i = 0; i < fn->param_count; i++) {
        const struct fact *f = &b->facts[fn->params[i].value];
        if (f->last && !is_pointer(b, fn->params[i].value)) add_interval(b, 1, f->last, weigh(b, fn->params[i].value));
    }
    for (uint32_t at = 1; at <= b->count; at++) {
        tsr_id id = b->order[at];
        const struct fact *f = &b->facts[id];
        add_zeros(b, at);
        if (!f->last || f->in_place) continue;
        add_interval(b, is_pointer(b, id) ? f->first : at + 1, f->last, weigh(b, id));
    }
}

/* What a call adds: the callee counts its matrix arguments itself, so those that end here are not counted twice. */
static struct weight weigh_call(const struct budget *b, uint32_t at, const tsr_inst *inst)
{
    struct weight w = {b->held[inst->aux].components, b->held[inst->aux].bytes};
    for (uint32_t i = 0; i < inst->nargs; i++) {
        tsr_id operand = tsr_arg(b->ir, inst, i);
        struct weight a = weigh(b, operand);
        if (is_pointer(b, operand) || !b->facts[operand].seen || b->facts[operand].last != at) continue;
        w.components -= a.components < w.components ? a.components : w.components;
        w.bytes -= a.bytes < w.bytes ? a.bytes : w.bytes;
    }
    return w;
}

static tsr_held find_worst(struct budget *b)
{
    tsr_held worst = {0};
    struct weight now = {0, 0};
    for (uint32_t at = 1; at <= b->count; at++) {
        const tsr_inst *inst = tsr_inst_at(b->ir, b->order[at]);
        now.components += b->change[at].components - b->fall[at].components;
        now.bytes += b->change[at].bytes - b->fall[at].bytes;
        struct weight here = now;
        if (inst->op == TSR_OP_call) {
            struct weight call = weigh_call(b, at, inst);
            here.components += call.components;
            here.bytes += call.bytes;
        }
        if (here.bytes > worst.bytes)
            worst = (tsr_held){.components = here.components, .bytes = here.bytes, .where = inst->span};
    }
    return worst;
}

/* ---- Functions ------------------------------------------------------------------------------------------------- */

static void measure_function(void *user, uint32_t function)
{
    struct budget *b = user;
    const tsr_function *fn = tsr_function_at(b->ir, function);
    tsr_arena_mark mark = tsr_arena_get_mark(b->arena);
    uint32_t size = 0;
    tsr_block_walk(b->ir, fn->body, count_one, &size);
    b->order = TSR_NEW_ARRAY(b->arena, tsr_id, size + 2u);
    b->loop_of = TSR_NEW_ARRAY(b->arena, uint32_t, size + 2u);
    b->loops = TSR_NEW_ARRAY(b->arena, struct loop, size + 1u);
    b->change = TSR_NEW_ARRAY(b->arena, struct weight, size + 3u);
    b->fall = TSR_NEW_ARRAY(b->arena, struct weight, size + 3u);
    b->count = b->loop_count = 0;
    for (uint32_t i = 0; i < fn->param_count; i++)
        b->facts[fn->params[i].value] = (struct fact){.seen = true, .first = UINT32_MAX};
    number_block(b, fn->body, 0);
    find_uses(b);
    merge_names(b);
    add_intervals(b, fn);
    b->held[function] = find_worst(b);
    tsr_arena_reset(b->arena, mark);
}

/* Private variables live as long as the program. */
static struct weight weigh_globals(const struct budget *b)
{
    struct weight sum = {0, 0};
    for (uint32_t g = 1; g < b->ir->globals.count; g++) {
        struct weight w = weigh(b, tsr_global_at(b->ir, g)->inst);
        sum.components += w.components;
        sum.bytes += w.bytes;
    }
    return sum;
}

tsr_held tsr_check_budget(const tsr_program *p, tsr_arena *scratch)
{
    struct budget b = {.p = p, .ir = p->ir, .arena = scratch};
    b.facts = TSR_NEW_ARRAY(scratch, struct fact, p->ir->insts.count);
    b.held = TSR_NEW_ARRAY(scratch, tsr_held, p->ir->functions.count);
    tsr_function_walk(p->ir, p->entry, measure_function, &b);
    struct weight globals = weigh_globals(&b);
    tsr_held held = b.held[p->entry];
    held.components += globals.components;
    held.bytes += globals.bytes;
    return held;
}
