/* Text, UTF-8, name distances, and diagnostics as they are printed. */
#include "unit.h"

#include "base/diag.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned distance(const char *a, const char *b, unsigned limit)
{
    return tsr_text_distance((tsr_str){a, strlen(a)}, (tsr_str){b, strlen(b)}, limit);
}

static void distances(void **state)
{
    (void)state;
    assert_int_equal(distance("", "", 3), 0);
    assert_int_equal(distance("vec4", "vec4", 3), 0);
    assert_int_equal(distance("vec4", "vce4", 3), 1);
    assert_int_equal(distance("storage", "storge", 3), 1);
    assert_int_equal(distance("kitten", "sitting", 3), 3);
    assert_int_equal(distance("kitten", "sitting", 2), 3);
    assert_int_equal(distance("abc", "xyz", 1), 2);
    char long_name[200];
    memset(long_name, 'a', sizeof long_name);
    assert_int_equal(tsr_text_distance((tsr_str){long_name, 200}, (tsr_str){long_name, 199}, 2), 3);
}

static void utf8(void **state)
{
    (void)state;
    static const struct {
        const char *s;
        unsigned n;
        uint32_t code;
    } cases[] = {{"a", 1, 'a'},
                 {"\xc2\x80", 2, 0x80},
                 {"\xe2\x82\xac", 3, 0x20ac},
                 {"\xf0\x9f\x98\x80", 4, 0x1f600},
                 {"\xc0\x80", 0, 0},
                 {"\xe0\x80\x80", 0, 0},
                 {"\xed\xa0\x80", 0, 0},
                 {"\xf4\x90\x80\x80", 0, 0},
                 {"\x80", 0, 0},
                 {"\xe2\x82", 0, 0},
                 {"\xff", 0, 0},
                 {"\xf0\x80\x80\x80", 0, 0},
                 {"\xf4\x8f\xbf\xbf", 4, 0x10ffff}};
    for (size_t i = 0; i < TSR_COUNT_OF(cases); i++) {
        uint32_t code = 0;
        assert_int_equal(tsr_utf8_decode(cases[i].s, strlen(cases[i].s), &code), cases[i].n);
        assert_int_equal(code, cases[i].code);
    }
    uint32_t code = 0;
    assert_int_equal(tsr_utf8_decode("a", 0, &code), 0);
}

static void text_grows(void **state)
{
    (void)state;
    tsr_arena a;
    tsr_arena_init(&a, NULL);
    for (int with_arena = 0; with_arena < 2; with_arena++) {
        tsr_text t;
        tsr_text_init(&t, with_arena ? &a : NULL);
        assert_string_equal(tsr_text_get(&t), "");
        for (int i = 0; i < 1000; i++)
            tsr_text_printf(&t, "%d,%s;", i, "some text that is a little longer than usual");
        tsr_text_puts(&t, "end");
        assert_int_equal(t.len, strlen(t.s));
        assert_non_null(strstr(t.s, ";999,some text that is a little longer than usual;end"));
        tsr_text_fini(&t);
    }
    tsr_arena_fini(&a);
}

/* What one error at [pos, pos + len) of `text` prints. */
static void check_print(const char *text, uint32_t pos, uint32_t len, const char *want)
{
    tsr_arena a;
    tsr_diags d;
    tsr_text out;
    tsr_arena_init(&a, NULL);
    tsr_source src = {.name = "f.wgsl", .text = text, .len = strlen(text)};
    tsr_diags_init(&d, &a, &src);
    tsr_diag *diag = tsr_error(&d, (tsr_span){pos, len}, TSR_E_SYNTAX, "expected '%c'", ';');
    tsr_text_init(&out, &a);
    tsr_diag_print(&out, &d, diag, false);
    assert_string_equal(tsr_text_get(&out), want);
    tsr_arena_fini(&a);
}

static void prints_as_clang_does(void **state)
{
    (void)state;
    check_print("a\nlet x = foo\nb", 10, 3, "f.wgsl:2:9: error: expected ';' [E0100]\nlet x = foo\n        ^~~\n");
    check_print("\tif\tx", 4, 1, "f.wgsl:1:5: error: expected ';' [E0100]\n\tif\tx\n\t  \t^\n");
    check_print("a\r\nb c\rd", 5, 1, "f.wgsl:2:3: error: expected ';' [E0100]\nb c\n  ^\n");
    check_print("a\r\nb c\rd", 7, 1, "f.wgsl:3:1: error: expected ';' [E0100]\nd\n^\n");
    check_print("ab", 2, 0, "f.wgsl:1:3: error: expected ';' [E0100]\nab\n  ^\n");
    check_print("ab\n", 3, 0, "f.wgsl:2:1: error: expected ';' [E0100]\n\n^\n");
    check_print("ab", 1, 9, "f.wgsl:1:2: error: expected ';' [E0100]\nab\n ^\n");
    check_print("ab\ncd", 1, 4, "f.wgsl:1:2: error: expected ';' [E0100]\nab\n ^\n");
    check_print("ab", 77, 4, "f.wgsl:1:3: error: expected ';' [E0100]\nab\n  ^\n");
    check_print("x", 0, 0, "f.wgsl: error: expected ';' [E0100]\n");
}

