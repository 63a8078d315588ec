/* LLVM functions on blocks: moves between blocks and arrays, multiply-add, ops with a scalar.
 *
 * The multiply-add keeps sub-blocks of the result in registers over the whole depth: `rows` by `vectors` registers, the
 * left operand as scalars that are loaded and spread, the right one as vectors. Each sum runs by ascending k from the
 * addend, whatever the sub-blocks, so its bits do not depend on them. Eight or more sums run at a time: the latency of
 * a fused multiply-add times two of them a cycle. Source for the sizes: measured, see docs/jit.md. */
#include "emit/llvm_block.h"

#include <stdio.h>
#include <string.h>

#define PACK_ROWS  24u /* below, packing costs more than it saves */
#define PACK_BYTES 65536u

static const char *keep(tsr_ll *e, const char *s)
{
    return tsr_arena_strndup(e->arena, s, strlen(s));
}

/* ---- Zero and copy. */

const char *tsr_ll_block_zero(tsr_ll *e)
{
    if (tsr_ll_once(e, "tsr_block_zero"))
        tsr_text_puts(
            &e->tail,
            "define internal void @tsr_block_zero(ptr %to, i64 %bytes) nounwind {\n  br label %loop\nloop:\n"
            "  %i = phi i64 [ 0, %0 ], [ %next, %loop ]\n  %p = getelementptr i8, ptr %to, i64 %i\n"
            "  store <16 x i32> zeroinitializer, ptr %p, align 64\n  %next = add i64 %i, 64\n"
            "  %done = icmp eq i64 %next, %bytes\n  br i1 %done, label %end, label %loop\nend:\n  ret void\n}\n\n");
    return "tsr_block_zero";
}

const char *tsr_ll_block_copy(tsr_ll *e)
{
    if (tsr_ll_once(e, "tsr_block_copy"))
        tsr_text_puts(
            &e->tail,
            "define internal void @tsr_block_copy(ptr %to, ptr %from, i64 %bytes) nounwind {\n  br label %loop\n"
            "loop:\n  %i = phi i64 [ 0, %0 ], [ %next, %loop ]\n  %p = getelementptr i8, ptr %to, i64 %i\n"
            "  %q = getelementptr i8, ptr %from, i64 %i\n  %x = load <16 x i32>, ptr %q, align 64\n"
            "  store <16 x i32> %x, ptr %p, align 64\n  %next = add i64 %i, 64\n"
            "  %done = icmp eq i64 %next, %bytes\n  br i1 %done, label %end, label %loop\nend:\n  ret void\n}\n\n");
    return "tsr_block_copy";
}

/* ---- Between blocks and arrays. */

static const char *array_type(const tsr_ll_matrix *m)
{
    switch (m->component) {
    case TSR_F32: return "float";
    case TSR_F16: return "half";
    case TSR_U8:
    case TSR_S8: return "i8";
    default: return "i32";
    }
}

static const char *block_type(const tsr_ll_matrix *m)
{
    return m->block == LL_BLOCK_F32 ? "float" : m->block == LL_BLOCK_I32 ? "i32" : "i16";
}

static uint32_t block_bytes(const tsr_ll_matrix *m)
{
    return m->block == LL_BLOCK_F32 || m->block == LL_BLOCK_I32 ? 4 : 2;
}

/* The instruction that makes %to of %from, as text before the type and after it; "" when the types are equal. */
static const char *conversion(const tsr_ll_matrix *m, bool store)
{
    if (m->component == TSR_F16) return store ? "fptrunc" : "fpext";
    if (m->component == TSR_U8 || m->component == TSR_S8)
        return store ? "trunc" : m->component == TSR_S8 ? "sext" : "zext";
    return "";
}

/* %cell: the place in the block of component (%i, %j). */
static void write_cell(tsr_ll *e, const tsr_ll_matrix *m)
{
    tsr_text *t = &e->tail;
    if (m->block == LL_BLOCK_PAIRS)
        tsr_text_printf(t,
                        "  %%pair = lshr i64 %%i, 1\n  %%odd = and i64 %%i, 1\n  %%pr = mul i64 %%pair, %u\n"
                        "  %%pc = add i64 %%pr, %%j\n  %%p2 = shl i64 %%pc, 1\n  %%cell = add i64 %%p2, %%odd\n",
                        m->cols);
    else
        tsr_text_printf(t, "  %%row = mul i64 %%i, %u\n  %%cell = add i64 %%row, %%j\n",
                        m->block == LL_BLOCK_I16 ? (m->cols + 1) / 2 * 2 : m->cols);
}

