/* The verifier: one pass over the module block and each function, linear in the module. Here: where values are
 * visible, how blocks nest and end, where break and continue may stand. Rules of single ops: verify_op.c. */
#include "ir/verify.h"

#include "ir/verifier.h"

#include <string.h>

#define NO_POSITION    UINT32_MAX
#define SHAPE_ARGS_MAX 8u /* operands shown in a message */

enum {
    CAN_BREAK = 1u << 0,
    CAN_CONTINUE = 1u << 1,
    IN_CONTINUING = 1u << 2, /* of some loop of this function: no return */
    IS_CONTINUING = 1u << 3  /* this very block: break_if ends it */
};

/* A block being verified, held by `inst` (NULL: the function itself), and what is known of inst's blocks so far. */
struct frame {
    const tsr_inst *inst;
    uint32_t stage; /* how many of inst's blocks were begun */
    tsr_block block;
    uint32_t next; /* instruction */
    unsigned flags;
    bool ended;         /* an END op was met in this block */
    bool falls;         /* control can come to the end of this block */
    bool any_falls;     /* ... of some block of `inst` before */
    bool broken;        /* a break (or break_if) leaves this loop or switch */
    uint32_t loop;      /* frame of the loop that `continue` is for */
    uint32_t breakable; /* frame that `break` leaves */
    tsr_block body;     /* loop: its body */
    uint32_t continued; /* loop: where in the body the first `continue` stands; values after it may not exist */
};

struct walk {
    tsr_ir_verifier *v;
    struct frame *frames;
    uint32_t count, cap;
};

/* ---- Reports. */

const char *tsr_ir_verify_type_text(tsr_ir_verifier *v, tsr_type type)
{
    return v->diags->error_count < v->diags->limit ? tsr_type_cstr(v->types, v->diags->arena, type) : "";
}

/* "add(f32, u32) -> f32". */
static void print_shape(tsr_text *out, const tsr_ir_verifier *v, const tsr_inst *inst)
{
    tsr_text_puts(out, tsr_op_table[inst->op].name);
    tsr_text_puts(out, "(");
    for (uint32_t i = 0; i < inst->nargs && i < SHAPE_ARGS_MAX; i++) {
        const tsr_id id = tsr_arg(v->ir, inst, i);
        if (i > 0) tsr_text_puts(out, ", ");
        if (id == 0 || id >= v->ir->insts.count || tsr_inst_at(v->ir, id)->type >= v->types->info.count)
            tsr_text_puts(out, "?");
        else
            tsr_type_print(out, v->types, tsr_inst_at(v->ir, id)->type);
    }
    if (inst->nargs > SHAPE_ARGS_MAX) tsr_text_puts(out, ", ...");
    tsr_text_puts(out, ")");
    if (inst->type != 0 && inst->type < v->types->info.count) {
        tsr_text_puts(out, " -> ");
        tsr_type_print(out, v->types, inst->type);
    }
    tsr_text_puts(out, ": ");
}

bool tsr_ir_verify_fail(tsr_ir_verifier *v, const tsr_inst *inst, tsr_diag_code code, const char *fmt, ...)
{
    tsr_text text;
    va_list args;
    tsr_text_init(&text, v->diags->arena);
    if (inst->op != TSR_OP_none && inst->op < TSR_OP_COUNT && v->diags->error_count < v->diags->limit)
        print_shape(&text, v, inst);
    va_start(args, fmt);
    tsr_text_vprintf(&text, fmt, args);
    va_end(args);
    tsr_error(v->diags, inst->span, code, "%s", tsr_text_get(&text));
    return false;
}

/* ---- Types. */

static bool check_over(tsr_ir_verifier *v, const tsr_inst *inst, tsr_id over)
{
    const tsr_inst *value;
    if (over == 0) return true;
    if (over >= v->ir->insts.count || (v->seen[over] & TSR_IR_SEEN_MODULE) == 0)
        return tsr_ir_verify_fail(v, inst, TSR_E_IR_SCOPE,
                                  "a type's size must be a number or a module-scope value that stands above");
    value = tsr_inst_at(v->ir, over);
    return value->type == TSR_T_i32 || value->type == TSR_T_u32 ||
           tsr_ir_verify_fail(v, inst, TSR_E_IR_TYPE, "a type's size must be i32 or u32");
}

