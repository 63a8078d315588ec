/* Loads and stores of subgroup matrices. One instruction does it when the whole tile is inside its array, begins at a
 * whole element and is aligned as Vulkan wants it; that is proved, or tested once an access. Else a function goes
 * element by element (spirv_tile_slow.c). Source: docs/design.md, section 6; SPV_KHR_cooperative_matrix; Vulkan,
 * VUID-RuntimeSpirv-OpCooperativeMatrixLoadKHR-08986 (alignment). */
#include "emit/spirv_tile.h"

enum { ALIGNMENT_MAX = 16 }; /* bytes; the VUID above */

tsr_spv_tile tsr_spv_tile_of(tsr_spv *s, const tsr_spv_access *a)
{
    const tsr_type_info *m = tsr_type_get(s->types, a->matrix);
    tsr_type array = tsr_type_get(s->types, tsr_inst_at(s->ir, a->pointer)->type)->elem;
    const tsr_type_info *info = tsr_type_get(s->types, array);
    tsr_spv_tile t = {.matrix = a->matrix, .component = (tsr_component)m->component, .column_major = a->column_major};
    t.major = a->column_major ? m->size2.value : m->size.value;
    t.minor = a->column_major ? m->size.value : m->size2.value;
    t.bytes = tsr_component_bits(t.component) / 8;
    t.elem = info->elem;
    t.elem_stride = info->stride;
    t.per = info->stride / t.bytes;
    t.store = a->object != 0;
    return t;
}

/* ---- Alignment. */

static uint32_t lowest_bit(uint32_t n)
{
    return n ? n & (0u - n) : TSR_MULTIPLE_MAX;
}

/* Bytes that the array's place is a multiple of. Buffers and workgroup variables begin aligned. */
static uint32_t array_alignment(tsr_spv *s, tsr_id pointer)
{
    uint32_t align = ALIGNMENT_MAX;
    for (const tsr_spv_ptr *p = tsr_spv_ptr_of(s, pointer); p->parent; p = tsr_spv_ptr_of(s, p->parent)) {
        tsr_type whole = tsr_type_get(s->types, tsr_inst_at(s->ir, p->parent)->type)->elem;
        const tsr_type_info *info = tsr_type_get(s->types, whole);
        uint32_t at =
            info->kind == TSR_T_struct ? info->members[tsr_inst_at(s->ir, pointer)->aux].offset : info->stride;
        if (lowest_bit(at) < align) align = lowest_bit(at);
        pointer = p->parent;
    }
    return align;
}

/* What a row or column of the matrix must be aligned to, in bytes. */
static uint32_t wanted_alignment(const tsr_spv_tile *t)
{
    uint32_t row = t->minor * t->bytes;
    return row >= ALIGNMENT_MAX ? ALIGNMENT_MAX : row;
}

static uint32_t greatest_divisor(uint32_t a, uint32_t b)
{
    while (b) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Offset and stride must be multiples of so many components: whole elements, and aligned. */
static uint32_t component_step(const tsr_spv_tile *t)
{
    uint32_t align = wanted_alignment(t);
    uint32_t both = align / greatest_divisor(align, t->elem_stride) * t->elem_stride;
    return both / t->bytes;
}

/* Never one instruction: padding between the elements, or an array that begins in between. */
static bool is_never_direct(tsr_spv *s, const tsr_spv_access *a, const tsr_spv_tile *t)
{
    if (tsr_type_get(s->types, t->elem)->size_bytes != t->elem_stride) return true;
    return array_alignment(s, a->pointer) % wanted_alignment(t) != 0;
}

static bool is_constant(const tsr_spv *s, tsr_id id, uint32_t *value)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    if (inst->op != TSR_OP_const) return false;
    *value = (uint32_t)tsr_constant_bits(s->ir, inst);
    return true;
}

static bool is_multiple(tsr_spv *s, tsr_id id, uint32_t step)
{
    uint32_t value;
    if (is_constant(s, id, &value)) return value % step == 0;
    return tsr_range_multiple(s->ranges, id) % step == 0;
}

/* ---- The one instruction. */

/* The operand that a product multiplies by the other one, a multiple of `per`; 0 when the value is no such product, or
 * wraps. A program that counts elements has its offset and stride multiplied in this way (wgsl/matrix_access.c). */
static tsr_id find_elements(tsr_spv *s, tsr_id id, uint32_t per, uint32_t *factor)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    if (inst->op != TSR_OP_mul || !is_constant(s, tsr_arg(s->ir, inst, 1), factor) || *factor % per != 0) return 0;
    tsr_id elements = tsr_arg(s->ir, inst, 0);
    tsr_range range = tsr_range_of(s->ranges, elements);
    return range.low >= 0 && range.high <= UINT32_MAX / *factor ? elements : 0;
}

