/* Between the files of the LLVM emitter.
 *
 * A value is a list of words, its scalars in order. A word is one LLVM value in one of three forms: the same for all
 * lanes (a scalar), evenly spaced (a scalar and a distance), or a vector with one element a lane. Pointers are not LLVM
 * values but places: what they lead into and how far; matrices are blocks of memory. Functions are emitted anew at each
 * call. */
#ifndef TSR_EMIT_LLVM_INSIDE_H
#define TSR_EMIT_LLVM_INSIDE_H

#include "analysis/range.h"
#include "analysis/value_shape.h"
#include "emit/llvm.h"

typedef enum tsr_ll_type {
    LL_B,
    LL_I,
    LL_F,
    LL_H,
    LL_D,
    LL_L,
    LL_TYPES
} tsr_ll_type; /* i1 i32 float f16(i16) double i64 */
typedef enum tsr_ll_form { LL_SAME, LL_EVEN, LL_EACH } tsr_ll_form;

/* Rows of a workgroup in a subgroup up to which what their first lanes hold is computed besides. */
#define TSR_LL_ROWS_MOST 4u

typedef struct tsr_ll_word {
    uint8_t type, form;
    bool is_const; /* LL_SAME only: bits */
    uint32_t name; /* %tN */
    uint64_t bits;
    tsr_vshape shape;
    uint32_t first[TSR_LL_ROWS_MOST]; /* LL_EACH: %tN, what the first lane of each row holds; [0] is 0: not known */
} tsr_ll_word;

typedef struct tsr_ll_value {
    tsr_ll_word *words;
    uint32_t count;
    bool woven; /* as it lies in memory: llvm_woven.c */
} tsr_ll_value;

typedef enum tsr_ll_root {
    LL_ROOT_NONE,
    LL_ROOT_WORDS,
    LL_ROOT_LANES,
    LL_ROOT_GROUP,
    LL_ROOT_BINDING,
    LL_ROOT_MATRIX
} tsr_ll_root;

typedef struct tsr_ll_place {
    uint8_t root;
    bool is_same;      /* ROOT_LANES: one word for all lanes */
    tsr_id var;        /* ROOT_WORDS */
    uint32_t base;     /* %tN, a ptr: start of the variable or binding */
    uint32_t resource; /* ROOT_BINDING */
    uint64_t off;      /* words (WORDS, LANES), blocks (MATRIX) or bytes (GROUP, BINDING) */
    bool has_dyn, has_check;
    bool many_checks;          /* more than one index was tested: which lanes are good is in `lanes` */
    tsr_ll_word dyn;           /* the rest of the offset, LL_I */
    tsr_ll_word tested, limit; /* has_check, one: tested < limit */
    tsr_ll_word lanes;         /* many_checks: LL_B */
    tsr_ll_word all;           /* has_check: LL_B, the same for all: in range in every lane */
    bool all_only; /* `all` looks at first lanes, which may have left: it holds only where all lanes are here */
    tsr_id index;  /* has_check: the last `index` that was tested */
    tsr_type pointee;
} tsr_ll_place;

/* How the components of a matrix lie in memory, row-major. */
typedef enum tsr_ll_block {
    LL_BLOCK_F32, /* f32, and results of f16 */
    LL_BLOCK_I32, /* 32-bit integers, and results of 8 bits */
    LL_BLOCK_F16, /* operands of f16 */
    LL_BLOCK_I8   /* operands of 8 bits; room for a multiple of four along k, zero there */
} tsr_ll_block;

/* base + more, modulo 2^32. */
typedef struct tsr_ll_sum {
    uint32_t base; /* %tN, an i32 that all lanes share; 0: none */
    uint32_t more;
} tsr_ll_sum;

typedef struct tsr_ll_matrix {
    uint32_t ptr;   /* %tN; 0: `array` tells, else it is zero and has no block yet */
    uint32_t array; /* a view of this one (%tN, a ptr), all inside it, from component `from` on; 0: something else */
    tsr_ll_sum from;
    uint32_t stride; /* %tN, i64: components between rows; 0: dense, or as `pitch` says */
    uint32_t pitch;  /* components between rows when that is a known number; 0: dense */
    uint32_t rows, cols;
    uint8_t block, component, use;
    bool turned; /* a view of columns: `stride` or `pitch` is between those */
} tsr_ll_matrix;

