/* Runs: threads, huge grids, time, progress, and bindings that are too small. */
#include "exec_run.h"

#include <time.h>

static const char counting[] =
    "tessera_ir 1\n"
    "global %1 n: ptr<storage, atomic<u32>, read_write> @group(0) @binding(0)\n"
    "global %2 seen: ptr<storage, array<atomic<u32>>, read_write> @group(0) @binding(1)\n"
    "fn main(%3 wid: vec3<u32> @builtin(workgroup_id)) @compute @workgroup_size(8u, 1u, 1u) {\n"
    "%4: u32 = atomic_add %1, 1u\n%5: u32 = extract[0] %3\n%6: u32 = extract[1] %3\n%7: u32 = mul %6, 100u\n"
    "%8: u32 = add %7, %5\n%9: ptr<storage, atomic<u32>, read_write> = index %2, %8\n"
    "%10: u32 = atomic_add %9, 1u\nreturn\n}\n";

static void every_workgroup_runs_once_on_some_thread(void **state)
{
    (void)state;
    for (uint32_t threads = 1; threads <= 7; threads += 3) {
        static uint32_t n, seen[100 * 77];
        n = 0;
        memset(seen, 0, sizeof seen);
        buffer buffers[2] = {BUFFER(&n), BUFFER(seen)};
        buffers[0].size_bytes = sizeof n;
        runner r;
        tsr_exec_report report;
        assert_int_equal(runner_init(&r, counting, 4), TSR_OK);
        tsr_exec_args args = {.groups = {100, 77, 1}, .threads = threads};
        assert_int_equal(runner_run(&r, buffers, args, &report), TSR_OK);
        assert_int_equal(report.workgroups, 7700);
        assert_int_equal(n, 8 * 7700);
        for (size_t i = 0; i < TSR_COUNT_OF(seen); i++)
            assert_int_equal(seen[i], 8);
        runner_fini(&r);
    }
}

static const char trivial[] =
    "tessera_ir 1\n"
    "global %1 d: ptr<storage, array<u32, 1>, read_write> @group(0) @binding(0)\n"
    "fn main() @compute @workgroup_size(1u, 1u, 1u) {\n%2: ptr<storage, u32, read_write> = index %1, 0u\nstore %2, 5u\n"
    "return\n}\n";

static const char endless[] = "tessera_ir 1\n"
                              "global %1 d: ptr<storage, array<u32, 1>, read_write> @group(0) @binding(0)\n"
                              "fn main() @compute @workgroup_size(4u, 1u, 1u) {\n%2 k: ptr<function, u32> = var\n"
                              "loop {\n    %3: u32 = load %2\n    %4: u32 = add %3, 1u\n    store %2, %4\n}\n"
                              "unreachable\n}\n";

static void run_for(const char *text, const uint32_t groups[3], uint32_t threads,
                    bool (*progress)(void *, uint64_t, uint64_t), void *user)
{
    static uint32_t d[1];
    buffer buffers[1] = {BUFFER(d)};
    runner r;
    tsr_exec_report report;
    assert_int_equal(runner_init(&r, text, 4), TSR_OK);
    tsr_exec_args args = {.groups = {groups[0], groups[1], groups[2]},
                          .threads = threads,
                          .progress = progress,
                          .progress_user = user,
                          .timeout_ns = progress ? 0 : 50000000};
    assert_int_equal(runner_run(&r, buffers, args, &report), TSR_ERR_TIMEOUT);
    assert_true(report.time_ns < UINT64_C(5000000000));
    runner_fini(&r);
}

static void time_stops_huge_grids_and_endless_loops(void **state)
{
    (void)state;
    run_for(trivial, (uint32_t[3]){65536, 65536, 1}, 1, NULL, NULL);
    run_for(trivial, (uint32_t[3]){UINT32_MAX, UINT32_MAX, UINT32_MAX}, 2, NULL, NULL);
    run_for(endless, (uint32_t[3]){1, 1, 1}, 1, NULL, NULL);
    run_for(endless, (uint32_t[3]){5, 1, 1}, 3, NULL, NULL);
}

static bool count_to_two(void *user, uint64_t done, uint64_t total)
{
    int *calls = user;
    assert_true(done <= total);
    return ++*calls < 2;
}

static void progress_may_stop_a_run(void **state)
{
    (void)state;
    int calls = 0;
    run_for(endless, (uint32_t[3]){2, 1, 1}, 2, count_to_two, &calls);
    assert_int_equal(calls, 2);
    calls = 0;
    run_for(trivial, (uint32_t[3]){65536, 65536, 4}, 2, count_to_two, &calls);
    assert_int_equal(calls, 2);
}

static void nothing_to_do_succeeds(void **state)
{
    (void)state;
    uint32_t d[1] = {3};
    buffer buffers[1] = {BUFFER(d)};
    runner r;
    tsr_exec_report report;
    assert_int_equal(runner_init(&r, trivial, 32), TSR_OK);
    assert_int_equal(runner_run(&r, buffers, (tsr_exec_args){.groups = {4, 0, 9}, .threads = 1}, &report), TSR_OK);
    assert_int_equal(report.workgroups, 0);
    assert_int_equal(d[0], 3);
    buffers[0].size_bytes = 0;
    assert_int_equal(runner_run(&r, buffers, (tsr_exec_args){.groups = {1, 1, 1}, .threads = 1}, &report),
                     TSR_ERR_INVALID);
    runner_fini(&r);
    assert_int_equal(runner_init(&r, trivial, 24), TSR_ERR_INVALID);
    runner_fini(&r);
}

/* The report is that of the lowest workgroup, whichever thread ran it. */
static void the_first_access_out_of_bounds_does_not_depend_on_threads(void **state)
{
    (void)state;
    static const char text[] =
        "tessera_ir 1\n"
        "global %1 d: ptr<storage, array<u32, 100>, read_write> @group(0) @binding(0)\n"
        "fn main(%2 wid: vec3<u32> @builtin(workgroup_id)) @compute @workgroup_size(1u, 1u, 1u) {\n"
        "%3: u32 = extract[0] %2\n%4: ptr<storage, u32, read_write> = index %1, %3\nstore %4, 5u\nreturn\n}\n";
    uint32_t d[100];
    buffer buffers[1] = {BUFFER(d)};
    for (int round = 0; round < 20; round++) {
        runner r;
        tsr_exec_report report;
        assert_int_equal(runner_init(&r, text, 4), TSR_OK);
        assert_int_equal(runner_run(&r, buffers, (tsr_exec_args){.groups = {300, 1, 1}, .threads = 4}, &report),
                         TSR_OK);
        assert_int_equal(report.oob_accesses, 200);
        assert_string_equal(report.first_oob_text, "index 100 is outside array<u32, 100>");
        runner_fini(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_workgroup_runs_once_on_some_thread),
        cmocka_unit_test(time_stops_huge_grids_and_endless_loops),
        cmocka_unit_test(progress_may_stop_a_run),
        cmocka_unit_test(nothing_to_do_succeeds),
        cmocka_unit_test(the_first_access_out_of_bounds_does_not_depend_on_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
