/* One instruction that is not control flow becomes one step, or none: parts of a value are found where the value lies,
 * and places behind pointers are added up here. */
#include "exec/inside.h"

static const tsr_inst *inst_at(const tsr_decode *d, tsr_id id)
{
    return tsr_inst_at(d->ir, id);
}

static tsr_id arg_at(const tsr_decode *d, tsr_id id, uint32_t i)
{
    return tsr_arg(d->ir, inst_at(d, id), i);
}

static tsr_type type_at(const tsr_decode *d, tsr_id id)
{
    return inst_at(d, id)->type;
}

static tsr_slot arg_slot(tsr_decode *d, tsr_id id, uint32_t i)
{
    return tsr_decode_value(d, arg_at(d, id, i));
}

/* The scalar kind of a value's type. */
static tsr_type_kind scalar_kind(const tsr_decode *d, tsr_type type)
{
    return tsr_type_kind_of(d->types, tsr_type_scalar(d->types, type));
}

/* A step with a result slot of the instruction's type. */
static tsr_step *new_step(tsr_decode *d, tsr_id id, tsr_step_fn run)
{
    const tsr_inst *inst = inst_at(d, id);
    tsr_step *s = tsr_decode_step(d, id, TSR_STEP_op);
    s->run = run;
    if (inst->type != TSR_T_void && tsr_type_kind_of(d->types, inst->type) != TSR_T_ptr) {
        s->words = tsr_decode_words(d, inst->type);
        s->dst = d->slots[id] = tsr_decode_alloc(d, s->words, 0);
    }
    return s;
}

static void set_args(tsr_decode *d, tsr_id id, tsr_step *s)
{
    const tsr_inst *inst = inst_at(d, id);
    s->nargs = (uint8_t)inst->nargs;
    for (uint32_t i = 0; i < inst->nargs && i < 4; i++)
        s->arg[i] = arg_slot(d, id, i);
}

static void cannot_run(tsr_decode *d, tsr_id id)
{
    tsr_decode_fail(
        d, TSR_ERR_UNSUPPORTED, "the interpreter cannot run `%s` on %s", tsr_op_table[inst_at(d, id)->op].name,
        tsr_type_cstr(d->types, d->arena, inst_at(d, id)->nargs ? type_at(d, arg_at(d, id, 0)) : type_at(d, id)));
}

/* ---- Ops on numbers. */

static const tsr_eval_types *eval_types(tsr_decode *d, tsr_id id)
{
    const tsr_inst *inst = inst_at(d, id);
    tsr_eval_types *e = TSR_NEW(d->arena, tsr_eval_types);
    tsr_type *args = TSR_NEW_ARRAY(d->arena, tsr_type, inst->nargs + 1);
    for (uint32_t i = 0; i < inst->nargs && i < 4; i++) {
        args[i] = type_at(d, arg_at(d, id, i));
        e->arg_words[i] = tsr_decode_words(d, args[i]);
    }
    e->result = inst->type;
    e->args = args;
    return e;
}

static void decode_comps(tsr_decode *d, tsr_id id)
{
    const tsr_inst *inst = inst_at(d, id);
    tsr_type_kind kind = scalar_kind(d, type_at(d, arg_at(d, id, 0)));
    tsr_eval_fn eval;
    if (inst->op == TSR_OP_convert) {
        tsr_type_kind to = scalar_kind(d, inst->type);
        if (kind == to) {
            d->slots[id] = arg_slot(d, id, 0);
            return;
        }
        eval = tsr_eval_convert(kind, to);
    } else {
        tsr_op op = inst->op == TSR_OP_land ? TSR_OP_and : inst->op == TSR_OP_lor ? TSR_OP_or : (tsr_op)inst->op;
        eval = tsr_eval_find(op, kind);
    }
    if (!eval) {
        cannot_run(d, id);
        return;
    }
    tsr_step *s = new_step(d, id, tsr_run_eval);
    set_args(d, id, s);
    s->eval = eval;
    const tsr_eval_types *e = eval_types(d, id);
    s->more = e;
    for (uint32_t i = 0; i < s->nargs; i++)
        if (e->arg_words[i] != s->words) s->run = tsr_run_eval_mixed;
}

