/* Types: each made once, laid out as WGSL says, and what is asked about them. */
#include "ir_help.h"

static tsr_type vec(module *m, tsr_type elem, unsigned n)
{
    return tsr_type_vec(&m->types, elem, n);
}

static tsr_type array(module *m, tsr_type elem, uint32_t n)
{
    return tsr_type_array(&m->types, elem, (tsr_size){.value = n});
}

static const tsr_type_info *info(module *m, tsr_type type)
{
    return tsr_type_get(&m->types, type);
}

static void expect_layout(module *m, tsr_type type, uint32_t align, uint64_t size_bytes)
{
    if (info(m, type)->align != align || info(m, type)->size_bytes != size_bytes)
        fail_msg("%s: align %u size %llu, expected %u and %llu", tsr_type_cstr(&m->types, &m->arena, type),
                 (unsigned)info(m, type)->align, (unsigned long long)info(m, type)->size_bytes, (unsigned)align,
                 (unsigned long long)size_bytes);
}

/* WGSL, "Alignment and Size", table. */
static void test_scalars_vectors(void **state)
{
    module m;
    (void)state;
    module_init(&m, "", 0);
    expect_layout(&m, TSR_T_bool, 4, 4);
    expect_layout(&m, TSR_T_i32, 4, 4);
    expect_layout(&m, TSR_T_u32, 4, 4);
    expect_layout(&m, TSR_T_f32, 4, 4);
    expect_layout(&m, TSR_T_f16, 2, 2);
    expect_layout(&m, tsr_type_atomic(&m.types, TSR_T_u32), 4, 4);
    expect_layout(&m, vec(&m, TSR_T_f32, 2), 8, 8);
    expect_layout(&m, vec(&m, TSR_T_i32, 3), 16, 12);
    expect_layout(&m, vec(&m, TSR_T_u32, 4), 16, 16);
    expect_layout(&m, vec(&m, TSR_T_f16, 2), 4, 4);
    expect_layout(&m, vec(&m, TSR_T_f16, 3), 8, 6);
    expect_layout(&m, vec(&m, TSR_T_f16, 4), 8, 8);
    expect_layout(&m, TSR_T_void, 0, 0);
    expect_layout(&m, tsr_type_ptr(&m.types, TSR_SPACE_private, TSR_T_u32, TSR_ACCESS_none), 0, 0);
    module_fini(&m);
}

static void test_matrices(void **state)
{
    /* columns, rows, align and size in f32, the same in f16 */
    static const unsigned rows[][6] = {{2, 2, 8, 16, 4, 8},   {3, 2, 8, 24, 4, 12},  {4, 2, 8, 32, 4, 16},
                                       {2, 3, 16, 32, 8, 16}, {3, 3, 16, 48, 8, 24}, {4, 3, 16, 64, 8, 32},
                                       {2, 4, 16, 32, 8, 16}, {3, 4, 16, 48, 8, 24}, {4, 4, 16, 64, 8, 32}};
    module m;
    (void)state;
    module_init(&m, "", 0);
    for (unsigned i = 0; i < TSR_COUNT_OF(rows); i++) {
        expect_layout(&m, tsr_type_mat(&m.types, TSR_T_f32, rows[i][0], rows[i][1]), rows[i][2], rows[i][3]);
        expect_layout(&m, tsr_type_mat(&m.types, TSR_T_f16, rows[i][0], rows[i][1]), rows[i][4], rows[i][5]);
        assert_int_equal(info(&m, tsr_type_mat(&m.types, TSR_T_f16, rows[i][0], rows[i][1]))->stride,
                         rows[i][5] / rows[i][0]);
    }
    module_fini(&m);
}

