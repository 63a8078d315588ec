/* The multiply-add of matrices as an LLVM function: a grid of rows x cols tiles of the result, each the sum of `depth`
 * products. `d = sum of a[kk] * b[kk] + c`, by ascending k from the addend, so that bits do not depend on the grid.
 *
 * A step of k is one 32-bit word of each side: a float, an integer, two 16-bit integers (pmaddwd) or four bytes
 * (vpdpbusd). Sub-blocks of the result stay in registers over the whole depth: `rows` by `vectors` registers, the left
 * operand as words that are loaded and spread, the right one as vectors. What is not a word where it lies, or lies far
 * apart, is copied: the left operand once, as rows of words; the right one a panel of columns at a time, by the first
 * sub-block, which uses what it loads. Source for the sizes: measured, see docs/jit.md. */
#include "emit/llvm_block.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MOST      12u        /* of a sub-block: more run out of registers */
#define CHAINS_LEAST   8u         /* sums at a time: the latency of a multiply-add times two of them a cycle */
#define PACK_ROWS      24u        /* below, copying a right operand of words costs more than it saves */
#define PACK_COLS      64u        /* the same for a left one */
#define NEAR_BYTES     512u       /* rows this far apart share the first cache well: they need no copy */
#define SCRATCH_MOST   (1u << 21) /* of the copies: a second-level cache */
#define PREFETCH_STEPS 12u        /* ahead, while the right operand is copied */
#define LEFT_ROWS      8u         /* short ones copied in one piece of code */
#define PREFETCH_ROWS  2u         /* ahead, while the left one is */
#define ENTRY_BYTES    16u        /* of the table: a ptr and a stride */

typedef enum word { WORD_F32, WORD_I32, WORD_PAIR, WORD_QUAD } word;
typedef enum right_mode { RIGHT_SOURCE, RIGHT_FIRST, RIGHT_PACKED } right_mode;

typedef struct maker {
    tsr_ll *e;
    tsr_text *t;
    const tsr_ll_mma *g;
    word word;
    uint32_t m, n;     /* of a tile */
    uint32_t steps;    /* of k in a tile */
    uint32_t per_step; /* components of k in a step */
    uint32_t lanes;    /* of a whole register */
    bool pack_left, pack_right, widen_left, widen_right, near_left, near_right;
    bool one_left, one_right;              /* all tiles of the operand are one matrix in memory */
    bool whole;                            /* then the depth of all tiles is one loop */
    bool flip_left;                        /* bytes of the same signedness: the left ones become of the other */
    bool left_unsigned;                    /* then */
    uint32_t vectors, width, vector_lanes; /* of the panel at hand */
    char jt[24], jc[24];                   /* its first tile and the column there */
    const char *next_right, *next_stride;  /* the next panel, of which each step asks for its own rows; NULL: none */
    uint32_t next;
} maker;

static const char *keep(tsr_ll *e, const char *s)
{
    return tsr_arena_strndup(e->arena, s, strlen(s));
}

/* ---- Text. */

static uint32_t fresh(maker *x)
{
    return ++x->next;
}

static const char *name_of(maker *x, uint32_t id)
{
    char buf[24];
    snprintf(buf, sizeof buf, "%%v%u", id);
    return keep(x->e, buf);
}

static const char *number(maker *x, uint64_t n)
{
    char buf[24];
    snprintf(buf, sizeof buf, "%llu", (unsigned long long)n);
    return keep(x->e, buf);
}

static bool is_zero(const char *number)
{
    return strcmp(number, "0") == 0;
}

static bool is_number(const char *s)
{
    return s[0] != '%';
}

/* i64, computed here where both are numbers. */
static const char *mul_text(maker *x, const char *a, const char *b)
{
    if (is_zero(a) || strcmp(b, "1") == 0) return a;
    if (is_zero(b) || strcmp(a, "1") == 0) return b;
    if (is_number(a) && is_number(b)) return number(x, strtoull(a, NULL, 10) * strtoull(b, NULL, 10));
    uint32_t p = fresh(x);
    tsr_text_printf(x->t, "  %%v%u = mul i64 %s, %s\n", p, a, b);
    return name_of(x, p);
}

static const char *add_text(maker *x, const char *a, const char *b)
{
    if (is_zero(a)) return b;
    if (is_zero(b)) return a;
    if (is_number(a) && is_number(b)) return number(x, strtoull(a, NULL, 10) + strtoull(b, NULL, 10));
    uint32_t p = fresh(x);
    tsr_text_printf(x->t, "  %%v%u = add i64 %s, %s\n", p, a, b);
    return name_of(x, p);
}

/* a * by + more */
static const char *mul_add(maker *x, const char *a, uint64_t by, const char *more)
{
    return add_text(x, mul_text(x, a, number(x, by)), more);
}

static const char *at(maker *x, const char *type, const char *ptr, const char *index)
{
    if (is_zero(index)) return ptr;
    uint32_t p = fresh(x);
    tsr_text_printf(x->t, "  %%v%u = getelementptr %s, ptr %s, i64 %s\n", p, type, ptr, index);
    return name_of(x, p);
}

static const char *load(maker *x, const char *type, const char *ptr, uint32_t align)
{
    uint32_t p = fresh(x);
    tsr_text_printf(x->t, "  %%v%u = load %s, ptr %s, align %u\n", p, type, ptr, align);
    return name_of(x, p);
}

static const char *vector_type(maker *x, uint32_t lanes, const char *type)
{
    char buf[48];
    snprintf(buf, sizeof buf, "<%u x %s>", lanes, type);
    return keep(x->e, buf);
}

static const char *convert(maker *x, const char *op, const char *from, const char *v, const char *to)
{
    uint32_t p = fresh(x);
    tsr_text_printf(x->t, "  %%v%u = %s %s %s to %s\n", p, op, from, v, to);
    return name_of(x, p);
}

/* Lane i of the result is lane i / run % ... as the caller's function says. */
static const char *shuffle(maker *x, const char *a, const char *b, uint32_t lanes, const char *type, uint32_t count,
                           uint32_t (*lane)(uint32_t i, uint32_t arg), uint32_t arg)
{
    uint32_t p = fresh(x);
    tsr_text_printf(x->t, "  %%v%u = shufflevector <%u x %s> %s, <%u x %s> %s, <%u x i32> <", p, lanes, type, a, lanes,
                    type, b, count);
    for (uint32_t i = 0; i < count; i++)
        tsr_text_printf(x->t, "%si32 %u", i ? ", " : "", lane(i, arg));
    tsr_text_puts(x->t, ">\n");
    return name_of(x, p);
}

