/* Between the files of the value shape analysis. */
#ifndef TSR_ANALYSIS_VALUE_SHAPE_INSIDE_H
#define TSR_ANALYSIS_VALUE_SHAPE_INSIDE_H

#include "analysis/value_shape.h"

/* The same in all lanes, otherwise unknown. */
tsr_vshape tsr_shape_same(const tsr_value_shapes *s);
tsr_vshape tsr_shape_join(const tsr_value_shapes *s, tsr_vshape a, tsr_vshape b);
/* Word w of what a COMPS op gives for operands whose words have the shapes a. */
tsr_vshape tsr_shape_comps_word(const tsr_value_shapes *s, tsr_id id, uint32_t w, const tsr_vshape *a, uint32_t count);

#endif
