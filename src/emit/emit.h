/* From a program to a target's text or words: one struct a target. An emitter decides nothing about legality (checks
 * did) and rewrites nothing (passes did); it links to no library. */
#ifndef TSR_EMIT_EMIT_H
#define TSR_EMIT_EMIT_H

#include "base/diag.h"
#include "coopmat/caps.h"
#include "ir/program.h"

typedef struct tsr_emit_options {
    const tsr_caps *caps;     /* of the device it is for; NULL: the target's own */
    const tsr_source *source; /* for names and lines; may be NULL */
    tsr_oob oob;
    uint32_t version;           /* of the target's language, as that writes it (SPIR-V: 0x00010600); 0: its default */
    uint32_t subgroup_size;     /* pinned; 0: not known */
    bool exact_bits;            /* floats as the interpreter computes them, bit for bit (native code) */
    bool debug_lines;           /* carry source lines */
    bool maximal_reconvergence; /* SPIR-V: as `caps` says of a device */
} tsr_emit_options;

typedef struct tsr_target {
    const char *name;      /* "spirv" */
    const char *extension; /* "spv" */
    bool is_text;
    const char *summary;  /* one line for --help */
    bool direct_pointers; /* wants tsr_pass_direct_pointers: no pointers to parts, or to other than function memory, as
                             parameters */
    uint32_t versions[8]; /* that it can make, as `version` of the options; ends with 0 */
    /* Appends the result to `out` (text, or words as bytes in the order of this machine). Reports what the target
     * cannot say and returns false; the output is of no use then. Same input, same bytes. */
    bool (*emit)(const tsr_program *p, const tsr_emit_options *options, tsr_text *out, tsr_diags *diags);
} tsr_target;

extern const tsr_target tsr_target_spirv, tsr_target_spirv_text, tsr_target_spirv_header;
extern const tsr_target tsr_target_llvm;

/* NULL when there is no such target. */
const tsr_target *tsr_target_find(const char *name);
size_t tsr_target_count(void);
const tsr_target *tsr_target_at(size_t i);

#endif
