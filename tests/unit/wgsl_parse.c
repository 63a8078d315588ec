/* The parser: trees of every rule, messages with their places, recovery, limits. Trees are shown by tsr_ast_print:
 * operators in parentheses, source parentheses as braces. */
#include "unit.h"

#include "wgsl/lex.h"
#include "wgsl/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct setup {
    tsr_arena arena;
    tsr_source source;
    tsr_diags diags;
    tsr_symbols symbols;
    tsr_ast ast;
    char *text;
    bool ok;
};

static void parse_bytes(struct setup *s, const char *text, size_t len)
{
    memset(s, 0, sizeof *s);
    tsr_arena_init(&s->arena, NULL);
    s->text = malloc(len ? len : 1);
    if (len) memcpy(s->text, text, len);
    s->source = (tsr_source){.name = "test", .text = s->text, .len = len};
    tsr_diags_init(&s->diags, &s->arena, &s->source);
    tsr_symbols_init(&s->symbols, &s->arena);
    s->ok = tsr_wgsl_parse(&s->ast, &s->arena, &s->symbols, &s->diags);
}

static void finish(struct setup *s)
{
    free(s->text);
    tsr_arena_fini(&s->arena);
}

static void show(struct setup *s, tsr_text *out)
{
    tsr_text_init(out, NULL);
    for (const tsr_diag *d = s->diags.first; d; d = d->next)
        tsr_diag_print(out, &s->diags, d, false);
    if (s->ok) tsr_ast_print(out, &s->ast);
}

/* The tree of a module; NULL: the text itself is expected. */
static void module(const char *text, const char *expected)
{
    struct setup s;
    tsr_text out;
    parse_bytes(&s, text, strlen(text));
    show(&s, &out);
    assert_string_equal(tsr_text_get(&out), expected ? expected : text);
    assert_true(s.ok);
    tsr_text_fini(&out);
    finish(&s);
}

/* An expression as `const x = ...;`, a statement inside `fn f() { ... }`. */
static void around(const char *before, const char *text, const char *after, const char *expected)
{
    char full[1000], wanted[1000];
    snprintf(full, sizeof full, "%s%s%s", before, text, after);
    snprintf(wanted, sizeof wanted, "%s%s%s", before, expected ? expected : text, after);
    module(full, wanted);
}

static void expr(const char *text, const char *expected)
{
    around("const x = ", text, ";", expected);
}

static void stmt(const char *text, const char *expected)
{
    around("fn f() { ", text, " }", expected);
}

/* Exactly these errors, "line:column: text", one a line; only the beginning of each text is compared. */
static void errors_bytes(const char *text, size_t len, const char *expected)
{
    struct setup s;
    parse_bytes(&s, text, len);
    assert_false(s.ok);
    const char *want = expected;
    bool same = true;
    for (const tsr_diag *d = s.diags.first; d; d = d->next) {
        uint32_t line, column;
        char got[2000];
        tsr_source_locate(&s.source, &s.arena, d->span.pos, &line, &column);
        snprintf(got, sizeof got, "%u:%u: %s", line, column, d->text);
        size_t n = strcspn(want, "\n");
        if (n == 0 || strncmp(got, want, n)) same = false;
        if (!same) printf("got: %s\nfor: %.300s\n", got, text);
        want += n + (want[n] == '\n');
    }
    if (*want) printf("missing: %s\nfor: %.300s\n", want, text);
    assert_true(same && *want == 0);
    finish(&s);
}

static void errors(const char *text, const char *expected)
{
    errors_bytes(text, strlen(text), expected);
}

static void stmt_error(const char *text, const char *expected)
{
    char full[1000];
    snprintf(full, sizeof full, "fn f() {\n%s\n}", text);
    errors(full, expected);
}

static void expr_error(const char *text, const char *expected)
{
    char full[1000];
    snprintf(full, sizeof full, "const x =\n%s;", text);
    errors(full, expected);
}

/* ---- Trees --------------------------------------------------------------------------------------------------- */

static void literals(void **state)
{
    (void)state;
    expr("1", NULL);
    expr("0x10u", "16u");
    expr("9223372036854775807", NULL);
    expr("1.5f", NULL);
    expr("1h", "1.0h");
    expr("0x1p4", "16.0");
    expr("true", NULL);
    expr("false", NULL);
}

