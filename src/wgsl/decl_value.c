/* Declarations of module scope that stand for values and memory: const, override, var, alias, const_assert.
 * WGSL, "Variable and Value Declarations". */
#include "wgsl/declare.h"

#include <string.h>

static uint32_t word(const tsr_wgsl *w, tsr_node node, uint32_t which)
{
    return tsr_ast_extra(w->ast, tsr_ast_at(w->ast, node), which);
}

static tsr_span span_of(const tsr_wgsl *w, tsr_node node)
{
    return tsr_ast_span(w->ast, node);
}

/* ---- const */

static bool const_decl(tsr_wgsl *w, tsr_decl *d)
{
    tsr_node type_node = word(w, d->node, X_VAR_type), init = word(w, d->node, X_VAR_init);
    tsr_type type = type_node != 0 ? tsr_wgsl_type(w, type_node) : 0;
    tsr_wgsl_attrs(w, word(w, d->node, X_VAR_attrs), 0, "a const declaration");
    if (type_node != 0 && type == 0) return false;
    if (type != 0 && !tsr_type_is_constructible(w->types, type)) {
        tsr_error(w->diags, span_of(w, type_node), TSR_E_CONST_DECL,
                  "a constant cannot have type `%s`: it is not a type of plain values", tsr_wgsl_type_name(w, type));
        return false;
    }
    if (init == 0) {
        tsr_error(w->diags, span_of(w, d->node), TSR_E_CONST_DECL, "the constant `%s` needs a value; add `= ...`",
                  tsr_sym_text(w, d->name));
        return false;
    }
    d->cval = tsr_wgsl_const_expr(w, init, type, "the value of a const declaration");
    if (d->cval == NULL || !tsr_wgsl_check_length(w, d->cval->type, span_of(w, init))) return false;
    d->type = d->cval->type;
    d->when = TSR_WHEN_const;
    return true;
}

/* ---- Initial values that a pipeline decides: override and var<private>. */

/* A const- or override-expression converted to `type` (0: its own concrete type); 0 after reporting. Its code is in the
 * module block. */
static tsr_id module_value(tsr_wgsl *w, tsr_node init, tsr_type *type, const char *what)
{
    tsr_operand o = tsr_wgsl_value(w, init);
    if (o.kind == TSR_O_error) return 0;
    if (*type != 0 ? !tsr_wgsl_convert(w, &o, *type, what) : !tsr_wgsl_concretize(w, &o)) return 0;
    *type = o.type;
    return tsr_wgsl_id(w, &o);
}

/* ---- override */

static bool override_id(tsr_wgsl *w, tsr_decl *d, const tsr_attrs *attrs, tsr_override *o)
{
    tsr_node attr = attrs->at[TSR_ATTR_id];
    uint32_t id, before;
    if (attr == 0) return true;
    if (!tsr_wgsl_attr_int(w, attr, 0, TSR_OVERRIDE_ID_MAX, &id)) return false;
    if (tsr_map_find(&tsr_own(w)->override_ids, id, &before)) {
        tsr_diag *diag = tsr_error(w->diags, span_of(w, attr), TSR_E_OVERRIDE_ID,
                                   "the id %u is already that of `%s`; choose another", id,
                                   tsr_sym_text(w, tsr_decl_at(w, before)->name));
        tsr_note(w->diags, diag, span_of(w, tsr_decl_at(w, before)->node), "it is declared here");
        return false;
    }
    tsr_map_set(&tsr_own(w)->override_ids, id, tsr_bound(w, d->name));
    o->has_id = true;
    o->id = (uint16_t)id;
    return true;
}

static bool override_decl(tsr_wgsl *w, tsr_decl *d)
{
    tsr_node type_node = word(w, d->node, X_VAR_type), init = word(w, d->node, X_VAR_init);
    tsr_type type = type_node != 0 ? tsr_wgsl_type(w, type_node) : 0;
    tsr_attrs attrs = tsr_wgsl_attrs(w, word(w, d->node, X_VAR_attrs), TSR_ATTR_BIT(id), "an override declaration");
    tsr_id initial = 0;
    if ((type_node != 0 && type == 0) || attrs.failed) return false;
    if (type_node == 0 && init == 0) {
        tsr_error(w->diags, span_of(w, d->node), TSR_E_OVERRIDE_DECL,
                  "the override `%s` needs a type or a default; write `override %s: u32;`", tsr_sym_text(w, d->name),
                  tsr_sym_text(w, d->name));
        return false;
    }
    if (init != 0 && (initial = module_value(w, init, &type, "the default of an override")) == 0) return false;
    if (type > TSR_T_f16) {
        tsr_error(w->diags, span_of(w, type_node != 0 ? type_node : init), TSR_E_OVERRIDE_DECL,
                  "an override is a bool, i32, u32, f32 or f16, found `%s`", tsr_wgsl_type_name(w, type));
        return false;
    }
    uint32_t number = tsr_override_new(w->ir, d->name, type, span_of(w, d->node));
    tsr_override *o = tsr_override_at(w->ir, number);
    o->initial = initial;
    d->type = type;
    d->id = o->inst;
    d->when = TSR_WHEN_override;
    return override_id(w, d, &attrs, o);
}

