/* Inside the resolver: what its files share. One walk over the tree checks and lowers at once: an expression gives an
 * operand, which is a constant (its value known now), an IR value, or a reference (an IR pointer that loads when a
 * value is wanted). No results are stored per node.
 *
 *   decl.c       module scope: order, const, override, var, alias, struct, attributes, directives, const_assert
 *   function.c   functions, parameters, entry points, scopes
 *   stmt.c       statements, control flow, behaviour
 *   type.c       type expressions, layout rules of address spaces
 *   expr.c       expressions, operators, member access, indexing, calls of user functions, type constructors
 *   convert.c    feasible automatic conversions, materialisation of abstract numbers
 *   constant.c   constant values: making, reading, comparing, evaluating ops on them (through ir/eval)
 *   builtin.c    the typed table of built-in functions: overloads, checks, lowering or evaluation
 *   matrix.c     subgroup matrices: types, constructors, load, store, multiply, scalar operations, in all three forms
 */
#ifndef TSR_WGSL_RESOLVE_H
#define TSR_WGSL_RESOLVE_H

#include "ir/eval.h"
#include "ir/module.h"
#include "wgsl/ast.h"

struct tsr_wgsl;

/* ---- Constant values. Immutable, in the arena. */
typedef struct tsr_cval {
    tsr_type type;
    bool is_zero;   /* the zero value of `type`; parts and bits are not set */
    uint32_t count; /* parts of a vec, mat (columns), array, struct */
    uint64_t bits;  /* scalar: as eval's words (abstract: int64_t or f64 bits) */
    const struct tsr_cval *const *parts;
} tsr_cval;
/* A const-expression whose value would have more scalars than this is refused: bounded memory. */
#define TSR_CONST_SCALARS_MAX (1u << 20)

const tsr_cval *tsr_cval_scalar(struct tsr_wgsl *w, tsr_type type, uint64_t bits);
const tsr_cval *tsr_cval_zero(struct tsr_wgsl *w, tsr_type type);
const tsr_cval *tsr_cval_make(struct tsr_wgsl *w, tsr_type type, const tsr_cval *const *parts, uint32_t count);
/* Part i, also of a zero value. */
const tsr_cval *tsr_cval_part(struct tsr_wgsl *w, const tsr_cval *v, uint32_t i);
uint64_t tsr_cval_bits(const tsr_cval *v); /* scalar */
bool tsr_cval_equal(struct tsr_wgsl *w, const tsr_cval *a, const tsr_cval *b);
/* Evaluates a PURE op (of ir/op.def) on constants; `type` is the result's type. Reports overflow, division by zero,
 * domain errors ... at `span` as shader-creation errors and returns NULL. Vectors, scalars broadcast by the caller. */
const tsr_cval *tsr_cval_eval(struct tsr_wgsl *w, tsr_op op, tsr_type type, uint32_t aux, const tsr_cval *const *args,
                              uint32_t nargs, tsr_span span);
/* Automatic or explicit conversion of a constant, component by component: aint -> afloat, i32, u32, f32, f16; afloat ->
 * f32, f16; and value conversions. `automatic`: a value that the target cannot hold is an error (reported, NULL). */
const tsr_cval *tsr_cval_convert(struct tsr_wgsl *w, const tsr_cval *v, tsr_type to, bool automatic, tsr_span span);
/* The IR value of a constant of concrete type: `const`, `zero` or `compose` in the module block, made once a value. */
tsr_id tsr_cval_lower(struct tsr_wgsl *w, const tsr_cval *v);
void tsr_cval_print(tsr_text *out, struct tsr_wgsl *w, const tsr_cval *v);

/* ---- Operands. */
typedef enum tsr_operand_kind {
    TSR_O_error = 0, /* reported already: stay silent */
    TSR_O_void,      /* a call of a function without result */
    TSR_O_const,     /* cval; type may be abstract */
    TSR_O_value,     /* id */
    TSR_O_ref        /* id is the pointer; type is the store type; loads give a value */
} tsr_operand_kind;

