/* The verifier refuses each broken rule, and names it. Most cases are text; what text cannot say is built by hand. */
#include "ir_help.h"

struct bad {
    const char *text; /* after the first line */
    const char *message;
};

#define FN(body) "fn f(%1 x: f32, %2 u: u32, %3 b: bool, %4 v: vec3<f32>, %5 i: i32) {\n" body "\n}"
#define MAIN(body)                                                                                                     \
    "struct $S { a: f32, n: atomic<u32>, r: array<u32> }\n"                                                            \
    "global %1 s: ptr<storage, $S, read_write> @group(0) @binding(0)\n"                                                \
    "global %2 ro: ptr<storage, array<f32>, read> @group(0) @binding(1)\n"                                             \
    "global %3 w: ptr<workgroup, array<f16, 64>>\n"                                                                    \
    "fn f() {\n" body "\n}"
#define MATRIX(body)                                                                                                   \
    "global %1 rw: ptr<storage, array<f16>, read_write> @group(0) @binding(0)\n"                                       \
    "global %2 ro: ptr<storage, array<f32>, read> @group(0) @binding(1)\n"                                             \
    "fn f(%3 a: subgroup_matrix_left<f16, 8, 16>, %4 b: subgroup_matrix_right<f16, 4, 8>,\n"                           \
    "    %5 c: subgroup_matrix_result<f32, 4, 16>) {\n" body "\n}"

