/* Loads and stores. What neighbours access side by side is one vector access, behind one test that all of it is in
 * range; the rest goes lane by lane through helpers. */
#include "emit/llvm_inside.h"

#include "emit/llvm_block.h"

#include <stdio.h>
#include <string.h>

/* Runs of lanes shorter than this are not worth a vector access of their own. */
#define RUN_LEAST    2u
/* Values of more scalars are loaded and stored scalar by scalar where their lanes differ in place. */
#define LEAVES_QUICK 4u
/* And of more than this not at the function's start. */
#define EARLY_MOST   4u
/* Bytes of the vectors that are stored under a mask as quickly as without one: AVX-512. */
#define MASKED_QUICK 64u

/* ---- Access to shared memory. */

static const char *memory_type(uint8_t type)
{
    return type == LL_F ? "float" : type == LL_H ? "i16" : "i32";
}

static uint8_t memory_kind(uint8_t type)
{
    return type == LL_B ? LL_I : type;
}

static tsr_ll_word from_memory(tsr_ll *e, tsr_ll_word w, uint8_t type)
{
    return w.type == type ? w : tsr_ll_from_bits(e, w, type);
}

static tsr_ll_word to_memory(tsr_ll *e, tsr_ll_word w)
{
    return w.type == LL_B ? tsr_ll_to_bits(e, w) : w;
}

/* A scalar of a uniform buffer, which a dispatch cannot change: loaded at the function's start, once. */
static uint32_t load_early(tsr_ll *e, const tsr_ll_place *p, const tsr_ll_leaf *leaf)
{
    uint64_t key[4] = {29, p->resource, p->off + leaf->byte, leaf->type}, hash = tsr_hash_bytes(key, sizeof key, 4);
    uint32_t name;
    if (tsr_map_find(&e->made, hash, &name)) return name;
    uint32_t base = tsr_ll_binding_base(e, p->resource), ptr = tsr_ll_new(e);
    name = tsr_ll_new(e);
    tsr_text_printf(&e->prologue,
                    "  %%t%u = getelementptr i8, ptr %%t%u, i64 %llu\n  %%t%u = load %s, ptr %%t%u, align %u\n", ptr,
                    base, (unsigned long long)(p->off + leaf->byte), name, memory_type(leaf->type), ptr, leaf->size);
    tsr_map_set(&e->made, hash, name);
    return name;
}

static bool is_early(const tsr_ll *e, const tsr_ll_place *p, const tsr_ll_leaves *l)
{
    return p->root == LL_ROOT_BINDING && !p->has_dyn && !p->has_check && l->count <= EARLY_MOST &&
           tsr_ll_binding_space(e, p->resource) == TSR_SPACE_uniform;
}

/* One value for all lanes; behind a test zero where it fails. */
static void load_same(tsr_ll *e, const tsr_ll_place *p, const tsr_ll_leaves *l, tsr_ll_value *v)
{
    uint32_t in = tsr_ll_new(e), out = tsr_ll_new(e), end = tsr_ll_new(e);
    uint32_t *names = TSR_NEW_ARRAY(e->arena, uint32_t, l->count + 1);
    if (p->has_check) {
        tsr_ll_branch(e, p->all, in, out);
        tsr_ll_label(e, in);
    }
    bool early = is_early(e, p, l);
    for (uint32_t i = 0; i < l->count; i++) {
        names[i] = early ? load_early(e, p, &l->list[i]) : tsr_ll_new(e);
        tsr_ll_word w = tsr_ll_uniform(e, memory_kind(l->list[i].type), names[i]);
        v->words[i] = w;
        if (early) continue;
        uint32_t ptr = tsr_ll_place_base(e, p, l->list[i].byte);
        if (p->has_dyn) ptr = tsr_ll_offset_ptr(e, ptr, p->dyn);
        tsr_ll_line(e, "%%t%u = load %s, ptr %%t%u, align %u", w.name, memory_type(l->list[i].type), ptr,
                    l->list[i].size);
    }
    if (p->has_check) {
        tsr_ll_jump(e, end);
        tsr_ll_begin_cold(e, out);
        tsr_ll_call_lanes(e,
                          (tsr_lanes_call){.op = TSR_OP_index, .place = p, .flags = TSR_LANES_NONE, .is_cold = true});
        tsr_ll_end_cold(e, end);
        tsr_ll_label(e, end);
        for (uint32_t i = 0; i < l->count; i++) {
            v->words[i].name = tsr_ll_new(e);
            const char *zero = v->words[i].type == LL_F ? "0.0" : "0";
            tsr_ll_line(e, "%%t%u = phi %s [ %%t%u, %%b%u ], [ %s, %%b%u ]", v->words[i].name,
                        memory_type(l->list[i].type), names[i], in, zero, out);
        }
    }
    for (uint32_t i = 0; i < l->count; i++)
        v->words[i] = from_memory(e, v->words[i], l->list[i].type);
}

static tsr_ll_word load_scattered(tsr_ll *e, const tsr_ll_place *p, const tsr_ll_leaf *leaf, tsr_ll_word safe)
{
    uint32_t ptr = tsr_ll_place_base(e, p, leaf->byte);
    uint8_t kind = memory_kind(leaf->type);
    tsr_ll_word w = tsr_ll_gather(e, ptr, safe, leaf->size);
    if (kind == LL_F) w = tsr_ll_from_bits(e, w, LL_F);
    return p->has_check ? tsr_ll_select(e, tsr_ll_place_lanes(e, p), w, tsr_ll_const(e, kind, 0)) : w;
}

