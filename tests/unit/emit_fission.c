/* Fission at barriers, on functions written by hand: what programs do not make today, and what is refused. */
#include "emit/llvm_inside.h"
#include "emit/llvm_read.h"
#include "unit.h"

#include <string.h>

typedef struct bench {
    tsr_arena arena;
    tsr_ll *e;
} bench;

/* Names up to 299 are taken; subgroups of 8, four of them. %t1 is the variable whose turn it is, b1 the region, b2 its
 * end. */
static bool write(bench *b, const char *prologue, const char *body)
{
    tsr_arena_init(&b->arena, NULL);
    tsr_ll *e = TSR_NEW(&b->arena, tsr_ll);
    b->e = e;
    e->arena = &b->arena;
    e->size = 8;
    e->subgroups = 4;
    e->next = 299;
    e->vector_name[LL_B] = "<8 x i1>";
    e->fission = (tsr_ll_fission){true, 1, 2, 1};
    tsr_text_init(&e->prologue, e->arena);
    tsr_text_init(&e->body, e->arena);
    tsr_text_init(&e->cold, e->arena);
    tsr_text_puts(&e->prologue, "  %t1 = alloca i32, align 4 " TSR_LL_NOT_KEPT "\n");
    tsr_text_puts(&e->prologue, prologue);
    tsr_text_puts(&e->body, "  store i32 0, ptr %t1, align 4\n  br label %b1\nb1:\n");
    tsr_text_puts(&e->body, body);
    tsr_text_puts(&e->body, "  barrier label %b2\nb2:\n  ret void\nstopped:\n  ret void\n");
    return tsr_ll_fission_write(e);
}

static bool says(const bench *b, const char *text)
{
    return strstr(tsr_text_get(&b->e->body), text) != NULL || strstr(tsr_text_get(&b->e->prologue), text) != NULL;
}

static uint32_t count(const bench *b, const char *text)
{
    uint32_t n = 0;
    for (const char *s = tsr_text_get(&b->e->body); (s = strstr(s, text)) != NULL; s++)
        n++;
    return n;
}

static void done(bench *b)
{
    tsr_arena_fini(&b->arena);
}

/* A value that is used behind a barrier is stored once it is there, and loaded where it is used. */
static void test_value(void **state)
{
    bench b;
    (void)state;
    assert_true(write(&b, "",
                      "  %t10 = load i32, ptr %t1, align 4\n  %t11 = add i32 %t10, 5\n  barrier label %b3\nb3:\n"
                      "  %t12 = add i32 %t11, 1\n"));
    assert_true(says(&b, "%t11 = add i32 %t10, 5\n  store i32 %t11, ptr %t"));
    assert_false(says(&b, "%t12 = add i32 %t11, 1"));
    assert_false(says(&b, "barrier label"));
    /* That barrier's stretch and the last one's: one each. */
    assert_int_equal(count(&b, "icmp ult i32"), 2);
    assert_int_equal(count(&b, "switch"), 0);
    done(&b);
}

/* The last barrier ends two stretches: which it was is known when the program runs. */
static void test_two_ways(void **state)
{
    bench b;
    (void)state;
    assert_true(write(&b, "  %t9 = icmp eq i32 7, 8\n",
                      "  br i1 %t9, label %b3, label %b4\nb3:\n  barrier label %b5\nb5:\n  br label %b4\nb4:\n"));
    assert_int_equal(count(&b, "switch i32"), 1);
    assert_true(says(&b, ", label %b1 [ i32 1, label %b5 ]"));
    done(&b);
}

/* A phi takes what stands for a value at the end of the block that it comes from. */
static void test_phi(void **state)
{
    bench b;
    (void)state;
    assert_true(
        write(&b, "  %t9 = icmp eq i32 7, 8\n",
              "  %t10 = load i32, ptr %t1, align 4\n  barrier label %b3\nb3:\n  br i1 %t9, label %b4, label %b5\n"
              "b4:\n  br label %b5\nb5:\n  %t11 = phi i32 [ %t10, %b4 ], [ 3, %b3 ]\n  %t12 = add i32 %t11, 1\n"));
    assert_false(says(&b, "phi i32 [ %t10,"));
    const char *block = strstr(tsr_text_get(&b.e->body), "b4:\n");
    assert_non_null(block);
    assert_true(strncmp(block, "b4:\n  %t", 8) == 0 &&
                strstr(block, "= load i32, ptr %t") < strstr(block, "br label %b5"));
    done(&b);
}

