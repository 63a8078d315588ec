/* Directives (enable, requires, diagnostic) and the @diagnostic attribute: what they switch on, and the severities of
 * diagnostic rules. WGSL, "Directives" and "Diagnostics". */
#include "wgsl/declare.h"

#include <stddef.h>
#include <string.h>

/* ---- enable. WGSL, "Enable Extensions"; the matrix ones: subgroup matrix proposal. */

static const char *const extensions[] = {"f16",
                                         "clip_distances",
                                         "dual_source_blending",
                                         "subgroups",
                                         "primitive_index",
                                         "subgroup_size_control",
                                         "atomic_vec2u_min_max",
                                         "subgroup_matrix",
                                         "chromium_experimental_subgroup_matrix",
                                         "chromium_experimental_subgroup_size_control",
                                         "chromium_disable_uniformity_analysis",
                                         "chromium_experimental_barycentric_coord",
                                         "chromium_experimental_framebuffer_fetch",
                                         "chromium_experimental_pixel_local",
                                         "chromium_experimental_resource_table",
                                         "chromium_internal_input_attachments"};

static bool is_one_of(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(name, names[i]) == 0) return true;
    }
    return false;
}

/* What browsers try out: read and checked, so that files that use it get their other faults reported. */
static void enable_trial(tsr_wgsl *w, const char *name)
{
    tsr_wgsl_own *own = tsr_own(w);
    if (strcmp(name, "chromium_disable_uniformity_analysis") == 0) w->ir->uniformity_off = true;
    if (strcmp(name, "chromium_experimental_barycentric_coord") == 0) own->barycentric_coord = true;
    if (strcmp(name, "chromium_experimental_framebuffer_fetch") == 0) own->framebuffer_fetch = true;
    if (strcmp(name, "chromium_experimental_pixel_local") == 0) own->pixel_local = true;
    if (strcmp(name, "chromium_experimental_resource_table") == 0) w->resource_table = true;
    if (strcmp(name, "chromium_internal_input_attachments") == 0) own->input_attachments = true;
}

static void enable_extension(tsr_wgsl *w, const char *name)
{
    enable_trial(w, name);
    if (strcmp(name, "f16") == 0) w->f16 = w->ir->uses_f16 = true;
    if (strcmp(name, "subgroups") == 0) w->subgroups = w->ir->uses_subgroups = true;
    if (strcmp(name, "atomic_vec2u_min_max") == 0) tsr_own(w)->atomic_vec2u = true;
    if (strcmp(name, "clip_distances") == 0) w->clip_distances = true;
    if (strcmp(name, "dual_source_blending") == 0) w->dual_source = true;
    if (strcmp(name, "primitive_index") == 0) w->primitive_index = true;
    if (strcmp(name, "subgroup_matrix") == 0) w->matrix_standard = w->ir->uses_matrices = true;
    if (strcmp(name, "chromium_experimental_subgroup_matrix") == 0) w->matrix_chromium = w->ir->uses_matrices = true;
    /* "Implicitly depends on subgroups. WGSL does not require any subgroups enable": proposal, "Enable Extension". */
    if (w->ir->uses_matrices) w->subgroups = true;
    if (strcmp(name, "subgroup_size_control") == 0 ||
        strcmp(name, "chromium_experimental_subgroup_size_control") == 0) {
        tsr_own(w)->subgroup_size_control = true;
    }
}

/* Names that browsers knew before the specification settled: what brings the same now. */
static const struct retired_row {
    const char *name, *now;
} retired[] = {
    {"subgroups_f16", "`enable f16;` and `enable subgroups;` together bring what it brought"},
    {"chromium_experimental_subgroups", "write `enable subgroups;`"},
    {"chromium_experimental_f16", "write `enable f16;`"},
    {"chromium_experimental_dp4a", "packed dot products need no `enable`; remove it"},
    {"chromium_experimental_full_ptr_parameters", "such pointers need no `enable`; remove it"},
    {"chromium_experimental_read_write_storage_texture", "such textures need no `enable`; remove it"},
    {"chromium_internal_dual_source_blending", "write `enable dual_source_blending;`"},
    {"chromium_experimental_primitive_id", "write `enable primitive_index;`"},
    {"chromium_experimental_immediate", "`var<immediate>` needs no `enable`; remove it"},
    {"chromium_experimental_push_constant", "remove it, and write `var<immediate>` for `var<push_constant>`"},
    {"chromium_internal_graphite", "the texel formats that it brought need no `enable`; remove it"},
};

static const char *find_retired(const char *name)
{
    for (size_t i = 0; i < TSR_COUNT_OF(retired); i++) {
        if (strcmp(retired[i].name, name) == 0) return retired[i].now;
    }
    return NULL;
}

/* Which one was meant is not known, so that nothing is said of what needs one. */
static void assume_extensions(tsr_wgsl *w)
{
    for (size_t i = 0; i < TSR_COUNT_OF(extensions); i++)
        enable_extension(w, extensions[i]);
}

