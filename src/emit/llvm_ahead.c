/* Prefetch for kernels that copy blocks to workgroup memory and then multiply them: the copies of one step wait for far
 * caches, while the products run from the first one. Each such load notes its address in a small table of the subgroup;
 * from the same load a step before follows where the next step's will be, and the products ask for that on their way.
 * An address that is guessed wrong does no harm. */
#include "emit/llvm_inside.h"

#include "emit/llvm_block.h"

#include <stdio.h>
#include <string.h>

#define SLOTS       64u /* loads of a subgroup in a step; more are noted over these */
#define LINE_BYTES  64u
#define LINES_MOST  4u
#define BURST       8u /* asked for at a time */
#define HERE_BYTE   0u /* ptr[SLOTS]: addresses of this step; of the step before */
#define BEFORE_BYTE (SLOTS * 8u)
#define COUNT_BYTE  (SLOTS * 16u) /* u32, and u32 behind it: how many were noted, asked for */
#define ASKED_BYTE  (COUNT_BYTE + 4u)
#define TABLE_BYTES (COUNT_BYTE + LINE_BYTES)

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
    e->ahead = tsr_ll_alloca(e, NULL, TABLE_BYTES, 64);
    tsr_text_printf(&e->prologue, "  call void @%s(ptr %%t%u, i64 %u)\n", tsr_ll_block_zero(e), e->ahead, TABLE_BYTES);
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
    uint32_t ptr = tsr_ll_offset_ptr(e, tsr_ll_place_base(e, p, 0), first), count_at = field(e, COUNT_BYTE),
             list = field(e, HERE_BYTE);
    uint32_t count = tsr_ll_new(e), slot = tsr_ll_new(e), more = tsr_ll_new(e), here = tsr_ll_new(e);
    tsr_ll_line(e, "%%t%u = load i32, ptr %%t%u, align 4", count, count_at);
    tsr_ll_line(e, "%%t%u = and i32 %%t%u, %u", slot, count, SLOTS - 1);
    tsr_ll_line(e, "%%t%u = getelementptr ptr, ptr %%t%u, i32 %%t%u", here, list, slot);
    tsr_ll_line(e, "store ptr %%t%u, ptr %%t%u, align 8", ptr, here);
    tsr_ll_line(e, "%%t%u = add i32 %%t%u, 1", more, count);
    tsr_ll_line(e, "store i32 %%t%u, ptr %%t%u, align 4", more, count_at);
}

/* ---- For functions of products, whose parameter %ahead is the table. */

/* Asks for where some of the next step's loads will be: as far from this step's as these are from those before. Slots
 * without a note of this step lead to where they did. To the second cache: rows that lie a power of two apart would
 * push each other out of the first. */
const char *tsr_ll_block_ahead(tsr_ll *e, uint32_t lines)
{
    char buf[32];
    snprintf(buf, sizeof buf, "tsr_ahead_%u", (unsigned)lines);
    const char *name = tsr_arena_strndup(e->arena, buf, strlen(buf));
    if (!tsr_ll_once(e, name)) return name;
    tsr_ll_declare(e, "void @llvm.prefetch.p0(ptr, i32, i32, i32)");
    tsr_text *t = &e->tail;
    tsr_text_printf(t,
                    "define internal void @%s(ptr %%ahead) noinline nounwind {\nentry:\n"
                    "  %%asked = getelementptr i8, ptr %%ahead, i64 %u\n  %%at = load i32, ptr %%asked, align 4\n"
                    "  %%noted = getelementptr i8, ptr %%ahead, i64 %u\n  %%count = load i32, ptr %%noted, align 4\n"
                    "  %%more = icmp ult i32 %%at, %%count\n  br i1 %%more, label %%ask, label %%none\nask:\n"
                    "  %%then = add i32 %%at, %u\n  store i32 %%then, ptr %%asked, align 4\n"
                    "  %%slot = and i32 %%at, %u\n  br label %%next\nnext:\n",
                    name, ASKED_BYTE, COUNT_BYTE, BURST, SLOTS - 1);
    tsr_text_printf(t,
                    "  %%i = phi i32 [ 0, %%ask ], [ %%n, %%next ]\n  %%of = add i32 %%slot, %%i\n"
                    "  %%list = getelementptr i64, ptr %%ahead, i32 %%of\n"
                    "  %%old = getelementptr i8, ptr %%list, i64 %u\n"
                    "  %%here = load i64, ptr %%list, align 8\n  %%before = load i64, ptr %%old, align 8\n"
                    "  %%step = sub i64 %%here, %%before\n  %%guess = add i64 %%here, %%step\n"
                    "  store i64 %%here, ptr %%old, align 8\n  %%line = inttoptr i64 %%guess to ptr\n",
                    BEFORE_BYTE);
    for (uint32_t i = 0; i < lines; i++)
        tsr_text_printf(t,
                        "  %%line%u = getelementptr i8, ptr %%line, i64 %u\n"
                        "  call void @llvm.prefetch.p0(ptr %%line%u, i32 0, i32 2, i32 1)\n",
                        i, i * LINE_BYTES, i);
    tsr_text_printf(t,
                    "  %%n = add i32 %%i, 1\n  %%end = icmp uge i32 %%n, %u\n"
                    "  br i1 %%end, label %%none, label %%next\nnone:\n  ret void\n}\n\n",
                    BURST);
    return name;
}

/* At the end: the next note is the first one of a new step. */
void tsr_ll_write_ahead_end(tsr_text *t)
{
    tsr_text_printf(t, "  %%notes = getelementptr i8, ptr %%ahead, i64 %u\n  store i64 0, ptr %%notes, align 8\n",
                    COUNT_BYTE);
}
