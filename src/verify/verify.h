/* Inside the proof: configurations are run as IR on any device and compared with what they should compute.
 *
 *   pattern.c   what the matrices hold, made to catch mistakes
 *   kernel.c    one multiply-add as IR text, and running it in any layout
 *   compare.c   the f64 reference, the derived bound, the comparison
 *   conform.c   every pattern in every layout: one row of the conformance table
 *   probe.c     which numerics model a device shows
 *
 * Matrices are held as in coopmat/numerics.h: dense, row-major, one component in tsr_component_words() words. */
#ifndef TSR_VERIFY_VERIFY_H
#define TSR_VERIFY_VERIFY_H

#include "coopmat/numerics.h"
#include "tessera.h"

/* The operands of one multiply-add and what a device made of them. */
typedef struct tsr_trial {
    tsr_config config;
    uint32_t *a, *b, *c, *r;
} tsr_trial;

/* malloc; false when memory ran out. fini accepts a zeroed trial. */
bool tsr_trial_init(tsr_trial *t, const tsr_config *cfg);
void tsr_trial_fini(tsr_trial *t);

typedef enum tsr_pattern {
#define PATTERN(name, text) TSR_PATTERN_##name,
#include "verify/pattern.def"
    TSR_PATTERN_COUNT
} tsr_pattern;

const char *tsr_pattern_name(tsr_pattern p);
/* Fills a, b and c. */
void tsr_pattern_fill(tsr_pattern p, tsr_trial *t);
/* Component i of a matrix; values that the type cannot hold are rounded, integers wrap. */
void tsr_trial_set(tsr_component c, uint32_t *matrix, size_t i, double value);
double tsr_trial_get(tsr_component c, const uint32_t *matrix, size_t i);

/* How matrices lie in their buffers. Offsets and strides count components. */
typedef struct tsr_placement {
    bool a_col, b_col, c_col; /* column-major; c: the addend and the result */
    uint32_t extra_stride;    /* beyond the row or column */
    uint32_t offset;
} tsr_placement;
/* "A row-major, B column-major, C row-major, stride +3, offset 5" */
void tsr_placement_print(const tsr_placement *p, char *out, size_t bytes);

typedef struct tsr_trial_kernel tsr_trial_kernel;
/* The configuration as a pipeline, in the majornesses of `p`. Statuses and tsr_last_error as tsr_pipeline_create. */
tsr_status tsr_trial_kernel_new(tsr_device *dev, const tsr_config *cfg, const tsr_placement *p, tsr_trial_kernel **out);
void tsr_trial_kernel_free(tsr_trial_kernel *k);
/* Runs it and fills t->r. TSR_ERR_SHAPE when the device wrote where it should not. */
tsr_status tsr_trial_run(tsr_trial_kernel *k, const tsr_placement *p, tsr_trial *t);

/* strict: bit for bit with the reference model; bounded: within the bound of compare.c. */
void tsr_trial_compare(const tsr_trial *t, tsr_comparison *out);

#endif
