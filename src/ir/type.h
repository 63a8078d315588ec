/* Types of a program, as unique numbers: two types are equal exactly when their numbers are. The same table serves
 * the front end (abstract numbers included) and the IR (which holds none). */
#ifndef TSR_IR_TYPE_H
#define TSR_IR_TYPE_H

#include "base/map.h"
#include "base/pool.h"
#include "base/symbol.h"
#include "base/text.h"
#include "tessera.h"

typedef uint32_t tsr_type; /* index into tsr_types; 0 is void */
typedef uint32_t tsr_id;   /* index of an instruction: a value, a variable or a statement; 0 is none */

typedef enum tsr_type_kind {
    TSR_T_void = 0,
    TSR_T_bool,
    TSR_T_i32,
    TSR_T_u32,
    TSR_T_f32,
    TSR_T_f16,
    TSR_T_aint,   /* AbstractInt: front end only */
    TSR_T_afloat, /* AbstractFloat: front end only */
    TSR_T_vec,    /* elem (scalar), count 2..4 */
    TSR_T_mat,    /* elem (f32, f16, afloat), count columns, rows rows; column-major: `count` vectors of `rows` */
    TSR_T_array,  /* elem, size */
    TSR_T_struct, /* members */
    TSR_T_atomic, /* elem (i32, u32) */
    TSR_T_ptr,    /* elem, space, access; a WGSL reference has the same type in IR */
    TSR_T_smat,   /* subgroup matrix: component, use, size (rows), size2 (columns), scope */
    TSR_T_opaque, /* textures and samplers: name only; never emitted or run */
    TSR_T_KIND_COUNT
} tsr_type_kind;

typedef enum tsr_space {
    TSR_SPACE_none = 0,
    TSR_SPACE_function,
    TSR_SPACE_private,
    TSR_SPACE_workgroup,
    TSR_SPACE_uniform,
    TSR_SPACE_storage,
    TSR_SPACE_handle,
    TSR_SPACE_immediate, /* never emitted or run */
    TSR_SPACE_COUNT
} tsr_space;

typedef enum tsr_access { TSR_ACCESS_none = 0, TSR_ACCESS_read, TSR_ACCESS_write, TSR_ACCESS_read_write } tsr_access;

/* A size: `value` when `over` is 0 and value is not 0; an override-expression (module-scope value `over`, whose number
 * is known after build) when over is not 0; a run-time size when both are 0 (arrays only). */
typedef struct tsr_size {
    uint32_t value;
    tsr_id over;
} tsr_size;

typedef enum tsr_interpolate {
    TSR_INTERP_none = 0,
    TSR_INTERP_perspective,
    TSR_INTERP_linear,
    TSR_INTERP_flat
} tsr_interpolate;

/* How a parameter, a result or a struct member meets the outside of an entry point. */
typedef struct tsr_io {
    uint8_t builtin; /* tsr_builtin_value (ir/builtin_value.def), 0: none */
    bool has_location;
    uint16_t location;
} tsr_io;

typedef enum tsr_builtin_value {
#define BUILTIN_VALUE(name, stages, type) TSR_BV_##name,
    TSR_BV_none = 0,
#include "ir/builtin_value.def"
    TSR_BV_COUNT
} tsr_builtin_value;

typedef struct tsr_member {
    tsr_sym name;
    tsr_type type;
    uint32_t offset; /* bytes, from WGSL's layout rules with @size and @align applied */
    uint32_t size;   /* bytes, @size applied; 0 for a run-time array and while an override decides it */
    uint32_t align;
    tsr_io io;
} tsr_member;

typedef struct tsr_type_info {
    uint8_t kind;      /* tsr_type_kind */
    uint8_t count;     /* vec: components; mat: columns */
    uint8_t rows;      /* mat: rows */
    uint8_t space;     /* ptr: tsr_space */
    uint8_t access;    /* ptr: tsr_access */
    uint8_t component; /* smat: tsr_component */
    uint8_t use;       /* smat: tsr_use */
    uint8_t scope;     /* smat: tsr_scope */
    tsr_type elem;
    tsr_size size;  /* array: elements; smat: rows */
    tsr_size size2; /* smat: columns */
    tsr_sym name;   /* struct, opaque */
    uint32_t member_count;
    tsr_member *members;
    /* Layout (WGSL "Memory Layout"; bool is 4/4, subgroup matrices are rows * columns components with align 16 and
     * can stand only in function and private memory). 0 when an override decides, or for void and ptr. For a struct
     * that ends in a run-time array: the size with none of its elements (the array's offset). */
    uint32_t align;
    uint64_t size_bytes;
    uint32_t stride; /* array: bytes between elements; mat: between columns */
    /* Known from the parts, so that no question about a type walks it. */
    uint16_t depth;  /* nesting: 1 for what has no parts. Saturates */
    uint16_t traits; /* TSR_TRAIT_... */
    uint32_t kinds;  /* bit k: kind k stands in it (itself, members, elements; not behind pointers) */
} tsr_type_info;

