/* The table of types: each made once, found again by a hash of its content, and laid out when it is made.
 * What a type's parts decide (layout, traits, kinds, depth) is computed from the parts' own numbers, so nothing here
 * recurses. Source of the rules: WGSL, "Memory Layout", "Constructible Types", "Host-shareable Types". */
#include "ir/type.h"

#include <string.h>

#define SIZE_LIMIT UINT64_C(0xffffffff) /* offsets and strides are 32-bit */
#define SMAT_ALIGN 16u                  /* type.h: subgroup matrices */

static const uint16_t leaf_traits = TSR_TRAIT_CONSTRUCTIBLE | TSR_TRAIT_FIXED_FOOTPRINT;

static uint64_t round_up(uint64_t align, uint64_t n)
{
    return align == 0 ? n : (n + align - 1) / align * align;
}

/* a * b, at most UINT64_MAX / 4 so that a rounding or an addition after it cannot wrap. */
static uint64_t mul_saturate(uint64_t a, uint64_t b)
{
    const uint64_t most = UINT64_MAX / 4;
    return a != 0 && b > most / a ? most : a * b;
}

static uint16_t depth_above(const tsr_type_info *elem)
{
    return elem->depth == UINT16_MAX ? UINT16_MAX : (uint16_t)(elem->depth + 1);
}

static tsr_type_info *info_at(tsr_types *t, tsr_type type)
{
    return (tsr_type_info *)tsr_pool_at(&t->info, type);
}

/* ---- Layout, one function a kind. */

static void lay_scalar(tsr_type_info *i)
{
    i->depth = 1;
    if (i->kind == TSR_T_void) return;
    i->traits = leaf_traits;
    if (i->kind == TSR_T_aint || i->kind == TSR_T_afloat) return;
    i->align = i->kind == TSR_T_f16 ? 2 : 4;
    i->size_bytes = i->align;
    if (i->kind != TSR_T_bool) i->traits |= TSR_TRAIT_HOST_SHAREABLE;
}

static void lay_vec(tsr_type_info *i, const tsr_type_info *elem)
{
    i->traits = elem->traits;
    i->size_bytes = i->count * elem->size_bytes;
    i->align = elem->align * (i->count == 3 ? 4u : i->count);
}

/* A mat is laid out as an array of its columns. */
static void lay_mat(tsr_type_info *i, const tsr_type_info *elem)
{
    i->traits = elem->traits;
    i->align = elem->align * (i->rows == 3 ? 4u : i->rows);
    i->stride = (uint32_t)round_up(i->align, i->rows * elem->size_bytes);
    i->size_bytes = (uint64_t)i->count * i->stride;
}

static void lay_array(tsr_type_info *i, const tsr_type_info *elem)
{
    const bool run_time = i->size.value == 0 && i->size.over == 0;
    uint64_t stride = round_up(elem->align, elem->size_bytes);
    i->traits = elem->traits;
    if (i->size.value == 0) i->traits &= (uint16_t)~TSR_TRAIT_CONSTRUCTIBLE;
    if (run_time) i->traits &= (uint16_t)~TSR_TRAIT_FIXED_FOOTPRINT;
    if (stride > SIZE_LIMIT) {
        i->traits |= TSR_TRAIT_TOO_BIG;
        stride = SIZE_LIMIT;
    }
    i->align = elem->align;
    i->stride = (uint32_t)stride;
    i->size_bytes = i->size.over != 0 ? 0 : mul_saturate(i->size.value, stride);
    if (i->size_bytes > SIZE_LIMIT) i->traits |= TSR_TRAIT_TOO_BIG;
}

static void lay_smat(tsr_type_info *i)
{
    i->depth = 1;
    i->traits = leaf_traits;
    i->align = SMAT_ALIGN;
    if (i->size.over != 0 || i->size2.over != 0) return;
    i->size_bytes =
        mul_saturate(mul_saturate(i->size.value, i->size2.value), tsr_component_bits((tsr_component)i->component) / 8u);
    if (i->size_bytes > SIZE_LIMIT) i->traits |= TSR_TRAIT_TOO_BIG;
}

