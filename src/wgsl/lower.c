/* The way from the syntax tree to IR: directives, then module scope in the order of its dependencies, then the bodies
 * of functions, then what can be said only about the whole. */
#include "wgsl/lower.h"
#include "wgsl/declare.h"

static void init_own(tsr_wgsl *w)
{
    tsr_wgsl_own *own = TSR_NEW(w->arena, tsr_wgsl_own);
    w->own[TSR_WGSL_OWN_decl] = own;
    tsr_map_init(&own->override_ids, w->arena);
    tsr_map_init(&own->member_io, w->arena);
    tsr_map_init(&own->binding_arrays, w->arena);
    tsr_map_init(&own->unknown, w->arena);
    tsr_pool_init(&own->io_facts, w->arena, sizeof(tsr_io_facts));
    tsr_pool_init(&own->fns, w->arena, sizeof(tsr_fn_own));
    tsr_pool_init(&own->uses, w->arena, sizeof(tsr_fn_use));
    tsr_pool_init(&own->dead_blocks, w->arena, sizeof(tsr_dead_block));
    tsr_wgsl_types_init(w);
}

static void init(tsr_wgsl *w, tsr_ir *ir, const tsr_ast *ast, tsr_diags *diags)
{
    *w = (tsr_wgsl){
        .arena = ir->arena, .symbols = ir->symbols, .ir = ir, .types = ir->types, .ast = ast, .diags = diags};
    w->b.ir = ir;
    w->b.block = ir->module_block;
    tsr_pool_init(&w->decls, w->arena, sizeof(tsr_decl));
    tsr_pool_init(&w->bindings, w->arena, sizeof(uint32_t));
    init_own(w);
    if (w->symbols->names.count > 1) tsr_pool_push(&w->bindings, w->symbols->names.count - 1);
}

static void lower_bodies(tsr_wgsl *w)
{
    for (uint32_t i = 1; i < tsr_own(w)->module_decls; i++) {
        tsr_decl *d = tsr_decl_at(w, i);
        if (d->kind == TSR_D_function) tsr_wgsl_function_body(w, d);
    }
}

bool tsr_wgsl_lower(tsr_ir *ir, const tsr_ast *ast, tsr_diags *diags)
{
    tsr_wgsl w;
    uint32_t errors = diags->error_count;
    init(&w, ir, ast, diags);
    tsr_wgsl_directives(&w);
    tsr_wgsl_decls(&w);
    lower_bodies(&w);
    tsr_wgsl_call_graph(&w);
    if (diags->error_count == errors) tsr_wgsl_check_stages(&w);
    return diags->error_count == errors;
}
