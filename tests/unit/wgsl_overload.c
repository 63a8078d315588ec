/* Operators against WGSL's own rules: every binary operator on every pair of operand types, constants and run-time
 * values, compared with overload resolution done the long way (candidates, conversion ranks, elimination of abstract
 * candidates); and random constant expressions compared with the same arithmetic in C. */
#include "wgsl_whole.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NO_RANK = 1000 };

/* The scalar types; a vec2 of one is its index + VEC. */
enum { S_bool, S_i32, S_u32, S_f32, S_f16, S_aint, S_afloat, S_COUNT, VEC = 8, T_NONE = -1 };

static const char *const type_names[S_COUNT] = {"bool", "i32", "u32", "f32", "f16", "", ""};
static const char *const literals[S_COUNT] = {"true", "1i", "1u", "1f", "1h", "1", "1.0"};

/* WGSL, "Conversion Rank". */
static int rank(int from, int to)
{
    static const int aint[S_COUNT] = {NO_RANK, 3, 4, 6, 7, 0, 5};
    static const int afloat[S_COUNT] = {NO_RANK, NO_RANK, NO_RANK, 1, 2, NO_RANK, 0};
    if ((from & VEC) != (to & VEC)) return NO_RANK;
    from &= ~VEC;
    to &= ~VEC;
    if (from == to) return 0;
    return from == S_aint ? aint[to] : from == S_afloat ? afloat[to] : NO_RANK;
}

static bool is_abstract(int t)
{
    return (t & ~VEC) >= S_aint;
}

typedef enum group { ARITHMETIC, BITS, LOGIC, SHIFT, EQUALITY, ORDER } group;

typedef struct operator_row {
    const char *text;
    group group;
    bool takes_bool; /* & and | */
} operator_row;

static const operator_row operators[] = {
    {"+", ARITHMETIC, false}, {"-", ARITHMETIC, false}, {"*", ARITHMETIC, false}, {"/", ARITHMETIC, false},
    {"%", ARITHMETIC, false}, {"&", BITS, true},        {"|", BITS, true},        {"^", BITS, false},
    {"<<", SHIFT, false},     {">>", SHIFT, false},     {"==", EQUALITY, false},  {"!=", EQUALITY, false},
    {"<", ORDER, false},      {"<=", ORDER, false},     {">", ORDER, false},      {">=", ORDER, false},
    {"&&", LOGIC, false},     {"||", LOGIC, false},
};

typedef struct search {
    int a, b;
    bool is_const;
    int best, result;
} search;

/* One candidate of the overload set: parameters p and q, result r. */
static void try_candidate(search *s, int p, int q, int r)
{
    int sum = rank(s->a, p) + rank(s->b, q);
    if (sum >= NO_RANK) return;
    /* WGSL, "Overload Resolution": a candidate with an abstract parameter needs const-expressions throughout. */
    if (!s->is_const && (is_abstract(p) || is_abstract(q))) return;
    if (sum == s->best) {
        print_error("ambiguous: %d %d\n", s->a, s->b);
        fail();
    }
    if (sum > s->best) return;
    s->best = sum;
    s->result = r;
}

static void try_type(search *s, const operator_row *o, int t, int v)
{
    bool is_number = t != S_bool;
    bool is_integer = t == S_i32 || t == S_u32 || t == S_aint;
    switch (o->group) {
    case ARITHMETIC:
        if (is_number) try_candidate(s, t | v, t | v, t | v);
        if (is_number && v == VEC) {
            try_candidate(s, t | v, t, t | v);
            try_candidate(s, t, t | v, t | v);
        }
        break;
    case BITS:
        if (is_integer || (t == S_bool && o->takes_bool)) try_candidate(s, t | v, t | v, t | v);
        break;
    case SHIFT:
        if (is_integer) try_candidate(s, t | v, S_u32 | v, t | v);
        break;
    case EQUALITY: try_candidate(s, t | v, t | v, S_bool | v); break;
    case ORDER:
        if (is_number) try_candidate(s, t | v, t | v, S_bool | v);
        break;
    case LOGIC:
        if (t == S_bool && v == 0) try_candidate(s, t, t, t);
        break;
    }
}

static int resolve(const operator_row *o, int a, int b, bool is_const)
{
    search s = {a, b, is_const, NO_RANK, T_NONE};
    for (int t = 0; t < S_COUNT; t++) {
        try_type(&s, o, t, 0);
        try_type(&s, o, t, VEC);
    }
    return s.result;
}

static bool is_accepted(const char *text)
{
    front p;
    front_run(&p, text);
    bool ok = p.ok;
    front_free(&p);
    return ok;
}

static void print_operand(char *out, size_t size, int type, bool at_run_time)
{
    const char *name = type_names[type & ~VEC];
    if (at_run_time) {
        snprintf(out, size, "%s_%s", type & VEC ? "v" : "s", name);
    } else {
        snprintf(out, size, type & VEC ? "vec2(%s)" : "%s", literals[type & ~VEC]);
    }
}

