/* The syntax tree as text. */
#include "wgsl/ast.h"

#include "base/number.h"

#include <inttypes.h>

struct printer {
    tsr_text *out;
    const tsr_ast *ast;
};

const char *tsr_ast_op_text(tsr_ast_op op)
{
    static const char *const text[TSR_AST_OP_COUNT] = {
        [TSR_AST_none] = "",  [TSR_AST_neg] = "-",   [TSR_AST_not] = "!",  [TSR_AST_compl] = "~", [TSR_AST_deref] = "*",
        [TSR_AST_addr] = "&", [TSR_AST_add] = "+",   [TSR_AST_sub] = "-",  [TSR_AST_mul] = "*",   [TSR_AST_div] = "/",
        [TSR_AST_rem] = "%",  [TSR_AST_and] = "&",   [TSR_AST_or] = "|",   [TSR_AST_xor] = "^",   [TSR_AST_shl] = "<<",
        [TSR_AST_shr] = ">>", [TSR_AST_land] = "&&", [TSR_AST_lor] = "||", [TSR_AST_eq] = "==",   [TSR_AST_ne] = "!=",
        [TSR_AST_lt] = "<",   [TSR_AST_le] = "<=",   [TSR_AST_gt] = ">",   [TSR_AST_ge] = ">=",
    };
    return text[op];
}

static void print_node(struct printer *p, tsr_node n);

static void put(struct printer *p, const char *s)
{
    tsr_text_puts(p->out, s);
}

static void put_name(struct printer *p, tsr_sym name)
{
    tsr_str s = tsr_symbols_get(p->ast->symbols, name);
    tsr_text_add(p->out, s.s, s.len);
}

/* The items with `between` in between. */
static void print_list(struct printer *p, tsr_list list, const char *between)
{
    uint32_t count = tsr_ast_list_count(p->ast, list);
    for (uint32_t i = 0; i < count; i++) {
        if (i) put(p, between);
        print_node(p, tsr_ast_list_at(p->ast, list, i));
    }
}

static void print_attrs(struct printer *p, tsr_list attrs)
{
    print_list(p, attrs, " ");
    if (attrs) put(p, " ");
}

/* before, node, after; nothing when there is no node. */
static void print_part(struct printer *p, const char *before, tsr_node n, const char *after)
{
    if (n == 0) return;
    put(p, before);
    print_node(p, n);
    put(p, after);
}

/* ---- Expressions --------------------------------------------------------------------------------------------- */

static void put_suffix(struct printer *p, uint8_t suffix)
{
    char s[2] = {(char)suffix, 0};
    put(p, s);
}

static void print_int(struct printer *p, const tsr_ast_node *n)
{
    tsr_text_printf(p->out, "%" PRIu64, (uint64_t)n->b << 32 | n->a);
    put_suffix(p, n->op);
}

static void print_float(struct printer *p, const tsr_ast_node *n)
{
    char buf[40];
    put(p, tsr_format_f64(buf, tsr_f64_from_bits((uint64_t)n->b << 32 | n->a)));
    put_suffix(p, n->op);
}

static void print_ident(struct printer *p, const tsr_ast_node *n)
{
    put_name(p, n->a);
    if (n->b == 0) return;
    put(p, "<");
    print_list(p, n->b, ", ");
    put(p, ">");
}

static void print_call(struct printer *p, const tsr_ast_node *n)
{
    print_node(p, n->a);
    put(p, "(");
    print_list(p, n->b, ", ");
    put(p, ")");
}

static void print_unary(struct printer *p, const tsr_ast_node *n)
{
    put(p, "(");
    put(p, tsr_ast_op_text((tsr_ast_op)n->op));
    print_part(p, "", n->a, ")");
}

static void print_binary(struct printer *p, const tsr_ast_node *n)
{
    print_part(p, "(", n->a, " ");
    put(p, tsr_ast_op_text((tsr_ast_op)n->op));
    print_part(p, " ", n->b, ")");
}

static void print_index(struct printer *p, const tsr_ast_node *n)
{
    print_node(p, n->a);
    print_part(p, "[", n->b, "]");
}

static void print_member(struct printer *p, const tsr_ast_node *n)
{
    print_part(p, "", n->a, ".");
    put_name(p, n->b);
}

/* ---- Statements ---------------------------------------------------------------------------------------------- */

static uint32_t get(struct printer *p, const tsr_ast_node *n, uint32_t word)
{
    return tsr_ast_extra(p->ast, n, word);
}