/* ---- Runs: a vector access for each run of neighbours. `group` scalars of a lane lie side by side. */

typedef struct runs {
    uint32_t lanes; /* of a run */
    uint32_t group; /* scalars that a lane steps over: 1, 2 or 4; 0: all lanes of a run have one place */
    bool mixed;     /* scalars of a group differ in type: they move as words */
    bool whole;     /* one run, and a lane accesses all that it steps over: the value may be woven */
    bool all_only;  /* the first lane of a run may be one that is not here: only where all are */
} runs;

static uint8_t run_kind(const runs *r, const tsr_ll_leaves *l, uint32_t i)
{
    return r->mixed ? LL_I : memory_kind(l->list[i].type);
}

static bool find_runs(const tsr_ll *e, const tsr_ll_place *p, const tsr_ll_leaves *l, runs *r)
{
    tsr_vshape s = p->dyn.shape;
    uint32_t size = l->list[0].size;
    r->lanes = UINT32_C(1) << s.run;
    r->mixed = false;
    r->all_only = !e->all && p->dyn.form == LL_EACH;
    if (r->lanes < RUN_LEAST || s.stride < 0) return false;
    r->group = (uint32_t)s.stride / size;
    if (r->group * size != (uint32_t)s.stride) return false;
    r->whole = false;
    if (r->group == 0) return e->size / r->lanes <= 8;
    if (r->lanes < 4 && e->size > 4) return false;
    if (r->group != 1 && r->group != 2 && r->group != 4) return false;
    if (l->count > r->group) return false;
    for (uint32_t i = 0; i < l->count; i++) {
        if (l->list[i].byte != i * size || l->list[i].size != size) return false;
        r->mixed = r->mixed || memory_kind(l->list[i].type) != memory_kind(l->list[0].type);
    }
    r->whole = r->lanes == e->size && !r->all_only && !r->mixed && r->group > 1 && l->count == r->group;
    return true;
}

static uint32_t run_ptr(tsr_ll *e, const tsr_ll_place *p, uint32_t base, uint32_t lane)
{
    return tsr_ll_offset_ptr(e, base, tsr_ll_lane(e, p->dyn, lane));
}

static bool is_in_loop(const tsr_ll *e)
{
    for (const tsr_ll_frame *f = e->frame; f; f = f->outside)
        if (f->inst && tsr_ll_inst(e, f->inst)->op == TSR_OP_loop) return true;
    return false;
}

/* A loop of a subgroup usually steps over what the others read, and comes back for it when their turn is: the next
 * one's is fetched to the second cache meanwhile. Measured: Zen 5, bench/jit stream, sums of 16 MiB: 1.6 times as fast.
 */
static void fetch_next(tsr_ll *e, const tsr_ll_place *p, uint32_t ptr, uint32_t bytes)
{
    enum { LINE = 64 };
    if (bytes < LINE || p->root != LL_ROOT_BINDING || e->subgroups == 1 || !is_in_loop(e)) return;
    tsr_ll_declare(e, "void @llvm.prefetch.p0(ptr, i32, i32, i32)");
    for (uint32_t at = bytes; at < 2 * bytes; at += LINE)
        tsr_ll_line(e, "call void @llvm.prefetch.p0(ptr %%t%u, i32 0, i32 2, i32 1)", tsr_ll_address(e, ptr, at));
}

/* One run as it lies: a vector for each component, though not of it. */
static void load_whole(tsr_ll *e, const tsr_ll_place *p, const tsr_ll_leaves *l, uint32_t *names)
{
    uint32_t ptr = run_ptr(e, p, tsr_ll_place_base(e, p, l->list[0].byte), 0), bytes = e->size * l->list[0].size;
    for (uint32_t i = 0; i < l->count; i++) {
        uint32_t at = i ? tsr_ll_address(e, ptr, (uint64_t)i * bytes) : ptr;
        names[i] = tsr_ll_new(e);
        tsr_ll_line(e, "%%t%u = load %s, ptr %%t%u, align %u", names[i], e->vector_name[memory_kind(l->list[i].type)],
                    at, l->list[0].size);
    }
    fetch_next(e, p, ptr, l->count * bytes);
}

