/* Entry points: what their parameters and results may be in each stage, and their workgroup size.
 * WGSL, "Entry Points" and "Input and Output". */
#include "wgsl/declare.h"

#include <string.h>

static const struct builtin_row {
    const char *name, *stages;
} builtin_rows[TSR_BV_COUNT] = {
    {NULL, NULL},
#define BUILTIN_VALUE(name, stages, type) {#name, stages},
#include "ir/builtin_value.def"
};

static const char *const stage_names[] = {"compute", "vertex", "fragment"}; /* by tsr_stage */
static const char input_letters[] = {'C', 'V', 'F'};
static const char output_letters[] = {'-', 'v', 'f'}; /* compute has no outputs */

/* One direction of one entry point. */
typedef struct interface {
    tsr_wgsl *w;
    uint32_t function;
    bool output;
    uint32_t builtins; /* a bit each */
    tsr_map colors;
    tsr_map locations; /* of those without blend_src */
    tsr_span span;     /* of what is being looked at */
    bool has_position;
} interface;

static tsr_stage stage_of(const interface *i)
{
    return tsr_function_at(i->w->ir, i->function)->stage;
}

static const char *direction(const interface *i)
{
    return i->output ? "output" : "input";
}

static void check_builtin(interface *i, unsigned builtin)
{
    tsr_wgsl *w = i->w;
    const struct builtin_row *row = &builtin_rows[builtin];
    char letter = i->output ? output_letters[stage_of(i)] : input_letters[stage_of(i)];
    if (strchr(row->stages, letter) == NULL) {
        tsr_error(w->diags, i->span, TSR_E_IO_STAGE, "the built-in value `%s` is no %s of the %s stage; remove it",
                  row->name, direction(i), stage_names[stage_of(i)]);
        return;
    }
    if ((i->builtins >> builtin & 1) != 0) {
        tsr_error(w->diags, i->span, TSR_E_IO_TWICE, "the built-in value `%s` is an %s twice; remove one", row->name,
                  direction(i));
    }
    i->builtins |= 1u << builtin;
    if (builtin == TSR_BV_position) i->has_position = true;
}

static bool is_integer(const tsr_wgsl *w, tsr_type type)
{
    tsr_type scalar = tsr_type_scalar(w->types, type);
    return scalar == TSR_T_i32 || scalar == TSR_T_u32;
}

/* Integers are never interpolated: between the vertex and the fragment stage they must say so. */
static void check_interpolation(interface *i, const tsr_io_facts *io, tsr_type type)
{
    bool between = (stage_of(i) == TSR_STAGE_VERTEX && i->output) || (stage_of(i) == TSR_STAGE_FRAGMENT && !i->output);
    if (!between || !is_integer(i->w, type) || io->interpolate == TSR_INTERP_flat) return;
    tsr_error(i->w->diags, i->span, TSR_E_IO_ATTR, "integers are not interpolated; add @interpolate(flat)");
}

static void check_location(interface *i, const tsr_io_facts *io, tsr_type type)
{
    tsr_wgsl *w = i->w;
    uint32_t before;
    if (stage_of(i) == TSR_STAGE_COMPUTE) {
        tsr_error(w->diags, i->span, TSR_E_IO_STAGE, "compute entry points have no @location; use a buffer");
        return;
    }
    if (io->blend_src && (stage_of(i) != TSR_STAGE_FRAGMENT || !i->output)) {
        tsr_error(w->diags, i->span, TSR_E_IO_STAGE, "@blend_src stands on outputs of fragment entry points only");
        return;
    }
    if (!io->blend_src && tsr_map_find(&i->locations, io->location, &before)) {
        tsr_error(w->diags, i->span, TSR_E_IO_TWICE, "@location(%u) is an %s twice; choose another number",
                  io->location, direction(i));
    }
    if (!io->blend_src) tsr_map_set(&i->locations, io->location, 1);
    check_interpolation(i, io, type);
}

static void check_color(interface *i, const tsr_io_facts *io)
{
    uint32_t before;
    if (stage_of(i) != TSR_STAGE_FRAGMENT || i->output)
        tsr_error(i->w->diags, i->span, TSR_E_IO_STAGE, "@color stands on inputs of fragment entry points only");
    else if (io->io.builtin != 0 || io->io.has_location)
        tsr_error(i->w->diags, i->span, TSR_E_IO_ATTR, "@color excludes @builtin and @location; keep one");
    else if (tsr_map_find(&i->colors, io->color, &before))
        tsr_error(i->w->diags, i->span, TSR_E_IO_TWICE, "@color(%u) is an input twice", io->color);
    tsr_map_set(&i->colors, io->color, 1);
}

