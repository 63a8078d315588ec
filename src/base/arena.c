/* The arena: blocks that are filled from the front. Small pieces and large ones have blocks of their own, so that a
 * large piece that does not fit leaves the block with small ones as it is.
 *
 * A program of some size gets whole large pages, aligned as such: each is met by one fault instead of 512, and faults
 * were a third of the time that a long program took (measured: EPYC under a hypervisor, bench/front.sh). */
#ifdef __linux__
#define _DEFAULT_SOURCE /* MADV_HUGEPAGE */
#endif
#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#define ALIGN_BYTES       ((size_t)16)
#define FIRST_BLOCK_BYTES ((size_t)64 * 1024)
#define LAST_BLOCK_BYTES  ((size_t)8 * 1024 * 1024)
#define HELD_SHARE        8 /* of what is held, the part that a block of large pages may be, beyond the first page */
#define HUGE_PAGE_BYTES   ((size_t)2 * 1024 * 1024)
#define SMALL_PAGE_BYTES  ((size_t)4096)       /* where pages are larger, nothing is asked for */
#define HUGE_PAGE_FROM    ((size_t)512 * 1024) /* held: whoever has this much will want more */
#define LARGE_BYTES       ((size_t)16 * 1024)  /* from here on a piece is large */
#define MAPPED_BYTES      ((size_t)128 * 1024) /* from here on calloc maps pages, which are zero and not yet there */

struct tsr_arena_block {
    tsr_arena_block *older;
    void *memory;      /* what malloc gave: before the block, when that is aligned */
    size_t size_bytes; /* of the data, which begins HEAD_BYTES after this */
    size_t used_bytes;
};

#define HEAD_BYTES ((sizeof(struct tsr_arena_block) + ALIGN_BYTES - 1) / ALIGN_BYTES * ALIGN_BYTES)

static unsigned char *get_data(tsr_arena_block *b)
{
    return (unsigned char *)b + HEAD_BYTES;
}

_Noreturn void tsr_arena_full(tsr_arena *a)
{
    if (a->on_full) longjmp(*a->on_full, 1);
    fputs("tessera: out of memory\n", stderr);
    abort();
}

void tsr_arena_init(tsr_arena *a, jmp_buf *on_full)
{
    *a = (tsr_arena){.on_full = on_full};
}

/* Frees the blocks of a list down to `stop`, which stays. */
static void free_blocks(tsr_arena *a, tsr_arena_block **list, const tsr_arena_block *stop)
{
    while (*list && *list != stop) {
        tsr_arena_block *older = (*list)->older;
        a->held_bytes -= HEAD_BYTES + (*list)->size_bytes;
        free((*list)->memory);
        *list = older;
    }
}

void tsr_arena_fini(tsr_arena *a)
{
    free_blocks(a, &a->top, NULL);
    free_blocks(a, &a->large, NULL);
    a->used_bytes = 0;
}

/* A system without them passes over it. */
static void ask_huge_pages(void *block, size_t size_bytes)
{
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    madvise(block, size_bytes, MADV_HUGEPAGE);
#else
    (void)block, (void)size_bytes;
#endif
}

/* The pages of a small block at once: met one by one, each is a fault, and these were a fifth of what a short program
 * took (measured as above). Elsewhere they come when they are touched. */
static void ask_pages(void *block, size_t size_bytes)
{
#if defined(__linux__) && defined(MADV_POPULATE_WRITE)
    uintptr_t from = ((uintptr_t)block + SMALL_PAGE_BYTES - 1) / SMALL_PAGE_BYTES * SMALL_PAGE_BYTES,
              to = ((uintptr_t)block + size_bytes) / SMALL_PAGE_BYTES * SMALL_PAGE_BYTES;
    if (from < to) madvise((void *)from, to - from, MADV_POPULATE_WRITE);
#else
    (void)block, (void)size_bytes;
#endif
}

static void *take_zeroed(size_t size_bytes)
{
    if (size_bytes >= MAPPED_BYTES) return calloc(1, size_bytes);
    void *p = malloc(size_bytes);
    if (!p) return NULL;
    ask_pages(p, size_bytes);
    return memset(p, 0, size_bytes);
}