static void decode_wide(tsr_decode *d, tsr_id id)
{
    tsr_eval_wide_fn wide = tsr_eval_find_wide((tsr_op)inst_at(d, id)->op);
    if (!wide || inst_at(d, id)->nargs > 4) {
        cannot_run(d, id);
        return;
    }
    tsr_step *s = new_step(d, id, tsr_run_wide);
    set_args(d, id, s);
    s->wide = wide;
    s->more = eval_types(d, id);
}

static void decode_bitcast(tsr_decode *d, tsr_id id)
{
    bool from_half = scalar_kind(d, type_at(d, arg_at(d, id, 0))) == TSR_T_f16;
    if (from_half == (scalar_kind(d, type_at(d, id)) == TSR_T_f16))
        d->slots[id] = arg_slot(d, id, 0);
    else
        decode_wide(d, id);
}

/* ---- Values made of values. */

static void add_copies(tsr_decode *d, tsr_id id, const tsr_copy *list, uint32_t count)
{
    tsr_copies *copies = TSR_NEW(d->arena, tsr_copies);
    *copies = (tsr_copies){list, count};
    tsr_step *s = tsr_decode_step(d, id, TSR_STEP_op);
    s->run = tsr_run_copies;
    s->more = copies;
}

/* The words of a value before its part `number`. */
static uint32_t words_before(tsr_decode *d, tsr_type type, uint32_t number)
{
    const tsr_type_info *t = tsr_type_get(d->types, type);
    if (t->kind == TSR_T_vec) return number;
    if (t->kind == TSR_T_mat) return number * t->rows;
    if (t->kind == TSR_T_array) return number * tsr_decode_words(d, t->elem);
    uint32_t sum = 0;
    for (uint32_t i = 0; i < number && i < t->member_count; i++)
        sum += tsr_decode_words(d, t->members[i].type);
    return sum;
}

static void decode_zero(tsr_decode *d, tsr_id id)
{
    tsr_type type = type_at(d, id);
    if (!d->zero_slots[type]) d->zero_slots[type] = tsr_decode_alloc(d, tsr_decode_words(d, type), 0);
    d->slots[id] = d->zero_slots[type];
}

static void decode_const(tsr_decode *d, tsr_id id)
{
    tsr_step *s = new_step(d, id, tsr_run_constant);
    s->target = (uint32_t)tsr_constant_bits(d->ir, inst_at(d, id));
}

static void decode_compose(tsr_decode *d, tsr_id id)
{
    const tsr_inst *inst = inst_at(d, id);
    uint32_t count = inst->op == TSR_OP_splat ? tsr_decode_words(d, inst->type) : inst->nargs;
    if (inst->op == TSR_OP_compose && count == 1) {
        d->slots[id] = arg_slot(d, id, 0);
        return;
    }
    d->slots[id] = tsr_decode_alloc(d, tsr_decode_words(d, inst->type), 0);
    tsr_copy *list = TSR_NEW_ARRAY(d->arena, tsr_copy, count + 1);
    tsr_slot to = d->slots[id];
    for (uint32_t i = 0; i < count; i++) {
        tsr_id part = arg_at(d, id, inst->op == TSR_OP_splat ? 0 : i);
        uint32_t words = tsr_decode_words(d, type_at(d, part)) * d->in->lanes;
        list[i] = (tsr_copy){tsr_decode_value(d, part), to, words};
        to += words;
    }
    add_copies(d, id, list, count);
}

