/* What acts lane by lane: helpers that load and store one scalar a lane, and atomics. They are functions of the module,
 * written on first use, so that their code stands once. */
#include "emit/llvm_inside.h"

#include <stdio.h>
#include <string.h>

/* ---- Helpers that access one scalar a lane. */

const char *tsr_ll_keep(tsr_ll *e, const char *s)
{
    return tsr_arena_strndup(e->arena, s, strlen(s));
}

/* <S x iN> @tsr_gatherN(ptr base, <S x i32> offsets in bytes, unsigned) */
const char *tsr_ll_gather(tsr_ll *e, uint32_t bytes)
{
    char name[32];
    snprintf(name, sizeof name, "tsr_gather%u", bytes * 8);
    if (!tsr_ll_once(e, name)) return tsr_ll_keep(e, name);
    uint32_t n = e->size, bits = bytes * 8;
    tsr_text_printf(&e->tail,
                    "define internal <%u x i%u> @%s(ptr %%base, <%u x i32> %%off) noinline nounwind readonly {\n", n,
                    bits, name, n);
    for (uint32_t i = 0; i < n; i++) {
        tsr_text_printf(&e->tail,
                        "  %%o%u = extractelement <%u x i32> %%off, i64 %u\n  %%w%u = zext i32 %%o%u to i64\n", i, n, i,
                        i, i);
        tsr_text_printf(&e->tail,
                        "  %%p%u = getelementptr i8, ptr %%base, i64 %%w%u\n  %%x%u = load i%u, ptr %%p%u, align %u\n",
                        i, i, i, bits, i, bytes);
        tsr_text_printf(&e->tail, "  %%v%u = insertelement <%u x i%u> ", i, n, bits);
        if (i == 0)
            tsr_text_puts(&e->tail, "poison");
        else
            tsr_text_printf(&e->tail, "%%v%u", i - 1);
        tsr_text_printf(&e->tail, ", i%u %%x%u, i64 %u\n", bits, i, i);
    }
    tsr_text_printf(&e->tail, "  ret <%u x i%u> %%v%u\n}\n\n", n, bits, n - 1);
    return tsr_ll_keep(e, name);
}

/* void @tsr_scatterN(ptr base, <S x i32> offsets, <S x iN> values, iS lanes): by ascending lane. */
const char *tsr_ll_scatter(tsr_ll *e, uint32_t bytes)
{
    char name[32];
    snprintf(name, sizeof name, "tsr_scatter%u", bytes * 8);
    if (!tsr_ll_once(e, name)) return tsr_ll_keep(e, name);
    uint32_t n = e->size, bits = bytes * 8;
    tsr_text_printf(
        &e->tail,
        "define internal void @%s(ptr %%base, <%u x i32> %%off, <%u x i%u> %%val, i%u %%lanes) noinline nounwind {\n"
        "  %%o = alloca <%u x i32>, align 64\n  %%v = alloca <%u x i%u>, align 64\n"
        "  store <%u x i32> %%off, ptr %%o, align 64\n  store <%u x i%u> %%val, ptr %%v, align 64\n",
        name, n, n, bits, n, n, n, bits, n, n, bits);
    tsr_text_printf(&e->tail,
                    "  %%none = icmp eq i%u %%lanes, 0\n  br i1 %%none, label %%end, label %%loop\n"
                    "loop:\n  %%m = phi i%u [ %%lanes, %%0 ], [ %%rest, %%loop ]\n"
                    "  %%l = call i%u @llvm.cttz.i%u(i%u %%m, i1 true)\n",
                    n, n, n, n, n);
    if (n >= 64)
        tsr_text_printf(&e->tail, n == 64 ? "  %%i = add i%u %%l, 0\n" : "  %%i = trunc i%u %%l to i64\n", n);
    else
        tsr_text_printf(&e->tail, "  %%i = zext i%u %%l to i64\n", n);
    tsr_text_printf(&e->tail,
                    "  %%po = getelementptr i32, ptr %%o, i64 %%i\n  %%x = load i32, ptr %%po, align 4\n"
                    "  %%pv = getelementptr i%u, ptr %%v, i64 %%i\n  %%y = load i%u, ptr %%pv, align %u\n"
                    "  %%w = zext i32 %%x to i64\n  %%p = getelementptr i8, ptr %%base, i64 %%w\n"
                    "  store i%u %%y, ptr %%p, align %u\n"
                    "  %%less = sub i%u %%m, 1\n  %%rest = and i%u %%m, %%less\n  %%done = icmp eq i%u %%rest, 0\n"
                    "  br i1 %%done, label %%end, label %%loop\nend:\n  ret void\n}\n\n",
                    bits, bits, bytes, bits, bytes, n, n, n);
    char text[64];
    snprintf(text, sizeof text, "i%u @llvm.cttz.i%u(i%u, i1)", n, n, n);
    tsr_ll_declare(e, tsr_ll_keep(e, text));
    return tsr_ll_keep(e, name);
}

