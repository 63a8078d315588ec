/* The reader of IR text: what stands at module scope. See docs/ir.md for the grammar, reader.h for the parts. */
#include "ir/text.h"

#include "ir/reader.h"

#include <string.h>

#define FORMAT_VERSION 1u

static bool read_enable(tsr_ir_reader *r)
{
    if (tsr_ir_reader_take_word(r, "f16"))
        r->ir->uses_f16 = true;
    else if (tsr_ir_reader_take_word(r, "subgroups"))
        r->ir->uses_subgroups = true;
    else if (tsr_ir_reader_take_word(r, "matrices"))
        r->ir->uses_matrices = true;
    else if (tsr_ir_reader_take_word(r, "nonuniform"))
        r->ir->uniformity_off = true;
    else
        return tsr_ir_reader_expected(r, "f16, subgroups, matrices or nonuniform");
    return !r->failed;
}

static bool read_severity(tsr_ir_reader *r, uint8_t *out)
{
    for (int s = TSR_SEVERITY_OFF; s <= TSR_SEVERITY_ERROR; s++) {
        *out = (uint8_t)s;
        if (tsr_ir_reader_take_word(r, tsr_severity_name((tsr_severity)s))) return !r->failed;
    }
    return tsr_ir_reader_expected(r, "off, info, warning or error");
}

static bool read_rule(tsr_ir_reader *r, tsr_diag_state *s)
{
    uint8_t *severity;
    if (tsr_ir_reader_take_word(r, "derivative_uniformity"))
        severity = &s->derivative_uniformity;
    else if (tsr_ir_reader_take_word(r, "subgroup_uniformity"))
        severity = &s->subgroup_uniformity;
    else if (tsr_ir_reader_take_word(r, "subgroup_matrix_uniformity"))
        severity = &s->subgroup_matrix_uniformity;
    else
        return tsr_ir_reader_expected(r, "the name of a diagnostic rule");
    return tsr_ir_reader_expect(r, ':') && read_severity(r, severity);
}

/* `diag` `!` number `{` rule `:` severity, ... `}`. Number 0 is the state that everything has unless it says another.
 */
static bool read_diag_state(tsr_ir_reader *r)
{
    const tsr_span span = r->tok.span;
    uint32_t number, old;
    tsr_diag_state s = *(tsr_diag_state *)tsr_pool_at(&r->ir->diag_states, 0);
    if (!tsr_ir_reader_expect(r, '!') || !tsr_ir_reader_u32(r, &number, "a number")) return false;
    if (!tsr_ir_reader_expect(r, '{')) return false;
    while (!tsr_ir_reader_at(r, '}')) {
        if (!read_rule(r, &s)) return false;
        if (!tsr_ir_reader_take(r, ',')) break;
    }
    if (number != 0 && tsr_map_find(&r->states, number, &old))
        return tsr_ir_reader_fail(r, span, TSR_E_IR_NAME, "diagnostic state !%u is defined twice", (unsigned)number);
    if (number == 0) *(tsr_diag_state *)tsr_pool_at(&r->ir->diag_states, 0) = s;
    tsr_map_set(&r->states, number, number == 0 ? 0 : tsr_diag_state_add(r->ir, s));
    return tsr_ir_reader_expect(r, '}');
}

/* ---- Overrides and variables. */

/* The number, name and type of a value; the word before it is taken. */
static bool read_head(tsr_ir_reader *r, uint32_t *number, tsr_span *span, tsr_sym *name, tsr_type *type)
{
    return tsr_ir_reader_value_number(r, number, span) && tsr_ir_reader_typed(r, name, type);
}

static bool read_number_in_parens(tsr_ir_reader *r, uint32_t most, uint32_t *out)
{
    tsr_span span;
    if (!tsr_ir_reader_expect(r, '(')) return false;
    span = r->tok.span;
    if (!tsr_ir_reader_u32(r, out, "a number")) return false;
    if (*out > most) return tsr_ir_reader_fail(r, span, TSR_E_IR_SYNTAX, "this number is at most %u", (unsigned)most);
    return tsr_ir_reader_expect(r, ')');
}