static void enable(tsr_wgsl *w, tsr_node ident)
{
    const char *name = tsr_sym_text(w, tsr_ast_at(w->ast, ident)->a);
    if (is_one_of(name, extensions, TSR_COUNT_OF(extensions))) {
        enable_extension(w, name);
        return;
    }
    tsr_diag *d = tsr_error(w->diags, tsr_ast_span(w->ast, ident), TSR_E_EXTENSION_UNKNOWN,
                            "there is no extension `%s` here; remove it or correct its name", name);
    assume_extensions(w);
    const char *now = find_retired(name);
    if (now != NULL)
        tsr_note(w->diags, d, (tsr_span){0, 0}, "%s", now);
    else
        tsr_wgsl_suggest_of(w, d, name, extensions, TSR_COUNT_OF(extensions));
}

/* ---- requires. WGSL, "Language Extensions": those that this front end implements. */

static const char *const features[] = {"readonly_and_readwrite_storage_textures",
                                       "packed_4x8_integer_dot_product",
                                       "unrestricted_pointer_parameters",
                                       "pointer_composite_access",
                                       "uniform_buffer_standard_layout",
                                       "subgroup_id",
                                       "subgroup_uniformity",
                                       "texture_and_sampler_let",
                                       "texture_formats_tier1",
                                       "linear_indexing",
                                       "immediate_address_space",
                                       "sized_binding_array",
                                       "fragment_depth",
                                       "swizzle_assignment",
                                       "buffer_view",
                                       "texel_buffers",
                                       "chromium_print"};

static void require(tsr_wgsl *w, tsr_node ident)
{
    const char *name = tsr_sym_text(w, tsr_ast_at(w->ast, ident)->a);
    if (strcmp(name, "uniform_buffer_standard_layout") == 0) tsr_own(w)->standard_layout = true;
    if (is_one_of(name, features, TSR_COUNT_OF(features))) return;
    tsr_diag *d = tsr_error(w->diags, tsr_ast_span(w->ast, ident), TSR_E_FEATURE_UNKNOWN,
                            "the language feature `%s` is not known here; remove it or correct its name", name);
    tsr_wgsl_suggest_of(w, d, name, features, TSR_COUNT_OF(features));
}

/* ---- Diagnostic filters. */

static const struct rule_row {
    const char *name;
    size_t field; /* of tsr_diag_state */
} rules[] = {
    {"derivative_uniformity", offsetof(tsr_diag_state, derivative_uniformity)},
    {"subgroup_uniformity", offsetof(tsr_diag_state, subgroup_uniformity)},
    {"subgroup_matrix_uniformity", offsetof(tsr_diag_state, subgroup_matrix_uniformity)},
    {"chromium.subgroup_matrix_uniformity", offsetof(tsr_diag_state, subgroup_matrix_uniformity)},
    {"chromium_experimental.subgroup_matrix_uniformity", offsetof(tsr_diag_state, subgroup_matrix_uniformity)},
};

static bool read_severity(tsr_wgsl *w, tsr_node n, uint8_t *out)
{
    static const char *const names[] = {"off", "info", "warning", "error"}; /* in the order of tsr_severity */
    const tsr_ast_node *node = tsr_ast_at(w->ast, n);
    const char *name = node->kind == TSR_N_ident ? tsr_sym_text(w, node->a) : "";
    for (unsigned i = 0; i < TSR_COUNT_OF(names); i++) {
        if (strcmp(name, names[i]) == 0) {
            *out = (uint8_t)i;
            return true;
        }
    }
    tsr_error(w->diags, tsr_ast_span(w->ast, n), TSR_E_SEVERITY_UNKNOWN,
              "a severity is `off`, `info`, `warning` or `error`, found `%s`", name);
    return false;
}

/* `rule` or `vendor.rule`; NULL when the node is neither. */
static const char *rule_name(tsr_wgsl *w, tsr_node n)
{
    const tsr_ast_node *node = tsr_ast_at(w->ast, n);
    if (node->kind == TSR_N_ident) return tsr_sym_text(w, node->a);
    if (node->kind != TSR_N_member || tsr_ast_at(w->ast, node->a)->kind != TSR_N_ident) return NULL;
    tsr_text text;
    tsr_text_init(&text, w->arena);
    tsr_text_printf(&text, "%s.%s", tsr_sym_text(w, tsr_ast_at(w->ast, node->a)->a), tsr_sym_text(w, node->b));
    return tsr_text_get(&text);
}

