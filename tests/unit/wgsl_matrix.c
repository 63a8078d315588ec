/* Subgroup matrices through the whole front end: the three source forms and the one IR they become, the units of
 * offsets and strides, and every refusal. */
#include "wgsl_whole.h"

#include <stdio.h>

static char program[4096];

/* A program of the chromium form around module-scope declarations and statements. */
static const char *chromium(const char *decls, const char *body)
{
    snprintf(program, sizeof program,
             "enable f16, subgroups;\nenable chromium_experimental_subgroup_matrix;\n"
             "@group(0) @binding(0) var<storage, read> rf: array<f32>;\n"
             "@group(0) @binding(1) var<storage, read_write> wf: array<f32>;\n"
             "@group(0) @binding(2) var<storage, read_write> wu: array<u32>;\n"
             "@group(0) @binding(3) var<storage, read_write> wi: array<i32, 64>;\n"
             "@group(0) @binding(4) var<storage, read_write> v4h: array<vec4<f16>>;\n"
             "@group(0) @binding(5) var<storage, read_write> v3f: array<vec3<f32>>;\n"
             "@group(0) @binding(6) var<storage, read_write> v4f: array<vec4<f32>>;\n"
             "struct S { n: u32, tail: array<f16> }\n"
             "@group(0) @binding(7) var<storage, read_write> sh: S;\n"
             "var<workgroup> wh: array<f16, 256>;\n"
             "var<workgroup> wa: array<atomic<u32>, 256>;\n"
             "%s\n@compute @workgroup_size(32)\nfn main(@builtin(subgroup_id) id: u32) {\n    %s\n}\n",
             decls, body);
    return program;
}

static const char *standard(const char *decls, const char *body)
{
    snprintf(program, sizeof program,
             "enable f16, subgroups, subgroup_matrix;\n"
             "override n: u32 = 8; override k: i32; override flag: bool = false;\n"
             "@group(0) @binding(0) var<storage, read_write> a: array<f32>;\n"
             "%s\n@compute @workgroup_size(32)\nfn main(@builtin(subgroup_id) id: u32) {\n    %s\n}\n",
             decls, body);
    return program;
}

static void good(const char *text, const char *part)
{
    front f;
    front_run(&f, text);
    const char *ir = tsr_text_get(&f.ir_text);
    if (!f.ok) fprintf(stderr, "%s\n%s\n%s\n", text, tsr_text_get(&f.messages), ir);
    assert_true(f.ok);
    if (part != NULL && strstr(ir, part) == NULL) fprintf(stderr, "wanted `%s`, got:\n%s\n", part, ir);
    if (part != NULL) assert_non_null(strstr(ir, part));
    front_free(&f);
}

static void bad(const char *text, const char *part)
{
    front f;
    front_run(&f, text);
    const char *all = tsr_text_get(&f.messages);
    if (f.ok || strstr(all, part) == NULL) fprintf(stderr, "%s\nwanted `%s`, got:\n%s\n", text, part, all);
    assert_false(f.ok);
    assert_non_null(strstr(all, part));
    front_free(&f);
}

#define LEFT   "subgroup_matrix_left<f32, 8, 16>"  /* 16 x 8 */
#define RIGHT  "subgroup_matrix_right<f32, 32, 8>" /* 8 x 32 */
#define RESULT "subgroup_matrix_result<f32, 32, 16>"

static void types_are_columns_then_rows(void **state)
{
    (void)state;
    front f;
    front_run(&f, chromium("", "var l: " LEFT "; var r: " RIGHT "; var c: " RESULT ";"));
    assert_true(f.ok);
    unsigned seen = 0;
    for (uint32_t t = 1; t < f.types.info.count; t++) {
        const tsr_type_info *m = tsr_type_get(&f.types, t);
        if (m->kind != TSR_T_smat) continue;
        unsigned rows = m->use == TSR_USE_B ? 8 : 16, columns = m->use == TSR_USE_A ? 8 : 32;
        assert_int_equal(m->size.value, rows);
        assert_int_equal(m->size2.value, columns);
        assert_int_equal(m->component, TSR_F32);
        assert_int_equal(m->scope, TSR_SCOPE_SUBGROUP);
        seen |= 1u << m->use;
    }
    assert_int_equal(seen, 7);
    front_free(&f);
}

