/* subgroupMatrixLoad and subgroupMatrixStore. Two forms:
 *   with a bool     Load<T>(p, offset, col_major, stride), Store(p, offset, value, col_major, stride): offset and
 * stride count components of the matrix (1 byte for i8 and u8, whatever the array holds) with a template Load<T,
 * row_major>(p, offset, stride), Store<col_major>(p, offset, value, stride): offset and stride count elements of the
 * array Both become mload and mstore, which count components. */
#include "wgsl/matrix.h"

#include <string.h>

enum majorness { MAJOR_none, MAJOR_row, MAJOR_column };

/* Where a call's matrix lies, and in which order. */
struct access {
    tsr_id pointer, offset, stride;
    bool column_major;
    tsr_id column_major_if; /* an override-expression decides; 0: `column_major` does */
};

static const char *type_name(tsr_wgsl *w, tsr_type type)
{
    return tsr_type_cstr(w->types, w->arena, type);
}

/* ---- Majorness. */

static enum majorness read_majorness(tsr_wgsl *w, tsr_node n)
{
    const tsr_ast_node *node = tsr_ast_at(w->ast, n);
    bool failed = false;
    if (node->kind != TSR_N_ident || node->b != 0) return MAJOR_none;
    tsr_str name = tsr_symbols_get(w->symbols, node->a);
    enum majorness m = tsr_str_is(name, "row_major")   ? MAJOR_row
                       : tsr_str_is(name, "col_major") ? MAJOR_column
                                                       : MAJOR_none;
    if (m == MAJOR_none || tsr_wgsl_lookup(w, node->a, tsr_ast_span(w->ast, n), &failed) != NULL || failed)
        return MAJOR_none;
    return m;
}

/* The template argument `i` must be row_major or col_major. */
static bool template_majorness(tsr_wgsl *w, const tsr_matrix_call *c, uint32_t i, struct access *a)
{
    tsr_node n = tsr_ast_list_at(w->ast, c->templates, i);
    enum majorness m = read_majorness(w, n);
    a->column_major = m == MAJOR_column;
    if (m != MAJOR_none) return true;
    tsr_error(w->diags, tsr_ast_span(w->ast, n), TSR_E_MATRIX_TEMPLATE, "`%s` takes `row_major` or `col_major` here",
              c->name);
    return false;
}

/* The bool argument: const-expression, or under `enable subgroup_matrix` an override-expression. */
static bool bool_majorness(tsr_wgsl *w, const tsr_matrix_call *c, tsr_operand *o, struct access *a)
{
    if (o->type != TSR_T_bool) {
        tsr_error(w->diags, o->span, TSR_E_MATRIX_MAJOR, "`col_major` must be a bool, not `%s`", type_name(w, o->type));
        return false;
    }
    if (o->kind == TSR_O_const) {
        a->column_major = tsr_cval_bits(o->cval) != 0;
        return true;
    }
    if (o->when == TSR_WHEN_override && w->matrix_standard) {
        a->column_major_if = tsr_wgsl_id(w, o);
        return true;
    }
    tsr_error(w->diags, o->span, TSR_E_MATRIX_MAJOR,
              "`col_major` of `%s` must be %s; write `true` or `false`, or call it twice under an `if`", c->name,
              w->matrix_standard ? "a const- or override-expression" : "a const-expression");
    return false;
}

/* ---- The array. */