static void check_value(interface *i, const tsr_io_facts *io, tsr_type type, tsr_sym name)
{
    if (io->has_color) {
        check_color(i, io);
    } else if (io->io.builtin != 0 && io->io.has_location) {
        tsr_error(i->w->diags, i->span, TSR_E_IO_ATTR, "@location and @builtin exclude each other; remove one");
    } else if (io->io.builtin != 0) {
        check_builtin(i, io->io.builtin);
    } else if (io->io.has_location) {
        check_location(i, io, type);
    } else {
        tsr_error(i->w->diags, i->span, TSR_E_IO_MISSING, "the %s `%s` of an entry point needs @builtin(...)%s",
                  direction(i), name != 0 ? tsr_sym_text(i->w, name) : "result",
                  stage_of(i) == TSR_STAGE_COMPUTE ? "" : " or @location(...)");
    }
}

/* A struct stands for its members. */
static void check_struct(interface *i, const tsr_type_info *s, tsr_type type)
{
    for (uint32_t m = 0; m < s->member_count; m++) {
        tsr_io_facts io = tsr_wgsl_member_io(i->w, type, m);
        if (tsr_type_kind_of(i->w->types, s->members[m].type) == TSR_T_struct) {
            tsr_error(i->w->diags, i->span, TSR_E_IO_TYPE,
                      "member `%s` of an entry point's %s is a struct itself; move its members up",
                      tsr_sym_text(i->w, s->members[m].name), direction(i));
            continue;
        }
        check_value(i, &io, s->members[m].type, s->members[m].name);
    }
}

static void check_io(interface *i, const tsr_io_facts *io, tsr_type type, tsr_sym name)
{
    const tsr_type_info *info = tsr_type_get(i->w->types, type);
    bool bare = io->io.builtin == 0 && !io->io.has_location && !io->has_color;
    if (info->kind == TSR_T_struct && bare)
        check_struct(i, info, type);
    else if (tsr_wgsl_check_io_type(i->w, io, type, i->span))
        check_value(i, io, type, name);
}

static void check_stage_rules(interface *i, tsr_node fn_node)
{
    tsr_wgsl *w = i->w;
    const tsr_function *f = tsr_function_at(w->ir, i->function);
    if (f->stage == TSR_STAGE_COMPUTE && f->result != 0) {
        tsr_error(w->diags, tsr_ast_span(w->ast, fn_node), TSR_E_IO_STAGE,
                  "the compute entry point `%s` cannot return a value; write to a buffer", tsr_sym_text(w, f->name));
    }
    if (f->stage == TSR_STAGE_VERTEX && !i->has_position) {
        tsr_error(w->diags, tsr_ast_span(w->ast, fn_node), TSR_E_IO_MISSING,
                  "the vertex entry point `%s` must return @builtin(position)", tsr_sym_text(w, f->name));
    }
}

void tsr_wgsl_entry_signature(tsr_wgsl *w, uint32_t function)
{
    const tsr_function *f = tsr_function_at(w->ir, function);
    const tsr_fn_own *fn = tsr_fn_own_at(w, function);
    tsr_list params = tsr_ast_extra(w->ast, tsr_ast_at(w->ast, fn->info.node), X_FN_params);
    interface in = {.w = w, .function = function}, out = {.w = w, .function = function, .output = true};
    tsr_map_init(&in.colors, w->arena);
    tsr_map_init(&out.colors, w->arena);
    tsr_map_init(&in.locations, w->arena);
    tsr_map_init(&out.locations, w->arena);
    for (uint32_t i = 0; i < f->param_count; i++) {
        in.span = tsr_ast_span(w->ast, tsr_ast_list_at(w->ast, params, i));
        check_io(&in, &fn->params[i], f->params[i].type, f->params[i].name);
    }
    if (f->result != 0 && f->stage != TSR_STAGE_COMPUTE) {
        out.span = tsr_ast_span(w->ast, tsr_ast_extra(w->ast, tsr_ast_at(w->ast, fn->info.node), X_FN_result));
        check_io(&out, &fn->result, f->result, 0);
    }
    check_stage_rules(&out, fn->info.node);
}

/* ---- Sizes. */

