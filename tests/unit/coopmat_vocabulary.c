/* The vocabulary, on what real devices report. */
#include "unit.h"

#include "base/compiler.h"
#include "coopmat/caps.h"

#include <string.h>

#define CFG(m, n, k, a, b, c, sat)                                                                                     \
    {                                                                                                                  \
        {m, n, k}, TSR_##a, TSR_##b, TSR_##c, TSR_##c, sat, TSR_SCOPE_SUBGROUP                                         \
    }

/* AMD Radeon RX 7900 XTX, Mesa RADV 25: its driver's list, in its order. */
static const tsr_config radv[] = {
    CFG(16, 16, 16, U8, U8, U32, false),   CFG(16, 16, 16, U8, U8, S32, false),   CFG(16, 16, 16, U8, U8, S32, true),
    CFG(16, 16, 16, U8, S8, U32, false),   CFG(16, 16, 16, U8, S8, S32, false),   CFG(16, 16, 16, U8, S8, S32, true),
    CFG(16, 16, 16, S8, U8, U32, false),   CFG(16, 16, 16, S8, U8, S32, false),   CFG(16, 16, 16, S8, U8, S32, true),
    CFG(16, 16, 16, S8, S8, U32, false),   CFG(16, 16, 16, S8, S8, S32, false),   CFG(16, 16, 16, S8, S8, S32, true),
    CFG(16, 16, 16, F16, F16, F16, false), CFG(16, 16, 16, F16, F16, F32, false),
};

/* NVIDIA H200, driver 580.159: measured 2026-11-29 with vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR. */
static const tsr_config h200[] = {
    CFG(16, 16, 16, F16, F16, F16, false), CFG(16, 8, 16, F16, F16, F16, false),    CFG(16, 8, 8, F16, F16, F16, false),
    CFG(16, 16, 16, F16, F16, F32, false), CFG(16, 8, 16, F16, F16, F32, false),    CFG(16, 8, 8, F16, F16, F32, false),
    CFG(16, 16, 32, U8, U8, U32, false),   CFG(16, 16, 32, S8, S8, S32, false),     CFG(16, 8, 32, U8, U8, U32, false),
    CFG(16, 8, 32, S8, S8, S32, false),    CFG(16, 16, 16, BF16, BF16, F32, false),
};

/* Mesa lavapipe 26.1 with 256-bit vectors. */
static const tsr_config lavapipe[] = {
    CFG(8, 8, 8, F16, F16, F16, false),
    CFG(8, 8, 8, F16, F16, F32, false),
    CFG(8, 8, 8, U8, U8, U32, false),
    CFG(8, 8, 8, S8, S8, S32, false),
};

static const uint32_t radv_sizes[] = {32, 64}, h200_sizes[] = {32}, lavapipe_sizes[] = {8};

#define SUPPORT(list, sizes)                                                                                           \
    {                                                                                                                  \
        .knowledge = TSR_COMPLETE, .configs = list, .config_count = TSR_COUNT_OF(list),                                \
        .advertised = TSR_COUNT_OF(list), .subgroup_sizes = sizes, .subgroup_size_count = TSR_COUNT_OF(sizes)          \
    }

static const tsr_support supports[] = {SUPPORT(radv, radv_sizes), SUPPORT(h200, h200_sizes),
                                       SUPPORT(lavapipe, lavapipe_sizes)};
#define RADV (&supports[0])

