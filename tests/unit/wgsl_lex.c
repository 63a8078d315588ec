/* The lexer: tokens, template lists, names, numbers, comments, and what is no WGSL at all. */
#include "unit.h"

#include "wgsl/lex.h"

#include "base/number.h"
#include "wgsl/unicode_ident.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct setup {
    tsr_arena arena;
    tsr_symbols symbols;
    tsr_lexer lexer;
};

static void start(struct setup *s, const char *text, size_t len)
{
    tsr_arena_init(&s->arena, NULL);
    tsr_symbols_init(&s->symbols, &s->arena);
    tsr_lex_init(&s->lexer, &s->arena, &s->symbols, text, len);
}

/* All tokens as one line: template delimiters as « and », numbers with their suffix, errors by number. */
static char *list_tokens(const char *text, size_t len)
{
    struct setup s;
    char *copy = malloc(len ? len : 1); /* exactly as long, so that ASan sees reads behind the end */
    memcpy(copy, text, len);
    start(&s, copy, len);
    tsr_text out;
    tsr_text_init(&out, NULL);
    for (uint32_t i = 0;; i++) {
        if (i == s.lexer.count) {
            if (s.lexer.done) break;
            tsr_lex_more(&s.lexer, i);
            i = 0;
        }
        const tsr_token *t = &s.lexer.tokens[i];
        if (out.len) tsr_text_puts(&out, " ");
        if (t->kind == TSR_TOK_end) {
            tsr_text_puts(&out, "end");
            break;
        }
        if (t->kind == TSR_TOK_template_start)
            tsr_text_puts(&out, "\xc2\xab");
        else if (t->kind == TSR_TOK_template_end)
            tsr_text_puts(&out, "\xc2\xbb");
        else if (t->kind == TSR_TOK_error)
            tsr_text_printf(&out, "error%u", (unsigned)t->value);
        else
            tsr_text_add(&out, copy + t->pos, t->len);
        if (t->kind == TSR_TOK_reserved) tsr_text_puts(&out, "!");
        if (t->kind == TSR_TOK_float) tsr_text_puts(&out, ":f");
        if (t->kind == TSR_TOK_int) tsr_text_puts(&out, ":i");
    }
    char *result = strdup(tsr_text_get(&out));
    tsr_text_fini(&out);
    tsr_arena_fini(&s.arena);
    free(copy);
    return result;
}

static void expect_bytes(const char *text, size_t len, const char *expected)
{
    char *got = list_tokens(text, len);
    if (strcmp(got, expected)) printf("text: %s\n", text);
    assert_string_equal(got, expected);
    free(got);
}

static void expect(const char *text, const char *expected)
{
    expect_bytes(text, strlen(text), expected);
}

static void punctuation(void **state)
{
    (void)state;
    expect("", "end");
    expect("()[]{};:,.@~", "( ) [ ] { } ; : , . @ ~ end");
    expect("+ ++ += - -- -= -> * *= / /= % %=", "+ ++ += - -- -= -> * *= / /= % %= end");
    expect("& && &= | || |= ^ ^= ! !=", "& && &= | || |= ^ ^= ! != end");
    expect("= == < <= << <<= > >= >> >>=", "= == < <= << <<= > >= >> >>= end");
    expect("+++", "++ + end");
    expect("a&&&b", "a && & b end");
    expect("a.b.c", "a . b . c end");
    expect("a..b", "a . . b end");
    expect("#", "error5 end");
    expect("a $ \" ? \\ `", "a error5 error5 error5 error5 error5 end");
}

