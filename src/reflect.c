/* What a module says of itself: entry points, bindings, overrides, matrix configurations. Gathered once, when the
 * module is made, because a module is read-only afterwards. Sizes that depend on overrides use their defaults. What
 * each function reaches is summed up callees first, in sets that share their parts: entry points that reach the same
 * many things do not list them each. */
#include "analysis/fold.h"
#include "analysis/reach.h"
#include "base/number.h"
#include "base/set.h"
#include "compile.h"

#include <stdlib.h>
#include <string.h>

/* One entry point, or the whole module: that has all, and no sets. */
struct reflected {
    tsr_entry_info info;
    bool whole;
    const tsr_set *bindings, *configs; /* numbers of those of the module */
    size_t binding_count, config_count;
};

typedef struct tsr_reflection {
    struct reflected *entries;
    size_t entry_count;
    tsr_map entry_of; /* symbol -> place in entries */
    struct reflected whole;
    tsr_binding_info *bindings; /* by group, then binding */
    tsr_config_list configs;
    tsr_override_info *overrides;
    size_t override_count;
} tsr_reflection;

/* What a function reaches with all it calls. */
struct reached {
    const tsr_set *bindings, *configs;
    const tsr_set *shared; /* variables of workgroup memory; each weighs its bytes */
    bool matrices, subgroups, f16, size_open;
};

struct reflector {
    tsr_module *m;
    tsr_fold fold;
    tsr_arena *scratch;
    tsr_reacher *reacher;
    struct reached *reached; /* by function */
    tsr_sets sets, shared;
    uint32_t *binding_of;   /* by global: place in reflection.bindings, NONE */
    bool *size_open;        /* by global: in workgroup memory, and nobody knows yet how large */
    unsigned char *type_of; /* by type: HAS_..., with all it is made of */
    tsr_map config_of;      /* multiply-add -> place in reflection.configs */
    uint32_t *numbers;      /* room for those of one function */
};

#define NONE UINT32_MAX
enum { HAS_F16 = 1, HAS_MATRIX = 2 };

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

static int compare_bindings(const void *a, const void *b)
{
    const tsr_global *x = *(const tsr_global *const *)a, *y = *(const tsr_global *const *)b;
    if (x->group != y->group) return x->group < y->group ? -1 : 1;
    if (x->binding != y->binding) return x->binding < y->binding ? -1 : 1;
    return (x->inst > y->inst) - (x->inst < y->inst); /* those of different entry points may share one */
}

static void list_bindings(struct reflector *r, tsr_reflection *out)
{
    const tsr_ir *ir = &r->m->ir;
    uint32_t count = 0;
    const tsr_global **bound = TSR_NEW_ARRAY(r->scratch, const tsr_global *, ir->globals.count);
    r->binding_of = TSR_NEW_ARRAY(r->scratch, uint32_t, ir->globals.count);
    for (uint32_t g = 1; g < ir->globals.count; g++) {
        r->binding_of[g] = NONE;
        if (tsr_global_at(ir, g)->has_binding) bound[count++] = tsr_global_at(ir, g);
    }
    if (count > 1) qsort(bound, count, sizeof *bound, compare_bindings);
    out->bindings = TSR_NEW_ARRAY(&r->m->arena, tsr_binding_info, count + 1u);
    out->whole.binding_count = count;
    for (uint32_t i = 0; i < count; i++) {
        out->bindings[i] = make_binding(r, bound[i]);
        r->binding_of[tsr_inst_at(ir, bound[i]->inst)->aux] = i;
    }
}

/* ---- Configurations -------------------------------------------------------------------------------------------- */

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* By place in the source, whatever order the functions have. */
static void list_configs(struct reflector *r, tsr_reflection *out)
{
    const tsr_ir *ir = &r->m->ir;
    uint32_t count = 0;
    tsr_reach direct;
    for (uint32_t f = 1; f < ir->functions.count; f++) {
        tsr_reacher_direct(r->reacher, f, &direct);
        count += direct.mma_count;
    }
    if (count == 0) return;
    uint64_t *mmas = TSR_NEW_ARRAY(r->scratch, uint64_t, count);
    for (uint32_t f = 1, at = 0; f < ir->functions.count; f++) {
        tsr_reacher_direct(r->reacher, f, &direct);
        for (uint32_t i = 0; i < direct.mma_count; i++)
            mmas[at++] = (uint64_t)tsr_inst_at(ir, direct.mmas[i])->span.pos << 32 | direct.mmas[i];
    }
    qsort(mmas, count, sizeof *mmas, compare_keys);
    for (uint32_t i = 0; i < count; i++) {
        tsr_config c;
        tsr_id mma = (tsr_id)mmas[i];
        if (tsr_mma_config(ir, mma, &r->fold, &c))
            tsr_map_set(&r->config_of, mma, tsr_config_list_add(&out->configs, &r->m->arena, &c));
    }
    out->whole.config_count = out->configs.count;
}

