/* Buffers without a type of their own that are passed on: what a function views of a parameter must lie in each buffer
 * of known size that a call gives it. Read off the IR, callees first. Source: WGSL proposal "Buffer View". */
#include "wgsl/declare.h"
#include "wgsl/overload.h"

typedef struct passing {
    tsr_wgsl *w;
    uint64_t **viewed; /* by function and parameter: bytes that its views and its callees' reach at least */
    uint32_t function;
} passing;

static tsr_raw_buffer buffer_of(const passing *p, tsr_type type, uint32_t *bytes)
{
    const tsr_type_info *ptr = tsr_type_get(p->w->types, type);
    return ptr->kind == TSR_T_ptr ? tsr_wgsl_raw_buffer(p->w, ptr->elem, bytes) : TSR_RAW_none;
}

/* What a pointer to a buffer was before its size was forgotten: builtin_call buffer(p). */
static tsr_id with_size(const passing *p, tsr_id pointer)
{
    const tsr_inst *inst = tsr_inst_at(p->w->ir, pointer);
    return inst->op == TSR_OP_builtin_call && inst->nargs == 1 ? tsr_arg(p->w->ir, inst, 0) : pointer;
}

static void note_view(passing *p, tsr_id buffer, uint64_t end)
{
    const tsr_inst *inst = tsr_inst_at(p->w->ir, buffer);
    if (inst->op != TSR_OP_param) return;
    uint64_t *viewed = &p->viewed[p->function][inst->aux];
    if (end > *viewed) *viewed = end;
}

/* 0 for what only the running shader or an override decides. */
static uint64_t constant_of(const passing *p, const tsr_inst *view, uint32_t arg)
{
    const tsr_ir *ir = p->w->ir;
    const tsr_inst *inst = arg < view->nargs ? tsr_inst_at(ir, tsr_arg(ir, view, arg)) : NULL;
    return inst != NULL && inst->op == TSR_OP_const ? tsr_constant_bits(ir, inst) : 0;
}

static void visit_view(passing *p, const tsr_inst *view)
{
    const tsr_type_info *result = tsr_type_get(p->w->types, view->type);
    uint32_t bytes;
    if (result->kind != TSR_T_ptr || view->nargs == 0) return;
    tsr_id buffer = tsr_arg(p->w->ir, view, 0);
    if (buffer_of(p, tsr_inst_at(p->w->ir, buffer)->type, &bytes) != TSR_RAW_unsized) return;
    uint64_t least = tsr_builtin_view_bytes(p->w, result->elem), size = constant_of(p, view, 2);
    note_view(p, buffer, constant_of(p, view, 1) + (size > least ? size : least));
}

static void visit_call(passing *p, const tsr_inst *call)
{
    tsr_wgsl *w = p->w;
    for (uint32_t i = 0; i < call->nargs; i++) {
        uint64_t viewed = p->viewed[call->aux][i];
        tsr_id arg = with_size(p, tsr_arg(w->ir, call, i));
        uint32_t bytes;
        tsr_raw_buffer kind = buffer_of(p, tsr_inst_at(w->ir, arg)->type, &bytes);
        if (kind == TSR_RAW_unsized) note_view(p, arg, viewed);
        if (kind != TSR_RAW_sized || viewed <= bytes) continue;
        tsr_error(w->diags, call->span, TSR_E_BUILTIN_RANGE,
                  "`%s` views argument %u of this call up to byte %llu, but the buffer has %u bytes",
                  tsr_sym_text(w, tsr_function_at(w->ir, call->aux)->name), i + 1, (unsigned long long)viewed, bytes);
    }
}

static void visit_inst(void *user, tsr_id id)
{
    passing *p = user;
    const tsr_inst *inst = tsr_inst_at(p->w->ir, id);
    if (inst->op == TSR_OP_builtin_call) visit_view(p, inst);
    if (inst->op == TSR_OP_call) visit_call(p, inst);
}

static bool takes_buffer(const passing *p, uint32_t function)
{
    const tsr_function *f = tsr_function_at(p->w->ir, function);
    uint32_t bytes;
    for (uint32_t i = 0; i < f->param_count; i++)
        if (buffer_of(p, f->params[i].type, &bytes) == TSR_RAW_unsized) return true;
    return false;
}

void tsr_wgsl_check_buffer_calls(tsr_wgsl *w)
{
    const tsr_wgsl_own *own = tsr_own(w);
    passing p = {.w = w};
    bool any = false;
    for (uint32_t i = 0; i < own->fn_order_count && !any; i++)
        any = takes_buffer(&p, own->fn_order[i]);
    if (!any) return;
    p.viewed = TSR_NEW_ARRAY(w->arena, uint64_t *, own->fns.count + 1);
    for (uint32_t i = 0; i < own->fn_order_count; i++) {
        p.function = own->fn_order[i];
        p.viewed[p.function] = TSR_NEW_ARRAY(w->arena, uint64_t, tsr_function_at(w->ir, p.function)->param_count + 1);
        tsr_wgsl_walk_function(w, p.function, visit_inst, &p);
    }
}
