/* The tiles of a multiply-add in memory: where they lie, the copy of the left operand, registers from and to rows that
 * stand side by side, and what the caches are asked for ahead. Source for the sizes: measured, see docs/jit.md. */
#include "emit/llvm_mma_inside.h"

#define LEFT_ROWS     8u  /* of a left operand, short ones: copied in one piece of code */
#define PREFETCH_ROWS 2u  /* ahead, while they are copied */
#define ENTRY_BYTES   16u /* of the table: a ptr and a stride */

/* ---- The table. */

uint32_t tsr_ll_mma_entry(const tsr_ll_mma *g, uint32_t which)
{
    uint32_t left = g->even_a.is ? 1 : g->depth * g->rows, right = g->even_b.is ? 1 : g->depth * g->cols,
             sums = g->even_c.is ? 1 : g->rows * g->cols;
    uint32_t start[5] = {0, left, left + right, left + right + sums, left + right + 2 * sums};
    return start[which];
}

static const char *entry_at(tsr_lm *x, uint32_t which, const char *index)
{
    const char *offset =
        tsr_lm_mul_add(x, index, ENTRY_BYTES, tsr_lm_number(x, (uint64_t)tsr_ll_mma_entry(x->g, which) * ENTRY_BYTES));
    return tsr_lm_at(x, "i8", "%t", offset);
}

/* ---- Components. */

bool tsr_lm_is_signed(const tsr_ll_matrix *m)
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

uint32_t tsr_lm_source_bytes(const tsr_ll_matrix *m)
{
    return m->block == LL_BLOCK_F16 ? 2 : m->block == LL_BLOCK_I8 ? 1 : 4;
}

const char *tsr_lm_word_type(const tsr_lm *x)
{
    return x->word == LM_F32 ? "float" : "i32";
}

/* Where a tile lies: a[kk][i], b[kk][j] or a result [i][j]. */
static void find_tile(tsr_lm *x, uint32_t which, const char *first, const char *second, const char **ptr,
                      const char **stride)
{
    const tsr_ll_mma *g = x->g;
    bool left = which == LM_LEFT, right = which == LM_RIGHT;
    const tsr_ll_even *even = left ? &g->even_a : right ? &g->even_b : &g->even_c;
    uint32_t count = left ? g->rows : g->cols, known = left ? g->lda : right ? g->ldb : g->ldc;
    if (which == LM_RESULTS) known = x->n;
    if (!even->is) {
        const char *entry = entry_at(x, which, tsr_lm_mul_add(x, first, count, second));
        *ptr = tsr_lm_load(x, "ptr", entry, 8);
        *stride = known ? tsr_lm_number(x, known) : tsr_lm_load(x, "i64", tsr_lm_at(x, "i8", entry, "8"), 8);
        return;
    }
    const char *distance = tsr_lm_mul_add(x, first, even->down, tsr_lm_mul_add(x, second, even->across, "0"));
    *ptr = tsr_lm_at(x, left || right ? source_type(left ? &g->a : &g->b) : "i8",
                     tsr_lm_load(x, "ptr", entry_at(x, which, "0"), 8), distance);
    *stride = tsr_lm_number(x, known);
}

/* ---- The left operand: words. */

/* `count` words of the left operand, in a row from ptr on. */
static const char *load_left_words(tsr_lm *x, const char *ptr, uint32_t count)
{
    const tsr_ll_matrix *a = &x->g->a;
    uint32_t components = count * x->per_step;
    const char *from = tsr_lm_vector(x, components, source_type(a)),
               *v = tsr_lm_load(x, from, ptr, tsr_lm_source_bytes(a));
    const char *words = tsr_lm_vector(x, count, tsr_lm_word_type(x));
    if (a->block == LL_BLOCK_F16) return tsr_lm_convert(x, "fpext", from, v, words);
    if (x->word == LM_PAIR) {
        const char *wide = tsr_lm_vector(x, components, "i16");
        return tsr_lm_convert(x, "bitcast", wide,
                              tsr_lm_convert(x, tsr_lm_is_signed(a) ? "sext" : "zext", from, v, wide), words);
    }
    if (x->word != LM_QUAD) return v;
    v = tsr_lm_convert(x, "bitcast", from, v, words);
    if (!x->flip_left) return v;
    uint32_t p = tsr_lm_new(x);
    tsr_text_printf(x->t, "  %%v%u = xor %s %s, %s\n", p, words, v, tsr_lm_splat(x, count, "i32", "-2139062144"));
    return tsr_lm_name(x, p);
}

