/* The module: constants once each, blocks, walks over instructions and calls, diagnostic states. */
#include "ir_help.h"

static tsr_builder begin(module *m, const char *name)
{
    uint32_t f = tsr_function_new(&m->ir, module_sym(m, name), (tsr_span){3, 1});
    tsr_function_set_params(&m->ir, f, NULL, 0);
    return (tsr_builder){.ir = &m->ir, .block = tsr_function_at(&m->ir, f)->body, .span = {7, 2}, .diag = 0};
}

static void test_constants(void **state)
{
    module m;
    tsr_id one, first;
    (void)state;
    module_init(&m, "", 0);
    one = tsr_build_u32(&m.ir, 1);
    assert_int_equal(tsr_build_u32(&m.ir, 1), one);
    assert_int_not_equal(tsr_build_const(&m.ir, TSR_T_i32, 1), one);
    assert_int_not_equal(tsr_build_const(&m.ir, TSR_T_f32, 0), tsr_build_const(&m.ir, TSR_T_f32, 0x80000000));
    assert_true(tsr_constant_bits(&m.ir, tsr_inst_at(&m.ir, one)) == 1);
    first = tsr_build_u32(&m.ir, 1000);
    for (uint32_t i = 0; i < 50000; i++)
        assert_int_equal(tsr_build_u32(&m.ir, 1000 + i), first + i);
    for (uint32_t i = 0; i < 50000; i++)
        assert_int_equal(tsr_build_u32(&m.ir, 1000 + i), first + i);
    assert_int_equal(tsr_block_at(&m.ir, m.ir.module_block)->count, m.ir.insts.count - 1);
    module_fini(&m);
}

static void test_instructions(void **state)
{
    module m;
    tsr_builder b;
    tsr_id ids[70], sum;
    tsr_type many;
    (void)state;
    module_init(&m, "", 0);
    b = begin(&m, "f");
    b.diag = tsr_diag_state_add(&m.ir, (tsr_diag_state){.subgroup_uniformity = TSR_SEVERITY_INFO});
    for (uint32_t i = 0; i < 70; i++)
        ids[i] = tsr_build_u32(&m.ir, i);
    many = tsr_type_array(&m.types, TSR_T_u32, (tsr_size){.value = 70});
    sum = tsr_build(&b, TSR_OP_compose, many, 0, ids, 70); /* longer than a chunk of the pool */
    for (uint32_t i = 0; i < 70; i++)
        assert_int_equal(tsr_arg(&m.ir, tsr_inst_at(&m.ir, sum), i), ids[i]);
    tsr_arg_set(&m.ir, tsr_inst_at(&m.ir, sum), 69, ids[0]);
    assert_int_equal(tsr_arg(&m.ir, tsr_inst_at(&m.ir, sum), 69), ids[0]);
    assert_int_equal(tsr_inst_at(&m.ir, sum)->span.pos, 7);
    assert_int_equal(tsr_inst_at(&m.ir, sum)->diag, 0);
    sum = tsr_build1(&b, TSR_OP_sg_add, 0, 0, ids[0]);
    assert_int_equal(tsr_inst_at(&m.ir, sum)->diag, b.diag);
    assert_false(tsr_block_is_ended(&m.ir, b.block));
    tsr_build0(&b, TSR_OP_return, 0, 0);
    assert_true(tsr_block_is_ended(&m.ir, b.block));
    assert_false(tsr_block_is_ended(&m.ir, tsr_block_new(&m.ir)));
    assert_true(tsr_ir_verify(&m.ir, &m.diags));
    module_fini(&m);
}

struct order {
    uint32_t at[64], count;
};

static void note(void *user, uint32_t what)
{
    struct order *o = user;
    o->at[o->count++] = what;
}

/* Instructions are named by the u32 that they negate (bitnot), so that the order shows. */
static tsr_id mark(tsr_builder *b, uint32_t n)
{
    return tsr_build1(b, TSR_OP_bitnot, 0, 0, tsr_build_u32(b->ir, n));
}

static void test_block_walk(void **state)
{
    module m;
    tsr_builder b, in;
    tsr_block blocks[6];
    tsr_id expected[16];
    struct order o = {.count = 0};
    unsigned n = 0;
    (void)state;
    module_init(&m, "", 0);
    b = in = begin(&m, "f");
    for (unsigned i = 0; i < 6; i++)
        blocks[i] = tsr_block_new(&m.ir);
    expected[n++] = mark(&b, 0);
    expected[n++] = tsr_build_if(&b, tsr_build_const(&m.ir, TSR_T_bool, 1), blocks[0], 0);
    in.block = blocks[0];
    expected[n++] = mark(&in, 1);
    expected[n++] = tsr_build_loop(&in, blocks[1], blocks[2]);
    in.block = blocks[1];
    expected[n++] = tsr_build0(&in, TSR_OP_break, 0, 0);
    in.block = blocks[2];
    expected[n++] = mark(&in, 2);
    expected[n++] = tsr_build_switch(
        &b, tsr_build_u32(&m.ir, 5),
        (tsr_case[]){{.is_default = true, .block = blocks[3]},
                     {.selectors = (tsr_id[]){tsr_build_u32(&m.ir, 9)}, .selector_count = 1, .block = blocks[4]}},
        2);
    in.block = blocks[4];
    expected[n++] = mark(&in, 3);
    expected[n++] = mark(&b, 4);
    tsr_block_walk(&m.ir, b.block, note, &o);
    assert_int_equal(o.count, n);
    for (unsigned i = 0; i < n; i++)
        assert_int_equal(o.at[i], expected[i]);
    assert_true(tsr_ir_verify(&m.ir, &m.diags));
    module_fini(&m);
}

