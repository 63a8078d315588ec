/* The rules that a type of the IR keeps, given that its parts keep them. Types read from text and types made by code
 * are held to the same. Source: WGSL, "Types" and "Memory Layout"; docs/ir.md, "Types". */
#include "ir/type.h"

#define SIZE_LIMIT UINT64_C(0xffffffff)
#define ABSTRACT   (1u << TSR_T_aint | 1u << TSR_T_afloat)

static bool is_unsized_array(const tsr_type_info *i)
{
    return i->kind == TSR_T_array && i->size.value == 0 && i->size.over == 0;
}

/* Sized by an override-expression: only a whole workgroup variable can be so. */
static bool is_override_array(const tsr_type_info *i)
{
    return i->kind == TSR_T_array && i->size.over != 0;
}

static const char *fault_of_array(const tsr_type_info *elem)
{
    if ((elem->traits & TSR_TRAIT_FIXED_FOOTPRINT) == 0) return "array elements need a type of fixed size";
    if (is_override_array(elem)) return "only the outermost array can have an override as its size";
    return NULL;
}

static const char *fault_of_member(const tsr_member *m, const tsr_type_info *type, bool last, uint64_t end)
{
    const bool unsized = is_unsized_array(type);
    if (unsized && !last) return "a run-time sized array can only be the last member";
    if (!unsized && (type->traits & TSR_TRAIT_FIXED_FOOTPRINT) == 0) return "members need a type of fixed size";
    if (is_override_array(type)) return "a member cannot be an array with an override as its size";
    if (m->align == 0 || (m->align & (m->align - 1)) != 0 || (type->align != 0 && m->align % type->align != 0))
        return "a member's alignment is a power of two and a multiple of its type's";
    if (m->offset % m->align != 0) return "a member's offset is a multiple of its alignment";
    if (m->offset < end) return "a member overlaps the one before it";
    if (m->size < type->size_bytes) return "a member's size is less than its type's";
    if ((uint64_t)m->offset + m->size > SIZE_LIMIT) return "a struct is larger than 4 GiB";
    if (m->io.builtin >= TSR_BV_COUNT) return "there is no such built-in value";
    return NULL;
}

static const char *fault_of_struct(const tsr_types *t, const tsr_type_info *i)
{
    uint64_t end = 0;
    if (i->member_count == 0) return "a struct has at least one member";
    for (uint32_t k = 0; k < i->member_count; k++) {
        const tsr_member *m = &i->members[k];
        const char *fault = fault_of_member(m, tsr_type_get(t, m->type), k + 1 == i->member_count, end);
        if (fault != NULL) return fault;
        end = (uint64_t)m->offset + m->size;
    }
    return NULL;
}

/* Buffers without a type of their own stand where buffers stand, and in workgroup memory. */
static bool is_opaque_place(const tsr_type_info *elem, tsr_space space)
{
    if ((elem->traits & TSR_TRAIT_HOST_SHAREABLE) == 0) return space == TSR_SPACE_handle;
    return space == TSR_SPACE_storage || space == TSR_SPACE_uniform || space == TSR_SPACE_workgroup;
}

static const char *fault_of_ptr(const tsr_type_info *i, const tsr_type_info *elem)
{
    if (i->elem == 0 || elem->kind == TSR_T_ptr) return "a pointer points to memory that holds a value";
    if (i->space == TSR_SPACE_none || i->space >= TSR_SPACE_COUNT) return "a pointer needs an address space";
    if (i->access == TSR_ACCESS_none || i->access > TSR_ACCESS_read_write) return "a pointer needs an access mode";
    if (elem->kind == TSR_T_opaque && !is_opaque_place(elem, (tsr_space)i->space))
        return "textures and samplers stand in the address space handle";
    return NULL;
}

static const char *fault_of_smat(const tsr_type_info *i)
{
    if (i->component == TSR_COMPONENT_NONE || i->component >= TSR_COMPONENT_COUNT)
        return "a subgroup matrix needs a component type";
    if (i->use >= TSR_USE_COUNT || i->scope >= TSR_SCOPE_COUNT) return "a subgroup matrix needs a use and a scope";
    if (i->size.value == 0 && i->size.over == 0) return "a subgroup matrix has at least one row";
    if (i->size2.value == 0 && i->size2.over == 0) return "a subgroup matrix has at least one column";
    return NULL;
}

static bool is_concrete_scalar(const tsr_type_info *i)
{
    return i->kind >= TSR_T_bool && i->kind <= TSR_T_f16;
}

static bool is_atomic_content(const tsr_type_info *i)
{
    if (i->kind == TSR_T_vec) return i->count == 2 && i->elem == TSR_T_u32;
    return i->kind == TSR_T_i32 || i->kind == TSR_T_u32;
}

const char *tsr_type_fault(const tsr_types *t, tsr_type type)
{
    const tsr_type_info *i = tsr_type_get(t, type);
    const tsr_type_info *elem = tsr_type_get(t, i->elem);
    if ((i->kinds | elem->kinds) & ABSTRACT) return "abstract numbers exist only while a program is being checked";
    if (i->depth > TSR_IR_TYPE_DEPTH_MAX) return "types nest too deep";
    if (i->traits & TSR_TRAIT_TOO_BIG) return "a type is larger than 4 GiB";
    switch ((tsr_type_kind)i->kind) {
    case TSR_T_vec:
        if (i->count < 2 || i->count > 4) return "a vector has 2 to 4 components";
        return is_concrete_scalar(elem) ? NULL : "a vector is made of scalars";
    case TSR_T_mat:
        if (i->count < 2 || i->count > 4 || i->rows < 2 || i->rows > 4) return "a matrix has 2 to 4 rows and columns";
        return elem->kind == TSR_T_f32 || elem->kind == TSR_T_f16 ? NULL : "a matrix is made of f32 or f16";
    case TSR_T_array: return fault_of_array(elem);
    case TSR_T_struct: return fault_of_struct(t, i);
    case TSR_T_atomic: return is_atomic_content(elem) ? NULL : "an atomic holds i32, u32 or vec2<u32>";
    case TSR_T_ptr: return fault_of_ptr(i, elem);
    case TSR_T_smat: return fault_of_smat(i);
    default: return NULL;
    }
}