/* Element type and layout of the array that the pointer argument is for; false after reporting. */
static bool read_pointer(tsr_wgsl *w, const tsr_matrix_call *c, bool writes, const tsr_type_info **array)
{
    const tsr_operand *o = &c->args[0];
    const tsr_type_info *p = tsr_type_get(w->types, o->type);
    *array = p->kind == TSR_T_ptr ? tsr_type_get(w->types, p->elem) : NULL;
    if (*array == NULL || (*array)->kind != TSR_T_array) {
        tsr_error(w->diags, o->span, TSR_E_MATRIX_POINTER,
                  "the first argument of `%s` must be a pointer to an array, not `%s`%s", c->name,
                  type_name(w, o->type), p->kind == TSR_T_array ? "; take its address with `&`" : "");
        return false;
    }
    if (p->space != TSR_SPACE_workgroup && p->space != TSR_SPACE_storage) {
        tsr_error(w->diags, o->span, TSR_E_MATRIX_POINTER,
                  "`%s` works on workgroup and storage memory, not on %s memory", c->name,
                  tsr_space_name((tsr_space)p->space));
        return false;
    }
    if (p->access == TSR_ACCESS_read_write || p->access == (writes ? TSR_ACCESS_write : TSR_ACCESS_read)) return true;
    tsr_error(w->diags, o->span, TSR_E_MATRIX_POINTER, "`%s` %s this memory, but its access is `%s`", c->name,
              writes ? "writes" : "reads", tsr_access_name((tsr_access)p->access));
    return false;
}

static uint32_t component_bytes(tsr_component c)
{
    return tsr_component_bits(c) / 8;
}

static bool is_number(tsr_wgsl *w, tsr_type elem)
{
    return tsr_type_is_numeric(w->types, elem);
}

static bool report_element(tsr_wgsl *w, const tsr_matrix_call *c, tsr_type elem, tsr_type matrix, const char *why)
{
    tsr_error(w->diags, c->args[0].span, TSR_E_MATRIX_ELEMENT, "an array of `%s` cannot hold `%s`: %s",
              type_name(w, elem), type_name(w, matrix), why);
    return false;
}

/* Bool form: the elements are the scalar that WGSL works with (u32 for u8 ...), or vectors of it without padding. */
static bool check_same_scalar(tsr_wgsl *w, const tsr_matrix_call *c, const tsr_type_info *array, tsr_type matrix)
{
    tsr_component component = (tsr_component)tsr_matrix_info(w, matrix)->component;
    tsr_type want = tsr_component_scalar(component);
    tsr_text why;
    if (is_number(w, array->elem) && tsr_type_scalar(w->types, array->elem) == want &&
        tsr_type_width(w->types, array->elem) != 3)
        return true;
    tsr_text_init(&why, w->arena);
    tsr_text_printf(&why,
                    "with `col_major` as an argument its elements must be `%s`, or vec2 or vec4 of it; with "
                    "`row_major` or `col_major` as a template argument they may be any numbers",
                    type_name(w, want));
    return report_element(w, c, array->elem, matrix, tsr_text_get(&why));
}

/* Template form: matrix components to one element of the array; 0 after reporting. */
static uint32_t components_per_element(tsr_wgsl *w, const tsr_matrix_call *c, const tsr_type_info *array,
                                       tsr_type matrix)
{
    uint32_t bytes = component_bytes((tsr_component)tsr_matrix_info(w, matrix)->component);
    if (!is_number(w, array->elem)) {
        report_element(w, c, array->elem, matrix, "its elements must be numbers or vectors of numbers");
        return 0;
    }
    if (tsr_type_get(w->types, array->elem)->size_bytes % bytes != 0 || array->stride % bytes != 0) {
        report_element(w, c, array->elem, matrix, "an element must hold a whole number of components");
        return 0;
    }
    return array->stride / bytes;
}

/* ---- What is certain to be wrong when the shader is made. Bytes, so that both forms and all elements count alike. */

/* The value of a constant that tsr_matrix_count took; `otherwise` for what only the running shader knows. */
static uint64_t known_count(const tsr_operand *o, uint64_t otherwise)
{
    return o->kind == TSR_O_const ? (uint32_t)tsr_cval_bits(o->cval) : otherwise;
}

static bool report_outside(tsr_wgsl *w, const tsr_matrix_call *c, uint64_t needed, uint64_t given)
{
    tsr_error(w->diags, c->args[0].span, TSR_E_MATRIX_OFFSET,
              "`%s` reaches %llu bytes into an array of %llu; lower the offset or the stride, or make the array longer",
              c->name, (unsigned long long)needed, (unsigned long long)given);
    return false;
}

