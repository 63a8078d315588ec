/* What the files of the SPIR-V emitter share: one state for the module that is being made.
 *
 *   spirv_module.c    sections, ids, instructions         spirv_control.c   blocks, branches, calls, functions
 *   spirv_type.c      types and their layout              spirv_entry.c     built-in values, workgroup memory, the
 * module spirv_constant.c  constants                           spirv_subgroup.c  subgroup and quad operations
 *   spirv_op.c        one rule for each op of the IR      spirv_matrix.c    subgroup matrices
 *   spirv_number.c    numbers where WGSL's rules differ   spirv_tile.c      tiles that may leave their array
 *   spirv_pack.c      packing                             spirv_text.c      disassembly
 *   spirv_memory.c    pointers, loads, stores              spirv_sync.c      atomics, barriers
 *   spirv_composite.c vectors, structs and their parts     spirv_uniform.c   uniform buffers that Vulkan does not take
 *
 * "Type" is a type of the IR (tsr_type), "id" a number of SPIR-V. */
#ifndef TSR_EMIT_SPIRV_H
#define TSR_EMIT_SPIRV_H

#include "analysis/range.h"
#include "emit/emit.h"
#include "emit/spirv_words.h"

#define SPV_VERSION(major, minor) ((uint32_t)(major) << 16 | (uint32_t)(minor) << 8)
#define SPV_VERSIONS                                                                                                   \
    {                                                                                                                  \
        SPV_VERSION(1, 3), SPV_VERSION(1, 4), SPV_VERSION(1, 5), SPV_VERSION(1, 6)                                     \
    }

/* A pointer of the IR: a variable, or a part of what its parent points to. */
typedef struct tsr_spv_ptr {
    tsr_id parent; /* 0: the whole variable */
    uint32_t id;   /* the variable; for a part its access chain, 0 until one is made */
    uint32_t step; /* part: id of the member number or index, never out of range */
    uint32_t ok;   /* id of a bool: whether every index on the way was in range; 0: they all are */
    tsr_id root;   /* the variable, parameter or global that it begins with */
    bool wrapped;  /* variable: its value is member 0 of a block */
    bool raw;      /* a uniform buffer as words: spirv_uniform.c */
    bool laid_out; /* buffer memory: types with offsets and strides */
} tsr_spv_ptr;

/* How many there are of something: `fixed`, or when that is 0 the value `id`. */
typedef struct tsr_spv_count {
    uint32_t fixed, id;
    tsr_id array; /* the variable that holds the run-time array */
} tsr_spv_count;

/* Where `break` and `continue` go. */
typedef struct tsr_spv_target {
    uint32_t break_label, continue_label;
    bool break_is_switch;
} tsr_spv_target;

typedef struct tsr_spv {
    const tsr_program *p;
    const tsr_emit_options *o;
    const tsr_ir *ir;
    const tsr_types *types;
    tsr_arena *arena;
    tsr_diags *diags;
    uint32_t version;

    /* The module, section by section. */
    tsr_words capabilities, extensions, debug, decorations, declarations, functions;
    uint32_t next_id, glsl;                      /* glsl: the extended instruction set, 0 until used */
    tsr_map unique;                              /* content of a declaration -> where it stands in `declarations` */
    uint32_t *type_ids, *layout_ids, *block_ids; /* by type */
    uint32_t type_cap;
    uint32_t builtin_ids[TSR_BV_COUNT]; /* input variables */
    tsr_words interface;
    bool failed;      /* what is emitted is of no use: it was reported */
    bool reconverges; /* SPV_KHR_maximal_reconvergence is asked for, and the program can tell */

    /* Values and functions of the IR. */
    uint32_t *value_ids; /* by instruction */
    uint8_t *wanted;     /* by instruction: pointers whose access chain is needed as it stands */
    tsr_map ptr_index;   /* pointer instruction -> number in ptrs */
    tsr_pool ptrs;       /* of tsr_spv_ptr */
    tsr_map constants;   /* instruction -> id, for those of value_ids that are constants */
    uint32_t *function_ids;

    /* The function that is being made. */
    tsr_words variables, prologue, body; /* prologue: what all of it uses, after the variables */
    tsr_map lengths, lasts;              /* variable with a run-time array -> its length, and one less */
    uint32_t loop_depth;
    uint32_t label; /* of the block that is being made; 0: it has ended */
    tsr_spv_target target;
    tsr_type result;
    uint32_t file, line; /* what OpLine said last */
    tsr_map temporaries; /* type -> function variable for values that are indexed */
    tsr_map tables;      /* constant -> private variable for constants that are indexed */

    struct tsr_spv_tiles *tiles; /* spirv_tile.c */
    tsr_ranges *ranges;          /* what is known about values: indices that need no test */
} tsr_spv;

