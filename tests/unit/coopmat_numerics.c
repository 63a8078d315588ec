/* The reference model: with and without the machine's fused multiply-add, each result type against sums made another
 * way. */
#include "unit.h"

#include "base/number.h"
#include "coopmat/numerics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 40 * 40 * 2 };

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Random components: small numbers, large ones, subnormal ones, zeros of both signs. */
static void fill(tsr_component c, uint32_t *words, size_t count, uint64_t *seed)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t x = next_random(seed);
        if (tsr_component_is_integer(c)) {
            words[i] = tsr_component_wrap(c, (uint32_t)(x >> 20));
            continue;
        }
        double value = ldexp((double)(int64_t)(x >> 40) - 8388608.0, (int)(x % 40) - 40);
        tsr_component_from_f64(c, x % 17 == 0 ? -0.0 : value, words + i * tsr_component_words(c));
    }
}

static void check(tsr_mma d)
{
    static uint32_t a[MOST], b[MOST], c[MOST], r[MOST], plain[MOST], scratch[2 * MOST];
    uint64_t seed = 88172645463325252u + d.shape.m * 131u + d.a;
    fill(d.a, a, (size_t)d.shape.m * d.shape.k, &seed);
    fill(d.b, b, (size_t)d.shape.k * d.shape.n, &seed);
    fill(d.c, c, (size_t)d.shape.m * d.shape.n, &seed);
    assert_true(tsr_mma_is_covered(&d));
    tsr_mma_reference(&d, a, b, c, r, scratch);
    tsr_mma_reference_plain(&d, a, b, c, plain, scratch);
    size_t words = (size_t)d.shape.m * d.shape.n * tsr_component_words(d.r);
    assert_memory_equal(r, plain, words * sizeof *r);
    for (uint32_t i = 0; i < d.shape.m; i++)
        for (uint32_t j = 0; j < d.shape.n; j++) {
            size_t at = (size_t)i * d.shape.n + j;
            if (tsr_component_is_integer(d.r)) {
                uint64_t sum = c[at];
                for (uint32_t k = 0; k < d.shape.k; k++)
                    sum += (uint64_t)a[i * d.shape.k + k] * b[k * d.shape.n + j];
                assert_int_equal(r[at], tsr_component_wrap(d.r, (uint32_t)sum));
                continue;
            }
            /* Every step in long double (64 bits of mantissa): exact but for the rounding that is asked for. */
            uint32_t sum[2];
            tsr_component_from_f64(d.r, tsr_component_to_f64(d.c, c + at * tsr_component_words(d.c)), sum);
            for (uint32_t k = 0; k < d.shape.k; k++) {
                double x = tsr_component_to_f64(d.a, a + ((size_t)i * d.shape.k + k) * tsr_component_words(d.a));
                double y = tsr_component_to_f64(d.b, b + ((size_t)k * d.shape.n + j) * tsr_component_words(d.b));
                double s = tsr_component_to_f64(d.r, sum);
                if (d.r == TSR_F64)
                    tsr_component_from_f64(TSR_F64, fma(x, y, s), sum);
                else if (d.r == TSR_F32)
                    sum[0] = tsr_bits_from_f32(fmaf((float)x, (float)y, (float)s));
                else if (d.r == TSR_F16)
                    sum[0] = tsr_f16_add_exact(x * y, s);
                else
                    tsr_component_from_f64(d.r, x * y + s, sum);
            }
            double found = tsr_component_to_f64(d.r, r + at * tsr_component_words(d.r));
            if (found != found && tsr_component_to_f64(d.r, sum) != tsr_component_to_f64(d.r, sum)) continue;
            assert_memory_equal(r + at * tsr_component_words(d.r), sum, sizeof(uint32_t) * tsr_component_words(d.r));
        }
}

static void every_pair_of_types_and_odd_shapes(void **state)
{
    (void)state;
    static const tsr_component pairs[][2] = {
        {TSR_F32, TSR_F32},    {TSR_F16, TSR_F32}, {TSR_F16, TSR_F16}, {TSR_BF16, TSR_F32}, {TSR_F8E4M3, TSR_F32},
        {TSR_F8E5M2, TSR_F16}, {TSR_F64, TSR_F64}, {TSR_S8, TSR_S32},  {TSR_U8, TSR_U32},   {TSR_S8, TSR_S8},
        {TSR_U8, TSR_U8},      {TSR_U32, TSR_U32}, {TSR_S32, TSR_S32}, {TSR_F32, TSR_F64},  {TSR_BF16, TSR_BF16},
    };
    static const tsr_shape shapes[] = {{8, 16, 4}, {16, 8, 32}, {3, 13, 7}, {1, 9, 5}, {17, 1, 3}, {4, 40, 21}};
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++)
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
            check((tsr_mma){shapes[s], pairs[p][0], pairs[p][0], pairs[p][1], pairs[p][1], false});
    check((tsr_mma){{40, 24, 36}, TSR_F16, TSR_F16, TSR_F16, TSR_F16, false});
    check((tsr_mma){{5, 7, 11}, TSR_F16, TSR_F8E5M2, TSR_F32, TSR_F16, false});
    check((tsr_mma){{5, 7, 11}, TSR_U8, TSR_S8, TSR_S32, TSR_S32, false});
    check((tsr_mma){{5, 7, 11}, TSR_F16, TSR_BF16, TSR_F32, TSR_F32, false});
    check((tsr_mma){{5, 7, 11}, TSR_F16, TSR_F16, TSR_F16, TSR_F32, false});
}

