/* Type expressions: the predeclared types and type generators, aliases and structs, and what their template arguments
 * must be. WGSL, "Types". Subgroup matrices are made by matrix.c. */
#include "wgsl/declare.h"

#include <stdlib.h>
#include <string.h>

typedef struct type_row {
    const char *name;
    uint8_t kind, scalar, count, rows, args;
} type_row;

static const type_row rows[] = {
#define TYPE_NAME(name, kind, scalar, count, rows, args) {#name, TSR_T_##kind, TSR_T_##scalar, count, rows, args},
#include "wgsl/type_name.def"
};

#define ARGS_RADIX       10u /* of the column `args` */
#define ONE_ARG          11u
#define RAW_BUFFER_UNIT  4u /* buffer view proposal: sizes are whole words */
#define TYPE_NESTING_MAX 64 /* template lists inside each other: recursion */

void tsr_wgsl_types_init(tsr_wgsl *w)
{
    tsr_map *map = &tsr_own(w)->type_rows;
    tsr_map_init(map, w->arena);
    for (uint32_t i = 0; i < TSR_COUNT_OF(rows); i++) {
        tsr_map_set(map, tsr_symbols_add(w->symbols, rows[i].name, strlen(rows[i].name)), i);
    }
}

/* NULL when the name is none of the table, or a declaration hides it. */
static const type_row *find_row(const tsr_wgsl *w, tsr_sym name)
{
    uint32_t row;
    if (tsr_bound(w, name) != 0 || !tsr_map_find(&tsr_own(w)->type_rows, name, &row)) return NULL;
    return &rows[row];
}

bool tsr_wgsl_is_predeclared_type(const tsr_wgsl *w, tsr_sym name)
{
    return find_row(w, name) != NULL;
}

tsr_type_kind tsr_wgsl_bare_generator(const tsr_wgsl *w, tsr_sym name, unsigned *count, unsigned *row_count)
{
    const type_row *row = find_row(w, name);
    bool bare = row != NULL && row->scalar == TSR_T_void &&
                (row->kind == TSR_T_vec || row->kind == TSR_T_mat || row->kind == TSR_T_array);
    *count = bare ? row->count : 0;
    *row_count = bare ? row->rows : 0;
    return bare ? (tsr_type_kind)row->kind : TSR_T_void;
}

/* ---- Enumerants. */

/* Template arguments are expressions and may stand in parentheses. */
static const tsr_ast_node *without_parens(const tsr_wgsl *w, tsr_node *n)
{
    const tsr_ast_node *node = tsr_ast_at(w->ast, *n);
    while (node->kind == TSR_N_paren) {
        *n = node->a;
        node = tsr_ast_at(w->ast, *n);
    }
    return node;
}

/* The text of a name that no declaration hides; "" for anything else. */
static const char *enumerant(const tsr_wgsl *w, tsr_node n)
{
    const tsr_ast_node *node = without_parens(w, &n);
    if (node->kind != TSR_N_ident || node->b != 0 || tsr_bound(w, node->a) != 0) return "";
    return tsr_sym_text(w, node->a);
}

tsr_space tsr_wgsl_space(const tsr_wgsl *w, tsr_node n)
{
    const char *name = enumerant(w, n);
    for (int s = TSR_SPACE_function; s < TSR_SPACE_COUNT; s++) {
        if (s != TSR_SPACE_handle && strcmp(name, tsr_space_name((tsr_space)s)) == 0) return (tsr_space)s;
    }
    return TSR_SPACE_none;
}

tsr_access tsr_wgsl_access(const tsr_wgsl *w, tsr_node n)
{
    const char *name = enumerant(w, n);
    if (strcmp(name, "read") == 0) return TSR_ACCESS_read;
    if (strcmp(name, "write") == 0) return TSR_ACCESS_write;
    return strcmp(name, "read_write") == 0 ? TSR_ACCESS_read_write : TSR_ACCESS_none;
}

void tsr_wgsl_suggest_space(tsr_wgsl *w, tsr_diag *d, tsr_node n)
{
    const char *names[TSR_SPACE_COUNT];
    size_t count = 0;
    for (int s = TSR_SPACE_function; s < TSR_SPACE_COUNT; s++)
        if (s != TSR_SPACE_handle) names[count++] = tsr_space_name((tsr_space)s);
    tsr_wgsl_suggest_of(w, d, enumerant(w, n), names, count);
}

