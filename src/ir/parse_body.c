/* Instructions and blocks of IR text. Blocks are kept on a stack of our own, so nesting costs no C stack. */
#include "ir/reader.h"

#include <string.h>

/* What the braces that are open belong to. */
enum frame_kind { IN_FUNCTION, IN_THEN, IN_ELSE, IN_LOOP, IN_AFTER_CONTINUING, IN_CONTINUING, IN_SWITCH, IN_CASE };

struct frame {
    enum frame_kind kind;
    tsr_block block; /* 0 in a switch, between its cases */
    tsr_id inst;     /* the if, loop or switch */
    tsr_case *cases; /* of a switch */
    uint32_t case_count, case_cap;
};

struct body {
    tsr_ir_reader *r;
    struct frame *frames;
    uint32_t count, cap;
};

/* ---- One instruction. */

static bool read_op(tsr_ir_reader *r, tsr_op *out)
{
    const tsr_ir_token t = r->tok;
    uint32_t found = TSR_OP_none;
    if (t.kind != TSR_IRT_ident) return tsr_ir_reader_expected(r, "the name of an op");
    tsr_map_find(&r->ops, tsr_hash_bytes(t.text.s, t.text.len, 0), &found);
    if (!tsr_str_is(t.text, tsr_op_table[found].name) || found == TSR_OP_none)
        return tsr_ir_reader_expected(r, "an op of docs/ir.md");
    tsr_ir_reader_next(r);
    *out = (tsr_op)found;
    return !r->failed;
}

static bool read_swizzle(tsr_ir_reader *r, uint32_t *aux)
{
    static const char letters[] = "xyzw";
    const tsr_str word = r->tok.text;
    if (r->tok.kind != TSR_IRT_ident || word.len < 2 || word.len > 4)
        return tsr_ir_reader_expected(r, "2 to 4 of the letters x, y, z, w");
    for (size_t i = 0; i < word.len; i++) {
        const char *at = strchr(letters, word.s[i]);
        if (at == NULL || *at == '\0') return tsr_ir_reader_expected(r, "2 to 4 of the letters x, y, z, w");
        *aux |= (uint32_t)(at - letters) << (4 * i);
    }
    tsr_ir_reader_next(r);
    return !r->failed;
}

/* `.word` or `[number]` after the op. */
static bool read_aux(tsr_ir_reader *r, tsr_op op, uint32_t *aux)
{
    const bool major = op == TSR_OP_mload || op == TSR_OP_mstore;
    *aux = 0;
    if (tsr_ir_reader_take(r, '[')) return tsr_ir_reader_u32(r, aux, "a number") && tsr_ir_reader_expect(r, ']');
    if (!tsr_ir_reader_take(r, '.')) return !r->failed;
    if (op == TSR_OP_swizzle) return read_swizzle(r, aux);
    *aux = 1;
    if (major && tsr_ir_reader_take_word(r, "col_major")) return !r->failed;
    if (op == TSR_OP_mma && tsr_ir_reader_take_word(r, "saturating")) return !r->failed;
    *aux = 0;
    if (major && tsr_ir_reader_take_word(r, "row_major")) return !r->failed;
    return tsr_ir_reader_expected(r, "what the op has after `.`: letters, row_major, col_major or saturating");
}

static void add_arg(tsr_ir_reader *r, tsr_id id)
{
    if (r->arg_count == r->arg_cap) {
        uint32_t cap = r->arg_cap == 0 ? 16 : r->arg_cap * 2;
        tsr_id *more = TSR_NEW_ARRAY(r->arena, tsr_id, cap);
        if (r->arg_count != 0) memcpy(more, r->args, r->arg_count * sizeof *more);
        r->args = more;
        r->arg_cap = cap;
    }
    r->args[r->arg_count++] = id;
}

