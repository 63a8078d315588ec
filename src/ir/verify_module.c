/* Rules of module scope: overrides, what functions and entry points take and give, and that no function reaches
 * itself. Source: WGSL, "Entry Points", "Built-in Values", "Functions". */
#include "ir/verifier.h"

#include <string.h>

tsr_inst tsr_ir_verify_function_place(const tsr_function *f)
{
    return (tsr_inst){.op = TSR_OP_none, .span = f->span, .name = f->name};
}

bool tsr_ir_verify_overrides(tsr_ir_verifier *v)
{
    if (v->ir->overrides.count <= 2) return true; /* none or one */
    uint8_t *ids = TSR_NEW_ARRAY(v->arena, uint8_t, (size_t)UINT16_MAX + 1);
    bool ok = true;
    for (uint32_t i = 1; i < v->ir->overrides.count; i++) {
        const tsr_override *o = tsr_override_at(v->ir, i);
        if (!o->has_id) continue;
        if (ids[o->id] != 0)
            ok = tsr_ir_verify_fail(v, tsr_inst_at(v->ir, o->inst), TSR_E_IR_MODULE, "two overrides have the id %u",
                                    (unsigned)o->id);
        ids[o->id] = 1;
    }
    return ok;
}

/* ---- What stands between an entry point and the outside. */

struct builtin_row {
    const char *stages, *type;
};

static const struct builtin_row builtin_rows[TSR_BV_COUNT] = {
    {"", ""},
#define BUILTIN_VALUE(name, stages, type) {stages, type},
#include "ir/builtin_value.def"
};

/* One direction of an entry point: the letter of builtin_value.def, and the built-in values met so far. */
struct direction {
    char letter; /* 0: nothing is allowed */
    bool locations;
    uint64_t met;
};

static bool fail_entry(tsr_ir_verifier *v, const tsr_function *f, const char *what)
{
    const tsr_inst place = tsr_ir_verify_function_place(f);
    return tsr_ir_verify_fail(v, &place, TSR_E_IR_ENTRY, "%s", what);
}

static bool is_builtin_type(tsr_ir_verifier *v, tsr_builtin_value b, tsr_type type)
{
    const tsr_type_info *i = tsr_type_get(v->types, type);
    if (b == TSR_BV_clip_distances) return i->kind == TSR_T_array && i->elem == TSR_T_f32 && i->size.value != 0;
    if (tsr_type_width(v->types, type) == 0) return false;
    return strcmp(tsr_type_cstr(v->types, v->arena, type), builtin_rows[b].type) == 0;
}

static bool check_io(tsr_ir_verifier *v, const tsr_function *f, tsr_io io, tsr_type type, struct direction *d)
{
    if ((io.builtin != 0) == io.has_location)
        return fail_entry(v, f, "each input and output of an entry point has either a built-in value or a location");
    if (io.has_location)
        return (d->locations && tsr_type_is_numeric(v->types, type)) ||
               fail_entry(v, f,
                          "only vertex and fragment entry points have locations, for numbers and vectors of them");
    if (io.builtin >= TSR_BV_COUNT || d->letter == 0 || strchr(builtin_rows[io.builtin].stages, d->letter) == NULL)
        return fail_entry(v, f, "the stage of the entry point does not have this built-in value here");
    if (d->met >> io.builtin & 1u) return fail_entry(v, f, "a built-in value appears twice");
    d->met |= UINT64_C(1) << io.builtin;
    return is_builtin_type(v, (tsr_builtin_value)io.builtin, type) ||
           fail_entry(v, f, "a built-in value has the wrong type");
}

static bool check_io_or_struct(tsr_ir_verifier *v, const tsr_function *f, tsr_io io, tsr_type type, struct direction *d)
{
    const tsr_type_info *s = tsr_type_get(v->types, type);
    if (s->kind != TSR_T_struct || io.builtin != 0 || io.has_location) return check_io(v, f, io, type, d);
    for (uint32_t i = 0; i < s->member_count; i++)
        if (!check_io(v, f, s->members[i].io, s->members[i].type, d)) return false;
    return true;
}