static uint32_t lane_from(uint32_t i, uint32_t first)
{
    return first + i;
}

static const char *splat(maker *x, uint32_t lanes, const char *type, const char *scalar)
{
    uint32_t one = fresh(x), all = fresh(x);
    tsr_text_printf(x->t,
                    "  %%v%u = insertelement <%u x %s> poison, %s %s, i64 0\n"
                    "  %%v%u = shufflevector <%u x %s> %%v%u, <%u x %s> poison, <%u x i32> zeroinitializer\n",
                    one, lanes, type, type, scalar, all, lanes, type, one, lanes, type, lanes);
    return name_of(x, all);
}

/* ---- A counted loop: for (i = from; i < to; i += step); at least once. */

typedef struct loop {
    uint32_t label, var;
    const char *i;
    uint64_t to, step;
} loop;

/* `before` is the label that is left; phis may follow. */
static loop open_loop(maker *x, uint64_t from, uint64_t to, uint64_t step)
{
    loop l = {.label = fresh(x), .var = fresh(x), .to = to, .step = step};
    tsr_text_printf(x->t,
                    "  br label %%pre%u\npre%u:\n  br label %%top%u\ntop%u:\n  %%v%u = phi i64 [ %llu, %%pre%u ], [ "
                    "%%n%u, %%end%u ]\n",
                    l.label, l.label, l.label, l.label, l.var, (unsigned long long)from, l.label, l.var, l.label);
    l.i = name_of(x, l.var);
    return l;
}

static void close_loop(maker *x, const loop *l)
{
    tsr_text_printf(x->t,
                    "  br label %%end%u\nend%u:\n  %%n%u = add i64 %s, %llu\n  %%d%u = icmp uge i64 %%n%u, %llu\n"
                    "  br i1 %%d%u, label %%out%u, label %%top%u\nout%u:\n",
                    l->label, l->label, l->var, l->i, (unsigned long long)l->step, l->var, l->var,
                    (unsigned long long)l->to, l->var, l->label, l->label, l->label);
}

/* ---- The table. */

enum { LEFT_ENTRIES, RIGHT_ENTRIES, ADDEND_ENTRIES, RESULT_ENTRIES };

uint32_t tsr_ll_mma_entry(const tsr_ll_mma *g, uint32_t which)
{
    uint32_t left = g->even_a.is ? 1 : g->depth * g->rows, right = g->even_b.is ? 1 : g->depth * g->cols,
             sums = g->even_c.is ? 1 : g->rows * g->cols;
    uint32_t start[5] = {0, left, left + right, left + right + sums, left + right + 2 * sums};
    return start[which];
}

static const char *entry_at(maker *x, uint32_t which, const char *index)
{
    const char *offset =
        mul_add(x, index, ENTRY_BYTES, number(x, (uint64_t)tsr_ll_mma_entry(x->g, which) * ENTRY_BYTES));
    return at(x, "i8", "%t", offset);
}

/* ---- Components. */

static bool is_signed(const tsr_ll_matrix *m)
{
    return m->component == TSR_S8;
}

static const char *source_type(const tsr_ll_matrix *m)
{
    switch (m->block) {
    case LL_BLOCK_F16: return "half";
    case LL_BLOCK_I8: return "i8";
    case LL_BLOCK_I32: return "i32";
    default: return "float";
    }
}

static uint32_t source_bytes(const tsr_ll_matrix *m)
{
    return m->block == LL_BLOCK_F16 ? 2 : m->block == LL_BLOCK_I8 ? 1 : 4;
}

/* Where a tile lies: a[kk][i], b[kk][j] or a result [i][j]. */
static void find_tile(maker *x, uint32_t which, const char *first, const char *second, const char **ptr,
                      const char **stride)
{
    const tsr_ll_mma *g = x->g;
    bool left = which == LEFT_ENTRIES, right = which == RIGHT_ENTRIES;
    const tsr_ll_even *even = left ? &g->even_a : right ? &g->even_b : &g->even_c;
    uint32_t count = left ? g->rows : g->cols, known = left ? g->lda : right ? g->ldb : g->ldc;
    if (which == RESULT_ENTRIES) known = x->n;
    if (!even->is) {
        const char *entry = entry_at(x, which, mul_add(x, first, count, second));
        *ptr = load(x, "ptr", entry, 8);
        *stride = known ? number(x, known) : load(x, "i64", at(x, "i8", entry, "8"), 8);
        return;
    }
    const char *distance = mul_add(x, first, even->down, mul_add(x, second, even->across, "0"));
    *ptr = at(x, left || right ? source_type(left ? &g->a : &g->b) : "i8", load(x, "ptr", entry_at(x, which, "0"), 8),
              distance);
    *stride = number(x, known);
}

static const char *word_type(const maker *x)
{
    return x->word == WORD_F32 ? "float" : "i32";
}

/* `count` words of the left operand, in a row from ptr on. */
static const char *load_left_words(maker *x, const char *ptr, uint32_t count)
{
    const tsr_ll_matrix *a = &x->g->a;
    uint32_t components = count * x->per_step;
    const char *from = vector_type(x, components, source_type(a)), *v = load(x, from, ptr, source_bytes(a));
    const char *words = vector_type(x, count, word_type(x));
    if (a->block == LL_BLOCK_F16) return convert(x, "fpext", from, v, words);
    if (x->word == WORD_PAIR) {
        const char *wide = vector_type(x, components, "i16");
        return convert(x, "bitcast", wide, convert(x, is_signed(a) ? "sext" : "zext", from, v, wide), words);
    }
    if (x->word != WORD_QUAD) return v;
    v = convert(x, "bitcast", from, v, words);
    if (!x->flip_left) return v;
    uint32_t p = fresh(x);
    tsr_text_printf(x->t, "  %%v%u = xor %s %s, %s\n", p, words, v, splat(x, count, "i32", "-2139062144"));
    return name_of(x, p);
}

