/* Declarations: attributes, variables and values, alias, struct, functions. WGSL, "Declaration and Scope" and the
 * grammar rules named above each function. */
#include "wgsl/parse_state.h"

/* ---- Attributes ---------------------------------------------------------------------------------------------- */

/* attribute: @ name ( arguments )?. Which names and how many arguments is the resolver's to judge, except that
 * parentheses are never empty. */
static tsr_node parse_attr(tsr_parser *p)
{
    tsr_parse_advance(p);
    tsr_span at = tsr_parse_span(p);
    tsr_sym name;
    if (tsr_token_is_keyword((tsr_token_kind)p->tok.kind)) { /* const, diagnostic */
        tsr_str s = tsr_parse_spelling(p);
        name = tsr_symbols_add(p->ast->symbols, s.s, s.len);
        tsr_parse_advance(p);
    } else {
        name = tsr_parse_name(p, "the name of an attribute after `@`");
    }
    tsr_list args = 0;
    if (p->tok.kind == TSR_TOK_paren_left) {
        uint32_t height;
        if (tsr_parse_peek(p) == TSR_TOK_paren_right)
            tsr_parse_fail_at(p, tsr_parse_span(p), TSR_E_SYNTAX,
                              "an attribute's parentheses are never empty; give its argument or remove them");
        args = tsr_parse_args(p, TSR_TOK_paren_right, &height);
    }
    return tsr_parse_node(p, TSR_N_attr, at, name, args);
}

tsr_list tsr_parse_attrs(tsr_parser *p)
{
    if (p->tok.kind != TSR_TOK_at) return 0;
    uint32_t from = p->list_count;
    while (p->tok.kind == TSR_TOK_at)
        tsr_parse_push(p, parse_attr(p));
    return tsr_parse_list(p, from);
}

static void refuse_attrs(tsr_parser *p, tsr_list attrs, const char *where)
{
    if (attrs == 0 || p->panic) return;
    tsr_error(p->diags, tsr_ast_span(p->ast, tsr_ast_list_at(p->ast, attrs, 0)), TSR_E_ATTRIBUTE_PLACE,
              "%s has no attributes; remove it", where);
}

/* ---- Variables and values ------------------------------------------------------------------------------------ */

/* The address space and access mode of `var<storage, read>`. */
static tsr_list parse_var_template(tsr_parser *p)
{
    uint32_t height;
    if (p->tok.kind != TSR_TOK_template_start) return 0;
    if (tsr_parse_peek(p) == TSR_TOK_template_end)
        tsr_parse_fail_at(p, tsr_parse_span(p), TSR_E_SYNTAX, "expected an address space in `var<...>`");
    return tsr_parse_args(p, TSR_TOK_template_end, &height);
}

static void fail_name_of_variable(tsr_parser *p, tsr_token_kind keyword)
{
    if (keyword == TSR_TOK_let && p->tok.kind == TSR_TOK_ident && tsr_parse_peek(p) == TSR_TOK_ident &&
        tsr_str_is(tsr_parse_spelling(p), "mut"))
        tsr_parse_fail(p, "expected a name; WGSL writes `var` for what can change");
}

/* variable_decl, global_value_decl and their like:
 * ( var template_list? | let | const | override ) ident ( : type )? ( = expression )? */
