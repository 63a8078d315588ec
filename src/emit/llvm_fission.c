/* Fission at barriers.
 *
 * Barriers stand in uniform flow: all subgroups of a workgroup come to the same one. So the code between two barriers
 * is run for one subgroup after the other, and nobody needs a stack of its own. A barrier goes back to where its
 * stretch began, behind the barrier that control passed last, until all subgroups are here; then the first one goes on.
 * What a subgroup holds meanwhile lies in memory, a record for each:
 *
 *   - values and variables that are used behind a barrier are stored to the record in front of it, if they were set
 *     since the one before, and loaded behind it; in between they are variables of LLVM's, which become registers;
 *   - memory (matrices, arrays) whose contents are used behind a barrier lies in the record.
 *
 * This works on the text of the function, where all that lives across a barrier has a name, whatever it came from. */
#include "emit/llvm_inside.h"

#include "emit/llvm_read.h"

#include <stdio.h>
#include <string.h>

#define ALIGN           64u
#define BARRIERS_MAX    4096u
#define SETS_BYTES_MOST (UINT64_C(64) << 20)

/* What may live across a barrier. */
typedef enum item_kind { VALUE, VARIABLE, MEMORY } item_kind;

typedef struct item {
    uint32_t name; /* of the variable that holds it: its own, or one made for a value; 0: a value that has none */
    uint8_t kind;
    bool is_kept;         /* MEMORY: it lies in the record */
    bool begins_as_zeros; /* once, before all workgroups */
    tsr_str type;
    uint32_t bytes;
    uint32_t same;   /* MEMORY: pointers may lead to either: the other item's index, or its own */
    uint64_t offset; /* in the record */
} item;

typedef struct barrier {
    uint32_t from, to; /* blocks; of the first one, which is the region's start, only `to` */
} barrier;

typedef struct fission {
    tsr_ll *e;
    tsr_lr r;
    tsr_text out, prologue;
    item *items;
    uint32_t item_count, set_words, barrier_count, barrier_words;
    uint32_t *value_of; /* by name: 1 + the item that is this value */
    uint32_t *leads_to; /* by name: 1 + the item that is this variable or memory; for pointers into memory too */
    uint64_t *more;     /* by name, for those of the prologue: bytes into the item */
    uint32_t *defined_in, *defined_at; /* by name: 1 + the block; the line */
    uint32_t *written_in, *written_as; /* by name: 1 + the block where it was last loaded or addressed; %tN */
    bool *is_inside;                   /* by block */
    uint32_t *behind;                  /* by block: 1 + the barrier that it stands behind */
    uint32_t *barrier_of;              /* by block: the barrier that it ends with */
    uint64_t *use, *def;               /* by block, sets of items: used before they are set; set */
    uint64_t *live, *dirty;            /* by block: wanted at its start; set since the last barrier, at its end */
    uint64_t *last;                    /* by block, sets of barriers: passed last, at its start */
    uint64_t *crossing;                /* the items that live across some barrier */
    barrier *barriers;
    uint32_t *tail, *tail_next; /* by block, by use: 1 + a phi's use that is loaded at the block's end */
    bool zeroes;                /* the records begin as zeros */
    uint64_t record_bytes;
    uint32_t records, record, passed; /* %tN: the array; the variables that hold this subgroup's and the last barrier */
} fission;

/* ---- Sets. */

static bool has(const uint64_t *set, uint32_t i)
{
    return set[i / 64] >> (i % 64) & 1;
}

static void put(uint64_t *set, uint32_t i)
{
    set[i / 64] |= UINT64_C(1) << (i % 64);
}

static uint64_t *set_at(uint64_t *sets, uint32_t words, uint32_t block)
{
    return sets + (size_t)words * block;
}

static uint32_t count_set(const uint64_t *set, uint32_t words)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < words; i++)
        n += (uint32_t)__builtin_popcountll(set[i]);
    return n;
}

/* ---- The region: what is run for each subgroup. */

static void mark_outside(fission *f, uint32_t block, uint32_t start)
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

