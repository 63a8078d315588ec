/* Declarations, types, functions and statements: one small program a rule, and what must be said about it. */
#include "wgsl_whole.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct sample {
    tsr_diag_code code; /* TSR_E_NONE: accepted */
    const char *text;
} sample;

static bool has_code(const front *p, tsr_diag_code code)
{
    for (const tsr_diag *d = p->diags.first; d != NULL; d = d->next) {
        if (d->code == code) return true;
    }
    return false;
}

static void check_samples(const sample *samples, size_t count)
{
    bool all = true;
    for (size_t i = 0; i < count; i++) {
        front p;
        front_run(&p, samples[i].text);
        bool right = samples[i].code == TSR_E_NONE ? p.ok : !p.ok && has_code(&p, samples[i].code);
        /* One mistake, one message. */
        if (right && samples[i].code != TSR_E_NONE && p.diags.error_count != 1) right = false;
        if (!right)
            print_error("expected %d for\n%s\nfound\n%s\n", samples[i].code, samples[i].text,
                        tsr_text_get(&p.messages));
        all = all && right;
        front_free(&p);
    }
    assert_true(all);
}

static bool is_accepted(const char *text)
{
    front p;
    front_run(&p, text);
    bool ok = p.ok;
    front_free(&p);
    return ok;
}

#define CHECK(samples) check_samples(samples, sizeof(samples) / sizeof((samples)[0]))
#define MAIN(body)     "@compute @workgroup_size(1) fn main() {" body "}"
#define FN(body)       "fn f() {" body "}"

static void test_scopes(void **state)
{
    static const sample samples[] = {
        {TSR_E_NONE, "const a = b + 1; const b = c; const c = 3; const_assert a == 4;"},
        {TSR_E_NONE,
         "var<private> modf: f32 = 0; fn f(foo: f32) { { var foo: f32; } var bar = foo; { var bar = bar; } }"},
        {TSR_E_NONE, "fn f(f: i32) -> i32 { return f; }"},
        {TSR_E_NONE, "fn min() -> u32 { return 0; } const rgba8unorm = 12; fn g() -> u32 { return min(); }"},
        {TSR_E_NONE, FN("for (var i = 0; i < 4; i++) { { let i = 2u; _ = i; } } for (var i = 0u; i < 4; i++) {}")},
        {TSR_E_NONE, "const private = 1; fn f() { var x = private; }"},
        {TSR_E_NONE,
         "const position = 3; struct V { @builtin(position) p: vec4f } @vertex fn v() -> V { return V(); }"},
        {TSR_E_VAR_SPACE, "const private = 1; var<private> x: i32;"},
        {TSR_E_REDECLARED, "const a = 1; var<private> a: i32;"},
        {TSR_E_REDECLARED, "fn f(a: i32) { let a = 2; }"},
        {TSR_E_REDECLARED, "fn f(a: i32, a: i32) {}"},
        {TSR_E_REDECLARED, FN("let a = 1; var a = 2;")},
        {TSR_E_NONE, FN("for (var i = 0; i < 4; i++) { var i = 1; }")},
        {TSR_E_EXPR_NAME, FN("{ let a = 1; } let b = a;")},
        {TSR_E_EXPR_NAME, FN("let a = a;")},
        {TSR_E_DECL_CYCLE, "const a = b; const b = c + 1; const c = a;"},
        {TSR_E_DECL_CYCLE, "const a = a;"},
        {TSR_E_DECL_CYCLE, "struct S { a: array<S, 2> }"},
        {TSR_E_DECL_CYCLE, "alias A = B; alias B = array<A, 2>;"},
        {TSR_E_DECL_CYCLE, "override a: u32 = b; override b: u32 = a;"},
        {TSR_E_FN_RECURSION, "fn f() { g(); } fn g() { h(); } fn h() { f(); }"},
        {TSR_E_FN_RECURSION, "fn f() { f(); }"},
        {TSR_E_NONE, "fn f() { let g = 1; _ = g; } fn g() { f(); }"},
    };
    (void)state;
    CHECK(samples);
}

