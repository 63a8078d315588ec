/* Products that become one multiply-add. In a stretch of straight code, sums that are made in place wait; where it
 * ends, or where something would see the difference, those that form a grid go as one function, which keeps more of
 * them in registers and loads each operand once. Loops that run a few times around products are copied out, so that
 * such a stretch is what people write as loops over rows, columns and depth. */
#include "emit/llvm_block.h"
#include "emit/llvm_inside.h"

#include <string.h>

#define COPIES_MOST  16000u /* what copying makes: simple instructions */
#define LOAD_COST    100u   /* of a matrix that is not proved to be inside: a branch, a copy that stands by */
#define COMPLEX_COST 40u    /* of what may be a function of floats, or memory */

/* ---- Loops that count. */

typedef struct counted {
    tsr_id var;
    uint32_t start, trips;
} counted;

/* A constant, or a value that has turned out as one. */
static bool find_constant(const tsr_ll *e, tsr_id id, uint32_t *bits)
{
    const tsr_inst *inst = tsr_ll_inst(e, id);
    if (inst->op == TSR_OP_const) {
        *bits = (uint32_t)tsr_constant_bits(e->ir, inst);
        return true;
    }
    const tsr_ll_value *v = &e->value[id];
    if (inst->op == TSR_OP_param || !v->words || v->count != 1 || !v->words[0].is_const) return false;
    *bits = (uint32_t)v->words[0].bits;
    return v->words[0].form == LL_SAME;
}

typedef struct use_walk {
    const tsr_ll *e;
    tsr_id var;
    uint32_t stores;
    bool foreign;
} use_walk;

static void look_at_use(void *user, tsr_id id)
{
    use_walk *w = user;
    const tsr_inst *inst = tsr_ll_inst(w->e, id);
    for (uint32_t i = 0; i < inst->nargs; i++) {
        if (tsr_arg(w->e->ir, inst, i) != w->var) continue;
        if (inst->op == TSR_OP_store && i == 0)
            w->stores++;
        else if (inst->op != TSR_OP_load)
            w->foreign = true;
    }
}

/* What the variable holds where the loop begins: from its declaration or a store before it in the same block. */
static bool find_start(const tsr_ll *e, tsr_id loop, tsr_id var, uint32_t *start)
{
    const tsr_block_info *info = tsr_block_at(e->ir, e->shapes.block_of[loop]);
    uint32_t i = 0;
    while (i < info->count && info->insts[i] != loop)
        i++;
    while (i-- > 0) {
        const tsr_inst *inst = tsr_ll_inst(e, info->insts[i]);
        if (info->insts[i] == var) {
            *start = 0;
            return inst->nargs == 0 || find_constant(e, tsr_arg(e->ir, inst, 0), start);
        }
        if (inst->op == TSR_OP_store && tsr_arg(e->ir, inst, 0) == var)
            return find_constant(e, tsr_arg(e->ir, inst, 1), start);
        if (inst->op == TSR_OP_call || tsr_op_table[inst->op].flags & TSR_OPF_BLOCKS) return false;
    }
    return false;
}

static bool goes_on(uint16_t op, bool is_signed, uint32_t x, uint32_t limit)
{
    int64_t a = is_signed ? (int32_t)x : (int64_t)x, b = is_signed ? (int32_t)limit : (int64_t)limit;
    switch (op) {
    case TSR_OP_lt: return a < b;
    case TSR_OP_le: return a <= b;
    case TSR_OP_gt: return a > b;
    case TSR_OP_ge: return a >= b;
    default: return a != b;
    }
}

