/* Tiles that leave their array, or lie in it at odd places: element by element, through a piece of workgroup memory
 * that each subgroup has for itself. For each kind of access one function, made of:
 *
 *   load    each invocation gathers words of the tile into the scratch memory, components that the array does not have
 *           as zero; a barrier of the subgroup; the matrix is loaded from there; a barrier
 *   store   the matrix is stored there; a barrier; each invocation takes words apart and writes what the array has; a
 *           barrier
 *
 * A scratch tile is `major` runs of whole 32-bit words. Source: docs/design.md, section 6, "Out of bounds". */
#include "emit/spirv_tile.h"

#include <string.h>

enum {
    WORD_BYTES = 4,
    RUN_ALIGNMENT = 16, /* bytes; as spirv_tile.c */
    SUBGROUP_LEAST = 8, /* the smallest subgroups of devices with cooperative matrices: lavapipe, Intel */
    PATH_MAX_STEPS = TSR_IR_TYPE_DEPTH_MAX
};

/* One function, to be made at the end. */
struct slow {
    uint32_t id;
    tsr_spv_tile tile;
    tsr_id pointer;                 /* some pointer with this path */
    uint32_t steps[PATH_MAX_STEPS]; /* ids of constants; 0: a parameter */
    uint32_t step_count;
};

struct tsr_spv_tiles {
    tsr_map index;      /* content -> number in functions */
    tsr_pool functions; /* of struct slow */
    uint32_t words;     /* of the largest tile */
    uint32_t scratch;   /* the variable */
};

/* ---- Calls. */

static uint32_t run_words(const tsr_spv_tile *t)
{
    uint32_t bytes = t->minor * t->bytes, align = bytes > RUN_ALIGNMENT ? RUN_ALIGNMENT : WORD_BYTES;
    return (bytes + align - 1) / align * align / WORD_BYTES;
}

static struct tsr_spv_tiles *tiles_of(tsr_spv *s)
{
    if (s->tiles) return s->tiles;
    s->tiles = TSR_NEW(s->arena, struct tsr_spv_tiles);
    tsr_map_init(&s->tiles->index, s->arena);
    tsr_pool_init(&s->tiles->functions, s->arena, sizeof(struct slow));
    return s->tiles;
}

/* From the variable to the array: constants as they are, other indices as arguments. */
static void read_path(tsr_spv *s, struct slow *f, uint32_t *arguments, uint32_t *argument_count)
{
    tsr_id at[PATH_MAX_STEPS], pointer = f->pointer;
    for (; tsr_spv_ptr_of(s, pointer)->parent; pointer = tsr_spv_ptr_of(s, pointer)->parent)
        at[f->step_count++] = pointer;
    for (uint32_t i = 0; i < f->step_count; i++) {
        tsr_id part = at[f->step_count - 1 - i];
        const tsr_inst *inst = tsr_inst_at(s->ir, part);
        uint32_t step = tsr_spv_ptr_of(s, part)->step;
        bool constant = inst->op == TSR_OP_field || tsr_inst_at(s->ir, tsr_arg(s->ir, inst, 1))->op == TSR_OP_const;
        f->steps[i] = constant ? step : 0;
        if (!constant) arguments[(*argument_count)++] = step;
    }
}

static bool is_same(const struct slow *a, const struct slow *b)
{
    return a->tile.matrix == b->tile.matrix && a->tile.column_major == b->tile.column_major &&
           a->tile.store == b->tile.store && a->tile.elem == b->tile.elem && a->step_count == b->step_count &&
           memcmp(a->steps, b->steps, a->step_count * sizeof *a->steps) == 0;
}

static struct slow *find_function(tsr_spv *s, const struct slow *wanted)
{
    struct tsr_spv_tiles *all = tiles_of(s);
    tsr_id root = tsr_spv_ptr_of(s, wanted->pointer)->root;
    const uint32_t key[] = {root, wanted->tile.matrix, wanted->tile.column_major, wanted->tile.store,
                            wanted->step_count};
    uint64_t hash = tsr_hash_bytes(key, sizeof key, 0) ^ tsr_hash_bytes(wanted->steps, wanted->step_count * 4, 1);
    uint32_t n;
    for (; tsr_map_find(&all->index, hash, &n); hash++) {
        struct slow *f = tsr_pool_at(&all->functions, n);
        if (tsr_spv_ptr_of(s, f->pointer)->root == root && is_same(f, wanted)) return f;
    }
    n = tsr_pool_push(&all->functions, 1);
    tsr_map_set(&all->index, hash, n);
    struct slow *f = tsr_pool_at(&all->functions, n);
    *f = *wanted;
    f->id = tsr_spv_new_id(s);
    uint32_t words = f->tile.major * run_words(&f->tile), align = RUN_ALIGNMENT / WORD_BYTES;
    words = (words + align - 1) / align * align;
    if (words > all->words) all->words = words;
    return f;
}