static void test_arrays(void **state)
{
    module m;
    tsr_type t;
    (void)state;
    module_init(&m, "", 0);
    expect_layout(&m, array(&m, TSR_T_f32, 8), 4, 32);
    expect_layout(&m, array(&m, vec(&m, TSR_T_f32, 3), 5), 16, 80);
    assert_int_equal(info(&m, array(&m, vec(&m, TSR_T_f32, 3), 5))->stride, 16);
    assert_int_equal(info(&m, array(&m, vec(&m, TSR_T_f16, 3), 5))->stride, 8);
    expect_layout(&m, array(&m, array(&m, TSR_T_f16, 3), 5), 2, 30);
    t = array(&m, vec(&m, TSR_T_f32, 3), 0);
    expect_layout(&m, t, 16, 0);
    assert_int_equal(info(&m, t)->stride, 16);
    t = tsr_type_array(&m.types, TSR_T_f16, (tsr_size){.over = 3});
    expect_layout(&m, t, 2, 0);
    assert_int_equal(info(&m, t)->stride, 2);
    expect_layout(&m, array(&m, TSR_T_u32, 0x3fffffff), 4, 0xfffffffc);
    assert_false(tsr_type_is_too_big(&m.types, array(&m, TSR_T_u32, 0x3fffffff)));
    assert_true(tsr_type_is_too_big(&m.types, array(&m, TSR_T_u32, 0x40000000)));
    t = TSR_T_u32;
    for (unsigned i = 0; i < 10; i++)
        t = array(&m, t, UINT32_MAX);
    assert_true(tsr_type_is_too_big(&m.types, t));
    module_fini(&m);
}

static void test_subgroup_matrices(void **state)
{
    const tsr_size eight = {.value = 8}, sixteen = {.value = 16}, over = {.over = 5};
    module m;
    (void)state;
    module_init(&m, "", 0);
    expect_layout(&m, tsr_type_smat(&m.types, TSR_USE_A, TSR_F16, eight, sixteen, TSR_SCOPE_SUBGROUP), 16, 256);
    expect_layout(&m, tsr_type_smat(&m.types, TSR_USE_B, TSR_S8, eight, eight, TSR_SCOPE_SUBGROUP), 16, 64);
    expect_layout(&m, tsr_type_smat(&m.types, TSR_USE_ACCUMULATOR, TSR_F64, eight, eight, TSR_SCOPE_DEVICE), 16, 512);
    expect_layout(&m, tsr_type_smat(&m.types, TSR_USE_A, TSR_F16, eight, over, TSR_SCOPE_SUBGROUP), 16, 0);
    module_fini(&m);
}

static void expect_member(module *m, tsr_type s, unsigned i, uint32_t offset, uint32_t align, uint32_t size)
{
    const tsr_member *k = &info(m, s)->members[i];
    if (k->offset != offset || k->align != align || k->size != size)
        fail_msg("member %u: offset %u align %u size %u, expected %u, %u and %u", i, (unsigned)k->offset,
                 (unsigned)k->align, (unsigned)k->size, (unsigned)offset, (unsigned)align, (unsigned)size);
}

/* WGSL, "Structure Member Layout", the two examples. */
static void test_structs(void **state)
{
    module m;
    tsr_type a, b;
    (void)state;
    module_init(&m, "", 0);
    a = tsr_type_struct(
        &m.types, module_sym(&m, "A"),
        (tsr_member[]){{.type = TSR_T_f32}, {.type = TSR_T_f32}, {.type = vec(&m, TSR_T_f32, 2)}, {.type = TSR_T_f32}},
        4);
    expect_layout(&m, a, 8, 24);
    expect_member(&m, a, 1, 4, 4, 4);
    expect_member(&m, a, 2, 8, 8, 8);
    expect_member(&m, a, 3, 16, 4, 4);
    b = tsr_type_struct(&m.types, module_sym(&m, "B"),
                        (tsr_member[]){{.type = vec(&m, TSR_T_f32, 2)},
                                       {.type = vec(&m, TSR_T_f32, 3)},
                                       {.type = TSR_T_f32},
                                       {.type = TSR_T_f32},
                                       {.type = a},
                                       {.type = vec(&m, TSR_T_f32, 3)},
                                       {.type = array(&m, a, 3)},
                                       {.type = TSR_T_i32}},
                        8);
    expect_layout(&m, b, 16, 160);
    expect_member(&m, b, 1, 16, 16, 12);
    expect_member(&m, b, 2, 28, 4, 4);
    expect_member(&m, b, 3, 32, 4, 4);
    expect_member(&m, b, 4, 40, 8, 24);
    expect_member(&m, b, 5, 64, 16, 12);
    expect_member(&m, b, 6, 80, 8, 72);
    expect_member(&m, b, 7, 152, 4, 4);
    module_fini(&m);
}