void tsr_wgsl_suggest_access(tsr_wgsl *w, tsr_diag *d, tsr_node n)
{
    static const char *const names[] = {"read", "write", "read_write"};
    tsr_wgsl_suggest_of(w, d, enumerant(w, n), names, TSR_COUNT_OF(names));
}

/* ---- Template arguments. */

static tsr_node arg(const tsr_wgsl *w, tsr_node n, uint32_t i)
{
    return tsr_ast_list_at(w->ast, tsr_ast_at(w->ast, n)->b, i);
}

static uint32_t arg_count(const tsr_wgsl *w, tsr_node n)
{
    return tsr_ast_list_count(w->ast, tsr_ast_at(w->ast, n)->b);
}

static tsr_type bad_arg(tsr_wgsl *w, tsr_node n, const type_row *row, const char *need, tsr_type found)
{
    tsr_error(w->diags, tsr_ast_span(w->ast, n), TSR_E_TYPE_ARGS, "`%s` needs %s, found `%s`", row->name, need,
              tsr_wgsl_type_name(w, found));
    return 0;
}

static bool check_arg_count(tsr_wgsl *w, tsr_node n, const type_row *row)
{
    uint32_t count = arg_count(w, n), least = row->args / ARGS_RADIX, most = row->args % ARGS_RADIX;
    if (count >= least && count <= most) return true;
    tsr_span span = tsr_ast_span(w->ast, n);
    if (most == 0) {
        tsr_error(w->diags, span, TSR_E_TYPE_ARGS, "`%s` takes no template arguments; remove them", row->name);
    } else if (count == 0) {
        tsr_error(w->diags, span, TSR_E_TYPE_ARGS, "`%s` needs template arguments, as in `%s`", row->name,
                  row->kind == TSR_T_array ? "array<f32, 4>"
                  : row->kind == TSR_T_ptr ? "ptr<function, f32>"
                                           : "vec4<f32>");
    } else {
        tsr_error(w->diags, span, TSR_E_TYPE_ARGS, "`%s` takes %u to %u template arguments, found %u", row->name, least,
                  most, count);
    }
    return false;
}

static bool check_f16(tsr_wgsl *w, tsr_node n, tsr_type scalar)
{
    if (scalar != TSR_T_f16 || w->f16) return true;
    tsr_error(w->diags, tsr_ast_span(w->ast, n), TSR_E_EXTENSION_NEEDED,
              "f16 needs an extension; add `enable f16;` at the top of the file");
    return false;
}

/* ---- One function a kind. Each returns 0 after reporting. */

static tsr_type vec_type(tsr_wgsl *w, tsr_node n, const type_row *row)
{
    tsr_type elem = tsr_wgsl_type(w, arg(w, n, 0));
    if (elem == 0) return 0;
    if (!tsr_type_is_scalar(w->types, elem)) {
        return bad_arg(w, arg(w, n, 0), row, "a scalar type (bool, i32, u32, f32, f16)", elem);
    }
    return tsr_type_vec(w->types, elem, row->count);
}

static tsr_type mat_type(tsr_wgsl *w, tsr_node n, const type_row *row)
{
    tsr_type elem = tsr_wgsl_type(w, arg(w, n, 0));
    if (elem == 0) return 0;
    if (elem != TSR_T_f32 && elem != TSR_T_f16) return bad_arg(w, arg(w, n, 0), row, "f32 or f16", elem);
    return tsr_type_mat(w->types, elem, row->count, row->rows);
}

static tsr_type atomic_type(tsr_wgsl *w, tsr_node n, const type_row *row)
{
    tsr_type elem = tsr_wgsl_type(w, arg(w, n, 0));
    if (elem == 0) return 0;
    if (elem == tsr_type_vec(w->types, TSR_T_u32, 2)) {
        if (tsr_own(w)->atomic_vec2u) return tsr_type_atomic(w->types, elem);
        tsr_error(w->diags, tsr_ast_span(w->ast, n), TSR_E_EXTENSION_NEEDED,
                  "atomic<vec2<u32>> needs an extension; add `enable atomic_vec2u_min_max;` at the top of the file");
        return 0;
    }
    if (elem != TSR_T_i32 && elem != TSR_T_u32) return bad_arg(w, arg(w, n, 0), row, "i32 or u32", elem);
    return tsr_type_atomic(w->types, elem);
}

