/* Portability: see portable.h. What device.c refuses is refused here; the same facts are asked again for what the
 * record of the device leaves open. */
#include "check/portable.h"

#include "check/check.h"

#include <inttypes.h>
#include <string.h>

/* What every device takes. Source: WebGPU, "Limits", the default values. */
enum { ANY_SIZE_XY = 256, ANY_SIZE_Z = 64, ANY_INVOCATIONS = 256, ANY_WORKGROUP_BYTES = 16384 };
enum { NAME_BYTES = 128, LEAST_SUBGROUP = 4, MOST_SUBGROUP = 128 };

struct portable {
    const tsr_program *p;
    const tsr_profile *profile;
    const tsr_support *support;
    tsr_arena *arena;
    tsr_source *source;
    tsr_fit_findings *out;
    uint32_t subgroup_size; /* at hand */
    bool refused;           /* at this size */
    bool config_found;      /* some multiply-add was refused or is unknown */
};

/* ---- Findings -------------------------------------------------------------------------------------------------- */

static bool is_same(const tsr_fit_finding *f, tsr_fit fit, uint32_t number, tsr_span span, const char *message)
{
    if (f->reason.fit != fit || f->reason.number != number || strcmp(f->reason.message, message) != 0) return false;
    return f->reason.has_wanted || f->span.pos == span.pos; /* a configuration is told once, wherever it is used */
}

/* A finding that is there already is counted once for this size; NULL then. */
static tsr_fit_finding *add_finding(struct portable *c, tsr_fit fit, uint32_t number, tsr_span span,
                                    const char *message)
{
    c->refused |= fit == TSR_FIT_REFUSED;
    for (tsr_fit_finding *f = c->out->first; f; f = f->next) {
        if (!is_same(f, fit, number, span, message)) continue;
        if (f->reason.subgroup_size != c->subgroup_size) f->sizes++;
        f->reason.subgroup_size = c->subgroup_size;
        return NULL;
    }
    tsr_fit_finding *f = TSR_NEW(c->arena, tsr_fit_finding);
    f->reason = (tsr_fit_reason){.fit = fit,
                                 .number = number,
                                 .rule = tsr_diag_title((tsr_diag_code)number),
                                 .message = message,
                                 .differs = "",
                                 .subgroup_size = c->subgroup_size};
    f->span = span;
    f->sizes = 1;
    if (c->out->last)
        c->out->last->next = f;
    else
        c->out->first = f;
    c->out->last = f;
    c->out->count++;
    return f;
}

/* ---- Configurations -------------------------------------------------------------------------------------------- */

static const char *describe_config(struct portable *c, const tsr_config *wanted, bool known)
{
    char name[NAME_BYTES];
    tsr_text t;
    tsr_text_init(&t, c->arena);
    tsr_config_name(wanted, name, sizeof name);
    if (known && c->support->config_count)
        tsr_text_printf(&t, "%s has no configuration %s", c->profile->info.name, name);
    else if (known)
        tsr_text_printf(&t, "%s has no configuration at all, so no %s", c->profile->info.name, name);
    else
        tsr_text_printf(&t, "the record of %s is not complete and does not list %s", c->profile->info.name, name);
    return tsr_text_get(&t);
}

static void report_config(struct portable *c, const tsr_config *wanted, tsr_verdict v, tsr_span span)
{
    char differs[NAME_BYTES];
    bool known = v != TSR_VERDICT_UNKNOWN;
    if (v == TSR_VERDICT_NO_SATURATION && c->profile->info.inferred & TSR_INFERRED_CONFIGS) known = false;
    c->config_found = true;
    tsr_fit_finding *f = add_finding(c, known ? TSR_FIT_REFUSED : TSR_FIT_UNKNOWN, TSR_E_BUILD_MATRIX_CONFIG, span,
                                     describe_config(c, wanted, known));
    if (!f) return;
    f->reason.has_wanted = true;
    f->reason.wanted = *wanted;
    const tsr_config *near = tsr_support_nearest(c->support, wanted, differs, sizeof differs);
    if (!near) return;
    f->reason.has_nearest = true;
    f->reason.nearest = *near;
    f->reason.differs = tsr_arena_strndup(c->arena, differs, strlen(differs));
}

static const tsr_type_info *type_of(const tsr_ir *ir, const tsr_inst *inst, uint32_t i)
{
    return tsr_type_get(ir->types, tsr_inst_at(ir, tsr_arg(ir, inst, i))->type);
}

static void check_mma(void *user, tsr_id id)
{
    struct portable *c = user;
    const tsr_ir *ir = c->p->ir;
    const tsr_inst *inst = tsr_inst_at(ir, id);
    if (inst->op != TSR_OP_mma) return;
    const tsr_type_info *a = type_of(ir, inst, 0), *b = type_of(ir, inst, 1), *sum = type_of(ir, inst, 2);
    tsr_config wanted = {.shape = {a->size.value, b->size2.value, a->size2.value},
                         .a = (tsr_component)a->component,
                         .b = (tsr_component)b->component,
                         .c = (tsr_component)sum->component,
                         .r = (tsr_component)tsr_type_get(ir->types, inst->type)->component,
                         .saturating = inst->aux & 1u,
                         .scope = (tsr_scope)a->scope};
    tsr_verdict v = tsr_support_verdict(c->support, &wanted);
    if (v != TSR_VERDICT_YES) report_config(c, &wanted, v, inst->span);
}

