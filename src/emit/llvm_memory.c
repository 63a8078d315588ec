/* Places, loads and stores. What neighbours access side by side is one vector access, behind one test that all of it is
 * in range; the rest goes lane by lane through helpers. An index out of range makes loads zero and stores nothing. */
#include "emit/llvm_inside.h"

#include "emit/llvm_block.h"

#include <stdio.h>
#include <string.h>

/* A variable of more scalars than this lies in memory in any case. */
#define SLOTS_MAX   64u
#define LEAVES_MAX  4096u
#define GROUP_ALIGN 64u
/* Runs of lanes shorter than this are not worth a vector access of their own. */
#define RUN_LEAST   2u

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
    if (!e->all) {
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

/* ---- Helpers that access one scalar a lane. */

static const char *keep(tsr_ll *e, const char *s)
{
    return tsr_arena_strndup(e->arena, s, strlen(s));
}

/* <S x iN> @tsr_gatherN(ptr base, <S x i32> offsets in bytes, unsigned) */
const char *tsr_ll_gather(tsr_ll *e, uint32_t bytes)
{
    char name[32];
    snprintf(name, sizeof name, "tsr_gather%u", bytes * 8);
    if (!tsr_ll_once(e, name)) return keep(e, name);
    uint32_t n = e->size, bits = bytes * 8;
    tsr_text_printf(&e->tail,
                    "define internal <%u x i%u> @%s(ptr %%base, <%u x i32> %%off) noinline nounwind readonly {\n", n,
                    bits, name, n);
    for (uint32_t i = 0; i < n; i++) {
        tsr_text_printf(&e->tail,
                        "  %%o%u = extractelement <%u x i32> %%off, i64 %u\n  %%w%u = zext i32 %%o%u to i64\n", i, n, i,
                        i, i);
        tsr_text_printf(&e->tail,
                        "  %%p%u = getelementptr i8, ptr %%base, i64 %%w%u\n  %%x%u = load i%u, ptr %%p%u, align %u\n",
                        i, i, i, bits, i, bytes);
        tsr_text_printf(&e->tail, "  %%v%u = insertelement <%u x i%u> ", i, n, bits);
        if (i == 0)
            tsr_text_puts(&e->tail, "poison");
        else
            tsr_text_printf(&e->tail, "%%v%u", i - 1);
        tsr_text_printf(&e->tail, ", i%u %%x%u, i64 %u\n", bits, i, i);
    }
    tsr_text_printf(&e->tail, "  ret <%u x i%u> %%v%u\n}\n\n", n, bits, n - 1);
    return keep(e, name);
}

/* void @tsr_scatterN(ptr base, <S x i32> offsets, <S x iN> values, iS lanes): by ascending lane. */
const char *tsr_ll_scatter(tsr_ll *e, uint32_t bytes)
{
    char name[32];
    snprintf(name, sizeof name, "tsr_scatter%u", bytes * 8);
    if (!tsr_ll_once(e, name)) return keep(e, name);
    uint32_t n = e->size, bits = bytes * 8;
    tsr_text_printf(
        &e->tail,
        "define internal void @%s(ptr %%base, <%u x i32> %%off, <%u x i%u> %%val, i%u %%lanes) noinline nounwind {\n"
        "  %%o = alloca <%u x i32>, align 64\n  %%v = alloca <%u x i%u>, align 64\n"
        "  store <%u x i32> %%off, ptr %%o, align 64\n  store <%u x i%u> %%val, ptr %%v, align 64\n",
        name, n, n, bits, n, n, n, bits, n, n, bits);
    tsr_text_printf(&e->tail,
                    "  %%none = icmp eq i%u %%lanes, 0\n  br i1 %%none, label %%end, label %%loop\n"
                    "loop:\n  %%m = phi i%u [ %%lanes, %%0 ], [ %%rest, %%loop ]\n"
                    "  %%l = call i%u @llvm.cttz.i%u(i%u %%m, i1 true)\n",
                    n, n, n, n, n);
    if (n >= 64)
        tsr_text_printf(&e->tail, n == 64 ? "  %%i = add i%u %%l, 0\n" : "  %%i = trunc i%u %%l to i64\n", n);
    else
        tsr_text_printf(&e->tail, "  %%i = zext i%u %%l to i64\n", n);
    tsr_text_printf(&e->tail,
                    "  %%po = getelementptr i32, ptr %%o, i64 %%i\n  %%x = load i32, ptr %%po, align 4\n"
                    "  %%pv = getelementptr i%u, ptr %%v, i64 %%i\n  %%y = load i%u, ptr %%pv, align %u\n"
                    "  %%w = zext i32 %%x to i64\n  %%p = getelementptr i8, ptr %%base, i64 %%w\n"
                    "  store i%u %%y, ptr %%p, align %u\n"
                    "  %%less = sub i%u %%m, 1\n  %%rest = and i%u %%m, %%less\n  %%done = icmp eq i%u %%rest, 0\n"
                    "  br i1 %%done, label %%end, label %%loop\nend:\n  ret void\n}\n\n",
                    bits, bits, bytes, bits, bytes, n, n, n);
    char text[64];
    snprintf(text, sizeof text, "i%u @llvm.cttz.i%u(i%u, i1)", n, n, n);
    tsr_ll_declare(e, keep(e, text));
    return keep(e, name);
}

/* ---- Places. */

static uint32_t load_field(tsr_ll *e, uint32_t offset, const char *type)
{
    uint32_t at = tsr_ll_new(e), name = tsr_ll_new(e);
    tsr_text_printf(&e->prologue,
                    "  %%t%u = getelementptr i8, ptr %%frame, i64 %u\n  %%t%u = load %s, ptr %%t%u, align 4\n", at,
                    offset, name, type, at);
    return name;
}

static void load_binding(tsr_ll *e, uint32_t r)
{
    if (e->binding_base[r]) return;
    uint32_t table = load_field(e, TSR_FRAME_MEMORY, "ptr"), at = tsr_ll_new(e), size_at = tsr_ll_new(e);
    e->binding_base[r] = tsr_ll_new(e);
    e->binding_size[r] = tsr_ll_new(e);
    tsr_text_printf(&e->prologue,
                    "  %%t%u = getelementptr i8, ptr %%t%u, i64 %u\n  %%t%u = load ptr, ptr %%t%u, align 8\n"
                    "  %%t%u = getelementptr i8, ptr %%t%u, i64 %u\n  %%t%u = load i64, ptr %%t%u, align 8\n",
                    at, table, r * 16, e->binding_base[r], at, size_at, table, r * 16 + 8, e->binding_size[r], size_at);
}

static const tsr_resource *find_resource(const tsr_program *p, uint32_t global, uint32_t *number)
{
    for (*number = 0; *number < p->resource_count; ++*number)
        if (p->resources[*number].global == global) return &p->resources[*number];
    return NULL;
}

/* Elements of the run-time array that begins `off` bytes into a binding; at the function's start, once. */
tsr_ll_word tsr_ll_element_count(tsr_ll *e, const tsr_ll_place *p, uint32_t stride)
{
    uint64_t key[4] = {11, p->resource, p->off, stride}, hash = tsr_hash_bytes(key, sizeof key, 4);
    uint32_t name;
    load_binding(e, p->resource);
    if (!tsr_map_find(&e->made, hash, &name)) {
        uint32_t less = tsr_ll_new(e), fits = tsr_ll_new(e), room = tsr_ll_new(e), count = tsr_ll_new(e);
        name = tsr_ll_new(e);
        tsr_text_printf(&e->prologue,
                        "  %%t%u = sub i64 %%t%u, %llu\n  %%t%u = icmp ugt i64 %%t%u, %llu\n"
                        "  %%t%u = select i1 %%t%u, i64 %%t%u, i64 0\n  %%t%u = udiv i64 %%t%u, %u\n  %%t%u = trunc "
                        "i64 %%t%u to i32\n",
                        less, e->binding_size[p->resource], (unsigned long long)p->off, fits,
                        e->binding_size[p->resource], (unsigned long long)p->off, room, fits, less, count, room, stride,
                        name, count);
        tsr_map_set(&e->made, hash, name);
    }
    tsr_ll_word w = tsr_ll_named(LL_I, LL_SAME, name);
    w.shape = tsr_shape_any(&e->shapes);
    w.shape.run = e->shapes.full;
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

/* The index is in range: in each lane, and in all of them (inactive ones too, so that whole vectors may be accessed).
 */
static void add_check(tsr_ll *e, tsr_ll_place *p, tsr_id id, tsr_ll_word index, tsr_ll_word count)
{
    tsr_ll_word plain = index, lanes, all;
    if (index.form == LL_SAME) {
        lanes = all = tsr_ll_cmp(e, "icmp ult", index, count);
    } else if (index.form == LL_EVEN) {
        tsr_ll_word base = index;
        base.form = LL_SAME;
        lanes = tsr_ll_cmp(e, "icmp ult", plain, count);
        int64_t reach = (int64_t)index.shape.stride * (e->size - 1);
        uint32_t wide = tsr_ll_new(e), limit = tsr_ll_new(e), last = tsr_ll_new(e), first_in = tsr_ll_new(e),
                 last_in = tsr_ll_new(e), both = tsr_ll_new(e);
        tsr_ll_line(e, "%%t%u = zext i32 %s to i64", wide, tsr_ll_scalar(e, base));
        tsr_ll_line(e, "%%t%u = zext i32 %s to i64", limit, tsr_ll_scalar(e, count));
        tsr_ll_line(e, "%%t%u = add i64 %%t%u, %lld", last, wide, (long long)reach);
        tsr_ll_line(e, "%%t%u = icmp ult i64 %%t%u, %%t%u", first_in, wide, limit);
        tsr_ll_line(e, "%%t%u = icmp ult i64 %%t%u, %%t%u", last_in, last, limit);
        tsr_ll_line(e, "%%t%u = and i1 %%t%u, %%t%u", both, first_in, last_in);
        all = tsr_ll_named(LL_B, LL_SAME, both);
    } else {
        lanes = tsr_ll_cmp(e, "icmp ult", index, count);
        uint32_t bits = tsr_ll_bits(e, lanes), name = tsr_ll_new(e);
        tsr_ll_line(e, "%%t%u = icmp eq i%u %%t%u, -1", name, e->size, bits);
        all = tsr_ll_named(LL_B, LL_SAME, name);
    }
    p->lanes = p->has_check ? tsr_ll_op2(e, "and", p->lanes, lanes) : lanes;
    p->all = p->has_check ? tsr_ll_op2(e, "and", p->all, all) : all;
    p->has_check = true;
    p->index = id;
}

static uint32_t oob_table(tsr_ll *e)
{
    uint32_t name;
    uint64_t key[1] = {15}, hash = tsr_hash_bytes(key, sizeof key, 6);
    if (tsr_map_find(&e->made, hash, &name)) return name;
    name = load_field(e, TSR_FRAME_OOB, "ptr");
    tsr_map_set(&e->made, hash, name);
    return name;
}

/* Adds to counter `at` and keeps the instruction when it is the first. */
static void add_oob(tsr_ll *e, uint32_t at, uint32_t amount, tsr_id id)
{
    uint32_t table = oob_table(e), p = tsr_ll_new(e), old = tsr_ll_new(e), sum = tsr_ll_new(e), first = tsr_ll_new(e),
             was = tsr_ll_new(e), none = tsr_ll_new(e), some = tsr_ll_new(e), both = tsr_ll_new(e), now = tsr_ll_new(e);
    tsr_ll_line(e, "%%t%u = getelementptr i64, ptr %%t%u, i64 %u", p, table, at);
    tsr_ll_line(e, "%%t%u = load i64, ptr %%t%u, align 8", old, p);
    tsr_ll_line(e, "%%t%u = add i64 %%t%u, %%t%u", sum, old, amount);
    tsr_ll_line(e, "store i64 %%t%u, ptr %%t%u, align 8", sum, p);
    tsr_ll_line(e, "%%t%u = getelementptr i64, ptr %%t%u, i64 2", first, table);
    tsr_ll_line(e, "%%t%u = load i64, ptr %%t%u, align 8", was, first);
    tsr_ll_line(e, "%%t%u = icmp eq i64 %%t%u, 0", none, was);
    tsr_ll_line(e, "%%t%u = icmp ne i64 %%t%u, 0", some, amount);
    tsr_ll_line(e, "%%t%u = and i1 %%t%u, %%t%u", both, none, some);
    tsr_ll_line(e, "%%t%u = select i1 %%t%u, i64 %u, i64 %%t%u", now, both, id, was);
    tsr_ll_line(e, "store i64 %%t%u, ptr %%t%u, align 8", now, first);
}

void tsr_ll_note_oob(tsr_ll *e, const tsr_ll_place *p)
{
    char text[64];
    tsr_ll_word bad = tsr_ll_not(e, tsr_ll_to_vector(e, p->lanes));
    if (!e->all) bad = tsr_ll_op2(e, "and", bad, tsr_ll_mask(e));
    uint32_t bits = tsr_ll_bits(e, bad), count = tsr_ll_new(e), amount = count;
    snprintf(text, sizeof text, "i%u @llvm.ctpop.i%u(i%u)", e->size, e->size, e->size);
    tsr_ll_declare(e, keep(e, text));
    tsr_ll_line(e, "%%t%u = call i%u @llvm.ctpop.i%u(i%u %%t%u)", count, e->size, e->size, e->size, bits);
    if (e->size != 64) {
        amount = tsr_ll_new(e);
        tsr_ll_line(e, "%%t%u = %s i%u %%t%u to i64", amount, e->size < 64 ? "zext" : "trunc", e->size, count);
    }
    add_oob(e, 0, amount, p->index);
}

void tsr_ll_note_matrix_oob(tsr_ll *e, tsr_id id)
{
    uint32_t one = tsr_ll_new(e);
    tsr_ll_line(e, "%%t%u = add i64 0, 1", one);
    add_oob(e, 1, one, id);
}

/* Before an access: when some lane is out of range, that is counted. */
static void check_oob(tsr_ll *e, const tsr_ll_place *p)
{
    if (!p->has_check) return;
    uint32_t bad = tsr_ll_new(e), go = tsr_ll_new(e);
    tsr_ll_branch(e, p->all, go, bad);
    tsr_ll_label(e, bad);
    tsr_ll_note_oob(e, p);
    tsr_ll_label(e, go);
}

static void emit_index(tsr_ll *e, tsr_id id)
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
    if (count == 0 || index.shape.max >= count)
        add_check(e, &p, id, index, count ? tsr_ll_u32(e, count) : tsr_ll_element_count(e, &base, stride));
    tsr_ll_word more = tsr_ll_mul_const(e, index, stride);
    p.dyn = p.has_dyn ? tsr_ll_add(e, p.dyn, more) : more;
    p.has_dyn = true;
    e->place[id] = p;
}

static void emit_field(tsr_ll *e, tsr_id id)
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

static uint32_t address(tsr_ll *e, uint32_t base, uint64_t bytes)
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

static void store_place(tsr_ll *e, const tsr_ll_place *p, const tsr_ll_value *v, tsr_type type);

static void emit_var(tsr_ll *e, tsr_id id)
{
    const tsr_inst *inst = tsr_ll_inst(e, id);
    tsr_type type = tsr_type_get(e->types, inst->type)->elem;
    make_variable(e, id, type);
    if (e->failed) return;
    tsr_ll_place *p = &e->place[id];
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
    store_place(e, p, &v, type);
}

void tsr_ll_make_globals(tsr_ll *e)
{
    for (uint32_t g = 1; g < e->ir->globals.count; g++) {
        const tsr_global *global = tsr_global_at(e->ir, g);
        const tsr_type_info *t = tsr_type_get(e->types, tsr_ll_inst(e, global->inst)->type);
        tsr_ll_place *p = &e->place[global->inst];
        p->pointee = t->elem;
        if (t->space == TSR_SPACE_workgroup) {
            p->root = LL_ROOT_GROUP;
            p->off = e->group_bytes;
            p->base = 0;
            uint64_t size = tsr_type_get(e->types, t->elem)->size_bytes;
            if (size + e->group_bytes > (UINT64_C(1) << 28)) {
                tsr_ll_fail(e, "workgroup memory of more than 256 MiB");
                return;
            }
            e->group_bytes += (uint32_t)((size + GROUP_ALIGN - 1) / GROUP_ALIGN * GROUP_ALIGN);
        } else if (t->space == TSR_SPACE_private) {
            p->root = LL_ROOT_NONE;
            emit_var(e, global->inst);
        } else if (find_resource(e->program, g, &p->resource)) {
            p->root = LL_ROOT_BINDING;
        }
    }
}

/* ---- Access to shared memory. */

/* The ptr that byte offsets of a place count from, its constant part included. */
static uint32_t place_base(tsr_ll *e, const tsr_ll_place *p, uint64_t more)
{
    uint32_t base;
    if (p->root == LL_ROOT_BINDING) {
        load_binding(e, p->resource);
        base = e->binding_base[p->resource];
    } else {
        uint32_t name;
        uint64_t key[1] = {13}, hash = tsr_hash_bytes(key, sizeof key, 5);
        if (!tsr_map_find(&e->made, hash, &name)) {
            name = load_field(e, TSR_FRAME_GROUP, "ptr");
            tsr_map_set(&e->made, hash, name);
        }
        base = name;
    }
    return p->off + more ? address(e, base, p->off + more) : base;
}

/* The dynamic part with bad lanes at 0, which is always inside. */
static tsr_ll_word safe_dyn(tsr_ll *e, const tsr_ll_place *p)
{
    return p->has_check ? tsr_ll_select(e, p->lanes, p->dyn, tsr_ll_u32(e, 0)) : p->dyn;
}

static uint32_t offset_ptr(tsr_ll *e, uint32_t base, tsr_ll_word offset)
{
    uint32_t wide = tsr_ll_new(e), name = tsr_ll_new(e);
    tsr_ll_line(e, "%%t%u = zext i32 %s to i64", wide, tsr_ll_scalar(e, offset));
    tsr_ll_line(e, "%%t%u = getelementptr i8, ptr %%t%u, i64 %%t%u", name, base, wide);
    return name;
}

uint32_t tsr_ll_shared_ptr(tsr_ll *e, const tsr_ll_place *p)
{
    uint32_t ptr = place_base(e, p, 0);
    return p->has_dyn ? offset_ptr(e, ptr, tsr_ll_first_active(e, safe_dyn(e, p))) : ptr;
}

static const char *memory_type(uint8_t type)
{
    return type == LL_F ? "float" : type == LL_H ? "i16" : "i32";
}

static uint8_t memory_kind(uint8_t type)
{
    return type == LL_B ? LL_I : type;
}

static tsr_ll_word from_memory(tsr_ll *e, tsr_ll_word w, uint8_t type)
{
    return type == LL_B ? tsr_ll_from_bits(e, w, LL_B) : w;
}

static tsr_ll_word to_memory(tsr_ll *e, tsr_ll_word w)
{
    return w.type == LL_B ? tsr_ll_to_bits(e, w) : w;
}

static tsr_ll_word load_same(tsr_ll *e, const tsr_ll_place *p, const tsr_ll_leaf *leaf)
{
    uint32_t ptr = place_base(e, p, leaf->byte);
    if (p->has_dyn) ptr = offset_ptr(e, ptr, safe_dyn(e, p));
    tsr_ll_word w = tsr_ll_named(memory_kind(leaf->type), LL_SAME, tsr_ll_new(e));
    w.shape = tsr_shape_any(&e->shapes);
    w.shape.run = e->shapes.full;
    tsr_ll_line(e, "%%t%u = load %s, ptr %%t%u, align %u", w.name, memory_type(leaf->type), ptr, leaf->size);
    if (p->has_check) w = tsr_ll_select(e, p->all, w, tsr_ll_const(e, w.type, 0));
    return from_memory(e, w, leaf->type);
}

static tsr_ll_word load_scattered(tsr_ll *e, const tsr_ll_place *p, const tsr_ll_leaf *leaf, tsr_ll_word safe)
{
    uint32_t ptr = place_base(e, p, leaf->byte), raw = tsr_ll_new(e);
    uint8_t kind = memory_kind(leaf->type);
    if (leaf->size == 4 && e->o->gather) {
        char text[160];
        uint32_t n = e->size, wide = tsr_ll_new(e), ptrs = tsr_ll_new(e);
        snprintf(text, sizeof text,
                 "<%u x i32> @llvm.masked.gather.v%ui32.v%up0(<%u x ptr>, i32, <%u x i1>, <%u x i32>)", n, n, n, n, n,
                 n);
        tsr_ll_declare(e, keep(e, text));
        tsr_ll_line(e, "%%t%u = zext %s %s to <%u x i64>", wide, e->vector_name[LL_I], tsr_ll_vector(e, safe), n);
        tsr_ll_line(e, "%%t%u = getelementptr i8, ptr %%t%u, <%u x i64> %%t%u", ptrs, ptr, n, wide);
        tsr_ll_line(e,
                    "%%t%u = call <%u x i32> @llvm.masked.gather.v%ui32.v%up0(<%u x ptr> %%t%u, i32 4, <%u x i1> %s, "
                    "<%u x i32> zeroinitializer)",
                    raw, n, n, n, n, ptrs, n, tsr_ll_vector(e, tsr_ll_const(e, LL_B, 1)), n);
    } else {
        const char *helper = tsr_ll_gather(e, leaf->size);
        tsr_ll_line(e, "%%t%u = call <%u x i%u> @%s(ptr %%t%u, %s %s)", raw, e->size, leaf->size * 8u, helper, ptr,
                    e->vector_name[LL_I], tsr_ll_vector(e, safe));
    }
    tsr_ll_word w = tsr_ll_named(leaf->size == 2 ? LL_H : LL_I, LL_EACH, raw);
    w.shape = tsr_shape_any(&e->shapes);
    if (kind == LL_F) w = tsr_ll_from_bits(e, w, LL_F);
    return p->has_check ? tsr_ll_select(e, p->lanes, w, tsr_ll_const(e, kind, 0)) : w;
}

/* ---- Runs: a vector access for each run of neighbours. `group` scalars of a lane lie side by side. */

typedef struct runs {
    uint32_t lanes; /* of a run */
    uint32_t group; /* scalars that a lane steps over: 1, 2 or 4; 0: all lanes of a run have one place */
} runs;

static bool find_runs(const tsr_ll *e, const tsr_ll_place *p, const tsr_ll_leaves *l, runs *r)
{
    tsr_vshape s = p->dyn.shape;
    uint32_t size = l->list[0].size;
    r->lanes = UINT32_C(1) << s.run;
    if (r->lanes < RUN_LEAST || s.stride < 0) return false;
    if (!e->all && p->dyn.form == LL_EACH) return false; /* the first lane of a run may be one that left a loop */
    r->group = (uint32_t)s.stride / size;
    if (r->group * size != (uint32_t)s.stride) return false;
    if (r->group == 0) return e->size / r->lanes <= 8;
    if (r->lanes < 4 && e->size > 4) return false;
    if (r->group != 1 && r->group != 2 && r->group != 4) return false;
    if (l->count > r->group) return false;
    for (uint32_t i = 0; i < l->count; i++)
        if (l->list[i].byte != i * size || l->list[i].size != size) return false;
    return true;
}

static uint32_t run_ptr(tsr_ll *e, const tsr_ll_place *p, uint32_t base, uint32_t lane)
{
    return offset_ptr(e, base, tsr_ll_lane(e, p->dyn, lane));
}

/* The vectors of the runs one after the other become one. */
static uint32_t join_runs(tsr_ll *e, const uint32_t *part, uint32_t count, uint32_t width, const char *type)
{
    uint32_t have[128];
    memcpy(have, part, count * sizeof *have);
    for (; count > 1; count /= 2, width *= 2)
        for (uint32_t i = 0; i < count / 2; i++) {
            uint32_t name = tsr_ll_new(e);
            tsr_text list;
            tsr_text_init(&list, e->arena);
            for (uint32_t k = 0; k < 2 * width; k++)
                tsr_text_printf(&list, "%si32 %u", k ? ", " : "", k);
            tsr_ll_line(e, "%%t%u = shufflevector <%u x %s> %%t%u, <%u x %s> %%t%u, <%u x i32> <%s>", name, width, type,
                        have[2 * i], width, type, have[2 * i + 1], 2 * width, tsr_text_get(&list));
            have[i] = name;
        }
    return have[0];
}

/* Components c, c + group, ... of a vector of `from` elements. */
static uint32_t take_every(tsr_ll *e, uint32_t vector, uint32_t from, uint32_t c, uint32_t group, uint32_t count,
                           const char *type)
{
    uint32_t name = tsr_ll_new(e);
    tsr_text list;
    tsr_text_init(&list, e->arena);
    for (uint32_t k = 0; k < count; k++)
        tsr_text_printf(&list, "%si32 %u", k ? ", " : "", c + k * group);
    tsr_ll_line(e, "%%t%u = shufflevector <%u x %s> %%t%u, <%u x %s> poison, <%u x i32> <%s>", name, from, type, vector,
                from, type, count, tsr_text_get(&list));
    return name;
}

static void load_runs(tsr_ll *e, const tsr_ll_place *p, const tsr_ll_leaves *l, runs r, uint32_t *names)
{
    uint32_t count = e->size / r.lanes, part[4][128];
    uint32_t base = place_base(e, p, l->list[0].byte);
    const char *type = memory_type(l->list[0].type);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t ptr = run_ptr(e, p, base, i * r.lanes);
        for (uint32_t c = 0; c < l->count; c++) {
            if (r.group == 0) {
                uint32_t at = l->list[c].byte ? address(e, ptr, l->list[c].byte - l->list[0].byte) : ptr;
                uint32_t x = tsr_ll_new(e), v = tsr_ll_new(e);
                const char *t = memory_type(l->list[c].type);
                part[c][i] = tsr_ll_new(e);
                tsr_ll_line(e, "%%t%u = load %s, ptr %%t%u, align %u", x, t, at, l->list[c].size);
                tsr_ll_line(e, "%%t%u = insertelement <%u x %s> poison, %s %%t%u, i64 0", v, r.lanes, t, t, x);
                tsr_ll_line(e, "%%t%u = shufflevector <%u x %s> %%t%u, <%u x %s> poison, <%u x i32> zeroinitializer",
                            part[c][i], r.lanes, t, v, r.lanes, t, r.lanes);
                continue;
            }
            if (c == 0) {
                part[0][i] = tsr_ll_new(e);
                tsr_ll_line(e, "%%t%u = load <%u x %s>, ptr %%t%u, align %u", part[0][i], r.lanes * r.group, type, ptr,
                            l->list[0].size);
            }
            if (r.group > 1 && c == 0) {
                uint32_t whole = part[0][i];
                for (uint32_t k = 0; k < l->count; k++)
                    part[k][i] = take_every(e, whole, r.lanes * r.group, k, r.group, r.lanes, type);
            }
        }
    }
    for (uint32_t c = 0; c < l->count; c++)
        names[c] = join_runs(e, part[c], count, r.lanes, memory_type(l->list[c].type));
}