static void load_runs(tsr_ll *e, const tsr_ll_place *p, const tsr_ll_leaves *l, runs r, uint32_t *names)
{
    uint32_t count = e->size / r.lanes, part[4][128];
    uint32_t base = tsr_ll_place_base(e, p, l->list[0].byte);
    const char *type = memory_type(run_kind(&r, l, 0));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t ptr = run_ptr(e, p, base, i * r.lanes);
        for (uint32_t c = 0; c < l->count; c++) {
            if (r.group == 0) {
                uint32_t at = l->list[c].byte ? tsr_ll_address(e, ptr, l->list[c].byte - l->list[0].byte) : ptr;
                uint32_t x = tsr_ll_new(e), v = tsr_ll_new(e);
                const char *t = memory_type(l->list[c].type);
                part[c][i] = tsr_ll_new(e);
                tsr_ll_line(e, "%%t%u = load %s, ptr %%t%u, align %u", x, t, at, l->list[c].size);
                tsr_ll_line(e, "%%t%u = insertelement <%u x %s> poison, %s %%t%u, i64 0", v, r.lanes, t, t, x);
                tsr_ll_line(e, "%%t%u = shufflevector <%u x %s> %%t%u, <%u x %s> poison, <%u x i32> zeroinitializer",
                            part[c][i], r.lanes, t, v, r.lanes, t, r.lanes);
                continue;
            }
            if (c == 0) {
                part[0][i] = tsr_ll_new(e);
                tsr_ll_line(e, "%%t%u = load <%u x %s>, ptr %%t%u, align %u", part[0][i], r.lanes * r.group, type, ptr,
                            l->list[0].size);
                if (count == 1) fetch_next(e, p, ptr, r.lanes * r.group * l->list[0].size);
            }
            if (r.group > 1 && c == 0) {
                uint32_t whole = part[0][i];
                for (uint32_t k = 0; k < l->count; k++)
                    part[k][i] = tsr_ll_take_every(e, whole, r.lanes * r.group, k, r.group, r.lanes, type);
            }
        }
    }
    for (uint32_t c = 0; c < l->count; c++)
        names[c] = tsr_ll_join_parts(e, part[c], count, r.lanes, memory_type(run_kind(&r, l, c)));
}

/* Some of it is out of range: the host loads what is not. */
static void load_cold(tsr_ll *e, const tsr_ll_place *p, const tsr_ll_leaves *l, runs r, tsr_ll_word *words)
{
    for (uint32_t i = 0; i < l->count; i++) {
        tsr_ll_call_lanes(e, (tsr_lanes_call){.op = TSR_OP_load,
                                              .bytes = l->list[i].size,
                                              .place = p,
                                              .base = tsr_ll_place_base(e, p, l->list[i].byte),
                                              .flags = i ? TSR_LANES_SILENT : 0,
                                              .is_cold = true});
        words[i] = tsr_ll_take_lanes(e, TSR_LANES_VALUES, run_kind(&r, l, i));
    }
}

/* Where whole vectors may be accessed: all of it is in range and, where that matters, all lanes are here. */
static tsr_ll_word is_quick(tsr_ll *e, const tsr_ll_place *p, const runs *r)
{
    if (!r->all_only) return p->all;
    tsr_ll_word here = tsr_ll_all_here(e);
    return p->has_check ? tsr_ll_op2(e, "and", here, p->all) : here;
}

/* Each lane by itself. */
static void load_apart(tsr_ll *e, const tsr_ll_place *p, const tsr_ll_leaves *l, bool mixed, tsr_ll_word *words)
{
    tsr_ll_word safe = tsr_ll_safe_dyn(e, p); /* before the branch: all that is vectors then stands in this block */
    tsr_ll_check_oob(e, p);
    for (uint32_t i = 0; i < l->count; i++) {
        words[i] = load_scattered(e, p, &l->list[i], safe);
        if (mixed) words[i] = tsr_ll_to_bits(e, words[i]);
    }
}

/* ---- Under a mask: side by side, where some lanes are out of range but none that is active, as left of what
 * `if (i >= 3) { x = a[i - 3]; }` reads. */

static bool moves_by_mask(const tsr_ll *e, const tsr_ll_leaves *l, const runs *r)
{
    return e->o->cpu.masked_store && r->lanes == e->size && r->group == 1 && l->count == 1 && l->list[0].size == 4 &&
           !r->all_only;
}

/* Whether the way out of vectors goes by a mask first. Workgroup memory is where lanes read their neighbours' words,
 * step after step; a grid meets the end of a buffer once, and what hardly ever runs is not worth compiling. */
static bool leaves_by_mask(const tsr_ll *e, const tsr_ll_place *p, const tsr_ll_leaves *l, const runs *r)
{
    return !e->all && p->root == LL_ROOT_GROUP && moves_by_mask(e, l, r);
}

/* Goes to `some` where all active lanes are in range, else to `bad`. */
static void branch_on_active(tsr_ll *e, const tsr_ll_place *p, uint32_t some, uint32_t bad)
{
    tsr_ll_word out = tsr_ll_op2(e, "and", tsr_ll_mask(e), tsr_ll_not(e, tsr_ll_place_lanes(e, p)));
    tsr_ll_branch(e, tsr_ll_any(e, out), bad, some);
}

/* Where lane 0 would be, counted from the first active lane: offsets of lanes before it may be below zero, that is
 * large. */
