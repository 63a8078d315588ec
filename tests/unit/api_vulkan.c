/* The Vulkan driver through the API, on a driver that fails as it is told (tests/vulkan/fake_vulkan.c): what is lost
 * stays lost, nothing else is. With TSR_TEST_DEVICE=vulkan:0 the tests that compute run there instead. */
#include "unit.h"

#include "tessera.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char add[] = "@group(0) @binding(0) var<storage, read_write> x: array<u32>;\n"
                          "@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {\n"
                          "  x[id.x] = x[id.x] * 3 + 1;\n"
                          "}\n";

static tsr_module *compile(const char *source)
{
    tsr_module *m = NULL;
    tsr_compile_args args = {.name = "k.wgsl", .source = source, .source_bytes = strlen(source)};
    assert_int_equal(tsr_compile(&args, &m), TSR_OK);
    return m;
}

static void tell(const char *words)
{
    setenv("FAKE_VULKAN", words, 1);
}

/* What a program holds on one device. */
struct job {
    tsr_device *dev;
    tsr_buffer *x;
    tsr_pipeline *p;
};

static void start(struct job *j, const char *device, const tsr_module *m)
{
    uint32_t words[256];
    for (uint32_t i = 0; i < 256; i++)
        words[i] = i;
    *j = (struct job){0};
    assert_int_equal(tsr_device_open(device, NULL, &j->dev), TSR_OK);
    assert_int_equal(tsr_buffer_create(j->dev, sizeof words, words, &j->x), TSR_OK);
    assert_int_equal(tsr_pipeline_create(j->dev, m, NULL, &j->p), TSR_OK);
}

static void finish(struct job *j)
{
    tsr_pipeline_free(j->p);
    tsr_buffer_free(j->x);
    tsr_device_free(j->dev);
}

static tsr_status dispatch(struct job *j, tsr_dispatch_args *args)
{
    tsr_binding b = {.buffer = j->x};
    args->bindings = &b, args->binding_count = 1;
    args->groups[0] = 4, args->groups[1] = args->groups[2] = 1;
    return tsr_dispatch(j->p, args);
}

static void works(struct job *j)
{
    uint32_t words[256];
    tsr_run_report report = {0};
    assert_int_equal(dispatch(j, &(tsr_dispatch_args){.report = &report}), TSR_OK);
    assert_int_equal(report.workgroups, 4);
    assert_int_equal(report.time_ns, 5000);
    assert_int_equal(tsr_buffer_read(j->x, 0, words, sizeof words), TSR_OK);
    assert_int_equal(words[255], 255);
}

/* Everything that may be asked of a device after its loss is answered, with the reason. */
static void is_given_up(struct job *j, const tsr_module *m)
{
    uint32_t word = 0;
    tsr_buffer *b = NULL;
    tsr_pipeline *p = NULL;
    assert_int_equal(dispatch(j, &(tsr_dispatch_args){0}), TSR_ERR_DEVICE);
    assert_non_null(strstr(tsr_last_error(), "open it again"));
    assert_int_equal(tsr_buffer_read(j->x, 0, &word, sizeof word), TSR_ERR_DEVICE);
    assert_int_equal(tsr_buffer_write(j->x, 0, &word, sizeof word), TSR_ERR_DEVICE);
    assert_int_equal(tsr_buffer_create(j->dev, 64, NULL, &b), TSR_ERR_DEVICE);
    assert_int_equal(tsr_pipeline_create(j->dev, m, NULL, &p), TSR_ERR_DEVICE);
    assert_null(b);
    assert_null(p);
}

static void lost_device(const char *words, const char *text)
{
    tsr_module *m = compile(add);
    struct job first, second;
    tell(words);
    start(&first, "vulkan:0", m);
    start(&second, "vulkan:1", m);
    works(&second);
    assert_int_equal(dispatch(&first, &(tsr_dispatch_args){0}), TSR_ERR_DEVICE);
    assert_string_equal(tsr_last_error(), text);
    is_given_up(&first, m);
    works(&second);
    finish(&first);
    tell("two");
    start(&first, "vulkan:0", m); /* the same device, opened again */
    works(&first);
    finish(&first);
    works(&second);
    finish(&second);
    tsr_module_free(m);
}

static void loss_at_submission(void **state)
{
    (void)state;
    lost_device("two,lost-submit", "vulkan: the device was lost while running the kernel");
}

static void loss_while_running(void **state)
{
    (void)state;
    lost_device("two,lost-wait", "vulkan: the device was lost while running the kernel");
}

/* What a kernel that does not end may use is not destroyed: the driver says so on standard error, or aborts. */
static void kernel_without_end(void **state)
{
    (void)state;
    tsr_module *m = compile(add);
    struct job first, second;
    tell("two,hang");
    start(&first, "vulkan:0", m);
    start(&second, "vulkan:1", m);
    assert_int_equal(dispatch(&first, &(tsr_dispatch_args){.timeout_ns = 20000000}), TSR_ERR_TIMEOUT);
    assert_string_equal(tsr_last_error(), "vulkan: the time allowed is over while running the kernel");
    is_given_up(&first, m);
    works(&second);
    finish(&first);
    works(&second);
    finish(&second);
    tsr_module_free(m);
}

static bool stop_at_three(void *user, uint64_t done, uint64_t total)
{
    assert_int_equal(done, 0);
    assert_int_equal(total, 0);
    return ++*(int *)user < 3;
}

static void stopped_by_the_caller(void **state)
{
    (void)state;
    tsr_module *m = compile(add);
    struct job j;
    int ticks = 0;
    tell("hang");
    start(&j, "vulkan", m);
    tsr_dispatch_args args = {.progress = stop_at_three, .progress_user = &ticks};
    assert_int_equal(dispatch(&j, &args), TSR_ERR_TIMEOUT);
    assert_int_equal(ticks, 3);
    finish(&j);
    tsr_module_free(m);
}

