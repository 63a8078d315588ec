/* What the files of declarations, types and statements share among themselves, beside resolve.h. */
#ifndef TSR_WGSL_DECLARE_H
#define TSR_WGSL_DECLARE_H

#include "wgsl/resolve.h"

/* ---- Limits. Source: WGSL, "Limits", unless said otherwise. */
#define TSR_NEST_DEPTH_MAX       15
#define TSR_FN_PARAMS_MAX        255
#define TSR_OVERRIDE_ID_MAX      65535
/* Our own: blocks of IR inside each other (else-if chains count), so that walks of IR may recurse. */
#define TSR_BLOCK_DEPTH_MAX      1200
/* Our own: bytes of one type, so that offsets fit 32 bits. */
#define TSR_TYPE_BYTES_MAX       UINT32_MAX
/* Our own: elements of an array outside storage buffers, as other implementations have it; WGSL's limits in bytes are
 * reached long before. */
#define TSR_ARRAY_ELEMENTS_MAX   65535u
/* WGSL asks for 1023 at least; as many as other implementations take. */
#define TSR_STRUCT_MEMBERS_MAX   16383
#define TSR_SWITCH_SELECTORS_MAX 16383

/* ---- attribute.c */
typedef enum tsr_attr {
#define ATTR(name, least, most) TSR_ATTR_##name,
#include "wgsl/attribute.def"
    TSR_ATTR_COUNT
} tsr_attr;

#define TSR_ATTR_BIT(name) (1u << TSR_ATTR_##name)
#define TSR_ATTRS_IO                                                                                                   \
    (TSR_ATTR_BIT(builtin) | TSR_ATTR_BIT(location) | TSR_ATTR_BIT(interpolate) | TSR_ATTR_BIT(invariant) |            \
     TSR_ATTR_BIT(blend_src) | TSR_ATTR_BIT(color))
/* Of parameters and results: @blend_src stands on members only. */
#define TSR_ATTRS_IO_VALUE (TSR_ATTRS_IO & ~TSR_ATTR_BIT(blend_src))

typedef struct tsr_attrs {
    tsr_node at[TSR_ATTR_COUNT]; /* the first one of each kind, 0: none */
    bool failed;
} tsr_attrs;

/* Reads an attribute list: unknown names, doubles, those not in `allowed` and wrong argument counts are reported.
 * `place` completes "... cannot stand on": "a struct member". */
tsr_attrs tsr_wgsl_attrs(tsr_wgsl *w, tsr_list list, uint32_t allowed, const char *place);
/* Argument i. */
tsr_node tsr_wgsl_attr_arg(const tsr_wgsl *w, tsr_node attr, uint32_t i);
/* Argument 0 as an integer const-expression in [least, most]; false after reporting. */
bool tsr_wgsl_attr_int(tsr_wgsl *w, tsr_node attr, int64_t least, int64_t most, uint32_t *value);
/* Argument i as a name that is not resolved (context-dependent names); 0 when it is none. */
tsr_sym tsr_wgsl_attr_name(const tsr_wgsl *w, tsr_node attr, uint32_t i);

/* The input or output attributes of a parameter, a result or a struct member, and what is needed to check them. */
typedef struct tsr_io_facts {
    tsr_io io;
    uint32_t location;   /* as written: IR keeps at most 65535, which is far above what any device has */
    uint8_t interpolate; /* tsr_interpolate */
    bool blend_src, invariant, has_color;
    uint8_t blend_src_number;
    uint32_t color;
} tsr_io_facts;
bool tsr_wgsl_io_attrs(tsr_wgsl *w, const tsr_attrs *attrs, tsr_io_facts *out);
tsr_io tsr_wgsl_ir_io(const tsr_io_facts *io);
/* Whether what carries the attributes has a type that goes with them; false after reporting. */
bool tsr_wgsl_check_io_type(tsr_wgsl *w, const tsr_io_facts *io, tsr_type type, tsr_span span);

/* ---- directive.c */
void tsr_wgsl_directives(tsr_wgsl *w);

/* ---- layout.c */
static inline bool tsr_wgsl_has_kind(const tsr_wgsl *w, tsr_type type, tsr_type_kind kind)
{
    return (tsr_type_get(w->types, type)->kinds >> kind & 1) != 0;
}
bool tsr_wgsl_is_runtime_sized(const tsr_wgsl *w, tsr_type type);
bool tsr_wgsl_is_override_sized(const tsr_wgsl *w, tsr_type type);
/* A value of the type can be made, passed and returned: WGSL's constructible types and subgroup matrices. */
bool tsr_wgsl_is_value_type(const tsr_wgsl *w, tsr_type type);
/* Reports a type that is nested too deeply or too large. */
bool tsr_wgsl_check_type_limits(tsr_wgsl *w, tsr_type type, tsr_span span);

