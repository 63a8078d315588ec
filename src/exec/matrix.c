/* Subgroup matrices. Component e of the row-major list lies in lane e mod S of the subgroup, as its component e / S:
 * with one subgroup that is the dense matrix itself, with several its rows of S words lie `lanes` words apart. Offsets,
 * strides and pointers are those of the first active lane; a subgroup without active lanes does nothing. */
#include "exec/inside.h"

#include <stdio.h>
#include <string.h>

#define NO_LANE UINT32_MAX

static uint32_t leader(const tsr_worker *w, uint32_t base)
{
    if (w->active == w->lanes) return base;
    for (uint32_t i = base; i < base + w->in->subgroup_size; i++)
        if (w->mask[i]) return i;
    return NO_LANE;
}

/* ---- Lanes and dense matrices. */

static bool is_dense(const tsr_worker *w, const tsr_matrix *m)
{
    return w->lanes == w->in->subgroup_size && tsr_component_words(m->component) == 1;
}

/* Word h of component e = c * S + l is word c * per + h of lane l. */
static void spread(const tsr_worker *w, const tsr_matrix *m, uint32_t base, const uint32_t *dense, uint32_t *lanes)
{
    uint32_t size = w->in->subgroup_size, per = tsr_component_words(m->component);
    for (uint32_t k = 0; k < m->words; k++) {
        uint32_t *to = lanes + (size_t)k * w->lanes + base;
        const uint32_t *from = dense + (size_t)(k / per) * size * per + k % per;
        if (per == 1)
            memcpy(to, from, size * sizeof *to);
        else
            for (uint32_t i = 0; i < size; i++)
                to[i] = from[i * per];
    }
}

static void gather(const tsr_worker *w, const tsr_matrix *m, uint32_t base, const uint32_t *lanes, uint32_t *dense)
{
    uint32_t size = w->in->subgroup_size, per = tsr_component_words(m->component);
    for (uint32_t k = 0; k < m->words; k++) {
        const uint32_t *from = lanes + (size_t)k * w->lanes + base;
        uint32_t *to = dense + (size_t)(k / per) * size * per + k % per;
        if (per == 1)
            memcpy(to, from, size * sizeof *to);
        else
            for (uint32_t i = 0; i < size; i++)
                to[i * per] = from[i];
    }
}

/* The dense matrix of a value: where it lies, or gathered at *scratch, which moves on. */
static const uint32_t *dense_of(tsr_worker *w, const tsr_matrix *m, uint32_t base, tsr_slot value, uint32_t **scratch)
{
    if (is_dense(w, m)) return tsr_at(w, value);
    uint32_t *dense = *scratch;
    gather(w, m, base, tsr_at(w, value), dense);
    *scratch += (size_t)m->rows * m->cols * tsr_component_words(m->component);
    return dense;
}

/* ---- Load and store. */

static uint64_t array_extent(const tsr_worker *w, const tsr_xptr *p, const tsr_matrix_access *x)
{
    if (x->array_bytes) return x->array_bytes;
    uint64_t size = tsr_root_bytes(w, p);
    return size > p->off ? (size - p->off) / x->element_stride * x->element_stride : 0;
}

tsr_tile tsr_tile_find(const tsr_worker *w, const tsr_step *s, uint32_t lane)
{
    const tsr_matrix_access *x = s->more;
    const tsr_xptr *p = s->ptr;
    uint32_t dyn = p->dyn ? tsr_at(w, p->dyn)[lane] : 0;
    tsr_tile t = {.bytes = tsr_component_bits(x->m.component) / 8};
    t.array = tsr_root_base(w, p) + p->off + (dyn == TSR_INVALID_OFFSET ? 0 : dyn);
    t.present = dyn == TSR_INVALID_OFFSET ? 0 : array_extent(w, p, x) / t.bytes;
    t.offset = tsr_at(w, s->arg[1])[lane];
    t.stride = tsr_at(w, s->arg[2])[lane];
    t.major = x->col_major ? x->m.cols : x->m.rows;
    t.minor = x->col_major ? x->m.rows : x->m.cols;
    return t;
}

/* Records a tile that leaves its array, and moves it when that is what the run is to do. */
static TSR_COLD void leave_array(tsr_worker *w, const tsr_step *s, uint32_t lane, tsr_tile *t)
{
    w->oob_matrix_accesses++;
    if (tsr_oob_is_first(w) || w->san) {
        char text[sizeof w->oob_text];
        tsr_span span = tsr_inst_at(w->in->ir, s->inst)->span;
        uint64_t needed = t->offset + t->stride * (t->major - 1) + t->minor;
        snprintf(text, sizeof text, "needs %llu components (offset %llu + stride %llu * %u + %u), the array has %llu",
                 (unsigned long long)needed, (unsigned long long)t->offset, (unsigned long long)t->stride, t->major - 1,
                 t->minor, (unsigned long long)t->present);
        if (tsr_oob_is_first(w)) tsr_oob_note(w, span, text);
        if (w->san) tsr_san_bounds(w, s, lane, span, text);
    }
    t->clamp = w->oob == TSR_OOB_CLAMP && t->present > 0;
    if (w->oob != TSR_OOB_RESTART) return;
    t->offset = 0;
    t->stride = t->minor;
}