static void types_take_every_component(void **state)
{
    (void)state;
    good(chromium("alias E = f16; alias M = subgroup_matrix_left<E, 8, 8>;", "var m: M;"), NULL);
    good(chromium("const N = 4 * 2;", "var m: array<array<subgroup_matrix_left<u8, N, N + 8>, 2>, 3>; m[id][1] = "
                                      "subgroup_matrix_left<u8, 8, 16>(7);"),
         "mfill");
    good(chromium("struct P { a: subgroup_matrix_left<i8, 8, 8>, n: u32 }", "var p: P; let a = p.a;"), NULL);
    good(chromium("var<private> p: subgroup_matrix_result<u32, 8, 8>;", "p = subgroup_matrix_result<u32, 8, 8>(3);"),
         NULL);
    good(chromium("fn g(m: subgroup_matrix_result<i32, 8, 8>) -> subgroup_matrix_result<i32, 8, 8> { return m; }",
                  "let m = g(subgroup_matrix_result<i32, 8, 8>());"),
         NULL);
    bad(chromium("", "var m: subgroup_matrix_left<bool, 8, 8>;"), "component type");
    bad(chromium("", "var m: subgroup_matrix_left<vec2<f32>, 8, 8>;"), "component type");
    bad(chromium("", "var m: subgroup_matrix_left<f32, 8>;"), "number of columns and the number of rows");
    bad(chromium("", "var m: subgroup_matrix_left;"), "number of columns");
}

static void sizes_are_positive_constants(void **state)
{
    (void)state;
    bad(chromium("", "var m: subgroup_matrix_left<f32, 0, 8>;"), "is 0; it must lie in 1 to");
    bad(chromium("", "var m: subgroup_matrix_left<f32, 8, -8>;"), "is -8");
    bad(chromium("", "var m: subgroup_matrix_left<f32, 8, 1000000>;"), "is 1000000");
    bad(chromium("", "var m: subgroup_matrix_left<f32, 8.5, 8>;"), "must be an integer");
    bad(chromium("override n: u32 = 8;", "var m: subgroup_matrix_left<f32, n, 8>;"), "const");
    bad(chromium("", "var m: subgroup_matrix_left<f32, id, 8>;"), "const");
    good(standard("", "var m: subgroup_matrix_left<f32, n, 8>; m = subgroup_matrix_left<f32, n, 8>(1.0);"), NULL);
    bad(standard("", "var m: subgroup_matrix_left<f32, id, 8>;"), "override");
    bad(standard("override p: u32 = 8;",
                 "var m: subgroup_matrix_left<f32, n, 8>; m = subgroup_matrix_left<f32, p, 8>();"),
        "subgroup_matrix_left");
    bad(standard("", "var m: subgroup_matrix_left<f32, n, 8>; m = subgroup_matrix_left<f32, 8, 8>();"),
        "subgroup_matrix_left");
}

static void the_extension_is_needed(void **state)
{
    (void)state;
    bad("fn f() { var m: subgroup_matrix_left<f32, 8, 8>; }", "enable chromium_experimental_subgroup_matrix;");
    bad("@group(0) @binding(0) var<storage> a: array<f32>;\nfn f() { subgroupMatrixStore(&a, 0, 1, false, 8); }",
        "enable chromium_experimental_subgroup_matrix;");
    bad("enable chromium_experimental_subgroup_matrix;\nfn f() { var m: subgroup_matrix_left<f16, 8, 8>; }", "f16");
}