/* How deep it goes is limited by the first test. */
static bool judge_type(tsr_ir_verifier *v, const tsr_inst *inst, tsr_type type)
{
    const tsr_type_info *i = tsr_type_get(v->types, type);
    const char *fault = tsr_type_fault(v->types, type);
    if (fault != NULL)
        return tsr_ir_verify_fail(v, inst, TSR_E_IR_TYPE, "type %s: %s", tsr_ir_verify_type_text(v, type), fault);
    if (i->elem != 0 && !tsr_ir_verify_type(v, inst, i->elem)) return false;
    for (uint32_t k = 0; k < i->member_count; k++)
        if (!tsr_ir_verify_type(v, inst, i->members[k].type)) return false;
    return check_over(v, inst, i->size.over) && check_over(v, inst, i->size2.over);
}

bool tsr_ir_verify_type(tsr_ir_verifier *v, const tsr_inst *inst, tsr_type type)
{
    if (type >= v->types->info.count) return tsr_ir_verify_fail(v, inst, TSR_E_IR_TYPE, "the type does not exist");
    if (v->type_state[type] == 0) v->type_state[type] = judge_type(v, inst, type) ? 1 : 2;
    return v->type_state[type] == 1;
}

/* ---- One instruction. */

static bool check_operands(tsr_ir_verifier *v, const tsr_inst *inst)
{
    const tsr_op_info *info = &tsr_op_table[inst->op];
    if (info->nargs >= 0 && (uint32_t)info->nargs != inst->nargs)
        return tsr_ir_verify_fail(v, inst, TSR_E_IR_OPERAND, "this op has %d operands, not %u", info->nargs,
                                  (unsigned)inst->nargs);
    if (inst->nargs > 2 && (inst->nargs > v->ir->args.count || inst->args > v->ir->args.count - inst->nargs))
        return tsr_ir_verify_fail(v, inst, TSR_E_IR_OPERAND, "the list of operands does not exist");
    for (uint32_t i = 0; i < inst->nargs; i++) {
        const tsr_id id = tsr_arg(v->ir, inst, i);
        if (id == 0 || id >= v->ir->insts.count || (v->seen[id] & TSR_IR_SEEN_VISIBLE) == 0)
            return tsr_ir_verify_fail(v, inst, TSR_E_IR_SCOPE, "operand %u is not a value that is visible here",
                                      (unsigned)i + 1);
    }
    return true;
}

static bool check_blocks(tsr_ir_verifier *v, const tsr_inst *inst)
{
    if ((tsr_op_table[inst->op].flags & TSR_OPF_BLOCKS) == 0 || inst->op == TSR_OP_switch) return true;
    if (inst->blocks == 0 || inst->blocks + 1 >= v->ir->block_lists.count)
        return tsr_ir_verify_fail(v, inst, TSR_E_IR_BLOCK, "the op has no blocks");
    return tsr_inst_block(v->ir, inst, 0) != 0 ||
           tsr_ir_verify_fail(v, inst, TSR_E_IR_BLOCK, "the op has no first block");
}

/* Marks the instruction as standing where it does; false when it cannot be looked at. */
static bool enter_inst(tsr_ir_verifier *v, tsr_id id)
{
    const tsr_inst nowhere = {.op = TSR_OP_none};
    const tsr_inst *inst;
    if (id == 0 || id >= v->ir->insts.count || tsr_inst_at(v->ir, id)->op >= TSR_OP_COUNT ||
        tsr_inst_at(v->ir, id)->op == TSR_OP_none)
        return tsr_ir_verify_fail(v, &nowhere, TSR_E_IR_BLOCK, "a block holds an instruction that does not exist");
    inst = tsr_inst_at(v->ir, id);
    if (v->seen[id] != 0) return tsr_ir_verify_fail(v, inst, TSR_E_IR_BLOCK, "the instruction stands in two places");
    v->seen[id] = TSR_IR_SEEN_STANDS;
    return true;
}

