/* Portability and budgets of the public API: verdicts with their reasons and sizes, matrices held at the worst point.
 */
#include "unit.h"

#include "tessera.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tsr_module *compile(const char *source)
{
    tsr_module *m = NULL;
    tsr_compile_args args = {.name = "t.wgsl", .source = source, .source_bytes = strlen(source)};
    if (tsr_compile(&args, &m) != TSR_OK) fail_msg("%s", tsr_module_diagnostic_text(m, 0, 0));
    return m;
}

#define HEAD                                                                                                           \
    "diagnostic(off, chromium.subgroup_matrix_uniformity);\n"                                                          \
    "enable chromium_experimental_subgroup_matrix;\n"                                                                  \
    "alias L = subgroup_matrix_left<f32, 8, 8>; alias R = subgroup_matrix_right<f32, 8, 8>;\n"                         \
    "alias S = subgroup_matrix_result<f32, 8, 8>;\n"                                                                   \
    "@group(0) @binding(0) var<storage, read_write> x: array<f32>;\n"                                                  \
    "fn left(at: u32) -> L { return subgroupMatrixLoad<L, row_major>(&x, at, 8); }\n"                                  \
    "fn right(at: u32) -> R { return subgroupMatrixLoad<R, row_major>(&x, at, 8); }\n"                                 \
    "fn keep(s: S, at: u32) { subgroupMatrixStore<row_major>(&x, at, s, 8); }\n"

/* ---- Budgets --------------------------------------------------------------------------------------------------- */

/* Tiles of 64 components held by main. */
static void expect_tiles(const char *body, uint64_t tiles)
{
    char source[4096];
    tsr_budget b;
    snprintf(source, sizeof source, "%s%s", HEAD, body);
    tsr_module *m = compile(source);
    if (tsr_module_budget(m, NULL, &b) != TSR_OK) fail_msg("%s", tsr_last_error());
    if (b.matrix_components != tiles * 64)
        fail_msg("%s\nholds %u components, not %u", body, (unsigned)b.matrix_components, (unsigned)tiles * 64);
    assert_int_equal(b.matrix_bytes, tiles * 256);
    assert_int_equal(b.worst.line != 0, tiles != 0);
    tsr_module_free(m);
}

#define MAIN(body) "@compute @workgroup_size(64) fn main() {" body "}"
#define MMA        "subgroupMatrixMultiplyAccumulate"

static void test_values(void **state)
{
    (void)state;
    expect_tiles(MAIN(""), 0);
    expect_tiles(MAIN("let a = left(0);"), 1); /* while the callee has it */
    expect_tiles(MAIN("let s = subgroupMatrixMultiply<f32>(left(0), right(0)); keep(s, 0);"), 3);
    /* Two products one after the other take no more than one; side by side they add up. */
    expect_tiles(MAIN("keep(subgroupMatrixMultiply<f32>(left(0), right(0)), 0);"
                      "keep(subgroupMatrixMultiply<f32>(left(0), right(0)), 64);"),
                 3);
    expect_tiles(MAIN("let s = subgroupMatrixMultiply<f32>(left(0), right(0));"
                      "let t = subgroupMatrixMultiply<f32>(left(0), right(0)); keep(s, 0); keep(t, 64);"),
                 4);
}

static void test_variables(void **state)
{
    (void)state;
    /* A sum that goes back to its variable is one matrix; with both inputs, three. */
    expect_tiles(MAIN("var s: S; s = " MMA "(left(0), right(0), s); keep(s, 0);"), 3);
    expect_tiles(MAIN("var s: array<S, 16>; for (var i = 0u; i < 16; i++) { s[i] = " MMA "(left(i), right(i), s[i]); }"
                      "for (var i = 0u; i < 16; i++) { keep(s[i], i); }"),
                 18);
    /* A variable of a loop's body lives there only; one that stands before a loop lives throughout it. */
    expect_tiles(MAIN("for (var i = 0u; i < 4; i++) { var s: S; s = " MMA "(left(i), right(i), s); keep(s, i); }"), 3);
    expect_tiles(MAIN("let b = right(0); var s: S; for (var i = 0u; i < 4; i++) { s = " MMA "(left(i), b, s); }"
                      "keep(s, 0);"),
                 3);
    /* What both branches of an if hold is not held at once. */
    expect_tiles(MAIN("if (x[0] > 1) { keep(subgroupMatrixMultiply<f32>(left(0), right(0)), 0); }"
                      "else { keep(subgroupMatrixMultiply<f32>(left(1), right(1)), 0); }"),
                 3);
    expect_tiles("var<private> p: array<S, 4>;" MAIN("p[1] = " MMA "(left(0), right(0), p[1]);"), 7);
}

