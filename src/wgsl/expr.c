/* Expressions: literals, names, the load rule, and what a constant or override-expression must be. An expression gives
 * an operand: a constant, an IR value, or a reference that is loaded when its value is wanted. */
#include "wgsl/expr.h"

#include "base/number.h"

#include <string.h>

/* ---- Operands. */

tsr_operand tsr_operand_error(void)
{
    return (tsr_operand){.kind = TSR_O_error};
}

tsr_operand tsr_operand_const(tsr_wgsl *w, const tsr_cval *v, tsr_span span)
{
    (void)w;
    return (tsr_operand){.kind = TSR_O_const, .when = TSR_WHEN_const, .type = v->type, .cval = v, .span = span};
}

tsr_operand tsr_operand_value(tsr_wgsl *w, tsr_id id, tsr_when when, tsr_span span)
{
    tsr_type type = tsr_inst_at(w->ir, id)->type;
    return (tsr_operand){.kind = TSR_O_value, .when = (uint8_t)when, .type = type, .id = id, .span = span};
}

const char *tsr_expr_type_name(const tsr_wgsl *w, tsr_type type)
{
    return tsr_wgsl_type_name(w, type);
}

bool tsr_expr_at_module(const tsr_wgsl *w)
{
    return w->function == 0 || w->b.block == w->ir->module_block;
}

/* ---- Building or computing an op. */

static bool are_constants(const tsr_operand *args, uint32_t nargs)
{
    for (uint32_t i = 0; i < nargs; i++) {
        if (args[i].kind != TSR_O_const) return false;
    }
    return true;
}

static tsr_operand compute(tsr_wgsl *w, tsr_op op, tsr_type type, uint32_t aux, const tsr_operand *args, uint32_t nargs,
                           tsr_span span)
{
    const tsr_cval *few[8];
    const tsr_cval **values = nargs <= TSR_COUNT_OF(few) ? few : TSR_NEW_ARRAY(w->arena, const tsr_cval *, nargs);
    for (uint32_t i = 0; i < nargs; i++)
        values[i] = args[i].cval;
    const tsr_cval *v = tsr_cval_eval(w, op, type, aux, values, nargs, span);
    return v == NULL ? tsr_operand_error() : tsr_operand_const(w, v, span);
}

tsr_id tsr_expr_build(tsr_wgsl *w, tsr_op op, tsr_type type, uint32_t aux, const tsr_id *ids, uint32_t nargs,
                      tsr_when when, tsr_span span)
{
    tsr_block here = w->b.block;
    if (when == TSR_WHEN_override) w->b.block = w->ir->module_block;
    w->b.span = span;
    tsr_id id = tsr_build(&w->b, op, type, aux, ids, nargs);
    w->b.block = here;
    return id;
}

tsr_operand tsr_expr_apply(tsr_wgsl *w, tsr_op op, tsr_type type, uint32_t aux, tsr_operand *args, uint32_t nargs,
                           tsr_span span)
{
    tsr_when when = TSR_WHEN_const;
    for (uint32_t i = 0; i < nargs; i++) {
        if (args[i].kind == TSR_O_error) return tsr_operand_error();
        if (args[i].when > when) when = (tsr_when)args[i].when;
    }
    if (are_constants(args, nargs)) return compute(w, op, type, aux, args, nargs, span);
    tsr_id few[8];
    tsr_id *ids = nargs <= TSR_COUNT_OF(few) ? few : TSR_NEW_ARRAY(w->arena, tsr_id, nargs);
    for (uint32_t i = 0; i < nargs; i++) {
        ids[i] = tsr_wgsl_id(w, &args[i]);
        if (ids[i] == 0) return tsr_operand_error();
    }
    tsr_type given = tsr_op_table[op].result == TSR_OPR_TYPED ? type : 0;
    return tsr_operand_value(w, tsr_expr_build(w, op, given, aux, ids, nargs, when, span), when, span);
}

tsr_operand tsr_expr_apply1(tsr_wgsl *w, tsr_op op, tsr_type type, uint32_t aux, tsr_operand a, tsr_span span)
{
    return tsr_expr_apply(w, op, type, aux, &a, 1, span);
}

tsr_operand tsr_expr_apply2(tsr_wgsl *w, tsr_op op, tsr_type type, tsr_operand a, tsr_operand b, tsr_span span)
{
    tsr_operand args[2] = {a, b};
    return tsr_expr_apply(w, op, type, 0, args, 2, span);
}

/* ---- The load rule (WGSL, "Reference and Pointer Types"). */

