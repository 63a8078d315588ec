/* Words: LLVM values in their three forms, and the instructions between them. An instruction on words that are all the
 * same in every lane is a scalar one. */
#include "emit/llvm_inside.h"

#include "base/number.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* More lines than this are not worth compiling: calls are copied. What LLVM takes grows faster than they do: half a
 * second for 30000 lines of small functions, 2 for 60000, 6 for 120000. */
#define LINES_MAX 50000u

/* ---- Text. */

uint32_t tsr_ll_new(tsr_ll *e)
{
    return ++e->next;
}

void tsr_ll_fail(tsr_ll *e, const char *fmt, ...)
{
    if (e->failed) return;
    e->failed = true;
    va_list args;
    va_start(args, fmt);
    tsr_text_vprintf(e->why, fmt, args);
    va_end(args);
}

void tsr_ll_line(tsr_ll *e, const char *fmt, ...)
{
    va_list args;
    if (e->failed) return;
    if (++e->line_count > LINES_MAX) {
        e->too_long = !e->failed;
        tsr_ll_fail(e, "the program becomes too large when its calls are copied");
        return;
    }
    va_start(args, fmt);
    tsr_text_puts(&e->body, "  ");
    tsr_text_vprintf(&e->body, fmt, args);
    if (e->lines.at)
        tsr_text_printf(&e->body, ", !dbg !%u\n", e->lines.at);
    else
        tsr_text_puts(&e->body, "\n");
    va_end(args);
}

void tsr_ll_label(tsr_ll *e, uint32_t label)
{
    if (e->open) tsr_ll_line(e, "br label %%b%u", label);
    if (!e->failed) tsr_text_printf(&e->body, "b%u:\n", label);
    e->open = true;
}

void tsr_ll_jump(tsr_ll *e, uint32_t label)
{
    if (e->open) tsr_ll_line(e, "br label %%b%u", label);
    e->open = false;
}

void tsr_ll_branch(tsr_ll *e, tsr_ll_word cond, uint32_t yes, uint32_t no)
{
    tsr_ll_line(e, "br i1 %s, label %%b%u, label %%b%u", tsr_ll_scalar(e, cond), yes, no);
    e->open = false;
}

void tsr_ll_begin_cold(tsr_ll *e, uint32_t label)
{
    tsr_text body = e->body;
    e->body = e->cold;
    e->cold = body;
    e->stretch++; /* what is computed here is not computed elsewhere */
    tsr_ll_label(e, label);
}

void tsr_ll_end_cold(tsr_ll *e, uint32_t jump_to)
{
    tsr_ll_jump(e, jump_to);
    tsr_text cold = e->body;
    e->body = e->cold;
    e->cold = cold;
    e->stretch++;
}

static uint32_t make_variable(tsr_ll *e, const char *type, uint64_t bytes, uint32_t align, const char *note)
{
    uint32_t name = tsr_ll_new(e);
    if (bytes > TSR_LL_STACK_MOST || e->stack_bytes + bytes > TSR_LL_STACK_MOST) {
        tsr_ll_fail(e, "the variables of a subgroup need more than 256 MiB");
        return name;
    }
    e->stack_bytes += (uint32_t)(bytes + align);
    if (type)
        tsr_text_printf(&e->prologue, "  %%t%u = alloca %s, align %u%s\n", name, type, align, note);
    else
        tsr_text_printf(&e->prologue, "  %%t%u = alloca [%llu x i8], align %u%s\n", name, (unsigned long long)bytes,
                        align, note);
    return name;
}

uint32_t tsr_ll_alloca(tsr_ll *e, const char *type, uint64_t bytes, uint32_t align)
{
    return make_variable(e, type, bytes, align, "");
}

uint32_t tsr_ll_alloca_not_kept(tsr_ll *e, const char *type, uint64_t bytes, uint32_t align)
{
    return make_variable(e, type, bytes, align, " " TSR_LL_NOT_KEPT);
}

static uint32_t size_of(uint8_t type)
{
    static const uint8_t bytes[LL_TYPES] = {1, 4, 4, 2, 8, 8};
    return bytes[type];
}

uint32_t tsr_ll_alloca_word(tsr_ll *e, uint8_t type, bool vector)
{
    return tsr_ll_alloca(e, tsr_ll_type_name(e, type, vector), (uint64_t)size_of(type) * (vector ? e->size : 1),
                         vector ? 64 : 8);
}

bool tsr_ll_once(tsr_ll *e, const char *key)
{
    uint32_t seen;
    uint64_t hash = tsr_hash_bytes(key, strlen(key), 1);
    if (tsr_map_find(&e->made, hash, &seen)) return false;
    tsr_map_set(&e->made, hash, 1);
    return true;
}

