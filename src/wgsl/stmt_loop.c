/* Loops and switches. `for` and `while` become `loop` with a conditional break first. WGSL, "Control Flow". */
#include "wgsl/declare.h"

static tsr_span span_of(const tsr_wgsl *w, tsr_node node)
{
    return tsr_ast_span(w->ast, node);
}

static uint32_t word(const tsr_wgsl *w, tsr_node node, uint32_t which)
{
    return tsr_ast_extra(w->ast, tsr_ast_at(w->ast, node), which);
}

static void open_context(tsr_wgsl *w, tsr_stmt_context *c, bool is_loop)
{
    *c = (tsr_stmt_context){.outer = w->stmt, .is_loop = is_loop};
    w->stmt = c;
}

/* WGSL, "Statement Behavior Analysis": what a loop does, from its body and its continuing block. */
static unsigned loop_behaviour(tsr_wgsl *w, tsr_node n, unsigned inside)
{
    unsigned out = inside & ~(unsigned)(TSR_BREAK | TSR_CONTINUE | TSR_NEXT);
    if ((inside & TSR_BREAK) != 0) out |= TSR_NEXT;
    if (out != 0) return out;
    tsr_error(w->diags, span_of(w, n), TSR_E_LOOP_ENDLESS,
              "this loop can never end; leave it with `break`, `break if` or `return`");
    return TSR_NEXT;
}

/* ---- loop */

/* The continuing block, inside the scope of the body. When no iteration gets there it is only checked: it may use
 * values of the body that are never made. */
static unsigned lower_continuing(tsr_wgsl *w, tsr_node n, unsigned body, tsr_block *out)
{
    tsr_node block = word(w, n, X_LOOP_continuing), break_if = word(w, n, X_LOOP_break_if);
    tsr_block outside = w->b.block;
    unsigned behaviour = TSR_NEXT;
    *out = 0;
    if (block == 0) return TSR_NEXT;
    w->b.block = tsr_block_new(w->ir);
    if ((body & (TSR_NEXT | TSR_CONTINUE)) != 0)
        *out = w->b.block;
    else
        tsr_wgsl_drop_block(w, w->b.block);
    w->stmt->in_continuing = true;
    uint16_t before = tsr_wgsl_statement_attrs(w, tsr_ast_at(w->ast, block)->b);
    tsr_wgsl_scope_open(w);
    behaviour = tsr_wgsl_block_body(w, block);
    if (break_if != 0) {
        tsr_id cond = tsr_wgsl_condition(w, break_if, "the condition of a break if");
        w->b.span = span_of(w, break_if);
        tsr_build1(&w->b, TSR_OP_break_if, 0, 0, cond);
        behaviour |= TSR_BREAK;
    }
    tsr_wgsl_scope_close(w);
    w->b.diag = before;
    w->b.block = outside;
    return behaviour;
}

unsigned tsr_wgsl_loop(tsr_wgsl *w, tsr_node n)
{
    tsr_stmt_context c;
    tsr_block body = tsr_block_new(w->ir), outside = w->b.block, continuing;
    tsr_node body_node = word(w, n, X_LOOP_body);
    if (!tsr_wgsl_enter_block(w, span_of(w, n))) return TSR_NEXT;
    uint16_t before = tsr_wgsl_statement_attrs(w, word(w, n, X_LOOP_attrs));
    open_context(w, &c, true);
    w->b.block = body;
    uint16_t body_before = tsr_wgsl_statement_attrs(w, tsr_ast_at(w->ast, body_node)->b);
    tsr_wgsl_scope_open(w);
    c.body_depth = w->depth;
    unsigned inside = tsr_wgsl_block_body(w, body_node);
    inside |= lower_continuing(w, n, inside, &continuing);
    tsr_wgsl_scope_close(w);
    w->b.diag = body_before;
    w->stmt = c.outer;
    w->b.block = outside;
    tsr_own(w)->block_depth--;
    w->b.span = span_of(w, n);
    tsr_build_loop(&w->b, body, continuing);
    w->b.diag = before;
    return loop_behaviour(w, n, inside);
}