static void test_types(void **state)
{
    static const sample samples[] = {
        {TSR_E_NONE,
         "alias A = array<vec4<f32>, 4>; alias B = mat2x3f; alias C = ptr<function, A>; alias D = atomic<u32>;"},
        {TSR_E_NONE, "enable f16; alias A = vec3h; alias B = mat4x4<f16>;"},
        {TSR_E_NONE, "const n = 2; alias A = array<f32, n * 2 + 1>; var<private> a: A = array<f32, 5>();"},
        {TSR_E_NONE, "alias T = texture_storage_2d<rgba8unorm, write>; @group(0) @binding(0) var t: T;"},
        {TSR_E_NONE, "override n = 4u; var<workgroup> a: array<f32, n>; var<workgroup> b: array<f32, n + 1>;"},
        {TSR_E_NONE, "struct S { a: u32, b: array<u32> } @group(0) @binding(0) var<storage> s: S;"},
        {TSR_E_EXTENSION_NEEDED, "alias A = vec3h;"},
        {TSR_E_EXTENSION_NEEDED, "alias A = f16;"},
        {TSR_E_TYPE_UNKNOWN, "alias A = vec5<f32>;"},
        {TSR_E_TYPE_UNKNOWN, "var<private> x: float;"},
        {TSR_E_NOT_A_TYPE, "const a = 1; alias B = a;"},
        {TSR_E_NOT_A_TYPE, "fn f() {} alias B = f;"},
        {TSR_E_TYPE_ARGS, "alias A = vec3;"},
        {TSR_E_TYPE_ARGS, "alias A = array;"},
        {TSR_E_TYPE_ARGS, "alias A = f32<2>;"},
        {TSR_E_TYPE_ARGS, "struct S { a: i32 } alias A = S<i32>;"},
        {TSR_E_TYPE_ARGS, "alias A = vec3<vec3f>;"},
        {TSR_E_TYPE_ARGS, "alias A = mat2x2<i32>;"},
        {TSR_E_TYPE_ARGS, "alias A = atomic<f32>;"},
        {TSR_E_ARRAY_COUNT, "alias A = array<f32, 0>;"},
        {TSR_E_ARRAY_COUNT, "alias A = array<f32, -1>;"},
        {TSR_E_ARRAY_ELEMENT, "alias A = array<array<f32>, 2>;"},
        {TSR_E_ARRAY_ELEMENT, "alias A = array<ptr<function, f32>, 2>;"},
        {TSR_E_ARRAY_ELEMENT, "alias A = array<sampler, 2>;"},
        {TSR_E_ARRAY_ELEMENT, "override n = 2u; alias A = array<array<f32, n>, 2>;"},
        {TSR_E_TYPE_SIZE, "alias A = array<vec4f, 4294967295u>;"},
        {TSR_E_TYPE_SIZE, "alias A = array<array<array<f32, 65536>, 65536>, 65536>;"},
        {TSR_E_STORE_TYPE, "var<private> a: array<f32, 100000>;"},
        {TSR_E_STORE_TYPE, "override n = 2u; var<private> a: array<f32, n>;"},
        {TSR_E_STORE_TYPE, "var<private> a: atomic<u32>;"},
        {TSR_E_STORE_TYPE, "@group(0) @binding(0) var<storage> a: bool;"},
        {TSR_E_STORE_TYPE, "@group(0) @binding(0) var<uniform> a: array<u32>;"},
        {TSR_E_STORE_TYPE, "var<workgroup> a: array<u32>;"},
        {TSR_E_STORE_TYPE, "var<private> a: sampler;"},
        {TSR_E_STORE_TYPE, "alias A = ptr<private, array<f32>>;"},
        {TSR_E_TYPE_DEPTH, "alias A = array<f32, 2>; alias B = array<array<array<array<A, 2>, 2>, 2>, 2>;"
                           "alias C = array<array<array<array<B, 1>, 1>, 1>, 1>;"
                           "alias D = array<array<array<array<array<array<array<C, 1>, 1>, 1>, 1>, 1>, 1>, 1>;"},
        {TSR_E_VAR_ACCESS, "alias A = ptr<function, f32, read>;"},
        {TSR_E_VAR_ACCESS, "alias A = ptr<storage, atomic<u32>>;"},
        {TSR_E_VAR_SPACE, "alias A = ptr<nowhere, f32>;"},
    };
    (void)state;
    CHECK(samples);
}

