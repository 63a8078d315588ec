/* Arena, pool, symbols, maps, sets: what they promise when they grow, when they are reset, and when memory ends. */
#include "unit.h"

#include "base/map.h"
#include "base/set.h"
#include "base/symbol.h"

#include <stdio.h>
#include <string.h>

static void arena_zeroed_and_aligned(void **state)
{
    (void)state;
    tsr_arena a;
    tsr_arena_init(&a, NULL);
    for (size_t size = 0; size < 3000000; size = size * 3 + 1) {
        unsigned char *p = tsr_arena_alloc(&a, size);
        assert_true(((uintptr_t)p & 15) == 0);
        for (size_t i = 0; i < size; i++)
            assert_true(p[i] == 0);
        memset(p, 0xee, size);
    }
    assert_true(a.held_bytes >= a.used_bytes);
    tsr_arena_fini(&a);
    assert_int_equal(a.held_bytes, 0);
}

static void arena_reset_gives_back_and_zeroes(void **state)
{
    (void)state;
    tsr_arena a;
    tsr_arena_init(&a, NULL);
    char *kept = tsr_arena_strndup(&a, "kept", 4);
    tsr_arena_mark mark = tsr_arena_get_mark(&a);
    size_t used = a.used_bytes, held = a.held_bytes;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 5000; i++) {
            unsigned char *p = tsr_arena_alloc(&a, 100);
            for (int j = 0; j < 100; j++)
                assert_true(p[j] == 0);
            memset(p, 0xff, 100);
        }
        memset(tsr_arena_alloc(&a, 5000000), 0xff, 5000000);
        tsr_arena_reset(&a, mark);
        assert_int_equal(a.used_bytes, used);
        assert_int_equal(a.held_bytes, held);
    }
    assert_string_equal(kept, "kept");
    tsr_arena_fini(&a);
}

static void arena_limit_jumps(void **state)
{
    (void)state;
    tsr_arena a;
    jmp_buf on_full;
    volatile int jumped = 0;
    tsr_arena_init(&a, &on_full);
    a.limit_bytes = 300000;
    if (setjmp(on_full)) jumped = 1;
    while (!jumped)
        tsr_arena_alloc(&a, 1000);
    assert_true(a.held_bytes <= 300000);
    jumped = 0;
    if (setjmp(on_full))
        jumped = 1;
    else
        tsr_arena_array(&a, SIZE_MAX / 2, 3);
    assert_true(jumped);
    jumped = 0;
    if (setjmp(on_full))
        jumped = 1;
    else
        tsr_arena_alloc(&a, SIZE_MAX - 3);
    assert_true(jumped);
    tsr_arena_fini(&a);
}

static void pool_pointers_stay(void **state)
{
    (void)state;
    tsr_arena a;
    tsr_pool p;
    tsr_arena_init(&a, NULL);
    tsr_pool_init(&p, &a, sizeof(uint64_t));
    assert_int_equal(p.count, 1);
    uint64_t *first = tsr_pool_at(&p, tsr_pool_push(&p, 1));
    *first = 42;
    for (uint32_t n = 1; p.count < 100000; n++) {
        uint32_t at = tsr_pool_push(&p, n % 200);
        for (uint32_t i = 0; i < n % 200; i++) {
            uint64_t *e = tsr_pool_at(&p, at + i);
            assert_ptr_equal(e, tsr_pool_at_slow(&p, at + i));
            assert_true(*e == 0);
            *e = at + i;
        }
    }
    for (uint32_t i = 2; i < p.count; i++)
        assert_true(*(uint64_t *)tsr_pool_at(&p, i) == i);
    assert_ptr_equal(first, tsr_pool_at(&p, 1));
    assert_true(*first == 42);
    tsr_arena_fini(&a);
}

static void symbols_are_names(void **state)
{
    (void)state;
    tsr_arena a;
    tsr_symbols t;
    tsr_arena_init(&a, NULL);
    tsr_symbols_init(&t, &a);
    assert_int_equal(tsr_symbols_add(&t, "", 0), 0);
    assert_string_equal(tsr_symbols_cstr(&t, 0), "");
    char name[32];
    for (uint32_t i = 1; i <= 20000; i++) {
        int len = snprintf(name, sizeof name, "name_%u", i);
        assert_int_equal(tsr_symbols_find(&t, name, (size_t)len), 0);
        assert_int_equal(tsr_symbols_add(&t, name, (size_t)len), i);
    }
    for (uint32_t i = 1; i <= 20000; i++) {
        int len = snprintf(name, sizeof name, "name_%u!", i);
        assert_int_equal(tsr_symbols_add(&t, name, (size_t)len - 1), i);
        assert_true(tsr_str_eq(tsr_symbols_get(&t, i), (tsr_str){name, (size_t)len - 1}));
    }
    assert_int_equal(tsr_symbols_add(&t, "a\0b", 3), 20001);
    assert_int_equal(tsr_symbols_add(&t, "a\0c", 3), 20002);
    tsr_arena_fini(&a);
}