static uint32_t find_block(const fission *f, uint32_t label)
{
    return f->r.block_of[label] - 1;
}

static bool find_region(fission *f)
{
    const tsr_ll_fission *at = &f->e->fission;
    if (!f->r.block_of[tsr_lr_label(at->start)] || !f->r.block_of[tsr_lr_label(at->end)]) return false;
    uint32_t start = find_block(f, tsr_lr_label(at->start));
    for (uint32_t b = 0; b < f->r.block_count; b++)
        f->is_inside[b] = true;
    mark_outside(f, find_block(f, TSR_LR_START), start);
    mark_outside(f, find_block(f, TSR_LR_STOPPED), start);
    mark_outside(f, find_block(f, tsr_lr_label(at->end)), start);
    f->barriers[f->barrier_count++] = (barrier){start, start};
    f->behind[start] = 1;
    for (uint32_t b = 0; b < f->r.block_count; b++) {
        const tsr_lr_block *block = &f->r.block[b];
        if (!block->waits) continue;
        if (f->barrier_count == BARRIERS_MAX || !f->is_inside[b]) return false;
        uint32_t to = f->r.edge[block->edge];
        f->barrier_of[b] = f->barrier_count;
        f->behind[to] = f->barrier_count + 1;
        f->barriers[f->barrier_count++] = (barrier){b, to};
    }
    f->barrier_words = (f->barrier_count + 63) / 64;
    return f->is_inside[start];
}

/* ---- What may live across a barrier. */