/* WGSL, "Array Types": elements have a footprint that shader creation fixes. */
static bool check_element(tsr_wgsl *w, tsr_node n, tsr_type elem)
{
    const char *why = NULL;
    if (tsr_wgsl_is_runtime_sized(w, elem))
        why = "its size is not known before run time";
    else if (tsr_wgsl_is_override_sized(w, elem))
        why = "its size depends on an override";
    else if (tsr_wgsl_has_kind(w, elem, TSR_T_ptr))
        why = "pointers cannot be stored";
    else if (tsr_wgsl_has_kind(w, elem, TSR_T_opaque))
        why = "textures and samplers cannot be stored";
    if (why == NULL) return true;
    tsr_error(w->diags, tsr_ast_span(w->ast, n), TSR_E_ARRAY_ELEMENT, "an array cannot have elements of type `%s`: %s",
              tsr_wgsl_type_name(w, elem), why);
    return false;
}

/* The element count: a positive const-expression, or an override-expression. */
static bool element_count(tsr_wgsl *w, tsr_node n, tsr_size *out)
{
    tsr_operand o = tsr_wgsl_override_expr(w, n, "the element count of an array");
    if (o.kind == TSR_O_error) return false;
    if (o.kind != TSR_O_const) {
        out->over = tsr_wgsl_id(w, &o);
        return out->over != 0;
    }
    uint64_t bits = o.cval->is_zero ? 0 : tsr_cval_bits(o.cval);
    int64_t count = o.type == TSR_T_u32   ? (int64_t)(uint32_t)bits
                    : o.type == TSR_T_i32 ? (int64_t)(int32_t)(uint32_t)bits
                                          : (int64_t)bits;
    if (count < 1 || count > (int64_t)UINT32_MAX) {
        tsr_error(w->diags, tsr_ast_span(w->ast, n), TSR_E_ARRAY_COUNT,
                  "an array needs at least one element and at most %u, found %lld", UINT32_MAX, (long long)count);
        return false;
    }
    out->value = (uint32_t)count;
    return true;
}

static tsr_type array_type(tsr_wgsl *w, tsr_node n)
{
    tsr_size size = {0, 0};
    tsr_type elem = tsr_wgsl_type(w, arg(w, n, 0));
    if (arg_count(w, n) == 2 && !element_count(w, arg(w, n, 1), &size)) return 0;
    if (elem == 0 || !check_element(w, arg(w, n, 0), elem)) return 0;
    tsr_type type = tsr_type_array(w->types, elem, size);
    return tsr_wgsl_check_type_limits(w, type, tsr_ast_span(w->ast, n)) ? type : 0;
}

/* WGSL, "Address Spaces": the access mode is written for storage only; the others have one. */
static bool ptr_access(tsr_wgsl *w, tsr_node n, tsr_space space, tsr_access *access)
{
    *access = tsr_space_access(space);
    if (arg_count(w, n) < 3) return true;
    tsr_access given = tsr_wgsl_access(w, arg(w, n, 2));
    if (given != TSR_ACCESS_none && given != TSR_ACCESS_write && space == TSR_SPACE_storage) {
        *access = given;
        return true;
    }
    tsr_diag *diag =
        tsr_error(w->diags, tsr_ast_span(w->ast, arg(w, n, 2)), TSR_E_VAR_ACCESS, "%s",
                  space == TSR_SPACE_storage ? "the access mode of a storage pointer is `read` or `read_write`"
                                             : "only storage pointers have an access mode; remove it");
    if (space == TSR_SPACE_storage && given == TSR_ACCESS_none) tsr_wgsl_suggest_access(w, diag, arg(w, n, 2));
    return false;
}

static tsr_type ptr_type(tsr_wgsl *w, tsr_node n)
{
    tsr_space space = tsr_wgsl_space(w, arg(w, n, 0));
    tsr_type elem = tsr_wgsl_type(w, arg(w, n, 1));
    tsr_access access;
    if (space == TSR_SPACE_none) {
        tsr_diag *diag = tsr_error(
            w->diags, tsr_ast_span(w->ast, arg(w, n, 0)), TSR_E_VAR_SPACE,
            "the first argument of `ptr` is an address space: function, private, workgroup, uniform, storage or "
            "immediate");
        tsr_wgsl_suggest_space(w, diag, arg(w, n, 0));
        return 0;
    }
    if (elem == 0 || !ptr_access(w, n, space, &access)) return 0;
    if (!tsr_wgsl_check_store(w, elem, space, tsr_ast_span(w->ast, arg(w, n, 1)))) return 0;
    if (access == TSR_ACCESS_read && tsr_wgsl_has_kind(w, elem, TSR_T_atomic)) {
        tsr_error(w->diags, tsr_ast_span(w->ast, n), TSR_E_VAR_ACCESS,
                  "atomics need memory that can be written; write ptr<storage, ..., read_write>");
        return 0;
    }
    return tsr_type_ptr(w->types, space, elem, access);
}

