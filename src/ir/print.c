/* A module as text: see docs/ir.md for the grammar. Values get new numbers in the order in which they are printed;
 * constants stand where they are used; a struct is declared just before the first thing that mentions it. */
#include "ir/text.h"
#include "ir/type_style.h"

#include "base/number.h"

#include <string.h>

#define INDENT_MAX   40u /* levels; deeper lines are not indented further, so that text stays linear in depth */
#define SWIZZLE_MASK 15u /* op.def: 4 bits a component */

/* A place in a function: the next instruction of a block that `inst` holds. stage: how many of inst's blocks have
 * been begun. */
struct frame {
    const tsr_inst *inst; /* NULL: the function itself */
    uint32_t stage;
    tsr_block block;
    uint32_t next;
    unsigned depth;
};

struct printer {
    tsr_text *out;
    const tsr_ir *ir;
    uint32_t *numbers; /* of instructions; 0: not printed yet */
    uint32_t last_number;
    uint32_t *struct_ordinal; /* of struct types; 0: not declared yet */
    uint32_t *fn_ordinal;
    uint32_t *diag_number; /* of diagnostic states, equal ones share one */
    tsr_map structs_named; /* name -> how many were declared */
    tsr_type_style style;
    struct frame *frames;
    uint32_t frame_count, frame_cap;
};

/* ---- Names. */

