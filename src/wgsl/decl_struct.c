/* Structs: members, their attributes, and the layout that @align and @size ask for. WGSL, "Structure Types". */
#include "wgsl/declare.h"

static tsr_span span_of(const tsr_wgsl *w, tsr_node node)
{
    return tsr_ast_span(w->ast, node);
}

static bool refuse_member(tsr_wgsl *w, tsr_node node, tsr_member *m, const char *why)
{
    tsr_error(w->diags, span_of(w, node), TSR_E_STRUCT_MEMBER, "member `%s` cannot have type `%s`: %s",
              tsr_sym_text(w, m->name), tsr_wgsl_type_name(w, m->type), why);
    return false;
}

static bool check_member_type(tsr_wgsl *w, tsr_node node, tsr_member *m, bool last)
{
    const tsr_type_info *i = tsr_type_get(w->types, m->type);
    if (i->kind == TSR_T_array && tsr_wgsl_is_runtime_sized(w, m->type)) {
        return last || refuse_member(w, node, m, "a run-time sized array must be the last member");
    }
    if (tsr_wgsl_is_runtime_sized(w, m->type)) {
        return refuse_member(w, node, m, "it ends in a run-time sized array and cannot stand inside another struct");
    }
    if (tsr_wgsl_is_override_sized(w, m->type)) {
        return refuse_member(w, node, m, "arrays sized by an override stand only in workgroup variables");
    }
    if (tsr_wgsl_has_kind(w, m->type, TSR_T_ptr) || tsr_wgsl_has_kind(w, m->type, TSR_T_opaque)) {
        return refuse_member(w, node, m, "only plain values can be stored in a struct");
    }
    return true;
}

/* WGSL, "align": a power of two and a multiple of the type's own alignment, so that it holds in every address space. */
static bool read_align(tsr_wgsl *w, tsr_node attr, tsr_member *m)
{
    uint32_t value, own = tsr_type_get(w->types, m->type)->align;
    if (attr == 0) return true;
    if (!tsr_wgsl_attr_int(w, attr, 1, UINT32_MAX, &value)) return false;
    if ((value & (value - 1)) != 0) {
        tsr_error(w->diags, span_of(w, attr), TSR_E_ATTR_ARGS, "@align needs a power of two, found %u", value);
        return false;
    }
    if (own != 0 && value % own != 0) {
        tsr_error(w->diags, span_of(w, attr), TSR_E_ATTR_ARGS,
                  "@align(%u) is less than the alignment of `%s`; use a multiple of %u", value,
                  tsr_wgsl_type_name(w, m->type), own);
        return false;
    }
    m->align = value;
    return true;
}

static bool read_size(tsr_wgsl *w, tsr_node attr, tsr_member *m)
{
    uint32_t value;
    uint64_t own = tsr_type_get(w->types, m->type)->size_bytes;
    if (attr == 0) return true;
    if (tsr_wgsl_is_runtime_sized(w, m->type)) {
        tsr_error(w->diags, span_of(w, attr), TSR_E_ATTR_PLACE,
                  "@size cannot stand on `%s`, whose size is not fixed; remove it", tsr_sym_text(w, m->name));
        return false;
    }
    if (!tsr_wgsl_attr_int(w, attr, 1, UINT32_MAX, &value)) return false;
    if (value < own) {
        tsr_error(w->diags, span_of(w, attr), TSR_E_ATTR_ARGS, "@size(%u) is less than the %llu bytes of `%s`", value,
                  (unsigned long long)own, tsr_wgsl_type_name(w, m->type));
        return false;
    }
    m->size = value;
    return true;
}