static void decode_extract(tsr_decode *d, tsr_id id)
{
    const tsr_inst *inst = inst_at(d, id);
    d->slots[id] = arg_slot(d, id, 0) + words_before(d, type_at(d, arg_at(d, id, 0)), inst->aux) * d->in->lanes;
}

static void decode_swizzle(tsr_decode *d, tsr_id id)
{
    uint32_t count = tsr_decode_words(d, type_at(d, id)), pattern = inst_at(d, id)->aux, lanes = d->in->lanes;
    tsr_slot from = arg_slot(d, id, 0);
    uint32_t first = pattern & 15u;
    bool in_order = true;
    for (uint32_t i = 0; i < count; i++)
        in_order = in_order && (pattern >> (4 * i) & 15u) == first + i;
    if (in_order) {
        d->slots[id] = from + first * lanes;
        return;
    }
    d->slots[id] = tsr_decode_alloc(d, count, 0);
    tsr_copy *list = TSR_NEW_ARRAY(d->arena, tsr_copy, count);
    for (uint32_t i = 0; i < count; i++)
        list[i] = (tsr_copy){from + (pattern >> (4 * i) & 15u) * lanes, d->slots[id] + i * lanes, lanes};
    add_copies(d, id, list, count);
}

static void decode_insert(tsr_decode *d, tsr_id id)
{
    tsr_type type = type_at(d, id), part = type_at(d, arg_at(d, id, 1));
    uint32_t words = tsr_decode_words(d, type), lanes = d->in->lanes;
    d->slots[id] = tsr_decode_alloc(d, words, 0);
    tsr_copy *list = TSR_NEW_ARRAY(d->arena, tsr_copy, 2);
    list[0] = (tsr_copy){arg_slot(d, id, 0), d->slots[id], words * lanes};
    list[1] = (tsr_copy){arg_slot(d, id, 1), d->slots[id] + words_before(d, type, inst_at(d, id)->aux) * lanes,
                         tsr_decode_words(d, part) * lanes};
    add_copies(d, id, list, 2);
}

static void decode_element(tsr_decode *d, tsr_id id)
{
    tsr_step *s = new_step(d, id, tsr_run_element);
    set_args(d, id, s);
    s->target = tsr_decode_words(d, type_at(d, arg_at(d, id, 0))) / (s->words ? s->words : 1);
}

/* ---- Pointers. */

static void decode_field(tsr_decode *d, tsr_id id)
{
    const tsr_xptr *base = tsr_decode_pointer(d, arg_at(d, id, 0));
    const tsr_type_info *t = tsr_type_get(d->types, base->pointee);
    uint32_t number = inst_at(d, id)->aux;
    if (t->kind != TSR_T_struct || number >= t->member_count) {
        tsr_decode_fail(d, TSR_ERR_INVALID, "a field of something that is no struct");
        return;
    }
    tsr_xptr *p = TSR_NEW(d->arena, tsr_xptr);
    *p = *base;
    p->off += base->root == TSR_ROOT_LANE ? words_before(d, base->pointee, number) : t->members[number].offset;
    p->pointee = t->members[number].type;
    d->ptrs[id] = p;
}

/* What an index of this pointer steps over, and how many there are (0: known at run time). */
static bool find_elements(tsr_decode *d, const tsr_xptr *base, tsr_type elem, uint32_t *count, uint32_t *stride)
{
    const tsr_type_info *t = tsr_type_get(d->types, base->pointee);
    switch (t->kind) {
    case TSR_T_array:
        *count = t->size.value;
        *stride = t->stride;
        break;
    case TSR_T_mat:
        *count = t->count;
        *stride = t->stride;
        break;
    case TSR_T_vec:
        *count = t->count;
        *stride = (uint32_t)tsr_type_get(d->types, t->elem)->size_bytes;
        break;
    default: return false;
    }
    if (base->root == TSR_ROOT_LANE) *stride = tsr_decode_words(d, elem);
    return *stride != 0 && (*count != 0 || base->root == TSR_ROOT_BINDING);
}

