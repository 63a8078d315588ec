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
#include "emit/llvm_fission.h"

#include <stdio.h>
#include <string.h>

#define ALIGN      64u
/* Of what is stored and loaded at all barriers together: beyond it LLVM takes longer than for stacks, several times as
 * long for 100 values that live across 400 barriers. */
#define MOVES_MOST 4096u

/* ---- Records. */

static bool is_crossing(const tsr_fi *f, uint32_t i)
{
    return tsr_fi_has(f->crossing, tsr_fi_same(f, i));
}

static tsr_str stored_type(tsr_fi *f, const tsr_fi_item *it)
{
    char buf[48];
    if (it->type.s[0] != '<' || !strstr(tsr_arena_strndup(f->e->arena, it->type.s, it->type.len), "x i1>"))
        return it->type;
    int n = snprintf(buf, sizeof buf, "<%u x i8>", it->bytes); /* bits would have to be packed */
    return (tsr_str){tsr_arena_strndup(f->e->arena, buf, (size_t)n), (size_t)n};
}

static uint32_t count_moves(const tsr_fi *f)
{
    uint32_t moves = 0;
    for (uint32_t b = 0; b < f->r.block_count; b++) {
        if (!f->r.block[b].waits) continue;
        const uint64_t *live = tsr_fi_set(f->live, f->set_words, f->behind_barrier[f->barrier_of[b]]),
                       *dirty = tsr_fi_set(f->dirty, f->set_words, b);
        for (uint32_t i = 0; i < f->item_count; i++)
            if (f->items[i].kind != FI_MEMORY && tsr_fi_has(live, i)) moves += tsr_fi_has(dirty, i) ? 2 : 1;
    }
    return moves;
}

