/* Memory: layout in bindings and workgroup memory, bounds, function and private variables, atomics. */
#include "exec_run.h"

#include "base/number.h"

#define MAIN(size)                                                                                                     \
    "fn main(%3 i: u32 @builtin(local_invocation_index), %4 wid: vec3<u32> @builtin(workgroup_id)) @compute "          \
    "@workgroup_size(" size ", 1u, 1u) {\n"

/* Lane i reads what lane 2i wrote, in words, pairs and halves, behind a barrier; memory is zero in each workgroup. */
static void workgroup_memory_is_shared_and_starts_as_zero(void **state)
{
    (void)state;
    static const char text[] =
        "tessera_ir 1\nenable f16\n"
        "global %1 out: ptr<storage, array<u32>, read_write> @group(0) @binding(0)\n"
        "global %2 words: ptr<workgroup, array<u32, 32>>\n"
        "global %20 halves: ptr<workgroup, array<f16, 32>>\n"
        "global %21 flag: ptr<workgroup, bool>\n"
        "global %22 pairs: ptr<workgroup, array<vec3<f32>, 32>>\n" MAIN(
            "32u") "%5: u32 = mul %3, 2u\n%6: u32 = rem %5, 31u\n"
                   "%7: ptr<workgroup, u32> = index %2, %6\n%8: u32 = load %7\n" /* 0 before anyone wrote */
                   "%9: u32 = add %3, 5u\n%10: ptr<workgroup, u32> = index %2, %3\nstore %10, %9\n"
                   "%11: f32 = convert %3\n%12: f16 = convert %11\n%13: ptr<workgroup, f16> = index %20, %3\nstore "
                   "%13, %12\n"
                   "%14: vec3<f32> = compose %11, 0.5f, 2.0f\n%15: ptr<workgroup, vec3<f32>> = index %22, %3\nstore "
                   "%15, %14\n"
                   "%16: bool = eq %3, 7u\nif %16 {\n    store %21, true\n}\nbarrier_workgroup\n"
                   "%30: u32 = load %7\n%31: ptr<workgroup, f16> = index %20, %6\n%32: f16 = load %31\n%33: f32 = "
                   "convert %32\n"
                   "%34: u32 = convert %33\n%35: ptr<workgroup, vec3<f32>> = index %22, %6\n%36: ptr<workgroup, f32> = "
                   "index %35, 0u\n"
                   "%37: f32 = load %36\n%38: u32 = convert %37\n%39: bool = load_uniform %21\n%40: u32 = select 0u, "
                   "100000u, %39\n"
                   "%41: u32 = mul %34, 100u\n%42: u32 = mul %38, 100u\n%43: u32 = add %8, %30\n%44: u32 = add %43, "
                   "%41\n"
                   "%45: u32 = add %44, %42\n%46: u32 = add %45, %40\n"
                   "%47: u32 = extract[0] %4\n%48: u32 = mul %47, 32u\n%49: u32 = add %48, %3\n"
                   "%50: ptr<storage, u32, read_write> = index %1, %49\nstore %50, %46\nreturn\n}\n";
    uint32_t out[96];
    buffer buffers[1] = {BUFFER(out)};
    tsr_exec_report report = run_text(text, 16, buffers, 3);
    for (uint32_t i = 0; i < 96; i++) {
        uint32_t from = 2 * (i % 32) % 31;
        assert_int_equal(out[i], from + 5 + 200 * from + 100000);
    }
    assert_int_equal(report.oob_accesses, 0);
}