static const struct bad bads[] = {
    /* Operands and results. */
    {FN("%6: bool = add %3, %3"), "add(bool, bool) -> bool: the first operand must be a number"},
    {FN("%6: f32 = add %1, %2"), "the second operand must be of the type of the first"},
    {FN("%6: u32 = add %1, %1"), "the result must be of the type of the first operand"},
    {FN("%6: u32 = neg %2"), "i32, f32, f16 or a vector"},
    {FN("%6: u32 = not %2"), "bool or a vector"},
    {FN("%6: f32 = bitnot %1"), "i32, u32 or a vector"},
    {FN("%6: f32 = and %1, %1"), "i32, u32, bool or a vector"},
    {FN("%6: bool = xor %3, %3"), "i32, u32 or a vector"},
    {FN("%6: i32 = shl %5, %5"), "u32 with the width of the first operand"},
    {FN("%6: bool = land %3, %2"), "the second operand must be bool"},
    {FN("%6: f32 = eq %1, %1"), "the result must be bool with the width of the operands"},
    {FN("%6: bool = lt %3, %3"), "a number or a vector"},
    {FN("%6: vec3<f32> = select %4, %4, %3"), "bool with the width of the first operand"},
    {FN("%6: f32 = any %3"), "the result must be bool"},
    {FN("%6: vec2<u32> = convert %4"), "as wide as the operand"},
    {FN("%6: vec2<u32> = bitcast %4"), "of the operand's size"},
    {FN("%6: bool = bitcast %2"), "the result must be a number"},
    {FN("%6: f32 = dot %1, %1"), "a vector of numbers"},
    {FN("%6: vec3<f32> = dot %4, %4"), "the scalar of the first operand"},
    {FN("%6: u32 = floor %2"), "f32, f16 or a vector"},
    {FN("%6: f32 = ldexp %1, %2"), "i32 with the width of the first operand"},
    {FN("%6: f16 = zero\n%7: f16 = quantize_f16 %6"), "f32 or a vector of it"},
    {FN("%6: f32 = frexp %1"), "a struct of fract and exp"},
    {FN("%6: f32 = modf %1"), "a struct of two members"},
    {FN("%6: f32 = normalize %1"), "a vector of f32 or f16"},
    {FN("%6: vec2<f32> = zero\n%7: vec2<f32> = cross %6, %6"), "vec3<f32> or vec3<f16>"},
    {FN("%6: u32 = pack4x8snorm %4"), "vec4<f32>"},
    {FN("%6: vec4<f32> = unpack4xi8 %2"), "the result must be vec4<i32>"},
    {FN("%6: u32 = dot4_i8 %2, %2"), "the result must be i32"},
    {FN("%6: f32 = sg_broadcast %1, %2"), "must be a constant"},
    {FN("%6: f32 = sg_shuffle_down %1, %5"), "the second operand must be u32"},
    {FN("%6: f32 = sg_and %1"), "i32, u32 or a vector"},
    {FN("%6: u32 = barrier_workgroup"), "this op has no result"},
    {FN("%6: f32 = add[1] %1, %1"), "has no number of its own"},
    /* Linear algebra. */
    {FN("%6: mat2x2<f32> = zero\n%7: vec2<f32> = mat_mul %6, %4"), "must be as many as the rows"},
    {FN("%6: mat3x2<f32> = zero\n%7: vec3<f32> = mat_mul %6, %4"), "of the product's size"},
    {FN("%6: f32 = mat_mul %1, %1"), "two matrices, or a matrix and a vector"},
    {FN("%6: mat3x2<f32> = zero\n%7: mat3x2<f32> = transpose %6"), "the operand's transposed"},
    {FN("%6: mat3x2<f32> = zero\n%7: f32 = determinant %6"), "square"},
    {FN("%6: mat3x2<f32> = zero\n%7: mat3x2<f32> = mat_scale %6, %2"), "the scalar of the first operand"},
    /* Composites. */
    {FN("%6: vec3<f32> = compose %1, %1"), "has 3 parts, there are 2 operands"},
    {FN("%6: vec2<f32> = compose %1, %2"), "operand 2 is not of the type of its part"},
    {FN("%6: f32 = compose %1"), "a vector, matrix, array of fixed size or struct"},
    {FN("%6: vec2<f32> = splat %2"), "must be the vector's scalar"},
    {FN("%6: f32 = extract[3] %4"), "part 3 does not exist, there are 3"},
    {FN("%6: u32 = extract[0] %4"), "of the part's type"},
    {FN("%6: f32 = extract[0] %1"), "must be a vector, matrix, array of fixed size or struct"},
    {FN("%6: f32 = element %4, %1"), "i32 or u32"},
    {FN("%6: vec3<f32> = insert[0] %4, %2"), "of the part's type"},
    {FN("%6: vec2<f32> = swizzle.xw %4"), "a component that the vector does not have"},
    {FN("%6: vec2<f32> = swizzle[4096] %4"), "names more components than the result has"},
    {FN("%6: vec2<u32> = swizzle.xy %4"), "a vector of the same scalar"},
    /* Scope. */
    {FN("if %3 {\n%6: f32 = neg %1\n}\n%7: f32 = neg %6"), "operand 1 is not a value that is visible here"},
    {FN("if %3 {\n%6: f32 = neg %1\n} else {\n%7: f32 = neg %6\n}"), "operand 1 is not a value"},
    {"fn g(%1: f32) {\n}\n"
     "fn f() {\n%2: f32 = neg %1\n}",
     "operand 1 is not a value"},
    {FN("loop {\nif %3 {\ncontinue\n}\n%6: bool = not %3\ncontinuing {\nbreak_if %6\n}\n}"),
     "operand 1 is not a value"},
    {FN("loop {\nbreak\ncontinuing {\n%6: bool = not %3\nbreak_if %6\n}\n}\n%7: bool = not %6"), "operand 1 is not"},
    {"fn f() {\n%1: u32 = zero\n%2 p: ptr<function, subgroup_matrix_left<f16, %1, 8>> = var\n}",
     "a number or a module-scope value"},
    {"override %1: f32\nglobal %2: ptr<workgroup, array<f32, %1>>", "a type's size must be i32 or u32"},
    /* Blocks. */
    {FN("break"), "break stands in a loop or a switch"},
    {FN("continue"), "continue stands in the body of a loop"},
    {FN("switch %2 {\ncase default {\ncontinue\n}\n}"), "continue stands in the body of a loop"},
    {FN("break_if %3"), "break_if ends a continuing block"},
    {FN("loop {\nbreak_if %3\n}"), "break_if ends a continuing block"},
    {FN("loop {\ncontinuing {\nif %3 {\nbreak_if %3\n}\n}\n}"), "break_if ends a continuing block"},
    {FN("loop {\ncontinuing {\nbreak\n}\n}"), "left by break_if"},
    {FN("loop {\ncontinuing {\ncontinue\n}\n}"), "continue stands in the body"},
    {FN("loop {\ncontinuing {\nif %3 {\nreturn\n}\n}\n}"), "a continuing block cannot return"},
    {FN("return\n%6: f32 = neg %1"), "the instruction before it ends the block"},
    {FN("if %2 {\n}"), "the first operand must be bool"},
    {FN("switch %1 {\ncase default {\n}\n}"), "i32 or u32"},
    {FN("switch %2 {\ncase 1u {\n}\n}"), "exactly one default"},
    {FN("switch %2 {\ncase default {\n}\ncase default {\n}\n}"), "exactly one default"},
    {FN("switch %2 {\ncase 1u {\n}\ncase 1u, default {\n}\n}"), "the same selector"},
    {FN("switch %2 {\ncase 1i, default {\n}\n}"), "a constant of the operand's type"},
    {FN("switch %2 {\ncase %2, default {\n}\n}"), "a constant of the operand's type"},
    {"fn f() -> f32 {\n}", "control can come to the end"},
    {"fn f(%1: bool) -> f32 {\nif %1 {\nreturn 1.0f\n}\n}", "control can come to the end"},
    {"fn f(%1: u32) -> f32 {\nswitch %1 {\ncase 1u {\nbreak\n}\ncase default {\nreturn 1.0f\n}\n}\n}",
     "control can come to the end"},
    {"fn f(%1: bool) -> f32 {\nloop {\ncontinuing {\nbreak_if %1\n}\n}\n}", "control can come to the end"},
    {"fn f() -> f32 {\nreturn\n}", "result type must be returned"},
    {"fn f() -> f32 {\nreturn 1u\n}", "result type must be returned"},
    {FN("return %1"), "the function returns nothing"},
    /* Module scope. */
    {"%1: u32 = sg_add 1u", "cannot stand at module scope"},
    {"override %1 x: u32 = 1i", "the default must be of the override's type"},
    {"override %1: u32 @id(3)\noverride %2: f32 @id(3)", "two overrides have the id 3"},
    {"override %1: vec2<u32>", "a bool or a number"},
    /* Memory. */
    {"global %1: u32", "must be a pointer"},
    {"global %1: ptr<function, u32>", "not in function memory"},
    {"global %1: ptr<uniform, bool> @group(0) @binding(0)", "host-shareable"},
    {"global %1: ptr<uniform, array<u32>> @group(0) @binding(0)", "constructible"},
    {"global %1: ptr<storage, bool> @group(0) @binding(0)", "host-shareable"},
    {"global %1: ptr<storage, u32, write> @group(0) @binding(0)", "read or read_write"},
    {"global %1: ptr<storage, array<u32, 4u>> @group(0) @binding(0)", "only arrays in workgroup memory"},
    {"global %1: ptr<storage, u32>", "have a group and a binding"},
    {"global %1: ptr<private, u32> @group(0) @binding(0)", "have a group and a binding"},
    {"global %1: ptr<private, atomic<u32>>", "private memory holds constructible types"},
    {"global %1: ptr<private, u32> = 1i", "of the variable's type"},
    {"global %1: ptr<workgroup, u32> = 1u", "only private variables of the module have initial values"},
    {"global %1: ptr<workgroup, array<u32>>", "types of fixed size"},
    {"global %1: ptr<workgroup, subgroup_matrix_left<f16, 8, 8>>", "function and private memory only"},
    {"global %1: ptr<handle, u32> @group(0) @binding(0)", "handles are opaque"},
    {FN("%6: ptr<private, u32> = var"), "a pointer to function memory"},
    {FN("%6: ptr<function, u32> = var %5"), "of the variable's type"},
    {FN("%6: ptr<function, atomic<u32>> = var"), "function memory holds constructible types"},
    {FN("%6: f32 = load %1"), "must be a pointer"},
    {MAIN("%4: $S = load %1"), "only constructible types can be loaded"},
    {MAIN("%4: ptr<storage, f32, read> = index %2, 0u\nstore %4, 1.0f"), "this memory cannot be written"},
    {MAIN("%4: ptr<storage, f32, read_write> = index %2, 0u"), "the operand's space and access"},
    {MAIN("%4: ptr<storage, u32, read> = index %2, 0u"), "a pointer to the element"},
    {MAIN("%4: ptr<storage, f32, read_write> = index %1, 0u"), "must point to an array"},
    {MAIN("%4: ptr<storage, f32, read_write> = field[3] %1"), "member 3 does not exist, there are 3"},
    {MAIN("%4: ptr<storage, u32, read_write> = field[0] %1"), "a pointer to the member"},
    {MAIN("%4: ptr<storage, f32, read> = field[0] %2"), "must point to a struct"},
    {MAIN("%4: ptr<storage, f32, read_write> = field[0] %1\nstore %4, 1u"), "of the type pointed to"},
    {MAIN("%4: u32 = array_length %3"), "run-time sized array in storage memory"},
    {MAIN("%4: f32 = atomic_load %1"), "must point to an atomic"},
    {MAIN("%4: ptr<storage, atomic<u32>, read_write> = field[1] %1\n%5: i32 = atomic_add %4, 1i"),
     "of the atomic's type"},
    {MAIN("%4: ptr<storage, atomic<u32>, read_write> = field[1] %1\n%5: u32 = atomic_cas %4, 1u, 1u"),
     "a struct of the old value and a bool"},
    {MAIN("%4: ptr<storage, atomic<u32>, read_write> = field[1] %1\n%5: u32 = load_uniform %4"),
     "reads workgroup memory"},
    {MAIN("%4: array<f32, 64> = load_uniform %3"), "of the type pointed to"},
    /* Subgroup matrices. */
    {MATRIX("%6: subgroup_matrix_left<f16, 8, 16> = mload.row_major %1, 0i, 8u"), "the second operand must be u32"},
    {MATRIX("%6: f32 = mload.row_major %1, 0u, 8u"), "the result must be a subgroup matrix"},
    {MATRIX("%6: subgroup_matrix_left<f64, 8, 16> = mload.row_major %1, 0u, 8u"), "a whole number of components"},
    {MATRIX("%6: subgroup_matrix_left<f16, 8, 16> = mload[2] %1, 0u, 8u"), "row-major (0) or column-major (1)"},
    {MATRIX("mstore.row_major %2, 0u, 8u, %5"), "this memory cannot be written"},
    {MATRIX("mstore.row_major %1, 0u, 8u, 1.0f"), "the fourth operand must be a subgroup matrix"},
    {"global %1: ptr<private, array<f32, 64>>\nfn f() {\n%2: subgroup_matrix_left<f32, 8, 8> = mload.row_major %1, 0u, "
     "8u\n}",
     "workgroup and storage memory"},
    {"global %1: ptr<workgroup, f32>\nfn f() {\n%2: subgroup_matrix_left<f32, 8, 8> = mload.row_major %1, 0u, 8u\n}",
     "an array of numbers"},
    {MATRIX("%6: subgroup_matrix_result<f32, 4, 16> = mma %4, %4, %5"), "the first operand must be a matrix of use A"},
    {MATRIX("%6: subgroup_matrix_result<f32, 4, 16> = mma %3, %3, %5"), "the second operand must be a matrix of use B"},
    {MATRIX("%6: subgroup_matrix_left<f32, 4, 16> = mma %3, %4, %5"), "the result must be a matrix of use accumulator"},
    {MATRIX("%6: subgroup_matrix_result<f32, 8, 16> = mma %3, %4, %5"),
     "the first operand's rows and the second's columns"},
    {MATRIX("%6: subgroup_matrix_right<f16, 4, 9> = zero\n%7: subgroup_matrix_result<f32, 4, 16> = mma %3, %6, %5"),
     "columns must be the second's rows"},
    {MATRIX("%6: subgroup_matrix_result<f32, 4, 16, workgroup> = zero\n"
            "%7: subgroup_matrix_result<f32, 4, 16, workgroup> = mma %3, %4, %6"),
     "of one scope"},
    {MATRIX("%6: subgroup_matrix_result<f32, 4, 16> = mma.saturating %3, %4, %5"), "only integer sums saturate"},
    {MATRIX("%6: subgroup_matrix_result<f32, 4, 16> = mma[2] %3, %4, %5"), "the only flag of mma"},
    {MATRIX("%6: subgroup_matrix_left<f16, 8, 16> = madd %3, 1.0f"), "the scalar that goes with the components"},
    {MATRIX("%6: subgroup_matrix_left<i8, 8, 16> = mfill 1u"), "the scalar that goes with the components"},
    /* Calls. */
    {"fn g(%1: u32) {\n}\nfn f() {\ncall g()\n}", "has 1 parameters, there are 0 operands"},
    {"fn g(%1: u32) {\n}\nfn f() {\ncall g(1i)\n}", "operand 1 is not of the type of its parameter"},
    {"fn g() -> u32 {\nreturn 1u\n}\nfn f() {\n%1: f32 = call g()\n}", "of the function's result type"},
    {"fn g() @compute @workgroup_size(1u) {\n}\nfn f() {\ncall g()\n}", "an entry point cannot be called"},
    {"fn f() {\ncall f()\n}", "function `f` calls itself"},
    {"fn a() {\ncall b()\n}\nfn b() {\ncall c()\n}\nfn c() {\ncall b()\n}", "function `b` calls itself"},
    {"fn f(%1: array<u32>) {\n}", "a parameter cannot be of type array<u32>"},
    {"fn f() -> ptr<private, u32> {\nunreachable\n}", "cannot return the type ptr<private, u32>"},
    /* Entry points. */
    {"fn f() @compute {\n}", "has a workgroup size"},
    {"fn f() @workgroup_size(1u) {\n}", "only compute entry points have a workgroup size"},
    {"fn f() @fragment @subgroup_size(32u) {\n}", "only compute entry points have a workgroup size"},
    {"fn f() @compute @workgroup_size(0u) {\n}", "at least 1"},
    {"fn f() @compute @workgroup_size(-1i) {\n}", "at least 1"},
    {"fn f() @compute @workgroup_size(1.0f) {\n}", "are i32 or u32"},
    {"fn g(%1: u32) {\n}\nfn f() @compute @workgroup_size(%1) {\n}", "module-scope values"},
    {"fn f() -> u32 @compute @workgroup_size(1u) {\nreturn 1u\n}", "returns nothing"},
    {"fn f(%1: u32) @compute @workgroup_size(1u) {\n}", "either a built-in value or a location"},
    {"fn f(%1: u32 @location(0)) @compute @workgroup_size(1u) {\n}", "only vertex and fragment"},
    {"fn f(%1: u32 @builtin(vertex_index)) @compute @workgroup_size(1u) {\n}", "does not have this built-in value"},
    {"fn f(%1: u32 @builtin(global_invocation_id)) @compute @workgroup_size(1u) {\n}", "has the wrong type"},
    {"fn f(%1: u32 @builtin(subgroup_id), %2: u32 @builtin(subgroup_id)) @compute @workgroup_size(1u) {\n}",
     "appears twice"},
    {"fn f(%1: u32 @builtin(subgroup_id)) {\n}", "only entry points have built-in values"},
    {"fn f() @compute @workgroup_size(1u) {\n}\nfn f#2() @compute @workgroup_size(1u) {\n}", "the same name"},
};