enum {
    TSR_TRAIT_HOST_SHAREABLE = 1u << 0,
    TSR_TRAIT_CONSTRUCTIBLE = 1u << 1,
    TSR_TRAIT_FIXED_FOOTPRINT = 1u << 2,
    TSR_TRAIT_TOO_BIG = 1u << 3 /* some size or offset in it does not fit 32 bits: an error wherever it is used */
};
/* Deeper types are refused by the verifier (WGSL itself allows 15). */
#define TSR_IR_TYPE_DEPTH_MAX 64

typedef struct tsr_types {
    tsr_arena *arena;
    const tsr_symbols *symbols;
    tsr_pool info; /* of tsr_type_info */
    tsr_map index; /* content hash -> type; structs are never merged except built-in result types */
} tsr_types;

void tsr_types_init(tsr_types *t, tsr_arena *arena, const tsr_symbols *symbols);
static inline const tsr_type_info *tsr_type_get(const tsr_types *t, tsr_type type)
{
    return (const tsr_type_info *)tsr_pool_at(&t->info, type);
}
static inline tsr_type_kind tsr_type_kind_of(const tsr_types *t, tsr_type type)
{
    return (tsr_type_kind)tsr_type_get(t, type)->kind;
}

/* The scalar kinds void..afloat are predeclared: their type number is their kind. */
tsr_type tsr_type_vec(tsr_types *t, tsr_type elem, unsigned count);
tsr_type tsr_type_mat(tsr_types *t, tsr_type elem, unsigned columns, unsigned rows);
tsr_type tsr_type_array(tsr_types *t, tsr_type elem, tsr_size size);
tsr_type tsr_type_atomic(tsr_types *t, tsr_type elem);
tsr_type tsr_type_ptr(tsr_types *t, tsr_space space, tsr_type elem, tsr_access access);
tsr_type tsr_type_smat(tsr_types *t, tsr_use use, tsr_component component, tsr_size rows, tsr_size columns,
                       tsr_scope scope);
tsr_type tsr_type_opaque(tsr_types *t, tsr_sym name);
/* A new struct type, unless the name begins with "__" (built-in result types: these merge); member offset, size and
 * align are filled in where they are 0 (align 0: the type's own; size 0: the type's own), then the struct's. */
tsr_type tsr_type_struct(tsr_types *t, tsr_sym name, const tsr_member *members, uint32_t count);

/* For vec and mat the scalar below, for a scalar itself, for atomic its elem; else 0. */
tsr_type tsr_type_scalar(const tsr_types *t, tsr_type type);
/* 1 for a scalar, the count for a vec, columns * rows for a mat; 0 for others. */
unsigned tsr_type_width(const tsr_types *t, tsr_type type);
bool tsr_type_is_scalar(const tsr_types *t, tsr_type type);  /* bool, numbers, abstract numbers */
bool tsr_type_is_numeric(const tsr_types *t, tsr_type type); /* scalar number, or vec of one */
bool tsr_type_is_host_shareable(const tsr_types *t, tsr_type type);
bool tsr_type_is_constructible(const tsr_types *t, tsr_type type);
bool tsr_type_has_fixed_footprint(const tsr_types *t, tsr_type type);          /* may depend on overrides */
bool tsr_type_is_too_big(const tsr_types *t, tsr_type type);                   /* needs 4 GiB or more: report it */
bool tsr_type_contains(const tsr_types *t, tsr_type type, tsr_type_kind kind); /* itself, members, elements */
/* The scalar as a component type of the vocabulary, TSR_COMPONENT_NONE for bool and abstract numbers. */
tsr_component tsr_type_component(tsr_type scalar);
/* The scalar that WGSL works with for a component: f16 f16, u8 u32, s8 i32 ... */
tsr_type tsr_component_scalar(tsr_component c);

/* What is wrong with a type that a program (not the front end on the way) has, when its parts are in order: a sentence
 * without a full stop; NULL when nothing is. */
const char *tsr_type_fault(const tsr_types *t, tsr_type type);

/* WGSL spelling: "array<vec4<f32>, 16>", "ptr<storage, u32, read>". */
void tsr_type_print(tsr_text *out, const tsr_types *t, tsr_type type);
const char *tsr_type_cstr(const tsr_types *t, tsr_arena *arena, tsr_type type);
/* The access mode that a space has unless one is written: what tsr_type_ptr takes for TSR_ACCESS_none. */
tsr_access tsr_space_access(tsr_space s);
const char *tsr_space_name(tsr_space s);
const char *tsr_access_name(tsr_access a);
const char *tsr_builtin_value_name(tsr_builtin_value v);

#endif
