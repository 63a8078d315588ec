/* Comparing what two runs leave in a binding, and telling the first difference. */
#include "exec/sanitize_inside.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The scalar kind that a type is made of; 0 when there are several. */
static tsr_type_kind scalar_kind(const tsr_types *types, tsr_type type)
{
    const tsr_type_info *t = tsr_type_get(types, type);
    if (t->kind == TSR_T_array) return scalar_kind(types, t->elem);
    if (t->kind != TSR_T_struct) return tsr_type_kind_of(types, tsr_type_scalar(types, type));
    tsr_type_kind kind = t->member_count ? scalar_kind(types, t->members[0].type) : TSR_T_void;
    for (uint32_t i = 1; i < t->member_count; i++)
        if (scalar_kind(types, t->members[i].type) != kind) return TSR_T_void;
    return kind;
}

tsr_type_kind tsr_san_resource_kind(const tsr_san_whole *x, uint32_t i)
{
    const tsr_ir *ir = x->job->program->ir;
    const tsr_inst *inst = tsr_inst_at(ir, tsr_global_at(ir, x->job->program->resources[i].global)->inst);
    return scalar_kind(ir->types, tsr_type_get(ir->types, inst->type)->elem);
}

static uint32_t kind_bytes(tsr_type_kind kind)
{
    return kind == TSR_T_f16 ? 2 : 4;
}

static double value_at(tsr_type_kind kind, const unsigned char *from)
{
    uint32_t bits = 0;
    float f;
    memcpy(&bits, from, kind_bytes(kind));
    if (kind == TSR_T_f16) return tsr_component_to_f64(TSR_F16, &bits);
    if (kind == TSR_T_i32) return (int32_t)bits;
    if (kind != TSR_T_f32) return bits;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static double greatest_magnitude(tsr_type_kind kind, const unsigned char *a, uint64_t size)
{
    double most = 0;
    uint32_t step = kind_bytes(kind);
    for (uint64_t at = 0; at + step <= size; at += step) {
        double v = fabs(value_at(kind, a + at));
        if (isfinite(v) && v > most) most = v;
    }
    return most;
}

static bool is_close(tsr_type_kind kind, const unsigned char *a, const unsigned char *b, double allowed)
{
    if (kind != TSR_T_f32 && kind != TSR_T_f16) return false;
    double x = value_at(kind, a), y = value_at(kind, b);
    return fabs(x - y) <= allowed; /* false for NaN */
}

double tsr_san_tolerance(tsr_type_kind kind)
{
    return kind == TSR_T_f16 ? 0x1p-7 : 0x1p-10;
}

tsr_san_difference tsr_san_compare(tsr_type_kind kind, const unsigned char *a, const unsigned char *b, uint64_t size,
                                   double tolerance)
{
    tsr_san_difference d = {.size = size};
    uint32_t step = kind_bytes(kind);
    if (memcmp(a, b, (size_t)size) == 0) return d;
    d.greatest = greatest_magnitude(kind, a, size);
    for (uint64_t at = 0; at < size; at += step) {
        size_t bytes = size - at < step ? (size_t)(size - at) : step;
        if (memcmp(a + at, b + at, bytes) == 0) continue;
        bool close = bytes == step && is_close(kind, a + at, b + at, tolerance * d.greatest);
        if (d.count++ == 0 || (!close && d.beyond == 0)) d.first = at;
        d.beyond += !close;
    }
    return d;
}

/* The element at the difference; the last one may be cut off. */
static void print_value(tsr_text *out, tsr_type_kind kind, const tsr_san_difference *d, const unsigned char *from)
{
    unsigned char element[4] = {0};
    uint32_t bits = 0, bytes = kind_bytes(kind);
    memcpy(element, from + d->first, d->size - d->first < bytes ? (size_t)(d->size - d->first) : bytes);
    memcpy(&bits, element, sizeof bits);
    if (kind == TSR_T_f32 || kind == TSR_T_f16)
        tsr_text_printf(out, "%.9g", value_at(kind, element));
    else
        tsr_text_printf(out, kind == TSR_T_i32 ? "%" PRId32 : "%" PRIu32, bits);
}

static void tell_source(const tsr_san_whole *x, tsr_san_finding *f, tsr_id writer)
{
    tsr_id source = tsr_san_subgroup_source(x->job->program, writer);
    if (!source) return;
    f->has_other = true;
    f->other.span = tsr_inst_at(x->job->program->ir, source)->span;
    snprintf(f->other.text, sizeof f->other.text, "it is computed from this, which depends on the subgroup size");
}

void tsr_san_add_difference(const tsr_san_whole *x, tsr_san_kind kind, uint32_t key, uint32_t resource,
                            const tsr_san_difference *d, const unsigned char *a, const unsigned char *b,
                            const char *in_a, const char *in_b)
{
    tsr_san san = {.list = x->list};
    tsr_san_finding *f = tsr_san_find(&san, kind, 0, key);
    if (!f) return;
    tsr_type_kind scalar = tsr_san_resource_kind(x, resource);
    tsr_text text;
    tsr_text_init(&text, NULL);
    tsr_id writer = tsr_san_last_writer(x->san, resource, d->first, &f->at);
    if (writer) tsr_text_puts(&text, "what is written here differs: ");
    if (writer && kind == TSR_SAN_subgroup_size) tell_source(x, f, writer);
    tsr_san_describe(x->interp, &text, TSR_ROOT_BINDING, resource, d->first);
    tsr_text_puts(&text, " is ");
    print_value(&text, scalar, d, a);
    tsr_text_printf(&text, " %s, ", in_a);
    print_value(&text, scalar, d, b);
    uint64_t count = d->beyond ? d->beyond : d->count;
    tsr_text_printf(&text, " %s; %" PRIu64 " element%s", in_b, count, count == 1 ? " differs" : "s differ");
    snprintf(f->at.text, sizeof f->at.text, "%s", tsr_text_get(&text));
    tsr_text_fini(&text);
}
