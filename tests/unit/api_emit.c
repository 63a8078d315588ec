/* Emitting through the public header: statuses, ownership, what the words say. */
#include "unit.h"

#include "tessera.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tsr_module *compile(const char *text, bool ir)
{
    tsr_module *m = NULL;
    tsr_compile_args args = {.name = "t", .source = text, .source_bytes = strlen(text), .ir_text = ir};
    if (tsr_compile(&args, &m) != TSR_OK) fail_msg("%s", tsr_last_error());
    return m;
}

static char *emit(const char *text, bool ir, tsr_emit_args args, size_t *size)
{
    tsr_module *m = compile(text, ir);
    void *data = NULL;
    size_t bytes = 0;
    tsr_status st = tsr_emit(m, &args, &data, &bytes);
    if (st != TSR_OK) fail_msg("%s", tsr_last_error());
    tsr_module_free(m);
    if (size) *size = bytes;
    return data;
}

static void expect(const char *text, bool ir, const char *piece, bool there)
{
    char *got = emit(text, ir, (tsr_emit_args){.target = "spirv-text"}, NULL);
    if ((strstr(got, piece) != NULL) != there) fail_msg("%s \"%s\" in:\n%s", there ? "no" : "a", piece, got);
    free(got);
}

static const char scale[] =
    "@group(0) @binding(0) var<storage, read_write> a: array<f32>;\n"
    "override by = 2.0; override far: u32;\n"
    "@compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32) { a[i] *= by; }\n"
    "@compute @workgroup_size(8) fn other() { a[far] = 1; }\n";

static void statuses(void **state)
{
    (void)state;
    tsr_module *m = compile(scale, false);
    void *data = (void *)1;
    size_t size = 7;
    assert_int_equal(tsr_emit(NULL, NULL, &data, &size), TSR_ERR_INVALID);
    assert_int_equal(tsr_emit(m, NULL, NULL, &size), TSR_ERR_INVALID);
    assert_int_equal(tsr_emit(m, NULL, &data, &size), TSR_ERR_INVALID); /* two entry points */
    assert_int_equal(tsr_emit(m, &(tsr_emit_args){.entry = "main", .target = "gold"}, &data, &size), TSR_ERR_INVALID);
    assert_non_null(strstr(tsr_last_error(), "spirv-text"));
    assert_int_equal(tsr_emit(m, &(tsr_emit_args){.entry = "main", .version = 102}, &data, &size), TSR_ERR_INVALID);
    assert_int_equal(tsr_emit(m, &(tsr_emit_args){.entry = "main", .oob = (tsr_oob)9}, &data, &size), TSR_ERR_INVALID);
    assert_int_equal(tsr_emit(m, &(tsr_emit_args){.entry = "other"}, &data, &size), TSR_ERR_INVALID);
    assert_non_null(strstr(tsr_last_error(), "far"));
    assert_ptr_equal(data, (void *)1);
    assert_int_equal(size, 7);
    tsr_module_free(m);
}

static void same_bytes_each_time(void **state)
{
    (void)state;
    size_t one, two;
    char *a = emit(scale, false, (tsr_emit_args){.entry = "main"}, &one);
    char *b = emit(scale, false, (tsr_emit_args){.entry = "main"}, &two);
    assert_int_equal(one, two);
    assert_memory_equal(a, b, one);
    assert_int_equal(one % 4, 0);
    uint32_t words[2];
    memcpy(words, a, sizeof words);
    assert_int_equal(words[0], 0x07230203);
    assert_int_equal(words[1], 0x00010600);
    free(a);
    free(b);
}

static void overrides_are_constants(void **state)
{
    (void)state;
    tsr_override_value v = {.name = "by", .value = 3.5};
    tsr_emit_args args = {.target = "spirv-text", .entry = "main", .overrides = &v, .override_count = 1};
    char *text = emit(scale, false, args, NULL);
    assert_non_null(strstr(text, "OpConstant %f32 3.5"));
    assert_null(strstr(text, "OpSpecConstant"));
    free(text);
}