static void operators(void **state)
{
    (void)state;
    expr("a + b * c", "(a + (b * c))");
    expr("a - b - c", "((a - b) - c)");
    expr("a / b % c * d", "(((a / b) % c) * d)");
    expr("-a * !b + ~c", "(((-a) * (!b)) + (~c))");
    expr("- - -a", "(-(-(-a)))");
    expr("a--b", "(a - (-b))");
    expr("--a", "(-(-a))");
    expr("&&a", "(&(&a))");
    expr("a && &b", "(a && (&b))");
    expr("a&&&b", "(a && (&b))");
    expr("*p + *q", "((*p) + (*q))");
    expr("a << b", "(a << b)");
    expr("-a >> b", "((-a) >> b)");
    expr("a << b == c << d", "((a << b) == (c << d))");
    expr("a + b < c * d", "((a + b) < (c * d))");
    expr("a >= b", "(a >= b)");
    expr("a == b && c != d && e", "(((a == b) && (c != d)) && e)");
    expr("a || b < c || d", "((a || (b < c)) || d)");
    expr("a & b & c", "((a & b) & c)");
    expr("a | -b | c", "((a | (-b)) | c)");
    expr("a ^ b", "(a ^ b)");
    expr("(a & b) == (c | d)", "({(a & b)} == {(c | d)})");
    expr("(a + b) << (c + d)", "({(a + b)} << {(c + d)})");
    expr("(a < b) == (c < d)", "({(a < b)} == {(c < d)})");
}

static void primaries(void **state)
{
    (void)state;
    expr("f()", NULL);
    expr("f(a, b,)", "f(a, b)");
    expr("vec4<f32>(1.0, 2.0)", NULL);
    expr("array<vec4<f32>, 4>()", NULL);
    expr("array<array<f32, N * 2>, 3>()", "array<array<f32, (N * 2)>, 3>()");
    expr("a[1][i + 1].b.xyz", "a[1][(i + 1)].b.xyz");
    expr("f(a)[1].x", NULL);
    expr("(a).b", "{a}.b");
    expr("-a.b[c]", "(-a.b[c])");
    expr("*p.x", "(*p.x)");
    expr("(*p).x", "{(*p)}.x");
    expr("((a))", "{{a}}");
    expr("f(a < b, (c > d))", "f((a < b), {(c > d)})");
    expr("subgroup_matrix_left<f16, 8, 8>(1.0h)", NULL);
    expr("a<b>", NULL);
    expr("bitcast<u32>(a >> 1)", "bitcast<u32>((a >> 1))");
}

static void declarations(void **state)
{
    (void)state;
    module("", "");
    module(";;", "");
    module("const a: i32 = 1;", NULL);
    module("override a: f32;", NULL);
    module("@id(1) override a = 2;", NULL);
    module("var<private> a: u32;", NULL);
    module("var<workgroup> a: array<u32, 4>;", NULL);
    module("@group(0) @binding(1) var<storage, read_write> a: array<f32>;", NULL);
    module("@group(0) @binding(1) var t: texture_2d<f32>;", NULL);
    module("var<private> a = 1.0;", NULL);
    module("alias a = vec3<f32>;", NULL);
    module("const_assert 1 < 2;", "const_assert (1 < 2);");
    module("struct S { a: i32 }", NULL);
    module("struct S { @align(16) a: i32, @size(32) b: array<f32, 2>, };",
           "struct S { @align(16) a: i32, @size(32) b: array<f32, 2> }");
    module("fn f() { }", "fn f() { }");
    module("fn f(a: i32, @builtin(x) b: f32,) -> i32 { return a; }",
           "fn f(a: i32, @builtin(x) b: f32) -> i32 { return a; }");
    module("@must_use fn f() -> @location(0) vec4f { }", NULL);
    module("@compute @workgroup_size(8, W / 2, 1,) fn f() { }", "@compute @workgroup_size(8, (W / 2), 1) fn f() { }");
    module("@interpolate(flat, either) @invariant @const @diagnostic(off, a.b) var<private> x: i32;", NULL);
    module("@strange(1, two) var<private> x: i32;", NULL);
    module("fn f() @diagnostic(off, a) { }", NULL);
}