/* ---- Textures: their names are all that is kept. WGSL, "Texture and Sampler Types". */

static const char *const texel_formats[] = {
    "r8unorm",    "r8snorm",     "r8uint",      "r8sint",       "rg8unorm",     "rg8snorm",   "rg8uint",
    "rg8sint",    "rgba8unorm",  "rgba8snorm",  "rgba8uint",    "rgba8sint",    "bgra8unorm", "r16unorm",
    "r16snorm",   "r16uint",     "r16sint",     "r16float",     "rg16unorm",    "rg16snorm",  "rg16uint",
    "rg16sint",   "rg16float",   "rgba16unorm", "rgba16snorm",  "rgba16uint",   "rgba16sint", "rgba16float",
    "r32uint",    "r32sint",     "r32float",    "rg32uint",     "rg32sint",     "rg32float",  "rgba32uint",
    "rgba32sint", "rgba32float", "rgb10a2uint", "rgb10a2unorm", "rg11b10ufloat"};

static bool is_texel_format(const char *name)
{
    for (unsigned i = 0; i < TSR_COUNT_OF(texel_formats); i++) {
        if (strcmp(name, texel_formats[i]) == 0) return true;
    }
    return false;
}

static bool storage_texture_args(tsr_wgsl *w, tsr_node n, tsr_text *text)
{
    const char *format = enumerant(w, arg(w, n, 0));
    tsr_access access = tsr_wgsl_access(w, arg(w, n, 1));
    tsr_diag *diag;
    if (!is_texel_format(format)) {
        diag = tsr_error(w->diags, tsr_ast_span(w->ast, arg(w, n, 0)), TSR_E_TYPE_ARGS,
                         "a storage texture needs a texel format such as `rgba8unorm` as its first argument");
        tsr_wgsl_suggest_of(w, diag, format, texel_formats, TSR_COUNT_OF(texel_formats));
        return false;
    }
    if (access == TSR_ACCESS_none) {
        diag = tsr_error(w->diags, tsr_ast_span(w->ast, arg(w, n, 1)), TSR_E_TYPE_ARGS,
                         "a storage texture needs `read`, `write` or `read_write` as its second argument");
        tsr_wgsl_suggest_access(w, diag, arg(w, n, 1));
        return false;
    }
    if (access == TSR_ACCESS_write && tsr_str_is((tsr_str){text->s, text->len}, "texel_buffer")) {
        tsr_error(w->diags, tsr_ast_span(w->ast, arg(w, n, 1)), TSR_E_TYPE_ARGS,
                  "a texel_buffer is `read` or `read_write`");
        return false;
    }
    tsr_text_printf(text, "<%s, %s>", format, tsr_access_name(access));
    return true;
}

bool tsr_wgsl_is_written_texture(tsr_wgsl *w, tsr_type type)
{
    if (tsr_type_kind_of(w->types, type) != TSR_T_opaque) return false;
    const char *name = tsr_wgsl_type_name(w, type);
    bool storage = strncmp(name, "texture_storage_", strlen("texture_storage_")) == 0 ||
                   strncmp(name, "texel_buffer", strlen("texel_buffer")) == 0;
    return storage && strstr(name, "write>") != NULL;
}

#define COUNT_KEY ((uint64_t)1 << 63)

tsr_type tsr_wgsl_binding_array(const tsr_wgsl *w, tsr_type type, uint32_t *count)
{
    uint32_t elem = 0;
    *count = 0;
    if (tsr_type_kind_of(w->types, type) != TSR_T_opaque) return 0;
    if (tsr_map_find(&tsr_own(w)->binding_arrays, type, &elem))
        tsr_map_find(&tsr_own(w)->binding_arrays, COUNT_KEY | type, count);
    return elem;
}