static void test_structs(void **state)
{
    static const sample samples[] = {
        {TSR_E_NONE, "struct S { @align(16) a: f32, @size(32) b: f32, @location(0) c: f32, }"},
        {TSR_E_STRUCT_MEMBER, "struct S { a: i32, a: f32 }"},
        {TSR_E_STRUCT_MEMBER, "struct S { a: array<f32>, b: f32 }"},
        {TSR_E_STRUCT_MEMBER, "struct S { a: array<f32> } struct T { s: S }"},
        {TSR_E_STRUCT_MEMBER, "struct S { a: ptr<function, f32> }"},
        {TSR_E_ATTR_ARGS, "struct S { @align(12) a: f32 }"},
        {TSR_E_ATTR_ARGS, "struct S { @align(4) a: vec4f }"},
        {TSR_E_ATTR_ARGS, "struct S { @size(4) a: vec4f }"},
        {TSR_E_ATTR_ARGS, "struct S { @size(-4) a: f32 }"},
        {TSR_E_ATTR_ARGS, "struct S { @size(4, 4) a: f32 }"},
        {TSR_E_ATTR_PLACE, "struct S { @size(64) a: array<f32> }"},
        {TSR_E_ATTR_PLACE, "struct S { @compute a: f32 }"},
        {TSR_E_ATTR_UNKNOWN, "struct S { @aling(4) a: f32 }"},
        {TSR_E_ATTR_TWICE, "struct S { @align(4) @align(8) a: f32 }"},
        {TSR_E_NONE, "struct S { a: vec4f, b: array<vec4f, 3> } @group(0) @binding(0) var<uniform> s: S;"},
        {TSR_E_NONE, "@group(0) @binding(0) var<uniform> s: array<f32, 4>;"},
        {TSR_E_NONE, "struct I { a: f32 } struct S { a: f32, i: I } @group(0) @binding(0) var<uniform> s: S;"},
        {TSR_E_NONE, "struct I { a: f32 } struct S { i: I, b: f32 } @group(0) @binding(0) var<uniform> s: S;"},
        {TSR_E_NONE,
         "struct I { a: f32 } struct S { i: I, @align(16) b: f32 } @group(0) @binding(0) var<uniform> s: S;"},
        {TSR_E_NONE, "requires uniform_buffer_standard_layout; @group(0) @binding(0) var<uniform> s: array<f32, 4>;"},
    };
    (void)state;
    CHECK(samples);
}

static void test_values(void **state)
{
    static const sample samples[] = {
        {TSR_E_NONE, "const a: f32 = 1; const b = vec3(1, 2.5, 3); const c = array(1, 2, 3); const_assert c[1] == 2;"},
        {TSR_E_NONE, "enable f16; override a: f16; override b = true; @id(3) override c: i32 = 4; override d = a;"},
        {TSR_E_NONE, "var<private> a = 3; var<private> b: vec3f = vec3(1); override n = 3; var<private> c = n * 2;"},
        {TSR_E_CONST_ASSERT, "const_assert 1 > 2;"},
        {TSR_E_CONST_ASSERT, FN("const_assert false;")},
        {TSR_E_CONST_DECL, "@group(0) @binding(0) var<storage> s: u32; const a: array<u32> = array<u32>();"},
        {TSR_E_OVERRIDE_DECL, "override a = vec2(1);"},
        {TSR_E_OVERRIDE_DECL, "override a: vec2f;"},
        {TSR_E_OVERRIDE_ID, "@id(1) override a = 1; @id(1) override b = 1;"},
        {TSR_E_ATTR_ARGS, "@id(65536) override a = 1;"},
        {TSR_E_ATTR_PLACE, "@id(1) var<private> a = 1;"},
        {TSR_E_VAR_SPACE, "var a: f32;"},
        {TSR_E_VAR_SPACE, "var<function> a: f32;"},
        {TSR_E_VAR_SPACE, "var<global> a: f32;"},
        {TSR_E_VAR_ACCESS, "var<private, read> a: f32;"},
        {TSR_E_VAR_ACCESS, "@group(0) @binding(0) var<storage, write> a: f32;"},
        {TSR_E_VAR_ACCESS, "@group(0) @binding(0) var<storage> a: atomic<u32>;"},
        {TSR_E_VAR_INIT, "var<workgroup> a: f32 = 1;"},
        {TSR_E_EXPR_NOT_OVERRIDE, "var<private> a: i32; var<private> b = a;"},
        {TSR_E_VAR_INIT, "var<private> a;"},
        {TSR_E_VAR_BINDING, "var<uniform> a: f32;"},
        {TSR_E_VAR_BINDING, "@group(0) var<storage> a: f32;"},
        {TSR_E_VAR_BINDING, "@group(0) @binding(0) var<private> a: f32;"},
        {TSR_E_ATTR_ARGS, "@group(-1) @binding(0) var<storage> a: f32;"},
        {TSR_E_BINDING_CLASH, "@group(0) @binding(0) var<storage> a: f32; @group(0) @binding(0) var<storage> b: f32;"
                              "fn g() { _ = b; } " MAIN("_ = a; g();")},
        {TSR_E_NONE, "@group(0) @binding(0) var<storage> a: f32; @group(0) @binding(0) var<storage> b: f32;" MAIN(
                         "_ = a;") "@compute @workgroup_size(1) fn other() { _ = b; }"},
    };
    (void)state;
    CHECK(samples);
}