/* Begins with: load, comparison with a constant, not, if { break }. */
static bool find_limit(const tsr_ll *e, tsr_block body, tsr_id *var, uint16_t *op, uint32_t *limit)
{
    const tsr_block_info *b = tsr_block_at(e->ir, body);
    if (b->count < 4) return false;
    const tsr_inst *load = tsr_ll_inst(e, b->insts[0]), *compare = tsr_ll_inst(e, b->insts[1]),
                   *inverse = tsr_ll_inst(e, b->insts[2]), *leave = tsr_ll_inst(e, b->insts[3]);
    if (load->op != TSR_OP_load || inverse->op != TSR_OP_not || leave->op != TSR_OP_if) return false;
    bool is_compare = compare->op == TSR_OP_lt || compare->op == TSR_OP_le || compare->op == TSR_OP_gt ||
                      compare->op == TSR_OP_ge || compare->op == TSR_OP_ne;
    if (!is_compare || tsr_arg(e->ir, compare, 0) != b->insts[0] || tsr_arg(e->ir, inverse, 0) != b->insts[1] ||
        tsr_arg(e->ir, leave, 0) != b->insts[2])
        return false;
    if (!tsr_ll_only_breaks(e, leave)) return false;
    *var = tsr_arg(e->ir, load, 0);
    *op = compare->op;
    return tsr_ll_inst(e, *var)->op == TSR_OP_var && find_constant(e, tsr_arg(e->ir, compare, 1), limit);
}

/* Ends with: load, add of a constant, store. */
static bool find_step(const tsr_ll *e, tsr_block block, tsr_id var, uint32_t *step)
{
    if (!block) return false;
    const tsr_block_info *b = tsr_block_at(e->ir, block);
    if (b->count != 3) return false;
    const tsr_inst *load = tsr_ll_inst(e, b->insts[0]), *add = tsr_ll_inst(e, b->insts[1]),
                   *store = tsr_ll_inst(e, b->insts[2]);
    if (load->op != TSR_OP_load || (add->op != TSR_OP_add && add->op != TSR_OP_sub) || store->op != TSR_OP_store)
        return false;
    if (tsr_arg(e->ir, load, 0) != var || tsr_arg(e->ir, add, 0) != b->insts[0] || tsr_arg(e->ir, store, 0) != var ||
        tsr_arg(e->ir, store, 1) != b->insts[1] || !find_constant(e, tsr_arg(e->ir, add, 1), step))
        return false;
    if (add->op == TSR_OP_sub) *step = 0u - *step;
    return true;
}

static bool find_counted(const tsr_ll *e, tsr_id loop, counted *c)
{
    const tsr_inst *inst = tsr_ll_inst(e, loop);
    tsr_block body = tsr_inst_block(e->ir, inst, 0), next = tsr_inst_block(e->ir, inst, 1);
    uint16_t op;
    uint32_t limit, step;
    if (!find_limit(e, body, &c->var, &op, &limit) || !find_step(e, next, c->var, &step)) return false;
    tsr_type_kind kind = tsr_type_kind_of(e->types, tsr_ll_inst(e, tsr_block_at(e->ir, body)->insts[0])->type);
    if (kind != TSR_T_u32 && kind != TSR_T_i32) return false;
    use_walk w = {.e = e, .var = c->var};
    tsr_block_walk(e->ir, body, look_at_use, &w);
    tsr_block_walk(e->ir, next, look_at_use, &w);
    if (w.foreign || w.stores != 1 || !find_start(e, loop, c->var, &c->start)) return false;
    uint32_t x = c->start;
    for (c->trips = 0; goes_on(op, kind == TSR_T_i32, x, limit); x += step)
        if (++c->trips > TSR_LL_PRODUCTS_MOST) return false;
    return true;
}

/* ---- How much copying out makes. */

typedef struct cost {
    uint64_t products, insts;
    bool leaves; /* by something else than the loop's own test */
} cost;

static bool is_simple(uint16_t op)
{
    switch (op) {
    case TSR_OP_const:
    case TSR_OP_zero:
    case TSR_OP_extract:
    case TSR_OP_add:
    case TSR_OP_sub:
    case TSR_OP_mul:
    case TSR_OP_div:
    case TSR_OP_rem:
    case TSR_OP_and:
    case TSR_OP_or:
    case TSR_OP_xor:
    case TSR_OP_shl:
    case TSR_OP_shr:
    case TSR_OP_not:
    case TSR_OP_eq:
    case TSR_OP_ne:
    case TSR_OP_lt:
    case TSR_OP_le:
    case TSR_OP_gt:
    case TSR_OP_ge:
    case TSR_OP_field:
    case TSR_OP_index: return true;
    default: return false;
    }
}