/* Copies a row of a left tile: whole registers in a loop, what is left in parts. */
static void copy_left_row(maker *x, const char *from, const char *to, const char *stride, uint32_t steps)
{
    const char *src = source_type(&x->g->a), *el = word_type(x);
    uint32_t lanes = x->lanes, done = steps / lanes * lanes;
    if (done > 0) {
        loop chunk = open_loop(x, 0, done, lanes);
        const char *p = at(x, src, from, mul_add(x, chunk.i, x->per_step, "0"));
        const char *v = load_left_words(x, p, lanes);
        if (!x->near_left)
            tsr_text_printf(x->t, "  call void @llvm.prefetch.p0(ptr %s, i32 0, i32 3, i32 1)\n",
                            at(x, src, p, mul_text(x, stride, number(x, PREFETCH_ROWS))));
        tsr_text_printf(x->t, "  store %s %s, ptr %s, align 4\n", vector_type(x, lanes, el), v, at(x, el, to, chunk.i));
        close_loop(x, &chunk);
    }
    for (; done < steps; lanes /= 2) {
        if (lanes > steps - done) continue;
        const char *v = load_left_words(x, at(x, src, from, number(x, (uint64_t)done * x->per_step)), lanes);
        tsr_text_printf(x->t, "  store %s %s, ptr %s, align 4\n", vector_type(x, lanes, el), v,
                        at(x, el, to, number(x, done)));
        done += lanes;
    }
}

/* Copies the left operand: [rows * m][depth * steps] words. Short rows go several at a time. */
static void write_left_copy(maker *x)
{
    const tsr_ll_mma *g = x->g;
    const char *src = source_type(&g->a), *el = word_type(x);
    uint64_t pitch = (uint64_t)g->depth * x->steps;
    uint32_t depth = x->one_left ? 1 : g->depth, rows = x->one_left ? 1 : g->rows, m = x->m * (g->rows / rows);
    uint32_t steps = x->steps * (g->depth / depth), together = steps > x->lanes || m % LEFT_ROWS ? 1 : LEFT_ROWS;
    tsr_ll_declare(x->e, "void @llvm.prefetch.p0(ptr, i32, i32, i32)");
    loop kk = open_loop(x, 0, depth, 1), tile = open_loop(x, 0, rows, 1);
    const char *ptr, *stride;
    find_tile(x, LEFT_ENTRIES, kk.i, tile.i, &ptr, &stride);
    const char *start = mul_add(x, tile.i, m * pitch, mul_add(x, kk.i, steps, "0"));
    loop row = open_loop(x, 0, m, together);
    for (uint32_t r = 0; r < together; r++) {
        const char *number_of = mul_add(x, row.i, 1, number(x, r));
        copy_left_row(x, at(x, src, ptr, mul_text(x, number_of, stride)),
                      at(x, el, "%lp", mul_add(x, number_of, pitch, start)), stride, steps);
    }
    close_loop(x, &row);
    close_loop(x, &tile);
    close_loop(x, &kk);
}

/* ---- Right operands: vectors of words. */

/* Tiles narrower than the panel stand side by side. */
typedef struct panel {
    uint32_t pieces;
    const char *ptr[64];    /* of a piece */
    const char *stride[64]; /* components */
} panel;

/* Lanes [v * L, (v + 1) * L) of the panel, from rows that lie in pieces: loads and puts side by side. */
static const char *load_across(maker *x, const char *type, uint32_t bytes, const panel *from, const char *const *index,
                               uint32_t v)
{
    uint32_t lanes = x->vector_lanes, first = v * lanes;
    const char *const *ptr = from->ptr;
    if (from->pieces == 1)
        return load(x, vector_type(x, lanes, type), at(x, type, at(x, type, ptr[0], index[0]), number(x, first)),
                    bytes);
    if (x->n >= lanes) {
        uint32_t p = first / x->n;
        return load(x, vector_type(x, lanes, type), at(x, type, at(x, type, ptr[p], index[p]), number(x, first % x->n)),
                    bytes);
    }
    const char *part[64];
    uint32_t count = lanes / x->n, size = x->n;
    for (uint32_t q = 0; q < count; q++)
        part[q] =
            load(x, vector_type(x, size, type), at(x, type, ptr[first / x->n + q], index[first / x->n + q]), bytes);
    for (; count > 1; count /= 2, size *= 2)
        for (uint32_t q = 0; q < count / 2; q++)
            part[q] = shuffle(x, part[2 * q], part[2 * q + 1], size, type, 2 * size, lane_from, 0);
    return part[0];
}

static uint32_t lane_pair(uint32_t i, uint32_t lanes)
{
    return i / 2 + i % 2 * lanes;
}

/* From two vectors that hold two rows each, one after the other. */
static uint32_t lane_quad(uint32_t i, uint32_t lanes)
{
    return i / 4 + i % 4 * lanes;
}

/* Vector v of step `s` (text) of the right operand where it lies. */
static const char *load_right_source(maker *x, const panel *p, const char *s, uint32_t v)
{
    const tsr_ll_matrix *b = &x->g->b;
    const char *src = source_type(b), *row[4], *index[64];
    uint32_t lanes = x->vector_lanes, bytes = source_bytes(b), pieces = p->pieces;
    const char *words = vector_type(x, lanes, word_type(x));
    for (uint32_t q = 0; q < x->per_step; q++) {
        for (uint32_t i = 0; i < pieces; i++)
            index[i] = mul_text(x, mul_add(x, s, x->per_step, number(x, q)), p->stride[i]);
        row[q] = load_across(x, src, bytes, p, index, v);
    }
    if (b->block == LL_BLOCK_F16) return convert(x, "fpext", vector_type(x, lanes, "half"), row[0], words);
    if (x->word == WORD_PAIR) {
        const char *both = shuffle(x, row[0], row[1], lanes, "i8", 2 * lanes, lane_pair, lanes);
        const char *wide = vector_type(x, 2 * lanes, "i16");
        both = convert(x, is_signed(b) ? "sext" : "zext", vector_type(x, 2 * lanes, "i8"), both, wide);
        return convert(x, "bitcast", wide, both, words);
    }
    if (x->word != WORD_QUAD) return row[0];
    const char *low = shuffle(x, row[0], row[1], lanes, "i8", 2 * lanes, lane_from, 0);
    const char *high = shuffle(x, row[2], row[3], lanes, "i8", 2 * lanes, lane_from, 0);
    const char *all = shuffle(x, low, high, 2 * lanes, "i8", 4 * lanes, lane_quad, lanes);
    return convert(x, "bitcast", vector_type(x, 4 * lanes, "i8"), all, words);
}

/* Asks the cache (3: the first one, 2: the second) for `bytes` from `ptr` on. */
static void write_asking_row(maker *x, const char *ptr, uint32_t bytes, int cache)
{
    tsr_ll_declare(x->e, "void @llvm.prefetch.p0(ptr, i32, i32, i32)");
    for (uint32_t byte = 0; byte < bytes; byte += 64)
        tsr_text_printf(x->t, "  call void @llvm.prefetch.p0(ptr %s, i32 0, i32 %d, i32 1)\n",
                        at(x, "i8", ptr, number(x, byte)), cache);
}

