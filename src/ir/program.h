/* A module with one entry point made ready to run or to emit: overrides are numbers, all sizes are known. */
#ifndef TSR_IR_PROGRAM_H
#define TSR_IR_PROGRAM_H

#include "ir/module.h"

typedef struct tsr_resource {
    uint32_t global; /* index in ir.globals */
    uint32_t group, binding;
    bool writable;
    uint64_t min_bytes; /* a smaller binding is refused */
} tsr_resource;

typedef struct tsr_program {
    tsr_ir *ir;     /* no override is left in it; tsr_size.over is 0 everywhere */
    uint32_t entry; /* index in ir.functions */
    uint32_t workgroup_size[3];
    uint64_t workgroup_bytes; /* of the workgroup variables that the entry point reaches */
    tsr_resource *resources;  /* statically used, by group and binding */
    uint32_t resource_count;
    bool uses_matrices; /* the entry point statically accesses one */
} tsr_program;

#endif
