/* Calls: what the name before the parentheses stands for decides. Calls of user functions are checked and built here,
 * constructors in construct.c, built-in functions in builtin.c, matrix functions in matrix.c. */
#include "wgsl/expr.h"

/* ---- User functions (WGSL, "Function Calls"). */

static bool check_arguments(tsr_wgsl *w, const tsr_decl *d, const tsr_function *f, uint32_t given, tsr_span span)
{
    if (given == f->param_count) return true;
    tsr_diag *e =
        tsr_error(w->diags, span, TSR_E_EXPR_CALL, "`%s` takes %u argument%s, not %u",
                  tsr_symbols_cstr(w->symbols, d->name), f->param_count, f->param_count == 1 ? "" : "s", given);
    tsr_note(w->diags, e, tsr_ast_span(w->ast, d->node), "`%s` is declared here",
             tsr_symbols_cstr(w->symbols, d->name));
    return false;
}

/* A pointer to a buffer goes where a smaller one or one of unknown size is wanted. */
static bool is_smaller_buffer(const tsr_wgsl *w, tsr_type from, tsr_type to)
{
    const tsr_type_info *a = tsr_type_get(w->types, from), *b = tsr_type_get(w->types, to);
    uint32_t have, want;
    if (from == to || a->kind != TSR_T_ptr || b->kind != TSR_T_ptr || a->space != b->space || a->access != b->access)
        return false;
    tsr_raw_buffer source = tsr_wgsl_raw_buffer(w, a->elem, &have), target = tsr_wgsl_raw_buffer(w, b->elem, &want);
    if (source == TSR_RAW_none) return false;
    return target == TSR_RAW_unsized || (source == TSR_RAW_sized && target == TSR_RAW_sized && have >= want);
}

static tsr_operand as_smaller_buffer(tsr_wgsl *w, tsr_operand o, tsr_type to)
{
    static const char name[] = "buffer";
    w->b.span = o.span;
    tsr_id id = tsr_build(&w->b, TSR_OP_builtin_call, to, tsr_symbols_add(w->symbols, name, sizeof name - 1), &o.id, 1);
    return tsr_operand_value(w, id, TSR_WHEN_run, o.span);
}

static bool read_argument(tsr_wgsl *w, const tsr_function *f, uint32_t i, tsr_node arg, tsr_id *id)
{
    tsr_operand o = tsr_wgsl_value(w, arg);
    if (o.kind == TSR_O_error) return false;
    if (o.kind == TSR_O_value && is_smaller_buffer(w, o.type, f->params[i].type))
        o = as_smaller_buffer(w, o, f->params[i].type);
    tsr_text what;
    tsr_text_init(&what, w->arena);
    /* Only a message needs the text. */
    if (tsr_wgsl_rank(w, o.type, f->params[i].type) == UINT32_MAX) {
        tsr_text_printf(&what, "parameter `%s` of `%s`", tsr_symbols_cstr(w->symbols, f->params[i].name),
                        tsr_symbols_cstr(w->symbols, f->name));
    }
    if (!tsr_wgsl_convert(w, &o, f->params[i].type, tsr_text_get(&what))) return false;
    *id = tsr_wgsl_id(w, &o);
    return *id != 0;
}

static bool can_call(tsr_wgsl *w, const tsr_decl *d, const tsr_function *f, tsr_span span)
{
    const char *name = tsr_symbols_cstr(w->symbols, d->name);
    if (tsr_expr_at_module(w)) {
        tsr_error(
            w->diags, span, TSR_E_EXPR_CALL,
            "`%s` is a function of the program, which runs only in the shader; only built-in functions can be called "
            "here",
            name);
        return false;
    }
    if (f->is_entry) {
        tsr_error(w->diags, span, TSR_E_EXPR_CALL, "`%s` is an entry point, so it cannot be called", name);
        return false;
    }
    return true;
}