static uint32_t in_elements(tsr_spv *s, tsr_id id, uint32_t components, uint32_t per)
{
    uint32_t value, factor = 0, u32 = tsr_spv_type(s, TSR_T_u32);
    if (per == 1) return components;
    if (is_constant(s, id, &value)) return tsr_spv_u32(s, value / per);
    tsr_id elements = find_elements(s, id, per, &factor);
    if (!elements) return SPV_VALUE(s, SPV_UDiv, u32, components, tsr_spv_u32(s, per));
    if (is_constant(s, elements, &value)) return tsr_spv_u32(s, value * (factor / per));
    uint32_t count = tsr_spv_use(s, elements);
    return factor == per ? count : SPV_VALUE(s, SPV_IMul, u32, count, tsr_spv_u32(s, factor / per));
}

static uint32_t access_directly(tsr_spv *s, const tsr_spv_access *a, const tsr_spv_tile *t)
{
    uint32_t first = in_elements(s, a->offset_id, a->offset, t->per), words[5], count = 0;
    uint32_t stride = in_elements(s, a->stride_id, a->stride, t->per);
    words[count++] = tsr_spv_chain(s, a->pointer, &first, 1, t->elem);
    if (a->object) words[count++] = a->object;
    words[count++] = tsr_spv_u32(s, a->column_major);
    words[count++] = stride;
    count += tsr_spv_access_words(s, a->pointer, words + count);
    if (!a->object) return tsr_spv_value(s, SPV_CooperativeMatrixLoadKHR, tsr_spv_type(s, t->matrix), words, count);
    tsr_spv_do(s, SPV_CooperativeMatrixStoreKHR, words, count);
    return 0;
}

/* ---- Tests. */

/* condition and test; 0 stands for true. */
static uint32_t both(tsr_spv *s, uint32_t condition, uint32_t test)
{
    if (!condition) return test;
    return SPV_VALUE(s, SPV_LogicalAnd, tsr_spv_type(s, TSR_T_bool), condition, test);
}

/* Components of the array; *fixed when they are a constant. */
static uint32_t count_present(tsr_spv *s, const tsr_spv_access *a, const tsr_spv_tile *t, uint64_t *fixed)
{
    tsr_spv_count c = tsr_spv_count_of(s, a->pointer);
    *fixed = (uint64_t)c.fixed * t->per;
    if (c.fixed) return tsr_spv_u32(s, *fixed > UINT32_MAX ? UINT32_MAX : (uint32_t)*fixed);
    if (t->per == 1) return c.id;
    return SPV_VALUE(s, SPV_IMul, tsr_spv_type(s, TSR_T_u32), c.id, tsr_spv_u32(s, t->per));
}

/* fixed: components of the array, 0 for a run-time array. */
static bool is_inside(tsr_spv *s, const tsr_spv_access *a, const tsr_spv_tile *t, uint64_t fixed)
{
    tsr_range offset = tsr_range_of(s->ranges, a->offset_id), stride = tsr_range_of(s->ranges, a->stride_id);
    uint64_t present = fixed ? fixed : (uint64_t)tsr_range_least_length(s->ranges, a->pointer) * t->per;
    if (!present) return false;
    return (uint64_t)offset.high + (uint64_t)stride.high * (t->major - 1) + t->minor <= present;
}

/* stride * (major - 1), and in *condition what says that it did not wrap. */
static uint32_t stride_to_last(tsr_spv *s, const tsr_spv_access *a, const tsr_spv_tile *t, uint32_t *condition)
{
    uint32_t u32 = tsr_spv_type(s, TSR_T_u32), runs = tsr_spv_u32(s, t->major - 1), stride;
    if (is_constant(s, a->stride_id, &stride) && (uint64_t)stride * (t->major - 1) <= UINT32_MAX)
        return tsr_spv_u32(s, stride * (t->major - 1));
    if ((uint64_t)tsr_range_of(s->ranges, a->stride_id).high * (t->major - 1) <= UINT32_MAX)
        return SPV_VALUE(s, SPV_IMul, u32, a->stride, runs);
    uint32_t pair = tsr_spv_declare(s, SPV_TypeStruct, 0, (const uint32_t[]){u32, u32}, 2);
    uint32_t product = SPV_VALUE(s, SPV_UMulExtended, pair, a->stride, runs);
    uint32_t low = SPV_VALUE(s, SPV_CompositeExtract, u32, product, 0);
    uint32_t high = SPV_VALUE(s, SPV_CompositeExtract, u32, product, 1);
    uint32_t fits = SPV_VALUE(s, SPV_IEqual, tsr_spv_type(s, TSR_T_bool), high, tsr_spv_u32(s, 0));
    *condition = both(s, *condition, fits);
    return low;
}

/* offset + stride * (major - 1), which must be at most present - minor; adds to *condition what says that it did not
 * wrap. */