/* Matrices that no multiply-add reads or writes count too. */
static void check_matrix(void *user, tsr_id id)
{
    struct portable *c = user;
    const tsr_ir *ir = c->p->ir;
    const tsr_inst *inst = tsr_inst_at(ir, id);
    const tsr_type_info *t = tsr_type_get(ir->types, inst->type);
    if (t->kind != TSR_T_smat || c->config_found) return;
    tsr_caps caps = tsr_profile_caps(c->profile, c->subgroup_size);
    if (tsr_caps_fragment(&caps, (tsr_use)t->use, (tsr_component)t->component, t->size.value, t->size2.value) !=
        TSR_VERDICT_UNKNOWN)
        return;
    tsr_text text;
    tsr_text_init(&text, c->arena);
    tsr_text_printf(&text, "the record of %s is not complete and lists no `%s`", c->profile->info.name,
                    tsr_type_cstr(ir->types, c->arena, inst->type));
    add_finding(c, TSR_FIT_UNKNOWN, TSR_E_BUILD_MATRIX_TYPE, inst->span, tsr_text_get(&text));
}

/* A device whose record names no subgroup size may have no subgroups. */
static void check_subgroups(void *user, tsr_id id)
{
    struct portable *c = user;
    const tsr_inst *inst = tsr_inst_at(c->p->ir, id);
    unsigned flags = tsr_op_table[inst->op].flags;
    if (c->support->subgroup_size_count || !(flags & (TSR_OPF_SG | TSR_OPF_SG_UNI | TSR_OPF_QUAD))) return;
    tsr_text text;
    tsr_text_init(&text, c->arena);
    tsr_text_printf(&text, "the subgroup sizes of %s are not known", c->profile->info.name);
    tsr_span span = tsr_function_at(c->p->ir, c->p->entry)->span; /* told once */
    add_finding(c, TSR_FIT_UNKNOWN, TSR_E_BUILD_SUBGROUP_SIZE, span, tsr_text_get(&text));
}

static void walk_functions(struct portable *c, void (*visit)(void *user, tsr_id id))
{
    for (uint32_t f = 1; f < c->p->ir->functions.count; f++)
        tsr_block_walk(c->p->ir, tsr_function_at(c->p->ir, f)->body, visit, c);
}

/* ---- What device.c says ---------------------------------------------------------------------------------------- */

/* Whether a refusal rests on a part of the record that is an estimate or is not there. */
static bool is_estimate(const struct portable *c, tsr_diag_code code)
{
    unsigned inferred = c->profile->info.inferred;
    switch (code) {
    case TSR_E_BUILD_F16_UNSUPPORTED: return c->profile->info.f16 == TSR_ANSWER_UNKNOWN;
    case TSR_E_BUILD_WORKGROUP_SIZE:
    case TSR_E_BUILD_WORKGROUP_INVOCATIONS: return inferred & TSR_INFERRED_WORKGROUP;
    case TSR_E_BUILD_WORKGROUP_MEMORY: return inferred & TSR_INFERRED_MEMORY;
    case TSR_E_BUILD_MATRIX_SHARE:
    case TSR_E_BUILD_MATRIX_WORKGROUP:
    case TSR_E_BUILD_SUBGROUP_SIZE: return (inferred & TSR_INFERRED_SUBGROUP) || c->support->subgroup_size_count == 0;
    default: return false;
    }
}

static void take_diagnostics(struct portable *c, const tsr_diags *diags)
{
    for (const tsr_diag *d = diags->first; d; d = d->next) {
        if (d->code == TSR_E_BUILD_MATRIX_CONFIG) continue; /* check_mma says it, with the nearest */
        if (d->code == TSR_E_BUILD_MATRIX_TYPE && c->config_found) continue;
        if (d->severity != TSR_SEVERITY_ERROR) continue;
        bool estimate = is_estimate(c, d->code);
        tsr_text text;
        tsr_text_init(&text, c->arena);
        if (d->code == TSR_E_BUILD_F16_UNSUPPORTED && estimate)
            tsr_text_printf(&text, "nothing says whether %s has f16", c->profile->info.name);
        else
            tsr_text_printf(&text, "%s%s", d->text, estimate ? " (its record gives this as an estimate)" : "");
        add_finding(c, estimate ? TSR_FIT_UNKNOWN : TSR_FIT_REFUSED, d->code, d->span, tsr_text_get(&text));
    }
}

/* ---- Limits that are not known --------------------------------------------------------------------------------- */

