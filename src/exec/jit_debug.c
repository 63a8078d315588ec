/* Tells debuggers and profilers of loaded code. gdb reads objects through a list and a function that it puts a
 * breakpoint on (GDB manual, "JIT Compilation Interface"); perf reads a file of addresses and names,
 * /tmp/perf-PID.map (Linux, tools/perf/Documentation/jit-interface.txt). */
#include "exec/jit_inside.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- gdb. The names and the layout are the interface's. */

enum { JIT_NOACTION, JIT_REGISTER, JIT_UNREGISTER };

struct jit_code_entry {
    struct jit_code_entry *next_entry, *prev_entry;
    const char *symfile_addr;
    uint64_t symfile_size;
};

struct jit_descriptor {
    uint32_t version, action_flag;
    struct jit_code_entry *relevant_entry, *first_entry;
};

#if defined(__GNUC__)
#define SEEN_BY_GDB __attribute__((used))
#define STAYS       __attribute__((noinline))
#else
#define SEEN_BY_GDB
#define STAYS
#endif

static SEEN_BY_GDB STAYS void __jit_debug_register_code(void)
{
#if defined(__GNUC__)
    __asm__ volatile(""); /* so that calls are not dropped */
#endif
}

static SEEN_BY_GDB struct jit_descriptor __jit_debug_descriptor = {.version = 1};
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;

struct tsr_debug {
    struct jit_code_entry entry;
    unsigned char file[];
};

/* The object as a debugger wants it: each section says where it was loaded. */
tsr_debug *tsr_debug_register(const unsigned char *file, size_t bytes, const unsigned char *memory, const size_t *place)
{
    tsr_debug *d = malloc(sizeof *d + bytes);
    if (!d) return NULL;
    memcpy(d->file, file, bytes);
    const Elf64_Ehdr *head = (const void *)file;
    for (uint32_t i = 0; i < head->e_shnum; i++) {
        uint64_t at = (uint64_t)(uintptr_t)(memory + place[i]);
        if (place[i] != SIZE_MAX)
            memcpy(d->file + head->e_shoff + i * sizeof(Elf64_Shdr) + offsetof(Elf64_Shdr, sh_addr), &at, sizeof at);
    }
    d->entry = (struct jit_code_entry){.symfile_addr = (const char *)d->file, .symfile_size = bytes};
    pthread_mutex_lock(&list_lock);
    d->entry.next_entry = __jit_debug_descriptor.first_entry;
    if (d->entry.next_entry) d->entry.next_entry->prev_entry = &d->entry;
    __jit_debug_descriptor.first_entry = &d->entry;
    __jit_debug_descriptor.relevant_entry = &d->entry;
    __jit_debug_descriptor.action_flag = JIT_REGISTER;
    __jit_debug_register_code();
    pthread_mutex_unlock(&list_lock);
    return d;
}

void tsr_debug_unregister(tsr_debug *d)
{
    if (!d) return;
    pthread_mutex_lock(&list_lock);
    if (d->entry.next_entry) d->entry.next_entry->prev_entry = d->entry.prev_entry;
    if (d->entry.prev_entry)
        d->entry.prev_entry->next_entry = d->entry.next_entry;
    else
        __jit_debug_descriptor.first_entry = d->entry.next_entry;
    __jit_debug_descriptor.relevant_entry = &d->entry;
    __jit_debug_descriptor.action_flag = JIT_UNREGISTER;
    __jit_debug_register_code();
    pthread_mutex_unlock(&list_lock);
    free(d);
}

/* ---- perf. */

void tsr_debug_perf_name(const void *from, size_t bytes, const char *name, uint32_t line)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/perf-%ld.map", (long)getpid());
    pthread_mutex_lock(&list_lock);
    FILE *f = fopen(path, "a");
    if (f && line)
        fprintf(f, "%llx %zx %s:%u\n", (unsigned long long)(uintptr_t)from, bytes, name, (unsigned)line);
    else if (f)
        fprintf(f, "%llx %zx %s\n", (unsigned long long)(uintptr_t)from, bytes, name);
    if (f) fclose(f);
    pthread_mutex_unlock(&list_lock);
}
