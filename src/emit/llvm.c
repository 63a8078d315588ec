/* A program as LLVM IR: its blocks, instruction by instruction, and the module around them. */
#include "emit/llvm_inside.h"

#include "emit/emit.h"

#include <stdio.h>
#include <string.h>

#define BLOCK_DEPTH_MAX 512u

/* ---- Values. */

tsr_ll_value tsr_ll_make(tsr_ll *e, uint32_t count)
{
    return (tsr_ll_value){TSR_NEW_ARRAY(e->arena, tsr_ll_word, count + 1), count, false};
}

tsr_ll_value tsr_ll_get(tsr_ll *e, tsr_id id)
{
    return tsr_ll_unweave(e, tsr_ll_get_woven(e, id));
}

tsr_ll_value tsr_ll_get_woven(tsr_ll *e, tsr_id id)
{
    if (e->value[id].words) return e->value[id];
    tsr_ll_fail(e, "`%s` as a value", tsr_op_table[tsr_ll_inst(e, id)->op].name);
    return tsr_ll_make(e, 16);
}

void tsr_ll_set(tsr_ll *e, tsr_id id, tsr_ll_value v)
{
    for (uint32_t w = 0; w < v.count && !v.woven && !e->failed; w++)
        v.words[w] = tsr_ll_fit(e, v.words[w], tsr_shape_at(&e->shapes, id, w));
    e->value[id] = v;
}

/* ---- Blocks. */

static void emit_other(tsr_ll *e, tsr_id id, const tsr_inst *inst, uint16_t flags)
{
    bool is_matrix = (inst->type && tsr_type_kind_of(e->types, inst->type) == TSR_T_smat) || (flags & TSR_OPF_SG_UNI);
    switch (inst->op) {
    case TSR_OP_global:
    case TSR_OP_override:
    case TSR_OP_param: return;
    case TSR_OP_unreachable:
        if (!e->all) return; /* no lane comes here, but the code may */
        tsr_ll_line(e, "br label %%stopped");
        e->open = false;
        return;
    case TSR_OP_load:
    case TSR_OP_store:
    case TSR_OP_var:
    case TSR_OP_field:
    case TSR_OP_index:
    case TSR_OP_load_uniform:
    case TSR_OP_array_length:
    case TSR_OP_barrier_workgroup:
    case TSR_OP_barrier_storage:
    case TSR_OP_barrier_texture:
    case TSR_OP_barrier_subgroup: tsr_ll_emit_memory(e, id); return;
    default: break;
    }
    if (is_matrix) {
        tsr_ll_emit_matrix(e, id);
        return;
    }
    switch (inst->op) {
    case TSR_OP_const:
    case TSR_OP_zero:
    case TSR_OP_compose:
    case TSR_OP_splat:
    case TSR_OP_extract:
    case TSR_OP_element:
    case TSR_OP_swizzle:
    case TSR_OP_insert: tsr_ll_emit_parts(e, id); return;
    default: break;
    }
    if (flags & TSR_OPF_COMPS || inst->op == TSR_OP_land || inst->op == TSR_OP_lor)
        tsr_ll_emit_comps(e, id);
    else if (flags & TSR_OPF_ATOMIC)
        tsr_ll_emit_atomic(e, id);
    else if (flags & (TSR_OPF_SG | TSR_OPF_QUAD))
        tsr_ll_emit_subgroup(e, id);
    else if (flags & TSR_OPF_PURE)
        tsr_ll_emit_wide(e, id);
    else
        tsr_ll_fail(e, "`%s`", tsr_op_table[inst->op].name);
}

static void emit_inst(tsr_ll *e, tsr_id id)
{
    const tsr_inst *inst = tsr_ll_inst(e, id);
    bool straight = e->straight, waits = tsr_ll_waits(e, id);
    if (!waits) tsr_ll_flush(e);
    e->straight = waits;
    uint32_t at = e->lines.at;
    tsr_ll_lines_at(e, id);
    bool copied = waits && inst->op == TSR_OP_loop && tsr_ll_unroll(e, id, emit_inst);
    if (!copied && !tsr_ll_emit_control(e, id)) emit_other(e, id, inst, tsr_op_table[inst->op].flags);
    if (!waits) tsr_ll_flush(e);
    e->straight = straight;
    e->lines.at = at;
}

void tsr_ll_emit_block(tsr_ll *e, tsr_block block)
{
    const tsr_block_info *info = tsr_block_at(e->ir, block);
    uint32_t mark = tsr_ranges_mark(e->ranges);
    if (++e->depth > BLOCK_DEPTH_MAX) tsr_ll_fail(e, "blocks nested more than %u deep", BLOCK_DEPTH_MAX);
    for (uint32_t i = 0; i < info->count && !e->failed && e->open; i++)
        emit_inst(e, info->insts[i]);
    if (e->open) tsr_ll_flush(e);
    e->depth--;
    tsr_ranges_forget(e->ranges, mark); /* what an `if` before has told */
}