#define SPV_COUNT(...) (sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
/* tsr_spv_value, tsr_spv_do and tsr_spv_ext with the words written out: the result type, then the operands. They stand
 * in one list because the order in which C evaluates the arguments of a call is the compiler's choice, and what they
 * declare on the way would follow it. */
#define SPV_VALUE(s, op, ...)                                                                                          \
    tsr_spv_value_of((s), (op), (const uint32_t[]){__VA_ARGS__}, (uint32_t)SPV_COUNT(__VA_ARGS__))
#define SPV_DO(s, op, ...) tsr_spv_do((s), (op), (const uint32_t[]){__VA_ARGS__}, (uint32_t)SPV_COUNT(__VA_ARGS__))
#define SPV_EXT(s, set, ...)                                                                                           \
    tsr_spv_ext_of((s), SPV_GLSL_##set, (const uint32_t[]){__VA_ARGS__}, (uint32_t)SPV_COUNT(__VA_ARGS__))

/* ---- spirv_module.c */

uint32_t tsr_spv_new_id(tsr_spv *s);
void tsr_spv_put(tsr_spv *s, tsr_words *to, tsr_spv_op op, const uint32_t *words, uint32_t count);
void tsr_spv_capability(tsr_spv *s, uint32_t capability);
void tsr_spv_extension(tsr_spv *s, const char *name);
void tsr_spv_name(tsr_spv *s, uint32_t id, const char *name); /* "" names nothing */
void tsr_spv_name_sym(tsr_spv *s, uint32_t id, tsr_sym name);
void tsr_spv_name_member(tsr_spv *s, uint32_t id, uint32_t member, tsr_sym name);
/* `value` is left out when it is UINT32_MAX. */
void tsr_spv_decorate(tsr_spv *s, uint32_t id, uint32_t decoration, uint32_t value);
void tsr_spv_decorate_member(tsr_spv *s, uint32_t id, uint32_t member, uint32_t decoration, uint32_t value);
/* A type or constant: the one with this content. type: the result type, 0 for what has none. */
uint32_t tsr_spv_declare(tsr_spv *s, tsr_spv_op op, uint32_t type, const uint32_t *words, uint32_t count);
/* The same, always a new one. */
uint32_t tsr_spv_declare_new(tsr_spv *s, tsr_spv_op op, uint32_t type, const uint32_t *words, uint32_t count);
/* Into the block that is being made. Nothing is added to a block that has ended. */
uint32_t tsr_spv_value(tsr_spv *s, tsr_spv_op op, uint32_t type, const uint32_t *words, uint32_t count);
void tsr_spv_do(tsr_spv *s, tsr_spv_op op, const uint32_t *words, uint32_t count);
uint32_t tsr_spv_ext(tsr_spv *s, uint32_t instruction, uint32_t type, const uint32_t *words, uint32_t count);
/* The same, the result type being the first word. */
uint32_t tsr_spv_value_of(tsr_spv *s, tsr_spv_op op, const uint32_t *words, uint32_t count);
uint32_t tsr_spv_ext_of(tsr_spv *s, uint32_t instruction, const uint32_t *words, uint32_t count);
/* A variable of the function that is being made; the type is that of what it holds. */
uint32_t tsr_spv_local(tsr_spv *s, uint32_t type);
void tsr_spv_assemble(tsr_spv *s, tsr_text *out);

/* ---- spirv_type.c */

/* As values and as function, private and workgroup memory have it; no offsets, no strides. */
uint32_t tsr_spv_type(tsr_spv *s, tsr_type type);
/* As buffers have it. Before SPIR-V 1.4, which has no instruction between the two, both are one. */
uint32_t tsr_spv_layout_type(tsr_spv *s, tsr_type type);
/* The struct with decoration Block for a buffer that holds a `type`; *wrapped: the type is its only member. */
uint32_t tsr_spv_block_type(tsr_spv *s, tsr_type type, bool *wrapped);
uint32_t tsr_spv_pointer_type(tsr_spv *s, uint32_t storage, uint32_t pointee);
uint32_t tsr_spv_vec_type(tsr_spv *s, tsr_type scalar, unsigned count); /* count 1: the scalar */
uint32_t tsr_spv_component_type(tsr_spv *s, tsr_component c);
uint32_t tsr_spv_storage(tsr_space space);
/* Of the same value, between the two forms of its type. */
uint32_t tsr_spv_relayout(tsr_spv *s, uint32_t value, tsr_type type, bool to_layout);

/* ---- spirv_constant.c */

uint32_t tsr_spv_u32(tsr_spv *s, uint32_t value);
uint32_t tsr_spv_i32(tsr_spv *s, int32_t value);
uint32_t tsr_spv_bool(tsr_spv *s, bool value);
/* `bits` as constants of the IR have them; scalar is bool, i32, u32, f32 or f16. */
uint32_t tsr_spv_scalar(tsr_spv *s, tsr_type scalar, uint32_t bits);
/* A number as a constant of the scalar or vector type, every component. */
uint32_t tsr_spv_number(tsr_spv *s, tsr_type type, double value);
uint32_t tsr_spv_splat_constant(tsr_spv *s, uint32_t scalar, uint32_t vec_type, unsigned count);
uint32_t tsr_spv_zero(tsr_spv *s, tsr_type type);
uint32_t tsr_spv_undef(tsr_spv *s, uint32_t type);
/* The id of a constant of the IR: `const`, `zero`, or what is made of them. 0 when it is none. */
uint32_t tsr_spv_constant(tsr_spv *s, tsr_id id);

/* ---- spirv_op.c */

/* The id of a value of the IR. */
uint32_t tsr_spv_use(tsr_spv *s, tsr_id id);
uint32_t tsr_spv_arg(tsr_spv *s, const tsr_inst *inst, uint32_t i);
tsr_type tsr_spv_arg_type(const tsr_spv *s, const tsr_inst *inst, uint32_t i);
/* The scalar kind of a scalar or vector type. */
tsr_type_kind tsr_spv_kind(const tsr_spv *s, tsr_type type);
/* Emits one instruction that is not control flow. */
void tsr_spv_inst(tsr_spv *s, tsr_id id);
/* Whether there is a rule for an op, or another part of the emitter takes care of it. */
bool tsr_spv_handles(tsr_op op);
/* By hand: what a line of the table cannot say. Each returns the value's id, 0 for none. */
typedef uint32_t tsr_spv_hand(tsr_spv *s, tsr_id id);

/* spirv_number.c */
tsr_spv_hand tsr_spv_emit_divide, tsr_spv_emit_shift, tsr_spv_emit_convert, tsr_spv_emit_clamp, tsr_spv_emit_saturate;
tsr_spv_hand tsr_spv_emit_smoothstep, tsr_spv_emit_count_zeros, tsr_spv_emit_bits, tsr_spv_emit_select;
tsr_spv_hand tsr_spv_emit_dot, tsr_spv_emit_mat_mul, tsr_spv_emit_mat_sum, tsr_spv_emit_abs, tsr_spv_emit_bitcast;
tsr_spv_hand tsr_spv_emit_any_all;
/* spirv_pack.c */
tsr_spv_hand tsr_spv_emit_pack_norm, tsr_spv_emit_unpack_norm, tsr_spv_emit_pack_int, tsr_spv_emit_unpack_int;
tsr_spv_hand tsr_spv_emit_pack_half, tsr_spv_emit_unpack_half, tsr_spv_emit_dot4;
/* spirv_composite.c */
tsr_spv_hand tsr_spv_emit_compose, tsr_spv_emit_splat, tsr_spv_emit_extract, tsr_spv_emit_element;
tsr_spv_hand tsr_spv_emit_swizzle, tsr_spv_emit_insert;
/* spirv_memory.c */
tsr_spv_hand tsr_spv_emit_var, tsr_spv_emit_field, tsr_spv_emit_index, tsr_spv_emit_load, tsr_spv_emit_store;
tsr_spv_hand tsr_spv_emit_array_length;
/* spirv_sync.c */
tsr_spv_hand tsr_spv_emit_atomic, tsr_spv_emit_barrier, tsr_spv_emit_load_uniform;
/* spirv_subgroup.c */
tsr_spv_hand tsr_spv_emit_vote, tsr_spv_emit_sum, tsr_spv_emit_shuffle, tsr_spv_emit_quad;
/* spirv_matrix.c */
tsr_spv_hand tsr_spv_emit_mfill, tsr_spv_emit_mload, tsr_spv_emit_mstore, tsr_spv_emit_mma, tsr_spv_emit_mscalar;
/* spirv_control.c */
tsr_spv_hand tsr_spv_emit_call;

/* ---- spirv_memory.c */

tsr_spv_ptr *tsr_spv_ptr_of(tsr_spv *s, tsr_id pointer);
void tsr_spv_add_root(tsr_spv *s, tsr_id pointer, uint32_t variable, bool wrapped, bool laid_out);
/* An access chain to the pointer's target and `extra` steps further; the type is that of its end. */
uint32_t tsr_spv_chain(tsr_spv *s, tsr_id pointer, const uint32_t *extra, uint32_t extra_count, tsr_type end);
/* Elements of the array, matrix or vector behind a pointer. */
tsr_spv_count tsr_spv_count_of(tsr_spv *s, tsr_id pointer);
/* The pointer as an operand, and the operands that say how memory is accessed; the count of words. */
uint32_t tsr_spv_pointer(tsr_spv *s, tsr_id pointer);
uint32_t tsr_spv_access_words(tsr_spv *s, tsr_id pointer, uint32_t *words);
/* Whether others may see what is written there: workgroup memory, writable buffers. */
bool tsr_spv_is_shared(tsr_spv *s, tsr_id pointer);
/* The index, or the last one of `count` when it is out of range; *ok: the id of a bool that tells, 0 when nothing has
 * to follow from it (in range for certain; --oob other than zero). */
uint32_t tsr_spv_bound_index(tsr_spv *s, tsr_id index, tsr_spv_count count, uint32_t *ok);
/* value when ok, else zero. */
uint32_t tsr_spv_choose(tsr_spv *s, uint32_t ok, uint32_t value, tsr_type type);
/* What is emitted between the two runs only when `ok` (0: always). */
typedef struct tsr_spv_guard {
    uint32_t ok, before, merge;
} tsr_spv_guard;
tsr_spv_guard tsr_spv_guard_begin(tsr_spv *s, uint32_t ok);
/* Returns the value, zero when not ok; value 0: there is none. */
uint32_t tsr_spv_guard_end(tsr_spv *s, const tsr_spv_guard *g, uint32_t value, uint32_t type, uint32_t zero);

/* ---- spirv_subgroup.c */

/* Whether a block has subgroup or quad operations, whose results depend on which invocations are there together. A call
 * counts as one. */
bool tsr_spv_asks_company(const tsr_spv *s, tsr_block block);
/* Whether a function or one that it calls has such operations. */
bool tsr_spv_function_asks_company(const tsr_spv *s, uint32_t function);

/* ---- spirv_sync.c */

/* scope: of execution and memory; memories: SPV_SEMANTICS_..._MEMORY. */
void tsr_spv_control_barrier(tsr_spv *s, uint32_t scope, uint32_t memories);
/* Among the invocations of a subgroup, as the device needs it. */
void tsr_spv_subgroup_barrier(tsr_spv *s, uint32_t memories);

/* ---- spirv_control.c */

void tsr_spv_label(tsr_spv *s, uint32_t label);
void tsr_spv_branch(tsr_spv *s, uint32_t label);
/* if (condition) begins; the selection goes on at the returned label after tsr_spv_branch to it. */
uint32_t tsr_spv_begin_if(tsr_spv *s, uint32_t condition);
void tsr_spv_end_if(tsr_spv *s, uint32_t merge);
/* for (i = first; i < count; i += step): u32 ids; the body goes in between. */
typedef struct tsr_spv_loop {
    uint32_t counter, current, step, header, next, merge;
} tsr_spv_loop;
tsr_spv_loop tsr_spv_begin_loop(tsr_spv *s, uint32_t first, uint32_t count, uint32_t step, uint32_t *counter);
void tsr_spv_end_loop(tsr_spv *s, const tsr_spv_loop *l);
/* Begins the function's code: what it emits until tsr_spv_end_function goes to it. */
uint32_t tsr_spv_begin_function(tsr_spv *s, uint32_t id, uint32_t result, const uint32_t *param_types,
                                uint32_t param_count, uint32_t *params);
void tsr_spv_end_function(tsr_spv *s);
void tsr_spv_block_inst(tsr_spv *s, tsr_id id);
/* A negation that only branches use: they branch the other way. */
bool tsr_spv_skips(const tsr_spv *s, tsr_id id);
void tsr_spv_function(tsr_spv *s, uint32_t function);

/* ---- spirv_entry.c */

/* What runs before the entry point's own code: its parameters, and zeros in workgroup memory. */
void tsr_spv_begin_entry(tsr_spv *s);
/* The value of a built-in input. */
uint32_t tsr_spv_builtin(tsr_spv *s, tsr_builtin_value builtin);

/* ---- spirv_uniform.c */

/* Whether a uniform buffer of the type must be read as words; its block, and a load from it. */
bool tsr_spv_is_raw(const tsr_spv *s, tsr_type type);
uint32_t tsr_spv_raw_block(tsr_spv *s, tsr_type type);
uint32_t tsr_spv_raw_load(tsr_spv *s, tsr_id pointer, tsr_type type);

/* ---- spirv_tile.c */

/* The parts of a matrix access. */
typedef struct tsr_spv_access {
    tsr_id pointer;
    tsr_id offset_id, stride_id;
    uint32_t offset, stride; /* in components */
    bool column_major;
    tsr_type matrix;
    uint32_t object; /* store: the matrix; 0: load */
    tsr_span span;
} tsr_spv_access;
uint32_t tsr_spv_tile_access(tsr_spv *s, const tsr_spv_access *a);
/* The functions that tsr_spv_tile_access called. */
void tsr_spv_tile_functions(tsr_spv *s);

/* ---- spirv_text.c */

/* Words as text, with the names that they carry. */
void tsr_spv_disassemble(tsr_text *out, tsr_arena *arena, const uint32_t *words, uint32_t count);

#endif