static void directives(void **state)
{
    (void)state;
    module("enable f16;", NULL);
    module("enable f16, subgroups, ;", "enable f16, subgroups;");
    module("requires a, b; diagnostic(off, derivative_uniformity); diagnostic(error, chromium.x,); enable f16; const a "
           "= 1;",
           "requires a, b; diagnostic(off, derivative_uniformity); diagnostic(error, chromium.x); enable f16; const a "
           "= 1;");
}

static void simple_statements(void **state)
{
    (void)state;
    stmt("var a: i32;", NULL);
    stmt("var<function> a = 1;", NULL);
    stmt("let a: i32 = 1; const b = a;", NULL);
    stmt("a = b;", NULL);
    stmt("a += 1; b -= 2; c *= 3; d /= 4; e %= 5; f &= 6; g |= 7; h ^= 8; i <<= 9; j >>= 10;", NULL);
    stmt("a++; b--;", NULL);
    stmt("a.b[1].c = d;", NULL);
    stmt("*p = 1;", "(*p) = 1;");
    stmt("*p.x = 1;", "(*p.x) = 1;");
    stmt("(*p).x++;", "{(*p)}.x++;");
    stmt("(a) = 1;", "{a} = 1;");
    stmt("*&a = 1;", "(*(&a)) = 1;");
    stmt("&&a = 1;", "(&(&a)) = 1;");
    stmt("_ = f(1);", NULL);
    stmt("f(); g(1, 2); h<f32>(3);", NULL);
    stmt("return; return a + 1;", "return; return (a + 1);");
    stmt("discard; const_assert true;", NULL);
    stmt(";;; a = 1;;", "a = 1;");
    stmt("a = a<b;", "a = (a < b);");
    stmt("a = array<u32, 2>(1, 2)[0];", NULL);
}

static void compound_statements(void **state)
{
    (void)state;
    stmt("{ } { a = 1; }", NULL);
    stmt("@diagnostic(off, x) { }", NULL);
    stmt("if a { }", NULL);
    stmt("if (a) { } else { b = 1; }", "if {a} { } else { b = 1; }");
    stmt("if a < b { } else if (c) { } else if d { } else { }",
         "if (a < b) { } else if {c} { } else if d { } else { }");
    stmt("@a if a @b { } else @c { }", NULL);
    stmt("while a < b { c(); }", "while (a < b) { c(); }");
    stmt("for (;;) { }", "for (; ) { }");
    stmt("for (var i = 0; i < 10; i++) { break; continue; }", "for (var i = 0; (i < 10); i++;) { break; continue; }");
    stmt("for (f(); ; i += 1) { }", "for (f();; i += 1;) { }");
    stmt("loop { }", NULL);
    stmt("loop { a = 1; continuing { a++; break if a > 3; } }", "loop { a = 1; } continuing { a++; } break if (a > 3)");
    stmt("@a loop @b { continuing @c { } }", "@a loop @b { } continuing @c { }");
    stmt("switch a { case 1, 2u, { } default { } }", "switch a { case 1, 2u { } case default { } }");
    stmt("switch (a) { case 1: { } case default, 3: { } }", "switch {a} { case 1 { } case default, 3 { } }");
    stmt("@a switch a @b { default: @c { break; } }", "@a switch a @b { case default @c { break; } }");
}

/* Every node of a declaration lies in its range, and ranges follow each other. */
static void ranges(void **state)
{
    (void)state;
    struct setup s;
    const char *text =
        "enable f16; const a = 1 + 2; @id(3) override b = a; fn f(x: vec2<f32>) { if (x.x < 1) { return; } }";
    parse_bytes(&s, text, strlen(text));
    assert_true(s.ok);
    assert_int_equal(s.ast.decls.count, 4);
    tsr_node at = 0;
    for (uint32_t i = 1; i < s.ast.decls.count; i++) {
        const tsr_ast_decl *d = tsr_pool_at(&s.ast.decls, i);
        assert_true(at == 0 || d->first == at);
        assert_true(d->node >= d->first && d->node < d->last);
        at = d->last;
    }
    assert_int_equal(at, s.ast.nodes.count);
    finish(&s);
}