/* A product that is added to a block in place, at the end of a stretch of straight code (llvm_grid.c). */
typedef struct tsr_ll_product {
    uint32_t base, to; /* of the block: the variable's ptr; its own */
    uint64_t off;      /* blocks from `base` */
    tsr_ll_matrix a, b, r;
} tsr_ll_product;

/* A matrix that was loaded in this stretch, and what was loaded. */
typedef struct tsr_ll_seen {
    uint64_t key;
    tsr_ll_matrix m;
    uint32_t inside; /* %tN, i1: it was all inside its array */
} tsr_ll_seen;

typedef struct tsr_ll_known {
    bool is;
    uint32_t bits;
} tsr_ll_known;

/* A variable whose words are LLVM variables of their own. */
typedef struct tsr_ll_slots {
    uint32_t *name; /* of the alloca, by word */
    uint8_t *type, *form;
    tsr_vshape *shape;
    uint32_t count;
    uint32_t here; /* of a variable that lies anywhere: tsr_ll_here.number where it begins, whose it is */
} tsr_ll_slots;

typedef struct tsr_ll_leaf {
    uint32_t byte;
    uint8_t type, size;
} tsr_ll_leaf;
typedef struct tsr_ll_leaves {
    tsr_ll_leaf *list;
    uint32_t count;
    bool made;
} tsr_ll_leaves;

/* The lanes that are active at the place at hand. */
typedef struct tsr_ll_here {
    uint32_t number; /* the same at two places: the same lanes, each time control passes */
    uint32_t full;   /* %tN, an i1: where it is true, they are all; 0: nothing is known */
} tsr_ll_here;

/* A construct that is being emitted, innermost first. */
typedef struct tsr_ll_frame {
    struct tsr_ll_frame *outside;
    tsr_id inst; /* loop, switch; 0: a function */
    bool masked;
    bool continued;      /* loop: a masked continue stands before this point */
    uint32_t exit, next; /* labels: behind it; loop: the continuing block; function: its end */
    uint32_t left, cont; /* allocas of masks: lanes that broke out, that continued */
    uint32_t function;
    tsr_ll_slots result;  /* function: what returns store */
    tsr_ll_matrix matrix; /* the same for a matrix */
} tsr_ll_frame;

/* Barriers as places where the code of one subgroup ends and that of the next goes on: llvm_fission.c. */
typedef struct tsr_ll_fission {
    bool is_on;
    uint32_t start, end; /* labels: of what each subgroup of a workgroup runs; behind that */
    uint32_t subgroup;   /* %tN, a variable: whose turn it is */
} tsr_ll_fission;

/* Where the code being written comes from: nodes of metadata. */
typedef struct tsr_ll_lines {
    tsr_source source;
    uint32_t *subprogram; /* by function; NULL: no lines are wanted */
    uint32_t next, scope, inlined_at, at;
    tsr_text nodes;
} tsr_ll_lines;
typedef struct tsr_ll_scope {
    uint32_t scope, inlined_at, at;
} tsr_ll_scope;

