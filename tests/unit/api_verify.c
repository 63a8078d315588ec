/* The proof: comparison with the reference, conformance of the CPU, the numerics that it shows. */
#include "unit.h"

#include "coopmat/numerics_model.h"
#include "tessera.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static tsr_config parse(const char *name)
{
    tsr_config c;
    assert_int_equal(tsr_config_parse(name, &c), TSR_OK);
    return c;
}

/* ---- Comparison. */

static void small_product(const float *r, tsr_comparison *out)
{
    static const float a[] = {1, 2, 3, 4, 5, 6}, b[] = {1, 2, 3, 4, 5, 6}, c[] = {1, 1, 1, 1};
    const tsr_config cfg = parse("2x2x3 f32*f32+f32->f32 subgroup");
    assert_int_equal(tsr_compare_product(&cfg, a, b, c, r, out), TSR_OK);
}

static void right_results_match(void **state)
{
    (void)state;
    tsr_comparison seen;
    small_product((const float[]){23, 29, 50, 65}, &seen);
    assert_int_equal(seen.elements, 4);
    assert_int_equal(seen.bad, 0);
    small_product((const float[]){23, nextafterf(29, 30), 50, 65}, &seen);
    assert_int_equal(seen.bad, 0);
    assert_int_equal(seen.worst, 1);
    assert_true(seen.ulps > 0.9 && seen.ulps < 1.1);
    assert_true(seen.error < seen.bound);
}

static void wrong_results_do_not(void **state)
{
    (void)state;
    tsr_comparison seen;
    small_product((const float[]){23, 50, 29, 65}, &seen); /* transposed */
    assert_int_equal(seen.bad, 2);
    assert_int_equal(seen.worst, 1);
    assert_true(seen.got == 50 && seen.want == 29);
    small_product((const float[]){23, 29, NAN, 65}, &seen);
    assert_int_equal(seen.bad, 1);
    assert_int_equal(seen.worst, 2);
    small_product((const float[]){23, 29, INFINITY, 65}, &seen);
    assert_int_equal(seen.bad, 1);
}

static void integers_are_exact(void **state)
{
    (void)state;
    static const signed char a[] = {-128, 127, -128, 5}, b[] = {-128, -128, 127, 3};
    static const int c[] = {7};
    const tsr_config cfg = parse("1x1x4 s8*s8+s32->s32 subgroup");
    tsr_comparison seen;
    int r = 7 + 128 * 128 - 127 * 128 - 128 * 127 + 15;
    assert_int_equal(tsr_compare_product(&cfg, a, b, c, &r, &seen), TSR_OK);
    assert_int_equal(seen.bad, 0);
    r++;
    assert_int_equal(tsr_compare_product(&cfg, a, b, c, &r, &seen), TSR_OK);
    assert_int_equal(seen.bad, 1);
}

static void bad_calls_are_refused(void **state)
{
    (void)state;
    tsr_comparison seen;
    float x = 0;
    tsr_config cfg = parse("8x8x8 f32*f32+f32->f32 subgroup");
    assert_int_equal(tsr_compare_product(NULL, &x, &x, &x, &x, &seen), TSR_ERR_INVALID);
    cfg.shape.k = 0;
    assert_int_equal(tsr_compare_product(&cfg, &x, &x, &x, &x, &seen), TSR_ERR_SHAPE);
    cfg.shape = (tsr_shape){4000000000u, 4000000000u, 1};
    assert_int_equal(tsr_compare_product(&cfg, &x, &x, &x, &x, &seen), TSR_ERR_SHAPE);
    cfg = parse("1x1x1 f32*f32+s32->s32 subgroup");
    assert_int_equal(tsr_compare_product(&cfg, &x, &x, &x, &x, &seen), TSR_ERR_UNSUPPORTED);
}

/* ---- Conformance of the CPU, also of what WGSL cannot spell. */

static void verify_on_cpu(const char *name, uint32_t subgroup_size, tsr_verify_row *row)
{
    const tsr_config cfg = parse(name);
    tsr_device *dev;
    assert_int_equal(tsr_device_open("cpu", &(tsr_device_args){.subgroup_size = subgroup_size, .threads = 1}, &dev),
                     TSR_OK);
    assert_int_equal(tsr_verify_config(dev, &cfg, true, row), TSR_OK);
    tsr_device_free(dev);
}

