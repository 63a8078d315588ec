/* Compiling and reflection through the public header. */
#include "unit.h"

#include "tessera.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tsr_status compile(const char *text, tsr_module **out)
{
    return tsr_compile(&(tsr_compile_args){.name = "t.wgsl", .source = text, .source_bytes = strlen(text)}, out);
}

static tsr_module *compile_good(const char *text)
{
    tsr_module *m = NULL;
    if (compile(text, &m) != TSR_OK) {
        for (size_t i = 0; i < tsr_module_diagnostic_count(m); i++)
            print_message("%s", tsr_module_diagnostic_text(m, i, 0));
        fail_msg("%s", tsr_last_error());
    }
    return m;
}

static void arguments(void **state)
{
    (void)state;
    tsr_module *m = NULL;
    assert_int_equal(tsr_compile(NULL, &m), TSR_ERR_INVALID);
    assert_int_equal(tsr_compile(&(tsr_compile_args){.source_bytes = 5}, &m), TSR_ERR_INVALID);
    assert_int_equal(tsr_compile(&(tsr_compile_args){.source = "x", .source_bytes = (size_t)3 << 30}, &m),
                     TSR_ERR_LIMIT);
    assert_non_null(strstr(tsr_last_error(), "at most"));
    assert_null(m);
    tsr_module_free(NULL);
    assert_int_equal(tsr_module_diagnostic_count(NULL), 0);
    assert_string_equal(tsr_status_name(TSR_ERR_SOURCE), "TSR_ERR_SOURCE");
    assert_string_equal(tsr_status_name((tsr_status)99), "unknown status");
    assert_string_equal(tsr_version(), "0.1.0");
}

static void empty_and_broken_sources(void **state)
{
    (void)state;
    static const char bytes[] = {'f', 'n', ' ', '\xff', '\xfe', 0, 1, '('};
    tsr_module *m = compile_good("");
    assert_int_equal(tsr_module_entry_count(m), 0);
    tsr_module_free(m);
    assert_int_equal(tsr_compile(&(tsr_compile_args){.source = bytes, .source_bytes = sizeof bytes}, &m),
                     TSR_ERR_SOURCE);
    assert_true(tsr_module_diagnostic_count(m) > 0);
    assert_non_null(strstr(tsr_module_diagnostic_text(m, 0, 0), "<source>"));
    assert_int_equal(tsr_module_entry_count(m), 0);
    assert_string_equal(tsr_module_ir_text(m), "");
    tsr_module_free(m);
}

static void diagnostics_come_by_place(void **state)
{
    (void)state;
    tsr_module *m = NULL;
    assert_int_equal(compile("fn a() { let x: u32 = y; }\nfn b() -> u32 { return z; }\nconst c = d;\n", &m),
                     TSR_ERR_SOURCE);
    assert_int_equal(tsr_module_diagnostic_count(m), 3);
    for (uint32_t i = 0; i < 3; i++) {
        tsr_diagnostic d = tsr_module_diagnostic(m, i);
        assert_int_equal(d.severity, TSR_SEVERITY_ERROR);
        assert_int_equal(d.place.line, i + 1);
        assert_true(d.number >= 100);
    }
    tsr_diagnostic first = tsr_module_diagnostic(m, 0);
    assert_int_equal(first.place.column, 23);
    assert_int_equal(first.place.offset_bytes, 22);
    assert_int_equal(first.place.length_bytes, 1);
    const char *text = tsr_module_diagnostic_text(m, 0, 0);
    assert_non_null(strstr(text, "t.wgsl:1:23: error: "));
    assert_non_null(strstr(text, "\n                      ^"));
    assert_non_null(strstr(tsr_module_diagnostic_text(m, 0, 1), "\033["));
    assert_ptr_equal(text, tsr_module_diagnostic_text(m, 0, 0));
    assert_string_equal(tsr_module_diagnostic(m, 3).message, "");
    assert_string_equal(tsr_module_diagnostic_text(m, 3, 0), "");
    tsr_module_free(m);
}

/* A limit at every size up to what is needed: always a clean refusal, never a crash or a leak. */
static void memory_limits(void **state)
{
    (void)state;
    static const char text[] = "override n = 4; var<workgroup> w: array<f32, n>;\n"
                               "@compute @workgroup_size(n) fn main() { w[0] = f32(n) * 2.0; }\n";
    tsr_module *m = NULL;
    size_t limit = 1000;
    for (;; limit += 7919) {
        tsr_status st = tsr_compile(
            &(tsr_compile_args){.source = text, .source_bytes = sizeof text - 1, .memory_limit_bytes = limit}, &m);
        if (st == TSR_OK) break;
        assert_int_equal(st, TSR_ERR_MEMORY);
        assert_null(m);
        assert_non_null(strstr(tsr_last_error(), "limit"));
        assert_true(limit < (size_t)64 << 20);
    }
    assert_true(limit > 1000);
    tsr_module_free(m);
}

