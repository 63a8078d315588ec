/* Places: where a pointer leads, variables and what they lie in, and the tests of indices. An index out of range makes
 * loads zero and stores nothing; how often that happens is counted. */
#include "emit/llvm_inside.h"

#include "emit/llvm_block.h"

#include <stdio.h>
#include <string.h>

/* A variable of more scalars than this lies in memory in any case. */
#define SLOTS_MAX   64u
#define LEAVES_MAX  4096u
#define GROUP_ALIGN 64u
/* Runs in a subgroup up to which each is tested by its first lane. */
#define RUNS_FEW    8u

/* ---- Scalars of a value in memory. */

static void add_leaf(tsr_ll *e, tsr_ll_leaves *l, uint32_t byte, tsr_type scalar)
{
    if (l->count >= LEAVES_MAX) {
        tsr_ll_fail(e, "a value of more than %u scalars", LEAVES_MAX);
        return;
    }
    uint8_t type = tsr_ll_scalar_type(e, scalar);
    l->list[l->count++] = (tsr_ll_leaf){byte, type, type == LL_H ? 2 : 4};
}

static void add_leaves(tsr_ll *e, tsr_ll_leaves *l, uint32_t byte, tsr_type type)
{
    const tsr_type_info *t = tsr_type_get(e->types, type);
    switch (t->kind) {
    case TSR_T_vec:
        for (uint32_t i = 0; i < t->count; i++)
            add_leaf(e, l, byte + i * (uint32_t)tsr_type_get(e->types, t->elem)->size_bytes, t->elem);
        break;
    case TSR_T_mat:
        for (uint32_t c = 0; c < t->count; c++)
            for (uint32_t r = 0; r < t->rows; r++)
                add_leaf(e, l, byte + c * t->stride + r * (uint32_t)tsr_type_get(e->types, t->elem)->size_bytes,
                         t->elem);
        break;
    case TSR_T_array:
        for (uint32_t i = 0; i < t->size.value && !e->failed; i++)
            add_leaves(e, l, byte + i * t->stride, t->elem);
        break;
    case TSR_T_struct:
        for (uint32_t i = 0; i < t->member_count && !e->failed; i++)
            add_leaves(e, l, byte + t->members[i].offset, t->members[i].type);
        break;
    case TSR_T_atomic: add_leaf(e, l, byte, t->elem); break;
    case TSR_T_bool:
    case TSR_T_i32:
    case TSR_T_u32:
    case TSR_T_f32:
    case TSR_T_f16: add_leaf(e, l, byte, type); break;
    default: tsr_ll_fail(e, "a value of type %s", tsr_type_cstr(e->types, e->arena, type)); break;
    }
}

const tsr_ll_leaves *tsr_ll_type_leaves(tsr_ll *e, tsr_type t)
{
    tsr_ll_leaves *l = &e->leaves[t];
    if (l->made) return l;
    l->made = true;
    uint64_t words = tsr_shape_type_words(&e->shapes, t);
    if (words == TSR_WORDLESS || words > LEAVES_MAX) {
        tsr_ll_fail(e, "a value of type %s", tsr_type_cstr(e->types, e->arena, t));
        return l;
    }
    l->list = TSR_NEW_ARRAY(e->arena, tsr_ll_leaf, words + 1);
    add_leaves(e, l, 0, t);
    return l;
}

/* ---- Variables of words. */

void tsr_ll_init_slot(tsr_ll *e, tsr_ll_slots *s, uint32_t i, uint8_t type, tsr_vshape shape)
{
    bool whole = shape.known && shape.run == e->shapes.full;
    s->type[i] = type;
    s->form[i] = !whole ? LL_EACH : shape.stride ? LL_EVEN : LL_SAME;
    s->shape[i] = shape;
    s->name[i] = tsr_ll_alloca_word(e, type, !whole);
}

static void make_slots(tsr_ll *e, tsr_ll_slots *s, uint32_t count)
{
    s->count = count;
    s->name = TSR_NEW_ARRAY(e->arena, uint32_t, count + 1);
    s->type = TSR_NEW_ARRAY(e->arena, uint8_t, count + 1);
    s->form = TSR_NEW_ARRAY(e->arena, uint8_t, count + 1);
    s->shape = TSR_NEW_ARRAY(e->arena, tsr_vshape, count + 1);
}