/* ---- var */

tsr_space tsr_wgsl_var_template(tsr_wgsl *w, tsr_node var, tsr_access *access, bool *given)
{
    tsr_list list = word(w, var, X_VAR_template);
    uint32_t count = tsr_ast_list_count(w->ast, list);
    *given = count != 0;
    *access = TSR_ACCESS_none;
    if (count == 0) return TSR_SPACE_none;
    tsr_space space = tsr_wgsl_space(w, tsr_ast_list_at(w->ast, list, 0));
    if (tsr_wgsl_is_pixel_local(w, var)) space = TSR_SPACE_private;
    if (space == TSR_SPACE_none || count > 2) {
        tsr_diag *diag = tsr_error(
            w->diags, span_of(w, tsr_ast_list_at(w->ast, list, 0)), TSR_E_VAR_SPACE,
            "`var<...>` takes an address space (function, private, workgroup, uniform, storage, immediate) and, for "
            "storage, an access mode");
        if (space == TSR_SPACE_none) tsr_wgsl_suggest_space(w, diag, tsr_ast_list_at(w->ast, list, 0));
        return TSR_SPACE_none;
    }
    *access = tsr_space_access(space);
    if (count < 2) return space;
    tsr_node node = tsr_ast_list_at(w->ast, list, 1);
    tsr_access mode = tsr_wgsl_access(w, node);
    if (space == TSR_SPACE_storage && (mode == TSR_ACCESS_read || mode == TSR_ACCESS_read_write)) {
        *access = mode;
        return space;
    }
    tsr_diag *diag =
        tsr_error(w->diags, span_of(w, node), TSR_E_VAR_ACCESS, "%s",
                  space == TSR_SPACE_storage ? "the access mode of a storage variable is `read` or `read_write`"
                                             : "only storage variables have an access mode; remove it");
    if (space == TSR_SPACE_storage && mode == TSR_ACCESS_none) tsr_wgsl_suggest_access(w, diag, node);
    return TSR_SPACE_none;
}

static bool is_resource(tsr_space space)
{
    return space == TSR_SPACE_uniform || space == TSR_SPACE_storage || space == TSR_SPACE_handle;
}

/* WGSL, "Resource Interface": resources have a group and a binding, nothing else has. */
static bool var_binding(tsr_wgsl *w, tsr_decl *d, tsr_space space, const tsr_attrs *attrs, tsr_global *g)
{
    tsr_node group = attrs->at[TSR_ATTR_group], binding = attrs->at[TSR_ATTR_binding];
    const char *name = tsr_sym_text(w, d->name);
    if (!is_resource(space)) {
        if (group == 0 && binding == 0) return true;
        tsr_error(w->diags, span_of(w, group != 0 ? group : binding), TSR_E_VAR_BINDING,
                  "`%s` is in the address space `%s` and has no binding; remove @group and @binding", name,
                  tsr_space_name(space));
        return false;
    }
    if (group == 0 || binding == 0) {
        tsr_error(w->diags, span_of(w, d->node), TSR_E_VAR_BINDING,
                  "`%s` is bound from outside and needs @group(...) and @binding(...)%s", name,
                  group != 0     ? "; @binding is missing"
                  : binding != 0 ? "; @group is missing"
                                 : "");
        return false;
    }
    g->has_binding = true;
    bool ok = tsr_wgsl_attr_int(w, group, 0, UINT32_MAX, &g->group);
    return tsr_wgsl_attr_int(w, binding, 0, UINT32_MAX, &g->binding) && ok;
}