/* A buffer that does not fit takes nothing with it. */
static void out_of_memory(void **state)
{
    (void)state;
    tsr_module *m = compile(add);
    tsr_buffer *big = NULL;
    struct job j;
    tell("memory=17000000");
    start(&j, "vulkan:0", m);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(tsr_buffer_create(j.dev, 300000, NULL, &big), TSR_ERR_MEMORY);
        assert_string_equal(tsr_last_error(), "vulkan: out of device memory while making a buffer of 300000 bytes");
        assert_null(big);
    }
    works(&j);
    finish(&j);
    tsr_module_free(m);
}

static void chosen_by(const char *name, const char *found)
{
    tsr_device *dev = NULL;
    tsr_status st = tsr_device_open(name, NULL, &dev);
    if (!found) {
        assert_int_equal(st, TSR_ERR_DEVICE);
        return;
    }
    assert_int_equal(st, TSR_OK);
    assert_string_equal(tsr_device_name(dev), found);
    tsr_device_free(dev);
}

static void choice_of_devices(void **state)
{
    (void)state;
    tell("two");
    chosen_by("vulkan", "vulkan:0");
    chosen_by("vulkan:", "vulkan:0");
    chosen_by("vulkan:0", "vulkan:0");
    chosen_by("vulkan:1", "vulkan:1");
    chosen_by("vulkan:discrete", "vulkan:0");
    chosen_by("vulkan:integrated", "vulkan:1");
    chosen_by("vulkan:spare", "vulkan:1");
    chosen_by("vulkan:GPU", "vulkan:0");
    chosen_by("vulkan:cpu", NULL);
    chosen_by("vulkan:2", NULL);
    chosen_by("vulkan:10", NULL);
    assert_non_null(strstr(tsr_last_error(), "no device is \"10\"; there are 2"));
}

static void subgroup_sizes(void **state)
{
    (void)state;
    tsr_device *dev = NULL;
    tell("");
    assert_int_equal(tsr_device_open("vulkan:0", &(tsr_device_args){.subgroup_size = 64}, &dev), TSR_OK);
    assert_int_equal(tsr_device_subgroup_size(dev), 64);
    tsr_device_free(dev);
    static const uint32_t wrong[] = {8, 24, 128, 33};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(tsr_device_open("vulkan:0", &(tsr_device_args){.subgroup_size = wrong[i]}, &dev),
                         TSR_ERR_INVALID);
    tell("no-size-control"); /* 32 and nothing else */
    assert_int_equal(tsr_device_open("vulkan:0", &(tsr_device_args){.subgroup_size = 64}, &dev), TSR_ERR_INVALID);
    assert_string_equal(tsr_last_error(), "vulkan:0 has no subgroup size 64; it has 32 alone");
}

/* ---- Two threads, one device. */

enum { ROUNDS = 40, WORDS = 5000 };

struct worker {
    tsr_device *dev;
    const tsr_module *module;
    uint32_t seed;
    bool computes; /* the fake device does not */
    const char *wrong;
};

static const char *work_once(struct worker *w, uint32_t seed)
{
    static _Thread_local uint32_t in[WORDS], out[WORDS];
    tsr_buffer *x = NULL;
    tsr_pipeline *p = NULL;
    tsr_run_report report = {0};
    for (uint32_t i = 0; i < WORDS; i++)
        in[i] = seed * 7919 + i;
    tsr_status st = tsr_buffer_create(w->dev, sizeof in, in, &x);
    if (st == TSR_OK) st = tsr_pipeline_create(w->dev, w->module, NULL, &p);
    tsr_binding b = {.buffer = x};
    tsr_dispatch_args args = {
        .bindings = &b, .binding_count = 1, .groups = {(WORDS + 63) / 64, 1, 1}, .report = &report};
    if (st == TSR_OK) st = tsr_dispatch(p, &args);
    if (st == TSR_OK) st = tsr_buffer_read(x, 0, out, sizeof out);
    tsr_pipeline_free(p);
    tsr_buffer_free(x);
    if (st != TSR_OK) return tsr_status_name(st);
    for (uint32_t i = 0; i < WORDS; i++)
        if (out[i] != (w->computes ? in[i] * 3 + 1 : in[i])) return "a wrong result";
    return NULL;
}

static void *work(void *user)
{
    struct worker *w = user;
    for (uint32_t i = 0; i < ROUNDS && !w->wrong; i++)
        w->wrong = work_once(w, w->seed * ROUNDS + i);
    return NULL;
}

static void two_threads(void **state)
{
    (void)state;
    enum { THREADS = 3 };
    const char *real = getenv("TSR_TEST_DEVICE");
    tsr_module *m = compile(add);
    tsr_device *dev = NULL;
    struct worker workers[THREADS];
    pthread_t threads[THREADS];
    tell("");
    assert_int_equal(tsr_device_open(real ? real : "vulkan:0", NULL, &dev), TSR_OK);
    for (uint32_t i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){.dev = dev, .module = m, .seed = i, .computes = real != NULL};
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (uint32_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        if (workers[i].wrong) fail_msg("thread %u: %s", (unsigned)i, workers[i].wrong);
    }
    tsr_device_free(dev);
    tsr_module_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loss_at_submission), cmocka_unit_test(loss_while_running),
        cmocka_unit_test(kernel_without_end), cmocka_unit_test(stopped_by_the_caller),
        cmocka_unit_test(out_of_memory),      cmocka_unit_test(choice_of_devices),
        cmocka_unit_test(subgroup_sizes),     cmocka_unit_test(two_threads),
    };
    if (getenv("TSR_TEST_DEVICE")) cmocka_set_test_filter("two_threads");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