static bool read_initial(tsr_ir_reader *r, tsr_id *out)
{
    *out = 0;
    return !tsr_ir_reader_take(r, '=') ? !r->failed : tsr_ir_reader_operand(r, out);
}

static bool read_override(tsr_ir_reader *r)
{
    uint32_t number, id = 0, o;
    tsr_span span;
    tsr_sym name;
    tsr_type type;
    tsr_id initial;
    bool has_id;
    if (!read_head(r, &number, &span, &name, &type)) return false;
    has_id = tsr_ir_reader_take(r, '@');
    if (has_id && (!tsr_ir_reader_take_word(r, "id") || !read_number_in_parens(r, UINT16_MAX, &id)))
        return tsr_ir_reader_expected(r, "@id(...)");
    if (!read_initial(r, &initial)) return false;
    o = tsr_override_new(r->ir, name, type, span);
    tsr_override_at(r->ir, o)->has_id = has_id;
    tsr_override_at(r->ir, o)->id = (uint16_t)id;
    tsr_override_at(r->ir, o)->initial = initial;
    return tsr_ir_reader_define(r, number, span, tsr_override_at(r->ir, o)->inst);
}

static bool read_global(tsr_ir_reader *r)
{
    uint32_t number, g, group = 0, binding = 0;
    tsr_span span;
    tsr_sym name;
    tsr_type type;
    tsr_id initial;
    const bool head = read_head(r, &number, &span, &name, &type);
    const bool bound = head && tsr_ir_reader_take(r, '@');
    if (!head) return false;
    if (bound && (!tsr_ir_reader_take_word(r, "group") || !read_number_in_parens(r, UINT32_MAX, &group) ||
                  !tsr_ir_reader_take(r, '@') || !tsr_ir_reader_take_word(r, "binding") ||
                  !read_number_in_parens(r, UINT32_MAX, &binding)))
        return tsr_ir_reader_expected(r, "@group(...) @binding(...)");
    if (!read_initial(r, &initial)) return false;
    g = tsr_global_new(r->ir, name, type, initial, span);
    tsr_global_at(r->ir, g)->has_binding = bound;
    tsr_global_at(r->ir, g)->group = group;
    tsr_global_at(r->ir, g)->binding = binding;
    return tsr_ir_reader_define(r, number, span, tsr_global_at(r->ir, g)->inst);
}

/* ---- Functions. */

struct params {
    tsr_param *at;
    uint32_t *numbers;
    tsr_span *spans;
    uint32_t count, cap;
};

static void *grow_array(tsr_ir_reader *r, const void *old, uint32_t count, uint32_t cap, size_t elem_bytes)
{
    void *more = tsr_arena_array(r->arena, cap, elem_bytes);
    if (count != 0) memcpy(more, old, count * elem_bytes);
    return more;
}

static void add_param(tsr_ir_reader *r, struct params *p)
{
    if (p->count == p->cap) {
        p->cap = p->cap == 0 ? 8 : p->cap * 2;
        p->at = grow_array(r, p->at, p->count, p->cap, sizeof *p->at);
        p->numbers = grow_array(r, p->numbers, p->count, p->cap, sizeof *p->numbers);
        p->spans = grow_array(r, p->spans, p->count, p->cap, sizeof *p->spans);
    }
    p->at[p->count++] = (tsr_param){0};
}

static bool read_io_attributes(tsr_ir_reader *r, tsr_io *io)
{
    bool known;
    while (tsr_ir_reader_take(r, '@')) {
        const tsr_ir_token t = r->tok;
        if (t.kind != TSR_IRT_ident) return tsr_ir_reader_expected(r, "the name of an attribute");
        tsr_ir_reader_next(r);
        if (!tsr_ir_reader_io(r, t.text, io, &known)) return false;
        if (!known) return tsr_ir_reader_fail(r, t.span, TSR_E_IR_SYNTAX, "expected builtin or location after `@`");
    }
    return !r->failed;
}

