/* The multiply-add of matrices as an LLVM function: a grid of rows x cols tiles of the result, each the sum of `depth`
 * products. `d = sum of a[kk] * b[kk] + c`, by ascending k from the addend, so that bits do not depend on the grid.
 *
 * A step of k is one 32-bit word of each side: a float, an integer, two 16-bit integers (pmaddwd) or four bytes
 * (vpdpbusd). Sub-blocks of the result stay in registers over the whole depth: `rows` by `vectors` registers, the left
 * operand as words that are loaded and spread, the right one as vectors. What is not a word where it lies, or lies far
 * apart, is copied: the left operand once, as rows of words; the right one a panel of columns at a time, by the first
 * sub-block, which uses what it loads. Source for the sizes: measured, see docs/jit.md.
 *
 * What instructions look like stands in llvm_mma_text.c, where operands and results lie in llvm_mma_tile.c. */
#include "emit/llvm_mma_inside.h"

#include <stdio.h>

#define ROWS_MOST      12u  /* of a sub-block: more run out of registers */
#define CHAINS_LEAST   10u  /* sums at a time: 8 keep two multiply-adds of 4 cycles busy only if nothing is ever late */
#define PACK_ROWS      24u  /* below, copying a right operand of words costs more than it saves */
#define PACK_COLS      64u  /* the same for a left one */
#define NEAR_BYTES     512u /* rows this far apart share the first cache well: they need no copy */
#define SCRATCH_MOST   (1u << 21) /* of the copies: a second-level cache */
#define PREFETCH_STEPS 12u        /* ahead, while the right operand is copied */

typedef enum right_mode { RIGHT_SOURCE, RIGHT_FIRST, RIGHT_PACKED } right_mode;

/* ---- One multiply-add of registers. */

static const char *write_fma(tsr_lm *x, uint32_t lanes, const char *a, const char *b, const char *c)
{
    uint32_t p = tsr_lm_new(x);
    char text[160];
    snprintf(text, sizeof text, "<%u x float> @llvm.fma.v%uf32(<%u x float>, <%u x float>, <%u x float>)", lanes, lanes,
             lanes, lanes, lanes);
    tsr_ll_declare(x->e, tsr_ll_keep(x->e, text));
    tsr_text_printf(x->t,
                    "  %%v%u = call <%u x float> @llvm.fma.v%uf32(<%u x float> %s, <%u x float> %s, <%u x float> %s)\n",
                    p, lanes, lanes, lanes, a, lanes, b, lanes, c);
    return tsr_lm_name(x, p);
}

static const char *integer_op(tsr_lm *x, const char *op, uint32_t lanes, const char *a, const char *b)
{
    uint32_t p = tsr_lm_new(x);
    tsr_text_printf(x->t, "  %%v%u = %s <%u x i32> %s, %s\n", p, op, lanes, a, b);
    return tsr_lm_name(x, p);
}

/* The sum of `parts` products in each word, without a special instruction. */
static const char *write_plain_dot(tsr_lm *x, uint32_t lanes, const char *a, const char *b)
{
    uint32_t parts = x->per_step, all = parts * lanes;
    bool quad = x->word == LM_QUAD;
    const char *narrow = tsr_lm_vector(x, all, quad ? "i8" : "i16"), *wide = tsr_lm_vector(x, all, "i32");
    const char *words = tsr_lm_vector(x, lanes, "i32");
    bool a_signed = !quad || !x->left_unsigned, b_signed = !quad || tsr_lm_is_signed(&x->g->b);
    a = tsr_lm_convert(x, a_signed ? "sext" : "zext", narrow, tsr_lm_convert(x, "bitcast", words, a, narrow), wide);
    b = tsr_lm_convert(x, b_signed ? "sext" : "zext", narrow, tsr_lm_convert(x, "bitcast", words, b, narrow), wide);
    const char *product = integer_op(x, "mul", all, a, b), *sum = NULL;
    for (uint32_t q = 0; q < parts; q++) {
        uint32_t p = tsr_lm_new(x);
        tsr_text_printf(x->t, "  %%v%u = shufflevector <%u x i32> %s, <%u x i32> poison, <%u x i32> <", p, all, product,
                        all, lanes);
        for (uint32_t i = 0; i < lanes; i++)
            tsr_text_printf(x->t, "%si32 %u", i ? ", " : "", i * parts + q);
        tsr_text_puts(x->t, ">\n");
        sum = sum ? integer_op(x, "add", lanes, sum, tsr_lm_name(x, p)) : tsr_lm_name(x, p);
    }
    return sum;
}

