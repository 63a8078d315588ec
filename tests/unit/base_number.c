/* Number formats, exhaustively where they are small, and numbers as text and back. */
#include "unit.h"

#include "base/number.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void f16_keeps_every_code(void **state)
{
    (void)state;
    for (uint32_t code = 0; code < 0x10000; code++) {
        float x = tsr_f16_to_f32((uint16_t)code);
        if ((code & 0x7c00) == 0x7c00 && (code & 0x3ff)) {
            assert_true(isnan(x));
            assert_true(isnan(tsr_f16_to_f32(tsr_f16_from_f32(x))));
        } else {
            assert_int_equal(tsr_f16_from_f32(x), code);
        }
    }
    assert_true(tsr_f16_to_f32(0x3c00) == 1.0f);
    assert_true(tsr_f16_to_f32(0x7bff) == 65504.0f);
    assert_true(tsr_f16_to_f32(0x0001) == 0x1p-24f);
    assert_true(tsr_f16_to_f32(0xc500) == -5.0f);
}

/* Between every two neighbours: the middle goes to the even one, the next f64 on either side to the nearer one. */
static void f16_rounds_once(void **state)
{
    (void)state;
    for (uint32_t code = 0; code < 0x7c00; code++) {
        double low = (double)tsr_f16_to_f32((uint16_t)code);
        double high = code == 0x7bff ? 65536.0 : (double)tsr_f16_to_f32((uint16_t)(code + 1));
        double middle = (low + high) / 2;
        assert_int_equal(tsr_f16_from_f64(middle), code + (code & 1));
        assert_int_equal(tsr_f16_from_f64(nextafter(middle, 0)), code);
        assert_int_equal(tsr_f16_from_f64(nextafter(middle, INFINITY)), code + 1);
        assert_int_equal(tsr_f16_from_f64(-middle), 0x8000 | (code + (code & 1)));
    }
    assert_int_equal(tsr_f16_from_f64(INFINITY), 0x7c00);
    assert_int_equal(tsr_f16_from_f64(-1e300), 0xfc00);
    assert_int_equal(tsr_f16_from_f64(1e-300), 0);
    assert_int_equal(tsr_f16_from_f64(-4e-324), 0x8000);
    assert_int_equal(tsr_f16_from_f64(-0.0), 0x8000);
    /* Through f32 this would be rounded twice, to 0x3c00. */
    assert_int_equal(tsr_f16_from_f64(1 + 0x1p-11 + 0x1p-40), 0x3c01);
}

static void f16_sum_rounds_once(void **state)
{
    (void)state;
    assert_int_equal(tsr_f16_add_exact(2049, 0x1p-48), tsr_f16_from_f64(2050));
    assert_int_equal(tsr_f16_add_exact(2049, -0x1p-48), tsr_f16_from_f64(2048));
    assert_int_equal(tsr_f16_add_exact(2049, 0), tsr_f16_from_f64(2048));
    assert_int_equal(tsr_f16_add_exact(-2049, -0x1p-48), tsr_f16_from_f64(-2050));
    assert_int_equal(tsr_f16_add_exact(-2049, 0x1p-48), tsr_f16_from_f64(-2048));
    assert_int_equal(tsr_f16_add_exact(2051, -0x1p-48), tsr_f16_from_f64(2050));
    assert_int_equal(tsr_f16_add_exact(1, -1), 0);
    assert_int_equal(tsr_f16_add_exact(65504.0 * 65504.0, 1), 0x7c00);
}

