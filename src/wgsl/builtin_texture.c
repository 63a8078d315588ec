/* Texture functions: type-checked by the TEXTURE rows of builtin.def, lowered to builtin_call. They are never emitted
 * or run; what counts is that a file with rendering beside its kernels is read and checked. What a texture type is like
 * is read from its WGSL spelling. Source: WGSL, "Texture Built-in Functions". */
#include "wgsl/expr.h"
#include "wgsl/overload.h"

#include <string.h>

enum { USE = TSR_BF_MUST_USE, RUN = 0 };

struct texture_row {
    const char *name;
    const char *kinds, *dims, *params; /* as builtin.def says */
    char result;
    uint8_t flags;
};

static const struct texture_row rows[] = {
#define BUILTIN(name, scalars, params, result, op, flags, check)
#define TEXTURE(name, kinds, dims, params, result, flags) {#name, kinds, dims, params, result, flags},
#include "wgsl/builtin.def"
};

uint32_t tsr_builtin_texture_count(void)
{
    return TSR_COUNT_OF(rows);
}

const char *tsr_builtin_texture_name(uint32_t row)
{
    return rows[row].name;
}

/* ---- Texture types. */

struct texture {
    char kind; /* s d m x w e, as in builtin.def; 0: no texture */
    char dim;  /* 1 2 3 c */
    bool is_array;
    bool reads, writes; /* storage textures: the access mode */
    tsr_type channel;   /* i32, u32 or f32 */
};

