/* What is done lane by lane is left to the host (ir/native.h): accesses to different places, accesses of which some are
 * out of range, atomics. The code puts offsets, values and lanes into a block on its stack and calls through the frame,
 * which keeps it short: most of these calls stand where control never goes. */
#include "emit/llvm_inside.h"

#include <stdio.h>
#include <string.h>

#define BLOCK_ALIGN 64u

const char *tsr_ll_keep(tsr_ll *e, const char *s)
{
    return tsr_arena_strndup(e->arena, s, strlen(s));
}

/* ---- The block. */

static uint32_t array_bytes(const tsr_ll *e)
{
    return e->size * 4 < BLOCK_ALIGN ? BLOCK_ALIGN : e->size * 4;
}

static uint32_t block_base(tsr_ll *e)
{
    if (!e->lanes_block)
        e->lanes_block =
            tsr_ll_alloca_not_kept(e, NULL, TSR_LANES_ARRAYS + TSR_LANES_ARRAY_COUNT * array_bytes(e), BLOCK_ALIGN);
    return e->lanes_block;
}

/* A ptr into the block, made at the function's start. */
static uint32_t block_part(tsr_ll *e, uint32_t offset)
{
    uint32_t name, base = block_base(e);
    uint64_t key[2] = {17, offset}, hash = tsr_hash_bytes(key, sizeof key, 7);
    if (offset == 0) return base;
    if (tsr_map_find(&e->made, hash, &name)) return name;
    name = tsr_ll_new(e);
    tsr_text_printf(&e->prologue, "  %%t%u = getelementptr i8, ptr %%t%u, i64 %u\n", name, base, offset);
    tsr_map_set(&e->made, hash, name);
    return name;
}

uint32_t tsr_ll_lanes_array(tsr_ll *e, uint32_t number)
{
    return block_part(e, TSR_LANES_ARRAYS + number * array_bytes(e));
}

void tsr_ll_put_lanes(tsr_ll *e, uint32_t array, tsr_ll_word w)
{
    tsr_ll_line(e, "store %s %s, ptr %%t%u, align %u", e->vector_name[w.type], tsr_ll_vector(e, w),
                tsr_ll_lanes_array(e, array), BLOCK_ALIGN);
}

tsr_ll_word tsr_ll_take_lanes(tsr_ll *e, uint32_t array, uint8_t type)
{
    tsr_ll_word w = tsr_ll_varied(e, type, tsr_ll_new(e));
    tsr_ll_line(e, "%%t%u = load %s, ptr %%t%u, align %u", w.name, e->vector_name[type], tsr_ll_lanes_array(e, array),
                BLOCK_ALIGN);
    return w;
}

static void put_bits(tsr_ll *e, uint32_t offset, tsr_ll_word lanes)
{
    uint32_t bits = tsr_ll_bits(e, lanes), held = tsr_ll_new(e);
    tsr_ll_line(e, "%%t%u = freeze i%u %%t%u", held, e->size, bits); /* a store of a vector of bits takes LLVM long */
    tsr_ll_line(e, "store i%u %%t%u, ptr %%t%u, align 16", e->size, held, block_part(e, offset));
}

/* ---- Calls. */

static uint32_t load_function(tsr_ll *e, uint32_t offset)
{
    uint32_t at = tsr_ll_new(e), function = tsr_ll_new(e);
    tsr_ll_line(e, "%%t%u = getelementptr i8, ptr %%frame, i64 %u", at, offset);
    tsr_ll_line(e, "%%t%u = load ptr, ptr %%t%u, align 8", function, at);
    return function;
}

static const char *base_text(tsr_ll *e, uint32_t base)
{
    char text[32];
    if (!base) return "null";
    snprintf(text, sizeof text, "%%t%u", base);
    return tsr_ll_keep(e, text);
}

/* Index and offset of the place are known from the first lane's, and there is one test. */
static bool is_even(const tsr_lanes_call *c)
{
    const tsr_ll_place *p = c->place;
    return p && !c->has_offsets && !(c->flags & TSR_LANES_NONE) && p->has_check && !p->many_checks &&
           p->tested.form != LL_EACH && p->dyn.form != LL_EACH;
}

static uint32_t step_of(tsr_ll_word w)
{
    return w.form == LL_EVEN ? (uint32_t)w.shape.stride : 0;
}

static const char *first_of(tsr_ll *e, tsr_ll_word w)
{
    w.form = LL_SAME;
    return tsr_ll_scalar(e, w);
}

