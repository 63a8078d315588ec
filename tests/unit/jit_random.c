/* Random programs on native code and on the interpreter: control flow of every kind with lanes that part, variables of
 * all forms, memory with good and bad indices, subgroup operations among whichever lanes are there, matrices of many
 * shapes. Results must be equal bit for bit (a NaN is as good as another). The seed and the program are printed when
 * they differ.
 *
 *   JIT_PROGRAMS=N   how many (default 60)      JIT_SEED=N   where they begin */
#include "tessera.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 256, GROUPS = 2, TEXT_MAX = 1 << 16 };

typedef struct maker {
    uint64_t seed;
    char *text;
    size_t len;
    int indent, loops, next, budget;
    bool in_loop, in_switch, in_helper;
} maker;

static uint32_t roll(maker *m, uint32_t n)
{
    m->seed = m->seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(m->seed >> 33) % n;
}

static void put(maker *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void put(maker *m, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    if (m->len < TEXT_MAX - 4096) m->len += (size_t)vsnprintf(m->text + m->len, TEXT_MAX - m->len, fmt, args);
    va_end(args);
}

static void line(maker *m)
{
    put(m, "\n%*s", m->indent * 4, "");
}

/* ---- Expressions. */

static void make_u32(maker *m, int depth);
static void make_f32(maker *m, int depth);

static void make_bool(maker *m, int depth)
{
    static const char *const cmp[] = {"<", "<=", ">", ">=", "==", "!="};
    switch (roll(m, 5)) {
    case 0:
        put(m, "(");
        make_f32(m, depth - 1);
        put(m, " %s ", cmp[roll(m, 6)]);
        make_f32(m, depth - 1);
        put(m, ")");
        break;
    case 1: put(m, "(sub %s %uu)", cmp[roll(m, 6)], roll(m, 3)); break;
    case 2: put(m, "(lane < %uu)", 1u << roll(m, 6)); break;
    default:
        put(m, "(");
        make_u32(m, depth - 1);
        put(m, " %% %uu %s %uu)", roll(m, 5) + 2, cmp[roll(m, 6)], roll(m, 3));
    }
}

static void make_u32(maker *m, int depth)
{
    static const char *const op[] = {"+", "-", "*", "/", "%", "&", "|", "^"};
    static const char *const leaf[] = {"u0",  "u1",    "u2",      "lane",    "gid",
                                       "sub", "group", "local.x", "local.y", "data[0]"};
    if (depth <= 0 || roll(m, 4) == 0) {
        if (roll(m, 3) == 0)
            put(m, "%uu", roll(m, 2) ? roll(m, 64) : roll(m, 0x7fffffff));
        else
            put(m, "%s", leaf[roll(m, 10)]);
        return;
    }
    switch (roll(m, 12)) {
    case 0:
        put(m, "data[");
        make_u32(m, depth - 1);
        put(m, " %% %uu]", roll(m, 3) ? 250u : 400u);
        break;
    case 1:
        put(m, "own[");
        make_u32(m, depth - 1);
        put(m, " %% %uu]", roll(m, 3) ? 8u : 11u);
        break;
    case 2:
        put(m, "select(");
        make_u32(m, depth - 1);
        put(m, ", ");
        make_u32(m, depth - 1);
        put(m, ", ");
        make_bool(m, depth - 1);
        put(m, ")");
        break;
    case 3:
        put(m, "u32(");
        make_f32(m, depth - 1);
        put(m, ")");
        break;
    case 4:
        put(m, "bitcast<u32>(bitcast<i32>(");
        make_u32(m, depth - 1);
        put(m, ") %s bitcast<i32>(", op[roll(m, 8)]);
        make_u32(m, depth - 1);
        put(m, "))");
        break;
    case 5:
        put(m, "%s(", roll(m, 2) ? "countOneBits" : roll(m, 2) ? "firstLeadingBit" : "reverseBits");
        make_u32(m, depth - 1);
        put(m, ")");
        break;
    case 6: put(m, "data[%uu + lane * %uu]", roll(m, 8), roll(m, 4)); break;
    default:
        put(m, "(");
        make_u32(m, depth - 1);
        put(m, " %s ", op[roll(m, 8)]);
        make_u32(m, depth - 1);
        put(m, ")");
    }
}

static void make_f32(maker *m, int depth)
{
    static const char *const op[] = {"+", "-", "*", "/"};
    static const char *const one[] = {"abs", "floor", "sqrt", "exp2", "sin", "fract", "tanh", "round"};
    if (depth <= 0 || roll(m, 4) == 0) {
        if (roll(m, 2))
            put(m, "f%u", roll(m, 2));
        else
            put(m, "%u.%u", roll(m, 16), roll(m, 10));
        return;
    }
    switch (roll(m, 7)) {
    case 0:
        put(m, "f32(");
        make_u32(m, depth - 1);
        put(m, " %% 1000u)");
        break;
    case 1:
        put(m, "%s(", one[roll(m, 8)]);
        make_f32(m, depth - 1);
        put(m, ")");
        break;
    case 2:
        put(m, "%s(", roll(m, 2) ? "min" : "max");
        make_f32(m, depth - 1);
        put(m, ", ");
        make_f32(m, depth - 1);
        put(m, ")");
        break;
    default:
        put(m, "(");
        make_f32(m, depth - 1);
        put(m, " %s ", op[roll(m, 4)]);
        make_f32(m, depth - 1);
        put(m, ")");
    }
}

/* ---- Statements. */

static void make_block(maker *m, int depth);

static void make_assignment(maker *m)
{
    switch (roll(m, 6)) {
    case 0:
        put(m, "f%u = ", roll(m, 2));
        make_f32(m, 2);
        break;
    case 1:
        put(m, "own[");
        make_u32(m, 1);
        put(m, " %% %uu] = ", roll(m, 3) ? 8u : 11u);
        make_u32(m, 2);
        break;
    case 2: {
        static const char *const op[] = {
            "subgroupAdd",          "subgroupMin",          "subgroupMax", "subgroupXor", "subgroupBroadcastFirst",
            "subgroupInclusiveAdd", "subgroupExclusiveAdd", "quadSwapX"};
        put(m, "u%u = %s(", roll(m, 3), op[roll(m, 8)]);
        make_u32(m, 1);
        put(m, ")");
        break;
    }
    case 3:
        if (m->in_helper) {
            put(m, "u0 += 1u");
            break;
        }
        put(m, "u%u = helper(", roll(m, 3));
        make_u32(m, 1);
        put(m, ", &own, lane)");
        break;
    default: put(m, "u%u = ", roll(m, 3)); make_u32(m, 3);
    }
    put(m, ";");
}

static void make_loop(maker *m, int depth)
{
    int id = m->next++;
    bool was = m->in_loop, sw = m->in_switch;
    switch (roll(m, 3)) {
    case 0:
        put(m, "for (var i%d = %s; i%d < %uu; i%d += %uu) {", id, roll(m, 2) ? "lane % 4u" : "0u", id, roll(m, 6) + 1,
            id, roll(m, 3) + 1);
        break;
    case 1:
        put(m, "for (var i%d = 0u; i%d < ", id, id);
        make_u32(m, 1);
        put(m, " %% 5u; i%d++) {", id);
        break;
    default: put(m, "for (var i%d = lane; i%d < %uu; i%d += %uu) {", id, id, 64u + roll(m, 64), id, 32u); break;
    }
    m->indent++;
    line(m);
    put(m, "u%u += i%d;", roll(m, 3), id);
    m->in_loop = true;
    m->in_switch = false;
    make_block(m, depth - 1);
    m->in_loop = was;
    m->in_switch = sw;
    m->indent--;
    line(m);
    put(m, "}");
}

static void make_if(maker *m, int depth)
{
    put(m, "if ");
    make_bool(m, 2);
    put(m, " {");
    m->indent++;
    make_block(m, depth - 1);
    m->indent--;
    line(m);
    put(m, "}");
    if (roll(m, 2)) return;
    put(m, " else {");
    m->indent++;
    make_block(m, depth - 1);
    m->indent--;
    line(m);
    put(m, "}");
}

static void make_switch(maker *m, int depth)
{
    bool sw = m->in_switch;
    put(m, "switch (");
    make_u32(m, 2);
    put(m, " %% 4u) {");
    m->in_switch = true;
    for (uint32_t i = 0; i < 3; i++) {
        line(m);
        if (i == 2)
            put(m, "default: {");
        else
            put(m, "case %uu: {", i);
        m->indent++;
        make_block(m, depth - 1);
        m->indent--;
        line(m);
        put(m, "}");
    }
    m->in_switch = sw;
    line(m);
    put(m, "}");
}

static void make_leave(maker *m)
{
    uint32_t kind = roll(m, 3);
    put(m, "if ");
    make_bool(m, 1);
    if (kind == 0 && (m->in_loop || m->in_switch))
        put(m, " { break; }");
    else if (kind == 1 && m->in_loop)
        put(m, " { continue; }");
    else if (m->in_helper)
        put(m, " { return u0; }");
    else
        put(m, " { u0 ^= 77u; out[gid] = u0; return; }");
}

static void make_block(maker *m, int depth)
{
    uint32_t count = roll(m, 4) + 1;
    for (uint32_t i = 0; i < count; i++) {
        line(m);
        uint32_t kind = depth > 0 && m->budget-- > 0 ? roll(m, 8) : 7;
        if (kind == 0)
            make_loop(m, depth);
        else if (kind <= 2)
            make_if(m, depth);
        else if (kind == 3)
            make_switch(m, depth);
        else if (kind == 4 && roll(m, 2))
            make_leave(m);
        else
            make_assignment(m);
    }
}

static void make_program(maker *m, uint32_t x, uint32_t y)
{
    m->len = 0;
    m->next = 0;
    put(m,
        "diagnostic(off, subgroup_uniformity);\nenable subgroups;\n"
        "@group(0) @binding(0) var<storage, read> data: array<u32>;\n"
        "@group(0) @binding(1) var<storage, read_write> out: array<u32>;\n"
        "var<workgroup> shared_words: array<u32, %u>;\nvar<private> kept: u32 = 3u;\n\n",
        x * y);
    put(m, "fn helper(start: u32, own_in: ptr<function, array<u32, 8>>, lane: u32) -> u32 {\n    var u0 = start;\n    "
           "var u1 = lane;\n"
           "    var u2 = 5u;\n    var f0 = f32(start %% 100u);\n    var f1 = 0.5;\n    var own = *own_in;\n    let gid "
           "= lane;\n    let sub = 1u;\n"
           "    let group = 2u;\n    let local = vec3<u32>(lane, 1u, 0u);\n");
    m->indent = 1;
    m->in_helper = true;
    m->budget = 4;
    make_block(m, 2);
    put(m, "\n    (*own_in)[u0 %% 8u] = u1 + u2 + u32(f0 + f1);\n    kept += u1;\n    return u0 ^ own[1];\n}\n\n");
    put(m,
        "@compute @workgroup_size(%u, %u)\nfn main(@builtin(global_invocation_id) global: vec3<u32>, "
        "@builtin(local_invocation_index) lane: u32,\n"
        "        @builtin(subgroup_id) sub: u32, @builtin(workgroup_id) group3: vec3<u32>, "
        "@builtin(local_invocation_id) local: vec3<u32>) {\n"
        "    let group = group3.x;\n    let gid = group * %uu + lane;\n    var u0 = lane;\n    var u1 = group * 3u;\n  "
        "  var u2 = data[lane];\n    var f0 = f32(lane);\n"
        "    var f1 = 1.25;\n    var own: array<u32, 8>;",
        x, y, x * y);
    m->in_helper = false;
    m->budget = 14;
    make_block(m, 3);
    put(m, "\n    out[gid] = u0 ^ (u1 * 3u) ^ (u2 * 5u) ^ (bitcast<u32>(select(f0, 1.0, f0 != f0)) * 7u) ^ "
           "bitcast<u32>(select(f1, 2.0, f1 != f1)) ^ own[2] ^ own[5] ^ kept;\n}\n");
}

/* Without returns in the way: a program whose subgroups meet at barriers. */
static void make_barrier_program(maker *m, uint32_t x, uint32_t y)
{
    make_program(m, x, y);
    char *from = strstr(m->text, "\n    out[gid] = u0 ^ (u1");
    size_t all = x * y;
    char tail[1024];
    snprintf(tail, sizeof tail,
             "\n    shared_words[lane] = u0 + u1;\n    workgroupBarrier();\n    let other = shared_words[(lane * 7u + "
             "3u) %% %zuu];\n    workgroupBarrier();\n"
             "    shared_words[lane] = other ^ u2;\n    workgroupBarrier();\n    out[gid] = other + shared_words[%zuu "
             "- lane];\n}\n",
             all, all - 1);
    char *p = m->text;
    while ((p = strstr(p, "out[gid] = u0; return;")) != NULL && p < from)
        memcpy(p, "u1 += u0;             ", 22);
    snprintf(from, TEXT_MAX - (size_t)(from - m->text), "%s", tail);
}

static void make_matrix_program(maker *m)
{
    static const char *const type[][3] = {{"f32", "f32", "f32"}, {"f16", "f32", "f16"}, {"f16", "f16", "f16"},
                                          {"i8", "i32", "i32"},  {"u8", "u32", "u32"},  {"i32", "i32", "i32"}};
    uint32_t t = roll(m, 6), rows = 4 * (roll(m, 6) + 1) * 2, cols = 4 * (roll(m, 6) + 1) * 2,
             depth = 4 * (roll(m, 5) + 1) * 2, above = roll(m, 3) + 1, odd = roll(m, 6);
    /* Components are divided by the subgroup, so one side at a time can be any. */
    if (odd == 0) rows = roll(m, 25) + 1, cols = 32 * (roll(m, 2) + 1), depth = 32;
    if (odd == 1) cols = roll(m, 40) + 1, rows = 32, depth = 32;
    if (odd == 2) depth = roll(m, 21) + 1, rows = 32, cols = 32;
    bool eight = t == 3 || t == 4;
    const char *array = eight ? (t == 3 ? "i32" : "u32") : type[t][0];
    m->len = 0;
    put(m,
        "diagnostic(off, chromium.subgroup_matrix_uniformity);\n%senable subgroups;\nenable "
        "chromium_experimental_subgroup_matrix;\n",
        t == 1 || t == 2 ? "enable f16;\n" : "");
    put(m,
        "@group(0) @binding(0) var<storage, read> a: array<%s>;\n@group(0) @binding(1) var<storage, read_write> c: "
        "array<%s>;\n",
        array, type[t][1]);
    put(m,
        "alias Left = subgroup_matrix_left<%s, %u, %u>;\nalias Right = subgroup_matrix_right<%s, %u, %u>;\nalias "
        "Result = subgroup_matrix_result<%s, %u, %u>;\n",
        type[t][0], depth, rows, type[t][0], cols, depth, type[t][1], cols, rows);
    put(m,
        "@compute @workgroup_size(128)\nfn main(@builtin(subgroup_id) sub: u32) {\n    var sum: array<Result, %u>;\n",
        2 * above);
    put(m,
        "    for (var k = 0u; k < %uu; k++) {\n      for (var i = 0u; i < %uu; i++) {\n        let l = "
        "subgroupMatrixLoad<Left>(&a, k * %uu + i * %uu + sub * 4u, %s, %uu);\n",
        roll(m, 3) + 1, above, 4 * roll(m, 40), 4 * roll(m, 30), roll(m, 2) ? "true" : "false", 4 * (roll(m, 16) + 1));
    put(m,
        "        for (var j = 0u; j < 2u; j++) {\n            let r = subgroupMatrixLoad<Right>(&a, j * %uu + k * 4u, "
        "%s, %uu);\n"
        "            sum[i * 2u + j] = subgroupMatrixMultiplyAccumulate(l, r, sum[i * 2u + j]);\n        }\n      }\n  "
        "  "
        "}\n",
        4 * roll(m, 50), roll(m, 2) ? "true" : "false", 4 * (roll(m, 16) + 1));
    if (roll(m, 2)) put(m, "    sum[0] = subgroupMatrixScalarMultiply(sum[1], %s);\n", t <= 2 ? "0.5" : "3");
    put(m,
        "    for (var j = 0u; j < %uu; j++) {\n        subgroupMatrixStore(&c, (sub * %uu + j) * %uu, sum[j], %s, "
        "%uu);\n    }\n}\n",
        2 * above, 2 * above, (rows > cols ? rows : cols) * (rows > cols ? rows : cols), roll(m, 2) ? "true" : "false",
        rows > cols ? rows : cols);
}

/* ---- Running. */

static bool run(const char *device, uint32_t subgroup, const char *text, uint32_t fill, uint32_t *out, size_t words)
{
    tsr_device *dev = NULL;
    tsr_module *mod = NULL;
    tsr_pipeline *p = NULL;
    tsr_buffer *data = NULL, *result = NULL;
    uint32_t in[1024];
    for (uint32_t i = 0; i < 1024; i++)
        in[i] = fill == 1   ? 0x3c003800u ^ (i * 0x01010101u & 0x03ff03ffu)
                : fill == 2 ? 0x3f800000u + i * 0x1357u
                            : i * 2654435761u;
    memset(out, 0xab, words * 4);
    (void)tsr_compile(&(tsr_compile_args){.name = "random", .source = text, .source_bytes = strlen(text)}, &mod);
    bool ok = tsr_device_open(device, &(tsr_device_args){.threads = 2, .subgroup_size = subgroup}, &dev) == TSR_OK &&
              tsr_pipeline_create(dev, mod, NULL, &p) == TSR_OK &&
              tsr_buffer_create(dev, sizeof in, in, &data) == TSR_OK &&
              tsr_buffer_create(dev, words * 4, out, &result) == TSR_OK;
    tsr_binding b[2] = {{.binding = 0, .buffer = data}, {.binding = 1, .buffer = result}};
    ok = ok &&
         tsr_dispatch(p, &(tsr_dispatch_args){.bindings = b, .binding_count = 2, .groups = {GROUPS, 1, 1}}) == TSR_OK;
    if (ok) (void)tsr_buffer_read(result, 0, out, words * 4);
    if (!ok && mod && tsr_module_diagnostic_count(mod)) fputs(tsr_module_diagnostic_text(mod, 0, 0), stderr);
    if (!ok) fprintf(stderr, "%s: %s\n", device, tsr_last_error());
    tsr_pipeline_free(p);
    tsr_buffer_free(data);
    tsr_buffer_free(result);
    tsr_device_free(dev);
    tsr_module_free(mod);
    return ok;
}

static bool same(uint32_t a, uint32_t b, bool floats)
{
    if (a == b) return true;
    return floats && (a & 0x7fffffffu) > 0x7f800000u && (b & 0x7fffffffu) > 0x7f800000u;
}

static void compare(maker *m, uint64_t seed, uint32_t subgroup, uint32_t fill, size_t words, bool floats)
{
    uint32_t *x = malloc(words * 4), *y = malloc(words * 4);
    bool ok_y = run("cpu:interpreter", subgroup, m->text, fill, y, words),
         ok_x = run("cpu", subgroup, m->text, fill, x, words);
    size_t i = 0;
    while (ok_x && ok_y && i < words && same(x[i], y[i], floats))
        i++;
    if (ok_x != ok_y || (ok_x && i < words)) {
        fprintf(stderr, "seed %llu, subgroup %u, word %zu: native %08x, interpreter %08x\n%s\n",
                (unsigned long long)seed, (unsigned)subgroup, i, (unsigned)x[i < words ? i : 0],
                (unsigned)y[i < words ? i : 0], m->text);
        fail();
    }
    free(x);
    free(y);
}

static uint64_t number_of(const char *name, uint64_t instead)
{
    const char *s = getenv(name);
    return s && *s ? strtoull(s, NULL, 10) : instead;
}

static void test_programs(void **state)
{
    (void)state;
    static const uint32_t subgroups[] = {4, 8, 16, 32, 64, 128},
                          sizes[][2] = {{64, 1}, {16, 8}, {37, 1}, {8, 4}, {96, 1}, {128, 1}};
    uint64_t count = number_of("JIT_PROGRAMS", 60), first = number_of("JIT_SEED", 1);
    maker m = {.text = calloc(1, TEXT_MAX)};
    for (uint64_t n = first; n < first + count; n++) {
        m.seed = n * 7919;
        const uint32_t *size = sizes[roll(&m, 6)];
        if (n % 3 == 0)
            make_barrier_program(&m, size[0], size[1]);
        else
            make_program(&m, size[0], size[1]);
        compare(&m, n, subgroups[roll(&m, 6)], 0, WORDS, false);
    }
    free(m.text);
}

static void test_matrices(void **state)
{
    (void)state;
    static const uint32_t subgroups[] = {4, 8, 16, 32};
    uint64_t count = number_of("JIT_PROGRAMS", 60), first = number_of("JIT_SEED", 1);
    maker m = {.text = calloc(1, TEXT_MAX)};
    for (uint64_t n = first; n < first + count; n++) {
        m.seed = n * 104729;
        make_matrix_program(&m);
        bool half = strstr(m.text, "enable f16") != NULL;
        compare(&m, n, subgroups[roll(&m, 4)], half ? 1 : strstr(m.text, "f32") ? 2 : 0, 1 << 17, true);
    }
    free(m.text);
}

int main(void)
{
    setenv("TSR_EXACT_BITS", "1", 1);
    setenv("TSR_CACHE", "off", 1);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_programs), cmocka_unit_test(test_matrices)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