static bool var_initial(tsr_wgsl *w, tsr_decl *d, tsr_space space, tsr_type *type, tsr_id *initial)
{
    tsr_node init = word(w, d->node, X_VAR_init);
    const char *name = tsr_sym_text(w, d->name);
    if (init == 0 && *type == 0) {
        tsr_error(w->diags, span_of(w, d->node), TSR_E_VAR_INIT, "the variable `%s` needs a type", name);
        return false;
    }
    if (init == 0) return true;
    if (space != TSR_SPACE_private || tsr_wgsl_is_pixel_local(w, d->node)) {
        tsr_error(w->diags, span_of(w, init), TSR_E_VAR_INIT,
                  "`%s` is in the address space `%s`, which cannot have initial values; assign in a function", name,
                  tsr_space_name(space));
        return false;
    }
    *initial = module_value(w, init, type, "the initial value of a module-scope variable");
    return *initial != 0;
}

static bool check_atomic_access(tsr_wgsl *w, tsr_decl *d, tsr_type type, tsr_space space, tsr_access access)
{
    if (space != TSR_SPACE_storage || access != TSR_ACCESS_read || !tsr_wgsl_has_kind(w, type, TSR_T_atomic))
        return true;
    tsr_error(w->diags, span_of(w, d->node), TSR_E_VAR_ACCESS,
              "`%s` holds atomics, which need memory that can be written; write var<storage, read_write>",
              tsr_sym_text(w, d->name));
    return false;
}

static bool var_space(tsr_wgsl *w, tsr_decl *d, tsr_space *space, tsr_access *access)
{
    bool given;
    *space = tsr_wgsl_var_template(w, d->node, access, &given);
    if (!given) {
        *space = TSR_SPACE_handle;
        *access = TSR_ACCESS_read;
        if (word(w, d->node, X_VAR_type) != 0) return true;
        tsr_error(w->diags, span_of(w, d->node), TSR_E_VAR_SPACE,
                  "the module-scope variable `%s` needs an address space, as in var<private>",
                  tsr_sym_text(w, d->name));
        return false;
    }
    if (*space != TSR_SPACE_function) return *space != TSR_SPACE_none;
    tsr_error(w->diags, span_of(w, d->node), TSR_E_VAR_SPACE,
              "`%s` is declared outside functions and cannot be in the address space `function`; use private",
              tsr_sym_text(w, d->name));
    return false;
}

/* Input attachments, and only they, have an index. */
static bool check_attachment(tsr_wgsl *w, tsr_decl *d, tsr_type type, const tsr_attrs *attrs)
{
    tsr_node attr = attrs->at[TSR_ATTR_input_attachment_index];
    bool is_attachment = tsr_type_kind_of(w->types, type) == TSR_T_opaque &&
                         strncmp(tsr_wgsl_type_name(w, type), "input_attachment", strlen("input_attachment")) == 0;
    uint32_t index;
    if (is_attachment == (attr != 0)) return attr == 0 || tsr_wgsl_attr_int(w, attr, 0, UINT32_MAX, &index);
    tsr_error(w->diags, span_of(w, attr != 0 ? attr : d->node), TSR_E_VAR_BINDING, "%s",
              attr != 0 ? "@input_attachment_index stands on input attachments only; remove it"
                        : "an input attachment needs @input_attachment_index(...)");
    return false;
}

/* Memory of a pixel: IR has it as private memory. */
static bool check_pixel_local(tsr_wgsl *w, tsr_type type, tsr_span span)
{
    const tsr_type_info *i = tsr_type_get(w->types, type);
    bool good = i->kind == TSR_T_struct;
    for (uint32_t m = 0; good && m < i->member_count; m++)
        good = i->members[m].type == TSR_T_i32 || i->members[m].type == TSR_T_u32 || i->members[m].type == TSR_T_f32;
    if (good) return true;
    tsr_error(w->diags, span, TSR_E_STORE_TYPE,
              "a variable in the address space `pixel_local` is a struct of i32, u32 and f32, found `%s`",
              tsr_wgsl_type_name(w, type));
    return false;
}

bool tsr_wgsl_is_pixel_local(const tsr_wgsl *w, tsr_node var)
{
    tsr_list list = word(w, var, X_VAR_template);
    if (!tsr_own(w)->pixel_local || tsr_ast_list_count(w->ast, list) == 0) return false;
    const tsr_ast_node *n = tsr_ast_at(w->ast, tsr_ast_list_at(w->ast, list, 0));
    return n->kind == TSR_N_ident && strcmp(tsr_sym_text(w, n->a), "pixel_local") == 0;
}