void tsr_ll_declare(tsr_ll *e, const char *text)
{
    if (tsr_ll_once(e, text)) tsr_text_printf(&e->declares, "declare %s\n", text);
}

static const char *print(tsr_ll *e, const char *fmt, ...) TSR_PRINTF(2, 3);
static const char *print(tsr_ll *e, const char *fmt, ...)
{
    char buf[128];
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(buf, sizeof buf, fmt, args);
    va_end(args);
    return tsr_arena_strndup(e->arena, buf, n < 0 ? 0 : (size_t)n);
}

/* ---- Constants. */

tsr_ll_word tsr_ll_const(tsr_ll *e, uint8_t type, uint64_t bits)
{
    return (tsr_ll_word){.type = type,
                         .form = LL_SAME,
                         .is_const = true,
                         .bits = bits,
                         .shape = tsr_shape_const(&e->shapes, (uint32_t)bits)};
}

tsr_ll_word tsr_ll_f32(tsr_ll *e, float x)
{
    return tsr_ll_const(e, LL_F, tsr_bits_from_f32(x));
}

tsr_ll_word tsr_ll_f64(tsr_ll *e, double x)
{
    return tsr_ll_const(e, LL_D, tsr_bits_from_f64(x));
}

tsr_ll_word tsr_ll_u32(tsr_ll *e, uint32_t x)
{
    return tsr_ll_const(e, LL_I, x);
}

/* LLVM writes a float as the f64 of the same value. */
static uint64_t widen_bits(uint32_t bits)
{
    if ((bits & 0x7f800000u) != 0x7f800000u) return tsr_bits_from_f64((double)tsr_f32_from_bits(bits));
    return (uint64_t)(bits & 0x80000000u) << 32 | UINT64_C(0x7ff) << 52 | (uint64_t)(bits & 0x7fffffu) << 29;
}

static const char *const_text(tsr_ll *e, uint8_t type, uint64_t bits)
{
    switch (type) {
    case LL_B: return bits ? "true" : "false";
    case LL_F: return print(e, "0x%016llX", (unsigned long long)widen_bits((uint32_t)bits));
    case LL_D: return print(e, "0x%016llX", (unsigned long long)bits);
    case LL_H: return print(e, "%u", (unsigned)(bits & 0xffff));
    case LL_I: return print(e, "%u", (unsigned)bits);
    default: return print(e, "%llu", (unsigned long long)bits);
    }
}

const char *tsr_ll_type_name(const tsr_ll *e, uint8_t type, bool vector)
{
    return vector ? e->vector_name[type] : e->type_name[type];
}

const char *tsr_ll_scalar(tsr_ll *e, tsr_ll_word w)
{
    return w.is_const ? const_text(e, w.type, w.bits) : print(e, "%%t%u", w.name);
}

/* A constant for all lanes, made at the function's start. */
static uint32_t splat_const(tsr_ll *e, uint8_t type, uint64_t bits)
{
    uint32_t name;
    uint64_t key[3] = {7, type, bits}, hash = tsr_hash_bytes(key, sizeof key, 2);
    if (tsr_map_find(&e->made, hash, &name)) return name;
    uint32_t one = tsr_ll_new(e);
    name = tsr_ll_new(e);
    tsr_text_printf(&e->prologue, "  %%t%u = insertelement %s poison, %s %s, i64 0\n", one, e->vector_name[type],
                    e->type_name[type], const_text(e, type, bits));
    tsr_text_printf(&e->prologue, "  %%t%u = shufflevector %s %%t%u, %s poison, <%u x i32> zeroinitializer\n", name,
                    e->vector_name[type], one, e->vector_name[type], e->size);
    tsr_map_set(&e->made, hash, name);
    return name;
}

/* 0, stride, 2 stride ... */
static uint32_t ramp_const(tsr_ll *e, int32_t stride)
{
    uint32_t name;
    uint64_t key[2] = {9, (uint32_t)stride}, hash = tsr_hash_bytes(key, sizeof key, 3);
    if (tsr_map_find(&e->made, hash, &name)) return name;
    name = tsr_ll_new(e);
    tsr_text_printf(&e->prologue, "  %%t%u = add <%u x i32> zeroinitializer, <", name, e->size);
    for (uint32_t i = 0; i < e->size; i++)
        tsr_text_printf(&e->prologue, "%si32 %u", i ? ", " : "", i * (uint32_t)stride);
    tsr_text_puts(&e->prologue, ">\n");
    tsr_map_set(&e->made, hash, name);
    return name;
}