static void spans(void **state)
{
    (void)state;
    struct setup s;
    const char *text = "const abc = f(1,  2) + x[3];";
    parse_bytes(&s, text, strlen(text));
    const tsr_ast_decl *d = tsr_pool_at(&s.ast.decls, 1);
    const tsr_ast_node *n = tsr_ast_at(&s.ast, d->node);
    assert_int_equal(n->pos, 6);
    assert_int_equal(n->end, 9);
    const tsr_ast_node *sum = tsr_ast_at(&s.ast, tsr_ast_extra(&s.ast, n, X_VAR_init));
    assert_int_equal(sum->pos, 12);
    assert_int_equal(sum->end, 27);
    const tsr_ast_node *call = tsr_ast_at(&s.ast, sum->a);
    assert_int_equal(call->end, 20);
    finish(&s);
}

/* ---- Messages ------------------------------------------------------------------------------------------------ */

static void precedence(void **state)
{
    (void)state;
    expr_error("a && b || c", "2:8: `||` after `&&` needs parentheses");
    expr_error("a || b && c || d", "2:8: `&&` after `||` needs parentheses");
    expr_error("a & b | c", "2:7: `|` after `&` needs parentheses");
    expr_error("a & b + c", "2:7: `+` after `&` needs parentheses");
    expr_error("a + b & c", "2:7: `&` after `+` needs parentheses");
    expr_error("a << b << c", "2:8: `<<` after `<<` needs parentheses");
    expr_error("a << b + c", "2:8: `+` after `<<` needs parentheses");
    expr_error("a + b << c", "2:7: `<<` after `+` needs parentheses");
    expr_error("a < b < c", "2:7: comparisons do not chain");
    expr_error("a == b == c", "2:8: comparisons do not chain");
    expr_error("a & b == c", "2:7: `==` after `&` needs parentheses");
    expr_error("a == b & c", "2:8: `&` after `==` needs parentheses");
    expr_error("a < b & c", "2:7: `&` after `<` needs parentheses");
    expr_error("f(a & b << 1, c | d ^ e)", "2:9: `<<` after `&` needs\n2:21: `^` after `|` needs");
}

static void expression_errors(void **state)
{
    (void)state;
    expr_error("", "2:1: expected an expression, found `;`");
    expr_error("1 +", "2:4: expected an expression, found `;`");
    expr_error("+1", "2:1: WGSL has no unary `+`");
    expr_error("(1", "2:3: expected `)`, found `;`");
    expr_error("f(1 2)", "2:5: expected `,` or `)`, found `2`");
    expr_error("f(1,,2)", "2:5: expected an expression, found `,`");
    expr_error("a[1", "2:4: expected `]`, found `;`");
    expr_error("a[]", "2:3: expected an expression, found `]`");
    expr_error("a.", "2:3: expected the name of a member after `.`, found `;`");
    expr_error("a.1", "2:2: expected `;` after the declaration");
    expr_error("vec2<>(1)", "2:5: a template list needs at least one argument");
    expr_error("a b", "2:2: expected `;` after the declaration");
    expr_error("if", "2:1: expected an expression, found the keyword `if`");
    expr_error("_", "2:1: `_` has no value");
    expr_error("i++", "2:2: `++` is a statement");
    expr_error("a ? b : c", "2:3: WGSL has no `?:`");
    expr_error("\"text\"", "2:1: WGSL has no strings");
    expr_error("012", "2:1: an integer must not start with 0");
    expr_error("1u32", "2:1: `1u32` is no number");
    expr_error("2147483648i", "2:1: `2147483648i` does not fit i32");
    expr_error("4294967296u", "2:1: `4294967296u` does not fit u32");
    expr_error("9223372036854775808", "2:1: `9223372036854775808` does not fit any integer type");
    expr_error("1e40f", "2:1: `1e40f` does not fit f32");
    expr_error("1e5h", "2:1: `1e5h` does not fit f16");
    expr_error("1e400", "2:1: `1e400` does not fit f64");
    expr_error("0x1.00000001p0f", "2:1: `0x1.00000001p0f` cannot be represented exactly in f32");
    expr_error("__a", "2:1: a name must not start with two underscores");
    expr_error("type", "2:1: `type` is a reserved word");
}