typedef struct tsr_ll {
    const tsr_program *program;
    const tsr_ir *ir;
    tsr_types *types;
    const tsr_llvm_options *o;
    tsr_arena *arena;
    tsr_text *why;
    bool failed, too_long;
    bool copies;   /* loops around products may be copied out */
    uint32_t size; /* of the subgroup */
    uint32_t rows; /* of a workgroup of two dimensions in it, 2 to 4; 0: none, or too many */
    tsr_value_shapes shapes;
    tsr_ranges *ranges;
    /* tail: functions; prologue: allocas and constants; cold: blocks of the function that control hardly visits. */
    tsr_text body, cold, prologue, tail, declares;
    uint32_t next; /* names and labels */
    uint32_t line_count;
    bool open; /* the LLVM block has no terminator yet */
    bool all;  /* all lanes of the subgroup are active; else the mask is in %mask */
    tsr_ll_here here;
    uint32_t here_count;
    bool full_start;
    uint32_t depth;
    tsr_ll_value *value;   /* by instruction */
    tsr_ll_place *place;   /* by instruction: pointers */
    tsr_ll_matrix *matrix; /* by instruction */
    tsr_ll_slots *slots;   /* by variable */
    tsr_ll_leaves *leaves; /* by type */
    uint32_t *uses;        /* by instruction: how often it is an operand */
    bool *apart;           /* by instruction: somebody wants single components of it */
    tsr_ll_known *known;   /* by variable: what it holds in this copy of a loop */
    tsr_ll_product *products;
    tsr_ll_seen *seen;
    uint32_t product_count, seen_count;
    uint32_t stretch;            /* number of the stretch of straight code */
    uint32_t ahead, ahead_lines; /* %tN: the table of llvm_ahead.c, 0: none; cache lines of a load */
    bool straight;               /* in one: what was computed before is good here */
    tsr_ll_frame *frame;
    uint32_t skip; /* label: where to go when no lane is left in this block; 0: none yet */
    uint32_t skip_kind;
    uint32_t group_bytes, stack_bytes, call_bytes; /* call_bytes: the stack that functions of the module need */
    bool has_barriers;
    tsr_ll_fission fission;
    bool multiplies_words; /* some product's left operand is of 32-bit components: it is not copied first */
    uint32_t *binding_base, *binding_size; /* by resource: %tN or 0 */
    uint32_t lanes_block;                  /* %tN, a ptr: ir/native.h; 0: none yet */
    uint32_t subgroups;                    /* of a workgroup */
    uint32_t group_id[3], subgroup;        /* %tN */
    tsr_map made;                          /* helper functions, constants: by key */
    tsr_ll_lines lines;
    const char *type_name[LL_TYPES], *vector_name[LL_TYPES];
} tsr_ll;

#define TSR_LL_STACK_MOST (UINT64_C(1) << 28) /* bytes of a subgroup's variables */

/* ---- Text. */
uint32_t tsr_ll_new(tsr_ll *e);
void tsr_ll_line(tsr_ll *e, const char *fmt, ...) TSR_PRINTF(2, 3);
void tsr_ll_fail(tsr_ll *e, const char *fmt, ...) TSR_PRINTF(2, 3);
void tsr_ll_label(tsr_ll *e, uint32_t label);
void tsr_ll_jump(tsr_ll *e, uint32_t label);
void tsr_ll_branch(tsr_ll *e, tsr_ll_word cond, uint32_t yes, uint32_t no);
/* An alloca of `bytes` or of an LLVM type, at the function's start. */
uint32_t tsr_ll_alloca(tsr_ll *e, const char *type, uint64_t bytes, uint32_t align);
/* What it holds is not wanted behind a barrier. */
#define TSR_LL_NOT_KEPT "; not kept at barriers"
uint32_t tsr_ll_alloca_not_kept(tsr_ll *e, const char *type, uint64_t bytes, uint32_t align);
uint32_t tsr_ll_alloca_word(tsr_ll *e, uint8_t type, bool vector);
/* A word of the frame, loaded at the function's start. */
uint32_t tsr_ll_load_field(tsr_ll *e, uint32_t offset, const char *type);
/* What is written in between stands behind everything else. It begins with a label and ends with a jump. */
void tsr_ll_begin_cold(tsr_ll *e, uint32_t label);
void tsr_ll_end_cold(tsr_ll *e, uint32_t jump_to);
/* Whether `key` is new: then a helper is to be written. */
bool tsr_ll_once(tsr_ll *e, const char *key);
void tsr_ll_declare(tsr_ll *e, const char *text);

/* ---- Lines. What is written from here on comes from instruction `id`; from `function`, copied to a call (0: the entry
 * point); then from where it did before. */
