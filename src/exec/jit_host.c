/* What the code calls back for: ops that it leaves to the interpreter's functions, and what is short and rare. */
#include "exec/jit_inside.h"

#include "base/number.h"
#include "coopmat/numerics.h"
#include "ir/eval.h"
#include "ir/native.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void tsr_jit_eval(uint32_t what, uint64_t n, const void *a, const void *b, const void *c, const void *d, void *result)
{
    const void *args[4] = {a, b, c, d};
    tsr_eval_fn eval = what >> 31 ? tsr_eval_convert((tsr_type_kind)(what >> 8 & 0xff), (tsr_type_kind)(what & 0xff))
                                  : tsr_eval_find((tsr_op)(what >> 8), (tsr_type_kind)(what & 0xff));
    if (eval) (void)eval((size_t)n, args, result);
}

/* Blocks hold operands of f16 and 8 bits as they are, the latter with room for a multiple of four along k, and their
 * results wider (emit/llvm_inside.h); the model wants words. */
typedef enum side { LEFT, RIGHT, RESULT } side;

static uint32_t to_word(tsr_component c, side s, const void *from, size_t at)
{
    uint32_t word;
    if (s != RESULT && c == TSR_F16) return ((const uint16_t *)from)[at];
    if (s != RESULT && (c == TSR_U8 || c == TSR_S8)) return tsr_component_wrap(c, ((const uint8_t *)from)[at]);
    memcpy(&word, (const unsigned char *)from + at * 4, 4);
    return c == TSR_F16 ? tsr_f16_from_f32(tsr_f32_from_bits(word)) : word;
}

static void to_words(tsr_component c, side s, uint32_t rows, uint32_t cols, const void *from, uint32_t *to)
{
    bool padded = s == LEFT && (c == TSR_U8 || c == TSR_S8);
    size_t pitch = padded ? (size_t)(cols + 3) / 4 * 4 : cols;
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < cols; j++)
            to[(size_t)i * cols + j] = to_word(c, s, from, i * pitch + j);
}

void tsr_jit_mma(const uint32_t *what, const void *a, const void *b, const void *c, void *r)
{
    tsr_mma d = {.shape = {what[0], what[1], what[2]},
                 .a = (tsr_component)what[3],
                 .b = (tsr_component)what[4],
                 .c = (tsr_component)what[5],
                 .r = (tsr_component)what[6],
                 .saturating = what[7] != 0};
    tsr_shape s = d.shape;
    size_t counts[4] = {(size_t)s.m * s.k, (size_t)s.k * s.n, (size_t)s.m * s.n, (size_t)s.m * s.n};
    size_t total = counts[0] + counts[1] + counts[2] + counts[3] + tsr_mma_scratch_words(&d);
    uint32_t *words = malloc(total * sizeof *words);
    if (!words) return; /* nobody to tell: the result keeps what it had */
    uint32_t *wa = words, *wb = wa + counts[0], *wc = wb + counts[1], *wr = wc + counts[2], *scratch = wr + counts[3];
    to_words(d.a, LEFT, s.m, s.k, a, wa);
    to_words(d.b, RIGHT, s.k, s.n, b, wb);
    to_words(d.c, RESULT, s.m, s.n, c, wc);
    tsr_mma_reference(&d, wa, wb, wc, wr, scratch);
    for (size_t i = 0; i < counts[3]; i++) {
        uint32_t word = d.r == TSR_F16 ? tsr_bits_from_f32(tsr_f16_to_f32((uint16_t)wr[i])) : wr[i];
        memcpy((unsigned char *)r + i * 4, &word, 4);
    }
    free(words);
}

/* ---- Matrices that are partly outside of their array. */

#define PADDING_MOST 3u /* components: 8-bit rows have room for a multiple of four */

