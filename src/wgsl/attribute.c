/* Attribute lists: which attributes there are, where they may stand, and their arguments. What an attribute means is
 * decided by the file of the declaration that carries it; the input and output attributes are read here for all. */
#include "wgsl/declare.h"

#include <string.h>

static const struct attr_row {
    const char *name;
    uint8_t least, most;
} rows[TSR_ATTR_COUNT] = {
#define ATTR(name, least, most) {#name, least, most},
#include "wgsl/attribute.def"
};

static const struct builtin_row {
    const char *name, *type;
} builtin_rows[TSR_BV_COUNT] = {
    {NULL, NULL},
#define BUILTIN_VALUE(name, stages, type) {#name, type},
#include "ir/builtin_value.def"
};

bool tsr_wgsl_attr_is(const tsr_wgsl *w, tsr_node attr, const char *name)
{
    const tsr_ast_node *n = tsr_ast_at(w->ast, attr);
    return n->kind == TSR_N_attr && strcmp(tsr_sym_text(w, n->a), name) == 0;
}

static unsigned find_row(const tsr_wgsl *w, tsr_node attr)
{
    unsigned i = 0;
    while (i < TSR_ATTR_COUNT && !tsr_wgsl_attr_is(w, attr, rows[i].name))
        i++;
    return i;
}

/* "did you mean" for the names of a closed set. */
static const char *nearest_attr(tsr_str name)
{
    const char *best = NULL;
    unsigned best_distance = 3;
    for (unsigned i = 0; i < TSR_ATTR_COUNT; i++) {
        unsigned d = tsr_text_distance(name, (tsr_str){rows[i].name, strlen(rows[i].name)}, 2);
        if (d < best_distance) best_distance = d, best = rows[i].name;
    }
    return best;
}

static void report_unknown(tsr_wgsl *w, tsr_node attr)
{
    tsr_sym sym = tsr_ast_at(w->ast, attr)->a;
    tsr_diag *d = tsr_error(w->diags, tsr_ast_span(w->ast, attr), TSR_E_ATTR_UNKNOWN,
                            "there is no attribute @%s; remove it or correct its name", tsr_sym_text(w, sym));
    const char *near = nearest_attr(tsr_symbols_get(w->symbols, sym));
    if (near != NULL) tsr_note(w->diags, d, (tsr_span){0, 0}, "did you mean `@%s`?", near);
}

static bool check_args(tsr_wgsl *w, tsr_node attr, unsigned row)
{
    uint32_t count = tsr_ast_list_count(w->ast, tsr_ast_at(w->ast, attr)->b);
    if (count >= rows[row].least && count <= rows[row].most) return true;
    if (rows[row].most == 0) {
        tsr_error(w->diags, tsr_ast_span(w->ast, attr), TSR_E_ATTR_ARGS, "@%s takes no arguments; remove them",
                  rows[row].name);
    } else if (rows[row].least == rows[row].most) {
        tsr_error(w->diags, tsr_ast_span(w->ast, attr), TSR_E_ATTR_ARGS, "@%s takes %u argument%s, found %u",
                  rows[row].name, rows[row].most, rows[row].most == 1 ? "" : "s", count);
    } else {
        tsr_error(w->diags, tsr_ast_span(w->ast, attr), TSR_E_ATTR_ARGS, "@%s takes %u to %u arguments, found %u",
                  rows[row].name, rows[row].least, rows[row].most, count);
    }
    return false;
}

static bool read_attr(tsr_wgsl *w, tsr_node attr, uint32_t allowed, const char *place, tsr_attrs *out)
{
    unsigned row = find_row(w, attr);
    tsr_span span = tsr_ast_span(w->ast, attr);
    if (row == TSR_ATTR_COUNT) {
        report_unknown(w, attr);
        return false;
    }
    if ((allowed & (1u << row)) == 0) {
        tsr_error(w->diags, span, TSR_E_ATTR_PLACE, "@%s cannot stand on %s; remove it", rows[row].name, place);
        return false;
    }
    if (!check_args(w, attr, row)) return false;
    /* WGSL, "Attributes": each at most once, except @diagnostic with different rules. */
    if (out->at[row] != 0 && row != TSR_ATTR_diagnostic) {
        tsr_diag *d =
            tsr_error(w->diags, span, TSR_E_ATTR_TWICE, "@%s is given a second time; keep one", rows[row].name);
        tsr_note(w->diags, d, tsr_ast_span(w->ast, out->at[row]), "the first one is here");
        return false;
    }
    if (out->at[row] == 0) out->at[row] = attr;
    return true;
}

