/* Pointer parameters become what they point into. For targets whose pointers cannot be passed: each call that passes a
 * pointer to something else than a whole variable of a function gets a function of its own, made for that place. A
 * pointer to a part of module-scope variable v becomes v itself and the indices on the way as parameters; a pointer to
 * a part of a function's variable becomes a pointer to the whole variable, and the indices.
 *
 * Callers come before callees, by a list of what is left to do, so that a function's own parameters are whole variables
 * when its calls are looked at. Calls do not recurse (WGSL), so this ends. */
#include "pass/pass.h"

#include <stdio.h>
#include <string.h>

enum {
    STEPS_MAX = TSR_IR_TYPE_DEPTH_MAX,
    INSTS_MAX = 1 << 23 /* a small program can have 2^n ways of calling: where it stops to be a program */
};

/* One step on the way from the variable: as `field` or `index`, with the type of the pointer that it leads to. */
struct step {
    tsr_op op;
    uint32_t member; /* field */
    tsr_type pointer;
    tsr_type index; /* index: the type of the parameter that brings it */
};

/* Where a pointer argument points. */
struct path {
    bool is_pointer, is_whole; /* whole: a variable or parameter of a function, passed as it is */
    tsr_id global;             /* the module-scope variable; 0: a variable of the caller */
    tsr_type root;             /* its pointer type */
    struct step *steps;
    uint32_t count;
};

/* A function made for a place. */
struct made {
    uint32_t from, to; /* functions */
    const struct path *paths;
};

struct pass {
    tsr_ir *ir;
    tsr_map seen; /* functions looked at or waiting */
    uint32_t *waiting;
    uint32_t waiting_count, waiting_cap;
    tsr_map made; /* function -> number in made_pool */
    tsr_pool made_pool;
    tsr_diags *diags;
    bool changed, stopped;
};

/* ---- Paths. */

static bool is_pointer(const tsr_ir *ir, tsr_type type)
{
    return tsr_type_kind_of(ir->types, type) == TSR_T_ptr;
}

static void add_step(const tsr_ir *ir, struct path *p, const tsr_inst *inst)
{
    struct step s = {.op = (tsr_op)inst->op, .pointer = inst->type};
    if (inst->op == TSR_OP_field)
        s.member = inst->aux;
    else
        s.index = tsr_inst_at(ir, tsr_arg(ir, inst, 1))->type;
    p->steps[p->count++] = s;
}

/* Fills in a path; *root is the value that it begins with, `indices` the index values in the order of the path. */
static void find_path(const tsr_ir *ir, tsr_id pointer, struct path *p, tsr_id *root, tsr_id *indices)
{
    tsr_id way[STEPS_MAX];
    uint32_t count = 0, index_count = 0;
    const tsr_inst *inst = tsr_inst_at(ir, pointer);
    p->is_pointer = true;
    for (; inst->op == TSR_OP_field || inst->op == TSR_OP_index; inst = tsr_inst_at(ir, pointer)) {
        if (count == STEPS_MAX) TSR_ICE("a pointer goes deeper than types nest");
        way[count++] = pointer;
        pointer = tsr_arg(ir, inst, 0);
    }
    p->global = inst->op == TSR_OP_global ? pointer : 0;
    p->root = inst->type;
    *root = pointer;
    p->steps = TSR_NEW_ARRAY(ir->arena, struct step, count + 1u);
    while (count > 0) {
        inst = tsr_inst_at(ir, way[--count]);
        add_step(ir, p, inst);
        if (inst->op == TSR_OP_index) indices[index_count++] = tsr_arg(ir, inst, 1);
    }
    p->is_whole = p->global == 0 && p->count == 0;
}

static bool is_same_path(const struct path *a, const struct path *b)
{
    if (a->is_pointer != b->is_pointer || a->global != b->global || a->root != b->root || a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++) {
        const struct step *x = &a->steps[i], *y = &b->steps[i];
        if (x->op != y->op || x->member != y->member || x->index != y->index) return false;
    }
    return true;
}

/* ---- Copies of functions. */