/* Asks for the rows of step `s` of a right operand that begins at `ptr`. */
static void write_asking_step(maker *x, const char *ptr, const char *stride, const char *s, int cache)
{
    const char *src = source_type(&x->g->b), *first = mul_text(x, s, number(x, x->per_step));
    for (uint32_t q = 0; q < x->per_step; q++) {
        const char *row = mul_text(x, mul_add(x, first, 1, number(x, q)), stride);
        write_asking_row(x, at(x, src, ptr, row), x->width * source_bytes(&x->g->b), cache);
    }
}

/* ---- One multiply-add of registers. */

static const char *write_fma(maker *x, uint32_t lanes, const char *a, const char *b, const char *c)
{
    uint32_t p = fresh(x);
    char text[160];
    snprintf(text, sizeof text, "<%u x float> @llvm.fma.v%uf32(<%u x float>, <%u x float>, <%u x float>)", lanes, lanes,
             lanes, lanes, lanes);
    tsr_ll_declare(x->e, keep(x->e, text));
    tsr_text_printf(x->t,
                    "  %%v%u = call <%u x float> @llvm.fma.v%uf32(<%u x float> %s, <%u x float> %s, <%u x float> %s)\n",
                    p, lanes, lanes, lanes, a, lanes, b, lanes, c);
    return name_of(x, p);
}

static const char *integer_op(maker *x, const char *op, uint32_t lanes, const char *a, const char *b)
{
    uint32_t p = fresh(x);
    tsr_text_printf(x->t, "  %%v%u = %s <%u x i32> %s, %s\n", p, op, lanes, a, b);
    return name_of(x, p);
}

/* The sum of `parts` products in each word, without a special instruction. */
static const char *write_plain_dot(maker *x, uint32_t lanes, const char *a, const char *b)
{
    uint32_t parts = x->per_step, all = parts * lanes;
    bool quad = x->word == WORD_QUAD;
    const char *narrow = vector_type(x, all, quad ? "i8" : "i16"), *wide = vector_type(x, all, "i32");
    const char *words = vector_type(x, lanes, "i32");
    bool a_signed = !quad || !x->left_unsigned, b_signed = !quad || is_signed(&x->g->b);
    a = convert(x, a_signed ? "sext" : "zext", narrow, convert(x, "bitcast", words, a, narrow), wide);
    b = convert(x, b_signed ? "sext" : "zext", narrow, convert(x, "bitcast", words, b, narrow), wide);
    const char *product = integer_op(x, "mul", all, a, b), *sum = NULL;
    for (uint32_t q = 0; q < parts; q++) {
        uint32_t p = fresh(x);
        tsr_text_printf(x->t, "  %%v%u = shufflevector <%u x i32> %s, <%u x i32> poison, <%u x i32> <", p, all, product,
                        all, lanes);
        for (uint32_t i = 0; i < lanes; i++)
            tsr_text_printf(x->t, "%si32 %u", i ? ", " : "", i * parts + q);
        tsr_text_puts(x->t, ">\n");
        sum = sum ? integer_op(x, "add", lanes, sum, name_of(x, p)) : name_of(x, p);
    }
    return sum;
}

/* Words of four bytes each: those that are unsigned stand first where the signs differ, for vpdpbusd and for usdot. */
static const char *write_quad_dot(maker *x, uint32_t lanes, const char *a, const char *b, const char *c)
{
    if (lanes < (x->e->o->cpu.dot ? 2 : 4)) return integer_op(x, "add", lanes, c, write_plain_dot(x, lanes, a, b));
    bool b_signed = is_signed(&x->g->b), mixed = x->left_unsigned == b_signed;
    const char *words = vector_type(x, lanes, "i32"), *part = words;
    char name[64], text[192];
    if (x->e->o->cpu.dot) {
        part = vector_type(x, 4 * lanes, "i8");
        a = convert(x, "bitcast", words, a, part);
        b = convert(x, "bitcast", words, b, part);
        snprintf(name, sizeof name, "llvm.aarch64.neon.%s.v%ui32.v%ui8",
                 mixed      ? "usdot"
                 : b_signed ? "sdot"
                            : "udot",
                 lanes, 4 * lanes);
    } else {
        snprintf(name, sizeof name, "llvm.x86.avx512.vpdpbusd.%u", lanes * 32);
    }
    snprintf(text, sizeof text, "%s @%s(%s, %s, %s)", words, name, words, part, part);
    tsr_ll_declare(x->e, keep(x->e, text));
    uint32_t p = fresh(x);
    tsr_text_printf(x->t, "  %%v%u = call %s @%s(%s %s, %s %s, %s %s)\n", p, words, name, words, c, part,
                    x->left_unsigned ? a : b, part, x->left_unsigned ? b : a);
    return name_of(x, p);
}

static const char *write_pair_dot(maker *x, uint32_t lanes, const char *a, const char *b, const char *c)
{
    const tsr_native_cpu *cpu = &x->e->o->cpu;
    bool has =
        cpu->x86 && (lanes == 4 || (lanes == 8 && cpu->vector_bytes >= 32) || (lanes == 16 && cpu->vector_bytes == 64));
    if (!has) return integer_op(x, "add", lanes, c, write_plain_dot(x, lanes, a, b));
    const char *name = lanes == 4   ? "llvm.x86.sse2.pmadd.wd"
                       : lanes == 8 ? "llvm.x86.avx2.pmadd.wd"
                                    : "llvm.x86.avx512.pmaddw.d.512";
    const char *words = vector_type(x, lanes, "i32"), *halves = vector_type(x, 2 * lanes, "i16");
    char text[160];
    snprintf(text, sizeof text, "<%u x i32> @%s(<%u x i16>, <%u x i16>)", lanes, name, 2 * lanes, 2 * lanes);
    tsr_ll_declare(x->e, keep(x->e, text));
    a = convert(x, "bitcast", words, a, halves);
    b = convert(x, "bitcast", words, b, halves);
    uint32_t p = fresh(x);
    tsr_text_printf(x->t, "  %%v%u = call <%u x i32> @%s(<%u x i16> %s, <%u x i16> %s)\n", p, lanes, name, 2 * lanes, a,
                    2 * lanes, b);
    return integer_op(x, "add", lanes, c, name_of(x, p));
}

