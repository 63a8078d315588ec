/* The vocabulary of tessera.h: component types, scopes, configurations, fragments, and what a device supports. */
#include "base/compiler.h"
#include "base/error.h"
#include "coopmat/caps.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- Component types and other names -------------------------------------------------------------------------- */

struct component {
    const char *name, *wgsl_name;
    unsigned bits;
    bool is_integer, is_signed;
};

static const struct component components[TSR_COMPONENT_COUNT] = {
    [TSR_COMPONENT_NONE] = {"none", "none", 0, false, false},
#define COMPONENT(constant, name, wgsl_name, bits, integer, is_signed)                                                 \
    [TSR_##constant] = {name, wgsl_name, bits, integer, is_signed},
#include "coopmat/component.def"
};

static const char *const scope_names[TSR_SCOPE_COUNT] = {
    [TSR_SCOPE_SUBGROUP] = "subgroup",
    [TSR_SCOPE_WORKGROUP] = "workgroup",
    [TSR_SCOPE_DEVICE] = "device",
    [TSR_SCOPE_QUEUE_FAMILY] = "queue family",
};

static const char *const use_names[TSR_USE_COUNT] = {
    [TSR_USE_A] = "A",
    [TSR_USE_B] = "B",
    [TSR_USE_ACCUMULATOR] = "accumulator",
};

static const char *const verdict_names[] = {
    [TSR_VERDICT_YES] = "yes",
    [TSR_VERDICT_NO] = "no",
    [TSR_VERDICT_NO_SATURATION] = "no: saturation differs",
    [TSR_VERDICT_NO_SCOPE] = "no: scope differs",
    [TSR_VERDICT_UNKNOWN] = "unknown",
};

/* The row of any number that a caller may pass; what is no component type gets the row of none. */
static const struct component *get_component(tsr_component c)
{
    return &components[(unsigned)c < TSR_COMPONENT_COUNT ? c : TSR_COMPONENT_NONE];
}

const char *tsr_component_name(tsr_component c)
{
    return get_component(c)->name;
}

unsigned tsr_component_bits(tsr_component c)
{
    return get_component(c)->bits;
}

bool tsr_component_is_integer(tsr_component c)
{
    return get_component(c)->is_integer;
}

bool tsr_component_is_signed(tsr_component c)
{
    return get_component(c)->is_signed;
}

tsr_component tsr_component_find(const char *name)
{
    for (unsigned c = TSR_COMPONENT_NONE + 1; name && c < TSR_COMPONENT_COUNT; c++) {
        if (!strcmp(components[c].name, name) || !strcmp(components[c].wgsl_name, name)) return (tsr_component)c;
    }
    return TSR_COMPONENT_NONE;
}

const char *tsr_scope_name(tsr_scope s)
{
    return (unsigned)s < TSR_SCOPE_COUNT ? scope_names[s] : "none";
}

const char *tsr_use_name(tsr_use u)
{
    return (unsigned)u < TSR_USE_COUNT ? use_names[u] : "none";
}

const char *tsr_regime_name(tsr_regime r)
{
    return r == TSR_REGIME_STRICT ? "strict" : "bounded";
}

const char *tsr_verdict_name(tsr_verdict v)
{
    return (unsigned)v < TSR_COUNT_OF(verdict_names) ? verdict_names[v] : "unknown";
}

/* ---- Configurations ------------------------------------------------------------------------------------------- */

size_t tsr_config_name(const tsr_config *cfg, char *buf, size_t buf_bytes)
{
    int len =
        snprintf(buf, buf_bytes, "%" PRIu32 "x%" PRIu32 "x%" PRIu32 " %s*%s+%s->%s %s%s", cfg->shape.m, cfg->shape.n,
                 cfg->shape.k, tsr_component_name(cfg->a), tsr_component_name(cfg->b), tsr_component_name(cfg->c),
                 tsr_component_name(cfg->r), tsr_scope_name(cfg->scope), cfg->saturating ? " saturating" : "");
    return (size_t)len;
}

/* Steps over `word` at *s; false when something else stands there. */
static bool take_word(const char **s, const char *word)
{
    size_t len = strlen(word);
    if (strncmp(*s, word, len) != 0) return false;
    *s += len;
    return true;
}

/* A dimension: decimal digits, the value in 1 .. 2^32 - 1. */
static bool take_number(const char **s, uint32_t *out)
{
    uint64_t value = 0;
    const char *p = *s;
    for (; *p >= '0' && *p <= '9' && value <= UINT32_MAX; p++)
        value = value * 10 + (uint64_t)(*p - '0');
    if (p == *s || value == 0 || value > UINT32_MAX) return false;
    *out = (uint32_t)value;
    *s = p;
    return true;
}

static bool take_component(const char **s, tsr_component *out)
{
    char name[8];
    size_t len = strspn(*s, "abcdefghijklmnopqrstuvwxyz0123456789");
    if (len >= sizeof name) return false;
    memcpy(name, *s, len);
    name[len] = '\0';
    *out = tsr_component_find(name);
    *s += len;
    return *out != TSR_COMPONENT_NONE;
}

static bool take_scope(const char **s, tsr_scope *out)
{
    for (unsigned i = 0; i < TSR_SCOPE_COUNT; i++) {
        if (!take_word(s, scope_names[i])) continue;
        *out = (tsr_scope)i;
        return true;
    }
    return false;
}

static bool take_config(const char *s, tsr_config *cfg)
{
    if (!take_number(&s, &cfg->shape.m) || !take_word(&s, "x")) return false;
    if (!take_number(&s, &cfg->shape.n) || !take_word(&s, "x")) return false;
    if (!take_number(&s, &cfg->shape.k) || !take_word(&s, " ")) return false;
    if (!take_component(&s, &cfg->a) || !take_word(&s, "*")) return false;
    if (!take_component(&s, &cfg->b) || !take_word(&s, "+")) return false;
    if (!take_component(&s, &cfg->c) || !take_word(&s, "->")) return false;
    if (!take_component(&s, &cfg->r) || !take_word(&s, " ")) return false;
    if (!take_scope(&s, &cfg->scope)) return false;
    cfg->saturating = take_word(&s, " saturating");
    return *s == '\0';
}

tsr_status tsr_config_parse(const char *name, tsr_config *out)
{
    tsr_config cfg = {0};
    if (!name || !take_config(name, &cfg))
        return tsr_fail(TSR_ERR_INVALID,
                        "'%.100s' is no configuration; write it as '16x16x16 f16*f16+f32->f32 subgroup'",
                        name ? name : "");
    *out = cfg;
    return TSR_OK;
}

bool tsr_config_is_exact(const tsr_config *cfg)
{
    return tsr_component_is_integer(cfg->c) && tsr_component_is_integer(cfg->r);
}

tsr_regime tsr_config_regime(const tsr_config *cfg)
{
    return tsr_config_is_exact(cfg) ? TSR_REGIME_STRICT : TSR_REGIME_BOUNDED;
}

bool tsr_config_match(const tsr_config *a, const tsr_config *b)
{
    return a->shape.m == b->shape.m && a->shape.n == b->shape.n && a->shape.k == b->shape.k && a->a == b->a &&
           a->b == b->b && a->c == b->c && a->r == b->r;
}

/* ---- Fragments ------------------------------------------------------------------------------------------------ */

uint32_t tsr_fragment_rows(const tsr_fragment *f)
{
    return f->use == TSR_USE_B ? f->shape.k : f->shape.m;
}

uint32_t tsr_fragment_cols(const tsr_fragment *f)
{
    return f->use == TSR_USE_A ? f->shape.k : f->shape.n;
}

uint64_t tsr_fragment_components(const tsr_fragment *f)
{
    return (uint64_t)tsr_fragment_rows(f) * tsr_fragment_cols(f);
}

static bool divides(uint32_t subgroup_size, const tsr_fragment *f)
{
    return subgroup_size && tsr_fragment_components(f) % subgroup_size == 0;
}

tsr_status tsr_fragment_per_invocation(const tsr_fragment *f, uint32_t subgroup_size, uint32_t *out)
{
    uint32_t rows = tsr_fragment_rows(f), cols = tsr_fragment_cols(f);
    if (!divides(subgroup_size, f))
        return tsr_fail(TSR_ERR_SHAPE,
                        "a subgroup of %" PRIu32 " cannot share the %" PRIu64 " components of a %" PRIu32 "x%" PRIu32
                        " matrix evenly",
                        subgroup_size, tsr_fragment_components(f), rows, cols);
    uint64_t each = tsr_fragment_components(f) / subgroup_size;
    if (each > UINT32_MAX)
        return tsr_fail(TSR_ERR_LIMIT,
                        "%" PRIu64 " components an invocation are too many (%" PRIu32 "x%" PRIu32
                        " over a subgroup of %" PRIu32 ")",
                        each, rows, cols, subgroup_size);
    *out = (uint32_t)each;
    return TSR_OK;
}

tsr_config_fragments tsr_config_get_fragments(const tsr_config *cfg)
{
    return (tsr_config_fragments){
        .a = {TSR_USE_A, cfg->shape, cfg->a, cfg->scope},
        .b = {TSR_USE_B, cfg->shape, cfg->b, cfg->scope},
        .c = {TSR_USE_ACCUMULATOR, cfg->shape, cfg->c, cfg->scope},
        .r = {TSR_USE_ACCUMULATOR, cfg->shape, cfg->r, cfg->scope},
    };
}

bool tsr_config_fits(const tsr_config *cfg, uint32_t subgroup_size)
{
    tsr_config_fragments f = tsr_config_get_fragments(cfg);
    return divides(subgroup_size, &f.a) && divides(subgroup_size, &f.b) && divides(subgroup_size, &f.c) &&
           divides(subgroup_size, &f.r);
}

/* ---- What a device supports ----------------------------------------------------------------------------------- */

bool tsr_support_is_faithful(const tsr_support *s)
{
    return s->advertised == s->config_count;
}

const tsr_config *tsr_support_find(const tsr_support *s, const tsr_config *wanted)
{
    const tsr_config *saturating = NULL;
    for (size_t i = 0; i < s->config_count; i++) {
        const tsr_config *cfg = &s->configs[i];
        if (!tsr_config_match(cfg, wanted)) continue;
        if (!cfg->saturating) return cfg;
        if (!saturating) saturating = cfg;
    }
    return saturating;
}

static tsr_verdict judge_open(const tsr_config *wanted)
{
    if (!tsr_caps_open_config(wanted)) return TSR_VERDICT_NO;
    return wanted->scope == TSR_SCOPE_SUBGROUP ? TSR_VERDICT_YES : TSR_VERDICT_NO_SCOPE;
}

tsr_verdict tsr_support_verdict(const tsr_support *s, const tsr_config *wanted)
{
    if (s->open) return judge_open(wanted);
    tsr_verdict nearest = TSR_VERDICT_NO;
    for (size_t i = 0; i < s->config_count; i++) {
        const tsr_config *cfg = &s->configs[i];
        if (!tsr_config_match(cfg, wanted)) continue;
        bool same_saturation = cfg->saturating == wanted->saturating;
        if (same_saturation && cfg->scope == wanted->scope) return TSR_VERDICT_YES;
        if (same_saturation)
            nearest = TSR_VERDICT_NO_SCOPE;
        else if (nearest == TSR_VERDICT_NO)
            nearest = TSR_VERDICT_NO_SATURATION;
    }
    return s->knowledge == TSR_COMPLETE ? nearest : TSR_VERDICT_UNKNOWN;
}