static void write_element(tsr_ll *e, const tsr_ll_matrix *m, bool store)
{
    tsr_text *t = &e->tail;
    const char *a = array_type(m), *b = block_type(m), *op = conversion(m, store);
    uint32_t bytes = tsr_component_bits((tsr_component)m->component) / 8;
    tsr_text_printf(
        t, "  %%pb = getelementptr %s, ptr %%block, i64 %%cell\n  %%pa = getelementptr %s, ptr %%array, i64 %%at\n", b,
        a);
    if (store)
        tsr_text_printf(t, "  %%x = load %s, ptr %%pb, align %u\n", b, block_bytes(m));
    else
        tsr_text_printf(t, "  %%x = load %s, ptr %%pa, align %u\n", a, bytes);
    const char *value = "x";
    if (*op) {
        tsr_text_printf(t, "  %%y = %s %s %%x to %s\n", op, store ? b : a, store ? a : b);
        value = "y";
    }
    if (store)
        tsr_text_printf(t, "  store %s %%%s, ptr %%pa, align %u\n", a, value, bytes);
    else
        tsr_text_printf(t, "  store %s %%%s, ptr %%pb, align %u\n", b, value, block_bytes(m));
}

/* Component by component: for (i) for (j), each tested. What is absent loads as zero. */
static void write_slow_mover(tsr_ll *e, const char *name, const tsr_ll_matrix *m, bool col_major, bool store)
{
    tsr_text *t = &e->tail;
    tsr_text_printf(
        t,
        "define internal void @%s(ptr %%block, ptr %%array, i64 %%offset, i64 %%stride, i64 %%present) noinline "
        "nounwind {\n"
        "  br label %%rows\nrows:\n  %%i = phi i64 [ 0, %%0 ], [ %%i1, %%rowend ]\n  br label %%cols\ncols:\n"
        "  %%j = phi i64 [ 0, %%rows ], [ %%j1, %%next ]\n",
        name);
    tsr_text_printf(
        t,
        "  %%major = mul i64 %%stride, %%%s\n  %%start = add i64 %%offset, %%major\n  %%at = add i64 %%start, %%%s\n",
        col_major ? "j" : "i", col_major ? "i" : "j");
    write_cell(e, m);
    tsr_text_puts(t, "  %ok = icmp ult i64 %at, %present\n  br i1 %ok, label %there, label %absent\nthere:\n");
    write_element(e, m, store);
    tsr_text_puts(t, "  br label %next\nabsent:\n");
    if (!store)
        tsr_text_printf(
            t, "  %%pz = getelementptr %s, ptr %%block, i64 %%cell\n  store %s zeroinitializer, ptr %%pz, align %u\n",
            block_type(m), block_type(m), block_bytes(m));
    tsr_text_printf(
        t,
        "  br label %%next\nnext:\n  %%j1 = add i64 %%j, 1\n  %%jd = icmp eq i64 %%j1, %u\n"
        "  br i1 %%jd, label %%rowend, label %%cols\nrowend:\n  %%i1 = add i64 %%i, 1\n  %%id = icmp eq i64 %%i1, %u\n"
        "  br i1 %%id, label %%end, label %%rows\nend:\n",
        m->cols, m->rows);
}

/* The last row of an odd number has no partner: that is zero. */
static void write_pad(tsr_ll *e, const tsr_ll_matrix *m)
{
    tsr_text *t = &e->tail;
    if (m->block == LL_BLOCK_PAIRS && m->rows % 2 == 1)
        for (uint32_t j = 0; j < m->cols; j++)
            tsr_text_printf(t,
                            "  %%pad%u = getelementptr i16, ptr %%block, i64 %u\n  store i16 0, ptr %%pad%u, align 2\n",
                            j, (m->rows / 2 * m->cols + j) * 2 + 1, j);
    if (m->block == LL_BLOCK_I16 && m->cols % 2 == 1)
        for (uint32_t i = 0; i < m->rows; i++)
            tsr_text_printf(t,
                            "  %%pad%u = getelementptr i16, ptr %%block, i64 %u\n  store i16 0, ptr %%pad%u, align 2\n",
                            i, i * (m->cols + 1) + m->cols, i);
}