/* ---- for, while */

/* if !cond { break } */
static void break_unless(tsr_wgsl *w, tsr_node cond, const char *what)
{
    tsr_id go_on = tsr_wgsl_condition(w, cond, what);
    tsr_block leave = tsr_block_new(w->ir), body = w->b.block;
    w->b.span = span_of(w, cond);
    tsr_id stop = tsr_build1(&w->b, TSR_OP_not, 0, 0, go_on);
    w->b.block = leave;
    tsr_build0(&w->b, TSR_OP_break, 0, 0);
    w->b.block = body;
    tsr_build_if(&w->b, stop, leave, 0);
}

/* The body of a `for` or `while`, in a scope of its own. */
static unsigned lower_iteration(tsr_wgsl *w, tsr_node cond, const char *what, tsr_node body)
{
    unsigned behaviour = 0;
    if (cond != 0) {
        break_unless(w, cond, what);
        behaviour = TSR_BREAK;
    }
    uint16_t before = tsr_wgsl_statement_attrs(w, tsr_ast_at(w->ast, body)->b);
    tsr_wgsl_scope_open(w);
    behaviour |= tsr_wgsl_block_body(w, body);
    tsr_wgsl_scope_close(w);
    w->b.diag = before;
    return behaviour;
}

/* Assumes: an update statement declares nothing and has the behaviour Next. */
static tsr_block lower_update(tsr_wgsl *w, tsr_node update, unsigned body)
{
    tsr_block block = tsr_block_new(w->ir), outside = w->b.block;
    if (update == 0) return 0;
    w->b.block = block;
    w->stmt->in_continuing = true;
    tsr_wgsl_statement(w, update);
    w->b.block = outside;
    if ((body & (TSR_NEXT | TSR_CONTINUE)) != 0) return block;
    tsr_wgsl_drop_block(w, block);
    return 0;
}

static unsigned lower_repeated(tsr_wgsl *w, tsr_node n, tsr_node cond, const char *what, tsr_node body_node,
                               tsr_node update)
{
    tsr_stmt_context c;
    tsr_block body = tsr_block_new(w->ir), outside = w->b.block;
    if (!tsr_wgsl_enter_block(w, span_of(w, n))) return TSR_NEXT;
    open_context(w, &c, true);
    w->b.block = body;
    unsigned inside = lower_iteration(w, cond, what, body_node);
    tsr_block continuing = lower_update(w, update, inside);
    w->stmt = c.outer;
    w->b.block = outside;
    tsr_own(w)->block_depth--;
    w->b.span = span_of(w, n);
    tsr_build_loop(&w->b, body, continuing);
    return loop_behaviour(w, n, inside);
}

unsigned tsr_wgsl_for(tsr_wgsl *w, tsr_node n)
{
    tsr_node init = word(w, n, X_FOR_init);
    uint16_t before = tsr_wgsl_statement_attrs(w, word(w, n, X_FOR_attrs));
    tsr_wgsl_scope_open(w);
    if (init != 0) tsr_wgsl_statement(w, init);
    unsigned behaviour = lower_repeated(w, n, word(w, n, X_FOR_cond), "the condition of a for", word(w, n, X_FOR_body),
                                        word(w, n, X_FOR_update));
    tsr_wgsl_scope_close(w);
    w->b.diag = before;
    return behaviour;
}

unsigned tsr_wgsl_while(tsr_wgsl *w, tsr_node n)
{
    uint16_t before = tsr_wgsl_statement_attrs(w, word(w, n, X_WHILE_attrs));
    unsigned behaviour =
        lower_repeated(w, n, word(w, n, X_WHILE_cond), "the condition of a while", word(w, n, X_WHILE_body), 0);
    w->b.diag = before;
    return behaviour;
}

/* ---- switch */

typedef struct switch_state {
    tsr_type type; /* of the selector and all cases; 0 after a mistake */
    tsr_case *cases;
    uint32_t count;
    tsr_map values; /* value -> node of its selector */
    tsr_node default_node;
    uint32_t selectors;
} switch_state;