/* Operands, separated by commas, up to the end of the line. */
static bool read_args(tsr_ir_reader *r)
{
    tsr_id id;
    r->arg_count = 0;
    if (r->tok.first_on_line || !tsr_ir_reader_at_operand(r)) return !r->failed;
    do {
        if (!tsr_ir_reader_operand(r, &id)) return false;
        add_arg(r, id);
    } while (tsr_ir_reader_take(r, ','));
    return !r->failed;
}

static bool read_call_args(tsr_ir_reader *r)
{
    tsr_id id;
    r->arg_count = 0;
    if (!tsr_ir_reader_expect(r, '(')) return false;
    while (!tsr_ir_reader_at(r, ')')) {
        if (!tsr_ir_reader_operand(r, &id)) return false;
        add_arg(r, id);
        if (!tsr_ir_reader_take(r, ',')) break;
    }
    return tsr_ir_reader_expect(r, ')');
}

/* An instruction while it is read. */
struct reading {
    tsr_op op;
    tsr_type type;
    tsr_sym name;
    uint32_t aux;
    uint16_t diag;
    bool has_value;
    uint32_t number;
    tsr_span span, number_span;
    uint64_t callee;
    bool callee_pending;
};

static bool read_callee(tsr_ir_reader *r, struct reading *in)
{
    tsr_sym name;
    uint32_t function;
    if (in->op == TSR_OP_builtin_call) return tsr_ir_reader_name(r, &in->aux, "the name of a built-in function");
    in->span = r->tok.span;
    if (!tsr_ir_reader_key(r, &in->callee, &name, "the name of a function")) return false;
    in->callee_pending = !tsr_map_find(&r->functions, in->callee, &function);
    if (!in->callee_pending) in->aux = function;
    return true;
}

static void add_pending(tsr_ir_reader *r, tsr_id inst, const struct reading *in)
{
    if (r->pending_count == r->pending_cap) {
        uint32_t cap = r->pending_cap == 0 ? 16 : r->pending_cap * 2;
        tsr_ir_pending *more = TSR_NEW_ARRAY(r->arena, tsr_ir_pending, cap);
        if (r->pending_count != 0) memcpy(more, r->pending, r->pending_count * sizeof *more);
        r->pending = more;
        r->pending_cap = cap;
    }
    r->pending[r->pending_count++] = (tsr_ir_pending){inst, in->callee, in->span};
}

static bool check_count(tsr_ir_reader *r, const struct reading *in)
{
    const tsr_op_info *info = &tsr_op_table[in->op];
    if (info->nargs < 0 || (uint32_t)info->nargs == r->arg_count) return true;
    return tsr_ir_reader_fail(r, in->span, TSR_E_IR_OPERAND, "%s takes %d operand%s, not %u", info->name, info->nargs,
                              info->nargs == 1 ? "" : "s", (unsigned)r->arg_count);
}

/* `%3 name: type =`, when the instruction has a value. */
static bool read_result(tsr_ir_reader *r, struct reading *in)
{
    in->has_value = r->tok.kind == TSR_IRT_value;
    if (!in->has_value) return !r->failed;
    if (!tsr_ir_reader_value_number(r, &in->number, &in->number_span)) return false;
    return tsr_ir_reader_typed(r, &in->name, &in->type) && tsr_ir_reader_expect(r, '=');
}

static bool read_rest(tsr_ir_reader *r, struct reading *in)
{
    in->span = r->tok.span;
    if (!read_op(r, &in->op)) return false;
    if (in->op == TSR_OP_const || in->op == TSR_OP_param || in->op == TSR_OP_override || in->op == TSR_OP_global)
        return tsr_ir_reader_fail(r, in->span, TSR_E_IR_SYNTAX, "%s is not written as an instruction",
                                  tsr_op_table[in->op].name);
    if (in->op == TSR_OP_call || in->op == TSR_OP_builtin_call) {
        if (!read_callee(r, in) || !read_call_args(r)) return false;
    } else if (!read_aux(r, in->op, &in->aux) || !read_args(r)) {
        return false;
    }
    return check_count(r, in) && tsr_ir_reader_diag(r, &in->diag);
}