/* All inside, rows together in memory: a row at a time. */
static void write_row_mover(tsr_ll *e, const char *name, const tsr_ll_matrix *m, bool store)
{
    tsr_text *t = &e->tail;
    const char *a = array_type(m), *b = block_type(m), *op = conversion(m, store);
    uint32_t bytes = tsr_component_bits((tsr_component)m->component) / 8, n = m->cols;
    uint32_t pitch = m->block == LL_BLOCK_I16 ? (m->cols + 1) / 2 * 2 : m->cols;
    tsr_text_printf(t,
                    "define internal void @%s(ptr %%block, ptr %%array, i64 %%offset, i64 %%stride, i64 %%present) "
                    "noinline nounwind {\n"
                    "  br label %%rows\nrows:\n  %%i = phi i64 [ 0, %%0 ], [ %%i1, %%rows ]\n"
                    "  %%major = mul i64 %%stride, %%i\n  %%at = add i64 %%offset, %%major\n"
                    "  %%pa = getelementptr %s, ptr %%array, i64 %%at\n  %%cell = mul i64 %%i, %u\n"
                    "  %%pb = getelementptr %s, ptr %%block, i64 %%cell\n",
                    name, a, pitch, b);
    tsr_text_printf(t, "  %%x = load <%u x %s>, ptr %%%s, align %u\n", n, store ? b : a, store ? "pb" : "pa",
                    store ? block_bytes(m) : bytes);
    if (*op) tsr_text_printf(t, "  %%y = %s <%u x %s> %%x to <%u x %s>\n", op, n, store ? b : a, n, store ? a : b);
    tsr_text_printf(t, "  store <%u x %s> %%%s, ptr %%%s, align %u\n", n, store ? a : b, *op ? "y" : "x",
                    store ? "pa" : "pb", store ? bytes : block_bytes(m));
    tsr_text_printf(
        t, "  %%i1 = add i64 %%i, 1\n  %%id = icmp eq i64 %%i1, %u\n  br i1 %%id, label %%end, label %%rows\nend:\n",
        m->rows);
}

/* Right operands of 8 bits: two rows are widened and interleaved. */
static void write_pair_mover(tsr_ll *e, const char *name, const tsr_ll_matrix *m)
{
    tsr_text *t = &e->tail;
    uint32_t n = m->cols;
    const char *op = m->component == TSR_S8 ? "sext" : "zext";
    tsr_text_printf(
        t,
        "define internal void @%s(ptr %%block, ptr %%array, i64 %%offset, i64 %%stride, i64 %%present) noinline "
        "nounwind {\n"
        "  br label %%rows\nrows:\n  %%i = phi i64 [ 0, %%0 ], [ %%i1, %%rows ]\n"
        "  %%k = shl i64 %%i, 1\n  %%major = mul i64 %%stride, %%k\n  %%at = add i64 %%offset, %%major\n"
        "  %%pa = getelementptr i8, ptr %%array, i64 %%at\n  %%pc = getelementptr i8, ptr %%pa, i64 %%stride\n"
        "  %%cell = mul i64 %%i, %u\n  %%pb = getelementptr i16, ptr %%block, i64 %%cell\n",
        name, 2 * n);
    tsr_text_printf(t,
                    "  %%a8 = load <%u x i8>, ptr %%pa, align 1\n  %%b8 = load <%u x i8>, ptr %%pc, align 1\n"
                    "  %%a = %s <%u x i8> %%a8 to <%u x i16>\n  %%b = %s <%u x i8> %%b8 to <%u x i16>\n"
                    "  %%x = shufflevector <%u x i16> %%a, <%u x i16> %%b, <%u x i32> <",
                    n, n, op, n, n, op, n, n, n, n, 2 * n);
    for (uint32_t j = 0; j < 2 * n; j++)
        tsr_text_printf(t, "%si32 %u", j ? ", " : "", j / 2 + j % 2 * n);
    tsr_text_printf(
        t,
        ">\n  store <%u x i16> %%x, ptr %%pb, align 2\n  %%i1 = add i64 %%i, 1\n  %%id = icmp eq i64 %%i1, %u\n"
        "  br i1 %%id, label %%end, label %%rows\nend:\n",
        2 * n, m->rows / 2);
}

const char *tsr_ll_block_mover(tsr_ll *e, const tsr_ll_matrix *m, bool col_major, bool store, bool inside)
{
    char name[96];
    bool rows = inside && !col_major && m->block != LL_BLOCK_PAIRS && m->cols <= 128;
    bool pairs = inside && !col_major && !store && m->block == LL_BLOCK_PAIRS && m->rows % 2 == 0 && m->cols <= 64;
    snprintf(name, sizeof name, "tsr_%s%s_%s%u_%ux%u%s", store ? "store" : "load", rows || pairs ? "" : "_each",
             tsr_component_name((tsr_component)m->component), m->block, m->rows, m->cols, col_major ? "_t" : "");
    if (!tsr_ll_once(e, name)) return keep(e, name);
    if (rows)
        write_row_mover(e, name, m, store);
    else if (pairs)
        write_pair_mover(e, name, m);
    else
        write_slow_mover(e, name, m, col_major, store);
    if (!store) write_pad(e, m);
    tsr_text_puts(&e->tail, "  ret void\n}\n\n");
    return keep(e, name);
}

/* ---- Multiply-add. */

