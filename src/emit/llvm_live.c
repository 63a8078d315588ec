/* What lives across barriers, found on the text of the function. */
#include "emit/llvm_fission.h"

#include <string.h>

#define BARRIERS_MAX    4096u
#define SETS_BYTES_MOST (UINT64_C(64) << 20)

/* ---- The region: what is run for each subgroup. */

static void mark_outside(tsr_fi *f, uint32_t block, uint32_t start)
{
    uint32_t *stack = TSR_NEW_ARRAY(f->e->arena, uint32_t, f->r.edge_count + 1), depth = 0;
    stack[depth++] = block;
    f->is_inside[block] = false;
    while (depth) {
        const tsr_lr_block *b = &f->r.block[stack[--depth]];
        for (uint32_t i = 0; i < b->edge_count; i++) {
            uint32_t to = f->r.edge[b->edge + i];
            if (to == start || !f->is_inside[to]) continue;
            f->is_inside[to] = false;
            stack[depth++] = to;
        }
    }
}

static uint32_t find_block(const tsr_fi *f, uint32_t label)
{
    return f->r.block_of[label] - 1;
}

static bool find_region(tsr_fi *f)
{
    const tsr_ll_fission *at = &f->e->fission;
    if (!f->r.block_of[tsr_lr_label(at->start)] || !f->r.block_of[tsr_lr_label(at->end)]) return false;
    uint32_t start = find_block(f, tsr_lr_label(at->start));
    for (uint32_t b = 0; b < f->r.block_count; b++)
        f->is_inside[b] = true;
    mark_outside(f, find_block(f, TSR_LR_START), start);
    mark_outside(f, find_block(f, TSR_LR_STOPPED), start);
    mark_outside(f, find_block(f, tsr_lr_label(at->end)), start);
    f->behind_barrier[f->barrier_count++] = start;
    f->behind[start] = 1;
    for (uint32_t b = 0; b < f->r.block_count; b++) {
        const tsr_lr_block *block = &f->r.block[b];
        if (!block->waits) continue;
        if (f->barrier_count == BARRIERS_MAX || !f->is_inside[b]) return false;
        uint32_t to = f->r.edge[block->edge];
        f->barrier_of[b] = f->barrier_count;
        f->behind[to] = f->barrier_count + 1;
        f->behind_barrier[f->barrier_count++] = to;
    }
    f->barrier_words = (f->barrier_count + 63) / 64;
    return f->is_inside[start];
}

/* ---- What may live across a barrier. */

static tsr_fi_item *add_item(tsr_fi *f, uint32_t name, tsr_fi_kind kind, tsr_str type)
{
    tsr_fi_item *i = &f->items[f->item_count];
    *i = (tsr_fi_item){.name = name, .kind = (uint8_t)kind, .type = type, .same = f->item_count++};
    i->bytes = tsr_lr_type_bytes(type);
    return i;
}

/* "  %t5 = alloca [704 x i8], align 64": the type. */
static tsr_str allocated(const tsr_lr_line *l)
{
    const char *s = strstr(l->text.s, "alloca ") + 7, *end = strchr(s, ',');
    return (tsr_str){s, (size_t)(end - s)};
}

static bool ends_with(const tsr_lr_line *l, const char *s)
{
    size_t len = strlen(s);
    return l->text.len >= len && memcmp(l->text.s + l->text.len - len, s, len) == 0;
}

/* "  %t58 = getelementptr i8, ptr %t56, i64 192": how far. */
static bool read_distance(const tsr_lr_line *l, uint64_t *bytes)
{
    const char *first = l->text.s, *s = first + l->text.len;
    uint64_t unit = 1;
    *bytes = 0;
    for (; s > first && s[-1] >= '0' && s[-1] <= '9'; unit *= 10)
        *bytes += unit * (uint64_t)(*--s - '0');
    return tsr_lr_is_op(l, "getelementptr") && unit > 1 && s - first > 6 && memcmp(s - 6, ", i64 ", 6) == 0;
}

static bool read_use_of_prologue(tsr_fi *f, const tsr_lr_line *l, uint32_t name)
{
    uint32_t of = f->leads_to[name];
    uint64_t bytes;
    if (!of) return true;
    if (tsr_lr_begins(l, "call void @llvm.memset")) {
        f->items[of - 1].begins_as_zeros = true;
        return true;
    }
    if (!l->def || !read_distance(l, &bytes)) return false;
    f->items[of - 1].kind = FI_MEMORY;
    f->leads_to[l->def] = of;
    f->more[l->def] = f->more[name] + bytes;
    return true;
}