static void test_directives(void **state)
{
    static const sample samples[] = {
        {TSR_E_NONE, "enable f16, subgroups; enable subgroup_matrix; requires subgroup_id, linear_indexing;"},
        {TSR_E_NONE, "enable chromium_experimental_subgroup_matrix;"
                     "diagnostic(off, chromium.subgroup_matrix_uniformity);"},
        {TSR_E_NONE, "diagnostic(off, subgroup_uniformity); diagnostic(off, subgroup_uniformity);"},
        {TSR_E_NONE, "diagnostic(info, made_up_rule);"},
        {TSR_E_EXTENSION_UNKNOWN, "enable subgroup;"},
        {TSR_E_FEATURE_UNKNOWN, "requires time_travel;"},
        {TSR_E_SEVERITY_UNKNOWN, "diagnostic(fatal, subgroup_uniformity);"},
        {TSR_E_RULE_CONFLICT, "diagnostic(off, subgroup_uniformity); diagnostic(error, subgroup_uniformity);"},
        {TSR_E_RULE_CONFLICT, "@diagnostic(off, subgroup_uniformity) @diagnostic(info, subgroup_uniformity) fn f() {}"},
        {TSR_E_NONE, "@diagnostic(off, subgroup_uniformity) @diagnostic(info, derivative_uniformity) fn f() {}"},
        {TSR_E_RULE_CONFLICT, "@diagnostic(off, subgroup_uniformity) @diagnostic(off, subgroup_uniformity) fn f() {}"},
        {TSR_E_ATTR_ARGS, FN("@diagnostic(off) if true {}")},
        {TSR_E_ATTR_PLACE, FN("@align(4) if true {}")},
    };
    (void)state;
    CHECK(samples);
}

static void test_functions(void **state)
{
    static const sample samples[] = {
        {TSR_E_NONE, "fn f(a: ptr<function, i32>, b: vec3f, c: array<f32, 2>) -> array<f32, 2> { return c; }"},
        {TSR_E_NONE, "fn f(t: texture_2d<f32>, s: sampler) {} "},
        {TSR_E_NONE, "@must_use fn f() -> i32 { return 1; } fn g() { _ = f(); let x = f(); }"},
        {TSR_E_FN_PARAM, "fn f(a: atomic<u32>) {}"},
        {TSR_E_FN_PARAM, "fn f(a: array<u32>) {}"},
        {TSR_E_FN_RESULT, "fn f() -> atomic<u32> {}"},
        {TSR_E_FN_RESULT, "var<private> x: i32; fn f() -> ptr<private, i32> { return &x; }"},
        {TSR_E_ATTR_PLACE, "@must_use fn f() {}"},
        {TSR_E_ATTR_PLACE, "@const fn f() -> i32 { return 1; }"},
        {TSR_E_ATTR_PLACE, "fn f(@builtin(subgroup_size) a: u32) {}"},
        {TSR_E_RESULT_UNUSED, "@must_use fn f() -> i32 { return 1; } fn g() { f(); }"},
        {TSR_E_RETURN_MISSING, "fn f() -> i32 {}"},
        {TSR_E_RETURN_MISSING, "fn f(a: bool) -> i32 { if a { return 1; } }"},
        {TSR_E_RETURN_MISSING, "fn f(a: i32) -> i32 { while a > 1 { return 1; } }"},
        {TSR_E_RETURN_MISSING, "fn f(a: i32) -> i32 { switch a { case 1: { return 1; } default: { break; } } }"},
        {TSR_E_NONE, "fn f(a: bool) -> i32 { if a { return 1; } else { return 2; } }"},
        {TSR_E_NONE, "fn f(a: i32) -> i32 { switch a { case 1: { return 1; } default: { return 3; } } }"},
        {TSR_E_NONE, "fn f() -> i32 { loop { return 1; } }"},
        {TSR_E_NONE, "fn f() -> i32 { return 1; return 2; }"},
        {TSR_E_RETURN_VALUE, "fn f() { return 1; }"},
        {TSR_E_RETURN_VALUE, "fn f() -> i32 { return; }"},
        {TSR_E_EXPR_NOT_VALUE, "fn g() {} fn f() -> i32 { return g(); }"},
        {TSR_E_EXPR_CONVERT, "fn f() -> i32 { return 1.5; }"},
        {TSR_E_EXPR_CONVERT, "fn f() -> i32 { return 1u; }"},
        {TSR_E_NONE, "fn f(p: ptr<function, i32>, q: ptr<function, i32>) { *p = *q; }"
                     "fn g() { var a: i32; var b: i32; f(&a, &b); }"},
        {TSR_E_NONE, "fn f(p: ptr<function, i32>, q: ptr<function, i32>) -> i32 { return *p + *q; }"
                     "fn g() { var a: i32; _ = f(&a, &a); }"},
        {TSR_E_ALIASING,
         "fn f(p: ptr<function, i32>, q: ptr<function, i32>) { *p = *q; } fn g() { var a: i32; f(&a, &a); }"},
        {TSR_E_ALIASING, "var<private> x: i32; fn f(p: ptr<private, i32>) { *p = 1; x = 2; } fn g() { f(&x); }"},
        {TSR_E_ALIASING, "var<private> x: i32; fn h() -> i32 { return x; } fn f(p: ptr<private, i32>) { *p = h(); }"
                         "fn g() { f(&x); }"},
    };
    (void)state;
    CHECK(samples);
}