uint32_t tsr_spv_tile_call(tsr_spv *s, const tsr_spv_access *a, const tsr_spv_tile *t, uint32_t present)
{
    struct slow wanted = {.tile = *t, .pointer = a->pointer};
    uint32_t words[5 + PATH_MAX_STEPS], count = 1;
    if (t->bytes > WORD_BYTES && !s->failed) {
        s->failed = true;
        tsr_error(s->diags, a->span, TSR_E_SPIRV_COMPONENT,
                  "a matrix of f64 is only loaded and stored unchecked as SPIR-V; use --oob=unchecked");
    }
    words[count++] = a->offset;
    words[count++] = a->stride;
    words[count++] = present;
    read_path(s, &wanted, words, &count);
    if (a->object) words[count++] = a->object;
    words[0] = find_function(s, &wanted)->id;
    uint32_t type = tsr_spv_type(s, t->store ? (tsr_type)TSR_T_void : t->matrix);
    uint32_t result = tsr_spv_value(s, SPV_FunctionCall, type, words, count);
    return t->store ? 0 : result;
}

/* ---- The functions. */

/* What the code of one function works with: ids. */
struct code {
    tsr_spv *s;
    const struct slow *f;
    uint32_t u32, bools, zero, one;
    uint32_t offset, stride, present, object;
    uint32_t steps[PATH_MAX_STEPS]; /* all of them */
    uint32_t base;                  /* the subgroup's place in the scratch memory */
    uint32_t lane, lanes;
    bool alone; /* one invocation does it: words cannot be written in part */
};

static uint32_t num(const struct code *c, uint32_t value)
{
    return tsr_spv_u32(c->s, value);
}

/* Of u32 and of bool. */
#define OP2(c, op, a, b)   SPV_VALUE((c)->s, (op), (c)->u32, (a), (b))
#define TEST2(c, op, a, b) SPV_VALUE((c)->s, (op), (c)->bools, (a), (b))

static tsr_type scalar_type(const struct code *c)
{
    return tsr_type_scalar(c->s->types, c->f->tile.elem);
}

static uint32_t scalar_bytes(const struct code *c)
{
    return scalar_type(c) == TSR_T_f16 ? 2 : WORD_BYTES;
}

static uint32_t lane_count(const struct code *c)
{
    return tsr_type_width(c->s->types, c->f->tile.elem);
}

/* Pointer to scalar `part` (an id) of element `element`. */
static uint32_t scalar_pointer(const struct code *c, uint32_t element, uint32_t part)
{
    const tsr_spv_ptr *root = tsr_spv_ptr_of(c->s, tsr_spv_ptr_of(c->s, c->f->pointer)->root);
    const tsr_type_info *info = tsr_type_get(c->s->types, tsr_inst_at(c->s->ir, c->f->pointer)->type);
    uint32_t words[PATH_MAX_STEPS + 4], count = 0;
    words[count++] = root->id;
    if (root->wrapped) words[count++] = c->zero;
    for (uint32_t i = 0; i < c->f->step_count; i++)
        words[count++] = c->steps[i];
    words[count++] = element;
    if (lane_count(c) > 1) words[count++] = part;
    uint32_t type = tsr_spv_type(c->s, scalar_type(c));
    uint32_t pointer = tsr_spv_pointer_type(c->s, tsr_spv_storage((tsr_space)info->space), type);
    return tsr_spv_value(c->s, SPV_AccessChain, pointer, words, count);
}