void tsr_ll_lines_begin(tsr_ll *e);
void tsr_ll_lines_at(tsr_ll *e, tsr_id id);
tsr_ll_scope tsr_ll_lines_enter(tsr_ll *e, uint32_t function, tsr_id call);
void tsr_ll_lines_leave(tsr_ll *e, tsr_ll_scope outside);
void tsr_ll_lines_write_attribute(tsr_ll *e, tsr_text *out);
void tsr_ll_lines_write(tsr_ll *e, tsr_text *out);

/* ---- Words. */
tsr_ll_word tsr_ll_const(tsr_ll *e, uint8_t type, uint64_t bits);
tsr_ll_word tsr_ll_f32(tsr_ll *e, float x);
tsr_ll_word tsr_ll_f64(tsr_ll *e, double x);
tsr_ll_word tsr_ll_u32(tsr_ll *e, uint32_t x);
static inline tsr_ll_word tsr_ll_named(uint8_t type, uint8_t form, uint32_t name)
{
    return (tsr_ll_word){.type = type, .form = form, .name = name};
}
/* Text of a word as an operand, as a scalar or a vector; in an arena. */
const char *tsr_ll_scalar(tsr_ll *e, tsr_ll_word w);
const char *tsr_ll_vector(tsr_ll *e, tsr_ll_word w);
tsr_ll_word tsr_ll_to_vector(tsr_ll *e, tsr_ll_word w);
/* Elements first, first + step, ... of a vector of `size` elements, `count` of them: %tN. */
uint32_t tsr_ll_take_every(tsr_ll *e, uint32_t vector, uint32_t size, uint32_t first, uint32_t step, uint32_t count,
                           const char *type);
/* Vectors of `width` elements each, one behind the other, as one: %tN. */
uint32_t tsr_ll_join_parts(tsr_ll *e, const uint32_t *part, uint32_t count, uint32_t width, const char *type);
/* "<32 x float>" or "float". */
const char *tsr_ll_type_name(const tsr_ll *e, uint8_t type, bool vector);
tsr_ll_word tsr_ll_op1(tsr_ll *e, const char *op, uint8_t result, tsr_ll_word a); /* casts: "fpext" ... to */
tsr_ll_word tsr_ll_op2(tsr_ll *e, const char *op, tsr_ll_word a, tsr_ll_word b);
/* %t`name`, the same in all lanes, of which no more is known. */
tsr_ll_word tsr_ll_uniform(const tsr_ll *e, uint8_t type, uint32_t name);
/* The same of one that differs from lane to lane. */
tsr_ll_word tsr_ll_varied(const tsr_ll *e, uint8_t type, uint32_t name);
/* What is known of an i32 that is the same in all lanes, and back. */
tsr_ll_sum tsr_ll_split(const tsr_ll *e, tsr_ll_word w);
tsr_ll_word tsr_ll_join(tsr_ll *e, tsr_ll_sum s);
tsr_ll_word tsr_ll_cmp(tsr_ll *e, const char *op, tsr_ll_word a, tsr_ll_word b);
tsr_ll_word tsr_ll_select(tsr_ll *e, tsr_ll_word c, tsr_ll_word yes, tsr_ll_word no);
tsr_ll_word tsr_ll_call(tsr_ll *e, const char *intrinsic, const tsr_ll_word *args, uint32_t count);
tsr_ll_word tsr_ll_not(tsr_ll *e, tsr_ll_word b);
/* Integer arithmetic that keeps shapes. */
tsr_ll_word tsr_ll_add(tsr_ll *e, tsr_ll_word a, tsr_ll_word b);
tsr_ll_word tsr_ll_mul_const(tsr_ll *e, tsr_ll_word a, uint32_t c);
tsr_ll_word tsr_ll_div_const(tsr_ll *e, tsr_ll_word a, uint32_t c);
tsr_ll_word tsr_ll_rem_const(tsr_ll *e, tsr_ll_word a, uint32_t c);
tsr_ll_word tsr_ll_lane(tsr_ll *e, tsr_ll_word w, uint32_t lane);
/* From here on what the first lane of each row holds is computed as a scalar too, for addresses. */
void tsr_ll_follow_rows(tsr_ll *e, tsr_ll_word *w);
/* The word as the shape says: a scalar when all lanes have the same. */
tsr_ll_word tsr_ll_fit(tsr_ll *e, tsr_ll_word w, tsr_vshape shape);
/* Any word as 32 bits and back. */
tsr_ll_word tsr_ll_to_bits(tsr_ll *e, tsr_ll_word w);
tsr_ll_word tsr_ll_from_bits(tsr_ll *e, tsr_ll_word bits, uint8_t type);
uint8_t tsr_ll_scalar_type(const tsr_ll *e, tsr_type t); /* of a scalar, vec or mat */
/* f16 to float and back, one rounding. */
tsr_ll_word tsr_ll_half_to_float(tsr_ll *e, tsr_ll_word h);
tsr_ll_word tsr_ll_float_to_half(tsr_ll *e, tsr_ll_word f);
tsr_ll_word tsr_ll_double_to_half(tsr_ll *e, tsr_ll_word d);
/* Through frame.eval. */
tsr_ll_word tsr_ll_eval(tsr_ll *e, uint32_t what, const tsr_ll_word *args, uint32_t count, uint8_t result);