/* Unknown rules are warnings: another implementation may know them. */
static void warn_unknown_rule(tsr_wgsl *w, tsr_node n, const char *name)
{
    const char *names[TSR_COUNT_OF(rules)];
    for (size_t i = 0; i < TSR_COUNT_OF(rules); i++)
        names[i] = rules[i].name;
    tsr_diag *d = tsr_report(w->diags, TSR_SEVERITY_WARNING, tsr_ast_span(w->ast, n), TSR_E_RULE_UNKNOWN,
                             "the diagnostic rule `%s` is not known here and is ignored", name);
    tsr_wgsl_suggest_of(w, d, name, names, TSR_COUNT_OF(rules));
}

/* Filters that were given in one place: two severities for one rule are an error; on one statement or function, a rule
 * given twice is one in any case. */
typedef struct filter_set {
    tsr_map nodes, severities; /* by the rule's name, a symbol */
    bool once;
} filter_set;

static filter_set begin_filters(tsr_wgsl *w, bool once)
{
    filter_set set = {.once = once};
    tsr_map_init(&set.nodes, w->arena);
    tsr_map_init(&set.severities, w->arena);
    return set;
}

/* Whether the filter is one of the set now; false after reporting. */
static bool add_filter(tsr_wgsl *w, filter_set *set, const char *name, tsr_node rule, uint8_t severity)
{
    tsr_sym sym = tsr_symbols_add(w->symbols, name, strlen(name));
    uint32_t node, before;
    if (tsr_map_find(&set->nodes, sym, &node) && tsr_map_find(&set->severities, sym, &before) &&
        (set->once || before != severity)) {
        tsr_diag *d = tsr_error(w->diags, tsr_ast_span(w->ast, rule), TSR_E_RULE_CONFLICT,
                                "the rule `%s` gets a severity a second time here; keep one", name);
        tsr_note(w->diags, d, tsr_ast_span(w->ast, node), "the other one is here");
        return false;
    }
    tsr_map_set(&set->nodes, sym, rule);
    tsr_map_set(&set->severities, sym, severity);
    return true;
}

static void apply_filter(tsr_wgsl *w, tsr_diag_state *state, filter_set *set, tsr_node severity_node, tsr_node rule)
{
    uint8_t severity;
    if (!read_severity(w, severity_node, &severity)) return;
    const char *name = rule_name(w, rule);
    if (name == NULL) {
        tsr_error(w->diags, tsr_ast_span(w->ast, rule), TSR_E_ATTR_ARGS,
                  "the name of a diagnostic rule is one name or two with a dot between");
        return;
    }
    if (!add_filter(w, set, name, rule, severity)) return;
    for (size_t i = 0; i < TSR_COUNT_OF(rules); i++) {
        if (strcmp(rules[i].name, name) != 0) continue;
        memcpy((char *)state + rules[i].field, &severity, 1);
        return;
    }
    warn_unknown_rule(w, rule, name);
}

uint16_t tsr_wgsl_diag_attrs(tsr_wgsl *w, uint16_t now, tsr_list attrs)
{
    uint32_t count = tsr_ast_list_count(w->ast, attrs);
    tsr_diag_state state = *(const tsr_diag_state *)tsr_pool_at(&w->ir->diag_states, now);
    filter_set set = begin_filters(w, true);
    for (uint32_t i = 0; i < count; i++) {
        tsr_node attr = tsr_ast_list_at(w->ast, attrs, i);
        /* A wrong number of arguments was reported when the list was read. */
        if (!tsr_wgsl_attr_is(w, attr, "diagnostic") || tsr_ast_list_count(w->ast, tsr_ast_at(w->ast, attr)->b) != 2) {
            continue;
        }
        apply_filter(w, &state, &set, tsr_wgsl_attr_arg(w, attr, 0), tsr_wgsl_attr_arg(w, attr, 1));
    }
    return set.nodes.count == 0 ? now : tsr_diag_state_add(w->ir, state);
}

void tsr_wgsl_directives(tsr_wgsl *w)
{
    uint32_t count = tsr_ast_list_count(w->ast, w->ast->directives);
    tsr_diag_state state = *(const tsr_diag_state *)tsr_pool_at(&w->ir->diag_states, 0);
    filter_set set = begin_filters(w, false);
    for (uint32_t i = 0; i < count; i++) {
        const tsr_ast_node *n = tsr_ast_at(w->ast, tsr_ast_list_at(w->ast, w->ast->directives, i));
        uint32_t names = n->kind == TSR_N_diagnostic ? 0 : tsr_ast_list_count(w->ast, n->a);
        for (uint32_t k = 0; k < names; k++) {
            tsr_node ident = tsr_ast_list_at(w->ast, n->a, k);
            if (n->kind == TSR_N_enable) enable(w, ident);
            if (n->kind == TSR_N_requires) require(w, ident);
        }
        if (n->kind == TSR_N_diagnostic) apply_filter(w, &state, &set, n->a, n->b);
    }
    tsr_own(w)->module_diag = set.nodes.count == 0 ? 0 : tsr_diag_state_add(w->ir, state);
    w->b.diag = tsr_own(w)->module_diag;
}
