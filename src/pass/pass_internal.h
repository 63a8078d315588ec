/* What the files of specialisation share. */
#ifndef TSR_PASS_INTERNAL_H
#define TSR_PASS_INTERNAL_H

#include "analysis/fold.h"
#include "analysis/reach.h"
#include "base/diag.h"

/* override_value.c: checks the values given and hands them to `f`. False when something was reported. */
bool tsr_override_values_give(tsr_fold *f, const tsr_override_value *values, size_t count, tsr_diags *diags);
/* "`NAME`" or "with @id(7)", for messages. */
const char *tsr_override_label(const tsr_ir *ir, tsr_arena *arena, uint32_t override);

/* override_use.c: divisors, shift amounts and indices that overrides decide and that cannot be right. */
void tsr_override_uses_check(tsr_ir *ir, const tsr_reach *reach, tsr_fold *fold, tsr_diags *diags);

/* layout.c: gives every type its sizes, and layouts what follows from them. False when something was reported. */
bool tsr_layout_specialize(tsr_ir *ir, tsr_fold *f, const tsr_type *types, uint32_t type_count, tsr_diags *diags);

#endif