static const char reflected[] = "enable f16; enable subgroups; enable chromium_experimental_subgroup_matrix; "
                                "diagnostic(off, chromium.subgroup_matrix_uniformity);\n"
                                "struct P { n: u32, f: f32 }\n"
                                "struct T { head: vec3f, tail: array<vec2f> }\n"
                                "@group(1) @binding(0) var<uniform> p: P;\n"
                                "@group(0) @binding(3) var<storage, read_write> c: array<f32>;\n"
                                "@group(0) @binding(1) var<storage> a: array<f16>;\n"
                                "@group(0) @binding(2) var<storage> t: T;\n"
                                "@group(0) @binding(7) var<storage> unused: array<u32, 6>;\n"
                                "override k = 8u;\n"
                                "@id(9) override free: f32;\n"
                                "override twice = free * 2.0;\n"
                                "override yes = true;\n"
                                "var<workgroup> w: array<u32, k * 3u>;\n"
                                "fn helper() -> f32 { return t.head.x; }\n"
                                "@compute @workgroup_size(32, k) fn main(@builtin(subgroup_size) s: u32) {\n"
                                "  let l = subgroupMatrixLoad<subgroup_matrix_left<f16, 16, 8>>(&a, 0, false, 16);\n"
                                "  let r = subgroupMatrixLoad<subgroup_matrix_right<f16, 8, 16>>(&a, 0, true, 16);\n"
                                "  var d: subgroup_matrix_result<f32, 8, 8>;\n"
                                "  d = subgroupMatrixMultiplyAccumulate(l, r, d);\n"
                                "  d = subgroupMatrixMultiplyAccumulate(l, r, d);\n"
                                "  subgroupMatrixStore(&c, p.n + w[s] + u32(helper()), d, false, 8);\n"
                                "}\n"
                                "@compute @workgroup_size(1) fn second() { c[0] = twice; }\n"
                                "@fragment fn third() {}\n";

static void reflects_entries(void **state)
{
    (void)state;
    tsr_module *m = compile_good(reflected);
    tsr_entry_info e;
    assert_int_equal(tsr_module_entry_count(m), 3);
    assert_int_equal(tsr_module_entry(m, 0, &e), TSR_OK);
    assert_string_equal(e.name, "main");
    assert_int_equal(e.stage, TSR_STAGE_COMPUTE);
    assert_true(e.size_known && e.uses_matrices && e.uses_subgroups && e.uses_f16);
    assert_int_equal(e.workgroup_size[0], 32);
    assert_int_equal(e.workgroup_size[1], 8);
    assert_int_equal(e.workgroup_size[2], 1);
    assert_int_equal(e.workgroup_bytes, 8 * 3 * 4);
    assert_int_equal(tsr_module_entry(m, 1, &e), TSR_OK);
    assert_false(e.uses_matrices || e.uses_subgroups || e.uses_f16);
    assert_int_equal(e.workgroup_bytes, 0);
    assert_int_equal(tsr_module_entry(m, 2, &e), TSR_OK);
    assert_int_equal(e.stage, TSR_STAGE_FRAGMENT);
    assert_int_equal(tsr_module_entry(m, 3, &e), TSR_ERR_INVALID);
    tsr_module_free(m);
}

static void reflects_bindings(void **state)
{
    (void)state;
    static const struct {
        const char *name, *scalar;
        uint32_t group, binding, stride;
        uint64_t min_bytes;
        tsr_binding_kind kind;
    } expected[] = {{"a", "f16", 0, 1, 2, 2, TSR_BINDING_STORAGE_READ},
                    {"t", "f32", 0, 2, 8, 32, TSR_BINDING_STORAGE_READ},
                    {"c", "f32", 0, 3, 4, 4, TSR_BINDING_STORAGE_READ_WRITE},
                    {"p", "", 1, 0, 0, 8, TSR_BINDING_UNIFORM}};
    tsr_module *m = compile_good(reflected);
    tsr_binding_info b;
    assert_int_equal(tsr_module_binding_count(m, "main"), 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(tsr_module_binding(m, "main", i, &b), TSR_OK);
        assert_string_equal(b.name, expected[i].name);
        assert_string_equal(b.scalar, expected[i].scalar);
        assert_int_equal(b.group, expected[i].group);
        assert_int_equal(b.binding, expected[i].binding);
        assert_int_equal(b.element_stride, expected[i].stride);
        assert_int_equal(b.min_bytes, expected[i].min_bytes);
        assert_int_equal(b.kind, expected[i].kind);
    }
    assert_string_equal(b.type, "P");
    assert_int_equal(tsr_module_binding_count(m, "second"), 1);
    assert_int_equal(tsr_module_binding_count(m, "none"), 0);
    assert_int_equal(tsr_module_binding_count(m, NULL), 5);
    assert_int_equal(tsr_module_binding(m, NULL, 3, &b), TSR_OK);
    assert_string_equal(b.name, "unused");
    assert_string_equal(b.type, "array<u32, 6>");
    assert_int_equal(b.min_bytes, 24);
    assert_int_equal(tsr_module_binding(m, "main", 4, &b), TSR_ERR_INVALID);
    tsr_module_free(m);
}

