/* Ranges: how often loops run, what their counters are, and what conditions say. */
#include "ir_help.h"

#include "analysis/range.h"

/* A loop that leaves when its counter, which begins at `first` (a value), is no longer `op` `bound`, and adds `step`.
 */
static const char form[] =
    "tessera_ir 1\n"
    "fn main(%%1 lane: u32 @builtin(local_invocation_index)) @compute @workgroup_size(40u, 1u, 1u) {\n"
    "    %%2: u32 = mul %%1, 2u\n"
    "    %%3: %s = convert %%1\n"
    "    %%4 i: ptr<function, %s> = var %s\n"
    "    loop {\n"
    "        %%5: %s = load %%4\n"
    "        %%6: bool = %s %%5, %s\n"
    "        if %%6 {\n            break\n        }\n"
    "        %%7: %s = load %%4\n"
    "        continuing {\n"
    "            %%8: %s = add %%7, %s\n"
    "            store %%4, %%8\n"
    "        }\n"
    "    }\n"
    "    return\n"
    "}\n";

struct set_up {
    module m;
    tsr_program program;
    tsr_ranges *ranges;
    tsr_id loop, condition, inside; /* inside: a load of the counter in the body */
};

static void find_ids(void *user, tsr_id id)
{
    struct set_up *s = user;
    const tsr_inst *inst = tsr_inst_at(&s->m.ir, id);
    if (inst->op == TSR_OP_loop) s->loop = id;
    if (inst->op == TSR_OP_if) s->condition = tsr_arg(&s->m.ir, inst, 0);
    if (inst->op == TSR_OP_load && s->condition) s->inside = s->inside ? s->inside : id;
}

static void start(struct set_up *s, char *text, size_t size, const char *type, const char *first, const char *leaves,
                  const char *bound, const char *step)
{
    memset(s, 0, sizeof *s);
    int len = snprintf(text, size, form, type, type, first, type, leaves, bound, type, type, step);
    assert_true(len > 0 && (size_t)len < size);
    module_init(&s->m, text, (size_t)len);
    bool parsed = tsr_ir_parse(&s->m.ir, &s->m.diags);
    if (!parsed) module_show(&s->m);
    assert_true(parsed);
    s->program = (tsr_program){.ir = &s->m.ir, .entry = 1, .workgroup_size = {40, 1, 1}};
    s->ranges = tsr_ranges_new(&s->program, 32, &s->m.arena);
    tsr_block_walk(&s->m.ir, tsr_function_at(&s->m.ir, 1)->body, find_ids, s);
    assert_true(s->loop && s->condition && s->inside);
}

struct row {
    const char *type, *first, *leaves, *bound, *step;
    uint32_t trips, most_trips;
};

static void trips(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"u32", "0u", "ge", "10u", "1u", 10, 10},
        {"u32", "0u", "ge", "10u", "3u", 4, 4},
        {"u32", "0u", "gt", "10u", "5u", 3, 3},
        {"u32", "10u", "ge", "10u", "1u", 0, 0},
        {"u32", "%1", "ge", "100u", "40u", 0, 3}, /* from a lane's number on: 3 turns or 2 */
        {"u32", "%2", "ge", "79u", "1u", 0, 79},  /* 78 is the most that it begins at */
        {"i32", "%3", "ge", "64i", "8i", 0, 8},   /* a lane's number as i32 is not below 0 */
        {"i32", "-5i", "ge", "5i", "2i", 5, 5},
        {"u32", "4294967290u", "ge", "4294967294u", "2u", 2, 2},
        {"u32", "4294967290u", "ge", "4294967295u", "2u", 0, 0}, /* 4294967294 + 2 wraps: it does not end */
        {"u32", "0u", "ge", "4026531840u", "2147483648u", 0, 0}, /* likewise */
        {"i32", "2147483640i", "ge", "2147483647i", "4i", 0, 0},
        {"u32", "0u", "ge", "%2", "1u", 0, 0}, /* a bound that is no number */
        {"u32", "0u", "le", "10u", "1u", 0, 0},
        {"u32", "0u", "ge", "10u", "0u", 0, 0},
    };
    for (size_t i = 0; i < TSR_COUNT_OF(rows); i++) {
        struct set_up s;
        char text[2048];
        const struct row *r = &rows[i];
        start(&s, text, sizeof text, r->type, r->first, r->leaves, r->bound, r->step);
        if (tsr_range_trips(s.ranges, s.loop) != r->trips || tsr_range_most_trips(s.ranges, s.loop) != r->most_trips)
            fail_msg("row %zu: %u, at most %u", i, (unsigned)tsr_range_trips(s.ranges, s.loop),
                     (unsigned)tsr_range_most_trips(s.ranges, s.loop));
        module_fini(&s.m);
    }
}

/* In the body the counter is below the bound, and what it counts in; behind it, nothing is known any more. */
static void counters(void **state)
{
    (void)state;
    struct set_up s;
    char text[2048];
    start(&s, text, sizeof text, "u32", "0u", "ge", "100u", "8u");
    assert_false(tsr_range_is_below(s.ranges, s.inside, 100));
    uint32_t mark = tsr_ranges_mark(s.ranges);
    tsr_ranges_enter(s.ranges, s.loop);
    tsr_ranges_assume(s.ranges, s.condition, false);
    tsr_range range = tsr_range_of(s.ranges, s.inside);
    assert_int_equal(range.low, 0);
    assert_int_equal(range.high, 96);
    assert_int_equal(tsr_range_multiple(s.ranges, s.inside), 8);
    tsr_ranges_leave(s.ranges);
    tsr_ranges_forget(s.ranges, mark);
    assert_false(tsr_range_is_below(s.ranges, s.inside, 100));
    module_fini(&s.m);
}

/* However many conditions hold, few are kept; what is answered stays an over-estimate. */
static void many_conditions(void **state)
{
    (void)state;
    struct set_up s;
    char text[2048];
    start(&s, text, sizeof text, "u32", "0u", "ge", "100u", "8u");
    tsr_ranges_enter(s.ranges, s.loop);
    for (int i = 0; i < 100000; i++)
        tsr_ranges_assume(s.ranges, s.condition, false);
    assert_true(tsr_ranges_mark(s.ranges) < 1000);
    assert_int_equal(tsr_range_of(s.ranges, s.inside).high, 96);
    tsr_ranges_forget(s.ranges, 0);
    assert_false(tsr_range_is_below(s.ranges, s.inside, 100));
    module_fini(&s.m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(trips), cmocka_unit_test(counters),
                                       cmocka_unit_test(many_conditions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