static bool read_params(tsr_ir_reader *r, struct params *p)
{
    if (!tsr_ir_reader_expect(r, '(')) return false;
    while (!tsr_ir_reader_at(r, ')')) {
        tsr_param *param;
        add_param(r, p);
        param = &p->at[p->count - 1];
        if (!read_head(r, &p->numbers[p->count - 1], &p->spans[p->count - 1], &param->name, &param->type)) return false;
        if (!read_io_attributes(r, &param->io)) return false;
        if (!tsr_ir_reader_take(r, ',')) break;
    }
    return tsr_ir_reader_expect(r, ')');
}

static bool read_workgroup_size(tsr_ir_reader *r, tsr_function *f)
{
    if (!tsr_ir_reader_expect(r, '(')) return false;
    for (unsigned i = 0; i < 3 && !tsr_ir_reader_at(r, ')'); i++) {
        if (!tsr_ir_reader_take_word(r, "_") && !tsr_ir_reader_operand(r, &f->workgroup_size[i])) return false;
        if (!tsr_ir_reader_take(r, ',')) break;
    }
    return tsr_ir_reader_expect(r, ')');
}

static bool read_stage(tsr_ir_reader *r, tsr_str word, tsr_function *f, bool *known)
{
    static const char *const names[] = {"compute", "vertex", "fragment"};
    *known = false;
    for (unsigned i = 0; i < TSR_COUNT_OF(names); i++) {
        if (!tsr_str_is(word, names[i])) continue;
        *known = true;
        f->is_entry = true;
        f->stage = (tsr_stage)i;
    }
    return !r->failed;
}

static bool read_function_attribute(tsr_ir_reader *r, tsr_function *f)
{
    const tsr_ir_token t = r->tok;
    bool known;
    if (t.kind != TSR_IRT_ident) return tsr_ir_reader_expected(r, "the name of an attribute");
    tsr_ir_reader_next(r);
    if (tsr_str_is(t.text, "workgroup_size")) return read_workgroup_size(r, f);
    if (tsr_str_is(t.text, "subgroup_size"))
        return tsr_ir_reader_expect(r, '(') && tsr_ir_reader_operand(r, &f->subgroup_size) &&
               tsr_ir_reader_expect(r, ')');
    if (tsr_str_is(t.text, "must_use")) {
        f->must_use = true;
        return !r->failed;
    }
    if (!read_stage(r, t.text, f, &known)) return false;
    if (!known && !tsr_ir_reader_io(r, t.text, &f->result_io, &known)) return false;
    return known || tsr_ir_reader_fail(r, t.span, TSR_E_IR_SYNTAX, "a function has no attribute of this name");
}

/* [`->` type] attributes. */
static bool read_signature_end(tsr_ir_reader *r, tsr_function *f)
{
    if (r->tok.kind == TSR_IRT_arrow) {
        tsr_ir_reader_next(r);
        if (!tsr_ir_reader_type(r, &f->result)) return false;
    }
    while (tsr_ir_reader_take(r, '@'))
        if (!read_function_attribute(r, f)) return false;
    return tsr_ir_reader_diag(r, &f->diag);
}

/* `fn` name `(` params `)` ... `{` body `}`; the word is taken. */
static bool read_function(tsr_ir_reader *r)
{
    const tsr_span span = r->tok.span;
    struct params p = {0};
    uint64_t key;
    tsr_sym name;
    uint32_t f;
    if (!tsr_ir_reader_key(r, &key, &name, "the name of the function")) return false;
    if (tsr_map_find(&r->functions, key, &f))
        return tsr_ir_reader_fail(r, span, TSR_E_IR_NAME,
                                  "there is a function of this name already; add `#2`, `#3` ...");
    f = tsr_function_new(r->ir, name, span);
    tsr_map_set(&r->functions, key, f);
    if (!read_params(r, &p) || !read_signature_end(r, tsr_function_at(r->ir, f))) return false;
    tsr_function_set_params(r->ir, f, p.at, p.count);
    for (uint32_t i = 0; i < p.count; i++)
        if (!tsr_ir_reader_define(r, p.numbers[i], p.spans[i], tsr_function_at(r->ir, f)->params[i].value))
            return false;
    return tsr_ir_reader_expect(r, '{') && tsr_ir_reader_body(r, tsr_function_at(r->ir, f)->body);
}