static uint32_t bits_of(const struct code *c, uint32_t scalar)
{
    switch (scalar_type(c)) {
    case TSR_T_u32: return scalar;
    case TSR_T_f16: {
        uint32_t pair = tsr_spv_vec_type(c->s, TSR_T_f16, 2);
        scalar = SPV_VALUE(c->s, SPV_CompositeConstruct, pair, scalar, tsr_spv_scalar(c->s, TSR_T_f16, 0));
        return SPV_VALUE(c->s, SPV_Bitcast, c->u32, scalar);
    }
    default: return SPV_VALUE(c->s, SPV_Bitcast, c->u32, scalar);
    }
}

static uint32_t scalar_of(const struct code *c, uint32_t bits)
{
    uint32_t type = tsr_spv_type(c->s, scalar_type(c));
    switch (scalar_type(c)) {
    case TSR_T_u32: return bits;
    case TSR_T_f16: {
        uint32_t pair = SPV_VALUE(c->s, SPV_Bitcast, tsr_spv_vec_type(c->s, TSR_T_f16, 2), bits);
        return SPV_VALUE(c->s, SPV_CompositeExtract, type, pair, 0);
    }
    default: return SPV_VALUE(c->s, SPV_Bitcast, type, bits);
    }
}

static uint32_t load_bits(const struct code *c, uint32_t pointer)
{
    uint32_t words[2] = {pointer}, count = 1 + tsr_spv_access_words(c->s, c->f->pointer, words + 1);
    return bits_of(c, tsr_spv_value(c->s, SPV_Load, tsr_spv_type(c->s, scalar_type(c)), words, count));
}

static void store_bits(const struct code *c, uint32_t pointer, uint32_t bits)
{
    uint32_t words[3] = {pointer, scalar_of(c, bits)}, count = 2 + tsr_spv_access_words(c->s, c->f->pointer, words + 2);
    tsr_spv_do(c->s, SPV_Store, words, count);
}

/* Where a component lies: element, scalar in it, and for a component narrower than the scalar its first bit. */
struct spot {
    uint32_t element, part, shift;
};

static struct spot find_spot(const struct code *c, uint32_t place)
{
    const tsr_spv_tile *t = &c->f->tile;
    struct spot spot = {place, c->zero, c->zero};
    uint32_t in = c->zero, wide = scalar_bytes(c);
    if (t->per > 1) {
        spot.element = OP2(c, SPV_UDiv, place, num(c, t->per));
        in = OP2(c, SPV_UMod, place, num(c, t->per));
    }
    if (wide > t->bytes) {
        uint32_t ratio = num(c, wide / t->bytes);
        spot.part = OP2(c, SPV_UDiv, in, ratio);
        spot.shift = OP2(c, SPV_IMul, OP2(c, SPV_UMod, in, ratio), num(c, 8 * t->bytes));
    } else if (wide < t->bytes) {
        spot.part = OP2(c, SPV_IMul, in, num(c, t->bytes / wide));
    } else {
        spot.part = in;
    }
    return spot;
}

static uint32_t component_mask(const struct code *c)
{
    return c->f->tile.bytes == WORD_BYTES ? UINT32_MAX : (1u << 8 * c->f->tile.bytes) - 1;
}

static uint32_t read_component(const struct code *c, uint32_t place)
{
    struct spot spot = find_spot(c, place);
    uint32_t bits = load_bits(c, scalar_pointer(c, spot.element, spot.part));
    if (scalar_bytes(c) > c->f->tile.bytes)
        return OP2(c, SPV_BitwiseAnd, OP2(c, SPV_ShiftRightLogical, bits, spot.shift), num(c, component_mask(c)));
    if (scalar_bytes(c) == c->f->tile.bytes) return bits;
    uint32_t next = OP2(c, SPV_IAdd, spot.part, c->one);
    uint32_t high = load_bits(c, scalar_pointer(c, spot.element, next));
    return OP2(c, SPV_BitwiseOr, bits, OP2(c, SPV_ShiftLeftLogical, high, num(c, 16)));
}

