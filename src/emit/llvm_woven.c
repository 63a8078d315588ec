/* Values as they lie in memory. The vectors of neighbours stand one behind the other there, component after component.
 * What is computed component by component does not care which element of a register is whose, as long as all operands
 * agree: such values stay in that order from load to store, in as many registers, and are taken apart only where
 * somebody asks for a component. */
#include "emit/llvm_inside.h"

static const char *element(const tsr_ll *e, const tsr_ll_value *v)
{
    return e->type_name[v->words[0].type];
}

static void list_names(const tsr_ll_value *v, uint32_t *names)
{
    for (uint32_t i = 0; i < v->count; i++)
        names[i] = v->words[i].name;
}

/* The words of `v` with those of a vector of all of them: first, first + step, ... */
static tsr_ll_value cut(tsr_ll *e, const tsr_ll_value *v, uint32_t whole, bool woven)
{
    tsr_ll_value r = tsr_ll_make(e, v->count);
    r.woven = woven;
    for (uint32_t i = 0; i < v->count; i++) {
        uint32_t first = woven ? i * e->size : i, step = woven ? 1 : v->count;
        uint32_t name = tsr_ll_take_every(e, whole, v->count * e->size, first, step, e->size, element(e, v));
        r.words[i] = tsr_ll_varied(e, v->words[i].type, name);
    }
    return r;
}

tsr_ll_value tsr_ll_unweave(tsr_ll *e, tsr_ll_value v)
{
    uint32_t part[4];
    if (!v.woven) return v;
    list_names(&v, part);
    return cut(e, &v, tsr_ll_join_parts(e, part, v.count, e->size, element(e, &v)), false);
}

tsr_ll_value tsr_ll_weave(tsr_ll *e, tsr_ll_value v)
{
    uint32_t part[4];
    list_names(&v, part);
    return cut(e, &v, tsr_ll_interleave(e, part, v.count, e->size, element(e, &v)), true);
}

uint32_t tsr_ll_interleave(tsr_ll *e, const uint32_t *part, uint32_t group, uint32_t lanes, const char *type)
{
    if (group == 1) return part[0];
    uint32_t whole = tsr_ll_join_parts(e, part, group, lanes, type), name = tsr_ll_new(e);
    tsr_text list;
    tsr_text_init(&list, e->arena);
    for (uint32_t k = 0; k < group * lanes; k++)
        tsr_text_printf(&list, "%si32 %u", k ? ", " : "", k % group * lanes + k / group);
    tsr_ll_line(e, "%%t%u = shufflevector <%u x %s> %%t%u, <%u x %s> poison, <%u x i32> <%s>", name, group * lanes,
                type, whole, group * lanes, type, group * lanes, tsr_text_get(&list));
    return name;
}

/* ---- Operands. */

static bool is_same(const tsr_ll_value *v)
{
    for (uint32_t i = 0; i < v->count; i++)
        if (v->words[i].form != LL_SAME) return false;
    return true;
}

bool tsr_ll_stay_woven(const tsr_ll *e, tsr_id id, const tsr_ll_value *args, uint32_t count, uint32_t words)
{
    bool some = false;
    for (uint32_t i = 0; i < count; i++) {
        if (!args[i].woven && !is_same(&args[i])) return false;
        if (args[i].woven && args[i].count != words) return false;
        some = some || args[i].woven;
    }
    for (uint32_t w = 0; w < words && some; w++)
        if (tsr_shape_at(&e->shapes, id, w).run == e->shapes.full) return false;
    return some;
}

static bool is_equal(tsr_ll_word a, tsr_ll_word b)
{
    return a.is_const == b.is_const && (a.is_const ? a.bits == b.bits : a.name == b.name);
}

/* Each element that of its component. */
static tsr_ll_word spread(tsr_ll *e, const tsr_ll_value *v)
{
    uint32_t all = 0;
    const char *type = element(e, v);
    for (uint32_t i = 0; i < v->count; i++) {
        uint32_t next = tsr_ll_new(e);
        if (i)
            tsr_ll_line(e, "%%t%u = insertelement <%u x %s> %%t%u, %s %s, i64 %u", next, v->count, type, all, type,
                        tsr_ll_scalar(e, v->words[i]), i);
        else
            tsr_ll_line(e, "%%t%u = insertelement <%u x %s> poison, %s %s, i64 0", next, v->count, type, type,
                        tsr_ll_scalar(e, v->words[i]));
        all = next;
    }
    tsr_text list;
    tsr_text_init(&list, e->arena);
    for (uint32_t k = 0; k < e->size; k++)
        tsr_text_printf(&list, "%si32 %u", k ? ", " : "", k % v->count);
    tsr_ll_word w = tsr_ll_varied(e, v->words[0].type, tsr_ll_new(e));
    tsr_ll_line(e, "%%t%u = shufflevector <%u x %s> %%t%u, <%u x %s> poison, <%u x i32> <%s>", w.name, v->count, type,
                all, v->count, type, e->size, tsr_text_get(&list));
    return w;
}

tsr_ll_value tsr_ll_spread(tsr_ll *e, tsr_ll_value v)
{
    bool equal = true;
    if (v.woven || v.count == 1) return v;
    for (uint32_t i = 1; i < v.count; i++)
        equal = equal && is_equal(v.words[0], v.words[i]);
    tsr_ll_value r = tsr_ll_make(e, 1);
    r.words[0] = equal ? v.words[0] : spread(e, &v);
    return r;
}