static tsr_operand call_function(tsr_wgsl *w, const tsr_decl *d, const tsr_ast_node *call, tsr_span span)
{
    const tsr_function *f = tsr_function_at(w->ir, d->function);
    uint32_t count = tsr_ast_list_count(w->ast, call->b);
    if (tsr_ast_at(w->ast, call->a)->b != 0) {
        tsr_error(w->diags, span, TSR_E_EXPR_CALL,
                  "`%s` is a function of the program, so it takes no template arguments",
                  tsr_symbols_cstr(w->symbols, d->name));
        return tsr_operand_error();
    }
    if (!can_call(w, d, f, span) || !check_arguments(w, d, f, count, span)) return tsr_operand_error();
    tsr_id few[16];
    tsr_id *ids = count <= TSR_COUNT_OF(few) ? few : TSR_NEW_ARRAY(w->arena, tsr_id, count);
    bool good = true;
    for (uint32_t i = 0; i < count; i++) {
        if (!read_argument(w, f, i, tsr_ast_list_at(w->ast, call->b, i), &ids[i])) good = false;
    }
    w->b.span = span;
    if (!good) return tsr_operand_error();
    tsr_id id = tsr_build(&w->b, TSR_OP_call, f->result, d->function, ids, count);
    if (f->result == 0) return (tsr_operand){.kind = TSR_O_void, .when = TSR_WHEN_run, .id = id, .span = span};
    tsr_operand o = tsr_operand_value(w, id, TSR_WHEN_run, span);
    o.must_use = f->must_use;
    return o;
}

/* ---- Anything. */

static tsr_operand construct_named(tsr_wgsl *w, tsr_node call)
{
    tsr_node callee = tsr_ast_at(w->ast, call)->a;
    tsr_type type = tsr_wgsl_type(w, callee);
    if (type == 0) return tsr_operand_error();
    return tsr_expr_construct(w, type, call);
}

static tsr_operand call_predeclared(tsr_wgsl *w, tsr_node call, const tsr_ast_node *callee, tsr_span span)
{
    unsigned count = 0;
    unsigned rows = 0;
    tsr_sym name = callee->a;
    if (tsr_wgsl_is_builtin(w, name)) return tsr_wgsl_builtin_call(w, call);
    if (tsr_wgsl_is_matrix_function(w, name)) return tsr_wgsl_matrix_call(w, call);
    if (callee->b == 0) {
        tsr_type_kind kind = tsr_wgsl_bare_generator(w, name, &count, &rows);
        if (kind != TSR_T_void) return tsr_expr_construct_bare(w, kind, count, rows, call);
    }
    if (tsr_wgsl_is_predeclared_type(w, name)) return construct_named(w, call);
    if (!tsr_wgsl_is_new_unknown(w, 0, name)) return tsr_operand_error();
    tsr_diag *d = tsr_error(w->diags, span, TSR_E_EXPR_NAME, "there is no function or type `%s`",
                            tsr_symbols_cstr(w->symbols, name));
    tsr_wgsl_suggest(w, d, name);
    return tsr_operand_error();
}

tsr_operand tsr_wgsl_call(tsr_wgsl *w, tsr_node call)
{
    const tsr_ast_node *node = tsr_ast_at(w->ast, call);
    const tsr_ast_node *callee = tsr_ast_at(w->ast, node->a);
    tsr_span name_span = tsr_ast_span(w->ast, node->a);
    bool failed = false;
    if (callee->kind != TSR_N_ident) {
        tsr_error(w->diags, name_span, TSR_E_EXPR_CALL, "only a function or a type can be called");
        return tsr_operand_error();
    }
    tsr_decl *d = tsr_wgsl_lookup(w, callee->a, name_span, &failed);
    if (failed) return tsr_operand_error();
    if (d == NULL) return call_predeclared(w, call, callee, name_span);
    switch (d->kind) {
    case TSR_D_function: return call_function(w, d, node, tsr_ast_span(w->ast, call));
    case TSR_D_alias:
    case TSR_D_struct: return construct_named(w, call);
    default: break;
    }
    tsr_diag *e = tsr_error(w->diags, name_span, TSR_E_EXPR_CALL, "`%s` is a value, so it cannot be called",
                            tsr_symbols_cstr(w->symbols, callee->a));
    tsr_note(w->diags, e, tsr_ast_span(w->ast, d->node), "`%s` is declared here",
             tsr_symbols_cstr(w->symbols, callee->a));
    return tsr_operand_error();
}