/* A part of a word: its bits are cleared and set by atomics, which leave the neighbours' alone. */
static void write_part(const struct code *c, uint32_t pointer, uint32_t shift, uint32_t bits)
{
    const tsr_type_info *info = tsr_type_get(c->s->types, tsr_inst_at(c->s->ir, c->f->pointer)->type);
    uint32_t scope = info->space == TSR_SPACE_workgroup ? SPV_SCOPE_WORKGROUP : SPV_SCOPE_QUEUE_FAMILY;
    uint32_t type = tsr_spv_type(c->s, scalar_type(c));
    uint32_t keep = OP2(c, SPV_ShiftLeftLogical, num(c, component_mask(c)), shift);
    keep = SPV_VALUE(c->s, SPV_Not, c->u32, keep);
    bits = OP2(c, SPV_ShiftLeftLogical, bits, shift);
    if (c->alone) {
        uint32_t old = OP2(c, SPV_BitwiseAnd, load_bits(c, pointer), keep);
        store_bits(c, pointer, OP2(c, SPV_BitwiseOr, old, bits));
        return;
    }
    keep = scalar_of(c, keep);
    bits = scalar_of(c, bits);
    scope = num(c, scope);
    SPV_VALUE(c->s, SPV_AtomicAnd, type, pointer, scope, c->zero, keep);
    SPV_VALUE(c->s, SPV_AtomicOr, type, pointer, scope, c->zero, bits);
}

static void write_component(const struct code *c, uint32_t place, uint32_t bits)
{
    struct spot spot = find_spot(c, place);
    uint32_t pointer = scalar_pointer(c, spot.element, spot.part);
    if (scalar_bytes(c) > c->f->tile.bytes) {
        write_part(c, pointer, spot.shift, bits);
        return;
    }
    store_bits(c, pointer, bits);
    if (scalar_bytes(c) == c->f->tile.bytes) return;
    uint32_t next = OP2(c, SPV_IAdd, spot.part, c->one);
    store_bits(c, scalar_pointer(c, spot.element, next), OP2(c, SPV_ShiftRightLogical, bits, num(c, 16)));
}

/* The place in the array of component (run, at), counted in components, and whether the array has it. All in 32 bits:
 * what wraps is outside. */
static uint32_t find_place(const struct code *c, uint32_t run, uint32_t at, uint32_t *ok)
{
    uint32_t pair = tsr_spv_declare(c->s, SPV_TypeStruct, 0, (const uint32_t[]){c->u32, c->u32}, 2);
    uint32_t product = SPV_VALUE(c->s, SPV_UMulExtended, pair, c->stride, run);
    uint32_t low = SPV_VALUE(c->s, SPV_CompositeExtract, c->u32, product, 0);
    uint32_t high = SPV_VALUE(c->s, SPV_CompositeExtract, c->u32, product, 1);
    uint32_t first = OP2(c, SPV_IAdd, c->offset, low), place = OP2(c, SPV_IAdd, first, at);
    uint32_t inside = TEST2(c, SPV_IEqual, high, c->zero);
    inside = TEST2(c, SPV_LogicalAnd, inside, TEST2(c, SPV_UGreaterThanEqual, first, low));
    inside = TEST2(c, SPV_LogicalAnd, inside, TEST2(c, SPV_UGreaterThanEqual, place, at));
    inside = TEST2(c, SPV_LogicalAnd, inside, TEST2(c, SPV_ULessThan, place, c->present));
    *ok = inside;
    if (c->s->o->oob == TSR_OOB_CLAMP) { /* the last one, when there is one */
        uint32_t last = OP2(c, SPV_ISub, c->present, c->one);
        place = SPV_VALUE(c->s, SPV_Select, c->u32, inside, place, last);
        *ok = TEST2(c, SPV_INotEqual, c->present, c->zero);
    }
    uint32_t held = lane_count(c) * scalar_bytes(c) / c->f->tile.bytes; /* components of an element without padding */
    if (held == c->f->tile.per) return place;
    uint32_t in = OP2(c, SPV_UMod, place, num(c, c->f->tile.per));
    *ok = TEST2(c, SPV_LogicalAnd, *ok, TEST2(c, SPV_ULessThan, in, num(c, held)));
    return place;
}

static uint32_t scratch_pointer(const struct code *c, uint32_t word)
{
    uint32_t pointer = tsr_spv_pointer_type(c->s, SPV_StorageClass_Workgroup, c->u32);
    return SPV_VALUE(c->s, SPV_AccessChain, pointer, c->s->tiles->scratch, OP2(c, SPV_IAdd, c->base, word));
}

