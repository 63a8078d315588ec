/* LLVM functions on blocks: moves between blocks and arrays, ops with a scalar. The multiply-add is in llvm_mma.c. */
#include "emit/llvm_block.h"

#include "ir/native.h"

#include <stdio.h>
#include <string.h>

#define QUAD     4u   /* bytes that a multiply-add takes at a time */
#define ROW_MOST 128u /* components of a row that go in one instruction of LLVM */
#define ROW_PART 64u  /* else in parts of so many */

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
    static const char *const name[] = {"float", "i32", "half", "i8"};
    return name[m->block];
}

static uint32_t block_bytes(const tsr_ll_matrix *m)
{
    static const uint8_t bytes[] = {4, 4, 2, 1};
    return bytes[m->block];
}

uint32_t tsr_ll_block_pitch(const tsr_ll_matrix *m)
{
    if (m->pitch) return m->pitch;
    if (m->turned) return m->rows;
    return m->block == LL_BLOCK_I8 && m->use == TSR_USE_A ? (m->cols + QUAD - 1) / QUAD * QUAD : m->cols;
}

uint32_t tsr_ll_block_rows(const tsr_ll_matrix *m)
{
    return m->block == LL_BLOCK_I8 && m->use == TSR_USE_B ? (m->rows + QUAD - 1) / QUAD * QUAD : m->rows;
}

uint64_t tsr_ll_block_bytes(const tsr_ll_matrix *m)
{
    uint64_t bytes = (uint64_t)(m->turned ? m->cols : tsr_ll_block_rows(m)) * tsr_ll_block_pitch(m) * block_bytes(m);
    return (bytes + 63) / 64 * 64;
}

/* The instruction that makes %to of %from, as text before the type and after it; "" when the types are equal. */
static const char *conversion(const tsr_ll_matrix *m, bool store)
{
    if (strcmp(array_type(m), block_type(m)) == 0) return "";
    if (m->component == TSR_F16) return store ? "fptrunc" : "fpext";
    return store ? "trunc" : m->component == TSR_S8 ? "sext" : "zext";
}

/* %cell: the place in the block of component (%i, %j). */
static void write_cell(tsr_ll *e, const tsr_ll_matrix *m)
{
    tsr_text_printf(&e->tail, "  %%row = mul i64 %%%s, %u\n  %%cell = add i64 %%row, %%%s\n", m->turned ? "j" : "i",
                    tsr_ll_block_pitch(m), m->turned ? "i" : "j");
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

/* All inside, component by component. */
static void write_slow_mover(tsr_ll *e, const char *name, const tsr_ll_matrix *m, bool col_major, bool store)
{
    tsr_text *t = &e->tail;
    tsr_text_printf(
        t,
        "define internal void @%s(ptr %%block, ptr %%array, i64 %%offset, i64 %%stride) noinline nounwind {\n"
        "  br label %%rows\nrows:\n  %%i = phi i64 [ 0, %%0 ], [ %%i1, %%rowend ]\n  br label %%cols\ncols:\n"
        "  %%j = phi i64 [ 0, %%rows ], [ %%j1, %%cols ]\n",
        name);
    tsr_text_printf(
        t,
        "  %%major = mul i64 %%stride, %%%s\n  %%start = add i64 %%offset, %%major\n  %%at = add i64 %%start, %%%s\n",
        col_major ? "j" : "i", col_major ? "i" : "j");
    write_cell(e, m);
    write_element(e, m, store);
    tsr_text_printf(
        t,
        "  %%j1 = add i64 %%j, 1\n  %%jd = icmp eq i64 %%j1, %u\n"
        "  br i1 %%jd, label %%rowend, label %%cols\nrowend:\n  %%i1 = add i64 %%i, 1\n  %%id = icmp eq i64 %%i1, %u\n"
        "  br i1 %%id, label %%end, label %%rows\nend:\n",
        m->cols, m->rows);
}

/* Along k, room for a multiple of four, zero there. */
static void write_pad(tsr_ll *e, const tsr_ll_matrix *m)
{
    tsr_text *t = &e->tail;
    uint32_t pitch = tsr_ll_block_pitch(m), rows = tsr_ll_block_rows(m), next = 0;
    if (m->block != LL_BLOCK_I8 || m->pitch) return;
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = i < m->rows ? m->cols : 0; j < pitch; j++, next++)
            tsr_text_printf(t,
                            "  %%pad%u = getelementptr i8, ptr %%block, i64 %u\n  store i8 0, ptr %%pad%u, align 1\n",
                            next, i * pitch + j, next);
}