static const char *write_step(maker *x, uint32_t lanes, const char *a, const char *b, const char *c)
{
    switch (x->word) {
    case WORD_F32: return write_fma(x, lanes, a, b, c);
    case WORD_I32: return integer_op(x, "add", lanes, c, integer_op(x, "mul", lanes, a, b));
    case WORD_PAIR: return write_pair_dot(x, lanes, a, b, c);
    default: return write_quad_dot(x, lanes, a, b, c);
    }
}

/* What is left of a sum in a narrower component. */
static const char *write_rounding(maker *x, uint32_t lanes, const char *v)
{
    uint8_t component = x->g->r.component;
    if (component == TSR_F16) {
        const char *narrow = vector_type(x, lanes, "half"), *wide = vector_type(x, lanes, "float");
        return convert(x, "fpext", narrow, convert(x, "fptrunc", wide, v, narrow), wide);
    }
    if (component != TSR_U8 && component != TSR_S8) return v;
    const char *narrow = vector_type(x, lanes, "i8"), *wide = vector_type(x, lanes, "i32");
    return convert(x, component == TSR_S8 ? "sext" : "zext", narrow, convert(x, "trunc", wide, v, narrow), wide);
}

/* ---- A sub-block. */

typedef struct sums {
    const char *v[ROWS_MOST][4];
    const char *extra[4]; /* of the columns of a flipped product */
} sums;

typedef struct place {
    const char *tile, *row; /* the first: tile row, row in it */
    uint32_t rows;
} place;

static void find_panel(maker *x, uint32_t which, const char *first, panel *p)
{
    const tsr_ll_matrix *m = which == RIGHT_ENTRIES ? &x->g->b : &x->g->r;
    p->pieces = x->n < x->width && !(which == RIGHT_ENTRIES && x->one_right) ? x->width / x->n : 1;
    for (uint32_t i = 0; i < p->pieces; i++) {
        find_tile(x, which, first, mul_add(x, x->jt, 1, number(x, i)), &p->ptr[i], &p->stride[i]);
        p->ptr[i] = at(x, source_type(m), p->ptr[i], x->jc);
    }
}

/* Row `r` of a place, of pieces: the index of its first component. */
static void row_index(maker *x, const panel *p, const place *at_row, uint32_t r, const char **index)
{
    for (uint32_t i = 0; i < p->pieces; i++)
        index[i] = mul_text(x, mul_add(x, at_row->row, 1, number(x, r)), p->stride[i]);
}

static void load_sums(maker *x, const place *w, sums *s)
{
    panel c;
    const char *index[64];
    if (!x->g->zero) find_panel(x, ADDEND_ENTRIES, w->tile, &c);
    for (uint32_t r = 0; r < w->rows; r++) {
        if (!x->g->zero) row_index(x, &c, w, r, index);
        for (uint32_t v = 0; v < x->vectors; v++)
            s->v[r][v] = x->g->zero ? "zeroinitializer" : load_across(x, word_type(x), 4, &c, index, v);
    }
    for (uint32_t v = 0; v < x->vectors; v++)
        s->extra[v] = "zeroinitializer";
}

static void store_across(maker *x, const panel *d, const char *const *index, uint32_t v, const char *value)
{
    const char *el = word_type(x), *const *ptr = d->ptr;
    uint32_t lanes = x->vector_lanes, first = v * lanes, piece = d->pieces == 1 ? 0 : first / x->n;
    uint32_t col = d->pieces == 1 ? first : first % x->n, size = x->n < lanes ? x->n : lanes;
    for (uint32_t q = 0; q < lanes / size; q++) {
        const char *part = size == lanes ? value : shuffle(x, value, "poison", lanes, el, size, lane_from, q * size);
        const char *to = at(x, el, at(x, el, ptr[piece + q], index[piece + q]), number(x, col));
        tsr_text_printf(x->t, "  store <%u x %s> %s, ptr %s, align 4\n", size, el, part, to);
    }
}

static void store_sums(maker *x, const place *w, const sums *s, right_mode mode)
{
    panel d;
    const char *index[64];
    uint32_t lanes = x->vector_lanes;
    find_panel(x, RESULT_ENTRIES, w->tile, &d);
    const char *extra[4];
    for (uint32_t v = 0; x->flip_left && v < x->vectors; v++) {
        const char *slot = at(x, "i32", "%cs", number(x, v * lanes)), *type = vector_type(x, lanes, "i32");
        extra[v] = mode == RIGHT_PACKED ? load(x, type, slot, 4) : s->extra[v];
        if (mode == RIGHT_FIRST) tsr_text_printf(x->t, "  store %s %s, ptr %s, align 4\n", type, extra[v], slot);
    }
    for (uint32_t r = 0; r < w->rows; r++) {
        row_index(x, &d, w, r, index);
        for (uint32_t v = 0; v < x->vectors; v++) {
            const char *value = s->v[r][v];
            if (x->flip_left) value = integer_op(x, "sub", lanes, value, extra[v]);
            if (x->word != WORD_F32) value = write_rounding(x, lanes, value);
            store_across(x, &d, index, v, value);
        }
    }
}

/* The rows of the left operand at tile depth kk: ptr to word 0 of each; words from step to step. */
static void find_left_rows(maker *x, const place *w, const char *kk, const char **row, const char **step)
{
    const tsr_ll_mma *g = x->g;
    const char *el = word_type(x);
    *step = "1";
    if (x->pack_left) {
        uint64_t pitch = (uint64_t)g->depth * x->steps;
        const char *first = mul_add(x, mul_add(x, w->tile, x->m, w->row), pitch, mul_add(x, kk, x->steps, "0"));
        const char *base = at(x, el, "%lp", first);
        for (uint32_t r = 0; r < w->rows; r++)
            row[r] = at(x, el, base, number(x, r * pitch));
        return;
    }
    const char *ptr, *stride;
    find_tile(x, LEFT_ENTRIES, kk, w->tile, &ptr, &stride);
    if (g->a.turned) {
        const char *base = at(x, el, ptr, w->row);
        for (uint32_t r = 0; r < w->rows; r++)
            row[r] = at(x, el, base, number(x, r));
        *step = stride;
        return;
    }
    const char *base = at(x, el, ptr, mul_text(x, w->row, stride));
    for (uint32_t r = 0; r < w->rows; r++)
        row[r] = at(x, el, base, mul_text(x, number(x, r), stride));
}