/* Words of four bytes each: those that are unsigned stand first where the signs differ, for vpdpbusd and for usdot. */
static const char *write_quad_dot(tsr_lm *x, uint32_t lanes, const char *a, const char *b, const char *c)
{
    if (lanes < (x->e->o->cpu.dot ? 2 : 4)) return integer_op(x, "add", lanes, c, write_plain_dot(x, lanes, a, b));
    bool b_signed = tsr_lm_is_signed(&x->g->b), mixed = x->left_unsigned == b_signed;
    const char *words = tsr_lm_vector(x, lanes, "i32"), *part = words;
    char name[64], text[192];
    if (x->e->o->cpu.dot) {
        part = tsr_lm_vector(x, 4 * lanes, "i8");
        a = tsr_lm_convert(x, "bitcast", words, a, part);
        b = tsr_lm_convert(x, "bitcast", words, b, part);
        snprintf(name, sizeof name, "llvm.aarch64.neon.%s.v%ui32.v%ui8",
                 mixed      ? "usdot"
                 : b_signed ? "sdot"
                            : "udot",
                 lanes, 4 * lanes);
    } else {
        snprintf(name, sizeof name, "llvm.x86.avx512.vpdpbusd.%u", lanes * 32);
    }
    snprintf(text, sizeof text, "%s @%s(%s, %s, %s)", words, name, words, part, part);
    tsr_ll_declare(x->e, tsr_ll_keep(x->e, text));
    uint32_t p = tsr_lm_new(x);
    tsr_text_printf(x->t, "  %%v%u = call %s @%s(%s %s, %s %s, %s %s)\n", p, words, name, words, c, part,
                    x->left_unsigned ? a : b, part, x->left_unsigned ? b : a);
    return tsr_lm_name(x, p);
}

static const char *write_pair_dot(tsr_lm *x, uint32_t lanes, const char *a, const char *b, const char *c)
{
    const tsr_native_cpu *cpu = &x->e->o->cpu;
    bool has =
        cpu->x86 && (lanes == 4 || (lanes == 8 && cpu->vector_bytes >= 32) || (lanes == 16 && cpu->vector_bytes == 64));
    if (!has) return integer_op(x, "add", lanes, c, write_plain_dot(x, lanes, a, b));
    const char *name = lanes == 4   ? "llvm.x86.sse2.pmadd.wd"
                       : lanes == 8 ? "llvm.x86.avx2.pmadd.wd"
                                    : "llvm.x86.avx512.pmaddw.d.512";
    const char *words = tsr_lm_vector(x, lanes, "i32"), *halves = tsr_lm_vector(x, 2 * lanes, "i16");
    char text[160];
    snprintf(text, sizeof text, "<%u x i32> @%s(<%u x i16>, <%u x i16>)", lanes, name, 2 * lanes, 2 * lanes);
    tsr_ll_declare(x->e, tsr_ll_keep(x->e, text));
    a = tsr_lm_convert(x, "bitcast", words, a, halves);
    b = tsr_lm_convert(x, "bitcast", words, b, halves);
    uint32_t p = tsr_lm_new(x);
    tsr_text_printf(x->t, "  %%v%u = call <%u x i32> @%s(<%u x i16> %s, <%u x i16> %s)\n", p, lanes, name, 2 * lanes, a,
                    2 * lanes, b);
    return integer_op(x, "add", lanes, c, tsr_lm_name(x, p));
}