static bool read_member(tsr_wgsl *w, tsr_node field, tsr_member *m, tsr_io_facts *io, bool last)
{
    const tsr_ast_node *n = tsr_ast_at(w->ast, field);
    tsr_node type_node = tsr_ast_extra(w->ast, n, X_FIELD_type);
    tsr_attrs attrs = tsr_wgsl_attrs(w, tsr_ast_extra(w->ast, n, X_FIELD_attrs),
                                     TSR_ATTRS_IO | TSR_ATTR_BIT(align) | TSR_ATTR_BIT(size), "a struct member");
    m->name = tsr_ast_extra(w->ast, n, X_FIELD_name);
    m->type = tsr_wgsl_type(w, type_node);
    if (m->type == 0 || attrs.failed || !check_member_type(w, type_node, m, last)) return false;
    bool ok = tsr_wgsl_io_attrs(w, &attrs, io) && tsr_wgsl_check_io_type(w, io, m->type, span_of(w, type_node));
    ok = read_align(w, attrs.at[TSR_ATTR_align], m) && ok;
    ok = read_size(w, attrs.at[TSR_ATTR_size], m) && ok;
    m->io = tsr_wgsl_ir_io(io);
    return ok;
}

/* Names are compared through a map: structs may have a thousand members. */
static bool check_member_names(tsr_wgsl *w, tsr_list fields, const tsr_member *members, uint32_t count)
{
    tsr_map seen;
    bool ok = true;
    tsr_map_init(&seen, w->arena);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t before;
        if (!tsr_map_find(&seen, members[i].name, &before)) {
            tsr_map_set(&seen, members[i].name, i);
            continue;
        }
        tsr_diag *d = tsr_error(w->diags, span_of(w, tsr_ast_list_at(w->ast, fields, i)), TSR_E_STRUCT_MEMBER,
                                "the struct has two members `%s`; rename one", tsr_sym_text(w, members[i].name));
        tsr_note(w->diags, d, span_of(w, tsr_ast_list_at(w->ast, fields, before)), "the first one is here");
        ok = false;
    }
    return ok;
}

static bool check_member_count(tsr_wgsl *w, const tsr_decl *d, uint32_t count)
{
    if (count == 0) {
        tsr_error(w->diags, span_of(w, d->node), TSR_E_STRUCT_MEMBER, "the struct `%s` needs at least one member",
                  tsr_sym_text(w, d->name));
    } else if (count > TSR_STRUCT_MEMBERS_MAX) {
        tsr_error(w->diags, span_of(w, d->node), TSR_E_LANGUAGE_LIMIT,
                  "the struct `%s` has %u members, but at most %d are allowed; split it", tsr_sym_text(w, d->name),
                  count, TSR_STRUCT_MEMBERS_MAX);
    } else {
        return true;
    }
    return false;
}

static bool refuse_location(tsr_wgsl *w, tsr_node field, tsr_diag_code code, const char *why)
{
    tsr_error(w->diags, span_of(w, field), code, "%s", why);
    return false;
}

/* Two outputs for one location: a struct has exactly both of them, of one type, and no other location. */
static bool check_dual_source(tsr_wgsl *w, tsr_list fields, const tsr_member *members, const tsr_io_facts *io,
                              uint32_t count)
{
    uint32_t of[2] = {UINT32_MAX, UINT32_MAX};
    for (uint32_t i = 0; i < count; i++) {
        tsr_node field = tsr_ast_list_at(w->ast, fields, i);
        if (!io[i].io.has_location) continue;
        if (!io[i].blend_src)
            return refuse_location(w, field, TSR_E_IO_ATTR,
                                   "a struct with @blend_src has no location without it; remove this one");
        if (of[io[i].blend_src_number] != UINT32_MAX)
            return refuse_location(w, field, TSR_E_IO_TWICE, "this @blend_src stands in the struct a second time");
        of[io[i].blend_src_number] = i;
    }
    if (of[0] == UINT32_MAX || of[1] == UINT32_MAX)
        return refuse_location(w, tsr_ast_list_at(w->ast, fields, of[0] == UINT32_MAX ? of[1] : of[0]), TSR_E_IO_ATTR,
                               "a struct with @blend_src has two of them, 0 and 1; add the other one");
    if (members[of[0]].type == members[of[1]].type) return true;
    return refuse_location(w, tsr_ast_list_at(w->ast, fields, of[1]), TSR_E_IO_TYPE,
                           "the members with @blend_src(0) and @blend_src(1) must have the same type");
}