static void layout_follows_offsets_and_strides(void **state)
{
    (void)state;
    static const char text[] =
        "tessera_ir 1\nenable f16\n"
        "struct $S {\n"
        "    a: f32 @offset(0) @size(4) @align(4),\n"
        "    b: vec3<f32> @offset(16) @size(12) @align(16),\n"
        "    c: f16 @offset(28) @size(2) @align(2),\n"
        "    m: mat2x3<f32> @offset(32) @size(32) @align(16),\n"
        "    d: array<vec2<f16>, 3> @offset(64) @size(12) @align(4),\n"
        "}\n"
        "global %1 in: ptr<uniform, array<$S, 2>, read> @group(0) @binding(0)\n"
        "global %2 out: ptr<storage, array<$S>, read_write> @group(0) @binding(1)\n" MAIN(
            "4u") "%5: u32 = rem %3, 2u\n%6: ptr<uniform, $S, read> = index %1, %5\n%7: $S = load %6\n"
                  "%8: ptr<storage, $S, read_write> = index %2, %3\nstore %8, %7\n"
                  "%9: ptr<storage, mat2x3<f32>, read_write> = field[3] %8\n%10: ptr<storage, vec3<f32>, read_write> = "
                  "index %9, %5\n"
                  "%11: u32 = rem %3, 3u\n%12: ptr<storage, f32, read_write> = index %10, %11\nstore %12, -1.0f\n"
                  "return\n}\n";
    enum { SIZE = 80 };
    unsigned char in[2 * SIZE], out[4 * SIZE];
    for (size_t i = 0; i < sizeof in; i++)
        in[i] = (unsigned char)(i * 7 % 120 + 1);
    memset(out, 0xcc, sizeof out);
    buffer buffers[2] = {BUFFER(in), BUFFER(out)};
    (void)run_text(text, 4, buffers, 1);
    for (size_t e = 0; e < 4; e++) {
        unsigned char expected[SIZE];
        memset(expected, 0xcc, SIZE);
        static const struct {
            size_t at, size;
        } parts[] = {{0, 4}, {16, 14}, {32, 12}, {48, 12}, {64, 12}};
        for (size_t p = 0; p < TSR_COUNT_OF(parts); p++)
            memcpy(expected + parts[p].at, in + e % 2 * SIZE + parts[p].at, parts[p].size);
        float minus = -1.0f;
        memcpy(expected + 32 + 16 * (e % 2) + 4 * (e % 3), &minus, 4);
        assert_memory_equal(out + e * SIZE, expected, SIZE);
    }
}

static const char bounds[] =
    "tessera_ir 1\n"
    "global %1 in: ptr<storage, array<f32>, read> @group(0) @binding(0)\n"
    "global %2 out: ptr<storage, array<f32, 12>, read_write> @group(0) @binding(1)\n" MAIN(
        "16u") "%5: i32 = convert %3\n%6: i32 = sub %5, 3i\n%7: ptr<storage, f32, read> = index %1, %6\n%8: f32 = load "
               "%7\n"
               "%9: f32 = add %8, 1.0f\n%10: ptr<storage, f32, read_write> = index %2, %3\nstore %10, %9\n"
               "%11: u32 = array_length %1\n%12: u32 = sub %11, 2u\n%13: bool = eq %3, 0u\nif %13 {\n"
               "    %14: f32 = convert %12\n    store %10, %14\n}\nreturn\n}\n";

static void accesses_out_of_bounds_load_zero_and_are_reported(void **state)
{
    (void)state;
    float in[10], out[12];
    for (int i = 0; i < 10; i++)
        in[i] = (float)(i + 50);
    buffer buffers[2] = {BUFFER(in), BUFFER(out)};
    tsr_exec_report report = run_text(bounds, 8, buffers, 1);
    for (int i = 1; i < 12; i++)
        assert_true(out[i] == (i >= 3 ? in[i - 3] + 1 : 1.0f));
    assert_true(out[0] == 8);
    /* Lanes 0 to 2 and 13 to 15 load outside, 12 to 15 store outside. */
    assert_int_equal(report.oob_accesses, 3 + 3 + 4);
    assert_string_equal(report.first_oob_text, "index -3 is outside array<f32> of 10 elements");
    assert_memory_equal(bounds + report.first_oob.pos, "index", 5);
}

