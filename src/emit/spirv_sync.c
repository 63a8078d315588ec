/* Atomics and barriers. WGSL's atomics are relaxed; its barriers acquire and release one kind of memory. The Vulkan
 * memory model wants the scope of each, and asks for availability and visibility by name. Source: WGSL, "Atomic
 * Built-in Functions", "Synchronization Built-in Functions"; Vulkan, "Memory Model". */
#include "emit/spirv.h"

enum { RELAXED = 0 };

/* ---- Barriers. */

static uint32_t barrier_semantics(tsr_spv *s, uint32_t memories)
{
    return tsr_spv_u32(s, memories | SPV_SEMANTICS_ACQUIRE_RELEASE | SPV_SEMANTICS_MAKE_AVAILABLE |
                              SPV_SEMANTICS_MAKE_VISIBLE);
}

void tsr_spv_control_barrier(tsr_spv *s, uint32_t scope, uint32_t memories)
{
    uint32_t where = tsr_spv_u32(s, scope);
    SPV_DO(s, SPV_ControlBarrier, where, where, barrier_semantics(s, memories));
}

void tsr_spv_subgroup_barrier(tsr_spv *s, uint32_t memories)
{
    if (s->o->caps && s->o->caps->lockstep_subgroups)
        SPV_DO(s, SPV_MemoryBarrier, tsr_spv_u32(s, SPV_SCOPE_SUBGROUP), barrier_semantics(s, memories));
    else
        tsr_spv_control_barrier(s, SPV_SCOPE_SUBGROUP, memories);
}

uint32_t tsr_spv_emit_barrier(tsr_spv *s, tsr_id id)
{
    switch ((tsr_op)tsr_inst_at(s->ir, id)->op) {
    case TSR_OP_barrier_workgroup:
        tsr_spv_control_barrier(s, SPV_SCOPE_WORKGROUP, SPV_SEMANTICS_WORKGROUP_MEMORY);
        break;
    case TSR_OP_barrier_storage: tsr_spv_control_barrier(s, SPV_SCOPE_WORKGROUP, SPV_SEMANTICS_UNIFORM_MEMORY); break;
    case TSR_OP_barrier_texture: tsr_spv_control_barrier(s, SPV_SCOPE_WORKGROUP, SPV_SEMANTICS_IMAGE_MEMORY); break;
    default: tsr_spv_subgroup_barrier(s, SPV_SEMANTICS_WORKGROUP_MEMORY | SPV_SEMANTICS_UNIFORM_MEMORY); break;
    }
    return 0;
}

/* ---- Atomics. */

static tsr_spv_op atomic_op(tsr_op op, bool is_signed)
{
    switch (op) {
    case TSR_OP_atomic_add: return SPV_AtomicIAdd;
    case TSR_OP_atomic_sub: return SPV_AtomicISub;
    case TSR_OP_atomic_max: return is_signed ? SPV_AtomicSMax : SPV_AtomicUMax;
    case TSR_OP_atomic_min: return is_signed ? SPV_AtomicSMin : SPV_AtomicUMin;
    case TSR_OP_atomic_and: return SPV_AtomicAnd;
    case TSR_OP_atomic_or: return SPV_AtomicOr;
    case TSR_OP_atomic_xor: return SPV_AtomicXor;
    default: return SPV_AtomicExchange;
    }
}

/* Queue family, not device: that scope is a feature by itself, and no program can tell the two apart here. */
static uint32_t scope_of(tsr_spv *s, tsr_id pointer)
{
    const tsr_type_info *info = tsr_type_get(s->types, tsr_inst_at(s->ir, pointer)->type);
    return tsr_spv_u32(s, info->space == TSR_SPACE_workgroup ? SPV_SCOPE_WORKGROUP : SPV_SCOPE_QUEUE_FAMILY);
}

static uint32_t emit_one(tsr_spv *s, const tsr_inst *inst, tsr_type scalar)
{
    tsr_id pointer = tsr_arg(s->ir, inst, 0);
    uint32_t type = tsr_spv_type(s, scalar), scope = scope_of(s, pointer), relaxed = tsr_spv_u32(s, RELAXED);
    uint32_t at = tsr_spv_pointer(s, pointer);
    switch ((tsr_op)inst->op) {
    case TSR_OP_load_uniform:
    case TSR_OP_atomic_load: return SPV_VALUE(s, SPV_AtomicLoad, type, at, scope, relaxed);
    case TSR_OP_atomic_store: SPV_DO(s, SPV_AtomicStore, at, scope, relaxed, tsr_spv_arg(s, inst, 1)); return 0;
    case TSR_OP_atomic_cas:
        return SPV_VALUE(s, SPV_AtomicCompareExchange, type, at, scope, relaxed, relaxed, tsr_spv_arg(s, inst, 2),
                         tsr_spv_arg(s, inst, 1));
    default:
        return SPV_VALUE(s, atomic_op((tsr_op)inst->op, scalar == TSR_T_i32), type, at, scope, relaxed,
                         tsr_spv_arg(s, inst, 1));
    }
}

/* Out of range: nothing is done, and the old value is zero. */
uint32_t tsr_spv_emit_atomic(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    tsr_id pointer = tsr_arg(s->ir, inst, 0);
    uint32_t ok = tsr_spv_ptr_of(s, pointer)->ok, bools = tsr_spv_type(s, TSR_T_bool);
    tsr_type atomic = tsr_type_get(s->types, tsr_inst_at(s->ir, pointer)->type)->elem;
    tsr_type scalar = tsr_type_get(s->types, atomic)->elem;
    uint32_t type = tsr_spv_type(s, scalar), zero = tsr_spv_zero(s, scalar);
    tsr_spv_guard g = tsr_spv_guard_begin(s, ok);
    uint32_t old = emit_one(s, inst, scalar);
    old = tsr_spv_guard_end(s, &g, old, type, zero);
    if (inst->op != TSR_OP_atomic_cas) return old;
    uint32_t same = SPV_VALUE(s, SPV_IEqual, bools, old, tsr_spv_arg(s, inst, 1));
    if (ok) same = SPV_VALUE(s, SPV_LogicalAnd, bools, same, ok);
    return SPV_VALUE(s, SPV_CompositeConstruct, tsr_spv_type(s, inst->type), old, same);
}

uint32_t tsr_spv_emit_load_uniform(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    const tsr_type_info *info = tsr_type_get(s->types, tsr_inst_at(s->ir, tsr_arg(s->ir, inst, 0))->type);
    bool atomic = tsr_type_kind_of(s->types, info->elem) == TSR_T_atomic;
    tsr_spv_control_barrier(s, SPV_SCOPE_WORKGROUP, SPV_SEMANTICS_WORKGROUP_MEMORY);
    uint32_t value = atomic ? emit_one(s, inst, inst->type) : tsr_spv_emit_load(s, id);
    tsr_spv_control_barrier(s, SPV_SCOPE_WORKGROUP, SPV_SEMANTICS_WORKGROUP_MEMORY);
    return value;
}
