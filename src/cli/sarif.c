/* SARIF 2.1.0: see sarif.h. Source: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0". */
#include "sarif.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct cli_sarif {
    json_t *rules, *results;
};

struct cli_sarif *cli_sarif_new(void)
{
    struct cli_sarif *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->rules = json_array();
    s->results = json_array();
    return s;
}

void cli_sarif_free(struct cli_sarif *s)
{
    if (!s) return;
    json_decref(s->rules);
    json_decref(s->results);
    free(s);
}

/* {"text": ...}: section 3.11, message; 3.12, multiformatMessageString. */
static json_t *make_text(const char *text)
{
    json_t *o = json_object();
    json_object_set_new(o, "text", cli_json_text(text));
    return o;
}

/* The rule's place in tool.driver.rules; it is added when it is new. */
static size_t find_rule(struct cli_sarif *s, const char *id, const char *text)
{
    size_t i;
    json_t *rule;
    json_array_foreach(s->rules, i, rule)
    {
        if (strcmp(json_string_value(json_object_get(rule, "id")), id) == 0) return i;
    }
    rule = json_object();
    json_object_set_new(rule, "id", json_string(id));
    if (text) json_object_set_new(rule, "shortDescription", make_text(text));
    json_array_append_new(s->rules, rule);
    return i;
}

/* A relative reference, or a URI of an absolute path: section 3.4.3; RFC 3986 lets these characters stand. */
static json_t *make_uri(const char *path)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    char *uri = malloc(strlen(path) * 3 + sizeof "file://");
    size_t n = 0;
    if (!uri) return json_null();
    if (path[0] == '/') n = (size_t)sprintf(uri, "file://");
    for (const char *c = path; *c; c++) {
        if (strchr(plain, *c))
            uri[n++] = *c;
        else
            n += (size_t)sprintf(uri + n, "%%%02X", (unsigned char)*c);
    }
    json_t *text = json_stringn(uri, n);
    free(uri);
    return text;
}

static json_t *make_location(const char *file, tsr_place place)
{
    json_t *artifact = json_object(), *physical = json_object(), *location = json_object();
    json_object_set_new(artifact, "uri", make_uri(strcmp(file, "-") == 0 ? "stdin" : file));
    json_object_set_new(physical, "artifactLocation", artifact);
    if (place.line) {
        json_t *region = json_object();
        json_object_set_new(region, "startLine", json_integer(place.line));
        json_object_set_new(region, "startColumn", json_integer(place.column));
        json_object_set_new(region, "byteOffset", json_integer(place.offset_bytes));
        json_object_set_new(region, "byteLength", json_integer(place.length_bytes));
        json_object_set_new(physical, "region", region);
    }
    json_object_set_new(location, "physicalLocation", physical);
    return location;
}

void cli_sarif_add(struct cli_sarif *s, unsigned number, const char *rule, const char *level, const char *message,
                   const char *file, tsr_place place)
{
    char id[16];
    json_t *result = json_object(), *locations = json_array();
    bool open = strcmp(level, "open") == 0; /* section 3.27.9: kind; the level of what is no failure is "none" */
    if (number)
        snprintf(id, sizeof id, "E%04u", number);
    else
        snprintf(id, sizeof id, "differs");
    size_t index = find_rule(s, id, rule);
    json_object_set_new(result, "ruleId", json_string(id));
    json_object_set_new(result, "ruleIndex", json_integer((json_int_t)index));
    json_object_set_new(result, "kind", json_string(open ? "open" : "fail"));
    json_object_set_new(result, "level", json_string(open ? "none" : level));
    json_object_set_new(result, "message", make_text(message));
    json_array_append_new(locations, make_location(file, place));
    json_object_set_new(result, "locations", locations);
    json_array_append_new(s->results, result);
}

void cli_sarif_add_module(struct cli_sarif *s, const char *file, const tsr_module *m)
{
    static const char *const levels[] = {"note", "note", "warning", "error"};
    for (size_t i = 0; i < tsr_module_diagnostic_count(m); i++) {
        tsr_diagnostic d = tsr_module_diagnostic(m, i);
        if (d.severity != TSR_SEVERITY_OFF)
            cli_sarif_add(s, d.number, NULL, levels[d.severity], d.message, file, d.place);
    }
}

static json_t *make_log(const struct cli_sarif *s)
{
    json_t *driver = json_object(), *tool = json_object(), *run = json_object(), *runs = json_array();
    json_t *log = json_object();
    json_object_set_new(driver, "name", json_string("tessera"));
    json_object_set_new(driver, "semanticVersion", json_string(tsr_version()));
    json_object_set(driver, "rules", s->rules);
    json_object_set_new(tool, "driver", driver);
    json_object_set_new(run, "tool", tool);
    json_object_set_new(run, "columnKind", json_string("unicodeCodePoints"));
    json_object_set(run, "results", s->results);
    json_array_append_new(runs, run);
    json_object_set_new(log, "$schema", json_string("https://json.schemastore.org/sarif-2.1.0.json"));
    json_object_set_new(log, "version", json_string("2.1.0"));
    json_object_set_new(log, "runs", runs);
    return log;
}

int cli_sarif_write(struct cli_sarif *s, const char *path, int exit_status)
{
    json_t *log = make_log(s);
    if (strcmp(path, "-") == 0) return cli_json_print(log, exit_status);
    char *text = json_dumps(log, JSON_INDENT(2));
    json_decref(log);
    if (!text) {
        cli_error("out of memory while writing SARIF");
        return CLI_ENVIRONMENT;
    }
    struct cli_output out = {.path = path, .head = text, .head_bytes = strlen(text), .data = "\n", .data_bytes = 1};
    int status = cli_write_outputs(&out, 1);
    free(text);
    return status == CLI_DONE ? exit_status : status;
}