static char *with_header(const char *text)
{
    static const char header[] = "tessera_ir 1\n";
    char *all = malloc(sizeof header + strlen(text));
    assert_non_null(all);
    strcpy(all, header);
    strcat(all, text);
    return all;
}

/* The message is among what is reported: one fault may have several. */
static bool is_reported(const module *m, const char *message)
{
    for (const tsr_diag *d = m->diags.first; d != NULL; d = d->next)
        if (strstr(d->text, message) != NULL) return true;
    return false;
}

static void test_refused(void **state)
{
    unsigned wrong = 0;
    (void)state;
    for (unsigned i = 0; i < TSR_COUNT_OF(bads); i++) {
        char *text = with_header(bads[i].text);
        module m;
        module_init(&m, text, strlen(text));
        if (!tsr_ir_parse(&m.ir, &m.diags) || tsr_ir_verify(&m.ir, &m.diags) || !is_reported(&m, bads[i].message)) {
            print_message("-- expected: %s\n%s\n", bads[i].message, text);
            module_show(&m);
            wrong++;
        }
        module_fini(&m);
        free(text);
    }
    assert_int_equal(wrong, 0);
}

/* ---- What text cannot say. */

static tsr_builder begin(module *m)
{
    uint32_t f;
    module_init(m, "", 0);
    f = tsr_function_new(&m->ir, module_sym(m, "f"), (tsr_span){0, 0});
    tsr_function_set_params(&m->ir, f, NULL, 0);
    return (tsr_builder){.ir = &m->ir, .block = tsr_function_at(&m->ir, f)->body};
}

