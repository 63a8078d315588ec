/* tessera: matrix kernels, written once in WGSL, run and proved everywhere.
 *
 * This header is the whole C API. In the order in which one meets things:
 *   1. status codes and the vocabulary: component types, shapes, configurations, fragments, device support;
 *   2. compiling: WGSL text in, a module and diagnostics out;
 *   3. reflection: entry points, bindings, overrides, workgroup sizes, matrix configurations;
 *   4. devices, buffers, pipelines, dispatch;
 *   5. profiles of devices that are not here, portability, budgets, fragment layouts;
 *   6. code for other places: SPIR-V;
 *   7. the sanitizer: what a kernel does that no device promises.
 *
 * A complete program (error handling left out):
 *
 *     tsr_module *m;
 *     tsr_compile(&(tsr_compile_args){ .name = "scale.wgsl", .source = text, .source_bytes = strlen(text) }, &m);
 *     for (size_t i = 0; i < tsr_module_diagnostic_count(m); i++)
 *         fputs(tsr_module_diagnostic_text(m, i, 0), stderr);
 *
 *     tsr_device *dev;
 *     tsr_device_open("cpu", NULL, &dev);
 *     tsr_buffer *buf;
 *     tsr_buffer_create(dev, 4096, data, &buf);
 *     tsr_pipeline *p;
 *     tsr_pipeline_create(dev, m, &(tsr_pipeline_args){ .entry = "main" }, &p);
 *     tsr_binding b = { .group = 0, .binding = 0, .buffer = buf };
 *     tsr_dispatch(p, &(tsr_dispatch_args){ .bindings = &b, .binding_count = 1, .groups = { 16, 1, 1 } });
 *     tsr_device_wait(dev);
 *     tsr_buffer_read(buf, 0, data, 4096);
 *
 * Rules that hold everywhere: strings are UTF-8 and NUL-terminated; handles are opaque, and every `free` accepts
 * NULL; structs that callers fill in may be zeroed, and zero means the documented default; a function that fails
 * leaves its outputs as they were, and tsr_last_error() says why, per thread. Different handles may be used from
 * different threads; one handle by one thread at a time, except that tsr_module is read-only once made.
 */
#ifndef TESSERA_H
#define TESSERA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TSR_VERSION_MAJOR 0
#define TSR_VERSION_MINOR 1
#define TSR_VERSION_PATCH 0

#if defined(TSR_BUILD_SHARED) && (defined(__GNUC__) || defined(__clang__))
#define TSR_API __attribute__((visibility("default")))
#else
#define TSR_API
#endif

/* ---- 1. Status ------------------------------------------------------------------------------------------------ */

typedef enum tsr_status {
    TSR_OK = 0,
    TSR_ERR_INVALID,     /* an argument is wrong: the caller's mistake */
    TSR_ERR_SOURCE,      /* the program is wrong: see the module's diagnostics */
    TSR_ERR_SHAPE,       /* sizes that do not fit each other */
    TSR_ERR_UNSUPPORTED, /* the device cannot do this */
    TSR_ERR_LIMIT,       /* a limit of the device or of this library is exceeded */
    TSR_ERR_MEMORY,      /* out of memory */
    TSR_ERR_DEVICE,      /* no such device, its driver failed, or it was lost */
    TSR_ERR_IO,          /* reading or writing a file failed */
    TSR_ERR_TIMEOUT,     /* a run took longer than it was allowed */
    TSR_ERR_VALIDATION   /* the driver's validation layers found a fault (tsr_device_args.validate) */
} tsr_status;

/* "TSR_OK", "TSR_ERR_INVALID", ... never NULL. */
TSR_API const char *tsr_status_name(tsr_status s);
/* One sentence about the last failure on this thread, "" when there was none. Valid until the next call that fails. */
TSR_API const char *tsr_last_error(void);
/* "0.1.0". */
TSR_API const char *tsr_version(void);

/* ---- 2. Vocabulary -------------------------------------------------------------------------------------------- */

/* What one component of a matrix is. Source: the component types of VK_KHR_cooperative_matrix and
 * VK_KHR_shader_bfloat16 / VK_EXT_shader_float8, WGSL's subgroup matrix proposal. */
typedef enum tsr_component {
    TSR_COMPONENT_NONE = 0,
    TSR_F16,
    TSR_F32,
    TSR_U8,
    TSR_S8, /* WGSL spells it i8 */
    TSR_U32,
    TSR_S32, /* WGSL spells it i32 */
    TSR_BF16,
    TSR_F64,
    TSR_F8E4M3,
    TSR_F8E5M2,
    TSR_COMPONENT_COUNT
} tsr_component;

/* "f16", "s8", ...; "none" for what is no component type. */
TSR_API const char *tsr_component_name(tsr_component c);
/* Accepts tessera's names and WGSL's (i8, i32); TSR_COMPONENT_NONE when there is no such type. */
TSR_API tsr_component tsr_component_find(const char *name);
/* 8, 16, 32 or 64; 0 for what is no component type. */
TSR_API unsigned tsr_component_bits(tsr_component c);
TSR_API bool tsr_component_is_integer(tsr_component c);
TSR_API bool tsr_component_is_signed(tsr_component c); /* floats are */

/* Whose value a matrix is. Back ends produce subgroup scope; all four can be represented, since what cannot be
 * represented would be permitted in silence. */
typedef enum tsr_scope {
    TSR_SCOPE_SUBGROUP = 0,
    TSR_SCOPE_WORKGROUP,
    TSR_SCOPE_DEVICE,
    TSR_SCOPE_QUEUE_FAMILY,
    TSR_SCOPE_COUNT
} tsr_scope;

TSR_API const char *tsr_scope_name(tsr_scope s); /* "subgroup", "workgroup", "device", "queue family" */

/* A is m x k, B is k x n, C and the result are m x n. */
typedef struct tsr_shape {
    uint32_t m, n, k;
} tsr_shape;