/* The function's variables. */
static bool read_prologue(tsr_fi *f)
{
    const char *mask = f->e->vector_name[LL_B];
    add_item(f, f->r.mask, FI_VARIABLE, (tsr_str){mask, strlen(mask)});
    f->leads_to[f->r.mask] = f->item_count;
    for (uint32_t i = 0; i < f->r.prologue_end; i++) {
        const tsr_lr_line *l = &f->r.line[i];
        if (tsr_lr_is_op(l, "alloca") && !ends_with(l, TSR_LL_NOT_KEPT)) {
            tsr_str type = allocated(l);
            if (add_item(f, l->def, type.s[0] == '[' ? FI_MEMORY : FI_VARIABLE, type)->bytes == 0) return false;
            f->leads_to[l->def] = f->item_count;
        }
        for (uint32_t u = 0; u < l->use_count; u++)
            if (!read_use_of_prologue(f, l, f->r.use[l->use + u].name)) return false;
    }
    return true;
}

static bool is_load(const tsr_lr_line *l, const tsr_fi_item *it)
{
    if (!tsr_lr_is_op(l, "load") || l->use_count != 1) return false;
    const char *type = strstr(l->text.s, "load ") + 5;
    return strncmp(type, it->type.s, it->type.len) == 0 && type[it->type.len] == ',';
}

static bool is_store(const tsr_fi *f, const tsr_lr_line *l, const tsr_fi_item *it, uint32_t use)
{
    const tsr_lr_use *to = &f->r.use[l->use + use];
    if (!tsr_lr_begins(l, "store ") || use + 1 != l->use_count || to->at < 6) return false;
    const char *type = l->text.s + 8;
    return strncmp(type, it->type.s, it->type.len) == 0 && type[it->type.len] == ' ' &&
           memcmp(l->text.s + to->at - 6, ", ptr ", 6) == 0;
}

uint32_t tsr_fi_same(const tsr_fi *f, uint32_t i)
{
    while (f->items[i].same != i)
        i = f->items[i].same;
    return i;
}

/* What a pointer is made from: it leads to the same. Returns whether that was news. */
static bool follow_pointers(tsr_fi *f, const tsr_lr_line *l)
{
    bool is_news = false;
    if (!tsr_lr_is_op(l, "getelementptr") && !tsr_lr_is_op(l, "select") && !tsr_lr_is_op(l, "phi")) return false;
    for (uint32_t u = 0; u < l->use_count; u++) {
        uint32_t of = f->leads_to[f->r.use[l->use + u].name], own = f->leads_to[l->def];
        if (!of || f->items[of - 1].kind != FI_MEMORY) continue;
        if (own) {
            uint32_t a = tsr_fi_same(f, of - 1), b = tsr_fi_same(f, own - 1);
            is_news = is_news || a != b;
            f->items[a].same = b;
        } else {
            f->leads_to[l->def] = of;
            is_news = true;
        }
    }
    return is_news;
}

/* A variable is one as long as all that happens to it is that it is loaded and stored as a whole. */
static void find_memory(tsr_fi *f)
{
    for (uint32_t i = f->r.prologue_end; i < f->r.line_count; i++) {
        const tsr_lr_line *l = &f->r.line[i];
        for (uint32_t u = 0; u < l->use_count; u++) {
            uint32_t of = f->leads_to[f->r.use[l->use + u].name];
            tsr_fi_item *it = of ? &f->items[of - 1] : NULL;
            if (it && it->kind == FI_VARIABLE && !is_load(l, it) && !is_store(f, l, it, u)) it->kind = FI_MEMORY;
        }
    }
    bool again = true;
    while (again) {
        again = false;
        for (uint32_t i = f->r.prologue_end; i < f->r.line_count; i++)
            again = follow_pointers(f, &f->r.line[i]) || again;
    }
}

/* Where a use wants its value: for a phi, at the end of the block that it comes from. */
static uint32_t place_of_use(const tsr_fi *f, const tsr_lr_line *l, uint32_t use, uint32_t block)
{
    return l->is_phi ? f->r.use[l->use + use].from : block;
}

/* What is used in other blocks than its own. Nothing of the region is used outside. */
static bool find_values(tsr_fi *f)
{
    for (uint32_t b = 0; b < f->r.block_count; b++)
        for (uint32_t i = f->r.block[b].line; f->is_inside[b] && i < f->r.block[b].end; i++)
            if (f->r.line[i].def) {
                f->defined_in[f->r.line[i].def] = b + 1;
                f->defined_at[f->r.line[i].def] = i;
            }
    for (uint32_t b = 0; b < f->r.block_count; b++) {
        for (uint32_t i = f->r.block[b].line; i < f->r.block[b].end; i++) {
            const tsr_lr_line *l = &f->r.line[i];
            for (uint32_t u = 0; u < l->use_count; u++) {
                uint32_t name = f->r.use[l->use + u].name, in = f->defined_in[name];
                if (!f->is_inside[b] && (in || f->leads_to[name])) return false;
                if (!in || f->value_of[name] || in == place_of_use(f, l, u, b) + 1) continue;
                add_item(f, 0, FI_VALUE, tsr_lr_type(&f->r, &f->r.line[f->defined_at[name]]));
                f->value_of[name] = f->item_count;
            }
        }
    }
    return true;
}

