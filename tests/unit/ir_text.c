/* The text form: what is printed reads back as the same text, through every op; bad text is refused with its place. */
#include "ir_help.h"

#include <dirent.h>

#define FOLDER  "tests/ir/"
#define MUTANTS 8000 /* of each file: a second or two */

/* Calls `check` for each .ir file of tests/ir, with its text after the comments at the top. */
static void each_file(void (*check)(const char *name, const char *text, void *user), void *user)
{
    DIR *dir = opendir(FOLDER);
    const struct dirent *entry;
    unsigned count = 0;
    assert_non_null(dir);
    while ((entry = readdir(dir)) != NULL) {
        char path[512], *text;
        const char *start, *end = strrchr(entry->d_name, '.');
        size_t len;
        if (end == NULL || strcmp(end, ".ir") != 0) continue;
        snprintf(path, sizeof path, FOLDER "%.400s", entry->d_name);
        text = read_file(path, &len);
        for (start = text; start[0] == '/' && start[1] == '/';)
            start = strchr(start, '\n') + 1;
        check(entry->d_name, start, user);
        free(text);
        count++;
    }
    closedir(dir);
    assert_true(count >= 7);
}

/* ---- Round trips. */

static void check_round_trip(const char *name, const char *text, void *user)
{
    module m, again;
    const char *printed;
    (void)user;
    module_read(&m, text, strlen(text));
    printed = module_print(&m, &m.ir);
    if (strcmp(printed, text) != 0) print_message("%s does not print as it stands\n", name);
    assert_string_equal(printed, text);
    module_read(&again, printed, strlen(printed));
    assert_string_equal(module_print(&again, &again.ir), printed);
    module_fini(&again);
    module_fini(&m);
}

static void test_round_trip(void **state)
{
    (void)state;
    each_file(check_round_trip, NULL);
}

static void count_ops(const char *name, const char *text, void *user)
{
    unsigned *seen = user;
    module m;
    (void)name;
    module_read(&m, text, strlen(text));
    for (uint32_t id = 1; id < m.ir.insts.count; id++)
        seen[tsr_inst_at(&m.ir, id)->op]++;
    module_fini(&m);
}

static void test_every_op_is_covered(void **state)
{
    unsigned seen[TSR_OP_COUNT] = {0};
    (void)state;
    each_file(count_ops, seen);
    for (int op = 1; op < TSR_OP_COUNT; op++)
        if (seen[op] == 0) fail_msg("no file of " FOLDER " has the op %s", tsr_op_table[op].name);
}

/* The builder derives the result types that the text states. */
static void check_builder(const char *name, const char *text, void *user)
{
    module m;
    tsr_builder b;
    uint32_t count;
    (void)name, (void)user;
    module_read(&m, text, strlen(text));
    b = (tsr_builder){.ir = &m.ir, .block = tsr_block_new(&m.ir)};
    count = m.ir.insts.count;
    for (uint32_t id = 1; id < count; id++) {
        const tsr_inst *inst = tsr_inst_at(&m.ir, id);
        const bool typed = tsr_op_table[inst->op].result == TSR_OPR_TYPED;
        tsr_id args[32], again;
        assert_true(inst->nargs <= 32);
        for (uint32_t i = 0; i < inst->nargs; i++)
            args[i] = tsr_arg(&m.ir, inst, i);
        again = tsr_build(&b, (tsr_op)inst->op, typed ? inst->type : 0, inst->aux, args, inst->nargs);
        assert_int_equal(tsr_inst_at(&m.ir, again)->type, inst->type);
        for (uint32_t i = 0; i < inst->nargs; i++)
            assert_int_equal(tsr_arg(&m.ir, tsr_inst_at(&m.ir, again), i), args[i]);
    }
    module_fini(&m);
}

static void test_builder_derives_types(void **state)
{
    (void)state;
    each_file(check_builder, NULL);
}