static void decode_index(tsr_decode *d, tsr_id id)
{
    const tsr_xptr *base = tsr_decode_pointer(d, arg_at(d, id, 0));
    const tsr_inst *number = inst_at(d, arg_at(d, id, 1));
    tsr_type elem = tsr_type_get(d->types, type_at(d, id))->elem;
    uint32_t count, stride;
    if (!find_elements(d, base, elem, &count, &stride)) {
        tsr_decode_fail(d, TSR_ERR_INVALID, "an index into something that has no elements");
        return;
    }
    tsr_xptr *p = TSR_NEW(d->arena, tsr_xptr);
    *p = *base;
    p->pointee = elem;
    d->ptrs[id] = p;
    if (number->op == TSR_OP_const && tsr_constant_bits(d->ir, number) < count) {
        p->off += (uint32_t)tsr_constant_bits(d->ir, number) * stride;
        return;
    }
    tsr_index *x = TSR_NEW(d->arena, tsr_index);
    *x = (tsr_index){.base = base,
                     .in = base->dyn,
                     .idx = arg_slot(d, id, 1),
                     .count = count,
                     .stride = stride,
                     .is_signed = number->type == TSR_T_i32,
                     .indexed = base->pointee,
                     .span = inst_at(d, id)->span};
    x->out = p->dyn = tsr_decode_alloc(d, 1, TSR_DYN_EXTRA);
    p->index = x;
    tsr_step *s = tsr_decode_step(d, id, TSR_STEP_op);
    s->run = tsr_run_index;
    s->more = x;
}

static void decode_var(tsr_decode *d, tsr_id id)
{
    const tsr_inst *inst = inst_at(d, id);
    tsr_xptr *p = TSR_NEW(d->arena, tsr_xptr);
    p->pointee = tsr_type_get(d->types, inst->type)->elem;
    uint32_t words = tsr_decode_words(d, p->pointee);
    p->root = TSR_ROOT_LANE;
    p->at = tsr_decode_alloc(d, words, 0);
    d->ptrs[id] = p;
    tsr_step *s = tsr_decode_step(d, id, TSR_STEP_op);
    s->run = tsr_run_var;
    s->dst = p->at;
    s->words = words;
    s->arg[0] = inst->nargs ? arg_slot(d, id, 0) : 0;
}

static void decode_load(tsr_decode *d, tsr_id id)
{
    const tsr_xptr *p = tsr_decode_pointer(d, arg_at(d, id, 0));
    tsr_step *s = new_step(d, id, p->root == TSR_ROOT_LANE ? tsr_run_load_lane : tsr_run_load_shared);
    s->ptr = p;
    if (p->root != TSR_ROOT_LANE) s->more = tsr_decode_leaves(d, type_at(d, id));
}

static void decode_store(tsr_decode *d, tsr_id id)
{
    const tsr_xptr *p = tsr_decode_pointer(d, arg_at(d, id, 0));
    tsr_step *s = tsr_decode_step(d, id, TSR_STEP_op);
    s->run = p->root == TSR_ROOT_LANE ? tsr_run_store_lane : tsr_run_store_shared;
    s->ptr = p;
    s->arg[0] = arg_slot(d, id, 1);
    s->words = tsr_decode_words(d, type_at(d, arg_at(d, id, 1)));
    if (p->root != TSR_ROOT_LANE) s->more = tsr_decode_leaves(d, type_at(d, arg_at(d, id, 1)));
}

static void decode_array_length(tsr_decode *d, tsr_id id)
{
    const tsr_xptr *p = tsr_decode_pointer(d, arg_at(d, id, 0));
    const tsr_type_info *t = tsr_type_get(d->types, p->pointee);
    if (t->kind != TSR_T_array || t->stride == 0 || (t->size.value == 0 && p->root != TSR_ROOT_BINDING)) {
        tsr_decode_fail(d, TSR_ERR_INVALID, "the length of something that is no array");
        return;
    }
    tsr_step *s = new_step(d, id, t->size.value ? tsr_run_constant : tsr_run_array_length);
    s->target = t->size.value ? t->size.value : t->stride;
    s->ptr = p;
}

