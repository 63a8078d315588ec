/* Inside the sanitizer: what its files share. */
#ifndef TSR_EXEC_SANITIZE_INSIDE_H
#define TSR_EXEC_SANITIZE_INSIDE_H

#include "exec/inside.h"

#define TSR_SAN_NO_LANE UINT32_MAX

/* ---- The program. */

/* A step that is checked: what runs before and after it, up to a NULL. */
typedef struct tsr_san_site {
    tsr_step_fn run, before[3], after[2];
    uint32_t number; /* of those that access watched memory, from 1; else 0 */
} tsr_san_site;

/* A variable in workgroup memory, or a binding. */
typedef struct tsr_san_variable {
    uint8_t root; /* tsr_root */
    uint32_t at;
    uint64_t size_bytes; /* workgroup memory */
    tsr_type type;
    const char *name;
} tsr_san_variable;

typedef struct tsr_san_program {
    tsr_san_site *sites;  /* by step */
    uint32_t *site_steps; /* by site number */
    uint32_t site_count;  /* site 0 included */
    uint32_t left_out;    /* accesses that found no number */
    tsr_san_variable *variables;
    uint32_t variable_count;
    /* Shadow cells stand for 1 << shift bytes: no access is narrower. TSR_SAN_UNWATCHED: not written, so no races. */
    uint8_t group_shift, *binding_shift;
} tsr_san_program;

#define TSR_SAN_UNWATCHED 255u

/* ---- Shadow memory. */

/* The newest access of some sort. who: the site, then whether a whole subgroup did it, then the lane or subgroup. */
typedef struct tsr_san_record {
    uint32_t time, who; /* time 0: none */
} tsr_san_record;

#define TSR_SAN_LANE_BITS  16u
#define TSR_SAN_WHOLE      (1u << TSR_SAN_LANE_BITS) /* a matrix access */
#define TSR_SAN_SITE_SHIFT (TSR_SAN_LANE_BITS + 1u)
#define TSR_SAN_SITES_MAX  (1u << (32u - TSR_SAN_SITE_SHIFT))
#define TSR_SAN_AGENT(who) ((who) & ((1u << TSR_SAN_SITE_SHIFT) - 1u))

typedef enum tsr_san_how { TSR_SAN_READ, TSR_SAN_WRITE, TSR_SAN_ATOMIC, TSR_SAN_HOW_COUNT } tsr_san_how;

/* In the workgroup that runs, two reads and two atomics by different invocations are kept: whoever comes next differs
 * from one of them. Of earlier workgroups one access of each sort is enough, since all of them are someone else. */
typedef struct tsr_san_cell {
    tsr_san_record write, read[2], atomic[2];
    uint32_t
        group; /* storage: the workgroup that these are of; workgroup memory: the last one that wrote here. From 1 */
    struct {
        uint32_t who, group;
    } old[TSR_SAN_HOW_COUNT];
} tsr_san_cell;

typedef struct tsr_san_shadow {
    tsr_san_cell *cells; /* NULL: not watched */
    uint64_t count;
    uint8_t shift;
} tsr_san_shadow;

/* ---- The run. */

struct tsr_san {
    tsr_interp *in;
    const tsr_san_program *program;
    const tsr_sanitize_args *args;
    uint32_t groups[3];
    tsr_san_list *list;
    uint32_t last_found;           /* where the newest finding stands: the next is often the same */
    uint32_t group;                /* number of the workgroup, from 1 */
    uint32_t now;                  /* grows with each barrier */
    uint32_t barrier_at[2];        /* the newest barrier that orders workgroup memory, storage memory */
    uint32_t *subgroup_barrier_at; /* by subgroup */
    tsr_san_shadow group_shadow, *binding_shadows;
    unsigned char *written; /* by frame word: variables (TSR_CHECK_VARIABLES) */
    double *numbers;        /* a, b and c of a multiply */
    size_t number_count;
};

/* Memory of accesses that are not known: what one lane or subgroup touches. */
typedef struct tsr_san_touch {
    const tsr_step *step;
    uint32_t site, agent;
    tsr_san_how how;
    uint8_t root;
    uint32_t at;   /* the resource, when it is a binding */
    uint64_t byte; /* from the start of workgroup memory or of the binding */
    uint32_t size;
    /* Plain stores: the scalar of each lane on its way to memory, and what is there now. */
    const uint32_t *values, *offsets;
    const unsigned char *memory;
} tsr_san_touch;

static inline bool tsr_san_checks(const tsr_worker *w, uint32_t check)
{
    return (w->san->args->checks & check) != 0;
}

/* Counts a finding at an instruction. Returns it when it is new, for the caller to fill in, else NULL. */
tsr_san_finding *tsr_san_find(tsr_san *san, tsr_san_kind kind, tsr_id inst, tsr_id other_inst);
tsr_invocation tsr_san_invocation(const tsr_san *san, uint32_t group, uint32_t agent);
/* The usual finding: an invocation (or the subgroup of lane `agent` & TSR_SAN_WHOLE) at an instruction. */
void tsr_san_report(tsr_worker *w, tsr_san_kind kind, uint32_t agent, const tsr_step *s, const char *fmt, ...)
    TSR_PRINTF(5, 6) TSR_COLD;