/* One matrix multiply-add that a device can do: R = A * B + C. */
typedef struct tsr_config {
    tsr_shape shape;
    tsr_component a, b, c, r;
    bool saturating; /* integer sums stop at the ends of the range instead of wrapping */
    tsr_scope scope;
} tsr_config;

/* Writes "16x16x16 f16*f16+f32->f32 subgroup" (and " saturating" at the end), as snprintf does: at most buf_bytes
 * with the NUL, and returns the length that was needed. */
TSR_API size_t tsr_config_name(const tsr_config *cfg, char *buf, size_t buf_bytes);
/* Reads what tsr_config_name writes. TSR_ERR_INVALID when `name` is not of that form. */
TSR_API tsr_status tsr_config_parse(const char *name, tsr_config *out);

/* Accumulation is exact exactly when addend and result are both integers. */
TSR_API bool tsr_config_is_exact(const tsr_config *cfg);

/* strict: bit-identical to the interpreter. bounded: only the derived error bound is promised. */
typedef enum tsr_regime { TSR_REGIME_STRICT = 0, TSR_REGIME_BOUNDED } tsr_regime;
TSR_API tsr_regime tsr_config_regime(const tsr_config *cfg);
TSR_API const char *tsr_regime_name(tsr_regime r);

/* Same shape and the same four types; neither saturation nor scope is compared. */
TSR_API bool tsr_config_match(const tsr_config *a, const tsr_config *b);

typedef enum tsr_use { TSR_USE_A = 0, TSR_USE_B, TSR_USE_ACCUMULATOR, TSR_USE_COUNT } tsr_use;
TSR_API const char *tsr_use_name(tsr_use u); /* "A", "B", "accumulator" */

/* A value of the whole subgroup; it cannot be indexed. Rows and columns are derived from shape and use. */
typedef struct tsr_fragment {
    tsr_use use;
    tsr_shape shape;
    tsr_component component;
    tsr_scope scope;
} tsr_fragment;

TSR_API uint32_t tsr_fragment_rows(const tsr_fragment *f);
TSR_API uint32_t tsr_fragment_cols(const tsr_fragment *f);
/* rows * columns, in 64 bits so that no shape overflows it. */
TSR_API uint64_t tsr_fragment_components(const tsr_fragment *f);
/* Components that each invocation holds when none is held twice: 16x16 over 64 is 4.
 * TSR_ERR_SHAPE when subgroup_size is 0 or does not divide the components (16x16 over 24); TSR_ERR_LIMIT when the
 * result does not fit 32 bits. */
TSR_API tsr_status tsr_fragment_per_invocation(const tsr_fragment *f, uint32_t subgroup_size, uint32_t *out);

typedef struct tsr_config_fragments {
    tsr_fragment a, b, c, r;
} tsr_config_fragments;
TSR_API tsr_config_fragments tsr_config_get_fragments(const tsr_config *cfg);
/* Whether subgroup_size divides the components of all four fragments. */
TSR_API bool tsr_config_fits(const tsr_config *cfg, uint32_t subgroup_size);

/* How much a record says. What is absent from a record that is not complete is unknown, never refused. */
typedef enum tsr_knowledge { TSR_UNKNOWN = 0, TSR_PARTIAL, TSR_COMPLETE } tsr_knowledge;

/* What a device can do with matrices. Owned by whoever made it; the arrays live as long as it does. */
typedef struct tsr_support {
    tsr_knowledge knowledge;
    bool open;                      /* every shape and every legal pair of types (the CPU without a profile) */
    const tsr_config *configs;      /* in the device's own order, preferred first */
    size_t config_count;            /* kept: those that could be represented */
    size_t advertised;              /* what the device listed, also what could not be represented */
    bool bounds_checked;            /* known: matrix loads and stores never leave their buffer */
    const uint32_t *subgroup_sizes; /* as reported, ascending */
    size_t subgroup_size_count;
} tsr_support;

/* advertised == config_count: nothing was lost on the way in. */
TSR_API bool tsr_support_is_faithful(const tsr_support *s);
/* The first non-saturating match in the device's order, else the first saturating one, else NULL. An open device
 * has no list: use tsr_support_verdict. */
TSR_API const tsr_config *tsr_support_find(const tsr_support *s, const tsr_config *wanted);

typedef enum tsr_verdict {
    TSR_VERDICT_YES = 0,
    TSR_VERDICT_NO,
    TSR_VERDICT_NO_SATURATION, /* shape and types match, saturation differs */
    TSR_VERDICT_NO_SCOPE,      /* shape, types and saturation match, scope differs */
    TSR_VERDICT_UNKNOWN        /* not listed, and the record is not complete */
} tsr_verdict;
/* Compares everything, saturation and scope too. */
TSR_API tsr_verdict tsr_support_verdict(const tsr_support *s, const tsr_config *wanted);
TSR_API const char *tsr_verdict_name(tsr_verdict v);

/* ---- 3. Compiling --------------------------------------------------------------------------------------------- */

typedef enum tsr_severity {
    TSR_SEVERITY_OFF = 0,
    TSR_SEVERITY_INFO,
    TSR_SEVERITY_WARNING,
    TSR_SEVERITY_ERROR
} tsr_severity;

typedef struct tsr_module tsr_module;

typedef struct tsr_compile_args {
    const char *name;   /* shown in diagnostics; NULL: "<source>" */
    const char *source; /* WGSL in UTF-8; need not be NUL-terminated; copied */
    size_t source_bytes;
    size_t memory_limit_bytes; /* of the compilation; 0: no limit */
    bool ir_text;              /* `source` is tessera's IR as text (docs/ir.md) instead of WGSL */
} tsr_compile_args;

/* Parse and check a program.
 *
 * Returns   TSR_OK: the module is valid (it may carry warnings); TSR_ERR_SOURCE: it is not, and *out still is a
 *           module, which holds the diagnostics and nothing else; TSR_ERR_MEMORY, TSR_ERR_LIMIT, TSR_ERR_INVALID:
 *           *out is untouched.
 * Owns      *out is the caller's: tsr_module_free. */
