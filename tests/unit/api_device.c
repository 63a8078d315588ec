/* Devices, buffers, dispatch: what is refused, and that nothing has run then. */
#include "unit.h"

#include "tessera.h"

#include <string.h>

static const char copy[] = "@group(0) @binding(0) var<storage> a: array<u32>;\n"
                           "@group(0) @binding(1) var<storage, read_write> b: array<u32>;\n"
                           "@group(0) @binding(2) var<uniform> by: vec4u;\n"
                           "@compute @workgroup_size(8) fn main(@builtin(global_invocation_id) id: vec3u) {\n"
                           "  b[id.x] = a[id.x] + by.x;\n"
                           "}\n";

struct fixture {
    tsr_device *dev;
    tsr_module *module;
    tsr_pipeline *p;
    tsr_buffer *a, *b, *by;
    tsr_binding bindings[3];
};

static int setup(void **state)
{
    static struct fixture f;
    uint32_t words[16], by[4] = {100, 0, 0, 0};
    for (uint32_t i = 0; i < 16; i++)
        words[i] = i;
    f = (struct fixture){0};
    tsr_device_args args = {.threads = 1, .memory_limit_bytes = 4096};
    assert_int_equal(tsr_device_open(NULL, &args, &f.dev), TSR_OK);
    tsr_compile_args source = {.name = "copy.wgsl", .source = copy, .source_bytes = sizeof copy - 1};
    assert_int_equal(tsr_compile(&source, &f.module), TSR_OK);
    assert_int_equal(tsr_pipeline_create(f.dev, f.module, NULL, &f.p), TSR_OK);
    assert_int_equal(tsr_buffer_create(f.dev, sizeof words, words, &f.a), TSR_OK);
    assert_int_equal(tsr_buffer_create(f.dev, sizeof words, NULL, &f.b), TSR_OK);
    assert_int_equal(tsr_buffer_create(f.dev, sizeof by, by, &f.by), TSR_OK);
    tsr_buffer *buffers[] = {f.a, f.b, f.by};
    for (uint32_t i = 0; i < 3; i++)
        f.bindings[i] = (tsr_binding){.binding = i, .buffer = buffers[i]};
    *state = &f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    tsr_buffer_free(f->a);
    tsr_buffer_free(f->b);
    tsr_buffer_free(f->by);
    tsr_pipeline_free(f->p);
    tsr_module_free(f->module);
    tsr_device_free(f->dev);
    return 0;
}

static tsr_status dispatch(struct fixture *f, size_t count, uint32_t x, tsr_run_report *report)
{
    return tsr_dispatch(
        f->p,
        &(tsr_dispatch_args){.bindings = f->bindings, .binding_count = count, .groups = {x, 1, 1}, .report = report});
}

static void expect_untouched(struct fixture *f)
{
    uint32_t words[16];
    assert_int_equal(tsr_buffer_read(f->b, 0, words, sizeof words), TSR_OK);
    for (int i = 0; i < 16; i++)
        assert_int_equal(words[i], 0);
}

static void runs(void **state)
{
    struct fixture *f = *state;
    uint32_t words[16];
    tsr_run_report report;
    assert_int_equal(dispatch(f, 3, 2, &report), TSR_OK);
    assert_int_equal(tsr_device_wait(f->dev), TSR_OK);
    assert_int_equal(tsr_buffer_read(f->b, 0, words, sizeof words), TSR_OK);
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(words[i], 100 + i);
    assert_int_equal(report.workgroups, 2);
    assert_int_equal(report.oob_accesses, 0);
    assert_int_equal(dispatch(f, 3, 3, &report), TSR_OK);
    assert_true(report.oob_accesses >= 16);
    assert_int_equal(report.first_oob.line, 5);
    assert_true(report.first_oob_text[0] != 0);
}

static void runs_through_a_window(void **state)
{
    struct fixture *f = *state;
    uint32_t words[16];
    f->bindings[0].offset_bytes = 4;
    f->bindings[0].size_bytes = 16;
    f->bindings[1].offset_bytes = 32;
    assert_int_equal(dispatch(f, 3, 1, NULL), TSR_OK);
    assert_int_equal(tsr_buffer_read(f->b, 0, words, sizeof words), TSR_OK);
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(words[i], i < 8 ? 0 : i < 12 ? 100 + i - 7 : 100);
}