/* A value of few scalars whose lanes differ in place. */
static void load_each(tsr_ll *e, const tsr_ll_place *p, const tsr_ll_leaves *l, tsr_ll_value *v)
{
    runs r;
    uint32_t fast[4], slow_in = tsr_ll_new(e), fast_in = tsr_ll_new(e), end = tsr_ll_new(e), slow_out = tsr_ll_new(e),
                      fast_out = tsr_ll_new(e);
    if (l->count > 4 || !find_runs(e, p, l, &r)) {
        tsr_ll_word safe = safe_dyn(e, p);
        for (uint32_t i = 0; i < l->count; i++)
            v->words[i] = from_memory(e, load_scattered(e, p, &l->list[i], safe), l->list[i].type);
        return;
    }
    if (!p->has_check) {
        load_runs(e, p, l, r, fast);
        for (uint32_t i = 0; i < l->count; i++) {
            tsr_ll_word w = tsr_ll_named(memory_kind(l->list[i].type), LL_EACH, fast[i]);
            w.shape = tsr_shape_any(&e->shapes);
            v->words[i] = from_memory(e, w, l->list[i].type);
        }
        return;
    }
    tsr_ll_word slow[4];
    tsr_ll_branch(e, p->all, fast_in, slow_in);
    tsr_ll_label(e, fast_in);
    load_runs(e, p, l, r, fast);
    tsr_ll_label(e, fast_out);
    tsr_ll_jump(e, end);
    tsr_ll_label(e, slow_in);
    tsr_ll_note_oob(e, p);
    tsr_ll_word safe = safe_dyn(e, p);
    for (uint32_t i = 0; i < l->count; i++)
        slow[i] = tsr_ll_to_vector(e, load_scattered(e, p, &l->list[i], safe));
    tsr_ll_label(e, slow_out);
    tsr_ll_label(e, end);
    tsr_ll_word phi[4];
    for (uint32_t i = 0; i < l->count; i++) {
        phi[i] = tsr_ll_named(memory_kind(l->list[i].type), LL_EACH, tsr_ll_new(e));
        phi[i].shape = tsr_shape_any(&e->shapes);
        tsr_ll_line(e, "%%t%u = phi %s [ %%t%u, %%b%u ], [ %%t%u, %%b%u ]", phi[i].name, e->vector_name[phi[i].type],
                    fast[i], fast_out, slow[i].name, slow_out);
    }
    for (uint32_t i = 0; i < l->count; i++)
        v->words[i] = from_memory(e, phi[i], l->list[i].type);
}

