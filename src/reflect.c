/* What a module says of itself: entry points, bindings, overrides, matrix configurations. Gathered once, when the
 * module is made, because a module is read-only afterwards. Sizes that depend on overrides use their defaults. */
#include "analysis/fold.h"
#include "analysis/reach.h"
#include "base/number.h"
#include "compile.h"

#include <stdlib.h>
#include <string.h>

/* One entry point, or (without `info`) the whole module. */
struct reflected {
    tsr_entry_info info;
    const tsr_binding_info **bindings; /* of those made once: entry points share them */
    size_t binding_count;
    tsr_config_list configs;
};

typedef struct tsr_reflection {
    struct reflected *entries;
    size_t entry_count;
    struct reflected whole;
    tsr_override_info *overrides;
    size_t override_count;
} tsr_reflection;

struct reflector {
    tsr_module *m;
    tsr_fold fold;
    tsr_arena *scratch;
    const tsr_binding_info *by_global; /* made once, shared by entry points */
};

/* ---- Bindings -------------------------------------------------------------------------------------------------- */

/* The one scalar type that a type is made of, 0 when there are several. As deep as types nest. */
static tsr_type find_scalar(const tsr_types *t, tsr_type type)
{
    const tsr_type_info *info = tsr_type_get(t, type);
    tsr_type scalar = tsr_type_scalar(t, type);
    if (scalar) return scalar;
    if (info->kind == TSR_T_array) return find_scalar(t, info->elem);
    for (uint32_t i = 0; info->kind == TSR_T_struct && i < info->member_count; i++) {
        tsr_type member = find_scalar(t, info->members[i].type);
        if (!member || (scalar && member != scalar)) return 0;
        scalar = member;
    }
    return scalar;
}

static uint32_t find_stride(const tsr_types *t, tsr_type type)
{
    const tsr_type_info *info = tsr_type_get(t, type);
    if (info->kind == TSR_T_struct && info->member_count)
        info = tsr_type_get(t, info->members[info->member_count - 1].type);
    return info->kind == TSR_T_array ? info->stride : 0;
}

static tsr_binding_kind find_kind(const tsr_type_info *ptr)
{
    if (ptr->space == TSR_SPACE_uniform) return TSR_BINDING_UNIFORM;
    if (ptr->space != TSR_SPACE_storage) return TSR_BINDING_OTHER;
    return ptr->access == TSR_ACCESS_read ? TSR_BINDING_STORAGE_READ : TSR_BINDING_STORAGE_READ_WRITE;
}

static tsr_binding_info make_binding(struct reflector *r, const tsr_global *g)
{
    const tsr_ir *ir = &r->m->ir;
    const tsr_type_info *ptr = tsr_type_get(ir->types, tsr_inst_at(ir, g->inst)->type);
    tsr_type scalar = find_scalar(ir->types, ptr->elem);
    return (tsr_binding_info){.name = tsr_symbols_cstr(ir->symbols, g->name),
                              .group = g->group,
                              .binding = g->binding,
                              .kind = find_kind(ptr),
                              .type = tsr_type_cstr(ir->types, &r->m->arena, ptr->elem),
                              .min_bytes = tsr_min_binding_bytes(ir->types, ptr->elem),
                              .element_stride = find_stride(ir->types, ptr->elem),
                              .scalar = scalar ? tsr_type_cstr(ir->types, &r->m->arena, scalar) : ""};
}

static void list_all_bindings(struct reflector *r)
{
    const tsr_ir *ir = &r->m->ir;
    tsr_binding_info *all = TSR_NEW_ARRAY(&r->m->arena, tsr_binding_info, ir->globals.count);
    for (uint32_t g = 1; g < ir->globals.count; g++)
        if (tsr_global_at(ir, g)->has_binding) all[g] = make_binding(r, tsr_global_at(ir, g));
    r->by_global = all;
}

static int compare_bindings(const void *a, const void *b)
{
    const tsr_binding_info *x = *(const tsr_binding_info *const *)a, *y = *(const tsr_binding_info *const *)b;
    if (x->group != y->group) return x->group < y->group ? -1 : 1;
    return (x->binding > y->binding) - (x->binding < y->binding);
}

static void list_bindings(struct reflector *r, struct reflected *out, const uint32_t *globals, uint32_t count)
{
    out->bindings = TSR_NEW_ARRAY(&r->m->arena, const tsr_binding_info *, count + 1u);
    for (uint32_t i = 0; i < count; i++)
        if (r->by_global[globals[i]].name) out->bindings[out->binding_count++] = &r->by_global[globals[i]];
    if (out->binding_count > 1) qsort(out->bindings, out->binding_count, sizeof *out->bindings, compare_bindings);
}