static void targets_are_listed(void **state)
{
    (void)state;
    tsr_emit_target_info info;
    size_t spirv = 0;
    for (size_t i = 0; i < tsr_emit_target_count(); i++) {
        assert_int_equal(tsr_emit_target(i, &info), TSR_OK);
        spirv += strcmp(info.name, "spirv") == 0 && !info.is_text;
    }
    assert_int_equal(spirv, 1);
    assert_int_equal(tsr_emit_target(tsr_emit_target_count(), &info), TSR_ERR_INVALID);
    assert_string_equal(tsr_oob_name(TSR_OOB_ZERO), "zero");
    assert_string_equal(tsr_oob_name(TSR_OOB_COUNT), "unknown");
}

/* ---- Matrices: signs, saturation, types that WGSL cannot spell. */

#define MATRIX_IR(body)                                                                                                \
    "tessera_ir 1\nenable matrices\n"                                                                                  \
    "global %1 a: ptr<storage, array<u32, 64>, read> @group(0) @binding(0)\n"                                          \
    "global %2 c: ptr<storage, array<i32, 64>, read_write> @group(0) @binding(1)\n"                                    \
    "fn main() @compute @workgroup_size(32u) {\n" body "    return\n}\n"

#define MULTIPLY(left, right, how)                                                                                     \
    "    %3: subgroup_matrix_left<" left ", 8, 8> = mload.row_major %1, 0u, 8u\n"                                      \
    "    %4: subgroup_matrix_right<" right ", 8, 8> = mload.row_major %1, 0u, 8u\n"                                    \
    "    %5: subgroup_matrix_result<i32, 8, 8> = zero\n"                                                               \
    "    %6: subgroup_matrix_result<i32, 8, 8> = " how " %3, %4, %5\n"                                                 \
    "    mstore.row_major %2, 0u, 8u, %6\n"

static void signs_and_saturation(void **state)
{
    (void)state;
    static const char both[] = MATRIX_IR(MULTIPLY("i8", "i8", "mma"));
    static const char mixed[] = MATRIX_IR(MULTIPLY("i8", "u8", "mma.saturating"));
    static const char floats[] = MATRIX_IR("    %3: subgroup_matrix_left<bf16, 8, 8> = mfill 1.0f\n"
                                           "    %4: subgroup_matrix_right<bf16, 8, 8> = mfill 2.0f\n"
                                           "    %5: subgroup_matrix_result<f32, 8, 8> = zero\n"
                                           "    %6: subgroup_matrix_result<f32, 8, 8> = mma %3, %4, %5\n");
    expect(both, true, "MatrixASignedComponentsKHR|MatrixBSignedComponentsKHR|MatrixCSignedComponentsKHR|", true);
    expect(both, true, "Saturating", false);
    expect(mixed, true,
           "MatrixASignedComponentsKHR|MatrixCSignedComponentsKHR|MatrixResultSignedComponentsKHR|"
           "SaturatingAccumulationKHR",
           true);
    expect(mixed, true, "MatrixBSigned", false);
    expect(floats, true, "OpTypeFloat 16 BFloat16KHR", true);
    expect(floats, true, "SPV_KHR_bfloat16", true);
    expect(floats, true, "SignedComponents", false);
}

static void scopes_are_refused(void **state)
{
    (void)state;
    static const char text[] = MATRIX_IR("    %3: subgroup_matrix_left<i8, 8, 8, workgroup> = mfill 1i\n");
    tsr_module *m = compile(text, true);
    void *data = NULL;
    size_t size = 0;
    assert_int_equal(tsr_emit(m, NULL, &data, &size), TSR_ERR_UNSUPPORTED);
    assert_non_null(strstr(tsr_last_error(), "scope workgroup"));
    assert_null(data);
    tsr_module_free(m);
}

