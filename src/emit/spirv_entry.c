/* What surrounds the functions: built-in values, module-scope variables, workgroup memory that begins as zero. Source:
 * WGSL, "Built-in Inputs and Outputs", "Address Spaces"; SPIR-V 1.6, "BuiltIn". */
#include "emit/spirv.h"

/* ---- Built-in values. */

/* UINT32_MAX: worked out from others. */
static uint32_t builtin_number(tsr_builtin_value builtin)
{
    switch (builtin) {
    case TSR_BV_local_invocation_id: return SPV_BuiltIn_LocalInvocationId;
    case TSR_BV_local_invocation_index: return SPV_BuiltIn_LocalInvocationIndex;
    case TSR_BV_global_invocation_id: return SPV_BuiltIn_GlobalInvocationId;
    case TSR_BV_workgroup_id: return SPV_BuiltIn_WorkgroupId;
    case TSR_BV_num_workgroups: return SPV_BuiltIn_NumWorkgroups;
    case TSR_BV_subgroup_invocation_id: return SPV_BuiltIn_SubgroupLocalInvocationId;
    case TSR_BV_subgroup_size: return SPV_BuiltIn_SubgroupSize;
    case TSR_BV_subgroup_id: return SPV_BuiltIn_SubgroupId;
    case TSR_BV_num_subgroups: return SPV_BuiltIn_NumSubgroups;
    default: return UINT32_MAX;
    }
}

static bool is_vector(tsr_builtin_value builtin)
{
    return builtin == TSR_BV_local_invocation_id || builtin == TSR_BV_global_invocation_id ||
           builtin == TSR_BV_workgroup_id || builtin == TSR_BV_num_workgroups;
}

static bool is_of_subgroup(tsr_builtin_value builtin)
{
    return builtin == TSR_BV_subgroup_invocation_id || builtin == TSR_BV_subgroup_size ||
           builtin == TSR_BV_subgroup_id || builtin == TSR_BV_num_subgroups;
}

static uint32_t input_variable(tsr_spv *s, tsr_builtin_value builtin, uint32_t type)
{
    uint32_t *id = &s->builtin_ids[builtin];
    const uint32_t storage = SPV_StorageClass_Input;
    if (*id) return *id;
    if (is_of_subgroup(builtin)) tsr_spv_capability(s, SPV_Capability_GroupNonUniform);
    *id = tsr_spv_declare_new(s, SPV_Variable, tsr_spv_pointer_type(s, storage, type), &storage, 1);
    tsr_spv_decorate(s, *id, SPV_Decoration_BuiltIn, builtin_number(builtin));
    tsr_spv_name(s, *id, tsr_builtin_value_name(builtin));
    tsr_words_add1(&s->interface, s->arena, *id);
    return *id;
}

/* id.x + width * (id.y + height * id.z), the grid counted in workgroups or invocations. */
static uint32_t linear_index(tsr_spv *s, bool in_workgroups)
{
    uint32_t u32 = tsr_spv_type(s, TSR_T_u32), id[3], size[2];
    uint32_t where = tsr_spv_builtin(s, in_workgroups ? TSR_BV_workgroup_id : TSR_BV_global_invocation_id);
    uint32_t groups = tsr_spv_builtin(s, TSR_BV_num_workgroups);
    for (uint32_t i = 0; i < 3; i++)
        id[i] = SPV_VALUE(s, SPV_CompositeExtract, u32, where, i);
    for (uint32_t i = 0; i < 2; i++) {
        size[i] = SPV_VALUE(s, SPV_CompositeExtract, u32, groups, i);
        if (!in_workgroups) size[i] = SPV_VALUE(s, SPV_IMul, u32, size[i], tsr_spv_u32(s, s->p->workgroup_size[i]));
    }
    uint32_t plane = SPV_VALUE(s, SPV_IMul, u32, size[1], id[2]);
    uint32_t row = SPV_VALUE(s, SPV_IAdd, u32, id[1], plane);
    uint32_t rows = SPV_VALUE(s, SPV_IMul, u32, size[0], row);
    return SPV_VALUE(s, SPV_IAdd, u32, id[0], rows);
}

