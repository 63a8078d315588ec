/* Statements. WGSL, "Statements" and the grammar rules named above each function. Blocks nest up to
 * TSR_BRACE_DEPTH_MAX, and chains of `else if` are read in a loop, so recursion is bounded. */
#include "wgsl/parse_state.h"

/* What may end a list of statements besides '}'. */
enum { ENDS_BRACE = 0, ENDS_CONTINUING = 1, ENDS_BREAK_IF = 2 };

static tsr_node parse_statement(tsr_parser *p);

/* ---- Blocks -------------------------------------------------------------------------------------------------- */

/* statement* up to what `ends` says; after a mistake it goes on with the next statement. */
static tsr_list parse_statements(tsr_parser *p, unsigned ends)
{
    uint32_t from = p->list_count, braces = p->braces;
    while (p->tok.kind != TSR_TOK_brace_right && p->tok.kind != TSR_TOK_end) {
        if ((ends & ENDS_CONTINUING) && p->tok.kind == TSR_TOK_continuing) break;
        if ((ends & ENDS_BREAK_IF) && p->tok.kind == TSR_TOK_break && tsr_parse_peek(p) == TSR_TOK_if) break;
        uint32_t depth = p->list_count;
        tsr_node n = parse_statement(p);
        p->list_count = depth; /* a rule that failed may have left items */
        if (n) tsr_parse_push(p, n);
        if (p->panic && !tsr_parse_resume_statement(p, braces)) break;
    }
    return tsr_parse_list(p, from);
}

/* '{' within the limit; *open is where it is. */
static bool open_brace(tsr_parser *p, const char *context, uint32_t *open)
{
    *open = p->tok.pos;
    if (p->tok.kind == TSR_TOK_brace_left && p->braces >= TSR_BRACE_DEPTH_MAX) {
        tsr_parse_fail_at(p, tsr_parse_span(p), TSR_E_NESTING,
                          "blocks are nested more than %d levels deep; move the inner ones to a function",
                          TSR_BRACE_DEPTH_MAX - 1);
        return false;
    }
    if (p->tok.kind != TSR_TOK_brace_left) p->lacks_brace = true;
    return tsr_parse_expect(p, TSR_TOK_brace_left, context);
}

static tsr_node finish_block(tsr_parser *p, uint32_t open, tsr_list statements, tsr_list attrs)
{
    tsr_parse_close(p, TSR_TOK_brace_right, open);
    return tsr_parse_node(p, TSR_N_block, (tsr_span){open, 1}, statements, attrs);
}

/* compound_statement, its attributes read already */
static tsr_node parse_block_after(tsr_parser *p, tsr_list attrs, const char *context)
{
    uint32_t open;
    if (!open_brace(p, context, &open)) return 0;
    return finish_block(p, open, parse_statements(p, ENDS_BRACE), attrs);
}

/* compound_statement: attribute* { statement* } */
tsr_node tsr_parse_block(tsr_parser *p, const char *context)
{
    tsr_list attrs = tsr_parse_attrs(p);
    return parse_block_after(p, attrs, context);
}

/* ---- Branches ------------------------------------------------------------------------------------------------ */

/* One `if` of a chain; its X_IF_else is set later. */
static tsr_node parse_one_if(tsr_parser *p, tsr_list attrs)
{
    tsr_span at = tsr_parse_span(p);
    tsr_parse_advance(p);
    tsr_node condition = tsr_parse_expr(p);
    tsr_node then = tsr_parse_block(p, "after the condition");
    uint32_t r = tsr_parse_record(p, X_IF_WORDS);
    tsr_parse_set(p, r, X_IF_cond, condition);
    tsr_parse_set(p, r, X_IF_then, then);
    tsr_parse_set(p, r, X_IF_attrs, attrs);
    return tsr_parse_node(p, TSR_N_if, at, r, 0);
}