static bool is_integer_scalar(tsr_type type)
{
    return type == TSR_T_i32 || type == TSR_T_u32 || type == TSR_T_aint;
}

/* One type for all: the first concrete one of the selector and the cases, i32 when all are numbers without suffix. */
static void join_type(tsr_wgsl *w, switch_state *s, tsr_type type, tsr_node where, bool *ok)
{
    if (!is_integer_scalar(type)) {
        tsr_error(w->diags, span_of(w, where), TSR_E_SWITCH_SELECTOR,
                  "the selectors of a switch are of type i32 or u32, found `%s`", tsr_wgsl_type_name(w, type));
        *ok = false;
    } else if (s->type == 0 || s->type == TSR_T_aint) {
        s->type = type;
    } else if (type != TSR_T_aint && type != s->type) {
        tsr_error(w->diags, span_of(w, where), TSR_E_SWITCH_SELECTOR,
                  "the selectors of a switch have one type, found `%s` after `%s`; convert one",
                  tsr_wgsl_type_name(w, type), tsr_wgsl_type_name(w, s->type));
        *ok = false;
    }
}

static void note_default(tsr_wgsl *w, switch_state *s, tsr_node selector)
{
    if (s->default_node != 0) {
        tsr_diag *d = tsr_error(w->diags, span_of(w, selector), TSR_E_SWITCH_DEFAULT,
                                "this switch has a second default; keep one");
        tsr_note(w->diags, d, span_of(w, s->default_node), "the first one is here");
    }
    s->default_node = selector;
}

/* The constants of all selectors, in order; NULL for `default` and after mistakes. */
static const tsr_cval **read_selectors(tsr_wgsl *w, switch_state *s, tsr_list clauses, bool *ok)
{
    uint32_t clause_count = tsr_ast_list_count(w->ast, clauses), at = 0;
    for (uint32_t i = 0; i < clause_count; i++) {
        s->selectors += tsr_ast_list_count(w->ast, tsr_ast_at(w->ast, tsr_ast_list_at(w->ast, clauses, i))->a);
    }
    const tsr_cval **values = TSR_NEW_ARRAY(w->arena, const tsr_cval *, s->selectors + 1);
    for (uint32_t i = 0; i < clause_count; i++) {
        tsr_list list = tsr_ast_at(w->ast, tsr_ast_list_at(w->ast, clauses, i))->a;
        uint32_t count = tsr_ast_list_count(w->ast, list);
        for (uint32_t k = 0; k < count; k++, at++) {
            tsr_node selector = tsr_ast_list_at(w->ast, list, k);
            if (tsr_ast_at(w->ast, selector)->kind == TSR_N_default) {
                note_default(w, s, selector);
                continue;
            }
            values[at] = tsr_wgsl_const_expr(w, selector, 0, "the selector of a case");
            if (values[at] == NULL)
                *ok = false;
            else
                join_type(w, s, values[at]->type, selector, ok);
        }
    }
    return values;
}

static void add_selector(tsr_wgsl *w, switch_state *s, tsr_case *c, tsr_node selector, const tsr_cval *value)
{
    uint32_t before;
    value = tsr_cval_convert(w, value, s->type, true, span_of(w, selector));
    if (value == NULL) return;
    uint64_t bits = value->is_zero ? 0 : tsr_cval_bits(value);
    if (tsr_map_find(&s->values, bits, &before)) {
        tsr_text text;
        tsr_text_init(&text, w->arena);
        tsr_cval_print(&text, w, value);
        tsr_diag *d = tsr_error(w->diags, span_of(w, selector), TSR_E_SWITCH_TWICE,
                                "the value %s has a case already; remove one", tsr_text_get(&text));
        tsr_note(w->diags, d, span_of(w, before), "the first one is here");
        return;
    }
    tsr_map_set(&s->values, bits, selector);
    c->selectors[c->selector_count++] = tsr_build_const(w->ir, s->type, bits);
}