void tsr_ll_store_slot(tsr_ll *e, const tsr_ll_slots *s, uint32_t i, tsr_ll_word w)
{
    if (s->form[i] != LL_EACH) {
        if (w.form == LL_EACH) w = tsr_ll_fit(e, w, s->shape[i]);
        w.form = LL_SAME;
        tsr_ll_line(e, "store %s %s, ptr %%t%u, align 4", e->type_name[s->type[i]], tsr_ll_scalar(e, w), s->name[i]);
        return;
    }
    if (!e->all && s->here != e->here.number) { /* else lanes that are not here never see the variable again */
        tsr_ll_word old = tsr_ll_named(s->type[i], LL_EACH, tsr_ll_new(e));
        tsr_ll_line(e, "%%t%u = load %s, ptr %%t%u, align 4", old.name, e->vector_name[s->type[i]], s->name[i]);
        w = tsr_ll_select(e, tsr_ll_mask(e), w, old);
    }
    tsr_ll_line(e, "store %s %s, ptr %%t%u, align 4", e->vector_name[s->type[i]], tsr_ll_vector(e, w), s->name[i]);
}

tsr_ll_word tsr_ll_load_slot(tsr_ll *e, const tsr_ll_slots *s, uint32_t i)
{
    tsr_ll_word w = tsr_ll_named(s->type[i], s->form[i], tsr_ll_new(e));
    w.shape = s->shape[i].known ? s->shape[i] : tsr_shape_any(&e->shapes);
    tsr_ll_line(e, "%%t%u = load %s, ptr %%t%u, align 4", w.name, tsr_ll_type_name(e, w.type, w.form == LL_EACH),
                s->name[i]);
    return w;
}

/* ---- Places. */

uint32_t tsr_ll_load_field(tsr_ll *e, uint32_t offset, const char *type)
{
    uint32_t at, name;
    uint64_t key[2] = {13, offset}, hash = tsr_hash_bytes(key, sizeof key, 5);
    if (tsr_map_find(&e->made, hash, &name)) return name;
    at = tsr_ll_new(e);
    name = tsr_ll_new(e);
    tsr_text_printf(&e->prologue,
                    "  %%t%u = getelementptr i8, ptr %%frame, i64 %u\n  %%t%u = load %s, ptr %%t%u, align 4\n", at,
                    offset, name, type, at);
    tsr_map_set(&e->made, hash, name);
    return name;
}

static void load_binding(tsr_ll *e, uint32_t r)
{
    if (e->binding_base[r]) return;
    uint32_t table = tsr_ll_load_field(e, TSR_FRAME_MEMORY, "ptr"), at = tsr_ll_new(e), size_at = tsr_ll_new(e);
    e->binding_base[r] = tsr_ll_new(e);
    e->binding_size[r] = tsr_ll_new(e);
    tsr_text_printf(&e->prologue,
                    "  %%t%u = getelementptr i8, ptr %%t%u, i64 %u\n  %%t%u = load ptr, ptr %%t%u, align 8\n"
                    "  %%t%u = getelementptr i8, ptr %%t%u, i64 %u\n  %%t%u = load i64, ptr %%t%u, align 8\n",
                    at, table, r * 16, e->binding_base[r], at, size_at, table, r * 16 + 8, e->binding_size[r], size_at);
}

uint32_t tsr_ll_binding_base(tsr_ll *e, uint32_t r)
{
    load_binding(e, r);
    return e->binding_base[r];
}

tsr_space tsr_ll_binding_space(const tsr_ll *e, uint32_t r)
{
    const tsr_global *global = tsr_global_at(e->ir, e->program->resources[r].global);
    return (tsr_space)tsr_type_get(e->types, tsr_ll_inst(e, global->inst)->type)->space;
}

static const tsr_resource *find_resource(const tsr_program *p, uint32_t global, uint32_t *number)
{
    for (*number = 0; *number < p->resource_count; ++*number)
        if (p->resources[*number].global == global) return &p->resources[*number];
    return NULL;
}

