/* Native code of two lists of passes (exec/jit_hot.c): when the second one comes, that results stay what they were,
 * whoever runs meanwhile, and what the cache holds afterwards. Skipped where there is no libLLVM. */
#define _DEFAULT_SOURCE
#include "tessera.h"
#include "unit.h"

#include <dirent.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WORDS = 64, THREADS = 4, STEPS = 20000 };

#define LEAST_NS UINT64_C(500000000)   /* HOT_NS of jit_hot.c: not sooner than that */
#define LONG_NS  UINT64_C(1000000000)  /* of one run: more than HOT_NS and what is added for a text as short as these */
#define PATIENCE UINT64_C(60000000000) /* a busy machine, or one that runs under a sanitizer */

/* Each word goes `steps` times through a mixer, so that a wrong bit anywhere shows. */
static const char mixing[] = "@group(0) @binding(0) var<storage, read_write> d: array<u32>;\n"
                             "@group(0) @binding(1) var<storage, read> steps: u32;\n"
                             "@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {\n"
                             "    var x = i + 1u;\n"
                             "    for (var s = 0u; s < steps; s++) {\n"
                             "        x ^= x << 13u;\n        x ^= x >> 17u;\n        x ^= x << 5u;\n"
                             "        if (x % 3u == s % 3u) { x += s; }\n"
                             "    }\n"
                             "    d[i] = x;\n}\n";

/* A 16 x 16 product again and again: what stays as it was compiled first. */
static const char products[] =
    "diagnostic(off, chromium.subgroup_matrix_uniformity);\n"
    "enable subgroups;\nenable chromium_experimental_subgroup_matrix;\n"
    "@group(0) @binding(0) var<storage, read_write> d: array<u32>;\n"
    "@group(0) @binding(1) var<storage, read> steps: u32;\n"
    "var<workgroup> w: array<u32, 256>;\n"
    "@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {\n"
    "    for (var s = 0u; s < 4u; s++) { w[i + s * 64u] = i * 7u + s; }\n"
    "    workgroupBarrier();\n"
    "    let a = subgroupMatrixLoad<subgroup_matrix_left<u32, 16, 16>>(&w, 0, false, 16);\n"
    "    let b = subgroupMatrixLoad<subgroup_matrix_right<u32, 16, 16>>(&w, 0, false, 16);\n"
    "    var c: subgroup_matrix_result<u32, 16, 16>;\n"
    "    for (var s = 0u; s < steps; s++) { c = subgroupMatrixMultiplyAccumulate(a, b, c); }\n"
    "    workgroupBarrier();\n"
    "    subgroupMatrixStore(&w, 0, c, false, 16);\n"
    "    workgroupBarrier();\n"
    "    d[i] = w[i];\n}\n";

static char folder[64]; /* the cache of this test */

/* ---- A program on a device, and the memory of one who runs it. */

typedef struct program {
    tsr_device *dev;
    tsr_pipeline *pipeline;
} program;

typedef struct memory {
    tsr_buffer *result, *steps;
} memory;

static void open_program(program *p, const char *text)
{
    tsr_module *m = NULL;
    assert_int_equal(tsr_device_open("cpu", &(tsr_device_args){.threads = 1}, &p->dev), TSR_OK);
    assert_int_equal(tsr_compile(&(tsr_compile_args){.source = text, .source_bytes = strlen(text)}, &m), TSR_OK);
    assert_int_equal(tsr_pipeline_create(p->dev, m, NULL, &p->pipeline), TSR_OK);
    tsr_module_free(m);
}

static void close_program(program *p)
{
    tsr_pipeline_free(p->pipeline);
    tsr_device_free(p->dev);
}

static void open_memory(memory *m, const program *p, uint32_t steps)
{
    assert_int_equal(tsr_buffer_create(p->dev, WORDS * 4, NULL, &m->result), TSR_OK);
    assert_int_equal(tsr_buffer_create(p->dev, 4, &steps, &m->steps), TSR_OK);
}

static void close_memory(memory *m)
{
    tsr_buffer_free(m->result);
    tsr_buffer_free(m->steps);
}

/* Returns how long it took. */
static uint64_t run(const program *p, const memory *m, uint32_t *out)
{
    tsr_binding b[2] = {{.binding = 0, .buffer = m->result}, {.binding = 1, .buffer = m->steps}};
    tsr_run_report report = {0};
    tsr_dispatch_args args = {.bindings = b, .binding_count = 2, .groups = {1, 1, 1}, .report = &report};
    assert_int_equal(tsr_dispatch(p->pipeline, &args), TSR_OK);
    assert_int_equal(tsr_buffer_read(m->result, 0, out, WORDS * 4), TSR_OK);
    return report.time_ns;
}

