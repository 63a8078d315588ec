/* A dispatch that is watched, for the devices that run on the CPU. */
#ifndef TSR_DEVICE_SANITIZE_H
#define TSR_DEVICE_SANITIZE_H

#include "compile.h"
#include "exec/interp.h"

/* Runs with args->sanitize and makes *args->findings. `exec` as for tsr_interp_run; `model` is the device's. */
tsr_status tsr_sanitize_dispatch(tsr_built *build, const tsr_caps *caps, const tsr_dispatch_args *args,
                                 const tsr_exec_args *exec, const tsr_model *model, tsr_exec_report *report);

#endif
