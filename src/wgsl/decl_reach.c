/* What entry points reach: their resources have bindings that do not clash and are such as their stage may use. WGSL,
 * "Resource Interface", "Address Spaces". What each function reaches is summed up once, callees first; only an entry
 * point whose sum shows a fault is walked to name it. */
#include "base/set.h"
#include "wgsl/declare.h"

/* WGSL, "Address Spaces". NULL: the variable may be used in the stage. */
static const char *why_not_in_stage(tsr_wgsl *w, const tsr_decl *d, tsr_stage stage)
{
    if (d->space == TSR_SPACE_workgroup && stage != TSR_STAGE_COMPUTE)
        return "only compute entry points have workgroup memory";
    if (tsr_wgsl_is_pixel_local(w, d->node) && stage != TSR_STAGE_FRAGMENT)
        return "only fragment entry points have pixel-local memory";
    if (stage != TSR_STAGE_VERTEX) return NULL;
    if (d->space == TSR_SPACE_storage && d->access == TSR_ACCESS_read_write)
        return "vertex entry points cannot use storage that may be written (var<storage, read> can be used)";
    if (d->space == TSR_SPACE_handle && tsr_wgsl_is_written_texture(w, d->type))
        return "vertex entry points cannot use storage textures that may be written";
    return NULL;
}

/* ---- Sums. */

#define SEVERAL UINT32_MAX /* different declarations where one may be */

/* What a function and all it calls use. */
struct summary {
    const tsr_set *rivals, *places; /* variables that share their binding with another, and those bindings: clashes when
                                       there are fewer of the second */
    uint32_t immediate, pixel_local; /* the variable, 0: none, or SEVERAL */
    unsigned refused;                /* stages that may not use all of it, a bit each */
};

struct sums {
    tsr_wgsl *w;
    struct summary *of; /* by function */
    tsr_sets sets;
    tsr_map rivals; /* declaration -> number of its binding; only those that another has too */
};

static const tsr_global *global_of(const tsr_wgsl *w, const tsr_decl *d)
{
    return tsr_global_at(w->ir, tsr_inst_at(w->ir, d->id)->aux);
}

static uint64_t binding_key(const tsr_global *g)
{
    return (uint64_t)g->group << 32 | g->binding;
}

static void find_rivals(struct sums *s)
{
    tsr_wgsl *w = s->w;
    tsr_map first;
    tsr_map_init(&first, w->arena);
    tsr_map_init(&s->rivals, w->arena);
    for (uint32_t i = 1; i < tsr_own(w)->module_decls; i++) {
        const tsr_decl *d = tsr_decl_at(w, i);
        uint32_t before;
        if (d->kind != TSR_D_var || !global_of(w, d)->has_binding) continue;
        uint64_t key = binding_key(global_of(w, d));
        if (!tsr_map_find(&first, key, &before)) {
            tsr_map_set(&first, key, i);
            continue;
        }
        tsr_map_set(&s->rivals, before, before);
        tsr_map_set(&s->rivals, i, before);
    }
}

static uint32_t either(uint32_t one, uint32_t other)
{
    if (one == 0 || other == 0 || one == other) return one | other;
    return SEVERAL;
}

static void add_variable(struct sums *s, struct summary *to, uint32_t decl)
{
    tsr_wgsl *w = s->w;
    const tsr_decl *d = tsr_decl_at(w, decl);
    uint32_t place;
    if (tsr_map_find(&s->rivals, decl, &place)) {
        to->rivals = tsr_set_with(&s->sets, to->rivals, decl);
        to->places = tsr_set_with(&s->sets, to->places, place);
    }
    if (d->space == TSR_SPACE_immediate) to->immediate = either(to->immediate, decl);
    if (tsr_wgsl_is_pixel_local(w, d->node)) to->pixel_local = either(to->pixel_local, decl);
    for (unsigned stage = TSR_STAGE_COMPUTE; stage <= TSR_STAGE_FRAGMENT; stage++)
        if (why_not_in_stage(w, d, (tsr_stage)stage)) to->refused |= 1u << stage;
}

static void add_callee(struct sums *s, struct summary *to, const struct summary *from)
{
    to->rivals = tsr_set_union(&s->sets, to->rivals, from->rivals);
    to->places = tsr_set_union(&s->sets, to->places, from->places);
    to->immediate = either(to->immediate, from->immediate);
    to->pixel_local = either(to->pixel_local, from->pixel_local);
    to->refused |= from->refused;
}

static void sum_up(struct sums *s, uint32_t function)
{
    for (uint32_t u = tsr_fn_own_at(s->w, function)->first_use; u != 0;) {
        const tsr_fn_use *use = tsr_fn_use_at(s->w, u);
        const tsr_decl *d = tsr_decl_at(s->w, use->decl);
        if (d->kind == TSR_D_function) add_callee(s, &s->of[function], &s->of[d->function]);
        if (d->kind == TSR_D_var) add_variable(s, &s->of[function], use->decl);
        u = use->next;
    }
}

static bool is_faulty(const struct sums *s, uint32_t function)
{
    const struct summary *of = &s->of[function];
    return tsr_set_count(of->rivals) != tsr_set_count(of->places) || of->immediate == SEVERAL ||
           of->pixel_local == SEVERAL || (of->refused >> tsr_function_at(s->w->ir, function)->stage & 1) != 0;
}

