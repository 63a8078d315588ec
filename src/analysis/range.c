/* Intervals of integers. Values are looked at when asked for, from what they are made of; conditions that hold here are
 * kept on a stack. The one kind of variable that is understood is a loop's counter: it is stored to nowhere but in the
 * continuing block of one loop, so within the body it is a constant. */
#include "analysis/range.h"

enum {
    VISITS_MAX = 256, /* values looked at for one question */
    FACTS_MAX = 256,  /* kept at a time; later ones are passed over */
    LOOPS_MAX = 64    /* loops around a place; what is further in is not known */
};

/* A function variable of an integer type. */
struct counter {
    tsr_id loop;  /* whose continuing block holds all stores; 0: none */
    bool stored;  /* at all */
    bool other;   /* stored elsewhere, or its address is used for something else */
    int64_t step; /* the constant > 0 that an iteration adds; 0: it is not that simple */
};

struct fact {
    tsr_id value; /* a value, or a variable: what a load of it gives */
    tsr_range range;
    tsr_id array; /* a variable that holds a run-time array with more elements than the value; 0: none is known */
};

struct tsr_ranges {
    const tsr_program *p;
    const tsr_ir *ir;
    uint32_t subgroup_size; /* 0: not known */
    tsr_map counters;       /* variable -> number in counter_pool */
    tsr_pool counter_pool;
    tsr_map guards;     /* loop -> the condition on which it is left at the start of its body */
    tsr_map params;     /* parameter -> its function */
    tsr_map calls;      /* function -> first of its calls in call_pool */
    tsr_pool call_pool; /* of struct call */
    tsr_pool facts;     /* of struct fact; a stack of fact_count */
    uint32_t fact_count;
    tsr_id loops[LOOPS_MAX];
    uint32_t loop_count; /* may exceed LOOPS_MAX */
    unsigned visits;
};

struct call {
    tsr_id inst;
    uint32_t next;
};

/* ---- The program. */

struct walk {
    tsr_ranges *r;
    tsr_id continuing_of; /* the loop whose continuing block we are in, directly or deeper; 0: none */
    bool repeats;         /* in a loop of that block */
};

static struct counter *counter_of(const tsr_ranges *r, tsr_id var)
{
    uint32_t n;
    return tsr_map_find(&r->counters, var, &n) ? tsr_pool_at(&r->counter_pool, n) : NULL;
}

static bool is_integer(tsr_type type)
{
    return type == TSR_T_i32 || type == TSR_T_u32;
}

static void add_counter(tsr_ranges *r, tsr_id id, const tsr_inst *inst)
{
    if (!is_integer(tsr_type_get(r->ir->types, inst->type)->elem)) return;
    uint32_t n = tsr_pool_push(&r->counter_pool, 1);
    tsr_map_set(&r->counters, id, n);
}

/* The constant that `value` adds to a load of `var`, 0 when it is not of that form. */
static int64_t find_step(const tsr_ranges *r, tsr_id var, tsr_id value)
{
    const tsr_inst *add = tsr_inst_at(r->ir, value);
    if (add->op != TSR_OP_add) return 0;
    const tsr_inst *load = tsr_inst_at(r->ir, tsr_arg(r->ir, add, 0)), *by = tsr_inst_at(r->ir, tsr_arg(r->ir, add, 1));
    if (load->op != TSR_OP_load || tsr_arg(r->ir, load, 0) != var || by->op != TSR_OP_const) return 0;
    int64_t step =
        by->type == TSR_T_i32 ? (int32_t)tsr_constant_bits(r->ir, by) : (int64_t)tsr_constant_bits(r->ir, by);
    return step > 0 ? step : 0;
}

static void note_store(const struct walk *w, tsr_id var, tsr_id value)
{
    struct counter *c = counter_of(w->r, var);
    if (!c) return;
    int64_t step = w->repeats ? 0 : find_step(w->r, var, value);
    if (w->continuing_of == 0 || (c->stored && c->loop != w->continuing_of)) c->other = true;
    c->step = c->stored ? 0 : step;
    c->stored = true;
    c->loop = w->continuing_of;
}

static void note_operands(const struct walk *w, const tsr_inst *inst)
{
    for (uint32_t i = 0; i < inst->nargs; i++) {
        struct counter *c = counter_of(w->r, tsr_arg(w->r->ir, inst, i));
        if (c) c->other = true;
    }
}