static void an_inner_index_names_the_outer_culprit(void **state)
{
    (void)state;
    static const char text[] =
        "tessera_ir 1\n"
        "global %1 in: ptr<storage, array<array<u32, 4>, 5>, read_write> @group(0) @binding(0)\n" MAIN(
            "8u") "%5: ptr<storage, array<u32, 4>, read_write> = index %1, %3\n%6: u32 = rem %3, 4u\n"
                  "%7: ptr<storage, u32, read_write> = index %5, %6\nstore %7, 9u\n"
                  "%8 v: ptr<function, array<vec2<u32>, 6>> = var\n%9: ptr<function, vec2<u32>> = index %8, %3\n"
                  "%10: vec2<u32> = splat %3\nstore %9, %10\n%11: vec2<u32> = load %9\n%12: u32 = extract[1] %11\n"
                  "%13: bool = eq %12, %3\n%14: u32 = select 77u, 5u, %13\n"
                  "%15: ptr<storage, array<u32, 4>, read_write> = index %1, 4u\n%16: u32 = rem %3, 3u\n"
                  "%17: bool = ge %3, 5u\nif %17 {\n    %18: u32 = sub %3, 5u\n"
                  "    %19: ptr<storage, u32, read_write> = index %15, %18\n    store %19, %14\n}\nreturn\n}\n";
    uint32_t in[20] = {0};
    buffer buffers[1] = {BUFFER(in)};
    tsr_exec_report report = run_text(text, 4, buffers, 1);
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(in[i], i / 4 == i % 4 ? 9 : 0);
    assert_int_equal(in[16], 5);  /* lane 5: inside its variable */
    assert_int_equal(in[17], 77); /* lane 6: its variable has no element 6 */
    assert_int_equal(in[18], 77);
    assert_int_equal(report.oob_accesses, 3 + 2 + 2); /* lanes 5..7 of the binding, 6..7 of the variable twice */
    assert_string_equal(report.first_oob_text, "index 5 is outside array<array<u32, 4>, 5>");
}

static void private_variables_start_anew_in_each_workgroup(void **state)
{
    (void)state;
    static const char text[] =
        "tessera_ir 1\n"
        "global %1 out: ptr<storage, array<u32>, read_write> @group(0) @binding(0)\n"
        "global %2 p: ptr<private, u32> = 7u\n"
        "global %20 q: ptr<private, array<u32, 3>>\n"
        "fn next(%30 k: u32) -> u32 {\n%31: u32 = load %2\n%32: u32 = add %31, %30\nstore %2, %32\nreturn "
        "%32\n}\n" MAIN("8u") "%5: u32 = call next(%3)\n%6: u32 = call next(1u)\n%7: u32 = rem %3, 3u\n%8: "
                              "ptr<private, u32> = index %20, %7\n"
                              "%9: u32 = load %8\n%10: u32 = add %9, %6\nstore %8, %10\n%11: u32 = load %8\n"
                              "%12: u32 = extract[0] %4\n%13: u32 = mul %12, 8u\n%14: u32 = add %13, %3\n"
                              "%15: ptr<storage, u32, read_write> = index %1, %14\nstore %15, %11\nreturn\n}\n";
    uint32_t out[40];
    buffer buffers[1] = {BUFFER(out)};
    (void)run_text(text, 8, buffers, 5);
    for (uint32_t i = 0; i < 40; i++)
        assert_int_equal(out[i], 8 + i % 8);
}