/* ---- Naming the faults of one entry point. */

struct walk {
    tsr_wgsl *w;
    uint32_t *stamp; /* by function: the entry point that last reached it */
    uint32_t *stack;
    uint32_t count;
    uint32_t entry;
    tsr_map bindings;   /* group and binding -> declaration, of the entry point */
    uint32_t immediate; /* its variable of immediate data, 0: none yet; pixel_local the same */
    uint32_t pixel_local;
};

static void check_binding(struct walk *r, uint32_t decl, const tsr_fn_use *use)
{
    tsr_wgsl *w = r->w;
    const tsr_decl *d = tsr_decl_at(w, decl);
    const tsr_global *g = global_of(w, d);
    uint64_t key = binding_key(g);
    uint32_t before;
    if (!g->has_binding) return;
    if (!tsr_map_find(&r->bindings, key, &before)) {
        tsr_map_set(&r->bindings, key, decl);
    } else if (before != decl) {
        tsr_diag *diag = tsr_error(w->diags, tsr_ast_span(w->ast, d->node), TSR_E_BINDING_CLASH,
                                   "`%s` and `%s` both have @group(%u) @binding(%u) and are used by the entry point "
                                   "`%s`; give one another binding",
                                   tsr_sym_text(w, d->name), tsr_sym_text(w, tsr_decl_at(w, before)->name), g->group,
                                   g->binding, tsr_sym_text(w, tsr_function_at(w->ir, r->entry)->name));
        tsr_note(w->diags, diag, use->span, "`%s` is used here", tsr_sym_text(w, d->name));
    }
}

/* WGSL, "var Declarations": an entry point has one variable of immediate data at most. */
static void check_single(struct walk *r, const tsr_fn_use *use, uint32_t *first, const char *what)
{
    tsr_wgsl *w = r->w;
    if (*first == 0) *first = use->decl;
    if (*first == use->decl) return;
    tsr_error(w->diags, use->span, TSR_E_BINDING_CLASH,
              "`%s` uses two variables of %s, `%s` and `%s`; put both into one struct",
              tsr_sym_text(w, tsr_function_at(w->ir, r->entry)->name), what,
              tsr_sym_text(w, tsr_decl_at(w, *first)->name), tsr_sym_text(w, tsr_decl_at(w, use->decl)->name));
}

static void check_variable(struct walk *r, const tsr_fn_use *use)
{
    tsr_wgsl *w = r->w;
    const tsr_decl *d = tsr_decl_at(w, use->decl);
    const tsr_function *entry = tsr_function_at(w->ir, r->entry);
    check_binding(r, use->decl, use);
    if (d->space == TSR_SPACE_immediate) check_single(r, use, &r->immediate, "immediate data");
    if (tsr_wgsl_is_pixel_local(w, d->node)) check_single(r, use, &r->pixel_local, "pixel-local memory");
    const char *wrong = why_not_in_stage(w, d, entry->stage);
    if (wrong == NULL) return;
    tsr_diag *diag = tsr_error(w->diags, use->span, TSR_E_STAGE_USE, "%s, but `%s` reaches `%s`", wrong,
                               tsr_sym_text(w, entry->name), tsr_sym_text(w, d->name));
    tsr_note(w->diags, diag, entry->span, "the entry point is here");
}

static void push_function(struct walk *r, uint32_t function)
{
    if (r->stamp[function] == r->entry) return;
    r->stamp[function] = r->entry;
    r->stack[r->count++] = function;
}

static void check_entry(struct walk *r, uint32_t entry)
{
    r->entry = entry;
    r->immediate = r->pixel_local = 0;
    tsr_map_init(&r->bindings, r->w->arena);
    push_function(r, entry);
    while (r->count > 0) {
        uint32_t function = r->stack[--r->count];
        for (uint32_t u = tsr_fn_own_at(r->w, function)->first_use; u != 0; u = tsr_fn_use_at(r->w, u)->next) {
            const tsr_decl *d = tsr_decl_at(r->w, tsr_fn_use_at(r->w, u)->decl);
            if (d->kind == TSR_D_function) push_function(r, d->function);
            if (d->kind == TSR_D_var) check_variable(r, tsr_fn_use_at(r->w, u));
        }
    }
}

void tsr_wgsl_check_reached(tsr_wgsl *w)
{
    const tsr_wgsl_own *own = tsr_own(w);
    struct sums s = {.w = w, .sets = {.arena = w->arena}};
    struct walk r = {.w = w};
    s.of = TSR_NEW_ARRAY(w->arena, struct summary, own->fns.count + 1);
    r.stamp = TSR_NEW_ARRAY(w->arena, uint32_t, own->fns.count + 1);
    r.stack = TSR_NEW_ARRAY(w->arena, uint32_t, own->fns.count + 1);
    find_rivals(&s);
    for (uint32_t i = 0; i < own->fn_order_count; i++)
        sum_up(&s, own->fn_order[i]);
    /* Past the limit nothing more is shown, and many walks would be long. */
    for (uint32_t f = 1; f < own->fns.count && w->diags->error_count <= w->diags->limit; f++)
        if (tsr_function_at(w->ir, f)->is_entry && is_faulty(&s, f)) check_entry(&r, f);
}