static uint32_t masked_ptr(tsr_ll *e, const tsr_ll_place *p, const tsr_ll_leaf *leaf)
{
    uint32_t zeros = tsr_ll_new(e), lane = zeros, bits = tsr_ll_bits(e, tsr_ll_mask(e));
    char text[64];
    snprintf(text, sizeof text, "i%u @llvm.cttz.i%u(i%u, i1)", e->size, e->size, e->size);
    tsr_ll_declare(e, tsr_ll_keep(e, text));
    tsr_ll_line(e, "%%t%u = call i%u @llvm.cttz.i%u(i%u %%t%u, i1 false)", zeros, e->size, e->size, e->size, bits);
    if (e->size != 32) {
        lane = tsr_ll_new(e);
        tsr_ll_line(e, "%%t%u = %s i%u %%t%u to i32", lane, e->size < 32 ? "zext" : "trunc", e->size, zeros);
    }
    tsr_ll_word before = tsr_ll_op2(e, "mul", tsr_ll_uniform(e, LL_I, lane), tsr_ll_u32(e, leaf->size));
    tsr_ll_word first = tsr_ll_op2(e, "add", tsr_ll_lane(e, p->dyn, 0), before);
    uint32_t ptr = tsr_ll_offset_ptr(e, tsr_ll_place_base(e, p, leaf->byte), first);
    uint32_t wide = tsr_ll_new(e), back = tsr_ll_new(e), at = tsr_ll_new(e);
    tsr_ll_line(e, "%%t%u = zext i32 %s to i64", wide, tsr_ll_scalar(e, before));
    tsr_ll_line(e, "%%t%u = sub i64 0, %%t%u", back, wide);
    tsr_ll_line(e, "%%t%u = getelementptr i8, ptr %%t%u, i64 %%t%u", at, ptr, back);
    return at;
}

/* All lanes side by side, the active ones in range. */
static tsr_ll_word load_masked(tsr_ll *e, const tsr_ll_place *p, const tsr_ll_leaf *leaf)
{
    char text[160];
    const char *name = leaf->type == LL_F ? "f32" : "i32", *type = tsr_ll_type_name(e, memory_kind(leaf->type), true);
    uint32_t ptr = masked_ptr(e, p, leaf);
    snprintf(text, sizeof text, "%s @llvm.masked.load.v%u%s.p0(ptr, i32, <%u x i1>, %s)", type, e->size, name, e->size,
             type);
    tsr_ll_declare(e, tsr_ll_keep(e, text));
    const char *mask = tsr_ll_vector(e, tsr_ll_mask(e));
    tsr_ll_word w = tsr_ll_varied(e, memory_kind(leaf->type), tsr_ll_new(e));
    tsr_ll_line(e, "%%t%u = call %s @llvm.masked.load.v%u%s.p0(ptr %%t%u, i32 4, <%u x i1> %s, %s zeroinitializer)",
                w.name, type, e->size, name, ptr, e->size, mask, type);
    return w;
}

static tsr_ll_word load_some(tsr_ll *e, const tsr_ll_place *p, const tsr_ll_leaves *l, runs r, uint32_t join)
{
    uint32_t some = tsr_ll_new(e), bad = tsr_ll_new(e);
    tsr_ll_word host;
    branch_on_active(e, p, some, bad);
    tsr_ll_label(e, some);
    tsr_ll_word own = load_masked(e, p, &l->list[0]);
    tsr_ll_jump(e, join);
    tsr_ll_label(e, bad);
    load_cold(e, p, l, r, &host);
    tsr_ll_label(e, join);
    tsr_ll_word w = tsr_ll_varied(e, own.type, tsr_ll_new(e));
    tsr_ll_line(e, "%%t%u = phi %s [ %%t%u, %%b%u ], [ %%t%u, %%b%u ]", w.name, e->vector_name[w.type], own.name, some,
                host.name, bad);
    return w;
}

/* What `out` does where load_vectors cannot go its quick way; both meet at `end`. Returns the label it comes from. */
static uint32_t load_slowly(tsr_ll *e, const tsr_ll_place *p, const tsr_ll_leaves *l, runs r, bool woven, uint32_t out,
                            uint32_t end, tsr_ll_word *words)
{
    if (r.all_only) { /* as often as not, where lanes part */
        uint32_t from = tsr_ll_new(e);
        tsr_ll_label(e, out);
        load_apart(e, p, l, r.mixed, words);
        tsr_ll_label(e, from);
        tsr_ll_jump(e, end);
        return from;
    }
    tsr_ll_begin_cold(e, out);
    if (leaves_by_mask(e, p, l, &r)) {
        uint32_t join = tsr_ll_new(e);
        words[0] = load_some(e, p, l, r, join);
        tsr_ll_end_cold(e, end);
        return join;
    }
    load_cold(e, p, l, r, words);
    tsr_ll_value apart = {words, l->count, false};
    if (woven) memcpy(words, tsr_ll_weave(e, apart).words, l->count * sizeof *words);
    tsr_ll_end_cold(e, end);
    return out;
}

/* Side by side, where that is possible. */
static void load_vectors(tsr_ll *e, const tsr_ll_place *p, const tsr_ll_leaves *l, runs r, tsr_ll_value *v)
{
    uint32_t fast[LEAVES_QUICK], in = tsr_ll_new(e), out = tsr_ll_new(e), end = tsr_ll_new(e), from = 0;
    tsr_ll_word slow[LEAVES_QUICK];
    bool asks = p->has_check || r.all_only;
    if (asks) {
        tsr_ll_branch(e, is_quick(e, p, &r), in, out);
        tsr_ll_label(e, in);
    }
    if (v->woven)
        load_whole(e, p, l, fast);
    else
        load_runs(e, p, l, r, fast);
    if (asks) {
        tsr_ll_jump(e, end);
        from = load_slowly(e, p, l, r, v->woven, out, end, slow);
        tsr_ll_label(e, end);
    }
    for (uint32_t i = 0; i < l->count; i++) {
        tsr_ll_word w = tsr_ll_varied(e, run_kind(&r, l, i), fast[i]);
        if (asks) {
            w.name = tsr_ll_new(e);
            tsr_ll_line(e, "%%t%u = phi %s [ %%t%u, %%b%u ], [ %%t%u, %%b%u ]", w.name, e->vector_name[w.type], fast[i],
                        in, slow[i].name, from);
        }
        v->words[i] = w;
    }
    for (uint32_t i = 0; i < l->count; i++)
        v->words[i] = from_memory(e, v->words[i], l->list[i].type);
}