/* if_statement: if_clause else_if_clause* else_clause? */
static tsr_node parse_if(tsr_parser *p, tsr_list attrs)
{
    tsr_node first = parse_one_if(p, attrs), last = first;
    for (uint32_t count = 0; p->tok.kind == TSR_TOK_else; count++) {
        uint32_t record = tsr_ast_at(p->ast, last)->a;
        tsr_parse_advance(p);
        if (p->tok.kind != TSR_TOK_if) {
            tsr_parse_set(p, record, X_IF_else, tsr_parse_block(p, "or `if` after `else`"));
            break;
        }
        if (count >= TSR_ELSE_IF_MAX) {
            tsr_parse_fail_at(p, tsr_parse_span(p), TSR_E_NESTING, "more than %d `else if` in a row; use a `switch`",
                              TSR_ELSE_IF_MAX);
            break;
        }
        last = parse_one_if(p, 0);
        tsr_parse_set(p, record, X_IF_else, last);
    }
    return first;
}

/* case_selectors: ( default | expression ) with commas */
static tsr_list parse_selectors(tsr_parser *p)
{
    uint32_t from = p->list_count;
    do {
        if (p->list_count > from && (p->tok.kind == TSR_TOK_colon || p->tok.kind == TSR_TOK_brace_left)) break;
        tsr_span at = tsr_parse_span(p);
        if (tsr_parse_take(p, TSR_TOK_default))
            tsr_parse_push(p, tsr_parse_node(p, TSR_N_default, at, 0, 0));
        else
            tsr_parse_push(p, tsr_parse_expr(p));
    } while (tsr_parse_take(p, TSR_TOK_comma));
    return tsr_parse_list(p, from);
}

/* case_clause: case case_selectors :? compound_statement;  default_alone_clause: default :? compound_statement */
static tsr_node parse_clause(tsr_parser *p)
{
    tsr_span at = tsr_parse_span(p);
    uint32_t from = p->list_count;
    tsr_list selectors;
    if (tsr_parse_take(p, TSR_TOK_default)) {
        tsr_parse_push(p, tsr_parse_node(p, TSR_N_default, at, 0, 0));
        selectors = tsr_parse_list(p, from);
    } else if (tsr_parse_take(p, TSR_TOK_case)) {
        selectors = parse_selectors(p);
    } else {
        tsr_parse_fail(p, "expected `case`, `default` or `}` in the switch");
        return 0;
    }
    tsr_parse_take(p, TSR_TOK_colon);
    tsr_node body = tsr_parse_block(p, "to begin the clause's body");
    return tsr_parse_node(p, TSR_N_clause, at, selectors, body);
}

/* switch_statement: attribute* switch expression attribute* { clause+ } */
static tsr_node parse_switch(tsr_parser *p, tsr_list attrs)
{
    tsr_span at = tsr_parse_span(p);
    tsr_parse_advance(p);
    tsr_node selector = tsr_parse_expr(p);
    tsr_list body_attrs = tsr_parse_attrs(p);
    uint32_t open, from = p->list_count;
    if (!open_brace(p, "after the switch's selector", &open)) return 0;
    if (p->tok.kind == TSR_TOK_brace_right)
        tsr_parse_fail_at(p, at, TSR_E_SYNTAX, "a switch needs at least a `default` clause");
    while (p->tok.kind != TSR_TOK_brace_right && !p->panic)
        tsr_parse_push(p, parse_clause(p));
    tsr_list clauses = tsr_parse_list(p, from);
    tsr_parse_close(p, TSR_TOK_brace_right, open);

    uint32_t r = tsr_parse_record(p, X_SWITCH_WORDS);
    tsr_parse_set(p, r, X_SWITCH_selector, selector);
    tsr_parse_set(p, r, X_SWITCH_clauses, clauses);
    tsr_parse_set(p, r, X_SWITCH_attrs, attrs);
    tsr_parse_set(p, r, X_SWITCH_body_attrs, body_attrs);
    return tsr_parse_node(p, TSR_N_switch, at, r, 0);
}

/* ---- Loops --------------------------------------------------------------------------------------------------- */