/* Fills in one member's offset, align and size where they are 0; `end` is just past the members before it. */
static void lay_member(tsr_type_info *s, tsr_member *m, const tsr_type_info *type, uint64_t *end)
{
    uint64_t offset;
    if (m->align == 0) m->align = type->align;
    offset = m->offset != 0 ? m->offset : round_up(m->align, *end);
    if (offset > SIZE_LIMIT || type->size_bytes > SIZE_LIMIT) s->traits |= TSR_TRAIT_TOO_BIG;
    m->offset = offset > SIZE_LIMIT ? (uint32_t)SIZE_LIMIT : (uint32_t)offset;
    if (m->size == 0) m->size = type->size_bytes > SIZE_LIMIT ? (uint32_t)SIZE_LIMIT : (uint32_t)type->size_bytes;
    *end = (uint64_t)m->offset + m->size;
}

static void lay_struct(tsr_types *t, tsr_type_info *s)
{
    uint16_t all = TSR_TRAIT_HOST_SHAREABLE | leaf_traits;
    uint64_t end = 0;
    bool sized = true, run_time = false;
    for (uint32_t k = 0; k < s->member_count; k++) {
        tsr_member *m = &s->members[k];
        const tsr_type_info *type = tsr_type_get(t, m->type);
        run_time = type->kind == TSR_T_array && type->size.value == 0 && type->size.over == 0;
        if (type->size_bytes == 0 && !run_time) sized = false;
        lay_member(s, m, type, &end);
        all &= type->traits;
        s->traits |= type->traits & TSR_TRAIT_TOO_BIG;
        s->kinds |= type->kinds;
        if (m->align > s->align) s->align = m->align;
        if (depth_above(type) > s->depth) s->depth = depth_above(type);
    }
    s->traits |= all;
    if (sized) s->size_bytes = run_time ? end : round_up(s->align, end);
    if (s->size_bytes > SIZE_LIMIT) s->traits |= TSR_TRAIT_TOO_BIG;
}

#define RAW_BUFFER_ALIGN 4u /* buffer view proposal: whole words */

/* Of the opaque types only buffers without a type of their own are memory; "buffer" alone has no size. */
static void lay_opaque(const tsr_types *t, tsr_type_info *i)
{
    const tsr_str name = tsr_symbols_get(t->symbols, i->name);
    if (tsr_str_is(name, "buffer")) i->traits = TSR_TRAIT_HOST_SHAREABLE;
    if (name.len <= strlen("buffer<") || memcmp(name.s, "buffer<", strlen("buffer<")) != 0) return;
    i->traits = TSR_TRAIT_HOST_SHAREABLE | TSR_TRAIT_FIXED_FOOTPRINT;
    for (const char *s = name.s + strlen("buffer<"); *s >= '0' && *s <= '9' && i->size_bytes <= SIZE_LIMIT; s++)
        i->size_bytes = i->size_bytes * 10 + (uint64_t)(*s - '0');
    i->align = RAW_BUFFER_ALIGN;
}

static void lay_out(tsr_types *t, tsr_type_info *i)
{
    const tsr_type_info *elem = tsr_type_get(t, i->elem);
    i->kinds = 1u << i->kind;
    i->depth = 1;
    if (i->elem != 0) {
        i->depth = depth_above(elem);
        if (i->kind != TSR_T_ptr) i->kinds |= elem->kinds;
    }
    switch ((tsr_type_kind)i->kind) {
    case TSR_T_vec: lay_vec(i, elem); break;
    case TSR_T_mat: lay_mat(i, elem); break;
    case TSR_T_array: lay_array(i, elem); break;
    case TSR_T_struct: lay_struct(t, i); break;
    case TSR_T_atomic:
        i->align = elem->align;
        i->size_bytes = elem->size_bytes;
        i->traits = TSR_TRAIT_HOST_SHAREABLE | TSR_TRAIT_FIXED_FOOTPRINT;
        break;
    case TSR_T_smat: lay_smat(i); break;
    case TSR_T_opaque: lay_opaque(t, i); break;
    case TSR_T_ptr: break;
    default: lay_scalar(i); break;
    }
}

/* ---- Finding by content. */

static bool is_same_member(const tsr_member *a, const tsr_member *b)
{
    return a->name == b->name && a->type == b->type && a->offset == b->offset && a->size == b->size &&
           a->align == b->align && a->io.builtin == b->io.builtin && a->io.has_location == b->io.has_location &&
           a->io.location == b->io.location;
}

