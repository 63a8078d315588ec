/* Building: what becomes of overrides, shown as IR text before and after, and what a device refuses. */
#include "unit.h"

#include "compile.h"
#include "ir/text.h"

#include <stdio.h>
#include <string.h>

static tsr_module *compile(const char *text, bool ir)
{
    tsr_module *m = NULL;
    tsr_compile_args args = {.name = "t.wgsl", .source = text, .source_bytes = strlen(text), .ir_text = ir};
    if (tsr_compile(&args, &m) != TSR_OK) {
        for (size_t i = 0; i < tsr_module_diagnostic_count(m); i++)
            print_message("%s", tsr_module_diagnostic_text(m, i, 0));
        fail_msg("%s", tsr_last_error());
    }
    return m;
}

/* ---- IR text before and after ---------------------------------------------------------------------------------- */

static void check_built(const char *before, const tsr_override_value *values, size_t count, const char *after)
{
    tsr_module *m = compile(before, true);
    tsr_built *b = NULL;
    tsr_build_args args = {.overrides = values, .override_count = count};
    tsr_status st = tsr_build_new(m, &args, &b);
    tsr_module_free(m);
    if (st != TSR_OK) fail_msg("%s", tsr_last_error());
    tsr_text text;
    tsr_text_init(&text, NULL);
    tsr_ir_print(&text, b->program.ir);
    assert_string_equal(tsr_text_get(&text), after);
    tsr_text_fini(&text);
    tsr_build_free(b);
}

static void drops_what_is_not_reached(void **state)
{
    (void)state;
    check_built("tessera_ir 1\n"
                "override %1 gone: u32\n"
                "global %2 a: ptr<storage, array<f32>, read_write> @group(0) @binding(0)\n"
                "global %3 b: ptr<storage, array<f32>, read_write> @group(0) @binding(1)\n"
                "\n"
                "fn unused() -> u32 {\n"
                "    return %1\n"
                "}\n"
                "\n"
                "fn used() {\n"
                "    %4: ptr<storage, f32, read_write> = index %3, 0u\n"
                "    store %4, 1.0f\n"
                "}\n"
                "\n"
                "fn main() @compute @workgroup_size(1u) {\n"
                "    call used()\n"
                "}\n",
                NULL, 0,
                "tessera_ir 1\n"
                "global %1 b: ptr<storage, array<f32>, read_write> @group(0) @binding(1)\n"
                "\n"
                "fn used() {\n"
                "    %2: ptr<storage, f32, read_write> = index %1, 0u\n"
                "    store %2, 1.0f\n"
                "}\n"
                "\n"
                "fn main() @compute @workgroup_size(1u) {\n"
                "    call used()\n"
                "}\n");
}

static void overrides_become_numbers(void **state)
{
    (void)state;
    const tsr_override_value values[] = {{.name = "n", .value = 5}, {.id = 7, .value = -2}};
    check_built("tessera_ir 1\n"
                "override %1 n: u32 = 2u\n"
                "override %2 s: i32 @id(7)\n"
                "%3: u32 = mul %1, 3u\n"
                "%4: f32 = convert %2\n"
                "%5: vec2<f32> = compose %4, 0.5f\n"
                "%6: vec2<f32> = mul %5, %5\n"
                "global %7 w: ptr<workgroup, array<u32, %3>>\n"
                "global %8 p: ptr<private, vec2<f32>> = %6\n"
                "\n"
                "fn main() @compute @workgroup_size(%1, %3) {\n"
                "    %9: ptr<workgroup, u32> = index %7, %1\n"
                "    store %9, %1\n"
                "    %10: vec2<f32> = load %8\n"
                "}\n",
                values, 2,
                "tessera_ir 1\n"
                "%1: vec2<f32> = compose 4.0f, 0.25f\n"
                "global %2 w: ptr<workgroup, array<u32, 15>>\n"
                "global %3 p: ptr<private, vec2<f32>> = %1\n"
                "\n"
                "fn main() @compute @workgroup_size(5u, 15u) {\n"
                "    %4: ptr<workgroup, u32> = index %2, 5u\n"
                "    store %4, 5u\n"
                "    %5: vec2<f32> = load %3\n"
                "}\n");
}