/* Reads one instruction and appends it; blocks are the caller's to read. */
static bool read_inst(tsr_ir_reader *r, tsr_block block, struct reading *in, tsr_id *out)
{
    tsr_builder b = {.ir = r->ir, .block = block};
    tsr_inst *inst;
    *in = (struct reading){0};
    if (!read_result(r, in) || !read_rest(r, in)) return false;
    b.span = in->span;
    *out = tsr_build(&b, in->op, in->type, in->aux, r->args, r->arg_count);
    inst = tsr_inst_at(r->ir, *out);
    inst->type = in->type; /* as stated: the verifier judges it */
    inst->name = in->name;
    inst->diag = in->diag;
    if (in->callee_pending) add_pending(r, *out, in);
    return !in->has_value || tsr_ir_reader_define(r, in->number, in->number_span, *out);
}

static bool is_line_ended(tsr_ir_reader *r)
{
    if (r->tok.first_on_line || r->tok.kind == TSR_IRT_end) return !r->failed;
    return tsr_ir_reader_expected(r, "the end of the line");
}

bool tsr_ir_reader_inst(tsr_ir_reader *r, tsr_block block)
{
    struct reading in;
    tsr_id id;
    if (!read_inst(r, block, &in, &id)) return false;
    if (tsr_op_table[in.op].flags & TSR_OPF_BLOCKS)
        return tsr_ir_reader_fail(r, in.span, TSR_E_IR_MODULE, "%s cannot stand at module scope",
                                  tsr_op_table[in.op].name);
    return is_line_ended(r);
}

/* ---- Blocks. */

static struct frame *push_frame(struct body *b, enum frame_kind kind, tsr_block block, tsr_id inst)
{
    if (b->count == b->cap) {
        uint32_t cap = b->cap == 0 ? 16 : b->cap * 2;
        struct frame *more = TSR_NEW_ARRAY(b->r->arena, struct frame, cap);
        if (b->count != 0) memcpy(more, b->frames, b->count * sizeof *more);
        b->frames = more;
        b->cap = cap;
    }
    b->frames[b->count] = (struct frame){.kind = kind, .block = block, .inst = inst};
    return &b->frames[b->count++];
}

static void set_block(struct body *b, tsr_id inst, unsigned which, tsr_block block)
{
    tsr_ir *ir = b->r->ir;
    *(tsr_block *)tsr_pool_at(&ir->block_lists, tsr_inst_at(ir, inst)->blocks + which) = block;
}

static bool open_blocks(struct body *b, const struct reading *in, tsr_id inst)
{
    tsr_ir *ir = b->r->ir;
    tsr_block first;
    if (!tsr_ir_reader_expect(b->r, '{')) return false;
    if (b->count > TSR_IR_BLOCK_DEPTH_MAX)
        return tsr_ir_reader_fail(b->r, in->span, TSR_E_IR_LIMIT, "blocks nest deeper than %d", TSR_IR_BLOCK_DEPTH_MAX);
    if (in->op == TSR_OP_switch) {
        tsr_inst_at(ir, inst)->aux = tsr_pool_push(&ir->switches, 1);
        push_frame(b, IN_SWITCH, 0, inst);
        return true;
    }
    first = tsr_block_new(ir);
    tsr_inst_at(ir, inst)->blocks = tsr_pool_push(&ir->block_lists, 2);
    set_block(b, inst, 0, first);
    push_frame(b, in->op == TSR_OP_if ? IN_THEN : IN_LOOP, first, inst);
    return true;
}

static bool open_continuing(struct body *b)
{
    struct frame *f = &b->frames[b->count - 1];
    tsr_block block;
    if (f->kind != IN_LOOP)
        return tsr_ir_reader_fail(b->r, b->r->tok.span, TSR_E_IR_SYNTAX, "continuing stands last in a loop, once");
    tsr_ir_reader_next(b->r);
    block = tsr_block_new(b->r->ir);
    set_block(b, f->inst, 1, block);
    f->kind = IN_AFTER_CONTINUING;
    push_frame(b, IN_CONTINUING, block, f->inst);
    return tsr_ir_reader_expect(b->r, '{');
}