static void components(void **state)
{
    (void)state;
    for (unsigned c = 1; c < TSR_COMPONENT_COUNT; c++) {
        assert_int_equal(tsr_component_find(tsr_component_name((tsr_component)c)), c);
        unsigned bits = tsr_component_bits((tsr_component)c);
        assert_true(bits == 8 || bits == 16 || bits == 32 || bits == 64);
    }
    assert_int_equal(tsr_component_find("i8"), TSR_S8);
    assert_int_equal(tsr_component_find("i32"), TSR_S32);
    assert_int_equal(tsr_component_find("bf16"), TSR_BF16);
    assert_int_equal(tsr_component_bits(TSR_F8E4M3), 8);
    assert_int_equal(tsr_component_bits(TSR_F64), 64);
    assert_true(tsr_component_is_integer(TSR_U8) && !tsr_component_is_signed(TSR_U8));
    assert_true(tsr_component_is_integer(TSR_S32) && tsr_component_is_signed(TSR_S32));
    assert_true(!tsr_component_is_integer(TSR_F16) && tsr_component_is_signed(TSR_F16));
    static const char *const bad[] = {"", "none", "f", "F16", "f16 ", "i16"};
    for (size_t i = 0; i < TSR_COUNT_OF(bad); i++)
        assert_int_equal(tsr_component_find(bad[i]), TSR_COMPONENT_NONE);
    assert_int_equal(tsr_component_find(NULL), TSR_COMPONENT_NONE);
    assert_string_equal(tsr_component_name((tsr_component)99), "none");
    assert_int_equal(tsr_component_bits((tsr_component)-1), 0);
}

static void names(void **state)
{
    (void)state;
    assert_string_equal(tsr_scope_name(TSR_SCOPE_SUBGROUP), "subgroup");
    assert_string_equal(tsr_scope_name(TSR_SCOPE_QUEUE_FAMILY), "queue family");
    assert_string_equal(tsr_scope_name((tsr_scope)17), "none");
    assert_string_equal(tsr_use_name(TSR_USE_ACCUMULATOR), "accumulator");
    assert_string_equal(tsr_regime_name(TSR_REGIME_BOUNDED), "bounded");
    assert_string_equal(tsr_verdict_name(TSR_VERDICT_YES), "yes");
    assert_string_equal(tsr_verdict_name((tsr_verdict)99), "unknown");
}

static void check_round_trip(const tsr_config *cfg)
{
    char name[128];
    tsr_config back;
    size_t len = tsr_config_name(cfg, name, sizeof name);
    assert_int_equal(len, strlen(name));
    assert_int_equal(tsr_config_parse(name, &back), TSR_OK);
    assert_true(tsr_config_match(cfg, &back));
    assert_int_equal(back.saturating, cfg->saturating);
    assert_int_equal(back.scope, cfg->scope);
}

static void config_names(void **state)
{
    (void)state;
    char name[128], small[10];
    tsr_config_name(&radv[13], name, sizeof name);
    assert_string_equal(name, "16x16x16 f16*f16+f32->f32 subgroup");
    tsr_config_name(&radv[5], name, sizeof name);
    assert_string_equal(name, "16x16x16 u8*s8+s32->s32 subgroup saturating");
    assert_int_equal(tsr_config_name(&radv[13], NULL, 0), 34);
    assert_int_equal(tsr_config_name(&radv[13], small, sizeof small), 34);
    assert_string_equal(small, "16x16x16 ");
    for (size_t s = 0; s < TSR_COUNT_OF(supports); s++) {
        for (size_t i = 0; i < supports[s].config_count; i++)
            check_round_trip(&supports[s].configs[i]);
    }
    for (unsigned scope = 0; scope < TSR_SCOPE_COUNT; scope++) {
        for (unsigned c = 1; c < TSR_COMPONENT_COUNT; c++) {
            tsr_component a = (tsr_component)c, b = (tsr_component)(TSR_COMPONENT_COUNT - c);
            check_round_trip(&(tsr_config){{UINT32_MAX, 1, c}, a, b, b, a, scope & 1, (tsr_scope)scope});
        }
    }
}

