/* The whole pipeline, two entries. parse: text to checked IR, kept in a tsr_module. build: a module, an entry point,
 * overrides and caps to a program (and, with a target, to its text or words). */
#ifndef TSR_COMPILE_H
#define TSR_COMPILE_H

#include "analysis/fold.h"
#include "base/diag.h"
#include "base/error.h"
#include "coopmat/caps.h"
#include "emit/emit.h"
#include "ir/program.h"

struct tsr_module {
    tsr_arena arena;
    tsr_source source;
    tsr_diags diags;
    tsr_symbols symbols;
    tsr_types types;
    tsr_ir ir;
    bool valid;                 /* ir may be used */
    const tsr_diag **diag_list; /* by place, in the arena */
    size_t diag_count;
    char *ir_text;                     /* made when asked for, malloc */
    char **diag_text[2];               /* rendered diagnostics, plain and coloured; made when asked for, malloc */
    struct tsr_reflection *reflection; /* made by parse, in the arena */
};

/* Configurations, each once, in the order of their coming. */
typedef struct tsr_config_list {
    tsr_config *items;
    size_t count, cap;
    tsr_map numbers; /* hash -> place in items */
} tsr_config_list;

/* Its number in the list, where it is put when it is new. */
uint32_t tsr_config_list_add(tsr_config_list *l, tsr_arena *arena, const tsr_config *c);
/* The configuration of a multiply-add. Sizes that overrides decide come from `fold`; false when one is not known. NULL:
 * all sizes are numbers. */
bool tsr_mma_config(const tsr_ir *ir, tsr_id mma, tsr_fold *fold, tsr_config *out);

/* What build makes: a program in its own arena, with its own copy of the source for messages. */
typedef struct tsr_built {
    tsr_arena arena;
    tsr_source source;
    tsr_diags diags;
    tsr_program program;
    tsr_config_list configs; /* of its multiply-adds */
} tsr_built;

typedef struct tsr_build_args {
    const char *entry; /* NULL: the only compute entry point */
    const tsr_override_value *overrides;
    size_t override_count;
    const tsr_caps *caps; /* NULL: no device checks */
} tsr_build_args;

/* Each workgroup variable starts at a multiple of this. Source: WebGPU, "maxComputeWorkgroupStorageSize". */
#define TSR_WORKGROUP_ALIGN 16u

/* Fills in m->reflection of a valid module; what it needs on the way comes from `scratch`. */
void tsr_reflect(tsr_module *m, tsr_arena *scratch);
/* The smallest buffer that satisfies a type: one element for a run-time array. Source: WGSL, "Memory Layout"; WebGPU,
 * "minimum buffer binding size". */
uint64_t tsr_min_binding_bytes(const tsr_types *t, tsr_type type);

/* Statuses as tsr_pipeline_create; tsr_last_error is set. The module may be freed afterwards. */
tsr_status tsr_build_new(const tsr_module *m, const tsr_build_args *args, tsr_built **out);
void tsr_build_free(tsr_built *b);
/* Debug builds: the IR must keep its rules after every pass; stops when it does not. */
void tsr_verify_pass(const tsr_ir *ir, tsr_diags *diags, const char *pass);
/* What a device can hold (device/caps.c). */
const tsr_caps *tsr_device_caps(const tsr_device *dev);
/* Makes what was reported the last error, and returns the status that goes with it. With b->arena guarded. */
tsr_status tsr_build_fail(tsr_built *b);
/* The program as text or words of a target. It is changed on the way (the target's passes), so that it is of no use
 * for running afterwards. options->source is filled in. *data is the caller's: free() it. */
tsr_status tsr_build_emit(tsr_built *b, const tsr_target *target, const tsr_emit_options *options, void **data,
                          size_t *size_bytes);

#endif