/* continuing_statement: continuing attribute* { statement* ( break if expression ; )? }. Returns the block. */
static tsr_node parse_continuing(tsr_parser *p, tsr_node *break_if)
{
    tsr_parse_advance(p);
    tsr_list attrs = tsr_parse_attrs(p);
    uint32_t open;
    if (!open_brace(p, "after `continuing`", &open)) return 0;
    tsr_list statements = parse_statements(p, ENDS_BREAK_IF);
    if (tsr_parse_take(p, TSR_TOK_break)) {
        tsr_parse_advance(p);
        *break_if = tsr_parse_expr(p);
        tsr_parse_semicolon(p, "`break if`");
        if (p->tok.kind != TSR_TOK_brace_right)
            tsr_parse_fail(p, "expected `}`: `break if` is the last statement of a `continuing`");
    }
    return finish_block(p, open, statements, attrs);
}

/* loop_statement: attribute* loop attribute* { statement* continuing_statement? } */
static tsr_node parse_loop(tsr_parser *p, tsr_list attrs)
{
    tsr_span at = tsr_parse_span(p);
    tsr_parse_advance(p);
    tsr_list body_attrs = tsr_parse_attrs(p);
    uint32_t open;
    if (!open_brace(p, "after `loop`", &open)) return 0;
    tsr_list statements = parse_statements(p, ENDS_CONTINUING);
    tsr_node break_if = 0, continuing = 0;
    if (p->tok.kind == TSR_TOK_continuing) {
        continuing = parse_continuing(p, &break_if);
        if (p->tok.kind != TSR_TOK_brace_right)
            tsr_parse_fail(p, "expected `}`: `continuing` is the last statement of a loop");
    }
    tsr_node body = finish_block(p, open, statements, body_attrs);

    uint32_t r = tsr_parse_record(p, X_LOOP_WORDS);
    tsr_parse_set(p, r, X_LOOP_body, body);
    tsr_parse_set(p, r, X_LOOP_continuing, continuing);
    tsr_parse_set(p, r, X_LOOP_break_if, break_if);
    tsr_parse_set(p, r, X_LOOP_attrs, attrs);
    return tsr_parse_node(p, TSR_N_loop, at, r, 0);
}

/* while_statement: attribute* while expression compound_statement */
static tsr_node parse_while(tsr_parser *p, tsr_list attrs)
{
    tsr_span at = tsr_parse_span(p);
    tsr_parse_advance(p);
    tsr_node condition = tsr_parse_expr(p);
    tsr_node body = tsr_parse_block(p, "after the condition");
    uint32_t r = tsr_parse_record(p, X_WHILE_WORDS);
    tsr_parse_set(p, r, X_WHILE_cond, condition);
    tsr_parse_set(p, r, X_WHILE_body, body);
    tsr_parse_set(p, r, X_WHILE_attrs, attrs);
    return tsr_parse_node(p, TSR_N_while, at, r, 0);
}

static tsr_node parse_simple(tsr_parser *p);

/* for_init, for_update: `declares`: a var, let or const may stand here. */
static tsr_node parse_for_part(tsr_parser *p, tsr_token_kind end, bool declares)
{
    if (p->tok.kind == end) return 0;
    tsr_token_kind kind = (tsr_token_kind)p->tok.kind;
    if (kind != TSR_TOK_var && kind != TSR_TOK_let && kind != TSR_TOK_const) return parse_simple(p);
    if (!declares) tsr_parse_fail(p, "expected an assignment or a call to end the loop's header");
    return tsr_parse_variable(p, 0);
}

/* for_statement: attribute* for ( for_init? ; expression? ; for_update? ) compound_statement */
static tsr_node parse_for(tsr_parser *p, tsr_list attrs)
{
    tsr_span at = tsr_parse_span(p);
    tsr_parse_advance(p);
    uint32_t open = p->tok.pos;
    p->in_for_header = true;
    tsr_parse_expect(p, TSR_TOK_paren_left, "after `for`");
    tsr_node init = parse_for_part(p, TSR_TOK_semicolon, true);
    tsr_parse_semicolon(p, "the first part of the loop's header");
    tsr_node condition = p->tok.kind == TSR_TOK_semicolon ? 0 : tsr_parse_expr(p);
    tsr_parse_semicolon(p, "the loop's condition");
    tsr_node update = parse_for_part(p, TSR_TOK_paren_right, false);
    tsr_parse_close(p, TSR_TOK_paren_right, open);
    if (!p->panic) p->in_for_header = false;
    tsr_node body = tsr_parse_block(p, "after the loop's header");

    uint32_t r = tsr_parse_record(p, X_FOR_WORDS);
    tsr_parse_set(p, r, X_FOR_init, init);
    tsr_parse_set(p, r, X_FOR_cond, condition);
    tsr_parse_set(p, r, X_FOR_update, update);
    tsr_parse_set(p, r, X_FOR_body, body);
    tsr_parse_set(p, r, X_FOR_attrs, attrs);
    return tsr_parse_node(p, TSR_N_for, at, r, 0);
}

