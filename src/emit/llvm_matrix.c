/* Subgroup matrices as blocks of memory (see tsr_ll_block): loads, stores, variables, and ops on every component. What
 * is loaded in place and not changed before it is used is not copied: the value is then where it lies. */
#include "emit/llvm_inside.h"

#include "emit/llvm_block.h"

#include <stdio.h>
#include <string.h>

/* ---- Types. */

static bool find_block(const tsr_ll *e, tsr_ll_matrix *m)
{
    switch (m->component) {
    case TSR_F16:
        m->block = m->use == TSR_USE_A || m->use == TSR_USE_B ? LL_BLOCK_F16 : LL_BLOCK_F32;
        return e->o->cpu.f16c;
    case TSR_F32: m->block = LL_BLOCK_F32; return true;
    case TSR_U32:
    case TSR_S32: m->block = LL_BLOCK_I32; return true;
    case TSR_U8:
    case TSR_S8: m->block = m->use == TSR_USE_A || m->use == TSR_USE_B ? LL_BLOCK_I8 : LL_BLOCK_I32; return true;
    default: return false;
    }
}

bool tsr_ll_matrix_type(tsr_ll *e, tsr_type type, tsr_ll_matrix *m)
{
    const tsr_type_info *t = tsr_type_get(e->types, type);
    *m = (tsr_ll_matrix){.component = t->component, .use = t->use, .rows = t->size.value, .cols = t->size2.value};
    if (t->kind == TSR_T_smat && find_block(e, m)) return true;
    tsr_ll_fail(e, "values of type %s", tsr_type_cstr(e->types, e->arena, type));
    return false;
}

static tsr_ll_matrix new_block(tsr_ll *e, tsr_ll_matrix m)
{
    m.ptr = tsr_ll_alloca(e, NULL, tsr_ll_block_bytes(&m), 64);
    m.array = m.stride = 0;
    return m;
}

/* ---- Values that need no copy. */

static tsr_space space_of(const tsr_ll *e, tsr_id ptr)
{
    return (tsr_space)tsr_type_get(e->types, tsr_ll_inst(e, ptr)->type)->space;
}

typedef struct search {
    const tsr_ll *e;
    tsr_id value, var; /* var: 0 when the value lies in shared memory */
    uint32_t seen;
    bool conflict, foreign;
} search;

/* What a value that is not copied may be used for: it is read there and then. */
static bool is_reader(uint16_t op)
{
    return op == TSR_OP_mma || op == TSR_OP_mstore || op == TSR_OP_madd || op == TSR_OP_msub || op == TSR_OP_mscale;
}

static void search_inst(void *user, tsr_id id)
{
    search *s = user;
    const tsr_inst *inst = tsr_ll_inst(s->e, id);
    uint16_t flags = tsr_op_table[inst->op].flags;
    for (uint32_t i = 0; i < inst->nargs; i++)
        if (tsr_arg(s->e->ir, inst, i) == s->value) {
            s->seen++;
            if (!is_reader(inst->op)) s->foreign = true;
        }
    bool writes = false;
    if (inst->op == TSR_OP_store || inst->op == TSR_OP_mstore) {
        tsr_id ptr = tsr_arg(s->e->ir, inst, 0);
        bool own = space_of(s->e, ptr) == TSR_SPACE_function || space_of(s->e, ptr) == TSR_SPACE_private;
        tsr_id root = tsr_pointer_root(s->e->ir, ptr);
        writes = s->var ? own && (root == s->var || tsr_ll_inst(s->e, root)->op == TSR_OP_param) : !own;
    } else if (inst->op == TSR_OP_var) {
        writes = id == s->var;
    } else if (inst->op == TSR_OP_call || (!s->var && flags & (TSR_OPF_ATOMIC | TSR_OPF_BARRIER))) {
        writes = true;
    }
    if (writes) s->conflict = true;
}

/* From behind `id` to its last use, in its block and the blocks below, nothing writes what it was loaded from. */
static bool stays(const tsr_ll *e, tsr_id id, tsr_id var)
{
    search s = {.e = e, .value = id, .var = var};
    const tsr_block_info *info = tsr_block_at(e->ir, e->shapes.block_of[id]);
    uint32_t i = 0;
    while (i < info->count && info->insts[i] != id)
        i++;
    for (i++; i < info->count && s.seen < e->uses[id]; i++) {
        const tsr_inst *inst = tsr_ll_inst(e, info->insts[i]);
        bool before = s.conflict;
        search_inst(&s, info->insts[i]);
        bool deep = (tsr_op_table[inst->op].flags & TSR_OPF_BLOCKS) != 0;
        if (deep && inst->op != TSR_OP_switch) {
            for (uint32_t k = 0; k < 2; k++)
                if (tsr_inst_block(e->ir, inst, k))
                    tsr_block_walk(e->ir, tsr_inst_block(e->ir, inst, k), search_inst, &s);
        } else if (deep) {
            s.conflict = true;
        }
        /* What writes after reading, in one instruction and for the last time, does no harm. */
        if (s.conflict && (deep || before || s.seen < e->uses[id])) return false;
    }
    return s.seen == e->uses[id] && !s.foreign;
}

