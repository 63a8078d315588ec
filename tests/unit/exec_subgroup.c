/* Subgroup and quad ops at every subgroup size, with some invocations inactive and the last subgroup not full. */
#include "exec_run.h"

#include "base/number.h"

#define LANES 50u
static const uint32_t sizes[] = {4, 8, 16, 32, 64, 128};

static bool is_active(uint32_t lane)
{
    return lane < LANES && lane % 3 != 1;
}

static uint32_t value_of(uint32_t lane)
{
    return lane * 2654435761u >> 20;
}

/* Runs `body`, which makes the u32 %20 of %5 (value_of), %6 (the same as f32), %7 (a bool) and %3 (the local index). */
static void run_body(const char *body, uint32_t size, uint32_t out[LANES])
{
    char text[4096];
    snprintf(text, sizeof text,
             "tessera_ir 1\nenable subgroups\n"
             "global %%1 in: ptr<storage, array<u32>, read> @group(0) @binding(0)\n"
             "global %%2 out: ptr<storage, array<u32>, read_write> @group(0) @binding(1)\n"
             "fn main(%%3 i: u32 @builtin(local_invocation_index)) @compute @workgroup_size(50u, 1u, 1u) {\n"
             "%%4: u32 = rem %%3, 3u\n%%10: bool = ne %%4, 1u\nif %%10 {\n"
             "%%11: ptr<storage, u32, read> = index %%1, %%3\n%%5: u32 = load %%11\n%%6: f32 = convert %%5\n"
             "%%12: u32 = rem %%5, 5u\n%%7: bool = ne %%12, 0u\n"
             "%s"
             "%%13: ptr<storage, u32, read_write> = index %%2, %%3\nstore %%13, %%20\n}\nreturn\n}\n",
             body);
    uint32_t in[LANES];
    for (uint32_t i = 0; i < LANES; i++)
        in[i] = value_of(i);
    memset(out, 0xee, LANES * sizeof *out);
    buffer buffers[2] = {BUFFER(in), {out, LANES * sizeof *out}};
    (void)run_text(text, size, buffers, 1);
    for (uint32_t i = 0; i < LANES; i++)
        if (!is_active(i)) assert_int_equal(out[i], 0xeeeeeeee);
}

/* ---- Sums and scans. */

typedef uint32_t (*fold_fn)(uint32_t a, uint32_t b);
static uint32_t fold_add(uint32_t a, uint32_t b)
{
    return a + b;
}
static uint32_t fold_mul(uint32_t a, uint32_t b)
{
    return a * b;
}
static uint32_t fold_min(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}
static uint32_t fold_max(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}
static uint32_t fold_and(uint32_t a, uint32_t b)
{
    return a & b;
}
static uint32_t fold_or(uint32_t a, uint32_t b)
{
    return a | b;
}
static uint32_t fold_xor(uint32_t a, uint32_t b)
{
    return a ^ b;
}
static uint32_t fold_float(uint32_t a, uint32_t b)
{
    return tsr_bits_from_f32(tsr_f32_from_bits(a) + tsr_f32_from_bits(b));
}

enum mode { ALL, INCLUSIVE, EXCLUSIVE };

static uint32_t expected_fold(fold_fn fold, enum mode mode, uint32_t size, uint32_t lane, bool is_float,
                              uint32_t identity)
{
    uint32_t base = lane / size * size, sum = identity;
    bool any = false;
    for (uint32_t i = base; i < base + size && (mode == ALL || i <= lane); i++) {
        if (!is_active(i) || (mode == EXCLUSIVE && i == lane)) continue;
        uint32_t v = is_float ? tsr_bits_from_f32((float)value_of(i)) : value_of(i);
        sum = any ? fold(sum, v) : v;
        any = true;
    }
    return sum;
}