static size_t round_up(size_t bytes, size_t to)
{
    return (bytes + to - 1) / to * to;
}

static bool is_within_limit(const tsr_arena *a, size_t total)
{
    return !a->limit_bytes || (a->held_bytes <= a->limit_bytes && total <= a->limit_bytes - a->held_bytes);
}

/* The size of the next block of a list, which must have room for `need` bytes. */
static size_t choose_block_bytes(const tsr_arena *a, tsr_arena_block *const *list, size_t need)
{
    size_t least = HEAD_BYTES + need, total = least;
    if (a->held_bytes + least >= HUGE_PAGE_FROM) {
        size_t share = list == &a->top ? a->held_bytes / HELD_SHARE : 0;
        if (share > LAST_BLOCK_BYTES) share = LAST_BLOCK_BYTES;
        total = round_up(least > share ? least : share, HUGE_PAGE_BYTES);
    } else if (list == &a->top) {
        size_t doubled = *list ? ((*list)->size_bytes + HEAD_BYTES) * 2 : FIRST_BLOCK_BYTES;
        if (total < doubled) total = doubled;
    }
    return is_within_limit(a, total) ? total : least;
}

/* A block of zeros in front of *list. Memory that is over at the end of an aligned one is never touched. */
static tsr_arena_block *add_block(tsr_arena *a, tsr_arena_block **list, size_t need)
{
    size_t total = choose_block_bytes(a, list, need);
    bool huge = total % HUGE_PAGE_BYTES == 0;
    if (!is_within_limit(a, total)) tsr_arena_full(a);
    unsigned char *memory = take_zeroed(huge ? total + HUGE_PAGE_BYTES : total);
    if (!memory) tsr_arena_full(a);
    size_t past = (uintptr_t)memory % HUGE_PAGE_BYTES;
    tsr_arena_block *b = (tsr_arena_block *)(void *)(huge && past ? memory + (HUGE_PAGE_BYTES - past) : memory);
    if (huge) ask_huge_pages(b, total);
    *b = (tsr_arena_block){.older = *list, .memory = memory, .size_bytes = total - HEAD_BYTES};
    a->held_bytes += total;
    *list = b;
    return b;
}

void *tsr_arena_alloc(tsr_arena *a, size_t size_bytes)
{
    if (size_bytes > SIZE_MAX / 2) tsr_arena_full(a);
    size_t need = round_up(size_bytes ? size_bytes : 1, ALIGN_BYTES);
    tsr_arena_block *b = a->top, **list = &a->top;
    if (b && need >= LARGE_BYTES && need > b->size_bytes - b->used_bytes) b = *(list = &a->large);
    if (!b || need > b->size_bytes - b->used_bytes) b = add_block(a, list, need);
    void *p = get_data(b) + b->used_bytes;
    b->used_bytes += need;
    a->used_bytes += need;
    return p;
}

void *tsr_arena_array(tsr_arena *a, size_t count, size_t size_bytes)
{
    if (size_bytes && count > SIZE_MAX / size_bytes) tsr_arena_full(a);
    return tsr_arena_alloc(a, count * size_bytes);
}

char *tsr_arena_strndup(tsr_arena *a, const char *s, size_t len)
{
    char *copy = tsr_arena_alloc(a, len + 1);
    if (len) memcpy(copy, s, len);
    return copy;
}

static size_t get_used(const tsr_arena_block *b)
{
    return b ? b->used_bytes : 0;
}

tsr_arena_mark tsr_arena_get_mark(const tsr_arena *a)
{
    return (tsr_arena_mark){a->top, a->large, get_used(a->top), get_used(a->large), a->used_bytes};
}

static void reset_list(tsr_arena *a, tsr_arena_block **list, const tsr_arena_block *block, size_t used_bytes)
{
    free_blocks(a, list, block);
    if (!*list) return;
    memset(get_data(*list) + used_bytes, 0, (*list)->used_bytes - used_bytes);
    (*list)->used_bytes = used_bytes;
}

void tsr_arena_reset(tsr_arena *a, tsr_arena_mark mark)
{
    reset_list(a, &a->top, mark.top, mark.top_used);
    reset_list(a, &a->large, mark.large, mark.large_used);
    a->used_bytes = mark.used_bytes;
}