static void template_lists(void **state)
{
    (void)state;
    expect("vec4<f32>", "vec4 \xc2\xab f32 \xc2\xbb end");
    expect("array<vec4<f32>>", "array \xc2\xab vec4 \xc2\xab f32 \xc2\xbb \xc2\xbb end");
    expect("array<vec4<f32>>=", "array \xc2\xab vec4 \xc2\xab f32 \xc2\xbb \xc2\xbb = end");
    expect("a<b>=c", "a \xc2\xab b \xc2\xbb = c end");
    expect("var<storage,read_write>", "var \xc2\xab storage , read_write \xc2\xbb end");
    expect("a < b", "a < b end");
    expect("a < b;c > d", "a < b ; c > d end");
    expect("a < b = c > d", "a < b = c > d end");
    expect("a < b { c > d", "a < b { c > d end");
    expect("a < b : c > d", "a < b : c > d end");
    expect("a<b || c>d", "a < b || c > d end");
    expect("a<b && c>d", "a < b && c > d end");
    expect("a(b<c, d>(e))", "a ( b \xc2\xab c , d \xc2\xbb ( e ) ) end");
    expect("array<i32,select(2,3,a>b)>", "array \xc2\xab i32 , select ( 2:i , 3:i , a > b ) \xc2\xbb end");
    expect("a[b<d]>()", "a [ b < d ] > ( ) end");
    expect("A<B<<C>", "A \xc2\xab B << C \xc2\xbb end");
    expect("A<B<=C>", "A \xc2\xab B <= C \xc2\xbb end");
    expect("A<(B>=C)>", "A \xc2\xab ( B >= C ) \xc2\xbb end");
    expect("A<(B>>C)>", "A \xc2\xab ( B >> C ) \xc2\xbb end");
    expect("A<(B!=C)>", "A \xc2\xab ( B != C ) \xc2\xbb end");
    expect("A<(B==C)>", "A \xc2\xab ( B == C ) \xc2\xbb end");
    expect("(a) < b > c", "( a ) < b > c end");
    expect("1 < b > c", "1:i < b > c end");
    expect("true < b > c", "true < b > c end");
    expect("_ < b > c", "_ < b > c end");
    expect("a/**/<b>", "a \xc2\xab b \xc2\xbb end");
    expect("a // x\n <b>", "a \xc2\xab b \xc2\xbb end");
    expect("a<b<c>d", "a < b \xc2\xab c \xc2\xbb d end");
    expect("a<b)<c>d", "a < b ) < c > d end");
    expect("if a<b>c", "if a \xc2\xab b \xc2\xbb c end");
    expect("array<u32, 1 + (2)>(a)", "array \xc2\xab u32 , 1:i + ( 2:i ) \xc2\xbb ( a ) end");
    expect("a<b>>c", "a \xc2\xab b \xc2\xbb > c end");
    expect("x>>=y", "x >>= y end");
    expect("a<b<c<d>>>", "a \xc2\xab b \xc2\xab c \xc2\xab d \xc2\xbb \xc2\xbb \xc2\xbb end");
    expect("array<i32, select(1,2,3<=4)>", "array \xc2\xab i32 , select ( 1:i , 2:i , 3:i <= 4:i ) \xc2\xbb end");
}

/* A template list may be longer than a batch of tokens. */
static void long_template_list(void **state)
{
    (void)state;
    enum { COUNT = 10000 };
    tsr_text text;
    tsr_text_init(&text, NULL);
    tsr_text_puts(&text, "; ; a<b");
    for (int i = 0; i < COUNT; i++)
        tsr_text_puts(&text, ",b");
    tsr_text_puts(&text, "> c < d;");
    char *got = list_tokens(text.s, text.len);
    assert_true(strstr(got, "; ; a \xc2\xab b , b") == got);
    assert_string_equal(got + strlen(got) - strlen(" \xc2\xbb c < d ; end"), " \xc2\xbb c < d ; end");
    free(got);
    tsr_text_fini(&text);
}

static void names(void **state)
{
    (void)state;
    expect("a _a a_ A9 _", "a _a a_ A9 _ end");
    expect("__a __", "__a! __! end");
    expect("fn var type NULL typed", "fn var type! NULL! typed end");
    expect("\xce\x94\xce\xad\xce\xbb\xcf\x84\xce\xb1 r\xc3\xa9"
           "flexion \xe6\x9c\x9d\xe7\x84\xbc\xe3\x81\x91",
           "\xce\x94\xce\xad\xce\xbb\xcf\x84\xce\xb1 r\xc3\xa9"
           "flexion \xe6\x9c\x9d\xe7\x84\xbc\xe3\x81\x91 end");
    expect("\xf0\x90\xb0\x93\xf0\x90\xb0\x8f", "\xf0\x90\xb0\x93\xf0\x90\xb0\x8f end");
    expect("a\xcc\x81", "a\xcc\x81 end"); /* a combining mark continues a name */
    expect("\xcc\x81"
           "a",
           "error5 a end");               /* and starts none */
    expect("\xe2\x82\xac", "error5 end"); /* the euro sign is in no name */
    assert_true(tsr_unicode_xid_start('A') && !tsr_unicode_xid_start('_') && tsr_unicode_xid_continue('_'));
    assert_true(tsr_unicode_xid_continue('0') && !tsr_unicode_xid_start('0') && !tsr_unicode_xid_continue('@'));
    assert_true(tsr_unicode_xid_start(0x1f300) == false && tsr_unicode_xid_start(0x2a6df));
    assert_true(tsr_unicode_xid_continue(0xe01ef) && !tsr_unicode_xid_continue(0xe01f0));
    assert_false(tsr_unicode_xid_continue(0x10ffff));
    assert_false(tsr_unicode_xid_start(0));
}