/* A matrix store, a barrier, plain loads: what is shared is not private. */
static void shared_memory_is_not_private(void **state)
{
    (void)state;
    static const char text[] =
        "tessera_ir 1\nenable matrices\n"
        "global %1 w: ptr<workgroup, array<f32, 64>>\n"
        "global %2 c: ptr<storage, array<f32, 64>, read_write> @group(0) @binding(1)\n"
        "fn main(%9 lane: u32 @builtin(local_invocation_index)) @compute @workgroup_size(32u) {\n"
        "    %3: subgroup_matrix_result<f32, 8, 8> = mfill 1.0f\n"
        "    mstore.row_major %1, 0u, 8u, %3\n"
        "    barrier_workgroup\n"
        "    %4: ptr<workgroup, f32> = index %1, %9\n"
        "    %5: f32 = load %4\n"
        "    %6: ptr<storage, f32, read_write> = index %2, %9\n"
        "    store %6, %5\n"
        "    return\n}\n";
    char *got = emit(text, true, (tsr_emit_args){.target = "spirv-text"}, NULL);
    unsigned count = 0;
    for (const char *s = got; (s = strstr(s, "NonPrivatePointer")) != NULL; s++)
        count++;
    assert_int_equal(count, 4); /* the zeroing, the matrix store, load and store */
    assert_non_null(strstr(got, "OpControlBarrier %u32_2 %u32_2 %u32_24840"));
    assert_null(strstr(got, "UMin")); /* the lane is below 32 */
    assert_null(strstr(got, "by_element"));
    free(got);
}

/* ---- Out of bounds. */

static const char gather[] = "@group(0) @binding(0) var<storage, read> at: array<u32>;\n"
                             "@group(0) @binding(1) var<storage, read_write> b: array<u32, 10>;\n"
                             "@compute @workgroup_size(1) fn main() { b[at[0]] = b[at[1]]; }\n";

static void bounds_as_asked(void **state)
{
    (void)state;
    static const struct {
        tsr_oob oob;
        bool clamps, tests;
    } want[] = {{TSR_OOB_ZERO, true, true},
                {TSR_OOB_CLAMP, true, false},
                {TSR_OOB_RESTART, true, false},
                {TSR_OOB_UNCHECKED, false, false}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        char *got = emit(gather, false, (tsr_emit_args){.target = "spirv-text", .oob = want[i].oob}, NULL);
        assert_int_equal(strstr(got, "UMin") != NULL, want[i].clamps);
        assert_int_equal(strstr(got, "OpULessThan") != NULL, want[i].tests);
        free(got);
    }
}

static void proved_indices_cost_nothing(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "for (var i = 0u; i < 10; i++) { b[i] = i; }",
        "for (var i = 2i; i <= 9; i += 3) { b[i] = 1; }",
        "b[at[0] % 10] = 1;",
        "b[at[0] & 7] = 1;",
        "b[min(at[0], 9)] = 1;",
        "let i = at[0]; if (i < 10) { b[i] = 1; }",
        "let i = at[0]; if (i >= 10) { return; } b[i] = 1;",
        "let i = at[0]; if (i > 3 && i <= 9) { b[i] = 1; }",
        "let i = at[0]; for (var k = 0u; k < 5; k++) { b[k * 2 + 1] = i; }",
        "let i = at[0] >> 29; b[i] = 1;",
    };
    static const char *const open[] = {
        "for (var i = 0u; i <= 10; i++) { b[i] = i; }",
        "for (var i = 0u; i < 10; i++) { b[i + 1] = i; }",
        "for (var i = -1i; i < 10; i++) { b[i] = 1; }",
        "var i = 0u; loop { if (i >= 10) { break; } i++; b[i] = 1; }",
        "b[at[0] % 11] = 1;",
        "let i = at[0]; if (i < 10) { } b[i] = 1;",
        "var i = 0u; if (i < 10) { i = at[0]; b[i] = 1; }",
    };
    char text[600];
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies + sizeof open / sizeof *open; i++) {
        bool proved = i < sizeof bodies / sizeof *bodies;
        const char *body = proved ? bodies[i] : open[i - sizeof bodies / sizeof *bodies];
        snprintf(text, sizeof text,
                 "@group(0) @binding(0) var<uniform> at: array<vec4<u32>, 1>;\n"
                 "@group(0) @binding(1) var<storage, read_write> b: array<u32, 10>;\n"
                 "@compute @workgroup_size(1) fn main() { let at = at[0]; %s }\n",
                 body);
        char *got = emit(text, false, (tsr_emit_args){.target = "spirv-text"}, NULL);
        char *bound = strstr(got, "OpAccessChain %ptr_StorageBuffer_u32 %b");
        char *clamp = strstr(got, strstr(body, "min(") ? "ULessThan" : " UMin ");
        if (!bound || (clamp != NULL) == proved) fail_msg("%s: %s\n%s", proved ? "proved" : "open", body, got);
        free(got);
    }
}

