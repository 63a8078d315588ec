/* Names and scopes: registering the declarations of module scope, looking names up, resolving a declaration when it is
 * first needed, suggestions for misspelt names. WGSL, "Declaration and Scope". */
#include "wgsl/declare.h"

#include <string.h>

/* ---- Bindings: by symbol, the innermost declaration. */

static void bind(tsr_wgsl *w, tsr_sym sym, uint32_t decl)
{
    if (sym >= w->bindings.count) tsr_pool_push(&w->bindings, sym - w->bindings.count + 1);
    *(uint32_t *)tsr_pool_at(&w->bindings, sym) = decl;
}

static void push_scope(tsr_wgsl *w, uint32_t decl)
{
    tsr_wgsl_own *own = tsr_own(w);
    if (own->scope_count == own->scope_cap) {
        uint32_t cap = own->scope_cap == 0 ? 64 : own->scope_cap * 2;
        uint32_t *grown = TSR_NEW_ARRAY(w->arena, uint32_t, cap);
        if (own->scope_count > 0) memcpy(grown, own->scope, own->scope_count * sizeof(*grown));
        own->scope = grown;
        own->scope_cap = cap;
    }
    own->scope[own->scope_count++] = decl;
}

static void report_redeclared(tsr_wgsl *w, tsr_node node, const tsr_decl *first)
{
    const char *name = tsr_sym_text(w, first->name);
    tsr_diag *d = tsr_error(w->diags, tsr_ast_span(w->ast, node), TSR_E_REDECLARED,
                            "`%s` is declared a second time in this scope; rename one of them", name);
    tsr_note(w->diags, d, tsr_ast_span(w->ast, first->node), "`%s` is first declared here", name);
}

static tsr_decl *add_decl(tsr_wgsl *w, tsr_sym name, tsr_decl_kind kind, tsr_node node)
{
    uint32_t index = tsr_pool_push(&w->decls, 1);
    tsr_decl *d = tsr_decl_at(w, index);
    memset(d, 0, sizeof(*d)); /* closed scopes gave their elements back as they were */
    d->kind = (uint8_t)kind;
    d->name = name;
    d->node = node;
    d->depth = w->depth;
    d->shadowed = tsr_bound(w, name);
    return d;
}

tsr_decl *tsr_wgsl_declare(tsr_wgsl *w, tsr_sym name, tsr_decl_kind kind, tsr_node node)
{
    uint32_t before = tsr_bound(w, name);
    if (before != 0 && tsr_decl_at(w, before)->depth == w->depth) {
        report_redeclared(w, node, tsr_decl_at(w, before));
    }
    tsr_decl *d = add_decl(w, name, kind, node);
    uint32_t index = w->decls.count - 1;
    bind(w, name, index);
    push_scope(w, index);
    return d;
}

void tsr_wgsl_scope_open(tsr_wgsl *w)
{
    w->depth++;
}

/* Gives the scope's declarations back: nothing points to them any more. */
void tsr_wgsl_scope_close(tsr_wgsl *w)
{
    tsr_wgsl_own *own = tsr_own(w);
    while (own->scope_count > 0) {
        uint32_t index = own->scope[own->scope_count - 1];
        const tsr_decl *d = tsr_decl_at(w, index);
        if (d->depth != w->depth) break;
        bind(w, d->name, d->shadowed);
        w->decls.count = index;
        own->scope_count--;
    }
    w->depth--;
}

/* ---- Module scope. */

static tsr_decl_kind kind_of_node(const tsr_ast_node *n)
{
    switch (n->kind) {
    case TSR_N_const: return TSR_D_const;
    case TSR_N_override: return TSR_D_override;
    case TSR_N_var: return TSR_D_var;
    case TSR_N_alias: return TSR_D_alias;
    case TSR_N_struct: return TSR_D_struct;
    case TSR_N_fn: return TSR_D_function;
    default: return TSR_D_none;
    }
}