static void sums_and_scans_are_among_active_invocations(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        fold_fn fold;
        enum mode mode;
        bool is_float;
        uint32_t identity;
    } cases[] = {
        {"%20: u32 = sg_add %5\n", fold_add, ALL, false, 0},
        {"%20: u32 = sg_mul %5\n", fold_mul, ALL, false, 1},
        {"%20: u32 = sg_min %5\n", fold_min, ALL, false, 0},
        {"%20: u32 = sg_max %5\n", fold_max, ALL, false, 0},
        {"%20: u32 = sg_and %5\n", fold_and, ALL, false, 0},
        {"%20: u32 = sg_or %5\n", fold_or, ALL, false, 0},
        {"%20: u32 = sg_xor %5\n", fold_xor, ALL, false, 0},
        {"%20: u32 = sg_inclusive_add %5\n", fold_add, INCLUSIVE, false, 0},
        {"%20: u32 = sg_exclusive_add %5\n", fold_add, EXCLUSIVE, false, 0},
        {"%20: u32 = sg_inclusive_mul %5\n", fold_mul, INCLUSIVE, false, 1},
        {"%20: u32 = sg_exclusive_mul %5\n", fold_mul, EXCLUSIVE, false, 1},
        {"%21: f32 = sg_add %6\n%20: u32 = bitcast %21\n", fold_float, ALL, true, 0},
        {"%21: f32 = sg_exclusive_add %6\n%20: u32 = bitcast %21\n", fold_float, EXCLUSIVE, true, 0},
        {"%21: vec3<u32> = compose %3, %5, %3\n%22: vec3<u32> = sg_add %21\n%20: u32 = extract[1] %22\n", fold_add, ALL,
         false, 0},
    };
    for (size_t c = 0; c < TSR_COUNT_OF(cases); c++)
        for (size_t s = 0; s < TSR_COUNT_OF(sizes); s++) {
            uint32_t out[LANES];
            run_body(cases[c].body, sizes[s], out);
            for (uint32_t i = 0; i < LANES; i++)
                if (is_active(i))
                    assert_int_equal(out[i], expected_fold(cases[c].fold, cases[c].mode, sizes[s], i, cases[c].is_float,
                                                           cases[c].identity));
        }
}

/* ---- Votes. */

static void votes_count_active_invocations(void **state)
{
    (void)state;
    for (size_t s = 0; s < TSR_COUNT_OF(sizes); s++) {
        uint32_t size = sizes[s], all[LANES], any[LANES], elect[LANES], ballot[4][LANES];
        run_body("%21: bool = sg_all %7\n%20: u32 = convert %21\n", size, all);
        run_body("%21: bool = not %7\n%22: bool = sg_any %21\n%20: u32 = convert %22\n", size, any);
        run_body("%21: bool = sg_elect\n%20: u32 = convert %21\n", size, elect);
        for (int k = 0; k < 4; k++) {
            char body[100];
            snprintf(body, sizeof body, "%%21: vec4<u32> = sg_ballot %%7\n%%20: u32 = extract[%d] %%21\n", k);
            run_body(body, size, ballot[k]);
        }
        for (uint32_t i = 0; i < LANES; i++) {
            if (!is_active(i)) continue;
            uint32_t base = i / size * size, bits[4] = {0}, first = LANES;
            bool holds = true;
            for (uint32_t j = base; j < base + size; j++) {
                if (!is_active(j)) continue;
                if (first == LANES) first = j;
                if (value_of(j) % 5 != 0)
                    bits[(j - base) / 32] |= 1u << ((j - base) % 32);
                else
                    holds = false;
            }
            assert_int_equal(all[i], holds);
            assert_int_equal(any[i], !holds);
            assert_int_equal(elect[i], i == first);
            for (int k = 0; k < 4; k++)
                assert_int_equal(ballot[k][i], bits[k]);
        }
    }
}

/* ---- Moves. */

static uint32_t from_id(uint32_t size, uint32_t lane, uint32_t id)
{
    uint32_t from = lane / size * size + id;
    return id < size && is_active(from) ? value_of(from) : 0;
}

static void values_move_between_invocations(void **state)
{
    (void)state;
    static const char *bodies[] = {
        "%20: u32 = sg_broadcast %5, 2u\n",
        "%20: u32 = sg_broadcast_first %5\n",
        "%21: u32 = mul %3, 3u\n%20: u32 = sg_shuffle %5, %21\n",
        "%20: u32 = sg_shuffle_down %5, 2u\n",
        "%20: u32 = sg_shuffle_up %5, 3u\n",
        "%20: u32 = sg_shuffle_xor %5, 5u\n",
        "%20: u32 = quad_broadcast %5, 3u\n",
        "%20: u32 = quad_swap_x %5\n",
        "%20: u32 = quad_swap_y %5\n",
        "%20: u32 = quad_swap_diagonal %5\n",
        "%20: u32 = sg_shuffle_down %5, 4294967295u\n",
    };
    for (size_t s = 0; s < TSR_COUNT_OF(sizes); s++)
        for (size_t c = 0; c < TSR_COUNT_OF(bodies); c++) {
            uint32_t out[LANES], size = sizes[s];
            run_body(bodies[c], size, out);
            for (uint32_t i = 0; i < LANES; i++) {
                uint32_t id = i % size, first = is_active(i - id) ? 0 : 1;
                if (!is_active(i - id + first)) first++;
                const uint32_t ids[] = {2,         first,          3 * i,  id + 2, id < 3 ? UINT32_MAX : id - 3,
                                        id ^ 5,    (id & ~3u) + 3, id ^ 1, id ^ 2, id ^ 3,
                                        UINT32_MAX};
                if (is_active(i)) assert_int_equal(out[i], from_id(size, i, ids[c]));
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_and_scans_are_among_active_invocations),
        cmocka_unit_test(votes_count_active_invocations),
        cmocka_unit_test(values_move_between_invocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