static void prints_bytes_safely(void **state)
{
    (void)state;
    check_print("a\xff"
                "b",
                2, 1, "f.wgsl:1:3: error: expected ';' [E0100]\na<FF>b\n     ^\n");
    check_print("a\033[2J b", 1, 1, "f.wgsl:1:2: error: expected ';' [E0100]\na<U+001B>[2J b\n ^~~~~~~~\n");
    check_print("\xe2\x80\xae x", 4, 1, "f.wgsl:1:3: error: expected ';' [E0100]\n<U+202E> x\n         ^\n");
    check_print("\xe5\xad\x97 x", 4, 1, "f.wgsl:1:3: error: expected ';' [E0100]\n\xe5\xad\x97 x\n   ^\n");
    check_print("e\xcc\x81 x", 4, 1, "f.wgsl:1:4: error: expected ';' [E0100]\ne\xcc\x81 x\n  ^\n");
}

static void cuts_long_lines(void **state)
{
    (void)state;
    enum { LEN = 100000 };
    static const char *const fill[] = {"x", "\x80", "\xe2\x82\xac", "\xcc\x81", "\t", "\033"};
    char *s = malloc(LEN + 1);
    tsr_arena a;
    tsr_arena_init(&a, NULL);
    for (size_t f = 0; f < TSR_COUNT_OF(fill); f++) {
        size_t n = strlen(fill[f]);
        for (size_t i = 0; i + n <= LEN; i += n)
            memcpy(s + i, fill[f], n);
        tsr_source src = {.name = "f", .text = s, .len = LEN / n * n};
        for (size_t pos = 0; pos <= src.len; pos += n * (src.len / n / 7)) {
            tsr_diags d;
            tsr_text out;
            tsr_diags_init(&d, &a, &src);
            tsr_text_init(&out, &a);
            tsr_diag_print(&out, &d, tsr_error(&d, (tsr_span){(uint32_t)pos, 5}, TSR_E_SYNTAX, "m"), false);
            assert_true(out.len < 2500);
            if (pos) assert_non_null(strchr(tsr_text_get(&out), '^'));
        }
    }
    tsr_arena_fini(&a);
    free(s);
}

static void notes_limits_and_colour(void **state)
{
    (void)state;
    tsr_arena a;
    tsr_diags d;
    tsr_text out;
    tsr_arena_init(&a, NULL);
    tsr_source src = {.name = "f", .text = "let x", .len = 5};
    tsr_diags_init(&d, &a, &src);
    tsr_text_init(&out, &a);
    tsr_diag *w = tsr_report(&d, TSR_SEVERITY_WARNING, (tsr_span){4, 1}, TSR_E_SYNTAX, "odd\nname %s", "\033[31m");
    tsr_note(&d, w, (tsr_span){0, 3}, "declared here");
    tsr_note(&d, w, (tsr_span){0, 0}, "a hint");
    tsr_diag_print(&out, &d, w, false);
    assert_string_equal(tsr_text_get(&out), "f:1:5: warning: odd<U+000A>name <U+001B>[31m [E0100]\nlet x\n    ^\n"
                                            "f:1:1: note: declared here\nlet x\n^~~\nnote: a hint\n");
    tsr_text_init(&out, &a);
    tsr_diag_print(&out, &d, w, true);
    assert_non_null(strstr(tsr_text_get(&out), "\033[1;35mwarning"));
    for (int i = 0; i < 1000; i++) {
        tsr_diag *e = tsr_error(&d, (tsr_span){4, 1}, TSR_E_SYNTAX, "error %d", i);
        tsr_note(&d, e, (tsr_span){0, 1}, "note %d", i);
    }
    tsr_report(&d, TSR_SEVERITY_OFF, (tsr_span){4, 1}, TSR_E_SYNTAX, "never seen");
    unsigned kept = 0;
    for (const tsr_diag *e = d.first; e; e = e->next)
        kept++;
    assert_int_equal(kept, 1 + 100 + 1);
    assert_int_equal(d.error_count, 1000);
    assert_int_equal(d.warning_count, 1);
    assert_int_equal(d.last->severity, TSR_SEVERITY_INFO);
    tsr_arena_fini(&a);
}

static void long_messages_are_cut(void **state)
{
    (void)state;
    tsr_arena a;
    tsr_diags d;
    tsr_arena_init(&a, NULL);
    tsr_source src = {.name = "f", .text = "", .len = 0};
    tsr_diags_init(&d, &a, &src);
    char *name = malloc(100001);
    for (int i = 0; i < 50000; i++)
        memcpy(name + 2 * i, "\xc3\xa9", 2);
    name[100000] = '\0';
    for (int pad = 0; pad < 2; pad++) {
        tsr_diag *e = tsr_error(&d, (tsr_span){0, 0}, TSR_E_SYNTAX, "%s%s", pad ? "x" : "", name);
        assert_true(strlen(e->text) < 2100);
        assert_null(strchr(e->text, '<'));
    }
    free(name);
    tsr_arena_fini(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances),
        cmocka_unit_test(utf8),
        cmocka_unit_test(text_grows),
        cmocka_unit_test(prints_as_clang_does),
        cmocka_unit_test(prints_bytes_safely),
        cmocka_unit_test(cuts_long_lines),
        cmocka_unit_test(notes_limits_and_colour),
        cmocka_unit_test(long_messages_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
