/* Ops on values: each class once, every lane another number, results against plain C. */
#include "exec_run.h"

#include "base/number.h"

#define HEAD                                                                                                           \
    "tessera_ir 1\n"                                                                                                   \
    "global %1 in: ptr<storage, array<u32>, read> @group(0) @binding(0)\n"                                             \
    "global %2 out: ptr<storage, array<u32>, read_write> @group(0) @binding(1)\n"
#define MAIN "fn main(%3 i: u32 @builtin(local_invocation_index)) @compute @workgroup_size(16u, 1u, 1u) {\n"
#define STORE(at, value)                                                                                               \
    "%9" at "0: u32 = mul " at "u, 16u\n"                                                                              \
    "%9" at "1: u32 = add %9" at "0, %3\n"                                                                             \
    "%9" at "2: ptr<storage, u32, read_write> = index %2, %9" at "1\n"                                                 \
    "store %9" at "2, " value "\n"
#define END   "return\n}\n"
#define LANES 16

typedef struct lanes {
    uint32_t in[LANES], out[8 * LANES];
} lanes;

static lanes run_lanes(const char *text)
{
    lanes l;
    memset(&l, 0xcd, sizeof l);
    for (uint32_t i = 0; i < LANES; i++)
        l.in[i] = i * 2654435761u + 17;
    buffer buffers[2] = {BUFFER(l.in), BUFFER(l.out)};
    (void)run_text(text, 4, buffers, 1);
    return l;
}

static void arithmetic_runs_in_every_lane(void **state)
{
    (void)state;
    lanes l = run_lanes(HEAD MAIN
                        "%4: ptr<storage, u32, read> = index %1, %3\n"
                        "%5: u32 = load %4\n"
                        "%6: u32 = mul %5, %5\n"
                        "%7: u32 = add %6, 3u\n" STORE(
                            "0", "%7") "%8: bool = lt %5, %7\n"
                                       "%9: u32 = select %3, %5, %8\n" STORE(
                                           "1", "%9") "%10: i32 = convert %5\n"
                                                      "%11: i32 = shr %10, 3u\n"
                                                      "%12: u32 = bitcast %11\n" STORE(
                                                          "2", "%12") "%13: f32 = convert %3\n"
                                                                      "%14: f32 = div %13, 3.0f\n"
                                                                      "%15: u32 = bitcast %14\n" STORE("3", "%15") END);
    for (uint32_t i = 0; i < LANES; i++) {
        uint32_t x = l.in[i], y = x * x + 3;
        assert_int_equal(l.out[i], y);
        assert_int_equal(l.out[LANES + i], x < y ? x : i);
        assert_int_equal(l.out[2 * LANES + i], (uint32_t)((int32_t)x >> 3));
        assert_int_equal(l.out[3 * LANES + i], tsr_bits_from_f32((float)i / 3.0f));
    }
}

static void vectors_are_taken_apart_and_put_together(void **state)
{
    (void)state;
    lanes l = run_lanes(
        HEAD MAIN
        "%4: u32 = add %3, 100u\n"
        "%5: u32 = add %3, 200u\n"
        "%6: vec3<u32> = compose %3, %4, %5\n"
        "%7: vec2<u32> = swizzle.yz %6\n"
        "%8: u32 = extract[1] %7\n" STORE(
            "0", "%8") "%9: vec4<u32> = swizzle.zxyz %6\n"
                       "%10: u32 = extract[3] %9\n"
                       "%11: u32 = extract[1] %9\n"
                       "%12: u32 = sub %10, %11\n" STORE(
                           "1", "%12") "%13: vec3<u32> = insert[1] %6, 7u\n"
                                       "%14: u32 = rem %3, 4u\n"
                                       "%15: u32 = element %13, %14\n" STORE(
                                           "2", "%15") "%16: vec3<u32> = splat %3\n"
                                                       "%17: vec3<u32> = mul %16, %6\n"
                                                       "%18: u32 = dot %17, %16\n" STORE(
                                                           "3", "%18") "%19: u32 = extract[0] %13\n" STORE("4", "%19")
                                                           END);
    for (uint32_t i = 0; i < LANES; i++) {
        assert_int_equal(l.out[i], i + 200);
        assert_int_equal(l.out[LANES + i], 200);
        uint32_t parts[4] = {i, 7, i + 200, 0};
        assert_int_equal(l.out[2 * LANES + i], parts[i % 4]);
        assert_int_equal(l.out[3 * LANES + i], i * i * (i + (i + 100) + (i + 200)));
        assert_int_equal(l.out[4 * LANES + i], i);
    }
}

