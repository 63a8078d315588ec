/* Syntax tree to IR: names, types, constants, overloads and every rule of WGSL on the way. */
#ifndef TSR_WGSL_LOWER_H
#define TSR_WGSL_LOWER_H

#include "ir/module.h"
#include "wgsl/ast.h"

/* Fills an initialised, empty module. Returns false when errors were reported; the module is then of no use. */
bool tsr_wgsl_lower(tsr_ir *ir, const tsr_ast *ast, tsr_diags *diags);

#endif
