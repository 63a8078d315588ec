/* Functions: signatures when they are first needed, bodies after all of module scope is known.
 * WGSL, "Functions". */
#include "wgsl/declare.h"

static uint32_t word(const tsr_wgsl *w, tsr_node node, uint32_t which)
{
    return tsr_ast_extra(w->ast, tsr_ast_at(w->ast, node), which);
}

static tsr_span span_of(const tsr_wgsl *w, tsr_node node)
{
    return tsr_ast_span(w->ast, node);
}

static tsr_fn_own *fn_own_new(tsr_wgsl *w, uint32_t function)
{
    tsr_pool *fns = &tsr_own(w)->fns;
    if (function >= fns->count) tsr_pool_push(fns, function - fns->count + 1);
    return tsr_fn_own_at(w, function);
}

/* ---- Parameters. */

/* WGSL, "Function Parameters": values, pointers, textures and samplers; and subgroup matrices. */
static bool check_param_type(tsr_wgsl *w, tsr_node node, tsr_type type)
{
    tsr_type_kind kind = tsr_type_kind_of(w->types, type);
    uint32_t bytes;
    bool is_handle = kind == TSR_T_opaque && tsr_wgsl_raw_buffer(w, type, &bytes) == TSR_RAW_none;
    if (kind != TSR_T_ptr && !tsr_wgsl_check_length(w, type, span_of(w, node))) return false;
    if (kind == TSR_T_ptr || is_handle || tsr_wgsl_is_value_type(w, type)) return true;
    tsr_error(w->diags, span_of(w, node), TSR_E_FN_PARAM,
              "a parameter cannot have type `%s`, which cannot be copied; take a pointer to it",
              tsr_wgsl_type_name(w, type));
    return false;
}

static bool read_param(tsr_wgsl *w, tsr_node node, bool is_entry, tsr_param *p, tsr_io_facts *io)
{
    tsr_node type_node = word(w, node, X_FIELD_type);
    tsr_attrs attrs =
        tsr_wgsl_attrs(w, word(w, node, X_FIELD_attrs), is_entry ? TSR_ATTRS_IO_VALUE : 0,
                       is_entry ? "a parameter of an entry point" : "a parameter of a function without stage");
    p->name = word(w, node, X_FIELD_name);
    p->type = tsr_wgsl_type(w, type_node);
    if (p->type == 0) {
        p->type = TSR_T_bool; /* a stand-in: the function is of no use any more */
        return false;
    }
    bool ok = check_param_type(w, type_node, p->type) && !attrs.failed;
    ok = tsr_wgsl_io_attrs(w, &attrs, io) && ok;
    p->io = tsr_wgsl_ir_io(io);
    return ok;
}

static bool read_params(tsr_wgsl *w, tsr_decl *d, bool is_entry)
{
    tsr_list list = word(w, d->node, X_FN_params);
    uint32_t count = tsr_ast_list_count(w->ast, list);
    tsr_fn_own *fn = tsr_fn_own_at(w, d->function);
    tsr_param *params = TSR_NEW_ARRAY(w->arena, tsr_param, count + 1);
    bool ok = true;
    fn->params = TSR_NEW_ARRAY(w->arena, tsr_io_facts, count + 1);
    fn->param_failed = TSR_NEW_ARRAY(w->arena, bool, count + 1);
    if (count > TSR_FN_PARAMS_MAX) {
        tsr_error(w->diags, span_of(w, d->node), TSR_E_LANGUAGE_LIMIT,
                  "the function `%s` has %u parameters, but at most %d are allowed; pass a struct",
                  tsr_sym_text(w, d->name), count, TSR_FN_PARAMS_MAX);
        ok = false;
    }
    for (uint32_t i = 0; i < count; i++) {
        fn->param_failed[i] = !read_param(w, tsr_ast_list_at(w->ast, list, i), is_entry, &params[i], &fn->params[i]);
        ok = ok && !fn->param_failed[i];
    }
    tsr_function_set_params(w->ir, d->function, params, count);
    return ok;
}

