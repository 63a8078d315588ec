/* `tessera check --on`: a kernel that is written for any shape names the three numbers in its first lines,
 *
 *     //! configuration M N K f16*f16+f32->f32
 *
 * and they are constants (`const M = 16u;`, each on a line of its own) or overrides. For each device they get the first
 * shape that it lists for these types. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 32, TEXT_BYTES = 96, DIGITS_BYTES = 16 };

/* One word from *at to `to`; false when there is none or it is too long. */
static bool take_word(const char **at, char *to, size_t bytes)
{
    *at += strspn(*at, " \t");
    size_t len = strcspn(*at, " \t\r\n");
    if (len == 0 || len >= bytes) return false;
    memcpy(to, *at, len);
    to[len] = 0;
    *at += len;
    return true;
}

/* What stands behind "//! configuration": three names and the types, and no more. */
static bool take_variant(const char *line, struct check_variant *v)
{
    char types[TEXT_BYTES], name[TEXT_BYTES + 32];
    for (int i = 0; i < 3; i++)
        if (!take_word(&line, v->name[i], sizeof v->name[i])) return false;
    if (!take_word(&line, types, sizeof types)) return false;
    line += strspn(line, " \t\r");
    snprintf(name, sizeof name, "1x1x1 %s subgroup", types);
    return (*line == '\n' || *line == 0) && tsr_config_parse(name, &v->config) == TSR_OK;
}

int check_find_variant(const char *file, const struct cli_bytes *source, struct check_variant *v, bool *found)
{
    static const char head[] = "//! configuration";
    const char *line = (const char *)source->data;
    unsigned row = 1;
    *found = false;
    for (; strncmp(line, "//!", 3) == 0; row++) {
        const char *rest = line + sizeof head - 1;
        *found = strncmp(line, head, sizeof head - 1) == 0 && strchr(" \t\r\n", *rest);
        if (*found && take_variant(rest, v)) return CLI_DONE;
        if (*found) break;
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    if (!*found) return CLI_DONE;
    cli_error(
        "%s:%u: write it as //! configuration M N K f16*f16+f32->f32: the names of the three numbers, then the types",
        file, row);
    return CLI_BAD_INPUT;
}

static bool fits_all(const tsr_support *s, const tsr_config *c)
{
    for (size_t i = 0; i < s->subgroup_size_count; i++)
        if (!tsr_config_fits(c, s->subgroup_sizes[i])) return false;
    return true;
}

/* The first that every subgroup size of the device can share, else the first. */
static const tsr_config *choose_config(const tsr_support *s, const tsr_config *types)
{
    const tsr_config *first = NULL;
    for (size_t i = 0; i < s->config_count; i++) {
        tsr_config wanted = *types;
        wanted.shape = s->configs[i].shape;
        if (!tsr_config_match(&wanted, &s->configs[i]) || s->configs[i].saturating ||
            s->configs[i].scope != TSR_SCOPE_SUBGROUP)
            continue;
        if (fits_all(s, &s->configs[i])) return &s->configs[i];
        if (!first) first = &s->configs[i];
    }
    return first;
}

/* Where the digits of `const NAME = 16u;` begin, at the start of a line; NULL when there is no such line. */
static const char *find_constant(const char *text, const char *name)
{
    size_t len = strlen(name);
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        if (strncmp(line, "const ", 6) != 0 || strncmp(line + 6, name, len) != 0) continue;
        const char *at = line + 6 + len;
        at += strspn(at, " \t");
        if (*at == ':') at += strcspn(at, "=\n");
        if (*at != '=') continue;
        at += 1 + strspn(at + 1, " \t");
        if (*at >= '0' && *at <= '9') return at;
    }
    return NULL;
}

/* A copy of the text with another number there. */
static char *replace_number(const char *text, const char *at, uint32_t value)
{
    char digits[DIGITS_BYTES];
    snprintf(digits, sizeof digits, "%u", (unsigned)value);
    const char *rest = at + strspn(at, "0123456789");
    char *copy = malloc(strlen(text) + sizeof digits);
    if (copy) sprintf(copy, "%.*s%s%s", (int)(at - text), text, digits, rest);
    return copy;
}

static bool has_override(const tsr_module *m, const char *name)
{
    tsr_override_info info;
    for (size_t i = 0; i < tsr_module_override_count(m); i++)
        if (tsr_module_override(m, i, &info) == TSR_OK && strcmp(info.name, name) == 0) return true;
    return false;
}

/* The text with the constants of the shape; *overrides counts those of the three that are overrides. */
static char *write_text(const struct check_variant *v, const struct cli_bytes *source, const tsr_module *m,
                        const tsr_config *c, tsr_override_value sets[3], size_t *set_count)
{
    const uint32_t size[3] = {c->shape.m, c->shape.n, c->shape.k};
    char *text = malloc(source->size_bytes + 1);
    if (text) memcpy(text, source->data, source->size_bytes + 1);
    for (int i = 0; text && i < 3; i++) {
        const char *at = find_constant(text, v->name[i]);
        if (at) {
            char *next = replace_number(text, at, size[i]);
            free(text);
            text = next;
        } else if (has_override(m, v->name[i])) {
            sets[(*set_count)++] = (tsr_override_value){.name = v->name[i], .value = size[i]};
        }
    }
    return text;
}

int check_make_variant(const struct check_variant *v, const char *file, const struct cli_bytes *source,
                       const tsr_module *m, const tsr_support *support, struct check_made *out)
{
    const tsr_config *c = choose_config(support, &v->config);
    *out = (struct check_made){0};
    if (!c || strlen((const char *)source->data) != source->size_bytes) return CLI_DONE; /* as it is written */
    char *text = write_text(v, source, m, c, out->sets, &out->set_count);
    if (!text) return cli_fail(TSR_ERR_MEMORY);
    tsr_compile_args args = {.name = file, .source = text, .source_bytes = strlen(text)};
    tsr_status st = tsr_compile(&args, &out->module);
    free(text);
    out->chosen = true;
    out->config = *c;
    if (st == TSR_OK) return CLI_DONE;
    char name[TEXT_BYTES];
    tsr_config_name(c, name, sizeof name);
    cli_error("%s does not compile as %s", file, name);
    for (size_t i = 0; i < tsr_module_diagnostic_count(out->module); i++)
        fputs(tsr_module_diagnostic_text(out->module, i, 0), stderr);
    return out->module ? CLI_BAD_INPUT : cli_fail(st);
}