/* ---- Stores. */

static uint32_t sink(tsr_ll *e)
{
    if (!e->sink) e->sink = tsr_ll_alloca(e, NULL, 64, 64);
    return e->sink;
}

/* The value of the last active lane: stores of several lanes to one place happen by ascending lane. */
static tsr_ll_word last_active(tsr_ll *e, tsr_ll_word w)
{
    if (w.form == LL_SAME) return w;
    if (e->all) return tsr_ll_lane(e, w, e->size - 1);
    uint32_t bits = tsr_ll_bits(e, tsr_ll_mask(e)), zeros = tsr_ll_new(e), lane = tsr_ll_new(e), safe = tsr_ll_new(e);
    char text[64];
    snprintf(text, sizeof text, "i%u @llvm.ctlz.i%u(i%u, i1)", e->size, e->size, e->size);
    tsr_ll_declare(e, keep(e, text));
    const char *x = tsr_ll_vector(e, w);
    tsr_ll_line(e, "%%t%u = call i%u @llvm.ctlz.i%u(i%u %%t%u, i1 false)", zeros, e->size, e->size, e->size, bits);
    tsr_ll_line(e, "%%t%u = sub i%u %u, %%t%u", lane, e->size, e->size - 1, zeros);
    tsr_ll_line(e, "%%t%u = and i%u %%t%u, %u", safe, e->size, lane, e->size - 1);
    tsr_ll_word r = tsr_ll_named(w.type, LL_SAME, tsr_ll_new(e));
    r.shape = tsr_shape_any(&e->shapes);
    r.shape.run = e->shapes.full;
    tsr_ll_line(e, "%%t%u = extractelement %s %s, i%u %%t%u", r.name, e->vector_name[w.type], x, e->size, safe);
    return r;
}