static void bf16_and_f8(void **state)
{
    (void)state;
    for (uint32_t code = 0; code < 0x10000; code++) {
        float x = tsr_bf16_to_f32((uint16_t)code);
        if (!isnan(x))
            assert_int_equal(tsr_bf16_from_f32(x), code);
        else
            assert_true(isnan(tsr_bf16_to_f32(tsr_bf16_from_f32(x))));
    }
    assert_int_equal(tsr_bf16_from_f32(1 + 0x1p-8f), 0x3f80);
    assert_int_equal(tsr_bf16_from_f32(1 + 0x1p-8f + 0x1p-20f), 0x3f81);
    assert_int_equal(tsr_bf16_from_f32(3.4028235e38f), 0x7f80);
    assert_int_equal(tsr_bf16_from_f32(0x1p-140f), tsr_bits_from_f32(0x1p-140f) >> 16); /* both subnormal */
    for (uint32_t code = 0; code < 0x100; code++) {
        float x = tsr_f8e4m3_to_f32((uint8_t)code), y = tsr_f8e5m2_to_f32((uint8_t)code);
        if (!isnan(x))
            assert_int_equal(tsr_f8e4m3_from_f32(x), code);
        else
            assert_int_equal(code & 0x7f, 0x7f);
        if (!isnan(y)) assert_int_equal(tsr_f8e5m2_from_f32(y), code);
    }
    assert_true(tsr_f8e4m3_to_f32(0x7e) == 448.0f);
    assert_int_equal(tsr_f8e4m3_from_f32(464.0f), 0x7e); /* the middle; 0x7e is even */
    assert_int_equal(tsr_f8e4m3_from_f32(465.0f), 0x7f);
    assert_int_equal(tsr_f8e4m3_from_f32(INFINITY), 0x7f);
    assert_true(tsr_f8e4m3_to_f32(1) == 0x1p-9f);
    assert_true(tsr_f8e5m2_to_f32(0x7b) == 57344.0f);
    assert_int_equal(tsr_f8e5m2_from_f32(61440.0f), 0x7c);
    assert_true(isinf(tsr_f8e5m2_to_f32(0x7c)));
}

static void text_is_shortest(void **state)
{
    (void)state;
    static const struct {
        double x;
        const char *text;
    } cases[] = {{0.0, "0.0"},
                 {-0.0, "-0.0"},
                 {1, "1.0"},
                 {0.1, "0.1"},
                 {-12.5, "-12.5"},
                 {100, "100.0"},
                 {1e15, "1000000000000000.0"},
                 {1e16, "1e16"},
                 {1e-5, "0.00001"},
                 {1.5e-6, "1.5e-6"},
                 {5e-324, "5e-324"},
                 {1.7976931348623157e308, "1.7976931348623157e308"},
                 {INFINITY, "inf"},
                 {-INFINITY, "-inf"},
                 {NAN, "nan"},
                 {123456.789, "123456.789"},
                 {9007199254740993.0, "9007199254740992.0"}};
    char buf[40];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(tsr_format_f64(buf, cases[i].x), cases[i].text);
    assert_string_equal(tsr_format_f32(buf, 0.1f), "0.1");
    assert_string_equal(tsr_format_f32(buf, 16777216.0f), "16777216.0");
    assert_string_equal(tsr_format_f32(buf, 3.4028235e38f), "3.4028235e38");
    assert_string_equal(tsr_format_f16(buf, 0x2e66), "0.1");
    assert_string_equal(tsr_format_f16(buf, 0x7bff), "65500.0");
}

static void text_reads_back(void **state)
{
    (void)state;
    char buf[40];
    double back;
    uint64_t random = 1;
    for (int i = 0; i < 20000; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        double x = tsr_f64_from_bits(random ^ random >> 29);
        if (!isfinite(x)) continue;
        tsr_format_f64(buf, x);
        assert_true(strlen(buf) < sizeof buf);
        assert_true(tsr_parse_f64(buf, strlen(buf), &back) && back == x);
        float y = tsr_f32_from_bits((uint32_t)(random >> 32));
        if (!isfinite(y)) continue;
        tsr_format_f32(buf, y);
        assert_true(tsr_parse_f64(buf, strlen(buf), &back) && (float)back == y);
    }
    for (uint32_t code = 0; code < 0x7c00; code++) {
        tsr_format_f16(buf, (uint16_t)code);
        assert_true(tsr_parse_f64(buf, strlen(buf), &back) && tsr_f16_from_f64(back) == code);
    }
}