static uint32_t cost_of(const tsr_ll *e, const tsr_inst *inst)
{
    switch (inst->op) {
    case TSR_OP_mload: {
        tsr_type array = tsr_type_get(e->types, tsr_ll_inst(e, tsr_arg(e->ir, inst, 0))->type)->elem;
        return tsr_type_get(e->types, array)->size.value ? 1 : LOAD_COST;
    }
    case TSR_OP_mma:
    case TSR_OP_var:
    case TSR_OP_load:
    case TSR_OP_store:
    case TSR_OP_if:
    case TSR_OP_loop:
    case TSR_OP_break:
    case TSR_OP_continue: return 1;
    default: return is_simple(inst->op) ? 1 : COMPLEX_COST;
    }
}

static void add_block_cost(const tsr_ll *e, tsr_block block, uint64_t times, bool in_loop, bool has_test, cost *c)
{
    if (!block) return;
    const tsr_block_info *info = tsr_block_at(e->ir, block);
    for (uint32_t i = 0; i < info->count; i++) {
        const tsr_inst *inst = tsr_ll_inst(e, info->insts[i]);
        counted inner;
        c->insts += times * cost_of(e, inst);
        if (inst->op == TSR_OP_mma) c->products += times;
        if (inst->op == TSR_OP_return || inst->op == TSR_OP_switch || inst->op == TSR_OP_call) c->leaves = true;
        if (inst->op == TSR_OP_break || inst->op == TSR_OP_continue || inst->op == TSR_OP_break_if)
            c->leaves = c->leaves || !in_loop;
        if (inst->op == TSR_OP_if && !(has_test && i == 3))
            for (uint32_t k = 0; k < 2; k++)
                add_block_cost(e, tsr_inst_block(e->ir, inst, k), times, in_loop, false, c);
        if (inst->op != TSR_OP_loop) continue;
        bool counts = find_counted(e, info->insts[i], &inner);
        for (uint32_t k = 0; k < 2; k++)
            add_block_cost(e, tsr_inst_block(e->ir, inst, k), times * (counts ? inner.trips : 1), !counts, counts, c);
    }
}

static bool will_unroll(const tsr_ll *e, tsr_id loop, counted *c)
{
    const tsr_inst *inst = tsr_ll_inst(e, loop);
    cost sum = {0};
    if (!e->copies || e->shapes.masked[loop] || !find_counted(e, loop, c)) return false;
    const tsr_ll_slots *slots = &e->slots[c->var];
    if (e->place[c->var].root != LL_ROOT_WORDS || slots->count != 1 || slots->form[0] != LL_SAME) return false;
    add_block_cost(e, tsr_inst_block(e->ir, inst, 0), c->trips, false, true, &sum);
    return !sum.leaves && sum.products > 0 && sum.products <= TSR_LL_PRODUCTS_MOST && sum.insts <= COPIES_MOST;
}

bool tsr_ll_unroll(tsr_ll *e, tsr_id loop, void (*emit)(tsr_ll *e, tsr_id id))
{
    counted c;
    const tsr_inst *inst = tsr_ll_inst(e, loop);
    if (!will_unroll(e, loop, &c)) return false;
    e->known[c.var] = (tsr_ll_known){true, c.start};
    uint32_t mark = tsr_ranges_mark(e->ranges);
    tsr_ranges_enter(e->ranges, loop);
    for (uint32_t trip = 0; trip < c.trips; trip++)
        for (uint32_t k = 0; k < 2; k++) {
            const tsr_block_info *info = tsr_block_at(e->ir, tsr_inst_block(e->ir, inst, k));
            for (uint32_t i = 0; i < info->count && !e->failed && e->open; i++)
                emit(e, info->insts[i]);
        }
    tsr_ranges_leave(e->ranges);
    tsr_ranges_forget(e->ranges, mark);
    e->known[c.var].is = false;
    return true;
}