/* The one store that takes this value, when nothing but pure ops stands between; else 0. */
tsr_id tsr_ll_find_store(const tsr_ll *e, tsr_id id)
{
    if (e->uses[id] != 1) return 0;
    const tsr_block_info *info = tsr_block_at(e->ir, e->shapes.block_of[id]);
    uint32_t i = 0;
    while (i < info->count && info->insts[i] != id)
        i++;
    for (i++; i < info->count; i++) {
        const tsr_inst *inst = tsr_ll_inst(e, info->insts[i]);
        if (inst->op == TSR_OP_store && tsr_arg(e->ir, inst, 1) == id) return info->insts[i];
        bool pure = (tsr_op_table[inst->op].flags & TSR_OPF_PURE) && !(tsr_op_table[inst->op].flags & TSR_OPF_SG_UNI);
        if (!pure) return 0;
    }
    return 0;
}

bool tsr_ll_is_view(const tsr_ll *e, tsr_id id)
{
    return stays(e, id, tsr_pointer_root(e->ir, tsr_ll_arg(e, id, 0)));
}

/* ---- Variables. */

static tsr_type matrix_below(const tsr_ll *e, tsr_type type, uint64_t *count)
{
    *count = 1;
    while (tsr_type_kind_of(e->types, type) == TSR_T_array) {
        *count *= tsr_type_get(e->types, type)->size.value;
        type = tsr_type_get(e->types, type)->elem;
    }
    return type;
}

void tsr_ll_make_matrix_var(tsr_ll *e, tsr_id id, tsr_type type)
{
    uint64_t count;
    tsr_ll_matrix m;
    if (!tsr_ll_matrix_type(e, matrix_below(e, type, &count), &m)) return;
    if (count > (1u << 20)) {
        tsr_ll_fail(e, "a variable of more than a million matrices");
        return;
    }
    e->place[id].root = LL_ROOT_MATRIX;
    e->place[id].base = tsr_ll_alloca(e, NULL, tsr_ll_block_bytes(&m) * count, 64);
}

/* The ptr to the block that a place leads to; outside of its array, to one that is `instead`. */
static uint32_t block_ptr(tsr_ll *e, const tsr_ll_place *p, uint64_t bytes, uint32_t instead)
{
    uint32_t ptr = tsr_ll_new(e);
    tsr_ll_line(e, "%%t%u = getelementptr i8, ptr %%t%u, i64 %llu", ptr, p->base, (unsigned long long)(p->off * bytes));
    if (!p->has_dyn) return ptr;
    tsr_ll_word dyn = tsr_ll_first_active(e, p->dyn);
    uint32_t wide = tsr_ll_new(e), off = tsr_ll_new(e), at = tsr_ll_new(e);
    tsr_ll_line(e, "%%t%u = zext i32 %s to i64", wide, tsr_ll_scalar(e, dyn));
    tsr_ll_line(e, "%%t%u = mul i64 %%t%u, %llu", off, wide, (unsigned long long)bytes);
    tsr_ll_line(e, "%%t%u = getelementptr i8, ptr %%t%u, i64 %%t%u", at, ptr, off);
    if (!p->has_check) return at;
    uint32_t chosen = tsr_ll_new(e);
    tsr_ll_word all = tsr_ll_first_active(e, tsr_ll_place_lanes(e, p));
    tsr_ll_line(e, "%%t%u = select i1 %s, ptr %%t%u, ptr %%t%u", chosen, tsr_ll_scalar(e, all), at, instead);
    return chosen;
}

void tsr_ll_zero(tsr_ll *e, uint32_t ptr, uint64_t bytes)
{
    tsr_ll_declare(e, "void @llvm.memset.p0.i64(ptr, i8, i64, i1)");
    tsr_ll_line(e, "call void @llvm.memset.p0.i64(ptr align 64 %%t%u, i8 0, i64 %llu, i1 false)", ptr,
                (unsigned long long)bytes);
}

static void copy_block(tsr_ll *e, uint32_t to, uint32_t from, uint64_t bytes)
{
    tsr_ll_declare(e, "void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)");
    tsr_ll_line(e, "call void @llvm.memcpy.p0.p0.i64(ptr align 64 %%t%u, ptr align 64 %%t%u, i64 %llu, i1 false)", to,
                from, (unsigned long long)bytes);
}

static uint32_t widen(tsr_ll *e, tsr_ll_word w)
{
    uint32_t name = tsr_ll_new(e);
    w = tsr_ll_first_active(e, w);
    tsr_ll_line(e, "%%t%u = zext i32 %s to i64", name, tsr_ll_scalar(e, w));
    return name;
}

/* The ptr to component `from` (i64) of an array. */
static uint32_t component_ptr(tsr_ll *e, const tsr_ll_matrix *m, uint32_t array, uint32_t from)
{
    uint32_t ptr = tsr_ll_new(e), bytes = tsr_ll_new(e);
    tsr_ll_line(e, "%%t%u = mul i64 %%t%u, %u", bytes, from, tsr_component_bits((tsr_component)m->component) / 8);
    tsr_ll_line(e, "%%t%u = getelementptr i8, ptr %%t%u, i64 %%t%u", ptr, array, bytes);
    return ptr;
}