uint32_t tsr_spv_builtin(tsr_spv *s, tsr_builtin_value builtin)
{
    if (builtin_number(builtin) == UINT32_MAX) return linear_index(s, builtin == TSR_BV_workgroup_index);
    uint32_t type = tsr_spv_vec_type(s, TSR_T_u32, is_vector(builtin) ? 3 : 1);
    return SPV_VALUE(s, SPV_Load, type, input_variable(s, builtin, type));
}

static uint32_t param_value(tsr_spv *s, const tsr_param *p)
{
    const tsr_type_info *info = tsr_type_get(s->types, p->type);
    if (info->kind != TSR_T_struct) return tsr_spv_builtin(s, (tsr_builtin_value)p->io.builtin);
    uint32_t *parts = TSR_NEW_ARRAY(s->arena, uint32_t, info->member_count);
    for (uint32_t i = 0; i < info->member_count; i++)
        parts[i] = tsr_spv_builtin(s, (tsr_builtin_value)info->members[i].io.builtin);
    return tsr_spv_value(s, SPV_CompositeConstruct, tsr_spv_type(s, p->type), parts, info->member_count);
}

/* ---- Workgroup memory. */

/* The element behind arrays in arrays, and how many there are of it. */
struct leaf {
    tsr_type type;
    uint64_t count;
};

static struct leaf leaf_of(const tsr_spv *s, tsr_type type)
{
    struct leaf l = {type, 1};
    for (const tsr_type_info *info; (info = tsr_type_get(s->types, l.type))->kind == TSR_T_array;) {
        l.count *= info->size.value;
        l.type = info->elem;
    }
    return l;
}

/* Element number i of all leaves. */
static void zero_element(tsr_spv *s, tsr_id global, tsr_type type, uint32_t i)
{
    uint32_t u32 = tsr_spv_type(s, TSR_T_u32), steps[TSR_IR_TYPE_DEPTH_MAX], count = 0;
    for (const tsr_type_info *info; (info = tsr_type_get(s->types, type))->kind == TSR_T_array; type = info->elem) {
        struct leaf inner = leaf_of(s, info->elem);
        uint32_t below = tsr_spv_u32(s, (uint32_t)inner.count), at = i;
        if (inner.count > 1) {
            at = SPV_VALUE(s, SPV_UDiv, u32, i, below);
            i = SPV_VALUE(s, SPV_UMod, u32, i, below);
        } else {
            i = tsr_spv_u32(s, 0);
        }
        steps[count++] = at;
    }
    uint32_t element = tsr_spv_chain(s, global, steps, count, type);
    SPV_DO(s, SPV_Store, element, tsr_spv_zero(s, type), SPV_MemoryAccess_NonPrivatePointer);
}

/* The invocations share the elements out. */
static void zero_variable(tsr_spv *s, tsr_id global, uint32_t lane, uint32_t lanes)
{
    tsr_type type = tsr_type_get(s->types, tsr_inst_at(s->ir, global)->type)->elem;
    struct leaf leaf = leaf_of(s, type);
    uint32_t count = tsr_spv_u32(s, (uint32_t)leaf.count), i = lane;
    if (leaf.count == lanes) {
        zero_element(s, global, type, lane);
    } else if (leaf.count < lanes) {
        uint32_t merge = tsr_spv_begin_if(s, SPV_VALUE(s, SPV_ULessThan, tsr_spv_type(s, TSR_T_bool), lane, count));
        zero_element(s, global, type, lane);
        tsr_spv_end_if(s, merge);
    } else {
        tsr_spv_loop l = tsr_spv_begin_loop(s, lane, count, tsr_spv_u32(s, lanes), &i);
        zero_element(s, global, type, i);
        tsr_spv_end_loop(s, &l);
    }
}