static uint32_t splat(tsr_ll *e, tsr_ll_word w)
{
    if (w.is_const) return splat_const(e, w.type, w.bits);
    uint32_t one = tsr_ll_new(e), name = tsr_ll_new(e);
    tsr_ll_line(e, "%%t%u = insertelement %s poison, %s %%t%u, i64 0", one, e->vector_name[w.type],
                e->type_name[w.type], w.name);
    tsr_ll_line(e, "%%t%u = shufflevector %s %%t%u, %s poison, <%u x i32> zeroinitializer", name,
                e->vector_name[w.type], one, e->vector_name[w.type], e->size);
    return name;
}

tsr_ll_word tsr_ll_to_vector(tsr_ll *e, tsr_ll_word w)
{
    if (w.form == LL_EACH) return w;
    tsr_ll_word r = {.type = w.type, .form = LL_EACH, .shape = w.shape};
    r.name = splat(e, w);
    if (w.form == LL_SAME) return r;
    uint32_t name = tsr_ll_new(e);
    tsr_ll_line(e, "%%t%u = add %s %%t%u, %%t%u", name, e->vector_name[LL_I], r.name, ramp_const(e, w.shape.stride));
    r.name = name;
    return r;
}

const char *tsr_ll_vector(tsr_ll *e, tsr_ll_word w)
{
    w = tsr_ll_to_vector(e, w);
    return print(e, "%%t%u", w.name);
}

uint32_t tsr_ll_take_every(tsr_ll *e, uint32_t vector, uint32_t size, uint32_t first, uint32_t step, uint32_t count,
                           const char *type)
{
    uint32_t name = tsr_ll_new(e);
    tsr_text list;
    tsr_text_init(&list, e->arena);
    for (uint32_t k = 0; k < count; k++)
        tsr_text_printf(&list, "%si32 %u", k ? ", " : "", first + k * step);
    tsr_ll_line(e, "%%t%u = shufflevector <%u x %s> %%t%u, <%u x %s> poison, <%u x i32> <%s>", name, size, type, vector,
                size, type, count, tsr_text_get(&list));
    return name;
}

/* ---- Instructions. */

static tsr_ll_word result(tsr_ll *e, uint8_t type, bool vector)
{
    uint32_t name = tsr_ll_new(e);
    return vector ? tsr_ll_varied(e, type, name) : tsr_ll_uniform(e, type, name);
}

static const char *operand(tsr_ll *e, tsr_ll_word w, bool vector)
{
    return vector ? tsr_ll_vector(e, w) : tsr_ll_scalar(e, w);
}

tsr_ll_word tsr_ll_op1(tsr_ll *e, const char *op, uint8_t type, tsr_ll_word a)
{
    bool vector = a.form != LL_SAME;
    const char *x = operand(e, a, vector);
    tsr_ll_word r = result(e, type, vector);
    if (strcmp(op, "fneg") == 0)
        tsr_ll_line(e, "%%t%u = fneg %s %s", r.name, tsr_ll_type_name(e, a.type, vector), x);
    else
        tsr_ll_line(e, "%%t%u = %s %s %s to %s", r.name, op, tsr_ll_type_name(e, a.type, vector), x,
                    tsr_ll_type_name(e, type, vector));
    return r;
}

static bool are_constants(tsr_ll_word a, tsr_ll_word b)
{
    return a.is_const && b.is_const && a.form == LL_SAME && b.form == LL_SAME;
}

/* Integers and bools whose value is known: what counts loops that are copied out. */
static bool fold_op2(const char *op, tsr_ll_word a, tsr_ll_word b, uint64_t *r)
{
    uint32_t x = (uint32_t)a.bits, y = (uint32_t)b.bits;
    if (!are_constants(a, b) || (a.type != LL_I && a.type != LL_B)) return false;
    if (strcmp(op, "xor") == 0)
        *r = x ^ y;
    else if (a.type == LL_B)
        return false;
    else if (strcmp(op, "add") == 0)
        *r = x + y;
    else if (strcmp(op, "sub") == 0)
        *r = x - y;
    else if (strcmp(op, "mul") == 0)
        *r = x * y;
    else if (strcmp(op, "udiv") == 0 && y)
        *r = x / y;
    else if (strcmp(op, "urem") == 0 && y)
        *r = x % y;
    else if (strcmp(op, "and") == 0)
        *r = x & y;
    else if (strcmp(op, "or") == 0)
        *r = x | y;
    else if (strcmp(op, "shl") == 0 && y < 32)
        *r = x << y;
    else if (strcmp(op, "lshr") == 0 && y < 32)
        *r = x >> y;
    else
        return false;
    return true;
}