/* Bool form: the matrix begins within an array whose size is known. */
static bool check_begin(tsr_wgsl *w, const tsr_matrix_call *c, const tsr_type_info *array, uint32_t component)
{
    uint64_t given = (uint64_t)array->size.value * array->stride, begin = known_count(&c->args[1], 0) * component;
    return given == 0 || begin < given || report_outside(w, c, begin + component, given);
}

/* Template form: a row (column-major: a column) fits its stride, and the last one ends within the array. */
static bool check_extent(tsr_wgsl *w, const tsr_matrix_call *c, const tsr_type_info *array, tsr_type matrix,
                         uint32_t component, bool column_major)
{
    const tsr_type_info *m = tsr_matrix_info(w, matrix);
    const tsr_operand *stride = &c->args[c->arg_count - 1];
    uint64_t element = array->stride, given = (uint64_t)array->size.value * element;
    uint64_t least = (uint64_t)(column_major ? m->size.value : m->size2.value) * component;
    uint64_t lines = column_major ? m->size2.value : m->size.value;
    uint64_t step = stride->kind == TSR_O_const ? known_count(stride, 0) * element : least;
    if (m->size.value == 0 || m->size2.value == 0) return true; /* an override decides */
    if (step < least) {
        tsr_error(w->diags, stride->span, TSR_E_MATRIX_OFFSET,
                  "the stride of `%s` is %llu bytes, and a %s of the matrix takes %llu; make it longer", c->name,
                  (unsigned long long)step, column_major ? "column" : "row", (unsigned long long)least);
        return false;
    }
    uint64_t needed = known_count(&c->args[1], 0) * element + step * (lines - 1) + least;
    return given == 0 || needed <= given || report_outside(w, c, needed, given);
}

/* ---- Both functions: pointer, offset, stride, order. `major` is the place of the bool, 0: template form. */
static bool read_access(tsr_wgsl *w, tsr_matrix_call *c, tsr_type matrix, uint32_t major, bool writes, struct access *a)
{
    const tsr_type_info *array = NULL;
    uint32_t factor = 1;
    if (!read_pointer(w, c, writes, &array)) return false;
    if (major == 0)
        factor = components_per_element(w, c, array, matrix);
    else if (!check_same_scalar(w, c, array, matrix) || !bool_majorness(w, c, &c->args[major], a))
        return false;
    if (factor == 0) return false;
    a->pointer = tsr_wgsl_id(w, &c->args[0]);
    a->offset = tsr_matrix_count(w, &c->args[1], factor, "the offset of a subgroup matrix");
    a->stride = tsr_matrix_count(w, &c->args[c->arg_count - 1], factor, "the stride of a subgroup matrix");
    if (a->offset == 0 || a->stride == 0) return false;
    uint32_t component = component_bytes((tsr_component)tsr_matrix_info(w, matrix)->component);
    return major != 0 ? check_begin(w, c, array, component)
                      : check_extent(w, c, array, matrix, component, a->column_major);
}

/* An override decides the order: both accesses stand in the code, one under each branch. */
static tsr_builder branch(tsr_wgsl *w, tsr_block *block)
{
    tsr_builder b = w->b;
    *block = tsr_block_new(w->ir);
    b.block = *block;
    return b;
}

/* ---- Load. */

static tsr_id build_load(tsr_builder *b, tsr_type type, const struct access *a, bool column_major)
{
    return tsr_build3(b, TSR_OP_mload, type, column_major ? 1 : 0, a->pointer, a->offset, a->stride);
}

static tsr_id build_either_load(tsr_wgsl *w, tsr_type type, const struct access *a)
{
    tsr_type pointer = tsr_type_ptr(w->types, TSR_SPACE_function, type, TSR_ACCESS_read_write);
    tsr_id var = tsr_build0(&w->b, TSR_OP_var, pointer, 0);
    tsr_block blocks[2];
    for (int i = 0; i < 2; i++) {
        tsr_builder b = branch(w, &blocks[i]);
        tsr_build2(&b, TSR_OP_store, 0, 0, var, build_load(&b, type, a, i == 0));
    }
    tsr_build_if(&w->b, a->column_major_if, blocks[0], blocks[1]);
    return tsr_build1(&w->b, TSR_OP_load, type, 0, var);
}