static void declaration_errors(void **state)
{
    (void)state;
    errors("x", "1:1: expected a declaration");
    errors("1;", "1:1: expected a declaration");
    errors("}", "1:1: this `}` closes nothing");
    errors("let a = 1;", "1:1: `let` belongs in functions");
    errors("int a = 1;", "1:1: WGSL declares with a keyword");
    errors("function f() { }", "1:1: `function` begins no declaration in WGSL; functions begin with `fn`");
    errors("strct S { a: i32 }", "1:1: `strct` begins no declaration; did you mean `struct`?");
    errors("type a = i32;", "1:1: `type` begins no declaration in WGSL; write `alias`");
    errors("#define X 1\nconst a = 1;", "1:1: `#` starts nothing in WGSL");
    errors("[[block]] struct S { a: i32 }", "1:1: attributes are written `@name`");
    errors("return 1;", "1:1: `return` belongs in a function");
    errors("const a;", "1:8: expected `=` and a value");
    errors("const a = 1", "1:12: expected `;` after the declaration");
    errors("const a = 1\nconst b = 2;", "1:12: expected `;` after the declaration");
    errors("const = 1;", "1:7: expected a name for what is declared, found `=`");
    errors("const if = 1;", "1:7: expected a name for what is declared, but `if` is a keyword");
    errors("const _ = 1;", "1:7: `_` alone is no name");
    errors("const new = 1; const a = new;", "1:7: `new` is a reserved word");
    errors("const __a = 1;", "1:7: a name must not start with two underscores");
    errors("const a: = 1;", "1:10: expected a type, found `=`");
    errors("var<> a: i32;", "1:4: expected an address space");
    errors("var<storage a: i32;", "1:4: expected a name for what is declared, found `<`");
    errors("alias a i32;", "1:9: expected `=` after the alias's name, found `i32`");
    errors("struct S { }", "1:8: a struct needs at least one member");
    errors("struct { a: i32 }", "1:8: expected a name for the struct");
    errors("struct S { a: i32; b: i32; }", "1:18: members of a struct are separated by `,`");
    errors("struct S { a: i32 b: i32 }", "1:18: expected `,` between members");
    errors("struct S { float a; }", "1:12: WGSL puts the name first");
    errors("struct S { a }", "1:14: expected `:` and a type after the member's name");
    errors("struct S { a: i32", "1:18: expected `}`, found the end of the file");
    errors("@align(4) struct S { a: i32 }", "1:2: a `struct` has no attributes");
    errors("@id(1) const a = 1;", "1:2: a `const` has no attributes");
    errors("@compute;", "1:9: expected a declaration after the attributes");
    errors("@size() var<private> a: i32;", "1:6: an attribute's parentheses are never empty");
    errors("@", "1:2: expected the name of an attribute after `@`");
    errors("fn f { }", "1:6: expected `(` after the function's name");
    errors("fn f() -> { }", "1:11: expected a type, found `{`");
    errors("fn f(): i32 { }", "1:7: expected `->` before the type of the result");
    errors("fn f();", "1:7: a function needs a body");
    errors("fn f(int a) { }", "1:6: WGSL puts the name first");
    errors("fn f(a) { }", "1:7: expected `:` and a type");
    errors("fn f<T>(a: T) { }", "1:5: WGSL functions have no template parameters");
    errors("fn f() { a = 1;", "1:16: expected `}`, found the end of the file");
    errors("const a = 1; enable f16;", "1:14: directives stand before all declarations");
    errors("; requires a;", "1:3: directives stand before all declarations");
    errors("enable;", "1:7: expected the name of an extension");
    errors("enable f16", "1:11: expected `;` after the directive");
    errors("diagnostic(off);", "1:15: expected `,` after the severity");
    errors("diagnostic(off, a.b.c);", "1:20: expected `)`");
}