/* Elements of the run-time array that begins `off` bytes into a binding (which is at least that long); at the
 * function's start, once. */
tsr_ll_word tsr_ll_element_count(tsr_ll *e, const tsr_ll_place *p, uint32_t stride)
{
    uint64_t key[4] = {11, p->resource, p->off, stride}, hash = tsr_hash_bytes(key, sizeof key, 4);
    uint32_t name;
    load_binding(e, p->resource);
    if (!tsr_map_find(&e->made, hash, &name)) {
        uint32_t room = e->binding_size[p->resource], count = tsr_ll_new(e);
        if (p->off) {
            room = tsr_ll_new(e);
            tsr_ll_declare(e, "i64 @llvm.usub.sat.i64(i64, i64)");
            tsr_text_printf(&e->prologue, "  %%t%u = call i64 @llvm.usub.sat.i64(i64 %%t%u, i64 %llu)\n", room,
                            e->binding_size[p->resource], (unsigned long long)p->off);
        }
        name = tsr_ll_new(e);
        tsr_text_printf(&e->prologue, "  %%t%u = udiv i64 %%t%u, %u\n  %%t%u = trunc i64 %%t%u to i32\n", count, room,
                        stride, name, count);
        tsr_map_set(&e->made, hash, name);
    }
    tsr_ll_word w = tsr_ll_uniform(e, LL_I, name);
    return w;
}

const tsr_ll_place *tsr_ll_place_of(tsr_ll *e, tsr_id id)
{
    static const tsr_ll_place nowhere;
    if (e->place[id].root != LL_ROOT_NONE) return &e->place[id];
    tsr_ll_fail(e, "a pointer that leads nowhere");
    return &nowhere;
}

static bool find_elements(tsr_ll *e, const tsr_ll_place *p, tsr_type elem, uint32_t *count, uint32_t *stride)
{
    const tsr_type_info *t = tsr_type_get(e->types, p->pointee);
    *count = t->kind == TSR_T_array ? t->size.value : t->count;
    *stride = t->kind == TSR_T_vec ? (uint32_t)tsr_type_get(e->types, t->elem)->size_bytes : t->stride;
    if (t->kind != TSR_T_array && t->kind != TSR_T_vec && t->kind != TSR_T_mat) return false;
    if (p->root == LL_ROOT_WORDS || p->root == LL_ROOT_LANES)
        *stride = (uint32_t)tsr_shape_type_words(&e->shapes, elem);
    if (p->root == LL_ROOT_MATRIX) {
        uint64_t blocks = 1;
        while (tsr_type_kind_of(e->types, elem) == TSR_T_array) {
            blocks *= tsr_type_get(e->types, elem)->size.value;
            elem = tsr_type_get(e->types, elem)->elem;
        }
        *stride = (uint32_t)blocks;
    }
    return *stride != 0 && (*count != 0 || p->root == LL_ROOT_BINDING);
}

/* The count less `reach`, at least 0: what the first lane's index must be below so that the last one's is in range. */
static tsr_ll_word last_first(tsr_ll *e, tsr_ll_word count, uint64_t reach)
{
    uint32_t name;
    if (reach == 0) return count;
    if (reach > UINT32_MAX) return tsr_ll_u32(e, 0);
    if (count.is_const) return tsr_ll_u32(e, count.bits > reach ? (uint32_t)(count.bits - reach) : 0);
    uint64_t key[3] = {19, count.name, reach}, hash = tsr_hash_bytes(key, sizeof key, 8);
    if (!tsr_map_find(&e->made, hash, &name)) {
        name = tsr_ll_new(e);
        tsr_ll_declare(e, "i32 @llvm.usub.sat.i32(i32, i32)");
        tsr_text_printf(&e->prologue, "  %%t%u = call i32 @llvm.usub.sat.i32(i32 %%t%u, i32 %u)\n", name, count.name,
                        (uint32_t)reach);
        tsr_map_set(&e->made, hash, name);
    }
    count.name = name;
    return count;
}