static bool is_same(const tsr_type_info *a, const tsr_type_info *b)
{
    if (a->kind != b->kind || a->count != b->count || a->rows != b->rows || a->space != b->space) return false;
    if (a->access != b->access || a->component != b->component || a->use != b->use || a->scope != b->scope)
        return false;
    if (a->elem != b->elem || a->name != b->name || a->member_count != b->member_count) return false;
    if (a->size.value != b->size.value || a->size.over != b->size.over) return false;
    if (a->size2.value != b->size2.value || a->size2.over != b->size2.over) return false;
    for (uint32_t k = 0; k < a->member_count; k++)
        if (!is_same_member(&a->members[k], &b->members[k])) return false;
    return true;
}

static uint64_t hash_info(const tsr_type_info *i, uint64_t seed)
{
    const uint32_t key[] = {i->kind | (uint32_t)i->count << 8 | (uint32_t)i->rows << 16 | (uint32_t)i->space << 24,
                            i->access | (uint32_t)i->component << 8 | (uint32_t)i->use << 16 | (uint32_t)i->scope << 24,
                            i->elem,
                            i->size.value,
                            i->size.over,
                            i->size2.value,
                            i->size2.over,
                            i->name,
                            i->member_count};
    uint64_t h = tsr_hash_bytes(key, sizeof key, seed);
    for (uint32_t k = 0; k < i->member_count; k++) {
        const uint32_t member[] = {i->members[k].name, i->members[k].type};
        h = tsr_hash_bytes(member, sizeof member, h);
    }
    return h;
}

static tsr_type add_new(tsr_types *t, const tsr_type_info *i)
{
    tsr_type type = tsr_pool_push(&t->info, 1);
    *info_at(t, type) = *i;
    return type;
}

/* The type with this content, made when it is new. `i` is laid out. */
static tsr_type intern(tsr_types *t, tsr_type_info *i)
{
    uint32_t found;
    uint64_t key = hash_info(i, t->symbols->seed);
    while (tsr_map_find(&t->index, key, &found)) {
        if (is_same(tsr_type_get(t, found), i)) return found;
        key = hash_info(i, key); /* another type has this hash: try the next */
    }
    lay_out(t, i);
    found = add_new(t, i);
    tsr_map_set(&t->index, key, found);
    return found;
}

/* ---- Making types. */

void tsr_types_init(tsr_types *t, tsr_arena *arena, const tsr_symbols *symbols)
{
    memset(t, 0, sizeof *t);
    t->arena = arena;
    t->symbols = symbols;
    tsr_pool_init(&t->info, arena, (uint32_t)sizeof(tsr_type_info));
    tsr_map_init(&t->index, arena);
    for (unsigned kind = TSR_T_void; kind <= TSR_T_afloat; kind++) {
        tsr_type_info i = {.kind = (uint8_t)kind};
        lay_out(t, &i);
        if (kind == TSR_T_void)
            *info_at(t, 0) = i; /* element 0 is there from the start */
        else
            add_new(t, &i);
    }
}

tsr_type tsr_type_vec(tsr_types *t, tsr_type elem, unsigned count)
{
    tsr_type_info i = {.kind = TSR_T_vec, .elem = elem, .count = (uint8_t)count};
    return intern(t, &i);
}

tsr_type tsr_type_mat(tsr_types *t, tsr_type elem, unsigned columns, unsigned rows)
{
    tsr_type_info i = {.kind = TSR_T_mat, .elem = elem, .count = (uint8_t)columns, .rows = (uint8_t)rows};
    return intern(t, &i);
}

tsr_type tsr_type_array(tsr_types *t, tsr_type elem, tsr_size size)
{
    tsr_type_info i = {.kind = TSR_T_array, .elem = elem, .size = size};
    return intern(t, &i);
}

tsr_type tsr_type_atomic(tsr_types *t, tsr_type elem)
{
    tsr_type_info i = {.kind = TSR_T_atomic, .elem = elem};
    return intern(t, &i);
}

tsr_type tsr_type_ptr(tsr_types *t, tsr_space space, tsr_type elem, tsr_access access)
{
    tsr_type_info i = {.kind = TSR_T_ptr, .elem = elem, .space = (uint8_t)space, .access = (uint8_t)access};
    if (access == TSR_ACCESS_none) i.access = (uint8_t)tsr_space_access(space);
    return intern(t, &i);
}

tsr_type tsr_type_smat(tsr_types *t, tsr_use use, tsr_component component, tsr_size rows, tsr_size columns,
                       tsr_scope scope)
{
    tsr_type_info i = {.kind = TSR_T_smat,
                       .use = (uint8_t)use,
                       .component = (uint8_t)component,
                       .scope = (uint8_t)scope,
                       .size = rows,
                       .size2 = columns};
    return intern(t, &i);
}

