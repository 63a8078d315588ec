/* Control flow with lanes that go different ways: the same functions in C, lane by lane. */
#include "exec_run.h"

#define HEAD                                                                                                           \
    "tessera_ir 1\n"                                                                                                   \
    "global %1 out: ptr<storage, array<u32>, read_write> @group(0) @binding(0)\n"
#define MAIN(size)                                                                                                     \
    "fn main(%2 i: u32 @builtin(local_invocation_index)) @compute @workgroup_size(" size ", 1u, 1u) {\n"               \
    "%3: ptr<storage, u32, read_write> = index %1, %2\n"
#define LANES 50u /* not whole subgroups */

static void run_lanes(const char *text, uint32_t out[LANES])
{
    static const uint32_t sizes[] = {4, 8, 16, 32, 64, 128};
    uint32_t first[LANES];
    for (size_t s = 0; s < TSR_COUNT_OF(sizes); s++) {
        memset(out, 0xee, LANES * sizeof *out);
        buffer buffers[1] = {{out, LANES * sizeof *out}};
        (void)run_text(text, sizes[s], buffers, 1);
        if (s == 0) memcpy(first, out, sizeof first);
        assert_memory_equal(first, out, sizeof first);
    }
}

/* ---- Nested loops, break, continue, return from inside. */

static const char nested[] = HEAD
    "fn work(%10 n: u32) -> u32 {\n"
    "    %11 sum: ptr<function, u32> = var\n"
    "    %12 a: ptr<function, u32> = var\n"
    "    %13: u32 = rem %10, 7u\n"
    "    %14: u32 = rem %10, 4u\n"
    "    loop {\n"
    "        %15: u32 = load %12\n"
    "        %16: bool = ge %15, %13\n"
    "        if %16 {\n            break\n        }\n"
    "        %17: u32 = rem %15, 3u\n"
    "        %18: bool = eq %17, 1u\n"
    "        if %18 {\n            continue\n        }\n"
    "        %19 b: ptr<function, u32> = var\n"
    "        loop {\n"
    "            %20: u32 = load %19\n"
    "            %21: bool = gt %20, %14\n"
    "            if %21 {\n                break\n            } else {\n"
    "                %22: u32 = mul %15, %20\n"
    "                %23: bool = eq %22, 6u\n"
    "                if %23 {\n"
    "                    %24: u32 = load %11\n"
    "                    %25: u32 = add %24, 1000u\n"
    "                    return %25\n"
    "                }\n"
    "            }\n"
    "            %26: u32 = load %11\n"
    "            %27: u32 = add %26, %20\n"
    "            %28: u32 = add %27, 1u\n"
    "            store %11, %28\n"
    "            continuing {\n"
    "                %29: u32 = add %20, 1u\n"
    "                store %19, %29\n"
    "                %30: bool = eq %29, 3u\n"
    "                break_if %30\n"
    "            }\n"
    "        }\n"
    "        %31: u32 = load %11\n"
    "        %32: u32 = mul %31, 2u\n"
    "        store %11, %32\n"
    "        continuing {\n"
    "            %33: u32 = add %15, 1u\n"
    "            store %12, %33\n"
    "        }\n"
    "    }\n"
    "    %34: u32 = load %11\n"
    "    return %34\n"
    "}\n" MAIN(
        "50u") "%4: u32 = call work(%2)\n%5: u32 = add %2, 11u\n%6: u32 = call work(%5)\n%7: u32 = mul %6, 10000u\n"
               "%8: u32 = add %4, %7\nstore %3, %8\nreturn\n}\n";

static uint32_t nested_in_c(uint32_t n)
{
    uint32_t sum = 0;
    for (uint32_t a = 0; a < n % 7; a++) {
        if (a % 3 == 1) continue;
        for (uint32_t b = 0;;) {
            if (b > n % 4) break;
            if (a * b == 6) return sum + 1000;
            sum += b + 1;
            if (++b == 3) break;
        }
        sum *= 2;
    }
    return sum;
}

static void nested_loops_break_continue_and_return(void **state)
{
    (void)state;
    uint32_t out[LANES];
    run_lanes(nested, out);
    for (uint32_t i = 0; i < LANES; i++)
        assert_int_equal(out[i], nested_in_c(i) + nested_in_c(i + 11) * 10000);
}

/* ---- Switch in a loop: break leaves the switch, continue the loop's body. */

static const char switching[] = HEAD MAIN("50u") "%4 s: ptr<function, u32> = var\n"
                                                 "%5 k: ptr<function, u32> = var\n"
                                                 "loop {\n"
                                                 "    %6: u32 = load %5\n"
                                                 "    %7: u32 = add %6, %2\n"
                                                 "    %8: u32 = rem %7, 6u\n"
                                                 "    %9: i32 = convert %8\n"
                                                 "    switch %9 {\n"
                                                 "        case default, 5i {\n"
                                                 "            %10: u32 = load %4\n"
                                                 "            %11: u32 = add %10, 100u\n"
                                                 "            store %4, %11\n"
                                                 "        }\n"
                                                 "        case 1i, 2i {\n"
                                                 "            %12: bool = eq %6, 3u\n"
                                                 "            if %12 {\n                break\n            }\n"
                                                 "            %13: u32 = load %4\n"
                                                 "            %14: u32 = add %13, 7u\n"
                                                 "            store %4, %14\n"
                                                 "        }\n"
                                                 "        case 3i {\n            continue\n        }\n"
                                                 "        case 4i {\n            break\n        }\n"
                                                 "    }\n"
                                                 "    %15: u32 = load %4\n"
                                                 "    %16: u32 = add %15, 1u\n"
                                                 "    store %4, %16\n"
                                                 "    continuing {\n"
                                                 "        %17: u32 = add %6, 1u\n"
                                                 "        store %5, %17\n"
                                                 "        %18: u32 = rem %2, 9u\n"
                                                 "        %19: bool = gt %17, %18\n"
                                                 "        break_if %19\n"
                                                 "    }\n"
                                                 "}\n"
                                                 "%20: u32 = load %4\nstore %3, %20\nreturn\n}\n";