static bool starts_with(const char *s, const char *prefix)
{
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

/* The scalar after '<': a sampled type, or what a texel format holds ("rgba8uint" u32, "r32sint" i32, others f32). */
static tsr_type read_channel(const char *name)
{
    const char *open = strchr(name, '<');
    if (open == NULL) return TSR_T_f32;
    const char *end = open + strcspn(open, ",>");
    for (const char *s = open + 1; s < end; s++) {
        if (starts_with(s, "uint") || starts_with(s, "u32")) return TSR_T_u32;
        if (starts_with(s, "sint") || starts_with(s, "i32")) return TSR_T_i32;
    }
    return TSR_T_f32;
}

static char read_kind(const char **s)
{
    static const struct {
        const char *prefix;
        char kind;
    } kinds[] = {{"depth_multisampled_", 'x'}, {"multisampled_", 'm'}, {"depth_", 'd'}, {"storage_", 'w'}, {"", 's'}};
    for (size_t i = 0; i < TSR_COUNT_OF(kinds); i++) {
        if (!starts_with(*s, kinds[i].prefix)) continue;
        *s += strlen(kinds[i].prefix);
        return kinds[i].kind;
    }
    return 0;
}

/* From "texture_2d_array<f32>", "texture_storage_2d<rgba8unorm, write>", ... */
static struct texture read_texture(tsr_wgsl *w, tsr_type type)
{
    struct texture t = {0};
    if (tsr_type_kind_of(w->types, type) != TSR_T_opaque) return t;
    const char *name = tsr_type_cstr(w->types, w->arena, type), *s = name + strlen("texture_");
    t.channel = read_channel(name);
    if (starts_with(name, "input_attachment")) {
        t.kind = 'i';
        t.dim = '2';
    }
    if (starts_with(name, "texel_buffer")) {
        t.kind = 'w';
        t.dim = '1';
        t.writes = strstr(name, "write>") != NULL;
        t.reads = strstr(name, ", read") != NULL;
    }
    if (!starts_with(name, "texture_")) return t;
    if (starts_with(s, "external")) {
        t.kind = 'e';
        t.dim = '2';
        return t;
    }
    t.kind = read_kind(&s);
    t.dim = *s;
    s += *s == 'c' ? strlen("cube") : strlen("2d");
    t.is_array = starts_with(s, "_array");
    t.writes = t.kind == 'w' && strstr(s, "write>") != NULL;
    t.reads = t.kind == 'w' && strstr(s, ", read") != NULL;
    return t;
}

static bool is_sampler(tsr_wgsl *w, tsr_type type, const char *name)
{
    return tsr_type_kind_of(w->types, type) == TSR_T_opaque &&
           strcmp(tsr_type_cstr(w->types, w->arena, type), name) == 0;
}

static unsigned dim_count(char dim)
{
    return dim == '1' ? 1 : dim == '2' ? 2 : 3;
}

static tsr_type vector_of(tsr_wgsl *w, tsr_type scalar, unsigned n)
{
    return n <= 1 ? scalar : tsr_type_vec(w->types, scalar, n);
}

/* ---- Matching. */

struct texture_call {
    const struct texture_row *row;
    struct texture texture;
    tsr_type params[TSR_BUILTIN_ARGS];
    uint32_t failed; /* the argument that does not fit; the count of arguments: their number is wrong */
};

/* i32 or u32 (or a vector of them), as the argument has it; i32 when neither fits. */
static tsr_type integer_like(tsr_wgsl *w, tsr_type arg, unsigned n)
{
    tsr_type i = vector_of(w, TSR_T_i32, n), u = vector_of(w, TSR_T_u32, n);
    return tsr_wgsl_rank(w, arg, i) <= tsr_wgsl_rank(w, arg, u) ? i : u;
}

/* What an argument for the letter converts to; 0: it is no such thing. */
static tsr_type param_for(tsr_wgsl *w, const struct texture_call *c, char letter, tsr_type arg)
{
    unsigned dims = dim_count(c->texture.dim);
    switch (letter) {
    case 't': return c->texture.kind != 0 ? arg : 0;
    case 'y': return c->texture.is_array ? arg : 0;
    case 's': return is_sampler(w, arg, "sampler") ? arg : 0;
    case 'k': return is_sampler(w, arg, "sampler_comparison") ? arg : 0;
    case 'c':
    case 'q': return vector_of(w, TSR_T_f32, dims);
    case 'x': return integer_like(w, arg, dims);
    case 'o': return vector_of(w, TSR_T_i32, dims);
    case 'f': return TSR_T_f32;
    case 'v': return vector_of(w, c->texture.channel, 4);
    default: return integer_like(w, arg, 1);
    }
}

static bool fits_row(const struct texture_row *row, const struct texture *t)
{
    if (t->reads && strchr(row->kinds, 'r') != NULL) return strchr(row->dims, t->dim) != NULL;
    if (t->kind == 's' && t->channel == TSR_T_f32 && strchr(row->kinds, 'f') != NULL)
        return strchr(row->dims, t->dim) != NULL;
    if (t->writes && strchr(row->kinds, 'o') != NULL) return strchr(row->dims, t->dim) != NULL;
    return t->kind != 0 && strchr(row->kinds, t->kind) != NULL && strchr(row->dims, t->dim) != NULL;
}

static bool match_row(tsr_wgsl *w, struct texture_call *c, const tsr_operand *args, uint32_t count)
{
    uint32_t at_texture = c->row->params[0] == 'g' ? 1 : 0, i = 0;
    c->failed = at_texture;
    if (at_texture >= count) return false;
    c->texture = read_texture(w, args[at_texture].type);
    if (!fits_row(c->row, &c->texture)) return false;
    bool at_place = strpbrk(c->row->params, "cx") != NULL;
    if (c->texture.is_array && at_place && strchr(c->row->params, 'a') == NULL) return false;
    for (const char *p = c->row->params; *p != '\0'; p++) {
        if (*p == 'a' && !c->texture.is_array) continue;
        if (*p == 'o' && (i == count || c->texture.dim == 'c')) continue;
        c->failed = i;
        if (i == count) return false;
        c->params[i] = param_for(w, c, *p, args[i].type);
        if (c->params[i] == 0 || tsr_wgsl_rank(w, args[i].type, c->params[i]) == UINT32_MAX) return false;
        i++;
    }
    c->failed = count;
    return i == count;
}

static bool choose_row(tsr_wgsl *w, struct texture_call *c, uint32_t first, const tsr_operand *args, uint32_t count)
{
    uint32_t failed = 0;
    for (uint32_t r = first; r < TSR_COUNT_OF(rows) && strcmp(rows[r].name, rows[first].name) == 0; r++) {
        c->row = &rows[r];
        if (match_row(w, c, args, count)) return true;
        if (c->failed > failed) failed = c->failed;
    }
    c->failed = failed;
    return false;
}

/* ---- Constant arguments. */

static bool check_offset(tsr_wgsl *w, const tsr_operand *o)
{
    const int32_t least = -8, most = 7;
    if (o->kind != TSR_O_const) {
        tsr_error(w->diags, o->span, TSR_E_BUILTIN_NOT_CONST, "a texture offset must be a const-expression");
        return false;
    }
    for (unsigned i = 0; i < tsr_type_width(w->types, o->type); i++) {
        int32_t v = (int32_t)(uint32_t)tsr_cval_bits(tsr_cval_part(w, o->cval, i));
        if (v >= least && v <= most) continue;
        tsr_error(w->diags, o->span, TSR_E_BUILTIN_RANGE, "a texture offset of %d; it must lie in -8 to 7", v);
        return false;
    }
    return true;
}

static bool check_component(tsr_wgsl *w, const tsr_operand *o)
{
    if (o->kind == TSR_O_const && (uint32_t)tsr_cval_bits(o->cval) <= 3) return true;
    tsr_error(w->diags, o->span, o->kind == TSR_O_const ? TSR_E_BUILTIN_RANGE : TSR_E_BUILTIN_NOT_CONST,
              "the component to gather must be a const-expression in 0 to 3");
    return false;
}

static bool convert_arguments(tsr_wgsl *w, const struct texture_call *c, tsr_operand *args, uint32_t count)
{
    bool ok = true;
    uint32_t i = 0;
    for (const char *p = c->row->params; *p != '\0' && i < count && ok; p++) {
        if (*p == 'a' && !c->texture.is_array) continue;
        if (*p == 'o' && c->texture.dim == 'c') continue;
        ok = tsr_wgsl_convert(w, &args[i], c->params[i], "an argument");
        if (ok && *p == 'o') ok = check_offset(w, &args[i]);
        if (ok && *p == 'g') ok = check_component(w, &args[i]);
        i++;
    }
    return ok;
}

/* ---- The call. */

static tsr_type result_type(tsr_wgsl *w, const struct texture_call *c)
{
    bool is_depth = c->texture.kind == 'd' || c->texture.kind == 'x';
    switch (c->row->result) {
    case '4': return vector_of(w, c->texture.channel, 4);
    case 'E': return is_depth ? (tsr_type)TSR_T_f32 : vector_of(w, c->texture.channel, 4);
    case 'f': return TSR_T_f32;
    case 'u': return TSR_T_u32;
    case 'D': return vector_of(w, TSR_T_u32, c->texture.dim == 'c' ? 2 : dim_count(c->texture.dim));
    default: return 0;
    }
}

static void report_mismatch(tsr_wgsl *w, const struct texture_row *row, const tsr_operand *args, uint32_t count,
                            uint32_t failed, tsr_span span)
{
    if (failed >= count) {
        tsr_error(w->diags, span, TSR_E_BUILTIN_COUNT,
                  "`%s` cannot be called with these %u arguments: too few or too many", row->name, count);
        return;
    }
    tsr_error(w->diags, args[failed].span, TSR_E_BUILTIN_TEXTURE, "argument %u of `%s` cannot be `%s` here", failed + 1,
              row->name, tsr_type_cstr(w->types, w->arena, args[failed].type));
}

tsr_operand tsr_builtin_texture_call(tsr_wgsl *w, tsr_node call, uint32_t first_row)
{
    tsr_operand args[TSR_BUILTIN_ARGS];
    tsr_id ids[TSR_BUILTIN_ARGS];
    struct texture_call c = {0};
    uint32_t count = 0;
    tsr_span span = tsr_ast_span(w->ast, call);
    const tsr_ast_node *callee = tsr_ast_at(w->ast, tsr_ast_at(w->ast, call)->a);
    if (!tsr_builtin_arguments(w, call, args, &count)) return tsr_operand_error();
    if (tsr_expr_at_module(w)) {
        tsr_error(w->diags, span, TSR_E_BUILTIN_SCOPE, "`%s` works when the shader runs: call it in a function",
                  rows[first_row].name);
        return tsr_operand_error();
    }
    if (!choose_row(w, &c, first_row, args, count)) {
        report_mismatch(w, &rows[first_row], args, count, c.failed, span);
        return tsr_operand_error();
    }
    if (!convert_arguments(w, &c, args, count)) return tsr_operand_error();
    for (uint32_t i = 0; i < count; i++)
        ids[i] = tsr_wgsl_id(w, &args[i]);
    w->b.span = span;
    tsr_type result = result_type(w, &c);
    tsr_id id = tsr_build(&w->b, TSR_OP_builtin_call, result, callee->a, ids, count);
    if (result == 0) return (tsr_operand){.kind = TSR_O_void, .when = TSR_WHEN_run, .span = span};
    tsr_operand r = tsr_operand_value(w, id, TSR_WHEN_run, span);
    r.must_use = (c.row->flags & TSR_BF_MUST_USE) != 0;
    return r;
}
