/* Values with parts: made, taken apart, indexed. */
#include "emit/spirv.h"

uint32_t tsr_spv_emit_compose(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    uint32_t constant = tsr_spv_constant(s, id);
    if (constant) return constant;
    uint32_t *parts = TSR_NEW_ARRAY(s->arena, uint32_t, inst->nargs + 1u);
    for (uint32_t i = 0; i < inst->nargs; i++)
        parts[i] = tsr_spv_arg(s, inst, i);
    return tsr_spv_value(s, SPV_CompositeConstruct, tsr_spv_type(s, inst->type), parts, inst->nargs);
}

uint32_t tsr_spv_emit_splat(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    uint32_t constant = tsr_spv_constant(s, id);
    if (constant) return constant;
    uint32_t a = tsr_spv_arg(s, inst, 0);
    const uint32_t parts[4] = {a, a, a, a};
    return tsr_spv_value(s, SPV_CompositeConstruct, tsr_spv_type(s, inst->type), parts,
                         tsr_type_width(s->types, inst->type));
}

uint32_t tsr_spv_emit_extract(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    return SPV_VALUE(s, SPV_CompositeExtract, tsr_spv_type(s, inst->type), tsr_spv_arg(s, inst, 0), inst->aux);
}

uint32_t tsr_spv_emit_insert(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    uint32_t whole = tsr_spv_arg(s, inst, 0), part = tsr_spv_arg(s, inst, 1);
    return SPV_VALUE(s, SPV_CompositeInsert, tsr_spv_type(s, inst->type), part, whole, inst->aux);
}

uint32_t tsr_spv_emit_swizzle(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    unsigned count = tsr_type_width(s->types, inst->type);
    uint32_t a = tsr_spv_arg(s, inst, 0), words[6] = {a, a};
    for (unsigned c = 0; c < count; c++)
        words[2 + c] = inst->aux >> (4 * c) & 15;
    return tsr_spv_value(s, SPV_VectorShuffle, tsr_spv_type(s, inst->type), words, 2 + count);
}

/* ---- An index that is not a constant. */

/* A variable that holds the value, to be indexed there: a private one with its initial value for a constant, one of the
 * function else. */
static uint32_t variable_of(tsr_spv *s, tsr_id value, uint32_t *storage)
{
    tsr_type type = tsr_inst_at(s->ir, value)->type;
    uint32_t constant = tsr_spv_constant(s, value), variable, pointee = tsr_spv_type(s, type);
    if (constant) {
        *storage = SPV_StorageClass_Private;
        if (tsr_map_find(&s->tables, constant, &variable)) return variable;
        variable = tsr_spv_declare_new(s, SPV_Variable, tsr_spv_pointer_type(s, *storage, pointee),
                                       (const uint32_t[]){*storage, constant}, 2);
        tsr_map_set(&s->tables, constant, variable);
        if (s->version >= SPV_VERSION(1, 4)) tsr_words_add1(&s->interface, s->arena, variable);
        return variable;
    }
    *storage = SPV_StorageClass_Function;
    if (!tsr_map_find(&s->temporaries, type, &variable)) {
        variable = tsr_spv_local(s, pointee);
        tsr_map_set(&s->temporaries, type, variable);
    }
    SPV_DO(s, SPV_Store, variable, tsr_spv_use(s, value));
    return variable;
}

static uint32_t part_count(const tsr_type_info *whole)
{
    return whole->kind == TSR_T_array ? whole->size.value : whole->count;
}

/* Out of range: zero. What is read then is the last part. */
uint32_t tsr_spv_emit_element(tsr_spv *s, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, id);
    tsr_id whole_id = tsr_arg(s->ir, inst, 0), index_id = tsr_arg(s->ir, inst, 1);
    const tsr_type_info *whole = tsr_type_get(s->types, tsr_inst_at(s->ir, whole_id)->type);
    uint32_t type = tsr_spv_type(s, inst->type), count = part_count(whole), storage, ok, value;
    uint32_t index = tsr_spv_bound_index(s, index_id, (tsr_spv_count){.fixed = count}, &ok);
    if (whole->kind == TSR_T_vec) {
        value = SPV_VALUE(s, SPV_VectorExtractDynamic, type, tsr_spv_use(s, whole_id), index);
    } else {
        uint32_t variable = variable_of(s, whole_id, &storage);
        uint32_t part = SPV_VALUE(s, SPV_AccessChain, tsr_spv_pointer_type(s, storage, type), variable, index);
        value = SPV_VALUE(s, SPV_Load, type, part);
    }
    return ok ? tsr_spv_choose(s, ok, value, inst->type) : value;
}