/* ---- The entry point. */

static void emit_body(tsr_ll *e)
{
    const tsr_function *fn = tsr_function_at(e->ir, e->program->entry);
    tsr_ll_start_mask(e);
    const tsr_block_info *info = tsr_block_at(e->ir, e->ir->module_block);
    for (uint32_t i = 0; i < info->count && !e->failed; i++) {
        const tsr_inst *inst = tsr_ll_inst(e, info->insts[i]);
        if (inst->op != TSR_OP_global && inst->op != TSR_OP_override && inst->type != TSR_T_aint &&
            inst->type != TSR_T_afloat)
            emit_inst(e, info->insts[i]);
    }
    tsr_ll_make_globals(e);
    for (uint32_t i = 0; i < fn->param_count && !e->failed; i++)
        tsr_ll_emit_entry_param(e, &fn->params[i]);
    tsr_ll_emit_function(e, e->program->entry, 0);
    tsr_ll_jump(e, 0);
    tsr_ll_label(e, 0);
}

void tsr_ll_emit_entry(tsr_ll *e)
{
    tsr_ll_loops l;
    e->open = true;
    tsr_ll_place_globals(e);
    tsr_ll_begin_loops(e, &l);
    emit_body(e);
    tsr_ll_end_loops(e, &l);
}

/* ---- The module. */

static void name_types(tsr_ll *e)
{
    static const char *const name[LL_TYPES] = {"i1", "i32", "float", "i16", "double", "i64"};
    for (int t = 0; t < LL_TYPES; t++) {
        char buf[32];
        snprintf(buf, sizeof buf, "<%u x %s>", e->size, name[t]);
        e->type_name[t] = name[t];
        e->vector_name[t] = tsr_arena_strndup(e->arena, buf, strlen(buf));
    }
}

static void count_uses(void *user, tsr_id id)
{
    tsr_ll *e = user;
    const tsr_inst *inst = tsr_ll_inst(e, id);
    bool comps = tsr_op_table[inst->op].flags & TSR_OPF_COMPS;
    for (uint32_t i = 0; i < inst->nargs; i++) {
        tsr_id arg = tsr_arg(e->ir, inst, i);
        e->uses[arg]++;
        e->apart[arg] = e->apart[arg] || !(comps || (inst->op == TSR_OP_store && i == 1));
    }
    if (inst->op == TSR_OP_mma) {
        const tsr_type_info *left = tsr_type_get(e->types, tsr_ll_inst(e, tsr_arg(e->ir, inst, 0))->type);
        if (tsr_component_bits((tsr_component)left->component) == 32) e->multiplies_words = true;
    }
    bool waits = inst->op == TSR_OP_barrier_workgroup || inst->op == TSR_OP_barrier_storage ||
                 inst->op == TSR_OP_barrier_texture || inst->op == TSR_OP_load_uniform;
    if (waits && e->subgroups > 1) e->has_barriers = true; /* one alone waits for nobody */
}

static void count_function(void *user, uint32_t f)
{
    tsr_ll *e = user;
    tsr_block_walk(e->ir, tsr_function_at(e->ir, f)->body, count_uses, e);
}

static void make_tables(tsr_ll *e)
{
    uint32_t insts = e->ir->insts.count;
    e->value = TSR_NEW_ARRAY(e->arena, tsr_ll_value, insts);
    e->place = TSR_NEW_ARRAY(e->arena, tsr_ll_place, insts);
    e->matrix = TSR_NEW_ARRAY(e->arena, tsr_ll_matrix, insts);
    e->slots = TSR_NEW_ARRAY(e->arena, tsr_ll_slots, insts);
    e->uses = TSR_NEW_ARRAY(e->arena, uint32_t, insts);
    e->apart = TSR_NEW_ARRAY(e->arena, bool, insts);
    e->known = TSR_NEW_ARRAY(e->arena, tsr_ll_known, insts);
    e->leaves = TSR_NEW_ARRAY(e->arena, tsr_ll_leaves, e->types->info.count);
    e->binding_base = TSR_NEW_ARRAY(e->arena, uint32_t, e->program->resource_count + 1);
    e->binding_size = TSR_NEW_ARRAY(e->arena, uint32_t, e->program->resource_count + 1);
    tsr_map_init(&e->made, e->arena);
    tsr_text_init(&e->body, e->arena);
    tsr_text_init(&e->cold, e->arena);
    tsr_text_init(&e->prologue, e->arena);
    tsr_text_init(&e->tail, e->arena);
    tsr_text_init(&e->declares, e->arena);
}