static void sums_stop_at_the_ends_when_saturating(void **state)
{
    (void)state;
    static const struct {
        tsr_component in_a, in_b, sum;
        uint32_t a, b, c, r;
    } cases[] = {
        {TSR_S32, TSR_S32, TSR_S32, 2, 0x40000000, 0, INT32_MAX},
        {TSR_S32, TSR_S32, TSR_S32, 0x80000000, 0x7fffffff, 5, 0x80000000},
        {TSR_U32, TSR_U32, TSR_U32, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX},
        {TSR_S8, TSR_S8, TSR_S32, 0xffffff80, 0x7f, 0x80000000, 0x80000000},
        {TSR_U8, TSR_U8, TSR_U32, 3, 4, 5, 17 + 24},
        {TSR_U8, TSR_S8, TSR_S32, 200, 0xffffffff, 0, (uint32_t)-600},
        {TSR_S8, TSR_S8, TSR_S8, 10, 10, 100, 127},
        {TSR_U8, TSR_U8, TSR_U8, 1, 2, 3, 9},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tsr_mma d = {{1, 1, 3}, cases[i].in_a, cases[i].in_b, cases[i].sum, cases[i].sum, true};
        uint32_t a[3] = {cases[i].a, cases[i].a, cases[i].a}, b[3] = {cases[i].b, cases[i].b, cases[i].b}, r,
                 scratch[6];
        tsr_mma_reference(&d, a, b, &cases[i].c, &r, scratch);
        assert_int_equal(r, cases[i].r);
    }
}

static void halves_are_widened_exactly(void **state)
{
    (void)state;
    tsr_mma d = {{1, 1, 1}, TSR_F16, TSR_F16, TSR_F32, TSR_F32, false};
    for (uint32_t h = 0; h < 65536; h++) {
        uint32_t one = 0x3c00, zero = 0x80000000, r, scratch[2]; /* -0 keeps the sign of a zero */
        tsr_mma_reference(&d, &h, &one, &zero, &r, scratch);
        float expected = tsr_f16_to_f32((uint16_t)h);
        if (expected != expected)
            assert_true(tsr_f32_from_bits(r) != tsr_f32_from_bits(r));
        else
            assert_int_equal(r, tsr_bits_from_f32(expected));
    }
}

/* Every f16 times a few others plus a few others: one rounding, ties, subnormals, overflow and zeros' signs. */
static void half_sums_round_once(void **state)
{
    (void)state;
    static const uint16_t some[] = {0x0000, 0x8000, 0x0001, 0x8003, 0x03ff, 0x0400, 0x3c00, 0xbc01, 0x3555,
                                    0x4bff, 0x6800, 0xf7ff, 0x7bff, 0xfbff, 0x7c00, 0x1400, 0x0c01};
    tsr_mma d = {{1, 1, 1}, TSR_F16, TSR_F16, TSR_F16, TSR_F16, false};
    const size_t count = sizeof some / sizeof *some;
    for (uint32_t h = 0; h < 65536; h++)
        for (size_t i = 0; i < count * count; i++) {
            uint32_t b = some[i % count], c = some[i / count], r, scratch[2];
            double product = (double)tsr_f16_to_f32((uint16_t)h) * (double)tsr_f16_to_f32((uint16_t)b);
            uint16_t expected = tsr_f16_add_exact(product, (double)tsr_f16_to_f32((uint16_t)c));
            if ((expected & 0x7fffu) > 0x7c00u) expected = 0x7e00;
            tsr_mma_reference(&d, &h, &b, &c, &r, scratch);
            assert_int_equal(r, expected);
        }
}

static void odd_combinations_are_not_covered(void **state)
{
    (void)state;
    tsr_shape s = {8, 8, 8};
    assert_false(tsr_mma_is_covered(&(tsr_mma){s, TSR_F16, TSR_S8, TSR_F32, TSR_F32, false}));
    assert_false(tsr_mma_is_covered(&(tsr_mma){s, TSR_F64, TSR_F64, TSR_F32, TSR_F32, false}));
    assert_false(tsr_mma_is_covered(&(tsr_mma){s, TSR_S8, TSR_S8, TSR_F32, TSR_S32, false}));
}

static void components_come_from_memory_and_go_back(void **state)
{
    (void)state;
    static const tsr_component types[] = {TSR_F16, TSR_F32,  TSR_U8,  TSR_S8,    TSR_U32,
                                          TSR_S32, TSR_BF16, TSR_F64, TSR_F8E4M3};
    _Alignas(8) unsigned char from[64], to[64];
    for (size_t i = 0; i < sizeof from; i++)
        from[i] = (unsigned char)(i * 37 + 200);
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (size_t step = 1; step < 4; step++) {
            uint32_t words[64] = {0};
            size_t bytes = tsr_component_bits(types[t]) / 8 * 8;
            memset(to, 0, sizeof to);
            tsr_components_read(types[t], from, 8, words, step);
            tsr_components_write(types[t], to, 8, words, step);
            assert_memory_equal(from, to, bytes);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pair_of_types_and_odd_shapes), cmocka_unit_test(sums_stop_at_the_ends_when_saturating),
        cmocka_unit_test(halves_are_widened_exactly),         cmocka_unit_test(half_sums_round_once),
        cmocka_unit_test(odd_combinations_are_not_covered),   cmocka_unit_test(components_come_from_memory_and_go_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