/* ---- Atomics. */

static const char *atomic_op(tsr_op op, bool is_signed)
{
    switch (op) {
    case TSR_OP_atomic_add: return "add";
    case TSR_OP_atomic_sub: return "sub";
    case TSR_OP_atomic_max: return is_signed ? "max" : "umax";
    case TSR_OP_atomic_min: return is_signed ? "min" : "umin";
    case TSR_OP_atomic_and: return "and";
    case TSR_OP_atomic_or: return "or";
    case TSR_OP_atomic_xor: return "xor";
    default: return "xchg"; /* exchange, store */
    }
}

/* A helper that does it lane by lane, ascending: <S x i32> (ptr, offsets, values, comparands, lanes). */
static const char *atomic_helper(tsr_ll *e, tsr_op op, bool is_signed)
{
    char name[48], *kept;
    const char *word = op == TSR_OP_atomic_cas ? "cas" : op == TSR_OP_atomic_load ? "load" : atomic_op(op, is_signed);
    snprintf(name, sizeof name, "tsr_atomic_%s", word);
    kept = tsr_arena_strndup(e->arena, name, strlen(name));
    if (!tsr_ll_once(e, kept)) return kept;
    uint32_t n = e->size;
    tsr_text *t = &e->tail;
    tsr_text_printf(t,
                    "define internal <%u x i32> @%s(ptr %%base, <%u x i32> %%off, <%u x i32> %%val, <%u x i32> %%cmp, "
                    "i%u %%lanes) noinline nounwind {\n",
                    n, name, n, n, n, n);
    tsr_text_printf(t,
                    "  %%o = alloca <%u x i32>, align 64\n  %%v = alloca <%u x i32>, align 64\n  %%c = alloca <%u x "
                    "i32>, align 64\n  %%r = alloca <%u x i32>, align 64\n",
                    n, n, n, n);
    tsr_text_printf(t,
                    "  store <%u x i32> %%off, ptr %%o, align 64\n  store <%u x i32> %%val, ptr %%v, align 64\n  store "
                    "<%u x i32> %%cmp, ptr %%c, align 64\n  store <%u x i32> zeroinitializer, ptr %%r, align 64\n",
                    n, n, n, n);
    tsr_text_printf(t,
                    "  br label %%head\nhead:\n  %%i = phi i64 [ 0, %%0 ], [ %%next, %%tail ]\n  %%m = phi i%u [ "
                    "%%lanes, %%0 ], [ %%rest, %%tail ]\n",
                    n);
    tsr_text_printf(
        t, "  %%bit = and i%u %%m, 1\n  %%on = icmp ne i%u %%bit, 0\n  br i1 %%on, label %%act, label %%tail\nact:\n",
        n, n);
    tsr_text_puts(t, "  %po = getelementptr i32, ptr %o, i64 %i\n  %x = load i32, ptr %po, align 4\n"
                     "  %pv = getelementptr i32, ptr %v, i64 %i\n  %y = load i32, ptr %pv, align 4\n"
                     "  %pc = getelementptr i32, ptr %c, i64 %i\n  %z = load i32, ptr %pc, align 4\n"
                     "  %w = zext i32 %x to i64\n  %p = getelementptr i8, ptr %base, i64 %w\n");
    if (op == TSR_OP_atomic_cas)
        tsr_text_puts(
            t,
            "  %both = cmpxchg ptr %p, i32 %z, i32 %y seq_cst seq_cst\n  %old = extractvalue { i32, i1 } %both, 0\n");
    else if (op == TSR_OP_atomic_load)
        tsr_text_puts(t, "  %old = load atomic i32, ptr %p monotonic, align 4\n");
    else
        tsr_text_printf(t, "  %%old = atomicrmw %s ptr %%p, i32 %%y monotonic, align 4\n", word);
    tsr_text_printf(
        t,
        "  %%pr = getelementptr i32, ptr %%r, i64 %%i\n  store i32 %%old, ptr %%pr, align 4\n  br label %%tail\n"
        "tail:\n  %%next = add i64 %%i, 1\n  %%rest = lshr i%u %%m, 1\n  %%done = icmp eq i64 %%next, %u\n"
        "  br i1 %%done, label %%end, label %%head\nend:\n  %%all = load <%u x i32>, ptr %%r, align 64\n  ret <%u x "
        "i32> %%all\n}\n\n",
        n, n, n, n);
    return kept;
}