static void check_clone(const char *name, const char *text, void *user)
{
    module m, home;
    tsr_ir *copy;
    char *before;
    (void)name, (void)user;
    module_read(&m, text, strlen(text));
    before = strdup(module_print(&m, &m.ir));
    module_init(&home, "", 0);
    copy = tsr_ir_clone(&m.ir, &home.arena);
    assert_int_equal(copy->insts.count, m.ir.insts.count);
    assert_int_equal(copy->types->info.count, m.ir.types->info.count);
    module_fini(&m); /* the copy must not lean on it */
    assert_true(tsr_ir_verify(copy, &home.diags));
    assert_string_equal(module_print(&home, copy), before);
    /* It goes on growing as the first did. */
    tsr_build_u32(copy, 123456);
    assert_int_equal(tsr_build_u32(copy, 123456), tsr_build_u32(copy, 123456));
    assert_int_equal(tsr_type_vec(copy->types, TSR_T_f32, 2), tsr_type_vec(copy->types, TSR_T_f32, 2));
    module_fini(&home);
    free(before);
}

static void test_clone(void **state)
{
    (void)state;
    each_file(check_clone, NULL);
}

/* ---- Constants, bit for bit. */

static void test_constants(void **state)
{
    static const uint32_t f32_bits[] = {0,          0x80000000, 0x3f800000, 0x00000001, 0x807fffff,
                                        0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001,
                                        0x7f800001, 0x3eaaaaab, 0x4b800000, 0x00800000, 0x1234567};
    module m, again;
    tsr_builder b;
    uint32_t f, constants;
    const char *text;
    (void)state;
    module_init(&m, "", 0);
    f = tsr_function_new(&m.ir, module_sym(&m, "f"), (tsr_span){0, 0});
    tsr_function_set_params(&m.ir, f, NULL, 0);
    b = (tsr_builder){.ir = &m.ir, .block = tsr_function_at(&m.ir, f)->body};
    for (unsigned i = 0; i < TSR_COUNT_OF(f32_bits); i++)
        tsr_build1(&b, TSR_OP_neg, 0, 0, tsr_build_const(&m.ir, TSR_T_f32, f32_bits[i]));
    for (uint32_t h = 0; h <= UINT16_MAX; h++)
        tsr_build1(&b, TSR_OP_neg, 0, 0, tsr_build_const(&m.ir, TSR_T_f16, h));
    tsr_build1(&b, TSR_OP_neg, 0, 0, tsr_build_const(&m.ir, TSR_T_i32, 0x80000000));
    tsr_build1(&b, TSR_OP_bitnot, 0, 0, tsr_build_u32(&m.ir, UINT32_MAX));
    text = module_print(&m, &m.ir);
    module_read(&again, text, strlen(text));
    constants = m.ir.constants.count;
    assert_int_equal(again.ir.constants.count, constants);
    for (uint32_t i = 1; i < constants; i++)
        assert_true(*(uint64_t *)tsr_pool_at(&m.ir.constants, i) == *(uint64_t *)tsr_pool_at(&again.ir.constants, i));
    assert_string_equal(module_print(&again, &again.ir), text);
    module_fini(&again);
    module_fini(&m);
}

/* ---- Bad text: the message and where it stands (line, column). */

struct bad {
    const char *text, *message;
    uint32_t line, column;
};