static void decode_atomic(tsr_decode *d, tsr_id id)
{
    const tsr_xptr *p = tsr_decode_pointer(d, arg_at(d, id, 0));
    if (p->root == TSR_ROOT_LANE) {
        cannot_run(d, id);
        return;
    }
    tsr_step *s = new_step(d, id, tsr_run_atomic);
    s->ptr = p;
    s->nargs = (uint8_t)inst_at(d, id)->nargs;
    for (uint32_t i = 1; i < s->nargs && i < 4; i++)
        s->arg[i] = arg_slot(d, id, i);
    s->target = tsr_type_scalar(d->types, p->pointee) == TSR_T_i32;
}

/* ---- Subgroups. */

/* The number that changes nothing, for the first invocation of an exclusive scan. */
static uint32_t identity_bits(tsr_op repeated, tsr_type_kind kind)
{
    if (repeated == TSR_OP_add) return 0;
    if (kind == TSR_T_f32) return 0x3f800000u;
    return kind == TSR_T_f16 ? 0x3c00u : 1u;
}

static void decode_sg_fold(tsr_decode *d, tsr_id id, tsr_step_fn run)
{
    tsr_op repeated = tsr_op_repeated((tsr_op)inst_at(d, id)->op);
    tsr_type_kind kind = scalar_kind(d, type_at(d, id));
    tsr_step *s = new_step(d, id, run);
    set_args(d, id, s);
    s->eval = tsr_eval_find(repeated, kind);
    s->target = identity_bits(repeated, kind);
    if (!s->eval) cannot_run(d, id);
}

static void decode_subgroup(tsr_decode *d, tsr_id id, tsr_step_fn run)
{
    set_args(d, id, new_step(d, id, run));
}

/* ---- Subgroup matrices. */

static bool find_matrix(tsr_decode *d, tsr_type type, tsr_matrix *m)
{
    const tsr_type_info *t = tsr_type_get(d->types, type);
    if (t->kind != TSR_T_smat) {
        tsr_decode_fail(d, TSR_ERR_INVALID, "an operand of a matrix operation is no subgroup matrix");
        return false;
    }
    *m = (tsr_matrix){(tsr_component)t->component, t->size.value, t->size2.value, tsr_decode_words(d, type)};
    return d->status == TSR_OK;
}

static uint64_t dense_words(const tsr_matrix *m)
{
    return (uint64_t)m->rows * m->cols * tsr_component_words(m->component);
}

static void need_scratch(tsr_decode *d, uint64_t words)
{
    if (words > d->scratch_words) d->scratch_words = words;
}

static void decode_matrix_access(tsr_decode *d, tsr_id id, bool is_store)
{
    tsr_matrix_access *x = TSR_NEW(d->arena, tsr_matrix_access);
    const tsr_xptr *p = tsr_decode_pointer(d, arg_at(d, id, 0));
    const tsr_type_info *t = tsr_type_get(d->types, p->pointee);
    if (!find_matrix(d, is_store ? type_at(d, arg_at(d, id, 3)) : type_at(d, id), &x->m)) return;
    if (t->kind != TSR_T_array || p->root == TSR_ROOT_LANE || t->stride == 0) {
        tsr_decode_fail(
            d, TSR_ERR_UNSUPPORTED,
            "a subgroup matrix is loaded from or stored to something that is no array in workgroup memory or "
            "in a binding");
        return;
    }
    if (tsr_component_bits(x->m.component) / 8 > t->align && t->align < sizeof(uint32_t)) {
        tsr_decode_fail(d, TSR_ERR_UNSUPPORTED, "an array of %s is not aligned for %s components",
                        tsr_type_cstr(d->types, d->arena, t->elem), tsr_component_name(x->m.component));
        return;
    }
    uint64_t bytes = (uint64_t)t->size.value * t->stride;
    x->array_bytes = bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
    x->element_stride = t->stride;
    x->col_major = inst_at(d, id)->aux & 1u;
    tsr_step *s = is_store ? tsr_decode_step(d, id, TSR_STEP_op) : new_step(d, id, tsr_run_mload);
    if (is_store) s->run = tsr_run_mstore;
    s->ptr = p;
    s->more = x;
    for (uint32_t i = 1; i < (is_store ? 4u : 3u); i++)
        s->arg[i] = arg_slot(d, id, i);
    need_scratch(d, dense_words(&x->m));
}