TSR_API tsr_status tsr_compile(const tsr_compile_args *args, tsr_module **out);
TSR_API void tsr_module_free(tsr_module *m);

typedef struct tsr_place {
    uint32_t line, column; /* from 1; 0: no place. Columns count code points. */
    uint32_t offset_bytes, length_bytes;
} tsr_place;

typedef struct tsr_diagnostic {
    tsr_severity severity;
    uint32_t number;     /* stable: E0101 is 101 */
    const char *message; /* one line, without place */
    tsr_place place;
} tsr_diagnostic;

/* What the diagnostics of a number are about, in a few words; "" for a number that is none. */
TSR_API const char *tsr_diagnostic_title(uint32_t number);
TSR_API size_t tsr_module_diagnostic_count(const tsr_module *m);
/* Diagnostic i < count; strings live as long as the module. */
TSR_API tsr_diagnostic tsr_module_diagnostic(const tsr_module *m, size_t i);
/* The same as clang prints it: place, message, source line, caret, notes; several lines that end in '\n'. `color`
 * not 0: with terminal colours. Lives as long as the module; not safe from two threads at once. */
TSR_API const char *tsr_module_diagnostic_text(tsr_module *m, size_t i, int color);

/* ---- 4. Reflection -------------------------------------------------------------------------------------------- */

typedef enum tsr_stage { TSR_STAGE_COMPUTE = 0, TSR_STAGE_VERTEX, TSR_STAGE_FRAGMENT } tsr_stage;

TSR_API size_t tsr_module_entry_count(const tsr_module *m);

typedef struct tsr_entry_info {
    const char *name;
    tsr_stage stage;
    bool size_known; /* workgroup_size and memory follow from constants and override defaults */
    uint32_t workgroup_size[3];
    uint64_t workgroup_bytes; /* workgroup memory statically used */
    bool uses_matrices, uses_subgroups, uses_f16;
} tsr_entry_info;
/* TSR_ERR_INVALID when i is not < count. */
TSR_API tsr_status tsr_module_entry(const tsr_module *m, size_t i, tsr_entry_info *out);

typedef enum tsr_binding_kind {
    TSR_BINDING_UNIFORM = 0,
    TSR_BINDING_STORAGE_READ,
    TSR_BINDING_STORAGE_READ_WRITE,
    TSR_BINDING_OTHER /* textures, samplers: reported, not runnable */
} tsr_binding_kind;

typedef struct tsr_binding_info {
    const char *name;
    uint32_t group, binding;
    tsr_binding_kind kind;
    const char *type;        /* WGSL spelling */
    uint64_t min_bytes;      /* smallest buffer that satisfies the type; one element for a run-time array */
    uint32_t element_stride; /* bytes between elements of the (trailing) run-time or fixed array; 0: none */
    const char *scalar;      /* "f32", "f16", "u32", "i32" when the type is made of one scalar type, else "" */
} tsr_binding_info;
/* Bindings that `entry` statically uses (entry NULL: all of the module), ordered by group, then binding. */
TSR_API size_t tsr_module_binding_count(const tsr_module *m, const char *entry);
TSR_API tsr_status tsr_module_binding(const tsr_module *m, const char *entry, size_t i, tsr_binding_info *out);

typedef struct tsr_override_info {
    const char *name; /* "" when it is known by id only */
    bool has_id, has_default;
    uint32_t id;
    const char *type;     /* "bool", "i32", "u32", "f32", "f16" */
    double default_value; /* when the default is known without other overrides */
    bool default_known;
} tsr_override_info;
TSR_API size_t tsr_module_override_count(const tsr_module *m);
TSR_API tsr_status tsr_module_override(const tsr_module *m, size_t i, tsr_override_info *out);

/* Matrix multiplies that `entry` statically does, each configuration once, in the order in which the module's source
 * first has them. Dimensions that depend on overrides use their defaults; those without a value are left out. */
TSR_API size_t tsr_module_config_count(const tsr_module *m, const char *entry);
TSR_API tsr_status tsr_module_config(const tsr_module *m, const char *entry, size_t i, tsr_config *out);

/* The checked program as text (docs/ir.md); lives as long as the module. NULL on TSR_ERR_MEMORY. */
TSR_API const char *tsr_module_ir_text(tsr_module *m);

/* ---- 5. Devices ----------------------------------------------------------------------------------------------- */

typedef struct tsr_device tsr_device;

typedef struct tsr_device_args {
    uint32_t subgroup_size;    /* 0: the device's own choice (cpu: 32). cpu takes 4, 8, 16, 32, 64, 128. */
    uint32_t threads;          /* cpu: worker threads; 0: one per core */
    size_t memory_limit_bytes; /* of all buffers together; 0: no limit */
    const char *profile_file;  /* "profile:NAME" is looked up in this file; NULL: among those that ship */
    /* vulkan: the Khronos validation layer watches. What it finds makes the call that it is about fail with
     * TSR_ERR_VALIDATION and the line of the program; its warnings go to standard error. TSR_ERR_DEVICE: the layer is
     * not installed; TSR_ERR_INVALID: the device has no such layers. TSR_VALIDATE=1 does the same for all Vulkan
     * devices. */
    bool validate;
    bool exact_bits; /* cpu: native code gives the interpreter's bits for floats too, and is slower */
    const char
        *profile_json; /* "profile:NAME" is looked up in this text, as tsr_profiles_json gives; before the file */
} tsr_device_args;

/* Limits that a dispatch is checked against. Zero: unknown. */
typedef struct tsr_limits {
    uint32_t max_workgroup_size[3];
    uint32_t max_workgroup_invocations;
    uint32_t max_workgroups_per_dimension;
    uint64_t max_workgroup_bytes;
    uint64_t max_buffer_bytes;
} tsr_limits;

