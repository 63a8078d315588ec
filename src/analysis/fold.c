/* The values of module scope: each instruction that somebody asks for is evaluated once, after its operands, by ir/eval
 * where it computes and here where it moves parts about. An error stays with the value that had it: only who uses the
 * value reports it, so `land` and `lor` can leave their second operand alone, and what no entry point uses may fail. */
#include "analysis/fold.h"

#include "base/number.h"
#include "ir/eval.h"

#include <string.h>

/* One instruction on the way: operand `next` comes next. */
struct frame {
    tsr_id id;
    uint32_t next;
};

struct stack {
    struct frame *frames;
    uint32_t count, cap;
};

static const uint32_t false_word = 0, true_word = 1;

void tsr_fold_init(tsr_fold *f, const tsr_ir *ir, tsr_arena *arena)
{
    *f = (tsr_fold){.ir = ir, .arena = arena};
    tsr_map_init(&f->index, arena);
    tsr_pool_init(&f->values, arena, sizeof(tsr_fold_value));
    f->given = TSR_NEW_ARRAY(arena, bool, ir->overrides.count);
    f->given_word = TSR_NEW_ARRAY(arena, uint32_t, ir->overrides.count);
}

void tsr_fold_give(tsr_fold *f, uint32_t override, uint32_t word)
{
    f->given[override] = true;
    f->given_word[override] = word;
}

/* Recursion is as deep as types nest: TSR_IR_TYPE_DEPTH_MAX. */
uint32_t tsr_fold_word_count(const tsr_types *t, tsr_type type)
{
    const tsr_type_info *info = tsr_type_get(t, type);
    uint64_t n = tsr_type_width(t, type);
    if (info->depth > TSR_IR_TYPE_DEPTH_MAX) return TSR_FOLD_WORDS_MAX + 1;
    if (info->kind == TSR_T_array) n = (uint64_t)info->size.value * tsr_fold_word_count(t, info->elem);
    for (uint32_t i = 0; info->kind == TSR_T_struct && i < info->member_count && n <= TSR_FOLD_WORDS_MAX; i++)
        n += tsr_fold_word_count(t, info->members[i].type);
    return n > TSR_FOLD_WORDS_MAX ? TSR_FOLD_WORDS_MAX + 1 : (uint32_t)n;
}

static tsr_fold_value *value_of(tsr_fold *f, tsr_id id)
{
    uint32_t at;
    if (!tsr_map_find(&f->index, id, &at)) {
        at = tsr_pool_push(&f->values, 1);
        tsr_map_set(&f->index, id, at);
    }
    return tsr_pool_at(&f->values, at);
}

static void set_known(tsr_fold_value *v, tsr_type type, uint32_t word_count, const uint32_t *words)
{
    *v = (tsr_fold_value){.type = type, .state = TSR_FOLD_known, .word_count = word_count, .words = words};
}

static void set_fault(tsr_fold_value *v, tsr_type type, tsr_fold_state state, tsr_id fault, unsigned flags)
{
    *v = (tsr_fold_value){.type = type, .state = (uint8_t)state, .fault = fault, .flags = flags};
}

static const uint32_t *keep_word(tsr_fold *f, uint32_t word)
{
    if (word == 0) return &false_word;
    if (word == 1) return &true_word;
    uint32_t *w = TSR_NEW(f->arena, uint32_t);
    *w = word;
    return w;
}

/* The words of a value, made when it is all zero. */
static const uint32_t *words_of(tsr_fold *f, const tsr_fold_value *v)
{
    return v->words ? v->words : TSR_NEW_ARRAY(f->arena, uint32_t, v->word_count + 1u);
}

static const tsr_fold_value *operand(tsr_fold *f, const tsr_inst *inst, uint32_t i)
{
    return value_of(f, tsr_arg(f->ir, inst, i));
}

/* Where part `part` of a value begins and how many words it has; false when there is no such part. */
static bool find_part(const tsr_types *t, tsr_type type, uint64_t part, uint32_t *first, uint32_t *count)
{
    const tsr_type_info *info = tsr_type_get(t, type);
    if (info->kind == TSR_T_struct) {
        if (part >= info->member_count) return false;
        *first = 0;
        for (uint32_t i = 0; i < part; i++)
            *first += tsr_fold_word_count(t, info->members[i].type);
        *count = tsr_fold_word_count(t, info->members[part].type);
        return true;
    }
    uint64_t parts = info->kind == TSR_T_array ? info->size.value : info->count;
    if (part >= parts) return false;
    *count = info->kind == TSR_T_array ? tsr_fold_word_count(t, info->elem) : info->kind == TSR_T_mat ? info->rows : 1;
    *first = (uint32_t)part * *count;
    return true;
}

