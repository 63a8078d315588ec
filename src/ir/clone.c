/* A deep copy of a module into another arena, symbols and types included. Numbers stay the same, so whatever knows a
 * value, type or function by number knows it in the copy. */
#include "ir/module.h"

#include <string.h>

/* Elements 0..count-1 of a pool as they are; what they point to is the caller's to copy. */
static void copy_pool(tsr_pool *to, const tsr_pool *from, tsr_arena *arena)
{
    uint32_t start = 0, length = 1u << TSR_POOL_SHIFT; /* pool.h: how long each chunk is */
    tsr_pool_init(to, arena, from->elem_bytes);
    if (from->count > to->count) tsr_pool_push(to, from->count - to->count);
    for (unsigned k = 0; start < from->count; k++) {
        uint32_t used = from->count - start < length ? from->count - start : length;
        memcpy(to->chunk[k], from->chunk[k], (size_t)used * from->elem_bytes);
        start += length;
        if (k > 0) length *= 2;
    }
}

static void *copy_bytes(tsr_arena *arena, const void *from, size_t count, size_t elem_bytes)
{
    void *to;
    if (from == NULL) return NULL;
    to = tsr_arena_array(arena, count == 0 ? 1 : count, elem_bytes);
    memcpy(to, from, count * elem_bytes);
    return to;
}

static void copy_map(tsr_map *to, const tsr_map *from, tsr_arena *arena)
{
    *to = *from;
    to->arena = arena;
    to->keys = copy_bytes(arena, from->keys, from->slot_count, sizeof *from->keys);
    to->values = copy_bytes(arena, from->values, from->slot_count, sizeof *from->values);
    to->used = copy_bytes(arena, from->used, from->slot_count, sizeof *from->used);
}

static tsr_symbols *clone_symbols(const tsr_symbols *from, tsr_arena *arena)
{
    tsr_symbols *to = TSR_NEW(arena, tsr_symbols);
    *to = *from;
    to->arena = arena;
    copy_pool(&to->names, &from->names, arena);
    for (uint32_t i = 0; i < to->names.count; i++) {
        tsr_str *name = tsr_pool_at(&to->names, i);
        if (name->s != NULL) name->s = tsr_arena_strndup(arena, name->s, name->len);
    }
    to->slots = copy_bytes(arena, from->slots, from->slot_count, sizeof *from->slots);
    return to;
}

static tsr_types *clone_types(const tsr_types *from, tsr_arena *arena, const tsr_symbols *symbols)
{
    tsr_types *to = TSR_NEW(arena, tsr_types);
    to->arena = arena;
    to->symbols = symbols;
    copy_pool(&to->info, &from->info, arena);
    for (uint32_t i = 0; i < to->info.count; i++) {
        tsr_type_info *info = tsr_pool_at(&to->info, i);
        info->members = copy_bytes(arena, info->members, info->member_count, sizeof *info->members);
    }
    copy_map(&to->index, &from->index, arena);
    return to;
}

static void copy_blocks(tsr_ir *to, tsr_arena *arena)
{
    for (uint32_t i = 0; i < to->blocks.count; i++) {
        tsr_block_info *b = tsr_block_at(to, i);
        b->insts = copy_bytes(arena, b->insts, b->count, sizeof *b->insts);
        b->cap = b->insts == NULL ? 0 : b->count;
    }
}

static void copy_switches(tsr_ir *to, tsr_arena *arena)
{
    for (uint32_t i = 0; i < to->switches.count; i++) {
        tsr_switch *s = tsr_switch_at(to, i);
        s->cases = copy_bytes(arena, s->cases, s->case_count, sizeof *s->cases);
        for (uint32_t k = 0; k < s->case_count; k++)
            s->cases[k].selectors =
                copy_bytes(arena, s->cases[k].selectors, s->cases[k].selector_count, sizeof(tsr_id));
    }
}

static void copy_params(tsr_ir *to, tsr_arena *arena)
{
    for (uint32_t i = 0; i < to->functions.count; i++) {
        tsr_function *f = tsr_function_at(to, i);
        f->params = copy_bytes(arena, f->params, f->param_count, sizeof *f->params);
    }
}

tsr_ir *tsr_ir_clone(const tsr_ir *from, tsr_arena *arena)
{
    tsr_ir *to = TSR_NEW(arena, tsr_ir);
    *to = *from;
    to->arena = arena;
    to->symbols = clone_symbols(from->symbols, arena);
    to->types = clone_types(from->types, arena, to->symbols);
    copy_pool(&to->insts, &from->insts, arena);
    copy_pool(&to->args, &from->args, arena);
    copy_pool(&to->blocks, &from->blocks, arena);
    copy_pool(&to->block_lists, &from->block_lists, arena);
    copy_pool(&to->switches, &from->switches, arena);
    copy_pool(&to->constants, &from->constants, arena);
    copy_pool(&to->functions, &from->functions, arena);
    copy_pool(&to->overrides, &from->overrides, arena);
    copy_pool(&to->globals, &from->globals, arena);
    copy_pool(&to->diag_states, &from->diag_states, arena);
    copy_map(&to->constant_index, &from->constant_index, arena);
    copy_blocks(to, arena);
    copy_switches(to, arena);
    copy_params(to, arena);
    return to;
}