/* Component `part` of word `word` of the tile: its run, its place in the run, and whether the tile has it. */
static void locate(const struct code *c, uint32_t word, uint32_t part, uint32_t *run, uint32_t *at, uint32_t *ok)
{
    const tsr_spv_tile *t = &c->f->tile;
    uint32_t words = run_words(t), parts = WORD_BYTES / t->bytes;
    *run = OP2(c, SPV_UDiv, word, num(c, words));
    *at = OP2(c, SPV_UMod, word, num(c, words));
    if (parts > 1) *at = OP2(c, SPV_IAdd, OP2(c, SPV_IMul, *at, num(c, parts)), num(c, part));
    *ok = words * parts == t->minor ? 0 : TEST2(c, SPV_ULessThan, *at, num(c, t->minor));
}

static void gather_word(const struct code *c, uint32_t word)
{
    uint32_t bytes = c->f->tile.bytes, all = 0;
    for (uint32_t part = 0; part < WORD_BYTES / bytes; part++) {
        uint32_t run, at, has, ok;
        locate(c, word, part, &run, &at, &has);
        uint32_t place = find_place(c, run, at, &ok);
        if (has) ok = TEST2(c, SPV_LogicalAnd, ok, has);
        tsr_spv_guard g = tsr_spv_guard_begin(c->s, ok);
        uint32_t bits = read_component(c, place);
        bits = tsr_spv_guard_end(c->s, &g, bits, c->u32, c->zero);
        if (part > 0) bits = OP2(c, SPV_ShiftLeftLogical, bits, num(c, 8 * bytes * part));
        all = part == 0 ? bits : OP2(c, SPV_BitwiseOr, all, bits);
    }
    SPV_DO(c->s, SPV_Store, scratch_pointer(c, word), all, SPV_MemoryAccess_NonPrivatePointer);
}

static void scatter_word(const struct code *c, uint32_t word)
{
    uint32_t bytes = c->f->tile.bytes;
    uint32_t all = SPV_VALUE(c->s, SPV_Load, c->u32, scratch_pointer(c, word), SPV_MemoryAccess_NonPrivatePointer);
    for (uint32_t part = 0; part < WORD_BYTES / bytes; part++) {
        uint32_t run, at, has, ok, bits = all;
        locate(c, word, part, &run, &at, &has);
        uint32_t place = find_place(c, run, at, &ok);
        if (has) ok = TEST2(c, SPV_LogicalAnd, ok, has);
        tsr_spv_guard g = tsr_spv_guard_begin(c->s, ok);
        if (part > 0) bits = OP2(c, SPV_ShiftRightLogical, bits, num(c, 8 * bytes * part));
        if (bytes < WORD_BYTES) bits = OP2(c, SPV_BitwiseAnd, bits, num(c, component_mask(c)));
        write_component(c, place, bits);
        tsr_spv_guard_end(c->s, &g, 0, 0, 0);
    }
}

static void each_word(const struct code *c, void (*visit)(const struct code *c, uint32_t word))
{
    uint32_t count = num(c, c->f->tile.major * run_words(&c->f->tile)), word;
    uint32_t only = c->alone ? tsr_spv_begin_if(c->s, TEST2(c, SPV_IEqual, c->lane, c->zero)) : 0;
    tsr_spv_loop l = tsr_spv_begin_loop(c->s, c->lane, count, c->alone ? c->one : c->lanes, &word);
    visit(c, word);
    tsr_spv_end_loop(c->s, &l);
    if (only) tsr_spv_end_if(c->s, only);
}

static void emit_load(const struct code *c)
{
    const tsr_spv_tile *t = &c->f->tile;
    each_word(c, gather_word);
    tsr_spv_subgroup_barrier(c->s, SPV_SEMANTICS_WORKGROUP_MEMORY);
    uint32_t matrix =
        SPV_VALUE(c->s, SPV_CooperativeMatrixLoadKHR, tsr_spv_type(c->s, t->matrix), scratch_pointer(c, c->zero),
                  num(c, t->column_major), num(c, run_words(t)), SPV_MemoryAccess_NonPrivatePointer);
    tsr_spv_subgroup_barrier(c->s, SPV_SEMANTICS_WORKGROUP_MEMORY);
    SPV_DO(c->s, SPV_ReturnValue, matrix);
}

