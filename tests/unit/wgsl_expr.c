/* Expressions through the whole front end: what const-expressions compute, which programs are refused and with what
 * words, and the code that run-time expressions become. */
#include "wgsl_whole.h"

#include "base/number.h"

#include <stdio.h>
#include <stdlib.h>

/* A module-scope value as WGSL. */
static void print_value(tsr_text *out, front *p, tsr_id id)
{
    char buf[64];
    const tsr_inst *inst = tsr_inst_at(&p->ir, id);
    if (inst->op == TSR_OP_const) {
        uint64_t bits = tsr_constant_bits(&p->ir, inst);
        switch (tsr_type_kind_of(&p->types, inst->type)) {
        case TSR_T_bool: tsr_text_puts(out, bits != 0 ? "true" : "false"); return;
        case TSR_T_i32: tsr_text_printf(out, "%di", (int)(int32_t)(uint32_t)bits); return;
        case TSR_T_u32: tsr_text_printf(out, "%uu", (unsigned)bits); return;
        case TSR_T_f32: tsr_text_printf(out, "%sf", tsr_format_f32(buf, tsr_f32_from_bits((uint32_t)bits))); return;
        default: tsr_text_printf(out, "%sh", tsr_format_f16(buf, (uint16_t)bits)); return;
        }
    }
    tsr_type_print(out, &p->types, inst->type);
    tsr_text_puts(out, "(");
    for (uint32_t i = 0; i < inst->nargs; i++) {
        if (i != 0) tsr_text_puts(out, ", ");
        print_value(out, p, tsr_arg(&p->ir, inst, i));
    }
    tsr_text_puts(out, ")");
}

/* The initial value of the variable `g`. */
static const char *value_of_g(front *p)
{
    tsr_text out;
    tsr_text_init(&out, &p->arena);
    tsr_sym g = tsr_symbols_find(&p->symbols, "g", 1);
    for (uint32_t i = 1; i < p->ir.globals.count; i++) {
        const tsr_inst *inst = tsr_inst_at(&p->ir, tsr_global_at(&p->ir, i)->inst);
        if (tsr_global_at(&p->ir, i)->name == g && inst->nargs == 1) print_value(&out, p, tsr_arg(&p->ir, inst, 0));
    }
    return tsr_text_get(&out);
}

static unsigned failures;

static void fail_case(const char *text, const char *wanted, const char *got)
{
    print_error("%s\n    wanted: %s\n    got:    %s\n", text, wanted, got);
    failures++;
}

typedef struct value_case {
    const char *decls, *expr, *value;
} value_case;

static void check_values(const value_case *cases, size_t count)
{
    failures = 0;
    for (size_t i = 0; i < count; i++) {
        char text[1024];
        front p;
        snprintf(text, sizeof(text), "enable f16;\n%s\nvar<private> g = %s;\n", cases[i].decls, cases[i].expr);
        front_run(&p, text);
        const char *got = p.ok ? value_of_g(&p) : tsr_text_get(&p.messages);
        if (strcmp(got, cases[i].value) != 0) fail_case(cases[i].expr, cases[i].value, got);
        front_free(&p);
    }
    assert_int_equal(failures, 0);
}

typedef struct error_case {
    const char *text, *message;
} error_case;

/* `frame` holds %s for the text of a case. */
static void check_errors(const char *before, const char *after, const error_case *cases, size_t count)
{
    failures = 0;
    for (size_t i = 0; i < count; i++) {
        char text[2048];
        front p;
        snprintf(text, sizeof(text), "%s%s%s", before, cases[i].text, after);
        front_run(&p, text);
        const char *got = p.ok ? "(accepted)" : tsr_text_get(&p.messages);
        bool found = cases[i].message == NULL ? p.ok : !p.ok && strstr(got, cases[i].message) != NULL;
        if (!found) fail_case(cases[i].text, cases[i].message != NULL ? cases[i].message : "(accepted)", got);
        if (p.diags.error_count > 1 && cases[i].message != NULL) fail_case(cases[i].text, "one error", got);
        front_free(&p);
    }
    assert_int_equal(failures, 0);
}