/* Copies a row of a left tile: whole registers in a loop, what is left in parts. */
static void copy_left_row(tsr_lm *x, const char *from, const char *to, const char *stride, uint32_t steps)
{
    const char *src = source_type(&x->g->a), *el = tsr_lm_word_type(x);
    uint32_t lanes = x->lanes, done = steps / lanes * lanes;
    if (done > 0) {
        tsr_lm_loop chunk = tsr_lm_open_loop(x, 0, done, lanes);
        const char *p = tsr_lm_at(x, src, from, tsr_lm_mul_add(x, chunk.i, x->per_step, "0"));
        const char *v = load_left_words(x, p, lanes);
        if (!x->near_left)
            tsr_text_printf(x->t, "  call void @llvm.prefetch.p0(ptr %s, i32 0, i32 3, i32 1)\n",
                            tsr_lm_at(x, src, p, tsr_lm_mul(x, stride, tsr_lm_number(x, PREFETCH_ROWS))));
        tsr_text_printf(x->t, "  store %s %s, ptr %s, align 4\n", tsr_lm_vector(x, lanes, el), v,
                        tsr_lm_at(x, el, to, chunk.i));
        tsr_lm_close_loop(x, &chunk);
    }
    for (; done < steps; lanes /= 2) {
        if (lanes > steps - done) continue;
        const char *v =
            load_left_words(x, tsr_lm_at(x, src, from, tsr_lm_number(x, (uint64_t)done * x->per_step)), lanes);
        tsr_text_printf(x->t, "  store %s %s, ptr %s, align 4\n", tsr_lm_vector(x, lanes, el), v,
                        tsr_lm_at(x, el, to, tsr_lm_number(x, done)));
        done += lanes;
    }
}

void tsr_lm_copy_left(tsr_lm *x)
{
    const tsr_ll_mma *g = x->g;
    const char *src = source_type(&g->a), *el = tsr_lm_word_type(x);
    uint64_t pitch = (uint64_t)g->depth * x->steps;
    uint32_t depth = x->one_left ? 1 : g->depth, rows = x->one_left ? 1 : g->rows, m = x->m * (g->rows / rows);
    uint32_t steps = x->steps * (g->depth / depth), together = steps > x->lanes || m % LEFT_ROWS ? 1 : LEFT_ROWS;
    tsr_ll_declare(x->e, "void @llvm.prefetch.p0(ptr, i32, i32, i32)");
    tsr_lm_loop kk = tsr_lm_open_loop(x, 0, depth, 1), tile = tsr_lm_open_loop(x, 0, rows, 1);
    const char *ptr, *stride;
    find_tile(x, LM_LEFT, kk.i, tile.i, &ptr, &stride);
    const char *start = tsr_lm_mul_add(x, tile.i, m * pitch, tsr_lm_mul_add(x, kk.i, steps, "0"));
    tsr_lm_loop row = tsr_lm_open_loop(x, 0, m, together);
    for (uint32_t r = 0; r < together; r++) {
        const char *number_of = tsr_lm_mul_add(x, row.i, 1, tsr_lm_number(x, r));
        copy_left_row(x, tsr_lm_at(x, src, ptr, tsr_lm_mul(x, number_of, stride)),
                      tsr_lm_at(x, el, "%lp", tsr_lm_mul_add(x, number_of, pitch, start)), stride, steps);
    }
    tsr_lm_close_loop(x, &row);
    tsr_lm_close_loop(x, &tile);
    tsr_lm_close_loop(x, &kk);
}