static void bad_config_names(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "16",
                                      "16x16",
                                      "16x16x16",
                                      "16x16x16 f16*f16+f32->f32",
                                      "16x16x16 f16*f16+f32->f32 ",
                                      "16x16x16  f16*f16+f32->f32 subgroup",
                                      "0x16x16 f16*f16+f32->f32 subgroup",
                                      "4294967296x16x16 f16*f16+f32->f32 subgroup",
                                      "99999999999999999999x1x1 f16*f16+f32->f32 subgroup",
                                      "-1x16x16 f16*f16+f32->f32 subgroup",
                                      "16x16x16 f17*f16+f32->f32 subgroup",
                                      "16x16x16 none*f16+f32->f32 subgroup",
                                      "16x16x16 f16*f16+f32->f32 subgroups",
                                      "16x16x16 f16*f16+f32->f32 subgroup saturatin",
                                      "16x16x16 f16*f16+f32->f32 subgroup saturating ",
                                      "16x16x16 f16*f16+f32-f32 subgroup",
                                      "16x16x16 averyverylongname*f16+f32->f32 subgroup",
                                      "16x16x16 f16*f16+f32->f32 queue"};
    tsr_config out = radv[3];
    for (size_t i = 0; i < TSR_COUNT_OF(bad); i++) {
        if (tsr_config_parse(bad[i], &out) != TSR_ERR_INVALID) fail_msg("'%s' was accepted", bad[i]);
        assert_true(tsr_config_match(&out, &radv[3]));
    }
    assert_int_equal(tsr_config_parse(NULL, &out), TSR_ERR_INVALID);
    assert_true(strlen(tsr_last_error()) > 0);
}

static void radv_regimes(void **state)
{
    (void)state;
    unsigned strict = 0, bounded = 0;
    for (size_t i = 0; i < RADV->config_count; i++) {
        tsr_regime r = tsr_config_regime(&radv[i]);
        assert_int_equal(tsr_config_is_exact(&radv[i]), r == TSR_REGIME_STRICT);
        if (r == TSR_REGIME_STRICT)
            strict++;
        else
            bounded++;
    }
    assert_int_equal(RADV->config_count, 14);
    assert_int_equal(strict, 12);
    assert_int_equal(bounded, 2);
    assert_true(tsr_support_is_faithful(RADV));
    tsr_support lossy = *RADV;
    lossy.advertised = 16;
    assert_false(tsr_support_is_faithful(&lossy));
    /* Exact only when addend and result are integers, whatever the inputs are. */
    tsr_config mixed = CFG(16, 16, 16, U8, U8, S32, false);
    mixed.r = TSR_F32;
    assert_false(tsr_config_is_exact(&mixed));
}

static void finding(void **state)
{
    (void)state;
    tsr_config wanted = CFG(16, 16, 16, S8, S8, S32, true);
    wanted.scope = TSR_SCOPE_WORKGROUP;
    assert_ptr_equal(tsr_support_find(RADV, &wanted), &radv[10]); /* the one that does not saturate */
    const tsr_config saturating_first[] = {radv[2], radv[1]};
    tsr_support s = *RADV;
    s.configs = saturating_first;
    s.config_count = 2;
    wanted = radv[2];
    assert_ptr_equal(tsr_support_find(&s, &wanted), &saturating_first[1]);
    s.config_count = 1;
    assert_ptr_equal(tsr_support_find(&s, &wanted), &saturating_first[0]);
    wanted.shape.k = 32;
    assert_null(tsr_support_find(RADV, &wanted));
    for (size_t i = 0; i < TSR_COUNT_OF(supports); i++) {
        bool power_of_two = false;
        for (size_t j = 0; j < supports[i].config_count; j++) {
            tsr_shape sh = supports[i].configs[j].shape;
            power_of_two |= !(sh.m & (sh.m - 1)) && !(sh.n & (sh.n - 1)) && !(sh.k & (sh.k - 1));
        }
        assert_true(power_of_two);
    }
}