typedef struct kernel {
    tsr_ll *e;
    tsr_text *t;
    bool pairs;     /* 8-bit inputs, two k at a time */
    bool integer;   /* 32-bit integers, or pairs */
    bool zero;      /* no addend */
    bool packed;    /* the right operand lies together in %pack */
    uint32_t n, k;  /* columns; steps */
    uint32_t lanes; /* of a register, in result components */
    uint8_t component;
    uint32_t serial;
} kernel;

static const char *element(const kernel *x)
{
    return x->integer ? "i32" : "float";
}

/* One multiply-add of registers: %o = %a * %b + %c. */
static void write_step(const kernel *x, uint32_t lanes, const char *id, const char *a, const char *b, const char *c,
                       const char *o)
{
    tsr_text *t = x->t;
    if (!x->integer) {
        char text[160];
        snprintf(text, sizeof text, "<%u x float> @llvm.fma.v%uf32(<%u x float>, <%u x float>, <%u x float>)", lanes,
                 lanes, lanes, lanes, lanes);
        tsr_ll_declare(x->e, keep(x->e, text));
        tsr_text_printf(
            t, "  %s = call <%u x float> @llvm.fma.v%uf32(<%u x float> %s, <%u x float> %s, <%u x float> %s)\n", o,
            lanes, lanes, lanes, a, lanes, b, lanes, c);
        return;
    }
    if (!x->pairs) {
        tsr_text_printf(t, "  %%m%s = mul <%u x i32> %s, %s\n  %s = add <%u x i32> %s, %%m%s\n", id, lanes, a, b, o,
                        lanes, c, id);
        return;
    }
    tsr_text_printf(t, "  %%ah%s = bitcast <%u x i32> %s to <%u x i16>\n", id, lanes, a, 2 * lanes);
    if (x->e->o->x86 &&
        (lanes == 4 || (lanes == 8 && x->e->o->vector_bytes >= 32) || (lanes == 16 && x->e->o->vector_bytes == 64))) {
        const char *name = lanes == 4   ? "llvm.x86.sse2.pmadd.wd"
                           : lanes == 8 ? "llvm.x86.avx2.pmadd.wd"
                                        : "llvm.x86.avx512.pmaddw.d.512";
        char text[160];
        snprintf(text, sizeof text, "<%u x i32> @%s(<%u x i16>, <%u x i16>)", lanes, name, 2 * lanes, 2 * lanes);
        tsr_ll_declare(x->e, keep(x->e, text));
        tsr_text_printf(t, "  %%m%s = call <%u x i32> @%s(<%u x i16> %%ah%s, <%u x i16> %s)\n", id, lanes, name,
                        2 * lanes, id, 2 * lanes, b);
    } else {
        tsr_text_printf(
            t, "  %%aw%s = sext <%u x i16> %%ah%s to <%u x i32>\n  %%bw%s = sext <%u x i16> %s to <%u x i32>\n", id,
            2 * lanes, id, 2 * lanes, id, 2 * lanes, b, 2 * lanes);
        tsr_text_printf(t, "  %%pw%s = mul <%u x i32> %%aw%s, %%bw%s\n", id, 2 * lanes, id, id);
        for (int half = 0; half < 2; half++) {
            tsr_text_printf(t, "  %%h%d%s = shufflevector <%u x i32> %%pw%s, <%u x i32> poison, <%u x i32> <", half, id,
                            2 * lanes, id, 2 * lanes, lanes);
            for (uint32_t i = 0; i < lanes; i++)
                tsr_text_printf(t, "%si32 %u", i ? ", " : "", 2 * i + (uint32_t)half);
            tsr_text_puts(t, ">\n");
        }
        tsr_text_printf(t, "  %%m%s = add <%u x i32> %%h0%s, %%h1%s\n", id, lanes, id, id);
    }
    tsr_text_printf(t, "  %s = add <%u x i32> %s, %%m%s\n", o, lanes, c, id);
}

/* What is left of a sum in a narrower component. */
static void write_rounding(const kernel *x, uint32_t lanes, const char *id, const char *from, const char *to)
{
    tsr_text *t = x->t;
    if (x->component == TSR_F16)
        tsr_text_printf(
            t, "  %%nh%s = fptrunc <%u x float> %s to <%u x half>\n  %s = fpext <%u x half> %%nh%s to <%u x float>\n",
            id, lanes, from, lanes, to, lanes, id, lanes);
    else
        tsr_text_printf(t, "  %%nb%s = trunc <%u x i32> %s to <%u x i8>\n  %s = %s <%u x i8> %%nb%s to <%u x i32>\n",
                        id, lanes, from, lanes, to, x->component == TSR_S8 ? "sext" : "zext", lanes, id, lanes);
}