/* ---- Results. */

static bool read_result(tsr_wgsl *w, tsr_decl *d, bool is_entry)
{
    tsr_node node = word(w, d->node, X_FN_result);
    tsr_attrs attrs =
        tsr_wgsl_attrs(w, word(w, d->node, X_FN_result_attrs), is_entry ? TSR_ATTRS_IO_VALUE & ~TSR_ATTR_BIT(color) : 0,
                       is_entry ? "the result of an entry point" : "the result of a function without stage");
    tsr_fn_own *fn = tsr_fn_own_at(w, d->function);
    tsr_function *f = tsr_function_at(w->ir, d->function);
    if (node == 0) return !attrs.failed;
    tsr_type type = tsr_wgsl_type(w, node);
    fn->result_failed = type == 0;
    if (type == 0) return false;
    if (!tsr_wgsl_is_value_type(w, type)) {
        tsr_error(w->diags, span_of(w, node), TSR_E_FN_RESULT,
                  "a function cannot return `%s`, which is no type of plain values", tsr_wgsl_type_name(w, type));
        fn->result_failed = true;
        return false;
    }
    f->result = type;
    bool ok = tsr_wgsl_io_attrs(w, &attrs, &fn->result) && !attrs.failed;
    f->result_io = fn->result.io;
    return ok;
}

/* ---- The signature. */

static bool read_stage(tsr_wgsl *w, tsr_decl *d, const tsr_attrs *attrs, tsr_function *f)
{
    static const struct {
        tsr_attr attr;
        tsr_stage stage;
    } stages[] = {{TSR_ATTR_compute, TSR_STAGE_COMPUTE},
                  {TSR_ATTR_vertex, TSR_STAGE_VERTEX},
                  {TSR_ATTR_fragment, TSR_STAGE_FRAGMENT}};
    bool ok = true;
    for (unsigned i = 0; i < TSR_COUNT_OF(stages); i++) {
        if (attrs->at[stages[i].attr] == 0) continue;
        if (f->is_entry) {
            tsr_error(w->diags, span_of(w, attrs->at[stages[i].attr]), TSR_E_ENTRY_STAGE,
                      "`%s` already has a stage; an entry point has one of @compute, @vertex and @fragment",
                      tsr_sym_text(w, d->name));
            ok = false;
        }
        f->is_entry = true;
        f->stage = stages[i].stage;
    }
    return ok;
}

static bool check_fn_attrs(tsr_wgsl *w, tsr_decl *d, const tsr_attrs *attrs, const tsr_function *f)
{
    tsr_node must_use = attrs->at[TSR_ATTR_must_use], constant = attrs->at[TSR_ATTR_const];
    if (constant != 0) {
        tsr_error(w->diags, span_of(w, constant), TSR_E_ATTR_PLACE,
                  "@const is only for functions built into the language; remove it");
        return false;
    }
    if (must_use != 0 && word(w, d->node, X_FN_result) == 0) {
        tsr_error(w->diags, span_of(w, must_use), TSR_E_ATTR_PLACE,
                  "@must_use needs a function with a result, but `%s` returns nothing; remove it",
                  tsr_sym_text(w, d->name));
        return false;
    }
    tsr_node size = attrs->at[TSR_ATTR_workgroup_size];
    if (size == 0) size = attrs->at[TSR_ATTR_subgroup_size];
    if (size != 0 && (!f->is_entry || f->stage != TSR_STAGE_COMPUTE)) {
        tsr_error(w->diags, span_of(w, size), TSR_E_ENTRY_STAGE,
                  "@%s needs a compute entry point; add @compute or remove it",
                  tsr_sym_text(w, tsr_ast_at(w->ast, size)->a));
        return false;
    }
    return true;
}

