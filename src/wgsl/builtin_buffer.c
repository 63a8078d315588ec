/* bufferView<T>(p, offset), bufferArrayView<T>(p, offset, size), bufferLength(p): memory without a type of its own seen
 * as a type. Checked only: a module that calls them is not run. They stand outside the overload table because T is
 * given, not found. Source: WGSL proposal "Buffer View"; the rules about constants: its conformance tests. */
#include "wgsl/expr.h"
#include "wgsl/overload.h"

#include <string.h>

typedef struct view {
    tsr_wgsl *w;
    const char *name;
    tsr_type type; /* T */
    uint32_t align;
    uint64_t least;  /* bytes of T, of a run-time sized array at least one element */
    uint64_t before; /* the part of `least` before a run-time sized array */
    uint32_t stride; /* of the run-time sized array; 0: T is of fixed size */
} view;

/* ---- T. */

static bool refuse_type(const view *v, tsr_span span, const char *why)
{
    tsr_error(v->w->diags, span, TSR_E_BUILTIN_TEMPLATE, "`%s` cannot give memory the type `%s`: %s", v->name,
              tsr_expr_type_name(v->w, v->type), why);
    return false;
}

static void measure(view *v)
{
    const tsr_types *types = v->w->types;
    const tsr_type_info *i = tsr_type_get(types, v->type), *last = i;
    v->align = i->align;
    v->least = i->size_bytes;
    if (i->kind == TSR_T_struct) last = tsr_type_get(types, i->members[i->member_count - 1].type);
    if (last->kind != TSR_T_array || last->size.value != 0 || last->size.over != 0) return;
    v->before = i->kind == TSR_T_struct ? i->members[i->member_count - 1].offset : 0;
    v->stride = last->stride;
    v->least = v->before + v->stride;
}

uint64_t tsr_builtin_view_bytes(tsr_wgsl *w, tsr_type type)
{
    view v = {.w = w, .type = type};
    measure(&v);
    return v.least;
}

static bool check_type(view *v, bool is_array_view, tsr_span span)
{
    const tsr_type_info *i = tsr_type_get(v->w->types, v->type);
    if (tsr_type_contains(v->w->types, v->type, TSR_T_atomic)) return refuse_type(v, span, "it holds atomics");
    if (i->kind == TSR_T_opaque || (i->traits & TSR_TRAIT_HOST_SHAREABLE) == 0 ||
        (i->kind == TSR_T_array && i->size.over != 0))
        return refuse_type(v, span, "its layout cannot be shared with the outside");
    measure(v);
    if (is_array_view && v->stride == 0)
        return refuse_type(v, span, "it has a fixed size; use `bufferView`, or an array without a count");
    return true;
}

/* ---- Arguments. */

static bool check_pointer(const view *v, const tsr_operand *o, tsr_raw_buffer *kind, uint32_t *bytes)
{
    const tsr_type_info *ptr = tsr_type_get(v->w->types, o->type);
    *kind = ptr->kind == TSR_T_ptr ? tsr_wgsl_raw_buffer(v->w, ptr->elem, bytes) : TSR_RAW_none;
    if (*kind != TSR_RAW_none) return true;
    tsr_error(v->w->diags, o->span, TSR_E_BUILTIN_OVERLOAD,
              "`%s` takes a pointer to a variable of type `buffer`, found `%s`", v->name,
              tsr_expr_type_name(v->w, o->type));
    return false;
}

/* A count of bytes as i32 or u32; *value: of a constant, else 0. */
static bool read_bytes(const view *v, tsr_operand *o, const char *what, uint64_t *value)
{
    tsr_type want = tsr_wgsl_rank(v->w, o->type, TSR_T_i32) != UINT32_MAX ? TSR_T_i32 : TSR_T_u32;
    *value = 0;
    if (!tsr_wgsl_convert(v->w, o, want, what)) return false;
    if (o->kind != TSR_O_const) return true;
    uint32_t bits = (uint32_t)tsr_cval_bits(o->cval);
    *value = bits;
    if (want != TSR_T_i32 || (int32_t)bits >= 0) return true;
    tsr_error(v->w->diags, o->span, TSR_E_BUILTIN_RANGE, "%s of `%s` is %d; it cannot be negative", what, v->name,
              (int)(int32_t)bits);
    return false;
}

static bool check_offset(const view *v, const tsr_operand *o, uint64_t offset)
{
    if (offset % v->align != 0) {
        tsr_error(v->w->diags, o->span, TSR_E_BUILTIN_RANGE,
                  "the offset %llu is no multiple of %u, the alignment of `%s`", (unsigned long long)offset, v->align,
                  tsr_expr_type_name(v->w, v->type));
        return false;
    }
    if (offset + v->least <= UINT32_MAX) return true;
    tsr_error(v->w->diags, o->span, TSR_E_BUILTIN_RANGE, "behind the offset %llu no `%s` fits into 4 GiB",
              (unsigned long long)offset, tsr_expr_type_name(v->w, v->type));
    return false;
}