static void note_call(tsr_ranges *r, tsr_id id, uint32_t function)
{
    uint32_t first = 0, n = tsr_pool_push(&r->call_pool, 1);
    tsr_map_find(&r->calls, function, &first);
    *(struct call *)tsr_pool_at(&r->call_pool, n) = (struct call){id, first};
    tsr_map_set(&r->calls, function, n);
}

static void walk_block(struct walk *w, tsr_block b);

/* `if (...) { break }` before anything else in the body that has blocks: it runs in every iteration, first. */
static void find_guard(tsr_ranges *r, tsr_id loop, tsr_block body)
{
    const tsr_block_info *info = tsr_block_at(r->ir, body);
    for (uint32_t i = 0; i < info->count; i++) {
        const tsr_inst *inst = tsr_inst_at(r->ir, info->insts[i]);
        if (!(tsr_op_table[inst->op].flags & (TSR_OPF_BLOCKS | TSR_OPF_END))) continue;
        if (inst->op == TSR_OP_if && tsr_inst_block(r->ir, inst, 1) == 0 &&
            tsr_block_is_ended(r->ir, tsr_inst_block(r->ir, inst, 0)))
            tsr_map_set(&r->guards, loop, tsr_arg(r->ir, inst, 0));
        return;
    }
}

static void walk_loop(struct walk *w, tsr_id id, const tsr_inst *inst)
{
    struct walk inner = {w->r, w->continuing_of, w->continuing_of != 0};
    tsr_block body = tsr_inst_block(w->r->ir, inst, 0), continuing = tsr_inst_block(w->r->ir, inst, 1);
    find_guard(w->r, id, body);
    walk_block(&inner, body);
    /* A loop in a continuing block: its stores count for the outer loop, where they may run many times. */
    if (w->continuing_of == 0) inner.continuing_of = id, inner.repeats = false;
    if (continuing) walk_block(&inner, continuing);
}

static void walk_inst(struct walk *w, tsr_id id)
{
    const tsr_ir *ir = w->r->ir;
    const tsr_inst *inst = tsr_inst_at(ir, id);
    switch ((tsr_op)inst->op) {
    case TSR_OP_var: add_counter(w->r, id, inst); break;
    case TSR_OP_load: break;
    case TSR_OP_store: note_store(w, tsr_arg(ir, inst, 0), tsr_arg(ir, inst, 1)); break;
    case TSR_OP_loop: walk_loop(w, id, inst); break;
    case TSR_OP_if:
        walk_block(w, tsr_inst_block(ir, inst, 0));
        if (tsr_inst_block(ir, inst, 1)) walk_block(w, tsr_inst_block(ir, inst, 1));
        break;
    case TSR_OP_switch: {
        const tsr_switch *s = tsr_switch_at(ir, inst->aux);
        for (uint32_t i = 0; i < s->case_count; i++)
            walk_block(w, s->cases[i].block);
        break;
    }
    case TSR_OP_call:
        note_call(w->r, id, inst->aux);
        note_operands(w, inst);
        break;
    default: note_operands(w, inst); break;
    }
}

/* Recursion is as deep as blocks nest (TSR_IR_BLOCK_DEPTH_MAX). */
static void walk_block(struct walk *w, tsr_block b)
{
    const tsr_block_info *info = tsr_block_at(w->r->ir, b);
    for (uint32_t i = 0; i < info->count; i++)
        walk_inst(w, info->insts[i]);
}

tsr_ranges *tsr_ranges_new(const tsr_program *p, uint32_t subgroup_size, tsr_arena *arena)
{
    tsr_ranges *r = TSR_NEW(arena, tsr_ranges);
    struct walk w = {r, 0, false};
    r->p = p;
    r->ir = p->ir;
    r->subgroup_size = subgroup_size;
    tsr_map_init(&r->counters, arena);
    tsr_pool_init(&r->counter_pool, arena, sizeof(struct counter));
    tsr_map_init(&r->guards, arena);
    tsr_map_init(&r->calls, arena);
    tsr_pool_init(&r->call_pool, arena, sizeof(struct call));
    tsr_pool_init(&r->facts, arena, sizeof(struct fact));
    tsr_map_init(&r->params, arena);
    for (uint32_t f = 1; f < r->ir->functions.count; f++) {
        const tsr_function *fn = tsr_function_at(r->ir, f);
        for (uint32_t i = 0; i < fn->param_count; i++)
            tsr_map_set(&r->params, fn->params[i].value, f);
        walk_block(&w, fn->body);
    }
    return r;
}

/* ---- Facts. */

void tsr_ranges_enter(tsr_ranges *r, tsr_id loop)
{
    if (r->loop_count < LOOPS_MAX) r->loops[r->loop_count] = loop;
    r->loop_count++;
}