static void emit_store(const struct code *c)
{
    const tsr_spv_tile *t = &c->f->tile;
    SPV_DO(c->s, SPV_CooperativeMatrixStoreKHR, scratch_pointer(c, c->zero), c->object, num(c, t->column_major),
           num(c, run_words(t)), SPV_MemoryAccess_NonPrivatePointer);
    tsr_spv_subgroup_barrier(c->s, SPV_SEMANTICS_WORKGROUP_MEMORY);
    each_word(c, scatter_word);
    tsr_spv_subgroup_barrier(c->s, SPV_SEMANTICS_WORKGROUP_MEMORY);
    tsr_spv_do(c->s, SPV_Return, NULL, 0);
}

static void begin_code(struct code *c)
{
    tsr_spv *s = c->s;
    const struct slow *f = c->f;
    uint32_t types[PATH_MAX_STEPS + 4], params[PATH_MAX_STEPS + 4], count = 0, next = 3;
    while (count < 3)
        types[count++] = c->u32;
    for (uint32_t i = 0; i < f->step_count; i++)
        if (!f->steps[i]) types[count++] = c->u32;
    if (f->tile.store) types[count++] = tsr_spv_type(s, f->tile.matrix);
    tsr_spv_name(s, f->id, f->tile.store ? "store_by_element" : "load_by_element");
    tsr_spv_begin_function(s, f->id, tsr_spv_type(s, f->tile.store ? (tsr_type)TSR_T_void : f->tile.matrix), types,
                           count, params);
    c->offset = params[0];
    c->stride = params[1];
    c->present = params[2];
    for (uint32_t i = 0; i < f->step_count; i++)
        c->steps[i] = f->steps[i] ? f->steps[i] : params[next++];
    c->object = f->tile.store ? params[next] : 0;
    c->lane = tsr_spv_builtin(s, TSR_BV_subgroup_invocation_id);
    c->lanes = tsr_spv_builtin(s, TSR_BV_subgroup_size);
    c->base = OP2(c, SPV_IMul, tsr_spv_builtin(s, TSR_BV_subgroup_id), num(c, s->tiles->words));
}

static void emit_function(tsr_spv *s, const struct slow *f)
{
    struct code c = {.s = s, .f = f, .u32 = tsr_spv_type(s, TSR_T_u32), .bools = tsr_spv_type(s, TSR_T_bool)};
    c.zero = tsr_spv_u32(s, 0);
    c.one = tsr_spv_u32(s, 1);
    tsr_type scalar = scalar_type(&c);
    c.alone = f->tile.store && scalar_bytes(&c) > f->tile.bytes && scalar != TSR_T_u32 && scalar != TSR_T_i32;
    begin_code(&c);
    if (f->tile.store)
        emit_store(&c);
    else
        emit_load(&c);
    tsr_spv_end_function(s);
}

/* The least invocations that a subgroup has, as far as that is known. */
static uint32_t least_subgroup(const tsr_spv *s)
{
    const tsr_function *entry = tsr_function_at(s->ir, s->p->entry);
    if (s->o->subgroup_size) return s->o->subgroup_size;
    if (entry->subgroup_size) return (uint32_t)tsr_constant_bits(s->ir, tsr_inst_at(s->ir, entry->subgroup_size));
    if (s->o->caps && s->o->caps->support.subgroup_size_count) return s->o->caps->support.subgroup_sizes[0];
    return SUBGROUP_LEAST;
}

static void declare_scratch(tsr_spv *s)
{
    const uint32_t *size = s->p->workgroup_size, storage = SPV_StorageClass_Workgroup;
    uint32_t lanes = size[0] * size[1] * size[2], least = least_subgroup(s);
    uint32_t count = (lanes + least - 1) / least * s->tiles->words, u32 = tsr_spv_type(s, TSR_T_u32);
    uint32_t array = tsr_spv_declare(s, SPV_TypeArray, 0, (const uint32_t[]){u32, tsr_spv_u32(s, count)}, 2);
    s->tiles->scratch = tsr_spv_declare_new(s, SPV_Variable, tsr_spv_pointer_type(s, storage, array), &storage, 1);
    tsr_spv_name(s, s->tiles->scratch, "tile_scratch");
    if (s->version >= SPV_VERSION(1, 4)) tsr_words_add1(&s->interface, s->arena, s->tiles->scratch);
}

void tsr_spv_tile_functions(tsr_spv *s)
{
    if (!s->tiles) return;
    declare_scratch(s);
    for (uint32_t i = 1; i < s->tiles->functions.count; i++)
        emit_function(s, tsr_pool_at(&s->tiles->functions, i));
}