/* All inside, rows together in memory: a row at a time, or a part of one. */
static void write_row_mover(tsr_ll *e, const char *name, const tsr_ll_matrix *m, bool store)
{
    tsr_text *t = &e->tail;
    const char *a = array_type(m), *b = block_type(m), *op = conversion(m, store);
    uint32_t bytes = tsr_component_bits((tsr_component)m->component) / 8;
    uint32_t n = m->cols <= ROW_MOST ? m->cols : ROW_PART, parts = m->cols / n;
    tsr_text_printf(t,
                    "define internal void @%s(ptr %%block, ptr %%array, i64 %%offset, i64 %%stride) "
                    "noinline nounwind {\n"
                    "  br label %%rows\nrows:\n  %%q = phi i64 [ 0, %%0 ], [ %%q1, %%rows ]\n"
                    "  %%i = udiv i64 %%q, %u\n  %%part = urem i64 %%q, %u\n  %%j = mul i64 %%part, %u\n"
                    "  %%major = mul i64 %%stride, %%i\n  %%begin = add i64 %%offset, %%major\n"
                    "  %%at = add i64 %%begin, %%j\n"
                    "  %%pa = getelementptr %s, ptr %%array, i64 %%at\n",
                    name, parts, parts, n, a);
    write_cell(e, m);
    tsr_text_printf(t, "  %%pb = getelementptr %s, ptr %%block, i64 %%cell\n", b);
    tsr_text_printf(t, "  %%x = load <%u x %s>, ptr %%%s, align %u\n", n, store ? b : a, store ? "pb" : "pa",
                    store ? block_bytes(m) : bytes);
    if (*op) tsr_text_printf(t, "  %%y = %s <%u x %s> %%x to <%u x %s>\n", op, n, store ? b : a, n, store ? a : b);
    tsr_text_printf(t, "  store <%u x %s> %%%s, ptr %%%s, align %u\n", n, store ? a : b, *op ? "y" : "x",
                    store ? "pa" : "pb", store ? bytes : block_bytes(m));
    tsr_text_printf(
        t, "  %%q1 = add i64 %%q, 1\n  %%qd = icmp eq i64 %%q1, %u\n  br i1 %%qd, label %%end, label %%rows\nend:\n",
        m->rows * parts);
}

const char *tsr_ll_block_mover(tsr_ll *e, const tsr_ll_matrix *m, bool col_major, bool store)
{
    char name[96];
    bool rows = !col_major && (m->cols <= ROW_MOST || m->cols % ROW_PART == 0);
    snprintf(name, sizeof name, "tsr_%s_%s%u%u_%ux%u_%u%s%s", store ? "store" : "load",
             tsr_component_name((tsr_component)m->component), m->block, m->use, m->rows, m->cols, m->pitch,
             col_major ? "_t" : "", m->turned ? "_turned" : "");
    if (!tsr_ll_once(e, name)) return tsr_ll_keep(e, name);
    if (rows)
        write_row_mover(e, name, m, store);
    else
        write_slow_mover(e, name, m, col_major, store);
    if (!store) write_pad(e, m);
    tsr_text_puts(&e->tail, "  ret void\n}\n\n");
    return tsr_ll_keep(e, name);
}

const char *tsr_ll_block_part(tsr_ll *e, tsr_id id, const tsr_ll_matrix *m, bool col_major, bool store)
{
    char name[32];
    bool wide = m->block == LL_BLOCK_F32 || m->block == LL_BLOCK_I32;
    uint32_t flags = (store ? TSR_PART_STORE : 0) | (col_major ? TSR_PART_COL_MAJOR : 0) |
                     (m->turned ? TSR_PART_TURNED : 0) | (wide ? TSR_PART_WIDE : 0);
    const uint32_t words[TSR_PART_WORDS] = {[TSR_PART_ID] = id,
                                            [TSR_PART_FLAGS] = flags,
                                            [TSR_PART_COMPONENT] = m->component,
                                            [TSR_PART_ROWS] = m->rows,
                                            [TSR_PART_COLS] = m->cols,
                                            [TSR_PART_PITCH] = tsr_ll_block_pitch(m),
                                            [TSR_PART_PADDED_ROWS] = m->pitch ? m->rows : tsr_ll_block_rows(m)};
    snprintf(name, sizeof name, "tsr_part_%u", (unsigned)tsr_ll_new(e));
    tsr_text_printf(&e->tail, "@%s = internal constant [%u x i32] [", name, (unsigned)TSR_PART_WORDS);
    for (uint32_t i = 0; i < TSR_PART_WORDS; i++)
        tsr_text_printf(&e->tail, "%si32 %u", i ? ", " : "", (unsigned)words[i]);
    tsr_text_puts(&e->tail, "], align 4\n\n");
    return tsr_ll_keep(e, name);
}