static uint32_t switching_in_c(uint32_t i)
{
    uint32_t s = 0, k = 0;
    do {
        switch ((k + i) % 6) {
        case 1:
        case 2:
            if (k != 3) s += 7;
            break;
        case 3: goto next;
        case 4: break;
        default: s += 100; break;
        }
        s++;
    next:
        k++;
    } while (k <= i % 9);
    return s;
}

static void switch_takes_each_lane_its_way(void **state)
{
    (void)state;
    uint32_t out[LANES];
    run_lanes(switching, out);
    for (uint32_t i = 0; i < LANES; i++)
        assert_int_equal(out[i], switching_in_c(i));
}

/* ---- Early return, variables made anew, pointer parameters. */

static const char pointers[] =
    HEAD "fn bump(%10 p: ptr<function, u32>, %11 by: u32) {\n"
         "    %12: bool = eq %11, 3u\n"
         "    if %12 {\n        return\n    }\n"
         "    %13: u32 = load %10\n    %14: u32 = add %13, %11\n    store %10, %14\n"
         "}\n"
         "fn twice(%20 p: ptr<function, array<u32, 4>>, %21 at: u32) {\n"
         "    %22: ptr<function, u32> = index %20, %21\n"
         "    call bump(%22, 1u)\n"
         "    %23: ptr<function, u32> = index %20, 2u\n"
         "    call bump(%23, %21)\n"
         "}\n" MAIN(
             "50u") "%4 v: ptr<function, array<u32, 4>> = var\n"
                    "%5: u32 = rem %2, 4u\n"
                    "call twice(%4, %5)\n"
                    "call twice(%4, 1u)\n"
                    "%6: bool = gt %2, 30u\n"
                    "if %6 {\n"
                    "    %40 k: ptr<function, u32> = var\n"
                    "    loop {\n"
                    "        %41 fresh: ptr<function, u32> = var\n"
                    "        call bump(%41, 5u)\n"
                    "        %42: u32 = load %41\n"
                    "        %43: ptr<function, u32> = index %4, 3u\n"
                    "        call bump(%43, %42)\n"
                    "        continuing {\n"
                    "            %44: u32 = load %40\n            %45: u32 = add %44, 1u\n            store %40, %45\n"
                    "            %46: bool = ge %45, 2u\n            break_if %46\n"
                    "        }\n"
                    "    }\n"
                    "}\n"
                    "%7: array<u32, 4> = load %4\n"
                    "%50: u32 = extract[0] %7\n%51: u32 = extract[1] %7\n%52: u32 = extract[2] %7\n%53: u32 = "
                    "extract[3] %7\n"
                    "%54: u32 = mul %51, 10u\n%55: u32 = mul %52, 100u\n%56: u32 = mul %53, 1000u\n"
                    "%57: u32 = add %50, %54\n%58: u32 = add %57, %55\n%59: u32 = add %58, %56\n"
                    "%60: bool = eq %2, 49u\n"
                    "if %60 {\n    return\n}\n"
                    "store %3, %59\nreturn\n}\n";

static void pointers_are_passed_to_parts_of_variables(void **state)
{
    (void)state;
    uint32_t out[LANES];
    run_lanes(pointers, out);
    for (uint32_t i = 0; i + 1 < LANES; i++) {
        uint32_t v[4] = {0};
        v[i % 4]++;
        if (i % 4 != 3) v[2] += i % 4;
        v[1]++;
        v[2]++;
        if (i > 30) v[3] += 10;
        assert_int_equal(out[i], v[0] + 10 * v[1] + 100 * v[2] + 1000 * v[3]);
    }
    assert_int_equal(out[LANES - 1], 0xeeeeeeee); /* it returned before the store */
}

static void recursion_is_refused(void **state)
{
    (void)state;
    runner r;
    static const char text[] =
        HEAD "fn a(%10 x: u32) {\n    call b(%10)\n}\nfn b(%20 x: u32) {\n    call a(%20)\n}\n" MAIN(
            "4u") "call a(%2)\nreturn\n}\n";
    assert_int_equal(runner_init(&r, text, 4), TSR_ERR_INVALID);
    assert_non_null(strstr(tsr_text_get(&r.why), "circle"));
    runner_fini(&r);
}

static void deep_nesting_runs_or_is_refused(void **state)
{
    (void)state;
    enum { DEPTH = 4000 };
    tsr_text text;
    tsr_text_init(&text, NULL);
    tsr_text_puts(&text, HEAD MAIN("4u"));
    for (int i = 0; i < DEPTH; i++)
        tsr_text_puts(&text, "if true {\n");
    tsr_text_puts(&text, "store %3, 9u\n");
    for (int i = 0; i < DEPTH; i++)
        tsr_text_puts(&text, "}\n");
    tsr_text_puts(&text, "return\n}\n");
    uint32_t out[4] = {0};
    buffer buffers[1] = {BUFFER(out)};
    (void)run_text(tsr_text_get(&text), 4, buffers, 1);
    assert_int_equal(out[3], 9);
    tsr_text_fini(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nested_loops_break_continue_and_return),    cmocka_unit_test(switch_takes_each_lane_its_way),
        cmocka_unit_test(pointers_are_passed_to_parts_of_variables), cmocka_unit_test(recursion_is_refused),
        cmocka_unit_test(deep_nesting_runs_or_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
