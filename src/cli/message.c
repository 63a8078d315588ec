/* What the command says: messages on standard error, JSON on standard output. */
#include "cli.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool cli_use_color(void)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    if (no_color && no_color[0]) return false;
    return isatty(STDERR_FILENO) && (!term || strcmp(term, "dumb") != 0);
}

/* What is quoted may come from a file or a command line: only '\n' of its control bytes is passed on. */
static void put_safe(const char *text)
{
    for (const char *s = text; *s; s++)
        fputc((unsigned char)*s < ' ' && *s != '\n' && *s != '\t' ? '?' : *s, stderr);
}

static void say(const char *kind, const char *color, const char *fmt, va_list args)
{
    char text[8400]; /* tsr_last_error has at most 8 KiB */
    vsnprintf(text, sizeof text, fmt, args);
    if (cli_use_color())
        fprintf(stderr, "\033[1mtessera: %s%s:\033[0m ", color, kind);
    else
        fprintf(stderr, "tessera: %s: ", kind);
    put_safe(text);
    fputc('\n', stderr);
}

void cli_error(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    say("error", "\033[31m", fmt, args);
    va_end(args);
}

void cli_warning(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    say("warning", "\033[35m", fmt, args);
    va_end(args);
}

int cli_fail(tsr_status st)
{
    const char *text = tsr_last_error();
    cli_error("%s", text[0] ? text : tsr_status_name(st));
    return st == TSR_ERR_MEMORY || st == TSR_ERR_DEVICE || st == TSR_ERR_IO ? CLI_ENVIRONMENT : CLI_BAD_INPUT;
}

int cli_close_stdout(int exit_status)
{
    if (!ferror(stdout) && fflush(stdout) == 0) return exit_status;
    cli_error("standard output could not be written");
    return CLI_ENVIRONMENT;
}

/* ---- JSON ------------------------------------------------------------------------------------------------------ */

/* Bytes of the UTF-8 sequence at s, 0 when it is malformed. Source: RFC 3629, section 4. */
static size_t utf8_length(const unsigned char *s)
{
    unsigned n = s[0] < 0x80                   ? 1
                 : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
                 : (s[0] & 0xf0) == 0xe0       ? 3
                 : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                               : 0;
    for (unsigned i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80) return 0;
    if (s[0] == 0xe0 && s[1] < 0xa0) return 0;
    if (s[0] == 0xed && s[1] >= 0xa0) return 0;
    if (s[0] == 0xf0 && s[1] < 0x90) return 0;
    if (s[0] == 0xf4 && s[1] >= 0x90) return 0;
    return n;
}

json_t *cli_json_text(const char *s)
{
    static const char replacement[] = "\xef\xbf\xbd";
    size_t n = 0;
    char *clean = malloc(strlen(s) * 3 + 1);
    if (!clean) return json_null();
    while (*s) {
        size_t len = utf8_length((const unsigned char *)s);
        memcpy(clean + n, len ? s : replacement, len ? len : 3);
        n += len ? len : 3;
        s += len ? len : 1;
    }
    json_t *text = json_stringn(clean, n);
    free(clean);
    return text;
}

int cli_json_print(json_t *root, int exit_status)
{
    char *text = root ? json_dumps(root, JSON_INDENT(2)) : NULL;
    json_decref(root);
    if (!text) {
        cli_error("out of memory while writing JSON");
        return CLI_ENVIRONMENT;
    }
    puts(text);
    free(text);
    return cli_close_stdout(exit_status);
}

json_t *cli_json_diagnostics(const tsr_module *m)
{
    static const char *const severity[] = {"off", "info", "warning", "error"};
    json_t *list = json_array();
    for (size_t i = 0; i < tsr_module_diagnostic_count(m); i++) {
        tsr_diagnostic d = tsr_module_diagnostic(m, i);
        json_t *one = json_object();
        json_object_set_new(one, "severity", json_string(severity[d.severity]));
        json_object_set_new(one, "number", json_integer(d.number));
        json_object_set_new(one, "message", cli_json_text(d.message));
        json_object_set_new(one, "line", json_integer(d.place.line));
        json_object_set_new(one, "column", json_integer(d.place.column));
        json_object_set_new(one, "offset_bytes", json_integer(d.place.offset_bytes));
        json_object_set_new(one, "length_bytes", json_integer(d.place.length_bytes));
        json_array_append_new(list, one);
    }
    return list;
}