/* An evenly spaced index is in range in all lanes, inactive ones too, so that whole vectors may be accessed. */
static tsr_ll_word even_in_range(tsr_ll *e, tsr_ll_word index, tsr_ll_word count)
{
    int64_t reach = (int64_t)index.shape.stride * (e->size - 1);
    tsr_ll_word first = index;
    first.form = LL_SAME;
    if (reach >= 0) return tsr_ll_cmp(e, "icmp ult", first, last_first(e, count, (uint64_t)reach));
    if (-reach > (int64_t)UINT32_MAX) return tsr_ll_const(e, LL_B, 0);
    return tsr_ll_op2(e, "and", tsr_ll_cmp(e, "icmp ult", first, count),
                      tsr_ll_cmp(e, "icmp uge", first, tsr_ll_u32(e, (uint32_t)-reach)));
}

/* The same for an index in a few runs of lanes, from the first one of each, which must be here. */
static tsr_ll_word runs_in_range(tsr_ll *e, tsr_ll_word index, tsr_ll_word count)
{
    uint32_t lanes = UINT32_C(1) << index.shape.run;
    uint64_t reach = (uint64_t)index.shape.stride * (lanes - 1);
    tsr_ll_word all = {0}, limit = last_first(e, count, reach);
    for (uint32_t i = 0; i < e->size; i += lanes) {
        tsr_ll_word is = tsr_ll_cmp(e, "icmp ult", tsr_ll_lane(e, index, i), limit);
        all = i ? tsr_ll_op2(e, "and", all, is) : is;
    }
    return all;
}

/* The active lanes are in range. */
static tsr_ll_word each_in_range(tsr_ll *e, tsr_ll_word lanes)
{
    if (!e->all) lanes = tsr_ll_op2(e, "or", lanes, tsr_ll_not(e, tsr_ll_mask(e)));
    return tsr_ll_every(e, lanes);
}

tsr_ll_word tsr_ll_place_lanes(tsr_ll *e, const tsr_ll_place *p)
{
    return p->many_checks ? p->lanes : tsr_ll_cmp(e, "icmp ult", p->tested, p->limit);
}

static void add_check(tsr_ll *e, tsr_ll_place *p, tsr_id id, tsr_ll_word index, tsr_ll_word count)
{
    tsr_ll_word all;
    tsr_ll_place one = {.tested = index, .limit = count};
    bool runs = index.form == LL_EACH && index.shape.stride >= 0 && index.shape.run > 0 &&
                e->size >> index.shape.run <= RUNS_FEW;
    if (index.form == LL_SAME)
        all = tsr_ll_cmp(e, "icmp ult", index, count);
    else if (index.form == LL_EVEN)
        all = even_in_range(e, index, count);
    else if (runs)
        all = runs_in_range(e, index, count);
    else
        all = each_in_range(e, tsr_ll_place_lanes(e, &one));
    if (p->has_check) {
        p->lanes = tsr_ll_op2(e, "and", tsr_ll_place_lanes(e, p), tsr_ll_place_lanes(e, &one));
        p->all = tsr_ll_op2(e, "and", p->all, all);
        p->many_checks = true;
    } else {
        p->all = all;
    }
    p->all_only = p->all_only || (runs && !e->all);
    p->tested = index;
    p->limit = count;
    p->has_check = true;
    p->index = id;
}

/* Stands where a matrix access turned out to leave its array. */
void tsr_ll_note_matrix_oob(tsr_ll *e, tsr_id id)
{
    bool all = e->all;
    e->all = true; /* it is one access, whoever takes part */
    tsr_ll_call_lanes(e, (tsr_lanes_call){.op = TSR_OP_mload, .id = id, .is_cold = true});
    e->all = all;
}

/* Before an access: when some lane is out of range, that is counted. */
void tsr_ll_check_oob(tsr_ll *e, const tsr_ll_place *p)
{
    if (!p->has_check) return;
    uint32_t bad = tsr_ll_new(e), go = tsr_ll_new(e);
    tsr_ll_branch(e, p->all_only ? each_in_range(e, tsr_ll_place_lanes(e, p)) : p->all, go, bad);
    tsr_ll_begin_cold(e, bad);
    tsr_ll_call_lanes(e, (tsr_lanes_call){.op = TSR_OP_index, .place = p, .is_cold = true});
    tsr_ll_end_cold(e, go);
    tsr_ll_label(e, go);
}