static bool is_sampled_texture(tsr_wgsl *w, tsr_type type)
{
    const char *name = tsr_wgsl_type_name(w, type);
    return tsr_type_kind_of(w->types, type) == TSR_T_opaque && strncmp(name, "texture_", strlen("texture_")) == 0 &&
           strchr(name, '<') != NULL && strstr(name, "multisampled") == NULL && strstr(name, "storage") == NULL;
}

/* binding_array<texture_2d<f32>, 4>: the language feature sized_binding_array, which browsers try out. */
static tsr_type binding_array_type(tsr_wgsl *w, tsr_node n, const type_row *row)
{
    tsr_text text;
    tsr_size size = {0, 0};
    tsr_type elem = tsr_wgsl_type(w, arg(w, n, 0));
    if (!element_count(w, arg(w, n, 1), &size) || elem == 0) return 0;
    if (!is_sampled_texture(w, elem)) return bad_arg(w, arg(w, n, 0), row, "a sampled texture", elem);
    if (size.over != 0) {
        tsr_error(w->diags, tsr_ast_span(w->ast, arg(w, n, 1)), TSR_E_ARRAY_COUNT,
                  "the count of a binding_array must be a const-expression");
        return 0;
    }
    tsr_text_init(&text, w->arena);
    tsr_text_printf(&text, "%s<%s, %u>", row->name, tsr_wgsl_type_name(w, elem), size.value);
    tsr_type type = tsr_type_opaque(w->types, tsr_symbols_add(w->symbols, text.s, text.len));
    tsr_map_set(&tsr_own(w)->binding_arrays, type, elem);
    tsr_map_set(&tsr_own(w)->binding_arrays, COUNT_KEY | type, size.value);
    return type;
}

/* buffer, buffer<64>, buffer<N>: the language feature buffer_view, which browsers try out. */
static tsr_type raw_buffer_type(tsr_wgsl *w, tsr_node n, const type_row *row)
{
    tsr_text text;
    tsr_size size = {0, 0};
    tsr_text_init(&text, w->arena);
    tsr_text_puts(&text, row->name);
    if (arg_count(w, n) != 0) {
        if (!element_count(w, arg(w, n, 0), &size)) return 0;
        if (size.over == 0 && size.value % RAW_BUFFER_UNIT != 0) {
            tsr_error(w->diags, tsr_ast_span(w->ast, arg(w, n, 0)), TSR_E_ARRAY_COUNT,
                      "the size of a buffer is a multiple of %u bytes, found %u", RAW_BUFFER_UNIT, size.value);
            return 0;
        }
        if (size.over != 0)
            tsr_text_printf(&text, "<override %u>", size.over);
        else
            tsr_text_printf(&text, "<%u>", size.value);
    }
    return tsr_type_opaque(w->types, tsr_symbols_add(w->symbols, text.s, text.len));
}

tsr_raw_buffer tsr_wgsl_raw_buffer(const tsr_wgsl *w, tsr_type type, uint32_t *bytes)
{
    static const char sized[] = "buffer<", over[] = "buffer<override";
    const tsr_type_info *i = tsr_type_get(w->types, type);
    *bytes = 0;
    if (i->kind != TSR_T_opaque || (i->traits & TSR_TRAIT_HOST_SHAREABLE) == 0) return TSR_RAW_none;
    const char *name = tsr_sym_text(w, i->name);
    if (strncmp(name, over, strlen(over)) == 0) return TSR_RAW_override;
    if (strncmp(name, sized, strlen(sized)) != 0) return TSR_RAW_unsized;
    *bytes = (uint32_t)strtoul(name + strlen(sized), NULL, 10);
    return TSR_RAW_sized;
}

static tsr_type opaque_type(tsr_wgsl *w, tsr_node n, const type_row *row)
{
    tsr_text text;
    if (strcmp(row->name, "buffer") == 0) return raw_buffer_type(w, n, row);
    if (strcmp(row->name, "binding_array") == 0) return binding_array_type(w, n, row);
    if (strcmp(row->name, "input_attachment") == 0 && !tsr_own(w)->input_attachments) {
        tsr_error(w->diags, tsr_ast_span(w->ast, n), TSR_E_EXTENSION_NEEDED,
                  "`input_attachment` needs an extension; add `enable chromium_internal_input_attachments;` at the top "
                  "of the file");
        return 0;
    }
    tsr_text_init(&text, w->arena);
    tsr_text_puts(&text, row->name);
    if (row->args == ONE_ARG) {
        tsr_type elem = tsr_wgsl_type(w, arg(w, n, 0));
        if (elem == 0) return 0;
        if (elem != TSR_T_f32 && elem != TSR_T_i32 && elem != TSR_T_u32) {
            return bad_arg(w, arg(w, n, 0), row, "f32, i32 or u32", elem);
        }
        tsr_text_printf(&text, "<%s>", tsr_wgsl_type_name(w, elem));
    } else if (row->args != 0 && !storage_texture_args(w, n, &text)) {
        return 0;
    }
    return tsr_type_opaque(w->types, tsr_symbols_add(w->symbols, text.s, text.len));
}

