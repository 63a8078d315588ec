/* Statements: blocks, if, return, break, continue, discard, and which statement is lowered where. Each gives its
 * behaviour, the set of what may happen next. WGSL, "Statements" and "Statement Behavior Analysis". */
#include "wgsl/declare.h"

static tsr_span span_of(const tsr_wgsl *w, tsr_node node)
{
    return tsr_ast_span(w->ast, node);
}

uint16_t tsr_wgsl_statement_attrs(tsr_wgsl *w, tsr_list attrs)
{
    uint16_t before = w->b.diag;
    if (attrs == 0) return before;
    tsr_wgsl_attrs(w, attrs, TSR_ATTR_BIT(diagnostic), "a statement");
    w->b.diag = tsr_wgsl_diag_attrs(w, before, attrs);
    return before;
}

bool tsr_wgsl_enter_block(tsr_wgsl *w, tsr_span span)
{
    tsr_wgsl_own *own = tsr_own(w);
    if (own->block_depth < TSR_BLOCK_DEPTH_MAX) {
        own->block_depth++;
        return true;
    }
    if (!own->block_depth_reported) {
        tsr_error(w->diags, span, TSR_E_STMT_NESTING,
                  "statements are nested more than %d levels deep here; move some into a function",
                  TSR_BLOCK_DEPTH_MAX);
    }
    own->block_depth_reported = true;
    return false;
}

static void leave_block(tsr_wgsl *w)
{
    tsr_own(w)->block_depth--;
}

void tsr_wgsl_drop_block(tsr_wgsl *w, tsr_block block)
{
    tsr_fn_own *fn = tsr_fn_own_at(w, w->function);
    uint32_t index = tsr_pool_push(&tsr_own(w)->dead_blocks, 1);
    *(tsr_dead_block *)tsr_pool_at(&tsr_own(w)->dead_blocks, index) = (tsr_dead_block){fn->first_dead, block};
    fn->first_dead = index;
}

/* What follows cannot be reached, but is still checked. */
void tsr_wgsl_end_block(tsr_wgsl *w)
{
    if (!tsr_block_is_ended(w->ir, w->b.block)) tsr_build0(&w->b, TSR_OP_unreachable, 0, 0);
    w->b.block = tsr_block_new(w->ir);
    tsr_wgsl_drop_block(w, w->b.block);
}

unsigned tsr_wgsl_block_body(tsr_wgsl *w, tsr_node block)
{
    tsr_list list = tsr_ast_at(w->ast, block)->a;
    uint32_t count = tsr_ast_list_count(w->ast, list);
    unsigned all = TSR_NEXT;
    for (uint32_t i = 0; i < count; i++) {
        unsigned one = tsr_wgsl_statement(w, tsr_ast_list_at(w->ast, list, i));
        if ((all & TSR_NEXT) == 0) continue;
        all = (all & ~(unsigned)TSR_NEXT) | one;
        if ((one & TSR_NEXT) == 0) tsr_wgsl_end_block(w);
    }
    return all;
}

/* A block in a scope of its own, into the IR block that is open. */
static unsigned lower_block(tsr_wgsl *w, tsr_node block)
{
    uint16_t before = tsr_wgsl_statement_attrs(w, tsr_ast_at(w->ast, block)->b);
    tsr_wgsl_scope_open(w);
    unsigned behaviour = tsr_wgsl_block_body(w, block);
    tsr_wgsl_scope_close(w);
    w->b.diag = before;
    return behaviour;
}

void tsr_wgsl_block(tsr_wgsl *w, tsr_node block)
{
    lower_block(w, block);
}

unsigned tsr_wgsl_block_into(tsr_wgsl *w, tsr_node block, tsr_block *out)
{
    tsr_block outside = w->b.block;
    *out = w->b.block = tsr_block_new(w->ir);
    if (!tsr_wgsl_enter_block(w, span_of(w, block))) {
        w->b.block = outside;
        return TSR_NEXT;
    }
    unsigned behaviour = lower_block(w, block);
    leave_block(w);
    w->b.block = outside;
    return behaviour;
}

/* ---- if */

tsr_id tsr_wgsl_condition(tsr_wgsl *w, tsr_node n, const char *what)
{
    tsr_operand o = tsr_wgsl_value(w, n);
    if (o.kind != TSR_O_error && o.type != TSR_T_bool) {
        tsr_error(w->diags, span_of(w, n), TSR_E_STMT_CONDITION, "%s must be a bool, found `%s`", what,
                  tsr_wgsl_type_name(w, o.type));
        o.kind = TSR_O_error;
    }
    tsr_id id = o.kind == TSR_O_error ? 0 : tsr_wgsl_id(w, &o);
    return id != 0 ? id : tsr_build_const(w->ir, TSR_T_bool, 0);
}

static unsigned lower_if(tsr_wgsl *w, tsr_node n);

/* The else branch: a block, or the next `if` of a chain in a block of its own. */
static unsigned lower_else(tsr_wgsl *w, tsr_node n, tsr_block *out)
{
    *out = 0;
    if (n == 0) return TSR_NEXT;
    if (tsr_ast_at(w->ast, n)->kind != TSR_N_if) return tsr_wgsl_block_into(w, n, out);
    if (!tsr_wgsl_enter_block(w, span_of(w, n))) return TSR_NEXT;
    tsr_block outside = w->b.block;
    *out = w->b.block = tsr_block_new(w->ir);
    unsigned behaviour = lower_if(w, n);
    if ((behaviour & TSR_NEXT) == 0) tsr_wgsl_end_block(w);
    w->b.block = outside;
    leave_block(w);
    return behaviour;
}