static bool is_inside(const tsr_tile *t)
{
    return t->offset + t->stride * (t->major - 1) + t->minor <= t->present;
}

/* The components of memory row r that the array has; `at` gets the first one's place. */
static uint32_t present_in_row(const tsr_tile *t, uint32_t r, unsigned char **at)
{
    uint64_t first = t->offset + t->stride * r;
    if (first >= t->present) return 0;
    *at = t->array + first * t->bytes;
    return t->present - first < t->minor ? (uint32_t)(t->present - first) : t->minor;
}

static unsigned char *last_component(const tsr_tile *t)
{
    return t->array + (t->present - 1) * t->bytes;
}

static void load_tile(const tsr_tile *t, const tsr_matrix_access *x, uint32_t *dense)
{
    unsigned per = tsr_component_words(x->m.component);
    for (uint32_t r = 0; r < t->major; r++) {
        unsigned char *at = NULL;
        uint32_t count = present_in_row(t, r, &at);
        uint32_t *row = dense + (size_t)r * (x->col_major ? 1 : x->m.cols) * per;
        size_t step = x->col_major ? x->m.cols : 1;
        if (count) tsr_components_read(x->m.component, at, count, row, step);
        for (uint32_t i = count; i < t->minor; i++) {
            if (t->clamp)
                tsr_components_read(x->m.component, last_component(t), 1, row + i * step * per, 1);
            else
                memset(row + i * step * per, 0, per * sizeof *row);
        }
    }
}

static void store_tile(const tsr_tile *t, const tsr_matrix_access *x, const uint32_t *dense)
{
    unsigned per = tsr_component_words(x->m.component);
    for (uint32_t r = 0; r < t->major; r++) {
        unsigned char *at = NULL;
        uint32_t count = present_in_row(t, r, &at);
        const uint32_t *row = dense + (size_t)r * (x->col_major ? 1 : x->m.cols) * per;
        size_t step = x->col_major ? x->m.cols : 1;
        if (count) tsr_components_write(x->m.component, at, count, row, step);
        for (uint32_t i = count; t->clamp && i < t->minor; i++)
            tsr_components_write(x->m.component, last_component(t), 1, row + i * step * per, 1);
    }
}

void tsr_run_mload(tsr_worker *w, const tsr_step *s)
{
    const tsr_matrix_access *x = s->more;
    for (uint32_t base = 0; base < w->lanes; base += w->in->subgroup_size) {
        uint32_t lane = leader(w, base);
        if (lane == NO_LANE) continue;
        tsr_tile t = tsr_tile_find(w, s, lane);
        if (!is_inside(&t)) leave_array(w, s, lane, &t);
        uint32_t *to = tsr_at(w, s->dst), *dense = is_dense(w, &x->m) ? to : tsr_at(w, w->in->scratch);
        load_tile(&t, x, dense);
        if (dense != to) spread(w, &x->m, base, dense, to);
    }
}

void tsr_run_mstore(tsr_worker *w, const tsr_step *s)
{
    const tsr_matrix_access *x = s->more;
    for (uint32_t base = 0; base < w->lanes; base += w->in->subgroup_size) {
        uint32_t lane = leader(w, base);
        if (lane == NO_LANE) continue;
        tsr_tile t = tsr_tile_find(w, s, lane);
        if (!is_inside(&t)) leave_array(w, s, lane, &t);
        uint32_t *scratch = tsr_at(w, w->in->scratch);
        store_tile(&t, x, dense_of(w, &x->m, base, s->arg[3], &scratch));
    }
}

/* ---- Arithmetic. */

