/* Making and freeing a decoded program. */
#include "exec/inside.h"

#include <stdlib.h>

/* WebGPU lets devices have more than 256 invocations a workgroup; this is what one frame may serve. */
#define LANES_MAX 65536u

static tsr_status set_sizes(tsr_interp *in, const tsr_program *p, uint32_t subgroup_size, tsr_text *why)
{
    uint64_t count = 1;
    for (int i = 0; i < 3; i++)
        count = count > LANES_MAX ? count : count * p->workgroup_size[i];
    if (subgroup_size < 4 || subgroup_size > 128 || (subgroup_size & (subgroup_size - 1)) != 0) {
        tsr_text_printf(why, "the interpreter has subgroups of 4, 8, 16, 32, 64 or 128 invocations, not of %u",
                        subgroup_size);
        return TSR_ERR_INVALID;
    }
    if (count == 0 || count > LANES_MAX) {
        tsr_text_printf(why, "a workgroup of %ux%ux%u invocations is not between 1 and %u", p->workgroup_size[0],
                        p->workgroup_size[1], p->workgroup_size[2], LANES_MAX);
        return TSR_ERR_LIMIT;
    }
    in->program = p;
    in->ir = p->ir;
    in->subgroup_size = subgroup_size;
    in->invocations = (uint32_t)count;
    in->lanes = (uint32_t)(count + subgroup_size - 1) / subgroup_size * subgroup_size;
    return TSR_OK;
}

/* The arena jumps here when memory runs out. */
static tsr_status decode(tsr_interp *in, tsr_text *why)
{
    jmp_buf full;
    in->arena.on_full = &full;
    if (setjmp(full) != 0) {
        tsr_text_puts(why, "out of memory while preparing the program for the interpreter");
        return TSR_ERR_MEMORY;
    }
    tsr_decode *d = TSR_NEW(&in->arena, tsr_decode);
    d->in = in;
    d->arena = &in->arena;
    d->ir = in->ir;
    d->types = in->ir->types;
    d->why = why;
    tsr_status st = tsr_decode_program(d);
    in->arena.on_full = NULL;
    return st;
}

tsr_status tsr_interp_new_checked(const tsr_program *p, uint32_t subgroup_size, uint32_t checks, tsr_interp **out,
                                  tsr_text *why)
{
    tsr_interp *in = calloc(1, sizeof *in);
    if (!in) {
        tsr_text_puts(why, "out of memory while preparing the program for the interpreter");
        return TSR_ERR_MEMORY;
    }
    in->checks = checks;
    tsr_arena_init(&in->arena, NULL);
    tsr_status st = set_sizes(in, p, subgroup_size, why);
    if (st == TSR_OK) st = decode(in, why);
    if (st != TSR_OK) {
        tsr_interp_free(in);
        return st;
    }
    *out = in;
    return TSR_OK;
}

tsr_status tsr_interp_new(const tsr_program *p, uint32_t subgroup_size, tsr_interp **out, tsr_text *why)
{
    return tsr_interp_new_checked(p, subgroup_size, 0, out, why);
}

void tsr_interp_set_model(tsr_interp *in, const tsr_model *model)
{
    in->model = *model;
}

void tsr_interp_free(tsr_interp *in)
{
    if (!in) return;
    tsr_arena_fini(&in->arena);
    free(in);
}