static void verdicts(void **state)
{
    (void)state;
    for (size_t i = 0; i < RADV->config_count; i++)
        assert_int_equal(tsr_support_verdict(RADV, &radv[i]), TSR_VERDICT_YES);
    tsr_config wanted = CFG(16, 16, 16, F16, F16, F32, true);
    assert_int_equal(tsr_support_verdict(RADV, &wanted), TSR_VERDICT_NO_SATURATION);
    wanted.saturating = false;
    wanted.scope = TSR_SCOPE_WORKGROUP;
    assert_int_equal(tsr_support_verdict(RADV, &wanted), TSR_VERDICT_NO_SCOPE);
    wanted = (tsr_config)CFG(16, 16, 16, U8, U8, U32, true);
    wanted.scope = TSR_SCOPE_DEVICE;
    assert_int_equal(tsr_support_verdict(RADV, &wanted), TSR_VERDICT_NO_SATURATION);
    wanted = (tsr_config)CFG(8, 8, 8, F32, F32, F32, false);
    assert_int_equal(tsr_support_verdict(RADV, &wanted), TSR_VERDICT_NO);
    tsr_support s = *RADV;
    s.knowledge = TSR_PARTIAL; /* what is listed holds; what is not is not refused */
    assert_int_equal(tsr_support_verdict(&s, &wanted), TSR_VERDICT_UNKNOWN);
    wanted = (tsr_config)CFG(16, 16, 16, F16, F16, F32, true);
    assert_int_equal(tsr_support_verdict(&s, &wanted), TSR_VERDICT_UNKNOWN);
    assert_int_equal(tsr_support_verdict(&s, &radv[0]), TSR_VERDICT_YES);
    s = (tsr_support){0};
    assert_int_equal(tsr_support_verdict(&s, &radv[0]), TSR_VERDICT_UNKNOWN);
}

static void open_device(void **state)
{
    (void)state;
    tsr_support open = {.knowledge = TSR_COMPLETE, .open = true};
    tsr_config ok[] = {CFG(3, 5, 7, F32, F32, F32, false), CFG(1, 1, 1, U8, S8, S32, true),
                       CFG(16, 8, 4, F16, F16, F16, false), CFG(16, 8, 4, F8E4M3, F8E5M2, F32, false)};
    for (size_t i = 0; i < TSR_COUNT_OF(ok); i++)
        assert_int_equal(tsr_support_verdict(&open, &ok[i]), TSR_VERDICT_YES);
    tsr_config no[] = {CFG(0, 5, 7, F32, F32, F32, false), CFG(8, 8, 8, F32, F16, F32, false),
                       CFG(8, 8, 8, F32, F32, F16, false), CFG(8, 8, 8, S8, S8, F32, false),
                       CFG(8, 8, 8, F16, F16, F32, true),  CFG(8, 8, 8, U32, F32, F32, false)};
    for (size_t i = 0; i < TSR_COUNT_OF(no); i++)
        assert_int_equal(tsr_support_verdict(&open, &no[i]), TSR_VERDICT_NO);
    ok[0].scope = TSR_SCOPE_WORKGROUP;
    assert_int_equal(tsr_support_verdict(&open, &ok[0]), TSR_VERDICT_NO_SCOPE);
}

static void fragments(void **state)
{
    (void)state;
    tsr_config_fragments f = tsr_config_get_fragments(&h200[8]); /* 16x8x32 u8*u8+u32->u32 */
    assert_int_equal(tsr_fragment_rows(&f.a), 16);
    assert_int_equal(tsr_fragment_cols(&f.a), 32);
    assert_int_equal(tsr_fragment_rows(&f.b), 32);
    assert_int_equal(tsr_fragment_cols(&f.b), 8);
    assert_int_equal(tsr_fragment_rows(&f.c), 16);
    assert_int_equal(tsr_fragment_cols(&f.r), 8);
    assert_int_equal(f.a.component, TSR_U8);
    assert_int_equal(f.r.component, TSR_U32);
    assert_int_equal(f.b.use, TSR_USE_B);
    assert_true(tsr_fragment_components(&f.a) == 512);
}

static void per_invocation(void **state)
{
    (void)state;
    tsr_fragment f = {TSR_USE_ACCUMULATOR, {16, 16, 16}, TSR_F32, TSR_SCOPE_SUBGROUP};
    uint32_t each = 77;
    assert_int_equal(tsr_fragment_per_invocation(&f, 24, &each), TSR_ERR_SHAPE);
    assert_int_equal(tsr_fragment_per_invocation(&f, 0, &each), TSR_ERR_SHAPE);
    assert_int_equal(each, 77);
    assert_int_equal(tsr_fragment_per_invocation(&f, 64, &each), TSR_OK);
    assert_int_equal(each, 4);
    f.shape = (tsr_shape){8, 8, 8};
    assert_int_equal(tsr_fragment_per_invocation(&f, 128, &each), TSR_ERR_SHAPE);
    assert_non_null(strstr(tsr_last_error(), "8x8"));
    assert_int_equal(tsr_fragment_per_invocation(&f, 64, &each), TSR_OK);
    assert_int_equal(each, 1);
    for (size_t s = 0; s < TSR_COUNT_OF(supports); s++) {
        for (size_t i = 0; i < supports[s].config_count; i++) {
            for (size_t z = 0; z < supports[s].subgroup_size_count; z++)
                assert_true(tsr_config_fits(&supports[s].configs[i], supports[s].subgroup_sizes[z]));
        }
    }
    assert_false(tsr_config_fits(&radv[0], 24));
    assert_false(tsr_config_fits(&radv[0], 0));
    assert_false(tsr_config_fits(&lavapipe[0], 128));
}