static void emit_atomic_load(tsr_ll *e, tsr_id id, const tsr_ll_place *p)
{
    uint32_t ptr = tsr_ll_place_base(e, p, 0);
    if (p->has_dyn) ptr = tsr_ll_offset_ptr(e, ptr, tsr_ll_safe_dyn(e, p));
    tsr_ll_word w = tsr_ll_named(LL_I, LL_SAME, tsr_ll_new(e));
    w.shape = tsr_shape_any(&e->shapes);
    w.shape.run = e->shapes.full;
    tsr_ll_line(e, "%%t%u = load atomic i32, ptr %%t%u monotonic, align 4", w.name, ptr);
    tsr_ll_value v = tsr_ll_make(e, 1);
    v.words[0] = p->has_check ? tsr_ll_select(e, p->all, w, tsr_ll_u32(e, 0)) : w;
    tsr_ll_set(e, id, v);
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
    tsr_ll_check_oob(e, p);
    if (inst->op == TSR_OP_atomic_load && (!p->has_dyn || p->dyn.form == LL_SAME)) {
        emit_atomic_load(e, id, p);
        return;
    }
    bool is_signed = tsr_type_scalar(e->types, p->pointee) == TSR_T_i32;
    const char *helper = atomic_helper(e, (tsr_op)inst->op, is_signed);
    tsr_ll_word zero = tsr_ll_u32(e, 0), value = zero, comparand = zero;
    if (inst->op == TSR_OP_atomic_cas) {
        comparand = tsr_ll_get(e, tsr_ll_arg(e, id, 1)).words[0];
        value = tsr_ll_get(e, tsr_ll_arg(e, id, 2)).words[0];
    } else if (inst->nargs > 1) {
        value = tsr_ll_get(e, tsr_ll_arg(e, id, 1)).words[0];
    }
    tsr_ll_word lanes = p->has_check ? tsr_ll_to_vector(e, p->lanes) : tsr_ll_const(e, LL_B, 1);
    if (!e->all) lanes = p->has_check ? tsr_ll_op2(e, "and", lanes, tsr_ll_mask(e)) : tsr_ll_mask(e);
    const char *offsets = tsr_ll_vector(e, p->has_dyn ? p->dyn : zero), *values = tsr_ll_vector(e, value),
               *comparands = tsr_ll_vector(e, comparand);
    uint32_t ptr = tsr_ll_place_base(e, p, 0), bits = tsr_ll_bits(e, lanes), name = tsr_ll_new(e);
    const char *v = e->vector_name[LL_I];
    tsr_ll_line(e, "%%t%u = call %s @%s(ptr %%t%u, %s %s, %s %s, %s %s, i%u %%t%u)", name, v, helper, ptr, v, offsets,
                v, values, v, comparands, e->size, bits);
    if (inst->type == TSR_T_void) return;
    tsr_ll_word old = tsr_ll_named(LL_I, LL_EACH, name);
    old.shape = tsr_shape_any(&e->shapes);
    bool cas = inst->op == TSR_OP_atomic_cas;
    tsr_ll_value r = tsr_ll_make(e, cas ? 2 : 1);
    r.words[0] = old;
    if (cas) r.words[1] = tsr_ll_op2(e, "and", tsr_ll_cmp(e, "icmp eq", old, comparand), lanes);
    tsr_ll_set(e, id, r);
}
