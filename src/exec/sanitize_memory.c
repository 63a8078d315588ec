/* What loads, stores, atomics and matrix accesses touch; strides and alignment of tiles; variables that are read before
 * they are written. */
#include "exec/sanitize_inside.h"

#include <string.h>

/* Vulkan wants the start and the stride of a cooperative matrix aligned to the lesser of this and a row's length.
 * Source: VUID-RuntimeSpirv-OpCooperativeMatrixLoadKHR-08986. */
#define TILE_ALIGN_MAX 16u

/* ---- Plain and atomic accesses --------------------------------------------------------------------------------- */

static tsr_san_touch start_touch(const tsr_worker *w, const tsr_step *s, tsr_san_how how)
{
    const tsr_xptr *p = s->ptr;
    return (tsr_san_touch){.step = s,
                           .site = w->in->sanitize->sites[s - w->in->steps].number,
                           .how = how,
                           .root = p->root,
                           .at = p->root == TSR_ROOT_GROUP ? 0 : p->at,
                           .offsets = p->dyn ? tsr_at(w, p->dyn) : NULL};
}

/* The first byte that a lane accesses, from the start of workgroup memory or of the binding. */
static uint64_t first_byte(const tsr_xptr *p, const tsr_san_touch *t, uint32_t lane)
{
    return (p->root == TSR_ROOT_GROUP ? (uint64_t)p->at : 0) + p->off + (t->offsets ? t->offsets[lane] : 0);
}

static bool accesses(const tsr_worker *w, const tsr_san_touch *t, uint32_t lane)
{
    return w->mask[lane] && (!t->offsets || t->offsets[lane] != TSR_INVALID_OFFSET);
}

static void touch_value(tsr_worker *w, const tsr_step *s, tsr_san_how how)
{
    const tsr_leaf_list *leaves = s->more;
    tsr_san_touch t = start_touch(w, s, how);
    const unsigned char *memory = tsr_root_base(w, s->ptr) - (s->ptr->root == TSR_ROOT_GROUP ? s->ptr->at : 0);
    for (uint32_t lane = 0; lane < w->lanes; lane++) {
        if (!accesses(w, &t, lane)) continue;
        uint64_t first = first_byte(s->ptr, &t, lane);
        t.agent = lane;
        for (uint32_t r = 0; r < leaves->count; r++) {
            const tsr_leaves *run = &leaves->runs[r];
            t.size = run->size;
            for (uint32_t k = 0; k < run->count; k++) {
                t.byte = first + run->byte + (uint64_t)k * run->stride;
                t.memory = memory + t.byte;
                if (how == TSR_SAN_WRITE) t.values = tsr_at(w, s->arg[0]) + (size_t)(run->word + k) * w->lanes;
                tsr_san_touch_memory(w, &t);
            }
        }
    }
}

static void before_load(tsr_worker *w, const tsr_step *s)
{
    touch_value(w, s, TSR_SAN_READ);
}

static void before_store(tsr_worker *w, const tsr_step *s)
{
    touch_value(w, s, TSR_SAN_WRITE);
}

static void before_atomic(tsr_worker *w, const tsr_step *s)
{
    tsr_san_touch t = start_touch(w, s, TSR_SAN_ATOMIC);
    t.size = sizeof(uint32_t);
    for (uint32_t lane = 0; lane < w->lanes; lane++) {
        if (!accesses(w, &t, lane)) continue;
        t.agent = lane;
        t.byte = first_byte(s->ptr, &t, lane);
        tsr_san_touch_memory(w, &t);
    }
}

/* ---- Matrix accesses ------------------------------------------------------------------------------------------- */

