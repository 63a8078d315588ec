/* Ops on values: each over all lanes at once, component by component as the words lie. */
#include "exec/inside.h"

#include <string.h>

void tsr_run_eval(tsr_worker *w, const tsr_step *s)
{
    const void *args[4];
    for (unsigned i = 0; i < s->nargs; i++)
        args[i] = tsr_at(w, s->arg[i]);
    (void)s->eval((size_t)s->words * w->lanes, args, tsr_at(w, s->dst));
}

/* Some operand is a scalar that goes with every component. */
void tsr_run_eval_mixed(tsr_worker *w, const tsr_step *s)
{
    const tsr_eval_types *types = s->more;
    for (uint32_t k = 0; k < s->words; k++) {
        const void *args[4];
        for (unsigned i = 0; i < s->nargs; i++)
            args[i] = tsr_at(w, s->arg[i]) + (types->arg_words[i] == s->words ? (size_t)k * w->lanes : 0);
        (void)s->eval(w->lanes, args, tsr_at(w, s->dst) + (size_t)k * w->lanes);
    }
}

void tsr_run_wide(tsr_worker *w, const tsr_step *s)
{
    const tsr_eval_types *types = s->more;
    const void *args[4];
    for (unsigned i = 0; i < s->nargs; i++)
        args[i] = tsr_at(w, s->arg[i]);
    (void)s->wide(w->in->ir->types, types->result, types->args, w->lanes, args, tsr_at(w, s->dst));
}

void tsr_run_copies(tsr_worker *w, const tsr_step *s)
{
    const tsr_copies *copies = s->more;
    for (uint32_t i = 0; i < copies->count; i++)
        memcpy(tsr_at(w, copies->list[i].to), tsr_at(w, copies->list[i].from),
               copies->list[i].words * sizeof(uint32_t));
}

void tsr_run_constant(tsr_worker *w, const tsr_step *s)
{
    uint32_t *to = tsr_at(w, s->dst);
    for (uint32_t i = 0; i < w->lanes; i++)
        to[i] = s->target;
}

/* Part arg1 of the value arg0, which has s->target parts; zero where there is none. */
void tsr_run_element(tsr_worker *w, const tsr_step *s)
{
    size_t lanes = w->lanes;
    const uint32_t *from = tsr_at(w, s->arg[0]), *number = tsr_at(w, s->arg[1]);
    uint32_t *to = tsr_at(w, s->dst);
    for (size_t k = 0; k < s->words; k++)
        for (size_t i = 0; i < lanes; i++)
            to[k * lanes + i] = number[i] < s->target ? from[((size_t)number[i] * s->words + k) * lanes + i] : 0;
}