static void store_same(tsr_ll *e, const tsr_ll_place *p, const tsr_ll_leaf *leaf, tsr_ll_word w)
{
    w = to_memory(e, last_active(e, w));
    uint32_t ptr = place_base(e, p, leaf->byte);
    if (p->has_dyn) ptr = offset_ptr(e, ptr, safe_dyn(e, p));
    if (p->has_check) {
        uint32_t to = tsr_ll_new(e);
        tsr_ll_line(e, "%%t%u = select i1 %s, ptr %%t%u, ptr %%t%u", to, tsr_ll_scalar(e, p->all), ptr, sink(e));
        ptr = to;
    }
    tsr_ll_line(e, "store %s %s, ptr %%t%u, align %u", memory_type(leaf->type), tsr_ll_scalar(e, w), ptr, leaf->size);
}

static void store_scattered(tsr_ll *e, const tsr_ll_place *p, const tsr_ll_leaf *leaf, tsr_ll_word w)
{
    const char *helper = tsr_ll_scatter(e, leaf->size);
    tsr_ll_word lanes = p->has_check ? p->lanes : tsr_ll_const(e, LL_B, 1);
    if (!e->all) lanes = p->has_check ? tsr_ll_op2(e, "and", lanes, tsr_ll_mask(e)) : tsr_ll_mask(e);
    uint32_t ptr = place_base(e, p, leaf->byte), bits = tsr_ll_bits(e, lanes);
    if (leaf->size == 4) w = tsr_ll_to_bits(e, w);
    const char *value = tsr_ll_vector(e, w);
    tsr_ll_line(e, "call void @%s(ptr %%t%u, %s %s, <%u x i%u> %s, i%u %%t%u)", helper, ptr, e->vector_name[LL_I],
                tsr_ll_vector(e, p->dyn), e->size, leaf->size * 8u, value, e->size, bits);
}