static void loads_and_stores_with_a_bool(void **state)
{
    (void)state;
    good(chromium("", "let m = subgroupMatrixLoad<" LEFT ">(&rf, 0, false, 8);"), "mload.row_major");
    good(chromium("", "let m = subgroupMatrixLoad<" LEFT ">(&wf, id * 64, true, 16u);"), "mload.col_major");
    good(chromium("const c = true;", "let m = subgroupMatrixLoad<subgroup_matrix_left<f16, 8, 8>>(&wh, 1i, c, 8i);"),
         ", 1u, 8u");
    good(chromium("", "let m = subgroupMatrixLoad<subgroup_matrix_left<f16, 8, 8>>(&sh.tail, i32(id), false, 8);"),
         "bitcast");
    good(chromium("", "let m = subgroupMatrixLoad<subgroup_matrix_left<f16, 8, 8>>(&v4h, 3, false, 8);"), ", 3u, 8u");
    good(chromium("", "let p = &wh; let m = subgroupMatrixLoad<subgroup_matrix_left<f16, 8, 8>>(p, 3, false, 8);"),
         NULL);
    /* Components are bytes for u8 and i8, whatever the array holds. */
    good(chromium("", "let m = subgroupMatrixLoad<subgroup_matrix_left<u8, 8, 8>>(&wu, 4, false, 32);"), ", 4u, 32u");
    good(chromium("", "subgroupMatrixStore(&wi, 4, subgroup_matrix_result<i8, 8, 8>(), true, 32);"),
         "mstore.col_major");
    good(chromium("", "subgroupMatrixStore(&wi, 0, subgroup_matrix_result<i32, 8, 8>(), false, 8);"),
         "mstore.row_major");
    bad(chromium("", "let m = subgroupMatrixLoad<" LEFT ">(&wu, 0, false, 8);"), "`f32`");
    bad(chromium("", "let m = subgroupMatrixLoad<subgroup_matrix_left<u8, 8, 8>>(&wi, 0, false, 8);"), "`u32`");
    bad(chromium("", "let m = subgroupMatrixLoad<" LEFT ">(&v3f, 0, false, 8);"), "vec3");
    bad(chromium("", "let m = subgroupMatrixLoad<" LEFT ">(&rf, 0, id == 0, 8);"), "const-expression");
    bad(chromium("", "var c = true; let m = subgroupMatrixLoad<" LEFT ">(&rf, 0, c, 8);"), "const-expression");
    bad(chromium("override c = true;", "let m = subgroupMatrixLoad<" LEFT ">(&rf, 0, c, 8);"), "const-expression");
    bad(chromium("", "let m = subgroupMatrixLoad<" LEFT ">(&rf, 0, 1, 8);"), "must be a bool");
}

static void loads_and_stores_with_a_template(void **state)
{
    (void)state;
    good(chromium("", "let m = subgroupMatrixLoad<" LEFT ", row_major>(&rf, 4, 8);"), ", 4u, 8u");
    good(chromium("", "let m = subgroupMatrixLoad<" LEFT ", col_major>(&rf, id, 16);"), "mload.col_major");
    /* Elements of the array become components of the matrix. */
    good(chromium("", "let m = subgroupMatrixLoad<subgroup_matrix_left<i8, 8, 8>, row_major>(&wi, 3, 2);"),
         ", 12u, 8u");
    good(chromium("", "let m = subgroupMatrixLoad<subgroup_matrix_left<f16, 8, 8>, row_major>(&v4h, 3, 2i);"),
         ", 12u, 8u");
    good(chromium("", "let m = subgroupMatrixLoad<subgroup_matrix_left<f16, 8, 8>, row_major>(&wu, 3, 4);"),
         ", 6u, 8u");
    good(chromium("", "let m = subgroupMatrixLoad<" LEFT ", row_major>(&v3f, 1, 2);"), ", 4u, 8u");
    good(chromium("", "subgroupMatrixStore<row_major>(&v4f, 1u, subgroup_matrix_result<f32, 8, 8>(), 2);"), ", 4u, 8u");
    good(chromium("", "subgroupMatrixStore<col_major>(&wu, id, " RESULT "(), 16u);"), "mstore.col_major");
    good(chromium("", "subgroupMatrixStore<col_major>(&v4h, id, " RESULT "(), i32(id));"), "mul");
    bad(chromium("", "let m = subgroupMatrixLoad<" LEFT ", row_major>(&wh, 0, 8);"), "a whole number of components");
    bad(chromium("", "let m = subgroupMatrixLoad<" LEFT ", sideways>(&rf, 0, 8);"), "`row_major` or `col_major`");
    bad(chromium("", "let m = subgroupMatrixLoad<" LEFT ", row_major>(&rf, 0, false, 8);"), "takes 3 arguments");
    bad(chromium("", "let m = subgroupMatrixLoad<" LEFT ">(&rf, 0, 8);"), "takes 4 arguments");
    bad(chromium("", "subgroupMatrixStore<row_major>(&wf, 0, " RESULT "(), false, 8);"), "takes 4 arguments");
    bad(chromium("", "let m = subgroupMatrixLoad<" LEFT ", row_major>(&v4f, 0x40000000u, 8);"), "beyond 2^32");
}