void tsr_lm_find_left_rows(tsr_lm *x, const tsr_lm_place *w, const char *kk, const char **row, const char **step)
{
    const tsr_ll_mma *g = x->g;
    const char *el = tsr_lm_word_type(x);
    *step = "1";
    if (x->pack_left) {
        uint64_t pitch = (uint64_t)g->depth * x->steps;
        const char *first =
            tsr_lm_mul_add(x, tsr_lm_mul_add(x, w->tile, x->m, w->row), pitch, tsr_lm_mul_add(x, kk, x->steps, "0"));
        const char *base = tsr_lm_at(x, el, "%lp", first);
        for (uint32_t r = 0; r < w->rows; r++)
            row[r] = tsr_lm_at(x, el, base, tsr_lm_number(x, r * pitch));
        return;
    }
    const char *ptr, *stride;
    find_tile(x, LM_LEFT, kk, w->tile, &ptr, &stride);
    if (g->a.turned) {
        const char *base = tsr_lm_at(x, el, ptr, w->row);
        for (uint32_t r = 0; r < w->rows; r++)
            row[r] = tsr_lm_at(x, el, base, tsr_lm_number(x, r));
        *step = stride;
        return;
    }
    const char *base = tsr_lm_at(x, el, ptr, tsr_lm_mul(x, w->row, stride));
    for (uint32_t r = 0; r < w->rows; r++)
        row[r] = tsr_lm_at(x, el, base, tsr_lm_mul(x, tsr_lm_number(x, r), stride));
}

/* ---- Panels: vectors of words. */

void tsr_lm_find_panel(tsr_lm *x, uint32_t which, const char *first, tsr_lm_panel *p)
{
    const tsr_ll_matrix *m = which == LM_RIGHT ? &x->g->b : &x->g->r;
    p->pieces = x->n < x->width && !(which == LM_RIGHT && x->one_right) ? x->width / x->n : 1;
    for (uint32_t i = 0; i < p->pieces; i++) {
        find_tile(x, which, first, tsr_lm_mul_add(x, x->jt, 1, tsr_lm_number(x, i)), &p->ptr[i], &p->stride[i]);
        p->ptr[i] = tsr_lm_at(x, source_type(m), p->ptr[i], x->jc);
    }
}

static uint32_t lane_from(uint32_t i, uint32_t first)
{
    return first + i;
}

const char *tsr_lm_load_across(tsr_lm *x, const char *type, uint32_t bytes, const tsr_lm_panel *from,
                               const char *const *index, uint32_t v)
{
    uint32_t lanes = x->vector_lanes, first = v * lanes;
    const char *const *ptr = from->ptr;
    if (from->pieces == 1)
        return tsr_lm_load(x, tsr_lm_vector(x, lanes, type),
                           tsr_lm_at(x, type, tsr_lm_at(x, type, ptr[0], index[0]), tsr_lm_number(x, first)), bytes);
    if (x->n >= lanes) {
        uint32_t p = first / x->n;
        return tsr_lm_load(x, tsr_lm_vector(x, lanes, type),
                           tsr_lm_at(x, type, tsr_lm_at(x, type, ptr[p], index[p]), tsr_lm_number(x, first % x->n)),
                           bytes);
    }
    const char *part[64];
    uint32_t count = lanes / x->n, size = x->n;
    for (uint32_t q = 0; q < count; q++)
        part[q] = tsr_lm_load(x, tsr_lm_vector(x, size, type),
                              tsr_lm_at(x, type, ptr[first / x->n + q], index[first / x->n + q]), bytes);
    for (; count > 1; count /= 2, size *= 2)
        for (uint32_t q = 0; q < count / 2; q++)
            part[q] = tsr_lm_shuffle(x, part[2 * q], part[2 * q + 1], size, type, 2 * size, lane_from, 0);
    return part[0];
}