/* ---- Moving parts ---------------------------------------------------------------------------------------------- */

static void fold_compose(tsr_fold *f, const tsr_inst *inst, tsr_fold_value *v, uint32_t count)
{
    uint32_t *words = TSR_NEW_ARRAY(f->arena, uint32_t, count + 1u);
    uint32_t at = 0;
    for (uint32_t i = 0; i < inst->nargs; i++) {
        const tsr_fold_value *part = operand(f, inst, i);
        uint32_t n = part->word_count > count - at ? count - at : part->word_count;
        if (part->words && n) memcpy(words + at, part->words, n * sizeof *words);
        at += n;
    }
    set_known(v, inst->type, count, words);
}

static void fold_splat(tsr_fold *f, const tsr_inst *inst, tsr_fold_value *v, uint32_t count)
{
    uint32_t *words = TSR_NEW_ARRAY(f->arena, uint32_t, count + 1u);
    const uint32_t *scalar = words_of(f, operand(f, inst, 0));
    for (uint32_t i = 0; i < count; i++)
        words[i] = scalar[0];
    set_known(v, inst->type, count, words);
}

/* `extract` and `element`: part `part` of operand 0. An index out of range is an error here (WGSL, "Array Access
 * Expression"), though a running shader gets zero. */
static void fold_part(tsr_fold *f, const tsr_inst *inst, tsr_id id, uint64_t part, tsr_fold_value *v)
{
    const tsr_fold_value *whole = operand(f, inst, 0);
    uint32_t first, count;
    if (!find_part(f->ir->types, whole->type, part, &first, &count))
        set_fault(v, inst->type, TSR_FOLD_failed, id, TSR_FOLD_INDEX);
    else
        set_known(v, inst->type, count, whole->words ? whole->words + first : NULL);
}

static void fold_element(tsr_fold *f, const tsr_inst *inst, tsr_id id, tsr_fold_value *v)
{
    const tsr_fold_value *index = operand(f, inst, 1);
    fold_part(f, inst, id, words_of(f, index)[0], v); /* a negative i32 is a large word: out of range */
}

static void fold_swizzle(tsr_fold *f, const tsr_inst *inst, tsr_fold_value *v, uint32_t count)
{
    uint32_t *words = TSR_NEW_ARRAY(f->arena, uint32_t, count + 1u);
    const uint32_t *from = words_of(f, operand(f, inst, 0));
    for (uint32_t i = 0; i < count; i++)
        words[i] = from[inst->aux >> (4 * i) & 15u];
    set_known(v, inst->type, count, words);
}

static void fold_insert(tsr_fold *f, const tsr_inst *inst, tsr_id id, tsr_fold_value *v)
{
    const tsr_fold_value *whole = operand(f, inst, 0), *part = operand(f, inst, 1);
    uint32_t first, count;
    if (!find_part(f->ir->types, whole->type, inst->aux, &first, &count)) {
        set_fault(v, inst->type, TSR_FOLD_failed, id, TSR_FOLD_INDEX);
        return;
    }
    uint32_t *words = TSR_NEW_ARRAY(f->arena, uint32_t, whole->word_count + 1u);
    if (whole->words) memcpy(words, whole->words, whole->word_count * sizeof *words);
    memcpy(words + first, words_of(f, part), count * sizeof *words);
    set_known(v, inst->type, whole->word_count, words);
}

enum { EVAL_ARGS = 4 }; /* of an op that computes, at most */

/* ---- Computing ------------------------------------------------------------------------------------------------- */

static bool has_step_beyond(tsr_op op, tsr_type_kind kind, const uint32_t *const *args, uint32_t c)
{
    double v[EVAL_ARGS] = {0};
    for (uint32_t i = 0; i < EVAL_ARGS && args[i]; i++)
        v[i] = kind == TSR_T_f16 ? (double)tsr_f16_to_f32((uint16_t)args[i][c]) : (double)tsr_f32_from_bits(args[i][c]);
    return tsr_eval_step_beyond(op, kind, v);
}