/* ---- Assignments and calls ----------------------------------------------------------------------------------- */

static tsr_ast_op get_compound(tsr_token_kind kind)
{
    switch (kind) {
    case TSR_TOK_plus_equal: return TSR_AST_add;
    case TSR_TOK_minus_equal: return TSR_AST_sub;
    case TSR_TOK_star_equal: return TSR_AST_mul;
    case TSR_TOK_slash_equal: return TSR_AST_div;
    case TSR_TOK_percent_equal: return TSR_AST_rem;
    case TSR_TOK_and_equal: return TSR_AST_and;
    case TSR_TOK_or_equal: return TSR_AST_or;
    case TSR_TOK_xor_equal: return TSR_AST_xor;
    case TSR_TOK_shift_left_equal: return TSR_AST_shl;
    case TSR_TOK_shift_right_equal: return TSR_AST_shr;
    default: return TSR_AST_none;
    }
}

/* The part of variable_updating_statement behind its left-hand side. */
static tsr_node parse_update(tsr_parser *p, tsr_node lhs)
{
    tsr_span at = tsr_parse_span(p);
    if (tsr_parse_take(p, TSR_TOK_plus_plus)) return tsr_parse_node(p, TSR_N_increment, at, lhs, 0);
    if (tsr_parse_take(p, TSR_TOK_minus_minus)) return tsr_parse_node(p, TSR_N_decrement, at, lhs, 0);
    tsr_ast_op op = get_compound((tsr_token_kind)p->tok.kind);
    if (op == TSR_AST_none && p->tok.kind != TSR_TOK_equal) {
        tsr_parse_fail(p, "expected `=`, an operator such as `+=`, `++` or `--` after what is assigned to");
        return 0;
    }
    tsr_parse_advance(p);
    tsr_node value = tsr_parse_expr(p);
    tsr_parse_add(p, TSR_N_assign, at, lhs, value)->op = (uint8_t)op;
    return p->ast->nodes.count - 1;
}

/* _ = expression */
static tsr_node parse_phony(tsr_parser *p)
{
    tsr_span at = tsr_parse_span(p);
    tsr_parse_advance(p);
    if (get_compound((tsr_token_kind)p->tok.kind))
        tsr_parse_fail_at(p, tsr_parse_span(p), TSR_E_SYNTAX, "`_` takes only `=`");
    tsr_parse_expect(p, TSR_TOK_equal, "after `_`");
    tsr_node value = tsr_parse_expr(p);
    return tsr_parse_node(p, TSR_N_phony, at, value, 0);
}

static const struct foreign {
    const char *word, *advice;
} foreign[] = {
    {"do", "use `loop { ... continuing { break if ...; } }`"},
    {"elif", "write `else if`"},
    {"elseif", "write `else if`"},
    {"static_assert", "write `const_assert`"},
    {"match", "use `switch`"},
    {"goto", "there is none"},
    {"foreach", "use `for` or `loop`"},
    {"until", "use `loop` or `while`"},
    {"unless", "use `if (!...)`"},
};

static const char *const statement_words[] = {"return", "var",      "let",        "const",   "for",
                                              "while",  "loop",     "switch",     "if",      "else",
                                              "break",  "continue", "continuing", "discard", "const_assert"};