/* ---- Uses of module-scope declarations by functions: recursion, resources of entry points. */
typedef struct tsr_fn_use { /* signature and body may note one each */
    uint32_t next;          /* index in own.uses, 0: last */
    uint32_t decl;          /* index in wgsl.decls */
    tsr_span span;
} tsr_fn_use;

/* An IR block that stands nowhere: code that control cannot reach, which is checked like any other. */
typedef struct tsr_dead_block {
    uint32_t next; /* index in own.dead_blocks, 0: last */
    tsr_block block;
} tsr_dead_block;

/* One a function, by its index in ir.functions. */
typedef struct tsr_fn_own {
    tsr_fn_info info;
    uint32_t decl; /* index in wgsl.decls */
    uint32_t first_use, last_use;
    uint32_t first_dead;  /* its blocks that cannot be reached */
    tsr_io_facts *params; /* one a parameter */
    tsr_io_facts result;
    bool result_failed;
    bool *param_failed; /* one a parameter */
} tsr_fn_own;

/* The private table of these files: wgsl.own[TSR_WGSL_OWN_decl]. */
typedef struct tsr_wgsl_own {
    uint32_t *scope; /* stack: the declarations of the scopes now open */
    uint32_t scope_count, scope_cap;
    uint32_t *ast_of;       /* by module-scope declaration: its index in ast.decls */
    uint32_t *decl_of;      /* by index in ast.decls: its declaration, 0: none */
    uint32_t module_decls;  /* declarations of module scope: [1, module_decls) of wgsl.decls */
    tsr_map override_ids;   /* @id -> declaration */
    tsr_map member_io;      /* struct type and member number -> index in io_facts */
    tsr_pool io_facts;      /* of tsr_io_facts */
    tsr_map binding_arrays; /* type -> its element type; under the type with the top bit set: its count */
    tsr_map type_rows;      /* symbol -> row of the predeclared types */
    tsr_pool fns;           /* of tsr_fn_own */
    tsr_pool uses;          /* of tsr_fn_use */
    tsr_pool dead_blocks;   /* of tsr_dead_block */
    uint32_t *used_in;      /* by module-scope declaration: the function that noted it last */
    uint32_t *fn_order;     /* functions, callees first; made by tsr_wgsl_call_graph */
    uint32_t fn_order_count;
    uint32_t type_depth, block_depth, suggestions;
    tsr_map unknown; /* what was reported as not there: names; members by type */
    uint16_t module_diag;
    tsr_type builtin_types[TSR_BV_COUNT]; /* of built-in values, when met; 0: not yet */
    bool standard_layout, subgroup_size_control, atomic_vec2u;
    /* Extensions that browsers try out. */
    bool framebuffer_fetch, barycentric_coord, input_attachments, pixel_local;
    bool block_depth_reported;
} tsr_wgsl_own;

static inline tsr_wgsl_own *tsr_own(const tsr_wgsl *w)
{
    return (tsr_wgsl_own *)w->own[TSR_WGSL_OWN_decl];
}
static inline tsr_decl *tsr_decl_at(const tsr_wgsl *w, uint32_t index)
{
    return (tsr_decl *)tsr_pool_at(&w->decls, index);
}
static inline tsr_fn_own *tsr_fn_own_at(const tsr_wgsl *w, uint32_t function)
{
    return (tsr_fn_own *)tsr_pool_at(&tsr_own(w)->fns, function);
}
static inline const tsr_fn_use *tsr_fn_use_at(const tsr_wgsl *w, uint32_t index)
{
    return (const tsr_fn_use *)tsr_pool_at(&tsr_own(w)->uses, index);
}
static inline const char *tsr_sym_text(const tsr_wgsl *w, tsr_sym sym)
{
    return tsr_symbols_cstr(w->symbols, sym);
}
static inline uint32_t tsr_bound(const tsr_wgsl *w, tsr_sym sym)
{
    return sym < w->bindings.count ? *(const uint32_t *)tsr_pool_at(&w->bindings, sym) : 0;
}

/* ---- type.c */
void tsr_wgsl_types_init(tsr_wgsl *w);
/* An array of textures: its element type and count; 0: it is none. */
tsr_type tsr_wgsl_binding_array(const tsr_wgsl *w, tsr_type type, uint32_t *count);
/* A storage texture that can be written. */
bool tsr_wgsl_is_written_texture(tsr_wgsl *w, tsr_type type);

