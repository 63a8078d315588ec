/* Loads and stores of subgroup matrices: what both ways of doing them know about the memory. */
#ifndef TSR_EMIT_SPIRV_TILE_H
#define TSR_EMIT_SPIRV_TILE_H

#include "emit/spirv.h"

/* The matrix as memory has it: `major` runs of `minor` components; and the array that they lie in. */
typedef struct tsr_spv_tile {
    tsr_type matrix;
    tsr_component component;
    uint32_t major, minor;
    uint32_t bytes;       /* of a component */
    tsr_type elem;        /* of the array: a scalar or vector */
    uint32_t elem_stride; /* bytes */
    uint32_t per;         /* components to an element, padding included */
    bool column_major, store;
} tsr_spv_tile;

tsr_spv_tile tsr_spv_tile_of(tsr_spv *s, const tsr_spv_access *a);

/* A call of the function that goes element by element. `present`: components of the array (u32). Returns the matrix of
 * a load. */
uint32_t tsr_spv_tile_call(tsr_spv *s, const tsr_spv_access *a, const tsr_spv_tile *t, uint32_t present);

#endif