void tsr_ll_call_lanes(tsr_ll *e, tsr_lanes_call c)
{
    const tsr_ll_place *p = c.place;
    uint32_t what = TSR_LANES_WHAT(c.op, c.bytes == 2 ? 1 : 2, e->shapes.full) | c.flags;
    tsr_id id = p && p->has_check ? p->index : c.id;
    const char *cold = c.is_cold ? " cold" : "";
    if (!e->all) {
        what |= TSR_LANES_MASKED;
        put_bits(e, TSR_LANES_ACTIVE, tsr_ll_mask(e));
    }
    if (is_even(&c)) {
        const char *index = first_of(e, p->tested), *count = tsr_ll_scalar(e, p->limit), *offset = first_of(e, p->dyn);
        uint32_t function = load_function(e, TSR_FRAME_EVEN), block = block_base(e);
        tsr_ll_line(e,
                    "call void %%t%u(ptr %%frame, i32 %u, i32 %u, ptr %s, ptr %%t%u, i32 %s, i32 %u, i32 %s, i32 %s, "
                    "i32 %u)%s",
                    function, what, id, base_text(e, c.base), block, index, step_of(p->tested), count, offset,
                    step_of(p->dyn), cold);
        return;
    }
    if (p && p->has_check && !(what & TSR_LANES_NONE)) {
        what |= TSR_LANES_CHECKED;
        put_bits(e, TSR_LANES_IN_RANGE, tsr_ll_place_lanes(e, p));
    }
    if (c.op != TSR_OP_index && c.op != TSR_OP_mload)
        tsr_ll_put_lanes(e, TSR_LANES_OFFSETS, c.has_offsets ? c.offsets : p && p->has_dyn ? p->dyn : tsr_ll_u32(e, 0));
    uint32_t function = load_function(e, TSR_FRAME_LANES), block = block_base(e);
    tsr_ll_line(e, "call void %%t%u(ptr %%frame, i32 %u, i32 %u, ptr %s, ptr %%t%u)%s", function, what, id,
                base_text(e, c.base), block, cold);
}

/* ---- Scalars of 2 or 4 bytes. */

/* AVX2: by its instruction, which LLVM would not choose; it is half as long and half as slow as single loads. */
static uint32_t gather_eights(tsr_ll *e, uint32_t ptr, const tsr_ll_word *index)
{
    uint32_t lanes = e->size < 8 ? 4 : 8, part[16];
    const char *name = lanes == 8 ? "llvm.x86.avx2.gather.d.d.256" : "llvm.x86.avx2.gather.d.d";
    char text[160];
    snprintf(text, sizeof text, "<%u x i32> @%s(<%u x i32>, ptr, <%u x i32>, <%u x i32>, i8)", lanes, name, lanes,
             lanes, lanes);
    tsr_ll_declare(e, tsr_ll_keep(e, text));
    for (uint32_t i = 0; i < e->size / lanes; i++) {
        uint32_t from = tsr_ll_take_every(e, index->name, e->size, i * lanes, 1, lanes, "i32");
        part[i] = tsr_ll_new(e);
        tsr_ll_line(e,
                    "%%t%u = call <%u x i32> @%s(<%u x i32> zeroinitializer, ptr %%t%u, <%u x i32> %%t%u, <%u x i32> "
                    "%s, i8 4)",
                    part[i], lanes, name, lanes, ptr, lanes, from, lanes,
                    lanes == 8 ? "<i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>"
                               : "<i32 -1, i32 -1, i32 -1, i32 -1>");
    }
    return tsr_ll_join_parts(e, part, e->size / lanes, lanes, "i32");
}

/* Any processor: LLVM knows whether it has an instruction. */
static uint32_t gather_masked(tsr_ll *e, uint32_t ptr, const tsr_ll_word *index)
{
    char text[160];
    uint32_t n = e->size, ptrs = tsr_ll_new(e), raw = tsr_ll_new(e);
    snprintf(text, sizeof text, "<%u x i32> @llvm.masked.gather.v%ui32.v%up0(<%u x ptr>, i32, <%u x i1>, <%u x i32>)",
             n, n, n, n, n, n);
    tsr_ll_declare(e, tsr_ll_keep(e, text));
    tsr_ll_line(e, "%%t%u = getelementptr i32, ptr %%t%u, %s %%t%u", ptrs, ptr, e->vector_name[LL_I], index->name);
    tsr_ll_line(e,
                "%%t%u = call <%u x i32> @llvm.masked.gather.v%ui32.v%up0(<%u x ptr> %%t%u, i32 4, <%u x i1> %s, "
                "<%u x i32> zeroinitializer)",
                raw, n, n, n, n, ptrs, n, tsr_ll_vector(e, tsr_ll_const(e, LL_B, 1)), n);
    return raw;
}