static const struct bad bads[] = {
    {"", "expected `tessera_ir 1` as the first line, but the text ends here", 1, 1},
    {"tessera_ir 2", "only 1 is known", 1, 1},
    {"tessera_ir 1\nwhat", "found `what`", 2, 1},
    {"tessera_ir 1\n\x01", "byte 0x01 has no meaning here", 2, 1},
    {"tessera_ir 1\n%", "the number of a value", 2, 1},
    {"tessera_ir 1\nenable f64", "expected f16, subgroups, matrices or nonuniform", 2, 8},
    {"tessera_ir 1\ndiag !1 { lint: off }", "name of a diagnostic rule", 2, 11},
    {"tessera_ir 1\ndiag !1 { }\ndiag !1 { }", "defined twice", 3, 6},
    {"tessera_ir 1\ndiag !1 { subgroup_uniformity: loud }", "off, info, warning or error", 2, 32},
    {"tessera_ir 1\n%1: u32 = zero\n%1: u32 = zero", "value %1 is defined twice", 3, 1},
    {"tessera_ir 1\n%1: u32 = neg %2", "value %2 is used here but not defined", 2, 15},
    {"tessera_ir 1\n%1: u32 = neg %1", "value %1 is used here but not defined", 2, 15},
    {"tessera_ir 1\n%4294967296: u32 = zero", "expected a value", 2, 1},
    {"tessera_ir 1\n%1: u32 = frobnicate", "expected an op", 2, 11},
    {"tessera_ir 1\n%1: u32 = none", "expected an op", 2, 11},
    {"tessera_ir 1\n%1: u32 = const 1u", "const is not written as an instruction", 2, 11},
    {"tessera_ir 1\n%1: u32 = add 1u", "add takes 2 operands, not 1", 2, 11},
    {"tessera_ir 1\n%1: u32 = zero zero", "expected the end of the line", 2, 16},
    {"tessera_ir 1\n%1: u32 = neg 4294967296u", "expected a constant", 2, 15},
    {"tessera_ir 1\n%1: i32 = neg 2147483648i", "expected a constant", 2, 15},
    {"tessera_ir 1\n%1: i32 = neg -2147483649i", "expected a constant", 2, 15},
    {"tessera_ir 1\n%1: u32 = neg -1u", "expected a constant", 2, 15},
    {"tessera_ir 1\n%1: f32 = neg 1e39f", "expected a constant", 2, 15},
    {"tessera_ir 1\n%1: f16 = neg 65520.0h", "expected a constant", 2, 15},
    {"tessera_ir 1\n%1: f32 = neg 1.0", "expected a constant", 2, 15},
    {"tessera_ir 1\n%1: f32 = neg f32(0x123456789)", "hexadecimal digits", 2, 19},
    {"tessera_ir 1\n%1: f16 = neg f16(0x12345)", "at most 4 hexadecimal digits", 2, 19},
    {"tessera_ir 1\n%1: vec5<u32> = zero", "expected a type", 2, 5},
    {"tessera_ir 1\n%1: vec2<vec2<u32>> = zero", "a vector is made of scalars", 2, 5},
    {"tessera_ir 1\n%1: mat2x2<i32> = zero", "a matrix is made of f32 or f16", 2, 5},
    {"tessera_ir 1\n%1: atomic<f32> = zero", "an atomic holds i32, u32 or vec2<u32>", 2, 5},
    {"tessera_ir 1\n%1: array<u32, 0> = zero", "a size is at least 1", 2, 16},
    {"tessera_ir 1\n%1: array<u32, 4294967296> = zero", "expected a size", 2, 16},
    {"tessera_ir 1\n%1: array<array<u32>, 4> = zero", "elements need a type of fixed size", 2, 5},
    {"tessera_ir 1\n%1: array<array<u32, 4u>, 4> = zero", "only the outermost array", 2, 5},
    {"tessera_ir 1\n%1: array<array<u32, 65536>, 65536> = zero", "larger than 4 GiB", 2, 5},
    {"tessera_ir 1\n%1: ptr<private, ptr<private, u32>> = zero", "memory that holds a value", 2, 5},
    {"tessera_ir 1\n%1: ptr<shared, u32> = zero", "expected an address space", 2, 9},
    {"tessera_ir 1\n%1: ptr<private, u32, none> = zero", "read, write or read_write", 2, 23},
    {"tessera_ir 1\n%1: ptr<private, opaque \"s\"> = zero", "address space handle", 2, 5},
    {"tessera_ir 1\n%1: $None = zero", "no struct of this name stands above", 2, 6},
    {"tessera_ir 1\n%1: subgroup_matrix_left<bool, 8, 8> = zero", "expected a component type", 2, 26},
    {"tessera_ir 1\n%1: subgroup_matrix_left<f16, 8, 8, galaxy> = zero", "expected subgroup", 2, 37},
    {"tessera_ir 1\nstruct $S { }", "at least one member", 2, 8},
    {"tessera_ir 1\nstruct $S { a: f32 }\nstruct $S { a: f32 }", "there is a struct of this name already", 3, 8},
    {"tessera_ir 1\nstruct $S { a: array<f32>, b: f32 }", "only be the last member", 2, 8},
    {"tessera_ir 1\nstruct $S { a: ptr<private, f32> }", "type of fixed size", 2, 8},
    {"tessera_ir 1\nstruct $S { a: f32 @align(3) }", "power of two", 2, 8},
    {"tessera_ir 1\nstruct $S { a: f32, b: f32 @offset(2) }", "offset is a multiple", 2, 8},
    {"tessera_ir 1\nstruct $S { a: vec4<f32>, b: f32 @offset(8) }", "overlaps", 2, 8},
    {"tessera_ir 1\nstruct $S { a: vec4<f32> @size(8) }", "less than its type's", 2, 8},
    {"tessera_ir 1\nstruct $S { a: f32 @colour(1) }", "a member has offset", 2, 21},
    {"tessera_ir 1\nfn f() { }\nfn f() { }", "there is a function of this name already", 3, 4},
    {"tessera_ir 1\nfn f() {\n call g()\n}", "no function of this name", 3, 7},
    {"tessera_ir 1\nfn f(%1: f32, %1: f32) { }", "value %1 is defined twice", 2, 15},
    {"tessera_ir 1\nfn f() @inline { }", "a function has no attribute of this name", 2, 9},
    {"tessera_ir 1\nfn f() {", "expected `}`, but the text ends here", 2, 9},
    {"tessera_ir 1\nfn f() {\n if true {\n } else {\n } else {\n }\n}", "expected", 5, 4},
    {"tessera_ir 1\nfn f() {\n continuing {\n }\n}", "stands last in a loop", 3, 2},
    {"tessera_ir 1\nfn f() {\n loop {\n continuing {\n }\n return\n }\n}", "nothing follows continuing", 6, 2},
    {"tessera_ir 1\nfn f() {\n switch 1u {\n return\n }\n}", "expected `case`", 4, 2},
    {"tessera_ir 1\nfn f() {\n return !7\n}", "no `diag !7`", 3, 9},
    {"tessera_ir 1\nfn \"f\n() { }", "does not end on its line", 2, 4},
    {"tessera_ir 1\nfn \"\\q\"() { }", "knows only", 2, 4},
    {"tessera_ir 1\nif true {\n}", "expected enable", 2, 1},
    {"tessera_ir 1\n%1: u32 = swizzle.xyq 1u", "2 to 4 of the letters", 2, 19},
    {"tessera_ir 1\noverride %1 x: u32 @id(65536)", "at most 65535", 2, 24},
    {"tessera_ir 1\nglobal %1 x: ptr<storage, u32> @group(0)", "@group(...) @binding(...)", 2, 41},
};