/* A value whose lanes differ in place. */
static void load_each(tsr_ll *e, const tsr_ll_place *p, const tsr_ll_leaves *l, bool whole, tsr_ll_value *v)
{
    runs r;
    if (l->count <= LEAVES_QUICK && find_runs(e, p, l, &r)) {
        v->woven = whole && r.whole;
        load_vectors(e, p, l, r, v);
        return;
    }
    load_apart(e, p, l, false, v->words);
    for (uint32_t i = 0; i < l->count; i++)
        v->words[i] = from_memory(e, v->words[i], l->list[i].type);
}

/* ---- Stores. */

/* The value of the last active lane: stores of several lanes to one place happen by ascending lane. */
static tsr_ll_word last_active(tsr_ll *e, tsr_ll_word w)
{
    if (w.form == LL_SAME) return w;
    if (e->all) return tsr_ll_lane(e, w, e->size - 1);
    uint32_t bits = tsr_ll_bits(e, tsr_ll_mask(e)), zeros = tsr_ll_new(e), lane = tsr_ll_new(e), safe = tsr_ll_new(e);
    char text[64];
    snprintf(text, sizeof text, "i%u @llvm.ctlz.i%u(i%u, i1)", e->size, e->size, e->size);
    tsr_ll_declare(e, tsr_ll_keep(e, text));
    const char *x = tsr_ll_vector(e, w);
    tsr_ll_line(e, "%%t%u = call i%u @llvm.ctlz.i%u(i%u %%t%u, i1 false)", zeros, e->size, e->size, e->size, bits);
    tsr_ll_line(e, "%%t%u = sub i%u %u, %%t%u", lane, e->size, e->size - 1, zeros);
    tsr_ll_line(e, "%%t%u = and i%u %%t%u, %u", safe, e->size, lane, e->size - 1);
    tsr_ll_word r = tsr_ll_uniform(e, w.type, tsr_ll_new(e));
    tsr_ll_line(e, "%%t%u = extractelement %s %s, i%u %%t%u", r.name, e->vector_name[w.type], x, e->size, safe);
    return r;
}

static void store_same(tsr_ll *e, const tsr_ll_place *p, const tsr_ll_leaves *l, const tsr_ll_value *v)
{
    uint32_t in = tsr_ll_new(e), out = tsr_ll_new(e), end = tsr_ll_new(e);
    if (p->has_check) {
        tsr_ll_branch(e, p->all, in, out);
        tsr_ll_label(e, in);
    }
    for (uint32_t i = 0; i < l->count; i++) {
        tsr_ll_word w = to_memory(e, last_active(e, v->words[i]));
        uint32_t ptr = tsr_ll_place_base(e, p, l->list[i].byte);
        if (p->has_dyn) ptr = tsr_ll_offset_ptr(e, ptr, p->dyn);
        tsr_ll_line(e, "store %s %s, ptr %%t%u, align %u", memory_type(l->list[i].type), tsr_ll_scalar(e, w), ptr,
                    l->list[i].size);
    }
    if (!p->has_check) return;
    tsr_ll_jump(e, end);
    tsr_ll_begin_cold(e, out);
    tsr_ll_call_lanes(e, (tsr_lanes_call){.op = TSR_OP_index, .place = p, .flags = TSR_LANES_NONE, .is_cold = true});
    tsr_ll_end_cold(e, end);
    tsr_ll_label(e, end);
}

/* Lane by lane: those that are active and in range. */
static void store_lanes(tsr_ll *e, const tsr_ll_place *p, const tsr_ll_leaves *l, const tsr_ll_value *v, bool is_cold)
{
    tsr_ll_value apart = tsr_ll_unweave(e, *v);
    for (uint32_t i = 0; i < l->count; i++) {
        tsr_ll_put_lanes(e, TSR_LANES_VALUES, to_memory(e, apart.words[i]));
        tsr_ll_call_lanes(e, (tsr_lanes_call){.op = TSR_OP_store,
                                              .bytes = l->list[i].size,
                                              .place = p,
                                              .base = tsr_ll_place_base(e, p, l->list[i].byte),
                                              .flags = i ? TSR_LANES_SILENT : 0,
                                              .is_cold = is_cold});
    }
}

/* One run as it lies. */
static void store_whole(tsr_ll *e, const tsr_ll_place *p, const tsr_ll_leaves *l, const tsr_ll_value *v)
{
    uint32_t ptr = run_ptr(e, p, tsr_ll_place_base(e, p, l->list[0].byte), 0), bytes = e->size * l->list[0].size;
    for (uint32_t i = 0; i < l->count; i++)
        tsr_ll_line(e, "store %s %%t%u, ptr %%t%u, align %u", e->vector_name[v->words[i].type], v->words[i].name,
                    i ? tsr_ll_address(e, ptr, (uint64_t)i * bytes) : ptr, l->list[0].size);
}