static void find_view(tsr_ll *e, tsr_ll_matrix *m)
{
    if (m->ptr || !m->array) return;
    m->ptr = component_ptr(e, m, m->array, widen(e, tsr_ll_join(e, m->from)));
}

/* A matrix that is known to be zero has no block until one is asked for. */
static tsr_ll_matrix with_block(tsr_ll *e, tsr_ll_matrix m)
{
    find_view(e, &m);
    if (m.ptr) return m;
    m = new_block(e, m);
    tsr_ll_zero(e, m.ptr, tsr_ll_block_bytes(&m));
    return m;
}

static const char *stride_text(tsr_ll *e, const tsr_ll_matrix *m)
{
    char buf[32];
    if (m->stride)
        snprintf(buf, sizeof buf, "%%t%u", m->stride);
    else
        snprintf(buf, sizeof buf, "%u", tsr_ll_block_pitch(m));
    return tsr_arena_strndup(e->arena, buf, strlen(buf));
}

/* Without gaps between the rows. */
static tsr_ll_matrix dense(tsr_ll *e, tsr_ll_matrix m)
{
    m = with_block(e, m);
    if (!m.stride && !m.pitch && !m.turned) return m;
    tsr_ll_matrix type = m;
    type.pitch = 0;
    type.turned = false;
    tsr_ll_matrix r = new_block(e, type);
    tsr_ll_line(e, "call void @%s(ptr %%t%u, ptr %%t%u, i64 0, i64 %s)", tsr_ll_block_mover(e, &type, m.turned, false),
                r.ptr, m.ptr, stride_text(e, &m));
    return r;
}

tsr_ll_matrix tsr_ll_new_matrix(tsr_ll *e, tsr_type type)
{
    tsr_ll_matrix m;
    return tsr_ll_matrix_type(e, type, &m) ? new_block(e, m) : m;
}

void tsr_ll_copy_matrix(tsr_ll *e, tsr_ll_matrix to, tsr_ll_matrix from)
{
    from = dense(e, from);
    copy_block(e, to.ptr, from.ptr, tsr_ll_block_bytes(&to));
}

void tsr_ll_load_matrix(tsr_ll *e, tsr_id id)
{
    const tsr_ll_place *p = tsr_ll_place_of(e, tsr_ll_arg(e, id, 0));
    tsr_ll_matrix m;
    if (e->failed) return;
    if (p->root != LL_ROOT_MATRIX) {
        tsr_ll_fail(e, "a matrix in memory that is not the subgroup's own");
        return;
    }
    if (!tsr_ll_matrix_type(e, tsr_ll_inst(e, id)->type, &m)) return;
    uint64_t bytes = tsr_ll_block_bytes(&m);
    uint32_t zero = 0;
    tsr_ll_check_oob(e, p);
    if (p->has_check) {
        zero = tsr_ll_alloca(e, NULL, bytes, 64);
        tsr_ll_zero(e, zero, bytes);
    }
    uint32_t from = block_ptr(e, p, bytes, zero);
    if (tsr_ll_is_view(e, id)) {
        m.ptr = from;
    } else {
        m = new_block(e, m);
        copy_block(e, m.ptr, from, bytes);
    }
    e->matrix[id] = m;
}

static void emit_mma_to(tsr_ll *e, tsr_id id, uint32_t to, const tsr_ll_place *sum);

/* A `store`, or a `var` that begins with a value or with zero. */
void tsr_ll_store_matrix(tsr_ll *e, tsr_id id)
{
    const tsr_inst *inst = tsr_ll_inst(e, id);
    bool is_var = inst->op != TSR_OP_store;
    const tsr_ll_place *p = is_var ? &e->place[id] : tsr_ll_place_of(e, tsr_ll_arg(e, id, 0));
    tsr_id value = is_var ? (inst->nargs ? tsr_ll_arg(e, id, 0) : 0) : tsr_ll_arg(e, id, 1);
    uint64_t count;
    tsr_ll_matrix m;
    tsr_type type = is_var ? tsr_type_get(e->types, inst->type)->elem : tsr_ll_inst(e, value)->type;
    if (e->failed || !tsr_ll_matrix_type(e, matrix_below(e, type, &count), &m)) return;
    if (p->root != LL_ROOT_MATRIX) {
        tsr_ll_fail(e, "a matrix in memory that is not the subgroup's own");
        return;
    }
    uint64_t bytes = tsr_ll_block_bytes(&m);
    if (!is_var) tsr_ll_check_oob(e, p);
    uint32_t to = block_ptr(e, p, bytes, p->has_check ? tsr_ll_alloca(e, NULL, bytes * count, 64) : 0);
    bool is_zero = !value || tsr_ll_inst(e, value)->op == TSR_OP_zero;
    if (is_zero) {
        tsr_ll_zero(e, to, bytes * count);
        return;
    }
    if (tsr_type_kind_of(e->types, type) != TSR_T_smat) {
        tsr_ll_fail(e, "an array of matrices as one value");
        return;
    }
    if (tsr_ll_inst(e, value)->op == TSR_OP_mma && !is_var && tsr_ll_find_store(e, value) == id) {
        emit_mma_to(e, value, to, tsr_ll_is_sum(e, id) ? p : NULL);
        return;
    }
    tsr_ll_matrix from = dense(e, e->matrix[value]);
    copy_block(e, to, from.ptr, bytes);
}