static void test_structs_with_attributes(void **state)
{
    module m;
    tsr_type a, b;
    (void)state;
    module_init(&m, "", 0);
    a = tsr_type_struct(
        &m.types, module_sym(&m, "A"),
        (tsr_member[]){
            {.type = TSR_T_f32}, {.type = TSR_T_f32}, {.type = vec(&m, TSR_T_f32, 2)}, {.type = TSR_T_f32, .size = 16}},
        4);
    expect_layout(&m, a, 8, 32);
    b = tsr_type_struct(&m.types, module_sym(&m, "B"),
                        (tsr_member[]){{.type = vec(&m, TSR_T_f32, 2)},
                                       {.type = vec(&m, TSR_T_f32, 3)},
                                       {.type = TSR_T_f32},
                                       {.type = TSR_T_f32},
                                       {.type = a, .align = 16},
                                       {.type = vec(&m, TSR_T_f32, 3)},
                                       {.type = array(&m, a, 3), .align = 16},
                                       {.type = TSR_T_i32}},
                        8);
    expect_layout(&m, b, 16, 208);
    expect_member(&m, b, 4, 48, 16, 32);
    expect_member(&m, b, 5, 80, 16, 12);
    expect_member(&m, b, 6, 96, 16, 96);
    expect_member(&m, b, 7, 192, 4, 4);
    module_fini(&m);
}

static void test_struct_of_run_time_size(void **state)
{
    module m;
    tsr_type s;
    (void)state;
    module_init(&m, "", 0);
    s = tsr_type_struct(&m.types, module_sym(&m, "S"),
                        (tsr_member[]){{.type = vec(&m, TSR_T_f32, 3)}, {.type = array(&m, TSR_T_f16, 0)}}, 2);
    expect_layout(&m, s, 16, 12);
    expect_member(&m, s, 1, 12, 2, 0);
    assert_true(tsr_type_is_host_shareable(&m.types, s));
    assert_false(tsr_type_is_constructible(&m.types, s));
    assert_false(tsr_type_has_fixed_footprint(&m.types, s));
    module_fini(&m);
}

/* Memory without a type of its own has a size when it is written; other opaque types are no memory. */
static void test_opaque(void **state)
{
    module m;
    (void)state;
    module_init(&m, "", 0);
    const tsr_type sampler = tsr_type_opaque(&m.types, module_sym(&m, "sampler"));
    const tsr_type open = tsr_type_opaque(&m.types, module_sym(&m, "buffer"));
    const tsr_type sized = tsr_type_opaque(&m.types, module_sym(&m, "buffer<256>"));
    const tsr_type by_override = tsr_type_opaque(&m.types, module_sym(&m, "buffer<override 4>"));
    assert_int_equal(info(&m, sampler)->traits, 0);
    assert_int_equal(info(&m, open)->traits, TSR_TRAIT_HOST_SHAREABLE);
    assert_int_equal(info(&m, sized)->traits, TSR_TRAIT_HOST_SHAREABLE | TSR_TRAIT_FIXED_FOOTPRINT);
    expect_layout(&m, open, 0, 0);
    expect_layout(&m, sized, 4, 256);
    expect_layout(&m, by_override, 4, 0);
    assert_non_null(tsr_type_fault(&m.types, tsr_type_ptr(&m.types, TSR_SPACE_storage, sampler, TSR_ACCESS_read)));
    assert_null(tsr_type_fault(&m.types, tsr_type_ptr(&m.types, TSR_SPACE_storage, sized, TSR_ACCESS_read)));
    assert_non_null(tsr_type_fault(&m.types, tsr_type_ptr(&m.types, TSR_SPACE_handle, sized, TSR_ACCESS_read)));
    assert_non_null(tsr_type_fault(&m.types, tsr_type_ptr(&m.types, TSR_SPACE_private, open, TSR_ACCESS_read_write)));
    module_fini(&m);
}

