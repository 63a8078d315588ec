/* Masks: which lanes of a subgroup are active, and questions about them. */
#include "emit/llvm_inside.h"

tsr_ll_word tsr_ll_mask(tsr_ll *e)
{
    tsr_ll_word r = tsr_ll_varied(e, LL_B, tsr_ll_new(e));
    if (e->all) return tsr_ll_to_vector(e, tsr_ll_const(e, LL_B, 1));
    tsr_ll_line(e, "%%t%u = load %s, ptr %%mask, align 64", r.name, e->vector_name[LL_B]);
    return r;
}

void tsr_ll_set_mask(tsr_ll *e, tsr_ll_word m)
{
    tsr_ll_line(e, "store %s %s, ptr %%mask, align 64", e->vector_name[LL_B], tsr_ll_vector(e, m));
    tsr_ll_other_lanes(e);
}

void tsr_ll_other_lanes(tsr_ll *e)
{
    e->here = (tsr_ll_here){.number = ++e->here_count};
}

uint32_t tsr_ll_bits(tsr_ll *e, tsr_ll_word m)
{
    const char *x = tsr_ll_vector(e, m);
    uint32_t name = tsr_ll_new(e);
    tsr_ll_line(e, "%%t%u = bitcast %s %s to i%u", name, e->vector_name[LL_B], x, e->size);
    return name;
}

/* Of 128 lanes: LLVM 19 compares an i128 made of constants that a condition chooses with zero in circles, for ever
 * (AVX-512, the combiner of its instruction selection). */
static tsr_ll_word is_any_of_two(tsr_ll *e, tsr_ll_word m)
{
    const char *x = tsr_ll_vector(e, m);
    uint32_t halves = tsr_ll_new(e), low = tsr_ll_new(e), high = tsr_ll_new(e), both = tsr_ll_new(e);
    tsr_ll_line(e, "%%t%u = bitcast %s %s to <2 x i64>", halves, e->vector_name[LL_B], x);
    tsr_ll_line(e, "%%t%u = extractelement <2 x i64> %%t%u, i64 0", low, halves);
    tsr_ll_line(e, "%%t%u = extractelement <2 x i64> %%t%u, i64 1", high, halves);
    tsr_ll_line(e, "%%t%u = or i64 %%t%u, %%t%u", both, low, high);
    tsr_ll_word r = tsr_ll_uniform(e, LL_B, tsr_ll_new(e));
    tsr_ll_line(e, "%%t%u = icmp ne i64 %%t%u, 0", r.name, both);
    return r;
}

tsr_ll_word tsr_ll_any(tsr_ll *e, tsr_ll_word m)
{
    if (e->size == 128) return is_any_of_two(e, m);
    uint32_t bits = tsr_ll_bits(e, m);
    tsr_ll_word r = tsr_ll_uniform(e, LL_B, tsr_ll_new(e));
    tsr_ll_line(e, "%%t%u = icmp ne i%u %%t%u, 0", r.name, e->size, bits);
    return r;
}

tsr_ll_word tsr_ll_every(tsr_ll *e, tsr_ll_word m)
{
    if (e->size == 128) return tsr_ll_not(e, tsr_ll_any(e, tsr_ll_not(e, m))); /* which see */
    uint32_t bits = tsr_ll_bits(e, m);
    tsr_ll_word r = tsr_ll_uniform(e, LL_B, tsr_ll_new(e));
    tsr_ll_line(e, "%%t%u = icmp eq i%u %%t%u, -1", r.name, e->size, bits);
    return r;
}

tsr_ll_word tsr_ll_all_here(tsr_ll *e)
{
    if (e->all) return tsr_ll_const(e, LL_B, 1);
    return e->here.full ? tsr_ll_named(LL_B, LL_SAME, e->here.full) : tsr_ll_every(e, tsr_ll_mask(e));
}

tsr_ll_word tsr_ll_first_active(tsr_ll *e, tsr_ll_word w)
{
    if (w.form == LL_SAME) return w;
    if (e->all) return tsr_ll_lane(e, w, 0);
    uint32_t bits = tsr_ll_bits(e, tsr_ll_mask(e)), wide = tsr_ll_new(e), lane = tsr_ll_new(e), safe = tsr_ll_new(e);
    const char *x = tsr_ll_vector(e, w);
    tsr_ll_declare(e, "i128 @llvm.cttz.i128(i128, i1)");
    if (e->size == 128)
        wide = bits;
    else
        tsr_ll_line(e, "%%t%u = zext i%u %%t%u to i128", wide, e->size, bits);
    tsr_ll_line(e, "%%t%u = call i128 @llvm.cttz.i128(i128 %%t%u, i1 false)", lane, wide);
    tsr_ll_line(e, "%%t%u = and i128 %%t%u, %u", safe, lane, e->size - 1);
    tsr_ll_word r = tsr_ll_uniform(e, w.type, tsr_ll_new(e));
    tsr_ll_line(e, "%%t%u = extractelement %s %s, i128 %%t%u", r.name, e->vector_name[w.type], x, safe);
    return r;
}