static void test_bad_text(void **state)
{
    unsigned wrong = 0;
    (void)state;
    for (unsigned i = 0; i < TSR_COUNT_OF(bads); i++) {
        module m;
        uint32_t line, column;
        module_init(&m, bads[i].text, strlen(bads[i].text));
        assert_false(tsr_ir_parse(&m.ir, &m.diags));
        assert_int_equal(m.diags.error_count, 1);
        tsr_source_locate(&m.source, &m.arena, m.diags.first->span.pos, &line, &column);
        if (strstr(m.diags.first->text, bads[i].message) == NULL || line != bads[i].line || column != bads[i].column) {
            print_message("%s\nexpected %u:%u %s\ngot %u:%u %s\n", bads[i].text, (unsigned)bads[i].line,
                          (unsigned)bads[i].column, bads[i].message, (unsigned)line, (unsigned)column,
                          m.diags.first->text);
            wrong++;
        }
        module_fini(&m);
    }
    assert_int_equal(wrong, 0);
}

/* ---- Hostile sizes. */

static char *repeat(const char *before, const char *piece, size_t times, const char *after)
{
    const size_t b = strlen(before), p = strlen(piece), a = strlen(after);
    char *text = malloc(b + p * times + a + 1), *at = text;
    assert_non_null(text);
    memcpy(at, before, b);
    at += b;
    for (size_t i = 0; i < times; i++, at += p)
        memcpy(at, piece, p);
    memcpy(at, after, a + 1);
    return text;
}

static void expect_refused(char *text, const char *message)
{
    module m;
    module_init(&m, text, strlen(text));
    assert_false(tsr_ir_parse(&m.ir, &m.diags));
    assert_non_null(strstr(m.diags.first->text, message));
    module_fini(&m);
    free(text);
}

static void test_deep(void **state)
{
    (void)state;
    expect_refused(repeat("tessera_ir 1\n%1: ", "array<", 1000000, ""), "types nest too deep");
    expect_refused(repeat("tessera_ir 1\nfn f() {\n", "if true {\n", 1000000, ""), "blocks nest deeper");
    expect_refused(repeat("tessera_ir 1\n", "(", 1000000, ""), "expected enable");
    expect_refused(repeat("tessera_ir 1\n", "fn f() {\n", 1000000, ""), "expected an op");
}