tsr_attrs tsr_wgsl_attrs(tsr_wgsl *w, tsr_list list, uint32_t allowed, const char *place)
{
    tsr_attrs out;
    memset(&out, 0, sizeof(out));
    uint32_t count = tsr_ast_list_count(w->ast, list);
    for (uint32_t i = 0; i < count; i++) {
        if (!read_attr(w, tsr_ast_list_at(w->ast, list, i), allowed, place, &out)) out.failed = true;
    }
    return out;
}

tsr_node tsr_wgsl_attr_arg(const tsr_wgsl *w, tsr_node attr, uint32_t i)
{
    return tsr_ast_list_at(w->ast, tsr_ast_at(w->ast, attr)->b, i);
}

tsr_sym tsr_wgsl_attr_name(const tsr_wgsl *w, tsr_node attr, uint32_t i)
{
    const tsr_ast_node *n = tsr_ast_at(w->ast, tsr_wgsl_attr_arg(w, attr, i));
    return n->kind == TSR_N_ident && n->b == 0 ? n->a : 0;
}

/* The number of an integer constant; false when it is of another type. */
static bool read_integer(const tsr_cval *v, int64_t *out)
{
    uint64_t bits = v->is_zero ? 0 : tsr_cval_bits(v);
    if (v->type == TSR_T_aint) {
        *out = (int64_t)bits;
    } else if (v->type == TSR_T_i32) {
        *out = (int64_t)(int32_t)(uint32_t)bits;
    } else if (v->type == TSR_T_u32) {
        *out = (int64_t)(uint32_t)bits;
    } else {
        return false;
    }
    return true;
}

bool tsr_wgsl_attr_int(tsr_wgsl *w, tsr_node attr, int64_t least, int64_t most, uint32_t *value)
{
    tsr_node arg = tsr_wgsl_attr_arg(w, attr, 0);
    const char *name = tsr_sym_text(w, tsr_ast_at(w->ast, attr)->a);
    const tsr_cval *v = tsr_wgsl_const_expr(w, arg, 0, "the argument of an attribute");
    int64_t number = 0;
    if (v == NULL) return false;
    if (!read_integer(v, &number)) {
        tsr_error(w->diags, tsr_ast_span(w->ast, arg), TSR_E_ATTR_ARGS, "@%s needs an i32 or u32, found %s", name,
                  tsr_wgsl_type_name(w, v->type));
        return false;
    }
    /* A number without suffix becomes an i32. */
    if (v->type == TSR_T_aint && most > INT32_MAX) most = INT32_MAX;
    if (number < least || number > most) {
        tsr_error(w->diags, tsr_ast_span(w->ast, arg), TSR_E_ATTR_ARGS,
                  "@%s needs a number from %lld to %lld, found %lld", name, (long long)least, (long long)most,
                  (long long)number);
        return false;
    }
    *value = (uint32_t)number;
    return true;
}

/* ---- @builtin, @location, @interpolate, @invariant, @blend_src. WGSL, "Input and Output". */

static bool is_subgroup_value(unsigned value)
{
    return value == TSR_BV_subgroup_invocation_id || value == TSR_BV_subgroup_size || value == TSR_BV_subgroup_id ||
           value == TSR_BV_num_subgroups;
}

/* Built-in values that an extension brings. */
static bool check_builtin_extension(tsr_wgsl *w, tsr_span span, unsigned value)
{
    const char *need = NULL;
    /* The matrix proposals: their enables imply subgroups. */
    bool subgroups = w->subgroups || w->matrix_chromium || w->matrix_standard;
    if (is_subgroup_value(value) && !subgroups) need = "subgroups";
    if (value == TSR_BV_clip_distances && !w->clip_distances) need = "clip_distances";
    if (value == TSR_BV_barycentric_coord && !tsr_own(w)->barycentric_coord)
        need = "chromium_experimental_barycentric_coord";
    if (value == TSR_BV_primitive_index && !w->primitive_index) need = "primitive_index";
    if (need == NULL) return true;
    tsr_error(w->diags, span, TSR_E_EXTENSION_NEEDED,
              "the built-in value `%s` needs an extension; add `enable %s;` at the top of the file",
              builtin_rows[value].name, need);
    return false;
}

static unsigned find_builtin(const char *name)
{
    for (unsigned i = 1; i < TSR_BV_COUNT; i++) {
        if (strcmp(name, builtin_rows[i].name) == 0) return i;
    }
    return TSR_BV_none;
}