/* The second operand of `land` divides by zero; nobody asks for it. */
static void short_circuits(void **state)
{
    (void)state;
    const tsr_override_value values[] = {{.name = "n", .value = 0}};
    check_built("tessera_ir 1\n"
                "override %1 n: u32\n"
                "%2: bool = ne %1, 0u\n"
                "%3: u32 = div 6u, %1\n"
                "%4: bool = eq %3, 2u\n"
                "%5: bool = land %2, %4\n"
                "%6: u32 = convert %5\n"
                "global %7 p: ptr<private, u32> = %6\n"
                "\n"
                "fn main() @compute @workgroup_size(1u) {\n"
                "    store %7, 1u\n"
                "}\n",
                values, 1,
                "tessera_ir 1\n"
                "global %1 p: ptr<private, u32> = 0u\n"
                "\n"
                "fn main() @compute @workgroup_size(1u) {\n"
                "    store %1, 1u\n"
                "}\n");
}

/* ---- What is refused ------------------------------------------------------------------------------------------- */

static void check_refused(const char *text, const char *entry, const tsr_override_value *values, size_t count,
                          const tsr_caps *caps, tsr_status expected, const char *part)
{
    tsr_module *m = compile(text, false);
    tsr_built *b = NULL;
    tsr_build_args args = {.entry = entry, .overrides = values, .override_count = count, .caps = caps};
    tsr_status st = tsr_build_new(m, &args, &b);
    if (st != expected || !strstr(tsr_last_error(), part))
        fail_msg("%s, not %s: %s", tsr_status_name(st), tsr_status_name(expected), tsr_last_error());
    assert_null(b);
    tsr_module_free(m);
}

#define VALUE(n, v) &(tsr_override_value){.name = n, .value = v}, 1

static const char sized[] = "override n: i32;\n"
                            "override half: f16 = 1.0h;\n"
                            "override on: bool = false;\n"
                            "override u = 3u;\n"
                            "@compute @workgroup_size(n) fn main() { let x = half; let y = on; }\n";

static void refuses_values(void **state)
{
    (void)state;
    char text[512];
    snprintf(text, sizeof text, "enable f16;\n%s", sized);
    check_refused(text, NULL, NULL, 0, NULL, TSR_ERR_INVALID, "t.wgsl:2:10: error: override `n` has no default");
    check_refused(text, NULL, VALUE("n", 0), NULL, TSR_ERR_SOURCE, "workgroup size x is 0");
    check_refused(text, NULL, VALUE("n", -4), NULL, TSR_ERR_SOURCE, "workgroup size x is -4");
    check_refused(text, NULL, VALUE("n", 1.5), NULL, TSR_ERR_INVALID, "not a whole number");
    check_refused(text, NULL, VALUE("n", 2147483648.0), NULL, TSR_ERR_INVALID, "out of range");
    check_refused(text, NULL, VALUE("u", -1), NULL, TSR_ERR_INVALID, "out of range");
    check_refused(text, NULL, VALUE("half", 65520), NULL, TSR_ERR_INVALID, "out of range");
    check_refused(text, NULL, VALUE("half", 0.0 / 0.0), NULL, TSR_ERR_INVALID, "not a finite number");
    check_refused(text, NULL, VALUE("halv", 1), NULL, TSR_ERR_INVALID, "did you mean `half`?");
    check_refused(text, NULL, &(tsr_override_value){.id = 12}, 1, NULL, TSR_ERR_INVALID, "@id(12)");
    const tsr_override_value twice[] = {{.name = "n", .value = 1}, {.name = "n", .value = 1}};
    check_refused(text, NULL, twice, 2, NULL, TSR_ERR_INVALID, "two values");
}