static void print_block(struct printer *p, const tsr_ast_node *n)
{
    print_attrs(p, n->b);
    put(p, "{ ");
    print_list(p, n->a, " ");
    put(p, n->a ? " }" : "}");
}

static void print_variable(struct printer *p, const tsr_ast_node *n, const char *keyword)
{
    print_attrs(p, get(p, n, X_VAR_attrs));
    put(p, keyword);
    if (get(p, n, X_VAR_template)) {
        put(p, "<");
        print_list(p, get(p, n, X_VAR_template), ", ");
        put(p, ">");
    }
    put(p, " ");
    put_name(p, get(p, n, X_VAR_name));
    print_part(p, ": ", get(p, n, X_VAR_type), "");
    print_part(p, " = ", get(p, n, X_VAR_init), "");
    put(p, ";");
}

/* A chain of else-ifs in a loop: it may be long. */
static void print_if(struct printer *p, const tsr_ast_node *n)
{
    print_attrs(p, get(p, n, X_IF_attrs));
    for (;;) {
        print_part(p, "if ", get(p, n, X_IF_cond), " ");
        print_node(p, get(p, n, X_IF_then));
        tsr_node other = get(p, n, X_IF_else);
        if (other == 0) return;
        put(p, " else ");
        n = tsr_ast_at(p->ast, other);
        if (n->kind != TSR_N_if) {
            print_node(p, other);
            return;
        }
    }
}

static void print_switch(struct printer *p, const tsr_ast_node *n)
{
    print_attrs(p, get(p, n, X_SWITCH_attrs));
    print_part(p, "switch ", get(p, n, X_SWITCH_selector), " ");
    print_attrs(p, get(p, n, X_SWITCH_body_attrs));
    put(p, "{ ");
    print_list(p, get(p, n, X_SWITCH_clauses), " ");
    put(p, " }");
}

static void print_clause(struct printer *p, const tsr_ast_node *n)
{
    put(p, "case ");
    print_list(p, n->a, ", ");
    print_part(p, " ", n->b, "");
}

static void print_loop(struct printer *p, const tsr_ast_node *n)
{
    print_attrs(p, get(p, n, X_LOOP_attrs));
    print_part(p, "loop ", get(p, n, X_LOOP_body), "");
    print_part(p, " continuing ", get(p, n, X_LOOP_continuing), "");
    print_part(p, " break if ", get(p, n, X_LOOP_break_if), "");
}

static void print_for(struct printer *p, const tsr_ast_node *n)
{
    print_attrs(p, get(p, n, X_FOR_attrs));
    put(p, "for (");
    print_part(p, "", get(p, n, X_FOR_init), "");
    print_part(p, " ", get(p, n, X_FOR_cond), "");
    put(p, "; ");
    print_part(p, "", get(p, n, X_FOR_update), "");
    print_part(p, ") ", get(p, n, X_FOR_body), "");
}

static void print_while(struct printer *p, const tsr_ast_node *n)
{
    print_attrs(p, get(p, n, X_WHILE_attrs));
    print_part(p, "while ", get(p, n, X_WHILE_cond), " ");
    print_part(p, "", get(p, n, X_WHILE_body), "");
}

static void print_assign(struct printer *p, const tsr_ast_node *n)
{
    print_part(p, "", n->a, " ");
    put(p, tsr_ast_op_text((tsr_ast_op)n->op));
    print_part(p, "= ", n->b, ";");
}

static void print_return(struct printer *p, const tsr_ast_node *n)
{
    put(p, "return");
    print_part(p, " ", n->a, "");
    put(p, ";");
}

/* ---- Module scope -------------------------------------------------------------------------------------------- */

static void print_attr(struct printer *p, const tsr_ast_node *n)
{
    put(p, "@");
    put_name(p, n->a);
    if (n->b == 0) return;
    put(p, "(");
    print_list(p, n->b, ", ");
    put(p, ")");
}

static void print_field(struct printer *p, const tsr_ast_node *n)
{
    print_attrs(p, get(p, n, X_FIELD_attrs));
    put_name(p, get(p, n, X_FIELD_name));
    print_part(p, ": ", get(p, n, X_FIELD_type), "");
}

static void print_struct(struct printer *p, const tsr_ast_node *n)
{
    put(p, "struct ");
    put_name(p, n->a);
    put(p, " { ");
    print_list(p, n->b, ", ");
    put(p, " }");
}

