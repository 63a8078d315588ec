/* hasResource<T>(index), getResource<T>(index): what a table of textures and samplers holds, an extension that browsers
 * try out. Checked only: a module that calls them is not run. Source: WGSL proposal "Resource Table". */
#include "wgsl/expr.h"
#include "wgsl/overload.h"

#include <string.h>

/* Sampled, multisampled and depth textures, and samplers. */
static bool is_entry(tsr_wgsl *w, tsr_type type)
{
    if (tsr_type_kind_of(w->types, type) != TSR_T_opaque) return false;
    const char *name = tsr_expr_type_name(w, type);
    if (strcmp(name, "sampler") == 0 || strcmp(name, "sampler_comparison") == 0) return true;
    return strncmp(name, "texture_", strlen("texture_")) == 0 && strcmp(name, "texture_external") != 0 &&
           strncmp(name, "texture_storage_", strlen("texture_storage_")) != 0;
}

static bool check_call(tsr_wgsl *w, tsr_node call, const char *name, uint32_t count, uint32_t types)
{
    tsr_span span = tsr_ast_span(w->ast, call);
    if (!w->resource_table) {
        tsr_error(w->diags, span, TSR_E_BUILTIN_DISABLED,
                  "`%s` needs an extension; add `enable chromium_experimental_resource_table;` at the top of the file",
                  name);
        return false;
    }
    if (types != 1) {
        tsr_error(w->diags, span, TSR_E_BUILTIN_TEMPLATE, "`%s` takes the type to look for: `%s<texture_2d<f32>>(i)`",
                  name, name);
        return false;
    }
    if (count != 1) {
        tsr_error(w->diags, span, TSR_E_BUILTIN_COUNT, "`%s` takes 1 argument, %u given", name, count);
        return false;
    }
    if (!tsr_expr_at_module(w)) return true;
    tsr_error(w->diags, span, TSR_E_BUILTIN_SCOPE, "`%s` works when the shader runs: call it in a function", name);
    return false;
}

tsr_operand tsr_builtin_resource(tsr_wgsl *w, tsr_node call)
{
    tsr_operand args[TSR_BUILTIN_ARGS];
    uint32_t count = 0;
    const tsr_ast_node *callee = tsr_ast_at(w->ast, tsr_ast_at(w->ast, call)->a);
    const char *name = tsr_symbols_cstr(w->symbols, callee->a);
    if (!tsr_builtin_arguments(w, call, args, &count)) return tsr_operand_error();
    if (!check_call(w, call, name, count, tsr_ast_list_count(w->ast, callee->b))) return tsr_operand_error();
    tsr_node type_node = tsr_ast_list_at(w->ast, callee->b, 0);
    tsr_type type = tsr_wgsl_type(w, type_node);
    if (type == 0) return tsr_operand_error();
    if (!is_entry(w, type)) {
        tsr_error(w->diags, tsr_ast_span(w->ast, type_node), TSR_E_BUILTIN_TEMPLATE,
                  "a resource table holds sampled, multisampled and depth textures and samplers, found `%s`",
                  tsr_expr_type_name(w, type));
        return tsr_operand_error();
    }
    tsr_type index = tsr_wgsl_rank(w, args[0].type, TSR_T_i32) != UINT32_MAX ? TSR_T_i32 : TSR_T_u32;
    if (!tsr_wgsl_convert(w, &args[0], index, "the index of a resource")) return tsr_operand_error();
    tsr_id id = tsr_wgsl_id(w, &args[0]);
    if (id == 0) return tsr_operand_error();
    w->b.span = tsr_ast_span(w->ast, call);
    tsr_type result = strcmp(name, "hasResource") == 0 ? (tsr_type)TSR_T_bool : type;
    id = tsr_build(&w->b, TSR_OP_builtin_call, result, callee->a, &id, 1);
    return tsr_operand_value(w, id, TSR_WHEN_run, tsr_ast_span(w->ast, call));
}