/* ---- Masks: llvm_mask.c. */
tsr_ll_word tsr_ll_mask(tsr_ll *e);                        /* the active lanes, LL_EACH */
void tsr_ll_set_mask(tsr_ll *e, tsr_ll_word m);            /* stores it; `all` is up to the caller */
void tsr_ll_other_lanes(tsr_ll *e);                        /* from here on others are active */
tsr_ll_word tsr_ll_any(tsr_ll *e, tsr_ll_word m);          /* LL_SAME */
tsr_ll_word tsr_ll_every(tsr_ll *e, tsr_ll_word m);        /* LL_SAME */
tsr_ll_word tsr_ll_all_here(tsr_ll *e);                    /* LL_SAME: true only where all lanes are active */
tsr_ll_word tsr_ll_first_active(tsr_ll *e, tsr_ll_word w); /* of the first active lane */
uint32_t tsr_ll_bits(tsr_ll *e, tsr_ll_word m);            /* as an integer of `size` bits */

/* ---- Control flow. */
void tsr_ll_emit_block(tsr_ll *e, tsr_block block);
/* `call`: the instruction that calls it; 0: the entry point. */
void tsr_ll_emit_function(tsr_ll *e, uint32_t function, tsr_id call);
/* False: the instruction is no control flow. */
bool tsr_ll_emit_control(tsr_ll *e, tsr_id id);
/* `if (cond) { break }`, as `for` and `while` begin. */
bool tsr_ll_only_breaks(const tsr_ll *e, const tsr_inst *inst);
/* Where a run that is to end does so. */
void tsr_ll_check_stop(tsr_ll *e);

/* ---- Ops by file. */
tsr_ll_value tsr_ll_get(tsr_ll *e, tsr_id id);
tsr_ll_value tsr_ll_get_woven(tsr_ll *e, tsr_id id);   /* it may be */
void tsr_ll_set(tsr_ll *e, tsr_id id, tsr_ll_value v); /* fitted to the analysis */
tsr_ll_value tsr_ll_make(tsr_ll *e, uint32_t count);
tsr_ll_word tsr_ll_comps(tsr_ll *e, tsr_op op, tsr_type_kind kind, const tsr_ll_word *a, uint32_t count);
tsr_ll_word tsr_ll_convert(tsr_ll *e, tsr_type_kind from, tsr_type_kind to, tsr_ll_word a);
bool tsr_ll_math(tsr_ll *e, tsr_op op, const tsr_ll_word *a, tsr_ll_word *out);
void tsr_ll_emit_comps(tsr_ll *e, tsr_id id);
/* llvm_woven.c: out of memory's order and, LL_EACH and not constant, into it; several vectors of `lanes` elements as
 * one, component by component. */
tsr_ll_value tsr_ll_unweave(tsr_ll *e, tsr_ll_value v);
tsr_ll_value tsr_ll_weave(tsr_ll *e, tsr_ll_value v);
uint32_t tsr_ll_interleave(tsr_ll *e, const uint32_t *part, uint32_t group, uint32_t lanes, const char *type);
/* Whether an instruction of `words` scalars that works component by component leaves memory's order alone; an operand
 * that is the same in all lanes as one word, for each of a woven one. */