static bool begins(const program *p, const char *words)
{
    return strncmp(tsr_pipeline_engine(p->pipeline), words, strlen(words)) == 0;
}

static bool is_hot(const program *p)
{
    return begins(p, "hot native code");
}

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

/* One run of more than LONG_NS, behind which the next one has the second code if there is to be one; after a short one
 * that says how many steps those are. */
static void run_long(const program *p)
{
    uint32_t out[WORDS];
    for (uint64_t took = 0, steps = STEPS; took < LONG_NS;) {
        memory m;
        assert_true(steps < UINT32_MAX);
        open_memory(&m, p, (uint32_t)steps);
        uint64_t ns = run(p, &m, out);
        close_memory(&m);
        took += ns;
        steps = steps * LONG_NS / 2 * 3 / (ns + 1) + 1;
    }
}

static void run_short(const program *p)
{
    uint32_t out[WORDS];
    memory m;
    open_memory(&m, p, 1);
    (void)run(p, &m, out);
    close_memory(&m);
}

/* ---- The cache. */

static size_t count_files(const char *kind)
{
    size_t count = 0, length = strlen(kind);
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));) {
        size_t n = strlen(e->d_name);
        count += n > length && strcmp(e->d_name + n - length, kind) == 0;
    }
    if (d) closedir(d);
    return count;
}

static void empty_cache(void)
{
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        (void)unlink(path);
    }
    if (d) closedir(d);
}

/* ---- In processes of their own: before this one opens libLLVM, for each opens it once. */

static int in_child(void (*work)(void))
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        work();
        exit(0);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static program left; /* to the end of a process; not a leak */

static void look_for_llvm(void)
{
    open_program(&left, mixing);
    if (!begins(&left, "native code")) _exit(77);
}

/* The first code comes from the cache; there is no libLLVM for the second. */
static void compile_in_vain(void)
{
    setenv("TSR_LLVM", "/nonexistent", 1);
    uint32_t before[WORDS], after[WORDS];
    memory m;
    open_program(&left, mixing);
    open_memory(&m, &left, STEPS);
    if (!begins(&left, "native code from the cache")) _exit(2);
    (void)run(&left, &m, before);
    run_long(&left);
    for (uint64_t end = now_ns() + 100000000; now_ns() < end;)
        (void)run(&left, &m, after);
    if (is_hot(&left) || memcmp(before, after, sizeof before) != 0) _exit(3);
    close_memory(&m);
    close_program(&left);
}

static bool has_llvm;