/* ---- Configurations -------------------------------------------------------------------------------------------- */

static void note_mma(struct reflector *r, struct reflected *out, tsr_id mma)
{
    tsr_config c;
    if (tsr_mma_config(&r->m->ir, mma, &r->fold, &c)) tsr_config_list_add(&out->configs, &r->m->arena, &c);
}

/* ---- Entry points ---------------------------------------------------------------------------------------------- */

static bool find_bytes(struct reflector *r, tsr_type type, uint64_t *out)
{
    const tsr_type_info *info = tsr_type_get(&r->m->types, type);
    uint32_t count = 0;
    *out = info->size_bytes;
    if (info->kind != TSR_T_array || info->size.over == 0) return info->size_bytes != 0;
    if (!tsr_fold_size(&r->fold, info->size, &count)) return false;
    *out = (uint64_t)info->stride * count;
    return true;
}

static void find_sizes(struct reflector *r, const tsr_function *fn, const tsr_reach *reach, tsr_entry_info *info)
{
    const tsr_ir *ir = &r->m->ir;
    info->size_known = fn->stage == TSR_STAGE_COMPUTE;
    for (int i = 0; i < 3; i++) {
        info->workgroup_size[i] = 1;
        if (fn->workgroup_size[i] &&
            !tsr_fold_size(&r->fold, (tsr_size){.over = fn->workgroup_size[i]}, &info->workgroup_size[i]))
            info->size_known = false;
    }
    for (uint32_t i = 0; i < reach->global_count; i++) {
        uint64_t bytes;
        const tsr_inst *inst = tsr_inst_at(ir, tsr_global_at(ir, reach->globals[i])->inst);
        const tsr_type_info *ptr = tsr_type_get(ir->types, inst->type);
        if (ptr->space != TSR_SPACE_workgroup) continue;
        if (!find_bytes(r, ptr->elem, &bytes)) info->size_known = false;
        info->workgroup_bytes += (bytes + TSR_WORKGROUP_ALIGN - 1) / TSR_WORKGROUP_ALIGN * TSR_WORKGROUP_ALIGN;
    }
}

static void reflect_entry(struct reflector *r, tsr_reacher *reacher, uint32_t f, struct reflected *out)
{
    const tsr_function *fn = tsr_function_at(&r->m->ir, f);
    tsr_reach reach;
    tsr_reacher_find(reacher, f, &reach);
    out->info = (tsr_entry_info){.name = tsr_symbols_cstr(&r->m->symbols, fn->name),
                                 .stage = fn->stage,
                                 .uses_matrices = reach.matrices,
                                 .uses_subgroups = reach.subgroups,
                                 .uses_f16 = reach.f16};
    find_sizes(r, fn, &reach, &out->info);
    list_bindings(r, out, reach.globals, reach.global_count);
    for (uint32_t i = 0; i < reach.mma_count; i++)
        note_mma(r, out, reach.mmas[i]);
}

static bool has_matrices(const tsr_types *types)
{
    for (tsr_type t = 1; t < types->info.count; t++)
        if (tsr_type_get(types, t)->kind == TSR_T_smat) return true;
    return false;
}

static void reflect_whole(struct reflector *r, tsr_reacher *reacher, struct reflected *out)
{
    const tsr_ir *ir = &r->m->ir;
    uint32_t *globals = TSR_NEW_ARRAY(r->scratch, uint32_t, ir->globals.count);
    for (uint32_t g = 1; g < ir->globals.count; g++)
        globals[g - 1] = g;
    list_bindings(r, out, globals, ir->globals.count - 1);
    if (!has_matrices(&r->m->types)) return;
    for (uint32_t f = 1; f < ir->functions.count; f++) {
        uint32_t count;
        const tsr_id *mmas = tsr_reacher_mmas(reacher, f, &count);
        for (uint32_t i = 0; i < count; i++)
            note_mma(r, out, mmas[i]);
    }
}

/* ---- Overrides ------------------------------------------------------------------------------------------------- */

static double word_to_number(tsr_type type, uint32_t word)
{
    switch (type) {
    case TSR_T_i32: return (int32_t)word;
    case TSR_T_f32: return tsr_f32_from_bits(word);
    case TSR_T_f16: return tsr_f16_to_f32((uint16_t)word);
    default: return word;
    }
}