/* When the value is known. WGSL: const-expression, override-expression, runtime expression. */
typedef enum tsr_when { TSR_WHEN_const = 0, TSR_WHEN_override, TSR_WHEN_run } tsr_when;

typedef struct tsr_operand {
    uint8_t kind;             /* tsr_operand_kind */
    uint8_t when;             /* tsr_when */
    uint8_t space;            /* ref: tsr_space */
    uint8_t access;           /* ref: tsr_access */
    bool component_of_vector; /* ref to one component of a vector: no address-of */
    bool must_use;            /* the result of a @must_use function, not to be dropped in a call statement */
    tsr_type type;
    tsr_id id;
    const tsr_cval *cval;
    tsr_span span;
} tsr_operand;

/* ---- Declarations and scopes. */
typedef enum tsr_decl_kind {
    TSR_D_none = 0,
    TSR_D_const,    /* cval */
    TSR_D_override, /* id: module-scope value */
    TSR_D_var,      /* id: pointer (global or function variable) */
    TSR_D_let,      /* id: value; type may be a pointer */
    TSR_D_param,    /* id: value */
    TSR_D_alias,    /* type */
    TSR_D_struct,   /* type */
    TSR_D_function  /* function: index in ir.functions */
} tsr_decl_kind;

typedef enum tsr_decl_state { TSR_DS_new = 0, TSR_DS_running, TSR_DS_done, TSR_DS_failed } tsr_decl_state;

typedef struct tsr_decl {
    uint8_t kind;          /* tsr_decl_kind */
    uint8_t state;         /* tsr_decl_state, module scope only */
    uint8_t when;          /* let, const, override */
    uint8_t space, access; /* var */
    tsr_sym name;
    tsr_node node;
    tsr_type type; /* store type of a var; value type of others; the type of alias and struct */
    tsr_id id;
    const tsr_cval *cval;
    uint32_t function;
    uint32_t shadowed; /* the declaration of that name in the scope outside, index in wgsl.decls; 0: none */
    uint32_t depth;    /* scope depth; 0 module */
} tsr_decl;

/* What is known of a user function while and after lowering. */
typedef struct tsr_fn_info {
    tsr_decl *decl;
    tsr_node node;
    bool must_use;
    bool uses_compute_only; /* itself or a callee: matrices, subgroup_id, barriers, workgroup memory ... */
} tsr_fn_info;

typedef struct tsr_wgsl {
    tsr_arena *arena;
    tsr_symbols *symbols;
    tsr_ir *ir;
    tsr_types *types;
    const tsr_ast *ast;
    tsr_diags *diags;
    tsr_builder b; /* where code goes now */

    tsr_pool decls;    /* of tsr_decl; 0 none */
    tsr_pool bindings; /* of uint32_t, by symbol: the innermost declaration of that name, 0: none */
    uint32_t depth;    /* of the scope now open; 0 module */

    uint32_t function;             /* the function being lowered, 0: none */
    tsr_type result;               /* its result type */
    struct tsr_stmt_context *stmt; /* stmt.c's own */

    /* Extensions that are on. */
    bool f16, subgroups, matrix_chromium, matrix_standard, dual_source, clip_distances, primitive_index, resource_table;

    uint32_t expr_depth;  /* recursion guard */
    uint32_t unevaluated; /* > 0 inside an operand that `&&` or `||` skips: it is typed, but what its constants would
                             compute is no error (tsr_cval_eval and tsr_cval_convert keep silent) */
    void *own[8];         /* private tables of single files, by TSR_WGSL_OWN_... */
} tsr_wgsl;

enum { TSR_WGSL_OWN_decl, TSR_WGSL_OWN_function, TSR_WGSL_OWN_constant, TSR_WGSL_OWN_builtin, TSR_WGSL_OWN_matrix };

/* ---- decl.c, function.c: names. */
/* The declaration a name stands for here, resolved first when it is of module scope (its node tells where it was
 * used). NULL: no declaration of that name (it may be predeclared) or it failed (*failed set: stay silent). */
tsr_decl *tsr_wgsl_lookup(tsr_wgsl *w, tsr_sym name, tsr_span use, bool *failed);
/* One mistake, one message: true the first time that the name is found missing, in the scope (0) or among the members
 * of a type. */