static uint32_t split_run(tsr_ll *e, const char *vector, uint32_t lanes, uint32_t first, const char *type)
{
    uint32_t name = tsr_ll_new(e);
    tsr_text list;
    tsr_text_init(&list, e->arena);
    for (uint32_t k = 0; k < lanes; k++)
        tsr_text_printf(&list, "%si32 %u", k ? ", " : "", first + k);
    tsr_ll_line(e, "%%t%u = shufflevector <%u x %s> %s, <%u x %s> poison, <%u x i32> <%s>", name, e->size, type, vector,
                e->size, type, lanes, tsr_text_get(&list));
    return name;
}

/* Several vectors of a run side by side, component by component. */
static uint32_t interleave(tsr_ll *e, const uint32_t *part, uint32_t group, uint32_t lanes, const char *type)
{
    uint32_t pair[2], width = lanes;
    if (group == 1) return part[0];
    for (uint32_t i = 0; i < group / 2; i++)
        pair[i] = join_runs(e, part + 2 * i, 2, lanes, type);
    width = 2 * lanes;
    uint32_t whole = group == 2 ? pair[0] : join_runs(e, pair, 2, width, type), name = tsr_ll_new(e);
    tsr_text list;
    tsr_text_init(&list, e->arena);
    for (uint32_t k = 0; k < group * lanes; k++)
        tsr_text_printf(&list, "%si32 %u", k ? ", " : "", k % group * lanes + k / group);
    tsr_ll_line(e, "%%t%u = shufflevector <%u x %s> %%t%u, <%u x %s> poison, <%u x i32> <%s>", name, group * lanes,
                type, whole, group * lanes, type, group * lanes, tsr_text_get(&list));
    return name;
}