static void an_override_may_give_the_order(void **state)
{
    (void)state;
    good(standard("", "let m = subgroupMatrixLoad<" LEFT ">(&a, 0, flag, 8);"), "mload.col_major");
    good(standard("", "let m = subgroupMatrixLoad<" LEFT ">(&a, 0, flag, 8);"), "mload.row_major");
    good(standard("", "subgroupMatrixStore(&a, 0, " RESULT "(), !flag, 8);"), "mstore.col_major");
    bad(standard("", "subgroupMatrixStore(&a, 0, " RESULT "(), id == 0, 8);"), "override-expression");
}

static void memory_must_be_shared_arrays(void **state)
{
    (void)state;
    const char *load = "let m = subgroupMatrixLoad<subgroup_matrix_left<f16, 8, 8>>(%s, 0, false, 8);";
    static const struct {
        const char *pointer, *message;
    } cases[] = {{"wh", "take its address with `&`"},  {"&wh[0]", "pointer to an array"},
                 {"&local", "not on function memory"}, {"&mine", "not on private memory"},
                 {"&uni", "not on uniform memory"},    {"&wa", "atomic"},
                 {"1", "pointer to an array"},         {"&sh", "pointer to an array"}};
    for (size_t i = 0; i < TSR_COUNT_OF(cases); i++) {
        char body[256];
        snprintf(body, sizeof body, "var local: array<f16, 64>; ");
        snprintf(body + strlen(body), sizeof body - strlen(body), load, cases[i].pointer);
        bad(chromium("var<private> mine: array<f16, 64>;\n"
                     "@group(0) @binding(9) var<uniform> uni: array<vec4<u32>, 64>;",
                     body),
            cases[i].message);
    }
    bad(chromium("", "subgroupMatrixStore(&rf, 0, " RESULT "(), false, 32);"), "writes this memory");
    bad(chromium("", "subgroupMatrixStore(&wf, 0.5, " RESULT "(), false, 32);"), "must be an i32 or u32");
    bad(chromium("", "subgroupMatrixStore(&wf, -1, " RESULT "(), false, 32);"), "cannot be negative");
    bad(chromium("", "subgroupMatrixStore(&wf, 0, " RESULT "(), false, 1.0);"), "must be an i32 or u32");
    bad(chromium("", "subgroupMatrixStore(&wf, 0, id, false, 32);"), "stores a subgroup matrix");
    bad(chromium("", "let m = subgroupMatrixLoad<f32>(&wf, 0, false, 32);"), "loads subgroup matrices");
    bad(chromium("", "let m = subgroupMatrixLoad(&wf, 0, false, 32);"), "takes the matrix type");
}