static item *add_item(fission *f, uint32_t name, item_kind kind, tsr_str type)
{
    item *i = &f->items[f->item_count];
    *i = (item){.name = name, .kind = (uint8_t)kind, .type = type, .same = f->item_count++};
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

static bool read_use_of_prologue(fission *f, const tsr_lr_line *l, uint32_t name)
{
    uint32_t of = f->leads_to[name];
    uint64_t bytes;
    if (!of) return true;
    if (tsr_lr_begins(l, "call void @llvm.memset")) {
        f->items[of - 1].begins_as_zeros = true;
        return true;
    }
    if (!l->def || !read_distance(l, &bytes)) return false;
    f->items[of - 1].kind = MEMORY;
    f->leads_to[l->def] = of;
    f->more[l->def] = f->more[name] + bytes;
    return true;
}

/* The function's variables. */
static bool read_prologue(fission *f)
{
    const char *mask = f->e->vector_name[LL_B];
    add_item(f, f->r.mask, VARIABLE, (tsr_str){mask, strlen(mask)});
    f->leads_to[f->r.mask] = f->item_count;
    for (uint32_t i = 0; i < f->r.prologue_end; i++) {
        const tsr_lr_line *l = &f->r.line[i];
        if (tsr_lr_is_op(l, "alloca") && !ends_with(l, TSR_LL_NOT_KEPT)) {
            tsr_str type = allocated(l);
            if (add_item(f, l->def, type.s[0] == '[' ? MEMORY : VARIABLE, type)->bytes == 0) return false;
            f->leads_to[l->def] = f->item_count;
        }
        for (uint32_t u = 0; u < l->use_count; u++)
            if (!read_use_of_prologue(f, l, f->r.use[l->use + u].name)) return false;
    }
    return true;
}

static bool is_load(const tsr_lr_line *l, const item *it)
{
    if (!tsr_lr_is_op(l, "load") || l->use_count != 1) return false;
    const char *type = strstr(l->text.s, "load ") + 5;
    return strncmp(type, it->type.s, it->type.len) == 0 && type[it->type.len] == ',';
}

static bool is_store(const fission *f, const tsr_lr_line *l, const item *it, uint32_t use)
{
    const tsr_lr_use *to = &f->r.use[l->use + use];
    if (!tsr_lr_begins(l, "store ") || use + 1 != l->use_count || to->at < 6) return false;
    const char *type = l->text.s + 8;
    return strncmp(type, it->type.s, it->type.len) == 0 && type[it->type.len] == ' ' &&
           memcmp(l->text.s + to->at - 6, ", ptr ", 6) == 0;
}

static uint32_t find_same(const fission *f, uint32_t i)
{
    while (f->items[i].same != i)
        i = f->items[i].same;
    return i;
}

/* What a pointer is made from: it leads to the same. Returns whether that was news. */
static bool follow_pointers(fission *f, const tsr_lr_line *l)
{
    bool is_news = false;
    if (!tsr_lr_is_op(l, "getelementptr") && !tsr_lr_is_op(l, "select") && !tsr_lr_is_op(l, "phi")) return false;
    for (uint32_t u = 0; u < l->use_count; u++) {
        uint32_t of = f->leads_to[f->r.use[l->use + u].name], own = f->leads_to[l->def];
        if (!of || f->items[of - 1].kind != MEMORY) continue;
        if (own) {
            uint32_t a = find_same(f, of - 1), b = find_same(f, own - 1);
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
static void find_memory(fission *f)
{
    for (uint32_t i = f->r.prologue_end; i < f->r.line_count; i++) {
        const tsr_lr_line *l = &f->r.line[i];
        for (uint32_t u = 0; u < l->use_count; u++) {
            uint32_t of = f->leads_to[f->r.use[l->use + u].name];
            item *it = of ? &f->items[of - 1] : NULL;
            if (it && it->kind == VARIABLE && !is_load(l, it) && !is_store(f, l, it, u)) it->kind = MEMORY;
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
static uint32_t place_of_use(const fission *f, const tsr_lr_line *l, uint32_t use, uint32_t block)
{
    return l->is_phi ? f->r.use[l->use + use].from : block;
}

/* What is used in other blocks than its own. Nothing of the region is used outside. */
static bool find_values(fission *f)
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
                add_item(f, 0, VALUE, tsr_lr_type(&f->r, &f->r.line[f->defined_at[name]]));
                f->value_of[name] = f->item_count;
            }
        }
    }
    return true;
}

/* ---- What is wanted where. */

static void note_use(fission *f, uint32_t block, uint32_t i)
{
    if (!has(set_at(f->def, f->set_words, block), i)) put(set_at(f->use, f->set_words, block), i);
}

/* A variable, a matrix or an array begins with a value, and what makes it stands before all that uses it: where the
 * text names memory first, nothing that it held before is wanted. */
static void note_pointer(fission *f, const tsr_lr_line *l, uint32_t use, uint32_t block, bool *was_seen)
{
    uint32_t i = f->leads_to[f->r.use[l->use + use].name];
    if (!i) return;
    i = find_same(f, i - 1);
    if (f->items[i].kind == VARIABLE && !is_load(l, &f->items[i]))
        put(set_at(f->def, f->set_words, block), i);
    else if (f->items[i].kind == MEMORY && !was_seen[i] && !l->is_phi && !f->items[i].begins_as_zeros)
        put(set_at(f->def, f->set_words, block), i);
    else
        note_use(f, place_of_use(f, l, use, block), i);
    was_seen[i] = true;
}

static void note_uses(fission *f, const tsr_lr_line *l, uint32_t block, bool *was_seen, bool of_phis)
{
    for (uint32_t u = 0; u < l->use_count && l->is_phi == of_phis; u++) {
        uint32_t value = f->value_of[f->r.use[l->use + u].name];
        if (value) note_use(f, place_of_use(f, l, u, block), value - 1);
        note_pointer(f, l, u, block, was_seen);
    }
    if (l->def && f->value_of[l->def] && l->is_phi == of_phis)
        put(set_at(f->def, f->set_words, block), f->value_of[l->def] - 1);
}

/* Uses of phis stand behind all that their blocks set. */
static void find_uses(fission *f)
{
    bool *was_seen = TSR_NEW_ARRAY(f->e->arena, bool, f->item_count);
    for (uint32_t i = 0; i < f->item_count; i++)
        if (f->items[i].begins_as_zeros) f->items[find_same(f, i)].begins_as_zeros = true;
    for (uint32_t b = 0; b < f->r.block_count; b++)
        for (uint32_t i = f->r.block[b].line; f->is_inside[b] && i < f->r.block[b].end; i++)
            if (f->r.line[i].is_phi && f->r.line[i].def && f->value_of[f->r.line[i].def])
                put(set_at(f->def, f->set_words, b), f->value_of[f->r.line[i].def] - 1);
    for (uint32_t b = 0; b < f->r.block_count; b++)
        for (uint32_t i = f->r.block[b].line; f->is_inside[b] && i < f->r.block[b].end; i++)
            note_uses(f, &f->r.line[i], b, was_seen, false);
    for (uint32_t b = 0; b < f->r.block_count; b++)
        for (uint32_t i = f->r.block[b].line; f->is_inside[b] && i < f->r.block[b].end; i++)
            note_uses(f, &f->r.line[i], b, was_seen, true);
}

static bool find_live_in(fission *f, uint32_t b)
{
    uint64_t *live = set_at(f->live, f->set_words, b);
    const uint64_t *use = set_at(f->use, f->set_words, b), *def = set_at(f->def, f->set_words, b);
    bool changed = false;
    for (uint32_t w = 0; w < f->set_words; w++) {
        uint64_t out = 0;
        for (uint32_t k = 0; k < f->r.block[b].edge_count; k++)
            out |= set_at(f->live, f->set_words, f->r.edge[f->r.block[b].edge + k])[w];
        uint64_t in = use[w] | (out & ~def[w]);
        changed = changed || in != live[w];
        live[w] = in;
    }
    return changed;
}

/* Behind a barrier nothing is set yet. */
static bool pass_barrier(fission *f, uint32_t b)
{
    const uint64_t *before = set_at(f->last, f->barrier_words, b);
    uint64_t *last = set_at(f->last, f->barrier_words, f->barriers[f->barrier_of[b]].to);
    if (count_set(before, f->barrier_words) == 0 || has(last, f->barrier_of[b])) return false;
    put(last, f->barrier_of[b]);
    return true;
}

/* Adds to a block behind this one what was set, and which barriers were passed last. Returns whether that was news. */
static bool pass_on(fission *f, uint32_t b, uint32_t to)
{
    if (f->r.block[b].waits) return pass_barrier(f, b);
    uint64_t *dirty = set_at(f->dirty, f->set_words, to), *last = set_at(f->last, f->barrier_words, to);
    bool changed = false;
    for (uint32_t w = 0; w < f->set_words; w++) {
        uint64_t out = set_at(f->dirty, f->set_words, b)[w] | set_at(f->def, f->set_words, to)[w];
        changed = changed || (out & ~dirty[w]);
        dirty[w] |= out;
    }
    for (uint32_t w = 0; w < f->barrier_words; w++) {
        uint64_t out = set_at(f->last, f->barrier_words, b)[w];
        changed = changed || (out & ~last[w]);
        last[w] |= out;
    }
    return changed;
}

static void find_live(fission *f)
{
    bool again = true;
    while (again) {
        again = false;
        for (uint32_t b = f->r.block_count; b-- > 0;)
            again = (f->is_inside[b] && find_live_in(f, b)) || again;
    }
    for (uint32_t k = 1; k < f->barrier_count; k++)
        for (uint32_t w = 0; w < f->set_words; w++)
            f->crossing[w] |= set_at(f->live, f->set_words, f->barriers[k].to)[w];
    /* What is set in a block is set at its end. */
    memcpy(f->dirty, f->def, (size_t)f->set_words * f->r.block_count * sizeof *f->dirty);
    put(set_at(f->last, f->barrier_words, f->barriers[0].to), 0);
    again = true;
    while (again) {
        again = false;
        for (uint32_t b = 0; b < f->r.block_count; b++)
            for (uint32_t i = 0; f->is_inside[b] && i < f->r.block[b].edge_count; i++)
                again = pass_on(f, b, f->r.edge[f->r.block[b].edge + i]) || again;
    }
}

/* ---- Records. */

static bool is_crossing(const fission *f, uint32_t i)
{
    return has(f->crossing, find_same(f, i));
}

static tsr_str stored_type(fission *f, const item *it)
{
    char buf[48];
    if (it->type.s[0] != '<' || !strstr(tsr_arena_strndup(f->e->arena, it->type.s, it->type.len), "x i1>"))
        return it->type;
    int n = snprintf(buf, sizeof buf, "<%u x i8>", it->bytes); /* bits would have to be packed */
    return (tsr_str){tsr_arena_strndup(f->e->arena, buf, (size_t)n), (size_t)n};
}

static bool make_records(fission *f)
{
    for (uint32_t i = 0; i < f->item_count; i++) {
        item *it = &f->items[i];
        if (!is_crossing(f, i)) continue;
        if (it->bytes == 0) return false;
        uint64_t align = it->bytes < ALIGN ? 8 : ALIGN;
        it->offset = (f->record_bytes + align - 1) / align * align;
        f->record_bytes = it->offset + it->bytes;
        it->is_kept = it->kind == MEMORY;
        f->zeroes = f->zeroes || (it->is_kept && it->begins_as_zeros);
        if (it->kind != VALUE) continue;
        it->name = tsr_ll_new(f->e);
        tsr_text_printf(&f->prologue, "  %%t%u = alloca %.*s, align %u\n", it->name, (int)it->type.len, it->type.s,
                        (unsigned)align);
        f->e->stack_bytes += it->bytes + ALIGN;
    }
    f->record_bytes = (f->record_bytes + ALIGN - 1) / ALIGN * ALIGN;
    uint64_t bytes = f->record_bytes * f->e->subgroups;
    if (bytes + f->e->stack_bytes > TSR_LL_STACK_MOST) return false;
    f->e->stack_bytes += (uint32_t)bytes + ALIGN;
    f->records = tsr_ll_new(f->e);
    f->record = tsr_ll_new(f->e);
    f->passed = tsr_ll_new(f->e);
    tsr_text_printf(&f->prologue,
                    "  %%t%u = alloca [%llu x i8], align %u\n  %%t%u = alloca ptr, align 8\n"
                    "  %%t%u = alloca i32, align 4\n",
                    f->records, (unsigned long long)bytes, ALIGN, f->record, f->passed);
    if (f->zeroes)
        tsr_text_printf(&f->prologue, "  call void @llvm.memset.p0.i64(ptr align %u %%t%u, i8 0, i64 %llu, i1 false)\n",
                        ALIGN, f->records, (unsigned long long)bytes);
    return true;
}

/* The prologue without what lies in records. */
static void write_prologue(fission *f)
{
    for (uint32_t i = 0; i < f->r.prologue_end; i++) {
        const tsr_lr_line *l = &f->r.line[i];
        uint32_t of = l->def ? f->leads_to[l->def] : l->use_count ? f->leads_to[f->r.use[l->use].name] : 0;
        if (of && f->items[of - 1].is_kept) continue;
        tsr_text_add(&f->prologue, l->text.s, l->text.len);
        tsr_text_puts(&f->prologue, "\n");
    }
}

/* ---- Writing. */

static uint32_t load_record(fission *f)
{
    uint32_t record = tsr_ll_new(f->e);
    tsr_text_printf(&f->out, "  %%t%u = load ptr, ptr %%t%u, align 8\n", record, f->record);
    return record;
}

static uint32_t address(fission *f, uint32_t base, uint64_t bytes)
{
    uint32_t at = tsr_ll_new(f->e);
    tsr_text_printf(&f->out, "  %%t%u = getelementptr i8, ptr %%t%u, i64 %llu\n", at, base, (unsigned long long)bytes);
    return at;
}

/* Whether something else stands for a name in a block: a value that lives across barriers is loaded, memory of the
 * record addressed. */
static bool has_stand_in(const fission *f, uint32_t name, uint32_t block)
{
    uint32_t value = f->value_of[name], memory = f->leads_to[name];
    if (f->defined_in[name]) return value && f->items[value - 1].name && f->defined_in[name] != block + 1;
    return memory && f->items[memory - 1].is_kept;
}

static void write_stand_in(fission *f, uint32_t name, uint32_t as)
{
    if (f->defined_in[name]) {
        const item *it = &f->items[f->value_of[name] - 1];
        tsr_text_printf(&f->out, "  %%t%u = load %.*s, ptr %%t%u, align 8\n", as, (int)it->type.len, it->type.s,
                        it->name);
        return;
    }
    uint64_t offset = f->items[f->leads_to[name] - 1].offset + f->more[name];
    uint32_t record = load_record(f);
    tsr_text_printf(&f->out, "  %%t%u = getelementptr i8, ptr %%t%u, i64 %llu\n", as, record,
                    (unsigned long long)offset);
}

/* In front of the line, once a block. 0: the name itself will do. */
static uint32_t stand_in(fission *f, uint32_t name, uint32_t block)
{
    if (!has_stand_in(f, name, block)) return 0;
    if (f->written_in[name] == block + 1) return f->written_as[name];
    f->written_in[name] = block + 1;
    f->written_as[name] = tsr_ll_new(f->e);
    write_stand_in(f, name, f->written_as[name]);
    return f->written_as[name];
}

static void write_line(fission *f, const tsr_lr_line *l, uint32_t block)
{
    const char *s = l->text.s;
    for (uint32_t u = 0; u < l->use_count && !l->is_phi; u++)
        f->r.use[l->use + u].fresh = stand_in(f, f->r.use[l->use + u].name, block);
    for (uint32_t u = 0; u < l->use_count; u++) {
        const tsr_lr_use *use = &f->r.use[l->use + u];
        if (!use->fresh) continue;
        tsr_text_add(&f->out, s, (size_t)(l->text.s + use->at - s));
        tsr_text_printf(&f->out, "%%t%u", use->fresh);
        s = l->text.s + use->at + tsr_lr_name_len(l, use);
    }
    tsr_text_add(&f->out, s, (size_t)(l->text.s + l->text.len - s));
    tsr_text_puts(&f->out, "\n");
}

/* Its value goes to the variable that stands for it elsewhere. */
static void write_store(fission *f, uint32_t name)
{
    const item *it = f->value_of[name] ? &f->items[f->value_of[name] - 1] : NULL;
    if (it && it->name)
        tsr_text_printf(&f->out, "  store %.*s %%t%u, ptr %%t%u, align 8\n", (int)it->type.len, it->type.s, name,
                        it->name);
}

/* ---- Barriers. */

static void print_variable(fission *f, const item *it)
{
    if (it->name == f->r.mask)
        tsr_text_puts(&f->out, "%mask");
    else
        tsr_text_printf(&f->out, "%%t%u", it->name);
}

static uint32_t label_of(const fission *f, uint32_t block)
{
    return f->r.block[block].label - TSR_LR_LABELS;
}

static void save(fission *f, uint32_t record, uint32_t i)
{
    const item *it = &f->items[i];
    tsr_str stored = stored_type(f, it);
    uint32_t x = tsr_ll_new(f->e), at = address(f, record, it->offset);
    tsr_text_printf(&f->out, "  %%t%u = load %.*s, ptr ", x, (int)it->type.len, it->type.s);
    print_variable(f, it);
    tsr_text_puts(&f->out, ", align 8\n");
    if (stored.s != it->type.s) {
        uint32_t wide = tsr_ll_new(f->e);
        tsr_text_printf(&f->out, "  %%t%u = sext %.*s %%t%u to %s\n", wide, (int)it->type.len, it->type.s, x, stored.s);
        x = wide;
    }
    tsr_text_printf(&f->out, "  store %.*s %%t%u, ptr %%t%u, align 8\n", (int)stored.len, stored.s, x, at);
}

static void restore(fission *f, uint32_t record, uint32_t i)
{
    const item *it = &f->items[i];
    tsr_str stored = stored_type(f, it);
    uint32_t x = tsr_ll_new(f->e), at = address(f, record, it->offset);
    tsr_text_printf(&f->out, "  %%t%u = load %.*s, ptr %%t%u, align 8\n", x, (int)stored.len, stored.s, at);
    if (stored.s != it->type.s) {
        uint32_t bits = tsr_ll_new(f->e);
        tsr_text_printf(&f->out, "  %%t%u = icmp ne %s %%t%u, zeroinitializer\n", bits, stored.s, x);
        x = bits;
    }
    tsr_text_printf(&f->out, "  store %.*s %%t%u, ptr ", (int)it->type.len, it->type.s, x);
    print_variable(f, it);
    tsr_text_puts(&f->out, ", align 8\n");
}

/* Whose stretch it is: the subgroup's record, and what it held. */
static void write_begin(fission *f, uint32_t block)
{
    uint32_t subgroup = tsr_ll_new(f->e), wide = tsr_ll_new(f->e), bytes = tsr_ll_new(f->e), record = tsr_ll_new(f->e);
    const uint64_t *live = set_at(f->live, f->set_words, block);
    tsr_text_printf(&f->out,
                    "  %%t%u = load i32, ptr %%t%u, align 4\n  %%t%u = zext i32 %%t%u to i64\n"
                    "  %%t%u = mul i64 %%t%u, %llu\n  %%t%u = getelementptr i8, ptr %%t%u, i64 %%t%u\n"
                    "  store ptr %%t%u, ptr %%t%u, align 8\n",
                    subgroup, f->e->fission.subgroup, wide, subgroup, bytes, wide, (unsigned long long)f->record_bytes,
                    record, f->records, bytes, record, f->record);
    for (uint32_t i = 0; i < f->item_count && f->behind[block] > 1; i++)
        if (f->items[i].kind != MEMORY && has(live, i)) restore(f, record, i);
}

/* Back to the stretch that ends here. */
static void write_again(fission *f, uint32_t block)
{
    const uint64_t *last = set_at(f->last, f->barrier_words, block);
    uint32_t first = 0;
    while (!has(last, first))
        first++;
    if (count_set(last, f->barrier_words) == 1) {
        tsr_text_printf(&f->out, "  br label %%b%u\n", label_of(f, f->barriers[first].to));
        return;
    }
    uint32_t passed = tsr_ll_new(f->e);
    tsr_text_printf(&f->out, "  %%t%u = load i32, ptr %%t%u, align 4\n  switch i32 %%t%u, label %%b%u [", passed,
                    f->passed, passed, label_of(f, f->barriers[first].to));
    for (uint32_t k = first + 1; k < f->barrier_count; k++)
        if (has(last, k)) tsr_text_printf(&f->out, " i32 %u, label %%b%u", k, label_of(f, f->barriers[k].to));
    tsr_text_puts(&f->out, " ]\n");
}

static void write_barrier(fission *f, uint32_t block)
{
    uint32_t number = f->barrier_of[block], to = f->barriers[number].to;
    const uint64_t *live = set_at(f->live, f->set_words, to), *dirty = set_at(f->dirty, f->set_words, block);
    if (count_set(set_at(f->last, f->barrier_words, block), f->barrier_words) == 0) { /* control never comes here */
        tsr_text_printf(&f->out, "  br label %%b%u\n", label_of(f, to));
        return;
    }
    uint32_t record = 0;
    for (uint32_t i = 0; i < f->item_count; i++) {
        if (f->items[i].kind == MEMORY || !has(live, i) || !has(dirty, i)) continue;
        if (!record) record = load_record(f);
        save(f, record, i);
    }
    uint32_t here = tsr_ll_new(f->e), next = tsr_ll_new(f->e), more = tsr_ll_new(f->e), again = tsr_ll_new(f->e),
             on = tsr_ll_new(f->e), subgroup = f->e->fission.subgroup;
    tsr_text_printf(&f->out,
                    "  %%t%u = load i32, ptr %%t%u, align 4\n  %%t%u = add i32 %%t%u, 1\n"
                    "  %%t%u = icmp ult i32 %%t%u, %u\n  br i1 %%t%u, label %%b%u, label %%b%u\n",
                    here, subgroup, next, here, more, next, f->e->subgroups, more, again, on);
    tsr_text_printf(&f->out, "b%u:\n  store i32 %%t%u, ptr %%t%u, align 4\n", again, next, subgroup);
    write_again(f, block);
    tsr_text_printf(&f->out, "b%u:\n  store i32 0, ptr %%t%u, align 4\n  store i32 %u, ptr %%t%u, align 4\n", on,
                    subgroup, number, f->passed);
    tsr_text_printf(&f->out, "  br label %%b%u\n", label_of(f, to));
}

/* ---- The whole. */

/* Phis take what stands for a name from the block that it comes from. */
static void gather_tails(fission *f)
{
    for (uint32_t i = f->r.prologue_end; i < f->r.line_count; i++) {
        const tsr_lr_line *l = &f->r.line[i];
        for (uint32_t u = l->use; l->is_phi && u < l->use + l->use_count; u++) {
            tsr_lr_use *use = &f->r.use[u];
            if (!has_stand_in(f, use->name, use->from)) continue;
            use->fresh = tsr_ll_new(f->e);
            f->tail_next[u] = f->tail[use->from];
            f->tail[use->from] = u + 1;
        }
    }
}

static void write_tail(fission *f, uint32_t block)
{
    for (uint32_t t = f->tail[block]; t; t = f->tail_next[t - 1])
        write_stand_in(f, f->r.use[t - 1].name, f->r.use[t - 1].fresh);
}

static void write_block(fission *f, uint32_t b)
{
    const tsr_lr_block *block = &f->r.block[b];
    uint32_t behind_phis = block->line;
    if (block->label == TSR_LR_STOPPED)
        tsr_text_puts(&f->out, "stopped:\n");
    else if (block->label != TSR_LR_START)
        tsr_text_printf(&f->out, "b%u:\n", label_of(f, b));
    if (f->behind[b] && f->is_inside[b]) write_begin(f, b);
    for (; f->r.line[behind_phis].is_phi; behind_phis++)
        write_line(f, &f->r.line[behind_phis], b);
    for (uint32_t i = block->line; i < behind_phis; i++)
        write_store(f, f->r.line[i].def);
    for (uint32_t i = behind_phis; i < block->end; i++) {
        const tsr_lr_line *l = &f->r.line[i];
        if (i + 1 == block->end) write_tail(f, b);
        if (i + 1 == block->end && block->waits)
            write_barrier(f, b);
        else
            write_line(f, l, b);
        if (l->def) write_store(f, l->def);
    }
}

static void make_tables(fission *f)
{
    tsr_arena *a = f->e->arena;
    uint32_t names = f->r.name_count, blocks = f->r.block_count;
    f->items = TSR_NEW_ARRAY(a, item, names + 1);
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
    f->barriers = TSR_NEW_ARRAY(a, barrier, BARRIERS_MAX);
    f->tail = TSR_NEW_ARRAY(a, uint32_t, blocks);
    f->tail_next = TSR_NEW_ARRAY(a, uint32_t, f->r.use_count + 1);
}

static bool make_sets(fission *f)
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

bool tsr_ll_fission_write(tsr_ll *e)
{
    fission *f = TSR_NEW(e->arena, fission);
    f->e = e;
    if (!tsr_lr_read(&f->r, e->arena, tsr_ll_new(e), &e->prologue, &e->body, &e->cold)) return false;
    make_tables(f);
    if (!find_region(f) || !read_prologue(f)) return false;
    find_memory(f);
    if (!find_values(f) || !make_sets(f)) return false;
    find_uses(f);
    find_live(f);
    tsr_text_init(&f->out, e->arena);
    tsr_text_init(&f->prologue, e->arena);
    if (!make_records(f)) return false;
    gather_tails(f);
    for (uint32_t b = 0; b < f->r.block_count; b++)
        write_block(f, b);
    write_prologue(f);
    e->prologue = f->prologue;
    e->body = f->out;
    tsr_text_init(&e->cold, e->arena);
    return true;
}
