/* What checks and kernels ask of a target or device: see caps.h. */
#include "coopmat/caps.h"

/* Inputs and sums of one kind, integers or floats, and a sum no narrower than what it sums. */
static bool is_sum_of(tsr_component sum, tsr_component input)
{
    return tsr_component_bits(sum) >= tsr_component_bits(input) &&
           tsr_component_is_integer(sum) == tsr_component_is_integer(input);
}

bool tsr_caps_open_config(const tsr_config *cfg)
{
    if (!cfg->shape.m || !cfg->shape.n || !cfg->shape.k) return false;
    if (!tsr_component_bits(cfg->a) || tsr_component_bits(cfg->a) != tsr_component_bits(cfg->b)) return false;
    if (tsr_component_is_integer(cfg->a) != tsr_component_is_integer(cfg->b)) return false;
    if (cfg->saturating && !tsr_component_is_integer(cfg->r)) return false; /* only integer sums saturate */
    return is_sum_of(cfg->c, cfg->a) && is_sum_of(cfg->r, cfg->a);
}

static bool is_fragment(const tsr_fragment *f, tsr_component component, uint32_t rows, uint32_t cols)
{
    return f->component == component && tsr_fragment_rows(f) == rows && tsr_fragment_cols(f) == cols;
}

/* Only values of a subgroup count: a matrix of the language is one. */
static bool config_has(const tsr_config *cfg, tsr_use use, tsr_component component, uint32_t rows, uint32_t cols)
{
    if (cfg->scope != TSR_SCOPE_SUBGROUP) return false;
    tsr_config_fragments f = tsr_config_get_fragments(cfg);
    switch (use) {
    case TSR_USE_A: return is_fragment(&f.a, component, rows, cols);
    case TSR_USE_B: return is_fragment(&f.b, component, rows, cols);
    case TSR_USE_ACCUMULATOR:
        return is_fragment(&f.c, component, rows, cols) || is_fragment(&f.r, component, rows, cols);
    case TSR_USE_COUNT: break;
    }
    return false;
}

tsr_verdict tsr_caps_fragment(const tsr_caps *c, tsr_use use, tsr_component component, uint32_t rows, uint32_t cols)
{
    const tsr_support *s = &c->support;
    if (s->open) return tsr_component_bits(component) && rows && cols ? TSR_VERDICT_YES : TSR_VERDICT_NO;
    for (size_t i = 0; i < s->config_count; i++) {
        if (config_has(&s->configs[i], use, component, rows, cols)) return TSR_VERDICT_YES;
    }
    return s->knowledge == TSR_COMPLETE ? TSR_VERDICT_NO : TSR_VERDICT_UNKNOWN;
}