tsr_node tsr_parse_variable(tsr_parser *p, tsr_list attrs)
{
    tsr_token_kind keyword = (tsr_token_kind)p->tok.kind;
    tsr_node_kind kind = keyword == TSR_TOK_var     ? TSR_N_var
                         : keyword == TSR_TOK_let   ? TSR_N_let
                         : keyword == TSR_TOK_const ? TSR_N_const
                                                    : TSR_N_override;
    tsr_parse_advance(p);
    tsr_list template = keyword == TSR_TOK_var ? parse_var_template(p) : 0;
    fail_name_of_variable(p, keyword);
    tsr_span at = tsr_parse_span(p);
    tsr_sym name = tsr_parse_name(p, "a name for what is declared");
    tsr_node type = tsr_parse_take(p, TSR_TOK_colon) ? tsr_parse_type(p) : 0;
    tsr_node init = 0;
    if (tsr_parse_take(p, TSR_TOK_equal))
        init = tsr_parse_expr(p);
    else if (kind == TSR_N_let || kind == TSR_N_const)
        tsr_parse_fail(p, "expected `=` and a value: a `%s` has no other", tsr_token_text(keyword));

    uint32_t r = tsr_parse_record(p, X_VAR_WORDS);
    tsr_parse_set(p, r, X_VAR_name, name);
    tsr_parse_set(p, r, X_VAR_type, type);
    tsr_parse_set(p, r, X_VAR_init, init);
    tsr_parse_set(p, r, X_VAR_template, template);
    tsr_parse_set(p, r, X_VAR_attrs, attrs);
    return tsr_parse_node(p, kind, at, r, 0);
}

/* const_assert expression */
tsr_node tsr_parse_const_assert(tsr_parser *p)
{
    tsr_span at = tsr_parse_span(p);
    tsr_parse_advance(p);
    tsr_node condition = tsr_parse_expr(p);
    return tsr_parse_node(p, TSR_N_const_assert, at, condition, 0);
}

static tsr_node parse_global_variable(tsr_parser *p, tsr_list attrs)
{
    bool is_const = p->tok.kind == TSR_TOK_const;
    tsr_node n = tsr_parse_variable(p, attrs);
    if (is_const) refuse_attrs(p, attrs, "a `const`");
    tsr_parse_semicolon(p, "the declaration");
    return n;
}

/* type_alias_decl: alias ident = type */
static tsr_node parse_alias(tsr_parser *p)
{
    tsr_parse_advance(p);
    tsr_span at = tsr_parse_span(p);
    tsr_sym name = tsr_parse_name(p, "a name for the alias");
    tsr_parse_expect(p, TSR_TOK_equal, "after the alias's name");
    tsr_node type = tsr_parse_type(p);
    tsr_parse_semicolon(p, "the alias");
    return tsr_parse_node(p, TSR_N_alias, at, name, type);
}

/* ---- Structs and functions ----------------------------------------------------------------------------------- */

/* struct_member, param: attribute* ident : type */
static tsr_node parse_field(tsr_parser *p, tsr_node_kind kind)
{
    tsr_list attrs = tsr_parse_attrs(p);
    tsr_span at = tsr_parse_span(p);
    bool is_param = kind == TSR_N_param;
    if (tsr_parse_at_name(p) && tsr_parse_peek(p) == TSR_TOK_ident)
        tsr_parse_fail_at(p, at, TSR_E_SYNTAX, "WGSL puts the name first: write `name: type`");
    tsr_sym name = tsr_parse_name(p, is_param ? "a name for the parameter" : "a name for the member");
    tsr_parse_expect(p, TSR_TOK_colon,
                     is_param ? "and a type after the parameter's name" : "and a type after the member's name");
    tsr_node type = tsr_parse_type(p);
    uint32_t r = tsr_parse_record(p, X_FIELD_WORDS);
    tsr_parse_set(p, r, X_FIELD_name, name);
    tsr_parse_set(p, r, X_FIELD_type, type);
    tsr_parse_set(p, r, X_FIELD_attrs, attrs);
    return tsr_parse_node(p, kind, at, r, 0);
}

static void close_struct(tsr_parser *p, uint32_t open)
{
    if (p->tok.kind == TSR_TOK_semicolon)
        tsr_parse_fail_at(p, tsr_parse_span(p), TSR_E_SYNTAX, "members of a struct are separated by `,`, not `;`");
    else if (tsr_parse_at_name(p) || p->tok.kind == TSR_TOK_at)
        tsr_parse_fail_at(p, (tsr_span){p->prev_end, 0}, TSR_E_SYNTAX, "expected `,` between members");
    tsr_parse_close(p, TSR_TOK_brace_right, open);
}

