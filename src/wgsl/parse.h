/* Text to syntax tree: WGSL's grammar, every stage and statement of it. */
#ifndef TSR_WGSL_PARSE_H
#define TSR_WGSL_PARSE_H

#include "wgsl/ast.h"

/* Reads diags->source. Errors are reported (one a mistake: it resumes at the next declaration) and give false; then the
 * tree must not be resolved. Works on any bytes: not UTF-8, binary, empty, truncated, 100 MB; nesting deeper than the
 * limits in lex.h is an error, never a crash; time and memory are linear in the text. */
bool tsr_wgsl_parse(tsr_ast *ast, tsr_arena *arena, tsr_symbols *symbols, tsr_diags *diags);

#endif