/* Whether no lane's index can leave its array of `count` elements (0: a run-time array). What conditions say holds for
 * the lanes that are here, while whole vectors are accessed in all of them. */
static bool is_proved(tsr_ll *e, tsr_id id, uint32_t count, tsr_ll_word index)
{
    tsr_id value = tsr_ll_arg(e, id, 1);
    if (count != 0 && index.shape.max < count) return true;
    if (!e->all) return false;
    return count ? tsr_range_is_below(e->ranges, value, count)
                 : tsr_range_is_below_length(e->ranges, value, tsr_ll_arg(e, id, 0));
}

/* Lanes at one place of which some are out of range: indices that are 2^30 apart, times 4 bytes. */
static bool differs_in_range(const tsr_ll_place *p)
{
    return p->has_check && (p->many_checks ? p->lanes.form : p->tested.form) != LL_SAME;
}

void tsr_ll_emit_index(tsr_ll *e, tsr_id id)
{
    tsr_ll_place p = *tsr_ll_place_of(e, tsr_ll_arg(e, id, 0));
    tsr_type elem = tsr_type_get(e->types, tsr_ll_inst(e, id)->type)->elem;
    uint32_t count, stride;
    if (e->failed) return;
    if (!find_elements(e, &p, elem, &count, &stride)) {
        tsr_ll_fail(e, "an index into %s", tsr_type_cstr(e->types, e->arena, p.pointee));
        return;
    }
    tsr_ll_value v = tsr_ll_get(e, tsr_ll_arg(e, id, 1));
    tsr_ll_word index = v.words[0];
    const tsr_ll_place base = p;
    p.pointee = elem;
    if (index.is_const && index.form == LL_SAME && index.bits < count) {
        p.off += index.bits * stride;
        e->place[id] = p;
        return;
    }
    if (p.root == LL_ROOT_WORDS) {
        tsr_ll_fail(e, "an index into a variable that was thought to have none");
        return;
    }
    if (!is_proved(e, id, count, index))
        add_check(e, &p, id, index, count ? tsr_ll_u32(e, count) : tsr_ll_element_count(e, &base, stride));
    tsr_ll_word more = tsr_ll_mul_const(e, index, stride);
    p.dyn = p.has_dyn ? tsr_ll_add(e, p.dyn, more) : more;
    p.has_dyn = true;
    if (p.dyn.form == LL_SAME && differs_in_range(&p)) {
        p.dyn = tsr_ll_to_vector(e, p.dyn);
        p.dyn.shape = tsr_shape_any(&e->shapes);
    }
    e->place[id] = p;
}

void tsr_ll_emit_field(tsr_ll *e, tsr_id id)
{
    tsr_ll_place p = *tsr_ll_place_of(e, tsr_ll_arg(e, id, 0));
    if (e->failed) return;
    const tsr_type_info *t = tsr_type_get(e->types, p.pointee);
    uint32_t number = tsr_ll_inst(e, id)->aux;
    if (t->kind != TSR_T_struct || number >= t->member_count || p.root == LL_ROOT_MATRIX) {
        tsr_ll_fail(e, "a field of %s", tsr_type_cstr(e->types, e->arena, p.pointee));
        return;
    }
    bool words = p.root == LL_ROOT_WORDS || p.root == LL_ROOT_LANES;
    p.off += words ? tsr_shape_words_before(&e->shapes, p.pointee, number) : t->members[number].offset;
    p.pointee = t->members[number].type;
    e->place[id] = p;
}

/* ---- Variables. */

static bool all_same(const tsr_ll *e, tsr_id id)
{
    for (uint32_t i = 0; i < e->shapes.value[id].count; i++)
        if (!tsr_shape_is_uniform(&e->shapes, e->shapes.value[id].words[i])) return false;
    return e->shapes.value[id].count > 0;
}

