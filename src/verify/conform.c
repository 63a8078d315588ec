/* One row of the conformance table: a configuration, every pattern in every layout. */
#include "verify/verify.h"

#include <stdio.h>
#include <string.h>

/* Strides and offsets: tight, odd, and wide. */
static const struct {
    uint32_t extra_stride, offset;
} spacings[] = {{0, 0}, {3, 5}, {16, 32}};

const char *tsr_conformance_name(tsr_conformance c)
{
    static const char *const names[] = {"conforms", "fails", "refused", "not expressed", "does not fit"};
    return (unsigned)c < sizeof names / sizeof names[0] ? names[c] : "?";
}

/* A failure speaks for the row; else the trial nearest to its bound does. */
static void note_trial(tsr_verify_row *row, const tsr_comparison *seen, tsr_pattern pattern, const tsr_placement *p)
{
    bool good = seen->bad == 0;
    double part = seen->bound > 0 ? seen->error / seen->bound : 0;
    double worst = row->worst.bound > 0 ? row->worst.error / row->worst.bound : 0;
    bool had_bad = row->failed_runs > 0;
    row->runs++;
    if (!good) row->failed_runs++;
    if (row->runs > 1 && (had_bad || (good && !(part > worst)))) return;
    row->worst = *seen;
    char place[96];
    tsr_placement_print(p, place, sizeof place);
    snprintf(row->worst_case, sizeof row->worst_case, "%s; %s", tsr_pattern_name(pattern), place);
}

static tsr_status run_patterns(tsr_trial_kernel *k, const tsr_placement *p, tsr_trial *t, tsr_verify_row *row)
{
    for (int pattern = 0; pattern < TSR_PATTERN_COUNT; pattern++) {
        tsr_comparison seen;
        tsr_pattern_fill((tsr_pattern)pattern, t);
        tsr_status st = tsr_trial_run(k, p, t);
        if (st == TSR_ERR_SHAPE) {
            row->runs++, row->failed_runs++;
            snprintf(row->text, sizeof row->text, "wrote outside the matrix");
            continue;
        }
        if (st != TSR_OK) return st;
        tsr_trial_compare(t, &seen);
        note_trial(row, &seen, (tsr_pattern)pattern, p);
    }
    return TSR_OK;
}

static tsr_status run_placements(tsr_device *dev, const tsr_config *cfg, bool quick, tsr_trial *t, tsr_verify_row *row)
{
    for (unsigned major = 0; major < 8; major += quick ? 7 : 1) {
        tsr_placement p = {.a_col = major & 1, .b_col = major & 2, .c_col = major & 4};
        tsr_trial_kernel *k = NULL;
        tsr_status st = tsr_trial_kernel_new(dev, cfg, &p, &k);
        for (size_t i = 0; i < sizeof spacings / sizeof spacings[0] && st == TSR_OK; i++) {
            p.extra_stride = spacings[i].extra_stride, p.offset = spacings[i].offset;
            st = run_patterns(k, &p, t, row);
        }
        tsr_trial_kernel_free(k);
        if (st != TSR_OK) return st;
    }
    return TSR_OK;
}

/* The device's words, shortened to their first line. */
static void note_refusal(tsr_verify_row *row, tsr_conformance verdict)
{
    const char *why = tsr_last_error();
    row->verdict = verdict;
    snprintf(row->text, sizeof row->text, "%.*s", (int)strcspn(why, "\n"), why);
}

tsr_status tsr_verify_config(tsr_device *dev, const tsr_config *cfg, bool quick, tsr_verify_row *out)
{
    if (!dev || !cfg || !out) return TSR_ERR_INVALID;
    tsr_verify_row row = {
        .config = *cfg, .regime = tsr_config_regime(cfg), .subgroup_size = tsr_device_subgroup_size(dev)};
    const tsr_mma d = {cfg->shape, cfg->a, cfg->b, cfg->c, cfg->r, cfg->saturating};
    tsr_trial t;
    if (!tsr_mma_is_covered(&d) || cfg->scope != TSR_SCOPE_SUBGROUP) {
        row.verdict = TSR_NOT_EXPRESSED;
        snprintf(row.text, sizeof row.text, "the reference does not cover these types or this scope");
        *out = row;
        return TSR_OK;
    }
    if (!tsr_config_fits(cfg, row.subgroup_size)) {
        row.verdict = TSR_DOES_NOT_FIT;
        snprintf(row.text, sizeof row.text, "a subgroup of %u cannot share its matrices evenly",
                 (unsigned)row.subgroup_size);
        *out = row;
        return TSR_OK;
    }
    if (!tsr_trial_init(&t, cfg)) return TSR_ERR_MEMORY;
    tsr_status st = run_placements(dev, cfg, quick, &t, &row);
    tsr_trial_fini(&t);
    if (st == TSR_ERR_MEMORY || st == TSR_ERR_TIMEOUT || st == TSR_ERR_DEVICE || st == TSR_ERR_VALIDATION) return st;
    if (st == TSR_ERR_UNSUPPORTED || st == TSR_ERR_LIMIT)
        note_refusal(&row, TSR_REFUSED);
    else if (st != TSR_OK)
        note_refusal(&row, TSR_NOT_EXPRESSED);
    else
        row.verdict = row.failed_runs ? TSR_FAILS : TSR_CONFORMS;
    *out = row;
    return TSR_OK;
}