static void store_runs(tsr_ll *e, const tsr_ll_place *p, const tsr_ll_leaves *l, runs r, const tsr_ll_word *w)
{
    uint32_t count = e->size / r.lanes, base = place_base(e, p, l->list[0].byte);
    const char *type = memory_type(l->list[0].type), *value[4];
    for (uint32_t c = 0; c < r.group; c++)
        value[c] = tsr_ll_vector(e, w[c]);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t part[4], ptr = run_ptr(e, p, base, i * r.lanes);
        for (uint32_t c = 0; c < r.group; c++)
            part[c] = split_run(e, value[c], r.lanes, i * r.lanes, type);
        uint32_t whole = interleave(e, part, r.group, r.lanes, type);
        tsr_ll_line(e, "store <%u x %s> %%t%u, ptr %%t%u, align %u", r.lanes * r.group, type, whole, ptr,
                    l->list[0].size);
    }
}

/* All lanes side by side, some of them active, all in range. */
static void store_masked(tsr_ll *e, const tsr_ll_place *p, const tsr_ll_leaf *leaf, tsr_ll_word w)
{
    char text[160];
    const char *name = leaf->type == LL_F ? "f32" : "i32", *type = tsr_ll_type_name(e, memory_kind(leaf->type), true);
    uint32_t ptr = run_ptr(e, p, place_base(e, p, leaf->byte), 0);
    snprintf(text, sizeof text, "void @llvm.masked.store.v%u%s.p0(%s, ptr, i32, <%u x i1>)", e->size, name, type,
             e->size);
    tsr_ll_declare(e, keep(e, text));
    const char *value = tsr_ll_vector(e, w), *mask = tsr_ll_vector(e, tsr_ll_mask(e));
    tsr_ll_line(e, "call void @llvm.masked.store.v%u%s.p0(%s %s, ptr %%t%u, i32 4, <%u x i1> %s)", e->size, name, type,
                value, ptr, e->size, mask);
}

static void store_each(tsr_ll *e, const tsr_ll_place *p, const tsr_ll_leaves *l, const tsr_ll_value *v)
{
    runs r;
    tsr_ll_word w[4];
    bool quick = l->count <= 4 && find_runs(e, p, l, &r) && r.group == l->count;
    if (quick && !e->all) quick = e->o->masked_store && r.lanes == e->size && r.group == 1 && l->list[0].size == 4;
    for (uint32_t i = 0; i < l->count && quick; i++)
        w[i] = to_memory(e, v->words[i]);
    uint32_t fast = tsr_ll_new(e), slow = tsr_ll_new(e), end = tsr_ll_new(e);
    if (quick && p->has_check) {
        tsr_ll_branch(e, p->all, fast, slow);
        tsr_ll_label(e, fast);
    }
    if (quick && e->all) store_runs(e, p, l, r, w);
    if (quick && !e->all) store_masked(e, p, &l->list[0], w[0]);
    if (quick && !p->has_check) return;
    if (quick) {
        tsr_ll_jump(e, end);
        tsr_ll_label(e, slow);
        tsr_ll_note_oob(e, p);
    } else {
        check_oob(e, p);
    }
    for (uint32_t i = 0; i < l->count; i++)
        store_scattered(e, p, &l->list[i], to_memory(e, v->words[i]));
    if (quick) tsr_ll_label(e, end);
}

/* ---- Variables in memory. */

static tsr_ll_word lanes_offset(tsr_ll *e, tsr_ll_word words, uint32_t more)
{
    tsr_ll_word lane = tsr_ll_u32(e, 0);
    lane.form = LL_EVEN;
    lane.shape = (tsr_vshape){.run = e->shapes.full, .tz = 32, .known = true, .stride = 4, .max = e->size * 4};
    tsr_ll_word row = tsr_ll_mul_const(e, tsr_ll_add(e, words, tsr_ll_u32(e, more)), e->size * 4);
    return tsr_ll_to_vector(e, tsr_ll_add(e, row, lane));
}

static tsr_ll_word load_lanes_word(tsr_ll *e, const tsr_ll_place *p, uint32_t i, uint8_t type)
{
    tsr_ll_word w = tsr_ll_named(LL_I, p->is_same ? LL_SAME : LL_EACH, tsr_ll_new(e));
    w.shape = tsr_shape_any(&e->shapes);
    if (p->is_same) w.shape.run = e->shapes.full;
    uint32_t row = p->is_same ? 4 : e->size * 4;
    if (!p->has_dyn || p->dyn.form == LL_SAME) {
        uint32_t ptr = address(e, p->base, (p->off + i) * row);
        if (p->has_dyn) ptr = offset_ptr(e, ptr, tsr_ll_mul_const(e, safe_dyn(e, p), row));
        tsr_ll_line(e, "%%t%u = load %s, ptr %%t%u, align 4", w.name, tsr_ll_type_name(e, LL_I, !p->is_same), ptr);
        if (p->has_check) w = tsr_ll_select(e, p->all, w, tsr_ll_u32(e, 0));
        return tsr_ll_from_bits(e, w, type);
    }
    tsr_ll_word dyn = safe_dyn(e, p);
    tsr_ll_word off = p->is_same ? tsr_ll_to_vector(e, tsr_ll_mul_const(e, tsr_ll_add(e, dyn, tsr_ll_u32(e, i)), 4))
                                 : lanes_offset(e, dyn, i);
    const char *helper = tsr_ll_gather(e, 4);
    w.form = LL_EACH;
    w.shape = tsr_shape_any(&e->shapes);
    tsr_ll_line(e, "%%t%u = call <%u x i32> @%s(ptr %%t%u, %s %s)", w.name, e->size, helper,
                address(e, p->base, p->off * row), e->vector_name[LL_I], tsr_ll_vector(e, off));
    if (p->has_check) w = tsr_ll_select(e, p->lanes, w, tsr_ll_u32(e, 0));
    return tsr_ll_from_bits(e, w, type);
}

static void store_lanes_word(tsr_ll *e, const tsr_ll_place *p, uint32_t i, tsr_ll_word w)
{
    w = tsr_ll_to_bits(e, w);
    uint32_t row = p->is_same ? 4 : e->size * 4;
    if (p->is_same) w = tsr_ll_first_active(e, w);
    if (!p->has_dyn || p->dyn.form == LL_SAME) {
        uint32_t ptr = address(e, p->base, (p->off + i) * row);
        if (p->has_dyn) ptr = offset_ptr(e, ptr, tsr_ll_mul_const(e, safe_dyn(e, p), row));
        const char *type = tsr_ll_type_name(e, LL_I, !p->is_same);
        tsr_ll_word old = tsr_ll_named(LL_I, p->is_same ? LL_SAME : LL_EACH, tsr_ll_new(e));
        old.shape = tsr_shape_any(&e->shapes);
        tsr_ll_line(e, "%%t%u = load %s, ptr %%t%u, align 4", old.name, type, ptr);
        if (p->has_check) w = tsr_ll_select(e, p->all, w, old);
        if (!e->all && !p->is_same) w = tsr_ll_select(e, tsr_ll_mask(e), w, old);
        tsr_ll_line(e, "store %s %s, ptr %%t%u, align 4", type, p->is_same ? tsr_ll_scalar(e, w) : tsr_ll_vector(e, w),
                    ptr);
        return;
    }
    if (p->is_same) {
        tsr_ll_fail(e, "a store to different places of a uniform variable");
        return;
    }
    const char *helper = tsr_ll_scatter(e, 4);
    tsr_ll_word lanes = p->has_check ? p->lanes : tsr_ll_const(e, LL_B, 1);
    if (!e->all) lanes = tsr_ll_op2(e, "and", tsr_ll_to_vector(e, lanes), tsr_ll_mask(e));
    uint32_t bits = tsr_ll_bits(e, lanes);
    tsr_ll_word off = lanes_offset(e, p->dyn, i);
    const char *value = tsr_ll_vector(e, w), *offsets = tsr_ll_vector(e, off);
    tsr_ll_line(e, "call void @%s(ptr %%t%u, %s %s, %s %s, i%u %%t%u)", helper, address(e, p->base, p->off * row),
                e->vector_name[LL_I], offsets, e->vector_name[LL_I], value, e->size, bits);
}