/* ---- decl.c and its parts */
void tsr_wgsl_register_decls(tsr_wgsl *w);
/* Resolves one declaration, if that was not done. */
void tsr_wgsl_resolve_decl(tsr_wgsl *w, tsr_decl *d, tsr_span use);
bool tsr_wgsl_struct_decl(tsr_wgsl *w, tsr_decl *d);
/* The input and output attributes of a struct's member. */
tsr_io_facts tsr_wgsl_member_io(const tsr_wgsl *w, tsr_type type, uint32_t member);
void tsr_wgsl_const_assert(tsr_wgsl *w, tsr_node n);
/* Reads var<space, access>; TSR_SPACE_none after reporting or, with *given false, when there is no template list. */
tsr_space tsr_wgsl_var_template(tsr_wgsl *w, tsr_node var, tsr_access *access, bool *given);
/* A variable of memory that belongs to a pixel (an extension that browsers try out). */
bool tsr_wgsl_is_pixel_local(const tsr_wgsl *w, tsr_node var);
void tsr_wgsl_note_use(tsr_wgsl *w, uint32_t decl, tsr_span span);
/* Input and output rules of an entry point's signature. */
void tsr_wgsl_entry_signature(tsr_wgsl *w, uint32_t function);
/* @workgroup_size and @subgroup_size of a compute entry point. */
void tsr_wgsl_entry_sizes(tsr_wgsl *w, uint32_t function, const tsr_attrs *attrs);
/* After all bodies: recursion, then what entry points reach. */
void tsr_wgsl_call_graph(tsr_wgsl *w);
/* The body of a function, and what of it cannot be reached: the rules are about the text. */
void tsr_wgsl_walk_function(const tsr_wgsl *w, uint32_t function, void (*visit)(void *user, tsr_id id), void *user);
/* These need fn_order, and that no function calls itself. */
void tsr_wgsl_check_reached(tsr_wgsl *w);
void tsr_wgsl_check_aliasing(tsr_wgsl *w);
void tsr_wgsl_check_buffer_calls(tsr_wgsl *w);

/* ---- function.c, stmt.c */
/* What a statement may do next, as sets. WGSL, "Statement Behavior Analysis". */
enum { TSR_NEXT = 1, TSR_BREAK = 2, TSR_CONTINUE = 4, TSR_RETURN = 8 };
/* The statements of a block, in the scope now open. */
unsigned tsr_wgsl_block_body(tsr_wgsl *w, tsr_node block);

/* Loops and switches around the statement being lowered, innermost first. */
typedef struct tsr_stmt_context {
    struct tsr_stmt_context *outer;
    bool is_loop, in_continuing, has_continue;
    uint32_t continue_pos; /* place of the first `continue` */
    uint32_t body_depth;   /* scope depth of the loop's body */
} tsr_stmt_context;

/* ---- stmt_loop.c, stmt_assign.c: lowered statements give their behaviour. */
unsigned tsr_wgsl_statement(tsr_wgsl *w, tsr_node n);
unsigned tsr_wgsl_loop(tsr_wgsl *w, tsr_node n);
unsigned tsr_wgsl_for(tsr_wgsl *w, tsr_node n);
unsigned tsr_wgsl_while(tsr_wgsl *w, tsr_node n);
unsigned tsr_wgsl_switch(tsr_wgsl *w, tsr_node n);
/* Lowers a block in a scope of its own into a new IR block. */
unsigned tsr_wgsl_block_into(tsr_wgsl *w, tsr_node block, tsr_block *out);
/* The IR value of a condition; a constant after reporting. */
tsr_id tsr_wgsl_condition(tsr_wgsl *w, tsr_node n, const char *what);
/* Ends the IR block (behaviour without Next) and goes on in one that is thrown away. */
void tsr_wgsl_end_block(tsr_wgsl *w);
/* Makes a block one that is thrown away: it stands in no other. */
void tsr_wgsl_drop_block(tsr_wgsl *w, tsr_block block);
void tsr_wgsl_assign(tsr_wgsl *w, tsr_node n);
void tsr_wgsl_step(tsr_wgsl *w, tsr_node n);
void tsr_wgsl_phony(tsr_wgsl *w, tsr_node n);
void tsr_wgsl_call_statement(tsr_wgsl *w, tsr_node n);
void tsr_wgsl_local(tsr_wgsl *w, tsr_node n);
/* Severity attributes of a statement; returns the state to go back to. */
uint16_t tsr_wgsl_statement_attrs(tsr_wgsl *w, tsr_list attrs);
/* One more level of blocks; false after reporting that there are too many (then do not leave). */
bool tsr_wgsl_enter_block(tsr_wgsl *w, tsr_span span);

#endif
