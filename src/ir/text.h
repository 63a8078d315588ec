/* The IR as text, written and read back; docs/ir.md has the grammar. */
#ifndef TSR_IR_TEXT_H
#define TSR_IR_TEXT_H

#include "ir/module.h"

/* Complete: reading it back gives a module that prints the same. Values are numbered in the order in which they stand.
 */
void tsr_ir_print(tsr_text *out, const tsr_ir *ir);
/* Reads `diags->source` into an initialised, empty module. Returns false when errors were reported. Never crashes on
 * any input; what it accepts still has to pass tsr_ir_verify. */
bool tsr_ir_parse(tsr_ir *ir, tsr_diags *diags);

#endif