static void zero_workgroup(tsr_spv *s)
{
    const uint32_t *size = s->p->workgroup_size;
    uint32_t lanes = size[0] * size[1] * size[2], lane = 0;
    for (uint32_t g = 1; g < s->ir->globals.count; g++) {
        tsr_id global = tsr_global_at(s->ir, g)->inst;
        if (tsr_type_get(s->types, tsr_inst_at(s->ir, global)->type)->space != TSR_SPACE_workgroup) continue;
        if (!lane) lane = tsr_spv_builtin(s, TSR_BV_local_invocation_index);
        zero_variable(s, global, lane, lanes);
    }
    if (lane) tsr_spv_control_barrier(s, SPV_SCOPE_WORKGROUP, SPV_SEMANTICS_WORKGROUP_MEMORY);
}

void tsr_spv_begin_entry(tsr_spv *s)
{
    const tsr_function *f = tsr_function_at(s->ir, s->p->entry);
    for (uint32_t i = 0; i < f->param_count; i++)
        s->value_ids[f->params[i].value] = param_value(s, &f->params[i]);
    zero_workgroup(s);
}

/* ---- Module-scope variables. */

static void note_16_bit(tsr_spv *s, const tsr_type_info *ptr)
{
    if (!tsr_type_contains(s->types, ptr->elem, TSR_T_f16)) return;
    tsr_spv_capability(s, ptr->space == TSR_SPACE_uniform ? SPV_Capability_UniformAndStorageBuffer16BitAccess
                                                          : SPV_Capability_StorageBuffer16BitAccess);
}

static void add_buffer(tsr_spv *s, const tsr_global *g, const tsr_type_info *ptr)
{
    bool wrapped = true, raw = ptr->space == TSR_SPACE_uniform && tsr_spv_is_raw(s, ptr->elem);
    uint32_t storage = tsr_spv_storage((tsr_space)ptr->space);
    uint32_t block = raw ? tsr_spv_raw_block(s, ptr->elem) : tsr_spv_block_type(s, ptr->elem, &wrapped);
    uint32_t id = tsr_spv_declare_new(s, SPV_Variable, tsr_spv_pointer_type(s, storage, block), &storage, 1);
    if (!raw) note_16_bit(s, ptr);
    tsr_spv_decorate(s, id, SPV_Decoration_DescriptorSet, g->group);
    tsr_spv_decorate(s, id, SPV_Decoration_Binding, g->binding);
    if (ptr->space == TSR_SPACE_storage && ptr->access == TSR_ACCESS_read)
        tsr_spv_decorate(s, id, SPV_Decoration_NonWritable, UINT32_MAX);
    tsr_spv_add_root(s, g->inst, id, wrapped, true);
    tsr_spv_ptr_of(s, g->inst)->raw = raw;
}

static void add_local(tsr_spv *s, const tsr_global *g, const tsr_type_info *ptr)
{
    const tsr_inst *inst = tsr_inst_at(s->ir, g->inst);
    uint32_t words[2] = {tsr_spv_storage((tsr_space)ptr->space), 0}, count = 1;
    if (ptr->space == TSR_SPACE_private)
        words[count++] = inst->nargs ? tsr_spv_arg(s, inst, 0) : tsr_spv_zero(s, ptr->elem);
    uint32_t pointer = tsr_spv_pointer_type(s, words[0], tsr_spv_type(s, ptr->elem));
    tsr_spv_add_root(s, g->inst, tsr_spv_declare_new(s, SPV_Variable, pointer, words, count), false, false);
}

static void add_global(tsr_spv *s, const tsr_global *g)
{
    const tsr_type_info *ptr = tsr_type_get(s->types, tsr_inst_at(s->ir, g->inst)->type);
    if (g->has_binding)
        add_buffer(s, g, ptr);
    else
        add_local(s, g, ptr);
    uint32_t id = tsr_spv_ptr_of(s, g->inst)->id;
    s->value_ids[g->inst] = id;
    tsr_spv_name_sym(s, id, g->name);
    if (s->version >= SPV_VERSION(1, 4)) tsr_words_add1(&s->interface, s->arena, id);
}

/* ---- The module. */

static void add_function(void *user, uint32_t function)
{
    tsr_spv_function(user, function);
}

static void add_file(tsr_spv *s)
{
    tsr_words name = {0};
    if (!s->o->debug_lines || !s->o->source) return;
    s->file = tsr_spv_new_id(s);
    tsr_words_add1(&name, s->arena, s->file);
    tsr_words_add_string(&name, s->arena, s->o->source->name);
    tsr_spv_put(s, &s->debug, SPV_String, name.at, name.count);
}

