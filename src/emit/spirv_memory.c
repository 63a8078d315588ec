/* Pointers, loads and stores. A pointer of the IR becomes an access chain where it is used. An index that may leave its
 * array is held back to the last element, and (--oob=zero) a bool goes with the pointer that tells: then loads give
 * zero and stores do nothing. Source: SPIR-V 1.6, "Memory Instructions", "Memory Model"; docs/design.md, section 6. */
#include "emit/spirv.h"

tsr_spv_ptr *tsr_spv_ptr_of(tsr_spv *s, tsr_id pointer)
{
    uint32_t n;
    if (!tsr_map_find(&s->ptr_index, pointer, &n)) TSR_ICE("a pointer is used before it was made");
    return tsr_pool_at(&s->ptrs, n);
}

static tsr_spv_ptr *add_ptr(tsr_spv *s, tsr_id pointer)
{
    uint32_t n = tsr_pool_push(&s->ptrs, 1);
    tsr_map_set(&s->ptr_index, pointer, n);
    return tsr_pool_at(&s->ptrs, n);
}

void tsr_spv_add_root(tsr_spv *s, tsr_id pointer, uint32_t variable, bool wrapped, bool laid_out)
{
    tsr_spv_ptr *p = add_ptr(s, pointer);
    *p = (tsr_spv_ptr){.id = variable, .root = pointer, .wrapped = wrapped, .laid_out = laid_out};
}

static const tsr_type_info *pointer_info(const tsr_spv *s, tsr_id pointer)
{
    return tsr_type_get(s->types, tsr_inst_at(s->ir, pointer)->type);
}

bool tsr_spv_is_shared(tsr_spv *s, tsr_id pointer)
{
    const tsr_type_info *info = pointer_info(s, pointer);
    return info->space == TSR_SPACE_workgroup || (info->space == TSR_SPACE_storage && info->access != TSR_ACCESS_read);
}

/* ---- Access chains. */

uint32_t tsr_spv_chain(tsr_spv *s, tsr_id pointer, const uint32_t *extra, uint32_t extra_count, tsr_type end)
{
    enum { STEPS_MAX = TSR_IR_TYPE_DEPTH_MAX + 4 };
    uint32_t words[STEPS_MAX], at = STEPS_MAX;
    const tsr_spv_ptr *p = tsr_spv_ptr_of(s, pointer);
    bool laid_out = p->laid_out;
    for (uint32_t i = extra_count; i > 0; i--)
        words[--at] = extra[i - 1];
    for (; p->parent; p = tsr_spv_ptr_of(s, p->parent))
        words[--at] = p->step;
    if (p->wrapped) words[--at] = tsr_spv_u32(s, 0);
    if (at == STEPS_MAX) return p->id;
    words[--at] = p->id;
    uint32_t storage = tsr_spv_storage((tsr_space)pointer_info(s, pointer)->space);
    uint32_t pointee = laid_out ? tsr_spv_layout_type(s, end) : tsr_spv_type(s, end);
    return tsr_spv_value(s, SPV_AccessChain, tsr_spv_pointer_type(s, storage, pointee), words + at, STEPS_MAX - at);
}

uint32_t tsr_spv_pointer(tsr_spv *s, tsr_id pointer)
{
    const tsr_spv_ptr *p = tsr_spv_ptr_of(s, pointer);
    if (p->id && !p->wrapped) return p->id;
    return tsr_spv_chain(s, pointer, NULL, 0, pointer_info(s, pointer)->elem);
}

uint32_t tsr_spv_access_words(tsr_spv *s, tsr_id pointer, uint32_t *words)
{
    if (!tsr_spv_is_shared(s, pointer)) return 0;
    words[0] = SPV_MemoryAccess_NonPrivatePointer;
    return 1;
}

/* ---- Counts and indices. */

/* The length of a run-time array, found once a function. Its pointer is a buffer, or the last member of one. */
static tsr_spv_count runtime_count(tsr_spv *s, tsr_id pointer)
{
    const tsr_spv_ptr *p = tsr_spv_ptr_of(s, pointer);
    tsr_spv_count c = {.array = p->root};
    if (tsr_map_find(&s->lengths, p->root, &c.id)) return c;
    uint32_t member = p->parent ? tsr_inst_at(s->ir, pointer)->aux : 0;
    uint32_t variable = tsr_spv_ptr_of(s, p->root)->id;
    c.id = tsr_spv_new_id(s);
    tsr_spv_put(s, &s->prologue, SPV_ArrayLength,
                (const uint32_t[]){tsr_spv_type(s, TSR_T_u32), c.id, variable, member}, 4);
    tsr_map_set(&s->lengths, p->root, c.id);
    return c;
}

