/* The instructions of a multiply-add as text. Each function writes one or a few and returns the name of what they give;
 * what can be computed on plain numbers is not written but computed. */
#include "emit/llvm_mma_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t tsr_lm_new(tsr_lm *x)
{
    return ++x->next;
}

const char *tsr_lm_name(tsr_lm *x, uint32_t id)
{
    char buf[24];
    snprintf(buf, sizeof buf, "%%v%u", id);
    return tsr_ll_keep(x->e, buf);
}

const char *tsr_lm_number(tsr_lm *x, uint64_t n)
{
    char buf[24];
    snprintf(buf, sizeof buf, "%llu", (unsigned long long)n);
    return tsr_ll_keep(x->e, buf);
}

/* ---- Addresses. */

static bool is_zero(const char *number)
{
    return strcmp(number, "0") == 0;
}

static bool is_number(const char *s)
{
    return s[0] != '%';
}

const char *tsr_lm_mul(tsr_lm *x, const char *a, const char *b)
{
    if (is_zero(a) || strcmp(b, "1") == 0) return a;
    if (is_zero(b) || strcmp(a, "1") == 0) return b;
    if (is_number(a) && is_number(b)) return tsr_lm_number(x, strtoull(a, NULL, 10) * strtoull(b, NULL, 10));
    uint32_t p = tsr_lm_new(x);
    tsr_text_printf(x->t, "  %%v%u = mul i64 %s, %s\n", p, a, b);
    return tsr_lm_name(x, p);
}

const char *tsr_lm_add(tsr_lm *x, const char *a, const char *b)
{
    if (is_zero(a)) return b;
    if (is_zero(b)) return a;
    if (is_number(a) && is_number(b)) return tsr_lm_number(x, strtoull(a, NULL, 10) + strtoull(b, NULL, 10));
    uint32_t p = tsr_lm_new(x);
    tsr_text_printf(x->t, "  %%v%u = add i64 %s, %s\n", p, a, b);
    return tsr_lm_name(x, p);
}

const char *tsr_lm_mul_add(tsr_lm *x, const char *a, uint64_t by, const char *more)
{
    return tsr_lm_add(x, tsr_lm_mul(x, a, tsr_lm_number(x, by)), more);
}

const char *tsr_lm_at(tsr_lm *x, const char *type, const char *ptr, const char *index)
{
    if (is_zero(index)) return ptr;
    uint32_t p = tsr_lm_new(x);
    tsr_text_printf(x->t, "  %%v%u = getelementptr %s, ptr %s, i64 %s\n", p, type, ptr, index);
    return tsr_lm_name(x, p);
}

/* ---- Values. */

const char *tsr_lm_load(tsr_lm *x, const char *type, const char *ptr, uint32_t align)
{
    uint32_t p = tsr_lm_new(x);
    tsr_text_printf(x->t, "  %%v%u = load %s, ptr %s, align %u\n", p, type, ptr, align);
    return tsr_lm_name(x, p);
}

const char *tsr_lm_vector(tsr_lm *x, uint32_t lanes, const char *type)
{
    char buf[48];
    snprintf(buf, sizeof buf, "<%u x %s>", lanes, type);
    return tsr_ll_keep(x->e, buf);
}

const char *tsr_lm_convert(tsr_lm *x, const char *op, const char *from, const char *v, const char *to)
{
    uint32_t p = tsr_lm_new(x);
    tsr_text_printf(x->t, "  %%v%u = %s %s %s to %s\n", p, op, from, v, to);
    return tsr_lm_name(x, p);
}

const char *tsr_lm_shuffle(tsr_lm *x, const char *a, const char *b, uint32_t lanes, const char *type, uint32_t count,
                           uint32_t (*lane)(uint32_t i, uint32_t arg), uint32_t arg)
{
    uint32_t p = tsr_lm_new(x);
    tsr_text_printf(x->t, "  %%v%u = shufflevector <%u x %s> %s, <%u x %s> %s, <%u x i32> <", p, lanes, type, a, lanes,
                    type, b, count);
    for (uint32_t i = 0; i < count; i++)
        tsr_text_printf(x->t, "%si32 %u", i ? ", " : "", lane(i, arg));
    tsr_text_puts(x->t, ">\n");
    return tsr_lm_name(x, p);
}

const char *tsr_lm_splat(tsr_lm *x, uint32_t lanes, const char *type, const char *scalar)
{
    uint32_t one = tsr_lm_new(x), all = tsr_lm_new(x);
    tsr_text_printf(x->t,
                    "  %%v%u = insertelement <%u x %s> poison, %s %s, i64 0\n"
                    "  %%v%u = shufflevector <%u x %s> %%v%u, <%u x %s> poison, <%u x i32> zeroinitializer\n",
                    one, lanes, type, type, scalar, all, lanes, type, one, lanes, type, lanes);
    return tsr_lm_name(x, all);
}

/* ---- Loops. */

tsr_lm_loop tsr_lm_open_loop(tsr_lm *x, uint64_t from, uint64_t to, uint64_t step)
{
    tsr_lm_loop l = {.label = tsr_lm_new(x), .var = tsr_lm_new(x), .to = to, .step = step};
    tsr_text_printf(x->t,
                    "  br label %%pre%u\npre%u:\n  br label %%top%u\ntop%u:\n  %%v%u = phi i64 [ %llu, %%pre%u ], [ "
                    "%%n%u, %%end%u ]\n",
                    l.label, l.label, l.label, l.label, l.var, (unsigned long long)from, l.label, l.var, l.label);
    l.i = tsr_lm_name(x, l.var);
    return l;
}

void tsr_lm_close_loop(tsr_lm *x, const tsr_lm_loop *l)
{
    tsr_text_printf(x->t,
                    "  br label %%end%u\nend%u:\n  %%n%u = add i64 %s, %llu\n  %%d%u = icmp uge i64 %%n%u, %llu\n"
                    "  br i1 %%d%u, label %%out%u, label %%top%u\nout%u:\n",
                    l->label, l->label, l->var, l->i, (unsigned long long)l->step, l->var, l->var,
                    (unsigned long long)l->to, l->var, l->label, l->label, l->label);
}