static void test_calls(void **state)
{
    (void)state;
    expect_tiles("fn more(s: S) -> S { return " MMA
                 "(left(0), right(0), s); }" MAIN("var s: S; s = more(s); s = more(s); keep(s, 0);"),
                 3);
    /* What the caller keeps adds to what the callee takes. */
    expect_tiles("fn more(at: u32) { keep(subgroupMatrixMultiply<f32>(left(at), right(at)), at); }" MAIN(
                     "let a = left(0); let b = right(0); more(64); keep(subgroupMatrixMultiply<f32>(a, b), 0);"),
                 5);
    expect_tiles("fn more(s: ptr<function, array<S, 4>>) { (*s)[1] = " MMA
                 "(left(0), right(0), (*s)[1]); }" MAIN("var s: array<S, 4>; more(&s); keep(s[1], 0);"),
                 6);
}

static void test_sizes(void **state)
{
    (void)state;
    tsr_budget b;
    tsr_module *m = compile("override W = 32u; var<workgroup> w: array<u32, W * 2>;\n"
                            "@compute @workgroup_size(W, 2) fn main() { w[0] = 1; }");
    tsr_override_value set = {.name = "W", .value = 64};
    tsr_pipeline_args args = {.overrides = &set, .override_count = 1};
    assert_int_equal(tsr_module_budget(m, &args, &b), TSR_OK);
    assert_int_equal(b.invocations, 128);
    assert_int_equal(b.workgroup_bytes, 512);
    assert_int_equal(b.matrix_components, 0);
    args.entry = "mine";
    assert_int_equal(tsr_module_budget(m, &args, &b), TSR_ERR_INVALID);
    assert_int_equal(tsr_module_budget(NULL, NULL, &b), TSR_ERR_INVALID);
    tsr_module_free(m);
}

/* ---- Verdicts -------------------------------------------------------------------------------------------------- */

static tsr_profiles *load(const char *json)
{
    tsr_profiles *p;
    if (tsr_profiles_load(json, strlen(json), "t.json", &p) != TSR_OK) fail_msg("%s", tsr_last_error());
    return p;
}

static tsr_fit_report *judge(const char *source, const char *json, uint32_t size)
{
    tsr_fit_report *r = NULL;
    tsr_module *m = compile(source);
    tsr_profiles *p = load(json);
    tsr_fit_args args = {.profiles = p, .subgroup_size = size};
    if (tsr_fit_check(m, &args, &r) != TSR_OK) fail_msg("%s", tsr_last_error());
    tsr_module_free(m); /* the report needs neither */
    tsr_profiles_free(p);
    return r;
}

#define DEVICE(configs, rest)                                                                                          \
    "{\"name\": \"d\", \"support\": \"complete\", \"configurations\": [" configs "], \"f16\": true" rest "}"
#define PRODUCT                                                                                                        \
    HEAD "@compute @workgroup_size(32) fn main() { keep(subgroupMatrixMultiply<f32>(left(0), right(0)), 0); }"
#define F32 "\"8x8x8 f32*f32+f32->f32 subgroup\""