/* ---- With a scalar. */

/* A result of f16 or of 8 bits is kept wider, but is what the component can hold. */
static void write_wrap(tsr_text *t, const tsr_ll_matrix *m, uint32_t lanes)
{
    if (m->component == TSR_F16)
        tsr_text_printf(
            t, "  %%h = fptrunc <%u x float> %%r to <%u x half>\n  %%z = fpext <%u x half> %%h to <%u x float>\n",
            lanes, lanes, lanes, lanes);
    else
        tsr_text_printf(t, "  %%h = trunc <%u x i32> %%r to <%u x i8>\n  %%z = %s <%u x i8> %%h to <%u x i32>\n", lanes,
                        lanes, m->component == TSR_S8 ? "sext" : "zext", lanes, lanes);
}

/* %r = %a op %v on a vector of the block; halves by way of floats. */
static void write_scalar_op(tsr_text *t, const tsr_ll_matrix *m, const char *word, uint32_t lanes)
{
    bool is_half = m->block == LL_BLOCK_F16, is_float = m->block == LL_BLOCK_F32;
    if (!is_half) {
        tsr_text_printf(t, "  %%r = %s%s <%u x %s> %%a, %%v\n", is_float ? "f" : "", word, lanes, block_type(m));
        return;
    }
    tsr_text_printf(t,
                    "  %%af = fpext <%u x half> %%a to <%u x float>\n  %%vf = fpext <%u x half> %%v to <%u x float>\n"
                    "  %%rf = f%s <%u x float> %%af, %%vf\n  %%r = fptrunc <%u x float> %%rf to <%u x half>\n",
                    lanes, lanes, lanes, lanes, word, lanes, lanes, lanes);
}

const char *tsr_ll_block_scalar(tsr_ll *e, const tsr_ll_matrix *m, tsr_op op)
{
    char name[96];
    bool is_float = m->block == LL_BLOCK_F32 || m->block == LL_BLOCK_F16;
    const char *type = block_type(m), *arg = is_float ? "float" : "i32";
    bool narrow = m->component == TSR_F16 || m->component == TSR_U8 || m->component == TSR_S8;
    bool wider = narrow && (m->block == LL_BLOCK_F32 || m->block == LL_BLOCK_I32);
    uint32_t lanes = 64 / block_bytes(m), bytes = (uint32_t)tsr_ll_block_bytes(m);
    const char *word = op == TSR_OP_madd ? "add" : op == TSR_OP_msub ? "sub" : "mul";
    snprintf(name, sizeof name, "tsr_%s_%s%u%u_%ux%u", tsr_op_table[op].name,
             tsr_component_name((tsr_component)m->component), m->block, m->use, m->rows, m->cols);
    if (!tsr_ll_once(e, name)) return tsr_ll_keep(e, name);
    tsr_text *t = &e->tail;
    tsr_text_printf(t, "define internal void @%s(ptr %%block, ptr %%from, %s %%x) noinline nounwind {\n", name, arg);
    if (strcmp(type, arg) != 0)
        tsr_text_printf(t, "  %%s = %s %s %%x to %s\n", is_float ? "fptrunc" : "trunc", arg, type);
    else
        tsr_text_printf(t, "  %%s = %s %s %%x to %s\n", "bitcast", arg, type);
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
        tsr_text_printf(t, "  %%a = load <%u x %s>, ptr %%q, align 64\n", lanes, type);
        write_scalar_op(t, m, word, lanes);
        if (wider) write_wrap(t, m, lanes);
        tsr_text_printf(t, "  store <%u x %s> %%%s, ptr %%p, align 64\n", lanes, type, wider ? "z" : "r");
    }
    tsr_text_printf(
        t, "  %%i1 = add i64 %%i, 64\n  %%id = icmp eq i64 %%i1, %u\n  br i1 %%id, label %%end, label %%loop\nend:\n",
        bytes);
    write_pad(e, m);
    tsr_text_puts(t, "  ret void\n}\n\n");
    return tsr_ll_keep(e, name);
}