static const char *write_step(tsr_lm *x, uint32_t lanes, const char *a, const char *b, const char *c)
{
    switch (x->word) {
    case LM_F32: return write_fma(x, lanes, a, b, c);
    case LM_I32: return integer_op(x, "add", lanes, c, integer_op(x, "mul", lanes, a, b));
    case LM_PAIR: return write_pair_dot(x, lanes, a, b, c);
    default: return write_quad_dot(x, lanes, a, b, c);
    }
}

/* What is left of a sum in a narrower component. */
static const char *write_rounding(tsr_lm *x, uint32_t lanes, const char *v)
{
    uint8_t component = x->g->r.component;
    if (component == TSR_F16) {
        const char *narrow = tsr_lm_vector(x, lanes, "half"), *wide = tsr_lm_vector(x, lanes, "float");
        return tsr_lm_convert(x, "fpext", narrow, tsr_lm_convert(x, "fptrunc", wide, v, narrow), wide);
    }
    if (component != TSR_U8 && component != TSR_S8) return v;
    const char *narrow = tsr_lm_vector(x, lanes, "i8"), *wide = tsr_lm_vector(x, lanes, "i32");
    return tsr_lm_convert(x, component == TSR_S8 ? "sext" : "zext", narrow, tsr_lm_convert(x, "trunc", wide, v, narrow),
                          wide);
}

/* ---- A sub-block. */

typedef struct sums {
    const char *v[ROWS_MOST][4];
    const char *extra[4]; /* of the columns of a flipped product */
} sums;

/* Row `r` of a place, of pieces: the index of its first component. */
static void row_index(tsr_lm *x, const tsr_lm_panel *p, const tsr_lm_place *at_row, uint32_t r, const char **index)
{
    for (uint32_t i = 0; i < p->pieces; i++)
        index[i] = tsr_lm_mul(x, tsr_lm_mul_add(x, at_row->row, 1, tsr_lm_number(x, r)), p->stride[i]);
}

static void load_sums(tsr_lm *x, const tsr_lm_place *w, sums *s)
{
    tsr_lm_panel c;
    const char *index[64];
    if (!x->g->zero) tsr_lm_find_panel(x, LM_ADDENDS, w->tile, &c);
    for (uint32_t r = 0; r < w->rows; r++) {
        if (!x->g->zero) row_index(x, &c, w, r, index);
        for (uint32_t v = 0; v < x->vectors; v++)
            s->v[r][v] = x->g->zero ? "zeroinitializer" : tsr_lm_load_across(x, tsr_lm_word_type(x), 4, &c, index, v);
    }
    for (uint32_t v = 0; v < x->vectors; v++)
        s->extra[v] = "zeroinitializer";
}

static void store_sums(tsr_lm *x, const tsr_lm_place *w, const sums *s, right_mode mode)
{
    tsr_lm_panel d;
    const char *index[64];
    uint32_t lanes = x->vector_lanes;
    tsr_lm_find_panel(x, LM_RESULTS, w->tile, &d);
    const char *extra[4];
    for (uint32_t v = 0; x->flip_left && v < x->vectors; v++) {
        const char *slot = tsr_lm_at(x, "i32", "%cs", tsr_lm_number(x, v * lanes)),
                   *type = tsr_lm_vector(x, lanes, "i32");
        extra[v] = mode == RIGHT_PACKED ? tsr_lm_load(x, type, slot, 4) : s->extra[v];
        if (mode == RIGHT_FIRST) tsr_text_printf(x->t, "  store %s %s, ptr %s, align 4\n", type, extra[v], slot);
    }
    for (uint32_t r = 0; r < w->rows; r++) {
        row_index(x, &d, w, r, index);
        for (uint32_t v = 0; v < x->vectors; v++) {
            const char *value = s->v[r][v];
            if (x->flip_left) value = integer_op(x, "sub", lanes, value, extra[v]);
            if (x->word != LM_F32) value = write_rounding(x, lanes, value);
            tsr_lm_store_across(x, &d, index, v, value);
        }
    }
}