static void report_builtin(tsr_wgsl *w, tsr_span span, tsr_str name)
{
    tsr_diag *d = tsr_error(w->diags, span, TSR_E_ATTR_ARGS, "there is no built-in value `%.*s`; correct its name",
                            (int)(name.len < 100 ? name.len : 100), name.s);
    const char *best = NULL;
    unsigned best_distance = 4;
    for (unsigned i = 1; i < TSR_BV_COUNT; i++) {
        const char *s = builtin_rows[i].name;
        unsigned distance = tsr_text_distance(name, (tsr_str){s, strlen(s)}, 3);
        if (distance < best_distance) best_distance = distance, best = s;
    }
    if (best != NULL) tsr_note(w->diags, d, (tsr_span){0, 0}, "did you mean `%s`?", best);
}

/* @builtin(frag_depth, less): the depth only goes that way. Language feature fragment_depth. */
static bool check_depth_mode(tsr_wgsl *w, tsr_node attr, unsigned value)
{
    if (tsr_ast_list_count(w->ast, tsr_ast_at(w->ast, attr)->b) < 2) return true;
    tsr_sym sym = tsr_wgsl_attr_name(w, attr, 1);
    const char *mode = sym == 0 ? "" : tsr_sym_text(w, sym);
    bool is_mode = strcmp(mode, "less") == 0 || strcmp(mode, "greater") == 0;
    if (is_mode && value == TSR_BV_frag_depth) return true;
    tsr_error(w->diags, tsr_ast_span(w->ast, tsr_wgsl_attr_arg(w, attr, 1)), TSR_E_ATTR_ARGS,
              value == TSR_BV_frag_depth ? "a depth mode is `less` or `greater`"
                                         : "only `frag_depth` has a second argument, `less` or `greater`; remove it");
    return false;
}

static bool read_builtin(tsr_wgsl *w, tsr_node attr, tsr_io_facts *out)
{
    tsr_sym sym = tsr_wgsl_attr_name(w, attr, 0);
    tsr_span span = tsr_ast_span(w->ast, tsr_wgsl_attr_arg(w, attr, 0));
    if (sym == 0) {
        tsr_error(w->diags, span, TSR_E_ATTR_ARGS, "@builtin needs the name of a built-in value, such as `%s`",
                  builtin_rows[TSR_BV_global_invocation_id].name);
        return false;
    }
    unsigned value = find_builtin(tsr_sym_text(w, sym));
    if (value == TSR_BV_none) {
        report_builtin(w, span, tsr_symbols_get(w->symbols, sym));
        return false;
    }
    out->io.builtin = (uint8_t)value;
    return check_builtin_extension(w, span, value) && check_depth_mode(w, attr, value);
}

static bool read_interpolate(tsr_wgsl *w, tsr_node attr, tsr_io_facts *out)
{
    static const char *const types[] = {"perspective", "linear", "flat"};
    static const char *const samplings[] = {"center", "centroid", "sample", "first", "either"};
    enum { FIRST_FLAT_SAMPLING = 3 };
    uint32_t count = tsr_ast_list_count(w->ast, tsr_ast_at(w->ast, attr)->b);
    const char *type = tsr_sym_text(w, tsr_wgsl_attr_name(w, attr, 0));
    const char *sampling = count > 1 ? tsr_sym_text(w, tsr_wgsl_attr_name(w, attr, 1)) : "";
    for (unsigned i = 0; i < TSR_COUNT_OF(types); i++) {
        if (strcmp(type, types[i]) == 0) out->interpolate = (uint8_t)(TSR_INTERP_perspective + i);
    }
    bool flat = out->interpolate == TSR_INTERP_flat, sampling_ok = count == 1;
    for (unsigned i = 0; i < TSR_COUNT_OF(samplings) && count > 1; i++) {
        if (strcmp(sampling, samplings[i]) == 0) sampling_ok = flat == (i >= FIRST_FLAT_SAMPLING);
    }
    if (out->interpolate != TSR_INTERP_none && sampling_ok) return true;
    tsr_error(w->diags, tsr_ast_span(w->ast, attr), TSR_E_ATTR_ARGS,
              "@interpolate takes `perspective` or `linear`, then `center`, `centroid` or `sample`; or `flat`, then "
              "`first` or `either`");
    return false;
}

static bool read_blend_src(tsr_wgsl *w, tsr_node attr, tsr_io_facts *out)
{
    uint32_t value;
    if (!w->dual_source) {
        tsr_error(w->diags, tsr_ast_span(w->ast, attr), TSR_E_EXTENSION_NEEDED,
                  "@blend_src needs an extension; add `enable dual_source_blending;` at the top of the file");
        return false;
    }
    out->blend_src = true;
    if (!tsr_wgsl_attr_int(w, attr, 0, 1, &value)) return false;
    out->blend_src_number = (uint8_t)value;
    return true;
}

