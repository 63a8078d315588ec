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

void tsr_config_list_add(tsr_config_list *l, tsr_arena *arena, const tsr_config *c)
{
    for (size_t i = 0; i < l->count; i++)
        if (tsr_config_match(&l->items[i], c) && l->items[i].saturating == c->saturating &&
            l->items[i].scope == c->scope)
            return;
    if (l->count == l->cap) {
        l->cap = l->cap ? l->cap * 2 : 4;
        tsr_config *more = TSR_NEW_ARRAY(arena, tsr_config, l->cap);
        if (l->count) memcpy(more, l->items, l->count * sizeof *more);
        l->items = more;
    }
    l->items[l->count++] = *c;
}
