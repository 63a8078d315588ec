/* Stacks of their own that code runs on and switches between: x86-64 and AArch64 by hand, ucontext elsewhere. */
#ifndef TSR_EXEC_FIBER_H
#define TSR_EXEC_FIBER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct tsr_fiber tsr_fiber;

/* NULL when memory runs out. Below the stack lies a page that faults. */
tsr_fiber *tsr_fiber_new(size_t stack_bytes);
void tsr_fiber_free(tsr_fiber *f);
/* Makes the fiber run `entry(user)` when it is next resumed; what it ran before must have ended. */
void tsr_fiber_start(tsr_fiber *f, void (*entry)(void *user), void *user);
/* Runs it, and what it passes on to, until an entry returns or somebody has to be resumed: the one passed on to. */
void tsr_fiber_resume(tsr_fiber *f);
/* Called on the fiber: lets another one run, which has been started and has not ended. */
void tsr_fiber_pass(tsr_fiber *f, tsr_fiber *to);

/* Asks for large pages under memory that has not been touched: the rows of a large matrix lie on many small ones. */
void tsr_memory_large_pages(void *memory, size_t bytes);

#endif