static tsr_sym name_of_node(const tsr_wgsl *w, const tsr_ast_node *n)
{
    if (n->kind == TSR_N_alias || n->kind == TSR_N_struct) return n->a;
    return tsr_ast_extra(w->ast, n, n->kind == TSR_N_fn ? (uint32_t)X_FN_name : (uint32_t)X_VAR_name);
}

/* All names first: uses may precede declarations. */
void tsr_wgsl_register_decls(tsr_wgsl *w)
{
    tsr_wgsl_own *own = tsr_own(w);
    uint32_t count = w->ast->decls.count;
    own->ast_of = TSR_NEW_ARRAY(w->arena, uint32_t, count + 1);
    own->decl_of = TSR_NEW_ARRAY(w->arena, uint32_t, count + 1);
    for (uint32_t i = 1; i < count; i++) {
        tsr_node node = ((const tsr_ast_decl *)tsr_pool_at(&w->ast->decls, i))->node;
        const tsr_ast_node *n = tsr_ast_at(w->ast, node);
        tsr_decl_kind kind = kind_of_node(n);
        if (kind == TSR_D_none) continue;
        tsr_sym name = name_of_node(w, n);
        uint32_t before = tsr_bound(w, name);
        if (before != 0) report_redeclared(w, node, tsr_decl_at(w, before));
        add_decl(w, name, kind, node);
        own->decl_of[i] = w->decls.count - 1;
        own->ast_of[w->decls.count - 1] = i;
        if (before == 0) bind(w, name, w->decls.count - 1);
    }
    own->module_decls = w->decls.count;
    own->used_in = TSR_NEW_ARRAY(w->arena, uint32_t, own->module_decls);
}

/* ---- Looking up. */

/* WGSL, "Loop Statement": a `continue` must not skip a declaration that the continuing block uses. */
static bool check_bypass(tsr_wgsl *w, const tsr_decl *d, tsr_span use)
{
    for (const tsr_stmt_context *c = w->stmt; c != NULL; c = c->outer) {
        if (!c->is_loop || !c->in_continuing || !c->has_continue || d->depth != c->body_depth) continue;
        if (tsr_ast_at(w->ast, d->node)->pos < c->continue_pos) continue;
        const char *name = tsr_sym_text(w, d->name);
        tsr_diag *diag = tsr_error(w->diags, use, TSR_E_CONTINUE_BYPASS,
                                   "the continuing block uses `%s`, but a `continue` skips its declaration; declare it "
                                   "before the `continue`",
                                   name);
        tsr_note(w->diags, diag, (tsr_span){c->continue_pos, (uint32_t)strlen("continue")}, "the `continue` is here");
        tsr_note(w->diags, diag, tsr_ast_span(w->ast, d->node), "`%s` is declared here", name);
        return false;
    }
    return true;
}

static tsr_decl *use_module_decl(tsr_wgsl *w, uint32_t index, tsr_span use, bool *failed)
{
    tsr_decl *d = tsr_decl_at(w, index);
    tsr_wgsl_resolve_decl(w, d, use);
    *failed = d->state != TSR_DS_done;
    if (*failed) return NULL;
    if (w->function != 0) tsr_wgsl_note_use(w, index, use);
    if (d->kind == TSR_D_function && tsr_function_at(w->ir, d->function)->is_entry && w->function != 0) {
        tsr_diag *diag = tsr_error(w->diags, use, TSR_E_ENTRY_CALL,
                                   "`%s` is an entry point and cannot be called; move what both need into a function "
                                   "without stage attribute",
                                   tsr_sym_text(w, d->name));
        tsr_note(w->diags, diag, tsr_ast_span(w->ast, d->node), "`%s` is declared here", tsr_sym_text(w, d->name));
        *failed = true;
        return NULL;
    }
    return d;
}