/* A chain of structs nests deeper than one line of text can. */
static void test_deep_structs(void **state)
{
    tsr_text text;
    (void)state;
    tsr_text_init(&text, NULL);
    tsr_text_puts(&text, "tessera_ir 1\nstruct $S { a: f32 }\n");
    for (unsigned i = 2; i < 100000; i++) {
        tsr_text_printf(&text, "struct $S#%u { a: $S", i);
        if (i > 2) tsr_text_printf(&text, "#%u", i - 1);
        tsr_text_puts(&text, " }\n");
    }
    expect_refused(text.s, "types nest too deep");
}

static void test_deep_blocks_are_fine(void **state)
{
    char *opening = repeat("tessera_ir 1\nfn f() {\n", "if true {\n", TSR_IR_BLOCK_DEPTH_MAX - 1, "");
    char *text = repeat(opening, "}\n", TSR_IR_BLOCK_DEPTH_MAX, "");
    module m, again;
    const char *printed;
    (void)state;
    module_read(&m, text, strlen(text));
    printed = module_print(&m, &m.ir);
    module_read(&again, printed, strlen(printed));
    assert_string_equal(module_print(&again, &again.ir), printed);
    module_fini(&again);
    module_fini(&m);
    free(text);
    free(opening);
}

/* ---- Broken copies of good text: whatever is accepted must print and come back. */

static uint32_t next_random(uint32_t *seed)
{
    *seed ^= *seed << 13; /* xorshift32, Marsaglia 2003 */
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

static void mutate(char *text, size_t *len, uint32_t *seed)
{
    const size_t at = next_random(seed) % *len, other = next_random(seed) % *len;
    const size_t some = next_random(seed) % 12;
    switch (next_random(seed) % 4) {
    case 0: text[at] = (char)next_random(seed); break;
    case 1: *len = at + 1; break;
    case 2:
        if (at + some < *len && other + some < *len) memmove(text + at, text + other, some);
        break;
    default:
        if (at + some < *len) {
            memmove(text + at, text + at + some, *len - at - some);
            *len -= some;
        }
        break;
    }
}

static void check_mutant(const char *text, size_t len)
{
    module m, again;
    const char *printed;
    module_init(&m, text, len);
    if (!tsr_ir_parse(&m.ir, &m.diags)) {
        assert_true(m.diags.error_count > 0);
    } else {
        printed = module_print(&m, &m.ir);
        if (tsr_ir_verify(&m.ir, &m.diags)) {
            module_read(&again, printed, strlen(printed));
            assert_string_equal(module_print(&again, &again.ir), printed);
            module_fini(&again);
        }
    }
    module_fini(&m);
}

static void mutate_file(const char *name, const char *text, void *user)
{
    const size_t full = strlen(text);
    uint32_t *seed = user;
    char *copy = malloc(full);
    assert_non_null(copy);
    (void)name;
    for (unsigned i = 0; i < MUTANTS / (1 + full / 1024); i++) {
        size_t len = full;
        memcpy(copy, text, full);
        for (unsigned k = next_random(seed) % 4 + 1; k > 0 && len > 0; k--)
            mutate(copy, &len, seed);
        check_mutant(copy, len);
    }
    free(copy);
}

static void test_mutants(void **state)
{
    uint32_t seed = 20240607;
    (void)state;
    each_file(mutate_file, &seed);
}

static void test_random_bytes(void **state)
{
    uint32_t seed = 7;
    char bytes[300];
    (void)state;
    for (unsigned i = 0; i < 2000; i++) {
        size_t len = next_random(&seed) % sizeof bytes;
        for (size_t k = 0; k < len; k++)
            bytes[k] = (char)next_random(&seed);
        if (i % 2 == 0 && len > 13) memcpy(bytes, "tessera_ir 1\n", 13);
        check_mutant(bytes, len);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_every_op_is_covered),
        cmocka_unit_test(test_builder_derives_types),
        cmocka_unit_test(test_clone),
        cmocka_unit_test(test_constants),
        cmocka_unit_test(test_bad_text),
        cmocka_unit_test(test_deep),
        cmocka_unit_test(test_deep_structs),
        cmocka_unit_test(test_deep_blocks_are_fine),
        cmocka_unit_test(test_mutants),
        cmocka_unit_test(test_random_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