/* ---- What may stand between products that wait. */

static bool is_same_block(const tsr_ll_place *a, const tsr_ll_place *b)
{
    return a->root == LL_ROOT_MATRIX && b->root == LL_ROOT_MATRIX && a->base == b->base && a->off == b->off &&
           !a->has_dyn && !b->has_dyn;
}

/* The value of a load that the next product adds to, in place. */
static bool is_sum_load(const tsr_ll *e, tsr_id id)
{
    if (e->uses[id] != 1) return false;
    const tsr_block_info *info = tsr_block_at(e->ir, e->shapes.block_of[id]);
    uint32_t i = 0;
    while (i < info->count && info->insts[i] != id)
        i++;
    for (i++; i < info->count; i++) {
        const tsr_inst *inst = tsr_ll_inst(e, info->insts[i]);
        if (inst->op != TSR_OP_mma) {
            if (inst->op == TSR_OP_store || tsr_op_table[inst->op].flags & TSR_OPF_BLOCKS) return false;
            continue;
        }
        if (tsr_arg(e->ir, inst, 2) != id) return false;
        tsr_id store = tsr_ll_find_store(e, info->insts[i]);
        return store && is_same_block(&e->place[tsr_ll_arg(e, store, 0)], &e->place[tsr_ll_arg(e, id, 0)]) &&
               tsr_ll_is_view(e, id);
    }
    return false;
}

bool tsr_ll_is_sum(const tsr_ll *e, tsr_id store)
{
    const tsr_inst *inst = tsr_ll_inst(e, store);
    if (inst->op != TSR_OP_store) return false;
    const tsr_inst *product = tsr_ll_inst(e, tsr_arg(e->ir, inst, 1));
    if (product->op != TSR_OP_mma || tsr_ll_find_store(e, tsr_arg(e->ir, inst, 1)) != store) return false;
    tsr_id addend = tsr_arg(e->ir, product, 2);
    return tsr_ll_inst(e, addend)->op == TSR_OP_load &&
           is_same_block(&e->place[tsr_arg(e->ir, inst, 0)], &e->place[tsr_ll_arg(e, addend, 0)]) &&
           is_sum_load(e, addend);
}

static bool load_waits(const tsr_ll *e, tsr_id id)
{
    const tsr_inst *inst = tsr_ll_inst(e, id);
    const tsr_ll_place *p = &e->place[tsr_ll_arg(e, id, 0)];
    const tsr_type_info *t = tsr_type_get(e->types, inst->type);
    if (t->kind == TSR_T_smat) return t->use == TSR_USE_A || t->use == TSR_USE_B || is_sum_load(e, id);
    if (p->root == LL_ROOT_WORDS) return true;
    return p->root == LL_ROOT_BINDING && !p->has_dyn && !p->has_check && tsr_type_is_scalar(e->types, inst->type);
}

static bool store_waits(const tsr_ll *e, tsr_id id)
{
    tsr_type type = tsr_ll_inst(e, tsr_ll_arg(e, id, 1))->type;
    if (tsr_type_contains(e->types, type, TSR_T_smat)) return tsr_ll_is_sum(e, id);
    return e->place[tsr_ll_arg(e, id, 0)].root == LL_ROOT_WORDS;
}

static bool is_never_taken(const tsr_ll *e, tsr_id id)
{
    const tsr_ll_value *cond = &e->value[tsr_ll_arg(e, id, 0)];
    const tsr_inst *inst = tsr_ll_inst(e, id);
    return cond->words && cond->words[0].is_const && cond->words[0].form == LL_SAME && !cond->words[0].bits &&
           !tsr_inst_block(e->ir, inst, 1);
}