static bool var_decl(tsr_wgsl *w, tsr_decl *d)
{
    tsr_node type_node = word(w, d->node, X_VAR_type);
    tsr_attrs attrs = tsr_wgsl_attrs(w, word(w, d->node, X_VAR_attrs),
                                     TSR_ATTR_BIT(group) | TSR_ATTR_BIT(binding) | TSR_ATTR_BIT(input_attachment_index),
                                     "a module-scope variable");
    tsr_space space;
    tsr_access access;
    tsr_id initial = 0;
    tsr_global binding = {0};
    bool space_ok = var_space(w, d, &space, &access);
    tsr_type type = type_node != 0 ? tsr_wgsl_type(w, type_node) : 0;
    if (!space_ok || attrs.failed || (type_node != 0 && type == 0)) return false;
    if (!var_initial(w, d, space, &type, &initial)) return false;
    tsr_span span = span_of(w, type_node != 0 ? type_node : d->node);
    if (!tsr_wgsl_check_store(w, type, space, span)) return false;
    if (!tsr_wgsl_check_var_size(w, type, space, span) || !check_atomic_access(w, d, type, space, access)) return false;
    if (!var_binding(w, d, space, &attrs, &binding)) return false;
    if (!check_attachment(w, d, type, &attrs)) return false;
    if (tsr_wgsl_is_pixel_local(w, d->node) && !check_pixel_local(w, type, span)) return false;
    tsr_type ptr = tsr_type_ptr(w->types, space, type, access);
    tsr_global *g = tsr_global_at(w->ir, tsr_global_new(w->ir, d->name, ptr, initial, span_of(w, d->node)));
    g->has_binding = binding.has_binding;
    g->group = binding.group;
    g->binding = binding.binding;
    d->type = type;
    d->id = g->inst;
    d->space = (uint8_t)space;
    d->access = (uint8_t)access;
    d->when = TSR_WHEN_run;
    return true;
}

/* ---- alias, const_assert */

static bool alias_decl(tsr_wgsl *w, tsr_decl *d)
{
    d->type = tsr_wgsl_type(w, tsr_ast_at(w->ast, d->node)->b);
    return d->type != 0;
}

/* WGSL, "Const Assertion Statement"; also in functions. */
void tsr_wgsl_const_assert(tsr_wgsl *w, tsr_node n)
{
    tsr_node expr = tsr_ast_at(w->ast, n)->a;
    const tsr_cval *v = tsr_wgsl_const_expr(w, expr, TSR_T_bool, "the condition of a const_assert");
    if (v == NULL || (!v->is_zero && tsr_cval_bits(v) != 0)) return;
    tsr_error(w->diags, span_of(w, expr), TSR_E_CONST_ASSERT,
              "this const_assert does not hold: the condition is false; correct what it compares");
}

/* ---- Any declaration. */

static bool resolve(tsr_wgsl *w, tsr_decl *d)
{
    switch (d->kind) {
    case TSR_D_const: return const_decl(w, d);
    case TSR_D_override: return override_decl(w, d);
    case TSR_D_var: return var_decl(w, d);
    case TSR_D_alias: return alias_decl(w, d);
    case TSR_D_struct: return tsr_wgsl_struct_decl(w, d);
    case TSR_D_function: return tsr_wgsl_function_signature(w, d);
    default: return false;
    }
}

/* Where the resolver stands in the program. */
typedef struct place {
    tsr_builder b;
    uint32_t function;
    tsr_type result;
    tsr_stmt_context *stmt;
} place;

void tsr_wgsl_resolve_decl(tsr_wgsl *w, tsr_decl *d, tsr_span use)
{
    if (d->state == TSR_DS_running) {
        /* Only through what the ordering cannot see; circles are reported there. */
        tsr_error(w->diags, use, TSR_E_DECL_CYCLE, "`%s` depends on itself; break the circle",
                  tsr_sym_text(w, d->name));
        d->state = TSR_DS_failed;
    }
    if (d->state != TSR_DS_new) return;
    place before = {w->b, w->function, w->result, w->stmt};
    d->state = TSR_DS_running;
    w->b.block = w->ir->module_block;
    w->b.span = span_of(w, d->node);
    w->b.diag = tsr_own(w)->module_diag;
    w->function = 0;
    w->stmt = NULL;
    bool ok = resolve(w, d) && d->state == TSR_DS_running;
    d->state = ok ? TSR_DS_done : TSR_DS_failed;
    w->b = before.b;
    w->function = before.function;
    w->result = before.result;
    w->stmt = before.stmt;
}