bool tsr_ll_stay_woven(const tsr_ll *e, tsr_id id, const tsr_ll_value *args, uint32_t count, uint32_t words);
tsr_ll_value tsr_ll_spread(tsr_ll *e, tsr_ll_value v);
void tsr_ll_emit_wide(tsr_ll *e, tsr_id id);
void tsr_ll_emit_parts(tsr_ll *e, tsr_id id);
void tsr_ll_emit_memory(tsr_ll *e, tsr_id id);
/* All subgroups of the workgroup wait for each other; nothing where there is but one, or no barrier in the program. */
void tsr_ll_call_barrier(tsr_ll *e);
/* The same as fission: here the next subgroup takes its turn. Returns the label behind it. */
uint32_t tsr_ll_end_stretch(tsr_ll *e);
void tsr_ll_emit_atomic(tsr_ll *e, tsr_id id);
#define TSR_LL_PRODUCTS_MOST 256u /* that wait, and that a loop is copied out to */

/* llvm_grid.c. Whether the instruction may be emitted while products wait; emits those; emits a loop as copies of its
 * body, where that is worth while; whether a store is a sum in place. */
bool tsr_ll_waits(const tsr_ll *e, tsr_id id);
void tsr_ll_flush(tsr_ll *e);
bool tsr_ll_unroll(tsr_ll *e, tsr_id loop, void (*emit)(tsr_ll *e, tsr_id id));
bool tsr_ll_is_sum(const tsr_ll *e, tsr_id store);
void tsr_ll_add_product(tsr_ll *e, const tsr_ll_product *p);
/* llvm_ahead.c: before a load; at the end of a function of products. */
void tsr_ll_note_copy(tsr_ll *e, tsr_id load, const tsr_ll_place *p);
void tsr_ll_write_ahead_end(tsr_text *t);
/* Zeroes memory that is aligned to 64. */
void tsr_ll_zero(tsr_ll *e, uint32_t ptr, uint64_t bytes);
/* llvm_matrix.c: the store that takes a product as it is made, or 0; whether a load makes no copy. */
tsr_id tsr_ll_find_store(const tsr_ll *e, tsr_id id);
bool tsr_ll_is_view(const tsr_ll *e, tsr_id id);
void tsr_ll_emit_subgroup(tsr_ll *e, tsr_id id);
void tsr_ll_emit_matrix(tsr_ll *e, tsr_id id);
void tsr_ll_place_globals(tsr_ll *e); /* bindings, workgroup memory */
void tsr_ll_make_globals(tsr_ll *e);  /* private variables */
void tsr_ll_note_matrix_oob(tsr_ll *e, tsr_id id);
const tsr_ll_leaves *tsr_ll_type_leaves(tsr_ll *e, tsr_type t);
void tsr_ll_store_slot(tsr_ll *e, const tsr_ll_slots *s, uint32_t i, tsr_ll_word w);
tsr_ll_word tsr_ll_load_slot(tsr_ll *e, const tsr_ll_slots *s, uint32_t i);
void tsr_ll_init_slot(tsr_ll *e, tsr_ll_slots *s, uint32_t i, uint8_t type, tsr_vshape shape);
const tsr_ll_place *tsr_ll_place_of(tsr_ll *e, tsr_id id);
/* Bytes of a block, and the ptr to what a place (ROOT_MATRIX) leads to. */
bool tsr_ll_matrix_type(tsr_ll *e, tsr_type t, tsr_ll_matrix *m);
uint64_t tsr_ll_block_bytes(const tsr_ll_matrix *m);
void tsr_ll_make_matrix_var(tsr_ll *e, tsr_id id, tsr_type type);
void tsr_ll_load_matrix(tsr_ll *e, tsr_id id);
/* A block for a value of this type; a copy of a value into one. */
tsr_ll_matrix tsr_ll_new_matrix(tsr_ll *e, tsr_type type);
void tsr_ll_copy_matrix(tsr_ll *e, tsr_ll_matrix to, tsr_ll_matrix from);
void tsr_ll_store_matrix(tsr_ll *e, tsr_id id);
/* What the host does lane by lane. The block's arrays: ir/native.h. */
typedef struct tsr_lanes_call {
    tsr_op op;
    uint32_t bytes, flags;
    tsr_id id;                 /* the instruction, where the place has none that was tested */
    const tsr_ll_place *place; /* which lanes are in range, and offsets unless has_offsets; NULL: all are */
    uint32_t base;             /* %tN, a ptr */
    bool has_offsets, is_cold;
    tsr_ll_word offsets;
} tsr_lanes_call;
void tsr_ll_call_lanes(tsr_ll *e, tsr_lanes_call c);
uint32_t tsr_ll_lanes_array(tsr_ll *e, uint32_t number);
void tsr_ll_put_lanes(tsr_ll *e, uint32_t array, tsr_ll_word w);
tsr_ll_word tsr_ll_take_lanes(tsr_ll *e, uint32_t array, uint8_t type);
/* One scalar a lane from offsets that are all good. */
tsr_ll_word tsr_ll_gather(tsr_ll *e, uint32_t base, tsr_ll_word offsets, uint32_t bytes);
void tsr_ll_emit_entry(tsr_ll *e);
/* Names and labels of the loops around the code of a subgroup. */
typedef struct tsr_ll_loops {
    uint32_t group, group_head, next, subgroup_head;
    uint32_t id_next[3];
} tsr_ll_loops;
void tsr_ll_begin_loops(tsr_ll *e, tsr_ll_loops *l);
void tsr_ll_end_loops(tsr_ll *e, const tsr_ll_loops *l);
/* The barriers of the function, once all of it is written, as fission. false: it cannot be done. */
bool tsr_ll_fission_write(tsr_ll *e);
void tsr_ll_start_mask(tsr_ll *e);
void tsr_ll_emit_entry_param(tsr_ll *e, const tsr_param *p);
const char *tsr_ll_keep(tsr_ll *e, const char *s); /* in the arena */
/* Where a resource begins, loaded at the function's start; its address space. */
uint32_t tsr_ll_binding_base(tsr_ll *e, uint32_t r);
tsr_space tsr_ll_binding_space(const tsr_ll *e, uint32_t r);
/* The ptr that byte offsets of a place in shared memory count from, `more` bytes on; that ptr plus an offset; the
 * offset with bad lanes at 0, which is always inside. */
