/* Statements that write or declare: assignments, ++ and --, calls, and the local var, let and const.
 * WGSL, "Assignment Statement", "Increment and Decrement Statements", "Function Call Statement", "Variable and Value
 * Declarations". */
#include "wgsl/declare.h"
#include "wgsl/expr.h"

static tsr_span span_of(const tsr_wgsl *w, tsr_node node)
{
    return tsr_ast_span(w->ast, node);
}

static uint32_t word(const tsr_wgsl *w, tsr_node node, uint32_t which)
{
    return tsr_ast_extra(w->ast, tsr_ast_at(w->ast, node), which);
}

/* ---- Targets. */

/* Why a name cannot be assigned to, and what to do. */
static void report_target(tsr_wgsl *w, tsr_node n)
{
    tsr_node root = n;
    while (tsr_ast_at(w->ast, root)->kind == TSR_N_member || tsr_ast_at(w->ast, root)->kind == TSR_N_index ||
           tsr_ast_at(w->ast, root)->kind == TSR_N_paren) {
        root = tsr_ast_at(w->ast, root)->a;
    }
    const tsr_ast_node *ident = tsr_ast_at(w->ast, root);
    uint32_t index = ident->kind == TSR_N_ident ? tsr_bound(w, ident->a) : 0;
    tsr_decl_kind kind = index == 0 ? TSR_D_none : (tsr_decl_kind)tsr_decl_at(w, index)->kind;
    static const char *const kinds[] = {NULL, "a const", "an override", NULL, "a let", "a parameter", NULL, NULL, NULL};
    if (kinds[kind] != NULL) {
        tsr_diag *d =
            tsr_error(w->diags, span_of(w, n), TSR_E_ASSIGN_TARGET,
                      "`%s` is %s and cannot be changed; copy it into a `var`", tsr_sym_text(w, ident->a), kinds[kind]);
        tsr_note(w->diags, d, span_of(w, tsr_decl_at(w, index)->node), "`%s` is declared here",
                 tsr_sym_text(w, ident->a));
    } else {
        tsr_error(w->diags, span_of(w, n), TSR_E_ASSIGN_TARGET,
                  "this is a value, not memory, and cannot be assigned to; assign to a variable");
    }
}

static bool check_access(tsr_wgsl *w, tsr_node n, tsr_space space, tsr_access access)
{
    if (access != TSR_ACCESS_read) return true;
    tsr_error(w->diags, span_of(w, n), TSR_E_ASSIGN_ACCESS, "%s",
              space == TSR_SPACE_storage ? "this memory may only be read; declare the variable var<storage, read_write>"
                                         : "this memory may only be read; copy it into a `var`");
    return false;
}

/* A reference that may be written; false after reporting. */
static bool check_target(tsr_wgsl *w, tsr_node n, const tsr_operand *out)
{
    if (out->kind == TSR_O_error) return false;
    if (out->kind != TSR_O_ref) {
        report_target(w, n);
        return false;
    }
    if (!check_access(w, n, (tsr_space)out->space, (tsr_access)out->access)) return false;
    if (tsr_wgsl_has_kind(w, out->type, TSR_T_atomic) || !tsr_wgsl_is_value_type(w, out->type)) {
        tsr_error(w->diags, span_of(w, n), TSR_E_ASSIGN_TYPE, "memory of type `%s` cannot be assigned as a whole%s",
                  tsr_wgsl_type_name(w, out->type),
                  tsr_wgsl_has_kind(w, out->type, TSR_T_atomic) ? "; use atomicStore" : "; assign its parts");
        return false;
    }
    return true;
}

/* The IR value of `value` as `type`; 0 after reporting. */
static tsr_id converted(tsr_wgsl *w, tsr_operand *value, tsr_type type, const char *what)
{
    if (value->kind == TSR_O_error || !tsr_wgsl_convert(w, value, type, what)) return 0;
    return tsr_wgsl_id(w, value);
}

static void store(tsr_wgsl *w, tsr_node n, const tsr_operand *target, tsr_operand *value, const char *what)
{
    tsr_id id = converted(w, value, target->type, what);
    w->b.span = span_of(w, n);
    if (id != 0) tsr_build2(&w->b, TSR_OP_store, 0, 0, target->id, id);
}

/* ---- Several components at once: v.xz = ..., v.xz.y = ..., v.xz[i] = ... (language feature swizzle_assignment). */

#define SWIZZLE_BITS 4u /* of a component in a swizzle's aux (op.def) */