struct copy {
    tsr_ir *ir;
    tsr_map values; /* old to new */
};

static tsr_id mapped(const struct copy *c, tsr_id id)
{
    uint32_t to;
    return tsr_map_find(&c->values, id, &to) ? to : id;
}

static tsr_block copy_block(struct copy *c, tsr_block from);

static void copy_operands(const struct copy *c, const tsr_inst *from, tsr_inst *to)
{
    if (from->nargs > 2) to->args = tsr_pool_push(&c->ir->args, from->nargs);
    for (uint32_t i = 0; i < from->nargs; i++)
        tsr_arg_set(c->ir, to, i, mapped(c, tsr_arg(c->ir, from, i)));
}

static uint32_t copy_switch(struct copy *c, uint32_t number)
{
    uint32_t made = tsr_pool_push(&c->ir->switches, 1);
    const tsr_switch *from = tsr_switch_at(c->ir, number);
    tsr_switch *to = tsr_switch_at(c->ir, made);
    *to = *from;
    to->cases = TSR_NEW_ARRAY(c->ir->arena, tsr_case, from->case_count + 1u);
    for (uint32_t i = 0; i < from->case_count; i++) {
        to->cases[i] = from->cases[i]; /* selectors are constants: shared */
        to->cases[i].block = copy_block(c, from->cases[i].block);
    }
    return made;
}

static void copy_inst(struct copy *c, tsr_block into, tsr_id id)
{
    tsr_id made = tsr_pool_push(&c->ir->insts, 1);
    const tsr_inst *from = tsr_inst_at(c->ir, id);
    tsr_inst *to = tsr_inst_at(c->ir, made);
    *to = *from;
    copy_operands(c, from, to);
    tsr_map_set(&c->values, id, made);
    tsr_block_append(c->ir, into, made);
    if (from->op == TSR_OP_switch) {
        to->aux = copy_switch(c, from->aux);
    } else if (tsr_op_table[from->op].flags & TSR_OPF_BLOCKS) {
        uint32_t list = tsr_pool_push(&c->ir->block_lists, 2);
        for (uint32_t i = 0; i < 2; i++) {
            tsr_block block = tsr_inst_block(c->ir, from, i);
            *(tsr_block *)tsr_pool_at(&c->ir->block_lists, list + i) = block ? copy_block(c, block) : 0;
        }
        to->blocks = list;
    }
}

static void copy_into(struct copy *c, tsr_block into, tsr_block from)
{
    const tsr_block_info *info = tsr_block_at(c->ir, from);
    for (uint32_t i = 0; i < info->count; i++)
        copy_inst(c, into, info->insts[i]);
}

/* Recursion is as deep as blocks nest (TSR_IR_BLOCK_DEPTH_MAX). */
static tsr_block copy_block(struct copy *c, tsr_block from)
{
    tsr_block into = tsr_block_new(c->ir);
    copy_into(c, into, from);
    return into;
}

/* ---- A function for a place. */

static tsr_sym new_name(tsr_ir *ir, tsr_sym name, uint32_t number)
{
    tsr_text t;
    tsr_text_init(&t, ir->arena);
    do {
        t.len = 0;
        tsr_text_printf(&t, "%s_%u", tsr_symbols_cstr(ir->symbols, name), (unsigned)number++);
    } while (tsr_symbols_find(ir->symbols, t.s, t.len));
    return tsr_symbols_add(ir->symbols, t.s, t.len);
}

/* The parameters of the new function, in order: for each old one itself, or the whole variable and the indices. */
static void list_params(const tsr_function *f, const struct path *paths, tsr_param *params, uint32_t *count)
{
    for (uint32_t i = 0; i < f->param_count; i++) {
        const struct path *p = &paths[i];
        tsr_param param = {.name = f->params[i].name, .type = f->params[i].type};
        if (p->is_pointer && !p->is_whole) param.type = p->root;
        if (!p->is_pointer || !p->global) params[(*count)++] = param;
        for (uint32_t k = 0; k < p->count; k++)
            if (p->steps[k].op == TSR_OP_index) params[(*count)++] = (tsr_param){.type = p->steps[k].index};
    }
}