static void write_module(tsr_ll *e, tsr_text *out)
{
    uint32_t info[TSR_LLVM_INFO_COUNT] = {TSR_NATIVE_VERSION, e->size, e->group_bytes, e->stack_bytes + e->call_bytes,
                                          e->has_barriers && !e->fission.is_on};
    tsr_text_printf(out, "; tessera: %u lanes; entry point %s\n", e->size,
                    tsr_symbols_cstr(e->ir->symbols, tsr_function_at(e->ir, e->program->entry)->name));
    tsr_text_printf(out, "@tsr_info = constant [%d x i32] [", TSR_LLVM_INFO_COUNT);
    for (int i = 0; i < TSR_LLVM_INFO_COUNT; i++)
        tsr_text_printf(out, "%si32 %u", i ? ", " : "", info[i]);
    tsr_text_puts(out, "], align 16\n\ndefine void @tsr_kernel(ptr noalias %frame) nounwind \"stackrealign\" ");
    tsr_ll_lines_write_attribute(e, out);
    tsr_text_printf(out, "{\nentry:\n  %%mask = alloca %s, align 64\n", e->vector_name[LL_B]);
    tsr_text_add(out, tsr_text_get(&e->prologue), e->prologue.len);
    tsr_text_puts(out, "  br label %start\nstart:\n");
    tsr_text_add(out, tsr_text_get(&e->body), e->body.len);
    tsr_text_add(out, tsr_text_get(&e->cold), e->cold.len);
    tsr_text_puts(out, "}\n\n");
    tsr_text_add(out, tsr_text_get(&e->tail), e->tail.len);
    tsr_text_add(out, tsr_text_get(&e->declares), e->declares.len);
    tsr_ll_lines_write(e, out);
}

/* How it is tried. */
typedef struct attempt {
    bool copies, fission;        /* loops may be copied out; barriers as fission */
    bool too_long, needs_stacks; /* why it was not done: the first or the second must go */
} attempt;

static bool emit(const tsr_program *p, const tsr_llvm_options *options, tsr_arena *arena, attempt *with, tsr_text *out,
                 tsr_text *why)
{
    tsr_ll *e = TSR_NEW(arena, tsr_ll);
    e->copies = with->copies;
    e->program = p;
    e->ir = p->ir;
    e->types = p->ir->types;
    e->o = options;
    e->arena = arena;
    e->why = why;
    e->size = options->subgroup_size;
    if (e->size < 4 || e->size > 128 || (e->size & (e->size - 1)) != 0) {
        tsr_text_printf(why, "subgroups of %u", e->size);
        return false;
    }
    const uint32_t *group = p->workgroup_size;
    e->subgroups = (group[0] * group[1] * group[2] + e->size - 1) / e->size;
    name_types(e);
    make_tables(e);
    tsr_function_walk(p->ir, p->entry, count_function, e);
    e->fission.is_on = with->fission && e->has_barriers;
    tsr_value_shapes_find(&e->shapes, p, e->size, arena);
    e->ranges = tsr_ranges_new(p, e->size, arena);
    tsr_ll_lines_begin(e);
    tsr_ll_emit_entry(e);
    with->too_long = e->too_long;
    if (e->failed) return false;
    with->needs_stacks = e->fission.is_on && !tsr_ll_fission_write(e);
    if (with->needs_stacks) return false;
    write_module(e, out);
    return true;
}

bool tsr_llvm_emit(const tsr_program *p, const tsr_llvm_options *options, tsr_arena *arena, tsr_text *out,
                   tsr_text *why)
{
    attempt with = {.copies = true, .fission = !options->stacks};
    tsr_text first;
    bool again = true;
    while (again) {
        tsr_text_init(&first, arena);
        if (emit(p, options, arena, &with, out, &first)) return true;
        again = (with.copies && with.too_long) || with.needs_stacks;
        with.copies = with.copies && !with.too_long;
        with.fission = with.fission && !with.needs_stacks;
    }
    tsr_text_add(why, tsr_text_get(&first), first.len);
    return false;
}

/* ---- As a target: for people to read; x86-64 with AVX2. */

static bool emit_target(const tsr_program *p, const tsr_emit_options *options, tsr_text *out, tsr_diags *diags)
{
    tsr_llvm_options o = {.subgroup_size = options->subgroup_size ? options->subgroup_size : 32,
                          .cpu = {.vector_bytes = 32,
                                  .registers = 16,
                                  .fma = true,
                                  .f16c = true,
                                  .rounds = true,
                                  .masked_store = true,
                                  .x86 = true},
                          .exact_bits = options->exact_bits,
                          .source = options->debug_lines ? options->source : NULL};
    tsr_text why;
    tsr_text_init(&why, diags->arena);
    if (tsr_llvm_emit(p, &o, diags->arena, out, &why)) return true;
    tsr_error(diags, tsr_function_at(p->ir, p->entry)->span, TSR_E_NONE, "the LLVM target cannot express %s",
              tsr_text_get(&why));
    return false;
}

const tsr_target tsr_target_llvm = {
    .name = "llvm",
    .extension = "ll",
    .is_text = true,
    .summary = "LLVM IR of one subgroup, as the CPU runs it (x86-64 with AVX2)",
    .emit = emit_target,
};