static void the_cpu_conforms(void **state)
{
    (void)state;
    static const char *const names[] = {
        "8x8x8 f32*f32+f32->f32 subgroup",       "8x16x4 f16*f16+f32->f32 subgroup",
        "16x8x16 f16*f16+f16->f16 subgroup",     "16x16x32 s8*s8+s32->s32 subgroup",
        "16x8x32 u8*u8+u32->u32 subgroup",       "16x16x16 u8*s8+s32->s32 subgroup",
        "16x16x16 s8*u8+s32->s32 subgroup",      "16x16x16 bf16*bf16+f32->f32 subgroup",
        "16x16x16 f16*f16+f32->f16 subgroup",    "16x8x32 s8*s8+s32->s32 subgroup saturating",
        "4x8x16 f8e4m3*f8e5m2+f32->f32 subgroup"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        tsr_verify_row row;
        verify_on_cpu(names[i], 8, &row);
        if (row.verdict != TSR_CONFORMS)
            fail_msg("%s: %s, %s, element %llu: got %g, want %g (%s)", names[i], tsr_conformance_name(row.verdict),
                     row.worst_case, (unsigned long long)row.worst.worst, row.worst.got, row.worst.want, row.text);
        assert_int_equal(row.runs, 2 * 3 * 9);
    }
}

static void what_cannot_be_run_is_no_pass(void **state)
{
    (void)state;
    tsr_verify_row row;
    verify_on_cpu("8x8x8 f32*f32+f32->f32 subgroup", 128, &row);
    assert_int_equal(row.verdict, TSR_DOES_NOT_FIT);
    verify_on_cpu("16x16x16 f16*f16+f32->f32 workgroup", 8, &row);
    assert_int_equal(row.verdict, TSR_NOT_EXPRESSED);
    assert_int_equal(row.runs, 0);
}

/* ---- Numerics. */

