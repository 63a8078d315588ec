/* The pieces of IR text below an instruction: types, constants, operands, names with their ordinals, attributes. */
#include "ir/reader.h"

#include "base/number.h"

#include <string.h>

/* Several of one name are told apart by `#2`, `#3` ... */
static uint64_t make_key(const tsr_ir_reader *r, tsr_sym name, uint32_t ordinal)
{
    return ((uint64_t)name << 32 | ordinal) ^ r->ir->symbols->seed;
}

bool tsr_ir_reader_key(tsr_ir_reader *r, uint64_t *key, tsr_sym *name, const char *what)
{
    uint32_t ordinal = 1;
    if (!tsr_ir_reader_name(r, name, what)) return false;
    if (tsr_ir_reader_take(r, '#') && !tsr_ir_reader_u32(r, &ordinal, "a number after `#`")) return false;
    *key = make_key(r, *name, ordinal);
    return !r->failed;
}

/* ---- Values. */

static uint64_t value_key(const tsr_ir_reader *r, uint32_t number)
{
    return number ^ r->ir->symbols->seed; /* numbers are the text's choice: see build.c */
}

bool tsr_ir_reader_define(tsr_ir_reader *r, uint32_t number, tsr_span span, tsr_id id)
{
    uint32_t old;
    if (tsr_map_find(&r->values, value_key(r, number), &old))
        return tsr_ir_reader_fail(r, span, TSR_E_IR_NAME, "value %%%u is defined twice", (unsigned)number);
    tsr_map_set(&r->values, value_key(r, number), id);
    return true;
}

static bool find_value(tsr_ir_reader *r, tsr_id *out)
{
    uint32_t number;
    tsr_span span;
    if (!tsr_ir_reader_value_number(r, &number, &span)) return false;
    if (!tsr_map_find(&r->values, value_key(r, number), out))
        return tsr_ir_reader_fail(r, span, TSR_E_IR_NAME,
                                  "value %%%u is used here but not defined before; values are defined above their uses",
                                  (unsigned)number);
    return true;
}

/* ---- Constants. */

static bool reject_constant(tsr_ir_reader *r)
{
    return tsr_ir_reader_expected(r, "a constant such as 3u, -3i, 1.5f, 1.5h or f32(0x7fc00000)");
}

static bool read_integer(tsr_ir_reader *r, tsr_str digits, tsr_type type, uint64_t *bits)
{
    const bool negative = digits.len > 0 && digits.s[0] == '-';
    const uint64_t most = type == TSR_T_u32 ? UINT32_MAX : (uint64_t)INT32_MAX + negative;
    uint64_t n = 0;
    if (digits.len == negative || (negative && type == TSR_T_u32)) return reject_constant(r);
    for (size_t i = negative; i < digits.len; i++) {
        if (digits.s[i] < '0' || digits.s[i] > '9') return reject_constant(r);
        n = n * 10 + (uint64_t)(digits.s[i] - '0');
        if (n > most) return reject_constant(r);
    }
    *bits = (uint32_t)(negative ? 0 - n : n);
    return true;
}

static bool read_float(tsr_ir_reader *r, tsr_str digits, tsr_type type, uint64_t *bits)
{
    double x;
    if (!tsr_parse_f64(digits.s, digits.len, &x)) return reject_constant(r);
    *bits = type == TSR_T_f32 ? tsr_bits_from_f32((float)x) : tsr_f16_from_f64(x);
    if (type == TSR_T_f32 ? (*bits & 0x7f800000u) == 0x7f800000u : (*bits & 0x7c00u) == 0x7c00u)
        return reject_constant(r);
    return true;
}

static bool read_number(tsr_ir_reader *r, tsr_id *out)
{
    tsr_str text = r->tok.text;
    const char suffix = text.s[text.len - 1];
    tsr_type type = suffix == 'u'   ? TSR_T_u32
                    : suffix == 'i' ? TSR_T_i32
                    : suffix == 'f' ? TSR_T_f32
                    : suffix == 'h' ? TSR_T_f16
                                    : TSR_T_void;
    uint64_t bits = 0;
    text.len--;
    if (type == TSR_T_void) return reject_constant(r);
    if (type == TSR_T_u32 || type == TSR_T_i32 ? !read_integer(r, text, type, &bits)
                                               : !read_float(r, text, type, &bits))
        return false;
    tsr_ir_reader_next(r);
    *out = tsr_build_const(r->ir, type, bits);
    return !r->failed;
}

