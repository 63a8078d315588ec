/* One arena per compilation: memory is taken in pieces and given back in one call.
 *
 * Never returns NULL: when memory or the limit runs out it jumps to *on_full (CONTRIBUTING.md, Memory), so code between
 * the setjmp and the allocation holds no file, lock or driver object. Memory is zeroed and 16-byte aligned. */
#ifndef TSR_BASE_ARENA_H
#define TSR_BASE_ARENA_H

#include <setjmp.h>
#include <stddef.h>

typedef struct tsr_arena_block tsr_arena_block;

typedef struct tsr_arena {
    tsr_arena_block *top;   /* newest block first */
    tsr_arena_block *large; /* blocks for large pieces, newest first */
    size_t used_bytes;      /* given out, all blocks */
    size_t held_bytes;      /* taken from malloc */
    size_t limit_bytes;     /* 0: no limit */
    jmp_buf *on_full;       /* must outlive every allocation; NULL aborts (tools and tests only) */
} tsr_arena;

typedef struct tsr_arena_mark {
    tsr_arena_block *top, *large;
    size_t top_used, large_used; /* of these blocks */
    size_t used_bytes;
} tsr_arena_mark;

/* What running out does: jumps to *on_full, or aborts. For callers that meet a limit of their own. */
_Noreturn void tsr_arena_full(tsr_arena *a);
void tsr_arena_init(tsr_arena *a, jmp_buf *on_full);
void tsr_arena_fini(tsr_arena *a);
void *tsr_arena_alloc(tsr_arena *a, size_t size_bytes);
/* count * size_bytes with the overflow checked. */
void *tsr_arena_array(tsr_arena *a, size_t count, size_t size_bytes);
char *tsr_arena_strndup(tsr_arena *a, const char *s, size_t len);
tsr_arena_mark tsr_arena_get_mark(const tsr_arena *a);
/* Gives back everything taken since the mark. */
void tsr_arena_reset(tsr_arena *a, tsr_arena_mark mark);

#define TSR_NEW(arena, type)              ((type *)tsr_arena_alloc((arena), sizeof(type)))
#define TSR_NEW_ARRAY(arena, type, count) ((type *)tsr_arena_array((arena), (count), sizeof(type)))

#endif
