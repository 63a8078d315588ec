/* Uniform buffers whose layout is WGSL's and not what Vulkan takes without a further feature (std140 with relaxed
 * offsets): matrices with columns of 8 bytes, arrays with a stride that is no multiple of 16, and the like. Such a
 * buffer is declared as an array of vec4<u32>, and values are put together from words. Source: Vulkan, "Offset and
 * Stride Assignment"; WGSL, "Memory Layout". */
#include "emit/spirv.h"

enum { BLOCK_BYTES = 16, WORD_BYTES = 4, LOOP_FROM = 8 /* elements of an array; below, each is written out */ };

/* ---- Which buffers. */

static bool is_aggregate(tsr_type_kind kind)
{
    return kind == TSR_T_array || kind == TSR_T_struct || kind == TSR_T_mat;
}

static bool is_std140(const tsr_spv *s, tsr_type type);

static bool is_std140_struct(const tsr_spv *s, const tsr_type_info *info)
{
    uint32_t free_from = 0; /* an aggregate fills whole blocks */
    for (uint32_t i = 0; i < info->member_count; i++) {
        const tsr_member *m = &info->members[i];
        bool aggregate = is_aggregate(tsr_type_kind_of(s->types, m->type));
        if (m->offset < free_from || (aggregate && m->offset % BLOCK_BYTES != 0) || !is_std140(s, m->type))
            return false;
        uint64_t end = m->offset + tsr_type_get(s->types, m->type)->size_bytes;
        if (aggregate) free_from = (uint32_t)((end + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES);
    }
    return true;
}

/* Recursion is as deep as types nest. */
static bool is_std140(const tsr_spv *s, tsr_type type)
{
    const tsr_type_info *info = tsr_type_get(s->types, type);
    switch ((tsr_type_kind)info->kind) {
    case TSR_T_mat: return info->stride % BLOCK_BYTES == 0;
    case TSR_T_array: return info->stride % BLOCK_BYTES == 0 && is_std140(s, info->elem);
    case TSR_T_struct: return is_std140_struct(s, info);
    default: return true;
    }
}

bool tsr_spv_is_raw(const tsr_spv *s, tsr_type type)
{
    return !is_std140(s, type);
}

uint32_t tsr_spv_raw_block(tsr_spv *s, tsr_type type)
{
    uint64_t size = tsr_type_get(s->types, type)->size_bytes;
    uint32_t count = (uint32_t)((size + BLOCK_BYTES - 1) / BLOCK_BYTES);
    const uint32_t words[] = {tsr_spv_vec_type(s, TSR_T_u32, 4), tsr_spv_u32(s, count)};
    uint32_t array = tsr_spv_declare_new(s, SPV_TypeArray, 0, words, 2);
    uint32_t block = tsr_spv_declare_new(s, SPV_TypeStruct, 0, &array, 1);
    tsr_spv_decorate(s, array, SPV_Decoration_ArrayStride, BLOCK_BYTES);
    tsr_spv_decorate(s, block, SPV_Decoration_Block, UINT32_MAX);
    tsr_spv_decorate_member(s, block, 0, SPV_Decoration_Offset, 0);
    return block;
}

/* ---- Places: a constant number of bytes, and a value (id; 0: none) besides. */

struct place {
    uint32_t variable, fixed, more;
};

static uint32_t add(tsr_spv *s, uint32_t a, uint32_t b)
{
    return a ? SPV_VALUE(s, SPV_IAdd, tsr_spv_type(s, TSR_T_u32), a, b) : b;
}

/* A multiple of an index further. */
static struct place step(tsr_spv *s, struct place at, uint32_t index, uint32_t stride)
{
    uint32_t u32 = tsr_spv_type(s, TSR_T_u32);
    at.more = add(s, at.more, SPV_VALUE(s, SPV_IMul, u32, index, tsr_spv_u32(s, stride)));
    return at;
}

static struct place find_place(tsr_spv *s, tsr_id pointer)
{
    struct place at = {.variable = tsr_spv_ptr_of(s, tsr_spv_ptr_of(s, pointer)->root)->id};
    const tsr_spv_ptr *p = tsr_spv_ptr_of(s, pointer);
    for (; p->parent; pointer = p->parent, p = tsr_spv_ptr_of(s, pointer)) {
        const tsr_inst *inst = tsr_inst_at(s->ir, pointer);
        tsr_type whole_type = tsr_type_get(s->types, tsr_inst_at(s->ir, p->parent)->type)->elem;
        const tsr_type_info *whole = tsr_type_get(s->types, whole_type);
        uint32_t stride =
            whole->kind == TSR_T_vec ? (uint32_t)tsr_type_get(s->types, whole->elem)->size_bytes : whole->stride;
        if (inst->op == TSR_OP_field) {
            at.fixed += whole->members[inst->aux].offset;
            continue;
        }
        const tsr_inst *index = tsr_inst_at(s->ir, tsr_arg(s->ir, inst, 1));
        bool known = index->op == TSR_OP_const && tsr_spv_use(s, tsr_arg(s->ir, inst, 1)) == p->step;
        if (known)
            at.fixed += (uint32_t)tsr_constant_bits(s->ir, index) * stride;
        else
            at = step(s, at, p->step, stride);
    }
    return at;
}

/* ---- Loads. */

static uint32_t load_word(tsr_spv *s, struct place at)
{
    uint32_t u32 = tsr_spv_type(s, TSR_T_u32), block = tsr_spv_u32(s, at.fixed / BLOCK_BYTES);
    uint32_t word = tsr_spv_u32(s, at.fixed % BLOCK_BYTES / WORD_BYTES);
    if (at.more) {
        uint32_t bytes = add(s, at.more, tsr_spv_u32(s, at.fixed));
        block = SPV_VALUE(s, SPV_UDiv, u32, bytes, tsr_spv_u32(s, BLOCK_BYTES));
        word = SPV_VALUE(s, SPV_UDiv, u32, bytes, tsr_spv_u32(s, WORD_BYTES));
        word = SPV_VALUE(s, SPV_UMod, u32, word, tsr_spv_u32(s, BLOCK_BYTES / WORD_BYTES));
    }
    uint32_t pointer = tsr_spv_pointer_type(s, SPV_StorageClass_Uniform, u32);
    pointer = SPV_VALUE(s, SPV_AccessChain, pointer, at.variable, tsr_spv_u32(s, 0), block, word);
    return SPV_VALUE(s, SPV_Load, u32, pointer);
}

/* Half of a word: which one is known only when all of the place is. */
static uint32_t load_half(tsr_spv *s, struct place at)
{
    uint32_t u32 = tsr_spv_type(s, TSR_T_u32), half = tsr_spv_u32(s, at.fixed % WORD_BYTES / 2), word;
    if (at.more) {
        half = SPV_VALUE(s, SPV_UDiv, u32, add(s, at.more, tsr_spv_u32(s, at.fixed)), tsr_spv_u32(s, 2));
        half = SPV_VALUE(s, SPV_UMod, u32, half, tsr_spv_u32(s, 2));
    }
    word = SPV_VALUE(s, SPV_Bitcast, tsr_spv_vec_type(s, TSR_T_f16, 2), load_word(s, at));
    return SPV_VALUE(s, SPV_VectorExtractDynamic, tsr_spv_type(s, TSR_T_f16), word, half);
}

static uint32_t load_at(tsr_spv *s, struct place at, tsr_type type);

static uint32_t load_scalar(tsr_spv *s, struct place at, tsr_type type)
{
    if (type == TSR_T_f16) return load_half(s, at);
    uint32_t word = load_word(s, at);
    return type == TSR_T_u32 ? word : SPV_VALUE(s, SPV_Bitcast, tsr_spv_type(s, type), word);
}

/* `count` parts of one type, `stride` bytes apart, as a value of `type`. */
static uint32_t load_parts(tsr_spv *s, struct place at, tsr_type type, tsr_type part, uint32_t count, uint32_t stride)
{
    uint32_t *parts = TSR_NEW_ARRAY(s->arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++, at.fixed += stride)
        parts[i] = load_at(s, at, part);
    return tsr_spv_value(s, SPV_CompositeConstruct, tsr_spv_type(s, type), parts, count);
}

/* A column has no type of its own in the IR's table, maybe. */
static uint32_t load_mat(tsr_spv *s, struct place at, tsr_type type)
{
    const tsr_type_info *info = tsr_type_get(s->types, type);
    uint32_t column_type = tsr_spv_vec_type(s, info->elem, info->rows), columns[4], parts[4];
    uint32_t bytes = (uint32_t)tsr_type_get(s->types, info->elem)->size_bytes;
    for (uint32_t c = 0; c < info->count; c++) {
        for (uint32_t r = 0; r < info->rows; r++) {
            struct place part = at;
            part.fixed += c * info->stride + r * bytes;
            parts[r] = load_scalar(s, part, info->elem);
        }
        columns[c] = tsr_spv_value(s, SPV_CompositeConstruct, column_type, parts, info->rows);
    }
    return tsr_spv_value(s, SPV_CompositeConstruct, tsr_spv_type(s, type), columns, info->count);
}

static uint32_t load_struct(tsr_spv *s, struct place at, tsr_type type)
{
    const tsr_type_info *info = tsr_type_get(s->types, type);
    uint32_t *parts = TSR_NEW_ARRAY(s->arena, uint32_t, info->member_count);
    for (uint32_t i = 0; i < info->member_count; i++) {
        struct place part = at;
        part.fixed += info->members[i].offset;
        parts[i] = load_at(s, part, info->members[i].type);
    }
    return tsr_spv_value(s, SPV_CompositeConstruct, tsr_spv_type(s, type), parts, info->member_count);
}

static uint32_t load_long_array(tsr_spv *s, struct place at, tsr_type type, const tsr_type_info *info)
{
    uint32_t array = tsr_spv_local(s, tsr_spv_type(s, type)), i, zero = tsr_spv_u32(s, 0), one = tsr_spv_u32(s, 1);
    uint32_t count = tsr_spv_u32(s, info->size.value);
    uint32_t element = tsr_spv_pointer_type(s, SPV_StorageClass_Function, tsr_spv_type(s, info->elem));
    tsr_spv_loop l = tsr_spv_begin_loop(s, zero, count, one, &i);
    uint32_t value = load_at(s, step(s, at, i, info->stride), info->elem);
    uint32_t pointer = SPV_VALUE(s, SPV_AccessChain, element, array, i);
    SPV_DO(s, SPV_Store, pointer, value);
    tsr_spv_end_loop(s, &l);
    return SPV_VALUE(s, SPV_Load, tsr_spv_type(s, type), array);
}

/* Recursion is as deep as types nest. */
static uint32_t load_at(tsr_spv *s, struct place at, tsr_type type)
{
    const tsr_type_info *info = tsr_type_get(s->types, type), *elem = tsr_type_get(s->types, info->elem);
    switch ((tsr_type_kind)info->kind) {
    case TSR_T_vec: return load_parts(s, at, type, info->elem, info->count, (uint32_t)elem->size_bytes);
    case TSR_T_mat: return load_mat(s, at, type);
    case TSR_T_struct: return load_struct(s, at, type);
    case TSR_T_array:
        if (info->size.value >= LOOP_FROM) return load_long_array(s, at, type, info);
        return load_parts(s, at, type, info->elem, info->size.value, info->stride);
    default: return load_scalar(s, at, type);
    }
}

uint32_t tsr_spv_raw_load(tsr_spv *s, tsr_id pointer, tsr_type type)
{
    return load_at(s, find_place(s, pointer), type);
}