static uint32_t last_run(tsr_spv *s, const tsr_spv_access *a, const tsr_spv_tile *t, uint32_t *condition)
{
    uint32_t bools = tsr_spv_type(s, TSR_T_bool);
    tsr_range offset = tsr_range_of(s->ranges, a->offset_id), stride = tsr_range_of(s->ranges, a->stride_id);
    if (t->major == 1) return a->offset;
    uint32_t way = stride_to_last(s, a, t, condition);
    uint32_t sum = SPV_VALUE(s, SPV_IAdd, tsr_spv_type(s, TSR_T_u32), a->offset, way);
    if ((uint64_t)offset.high + (uint64_t)stride.high * (t->major - 1) > UINT32_MAX)
        *condition = both(s, *condition, SPV_VALUE(s, SPV_UGreaterThanEqual, bools, sum, way));
    return sum;
}

static uint32_t test_inside(tsr_spv *s, const tsr_spv_access *a, const tsr_spv_tile *t, uint32_t present,
                            uint64_t fixed, uint32_t condition)
{
    uint32_t u32 = tsr_spv_type(s, TSR_T_u32), bools = tsr_spv_type(s, TSR_T_bool), minor = tsr_spv_u32(s, t->minor);
    uint32_t last = last_run(s, a, t, &condition), most;
    if (fixed) {
        most = tsr_spv_u32(s, (uint32_t)(fixed - t->minor > UINT32_MAX ? UINT32_MAX : fixed - t->minor));
    } else {
        condition = both(s, condition, SPV_VALUE(s, SPV_UGreaterThanEqual, bools, present, minor));
        most = SPV_VALUE(s, SPV_ISub, u32, present, minor);
    }
    return both(s, condition, SPV_VALUE(s, SPV_ULessThanEqual, bools, last, most));
}

static uint32_t test_multiple(tsr_spv *s, const tsr_spv_access *a, const tsr_spv_tile *t, uint32_t condition)
{
    uint32_t u32 = tsr_spv_type(s, TSR_T_u32), bools = tsr_spv_type(s, TSR_T_bool), step = component_step(t);
    bool offset = !is_multiple(s, a->offset_id, step), stride = t->major > 1 && !is_multiple(s, a->stride_id, step);
    const uint32_t value[2] = {a->offset, a->stride};
    for (int i = 0; i < 2; i++) {
        if (i == 0 ? !offset : !stride) continue;
        uint32_t rest = SPV_VALUE(s, SPV_UMod, u32, value[i], tsr_spv_u32(s, step));
        condition = both(s, condition, SPV_VALUE(s, SPV_IEqual, bools, rest, tsr_spv_u32(s, 0)));
    }
    return condition;
}

/* ---- The choice. */

/* --oob=restart: at the beginning of the array what would leave it. */
static uint32_t access_restarted(tsr_spv *s, const tsr_spv_access *a, const tsr_spv_tile *t, uint32_t condition)
{
    tsr_spv_access from = *a;
    if (condition)
        from.offset = SPV_VALUE(s, SPV_Select, tsr_spv_type(s, TSR_T_u32), condition, a->offset, tsr_spv_u32(s, 0));
    return access_directly(s, &from, t);
}

static uint32_t access_either(tsr_spv *s, const tsr_spv_access *a, const tsr_spv_tile *t, uint32_t condition,
                              uint32_t present)
{
    uint32_t direct = tsr_spv_new_id(s), slow = tsr_spv_new_id(s), merge = tsr_spv_new_id(s);
    uint32_t type = tsr_spv_type(s, t->matrix), result = t->store ? 0 : tsr_spv_local(s, type);
    SPV_DO(s, SPV_SelectionMerge, merge, 0);
    SPV_DO(s, SPV_BranchConditional, condition, direct, slow);
    for (int i = 0; i < 2; i++) {
        tsr_spv_label(s, i == 0 ? direct : slow);
        uint32_t value = i == 0 ? access_directly(s, a, t) : tsr_spv_tile_call(s, a, t, present);
        if (result) SPV_DO(s, SPV_Store, result, value);
        tsr_spv_branch(s, merge);
    }
    tsr_spv_label(s, merge);
    return result ? SPV_VALUE(s, SPV_Load, type, result) : 0;
}

uint32_t tsr_spv_tile_access(tsr_spv *s, const tsr_spv_access *a)
{
    tsr_spv_tile t = tsr_spv_tile_of(s, a);
    uint64_t fixed;
    uint32_t condition = tsr_spv_ptr_of(s, a->pointer)->ok;
    if (s->o->oob == TSR_OOB_UNCHECKED) return access_directly(s, a, &t);
    uint32_t present = count_present(s, a, &t, &fixed);
    if (condition)
        present = SPV_VALUE(s, SPV_Select, tsr_spv_type(s, TSR_T_u32), condition, present, tsr_spv_u32(s, 0));
    if (is_never_direct(s, a, &t) || (fixed && fixed < t.minor)) return tsr_spv_tile_call(s, a, &t, present);
    if (!is_inside(s, a, &t, fixed)) condition = test_inside(s, a, &t, present, fixed, condition);
    if (s->o->oob == TSR_OOB_RESTART) return access_restarted(s, a, &t, condition);
    condition = test_multiple(s, a, &t, condition);
    return condition ? access_either(s, a, &t, condition, present) : access_directly(s, a, &t);
}