/* Component by component: only for one is told what went wrong (ir/eval.h). */
static unsigned eval_each(tsr_op op, tsr_type_kind kind, tsr_eval_fn fn, uint32_t count, const uint32_t *const *args,
                          uint32_t *words)
{
    unsigned flags = 0;
    for (uint32_t c = 0; c < count; c++) {
        const void *at[EVAL_ARGS];
        for (uint32_t i = 0; i < EVAL_ARGS; i++)
            at[i] = args[i] ? args[i] + c : NULL;
        flags |= fn(1, at, words + c);
        if (flags == 0 && has_step_beyond(op, kind, args, c)) flags = TSR_EVAL_OVERFLOW;
    }
    return flags;
}

static void fold_comps(tsr_fold *f, const tsr_inst *inst, tsr_id id, tsr_fold_value *v, uint32_t count)
{
    const tsr_types *t = f->ir->types;
    const uint32_t *args[EVAL_ARGS] = {0};
    const tsr_fold_value *a = operand(f, inst, 0);
    tsr_type from = tsr_type_scalar(t, a->type), to = tsr_type_scalar(t, inst->type);
    tsr_eval_fn fn = inst->op == TSR_OP_convert ? tsr_eval_convert((tsr_type_kind)from, (tsr_type_kind)to)
                                                : tsr_eval_find((tsr_op)inst->op, (tsr_type_kind)from);
    uint32_t *words = TSR_NEW_ARRAY(f->arena, uint32_t, count + 1u);
    bool fits = fn != NULL && inst->nargs <= TSR_COUNT_OF(args);
    for (uint32_t i = 0; fits && i < inst->nargs; i++) {
        const tsr_fold_value *o = operand(f, inst, i);
        fits = o->word_count == count;
        args[i] = words_of(f, o);
    }
    unsigned flags = fits ? eval_each((tsr_op)inst->op, (tsr_type_kind)from, fn, count, args, words) : TSR_EVAL_DOMAIN;
    /* WGSL, "Floating Point Conversion": a float becomes the integer that is closest. */
    if (inst->op == TSR_OP_convert && (to == TSR_T_i32 || to == TSR_T_u32)) flags &= ~(unsigned)TSR_EVAL_OVERFLOW;
    if (flags)
        set_fault(v, inst->type, TSR_FOLD_failed, id, flags);
    else
        set_known(v, inst->type, count, words);
}

static void fold_wide(tsr_fold *f, const tsr_inst *inst, tsr_id id, tsr_fold_value *v, uint32_t count)
{
    tsr_eval_wide_fn fn = tsr_eval_find_wide((tsr_op)inst->op);
    const void *args[EVAL_ARGS] = {0};
    tsr_type types[EVAL_ARGS] = {0};
    uint32_t *words = TSR_NEW_ARRAY(f->arena, uint32_t, count + 1u);
    bool fits = fn != NULL && inst->nargs <= TSR_COUNT_OF(args);
    for (uint32_t i = 0; fits && i < inst->nargs; i++) {
        const tsr_fold_value *o = operand(f, inst, i);
        args[i] = words_of(f, o);
        types[i] = o->type;
    }
    unsigned flags = fits ? fn(f->ir->types, inst->type, types, 1, args, words) : TSR_EVAL_DOMAIN;
    if (flags)
        set_fault(v, inst->type, TSR_FOLD_failed, id, flags);
    else
        set_known(v, inst->type, count, words);
}

static void fold_override(tsr_fold *f, const tsr_inst *inst, tsr_id id, tsr_fold_value *v)
{
    const tsr_override *o = tsr_override_at(f->ir, inst->aux);
    if (f->given[inst->aux]) {
        set_known(v, inst->type, 1, keep_word(f, f->given_word[inst->aux]));
    } else if (o->initial == 0) {
        set_fault(v, inst->type, TSR_FOLD_open, id, 0);
    } else {
        *v = *value_of(f, o->initial);
    }
}