/* ---- Loads from and stores to arrays. */

typedef struct tile {
    uint32_t ptr, offset, stride, present; /* ptr; i64 */
    uint32_t known_stride;                 /* when it is a constant, else 0 */
    uint64_t least_present;                /* what is known of it */
    bool is_checked;                       /* what it is in may itself be out of range */
    bool is_fixed;                         /* what it is in has a known length, at a known place */
    bool col_major;
} tile;

/* What is known without any code. */
static bool look_at_tile(tsr_ll *e, tsr_id id, const tsr_ll_matrix *m, tile *t)
{
    const tsr_ll_place *p = tsr_ll_place_of(e, tsr_ll_arg(e, id, 0));
    const tsr_type_info *array = tsr_type_get(e->types, p->pointee);
    uint32_t bytes = tsr_component_bits((tsr_component)m->component) / 8;
    if (e->failed) return false;
    if ((p->root != LL_ROOT_GROUP && p->root != LL_ROOT_BINDING) || array->kind != TSR_T_array || array->stride == 0 ||
        array->stride % bytes != 0) {
        tsr_ll_fail(e, "a matrix in something that is no array in shared memory");
        return false;
    }
    tsr_ll_word stride = tsr_ll_get(e, tsr_ll_arg(e, id, 2)).words[0];
    *t = (tile){.col_major = tsr_ll_inst(e, id)->aux & 1u, .is_checked = p->has_check};
    t->is_fixed = array->size.value && !p->has_dyn;
    t->known_stride = stride.is_const && stride.form == LL_SAME ? (uint32_t)stride.bits : 0;
    t->least_present =
        (uint64_t)(array->size.value ? array->size.value : tsr_range_least_length(e->ranges, tsr_ll_arg(e, id, 0))) *
        (array->stride / bytes);
    return !e->failed;
}

static void find_tile(tsr_ll *e, tsr_id id, const tsr_ll_matrix *m, tile *t)
{
    tsr_ll_place p = *tsr_ll_place_of(e, tsr_ll_arg(e, id, 0));
    const tsr_type_info *array = tsr_type_get(e->types, p.pointee);
    uint32_t bytes = tsr_component_bits((tsr_component)m->component) / 8;
    t->ptr = tsr_ll_shared_ptr(e, &p);
    t->present = tsr_ll_new(e);
    if (array->size.value) {
        tsr_ll_line(e, "%%t%u = add i64 0, %llu", t->present,
                    (unsigned long long)array->size.value * array->stride / bytes);
    } else {
        uint32_t count = widen(e, tsr_ll_element_count(e, &p, array->stride));
        tsr_ll_line(e, "%%t%u = mul i64 %%t%u, %u", t->present, count, array->stride / bytes);
    }
    if (p.has_check) {
        uint32_t checked = tsr_ll_new(e);
        tsr_ll_word ok = tsr_ll_first_active(e, tsr_ll_place_lanes(e, &p));
        tsr_ll_line(e, "%%t%u = select i1 %s, i64 %%t%u, i64 0", checked, tsr_ll_scalar(e, ok), t->present);
        t->present = checked;
    }
    t->offset = widen(e, tsr_ll_get(e, tsr_ll_arg(e, id, 1)).words[0]);
    t->stride = widen(e, tsr_ll_get(e, tsr_ll_arg(e, id, 2)).words[0]);
}

/* Whether a matrix access is inside its array for certain. */
static bool is_proved(tsr_ll *e, tsr_id id, const tile *t, const tsr_ll_matrix *m)
{
    uint64_t major = t->col_major ? m->cols : m->rows, minor = t->col_major ? m->rows : m->cols;
    tsr_range offset = tsr_range_of(e->ranges, tsr_ll_arg(e, id, 1)),
              stride = tsr_range_of(e->ranges, tsr_ll_arg(e, id, 2));
    if (t->is_checked || offset.low < 0 || stride.low < 0 || offset.low > offset.high || stride.low > stride.high)
        return false;
    return (uint64_t)offset.high + (uint64_t)stride.high * (major - 1) + minor <= t->least_present;
}