static void decode_mma(tsr_decode *d, tsr_id id)
{
    tsr_mma_step *x = TSR_NEW(d->arena, tsr_mma_step);
    bool ok = find_matrix(d, type_at(d, arg_at(d, id, 0)), &x->a) &&
              find_matrix(d, type_at(d, arg_at(d, id, 1)), &x->b) &&
              find_matrix(d, type_at(d, arg_at(d, id, 2)), &x->c) && find_matrix(d, type_at(d, id), &x->r);
    if (!ok) return;
    x->mma =
        (tsr_mma){{x->r.rows, x->r.cols, x->a.cols}, x->a.component, x->b.component, x->c.component, x->r.component,
                  (inst_at(d, id)->aux & 1u) != 0};
    tsr_shape s = x->mma.shape;
    if (x->a.rows != s.m || x->b.rows != s.k || x->b.cols != s.n || x->c.rows != s.m || x->c.cols != s.n) {
        tsr_decode_fail(d, TSR_ERR_SHAPE,
                        "the sizes of a matrix multiply do not fit: %ux%u by %ux%u plus %ux%u to %ux%u", x->a.rows,
                        x->a.cols, x->b.rows, x->b.cols, x->c.rows, x->c.cols, x->r.rows, x->r.cols);
        return;
    }
    if (!tsr_mma_is_covered(&x->mma)) {
        tsr_decode_fail(d, TSR_ERR_UNSUPPORTED, "the interpreter cannot multiply %s by %s into %s",
                        tsr_component_name(x->mma.a), tsr_component_name(x->mma.b), tsr_component_name(x->mma.r));
        return;
    }
    tsr_step *step = new_step(d, id, tsr_run_mma);
    set_args(d, id, step);
    step->more = x;
    need_scratch(d, dense_words(&x->a) + dense_words(&x->b) + dense_words(&x->c) + dense_words(&x->r) +
                        tsr_mma_scratch_words(&x->mma));
}

static void decode_matrix_scalar(tsr_decode *d, tsr_id id)
{
    tsr_matrix_scalar *x = TSR_NEW(d->arena, tsr_matrix_scalar);
    const tsr_inst *inst = inst_at(d, id);
    if (!find_matrix(d, inst->type, &x->m)) return;
    x->scalar = scalar_kind(d, type_at(d, arg_at(d, id, inst->nargs - 1)));
    tsr_step *s = new_step(d, id, inst->op == TSR_OP_mfill ? tsr_run_mfill : tsr_run_mscalar);
    set_args(d, id, s);
    s->more = x;
    tsr_op op = inst->op == TSR_OP_madd ? TSR_OP_add : inst->op == TSR_OP_msub ? TSR_OP_sub : TSR_OP_mul;
    s->eval = tsr_eval_find(op, x->scalar);
    if (!s->eval) cannot_run(d, id);
    need_scratch(d, d->in->lanes);
}

/* ---- All of them. */