static void find_llvm(void)
{
    int status = in_child(look_for_llvm);
    has_llvm = WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void first_code_stays_without_second(void **state)
{
    (void)state;
    if (!has_llvm) skip();
    empty_cache();
    assert_int_equal(in_child(look_for_llvm), 0);
    assert_int_equal(in_child(compile_in_vain), 0);
    assert_int_equal(count_files(".hot"), 0);
}

/* ---- In this process. */

static void second_code_comes_after_enough_time(void **state)
{
    (void)state;
    if (!has_llvm) skip();
    uint32_t first[WORDS], out[WORDS];
    uint64_t took = 0, end = now_ns() + PATIENCE;
    program p;
    memory m;
    empty_cache();
    open_program(&p, mixing);
    open_memory(&m, &p, STEPS);
    assert_true(begins(&p, "native code, LLVM"));
    took += run(&p, &m, first);
    while (!is_hot(&p)) {
        assert_true(now_ns() < end);
        took += run(&p, &m, out);
        assert_memory_equal(out, first, sizeof out);
    }
    assert_true(took >= LEAST_NS);
    assert_true(begins(&p, "hot native code, LLVM"));
    for (int i = 0; i < 100; i++) {
        (void)run(&p, &m, out);
        assert_memory_equal(out, first, sizeof out);
    }
    close_memory(&m);
    close_program(&p);
}

/* With what the test before has left in the cache. */
static void cache_holds_both(void **state)
{
    (void)state;
    if (!has_llvm) skip();
    static const struct {
        const char *variable, *engine;
    } row[] = {{NULL, "hot native code from the cache"},
               {"hot", "hot native code from the cache"},
               {"first", "native code from the cache"}};
    uint32_t out[3][WORDS];
    for (int i = 0; i < 3; i++) {
        program p;
        memory m;
        if (row[i].variable) setenv("TSR_JIT", row[i].variable, 1);
        open_program(&p, mixing);
        unsetenv("TSR_JIT");
        open_memory(&m, &p, STEPS);
        assert_string_equal(tsr_pipeline_engine(p.pipeline), row[i].engine);
        (void)run(&p, &m, out[i]);
        assert_memory_equal(out[i], out[0], sizeof out[0]);
        close_memory(&m);
        close_program(&p);
    }
    assert_int_equal(count_files(".o"), 1);
    assert_int_equal(count_files(".hot"), 1);
}

typedef struct user {
    const program *p;
    uint32_t first[WORDS];
    bool differs;
} user;

/* On the first code, over the swap, and on the second one. */
static void *use(void *argument)
{
    user *u = argument;
    uint32_t out[WORDS];
    memory m;
    open_memory(&m, u->p, STEPS);
    (void)run(u->p, &m, u->first);
    uint64_t end = now_ns() + PATIENCE;
    for (int more = 50; more > 0 && now_ns() < end; more -= is_hot(u->p)) {
        (void)run(u->p, &m, out);
        if (memcmp(out, u->first, sizeof out) != 0) u->differs = true;
    }
    close_memory(&m);
    return NULL;
}

static void many_threads_run_meanwhile(void **state)
{
    (void)state;
    if (!has_llvm) skip();
    user users[THREADS];
    pthread_t threads[THREADS];
    program p;
    empty_cache();
    open_program(&p, mixing);
    for (int i = 0; i < THREADS; i++) {
        users[i] = (user){.p = &p};
        assert_int_equal(pthread_create(&threads[i], NULL, use, &users[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_true(is_hot(&p));
    for (int i = 0; i < THREADS; i++) {
        assert_false(users[i].differs);
        assert_memory_equal(users[i].first, users[0].first, sizeof users[0].first);
    }
    close_program(&p);
}

/* However long: who runs once does not wait for what only a next run would have. */
static void one_run_is_not_compiled_again(void **state)
{
    (void)state;
    if (!has_llvm) skip();
    empty_cache();
    program p;
    open_program(&p, mixing);
    run_long(&p);
    assert_false(is_hot(&p));
    assert_int_equal(count_files(".hot"), 0);
    run_short(&p);
    assert_true(is_hot(&p));
    assert_int_equal(count_files(".hot"), 1);
    close_program(&p);
}

/* Another process has made it meanwhile. */
static void second_code_comes_from_the_cache(void **state)
{
    (void)state;
    if (!has_llvm) skip();
    program p, other;
    empty_cache();
    open_program(&p, mixing);
    assert_true(begins(&p, "native code, LLVM"));
    setenv("TSR_JIT", "hot", 1);
    open_program(&other, mixing);
    unsetenv("TSR_JIT");
    assert_true(begins(&other, "hot native code, LLVM"));
    close_program(&other);
    run_long(&p);
    run_short(&p);
    assert_string_equal(tsr_pipeline_engine(p.pipeline), "hot native code from the cache");
    close_program(&p);
}

static void large_products_stay(void **state)
{
    (void)state;
    if (!has_llvm) skip();
    program p;
    empty_cache();
    open_program(&p, products);
    for (int i = 0; i < 2; i++)
        run_long(&p); /* its text is longer */
    run_short(&p);
    assert_true(begins(&p, "native code, LLVM"));
    close_program(&p);
    assert_int_equal(count_files(".o"), 1);
    assert_int_equal(count_files(".hot"), 0);
}

int main(void)
{
    snprintf(folder, sizeof folder, "/tmp/tsr-jit-hot-XXXXXX");
    if (!mkdtemp(folder)) return 1;
    setenv("TSR_CACHE", folder, 1);
    unsetenv("TSR_JIT");
    find_llvm();
    const struct CMUnitTest tests[] = {cmocka_unit_test(first_code_stays_without_second),
                                       cmocka_unit_test(second_code_comes_after_enough_time),
                                       cmocka_unit_test(cache_holds_both),
                                       cmocka_unit_test(many_threads_run_meanwhile),
                                       cmocka_unit_test(one_run_is_not_compiled_again),
                                       cmocka_unit_test(second_code_comes_from_the_cache),
                                       cmocka_unit_test(large_products_stay)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    empty_cache();
    (void)rmdir(folder);
    return failed;
}
