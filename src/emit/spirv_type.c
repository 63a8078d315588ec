/* Types. Arrays and structs exist twice: as values and local memory have them, and as buffers have them, with offsets
 * and strides (Vulkan wants these in buffers, and nowhere else). Source: SPIR-V 1.6, "Type-Declaration Instructions";
 * Vulkan, "Shader Interfaces", "Offset and Stride Assignment". */
#include "emit/spirv.h"

#include <string.h>

#define NO_VALUE UINT32_MAX

static void grow_caches(tsr_spv *s)
{
    uint32_t count = s->types->info.count, cap = s->type_cap ? s->type_cap : count;
    if (count <= s->type_cap) return;
    while (cap < count)
        cap *= 2;
    uint32_t **const caches[] = {&s->type_ids, &s->layout_ids, &s->block_ids};
    for (size_t i = 0; i < TSR_COUNT_OF(caches); i++) {
        uint32_t *grown = TSR_NEW_ARRAY(s->arena, uint32_t, cap);
        if (s->type_cap) memcpy(grown, *caches[i], s->type_cap * sizeof *grown);
        *caches[i] = grown;
    }
    s->type_cap = cap;
}

/* ---- Scalars. */

static uint32_t declare_int(tsr_spv *s, uint32_t bits, bool is_signed)
{
    if (bits == 8) tsr_spv_capability(s, SPV_Capability_Int8);
    return tsr_spv_declare(s, SPV_TypeInt, 0, (const uint32_t[]){bits, is_signed}, 2);
}

static uint32_t declare_float(tsr_spv *s, uint32_t bits)
{
    if (bits == 16) tsr_spv_capability(s, SPV_Capability_Float16);
    if (bits == 64) tsr_spv_capability(s, SPV_Capability_Float64);
    return tsr_spv_declare(s, SPV_TypeFloat, 0, &bits, 1);
}

static uint32_t declare_bf16(tsr_spv *s)
{
    tsr_spv_capability(s, SPV_Capability_BFloat16TypeKHR);
    tsr_spv_capability(s, SPV_Capability_BFloat16CooperativeMatrixKHR);
    tsr_spv_extension(s, "SPV_KHR_bfloat16");
    return tsr_spv_declare(s, SPV_TypeFloat, 0, (const uint32_t[]){16, SPV_FPEncoding_BFloat16KHR}, 2);
}

static uint32_t declare_f8(tsr_spv *s, uint32_t encoding)
{
    tsr_spv_capability(s, SPV_Capability_Float8EXT);
    tsr_spv_capability(s, SPV_Capability_Float8CooperativeMatrixEXT);
    tsr_spv_extension(s, "SPV_EXT_float8");
    return tsr_spv_declare(s, SPV_TypeFloat, 0, (const uint32_t[]){8, encoding}, 2);
}

uint32_t tsr_spv_component_type(tsr_spv *s, tsr_component c)
{
    switch (c) {
    case TSR_F16: return declare_float(s, 16);
    case TSR_F32: return declare_float(s, 32);
    case TSR_F64: return declare_float(s, 64);
    case TSR_BF16: return declare_bf16(s);
    case TSR_F8E4M3: return declare_f8(s, SPV_FPEncoding_Float8E4M3EXT);
    case TSR_F8E5M2: return declare_f8(s, SPV_FPEncoding_Float8E5M2EXT);
    default: return declare_int(s, tsr_component_bits(c), tsr_component_is_signed(c));
    }
}

static uint32_t declare_scalar(tsr_spv *s, tsr_type_kind kind)
{
    switch (kind) {
    case TSR_T_void: return tsr_spv_declare(s, SPV_TypeVoid, 0, NULL, 0);
    case TSR_T_bool: return tsr_spv_declare(s, SPV_TypeBool, 0, NULL, 0);
    case TSR_T_i32: return declare_int(s, 32, true);
    case TSR_T_u32: return declare_int(s, 32, false);
    case TSR_T_f32: return declare_float(s, 32);
    case TSR_T_f16: return declare_float(s, 16);
    default: TSR_ICE("a type that no program has");
    }
}

uint32_t tsr_spv_vec_type(tsr_spv *s, tsr_type scalar, unsigned count)
{
    uint32_t elem = tsr_spv_type(s, scalar);
    return count == 1 ? elem : tsr_spv_declare(s, SPV_TypeVector, 0, (const uint32_t[]){elem, count}, 2);
}

/* ---- Composites. */