static void expect_fit(const char *source, const char *json, tsr_fit fit, uint32_t number, size_t sizes)
{
    const uint32_t *list;
    tsr_fit_reason reason;
    tsr_fit_report *r = judge(source, json, 0);
    if (tsr_fit_verdict(r) != fit) fail_msg("%s: %s", json, tsr_fit_name(tsr_fit_verdict(r)));
    assert_int_equal(tsr_fit_sizes(r, &list), sizes);
    assert_int_equal(tsr_fit_reason_count(r) != 0, fit != TSR_FIT_RUNS);
    if (fit != TSR_FIT_RUNS) {
        assert_int_equal(tsr_fit_get_reason(r, 0, &reason), TSR_OK);
        assert_int_equal(reason.number, number);
        assert_true(reason.rule[0] && reason.message[0]);
    }
    assert_int_equal(tsr_fit_get_reason(r, tsr_fit_reason_count(r), &reason), TSR_ERR_INVALID);
    tsr_fit_free(r);
}

static void test_configs(void **state)
{
    (void)state;
    expect_fit(PRODUCT, DEVICE(F32, ", \"subgroup_sizes\": [32]"), TSR_FIT_RUNS, 0, 1);
    expect_fit(PRODUCT, DEVICE(F32, ", \"subgroup_sizes\": [8, 16, 32]"), TSR_FIT_RUNS, 0, 3);
    expect_fit(PRODUCT, DEVICE("", ", \"subgroup_sizes\": [32]"), TSR_FIT_REFUSED, 643, 0);
    expect_fit(PRODUCT, DEVICE("\"8x8x8 f32*f32+f32->f32 workgroup\"", ", \"subgroup_sizes\": [32]"), TSR_FIT_REFUSED,
               643, 0);
    expect_fit(PRODUCT, "{\"name\": \"d\", \"support\": \"partial\", \"configurations\": [], \"subgroup_sizes\": [32]}",
               TSR_FIT_UNKNOWN, 643, 1);
    expect_fit(PRODUCT,
               "{\"name\": \"d\", \"support\": \"complete\", \"open\": true, \"configurations\": []"
               ", \"subgroup_sizes\": [32]}",
               TSR_FIT_RUNS, 0, 1);
}

static void test_nearest(void **state)
{
    (void)state;
    tsr_fit_reason reason;
    tsr_fit_report *r = judge(PRODUCT,
                              DEVICE("\"16x8x8 f16*f16+f32->f32 subgroup\", \"8x8x4 f32*f32+f32->f32 subgroup\"",
                                     ", \"subgroup_sizes\": [32]"),
                              0);
    assert_int_equal(tsr_fit_reason_count(r), 1);
    assert_int_equal(tsr_fit_get_reason(r, 0, &reason), TSR_OK);
    assert_int_equal(reason.fit, TSR_FIT_REFUSED);
    assert_true(reason.has_wanted && reason.has_nearest);
    assert_int_equal(reason.wanted.shape.k, 8);
    assert_int_equal(reason.nearest.shape.k, 4);
    assert_string_equal(reason.differs, "k");
    assert_int_equal(reason.place.line, 9);
    assert_int_equal(reason.subgroup_size, 0);
    tsr_fit_free(r);
}

/* 64 components over 128 lanes; workgroup x of 32 against subgroups of up to 64. */
static void test_subgroups(void **state)
{
    (void)state;
    tsr_fit_reason reason;
    const uint32_t *sizes;
    static const char wide[] =
        HEAD "@compute @workgroup_size(128) fn main() { keep(subgroupMatrixMultiply<f32>(left(0), right(0)), 0); }";
    tsr_fit_report *r = judge(wide, DEVICE(F32, ", \"subgroup_sizes\": [64, 128]"), 0);
    assert_int_equal(tsr_fit_verdict(r), TSR_FIT_REFUSED);
    assert_int_equal(tsr_fit_sizes(r, &sizes), 1);
    assert_int_equal(sizes[0], 64);
    assert_int_equal(tsr_fit_get_reason(r, 0, &reason), TSR_OK);
    assert_int_equal(reason.number, 644);
    assert_int_equal(reason.subgroup_size, 128);
    tsr_fit_free(r);
    r = judge(wide, DEVICE(F32, ", \"subgroup_sizes\": [64, 128]"), 64);
    assert_int_equal(tsr_fit_verdict(r), TSR_FIT_RUNS);
    tsr_fit_free(r);
    expect_fit(PRODUCT, DEVICE(F32, ", \"subgroup_sizes\": [32, 64]"), TSR_FIT_REFUSED, 645, 0);
    expect_fit(PRODUCT, DEVICE(F32, ", \"subgroup_sizes\": [32, 64], \"inferred\": [\"subgroup\"]"), TSR_FIT_UNKNOWN,
               645, 2);
    expect_fit("enable subgroups; @group(0) @binding(0) var<storage, read_write> x: array<u32>;"
               "@compute @workgroup_size(32) fn main() { x[0] = subgroupAdd(1u); }",
               DEVICE("", ""), TSR_FIT_UNKNOWN, 646, 1);
}

