/* Expressions and types. WGSL, "Expressions" and the grammar rules named above each function.
 *
 * WGSL's operators have precedence only where people agree on it: bitwise operators take unary operands and do not mix,
 * shifts take unary operands, comparisons do not chain, && and || do not mix. Each node carries the height of its tree
 * in `spare`, so that the limit holds for all who walk it. */
#include "wgsl/parse_state.h"

#include "base/number.h"

/* ---- Nodes --------------------------------------------------------------------------------------------------- */

static uint32_t get_height(const tsr_parser *p, tsr_node n)
{
    return tsr_ast_at(p->ast, n)->spare;
}

static uint32_t max_height(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* An expression node from `pos` to the last token taken; `below` is the height of its operands. */
static tsr_node add_expr(tsr_parser *p, tsr_node_kind kind, uint32_t op, uint32_t pos, uint32_t a, uint32_t b,
                         uint32_t below)
{
    if (below >= TSR_EXPR_HEIGHT_MAX) {
        tsr_parse_fail_at(p, tsr_parse_span(p), TSR_E_NESTING,
                          "this expression is nested more than %d levels deep (each operator of a chain is a level); "
                          "split it with `let`",
                          TSR_EXPR_HEIGHT_MAX);
        below = 0;
    }
    tsr_ast_node *node = tsr_parse_add(p, kind, (tsr_span){pos, p->prev_end - pos}, a, b);
    node->op = (uint8_t)op;
    node->spare = (uint16_t)(below + 1);
    return p->ast->nodes.count - 1;
}

static tsr_node add_binary(tsr_parser *p, tsr_ast_op op, tsr_node left, tsr_node right)
{
    uint32_t below = max_height(get_height(p, left), get_height(p, right));
    return add_expr(p, TSR_N_binary, op, tsr_ast_at(p->ast, left)->pos, left, right, below);
}

/* Call before going one level deeper; on success pair with `p->nesting--`. */
static bool enter(tsr_parser *p)
{
    if (p->nesting >= TSR_EXPR_NESTING_MAX) {
        tsr_parse_fail_at(p, tsr_parse_span(p), TSR_E_NESTING,
                          "this expression is nested more than %d levels deep; split it with `let`",
                          TSR_EXPR_NESTING_MAX);
        return false;
    }
    p->nesting++;
    return true;
}

/* ---- Literals ------------------------------------------------------------------------------------------------ */

static void report_number(tsr_parser *p, tsr_number_problem problem, int suffix)
{
    const char *type = suffix == 'i'                ? "i32"
                       : suffix == 'u'              ? "u32"
                       : suffix == 'f'              ? "f32"
                       : suffix == 'h'              ? "f16"
                       : p->tok.kind == TSR_TOK_int ? "any integer type (64 bits at most)"
                                                    : "f64";
    tsr_str s = tsr_parse_spelling(p);
    int shown = s.len > 40 ? 40 : (int)s.len;
    tsr_error(p->diags, tsr_parse_span(p), TSR_E_NUMBER,
              problem == TSR_NUMBER_range ? "`%.*s%s` does not fit %s" : "`%.*s%s` cannot be represented exactly in %s",
              shown, s.s, shown < (int)s.len ? "..." : "", type);
}

/* A number that does not fit is reported and stands as it came out: the syntax is right. */
static tsr_node parse_number(tsr_parser *p)
{
    tsr_str s = tsr_parse_spelling(p);
    int suffix = (int)p->tok.value;
    uint64_t bits = 0;
    tsr_number_problem problem;
    tsr_node_kind kind = TSR_N_int;
    if (p->tok.kind == TSR_TOK_int) {
        problem = tsr_lex_int(s.s, s.len, suffix, &bits);
    } else {
        double value = 0;
        problem = tsr_lex_float(s.s, s.len, suffix, &value);
        bits = tsr_bits_from_f64(value);
        kind = TSR_N_float;
    }
    if (problem) report_number(p, problem, suffix);
    uint32_t pos = p->tok.pos;
    tsr_parse_advance(p);
    return add_expr(p, kind, (uint32_t)suffix, pos, (uint32_t)bits, (uint32_t)(bits >> 32), 0);
}

static tsr_node parse_bool(tsr_parser *p)
{
    uint32_t pos = p->tok.pos, value = p->tok.kind == TSR_TOK_true;
    tsr_parse_advance(p);
    return add_expr(p, TSR_N_bool, 0, pos, value, 0, 0);
}

/* ---- Primary expressions ------------------------------------------------------------------------------------- */

/* argument_expression_list, template_list: expressions with commas, the last one optional. */
tsr_list tsr_parse_args(tsr_parser *p, tsr_token_kind close, uint32_t *height)
{
    uint32_t open = p->tok.pos, from = p->list_count;
    *height = 0;
    if (!enter(p)) return 0;
    tsr_parse_advance(p);
    while (p->tok.kind != close) {
        tsr_node arg = tsr_parse_expr(p);
        *height = max_height(*height, get_height(p, arg));
        tsr_parse_push(p, arg);
        if (!tsr_parse_take(p, TSR_TOK_comma)) break;
    }
    p->nesting--;
    tsr_list args = tsr_parse_list(p, from);
    if (p->tok.kind == close)
        tsr_parse_advance(p);
    else if (args == 0 || p->panic)
        tsr_parse_close(p, close, open);
    else {
        tsr_diag *d = tsr_parse_fail(p, "expected `,` or `%s`", tsr_token_text(close));
        if (d) tsr_note(p->diags, d, (tsr_span){open, 1}, "to match this `%c`", p->lx.text[open]);
    }
    return args;
}

/* template_elaborated_ident: ident template_list? */
tsr_node tsr_parse_ident(tsr_parser *p)
{
    uint32_t pos = p->tok.pos, height = 0;
    tsr_sym name = tsr_parse_name(p, "a name");
    tsr_list args = 0;
    if (p->tok.kind == TSR_TOK_template_start) {
        if (tsr_parse_peek(p) == TSR_TOK_template_end)
            tsr_parse_fail_at(p, tsr_parse_span(p), TSR_E_SYNTAX, "a template list needs at least one argument");
        args = tsr_parse_args(p, TSR_TOK_template_end, &height);
    }
    return add_expr(p, TSR_N_ident, 0, pos, name, args, height);
}

/* call_phrase: template_elaborated_ident argument_expression_list */
tsr_node tsr_parse_call(tsr_parser *p, tsr_node callee)
{
    uint32_t height, pos = tsr_ast_at(p->ast, callee)->pos;
    tsr_list args = tsr_parse_args(p, TSR_TOK_paren_right, &height);
    return add_expr(p, TSR_N_call, 0, pos, callee, args, max_height(height, get_height(p, callee)));
}

/* type_specifier */
tsr_node tsr_parse_type(tsr_parser *p)
{
    if (tsr_parse_at_name(p)) return tsr_parse_ident(p);
    tsr_parse_fail(p, "expected a type");
    return 0;
}

/* paren_expression */
static tsr_node parse_paren(tsr_parser *p)
{
    uint32_t open = p->tok.pos;
    if (!enter(p)) return 0;
    tsr_parse_advance(p);
    tsr_node inner = tsr_parse_expr(p);
    p->nesting--;
    tsr_parse_close(p, TSR_TOK_paren_right, open);
    return add_expr(p, TSR_N_paren, 0, open, inner, 0, get_height(p, inner));
}

static void fail_primary(tsr_parser *p)
{
    tsr_token_kind kind = (tsr_token_kind)p->tok.kind;
    if (kind == TSR_TOK_plus)
        tsr_parse_fail_at(p, tsr_parse_span(p), TSR_E_SYNTAX, "WGSL has no unary `+`; remove it");
    else if (kind == TSR_TOK_plus_plus)
        tsr_parse_fail_at(p, tsr_parse_span(p), TSR_E_SYNTAX,
                          "`++` is a statement of its own in WGSL, no part of an expression");
    else if (kind == TSR_TOK_underscore)
        tsr_parse_fail_at(p, tsr_parse_span(p), TSR_E_NAME, "`_` has no value; it only stands on the left of `=`");
    else
        tsr_parse_fail(p, "expected an expression");
}

/* primary_expression */
static tsr_node parse_primary(tsr_parser *p)
{
    switch (p->tok.kind) {
    case TSR_TOK_ident:
    case TSR_TOK_reserved: {
        tsr_node name = tsr_parse_ident(p);
        return p->tok.kind == TSR_TOK_paren_left ? tsr_parse_call(p, name) : name;
    }
    case TSR_TOK_int:
    case TSR_TOK_float: return parse_number(p);
    case TSR_TOK_true:
    case TSR_TOK_false: return parse_bool(p);
    case TSR_TOK_paren_left: return parse_paren(p);
    default: fail_primary(p); return 0;
    }
}

/* ---- Index and member ---------------------------------------------------------------------------------------- */

static tsr_node parse_index(tsr_parser *p, tsr_node base)
{
    uint32_t open = p->tok.pos, pos = tsr_ast_at(p->ast, base)->pos;
    if (!enter(p)) return 0;
    tsr_parse_advance(p);
    tsr_node index = tsr_parse_expr(p);
    p->nesting--;
    tsr_parse_close(p, TSR_TOK_bracket_right, open);
    return add_expr(p, TSR_N_index, 0, pos, base, index, max_height(get_height(p, base), get_height(p, index)));
}

static tsr_node parse_member(tsr_parser *p, tsr_node base)
{
    uint32_t pos = tsr_ast_at(p->ast, base)->pos;
    tsr_parse_advance(p);
    tsr_sym name = tsr_parse_name(p, "the name of a member after `.`");
    return add_expr(p, TSR_N_member, 0, pos, base, name, get_height(p, base));
}

/* component_or_swizzle_specifier, any number of them */
static tsr_node parse_postfix(tsr_parser *p, tsr_node base)
{
    for (;;) {
        if (p->tok.kind == TSR_TOK_bracket_left)
            base = parse_index(p, base);
        else if (p->tok.kind == TSR_TOK_period)
            base = parse_member(p, base);
        else
            return base;
    }
}

/* ---- Operators ----------------------------------------------------------------------------------------------- */

static tsr_ast_op get_prefix(tsr_token_kind kind)
{
    switch (kind) {
    case TSR_TOK_minus: return TSR_AST_neg;
    case TSR_TOK_bang: return TSR_AST_not;
    case TSR_TOK_tilde: return TSR_AST_compl;
    case TSR_TOK_star: return TSR_AST_deref;
    case TSR_TOK_and: return TSR_AST_addr;
    default: return TSR_AST_none;
    }
}

/* TSR_AST_none for what is no infix operator. */
static const uint8_t infix[TSR_TOK_COUNT] = {
    [TSR_TOK_plus] = TSR_AST_add,        [TSR_TOK_minus] = TSR_AST_sub,    [TSR_TOK_star] = TSR_AST_mul,
    [TSR_TOK_slash] = TSR_AST_div,       [TSR_TOK_percent] = TSR_AST_rem,  [TSR_TOK_and] = TSR_AST_and,
    [TSR_TOK_or] = TSR_AST_or,           [TSR_TOK_xor] = TSR_AST_xor,      [TSR_TOK_shift_left] = TSR_AST_shl,
    [TSR_TOK_shift_right] = TSR_AST_shr, [TSR_TOK_and_and] = TSR_AST_land, [TSR_TOK_or_or] = TSR_AST_lor,
    [TSR_TOK_equal_equal] = TSR_AST_eq,  [TSR_TOK_not_equal] = TSR_AST_ne, [TSR_TOK_less] = TSR_AST_lt,
    [TSR_TOK_less_equal] = TSR_AST_le,   [TSR_TOK_greater] = TSR_AST_gt,   [TSR_TOK_greater_equal] = TSR_AST_ge,
};

static tsr_ast_op get_infix(tsr_token_kind kind)
{
    return (tsr_ast_op)infix[kind];
}

static bool is_comparison(tsr_ast_op op)
{
    return op >= TSR_AST_eq && op <= TSR_AST_ge;
}

static bool is_bitwise(tsr_ast_op op)
{
    return op == TSR_AST_and || op == TSR_AST_or || op == TSR_AST_xor;
}

/* The tokenizer reads `--` and `&&`; where an operand must come, each is two prefix operators. */
static void split_prefix(tsr_parser *p)
{
    if (p->tok.kind == TSR_TOK_minus_minus)
        tsr_parse_split(p, TSR_TOK_minus);
    else if (p->tok.kind == TSR_TOK_and_and)
        tsr_parse_split(p, TSR_TOK_and);
}

/* unary_expression: ( - | ! | ~ | * | & ) unary_expression | singular_expression */
static tsr_node parse_unary(tsr_parser *p)
{
    uint32_t pos = p->tok.pos;
    bool doubled = p->tok.kind == TSR_TOK_minus_minus || p->tok.kind == TSR_TOK_and_and;
    tsr_ast_op op = p->tok.kind == TSR_TOK_minus_minus ? TSR_AST_neg
                    : p->tok.kind == TSR_TOK_and_and   ? TSR_AST_addr
                                                       : get_prefix((tsr_token_kind)p->tok.kind);
    if (op == TSR_AST_none) return parse_postfix(p, parse_primary(p));
    if (!enter(p)) return 0;
    if (doubled)
        split_prefix(p);
    else
        tsr_parse_advance(p);
    tsr_node operand = parse_unary(p);
    p->nesting--;
    return add_expr(p, TSR_N_unary, op, pos, operand, 0, get_height(p, operand));
}

/* multiplicative_expression, its first operand given */
static tsr_node parse_product(tsr_parser *p, tsr_node left)
{
    for (;;) {
        tsr_ast_op op = get_infix((tsr_token_kind)p->tok.kind);
        if (op != TSR_AST_mul && op != TSR_AST_div && op != TSR_AST_rem) return left;
        tsr_parse_advance(p);
        left = add_binary(p, op, left, parse_unary(p));
    }
}

/* additive_expression, its first operand given. `a--b` is a - (-b); what ends in `--` is left for a better message. */
static tsr_node parse_sum(tsr_parser *p, tsr_node left)
{
    left = parse_product(p, left);
    for (;;) {
        tsr_ast_op op = get_infix((tsr_token_kind)p->tok.kind);
        if (p->tok.kind == TSR_TOK_minus_minus) {
            tsr_token_kind next = tsr_parse_peek(p);
            if (next == TSR_TOK_semicolon || next == TSR_TOK_paren_right || next == TSR_TOK_brace_right) return left;
            op = TSR_AST_sub;
            tsr_parse_split(p, TSR_TOK_minus);
        } else if (op == TSR_AST_add || op == TSR_AST_sub) {
            tsr_parse_advance(p);
        } else {
            return left;
        }
        left = add_binary(p, op, left, parse_product(p, parse_unary(p)));
    }
}

/* shift_expression: additive_expression | unary_expression ( << | >> ) unary_expression */
static tsr_node parse_shift(tsr_parser *p, tsr_node left)
{
    tsr_ast_op op = get_infix((tsr_token_kind)p->tok.kind);
    if (op != TSR_AST_shl && op != TSR_AST_shr) return parse_sum(p, left);
    tsr_parse_advance(p);
    return add_binary(p, op, left, parse_unary(p));
}

/* relational_expression: shift_expression ( comparison shift_expression )? */
static tsr_node parse_relation(tsr_parser *p, tsr_node left)
{
    left = parse_shift(p, left);
    tsr_ast_op op = get_infix((tsr_token_kind)p->tok.kind);
    if (!is_comparison(op)) return left;
    tsr_parse_advance(p);
    return add_binary(p, op, left, parse_shift(p, parse_unary(p)));
}

/* short_circuit_and_expression, short_circuit_or_expression */
static tsr_node parse_logical(tsr_parser *p, tsr_node left)
{
    tsr_token_kind kind = (tsr_token_kind)p->tok.kind;
    if (kind != TSR_TOK_and_and && kind != TSR_TOK_or_or) return left;
    while (tsr_parse_take(p, kind))
        left = add_binary(p, get_infix(kind), left, parse_relation(p, parse_unary(p)));
    return left;
}

/* binary_and_expression, binary_or_expression, binary_xor_expression */
static tsr_node parse_bits(tsr_parser *p, tsr_node left)
{
    tsr_token_kind kind = (tsr_token_kind)p->tok.kind;
    while (tsr_parse_take(p, kind))
        left = add_binary(p, get_infix(kind), left, parse_unary(p));
    return left;
}

/* An operator that the grammar does not allow to follow: reported, and read over, for the rest may be right. */
static void report_precedence(tsr_parser *p, tsr_node left)
{
    const tsr_ast_node *n = tsr_ast_at(p->ast, left);
    tsr_ast_op op = get_infix((tsr_token_kind)p->tok.kind);
    tsr_ast_op before = n->kind == TSR_N_binary ? (tsr_ast_op)n->op : TSR_AST_none;
    if (is_comparison(op) && is_comparison(before))
        tsr_error(p->diags, tsr_parse_span(p), TSR_E_PRECEDENCE,
                  "comparisons do not chain: write `a %s b && b %s c`, or put one in parentheses",
                  tsr_ast_op_text(before), tsr_ast_op_text(op));
    else
        tsr_error(p->diags, tsr_parse_span(p), TSR_E_PRECEDENCE,
                  "`%s` after `%s` needs parentheses to show which comes first", tsr_ast_op_text(op),
                  tsr_ast_op_text(before));
    while (get_infix((tsr_token_kind)p->tok.kind)) {
        tsr_parse_advance(p);
        parse_unary(p);
    }
}

/* expression */
tsr_node tsr_parse_expr(tsr_parser *p)
{
    tsr_node n = parse_unary(p);
    if (get_infix((tsr_token_kind)p->tok.kind) == TSR_AST_none && p->tok.kind != TSR_TOK_minus_minus) return n;
    if (is_bitwise(get_infix((tsr_token_kind)p->tok.kind)))
        n = parse_bits(p, n);
    else
        n = parse_logical(p, parse_relation(p, n));
    if (get_infix((tsr_token_kind)p->tok.kind)) report_precedence(p, n);
    return n;
}

/* ---- Left-hand sides ----------------------------------------------------------------------------------------- */

/* core_lhs_expression: ident | call_phrase | ( lhs_expression ); calls that give pointers: language feature buffer_view
 */
static tsr_node parse_lhs_core(tsr_parser *p)
{
    uint32_t open = p->tok.pos;
    if (tsr_parse_at_name(p)) {
        tsr_node name = tsr_parse_ident(p);
        if (p->tok.kind == TSR_TOK_paren_left) return tsr_parse_call(p, name);
        if (name != 0 && tsr_ast_at(p->ast, name)->b != 0) tsr_parse_fail(p, "expected `(`: a type is no variable");
        return name;
    }
    if (p->tok.kind != TSR_TOK_paren_left) {
        tsr_parse_fail(p, "expected a variable to assign to");
        return 0;
    }
    if (!enter(p)) return 0;
    tsr_parse_advance(p);
    tsr_node inner = tsr_parse_lhs(p, 0);
    p->nesting--;
    tsr_parse_close(p, TSR_TOK_paren_right, open);
    return add_expr(p, TSR_N_paren, 0, open, inner, 0, get_height(p, inner));
}

/* lhs_expression: ( * | & ) lhs_expression | core_lhs_expression component_or_swizzle_specifier? */
tsr_node tsr_parse_lhs(tsr_parser *p, tsr_node ident)
{
    if (ident) return parse_postfix(p, ident);
    uint32_t pos = p->tok.pos;
    bool doubled = p->tok.kind == TSR_TOK_and_and;
    tsr_ast_op op = doubled ? TSR_AST_addr : get_prefix((tsr_token_kind)p->tok.kind);
    if (op != TSR_AST_deref && op != TSR_AST_addr) return parse_postfix(p, parse_lhs_core(p));
    if (!enter(p)) return 0;
    if (doubled)
        split_prefix(p);
    else
        tsr_parse_advance(p);
    tsr_node operand = tsr_parse_lhs(p, 0);
    p->nesting--;
    return add_expr(p, TSR_N_unary, op, pos, operand, 0, get_height(p, operand));
}