/* Two names side by side: a keyword gone wrong, or a declaration as C writes it. */
static void fail_names(tsr_parser *p)
{
    tsr_str word = tsr_parse_spelling(p);
    const char *near = tsr_parse_nearest(word, statement_words, TSR_COUNT_OF(statement_words));
    if (near)
        tsr_parse_fail_at(p, tsr_parse_span(p), TSR_E_SYNTAX, "`%.*s` begins no statement; did you mean `%s`?",
                          (int)word.len, word.s, near);
    else
        tsr_parse_fail_at(p, tsr_parse_span(p), TSR_E_SYNTAX,
                          "WGSL puts the type behind the name: `var name: type = value;` or `let name = value;`");
}

/* A statement of another language, seen from what follows its first word. */
static bool fail_foreign(tsr_parser *p, tsr_str word, tsr_span at)
{
    for (size_t i = 0; i < TSR_COUNT_OF(foreign); i++) {
        if (!tsr_str_is(word, foreign[i].word)) continue;
        tsr_parse_fail_at(p, at, TSR_E_SYNTAX, "WGSL has no `%s`; %s", foreign[i].word, foreign[i].advice);
        return true;
    }
    return false;
}

static bool fails_at_next(tsr_parser *p)
{
    switch (tsr_parse_peek(p)) {
    case TSR_TOK_brace_left:
    case TSR_TOK_semicolon: return fail_foreign(p, tsr_parse_spelling(p), tsr_parse_span(p));
    case TSR_TOK_ident:
    case TSR_TOK_reserved:
    case TSR_TOK_int:
    case TSR_TOK_float:
        if (!fail_foreign(p, tsr_parse_spelling(p), tsr_parse_span(p))) fail_names(p);
        return true;
    default: return false;
    }
}

/* What begins with a name: a call or an assignment. */
static tsr_node parse_named(tsr_parser *p)
{
    tsr_str word = tsr_parse_spelling(p);
    tsr_span at = tsr_parse_span(p);
    if (fails_at_next(p)) return 0;
    tsr_node name = tsr_parse_ident(p);
    if (p->tok.kind == TSR_TOK_paren_left) {
        at.len = tsr_ast_at(p->ast, name)->end - at.pos;
        tsr_node call = tsr_parse_call(p, name);
        if (p->tok.kind == TSR_TOK_brace_left) fail_foreign(p, word, at); /* elif (c) { */
        if (p->tok.kind == TSR_TOK_bracket_left || p->tok.kind == TSR_TOK_period)
            return parse_update(p, tsr_parse_lhs(p, call));
        return tsr_parse_node(p, TSR_N_call_stmt, at, call, 0);
    }
    if (tsr_ast_at(p->ast, name)->b) {
        tsr_parse_fail(p, "expected `(`: a type alone is no statement");
        return 0;
    }
    return parse_update(p, tsr_parse_lhs(p, name));
}

/* variable_updating_statement, func_call_statement: without the semicolon, also in the header of a for */
static tsr_node parse_simple(tsr_parser *p)
{
    switch (p->tok.kind) {
    case TSR_TOK_ident:
    case TSR_TOK_reserved: return parse_named(p);
    case TSR_TOK_underscore: return parse_phony(p);
    case TSR_TOK_star:
    case TSR_TOK_and:
    case TSR_TOK_and_and:
    case TSR_TOK_paren_left: return parse_update(p, tsr_parse_lhs(p, 0));
    case TSR_TOK_plus_plus:
    case TSR_TOK_minus_minus:
        tsr_parse_fail_at(p, tsr_parse_span(p), TSR_E_SYNTAX, "WGSL writes `%s` behind the variable",
                          tsr_token_text((tsr_token_kind)p->tok.kind));
        return 0;
    default: tsr_parse_fail(p, "expected a statement"); return 0;
    }
}

/* ---- The others ---------------------------------------------------------------------------------------------- */

/* A keyword and a semicolon. */
static tsr_node parse_keyword(tsr_parser *p, tsr_node_kind kind, const char *after)
{
    tsr_span at = tsr_parse_span(p);
    tsr_parse_advance(p);
    if (kind == TSR_N_break && p->tok.kind == TSR_TOK_if)
        tsr_parse_fail_at(p, tsr_parse_span(p), TSR_E_SYNTAX,
                          "`break if` is only for the end of a `continuing`; here write `if ... { break; }`");
    tsr_parse_semicolon(p, after);
    return tsr_parse_node(p, kind, at, 0, 0);
}