/* Where memory is addressed by 32-bit words, the index of a word is an i32 that is not negative. */
static tsr_ll_word gather_words(tsr_ll *e, uint32_t ptr, tsr_ll_word offsets)
{
    const tsr_native_cpu *cpu = &e->o->cpu;
    tsr_ll_word index = tsr_ll_to_vector(e, tsr_ll_op2(e, "lshr", offsets, tsr_ll_u32(e, 2)));
    bool eights = cpu->x86 && cpu->vector_bytes == 32;
    tsr_ll_word w = tsr_ll_varied(e, LL_I, eights ? gather_eights(e, ptr, &index) : gather_masked(e, ptr, &index));
    return w;
}

tsr_ll_word tsr_ll_gather(tsr_ll *e, uint32_t base, tsr_ll_word offsets, uint32_t bytes)
{
    if (bytes == 4 && e->o->cpu.gather) return gather_words(e, base, offsets);
    tsr_lanes_call c = {.op = TSR_OP_load, .bytes = bytes, .base = base, .offsets = offsets, .has_offsets = true};
    bool all = e->all;
    e->all = true; /* offsets of lanes that are not here are good too */
    tsr_ll_call_lanes(e, c);
    e->all = all;
    return tsr_ll_take_lanes(e, TSR_LANES_VALUES, bytes == 2 ? LL_H : LL_I);
}

/* ---- Atomics. */

static void emit_atomic_load(tsr_ll *e, tsr_id id, const tsr_ll_place *p)
{
    uint32_t ptr = tsr_ll_place_base(e, p, 0);
    tsr_ll_check_oob(e, p);
    if (p->has_dyn) ptr = tsr_ll_offset_ptr(e, ptr, tsr_ll_safe_dyn(e, p));
    tsr_ll_word w = tsr_ll_uniform(e, LL_I, tsr_ll_new(e));
    tsr_ll_line(e, "%%t%u = load atomic i32, ptr %%t%u monotonic, align 4", w.name, ptr);
    tsr_ll_value v = tsr_ll_make(e, 1);
    v.words[0] = p->has_check ? tsr_ll_select(e, p->all, w, tsr_ll_u32(e, 0)) : w;
    tsr_ll_set(e, id, v);
}

/* Whether it exchanged: it was in range, active, and found what it was to compare with. */
static tsr_ll_word exchanged(tsr_ll *e, const tsr_ll_place *p, tsr_ll_word old, tsr_ll_word comparand)
{
    tsr_ll_word is = tsr_ll_cmp(e, "icmp eq", old, comparand);
    if (p->has_check) is = tsr_ll_op2(e, "and", is, tsr_ll_to_vector(e, tsr_ll_place_lanes(e, p)));
    return e->all ? is : tsr_ll_op2(e, "and", is, tsr_ll_mask(e));
}

void tsr_ll_emit_atomic(tsr_ll *e, tsr_id id)
{
    const tsr_inst *inst = tsr_ll_inst(e, id);
    const tsr_ll_place *p = tsr_ll_place_of(e, tsr_ll_arg(e, id, 0));
    if (e->failed) return;
    if (p->root != LL_ROOT_GROUP && p->root != LL_ROOT_BINDING) {
        tsr_ll_fail(e, "an atomic in memory of its own");
        return;
    }
    if (inst->op == TSR_OP_atomic_load && (!p->has_dyn || p->dyn.form == LL_SAME)) {
        emit_atomic_load(e, id, p);
        return;
    }
    bool cas = inst->op == TSR_OP_atomic_cas;
    tsr_ll_word value, comparand = tsr_ll_u32(e, 0);
    if (inst->nargs > 1) {
        value = tsr_ll_get(e, tsr_ll_arg(e, id, cas ? 2 : 1)).words[0];
        tsr_ll_put_lanes(e, TSR_LANES_VALUES, value);
    }
    if (cas) {
        comparand = tsr_ll_get(e, tsr_ll_arg(e, id, 1)).words[0];
        tsr_ll_put_lanes(e, TSR_LANES_COMPARANDS, comparand);
    }
    bool is_signed = tsr_type_scalar(e->types, p->pointee) == TSR_T_i32;
    tsr_lanes_call c = {.op = (tsr_op)inst->op,
                        .bytes = 4,
                        .id = id,
                        .place = p,
                        .base = tsr_ll_place_base(e, p, 0),
                        .flags = (is_signed ? TSR_LANES_SIGNED : 0) | (p->root == LL_ROOT_GROUP ? TSR_LANES_OWN : 0) |
                                 (e->uses[id] ? 0 : TSR_LANES_UNUSED)};
    tsr_ll_call_lanes(e, c);
    if (inst->type == TSR_T_void || e->uses[id] == 0) return;
    tsr_ll_word old = tsr_ll_take_lanes(e, TSR_LANES_VALUES, LL_I);
    tsr_ll_value r = tsr_ll_make(e, cas ? 2 : 1);
    r.words[0] = old;
    if (cas) r.words[1] = exchanged(e, p, old, comparand);
    tsr_ll_set(e, id, r);
}