static bool check_entry_io(tsr_ir_verifier *v, const tsr_function *f)
{
    static const char inputs[] = {'C', 'V', 'F'}, outputs[] = {0, 'v', 'f'};
    struct direction in = {inputs[f->stage], f->stage != TSR_STAGE_COMPUTE, 0};
    struct direction out = {outputs[f->stage], f->stage != TSR_STAGE_COMPUTE, 0};
    for (uint32_t i = 0; i < f->param_count; i++)
        if (!check_io_or_struct(v, f, f->params[i].io, f->params[i].type, &in)) return false;
    if (f->result == 0) return true;
    if (f->stage == TSR_STAGE_COMPUTE) return fail_entry(v, f, "a compute entry point returns nothing");
    return check_io_or_struct(v, f, f->result_io, f->result, &out);
}

/* A module-scope i32 or u32, and a positive one when it is a constant. */
static bool check_size(tsr_ir_verifier *v, const tsr_function *f, tsr_id id)
{
    const tsr_inst *inst;
    uint64_t bits;
    if (id == 0) return true;
    if (id >= v->ir->insts.count || (v->seen[id] & TSR_IR_SEEN_MODULE) == 0)
        return fail_entry(v, f, "workgroup and subgroup sizes are module-scope values");
    inst = tsr_inst_at(v->ir, id);
    if (inst->type != TSR_T_i32 && inst->type != TSR_T_u32)
        return fail_entry(v, f, "workgroup and subgroup sizes are i32 or u32");
    if (inst->op != TSR_OP_const) return true;
    bits = tsr_constant_bits(v->ir, inst);
    if (bits == 0 || (inst->type == TSR_T_i32 && bits > INT32_MAX))
        return fail_entry(v, f, "workgroup and subgroup sizes are at least 1");
    return true;
}

static bool check_sizes(tsr_ir_verifier *v, const tsr_function *f)
{
    const bool compute = f->is_entry && f->stage == TSR_STAGE_COMPUTE;
    const bool any = f->workgroup_size[0] != 0 || f->workgroup_size[1] != 0 || f->workgroup_size[2] != 0;
    if (!compute && (any || f->subgroup_size != 0))
        return fail_entry(v, f, "only compute entry points have a workgroup size and a subgroup size");
    if (compute && f->workgroup_size[0] == 0) return fail_entry(v, f, "a compute entry point has a workgroup size");
    for (unsigned i = 0; i < 3; i++)
        if (!check_size(v, f, f->workgroup_size[i])) return false;
    return check_size(v, f, f->subgroup_size);
}

static bool has_io(tsr_io io)
{
    return io.builtin != 0 || io.has_location;
}

static bool check_no_io(tsr_ir_verifier *v, const tsr_function *f)
{
    bool any = has_io(f->result_io);
    for (uint32_t i = 0; i < f->param_count; i++)
        any |= has_io(f->params[i].io);
    return !any || fail_entry(v, f, "only entry points have built-in values and locations");
}

/* Values and pointers can be given to a function, values can be returned. */
static bool check_types(tsr_ir_verifier *v, const tsr_function *f)
{
    const tsr_inst place = tsr_ir_verify_function_place(f);
    for (uint32_t i = 0; i < f->param_count; i++) {
        const tsr_type type = f->params[i].type;
        const tsr_type_kind kind = tsr_type_kind_of(v->types, type);
        if (!tsr_ir_verify_type(v, &place, type)) return false;
        if (!tsr_type_is_constructible(v->types, type) && kind != TSR_T_opaque && (kind != TSR_T_ptr || f->is_entry))
            return tsr_ir_verify_fail(v, &place, TSR_E_IR_TYPE, "a parameter cannot be of type %s",
                                      tsr_ir_verify_type_text(v, type));
    }
    if (f->result == 0) return true;
    if (!tsr_ir_verify_type(v, &place, f->result)) return false;
    return tsr_type_is_constructible(v->types, f->result) ||
           tsr_ir_verify_fail(v, &place, TSR_E_IR_TYPE, "a function cannot return the type %s",
                              tsr_ir_verify_type_text(v, f->result));
}

static bool check_params(tsr_ir_verifier *v, const tsr_function *f)
{
    const tsr_inst place = tsr_ir_verify_function_place(f);
    for (uint32_t i = 0; i < f->param_count; i++) {
        const tsr_id id = f->params[i].value;
        const tsr_inst *inst;
        if (id == 0 || id >= v->ir->insts.count || f->params[i].type >= v->types->info.count)
            return tsr_ir_verify_fail(v, &place, TSR_E_IR_MODULE, "a parameter has no value");
        inst = tsr_inst_at(v->ir, id);
        if (inst->op != TSR_OP_param || inst->aux != i || inst->type != f->params[i].type || v->seen[id] != 0)
            return tsr_ir_verify_fail(v, &place, TSR_E_IR_MODULE, "a parameter and its value do not agree");
        v->seen[id] = TSR_IR_SEEN_STANDS;
    }
    return true;
}