static void reflects_overrides_and_configs(void **state)
{
    (void)state;
    tsr_module *m = compile_good(reflected);
    tsr_override_info o;
    tsr_config c;
    char name[64];
    assert_int_equal(tsr_module_override_count(m), 4);
    assert_int_equal(tsr_module_override(m, 0, &o), TSR_OK);
    assert_string_equal(o.name, "k");
    assert_string_equal(o.type, "u32");
    assert_true(o.has_default && o.default_known && !o.has_id && o.default_value == 8);
    assert_int_equal(tsr_module_override(m, 1, &o), TSR_OK);
    assert_true(!o.has_default && !o.default_known && o.has_id && o.id == 9);
    assert_int_equal(tsr_module_override(m, 2, &o), TSR_OK);
    assert_true(o.has_default && !o.default_known);
    assert_int_equal(tsr_module_override(m, 3, &o), TSR_OK);
    assert_true(o.default_known && o.default_value == 1);
    assert_int_equal(tsr_module_override(m, 4, &o), TSR_ERR_INVALID);
    assert_int_equal(tsr_module_config_count(m, "main"), 1);
    assert_int_equal(tsr_module_config_count(m, NULL), 1);
    assert_int_equal(tsr_module_config_count(m, "second"), 0);
    assert_int_equal(tsr_module_config(m, "main", 0, &c), TSR_OK);
    tsr_config_name(&c, name, sizeof name);
    assert_string_equal(name, "8x8x16 f16*f16+f32->f32 subgroup");
    assert_int_equal(tsr_module_config(m, "main", 1, &c), TSR_ERR_INVALID);
    tsr_module_free(m);
}

static void ir_text_compiles_again(void **state)
{
    (void)state;
    tsr_module *m = compile_good(reflected), *again = NULL;
    const char *text = tsr_module_ir_text(m);
    tsr_compile_args args = {.source = text, .source_bytes = strlen(text), .ir_text = true};
    assert_int_equal(tsr_compile(&args, &again), TSR_OK);
    assert_string_equal(tsr_module_ir_text(again), text);
    assert_int_equal(tsr_module_binding_count(again, "main"), 4);
    tsr_module_free(again);
    args = (tsr_compile_args){.source = "tessera_ir 1\nfn", .source_bytes = 15, .ir_text = true};
    assert_int_equal(tsr_compile(&args, &again), TSR_ERR_SOURCE);
    tsr_module_free(again);
    tsr_module_free(m);
}

/* Hundreds of entry points that share a chain of functions: time stays in proportion. */
static void many_entries(void **state)
{
    (void)state;
    enum { COUNT = 400 };
    size_t cap = 64 * 1024, n = 0;
    char *text = malloc(cap);
    n += (size_t)snprintf(text + n, cap - n,
                          "@group(0) @binding(0) var<storage, read_write> d: array<u32>;\nfn f0() { d[0] = 1; }\n");
    for (int i = 1; i < COUNT; i++)
        n += (size_t)snprintf(text + n, cap - n, "fn f%d() { f%d(); }\n", i, i - 1);
    for (int i = 0; i < COUNT; i++)
        n += (size_t)snprintf(text + n, cap - n, "@compute @workgroup_size(1) fn e%d() { f%d(); }\n", i, i);
    tsr_module *m = compile_good(text);
    assert_int_equal(tsr_module_entry_count(m), COUNT);
    assert_int_equal(tsr_module_binding_count(m, "e399"), 1);
    tsr_module_free(m);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments),
        cmocka_unit_test(empty_and_broken_sources),
        cmocka_unit_test(diagnostics_come_by_place),
        cmocka_unit_test(memory_limits),
        cmocka_unit_test(reflects_entries),
        cmocka_unit_test(reflects_bindings),
        cmocka_unit_test(reflects_overrides_and_configs),
        cmocka_unit_test(ir_text_compiles_again),
        cmocka_unit_test(many_entries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