bool tsr_wgsl_is_new_unknown(tsr_wgsl *w, tsr_type type, tsr_sym name);
/* Declares in the scope now open; reports a second declaration of the same name in one scope. */
tsr_decl *tsr_wgsl_declare(tsr_wgsl *w, tsr_sym name, tsr_decl_kind kind, tsr_node node);
void tsr_wgsl_scope_open(tsr_wgsl *w);
void tsr_wgsl_scope_close(tsr_wgsl *w);
/* As messages show it. */
const char *tsr_wgsl_type_name(const tsr_wgsl *w, tsr_type type);
/* Every declaration of module scope, in an order in which uses follow declarations. */
void tsr_wgsl_decls(tsr_wgsl *w);
/* Lowers one function (signature: called on lookup; body: later). */
bool tsr_wgsl_function_signature(tsr_wgsl *w, tsr_decl *d);
void tsr_wgsl_function_body(tsr_wgsl *w, tsr_decl *d);
/* The parts of an attribute list; errors for unknown ones, doubles and wrong places are reported by the caller's file.
 */
bool tsr_wgsl_attr_is(const tsr_wgsl *w, tsr_node attr, const char *name);
/* A new diagnostic state: the current one with the @diagnostic attributes of the list applied. */
uint16_t tsr_wgsl_diag_attrs(tsr_wgsl *w, uint16_t now, tsr_list attrs);
/* "did you mean `x`?" notes for an unknown name: the nearest declared or predeclared one. */
void tsr_wgsl_suggest(tsr_wgsl *w, tsr_diag *d, tsr_sym name);
/* The nearest of a closed set of names as a note. */
void tsr_wgsl_suggest_of(tsr_wgsl *w, tsr_diag *d, const char *name, const char *const *names, size_t count);

/* ---- stmt.c */
void tsr_wgsl_block(tsr_wgsl *w, tsr_node block);

/* ---- type.c */
/* The type an expression names; 0 after reporting. Accepts every type of WGSL; matrix.c makes the subgroup ones. */
tsr_type tsr_wgsl_type(tsr_wgsl *w, tsr_node n);
/* Whether `name` with `template_args` is a predeclared type or type generator: f32, vec3, vec3f, array, mat2x2h,
 * atomic, ptr, subgroup_matrix_left, texture_2d ... (not shadowed). */
bool tsr_wgsl_is_predeclared_type(const tsr_wgsl *w, tsr_sym name);
/* A type generator without its template arguments, as in a constructor call `vec3(1, 2, 3)` or `array(1, 2)`:
 * kind vec (count), mat (count, rows), array; TSR_T_void when it is none. */
tsr_type_kind tsr_wgsl_bare_generator(const tsr_wgsl *w, tsr_sym name, unsigned *count, unsigned *rows);
/* Predeclared enumerants: address spaces, access modes. *_none when the node is none of them. */
tsr_space tsr_wgsl_space(const tsr_wgsl *w, tsr_node n);
tsr_access tsr_wgsl_access(const tsr_wgsl *w, tsr_node n);
/* Memory without a type of its own: buffer, buffer<64>, buffer<N> with an override N. `bytes`: of the second. */
typedef enum tsr_raw_buffer { TSR_RAW_none = 0, TSR_RAW_unsized, TSR_RAW_sized, TSR_RAW_override } tsr_raw_buffer;
tsr_raw_buffer tsr_wgsl_raw_buffer(const tsr_wgsl *w, tsr_type type, uint32_t *bytes);
/* A note with the address space or access mode whose name is nearest to what the node says. */
void tsr_wgsl_suggest_space(tsr_wgsl *w, tsr_diag *d, tsr_node n);
void tsr_wgsl_suggest_access(tsr_wgsl *w, tsr_diag *d, tsr_node n);
/* Rules for a store type in an address space (host-shareable, constructible, uniform layout, matrices only in function
 * and private memory); reports at `span`. */