static const uint32_t fn_attrs = TSR_ATTR_BIT(must_use) | TSR_ATTR_BIT(const) | TSR_ATTR_BIT(compute) |
                                 TSR_ATTR_BIT(vertex) | TSR_ATTR_BIT(fragment) | TSR_ATTR_BIT(workgroup_size) |
                                 TSR_ATTR_BIT(subgroup_size) | TSR_ATTR_BIT(diagnostic);

bool tsr_wgsl_function_signature(tsr_wgsl *w, tsr_decl *d)
{
    tsr_list attr_list = word(w, d->node, X_FN_attrs);
    d->function = tsr_function_new(w->ir, d->name, span_of(w, d->node));
    tsr_function *f = tsr_function_at(w->ir, d->function);
    tsr_fn_own *fn = fn_own_new(w, d->function);
    fn->info.decl = d;
    fn->info.node = d->node;
    tsr_attrs attrs = tsr_wgsl_attrs(w, attr_list, fn_attrs, "a function");
    f->diag = tsr_wgsl_diag_attrs(w, tsr_own(w)->module_diag, attr_list);
    bool ok = !attrs.failed;
    ok = read_stage(w, d, &attrs, f) && ok;
    ok = ok && check_fn_attrs(w, d, &attrs, f);
    f->must_use = fn->info.must_use = attrs.at[TSR_ATTR_must_use] != 0;
    ok = read_params(w, d, f->is_entry) && ok;
    ok = read_result(w, d, f->is_entry) && ok;
    if (ok && f->is_entry) tsr_wgsl_entry_signature(w, d->function);
    if (f->is_entry) tsr_wgsl_entry_sizes(w, d->function, &attrs);
    d->type = f->result;
    return ok;
}

/* ---- The body. */

/* Parameters and the outermost statements share one scope. */
static void declare_params(tsr_wgsl *w, tsr_decl *d)
{
    tsr_list list = word(w, d->node, X_FN_params);
    const tsr_function *f = tsr_function_at(w->ir, d->function);
    const tsr_fn_own *fn = tsr_fn_own_at(w, d->function);
    for (uint32_t i = 0; i < f->param_count; i++) {
        tsr_decl *p = tsr_wgsl_declare(w, f->params[i].name, TSR_D_param, tsr_ast_list_at(w->ast, list, i));
        p->type = f->params[i].type;
        p->id = f->params[i].value;
        p->when = TSR_WHEN_run;
        p->state = fn->param_failed[i] ? TSR_DS_failed : TSR_DS_done;
    }
}

static void check_end(tsr_wgsl *w, tsr_decl *d, unsigned behaviour)
{
    const tsr_function *f = tsr_function_at(w->ir, d->function);
    if (f->result == 0 || (behaviour & TSR_NEXT) == 0) return;
    tsr_error(w->diags, span_of(w, d->node), TSR_E_RETURN_MISSING,
              "`%s` must return a value of type `%s`, but its end can be reached without `return`",
              tsr_sym_text(w, d->name), tsr_wgsl_type_name(w, f->result));
}

void tsr_wgsl_function_body(tsr_wgsl *w, tsr_decl *d)
{
    tsr_function *f;
    tsr_node body = word(w, d->node, X_FN_body);
    if (d->function == 0 || body == 0) return;
    f = tsr_function_at(w->ir, d->function);
    w->function = d->function;
    w->result = f->result;
    w->stmt = NULL;
    w->b.block = f->body != 0 ? f->body : tsr_block_new(w->ir);
    f->body = w->b.block;
    w->b.diag = f->diag;
    tsr_wgsl_scope_open(w);
    declare_params(w, d);
    uint16_t before = tsr_wgsl_statement_attrs(w, tsr_ast_at(w->ast, body)->b);
    check_end(w, d, tsr_wgsl_block_body(w, body));
    w->b.diag = before;
    tsr_wgsl_scope_close(w);
    w->function = 0;
    w->result = 0;
    w->b.block = w->ir->module_block;
    w->b.diag = tsr_own(w)->module_diag;
}