/* Opens phis for all sums in a loop that has just been opened; their next values are named when it closes. */
static void open_phis(tsr_lm *x, const tsr_lm_loop *l, const tsr_lm_place *w, sums *s, uint32_t *first, bool extra)
{
    *first = tsr_lm_new(x);
    x->next += (w->rows + 1) * x->vectors;
    const char *type = tsr_lm_vector(x, x->vector_lanes, tsr_lm_word_type(x));
    for (uint32_t r = 0; r < w->rows + (extra ? 1 : 0); r++)
        for (uint32_t v = 0; v < x->vectors; v++) {
            uint32_t id = *first + r * x->vectors + v;
            const char **sum = r < w->rows ? &s->v[r][v] : &s->extra[v];
            tsr_text_printf(x->t, "  %%v%u = phi %s [ %s, %%pre%u ], [ %%s%u, %%end%u ]\n", id, type, *sum, l->label,
                            id, l->label);
            *sum = tsr_lm_name(x, id);
        }
}

/* Gives the next values their names. */
static void close_phis(tsr_lm *x, const tsr_lm_place *w, sums *s, uint32_t first, bool extra)
{
    const char *type = tsr_lm_vector(x, x->vector_lanes, tsr_lm_word_type(x));
    for (uint32_t r = 0; r < w->rows + (extra ? 1 : 0); r++)
        for (uint32_t v = 0; v < x->vectors; v++) {
            uint32_t id = first + r * x->vectors + v;
            char buf[24];
            const char **sum = r < w->rows ? &s->v[r][v] : &s->extra[v];
            tsr_text_printf(x->t, "  %%s%u = bitcast %s %s to %s\n", id, type, *sum, type);
            snprintf(buf, sizeof buf, "%%s%u", id);
            *sum = tsr_ll_keep(x->e, buf);
        }
}

/* `steps` of them from the first one of a tile of k on; more than a tile has where tiles lie one behind the other. */
static void write_steps(tsr_lm *x, const tsr_lm_place *w, const char *kk, uint32_t steps, right_mode mode, sums *s)
{
    const char *row[ROWS_MOST], *el = tsr_lm_word_type(x), *b[4], *step;
    uint32_t lanes = x->vector_lanes, first;
    bool extra = x->flip_left && mode != RIGHT_PACKED;
    tsr_lm_panel p;
    tsr_lm_find_left_rows(x, w, kk, row, &step);
    if (mode != RIGHT_PACKED) tsr_lm_find_panel(x, LM_RIGHT, kk, &p);
    const char *panel_start = tsr_lm_mul_add(x, kk, (uint64_t)x->steps * x->width, "0");
    tsr_lm_loop k = tsr_lm_open_loop(x, 0, steps, 1);
    open_phis(x, &k, w, s, &first, extra);
    const char *packed = tsr_lm_at(x, el, "%rp", tsr_lm_mul_add(x, k.i, x->width, panel_start));
    for (uint32_t v = 0; v < x->vectors; v++) {
        const char *slot = tsr_lm_at(x, el, packed, tsr_lm_number(x, v * lanes)), *type = tsr_lm_vector(x, lanes, el);
        b[v] = mode == RIGHT_PACKED ? tsr_lm_load(x, type, slot, 4) : tsr_lm_load_right(x, &p, k.i, v);
        if (mode == RIGHT_FIRST) tsr_text_printf(x->t, "  store %s %s, ptr %s, align 4\n", type, b[v], slot);
        if (!extra) continue;
        /* Products with 128, or with -128: vpdpbusd of the flipped bit. */
        s->extra[v] = write_quad_dot(x, lanes, tsr_lm_splat(x, lanes, "i32", "-2139062144"), b[v], s->extra[v]);
    }
    if (mode == RIGHT_FIRST && !x->near_right && p.pieces == 1)
        tsr_lm_ask_step(x, p.ptr[0], p.stride[0], tsr_lm_add(x, k.i, tsr_lm_number(x, PREFETCH_STEPS)), 3);
    if (mode == RIGHT_PACKED && x->next_right)
        tsr_lm_ask_step(x, x->next_right, x->next_stride, tsr_lm_mul_add(x, kk, x->steps, k.i), 2);
    const char *left_at = tsr_lm_mul(x, k.i, step);
    for (uint32_t r = 0; r < w->rows; r++) {
        const char *a = tsr_lm_splat(x, lanes, el, tsr_lm_load(x, el, tsr_lm_at(x, el, row[r], left_at), 4));
        for (uint32_t v = 0; v < x->vectors; v++)
            s->v[r][v] = write_step(x, lanes, a, b[v], s->v[r][v]);
    }
    close_phis(x, w, s, first, extra);
    tsr_lm_close_loop(x, &k);
    if (x->g->r.component == TSR_F16) /* once a product */
        for (uint32_t r = 0; r < w->rows; r++)
            for (uint32_t v = 0; v < x->vectors; v++)
                s->v[r][v] = write_rounding(x, lanes, s->v[r][v]);
}