/* ---- Values. */

static tsr_ll_value load_place(tsr_ll *e, const tsr_ll_place *p, tsr_type type)
{
    const tsr_ll_leaves *l = tsr_ll_type_leaves(e, type);
    tsr_ll_value v = tsr_ll_make(e, l->count);
    if (e->failed) return v;
    bool same = !p->has_dyn || p->dyn.form == LL_SAME;
    runs r;
    if (same || p->root == LL_ROOT_LANES || l->count > 4 || !find_runs(e, p, l, &r)) check_oob(e, p);
    if (p->root == LL_ROOT_WORDS)
        for (uint32_t i = 0; i < l->count; i++)
            v.words[i] = tsr_ll_load_slot(e, &e->slots[p->var], (uint32_t)p->off + i);
    else if (p->root == LL_ROOT_LANES)
        for (uint32_t i = 0; i < l->count; i++)
            v.words[i] = load_lanes_word(e, p, i, l->list[i].type);
    else if (same)
        for (uint32_t i = 0; i < l->count; i++)
            v.words[i] = load_same(e, p, &l->list[i]);
    else
        load_each(e, p, l, &v);
    return v;
}

static void store_place(tsr_ll *e, const tsr_ll_place *p, const tsr_ll_value *v, tsr_type type)
{
    const tsr_ll_leaves *l = tsr_ll_type_leaves(e, type);
    if (e->failed) return;
    bool same = !p->has_dyn || p->dyn.form == LL_SAME;
    if (same || p->root == LL_ROOT_LANES) check_oob(e, p);
    if (p->root == LL_ROOT_WORDS)
        for (uint32_t i = 0; i < l->count; i++)
            tsr_ll_store_slot(e, &e->slots[p->var], (uint32_t)p->off + i, v->words[i]);
    else if (p->root == LL_ROOT_LANES)
        for (uint32_t i = 0; i < l->count; i++)
            store_lanes_word(e, p, i, v->words[i]);
    else if (same)
        for (uint32_t i = 0; i < l->count; i++)
            store_same(e, p, &l->list[i], v->words[i]);
    else
        store_each(e, p, l, v);
}

static void call_barrier(tsr_ll *e)
{
    uint32_t at = tsr_ll_new(e), function = tsr_ll_new(e);
    e->has_barriers = true;
    tsr_ll_line(e, "%%t%u = getelementptr i8, ptr %%frame, i64 %d", at, TSR_FRAME_BARRIER);
    tsr_ll_line(e, "%%t%u = load ptr, ptr %%t%u, align 8", function, at);
    tsr_ll_line(e, "call void %%t%u(ptr %%frame)", function);
}

static void emit_array_length(tsr_ll *e, tsr_id id)
{
    const tsr_ll_place *p = tsr_ll_place_of(e, tsr_ll_arg(e, id, 0));
    const tsr_type_info *t = tsr_type_get(e->types, p->pointee);
    if (e->failed || p->root != LL_ROOT_BINDING || t->stride == 0 || p->has_dyn) {
        tsr_ll_fail(e, "the length of something that is no array");
        return;
    }
    tsr_ll_value v = tsr_ll_make(e, 1);
    v.words[0] = t->size.value ? tsr_ll_u32(e, t->size.value) : tsr_ll_element_count(e, p, t->stride);
    tsr_ll_set(e, id, v);
}

static bool is_matrix(const tsr_ll *e, tsr_type type)
{
    return tsr_type_contains(e->types, type, TSR_T_smat);
}

static void emit_load(tsr_ll *e, tsr_id id)
{
    if (is_matrix(e, tsr_ll_inst(e, id)->type)) {
        tsr_ll_load_matrix(e, id);
        return;
    }
    const tsr_ll_place *p = tsr_ll_place_of(e, tsr_ll_arg(e, id, 0));
    if (e->failed) return;
    tsr_ll_value v = load_place(e, p, tsr_ll_inst(e, id)->type);
    if (!e->failed) tsr_ll_set(e, id, v);
}

void tsr_ll_emit_memory(tsr_ll *e, tsr_id id)
{
    const tsr_inst *inst = tsr_ll_inst(e, id);
    switch (inst->op) {
    case TSR_OP_var: emit_var(e, id); break;
    case TSR_OP_field: emit_field(e, id); break;
    case TSR_OP_index: emit_index(e, id); break;
    case TSR_OP_load: emit_load(e, id); break;
    case TSR_OP_store: {
        tsr_id value = tsr_ll_arg(e, id, 1);
        if (is_matrix(e, tsr_ll_inst(e, value)->type)) {
            tsr_ll_store_matrix(e, id);
            break;
        }
        const tsr_ll_place *p = tsr_ll_place_of(e, tsr_ll_arg(e, id, 0));
        tsr_ll_value v = tsr_ll_get(e, value);
        if (!e->failed) store_place(e, p, &v, tsr_ll_inst(e, value)->type);
        break;
    }
    case TSR_OP_load_uniform:
        call_barrier(e);
        emit_load(e, id);
        call_barrier(e);
        break;
    case TSR_OP_array_length: emit_array_length(e, id); break;
    case TSR_OP_barrier_workgroup:
    case TSR_OP_barrier_storage:
    case TSR_OP_barrier_texture: call_barrier(e); break;
    default: break; /* barrier_subgroup: its lanes run together */
    }
}

/* ---- Atomics. */

static const char *atomic_op(tsr_op op, bool is_signed)
{
    switch (op) {
    case TSR_OP_atomic_add: return "add";
    case TSR_OP_atomic_sub: return "sub";
    case TSR_OP_atomic_max: return is_signed ? "max" : "umax";
    case TSR_OP_atomic_min: return is_signed ? "min" : "umin";
    case TSR_OP_atomic_and: return "and";
    case TSR_OP_atomic_or: return "or";
    case TSR_OP_atomic_xor: return "xor";
    default: return "xchg"; /* exchange, store */
    }
}