static unsigned lower_clause(tsr_wgsl *w, switch_state *s, tsr_node clause, const tsr_cval **values, bool ok)
{
    const tsr_ast_node *n = tsr_ast_at(w->ast, clause);
    uint32_t count = tsr_ast_list_count(w->ast, n->a);
    tsr_case *c = &s->cases[s->count++];
    c->selectors = TSR_NEW_ARRAY(w->arena, tsr_id, count + 1);
    for (uint32_t k = 0; k < count; k++) {
        tsr_node selector = tsr_ast_list_at(w->ast, n->a, k);
        if (tsr_ast_at(w->ast, selector)->kind == TSR_N_default)
            c->is_default = true;
        else if (ok && values[k] != NULL)
            add_selector(w, s, c, selector, values[k]);
    }
    return tsr_wgsl_block_into(w, n->b, &c->block);
}

static unsigned lower_clauses(tsr_wgsl *w, switch_state *s, tsr_list clauses, const tsr_cval **values, bool ok)
{
    uint32_t count = tsr_ast_list_count(w->ast, clauses), at = 0;
    unsigned behaviour = 0;
    tsr_stmt_context c;
    open_context(w, &c, false);
    for (uint32_t i = 0; i < count; i++) {
        tsr_node clause = tsr_ast_list_at(w->ast, clauses, i);
        behaviour |= lower_clause(w, s, clause, values + at, ok);
        at += tsr_ast_list_count(w->ast, tsr_ast_at(w->ast, clause)->a);
    }
    w->stmt = c.outer;
    return behaviour;
}

static void check_clauses(tsr_wgsl *w, const switch_state *s, tsr_node n)
{
    if (s->default_node == 0) {
        tsr_error(w->diags, span_of(w, n), TSR_E_SWITCH_DEFAULT, "this switch has no default; add `default: {}`");
    }
    if (s->selectors > TSR_SWITCH_SELECTORS_MAX) {
        tsr_error(w->diags, span_of(w, n), TSR_E_LANGUAGE_LIMIT,
                  "this switch has %u selectors, but at most %d are allowed; split it", s->selectors,
                  TSR_SWITCH_SELECTORS_MAX);
    }
}

unsigned tsr_wgsl_switch(tsr_wgsl *w, tsr_node n)
{
    tsr_node selector_node = word(w, n, X_SWITCH_selector);
    tsr_list clauses = word(w, n, X_SWITCH_clauses);
    uint16_t before = tsr_wgsl_statement_attrs(w, word(w, n, X_SWITCH_attrs));
    switch_state s = {0};
    tsr_map_init(&s.values, w->arena);
    s.cases = TSR_NEW_ARRAY(w->arena, tsr_case, tsr_ast_list_count(w->ast, clauses) + 1);
    tsr_operand selector = tsr_wgsl_value(w, selector_node);
    bool ok = selector.kind != TSR_O_error;
    if (ok) join_type(w, &s, selector.type, selector_node, &ok);
    uint16_t body_before = tsr_wgsl_statement_attrs(w, word(w, n, X_SWITCH_body_attrs));
    const tsr_cval **values = read_selectors(w, &s, clauses, &ok);
    if (s.type == TSR_T_aint) s.type = TSR_T_i32;
    ok = ok && tsr_wgsl_convert(w, &selector, s.type, "the selector of a switch");
    tsr_id id = ok ? tsr_wgsl_id(w, &selector) : 0;
    unsigned behaviour = lower_clauses(w, &s, clauses, values, ok);
    w->b.diag = body_before;
    check_clauses(w, &s, n);
    w->b.span = span_of(w, n);
    if (id != 0) tsr_build_switch(&w->b, id, s.cases, s.count);
    w->b.diag = before;
    if (s.count == 0) behaviour = TSR_NEXT;
    if ((behaviour & TSR_BREAK) != 0) behaviour = (behaviour & ~(unsigned)TSR_BREAK) | TSR_NEXT;
    return behaviour;
}