static void print_fn(struct printer *p, const tsr_ast_node *n)
{
    print_attrs(p, get(p, n, X_FN_attrs));
    put(p, "fn ");
    put_name(p, get(p, n, X_FN_name));
    put(p, "(");
    print_list(p, get(p, n, X_FN_params), ", ");
    put(p, ")");
    if (get(p, n, X_FN_result)) {
        put(p, " -> ");
        print_attrs(p, get(p, n, X_FN_result_attrs));
        print_node(p, get(p, n, X_FN_result));
    }
    print_part(p, " ", get(p, n, X_FN_body), "");
}

static void print_alias(struct printer *p, const tsr_ast_node *n)
{
    put(p, "alias ");
    put_name(p, n->a);
    print_part(p, " = ", n->b, ";");
}

static void print_names(struct printer *p, const tsr_ast_node *n, const char *keyword)
{
    put(p, keyword);
    put(p, " ");
    print_list(p, n->a, ", ");
    put(p, ";");
}

static void print_diagnostic(struct printer *p, const tsr_ast_node *n)
{
    print_part(p, "diagnostic(", n->a, ", ");
    print_part(p, "", n->b, ");");
}

/* ---- All ----------------------------------------------------------------------------------------------------- */

static void print_node(struct printer *p, tsr_node node)
{
    const tsr_ast_node *n = tsr_ast_at(p->ast, node);
    switch ((tsr_node_kind)n->kind) {
    case TSR_N_none: put(p, "?"); break;
    case TSR_N_bool: put(p, n->a ? "true" : "false"); break;
    case TSR_N_int: print_int(p, n); break;
    case TSR_N_float: print_float(p, n); break;
    case TSR_N_ident: print_ident(p, n); break;
    case TSR_N_call: print_call(p, n); break;
    case TSR_N_index: print_index(p, n); break;
    case TSR_N_member: print_member(p, n); break;
    case TSR_N_unary: print_unary(p, n); break;
    case TSR_N_binary: print_binary(p, n); break;
    case TSR_N_paren: print_part(p, "{", n->a, "}"); break;
    case TSR_N_block: print_block(p, n); break;
    case TSR_N_var: print_variable(p, n, "var"); break;
    case TSR_N_let: print_variable(p, n, "let"); break;
    case TSR_N_const: print_variable(p, n, "const"); break;
    case TSR_N_assign: print_assign(p, n); break;
    case TSR_N_phony: print_part(p, "_ = ", n->a, ";"); break;
    case TSR_N_increment: print_part(p, "", n->a, "++;"); break;
    case TSR_N_decrement: print_part(p, "", n->a, "--;"); break;
    case TSR_N_call_stmt: print_part(p, "", n->a, ";"); break;
    case TSR_N_if: print_if(p, n); break;
    case TSR_N_switch: print_switch(p, n); break;
    case TSR_N_clause: print_clause(p, n); break;
    case TSR_N_default: put(p, "default"); break;
    case TSR_N_loop: print_loop(p, n); break;
    case TSR_N_for: print_for(p, n); break;
    case TSR_N_while: print_while(p, n); break;
    case TSR_N_break: put(p, "break;"); break;
    case TSR_N_continue: put(p, "continue;"); break;
    case TSR_N_return: print_return(p, n); break;
    case TSR_N_discard: put(p, "discard;"); break;
    case TSR_N_const_assert: print_part(p, "const_assert ", n->a, ";"); break;
    case TSR_N_override: print_variable(p, n, "override"); break;
    case TSR_N_alias: print_alias(p, n); break;
    case TSR_N_struct: print_struct(p, n); break;
    case TSR_N_field:
    case TSR_N_param: print_field(p, n); break;
    case TSR_N_fn: print_fn(p, n); break;
    case TSR_N_attr: print_attr(p, n); break;
    case TSR_N_enable: print_names(p, n, "enable"); break;
    case TSR_N_requires: print_names(p, n, "requires"); break;
    case TSR_N_diagnostic: print_diagnostic(p, n); break;
    case TSR_N_KIND_COUNT: break;
    }
}

void tsr_ast_print(tsr_text *out, const tsr_ast *ast)
{
    struct printer p = {out, ast};
    print_list(&p, ast->directives, " ");
    for (uint32_t i = 1; i < ast->decls.count; i++) {
        if (i > 1 || ast->directives) put(&p, " ");
        print_node(&p, ((const tsr_ast_decl *)tsr_pool_at(&ast->decls, i))->node);
    }
}