/* The way from the whole variable to what the old parameter pointed to. */
static tsr_id walk_path(tsr_builder *b, const struct path *p, tsr_id from, const tsr_param *params, uint32_t *next)
{
    for (uint32_t i = 0; i < p->count; i++) {
        const struct step *s = &p->steps[i];
        if (s->op == TSR_OP_field)
            from = tsr_build1(b, TSR_OP_field, s->pointer, s->member, from);
        else
            from = tsr_build2(b, TSR_OP_index, s->pointer, 0, from, params[(*next)++].value);
    }
    return from;
}

static uint32_t total_steps(const tsr_function *f, const struct path *paths)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->param_count; i++)
        count += paths[i].count;
    return count;
}

static uint32_t make_function(struct pass *pass, uint32_t from, const struct path *paths)
{
    tsr_ir *ir = pass->ir;
    const tsr_function *old = tsr_function_at(ir, from);
    tsr_param *params = TSR_NEW_ARRAY(ir->arena, tsr_param, old->param_count + total_steps(old, paths) + 1u);
    uint32_t count = 0, next = 0, to = tsr_function_new(ir, new_name(ir, old->name, ir->functions.count), old->span);
    tsr_function *f = tsr_function_at(ir, to);
    f->result = old->result;
    f->result_io = old->result_io;
    f->must_use = old->must_use;
    f->diag = old->diag;
    if (!f->body) f->body = tsr_block_new(ir);
    list_params(old, paths, params, &count);
    tsr_function_set_params(ir, to, params, count);
    struct copy c = {.ir = ir};
    tsr_map_init(&c.values, ir->arena);
    tsr_builder b = {.ir = ir, .block = f->body, .span = old->span, .diag = old->diag};
    for (uint32_t i = 0; i < old->param_count; i++) {
        const struct path *p = &paths[i];
        tsr_id value = p->global ? p->global : f->params[next++].value;
        tsr_map_set(&c.values, old->params[i].value, walk_path(&b, p, value, f->params, &next));
    }
    copy_into(&c, f->body, old->body);
    return to;
}

static uint64_t hash_paths(uint32_t from, const struct path *paths, uint32_t count)
{
    uint64_t hash = from;
    for (uint32_t i = 0; i < count; i++) {
        const struct path *p = &paths[i];
        const uint32_t head[] = {p->is_pointer, p->global, p->root, p->count};
        hash = tsr_hash_bytes(head, sizeof head, hash);
        for (uint32_t k = 0; k < p->count; k++) {
            const uint32_t step[] = {p->steps[k].op, p->steps[k].member, p->steps[k].index};
            hash = tsr_hash_bytes(step, sizeof step, hash);
        }
    }
    return hash;
}

static bool is_made(const struct made *m, uint32_t from, const struct path *paths, uint32_t count)
{
    uint32_t i = 0;
    while (m->from == from && i < count && is_same_path(&m->paths[i], &paths[i]))
        i++;
    return m->from == from && i == count;
}

static uint32_t find_function(struct pass *pass, uint32_t from, const struct path *paths, uint32_t count)
{
    uint64_t hash = hash_paths(from, paths, count);
    uint32_t n;
    for (; tsr_map_find(&pass->made, hash, &n); hash++) { /* a hash that another has: the next one */
        const struct made *m = tsr_pool_at(&pass->made_pool, n);
        if (is_made(m, from, paths, count)) return m->to;
    }
    n = tsr_pool_push(&pass->made_pool, 1);
    tsr_map_set(&pass->made, hash, n);
    struct made *m = tsr_pool_at(&pass->made_pool, n);
    *m = (struct made){.from = from, .to = make_function(pass, from, paths), .paths = paths};
    return m->to;
}

/* ---- Calls. */