static void literals_and_arithmetic(void **state)
{
    (void)state;
    static const value_case cases[] = {
        {"", "1", "1i"},
        {"", "1u", "1u"},
        {"", "-1", "-1i"},
        {"", "1.5", "1.5f"},
        {"", "1.5h", "1.5h"},
        {"", "1.5f", "1.5f"},
        {"", "0x10", "16i"},
        {"", "true", "true"},
        {"", "-2147483648", "-2147483648i"},
        {"", "1 + 2", "3i"},
        {"", "1 + 2u", "3u"},
        {"", "1 + 2.5", "3.5f"},
        {"", "1 + 2.5h", "3.5h"},
        {"", "2147483647 + 1 - 1", "2147483647i"},
        {"", "7 / 2", "3i"},
        {"", "-7 / 2", "-3i"},
        {"", "-7 % 2", "-1i"},
        {"", "7.0 / 2", "3.5f"},
        {"", "7.5 % 2", "1.5f"},
        {"", "-7.5 % 2", "-1.5f"},
        {"", "2147483647i + 1i", "-2147483648i"},
        {"", "4294967295u + 1u", "0u"},
        {"", "0u - 1u", "4294967295u"},
        {"", "65536i * 65536i", "0i"},
        {"", "-(-2147483647i - 1i)", "-2147483648i"},
        {"", "0.1 + 0.2", "0.3f"},
        {"", "1.0 / 3.0", "0.33333334f"},
        {"", "16777217.0", "16777216.0f"},
        {"", "16777217", "16777217i"},
        {"", "f32(16777217)", "16777216.0f"},
        {"", "~0", "-1i"},
        {"", "~0u", "4294967295u"},
        {"", "6 & 3", "2i"},
        {"", "6 | 3", "7i"},
        {"", "6u ^ 3", "5u"},
        {"", "true & false", "false"},
        {"", "true | false", "true"},
        {"", "!true", "false"},
        {"", "1 << 4", "16i"},
        {"", "1u << 31", "2147483648u"},
        {"", "-1 << 31", "-2147483648i"},
        {"", "-16 >> 2", "-4i"},
        {"", "4294967295u >> 31u", "1u"},
        {"", "(1 << 40) >> 38", "4i"},
        {"", "1 < 2", "true"},
        {"", "1.0 == 1", "true"},
        {"", "2u >= 3", "false"},
        {"", "true != false", "true"},
        {"", "true && false", "false"},
        {"", "false || true", "true"},
        {"", "false && 1 / 0 == 0", "false"},
        {"", "true || array(1, 2)[5] == 0", "true"},
        {"", "true || i32(4e9) == 0", "true"},
        {"", "(true && false) || true", "true"},
        {"", "((((1))))", "1i"},
        {"const a = 1; const b = a + 1;", "b * 2.5", "5.0f"},
        {"const a: f16 = 1;", "a + 1", "2.0h"},
        {"const a: u32 = 1;", "a << 3", "8u"},
    };
    check_values(cases, TSR_COUNT_OF(cases));
}

