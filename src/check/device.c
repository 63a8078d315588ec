/* Whether a device can run a program: the rules of pipeline creation. Source: WGSL subgroup matrix proposal, "Pipeline
 * creation"; WebGPU, "GPUComputePipeline" and "Limits". */
#include "check/check.h"

#include <inttypes.h>

struct device_check {
    const tsr_program *p;
    const tsr_caps *caps;
    tsr_diags *diags;
    const tsr_types *types;
    bool *seen; /* by type */
    bool *bad;  /* matrix types that were refused: multiply-adds of them say nothing more */
    bool f16_reported;
    tsr_span first_matrix;
    bool has_matrix;
};

enum { CONFIG_NAME_BYTES = 128 };

static const char *spell_type(struct device_check *c, tsr_type type)
{
    return tsr_type_cstr(c->types, c->diags->arena, type);
}

/* ---- Matrix types ---------------------------------------------------------------------------------------------- */

static void check_share(struct device_check *c, tsr_type type, const tsr_type_info *info, tsr_span span)
{
    uint64_t components = (uint64_t)info->size.value * info->size2.value;
    uint32_t subgroup = c->caps->subgroup_size;
    if (subgroup == 0 || components % subgroup == 0) return;
    c->bad[type] = true;
    tsr_error(c->diags, span, TSR_E_BUILD_MATRIX_SHARE,
              "`%s` has %" PRIu64 " components, which a subgroup of %u cannot share evenly", spell_type(c, type),
              components, (unsigned)subgroup);
}

static void check_matrix_type(struct device_check *c, tsr_type type, const tsr_type_info *info, tsr_span span)
{
    tsr_verdict v = tsr_caps_fragment(c->caps, (tsr_use)info->use, (tsr_component)info->component, info->size.value,
                                      info->size2.value);
    if (!c->has_matrix || span.pos < c->first_matrix.pos) c->first_matrix = span;
    c->has_matrix = true;
    if (v != TSR_VERDICT_YES && v != TSR_VERDICT_UNKNOWN) {
        c->bad[type] = true;
        tsr_error(c->diags, span, TSR_E_BUILD_MATRIX_TYPE,
                  "%s has no `%s` (%s matrix of %ux%u %s) in any configuration; `tessera devices %s` lists them",
                  c->caps->name, spell_type(c, type), tsr_use_name((tsr_use)info->use), (unsigned)info->size.value,
                  (unsigned)info->size2.value, tsr_component_name((tsr_component)info->component), c->caps->name);
        return;
    }
    check_share(c, type, info, span);
}

/* The type and all it is made of, at the place where it is first met. As deep as types nest. */
static void check_type(struct device_check *c, tsr_type type, tsr_span span)
{
    if (type == 0 || c->seen[type]) return;
    c->seen[type] = true;
    const tsr_type_info *info = tsr_type_get(c->types, type);
    bool is_f16 = info->kind == TSR_T_f16 || (info->kind == TSR_T_smat && info->component == TSR_F16);
    if (is_f16 && !c->caps->f16 && !c->f16_reported) {
        c->f16_reported = true;
        tsr_error(c->diags, span, TSR_E_BUILD_F16_UNSUPPORTED, "%s has no f16", c->caps->name);
    }
    if (info->kind == TSR_T_smat) check_matrix_type(c, type, info, span);
    check_type(c, info->elem, span);
    for (uint32_t i = 0; i < info->member_count; i++)
        check_type(c, info->members[i].type, span);
}

/* ---- Multiply-adds --------------------------------------------------------------------------------------------- */

static tsr_component component_of(const struct device_check *c, tsr_type type)
{
    return (tsr_component)tsr_type_get(c->types, type)->component;
}

static void report_config(struct device_check *c, const tsr_config *wanted, tsr_span span)
{
    char name[CONFIG_NAME_BYTES], near_name[CONFIG_NAME_BYTES], differs[CONFIG_NAME_BYTES];
    tsr_config_name(wanted, name, sizeof name);
    tsr_diag *d =
        tsr_error(c->diags, span, TSR_E_BUILD_MATRIX_CONFIG, "%s has no configuration %s", c->caps->name, name);
    const tsr_config *near = tsr_support_nearest(&c->caps->support, wanted, differs, sizeof differs);
    if (near) {
        tsr_config_name(near, near_name, sizeof near_name);
        tsr_note(c->diags, d, (tsr_span){0, 0}, "the nearest is %s, which differs in %s", near_name, differs);
    } else if (c->caps->support.open) {
        tsr_note(c->diags, d, (tsr_span){0, 0},
                 "both inputs must be of one kind and width, the sum of the same kind and at least as wide");
    }
}

static void check_mma(struct device_check *c, const tsr_inst *inst)
{
    const tsr_ir *ir = c->p->ir;
    tsr_type a = tsr_inst_at(ir, tsr_arg(ir, inst, 0))->type, b = tsr_inst_at(ir, tsr_arg(ir, inst, 1))->type;
    tsr_type sum = tsr_inst_at(ir, tsr_arg(ir, inst, 2))->type;
    if (c->bad[a] || c->bad[b] || c->bad[sum] || c->bad[inst->type]) return;
    const tsr_type_info *left = tsr_type_get(c->types, a), *right = tsr_type_get(c->types, b);
    tsr_config wanted = {.shape = {left->size.value, right->size2.value, left->size2.value},
                         .a = component_of(c, a),
                         .b = component_of(c, b),
                         .c = component_of(c, sum),
                         .r = component_of(c, inst->type),
                         .saturating = inst->aux & 1u,
                         .scope = (tsr_scope)left->scope};
    tsr_verdict v = c->caps->support.open ? (tsr_caps_open_config(&wanted) ? TSR_VERDICT_YES : TSR_VERDICT_NO)
                                          : tsr_support_verdict(&c->caps->support, &wanted);
    if (v != TSR_VERDICT_YES && v != TSR_VERDICT_UNKNOWN) report_config(c, &wanted, inst->span);
}