static void touch_tile(tsr_worker *w, const tsr_step *s, const tsr_tile *t, uint32_t subgroup)
{
    tsr_san_touch touch = start_touch(w, s, s->op == TSR_OP_mload ? TSR_SAN_READ : TSR_SAN_WRITE);
    const unsigned char *root = tsr_root_base(w, s->ptr) - (s->ptr->root == TSR_ROOT_GROUP ? s->ptr->at : 0);
    touch.agent = TSR_SAN_WHOLE | subgroup;
    for (uint32_t r = 0; r < t->major; r++) {
        uint64_t first = t->offset + t->stride * r;
        if (first >= t->present) continue;
        uint64_t count = t->present - first < t->minor ? t->present - first : t->minor;
        touch.byte = (uint64_t)(t->array - root) + first * t->bytes;
        touch.size = (uint32_t)count * t->bytes;
        tsr_san_touch_memory(w, &touch);
    }
}

/* The lesser of 16 bytes and the row's natural alignment. */
static uint32_t tile_align(const tsr_tile *t)
{
    uint32_t row = t->minor * t->bytes;
    return row >= TILE_ALIGN_MAX ? TILE_ALIGN_MAX : row & (~row + 1u);
}

static void check_stride(tsr_worker *w, const tsr_step *s, const tsr_tile *t, uint32_t agent)
{
    const tsr_matrix_access *x = s->more;
    const unsigned char *root = tsr_root_base(w, s->ptr);
    const char *what = tsr_san_op_name(s->op), *line = x->col_major ? "column" : "row";
    uint32_t align = tile_align(t);
    uint64_t start = (uint64_t)(t->array - root) + t->offset * t->bytes;
    if (t->stride < t->minor)
        tsr_san_report(w, TSR_SAN_stride_short, agent, s,
                       "%s with stride %llu: a %s has %u components, so that %ss overlap; WGSL leaves that undefined",
                       what, (unsigned long long)t->stride, line, t->minor, line);
    else if (t->stride * t->bytes % align != 0)
        tsr_san_report(w, TSR_SAN_stride_misaligned, agent, s,
                       "%s with stride %llu, which is %llu bytes: Vulkan wants a multiple of %u bytes", what,
                       (unsigned long long)t->stride, (unsigned long long)t->stride * t->bytes, align);
    if (start % align != 0)
        tsr_san_report(w, TSR_SAN_offset_misaligned, agent, s,
                       "%s at offset %llu, byte %llu: Vulkan wants a multiple of %u bytes", what,
                       (unsigned long long)t->offset, (unsigned long long)start, align);
}

/* The coarser formula of the proposal's text. */
static void check_coarse(tsr_worker *w, const tsr_step *s, const tsr_tile *t, uint32_t agent)
{
    uint64_t exact = t->offset + t->stride * (t->major - 1) + t->minor;
    uint64_t coarse = t->offset + t->stride * t->major * t->minor;
    if (exact > t->present || coarse <= t->present) return;
    tsr_san_report(
        w, TSR_SAN_bounds_coarse, agent, s,
        "%s needs %llu components by the coarser formula (offset %llu + stride %llu * %u * %u), the array has "
        "%llu; by the exact one %llu",
        tsr_san_op_name(s->op), (unsigned long long)coarse, (unsigned long long)t->offset,
        (unsigned long long)t->stride, t->major, t->minor, (unsigned long long)t->present, (unsigned long long)exact);
}

static void before_matrix(tsr_worker *w, const tsr_step *s)
{
    for (uint32_t base = 0; base < w->lanes; base += w->in->subgroup_size) {
        uint32_t lane = tsr_san_first(w, base), subgroup = base / w->in->subgroup_size;
        if (lane == TSR_SAN_NO_LANE) continue;
        tsr_tile t = tsr_tile_find(w, s, lane);
        if (tsr_san_checks(w, TSR_CHECK_STRIDES)) check_stride(w, s, &t, TSR_SAN_WHOLE | subgroup);
        if (tsr_san_checks(w, TSR_CHECK_BOUNDS) && w->san->args->coarse_extent)
            check_coarse(w, s, &t, TSR_SAN_WHOLE | subgroup);
        if (w->in->sanitize->sites[s - w->in->steps].number) touch_tile(w, s, &t, subgroup);
    }
}