typedef struct swizzle_target {
    tsr_id value;   /* what reading the components gives */
    uint32_t insts; /* how many instructions that took: the last of the block, wanted by compound assignments only */
    tsr_id pointer; /* to the vector */
    tsr_type type;  /* of what is written: the components together, or one of them */
    uint32_t count, component[4];
    tsr_id index; /* which one of them, when that is no constant; 0: all */
} swizzle_target;

static uint32_t picked(const tsr_inst *inst, uint32_t i)
{
    if (inst->op == TSR_OP_extract) return inst->aux;
    return inst->aux >> (SWIZZLE_BITS * i) & ((1u << SWIZZLE_BITS) - 1);
}

static bool names_components(const tsr_wgsl *w, tsr_node n)
{
    while (tsr_ast_at(w->ast, n)->kind == TSR_N_paren || tsr_ast_at(w->ast, n)->kind == TSR_N_index)
        n = tsr_ast_at(w->ast, n)->a;
    return tsr_ast_at(w->ast, n)->kind == TSR_N_member;
}

/* Whether evaluating the left side `n`, which made the instructions from `first` on, read components of a vector in
 * memory. */
static bool find_swizzle(const tsr_wgsl *w, tsr_node n, const tsr_operand *o, tsr_id first, swizzle_target *out)
{
    if (o->kind != TSR_O_value || !names_components(w, n)) return false;
    tsr_id id = o->id;
    const tsr_inst *inst = tsr_inst_at(w->ir, id);
    *out = (swizzle_target){.value = id, .insts = 1, .type = inst->type};
    if (inst->op == TSR_OP_element) {
        out->index = tsr_arg(w->ir, inst, 1);
        id = tsr_arg(w->ir, inst, 0);
        inst = tsr_inst_at(w->ir, id);
    }
    out->count = tsr_type_width(w->types, inst->type);
    for (uint32_t i = 0; i < out->count && i < 4; i++)
        out->component[i] = i;
    while (id >= first && (inst->op == TSR_OP_swizzle || inst->op == TSR_OP_extract)) {
        for (uint32_t i = 0; i < out->count; i++)
            out->component[i] = picked(inst, out->component[i]);
        if (out->index == 0) out->insts++; /* what gives the index stands in between */
        id = tsr_arg(w->ir, inst, 0);
        inst = tsr_inst_at(w->ir, id);
    }
    if (inst->op != TSR_OP_load || id < first || id == out->value) return false;
    out->pointer = tsr_arg(w->ir, inst, 0);
    return true;
}

static bool check_components(tsr_wgsl *w, tsr_node n, const swizzle_target *t)
{
    uint32_t seen = 0;
    for (uint32_t i = 0; i < t->count && t->index == 0; i++) {
        uint32_t bit = 1u << t->component[i];
        if ((seen & bit) != 0) {
            tsr_error(w->diags, span_of(w, n), TSR_E_ASSIGN_TARGET,
                      "a component is named twice here, so what it becomes is not clear; name each once");
            return false;
        }
        seen |= bit;
    }
    return true;
}

/* The number in the vector of the component that the index picks. */
static tsr_id picked_at_run_time(tsr_wgsl *w, const swizzle_target *t)
{
    const tsr_cval *numbers[4];
    for (uint32_t i = 0; i < t->count; i++)
        numbers[i] = tsr_cval_scalar(w, TSR_T_u32, t->component[i]);
    const tsr_cval *all = tsr_cval_make(w, tsr_type_vec(w->types, TSR_T_u32, t->count), numbers, t->count);
    return tsr_build2(&w->b, TSR_OP_element, TSR_T_u32, 0, tsr_cval_lower(w, all), t->index);
}

/* Only the components named are written. */
static void store_components(tsr_wgsl *w, const swizzle_target *t, tsr_id value)
{
    const tsr_type_info *pointer = tsr_type_get(w->types, tsr_inst_at(w->ir, t->pointer)->type);
    tsr_type scalar = tsr_type_scalar(w->types, t->type);
    tsr_type part = tsr_type_ptr(w->types, (tsr_space)pointer->space, scalar, (tsr_access)pointer->access);
    for (uint32_t i = 0; i < t->count && t->index == 0; i++) {
        tsr_id at = tsr_build_u32(w->ir, t->component[i]);
        tsr_id place = tsr_build2(&w->b, TSR_OP_index, part, 0, t->pointer, at);
        tsr_id component = t->count == 1 ? value : tsr_build1(&w->b, TSR_OP_extract, scalar, i, value);
        tsr_build2(&w->b, TSR_OP_store, 0, 0, place, component);
    }
    if (t->index == 0) return;
    tsr_id place = tsr_build2(&w->b, TSR_OP_index, part, 0, t->pointer, picked_at_run_time(w, t));
    tsr_build2(&w->b, TSR_OP_store, 0, 0, place, value);
}

