/* What a target or device can hold: the facts that checks and kernels choose by. */
#ifndef TSR_COOPMAT_CAPS_H
#define TSR_COOPMAT_CAPS_H

#include "tessera.h"

typedef struct tsr_caps {
    const char *name; /* as the user chose it: "cpu", "profile:nv-h200-580" */
    tsr_support support;
    tsr_limits limits;          /* zero: not known */
    uint32_t subgroup_size;     /* in use */
    uint32_t max_subgroup_size; /* what workgroup x must be a multiple of when matrices are used */
    bool f16;
    /* The invocations of a subgroup run as one stream of instructions, so that none waits for another; and the driver's
     * barriers of a subgroup wait for the whole workgroup (lavapipe): none is emitted. */
    bool lockstep_subgroups;
    /* Its driver takes SPV_KHR_maximal_reconvergence: invocations that parted are together again where the program's
     * blocks end, as on the CPU. */
    bool maximal_reconvergence;
} tsr_caps;

/* Whether a fragment of this use, component and size stands in some configuration of the device. */
tsr_verdict tsr_caps_fragment(const tsr_caps *c, tsr_use use, tsr_component component, uint32_t rows, uint32_t cols);
/* An open device takes every legal pair of types: both inputs of one component type or of one kind and width, the sum
 * of the same kind (integer or float) and at least as wide. */
bool tsr_caps_open_config(const tsr_config *cfg);

#endif