static void store_runs(tsr_ll *e, const tsr_ll_place *p, const tsr_ll_leaves *l, runs r, const tsr_ll_value *v)
{
    if (v->woven) {
        store_whole(e, p, l, v);
        return;
    }
    uint32_t count = e->size / r.lanes, base = tsr_ll_place_base(e, p, l->list[0].byte);
    const char *type = memory_type(run_kind(&r, l, 0));
    tsr_ll_word value[4];
    for (uint32_t c = 0; c < r.group; c++)
        value[c] = tsr_ll_to_vector(e, r.mixed ? tsr_ll_to_bits(e, v->words[c]) : to_memory(e, v->words[c]));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t part[4], ptr = run_ptr(e, p, base, i * r.lanes);
        for (uint32_t c = 0; c < r.group; c++)
            part[c] = tsr_ll_take_every(e, value[c].name, e->size, i * r.lanes, 1, r.lanes, type);
        uint32_t whole = tsr_ll_interleave(e, part, r.group, r.lanes, type);
        tsr_ll_line(e, "store <%u x %s> %%t%u, ptr %%t%u, align %u", r.lanes * r.group, type, whole, ptr,
                    l->list[0].size);
    }
}

/* All lanes side by side, some of them active. */
static void store_masked(tsr_ll *e, const tsr_ll_leaf *leaf, uint32_t ptr, tsr_ll_word w)
{
    char text[160];
    const char *name = leaf->type == LL_F ? "f32" : "i32", *type = tsr_ll_type_name(e, memory_kind(leaf->type), true);
    snprintf(text, sizeof text, "void @llvm.masked.store.v%u%s.p0(%s, ptr, i32, <%u x i1>)", e->size, name, type,
             e->size);
    tsr_ll_declare(e, tsr_ll_keep(e, text));
    const char *value = tsr_ll_vector(e, w), *mask = tsr_ll_vector(e, tsr_ll_mask(e));
    tsr_ll_line(e, "call void @llvm.masked.store.v%u%s.p0(%s %s, ptr %%t%u, i32 4, <%u x i1> %s)", e->size, name, type,
                value, ptr, e->size, mask);
}

/* Side by side where all of it is in range: whole vectors, or the active lanes. */
static void store_in_range(tsr_ll *e, const tsr_ll_place *p, const tsr_ll_leaves *l, const tsr_ll_value *v, runs r,
                           bool masked)
{
    uint32_t fast = tsr_ll_new(e), slow = tsr_ll_new(e), end = tsr_ll_new(e);
    if (p->has_check) {
        tsr_ll_branch(e, p->all, fast, slow);
        tsr_ll_label(e, fast);
    }
    if (masked)
        store_masked(e, &l->list[0], run_ptr(e, p, tsr_ll_place_base(e, p, l->list[0].byte), 0),
                     to_memory(e, v->words[0]));
    else
        store_runs(e, p, l, r, v);
    if (!p->has_check) return;
    tsr_ll_jump(e, end);
    tsr_ll_begin_cold(e, slow);
    if (leaves_by_mask(e, p, l, &r)) {
        uint32_t some = tsr_ll_new(e), bad = tsr_ll_new(e);
        branch_on_active(e, p, some, bad);
        tsr_ll_label(e, some);
        store_masked(e, &l->list[0], masked_ptr(e, p, &l->list[0]), to_memory(e, v->words[0]));
        tsr_ll_jump(e, end);
        tsr_ll_label(e, bad);
    }
    store_lanes(e, p, l, v, true);
    tsr_ll_end_cold(e, end);
    tsr_ll_label(e, end);
}

/* Under a mask that holds all lanes, as behind `if (i < count)`, whole vectors; else the active lanes. */
static void store_by_mask(tsr_ll *e, const tsr_ll_place *p, const tsr_ll_leaves *l, const tsr_ll_value *v, runs r,
                          bool masked)
{
    uint32_t whole = tsr_ll_new(e), some = tsr_ll_new(e), end = tsr_ll_new(e);
    tsr_ll_word every = tsr_ll_all_here(e);
    if (p->has_check) every = tsr_ll_op2(e, "and", every, p->all);
    tsr_ll_branch(e, every, whole, some);
    tsr_ll_label(e, whole);
    store_runs(e, p, l, r, v);
    tsr_ll_jump(e, end);
    tsr_ll_label(e, some);
    if (masked)
        store_in_range(e, p, l, v, r, true);
    else
        store_lanes(e, p, l, v, false);
    tsr_ll_label(e, end);
}

static void store_each(tsr_ll *e, const tsr_ll_place *p, const tsr_ll_leaves *l, const tsr_ll_value *v)
{
    runs r;
    if (l->count > LEAVES_QUICK || !find_runs(e, p, l, &r) || r.group != l->count) {
        store_lanes(e, p, l, v, false);
        return;
    }
    tsr_ll_value own = r.whole ? *v : tsr_ll_unweave(e, *v);
    v = &own;
    bool masked = moves_by_mask(e, l, &r);
    if (e->all || (masked && e->o->cpu.vector_bytes == MASKED_QUICK))
        store_in_range(e, p, l, v, r, !e->all);
    else
        store_by_mask(e, p, l, v, r, masked);
}

/* ---- Variables in memory. */