/* offset + stride * (major - 1) + minor <= present; 0: it is proved. */
static uint32_t is_inside(tsr_ll *e, tsr_id id, const tile *t, const tsr_ll_matrix *m)
{
    if (is_proved(e, id, t, m)) return 0;
    uint32_t major = t->col_major ? m->cols : m->rows, minor = t->col_major ? m->rows : m->cols;
    uint32_t rows = tsr_ll_new(e), sum = tsr_ll_new(e), end = tsr_ll_new(e), inside = tsr_ll_new(e);
    tsr_ll_line(e, "%%t%u = mul i64 %%t%u, %u", rows, t->stride, major - 1);
    tsr_ll_line(e, "%%t%u = add i64 %%t%u, %%t%u", sum, rows, t->offset);
    tsr_ll_line(e, "%%t%u = add i64 %%t%u, %u", end, sum, minor);
    tsr_ll_line(e, "%%t%u = icmp ule i64 %%t%u, %%t%u", inside, end, t->present);
    return inside;
}

/* Whether a matrix may be used where it lies in its array: the components are those of a block. A left operand of words
 * may be turned, since they are loaded one by one. */
static bool may_stay(tsr_ll *e, tsr_id id, const tsr_ll_matrix *m, bool col_major)
{
    bool alike = m->component == TSR_F32 || m->component == TSR_U32 || m->component == TSR_S32 ||
                 m->block == LL_BLOCK_F16 || m->block == LL_BLOCK_I8;
    bool even = tsr_ll_block_rows(m) == m->rows && tsr_ll_block_pitch(m) == m->cols; /* else zeros follow */
    bool plain = !col_major || (m->use == TSR_USE_A && m->block != LL_BLOCK_F16 && m->block != LL_BLOCK_I8);
    return alike && even && plain && stays(e, id, 0);
}

/* A copy of what is not all inside keeps the distance of the rows, when that is known, so that it is known behind. */
#define PITCH_BYTES_MOST 65536u

static uint64_t word_key(tsr_ll_word w)
{
    return w.is_const ? w.bits << 1 : (uint64_t)w.name << 1 | 1;
}

/* Of what is loaded, from where; 0: not to be known again. */
static uint64_t load_key(tsr_ll *e, tsr_id id, const tsr_ll_matrix *m)
{
    const tsr_ll_place *p = tsr_ll_place_of(e, tsr_ll_arg(e, id, 0));
    tsr_ll_word offset = tsr_ll_get(e, tsr_ll_arg(e, id, 1)).words[0],
                stride = tsr_ll_get(e, tsr_ll_arg(e, id, 2)).words[0];
    if (e->failed || p->has_dyn || p->has_check || offset.form != LL_SAME || stride.form != LL_SAME) return 0;
    uint64_t key[] = {p->root,
                      p->resource,
                      p->off,
                      word_key(offset),
                      word_key(stride),
                      tsr_ll_inst(e, id)->type,
                      tsr_ll_inst(e, id)->aux,
                      may_stay(e, id, m, tsr_ll_inst(e, id)->aux & 1u)};
    return tsr_hash_bytes(key, sizeof key, 23) | 1;
}

#define SEEN_MOST (2 * TSR_LL_PRODUCTS_MOST)

/* The same load in this stretch, where nothing has been written; what was out of bounds counts again. */
static bool find_again(tsr_ll *e, tsr_id id, uint64_t key)
{
    for (uint32_t i = 0; key && i < e->seen_count; i++) {
        if (e->seen[i].key != key) continue;
        e->matrix[id] = e->seen[i].m;
        if (e->seen[i].inside == 0) return true;
        uint32_t bad = tsr_ll_new(e), end = tsr_ll_new(e);
        tsr_ll_line(e, "br i1 %%t%u, label %%b%u, label %%b%u", e->seen[i].inside, end, bad);
        e->open = false;
        tsr_ll_label(e, bad);
        tsr_ll_note_matrix_oob(e, id);
        tsr_ll_label(e, end);
        return true;
    }
    return false;
}

static void keep_load(tsr_ll *e, tsr_id id, uint64_t key, uint32_t inside)
{
    if (!e->seen) e->seen = TSR_NEW_ARRAY(e->arena, tsr_ll_seen, SEEN_MOST);
    if (!key || !e->straight || e->seen_count == SEEN_MOST) return;
    e->seen[e->seen_count++] = (tsr_ll_seen){key, e->matrix[id], inside};
}

static void move_inside(tsr_ll *e, const tsr_ll_matrix *m, const tile *t, bool store, uint32_t block)
{
    tsr_ll_line(e, "call void @%s(ptr %%t%u, ptr %%t%u, i64 %%t%u, i64 %%t%u)",
                tsr_ll_block_mover(e, m, t->col_major, store), block, t->ptr, t->offset, t->stride);
}

static void move_part(tsr_ll *e, tsr_id id, const tsr_ll_matrix *m, const tile *t, bool store, uint32_t block)
{
    tsr_ll_declare(e, "void @tsr_host_part(ptr, ptr, ptr, ptr, i64, i64, i64)");
    tsr_ll_line(e,
                "call void @tsr_host_part(ptr %%frame, ptr @%s, ptr %%t%u, ptr %%t%u, i64 %%t%u, i64 %%t%u, i64 %%t%u) "
                "cold",
                tsr_ll_block_part(e, id, m, t->col_major, store), block, t->ptr, t->offset, t->stride, t->present);
}