static void conversions(void **state)
{
    (void)state;
    static const value_case cases[] = {
        {"", "i32(1.9)", "1i"},
        {"", "i32(-1.9)", "-1i"},
        {"", "i32(3e9f)", "2147483520i"},
        {"", "i32(3e9)", "2147483647i"},
        {"", "i32(-3e9f)", "-2147483648i"},
        {"", "u32(-1.0f)", "0u"},
        {"", "u32(5e9f)", "4294967040u"},
        {"", "u32(-1i)", "4294967295u"},
        {"", "i32(4294967295u)", "-1i"},
        {"", "u32(true)", "1u"},
        {"", "f32(false)", "0.0f"},
        {"", "bool(2)", "true"},
        {"", "bool(0.0)", "false"},
        {"", "bool(-0.0f)", "false"},
        {"", "f16(2049)", "2048.0h"},
        {"", "f32(1.1h)", "1.0996094f"},
        {"", "f32(f16(65503.0))", "65504.0f"},
        {"", "f32(4294967295u)", "4294967300.0f"},
        {"", "i32()", "0i"},
        {"", "f32()", "0.0f"},
        {"", "bool()", "false"},
        {"", "vec3<f32>()", "vec3<f32>()"},
        {"", "vec3()", "vec3<i32>()"},
        {"", "vec2(1, 2)", "vec2<i32>(1i, 2i)"},
        {"", "vec2(1, 2.5)", "vec2<f32>(1.0f, 2.5f)"},
        {"", "vec2(1, 2h)", "vec2<f16>(1.0h, 2.0h)"},
        {"", "vec2(1, 2u)", "vec2<u32>(1u, 2u)"},
        {"", "vec3f(1)", "vec3<f32>(1.0f, 1.0f, 1.0f)"},
        {"", "vec3(1)", "vec3<i32>(1i, 1i, 1i)"},
        {"", "vec4(vec2(1, 2), 3, 4.5)", "vec4<f32>(1.0f, 2.0f, 3.0f, 4.5f)"},
        {"", "vec4(1, vec2(2u, 3u), 4)", "vec4<u32>(1u, 2u, 3u, 4u)"},
        {"", "vec4<f32>(vec3<f32>(1, 2, 3), 4)", "vec4<f32>(1.0f, 2.0f, 3.0f, 4.0f)"},
        {"", "vec2<u32>(vec2<f32>(1.9, -3))", "vec2<u32>(1u, 0u)"},
        {"", "vec2<f32>(vec2(1, 2))", "vec2<f32>(1.0f, 2.0f)"},
        {"", "vec2<bool>(vec2(0, 2))", "vec2<bool>(false, true)"},
        {"", "vec2<i32>(vec2(true, false))", "vec2<i32>(1i, 0i)"},
        {"", "vec3(vec3(1, 2, 3))", "vec3<i32>(1i, 2i, 3i)"},
        {"alias V = vec2<f32>;", "V(1, 2)", "vec2<f32>(1.0f, 2.0f)"},
        {"", "mat2x2(1, 2, 3, 4)", "mat2x2<f32>(vec2<f32>(1.0f, 2.0f), vec2<f32>(3.0f, 4.0f))"},
        {"", "mat2x3(vec3(1, 2, 3), vec3h(4, 5, 6))",
         "mat2x3<f16>(vec3<f16>(1.0h, 2.0h, 3.0h), vec3<f16>(4.0h, 5.0h, 6.0h))"},
        {"", "mat2x2<f16>(mat2x2<f32>(1, 2, 3, 4))", "mat2x2<f16>(vec2<f16>(1.0h, 2.0h), vec2<f16>(3.0h, 4.0h))"},
        {"", "mat2x2f()", "mat2x2<f32>()"},
        {"", "array(1, 2.5)", "array<f32, 2>(1.0f, 2.5f)"},
        {"", "array(vec2(1, 2), vec2(1.5h))", "array<vec2<f16>, 2>(vec2<f16>(1.0h, 2.0h), vec2<f16>(1.5h, 1.5h))"},
        {"", "array<u32, 3>(1, 2, 3)", "array<u32, 3>(1u, 2u, 3u)"},
        {"", "array<u32, 4>()", "array<u32, 4>()"},
        {"", "array(array(1, 2), array(3, 4u))",
         "array<array<u32, 2>, 2>(array<u32, 2>(1u, 2u), array<u32, 2>(3u, 4u))"},
        {"struct S { a: f32, b: vec2<u32> }", "S(1, vec2(2, 3))", "S(1.0f, vec2<u32>(2u, 3u))"},
        {"struct S { a: f32, b: vec2<u32> }", "S()", "S()"},
        {"struct S { a: f32, b: vec2<u32> }", "S(1, vec2(2, 3)).b.y", "3u"},
        {"const c = 1;", "array<f16, 2>(c, c)", "array<f16, 2>(1.0h, 1.0h)"},
        {"const c = vec2(1, 2);", "vec2<f16>(0.5h) + c", "vec2<f16>(1.5h, 2.5h)"},
        {"const c = array(1, 2); const d: array<f32, 2> = c;", "d[1]", "2.0f"},
    };
    check_values(cases, TSR_COUNT_OF(cases));
}