static void products(void **state)
{
    (void)state;
    const char *decls = "alias L = " LEFT "; alias R = " RIGHT "; alias C = " RESULT ";";
    good(chromium(decls, "let c: C = subgroupMatrixMultiply<f32>(L(), R());"), "mma");
    good(chromium(decls, "let c: C = subgroupMatrixMultiply<C>(L(), R());"), "mma");
    good(chromium(decls, "let c: C = subgroupMatrixMultiply(L(), R());"), "mma");
    good(chromium(decls, "let c = subgroupMatrixMultiply<f16>(L(), R());"), "f16");
    good(chromium(decls, "let c = subgroupMatrixMultiply<i8>(L(), R());"), "mma");
    good(chromium(decls, "var c: C; c = subgroupMatrixMultiplyAccumulate(L(1), R(2), c);"), "mma");
    good(chromium(decls, "var c: C; c = subgroupMatrixMultiplyAccumulate<C>(L(1), R(2), c);"), "mma");
    good(standard("alias L = subgroup_matrix_left<u8, n, 8>; alias R = subgroup_matrix_right<u8, 16, n>;",
                  "var c: subgroup_matrix_result<i32, 16, 8>; c = subgroupMatrixMultiplyAccumulate(L(), R(), c);"),
         "mma");
    bad(chromium(decls, "let c = subgroupMatrixMultiply<f32>(L(), subgroup_matrix_right<f32, 8, 16>());"),
        "left is 16x8 (M x K), right is 16x8 (K x N): K differs");
    bad(chromium(decls, "let c = subgroupMatrixMultiply<f32>(R(), L());"), "must be a `subgroup_matrix_left`");
    bad(chromium(decls, "let c = subgroupMatrixMultiply<f32>(L(), subgroup_matrix_right<f16, 32, 8>());"),
        "components must be of one type");
    bad(chromium(decls, "let c = subgroupMatrixMultiply<subgroup_matrix_result<f32, 8, 8>>(L(), R());"),
        "M and N differ");
    bad(chromium(decls, "let c = subgroupMatrixMultiply<L>(L(), R());"), "makes a subgroup_matrix_result");
    bad(chromium(decls, "let c = subgroupMatrixMultiply<f32, f32>(L(), R());"), "one template argument");
    bad(chromium(decls, "let c = subgroupMatrixMultiply<f32>(L());"), "takes 2 arguments");
    bad(chromium(decls, "let c = subgroupMatrixMultiplyAccumulate(L(), R(), L());"),
        "must be a `subgroup_matrix_result`");
    bad(chromium(decls, "let c = subgroupMatrixMultiplyAccumulate(L(), R(), subgroup_matrix_result<f32, 8, 16>());"),
        "N differs");
    bad(chromium(decls, "let c = subgroupMatrixMultiplyAccumulate<f16>(L(), R(), C());"), "names another type");
    bad(chromium(decls, "let c = subgroupMatrixMultiply<f32>(L(), 1.0);"), "must be a `subgroup_matrix_right`");
    bad(standard("", "let c = subgroupMatrixMultiply<f32>(subgroup_matrix_left<f32, n, 8>(), "
                     "subgroup_matrix_right<f32, 8, 8>());"),
        "left is 8xn (M x K), right is 8x8 (K x N): K differs");
}

static void scalar_operations(void **state)
{
    (void)state;
    good(chromium("", "let m = subgroupMatrixScalarAdd(" RESULT "(), 1);"), "madd");
    good(chromium("", "let m = subgroupMatrixScalarSubtract(subgroup_matrix_left<i8, 8, 8>(), 300);"), "msub");
    good(chromium("", "let m = subgroupMatrixScalarMultiply(subgroup_matrix_right<u8, 8, 8>(), id);"), "mscale");
    good(chromium("", "let m = subgroupMatrixScalarMultiply(subgroup_matrix_right<f16, 8, 8>(), 2.5);"), "2.5h");
    good(chromium("", "let m = subgroup_matrix_left<i8, 8, 8>(-5);"), "mfill -5i");
    bad(chromium("", "let m = subgroupMatrixScalarAdd(" RESULT "(), id);"), "u32");
    bad(chromium("", "let m = subgroupMatrixScalarAdd(subgroup_matrix_left<i8, 8, 8>(), 1u);"), "i32");
    bad(chromium("", "let m = subgroupMatrixScalarAdd(1.0, 1.0);"), "must be a subgroup matrix");
    bad(chromium("", "let m = subgroupMatrixScalarAdd<f32>(" RESULT "(), 1.0);"), "no template arguments");
    bad(chromium("", "let m = subgroup_matrix_left<f32, 8, 8>(1, 2);"), "one scalar");
    bad(chromium("", "let m = subgroup_matrix_left<f32, 8, 8>(id);"), "u32");
}