/* ---- Variables of lanes. `written` has a byte for each word of the frame. -------------------------------------- */

static void mark_words(tsr_worker *w, uint64_t first, uint32_t words, unsigned char mark)
{
    size_t lanes = w->lanes;
    for (size_t k = 0; k < words; k++)
        for (size_t i = 0; i < lanes; i++)
            if (w->mask[i]) w->san->written[first + k * lanes + i] = mark;
}

static void after_var(tsr_worker *w, const tsr_step *s)
{
    if (w->san->written) mark_words(w, s->dst, s->words, s->arg[0] != 0);
}

static uint64_t lane_word(const tsr_worker *w, const tsr_step *s, uint32_t lane)
{
    const tsr_xptr *p = s->ptr;
    uint64_t offset = p->off + (p->dyn ? (uint64_t)tsr_at(w, p->dyn)[lane] : 0);
    return p->at + offset * w->lanes + lane;
}

static bool is_outside(const tsr_worker *w, const tsr_step *s, uint32_t lane)
{
    return !w->mask[lane] || (s->ptr->dyn && tsr_at(w, s->ptr->dyn)[lane] == TSR_INVALID_OFFSET);
}

static void before_load_lane(tsr_worker *w, const tsr_step *s)
{
    if (!w->san->written) return;
    for (uint32_t i = 0; i < w->lanes; i++) {
        if (is_outside(w, s, i)) continue;
        uint64_t first = lane_word(w, s, i);
        for (uint64_t k = 0; k < s->words; k++) {
            if (w->san->written[first + k * w->lanes]) continue;
            tsr_san_report(w, TSR_SAN_variable_unwritten, i, s,
                           "the variable has no initial value and was not written before this: it is zero");
            break;
        }
    }
}

static void before_store_lane(tsr_worker *w, const tsr_step *s)
{
    if (!w->san->written) return;
    for (uint32_t i = 0; i < w->lanes; i++) {
        if (is_outside(w, s, i)) continue;
        uint64_t first = lane_word(w, s, i);
        for (uint64_t k = 0; k < s->words; k++)
            w->san->written[first + k * w->lanes] = 1;
    }
}

/* ---- Which steps ----------------------------------------------------------------------------------------------- */

static uint32_t narrowest(const tsr_leaf_list *leaves)
{
    uint32_t size = 0;
    for (uint32_t r = 0; r < leaves->count; r++)
        if (size == 0 || leaves->runs[r].size < size) size = leaves->runs[r].size;
    return size;
}

uint32_t tsr_san_access_bytes(const tsr_step *s)
{
    if (s->run == tsr_run_load_shared || s->run == tsr_run_store_shared) return narrowest(s->more);
    if (s->run == tsr_run_atomic) return sizeof(uint32_t);
    if (s->run != tsr_run_mload && s->run != tsr_run_mstore) return 0;
    return tsr_component_bits(((const tsr_matrix_access *)s->more)->m.component) / 8;
}

void tsr_san_site_memory(const tsr_interp *in, const tsr_step *s, tsr_san_site *site)
{
    bool variables = (in->checks & TSR_CHECK_VARIABLES) != 0;
    if (s->run == tsr_run_mload || s->run == tsr_run_mstore) tsr_san_before(site, before_matrix);
    if (site->number && s->run == tsr_run_load_shared) tsr_san_before(site, before_load);
    if (site->number && s->run == tsr_run_store_shared) tsr_san_before(site, before_store);
    if (site->number && s->run == tsr_run_atomic) tsr_san_before(site, before_atomic);
    if (variables && s->run == tsr_run_load_lane) tsr_san_before(site, before_load_lane);
    if (variables && s->run == tsr_run_store_lane) tsr_san_before(site, before_store_lane);
    if (variables && s->run == tsr_run_var) tsr_san_after(site, after_var);
}