void tsr_ranges_leave(tsr_ranges *r)
{
    r->loop_count--;
}

static bool is_in_loop(const tsr_ranges *r, tsr_id loop)
{
    for (uint32_t i = 0; i < r->loop_count && i < LOOPS_MAX; i++)
        if (r->loops[i] == loop) return true;
    return false;
}

uint32_t tsr_ranges_mark(const tsr_ranges *r)
{
    return r->fact_count;
}

void tsr_ranges_forget(tsr_ranges *r, uint32_t mark)
{
    r->fact_count = mark;
}

static void push_fact(tsr_ranges *r, struct fact fact)
{
    if (r->fact_count >= FACTS_MAX) return;
    if (r->fact_count + 1 >= r->facts.count) tsr_pool_push(&r->facts, 1);
    *(struct fact *)tsr_pool_at(&r->facts, r->fact_count++) = fact;
}

/* The counter that a value was loaded from, when it does not change here; NULL: it is no such load. */
static const struct counter *steady_counter(const tsr_ranges *r, tsr_id value, tsr_id *var)
{
    const tsr_inst *inst = tsr_inst_at(r->ir, value);
    if (inst->op != TSR_OP_load) return NULL;
    *var = tsr_arg(r->ir, inst, 0);
    const struct counter *c = counter_of(r, *var);
    return !c || c->other || (c->stored && !is_in_loop(r, c->loop)) ? NULL : c;
}

static tsr_range type_range(tsr_type type)
{
    return type == TSR_T_i32 ? (tsr_range){INT32_MIN, INT32_MAX} : (tsr_range){0, UINT32_MAX};
}

