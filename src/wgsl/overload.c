/* Overload resolution: reads the signature language of builtin.def. A row has at most three type variables: the scalar
 * S, the width N of T and V, and the size of M. Widths and sizes follow from the arguments alone; S is tried over the
 * few scalars that the row allows, and the cheapest choice by conversion rank wins. */
#include "wgsl/overload.h"

#include <string.h>

/* One term of a signature. */
struct term {
    char shape;  /* T V: variable shape; 1 to 4: that many components; M Q W A X L G I R; 0: none */
    char scalar; /* S, or a scalar's letter */
};

static bool is_space(char c)
{
    return c == ' ';
}

/* Reads the term at *p and moves past it; false at the end. */
static bool next_term(const char **p, struct term *t)
{
    const char *s = *p;
    while (is_space(*s))
        s++;
    if (*s == '\0') return false;
    *t = (struct term){.shape = '1', .scalar = 'S'};
    if (strchr("TV234", *s) != NULL) {
        t->shape = *s++;
        if (*s != '\0' && !is_space(*s)) t->scalar = *s++;
    } else if (strchr("MQWAXLGIR", *s) != NULL) {
        t->shape = *s++;
    } else {
        t->scalar = *s++;
    }
    *p = s;
    return true;
}

uint32_t tsr_builtin_param_count(const tsr_builtin *row)
{
    const char *p = row->params;
    struct term t;
    uint32_t n = 0;
    while (next_term(&p, &t))
        n++;
    return n;
}

static tsr_type scalar_type(char letter, tsr_type s)
{
    switch (letter) {
    case 'b': return TSR_T_bool;
    case 'a': return TSR_T_aint;
    case 'A': return TSR_T_afloat;
    case 'i': return TSR_T_i32;
    case 'u': return TSR_T_u32;
    case 'f': return TSR_T_f32;
    case 'h': return TSR_T_f16;
    default: return s;
    }
}

/* ---- Binding the shapes. */

static bool bind_width(tsr_wgsl *w, tsr_overload *o, char shape, tsr_type arg)
{
    const tsr_type_info *info = tsr_type_get(w->types, arg);
    unsigned width = info->kind == TSR_T_vec ? info->count : tsr_type_is_scalar(w->types, arg) ? 1 : 0;
    if (width == 0 || (shape == 'V' && width == 1)) return false;
    if (o->width == 0) o->width = width;
    return o->width == width;
}

static bool bind_matrix(tsr_wgsl *w, tsr_overload *o, char shape, tsr_type arg)
{
    const tsr_type_info *info = tsr_type_get(w->types, arg);
    if (info->kind != TSR_T_mat || (shape == 'Q' && info->count != info->rows)) return false;
    o->columns = info->count;
    o->rows = info->rows;
    return true;
}

/* A pointer parameter: its kind alone, S is compared later. */
static bool is_pointer_for(tsr_wgsl *w, char shape, tsr_type arg)
{
    const tsr_type_info *ptr = tsr_type_get(w->types, arg);
    if (ptr->kind != TSR_T_ptr) return false;
    const tsr_type_info *to = tsr_type_get(w->types, ptr->elem);
    switch (shape) {
    case 'A':
        return to->kind == TSR_T_atomic && ptr->access == TSR_ACCESS_read_write &&
               (ptr->space == TSR_SPACE_workgroup || ptr->space == TSR_SPACE_storage);
    case 'X':
        return to->kind == TSR_T_atomic && tsr_type_kind_of(w->types, to->elem) == TSR_T_vec &&
               ptr->access == TSR_ACCESS_read_write && ptr->space == TSR_SPACE_storage;
    case 'L':
        return ptr->space == TSR_SPACE_storage && to->kind == TSR_T_array && to->size.value == 0 && to->size.over == 0;
    default:
        return ptr->space == TSR_SPACE_workgroup &&
               (to->kind == TSR_T_atomic || tsr_type_is_constructible(w->types, ptr->elem));
    }
}

static bool bind_shape(tsr_wgsl *w, tsr_overload *o, struct term t, tsr_type arg)
{
    switch (t.shape) {
    case 'T':
    case 'V': return bind_width(w, o, t.shape, arg);
    case 'M':
    case 'Q': return bind_matrix(w, o, t.shape, arg);
    case 'A':
    case 'X':
    case 'L':
    case 'G': return is_pointer_for(w, t.shape, arg);
    default: return true;
    }
}

/* ---- Types of terms, once the variables are bound. */

static tsr_type vector_type(tsr_wgsl *w, tsr_type scalar, unsigned width)
{
    return width <= 1 ? scalar : tsr_type_vec(w->types, scalar, width);
}