static void wait_for(struct pass *pass, uint32_t f)
{
    uint32_t ignored;
    if (tsr_map_find(&pass->seen, f, &ignored)) return;
    tsr_map_set(&pass->seen, f, 1);
    if (pass->waiting_count == pass->waiting_cap) {
        uint32_t cap = pass->waiting_cap ? pass->waiting_cap * 2 : 16,
                 *more = TSR_NEW_ARRAY(pass->ir->arena, uint32_t, cap);
        if (pass->waiting_count) memcpy(more, pass->waiting, pass->waiting_count * sizeof *more);
        pass->waiting = more;
        pass->waiting_cap = cap;
    }
    pass->waiting[pass->waiting_count++] = f;
}

static bool has_pointers(const tsr_ir *ir, const tsr_function *f)
{
    for (uint32_t i = 0; i < f->param_count; i++)
        if (is_pointer(ir, f->params[i].type)) return true;
    return false;
}

/* What the new function takes instead of argument i. */
static void add_arguments(const struct path *p, tsr_id argument, tsr_id root, const tsr_id *indices, tsr_id *args,
                          uint32_t *count)
{
    if (!p->is_pointer)
        args[(*count)++] = argument;
    else if (!p->global)
        args[(*count)++] = root;
    for (uint32_t k = 0, n = 0; k < p->count; k++)
        if (p->steps[k].op == TSR_OP_index) args[(*count)++] = indices[n++];
}

/* Whether there is no room for another function; told once. */
static bool is_full(struct pass *pass, tsr_span span)
{
    if (pass->ir->insts.count < INSTS_MAX) return false;
    if (!pass->stopped)
        tsr_error(pass->diags, span, TSR_E_POINTERS_TOO_MANY,
                  "pointer parameters are called with so many different parts of variables that the program would grow "
                  "beyond %d instructions; pass values or indices instead",
                  INSTS_MAX);
    return pass->stopped = true;
}

static void direct_call(struct pass *pass, tsr_inst *call)
{
    tsr_ir *ir = pass->ir;
    uint32_t count = call->nargs, used = 0;
    struct path *paths = TSR_NEW_ARRAY(ir->arena, struct path, count + 1u);
    tsr_id *args = TSR_NEW_ARRAY(ir->arena, tsr_id, (size_t)count * (STEPS_MAX + 1) + 1);
    bool whole = true;
    for (uint32_t i = 0; i < count; i++) {
        tsr_id argument = tsr_arg(ir, call, i), root = 0, indices[STEPS_MAX];
        if (is_pointer(ir, tsr_inst_at(ir, argument)->type)) find_path(ir, argument, &paths[i], &root, indices);
        if (paths[i].is_pointer && !paths[i].is_whole) whole = false;
        add_arguments(&paths[i], argument, root, indices, args, &used);
    }
    if (whole || is_full(pass, call->span)) return;
    call->aux = find_function(pass, call->aux, paths, count);
    call->nargs = used;
    if (used > 2) call->args = tsr_pool_push(&ir->args, used);
    for (uint32_t i = 0; i < used; i++)
        tsr_arg_set(ir, call, i, args[i]);
    pass->changed = true;
}

static void visit_inst(void *user, tsr_id id)
{
    struct pass *pass = user;
    tsr_inst *inst = tsr_inst_at(pass->ir, id);
    if (inst->op != TSR_OP_call) return;
    if (has_pointers(pass->ir, tsr_function_at(pass->ir, inst->aux))) direct_call(pass, inst);
    wait_for(pass, inst->aux);
}

bool tsr_pass_direct_pointers(tsr_ir *ir, uint32_t *entry, tsr_diags *diags)
{
    struct pass pass = {.ir = ir, .diags = diags};
    tsr_map_init(&pass.seen, ir->arena);
    tsr_map_init(&pass.made, ir->arena);
    tsr_pool_init(&pass.made_pool, ir->arena, sizeof(struct made));
    wait_for(&pass, *entry);
    while (pass.waiting_count > 0 && !pass.stopped)
        tsr_block_walk(ir, tsr_function_at(ir, pass.waiting[--pass.waiting_count])->body, visit_inst, &pass);
    if (pass.changed) tsr_pass_reach(ir, entry); /* drops what only the old calls reached */
    return pass.changed;
}
