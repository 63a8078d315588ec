/* How values lie: words of a lane for every type, and for values in workgroup memory and bindings the bytes of each of
 * their scalars. Parts have smaller type numbers than what is made of them, so one ascending pass suffices. */
#include "exec/inside.h"

#include <string.h>

/* Scalars of one value in memory are described by runs; this many are 24 MiB of description. */
#define LEAF_RUNS_MAX (1u << 20)

static uint64_t multiply_words(uint64_t words, uint64_t count)
{
    if (words >= TSR_WORDS_HUGE) return words;
    return words != 0 && count > TSR_FRAME_WORDS_MAX / words ? TSR_WORDS_HUGE : words * count;
}

static uint64_t add_words(uint64_t a, uint64_t b)
{
    if (a >= TSR_WORDS_HUGE) return a;
    if (b >= TSR_WORDS_HUGE) return b;
    return a + b > TSR_FRAME_WORDS_MAX ? TSR_WORDS_HUGE : a + b;
}

static uint64_t matrix_words(const tsr_decode *d, const tsr_type_info *t)
{
    uint64_t components = (uint64_t)t->size.value * t->size2.value;
    if (components == 0 || components % d->in->subgroup_size != 0) return TSR_WORDS_UNDIVIDED;
    uint64_t a_lane = components / d->in->subgroup_size;
    return multiply_words(a_lane, tsr_component_words((tsr_component)t->component));
}

static uint64_t struct_words(const tsr_decode *d, const tsr_type_info *t)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < t->member_count; i++)
        sum = add_words(sum, d->type_words[t->members[i].type]);
    return sum;
}

static uint64_t words_of(const tsr_decode *d, const tsr_type_info *t)
{
    switch (t->kind) {
    case TSR_T_bool:
    case TSR_T_i32:
    case TSR_T_u32:
    case TSR_T_f32:
    case TSR_T_f16:
    case TSR_T_atomic: return 1;
    case TSR_T_vec: return t->count;
    case TSR_T_mat: return (uint64_t)t->count * t->rows;
    case TSR_T_array:
        return t->size.value == 0 ? TSR_WORDS_NONE : multiply_words(d->type_words[t->elem], t->size.value);
    case TSR_T_struct: return struct_words(d, t);
    case TSR_T_smat: return matrix_words(d, t);
    default: return TSR_WORDS_NONE;
    }
}

void tsr_layout_words(tsr_decode *d)
{
    d->type_words = TSR_NEW_ARRAY(d->arena, uint64_t, d->types->info.count);
    for (tsr_type t = 0; t < d->types->info.count; t++)
        d->type_words[t] = words_of(d, tsr_type_get(d->types, t));
}

uint32_t tsr_decode_words(tsr_decode *d, tsr_type type)
{
    uint64_t words = d->type_words[type];
    if (words < TSR_WORDS_HUGE) return (uint32_t)words;
    const char *name = tsr_type_cstr(d->types, d->arena, type);
    if (words == TSR_WORDS_UNDIVIDED)
        tsr_decode_fail(d, TSR_ERR_SHAPE, "a subgroup of %u invocations does not divide the components of %s evenly",
                        d->in->subgroup_size, name);
    else if (words == TSR_WORDS_HUGE)
        tsr_decode_fail(d, TSR_ERR_LIMIT, "a value of type %s is too large for the interpreter", name);
    else
        tsr_decode_fail(d, TSR_ERR_UNSUPPORTED, "the interpreter cannot hold a value of type %s", name);
    return 1;
}

/* ---- Scalars in memory. */

typedef struct leaf_builder {
    tsr_decode *d;
    tsr_leaf_list *list;
    uint32_t cap, word;
} leaf_builder;

static void add_leaf(leaf_builder *b, uint64_t byte, uint8_t size)
{
    tsr_leaf_list *list = b->list;
    tsr_leaves *last = list->count ? &list->runs[list->count - 1] : NULL;
    uint32_t word = b->word++;
    if (last && last->size == size) {
        if (last->count == 1) last->stride = (uint32_t)byte - last->byte;
        if (byte == last->byte + (uint64_t)last->count * last->stride) {
            last->count++;
            return;
        }
    }
    if (list->count >= LEAF_RUNS_MAX) return;
    if (list->count == b->cap) {
        b->cap = b->cap ? b->cap * 2 : 2;
        tsr_leaves *runs = TSR_NEW_ARRAY(b->d->arena, tsr_leaves, b->cap);
        if (list->count) memcpy(runs, list->runs, list->count * sizeof *runs);
        list->runs = runs;
    }
    list->runs[list->count++] =
        (tsr_leaves){.word = word, .byte = (uint32_t)byte, .count = 1, .stride = size, .size = size};
}

/* Depth is that of the type: the front end limits it (WGSL: 15 for composite types). */
static void add_type(leaf_builder *b, tsr_type type, uint64_t byte)
{
    const tsr_type_info *t = tsr_type_get(b->d->types, type);
    switch (t->kind) {
    case TSR_T_vec:
        for (uint32_t i = 0; i < t->count; i++)
            add_type(b, t->elem, byte + (uint64_t)i * tsr_type_get(b->d->types, t->elem)->size_bytes);
        break;
    case TSR_T_mat:
        for (uint32_t i = 0; i < t->count; i++)
            for (uint32_t j = 0; j < t->rows; j++)
                add_type(b, t->elem,
                         byte + (uint64_t)i * t->stride + (uint64_t)j * tsr_type_get(b->d->types, t->elem)->size_bytes);
        break;
    case TSR_T_array:
        for (uint32_t i = 0; i < t->size.value && b->list->count < LEAF_RUNS_MAX; i++)
            add_type(b, t->elem, byte + (uint64_t)i * t->stride);
        break;
    case TSR_T_struct:
        for (uint32_t i = 0; i < t->member_count; i++)
            add_type(b, t->members[i].type, byte + t->members[i].offset);
        break;
    default: add_leaf(b, byte, t->kind == TSR_T_f16 ? 2 : 4); break;
    }
}

const tsr_leaf_list *tsr_decode_leaves(tsr_decode *d, tsr_type type)
{
    tsr_leaf_list *list = &d->type_leaves[type];
    if (list->count > 0) return list;
    (void)tsr_decode_words(d, type);
    if (d->status != TSR_OK) return list;
    if (tsr_type_contains(d->types, type, TSR_T_smat)) {
        tsr_decode_fail(d, TSR_ERR_UNSUPPORTED, "a subgroup matrix cannot lie in workgroup memory or in a binding");
        return list;
    }
    leaf_builder b = {.d = d, .list = list};
    add_type(&b, type, 0);
    if (list->count >= LEAF_RUNS_MAX)
        tsr_decode_fail(d, TSR_ERR_LIMIT, "a value of type %s has too many parts to be copied at once",
                        tsr_type_cstr(d->types, d->arena, type));
    return list;
}