static void assign_components(tsr_wgsl *w, tsr_node n, const swizzle_target *t)
{
    const tsr_ast_node *node = tsr_ast_at(w->ast, n);
    const tsr_type_info *pointer = tsr_type_get(w->types, tsr_inst_at(w->ir, t->pointer)->type);
    bool ok = check_access(w, node->a, (tsr_space)pointer->space, (tsr_access)pointer->access) &&
              check_components(w, node->a, t);
    if (node->op == TSR_AST_none) tsr_block_at(w->ir, w->b.block)->count -= t->insts; /* it does not read */
    tsr_operand value = tsr_wgsl_value(w, node->b);
    if (!ok || value.kind == TSR_O_error) return;
    if (node->op != TSR_AST_none) {
        tsr_operand old = tsr_operand_value(w, t->value, TSR_WHEN_run, span_of(w, node->a));
        value = tsr_wgsl_binary(w, (tsr_ast_op)node->op, old, value, span_of(w, n));
    }
    tsr_id id = converted(w, &value, t->type, "an assigned value");
    w->b.span = span_of(w, n);
    if (id != 0) store_components(w, t, id);
}

/* ---- Assignments. */

/* a op= b is a = a op b with the place of a found once, and a read before b is evaluated. */
void tsr_wgsl_assign(tsr_wgsl *w, tsr_node n)
{
    const tsr_ast_node *node = tsr_ast_at(w->ast, n);
    tsr_id first = w->ir->insts.count;
    tsr_operand target = tsr_wgsl_expr(w, node->a), old = tsr_operand_error();
    swizzle_target components;
    if (find_swizzle(w, node->a, &target, first, &components)) {
        assign_components(w, n, &components);
        return;
    }
    bool ok = check_target(w, node->a, &target);
    if (ok && node->op != TSR_AST_none) old = tsr_wgsl_load(w, target);
    tsr_operand value = tsr_wgsl_value(w, node->b);
    if (!ok || value.kind == TSR_O_error) return;
    if (node->op != TSR_AST_none) value = tsr_wgsl_binary(w, (tsr_ast_op)node->op, old, value, span_of(w, n));
    store(w, n, &target, &value, "an assigned value");
}

void tsr_wgsl_step(tsr_wgsl *w, tsr_node n)
{
    const tsr_ast_node *node = tsr_ast_at(w->ast, n);
    tsr_operand target = tsr_wgsl_expr(w, node->a);
    if (!check_target(w, node->a, &target)) return;
    if (target.type != TSR_T_i32 && target.type != TSR_T_u32) {
        tsr_error(w->diags, span_of(w, node->a), TSR_E_INCREMENT_TYPE,
                  "`%s` needs an i32 or u32 variable, found `%s`; write `%s= 1`",
                  node->kind == TSR_N_increment ? "++" : "--", tsr_wgsl_type_name(w, target.type),
                  node->kind == TSR_N_increment ? "+" : "-");
        return;
    }
    tsr_operand old = tsr_wgsl_load(w, target);
    tsr_operand one = tsr_operand_const(w, tsr_cval_scalar(w, target.type, 1), span_of(w, n));
    tsr_ast_op op = node->kind == TSR_N_increment ? TSR_AST_add : TSR_AST_sub;
    tsr_operand value = tsr_wgsl_binary(w, op, old, one, span_of(w, n));
    store(w, n, &target, &value, "an increment");
}

/* An instruction of the function that has the value as its operand, so that every pipeline with the function evaluates
 * it: an override-expression in itself stands at module scope, where only what functions use counts. */
static void mention(tsr_wgsl *w, const tsr_operand *o)
{
    if (o->kind != TSR_O_value || o->when != TSR_WHEN_override) return;
    w->b.span = o->span;
    tsr_build1(&w->b, TSR_OP_mention, 0, 0, o->id);
}