static uint32_t known_subgroup_size(const tsr_program *p, const tsr_emit_options *o)
{
    const tsr_function *entry = tsr_function_at(p->ir, p->entry);
    if (o->subgroup_size) return o->subgroup_size;
    return entry->subgroup_size ? (uint32_t)tsr_constant_bits(p->ir, tsr_inst_at(p->ir, entry->subgroup_size)) : 0;
}

static void init_state(tsr_spv *s, const tsr_program *p, const tsr_emit_options *o, tsr_diags *diags)
{
    tsr_arena *arena = diags->arena;
    *s = (tsr_spv){.p = p, .o = o, .ir = p->ir, .types = p->ir->types, .arena = arena, .diags = diags, .next_id = 1};
    s->version = o->version ? o->version : SPV_VERSION(1, 6);
    s->value_ids = TSR_NEW_ARRAY(arena, uint32_t, p->ir->insts.count);
    s->wanted = TSR_NEW_ARRAY(arena, uint8_t, p->ir->insts.count);
    s->function_ids = TSR_NEW_ARRAY(arena, uint32_t, p->ir->functions.count);
    tsr_map_init(&s->unique, arena);
    tsr_map_init(&s->ptr_index, arena);
    tsr_map_init(&s->constants, arena);
    tsr_map_init(&s->tables, arena);
    tsr_pool_init(&s->ptrs, arena, sizeof(tsr_spv_ptr));
    s->ranges = tsr_ranges_new(p, known_subgroup_size(p, o), arena);
    for (uint32_t f = 1; f < p->ir->functions.count; f++)
        s->function_ids[f] = tsr_spv_new_id(s);
}

/* Only where it can be told: other modules stay what they are, and drivers keep their freedom with them. */
static void ask_reconvergence(tsr_spv *s)
{
    bool wanted = s->o->maximal_reconvergence || (s->o->caps && s->o->caps->maximal_reconvergence);
    s->reconverges = wanted && tsr_spv_function_asks_company(s, s->p->entry);
    if (s->reconverges) tsr_spv_extension(s, "SPV_KHR_maximal_reconvergence");
}

static bool check_version(const tsr_spv *s)
{
    const tsr_span nowhere = {0, 0};
    if (s->version >= SPV_VERSION(1, 3) && s->version <= SPV_VERSION(1, 6) && (s->version & 0xff) == 0) return true;
    tsr_error(s->diags, nowhere, TSR_E_SPIRV_VERSION, "there is no SPIR-V %u.%u to emit; ask for 1.3, 1.4, 1.5 or 1.6",
              (unsigned)(s->version >> 16), (unsigned)(s->version >> 8 & 0xff));
    return false;
}

static bool emit_spirv(const tsr_program *p, const tsr_emit_options *options, tsr_text *out, tsr_diags *diags)
{
    static const tsr_emit_options defaults;
    tsr_spv state, *s = &state;
    init_state(s, p, options ? options : &defaults, diags);
    if (!check_version(s)) return false;
    tsr_spv_capability(s, SPV_Capability_Shader);
    tsr_spv_capability(s, SPV_Capability_VulkanMemoryModel);
    if (s->version < SPV_VERSION(1, 5)) tsr_spv_extension(s, "SPV_KHR_vulkan_memory_model");
    ask_reconvergence(s);
    add_file(s);
    for (uint32_t g = 1; g < p->ir->globals.count; g++)
        add_global(s, tsr_global_at(p->ir, g));
    tsr_function_walk(p->ir, p->entry, add_function, s);
    tsr_spv_tile_functions(s);
    if (s->failed) return false;
    tsr_spv_assemble(s, out);
    return true;
}

const tsr_target tsr_target_spirv = {
    .name = "spirv",
    .extension = "spv",
    .is_text = false,
    .summary = "SPIR-V for Vulkan: a module of words, 1.6 unless told otherwise",
    .direct_pointers = true,
    .versions = SPV_VERSIONS,
    .emit = emit_spirv,
};