/* Devices that can be opened here, in order of preference; "cpu" is always among them. */
TSR_API size_t tsr_device_list_count(void);
/* A name for tsr_device_open, NULL when i is not < count. */
TSR_API const char *tsr_device_list_name(size_t i);

/* Open a device.
 *
 * Names     NULL: the first of the list. "cpu"; "cpu:interpreter": without native code; "profile:NAME"; "vulkan": the
 *           first of the driver, "vulkan:1": by number, "vulkan:discrete", "integrated", "virtual", "cpu" or "other":
 * the first of that kind, "vulkan:h200": the first with that in its own name, whatever the case of letters. Returns
 * TSR_ERR_DEVICE: there is no such device, or its loader, driver or opening failed: tsr_last_error() names the step;
 * TSR_ERR_INVALID: a subgroup size that it does not have. args NULL: defaults. Threads   may share a Vulkan device,
 * each with buffers and pipelines of its own; its work is then done in turns. */
TSR_API tsr_status tsr_device_open(const char *name, const tsr_device_args *args, tsr_device **out);
/* Buffers and pipelines of the device must have been freed. */
TSR_API void tsr_device_free(tsr_device *dev);
TSR_API const char *tsr_device_name(const tsr_device *dev);
TSR_API const char *tsr_device_description(const tsr_device *dev);
TSR_API const tsr_support *tsr_device_support(const tsr_device *dev);
TSR_API const tsr_limits *tsr_device_limits(const tsr_device *dev);
/* The subgroup size that pipelines run with. */
TSR_API uint32_t tsr_device_subgroup_size(const tsr_device *dev);

typedef enum tsr_answer { TSR_ANSWER_UNKNOWN = 0, TSR_ANSWER_NO, TSR_ANSWER_YES } tsr_answer;

/* A configuration that the device lists and this library cannot represent. */
typedef struct tsr_unkept {
    size_t position; /* in the device's order, among all that it advertises */
    const char *text, *why;
} tsr_unkept;

/* One row of what VK_NV_cooperative_matrix2 offers: dimensions are multiples of those of `config`. */
typedef struct tsr_flexible {
    bool kept;                      /* else `config` cannot represent it, and only `text` says what it is */
    tsr_config config;              /* its shape is the granularity */
    uint32_t workgroup_invocations; /* of workgroup scope; 0: any */
    const char *text;               /* "32x16x16 f16*f16+f32->f32 workgroup, 128 invocations" */
} tsr_flexible;

/* What a device says beside its configurations and limits. 0, "" and TSR_ANSWER_UNKNOWN: nothing is said. Strings and
 * lists live as long as the device. */
typedef struct tsr_device_info {
    const char *kind;                 /* "cpu", "discrete", "integrated", "virtual", "other" */
    const char *driver;               /* its name and version in its own words */
    const char *api;                  /* "vulkan-khr": where the configurations are from */
    tsr_answer f16, bf16, int8;       /* bf16: in matrices */
    tsr_answer size_control;          /* a subgroup size can be fixed, with full subgroups */
    tsr_answer timestamps;            /* run times are the device's own */
    tsr_answer maximal_reconvergence; /* subgroup operations meet who the program's text says (docs/spirv.md) */
    uint64_t memory_bytes;            /* the largest heap of its own */
    const tsr_unkept *unkept;         /* with the kept ones: all that it advertises */
    size_t unkept_count;
    tsr_answer flexible_dimensions, workgroup_scope; /* VK_NV_cooperative_matrix2 */
    const tsr_flexible *flexible;
    size_t flexible_count;
    uint32_t flexible_max_dimension, workgroup_scope_max_invocations, workgroup_scope_reserved_bytes;
} tsr_device_info;
TSR_API tsr_status tsr_device_get_info(const tsr_device *dev, tsr_device_info *out);

typedef struct tsr_buffer tsr_buffer;

/* data NULL: zeros; else size_bytes are copied from it. Buffers are 16-byte aligned. A size of 0 is valid. */
TSR_API tsr_status tsr_buffer_create(tsr_device *dev, uint64_t size_bytes, const void *data, tsr_buffer **out);
TSR_API void tsr_buffer_free(tsr_buffer *b);
TSR_API uint64_t tsr_buffer_size(const tsr_buffer *b);
/* TSR_ERR_INVALID when the range leaves the buffer; nothing is copied then. Waits for work that uses the buffer. */
TSR_API tsr_status tsr_buffer_write(tsr_buffer *b, uint64_t offset_bytes, const void *data, uint64_t size_bytes);
TSR_API tsr_status tsr_buffer_read(tsr_buffer *b, uint64_t offset_bytes, void *data, uint64_t size_bytes);

/* A value for an override, by name or, when name is NULL, by @id. */
typedef struct tsr_override_value {
    const char *name;
    uint32_t id;
    double value; /* converted to the override's type; TSR_ERR_INVALID when it does not fit */
} tsr_override_value;

typedef struct tsr_pipeline tsr_pipeline;

typedef struct tsr_pipeline_args {
    const char *entry; /* NULL: the module's only compute entry point */
    const tsr_override_value *overrides;
    size_t override_count;
} tsr_pipeline_args;

/* Make an entry point ready to run: overrides get their values, sizes become numbers, and the rules that hold at
 * pipeline creation are checked (every matrix type and multiply in a configuration of the device, workgroup x a
 * multiple of the largest subgroup size when matrices are used, components divided by the subgroup size, limits).
 *
 * Returns   TSR_ERR_INVALID (no such entry point, unknown override, value missing or out of range),
 *           TSR_ERR_UNSUPPORTED (configuration, subgroup size), TSR_ERR_LIMIT, TSR_ERR_SOURCE (an override-expression
 *           that cannot be evaluated, an array size below 1); tsr_last_error() tells all that is wrong, each with
 *           its place, one a line.
 * Owns      the module may be freed afterwards; the pipeline is the caller's: tsr_pipeline_free. */
TSR_API tsr_status tsr_pipeline_create(tsr_device *dev, const tsr_module *m, const tsr_pipeline_args *args,
                                       tsr_pipeline **out);