static void copy_element(tsr_component c, bool wide, bool store, unsigned char *block, unsigned char *array)
{
    uint32_t word;
    uint16_t half;
    if (wide && c == TSR_F16) {
        memcpy(store ? (void *)&word : (void *)&half, store ? block : array, store ? 4 : 2);
        if (store)
            half = tsr_f16_from_f32(tsr_f32_from_bits(word));
        else
            word = tsr_bits_from_f32(tsr_f16_to_f32(half));
        memcpy(store ? array : block, store ? (void *)&half : (void *)&word, store ? 2 : 4);
    } else if (wide && (c == TSR_U8 || c == TSR_S8)) {
        word = tsr_component_wrap(c, *array);
        memcpy(store ? array : block, store ? (void *)block : (void *)&word, store ? 1 : 4);
    } else {
        memcpy(store ? array : block, store ? block : array, tsr_component_bits(c) / 8);
    }
}

void tsr_jit_part(tsr_jit_frame *f, const uint32_t *what, void *block, void *array, uint64_t offset, uint64_t stride,
                  uint64_t present)
{
    tsr_component c = (tsr_component)what[TSR_PART_COMPONENT];
    uint32_t flags = what[TSR_PART_FLAGS], rows = what[TSR_PART_ROWS], cols = what[TSR_PART_COLS],
             pitch = what[TSR_PART_PITCH];
    bool wide = flags & TSR_PART_WIDE, store = flags & TSR_PART_STORE, turned = flags & TSR_PART_TURNED;
    size_t bytes = tsr_component_bits(c) / 8, cell_bytes = wide ? 4 : bytes,
           lines = turned ? cols : what[TSR_PART_PADDED_ROWS], minor = turned ? rows : cols,
           wide_line =
               pitch > PADDING_MOST + minor ? minor : pitch; /* padding is cleared, the gaps of a view are not */
    f->oob[1]++;
    if (f->oob[2] == 0) f->oob[2] = what[TSR_PART_ID];
    for (size_t i = 0; !store && i < lines; i++)
        memset((unsigned char *)block + i * pitch * cell_bytes, 0, wide_line * cell_bytes);
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < cols; j++) {
            uint64_t at = flags & TSR_PART_COL_MAJOR ? offset + stride * j + i : offset + stride * i + j;
            size_t cell = turned ? (size_t)j * pitch + i : (size_t)i * pitch + j;
            if (at < present)
                copy_element(c, wide, store, (unsigned char *)block + cell * cell_bytes,
                             (unsigned char *)array + at * bytes);
        }
}

/* ---- Prefetch (emit/llvm_ahead.c). */

#define BURST      8u /* loads that are asked for at a time */
#define LINE_BYTES 64u

_Static_assert(offsetof(tsr_jit_ahead_table, before) == TSR_AHEAD_BEFORE, "the table of emit and exec");
_Static_assert(offsetof(tsr_jit_ahead_table, count) == TSR_AHEAD_COUNT, "the table of emit and exec");
_Static_assert(offsetof(tsr_jit_ahead_table, asked) == TSR_AHEAD_ASKED, "the table of emit and exec");

static inline void ask(tsr_jit_ahead_table *table, uint32_t lines)
{
    uint64_t *here = table->here + table->asked % TSR_AHEAD_SLOTS,
             *before = table->before + table->asked % TSR_AHEAD_SLOTS;
    for (uint32_t i = 0; i < BURST; i++) {
        uint64_t at = 2 * here[i] - before[i];
        before[i] = here[i];
        for (uint32_t l = 0; l < lines; l++)
            __builtin_prefetch((const void *)(uintptr_t)(at + l * LINE_BYTES), 0, 2);
    }
}

/* Slots without a note of this step lead to where they did. To the second cache: rows that lie a power of two apart
 * would push each other out of the first. It is called often: each number of lines is code of its own. */
void tsr_jit_ahead(tsr_jit_ahead_table *table, uint32_t lines)
{
    if (table->asked >= table->count) return;
    switch (lines) {
    case 1: ask(table, 1); break;
    case 2: ask(table, 2); break;
    case 3: ask(table, 3); break;
    default: ask(table, 4); break;
    }
    table->asked += BURST;
}
