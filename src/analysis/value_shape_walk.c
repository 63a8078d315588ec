/* The walk of value_shape: over all functions again and again until nothing changes. Shapes only get worse and flags
 * only get set, so it ends. */
#include "analysis/value_shape.h"

#include "analysis/value_shape_inside.h"

/* Rounds after which bounds that still grow are given up: loop counters would count up one by one. */
#define PATIENT_ROUNDS 3u

typedef struct walk {
    tsr_value_shapes *s;
    const tsr_ir *ir;
    bool changed;
    uint32_t round;
    uint32_t function;       /* being walked */
    tsr_shape_list *results; /* by function */
    bool *in_continuing;     /* by instruction: stands in its parent's continuing block */
    tsr_pool loads;          /* of struct access: every load of a variable */
    tsr_pool stores;
} walk;

typedef struct access {
    tsr_id inst, var;
} access;

static const tsr_inst *inst_at(const walk *k, tsr_id id)
{
    return tsr_inst_at(k->ir, id);
}

static tsr_type_kind kind_of(const walk *k, tsr_type t)
{
    return tsr_type_kind_of(k->ir->types, t);
}

/* ---- Words of types. */

static uint64_t words_of(const tsr_value_shapes *s, const tsr_types *types, tsr_type type)
{
    const tsr_type_info *t = tsr_type_get(types, type);
    uint64_t sum = 0;
    switch (t->kind) {
    case TSR_T_bool:
    case TSR_T_i32:
    case TSR_T_u32:
    case TSR_T_f32:
    case TSR_T_f16:
    case TSR_T_atomic: return 1;
    case TSR_T_vec: return t->count;
    case TSR_T_mat: return (uint64_t)t->count * t->rows;
    case TSR_T_array:
        if (t->size.value == 0 || s->type_words[t->elem] == TSR_WORDLESS) return TSR_WORDLESS;
        return s->type_words[t->elem] * t->size.value;
    case TSR_T_struct:
        for (uint32_t i = 0; i < t->member_count; i++) {
            uint64_t part = s->type_words[t->members[i].type];
            if (part == TSR_WORDLESS) return TSR_WORDLESS;
            sum += part;
        }
        return sum;
    default: return TSR_WORDLESS;
    }
}

uint64_t tsr_shape_type_words(const tsr_value_shapes *s, tsr_type t)
{
    return s->type_words[t];
}

uint32_t tsr_shape_words_before(const tsr_value_shapes *s, tsr_type type, uint32_t number)
{
    const tsr_type_info *t = tsr_type_get(s->program->ir->types, type);
    uint64_t sum = 0;
    if (t->kind == TSR_T_vec) return number;
    if (t->kind == TSR_T_mat) return number * t->rows;
    if (t->kind == TSR_T_array) return (uint32_t)(number * s->type_words[t->elem]);
    for (uint32_t i = 0; i < number && i < t->member_count; i++)
        sum += s->type_words[t->members[i].type];
    return (uint32_t)sum;
}

tsr_vshape tsr_shape_at(const tsr_value_shapes *s, tsr_id id, uint32_t w)
{
    const tsr_shape_list *l = &s->value[id];
    if (l->count == 0) return (tsr_vshape){0};
    return l->words[l->count == 1 ? 0 : w];
}

/* ---- Setting shapes. */

static void make_list(const walk *k, tsr_shape_list *l, tsr_type type)
{
    uint64_t words = k->s->type_words[type];
    if (l->count != 0) return;
    l->count = words == TSR_WORDLESS || words > TSR_SHAPE_WORDS || words == 0 ? 1 : (uint32_t)words;
    l->words = TSR_NEW_ARRAY(k->s->arena, tsr_vshape, l->count);
}

static bool same_shape(tsr_vshape a, tsr_vshape b)
{
    return a.known == b.known && a.run == b.run && a.tz == b.tz && a.stride == b.stride && a.max == b.max;
}

