/* Prefetch for kernels that copy blocks to workgroup memory and then multiply them: the copies of one step wait for far
 * caches, while the products run from the first one. Each such load notes its address in a small table of the subgroup;
 * from the same load a step before follows where the next step's will be, and the products ask for that on their way.
 * An address that is guessed wrong does no harm. */
#include "emit/llvm_inside.h"

#include "emit/llvm_block.h"
#include "ir/native.h"

#define LINE_BYTES 64u
#define LINES_MOST 4u

static uint32_t loops_around(const tsr_ll *e)
{
    uint32_t count = 0;
    for (const tsr_ll_frame *f = e->frame; f; f = f->outside)
        if (f->inst && tsr_ll_inst(e, f->inst)->op == TSR_OP_loop) count++;
    return count;
}

/* Whether the one use of a loaded value is a store to workgroup memory. */
static bool is_copied(const tsr_ll *e, tsr_id load)
{
    if (e->uses[load] != 1) return false;
    const tsr_block_info *info = tsr_block_at(e->ir, e->shapes.block_of[load]);
    for (uint32_t i = 0; i < info->count; i++) {
        const tsr_inst *inst = tsr_ll_inst(e, info->insts[i]);
        if (inst->op != TSR_OP_store || tsr_arg(e->ir, inst, 1) != load) continue;
        tsr_type ptr = tsr_ll_inst(e, tsr_arg(e->ir, inst, 0))->type;
        return tsr_type_get(e->types, ptr)->space == TSR_SPACE_workgroup;
    }
    return false;
}

static void make_table(tsr_ll *e)
{
    if (e->ahead) return;
    e->ahead = tsr_ll_alloca(e, NULL, TSR_AHEAD_BYTES, 64);
    tsr_ll_declare(e, "void @llvm.memset.p0.i64(ptr, i8, i64, i1)");
    tsr_text_printf(&e->prologue, "  call void @llvm.memset.p0.i64(ptr align 64 %%t%u, i8 0, i64 %u, i1 false)\n",
                    e->ahead, TSR_AHEAD_BYTES);
}

static uint32_t field(tsr_ll *e, uint32_t byte)
{
    uint32_t p = tsr_ll_new(e);
    tsr_ll_line(e, "%%t%u = getelementptr i8, ptr %%t%u, i64 %u", p, e->ahead, byte);
    return p;
}

void tsr_ll_note_copy(tsr_ll *e, tsr_id load, const tsr_ll_place *p)
{
    uint32_t bytes = (uint32_t)tsr_type_get(e->types, tsr_ll_inst(e, load)->type)->size_bytes;
    bool even =
        p->root == LL_ROOT_BINDING && p->has_dyn && p->dyn.form == LL_EVEN && p->dyn.shape.stride == (int32_t)bytes;
    if (!even || !e->multiplies_words || loops_around(e) < 2 || !is_copied(e, load)) return;
    make_table(e);
    uint32_t lines = (bytes * e->size + LINE_BYTES - 1) / LINE_BYTES;
    if (lines > LINES_MOST) lines = LINES_MOST;
    if (lines > e->ahead_lines) e->ahead_lines = lines;
    tsr_ll_word first = p->dyn;
    first.form = LL_SAME;
    uint32_t ptr = tsr_ll_offset_ptr(e, tsr_ll_place_base(e, p, 0), first), count_at = field(e, TSR_AHEAD_COUNT);
    uint32_t count = tsr_ll_new(e), slot = tsr_ll_new(e), more = tsr_ll_new(e), here = tsr_ll_new(e);
    tsr_ll_line(e, "%%t%u = load i32, ptr %%t%u, align 4", count, count_at);
    tsr_ll_line(e, "%%t%u = and i32 %%t%u, %u", slot, count, TSR_AHEAD_SLOTS - 1);
    tsr_ll_line(e, "%%t%u = getelementptr ptr, ptr %%t%u, i32 %%t%u", here, e->ahead, slot);
    tsr_ll_line(e, "store ptr %%t%u, ptr %%t%u, align 8", ptr, here);
    tsr_ll_line(e, "%%t%u = add i32 %%t%u, 1", more, count);
    tsr_ll_line(e, "store i32 %%t%u, ptr %%t%u, align 4", more, count_at);
}

/* At the end: the next note is the first one of a new step. */
void tsr_ll_write_ahead_end(tsr_text *t)
{
    tsr_text_printf(t, "  %%notes = getelementptr i8, ptr %%ahead, i64 %u\n  store i64 0, ptr %%notes, align 8\n",
                    TSR_AHEAD_COUNT);
}