static tsr_ll_word lanes_offset(tsr_ll *e, tsr_ll_word words, uint32_t more)
{
    tsr_ll_word lane = tsr_ll_u32(e, 0);
    lane.form = LL_EVEN;
    lane.shape = (tsr_vshape){.run = e->shapes.full, .tz = 32, .known = true, .stride = 4, .max = e->size * 4};
    tsr_ll_word row = tsr_ll_mul_const(e, tsr_ll_add(e, words, tsr_ll_u32(e, more)), e->size * 4);
    return tsr_ll_to_vector(e, tsr_ll_add(e, row, lane));
}

static tsr_ll_word load_lanes_word(tsr_ll *e, const tsr_ll_place *p, uint32_t i, uint8_t type)
{
    tsr_ll_word w = tsr_ll_named(LL_I, p->is_same ? LL_SAME : LL_EACH, tsr_ll_new(e));
    w.shape = tsr_shape_any(&e->shapes);
    if (p->is_same) w.shape.run = e->shapes.full;
    uint32_t row = p->is_same ? 4 : e->size * 4;
    if (!p->has_dyn || p->dyn.form == LL_SAME) {
        uint32_t ptr = tsr_ll_address(e, p->base, (p->off + i) * row);
        if (p->has_dyn) ptr = tsr_ll_offset_ptr(e, ptr, tsr_ll_mul_const(e, tsr_ll_safe_dyn(e, p), row));
        tsr_ll_line(e, "%%t%u = load %s, ptr %%t%u, align 4", w.name, tsr_ll_type_name(e, LL_I, !p->is_same), ptr);
        if (p->has_check) w = tsr_ll_select(e, p->all, w, tsr_ll_u32(e, 0));
        return tsr_ll_from_bits(e, w, type);
    }
    tsr_ll_word dyn = tsr_ll_safe_dyn(e, p);
    tsr_ll_word off = p->is_same ? tsr_ll_to_vector(e, tsr_ll_mul_const(e, tsr_ll_add(e, dyn, tsr_ll_u32(e, i)), 4))
                                 : lanes_offset(e, dyn, i);
    w = tsr_ll_gather(e, tsr_ll_address(e, p->base, p->off * row), off, 4);
    if (p->has_check) w = tsr_ll_select(e, tsr_ll_place_lanes(e, p), w, tsr_ll_u32(e, 0));
    return tsr_ll_from_bits(e, w, type);
}

static void store_lanes_word(tsr_ll *e, const tsr_ll_place *p, uint32_t i, tsr_ll_word w)
{
    w = tsr_ll_to_bits(e, w);
    uint32_t row = p->is_same ? 4 : e->size * 4;
    if (p->is_same) w = tsr_ll_first_active(e, w);
    if (!p->has_dyn || p->dyn.form == LL_SAME) {
        uint32_t ptr = tsr_ll_address(e, p->base, (p->off + i) * row);
        if (p->has_dyn) ptr = tsr_ll_offset_ptr(e, ptr, tsr_ll_mul_const(e, tsr_ll_safe_dyn(e, p), row));
        const char *type = tsr_ll_type_name(e, LL_I, !p->is_same);
        tsr_ll_word old = tsr_ll_named(LL_I, p->is_same ? LL_SAME : LL_EACH, tsr_ll_new(e));
        old.shape = tsr_shape_any(&e->shapes);
        tsr_ll_line(e, "%%t%u = load %s, ptr %%t%u, align 4", old.name, type, ptr);
        if (p->has_check) w = tsr_ll_select(e, p->all, w, old);
        if (!e->all && !p->is_same && e->slots[p->var].here != e->here.number)
            w = tsr_ll_select(e, tsr_ll_mask(e), w, old);
        tsr_ll_line(e, "store %s %s, ptr %%t%u, align 4", type, p->is_same ? tsr_ll_scalar(e, w) : tsr_ll_vector(e, w),
                    ptr);
        return;
    }
    if (p->is_same) {
        tsr_ll_fail(e, "a store to different places of a uniform variable");
        return;
    }
    tsr_ll_put_lanes(e, TSR_LANES_VALUES, w);
    tsr_ll_call_lanes(e, (tsr_lanes_call){.op = TSR_OP_store,
                                          .bytes = 4,
                                          .place = p,
                                          .base = tsr_ll_address(e, p->base, p->off * row),
                                          .flags = TSR_LANES_SILENT,
                                          .has_offsets = true,
                                          .offsets = lanes_offset(e, p->dyn, i)});
}

/* ---- Values. */

tsr_ll_value tsr_ll_load_place(tsr_ll *e, const tsr_ll_place *p, tsr_type type, bool whole)
{
    const tsr_ll_leaves *l = tsr_ll_type_leaves(e, type);
    tsr_ll_value v = tsr_ll_make(e, l->count);
    if (e->failed) return v;
    bool same = !p->has_dyn || p->dyn.form == LL_SAME;
    if (p->root == LL_ROOT_LANES) tsr_ll_check_oob(e, p);
    if (p->root == LL_ROOT_WORDS)
        for (uint32_t i = 0; i < l->count; i++)
            v.words[i] = tsr_ll_load_slot(e, &e->slots[p->var], (uint32_t)p->off + i);
    else if (p->root == LL_ROOT_LANES)
        for (uint32_t i = 0; i < l->count; i++)
            v.words[i] = load_lanes_word(e, p, i, l->list[i].type);
    else if (same)
        load_same(e, p, l, &v);
    else
        load_each(e, p, l, whole, &v);
    return v;
}