static void write_sub_block(tsr_lm *x, const tsr_lm_place *w, right_mode mode)
{
    sums s;
    uint32_t first;
    bool asks = mode == RIGHT_SOURCE && x->g->ahead; /* while no sums are in registers, which a call would save */
    if (asks) tsr_lm_ask_ahead(x);
    load_sums(x, w, &s);
    bool in_a_row = mode == RIGHT_PACKED && x->pack_left && x->g->r.component != TSR_F16; /* which rounds each tile's */
    if (x->g->depth == 1 || in_a_row || x->whole) {
        write_steps(x, w, "0", x->g->depth * x->steps, mode, &s);
    } else {
        tsr_lm_loop kk = tsr_lm_open_loop(x, 0, x->g->depth, 1);
        bool extra = x->flip_left && mode != RIGHT_PACKED;
        open_phis(x, &kk, w, &s, &first, extra);
        write_steps(x, w, kk.i, x->steps, mode, &s);
        close_phis(x, w, &s, first, extra);
        tsr_lm_close_loop(x, &kk);
    }
    store_sums(x, w, &s, mode);
    if (asks && x->g->depth > 1) tsr_lm_ask_ahead(x);
}

/* ---- All rows of a panel of columns. */

/* Sub-blocks of one height: `count` of them in each tile, from row `from` on. */
typedef struct stack {
    uint32_t rows, count, from;
} stack;

/* The rows of a tile in sub-blocks that leave room in the registers for the right operand and a left one: of one
 * height where that is enough, else of two that differ by one, which is better than a small rest. */
static uint32_t find_stacks(const tsr_lm *x, stack s[2])
{
    uint32_t registers = x->e->o->cpu.registers, vectors = x->vectors, m = x->m;
    uint32_t most = (registers - vectors - 2) / vectors;
    if (most > ROWS_MOST) most = ROWS_MOST;
    if (most > m) most = m;
    for (uint32_t r = most; m < 8 * most && r * vectors >= CHAINS_LEAST; r--) {
        if (m % r != 0) continue;
        s[0] = (stack){r, m / r, 0};
        return 1;
    }
    uint32_t parts = (m + most - 1) / most, least = m / parts, more = m % parts;
    s[0] = (stack){least + 1, more, 0};
    s[more > 0] = (stack){least, parts - more, more * (least + 1)};
    return more > 0 ? 2 : 1;
}

/* Sub-block `b` (text) of a stack, counted through all tiles. */
static void write_block(tsr_lm *x, const char *b, const stack *s, right_mode mode)
{
    uint32_t tile = tsr_lm_new(x), part = tsr_lm_new(x);
    tsr_text_printf(x->t, "  %%v%u = udiv i64 %s, %u\n  %%v%u = urem i64 %s, %u\n", tile, b, s->count, part, b,
                    s->count);
    tsr_lm_place w = {.tile = tsr_lm_name(x, tile),
                      .row = tsr_lm_mul_add(x, tsr_lm_name(x, part), s->rows, tsr_lm_number(x, s->from)),
                      .rows = s->rows};
    write_sub_block(x, &w, mode);
}