static void zero_workgroups(void **state)
{
    struct fixture *f = *state;
    tsr_run_report report = {.workgroups = 7};
    assert_int_equal(dispatch(f, 3, 0, &report), TSR_OK);
    assert_int_equal(report.workgroups, 0);
    expect_untouched(f);
}

static void refuses_bindings(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(dispatch(f, 2, 2, NULL), TSR_ERR_INVALID);
    assert_non_null(strstr(tsr_last_error(), "@binding(2) `by` is not bound"));
    f->bindings[2].binding = 1;
    assert_int_equal(dispatch(f, 3, 2, NULL), TSR_ERR_INVALID);
    assert_non_null(strstr(tsr_last_error(), "bound twice"));
    f->bindings[2].binding = 2;
    f->bindings[2].size_bytes = 12;
    assert_int_equal(dispatch(f, 3, 2, NULL), TSR_ERR_INVALID);
    assert_non_null(strstr(tsr_last_error(), "needs at least 16 bytes; it has 12"));
    f->bindings[2].size_bytes = 17;
    assert_int_equal(dispatch(f, 3, 2, NULL), TSR_ERR_INVALID);
    f->bindings[2].size_bytes = UINT64_MAX;
    f->bindings[2].offset_bytes = 4;
    assert_int_equal(dispatch(f, 3, 2, NULL), TSR_ERR_INVALID);
    assert_non_null(strstr(tsr_last_error(), "leave a buffer of 16"));
    f->bindings[2].size_bytes = f->bindings[2].offset_bytes = 0;
    f->bindings[0].offset_bytes = 2;
    assert_int_equal(dispatch(f, 3, 2, NULL), TSR_ERR_INVALID);
    assert_non_null(strstr(tsr_last_error(), "multiple of 4"));
    f->bindings[0].offset_bytes = 0;
    f->bindings[0].buffer = f->b;
    assert_int_equal(dispatch(f, 3, 2, NULL), TSR_ERR_INVALID);
    assert_non_null(strstr(tsr_last_error(), "overlap"));
    f->bindings[0].buffer = NULL;
    assert_int_equal(dispatch(f, 3, 2, NULL), TSR_ERR_INVALID);
    expect_untouched(f);
    f->bindings[0].buffer = f->b; /* side by side in one buffer is fine */
    f->bindings[0].size_bytes = 32;
    f->bindings[1].offset_bytes = 32;
    assert_int_equal(dispatch(f, 3, 1, NULL), TSR_OK);
}

static void refuses_limits(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(dispatch(f, 3, 65536, NULL), TSR_ERR_LIMIT);
    assert_non_null(strstr(tsr_last_error(), "65536 workgroups in x; cpu takes at most 65535"));
    assert_int_equal(dispatch(f, 3, UINT32_MAX, NULL), TSR_ERR_LIMIT);
    expect_untouched(f);
}

static bool stop(void *user, uint64_t done, uint64_t total)
{
    (void)user;
    return done > total;
}

static void stops(void **state)
{
    struct fixture *f = *state;
    tsr_dispatch_args args = {
        .bindings = f->bindings, .binding_count = 3, .groups = {65535, 65535, 65535}, .progress = stop};
    assert_int_equal(tsr_dispatch(f->p, &args), TSR_ERR_TIMEOUT);
    args.progress = NULL;
    args.timeout_ns = 20 * 1000 * 1000;
    assert_int_equal(tsr_dispatch(f->p, &args), TSR_ERR_TIMEOUT);
    assert_non_null(strstr(tsr_last_error(), "stopped after"));
}