static tsr_range narrow(tsr_range a, tsr_range b)
{
    return (tsr_range){a.low > b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
}

static tsr_range widen(tsr_range a, tsr_range b)
{
    return (tsr_range){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}

/* A load of a variable that does not change here also says something about its other loads. A counter that is below a
 * bound in every iteration before it is stepped never wraps, so it is not below where it began. */
static void learn(tsr_ranges *r, tsr_id value, tsr_range range, bool is_guard)
{
    tsr_id var = 0;
    push_fact(r, (struct fact){.value = value, .range = range});
    const struct counter *c = steady_counter(r, value, &var);
    if (!c) return;
    if (c->stored && is_guard && c->step > 0 &&
        range.high <= type_range(tsr_inst_at(r->ir, value)->type).high - c->step) {
        const tsr_inst *v = tsr_inst_at(r->ir, var);
        int64_t first = v->nargs ? tsr_range_of(r, tsr_arg(r->ir, v, 0)).low : 0;
        if (first > range.low) range.low = first;
    }
    push_fact(r, (struct fact){.value = var, .range = range});
}

/* value < length, where length is that of a run-time array. */
static void learn_length(tsr_ranges *r, tsr_id value, tsr_id length)
{
    const tsr_inst *inst = tsr_inst_at(r->ir, length);
    tsr_id var = 0;
    if (inst->op != TSR_OP_array_length) return;
    struct fact fact = {
        .value = value, .range = {0, UINT32_MAX}, .array = tsr_pointer_root(r->ir, tsr_arg(r->ir, inst, 0))};
    push_fact(r, fact);
    if (!steady_counter(r, value, &var)) return;
    fact.value = var;
    push_fact(r, fact);
}

static tsr_op negated(tsr_op op)
{
    switch (op) {
    case TSR_OP_lt: return TSR_OP_ge;
    case TSR_OP_le: return TSR_OP_gt;
    case TSR_OP_gt: return TSR_OP_le;
    case TSR_OP_ge: return TSR_OP_lt;
    case TSR_OP_eq: return TSR_OP_ne;
    case TSR_OP_ne: return TSR_OP_eq;
    default: return TSR_OP_none;
    }
}

/* a `op` b holds: what that says about a and about b. */
static void learn_comparison(tsr_ranges *r, tsr_op op, tsr_id a, tsr_id b, bool is_guard)
{
    tsr_range x = tsr_range_of(r, a), y = tsr_range_of(r, b), all = type_range(tsr_inst_at(r->ir, a)->type);
    tsr_range below = {all.low, y.high}, above = {y.low, all.high}, b_above = {x.low, all.high},
              b_below = {all.low, x.high};
    switch (op) {
    case TSR_OP_lt:
    case TSR_OP_le:
        if (op == TSR_OP_lt) below.high--, b_above.low++;
        if (op == TSR_OP_lt) learn_length(r, a, b);
        learn(r, a, narrow(x, below), is_guard);
        learn(r, b, narrow(y, b_above), false);
        break;
    case TSR_OP_gt:
    case TSR_OP_ge:
        if (op == TSR_OP_gt) above.low++, b_below.high--;
        if (op == TSR_OP_gt) learn_length(r, b, a);
        learn(r, a, narrow(x, above), is_guard);
        learn(r, b, narrow(y, b_below), false);
        break;
    case TSR_OP_eq:
        learn(r, a, narrow(x, y), false);
        learn(r, b, narrow(x, y), false);
        break;
    default: break;
    }
}

static bool is_guard_condition(const tsr_ranges *r, tsr_id condition)
{
    uint32_t guard;
    if (r->loop_count == 0 || r->loop_count > LOOPS_MAX) return false;
    return tsr_map_find(&r->guards, r->loops[r->loop_count - 1], &guard) && guard == condition;
}

void tsr_ranges_assume(tsr_ranges *r, tsr_id condition, bool truth)
{
    bool is_guard = !truth && is_guard_condition(r, condition);
    enum { NESTING_MAX = 16 };
    for (int depth = 0; depth < NESTING_MAX; depth++) {
        const tsr_inst *inst = tsr_inst_at(r->ir, condition);
        if (inst->op == TSR_OP_not) {
            truth = !truth;
            condition = tsr_arg(r->ir, inst, 0);
        } else if (inst->nargs == 2 && inst->type == TSR_T_bool &&
                   ((inst->op == TSR_OP_and && truth) || (inst->op == TSR_OP_or && !truth))) {
            tsr_ranges_assume(r, tsr_arg(r->ir, inst, 0), truth);
            condition = tsr_arg(r->ir, inst, 1);
        } else {
            tsr_op op = truth ? (tsr_op)inst->op : negated((tsr_op)inst->op);
            if (inst->nargs != 2 || !is_integer(tsr_inst_at(r->ir, tsr_arg(r->ir, inst, 0))->type)) return;
            learn_comparison(r, op, tsr_arg(r->ir, inst, 0), tsr_arg(r->ir, inst, 1), is_guard);
            return;
        }
    }
}

/* ---- Values. */

static tsr_range find_range(tsr_ranges *r, tsr_id id);
static uint32_t load_multiple(tsr_ranges *r, const tsr_inst *inst);

/* A result that the type may not hold wraps: then nothing is known. */
static tsr_range fit(tsr_range range, tsr_type type)
{
    tsr_range all = type_range(type);
    return range.low < all.low || range.high > all.high ? all : range;
}

static tsr_range multiply(tsr_range a, tsr_range b)
{
    if (a.high > INT32_MAX && b.high > INT32_MAX) return (tsr_range){0, INT64_MAX}; /* no product of i32 */
    const int64_t p[4] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
    tsr_range all = {p[0], p[0]};
    for (int i = 1; i < 4; i++)
        all = widen(all, (tsr_range){p[i], p[i]});
    return all;
}

/* No value: conditions exclude each other, so the place cannot be reached. */
static bool is_empty(tsr_range a)
{
    return a.low > a.high;
}

static tsr_range divide(tsr_range a, tsr_range b, tsr_type type)
{
    if (a.low < 0 || b.low <= 0) return type_range(type);
    return (tsr_range){a.low / b.high, a.high / b.low};
}

/* The remainder has the sign of a; a divisor of 0 gives 0. */
static tsr_range remainder_of(tsr_range a, tsr_range b)
{
    int64_t most = b.high > -b.low ? b.high : -b.low;
    if (most > 0) most--;
    tsr_range range = {a.low < 0 ? -most : 0, a.high > 0 ? most : 0};
    if (a.low > range.low && a.low < 0) range.low = a.low;
    if (a.high < range.high && a.high >= 0) range.high = a.high;
    return range;
}

static tsr_range mask(tsr_range a, tsr_range b, tsr_type type)
{
    if (a.low >= 0 && b.low >= 0) return (tsr_range){0, a.high < b.high ? a.high : b.high};
    if (a.low >= 0) return (tsr_range){0, a.high};
    if (b.low >= 0) return (tsr_range){0, b.high};
    return type_range(type);
}

static tsr_range unite_bits(tsr_range a, tsr_range b, tsr_type type)
{
    int64_t most = a.high > b.high ? a.high : b.high, ones = 0;
    if (a.low < 0 || b.low < 0) return type_range(type);
    while (ones < most)
        ones = ones * 2 + 1;
    return (tsr_range){0, ones};
}

static tsr_range shift(const tsr_inst *inst, tsr_range a, tsr_range by)
{
    if (by.low != by.high || by.high > 31)
        return a.low >= 0 && inst->op == TSR_OP_shr ? (tsr_range){0, a.high} : type_range(inst->type);
    int64_t factor = (int64_t)1 << by.low;
    if (inst->op == TSR_OP_shl) return fit(multiply(a, (tsr_range){factor, factor}), inst->type);
    return a.low >= 0 ? (tsr_range){a.low / factor, a.high / factor} : type_range(inst->type);
}

/* How many subgroups a workgroup has at most: as many as invocations, unless full ones of a known size make it up. */
static int64_t most_subgroups(const tsr_ranges *r, int64_t invocations)
{
    if (r->subgroup_size == 0 || r->p->workgroup_size[0] % r->subgroup_size != 0) return invocations;
    return invocations / r->subgroup_size;
}

/* Source: WGSL, "Built-in Inputs and Outputs"; a subgroup has at most 128 invocations. */
static tsr_range builtin_range(const tsr_ranges *r, uint8_t builtin, uint32_t k)
{
    enum { SUBGROUP_MAX = 128 };
    const uint32_t *size = r->p->workgroup_size;
    int64_t all = (int64_t)size[0] * size[1] * size[2];
    if (all > UINT32_MAX) all = UINT32_MAX;
    switch (builtin) {
    case TSR_BV_local_invocation_id: return (tsr_range){0, (int64_t)size[k] - 1};
    case TSR_BV_local_invocation_index: return (tsr_range){0, all - 1};
    case TSR_BV_subgroup_id: return (tsr_range){0, most_subgroups(r, all) - 1};
    case TSR_BV_subgroup_invocation_id: return (tsr_range){0, SUBGROUP_MAX - 1};
    case TSR_BV_subgroup_size: return (tsr_range){1, SUBGROUP_MAX};
    case TSR_BV_num_subgroups: return (tsr_range){1, most_subgroups(r, all)};
    default: return type_range(TSR_T_u32);
    }
}

static const tsr_param *find_param(const tsr_ranges *r, tsr_id id, uint32_t *function)
{
    if (!tsr_map_find(&r->params, id, function)) return NULL;
    return &tsr_function_at(r->ir, *function)->params[tsr_inst_at(r->ir, id)->aux];
}

static tsr_range param_range(tsr_ranges *r, tsr_id id, tsr_type type)
{
    uint32_t function = 0, n = 0, number = tsr_inst_at(r->ir, id)->aux;
    const tsr_param *p = find_param(r, id, &function);
    if (p && p->io.builtin) return builtin_range(r, p->io.builtin, 0);
    if (!p || !tsr_map_find(&r->calls, function, &n)) return type_range(type);
    tsr_range range = {INT64_MAX, INT64_MIN};
    for (; n; n = ((struct call *)tsr_pool_at(&r->call_pool, n))->next) {
        const tsr_inst *call = tsr_inst_at(r->ir, ((struct call *)tsr_pool_at(&r->call_pool, n))->inst);
        range = widen(range, find_range(r, tsr_arg(r->ir, call, number)));
    }
    return range;
}

static tsr_range extract_range(tsr_ranges *r, const tsr_inst *inst)
{
    uint32_t function;
    tsr_id whole_id = tsr_arg(r->ir, inst, 0);
    const tsr_inst *whole = tsr_inst_at(r->ir, whole_id);
    if (whole->op == TSR_OP_compose && inst->aux < whole->nargs) return find_range(r, tsr_arg(r->ir, whole, inst->aux));
    if (whole->op == TSR_OP_splat) return find_range(r, tsr_arg(r->ir, whole, 0));
    if (whole->op != TSR_OP_param || tsr_type_kind_of(r->ir->types, whole->type) != TSR_T_vec)
        return type_range(inst->type);
    const tsr_param *p = find_param(r, whole_id, &function);
    return p && p->io.builtin ? builtin_range(r, p->io.builtin, inst->aux) : type_range(inst->type);
}

static tsr_range load_range(tsr_ranges *r, const tsr_inst *inst)
{
    tsr_id var = tsr_arg(r->ir, inst, 0);
    const struct counter *c = counter_of(r, var);
    tsr_range range = type_range(inst->type);
    if (!c || c->other) return range;
    const tsr_inst *v = tsr_inst_at(r->ir, var);
    if (!c->stored) return v->nargs ? find_range(r, tsr_arg(r->ir, v, 0)) : (tsr_range){0, 0};
    for (uint32_t i = 0; i < r->fact_count; i++) {
        const struct fact *f = tsr_pool_at(&r->facts, i);
        if (f->value == var) range = narrow(range, f->range);
    }
    if (range.low >= 0 && range.high > 0) range.high -= range.high % load_multiple(r, inst); /* counts in steps */
    return range;
}

/* The bits of an i32 as u32, and back: numbers that both have stay. */
static tsr_range reinterpret(tsr_ranges *r, const tsr_inst *inst)
{
    tsr_type from = tsr_inst_at(r->ir, tsr_arg(r->ir, inst, 0))->type;
    if (from == TSR_T_bool) return (tsr_range){0, 1};
    if (!is_integer(from)) return type_range(inst->type);
    return fit(find_range(r, tsr_arg(r->ir, inst, 0)), inst->type);
}

static tsr_range constant_range(const tsr_ranges *r, const tsr_inst *inst)
{
    uint32_t bits = (uint32_t)tsr_constant_bits(r->ir, inst);
    int64_t n = inst->type == TSR_T_i32 ? (int64_t)(int32_t)bits : (int64_t)bits;
    return (tsr_range){n, n};
}

static tsr_range binary_range(tsr_ranges *r, const tsr_inst *inst)
{
    tsr_range a = find_range(r, tsr_arg(r->ir, inst, 0)), b = find_range(r, tsr_arg(r->ir, inst, 1));
    if (is_empty(a) || is_empty(b)) return is_empty(a) ? a : b;
    switch ((tsr_op)inst->op) {
    case TSR_OP_add: return fit((tsr_range){a.low + b.low, a.high + b.high}, inst->type);
    case TSR_OP_sub: return fit((tsr_range){a.low - b.high, a.high - b.low}, inst->type);
    case TSR_OP_mul: return fit(multiply(a, b), inst->type);
    case TSR_OP_div: return divide(a, b, inst->type);
    case TSR_OP_rem: return remainder_of(a, b);
    case TSR_OP_and: return mask(a, b, inst->type);
    case TSR_OP_or:
    case TSR_OP_xor: return unite_bits(a, b, inst->type);
    case TSR_OP_min: return (tsr_range){a.low < b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
    case TSR_OP_max: return (tsr_range){a.low > b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
    case TSR_OP_select: return widen(a, b);
    default: return shift(inst, a, b);
    }
}

/* min(max(a, b), c). */
static tsr_range clamp_range(tsr_ranges *r, const tsr_inst *inst)
{
    tsr_range a = find_range(r, tsr_arg(r->ir, inst, 0)), b = find_range(r, tsr_arg(r->ir, inst, 1));
    tsr_range c = find_range(r, tsr_arg(r->ir, inst, 2));
    a = (tsr_range){a.low > b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
    return (tsr_range){a.low < c.low ? a.low : c.low, a.high < c.high ? a.high : c.high};
}

static tsr_range made_range(tsr_ranges *r, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(r->ir, id);
    switch ((tsr_op)inst->op) {
    case TSR_OP_const: return constant_range(r, inst);
    case TSR_OP_zero: return (tsr_range){0, 0};
    case TSR_OP_param: return param_range(r, id, inst->type);
    case TSR_OP_extract: return extract_range(r, inst);
    case TSR_OP_load: return load_range(r, inst);
    case TSR_OP_convert:
    case TSR_OP_bitcast: return reinterpret(r, inst);
    case TSR_OP_clamp: return clamp_range(r, inst);
    case TSR_OP_sg_broadcast_first: return find_range(r, tsr_arg(r->ir, inst, 0));
    case TSR_OP_count_one_bits:
    case TSR_OP_count_leading_zeros:
    case TSR_OP_count_trailing_zeros: return (tsr_range){0, 32};
    case TSR_OP_add:
    case TSR_OP_sub:
    case TSR_OP_mul:
    case TSR_OP_div:
    case TSR_OP_rem:
    case TSR_OP_and:
    case TSR_OP_or:
    case TSR_OP_xor:
    case TSR_OP_min:
    case TSR_OP_max:
    case TSR_OP_select:
    case TSR_OP_shl:
    case TSR_OP_shr: return binary_range(r, inst);
    default: return type_range(inst->type);
    }
}

/* Recursion ends: values are made of earlier ones, callers are not called by what they call, and VISITS_MAX. */
static tsr_range find_range(tsr_ranges *r, tsr_id id)
{
    tsr_type type = tsr_inst_at(r->ir, id)->type;
    if (!is_integer(type) || r->visits >= VISITS_MAX) return type_range(type);
    r->visits++;
    tsr_range range = made_range(r, id);
    for (uint32_t i = 0; i < r->fact_count; i++) {
        const struct fact *f = tsr_pool_at(&r->facts, i);
        if (f->value == id) range = narrow(range, f->range);
    }
    return range;
}

tsr_range tsr_range_of(tsr_ranges *r, tsr_id value)
{
    r->visits = 0;
    return find_range(r, value);
}

bool tsr_range_is_below(tsr_ranges *r, tsr_id value, uint64_t count)
{
    tsr_range range = tsr_range_of(r, value);
    if (is_empty(range)) return true; /* never reached */
    return range.low >= 0 && (uint64_t)range.high < count;
}

uint32_t tsr_range_least_length(const tsr_ranges *r, tsr_id pointer)
{
    tsr_id root = tsr_pointer_root(r->ir, pointer);
    int64_t least = 0;
    for (uint32_t i = 0; i < r->fact_count; i++) {
        const struct fact *f = tsr_pool_at(&r->facts, i);
        const tsr_inst *inst = tsr_inst_at(r->ir, f->value);
        if (inst->op != TSR_OP_array_length || tsr_pointer_root(r->ir, tsr_arg(r->ir, inst, 0)) != root) continue;
        if (f->range.low > least) least = f->range.low;
    }
    return (uint32_t)least;
}

bool tsr_range_is_below_length(tsr_ranges *r, tsr_id value, tsr_id pointer)
{
    const tsr_types *types = r->ir->types;
    const tsr_type_info *array = tsr_type_get(types, tsr_type_get(types, tsr_inst_at(r->ir, pointer)->type)->elem);
    tsr_id root = tsr_pointer_root(r->ir, pointer), var = 0;
    if (array->kind != TSR_T_array || array->size.value || array->size.over) return false;
    if (tsr_range_is_below(r, value, tsr_range_least_length(r, pointer))) return true;
    if (!steady_counter(r, value, &var)) var = 0;
    for (uint32_t i = 0; i < r->fact_count; i++) {
        const struct fact *f = tsr_pool_at(&r->facts, i);
        if (f->array == root && (f->value == value || (var && f->value == var))) return true;
    }
    return false;
}

/* ---- Multiples of powers of two. These survive wrapping, so nothing about ranges is needed. */

static uint32_t find_multiple(tsr_ranges *r, tsr_id id);

static uint32_t lowest_bit(uint32_t bits)
{
    uint32_t low = bits & (0u - bits);
    return low == 0 || low > TSR_MULTIPLE_MAX ? TSR_MULTIPLE_MAX : low;
}

static uint32_t lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t product_of(uint32_t a, uint32_t b)
{
    return a >= TSR_MULTIPLE_MAX / b ? TSR_MULTIPLE_MAX : a * b;
}

static uint32_t param_multiple(tsr_ranges *r, tsr_id id)
{
    uint32_t function = 0, n = 0, number = tsr_inst_at(r->ir, id)->aux, all = TSR_MULTIPLE_MAX;
    const tsr_param *p = find_param(r, id, &function);
    if (!p || p->io.builtin || !tsr_map_find(&r->calls, function, &n)) return 1;
    for (; n; n = ((struct call *)tsr_pool_at(&r->call_pool, n))->next) {
        const tsr_inst *call = tsr_inst_at(r->ir, ((struct call *)tsr_pool_at(&r->call_pool, n))->inst);
        all = lesser(all, find_multiple(r, tsr_arg(r->ir, call, number)));
    }
    return all;
}

/* A counter is where it began and some steps. */
static uint32_t load_multiple(tsr_ranges *r, const tsr_inst *inst)
{
    tsr_id var = tsr_arg(r->ir, inst, 0);
    const struct counter *c = counter_of(r, var);
    if (!c || c->other || (c->stored && c->step == 0)) return 1;
    const tsr_inst *v = tsr_inst_at(r->ir, var);
    uint32_t first = v->nargs ? find_multiple(r, tsr_arg(r->ir, v, 0)) : TSR_MULTIPLE_MAX;
    return c->stored ? lesser(first, lowest_bit((uint32_t)c->step)) : first;
}

static uint32_t made_multiple(tsr_ranges *r, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(r->ir, id);
    uint32_t a, b;
    switch ((tsr_op)inst->op) {
    case TSR_OP_const: return lowest_bit((uint32_t)tsr_constant_bits(r->ir, inst));
    case TSR_OP_zero: return TSR_MULTIPLE_MAX;
    case TSR_OP_param: return param_multiple(r, id);
    case TSR_OP_load: return load_multiple(r, inst);
    case TSR_OP_bitcast:
    case TSR_OP_convert: return find_multiple(r, tsr_arg(r->ir, inst, 0));
    case TSR_OP_shl: {
        tsr_range by = find_range(r, tsr_arg(r->ir, inst, 1));
        if (by.low < 0 || by.high > 31) return 1;
        return product_of(find_multiple(r, tsr_arg(r->ir, inst, 0)), lowest_bit(1u << by.low));
    }
    case TSR_OP_add:
    case TSR_OP_sub:
    case TSR_OP_or:
    case TSR_OP_xor:
    case TSR_OP_min:
    case TSR_OP_max:
    case TSR_OP_select:
    case TSR_OP_mul:
    case TSR_OP_and: break;
    default: return 1;
    }
    a = find_multiple(r, tsr_arg(r->ir, inst, 0));
    b = find_multiple(r, tsr_arg(r->ir, inst, 1));
    if (inst->op == TSR_OP_mul) return product_of(a, b);
    return inst->op == TSR_OP_and ? (a > b ? a : b) : lesser(a, b);
}

static uint32_t find_multiple(tsr_ranges *r, tsr_id id)
{
    if (!is_integer(tsr_inst_at(r->ir, id)->type) || r->visits >= VISITS_MAX) return 1;
    r->visits++;
    return made_multiple(r, id);
}

uint32_t tsr_range_multiple(tsr_ranges *r, tsr_id value)
{
    r->visits = 0;
    return find_multiple(r, value);
}

/* ---- Trips. */

/* A value that is a number for certain. */
static bool is_number(tsr_ranges *r, tsr_id id, int64_t *number)
{
    tsr_range range = tsr_range_of(r, id);
    *number = range.low;
    return range.low == range.high;
}

/* counter < bound or counter <= bound, whichever way it is written; the bound is that of `<`. */
static tsr_id find_bound(tsr_ranges *r, tsr_id condition, bool truth, int64_t *bound)
{
    const tsr_inst *inst = tsr_inst_at(r->ir, condition);
    while (inst->op == TSR_OP_not) {
        truth = !truth;
        inst = tsr_inst_at(r->ir, tsr_arg(r->ir, inst, 0));
    }
    tsr_op op = truth ? (tsr_op)inst->op : negated((tsr_op)inst->op);
    bool mirrored = op == TSR_OP_gt || op == TSR_OP_ge;
    if (op != TSR_OP_lt && op != TSR_OP_le && !mirrored) return 0;
    tsr_id less = tsr_arg(r->ir, inst, mirrored ? 1 : 0);
    if (!is_number(r, tsr_arg(r->ir, inst, mirrored ? 0 : 1), bound)) return 0;
    if (op == TSR_OP_le || op == TSR_OP_ge) ++*bound;
    return less;
}

/* Trips of a loop whose counter begins at a number for certain (exact) or at whatever its range says. */
static uint32_t find_trips(tsr_ranges *r, tsr_id loop, bool exact)
{
    uint32_t guard;
    int64_t bound;
    if (!tsr_map_find(&r->guards, loop, &guard)) return 0;
    tsr_id counted = find_bound(r, guard, false, &bound);
    if (!counted || tsr_inst_at(r->ir, counted)->op != TSR_OP_load) return 0;
    tsr_id var = tsr_arg(r->ir, tsr_inst_at(r->ir, counted), 0);
    const struct counter *c = counter_of(r, var);
    if (!c || c->other || c->loop != loop || c->step == 0) return 0;
    const tsr_inst *v = tsr_inst_at(r->ir, var);
    tsr_range first = v->nargs ? tsr_range_of(r, tsr_arg(r->ir, v, 0)) : (tsr_range){0, 0};
    if ((exact && first.low != first.high) || first.low >= bound) return 0;
    if (bound - 1 + c->step > type_range(tsr_inst_at(r->ir, counted)->type).high) return 0; /* it may wrap */
    int64_t trips = (bound - first.low + c->step - 1) / c->step;
    return trips > UINT32_MAX ? UINT32_MAX : (uint32_t)trips;
}

uint32_t tsr_range_trips(tsr_ranges *r, tsr_id loop)
{
    return find_trips(r, loop, true);
}

uint32_t tsr_range_most_trips(tsr_ranges *r, tsr_id loop)
{
    return find_trips(r, loop, false);
}