/* The sub-block at row %i0 (a name) and column %j0: rows x (vectors of lanes). */
static void write_sub_block(kernel *x, uint32_t rows, uint32_t vectors, uint32_t lanes, const char *i0, const char *j0,
                            const char *from, const char *to)
{
    tsr_text *t = x->t;
    const char *el = element(x);
    uint32_t s = ++x->serial;
    bool narrow = x->component == TSR_F16 || x->component == TSR_U8 || x->component == TSR_S8;
    tsr_text_printf(t, "pre%u:\n", s);
    tsr_text_printf(
        t,
        "  %%ib%u = mul i64 %s, %u\n  %%jb%u = add i64 %%ib%u, %s\n  %%pd%u = getelementptr %s, ptr %%d, i64 %%jb%u\n",
        s, i0, x->n, s, s, j0, s, el, s);
    tsr_text_printf(t,
                    "  %%ic%u = mul i64 %s, %%ldc\n  %%jc%u = add i64 %%ic%u, %s\n  %%pc%u = getelementptr %s, ptr "
                    "%%c, i64 %%jc%u\n",
                    s, i0, s, s, j0, s, el, s);
    tsr_text_printf(t, "  %%ia%u = mul i64 %s, %%lda\n  %%pa%u = getelementptr %s, ptr %%a, i64 %%ia%u\n", s, i0, s, el,
                    s);
    if (x->packed)
        tsr_text_printf(t, "  %%pb%u = getelementptr i8, ptr %%pack, i64 0\n", s);
    else
        tsr_text_printf(t, "  %%pb%u = getelementptr %s, ptr %%b, i64 %s\n", s, el, j0);
    for (uint32_t r = 0; r < rows && !x->zero; r++)
        for (uint32_t v = 0; v < vectors; v++)
            tsr_text_printf(
                t,
                "  %%oc%u_%u_%u = mul i64 %%ldc, %u\n  %%qc%u_%u_%u = getelementptr %s, ptr %%pc%u, i64 %%oc%u_%u_%u\n"
                "  %%rc%u_%u_%u = getelementptr %s, ptr %%qc%u_%u_%u, i64 %u\n"
                "  %%s%u_%u_%u = load <%u x %s>, ptr %%rc%u_%u_%u, align 4\n",
                s, r, v, r, s, r, v, el, s, s, r, v, s, r, v, el, s, r, v, v * lanes, s, r, v, lanes, el, s, r, v);
    for (uint32_t r = 0; r < rows; r++)
        tsr_text_printf(t,
                        "  %%oa%u_%u = mul i64 %%lda, %u\n  %%qa%u_%u = getelementptr %s, ptr %%pa%u, i64 %%oa%u_%u\n",
                        s, r, r, s, r, el, s, s, r);
    tsr_text_printf(t, "  br label %%k%u\nk%u:\n  %%k%u_i = phi i64 [ 0, %%pre%u ], [ %%k%u_n, %%k%u ]\n", s, s, s, s,
                    s, s);
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t v = 0; v < vectors; v++) {
            char start[48];
            snprintf(start, sizeof start, x->zero ? "zeroinitializer" : "%%s%u_%u_%u", s, r, v);
            tsr_text_printf(t, "  %%x%u_%u_%u = phi <%u x %s> [ %s, %%pre%u ], [ %%n%u_%u_%u, %%k%u ]\n", s, r, v,
                            lanes, el, start, s, s, r, v, s);
        }
    if (x->packed)
        tsr_text_printf(t, "  %%ob%u = mul i64 %%k%u_i, %u\n", s, s, vectors * lanes);
    else
        tsr_text_printf(t, "  %%ob%u = mul i64 %%k%u_i, %%ldb\n", s, s);
    tsr_text_printf(t, "  %%qb%u = getelementptr %s, ptr %%pb%u, i64 %%ob%u\n", s, el, s, s);
    for (uint32_t v = 0; v < vectors; v++) {
        tsr_text_printf(t, "  %%rb%u_%u = getelementptr %s, ptr %%qb%u, i64 %u\n", s, v, el, s, v * lanes);
        if (x->pairs)
            tsr_text_printf(t, "  %%b%u_%u = load <%u x i16>, ptr %%rb%u_%u, align 4\n", s, v, 2 * lanes, s, v);
        else
            tsr_text_printf(t, "  %%b%u_%u = load <%u x %s>, ptr %%rb%u_%u, align 4\n", s, v, lanes, el, s, v);
    }
    for (uint32_t r = 0; r < rows; r++) {
        tsr_text_printf(
            t,
            "  %%ra%u_%u = getelementptr %s, ptr %%qa%u_%u, i64 %%k%u_i\n  %%a%u_%u = load %s, ptr %%ra%u_%u, align 4\n"
            "  %%i%u_%u = insertelement <%u x %s> poison, %s %%a%u_%u, i64 0\n"
            "  %%w%u_%u = shufflevector <%u x %s> %%i%u_%u, <%u x %s> poison, <%u x i32> zeroinitializer\n",
            s, r, el, s, r, s, s, r, el, s, r, s, r, lanes, el, el, s, r, s, r, lanes, el, s, r, lanes, el, lanes);
        for (uint32_t v = 0; v < vectors; v++) {
            char id[40], a[40], b[40], c[48], o[48];
            snprintf(id, sizeof id, "%u_%u_%u", s, r, v);
            snprintf(a, sizeof a, "%%w%u_%u", s, r);
            snprintf(b, sizeof b, "%%b%u_%u", s, v);
            snprintf(c, sizeof c, "%%x%u_%u_%u", s, r, v);
            snprintf(o, sizeof o, "%%n%u_%u_%u", s, r, v);
            write_step(x, lanes, id, a, b, c, o);
        }
    }
    tsr_text_printf(t,
                    "  %%k%u_n = add i64 %%k%u_i, 1\n  %%k%u_d = icmp eq i64 %%k%u_n, %u\n  br i1 %%k%u_d, label "
                    "%%post%u, label %%k%u\npost%u:\n",
                    s, s, s, s, x->k, s, s, s, s);
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t v = 0; v < vectors; v++) {
            char id[40], n[48], y[48];
            snprintf(id, sizeof id, "%u_%u_%u", s, r, v);
            snprintf(n, sizeof n, "%%n%s", id);
            snprintf(y, sizeof y, "%%y%s", id);
            if (narrow) write_rounding(x, lanes, id, n, y);
            tsr_text_printf(
                t, "  %%z%s = getelementptr %s, ptr %%pd%u, i64 %u\n  store <%u x %s> %s, ptr %%z%s, align 4\n", id, el,
                s, r * x->n + v * lanes, lanes, el, narrow ? y : n, id);
        }
    (void)from;
    tsr_text_printf(t, "  br label %%%s\n", to);
}