static void vectors_and_matrices(void **state)
{
    (void)state;
    static const value_case cases[] = {
        {"", "vec2(1, 2) + 1", "vec2<i32>(2i, 3i)"},
        {"", "1.5 - vec2(1, 2)", "vec2<f32>(0.5f, -0.5f)"},
        {"", "vec2(1, 2) * vec2(3, 4.5)", "vec2<f32>(3.0f, 9.0f)"},
        {"", "vec2(7, 8) / vec2(2, 3)", "vec2<i32>(3i, 2i)"},
        {"", "vec2(7, 8) % 3", "vec2<i32>(1i, 2i)"},
        {"", "-vec2(1, 2)", "vec2<i32>(-1i, -2i)"},
        {"", "!vec2(true, false)", "vec2<bool>(false, true)"},
        {"", "vec2(1, 2) < vec2(2, 2)", "vec2<bool>(true, false)"},
        {"", "vec2(1, 2) == vec2(1.0, 3.0)", "vec2<bool>(true, false)"},
        {"", "vec2(1, 2) << vec2(1, 2)", "vec2<i32>(2i, 8i)"},
        {"", "vec2(6, 5) & vec2(3, 4)", "vec2<i32>(2i, 4i)"},
        {"", "vec2(true, false) | vec2(false, false)", "vec2<bool>(true, false)"},
        {"", "vec3(1, 2, 3).zyx", "vec3<i32>(3i, 2i, 1i)"},
        {"", "vec3(1, 2, 3).rrgb", "vec4<i32>(1i, 1i, 2i, 3i)"},
        {"", "vec3(1, 2, 3).y", "2i"},
        {"", "vec3(1, 2, 3)[2]", "3i"},
        {"", "vec4(1, 2, 3, 4).wz.y", "3i"},
        {"", "array(5, 6, 7)[1u]", "6i"},
        {"", "mat2x2(1, 2, 3, 4)[1]", "vec2<f32>(3.0f, 4.0f)"},
        {"", "mat2x2(1, 2, 3, 4)[1][0]", "3.0f"},
        {"", "mat2x2(1, 2, 3, 4)[1].y", "4.0f"},
        {"", "mat2x2(1, 2, 3, 4) * 2", "mat2x2<f32>(vec2<f32>(2.0f, 4.0f), vec2<f32>(6.0f, 8.0f))"},
        {"", "2h * mat2x2(1, 2, 3, 4)", "mat2x2<f16>(vec2<f16>(2.0h, 4.0h), vec2<f16>(6.0h, 8.0h))"},
        {"", "mat2x2(1, 2, 3, 4) + mat2x2f(1, 1, 1, 1)", "mat2x2<f32>(vec2<f32>(2.0f, 3.0f), vec2<f32>(4.0f, 5.0f))"},
        {"", "mat2x2(1, 2, 3, 4) - mat2x2(1, 2, 3, 4)", "mat2x2<f32>()"},
        {"", "mat2x3(1, 2, 3, 4, 5, 6) * vec2(1, 2)", "vec3<f32>(9.0f, 12.0f, 15.0f)"},
        {"", "vec3(1, 2, 3) * mat2x3(1, 2, 3, 4, 5, 6)", "vec2<f32>(14.0f, 32.0f)"},
        {"", "mat2x3(1, 2, 3, 4, 5, 6) * mat3x2(1, 2, 3, 4, 5, 6)",
         "mat3x3<f32>(vec3<f32>(9.0f, 12.0f, 15.0f), vec3<f32>(19.0f, 26.0f, 33.0f), vec3<f32>(29.0f, 40.0f, 51.0f))"},
        {"", "any(vec2(1, 2) == vec2(3, 2))", "true"},
        {"", "all(vec2(1, 2) == vec2(3, 2))", "false"},
        {"", "select(1, 2.5, true)", "2.5f"},
        {"", "select(vec2(1, 2), vec2(3, 4), vec2(true, false))", "vec2<i32>(3i, 2i)"},
        {"", "bitcast<u32>(1.0f)", "1065353216u"},
        {"", "bitcast<vec2<f16>>(0x40003c00u)", "vec2<f16>(1.0h, 2.0h)"},
        {"", "max(1, 2.5)", "2.5f"},
        {"", "dot(vec2(1, 2), vec2(3, 4))", "11i"},
        {"", "modf(1.5).whole", "1.0f"},
        {"const m = modf(1.5);", "m.fract", "0.5f"},
        {"", "sqrt(4)", "2.0f"},
        {"", "abs(-3)", "3i"},
    };
    check_values(cases, TSR_COUNT_OF(cases));
}