static bool check_size(const view *v, const tsr_operand *o, uint64_t size)
{
    if (o->kind != TSR_O_const) return true;
    if (size < v->least) {
        tsr_error(v->w->diags, o->span, TSR_E_BUILTIN_RANGE, "%llu bytes hold no element of `%s`, which takes %llu",
                  (unsigned long long)size, tsr_expr_type_name(v->w, v->type), (unsigned long long)v->least);
        return false;
    }
    if ((size - v->before) % v->stride == 0) return true;
    tsr_error(v->w->diags, o->span, TSR_E_BUILTIN_RANGE,
              "%llu bytes are no whole number of elements of `%s`, each of %u bytes%s", (unsigned long long)size,
              tsr_expr_type_name(v->w, v->type), v->stride, v->before != 0 ? ", behind the other members" : "");
    return false;
}

/* What is known of it must lie in a buffer of known size. */
static bool check_fits(const view *v, tsr_span span, uint64_t end, tsr_raw_buffer kind, uint32_t bytes)
{
    if (kind != TSR_RAW_sized || end <= bytes) return true;
    tsr_error(v->w->diags, span, TSR_E_BUILTIN_RANGE, "this `%s` ends at byte %llu, but the buffer has %u bytes",
              v->name, (unsigned long long)end, bytes);
    return false;
}

/* ---- The call. */

static tsr_operand build(tsr_wgsl *w, tsr_node call, tsr_type result, tsr_operand *args, uint32_t count)
{
    tsr_id ids[3];
    for (uint32_t i = 0; i < count; i++)
        if ((ids[i] = tsr_wgsl_id(w, &args[i])) == 0) return tsr_operand_error();
    tsr_span span = w->b.span = tsr_ast_span(w->ast, call);
    tsr_sym name = tsr_ast_at(w->ast, tsr_ast_at(w->ast, call)->a)->a;
    return tsr_operand_value(w, tsr_build(&w->b, TSR_OP_builtin_call, result, name, ids, count), TSR_WHEN_run, span);
}

static tsr_operand build_view(view *v, tsr_node call, tsr_node type_node, tsr_operand *args, uint32_t count)
{
    tsr_wgsl *w = v->w;
    tsr_raw_buffer kind;
    uint32_t bytes = 0;
    uint64_t offset, size = 0;
    bool is_array_view = count == 3;
    v->type = tsr_wgsl_type(w, type_node);
    if (v->type == 0 || !check_type(v, is_array_view, tsr_ast_span(w->ast, type_node))) return tsr_operand_error();
    if (!check_pointer(v, &args[0], &kind, &bytes)) return tsr_operand_error();
    if (!read_bytes(v, &args[1], "the offset", &offset) || !check_offset(v, &args[1], offset))
        return tsr_operand_error();
    if (is_array_view && (!read_bytes(v, &args[2], "the size", &size) || !check_size(v, &args[2], size)))
        return tsr_operand_error();
    uint64_t end = offset + (size > v->least ? size : v->least);
    if (!check_fits(v, tsr_ast_span(w->ast, call), end, kind, bytes)) return tsr_operand_error();
    const tsr_type_info *ptr = tsr_type_get(w->types, args[0].type);
    tsr_type result = tsr_type_ptr(w->types, (tsr_space)ptr->space, v->type, (tsr_access)ptr->access);
    return build(w, call, result, args, count);
}

/* How many arguments the function takes, and how many types. */
static bool check_counts(const view *v, tsr_node call, uint32_t args, uint32_t types)
{
    bool is_view = strcmp(v->name, "bufferLength") != 0;
    uint32_t want = strcmp(v->name, "bufferArrayView") == 0 ? 3 : is_view ? 2 : 1;
    tsr_span span = tsr_ast_span(v->w->ast, call);
    if (types != (uint32_t)is_view) {
        tsr_error(v->w->diags, span, TSR_E_BUILTIN_TEMPLATE, "`%s` takes %s", v->name,
                  is_view ? "the type that it gives: `bufferView<vec4f>(&b, 0)`" : "no template arguments");
        return false;
    }
    if (args == want) return true;
    tsr_error(v->w->diags, span, TSR_E_BUILTIN_COUNT, "`%s` takes %u argument%s, %u given", v->name, want,
              want == 1 ? "" : "s", args);
    return false;
}

tsr_operand tsr_builtin_buffer(tsr_wgsl *w, tsr_node call)
{
    tsr_operand args[TSR_BUILTIN_ARGS];
    uint32_t count = 0, bytes;
    tsr_raw_buffer kind;
    const tsr_ast_node *callee = tsr_ast_at(w->ast, tsr_ast_at(w->ast, call)->a);
    view v = {.w = w, .name = tsr_symbols_cstr(w->symbols, callee->a)};
    if (!tsr_builtin_arguments(w, call, args, &count)) return tsr_operand_error();
    if (!check_counts(&v, call, count, tsr_ast_list_count(w->ast, callee->b))) return tsr_operand_error();
    if (tsr_expr_at_module(w)) {
        tsr_error(w->diags, tsr_ast_span(w->ast, call), TSR_E_BUILTIN_SCOPE,
                  "`%s` works when the shader runs: call it in a function", v.name);
        return tsr_operand_error();
    }
    if (count > 1) return build_view(&v, call, tsr_ast_list_at(w->ast, callee->b, 0), args, count);
    if (!check_pointer(&v, &args[0], &kind, &bytes)) return tsr_operand_error();
    return build(w, call, TSR_T_u32, args, count);
}