static bool make_records(tsr_fi *f)
{
    for (uint32_t i = 0; i < f->item_count; i++) {
        tsr_fi_item *it = &f->items[i];
        if (!is_crossing(f, i)) continue;
        if (it->bytes == 0) return false;
        uint64_t align = it->bytes < ALIGN && it->kind != FI_MEMORY ? 8 : ALIGN;
        it->offset = (f->record_bytes + align - 1) / align * align;
        f->record_bytes = it->offset + it->bytes;
        it->is_kept = it->kind == FI_MEMORY;
        f->zeroes = f->zeroes || (it->is_kept && it->begins_as_zeros);
        if (it->kind != FI_VALUE) continue;
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
static void write_prologue(tsr_fi *f)
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

static uint32_t load_record(tsr_fi *f)
{
    uint32_t record = tsr_ll_new(f->e);
    tsr_text_printf(&f->out, "  %%t%u = load ptr, ptr %%t%u, align 8\n", record, f->record);
    return record;
}

static uint32_t address(tsr_fi *f, uint32_t base, uint64_t bytes)
{
    uint32_t at = tsr_ll_new(f->e);
    tsr_text_printf(&f->out, "  %%t%u = getelementptr i8, ptr %%t%u, i64 %llu\n", at, base, (unsigned long long)bytes);
    return at;
}

/* Whether something else stands for a name in a block: a value that lives across barriers is loaded, memory of the
 * record addressed. */
static bool has_stand_in(const tsr_fi *f, uint32_t name, uint32_t block)
{
    uint32_t value = f->value_of[name], memory = f->leads_to[name];
    if (f->defined_in[name]) return value && f->items[value - 1].name && f->defined_in[name] != block + 1;
    return memory && f->items[memory - 1].is_kept;
}

static void write_stand_in(tsr_fi *f, uint32_t name, uint32_t as)
{
    if (f->defined_in[name]) {
        const tsr_fi_item *it = &f->items[f->value_of[name] - 1];
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
static uint32_t stand_in(tsr_fi *f, uint32_t name, uint32_t block)
{
    if (!has_stand_in(f, name, block)) return 0;
    if (f->written_in[name] == block + 1) return f->written_as[name];
    f->written_in[name] = block + 1;
    f->written_as[name] = tsr_ll_new(f->e);
    write_stand_in(f, name, f->written_as[name]);
    return f->written_as[name];
}

static void write_line(tsr_fi *f, const tsr_lr_line *l, uint32_t block)
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
static void write_store(tsr_fi *f, uint32_t name)
{
    const tsr_fi_item *it = f->value_of[name] ? &f->items[f->value_of[name] - 1] : NULL;
    if (it && it->name)
        tsr_text_printf(&f->out, "  store %.*s %%t%u, ptr %%t%u, align 8\n", (int)it->type.len, it->type.s, name,
                        it->name);
}

/* ---- Barriers. */

static void print_variable(tsr_fi *f, const tsr_fi_item *it)
{
    if (it->name == f->r.mask)
        tsr_text_puts(&f->out, "%mask");
    else
        tsr_text_printf(&f->out, "%%t%u", it->name);
}

static uint32_t label_of(const tsr_fi *f, uint32_t block)
{
    return f->r.block[block].label - TSR_LR_LABELS;
}

static void save(tsr_fi *f, uint32_t record, uint32_t i)
{
    const tsr_fi_item *it = &f->items[i];
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

static void restore(tsr_fi *f, uint32_t record, uint32_t i)
{
    const tsr_fi_item *it = &f->items[i];
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
static void write_begin(tsr_fi *f, uint32_t block)
{
    uint32_t subgroup = tsr_ll_new(f->e), wide = tsr_ll_new(f->e), bytes = tsr_ll_new(f->e), record = tsr_ll_new(f->e);
    const uint64_t *live = tsr_fi_set(f->live, f->set_words, block);
    tsr_text_printf(&f->out,
                    "  %%t%u = load i32, ptr %%t%u, align 4\n  %%t%u = zext i32 %%t%u to i64\n"
                    "  %%t%u = mul i64 %%t%u, %llu\n  %%t%u = getelementptr i8, ptr %%t%u, i64 %%t%u\n"
                    "  store ptr %%t%u, ptr %%t%u, align 8\n",
                    subgroup, f->e->fission.subgroup, wide, subgroup, bytes, wide, (unsigned long long)f->record_bytes,
                    record, f->records, bytes, record, f->record);
    for (uint32_t i = 0; i < f->item_count && f->behind[block] > 1; i++)
        if (f->items[i].kind != FI_MEMORY && tsr_fi_has(live, i)) restore(f, record, i);
}

/* Back to the stretch that ends here. */
static void write_again(tsr_fi *f, uint32_t block)
{
    const uint64_t *last = tsr_fi_set(f->last, f->barrier_words, block);
    uint32_t first = 0;
    while (!tsr_fi_has(last, first))
        first++;
    if (tsr_fi_count(last, f->barrier_words) == 1) {
        tsr_text_printf(&f->out, "  br label %%b%u\n", label_of(f, f->behind_barrier[first]));
        return;
    }
    uint32_t passed = tsr_ll_new(f->e);
    tsr_text_printf(&f->out, "  %%t%u = load i32, ptr %%t%u, align 4\n  switch i32 %%t%u, label %%b%u [", passed,
                    f->passed, passed, label_of(f, f->behind_barrier[first]));
    for (uint32_t k = first + 1; k < f->barrier_count; k++)
        if (tsr_fi_has(last, k)) tsr_text_printf(&f->out, " i32 %u, label %%b%u", k, label_of(f, f->behind_barrier[k]));
    tsr_text_puts(&f->out, " ]\n");
}

static void write_barrier(tsr_fi *f, uint32_t block)
{
    uint32_t number = f->barrier_of[block], to = f->behind_barrier[number];
    const uint64_t *live = tsr_fi_set(f->live, f->set_words, to), *dirty = tsr_fi_set(f->dirty, f->set_words, block);
    bool is_reached = tsr_fi_count(tsr_fi_set(f->last, f->barrier_words, block), f->barrier_words) > 0;
    if (!is_reached) {
        tsr_text_printf(&f->out, "  br label %%b%u\n", label_of(f, to));
        return;
    }
    uint32_t record = 0;
    for (uint32_t i = 0; i < f->item_count; i++) {
        if (f->items[i].kind == FI_MEMORY || !tsr_fi_has(live, i) || !tsr_fi_has(dirty, i)) continue;
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
static void gather_tails(tsr_fi *f)
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

static void write_tail(tsr_fi *f, uint32_t block)
{
    for (uint32_t t = f->tail[block]; t; t = f->tail_next[t - 1])
        write_stand_in(f, f->r.use[t - 1].name, f->r.use[t - 1].fresh);
}

static void write_block(tsr_fi *f, uint32_t b)
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

bool tsr_ll_fission_write(tsr_ll *e)
{
    tsr_fi *f = TSR_NEW(e->arena, tsr_fi);
    f->e = e;
    if (!tsr_fi_find(f) || count_moves(f) > MOVES_MOST) return false;
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