static void const_errors(void **state)
{
    (void)state;
    static const error_case cases[] = {
        {"1 / 0", "divides by zero"},
        {"1i % 0i", "divides by zero"},
        {"vec2(1, 2) / vec2(1, 0)", "divides by zero"},
        {"(-2147483647i - 1i) / -1i", "overflows"},
        {"9223372036854775807 + 1", "overflows: the result does not fit `AbstractInt`"},
        {"1e308 * 10", "does not fit `AbstractFloat`"},
        {"3e38f * 10f", "does not fit `f32`"},
        {"65504h + 65504h", "does not fit `f16`"},
        {"1.0 / 0.0", "by zero"},
        {"1u << 32", "shifts too far"},
        {"1i << 31", "does not fit `i32`"},
        {"2u << 31", "does not fit `u32`"},
        {"1i >> 32u", "shifts too far"},
        {"1 << 63", "does not fit `AbstractInt`"},
        {"1 << -1", "the value `-1` does not fit `u32`"},
        {"2147483648", "the value `2147483648` does not fit `i32`"},
        {"2147483647 + 1", "the value `2147483648` does not fit `i32`"},
        {"u32(-1)", "the value `-1` does not fit `u32`"},
        {"1u - 2.5", "no operator `-` takes `u32` and"},
        {"-1 + 1u", "the value `-1` does not fit `u32`"},
        {"f16(70000)", "does not fit `f16`"},
        {"f16(65520.0)", "does not fit `f16`"},
        {"f16(1e6f)", "does not fit `f16`"},
        {"f32(1e40)", "does not fit `f32`"},
        {"1e40", "does not fit `f32`"},
        {"vec2<f16>(1, 1e6)", "does not fit `f16`"},
        {"array(1, 2)[2]", "index 2 is out of range"},
        {"array(1, 2)[-1]", "index -1 is out of range"},
        {"vec2(1, 2)[3000000000]", "index 3000000000 is out of range"},
        {"vec2(1, 2)[1.0]", "must be of type `i32` or `u32`"},
        {"vec2(1, 2).z", "component that `vec2<AbstractInt>` does not have"},
        {"vec4(1, 2, 3, 4).xg", "not mixed"},
        {"vec4(1, 2, 3, 4).xyzwx", "one to four letters"},
        {"vec4(1, 2, 3, 4).foo", "one to four letters"},
        {"1 .x", "has no members"},
        {"1[0]", "cannot be indexed"},
        {"true + true", "no operator `+` takes `bool` and `bool`"},
        {"1i + 1u", "no operator `+` takes `i32` and `u32`; convert one of them"},
        {"1.0f + 1.0h", "convert one of them"},
        {"vec2(1, 2) + vec3(1, 2, 3)", "no operator `+`"},
        {"vec2(1) & 1", "no operator `&`"},
        {"true ^ false", "no operator `^`"},
        {"1 && true", "both sides must be bool"},
        {"vec2(true) && vec2(true)", "both sides must be bool"},
        {"false && 1", "both sides must be bool"},
        {"1 == true", "no operator `==`"},
        {"true < false", "no operator `<`"},
        {"mat2x2f() == mat2x2f()", "no operator `==`"},
        {"1 << 1i", "the right side of a shift is u32"},
        {"1u << vec2(1u)", "the right side of a shift is u32"},
        {"1.0 << 1", "no operator `<<`"},
        {"-1u", "no operator `-` takes `u32`"},
        {"-true", "no operator `-` takes `bool`"},
        {"!1", "no operator `!` takes"},
        {"~1.0", "no operator `~` takes"},
        {"mat2x2f() / 2", "no operator `/`"},
        {"mat2x3f() * mat2x3f()", "no operator `*`"},
        {"mat2x3f() * vec3f()", "no operator `*`"},
        {"mat2x2f() + 1", "no operator `+`"},
        {"&1", "without an address"},
        {"*1", "takes a pointer"},
        {"nope", "there is no `nope`"},
        {"nope(1)", "there is no function or type `nope`"},
        {"sqrt", "built-in function"},
        {"vec3f", "is a type"},
        {"f32(1, 2)", "it takes one scalar"},
        {"f32(vec2(1, 2))", "it takes one scalar"},
        {"vec3<f32>(1, 2)", "cannot be made from (AbstractInt, AbstractInt)"},
        {"vec3<f32>(1i)", "cannot be made from (i32)"},
        {"vec2(1, true)", "cannot be made from"},
        {"vec2(1u, 1i)", "cannot be made from"},
        {"vec3(vec2(1, 2))", "cannot be made from"},
        {"vec2(1, 2, 3)", "cannot be made from"},
        {"vec2<f32>(vec2<f32>(), 1)", "cannot be made from"},
        {"mat2x2<f32>(1, 2, 3)", "cannot be made from"},
        {"mat2x2(1i, 2i, 3i, 4i)", "cannot be made from"},
        {"mat2x2()", "cannot be made from ()"},
        {"array<i32, 2>(1)", "takes 2 elements, not 1"},
        {"array(1, true)", "must have one type"},
        {"array()", "does not say of what"},
        {"array<i32>(1, 2)", "size is not known"},
        {"atomic<i32>()", "atomics live in memory only"},
        {"bitcast<f32>(0x7f800000u)", "NaN or an infinity"},
        {"array<array<f32, 2000>, 2000>()[0][2000]", "out of range"},
    };
    check_errors("enable f16;\nvar<private> g = ", ";\n", cases, TSR_COUNT_OF(cases));
}