static void same_symbol(void **state)
{
    (void)state;
    struct setup s;
    const char *text = "one two one _one One two";
    start(&s, text, strlen(text));
    const tsr_token *t = s.lexer.tokens;
    assert_int_equal(t[0].value, t[2].value);
    assert_int_equal(t[1].value, t[5].value);
    assert_int_not_equal(t[0].value, t[1].value);
    assert_int_not_equal(t[0].value, t[3].value);
    assert_int_not_equal(t[0].value, t[4].value);
    assert_string_equal(tsr_symbols_cstr(&s.symbols, t[3].value), "_one");
    tsr_arena_fini(&s.arena);
}

static void blanks_and_comments(void **state)
{
    (void)state;
    expect("a \t\n\v\f\r\xc2\x85\xe2\x80\x8e\xe2\x80\x8f\xe2\x80\xa8\xe2\x80\xa9 b", "a b end");
    expect("a\xc2\xa0"
           "b",
           "a error5 b end"); /* a no-break space is not blank */
    expect("// x\na", "a end");
    expect("// x\ra", "a end");
    expect("// x\va", "a end");
    expect("// x\xc2\x85"
           "a",
           "a end");
    expect("// x\xe2\x80\xa8"
           "a",
           "a end");
    expect("// \xe2\x82\xac x", "end");
    expect("//", "end");
    expect("/**/a", "a end");
    expect("/* /* */ a */ b", "b end");
    expect("/*/ a */ b", "b end");
    expect("/* /* */ a", "error6 end");
    expect("/*", "error6 end");
    expect("/* *", "error6 end");
    expect("a/ /b", "a / / b end");
    expect("/* // */ a", "a end");
    expect("// /*\na", "a end");
}

static void encodings(void **state)
{
    (void)state;
    expect("\xef\xbb\xbf"
           "fn",
           "error2 end");
    expect("fn \xef\xbb\xbf", "fn error5 end");
    expect_bytes("\xff\xfe"
                 "f\0n\0",
                 6, "error3 end");
    expect_bytes("f\0n\0", 4, "error3 end");
    expect_bytes("fn\0a", 4, "fn error1 end");
    expect_bytes("//\0a", 4, "error1 end");
    expect_bytes("/*\0a", 4, "error1 end");
    expect_bytes("\0\0\0", 3, "error1 end");
    expect("a \x80 b", "a error0 end");
    expect("a \xc3", "a error0 end");
    expect("a\xc3", "a error0 end");
    expect("// \xc3(", "error0 end");
    expect("/* \xed\xa0\x80 */", "error0 end"); /* a surrogate */
    expect("\xc0\xaf", "error0 end");           /* overlong */
}

static void number_tokens(void **state)
{
    (void)state;
    expect("0 1 123 0i 1u 0x1F 0Xau 0x7i", "0:i 1:i 123:i 0i:i 1u:i 0x1F:i 0Xau:i 0x7i:i end");
    expect("0.e+4f 01. .01 12.34 .0f 0h 1e-3 1.f 0.5h",
           "0.e+4f:f 01.:f .01:f 12.34:f .0f:f 0h:f 1e-3:f 1.f:f 0.5h:f end");
    expect("0xa.fp+2 0x1P+4f 0X.3 0x3p+2h 0X1.fp-4 0x1.",
           "0xa.fp+2:f 0x1P+4f:f 0X.3:f 0x3p+2h:f 0X1.fp-4:f 0x1.:f end");
    expect("0x1f 0x1ef", "0x1f:i 0x1ef:i end");
    expect("1.x", "error8 end");
    expect("1e 1e+ 1u32 1_000 0x 0x. 0xg 1ff 0x1.8f0h 0x1.8h",
           "error8 error8 + error8 error8 error8 error8 error8 error8 error8 error8 end");
    expect("012 00 00u 012f", "error9 error9 error9 error9 end");
    expect("00.5 00e1", "00.5:f 00e1:f end");
    expect("1\xc3\xa9", "error8 end");
    expect("a[0].x", "a [ 0:i ] . x end");
    expect("1-2", "1:i - 2:i end");
}