/* Memory whose contents are wanted behind a barrier lies in the record, also when only a pointer into it is used
 * there; memory that is filled anew does not. */
static void test_memory(void **state)
{
    bench b;
    (void)state;
    static const char variables[] = "  %t5 = alloca [256 x i8], align 64\n  %t6 = alloca [64 x i8], align 64\n"
                                    "  %t7 = alloca <8 x i32>, align 64\n";
    assert_true(write(&b, variables,
                      "  store i32 1, ptr %t5, align 4\n  %t10 = getelementptr i8, ptr %t5, i64 8\n"
                      "  store i32 2, ptr %t6, align 4\n  store <8 x i32> zeroinitializer, ptr %t7, align 4\n"
                      "  barrier label %b3\nb3:\n  %t11 = load i32, ptr %t10, align 4\n"
                      "  %t12 = load <8 x i32>, ptr %t7, align 4\n"));
    assert_false(says(&b, "%t5 = alloca"));
    assert_false(says(&b, "ptr %t5,"));
    assert_true(says(&b, "%t6 = alloca [64 x i8]"));
    assert_true(says(&b, "%t7 = alloca <8 x i32>"));
    assert_true(says(&b, "alloca [1280 x i8]")); /* four records: 256, 32 and 8 bytes, a multiple of 64 */
    done(&b);
}

/* What was zeroed once at the function's start begins so in every record. */
static void test_zeros(void **state)
{
    bench b;
    (void)state;
    assert_true(write(&b,
                      "  %t5 = alloca [64 x i8], align 64\n"
                      "  call void @llvm.memset.p0.i64(ptr align 64 %t5, i8 0, i64 64, i1 false)\n",
                      "  barrier label %b3\nb3:\n  %t10 = load i32, ptr %t5, align 4\n"));
    assert_false(says(&b, "%t5 = alloca"));
    assert_true(says(&b, "i8 0, i64 256, i1 false)"));
    done(&b);
}

/* Bits would have to be packed: they are stored as bytes. A variable that is only set behind the barrier is not saved.
 */
static void test_bits(void **state)
{
    bench b;
    (void)state;
    assert_true(write(&b, "  %t5 = alloca <8 x i1>, align 64\n  %t6 = alloca i32, align 4\n",
                      "  store <8 x i1> zeroinitializer, ptr %t5, align 1\n  store i32 1, ptr %t6, align 4\n"
                      "  barrier label %b3\nb3:\n  %t10 = load <8 x i1>, ptr %t5, align 1\n"
                      "  store i32 2, ptr %t6, align 4\n  %t11 = load i32, ptr %t6, align 4\n"));
    assert_int_equal(count(&b, "sext <8 x i1>"), 1);
    assert_int_equal(count(&b, "icmp ne <8 x i8>"), 1);
    assert_int_equal(count(&b, "load i32, ptr %t6"), 1);
    done(&b);
}

/* Code that control does not come to keeps its barriers from being counted. */
static void test_unreachable(void **state)
{
    bench b;
    (void)state;
    assert_true(write(&b, "", "  br label %b4\nb3:\n  barrier label %b5\nb5:\n  br label %b4\nb4:\n"));
    assert_int_equal(count(&b, "icmp ult i32"), 1);
    assert_int_equal(count(&b, "switch"), 0);
    done(&b);
}

/* Stacks then: what is not as the emitter writes it, and values whose type is not known. */
static void test_refused(void **state)
{
    static const char *const bad[] = {
        "  %t10 = load i32, ptr %t1, align 4\nb1:\n", /* a label twice, in the middle of a block */
        "  br label %b77\n", "what is this\n",
        "  %t10 = call { i32, i1 } @f()\n  barrier label %b3\nb3:\n  %t11 = extractvalue { i32, i1 } %t10, 0\n"};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        bench b;
        assert_false(write(&b, "", bad[i]));
        done(&b);
    }
    /* A variable that the prologue itself uses for more than its address. */
    bench b;
    assert_false(write(&b, "  %t5 = alloca i32, align 4\n  %t6 = load i32, ptr %t5, align 4\n", ""));
    done(&b);
}

