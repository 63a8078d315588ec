/* The check of uniformity on IR: what it reports, and that it stays in bounds. The rules themselves are cases of
 * tests/wgsl, uniform_*.wgsl. */
#include "check/uniform.h"
#include "ir_help.h"

/* Reads the text, which must be right, and checks it. */
static bool check(module *m, const char *text)
{
    module_init(m, text, strlen(text));
    if (!tsr_ir_parse(&m->ir, &m->diags) || !tsr_ir_verify(&m->ir, &m->diags)) {
        module_show(m);
        fail();
    }
    return tsr_check_uniformity(&m->ir, &m->diags);
}

static uint32_t count_notes(const tsr_diag *d)
{
    uint32_t count = 0;
    for (const tsr_diag_note *n = d->notes; n != NULL; n = n->next)
        count++;
    return count;
}

static bool has_note(const tsr_diag *d, const char *part)
{
    for (const tsr_diag_note *n = d->notes; n != NULL; n = n->next) {
        if (strstr(n->text, part) != NULL) return true;
    }
    return false;
}

#define HEAD "tessera_ir 1\n"
#define MAIN "fn main(%1 lid: u32 @builtin(local_invocation_index)) @compute @workgroup_size(64u) {\n"

static void test_message(void **state)
{
    module m;
    (void)state;
    assert_false(check(&m,
                       HEAD "fn inner(%9 n: u32) {\n    %8: bool = eq %9, 0u\n    if %8 {\n        barrier_workgroup\n"
                            "    }\n}\n" MAIN "    %2: u32 = add %1, 1u\n    call inner(%2)\n}\n"));
    const tsr_diag *d = m.diags.first;
    assert_int_equal(m.diags.error_count, 1);
    assert_int_equal(d->code, TSR_E_UNIFORM_BARRIER);
    assert_non_null(strstr(d->text, "`workgroupBarrier` must only be called from uniform control flow"));
    assert_int_equal(count_notes(d), 3);
    assert_true(has_note(d, "control flow depends on this condition"));
    assert_true(has_note(d, "`main` calls `inner` here, where its parameter `n` must be uniform"));
    assert_true(has_note(d, "built-in value `local_invocation_index`"));
    module_fini(&m);
}

static void test_severity(void **state)
{
    static const char before[] = HEAD "diag !1 { derivative_uniformity: error, subgroup_uniformity: ";
    static const char after[] = ", subgroup_matrix_uniformity: error }\n" MAIN
                                "    %2: bool = eq %1, 0u\n    if %2 {\n        %3: u32 = sg_add 1u !1\n    }\n}\n";
    static const struct {
        const char *name;
        bool fine, reports;
        tsr_severity severity;
    } rows[] = {{"off", true, false, TSR_SEVERITY_OFF},
                {"info", true, true, TSR_SEVERITY_INFO},
                {"warning", true, true, TSR_SEVERITY_WARNING},
                {"error", false, true, TSR_SEVERITY_ERROR}};
    (void)state;
    for (size_t i = 0; i < TSR_COUNT_OF(rows); i++) {
        module m;
        char program[1024];
        snprintf(program, sizeof program, "%s%s%s", before, rows[i].name, after);
        assert_true(check(&m, program) == rows[i].fine);
        assert_true((m.diags.first != NULL) == rows[i].reports);
        if (m.diags.first != NULL) {
            assert_int_equal(m.diags.first->code, TSR_E_UNIFORM_SUBGROUP);
            assert_int_equal(m.diags.first->severity, rows[i].severity);
        }
        module_fini(&m);
    }
}

/* A module that switched the analysis off says so in its text. */
static void test_switched_off(void **state)
{
    static const char body[] = MAIN "    %2: bool = eq %1, 0u\n    if %2 {\n        barrier_workgroup\n    }\n}\n";
    char program[512];
    module m;
    (void)state;
    snprintf(program, sizeof program, HEAD "%s", body);
    assert_false(check(&m, program));
    module_fini(&m);
    snprintf(program, sizeof program, HEAD "enable nonuniform\n%s", body);
    assert_true(check(&m, program));
    assert_null(m.diags.first);
    module_fini(&m);
}

/* Nothing of what the check needs stays when it reports nothing. */
static void test_memory(void **state)
{
    module m;
    size_t before;
    (void)state;
    assert_true(check(&m, HEAD MAIN "    barrier_workgroup\n}\n"));
    before = m.arena.used_bytes;
    assert_true(tsr_check_uniformity(&m.ir, &m.diags));
    assert_int_equal(m.arena.used_bytes, before);
    module_fini(&m);
    assert_true(check(&m, HEAD MAIN "    %2: bool = eq %1, 0u\n    if %2 {\n    }\n}\n"));
    module_fini(&m);
}