static uint32_t declare_mat(tsr_spv *s, const tsr_type_info *info)
{
    uint32_t column = tsr_spv_vec_type(s, info->elem, info->rows);
    tsr_spv_capability(s, SPV_Capability_Matrix);
    return tsr_spv_declare(s, SPV_TypeMatrix, 0, (const uint32_t[]){column, info->count}, 2);
}

/* The scopes of SPIR-V by those of the vocabulary. */
static uint32_t scope_number(uint8_t scope)
{
    static const uint8_t number[TSR_SCOPE_COUNT] = {[TSR_SCOPE_SUBGROUP] = SPV_SCOPE_SUBGROUP,
                                                    [TSR_SCOPE_WORKGROUP] = SPV_SCOPE_WORKGROUP,
                                                    [TSR_SCOPE_DEVICE] = 1,
                                                    [TSR_SCOPE_QUEUE_FAMILY] = SPV_SCOPE_QUEUE_FAMILY};
    return number[scope];
}

static uint32_t declare_smat(tsr_spv *s, const tsr_type_info *info)
{
    tsr_spv_capability(s, SPV_Capability_CooperativeMatrixKHR);
    tsr_spv_extension(s, "SPV_KHR_cooperative_matrix");
    /* The uses of the vocabulary have SPIR-V's numbers: A 0, B 1, accumulator 2. */
    const uint32_t words[] = {tsr_spv_component_type(s, (tsr_component)info->component),
                              tsr_spv_u32(s, scope_number(info->scope)), tsr_spv_u32(s, info->size.value),
                              tsr_spv_u32(s, info->size2.value), tsr_spv_u32(s, info->use)};
    return tsr_spv_declare(s, SPV_TypeCooperativeMatrixKHR, 0, words, 5);
}

/* The matrix at the bottom of arrays, 0 when there is none: its stride is a decoration of the member that holds it. */
static const tsr_type_info *matrix_below(const tsr_spv *s, tsr_type type)
{
    const tsr_type_info *info = tsr_type_get(s->types, type);
    while (info->kind == TSR_T_array)
        info = tsr_type_get(s->types, info->elem);
    return info->kind == TSR_T_mat ? info : NULL;
}

static void lay_member(tsr_spv *s, uint32_t id, uint32_t member, tsr_type type, uint32_t offset)
{
    const tsr_type_info *matrix = matrix_below(s, type);
    tsr_spv_decorate_member(s, id, member, SPV_Decoration_Offset, offset);
    if (!matrix) return;
    tsr_spv_decorate_member(s, id, member, SPV_Decoration_ColMajor, NO_VALUE);
    tsr_spv_decorate_member(s, id, member, SPV_Decoration_MatrixStride, matrix->stride);
}

static uint32_t declare_struct(tsr_spv *s, const tsr_type_info *info, bool laid_out, bool is_block)
{
    uint32_t *members = TSR_NEW_ARRAY(s->arena, uint32_t, info->member_count);
    for (uint32_t i = 0; i < info->member_count; i++)
        members[i] = laid_out ? tsr_spv_layout_type(s, info->members[i].type) : tsr_spv_type(s, info->members[i].type);
    uint32_t id = tsr_spv_declare_new(s, SPV_TypeStruct, 0, members, info->member_count);
    tsr_spv_name_sym(s, id, info->name);
    for (uint32_t i = 0; i < info->member_count; i++)
        tsr_spv_name_member(s, id, i, info->members[i].name);
    if (is_block) tsr_spv_decorate(s, id, SPV_Decoration_Block, NO_VALUE);
    for (uint32_t i = 0; laid_out && i < info->member_count; i++)
        lay_member(s, id, i, info->members[i].type, info->members[i].offset);
    return id;
}

static uint32_t declare_array(tsr_spv *s, const tsr_type_info *info, bool laid_out)
{
    const uint32_t count = info->size.value;
    uint32_t elem = laid_out ? tsr_spv_layout_type(s, info->elem) : tsr_spv_type(s, info->elem);
    uint32_t words[2] = {elem, count ? tsr_spv_u32(s, count) : 0};
    tsr_spv_op op = count ? SPV_TypeArray : SPV_TypeRuntimeArray;
    if (!laid_out) return tsr_spv_declare(s, op, 0, words, count ? 2 : 1);
    uint32_t id = tsr_spv_declare_new(s, op, 0, words, count ? 2 : 1);
    tsr_spv_decorate(s, id, SPV_Decoration_ArrayStride, info->stride);
    return id;
}