static bool fold_cmp(const char *op, tsr_ll_word a, tsr_ll_word b, uint64_t *r)
{
    uint32_t x = (uint32_t)a.bits, y = (uint32_t)b.bits;
    if (!are_constants(a, b) || a.type != LL_I || strncmp(op, "icmp ", 5) != 0) return false;
    bool is_signed = op[5] == 's', less = is_signed ? (int32_t)x < (int32_t)y : x < y;
    const char *what = op + (strchr("su", op[5]) ? 6 : 5);
    if (strcmp(what, "eq") == 0)
        *r = x == y;
    else if (strcmp(what, "ne") == 0)
        *r = x != y;
    else if (strcmp(what, "lt") == 0)
        *r = less;
    else if (strcmp(what, "le") == 0)
        *r = less || x == y;
    else if (strcmp(what, "gt") == 0)
        *r = !less && x != y;
    else
        *r = !less;
    return true;
}

tsr_ll_word tsr_ll_uniform(const tsr_ll *e, uint8_t type, uint32_t name)
{
    tsr_ll_word w = tsr_ll_named(type, LL_SAME, name);
    w.shape = tsr_shape_any(&e->shapes);
    w.shape.run = e->shapes.full;
    return w;
}

tsr_ll_word tsr_ll_varied(const tsr_ll *e, uint8_t type, uint32_t name)
{
    tsr_ll_word w = tsr_ll_named(type, LL_EACH, name);
    w.shape = tsr_shape_any(&e->shapes);
    return w;
}

/* The same operation earlier in this stretch of straight code: so that equal offsets are seen to be. */
static uint64_t again_key(const tsr_ll *e, const char *op, tsr_ll_word a, tsr_ll_word b)
{
    uint64_t key[6] = {tsr_hash_bytes(op, strlen(op), 21), e->stretch, a.is_const,
                       a.is_const ? a.bits : a.name,       b.is_const, b.is_const ? b.bits : b.name};
    return tsr_hash_bytes(key, sizeof key, 22);
}

static bool repeats(const tsr_ll *e, tsr_ll_word a, tsr_ll_word b)
{
    return e->straight && a.form == LL_SAME && b.form == LL_SAME && a.type == LL_I;
}

/* The first lanes of rows by themselves: a few scalars, where addresses ask for nothing else of a vector. What is not
 * asked for LLVM takes away. */
static void follow_op2(tsr_ll *e, const char *op, tsr_ll_word a, tsr_ll_word b, tsr_ll_word *r)
{
    static const char *const followed[] = {"add", "sub", "mul", "shl", "lshr", "and", "or"};
    bool is = false;
    for (size_t i = 0; i < TSR_COUNT_OF(followed); i++)
        is = is || strcmp(op, followed[i]) == 0;
    if (!is || r->type != LL_I || (a.form == LL_EACH && !a.first[0]) || (b.form == LL_EACH && !b.first[0])) return;
    for (uint32_t i = 0; i < e->rows; i++) {
        uint32_t lane = i * (e->size / e->rows);
        tsr_ll_word one = tsr_ll_op2(e, op, tsr_ll_lane(e, a, lane), tsr_ll_lane(e, b, lane));
        r->first[i] = one.is_const ? 0 : one.name;
        if (one.is_const) r->first[0] = 0;
        if (one.is_const) return;
    }
}

static tsr_ll_word write_op2(tsr_ll *e, const char *op, tsr_ll_word a, tsr_ll_word b)
{
    bool vector = a.form != LL_SAME || b.form != LL_SAME, again = repeats(e, a, b);
    uint64_t key = 0;
    uint32_t seen;
    if (again && tsr_map_find(&e->made, key = again_key(e, op, a, b), &seen)) return tsr_ll_uniform(e, LL_I, seen);
    const char *x = operand(e, a, vector), *y = operand(e, b, vector);
    tsr_ll_word r = result(e, a.type, vector);
    tsr_ll_line(e, "%%t%u = %s %s %s, %s", r.name, op, tsr_ll_type_name(e, a.type, vector), x, y);
    if (again) tsr_map_set(&e->made, key, r.name);
    if (vector && e->rows) follow_op2(e, op, a, b, &r);
    return r;
}

/* ---- Sums with a constant: what differs between copies of a loop, while the rest is computed once. */

static uint64_t sum_key(uint32_t name, uint64_t which)
{
    uint64_t key[2] = {name, which};
    return tsr_hash_bytes(key, sizeof key, 24);
}

tsr_ll_sum tsr_ll_split(const tsr_ll *e, tsr_ll_word w)
{
    tsr_ll_sum s = {w.name, 0};
    if (w.is_const) return (tsr_ll_sum){0, (uint32_t)w.bits};
    if (tsr_map_find(&e->made, sum_key(w.name, 0), &s.base)) (void)tsr_map_find(&e->made, sum_key(w.name, 1), &s.more);
    return s;
}