/* return expression? ; */
static tsr_node parse_return(tsr_parser *p)
{
    tsr_span at = tsr_parse_span(p);
    tsr_parse_advance(p);
    tsr_node value = 0;
    if (p->tok.kind != TSR_TOK_semicolon && p->tok.kind != TSR_TOK_brace_right) value = tsr_parse_expr(p);
    tsr_parse_semicolon(p, "`return`");
    return tsr_parse_node(p, TSR_N_return, at, value, 0);
}

static tsr_node parse_misplaced(tsr_parser *p)
{
    switch (p->tok.kind) {
    case TSR_TOK_else: tsr_parse_fail_at(p, tsr_parse_span(p), TSR_E_SYNTAX, "this `else` follows no `if`"); break;
    case TSR_TOK_continuing:
        tsr_parse_fail_at(p, tsr_parse_span(p), TSR_E_SYNTAX, "`continuing` is only for the end of a `loop`");
        break;
    case TSR_TOK_case:
    case TSR_TOK_default: tsr_parse_fail(p, "expected a statement or `}` (clauses belong in a `switch`)"); break;
    case TSR_TOK_override:
        tsr_parse_fail_at(p, tsr_parse_span(p), TSR_E_SYNTAX,
                          "`override` belongs at module scope; functions have `let` and `const`");
        break;
    case TSR_TOK_fn:
    case TSR_TOK_struct:
    case TSR_TOK_alias:
        tsr_parse_fail_at(p, tsr_parse_span(p), TSR_E_SYNTAX,
                          "`%s` belongs at module scope; is there a `}` missing before it?",
                          tsr_token_text((tsr_token_kind)p->tok.kind));
        break;
    default: tsr_parse_fail(p, "expected a statement"); break;
    }
    return 0;
}

/* A statement that may have attributes, with those read already. */
static tsr_node parse_attributed(tsr_parser *p, tsr_list attrs)
{
    switch (p->tok.kind) {
    case TSR_TOK_brace_left: return parse_block_after(p, attrs, "");
    case TSR_TOK_if: return parse_if(p, attrs);
    case TSR_TOK_switch: return parse_switch(p, attrs);
    case TSR_TOK_loop: return parse_loop(p, attrs);
    case TSR_TOK_for: return parse_for(p, attrs);
    case TSR_TOK_while: return parse_while(p, attrs);
    case TSR_TOK_fn:
    case TSR_TOK_struct: return parse_misplaced(p);
    default: break;
    }
    if (!p->panic)
        tsr_parse_fail_at(p, tsr_ast_span(p->ast, tsr_ast_list_at(p->ast, attrs, 0)), TSR_E_ATTRIBUTE_PLACE,
                          "only blocks, if, switch, loop, for and while have attributes; remove it");
    return 0;
}

/* statement */
static tsr_node parse_statement(tsr_parser *p)
{
    tsr_node n;
    switch (p->tok.kind) {
    case TSR_TOK_semicolon: tsr_parse_advance(p); return 0;
    case TSR_TOK_at: return parse_attributed(p, tsr_parse_attrs(p));
    case TSR_TOK_brace_left:
    case TSR_TOK_if:
    case TSR_TOK_switch:
    case TSR_TOK_loop:
    case TSR_TOK_for:
    case TSR_TOK_while: return parse_attributed(p, 0);
    case TSR_TOK_return: return parse_return(p);
    case TSR_TOK_break: return parse_keyword(p, TSR_N_break, "`break`");
    case TSR_TOK_continue: return parse_keyword(p, TSR_N_continue, "`continue`");
    case TSR_TOK_discard: return parse_keyword(p, TSR_N_discard, "`discard`");
    case TSR_TOK_var:
    case TSR_TOK_let:
    case TSR_TOK_const: n = tsr_parse_variable(p, 0); break;
    case TSR_TOK_const_assert: n = tsr_parse_const_assert(p); break;
    default:
        if (tsr_token_is_keyword((tsr_token_kind)p->tok.kind)) return parse_misplaced(p);
        n = parse_simple(p);
    }
    tsr_parse_semicolon(p, "the statement");
    return n;
}