static void test_unique(void **state)
{
    const tsr_size n = {.value = 8};
    module m;
    tsr_member members[] = {{.type = TSR_T_f32}, {.type = TSR_T_i32}};
    tsr_sym user, ours;
    (void)state;
    module_init(&m, "", 0);
    user = module_sym(&m, "S");
    ours = module_sym(&m, "__frexp_result_f32");
    assert_int_equal(vec(&m, TSR_T_f32, 3), vec(&m, TSR_T_f32, 3));
    assert_int_not_equal(vec(&m, TSR_T_f32, 3), vec(&m, TSR_T_f32, 4));
    assert_int_not_equal(vec(&m, TSR_T_f32, 3), vec(&m, TSR_T_f16, 3));
    assert_int_equal(array(&m, TSR_T_f32, 3), array(&m, TSR_T_f32, 3));
    assert_int_not_equal(array(&m, TSR_T_f32, 3), array(&m, TSR_T_f32, 0));
    assert_int_not_equal(array(&m, TSR_T_f32, 3), tsr_type_array(&m.types, TSR_T_f32, (tsr_size){.over = 3}));
    assert_int_equal(tsr_type_ptr(&m.types, TSR_SPACE_uniform, TSR_T_f32, TSR_ACCESS_none),
                     tsr_type_ptr(&m.types, TSR_SPACE_uniform, TSR_T_f32, TSR_ACCESS_read));
    assert_int_not_equal(tsr_type_smat(&m.types, TSR_USE_A, TSR_F16, n, n, TSR_SCOPE_SUBGROUP),
                         tsr_type_smat(&m.types, TSR_USE_B, TSR_F16, n, n, TSR_SCOPE_SUBGROUP));
    assert_int_not_equal(tsr_type_smat(&m.types, TSR_USE_A, TSR_F16, n, n, TSR_SCOPE_SUBGROUP),
                         tsr_type_smat(&m.types, TSR_USE_A, TSR_F16, n, n, TSR_SCOPE_WORKGROUP));
    assert_int_not_equal(tsr_type_struct(&m.types, user, members, 2), tsr_type_struct(&m.types, user, members, 2));
    assert_int_equal(tsr_type_struct(&m.types, ours, members, 2), tsr_type_struct(&m.types, ours, members, 2));
    for (uint32_t i = 1; i < 20000; i++)
        assert_int_equal(array(&m, TSR_T_u32, i), array(&m, TSR_T_u32, i));
    module_fini(&m);
}