/* ---- Any type. */

static tsr_type predeclared_type(tsr_wgsl *w, tsr_node n, const type_row *row)
{
    if (row->kind == TSR_T_smat) return tsr_wgsl_matrix_type(w, n);
    if (!check_arg_count(w, n, row)) return 0;
    if (!check_f16(w, n, row->scalar)) return 0;
    switch (row->kind) {
    case TSR_T_vec: return row->scalar != 0 ? tsr_type_vec(w->types, row->scalar, row->count) : vec_type(w, n, row);
    case TSR_T_mat:
        return row->scalar != 0 ? tsr_type_mat(w->types, row->scalar, row->count, row->rows) : mat_type(w, n, row);
    case TSR_T_array: return array_type(w, n);
    case TSR_T_atomic: return atomic_type(w, n, row);
    case TSR_T_ptr: return ptr_type(w, n);
    case TSR_T_opaque: return opaque_type(w, n, row);
    default: return row->scalar;
    }
}

static tsr_type declared_type(tsr_wgsl *w, tsr_node n, const tsr_decl *d)
{
    static const char *const names[] = {"",       "a constant", "an override", "a variable", "a value", "a parameter",
                                        "a type", "a struct",   "a function"}; /* by tsr_decl_kind */
    tsr_span span = tsr_ast_span(w->ast, n);
    if (d->kind != TSR_D_alias && d->kind != TSR_D_struct) {
        tsr_diag *diag = tsr_error(w->diags, span, TSR_E_NOT_A_TYPE, "`%s` is %s, but a type is needed here",
                                   tsr_sym_text(w, d->name), names[d->kind]);
        tsr_note(w->diags, diag, tsr_ast_span(w->ast, d->node), "`%s` is declared here", tsr_sym_text(w, d->name));
        return 0;
    }
    if (arg_count(w, n) != 0) {
        tsr_error(w->diags, span, TSR_E_TYPE_ARGS, "`%s` takes no template arguments; remove them",
                  tsr_sym_text(w, d->name));
        return 0;
    }
    return d->type;
}

static tsr_type named_type(tsr_wgsl *w, tsr_node n)
{
    tsr_sym name = tsr_ast_at(w->ast, n)->a;
    bool failed = false;
    tsr_decl *d = tsr_wgsl_lookup(w, name, tsr_ast_span(w->ast, n), &failed);
    if (failed) return 0;
    if (d != NULL) return declared_type(w, n, d);
    const type_row *row = find_row(w, name);
    if (row != NULL) return predeclared_type(w, n, row);
    if (!tsr_wgsl_is_new_unknown(w, 0, name)) return 0;
    tsr_diag *diag = tsr_error(w->diags, tsr_ast_span(w->ast, n), TSR_E_TYPE_UNKNOWN,
                               tsr_wgsl_is_builtin(w, name) ? "`%s` is a built-in function, but a type is needed here"
                                                            : "there is no type `%s`; declare it or correct its name",
                               tsr_sym_text(w, name));
    tsr_wgsl_suggest(w, diag, name);
    return 0;
}

tsr_type tsr_wgsl_type(tsr_wgsl *w, tsr_node n)
{
    tsr_wgsl_own *own = tsr_own(w);
    if (without_parens(w, &n)->kind != TSR_N_ident) {
        tsr_error(w->diags, tsr_ast_span(w->ast, n), TSR_E_NOT_A_TYPE, "a type is needed here, found an expression");
        return 0;
    }
    if (own->type_depth >= TYPE_NESTING_MAX) {
        tsr_error(w->diags, tsr_ast_span(w->ast, n), TSR_E_TYPE_DEPTH,
                  "this type is nested more than %d levels deep; flatten it", TYPE_NESTING_MAX);
        return 0;
    }
    own->type_depth++;
    tsr_type type = named_type(w, n);
    own->type_depth--;
    return type;
}