static void test_limits(void **state)
{
    (void)state;
    static const char big[] =
        "var<workgroup> w: array<u32, 8192>; @compute @workgroup_size(512) fn main() { w[0] = 1; }";
    static const char small[] =
        "var<workgroup> w: array<u32, 64>; @compute @workgroup_size(256) fn main() { w[0] = 1; }";
    expect_fit(small, DEVICE("", ""), TSR_FIT_RUNS, 0, 1); /* nothing is known, and nothing need be */
    expect_fit(big, DEVICE("", ""), TSR_FIT_UNKNOWN, 670, 1);
    expect_fit(big,
               DEVICE("", ", \"limits\": {\"max_workgroup_size\": [1024, 1024, 64],"
                          "\"max_workgroup_invocations\": 1024, \"max_workgroup_bytes\": 32768}"),
               TSR_FIT_RUNS, 0, 1);
    expect_fit(big,
               DEVICE("", ", \"limits\": {\"max_workgroup_size\": [1024, 1024, 64],"
                          "\"max_workgroup_invocations\": 256, \"max_workgroup_bytes\": 32768}"),
               TSR_FIT_REFUSED, 671, 0);
    expect_fit(big,
               DEVICE("", ", \"inferred\": [\"memory\"], \"limits\": {\"max_workgroup_size\": [1024, 1024, 64],"
                          "\"max_workgroup_invocations\": 1024, \"max_workgroup_bytes\": 16384}"),
               TSR_FIT_UNKNOWN, 672, 1);
    static const char half[] = "enable f16; @group(0) @binding(0) var<storage, read_write> x: array<f16>;"
                               "@compute @workgroup_size(32) fn main() { x[0] = 1; }";
    expect_fit(half, DEVICE("", ""), TSR_FIT_RUNS, 0, 1);
    expect_fit(half, "{\"name\": \"d\", \"support\": \"complete\", \"configurations\": []}", TSR_FIT_UNKNOWN, 647, 1);
    expect_fit(half, "{\"name\": \"d\", \"support\": \"complete\", \"configurations\": [], \"f16\": false}",
               TSR_FIT_REFUSED, 647, 0);
}

static void test_misuse(void **state)
{
    (void)state;
    tsr_fit_report *r = NULL;
    tsr_module *m = compile("override W: u32; @compute @workgroup_size(W) fn main() {}");
    tsr_profiles *p = load(DEVICE("", ""));
    tsr_fit_args args = {.profiles = p};
    assert_int_equal(tsr_fit_check(NULL, &args, &r), TSR_ERR_INVALID);
    assert_int_equal(tsr_fit_check(m, &args, &r), TSR_ERR_INVALID); /* W has no value */
    args.profile = 1;
    assert_int_equal(tsr_fit_check(m, &args, &r), TSR_ERR_INVALID);
    args.profiles = NULL;
    assert_int_equal(tsr_fit_check(m, &args, &r), TSR_ERR_INVALID);
    assert_null(r);
    tsr_fit_free(NULL);
    tsr_profiles_free(p);
    tsr_module_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),    cmocka_unit_test(test_variables), cmocka_unit_test(test_calls),
        cmocka_unit_test(test_sizes),     cmocka_unit_test(test_configs),   cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_subgroups), cmocka_unit_test(test_limits),    cmocka_unit_test(test_misuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
