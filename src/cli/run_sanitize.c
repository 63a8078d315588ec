/* `tessera run --sanitize`: which checks, what is expected, and the findings as people and programs read them. */
#include "run.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_BYTES = 2048 };

static const struct {
    const char *name;
    uint32_t check;
} checks[] = {{"bounds", TSR_CHECK_BOUNDS},
              {"strides", TSR_CHECK_STRIDES},
              {"races", TSR_CHECK_RACES},
              {"uniformity", TSR_CHECK_UNIFORMITY},
              {"uninitialised", TSR_CHECK_UNINITIALISED},
              {"f16", TSR_CHECK_F16},
              {"wrap", TSR_CHECK_WRAP},
              {"order", TSR_CHECK_ORDER},
              {"subgroup-size", TSR_CHECK_SUBGROUP_SIZE},
              {"variables", TSR_CHECK_VARIABLES},
              {"coverage", TSR_CHECK_COVERAGE},
              {"expect", TSR_CHECK_EXPECT},
              {"all", TSR_CHECK_ALL}};

enum { CHECK_COUNT = sizeof checks / sizeof *checks };

/* ---- Options --------------------------------------------------------------------------------------------------- */

static int fail_check(const char *name, size_t len)
{
    const char *names[CHECK_COUNT];
    char word[48];
    for (size_t i = 0; i < CHECK_COUNT; i++)
        names[i] = checks[i].name;
    snprintf(word, sizeof word, "%.*s", (int)(len < sizeof word ? len : sizeof word - 1), name);
    const char *near = cli_suggest(word, names, CHECK_COUNT);
    cli_error("--sanitize: there is no check \"%s\"%s%s%s; see `tessera run --help`", word,
              near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
    return CLI_BAD_COMMAND;
}

int run_parse_checks(const char *list, uint32_t *out)
{
    for (const char *at = list;;) {
        size_t len = strcspn(at, ","), i = 0;
        while (i < CHECK_COUNT && (strlen(checks[i].name) != len || memcmp(checks[i].name, at, len) != 0))
            i++;
        if (i == CHECK_COUNT) return fail_check(at, len);
        *out |= checks[i].check;
        if (!at[len]) return CLI_DONE;
        at += len + 1;
    }
}

int run_parse_oob(const char *name, tsr_oob *out)
{
    for (int i = 0; i <= TSR_OOB_RESTART; i++) {
        if (strcmp(name, tsr_oob_name((tsr_oob)i)) != 0) continue;
        *out = (tsr_oob)i;
        return CLI_DONE;
    }
    cli_error("--oob %s: it must be zero, clamp or restart", name);
    return CLI_BAD_COMMAND;
}

bool run_is_watched(const struct run_args *a)
{
    return a->sanitize.checks || a->sanitize.oob != TSR_OOB_ZERO || a->expect_count > 0;
}

/* An expected array has the type of its buffer, something in it, and no more bytes. */
static int check_expected(const struct run_state *s, const struct run_bind *e, const struct cli_array *a,
                          const char *option)
{
    for (size_t i = 0; i < s->slot_count; i++) {
        const struct run_slot *slot = &s->slots[i];
        if (slot->info.group != e->group || slot->info.binding != e->binding) continue;
        int status = run_check_type(&slot->info, a, option);
        if (status == CLI_DONE && a->size_bytes == 0) {
            cli_error("%s: that is empty, and nothing would be compared", option);
            return CLI_BAD_INPUT;
        }
        if (status != CLI_DONE || a->size_bytes <= tsr_buffer_size(slot->buffer)) return status;
        cli_error("%s: that is %zu bytes, and the buffer has %llu", option, a->size_bytes,
                  (unsigned long long)tsr_buffer_size(slot->buffer));
        return CLI_BAD_INPUT;
    }
    return CLI_DONE;
}

int run_prepare_sanitize(struct run_state *s)
{
    const struct run_args *a = s->args;
    s->sanitize = a->sanitize;
    s->expected = calloc(a->expect_count + 1, sizeof *s->expected);
    s->expected_arrays = calloc(a->expect_count + 1, sizeof *s->expected_arrays);
    if (!s->expected || !s->expected_arrays) {
        cli_error("out of memory");
        return CLI_ENVIRONMENT;
    }
    for (size_t i = 0; i < a->expect_count; i++) {
        char option[256];
        const struct run_bind *e = &a->expects[i];
        snprintf(option, sizeof option, "--expect %s", e->text);
        int status = cli_array_make(e->spec, option, &s->expected_arrays[i]);
        if (status != CLI_DONE) return status;
        status = check_expected(s, e, &s->expected_arrays[i], option);
        if (status != CLI_DONE) {
            cli_array_fini(&s->expected_arrays[i]);
            return status;
        }
        s->expected[s->sanitize.expected_count++] = (tsr_expected){.group = e->group,
                                                                   .binding = e->binding,
                                                                   .data = s->expected_arrays[i].data,
                                                                   .size_bytes = s->expected_arrays[i].size_bytes,
                                                                   .tolerance = a->tolerance};
    }
    s->sanitize.expected = s->expected;
    return CLI_DONE;
}

void run_free_sanitize(struct run_state *s)
{
    for (size_t i = 0; i < s->sanitize.expected_count; i++)
        cli_array_fini(&s->expected_arrays[i]);
    free(s->expected_arrays);
    free(s->expected);
    tsr_findings_free(s->findings);
}

/* ---- Text ------------------------------------------------------------------------------------------------------ */

static size_t print_place(char *to, size_t size, const struct run_state *s, tsr_place p)
{
    int n = p.line ? snprintf(to, size, "%.500s:%u:%u", s->args->path, (unsigned)p.line, (unsigned)p.column)
                   : snprintf(to, size, "%.500s", s->args->path);
    return n > 0 ? (size_t)n : 0;
}

static void show_count(const tsr_finding *f)
{
    const tsr_invocation *v = &f->invocation;
    fprintf(stderr, "  %llu time%s", (unsigned long long)f->count, f->count == 1 ? "" : "s");
    if (f->has_invocation && v->whole_subgroup)
        fprintf(stderr, ", first in subgroup %u of workgroup (%u, %u, %u)", (unsigned)v->subgroup,
                (unsigned)v->workgroup[0], (unsigned)v->workgroup[1], (unsigned)v->workgroup[2]);
    else if (f->has_invocation)
        fprintf(stderr, ", first in invocation (%u, %u, %u), number %u of workgroup (%u, %u, %u), subgroup %u",
                (unsigned)v->global[0], (unsigned)v->global[1], (unsigned)v->global[2], (unsigned)v->local_index,
                (unsigned)v->workgroup[0], (unsigned)v->workgroup[1], (unsigned)v->workgroup[2], (unsigned)v->subgroup);
    fputc('\n', stderr);
}

static void show_finding(const struct run_state *s, const tsr_finding *f)
{
    char text[LINES_BYTES];
    size_t at = print_place(text, sizeof text, s, f->place);
    snprintf(text + at, sizeof text - at, ": %s: %s [S%04u]", f->severity == TSR_SEVERITY_WARNING ? "warning" : "note",
             f->message, (unsigned)f->number);
    cli_show_lines(text, &s->source);
    if (f->place.line) show_count(f);
    if (!f->has_other) return;
    at = print_place(text, sizeof text, s, f->other_place);
    snprintf(text + at, sizeof text - at, ": note: %s%s", f->check == TSR_CHECK_RACES ? "the other access: " : "",
             f->other_message);
    cli_show_lines(text, &s->source);
}

void run_show_findings(const struct run_state *s)
{
    if (!run_is_watched(s->args)) return;
    size_t count = tsr_findings_count(s->findings), faults = tsr_findings_warnings(s->findings);
    for (size_t i = 0; i < count; i++) {
        tsr_finding f = tsr_findings_get(s->findings, i);
        show_finding(s, &f);
    }
    if (s->sanitize.checks || s->sanitize.expected_count)
        fprintf(stderr, "sanitizer: %zu fault%s, %zu note%s\n", faults, faults == 1 ? "" : "s", count - faults,
                count - faults == 1 ? "" : "s");
}

/* ---- JSON ------------------------------------------------------------------------------------------------------ */

static json_t *three_json(const uint32_t v[3])
{
    return json_pack("[i,i,i]", (int)v[0], (int)v[1], (int)v[2]);
}

static json_t *invocation_json(const tsr_invocation *v)
{
    json_t *o = json_object();
    json_object_set_new(o, "workgroup", three_json(v->workgroup));
    json_object_set_new(o, "global", three_json(v->global));
    json_object_set_new(o, "local_index", json_integer(v->local_index));
    json_object_set_new(o, "subgroup", json_integer(v->subgroup));
    json_object_set_new(o, "whole_subgroup", json_boolean(v->whole_subgroup));
    return o;
}

static json_t *access_json(const char *message, tsr_place p)
{
    json_t *o = json_object();
    json_object_set_new(o, "message", cli_json_text(message));
    json_object_set_new(o, "line", json_integer(p.line));
    json_object_set_new(o, "column", json_integer(p.column));
    json_object_set_new(o, "offset_bytes", json_integer(p.offset_bytes));
    json_object_set_new(o, "length_bytes", json_integer(p.length_bytes));
    return o;
}

static const char *check_name(uint32_t check)
{
    size_t i = 0;
    while (i + 1 < CHECK_COUNT && checks[i].check != check)
        i++;
    return checks[i].name;
}

static json_t *finding_json(const tsr_finding *f)
{
    char number[8];
    snprintf(number, sizeof number, "S%04u", (unsigned)f->number);
    json_t *o = access_json(f->message, f->place);
    json_object_set_new(o, "number", json_string(number));
    json_object_set_new(o, "name", json_string(f->name));
    json_object_set_new(o, "check", json_string(check_name(f->check)));
    json_object_set_new(o, "severity", json_string(f->severity == TSR_SEVERITY_WARNING ? "warning" : "info"));
    json_object_set_new(o, "count", json_integer((json_int_t)f->count));
    if (f->has_invocation) json_object_set_new(o, "invocation", invocation_json(&f->invocation));
    if (f->has_other) {
        json_t *other = access_json(f->other_message, f->other_place);
        if (f->check == TSR_CHECK_RACES)
            json_object_set_new(other, "invocation", invocation_json(&f->other_invocation));
        json_object_set_new(o, "other", other);
    }
    return o;
}

json_t *run_findings_json(const struct run_state *s)
{
    json_t *root = json_object(), *names = json_array(), *list = json_array();
    for (size_t i = 0; i + 1 < CHECK_COUNT; i++)
        if (s->sanitize.checks & checks[i].check) json_array_append_new(names, json_string(checks[i].name));
    for (size_t i = 0; i < tsr_findings_count(s->findings); i++) {
        tsr_finding f = tsr_findings_get(s->findings, i);
        json_array_append_new(list, finding_json(&f));
    }
    json_object_set_new(root, "checks", names);
    json_object_set_new(root, "oob", json_string(tsr_oob_name(s->sanitize.oob)));
    json_object_set_new(root, "faults", json_integer((json_int_t)tsr_findings_warnings(s->findings)));
    json_object_set_new(root, "findings", list);
    return root;
}