/* _ = value: anything that can be evaluated, pointers, textures and samplers too. */
void tsr_wgsl_phony(tsr_wgsl *w, tsr_node n)
{
    tsr_node expr = tsr_ast_at(w->ast, n)->a;
    tsr_operand o = tsr_wgsl_expr(w, expr);
    if (o.kind == TSR_O_error) return;
    if (o.kind == TSR_O_void) {
        tsr_error(w->diags, span_of(w, expr), TSR_E_PHONY_TYPE,
                  "this call has no result to be assigned; write it as a statement of its own");
        return;
    }
    if (o.kind == TSR_O_const) return; /* stays abstract: nothing asks for a type */
    mention(w, &o);
    uint32_t count;
    if (tsr_wgsl_binding_array(w, o.type, &count) != 0) {
        tsr_error(w->diags, span_of(w, expr), TSR_E_PHONY_TYPE, "`%s` is no value; name one of its textures",
                  tsr_wgsl_type_name(w, o.type));
        return;
    }
    if (o.kind != TSR_O_ref || o.space == TSR_SPACE_handle) return;
    if (!tsr_wgsl_is_value_type(w, o.type)) {
        tsr_error(w->diags, span_of(w, expr), TSR_E_PHONY_TYPE,
                  "memory of type `%s` cannot be read as a whole; to mention the variable write `_ = &...`",
                  tsr_wgsl_type_name(w, o.type));
        return;
    }
    tsr_wgsl_load(w, o);
}

/* ---- Calls. */

void tsr_wgsl_call_statement(tsr_wgsl *w, tsr_node n)
{
    tsr_node call = tsr_ast_at(w->ast, n)->a;
    tsr_node callee = tsr_ast_at(w->ast, call)->a;
    tsr_sym name = tsr_ast_at(w->ast, callee)->a;
    uint32_t index = tsr_bound(w, name);
    bool is_type = index != 0
                       ? tsr_decl_at(w, index)->kind == TSR_D_alias || tsr_decl_at(w, index)->kind == TSR_D_struct
                       : tsr_wgsl_is_predeclared_type(w, name);
    if (is_type) {
        tsr_error(w->diags, span_of(w, call), TSR_E_CALL_STATEMENT,
                  "`%s(...)` makes a value and does nothing else; remove it or use the value", tsr_sym_text(w, name));
        return;
    }
    tsr_operand o = tsr_wgsl_call(w, call);
    if (o.kind == TSR_O_error || o.kind == TSR_O_void || !o.must_use) return;
    tsr_error(w->diags, span_of(w, call), TSR_E_RESULT_UNUSED,
              "the result of `%s` must be used; assign it, or write `_ = %s(...)`", tsr_sym_text(w, name),
              tsr_sym_text(w, name));
}

/* ---- Local declarations: the name is known after the whole declaration. */

typedef struct local {
    tsr_node node, init;
    tsr_sym name;
    tsr_type type; /* 0: none given */
    bool failed;
} local;

static local read_local(tsr_wgsl *w, tsr_node n)
{
    local l = {.node = n, .init = word(w, n, X_VAR_init), .name = word(w, n, X_VAR_name)};
    tsr_node type = word(w, n, X_VAR_type);
    tsr_attrs attrs = tsr_wgsl_attrs(w, word(w, n, X_VAR_attrs), 0, "a local declaration");
    l.type = type != 0 ? tsr_wgsl_type(w, type) : 0;
    l.failed = attrs.failed || (type != 0 && l.type == 0);
    return l;
}

static tsr_decl *declare_local(tsr_wgsl *w, const local *l, tsr_decl_kind kind, tsr_type type)
{
    tsr_decl *d = tsr_wgsl_declare(w, l->name, kind, l->node);
    d->type = type;
    d->state = type == 0 ? TSR_DS_failed : TSR_DS_done;
    d->when = kind == TSR_D_const ? TSR_WHEN_const : TSR_WHEN_run;
    return d;
}

static bool report_local(tsr_wgsl *w, const local *l, const char *what)
{
    tsr_error(w->diags, span_of(w, l->node), TSR_E_LOCAL_DECL, "`%s` %s", tsr_sym_text(w, l->name), what);
    return false;
}

static void local_const(tsr_wgsl *w, local *l)
{
    const tsr_cval *v = NULL;
    if (l->init == 0)
        report_local(w, l, "is a const and needs a value; add `= ...`");
    else
        v = tsr_wgsl_const_expr(w, l->init, l->failed ? 0 : l->type, "the value of a const declaration");
    if (l->failed || (v != NULL && !tsr_wgsl_check_length(w, v->type, span_of(w, l->init)))) v = NULL;
    declare_local(w, l, TSR_D_const, v != NULL ? v->type : 0)->cval = v;
}