/* ---- Workgroup memory and types -------------------------------------------------------------------------------- */

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

static bool is_shared(const tsr_ir *ir, uint32_t global)
{
    const tsr_inst *inst = tsr_inst_at(ir, tsr_global_at(ir, global)->inst);
    return tsr_type_get(ir->types, inst->type)->space == TSR_SPACE_workgroup;
}

static void weigh_shared(struct reflector *r)
{
    const tsr_ir *ir = &r->m->ir;
    uint64_t *bytes = TSR_NEW_ARRAY(r->scratch, uint64_t, ir->globals.count);
    r->size_open = TSR_NEW_ARRAY(r->scratch, bool, ir->globals.count);
    for (uint32_t g = 1; g < ir->globals.count; g++) {
        if (!is_shared(ir, g)) continue;
        const tsr_inst *inst = tsr_inst_at(ir, tsr_global_at(ir, g)->inst);
        r->size_open[g] = !find_bytes(r, tsr_type_get(ir->types, inst->type)->elem, &bytes[g]);
        bytes[g] = (bytes[g] + TSR_WORKGROUP_ALIGN - 1) / TSR_WORKGROUP_ALIGN * TSR_WORKGROUP_ALIGN;
    }
    r->shared = (tsr_sets){.arena = r->scratch, .weights = bytes};
}

/* What a type is made of came before it. */
static void find_type_facts(struct reflector *r)
{
    const tsr_types *t = &r->m->types;
    r->type_of = TSR_NEW_ARRAY(r->scratch, unsigned char, t->info.count);
    for (tsr_type type = 1; type < t->info.count; type++) {
        const tsr_type_info *info = tsr_type_get(t, type);
        unsigned facts = r->type_of[info->elem];
        for (uint32_t m = 0; m < info->member_count; m++)
            facts |= r->type_of[info->members[m].type];
        if (info->kind == TSR_T_smat) facts |= HAS_MATRIX;
        if (info->kind == TSR_T_f16 || (info->kind == TSR_T_smat && info->component == TSR_F16)) facts |= HAS_F16;
        r->type_of[type] = (unsigned char)facts;
    }
}

/* ---- What functions reach -------------------------------------------------------------------------------------- */

static void reach_globals(struct reflector *r, struct reached *to, const tsr_reach *direct)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < direct->global_count; i++) {
        uint32_t g = direct->globals[i];
        to->size_open |= r->size_open[g];
        if (r->binding_of[g] != NONE) r->numbers[count++] = r->binding_of[g];
    }
    to->bindings = tsr_set_with_all(&r->sets, NULL, r->numbers, count);
    count = 0;
    for (uint32_t i = 0; i < direct->global_count; i++)
        if (is_shared(&r->m->ir, direct->globals[i])) r->numbers[count++] = direct->globals[i];
    to->shared = tsr_set_with_all(&r->shared, NULL, r->numbers, count);
}

static void reach_direct(struct reflector *r, struct reached *to, const tsr_reach *direct)
{
    uint32_t number;
    to->subgroups = direct->subgroups;
    for (uint32_t i = 0; i < direct->type_count; i++) {
        to->f16 |= (r->type_of[direct->types[i]] & HAS_F16) != 0;
        to->matrices |= (r->type_of[direct->types[i]] & HAS_MATRIX) != 0;
    }
    reach_globals(r, to, direct);
    for (uint32_t i = 0; i < direct->mma_count; i++)
        if (tsr_map_find(&r->config_of, direct->mmas[i], &number))
            to->configs = tsr_set_with(&r->sets, to->configs, number);
}

static void reach_callee(struct reflector *r, struct reached *to, const struct reached *from)
{
    to->bindings = tsr_set_union(&r->sets, to->bindings, from->bindings);
    to->configs = tsr_set_union(&r->sets, to->configs, from->configs);
    to->shared = tsr_set_union(&r->shared, to->shared, from->shared);
    to->matrices |= from->matrices;
    to->subgroups |= from->subgroups;
    to->f16 |= from->f16;
    to->size_open |= from->size_open;
}

static void reach_all(struct reflector *r)
{
    uint32_t count;
    const uint32_t *order = tsr_reacher_order(r->reacher, &count);
    r->reached = TSR_NEW_ARRAY(r->scratch, struct reached, r->m->ir.functions.count);
    r->numbers = TSR_NEW_ARRAY(r->scratch, uint32_t, r->m->ir.globals.count);
    r->sets = (tsr_sets){.arena = &r->m->arena};
    for (uint32_t i = 0; i < count; i++) {
        struct reached *to = &r->reached[order[i]];
        tsr_reach direct;
        tsr_reacher_direct(r->reacher, order[i], &direct);
        reach_direct(r, to, &direct);
        for (uint32_t k = 0; k < direct.function_count; k++)
            reach_callee(r, to, &r->reached[direct.functions[k]]);
    }
}