static void test_entry_points(void **state)
{
    static const sample samples[] = {
        {TSR_E_NONE, "@compute @workgroup_size(8, 8u, 1) fn main() {}"},
        {TSR_E_NONE,
         "override n: u32; @compute @workgroup_size(n * 2) fn main(@builtin(global_invocation_id) g: vec3u) {}"},
        {TSR_E_NONE, "struct I { @builtin(workgroup_id) w: vec3u, @builtin(local_invocation_index) i: u32 }"
                     "@compute @workgroup_size(1) fn main(in: I) {}"},
        {TSR_E_NONE,
         "struct V { @builtin(position) p: vec4f, @location(0) c: vec3f, @location(1) @interpolate(flat) i: u32 }"
         "@vertex fn v(@location(0) a: vec4f, @builtin(vertex_index) i: u32) -> V { return V(); }"
         "@fragment fn f(v: V) -> @location(0) vec4f { discard; return vec4f(v.c, 1); }"},
        {TSR_E_NONE, "const n = 8; @compute @workgroup_size(n, 8u, n) fn main() {}"},
        {TSR_E_WORKGROUP_ATTR, "@compute fn main() {}"},
        {TSR_E_WORKGROUP_ATTR, "@compute @workgroup_size(0) fn main() {}"},
        {TSR_E_WORKGROUP_ATTR, "@compute @workgroup_size(1u, 1i) fn main() {}"},
        {TSR_E_ENTRY_STAGE, "@workgroup_size(1) fn main() {}"},
        {TSR_E_ENTRY_STAGE, "@compute @fragment @workgroup_size(1) fn main() {}"},
        {TSR_E_ATTR_ARGS, "@compute @workgroup_size(1, 1, 1, 1) fn main() {}"},
        {TSR_E_IO_MISSING, "@compute @workgroup_size(1) fn main(a: u32) {}"},
        {TSR_E_IO_STAGE, "@compute @workgroup_size(1) fn main(@builtin(position) a: vec4f) {}"},
        {TSR_E_IO_STAGE, "@compute @workgroup_size(1) fn main(@location(0) a: vec4f) {}"},
        {TSR_E_IO_STAGE, "@compute @workgroup_size(1) fn main() -> @location(0) f32 { return 1; }"},
        {TSR_E_IO_TYPE, "@compute @workgroup_size(1) fn main(@builtin(global_invocation_id) a: vec3i) {}"},
        {TSR_E_IO_TWICE,
         "@compute @workgroup_size(1) fn main(@builtin(workgroup_id) a: vec3u, @builtin(workgroup_id) b: vec3u) {}"},
        {TSR_E_ATTR_ARGS, "@compute @workgroup_size(1) fn main(@builtin(workgroup_idx) a: vec3u) {}"},
        {TSR_E_EXTENSION_NEEDED, "@compute @workgroup_size(1) fn main(@builtin(subgroup_size) a: u32) {}"},
        {TSR_E_EXTENSION_NEEDED, "@compute @workgroup_size(32) @subgroup_size(32) fn main() {}"},
        {TSR_E_NONE, "enable subgroup_size_control; @compute @workgroup_size(32) @subgroup_size(32) fn main() {}"},
        {TSR_E_WORKGROUP_ATTR,
         "enable subgroup_size_control; @compute @workgroup_size(32) @subgroup_size(24) fn main() {}"},
        {TSR_E_IO_MISSING, "@vertex fn v() -> @location(0) vec4f { return vec4f(); }"},
        {TSR_E_IO_ATTR, "@fragment fn f(@location(0) a: u32) {}"},
        {TSR_E_IO_ATTR, "@fragment fn f(@location(0) @builtin(position) a: vec4f) {}"},
        {TSR_E_IO_TYPE, "@fragment fn f(@location(0) a: mat2x2f) {}"},
        {TSR_E_ENTRY_CALL, MAIN("") "fn g() { main(); }"},
        {TSR_E_STAGE_USE, "@group(0) @binding(0) var<storage, read_write> b: u32;"
                          "@vertex fn v() -> @builtin(position) vec4f { b = 1; return vec4f(); }"},
        {TSR_E_BUILTIN_STAGE, MAIN("discard;")},
    };
    (void)state;
    CHECK(samples);
}

