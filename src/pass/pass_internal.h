/* What the files of specialisation share. */
#ifndef TSR_PASS_INTERNAL_H
#define TSR_PASS_INTERNAL_H

#include "analysis/fold.h"
#include "base/diag.h"

/* override_value.c: checks the values given and hands them to `f`. False when something was reported. */
bool tsr_override_values_give(tsr_fold *f, const tsr_override_value *values, size_t count, tsr_diags *diags);
/* "`NAME`" or "with @id(7)", for messages. */
const char *tsr_override_label(const tsr_ir *ir, tsr_arena *arena, uint32_t override);

/* layout.c: gives every type its sizes, and layouts what follows from them. False when something was reported. */
bool tsr_layout_specialize(tsr_ir *ir, tsr_fold *f, const tsr_type *types, uint32_t type_count, tsr_diags *diags);

#endif