/* Rows [0, m) of the columns at j0, in a loop over sub-blocks of `most` rows, then what is left. */
static void write_rows(kernel *x, uint32_t m, uint32_t most, uint32_t vectors, uint32_t lanes, const char *j0,
                       const char *entry, const char *exit)
{
    tsr_text *t = x->t;
    uint32_t whole = m / most, rest = m % most, u = ++x->serial;
    char label[32], next[32], i0[32], from[32];
    snprintf(from, sizeof from, "%s", entry);
    if (whole > 0) {
        snprintf(label, sizeof label, "tail%u", u);
        snprintf(i0, sizeof i0, "%%r%u", u);
        tsr_text_printf(
            t,
            "  br label %%rows%u\nrows%u:\n  %%r%u = phi i64 [ 0, %%%s ], [ %%r%u_n, %%tail%u ]\n  br label %%pre%u\n",
            u, u, u, from, u, u, x->serial + 1);
        write_sub_block(x, most, vectors, lanes, i0, j0, "", label);
        snprintf(next, sizeof next, "rest%u", u);
        tsr_text_printf(t,
                        "tail%u:\n  %%r%u_n = add i64 %%r%u, %u\n  %%r%u_d = icmp eq i64 %%r%u_n, %u\n  br i1 %%r%u_d, "
                        "label %%%s, label %%rows%u\n",
                        u, u, u, most, u, u, whole * most, u, next, u);
        tsr_text_printf(t, "%s:\n", next);
    }
    if (rest > 0) {
        snprintf(i0, sizeof i0, "%u", whole * most);
        tsr_text_printf(t, "  br label %%pre%u\n", x->serial + 1);
        write_sub_block(x, rest, vectors, lanes, i0, j0, "", exit);
    } else {
        tsr_text_printf(t, "  br label %%%s\n", exit);
    }
}

/* Copies the columns at j0 together: whole rows of the right operand lie so far apart, by powers of two, that they
 * would push each other out of the first cache. */
static void write_packing(kernel *x, uint32_t vectors, uint32_t lanes, const char *j0, const char *entry,
                          const char *label)
{
    tsr_text *t = x->t;
    const char *el = element(x);
    uint32_t s = ++x->serial, width = vectors * lanes;
    tsr_text_printf(t,
                    "  br label %%pk%u\npk%u:\n  %%pi%u = phi i64 [ 0, %%%s ], [ %%pn%u, %%pk%u ]\n  %%po%u = mul i64 "
                    "%%pi%u, %%ldb\n"
                    "  %%pj%u = add i64 %%po%u, %s\n  %%pp%u = getelementptr %s, ptr %%b, i64 %%pj%u\n",
                    s, s, s, entry, s, s, s, s, s, s, j0, s, el, s);
    tsr_text_printf(
        t,
        "  %%px%u = load <%u x %s>, ptr %%pp%u, align 4\n  %%pq%u = mul i64 %%pi%u, %u\n"
        "  %%pr%u = getelementptr %s, ptr %%pack, i64 %%pq%u\n  store <%u x %s> %%px%u, ptr %%pr%u, align 4\n",
        s, width, el, s, s, s, width, s, el, s, width, el, s, s);
    tsr_text_printf(t,
                    "  %%pn%u = add i64 %%pi%u, 1\n  %%pd%u_ = icmp eq i64 %%pn%u, %u\n  br i1 %%pd%u_, label %%%s, "
                    "label %%pk%u\n%s:\n",
                    s, s, s, s, x->k, s, label, s, label);
}