static tsr_case *add_case(struct body *b, struct frame *f)
{
    if (f->case_count == f->case_cap) {
        uint32_t cap = f->case_cap == 0 ? 4 : f->case_cap * 2;
        tsr_case *more = TSR_NEW_ARRAY(b->r->arena, tsr_case, cap);
        if (f->case_count != 0) memcpy(more, f->cases, f->case_count * sizeof *more);
        f->cases = more;
        f->case_cap = cap;
    }
    return &f->cases[f->case_count++];
}

/* `case` selectors `{`: constants and `default`, in any order. */
static bool open_case(struct body *b, struct frame *f)
{
    tsr_ir_reader *r = b->r;
    tsr_case *c = add_case(b, f);
    tsr_id id;
    if (!tsr_ir_reader_take_word(r, "case")) return tsr_ir_reader_expected(r, "`case` or `}`");
    r->arg_count = 0;
    do {
        if (tsr_ir_reader_take_word(r, "default")) {
            c->is_default = true;
        } else {
            if (!tsr_ir_reader_operand(r, &id)) return false;
            add_arg(r, id);
        }
    } while (tsr_ir_reader_take(r, ','));
    c->selector_count = r->arg_count;
    c->selectors = TSR_NEW_ARRAY(r->ir->arena, tsr_id, r->arg_count == 0 ? 1 : r->arg_count);
    if (r->arg_count != 0) memcpy(c->selectors, r->args, r->arg_count * sizeof(tsr_id));
    c->block = tsr_block_new(r->ir);
    push_frame(b, IN_CASE, c->block, f->inst);
    return tsr_ir_reader_expect(r, '{');
}

static void close_switch(struct body *b, const struct frame *f)
{
    tsr_ir *ir = b->r->ir;
    tsr_switch *s = tsr_switch_at(ir, tsr_inst_at(ir, f->inst)->aux);
    s->case_count = f->case_count;
    s->cases = TSR_NEW_ARRAY(ir->arena, tsr_case, f->case_count == 0 ? 1 : f->case_count);
    if (f->case_count != 0) memcpy(s->cases, f->cases, f->case_count * sizeof *s->cases);
}

/* The `}` is taken. */
static bool close_frame(struct body *b)
{
    const struct frame f = b->frames[--b->count];
    tsr_block other;
    if (f.kind == IN_SWITCH) close_switch(b, &f);
    if (f.kind != IN_THEN || !tsr_ir_reader_take_word(b->r, "else")) return !b->r->failed;
    other = tsr_block_new(b->r->ir);
    set_block(b, f.inst, 1, other);
    push_frame(b, IN_ELSE, other, f.inst);
    return tsr_ir_reader_expect(b->r, '{');
}

static bool read_statement(struct body *b)
{
    struct frame *f = &b->frames[b->count - 1];
    struct reading in;
    tsr_id inst;
    if (b->r->tok.kind == TSR_IRT_end) return tsr_ir_reader_expected(b->r, "`}`");
    if (tsr_ir_reader_take(b->r, '}')) return close_frame(b);
    if (f->kind == IN_SWITCH) return open_case(b, f);
    if (tsr_ir_reader_at_word(b->r, "continuing")) return open_continuing(b);
    if (f->kind == IN_AFTER_CONTINUING)
        return tsr_ir_reader_expected(b->r, "`}`: nothing follows continuing in a loop");
    if (!read_inst(b->r, f->block, &in, &inst)) return false;
    if (tsr_op_table[in.op].flags & TSR_OPF_BLOCKS) return open_blocks(b, &in, inst);
    return tsr_ir_reader_at(b->r, '}') || is_line_ended(b->r);
}

bool tsr_ir_reader_body(tsr_ir_reader *r, tsr_block body)
{
    struct body b = {.r = r};
    push_frame(&b, IN_FUNCTION, body, 0);
    while (b.count > 0)
        if (!read_statement(&b)) return false;
    return !r->failed;
}