TSR_API void tsr_pipeline_free(tsr_pipeline *p);
/* Workgroup size and memory after overrides. */
TSR_API void tsr_pipeline_workgroup(const tsr_pipeline *p, uint32_t size[3], uint64_t *workgroup_bytes);
/* What runs it on the CPU: "native code, LLVM 19.1.7", "native code from the cache", the same with "hot " in front once
 * it has run for so long that it was compiled again (docs/jit.md), "interpreter: " and why; "" on other devices. Lives
 * as long as the pipeline. */
TSR_API const char *tsr_pipeline_engine(const tsr_pipeline *p);
/* What the program became: "ir" (tessera's, overrides applied), and on the device "cpu" "llvm" and "asm", as text in
 * malloc memory that the caller frees. TSR_ERR_INVALID: no such form; TSR_ERR_UNSUPPORTED: it has none here. */
TSR_API tsr_status tsr_pipeline_dump(const tsr_pipeline *p, const char *form, char **text);
/* The configurations that its multiply-adds use, each once: tsr_module_config with every size known. */
TSR_API size_t tsr_pipeline_config_count(const tsr_pipeline *p);
TSR_API tsr_status tsr_pipeline_config(const tsr_pipeline *p, size_t i, tsr_config *out);

typedef struct tsr_binding {
    uint32_t group, binding;
    tsr_buffer *buffer;
    uint64_t offset_bytes; /* a multiple of 4 */
    uint64_t size_bytes;   /* 0: to the end of the buffer */
} tsr_binding;

/* What a run met that a device would not report. Counted over all invocations; the first of each kind has a place. */
typedef struct tsr_run_report {
    uint64_t workgroups;
    uint64_t time_ns;             /* of the kernel alone */
    uint64_t oob_accesses;        /* plain loads, stores and atomics outside their array: load zero, store nothing */
    uint64_t oob_matrix_accesses; /* matrix loads and stores whose tile leaves its array */
    tsr_place first_oob;          /* of either kind; line 0: none */
    char first_oob_text[160];
} tsr_run_report;

typedef struct tsr_dispatch_args {
    const tsr_binding *bindings;
    size_t binding_count;
    uint32_t groups[3];     /* workgroups; any of them 0: nothing to do, succeeds */
    uint64_t timeout_ns;    /* 0: none. A GPU cannot be stopped: see tsr_dispatch */
    tsr_run_report *report; /* may be NULL; filled when the work is done */
    /* Called now and then from the calling thread with the workgroups done so far (0 of 0 from a device that does not
     * tell); may be NULL. Return false to stop: TSR_ERR_TIMEOUT. */
    bool (*progress)(void *user, uint64_t done, uint64_t total);
    void *progress_user;
    const struct tsr_sanitize_args *sanitize; /* NULL: run as it is; see section 10 */
    struct tsr_findings **findings;           /* filled on TSR_OK when `sanitize` is given; may be NULL */
} tsr_dispatch_args;

/* Run a grid of workgroups. The CPU has finished when this returns; other devices when tsr_device_wait does.
 *
 * Bindings  that the entry point does not use are ignored.
 * Returns   TSR_ERR_INVALID: a binding is missing, given twice, too small, misaligned, or a writable binding overlaps
 *           another one; TSR_ERR_LIMIT: more workgroups than the device takes. Nothing has run then.
 *           TSR_ERR_TIMEOUT: stopped; buffers hold what was written until then. TSR_ERR_DEVICE: the device was lost.
 * Loss      A Vulkan device whose run was lost, or did not end in its time, is given up: whatever else is asked of it
 *           returns TSR_ERR_DEVICE, its buffers' contents included, until it is closed and opened again. Buffers,
 *           pipelines and the device are freed as always (what a kernel that still runs may use stays with the driver,
 *           and closing waits a second for it); other devices, and the program, go on. */
TSR_API tsr_status tsr_dispatch(tsr_pipeline *p, const tsr_dispatch_args *args);
TSR_API tsr_status tsr_device_wait(tsr_device *dev);

/* ---- 6. Profiles: devices that are not here -------------------------------------------------------------------- */

/* A profile says what some device can do. tsr_device_open("profile:NAME", ...) gives a CPU with that device's
 * configurations, subgroup sizes and limits. docs/profiles.md tells the form of the files. */

typedef enum tsr_profile_kind {
    TSR_PROFILE_DEVICE = 0,      /* a device with its driver */
    TSR_PROFILE_INSTRUCTION_SET, /* what the instructions can do: no promise of any driver */
    TSR_PROFILE_PROTOTYPE,       /* a driver that has not shipped */
    TSR_PROFILE_KIND_COUNT
} tsr_profile_kind;
TSR_API const char *tsr_profile_kind_name(tsr_profile_kind k); /* "device", "instruction-set", "prototype" */

/* Parts of a profile that are estimates: nothing is refused because of them. */
enum {
    TSR_INFERRED_CONFIGS = 1,
    TSR_INFERRED_SUBGROUP = 2,
    TSR_INFERRED_WORKGROUP = 4, /* size and invocations */
    TSR_INFERRED_MEMORY = 8     /* workgroup memory */
};

/* Strings are never NULL: "" when not known. */
typedef struct tsr_profile_info {
    const char *name, *description, *vendor, *architecture, *driver, *api;
    const char *numerics;   /* the model of its multiply-add; "reference" when none is named */
    const char *confidence; /* "dump", "driver table", "documentation", "inferred" */
    const char *source, *notes;
    tsr_profile_kind kind;
    tsr_support support;    /* subgroup_sizes: all that it may choose; bounds_checked: known to be */
    tsr_limits limits;      /* 0: unknown */
    uint32_t subgroup_size; /* that it prefers; 0: unknown */
    tsr_answer bounds_checked, f16, maximal_reconvergence;
    unsigned inferred; /* TSR_INFERRED_... */
    const tsr_unkept *unkept;
    size_t unkept_count;
} tsr_profile_info;