/* ---- What is wanted where. */

static void note_use(tsr_fi *f, uint32_t block, uint32_t i)
{
    if (!tsr_fi_has(tsr_fi_set(f->def, f->set_words, block), i)) tsr_fi_put(tsr_fi_set(f->use, f->set_words, block), i);
}

/* A variable, a matrix or an array begins with a value, and what makes it stands before all that uses it: where the
 * text names memory first, nothing that it held before is wanted. */
static void note_pointer(tsr_fi *f, const tsr_lr_line *l, uint32_t use, uint32_t block, bool *was_seen)
{
    uint32_t i = f->leads_to[f->r.use[l->use + use].name];
    if (!i) return;
    i = tsr_fi_same(f, i - 1);
    if (f->items[i].kind == FI_VARIABLE && !is_load(l, &f->items[i]))
        tsr_fi_put(tsr_fi_set(f->def, f->set_words, block), i);
    else if (f->items[i].kind == FI_MEMORY && !was_seen[i] && !l->is_phi && !f->items[i].begins_as_zeros)
        tsr_fi_put(tsr_fi_set(f->def, f->set_words, block), i);
    else
        note_use(f, place_of_use(f, l, use, block), i);
    was_seen[i] = true;
}

static void note_uses(tsr_fi *f, const tsr_lr_line *l, uint32_t block, bool *was_seen, bool of_phis)
{
    for (uint32_t u = 0; u < l->use_count && l->is_phi == of_phis; u++) {
        uint32_t value = f->value_of[f->r.use[l->use + u].name];
        if (value) note_use(f, place_of_use(f, l, u, block), value - 1);
        note_pointer(f, l, u, block, was_seen);
    }
    if (l->def && f->value_of[l->def] && !l->is_phi) /* phis' stand before all else: find_uses */
        tsr_fi_put(tsr_fi_set(f->def, f->set_words, block), f->value_of[l->def] - 1);
}

/* Uses of phis stand behind all that their blocks set. */
static void find_uses(tsr_fi *f)
{
    bool *was_seen = TSR_NEW_ARRAY(f->e->arena, bool, f->item_count);
    for (uint32_t i = 0; i < f->item_count; i++)
        if (f->items[i].begins_as_zeros) f->items[tsr_fi_same(f, i)].begins_as_zeros = true;
    for (uint32_t b = 0; b < f->r.block_count; b++)
        for (uint32_t i = f->r.block[b].line; f->is_inside[b] && i < f->r.block[b].end; i++)
            if (f->r.line[i].is_phi && f->r.line[i].def && f->value_of[f->r.line[i].def])
                tsr_fi_put(tsr_fi_set(f->def, f->set_words, b), f->value_of[f->r.line[i].def] - 1);
    for (uint32_t b = 0; b < f->r.block_count; b++)
        for (uint32_t i = f->r.block[b].line; f->is_inside[b] && i < f->r.block[b].end; i++)
            note_uses(f, &f->r.line[i], b, was_seen, false);
    for (uint32_t b = 0; b < f->r.block_count; b++)
        for (uint32_t i = f->r.block[b].line; f->is_inside[b] && i < f->r.block[b].end; i++)
            note_uses(f, &f->r.line[i], b, was_seen, true);
}

static bool find_live_in(tsr_fi *f, uint32_t b)
{
    uint64_t *live = tsr_fi_set(f->live, f->set_words, b);
    const uint64_t *use = tsr_fi_set(f->use, f->set_words, b), *def = tsr_fi_set(f->def, f->set_words, b);
    bool changed = false;
    for (uint32_t w = 0; w < f->set_words; w++) {
        uint64_t out = 0;
        for (uint32_t k = 0; k < f->r.block[b].edge_count; k++)
            out |= tsr_fi_set(f->live, f->set_words, f->r.edge[f->r.block[b].edge + k])[w];
        uint64_t in = use[w] | (out & ~def[w]);
        changed = changed || in != live[w];
        live[w] = in;
    }
    return changed;
}

/* Behind a barrier nothing is set yet. */
static bool pass_barrier(tsr_fi *f, uint32_t b)
{
    const uint64_t *before = tsr_fi_set(f->last, f->barrier_words, b);
    uint64_t *last = tsr_fi_set(f->last, f->barrier_words, f->behind_barrier[f->barrier_of[b]]);
    if (tsr_fi_count(before, f->barrier_words) == 0 || tsr_fi_has(last, f->barrier_of[b])) return false;
    tsr_fi_put(last, f->barrier_of[b]);
    return true;
}