/* struct_decl: struct ident { member ( , member )* ,? } */
static tsr_node parse_struct(tsr_parser *p)
{
    tsr_parse_advance(p);
    tsr_span at = tsr_parse_span(p);
    tsr_sym name = tsr_parse_name(p, "a name for the struct");
    uint32_t open = p->tok.pos, from = p->list_count;
    tsr_parse_expect(p, TSR_TOK_brace_left, "after the struct's name");
    if (p->tok.kind == TSR_TOK_brace_right)
        tsr_parse_fail_at(p, at, TSR_E_SYNTAX, "a struct needs at least one member");
    while (p->tok.kind != TSR_TOK_brace_right && !p->panic) {
        tsr_parse_push(p, parse_field(p, TSR_N_field));
        if (!tsr_parse_take(p, TSR_TOK_comma)) break;
    }
    tsr_list fields = tsr_parse_list(p, from);
    close_struct(p, open);
    return tsr_parse_node(p, TSR_N_struct, at, name, fields);
}

/* param_list */
static tsr_list parse_params(tsr_parser *p)
{
    uint32_t open = p->tok.pos, from = p->list_count;
    tsr_parse_expect(p, TSR_TOK_paren_left, "after the function's name");
    while (p->tok.kind != TSR_TOK_paren_right && !p->panic) {
        tsr_parse_push(p, parse_field(p, TSR_N_param));
        if (!tsr_parse_take(p, TSR_TOK_comma)) break;
    }
    tsr_parse_close(p, TSR_TOK_paren_right, open);
    return tsr_parse_list(p, from);
}

/* function_decl: attribute* fn ident ( params ) ( -> attribute* type )? compound_statement */
static tsr_node parse_function(tsr_parser *p, tsr_list attrs)
{
    tsr_parse_advance(p);
    tsr_span at = tsr_parse_span(p);
    tsr_sym name = tsr_parse_name(p, "a name for the function");
    if (p->tok.kind == TSR_TOK_less || p->tok.kind == TSR_TOK_template_start)
        tsr_parse_fail_at(p, tsr_parse_span(p), TSR_E_SYNTAX, "WGSL functions have no template parameters");
    tsr_list params = parse_params(p), result_attrs = 0;
    tsr_node result = 0;
    if (tsr_parse_take(p, TSR_TOK_arrow)) {
        result_attrs = tsr_parse_attrs(p);
        result = tsr_parse_type(p);
    } else if (p->tok.kind == TSR_TOK_colon) {
        tsr_parse_fail(p, "expected `->` before the type of the result");
    } else if (p->tok.kind == TSR_TOK_semicolon) {
        tsr_parse_fail_at(p, tsr_parse_span(p), TSR_E_SYNTAX,
                          "a function needs a body; WGSL needs no declaration before the use");
    }
    tsr_node body = tsr_parse_block(p, "to begin the function's body");

    uint32_t r = tsr_parse_record(p, X_FN_WORDS);
    tsr_parse_set(p, r, X_FN_name, name);
    tsr_parse_set(p, r, X_FN_params, params);
    tsr_parse_set(p, r, X_FN_result, result);
    tsr_parse_set(p, r, X_FN_result_attrs, result_attrs);
    tsr_parse_set(p, r, X_FN_body, body);
    tsr_parse_set(p, r, X_FN_attrs, attrs);
    return tsr_parse_node(p, TSR_N_fn, at, r, 0);
}

/* ---- What is no declaration ---------------------------------------------------------------------------------- */

/* What other languages write, and what to write instead. */
static const struct foreign {
    const char *word, *advice;
} foreign[] = {
    {"function", "functions begin with `fn`"},
    {"func", "functions begin with `fn`"},
    {"fun", "functions begin with `fn`"},
    {"def", "functions begin with `fn`"},
    {"void", "functions begin with `fn` and name no result when they have none"},
    {"type", "write `alias` for another name of a type"},
    {"typedef", "write `alias` for another name of a type"},
    {"using", "write `alias` for another name of a type"},
    {"static_assert", "write `const_assert`"},
    {"class", "write `struct`"},
    {"uniform", "write `var<uniform> name: type;`"},
    {"layout", "write `@group(0) @binding(0) var<...> name: type;`"},
    {"import", "a WGSL module is one text and imports nothing"},
    {"use", "a WGSL module is one text and imports nothing"},
    {"static", "write `var<private>` or `const`"},
};