/* Whether `expr` can initialise something declared of `type`, or of its own type when that is T_NONE. */
static bool takes_type(const char *expr, int type, bool is_const)
{
    char text[1024];
    char wanted[32];
    wanted[0] = '\0';
    if (type != T_NONE) snprintf(wanted, sizeof(wanted), type & VEC ? ": vec2<%s>" : ": %s", type_names[type & ~VEC]);
    snprintf(
        text, sizeof(text),
        is_const
            ? "enable f16; const c%s = %s;"
            : "enable f16;\n"
              "fn f(s_bool: bool, s_i32: i32, s_u32: u32, s_f32: f32, s_f16: f16, v_bool: vec2<bool>, v_i32: vec2i,\n"
              "     v_u32: vec2u, v_f32: vec2f, v_f16: vec2h) { let c%s = %s; }",
        wanted, expr);
    return is_accepted(text);
}

/* Compares the set of declared types that the expression fits with the set that its right type fits. */
static void check_pair(const operator_row *o, int a, int b, bool a_runs, bool b_runs)
{
    char left[64];
    char right[64];
    char expr[160];
    bool is_const = !a_runs && !b_runs;
    print_operand(left, sizeof(left), a, a_runs);
    print_operand(right, sizeof(right), b, b_runs);
    snprintf(expr, sizeof(expr), "%s %s %s", left, o->text, right);
    int wanted = resolve(o, a, b, is_const);
    if (wanted == T_NONE) {
        if (takes_type(expr, T_NONE, is_const)) {
            print_error("%s: should be refused\n", expr);
            fail();
        }
        return;
    }
    for (int t = 0; t < S_aint; t++) {
        for (int v = 0; v <= VEC; v += VEC) {
            bool fits = rank(wanted, t | v) < NO_RANK;
            if (takes_type(expr, t | v, is_const) == fits) continue;
            print_error("%s as %s%s: should be %s\n", expr, v ? "vec2 of " : "", type_names[t],
                        fits ? "right" : "wrong");
            fail();
        }
    }
}

static void every_operator(void **state)
{
    (void)state;
    for (size_t i = 0; i < TSR_COUNT_OF(operators); i++) {
        for (int a = 0; a < 2 * VEC; a++) {
            for (int b = 0; b < 2 * VEC; b++) {
                if ((a & ~VEC) >= S_COUNT || (b & ~VEC) >= S_COUNT) continue;
                check_pair(&operators[i], a, b, false, false);
                if (!is_abstract(a)) check_pair(&operators[i], a, b, true, false);
                if (!is_abstract(b)) check_pair(&operators[i], a, b, false, true);
                if (!is_abstract(a) && !is_abstract(b)) check_pair(&operators[i], a, b, true, true);
            }
        }
    }
}

/* ---- Random constant expressions. */

typedef struct number {
    int type; /* S_i32, S_u32, S_aint, S_f32, S_afloat */
    int64_t i;
    double f;
    bool error; /* the whole expression is refused */
} number;

typedef struct text {
    char s[4096];
    size_t len;
} text;

static uint64_t random_state = 88172645463325252u;

static uint32_t roll(uint32_t n)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)((random_state >> 16) % n);
}

static void put(text *t, const char *fmt, ...)
{
    va_list list;
    va_start(list, fmt);
    int n = vsnprintf(t->s + t->len, sizeof(t->s) - t->len, fmt, list);
    va_end(list);
    assert_true(n >= 0 && (size_t)n < sizeof(t->s) - t->len);
    t->len += (size_t)n;
}

static bool is_float(int type)
{
    return type == S_f32 || type == S_afloat;
}

/* Brings a result into its type: wraps, rounds, or finds that it does not fit. */
static number settle(int type, __int128 i, double f)
{
    number n = {.type = type};
    switch (type) {
    case S_i32: n.i = (int32_t)(uint32_t)(unsigned __int128)i; break;
    case S_u32: n.i = (uint32_t)(unsigned __int128)i; break;
    case S_aint:
        n.error = i < INT64_MIN || i > INT64_MAX;
        n.i = (int64_t)i;
        break;
    case S_f32:
        n.f = (double)(float)f;
        n.error = !isfinite(n.f);
        break;
    default: n.f = f; n.error = !isfinite(f);
    }
    return n;
}

static number literal(text *t, int type)
{
    static const int64_t edges[] = {
        0, 1, 2, 3, 31, 32, 63, 64, 255, 65535, 2147483647, 4294967295, 9223372036854775807};
    if (is_float(type)) {
        double f = roll(4) == 0 ? (double)roll(5) : (double)roll(100000) / 256.0;
        put(t, "%.8f%s", f, type == S_f32 ? "f" : "");
        return settle(type, 0, f);
    }
    size_t count = type == S_aint  ? TSR_COUNT_OF(edges)
                   : type == S_u32 ? TSR_COUNT_OF(edges) - 1
                                   : TSR_COUNT_OF(edges) - 2;
    int64_t i = roll(2) ? edges[roll((uint32_t)count)] : (int64_t)roll(100);
    put(t, "%" PRId64 "%s", i, type == S_i32 ? "i" : type == S_u32 ? "u" : "");
    return settle(type, i, 0);
}

