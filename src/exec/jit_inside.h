/* Between the files of the JIT. */
#ifndef TSR_EXEC_JIT_INSIDE_H
#define TSR_EXEC_JIT_INSIDE_H

#include "exec/jit.h"

#include "base/cache.h"
#include "ir/native.h"

#include <pthread.h>

/* ---- LLVM. */

/* An object file in malloc memory. `passes`: SHORT or LONG. */
tsr_status tsr_jit_compile(const tsr_jit_args *args, tsr_jit_passes passes, unsigned char **object, size_t *bytes,
                           tsr_text *why);
/* Names a list of passes; whatever is changed in the list shows. */
const char *tsr_jit_pass_list(tsr_jit_passes passes);

/* ---- Objects: relocatable ELF files of this machine, loaded into memory of our own. */

typedef struct tsr_debug tsr_debug;

typedef struct tsr_object {
    void *memory;
    size_t bytes;
    void *kernel;         /* tsr_kernel */
    const uint32_t *info; /* tsr_info */
    tsr_debug *debug;
} tsr_object;
/* `name` not NULL: debuggers are told of it and, with `perf`, profilers, as code of that name. */
bool tsr_object_load(const unsigned char *file, size_t bytes, const char *name, bool perf, tsr_object *out,
                     tsr_text *why);
void tsr_object_unload(tsr_object *o);

/* ---- For debuggers (gdb's interface for JITs) and profilers (perf's map file). */

/* place[i]: where section i was loaded, from `memory` on; SIZE_MAX: nowhere. NULL when memory is short. */
tsr_debug *tsr_debug_register(const unsigned char *file, size_t bytes, const unsigned char *memory,
                              const size_t *place);
void tsr_debug_unregister(tsr_debug *d);
/* line 0: of no line. */
void tsr_debug_perf_name(const void *from, size_t bytes, const char *name, uint32_t line);
/* The ranges of a .debug_line section (relocated) and their lines. */
typedef void (*tsr_line_fn)(void *user, uint64_t from, uint64_t to, uint32_t line);
void tsr_lines_read(const unsigned char *section, size_t bytes, tsr_line_fn give, void *user);

/* ---- The frame that the code runs with: the same struct as in emit/llvm.h. */

typedef struct tsr_jit_frame {
    const tsr_exec_memory *memory;
    unsigned char *group;
    void (*eval)(uint32_t what, uint64_t n, const void *a, const void *b, const void *c, const void *d, void *result);
    void (*barrier)(struct tsr_jit_frame *frame);
    const void *stop;
    void (*mma)(const uint32_t *what, const void *a, const void *b, const void *c, void *r);
    uint32_t group_id[3];
    uint32_t groups[3];
    uint32_t subgroup;
    uint32_t zero;
    uint64_t *oob; /* accesses, matrix accesses, the instruction of the first */
    uint64_t from, to;
    void (*lanes)(struct tsr_jit_frame *frame, uint32_t what, uint32_t id, void *base, void *block);
    void (*even)(struct tsr_jit_frame *frame, uint32_t what, uint32_t id, void *base, void *block, uint32_t index,
                 uint32_t index_step, uint32_t count, uint32_t offset, uint32_t offset_step);
    /* What follows is ours. */
    struct tsr_fiber *fiber;
    void (*kernel)(struct tsr_jit_frame *frame);
    struct tsr_jit_worker *worker;
    struct tsr_jit_frame *next, *previous; /* of the subgroups that wait for each other */
} tsr_jit_frame;

void tsr_jit_eval(uint32_t what, uint64_t n, const void *a, const void *b, const void *c, const void *d, void *result);
void tsr_jit_lanes(tsr_jit_frame *f, uint32_t what, uint32_t id, void *base, void *block);
void tsr_jit_even(tsr_jit_frame *f, uint32_t what, uint32_t id, void *base, void *block, uint32_t index,
                  uint32_t index_step, uint32_t count, uint32_t offset, uint32_t offset_step);
void tsr_jit_mma(const uint32_t *what, const void *a, const void *b, const void *c, void *r);
/* tsr_host_part and tsr_host_ahead of ir/native.h. */
void tsr_jit_part(tsr_jit_frame *f, const uint32_t *what, void *block, void *array, uint64_t offset, uint64_t stride,
                  uint64_t present);
typedef struct tsr_jit_ahead_table {
    uint64_t here[TSR_AHEAD_SLOTS], before[TSR_AHEAD_SLOTS];
    uint32_t count, asked;
} tsr_jit_ahead_table;
void tsr_jit_ahead(tsr_jit_ahead_table *table, uint32_t lines);

/* The memory of a thread: of a workgroup, and stacks. It is kept from run to run, since new pages cost more than a
 * small kernel does. */
typedef struct tsr_jit_room {
    struct tsr_jit_room *next;
    unsigned char *memory;
    tsr_jit_frame *frames; /* one a stack */
    uint32_t fibers;       /* stacks: one, or where subgroups wait for each other one a subgroup */
} tsr_jit_room;

/* Code that can be called, of one list of passes. */
typedef struct tsr_code {
    const tsr_program *program;
    uint32_t subgroup_size, subgroups;
    uint32_t group_bytes, stack_bytes;
    bool has_barriers;
    tsr_object object;
    pthread_mutex_t lock;
    tsr_jit_room *idle; /* under lock */
} tsr_code;

/* `passes`: SHORT or LONG. NULL: the cache has none. */
tsr_code *tsr_code_find(const tsr_jit_args *args, tsr_jit_passes passes);
/* Compiles, and puts it in the cache when args->use_cache. */
tsr_status tsr_code_new(const tsr_jit_args *args, tsr_jit_passes passes, tsr_code **out, tsr_text *why);
void tsr_code_free(tsr_code *c);
tsr_status tsr_code_run(tsr_code *c, const tsr_exec_args *args, tsr_exec_report *report);

void tsr_jit_room_free(tsr_jit_room *room);

#endif