static void statement_errors(void **state)
{
    (void)state;
    stmt_error("a = 1", "2:6: expected `;` after the statement");
    stmt_error("a", "3:1: expected `=`, an operator such as `+=`");
    stmt_error("a + 1;", "2:3: expected `=`, an operator such as `+=`");
    stmt_error("a == 1;", "2:3: expected `=`, an operator such as `+=`");
    stmt_error("1 = a;", "2:1: expected a statement, found `1`");
    stmt_error("f() = 1;", "2:5: expected `;` after the statement, found `=`");
    stmt_error("++a;", "2:1: WGSL writes `++` behind the variable");
    stmt_error("b = a++;", "2:6: `++` is a statement of its own");
    stmt_error("b = a--;", "2:6: `--` is a statement of its own");
    stmt_error("int a = 1;", "2:1: WGSL puts the type behind the name");
    stmt_error("retrun 1;", "2:1: `retrun` begins no statement; did you mean `return`?");
    stmt_error("do { } while (a);", "2:1: WGSL has no `do`");
    stmt_error("if a { } elif (b) { }", "2:10: WGSL has no `elif`");
    stmt_error("else { }", "2:1: this `else` follows no `if`");
    stmt_error("if a return;", "2:6: expected `{` after the condition");
    stmt_error("if a { } else return;", "2:15: expected `{` or `if` after `else`");
    stmt_error("if { }", "2:4: expected an expression, found `{`");
    stmt_error("while a;", "2:8: expected `{` after the condition");
    stmt_error("for (i = 0, i < 3; i++) { a = 1; }", "2:11: expected `;` after the first part");
    stmt_error("for (;; let a = 1) { }", "2:9: expected an assignment or a call");
    stmt_error("for i { }", "2:5: expected `(` after `for`");
    stmt_error("loop a { }", "2:6: expected `{` after `loop`");
    stmt_error("loop { continuing { } a = 1; }", "2:23: expected `}`: `continuing` is the last");
    stmt_error("loop { continuing { break if a; b = 1; } }", "2:33: expected `}`: `break if` is the last");
    stmt_error("continuing { }", "2:1: `continuing` is only for the end of a `loop`");
    stmt_error("loop { break if a; }", "2:14: `break if` is only for the end of a `continuing`");
    stmt_error("switch a { }", "2:1: a switch needs at least a `default` clause");
    stmt_error("switch a { 1: { } }", "2:12: expected `case`, `default` or `}`");
    stmt_error("switch a { case : { } }", "2:17: expected an expression, found `:`");
    stmt_error("switch a { case 1: b = 1; }", "2:20: expected `{` to begin the clause's body");
    stmt_error("case 1: { }", "2:1: expected a statement or `}`");
    stmt_error("@a b = 1;", "2:2: only blocks, if, switch, loop, for and while have attributes");
    stmt_error("_ += 1;", "2:3: `_` takes only `=`");
    stmt_error("var a: i32 b;", "2:11: expected `;` after the statement");
    stmt_error("let a;", "2:6: expected `=` and a value");
    stmt_error("vec2<f32>;", "2:10: expected `(`");
    stmt_error("(a + b) = 1;", "2:4: expected `)`, found `+`");
    stmt_error("*1 = 2;", "2:2: expected a variable to assign to");
    stmt_error("return", "2:7: expected `;` after `return`");
    stmt_error("override a = 1;", "2:1: `override` belongs at module scope");
    stmt_error("a = b $ c;", "2:7: `$` starts nothing in WGSL");
}

/* ---- Recovery ------------------------------------------------------------------------------------------------ */

static void one_mistake_one_message(void **state)
{
    (void)state;
    errors("const a = ;\nconst b = ;\nfn f() { }", "1:11: expected an expression\n2:11: expected an expression");
    errors("fn f() {\n  let a = ;\n  let b = 1;\n  let c = (1;\n  if a b { c = ; }\n}\nconst d = ;",
           "2:11: expected an expression\n4:13: expected `)`\n5:8: expected `{`\n7:11: expected an expression");
    errors("fn f() {\n  if a {\n    b = 1\n  }\n  else { c = }\n}",
           "3:10: expected `;`\n5:14: expected an expression, found `}`");
    errors("fn f() {\n  a = 1;\n@compute @workgroup_size(1)\nfn g() {\n b = ;\n}",
           "4:1: `fn` belongs at module scope; is there a `}` missing\n5:6: expected an expression");
    errors("fn f() {\n  a = 1;\nfn g() { b = 1; }\nstruct S { a: i32, }\n const c = ;",
           "3:1: `fn` belongs at module scope\n5:12: expected an expression");
    errors("fn f(a: i32 { b = 1; }\nfn g() { }\nconst a = ;", "1:13: expected `)`\n3:11: expected an expression");
    errors("struct S { a: , b: i32 }\nconst a = ;", "1:15: expected a type\n2:11: expected an expression");
    errors("fn f() { for (var i = 0 i < 3; i++) { a = 1; } b = ; }",
           "1:24: expected `;`\n1:52: expected an expression");
    errors("fn f() { a = 1; } }\nfn g() { }", "1:19: this `}` closes nothing");
    errors("fn f() { let type = 1; type = 2; let type2 = type; }", "1:14: `type` is a reserved word");
    errors("@compute @group( var a: i32;\nconst b = ;", "1:18: expected an expression\n2:11: expected an expression");
    errors("fn f() { switch a { case 1: { b = ; } case 2: { c = ; } } }",
           "1:35: expected an expression\n1:53: expected an expression");
}

