/* Calls of built-in functions: finds the rows of the name, resolves the overload, converts the arguments, and then
 * either computes the result (all arguments constant) or builds the IR op. Only bitcast, the texture functions and the
 * subgroup matrix functions have a way of their own. */
#include "wgsl/expr.h"
#include "wgsl/overload.h"

#include <string.h>

enum { FN = TSR_BF_CONST | TSR_BF_MUST_USE, USE = TSR_BF_MUST_USE, RUN = 0, SUB = TSR_BF_MUST_USE | TSR_BF_SUBGROUPS };

static const tsr_builtin rows[] = {
#define BUILTIN(name, scalars, params, result, op, flags, check)                                                       \
    {#name, scalars, params, result, TSR_OP_##op, flags, TSR_BC_##check},
#define TEXTURE(name, kinds, dims, params, result, flags)
#include "wgsl/builtin.def"
};

enum { ROW_COUNT = (int)TSR_COUNT_OF(rows) };

/* ---- Names. */

/* By symbol: 1 + the first row of that name; texture rows count on after the others. 0: no built-in function. Made when
 * first asked for, from the symbols of the program, so that a program pays for a look at the table and no more. */
struct names {
    uint32_t count;
    uint16_t *row_of;
};

static void add_name(const tsr_wgsl *w, struct names *n, const char *name, uint32_t row)
{
    tsr_sym sym = tsr_symbols_find(w->symbols, name, strlen(name));
    if (sym != 0 && sym < n->count && n->row_of[sym] == 0) n->row_of[sym] = (uint16_t)(row + 1);
}

static const struct names *get_names(const tsr_wgsl *w)
{
    if (w->own[TSR_WGSL_OWN_builtin] != NULL) return w->own[TSR_WGSL_OWN_builtin];
    struct names *n = TSR_NEW(w->arena, struct names);
    n->count = w->symbols->names.count;
    n->row_of = TSR_NEW_ARRAY(w->arena, uint16_t, n->count);
    for (uint32_t i = 0; i < ROW_COUNT; i++)
        add_name(w, n, rows[i].name, i);
    for (uint32_t i = 0; i < tsr_builtin_texture_count(); i++)
        add_name(w, n, tsr_builtin_texture_name(i), ROW_COUNT + i);
    ((tsr_wgsl *)w)->own[TSR_WGSL_OWN_builtin] = n; /* a cache: the meaning of *w does not change */
    return n;
}

/* 1 + the first row of the name; 0: none. A name that came after the table was made is none of the program's text. */
static uint32_t find_row(const tsr_wgsl *w, tsr_sym name)
{
    const struct names *n = get_names(w);
    return name < n->count ? n->row_of[name] : 0;
}

bool tsr_wgsl_is_builtin(const tsr_wgsl *w, tsr_sym name)
{
    return find_row(w, name) != 0;
}

const char *tsr_wgsl_builtin_name(uint32_t i)
{
    if (i < ROW_COUNT) return rows[i].name;
    i -= ROW_COUNT;
    return i < tsr_builtin_texture_count() ? tsr_builtin_texture_name(i) : NULL;
}

static uint32_t count_rows(uint32_t first)
{
    uint32_t n = 1;
    while (first + n < ROW_COUNT && strcmp(rows[first].name, rows[first + n].name) == 0)
        n++;
    return n;
}

/* ---- Arguments. */

bool tsr_builtin_arguments(tsr_wgsl *w, tsr_node call, tsr_operand *args, uint32_t *count)
{
    tsr_list list = tsr_ast_at(w->ast, call)->b;
    *count = tsr_ast_list_count(w->ast, list);
    bool ok = true;
    if (*count > TSR_BUILTIN_ARGS) {
        tsr_error(w->diags, tsr_ast_span(w->ast, call), TSR_E_BUILTIN_COUNT,
                  "%u arguments; no built-in function takes more than %d", *count, TSR_BUILTIN_ARGS);
        return false;
    }
    for (uint32_t i = 0; i < *count; i++) {
        args[i] = tsr_wgsl_value(w, tsr_ast_list_at(w->ast, list, i));
        ok = (args[i].kind == TSR_O_const || args[i].kind == TSR_O_value) && ok;
    }
    return ok;
}

static tsr_when latest(const tsr_operand *args, uint32_t count)
{
    tsr_when when = TSR_WHEN_const;
    for (uint32_t i = 0; i < count; i++)
        if ((tsr_when)args[i].when > when) when = (tsr_when)args[i].when;
    return when;
}

static bool all_const(const tsr_operand *args, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (args[i].kind != TSR_O_const) return false;
    return true;
}

/* Whether parameter i is a scalar where the op wants the width of the others: mix(vec, vec, scalar). */
static bool needs_splat(tsr_wgsl *w, const tsr_overload *o, uint32_t i)
{
    return (tsr_op_table[o->row->op].flags & TSR_OPF_COMPS) != 0 && o->width > 1 &&
           tsr_type_is_scalar(w->types, o->params[i]);
}

static tsr_type splat_type(tsr_wgsl *w, const tsr_overload *o, uint32_t i)
{
    return tsr_type_vec(w->types, o->params[i], o->width);
}

/* ---- Constants. */

static const tsr_cval *splat_const(tsr_wgsl *w, const tsr_overload *o, uint32_t i, const tsr_cval *v)
{
    const tsr_cval *parts[4] = {v, v, v, v};
    return tsr_cval_make(w, splat_type(w, o, i), parts, o->width);
}

static tsr_operand evaluate(tsr_wgsl *w, const tsr_overload *o, const tsr_operand *args, uint32_t count, tsr_span span)
{
    const tsr_cval *values[TSR_BUILTIN_ARGS];
    for (uint32_t i = 0; i < count; i++) {
        values[i] = needs_splat(w, o, i) ? splat_const(w, o, i, args[i].cval) : args[i].cval;
        /* An AbstractInt exponent: the op wants i32. */
        if (o->row->check == TSR_BC_exponent && i == 1 && o->scalar == TSR_T_afloat)
            values[i] =
                tsr_cval_convert(w, values[i], o->width > 1 ? tsr_type_vec(w->types, TSR_T_i32, o->width) : TSR_T_i32,
                                 true, args[i].span);
        if (values[i] == NULL) return tsr_operand_error();
    }
    const tsr_cval *r = tsr_cval_eval(w, (tsr_op)o->row->op, o->result, 0, values, count, span);
    return r == NULL ? tsr_operand_error() : tsr_operand_const(w, r, span);
}

/* ---- IR. */

static tsr_id argument_id(tsr_wgsl *w, const tsr_overload *o, tsr_operand *args, uint32_t i)
{
    tsr_id id = tsr_wgsl_id(w, &args[i]);
    if (id == 0) return 0;
    if (needs_splat(w, o, i))
        return tsr_expr_build(w, TSR_OP_splat, splat_type(w, o, i), 0, &id, 1, (tsr_when)args[i].when, args[i].span);
    /* Lanes are counted in u32. */
    if (i == 1 && o->params[i] == TSR_T_i32 && o->row->check >= TSR_BC_lane)
        return args[i].kind == TSR_O_const ? tsr_build_u32(w->ir, (uint32_t)tsr_cval_bits(args[i].cval))
                                           : tsr_build1(&w->b, TSR_OP_bitcast, TSR_T_u32, 0, id);
    return id;
}

static tsr_operand build(tsr_wgsl *w, const tsr_overload *o, tsr_operand *args, uint32_t count, tsr_node call,
                         tsr_span span)
{
    tsr_id ids[TSR_BUILTIN_ARGS];
    for (uint32_t i = 0; i < count; i++)
        if ((ids[i] = argument_id(w, o, args, i)) == 0) return tsr_operand_error();
    const tsr_op_info *info = &tsr_op_table[o->row->op];
    const tsr_ast_node *callee = tsr_ast_at(w->ast, tsr_ast_at(w->ast, call)->a);
    uint32_t aux = o->row->op == TSR_OP_builtin_call ? callee->a : 0;
    tsr_when when = (o->row->flags & TSR_BF_CONST) != 0 ? latest(args, count) : TSR_WHEN_run;
    tsr_type given = info->result == TSR_OPR_TYPED ? o->result : 0;
    tsr_id id = tsr_expr_build(w, (tsr_op)o->row->op, given, aux, ids, count, when, span);
    if (o->result == 0) return (tsr_operand){.kind = TSR_O_void, .when = TSR_WHEN_run, .span = span};
    return tsr_operand_value(w, id, when, span);
}

/* ---- The call. */

static bool is_allowed(tsr_wgsl *w, const tsr_builtin *row, tsr_node call, tsr_span span)
{
    tsr_node callee = tsr_ast_at(w->ast, call)->a;
    if (tsr_ast_list_count(w->ast, tsr_ast_at(w->ast, callee)->b) != 0) {
        tsr_error(w->diags, tsr_ast_span(w->ast, callee), TSR_E_BUILTIN_TEMPLATE, "`%s` takes no template arguments",
                  row->name);
        return false;
    }
    if ((row->flags & TSR_BF_SUBGROUPS) != 0 && !w->subgroups) {
        tsr_error(w->diags, span, TSR_E_BUILTIN_DISABLED,
                  "`%s` needs the extension `subgroups`; put `enable subgroups;` at the top of the file", row->name);
        return false;
    }
    if ((row->flags & TSR_BF_CONST) == 0 && tsr_expr_at_module(w)) {
        tsr_error(w->diags, span, TSR_E_BUILTIN_SCOPE,
                  "`%s` works when the shader runs: call it in a function, not where a const- or override-expression "
                  "must stand",
                  row->name);
        return false;
    }
    return true;
}

static void report_mismatch(tsr_wgsl *w, uint32_t first, const tsr_operand *args, uint32_t count, tsr_span span)
{
    tsr_type types[TSR_BUILTIN_ARGS];
    tsr_text given;
    tsr_text_init(&given, w->arena);
    for (uint32_t i = 0; i < count; i++) {
        types[i] = args[i].type;
        tsr_text_printf(&given, "%s%s", i == 0 ? "" : ", ", tsr_type_cstr(w->types, w->arena, types[i]));
    }
    uint32_t row_count = count_rows(first);
    tsr_diag *d = tsr_error(w->diags, span, TSR_E_BUILTIN_OVERLOAD, "`%s` cannot be called with (%s)", rows[first].name,
                            tsr_text_get(&given));
    tsr_overload_explain(w, d, &rows[first], row_count, types, count);
}

static bool convert_arguments(tsr_wgsl *w, const tsr_overload *o, tsr_operand *args, uint32_t count)
{
    bool ok = true;
    for (uint32_t i = 0; i < count; i++)
        ok = tsr_wgsl_convert(w, &args[i], o->params[i], "an argument") && ok;
    return ok;
}

static tsr_operand call_row(tsr_wgsl *w, tsr_node call, uint32_t first)
{
    tsr_operand args[TSR_BUILTIN_ARGS];
    tsr_type types[TSR_BUILTIN_ARGS];
    tsr_overload o;
    uint32_t count = 0;
    tsr_span span = tsr_ast_span(w->ast, call);
    if (!tsr_builtin_arguments(w, call, args, &count)) return tsr_operand_error();
    if (!is_allowed(w, &rows[first], call, span)) return tsr_operand_error();
    for (uint32_t i = 0; i < count; i++)
        types[i] = args[i].type;
    if (!tsr_overload_choose(w, &rows[first], count_rows(first), types, count, &o)) {
        report_mismatch(w, first, args, count, span);
        return tsr_operand_error();
    }
    if (!convert_arguments(w, &o, args, count)) return tsr_operand_error();
    if (!tsr_builtin_check_args(w, &o, args, count)) return tsr_operand_error();
    bool is_const = (o.row->flags & TSR_BF_CONST) != 0 && all_const(args, count);
    return is_const ? evaluate(w, &o, args, count, span) : build(w, &o, args, count, call, span);
}

tsr_operand tsr_wgsl_builtin_call(tsr_wgsl *w, tsr_node call)
{
    tsr_sym name = tsr_ast_at(w->ast, tsr_ast_at(w->ast, call)->a)->a;
    uint32_t row = find_row(w, name) - 1;
    tsr_operand r;
    if (row >= ROW_COUNT) return tsr_builtin_texture_call(w, call, row - ROW_COUNT);
    switch (rows[row].check) {
    case TSR_BC_bitcast: r = tsr_builtin_bitcast(w, call); break;
    case TSR_BC_buffer: r = tsr_builtin_buffer(w, call); break;
    case TSR_BC_resource: r = tsr_builtin_resource(w, call); break;
    default: r = call_row(w, call, row);
    }
    r.must_use = (rows[row].flags & TSR_BF_MUST_USE) != 0;
    return r;
}