/* Opens phis for all sums in a loop that has just been opened; their next values are named when it closes. */
static void open_phis(maker *x, const loop *l, const place *w, sums *s, uint32_t *first, bool extra)
{
    *first = fresh(x);
    x->next += (w->rows + 1) * x->vectors;
    const char *type = vector_type(x, x->vector_lanes, word_type(x));
    for (uint32_t r = 0; r < w->rows + (extra ? 1 : 0); r++)
        for (uint32_t v = 0; v < x->vectors; v++) {
            uint32_t id = *first + r * x->vectors + v;
            const char **sum = r < w->rows ? &s->v[r][v] : &s->extra[v];
            tsr_text_printf(x->t, "  %%v%u = phi %s [ %s, %%pre%u ], [ %%s%u, %%end%u ]\n", id, type, *sum, l->label,
                            id, l->label);
            *sum = name_of(x, id);
        }
}

/* Gives the next values their names. */
static void close_phis(maker *x, const place *w, sums *s, uint32_t first, bool extra)
{
    const char *type = vector_type(x, x->vector_lanes, word_type(x));
    for (uint32_t r = 0; r < w->rows + (extra ? 1 : 0); r++)
        for (uint32_t v = 0; v < x->vectors; v++) {
            uint32_t id = first + r * x->vectors + v;
            char buf[24];
            const char **sum = r < w->rows ? &s->v[r][v] : &s->extra[v];
            tsr_text_printf(x->t, "  %%s%u = bitcast %s %s to %s\n", id, type, *sum, type);
            snprintf(buf, sizeof buf, "%%s%u", id);
            *sum = keep(x->e, buf);
        }
}

/* `steps` of them from the first one of a tile of k on; more than a tile has where tiles lie one behind the other. */
static void write_steps(maker *x, const place *w, const char *kk, uint32_t steps, right_mode mode, sums *s)
{
    const char *row[ROWS_MOST], *el = word_type(x), *b[4], *step;
    uint32_t lanes = x->vector_lanes, first;
    bool extra = x->flip_left && mode != RIGHT_PACKED;
    panel p;
    find_left_rows(x, w, kk, row, &step);
    if (mode != RIGHT_PACKED) find_panel(x, RIGHT_ENTRIES, kk, &p);
    const char *panel_start = mul_add(x, kk, (uint64_t)x->steps * x->width, "0");
    loop k = open_loop(x, 0, steps, 1);
    open_phis(x, &k, w, s, &first, extra);
    const char *packed = at(x, el, "%rp", mul_add(x, k.i, x->width, panel_start));
    for (uint32_t v = 0; v < x->vectors; v++) {
        const char *slot = at(x, el, packed, number(x, v * lanes)), *type = vector_type(x, lanes, el);
        b[v] = mode == RIGHT_PACKED ? load(x, type, slot, 4) : load_right_source(x, &p, k.i, v);
        if (mode == RIGHT_FIRST) tsr_text_printf(x->t, "  store %s %s, ptr %s, align 4\n", type, b[v], slot);
        if (!extra) continue;
        /* Products with 128, or with -128: vpdpbusd of the flipped bit. */
        s->extra[v] = write_quad_dot(x, lanes, splat(x, lanes, "i32", "-2139062144"), b[v], s->extra[v]);
    }
    if (mode == RIGHT_FIRST && !x->near_right && p.pieces == 1)
        write_asking_step(x, p.ptr[0], p.stride[0], add_text(x, k.i, number(x, PREFETCH_STEPS)), 3);
    if (mode == RIGHT_PACKED && x->next_right)
        write_asking_step(x, x->next_right, x->next_stride, mul_add(x, kk, x->steps, k.i), 2);
    const char *left_at = mul_text(x, k.i, step);
    for (uint32_t r = 0; r < w->rows; r++) {
        const char *a = splat(x, lanes, el, load(x, el, at(x, el, row[r], left_at), 4));
        for (uint32_t v = 0; v < x->vectors; v++)
            s->v[r][v] = write_step(x, lanes, a, b[v], s->v[r][v]);
    }
    close_phis(x, w, s, first, extra);
    close_loop(x, &k);
    if (x->g->r.component == TSR_F16) /* once a product */
        for (uint32_t r = 0; r < w->rows; r++)
            for (uint32_t v = 0; v < x->vectors; v++)
                s->v[r][v] = write_rounding(x, lanes, s->v[r][v]);
}

static void write_asking(maker *x)
{
    tsr_ll_declare(x->e, "void @tsr_host_ahead(ptr, i32)");
    tsr_text_printf(x->t, "  call void @tsr_host_ahead(ptr %%ahead, i32 %u)\n", x->g->ahead);
}

static void write_sub_block(maker *x, const place *w, right_mode mode)
{
    sums s;
    uint32_t first;
    bool asks = mode == RIGHT_SOURCE && x->g->ahead; /* while no sums are in registers, which a call would save */
    if (asks) write_asking(x);
    load_sums(x, w, &s);
    bool in_a_row = mode == RIGHT_PACKED && x->pack_left && x->g->r.component != TSR_F16; /* which rounds each tile's */
    if (x->g->depth == 1 || in_a_row || x->whole) {
        write_steps(x, w, "0", x->g->depth * x->steps, mode, &s);
    } else {
        loop kk = open_loop(x, 0, x->g->depth, 1);
        bool extra = x->flip_left && mode != RIGHT_PACKED;
        open_phis(x, &kk, w, &s, &first, extra);
        write_steps(x, w, kk.i, x->steps, mode, &s);
        close_phis(x, w, &s, first, extra);
        close_loop(x, &kk);
    }
    store_sums(x, w, &s, mode);
    if (asks && x->g->depth > 1) write_asking(x);
}

/* ---- All rows of a panel of columns. */

/* Rows of a sub-block that leave room for the right operand and a left one. */
static uint32_t most_rows(const maker *x)
{
    uint32_t registers = x->e->o->cpu.registers, vectors = x->vectors, m = x->m;
    uint32_t most = (registers - vectors - 2) / vectors;
    if (most > ROWS_MOST) most = ROWS_MOST;
    if (most >= m) return m;
    /* Equal parts are better than a small rest: 16 rows go as 4 x 4 where 6 + 6 + 4 would do. */
    for (uint32_t r = most; m < 8 * most && r * vectors >= CHAINS_LEAST; r--)
        if (m % r == 0) return r;
    if (x->g->rows == 1) return most;
    while (m % most)
        most--;
    return most;
}