/* What the argument converts to; for pointers the argument's own type, when it is one of S. 0: it cannot. */
static tsr_type param_type(tsr_wgsl *w, const tsr_overload *o, struct term t, tsr_type arg)
{
    tsr_type scalar = scalar_type(t.scalar, o->scalar);
    switch (t.shape) {
    case 'T':
    case 'V': return vector_type(w, scalar, o->width);
    case 'M':
    case 'Q': return tsr_type_mat(w->types, o->scalar, o->columns, o->rows);
    case 'A': {
        tsr_type atomic = tsr_type_get(w->types, arg)->elem;
        return tsr_type_get(w->types, atomic)->elem == o->scalar ? arg : 0;
    }
    case 'X':
    case 'L':
    case 'G': return arg;
    case 'I':
        return tsr_wgsl_rank(w, arg, TSR_T_i32) <= tsr_wgsl_rank(w, arg, TSR_T_u32) ? (tsr_type)TSR_T_i32
                                                                                    : (tsr_type)TSR_T_u32;
    default: return vector_type(w, scalar, (unsigned)(t.shape - '0'));
    }
}

static tsr_type result_type(tsr_wgsl *w, const tsr_overload *o, const tsr_type *args)
{
    const char *p = o->row->result;
    struct term t;
    if (!next_term(&p, &t)) return 0;
    if (t.shape == 'R') return tsr_builtin_struct(w, (tsr_op)o->row->op, o->scalar, o->width);
    if (t.shape == 'W') return tsr_type_mat(w->types, o->scalar, o->rows, o->columns);
    if (t.shape == 'G') {
        tsr_type to = tsr_type_get(w->types, args[0])->elem;
        const tsr_type_info *info = tsr_type_get(w->types, to);
        return info->kind == TSR_T_atomic ? info->elem : to;
    }
    return param_type(w, o, t, 0);
}

/* ---- Matching. */

/* The rank of all arguments with o->scalar as it is; UINT32_MAX with *failed set when one does not convert. */
static uint32_t rank_arguments(tsr_wgsl *w, tsr_overload *o, const tsr_type *args, uint32_t *failed)
{
    const char *p = o->row->params;
    struct term t;
    uint32_t sum = 0;
    for (uint32_t i = 0; next_term(&p, &t); i++) {
        o->params[i] = param_type(w, o, t, args[i]);
        uint32_t rank = o->params[i] == 0 ? UINT32_MAX : tsr_wgsl_rank(w, args[i], o->params[i]);
        if (rank == UINT32_MAX) {
            *failed = i;
            return UINT32_MAX;
        }
        sum += rank;
    }
    return sum;
}

/* Whether the argument fits the term for some S, alone. */
static bool fits_some_scalar(tsr_wgsl *w, const tsr_overload *o, struct term t, tsr_type arg)
{
    tsr_overload one = *o;
    const char *s = o->row->scalars;
    do {
        one.scalar = *s == '\0' ? 0 : scalar_type(*s, 0);
        tsr_type to = param_type(w, &one, t, arg);
        if (to != 0 && tsr_wgsl_rank(w, arg, to) != UINT32_MAX) return true;
    } while (*s != '\0' && *++s != '\0');
    return false;
}

static bool bind_shapes(tsr_wgsl *w, tsr_overload *o, const tsr_type *args)
{
    const char *p = o->row->params;
    struct term t;
    for (uint32_t i = 0; next_term(&p, &t); i++) {
        unsigned before = o->width;
        if (bind_shape(w, o, t, args[i])) continue;
        o->failed = i;
        o->failed_alone = before == 0 || (t.shape != 'T' && t.shape != 'V');
        return false;
    }
    return true;
}

/* Notes whether the argument that failed would fit without the others. */
static void note_failure(tsr_wgsl *w, tsr_overload *o, const tsr_type *args, uint32_t failed)
{
    const char *p = o->row->params;
    struct term t = {0};
    for (uint32_t i = 0; i <= failed; i++)
        next_term(&p, &t);
    o->failed = failed;
    o->failed_alone = !fits_some_scalar(w, o, t, args[failed]);
}

bool tsr_overload_match(tsr_wgsl *w, const tsr_builtin *row, const tsr_type *args, uint32_t count, tsr_overload *out)
{
    memset(out, 0, sizeof *out);
    out->row = row;
    out->failed = count;
    if (tsr_builtin_param_count(row) != count || !bind_shapes(w, out, args)) return false;
    tsr_overload best = *out;
    best.rank = UINT32_MAX;
    uint32_t failed = 0;
    const char *s = row->scalars;
    do {
        uint32_t at = 0;
        out->scalar = *s == '\0' ? 0 : scalar_type(*s, 0);
        out->rank = rank_arguments(w, out, args, &at);
        if (out->rank < best.rank) best = *out;
        if (out->rank == UINT32_MAX && at > failed) failed = at;
    } while (*s != '\0' && *++s != '\0');
    if (best.rank == UINT32_MAX) {
        note_failure(w, out, args, failed);
        return false;
    }
    *out = best;
    out->result = result_type(w, out, args);
    return true;
}