static void bad_text(void **state)
{
    (void)state;
    errors_bytes("\xef\xbb\xbf"
                 "fn f() { }",
                 13, "1:1: the text starts with a byte order mark");
    errors_bytes("f\0n\0 \0", 6, "1:1: the text looks like UTF-16");
    errors_bytes("fn f() { \0 }", 12, "1:10: the text holds a null character");
    errors_bytes("// \0", 4, "1:4: the text holds a null character");
    errors("const a = 1; // \xff", "1:17: byte 0xFF is not UTF-8");
    errors("const a = 1; /* /* */", "1:14: this comment has no end");
    errors_bytes("\x7f"
                 "ELF\2\1\1\0\0\0",
                 10, "1:1: control character U+007F");
}

/* A text cut off anywhere is an error or a smaller program, never more. */
static void truncated(void **state)
{
    (void)state;
    static const char text[] =
        "enable f16;\n@group(0) @binding(1) var<storage, read_write> b: array<vec4<f32>>;\nstruct S { @size(16) a: "
        "i32, }\n"
        "@compute @workgroup_size(8, 8) fn main(@builtin(local_invocation_id) id: vec3<u32>) -> f32 {\n"
        "  for (var i = 0u; i < 10u; i += 1u) { if (b[i].x < 0x1.8p3f && !c) { continue; } else if d { break; } }\n"
        "  loop { a[1] = -2; continuing { break if a >> 3u == 1; } } switch a { case 1, default: { _ = f(1); } }\n"
        "  return vec3<f32>(1.0, a--b, /* x */ *p).x; // end\n}\n";
    for (size_t len = 0; len < sizeof text; len++) {
        struct setup s;
        parse_bytes(&s, text, len);
        assert_true(s.ok == (s.diags.error_count == 0));
        finish(&s);
    }
}

/* ---- Limits -------------------------------------------------------------------------------------------------- */

static char *repeat(const char *before, const char *unit, size_t count, const char *after, size_t *len)
{
    size_t b = strlen(before), u = strlen(unit), a = strlen(after);
    char *text = malloc(b + u * count + a + 1);
    memcpy(text, before, b);
    for (size_t i = 0; i < count; i++)
        memcpy(text + b + i * u, unit, u);
    memcpy(text + b + u * count, after, a + 1);
    *len = b + u * count + a;
    return text;
}

/* NULL: no error. */
static void repeated(const char *before, const char *unit, size_t count, const char *after, const char *error)
{
    size_t len;
    char *text = repeat(before, unit, count, after, &len);
    struct setup s;
    parse_bytes(&s, text, len);
    if (error) {
        assert_int_equal(s.diags.error_count, 1);
        assert_non_null(strstr(s.diags.first->text, error));
    } else {
        assert_int_equal(s.diags.error_count, 0);
    }
    finish(&s);
    free(text);
}