/* Sub-block `b` (text) of those of `rows` rows. */
static void write_block(maker *x, const char *b, uint32_t rows, uint32_t per_tile, right_mode mode)
{
    uint32_t tile = fresh(x), part = fresh(x);
    tsr_text_printf(x->t, "  %%v%u = udiv i64 %s, %u\n  %%v%u = urem i64 %s, %u\n", tile, b, per_tile, part, b,
                    per_tile);
    place w = {.tile = name_of(x, tile), .row = mul_add(x, name_of(x, part), rows, "0"), .rows = rows};
    write_sub_block(x, &w, mode);
}

/* Asks for the rows from `first` on, `rows` of them. */
static void write_asking_rows(maker *x, const char *type, const char *ptr, const char *stride, const char *first,
                              uint32_t rows, uint32_t bytes)
{
    loop row = open_loop(x, 0, rows, 1);
    write_asking_row(x, at(x, type, ptr, mul_text(x, add_text(x, first, row.i), stride)), bytes, 2);
    close_loop(x, &row);
}

/* Rows that each of several parts takes. */
static uint32_t share(uint32_t rows, uint32_t parts)
{
    return (rows + parts - 1) / parts;
}

/* The panel beside this one; beside the last one the rows below the first, where loops over k go on. */
static const char *find_next_panel(maker *x, const char **stride)
{
    const tsr_ll_mma *g = x->g;
    const char *src = source_type(&g->b), *ptr;
    find_tile(x, RIGHT_ENTRIES, "0", x->jt, &ptr, stride);
    const char *beside = at(x, src, ptr, add_text(x, x->jc, number(x, x->width)));
    if (g->cols > 1) return beside;
    uint32_t last = fresh(x), next = fresh(x);
    const char *below = at(x, src, ptr, mul_text(x, *stride, number(x, (uint64_t)g->depth * g->b.rows)));
    tsr_text_printf(x->t, "  %%v%u = icmp uge i64 %s, %u\n  %%v%u = select i1 %%v%u, ptr %s, ptr %s\n", last, x->jc,
                    x->n - x->width, next, last, below, beside);
    return name_of(x, next);
}

/* Sub-block `b` of the `blocks` that use the copied panel asks the second cache for its part of the next panel, which
 * the first sub-block there will copy, and of the left operand's next columns. Far rows come a page and more apart,
 * which no processor foresees. An address that is guessed wrong does no harm. A single sub-block does so on its way. */
static void write_asking_next(maker *x, const char *b, uint32_t blocks)
{
    const tsr_ll_mma *g = x->g;
    const char *ptr, *stride;
    if (!x->near_right && (x->one_right || g->depth * g->cols == 1)) {
        ptr = find_next_panel(x, &stride);
        uint32_t each = share(g->depth * g->b.rows, blocks);
        if (blocks == 1)
            x->next_right = ptr, x->next_stride = stride;
        else
            write_asking_rows(x, source_type(&g->b), ptr, stride, mul_text(x, b, number(x, each)), each,
                              x->width * source_bytes(&g->b));
    }
    if (x->pack_left && !x->near_left && (x->one_left || g->depth * g->rows == 1)) {
        uint32_t cols = g->depth * g->a.cols, panels = g->cols * x->n / x->width, part = fresh(x);
        uint32_t each = share(g->rows * x->m, panels * blocks);
        find_tile(x, LEFT_ENTRIES, "0", "0", &ptr, &stride);
        tsr_text_printf(x->t, "  %%v%u = udiv i64 %s, %u\n", part, mul_add(x, x->jt, x->n, x->jc), x->width);
        const char *first = mul_text(x, mul_add(x, name_of(x, part), blocks, b), number(x, each));
        write_asking_rows(x, source_type(&g->a), at(x, source_type(&g->a), ptr, number(x, cols)), stride, first, each,
                          cols * source_bytes(&g->a));
    }
}

static void write_panel(maker *x)
{
    uint32_t rows = most_rows(x), per_tile = x->m / rows, rest = x->m % rows, total = x->g->rows * per_tile, start = 0;
    right_mode mode = RIGHT_SOURCE;
    if (x->pack_right && total + (rest > 0) > 1) {
        write_block(x, "0", rows, per_tile, RIGHT_FIRST);
        mode = RIGHT_PACKED;
        start = 1;
    }
    if (total - start == 1) {
        if (mode == RIGHT_PACKED) write_asking_next(x, "0", 1);
        write_block(x, number(x, start), rows, per_tile, mode);
        x->next_right = NULL;
    } else if (total > start) {
        loop b = open_loop(x, 0, total - start, 1);
        if (mode == RIGHT_PACKED) write_asking_next(x, b.i, total - start);
        write_block(x, mul_add(x, b.i, 1, number(x, start)), rows, per_tile, mode);
        close_loop(x, &b);
    }
    if (rest == 0) return;
    place w = {.tile = "0", .row = number(x, per_tile * rows), .rows = rest};
    write_sub_block(x, &w, mode);
}

static void set_panel(maker *x, uint32_t vectors, uint32_t lanes, const char *jt, const char *jc)
{
    x->vectors = vectors;
    x->vector_lanes = lanes;
    x->width = vectors * lanes;
    snprintf(x->jt, sizeof x->jt, "%s", jt);
    snprintf(x->jc, sizeof x->jc, "%s", jc);
}

/* Whole panels in a loop; a panel lies in one tile or takes whole tiles. */
static void write_whole_panels(maker *x, uint32_t count, uint32_t width, uint32_t vectors)
{
    uint32_t tiles = x->n < width ? width / x->n : 1, parts = x->n < width ? 1 : x->n / width;
    loop p = open_loop(x, 0, count, 1);
    uint32_t tile = fresh(x), part = fresh(x);
    tsr_text_printf(x->t, "  %%v%u = udiv i64 %s, %u\n  %%v%u = urem i64 %s, %u\n", tile, p.i, parts, part, p.i, parts);
    const char *jt = mul_add(x, name_of(x, tile), tiles, "0");
    set_panel(x, vectors, width / vectors, jt, mul_add(x, name_of(x, part), width, "0"));
    write_panel(x);
    close_loop(x, &p);
}

static void write_all_columns(maker *x)
{
    uint32_t total = x->g->cols * x->n, width = 2 * x->lanes, j = 0;
    if (total >= width) {
        write_whole_panels(x, total / width, width, 2);
        j = total / width * width;
    }
    for (uint32_t lanes = x->lanes; j < total; lanes /= 2) {
        if (lanes > total - j) continue;
        bool beside = x->g->cols > 1; /* then what is left is whole tiles */
        set_panel(x, 1, lanes, number(x, beside ? j / x->n : 0), number(x, beside ? j % x->n : j));
        write_panel(x);
        j += lanes;
    }
}