static bool check_inst(tsr_ir_verifier *v, tsr_id id)
{
    const tsr_inst *inst = tsr_inst_at(v->ir, id);
    if (inst->diag >= v->ir->diag_states.count)
        return tsr_ir_verify_fail(v, inst, TSR_E_IR_AUX, "the diagnostic state does not exist");
    if (!tsr_ir_verify_type(v, inst, inst->type) || !check_operands(v, inst)) return false;
    return check_blocks(v, inst) && tsr_ir_verify_op(v, id, inst);
}

/* ---- Module scope. */

static void verify_module_block(tsr_ir_verifier *v)
{
    const tsr_block_info *b = tsr_block_at(v->ir, v->ir->module_block);
    for (uint32_t i = 0; i < b->count; i++) {
        const tsr_id id = b->insts[i];
        if (!enter_inst(v, id)) continue;
        if ((tsr_op_table[tsr_inst_at(v->ir, id)->op].flags & TSR_OPF_CONSTEX) == 0)
            tsr_ir_verify_fail(v, tsr_inst_at(v->ir, id), TSR_E_IR_MODULE, "this op cannot stand at module scope");
        else
            check_inst(v, id);
        v->seen[id] |= TSR_IR_SEEN_VISIBLE | TSR_IR_SEEN_MODULE;
    }
}

/* ---- Blocks. */

static void push_frame(struct walk *w, const tsr_inst *inst)
{
    struct frame *f;
    if (w->count == w->cap) {
        uint32_t cap = w->cap == 0 ? 16 : w->cap * 2;
        struct frame *more = TSR_NEW_ARRAY(w->v->arena, struct frame, cap);
        if (w->count != 0) memcpy(more, w->frames, w->count * sizeof *more);
        w->frames = more;
        w->cap = cap;
    }
    f = &w->frames[w->count++];
    *f = (struct frame){.inst = inst, .continued = NO_POSITION, .falls = true};
    if (w->count > 1) {
        f->flags = f[-1].flags & ~(unsigned)IS_CONTINUING;
        f->loop = f[-1].loop;
        f->breakable = f[-1].breakable;
    }
}

/* Values of a block from position `from` on cannot be used any more. */
static void hide_values(tsr_ir_verifier *v, tsr_block block, uint32_t from)
{
    const tsr_block_info *b = tsr_block_at(v->ir, block);
    for (uint32_t i = from; i < b->count; i++)
        if (b->insts[i] < v->ir->insts.count) v->seen[b->insts[i]] &= (uint8_t)~TSR_IR_SEEN_VISIBLE;
}

/* Makes `block` the one being verified; an impossible one counts as empty. Returns true: there is a block. */
static bool begin_block(struct walk *w, struct frame *f, tsr_block block)
{
    const tsr_inst nowhere = {.op = TSR_OP_none};
    f->stage++;
    f->next = 0;
    f->ended = false;
    f->falls = true;
    f->block = block;
    if (block != 0 && block < w->v->ir->blocks.count && !w->v->block_used[block]) {
        w->v->block_used[block] = 1;
        return true;
    }
    tsr_ir_verify_fail(w->v, f->inst == NULL ? &nowhere : f->inst, TSR_E_IR_BLOCK, "a block is missing or used twice");
    f->block = 0;
    return true;
}

/* The end of a block, `falls` known: remember it, forget the values. */
static void finish_block(struct walk *w, struct frame *f)
{
    if (f->stage > 0) f->any_falls |= f->falls;
    hide_values(w->v, f->block, 0);
}

static bool next_if(struct walk *w, struct frame *f)
{
    const tsr_block other = tsr_inst_block(w->v->ir, f->inst, 1);
    finish_block(w, f);
    if (f->stage == 0) return begin_block(w, f, tsr_inst_block(w->v->ir, f->inst, 0));
    if (f->stage == 1 && other != 0) return begin_block(w, f, other);
    f->any_falls |= other == 0;
    return false;
}

