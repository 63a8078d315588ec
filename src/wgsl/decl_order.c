/* The order of module scope: declarations may be used before they stand in the text, but not in circles. All are
 * resolved in an order in which what they mention comes first, found without recursion, so that a chain of any length
 * is fine. WGSL, "Declaration and Scope". */
#include "wgsl/declare.h"

#include <string.h>

/* ---- What a declaration mentions, without the bodies of functions. */

typedef struct walker {
    tsr_wgsl *w;
    tsr_node *stack; /* expressions still to be looked at */
    uint32_t count, cap;
    tsr_pool *out;
} walker;

static void push_node(walker *k, tsr_node n)
{
    if (n == 0) return;
    if (k->count == k->cap) {
        uint32_t cap = k->cap == 0 ? 64 : k->cap * 2;
        tsr_node *grown = TSR_NEW_ARRAY(k->w->arena, tsr_node, cap);
        if (k->count > 0) memcpy(grown, k->stack, k->count * sizeof(*grown));
        k->stack = grown;
        k->cap = cap;
    }
    k->stack[k->count++] = n;
}

static void push_list(walker *k, tsr_list l)
{
    uint32_t count = tsr_ast_list_count(k->w->ast, l);
    for (uint32_t i = count; i > 0; i--)
        push_node(k, tsr_ast_list_at(k->w->ast, l, i - 1));
}

/* The names in these are not resolved: they mean something only there. */
static bool has_context_names(const tsr_wgsl *w, tsr_node attr)
{
    return tsr_wgsl_attr_is(w, attr, "builtin") || tsr_wgsl_attr_is(w, attr, "interpolate") ||
           tsr_wgsl_attr_is(w, attr, "diagnostic");
}

static void push_attrs(walker *k, tsr_list attrs)
{
    uint32_t count = tsr_ast_list_count(k->w->ast, attrs);
    for (uint32_t i = 0; i < count; i++) {
        tsr_node attr = tsr_ast_list_at(k->w->ast, attrs, i);
        if (!has_context_names(k->w, attr)) push_list(k, tsr_ast_at(k->w->ast, attr)->b);
    }
}

static void push_fields(walker *k, tsr_list fields)
{
    uint32_t count = tsr_ast_list_count(k->w->ast, fields);
    for (uint32_t i = 0; i < count; i++) {
        const tsr_ast_node *f = tsr_ast_at(k->w->ast, tsr_ast_list_at(k->w->ast, fields, i));
        push_node(k, tsr_ast_extra(k->w->ast, f, X_FIELD_type));
        push_attrs(k, tsr_ast_extra(k->w->ast, f, X_FIELD_attrs));
    }
}

static void push_decl(walker *k, tsr_node decl)
{
    const tsr_ast *ast = k->w->ast;
    const tsr_ast_node *n = tsr_ast_at(ast, decl);
    switch (n->kind) {
    case TSR_N_var:
    case TSR_N_const:
    case TSR_N_override:
        push_node(k, tsr_ast_extra(ast, n, X_VAR_type));
        push_node(k, tsr_ast_extra(ast, n, X_VAR_init));
        push_list(k, tsr_ast_extra(ast, n, X_VAR_template));
        push_attrs(k, tsr_ast_extra(ast, n, X_VAR_attrs));
        break;
    case TSR_N_alias: push_node(k, n->b); break;
    case TSR_N_const_assert: push_node(k, n->a); break;
    case TSR_N_struct: push_fields(k, n->b); break;
    case TSR_N_fn:
        push_fields(k, tsr_ast_extra(ast, n, X_FN_params));
        push_node(k, tsr_ast_extra(ast, n, X_FN_result));
        push_attrs(k, tsr_ast_extra(ast, n, X_FN_result_attrs));
        push_attrs(k, tsr_ast_extra(ast, n, X_FN_attrs));
        break;
    default: break;
    }
}

static void note_ident(walker *k, tsr_sym name)
{
    uint32_t decl = tsr_bound(k->w, name);
    if (decl != 0) *(uint32_t *)tsr_pool_at(k->out, tsr_pool_push(k->out, 1)) = decl;
}

static void walk_expr(walker *k, tsr_node node)
{
    const tsr_ast_node *n = tsr_ast_at(k->w->ast, node);
    switch (n->kind) {
    case TSR_N_ident:
        note_ident(k, n->a);
        push_list(k, n->b);
        break;
    case TSR_N_call:
        push_node(k, n->a);
        push_list(k, n->b);
        break;
    case TSR_N_index:
    case TSR_N_binary:
        push_node(k, n->a);
        push_node(k, n->b);
        break;
    case TSR_N_member:
    case TSR_N_unary:
    case TSR_N_paren: push_node(k, n->a); break;
    default: break;
    }
}