/* A helper that does it lane by lane, ascending: <S x i32> (ptr, offsets, values, comparands, lanes). */
static const char *atomic_helper(tsr_ll *e, tsr_op op, bool is_signed)
{
    char name[48], *kept;
    const char *word = op == TSR_OP_atomic_cas ? "cas" : op == TSR_OP_atomic_load ? "load" : atomic_op(op, is_signed);
    snprintf(name, sizeof name, "tsr_atomic_%s", word);
    kept = tsr_arena_strndup(e->arena, name, strlen(name));
    if (!tsr_ll_once(e, kept)) return kept;
    uint32_t n = e->size;
    tsr_text *t = &e->tail;
    tsr_text_printf(t,
                    "define internal <%u x i32> @%s(ptr %%base, <%u x i32> %%off, <%u x i32> %%val, <%u x i32> %%cmp, "
                    "i%u %%lanes) noinline nounwind {\n",
                    n, name, n, n, n, n);
    tsr_text_printf(t,
                    "  %%o = alloca <%u x i32>, align 64\n  %%v = alloca <%u x i32>, align 64\n  %%c = alloca <%u x "
                    "i32>, align 64\n  %%r = alloca <%u x i32>, align 64\n",
                    n, n, n, n);
    tsr_text_printf(t,
                    "  store <%u x i32> %%off, ptr %%o, align 64\n  store <%u x i32> %%val, ptr %%v, align 64\n  store "
                    "<%u x i32> %%cmp, ptr %%c, align 64\n  store <%u x i32> zeroinitializer, ptr %%r, align 64\n",
                    n, n, n, n);
    tsr_text_printf(t,
                    "  br label %%head\nhead:\n  %%i = phi i64 [ 0, %%0 ], [ %%next, %%tail ]\n  %%m = phi i%u [ "
                    "%%lanes, %%0 ], [ %%rest, %%tail ]\n",
                    n);
    tsr_text_printf(
        t, "  %%bit = and i%u %%m, 1\n  %%on = icmp ne i%u %%bit, 0\n  br i1 %%on, label %%act, label %%tail\nact:\n",
        n, n);
    tsr_text_puts(t, "  %po = getelementptr i32, ptr %o, i64 %i\n  %x = load i32, ptr %po, align 4\n"
                     "  %pv = getelementptr i32, ptr %v, i64 %i\n  %y = load i32, ptr %pv, align 4\n"
                     "  %pc = getelementptr i32, ptr %c, i64 %i\n  %z = load i32, ptr %pc, align 4\n"
                     "  %w = zext i32 %x to i64\n  %p = getelementptr i8, ptr %base, i64 %w\n");
    if (op == TSR_OP_atomic_cas)
        tsr_text_puts(
            t,
            "  %both = cmpxchg ptr %p, i32 %z, i32 %y seq_cst seq_cst\n  %old = extractvalue { i32, i1 } %both, 0\n");
    else if (op == TSR_OP_atomic_load)
        tsr_text_puts(t, "  %old = load atomic i32, ptr %p monotonic, align 4\n");
    else
        tsr_text_printf(t, "  %%old = atomicrmw %s ptr %%p, i32 %%y monotonic, align 4\n", word);
    tsr_text_printf(
        t,
        "  %%pr = getelementptr i32, ptr %%r, i64 %%i\n  store i32 %%old, ptr %%pr, align 4\n  br label %%tail\n"
        "tail:\n  %%next = add i64 %%i, 1\n  %%rest = lshr i%u %%m, 1\n  %%done = icmp eq i64 %%next, %u\n"
        "  br i1 %%done, label %%end, label %%head\nend:\n  %%all = load <%u x i32>, ptr %%r, align 64\n  ret <%u x "
        "i32> %%all\n}\n\n",
        n, n, n, n);
    return kept;
}

static void emit_atomic_load(tsr_ll *e, tsr_id id, const tsr_ll_place *p)
{
    uint32_t ptr = place_base(e, p, 0);
    if (p->has_dyn) ptr = offset_ptr(e, ptr, safe_dyn(e, p));
    tsr_ll_word w = tsr_ll_named(LL_I, LL_SAME, tsr_ll_new(e));
    w.shape = tsr_shape_any(&e->shapes);
    w.shape.run = e->shapes.full;
    tsr_ll_line(e, "%%t%u = load atomic i32, ptr %%t%u monotonic, align 4", w.name, ptr);
    tsr_ll_value v = tsr_ll_make(e, 1);
    v.words[0] = p->has_check ? tsr_ll_select(e, p->all, w, tsr_ll_u32(e, 0)) : w;
    tsr_ll_set(e, id, v);
}

void tsr_ll_emit_atomic(tsr_ll *e, tsr_id id)
{
    const tsr_inst *inst = tsr_ll_inst(e, id);
    const tsr_ll_place *p = tsr_ll_place_of(e, tsr_ll_arg(e, id, 0));
    if (e->failed) return;
    if (p->root != LL_ROOT_GROUP && p->root != LL_ROOT_BINDING) {
        tsr_ll_fail(e, "an atomic in memory of its own");
        return;
    }
    check_oob(e, p);
    if (inst->op == TSR_OP_atomic_load && (!p->has_dyn || p->dyn.form == LL_SAME)) {
        emit_atomic_load(e, id, p);
        return;
    }
    bool is_signed = tsr_type_scalar(e->types, p->pointee) == TSR_T_i32;
    const char *helper = atomic_helper(e, (tsr_op)inst->op, is_signed);
    tsr_ll_word zero = tsr_ll_u32(e, 0), value = zero, comparand = zero;
    if (inst->op == TSR_OP_atomic_cas) {
        comparand = tsr_ll_get(e, tsr_ll_arg(e, id, 1)).words[0];
        value = tsr_ll_get(e, tsr_ll_arg(e, id, 2)).words[0];
    } else if (inst->nargs > 1) {
        value = tsr_ll_get(e, tsr_ll_arg(e, id, 1)).words[0];
    }
    tsr_ll_word lanes = p->has_check ? tsr_ll_to_vector(e, p->lanes) : tsr_ll_const(e, LL_B, 1);
    if (!e->all) lanes = p->has_check ? tsr_ll_op2(e, "and", lanes, tsr_ll_mask(e)) : tsr_ll_mask(e);
    const char *offsets = tsr_ll_vector(e, p->has_dyn ? p->dyn : zero), *values = tsr_ll_vector(e, value),
               *comparands = tsr_ll_vector(e, comparand);
    uint32_t ptr = place_base(e, p, 0), bits = tsr_ll_bits(e, lanes), name = tsr_ll_new(e);
    const char *v = e->vector_name[LL_I];
    tsr_ll_line(e, "%%t%u = call %s @%s(ptr %%t%u, %s %s, %s %s, %s %s, i%u %%t%u)", name, v, helper, ptr, v, offsets,
                v, values, v, comparands, e->size, bits);
    if (inst->type == TSR_T_void) return;
    tsr_ll_word old = tsr_ll_named(LL_I, LL_EACH, name);
    old.shape = tsr_shape_any(&e->shapes);
    bool cas = inst->op == TSR_OP_atomic_cas;
    tsr_ll_value r = tsr_ll_make(e, cas ? 2 : 1);
    r.words[0] = old;
    if (cas) r.words[1] = tsr_ll_op2(e, "and", tsr_ll_cmp(e, "icmp eq", old, comparand), lanes);
    tsr_ll_set(e, id, r);
}