tsr_type tsr_type_opaque(tsr_types *t, tsr_sym name)
{
    tsr_type_info i = {.kind = TSR_T_opaque, .name = name};
    return intern(t, &i);
}

tsr_type tsr_type_struct(tsr_types *t, tsr_sym name, const tsr_member *members, uint32_t count)
{
    tsr_type_info i = {.kind = TSR_T_struct, .name = name, .member_count = count};
    tsr_str text = tsr_symbols_get(t->symbols, name);
    const bool merge = text.len >= 2 && text.s[0] == '_' && text.s[1] == '_'; /* no user's name begins so */
    i.members = TSR_NEW_ARRAY(t->arena, tsr_member, count == 0 ? 1 : count);
    if (count != 0) memcpy(i.members, members, count * sizeof *members);
    if (!merge) {
        lay_out(t, &i);
        return add_new(t, &i);
    }
    lay_out(t, &i); /* members are compared with their layout */
    i.kinds = i.traits = i.depth = 0;
    i.align = 0;
    i.size_bytes = 0;
    return intern(t, &i);
}

/* ---- Questions. */

tsr_type tsr_type_scalar(const tsr_types *t, tsr_type type)
{
    const tsr_type_info *i = tsr_type_get(t, type);
    if (i->kind == TSR_T_vec || i->kind == TSR_T_mat || i->kind == TSR_T_atomic) return i->elem;
    return tsr_type_is_scalar(t, type) ? type : 0;
}

unsigned tsr_type_width(const tsr_types *t, tsr_type type)
{
    const tsr_type_info *i = tsr_type_get(t, type);
    if (i->kind == TSR_T_vec) return i->count;
    if (i->kind == TSR_T_mat) return (unsigned)i->count * i->rows;
    return tsr_type_is_scalar(t, type) ? 1 : 0;
}

bool tsr_type_is_scalar(const tsr_types *t, tsr_type type)
{
    (void)t; /* scalars are predeclared */
    return type >= TSR_T_bool && type <= TSR_T_afloat;
}

bool tsr_type_is_numeric(const tsr_types *t, tsr_type type)
{
    const tsr_type_info *i = tsr_type_get(t, type);
    const tsr_type scalar = i->kind == TSR_T_vec ? i->elem : type;
    return tsr_type_is_scalar(t, scalar) && scalar != TSR_T_bool;
}

bool tsr_type_is_host_shareable(const tsr_types *t, tsr_type type)
{
    return (tsr_type_get(t, type)->traits & TSR_TRAIT_HOST_SHAREABLE) != 0;
}

bool tsr_type_is_constructible(const tsr_types *t, tsr_type type)
{
    return (tsr_type_get(t, type)->traits & TSR_TRAIT_CONSTRUCTIBLE) != 0;
}

bool tsr_type_has_fixed_footprint(const tsr_types *t, tsr_type type)
{
    return (tsr_type_get(t, type)->traits & TSR_TRAIT_FIXED_FOOTPRINT) != 0;
}

bool tsr_type_is_too_big(const tsr_types *t, tsr_type type)
{
    return (tsr_type_get(t, type)->traits & TSR_TRAIT_TOO_BIG) != 0;
}

bool tsr_type_contains(const tsr_types *t, tsr_type type, tsr_type_kind kind)
{
    return (tsr_type_get(t, type)->kinds >> kind & 1u) != 0;
}

tsr_component tsr_type_component(tsr_type scalar)
{
    switch (scalar) {
    case TSR_T_i32: return TSR_S32;
    case TSR_T_u32: return TSR_U32;
    case TSR_T_f32: return TSR_F32;
    case TSR_T_f16: return TSR_F16;
    default: return TSR_COMPONENT_NONE;
    }
}

tsr_type tsr_component_scalar(tsr_component c)
{
    switch (c) {
    case TSR_F16: return TSR_T_f16;
    case TSR_U8:
    case TSR_U32: return TSR_T_u32;
    case TSR_S8:
    case TSR_S32: return TSR_T_i32;
    case TSR_F32:
    case TSR_BF16:
    case TSR_F64:
    case TSR_F8E4M3:
    case TSR_F8E5M2: return TSR_T_f32;
    default: return TSR_T_void;
    }
}