static void refuses_entries(void **state)
{
    (void)state;
    static const char two[] = "@compute @workgroup_size(1) fn a() {}\n@compute @workgroup_size(1) fn b() {}\n"
                              "@fragment fn f() {}\nfn plain() {}\n";
    check_refused(two, NULL, NULL, 0, NULL, TSR_ERR_INVALID, "`a`, `b`");
    check_refused(two, "plain", NULL, 0, NULL, TSR_ERR_INVALID, "no entry point `plain`");
    check_refused(two, "f", NULL, 0, NULL, TSR_ERR_UNSUPPORTED, "fragment entry point");
    check_refused("fn f() {}", NULL, NULL, 0, NULL, TSR_ERR_INVALID, "no compute entry point");
}

static void refuses_expressions(void **state)
{
    (void)state;
    check_refused("override n = 0;\noverride m = 8 / n;\n@compute @workgroup_size(m) fn main() {}\n", NULL, NULL, 0,
                  NULL, TSR_ERR_SOURCE,
                  "t.wgsl:2:14: error: with these override values, this expression (`div`) divides by zero");
    check_refused(
        "override n = 0u;\nvar<workgroup> w: array<u32, n>;\n@compute @workgroup_size(1) fn main() { w[0] = 1; }\n",
        NULL, NULL, 0, NULL, TSR_ERR_SOURCE, "array size is 0");
    check_refused("override n = 4000000000u;\nvar<workgroup> w: array<u32, n>;\n"
                  "@compute @workgroup_size(1) fn main() { w[0] = 1; }\n",
                  NULL, NULL, 0, NULL, TSR_ERR_LIMIT, "4294967295");
}

/* ---- Devices --------------------------------------------------------------------------------------------------- */

static const tsr_config configs[] = {
    {{16, 16, 16}, TSR_F16, TSR_F16, TSR_F32, TSR_F32, false, TSR_SCOPE_SUBGROUP},
    {{16, 16, 16}, TSR_F16, TSR_F16, TSR_F16, TSR_F16, false, TSR_SCOPE_SUBGROUP},
    {{16, 16, 32}, TSR_S8, TSR_S8, TSR_S32, TSR_S32, false, TSR_SCOPE_SUBGROUP},
};

static tsr_caps make_caps(tsr_knowledge knowledge)
{
    return (tsr_caps){
        .name = "toy",
        .support = {.knowledge = knowledge, .configs = configs, .config_count = 3, .advertised = 3},
        .limits = {.max_workgroup_size = {256, 256, 64}, .max_workgroup_invocations = 256, .max_workgroup_bytes = 1024},
        .subgroup_size = 32,
        .max_subgroup_size = 64,
        .f16 = true};
}

/* A multiply-add of the given types at the given workgroup size. */
static const char *write_kernel(char *buf, size_t bytes, const char *type, const char *sum, int m, int n, int k, int x)
{
    snprintf(buf, bytes,
             "enable f16; enable chromium_experimental_subgroup_matrix;\n"
             "@compute @workgroup_size(%d) fn main() {\n"
             "  var l: subgroup_matrix_left<%s, %d, %d>;\n"
             "  var r: subgroup_matrix_right<%s, %d, %d>;\n"
             "  var d: subgroup_matrix_result<%s, %d, %d>;\n"
             "  d = subgroupMatrixMultiplyAccumulate(l, r, d);\n"
             "}\n",
             x, type, k, m, type, n, k, sum, n, m);
    return buf;
}

static void accept(const char *text, const tsr_caps *caps)
{
    tsr_module *m = compile(text, false);
    tsr_built *b = NULL;
    if (tsr_build_new(m, &(tsr_build_args){.caps = caps}, &b) != TSR_OK) fail_msg("%s", tsr_last_error());
    assert_true(b->program.uses_matrices);
    assert_int_equal(b->configs.count, 1);
    tsr_build_free(b);
    tsr_module_free(m);
}