static const char *const decl_words[] = {"fn",    "var",          "const",  "struct",   "override",
                                         "alias", "const_assert", "enable", "requires", "diagnostic"};

static void fail_word(tsr_parser *p)
{
    tsr_str word = tsr_parse_spelling(p);
    for (size_t i = 0; i < TSR_COUNT_OF(foreign); i++) {
        if (!tsr_str_is(word, foreign[i].word)) continue;
        tsr_parse_fail_at(p, tsr_parse_span(p), TSR_E_SYNTAX, "`%s` begins no declaration in WGSL; %s", foreign[i].word,
                          foreign[i].advice);
        return;
    }
    const char *near = tsr_parse_nearest(word, decl_words, TSR_COUNT_OF(decl_words));
    if (near)
        tsr_parse_fail_at(p, tsr_parse_span(p), TSR_E_SYNTAX, "`%.*s` begins no declaration; did you mean `%s`?",
                          (int)word.len, word.s, near);
    else if (tsr_parse_peek(p) == TSR_TOK_ident)
        tsr_parse_fail_at(p, tsr_parse_span(p), TSR_E_SYNTAX,
                          "WGSL declares with a keyword and puts the type last: `const name: type = value;`, "
                          "`var<private> name: type;` or `fn name() -> type { ... }`");
    else
        tsr_parse_fail(p, "expected a declaration (fn, struct, var, const, override, alias)");
}

static void fail_decl(tsr_parser *p)
{
    switch (p->tok.kind) {
    case TSR_TOK_ident:
    case TSR_TOK_reserved: fail_word(p); break;
    case TSR_TOK_let:
        tsr_parse_fail_at(p, tsr_parse_span(p), TSR_E_SYNTAX,
                          "`let` belongs in functions; module scope has `const` and `override`");
        break;
    case TSR_TOK_brace_right:
        tsr_parse_fail_at(p, tsr_parse_span(p), TSR_E_SYNTAX, "this `}` closes nothing; remove it");
        break;
    case TSR_TOK_bracket_left:
        if (tsr_parse_peek(p) == TSR_TOK_bracket_left)
            tsr_parse_fail_at(p, tsr_parse_span(p), TSR_E_SYNTAX,
                              "attributes are written `@name`, no longer `[[name]]`");
        else
            tsr_parse_fail(p, "expected a declaration (fn, struct, var, const, override, alias)");
        break;
    default:
        if (tsr_token_is_keyword((tsr_token_kind)p->tok.kind))
            tsr_parse_fail_at(p, tsr_parse_span(p), TSR_E_SYNTAX,
                              "`%s` belongs in a function; is there a `}` too many?",
                              tsr_token_text((tsr_token_kind)p->tok.kind));
        else
            tsr_parse_fail(p, "expected a declaration (fn, struct, var, const, override, alias)");
    }
}

/* global_decl, const_assert_statement ; */
tsr_node tsr_parse_decl(tsr_parser *p)
{
    tsr_list attrs = tsr_parse_attrs(p);
    tsr_node n = 0;
    switch (p->tok.kind) {
    case TSR_TOK_fn: return parse_function(p, attrs);
    case TSR_TOK_var:
    case TSR_TOK_override:
    case TSR_TOK_const: return parse_global_variable(p, attrs);
    case TSR_TOK_struct: refuse_attrs(p, attrs, "a `struct`"); return parse_struct(p);
    case TSR_TOK_alias: refuse_attrs(p, attrs, "an `alias`"); return parse_alias(p);
    case TSR_TOK_const_assert:
        refuse_attrs(p, attrs, "a `const_assert`");
        n = tsr_parse_const_assert(p);
        tsr_parse_semicolon(p, "the assertion");
        return n;
    default:
        if (attrs)
            tsr_parse_fail(p, "expected a declaration after the attributes");
        else
            fail_decl(p);
        return 0;
    }
}