static void expect_report(module *m, const char *message)
{
    assert_false(tsr_ir_verify(&m->ir, &m->diags));
    if (!is_reported(m, message)) {
        module_show(m);
        fail_msg("expected: %s", message);
    }
    module_fini(m);
}

static void test_places_of_instructions(void **state)
{
    module m;
    tsr_builder b = begin(&m);
    tsr_id id = tsr_build1(&b, TSR_OP_neg, 0, 0, tsr_build_const(&m.ir, TSR_T_f32, 0));
    (void)state;
    tsr_block_append(&m.ir, b.block, id);
    expect_report(&m, "the instruction stands in two places");

    b = begin(&m);
    tsr_block_append(&m.ir, b.block, 1000);
    expect_report(&m, "an instruction that does not exist");

    b = begin(&m);
    tsr_build0(&b, TSR_OP_param, TSR_T_f32, 0);
    expect_report(&m, "this op cannot stand in a function");
}

static void test_places_of_blocks(void **state)
{
    module m;
    tsr_builder b = begin(&m);
    tsr_block block;
    (void)state;
    tsr_build_if(&b, tsr_build_const(&m.ir, TSR_T_bool, 1), 0, 0);
    expect_report(&m, "the op has no first block");

    b = begin(&m);
    block = tsr_block_new(&m.ir);
    tsr_build_loop(&b, block, block);
    expect_report(&m, "a block is missing or used twice");

    b = begin(&m);
    tsr_build_loop(&b, b.block, 0); /* holds itself */
    expect_report(&m, "a block is missing or used twice");

    b = begin(&m);
    tsr_build_loop(&b, 12345, 0);
    expect_report(&m, "a block is missing or used twice");

    b = begin(&m);
    tsr_build_if(&b, tsr_build_const(&m.ir, TSR_T_bool, 1), m.ir.module_block, 0);
    expect_report(&m, "a block is missing or used twice");
}

