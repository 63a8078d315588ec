/* The uniformity rules of WGSL: reports what must be reached, or be given the same values, by all invocations and may
 * not be. Of a module as the front end made it. */
#ifndef TSR_CHECK_UNIFORM_H
#define TSR_CHECK_UNIFORM_H

#include "ir/module.h"

/* Returns false when an error was reported; what the severities of the diagnostic rules make a warning or less does not
 * count. Takes memory from the module's arena and, when nothing is reported, gives it back. */
bool tsr_check_uniformity(const tsr_ir *ir, tsr_diags *diags);

#endif