/* ---- Maximal reconvergence. */

static void expect_reconvergence(const char *body, bool asked, const char *piece, bool there)
{
    char text[1024];
    snprintf(text, sizeof text,
             "diagnostic(off, subgroup_uniformity);\nenable subgroups;\n"
             "@group(0) @binding(0) var<storage, read_write> b: array<u32>;\n"
             "fn total(x: u32) -> u32 { return subgroupAdd(x); }\n"
             "fn twice(x: u32) -> u32 { return total(x) * 2; }\n"
             "@compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32,\n"
             "    @builtin(subgroup_id) id: u32) { let x = b[i]; %s }\n",
             body);
    char *got = emit(text, false, (tsr_emit_args){.target = "spirv-text", .maximal_reconvergence = asked}, NULL);
    if ((strstr(got, piece) != NULL) != there) fail_msg("%s \"%s\" in:\n%s", there ? "no" : "a", piece, got);
    free(got);
}

static void reconvergence_where_it_can_be_told(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "b[i] = subgroupAdd(x);",        "if (x > 3) { b[i] = quadSwapX(x); }", "if (subgroupElect()) { b[i] = id; }",
        "b[i] = subgroupShuffle(x, 2);", "b[i] = u32(subgroupAny(x > 1));",     "b[i] = twice(x);"};
    static const char *const others[] = {"b[i] = x;", "b[i] = id;", "if (x > 3) { b[i] = id; }"};
    static const char *const pieces[] = {"OpExtension \"SPV_KHR_maximal_reconvergence\"",
                                         "OpExecutionMode %main MaximallyReconvergesKHR"};
    for (size_t k = 0; k < 2; k++) {
        for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
            expect_reconvergence(bodies[i], true, pieces[k], true);
            expect_reconvergence(bodies[i], false, pieces[k], false);
        }
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            expect_reconvergence(others[i], true, pieces[k], false);
    }
}

/* By what a device's record says of it. */
static void reconvergence_of_a_device(void **state)
{
    (void)state;
    static const struct {
        const char *field;
        tsr_answer answer;
    } records[] = {{"", TSR_ANSWER_UNKNOWN},
                   {", \"maximal_reconvergence\": null", TSR_ANSWER_UNKNOWN},
                   {", \"maximal_reconvergence\": false", TSR_ANSWER_NO},
                   {", \"maximal_reconvergence\": true", TSR_ANSWER_YES}};
    static const char text[] = "enable subgroups;\n@group(0) @binding(0) var<storage, read_write> b: array<u32>;\n"
                               "@compute @workgroup_size(8) fn main() { b[0] = subgroupAdd(1u); }\n";
    for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
        char json[256];
        tsr_device *dev = NULL;
        tsr_device_info info;
        snprintf(json, sizeof json, "{\"name\": \"x\", \"support\": \"complete\", \"configurations\": []%s}",
                 records[i].field);
        assert_int_equal(tsr_device_open("profile:x", &(tsr_device_args){.profile_json = json}, &dev), TSR_OK);
        assert_int_equal(tsr_device_get_info(dev, &info), TSR_OK);
        assert_int_equal(info.maximal_reconvergence, records[i].answer);
        char *got = emit(text, false, (tsr_emit_args){.target = "spirv-text", .device = dev}, NULL);
        assert_int_equal(strstr(got, "MaximallyReconvergesKHR") != NULL, records[i].answer == TSR_ANSWER_YES);
        free(got);
        tsr_device_free(dev);
    }
}