static void test_numbers_out_of_range(void **state)
{
    module m;
    tsr_builder b = begin(&m);
    tsr_id id;
    (void)state;
    tsr_build0(&b, TSR_OP_zero, 4000, 0);
    expect_report(&m, "the type does not exist");

    b = begin(&m);
    tsr_build1(&b, TSR_OP_switch, 0, 99, tsr_build_u32(&m.ir, 1));
    expect_report(&m, "no switch of this number");

    b = begin(&m);
    tsr_build0(&b, TSR_OP_call, 0, 99);
    expect_report(&m, "no function of this number");

    b = begin(&m);
    tsr_build0(&b, TSR_OP_builtin_call, 0, 0);
    expect_report(&m, "the built-in function has no name");

    b = begin(&m);
    id = tsr_build0(&b, TSR_OP_sg_elect, TSR_T_bool, 0);
    tsr_inst_at(&m.ir, id)->diag = 9;
    expect_report(&m, "the diagnostic state does not exist");

    begin(&m);
    tsr_build_const(&m.ir, TSR_T_bool, 2);
    expect_report(&m, "bits that its type does not have");
}

static void test_abstract_types(void **state)
{
    module m;
    tsr_builder b = begin(&m);
    (void)state;
    tsr_build0(&b, TSR_OP_zero, tsr_type_vec(&m.types, TSR_T_aint, 3), 0);
    expect_report(&m, "vec3<AbstractInt>: abstract numbers exist only while");

    b = begin(&m);
    tsr_build0(&b, TSR_OP_zero, TSR_T_afloat, 0);
    expect_report(&m, "AbstractFloat: abstract numbers exist only while");
}