/* ---- Values -------------------------------------------------------------------------------------------------- */

static void expect_int(const char *s, int suffix, tsr_number_problem problem, uint64_t value)
{
    uint64_t bits;
    assert_int_equal(tsr_lex_int(s, strlen(s), suffix, &bits), problem);
    if (!problem) assert_true(bits == value);
}

static void integers(void **state)
{
    (void)state;
    expect_int("0", 0, TSR_NUMBER_ok, 0);
    expect_int("9223372036854775807", 0, TSR_NUMBER_ok, INT64_MAX);
    expect_int("9223372036854775808", 0, TSR_NUMBER_range, 0);
    expect_int("0x7fffffffffffffff", 0, TSR_NUMBER_ok, INT64_MAX);
    expect_int("0xffffffffffffffff", 0, TSR_NUMBER_range, 0);
    expect_int("99999999999999999999999999", 0, TSR_NUMBER_range, 0);
    expect_int("2147483647i", 'i', TSR_NUMBER_ok, 2147483647);
    expect_int("2147483648i", 'i', TSR_NUMBER_range, 0);
    expect_int("0x80000000i", 'i', TSR_NUMBER_range, 0);
    expect_int("4294967295u", 'u', TSR_NUMBER_ok, 4294967295u);
    expect_int("4294967296u", 'u', TSR_NUMBER_range, 0);
    expect_int("0xFFFFFFFFu", 'u', TSR_NUMBER_ok, 4294967295u);
    expect_int("0x100000000u", 'u', TSR_NUMBER_range, 0);
}

static void expect_float(const char *s, int suffix, tsr_number_problem problem, double value)
{
    double got;
    tsr_number_problem p = tsr_lex_float(s, strlen(s), suffix, &got);
    if (p != problem || (!problem && got != value)) printf("%s: problem %d, %a\n", s, p, got);
    assert_int_equal(p, problem);
    if (!problem) assert_true(got == value);
}

static void floats(void **state)
{
    (void)state;
    expect_float("1.5", 0, TSR_NUMBER_ok, 1.5);
    expect_float("01.", 0, TSR_NUMBER_ok, 1);
    expect_float(".5", 0, TSR_NUMBER_ok, 0.5);
    expect_float("0.e+4f", 'f', TSR_NUMBER_ok, 0);
    expect_float("1e308", 0, TSR_NUMBER_ok, 1e308);
    expect_float("1e309", 0, TSR_NUMBER_range, 0);
    expect_float("1e999999999999999", 0, TSR_NUMBER_range, 0);
    expect_float("1e-999999999999999", 0, TSR_NUMBER_ok, 0);
    expect_float("0e999999999999999", 0, TSR_NUMBER_ok, 0);
    expect_float("3.40282346e38f", 'f', TSR_NUMBER_ok, 0x1.fffffep127);
    expect_float("3.40282347e38f", 'f', TSR_NUMBER_range, 0); /* beyond the largest, though rounding comes back */
    expect_float("3.4028236e38f", 'f', TSR_NUMBER_range, 0);
    expect_float("3.5e38f", 'f', TSR_NUMBER_range, 0);
    expect_float("65504h", 'h', TSR_NUMBER_ok, 65504);
    expect_float("65504.5h", 'h', TSR_NUMBER_range, 0);
    expect_float("65520h", 'h', TSR_NUMBER_range, 0);
    expect_float("0.1f", 'f', TSR_NUMBER_ok, (double)0.1f);
    expect_float("1e-50f", 'f', TSR_NUMBER_ok, 0);
    expect_float("0.1h", 'h', TSR_NUMBER_ok, 0x1.998p-4);
}