tsr_ll_word tsr_ll_join(tsr_ll *e, tsr_ll_sum s)
{
    if (s.base == 0) return tsr_ll_u32(e, s.more);
    if (s.more == 0) return tsr_ll_uniform(e, LL_I, s.base);
    tsr_ll_word r = write_op2(e, "add", tsr_ll_uniform(e, LL_I, s.base), tsr_ll_u32(e, s.more));
    tsr_map_set(&e->made, sum_key(r.name, 0), s.base);
    tsr_map_set(&e->made, sum_key(r.name, 1), s.more);
    return r;
}

static uint32_t base_op2(tsr_ll *e, const char *op, uint32_t a, tsr_ll_word b)
{
    return write_op2(e, op, tsr_ll_uniform(e, LL_I, a), b).name;
}

/* a op b as a sum with a constant, modulo 2^32; false: it is none. */
static bool add_up(tsr_ll *e, const char *op, tsr_ll_word a, tsr_ll_word b, tsr_ll_sum *r)
{
    tsr_ll_sum x = tsr_ll_split(e, a), y = tsr_ll_split(e, b);
    bool both = x.base && y.base;
    if (strcmp(op, "add") == 0) {
        r->base = both ? base_op2(e, op, x.base, tsr_ll_uniform(e, LL_I, y.base)) : x.base ? x.base : y.base;
        r->more = x.more + y.more;
    } else if (strcmp(op, "sub") == 0 && x.base) {
        r->base = both ? base_op2(e, op, x.base, tsr_ll_uniform(e, LL_I, y.base)) : x.base;
        r->more = x.more - y.more;
    } else if (strcmp(op, "mul") == 0 && !both) {
        uint32_t by = x.base ? y.more : x.more;
        r->base = base_op2(e, op, x.base ? x.base : y.base, tsr_ll_u32(e, by));
        r->more = (x.base ? x.more : y.more) * by;
    } else if (strcmp(op, "shl") == 0 && x.base && !y.base && y.more < 32) {
        r->base = base_op2(e, op, x.base, b);
        r->more = x.more << y.more;
    } else {
        return false;
    }
    return true;
}

static tsr_ll_word emit_op2(tsr_ll *e, const char *op, tsr_ll_word a, tsr_ll_word b)
{
    tsr_ll_sum sum;
    bool has_name = !a.is_const || !b.is_const;
    return repeats(e, a, b) && has_name && add_up(e, op, a, b, &sum) ? tsr_ll_join(e, sum) : write_op2(e, op, a, b);
}

tsr_ll_word tsr_ll_op2(tsr_ll *e, const char *op, tsr_ll_word a, tsr_ll_word b)
{
    uint64_t folded;
    return fold_op2(op, a, b, &folded) ? tsr_ll_const(e, a.type, folded) : emit_op2(e, op, a, b);
}

tsr_ll_word tsr_ll_cmp(tsr_ll *e, const char *op, tsr_ll_word a, tsr_ll_word b)
{
    uint64_t folded;
    if (fold_cmp(op, a, b, &folded)) return tsr_ll_const(e, LL_B, folded);
    bool vector = a.form != LL_SAME || b.form != LL_SAME;
    const char *x = operand(e, a, vector), *y = operand(e, b, vector);
    tsr_ll_word r = result(e, LL_B, vector);
    tsr_ll_line(e, "%%t%u = %s %s %s, %s", r.name, op, tsr_ll_type_name(e, a.type, vector), x, y);
    return r;
}

tsr_ll_word tsr_ll_select(tsr_ll *e, tsr_ll_word c, tsr_ll_word yes, tsr_ll_word no)
{
    if (c.is_const) return c.bits ? yes : no;
    bool vector = c.form != LL_SAME || yes.form != LL_SAME || no.form != LL_SAME;
    bool wide = vector && c.form != LL_SAME;
    const char *k = operand(e, c, wide), *x = operand(e, yes, vector), *y = operand(e, no, vector);
    const char *type = tsr_ll_type_name(e, yes.type, vector);
    tsr_ll_word r = result(e, yes.type, vector);
    tsr_ll_line(e, "%%t%u = select %s %s, %s %s, %s %s", r.name, tsr_ll_type_name(e, LL_B, wide), k, type, x, type, y);
    return r;
}

static const char *suffix(const tsr_ll *e, uint8_t type, bool vector, char *buf, size_t bytes)
{
    static const char *const name[LL_TYPES] = {"i1", "i32", "f32", "i16", "f64", "i64"};
    if (vector)
        snprintf(buf, bytes, "v%u%s", e->size, name[type]);
    else
        snprintf(buf, bytes, "%s", name[type]);
    return buf;
}