static bool read_color(tsr_wgsl *w, tsr_node attr, tsr_io_facts *out)
{
    if (!tsr_own(w)->framebuffer_fetch) {
        tsr_error(w->diags, tsr_ast_span(w->ast, attr), TSR_E_EXTENSION_NEEDED,
                  "@color needs an extension; add `enable chromium_experimental_framebuffer_fetch;` at the top of the "
                  "file");
        return false;
    }
    out->has_color = true;
    return tsr_wgsl_attr_int(w, attr, 0, UINT32_MAX, &out->color);
}

/* IR knows no colors of the target; what it is told is one location more. */
tsr_io tsr_wgsl_ir_io(const tsr_io_facts *io)
{
    tsr_io out = io->io;
    if (io->has_color && out.builtin == 0) out.has_location = true;
    return out;
}

bool tsr_wgsl_io_attrs(tsr_wgsl *w, const tsr_attrs *attrs, tsr_io_facts *out)
{
    bool ok = true;
    const tsr_node *at = attrs->at;
    memset(out, 0, sizeof(*out));
    if (at[TSR_ATTR_builtin] != 0) ok = read_builtin(w, at[TSR_ATTR_builtin], out) && ok;
    if (at[TSR_ATTR_location] != 0) {
        out->io.has_location = true;
        ok = tsr_wgsl_attr_int(w, at[TSR_ATTR_location], 0, UINT32_MAX, &out->location) && ok;
        out->io.location = (uint16_t)(out->location < UINT16_MAX ? out->location : UINT16_MAX);
    }
    if (at[TSR_ATTR_interpolate] != 0) ok = read_interpolate(w, at[TSR_ATTR_interpolate], out) && ok;
    if (at[TSR_ATTR_color] != 0) ok = read_color(w, at[TSR_ATTR_color], out) && ok;
    if (at[TSR_ATTR_blend_src] != 0) ok = read_blend_src(w, at[TSR_ATTR_blend_src], out) && ok;
    out->invariant = at[TSR_ATTR_invariant] != 0;
    if (!ok) return false;
    const char *wrong = NULL;
    tsr_node where = 0;
    if (at[TSR_ATTR_interpolate] != 0 && !out->io.has_location) {
        wrong = "@interpolate needs @location beside it", where = at[TSR_ATTR_interpolate];
    } else if (out->blend_src && (!out->io.has_location || out->location != 0)) {
        wrong = "@blend_src needs @location(0) beside it", where = at[TSR_ATTR_blend_src];
    } else if (out->invariant && out->io.builtin != TSR_BV_position) {
        wrong = "@invariant needs @builtin(position) beside it", where = at[TSR_ATTR_invariant];
    }
    if (wrong != NULL) tsr_error(w->diags, tsr_ast_span(w->ast, where), TSR_E_IO_ATTR, "%s", wrong);
    return wrong == NULL;
}

/* ---- Types of inputs and outputs. They are checked wherever the attributes stand, used by an entry point or not. */

#define CLIP_DISTANCES_MAX 8u /* WGSL, "clip_distances" */

static bool has_builtin_type(tsr_wgsl *w, unsigned builtin, tsr_type type)
{
    const tsr_type_info *info = tsr_type_get(w->types, type);
    if (builtin != TSR_BV_clip_distances) {
        tsr_type *right = &tsr_own(w)->builtin_types[builtin]; /* spelt and compared once */
        if (*right == 0 && strcmp(tsr_wgsl_type_name(w, type), builtin_rows[builtin].type) == 0) *right = type;
        return *right == type;
    }
    return info->kind == TSR_T_array && info->elem == TSR_T_f32 && info->size.value >= 1 &&
           info->size.value <= CLIP_DISTANCES_MAX;
}

bool tsr_wgsl_check_io_type(tsr_wgsl *w, const tsr_io_facts *io, tsr_type type, tsr_span span)
{
    if (io->io.builtin != 0 && !has_builtin_type(w, io->io.builtin, type)) {
        tsr_error(w->diags, span, TSR_E_IO_TYPE, "the built-in value `%s` has type `%s`, found `%s`",
                  builtin_rows[io->io.builtin].name,
                  io->io.builtin == TSR_BV_clip_distances ? "array<f32, N> with N up to 8"
                                                          : builtin_rows[io->io.builtin].type,
                  tsr_wgsl_type_name(w, type));
        return false;
    }
    if ((!io->io.has_location && !io->has_color) || tsr_type_is_numeric(w->types, type)) return true;
    tsr_error(w->diags, span, TSR_E_IO_TYPE, "@%s needs a number or a vector of numbers, found `%s`",
              io->has_color ? "color" : "location", tsr_wgsl_type_name(w, type));
    return false;
}