void tsr_run_mma(tsr_worker *w, const tsr_step *s)
{
    const tsr_mma_step *x = s->more;
    for (uint32_t base = 0; base < w->lanes; base += w->in->subgroup_size) {
        if (leader(w, base) == NO_LANE) continue;
        uint32_t *scratch = tsr_at(w, w->in->scratch), *to = tsr_at(w, s->dst), *result = to;
        const uint32_t *a = dense_of(w, &x->a, base, s->arg[0], &scratch);
        const uint32_t *b = dense_of(w, &x->b, base, s->arg[1], &scratch);
        const uint32_t *c = dense_of(w, &x->c, base, s->arg[2], &scratch);
        if (!is_dense(w, &x->r)) {
            result = scratch;
            scratch += (size_t)x->r.rows * x->r.cols * tsr_component_words(x->r.component);
        }
        if (w->in->model.kind == TSR_MODEL_reference)
            tsr_mma_reference(&x->mma, a, b, c, result, scratch);
        else
            tsr_model_mma(&w->in->model, &x->mma, a, b, c, result, scratch);
        if (w->san) tsr_san_mma(w, s, leader(w, base), a, b, c, result);
        if (result != to) spread(w, &x->r, base, result, to);
    }
}

/* The scalar of each subgroup's first active lane, for all its lanes, as a component when it is an integer. */
static uint32_t *subgroup_scalars(tsr_worker *w, const tsr_matrix_scalar *x, tsr_slot scalar)
{
    uint32_t *to = tsr_at(w, w->in->scratch);
    const uint32_t *from = tsr_at(w, scalar);
    for (uint32_t base = 0; base < w->lanes; base += w->in->subgroup_size) {
        uint32_t lane = leader(w, base);
        uint32_t bits = tsr_component_clamp(x->m.component, lane == NO_LANE ? 0 : from[lane]);
        for (uint32_t i = base; i < base + w->in->subgroup_size; i++)
            to[i] = bits;
    }
    return to;
}

/* Whether the component's words are those of the scalar that WGSL works with. */
static bool is_scalar_component(tsr_component c)
{
    return c == TSR_F16 || c == TSR_F32 || tsr_component_is_integer(c);
}

static double scalar_to_f64(tsr_type_kind kind, uint32_t bits)
{
    return tsr_component_to_f64(kind == TSR_T_f16 ? TSR_F16 : TSR_F32, &bits);
}

/* Word h of component c of lane i lies at (c * per + h) * lanes + i. */
static double lane_component(const tsr_worker *w, const tsr_matrix *m, const uint32_t *from, uint32_t c, uint32_t i)
{
    unsigned per = tsr_component_words(m->component);
    uint32_t words[2] = {0};
    for (unsigned h = 0; h < per; h++)
        words[h] = from[(size_t)(c * per + h) * w->lanes + i];
    return tsr_component_to_f64(m->component, words);
}

static void set_lane_component(const tsr_worker *w, const tsr_matrix *m, uint32_t *to, uint32_t c, uint32_t i, double x)
{
    unsigned per = tsr_component_words(m->component);
    uint32_t words[2];
    tsr_component_from_f64(m->component, x, words);
    for (unsigned h = 0; h < per; h++)
        to[(size_t)(c * per + h) * w->lanes + i] = words[h];
}

void tsr_run_mfill(tsr_worker *w, const tsr_step *s)
{
    const tsr_matrix_scalar *x = s->more;
    const uint32_t *scalars = subgroup_scalars(w, x, s->arg[0]);
    uint32_t *to = tsr_at(w, s->dst), count = x->m.words / tsr_component_words(x->m.component);
    for (uint32_t c = 0; c < count; c++) {
        if (is_scalar_component(x->m.component))
            memcpy(to + (size_t)c * w->lanes, scalars, w->lanes * sizeof *to);
        else
            for (uint32_t i = 0; i < w->lanes; i++)
                set_lane_component(w, &x->m, to, c, i, scalar_to_f64(x->scalar, scalars[i]));
    }
}

static double apply(uint16_t op, double a, double b)
{
    return op == TSR_OP_madd ? a + b : op == TSR_OP_msub ? a - b : a * b;
}

void tsr_run_mscalar(tsr_worker *w, const tsr_step *s)
{
    const tsr_matrix_scalar *x = s->more;
    const uint32_t *scalars = subgroup_scalars(w, x, s->arg[1]), *from = tsr_at(w, s->arg[0]);
    uint32_t *to = tsr_at(w, s->dst), count = x->m.words / tsr_component_words(x->m.component);
    bool narrow = tsr_component_bits(x->m.component) == 8;
    for (uint32_t c = 0; c < count; c++) {
        size_t row = (size_t)c * w->lanes;
        if (!is_scalar_component(x->m.component)) {
            for (uint32_t i = 0; i < w->lanes; i++)
                set_lane_component(
                    w, &x->m, to, c, i,
                    apply(s->op, lane_component(w, &x->m, from, c, i), scalar_to_f64(x->scalar, scalars[i])));
            continue;
        }
        const void *args[2] = {from + row, scalars};
        (void)s->eval(w->lanes, args, to + row);
        for (uint32_t i = 0; narrow && i < w->lanes; i++)
            to[row + i] = tsr_component_wrap(x->m.component, to[row + i]);
    }
}