/* Stacks too: many values that live across many barriers. */
static void test_limit(void **state)
{
    (void)state;
    for (uint32_t barriers = 10; barriers <= 100; barriers += 90) {
        bench b;
        tsr_text body;
        tsr_text_init(&body, NULL);
        for (uint32_t i = 0; i < 50; i++)
            tsr_text_printf(&body, "  %%t%u = load i32, ptr %%t1, align 4\n", 10 + i);
        for (uint32_t i = 0; i < barriers; i++)
            tsr_text_printf(&body, "  barrier label %%b%u\nb%u:\n", 100 + i, 100 + i);
        for (uint32_t i = 0; i < 50; i++)
            tsr_text_printf(&body, "  store i32 %%t%u, ptr null, align 4\n", 10 + i);
        assert_int_equal(write(&b, "", tsr_text_get(&body)), barriers == 10);
        tsr_text_fini(&body);
        done(&b);
    }
}

static void test_types(void **state)
{
    static const char *const line[][2] = {
        {"  %t9 = add <8 x i32> %t1, %t2", "<8 x i32>"},
        {"  %t9 = add nuw i32 %t1, 1", "i32"},
        {"  %t9 = icmp ult <8 x i32> %t1, %t2", "<8 x i1>"},
        {"  %t9 = fcmp olt float %t1, 0.0", "i1"},
        {"  %t9 = getelementptr i8, ptr %t1, i64 8", "ptr"},
        {"  %t9 = load atomic i32, ptr %t1 monotonic, align 4", "i32"},
        {"  %t9 = load <8 x float>, ptr %t1, align 4", "<8 x float>"},
        {"  %t9 = bitcast <8 x i1> %t1 to i8", "i8"},
        {"  %t9 = zext <8 x i1> %t1 to <8 x i32>, !dbg !7", "<8 x i32>"},
        {"  %t9 = select <4 x i1> <i1 true, i1 false, i1 true, i1 true>, <4 x float> %t1, <4 x float> %t2",
         "<4 x float>"},
        {"  %t9 = select i1 %t1, i32 0, i32 %t2", "i32"},
        {"  %t9 = shufflevector <8 x float> %t1, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>",
         "<4 x float>"},
        {"  %t9 = insertelement <8 x i16> poison, i16 %t1, i64 0", "<8 x i16>"},
        {"  %t9 = extractelement <8 x double> %t1, i64 3", "double"},
        {"  %t9 = phi ptr [ %t1, %b2 ], [ %t3, %b4 ]", "ptr"},
        {"  %t9 = call <8 x float> @llvm.fma.v8f32(<8 x float> %t1, <8 x float> %t2, <8 x float> %t3)", "<8 x float>"},
        {"  %t9 = freeze i32 %t1", "i32"},
        {"  %t9 = fneg <8 x float> %t1", "<8 x float>"},
        {"  %t9 = fptrunc <8 x float> %t1 to <8 x half>", "<8 x half>"}};
    static const struct {
        const char *type;
        uint32_t bytes;
    } size[] = {{"i1", 1},           {"ptr", 8},  {"<8 x i1>", 8},   {"<32 x float>", 128},
                {"[704 x i8]", 704}, {"half", 2}, {"{ i32, i1 }", 0}};
    tsr_arena arena;
    (void)state;
    tsr_arena_init(&arena, NULL);
    for (size_t i = 0; i < sizeof line / sizeof *line; i++) {
        tsr_lr r = {.arena = &arena};
        tsr_lr_line l = {.text = {line[i][0], strlen(line[i][0])}, .def = 9};
        tsr_str type = tsr_lr_type(&r, &l);
        if (!tsr_str_is(type, line[i][1])) fail_msg("%s: %.*s", line[i][0], (int)type.len, type.s ? type.s : "");
    }
    for (size_t i = 0; i < sizeof size / sizeof *size; i++)
        assert_int_equal(tsr_lr_type_bytes((tsr_str){size[i].type, strlen(size[i].type)}), size[i].bytes);
    tsr_arena_fini(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_value),   cmocka_unit_test(test_two_ways),
                                       cmocka_unit_test(test_phi),     cmocka_unit_test(test_memory),
                                       cmocka_unit_test(test_zeros),   cmocka_unit_test(test_bits),
                                       cmocka_unit_test(test_types),   cmocka_unit_test(test_unreachable),
                                       cmocka_unit_test(test_refused), cmocka_unit_test(test_limit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