/* Whether the number of a constant is a size. */
static bool check_size(tsr_wgsl *w, const tsr_operand *o, const char *what, bool power_of_two)
{
    uint64_t bits = o->cval->is_zero ? 0 : tsr_cval_bits(o->cval);
    int64_t value = o->type == TSR_T_u32   ? (int64_t)(uint32_t)bits
                    : o->type == TSR_T_i32 ? (int64_t)(int32_t)(uint32_t)bits
                                           : (int64_t)bits;
    if (value >= 1 && (!power_of_two || (value & (value - 1)) == 0)) return true;
    tsr_error(w->diags, o->span, TSR_E_WORKGROUP_ATTR, "%s must be a positive %s, found %lld", what,
              power_of_two ? "power of two" : "number", (long long)value);
    return false;
}

/* A const- or override-expression of i32 or u32, constants positive; its type before it becomes concrete goes to *type.
 * 0 after reporting. Assumes: no function is open, so that what is known only at run time was reported. */
static tsr_id read_size(tsr_wgsl *w, tsr_node n, const char *what, bool power_of_two, tsr_type *type)
{
    tsr_operand o = tsr_wgsl_value(w, n);
    if (o.kind == TSR_O_error) return 0;
    *type = o.type;
    if (o.type != TSR_T_i32 && o.type != TSR_T_u32 && o.type != TSR_T_aint) {
        tsr_error(w->diags, tsr_ast_span(w->ast, n), TSR_E_WORKGROUP_ATTR, "%s must be an i32 or u32, found `%s`", what,
                  tsr_wgsl_type_name(w, o.type));
        return 0;
    }
    if (o.kind == TSR_O_const && !check_size(w, &o, what, power_of_two)) return 0;
    return tsr_wgsl_concretize(w, &o) ? tsr_wgsl_id(w, &o) : 0;
}

/* The number of invocations is an u32 in every API; a size that only a pipeline knows is checked there. */
static void check_grid(tsr_wgsl *w, const tsr_function *f, tsr_node attr)
{
    uint64_t product = 1;
    for (unsigned i = 0; i < TSR_COUNT_OF(f->workgroup_size); i++) {
        const tsr_inst *size = tsr_inst_at(w->ir, f->workgroup_size[i]);
        if (f->workgroup_size[i] == 0 || size->op != TSR_OP_const) continue;
        product *= tsr_constant_bits(w->ir, size);
        if (product <= UINT32_MAX) continue;
        tsr_error(w->diags, tsr_ast_span(w->ast, attr), TSR_E_WORKGROUP_ATTR,
                  "a workgroup of more than %u invocations; make it smaller", UINT32_MAX);
        return;
    }
}

/* WGSL, "workgroup_size": the arguments have one type; a number without suffix takes that of the others. */
static void read_workgroup_size(tsr_wgsl *w, tsr_function *f, tsr_node attr)
{
    uint32_t count = tsr_ast_list_count(w->ast, tsr_ast_at(w->ast, attr)->b);
    tsr_type first = 0;
    for (uint32_t i = 0; i < count; i++) {
        tsr_node n = tsr_wgsl_attr_arg(w, attr, i);
        tsr_type type = 0;
        f->workgroup_size[i] = read_size(w, n, "a workgroup size", false, &type);
        if (f->workgroup_size[i] == 0 || type == TSR_T_aint) continue;
        if (first != 0 && type != first) {
            tsr_error(w->diags, tsr_ast_span(w->ast, n), TSR_E_WORKGROUP_ATTR,
                      "the workgroup sizes must have one type, found `%s` after `%s`", tsr_wgsl_type_name(w, type),
                      tsr_wgsl_type_name(w, first));
        }
        first = type;
    }
    check_grid(w, f, attr);
}

void tsr_wgsl_entry_sizes(tsr_wgsl *w, uint32_t function, const tsr_attrs *attrs)
{
    tsr_function *f = tsr_function_at(w->ir, function);
    tsr_node size = attrs->at[TSR_ATTR_workgroup_size], subgroup = attrs->at[TSR_ATTR_subgroup_size];
    tsr_type type;
    if (f->stage != TSR_STAGE_COMPUTE) return;
    if (size != 0) {
        read_workgroup_size(w, f, size);
    } else if (!attrs->failed) {
        tsr_error(w->diags, f->span, TSR_E_WORKGROUP_ATTR,
                  "the compute entry point `%s` needs a workgroup size; add @workgroup_size(...)",
                  tsr_sym_text(w, f->name));
    }
    if (subgroup == 0) return;
    if (!tsr_own(w)->subgroup_size_control) {
        tsr_error(w->diags, tsr_ast_span(w->ast, subgroup), TSR_E_EXTENSION_NEEDED,
                  "@subgroup_size needs an extension; add `enable subgroup_size_control;` at the top of the file");
        return;
    }
    f->subgroup_size = read_size(w, tsr_wgsl_attr_arg(w, subgroup, 0), "a subgroup size", true, &type);
}