static void reflect_override(struct reflector *r, uint32_t o, tsr_override_info *out)
{
    const tsr_override *over = tsr_override_at(&r->m->ir, o);
    const tsr_inst *inst = tsr_inst_at(&r->m->ir, over->inst);
    const tsr_fold_value *v = tsr_fold_get(&r->fold, over->inst);
    *out = (tsr_override_info){.name = tsr_symbols_cstr(&r->m->symbols, over->name),
                               .has_id = over->has_id,
                               .id = over->id,
                               .has_default = over->initial != 0,
                               .default_known = v->state == TSR_FOLD_known,
                               .type = tsr_type_cstr(&r->m->types, &r->m->arena, inst->type)};
    if (out->default_known && v->words) out->default_value = word_to_number(inst->type, v->words[0]);
}

/* ---- Making and asking ----------------------------------------------------------------------------------------- */

void tsr_reflect(tsr_module *m, tsr_arena *scratch)
{
    struct reflector r = {.m = m, .scratch = scratch};
    tsr_reflection *out = m->reflection = TSR_NEW(&m->arena, tsr_reflection);
    tsr_fold_init(&r.fold, &m->ir, scratch);
    tsr_reacher *reacher = tsr_reacher_new(&m->ir, scratch);
    list_all_bindings(&r);
    for (uint32_t f = 1; f < m->ir.functions.count; f++)
        out->entry_count += tsr_function_at(&m->ir, f)->is_entry;
    out->entries = TSR_NEW_ARRAY(&m->arena, struct reflected, out->entry_count + 1);
    size_t entry = 0;
    for (uint32_t f = 1; f < m->ir.functions.count; f++)
        if (tsr_function_at(&m->ir, f)->is_entry) reflect_entry(&r, reacher, f, &out->entries[entry++]);
    reflect_whole(&r, reacher, &out->whole);
    out->override_count = m->ir.overrides.count - 1;
    out->overrides = TSR_NEW_ARRAY(&m->arena, tsr_override_info, out->override_count + 1);
    for (uint32_t o = 1; o <= out->override_count; o++)
        reflect_override(&r, o, &out->overrides[o - 1]);
}

/* NULL: the module is not valid or has no such entry point. */
static const struct reflected *find_reflected(const tsr_module *m, const char *entry)
{
    const tsr_reflection *r = m ? m->reflection : NULL;
    if (!r || !entry) return r ? &r->whole : NULL;
    for (size_t i = 0; i < r->entry_count; i++)
        if (strcmp(r->entries[i].info.name, entry) == 0) return &r->entries[i];
    return NULL;
}

static tsr_status fail_index(const char *what, size_t i, size_t count)
{
    return tsr_fail(TSR_ERR_INVALID, "there is no %s number %zu; there are %zu", what, i, count);
}

size_t tsr_module_entry_count(const tsr_module *m)
{
    return m && m->reflection ? m->reflection->entry_count : 0;
}

tsr_status tsr_module_entry(const tsr_module *m, size_t i, tsr_entry_info *out)
{
    if (i >= tsr_module_entry_count(m)) return fail_index("entry point", i, tsr_module_entry_count(m));
    *out = m->reflection->entries[i].info;
    return TSR_OK;
}

size_t tsr_module_binding_count(const tsr_module *m, const char *entry)
{
    const struct reflected *r = find_reflected(m, entry);
    return r ? r->binding_count : 0;
}

tsr_status tsr_module_binding(const tsr_module *m, const char *entry, size_t i, tsr_binding_info *out)
{
    if (i >= tsr_module_binding_count(m, entry)) return fail_index("binding", i, tsr_module_binding_count(m, entry));
    *out = *find_reflected(m, entry)->bindings[i];
    return TSR_OK;
}

size_t tsr_module_override_count(const tsr_module *m)
{
    return m && m->reflection ? m->reflection->override_count : 0;
}

tsr_status tsr_module_override(const tsr_module *m, size_t i, tsr_override_info *out)
{
    if (i >= tsr_module_override_count(m)) return fail_index("override", i, tsr_module_override_count(m));
    *out = m->reflection->overrides[i];
    return TSR_OK;
}

size_t tsr_module_config_count(const tsr_module *m, const char *entry)
{
    const struct reflected *r = find_reflected(m, entry);
    return r ? r->configs.count : 0;
}

tsr_status tsr_module_config(const tsr_module *m, const char *entry, size_t i, tsr_config *out)
{
    if (i >= tsr_module_config_count(m, entry))
        return fail_index("configuration", i, tsr_module_config_count(m, entry));
    *out = find_reflected(m, entry)->configs.items[i];
    return TSR_OK;
}