/* Length of the identifier character at s: letters, digits, `_` and everything outside ASCII. 0: none. */
static unsigned ident_char(const char *s, size_t len, bool first)
{
    uint32_t code;
    const unsigned char c = (unsigned char)s[0];
    if (c >= 0x80) return tsr_utf8_decode(s, len, &code);
    if (c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return 1;
    return !first && c >= '0' && c <= '9';
}

static bool is_ident(tsr_str name)
{
    size_t i = 0;
    while (i < name.len) {
        unsigned n = ident_char(name.s + i, name.len - i, i == 0);
        if (n == 0) return false;
        i += n;
    }
    return name.len > 0;
}

static void print_quoted(tsr_text *out, tsr_str name)
{
    tsr_text_puts(out, "\"");
    for (size_t i = 0; i < name.len; i++) {
        const unsigned char c = (unsigned char)name.s[i];
        if (c == '"' || c == '\\')
            tsr_text_printf(out, "\\%c", c);
        else if (c < ' ' || c >= 0x7f)
            tsr_text_printf(out, "\\x%02x", c);
        else
            tsr_text_add(out, name.s + i, 1);
    }
    tsr_text_puts(out, "\"");
}

static void print_name(struct printer *p, tsr_sym sym)
{
    tsr_str name = tsr_symbols_get(p->ir->symbols, sym);
    if (is_ident(name))
        tsr_text_add(p->out, name.s, name.len);
    else
        print_quoted(p->out, name);
}

static void print_ordinal(tsr_text *out, uint32_t ordinal)
{
    if (ordinal != 1) tsr_text_printf(out, "#%u", (unsigned)ordinal);
}

/* ---- Constants and operands. */

static void print_bits(tsr_text *out, const char *type, uint64_t bits)
{
    tsr_text_printf(out, "%s(0x%llx)", type, (unsigned long long)bits);
}

/* The shortest decimal, when reading it (to f64, then to the type) gives the same bits; else the bits. */
static void print_f32(tsr_text *out, uint32_t bits)
{
    char buf[64];
    double back;
    tsr_format_f32(buf, tsr_f32_from_bits(bits));
    if (tsr_parse_f64(buf, strlen(buf), &back) && tsr_bits_from_f32((float)back) == bits)
        tsr_text_printf(out, "%sf", buf);
    else
        print_bits(out, "f32", bits);
}

static void print_f16(tsr_text *out, uint16_t bits)
{
    char buf[64];
    double back;
    tsr_format_f16(buf, bits);
    if (tsr_parse_f64(buf, strlen(buf), &back) && tsr_f16_from_f64(back) == bits)
        tsr_text_printf(out, "%sh", buf);
    else
        print_bits(out, "f16", bits);
}

static bool is_number_finite(tsr_type type, uint64_t bits)
{
    if (type == TSR_T_f32) return (bits & 0x7f800000u) != 0x7f800000u;
    return (bits & 0x7c00u) != 0x7c00u;
}

static void print_const(struct printer *p, const tsr_inst *inst)
{
    const uint64_t bits = tsr_constant_bits(p->ir, inst);
    const bool is_float = inst->type == TSR_T_f32 || inst->type == TSR_T_f16;
    const bool plain = inst->type == TSR_T_bool ? bits <= 1
                       : is_float               ? is_number_finite(inst->type, bits)
                                                : inst->type == TSR_T_i32 || inst->type == TSR_T_u32;
    if (!plain)
        print_bits(p->out, tsr_type_cstr(p->ir->types, p->ir->arena, inst->type), bits);
    else if (inst->type == TSR_T_bool)
        tsr_text_puts(p->out, bits ? "true" : "false");
    else if (inst->type == TSR_T_i32)
        tsr_text_printf(p->out, "%di", (int)(int32_t)(uint32_t)bits);
    else if (inst->type == TSR_T_u32)
        tsr_text_printf(p->out, "%uu", (unsigned)bits);
    else if (inst->type == TSR_T_f32)
        print_f32(p->out, (uint32_t)bits);
    else
        print_f16(p->out, (uint16_t)bits);
}

static void print_operand(struct printer *p, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(p->ir, id);
    if (inst->op == TSR_OP_const)
        print_const(p, inst);
    else
        tsr_text_printf(p->out, "%%%u", (unsigned)p->numbers[id]);
}

/* ---- Types. */

static void style_struct(void *user, tsr_text *out, tsr_type type)
{
    struct printer *p = user;
    tsr_text_puts(out, "$");
    print_name(p, tsr_type_get(p->ir->types, type)->name);
    print_ordinal(out, p->struct_ordinal[type]);
}

static void style_opaque(void *user, tsr_text *out, tsr_type type)
{
    struct printer *p = user;
    tsr_text_puts(out, "opaque ");
    print_quoted(out, tsr_symbols_get(p->ir->symbols, tsr_type_get(p->ir->types, type)->name));
}

static void style_value(void *user, tsr_text *out, tsr_id over)
{
    (void)out;
    print_operand(user, over);
}

static void print_type(struct printer *p, tsr_type type)
{
    tsr_type_print_styled(p->out, p->ir->types, type, &p->style);
}

static void print_io(struct printer *p, tsr_io io)
{
    if (io.builtin != 0)
        tsr_text_printf(p->out, " @builtin(%s)", tsr_builtin_value_name((tsr_builtin_value)io.builtin));
    if (io.has_location) tsr_text_printf(p->out, " @location(%u)", (unsigned)io.location);
}

static void print_struct(struct printer *p, tsr_type type)
{
    const tsr_type_info *info = tsr_type_get(p->ir->types, type);
    uint32_t count = 0;
    tsr_map_find(&p->structs_named, info->name, &count);
    tsr_map_set(&p->structs_named, info->name, count + 1);
    p->struct_ordinal[type] = count + 1;
    tsr_text_puts(p->out, "struct ");
    print_type(p, type);
    tsr_text_puts(p->out, " {\n");
    for (uint32_t i = 0; i < info->member_count; i++) {
        const tsr_member *m = &info->members[i];
        tsr_text_puts(p->out, "    ");
        print_name(p, m->name);
        tsr_text_puts(p->out, ": ");
        print_type(p, m->type);
        tsr_text_printf(p->out, " @offset(%u) @size(%u) @align(%u)", (unsigned)m->offset, (unsigned)m->size,
                        (unsigned)m->align);
        print_io(p, m->io);
        tsr_text_puts(p->out, ",\n");
    }
    tsr_text_puts(p->out, "}\n");
}

/* Declares the structs in a type that were not declared yet, innermost first. Depth is bounded by the verifier's
 * limit; what is deeper was refused. */
static void declare_structs(struct printer *p, tsr_type type, unsigned depth)
{
    const tsr_type_info *info = tsr_type_get(p->ir->types, type);
    if (depth > TSR_IR_TYPE_DEPTH_MAX || p->struct_ordinal[type] != 0) return;
    if (info->elem != 0) declare_structs(p, info->elem, depth + 1);
    for (uint32_t i = 0; i < info->member_count; i++)
        declare_structs(p, info->members[i].type, depth + 1);
    if (info->kind == TSR_T_struct) print_struct(p, type);
}

/* ---- Instructions. */

static void indent(struct printer *p, unsigned depth)
{
    static const char spaces[] = "                                        ";
    for (unsigned left = 4 * (depth < INDENT_MAX ? depth : INDENT_MAX); left > 0;) {
        unsigned n = left < sizeof spaces - 1 ? left : (unsigned)(sizeof spaces - 1);
        tsr_text_add(p->out, spaces, n);
        left -= n;
    }
}

/* The letters of a swizzle; false when `aux` says more than letters can. */
static bool print_swizzle(struct printer *p, const tsr_inst *inst)
{
    const unsigned count = tsr_type_width(p->ir->types, inst->type);
    char letters[5] = "";
    uint32_t left = inst->aux;
    if (count < 2 || count > 4) return false;
    for (unsigned i = 0; i < count; i++, left >>= 4) {
        if ((left & SWIZZLE_MASK) > 3) return false;
        letters[i] = "xyzw"[left & SWIZZLE_MASK];
    }
    if (left != 0) return false;
    tsr_text_printf(p->out, ".%s", letters);
    return true;
}

static void print_aux(struct printer *p, const tsr_inst *inst)
{
    const bool numbered = inst->op == TSR_OP_extract || inst->op == TSR_OP_insert || inst->op == TSR_OP_field;
    if (inst->op == TSR_OP_swizzle && print_swizzle(p, inst)) return;
    if ((inst->op == TSR_OP_mload || inst->op == TSR_OP_mstore) && inst->aux <= 1)
        tsr_text_puts(p->out, inst->aux ? ".col_major" : ".row_major");
    else if (inst->op == TSR_OP_mma && inst->aux == 1)
        tsr_text_puts(p->out, ".saturating");
    else if (inst->aux != 0 || numbered)
        tsr_text_printf(p->out, "[%u]", (unsigned)inst->aux);
}

static void print_args(struct printer *p, const tsr_inst *inst)
{
    for (uint32_t i = 0; i < inst->nargs; i++) {
        if (i > 0) tsr_text_puts(p->out, ", ");
        print_operand(p, tsr_arg(p->ir, inst, i));
    }
}

static void print_callee(struct printer *p, const tsr_inst *inst)
{
    tsr_text_puts(p->out, " ");
    if (inst->op == TSR_OP_builtin_call) {
        print_name(p, inst->aux);
    } else {
        print_name(p, tsr_function_at(p->ir, inst->aux)->name);
        print_ordinal(p->out, p->fn_ordinal[inst->aux]);
    }
    tsr_text_puts(p->out, "(");
    print_args(p, inst);
    tsr_text_puts(p->out, ")");
}

static void print_diag(struct printer *p, uint16_t diag)
{
    if (p->diag_number[diag] != 0) tsr_text_printf(p->out, " !%u", (unsigned)p->diag_number[diag]);
}

/* "%4 sum: f32", for what has a value. */
static void print_value(struct printer *p, tsr_id id, tsr_sym name, tsr_type type)
{
    p->numbers[id] = ++p->last_number;
    tsr_text_printf(p->out, "%%%u", (unsigned)p->last_number);
    if (name != 0) {
        tsr_text_puts(p->out, " ");
        print_name(p, name);
    }
    tsr_text_puts(p->out, ": ");
    print_type(p, type);
}

static void print_inst(struct printer *p, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(p->ir, id);
    if (inst->type != 0) {
        print_value(p, id, inst->name, inst->type);
        tsr_text_puts(p->out, " = ");
    }
    tsr_text_puts(p->out, tsr_op_table[inst->op].name);
    if (inst->op == TSR_OP_call || inst->op == TSR_OP_builtin_call) {
        print_callee(p, inst);
    } else {
        if (inst->op != TSR_OP_switch) print_aux(p, inst);
        if (inst->nargs > 0) tsr_text_puts(p->out, " ");
        print_args(p, inst);
    }
    print_diag(p, inst->diag);
}

/* ---- Blocks, without recursion: how deep they nest is the program's choice. */

static void push_frame(struct printer *p, const tsr_inst *inst, unsigned depth)
{
    if (p->frame_count == p->frame_cap) {
        uint32_t cap = p->frame_cap == 0 ? 16 : p->frame_cap * 2;
        struct frame *more = TSR_NEW_ARRAY(p->ir->arena, struct frame, cap);
        if (p->frame_count != 0) memcpy(more, p->frames, p->frame_count * sizeof *more);
        p->frames = more;
        p->frame_cap = cap;
    }
    p->frames[p->frame_count++] = (struct frame){.inst = inst, .depth = depth};
}

static void print_line(struct printer *p, unsigned depth, const char *text)
{
    indent(p, depth);
    tsr_text_puts(p->out, text);
    tsr_text_puts(p->out, "\n");
}

static bool begin_block(struct frame *f, tsr_block block)
{
    f->block = block;
    f->next = 0;
    f->stage++;
    return true;
}

static bool next_if(struct printer *p, struct frame *f)
{
    tsr_block other = tsr_inst_block(p->ir, f->inst, 1);
    if (f->stage == 0) return begin_block(f, tsr_inst_block(p->ir, f->inst, 0));
    if (f->stage == 1 && other != 0) {
        print_line(p, f->depth - 1, "} else {");
        return begin_block(f, other);
    }
    print_line(p, f->depth - 1, "}");
    return false;
}

static bool next_loop(struct printer *p, struct frame *f)
{
    tsr_block continuing = tsr_inst_block(p->ir, f->inst, 1);
    if (f->stage == 0) return begin_block(f, tsr_inst_block(p->ir, f->inst, 0));
    if (f->stage == 1 && continuing != 0) {
        print_line(p, f->depth++, "continuing {");
        return begin_block(f, continuing);
    }
    if (f->stage == 2) print_line(p, --f->depth, "}");
    print_line(p, f->depth - 1, "}");
    return false;
}

static void print_case(struct printer *p, const tsr_case *c, unsigned depth)
{
    indent(p, depth);
    tsr_text_puts(p->out, "case");
    for (uint32_t i = 0; i < c->selector_count; i++) {
        tsr_text_puts(p->out, i == 0 ? " " : ", ");
        print_operand(p, c->selectors[i]);
    }
    if (c->is_default) tsr_text_puts(p->out, c->selector_count == 0 ? " default" : ", default");
    tsr_text_puts(p->out, " {\n");
}

static bool next_switch(struct printer *p, struct frame *f)
{
    const tsr_switch *s = tsr_switch_at(p->ir, f->inst->aux);
    if (f->stage > 0) print_line(p, --f->depth, "}");
    if (f->stage < s->case_count) {
        print_case(p, &s->cases[f->stage], f->depth);
        f->depth++;
        return begin_block(f, s->cases[f->stage].block);
    }
    print_line(p, f->depth - 1, "}");
    return false;
}

/* Goes on to the next block of the frame's instruction; false when it has no more. */
static bool next_block(struct printer *p, struct frame *f)
{
    if (f->inst == NULL) return false;
    if (f->inst->op == TSR_OP_if) return next_if(p, f);
    if (f->inst->op == TSR_OP_loop) return next_loop(p, f);
    return next_switch(p, f);
}

static void print_body(struct printer *p, tsr_block body)
{
    push_frame(p, NULL, 1);
    p->frames[0].block = body;
    while (p->frame_count > 0) {
        struct frame *f = &p->frames[p->frame_count - 1];
        const tsr_block_info *info = tsr_block_at(p->ir, f->block);
        tsr_id id;
        bool holds;
        if (f->next >= info->count) {
            if (!next_block(p, f)) p->frame_count--;
            continue;
        }
        id = info->insts[f->next++];
        if (tsr_inst_at(p->ir, id)->op == TSR_OP_const) continue;
        holds = (tsr_op_table[tsr_inst_at(p->ir, id)->op].flags & TSR_OPF_BLOCKS) != 0;
        indent(p, f->depth);
        print_inst(p, id);
        tsr_text_puts(p->out, holds ? " {\n" : "\n");
        if (holds) push_frame(p, tsr_inst_at(p->ir, id), f->depth + 1);
    }
}

/* ---- Functions. */

static void declare_visited(void *user, tsr_id id)
{
    struct printer *p = user;
    declare_structs(p, tsr_inst_at(p->ir, id)->type, 0);
}

static void print_params(struct printer *p, const tsr_function *f)
{
    tsr_text_puts(p->out, "(");
    for (uint32_t i = 0; i < f->param_count; i++) {
        if (i > 0) tsr_text_puts(p->out, ", ");
        print_value(p, f->params[i].value, f->params[i].name, f->params[i].type);
        print_io(p, f->params[i].io);
    }
    tsr_text_puts(p->out, ")");
}

static void print_workgroup_size(struct printer *p, const tsr_function *f)
{
    unsigned count = 3;
    while (count > 0 && f->workgroup_size[count - 1] == 0)
        count--;
    if (count == 0) return;
    tsr_text_puts(p->out, " @workgroup_size(");
    for (unsigned i = 0; i < count; i++) {
        if (i > 0) tsr_text_puts(p->out, ", ");
        if (f->workgroup_size[i] == 0)
            tsr_text_puts(p->out, "_");
        else
            print_operand(p, f->workgroup_size[i]);
    }
    tsr_text_puts(p->out, ")");
}

static void print_attributes(struct printer *p, const tsr_function *f)
{
    static const char *const stages[] = {" @compute", " @vertex", " @fragment"};
    if (f->is_entry) tsr_text_puts(p->out, stages[f->stage]);
    print_workgroup_size(p, f);
    if (f->subgroup_size != 0) {
        tsr_text_puts(p->out, " @subgroup_size(");
        print_operand(p, f->subgroup_size);
        tsr_text_puts(p->out, ")");
    }
    if (f->must_use) tsr_text_puts(p->out, " @must_use");
    print_diag(p, f->diag);
}

static void print_function(struct printer *p, uint32_t number)
{
    const tsr_function *f = tsr_function_at(p->ir, number);
    for (uint32_t i = 0; i < f->param_count; i++)
        declare_structs(p, f->params[i].type, 0);
    declare_structs(p, f->result, 0);
    tsr_block_walk(p->ir, f->body, declare_visited, p);
    tsr_text_puts(p->out, "\nfn ");
    print_name(p, f->name);
    print_ordinal(p->out, p->fn_ordinal[number]);
    print_params(p, f);
    if (f->result != 0) {
        tsr_text_puts(p->out, " -> ");
        print_type(p, f->result);
    }
    print_io(p, f->result_io);
    print_attributes(p, f);
    tsr_text_puts(p->out, " {\n");
    print_body(p, f->body);
    tsr_text_puts(p->out, "}\n");
}

/* ---- The module. */

static void print_override(struct printer *p, tsr_id id)
{
    const tsr_override *o = tsr_override_at(p->ir, tsr_inst_at(p->ir, id)->aux);
    tsr_text_puts(p->out, "override ");
    print_value(p, id, o->name, tsr_inst_at(p->ir, id)->type);
    if (o->has_id) tsr_text_printf(p->out, " @id(%u)", (unsigned)o->id);
    if (o->initial == 0) return;
    tsr_text_puts(p->out, " = ");
    print_operand(p, o->initial);
}

static void print_global(struct printer *p, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(p->ir, id);
    const tsr_global *g = tsr_global_at(p->ir, inst->aux);
    tsr_text_puts(p->out, "global ");
    print_value(p, id, g->name, inst->type);
    if (g->has_binding) tsr_text_printf(p->out, " @group(%u) @binding(%u)", (unsigned)g->group, (unsigned)g->binding);
    if (inst->nargs == 0) return;
    tsr_text_puts(p->out, " = ");
    print_args(p, inst);
}

static void print_module_block(struct printer *p)
{
    const tsr_block_info *b = tsr_block_at(p->ir, p->ir->module_block);
    for (uint32_t i = 0; i < b->count; i++) {
        const tsr_inst *inst = tsr_inst_at(p->ir, b->insts[i]);
        if (inst->op == TSR_OP_const) continue;
        declare_structs(p, inst->type, 0);
        if (inst->op == TSR_OP_override)
            print_override(p, b->insts[i]);
        else if (inst->op == TSR_OP_global)
            print_global(p, b->insts[i]);
        else
            print_inst(p, b->insts[i]);
        tsr_text_puts(p->out, "\n");
    }
}

static void print_diag_state(struct printer *p, uint32_t number, const tsr_diag_state *s)
{
    tsr_text_printf(p->out, "diag !%u { derivative_uniformity: %s, subgroup_uniformity: %s, ", (unsigned)number,
                    tsr_severity_name((tsr_severity)s->derivative_uniformity),
                    tsr_severity_name((tsr_severity)s->subgroup_uniformity));
    tsr_text_printf(p->out, "subgroup_matrix_uniformity: %s }\n",
                    tsr_severity_name((tsr_severity)s->subgroup_matrix_uniformity));
}

static uint32_t diag_key(const tsr_diag_state *s)
{
    return s->derivative_uniformity | (uint32_t)s->subgroup_uniformity << 8 |
           (uint32_t)s->subgroup_matrix_uniformity << 16;
}

/* State 0 is what a module begins with (tsr_ir_init), so it is written only when it was changed. */
static void print_diag_states(struct printer *p)
{
    const uint32_t usual = TSR_SEVERITY_ERROR | TSR_SEVERITY_ERROR << 8 | TSR_SEVERITY_ERROR << 16;
    tsr_map numbers; /* key -> number */
    uint32_t count = 0;
    tsr_map_init(&numbers, p->ir->arena);
    for (uint32_t i = 0; i < p->ir->diag_states.count; i++) {
        const tsr_diag_state *s = tsr_pool_at(&p->ir->diag_states, i);
        if (tsr_map_find(&numbers, diag_key(s), &p->diag_number[i])) continue;
        p->diag_number[i] = count++;
        tsr_map_set(&numbers, diag_key(s), p->diag_number[i]);
        if (i > 0 || diag_key(s) != usual) print_diag_state(p, p->diag_number[i], s);
    }
}

/* Functions of one name are told apart by their order. */
static void number_functions(struct printer *p)
{
    tsr_map named;
    tsr_map_init(&named, p->ir->arena);
    for (uint32_t f = 1; f < p->ir->functions.count; f++) {
        const tsr_sym name = tsr_function_at(p->ir, f)->name;
        uint32_t count = 0;
        tsr_map_find(&named, name, &count);
        p->fn_ordinal[f] = count + 1;
        tsr_map_set(&named, name, count + 1);
    }
}

static void print_module(struct printer *p)
{
    const tsr_ir *ir = p->ir;
    tsr_text_puts(p->out, "tessera_ir 1\n");
    if (ir->uses_f16) tsr_text_puts(p->out, "enable f16\n");
    if (ir->uses_subgroups) tsr_text_puts(p->out, "enable subgroups\n");
    if (ir->uses_matrices) tsr_text_puts(p->out, "enable matrices\n");
    if (ir->uniformity_off) tsr_text_puts(p->out, "enable nonuniform\n");
    print_diag_states(p);
    print_module_block(p);
    for (uint32_t f = 1; f < ir->functions.count; f++)
        print_function(p, f);
}

void tsr_ir_print(tsr_text *out, const tsr_ir *ir)
{
    const tsr_arena_mark mark = tsr_arena_get_mark(ir->arena);
    struct printer p = {.out = out, .ir = ir};
    p.numbers = TSR_NEW_ARRAY(ir->arena, uint32_t, ir->insts.count);
    p.struct_ordinal = TSR_NEW_ARRAY(ir->arena, uint32_t, ir->types->info.count);
    p.fn_ordinal = TSR_NEW_ARRAY(ir->arena, uint32_t, ir->functions.count);
    p.diag_number = TSR_NEW_ARRAY(ir->arena, uint32_t, ir->diag_states.count);
    tsr_map_init(&p.structs_named, ir->arena);
    p.style = (tsr_type_style){&p, style_struct, style_opaque, style_value};
    number_functions(&p);
    print_module(&p);
    if (out->arena != ir->arena) tsr_arena_reset(ir->arena, mark); /* else the text lies behind the mark too */
}