static void huge_shapes_do_not_overflow(void **state)
{
    (void)state;
    tsr_fragment f = {TSR_USE_A, {UINT32_MAX, 1, UINT32_MAX}, TSR_F32, TSR_SCOPE_SUBGROUP};
    uint32_t each = 0;
    assert_true(tsr_fragment_components(&f) == (uint64_t)UINT32_MAX * UINT32_MAX);
    assert_int_equal(tsr_fragment_per_invocation(&f, 1, &each), TSR_ERR_LIMIT);
    f.shape.k = 1u << 31;
    f.shape.m = 1u << 31;
    assert_true(tsr_fragment_components(&f) == (uint64_t)1 << 62);
    assert_int_equal(tsr_fragment_per_invocation(&f, 1u << 30, &each), TSR_ERR_LIMIT);
    assert_int_equal(tsr_fragment_per_invocation(&f, 1u << 31, &each), TSR_OK);
    assert_int_equal(each, 1u << 31);
}

static void fragments_of_a_device(void **state)
{
    (void)state;
    tsr_caps c = {.name = "profile", .support = supports[1]};
    assert_int_equal(tsr_caps_fragment(&c, TSR_USE_A, TSR_F16, 16, 16), TSR_VERDICT_YES);
    assert_int_equal(tsr_caps_fragment(&c, TSR_USE_B, TSR_F16, 16, 8), TSR_VERDICT_YES);
    assert_int_equal(tsr_caps_fragment(&c, TSR_USE_B, TSR_F16, 8, 16), TSR_VERDICT_NO);
    assert_int_equal(tsr_caps_fragment(&c, TSR_USE_ACCUMULATOR, TSR_U32, 16, 8), TSR_VERDICT_YES);
    assert_int_equal(tsr_caps_fragment(&c, TSR_USE_ACCUMULATOR, TSR_BF16, 16, 16), TSR_VERDICT_NO);
    c.support.knowledge = TSR_PARTIAL;
    assert_int_equal(tsr_caps_fragment(&c, TSR_USE_ACCUMULATOR, TSR_BF16, 16, 16), TSR_VERDICT_UNKNOWN);
    c.support = (tsr_support){.knowledge = TSR_COMPLETE, .open = true};
    assert_int_equal(tsr_caps_fragment(&c, TSR_USE_A, TSR_F32, 3, 5), TSR_VERDICT_YES);
    assert_int_equal(tsr_caps_fragment(&c, TSR_USE_A, TSR_F32, 0, 5), TSR_VERDICT_NO);
    tsr_config wide[] = {radv[0]};
    wide[0].scope = TSR_SCOPE_WORKGROUP;
    c.support = (tsr_support){.knowledge = TSR_COMPLETE, .configs = wide, .config_count = 1, .advertised = 1};
    assert_int_equal(tsr_caps_fragment(&c, TSR_USE_A, TSR_U8, 16, 16), TSR_VERDICT_NO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(components),
        cmocka_unit_test(names),
        cmocka_unit_test(config_names),
        cmocka_unit_test(bad_config_names),
        cmocka_unit_test(radv_regimes),
        cmocka_unit_test(finding),
        cmocka_unit_test(verdicts),
        cmocka_unit_test(open_device),
        cmocka_unit_test(fragments),
        cmocka_unit_test(per_invocation),
        cmocka_unit_test(huge_shapes_do_not_overflow),
        cmocka_unit_test(fragments_of_a_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
