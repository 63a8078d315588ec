/* The arena: blocks that double from 64 KB to 8 MB, filled from the front, none larger than an eighth of what is held
 * already once past 1 MB. What would waste a block gets one of its own, on a second list, so that the block being
 * filled stays the one being filled. Large blocks ask for large pages, which are met by one fault instead of 512. */
#ifdef __linux__
#define _DEFAULT_SOURCE /* MADV_HUGEPAGE */
#endif
#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#define ALIGN_BYTES        ((size_t)16)
#define FIRST_BLOCK_BYTES  ((size_t)64 * 1024)
#define MIDDLE_BLOCK_BYTES ((size_t)1024 * 1024)
#define LAST_BLOCK_BYTES   ((size_t)8 * 1024 * 1024)
#define HELD_SHARE         8 /* of what is held, the part that a block past MIDDLE_BLOCK_BYTES may be */
#define HUGE_PAGE_BYTES    ((size_t)2 * 1024 * 1024)
#define BIG_BYTES          ((size_t)16 * 1024) /* what does not fit and is this large gets a block of its own */

struct tsr_arena_block {
    tsr_arena_block *older;
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
        free(*list);
        *list = older;
    }
}

void tsr_arena_fini(tsr_arena *a)
{
    free_blocks(a, &a->top, NULL);
    free_blocks(a, &a->big, NULL);
    a->used_bytes = 0;
}

/* Only whole large pages within the block; a system without them passes over it. */
static void ask_huge_pages(void *block, size_t size_bytes)
{
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    uintptr_t from = ((uintptr_t)block + HUGE_PAGE_BYTES - 1) / HUGE_PAGE_BYTES * HUGE_PAGE_BYTES;
    uintptr_t to = ((uintptr_t)block + size_bytes) / HUGE_PAGE_BYTES * HUGE_PAGE_BYTES;
    if (to > from) madvise((void *)from, to - from, MADV_HUGEPAGE);
#else
    (void)block, (void)size_bytes;
#endif
}

/* A block of zeros in front of *list. */
static tsr_arena_block *add_block(tsr_arena *a, tsr_arena_block **list, size_t size_bytes)
{
    size_t total = HEAD_BYTES + size_bytes;
    if (a->limit_bytes && (a->held_bytes > a->limit_bytes || total > a->limit_bytes - a->held_bytes)) tsr_arena_full(a);
    tsr_arena_block *b = calloc(1, total);
    if (!b) tsr_arena_full(a);
    if (total > HUGE_PAGE_BYTES) ask_huge_pages(b, total);
    b->older = *list;
    b->size_bytes = size_bytes;
    a->held_bytes += total;
    *list = b;
    return b;
}

static size_t next_block_bytes(const tsr_arena *a)
{
    if (!a->top) return FIRST_BLOCK_BYTES;
    size_t last = a->top->size_bytes, next = last < LAST_BLOCK_BYTES ? last * 2 : LAST_BLOCK_BYTES;
    return next > MIDDLE_BLOCK_BYTES && next > a->held_bytes / HELD_SHARE ? last : next;
}

void *tsr_arena_alloc(tsr_arena *a, size_t size_bytes)
{
    if (size_bytes > SIZE_MAX / 2) tsr_arena_full(a);
    size_t need = (size_bytes ? size_bytes + ALIGN_BYTES - 1 : ALIGN_BYTES) / ALIGN_BYTES * ALIGN_BYTES;
    tsr_arena_block *b = a->top;
    if (!b || need > b->size_bytes - b->used_bytes)
        b = need >= BIG_BYTES ? add_block(a, &a->big, need) : add_block(a, &a->top, next_block_bytes(a));
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

tsr_arena_mark tsr_arena_get_mark(const tsr_arena *a)
{
    return (tsr_arena_mark){a->top, a->top ? a->top->used_bytes : 0, a->used_bytes, a->big};
}

void tsr_arena_reset(tsr_arena *a, tsr_arena_mark mark)
{
    free_blocks(a, &a->top, mark.block);
    free_blocks(a, &a->big, mark.big);
    if (a->top) {
        memset(get_data(a->top) + mark.block_used, 0, a->top->used_bytes - mark.block_used);
        a->top->used_bytes = mark.block_used;
    }
    a->used_bytes = mark.used_bytes;
}