static bool check_load(tsr_wgsl *w, const tsr_operand *o)
{
    tsr_type_kind kind = tsr_type_kind_of(w->types, o->type);
    bool is_plain = kind == TSR_T_vec || tsr_type_is_constructible(w->types, o->type);
    if (is_plain && o->access != TSR_ACCESS_write) return true; /* nearly all: no name is spelt for them */
    uint32_t bytes;
    if (tsr_wgsl_raw_buffer(w, o->type, &bytes) != TSR_RAW_none) {
        tsr_error(w->diags, o->span, TSR_E_EXPR_LOAD,
                  "a buffer is no value; take its address (`&`) for `bufferView` or `bufferLength`");
        return false;
    }
    if (kind == TSR_T_opaque || tsr_type_contains(w->types, o->type, TSR_T_smat)) return true;
    const char *name = tsr_expr_type_name(w, o->type);
    if (kind == TSR_T_atomic) {
        tsr_error(w->diags, o->span, TSR_E_EXPR_LOAD,
                  "`%s` cannot be read like a variable; use `atomicLoad` with its address (`&`)", name);
    } else if (tsr_type_contains(w->types, o->type, TSR_T_atomic)) {
        tsr_error(w->diags, o->span, TSR_E_EXPR_LOAD,
                  "`%s` holds atomics, so it cannot be read as a whole; use `atomicLoad` on its parts", name);
    } else if (!tsr_type_is_constructible(w->types, o->type)) {
        tsr_error(
            w->diags, o->span, TSR_E_EXPR_LOAD,
            "`%s` has no size known when the shader is compiled, so it cannot be read as a whole; index it or pass "
            "its address (`&`)",
            name);
    } else if (o->access == TSR_ACCESS_write) {
        tsr_error(w->diags, o->span, TSR_E_EXPR_LOAD, "this memory can only be written");
    } else {
        return true;
    }
    return false;
}

tsr_operand tsr_wgsl_load(tsr_wgsl *w, tsr_operand o)
{
    if (o.kind != TSR_O_ref) return o;
    if (!check_load(w, &o)) return tsr_operand_error();
    w->b.span = o.span;
    return tsr_operand_value(w, tsr_build1(&w->b, TSR_OP_load, o.type, 0, o.id), TSR_WHEN_run, o.span);
}

tsr_operand tsr_wgsl_value(tsr_wgsl *w, tsr_node n)
{
    tsr_operand o = tsr_wgsl_load(w, tsr_wgsl_expr(w, n));
    if (o.kind != TSR_O_void) return o;
    tsr_error(w->diags, tsr_ast_span(w->ast, n), TSR_E_EXPR_NOT_VALUE,
              "this function returns nothing, so its call cannot stand where a value is needed");
    return tsr_operand_error();
}

/* ---- Literals. */

static tsr_operand literal_int(tsr_wgsl *w, const tsr_ast_node *n, tsr_span span)
{
    uint64_t value = (uint64_t)n->b << 32 | n->a;
    if (n->op == 'i') return tsr_operand_const(w, tsr_cval_scalar(w, TSR_T_i32, (uint32_t)value), span);
    if (n->op == 'u') return tsr_operand_const(w, tsr_cval_scalar(w, TSR_T_u32, (uint32_t)value), span);
    if (value > INT64_MAX) {
        tsr_error(w->diags, span, TSR_E_EXPR_LITERAL,
                  "this number is larger than 9223372036854775807, the largest integer");
        return tsr_operand_error();
    }
    return tsr_operand_const(w, tsr_cval_scalar(w, TSR_T_aint, value), span);
}

static tsr_operand literal_float(tsr_wgsl *w, const tsr_ast_node *n, tsr_span span)
{
    uint64_t bits = (uint64_t)n->b << 32 | n->a;
    double value = tsr_f64_from_bits(bits);
    if (n->op == 0) return tsr_operand_const(w, tsr_cval_scalar(w, TSR_T_afloat, bits), span);
    if (n->op == 'f') return tsr_operand_const(w, tsr_cval_scalar(w, TSR_T_f32, tsr_bits_from_f32((float)value)), span);
    if (!w->f16) {
        tsr_error(w->diags, span, TSR_E_EXPR_LITERAL, "an f16 number needs `enable f16;` at the top of the file");
        return tsr_operand_error();
    }
    return tsr_operand_const(w, tsr_cval_scalar(w, TSR_T_f16, tsr_f16_from_f64(value)), span);
}

/* ---- Names. */