static bool check_colors(tsr_wgsl *w, tsr_list fields, const tsr_io_facts *io, uint32_t count)
{
    tsr_map seen;
    uint32_t before;
    tsr_map_init(&seen, w->arena);
    for (uint32_t i = 0; i < count; i++) {
        if (!io[i].has_color) continue;
        if (tsr_map_find(&seen, io[i].color, &before))
            return refuse_location(w, tsr_ast_list_at(w->ast, fields, i), TSR_E_IO_TWICE,
                                   "this @color stands in the struct a second time");
        tsr_map_set(&seen, io[i].color, i);
    }
    return true;
}

/* Most structs stand in buffers. */
static bool has_places(const tsr_io_facts *io, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (io[i].io.has_location || io[i].has_color) return true;
    return false;
}

/* WGSL, "Input-output Locations": also of structs that no entry point uses. */
static bool check_locations(tsr_wgsl *w, tsr_list fields, const tsr_member *members, const tsr_io_facts *io,
                            uint32_t count)
{
    tsr_map seen;
    uint32_t before;
    if (!has_places(io, count)) return true;
    tsr_map_init(&seen, w->arena);
    if (!check_colors(w, fields, io, count)) return false;
    for (uint32_t i = 0; i < count; i++)
        if (io[i].blend_src) return check_dual_source(w, fields, members, io, count);
    for (uint32_t i = 0; i < count; i++) {
        if (!io[i].io.has_location) continue;
        if (!tsr_map_find(&seen, io[i].location, &before)) {
            tsr_map_set(&seen, io[i].location, i);
            continue;
        }
        tsr_node field = tsr_ast_list_at(w->ast, fields, i);
        tsr_diag *d =
            tsr_error(w->diags, span_of(w, field), TSR_E_IO_TWICE,
                      "@location(%u) stands in the struct a second time; choose another number", io[i].location);
        tsr_note(w->diags, d, span_of(w, tsr_ast_list_at(w->ast, fields, before)), "the first one is here");
        return false;
    }
    return true;
}

static void keep_io(tsr_wgsl *w, tsr_type type, uint32_t member, const tsr_io_facts *io)
{
    tsr_wgsl_own *own = tsr_own(w);
    if (io->io.builtin == 0 && !io->io.has_location && !io->has_color) return;
    uint32_t index = tsr_pool_push(&own->io_facts, 1);
    *(tsr_io_facts *)tsr_pool_at(&own->io_facts, index) = *io;
    tsr_map_set(&own->member_io, (uint64_t)type << 32 | member, index);
}

tsr_io_facts tsr_wgsl_member_io(const tsr_wgsl *w, tsr_type type, uint32_t member)
{
    uint32_t index;
    if (tsr_map_find(&tsr_own(w)->member_io, (uint64_t)type << 32 | member, &index)) {
        return *(const tsr_io_facts *)tsr_pool_at(&tsr_own(w)->io_facts, index);
    }
    return (tsr_io_facts){0};
}

bool tsr_wgsl_struct_decl(tsr_wgsl *w, tsr_decl *d)
{
    tsr_list fields = tsr_ast_at(w->ast, d->node)->b;
    uint32_t count = tsr_ast_list_count(w->ast, fields);
    if (!check_member_count(w, d, count)) return false;
    tsr_member *members = TSR_NEW_ARRAY(w->arena, tsr_member, count);
    tsr_io_facts *io = TSR_NEW_ARRAY(w->arena, tsr_io_facts, count);
    bool ok = true;
    for (uint32_t i = 0; i < count; i++) {
        ok = read_member(w, tsr_ast_list_at(w->ast, fields, i), &members[i], &io[i], i + 1 == count) && ok;
    }
    ok = check_member_names(w, fields, members, count) && ok;
    if (!ok || !check_locations(w, fields, members, io, count)) return false;
    d->type = tsr_type_struct(w->types, d->name, members, count);
    for (uint32_t i = 0; i < count; i++)
        keep_io(w, d->type, i, &io[i]);
    return tsr_wgsl_check_type_limits(w, d->type, span_of(w, d->node));
}