tsr_operand tsr_matrix_load(tsr_wgsl *w, tsr_matrix_call *c)
{
    struct access a = {0};
    if (c->template_count < 1 || c->template_count > 2) {
        tsr_error(w->diags, c->span, TSR_E_MATRIX_TEMPLATE,
                  "`%s` takes the matrix type that it loads: `%s<T>(...)` or "
                  "`%s<T, row_major>(...)`",
                  c->name, c->name, c->name);
        return tsr_operand_error();
    }
    bool by_template = c->template_count == 2;
    tsr_node type_node = tsr_ast_list_at(w->ast, c->templates, 0);
    tsr_type type = tsr_wgsl_type(w, type_node);
    if (type == 0) return tsr_operand_error();
    if (tsr_matrix_info(w, type) == NULL) {
        tsr_error(w->diags, tsr_ast_span(w->ast, type_node), TSR_E_MATRIX_TEMPLATE,
                  "`%s` loads subgroup matrices, not `%s`", c->name, type_name(w, type));
        return tsr_operand_error();
    }
    if (by_template && !template_majorness(w, c, 1, &a)) return tsr_operand_error();
    if (!tsr_matrix_check_arg_count(w, c, by_template ? 3 : 4,
                                    by_template ? "pointer, offset, stride" : "pointer, offset, col_major, stride") ||
        !read_access(w, c, type, by_template ? 0 : 2, false, &a))
        return tsr_operand_error();
    w->b.span = c->span;
    tsr_id id = a.column_major_if != 0 ? build_either_load(w, type, &a) : build_load(&w->b, type, &a, a.column_major);
    return tsr_matrix_value(w, id, c->span);
}

/* ---- Store. */

static void build_store(tsr_builder *b, const struct access *a, tsr_id value, bool column_major)
{
    const tsr_id args[] = {a->pointer, a->offset, a->stride, value};
    tsr_build(b, TSR_OP_mstore, 0, column_major ? 1 : 0, args, TSR_COUNT_OF(args));
}

static void build_either_store(tsr_wgsl *w, const struct access *a, tsr_id value)
{
    tsr_block blocks[2];
    for (int i = 0; i < 2; i++) {
        tsr_builder b = branch(w, &blocks[i]);
        build_store(&b, a, value, i == 0);
    }
    tsr_build_if(&w->b, a->column_major_if, blocks[0], blocks[1]);
}

tsr_operand tsr_matrix_store(tsr_wgsl *w, tsr_matrix_call *c)
{
    struct access a = {0};
    bool by_template = c->template_count == 1;
    if (c->template_count > 1) {
        tsr_error(w->diags, c->span, TSR_E_MATRIX_TEMPLATE,
                  "`%s` takes `row_major` or `col_major` as its only template argument", c->name);
        return tsr_operand_error();
    }
    if (by_template && !template_majorness(w, c, 0, &a)) return tsr_operand_error();
    if (!tsr_matrix_check_arg_count(w, c, by_template ? 4 : 5,
                                    by_template ? "pointer, offset, matrix, stride"
                                                : "pointer, offset, matrix, col_major, stride"))
        return tsr_operand_error();
    tsr_type matrix = c->args[2].type;
    if (tsr_matrix_info(w, matrix) == NULL) {
        tsr_error(w->diags, c->args[2].span, TSR_E_MATRIX_OPERAND, "`%s` stores a subgroup matrix, not `%s`", c->name,
                  type_name(w, matrix));
        return tsr_operand_error();
    }
    if (!read_access(w, c, matrix, by_template ? 0 : 3, true, &a)) return tsr_operand_error();
    tsr_id value = tsr_wgsl_id(w, &c->args[2]);
    w->b.span = c->span;
    if (a.column_major_if != 0)
        build_either_store(w, &a, value);
    else
        build_store(&w->b, &a, value, a.column_major);
    return (tsr_operand){.kind = TSR_O_void, .when = TSR_WHEN_run, .span = c->span};
}