void tsr_ll_store_place(tsr_ll *e, const tsr_ll_place *p, const tsr_ll_value *v, tsr_type type)
{
    const tsr_ll_leaves *l = tsr_ll_type_leaves(e, type);
    if (e->failed) return;
    bool same = !p->has_dyn || p->dyn.form == LL_SAME, shared = p->root == LL_ROOT_GROUP || p->root == LL_ROOT_BINDING;
    tsr_ll_value own = shared && !same ? *v : tsr_ll_unweave(e, *v);
    if (p->root == LL_ROOT_LANES) tsr_ll_check_oob(e, p);
    if (p->root == LL_ROOT_WORDS)
        for (uint32_t i = 0; i < l->count; i++)
            tsr_ll_store_slot(e, &e->slots[p->var], (uint32_t)p->off + i, own.words[i]);
    else if (p->root == LL_ROOT_LANES)
        for (uint32_t i = 0; i < l->count; i++)
            store_lanes_word(e, p, i, own.words[i]);
    else if (same)
        store_same(e, p, l, &own);
    else
        store_each(e, p, l, &own);
}

uint32_t tsr_ll_end_stretch(tsr_ll *e)
{
    uint32_t behind = tsr_ll_new(e);
    tsr_ll_line(e, "barrier label %%b%u", behind);
    e->open = false;
    tsr_ll_label(e, behind);
    return behind;
}

void tsr_ll_call_barrier(tsr_ll *e)
{
    if (!e->has_barriers) return;
    if (e->fission.is_on) {
        (void)tsr_ll_end_stretch(e);
        return;
    }
    uint32_t at = tsr_ll_new(e), function = tsr_ll_new(e);
    tsr_ll_line(e, "%%t%u = getelementptr i8, ptr %%frame, i64 %d", at, TSR_FRAME_BARRIER);
    tsr_ll_line(e, "%%t%u = load ptr, ptr %%t%u, align 8", function, at);
    tsr_ll_line(e, "call void %%t%u(ptr %%frame)", function);
}

static void emit_array_length(tsr_ll *e, tsr_id id)
{
    const tsr_ll_place *p = tsr_ll_place_of(e, tsr_ll_arg(e, id, 0));
    const tsr_type_info *t = tsr_type_get(e->types, p->pointee);
    if (e->failed || p->root != LL_ROOT_BINDING || t->stride == 0 || p->has_dyn) {
        tsr_ll_fail(e, "the length of something that is no array");
        return;
    }
    tsr_ll_value v = tsr_ll_make(e, 1);
    v.words[0] = t->size.value ? tsr_ll_u32(e, t->size.value) : tsr_ll_element_count(e, p, t->stride);
    tsr_ll_set(e, id, v);
}

static bool is_matrix(const tsr_ll *e, tsr_type type)
{
    return tsr_type_contains(e->types, type, TSR_T_smat);
}

static void emit_load(tsr_ll *e, tsr_id id)
{
    if (is_matrix(e, tsr_ll_inst(e, id)->type)) {
        tsr_ll_load_matrix(e, id);
        return;
    }
    const tsr_ll_place *p = tsr_ll_place_of(e, tsr_ll_arg(e, id, 0));
    if (e->failed) return;
    tsr_ll_note_copy(e, id, p);
    bool known = p->root == LL_ROOT_WORDS && e->known[p->var].is;
    tsr_ll_value v = known ? tsr_ll_make(e, 1) : tsr_ll_load_place(e, p, tsr_ll_inst(e, id)->type, !e->apart[id]);
    if (known) v.words[0] = tsr_ll_u32(e, e->known[p->var].bits);
    if (!e->failed) tsr_ll_set(e, id, v);
}

void tsr_ll_emit_memory(tsr_ll *e, tsr_id id)
{
    const tsr_inst *inst = tsr_ll_inst(e, id);
    switch (inst->op) {
    case TSR_OP_var: tsr_ll_emit_var(e, id); break;
    case TSR_OP_field: tsr_ll_emit_field(e, id); break;
    case TSR_OP_index: tsr_ll_emit_index(e, id); break;
    case TSR_OP_load: emit_load(e, id); break;
    case TSR_OP_store: {
        tsr_id value = tsr_ll_arg(e, id, 1);
        if (is_matrix(e, tsr_ll_inst(e, value)->type)) {
            tsr_ll_store_matrix(e, id);
            break;
        }
        const tsr_ll_place *p = tsr_ll_place_of(e, tsr_ll_arg(e, id, 0));
        tsr_ll_value v = tsr_ll_get_woven(e, value);
        if (!e->failed) tsr_ll_store_place(e, p, &v, tsr_ll_inst(e, value)->type);
        if (p->root == LL_ROOT_WORDS && e->known[p->var].is)
            e->known[p->var] = (tsr_ll_known){v.words[0].is_const, (uint32_t)v.words[0].bits};
        break;
    }
    case TSR_OP_load_uniform:
        tsr_ll_call_barrier(e);
        emit_load(e, id);
        tsr_ll_call_barrier(e);
        break;
    case TSR_OP_array_length: emit_array_length(e, id); break;
    case TSR_OP_barrier_workgroup:
    case TSR_OP_barrier_storage:
    case TSR_OP_barrier_texture: tsr_ll_call_barrier(e); break;
    default: break; /* barrier_subgroup: its lanes run together */
    }
}