static number integer_op(int type, int op, __int128 a, __int128 b)
{
    number refused = {.type = type, .error = true};
    __int128 least = type == S_i32 ? INT32_MIN : type == S_u32 ? 0 : INT64_MIN;
    switch (op) {
    case 0: return settle(type, a + b, 0);
    case 1: return settle(type, a - b, 0);
    case 2: return settle(type, a * b, 0);
    case 3: return b == 0 || (type != S_u32 && a == least && b == -1) ? refused : settle(type, a / b, 0);
    case 4: return b == 0 || (type != S_u32 && a == least && b == -1) ? refused : settle(type, a % b, 0);
    case 5: return settle(type, a & b, 0);
    case 6: return settle(type, a | b, 0);
    default: return settle(type, a ^ b, 0);
    }
}

static number shift_op(int type, bool left, __int128 a, uint32_t b)
{
    number refused = {.type = type, .error = true};
    unsigned width = type == S_aint ? 64 : 32;
    if (type != S_aint && b >= width) return refused;
    if (type == S_aint && b >= width) return left && a != 0 ? refused : settle(type, !left && a < 0 ? -1 : 0, 0);
    if (!left) return settle(type, a >> b, 0);
    number r = settle(type, (__int128)((unsigned __int128)a << b), 0);
    if (type == S_aint) return r;
    if ((__int128)r.i != (__int128)((unsigned __int128)a << b)) return refused;
    return r;
}

static number float_op(int type, int op, double a, double b)
{
    switch (op) {
    case 0: return settle(type, 0, a + b);
    case 1: return settle(type, 0, a - b);
    case 2: return settle(type, 0, a * b);
    default: {
        number n = settle(type, 0, a / b);
        n.error = n.error || b == 0.0;
        return n;
    }
    }
}

static number expression(text *t, int type, unsigned depth)
{
    static const char *const names[] = {"+", "-", "*", "/", "%", "&", "|", "^"};
    if (depth == 0 || roll(6) == 0) return literal(t, type);
    put(t, "(");
    if (type != S_u32 && roll(6) == 0) {
        put(t, "-");
        number a = expression(t, type, depth - 1);
        put(t, ")");
        number r = is_float(type) ? settle(type, 0, -a.f) : settle(type, -(__int128)a.i, 0);
        /* The negative of the least integer is itself. */
        if (type == S_aint && a.i == INT64_MIN) r = settle(type, INT64_MIN, 0);
        r.error = r.error || a.error;
        return r;
    }
    if (!is_float(type) && roll(5) == 0) {
        bool left = roll(2) == 0;
        number a = expression(t, type, depth - 1);
        uint32_t b = roll(8) == 0 ? 30 + roll(40) : roll(12);
        put(t, " %s %uu)", left ? "<<" : ">>", b);
        number r = shift_op(type, left, a.i, b);
        r.error = r.error || a.error;
        return r;
    }
    int op = (int)roll(is_float(type) ? 4 : 8);
    number a = expression(t, type, depth - 1);
    put(t, " %s ", names[op]);
    number b = expression(t, type, depth - 1);
    put(t, ")");
    number r = is_float(type) ? float_op(type, op, a.f, b.f) : integer_op(type, op, a.i, b.i);
    r.error = r.error || a.error || b.error;
    return r;
}

static void put_number(text *t, number n)
{
    switch (n.type) {
    case S_i32: put(t, n.i == INT32_MIN ? "i32(-2147483648)" : "%" PRId64 "i", n.i); break;
    case S_u32: put(t, "%" PRId64 "u", n.i); break;
    case S_aint: put(t, n.i == INT64_MIN ? "(-9223372036854775807 - 1)" : "%" PRId64, n.i); break;
    case S_f32: put(t, "f32(%.17e)", n.f); break;
    default: put(t, "%.17e", n.f); break;
    }
}

static void random_constants(void **state)
{
    (void)state;
    static const int types[] = {S_i32, S_u32, S_aint, S_f32, S_afloat};
    unsigned refused = 0;
    enum { ROUNDS = 6000 };
    for (unsigned round = 0; round < ROUNDS; round++) {
        text t = {.len = 0};
        put(&t, "const c = ");
        number n = expression(&t, types[roll(TSR_COUNT_OF(types))], 1 + roll(4));
        put(&t, "; const_assert c == ");
        put_number(&t, n.error ? (number){.type = n.type} : n);
        put(&t, ";");
        if (!n.error && is_accepted(t.s)) continue;
        if (n.error) {
            front p;
            front_run(&p, t.s);
            /* Refused for what it computes, not for being unequal. */
            bool right = !p.ok && p.diags.first->span.pos < (uint32_t)(strchr(t.s, ';') - t.s);
            front_free(&p);
            refused++;
            if (right) continue;
        }
        print_error("%s\n", t.s);
        fail();
    }
    assert_in_range(refused, ROUNDS / 50, ROUNDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_operator), cmocka_unit_test(random_constants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