static void structs_arrays_and_matrices_are_values(void **state)
{
    (void)state;
    lanes l = run_lanes(
        HEAD
        "struct $Pair {\n"
        "    x: u32 @offset(0) @size(4) @align(4),\n"
        "    y: array<u32, 3> @offset(4) @size(12) @align(4),\n"
        "}\n" MAIN "%4: u32 = mul %3, 5u\n"
        "%5: array<u32, 3> = compose %3, %4, 9u\n"
        "%6: $Pair = compose 4u, %5\n"
        "%7 v: ptr<function, $Pair> = var %6\n"
        "%8: ptr<function, array<u32, 3>> = field[1] %7\n"
        "%9: u32 = rem %3, 3u\n"
        "%10: ptr<function, u32> = index %8, %9\n"
        "store %10, 1000u\n"
        "%11: $Pair = load %7\n"
        "%12: array<u32, 3> = extract[1] %11\n"
        "%13: u32 = extract[0] %12\n" STORE("0", "%13") "%14: u32 = extract[1] %12\n" STORE(
            "1", "%14") "%15: u32 = extract[2] %12\n" STORE("2", "%15") "%16: f32 = convert %3\n"
                                                                        "%17: vec2<f32> = compose %16, 2.0f\n"
                                                                        "%18: vec2<f32> = compose 3.0f, 0.5f\n"
                                                                        "%19: mat2x2<f32> = compose %17, %18\n"
                                                                        "%20: vec2<f32> = mat_mul %19, %18\n"
                                                                        "%21: f32 = extract[0] %20\n"
                                                                        "%22: u32 = convert %21\n" STORE("3", "%22")
                                                                            END);
    for (uint32_t i = 0; i < LANES; i++) {
        assert_int_equal(l.out[i], i % 3 == 0 ? 1000 : i);
        assert_int_equal(l.out[LANES + i], i % 3 == 1 ? 1000 : i * 5);
        assert_int_equal(l.out[2 * LANES + i], i % 3 == 2 ? 1000 : 9);
        assert_int_equal(l.out[3 * LANES + i], (uint32_t)(3.0f * (float)i + 1.5f));
    }
}

static void halves_change_their_shape_in_bitcast(void **state)
{
    (void)state;
    lanes l =
        run_lanes(HEAD "enable f16\n" MAIN "%4: f32 = convert %3\n"
                       "%5: f16 = convert %4\n"
                       "%6: vec2<f16> = compose %5, 1.5h\n"
                       "%7: u32 = bitcast %6\n" STORE("0", "%7") "%8: vec2<f16> = bitcast %7\n"
                                                                 "%9: vec2<f16> = add %8, %6\n"
                                                                 "%10: f16 = extract[0] %9\n"
                                                                 "%11: f32 = convert %10\n"
                                                                 "%12: u32 = convert %11\n" STORE("1", "%12") END);
    for (uint32_t i = 0; i < LANES; i++) {
        assert_int_equal(l.out[i], tsr_f16_from_f32((float)i) | 0x3e000000u);
        assert_int_equal(l.out[LANES + i], 2 * i);
    }
}

static void module_scope_values_are_computed_once(void **state)
{
    (void)state;
    lanes l = run_lanes(
        HEAD "%30: vec4<u32> = compose 5u, 6u, 7u, 8u\n"
             "%31: u32 = extract[2] %30\n"
             "%32: u32 = mul %31, 3u\n"
             "%33: vec4<u32> = splat %32\n"
             "%34: bool = land true, false\n"
             "%35: array<vec4<u32>, 2> = compose %30, %33\n" MAIN "%4: u32 = rem %3, 3u\n"
             "%5: vec4<u32> = element %35, %4\n"
             "%6: u32 = extract[3] %5\n" STORE("0", "%6") "%7: u32 = select 1u, 2u, %34\n" STORE("1", "%7") END);
    for (uint32_t i = 0; i < LANES; i++) {
        uint32_t parts[3] = {8, 21, 0};
        assert_int_equal(l.out[i], parts[i % 3]);
        assert_int_equal(l.out[LANES + i], 1);
    }
}

