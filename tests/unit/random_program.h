/* Random programs in WGSL: control flow of every kind with lanes that part, variables of all forms, memory with good
 * and bad indices, subgroup operations among whichever lanes are there, matrices of many shapes. A portable program
 * asks nothing that WGSL leaves open: its integers are the same everywhere, and its floats carry bounds. */
#ifndef TSR_TESTS_RANDOM_PROGRAM_H
#define TSR_TESTS_RANDOM_PROGRAM_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Results: FLOATS_AT words of integers; for each invocation two floats, each with its bound. */
enum { TEXT_MAX = 1 << 17, FLOATS_AT = 256, FLOAT_PAIRS = 512, WORDS = FLOATS_AT + 2 * FLOAT_PAIRS };

typedef struct maker {
    uint64_t seed;
    char *text;
    size_t len;
    int indent, next, budget, nest;
    bool in_loop, in_switch, in_helper;
    bool portable; /* what WGSL leaves open is not asked */
    bool no_atan;
    bool no_parted; /* subgroup operations only where all lanes are */
    uint32_t sums;  /* products that are added up in one element of a matrix */
    uint32_t width; /* of the workgroup */
    uint32_t all;   /* its invocations */
    bool left;      /* lanes may have returned */
    bool stays;     /* nobody returns or leaves a loop from here */
    bool in_meet;
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
        if (m->portable) {
            put(m, "((gid & %uu) != 0u)", 1u << roll(m, 6));
            break;
        }
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

/* Right of an operator a constant may stand, but for no divisor 0. */
static void make_right(maker *m, int depth, bool divides)
{
    if (roll(m, 4) == 0)
        put(m, "%uu", (roll(m, 2) ? roll(m, 64) : roll(m, 0x7fffffff)) | (divides ? 1u : 0u));
    else
        make_u32(m, depth);
}

static const char *const int_op[] = {"+", "-", "*", "&", "|", "^", "/", "%"};

static void make_signed(maker *m, int depth)
{
    uint32_t op = roll(m, 8);
    put(m, "bitcast<u32>(bitcast<i32>(");
    make_u32(m, depth);
    put(m, ") %s bitcast<i32>(", int_op[op]);
    make_right(m, depth, op >= 6);
    put(m, "))");
}

/* Ends an index: a part that is there; where it need not be, also the one past the end, or anything. */
static void put_bound(maker *m, uint32_t inside, uint32_t beyond)
{
    uint32_t kind = m->portable ? 0 : roll(m, 6);
    if (kind < 5) put(m, " %% %uu", kind < 4 ? inside : beyond);
    put(m, "]");
}

/* Numbers that meet others again when they are multiplied by the bytes of an element, or wrap when one is added. */
static uint32_t roll_edge(maker *m)
{
    static const uint32_t edges[] = {1u << 29, 1u << 30, 0x7fffffffu, 1u << 31, 0xfffffff8u, 0xffffffffu};
    return roll(m, 3) ? roll(m, 300) : edges[roll(m, 6)];
}

/* What a workgroup of two dimensions reads: rows that lie apart, or before the first one. */
static void put_grid_load(maker *m)
{
    put(m, "data[(local.y * %uu + local.x * %uu", roll(m, 4) ? roll(m, 40) : m->width, roll(m, 4) ? 1 : roll(m, 5));
    if (roll(m, 2)) put(m, roll(m, 3) ? " + u32(%u)" : " - u32(%u)", roll(m, 3));
    put(m, ")");
    put_bound(m, 256, 1400);
}

/* A word of workgroup memory that is the lane's own, named by row and column. */
static void put_grid_word(maker *m)
{
    put(m, "shared_words[local.y * %uu + local.x]", m->width);
}

/* Never constant: a constant expression that overflows would be refused. */
static void make_u32(maker *m, int depth)
{
    static const char *const leaf[] = {"u0",  "u1",    "u2",      "lane",    "gid",
                                       "sub", "group", "local.x", "local.y", "data[0]"};
    static const char *const one[] = {"countOneBits", "firstLeadingBit", "reverseBits", "countLeadingZeros",
                                      "firstTrailingBit"};
    if (depth <= 0 || roll(m, 5) == 0) {
        put(m, "%s", leaf[roll(m, 10)]);
        return;
    }
    uint32_t op = roll(m, 8);
    switch (roll(m, 13)) {
    case 0:
        put(m, "data[");
        make_u32(m, depth - 1);
        put_bound(m, 250, 1400);
        break;
    case 1:
        put(m, "own[");
        make_u32(m, depth - 1);
        put_bound(m, 8, 11);
        break;
    case 2:
        put(m, "select(");
        make_u32(m, depth - 1);
        put(m, ", ");
        make_right(m, depth - 1, false);
        put(m, ", ");
        make_bool(m, depth - 1);
        put(m, ")");
        break;
    case 3:
        if (m->portable) {
            make_signed(m, depth - 1);
            break;
        }
        put(m, "u32(");
        make_f32(m, depth - 1);
        put(m, ")");
        break;
    case 4: make_signed(m, depth - 1); break;
    case 5:
        put(m, "%s(", one[roll(m, 5)]);
        make_u32(m, depth - 1);
        put(m, ")");
        break;
    case 6:
        if (roll(m, 2))
            put(m, "data[%uu + lane * %uu]", roll(m, 8), roll(m, 4));
        else
            put_grid_load(m);
        break;
    case 7:
        put(m, "(");
        make_u32(m, depth - 1);
        put(m, " %s (", roll(m, 2) ? "<<" : ">>");
        make_u32(m, depth - 1);
        put(m, " & 31u))");
        break;
    default:
        put(m, "(");
        make_u32(m, depth - 1);
        put(m, " %s ", int_op[op]);
        make_right(m, depth - 1, op >= 6);
        put(m, ")");
    }
}

static void make_arguments(maker *m, int depth, int count)
{
    for (int i = 0; i < count; i++) {
        put(m, i ? ", " : "(");
        make_f32(m, depth - 1);
    }
    put(m, ")");
}

/* A float and the bound of its error: the functions of `float_text`. */
static void make_bounded(maker *m, int depth)
{
    static const char *const one[] = {"f_abs", "f_sqrt", "f_sin",  "f_cos", "f_exp2",
                                      "f_exp", "f_log",  "f_tanh", "f_atan"};
    static const char *const two[] = {"f_add", "f_sub", "f_mul", "f_div", "f_min", "f_max"};
    if (depth <= 0 || roll(m, 4) == 0) {
        if (roll(m, 3))
            put(m, "f%u", roll(m, 2));
        else
            put(m, "vec2f(%u.%u, 0.0)", roll(m, 16), roll(m, 10));
        return;
    }
    switch (roll(m, 7)) {
    case 0:
        put(m, "vec2f(f32(");
        make_u32(m, depth - 1);
        put(m, " %% 1000u), 0.0)");
        break;
    case 1:
        put(m, "%s", one[roll(m, m->no_atan ? 8 : 9)]);
        make_arguments(m, depth, 1);
        break;
    case 2:
        put(m, "f_fma");
        make_arguments(m, depth, 3);
        break;
    case 3:
        put(m, "select(");
        make_f32(m, depth - 1);
        put(m, ", ");
        make_f32(m, depth - 1);
        put(m, ", ");
        make_bool(m, 1);
        put(m, ")");
        break;
    default: put(m, "%s", two[roll(m, 6)]); make_arguments(m, depth, 2);
    }
}

static void make_f32(maker *m, int depth)
{
    static const char *const op[] = {"+", "-", "*", "/", "%"};
    static const char *const one[] = {"abs",   "floor", "sqrt", "exp2",        "sin",     "fract",         "tanh",
                                      "round", "exp",   "log",  "log2",        "cos",     "tan",           "asin",
                                      "acos",  "atan",  "sinh", "cosh",        "asinh",   "acosh",         "atanh",
                                      "ceil",  "trunc", "sign", "inverseSqrt", "degrees", "quantizeToF16", "saturate"};
    if (m->portable) {
        make_bounded(m, depth);
        return;
    }
    if (depth <= 0 || roll(m, 4) == 0) {
        put(m, "f%u", roll(m, 2));
        return;
    }
    switch (roll(m, 8)) {
    case 0:
        put(m, "f32(");
        make_u32(m, depth - 1);
        put(m, " %% 1000u)");
        break;
    case 1:
        put(m, "%s", one[roll(m, sizeof one / sizeof *one)]);
        make_arguments(m, depth, 1);
        break;
    case 2: {
        static const char *const two[] = {"min", "max", "pow", "atan2", "step"};
        put(m, "%s", two[roll(m, 5)]);
        make_arguments(m, depth, 2);
        break;
    }
    case 3: {
        static const char *const three[] = {"fma", "mix", "clamp", "smoothstep"};
        put(m, "%s", three[roll(m, 4)]);
        make_arguments(m, depth, 3);
        break;
    }
    default:
        put(m, "(");
        make_f32(m, depth - 1);
        put(m, " %s ", op[roll(m, 5)]);
        if (roll(m, 4))
            make_f32(m, depth - 1);
        else
            put(m, "%u.%u", roll(m, 16), roll(m, 10));
        put(m, ")");
    }
}

/* ---- Statements. */

static void make_block(maker *m, int depth);

/* A vector of four: of the lane's own in workgroup memory, of numbers, or of one word of a lane. */
static void make_fours(maker *m, int depth)
{
    static const char *const op[] = {"+", "-", "*", "^", "&", "|"};
    switch (depth > 0 ? roll(m, 5) : roll(m, 3)) {
    case 0: put(m, "vec4u(%uu, %uu, %uu, %uu)", roll(m, 9), roll(m, 9), roll(m, 1000), roll(m, 9)); break;
    case 1: put(m, roll(m, 2) ? "vec4u(u%u)" : "vec4u(%uu)", roll(m, 3)); break;
    case 2: put(m, "fours[lane]"); break;
    case 3:
        put(m, "select(");
        make_fours(m, depth - 1);
        put(m, ", ");
        make_fours(m, depth - 1);
        put(m, ", ");
        make_fours(m, depth - 1);
        put(m, " < ");
        make_fours(m, depth - 1);
        put(m, ")");
        break;
    default:
        put(m, "(");
        make_fours(m, depth - 1);
        put(m, " %s ", op[roll(m, 6)]);
        make_fours(m, depth - 1);
        put(m, ")");
    }
}

static void put_fours(maker *m)
{
    put(m, "{ let t = ");
    make_fours(m, 2);
    put(m, "; ");
    if (roll(m, 4)) {
        put(m, "fours[lane] = t ^ ");
        make_fours(m, 1);
        put(m, "; ");
    }
    if (roll(m, 2)) put(m, "u%u ^= t.%c; ", roll(m, 3), "xyzw"[roll(m, 4)]);
    put(m, "u0 += fours[lane].%c; }", "xyzw"[roll(m, 4)]);
}

/* Among the lanes that are there; the ones that read a certain lane only where none can be missing. */
static void make_subgroup(maker *m)
{
    static const char *const op[] = {
        "subgroupAdd",          "subgroupMin",          "subgroupMax",          "subgroupXor",
        "subgroupAnd",          "subgroupOr",           "subgroupMul",          "subgroupBroadcastFirst",
        "subgroupInclusiveAdd", "subgroupExclusiveAdd", "subgroupInclusiveMul", "subgroupExclusiveMul"};
    static const char *const moved[] = {"subgroupShuffle", "subgroupShuffleXor", "subgroupBroadcast",
                                        "quadBroadcast",   "subgroupShuffleUp",  "subgroupShuffleDown"};
    static const char *const quad[] = {"quadSwapX", "quadSwapY", "quadSwapDiagonal"};
    bool certain = !m->portable || (m->nest == 0 && !m->left && !m->in_helper);
    uint32_t kind = roll(m, certain ? 8 : 6);
    put(m, "u%u = ", roll(m, 3));
    if (m->no_parted && !certain) {
        put(m, "u0 + %uu", kind);
        return;
    }
    if (kind == 5) {
        put(m, "subgroupBallot");
        put(m, "(");
        make_bool(m, 1);
        put(m, ").x");
        return;
    }
    /* The last two also read lanes that never are there. */
    const char *name = kind < 5 ? op[roll(m, 12)] : kind == 6 ? quad[roll(m, 3)] : moved[roll(m, m->portable ? 4 : 6)];
    put(m, "%s(", name);
    make_u32(m, 1);
    if (kind == 7) put(m, ", %uu", roll(m, 4));
    put(m, ")");
}

static void make_assignment(maker *m)
{
    switch (roll(m, 6)) {
    case 0:
        put(m, "f%u = ", roll(m, 2));
        make_f32(m, m->portable ? 3 : 2);
        break;
    case 1:
        put(m, "own[");
        make_u32(m, 1);
        put_bound(m, 8, 11);
        put(m, " = ");
        make_u32(m, 2);
        break;
    case 2:
        if (roll(m, 3) == 0 && !m->in_helper) {
            put_fours(m);
            return;
        }
        if (roll(m, 2)) {
            make_subgroup(m);
        } else if (roll(m, 2) && !m->in_helper) {
            put_grid_word(m);
            put(m, " = ");
            make_u32(m, 2);
        } else if (!m->in_helper) {
            put(m, "u%u ^= ", roll(m, 3));
            put_grid_word(m);
        } else {
            put(m, "u1 += 3u");
        }
        break;
    case 3:
        if (m->in_helper) {
            put(m, "u0 += 1u");
            break;
        }
        put(m, "u%u = helper(", roll(m, 3));
        make_u32(m, 1);
        put(m, ", &own, lane)");
        break;
    default:
        if (roll(m, 6) == 0) {
            put(m, "hold(&held, ");
            make_u32(m, 1);
            put(m, "); u%u ^= held", roll(m, 3));
            break;
        }
        put(m, "u%u = ", roll(m, 3));
        make_u32(m, 3);
    }
    put(m, ";");
}

/* What loops and guards prove about an index, and what they only seem to. */
static void make_counted_index(maker *m, int id)
{
    bool guarded = roll(m, 3) == 0;
    line(m);
    if (guarded) put(m, "if (i%d < %uu) { ", id, roll_edge(m));
    if (roll(m, 2)) {
        put(m, "u%u ^= %s[(i%d * %uu + %uu)", roll(m, 3), roll(m, 2) ? "data" : "own", id, roll_edge(m), roll_edge(m));
        put_bound(m, 8, 11);
    } else {
        put(m, "own[(i%d * %uu + %s)", id, roll_edge(m), roll(m, 2) ? "lane" : "2u");
        put_bound(m, 8, 11);
        put(m, " = u%u", roll(m, 3));
    }
    put(m, ";%s", guarded ? " }" : "");
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
    make_counted_index(m, id);
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
    if (m->stays && !(kind < 2 && m->in_loop)) {
        put(m, " { u0 ^= 77u; }");
        return;
    }
    if (kind == 0 && (m->in_loop || m->in_switch))
        put(m, " { break; }");
    else if (kind == 1 && m->in_loop)
        put(m, " { continue; }");
    else if (m->in_helper)
        put(m, " { return u0; }");
    else
        put(m, " { u0 ^= 77u; out[gid] = u0; return; }");
    m->left = m->left || !(kind == 0 && (m->in_loop || m->in_switch));
}

static void make_block(maker *m, int depth)
{
    uint32_t count = roll(m, 4) + 1;
    m->nest++;
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
    m->nest--;
}

/* Running error analysis (Higham, section 3.3): y bounds how far x is from what exact arithmetic gives, whatever a
 * device within WGSL's accuracy does; large or NaN where nothing is promised, and that is passed on. Subnormals may be
 * flushed, and sums taken in another order (9 - x - y as 9 - (x + y)). */
static const char float_text[] =
    "const ulp = 1.1920929e-7;\nconst least = 1.1754944e-38;\nconst lost = 3.0e38;\n"
    "fn f_made(r: f32, e: f32, ulps: f32) -> vec2f {\n    return vec2f(r, (e + abs(r) * ulps * ulp) * 1.0001 + "
    "least);\n}\n"
    "fn f_sum(r: f32, a: vec2f, b: vec2f) -> vec2f {\n"
    "    return f_made(r, a.y + b.y + (abs(a.x) + abs(b.x)) * ulp, 1.0);\n}\n"
    "fn f_add(a: vec2f, b: vec2f) -> vec2f { return f_sum(a.x + b.x, a, b); }\n"
    "fn f_sub(a: vec2f, b: vec2f) -> vec2f { return f_sum(a.x - b.x, a, b); }\n"
    "fn f_mul(a: vec2f, b: vec2f) -> vec2f {\n    return f_made(a.x * b.x, abs(a.x) * b.y + abs(b.x) * a.y + a.y * "
    "b.y, 1.0);\n}\n"
    "fn f_div(a: vec2f, b: vec2f) -> vec2f {\n    let r = a.x / b.x;\n    let known = abs(b.x) - b.y;\n"
    "    let good = known > 0.25 * abs(b.x) && abs(b.x) > 1.0e-30 && abs(b.x) < 1.0e30 && abs(r) < 1.0e30;\n"
    "    return f_made(r, select(lost, (a.y + abs(r) * b.y) / known, good), 3.0);\n}\n"
    "fn f_min(a: vec2f, b: vec2f) -> vec2f { return f_made(min(a.x, b.x), a.y + b.y, 0.0); }\n"
    "fn f_max(a: vec2f, b: vec2f) -> vec2f { return f_made(max(a.x, b.x), a.y + b.y, 0.0); }\n"
    "fn f_abs(a: vec2f) -> vec2f { return f_made(abs(a.x), a.y, 0.0); }\n"
    "fn f_fma(a: vec2f, b: vec2f, c: vec2f) -> vec2f {\n    let p = f_mul(a, b);\n"
    "    return f_made(fma(a.x, b.x, c.x), p.y + c.y, 1.0);\n}\n"
    "fn f_sqrt(a: vec2f) -> vec2f {\n    let r = sqrt(a.x);\n"
    "    return f_made(r, select(lost, a.y / r, a.x > 2.0 * a.y && a.x > 1.0e-30 && a.x < 1.0e30), 6.0);\n}\n"
    "fn f_sin(a: vec2f) -> vec2f { return f_made(sin(clamp(a.x, -3.1, 3.1)), a.y + 0.00048828125, 0.0); }\n"
    "fn f_cos(a: vec2f) -> vec2f { return f_made(cos(clamp(a.x, -3.1, 3.1)), a.y + 0.00048828125, 0.0); }\n"
    "fn f_power(x: f32, r: f32, e: f32) -> vec2f {\n"
    "    return f_made(r, select(lost, r * e * 2.0, e < 0.5), 4.0 + 2.0 * abs(x));\n}\n"
    "fn f_exp2(a: vec2f) -> vec2f {\n    let x = clamp(a.x, -20.0, 20.0);\n    return f_power(x, exp2(x), a.y);\n}\n"
    "fn f_exp(a: vec2f) -> vec2f {\n    let x = clamp(a.x, -20.0, 20.0);\n    return f_power(x, exp(x), a.y);\n}\n"
    /* 2^-21 from 0.5 to 2, else 3 units. */
    "fn f_log(a: vec2f) -> vec2f {\n    let good = a.x > 2.0 * a.y && a.x > 1.0e-30 && a.x < 1.0e30;\n"
    "    return f_made(log(a.x), select(lost, 2.0 * a.y / a.x + 4.76837158203125e-7, good), 4.0);\n}\n"
    /* sinh(x) / cosh(x), or 1e-5; 4096 units. */
    "fn f_tanh(a: vec2f) -> vec2f { return f_made(tanh(clamp(a.x, -5.0, 5.0)), a.y + 2.0e-5, 8.0); }\n"
    "fn f_atan(a: vec2f) -> vec2f { return f_made(atan(a.x), a.y, 4097.0); }\n";

static void make_helper(maker *m)
{
    bool p = m->portable;
    put(m,
        "fn hold(p: ptr<private, u32>, x: u32) {\n    if (x %% 3u == 0u) { *p = x; } else { *p += 1u; }\n}\n\n"
        "fn helper(start: u32, own_in: ptr<function, array<u32, 8>>, lane: u32) -> u32 {\n    var u0 = start;\n"
        "    var u1 = lane;\n    var u2 = 5u;\n    var f0 = %s;\n    var f1 = %s;\n    var own = *own_in;\n"
        "    let gid = lane;\n    let sub = 1u;\n    let group = 2u;\n    let local = vec3<u32>(lane, 1u, 0u);\n",
        p ? "vec2f(f32(start % 100u), 0.0)" : "f32(start % 100u)", p ? "vec2f(0.5, 0.0)" : "0.5");
    m->indent = 1;
    m->in_helper = true;
    m->budget = 4;
    make_block(m, 2);
    put(m, "\n    (*own_in)[u0 %% 8u] = u1 + u2%s;\n    kept += u1;\n    return u0 ^ own[1];\n}\n\n",
        p ? "" : " + u32(f0 + f1)");
    m->in_helper = false;
    m->left = false;
}

/* ---- Barriers, in flow that is the same for the workgroup: what invocations hold must live through them. */

static void put_meeting(maker *m)
{
    switch (roll(m, 5)) {
    case 0: put(m, "workgroupBarrier();"); break;
    case 1:
        put(m, "if (lane == %uu) { flag = ", roll(m, 32));
        make_u32(m, 1);
        put(m, " %% 5u; }");
        line(m);
        put(m, "u%u += workgroupUniformLoad(&flag);", roll(m, 3));
        break;
    default:
        put(m, "shared_words[lane] = ");
        make_u32(m, 2);
        put(m, ";");
        line(m);
        put(m, "workgroupBarrier();");
        line(m);
        put(m, "u%u ^= shared_words[(lane * %uu + %uu) %% %uu];", roll(m, 3), 2 * roll(m, 8) + 1, roll(m, 99), m->all);
        line(m);
        put(m, "workgroupBarrier();");
    }
}

static void make_meeting_block(maker *m, int depth);

static void make_meeting_loop(maker *m, int depth)
{
    int id = m->next++;
    if (roll(m, 2))
        put(m, "for (var w%d = 0u; w%d < %uu; w%d++) {", id, id, roll(m, 3) + 1, id);
    else
        put(m, "for (var w%d = group; w%d < 3u; w%d++) {", id, id, id);
    m->indent++;
    line(m);
    put(m, "u%u += w%d;", roll(m, 3), id);
    make_meeting_block(m, depth - 1);
    line(m);
    if (roll(m, 3) == 0) {
        put(m, "if (w%d == %uu) { %s; }", id, roll(m, 3), roll(m, 2) ? "break" : "continue");
        make_meeting_block(m, 0);
    }
    m->indent--;
    line(m);
    put(m, "}");
}

static void make_meeting_if(maker *m, int depth)
{
    put(m, roll(m, 2) ? "if (group == %uu) {" : "if ((group + 1u) %% 3u > %uu) {", roll(m, 2));
    m->indent++;
    make_meeting_block(m, depth - 1);
    m->indent--;
    line(m);
    put(m, "} else {");
    m->indent++;
    if (roll(m, 2)) make_meeting_block(m, depth - 1);
    m->indent--;
    line(m);
    put(m, "}");
}

static void make_meeting_switch(maker *m, int depth)
{
    put(m, "switch ((group + %uu) %% 3u) {", roll(m, 3));
    for (uint32_t i = 0; i < 3; i++) {
        line(m);
        put(m, i < 2 ? "case %uu: {" : "default: {", i);
        m->indent++;
        if (i != 1) make_meeting_block(m, depth - 1);
        m->indent--;
        line(m);
        put(m, "}");
    }
    line(m);
    put(m, "}");
}

static void put_kept(maker *m)
{
    static const char *const use[] = {"far[u%u %% 5u] += u1;",           "u%u ^= far[(lane + 1u) %% 5u];",
                                      "pair.a = u%u; pair.b = !pair.b;", "if (pair.b) { u%u ^= pair.a; }",
                                      "wide += vec3u(u%u, 1u, lane);",   "u%u ^= wide.x ^ wide.z;"};
    put(m, use[roll(m, 6)], roll(m, 3));
}

static void make_meeting_block(maker *m, int depth)
{
    uint32_t count = roll(m, 3) + 1;
    bool was_loop = m->in_loop, was_switch = m->in_switch, stays = m->stays;
    for (uint32_t i = 0; i < count; i++) {
        line(m);
        uint32_t kind = depth > 0 && m->budget-- > 0 ? roll(m, 10) : 6 + roll(m, 4);
        m->in_loop = m->in_switch = false;
        m->stays = true;
        if (kind == 0)
            make_meeting_loop(m, depth);
        else if (kind == 1)
            make_meeting_if(m, depth);
        else if (kind == 2)
            make_meeting_switch(m, depth);
        else if (kind == 3 && !m->in_meet)
            put(m, "u%u ^= meet(u%u, lane, group);", roll(m, 3), roll(m, 3));
        else if (kind == 4)
            make_block(m, 1);
        else if (kind <= 6)
            put_kept(m);
        else
            put_meeting(m);
        m->in_loop = was_loop;
        m->in_switch = was_switch;
        m->stays = stays;
    }
}

static void put_kept_variables(maker *m)
{
    put(m, "\n    var far = array<u32, 5>(1u, 2u, lane, 4u, 5u);\n    var pair = Pair(lane, group == 0u);\n"
           "    var wide = vec3u(lane, 2u, 3u);");
}

/* A function whose callers all meet in it; it returns when the workgroup does. */
static void make_meet(maker *m)
{
    bool p = m->portable;
    put(m,
        "struct Pair { a: u32, b: bool }\nvar<workgroup> flag: u32;\n\n"
        "fn meet(start: u32, lane: u32, group: u32) -> u32 {\n    var u0 = start;\n    var u1 = lane;\n    var u2 = "
        "5u;\n"
        "    var f0 = %s;\n    var f1 = %s;\n    var own: array<u32, 8>;\n    let gid = lane;\n    let sub = 1u;\n"
        "    let local = vec3<u32>(lane, 0u, 0u);",
        p ? "vec2f(f32(start % 100u), 0.0)" : "f32(start % 100u)", p ? "vec2f(0.5, 0.0)" : "0.5");
    put_kept_variables(m);
    m->indent = 1;
    m->in_helper = m->in_meet = true;
    m->budget = 3;
    make_meeting_block(m, 2);
    line(m);
    if (roll(m, 2)) put(m, "if (group == %uu) { return u1; }", roll(m, 2));
    make_meeting_block(m, 1);
    put(m, "\n    return u0 ^ u1 ^ own[1] ^ far[2] ^ wide.y;\n}\n\n");
    m->in_helper = m->in_meet = false;
    m->left = false;
}

static void put_floats(maker *m)
{
    put(m,
        "\n    for (var i = 0u; i < 2u; i++) {\n        out[%uu + gid * 4u + i] = bitcast<u32>(f0[i]);\n"
        "        out[%uu + gid * 4u + i] = bitcast<u32>(f1[i]);\n    }",
        FLOATS_AT, FLOATS_AT + 2);
}

static void make_start(maker *m, uint32_t x, uint32_t y, bool meets)
{
    bool p = m->portable;
    m->len = 0;
    m->width = x;
    m->all = x * y;
    m->next = m->nest = 0;
    m->left = m->stays = false;
    put(m,
        "diagnostic(off, subgroup_uniformity);\nenable subgroups;\n"
        "@group(0) @binding(0) var<storage, read> data: array<u32>;\n"
        "@group(0) @binding(1) var<storage, read_write> out: array<u32>;\n"
        "var<workgroup> shared_words: array<u32, %u>;\nvar<workgroup> fours: array<vec4u, %u>;\n"
        "var<private> kept: u32 = 3u;\nvar<private> held: u32;\n\n",
        x * y, x * y);
    if (p) put(m, "%s\n", float_text);
    make_helper(m);
    if (meets) make_meet(m);
    put(m,
        "@compute @workgroup_size(%u, %u)\nfn main(@builtin(global_invocation_id) global: vec3<u32>, "
        "@builtin(local_invocation_index) lane: u32,\n"
        "        @builtin(subgroup_id) sub: u32, @builtin(workgroup_id) group3: vec3<u32>, "
        "@builtin(local_invocation_id) local: vec3<u32>) {\n"
        "    let group = group3.x;\n    let gid = group * %uu + lane;\n    var u0 = lane;\n    var u1 = group * 3u;\n"
        "    var u2 = data[lane];\n    var f0 = %s;\n    var f1 = %s;\n    var own: array<u32, 8>;",
        x, y, x * y, p ? "vec2f(f32(lane), 0.0)" : "f32(lane)", p ? "vec2f(1.25, 0.0)" : "1.25");
    m->budget = (int)roll(m, 3) * 5 + 4;
    m->nest = -1;
}

/* As kernels begin: who is outside the matrix leaves. */
static void put_guard(maker *m, uint32_t x, uint32_t y)
{
    put(m, "\n    if (local.x %s %uu || local.y >= %uu) { return; }", roll(m, 4) ? ">=" : "<", roll(m, x + 1),
        roll(m, 2) ? y : roll(m, y + 1));
    m->left = true;
}

static void make_program(maker *m, uint32_t x, uint32_t y)
{
    make_start(m, x, y, false);
    if (roll(m, 3) == 0) put_guard(m, x, y);
    make_block(m, 3);
    if (m->portable) {
        put_floats(m);
        put(m, "\n    out[gid] = u0 ^ (u1 * 3u) ^ (u2 * 5u) ^ own[2] ^ own[5] ^ kept;\n}\n");
        return;
    }
    put(m, "\n    out[gid] = u0 ^ (u1 * 3u) ^ (u2 * 5u) ^ (bitcast<u32>(select(f0, 1.0, f0 != f0)) * 7u) ^ "
           "bitcast<u32>(select(f1, 2.0, f1 != f1)) ^ own[2] ^ own[5] ^ kept;\n}\n");
}

/* A program whose subgroups meet at barriers: nobody returns. */
static void make_barrier_program(maker *m, uint32_t x, uint32_t y)
{
    uint32_t all = x * y;
    make_start(m, x, y, true);
    put_kept_variables(m);
    m->stays = true;
    if (roll(m, 2)) make_block(m, 3);
    m->budget += 4;
    make_meeting_block(m, 3);
    if (m->portable) put_floats(m);
    put(m,
        "\n    shared_words[lane] = u0 + u1;\n    workgroupBarrier();\n    let other = shared_words[(lane * 7u + "
        "3u) %% %uu];\n    workgroupBarrier();\n"
        "    shared_words[lane] = other ^ u2;\n    workgroupBarrier();\n    out[gid] = other + shared_words[%uu "
        "- lane] + own[3] + far[1] + wide.x + select(0u, pair.a, pair.b);\n}\n",
        all, all - 1);
}

static void make_matrix_program(maker *m)
{
    static const char *const type[][3] = {{"f32", "f32", "f32"}, {"f16", "f32", "f16"}, {"f16", "f16", "f16"},
                                          {"i8", "i32", "i32"},  {"u8", "u32", "u32"},  {"i32", "i32", "i32"}};
    uint32_t t = m->portable ? roll(m, 4) + 1 : roll(m, 6), rows = 4 * (roll(m, 6) + 1) * 2,
             cols = 4 * (roll(m, 6) + 1) * 2, depth = 4 * (roll(m, 5) + 1) * 2, above = roll(m, 3) + 1,
             odd = m->portable ? 6 : roll(m, 6), times = roll(m, 3) + 1;
    /* Components are divided by the subgroup, so one side at a time can be any. */
    if (odd == 0) rows = roll(m, 25) + 1, cols = 32 * (roll(m, 2) + 1), depth = 32;
    if (odd == 1) cols = roll(m, 40) + 1, rows = 32, depth = 32;
    if (odd == 2) depth = roll(m, 21) + 1, rows = 32, cols = 32;
    if (m->portable) rows = cols = depth = 8; /* lavapipe's only shape */
    m->sums = depth * times;
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
        times, above, 4 * roll(m, 40), 4 * roll(m, 30), roll(m, 2) ? "true" : "false", 4 * (roll(m, 16) + 1));
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

/* Products of tiles from workgroup memory at places that constants say: side by side, apart, over each other or in
 * another order, so that some are one large product. */
static void make_grid_program(maker *m)
{
    static const char *const type[][3] = {{"f32", "f32", "f32"}, {"f16", "f32", "f16"}, {"f16", "f16", "f16"},
                                          {"i8", "i32", "i32"},  {"u8", "u32", "u32"},  {"i32", "i32", "i32"}};
    static const char *const order[] = {"%s", "%s", "%s", "(%s * 3u + 1u) %% 4u", "(%s / 2u)", "(3u - %s)"};
    uint32_t t = m->portable ? roll(m, 4) + 1 : roll(m, 6), high, wide, deep, rows, cols, depth, lda, ldb, up, in_a,
             in_b, across, start;
    bool eight = t == 3 || t == 4, turned = roll(m, 6) == 0, turned_b = roll(m, 8) == 0;
    do {
        high = m->portable ? 8 : 8 * (roll(m, 3) + 1), wide = m->portable ? 8 : 8 * (roll(m, 4) + 1),
        deep = m->portable ? 8 : 8 * (roll(m, 2) + 1);
        rows = roll(m, 4) + 1, cols = roll(m, 4) + 1, depth = roll(m, 4) + 1;
        lda = turned ? rows * high : depth * deep, ldb = turned_b ? depth * deep : cols * wide;
        if (roll(m, 3) == 0) lda += 4 * roll(m, 4), ldb += 4 * roll(m, 4);
        up = turned ? high : high * lda, in_a = turned ? deep * lda : deep;
        across = turned_b ? wide * ldb : wide, in_b = turned_b ? deep : deep * ldb;
        if (roll(m, 4) == 0) up = 4 * roll(m, 40);
        if (roll(m, 4) == 0) in_b = 4 * roll(m, 40);
        if (roll(m, 5) == 0) across = 4 * roll(m, 16);
        if (roll(m, 5) == 0) in_a = 4 * roll(m, 16);
        start = 4 * roll(m, 3);
    } while (4 * (start + 64 * lda + 4 * (up + in_a)) > 32768 || 4 * (64 * ldb + 4 * (across + in_b)) > 32768);
    uint32_t a_size = start + 64 * lda + 4 * (up + in_a), b_size = 64 * ldb + 4 * (across + in_b);
    uint32_t square = high > wide ? high * high : wide * wide;
    if (m->portable) a_size = a_size > 2048 ? 2048 : a_size, b_size = b_size > 2048 ? 2048 : b_size;
    m->sums = deep * depth;
    m->len = 0;
    put(m,
        "diagnostic(off, chromium.subgroup_matrix_uniformity);\n%senable subgroups;\nenable "
        "chromium_experimental_subgroup_matrix;\n",
        t == 1 || t == 2 ? "enable f16;\n" : "");
    const char *array = eight ? (t == 3 ? "i32" : "u32") : type[t][0];
    put(m,
        "@group(0) @binding(0) var<storage, read> a: array<%s>;\n@group(0) @binding(1) var<storage, read_write> c: "
        "array<%s>;\nvar<workgroup> wa: array<%s, %u>;\nvar<workgroup> wb: array<%s, %u>;\n",
        array, type[t][1], array, eight ? a_size / 4 : a_size, array, eight ? b_size / 4 : b_size);
    put(m,
        "alias Left = subgroup_matrix_left<%s, %u, %u>;\nalias Right = subgroup_matrix_right<%s, %u, %u>;\nalias "
        "Result = subgroup_matrix_result<%s, %u, %u>;\n",
        type[t][0], deep, high, type[t][0], wide, deep, type[t][1], wide, high);
    put(m,
        "@compute @workgroup_size(32)\nfn main(@builtin(local_invocation_index) lane: u32, @builtin(subgroup_id) sub: "
        "u32) {\n    for (var i = lane; i < %uu; i += 32u) { wa[i] = a[i %% 1000u]; }\n    for (var i = lane; i < %uu; "
        "i += 32u) { wb[i] = a[(i * 7u + 3u) %% 1000u]; }\n    workgroupBarrier();\n    let own = sub %% 2u * %uu;\n"
        "    var sum: array<Result, %u>;\n",
        eight ? a_size / 4 : a_size, eight ? b_size / 4 : b_size, 4 * roll(m, 3), rows * cols);
    char i_text[64], k_text[64];
    snprintf(i_text, sizeof i_text, order[rows == 4 ? roll(m, 6) : roll(m, 3)], "i");
    snprintf(k_text, sizeof k_text, order[depth == 4 ? roll(m, 6) : roll(m, 3)], "k");
    put(m,
        "    for (var k = 0u; k < %uu; k++) {\n      for (var i = 0u; i < %uu; i++) {\n        let l = "
        "subgroupMatrixLoad<Left>(&wa, %s * %uu + (%s * %uu + own) + %uu, %s, %uu);\n",
        depth, rows, k_text, in_a, i_text, up, start, turned ? "true" : "false", lda);
    put(m,
        "        for (var j = 0u; j < %uu; j++) {\n            let r = subgroupMatrixLoad<Right>(&wb, j * %uu + %s * "
        "%uu, %s, %uu);\n            sum[i * %uu + j] = subgroupMatrixMultiplyAccumulate(l, r, sum[i * %uu + j]);\n    "
        " "
        "   }\n      }\n    }\n",
        cols, across, k_text, in_b, turned_b ? "true" : "false", ldb, cols, cols);
    put(m,
        "    for (var j = 0u; j < %uu; j++) {\n        subgroupMatrixStore(&c, (sub * %uu + j) * %uu, sum[j], %s, "
        "%uu);\n    }\n}\n",
        rows * cols, rows * cols, square, roll(m, 4) == 0 ? "true" : "false", high > wide ? high : wide);
}

#endif