/* OpSwitch may part lanes with different selectors: where they could tell, it has one selector a case. */
static void switches_over_numbers_of_cases(void **state)
{
    (void)state;
    static const char several[] = "switch x { case 3, 9: { b[i] = twice(x); } default: { } }";
    static const char rest[] = "switch x { case 3: { b[i] = 1; } default: { b[i] = subgroupAdd(x); } }";
    static const char single[] = "switch x { case 3: { b[i] = subgroupAdd(x); } case 4, 5, default: { b[i] = 1; } }";
    static const char signs[] = "switch i32(x) { case -7, 9: { b[i] = twice(x); } default: { } }";
    expect_reconvergence(several, true, " 0 %", true);
    expect_reconvergence(several, true, "OpIEqual", true);
    expect_reconvergence(several, false, "OpIEqual", false);
    expect_reconvergence(several, false, " 3 %", true);
    expect_reconvergence(rest, true, "OpIEqual", true);
    expect_reconvergence(rest, false, "OpIEqual", false);
    expect_reconvergence(single, true, "OpIEqual", false);
    expect_reconvergence(signs, true, "OpIEqual %bool %", true);
    expect_reconvergence(signs, true, "%i32_m7", true);
}

/* ---- Pointers. */

static void pointers_to_parts(void **state)
{
    (void)state;
    static const char text[] =
        "struct S { a: array<array<u32, 4>, 3>, n: u32 }\n"
        "@group(0) @binding(0) var<storage, read_write> s: S;\n"
        "var<workgroup> w: array<u32, 4>;\n"
        "fn row(p: ptr<storage, array<u32, 4>, read_write>, i: u32) -> u32 { (*p)[i] += 1; return leaf(&(*p)[2]); }\n"
        "fn leaf(p: ptr<storage, u32, read_write>) -> u32 { return *p; }\n"
        "fn local(p: ptr<function, u32>) { *p += 1; }\n"
        "fn part(p: ptr<function, array<u32, 4>>) { local(&(*p)[1]); }\n"
        "fn shared_one(p: ptr<workgroup, u32>) -> u32 { return *p; }\n"
        "@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) {\n"
        "    var x: array<array<u32, 4>, 2>;\n"
        "    part(&x[i % 2]);\n"
        "    s.n = row(&s.a[i % 3], i) + x[0][1] + leaf(&s.n) + shared_one(&w[i]);\n"
        "}\n";
    char *got = emit(text, false, (tsr_emit_args){.target = "spirv-text"}, NULL);
    assert_null(strstr(got, "OpFunctionParameter %ptr_StorageBuffer"));
    assert_null(strstr(got, "OpFunctionParameter %ptr_Workgroup"));
    assert_non_null(strstr(got, "OpFunctionParameter %ptr_Function_array"));
    free(got);
}

/* ---- Limits of the form. */

static void a_table_that_is_too_long(void **state)
{
    (void)state;
    enum { COUNT = 66000 };
    char *text = malloc(COUNT * 40 + 200), *at = text;
    at += sprintf(at, "@group(0) @binding(0) var<storage, read_write> b: array<u32>;\n"
                      "@compute @workgroup_size(1) fn main() { switch b[0] { default: { }\n");
    for (int i = 0; i < COUNT; i++)
        at += sprintf(at, "case %d: { b[0] = 1; }\n", i);
    sprintf(at, "} }\n");
    tsr_module *m = NULL;
    void *data = NULL;
    size_t size;
    if (tsr_compile(&(tsr_compile_args){.source = text, .source_bytes = strlen(text)}, &m) == TSR_OK) {
        assert_int_equal(tsr_emit(m, NULL, &data, &size), TSR_ERR_UNSUPPORTED);
        assert_non_null(strstr(tsr_last_error(), "65535"));
        assert_null(data);
    }
    tsr_module_free(m);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statuses),
        cmocka_unit_test(same_bytes_each_time),
        cmocka_unit_test(overrides_are_constants),
        cmocka_unit_test(targets_are_listed),
        cmocka_unit_test(signs_and_saturation),
        cmocka_unit_test(scopes_are_refused),
        cmocka_unit_test(shared_memory_is_not_private),
        cmocka_unit_test(bounds_as_asked),
        cmocka_unit_test(proved_indices_cost_nothing),
        cmocka_unit_test(reconvergence_where_it_can_be_told),
        cmocka_unit_test(reconvergence_of_a_device),
        cmocka_unit_test(switches_over_numbers_of_cases),
        cmocka_unit_test(pointers_to_parts),
        cmocka_unit_test(a_table_that_is_too_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