/* Adds "`name`[3].x" for a byte of workgroup memory or of a binding. */
void tsr_san_describe(const tsr_interp *in, tsr_text *out, uint8_t root, uint32_t at, uint64_t byte);
/* "store", "matrix load", ... */
const char *tsr_san_op_name(uint16_t op);

/* Lanes of the subgroup at `base` that exist; the first active one, or TSR_SAN_NO_LANE. */
uint32_t tsr_san_present(const tsr_worker *w, uint32_t base);
uint32_t tsr_san_first(const tsr_worker *w, uint32_t base);

/* Memory was touched: races, reads of what nothing wrote. */
void tsr_san_touch_memory(tsr_worker *w, const tsr_san_touch *t);
/* Who wrote that byte last, and where, and the instruction; 0 when nobody did, or nobody knows. */
tsr_id tsr_san_last_writer(const tsr_san *san, uint32_t resource, uint64_t byte, tsr_san_access *out);
bool tsr_san_shadow_init(tsr_san *san, const tsr_exec_memory *memory);
void tsr_san_shadow_fini(tsr_san *san);

/* What the files bring to prepare(): the checks that go before and after a step. */
void tsr_san_before(tsr_san_site *site, tsr_step_fn check);
void tsr_san_after(tsr_san_site *site, tsr_step_fn check);
void tsr_san_site_memory(const tsr_interp *in, const tsr_step *s, tsr_san_site *site);
void tsr_san_site_group(const tsr_interp *in, const tsr_step *s, tsr_san_site *site);
void tsr_san_site_number(const tsr_interp *in, const tsr_step *s, tsr_san_site *site);
/* Bytes of the narrowest access of a step, 0 when it accesses no shared memory. */
uint32_t tsr_san_access_bytes(const tsr_step *s);

/* ---- Several runs. */

/* The contents of all writable bindings, and room for another run's. */
typedef struct tsr_san_whole {
    const tsr_san_job *job;
    tsr_interp *interp; /* the checked one */
    tsr_san *san;       /* after the checked run: who wrote what */
    tsr_san_list *list;
    tsr_text *why;
    uint32_t count;
    tsr_exec_memory *before, *after, *again; /* malloc; read-only bindings are the job's own in all of them */
} tsr_san_whole;

/* How two buffers differ. */
typedef struct tsr_san_difference {
    uint64_t size;   /* bytes that were compared */
    uint64_t count;  /* elements that differ */
    uint64_t beyond; /* by more than the tolerance */
    uint64_t first;  /* byte of the first one (the first beyond, if any) */
    double greatest; /* magnitude in the buffer */
} tsr_san_difference;

/* The program without checks. */
tsr_status tsr_san_new_plain(const tsr_san_whole *x, uint32_t subgroup_size, tsr_interp **out, tsr_text *why);
bool tsr_san_is_writable(const tsr_san_whole *x, uint32_t resource);
/* Runs on x->again, which starts as the memory did; `order` may be NULL. timeout_ns 0: the job's. */
tsr_status tsr_san_run_again(const tsr_san_whole *x, tsr_interp *in, const uint32_t *order, uint64_t timeout_ns);
/* The scalar kind that a binding is made of; TSR_T_void when there are several. */
tsr_type_kind tsr_san_resource_kind(const tsr_san_whole *x, uint32_t resource);
/* What floats may differ by, as a part of the greatest magnitude. */
double tsr_san_tolerance(tsr_type_kind kind);
/* tolerance: of the greatest magnitude in `a`; below 0: equal bits. */
tsr_san_difference tsr_san_compare(tsr_type_kind kind, const unsigned char *a, const unsigned char *b, uint64_t size,
                                   double tolerance);
/* "`c[3]` is 1 IN_A, 2 IN_B; 5 elements differ", at the place that wrote it. */
void tsr_san_add_difference(const tsr_san_whole *x, tsr_san_kind kind, uint32_t key, uint32_t resource,
                            const tsr_san_difference *d, const unsigned char *a, const unsigned char *b,
                            const char *in_a, const char *in_b);
/* Compares with what is expected; when it differs, looks for the one change that would make it right. */
tsr_status tsr_san_check_expected(const tsr_san_whole *x);
/* Elements of bindings that the run wrote to in part, and workgroups that wrote nothing. */
void tsr_san_check_coverage(const tsr_san_whole *x);

/* What makes the value that an instruction stores depend on subgroups: the nearest subgroup operation or built-in value
 * that it is computed from; 0: none was found. */
tsr_id tsr_san_subgroup_source(const tsr_program *p, tsr_id from);
/* The first use of workgroup_id or global_invocation_id in the source; length 0: none. */
tsr_span tsr_san_grid_use(const tsr_program *p);

tsr_san *tsr_san_new(tsr_interp *in, const tsr_san_job *job, tsr_san_list *list);
void tsr_san_free(tsr_san *san);

#endif
