/* Shapes of values: what they say holds for all lanes, tried on values that have the shape, subgroup by subgroup. */
#include "analysis/value_shape.h"
#include "unit.h"

#include <stdio.h>

enum { TRIALS = 40000, LANES_MOST = 128 };

typedef struct lanes {
    tsr_vshape shape;
    uint32_t v[LANES_MOST];
} lanes;

static uint64_t seed = 1;

static uint32_t roll(uint32_t n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % n;
}

/* Small numbers, and those at which something wraps. */
static uint32_t roll_number(void)
{
    uint32_t x = roll(3) ? roll(300) : UINT32_MAX - roll(40);
    return roll(4) ? x : x << roll(32);
}

static const char *describe(tsr_vshape s)
{
    static char text[2][96];
    static int which;
    char *t = text[which++ % 2];
    snprintf(t, sizeof text[0], "{run %u, tz %u, stride %d, max %u}", s.run, s.tz, (int)s.stride, (unsigned)s.max);
    return t;
}

static bool has_shape(const uint32_t *v, uint32_t size, tsr_vshape s)
{
    if (!s.known) return false;
    for (uint32_t i = 0; i < size; i++) {
        uint32_t first = i >> s.run << s.run;
        if (v[i] > s.max || v[i] != v[first] + (i - first) * (uint32_t)s.stride) return false;
        if (i == first && (s.tz >= 32 ? v[i] != 0 : v[i] & ((UINT32_C(1) << s.tz) - 1))) return false;
    }
    return true;
}

/* A value of some shape, told as exactly as it is. */
static void make(const tsr_value_shapes *s, lanes *l)
{
    tsr_vshape *x = &l->shape;
    *x = (tsr_vshape){.run = (uint8_t)roll(s->full + 1u), .tz = (uint8_t)roll(roll(4) ? 9 : 33), .known = true};
    if (x->run > 0) x->stride = roll(3) ? (int32_t)roll(9) : (int32_t)roll_number();
    for (uint32_t i = 0; i < s->subgroup_size; i++) {
        uint32_t first = i >> x->run << x->run;
        if (i == first) l->v[i] = x->tz >= 32 ? 0 : roll_number() << x->tz;
        if (i != first) l->v[i] = l->v[first] + (i - first) * (uint32_t)x->stride;
        if (l->v[i] > x->max) x->max = l->v[i];
    }
    assert_true(has_shape(l->v, s->subgroup_size, *x));
}

static void expect(const tsr_value_shapes *s, const char *op, const lanes *a, tsr_vshape b, const uint32_t *v,
                   tsr_vshape got)
{
    if (has_shape(v, s->subgroup_size, got)) return;
    fail_msg("subgroups of %u: %s %s %s is not %s", (unsigned)s->subgroup_size, describe(a->shape), op, describe(b),
             describe(got));
}

static void try_ops(const tsr_value_shapes *s)
{
    lanes a, b;
    uint32_t v[LANES_MOST], c = roll_number(), size = s->subgroup_size;
    make(s, &a);
    make(s, &b);
    for (uint32_t i = 0; i < size; i++)
        v[i] = a.v[i] + b.v[i];
    expect(s, "+", &a, b.shape, v, tsr_shape_add(s, a.shape, b.shape));
    for (uint32_t i = 0; i < size; i++)
        v[i] = a.v[i] * c;
    expect(s, "*", &a, tsr_shape_const(s, c), v, tsr_shape_mul_const(s, a.shape, c));
    if (c == 0) return;
    for (uint32_t i = 0; i < size; i++)
        v[i] = a.v[i] / c;
    expect(s, "/", &a, tsr_shape_const(s, c), v, tsr_shape_div_const(s, a.shape, c));
    for (uint32_t i = 0; i < size; i++)
        v[i] = a.v[i] % c;
    expect(s, "%", &a, tsr_shape_const(s, c), v, tsr_shape_rem_const(s, a.shape, c));
}