static void device_configurations(void **state)
{
    (void)state;
    char text[1024];
    tsr_caps caps = make_caps(TSR_COMPLETE);
    accept(write_kernel(text, sizeof text, "f16", "f32", 16, 16, 16, 64), &caps);
    accept(write_kernel(text, sizeof text, "i8", "i32", 16, 16, 32, 128), &caps);
    check_refused(write_kernel(text, sizeof text, "f16", "f32", 16, 8, 16, 64), NULL, NULL, 0, &caps,
                  TSR_ERR_UNSUPPORTED, "toy has no `subgroup_matrix_right<f16, 8, 16>`");
    check_refused(write_kernel(text, sizeof text, "f32", "f32", 16, 16, 16, 64), NULL, NULL, 0, &caps,
                  TSR_ERR_UNSUPPORTED, "`tessera devices toy` lists them");
    /* Every fragment stands in some configuration, but they stand in different ones. */
    check_refused(write_kernel(text, sizeof text, "f16", "i32", 16, 16, 16, 64), NULL, NULL, 0, &caps,
                  TSR_ERR_UNSUPPORTED, "toy has no configuration 16x16x16 f16*f16+s32->s32 subgroup");
    check_refused(
        text, NULL, NULL, 0, &caps, TSR_ERR_UNSUPPORTED,
        "note: the nearest is 16x16x16 f16*f16+f32->f32 subgroup, which differs in C's type, the result's type");
    check_refused(write_kernel(text, sizeof text, "f16", "f32", 16, 16, 16, 96), NULL, NULL, 0, &caps,
                  TSR_ERR_UNSUPPORTED, "workgroup size x, 96, must be a multiple of toy's largest subgroup size, 64");
}

/* What a record that is not complete does not list is unknown, and unknown is not refused. */
static void unknown_is_not_refused(void **state)
{
    (void)state;
    char text[1024];
    tsr_caps caps = make_caps(TSR_PARTIAL);
    accept(write_kernel(text, sizeof text, "f32", "f32", 8, 8, 8, 64), &caps);
    caps.subgroup_size = 128;
    check_refused(text, NULL, NULL, 0, &caps, TSR_ERR_UNSUPPORTED,
                  "`subgroup_matrix_left<f32, 8, 8>` has 64 components, which a subgroup of 128 cannot share evenly");
    caps.f16 = false;
    caps.subgroup_size = 32;
    check_refused(write_kernel(text, sizeof text, "f16", "f32", 8, 8, 8, 64), NULL, NULL, 0, &caps, TSR_ERR_UNSUPPORTED,
                  "toy has no f16");
}

static void device_limits(void **state)
{
    (void)state;
    tsr_caps caps = make_caps(TSR_COMPLETE);
    check_refused("@compute @workgroup_size(257) fn main() {}", NULL, NULL, 0, &caps, TSR_ERR_LIMIT,
                  "workgroup size x is 257");
    check_refused("@compute @workgroup_size(1, 1, 65) fn main() {}", NULL, NULL, 0, &caps, TSR_ERR_LIMIT,
                  "size z is 65");
    check_refused("@compute @workgroup_size(16, 17) fn main() {}", NULL, NULL, 0, &caps, TSR_ERR_LIMIT,
                  "272 invocations");
    check_refused("var<workgroup> w: array<u32, 257>; @compute @workgroup_size(1) fn main() { w[0] = 1; }", NULL, NULL,
                  0, &caps, TSR_ERR_LIMIT, "need 1040 bytes; toy has 1024");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drops_what_is_not_reached),
        cmocka_unit_test(overrides_become_numbers),
        cmocka_unit_test(short_circuits),
        cmocka_unit_test(refuses_values),
        cmocka_unit_test(refuses_entries),
        cmocka_unit_test(refuses_expressions),
        cmocka_unit_test(device_configurations),
        cmocka_unit_test(unknown_is_not_refused),
        cmocka_unit_test(device_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
