/* Emission takes memory from an arena of its own, which the code does not need any more; `why` lives outside of it, for
 * running out of memory is one of the reasons. */
#include "compile_native.h"

#include "analysis/reach.h"
#include "emit/llvm.h"
#include "exec/jit_inside.h"

#include <stddef.h>

_Static_assert(offsetof(tsr_jit_frame, memory) == TSR_FRAME_MEMORY, "the frame of emit and exec");
_Static_assert(offsetof(tsr_jit_frame, group) == TSR_FRAME_GROUP, "the frame of emit and exec");
_Static_assert(offsetof(tsr_jit_frame, eval) == TSR_FRAME_EVAL, "the frame of emit and exec");
_Static_assert(offsetof(tsr_jit_frame, barrier) == TSR_FRAME_BARRIER, "the frame of emit and exec");
_Static_assert(offsetof(tsr_jit_frame, stop) == TSR_FRAME_STOP, "the frame of emit and exec");
_Static_assert(offsetof(tsr_jit_frame, mma) == TSR_FRAME_MMA, "the frame of emit and exec");
_Static_assert(offsetof(tsr_jit_frame, group_id) == TSR_FRAME_GROUP_ID, "the frame of emit and exec");
_Static_assert(offsetof(tsr_jit_frame, groups) == TSR_FRAME_GROUPS, "the frame of emit and exec");
_Static_assert(offsetof(tsr_jit_frame, subgroup) == TSR_FRAME_SUBGROUP, "the frame of emit and exec");
_Static_assert(offsetof(tsr_jit_frame, zero) == TSR_FRAME_ZERO, "the frame of emit and exec");
_Static_assert(offsetof(tsr_jit_frame, oob) == TSR_FRAME_OOB, "the frame of emit and exec");
_Static_assert(offsetof(tsr_jit_frame, from) == TSR_FRAME_FROM, "the frame of emit and exec");
_Static_assert(offsetof(tsr_jit_frame, to) == TSR_FRAME_TO, "the frame of emit and exec");
_Static_assert(offsetof(tsr_jit_frame, lanes) == TSR_FRAME_LANES, "the frame of emit and exec");
_Static_assert(offsetof(tsr_jit_frame, even) == TSR_FRAME_EVEN, "the frame of emit and exec");
_Static_assert(offsetof(tsr_exec_memory, size_bytes) == 8 && sizeof(tsr_exec_memory) == 16, "a resource of the frame");

#define LANES_LEAST 4u

/* Lanes of the code. A workgroup that is smaller than a subgroup would leave some of them empty in all that it does;
 * where nothing in the program shows how large subgroups are, they are as small as holds it. */
static uint32_t find_lanes(const tsr_program *p, uint32_t subgroup_size, tsr_arena *arena)
{
    uint64_t invocations = (uint64_t)p->workgroup_size[0] * p->workgroup_size[1] * p->workgroup_size[2];
    uint32_t lanes = subgroup_size;
    while (lanes > LANES_LEAST && invocations <= lanes / 2)
        lanes /= 2;
    if (lanes == subgroup_size) return lanes;
    tsr_reach reach;
    tsr_reacher_find(tsr_reacher_new(p->ir, arena), p->entry, &reach);
    return reach.subgroups ? subgroup_size : lanes;
}

static void make_options(tsr_llvm_options *o, const tsr_built *b, const tsr_native_args *args, tsr_jit_cpu *cpu,
                         tsr_arena *arena)
{
    uint32_t lanes = find_lanes(&b->program, args->subgroup_size, arena);
    tsr_jit_cpu_fit(cpu, lanes);
    *o = (tsr_llvm_options){.subgroup_size = lanes,
                            .cpu = cpu->can,
                            .exact_bits = args->exact_bits,
                            .stacks = args->stacks,
                            .source = args->debug || args->perf ? &b->source : NULL};
}

static bool emit_guarded(tsr_built *b, const tsr_native_args *args, tsr_jit_cpu *cpu, tsr_llvm_options *o,
                         tsr_arena *arena, tsr_text *text, tsr_text *why)
{
    jmp_buf full;
    arena->on_full = &full;
    if (setjmp(full)) {
        tsr_text_puts(why, "out of memory");
        return false;
    }
    make_options(o, b, args, cpu, arena);
    bool ok = tsr_llvm_emit(&b->program, o, arena, text, why);
    arena->on_full = NULL;
    return ok;
}

#define HOT_ELEMENTS 64u /* 8 x 8 */

/* Products of larger matrices are blocks of registers that emission has chosen: the long list takes up to three times
 * as long for them, and what it gains is less than what can be measured (docs/jit.md, "LLVM"). */
static tsr_jit_passes choose_passes(const tsr_built *b, tsr_jit_passes wanted)
{
    for (uint32_t i = 0; wanted == TSR_PASSES_BOTH && i < b->configs.count; i++) {
        tsr_shape s = b->configs.items[i].shape;
        if ((uint64_t)s.m * s.n > HOT_ELEMENTS) return TSR_PASSES_SHORT;
    }
    return wanted;
}

tsr_status tsr_build_native(tsr_built *b, const tsr_native_args *args, tsr_jit **out, tsr_text *why)
{
    tsr_jit_cpu cpu;
    tsr_llvm_options options;
    tsr_arena arena;
    tsr_text text;
    if (!tsr_jit_cpu_find(&cpu, why)) return TSR_ERR_UNSUPPORTED;
    tsr_arena_init(&arena, NULL);
    tsr_text_init(&text, NULL);
    tsr_status st = TSR_ERR_UNSUPPORTED;
    if (emit_guarded(b, args, &cpu, &options, &arena, &text, why) && !text.failed) {
        tsr_jit_args jit = {.text = tsr_text_get(&text),
                            .text_bytes = text.len,
                            .cpu = &cpu,
                            .program = &b->program,
                            .subgroup_size = options.subgroup_size,
                            .use_cache = args->use_cache,
                            .passes = choose_passes(b, args->passes),
                            .debug_name = options.source ? b->source.name : NULL,
                            .perf = args->perf,
                            .assembly = args->assembly};
        if (args->llvm_text) tsr_text_add(args->llvm_text, jit.text, jit.text_bytes);
        st = tsr_jit_new(&jit, out, why);
    }
    tsr_text_fini(&text);
    tsr_arena_fini(&arena);
    return st;
}