static void check_unknown(struct portable *c, uint64_t limit, uint64_t need, uint64_t any, tsr_diag_code code,
                          const char *what)
{
    if (limit || need <= any) return;
    tsr_text text;
    tsr_text_init(&text, c->arena);
    tsr_text_printf(&text, "%" PRIu64 " %s: the limit of %s is not known, and only %" PRIu64 " is sure", need, what,
                    c->profile->info.name, any);
    add_finding(c, TSR_FIT_UNKNOWN, code, tsr_function_at(c->p->ir, c->p->entry)->span, tsr_text_get(&text));
}

static void check_limits(struct portable *c)
{
    static const char *const sizes[] = {"as workgroup size x", "as workgroup size y", "as workgroup size z"};
    const tsr_limits *l = &c->profile->info.limits;
    const uint32_t *size = c->p->workgroup_size;
    uint64_t invocations = (uint64_t)size[0] * size[1];
    invocations = size[2] && invocations > UINT64_MAX / size[2] ? UINT64_MAX : invocations * size[2];
    for (int i = 0; i < 3; i++)
        check_unknown(c, l->max_workgroup_size[i], size[i], i == 2 ? ANY_SIZE_Z : ANY_SIZE_XY,
                      TSR_E_BUILD_WORKGROUP_SIZE, sizes[i]);
    check_unknown(c, l->max_workgroup_invocations, invocations, ANY_INVOCATIONS, TSR_E_BUILD_WORKGROUP_INVOCATIONS,
                  "invocations in a workgroup");
    check_unknown(c, l->max_workgroup_bytes, c->p->workgroup_bytes, ANY_WORKGROUP_BYTES, TSR_E_BUILD_WORKGROUP_MEMORY,
                  "bytes of workgroup memory");
}

/* ---- Sizes ----------------------------------------------------------------------------------------------------- */

static void check_size(struct portable *c, uint32_t size)
{
    tsr_diags diags;
    c->subgroup_size = size;
    c->refused = c->config_found = false;
    walk_functions(c, check_mma);
    walk_functions(c, check_matrix);
    walk_functions(c, check_subgroups);
    tsr_caps caps = tsr_profile_caps(c->profile, size);
    caps.f16 = c->profile->info.f16 == TSR_ANSWER_YES;
    tsr_diags_init(&diags, c->arena, c->source);
    tsr_check_device(c->p, &caps, &diags);
    take_diagnostics(c, &diags);
    check_limits(c);
    if (!c->refused) c->out->sizes[c->out->size_count++] = size;
}

static uint32_t get_asked_size(const tsr_program *p)
{
    tsr_id asked = tsr_function_at(p->ir, p->entry)->subgroup_size;
    return asked ? (uint32_t)tsr_constant_bits(p->ir, tsr_inst_at(p->ir, asked)) : 0;
}

/* Sizes beyond what a CPU can take on are left out. */
static uint32_t list_sizes(struct portable *c, uint32_t wanted, uint32_t *sizes)
{
    uint32_t n = 0, asked = get_asked_size(c->p);
    const tsr_support *s = c->support;
    if (!wanted && asked) {
        for (size_t i = 0; i < s->subgroup_size_count; i++)
            if (s->subgroup_sizes[i] == asked) wanted = asked;
    }
    if (wanted) {
        sizes[0] = wanted;
        return 1;
    }
    for (size_t i = 0; i < s->subgroup_size_count; i++)
        if (s->subgroup_sizes[i] >= LEAST_SUBGROUP && s->subgroup_sizes[i] <= MOST_SUBGROUP)
            sizes[n++] = s->subgroup_sizes[i];
    if (n == 0) sizes[n++] = tsr_profile_subgroup_size(c->profile);
    return n;
}

static tsr_fit find_verdict(const tsr_fit_findings *found)
{
    tsr_fit verdict = TSR_FIT_RUNS;
    for (const tsr_fit_finding *f = found->first; f; f = f->next) {
        if (f->reason.fit == TSR_FIT_REFUSED) return TSR_FIT_REFUSED;
        verdict = TSR_FIT_UNKNOWN;
    }
    return verdict;
}

void tsr_check_portable(const tsr_program *p, const tsr_profile *profile, uint32_t subgroup_size, tsr_arena *arena,
                        tsr_source *source, tsr_fit_findings *out)
{
    struct portable c = {
        .p = p, .profile = profile, .support = &profile->info.support, .arena = arena, .source = source, .out = out};
    *out = (tsr_fit_findings){0};
    uint32_t *sizes = TSR_NEW_ARRAY(arena, uint32_t, c.support->subgroup_size_count + 1u);
    out->sizes = TSR_NEW_ARRAY(arena, uint32_t, c.support->subgroup_size_count + 1u);
    uint32_t count = list_sizes(&c, subgroup_size, sizes);
    for (uint32_t i = 0; i < count; i++)
        check_size(&c, sizes[i]);
    for (tsr_fit_finding *f = out->first; f; f = f->next)
        if (f->sizes == count) f->reason.subgroup_size = 0;
    out->verdict = find_verdict(out);
}
