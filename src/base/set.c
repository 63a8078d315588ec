/* Sets as binary tries over words of 64 members, as in Okasaki, Gill: Fast mergeable integer maps, 1998. */
#include "base/set.h"

#include <stddef.h>

#define WORD_BITS 64u

/* Sums of neighbours in fields that double in width: Warren, Hacker's Delight, section 5-1. */
static uint32_t count_bits(uint64_t word)
{
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (uint32_t)(word * 0x0101010101010101u >> 56);
}

static uint32_t lowest_bit(uint64_t word)
{
    return count_bits((word & (0 - word)) - 1);
}

static const tsr_set *make_leaf(const tsr_sets *in, uint32_t first, uint64_t word)
{
    tsr_set *s = TSR_NEW(in->arena, tsr_set);
    *s = (tsr_set){.count = count_bits(word), .first = first, .span = 1, .word = word};
    for (uint64_t left = word; in->weights && left; left &= left - 1)
        s->weight += in->weights[(size_t)first * WORD_BITS + lowest_bit(left)];
    return s;
}

static const tsr_set *make_inner(const tsr_sets *in, uint32_t span, const tsr_set *low, const tsr_set *high)
{
    tsr_set *s = TSR_NEW(in->arena, tsr_set);
    *s = (tsr_set){.count = low->count + high->count,
                   .weight = low->weight + high->weight,
                   .first = low->first & (0u - span),
                   .span = span,
                   .half = {low, high}};
    return s;
}

/* Two sets of which neither's piece holds the other's. */
static const tsr_set *join(const tsr_sets *in, const tsr_set *a, const tsr_set *b)
{
    uint32_t span = 2 * (a->span > b->span ? a->span : b->span);
    while ((a->first ^ b->first) & (0u - span))
        span *= 2;
    return a->first < b->first ? make_inner(in, span, a, b) : make_inner(in, span, b, a);
}

static const tsr_set *join_leaves(const tsr_sets *in, const tsr_set *a, const tsr_set *b)
{
    uint64_t word = a->word | b->word;
    if (word == a->word) return a;
    return word == b->word ? b : make_leaf(in, a->first, word);
}

/* a's piece holds b's and is larger. */
static const tsr_set *put_inside(const tsr_sets *in, const tsr_set *a, const tsr_set *b)
{
    int side = (b->first & a->span / 2) != 0;
    const tsr_set *half = tsr_set_union(in, a->half[side], b);
    if (half == a->half[side]) return a;
    return side ? make_inner(in, a->span, a->half[0], half) : make_inner(in, a->span, half, a->half[1]);
}

/* As deep as a number of words has bits. */
const tsr_set *tsr_set_union(const tsr_sets *in, const tsr_set *a, const tsr_set *b)
{
    if (!b || a == b) return a;
    if (!a) return b;
    uint32_t span = a->span > b->span ? a->span : b->span;
    if ((a->first ^ b->first) & (0u - span)) return join(in, a, b);
    if (a->span != b->span) return a->span > b->span ? put_inside(in, a, b) : put_inside(in, b, a);
    if (span == 1) return join_leaves(in, a, b);
    const tsr_set *low = tsr_set_union(in, a->half[0], b->half[0]), *high = tsr_set_union(in, a->half[1], b->half[1]);
    /* By count: equal parts need not be the same ones. */
    if (low->count + high->count == a->count) return a;
    return low->count + high->count == b->count ? b : make_inner(in, span, low, high);
}

const tsr_set *tsr_set_with_all(const tsr_sets *in, const tsr_set *s, const uint32_t *numbers, uint32_t count)
{
    for (uint32_t i = 0; i < count;) {
        uint32_t first = numbers[i] / WORD_BITS;
        uint64_t word = 0;
        for (; i < count && numbers[i] / WORD_BITS == first; i++)
            word |= (uint64_t)1 << numbers[i] % WORD_BITS;
        s = tsr_set_union(in, s, make_leaf(in, first, word));
    }
    return s;
}

const tsr_set *tsr_set_with(const tsr_sets *in, const tsr_set *s, uint32_t number)
{
    return tsr_set_has(s, number) ? s : tsr_set_with_all(in, s, &number, 1);
}

bool tsr_set_has(const tsr_set *s, uint32_t number)
{
    uint32_t word = number / WORD_BITS;
    if (!s) return false;
    while (s->span > 1)
        s = s->half[(word & s->span / 2) != 0];
    return s->first == word && (s->word >> number % WORD_BITS & 1);
}

uint32_t tsr_set_count(const tsr_set *s)
{
    return s ? s->count : 0;
}

uint64_t tsr_set_weight(const tsr_set *s)
{
    return s ? s->weight : 0;
}

uint32_t tsr_set_at(const tsr_set *s, uint32_t i)
{
    while (s->span > 1) {
        bool low = i < s->half[0]->count;
        if (!low) i -= s->half[0]->count;
        s = s->half[low ? 0 : 1];
    }
    uint64_t left = s->word;
    while (i-- > 0)
        left &= left - 1;
    return s->first * WORD_BITS + lowest_bit(left);
}