/* Whether values of the type are short enough for a name or a parameter; reports. */
bool tsr_wgsl_check_length(tsr_wgsl *w, tsr_type type, tsr_span span);
bool tsr_wgsl_check_store(tsr_wgsl *w, tsr_type type, tsr_space space, tsr_span span);
/* The same for what only variables, not pointers, must have: a size, outside storage. */
bool tsr_wgsl_check_var_size(tsr_wgsl *w, tsr_type type, tsr_space space, tsr_span span);

/* ---- expr.c */
tsr_operand tsr_wgsl_expr(tsr_wgsl *w, tsr_node n);    /* may be a reference */
tsr_operand tsr_wgsl_value(tsr_wgsl *w, tsr_node n);   /* with the load rule applied */
tsr_operand tsr_wgsl_load(tsr_wgsl *w, tsr_operand o); /* the load rule */
/* A const-expression (reports what is not); NULL after reporting. `type` 0: any. */
const tsr_cval *tsr_wgsl_const_expr(tsr_wgsl *w, tsr_node n, tsr_type type, const char *what);
/* A const- or override-expression of type i32 or u32 (or that type), code in the module block. */
tsr_operand tsr_wgsl_override_expr(tsr_wgsl *w, tsr_node n, const char *what);
/* A binary operation, also for compound assignment and increment. */
tsr_operand tsr_wgsl_binary(tsr_wgsl *w, tsr_ast_op op, tsr_operand a, tsr_operand b, tsr_span span);
/* A call of anything: user function, constructor, built-in. */
tsr_operand tsr_wgsl_call(tsr_wgsl *w, tsr_node call);
tsr_operand tsr_operand_const(tsr_wgsl *w, const tsr_cval *v, tsr_span span);
tsr_operand tsr_operand_value(tsr_wgsl *w, tsr_id id, tsr_when when, tsr_span span);
tsr_operand tsr_operand_error(void);

/* ---- convert.c */
/* Rank of the automatic conversion, lower is better; 0 same type; UINT32_MAX impossible. WGSL "Conversion Rank". */
uint32_t tsr_wgsl_rank(const tsr_wgsl *w, tsr_type from, tsr_type to);
/* Converts in place to `to` (automatic conversion); reports "cannot convert" at o->span and returns false. */
bool tsr_wgsl_convert(tsr_wgsl *w, tsr_operand *o, tsr_type to, const char *what);
/* The concrete type that an abstract one becomes by itself (aint -> i32, afloat -> f32, through vec, mat, array). */
tsr_type tsr_wgsl_concrete(tsr_wgsl *w, tsr_type type);
/* Makes the operand concrete; false after reporting (value out of range). */
bool tsr_wgsl_concretize(tsr_wgsl *w, tsr_operand *o);
/* The IR value of an operand whose type is concrete (a reference is loaded first). */
tsr_id tsr_wgsl_id(tsr_wgsl *w, tsr_operand *o);

/* ---- builtin.c */
/* Whether `name` is a predeclared built-in function. */
bool tsr_wgsl_is_builtin(const tsr_wgsl *w, tsr_sym name);
/* Names of built-in functions, for suggestions: from 0, some more than once; NULL after the last. */
const char *tsr_wgsl_builtin_name(uint32_t i);
/* A call of a built-in function; operands are not yet loaded: builtin.c applies the load rule. */
tsr_operand tsr_wgsl_builtin_call(tsr_wgsl *w, tsr_node call);
/* After all functions are lowered: reports what an entry point reaches but its stage does not have (barriers and
 * matrices outside compute, derivatives and discard outside fragment, subgroup functions in vertex). */
void tsr_wgsl_check_stages(tsr_wgsl *w);

/* ---- matrix.c */
tsr_type tsr_wgsl_matrix_type(tsr_wgsl *w, tsr_node n); /* subgroup_matrix_left<T, K, M> ...; 0 after reporting */
bool tsr_wgsl_is_matrix_function(const tsr_wgsl *w, tsr_sym name);
tsr_operand tsr_wgsl_matrix_call(tsr_wgsl *w, tsr_node call); /* subgroupMatrixLoad ... */
tsr_operand tsr_wgsl_matrix_construct(tsr_wgsl *w, tsr_type type, tsr_node call);

#endif