static void count(void *user, uint32_t what)
{
    (void)what;
    ++*(uint32_t *)user;
}

static void test_deep_walk(void **state)
{
    module m;
    tsr_builder b;
    uint32_t reached = 0;
    tsr_block inner;
    (void)state;
    module_init(&m, "", 0);
    b = begin(&m, "f");
    inner = b.block;
    for (unsigned i = 0; i < 200000; i++) {
        tsr_builder in = {.ir = &m.ir, .block = inner};
        inner = tsr_block_new(&m.ir);
        tsr_build_loop(&in, inner, 0);
    }
    tsr_block_walk(&m.ir, b.block, count, &reached);
    assert_int_equal(reached, 200000);
    assert_false(tsr_ir_verify(&m.ir, &m.diags));
    assert_non_null(strstr(m.diags.first->text, "blocks nest deeper"));
    module_fini(&m);
}

static void test_function_walk(void **state)
{
    module m;
    tsr_builder b[5];
    struct order o = {.count = 0};
    (void)state;
    module_init(&m, "", 0);
    for (unsigned i = 0; i < 5; i++)
        b[i] = begin(&m, "f");
    /* 1 calls 3 and 2; 2 calls 3; 3 calls 4; 5 is not reached. */
    tsr_build0(&b[0], TSR_OP_call, 0, 3);
    tsr_build0(&b[0], TSR_OP_call, 0, 2);
    tsr_build0(&b[0], TSR_OP_call, 0, 3);
    tsr_build0(&b[1], TSR_OP_call, 0, 3);
    tsr_build0(&b[2], TSR_OP_call, 0, 4);
    tsr_function_walk(&m.ir, 1, note, &o);
    assert_int_equal(o.count, 4);
    assert_int_equal(o.at[0], 4);
    assert_int_equal(o.at[1], 3);
    assert_int_equal(o.at[2], 2);
    assert_int_equal(o.at[3], 1);
    tsr_build0(&b[3], TSR_OP_call, 0, 1); /* a cycle ends the walk too */
    o.count = 0;
    tsr_function_walk(&m.ir, 1, note, &o);
    assert_int_equal(o.count, 4);
    assert_int_equal(o.at[3], 1);
    module_fini(&m);
}

static void test_long_call_chain(void **state)
{
    enum { CALLS = 50000 };
    module m;
    uint32_t reached = 0;
    (void)state;
    module_init(&m, "", 0);
    for (uint32_t i = 1; i <= CALLS; i++) {
        tsr_builder b = begin(&m, "f");
        if (i > 1) tsr_build0(&b, TSR_OP_call, 0, i - 1);
    }
    tsr_function_walk(&m.ir, CALLS, count, &reached);
    assert_int_equal(reached, CALLS);
    assert_true(tsr_ir_verify(&m.ir, &m.diags));
    module_fini(&m);
}

static void test_functions(void **state)
{
    module m;
    uint32_t f;
    (void)state;
    module_init(&m, "", 0);
    f = tsr_function_new(&m.ir, module_sym(&m, "f"), (tsr_span){0, 0});
    tsr_function_set_params(&m.ir, f, (tsr_param[]){{.type = TSR_T_f32}, {.type = TSR_T_u32}}, 2);
    assert_int_equal(tsr_inst_at(&m.ir, tsr_function_at(&m.ir, f)->params[1].value)->aux, 1);
    assert_int_equal(tsr_inst_at(&m.ir, tsr_function_at(&m.ir, f)->params[1].value)->type, TSR_T_u32);
    assert_int_equal(tsr_function_find(&m.ir, module_sym(&m, "f")), f);
    assert_int_equal(tsr_function_find(&m.ir, module_sym(&m, "g")), 0);
    module_fini(&m);
}

static void test_diag_states(void **state)
{
    const tsr_diag_state off = {.subgroup_matrix_uniformity = TSR_SEVERITY_OFF,
                                .subgroup_uniformity = TSR_SEVERITY_ERROR,
                                .derivative_uniformity = TSR_SEVERITY_ERROR};
    module m;
    uint16_t s;
    (void)state;
    module_init(&m, "", 0);
    s = tsr_diag_state_add(&m.ir, off);
    assert_int_not_equal(s, 0);
    assert_int_equal(tsr_diag_state_add(&m.ir, off), s);
    assert_int_equal(tsr_diag_state_add(&m.ir, *(tsr_diag_state *)tsr_pool_at(&m.ir.diag_states, 0)), 0);
    module_fini(&m);
}

static void test_op_table(void **state)
{
    (void)state;
    for (int op = 1; op < TSR_OP_COUNT; op++) {
        assert_non_null(tsr_op_table[op].name);
        assert_int_equal(tsr_op_find((tsr_str){tsr_op_table[op].name, strlen(tsr_op_table[op].name)}), op);
    }
    assert_int_equal(tsr_op_find(TSR_STR("no_such_op")), TSR_OP_none);
    assert_int_equal(tsr_op_find(TSR_STR("none")), TSR_OP_none);
    assert_int_equal(tsr_op_table[TSR_OP_mma].flags, TSR_OPF_PURE | TSR_OPF_SG_UNI | TSR_OPF_DIAG);
    assert_int_equal(tsr_op_table[TSR_OP_compose].nargs, -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_constants), cmocka_unit_test(test_instructions),  cmocka_unit_test(test_block_walk),
        cmocka_unit_test(test_deep_walk), cmocka_unit_test(test_function_walk), cmocka_unit_test(test_long_call_chain),
        cmocka_unit_test(test_functions), cmocka_unit_test(test_diag_states),   cmocka_unit_test(test_op_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