/* The bits after a type's name: f32(0x7fc00001). */
static bool read_bits(tsr_ir_reader *r, tsr_type type, tsr_id *out)
{
    const tsr_str text = r->tok.text;
    uint64_t bits = 0;
    if (r->tok.kind != TSR_IRT_number || text.len < 3 || text.len > 10 || text.s[0] != '0' || text.s[1] != 'x')
        return tsr_ir_reader_expected(r, "at most 8 hexadecimal digits after 0x");
    for (size_t i = 2; i < text.len; i++) {
        const char c = text.s[i];
        if ((c < '0' || c > '9') && (c < 'a' || c > 'f'))
            return tsr_ir_reader_expected(r, "hexadecimal digits, 0-9 and a-f");
        bits = bits << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    if (type == TSR_T_f16 && bits > UINT16_MAX)
        return tsr_ir_reader_expected(r, "at most 4 hexadecimal digits after 0x");
    tsr_ir_reader_next(r);
    *out = tsr_build_const(r->ir, type, bits);
    return tsr_ir_reader_expect(r, ')');
}

static tsr_type scalar_named(tsr_str name)
{
    static const char *const names[] = {"bool", "i32", "u32", "f32", "f16"}; /* in the order of their type numbers */
    for (unsigned i = 0; i < TSR_COUNT_OF(names); i++)
        if (tsr_str_is(name, names[i])) return TSR_T_bool + i;
    return TSR_T_void;
}

bool tsr_ir_reader_at_operand(const tsr_ir_reader *r)
{
    const tsr_ir_token *t = &r->tok;
    if (t->kind == TSR_IRT_value || t->kind == TSR_IRT_number) return true;
    return t->kind == TSR_IRT_ident &&
           (tsr_str_is(t->text, "true") || tsr_str_is(t->text, "false") || scalar_named(t->text) != TSR_T_void);
}

bool tsr_ir_reader_operand(tsr_ir_reader *r, tsr_id *out)
{
    const tsr_ir_token t = r->tok;
    if (t.kind == TSR_IRT_value) return find_value(r, out);
    if (t.kind == TSR_IRT_number) return read_number(r, out);
    if (!tsr_ir_reader_at_operand(r)) return tsr_ir_reader_expected(r, "a value such as %1, or a constant");
    tsr_ir_reader_next(r);
    if (scalar_named(t.text) != TSR_T_void)
        return tsr_ir_reader_expect(r, '(') && read_bits(r, scalar_named(t.text), out);
    *out = tsr_build_const(r->ir, TSR_T_bool, tsr_str_is(t.text, "true"));
    return !r->failed;
}

/* ---- Types. */

static bool read_type(tsr_ir_reader *r, unsigned depth, tsr_type *out);

/* An element type between angle brackets, `>` not taken. */
static bool read_elem(tsr_ir_reader *r, unsigned depth, tsr_type *out)
{
    return tsr_ir_reader_expect(r, '<') && read_type(r, depth + 1, out);
}

/* A plain number, or what an override-expression gives (a value or a constant with suffix). */
static bool read_size(tsr_ir_reader *r, tsr_size *out)
{
    const tsr_ir_token t = r->tok;
    const char last = t.kind == TSR_IRT_number ? t.text.s[t.text.len - 1] : 'u';
    *out = (tsr_size){0};
    if (last < '0' || last > '9') return tsr_ir_reader_operand(r, &out->over);
    if (!tsr_ir_reader_u32(r, &out->value, "a size from 1 to 4294967295, or a value")) return false;
    if (out->value == 0) return tsr_ir_reader_fail(r, t.span, TSR_E_IR_TYPE, "a size is at least 1");
    return true;
}

static bool read_array(tsr_ir_reader *r, unsigned depth, tsr_type *out)
{
    tsr_type elem;
    tsr_size size = {0};
    if (!read_elem(r, depth, &elem)) return false;
    if (tsr_ir_reader_take(r, ',') && !read_size(r, &size)) return false;
    *out = tsr_type_array(r->ir->types, elem, size);
    return tsr_ir_reader_expect(r, '>');
}

static bool read_space(tsr_ir_reader *r, tsr_space *out)
{
    for (int s = TSR_SPACE_none + 1; s < TSR_SPACE_COUNT; s++) {
        *out = (tsr_space)s;
        if (tsr_ir_reader_take_word(r, tsr_space_name((tsr_space)s))) return !r->failed;
    }
    return tsr_ir_reader_expected(r, "an address space");
}

static bool read_access(tsr_ir_reader *r, tsr_access *out)
{
    for (int a = TSR_ACCESS_read; a <= TSR_ACCESS_read_write; a++) {
        *out = (tsr_access)a;
        if (tsr_ir_reader_take_word(r, tsr_access_name((tsr_access)a))) return !r->failed;
    }
    return tsr_ir_reader_expected(r, "read, write or read_write");
}

static bool read_ptr(tsr_ir_reader *r, unsigned depth, tsr_type *out)
{
    tsr_space space;
    tsr_access access = TSR_ACCESS_none;
    tsr_type elem;
    if (!tsr_ir_reader_expect(r, '<') || !read_space(r, &space) || !tsr_ir_reader_expect(r, ',')) return false;
    if (!read_type(r, depth + 1, &elem)) return false;
    if (tsr_ir_reader_take(r, ',') && !read_access(r, &access)) return false;
    *out = tsr_type_ptr(r->ir->types, space, elem, access);
    return tsr_ir_reader_expect(r, '>');
}

static bool read_component(tsr_ir_reader *r, tsr_component *out)
{
    char name[16];
    const tsr_str text = r->tok.text;
    *out = TSR_COMPONENT_NONE;
    if (r->tok.kind == TSR_IRT_ident && text.len < sizeof name) {
        memcpy(name, text.s, text.len);
        name[text.len] = '\0';
        *out = tsr_component_find(name);
    }
    if (*out == TSR_COMPONENT_NONE) return tsr_ir_reader_expected(r, "a component type such as f16 or i8");
    tsr_ir_reader_next(r);
    return !r->failed;
}

static bool read_scope(tsr_ir_reader *r, tsr_scope *out)
{
    static const char *const names[TSR_SCOPE_COUNT] = {"subgroup", "workgroup", "device", "queue_family"};
    for (int s = 0; s < TSR_SCOPE_COUNT; s++) {
        *out = (tsr_scope)s;
        if (tsr_ir_reader_take_word(r, names[s])) return !r->failed;
    }
    return tsr_ir_reader_expected(r, "subgroup, workgroup, device or queue_family");
}

/* Columns, then rows, as WGSL writes them. */
static bool read_smat(tsr_ir_reader *r, tsr_use use, tsr_type *out)
{
    tsr_component component;
    tsr_size rows, columns;
    tsr_scope scope = TSR_SCOPE_SUBGROUP;
    if (!tsr_ir_reader_expect(r, '<') || !read_component(r, &component)) return false;
    if (!tsr_ir_reader_expect(r, ',') || !read_size(r, &columns)) return false;
    if (!tsr_ir_reader_expect(r, ',') || !read_size(r, &rows)) return false;
    if (tsr_ir_reader_take(r, ',') && !read_scope(r, &scope)) return false;
    *out = tsr_type_smat(r->ir->types, use, component, rows, columns, scope);
    return tsr_ir_reader_expect(r, '>');
}

static bool read_named_struct(tsr_ir_reader *r, tsr_type *out)
{
    const tsr_span span = r->tok.span;
    uint64_t key;
    tsr_sym name;
    if (!tsr_ir_reader_key(r, &key, &name, "the name of a struct after `$`")) return false;
    if (!tsr_map_find(&r->structs, key, out))
        return tsr_ir_reader_fail(r, span, TSR_E_IR_NAME, "no struct of this name stands above");
    return true;
}

static bool read_opaque(tsr_ir_reader *r, tsr_type *out)
{
    tsr_sym name;
    if (!tsr_ir_reader_name(r, &name, "the name of an opaque type")) return false;
    *out = tsr_type_opaque(r->ir->types, name);
    return true;
}

/* vec3<f32>, mat2x4<f16>: the numbers stand in the word. */
static bool read_vec_or_mat(tsr_ir_reader *r, tsr_str word, unsigned depth, tsr_type *out)
{
    const unsigned first = (unsigned)(word.s[3] - '0');
    const unsigned second = word.len == 6 ? (unsigned)(word.s[5] - '0') : 0;
    tsr_type elem;
    if (!read_elem(r, depth, &elem)) return false;
    *out = second == 0 ? tsr_type_vec(r->ir->types, elem, first) : tsr_type_mat(r->ir->types, elem, first, second);
    return tsr_ir_reader_expect(r, '>');
}

static bool is_count(char c)
{
    return c >= '2' && c <= '4';
}

static bool is_vec_or_mat(tsr_str w)
{
    if (w.len == 4) return memcmp(w.s, "vec", 3) == 0 && is_count(w.s[3]);
    return w.len == 6 && memcmp(w.s, "mat", 3) == 0 && is_count(w.s[3]) && w.s[4] == 'x' && is_count(w.s[5]);
}

static bool read_atomic(tsr_ir_reader *r, unsigned depth, tsr_type *out)
{
    tsr_type elem;
    if (!read_elem(r, depth, &elem)) return false;
    *out = tsr_type_atomic(r->ir->types, elem);
    return tsr_ir_reader_expect(r, '>');
}

/* A type that begins with a word, which is not taken yet. */
static bool read_word_type(tsr_ir_reader *r, unsigned depth, tsr_type *out)
{
    const tsr_str word = r->tok.text;
    if (scalar_named(word) == TSR_T_void && !is_vec_or_mat(word) && !tsr_str_is(word, "array") &&
        !tsr_str_is(word, "ptr") && !tsr_str_is(word, "atomic") && !tsr_str_is(word, "opaque") &&
        !tsr_str_is(word, "subgroup_matrix_left") && !tsr_str_is(word, "subgroup_matrix_right") &&
        !tsr_str_is(word, "subgroup_matrix_result"))
        return tsr_ir_reader_expected(r, "a type; a struct is written with `$` before its name");
    tsr_ir_reader_next(r);
    *out = scalar_named(word);
    if (*out != TSR_T_void) return !r->failed;
    if (is_vec_or_mat(word)) return read_vec_or_mat(r, word, depth, out);
    if (tsr_str_is(word, "array")) return read_array(r, depth, out);
    if (tsr_str_is(word, "ptr")) return read_ptr(r, depth, out);
    if (tsr_str_is(word, "atomic")) return read_atomic(r, depth, out);
    if (tsr_str_is(word, "opaque")) return read_opaque(r, out);
    if (tsr_str_is(word, "subgroup_matrix_left")) return read_smat(r, TSR_USE_A, out);
    if (tsr_str_is(word, "subgroup_matrix_right")) return read_smat(r, TSR_USE_B, out);
    return read_smat(r, TSR_USE_ACCUMULATOR, out);
}

static bool read_type(tsr_ir_reader *r, unsigned depth, tsr_type *out)
{
    const tsr_span span = r->tok.span;
    const char *fault;
    if (depth > TSR_IR_TYPE_DEPTH_MAX) return tsr_ir_reader_fail(r, span, TSR_E_IR_LIMIT, "types nest too deep");
    if (tsr_ir_reader_take(r, '$')) {
        if (!read_named_struct(r, out)) return false;
    } else if (r->tok.kind == TSR_IRT_ident) {
        if (!read_word_type(r, depth, out)) return false;
    } else {
        return tsr_ir_reader_expected(r, "a type");
    }
    fault = tsr_type_fault(r->ir->types, *out);
    return fault == NULL || tsr_ir_reader_fail(r, span, TSR_E_IR_TYPE, "%s", fault);
}

bool tsr_ir_reader_type(tsr_ir_reader *r, tsr_type *out)
{
    return read_type(r, 1, out);
}

bool tsr_ir_reader_typed(tsr_ir_reader *r, tsr_sym *name, tsr_type *type)
{
    *name = 0;
    if (tsr_ir_reader_at_name(r) && !tsr_ir_reader_name(r, name, "a name")) return false;
    return tsr_ir_reader_expect(r, ':') && tsr_ir_reader_type(r, type);
}

/* ---- Attributes. */

bool tsr_ir_reader_diag(tsr_ir_reader *r, uint16_t *out)
{
    const tsr_span span = r->tok.span;
    uint32_t number, state;
    *out = 0;
    if (!tsr_ir_reader_take(r, '!')) return !r->failed;
    if (!tsr_ir_reader_u32(r, &number, "the number of a diagnostic state")) return false;
    if (!tsr_map_find(&r->states, number, &state))
        return tsr_ir_reader_fail(r, span, TSR_E_IR_NAME, "no `diag !%u` stands above", (unsigned)number);
    *out = (uint16_t)state;
    return true;
}

static bool read_builtin_value(tsr_ir_reader *r, tsr_io *io)
{
    for (int b = TSR_BV_none + 1; b < TSR_BV_COUNT; b++) {
        io->builtin = (uint8_t)b;
        if (tsr_ir_reader_take_word(r, tsr_builtin_value_name((tsr_builtin_value)b))) return !r->failed;
    }
    return tsr_ir_reader_expected(r, "the name of a built-in value");
}

static bool read_location(tsr_ir_reader *r, tsr_io *io)
{
    uint32_t location;
    const tsr_span span = r->tok.span;
    if (!tsr_ir_reader_u32(r, &location, "a location")) return false;
    if (location > UINT16_MAX) return tsr_ir_reader_fail(r, span, TSR_E_IR_SYNTAX, "a location is at most 65535");
    io->has_location = true;
    io->location = (uint16_t)location;
    return true;
}

bool tsr_ir_reader_io(tsr_ir_reader *r, tsr_str name, tsr_io *io, bool *known)
{
    const bool builtin = tsr_str_is(name, "builtin");
    *known = builtin || tsr_str_is(name, "location");
    if (!*known) return true;
    if (!tsr_ir_reader_expect(r, '(')) return false;
    if (builtin ? !read_builtin_value(r, io) : !read_location(r, io)) return false;
    return tsr_ir_reader_expect(r, ')');
}

/* ---- Structs. */

static bool read_layout(tsr_ir_reader *r, uint32_t *out)
{
    return tsr_ir_reader_expect(r, '(') && tsr_ir_reader_u32(r, out, "a number of bytes") &&
           tsr_ir_reader_expect(r, ')');
}

static bool read_member_attribute(tsr_ir_reader *r, tsr_member *m)
{
    const tsr_ir_token t = r->tok;
    bool known;
    if (t.kind != TSR_IRT_ident) return tsr_ir_reader_expected(r, "the name of an attribute");
    tsr_ir_reader_next(r);
    if (tsr_str_is(t.text, "offset")) return read_layout(r, &m->offset);
    if (tsr_str_is(t.text, "size")) return read_layout(r, &m->size);
    if (tsr_str_is(t.text, "align")) return read_layout(r, &m->align);
    if (!tsr_ir_reader_io(r, t.text, &m->io, &known)) return false;
    return known || tsr_ir_reader_fail(r, t.span, TSR_E_IR_SYNTAX,
                                       "a member has offset, size, align, builtin and location as attributes");
}

static bool read_member(tsr_ir_reader *r, tsr_member *m)
{
    *m = (tsr_member){0};
    if (!tsr_ir_reader_name(r, &m->name, "the name of a member")) return false;
    if (!tsr_ir_reader_expect(r, ':') || !tsr_ir_reader_type(r, &m->type)) return false;
    while (tsr_ir_reader_take(r, '@'))
        if (!read_member_attribute(r, m)) return false;
    return !r->failed;
}

static bool read_members(tsr_ir_reader *r, tsr_member **members, uint32_t *count)
{
    uint32_t cap = 0;
    *count = 0;
    while (!tsr_ir_reader_at(r, '}')) {
        if (*count == cap) {
            tsr_member *more = TSR_NEW_ARRAY(r->arena, tsr_member, cap == 0 ? 8 : (size_t)cap * 2);
            if (*count != 0) memcpy(more, *members, *count * sizeof *more);
            *members = more;
            cap = cap == 0 ? 8 : cap * 2;
        }
        if (!read_member(r, &(*members)[(*count)++])) return false;
        if (!tsr_ir_reader_take(r, ',')) break;
    }
    return tsr_ir_reader_expect(r, '}');
}

/* `struct` `$` name `{` members `}`; the word is taken. */
bool tsr_ir_reader_struct(tsr_ir_reader *r)
{
    const tsr_span span = r->tok.span;
    uint64_t key;
    tsr_sym name;
    tsr_member *members = NULL;
    uint32_t count;
    tsr_type type;
    const char *fault;
    if (!tsr_ir_reader_expect(r, '$') || !tsr_ir_reader_key(r, &key, &name, "the name of the struct")) return false;
    if (!tsr_ir_reader_expect(r, '{') || !read_members(r, &members, &count)) return false;
    if (tsr_map_find(&r->structs, key, &type))
        return tsr_ir_reader_fail(r, span, TSR_E_IR_NAME, "there is a struct of this name already; add `#2`, `#3` ...");
    type = tsr_type_struct(r->ir->types, name, members, count);
    fault = tsr_type_fault(r->ir->types, type);
    if (fault != NULL) return tsr_ir_reader_fail(r, span, TSR_E_IR_TYPE, "%s", fault);
    tsr_map_set(&r->structs, key, type);
    return true;
}