/* Appends the module-scope declarations (indices in wgsl.decls) that the expressions of a declaration mention: those
 * that are resolved before anything that uses its name. */
static void note_mentions(walker *k, tsr_node decl)
{
    push_decl(k, decl);
    while (k->count > 0)
        walk_expr(k, k->stack[--k->count]);
}

/* ---- Depth first, iteratively. */

typedef struct frame {
    uint32_t decl;        /* index in ast.decls */
    uint32_t first, last; /* what it mentions: [first, last) of the pool */
} frame;

typedef struct order {
    tsr_wgsl *w;
    unsigned char *color; /* by index in ast.decls: 0 new, 1 on the stack, 2 done */
    frame *stack;
    uint32_t count;
    tsr_pool mentions; /* of declarations; those of frames that are done are given back */
    walker walker;
} order;

#define PATH_NAMES_MAX 8u /* names shown of a long circle */

/* The declarations from `from` to the top of the stack mention each other in a circle. */
static void report_cycle(order *o, uint32_t from)
{
    tsr_wgsl *w = o->w;
    tsr_text path;
    tsr_text_init(&path, w->arena);
    for (uint32_t i = from; i < o->count; i++) {
        tsr_decl *d = tsr_decl_at(w, tsr_own(w)->decl_of[o->stack[i].decl]);
        if (i - from < PATH_NAMES_MAX) tsr_text_printf(&path, "%s -> ", tsr_sym_text(w, d->name));
        if (i - from == PATH_NAMES_MAX) tsr_text_puts(&path, "... -> ");
        d->state = TSR_DS_failed;
    }
    const tsr_decl *first = tsr_decl_at(w, tsr_own(w)->decl_of[o->stack[from].decl]);
    tsr_text_puts(&path, tsr_sym_text(w, first->name));
    tsr_error(w->diags, tsr_ast_span(w->ast, first->node), TSR_E_DECL_CYCLE,
              "`%s` depends on itself: %s; break the circle", tsr_sym_text(w, first->name), tsr_text_get(&path));
}

static void enter(order *o, uint32_t decl)
{
    tsr_node node = ((const tsr_ast_decl *)tsr_pool_at(&o->w->ast->decls, decl))->node;
    frame *f = &o->stack[o->count++];
    o->color[decl] = 1;
    f->decl = decl;
    f->first = o->mentions.count;
    note_mentions(&o->walker, node);
    f->last = o->mentions.count;
}

static void leave(order *o)
{
    tsr_wgsl *w = o->w;
    uint32_t decl = o->stack[--o->count].decl, index = tsr_own(w)->decl_of[decl];
    tsr_node node = ((const tsr_ast_decl *)tsr_pool_at(&w->ast->decls, decl))->node;
    o->color[decl] = 2;
    if (index != 0) {
        tsr_wgsl_resolve_decl(w, tsr_decl_at(w, index), tsr_ast_span(w->ast, node));
    } else if (tsr_ast_at(w->ast, node)->kind == TSR_N_const_assert) {
        tsr_wgsl_const_assert(w, node);
    }
}

static void visit(order *o, uint32_t root)
{
    enter(o, root);
    while (o->count > 0) {
        frame *f = &o->stack[o->count - 1];
        if (f->first == f->last) {
            o->mentions.count = f->last;
            leave(o);
            continue;
        }
        /* From the end, so that the pool shrinks as a stack. */
        uint32_t used = *(uint32_t *)tsr_pool_at(&o->mentions, --f->last);
        uint32_t decl = tsr_own(o->w)->ast_of[used];
        if (o->color[decl] == 0) {
            enter(o, decl);
        } else if (o->color[decl] == 1 && tsr_decl_at(o->w, used)->state != TSR_DS_failed) {
            uint32_t from = o->count - 1;
            while (o->stack[from].decl != decl)
                from--;
            report_cycle(o, from);
        }
    }
}

void tsr_wgsl_decls(tsr_wgsl *w)
{
    uint32_t count = w->ast->decls.count;
    order o = {.w = w};
    o.color = TSR_NEW_ARRAY(w->arena, unsigned char, count + 1);
    o.stack = TSR_NEW_ARRAY(w->arena, frame, count + 1);
    tsr_pool_init(&o.mentions, w->arena, sizeof(uint32_t));
    o.walker = (walker){.w = w, .out = &o.mentions};
    tsr_wgsl_register_decls(w);
    for (uint32_t i = 1; i < count; i++) {
        if (o.color[i] == 0) visit(&o, i);
    }
}
