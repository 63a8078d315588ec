/* Who is there: barriers that not all invocations reach, subgroup and matrix operations without the whole subgroup, and
 * operands that must be the same in a subgroup and are not. Barriers also order memory. */
#include "exec/sanitize_inside.h"

static uint32_t count_active(const tsr_worker *w, uint32_t base)
{
    uint32_t count = 0;
    for (uint32_t i = base; i < base + w->in->subgroup_size; i++)
        count += w->mask[i] & 1u;
    return count;
}

/* ---- Control flow ---------------------------------------------------------------------------------------------- */

static void check_company(tsr_worker *w, const tsr_step *s, tsr_san_kind kind, const char *what)
{
    for (uint32_t base = 0; base < w->lanes; base += w->in->subgroup_size) {
        uint32_t there = count_active(w, base), all = tsr_san_present(w, base);
        if (there == 0 || there == all) continue;
        tsr_san_report(w, kind, tsr_san_first(w, base), s,
                       "%u of the %u invocations of subgroup %u reach this %s: control flow is not uniform", there, all,
                       base / w->in->subgroup_size, what);
    }
}

static void before_matrix(tsr_worker *w, const tsr_step *s)
{
    if (tsr_san_checks(w, TSR_CHECK_UNIFORMITY)) check_company(w, s, TSR_SAN_matrix_divergent, "matrix operation");
}

static void before_subgroup(tsr_worker *w, const tsr_step *s)
{
    if (tsr_san_checks(w, TSR_CHECK_UNIFORMITY)) check_company(w, s, TSR_SAN_subgroup_divergent, "subgroup operation");
}

/* ---- Operands -------------------------------------------------------------------------------------------------- */

/* Two active lanes of a subgroup whose words differ; false when there are none. */
static bool find_difference(const tsr_worker *w, uint32_t base, const uint32_t *words, uint32_t *lane)
{
    uint32_t first = tsr_san_first(w, base);
    for (uint32_t i = first; first != TSR_SAN_NO_LANE && i < base + w->in->subgroup_size; i++) {
        if (!w->mask[i] || words[i] == words[first]) continue;
        *lane = i;
        return true;
    }
    return false;
}

static void check_same(tsr_worker *w, const tsr_step *s, tsr_slot slot, tsr_san_kind kind, const char *what)
{
    if (!slot) return;
    const uint32_t *words = tsr_at(w, slot);
    for (uint32_t base = 0; base < w->lanes; base += w->in->subgroup_size) {
        uint32_t lane;
        if (!find_difference(w, base, words, &lane)) continue;
        uint32_t first = tsr_san_first(w, base);
        tsr_san_report(w, kind, lane, s,
                       "the %s differs within subgroup %u: %u in its invocation %u, %u in invocation %u", what,
                       base / w->in->subgroup_size, words[first], first - base, words[lane], lane - base);
    }
}

static void before_matrix_access(tsr_worker *w, const tsr_step *s)
{
    if (!tsr_san_checks(w, TSR_CHECK_UNIFORMITY)) return;
    check_same(w, s, s->ptr->dyn, TSR_SAN_matrix_operand, "pointer's offset in bytes");
    check_same(w, s, s->arg[1], TSR_SAN_matrix_operand, "offset");
    check_same(w, s, s->arg[2], TSR_SAN_matrix_operand, "stride");
}

static void before_matrix_scalar(tsr_worker *w, const tsr_step *s)
{
    if (!tsr_san_checks(w, TSR_CHECK_UNIFORMITY)) return;
    check_same(w, s, s->arg[s->op == TSR_OP_mfill ? 0 : 1], TSR_SAN_matrix_operand, "scalar, as bits,");
}

/* Whether a lane that the op reads exists does not depend on what the program does with it: only xor and broadcast are
 * always wrong then; a shuffle up or down past the end is how scans are written. */
static void check_lane(tsr_worker *w, const tsr_step *s)
{
    const uint32_t *words = tsr_at(w, s->arg[1]);
    uint32_t size = w->in->subgroup_size;
    for (uint32_t base = 0; base < w->lanes; base += size) {
        uint32_t lane = tsr_san_first(w, base);
        if (lane == TSR_SAN_NO_LANE || words[lane] < size) continue;
        tsr_san_report(w, TSR_SAN_subgroup_lane, lane, s, "%s %u: the subgroup has %u invocations",
                       s->op == TSR_OP_sg_broadcast ? "broadcast from invocation" : "shuffle with mask", words[lane],
                       size);
    }
}