static void check_parse(const char *s, double want)
{
    double got = -1;
    if (!tsr_parse_f64(s, strlen(s), &got)) fail_msg("'%s' was refused", s);
    if (tsr_bits_from_f64(got) != tsr_bits_from_f64(want)) fail_msg("'%s' gave %a, not %a", s, got, want);
}

static void numbers_are_read(void **state)
{
    (void)state;
    check_parse("0", 0);
    check_parse("-0", -0.0);
    check_parse("+1.5E+2", 150);
    check_parse(".5", 0.5);
    check_parse("5.", 5);
    check_parse("9007199254740993", 9007199254740992.0);
    check_parse("9007199254740993.00000000000000000000000000000000001", 9007199254740994.0);
    check_parse("2.2250738585072011e-308", 2.2250738585072011e-308);
    check_parse("1e400", INFINITY);
    check_parse("1e-400", 0);
    check_parse("0e99999999999999999999", 0);
    check_parse("0x1.8p3", 12);
    check_parse("0X.8P1", 1);
    check_parse("0xff", 255);
    check_parse("-0x1p-1074", -0x1p-1074);
    check_parse("0x1.fffffffffffffp1023", 0x1.fffffffffffffp1023);
    check_parse("0x00000000000000000000000001.00000000000000000000000000", 1);
    check_parse("0x0p999999999999999", 0);
}

static void non_numbers_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "+",
                                      ".",
                                      "-.",
                                      "1e",
                                      "1e+",
                                      "e5",
                                      "1.2.3",
                                      "1x",
                                      " 1",
                                      "1 ",
                                      "--1",
                                      "inf",
                                      "nan",
                                      "0x",
                                      "0x.",
                                      "0x1p",
                                      "0x1g",
                                      "0xp1",
                                      "0x1.2.3",
                                      "0x1p-1075",
                                      "0x1p1024",
                                      "0x1.00000000000001p0",
                                      "0x123456789abcdef1",
                                      "1,5"};
    double out = 42;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (tsr_parse_f64(bad[i], strlen(bad[i]), &out)) fail_msg("'%s' was accepted", bad[i]);
        assert_true(out == 42);
    }
    assert_true(tsr_parse_f64("12345", 2, &out) && out == 12);
}

/* Half way between two f64, then a digit far behind it; and digits without end. */
static void long_numbers_are_rounded_right(void **state)
{
    (void)state;
    enum { LEN = 100000 };
    char *s = malloc(LEN + 1);
    memset(s, '0', LEN);
    memcpy(s, "1.00000000000000011102230246251565404236316680908203125", 55); /* 1 + 2^-53 */
    s[LEN] = '\0';
    check_parse(s, 1);
    s[LEN - 1] = '1';
    check_parse(s, nextafter(1, 2));
    memset(s, '9', LEN);
    check_parse(s, INFINITY);
    s[0] = '0';
    s[1] = '.';
    check_parse(s, 1);
    memset(s + 2, '0', LEN - 2);
    memcpy(s + LEN - 7, "1e99990", 7);
    check_parse(s, 1e-2);
    free(s);
}

static void locale_has_no_say(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "pt_BR.UTF-8"};
    bool found = false;
    for (size_t i = 0; i < 4 && !found; i++)
        found = setlocale(LC_ALL, names[i]) != NULL;
    char buf[40];
    check_parse("1234.56789012345678901", 1234.56789012345678901);
    assert_string_equal(tsr_format_f64(buf, 1234.5), "1234.5");
    setlocale(LC_ALL, "C");
    if (!found) skip(); /* no locale with another decimal point is installed here */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f16_keeps_every_code),
        cmocka_unit_test(f16_rounds_once),
        cmocka_unit_test(f16_sum_rounds_once),
        cmocka_unit_test(bf16_and_f8),
        cmocka_unit_test(text_is_shortest),
        cmocka_unit_test(text_reads_back),
        cmocka_unit_test(numbers_are_read),
        cmocka_unit_test(non_numbers_are_refused),
        cmocka_unit_test(long_numbers_are_rounded_right),
        cmocka_unit_test(locale_has_no_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
