/* IR to IR. A pass takes a module, changes it, and returns whether it did. */
#ifndef TSR_PASS_PASS_H
#define TSR_PASS_PASS_H

#include "ir/module.h"
#include "tessera.h"

/* Keeps the functions and module-scope variables that the entry point reaches, in their order; `*entry` becomes its
 * new number. Module-scope values stay until tsr_pass_specialize. */
bool tsr_pass_reach(tsr_ir *ir, uint32_t *entry);

/* Gives overrides their values: what module scope computes from them becomes constants, sizes become numbers, and the
 * module holds no override afterwards. What is wrong is reported, and then the module is of no use (true all the same).
 * After tsr_pass_reach: only what is left is evaluated, so an override that nothing uses needs no value. */
bool tsr_pass_specialize(tsr_ir *ir, uint32_t entry, const tsr_override_value *values, size_t count, tsr_diags *diags);

/* Leaves no pointer as a parameter but to whole variables of function memory: calls that pass others get functions made
 * for them. After tsr_pass_specialize; `*entry` becomes its new number. A program that grows beyond all bounds is
 * reported, and the module is of no use then. */
bool tsr_pass_direct_pointers(tsr_ir *ir, uint32_t *entry, tsr_diags *diags);

#endif