/* ---- The function. */

static word find_word(const tsr_ll *e, const tsr_ll_mma *g)
{
    bool mixed = is_signed(&g->a) != is_signed(&g->b);
    if (g->a.block == LL_BLOCK_I8)
        return e->o->cpu.vnni || (mixed ? e->o->cpu.mixed_dot : e->o->cpu.dot) ? WORD_QUAD : WORD_PAIR;
    return g->r.block == LL_BLOCK_F32 ? WORD_F32 : WORD_I32;
}

static void find_shape(maker *x)
{
    const tsr_ll_mma *g = x->g;
    x->word = find_word(x->e, g);
    x->m = g->r.rows;
    x->n = g->r.cols;
    x->lanes = x->e->o->cpu.vector_bytes / 4;
    x->per_step = x->word == WORD_QUAD ? 4 : x->word == WORD_PAIR ? 2 : 1;
    uint32_t k = g->a.cols;
    x->steps = g->a.block == LL_BLOCK_I8 ? (k + 3) / 4 * 4 / x->per_step : k;
    x->flip_left = x->word == WORD_QUAD && x->e->o->cpu.vnni && is_signed(&g->a) == is_signed(&g->b);
    x->left_unsigned = x->flip_left ? is_signed(&g->a) : !is_signed(&g->a);
    x->widen_left = g->a.block == LL_BLOCK_F16 || g->a.block == LL_BLOCK_I8;
    x->widen_right = g->b.block == LL_BLOCK_F16 || g->b.block == LL_BLOCK_I8;
    x->near_left = g->lda && g->lda * source_bytes(&g->a) <= NEAR_BYTES;
    x->near_right = g->ldb && g->ldb * source_bytes(&g->b) <= NEAR_BYTES;
    x->pack_left = x->widen_left || (!g->a.turned && !x->near_left && g->cols * x->n >= PACK_COLS);
    x->pack_right = x->widen_right || (!x->near_right && g->rows * x->m >= PACK_ROWS);
    const tsr_ll_even *a = &g->even_a, *b = &g->even_b;
    x->one_left =
        a->is && !g->a.turned && (g->rows == 1 || a->across == x->m * g->lda) && (g->depth == 1 || a->down == k);
    x->one_right = b->is && (g->cols == 1 || b->across == x->n) && (g->depth == 1 || b->down == k * g->ldb);
    x->whole = x->one_left && x->one_right && g->r.component != TSR_F16; /* which is rounded after each tile */
}

static uint64_t left_bytes(const maker *x)
{
    return x->pack_left ? (uint64_t)x->g->rows * x->m * x->g->depth * x->steps * 4 : 0;
}

static uint64_t right_bytes(const maker *x)
{
    return x->pack_right ? (uint64_t)x->g->depth * x->steps * x->lanes * 8 : 0;
}

bool tsr_ll_mma_fits(tsr_ll *e, const tsr_ll_mma *g)
{
    maker x = {.e = e, .g = g};
    find_shape(&x);
    if (left_bytes(&x) + right_bytes(&x) <= SCRATCH_MOST) return true;
    return !x.widen_left && !x.widen_right;
}

/* Tiles beside each other fill panels when the one width divides the other, above each other when rows go evenly. */
bool tsr_ll_mma_joins(tsr_ll *e, const tsr_ll_mma *g)
{
    uint32_t width = 2 * (e->o->cpu.vector_bytes / 4), n = g->r.cols, m = g->r.rows;
    bool beside = g->cols == 1 || n % width == 0 || (width % n == 0 && n >= 4 && (n & (n - 1)) == 0);
    bool above = g->rows == 1 || m <= ROWS_MOST || m % 8 == 0 || m % 6 == 0;
    return beside && above && tsr_ll_mma_fits(e, g);
}

const char *tsr_ll_block_mma(tsr_ll *e, const tsr_ll_mma *g)
{
    char name[256];
    char even[96];
    snprintf(even, sizeof even, "%d_%x_%x_%d_%x_%x_%d_%x_%x", g->even_a.is, (unsigned)g->even_a.down,
             (unsigned)g->even_a.across, g->even_b.is, (unsigned)g->even_b.down, (unsigned)g->even_b.across,
             g->even_c.is, (unsigned)g->even_c.down, (unsigned)g->even_c.across);
    snprintf(name, sizeof name, "tsr_mma_%s_%s_%s_%ux%ux%u_%ux%ux%u_%u_%u_%u%s%s_%u_%s",
             tsr_component_name((tsr_component)g->a.component), tsr_component_name((tsr_component)g->b.component),
             tsr_component_name((tsr_component)g->r.component), g->r.rows, g->r.cols, g->a.cols, g->rows, g->cols,
             g->depth, g->lda, g->ldb, g->ldc, g->a.turned ? "_turned" : "", g->zero ? "_zero" : "", g->ahead, even);
    if (!tsr_ll_once(e, name)) return keep(e, name);
    tsr_text text;
    tsr_text_init(&text, e->arena);
    maker x = {.e = e, .t = &text, .g = g};
    find_shape(&x);
    if (left_bytes(&x) + right_bytes(&x) > SCRATCH_MOST) x.pack_left = x.pack_right = false;
    tsr_text_printf(
        &text, "define internal void @%s(ptr %%t, ptr %%ahead) noinline nounwind \"stackrealign\" {\nentry:\n", name);
    tsr_text_printf(&text, "  %%lp = alloca [%llu x i8], align 64\n  %%rp = alloca [%llu x i8], align 64\n",
                    (unsigned long long)left_bytes(&x), (unsigned long long)right_bytes(&x));
    tsr_text_printf(&text, "  %%cs = alloca [%u x i32], align 64\n", 2 * x.lanes);
    uint64_t bytes = left_bytes(&x) + right_bytes(&x);
    if (bytes > e->call_bytes) e->call_bytes = (uint32_t)bytes;
    if (x.pack_left) write_left_copy(&x);
    write_all_columns(&x);
    if (g->ahead) tsr_ll_write_ahead_end(&text);
    tsr_text_puts(&text, "  ret void\n}\n\n");
    tsr_text_add(&e->tail, tsr_text_get(&text), text.len);
    return keep(e, name);
}