/* `count` times one text, between two others. */
static char *repeat(const char *head, const char *one, uint32_t count, const char *middle, const char *other,
                    const char *tail)
{
    size_t size = strlen(head) + strlen(middle) + strlen(tail) + (strlen(one) + strlen(other)) * count + 1, at = 0;
    char *s = malloc(size);
    assert_non_null(s);
    at += (size_t)snprintf(s + at, size - at, "%s", head);
    for (uint32_t i = 0; i < count; i++)
        at += (size_t)snprintf(s + at, size - at, "%s", one);
    at += (size_t)snprintf(s + at, size - at, "%s", middle);
    for (uint32_t i = 0; i < count; i++)
        at += (size_t)snprintf(s + at, size - at, "%s", other);
    snprintf(s + at, size - at, "%s", tail);
    return s;
}

/* As deep as the IR may be. */
static void test_depth(void **state)
{
    const uint32_t depth = TSR_IR_BLOCK_DEPTH_MAX / 2 - 8;
    (void)state;
    for (int uniform = 0; uniform < 2; uniform++) {
        module m;
        char *text = repeat(HEAD MAIN "    %2 x: ptr<function, u32> = var\n    %3: bool = eq %1, 0u\n",
                            uniform ? "loop {\nif true {\n" : "loop {\nif %3 {\n", depth,
                            "    store %2, 1u\n    barrier_workgroup\n", "}\nbreak\n}\n", "}\n");
        assert_true(check(&m, text) == (uniform != 0));
        assert_int_equal(m.diags.error_count, !uniform);
        module_fini(&m);
        free(text);
    }
}

/* Long chains of calls: one message, with a bounded number of notes, at the end of the chain. */
static void test_chain(void **state)
{
    module m;
    const uint32_t count = 20000;
    size_t size = 96u * count, at = 0;
    char *text = malloc(size);
    (void)state;
    assert_non_null(text);
    at += (size_t)snprintf(text, size,
                           HEAD "fn f0(%%1 n: u32) -> u32 {\n%%2: bool = eq %%1, 0u\nif %%2 {\n"
                                "barrier_workgroup\n}\nreturn %%1\n}\n");
    for (uint32_t i = 1; i < count; i++)
        at += (size_t)snprintf(text + at, size - at,
                               "fn f%u(%%%u n: u32) -> u32 {\n%%%u: u32 = call f%u(%%%u)\nreturn %%%u\n}\n", i,
                               2 * i + 1, 2 * i + 2, i - 1, 2 * i + 1, 2 * i + 2);
    snprintf(text + at, size - at,
             "fn main(%%0 lid: u32 @builtin(local_invocation_index)) @compute @workgroup_size(64u) {\n"
             "%%99999: u32 = call f%u(%%0)\n}\n",
             count - 1);
    assert_false(check(&m, text));
    assert_int_equal(m.diags.error_count, 1);
    assert_true(count_notes(m.diags.first) <= 14);
    assert_true(m.diags.first->span.pos < 120); /* the barrier in f0 */
    module_fini(&m);
    free(text);
}

/* Functions with many pointers go another way: the sources of all at once. Each takes from the one before. */
static void test_many_pointers(void **state)
{
    enum { COUNT = 40 };
    (void)state;
    for (uint32_t wrong = 0; wrong < COUNT; wrong++) {
        module m;
        char text[16384];
        size_t at = 0;
        at += (size_t)snprintf(text, sizeof text, HEAD "fn f(");
        for (unsigned i = 0; i < COUNT; i++)
            at += (size_t)snprintf(text + at, sizeof text - at, "%s%%%u p%u: ptr<function, u32>", i ? ", " : "", i, i);
        at += (size_t)snprintf(text + at, sizeof text - at, ") {\n");
        for (unsigned i = 1; i < COUNT; i++)
            at += (size_t)snprintf(text + at, sizeof text - at, "%%%u: u32 = load %%%u\nstore %%%u, %%%u\n", 100 + i,
                                   i - 1, i, 100 + i);
        at += (size_t)snprintf(
            text + at, sizeof text - at,
            "}\nfn main(%%400 lid: u32 @builtin(local_invocation_index)) @compute @workgroup_size(64u) {\n");
        for (unsigned i = 0; i < COUNT; i++)
            at += (size_t)snprintf(text + at, sizeof text - at, "%%%u: ptr<function, u32> = var %s\n", 200 + i,
                                   i == wrong ? "%400" : "1u");
        at += (size_t)snprintf(text + at, sizeof text - at, "call f(");
        for (unsigned i = 0; i < COUNT; i++)
            at += (size_t)snprintf(text + at, sizeof text - at, "%s%%%u", i ? ", " : "", 200 + i);
        snprintf(text + at, sizeof text - at,
                 ")\n%%300: u32 = load %%239\n%%301: bool = eq %%300, 0u\nif %%301 {\nbarrier_workgroup\n}\n}\n");
        assert_true(check(&m, text) == (wrong != 0)); /* each store overwrites what its pointer held */
        module_fini(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_message),       cmocka_unit_test(test_severity), cmocka_unit_test(test_switched_off),
        cmocka_unit_test(test_memory),        cmocka_unit_test(test_depth),    cmocka_unit_test(test_chain),
        cmocka_unit_test(test_many_pointers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