typedef struct tsr_profiles tsr_profiles;

/* Read profiles: `json` NULL: those that come with the library; else `json_bytes` of text, one record or a whole file,
 * called `name` in messages.
 *
 * Returns   TSR_ERR_INVALID (not JSON, or a field is wrong: tsr_last_error() names line and field), TSR_ERR_LIMIT (more
 *           than 16 MiB), TSR_ERR_MEMORY.
 * Owns      *out is the caller's: tsr_profiles_free. Everything that it gives out lives as long as it does. */
TSR_API tsr_status tsr_profiles_load(const char *json, size_t json_bytes, const char *name, tsr_profiles **out);
TSR_API void tsr_profiles_free(tsr_profiles *p);
TSR_API size_t tsr_profiles_count(const tsr_profiles *p);
/* TSR_ERR_INVALID when i is not < count. */
TSR_API tsr_status tsr_profiles_get(const tsr_profiles *p, size_t i, tsr_profile_info *out);
/* TSR_ERR_DEVICE when there is none of that name; the message suggests the nearest. */
TSR_API tsr_status tsr_profiles_find(const tsr_profiles *p, const char *name, size_t *out);
/* The record as it was written, with every field; NULL when i is not < count. */
TSR_API const char *tsr_profiles_json(const tsr_profiles *p, size_t i);
/* The configuration of the profile that differs from `wanted` in the fewest fields, NULL when it has none; *differs
 * (may be NULL) receives "m, k", "the result's type", ..., at most differs_bytes with the NUL. */
TSR_API const tsr_config *tsr_support_nearest(const tsr_support *s, const tsr_config *wanted, char *differs,
                                              size_t differs_bytes);

/* ---- 7. Portability: will it run there? ------------------------------------------------------------------------ */

typedef enum tsr_fit {
    TSR_FIT_RUNS = 0,
    TSR_FIT_REFUSED,
    TSR_FIT_UNKNOWN /* the record is not complete, or a limit that decides is not known */
} tsr_fit;
TSR_API const char *tsr_fit_name(tsr_fit f); /* "runs", "refused", "unknown" */

typedef struct tsr_fit_reason {
    tsr_fit fit;            /* what it leads to: never TSR_FIT_RUNS */
    uint32_t number;        /* of the rule: E0643 is 643 */
    const char *rule;       /* the rule in a few words */
    const char *message;    /* what was asked, and what is there */
    tsr_place place;        /* line 0: none */
    uint32_t subgroup_size; /* at which it holds; 0: at every one */
    bool has_wanted, has_nearest;
    tsr_config wanted, nearest;
    const char *differs; /* the fields in which these two differ; "" */
} tsr_fit_reason;

typedef struct tsr_fit_args {
    const char *entry; /* NULL: the only compute entry point */
    const tsr_override_value *overrides;
    size_t override_count;
    const tsr_profiles *profiles;
    size_t profile;         /* index in it */
    uint32_t subgroup_size; /* 0: every one that the device may choose */
} tsr_fit_args;

typedef struct tsr_fit_report tsr_fit_report;

/* Judge an entry point against a profile. A need that stays under WebGPU's default limits (256 invocations and 256 in x
 * and y, 64 in z, 16384 bytes of workgroup memory) is met by every device; one above a limit that is not known is
 * unknown.
 *
 * Returns   as tsr_pipeline_create for what is wrong with the program or its overrides; a device's refusal is a result,
 *           no failure.
 * Owns      *out is the caller's: tsr_fit_free. It does not need the module or the profiles any more. */
TSR_API tsr_status tsr_fit_check(const tsr_module *m, const tsr_fit_args *args, tsr_fit_report **out);
TSR_API void tsr_fit_free(tsr_fit_report *r);
/* refused when some rule refuses it, else unknown when something could not be decided, else runs. */
TSR_API tsr_fit tsr_fit_verdict(const tsr_fit_report *r);
TSR_API size_t tsr_fit_reason_count(const tsr_fit_report *r);
/* TSR_ERR_INVALID when i is not < count. */
TSR_API tsr_status tsr_fit_get_reason(const tsr_fit_report *r, size_t i, tsr_fit_reason *out);
/* The subgroup sizes at which nothing refuses it. */
TSR_API size_t tsr_fit_sizes(const tsr_fit_report *r, const uint32_t **sizes);

/* What an entry point takes of a device: matrices are registers, and they add up. */
typedef struct tsr_budget {
    uint64_t matrix_components; /* of the whole subgroup, held at the worst point */
    uint64_t matrix_bytes;      /* the same in bytes; both divided by the subgroup size are an invocation's share */
    tsr_place worst;            /* where that is; line 0: no matrix is held */
    uint64_t workgroup_bytes;
    uint64_t invocations;
    uint32_t workgroup_size[3];
} tsr_budget;
/* Above so many 32-bit words of matrices an invocation a warning is due: half of the 255 registers that an invocation
 * can address at most on NVIDIA GPUs (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"),
 * and all of the 128 that Intel's GPUs give (without the mode for large kernels). */
enum { TSR_BUDGET_WORDS = 128 };
/* Statuses as tsr_pipeline_create. */
TSR_API tsr_status tsr_module_budget(const tsr_module *m, const tsr_pipeline_args *args, tsr_budget *out);

/* ---- 8. Layouts: which invocation holds which element ---------------------------------------------------------- */

/* Known facts about some devices, to look at and to test with. No portable program may rely on any of them. */
typedef struct tsr_layout_info {
    const char *name;       /* "nv.m16n8k16.f16.A" */
    const char *components; /* for which component types: "f16 bf16" */
    const char *source;
    tsr_use use;
    uint32_t rows, cols;
    uint32_t subgroup_size; /* invocations that share the matrix */
    uint32_t length;        /* elements that each holds */
    uint32_t copies;        /* how often each element is held */
} tsr_layout_info;
TSR_API size_t tsr_layout_count(void);
TSR_API tsr_status tsr_layout_get(size_t i, tsr_layout_info *out);
/* The element that invocation `lane` holds as number `element`. TSR_ERR_INVALID outside. */
TSR_API tsr_status tsr_layout_place(size_t i, uint32_t lane, uint32_t element, uint32_t *row, uint32_t *col);
/* The layout of a matrix of `cfg` on the device of that profile; subgroup_size 0: any. TSR_ERR_UNSUPPORTED when none is
 * known. */