static bool next_loop(struct walk *w, struct frame *f)
{
    const tsr_block continuing = tsr_inst_block(w->v->ir, f->inst, 1);
    if (f->stage == 0) {
        f->flags = CAN_BREAK | CAN_CONTINUE | (f->flags & IN_CONTINUING);
        f->loop = f->breakable = w->count - 1;
        begin_block(w, f, tsr_inst_block(w->v->ir, f->inst, 0));
        f->body = f->block;
        return true;
    }
    if (f->stage == 1 && continuing != 0) {
        if (f->continued != NO_POSITION) hide_values(w->v, f->body, f->continued + 1);
        f->flags = IN_CONTINUING | IS_CONTINUING;
        return begin_block(w, f, continuing);
    }
    hide_values(w->v, f->block, 0);
    hide_values(w->v, f->body, 0);
    f->any_falls = f->broken;
    return false;
}

static bool next_switch(struct walk *w, struct frame *f)
{
    const tsr_ir *ir = w->v->ir;
    const bool known = f->inst->aux != 0 && f->inst->aux < ir->switches.count;
    finish_block(w, f);
    if (known && f->stage < tsr_switch_at(ir, f->inst->aux)->case_count) {
        f->flags |= CAN_BREAK;
        f->breakable = w->count - 1;
        return begin_block(w, f, tsr_switch_at(ir, f->inst->aux)->cases[f->stage].block);
    }
    f->any_falls |= f->broken;
    return false;
}

/* Goes on to the next block of the frame's instruction; false when there is none, and any_falls tells whether control
 * comes out of it. */
static bool next_block(struct walk *w, struct frame *f)
{
    if (f->inst == NULL) {
        finish_block(w, f);
        return false;
    }
    if (f->inst->op == TSR_OP_if) return next_if(w, f);
    if (f->inst->op == TSR_OP_loop) return next_loop(w, f);
    return next_switch(w, f);
}

/* ---- Where control goes. */

static void check_break(struct walk *w, const tsr_inst *inst)
{
    struct frame *f = &w->frames[w->count - 1];
    if (f->flags & CAN_BREAK)
        w->frames[f->breakable].broken = true;
    else
        tsr_ir_verify_fail(w->v, inst, TSR_E_IR_BLOCK,
                           f->flags & IN_CONTINUING ? "a continuing block is left by break_if at its end"
                                                    : "break stands in a loop or a switch");
}

static void check_continue(struct walk *w, const tsr_inst *inst)
{
    struct frame *f = &w->frames[w->count - 1], *loop;
    if ((f->flags & CAN_CONTINUE) == 0) {
        tsr_ir_verify_fail(w->v, inst, TSR_E_IR_BLOCK, "continue stands in the body of a loop");
        return;
    }
    loop = &w->frames[f->loop];
    if (loop->continued == NO_POSITION) loop->continued = loop->next - 1;
}

static void check_control(struct walk *w, const tsr_inst *inst)
{
    struct frame *f = &w->frames[w->count - 1];
    if (inst->op == TSR_OP_break) {
        check_break(w, inst);
    } else if (inst->op == TSR_OP_continue) {
        check_continue(w, inst);
    } else if (inst->op == TSR_OP_break_if) {
        if (f->flags & IS_CONTINUING)
            f->broken = true;
        else
            tsr_ir_verify_fail(w->v, inst, TSR_E_IR_BLOCK, "break_if ends a continuing block");
    } else if (inst->op == TSR_OP_return && (f->flags & IN_CONTINUING)) {
        tsr_ir_verify_fail(w->v, inst, TSR_E_IR_BLOCK, "a continuing block cannot return");
    }
}

static bool is_module_op(tsr_op op)
{
    return op == TSR_OP_const || op == TSR_OP_override || op == TSR_OP_global || op == TSR_OP_param;
}