static const char frame_before[] = "enable f16;\n"
                                   "override n: i32 = 4;\n"
                                   "struct S { a: f32, v: vec3<f32>, t: array<i32, 4> }\n"
                                   "struct A { c: atomic<u32>, d: u32 }\n"
                                   "@group(0) @binding(0) var<storage, read_write> buf: array<u32>;\n"
                                   "@group(0) @binding(1) var<storage, read_write> at: A;\n"
                                   "var<workgroup> wg: array<f32, n>;\n"
                                   "var<private> s: S;\n"
                                   "fn two(p: ptr<function, i32>, x: f32) -> f32 { *p = 1; return x; }\n"
                                   "fn none() {}\n"
                                   "@must_use fn must() -> i32 { return 1; }\n"
                                   "@compute @workgroup_size(1) fn main(@builtin(local_invocation_index) i: u32) {\n"
                                   "  var k: i32; var v = vec3<f32>(); let l = i + 1; var m: mat2x2<f32>;\n  ";

static void run_time_rules(void **state)
{
    (void)state;
    static const error_case cases[] = {
        {"k = 1 + k; v.x = f32(k); v = v.zyx * 2;", NULL},
        {"k = i32(i) / 0;", "`/` by zero"},
        {"k = k % 0;", "`%` by zero"},
        {"k = k / 1; k = k / n;", NULL},
        {"k = k << 32;", "a shift by 32 is too far"},
        {"k = 1 << i;", NULL},
        {"let q: u32 = 1 << i;", "cannot convert `i32` to `u32`"},
        {"k = vec2(1, 2)[i];", NULL},
        {"let q: f32 = vec2(1, 2)[i];", "cannot convert `i32` to `f32`"},
        {"v = v + i;", "no operator `+` takes `vec3<f32>` and `u32`"},
        {"v[3] = 1;", "index 3 is out of range"},
        {"v[i] = 1; m[i][i] = 2; m[1].y = 3; s.t[i] = 4; s.v.x = 1;", NULL},
        {"s.t[4] = 1;", "index 4 is out of range"},
        {"buf[-1] = 1;", "index -1 is negative"},
        {"wg[-1] = 1;", "index -1 is negative"},
        {"wg[100] = 1;", NULL},
        {"let p = &v; p.x = 1; (*p).y = 2; p[2] = 3; let q = p.zy;", NULL},
        {"let p = &s; p.t[i] = 1; let t = p.t;", NULL},
        {"let p = &v.x;", "component of a vector has no address"},
        {"let p = &v[1];", "component of a vector has no address"},
        {"let p = &m[1]; p[0] = 2;", NULL},
        {"let p = &l;", "without an address"},
        {"let q = buf;", "no size known"},
        {"let q = wg;", "no size known"},
        {"let q = at.c;", "atomicLoad"},
        {"let q = at;", "holds atomics"},
        {"at.d = 1; let q = atomicAdd(&at.c, 1);", NULL},
        {"let q = two(&k, 1);", NULL},
        {"let q = two(&k);", "takes 2 arguments, not 1"},
        {"let q = two(k, 1);", "cannot convert `i32` to `ptr<function, i32>` for parameter `p` of `two`"},
        {"let q = two(&k, 1i);", "for parameter `x` of `two`; write `f32(...)`"},
        {"let q = none();", "returns nothing"},
        {"let q = none() + 1;", "returns nothing"},
        {"none();", NULL},
        {"let q = two;", "is a function"},
        {"const q = k;", "const-expression"},
        {"const q = l;", "const-expression"},
        {"const q = n;", "const-expression"},
        {"const q = must();", "const-expression"},
        {"let q = S;", "is a type"},
        {"let q = l(1);", "cannot be called"},
        {"let q = s.b;", "has no member `b`"},
        {"let q = s.vv;", "did you mean"},
        {"let q = k.x;", "has no members"},
        {"let q = k[0];", "cannot be indexed"},
        {"let q = s[0];", "name a member"},
        {"let q = vec2(i, 1.0);", "cannot be made from (u32, AbstractFloat)"},
        {"let q = vec4(v, 1); let r = array(v, vec3(1, 2, 3)); let t = S(1, v, array(1, 2, 3, 4));", NULL},
        {"let q = array(i, 1, 2)[i]; let r = mat2x2(v.xy, vec2(1, 2)); let t = mat2x2h(r);", NULL},
        {"let q = S(1, v);", "has 3 members, but 2 values are given"},
        {"let q = (k == 1 && v.x < 2) || i > 3;", NULL},
        {"let q = k && true;", "both sides must be bool"},
        {"if (i < 3 && buf[i] == 2) { k = 1; }", NULL},
        {"let q = -i;", "no operator `-` takes `u32`"},
        {"let q = &k + 1;", "write `*` before a pointer"},
        {"let q = select(1, 2, k == 1);", NULL},
        {"k = nope;", "there is no `nope`"},
        {"let x = 1h; k += 1; k <<= 2; v *= 2; v *= v; v /= 2; m *= m;", NULL},
        {"k += 1.5;", "no operator"},
    };
    check_errors(frame_before, "\n}\n", cases, TSR_COUNT_OF(cases));
}