/* One less, likewise. */
static uint32_t last_of(tsr_spv *s, tsr_spv_count c)
{
    uint32_t last;
    if (c.fixed) return tsr_spv_u32(s, c.fixed - 1);
    if (tsr_map_find(&s->lasts, c.array, &last)) return last;
    last = tsr_spv_new_id(s);
    tsr_spv_put(s, &s->prologue, SPV_ISub,
                (const uint32_t[]){tsr_spv_type(s, TSR_T_u32), last, c.id, tsr_spv_u32(s, 1)}, 4);
    tsr_map_set(&s->lasts, c.array, last);
    return last;
}

tsr_spv_count tsr_spv_count_of(tsr_spv *s, tsr_id pointer)
{
    const tsr_type_info *whole = tsr_type_get(s->types, pointer_info(s, pointer)->elem);
    if (whole->kind != TSR_T_array) return (tsr_spv_count){.fixed = whole->count};
    if (whole->size.value) return (tsr_spv_count){.fixed = whole->size.value};
    return runtime_count(s, pointer);
}

uint32_t tsr_spv_bound_index(tsr_spv *s, tsr_id index, tsr_spv_count count, uint32_t *ok)
{
    uint32_t value = tsr_spv_use(s, index), u32 = tsr_spv_type(s, TSR_T_u32);
    *ok = 0;
    if (s->o->oob == TSR_OOB_UNCHECKED || (count.fixed && tsr_range_is_below(s->ranges, index, count.fixed)))
        return value;
    if (tsr_inst_at(s->ir, index)->type == TSR_T_i32)
        value = SPV_VALUE(s, SPV_Bitcast, u32, value); /* below 0: large */
    if (count.fixed) count.id = tsr_spv_u32(s, count.fixed);
    if (s->o->oob == TSR_OOB_ZERO) *ok = SPV_VALUE(s, SPV_ULessThan, tsr_spv_type(s, TSR_T_bool), value, count.id);
    return SPV_EXT(s, UMin, u32, value, last_of(s, count));
}

/* ---- What is done only when an index was in range. */

tsr_spv_guard tsr_spv_guard_begin(tsr_spv *s, uint32_t ok)
{
    tsr_spv_guard g = {.ok = ok, .before = s->label};
    if (ok) g.merge = tsr_spv_begin_if(s, ok);
    return g;
}

uint32_t tsr_spv_guard_end(tsr_spv *s, const tsr_spv_guard *g, uint32_t value, uint32_t type, uint32_t zero)
{
    if (!g->ok) return value;
    uint32_t inside = s->label;
    tsr_spv_end_if(s, g->merge);
    return value ? SPV_VALUE(s, SPV_Phi, type, value, inside, zero, g->before) : 0;
}

/* Before SPIR-V 1.4, a choice between vectors takes a vector of bools. */
uint32_t tsr_spv_choose(tsr_spv *s, uint32_t ok, uint32_t value, tsr_type type)
{
    unsigned width = tsr_type_width(s->types, type);
    if (width > 1 && s->version < SPV_VERSION(1, 4)) {
        const uint32_t parts[4] = {ok, ok, ok, ok};
        ok = tsr_spv_value(s, SPV_CompositeConstruct, tsr_spv_vec_type(s, TSR_T_bool, width), parts, width);
    }
    return SPV_VALUE(s, SPV_Select, tsr_spv_type(s, type), ok, value, tsr_spv_zero(s, type));
}

/* ---- The ops. */

/* Made anew each time control passes: an initial value that is a constant stands with the variable itself where that is
 * once at most. */
uint32_t tsr_spv_emit_var(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    tsr_type type = tsr_type_get(s->types, inst->type)->elem;
    uint32_t initial = inst->nargs ? tsr_spv_arg(s, inst, 0) : tsr_spv_zero(s, type);
    bool constant = inst->nargs == 0 || tsr_spv_constant(s, tsr_arg(s->ir, inst, 0)) != 0;
    bool once = constant && s->loop_depth == 0 && !tsr_type_contains(s->types, type, TSR_T_smat);
    uint32_t pointer = tsr_spv_pointer_type(s, SPV_StorageClass_Function, tsr_spv_type(s, type)),
             variable = tsr_spv_new_id(s);
    tsr_spv_put(s, &s->variables, SPV_Variable,
                (const uint32_t[]){pointer, variable, SPV_StorageClass_Function, initial}, once ? 4 : 3);
    tsr_spv_add_root(s, id, variable, false, false);
    if (!once) SPV_DO(s, SPV_Store, variable, initial);
    return variable;
}

