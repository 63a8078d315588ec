/* Pointers that meet in a call: the same variable must not be reached by a function in two ways when one of them
 * writes. Read off the IR, callees first. WGSL, "Alias Analysis". */
#include "base/set.h"
#include "wgsl/declare.h"

enum { READS = 1, WRITES = 2 };

/* What a function does: through each parameter, and with all its callees to variables by their own names. */
typedef struct effect {
    unsigned char *params;
    const tsr_set *read, *written; /* globals, by instruction */
} effect;

typedef struct aliasing {
    tsr_wgsl *w;
    tsr_sets sets;
    effect *effects; /* by function */
    uint32_t function;
} aliasing;

/* The variable or parameter that a pointer comes from. */
static tsr_id root_of(const tsr_ir *ir, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(ir, id);
    /* A built-in call that gives a pointer is a view of what its first argument points to. */
    while (inst->op == TSR_OP_field || inst->op == TSR_OP_index ||
           (inst->op == TSR_OP_builtin_call && tsr_type_kind_of(ir->types, inst->type) == TSR_T_ptr)) {
        id = tsr_arg(ir, inst, 0);
        inst = tsr_inst_at(ir, id);
    }
    return id;
}

static bool is_pointer(const tsr_ir *ir, tsr_id id)
{
    return tsr_type_kind_of(ir->types, tsr_inst_at(ir, id)->type) == TSR_T_ptr;
}

static unsigned what_op_does(const tsr_inst *inst)
{
    unsigned flags = tsr_op_table[inst->op].flags;
    if (inst->op == TSR_OP_array_length || inst->op == TSR_OP_builtin_call) return 0;
    if (inst->op == TSR_OP_atomic_load) return READS;
    if (inst->op == TSR_OP_atomic_store) return WRITES;
    if ((flags & TSR_OPF_ATOMIC) != 0) return READS | WRITES;
    return ((flags & TSR_OPF_READ) != 0 ? READS : 0) | ((flags & TSR_OPF_WRITE) != 0 ? WRITES : 0);
}

static void note_access(aliasing *a, tsr_id root, unsigned what)
{
    const tsr_inst *inst = tsr_inst_at(a->w->ir, root);
    effect *e = &a->effects[a->function];
    if (inst->op == TSR_OP_param) e->params[inst->aux] |= (unsigned char)what;
    if (inst->op != TSR_OP_global) return;
    if ((what & READS) != 0) e->read = tsr_set_with(&a->sets, e->read, root);
    if ((what & WRITES) != 0) e->written = tsr_set_with(&a->sets, e->written, root);
}

static void note_callee(aliasing *a, const effect *callee)
{
    effect *e = &a->effects[a->function];
    e->read = tsr_set_union(&a->sets, e->read, callee->read);
    e->written = tsr_set_union(&a->sets, e->written, callee->written);
}

/* What `function` and all it calls do to a module-scope variable by its own name. */
static unsigned reach(const aliasing *a, uint32_t function, tsr_id global)
{
    const effect *e = &a->effects[function];
    return (tsr_set_has(e->read, global) ? READS : 0) | (tsr_set_has(e->written, global) ? WRITES : 0);
}

static bool is_conflict(unsigned one, unsigned other)
{
    return ((one & WRITES) != 0 && other != 0) || ((other & WRITES) != 0 && one != 0);
}

static const char *root_name(const aliasing *a, tsr_id root)
{
    const tsr_inst *inst = tsr_inst_at(a->w->ir, root);
    return inst->name != 0 ? tsr_sym_text(a->w, inst->name) : "the variable";
}

static bool check_pair(aliasing *a, const tsr_inst *call, uint32_t i, uint32_t k, tsr_id root)
{
    const tsr_ir *ir = a->w->ir;
    tsr_id other = tsr_arg(ir, call, k);
    if (!is_pointer(ir, other) || root_of(ir, other) != root) return true;
    if (!is_conflict(a->effects[call->aux].params[i], a->effects[call->aux].params[k])) return true;
    tsr_error(a->w->diags, call->span, TSR_E_ALIASING,
              "arguments %u and %u of this call both point into `%s`, and `%s` writes through one of them; pass a copy",
              k + 1, i + 1, root_name(a, root), tsr_sym_text(a->w, tsr_function_at(ir, call->aux)->name));
    return false;
}

static bool check_arg(aliasing *a, const tsr_inst *call, uint32_t i)
{
    const tsr_ir *ir = a->w->ir;
    tsr_id arg = tsr_arg(ir, call, i), root;
    if (!is_pointer(ir, arg)) return true;
    root = root_of(ir, arg);
    for (uint32_t k = 0; k < i; k++) {
        if (!check_pair(a, call, i, k, root)) return false;
    }
    if (tsr_inst_at(ir, root)->op != TSR_OP_global) return true;
    if (!is_conflict(a->effects[call->aux].params[i], reach(a, call->aux, root))) return true;
    const char *callee = tsr_sym_text(a->w, tsr_function_at(ir, call->aux)->name);
    tsr_error(a->w->diags, call->span, TSR_E_ALIASING,
              "argument %u of this call points into `%s`, which `%s` also uses by its name, and one of the two writes; "
              "pass a copy",
              i + 1, root_name(a, root), callee);
    return false;
}

static void visit_call(aliasing *a, const tsr_inst *call)
{
    const tsr_ir *ir = a->w->ir;
    note_callee(a, &a->effects[call->aux]);
    for (uint32_t i = 0; i < call->nargs; i++) {
        tsr_id arg = tsr_arg(ir, call, i);
        if (is_pointer(ir, arg)) note_access(a, root_of(ir, arg), a->effects[call->aux].params[i]);
    }
    for (uint32_t i = 0; i < call->nargs; i++) {
        if (!check_arg(a, call, i)) return; /* one message a call */
    }
}

static void visit_inst(void *user, tsr_id id)
{
    aliasing *a = user;
    const tsr_inst *inst = tsr_inst_at(a->w->ir, id);
    if (inst->op == TSR_OP_call) {
        visit_call(a, inst);
        return;
    }
    unsigned what = what_op_does(inst);
    if (what == 0 || inst->nargs == 0) return;
    tsr_id pointer = tsr_arg(a->w->ir, inst, 0);
    if (is_pointer(a->w->ir, pointer)) note_access(a, root_of(a->w->ir, pointer), what);
}

static bool takes_pointer(const tsr_wgsl *w, const tsr_function *f)
{
    for (uint32_t i = 0; i < f->param_count; i++)
        if (tsr_type_get(w->types, f->params[i].type)->kind == TSR_T_ptr) return true;
    return false;
}

/* Assumes: no recursion. Where no function takes a pointer, no call passes one. */
void tsr_wgsl_check_aliasing(tsr_wgsl *w)
{
    const tsr_wgsl_own *own = tsr_own(w);
    uint32_t count = own->fns.count, with = 0;
    aliasing a = {.w = w, .sets = {.arena = w->arena}};
    for (uint32_t i = 0; i < own->fn_order_count && with == 0; i++)
        with += takes_pointer(w, tsr_function_at(w->ir, own->fn_order[i]));
    if (with == 0) return;
    a.effects = TSR_NEW_ARRAY(w->arena, effect, count + 1);
    for (uint32_t i = 0; i < own->fn_order_count; i++) {
        const tsr_function *f = tsr_function_at(w->ir, own->fn_order[i]);
        a.function = own->fn_order[i];
        a.effects[a.function].params = TSR_NEW_ARRAY(w->arena, unsigned char, f->param_count + 1);
        tsr_wgsl_walk_function(w, a.function, visit_inst, &a);
    }
}