static void deep_expressions(void **state)
{
    (void)state;
    static const char deep[] = "nested more than";
    enum { MANY = 100000 };
    repeated("const a = ", "(", MANY, "", deep);
    repeated("const a = ", "-", MANY, "1;", deep);
    repeated("const a = ", "- ", MANY, "1;", deep);
    repeated("const a = ", "!", MANY, "1;", deep);
    repeated("const a = ", "&", MANY, "1;", deep);
    repeated("const a = ", "f(", MANY, "", deep);
    repeated("const a = ", "a[", MANY, "", deep);
    repeated("const a = x", "[0]", MANY, ";", deep);
    repeated("const a = x", ".x", MANY, ";", deep);
    repeated("const a = 1", "+ a", MANY, ";", deep);
    repeated("const a = 1", "&& a", MANY, ";", deep);
    repeated("const a = 1", "| a", MANY, ";", deep);
    repeated("fn f() { ", "*", MANY, "a = 1; }", deep);
    repeated("fn f() { ", "(", MANY, "a = 1; }", deep);
    repeated("fn f() { a", "[0]", MANY, " = 1; }", deep);
    size_t len;
    char *types = repeat("alias a = ", "array<", MANY, "f32", &len);
    size_t with_ends;
    char *closed = repeat(types, ">", MANY, ";", &with_ends);
    struct setup s;
    parse_bytes(&s, closed, with_ends);
    assert_int_equal(s.diags.error_count, 1);
    assert_non_null(strstr(s.diags.first->text, deep));
    finish(&s);
    free(types);
    free(closed);
    repeated("alias a = ", "array<", MANY, "f32", "expected `;`"); /* no template list: comparisons */
    repeated("const a = (1", "+ a", TSR_EXPR_HEIGHT_MAX - 2, ");", NULL);
    repeated("const a = (1", "+ a", TSR_EXPR_HEIGHT_MAX, ");", deep);
}

static void wide_is_not_deep(void **state)
{
    (void)state;
    enum { MANY = 100000 };
    repeated("const a = f(1", ", a", MANY, ");", NULL);
    repeated("", "const a = 1;", MANY, "", NULL);
    repeated("fn f() { ", "a = 1;", MANY, "}", NULL);
    repeated("", ";", MANY, "", NULL);
    repeated("fn f() { ", ";", MANY, "}", NULL);
    repeated("", "@a ", MANY, "var<private> a: i32;", NULL);
    repeated("enable a", ", a", MANY, ";", NULL);
    repeated("struct S { a: i32", ", a: i32", MANY, "}", NULL);
    repeated("", "/*", MANY, "", "this comment has no end");
    repeated("const ", "a", MANY, " = 1;", NULL);
    repeated("const a = 1.", "1", MANY, ";", NULL);
    repeated("const a = 0x1.", "1", MANY, ";", NULL);
    repeated("const a = ", "1", MANY, ";", "does not fit");
}

static void deep_statements(void **state)
{
    (void)state;
    static const char deep[] = "nested more than";
    enum { MANY = 100000 };
    repeated("fn f() ", "{", MANY, "", deep);
    repeated("fn f() { ", "if a {", MANY, "", deep);
    repeated("fn f() { ", "loop {", MANY, "", deep);
    repeated("fn f() { ", "loop { continuing {", MANY, "", deep);
    repeated("fn f() { ", "switch a { default {", MANY, "", deep);
    repeated("fn f() { if a { }", " else if b { }", MANY, " }", "more than 1000 `else if`");
    repeated("fn f() { if a { }", " else if b { }", TSR_ELSE_IF_MAX, " else { } }", NULL);
    size_t len;
    char *open = repeat("fn f() ", "{", TSR_BRACE_DEPTH_MAX, "", &len);
    repeated(open, "}", TSR_BRACE_DEPTH_MAX, "", NULL);
    free(open);
    open = repeat("fn f() ", "{", TSR_BRACE_DEPTH_MAX + 1, "", &len);
    repeated(open, "}", TSR_BRACE_DEPTH_MAX + 1, "", deep);
    free(open);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(literals),
        cmocka_unit_test(operators),
        cmocka_unit_test(primaries),
        cmocka_unit_test(declarations),
        cmocka_unit_test(directives),
        cmocka_unit_test(simple_statements),
        cmocka_unit_test(compound_statements),
        cmocka_unit_test(ranges),
        cmocka_unit_test(spans),
        cmocka_unit_test(precedence),
        cmocka_unit_test(expression_errors),
        cmocka_unit_test(declaration_errors),
        cmocka_unit_test(statement_errors),
        cmocka_unit_test(one_mistake_one_message),
        cmocka_unit_test(bad_text),
        cmocka_unit_test(truncated),
        cmocka_unit_test(deep_expressions),
        cmocka_unit_test(wide_is_not_deep),
        cmocka_unit_test(deep_statements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