/* Between two f32: 1 + 2^-24, and texts a hair above and below it, which f64 cannot tell apart. */
static void rounded_once(void **state)
{
    (void)state;
    expect_float("1.000000059604644775390625f", 'f', TSR_NUMBER_ok, 1);
    expect_float("1.0000000596046447753906250000000000000001f", 'f', TSR_NUMBER_ok, 0x1.000002p0);
    expect_float("1.0000000596046447753906249999999999999999f", 'f', TSR_NUMBER_ok, 1);
    expect_float("100000005960464477539062500000000000000001e-41f", 'f', TSR_NUMBER_ok, 0x1.000002p0);
    expect_float("0.00010000000596046447753906249999999999999999e4f", 'f', TSR_NUMBER_ok, 1);
    expect_float("1.00048828125h", 'h', TSR_NUMBER_ok, 1);
    expect_float("1.00048828125000000000000000000000001h", 'h', TSR_NUMBER_ok, 0x1.004p0);
    expect_float("340282346638528859811704183484516925440f", 'f', TSR_NUMBER_ok, 0x1.fffffep127);
    expect_float("340282346638528859811704183484516925441f", 'f', TSR_NUMBER_ok, 0x1.fffffep127); /* f64 cannot tell */
    expect_float("340282356779733661637539395458142568448f", 'f', TSR_NUMBER_range, 0);
    expect_float("7.006492321624085354618e-46f", 'f', TSR_NUMBER_ok, 0); /* just below half of the smallest */
    expect_float("7.0064923216240853546186479164495807e-46f", 'f', TSR_NUMBER_ok, 0x1p-149);
}

static void hex_floats(void **state)
{
    (void)state;
    expect_float("0xa.fp+2", 0, TSR_NUMBER_ok, 43.75);
    expect_float("0x1P+4f", 'f', TSR_NUMBER_ok, 16);
    expect_float("0X.3", 0, TSR_NUMBER_ok, 0.1875);
    expect_float("0x3p+2h", 'h', TSR_NUMBER_ok, 12);
    expect_float("0x1.", 0, TSR_NUMBER_ok, 1);
    expect_float("0x0p99999999999", 0, TSR_NUMBER_ok, 0);
    expect_float("0x1p1023", 0, TSR_NUMBER_ok, 0x1p1023);
    expect_float("0x1p1024", 0, TSR_NUMBER_range, 0);
    expect_float("0x1p-1074", 0, TSR_NUMBER_ok, 0x1p-1074);
    expect_float("0x1p128f", 'f', TSR_NUMBER_range, 0);
    expect_float("0x1.fffffep127f", 'f', TSR_NUMBER_ok, 0x1.fffffep127);
    expect_float("0x1.ffffffp127f", 'f', TSR_NUMBER_range, 0);
    expect_float("0x1.00000001p0f", 'f', TSR_NUMBER_inexact, 0);
    expect_float("0x1p-149f", 'f', TSR_NUMBER_ok, 0x1p-149);
    expect_float("0x1p-150f", 'f', TSR_NUMBER_inexact, 0);
    expect_float("0x1p-9999f", 'f', TSR_NUMBER_inexact, 0);
    expect_float("0x1.ffcp15h", 'h', TSR_NUMBER_ok, 65504);
    expect_float("0x1p16h", 'h', TSR_NUMBER_range, 0);
    expect_float("0x1.002p0h", 'h', TSR_NUMBER_inexact, 0);
    expect_float("0x10000000000000000000000p-88", 0, TSR_NUMBER_ok, 1); /* zeros behind 16 digits */
    expect_float("0x0.00000000000000000000001p92f", 'f', TSR_NUMBER_ok, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(punctuation), cmocka_unit_test(template_lists), cmocka_unit_test(long_template_list),
        cmocka_unit_test(names),       cmocka_unit_test(same_symbol),    cmocka_unit_test(blanks_and_comments),
        cmocka_unit_test(encodings),   cmocka_unit_test(number_tokens),  cmocka_unit_test(integers),
        cmocka_unit_test(floats),      cmocka_unit_test(rounded_once),   cmocka_unit_test(hex_floats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
