/* A switch saves what the callee must keep and the stack pointer, takes the other stack pointer, and returns there. The
 * floating-point control words are the same everywhere and not switched. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "exec/fiber.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#if (defined(__x86_64__) || defined(__aarch64__)) && defined(__ELF__)
#define HAS_SWITCH 1
#else
#define HAS_SWITCH 0
#include <ucontext.h>
#endif

struct tsr_fiber {
    void *stack; /* the mapping */
    size_t bytes;
    void (*entry)(void *user);
    void *user;
#if HAS_SWITCH
    void *own, *outside; /* stack pointers */
#else
    ucontext_t own, outside;
#endif
};

#if HAS_SWITCH
void tsr_fiber_switch(void **save, void *to);
void tsr_fiber_enter(void);

#if defined(__x86_64__)
__asm__(".text\n.p2align 4\n.hidden tsr_fiber_switch\n.globl tsr_fiber_switch\n.type tsr_fiber_switch,@function\n"
        "tsr_fiber_switch:\n"
        "    pushq %rbp\n    pushq %rbx\n    pushq %r12\n    pushq %r13\n    pushq %r14\n    pushq %r15\n"
        "    movq %rsp, (%rdi)\n    movq %rsi, %rsp\n"
        "    popq %r15\n    popq %r14\n    popq %r13\n    popq %r12\n    popq %rbx\n    popq %rbp\n    ret\n"
        ".size tsr_fiber_switch,.-tsr_fiber_switch\n"
        /* A new fiber comes here with the fiber in r12 and the function to call in r13. */
        ".hidden tsr_fiber_enter\n.globl tsr_fiber_enter\n.type tsr_fiber_enter,@function\n"
        "tsr_fiber_enter:\n    movq %r12, %rdi\n    callq *%r13\n    ud2\n"
        ".size tsr_fiber_enter,.-tsr_fiber_enter\n");
#define SAVED_WORDS 6

static void *first_frame(tsr_fiber *f, void (*run)(tsr_fiber *))
{
    uintptr_t top = ((uintptr_t)f->stack + f->bytes) & ~(uintptr_t)63;
    uint64_t *sp = (uint64_t *)(top - 64);
    *--sp = (uint64_t)(uintptr_t)tsr_fiber_enter; /* where the switch returns to; the stack is then aligned to 16 */
    *--sp = 0;                                    /* rbp */
    *--sp = 0;                                    /* rbx */
    *--sp = (uint64_t)(uintptr_t)f;               /* r12 */
    *--sp = (uint64_t)(uintptr_t)run;             /* r13 */
    *--sp = 0;
    *--sp = 0;
    return sp;
}
#else
__asm__(".text\n.p2align 4\n.hidden tsr_fiber_switch\n.globl tsr_fiber_switch\n.type tsr_fiber_switch,%function\n"
        "tsr_fiber_switch:\n"
        "    sub sp, sp, #160\n"
        "    stp x19, x20, [sp, #0]\n    stp x21, x22, [sp, #16]\n    stp x23, x24, [sp, #32]\n"
        "    stp x25, x26, [sp, #48]\n    stp x27, x28, [sp, #64]\n    stp x29, x30, [sp, #80]\n"
        "    stp d8, d9, [sp, #96]\n    stp d10, d11, [sp, #112]\n    stp d12, d13, [sp, #128]\n    stp d14, d15, [sp, "
        "#144]\n"
        "    mov x9, sp\n    str x9, [x0]\n    mov sp, x1\n"
        "    ldp x19, x20, [sp, #0]\n    ldp x21, x22, [sp, #16]\n    ldp x23, x24, [sp, #32]\n"
        "    ldp x25, x26, [sp, #48]\n    ldp x27, x28, [sp, #64]\n    ldp x29, x30, [sp, #80]\n"
        "    ldp d8, d9, [sp, #96]\n    ldp d10, d11, [sp, #112]\n    ldp d12, d13, [sp, #128]\n    ldp d14, d15, [sp, "
        "#144]\n"
        "    add sp, sp, #160\n    ret\n"
        ".size tsr_fiber_switch,.-tsr_fiber_switch\n"
        ".hidden tsr_fiber_enter\n.globl tsr_fiber_enter\n.type tsr_fiber_enter,%function\n"
        "tsr_fiber_enter:\n    mov x0, x19\n    blr x20\n    brk #1\n"
        ".size tsr_fiber_enter,.-tsr_fiber_enter\n");