/* The initial value, converted; its type goes to l->type. */
static bool local_value(tsr_wgsl *w, local *l, const char *what, tsr_operand *out)
{
    *out = tsr_wgsl_value(w, l->init);
    if (out->kind == TSR_O_error || l->failed) return false;
    if (l->type != 0 ? !tsr_wgsl_convert(w, out, l->type, what) : !tsr_wgsl_concretize(w, out)) return false;
    l->type = out->type;
    return true;
}

/* Gives the value its name in the IR, when it has none and is not shared. */
static void name_value(tsr_wgsl *w, tsr_id id, tsr_sym name)
{
    tsr_inst *inst = tsr_inst_at(w->ir, id);
    bool shared = (tsr_op_table[inst->op].flags & TSR_OPF_CONSTEX) != 0 && inst->op <= TSR_OP_compose;
    if (inst->name == 0 && !shared) inst->name = name;
}

/* WGSL, "let Declarations": values and pointers; and textures and samplers. */
static bool check_let_type(tsr_wgsl *w, const local *l)
{
    tsr_type_kind kind = tsr_type_kind_of(w->types, l->type);
    uint32_t count;
    bool many = tsr_wgsl_binding_array(w, l->type, &count) != 0;
    if (kind != TSR_T_ptr && !tsr_wgsl_check_length(w, l->type, span_of(w, l->init))) return false;
    if (kind == TSR_T_ptr || (kind == TSR_T_opaque && !many) || tsr_wgsl_is_value_type(w, l->type)) return true;
    return report_local(w, l, "would hold memory that cannot be copied; take a pointer with `&`");
}

static void local_let(tsr_wgsl *w, local *l)
{
    tsr_operand o = tsr_operand_error();
    bool ok = l->init != 0 ? local_value(w, l, "the value of a let declaration", &o)
                           : report_local(w, l, "is a let and needs a value; add `= ...`");
    tsr_id id = ok && check_let_type(w, l) ? tsr_wgsl_id(w, &o) : 0;
    if (id != 0) mention(w, &o);
    tsr_decl *d = declare_local(w, l, TSR_D_let, id != 0 ? l->type : 0);
    d->id = id;
    if (id != 0) name_value(w, id, l->name);
}

/* A local variable is in the address space `function`, written or not. */
static bool check_local_space(tsr_wgsl *w, const local *l)
{
    tsr_access access;
    bool given;
    tsr_space space = tsr_wgsl_var_template(w, l->node, &access, &given);
    if (!given || space == TSR_SPACE_function) return true;
    if (space != TSR_SPACE_none) {
        report_local(w, l, "is declared in a function and can only be in the address space `function`; move it out");
    }
    return false;
}

static tsr_id local_var_id(tsr_wgsl *w, local *l)
{
    tsr_operand o = tsr_operand_error();
    tsr_id initial = 0;
    bool ok = check_local_space(w, l);
    if (l->init != 0)
        ok = local_value(w, l, "the initial value of a variable", &o) && ok;
    else if (l->type == 0 && !l->failed)
        ok = report_local(w, l, "needs a type or an initial value");
    tsr_node type_node = word(w, l->node, X_VAR_type);
    if (!ok || l->failed) return 0;
    if (!tsr_wgsl_check_store(w, l->type, TSR_SPACE_function, span_of(w, type_node != 0 ? type_node : l->node)))
        return 0;
    if (l->init != 0 && (initial = tsr_wgsl_id(w, &o)) == 0) return 0;
    tsr_type ptr = tsr_type_ptr(w->types, TSR_SPACE_function, l->type, TSR_ACCESS_read_write);
    w->b.span = span_of(w, l->node);
    tsr_id id = tsr_build(&w->b, TSR_OP_var, ptr, 0, &initial, initial != 0 ? 1 : 0);
    tsr_inst_at(w->ir, id)->name = l->name;
    return id;
}

static void local_var(tsr_wgsl *w, local *l)
{
    tsr_id id = local_var_id(w, l);
    tsr_decl *d = declare_local(w, l, TSR_D_var, id != 0 ? l->type : 0);
    d->id = id;
    d->space = TSR_SPACE_function;
    d->access = TSR_ACCESS_read_write;
}

void tsr_wgsl_local(tsr_wgsl *w, tsr_node n)
{
    local l = read_local(w, n);
    switch (tsr_ast_at(w->ast, n)->kind) {
    case TSR_N_const: local_const(w, &l); break;
    case TSR_N_let: local_let(w, &l); break;
    default: local_var(w, &l); break;
    }
}