/* Rows of a sub-block that leave room for the right operand and a left one. */
static uint32_t most_rows(const tsr_ll *e, uint32_t vectors, uint32_t m)
{
    uint32_t registers = e->o->vector_bytes == 64 ? 32 : 16;
    uint32_t most = (registers - vectors - 2) / vectors;
    if (most > 12) most = 12;
    if (most >= m) return m;
    if (m >= 8 * most) return most;
    /* Equal parts are better than a small rest: 16 rows go as 4 x 4 where 6 + 6 + 4 would do. */
    for (uint32_t r = most; r * vectors >= 8; r--)
        if (m % r == 0) return r;
    return most;
}

const char *tsr_ll_block_mma(tsr_ll *e, const tsr_ll_matrix *a, const tsr_ll_matrix *b, const tsr_ll_matrix *r,
                             bool zero)
{
    char name[128], j0[32], label[32], entry[32];
    snprintf(name, sizeof name, "tsr_mma_%s_%s_%ux%ux%u%s%s", tsr_component_name((tsr_component)a->component),
             tsr_component_name((tsr_component)r->component), r->rows, r->cols, a->cols,
             b->block == LL_BLOCK_PAIRS ? "_pairs" : "", zero ? "_zero" : "");
    if (!tsr_ll_once(e, name)) return keep(e, name);
    tsr_text text;
    tsr_text_init(&text, e->arena);
    kernel x = {.e = e,
                .t = &text,
                .pairs = b->block == LL_BLOCK_PAIRS,
                .integer = r->block != LL_BLOCK_F32,
                .zero = zero,
                .n = r->cols,
                .component = r->component,
                .lanes = e->o->vector_bytes / 4};
    x.k = x.pairs ? (a->cols + 1) / 2 : a->cols;
    tsr_text_printf(&text,
                    "define internal void @%s(ptr %%d, ptr %%c, i64 %%ldc, ptr %%a, i64 %%lda0, ptr %%b, i64 %%ldb) "
                    "noinline nounwind \"stackrealign\" {\nentry:\n",
                    name);
    if (x.pairs)
        tsr_text_printf(&text, "  %%lda = add i64 0, %u\n", x.k);
    else
        tsr_text_puts(&text, "  %lda = add i64 %lda0, 0\n");
    snprintf(entry, sizeof entry, "entry");
    bool packs = r->rows >= PACK_ROWS && (uint64_t)x.k * x.lanes * 8 <= PACK_BYTES;
    x.packed = packs;
    if (packs) tsr_text_printf(&text, "  %%pack = alloca [%u x i8], align 64\n", x.k * x.lanes * 8);
    uint32_t j = 0;
    while (j < r->cols) {
        uint32_t lanes = x.lanes, left = r->cols - j, vectors;
        while (lanes > left)
            lanes /= 2;
        vectors = left / lanes >= 2 && lanes == x.lanes ? 2 : 1;
        uint32_t most = most_rows(e, vectors, r->rows);
        snprintf(label, sizeof label, "cols%u", j + vectors * lanes);
        /* Columns go as long as they are alike in one loop. */
        uint32_t times = vectors == 2 ? left / (2 * lanes) : 1;
        if (times > 1) {
            uint32_t u = ++x.serial;
            char tail[32];
            snprintf(tail, sizeof tail, "jt%u", u);
            snprintf(j0, sizeof j0, "%%j%u", u);
            snprintf(label, sizeof label, "jh%u", u);
            tsr_text_printf(&text, "  br label %%jh%u\njh%u:\n  %%j%u = phi i64 [ %u, %%%s ], [ %%j%u_n, %%jt%u ]\n", u,
                            u, u, j, entry, u, u);
            if (x.packed) {
                char packed[32];
                snprintf(packed, sizeof packed, "pkd%u", u);
                write_packing(&x, vectors, lanes, j0, label, packed);
                snprintf(label, sizeof label, "%s", packed);
            }
            write_rows(&x, r->rows, most, vectors, lanes, j0, label, tail);
            j += times * vectors * lanes;
            snprintf(entry, sizeof entry, "cols%u", j);
            tsr_text_printf(&text,
                            "jt%u:\n  %%j%u_n = add i64 %%j%u, %u\n  %%j%u_d = icmp eq i64 %%j%u_n, %u\n  br i1 "
                            "%%j%u_d, label %%%s, label %%jh%u\n%s:\n",
                            u, u, u, vectors * lanes, u, u, j, u, entry, u, entry);
            continue;
        }
        snprintf(j0, sizeof j0, "%u", j);
        x.packed = false;
        write_rows(&x, r->rows, most, vectors, lanes, j0, entry, label);
        x.packed = packs;
        tsr_text_printf(&text, "%s:\n", label);
        snprintf(entry, sizeof entry, "%s", label);
        j += vectors * lanes;
    }
    tsr_text_puts(&text, "  ret void\n}\n\n");
    tsr_text_add(&e->tail, tsr_text_get(&text), text.len);
    return keep(e, name);
}