static uint32_t add_step(tsr_spv *s, tsr_id id, uint32_t step, uint32_t ok)
{
    tsr_id parent = tsr_arg(s->ir, tsr_inst_at(s->ir, id), 0);
    const tsr_spv_ptr *from = tsr_spv_ptr_of(s, parent);
    tsr_spv_ptr *p = add_ptr(s, id); /* pools do not move: `from` stays */
    *p = (tsr_spv_ptr){.parent = parent, .step = step, .ok = from->ok, .root = from->root};
    p->raw = from->raw;
    p->laid_out = from->laid_out;
    if (ok && p->ok)
        p->ok = SPV_VALUE(s, SPV_LogicalAnd, tsr_spv_type(s, TSR_T_bool), p->ok, ok);
    else if (ok)
        p->ok = ok;
    if (s->wanted[id] && !p->raw) p->id = tsr_spv_chain(s, id, NULL, 0, pointer_info(s, id)->elem);
    return p->id;
}

uint32_t tsr_spv_emit_field(tsr_spv *s, tsr_id id)
{
    return add_step(s, id, tsr_spv_u32(s, tsr_inst_at(s->ir, id)->aux), 0);
}

uint32_t tsr_spv_emit_index(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    tsr_id whole = tsr_arg(s->ir, inst, 0), index = tsr_arg(s->ir, inst, 1);
    uint32_t ok;
    if (tsr_range_is_below_length(s->ranges, index, whole)) return add_step(s, id, tsr_spv_use(s, index), 0);
    uint32_t bounded = tsr_spv_bound_index(s, index, tsr_spv_count_of(s, whole), &ok);
    return add_step(s, id, bounded, ok);
}

/* A choice is cheaper than a branch, where a choice can be made. */
static bool can_choose(const tsr_spv *s, tsr_type type)
{
    return tsr_type_width(s->types, type) > 0 && tsr_type_kind_of(s->types, type) != TSR_T_mat;
}

/* The type of what the pointer points to, as memory has it: a whole buffer has its own. */
static uint32_t memory_type(tsr_spv *s, const tsr_spv_ptr *p, tsr_type type)
{
    bool wrapped;
    if (!p->laid_out) return tsr_spv_type(s, type);
    if (p->parent || p->wrapped) return tsr_spv_layout_type(s, type);
    return tsr_spv_block_type(s, type, &wrapped);
}

static uint32_t load_whole(tsr_spv *s, tsr_id pointer, tsr_type type)
{
    const tsr_spv_ptr *p = tsr_spv_ptr_of(s, pointer);
    if (p->raw) return tsr_spv_raw_load(s, pointer, type);
    uint32_t memory = memory_type(s, p, type), plain = tsr_spv_type(s, type), words[2];
    words[0] = tsr_spv_pointer(s, pointer);
    uint32_t count = 1 + tsr_spv_access_words(s, pointer, words + 1);
    uint32_t value = tsr_spv_value(s, SPV_Load, memory, words, count);
    return memory == plain ? value : SPV_VALUE(s, SPV_CopyLogical, plain, value);
}

uint32_t tsr_spv_emit_load(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    tsr_id pointer = tsr_arg(s->ir, inst, 0);
    uint32_t ok = tsr_spv_ptr_of(s, pointer)->ok;
    if (!ok) return load_whole(s, pointer, inst->type);
    if (can_choose(s, inst->type)) return tsr_spv_choose(s, ok, load_whole(s, pointer, inst->type), inst->type);
    uint32_t type = tsr_spv_type(s, inst->type), result = tsr_spv_local(s, type);
    SPV_DO(s, SPV_Store, result, tsr_spv_zero(s, inst->type));
    tsr_spv_guard g = tsr_spv_guard_begin(s, ok);
    SPV_DO(s, SPV_Store, result, load_whole(s, pointer, inst->type));
    tsr_spv_guard_end(s, &g, 0, 0, 0);
    return SPV_VALUE(s, SPV_Load, type, result);
}

uint32_t tsr_spv_emit_store(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    tsr_id pointer = tsr_arg(s->ir, inst, 0);
    const tsr_spv_ptr *p = tsr_spv_ptr_of(s, pointer);
    tsr_type type = pointer_info(s, pointer)->elem;
    uint32_t memory = memory_type(s, p, type), words[3];
    words[1] = tsr_spv_arg(s, inst, 1);
    tsr_spv_guard g = tsr_spv_guard_begin(s, p->ok);
    if (memory != tsr_spv_type(s, type)) words[1] = SPV_VALUE(s, SPV_CopyLogical, memory, words[1]);
    words[0] = tsr_spv_pointer(s, pointer);
    uint32_t count = 2 + tsr_spv_access_words(s, pointer, words + 2);
    tsr_spv_do(s, SPV_Store, words, count);
    tsr_spv_guard_end(s, &g, 0, 0, 0);
    return 0;
}

uint32_t tsr_spv_emit_array_length(tsr_spv *s, tsr_id id)
{
    return tsr_spv_count_of(s, tsr_arg(s->ir, tsr_inst_at(s->ir, id), 0)).id;
}
