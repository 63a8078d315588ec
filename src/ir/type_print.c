/* Types and the words around them as text, in WGSL's spelling. */
#include "ir/type_style.h"

/* Deeper types are refused everywhere; only the message about one prints it, and need not show all of it. */
#define PRINT_DEPTH_MAX (TSR_IR_TYPE_DEPTH_MAX + 8)

static const char *const scalar_names[] = {
    [TSR_T_void] = "void", [TSR_T_bool] = "bool", [TSR_T_i32] = "i32",          [TSR_T_u32] = "u32",
    [TSR_T_f32] = "f32",   [TSR_T_f16] = "f16",   [TSR_T_aint] = "AbstractInt", [TSR_T_afloat] = "AbstractFloat",
};

static const char *const space_names[TSR_SPACE_COUNT] = {
    [TSR_SPACE_none] = "none",           [TSR_SPACE_function] = "function",   [TSR_SPACE_private] = "private",
    [TSR_SPACE_workgroup] = "workgroup", [TSR_SPACE_uniform] = "uniform",     [TSR_SPACE_storage] = "storage",
    [TSR_SPACE_handle] = "handle",       [TSR_SPACE_immediate] = "immediate",
};

static const char *const access_names[] = {
    [TSR_ACCESS_none] = "none",
    [TSR_ACCESS_read] = "read",
    [TSR_ACCESS_write] = "write",
    [TSR_ACCESS_read_write] = "read_write",
};

static const char *const builtin_value_names[TSR_BV_COUNT] = {
    "none",
#define BUILTIN_VALUE(name, stages, type) #name,
#include "ir/builtin_value.def"
};

const char *tsr_space_name(tsr_space s)
{
    return space_names[s];
}

const char *tsr_access_name(tsr_access a)
{
    return access_names[a];
}

const char *tsr_builtin_value_name(tsr_builtin_value v)
{
    return builtin_value_names[v];
}

/* WGSL, "Address Spaces", default access mode. */
tsr_access tsr_space_access(tsr_space s)
{
    switch (s) {
    case TSR_SPACE_function:
    case TSR_SPACE_private:
    case TSR_SPACE_workgroup: return TSR_ACCESS_read_write;
    case TSR_SPACE_uniform:
    case TSR_SPACE_storage:
    case TSR_SPACE_handle:
    case TSR_SPACE_immediate: return TSR_ACCESS_read;
    default: return TSR_ACCESS_none;
    }
}

static void print_chain(tsr_text *out, const tsr_types *t, tsr_type type, const tsr_type_style *style, unsigned depth);

static void print_size(tsr_text *out, tsr_size size, const tsr_type_style *style)
{
    if (size.over == 0)
        tsr_text_printf(out, "%u", (unsigned)size.value);
    else
        style->print_value(style->user, out, size.over);
}

static const char *component_name(tsr_component c)
{
    if (c == TSR_S8) return "i8";
    if (c == TSR_S32) return "i32";
    return tsr_component_name(c);
}

/* WGSL writes columns, then rows. */
static void print_smat(tsr_text *out, const tsr_type_info *i, const tsr_type_style *style)
{
    static const char *const uses[TSR_USE_COUNT] = {"left", "right", "result"};
    tsr_text_printf(out, "subgroup_matrix_%s<%s, ", uses[i->use], component_name((tsr_component)i->component));
    print_size(out, i->size2, style);
    tsr_text_puts(out, ", ");
    print_size(out, i->size, style);
    if (i->scope == TSR_SCOPE_QUEUE_FAMILY)
        tsr_text_puts(out, ", queue_family");
    else if (i->scope != TSR_SCOPE_SUBGROUP)
        tsr_text_printf(out, ", %s", tsr_scope_name((tsr_scope)i->scope));
    tsr_text_puts(out, ">");
}

static void print_array(tsr_text *out, const tsr_types *t, const tsr_type_info *i, const tsr_type_style *style,
                        unsigned depth)
{
    tsr_text_puts(out, "array<");
    print_chain(out, t, i->elem, style, depth + 1);
    if (i->size.value != 0 || i->size.over != 0) {
        tsr_text_puts(out, ", ");
        print_size(out, i->size, style);
    }
    tsr_text_puts(out, ">");
}

static void print_ptr(tsr_text *out, const tsr_types *t, const tsr_type_info *i, const tsr_type_style *style,
                      unsigned depth)
{
    tsr_text_printf(out, "ptr<%s, ", tsr_space_name((tsr_space)i->space));
    print_chain(out, t, i->elem, style, depth + 1);
    if (i->space == TSR_SPACE_storage || i->access != tsr_space_access((tsr_space)i->space))
        tsr_text_printf(out, ", %s", tsr_access_name((tsr_access)i->access));
    tsr_text_puts(out, ">");
}

static void print_chain(tsr_text *out, const tsr_types *t, tsr_type type, const tsr_type_style *style, unsigned depth)
{
    const tsr_type_info *i = tsr_type_get(t, type);
    if (depth > PRINT_DEPTH_MAX) {
        tsr_text_puts(out, "...");
        return;
    }
    switch ((tsr_type_kind)i->kind) {
    case TSR_T_vec:
        tsr_text_printf(out, "vec%u<", i->count);
        print_chain(out, t, i->elem, style, depth + 1);
        tsr_text_puts(out, ">");
        break;
    case TSR_T_mat:
        tsr_text_printf(out, "mat%ux%u<", i->count, i->rows);
        print_chain(out, t, i->elem, style, depth + 1);
        tsr_text_puts(out, ">");
        break;
    case TSR_T_atomic:
        tsr_text_puts(out, "atomic<");
        print_chain(out, t, i->elem, style, depth + 1);
        tsr_text_puts(out, ">");
        break;
    case TSR_T_array: print_array(out, t, i, style, depth); break;
    case TSR_T_ptr: print_ptr(out, t, i, style, depth); break;
    case TSR_T_struct: style->print_struct(style->user, out, type); break;
    case TSR_T_opaque: style->print_opaque(style->user, out, type); break;
    case TSR_T_smat: print_smat(out, i, style); break;
    default: tsr_text_puts(out, scalar_names[i->kind]); break;
    }
}

void tsr_type_print_styled(tsr_text *out, const tsr_types *t, tsr_type type, const tsr_type_style *style)
{
    print_chain(out, t, type, style, 0);
}

static void print_name(void *user, tsr_text *out, tsr_type type)
{
    const tsr_types *t = user;
    tsr_str name = tsr_symbols_get(t->symbols, tsr_type_get(t, type)->name);
    tsr_text_add(out, name.s, name.len);
}

/* The expression behind an override-sized type is not the type's to know. */
static void print_unknown_size(void *user, tsr_text *out, tsr_id over)
{
    (void)user;
    (void)over;
    tsr_text_puts(out, "override");
}

void tsr_type_print(tsr_text *out, const tsr_types *t, tsr_type type)
{
    const tsr_type_style style = {(void *)t, print_name, print_name, print_unknown_size};
    tsr_type_print_styled(out, t, type, &style);
}

const char *tsr_type_cstr(const tsr_types *t, tsr_arena *arena, tsr_type type)
{
    tsr_text text;
    tsr_text_init(&text, arena);
    tsr_type_print(&text, t, type);
    return tsr_text_get(&text);
}