/* ---- With a scalar. */

static void write_wrap(tsr_text *t, const tsr_ll_matrix *m, uint32_t lanes)
{
    const char *type = block_type(m);
    if (m->component == TSR_F16)
        tsr_text_printf(
            t, "  %%h = fptrunc <%u x float> %%r to <%u x half>\n  %%z = fpext <%u x half> %%h to <%u x float>\n",
            lanes, lanes, lanes, lanes);
    else if (m->component == TSR_U8 || m->component == TSR_S8)
        tsr_text_printf(t, "  %%h = trunc <%u x %s> %%r to <%u x i8>\n  %%z = %s <%u x i8> %%h to <%u x %s>\n", lanes,
                        type, lanes, m->component == TSR_S8 ? "sext" : "zext", lanes, lanes, type);
}

const char *tsr_ll_block_scalar(tsr_ll *e, const tsr_ll_matrix *m, tsr_op op)
{
    char name[96];
    const char *type = block_type(m), *arg = m->block == LL_BLOCK_F32 ? "float" : "i32";
    bool is_float = m->block == LL_BLOCK_F32, half = block_bytes(m) == 2;
    bool narrow = m->component == TSR_F16 || m->component == TSR_U8 || m->component == TSR_S8;
    uint32_t lanes = 64 / block_bytes(m), bytes = (uint32_t)tsr_ll_block_bytes(m);
    const char *word = op == TSR_OP_madd ? "add" : op == TSR_OP_msub ? "sub" : "mul";
    snprintf(name, sizeof name, "tsr_%s_%s%u_%ux%u", tsr_op_table[op].name,
             tsr_component_name((tsr_component)m->component), m->block, m->rows, m->cols);
    if (!tsr_ll_once(e, name)) return keep(e, name);
    tsr_text *t = &e->tail;
    tsr_text_printf(t, "define internal void @%s(ptr %%block, ptr %%from, %s %%x) noinline nounwind {\n", name, arg);
    if (half)
        tsr_text_puts(t, "  %s = trunc i32 %x to i16\n");
    else if (is_float)
        tsr_text_puts(t, "  %s = fadd float %x, 0x8000000000000000\n");
    else
        tsr_text_puts(t, "  %s = add i32 %x, 0\n");
    tsr_text_printf(t,
                    "  %%one = insertelement <%u x %s> poison, %s %%s, i64 0\n"
                    "  %%v = shufflevector <%u x %s> %%one, <%u x %s> poison, <%u x i32> zeroinitializer\n  br label "
                    "%%loop\nloop:\n"
                    "  %%i = phi i64 [ 0, %%0 ], [ %%i1, %%loop ]\n  %%p = getelementptr i8, ptr %%block, i64 %%i\n"
                    "  %%q = getelementptr i8, ptr %%from, i64 %%i\n",
                    lanes, type, type, lanes, type, lanes, type, lanes);
    if (op == TSR_OP_mfill) {
        tsr_text_printf(t, "  store <%u x %s> %%v, ptr %%p, align 64\n", lanes, type);
    } else {
        tsr_text_printf(t, "  %%a = load <%u x %s>, ptr %%q, align 64\n  %%r = %s%s <%u x %s> %%a, %%v\n", lanes, type,
                        is_float ? "f" : "", word, lanes, type);
        if (narrow) write_wrap(t, m, lanes);
        tsr_text_printf(t, "  store <%u x %s> %%%s, ptr %%p, align 64\n", lanes, type, narrow ? "z" : "r");
    }
    tsr_text_printf(
        t, "  %%i1 = add i64 %%i, 64\n  %%id = icmp eq i64 %%i1, %u\n  br i1 %%id, label %%end, label %%loop\nend:\n",
        bytes);
    write_pad(e, m);
    tsr_text_puts(t, "  ret void\n}\n\n");
    return keep(e, name);
}