void tsr_lm_store_across(tsr_lm *x, const tsr_lm_panel *d, const char *const *index, uint32_t v, const char *value)
{
    const char *el = tsr_lm_word_type(x), *const *ptr = d->ptr;
    uint32_t lanes = x->vector_lanes, first = v * lanes, piece = d->pieces == 1 ? 0 : first / x->n;
    uint32_t col = d->pieces == 1 ? first : first % x->n, size = x->n < lanes ? x->n : lanes;
    for (uint32_t q = 0; q < lanes / size; q++) {
        const char *part =
            size == lanes ? value : tsr_lm_shuffle(x, value, "poison", lanes, el, size, lane_from, q * size);
        const char *to = tsr_lm_at(x, el, tsr_lm_at(x, el, ptr[piece + q], index[piece + q]), tsr_lm_number(x, col));
        tsr_text_printf(x->t, "  store <%u x %s> %s, ptr %s, align 4\n", size, el, part, to);
    }
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

const char *tsr_lm_load_right(tsr_lm *x, const tsr_lm_panel *p, const char *s, uint32_t v)
{
    const tsr_ll_matrix *b = &x->g->b;
    const char *src = source_type(b), *row[4], *index[64];
    uint32_t lanes = x->vector_lanes, bytes = tsr_lm_source_bytes(b), pieces = p->pieces;
    const char *words = tsr_lm_vector(x, lanes, tsr_lm_word_type(x));
    for (uint32_t q = 0; q < x->per_step; q++) {
        for (uint32_t i = 0; i < pieces; i++)
            index[i] = tsr_lm_mul(x, tsr_lm_mul_add(x, s, x->per_step, tsr_lm_number(x, q)), p->stride[i]);
        row[q] = tsr_lm_load_across(x, src, bytes, p, index, v);
    }
    if (b->block == LL_BLOCK_F16) return tsr_lm_convert(x, "fpext", tsr_lm_vector(x, lanes, "half"), row[0], words);
    if (x->word == LM_PAIR) {
        const char *both = tsr_lm_shuffle(x, row[0], row[1], lanes, "i8", 2 * lanes, lane_pair, lanes);
        const char *wide = tsr_lm_vector(x, 2 * lanes, "i16");
        both = tsr_lm_convert(x, tsr_lm_is_signed(b) ? "sext" : "zext", tsr_lm_vector(x, 2 * lanes, "i8"), both, wide);
        return tsr_lm_convert(x, "bitcast", wide, both, words);
    }
    if (x->word != LM_QUAD) return row[0];
    const char *low = tsr_lm_shuffle(x, row[0], row[1], lanes, "i8", 2 * lanes, lane_from, 0);
    const char *high = tsr_lm_shuffle(x, row[2], row[3], lanes, "i8", 2 * lanes, lane_from, 0);
    const char *all = tsr_lm_shuffle(x, low, high, 2 * lanes, "i8", 4 * lanes, lane_quad, lanes);
    return tsr_lm_convert(x, "bitcast", tsr_lm_vector(x, 4 * lanes, "i8"), all, words);
}

/* ---- Asking for what comes next. */

/* Asks the cache (3: the first one, 2: the second) for `bytes` from `ptr` on. */
static void write_asking_row(tsr_lm *x, const char *ptr, uint32_t bytes, int cache)
{
    tsr_ll_declare(x->e, "void @llvm.prefetch.p0(ptr, i32, i32, i32)");
    for (uint32_t byte = 0; byte < bytes; byte += 64)
        tsr_text_printf(x->t, "  call void @llvm.prefetch.p0(ptr %s, i32 0, i32 %d, i32 1)\n",
                        tsr_lm_at(x, "i8", ptr, tsr_lm_number(x, byte)), cache);
}

void tsr_lm_ask_step(tsr_lm *x, const char *ptr, const char *stride, const char *s, int cache)
{
    const char *src = source_type(&x->g->b), *first = tsr_lm_mul(x, s, tsr_lm_number(x, x->per_step));
    for (uint32_t q = 0; q < x->per_step; q++) {
        const char *row = tsr_lm_mul(x, tsr_lm_mul_add(x, first, 1, tsr_lm_number(x, q)), stride);
        write_asking_row(x, tsr_lm_at(x, src, ptr, row), x->width * tsr_lm_source_bytes(&x->g->b), cache);
    }
}

/* Asks for the rows from `first` on, `rows` of them. */
static void write_asking_rows(tsr_lm *x, const char *type, const char *ptr, const char *stride, const char *first,
                              uint32_t rows, uint32_t bytes)
{
    tsr_lm_loop row = tsr_lm_open_loop(x, 0, rows, 1);
    write_asking_row(x, tsr_lm_at(x, type, ptr, tsr_lm_mul(x, tsr_lm_add(x, first, row.i), stride)), bytes, 2);
    tsr_lm_close_loop(x, &row);
}

/* Rows that each of several parts takes. */
static uint32_t share(uint32_t rows, uint32_t parts)
{
    return (rows + parts - 1) / parts;
}

/* The panel beside this one; beside the last one the rows below the first, where loops over k go on. */
static const char *find_next_panel(tsr_lm *x, const char **stride)
{
    const tsr_ll_mma *g = x->g;
    const char *src = source_type(&g->b), *ptr;
    find_tile(x, LM_RIGHT, "0", x->jt, &ptr, stride);
    const char *beside = tsr_lm_at(x, src, ptr, tsr_lm_add(x, x->jc, tsr_lm_number(x, x->width)));
    if (g->cols > 1) return beside;
    uint32_t last = tsr_lm_new(x), next = tsr_lm_new(x);
    const char *below =
        tsr_lm_at(x, src, ptr, tsr_lm_mul(x, *stride, tsr_lm_number(x, (uint64_t)g->depth * g->b.rows)));
    tsr_text_printf(x->t, "  %%v%u = icmp uge i64 %s, %u\n  %%v%u = select i1 %%v%u, ptr %s, ptr %s\n", last, x->jc,
                    x->n - x->width, next, last, below, beside);
    return tsr_lm_name(x, next);
}

void tsr_lm_ask_next(tsr_lm *x, const char *b, uint32_t blocks)
{
    const tsr_ll_mma *g = x->g;
    const char *ptr, *stride;
    if (!x->near_right && (x->one_right || g->depth * g->cols == 1)) {
        ptr = find_next_panel(x, &stride);
        uint32_t each = share(g->depth * g->b.rows, blocks);
        if (blocks == 1)
            x->next_right = ptr, x->next_stride = stride;
        else
            write_asking_rows(x, source_type(&g->b), ptr, stride, tsr_lm_mul(x, b, tsr_lm_number(x, each)), each,
                              x->width * tsr_lm_source_bytes(&g->b));
    }
    if (x->pack_left && !x->near_left && (x->one_left || g->depth * g->rows == 1)) {
        uint32_t cols = g->depth * g->a.cols, panels = g->cols * x->n / x->width, part = tsr_lm_new(x);
        uint32_t each = share(g->rows * x->m, panels * blocks);
        find_tile(x, LM_LEFT, "0", "0", &ptr, &stride);
        tsr_text_printf(x->t, "  %%v%u = udiv i64 %s, %u\n", part, tsr_lm_mul_add(x, x->jt, x->n, x->jc), x->width);
        const char *first = tsr_lm_mul(x, tsr_lm_mul_add(x, tsr_lm_name(x, part), blocks, b), tsr_lm_number(x, each));
        write_asking_rows(x, source_type(&g->a), tsr_lm_at(x, source_type(&g->a), ptr, tsr_lm_number(x, cols)), stride,
                          first, each, cols * tsr_lm_source_bytes(&g->a));
    }
}

void tsr_lm_ask_ahead(tsr_lm *x)
{
    tsr_ll_declare(x->e, "void @tsr_host_ahead(ptr, i32)");
    tsr_text_printf(x->t, "  call void @tsr_host_ahead(ptr %%ahead, i32 %u)\n", x->g->ahead);
}