/* Of what is inside: the ptr to where it lies, or to `block`, which it is copied to. */
static uint32_t load_inside(tsr_ll *e, const tsr_ll_matrix *m, const tile *t, bool in_place, uint32_t block)
{
    if (!in_place) {
        move_inside(e, m, t, false, block);
        return block;
    }
    return component_ptr(e, m, t->ptr, t->offset);
}

/* What may leave its array: a copy of what is there takes its place then. */
static tsr_ll_matrix load_either(tsr_ll *e, tsr_id id, tsr_ll_matrix m, const tile *t, bool in_place, uint32_t inside)
{
    uint32_t fast = tsr_ll_new(e), slow = tsr_ll_new(e), end = tsr_ll_new(e);
    tsr_ll_matrix block = new_block(e, m);
    tsr_ll_line(e, "br i1 %%t%u, label %%b%u, label %%b%u", inside, fast, slow);
    e->open = false;
    tsr_ll_label(e, fast);
    uint32_t ptr = load_inside(e, &m, t, in_place, block.ptr);
    tsr_ll_jump(e, end);
    tsr_ll_label(e, slow);
    move_part(e, id, &m, t, false, block.ptr);
    tsr_ll_label(e, end);
    if (!in_place) return block;
    m.ptr = tsr_ll_new(e);
    tsr_ll_line(e, "%%t%u = phi ptr [ %%t%u, %%b%u ], [ %%t%u, %%b%u ]", m.ptr, ptr, fast, block.ptr, slow);
    if (m.pitch) return m;
    m.stride = tsr_ll_new(e);
    tsr_ll_line(e, "%%t%u = phi i64 [ %%t%u, %%b%u ], [ %u, %%b%u ]", m.stride, t->stride, fast,
                t->col_major ? m.rows : m.cols, slow);
    return m;
}

/* Distances between views are those of their constants, since all of them are inside of less than 2^31 components. */
#define VIEW_MOST (UINT64_C(1) << 31)

static tsr_ll_matrix view_of(tsr_ll *e, tsr_id id, tsr_ll_matrix m)
{
    m.array = tsr_ll_array_ptr(e, tsr_ll_place_of(e, tsr_ll_arg(e, id, 0)));
    m.from = tsr_ll_split(e, tsr_ll_first_active(e, tsr_ll_get(e, tsr_ll_arg(e, id, 1)).words[0]));
    return m;
}

static void emit_mload(tsr_ll *e, tsr_id id)
{
    tsr_ll_matrix m;
    tile t;
    if (!tsr_ll_matrix_type(e, tsr_ll_inst(e, id)->type, &m)) return;
    uint64_t key = load_key(e, id, &m);
    if (find_again(e, id, key) || !look_at_tile(e, id, &m, &t)) return;
    uint32_t component = tsr_component_bits((tsr_component)m.component) / 8;
    bool in_place = may_stay(e, id, &m, t.col_major);
    uint32_t major = t.col_major ? m.cols : m.rows, minor = t.col_major ? m.rows : m.cols;
    m.turned = in_place && t.col_major;
    if (in_place && t.known_stride >= minor && (uint64_t)t.known_stride * major * component <= PITCH_BYTES_MOST)
        m.pitch = t.known_stride;
    if (m.pitch && t.is_fixed && t.least_present <= VIEW_MOST && is_proved(e, id, &t, &m)) {
        e->matrix[id] = view_of(e, id, m);
        keep_load(e, id, key, 0);
        return;
    }
    find_tile(e, id, &m, &t);
    uint32_t inside = is_inside(e, id, &t, &m);
    if (inside) {
        m = load_either(e, id, m, &t, in_place, inside);
    } else {
        if (!in_place) m = new_block(e, m);
        m.ptr = load_inside(e, &m, &t, in_place, m.ptr);
        if (in_place && !m.pitch) m.stride = t.stride;
    }
    e->matrix[id] = m;
    keep_load(e, id, key, inside);
}

static void emit_mstore(tsr_ll *e, tsr_id id)
{
    tile t;
    tsr_id value = tsr_ll_arg(e, id, 3);
    tsr_ll_matrix type;
    if (!tsr_ll_matrix_type(e, tsr_ll_inst(e, value)->type, &type)) return;
    e->matrix[value].component = type.component;
    tsr_ll_matrix m = dense(e, e->matrix[value]);
    if (!look_at_tile(e, id, &m, &t)) return;
    find_tile(e, id, &m, &t);
    uint32_t inside = is_inside(e, id, &t, &m), fast = tsr_ll_new(e), slow = tsr_ll_new(e), end = tsr_ll_new(e);
    if (inside) {
        tsr_ll_line(e, "br i1 %%t%u, label %%b%u, label %%b%u", inside, fast, slow);
        e->open = false;
        tsr_ll_label(e, fast);
    }
    move_inside(e, &m, &t, true, m.ptr);
    if (!inside) return;
    tsr_ll_jump(e, end);
    tsr_ll_label(e, slow);
    move_part(e, id, &m, &t, true, m.ptr);
    tsr_ll_label(e, end);
}