static void visit_types(void *user, tsr_id id)
{
    struct device_check *c = user;
    const tsr_ir *ir = c->p->ir;
    const tsr_inst *inst = tsr_inst_at(ir, id);
    check_type(c, inst->type, inst->span);
    for (uint32_t i = 0; i < inst->nargs; i++) /* values of module scope (zero matrices) stand in no function */
        check_type(c, tsr_inst_at(ir, tsr_arg(ir, inst, i))->type, inst->span);
}

static void visit_mmas(void *user, tsr_id id)
{
    struct device_check *c = user;
    const tsr_inst *inst = tsr_inst_at(c->p->ir, id);
    if (inst->op == TSR_OP_mma) check_mma(c, inst);
}

static void check_matrices(struct device_check *c)
{
    const tsr_ir *ir = c->p->ir;
    for (uint32_t g = 1; g < ir->globals.count; g++)
        visit_types(c, tsr_global_at(ir, g)->inst);
    for (uint32_t f = 1; f < ir->functions.count; f++) {
        const tsr_function *fn = tsr_function_at(ir, f);
        for (uint32_t i = 0; i < fn->param_count; i++)
            check_type(c, fn->params[i].type, fn->span);
        tsr_block_walk(ir, fn->body, visit_types, c);
    }
    for (uint32_t f = 1; f < ir->functions.count; f++)
        tsr_block_walk(ir, tsr_function_at(ir, f)->body, visit_mmas, c);
}

/* ---- Workgroup and subgroup ------------------------------------------------------------------------------------ */

static void check_workgroup_size(struct device_check *c, const tsr_function *entry)
{
    const tsr_limits *limits = &c->caps->limits;
    const uint32_t *size = c->p->workgroup_size;
    uint64_t invocations = (uint64_t)size[0] * size[1]; /* may not overflow: both are 32-bit */
    bool over = size[2] != 0 && invocations > UINT64_MAX / size[2];
    invocations = over ? UINT64_MAX : invocations * size[2];
    for (int i = 0; i < 3; i++)
        if (limits->max_workgroup_size[i] && size[i] > limits->max_workgroup_size[i])
            tsr_error(c->diags, entry->span, TSR_E_BUILD_WORKGROUP_SIZE, "workgroup size %c is %u; %s takes at most %u",
                      "xyz"[i], (unsigned)size[i], c -> caps -> name, (unsigned)limits -> max_workgroup_size[i]);
    if (limits->max_workgroup_invocations && invocations > limits->max_workgroup_invocations)
        tsr_error(c->diags, entry->span, TSR_E_BUILD_WORKGROUP_INVOCATIONS,
                  "a workgroup of %ux%ux%u has %" PRIu64 " invocations; %s takes at most %u", (unsigned)size[0],
                  (unsigned)size[1], (unsigned)size[2], invocations, c->caps->name,
                  (unsigned)limits->max_workgroup_invocations);
    if (limits->max_workgroup_bytes && c->p->workgroup_bytes > limits->max_workgroup_bytes)
        tsr_error(c->diags, entry->span, TSR_E_BUILD_WORKGROUP_MEMORY,
                  "the workgroup variables need %" PRIu64 " bytes; %s has %" PRIu64, c->p->workgroup_bytes,
                  c->caps->name, limits->max_workgroup_bytes);
}

static void check_subgroup_rules(struct device_check *c, const tsr_function *entry)
{
    const tsr_ir *ir = c->p->ir;
    uint32_t largest = c->caps->max_subgroup_size;
    if (c->has_matrix && largest && c->p->workgroup_size[0] % largest != 0) {
        tsr_diag *d = tsr_error(c->diags, entry->span, TSR_E_BUILD_MATRIX_WORKGROUP,
                                "`%s` uses subgroup matrices, so its workgroup size x, %u, must be a multiple of %s's "
                                "largest subgroup size, %u",
                                tsr_symbols_cstr(ir->symbols, entry->name), (unsigned)c->p->workgroup_size[0],
                                c->caps->name, (unsigned)largest);
        tsr_note(c->diags, d, c->first_matrix, "a subgroup matrix is used here");
    }
    if (!entry->subgroup_size) return;
    uint64_t wanted = tsr_constant_bits(ir, tsr_inst_at(ir, entry->subgroup_size));
    if (wanted != c->caps->subgroup_size)
        tsr_error(c->diags, entry->span, TSR_E_BUILD_SUBGROUP_SIZE,
                  "`%s` asks for subgroups of %" PRIu64 ", and %s runs with %u; open it with that subgroup size",
                  tsr_symbols_cstr(ir->symbols, entry->name), wanted, c->caps->name, (unsigned)c->caps->subgroup_size);
}

bool tsr_check_device(const tsr_program *p, const tsr_caps *caps, tsr_diags *diags)
{
    uint32_t errors = diags->error_count;
    struct device_check c = {.p = p, .caps = caps, .diags = diags, .types = p->ir->types};
    c.seen = TSR_NEW_ARRAY(diags->arena, bool, p->ir->types->info.count);
    c.bad = TSR_NEW_ARRAY(diags->arena, bool, p->ir->types->info.count);
    const tsr_function *entry = tsr_function_at(p->ir, p->entry);
    check_matrices(&c);
    check_workgroup_size(&c, entry);
    check_subgroup_rules(&c, entry);
    return diags->error_count == errors;
}
