/* The emitters' tables: no op of compute is missing. */
#include "unit.h"

#include "emit/spirv.h"

/* Ops that no compute program has when it is emitted: other stages, and what build leaves behind. */
static bool is_outside(tsr_op op)
{
    return op == TSR_OP_none || op == TSR_OP_mention || op == TSR_OP_discard || op == TSR_OP_builtin_call;
}

static void every_op_has_a_rule(void **state)
{
    (void)state;
    for (int op = 0; op < TSR_OP_COUNT; op++) {
        bool handled = tsr_spv_handles((tsr_op)op);
        if (handled != !is_outside((tsr_op)op)) print_message("%s\n", tsr_op_table[op].name);
        assert_int_equal(handled, !is_outside((tsr_op)op));
    }
}

static void targets_are_found_by_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < tsr_target_count(); i++) {
        const tsr_target *t = tsr_target_at(i);
        assert_ptr_equal(tsr_target_find(t->name), t);
        assert_non_null(t->extension);
        assert_non_null(t->summary);
        assert_non_null(t->emit);
    }
    assert_null(tsr_target_at(tsr_target_count()));
    assert_null(tsr_target_find("spirv2"));
    assert_ptr_equal(tsr_target_find("spirv"), &tsr_target_spirv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_op_has_a_rule),
        cmocka_unit_test(targets_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