static void test_control_flow(void **state)
{
    static const sample samples[] = {
        {TSR_E_NONE,
         FN("loop { break; } loop { continuing { break if true; } } while true { break; } for (;;) { return; }")},
        {TSR_E_NONE, FN("var i = 0; for (; i < 4; i += 2) { continue; } for (let k = 1; false;) {}")},
        {TSR_E_NONE, FN("loop { let a = 1; if a > 2 { continue; } break; continuing { let b = a; } }")},
        {TSR_E_NONE, FN("loop { if true { break; } continuing { loop { break; } for (;;) { break; } switch 1 { "
                        "default: { break; } } } }")},
        {TSR_E_NONE, FN("switch 3 { case 1, 2: {} case default: {} } switch 1u { case 0x10: {} default: {} }")},
        {TSR_E_NONE, "const k = 3u; fn f(x: u32) { switch x { case k, k + 1: {} default {} } }"},
        {TSR_E_LOOP_ENDLESS, FN("loop {}")},
        {TSR_E_LOOP_ENDLESS, FN("for (;;) {}")},
        {TSR_E_LOOP_ENDLESS, FN("loop { continue; }")},
        {TSR_E_BREAK_PLACE, FN("break;")},
        {TSR_E_BREAK_PLACE, FN("loop { if true { return; } continuing { if true { break; } } }")},
        {TSR_E_CONTINUE_PLACE, FN("continue;")},
        {TSR_E_CONTINUE_PLACE, FN("switch 1 { default: { continue; } }")},
        {TSR_E_CONTINUE_PLACE, FN("loop { break; continuing { switch 1 { default: { continue; } } } }")},
        {TSR_E_RETURN_PLACE, FN("loop { break; continuing { if true { return; } } }")},
        {TSR_E_CONTINUE_BYPASS,
         FN("loop { if true { continue; } let a = 1; if a > 2 { break; } continuing { let b = a; } }")},
        {TSR_E_CONTINUE_BYPASS, FN("loop { if true { continue; } let a = true; continuing { break if a; } }")},
        {TSR_E_NONE, FN("loop { break; let a = 1; continuing { let b = a; } }")},
        {TSR_E_STMT_CONDITION, FN("if 1 {}")},
        {TSR_E_STMT_CONDITION, FN("while 1.0 { }")},
        {TSR_E_STMT_CONDITION, FN("loop { continuing { break if 1; } }")},
        {TSR_E_SWITCH_SELECTOR, FN("switch 1.0 { default: {} }")},
        {TSR_E_SWITCH_SELECTOR, FN("switch 1u { case 1i: {} default: {} }")},
        {TSR_E_SWITCH_SELECTOR, FN("switch 1i { case true: {} default: {} }")},
        {TSR_E_SWITCH_DEFAULT, FN("switch 1 { case 1: {} }")},
        {TSR_E_SWITCH_DEFAULT, FN("switch 1 { default: {} case default: {} }")},
        {TSR_E_SWITCH_TWICE, FN("switch 1 { case 1, 2: {} case 2: {} default: {} }")},
        {TSR_E_EXPR_RANGE, FN("switch 1u { case -1: {} default: {} }")},
    };
    (void)state;
    CHECK(samples);
}

