/* Which configurations a program multiplies in: the answer of reflection and of pipelines. */
#include "compile.h"

#include <string.h>

bool tsr_mma_config(const tsr_ir *ir, tsr_id mma, tsr_fold *fold, tsr_config *out)
{
    const tsr_inst *inst = tsr_inst_at(ir, mma);
    const tsr_type_info *side[3];
    for (uint32_t i = 0; i < 3; i++)
        side[i] = tsr_type_get(ir->types, tsr_inst_at(ir, tsr_arg(ir, inst, i))->type);
    *out = (tsr_config){.shape = {side[0]->size.value, side[1]->size2.value, side[0]->size2.value},
                        .a = (tsr_component)side[0]->component,
                        .b = (tsr_component)side[1]->component,
                        .c = (tsr_component)side[2]->component,
                        .r = (tsr_component)tsr_type_get(ir->types, inst->type)->component,
                        .saturating = inst->aux & 1u,
                        .scope = (tsr_scope)side[0]->scope};
    if (!fold) return true;
    return tsr_fold_size(fold, side[0]->size, &out->shape.m) && tsr_fold_size(fold, side[1]->size2, &out->shape.n) &&
           tsr_fold_size(fold, side[0]->size2, &out->shape.k);
}

static bool is_equal(const tsr_config *a, const tsr_config *b)
{
    return tsr_config_match(a, b) && a->saturating == b->saturating && a->scope == b->scope;
}

static uint64_t hash_config(const tsr_config *c)
{
    const uint32_t facts[] = {c->shape.m, c->shape.n, c->shape.k, c->a, c->b, c->c, c->r, c->saturating, c->scope};
    return tsr_hash_bytes(facts, sizeof facts, 0);
}

uint32_t tsr_config_list_add(tsr_config_list *l, tsr_arena *arena, const tsr_config *c)
{
    uint64_t key = hash_config(c);
    uint32_t number;
    if (!l->numbers.arena) tsr_map_init(&l->numbers, arena);
    for (; tsr_map_find(&l->numbers, key, &number); key++)
        if (is_equal(&l->items[number], c)) return number;
    if (l->count == l->cap) {
        l->cap = l->cap ? l->cap * 2 : 4;
        tsr_config *more = TSR_NEW_ARRAY(arena, tsr_config, l->cap);
        if (l->count) memcpy(more, l->items, l->count * sizeof *more);
        l->items = more;
    }
    number = (uint32_t)l->count++;
    l->items[number] = *c;
    tsr_map_set(&l->numbers, key, number);
    return number;
}
