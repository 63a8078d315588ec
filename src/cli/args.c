/* Command lines: options from a table, help from the same table, suggestions for what is nearly right. */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SUGGEST_DISTANCE = 2, WORD_MAX = 48, HELP_COLUMN = 28 };

/* Edits from one word to the other, insertions, deletions and replacements; words longer than WORD_MAX never match. */
static unsigned find_distance(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    unsigned row[WORD_MAX + 1];
    if (n > WORD_MAX || m > WORD_MAX) return WORD_MAX;
    for (size_t j = 0; j <= m; j++)
        row[j] = (unsigned)j;
    for (size_t i = 1; i <= n; i++) {
        unsigned diagonal = row[0];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= m; j++) {
            unsigned replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            unsigned shorter = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            row[j] = replaced < shorter ? replaced : shorter;
        }
    }
    return row[m];
}

const char *cli_suggest(const char *word, const char *const *names, size_t count)
{
    const char *best = NULL;
    unsigned least = SUGGEST_DISTANCE + 1;
    for (size_t i = 0; i < count; i++) {
        unsigned far = find_distance(word, names[i]);
        if (far >= least || far >= strlen(names[i])) continue;
        least = far;
        best = names[i];
    }
    return best;
}

bool cli_parse_u64(const char *s, size_t len, uint64_t *out)
{
    uint64_t n = 0;
    if (len == 0) return false;
    for (size_t i = 0; i < len; i++) {
        if (s[i] < '0' || s[i] > '9') return false;
        uint64_t digit = (uint64_t)(s[i] - '0');
        if (n > (UINT64_MAX - digit) / 10) return false;
        n = n * 10 + digit;
    }
    *out = n;
    return true;
}

bool cli_parse_number(const char *s, size_t len, double *out)
{
    char text[128], *end;
    if (len == 0 || len >= sizeof text || strchr(" \t\n\r\f\v", s[0])) return false;
    memcpy(text, s, len);
    text[len] = 0;
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
        *out = text[0] == 't';
        return true;
    }
    *out = strtod(text, &end);
    return end == text + len;
}

/* ---- Help ------------------------------------------------------------------------------------------------------ */

static void print_option(const struct cli_option *o, FILE *to)
{
    char left[96];
    int n = snprintf(left, sizeof left, "  %s%s%s%s", o->name[1] ? "--" : "-", o->name, o->value ? " " : "",
                     o->value ? o->value : "");
    if (n >= HELP_COLUMN)
        fprintf(to, "%s\n%*s", left, HELP_COLUMN, "");
    else
        fprintf(to, "%-*s", HELP_COLUMN, left);
    for (const char *s = o->help; *s; s++) {
        fputc(*s, to);
        if (*s == '\n') fprintf(to, "%*s", HELP_COLUMN, "");
    }
    fputc('\n', to);
}

void cli_print_help(const struct cli_command *c, FILE *to)
{
    fprintf(to, "%s\n\nUsage: tessera %s%s%s\n\nOptions:\n", c->summary, c->name, c->usage[0] ? " " : "", c->usage);
    for (size_t i = 0; i < c->option_count; i++)
        print_option(&c->options[i], to);
    print_option(&(struct cli_option){.name = "help", .help = "Show this text."}, to);
    if (c->details) fprintf(to, "\n%s", c->details);
    fprintf(to, "\nExamples:\n%s", c->examples);
}

/* ---- Options --------------------------------------------------------------------------------------------------- */

static const struct cli_option *find_option(const struct cli_command *c, const char *name, size_t len)
{
    for (size_t i = 0; i < c->option_count; i++)
        if (strlen(c->options[i].name) == len && memcmp(c->options[i].name, name, len) == 0) return &c->options[i];
    return NULL;
}

static int fail_option(const struct cli_command *c, const char *name, size_t len)
{
    const char *names[32] = {"help"};
    size_t count = 1;
    char word[WORD_MAX + 1];
    snprintf(word, sizeof word, "%.*s", (int)(len > WORD_MAX ? WORD_MAX : len), name);
    for (size_t i = 0; i < c->option_count && count < sizeof names / sizeof *names; i++)
        names[count++] = c->options[i].name;
    const char *near = cli_suggest(word, names, count);
    if (near)
        cli_error("unknown option --%s; did you mean --%s?", word, near);
    else
        cli_error("unknown option --%s; see `tessera %s --help`", word, c->name);
    return CLI_ARG_BAD;
}

static int take_option(struct cli_args *a, const char *name, const char **value)
{
    size_t len = strcspn(name, "=");
    if (len == 4 && memcmp(name, "help", len) == 0 && !name[len]) {
        cli_print_help(a->command, stdout);
        return CLI_ARG_HELP;
    }
    const struct cli_option *o = find_option(a->command, name, len);
    if (!o) return fail_option(a->command, name, len);
    *value = name[len] ? name + len + 1 : NULL;
    if (!o->value && *value) {
        cli_error("option --%s takes no value", o->name);
        return CLI_ARG_BAD;
    }
    if (o->value && !*value) {
        if (a->at == a->argc) {
            cli_error("option --%s needs a value: --%s %s", o->name, o->name, o->value);
            return CLI_ARG_BAD;
        }
        *value = a->argv[a->at++];
    }
    return o->id;
}

int cli_next(struct cli_args *a, const char **value)
{
    if (a->at == a->argc) return CLI_ARG_END;
    const char *arg = a->argv[a->at++];
    *value = arg;
    if (a->only_positional || arg[0] != '-' || !arg[1]) return CLI_ARG_POSITIONAL;
    if (strcmp(arg, "--") == 0) {
        a->only_positional = true;
        return cli_next(a, value);
    }
    if (arg[1] == '-') return take_option(a, arg + 2, value);
    if (strcmp(arg, "-h") == 0) return take_option(a, "help", value);
    if (arg[2]) {
        cli_error("unknown option %s; long options begin with two dashes", arg);
        return CLI_ARG_BAD;
    }
    return take_option(a, arg + 1, value);
}