static void test_assignments(void **state)
{
    static const sample samples[] = {
        {TSR_E_NONE, FN("var a = vec4f(); a.x = 1; a[2] += 3; var m = mat2x2f(); m[0] = vec2f(1); m[1][0] = 2;")},
        {TSR_E_NONE, FN("var a = 1; let p = &a; *p = 2; (*p)++; *p <<= 3u; _ = p; _ = *p; _ = &a;")},
        {TSR_E_NONE,
         FN("var x: i32; x = 1; { x = 2; } let y: f32 = 1; let z = 2; const w: u32 = 3; var v: vec2<u32> = vec2(1);")},
        {TSR_E_NONE, FN("var b = true; b |= false; b = b & true;")},
        {TSR_E_ASSIGN_TARGET, FN("let a = 1; a = 2;")},
        {TSR_E_ASSIGN_TARGET, "const a = 1;" FN("a = 2;")},
        {TSR_E_ASSIGN_TARGET, "fn f(a: vec2f) { a.x = 2; }"},
        {TSR_E_NONE,
         "fn g() -> vec2f { return vec2f(); }" FN("var a = vec4f(); a.xy = g(); a.bgr *= 2; (&a).wx = vec2(1);")},
        {TSR_E_NONE, FN("var a = vec4f(); a.wyz.zx = vec2f(1); a.xy.y += 2; (a.zw).x = 1;")},
        {TSR_E_ASSIGN_TARGET, FN("var a = vec4f(); a.xx = vec2f();")},
        {TSR_E_ASSIGN_TARGET, FN("let a = vec4f(); a.xy[0] = 1;")},
        {TSR_E_ASSIGN_TARGET, FN("var a = vec4f(); let b = a; b.xy.x = 1;")},
        {TSR_E_ASSIGN_TARGET, FN("let a = vec4f(); a.xy = vec2f();")},
        {TSR_E_ASSIGN_ACCESS, "@group(0) @binding(0) var<storage> a: vec4f;" FN("a.xy = vec2f();")},
        {TSR_E_EXPR_CONVERT, FN("var a = vec4f(); a.xy = vec3f();")},
        {TSR_E_ASSIGN_TARGET, FN("let a = 1; a++;")},
        {TSR_E_ASSIGN_ACCESS, "@group(0) @binding(0) var<storage> s: u32;" FN("s = 2;")},
        {TSR_E_ASSIGN_ACCESS, "@group(0) @binding(0) var<uniform> s: u32;" FN("s++;")},
        {TSR_E_ASSIGN_TYPE, "var<workgroup> a: atomic<u32>;" FN("a = 2;")},
        {TSR_E_EXPR_NOT_VALUE, "fn g() {}" FN("var a: i32; a = g();")},
        {TSR_E_EXPR_CONVERT, FN("var a: i32; a = 1.5;")},
        {TSR_E_EXPR_CONVERT, FN("var a: i32; a = 1u;")},
        {TSR_E_EXPR_CONVERT, FN("let a: u32 = true;")},
        {TSR_E_INCREMENT_TYPE, FN("var a: f32; a++;")},
        {TSR_E_INCREMENT_TYPE, FN("var a: vec2i; a--;")},
        {TSR_E_CALL_STATEMENT, FN("vec3f();")},
        {TSR_E_RESULT_UNUSED, FN("min(1, 2);")},
        {TSR_E_PHONY_TYPE, "@group(0) @binding(0) var<storage> s: array<u32>;" FN("_ = s;")},
        {TSR_E_PHONY_TYPE, "fn g() {}" FN("_ = g();")},
        {TSR_E_LOCAL_DECL, FN("var<private> a: i32;")},
        {TSR_E_LOCAL_DECL, FN("var a;")},
        {TSR_E_EXPR_NOT_VALUE, "fn g() {}" FN("let a = g();")},
        {TSR_E_STORE_TYPE, FN("var a: array<i32>;")},
        {TSR_E_STORE_TYPE, FN("var a: atomic<i32>;")},
    };
    (void)state;
    CHECK(samples);
}

/* What some statements become. */
static void expect_lines(const char *text, const char *const *lines)
{
    front p;
    front_run(&p, text);
    const char *ir = p.ok ? tsr_text_get(&p.ir_text) : tsr_text_get(&p.messages);
    const char *at = ir;
    for (; *lines != NULL; lines++) {
        const char *found = strstr(at, *lines);
        if (found == NULL) print_error("missing `%s` (in this order) in\n%s\n", *lines, ir);
        assert_non_null(found);
        at = found + strlen(*lines);
    }
    front_free(&p);
}
#define LINES(...) ((const char *const[]){__VA_ARGS__, NULL})

static void test_lowering(void **state)
{
    (void)state;
    expect_lines(FN("for (var i = 0; i < 4; i++) { continue; }"),
                 LINES("var 0i", "loop {", "lt", "not", "if", "break", "continue", "continuing {", "add", "store"));
    expect_lines("fn f(a: bool) -> i32 { if a { return 1; } else { return 2; } return 3; }",
                 LINES("if", "return 1i", "else", "return 2i", "unreachable"));
    expect_lines(FN("loop { break; continuing { var a = 1; } }"), LINES("loop {", "break", "}"));
    expect_lines("fn g() -> i32 { return 1; } fn f(p: ptr<function, array<i32, 4>>) { (*p)[g()] += 2; }",
                 LINES("call g", "index", "load", "add", "store"));
    expect_lines(FN("var v = vec4f(); v.zx = vec2f(1, 2);"),
                 LINES("var", "index", "2u", "extract[0]", "store", "index", "0u", "extract[1]", "store"));
    expect_lines(FN("var v = vec4f(); v.wyz.zx = vec2f(1, 2);"),
                 LINES("var", "index", "2u", "extract[0]", "store", "index", "3u", "extract[1]", "store"));
    expect_lines(
        "@diagnostic(off, subgroup_uniformity) fn f() { @diagnostic(info, subgroup_uniformity) { workgroupBarrier(); }"
        " workgroupBarrier(); }",
        LINES("subgroup_uniformity: off", "subgroup_uniformity: info", "barrier_workgroup !2", "barrier_workgroup !1"));
}