static void buffers(void **state)
{
    struct fixture *f = *state;
    tsr_buffer *b = NULL;
    uint32_t word = 0;
    assert_int_equal(tsr_buffer_create(f->dev, 4096, NULL, &b), TSR_ERR_MEMORY);
    assert_non_null(strstr(tsr_last_error(), "memory limit"));
    assert_int_equal(tsr_buffer_create(f->dev, UINT64_MAX, NULL, &b), TSR_ERR_LIMIT);
    assert_null(b);
    assert_int_equal(tsr_buffer_create(f->dev, 0, NULL, &b), TSR_OK);
    assert_int_equal(tsr_buffer_size(b), 0);
    assert_int_equal(tsr_buffer_read(b, 0, &word, 0), TSR_OK);
    assert_int_equal(tsr_buffer_read(b, 0, &word, 4), TSR_ERR_INVALID);
    tsr_buffer_free(b);
    tsr_buffer_free(NULL);
    assert_int_equal(tsr_buffer_write(f->a, 61, &word, 4), TSR_ERR_INVALID);
    assert_int_equal(tsr_buffer_write(f->a, UINT64_MAX, &word, 4), TSR_ERR_INVALID);
    assert_int_equal(tsr_buffer_write(f->a, 60, &word, 4), TSR_OK);
}

#if defined(__SANITIZE_ADDRESS__)
#define HAS_ASAN 1
#elif defined(__has_feature)
#define HAS_ASAN __has_feature(address_sanitizer)
#else
#define HAS_ASAN 0
#endif

/* More than any machine has: refused by the system, not a crash. */
static void no_memory(void **state)
{
    (void)state;
    if (HAS_ASAN) skip(); /* AddressSanitizer stops the program instead */
    tsr_device *dev;
    tsr_buffer *b = NULL;
    assert_int_equal(tsr_device_open("cpu", NULL, &dev), TSR_OK);
    tsr_status st = tsr_buffer_create(dev, UINT64_C(1) << 40, NULL, &b);
    assert_true(st == TSR_ERR_MEMORY || st == TSR_OK); /* a system that lends without limit may grant it */
    tsr_buffer_free(b);
    tsr_device_free(dev);
}

static void devices(void **state)
{
    (void)state;
    tsr_device *dev = NULL;
    bool cpu = false;
    for (size_t i = 0; i < tsr_device_list_count(); i++)
        cpu = cpu || strcmp(tsr_device_list_name(i), "cpu") == 0;
    assert_true(cpu);
    assert_null(tsr_device_list_name(tsr_device_list_count()));
    assert_int_equal(tsr_device_open("nowhere", NULL, &dev), TSR_ERR_DEVICE);
    assert_int_equal(tsr_device_open("cpu:1", NULL, &dev), TSR_ERR_DEVICE);
    for (uint32_t s = 1; s <= 256; s++) {
        bool legal = s >= 4 && s <= 128 && (s & (s - 1)) == 0;
        assert_int_equal(tsr_device_open("cpu", &(tsr_device_args){.subgroup_size = s}, &dev),
                         legal ? TSR_OK : TSR_ERR_INVALID);
        if (!legal) continue;
        assert_int_equal(tsr_device_subgroup_size(dev), s);
        assert_int_equal(tsr_device_support(dev)->subgroup_sizes[0], s);
        tsr_device_free(dev);
    }
    tsr_device_free(NULL);
}

static void pipeline_outlives_module(void **state)
{
    struct fixture *f = *state;
    uint32_t size[3];
    uint64_t bytes;
    tsr_module_free(f->module);
    f->module = NULL;
    tsr_pipeline_workgroup(f->p, size, &bytes);
    assert_int_equal(size[0], 8);
    assert_int_equal(dispatch(f, 3, 2, NULL), TSR_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(runs, setup, teardown),
        cmocka_unit_test_setup_teardown(runs_through_a_window, setup, teardown),
        cmocka_unit_test_setup_teardown(zero_workgroups, setup, teardown),
        cmocka_unit_test_setup_teardown(refuses_bindings, setup, teardown),
        cmocka_unit_test_setup_teardown(refuses_limits, setup, teardown),
        cmocka_unit_test_setup_teardown(stops, setup, teardown),
        cmocka_unit_test_setup_teardown(buffers, setup, teardown),
        cmocka_unit_test_setup_teardown(pipeline_outlives_module, setup, teardown),
        cmocka_unit_test(no_memory),
        cmocka_unit_test(devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