static void *first_frame(tsr_fiber *f, void (*run)(tsr_fiber *))
{
    uintptr_t top = ((uintptr_t)f->stack + f->bytes) & ~(uintptr_t)63;
    uint64_t *sp = (uint64_t *)(top - 64 - 160);
    for (int i = 0; i < 20; i++)
        sp[i] = 0;
    sp[0] = (uint64_t)(uintptr_t)f;                /* x19 */
    sp[1] = (uint64_t)(uintptr_t)run;              /* x20 */
    sp[11] = (uint64_t)(uintptr_t)tsr_fiber_enter; /* x30 */
    return sp;
}
#endif

static void run_fiber(tsr_fiber *f)
{
    f->entry(f->user);
    tsr_fiber_switch(&f->own, f->outside);
}

void tsr_fiber_start(tsr_fiber *f, void (*entry)(void *user), void *user)
{
    f->entry = entry;
    f->user = user;
    f->own = first_frame(f, run_fiber);
}

void tsr_fiber_resume(tsr_fiber *f)
{
    tsr_fiber_switch(&f->outside, f->own);
}

void tsr_fiber_pass(tsr_fiber *f, tsr_fiber *to)
{
    to->outside = f->outside;
    tsr_fiber_switch(&f->own, to->own);
}

#else

/* makecontext passes ints only. */
static void run_fiber(unsigned high, unsigned low)
{
    tsr_fiber *f = (tsr_fiber *)(uintptr_t)((uint64_t)high << 32 | low);
    f->entry(f->user);
    swapcontext(&f->own, &f->outside);
}

void tsr_fiber_start(tsr_fiber *f, void (*entry)(void *user), void *user)
{
    uint64_t self = (uint64_t)(uintptr_t)f;
    f->entry = entry;
    f->user = user;
    getcontext(&f->own);
    f->own.uc_stack.ss_sp = f->stack;
    f->own.uc_stack.ss_size = f->bytes;
    f->own.uc_link = NULL;
    makecontext(&f->own, (void (*)(void))run_fiber, 2, (unsigned)(self >> 32), (unsigned)self);
}

void tsr_fiber_resume(tsr_fiber *f)
{
    swapcontext(&f->outside, &f->own);
}

/* By way of the one who resumed: a context cannot be copied. */
void tsr_fiber_pass(tsr_fiber *f, tsr_fiber *to)
{
    (void)to;
    swapcontext(&f->own, &f->outside);
}
#endif

tsr_fiber *tsr_fiber_new(size_t stack_bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    tsr_fiber *f = calloc(1, sizeof *f);
    if (!f) return NULL;
    f->bytes = (stack_bytes + page - 1) / page * page + page;
    f->stack = mmap(NULL, f->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (f->stack == MAP_FAILED) {
        free(f);
        return NULL;
    }
    mprotect(f->stack, page, PROT_NONE);
    return f;
}

void tsr_fiber_free(tsr_fiber *f)
{
    if (!f) return;
    munmap(f->stack, f->bytes);
    free(f);
}

#define LARGE_PAGE ((uintptr_t)1 << 21)

void tsr_memory_large_pages(void *memory, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    uintptr_t first = ((uintptr_t)memory + LARGE_PAGE - 1) & ~(LARGE_PAGE - 1),
              last = ((uintptr_t)memory + bytes) & ~(LARGE_PAGE - 1);
    if (bytes >= LARGE_PAGE && last > first) (void)madvise((void *)first, last - first, MADV_HUGEPAGE);
#else
    (void)memory;
    (void)bytes;
#endif
}