static bool decode_other(tsr_decode *d, tsr_id id)
{
    switch (inst_at(d, id)->op) {
    case TSR_OP_const: decode_const(d, id); return true;
    case TSR_OP_zero: decode_zero(d, id); return true;
    case TSR_OP_compose:
    case TSR_OP_splat: decode_compose(d, id); return true;
    case TSR_OP_extract: decode_extract(d, id); return true;
    case TSR_OP_element: decode_element(d, id); return true;
    case TSR_OP_swizzle: decode_swizzle(d, id); return true;
    case TSR_OP_insert: decode_insert(d, id); return true;
    case TSR_OP_bitcast: decode_bitcast(d, id); return true;
    case TSR_OP_land:
    case TSR_OP_lor: decode_comps(d, id); return true;
    case TSR_OP_var: decode_var(d, id); return true;
    case TSR_OP_field: decode_field(d, id); return true;
    case TSR_OP_index: decode_index(d, id); return true;
    case TSR_OP_load_uniform:
    case TSR_OP_load: decode_load(d, id); return true;
    case TSR_OP_store: decode_store(d, id); return true;
    case TSR_OP_array_length: decode_array_length(d, id); return true;
    case TSR_OP_barrier_workgroup:
    case TSR_OP_barrier_storage:
    case TSR_OP_barrier_texture:
    case TSR_OP_barrier_subgroup: /* nothing to do: a workgroup runs in lockstep */
        if (d->in->checks) tsr_decode_step(d, id, TSR_STEP_op)->run = tsr_run_nothing;
        return true;
    default: return false;
    }
}

static bool decode_subgroup_op(tsr_decode *d, tsr_id id)
{
    switch (inst_at(d, id)->op) {
    case TSR_OP_sg_elect:
    case TSR_OP_sg_all:
    case TSR_OP_sg_any:
    case TSR_OP_sg_ballot: decode_subgroup(d, id, tsr_run_sg_vote); return true;
    case TSR_OP_sg_add:
    case TSR_OP_sg_mul:
    case TSR_OP_sg_min:
    case TSR_OP_sg_max:
    case TSR_OP_sg_and:
    case TSR_OP_sg_or:
    case TSR_OP_sg_xor: decode_sg_fold(d, id, tsr_run_sg_reduce); return true;
    case TSR_OP_sg_inclusive_add:
    case TSR_OP_sg_inclusive_mul:
    case TSR_OP_sg_exclusive_add:
    case TSR_OP_sg_exclusive_mul: decode_sg_fold(d, id, tsr_run_sg_scan); return true;
    case TSR_OP_sg_broadcast:
    case TSR_OP_sg_broadcast_first:
    case TSR_OP_sg_shuffle:
    case TSR_OP_sg_shuffle_down:
    case TSR_OP_sg_shuffle_up:
    case TSR_OP_sg_shuffle_xor:
    case TSR_OP_quad_broadcast:
    case TSR_OP_quad_swap_x:
    case TSR_OP_quad_swap_y:
    case TSR_OP_quad_swap_diagonal: decode_subgroup(d, id, tsr_run_sg_move); return true;
    case TSR_OP_mfill:
    case TSR_OP_madd:
    case TSR_OP_msub:
    case TSR_OP_mscale: decode_matrix_scalar(d, id); return true;
    case TSR_OP_mload: decode_matrix_access(d, id, false); return true;
    case TSR_OP_mstore: decode_matrix_access(d, id, true); return true;
    case TSR_OP_mma: decode_mma(d, id); return true;
    default: return false;
    }
}

void tsr_decode_op(tsr_decode *d, tsr_id id)
{
    uint16_t flags = tsr_op_table[inst_at(d, id)->op].flags;
    if (flags & TSR_OPF_COMPS)
        decode_comps(d, id);
    else if (flags & TSR_OPF_ATOMIC)
        decode_atomic(d, id);
    else if (decode_other(d, id) || decode_subgroup_op(d, id))
        return;
    else if (flags & TSR_OPF_PURE)
        decode_wide(d, id);
    else
        cannot_run(d, id);
}
