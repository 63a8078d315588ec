/* The sanitizer through the public API: findings and their parts, what accesses outside do, limits, bad arguments. */
#include "unit.h"

#include "tessera.h"

#include <string.h>

static const char race[] = "@group(0) @binding(0) var<storage, read_write> c: array<u32>;\n"
                           "var<workgroup> part: array<u32, 64>;\n"
                           "@compute @workgroup_size(64)\n"
                           "fn main(@builtin(local_invocation_index) lane: u32) {\n"
                           "    part[lane] = lane;\n"
                           "    c[lane] = part[63 - lane];\n"
                           "}\n";

static const char outside[] = "@group(0) @binding(0) var<storage, read_write> c: array<u32>;\n"
                              "@compute @workgroup_size(1)\n"
                              "fn main() { var i = 9u; c[0] = c[i]; c[i + 1] = 77u; }\n";

struct setup {
    tsr_module *module;
    tsr_device *device;
    tsr_pipeline *pipeline;
    tsr_buffer *buffer;
};

static void start(struct setup *s, const char *text, const uint32_t *data, size_t count)
{
    tsr_compile_args args = {.source = text, .source_bytes = strlen(text)};
    assert_int_equal(tsr_compile(&args, &s->module), TSR_OK);
    assert_int_equal(tsr_device_open("cpu", NULL, &s->device), TSR_OK);
    assert_int_equal(tsr_pipeline_create(s->device, s->module, NULL, &s->pipeline), TSR_OK);
    assert_int_equal(tsr_buffer_create(s->device, count * sizeof *data, data, &s->buffer), TSR_OK);
}

static tsr_status run(struct setup *s, const tsr_sanitize_args *args, tsr_findings **found)
{
    tsr_binding b = {.buffer = s->buffer};
    tsr_dispatch_args d = {
        .bindings = &b, .binding_count = 1, .groups = {1, 1, 1}, .sanitize = args, .findings = found};
    return tsr_dispatch(s->pipeline, &d);
}

static void stop(struct setup *s)
{
    tsr_buffer_free(s->buffer);
    tsr_pipeline_free(s->pipeline);
    tsr_device_free(s->device);
    tsr_module_free(s->module);
}

static void test_race(void **state)
{
    (void)state;
    struct setup s;
    uint32_t data[64] = {0};
    tsr_sanitize_args args = {.checks = TSR_CHECK_ALL};
    tsr_findings *found = NULL;
    start(&s, race, data, 64);
    assert_int_equal(run(&s, &args, &found), TSR_OK);
    assert_int_equal(tsr_findings_count(found), 1);
    assert_int_equal(tsr_findings_warnings(found), 1);
    tsr_finding f = tsr_findings_get(found, 0);
    assert_int_equal(f.number, 301);
    assert_string_equal(f.name, "race_workgroup");
    assert_int_equal(f.check, TSR_CHECK_RACES);
    assert_int_equal(f.severity, TSR_SEVERITY_WARNING);
    assert_int_equal(f.count, 64);
    assert_int_equal(f.place.line, 6);
    assert_true(f.has_other);
    assert_int_equal(f.other_place.line, 5);
    assert_int_equal(f.invocation.local_index, 0);
    assert_int_equal(f.other_invocation.local_index, 63);
    assert_int_equal(f.other_invocation.subgroup, 1);
    assert_non_null(strstr(f.message, "`part[63]`"));
    tsr_findings_free(found);
    assert_int_equal(tsr_buffer_read(s.buffer, 0, data, sizeof data), TSR_OK);
    assert_int_equal(data[5], 58); /* the results are a plain run's */
    stop(&s);
}

static void test_only_what_was_asked_for(void **state)
{
    (void)state;
    struct setup s;
    uint32_t data[64] = {0};
    tsr_sanitize_args args = {.checks = TSR_CHECK_BOUNDS | TSR_CHECK_ORDER};
    tsr_findings *found = NULL;
    start(&s, race, data, 64);
    assert_int_equal(run(&s, &args, &found), TSR_OK);
    assert_int_equal(tsr_findings_count(found), 0);
    tsr_findings_free(found);
    assert_int_equal(run(&s, &args, NULL), TSR_OK);
    stop(&s);
}

static void test_memory_limit(void **state)
{
    (void)state;
    struct setup s;
    uint32_t data[64] = {0};
    tsr_sanitize_args args = {.checks = TSR_CHECK_RACES, .shadow_limit_bytes = 64};
    tsr_findings *found = NULL;
    start(&s, race, data, 64);
    assert_int_equal(run(&s, &args, &found), TSR_OK);
    assert_int_equal(tsr_findings_count(found), 2); /* workgroup memory and c */
    assert_int_equal(tsr_findings_warnings(found), 0);
    assert_int_equal(tsr_findings_get(found, 0).number, 309);
    tsr_findings_free(found);
    stop(&s);
}

static void check_outside(tsr_oob oob, uint32_t first, uint32_t last)
{
    struct setup s;
    uint32_t data[4] = {1, 2, 3, 4};
    tsr_sanitize_args args = {.oob = oob};
    start(&s, outside, data, 4);
    assert_int_equal(run(&s, &args, NULL), TSR_OK);
    assert_int_equal(tsr_buffer_read(s.buffer, 0, data, sizeof data), TSR_OK);
    assert_int_equal(data[0], first);
    assert_int_equal(data[3], last);
    stop(&s);
}

static void test_outside(void **state)
{
    (void)state;
    check_outside(TSR_OOB_ZERO, 0, 4);
    check_outside(TSR_OOB_UNCHECKED, 0, 4);
    check_outside(TSR_OOB_CLAMP, 4, 77);
    check_outside(TSR_OOB_RESTART, 4, 77);
}

static void test_expected(void **state)
{
    (void)state;
    struct setup s;
    uint32_t data[4] = {1, 2, 3, 4}, want[4] = {0, 2, 5, 4};
    tsr_expected e = {.data = want, .size_bytes = sizeof want};
    tsr_sanitize_args args = {.expected = &e, .expected_count = 1};
    tsr_findings *found = NULL;
    start(&s, outside, data, 4);
    assert_int_equal(run(&s, &args, &found), TSR_OK);
    assert_int_equal(tsr_findings_count(found), 1);
    tsr_finding f = tsr_findings_get(found, 0);
    assert_int_equal(f.number, 1001);
    assert_string_equal(f.message, "`c[2]` is 5 in what is expected, 3 here; 1 element differs");
    assert_int_equal(f.place.line, 0); /* nothing wrote that element */
    tsr_findings_free(found);
    stop(&s);
}

static void test_bad_arguments(void **state)
{
    (void)state;
    struct setup s;
    uint32_t data[64] = {0};
    tsr_findings *found = NULL;
    start(&s, race, data, 64);
    assert_int_equal(run(&s, &(tsr_sanitize_args){.oob = TSR_OOB_COUNT}, &found), TSR_ERR_INVALID);
    assert_int_equal(run(&s, &(tsr_sanitize_args){.expected_count = 1}, &found), TSR_ERR_INVALID);
    assert_null(found);
    assert_int_equal(tsr_findings_count(NULL), 0);
    assert_int_equal(tsr_findings_warnings(NULL), 0);
    tsr_findings_free(NULL);
    stop(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_race),     cmocka_unit_test(test_only_what_was_asked_for),
        cmocka_unit_test(test_outside),  cmocka_unit_test(test_memory_limit),
        cmocka_unit_test(test_expected), cmocka_unit_test(test_bad_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