static unsigned lower_if(tsr_wgsl *w, tsr_node n)
{
    const tsr_ast_node *node = tsr_ast_at(w->ast, n);
    uint16_t before = tsr_wgsl_statement_attrs(w, tsr_ast_extra(w->ast, node, X_IF_attrs));
    tsr_block then_block, else_block;
    tsr_id cond = tsr_wgsl_condition(w, tsr_ast_extra(w->ast, node, X_IF_cond), "the condition of an if");
    unsigned behaviour = tsr_wgsl_block_into(w, tsr_ast_extra(w->ast, node, X_IF_then), &then_block);
    behaviour |= lower_else(w, tsr_ast_extra(w->ast, node, X_IF_else), &else_block);
    w->b.span = span_of(w, n);
    tsr_build_if(&w->b, cond, then_block, else_block);
    w->b.diag = before;
    return behaviour;
}

/* ---- return, break, continue, discard */

static bool in_continuing(const tsr_wgsl *w)
{
    for (const tsr_stmt_context *c = w->stmt; c != NULL; c = c->outer) {
        if (c->in_continuing) return true;
    }
    return false;
}

static void return_value(tsr_wgsl *w, tsr_node n, tsr_node expr)
{
    const char *name = tsr_sym_text(w, tsr_function_at(w->ir, w->function)->name);
    tsr_operand o = tsr_wgsl_value(w, expr);
    if (o.kind == TSR_O_error || tsr_fn_own_at(w, w->function)->result_failed) return;
    if (w->result == 0) {
        tsr_error(w->diags, span_of(w, expr), TSR_E_RETURN_VALUE,
                  "`%s` has no result type, so `return` takes no value; add `-> type` or remove the value", name);
        return;
    }
    if (!tsr_wgsl_convert(w, &o, w->result, "the value of a return")) return;
    tsr_id id = tsr_wgsl_id(w, &o);
    w->b.span = span_of(w, n);
    if (id != 0) tsr_build1(&w->b, TSR_OP_return, 0, 0, id);
}

static unsigned lower_return(tsr_wgsl *w, tsr_node n)
{
    tsr_node expr = tsr_ast_at(w->ast, n)->a;
    if (in_continuing(w)) {
        tsr_error(w->diags, span_of(w, n), TSR_E_RETURN_PLACE,
                  "a continuing block cannot return; return from the loop's body");
    }
    if (expr != 0) {
        return_value(w, n, expr);
        return TSR_RETURN;
    }
    if (w->result != 0) {
        tsr_error(w->diags, span_of(w, n), TSR_E_RETURN_VALUE, "`%s` must return a value of type `%s`; write one here",
                  tsr_sym_text(w, tsr_function_at(w->ir, w->function)->name), tsr_wgsl_type_name(w, w->result));
    }
    tsr_build0(&w->b, TSR_OP_return, 0, 0);
    return TSR_RETURN;
}

static unsigned lower_break(tsr_wgsl *w, tsr_node n)
{
    const char *wrong = NULL;
    if (w->stmt == NULL)
        wrong = "`break` must stand inside a loop or a switch; remove it";
    else if (w->stmt->in_continuing)
        wrong = "a continuing block is left by `break if` at its end only";
    if (wrong != NULL) {
        tsr_error(w->diags, span_of(w, n), TSR_E_BREAK_PLACE, "%s", wrong);
        return TSR_NEXT;
    }
    tsr_build0(&w->b, TSR_OP_break, 0, 0);
    return TSR_BREAK;
}

static unsigned lower_continue(tsr_wgsl *w, tsr_node n)
{
    tsr_stmt_context *c = w->stmt;
    while (c != NULL && !c->is_loop)
        c = c->outer;
    if (c == NULL || c->in_continuing) {
        tsr_error(w->diags, span_of(w, n), TSR_E_CONTINUE_PLACE, "%s",
                  c == NULL ? "`continue` must stand inside a loop; remove it"
                            : "`continue` cannot stand in the continuing block of its loop; remove it");
        return TSR_NEXT;
    }
    if (!c->has_continue) c->continue_pos = tsr_ast_at(w->ast, n)->pos;
    c->has_continue = true;
    tsr_build0(&w->b, TSR_OP_continue, 0, 0);
    return TSR_CONTINUE;
}

/* ---- Any statement. */

unsigned tsr_wgsl_statement(tsr_wgsl *w, tsr_node n)
{
    w->b.span = span_of(w, n);
    switch (tsr_ast_at(w->ast, n)->kind) {
    case TSR_N_block: return lower_block(w, n);
    case TSR_N_if: return lower_if(w, n);
    case TSR_N_switch: return tsr_wgsl_switch(w, n);
    case TSR_N_loop: return tsr_wgsl_loop(w, n);
    case TSR_N_for: return tsr_wgsl_for(w, n);
    case TSR_N_while: return tsr_wgsl_while(w, n);
    case TSR_N_break: return lower_break(w, n);
    case TSR_N_continue: return lower_continue(w, n);
    case TSR_N_return: return lower_return(w, n);
    case TSR_N_discard: tsr_build0(&w->b, TSR_OP_discard, 0, 0); return TSR_NEXT;
    case TSR_N_var:
    case TSR_N_let:
    case TSR_N_const: tsr_wgsl_local(w, n); return TSR_NEXT;
    case TSR_N_assign: tsr_wgsl_assign(w, n); return TSR_NEXT;
    case TSR_N_phony: tsr_wgsl_phony(w, n); return TSR_NEXT;
    case TSR_N_increment:
    case TSR_N_decrement: tsr_wgsl_step(w, n); return TSR_NEXT;
    case TSR_N_call_stmt: tsr_wgsl_call_statement(w, n); return TSR_NEXT;
    case TSR_N_const_assert: tsr_wgsl_const_assert(w, n); return TSR_NEXT;
    default: return TSR_NEXT;
    }
}