static void map_keeps_all(void **state)
{
    (void)state;
    tsr_arena a;
    tsr_map m;
    uint32_t value = 7;
    tsr_arena_init(&a, NULL);
    tsr_map_init(&m, &a);
    assert_false(tsr_map_find(&m, 0, &value));
    for (uint64_t i = 0; i < 30000; i++)
        tsr_map_set(&m, i << 40 ^ i, (uint32_t)i);
    for (uint64_t i = 0; i < 30000; i += 3)
        tsr_map_set(&m, i << 40 ^ i, (uint32_t)i + 1);
    assert_int_equal(m.count, 30000);
    for (uint64_t i = 0; i < 30000; i++) {
        assert_true(tsr_map_find(&m, i << 40 ^ i, &value));
        assert_int_equal(value, i + (i % 3 == 0));
    }
    assert_false(tsr_map_find(&m, UINT64_MAX, &value));
    tsr_arena_fini(&a);
}

static void hash_depends_on_all(void **state)
{
    (void)state;
    assert_true(tsr_hash_bytes("abc", 3, 1) == tsr_hash_bytes("abcd", 3, 1));
    assert_true(tsr_hash_bytes("abc", 3, 1) != tsr_hash_bytes("abc", 3, 2));
    assert_true(tsr_hash_bytes("abc", 3, 1) != tsr_hash_bytes("abc\0", 4, 1));
    assert_true(tsr_hash_bytes("0123456789", 10, 1) != tsr_hash_bytes("1123456789", 10, 1));
}

#define SET_NUMBERS 5000u
#define SET_COUNT   40u

/* A few numbers far apart, runs of neighbours, or all that leave a remainder. */
static bool is_member(uint32_t set, uint32_t number)
{
    if (set % 4 == 0) return number == set * 97 || number == set * 61 % SET_NUMBERS;
    if (set % 4 == 1) return number >= set * 50 && number < set * 50 + 700;
    return number % (set + 1) == 1 && set % 4 != 3;
}

static uint64_t weight_of(uint32_t number)
{
    return (uint64_t)number * number + 1;
}

static const tsr_set *make_set(const tsr_sets *in, uint32_t set)
{
    const tsr_set *s = NULL;
    for (uint32_t i = SET_NUMBERS; i-- > 0;)
        if (is_member(set, i)) s = tsr_set_with(in, s, i);
    return s;
}

static void assert_union(const tsr_set *s, uint32_t x, uint32_t y)
{
    uint32_t count = 0;
    uint64_t weight = 0;
    for (uint32_t i = 0; i < SET_NUMBERS; i++) {
        bool member = is_member(x, i) || is_member(y, i);
        assert_int_equal(tsr_set_has(s, i), member);
        if (!member) continue;
        assert_int_equal(tsr_set_at(s, count++), i);
        weight += weight_of(i);
    }
    assert_int_equal(tsr_set_count(s), count);
    assert_true(tsr_set_weight(s) == weight);
}

static void sets_hold_what_was_put_in(void **state)
{
    (void)state;
    tsr_arena a;
    tsr_arena_init(&a, NULL);
    uint64_t *weights = TSR_NEW_ARRAY(&a, uint64_t, SET_NUMBERS);
    tsr_sets in = {&a, weights};
    const tsr_set *set[SET_COUNT];
    for (uint32_t i = 0; i < SET_NUMBERS; i++)
        weights[i] = weight_of(i);
    for (uint32_t i = 0; i < SET_COUNT; i++)
        set[i] = make_set(&in, i);
    for (uint32_t x = 0; x < SET_COUNT; x++)
        for (uint32_t y = x; y < SET_COUNT; y++) {
            const tsr_set *both = tsr_set_union(&in, set[x], set[y]);
            assert_union(both, x, y);
            assert_ptr_equal(tsr_set_union(&in, both, set[x]), both);
            if (tsr_set_count(set[y]) != tsr_set_count(both)) assert_ptr_equal(tsr_set_union(&in, set[y], both), both);
        }
    const uint32_t ends[] = {UINT32_MAX, 0, UINT32_MAX - 1, 64, 63};
    const tsr_set *far = tsr_set_with_all(&(tsr_sets){.arena = &a}, NULL, ends, TSR_COUNT_OF(ends));
    assert_int_equal(tsr_set_count(far), 5);
    assert_int_equal(tsr_set_at(far, 2), 64);
    assert_int_equal(tsr_set_at(far, 4), UINT32_MAX);
    tsr_arena_fini(&a);
}

/* Ten thousand sets that each add one number to the one before take little more than the last alone. */
static void sets_share_their_parts(void **state)
{
    (void)state;
    tsr_arena a;
    tsr_arena_init(&a, NULL);
    tsr_sets in = {.arena = &a};
    const tsr_set *all = NULL, *own = NULL;
    for (uint32_t i = 0; i < 10000; i++)
        all = tsr_set_with(&in, all, i);
    size_t before = a.used_bytes;
    for (uint32_t i = 0; i < 10000; i++) {
        own = tsr_set_union(&in, tsr_set_with(&in, NULL, 20000 + i), all);
        assert_int_equal(tsr_set_count(own), 10001);
    }
    assert_true(a.used_bytes - before < (size_t)10000 * 3 * sizeof(tsr_set));
    tsr_arena_fini(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_zeroed_and_aligned), cmocka_unit_test(arena_reset_gives_back_and_zeroes),
        cmocka_unit_test(arena_limit_jumps),        cmocka_unit_test(pool_pointers_stay),
        cmocka_unit_test(symbols_are_names),        cmocka_unit_test(map_keeps_all),
        cmocka_unit_test(hash_depends_on_all),      cmocka_unit_test(sets_hold_what_was_put_in),
        cmocka_unit_test(sets_share_their_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