/* ---- Arithmetic. */

/* Through frame.mma, which runs the reference model. */
static void call_reference(tsr_ll *e, const tsr_ll_matrix *a, const tsr_ll_matrix *b, const tsr_ll_matrix *c,
                           const tsr_ll_matrix *r, bool saturating, uint32_t to)
{
    uint32_t what = tsr_ll_alloca(e, NULL, 32, 8), at = tsr_ll_new(e), function = tsr_ll_new(e);
    uint32_t words[8] = {r->rows, r->cols, a->cols, a->component, b->component, c->component, r->component, saturating};
    tsr_ll_matrix da = dense(e, *a), db = dense(e, *b), dc = dense(e, *c);
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t p = tsr_ll_new(e);
        tsr_ll_line(e, "%%t%u = getelementptr i32, ptr %%t%u, i64 %u", p, what, i);
        tsr_ll_line(e, "store i32 %u, ptr %%t%u, align 4", words[i], p);
    }
    tsr_ll_line(e, "%%t%u = getelementptr i8, ptr %%frame, i64 %d", at, TSR_FRAME_MMA);
    tsr_ll_line(e, "%%t%u = load ptr, ptr %%t%u, align 8", function, at);
    tsr_ll_line(e, "call void %%t%u(ptr %%t%u, ptr %%t%u, ptr %%t%u, ptr %%t%u, ptr %%t%u)", function, what, da.ptr,
                db.ptr, dc.ptr, to);
}

static bool is_float(const tsr_ll_matrix *m)
{
    return m->block == LL_BLOCK_F32 || m->block == LL_BLOCK_F16;
}

/* `known`: the distance of the rows is in the function that the table is for. */
static void store_entry(tsr_ll *e, uint32_t table, uint32_t entry, uint32_t ptr, const char *stride, bool known)
{
    uint32_t p = tsr_ll_new(e), s = tsr_ll_new(e);
    tsr_ll_line(e, "%%t%u = getelementptr i8, ptr %%t%u, i64 %u", p, table, entry * 16);
    tsr_ll_line(e, "store ptr %%t%u, ptr %%t%u, align 8", ptr, p);
    if (known) return;
    tsr_ll_line(e, "%%t%u = getelementptr i8, ptr %%t%u, i64 %u", s, table, entry * 16 + 8);
    tsr_ll_line(e, "store i64 %s, ptr %%t%u, align 8", stride, s);
}

void tsr_ll_call_mma(tsr_ll *e, const tsr_ll_mma *g, const tsr_ll_matrix *a, const tsr_ll_matrix *b,
                     const tsr_ll_matrix *c, const uint32_t *to)
{
    uint32_t start[5];
    for (uint32_t i = 0; i < 5; i++)
        start[i] = tsr_ll_mma_entry(g, i);
    uint32_t table = tsr_ll_alloca(e, NULL, (uint64_t)start[4] * 16, 64);
    for (uint32_t i = 0; i < start[1]; i++)
        store_entry(e, table, i, with_block(e, a[i]).ptr, stride_text(e, &a[i]), g->lda != 0);
    for (uint32_t i = 0; i < start[2] - start[1]; i++)
        store_entry(e, table, start[1] + i, with_block(e, b[i]).ptr, stride_text(e, &b[i]), g->ldb != 0);
    for (uint32_t i = 0; i < start[4] - start[3]; i++) {
        if (!g->zero) store_entry(e, table, start[2] + i, c[i].ptr, stride_text(e, &c[i]), g->ldc != 0);
        store_entry(e, table, start[3] + i, to[i], NULL, true);
    }
    tsr_ll_mma with = *g;
    with.ahead = e->ahead_lines;
    const char *name = tsr_ll_block_mma(e, &with);
    if (e->ahead)
        tsr_ll_line(e, "call void @%s(ptr %%t%u, ptr %%t%u)", name, table, e->ahead);
    else
        tsr_ll_line(e, "call void @%s(ptr %%t%u, ptr null)", name, table);
}

