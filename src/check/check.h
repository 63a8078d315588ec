/* Checks: each reads a program, reports what is wrong, and changes nothing. */
#ifndef TSR_CHECK_CHECK_H
#define TSR_CHECK_CHECK_H

#include "coopmat/caps.h"
#include "ir/program.h"

/* What holds for every target: compute only, nothing of other stages, buffers only, sizes of at least 1. */
bool tsr_check_program(const tsr_program *p, tsr_diags *diags);

/* WGSL, "Pipeline creation": what the entry point needs of the device. Matrix types and multiply-adds stand in its
 * configurations, the subgroup size divides every matrix, workgroup x is a multiple of the largest subgroup size when
 * matrices are used, and the limits hold. Returns false when something was reported. */
bool tsr_check_device(const tsr_program *p, const tsr_caps *caps, tsr_diags *diags);

#endif