uint32_t tsr_ll_place_base(tsr_ll *e, const tsr_ll_place *p, uint64_t more);
uint32_t tsr_ll_offset_ptr(tsr_ll *e, uint32_t base, tsr_ll_word offset);
tsr_ll_word tsr_ll_safe_dyn(tsr_ll *e, const tsr_ll_place *p);
/* The lanes whose index is in range, LL_B; has_check. */
tsr_ll_word tsr_ll_place_lanes(tsr_ll *e, const tsr_ll_place *p);
uint32_t tsr_ll_address(tsr_ll *e, uint32_t base, uint64_t bytes);
void tsr_ll_emit_index(tsr_ll *e, tsr_id id);
void tsr_ll_emit_field(tsr_ll *e, tsr_id id);
void tsr_ll_emit_var(tsr_ll *e, tsr_id id);
/* `whole`: nobody wants single components, so that the value may be woven. */
tsr_ll_value tsr_ll_load_place(tsr_ll *e, const tsr_ll_place *p, tsr_type type, bool whole);
void tsr_ll_store_place(tsr_ll *e, const tsr_ll_place *p, const tsr_ll_value *v, tsr_type type);
/* Before an access: when some lane is out of range, that is counted. */
void tsr_ll_check_oob(tsr_ll *e, const tsr_ll_place *p);

static inline const tsr_inst *tsr_ll_inst(const tsr_ll *e, tsr_id id)
{
    return tsr_inst_at(e->ir, id);
}
static inline tsr_id tsr_ll_arg(const tsr_ll *e, tsr_id id, uint32_t i)
{
    return tsr_arg(e->ir, tsr_inst_at(e->ir, id), i);
}

#endif