static tsr_operand refuse_name(tsr_wgsl *w, tsr_sym name, tsr_span span)
{
    const char *text = tsr_symbols_cstr(w->symbols, name);
    if (tsr_wgsl_is_predeclared_type(w, name)) {
        tsr_error(w->diags, span, TSR_E_EXPR_NOT_VALUE, "`%s` is a type, not a value; `%s(...)` makes a value of it",
                  text, text);
    } else if (tsr_wgsl_is_builtin(w, name) || tsr_wgsl_is_matrix_function(w, name)) {
        tsr_error(w->diags, span, TSR_E_EXPR_NOT_VALUE, "`%s` is a built-in function; call it as `%s(...)`", text,
                  text);
    } else if (tsr_wgsl_is_new_unknown(w, 0, name)) {
        tsr_diag *d = tsr_error(w->diags, span, TSR_E_EXPR_NAME, "there is no `%s` here", text);
        tsr_wgsl_suggest(w, d, name);
    }
    return tsr_operand_error();
}

static tsr_operand name_variable(tsr_wgsl *w, const tsr_decl *d, tsr_span span)
{
    if (tsr_expr_at_module(w)) {
        tsr_error(w->diags, span, TSR_E_EXPR_NOT_OVERRIDE,
                  "`%s` is a variable; only `const` and `override` declarations can be used here",
                  tsr_symbols_cstr(w->symbols, d->name));
        return tsr_operand_error();
    }
    return (tsr_operand){.kind = TSR_O_ref,
                         .when = TSR_WHEN_run,
                         .space = d->space,
                         .access = d->access,
                         .type = d->type,
                         .id = d->id,
                         .span = span};
}

static tsr_operand name_not_value(tsr_wgsl *w, const tsr_decl *d, tsr_span span)
{
    const char *text = tsr_symbols_cstr(w->symbols, d->name);
    if (d->kind == TSR_D_function) {
        tsr_error(w->diags, span, TSR_E_EXPR_NOT_VALUE, "`%s` is a function; call it as `%s(...)`", text, text);
    } else {
        tsr_error(w->diags, span, TSR_E_EXPR_NOT_VALUE, "`%s` is a type, not a value; `%s(...)` makes a value of it",
                  text, text);
    }
    return tsr_operand_error();
}

static tsr_operand name_operand(tsr_wgsl *w, const tsr_ast_node *n, tsr_span span)
{
    bool failed = false;
    tsr_decl *d = tsr_wgsl_lookup(w, n->a, span, &failed);
    if (d == NULL) return failed ? tsr_operand_error() : refuse_name(w, n->a, span);
    if (n->b != 0 && (d->kind == TSR_D_alias || d->kind == TSR_D_struct || d->kind == TSR_D_function)) {
        return name_not_value(w, d, span);
    }
    if (n->b != 0) {
        tsr_error(w->diags, span, TSR_E_EXPR_NOT_VALUE, "`%s` is a value, so it takes no template arguments",
                  tsr_symbols_cstr(w->symbols, n->a));
        return tsr_operand_error();
    }
    switch (d->kind) {
    case TSR_D_const: return d->cval == NULL ? tsr_operand_error() : tsr_operand_const(w, d->cval, span);
    case TSR_D_override: return tsr_operand_value(w, d->id, TSR_WHEN_override, span);
    case TSR_D_var: return name_variable(w, d, span);
    case TSR_D_let:
    case TSR_D_param: return tsr_operand_value(w, d->id, TSR_WHEN_run, span);
    default: return name_not_value(w, d, span);
    }
}

/* ---- Any expression. */

static tsr_operand operand_of(tsr_wgsl *w, tsr_node n)
{
    const tsr_ast_node *node = tsr_ast_at(w->ast, n);
    tsr_span span = tsr_ast_span(w->ast, n);
    switch (node->kind) {
    case TSR_N_bool: return tsr_operand_const(w, tsr_cval_scalar(w, TSR_T_bool, node->a), span);
    case TSR_N_int: return literal_int(w, node, span);
    case TSR_N_float: return literal_float(w, node, span);
    case TSR_N_ident: return name_operand(w, node, span);
    case TSR_N_call: return tsr_wgsl_call(w, n);
    case TSR_N_index: return tsr_expr_index(w, n);
    case TSR_N_member: return tsr_expr_member(w, n);
    case TSR_N_unary: return tsr_expr_unary(w, n);
    case TSR_N_binary: return tsr_expr_binary(w, n);
    case TSR_N_paren: return tsr_wgsl_expr(w, node->a);
    default: break;
    }
    tsr_error(w->diags, span, TSR_E_EXPR_NOT_VALUE, "a value is needed here");
    return tsr_operand_error();
}

tsr_operand tsr_wgsl_expr(tsr_wgsl *w, tsr_node n)
{
    if (w->expr_depth >= TSR_EXPR_DEPTH_MAX) {
        tsr_error(w->diags, tsr_ast_span(w->ast, n), TSR_E_EXPR_DEPTH,
                  "expressions nest more than %u deep here; name a part with `let`", TSR_EXPR_DEPTH_MAX);
        return tsr_operand_error();
    }
    w->expr_depth++;
    tsr_operand o = operand_of(w, n);
    w->expr_depth--;
    return o;
}