/* Long and deep programs neither overflow the stack nor take quadratic time. */
static void repeat(tsr_text *t, unsigned count, const char *format, unsigned from)
{
    for (unsigned i = 0; i < count; i++)
        tsr_text_printf(t, format, i + from, i + from + 1);
}

static void test_long_chains(void **state)
{
    enum { LENGTH = 20000 };
    tsr_text t;
    (void)state;
    tsr_text_init(&t, NULL);
    repeat(&t, LENGTH, "const c%u = c%u;\n", 0);
    tsr_text_printf(&t, "const c%d = 5; const_assert c0 == 5;\n", LENGTH);
    repeat(&t, LENGTH, "fn f%u() { f%u(); }\n", 0);
    tsr_text_printf(&t, "fn f%d() {}\n", LENGTH);
    assert_true(is_accepted(tsr_text_get(&t)));
    tsr_text_printf(&t, "const d0 = d%d;\n", LENGTH);
    for (unsigned i = 1; i <= LENGTH; i++)
        tsr_text_printf(&t, "const d%u = d%u;\n", i, i - 1);
    assert_false(is_accepted(tsr_text_get(&t)));
    tsr_text_fini(&t);
}

static void test_suggestions(void **state)
{
    front p;
    (void)state;
    front_run(&p, "enable subgroup; fn helper() {} fn f(count: u32) { let a = coumt; helpr(); var v: vec3g; }");
    const char *text = tsr_text_get(&p.messages);
    assert_non_null(strstr(text, "did you mean `subgroups`?"));
    assert_non_null(strstr(text, "did you mean `count`?"));
    assert_non_null(strstr(text, "did you mean `helper`?"));
    assert_non_null(strstr(text, "did you mean `vec3"));
    front_free(&p);
    front_run(&p, "@group(0) @binding(0) var<storge, read> a: u32; @group(0) @binding(1) var<storage, redwrite> b: u32;"
                  "@group(0) @binding(2) var c: texture_storage_2d<rgba8unrom, write>;"
                  "@group(0) @binding(3) var d: texture_storage_2d<rgba8unorm, wirte>;"
                  "fn f(p: ptr<functon, u32>) {}");
    text = tsr_text_get(&p.messages);
    assert_non_null(strstr(text, "did you mean `storage`?"));
    assert_non_null(strstr(text, "did you mean `read_write`?"));
    assert_non_null(strstr(text, "did you mean `rgba8unorm`?"));
    assert_non_null(strstr(text, "did you mean `write`?"));
    assert_non_null(strstr(text, "did you mean `function`?"));
    front_free(&p);
    front_run(&p, "var<x> g: u32;");
    assert_null(strstr(tsr_text_get(&p.messages), "did you mean"));
    front_free(&p);
}

/* As many as WGSL asks for, as many as others take, and one more. */
static void test_limits(void **state)
{
    (void)state;
    static const struct {
        const char *head, *row, *tail;
    } kinds[] = {{"struct S { ", "m%u: u32, ", "} var<private> s: S;"},
                 {"fn f(x: u32) { switch x { case default, ", "%u, ", "{} } }"}};
    for (size_t k = 0; k < TSR_COUNT_OF(kinds); k++) {
        const unsigned others = k == 0 ? 16383 : 16382; /* `default` is a selector */
        const unsigned counts[] = {1022, 1024, others, others + 1};
        for (size_t i = 0; i < TSR_COUNT_OF(counts); i++) {
            bool accepted = counts[i] <= others;
            tsr_arena arena;
            tsr_text text;
            tsr_arena_init(&arena, NULL);
            tsr_text_init(&text, &arena);
            tsr_text_puts(&text, kinds[k].head);
            repeat(&text, counts[i], kinds[k].row, 0);
            tsr_text_puts(&text, kinds[k].tail);
            const sample s = {accepted ? TSR_E_NONE : TSR_E_LANGUAGE_LIMIT, tsr_text_get(&text)};
            check_samples(&s, 1);
            tsr_arena_fini(&arena);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scopes),       cmocka_unit_test(test_types),        cmocka_unit_test(test_structs),
        cmocka_unit_test(test_values),       cmocka_unit_test(test_directives),   cmocka_unit_test(test_functions),
        cmocka_unit_test(test_entry_points), cmocka_unit_test(test_control_flow), cmocka_unit_test(test_assignments),
        cmocka_unit_test(test_long_chains),  cmocka_unit_test(test_lowering),     cmocka_unit_test(test_suggestions),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