/* All operands are known. */
static void fold_op(tsr_fold *f, const tsr_inst *inst, tsr_id id, tsr_fold_value *v)
{
    uint32_t count = tsr_fold_word_count(f->ir->types, inst->type);
    if (inst->op != TSR_OP_zero && count > TSR_FOLD_WORDS_MAX) {
        set_fault(v, inst->type, TSR_FOLD_failed, id, TSR_FOLD_TOO_LARGE);
        return;
    }
    switch (inst->op) {
    case TSR_OP_const: set_known(v, inst->type, 1, keep_word(f, (uint32_t)tsr_constant_bits(f->ir, inst))); break;
    case TSR_OP_zero: set_known(v, inst->type, count, NULL); break;
    case TSR_OP_override: fold_override(f, inst, id, v); break;
    case TSR_OP_compose: fold_compose(f, inst, v, count); break;
    case TSR_OP_splat: fold_splat(f, inst, v, count); break;
    case TSR_OP_extract: fold_part(f, inst, id, inst->aux, v); break;
    case TSR_OP_element: fold_element(f, inst, id, v); break;
    case TSR_OP_swizzle: fold_swizzle(f, inst, v, count); break;
    case TSR_OP_insert: fold_insert(f, inst, id, v); break;
    case TSR_OP_land:
    case TSR_OP_lor: *v = *operand(f, inst, 1); break; /* decided by operand 0: see is_decided */
    default:
        if (tsr_op_table[inst->op].flags & TSR_OPF_COMPS)
            fold_comps(f, inst, id, v, count);
        else
            fold_wide(f, inst, id, v, count);
        break;
    }
}

/* ---- Order ----------------------------------------------------------------------------------------------------- */

static void push_frame(tsr_fold *f, struct stack *s, tsr_id id)
{
    if (s->count == s->cap) {
        uint32_t cap = s->cap ? s->cap * 2 : 32;
        struct frame *frames = TSR_NEW_ARRAY(f->arena, struct frame, cap);
        if (s->count) memcpy(frames, s->frames, s->count * sizeof *frames);
        s->frames = frames;
        s->cap = cap;
    }
    s->frames[s->count++] = (struct frame){.id = id};
    value_of(f, id)->state = TSR_FOLD_running;
}

/* What an instruction waits for as number i: its operands; an override without a value waits for its default. */
static bool find_need(const tsr_fold *f, const tsr_inst *inst, uint32_t i, tsr_id *need)
{
    if (inst->op == TSR_OP_override) {
        *need = f->given[inst->aux] ? 0 : tsr_override_at(f->ir, inst->aux)->initial;
        return i == 0 && *need != 0;
    }
    if (i >= inst->nargs) return false;
    *need = tsr_arg(f->ir, inst, i);
    return true;
}

/* `land` with a false and `lor` with a true first operand are that operand, whatever the second one is. */
static bool is_decided(tsr_fold *f, const tsr_inst *inst, uint32_t done)
{
    if (done != 1 || (inst->op != TSR_OP_land && inst->op != TSR_OP_lor)) return false;
    return words_of(f, operand(f, inst, 0))[0] == (inst->op == TSR_OP_lor);
}

/* Advances the topmost instruction by one step: waits for an operand, takes over its fault, or is computed. */
static void step(tsr_fold *f, struct stack *s)
{
    struct frame *top = &s->frames[s->count - 1];
    tsr_id id = top->id, need;
    const tsr_inst *inst = tsr_inst_at(f->ir, id);
    if (top->next > 0) { /* operand next - 1 has just been looked at: it is known, or ends this one */
        find_need(f, inst, top->next - 1, &need);
        const tsr_fold_value *v = value_of(f, need);
        if (v->state == TSR_FOLD_running) {
            set_fault(value_of(f, id), inst->type, TSR_FOLD_cycle, need, 0);
            s->count--;
            return;
        }
        if (v->state != TSR_FOLD_known) {
            set_fault(value_of(f, id), inst->type, (tsr_fold_state)v->state, v->fault, v->flags);
            s->count--;
            return;
        }
        if (is_decided(f, inst, top->next)) {
            *value_of(f, id) = *v;
            s->count--;
            return;
        }
    }
    if (find_need(f, inst, top->next, &need)) {
        top->next++;
        if (value_of(f, need)->state == TSR_FOLD_new) push_frame(f, s, need);
        return;
    }
    tsr_fold_value v = {0};
    fold_op(f, inst, id, &v);
    *value_of(f, id) = v;
    s->count--;
}

const tsr_fold_value *tsr_fold_get(tsr_fold *f, tsr_id id)
{
    struct stack s = {0};
    if (value_of(f, id)->state == TSR_FOLD_new) push_frame(f, &s, id);
    while (s.count > 0)
        step(f, &s);
    return value_of(f, id);
}

bool tsr_fold_size(tsr_fold *f, tsr_size size, uint32_t *out)
{
    if (size.over == 0) {
        *out = size.value;
        return size.value != 0;
    }
    const tsr_fold_value *v = tsr_fold_get(f, size.over);
    if (v->state != TSR_FOLD_known || v->word_count != 1) return false;
    *out = words_of(f, v)[0];
    return *out != 0 && (v->type != TSR_T_i32 || *out <= INT32_MAX);
}