/* Room for a function or private variable; once, however often control passes it. */
static void make_variable(tsr_ll *e, tsr_id id, tsr_type type)
{
    tsr_ll_place *p = &e->place[id];
    if (p->root != LL_ROOT_NONE) return;
    p->pointee = type;
    p->var = id;
    if (tsr_type_contains(e->types, type, TSR_T_smat)) {
        tsr_ll_make_matrix_var(e, id, type);
        return;
    }
    uint64_t words = tsr_shape_type_words(&e->shapes, type);
    if (e->shapes.memory[id] || words > SLOTS_MAX) {
        p->root = LL_ROOT_LANES;
        p->is_same = all_same(e, id);
        p->base = tsr_ll_alloca(e, NULL, words * 4 * (p->is_same ? 1 : e->size), 64);
        return;
    }
    const tsr_ll_leaves *l = tsr_ll_type_leaves(e, type);
    if (e->failed) return;
    p->root = LL_ROOT_WORDS;
    make_slots(e, &e->slots[id], l->count);
    for (uint32_t i = 0; i < l->count; i++)
        tsr_ll_init_slot(e, &e->slots[id], i, l->list[i].type, tsr_shape_at(&e->shapes, id, i));
}

uint32_t tsr_ll_address(tsr_ll *e, uint32_t base, uint64_t bytes)
{
    uint32_t name = tsr_ll_new(e);
    tsr_ll_line(e, "%%t%u = getelementptr i8, ptr %%t%u, i64 %llu", name, base, (unsigned long long)bytes);
    return name;
}

/* Zeroes a variable in memory by a loop over its rows. */
static void zero_memory(tsr_ll *e, const tsr_ll_place *p, uint64_t words)
{
    uint32_t head = tsr_ll_new(e), end = tsr_ll_new(e), i = tsr_ll_new(e), at = tsr_ll_new(e), more = tsr_ll_new(e),
             done = tsr_ll_new(e), from = tsr_ll_new(e);
    tsr_ll_label(e, from);
    tsr_ll_label(e, head);
    tsr_ll_line(e, "%%t%u = phi i64 [ 0, %%b%u ], [ %%t%u, %%b%u ]", i, from, more, head);
    bool same = p->is_same;
    tsr_ll_line(e, "%%t%u = getelementptr %s, ptr %%t%u, i64 %%t%u", at, tsr_ll_type_name(e, LL_I, !same), p->base, i);
    tsr_ll_line(e, "store %s zeroinitializer, ptr %%t%u, align 4", tsr_ll_type_name(e, LL_I, !same), at);
    tsr_ll_line(e, "%%t%u = add i64 %%t%u, 1", more, i);
    tsr_ll_line(e, "%%t%u = icmp eq i64 %%t%u, %llu", done, more, (unsigned long long)words);
    tsr_ll_line(e, "br i1 %%t%u, label %%b%u, label %%b%u", done, end, head);
    e->open = false;
    tsr_ll_label(e, end);
}

void tsr_ll_emit_var(tsr_ll *e, tsr_id id)
{
    const tsr_inst *inst = tsr_ll_inst(e, id);
    tsr_type type = tsr_type_get(e->types, inst->type)->elem;
    make_variable(e, id, type);
    if (e->failed) return;
    tsr_ll_place *p = &e->place[id];
    e->slots[id].here = e->here.number;
    if (p->root == LL_ROOT_MATRIX) {
        tsr_ll_store_matrix(e, id);
        return;
    }
    uint64_t words = tsr_shape_type_words(&e->shapes, type);
    if (!inst->nargs && p->root == LL_ROOT_LANES && words > SLOTS_MAX) {
        /* Lanes that are not here have no such variable, or it lives in an iteration of theirs that is over. */
        zero_memory(e, p, words);
        return;
    }
    tsr_ll_value v;
    if (inst->nargs) {
        v = tsr_ll_get(e, tsr_ll_arg(e, id, 0));
    } else {
        const tsr_ll_leaves *l = tsr_ll_type_leaves(e, type);
        v = tsr_ll_make(e, l->count);
        for (uint32_t i = 0; i < l->count; i++)
            v.words[i] = tsr_ll_const(e, l->list[i].type, 0);
    }
    /* All lanes: what inactive ones hold is never looked at, but computed with, and nothing may be undefined. */
    bool all = e->all;
    e->all = true;
    tsr_ll_store_place(e, p, &v, type);
    e->all = all;
}