bool tsr_overload_choose(tsr_wgsl *w, const tsr_builtin *rows, uint32_t row_count, const tsr_type *args, uint32_t count,
                         tsr_overload *out)
{
    bool found = false;
    for (uint32_t i = 0; i < row_count; i++) {
        tsr_overload o;
        if (!tsr_overload_match(w, &rows[i], args, count, &o)) continue;
        if (!found || o.rank < out->rank) *out = o;
        found = true;
    }
    return found;
}

/* ---- Explaining. */

static const char *scalar_name(char letter)
{
    switch (letter) {
    case 'b': return "bool";
    case 'a': return "AbstractInt";
    case 'A': return "AbstractFloat";
    case 'i': return "i32";
    case 'u': return "u32";
    case 'f': return "f32";
    case 'h': return "f16";
    default: return "S";
    }
}

static void print_term(tsr_text *out, struct term t)
{
    switch (t.shape) {
    case 'T':
        if (t.scalar == 'S')
            tsr_text_puts(out, "T");
        else
            tsr_text_printf(out, "%s (or a vector, as T)", scalar_name(t.scalar));
        break;
    case 'V': tsr_text_printf(out, "vecN<%s>", scalar_name(t.scalar)); break;
    case 'M': tsr_text_puts(out, "matCxR<S>"); break;
    case 'Q': tsr_text_puts(out, "matCxC<S>"); break;
    case 'W': tsr_text_puts(out, "matRxC<S>"); break;
    case 'A': tsr_text_puts(out, "ptr to atomic<S>, workgroup or storage, read_write"); break;
    case 'X': tsr_text_puts(out, "ptr<storage, atomic<vec2<u32>>, read_write>"); break;
    case 'L': tsr_text_puts(out, "ptr<storage, array<E>>"); break;
    case 'G': tsr_text_puts(out, "ptr<workgroup, T>"); break;
    case 'I': tsr_text_puts(out, "i32 or u32"); break;
    case 'R': tsr_text_puts(out, "struct"); break;
    case '1': tsr_text_puts(out, scalar_name(t.scalar)); break;
    default: tsr_text_printf(out, "vec%c<%s>", t.shape, scalar_name(t.scalar)); break;
    }
}

static void print_scalars(tsr_text *out, const tsr_builtin *row)
{
    if (row->scalars[0] == '\0') return;
    tsr_text_puts(out, strchr(row->params, 'T') != NULL ? " where T is " : " where S is ");
    for (const char *s = row->scalars; *s != '\0'; s++) {
        bool last = s[1] == '\0';
        tsr_text_printf(out, "%s%s", s == row->scalars ? "" : last ? " or " : ", ", scalar_name(*s));
    }
    if (strchr(row->params, 'T') != NULL) tsr_text_puts(out, ", or a vector of it");
}

/* "clamp(T, T, T) where T is AbstractInt, ... or f16, or a vector of it" */
static void print_signature(tsr_text *out, const tsr_builtin *row)
{
    const char *p = row->params;
    struct term t;
    tsr_text_printf(out, "%s(", row->name);
    for (uint32_t i = 0; next_term(&p, &t); i++) {
        if (i > 0) tsr_text_puts(out, ", ");
        print_term(out, t);
    }
    tsr_text_puts(out, ")");
    print_scalars(out, row);
}

static void print_failure(tsr_wgsl *w, tsr_text *out, const tsr_overload *o, const tsr_type *args, uint32_t count)
{
    if (o->failed >= count) {
        uint32_t want = tsr_builtin_param_count(o->row);
        tsr_text_printf(out, "takes %u argument%s, %u given", want, want == 1 ? "" : "s", count);
        return;
    }
    tsr_text_printf(out, "argument %u, `%s`, %s", o->failed + 1, tsr_type_cstr(w->types, w->arena, args[o->failed]),
                    o->failed_alone ? "is none of these" : "does not go with the other arguments");
}

void tsr_overload_explain(tsr_wgsl *w, tsr_diag *d, const tsr_builtin *rows, uint32_t row_count, const tsr_type *args,
                          uint32_t count)
{
    for (uint32_t i = 0; i < row_count; i++) {
        tsr_overload o;
        if (tsr_overload_match(w, &rows[i], args, count, &o)) continue;
        tsr_text text;
        tsr_text_init(&text, w->arena);
        print_signature(&text, &rows[i]);
        tsr_text_puts(&text, ": ");
        print_failure(w, &text, &o, args, count);
        tsr_note(w->diags, d, (tsr_span){0, 0}, "%s", tsr_text_get(&text));
    }
}
