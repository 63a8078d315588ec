/* Prefetch for kernels that copy blocks to workgroup memory and then multiply them: the copies of one step wait for far
 * caches, while the products run from the first one. Each such load notes its address in a small table of the subgroup;
 * from the same load a step before follows where the next step's will be, and the products ask for that on their way.
 * An address that is guessed wrong does no harm. */
#include "emit/llvm_inside.h"

#include "emit/llvm_block.h"

#define SLOTS       64u /* loads of a subgroup in a step; more are noted over these */
#define LINE_BYTES  64u
#define LINES_MOST  4u
#define NEXT_BYTE   0u /* i64[SLOTS]: addresses of the next step */
#define OLD_BYTE    (SLOTS * 8u)
#define COUNT_BYTE  (SLOTS * 16u)
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
    if (!even || !e->program->uses_matrices || loops_around(e) < 2 || !is_copied(e, load)) return;
    make_table(e);
    uint32_t lines = (bytes * e->size + LINE_BYTES - 1) / LINE_BYTES;
    if (lines > LINES_MOST) lines = LINES_MOST;
    if (lines > e->ahead_lines) e->ahead_lines = lines;
    tsr_ll_word first = p->dyn;
    first.form = LL_SAME;
    uint32_t ptr = tsr_ll_offset_ptr(e, tsr_ll_place_base(e, p, 0), first);
    uint32_t count_at = field(e, COUNT_BYTE), asked_at = field(e, ASKED_BYTE), next_at = field(e, NEXT_BYTE),
             old_at = field(e, OLD_BYTE);
    uint32_t asked = tsr_ll_new(e), count = tsr_ll_new(e), anew = tsr_ll_new(e), now = tsr_ll_new(e),
             slot = tsr_ll_new(e), more = tsr_ll_new(e), next = tsr_ll_new(e), old = tsr_ll_new(e),
             here = tsr_ll_new(e), before = tsr_ll_new(e), step = tsr_ll_new(e), then = tsr_ll_new(e);
    tsr_ll_line(e, "%%t%u = load i32, ptr %%t%u, align 4", asked, asked_at);
    tsr_ll_line(e, "%%t%u = load i32, ptr %%t%u, align 4", count, count_at);
    tsr_ll_line(e, "%%t%u = icmp ne i32 %%t%u, 0", anew, asked); /* products were made: a new step */
    tsr_ll_line(e, "%%t%u = select i1 %%t%u, i32 0, i32 %%t%u", now, anew, count);
    tsr_ll_line(e, "%%t%u = and i32 %%t%u, %u", slot, now, SLOTS - 1);
    tsr_ll_line(e, "%%t%u = add i32 %%t%u, 1", more, now);
    tsr_ll_line(e, "store i32 0, ptr %%t%u, align 4", asked_at);
    tsr_ll_line(e, "store i32 %%t%u, ptr %%t%u, align 4", more, count_at);
    tsr_ll_line(e, "%%t%u = getelementptr i64, ptr %%t%u, i32 %%t%u", next, next_at, slot);
    tsr_ll_line(e, "%%t%u = getelementptr i64, ptr %%t%u, i32 %%t%u", old, old_at, slot);
    tsr_ll_line(e, "%%t%u = ptrtoint ptr %%t%u to i64", here, ptr);
    tsr_ll_line(e, "%%t%u = load i64, ptr %%t%u, align 8", before, old);
    tsr_ll_line(e, "%%t%u = sub i64 %%t%u, %%t%u", step, here, before);
    tsr_ll_line(e, "%%t%u = add i64 %%t%u, %%t%u", then, here, step);
    tsr_ll_line(e, "store i64 %%t%u, ptr %%t%u, align 8", here, old);
    tsr_ll_line(e, "store i64 %%t%u, ptr %%t%u, align 8", then, next);
}

/* In a function of products, whose parameter %ahead is the table: asks for one of the addresses. */
void tsr_ll_write_ahead(tsr_text *t, uint32_t lines, uint32_t n)
{
    tsr_text_printf(
        t,
        "  %%ac%u = getelementptr i8, ptr %%ahead, i64 %u\n  %%aa%u = getelementptr i8, ptr %%ahead, i64 %u\n"
        "  %%an%u = load i32, ptr %%ac%u, align 4\n  %%ak%u = load i32, ptr %%aa%u, align 4\n"
        "  %%as%u = and i32 %%ak%u, %u\n  %%ap%u = getelementptr ptr, ptr %%ahead, i32 %%as%u\n"
        "  %%ax%u = load ptr, ptr %%ap%u, align 8\n  %%ai%u = icmp ult i32 %%ak%u, %%an%u\n"
        "  %%ay%u = select i1 %%ai%u, ptr %%ax%u, ptr %%ahead\n  %%am%u = add i32 %%ak%u, 1\n"
        "  store i32 %%am%u, ptr %%aa%u, align 4\n",
        n, COUNT_BYTE, n, ASKED_BYTE, n, n, n, n, n, n, SLOTS - 1, n, n, n, n, n, n, n, n, n, n, n, n, n, n);
    for (uint32_t i = 0; i < lines; i++)
        tsr_text_printf(t,
                        "  %%al%u_%u = getelementptr i8, ptr %%ay%u, i64 %u\n"
                        "  call void @llvm.prefetch.p0(ptr %%al%u_%u, i32 0, i32 3, i32 1)\n",
                        n, i, n, i * LINE_BYTES, n, i);
}