static void widen(walk *k, tsr_vshape *to, tsr_vshape x)
{
    if (!x.known) return;
    tsr_vshape sum = tsr_shape_join(k->s, *to, x);
    if (to->known && sum.max != to->max && k->round > PATIENT_ROUNDS) sum.max = UINT32_MAX;
    if (same_shape(sum, *to)) return;
    *to = sum;
    k->changed = true;
}

/* Word w of a list, which has none for values with matrices in them. */
static void widen_word(walk *k, tsr_shape_list *l, uint32_t w, tsr_vshape x)
{
    if (l->count == 0) return;
    widen(k, &l->words[l->count == 1 ? 0 : w], x);
}

static void set_flag(walk *k, bool *flag)
{
    if (*flag) return;
    *flag = true;
    k->changed = true;
}

static uint32_t words_at(const walk *k, tsr_id id)
{
    uint64_t words = k->s->type_words[inst_at(k, id)->type];
    return words == TSR_WORDLESS ? 1 : words > UINT32_MAX ? UINT32_MAX : (uint32_t)words;
}

/* The words of `id` are those of `from`, beginning with its word `first`. */
static void copy_words(walk *k, tsr_shape_list *to, uint32_t at, tsr_id from, uint32_t first, uint32_t count)
{
    if (to->count == 1 || k->s->value[from].count == 1) {
        if (to->count == 1)
            for (uint32_t i = 0; i < (k->s->value[from].count == 1 ? 1 : count); i++)
                widen_word(k, to, 0, tsr_shape_at(k->s, from, first + i));
        else
            for (uint32_t i = 0; i < count && at + i < to->count; i++)
                widen_word(k, to, at + i, tsr_shape_at(k->s, from, 0));
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        widen_word(k, to, at + i, tsr_shape_at(k->s, from, first + i));
}

static void set_all(walk *k, tsr_id id, tsr_vshape x)
{
    for (uint32_t i = 0; i < k->s->value[id].count; i++)
        widen(k, &k->s->value[id].words[i], x);
}

/* ---- Pointers. */

static bool is_variable(const walk *k, tsr_id id)
{
    const tsr_inst *inst = inst_at(k, id);
    if (inst->op == TSR_OP_var) return true;
    return inst->op == TSR_OP_global && tsr_type_get(k->ir->types, inst->type)->space == TSR_SPACE_private;
}

/* The variable that a pointer leads into, 0 when it is none or comes through a parameter; *word is where, when known.
 */
static tsr_id find_variable(const walk *k, tsr_id ptr, uint32_t *word, bool *exact)
{
    uint64_t at = 0;
    *exact = true;
    for (;;) {
        const tsr_inst *inst = inst_at(k, ptr);
        if (is_variable(k, ptr)) break;
        if (inst->op != TSR_OP_field && inst->op != TSR_OP_index) return 0;
        tsr_id base = tsr_arg(k->ir, inst, 0);
        tsr_type pointee = tsr_type_get(k->ir->types, inst_at(k, base)->type)->elem;
        if (inst->op == TSR_OP_field) {
            at += tsr_shape_words_before(k->s, pointee, inst->aux);
        } else {
            const tsr_inst *number = inst_at(k, tsr_arg(k->ir, inst, 1));
            if (number->op != TSR_OP_const)
                *exact = false;
            else
                at += tsr_shape_words_before(k->s, pointee, (uint32_t)tsr_constant_bits(k->ir, number));
        }
        ptr = base;
    }
    *word = at > UINT32_MAX ? 0 : (uint32_t)at;
    return ptr;
}

/* What a function stores through a pointer is not followed. */
static void note_escape(walk *k, tsr_id ptr)
{
    uint32_t word;
    bool exact;
    tsr_id var = find_variable(k, ptr, &word, &exact);
    if (!var) return;
    k->s->memory[var] = true;
    set_all(k, var, tsr_shape_any(k->s));
}

/* ---- Masked control flow. */

/* Something between an instruction and the construct `outer` (0: its function) splits the subgroup. */
static bool is_split(const walk *k, tsr_id id, tsr_id outer)
{
    for (tsr_id c = k->s->parent[id]; c != outer && c != 0; c = k->s->parent[c])
        if (k->s->masked[c]) return true;
    return false;
}

static tsr_id find_target(const walk *k, tsr_id id)
{
    const tsr_inst *inst = inst_at(k, id);
    tsr_id c = k->s->parent[id];
    while (c != 0) {
        uint16_t op = inst_at(k, c)->op;
        if (op == TSR_OP_loop || (op == TSR_OP_switch && inst->op == TSR_OP_break)) return c;
        c = k->s->parent[c];
    }
    return 0;
}

/* A leave that only some of the lanes take. */
static void mark_leave(walk *k, tsr_id id, tsr_id target)
{
    const tsr_value_shapes *s = k->s;
    set_flag(k, &s->masked[id]);
    for (tsr_id c = s->parent[id]; c != target && c != 0; c = s->parent[c]) {
        set_flag(k, &s->leaves[c]);
        if (inst_at(k, c)->op == TSR_OP_loop) set_flag(k, &s->masked[c]);
    }
    if (target == 0) {
        set_flag(k, &s->masked_return[k->function]);
        return;
    }
    set_flag(k, &s->masked[target]);
    if (inst_at(k, id)->op == TSR_OP_continue) set_flag(k, &s->masked_continue[target]);
}

static void visit_leave(walk *k, tsr_id id)
{
    const tsr_inst *inst = inst_at(k, id);
    tsr_id target = inst->op == TSR_OP_return ? 0 : find_target(k, id);
    bool split = is_split(k, id, target) || (target && k->s->masked[target]);
    if (inst->op == TSR_OP_break_if && !tsr_shape_is_uniform(k->s, tsr_shape_at(k->s, tsr_arg(k->ir, inst, 0), 0)) &&
        tsr_shape_at(k->s, tsr_arg(k->ir, inst, 0), 0).known)
        split = true;
    if (split) mark_leave(k, id, target);
}

static void visit_condition(walk *k, tsr_id id, tsr_id cond)
{
    tsr_vshape x = tsr_shape_at(k->s, cond, 0);
    if (x.known && !tsr_shape_is_uniform(k->s, x)) set_flag(k, &k->s->masked[id]);
}

/* ---- Variables. */

static bool stands_inside(const walk *k, tsr_id id, tsr_id outer)
{
    for (tsr_id c = k->s->parent[id]; c != 0; c = k->s->parent[c])
        if (c == outer) return true;
    return false;
}

static tsr_id find_loop(const walk *k, tsr_id id)
{
    tsr_id c = k->s->parent[id];
    while (c != 0 && inst_at(k, c)->op != TSR_OP_loop)
        c = k->s->parent[c];
    return c;
}

/* A masked loop keeps what all lanes that are still in it have stored alike, when nobody loads it elsewhere: the lanes
 * that left are not asked. The loop is entered once in the variable's life. */
static bool loop_keeps(const walk *k, tsr_id loop, tsr_id store, tsr_id var)
{
    if (find_loop(k, loop) != find_loop(k, var)) return false;
    if (k->s->masked_continue[loop]) {
        tsr_id c = store; /* the part of the loop that the store stands in: only its continuing block has all lanes */
        while (k->s->parent[c] != loop)
            c = k->s->parent[c];
        if (!k->in_continuing[c]) return false;
    }
    for (uint32_t i = 1; i < k->loads.count; i++) {
        const access *a = tsr_pool_at(&k->loads, i);
        if (a->var == var && !stands_inside(k, a->inst, loop)) return false;
    }
    for (uint32_t i = 1; i < k->stores.count; i++) {
        const access *a = tsr_pool_at(&k->stores, i);
        if (a->var == var && !stands_inside(k, a->inst, loop) && k->s->parent[a->inst] != k->s->parent[var])
            return false;
    }
    return true;
}

/* Some lanes for which the variable lives do not take part in the store. */
static bool store_is_masked(const walk *k, tsr_id store, tsr_id var)
{
    const tsr_value_shapes *s = k->s;
    if (inst_at(k, var)->op == TSR_OP_global) {
        if (s->masked_call[k->function] || s->masked_return[k->function]) return true;
        return is_split(k, store, 0);
    }
    tsr_id home = s->parent[var];
    for (tsr_id c = s->parent[store]; c != home; c = s->parent[c])
        if (s->masked[c] && !(inst_at(k, c)->op == TSR_OP_loop && loop_keeps(k, c, store, var))) return true;
    /* Lanes that continue come back in the continuing block. */
    return home && s->masked_continue[home] && !k->in_continuing[var];
}

static void store_words(walk *k, tsr_id store, tsr_id ptr, tsr_id value, tsr_type type)
{
    uint32_t word;
    bool exact;
    tsr_id var = find_variable(k, ptr, &word, &exact);
    if (!var) return;
    tsr_shape_list *l = &k->s->value[var];
    uint64_t words = k->s->type_words[type];
    uint32_t count = words > TSR_SHAPE_WORDS ? 1 : (uint32_t)words;
    if (exact && !store_is_masked(k, store, var)) {
        copy_words(k, l, word, value, 0, count);
        return;
    }
    /* Through an index every part may be meant. */
    bool any = store_is_masked(k, store, var) || !k->s->uniform_ptr[ptr];
    for (uint32_t w = 0; w < l->count; w++) {
        if (exact && l->count > 1 && (w < word || w >= word + count)) continue;
        for (uint32_t i = 0; i < k->s->value[value].count; i++)
            widen(k, &l->words[w], any ? tsr_shape_any(k->s) : k->s->value[value].words[i]);
    }
}

static void visit_var(walk *k, tsr_id id)
{
    const tsr_inst *inst = inst_at(k, id);
    tsr_type type = tsr_type_get(k->ir->types, inst->type)->elem;
    if (k->s->type_words[type] == TSR_WORDLESS) return;
    if (inst->nargs)
        copy_words(k, &k->s->value[id], 0, tsr_arg(k->ir, inst, 0), 0,
                   k->s->type_words[type] > TSR_SHAPE_WORDS ? 1 : (uint32_t)k->s->type_words[type]);
    else
        set_all(k, id, tsr_shape_const(k->s, 0));
}

static void visit_load(walk *k, tsr_id id)
{
    tsr_id ptr = tsr_arg(k->ir, inst_at(k, id), 0);
    if (k->s->type_words[inst_at(k, id)->type] == TSR_WORDLESS) return;
    const tsr_type_info *t = tsr_type_get(k->ir->types, inst_at(k, ptr)->type);
    if (t->space == TSR_SPACE_function || t->space == TSR_SPACE_private) {
        uint32_t word;
        bool exact;
        tsr_id var = find_variable(k, ptr, &word, &exact);
        if (!var || (!exact && !k->s->uniform_ptr[ptr]))
            set_all(k, id, tsr_shape_any(k->s));
        else if (!exact)
            for (uint32_t w = 0; w < k->s->value[var].count; w++)
                set_all(k, id, k->s->value[var].words[w]);
        else
            copy_words(k, &k->s->value[id], 0, var, word, words_at(k, id));
        return;
    }
    set_all(k, id, k->s->uniform_ptr[ptr] ? tsr_shape_same(k->s) : tsr_shape_any(k->s));
}

/* ---- Calls. */

static void visit_call(walk *k, tsr_id id)
{
    const tsr_inst *inst = inst_at(k, id);
    tsr_value_shapes *s = k->s;
    const tsr_function *f = tsr_function_at(k->ir, inst->aux);
    if (is_split(k, id, 0) || s->masked_call[k->function] || s->masked_return[k->function])
        set_flag(k, &s->masked_call[inst->aux]);
    for (uint32_t i = 0; i < f->param_count; i++) {
        tsr_id arg = tsr_arg(k->ir, inst, i), param = f->params[i].value;
        if (kind_of(k, f->params[i].type) == TSR_T_ptr) {
            note_escape(k, arg);
            if (!s->uniform_ptr[arg] && s->uniform_ptr[param]) {
                s->uniform_ptr[param] = false;
                k->changed = true;
            }
        } else {
            copy_words(k, &s->value[param], 0, arg, 0, words_at(k, arg));
        }
    }
    if (!f->result || s->type_words[f->result] == TSR_WORDLESS) return;
    tsr_shape_list *from = &k->results[inst->aux], *to = &s->value[id];
    for (uint32_t i = 0; i < to->count; i++)
        widen(k, &to->words[i], from->words[i]);
}

static void visit_return(walk *k, tsr_id id)
{
    const tsr_inst *inst = inst_at(k, id);
    visit_leave(k, id);
    if (!inst->nargs) return;
    tsr_id value = tsr_arg(k->ir, inst, 0);
    tsr_shape_list *l = &k->results[k->function];
    if (k->s->type_words[inst_at(k, value)->type] == TSR_WORDLESS) return;
    if (k->s->masked_return[k->function])
        for (uint32_t i = 0; i < l->count; i++)
            widen(k, &l->words[i], tsr_shape_any(k->s));
    copy_words(k, l, 0, value, 0, words_at(k, value));
}

/* ---- Everything else. */

static void visit_comps(walk *k, tsr_id id)
{
    const tsr_inst *inst = inst_at(k, id);
    uint32_t words = words_at(k, id);
    for (uint32_t w = 0; w < words; w++) {
        tsr_vshape a[4];
        for (uint32_t i = 0; i < inst->nargs && i < 4; i++) {
            tsr_id arg = tsr_arg(k->ir, inst, i);
            a[i] = tsr_shape_at(k->s, arg, words_at(k, arg) == words ? w : 0);
        }
        widen_word(k, &k->s->value[id], w, tsr_shape_comps_word(k->s, id, w, a, inst->nargs));
    }
}

/* Every word follows from every word of every operand. */
static void visit_mixing(walk *k, tsr_id id)
{
    const tsr_inst *inst = inst_at(k, id);
    tsr_vshape sum = tsr_shape_same(k->s);
    for (uint32_t i = 0; i < inst->nargs; i++) {
        const tsr_shape_list *l = &k->s->value[tsr_arg(k->ir, inst, i)];
        for (uint32_t w = 0; w < l->count; w++) {
            if (!l->words[w].known) return;
            if (!tsr_shape_is_uniform(k->s, l->words[w])) sum = tsr_shape_any(k->s);
        }
    }
    set_all(k, id, sum);
}

static void visit_parts(walk *k, tsr_id id)
{
    const tsr_inst *inst = inst_at(k, id);
    tsr_shape_list *to = &k->s->value[id];
    tsr_id a = tsr_arg(k->ir, inst, 0);
    uint32_t at = 0;
    switch (inst->op) {
    case TSR_OP_splat:
        for (uint32_t w = 0; w < to->count; w++)
            widen(k, &to->words[w], tsr_shape_at(k->s, a, 0));
        return;
    case TSR_OP_compose:
        for (uint32_t i = 0; i < inst->nargs; i++) {
            tsr_id part = tsr_arg(k->ir, inst, i);
            copy_words(k, to, at, part, 0, words_at(k, part));
            at += words_at(k, part);
        }
        return;
    case TSR_OP_extract:
        copy_words(k, to, 0, a, tsr_shape_words_before(k->s, inst_at(k, a)->type, inst->aux), words_at(k, id));
        return;
    case TSR_OP_swizzle:
        for (uint32_t w = 0; w < to->count; w++)
            widen(k, &to->words[w], tsr_shape_at(k->s, a, inst->aux >> (4 * w) & 15u));
        return;
    default: { /* insert */
        tsr_id b = tsr_arg(k->ir, inst, 1);
        uint32_t from = tsr_shape_words_before(k->s, inst->type, inst->aux), count = words_at(k, b);
        if (to->count == 1) {
            copy_words(k, to, 0, a, 0, words_at(k, a));
            copy_words(k, to, 0, b, 0, count);
            return;
        }
        for (uint32_t w = 0; w < to->count; w++)
            widen(k, &to->words[w],
                  w >= from && w < from + count ? tsr_shape_at(k->s, b, w - from) : tsr_shape_at(k->s, a, w));
    }
    }
}

static void visit_pointer(walk *k, tsr_id id)
{
    const tsr_inst *inst = inst_at(k, id);
    bool uniform = k->s->uniform_ptr[tsr_arg(k->ir, inst, 0)];
    if (inst->op == TSR_OP_index) {
        tsr_vshape x = tsr_shape_at(k->s, tsr_arg(k->ir, inst, 1), 0);
        if (x.known && !tsr_shape_is_uniform(k->s, x)) uniform = false;
        if (inst_at(k, tsr_arg(k->ir, inst, 1))->op != TSR_OP_const) {
            uint32_t word;
            bool exact;
            tsr_id var = find_variable(k, id, &word, &exact);
            if (var) k->s->memory[var] = true;
        }
    }
    if (uniform || !k->s->uniform_ptr[id]) return;
    k->s->uniform_ptr[id] = false;
    k->changed = true;
}

static void visit_subgroup(walk *k, tsr_id id)
{
    switch (inst_at(k, id)->op) {
    case TSR_OP_sg_all:
    case TSR_OP_sg_any:
    case TSR_OP_sg_ballot:
    case TSR_OP_sg_add:
    case TSR_OP_sg_mul:
    case TSR_OP_sg_min:
    case TSR_OP_sg_max:
    case TSR_OP_sg_and:
    case TSR_OP_sg_or:
    case TSR_OP_sg_xor:
    case TSR_OP_sg_broadcast_first:
    case TSR_OP_sg_broadcast: set_all(k, id, tsr_shape_same(k->s)); break;
    default: set_all(k, id, tsr_shape_any(k->s)); break;
    }
}

static void visit_block(walk *k, tsr_block block);

static void visit_switch(walk *k, tsr_id id)
{
    const tsr_inst *inst = inst_at(k, id);
    const tsr_switch *sw = tsr_switch_at(k->ir, inst->aux);
    visit_condition(k, id, tsr_arg(k->ir, inst, 0));
    for (uint32_t i = 0; i < sw->case_count; i++)
        visit_block(k, sw->cases[i].block);
}

static void visit_inst(walk *k, tsr_id id)
{
    const tsr_inst *inst = inst_at(k, id);
    uint16_t flags = tsr_op_table[inst->op].flags;
    switch (inst->op) {
    case TSR_OP_const:
        widen(k, &k->s->value[id].words[0], tsr_shape_const(k->s, (uint32_t)tsr_constant_bits(k->ir, inst)));
        return;
    case TSR_OP_zero: set_all(k, id, tsr_shape_const(k->s, 0)); return;
    case TSR_OP_if:
        visit_condition(k, id, tsr_arg(k->ir, inst, 0));
        for (uint32_t i = 0; i < 2; i++)
            if (tsr_inst_block(k->ir, inst, i)) visit_block(k, tsr_inst_block(k->ir, inst, i));
        return;
    case TSR_OP_loop:
        for (uint32_t i = 0; i < 2; i++)
            if (tsr_inst_block(k->ir, inst, i)) visit_block(k, tsr_inst_block(k->ir, inst, i));
        return;
    case TSR_OP_switch: visit_switch(k, id); return;
    case TSR_OP_break:
    case TSR_OP_continue:
    case TSR_OP_break_if: visit_leave(k, id); return;
    case TSR_OP_return: visit_return(k, id); return;
    case TSR_OP_call: visit_call(k, id); return;
    case TSR_OP_var: visit_var(k, id); return;
    case TSR_OP_field:
    case TSR_OP_index: visit_pointer(k, id); return;
    case TSR_OP_load: visit_load(k, id); return;
    case TSR_OP_store:
        if (k->s->type_words[inst_at(k, tsr_arg(k->ir, inst, 1))->type] == TSR_WORDLESS) return;
        store_words(k, id, tsr_arg(k->ir, inst, 0), tsr_arg(k->ir, inst, 1), inst_at(k, tsr_arg(k->ir, inst, 1))->type);
        return;
    case TSR_OP_load_uniform:
    case TSR_OP_array_length: set_all(k, id, tsr_shape_same(k->s)); return;
    case TSR_OP_atomic_load:
        set_all(k, id, k->s->uniform_ptr[tsr_arg(k->ir, inst, 0)] ? tsr_shape_same(k->s) : tsr_shape_any(k->s));
        return;
    case TSR_OP_splat:
    case TSR_OP_compose:
    case TSR_OP_extract:
    case TSR_OP_swizzle:
    case TSR_OP_insert:
        if (k->s->type_words[inst->type] != TSR_WORDLESS) visit_parts(k, id);
        return;
    default: break;
    }
    if (inst->type == TSR_T_void || k->s->value[id].count == 0) return;
    if (flags & TSR_OPF_COMPS)
        visit_comps(k, id);
    else if (flags & (TSR_OPF_SG | TSR_OPF_QUAD))
        visit_subgroup(k, id);
    else if (flags & TSR_OPF_ATOMIC)
        set_all(k, id, tsr_shape_any(k->s));
    else if (flags & TSR_OPF_SG_UNI)
        set_all(k, id, tsr_shape_same(k->s));
    else
        visit_mixing(k, id);
}

static void visit_block(walk *k, tsr_block block)
{
    const tsr_block_info *info = tsr_block_at(k->ir, block);
    for (uint32_t i = 0; i < info->count; i++)
        visit_inst(k, info->insts[i]);
}

/* ---- What is known beforehand. */

static void prepare_block(walk *k, tsr_block block, tsr_id parent, bool continuing);

/* Helper functions are often given the sizes of tiles, which their divisions should see. */
static void prepare_call(walk *k, const tsr_inst *call)
{
    const tsr_function *f = tsr_function_at(k->ir, call->aux);
    for (uint32_t i = 0; i < f->param_count; i++) {
        tsr_id arg = tsr_arg(k->ir, call, i), *known = &k->s->param_arg[f->params[i].value];
        uint16_t op = inst_at(k, arg)->op;
        if (op != TSR_OP_const && op != TSR_OP_param) *known = TSR_ARGS_DIFFER;
        if (*known == 0) *known = arg;
        if (*known == arg || *known == TSR_ARGS_DIFFER) continue;
        const tsr_inst *a = inst_at(k, arg), *b = inst_at(k, *known);
        bool same = a->op == TSR_OP_const && b->op == TSR_OP_const &&
                    tsr_constant_bits(k->ir, a) == tsr_constant_bits(k->ir, b);
        if (!same) *known = TSR_ARGS_DIFFER;
    }
}

static void prepare_inst(walk *k, tsr_id id)
{
    const tsr_inst *inst = inst_at(k, id);
    tsr_type type = inst->type;
    if (inst->op == TSR_OP_call) prepare_call(k, inst);
    k->s->uniform_ptr[id] = true;
    if (is_variable(k, id)) type = tsr_type_get(k->ir->types, type)->elem;
    if (type != TSR_T_void && kind_of(k, type) != TSR_T_ptr && k->s->type_words[type] != TSR_WORDLESS)
        make_list(k, &k->s->value[id], type);
    if (inst->op == TSR_OP_load || inst->op == TSR_OP_store) {
        uint32_t word;
        bool exact;
        tsr_id var = find_variable(k, tsr_arg(k->ir, inst, 0), &word, &exact);
        tsr_pool *pool = inst->op == TSR_OP_load ? &k->loads : &k->stores;
        if (var) *(access *)tsr_pool_at(pool, tsr_pool_push(pool, 1)) = (access){id, var};
    }
    if (inst->op == TSR_OP_if || inst->op == TSR_OP_loop)
        for (uint32_t i = 0; i < 2; i++)
            if (tsr_inst_block(k->ir, inst, i))
                prepare_block(k, tsr_inst_block(k->ir, inst, i), id, inst->op == TSR_OP_loop && i == 1);
    if (inst->op != TSR_OP_switch) return;
    const tsr_switch *sw = tsr_switch_at(k->ir, inst->aux);
    for (uint32_t i = 0; i < sw->case_count; i++)
        prepare_block(k, sw->cases[i].block, id, false);
}

static void prepare_block(walk *k, tsr_block block, tsr_id parent, bool continuing)
{
    const tsr_block_info *info = tsr_block_at(k->ir, block);
    for (uint32_t i = 0; i < info->count; i++) {
        k->s->parent[info->insts[i]] = parent;
        k->s->block_of[info->insts[i]] = block;
        k->in_continuing[info->insts[i]] = continuing;
        prepare_inst(k, info->insts[i]);
    }
}

static void prepare_function(void *user, uint32_t f)
{
    walk *k = user;
    const tsr_function *fn = tsr_function_at(k->ir, f);
    for (uint32_t i = 0; i < fn->param_count; i++)
        prepare_inst(k, fn->params[i].value);
    if (fn->result) make_list(k, &k->results[f], fn->result);
    prepare_block(k, fn->body, 0, false);
}

static void shape_entry_params(walk *k)
{
    const tsr_function *f = tsr_function_at(k->ir, k->s->program->entry);
    for (uint32_t i = 0; i < f->param_count; i++) {
        const tsr_type_info *t = tsr_type_get(k->ir->types, f->params[i].type);
        tsr_shape_list *l = &k->s->value[f->params[i].value];
        if (t->kind != TSR_T_struct) {
            for (uint32_t w = 0; w < l->count; w++)
                widen(k, &l->words[w], tsr_shape_builtin(k->s, f->params[i].io.builtin, w));
            continue;
        }
        uint32_t at = 0;
        for (uint32_t m = 0; m < t->member_count; m++)
            for (uint32_t w = 0; w < (uint32_t)k->s->type_words[t->members[m].type]; w++)
                widen_word(k, l, at++, tsr_shape_builtin(k->s, t->members[m].io.builtin, w));
    }
}

static void walk_function(void *user, uint32_t f)
{
    walk *k = user;
    k->function = f;
    visit_block(k, tsr_function_at(k->ir, f)->body);
}

static void make_tables(walk *k, tsr_value_shapes *s, tsr_arena *arena)
{
    uint32_t insts = k->ir->insts.count, functions = k->ir->functions.count, types = k->ir->types->info.count;
    s->value = TSR_NEW_ARRAY(arena, tsr_shape_list, insts);
    s->memory = TSR_NEW_ARRAY(arena, bool, insts);
    s->uniform_ptr = TSR_NEW_ARRAY(arena, bool, insts);
    s->masked = TSR_NEW_ARRAY(arena, bool, insts);
    s->leaves = TSR_NEW_ARRAY(arena, bool, insts);
    s->masked_continue = TSR_NEW_ARRAY(arena, bool, insts);
    s->parent = TSR_NEW_ARRAY(arena, tsr_id, insts);
    s->block_of = TSR_NEW_ARRAY(arena, tsr_block, insts);
    s->param_arg = TSR_NEW_ARRAY(arena, tsr_id, insts);
    s->masked_return = TSR_NEW_ARRAY(arena, bool, functions);
    s->masked_call = TSR_NEW_ARRAY(arena, bool, functions);
    s->type_words = TSR_NEW_ARRAY(arena, uint64_t, types);
    for (tsr_type t = 0; t < types; t++)
        s->type_words[t] = words_of(s, k->ir->types, t);
    k->results = TSR_NEW_ARRAY(arena, tsr_shape_list, functions);
    k->in_continuing = TSR_NEW_ARRAY(arena, bool, insts);
    tsr_pool_init(&k->loads, arena, sizeof(access));
    tsr_pool_init(&k->stores, arena, sizeof(access));
}

void tsr_value_shapes_find(tsr_value_shapes *s, const tsr_program *p, uint32_t subgroup_size, tsr_arena *arena)
{
    walk k = {.s = s, .ir = p->ir};
    *s = (tsr_value_shapes){.program = p, .arena = arena, .subgroup_size = subgroup_size};
    while (1u << s->full < subgroup_size)
        s->full++;
    make_tables(&k, s, arena);
    prepare_block(&k, p->ir->module_block, 0, false);
    tsr_function_walk(p->ir, p->entry, prepare_function, &k);
    shape_entry_params(&k);
    do {
        k.changed = false;
        k.round++;
        visit_block(&k, p->ir->module_block);
        tsr_function_walk(p->ir, p->entry, walk_function, &k);
    } while (k.changed);
}