void tsr_ll_place_globals(tsr_ll *e)
{
    for (uint32_t g = 1; g < e->ir->globals.count && !e->failed; g++) {
        const tsr_global *global = tsr_global_at(e->ir, g);
        const tsr_type_info *t = tsr_type_get(e->types, tsr_ll_inst(e, global->inst)->type);
        tsr_ll_place *p = &e->place[global->inst];
        p->pointee = t->elem;
        if (t->space == TSR_SPACE_workgroup) {
            p->root = LL_ROOT_GROUP;
            p->off = e->group_bytes;
            p->base = 0;
            uint64_t size = tsr_type_get(e->types, t->elem)->size_bytes;
            if (size + e->group_bytes > (UINT64_C(1) << 28))
                tsr_ll_fail(e, "workgroup memory of more than 256 MiB");
            else
                e->group_bytes += (uint32_t)((size + GROUP_ALIGN - 1) / GROUP_ALIGN * GROUP_ALIGN);
        } else if (t->space != TSR_SPACE_private && find_resource(e->program, g, &p->resource)) {
            p->root = LL_ROOT_BINDING;
        }
    }
}

void tsr_ll_make_globals(tsr_ll *e)
{
    for (uint32_t g = 1; g < e->ir->globals.count && !e->failed; g++) {
        const tsr_global *global = tsr_global_at(e->ir, g);
        if (tsr_type_get(e->types, tsr_ll_inst(e, global->inst)->type)->space == TSR_SPACE_private)
            tsr_ll_emit_var(e, global->inst);
    }
}

/* ---- Addresses. */

static uint32_t root_ptr(tsr_ll *e, const tsr_ll_place *p)
{
    return p->root == LL_ROOT_BINDING ? tsr_ll_binding_base(e, p->resource)
                                      : tsr_ll_load_field(e, TSR_FRAME_GROUP, "ptr");
}

/* The ptr that byte offsets of a place count from, its constant part included. */
uint32_t tsr_ll_place_base(tsr_ll *e, const tsr_ll_place *p, uint64_t more)
{
    uint32_t base = root_ptr(e, p);
    return p->off + more ? tsr_ll_address(e, base, p->off + more) : base;
}

/* The dynamic part with bad lanes at 0, which is always inside. */
tsr_ll_word tsr_ll_safe_dyn(tsr_ll *e, const tsr_ll_place *p)
{
    return p->has_check ? tsr_ll_select(e, tsr_ll_place_lanes(e, p), p->dyn, tsr_ll_u32(e, 0)) : p->dyn;
}

uint32_t tsr_ll_offset_ptr(tsr_ll *e, uint32_t base, tsr_ll_word offset)
{
    uint32_t wide = tsr_ll_new(e), name = tsr_ll_new(e);
    tsr_ll_line(e, "%%t%u = zext i32 %s to i64", wide, tsr_ll_scalar(e, offset));
    tsr_ll_line(e, "%%t%u = getelementptr i8, ptr %%t%u, i64 %%t%u", name, base, wide);
    return name;
}

/* The same name for the same array, made at the function's start; a place without a dynamic part. */
uint32_t tsr_ll_array_ptr(tsr_ll *e, const tsr_ll_place *p)
{
    uint64_t key[3] = {p->root, p->root == LL_ROOT_BINDING ? p->resource : 0, p->off}, hash;
    uint32_t name, base = root_ptr(e, p);
    if (p->off == 0) return base;
    if (tsr_map_find(&e->made, hash = tsr_hash_bytes(key, sizeof key, 25), &name)) return name;
    name = tsr_ll_new(e);
    tsr_text_printf(&e->prologue, "  %%t%u = getelementptr i8, ptr %%t%u, i64 %llu\n", name, base,
                    (unsigned long long)p->off);
    tsr_map_set(&e->made, hash, name);
    return name;
}

uint32_t tsr_ll_shared_ptr(tsr_ll *e, const tsr_ll_place *p)
{
    uint32_t ptr = tsr_ll_place_base(e, p, 0);
    return p->has_dyn ? tsr_ll_offset_ptr(e, ptr, tsr_ll_first_active(e, tsr_ll_safe_dyn(e, p))) : ptr;
}