TSR_API tsr_status tsr_layout_find(const char *profile, const tsr_config *cfg, tsr_use use, uint32_t subgroup_size,
                                   size_t *out);

/* ---- 9. Code for other places ---------------------------------------------------------------------------------- */

/* What an access outside its array does (docs/design.md, "Out of bounds"). Loads and stores of single values: with ZERO
 * a load gives zero and a store does nothing; with CLAMP and RESTART it is the last element that is accessed. */
typedef enum tsr_oob {
    TSR_OOB_ZERO = 0,
    TSR_OOB_CLAMP,     /* each component of a matrix outside: the last one of the array */
    TSR_OOB_RESTART,   /* the whole matrix at the beginning of the array */
    TSR_OOB_UNCHECKED, /* no test at all: the program promises that it stays inside */
    TSR_OOB_COUNT
} tsr_oob;
TSR_API const char *tsr_oob_name(tsr_oob o); /* "zero", "clamp", "restart", "unchecked" */

typedef struct tsr_emit_target_info {
    const char *name;      /* "spirv", "spirv-text", "spirv-header", ... */
    const char *extension; /* of files, without the dot */
    const char *summary;   /* one line */
    bool is_text;
} tsr_emit_target_info;
TSR_API size_t tsr_emit_target_count(void);
/* TSR_ERR_INVALID when i is not < count. */
TSR_API tsr_status tsr_emit_target(size_t i, tsr_emit_target_info *out);

typedef struct tsr_emit_args {
    const char *target; /* NULL: "spirv" */
    const char *entry;  /* NULL: the module's only compute entry point */
    const tsr_override_value *overrides;
    size_t override_count;
    const tsr_device *device; /* that it is for: its rules are checked, and the code is made for it; NULL: any device */
    tsr_oob oob;
    uint32_t version;           /* of the target's language, major * 100 + minor (SPIR-V 1.5: 105); 0: its default */
    uint32_t subgroup_size;     /* that it will run with; 0: the device's, or not known */
    bool debug_lines;           /* carry the lines of the source */
    bool maximal_reconvergence; /* SPIR-V: where subgroup operations can tell, lanes that parted come together again as
                                   the program is written; a GPU that can is given that anyway */
} tsr_emit_args;

/* Make code of an entry point, for use outside of this library.
 *
 * Returns   as tsr_pipeline_create; TSR_ERR_INVALID also when there is no such target or version of it.
 * Owns      *data is the caller's: free() it. It has *size_bytes, and a NUL behind them; SPIR-V's words have the byte
 *           order of this machine. Same program and arguments: same bytes. */
TSR_API tsr_status tsr_emit(const tsr_module *m, const tsr_emit_args *args, void **data, size_t *size_bytes);

/* ---- 10. Sanitizer: what a kernel does that no device promises -------------------------------------------------- */

/* Give tsr_dispatch_args.sanitize, and the CPU watches the run (docs/sanitizer.md tells what each check finds):
 *
 *     tsr_sanitize_args checks = { .checks = TSR_CHECK_ALL };
 *     tsr_findings *found = NULL;
 *     tsr_dispatch(p, &(tsr_dispatch_args){ ..., .sanitize = &checks, .findings = &found });
 *     for (size_t i = 0; i < tsr_findings_count(found); i++)
 *         puts(tsr_findings_get(found, i).message);
 *     tsr_findings_free(found);
 *
 * A checked run uses one thread of the interpreter and takes two to five times as long; with all checks, which run
 * again and compare, up to ten. Devices that do not run on the CPU: TSR_ERR_UNSUPPORTED. */

enum {
    TSR_CHECK_BOUNDS = 1 << 0,        /* plain, atomic and matrix accesses outside their array */
    TSR_CHECK_STRIDES = 1 << 1,       /* matrix strides below a row, or not aligned */
    TSR_CHECK_RACES = 1 << 2,         /* accesses that no barrier orders, within and between workgroups */
    TSR_CHECK_UNIFORMITY = 1 << 3,    /* subgroup and matrix operations and barriers that not all reach; operands */
    TSR_CHECK_UNINITIALISED = 1 << 4, /* reads of workgroup memory that nothing has written (information) */
    TSR_CHECK_F16 = 1 << 5,           /* overflow, and loss to zero (information) */
    TSR_CHECK_WRAP = 1 << 6,          /* integer matrix components that wrap */
    TSR_CHECK_ORDER = 1 << 7,         /* runs again in other orders of workgroups and compares */
    TSR_CHECK_SUBGROUP_SIZE = 1 << 8, /* runs again with other subgroup sizes and compares */
    TSR_CHECK_VARIABLES = 1 << 9,     /* reads of variables without initial value before a write (information) */
    TSR_CHECK_EXPECT = 1 << 10,       /* findings of tsr_sanitize_args.expected; need not be asked for */
    TSR_CHECK_COVERAGE = 1 << 11,     /* bindings that were written in part (information) */
    TSR_CHECK_ALL = ((1 << 9) - 1) | TSR_CHECK_COVERAGE
};

/* What a buffer must hold in the end. When it does not, the run is repeated with one matrix access after the other in
 * the other majorness, with one size (an integer member of a binding) after the other in another one's place, and with
 * the grid's x and y turned round: the change that makes it right is named. */
typedef struct tsr_expected {
    uint32_t group, binding;
    const void *data;
    uint64_t size_bytes;
    double
        tolerance; /* floats: of the greatest magnitude; 0: 2^-10 for f32, 2^-7 for f16; < 0: equal bits, as others */
} tsr_expected;