/* ---- The two forms. */

static uint32_t declare_type(tsr_spv *s, tsr_type type, bool laid_out)
{
    const tsr_type_info *info = tsr_type_get(s->types, type);
    switch ((tsr_type_kind)info->kind) {
    case TSR_T_vec: return tsr_spv_vec_type(s, info->elem, info->count);
    case TSR_T_mat: return declare_mat(s, info);
    case TSR_T_array: return declare_array(s, info, laid_out);
    case TSR_T_struct: return declare_struct(s, info, laid_out, false);
    case TSR_T_atomic: return tsr_spv_type(s, info->elem);
    case TSR_T_ptr:
        return tsr_spv_pointer_type(s, tsr_spv_storage((tsr_space)info->space), tsr_spv_type(s, info->elem));
    case TSR_T_smat: return declare_smat(s, info);
    default: return declare_scalar(s, (tsr_type_kind)info->kind);
    }
}

static bool has_layout(const tsr_spv *s, tsr_type type)
{
    tsr_type_kind kind = tsr_type_kind_of(s->types, type);
    return (kind == TSR_T_array || kind == TSR_T_struct) && tsr_type_is_host_shareable(s->types, type);
}

uint32_t tsr_spv_type(tsr_spv *s, tsr_type type)
{
    grow_caches(s);
    if (s->type_ids[type]) return s->type_ids[type];
    bool shared = s->version < SPV_VERSION(1, 4) && has_layout(s, type);
    uint32_t id = shared ? tsr_spv_layout_type(s, type) : declare_type(s, type, false);
    return s->type_ids[type] = id;
}

uint32_t tsr_spv_layout_type(tsr_spv *s, tsr_type type)
{
    grow_caches(s);
    if (!has_layout(s, type)) return tsr_spv_type(s, type);
    if (!s->layout_ids[type]) {
        uint32_t id = declare_type(s, type, true);
        s->layout_ids[type] = id;
    }
    return s->layout_ids[type];
}

/* Whether a buffer's type can be the block itself. Before SPIR-V 1.4, a struct that is loaded as a whole must not be:
 * its type is also that of values, which may stand in other blocks. A struct that ends in a run-time array is never
 * loaded. */
static bool can_be_block(const tsr_spv *s, const tsr_type_info *info)
{
    if (info->kind != TSR_T_struct) return false;
    const tsr_type_info *last = tsr_type_get(s->types, info->members[info->member_count - 1].type);
    return s->version >= SPV_VERSION(1, 4) || (last->kind == TSR_T_array && last->size.value == 0);
}

uint32_t tsr_spv_block_type(tsr_spv *s, tsr_type type, bool *wrapped)
{
    const tsr_type_info *info = tsr_type_get(s->types, type);
    grow_caches(s);
    *wrapped = !can_be_block(s, info);
    if (s->block_ids[type]) return s->block_ids[type];
    uint32_t id;
    if (*wrapped) {
        uint32_t member = tsr_spv_layout_type(s, type);
        id = tsr_spv_declare_new(s, SPV_TypeStruct, 0, &member, 1);
        tsr_spv_decorate(s, id, SPV_Decoration_Block, NO_VALUE);
        lay_member(s, id, 0, type, 0);
    } else {
        id = declare_struct(s, info, true, true);
    }
    return s->block_ids[type] = id;
}

uint32_t tsr_spv_pointer_type(tsr_spv *s, uint32_t storage, uint32_t pointee)
{
    return tsr_spv_declare(s, SPV_TypePointer, 0, (const uint32_t[]){storage, pointee}, 2);
}

uint32_t tsr_spv_storage(tsr_space space)
{
    switch (space) {
    case TSR_SPACE_private: return SPV_StorageClass_Private;
    case TSR_SPACE_workgroup: return SPV_StorageClass_Workgroup;
    case TSR_SPACE_uniform: return SPV_StorageClass_Uniform;
    case TSR_SPACE_storage: return SPV_StorageClass_StorageBuffer;
    default: return SPV_StorageClass_Function;
    }
}

uint32_t tsr_spv_relayout(tsr_spv *s, uint32_t value, tsr_type type, bool to_layout)
{
    uint32_t plain = tsr_spv_type(s, type), laid_out = tsr_spv_layout_type(s, type);
    if (plain == laid_out) return value;
    return SPV_VALUE(s, SPV_CopyLogical, to_layout ? laid_out : plain, value);
}
