/* What functions use, and the order in which they call: no function may reach itself. WGSL, "Function Calls". */
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

void tsr_wgsl_walk_function(const tsr_wgsl *w, uint32_t function, void (*visit)(void *user, tsr_id id), void *user)
{
    tsr_block body = tsr_function_at(w->ir, function)->body;
    if (body != 0) tsr_block_walk(w->ir, body, visit, user);
    for (uint32_t d = tsr_fn_own_at(w, function)->first_dead; d != 0;) {
        const tsr_dead_block *dead = tsr_pool_at(&tsr_own(w)->dead_blocks, d);
        tsr_block_walk(w->ir, dead->block, visit, user);
        d = dead->next;
    }
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
    const tsr_fn_use *use = tsr_fn_use_at(g->w, f->next_use);
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

void tsr_wgsl_call_graph(tsr_wgsl *w)
{
    if (!check_recursion(w) || w->diags->error_count != 0) return;
    tsr_wgsl_check_reached(w);
    tsr_wgsl_check_aliasing(w);
    tsr_wgsl_check_buffer_calls(w);
}
