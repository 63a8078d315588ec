/* What functions use: no function may reach itself, and the resources that an entry point reaches have bindings that do
 * not clash. WGSL, "Function Calls" and "Resource Interface". */
#include "wgsl/declare.h"

void tsr_wgsl_note_use(tsr_wgsl *w, uint32_t decl, tsr_span span)
{
    tsr_wgsl_own *own = tsr_own(w);
    if (own->used_in[decl] == w->function) return;
    own->used_in[decl] = w->function;
    tsr_fn_own *fn = tsr_fn_own_at(w, w->function);
    uint32_t index = tsr_pool_push(&own->uses, 1);
    tsr_fn_use *use = tsr_pool_at(&own->uses, index);
    use->decl = decl;
    use->span = span;
    if (fn->last_use == 0)
        fn->first_use = index;
    else
        ((tsr_fn_use *)tsr_pool_at(&own->uses, fn->last_use))->next = index;
    fn->last_use = index;
}

static const tsr_fn_use *use_at(const tsr_wgsl *w, uint32_t index)
{
    return tsr_pool_at(&tsr_own(w)->uses, index);
}

/* ---- Recursion: depth first, iteratively. */

typedef struct frame {
    uint32_t function, next_use;
    tsr_span call; /* where the frame below calls it */
} frame;

typedef struct graph {
    tsr_wgsl *w;
    unsigned char *color; /* by function: 0 new, 1 on the stack, 2 done */
    frame *stack;
    uint32_t count;
    bool recursive;
} graph;

#define PATH_NAMES_MAX 8u

static void report_recursion(graph *g, uint32_t from, tsr_span call)
{
    tsr_wgsl *w = g->w;
    tsr_text path;
    tsr_text_init(&path, w->arena);
    for (uint32_t i = from; i < g->count; i++) {
        const tsr_function *f = tsr_function_at(w->ir, g->stack[i].function);
        if (i - from < PATH_NAMES_MAX) tsr_text_printf(&path, "%s -> ", tsr_sym_text(w, f->name));
        if (i - from == PATH_NAMES_MAX) tsr_text_puts(&path, "... -> ");
    }
    const tsr_function *first = tsr_function_at(w->ir, g->stack[from].function);
    tsr_diag *d = tsr_error(w->diags, call, TSR_E_FN_RECURSION, "functions cannot call themselves: %s%s; use a loop",
                            tsr_text_get(&path), tsr_sym_text(w, first->name));
    for (uint32_t i = from + 1; i < g->count && i - from < PATH_NAMES_MAX; i++) {
        tsr_note(w->diags, d, g->stack[i].call, "`%s` is called here",
                 tsr_sym_text(w, tsr_function_at(w->ir, g->stack[i].function)->name));
    }
    g->recursive = true;
}

static void enter(graph *g, uint32_t function, tsr_span call)
{
    g->color[function] = 1;
    g->stack[g->count++] = (frame){function, tsr_fn_own_at(g->w, function)->first_use, call};
}

static void step(graph *g)
{
    frame *f = &g->stack[g->count - 1];
    if (f->next_use == 0) {
        g->color[f->function] = 2;
        tsr_own(g->w)->fn_order[tsr_own(g->w)->fn_order_count++] = f->function;
        g->count--;
        return;
    }
    const tsr_fn_use *use = use_at(g->w, f->next_use);
    const tsr_decl *d = tsr_decl_at(g->w, use->decl);
    f->next_use = use->next;
    if (d->kind != TSR_D_function) return;
    if (g->color[d->function] == 0) {
        enter(g, d->function, use->span);
    } else if (g->color[d->function] == 1) {
        uint32_t from = g->count - 1;
        while (g->stack[from].function != d->function)
            from--;
        report_recursion(g, from, use->span);
    }
}

static bool check_recursion(tsr_wgsl *w)
{
    uint32_t count = tsr_own(w)->fns.count;
    graph g = {.w = w};
    g.color = TSR_NEW_ARRAY(w->arena, unsigned char, count + 1);
    g.stack = TSR_NEW_ARRAY(w->arena, frame, count + 1);
    tsr_own(w)->fn_order = TSR_NEW_ARRAY(w->arena, uint32_t, count + 1);
    for (uint32_t f = 1; f < count; f++) {
        if (g.color[f] == 0) enter(&g, f, (tsr_span){0, 0});
        while (g.count > 0)
            step(&g);
    }
    return !g.recursive;
}

/* ---- What entry points reach. */

typedef struct reach {
    tsr_wgsl *w;
    uint32_t *stamp; /* by function: the entry point that last reached it */
    uint32_t *stack;
    uint32_t count;
    uint32_t entry;
    tsr_map bindings;   /* group and binding -> declaration, of the entry point */
    uint32_t immediate; /* its variable of immediate data, 0: none yet; pixel_local the same */
    uint32_t pixel_local;
} reach;

static void check_binding(reach *r, uint32_t decl, const tsr_fn_use *use)
{
    tsr_wgsl *w = r->w;
    const tsr_decl *d = tsr_decl_at(w, decl);
    const tsr_global *g = tsr_global_at(w->ir, tsr_inst_at(w->ir, d->id)->aux);
    uint64_t key = (uint64_t)g->group << 32 | g->binding;
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
static void check_single(reach *r, const tsr_fn_use *use, uint32_t *first, const char *what)
{
    tsr_wgsl *w = r->w;
    if (*first == 0) *first = use->decl;
    if (*first == use->decl) return;
    tsr_error(w->diags, use->span, TSR_E_BINDING_CLASH,
              "`%s` uses two variables of %s, `%s` and `%s`; put both into one struct",
              tsr_sym_text(w, tsr_function_at(w->ir, r->entry)->name), what,
              tsr_sym_text(w, tsr_decl_at(w, *first)->name), tsr_sym_text(w, tsr_decl_at(w, use->decl)->name));
}

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

static void check_variable(reach *r, const tsr_fn_use *use)
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

static void push_function(reach *r, uint32_t function)
{
    if (r->stamp[function] == r->entry) return;
    r->stamp[function] = r->entry;
    r->stack[r->count++] = function;
}

static void check_entry(reach *r, uint32_t entry)
{
    r->entry = entry;
    r->immediate = r->pixel_local = 0;
    tsr_map_init(&r->bindings, r->w->arena);
    push_function(r, entry);
    while (r->count > 0) {
        uint32_t function = r->stack[--r->count];
        for (uint32_t u = tsr_fn_own_at(r->w, function)->first_use; u != 0; u = use_at(r->w, u)->next) {
            const tsr_decl *d = tsr_decl_at(r->w, use_at(r->w, u)->decl);
            if (d->kind == TSR_D_function) push_function(r, d->function);
            if (d->kind == TSR_D_var) check_variable(r, use_at(r->w, u));
        }
    }
}

void tsr_wgsl_call_graph(tsr_wgsl *w)
{
    uint32_t count = tsr_own(w)->fns.count;
    reach r = {.w = w};
    if (!check_recursion(w) || w->diags->error_count != 0) return;
    r.stamp = TSR_NEW_ARRAY(w->arena, uint32_t, count + 1);
    r.stack = TSR_NEW_ARRAY(w->arena, uint32_t, count + 1);
    for (uint32_t f = 1; f < count; f++) {
        if (tsr_function_at(w->ir, f)->is_entry) check_entry(&r, f);
    }
    tsr_wgsl_check_aliasing(w);
}