static void test_params(void **state)
{
    module m;
    tsr_param p[2] = {{.type = TSR_T_f32}, {.type = TSR_T_u32}};
    tsr_function *f;
    (void)state;
    begin(&m);
    f = tsr_function_at(&m.ir, 1);
    tsr_function_set_params(&m.ir, 1, p, 2);
    f->params[1].value = f->params[0].value;
    expect_report(&m, "a parameter and its value do not agree");
}

/* Many faults: counted, kept up to the limit, and no time lost. */
static void test_many_faults(void **state)
{
    module m;
    tsr_builder b = begin(&m);
    tsr_id x = tsr_build_const(&m.ir, TSR_T_f32, 0), u = tsr_build_u32(&m.ir, 1);
    (void)state;
    for (unsigned i = 0; i < 100000; i++)
        tsr_build2(&b, TSR_OP_add, 0, 0, x, u);
    assert_false(tsr_ir_verify(&m.ir, &m.diags));
    assert_int_equal(m.diags.error_count, 100000);
    module_fini(&m);
}

/* A success gives its scratch memory back. */
static void test_leaves_nothing(void **state)
{
    module m;
    size_t before;
    (void)state;
    begin(&m);
    before = m.arena.used_bytes;
    assert_true(tsr_ir_verify(&m.ir, &m.diags));
    assert_int_equal(m.arena.used_bytes, before);
    module_fini(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),          cmocka_unit_test(test_places_of_instructions),
        cmocka_unit_test(test_places_of_blocks), cmocka_unit_test(test_numbers_out_of_range),
        cmocka_unit_test(test_abstract_types),   cmocka_unit_test(test_params),
        cmocka_unit_test(test_many_faults),      cmocka_unit_test(test_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