tsr_decl *tsr_wgsl_lookup(tsr_wgsl *w, tsr_sym name, tsr_span use, bool *failed)
{
    uint32_t index = tsr_bound(w, name);
    *failed = false;
    if (index == 0) return NULL;
    tsr_decl *d = tsr_decl_at(w, index);
    if (d->depth == 0) return use_module_decl(w, index, use, failed);
    *failed = d->state == TSR_DS_failed || !check_bypass(w, d, use);
    return *failed ? NULL : d;
}

bool tsr_wgsl_is_new_unknown(tsr_wgsl *w, tsr_type type, tsr_sym name)
{
    tsr_map *unknown = &tsr_own(w)->unknown;
    uint64_t key = (uint64_t)type << 32 | name;
    uint32_t before;
    if (tsr_map_find(unknown, key, &before)) return false;
    tsr_map_set(unknown, key, 1);
    return true;
}

/* ---- Suggestions. */

/* Suggestions look at every name of the program: only for the first mistakes of a file. */
#define SUGGESTIONS_MAX           20u
#define SUGGESTION_NAME_BYTES_MAX 64u

static bool is_known_name(const tsr_wgsl *w, tsr_sym sym)
{
    return tsr_bound(w, sym) != 0 || tsr_wgsl_is_predeclared_type(w, sym) || tsr_wgsl_is_builtin(w, sym) ||
           tsr_wgsl_is_matrix_function(w, sym);
}

/* The nearest name so far. */
typedef struct nearest {
    tsr_str wrong, name;
    unsigned distance;
} nearest;

/* Whether the name is nearer than all before. */
static bool is_nearer(const nearest *n, tsr_str s, unsigned *distance)
{
    size_t gap = s.len > n->wrong.len ? s.len - n->wrong.len : n->wrong.len - s.len;
    if (gap >= n->distance) return false;
    *distance = tsr_text_distance(n->wrong, s, n->distance - 1);
    return *distance > 0 && *distance < n->distance && *distance < n->wrong.len;
}

void tsr_wgsl_suggest(tsr_wgsl *w, tsr_diag *d, tsr_sym name)
{
    nearest n = {.wrong = tsr_symbols_get(w->symbols, name)};
    const char *builtin;
    unsigned distance;
    n.distance = n.wrong.len < 3 ? 2 : n.wrong.len < 8 ? 3 : 4;
    if (n.wrong.len > SUGGESTION_NAME_BYTES_MAX || tsr_own(w)->suggestions++ >= SUGGESTIONS_MAX) return;
    for (tsr_sym sym = 1; sym < w->symbols->names.count; sym++) {
        tsr_str s = tsr_symbols_get(w->symbols, sym);
        if (!is_nearer(&n, s, &distance) || !is_known_name(w, sym)) continue;
        n.name = s;
        n.distance = distance;
    }
    for (uint32_t i = 0; (builtin = tsr_wgsl_builtin_name(i)) != NULL; i++) {
        tsr_str s = {builtin, strlen(builtin)};
        if (!is_nearer(&n, s, &distance)) continue;
        n.name = s;
        n.distance = distance;
    }
    if (n.name.len != 0) tsr_note(w->diags, d, (tsr_span){0, 0}, "did you mean `%s`?", n.name.s);
}

void tsr_wgsl_suggest_of(tsr_wgsl *w, tsr_diag *d, const char *name, const char *const *names, size_t count)
{
    const tsr_str wrong = {name, strlen(name)};
    const char *best = NULL;
    unsigned best_distance = wrong.len < 4 ? (unsigned)wrong.len : 4;
    for (size_t i = 0; i < count; i++) {
        unsigned distance = tsr_text_distance(wrong, (tsr_str){names[i], strlen(names[i])}, 3);
        if (distance < best_distance) best_distance = distance, best = names[i];
    }
    if (best != NULL) tsr_note(w->diags, d, (tsr_span){0, 0}, "did you mean `%s`?", best);
}