/* ---- The module. */

static bool read_item(tsr_ir_reader *r)
{
    if (tsr_ir_reader_take_word(r, "enable")) return read_enable(r);
    if (tsr_ir_reader_take_word(r, "diag")) return read_diag_state(r);
    if (tsr_ir_reader_take_word(r, "override")) return read_override(r);
    if (tsr_ir_reader_take_word(r, "global")) return read_global(r);
    if (tsr_ir_reader_take_word(r, "struct")) return tsr_ir_reader_struct(r);
    if (tsr_ir_reader_take_word(r, "fn")) return read_function(r);
    if (r->tok.kind == TSR_IRT_value) return tsr_ir_reader_inst(r, r->ir->module_block);
    return tsr_ir_reader_expected(r, "enable, diag, override, global, struct, fn or a value such as %1");
}

static bool resolve_calls(tsr_ir_reader *r)
{
    for (uint32_t i = 0; i < r->pending_count; i++) {
        const tsr_ir_pending *p = &r->pending[i];
        uint32_t f;
        if (!tsr_map_find(&r->functions, p->callee, &f))
            return tsr_ir_reader_fail(r, p->span, TSR_E_IR_NAME, "there is no function of this name");
        tsr_inst_at(r->ir, p->inst)->aux = f;
    }
    return true;
}

static bool read_version(tsr_ir_reader *r)
{
    const tsr_span span = r->tok.span;
    uint32_t version;
    if (!tsr_ir_reader_take_word(r, "tessera_ir")) return tsr_ir_reader_expected(r, "`tessera_ir 1` as the first line");
    if (!tsr_ir_reader_u32(r, &version, "the version, 1")) return false;
    return version == FORMAT_VERSION ||
           tsr_ir_reader_fail(r, span, TSR_E_IR_SYNTAX, "this is version %u of the text; only 1 is known",
                              (unsigned)version);
}

static void init_reader(tsr_ir_reader *r, tsr_ir *ir, tsr_diags *diags)
{
    *r = (tsr_ir_reader){.ir = ir, .diags = diags, .arena = ir->arena};
    tsr_map_init(&r->values, r->arena);
    tsr_map_init(&r->structs, r->arena);
    tsr_map_init(&r->functions, r->arena);
    tsr_map_init(&r->states, r->arena);
    tsr_map_init(&r->ops, r->arena);
    for (uint32_t op = TSR_OP_none + 1; op < TSR_OP_COUNT; op++) {
        const char *name = tsr_op_table[op].name;
        tsr_map_set(&r->ops, tsr_hash_bytes(name, strlen(name), 0), op);
    }
    tsr_map_set(&r->states, 0, 0);
}

bool tsr_ir_parse(tsr_ir *ir, tsr_diags *diags)
{
    tsr_ir_reader r;
    init_reader(&r, ir, diags);
    if (diags->source->len > UINT32_MAX / 2)
        return tsr_ir_reader_fail(&r, (tsr_span){0, 0}, TSR_E_IR_LIMIT, "IR text is at most 2 GiB long");
    r.text = diags->source->text;
    r.len = (uint32_t)diags->source->len;
    tsr_ir_reader_next(&r);
    if (!read_version(&r)) return false;
    while (!r.failed && r.tok.kind != TSR_IRT_end)
        if (!read_item(&r)) return false;
    return !r.failed && resolve_calls(&r);
}