bool tsr_ll_waits(const tsr_ll *e, tsr_id id)
{
    counted c;
    const tsr_inst *inst = tsr_ll_inst(e, id);
    switch (inst->op) {
    case TSR_OP_mload: return true;
    case TSR_OP_mma: return tsr_ll_find_store(e, id) != 0;
    case TSR_OP_var: return tsr_type_is_scalar(e->types, tsr_type_get(e->types, inst->type)->elem);
    case TSR_OP_load: return load_waits(e, id);
    case TSR_OP_store: return store_waits(e, id);
    case TSR_OP_if: return is_never_taken(e, id);
    case TSR_OP_loop: return will_unroll(e, id, &c);
    default: return is_simple(inst->op);
    }
}

/* ---- Products that wait. */

void tsr_ll_add_product(tsr_ll *e, const tsr_ll_product *p)
{
    if (e->product_count == TSR_LL_PRODUCTS_MOST) tsr_ll_flush(e);
    if (!e->products) e->products = TSR_NEW_ARRAY(e->arena, tsr_ll_product, TSR_LL_PRODUCTS_MOST);
    e->products[e->product_count++] = *p;
}

/* Products of the same sum, in order; sums in the order of their first. */
typedef struct sum {
    uint32_t depth;
    const tsr_ll_product **product;
} sum;

static uint32_t collect_sums(tsr_ll *e, sum *sums)
{
    uint32_t count = 0, of[TSR_LL_PRODUCTS_MOST];
    const tsr_ll_product *first[TSR_LL_PRODUCTS_MOST];
    for (uint32_t i = 0; i < e->product_count; i++) {
        const tsr_ll_product *p = &e->products[i];
        uint32_t s = 0;
        while (s < count && !(first[s]->base == p->base && first[s]->off == p->off))
            s++;
        if (s == count) {
            sums[count] = (sum){0};
            first[count++] = p;
        }
        sums[s].depth++;
        of[i] = s;
    }
    for (uint32_t s = 0; s < count; s++) {
        sums[s].product = TSR_NEW_ARRAY(e->arena, const tsr_ll_product *, sums[s].depth);
        sums[s].depth = 0;
    }
    for (uint32_t i = 0; i < e->product_count; i++)
        sums[of[i]].product[sums[of[i]].depth++] = &e->products[i];
    return count;
}

static uint32_t known_stride(const tsr_ll_matrix *m)
{
    return m->stride ? 0 : tsr_ll_block_pitch(m);
}

static bool is_alike(const tsr_ll_matrix *a, const tsr_ll_matrix *b)
{
    return a->rows == b->rows && a->cols == b->cols && a->block == b->block && a->component == b->component &&
           a->use == b->use && a->turned == b->turned && known_stride(a) == known_stride(b);
}

static bool is_same(const tsr_ll_matrix *a, const tsr_ll_matrix *b)
{
    return a->ptr == b->ptr && a->array == b->array && a->from.base == b->from.base && a->from.more == b->from.more;
}

static uint32_t find_matrix(const tsr_ll_matrix *list, uint32_t count, const tsr_ll_matrix *m)
{
    uint32_t i = 0;
    while (i < count && !is_same(&list[i], m))
        i++;
    return i;
}

typedef struct grid {
    tsr_ll_mma g;
    tsr_ll_matrix a[TSR_LL_PRODUCTS_MOST], b[TSR_LL_PRODUCTS_MOST], c[TSR_LL_PRODUCTS_MOST];
    tsr_ll_matrix at[TSR_LL_PRODUCTS_MOST]; /* of the results: where in their variable, in bytes */
    uint32_t to[TSR_LL_PRODUCTS_MOST];
} grid;

/* Whether list[i][j] is all views of one array at even distances. */
static tsr_ll_even find_even(const tsr_ll_matrix *list, uint32_t rows, uint32_t cols)
{
    uint32_t start = list[0].from.more;
    tsr_ll_even v = {.down = rows > 1 ? list[cols].from.more - start : 0,
                     .across = cols > 1 ? list[1].from.more - start : 0};
    v.is = list[0].array && !list[0].ptr && v.down <= INT32_MAX / TSR_LL_PRODUCTS_MOST &&
           v.across <= INT32_MAX / TSR_LL_PRODUCTS_MOST;
    for (uint32_t i = 0; v.is && i < rows * cols; i++) {
        const tsr_ll_matrix *m = &list[i];
        v.is = !m->ptr && m->array == list[0].array && m->from.base == list[0].from.base &&
               m->from.more - start == i / cols * v.down + i % cols * v.across;
    }
    return v.is ? v : (tsr_ll_even){0};
}