/* The printed module holds `wanted`. */
static void check_code(const char *decls, const char *body, const char *wanted)
{
    char text[2048];
    front p;
    snprintf(text, sizeof(text), "%s fn f(i: u32, x: f32, v: vec3<f32>) {\n%s\n}\n", decls, body);
    front_run(&p, text);
    const char *got = tsr_text_get(p.ok ? &p.ir_text : &p.messages);
    if (strstr(got, wanted) == NULL) fail_case(body, wanted, got);
    front_free(&p);
}

static void code(void **state)
{
    (void)state;
    failures = 0;
    check_code("", "let a = i + 1;", "a: u32 = add %1, 1u\n");
    check_code("", "let a = v * 2;", "%1: vec3<f32> = compose 2.0f, 2.0f, 2.0f\n");
    check_code("", "let a = v * x;", "    %4: vec3<f32> = splat %2\n    %5 a: vec3<f32> = mul %3, %4\n");
    check_code("", "let a = v.zx;", "a: vec2<f32> = swizzle.zx %3\n");
    check_code("", "let a = v[1];", "a: f32 = extract[1] %3\n");
    check_code("", "let a = v[i];", "a: f32 = element %3, %1\n");
    check_code("enable f16;", "let a = f16(x) + 1;", "a: f16 = add %4, 1.0h\n");
    check_code("", "let a = u32(x);", "a: u32 = convert %2\n");
    check_code("", "let a = u32(i) + 2;", "a: u32 = add %1, 2u\n");
    check_code("", "let a = i > 1 && x < 2;",
               "    %4: bool = gt %1, 1u\n    %5: bool = lt %2, 2.0f\n    %6 a: bool = and %4, %5\n");
    check_code("fn g() -> bool { return true; }", "let a = i > 1 && g();",
               "    %5: ptr<function, bool> = var %4\n"
               "    if %4 {\n"
               "        %6: bool = call g()\n"
               "        store %5, %6\n"
               "    }\n"
               "    %7 a: bool = load %5\n");
    check_code("fn g() -> bool { return true; }", "let a = i > 1 || g();", "    %6: bool = not %4\n    if %6 {\n");
    check_code("override n: i32 = 2; override m = n > 1 && n < 3;", "", "land");
    check_code("override n: i32 = 2; const c = vec2(1, 2); override m = n + c.y;", "", "add %1, 2i");
    check_code(
        "var<private> p: array<vec4<f32>, 4>;", "p[i].y = x;",
        "    %5: ptr<private, vec4<f32>> = index %1, %2\n    %6: ptr<private, f32> = index %5, 1u\n    store %6, %3\n");
    check_code("", "let a = array(1, 2, 3)[i];", ": array<i32, 3> = compose 1i, 2i, 3i\n");
    check_code("", "let a = vec3(1, 2, 3)[i]; let b = vec3(1, 2, 3)[i];", "a: i32 = element %1, %2\n");
    assert_int_equal(failures, 0);
}

static void deep_and_long(void **state)
{
    (void)state;
    front p;
    size_t n = 900;
    char *text = malloc(n * 16 + 256);
    assert_non_null(text);
    size_t len = (size_t)sprintf(text, "const c = 1");
    for (size_t i = 0; i < n; i++)
        len += (size_t)sprintf(text + len, " + 1");
    sprintf(text + len, "; const_assert c == %zu;", n + 1);
    front_run(&p, text);
    if (!p.ok) print_error("%s\n", tsr_text_get(&p.messages));
    assert_true(p.ok);
    front_free(&p);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(literals_and_arithmetic), cmocka_unit_test(conversions),
        cmocka_unit_test(vectors_and_matrices),    cmocka_unit_test(const_errors),
        cmocka_unit_test(run_time_rules),          cmocka_unit_test(code),
        cmocka_unit_test(deep_and_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