static void models_have_names(void **state)
{
    (void)state;
    static const char *const good[] = {"reference", "mul-add", "f32-then-round", "blocked-8+2", "blocked-16+0"};
    static const char *const bad[] = {
        "",           "Reference",   "blocked", "blocked-", "blocked-3", "blocked-128", "blocked-8+9",
        "blocked-8+", "blocked-8+2x"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        tsr_model m;
        char name[32];
        assert_true(tsr_model_parse(good[i], &m));
        tsr_model_print(&m, name, sizeof name);
        assert_string_equal(name, good[i]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        tsr_model m;
        assert_false(tsr_model_parse(bad[i], &m));
    }
}

/* 1 x 1 products of f16 with an f32 or f16 result, as a model gives them. */
static double model_dot(const char *model, tsr_component r, const double *a, const double *b, size_t k, double c)
{
    tsr_model m;
    uint32_t wa[64], wb[64], wc, wr, scratch[4096];
    const tsr_mma d = {{1, 1, (uint32_t)k}, TSR_F16, TSR_F16, r, r, false};
    assert_true(tsr_model_parse(model, &m));
    assert_true(tsr_mma_scratch_words(&d) <= 4096);
    for (size_t i = 0; i < k; i++) {
        tsr_component_from_f64(TSR_F16, a[i], &wa[i]);
        tsr_component_from_f64(TSR_F16, b[i], &wb[i]);
    }
    tsr_component_from_f64(r, c, &wc);
    tsr_model_mma(&m, &d, wa, wb, &wc, &wr, scratch);
    return tsr_component_to_f64(r, &wr);
}

static void models_differ_where_they_should(void **state)
{
    (void)state;
    /* 2^24 + 1 + 1: one by one the units are lost; two in one block with a bit to spare are not. */
    const double a[] = {1, 1, 0, 0}, b[] = {1, 1, 0, 0};
    assert_true(model_dot("reference", TSR_F32, a, b, 4, 0x1p24) == 0x1p24);
    assert_true(model_dot("blocked-4+1", TSR_F32, a, b, 4, 0x1p24) == 0x1p24 + 2);
    assert_true(model_dot("blocked-4+0", TSR_F32, a, b, 4, 0x1p24) == 0x1p24);
    /* 1 + 1.5 * 2^-24: nearest goes up, cutting does not. */
    const double c[] = {1.5 * 0x1p-12}, d[] = {0x1p-12};
    assert_true(model_dot("reference", TSR_F32, c, d, 1, 1) == 1 + 0x1p-23);
    assert_true(model_dot("blocked-4+2", TSR_F32, c, d, 1, 1) == 1);
    /* 1.5^2 = 2.25 has the exponent of its factors, 0, so that 2^-23 beside it is kept with no bit to spare. */
    const double i[] = {1.5, 0x1p-12, 1.5}, j[] = {1.5, 0x1p-11, -1.5};
    assert_true(model_dot("blocked-4+0", TSR_F32, i, j, 3, 0) == 0x1p-23);
    const double o[] = {1.5, 0x1p-12, 1.5}, p[] = {1.5, 0x1p-12, -1.5};
    assert_true(model_dot("blocked-4+0", TSR_F32, o, p, 3, 0) == 0);
    /* A subnormal factor has the least exponent: 2^-20 * 2^14 counts as 2^0, and 2^-24 beside it is lost. */
    const double q[] = {0x1p-20, 0x1p-12, 0x1p-20}, t[] = {0x1p14, 0x1p-12, -0x1p14};
    assert_true(model_dot("blocked-4+0", TSR_F32, q, t, 3, 0) == 0);
    assert_true(model_dot("blocked-4+1", TSR_F32, q, t, 3, 0) == 0x1p-24);
    /* Blocks with f16 results round to the nearest: 1 + 1.5 * 2^-11. */
    const double u[] = {1.5 * 0x1p-11}, v[] = {1};
    assert_true(model_dot("blocked-4+0", TSR_F16, u, v, 1, 1) == 1 + 0x1p-10);
    /* What is too small for the result leaves a zero without sign. */
    const double w[] = {-0x1p-24}, x[] = {0x1p-8};
    assert_true(model_dot("blocked-4+0", TSR_F16, w, x, 1, 0) == 0);
    assert_false(signbit(model_dot("blocked-4+0", TSR_F16, w, x, 1, 0)));
    /* A sum beyond f16 that comes back. */
    const double e[] = {16384, 16384, -16384}, f[] = {2, 2, 2};
    assert_true(isinf(model_dot("reference", TSR_F16, e, f, 3, 0)));
    assert_true(model_dot("f32-then-round", TSR_F16, e, f, 3, 0) == 32768);
    /* (1 + s)^2 - (1 + 2s): the product's own rounding takes s^2 away. */
    const double g[] = {1 + 0x1p-6}, h[] = {1 + 0x1p-6};
    assert_true(model_dot("reference", TSR_F16, g, h, 1, -(1 + 0x1p-5)) == 0x1p-12);
    assert_true(model_dot("mul-add", TSR_F16, g, h, 1, -(1 + 0x1p-5)) == 0);
}

static void the_cpu_shows_the_reference(void **state)
{
    (void)state;
    static const char *const names[] = {"8x8x8 f32*f32+f32->f32 subgroup", "8x16x16 f16*f16+f32->f32 subgroup",
                                        "16x8x16 f16*f16+f16->f16 subgroup", "8x8x16 bf16*bf16+f32->f32 subgroup"};
    tsr_device *dev;
    assert_int_equal(tsr_device_open("cpu", &(tsr_device_args){.subgroup_size = 8, .threads = 1}, &dev), TSR_OK);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const tsr_config cfg = parse(names[i]);
        tsr_numerics n;
        assert_int_equal(tsr_verify_numerics(dev, &cfg, &n), TSR_OK);
        assert_string_equal(n.model, "reference");
        assert_true(n.rounds_to_nearest && n.sum_starts_at_c && n.products_fused && n.keeps_subnormals);
        assert_int_equal(n.exact_block, 1);
    }
    const tsr_config integers = parse("16x16x32 s8*s8+s32->s32 subgroup");
    tsr_numerics n;
    assert_int_equal(tsr_verify_numerics(dev, &integers, &n), TSR_ERR_UNSUPPORTED);
    tsr_device_free(dev);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_results_match),
        cmocka_unit_test(wrong_results_do_not),
        cmocka_unit_test(integers_are_exact),
        cmocka_unit_test(bad_calls_are_refused),
        cmocka_unit_test(the_cpu_conforms),
        cmocka_unit_test(what_cannot_be_run_is_no_pass),
        cmocka_unit_test(models_have_names),
        cmocka_unit_test(models_differ_where_they_should),
        cmocka_unit_test(the_cpu_shows_the_reference),
    };
    setenv("TSR_JIT", "0", 1); /* the interpreter: the bits of the reference model */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