/* ---- Expressions that must be known early. */

/* The first name below `n` that is known later than `latest`: a declaration, or NULL. */
static const tsr_decl *find_late(tsr_wgsl *w, tsr_node n, tsr_when latest, unsigned depth)
{
    while (n != 0 && depth < TSR_EXPR_DEPTH_MAX) {
        const tsr_ast_node *node = tsr_ast_at(w->ast, n);
        const tsr_decl *d = NULL;
        bool failed = false;
        depth++;
        switch (node->kind) {
        case TSR_N_ident:
            d = tsr_wgsl_lookup(w, node->a, tsr_ast_span(w->ast, n), &failed);
            if (d == NULL || d->kind == TSR_D_const || d->kind == TSR_D_alias || d->kind == TSR_D_struct) return NULL;
            return d->kind == TSR_D_override && latest == TSR_WHEN_override ? NULL : d;
        case TSR_N_call:
            for (uint32_t i = 0; i < tsr_ast_list_count(w->ast, node->b); i++) {
                d = find_late(w, tsr_ast_list_at(w->ast, node->b, i), latest, depth);
                if (d != NULL) return d;
            }
            n = node->a;
            break;
        case TSR_N_index:
        case TSR_N_binary:
            d = find_late(w, node->b, latest, depth);
            if (d != NULL) return d;
            n = node->a;
            break;
        case TSR_N_member:
        case TSR_N_unary:
        case TSR_N_paren: n = node->a; break;
        default: return NULL;
        }
    }
    return NULL;
}

static const char *decl_kind_name(tsr_decl_kind kind)
{
    switch (kind) {
    case TSR_D_override: return "an `override`, known only when a pipeline is made";
    case TSR_D_var: return "a variable";
    case TSR_D_let: return "a `let`, known only when the shader runs; declare it with `const` where that is possible";
    case TSR_D_param: return "a parameter, known only when the shader runs";
    case TSR_D_function: return "a function of the program, which runs only in the shader";
    default: return "known too late";
    }
}

static void report_late(tsr_wgsl *w, tsr_node n, tsr_when latest, const char *what)
{
    bool is_const = latest == TSR_WHEN_const;
    tsr_diag *d =
        tsr_error(w->diags, tsr_ast_span(w->ast, n), is_const ? TSR_E_EXPR_NOT_CONST : TSR_E_EXPR_NOT_OVERRIDE,
                  "%s must be %s", what != NULL ? what : "this expression",
                  is_const ? "a const-expression, known when the shader is compiled"
                           : "a const- or override-expression, known when a pipeline is made");
    const tsr_decl *late = find_late(w, n, latest, 0);
    if (late == NULL) return;
    tsr_note(w->diags, d, tsr_ast_span(w->ast, late->node), "`%s` is %s", tsr_symbols_cstr(w->symbols, late->name),
             decl_kind_name((tsr_decl_kind)late->kind));
}

/* What types and attributes are made of is computed even where `&&` or `||` skips the rest. WGSL, "const
 * Expressions". */
static tsr_operand needed_value(tsr_wgsl *w, tsr_node n)
{
    uint32_t before = w->unevaluated;
    w->unevaluated = 0;
    tsr_operand o = tsr_wgsl_value(w, n);
    w->unevaluated = before;
    return o;
}

const tsr_cval *tsr_wgsl_const_expr(tsr_wgsl *w, tsr_node n, tsr_type type, const char *what)
{
    tsr_operand o = needed_value(w, n);
    if (o.kind == TSR_O_error) return NULL;
    if (o.kind != TSR_O_const) {
        report_late(w, n, TSR_WHEN_const, what);
        return NULL;
    }
    if (type != 0 && !tsr_wgsl_convert(w, &o, type, what)) return NULL;
    return o.cval;
}

tsr_operand tsr_wgsl_override_expr(tsr_wgsl *w, tsr_node n, const char *what)
{
    tsr_builder saved = w->b;
    w->b.block = w->ir->module_block;
    tsr_operand o = needed_value(w, n);
    if (o.kind != TSR_O_error && o.when == TSR_WHEN_run) {
        report_late(w, n, TSR_WHEN_override, what);
        o = tsr_operand_error();
    }
    if (o.kind != TSR_O_error) tsr_wgsl_concretize(w, &o);
    w->b = saved;
    if (o.kind == TSR_O_error || o.type == TSR_T_i32 || o.type == TSR_T_u32) return o;
    tsr_error(w->diags, o.span, TSR_E_EXPR_CONVERT, "%s must be of type `i32` or `u32`, not `%s`",
              what != NULL ? what : "this expression", tsr_expr_type_name(w, o.type));
    return tsr_operand_error();
}
