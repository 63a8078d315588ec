/* Threads that stay from run to run: making one takes longer than a small dispatch. */
#ifndef TSR_EXEC_THREAD_POOL_H
#define TSR_EXEC_THREAD_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tsr_thread_pool tsr_thread_pool;

/* Without threads yet. NULL: out of memory. */
tsr_thread_pool *tsr_thread_pool_new(void);
/* NULL is allowed. No run may be using it. */
void tsr_thread_pool_free(tsr_thread_pool *p);

/* A pool for one run: `shared`, unless another run has it, it belongs to the parent of a forked process, or it is NULL;
 * then one of its own. NULL: out of memory. */
tsr_thread_pool *tsr_thread_pool_take(tsr_thread_pool *shared);
void tsr_thread_pool_give(tsr_thread_pool *shared, tsr_thread_pool *taken);

/* Has work(items + i * item_bytes) called for each i below `count`, in threads of the pool, as soon as they come to it;
 * `items` must stay until tsr_thread_pool_wait says so. Fewer threads than `count` will do; false: there is none. */
bool tsr_thread_pool_start(tsr_thread_pool *p, void (*work)(void *item), void *items, size_t item_bytes,
                           uint32_t count);
/* Whether all calls are over, at the latest after timeout_ns. `withdraw`: those that have not begun will not. */
bool tsr_thread_pool_wait(tsr_thread_pool *p, uint64_t timeout_ns, bool withdraw);

#endif