static void before_shuffle(tsr_worker *w, const tsr_step *s)
{
    if (!tsr_san_checks(w, TSR_CHECK_UNIFORMITY)) return;
    if (s->op == TSR_OP_sg_broadcast || s->op == TSR_OP_sg_shuffle_xor) check_lane(w, s);
    if (s->op == TSR_OP_sg_shuffle_xor)
        check_same(w, s, s->arg[1], TSR_SAN_subgroup_operand, "mask");
    else if (s->op == TSR_OP_sg_shuffle_up || s->op == TSR_OP_sg_shuffle_down)
        check_same(w, s, s->arg[1], TSR_SAN_subgroup_operand, "delta");
}

/* ---- Barriers -------------------------------------------------------------------------------------------------- */

static void order_memory(tsr_worker *w, uint16_t op)
{
    tsr_san *san = w->san;
    san->now++;
    if (op == TSR_OP_barrier_workgroup || op == TSR_OP_load_uniform) san->barrier_at[0] = san->now;
    if (op == TSR_OP_barrier_storage) san->barrier_at[1] = san->now;
    if (op != TSR_OP_barrier_subgroup) return;
    for (uint32_t base = 0; base < w->lanes; base += w->in->subgroup_size)
        if (tsr_san_first(w, base) != TSR_SAN_NO_LANE) san->subgroup_barrier_at[base / w->in->subgroup_size] = san->now;
}

static uint32_t first_active(const tsr_worker *w)
{
    uint32_t i = 0;
    while (i + 1 < w->lanes && !w->mask[i])
        i++;
    return i;
}

static void before_barrier(tsr_worker *w, const tsr_step *s)
{
    if (tsr_san_checks(w, TSR_CHECK_UNIFORMITY)) {
        if (s->op == TSR_OP_barrier_subgroup)
            check_company(w, s, TSR_SAN_barrier_divergent, "subgroup barrier");
        else if (w->active < w->in->invocations)
            tsr_san_report(w, TSR_SAN_barrier_divergent, first_active(w), s,
                           "%u of the %u invocations of the workgroup reach this barrier: control flow is not uniform",
                           w->active, w->in->invocations);
    }
    order_memory(w, s->op);
}

static void before_uniform_load(tsr_worker *w, const tsr_step *s)
{
    before_barrier(w, s);
    if (tsr_san_checks(w, TSR_CHECK_UNIFORMITY))
        check_same(w, s, s->ptr->dyn, TSR_SAN_subgroup_operand, "pointer's offset in bytes");
}

static void after_uniform_load(tsr_worker *w, const tsr_step *s)
{
    order_memory(w, s->op);
}

/* ---- Which steps ----------------------------------------------------------------------------------------------- */

void tsr_san_site_group(const tsr_interp *in, const tsr_step *s, tsr_san_site *site)
{
    uint16_t flags = tsr_op_table[s->op].flags;
    (void)in;
    if (s->run == tsr_run_copies) return; /* arguments of a call */
    if (s->op == TSR_OP_load_uniform) {
        tsr_san_before(site, before_uniform_load);
        tsr_san_after(site, after_uniform_load);
    } else if (flags & TSR_OPF_BARRIER) {
        tsr_san_before(site, before_barrier);
    } else if (flags & TSR_OPF_SG_UNI) {
        tsr_san_before(site, before_matrix);
        if (s->run == tsr_run_mload || s->run == tsr_run_mstore) tsr_san_before(site, before_matrix_access);
        if (s->run == tsr_run_mfill || s->run == tsr_run_mscalar) tsr_san_before(site, before_matrix_scalar);
    } else if (flags & (TSR_OPF_SG | TSR_OPF_QUAD)) {
        tsr_san_before(site, before_subgroup);
        if (s->run == tsr_run_sg_move && s->nargs > 1) tsr_san_before(site, before_shuffle);
    }
}