static void results_must_be_used(void **state)
{
    (void)state;
    bad(chromium("", "subgroupMatrixLoad<" LEFT ">(&rf, 0, false, 8);"), "subgroupMatrixLoad");
    bad(chromium("", "subgroupMatrixMultiply<f32>(" LEFT "(), " RIGHT "());"), "subgroupMatrixMultiply");
    bad(chromium("", "subgroupMatrixScalarAdd(" RESULT "(), 1);"), "subgroupMatrixScalarAdd");
    good(chromium("", "_ = subgroupMatrixLoad<" LEFT ">(&rf, 0, false, 8);"), "mload");
}

static void matrices_stay_in_the_shader(void **state)
{
    (void)state;
    bad(chromium("var<workgroup> m: subgroup_matrix_left<f32, 8, 8>;", ""), "workgroup");
    bad(chromium("@group(0) @binding(9) var<storage> m: array<subgroup_matrix_left<f32, 8, 8>>;", ""), "storage");
    bad(chromium("struct P { m: subgroup_matrix_left<f32, 8, 8> }\n@group(0) @binding(9) var<uniform> p: P;", ""),
        "uniform");
    bad("enable chromium_experimental_subgroup_matrix;\n"
        "@fragment fn f(@location(0) m: subgroup_matrix_left<f32, 8, 8>) { }",
        "subgroup_matrix");
    bad("enable chromium_experimental_subgroup_matrix;\n"
        "@fragment fn f() { _ = subgroupMatrixScalarAdd(subgroup_matrix_left<f32, 8, 8>(), 1); }",
        "compute");
    bad("enable chromium_experimental_subgroup_matrix;\nconst m = subgroup_matrix_left<f32, 8, 8>();", "in a function");
    bad("enable chromium_experimental_subgroup_matrix;\noverride m = subgroup_matrix_left<f32, 8, 8>(1);",
        "in a function");
}

static void matrices_have_no_parts_and_no_operators(void **state)
{
    (void)state;
    bad(chromium("", "var m: " LEFT "; let x = m[0];"), "subgroup_matrix_left");
    bad(chromium("", "var m: " LEFT "; let x = m.x;"), "subgroup_matrix_left");
    bad(chromium("", "var m: " LEFT "; let x = m + m;"), "subgroup_matrix_left");
    bad(chromium("", "var m: " LEFT "; let x = m * 2;"), "subgroup_matrix_left");
    bad(chromium("", "var m: " LEFT "; let x = m == m;"), "subgroup_matrix_left");
    bad(chromium("", "var m: " LEFT "; let x = -m;"), "subgroup_matrix_left");
    bad(chromium("", "var m: " LEFT "; m += m;"), "subgroup_matrix_left");
}

static void small_integers_live_in_matrices_only(void **state)
{
    (void)state;
    bad(chromium("", "var x: u8;"), "u8");
    bad(chromium("", "let x = i8(1);"), "i8");
    bad(chromium("var<private> x: array<i8, 4>;", ""), "i8");
    bad(chromium("", "let x = vec4<u8>();"), "u8");
    good(chromium("", "let u8 = 1; let i8 = u8;"), NULL);
    good(chromium("alias u8 = f32;", "let m = subgroup_matrix_left<u8, 8, 8>(1.5);"), "mfill 1.5f");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_are_columns_then_rows),
        cmocka_unit_test(types_take_every_component),
        cmocka_unit_test(sizes_are_positive_constants),
        cmocka_unit_test(the_extension_is_needed),
        cmocka_unit_test(loads_and_stores_with_a_bool),
        cmocka_unit_test(loads_and_stores_with_a_template),
        cmocka_unit_test(an_override_may_give_the_order),
        cmocka_unit_test(memory_must_be_shared_arrays),
        cmocka_unit_test(products),
        cmocka_unit_test(scalar_operations),
        cmocka_unit_test(results_must_be_used),
        cmocka_unit_test(matrices_stay_in_the_shader),
        cmocka_unit_test(matrices_have_no_parts_and_no_operators),
        cmocka_unit_test(small_integers_live_in_matrices_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