bool tsr_ir_verify_signature(tsr_ir_verifier *v, uint32_t number)
{
    const tsr_function *f = tsr_function_at(v->ir, number);
    if (f->result >= v->types->info.count || f->stage > TSR_STAGE_FRAGMENT || f->diag >= v->ir->diag_states.count)
        return fail_entry(v, f, "the function's result, stage or diagnostic state does not exist");
    if (!check_params(v, f) || !check_types(v, f) || !check_sizes(v, f)) return false;
    return f->is_entry ? check_entry_io(v, f) : check_no_io(v, f);
}

/* ---- Recursion: a depth-first search over the calls, with a stack of our own. */

void tsr_ir_verify_add_call(tsr_ir_verifier *v, uint32_t callee, tsr_id inst)
{
    if (v->edge_count == v->edge_cap) {
        uint32_t cap = v->edge_cap == 0 ? 64 : v->edge_cap * 2;
        tsr_ir_call_edge *more = TSR_NEW_ARRAY(v->arena, tsr_ir_call_edge, cap);
        if (v->edge_count != 0) memcpy(more, v->edges, v->edge_count * sizeof *more);
        v->edges = more;
        v->edge_cap = cap;
    }
    v->edges[v->edge_count++] = (tsr_ir_call_edge){v->function, callee, inst};
}

/* Functions are verified in order, so the edges of one caller stand together. first[f] is its first edge. */
static uint32_t *index_edges(const tsr_ir_verifier *v)
{
    const uint32_t functions = v->ir->functions.count;
    uint32_t *first = TSR_NEW_ARRAY(v->arena, uint32_t, (size_t)functions + 1);
    uint32_t edge = 0;
    for (uint32_t f = 0; f <= functions; f++) {
        while (edge < v->edge_count && v->edges[edge].caller < f)
            edge++;
        first[f] = edge;
    }
    return first;
}

enum { NOT_MET = 0, ON_THE_WAY = 1, DONE = 2 };

struct search {
    uint8_t *state;
    uint32_t *stack, *next; /* functions on the way, and the next edge of each function */
    uint32_t depth;
};

static bool report_recursion(tsr_ir_verifier *v, const tsr_ir_call_edge *e)
{
    const tsr_str name = tsr_symbols_get(v->ir->symbols, tsr_function_at(v->ir, e->callee)->name);
    return tsr_ir_verify_fail(v, tsr_inst_at(v->ir, e->inst), TSR_E_IR_CALL,
                              "function `%.*s` calls itself, here or below", (int)(name.len > 80 ? 80 : name.len),
                              name.s);
}

static bool search_from(tsr_ir_verifier *v, struct search *s, const uint32_t *first, uint32_t start)
{
    bool ok = true;
    s->stack[s->depth++] = start;
    s->state[start] = ON_THE_WAY;
    while (s->depth > 0) {
        const uint32_t f = s->stack[s->depth - 1];
        const tsr_ir_call_edge *e;
        if (s->next[f] == first[f + 1]) {
            s->state[f] = DONE;
            s->depth--;
            continue;
        }
        e = &v->edges[s->next[f]++];
        if (s->state[e->callee] == ON_THE_WAY) ok = report_recursion(v, e);
        if (s->state[e->callee] != NOT_MET) continue;
        s->state[e->callee] = ON_THE_WAY;
        s->stack[s->depth++] = e->callee;
    }
    return ok;
}

bool tsr_ir_verify_recursion(tsr_ir_verifier *v)
{
    const uint32_t functions = v->ir->functions.count;
    const uint32_t *first = index_edges(v);
    struct search s = {0};
    bool ok = true;
    s.state = TSR_NEW_ARRAY(v->arena, uint8_t, functions);
    s.stack = TSR_NEW_ARRAY(v->arena, uint32_t, functions);
    s.next = TSR_NEW_ARRAY(v->arena, uint32_t, functions);
    memcpy(s.next, first, functions * sizeof *first);
    for (uint32_t f = 1; f < functions; f++)
        if (s.state[f] == NOT_MET) ok &= search_from(v, &s, first, f);
    return ok;
}