/* `sum`: where the product is added in place, so that it may wait. */
static void emit_mma_to(tsr_ll *e, tsr_id id, uint32_t to, const tsr_ll_place *sum)
{
    tsr_ll_matrix a = e->matrix[tsr_ll_arg(e, id, 0)], b = e->matrix[tsr_ll_arg(e, id, 1)],
                  c = e->matrix[tsr_ll_arg(e, id, 2)], r;
    bool saturating = tsr_ll_inst(e, id)->aux & 1u;
    if (!tsr_ll_matrix_type(e, tsr_ll_inst(e, id)->type, &r)) return;
    tsr_ll_matrix type_c;
    if (!tsr_ll_matrix_type(e, tsr_ll_inst(e, tsr_ll_arg(e, id, 2))->type, &type_c)) return;
    c.block = type_c.block;
    c.component = type_c.component;
    c.rows = type_c.rows;
    c.cols = type_c.cols;
    if (is_float(&a) != is_float(&r) || is_float(&b) != is_float(&r) || is_float(&c) != is_float(&r)) {
        tsr_ll_fail(e, "a matrix product of integers and floats");
        return;
    }
    if (!a.array) a = with_block(e, a);
    if (!b.array) b = with_block(e, b);
    find_view(e, &c);
    bool rounds = r.component == TSR_F16;
    bool native = !saturating && (is_float(&r) ? e->o->cpu.fma && !(rounds && e->o->exact_bits) : true);
    if ((a.block == LL_BLOCK_I8) != (b.block == LL_BLOCK_I8)) native = false;
    tsr_ll_mma g = {.a = a, .b = b, .r = r, .rows = 1, .cols = 1, .depth = 1, .zero = c.ptr == 0};
    g.lda = a.stride ? 0 : tsr_ll_block_pitch(&a);
    g.ldb = b.stride ? 0 : tsr_ll_block_pitch(&b);
    g.ldc = c.stride ? 0 : tsr_ll_block_pitch(&c);
    native = native && tsr_ll_mma_fits(e, &g);
    if (native && sum && !g.zero) {
        tsr_ll_add_product(e, &(tsr_ll_product){.base = sum->base, .off = sum->off, .to = to, .a = a, .b = b, .r = r});
        return;
    }
    tsr_ll_flush(e);
    if (!native) {
        call_reference(e, &a, &b, &c, &r, saturating, to);
        return;
    }
    tsr_ll_call_mma(e, &g, &a, &b, &c, &to);
}

static void emit_mma(tsr_ll *e, tsr_id id)
{
    tsr_ll_matrix r;
    if (tsr_ll_find_store(e, id)) return; /* it is made where it is stored */
    if (!tsr_ll_matrix_type(e, tsr_ll_inst(e, id)->type, &r)) return;
    r = new_block(e, r);
    emit_mma_to(e, id, r.ptr, NULL);
    e->matrix[id] = r;
}

/* The scalar as the block's element: a float, or 32 bits clamped to the component's range. */
static tsr_ll_word block_scalar(tsr_ll *e, tsr_id id, const tsr_ll_matrix *m)
{
    tsr_ll_word x = tsr_ll_first_active(e, tsr_ll_get(e, id).words[0]);
    if (x.type == LL_H) return tsr_ll_half_to_float(e, x);
    if (m->component == TSR_U8)
        return tsr_ll_select(e, tsr_ll_cmp(e, "icmp ugt", x, tsr_ll_u32(e, 255)), tsr_ll_u32(e, 255), x);
    if (m->component != TSR_S8) return x;
    tsr_ll_word low = tsr_ll_u32(e, (uint32_t)-128), high = tsr_ll_u32(e, 127);
    x = tsr_ll_select(e, tsr_ll_cmp(e, "icmp slt", x, low), low, x);
    return tsr_ll_select(e, tsr_ll_cmp(e, "icmp sgt", x, high), high, x);
}

static void emit_scalar_op(tsr_ll *e, tsr_id id)
{
    const tsr_inst *inst = tsr_ll_inst(e, id);
    tsr_ll_matrix m;
    if (!tsr_ll_matrix_type(e, inst->type, &m)) return;
    tsr_ll_matrix from = {0};
    if (inst->op != TSR_OP_mfill) from = dense(e, e->matrix[tsr_ll_arg(e, id, 0)]);
    tsr_ll_word x = block_scalar(e, tsr_ll_arg(e, id, inst->nargs - 1), &m);
    if (inst->op == TSR_OP_mfill && x.is_const && x.form == LL_SAME && x.bits == 0) { /* needs no block yet */
        e->matrix[id] = m;
        return;
    }
    tsr_ll_matrix r = new_block(e, m);
    const char *name = tsr_ll_block_scalar(e, &m, (tsr_op)inst->op);
    const char *type = is_float(&m) ? "float" : "i32";
    if (inst->op == TSR_OP_mfill)
        tsr_ll_line(e, "call void @%s(ptr %%t%u, ptr %%t%u, %s %s)", name, r.ptr, r.ptr, type, tsr_ll_scalar(e, x));
    else
        tsr_ll_line(e, "call void @%s(ptr %%t%u, ptr %%t%u, %s %s)", name, r.ptr, from.ptr, type, tsr_ll_scalar(e, x));
    e->matrix[id] = r;
}

void tsr_ll_emit_matrix(tsr_ll *e, tsr_id id)
{
    switch (tsr_ll_inst(e, id)->op) {
    case TSR_OP_zero: (void)tsr_ll_matrix_type(e, tsr_ll_inst(e, id)->type, &e->matrix[id]); break;
    case TSR_OP_mload: emit_mload(e, id); break;
    case TSR_OP_mstore: emit_mstore(e, id); break;
    case TSR_OP_mma: emit_mma(e, id); break;
    case TSR_OP_mfill:
    case TSR_OP_madd:
    case TSR_OP_msub:
    case TSR_OP_mscale: emit_scalar_op(e, id); break;
    default: tsr_ll_fail(e, "`%s` of a matrix", tsr_op_table[tsr_ll_inst(e, id)->op].name); break;
    }
}
