/* Whether a module keeps the rules of docs/ir.md: operand counts and types, scoping of values, structure of blocks. */
#ifndef TSR_IR_VERIFY_H
#define TSR_IR_VERIFY_H

#include "ir/module.h"

/* Reports each broken rule (with the instruction's text) into `diags`; returns true when there was none. For IR that we
 * made, a false is an internal error; for IR text from outside it is bad input. */
bool tsr_ir_verify(const tsr_ir *ir, tsr_diags *diags);

#endif