/* "llvm.ctlz" has a second operand, an i1. */
tsr_ll_word tsr_ll_call(tsr_ll *e, const char *intrinsic, const tsr_ll_word *args, uint32_t count)
{
    bool vector = false;
    char buf[32], text[512], list[512];
    for (uint32_t i = 0; i < count; i++)
        vector = vector || args[i].form != LL_SAME;
    const char *type = tsr_ll_type_name(e, args[0].type, vector);
    bool has_flag = strcmp(intrinsic, "llvm.ctlz") == 0 || strcmp(intrinsic, "llvm.cttz") == 0;
    suffix(e, args[0].type, vector, buf, sizeof buf);
    size_t at = 0, end = 0;
    for (uint32_t i = 0; i < count; i++) {
        at +=
            (size_t)snprintf(list + at, sizeof list - at, "%s%s %s", i ? ", " : "", type, operand(e, args[i], vector));
        end += (size_t)snprintf(text + end, sizeof text - end, "%s%s", i ? ", " : "", type);
    }
    tsr_ll_word r = result(e, args[0].type, vector);
    tsr_ll_declare(e, print(e, "%s @%s.%s(%s%s)", type, intrinsic, buf, text, has_flag ? ", i1" : ""));
    tsr_ll_line(e, "%%t%u = call %s @%s.%s(%s%s)", r.name, type, intrinsic, buf, list, has_flag ? ", i1 false" : "");
    return r;
}

tsr_ll_word tsr_ll_not(tsr_ll *e, tsr_ll_word b)
{
    return tsr_ll_op2(e, "xor", b, tsr_ll_const(e, LL_B, 1));
}

/* ---- Integers with shapes. */

static tsr_ll_word base_of(tsr_ll_word w)
{
    if (w.form == LL_EVEN) w.form = LL_SAME;
    return w;
}

/* a op b where the result has this shape: on the first lane's values when that says it all. */
static tsr_ll_word shaped(tsr_ll *e, const char *op, tsr_ll_word a, tsr_ll_word b, tsr_vshape shape)
{
    if (a.form == LL_EACH || b.form == LL_EACH || shape.run != e->shapes.full) {
        tsr_ll_word r = tsr_ll_op2(e, op, a, b);
        r.shape = shape;
        return r;
    }
    bool even = shape.stride != 0; /* then the base alone is no constant */
    tsr_ll_word r = even ? emit_op2(e, op, base_of(a), base_of(b)) : tsr_ll_op2(e, op, base_of(a), base_of(b));
    r.form = even ? LL_EVEN : LL_SAME;
    r.shape = shape;
    return r;
}

tsr_ll_word tsr_ll_add(tsr_ll *e, tsr_ll_word a, tsr_ll_word b)
{
    if (a.is_const && a.form == LL_SAME && a.bits == 0) return b;
    if (b.is_const && b.form == LL_SAME && b.bits == 0) return a;
    tsr_vshape shape = tsr_shape_add(&e->shapes, a.shape, b.shape);
    if (a.is_const && b.is_const) {
        tsr_ll_word r = tsr_ll_const(e, LL_I, (uint32_t)(a.bits + b.bits));
        r.form = shape.stride ? LL_EVEN : LL_SAME;
        r.shape = shape;
        return r;
    }
    return shaped(e, "add", a, b, shape);
}

tsr_ll_word tsr_ll_mul_const(tsr_ll *e, tsr_ll_word a, uint32_t c)
{
    if (c == 1) return a;
    tsr_vshape shape = tsr_shape_mul_const(&e->shapes, a.shape, c);
    if (a.is_const) {
        tsr_ll_word r = tsr_ll_const(e, LL_I, (uint32_t)a.bits * c);
        r.form = shape.stride && a.form == LL_EVEN ? LL_EVEN : LL_SAME;
        r.shape = shape;
        return r;
    }
    return shaped(e, "mul", a, tsr_ll_u32(e, c), shape);
}

tsr_ll_word tsr_ll_div_const(tsr_ll *e, tsr_ll_word a, uint32_t c)
{
    return c == 1 ? a : shaped(e, "udiv", a, tsr_ll_u32(e, c), tsr_shape_div_const(&e->shapes, a.shape, c));
}

tsr_ll_word tsr_ll_rem_const(tsr_ll *e, tsr_ll_word a, uint32_t c)
{
    return shaped(e, "urem", a, tsr_ll_u32(e, c), tsr_shape_rem_const(&e->shapes, a.shape, c));
}

tsr_ll_word tsr_ll_lane(tsr_ll *e, tsr_ll_word w, uint32_t lane)
{
    if (w.form == LL_SAME) return w;
    if (w.form == LL_EVEN) {
        tsr_ll_word base = base_of(w);
        base.shape.stride = 0;
        return lane == 0 ? base : tsr_ll_add(e, base, tsr_ll_u32(e, lane * (uint32_t)w.shape.stride));
    }
    uint32_t row = e->rows ? e->size / e->rows : 1;
    if (w.first[0] && lane % row == 0) return tsr_ll_uniform(e, w.type, w.first[lane / row]);
    tsr_ll_word r = result(e, w.type, false);
    tsr_ll_line(e, "%%t%u = extractelement %s %%t%u, i64 %u", r.name, e->vector_name[w.type], w.name, lane);
    return r;
}