/* One after the other, as indices are computed: what an op says is what the next one starts from. */
static void try_chain(const tsr_value_shapes *s)
{
    lanes a;
    make(s, &a);
    for (uint32_t k = 0; k < 6; k++) {
        uint32_t c = roll(2) ? UINT32_C(1) << roll(9) : roll(40) + 1, op = roll(4);
        lanes before = a;
        a.shape = op == 0   ? tsr_shape_add(s, a.shape, tsr_shape_const(s, c))
                  : op == 1 ? tsr_shape_mul_const(s, a.shape, c)
                  : op == 2 ? tsr_shape_div_const(s, a.shape, c)
                            : tsr_shape_rem_const(s, a.shape, c);
        for (uint32_t i = 0; i < s->subgroup_size; i++)
            a.v[i] = op == 0 ? a.v[i] + c : op == 1 ? a.v[i] * c : op == 2 ? a.v[i] / c : a.v[i] % c;
        static const char *const name[] = {"+", "*", "/", "%"};
        expect(s, name[op], &before, tsr_shape_const(s, c), a.v, a.shape);
    }
}

static void try_compare(const tsr_value_shapes *s)
{
    lanes a, b;
    make(s, &a);
    make(s, &b);
    if (!tsr_shape_compares_alike(s, a.shape, b.shape)) return;
    for (uint32_t i = 1; i < s->subgroup_size; i++) {
        assert_int_equal(a.v[i] < b.v[i], a.v[0] < b.v[0]);
        assert_int_equal((int32_t)a.v[i] < (int32_t)b.v[i], (int32_t)a.v[0] < (int32_t)b.v[0]);
    }
}

static void ops_say_what_holds(void **state)
{
    (void)state;
    tsr_program p = {.workgroup_size = {64, 1, 1}};
    for (uint8_t full = 2; full <= 7; full++) {
        tsr_value_shapes s = {.program = &p, .subgroup_size = UINT32_C(1) << full, .full = full};
        for (uint32_t i = 0; i < TRIALS; i++) {
            try_ops(&s);
            try_chain(&s);
            try_compare(&s);
        }
    }
}

static void try_builtins(const tsr_value_shapes *s, const uint32_t size[3], uint32_t first)
{
    uint32_t v[4][LANES_MOST], group[3] = {roll_number(), roll_number(), roll_number()};
    for (uint32_t i = 0; i < s->subgroup_size; i++) {
        uint32_t lane = first + i, id[3] = {lane % size[0], lane / size[0] % size[1], lane / size[0] / size[1]};
        v[3][i] = lane;
        for (uint32_t k = 0; k < 3; k++)
            v[k][i] = id[k];
    }
    assert_true(has_shape(v[3], s->subgroup_size, tsr_shape_builtin(s, TSR_BV_local_invocation_index, 0)));
    for (uint32_t k = 0; k < 3; k++) {
        tsr_vshape local = tsr_shape_builtin(s, TSR_BV_local_invocation_id, k),
                   global = tsr_shape_builtin(s, TSR_BV_global_invocation_id, k);
        if (!has_shape(v[k], s->subgroup_size, local))
            fail_msg("subgroups of %u, workgroup %u x %u x %u: id %u from %u is not %s", (unsigned)s->subgroup_size,
                     (unsigned)size[0], (unsigned)size[1], (unsigned)size[2], (unsigned)k, (unsigned)first,
                     describe(local));
        for (uint32_t i = 0; i < s->subgroup_size; i++)
            v[k][i] += group[k] * size[k];
        assert_true(has_shape(v[k], s->subgroup_size, global));
    }
}

/* Lanes behind the last invocation do not count, so only workgroups of whole subgroups are tried. */
static void builtins_say_what_holds(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < TRIALS; i++) {
        uint8_t full = (uint8_t)(2 + roll(6));
        tsr_program p = {.workgroup_size = {roll(40) + 1, roll(12) + 1, roll(4) + 1}};
        for (uint32_t k = 0; k < 3 && roll(2); k++)
            p.workgroup_size[k] = UINT32_C(1) << roll(5);
        uint32_t all = p.workgroup_size[0] * p.workgroup_size[1] * p.workgroup_size[2];
        tsr_value_shapes s = {.program = &p, .subgroup_size = UINT32_C(1) << full, .full = full};
        for (uint32_t first = 0; first < all && all % s.subgroup_size == 0; first += s.subgroup_size)
            try_builtins(&s, p.workgroup_size, first);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ops_say_what_holds), cmocka_unit_test(builtins_say_what_holds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