/* Those of a stack from `start` on. `asks`: they ask for what the next panel will copy. */
static void write_stack(tsr_lm *x, const stack *s, uint32_t start, right_mode mode, bool asks)
{
    uint32_t left = x->g->rows * s->count - start;
    if (left == 1) {
        if (asks) tsr_lm_ask_next(x, "0", 1);
        write_block(x, tsr_lm_number(x, start), s, mode);
        x->next_right = NULL;
    } else if (left > 1) {
        tsr_lm_loop b = tsr_lm_open_loop(x, 0, left, 1);
        if (asks) tsr_lm_ask_next(x, b.i, left);
        write_block(x, tsr_lm_mul_add(x, b.i, 1, tsr_lm_number(x, start)), s, mode);
        tsr_lm_close_loop(x, &b);
    }
}

static void write_panel(tsr_lm *x)
{
    stack s[2];
    uint32_t stacks = find_stacks(x, s), first = x->g->rows * s[0].count, start = 0;
    right_mode mode = RIGHT_SOURCE;
    if (x->pack_right && (first > 1 || stacks > 1)) {
        write_block(x, "0", &s[0], RIGHT_FIRST);
        mode = RIGHT_PACKED;
        start = 1;
    }
    write_stack(x, &s[0], start, mode, mode == RIGHT_PACKED);
    if (stacks > 1) write_stack(x, &s[1], 0, mode, mode == RIGHT_PACKED && first == start);
}

static void set_panel(tsr_lm *x, uint32_t vectors, uint32_t lanes, const char *jt, const char *jc)
{
    x->vectors = vectors;
    x->vector_lanes = lanes;
    x->width = vectors * lanes;
    snprintf(x->jt, sizeof x->jt, "%s", jt);
    snprintf(x->jc, sizeof x->jc, "%s", jc);
}

/* Whole panels in a loop; a panel lies in one tile or takes whole tiles. */
static void write_whole_panels(tsr_lm *x, uint32_t count, uint32_t width, uint32_t vectors)
{
    uint32_t tiles = x->n < width ? width / x->n : 1, parts = x->n < width ? 1 : x->n / width;
    tsr_lm_loop p = tsr_lm_open_loop(x, 0, count, 1);
    uint32_t tile = tsr_lm_new(x), part = tsr_lm_new(x);
    tsr_text_printf(x->t, "  %%v%u = udiv i64 %s, %u\n  %%v%u = urem i64 %s, %u\n", tile, p.i, parts, part, p.i, parts);
    const char *jt = tsr_lm_mul_add(x, tsr_lm_name(x, tile), tiles, "0");
    set_panel(x, vectors, width / vectors, jt, tsr_lm_mul_add(x, tsr_lm_name(x, part), width, "0"));
    write_panel(x);
    tsr_lm_close_loop(x, &p);
}

static void write_all_columns(tsr_lm *x)
{
    uint32_t total = x->g->cols * x->n, width = 2 * x->lanes, j = 0;
    if (total >= width) {
        write_whole_panels(x, total / width, width, 2);
        j = total / width * width;
    }
    for (uint32_t lanes = x->lanes; j < total; lanes /= 2) {
        if (lanes > total - j) continue;
        bool beside = x->g->cols > 1; /* then what is left is whole tiles */
        set_panel(x, 1, lanes, tsr_lm_number(x, beside ? j / x->n : 0), tsr_lm_number(x, beside ? j % x->n : j));
        write_panel(x);
        j += lanes;
    }
}

/* ---- The function. */

static tsr_lm_word find_word(const tsr_ll *e, const tsr_ll_mma *g)
{
    bool mixed = tsr_lm_is_signed(&g->a) != tsr_lm_is_signed(&g->b);
    if (g->a.block == LL_BLOCK_I8)
        return e->o->cpu.vnni || (mixed ? e->o->cpu.mixed_dot : e->o->cpu.dot) ? LM_QUAD : LM_PAIR;
    return g->r.block == LL_BLOCK_F32 ? LM_F32 : LM_I32;
}