void tsr_ll_follow_rows(tsr_ll *e, tsr_ll_word *w)
{
    if (!e->rows || w->form != LL_EACH || w->type != LL_I) return;
    uint32_t first[TSR_LL_ROWS_MOST];
    for (uint32_t i = 0; i < e->rows; i++)
        first[i] = tsr_ll_lane(e, *w, i * (e->size / e->rows)).name;
    memcpy(w->first, first, e->rows * sizeof *first);
}

uint32_t tsr_ll_join_parts(tsr_ll *e, const uint32_t *part, uint32_t count, uint32_t width, const char *type)
{
    uint32_t have[128];
    memcpy(have, part, count * sizeof *have);
    for (; count > 1; count /= 2, width *= 2)
        for (uint32_t i = 0; i < count / 2; i++) {
            uint32_t name = tsr_ll_new(e);
            tsr_text list;
            tsr_text_init(&list, e->arena);
            for (uint32_t k = 0; k < 2 * width; k++)
                tsr_text_printf(&list, "%si32 %u", k ? ", " : "", k);
            tsr_ll_line(e, "%%t%u = shufflevector <%u x %s> %%t%u, <%u x %s> %%t%u, <%u x i32> <%s>", name, width, type,
                        have[2 * i], width, type, have[2 * i + 1], 2 * width, tsr_text_get(&list));
            have[i] = name;
        }
    return have[0];
}

tsr_ll_word tsr_ll_fit(tsr_ll *e, tsr_ll_word w, tsr_vshape shape)
{
    if (!shape.known) shape = tsr_shape_any(&e->shapes);
    bool full = shape.run == e->shapes.full;
    if (w.form == LL_EACH && full) {
        tsr_ll_word r = shape.stride ? tsr_ll_lane(e, w, 0) : tsr_ll_first_active(e, w);
        r.form = shape.stride ? LL_EVEN : LL_SAME;
        r.shape = shape;
        return r;
    }
    if (w.form == LL_EACH || (w.form == LL_SAME && full && shape.stride == 0) ||
        (w.form == LL_EVEN && full && shape.stride == w.shape.stride))
        w.shape = shape;
    return w;
}

/* ---- Bits. */

uint8_t tsr_ll_scalar_type(const tsr_ll *e, tsr_type t)
{
    switch (tsr_type_scalar(e->types, t)) {
    case TSR_T_bool: return LL_B;
    case TSR_T_f32: return LL_F;
    case TSR_T_f16: return LL_H;
    default: return LL_I;
    }
}

tsr_ll_word tsr_ll_to_bits(tsr_ll *e, tsr_ll_word w)
{
    if (w.type == LL_I) return w;
    if (w.is_const) return tsr_ll_const(e, LL_I, w.bits);
    return tsr_ll_op1(e, w.type == LL_F ? "bitcast" : "zext", LL_I, w);
}

tsr_ll_word tsr_ll_from_bits(tsr_ll *e, tsr_ll_word bits, uint8_t type)
{
    if (type == LL_I) return bits;
    if (bits.is_const && bits.form == LL_SAME) return tsr_ll_const(e, type, type == LL_B ? bits.bits != 0 : bits.bits);
    if (type == LL_F) return tsr_ll_op1(e, "bitcast", LL_F, bits);
    if (type == LL_H) return tsr_ll_op1(e, "trunc", LL_H, bits);
    return tsr_ll_cmp(e, "icmp ne", bits, tsr_ll_u32(e, 0));
}

/* ---- f16. */

tsr_ll_word tsr_ll_half_to_float(tsr_ll *e, tsr_ll_word h)
{
    if (h.is_const) return tsr_ll_f32(e, tsr_f16_to_f32((uint16_t)h.bits));
    if (!e->o->cpu.f16c) return tsr_ll_eval(e, TSR_EVAL_WHAT_CONVERT(TSR_T_f16, TSR_T_f32), &h, 1, LL_F);
    bool vector = h.form != LL_SAME;
    uint32_t half = tsr_ll_new(e);
    const char *x = operand(e, h, vector);
    tsr_ll_word r = result(e, LL_F, vector);
    if (vector) {
        tsr_ll_line(e, "%%t%u = bitcast %s %s to <%u x half>", half, e->vector_name[LL_H], x, e->size);
        tsr_ll_line(e, "%%t%u = fpext <%u x half> %%t%u to %s", r.name, e->size, half, e->vector_name[LL_F]);
    } else {
        tsr_ll_line(e, "%%t%u = bitcast i16 %s to half", half, x);
        tsr_ll_line(e, "%%t%u = fpext half %%t%u to float", r.name, half);
    }
    return r;
}