static void built_in_values_have_their_meaning(void **state)
{
    (void)state;
    static const char *text =
        "tessera_ir 1\n"
        "global %1 out: ptr<storage, array<array<u32, 18>>, read_write> @group(0) @binding(0)\n"
        "struct $In {\n"
        "    wid: vec3<u32> @offset(0) @size(12) @align(16) @builtin(workgroup_id),\n"
        "    nw: vec3<u32> @offset(16) @size(12) @align(16) @builtin(num_workgroups),\n"
        "    size: u32 @offset(28) @size(4) @align(4) @builtin(subgroup_size),\n"
        "}\n"
        "fn main(%2 in: $In, %3 lid: vec3<u32> @builtin(local_invocation_id), %4 i: u32 "
        "@builtin(local_invocation_index), "
        "%5 gid: vec3<u32> @builtin(global_invocation_id), %6 lane: u32 @builtin(subgroup_invocation_id), "
        "%7 sg: u32 @builtin(subgroup_id), %8 nsg: u32 @builtin(num_subgroups), %9 gi: u32 "
        "@builtin(global_invocation_index), %10 wi: u32 @builtin(workgroup_index)) @compute @workgroup_size(3u, 2u, "
        "2u) {\n"
        "%11: vec3<u32> = extract[0] %2\n%12: vec3<u32> = extract[1] %2\n%13: u32 = extract[2] %2\n"
        "%14: u32 = extract[0] %11\n%15: u32 = extract[1] %11\n%16: u32 = extract[2] %11\n"
        "%17: u32 = extract[0] %12\n%18: u32 = extract[1] %12\n%19: u32 = extract[2] %12\n"
        "%20: u32 = extract[0] %3\n%21: u32 = extract[1] %3\n%22: u32 = extract[2] %3\n"
        "%23: u32 = extract[0] %5\n%24: u32 = extract[1] %5\n%25: u32 = extract[2] %5\n"
        "%26: array<u32, 18> = compose %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %13, %6, %7, %8, "
        "%9, %10\n"
        "%27: u32 = mul %10, 12u\n%28: u32 = add %27, %4\n"
        "%29: ptr<storage, array<u32, 18>, read_write> = index %1, %28\nstore %29, %26\nreturn\n}\n";
    static uint32_t out[30 * 12][18];
    runner r;
    tsr_exec_report report;
    buffer buffers[1] = {BUFFER(out)};
    assert_int_equal(runner_init(&r, text, 8), TSR_OK);
    assert_int_equal(runner_run(&r, buffers, (tsr_exec_args){.groups = {2, 3, 5}, .threads = 2}, &report), TSR_OK);
    for (uint32_t g = 0; g < 30; g++)
        for (uint32_t i = 0; i < 12; i++) {
            uint32_t w[3] = {g % 2, g / 2 % 3, g / 6}, l[3] = {i % 3, i / 3 % 2, i / 6};
            uint32_t x = w[0] * 3 + l[0], y = w[1] * 2 + l[1], z = w[2] * 2 + l[2];
            uint32_t expected[18] = {
                w[0], w[1], w[2], 2, 3, 5, l[0], l[1], l[2], x, y, z, 8, i % 8, i / 8, 2, x + 6 * (y + 6 * z), g};
            assert_memory_equal(out[g * 12 + i], expected, sizeof expected);
        }
    runner_fini(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic_runs_in_every_lane),
        cmocka_unit_test(vectors_are_taken_apart_and_put_together),
        cmocka_unit_test(structs_arrays_and_matrices_are_values),
        cmocka_unit_test(halves_change_their_shape_in_bitcast),
        cmocka_unit_test(module_scope_values_are_computed_once),
        cmocka_unit_test(built_in_values_have_their_meaning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