/* Sums whose operands at each depth depend on a row and a column alone. */
static bool make_grid(tsr_ll *e, const sum *sums, uint32_t count, grid *g)
{
    const tsr_ll_product *first = sums[0].product[0];
    uint32_t depth = sums[0].depth, rows = 0, cols = 0, row[TSR_LL_PRODUCTS_MOST], col[TSR_LL_PRODUCTS_MOST];
    memset(g, 0, sizeof *g);
    for (uint32_t s = 0; s < count; s++) {
        if (sums[s].depth != depth) return false;
        row[s] = find_matrix(g->a, rows, &sums[s].product[0]->a);
        col[s] = find_matrix(g->b, cols, &sums[s].product[0]->b);
        if (row[s] == rows) g->a[rows++] = sums[s].product[0]->a;
        if (col[s] == cols) g->b[cols++] = sums[s].product[0]->b;
    }
    if (rows * cols != count || depth * rows > TSR_LL_PRODUCTS_MOST || depth * cols > TSR_LL_PRODUCTS_MOST)
        return false;
    for (uint32_t s = 0; s < count; s++) {
        uint32_t at = row[s] * cols + col[s];
        if (g->to[at]) return false;
        const tsr_ll_product *p = sums[s].product[0];
        g->to[at] = p->to;
        g->c[at] = p->r;
        g->c[at].ptr = p->to;
        g->at[at] = (tsr_ll_matrix){.array = p->base, .from.more = (uint32_t)(p->off * tsr_ll_block_bytes(&p->r))};
        for (uint32_t k = 0; k < depth; k++) {
            p = sums[s].product[k];
            tsr_ll_matrix *a = &g->a[k * rows + row[s]], *b = &g->b[k * cols + col[s]];
            if (!is_alike(&p->a, &first->a) || !is_alike(&p->b, &first->b) || !is_alike(&p->r, &first->r)) return false;
            if ((a->rows && !is_same(a, &p->a)) || (b->rows && !is_same(b, &p->b))) return false;
            *a = p->a;
            *b = p->b;
        }
    }
    g->g = (tsr_ll_mma){.a = first->a,
                        .b = first->b,
                        .r = first->r,
                        .rows = rows,
                        .cols = cols,
                        .depth = depth,
                        .lda = known_stride(&first->a),
                        .ldb = known_stride(&first->b),
                        .ldc = tsr_ll_block_pitch(&first->r),
                        .even_a = find_even(g->a, depth, rows),
                        .even_b = find_even(g->b, depth, cols),
                        .even_c = find_even(g->at, rows, cols)};
    return tsr_ll_mma_joins(e, &g->g);
}

static void call_grid(tsr_ll *e, const grid *g)
{
    tsr_ll_call_mma(e, &g->g, g->a, g->b, g->c, g->to);
}

static void call_sum(tsr_ll *e, const sum *s, grid *g)
{
    if (make_grid(e, s, 1, g)) {
        call_grid(e, g);
        return;
    }
    for (uint32_t k = 0; k < s->depth; k++) {
        sum one = {.depth = 1, .product = &s->product[k]};
        (void)make_grid(e, &one, 1, g);
        call_grid(e, g);
    }
}

void tsr_ll_flush(tsr_ll *e)
{
    e->stretch++;
    e->seen_count = 0;
    if (e->product_count == 0) return;
    sum *sums = TSR_NEW_ARRAY(e->arena, sum, e->product_count);
    grid *g = TSR_NEW(e->arena, grid);
    uint32_t count = collect_sums(e, sums);
    if (make_grid(e, sums, count, g))
        call_grid(e, g);
    else
        for (uint32_t i = 0; i < count; i++)
            call_sum(e, &sums[i], g);
    e->product_count = 0;
}