tsr_ll_word tsr_ll_float_to_half(tsr_ll *e, tsr_ll_word f)
{
    if (f.is_const) return tsr_ll_const(e, LL_H, tsr_f16_from_f32(tsr_f32_from_bits((uint32_t)f.bits)));
    if (!e->o->cpu.f16c) return tsr_ll_eval(e, TSR_EVAL_WHAT_CONVERT(TSR_T_f32, TSR_T_f16), &f, 1, LL_H);
    bool vector = f.form != LL_SAME;
    uint32_t half = tsr_ll_new(e);
    const char *x = operand(e, f, vector);
    tsr_ll_word r = result(e, LL_H, vector);
    if (vector) {
        tsr_ll_line(e, "%%t%u = fptrunc %s %s to <%u x half>", half, e->vector_name[LL_F], x, e->size);
        tsr_ll_line(e, "%%t%u = bitcast <%u x half> %%t%u to %s", r.name, e->size, half, e->vector_name[LL_H]);
    } else {
        tsr_ll_line(e, "%%t%u = fptrunc float %s to half", half, x);
        tsr_ll_line(e, "%%t%u = bitcast half %%t%u to i16", r.name, half);
    }
    return r;
}

/* To f32 by truncation with the last bit set when something was cut off, so that the second rounding is innocent. */
tsr_ll_word tsr_ll_double_to_half(tsr_ll *e, tsr_ll_word d)
{
    tsr_ll_word near = tsr_ll_op1(e, "fptrunc", LL_F, d), back = tsr_ll_op1(e, "fpext", LL_D, near);
    tsr_ll_word bits = tsr_ll_op1(e, "bitcast", LL_I, near);
    tsr_ll_word one = tsr_ll_u32(e, 1), zero = tsr_ll_u32(e, 0);
    tsr_ll_word even = tsr_ll_cmp(e, "icmp eq", tsr_ll_op2(e, "and", bits, one), zero);
    tsr_ll_word inexact = tsr_ll_op2(e, "and", even, tsr_ll_cmp(e, "fcmp one", back, d));
    tsr_ll_word away =
        tsr_ll_cmp(e, "fcmp ogt", tsr_ll_call(e, "llvm.fabs", &back, 1), tsr_ll_call(e, "llvm.fabs", &d, 1));
    tsr_ll_word step = tsr_ll_select(e, away, tsr_ll_u32(e, UINT32_MAX), one);
    tsr_ll_word moved = tsr_ll_op2(e, "add", bits, tsr_ll_select(e, inexact, step, zero));
    return tsr_ll_float_to_half(e, tsr_ll_op1(e, "bitcast", LL_F, moved));
}

/* ---- Calls into the host. */

tsr_ll_word tsr_ll_eval(tsr_ll *e, uint32_t what, const tsr_ll_word *args, uint32_t count, uint8_t type)
{
    bool vector = false;
    for (uint32_t i = 0; i < count; i++)
        vector = vector || args[i].form != LL_SAME;
    for (uint32_t i = 0; i < count; i++) {
        tsr_ll_word bits = tsr_ll_to_bits(e, args[i]);
        tsr_ll_line(e, "store %s %s, ptr %%t%u, align 64", tsr_ll_type_name(e, LL_I, vector), operand(e, bits, vector),
                    tsr_ll_lanes_array(e, i));
    }
    uint32_t at = tsr_ll_new(e), function = tsr_ll_new(e);
    tsr_ll_line(e, "%%t%u = getelementptr i8, ptr %%frame, i64 %d", at, TSR_FRAME_EVAL);
    tsr_ll_line(e, "%%t%u = load ptr, ptr %%t%u, align 8", function, at);
    tsr_ll_line(e, "call void %%t%u(i32 %u, i64 %u, ptr %%t%u, ptr %%t%u, ptr %%t%u, ptr %%t%u, ptr %%t%u)", function,
                what, vector ? e->size : 1, tsr_ll_lanes_array(e, 0), tsr_ll_lanes_array(e, 1),
                tsr_ll_lanes_array(e, 2), tsr_ll_lanes_array(e, 3), tsr_ll_lanes_array(e, 4));
    tsr_ll_word r = result(e, LL_I, vector);
    tsr_ll_line(e, "%%t%u = load %s, ptr %%t%u, align 64", r.name, tsr_ll_type_name(e, LL_I, vector),
                tsr_ll_lanes_array(e, 4));
    return tsr_ll_from_bits(e, r, type);
}