static void verify_inst(struct walk *w, tsr_id id)
{
    tsr_ir_verifier *v = w->v;
    struct frame *f = &w->frames[w->count - 1];
    const tsr_inst *inst;
    if (!enter_inst(v, id)) return;
    inst = tsr_inst_at(v->ir, id);
    if (f->ended) tsr_ir_verify_fail(v, inst, TSR_E_IR_BLOCK, "the instruction before it ends the block");
    if (tsr_op_table[inst->op].flags & TSR_OPF_END) {
        f->ended = true;
        f->falls = false;
    }
    if (is_module_op((tsr_op)inst->op)) {
        tsr_ir_verify_fail(v, inst, TSR_E_IR_BLOCK, "this op cannot stand in a function");
    } else if (check_inst(v, id)) {
        check_control(w, inst);
        if (tsr_op_table[inst->op].flags & TSR_OPF_BLOCKS) {
            if (w->count <= TSR_IR_BLOCK_DEPTH_MAX)
                push_frame(w, inst);
            else
                tsr_ir_verify_fail(v, inst, TSR_E_IR_LIMIT, "blocks nest deeper than %d", TSR_IR_BLOCK_DEPTH_MAX);
        }
    }
    if (inst->type != 0) v->seen[id] |= TSR_IR_SEEN_VISIBLE;
}

/* Verifies a function's blocks; returns whether control can come to the end of its body. */
static bool verify_body(struct walk *w, tsr_block body)
{
    bool falls = true;
    w->count = 0;
    push_frame(w, NULL);
    begin_block(w, &w->frames[0], body);
    while (w->count > 0) {
        struct frame *f = &w->frames[w->count - 1];
        const tsr_block_info *b = tsr_block_at(w->v->ir, f->block);
        if (f->next < b->count) {
            verify_inst(w, b->insts[f->next++]);
        } else if (!next_block(w, f)) {
            falls = f->any_falls;
            w->count--;
            if (w->count > 0 && !falls) w->frames[w->count - 1].falls = false;
        }
    }
    return falls;
}

static void verify_function(struct walk *w, uint32_t number)
{
    tsr_ir_verifier *v = w->v;
    const tsr_function *f = tsr_function_at(v->ir, number);
    const tsr_inst place = tsr_ir_verify_function_place(f);
    bool falls;
    v->function = number;
    if (!tsr_ir_verify_signature(v, number)) return;
    for (uint32_t i = 0; i < f->param_count; i++)
        v->seen[f->params[i].value] |= TSR_IR_SEEN_VISIBLE;
    falls = verify_body(w, f->body);
    for (uint32_t i = 0; i < f->param_count; i++)
        v->seen[f->params[i].value] &= (uint8_t)~TSR_IR_SEEN_VISIBLE;
    if (falls && f->result != 0)
        tsr_ir_verify_fail(v, &place, TSR_E_IR_BLOCK, "control can come to the end of a function that returns a value");
}

static void verify_entry_names(tsr_ir_verifier *v)
{
    tsr_map names;
    uint32_t old;
    tsr_map_init(&names, v->arena);
    for (uint32_t i = 1; i < v->ir->functions.count; i++) {
        const tsr_function *f = tsr_function_at(v->ir, i);
        const tsr_inst place = tsr_ir_verify_function_place(f);
        if (!f->is_entry) continue;
        if (tsr_map_find(&names, f->name, &old))
            tsr_ir_verify_fail(v, &place, TSR_E_IR_ENTRY, "two entry points have the same name");
        tsr_map_set(&names, f->name, i);
    }
}

bool tsr_ir_verify(const tsr_ir *ir, tsr_diags *diags)
{
    const tsr_arena_mark mark = tsr_arena_get_mark(diags->arena);
    const uint32_t errors = diags->error_count;
    tsr_ir_verifier v = {.ir = ir, .types = ir->types, .diags = diags, .arena = diags->arena};
    struct walk w = {.v = &v};
    v.seen = TSR_NEW_ARRAY(v.arena, uint8_t, ir->insts.count);
    v.type_state = TSR_NEW_ARRAY(v.arena, uint8_t, ir->types->info.count);
    v.block_used = TSR_NEW_ARRAY(v.arena, uint8_t, ir->blocks.count);
    v.type_state[0] = 1;
    v.block_used[ir->module_block] = 1;
    verify_module_block(&v);
    tsr_ir_verify_overrides(&v);
    for (uint32_t f = 1; f < ir->functions.count; f++)
        verify_function(&w, f);
    verify_entry_names(&v);
    tsr_ir_verify_recursion(&v);
    if (diags->error_count != errors) return false;
    tsr_arena_reset(diags->arena, mark); /* no report lies behind the mark */
    return true;
}
