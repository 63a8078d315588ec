/* The sanitizer: what a program does that no device promises, found while the interpreter runs it.
 *
 * A checked program (tsr_interp_new_checked) has the same steps as a plain one, each of those that matter behind a
 * step of the sanitizer's own, so that the plain one is as fast as without. A checked run is one thread: workgroups one
 * after the other, each in lockstep. Neither hides a race: what is ordered is told by barriers alone.
 *
 *   sanitize.c         findings, sites, who did it
 *   sanitize_race.c    shadow memory: races, reads of what nothing wrote
 *   sanitize_memory.c  loads, stores, atomics and matrix accesses: what they touch, strides
 *   sanitize_group.c   uniform control flow and operands, barriers
 *   sanitize_number.c  f16 range and wrapping sums
 *   sanitize_run.c     the whole: the checked run, then orders and subgroup sizes
 *   sanitize_compare.c, sanitize_repair.c   what differs; what is expected, and what would make it right */
#ifndef TSR_EXEC_SANITIZE_H
#define TSR_EXEC_SANITIZE_H

#include "exec/interp.h"

typedef enum tsr_san_kind {
#define SANITIZE(name, number, check, severity, title) TSR_SAN_##name,
#include "exec/sanitize.def"
    TSR_SAN_COUNT
} tsr_san_kind;

typedef struct tsr_san_info {
    const char *name;
    uint32_t number, check; /* check: TSR_CHECK_... */
    tsr_severity severity;
    const char *title;
} tsr_san_info;

extern const tsr_san_info tsr_san_table[TSR_SAN_COUNT];

/* Findings are merged by kind and place; so many different ones are kept. */
#define TSR_SAN_FINDINGS_MAX 1000u

typedef struct tsr_san_access {
    tsr_span span;
    bool has_who;
    tsr_invocation who;
    char text[192];
} tsr_san_access;

typedef struct tsr_san_finding {
    tsr_san_kind kind;
    uint64_t count;
    tsr_id inst, other_inst; /* the key, besides the kind; of a race in ascending order */
    tsr_san_access at, other;
    bool has_other;
} tsr_san_finding;

typedef struct tsr_san_list {
    tsr_san_finding *items; /* malloc */
    uint32_t count, cap;
    bool failed; /* no memory for one */
} tsr_san_list;

void tsr_san_list_fini(tsr_san_list *l);

/* Everything: the checked run on the memory itself, then the runs that compare on copies of it. `sizes` are the
 * subgroup sizes to try. The list is ordered by place. */
typedef struct tsr_san_job {
    const tsr_program *program;
    uint32_t subgroup_size;
    const uint32_t *sizes;
    uint32_t size_count;
    const tsr_sanitize_args *args;
    tsr_exec_args exec;
    const tsr_model *model; /* of multiply-adds; NULL: the reference */
} tsr_san_job;

tsr_status tsr_sanitize_run(const tsr_san_job *job, tsr_exec_report *report, tsr_san_list *out, tsr_text *why);

#endif