/* ---- Entry points ---------------------------------------------------------------------------------------------- */

static void find_size(struct reflector *r, const tsr_function *fn, tsr_entry_info *info)
{
    for (int i = 0; i < 3; i++) {
        info->workgroup_size[i] = 1;
        if (fn->workgroup_size[i] &&
            !tsr_fold_size(&r->fold, (tsr_size){.over = fn->workgroup_size[i]}, &info->workgroup_size[i]))
            info->size_known = false;
    }
}

static void reflect_entry(struct reflector *r, uint32_t f, struct reflected *out)
{
    const tsr_function *fn = tsr_function_at(&r->m->ir, f);
    const struct reached *reached = &r->reached[f];
    out->info = (tsr_entry_info){.name = tsr_symbols_cstr(&r->m->symbols, fn->name),
                                 .stage = fn->stage,
                                 .size_known = fn->stage == TSR_STAGE_COMPUTE && !reached->size_open,
                                 .workgroup_bytes = tsr_set_weight(reached->shared),
                                 .uses_matrices = reached->matrices,
                                 .uses_subgroups = reached->subgroups || reached->matrices,
                                 .uses_f16 = reached->f16};
    find_size(r, fn, &out->info);
    out->bindings = reached->bindings;
    out->binding_count = tsr_set_count(out->bindings);
    out->configs = reached->configs;
    out->config_count = tsr_set_count(out->configs);
}

static void reflect_entries(struct reflector *r, tsr_reflection *out)
{
    const tsr_ir *ir = &r->m->ir;
    uint32_t entry = 0, before;
    for (uint32_t f = 1; f < ir->functions.count; f++)
        out->entry_count += tsr_function_at(ir, f)->is_entry;
    out->entries = TSR_NEW_ARRAY(&r->m->arena, struct reflected, out->entry_count + 1);
    tsr_map_init(&out->entry_of, &r->m->arena);
    for (uint32_t f = 1; f < ir->functions.count; f++) {
        const tsr_function *fn = tsr_function_at(ir, f);
        if (!fn->is_entry) continue;
        if (!tsr_map_find(&out->entry_of, fn->name, &before)) tsr_map_set(&out->entry_of, fn->name, entry);
        reflect_entry(r, f, &out->entries[entry++]);
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
    struct reflector r = {.m = m, .scratch = scratch, .reacher = tsr_reacher_new(&m->ir, scratch)};
    tsr_reflection *out = m->reflection = TSR_NEW(&m->arena, tsr_reflection);
    out->whole.whole = true;
    tsr_fold_init(&r.fold, &m->ir, scratch);
    tsr_map_init(&r.config_of, scratch);
    list_bindings(&r, out);
    list_configs(&r, out);
    weigh_shared(&r);
    find_type_facts(&r);
    reach_all(&r);
    reflect_entries(&r, out);
    out->override_count = m->ir.overrides.count - 1;
    out->overrides = TSR_NEW_ARRAY(&m->arena, tsr_override_info, out->override_count + 1);
    for (uint32_t o = 1; o <= out->override_count; o++)
        reflect_override(&r, o, &out->overrides[o - 1]);
}

/* NULL: the module is not valid or has no such entry point. */
static const struct reflected *find_reflected(const tsr_module *m, const char *entry)
{
    const tsr_reflection *r = m ? m->reflection : NULL;
    uint32_t number;
    if (!r || !entry) return r ? &r->whole : NULL;
    tsr_sym name = tsr_symbols_find(&m->symbols, entry, strlen(entry));
    return tsr_map_find(&r->entry_of, name, &number) ? &r->entries[number] : NULL;
}

/* The i-th of what a set of the entry point holds, as its number in the module. */
static size_t pick(const struct reflected *r, const tsr_set *s, size_t i)
{
    return r->whole ? i : tsr_set_at(s, (uint32_t)i);
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
    const struct reflected *r = find_reflected(m, entry);
    *out = m->reflection->bindings[pick(r, r->bindings, i)];
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
    return r ? r->config_count : 0;
}

tsr_status tsr_module_config(const tsr_module *m, const char *entry, size_t i, tsr_config *out)
{
    if (i >= tsr_module_config_count(m, entry))
        return fail_index("configuration", i, tsr_module_config_count(m, entry));
    const struct reflected *r = find_reflected(m, entry);
    *out = m->reflection->configs.items[pick(r, r->configs, i)];
    return TSR_OK;
}