/* Adds to a block behind this one what was set, and which barriers were passed last. Returns whether that was news. */
static bool pass_on(tsr_fi *f, uint32_t b, uint32_t to)
{
    if (f->r.block[b].waits) return pass_barrier(f, b);
    uint64_t *dirty = tsr_fi_set(f->dirty, f->set_words, to), *last = tsr_fi_set(f->last, f->barrier_words, to);
    bool changed = false;
    for (uint32_t w = 0; w < f->set_words; w++) {
        uint64_t out = tsr_fi_set(f->dirty, f->set_words, b)[w] | tsr_fi_set(f->def, f->set_words, to)[w];
        changed = changed || (out & ~dirty[w]);
        dirty[w] |= out;
    }
    for (uint32_t w = 0; w < f->barrier_words; w++) {
        uint64_t out = tsr_fi_set(f->last, f->barrier_words, b)[w];
        changed = changed || (out & ~last[w]);
        last[w] |= out;
    }
    return changed;
}

static void find_live(tsr_fi *f)
{
    bool again = true;
    while (again) {
        again = false;
        for (uint32_t b = f->r.block_count; b-- > 0;)
            again = (f->is_inside[b] && find_live_in(f, b)) || again;
    }
    for (uint32_t k = 1; k < f->barrier_count; k++)
        for (uint32_t w = 0; w < f->set_words; w++)
            f->crossing[w] |= tsr_fi_set(f->live, f->set_words, f->behind_barrier[k])[w];
    /* What is set in a block is set at its end. */
    memcpy(f->dirty, f->def, (size_t)f->set_words * f->r.block_count * sizeof *f->dirty);
    tsr_fi_put(tsr_fi_set(f->last, f->barrier_words, f->behind_barrier[0]), 0);
    again = true;
    while (again) {
        again = false;
        for (uint32_t b = 0; b < f->r.block_count; b++)
            for (uint32_t i = 0; f->is_inside[b] && i < f->r.block[b].edge_count; i++)
                again = pass_on(f, b, f->r.edge[f->r.block[b].edge + i]) || again;
    }
}

/* ---- The whole. */

static void make_tables(tsr_fi *f)
{
    tsr_arena *a = f->e->arena;
    uint32_t names = f->r.name_count, blocks = f->r.block_count;
    f->items = TSR_NEW_ARRAY(a, tsr_fi_item, names + 1);
    f->value_of = TSR_NEW_ARRAY(a, uint32_t, names);
    f->leads_to = TSR_NEW_ARRAY(a, uint32_t, names);
    f->more = TSR_NEW_ARRAY(a, uint64_t, names);
    f->defined_in = TSR_NEW_ARRAY(a, uint32_t, names);
    f->defined_at = TSR_NEW_ARRAY(a, uint32_t, names);
    f->written_in = TSR_NEW_ARRAY(a, uint32_t, names);
    f->written_as = TSR_NEW_ARRAY(a, uint32_t, names);
    f->is_inside = TSR_NEW_ARRAY(a, bool, blocks);
    f->behind = TSR_NEW_ARRAY(a, uint32_t, blocks);
    f->barrier_of = TSR_NEW_ARRAY(a, uint32_t, blocks);
    f->behind_barrier = TSR_NEW_ARRAY(a, uint32_t, BARRIERS_MAX);
    f->tail = TSR_NEW_ARRAY(a, uint32_t, blocks);
    f->tail_next = TSR_NEW_ARRAY(a, uint32_t, f->r.use_count + 1);
}

static bool make_sets(tsr_fi *f)
{
    tsr_arena *a = f->e->arena;
    f->set_words = (f->item_count + 63) / 64;
    size_t count = (size_t)f->set_words * f->r.block_count, barriers = (size_t)f->barrier_words * f->r.block_count;
    if ((count * 4 + barriers) * 8 > SETS_BYTES_MOST) return false;
    f->use = TSR_NEW_ARRAY(a, uint64_t, count);
    f->def = TSR_NEW_ARRAY(a, uint64_t, count);
    f->live = TSR_NEW_ARRAY(a, uint64_t, count);
    f->dirty = TSR_NEW_ARRAY(a, uint64_t, count);
    f->last = TSR_NEW_ARRAY(a, uint64_t, barriers);
    f->crossing = TSR_NEW_ARRAY(a, uint64_t, f->set_words);
    return true;
}

bool tsr_fi_find(tsr_fi *f)
{
    tsr_ll *e = f->e;
    if (!tsr_lr_read(&f->r, e->arena, tsr_ll_new(e), &e->prologue, &e->body, &e->cold)) return false;
    make_tables(f);
    if (!find_region(f) || !read_prologue(f)) return false;
    find_memory(f);
    if (!find_values(f) || !make_sets(f)) return false;
    find_uses(f);
    find_live(f);
    return true;
}