typedef struct tsr_sanitize_args {
    uint32_t checks;             /* TSR_CHECK_...; 0: only what `oob` and `expected` say */
    tsr_oob oob;                 /* what accesses outside do in this run; UNCHECKED is ZERO here */
    bool coarse_extent;          /* bounds: also report tiles outside by offset + stride * rows * columns */
    uint32_t orders;             /* how many other orders of workgroups; 0: 3. The first is the reverse */
    uint64_t seed;               /* of those orders */
    uint64_t shadow_limit_bytes; /* memory for the race check; 0: 1 GiB. What does not fit is told, not watched */
    const tsr_expected *expected;
    size_t expected_count;
} tsr_sanitize_args;

typedef struct tsr_invocation {
    uint32_t workgroup[3], global[3];
    uint32_t local_index, subgroup;
    bool whole_subgroup; /* a matrix operation: local_index is the first invocation of its subgroup */
} tsr_invocation;

/* One kind of fault at one place (races: at two), with the first invocation that showed it. */
typedef struct tsr_finding {
    uint32_t number;       /* stable: S0301 is 301 */
    const char *name;      /* "race_workgroup" */
    uint32_t check;        /* the TSR_CHECK_... that it belongs to */
    tsr_severity severity; /* TSR_SEVERITY_WARNING, or TSR_SEVERITY_INFO: no fault by itself */
    uint64_t count;        /* how often */
    const char *message;   /* one line, without place */
    tsr_place place;       /* line 0: none */
    bool has_invocation;
    tsr_invocation invocation;
    bool has_other; /* the other access of a race; what a result gets its dependence on the subgroup size from */
    const char *other_message;
    tsr_place other_place;
    tsr_invocation other_invocation;
} tsr_finding;

typedef struct tsr_findings tsr_findings;

/* By place in the source; those without a place come last. Strings live as long as the findings. */
TSR_API size_t tsr_findings_count(const tsr_findings *f);
/* Finding i < count. */
TSR_API tsr_finding tsr_findings_get(const tsr_findings *f, size_t i);
/* How many of them are warnings. */
TSR_API size_t tsr_findings_warnings(const tsr_findings *f);
TSR_API void tsr_findings_free(tsr_findings *f);

/* ---- 11. Proof: does a device compute what it should? ----------------------------------------------------------- */

/* How a product compares with its reference. */
typedef struct tsr_comparison {
    uint64_t elements; /* compared; those whose magnitudes leave the result's range are not */
    uint64_t bad;      /* outside their bound; what is not finite never matches */
    uint64_t
        worst; /* index (row * n + column) of the element below: the first bad one, else the nearest to its bound */
    double got, want, error, bound, ulps;
} tsr_comparison;

/* Compare r with a * b + c.
 *
 * Shapes    a [m,k], b [k,n], c and r [m,n] of cfg, dense, row-major, components side by side as in memory.
 * Accuracy  strict configurations: bit for bit, saturation included. Bounded ones: want is the f64 sum, and
 *           |r - want| <= ((1 + u)^(2k + 1) - 1) * (sum|a b| + |c|) + (2k + 1) * t, u one unit in the last place of 1
 * and t the least subnormal of r's type: 2k + 1 roundings in any order, each of them perhaps a truncation. Returns
 * TSR_ERR_SHAPE for a size of 0 or over 2^28 components, TSR_ERR_UNSUPPORTED for types that have no reference. Source
 * Higham, "Accuracy and Stability of Numerical Algorithms", section 4.2. */
TSR_API tsr_status tsr_compare_product(const tsr_config *cfg, const void *a, const void *b, const void *c,
                                       const void *r, tsr_comparison *out);

typedef enum tsr_conformance {
    TSR_CONFORMS = 0,
    TSR_FAILS,
    TSR_REFUSED,       /* the device says that it has no such configuration */
    TSR_NOT_EXPRESSED, /* the back end or the reference cannot express it: no pass */
    TSR_DOES_NOT_FIT   /* the subgroup size does not divide its matrices */
} tsr_conformance;
TSR_API const char *tsr_conformance_name(tsr_conformance c);

typedef struct tsr_verify_row {
    tsr_config config;
    tsr_regime regime;
    uint32_t subgroup_size;
    tsr_conformance verdict;
    uint32_t runs, failed_runs;
    tsr_comparison worst; /* of the run that failed first, else of the one nearest to its bound */
    char worst_case[160]; /* that run's pattern and layout */
    char text[200];       /* why it was refused, not expressed, or wrote outside; else "" */
} tsr_verify_row;

/* Run one configuration with every pattern (100i+j, identity, sign flips, extremes, sums near 65504, subnormals, heavy
 * tails, random, constants), in both majornesses of each operand, with tight, odd and wide strides and offsets
 * (`quick`: all row-major and all column-major only). The configuration may be one that WGSL cannot spell. */
TSR_API tsr_status tsr_verify_config(tsr_device *dev, const tsr_config *cfg, bool quick, tsr_verify_row *out);

/* What a device's multiply-add shows of its inside. */
typedef struct tsr_numerics {
    char model[32]; /* the first of the models in docs/numerics.md that gives the same bits on all probes, "none" */
    bool rounds_to_nearest; /* else toward zero */
    bool sum_starts_at_c;   /* else C is added last, or all at once */
    bool products_fused;    /* products are not rounded by themselves */
    bool keeps_subnormals;
    bool survives_overflow; /* a sum may leave the result's range and come back */
    uint32_t exact_block;   /* products that are summed before the first rounding: 1, 2, 4, ... */
    uint32_t extra_bits;    /* bits kept below the result's significand within a block */
} tsr_numerics;

/* Probe the device with small inputs whose results differ between models. Floats only: TSR_ERR_UNSUPPORTED for
 * integers. */
TSR_API tsr_status tsr_verify_numerics(tsr_device *dev, const tsr_config *cfg, tsr_numerics *out);

#ifdef __cplusplus
}
#endif

#endif