static void find_shape(tsr_lm *x)
{
    const tsr_ll_mma *g = x->g;
    x->word = find_word(x->e, g);
    x->m = g->r.rows;
    x->n = g->r.cols;
    x->lanes = x->e->o->cpu.vector_bytes / 4;
    x->per_step = x->word == LM_QUAD ? 4 : x->word == LM_PAIR ? 2 : 1;
    uint32_t k = g->a.cols;
    x->steps = g->a.block == LL_BLOCK_I8 ? (k + 3) / 4 * 4 / x->per_step : k;
    x->flip_left = x->word == LM_QUAD && x->e->o->cpu.vnni && tsr_lm_is_signed(&g->a) == tsr_lm_is_signed(&g->b);
    x->left_unsigned = x->flip_left ? tsr_lm_is_signed(&g->a) : !tsr_lm_is_signed(&g->a);
    x->widen_left = g->a.block == LL_BLOCK_F16 || g->a.block == LL_BLOCK_I8;
    x->widen_right = g->b.block == LL_BLOCK_F16 || g->b.block == LL_BLOCK_I8;
    x->near_left = g->lda && g->lda * tsr_lm_source_bytes(&g->a) <= NEAR_BYTES;
    x->near_right = g->ldb && g->ldb * tsr_lm_source_bytes(&g->b) <= NEAR_BYTES;
    x->pack_left = x->widen_left || (!g->a.turned && !x->near_left && g->cols * x->n >= PACK_COLS);
    x->pack_right = x->widen_right || (!x->near_right && g->rows * x->m >= PACK_ROWS);
    const tsr_ll_even *a = &g->even_a, *b = &g->even_b;
    x->one_left =
        a->is && !g->a.turned && (g->rows == 1 || a->across == x->m * g->lda) && (g->depth == 1 || a->down == k);
    x->one_right = b->is && (g->cols == 1 || b->across == x->n) && (g->depth == 1 || b->down == k * g->ldb);
    x->whole = x->one_left && x->one_right && g->r.component != TSR_F16; /* which is rounded after each tile */
}

static uint64_t left_bytes(const tsr_lm *x)
{
    return x->pack_left ? (uint64_t)x->g->rows * x->m * x->g->depth * x->steps * 4 : 0;
}

static uint64_t right_bytes(const tsr_lm *x)
{
    return x->pack_right ? (uint64_t)x->g->depth * x->steps * x->lanes * 8 : 0;
}

bool tsr_ll_mma_fits(tsr_ll *e, const tsr_ll_mma *g)
{
    tsr_lm x = {.e = e, .g = g};
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
    if (!tsr_ll_once(e, name)) return tsr_ll_keep(e, name);
    tsr_text text;
    tsr_text_init(&text, e->arena);
    tsr_lm x = {.e = e, .t = &text, .g = g};
    find_shape(&x);
    if (left_bytes(&x) + right_bytes(&x) > SCRATCH_MOST) x.pack_left = x.pack_right = false;
    tsr_text_printf(
        &text, "define internal void @%s(ptr %%t, ptr %%ahead) noinline nounwind \"stackrealign\" {\nentry:\n", name);
    tsr_text_printf(&text, "  %%lp = alloca [%llu x i8], align 64\n  %%rp = alloca [%llu x i8], align 64\n",
                    (unsigned long long)left_bytes(&x), (unsigned long long)right_bytes(&x));
    tsr_text_printf(&text, "  %%cs = alloca [%u x i32], align 64\n", 2 * x.lanes);
    uint64_t bytes = left_bytes(&x) + right_bytes(&x);
    if (bytes > e->call_bytes) e->call_bytes = (uint32_t)bytes;
    if (x.pack_left) tsr_lm_copy_left(&x);
    write_all_columns(&x);
    if (g->ahead) tsr_ll_write_ahead_end(&text);
    tsr_text_puts(&text, "  ret void\n}\n\n");
    tsr_text_add(&e->tail, tsr_text_get(&text), text.len);
    return tsr_ll_keep(e, name);
}