static void atomics_do_what_they_say(void **state)
{
    (void)state;
    static const char text[] =
        "tessera_ir 1\n"
        "struct $Cas {\n    old_value: u32 @offset(0) @size(4) @align(4),\n    exchanged: bool @offset(4) @size(4) "
        "@align(4),\n}\n"
        "global %1 u: ptr<storage, array<atomic<u32>, 8>, read_write> @group(0) @binding(0)\n"
        "global %2 s: ptr<storage, array<atomic<i32>, 2>, read_write> @group(0) @binding(1)\n"
        "global %20 olds: ptr<storage, array<u32>, read_write> @group(0) @binding(2)\n" MAIN(
            "64u") "%5: ptr<storage, atomic<u32>, read_write> = index %1, 0u\n%6: u32 = atomic_add %5, 3u\n"
                   "%7: ptr<storage, u32, read_write> = index %20, %3\nstore %7, %6\n"
                   "%8: ptr<storage, atomic<u32>, read_write> = index %1, 1u\n%9: u32 = atomic_or %8, %3\n"
                   "%10: ptr<storage, atomic<u32>, read_write> = index %1, 2u\n%11: u32 = atomic_xor %10, %3\n"
                   "%12: ptr<storage, atomic<u32>, read_write> = index %1, 3u\n%13: u32 = atomic_max %12, %3\n"
                   "%14: ptr<storage, atomic<u32>, read_write> = index %1, 4u\n%15: $Cas = atomic_cas %14, %3, 1000u\n"
                   "%16: bool = extract[1] %15\n%17: u32 = extract[0] %15\n"
                   "%18: ptr<storage, atomic<u32>, read_write> = index %1, 5u\nif %16 {\n    atomic_store %18, %17\n}\n"
                   "%19: i32 = convert %3\n%21: i32 = sub 10i, %19\n%22: ptr<storage, atomic<i32>, read_write> = index "
                   "%2, 0u\n"
                   "%23: i32 = atomic_min %22, %21\n%24: ptr<storage, atomic<i32>, read_write> = index %2, 1u\n"
                   "%25: i32 = atomic_max %24, %21\n%26: ptr<storage, atomic<u32>, read_write> = index %1, 6u\n"
                   "%27: u32 = atomic_and %26, 4294967292u\n%28: ptr<storage, atomic<u32>, read_write> = index %1, 7u\n"
                   "%29: u32 = atomic_sub %28, 1u\n%30: u32 = add %3, 6u\n%31: ptr<storage, atomic<u32>, read_write> = "
                   "index %1, %30\n"
                   "%32: bool = gt %3, 61u\nif %32 {\n    %33: u32 = atomic_exchange %31, 5u\n    %34: u32 = "
                   "atomic_load %31\n"
                   "    store %7, %34\n}\nreturn\n}\n";
    uint32_t u[8] = {0, 0, 0, 5, 17, 99, 7, 100}, olds[64];
    int32_t s[2] = {0, -100};
    buffer buffers[3] = {BUFFER(u), BUFFER(s), BUFFER(olds)};
    tsr_exec_report report = run_text(text, 32, buffers, 1);
    for (uint32_t i = 0; i < 62; i++)
        assert_int_equal(olds[i], 3 * i);
    assert_int_equal(olds[62], 0);
    static const uint32_t expected[8] = {192, 63, 0, 63, 1000, 17, 4, 36};
    assert_memory_equal(u, expected, sizeof u);
    assert_int_equal(s[0], -53);
    assert_int_equal(s[1], 10);
    assert_int_equal(report.oob_accesses, 4);
    assert_string_equal(report.first_oob_text, "index 68 is outside array<atomic<u32>, 8>");
}

/* The last active lane wins where several store to one place; strided and backward rows. */
static void stores_of_one_place_and_of_rows(void **state)
{
    (void)state;
    static const char text[] =
        "tessera_ir 1\n"
        "global %1 out: ptr<storage, array<u32>, read_write> @group(0) @binding(0)\n" MAIN(
            "16u") "%5: ptr<storage, u32, read_write> = index %1, 0u\nstore %5, %3\n"
                   "%6: u32 = mul %3, 2u\n%7: u32 = sub 40u, %6\n%8: ptr<storage, u32, read_write> = index %1, "
                   "%7\nstore %8, %3\n"
                   "%9: u32 = load %8\n%10: bool = lt %3, 9u\nif %10 {\n    %11: ptr<storage, u32, read_write> = index "
                   "%1, 1u\n"
                   "    store %11, %9\n}\n%12: u32 = div %3, 4u\n%13: u32 = add %12, 50u\n"
                   "%14: ptr<storage, u32, read_write> = index %1, %13\nstore %14, %9\nreturn\n}\n";
    uint32_t out[54] = {0};
    buffer buffers[1] = {BUFFER(out)};
    (void)run_text(text, 4, buffers, 1);
    assert_int_equal(out[0], 15);
    assert_int_equal(out[1], 8);
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(out[40 - 2 * i], i);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(out[50 + i], 4 * i + 3);
}

static void what_is_too_large_is_refused(void **state)
{
    (void)state;
    runner r;
    assert_int_equal(
        runner_init(&r, "tessera_ir 1\n" MAIN("256u") "%5 v: ptr<function, array<f32, 4000000>> = var\nreturn\n}\n",
                    32),
        TSR_ERR_LIMIT);
    assert_non_null(strstr(tsr_text_get(&r.why), "1 GiB"));
    runner_fini(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workgroup_memory_is_shared_and_starts_as_zero),
        cmocka_unit_test(layout_follows_offsets_and_strides),
        cmocka_unit_test(accesses_out_of_bounds_load_zero_and_are_reported),
        cmocka_unit_test(an_inner_index_names_the_outer_culprit),
        cmocka_unit_test(private_variables_start_anew_in_each_workgroup),
        cmocka_unit_test(atomics_do_what_they_say),
        cmocka_unit_test(stores_of_one_place_and_of_rows),
        cmocka_unit_test(what_is_too_large_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
