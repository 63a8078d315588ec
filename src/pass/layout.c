/* Sizes that overrides decide become numbers, and the layouts above them follow. Source of the rules: WGSL, "Memory
 * Layout" (as in ir/type.c, which laid out what was known then). */
#include "pass/pass_internal.h"

#define SIZE_LIMIT UINT64_C(0xffffffff) /* offsets and strides are 32-bit */

struct layout {
    tsr_types *types;
    tsr_fold *fold;
    tsr_diags *diags;
    bool *reached, *changed; /* by type */
    tsr_span span;           /* of the last override-expression that decided a size */
};

static uint64_t round_up(uint64_t n, uint64_t align)
{
    return align ? (n + align - 1) / align * align : n;
}

/* Faults of the expression itself were reported when it was folded; here only its number matters. */
static void settle_size(struct layout *l, tsr_type type, tsr_size *size, const char *what)
{
    const tsr_ir *ir = l->fold->ir;
    uint32_t number = 1;
    if (size->over == 0) return;
    l->changed[type] = true;
    if (l->reached[type]) {
        l->span = tsr_inst_at(ir, size->over)->span;
        bool good = tsr_fold_size(l->fold, *size, &number);
        const tsr_fold_value *v = tsr_fold_get(l->fold, size->over);
        if (!good && v->state == TSR_FOLD_known)
            tsr_error(l->diags, l->span, TSR_E_BUILD_OVERRIDE_SIZE, "%s is %ld here; it must be at least 1", what,
                      v->type == TSR_T_i32 && v->words ? (long)(int32_t)v->words[0] : (long)0);
        if (!good) number = 1;
    }
    *size = (tsr_size){.value = number};
}

static void lay_struct(struct layout *l, tsr_type_info *s)
{
    uint64_t end = 0;
    for (uint32_t i = 0; i < s->member_count; i++) {
        tsr_member *m = &s->members[i];
        const tsr_type_info *type = tsr_type_get(l->types, m->type);
        if (l->changed[m->type]) m->size = (uint32_t)type->size_bytes;
        uint64_t offset = round_up(end, m->align);
        if (offset < m->offset) offset = m->offset; /* never before where it stood: sizes only become known */
        m->offset = offset > SIZE_LIMIT ? (uint32_t)SIZE_LIMIT : (uint32_t)offset;
        end = offset + m->size;
    }
    s->size_bytes = round_up(end, s->align);
}

static bool has_changed_member(const struct layout *l, const tsr_type_info *s)
{
    for (uint32_t i = 0; i < s->member_count; i++)
        if (l->changed[s->members[i].type]) return true;
    return false;
}

static void lay_type(struct layout *l, tsr_type type)
{
    tsr_type_info *info = tsr_pool_at(&l->types->info, type);
    const tsr_type_info *elem = tsr_type_get(l->types, info->elem);
    if (info->kind == TSR_T_array) {
        settle_size(l, type, &info->size, "the array size");
        if (l->changed[info->elem]) l->changed[type] = true;
        if (!l->changed[type]) return;
        info->align = elem->align;
        info->stride = (uint32_t)round_up(elem->size_bytes, elem->align);
        info->size_bytes = (uint64_t)info->stride * info->size.value;
        info->traits |= elem->traits & TSR_TRAIT_CONSTRUCTIBLE;
    } else if (info->kind == TSR_T_smat) {
        settle_size(l, type, &info->size, "the number of rows");
        settle_size(l, type, &info->size2, "the number of columns");
        if (!l->changed[type]) return;
        uint64_t bytes = tsr_component_bits((tsr_component)info->component) / 8u;
        uint64_t count = (uint64_t)info->size.value * info->size2.value;
        info->size_bytes = count > SIZE_LIMIT ? count : count * bytes;
    } else if (info->kind == TSR_T_struct && has_changed_member(l, info)) {
        l->changed[type] = true;
        lay_struct(l, info);
    }
    if (!l->changed[type] || info->size_bytes <= SIZE_LIMIT) return;
    if (l->reached[type])
        tsr_error(l->diags, l->span, TSR_E_BUILD_TYPE_TOO_LARGE, "`%s` needs %llu bytes; a type has at most 4294967295",
                  tsr_type_cstr(l->types, l->diags->arena, type), (unsigned long long)info->size_bytes);
    info->size_bytes = SIZE_LIMIT; /* keeps the sums above it in range */
}

bool tsr_layout_specialize(tsr_ir *ir, tsr_fold *f, const tsr_type *types, uint32_t type_count, tsr_diags *diags)
{
    uint32_t count = ir->types->info.count, errors = diags->error_count;
    struct layout l = {.types = ir->types, .fold = f, .diags = diags};
    l.reached = TSR_NEW_ARRAY(ir->arena, bool, count);
    l.changed = TSR_NEW_ARRAY(ir->arena, bool, count);
    for (uint32_t i = 0; i < type_count; i++)
        l.reached[types[i]] = true;
    for (tsr_type type = 1; type < count; type++)
        lay_type(&l, type); /* parts have lower numbers */
    return diags->error_count == errors;
}