static void test_questions(void **state)
{
    module m;
    tsr_type atomic, s, inner;
    (void)state;
    module_init(&m, "", 0);
    atomic = tsr_type_atomic(&m.types, TSR_T_u32);
    inner = tsr_type_struct(&m.types, module_sym(&m, "I"), (tsr_member[]){{.type = atomic}}, 1);
    s = array(&m, inner, 4);
    assert_true(tsr_type_contains(&m.types, s, TSR_T_atomic));
    assert_true(tsr_type_contains(&m.types, s, TSR_T_u32));
    assert_false(tsr_type_contains(&m.types, s, TSR_T_f32));
    assert_false(tsr_type_contains(&m.types, tsr_type_ptr(&m.types, TSR_SPACE_storage, s, 0), TSR_T_atomic));
    assert_true(tsr_type_has_fixed_footprint(&m.types, s));
    assert_false(tsr_type_is_constructible(&m.types, s));
    assert_true(tsr_type_is_host_shareable(&m.types, s));
    assert_false(tsr_type_is_host_shareable(&m.types, vec(&m, TSR_T_bool, 2)));
    assert_true(tsr_type_is_constructible(&m.types, vec(&m, TSR_T_bool, 2)));
    assert_true(tsr_type_has_fixed_footprint(&m.types, tsr_type_array(&m.types, TSR_T_f32, (tsr_size){.over = 1})));
    assert_false(tsr_type_is_constructible(&m.types, tsr_type_array(&m.types, TSR_T_f32, (tsr_size){.over = 1})));
    assert_int_equal(tsr_type_width(&m.types, tsr_type_mat(&m.types, TSR_T_f32, 3, 4)), 12);
    assert_int_equal(tsr_type_width(&m.types, s), 0);
    assert_int_equal(tsr_type_scalar(&m.types, tsr_type_mat(&m.types, TSR_T_f16, 3, 4)), TSR_T_f16);
    assert_int_equal(tsr_type_scalar(&m.types, atomic), TSR_T_u32);
    assert_int_equal(tsr_type_scalar(&m.types, s), 0);
    assert_true(tsr_type_is_numeric(&m.types, vec(&m, TSR_T_i32, 2)));
    assert_false(tsr_type_is_numeric(&m.types, vec(&m, TSR_T_bool, 2)));
    assert_int_equal(tsr_type_component(TSR_T_i32), TSR_S32);
    assert_int_equal(tsr_type_component(TSR_T_bool), TSR_COMPONENT_NONE);
    assert_int_equal(tsr_component_scalar(TSR_U8), TSR_T_u32);
    assert_int_equal(tsr_component_scalar(TSR_S8), TSR_T_i32);
    module_fini(&m);
}

static void expect_text(module *m, tsr_type type, const char *text)
{
    assert_string_equal(tsr_type_cstr(&m->types, &m->arena, type), text);
}

static void test_text(void **state)
{
    const tsr_size rows = {.value = 8}, columns = {.value = 16};
    module m;
    (void)state;
    module_init(&m, "", 0);
    expect_text(&m, array(&m, vec(&m, TSR_T_f32, 4), 16), "array<vec4<f32>, 16>");
    expect_text(&m, array(&m, TSR_T_u32, 0), "array<u32>");
    expect_text(&m, tsr_type_mat(&m.types, TSR_T_f16, 2, 3), "mat2x3<f16>");
    expect_text(&m, tsr_type_ptr(&m.types, TSR_SPACE_storage, TSR_T_u32, TSR_ACCESS_read), "ptr<storage, u32, read>");
    expect_text(&m, tsr_type_ptr(&m.types, TSR_SPACE_workgroup, TSR_T_u32, 0), "ptr<workgroup, u32>");
    expect_text(&m, tsr_type_smat(&m.types, TSR_USE_A, TSR_S8, rows, columns, TSR_SCOPE_SUBGROUP),
                "subgroup_matrix_left<i8, 16, 8>");
    expect_text(&m, tsr_type_atomic(&m.types, TSR_T_i32), "atomic<i32>");
    expect_text(&m, tsr_type_opaque(&m.types, module_sym(&m, "sampler")), "sampler");
    expect_text(&m, tsr_type_struct(&m.types, module_sym(&m, "S"), (tsr_member[]){{.type = TSR_T_f32}}, 1), "S");
    expect_text(&m, vec(&m, TSR_T_aint, 2), "vec2<AbstractInt>");
    module_fini(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scalars_vectors),
        cmocka_unit_test(test_matrices),
        cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_subgroup_matrices),
        cmocka_unit_test(test_structs),
        cmocka_unit_test(test_structs_with_attributes),
        cmocka_unit_test(test_struct_of_run_time_size),
        cmocka_unit_test(test_opaque),
        cmocka_unit_test(test_unique),
        cmocka_unit_test(test_questions),
        cmocka_unit_test(test_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
