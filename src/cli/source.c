/* A program from a file. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

/* What tsr_compile takes, so that an endless file is refused before memory is. */
#define SOURCE_BYTES_MAX (UINT64_C(1) << 31)
#define LINE_BYTES_MAX   240 /* of a source line that is shown */

static bool is_ir(const char *path)
{
    size_t len = strlen(path);
    return len > 3 && strcmp(path + len - 3, ".ir") == 0;
}

/* ---- Messages about places ------------------------------------------------------------------------------------- */

/* "...:LINE:COLUMN: KIND: " at the front of a line: finds the numbers and where the kind begins. A name may hold
 * colons, so the first ": error: ", ": warning: " or ": note: " decides. */
static bool find_place(const char *line, size_t len, uint64_t *row, uint64_t *column, size_t *kind)
{
    static const char *const kinds[] = {": error: ", ": warning: ", ": note: "};
    for (size_t at = 0; at < len; at++) {
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            if (strncmp(line + at, kinds[k], strlen(kinds[k])) != 0) continue;
            size_t second = at, first;
            while (second > 0 && line[second - 1] != ':')
                second--;
            first = second ? second - 1 : 0;
            while (first > 0 && line[first - 1] != ':')
                first--;
            *kind = at + 2;
            return first > 0 && cli_parse_u64(line + second, at - second, column) && *column > 0 &&
                   cli_parse_u64(line + first, second - 1 - first, row) && *row > 0;
        }
    }
    return false;
}

/* The source line, from `at` up to its end; only its printable bytes. False when there is no such line. */
static bool print_source_line(const struct cli_bytes *source, uint64_t row, uint64_t column)
{
    const char *at = (const char *)source->data, *end = at + source->size_bytes;
    for (; row > 1 && at < end; row--) {
        while (at < end && *at != '\n' && *at != '\r')
            at++;
        if (at + 1 < end && at[0] == '\r' && at[1] == '\n') at++;
        if (at < end) at++;
    }
    if (row > 1 || at == end) return false;
    const char *start = at;
    while (at < end && *at != '\n' && *at != '\r' && at - start < LINE_BYTES_MAX) {
        fputc((unsigned char)*at < ' ' && *at != '\t' ? '?' : *at, stderr);
        at++;
    }
    fputc('\n', stderr);
    for (const char *c = start; column > 1 && c < at; c++) {
        if (((unsigned char)*c & 0xc0) == 0x80) continue; /* inside a code point: columns count those */
        fputc(*c == '\t' ? '\t' : ' ', stderr);
        column--;
    }
    return true;
}

void cli_show_lines(const char *lines, const struct cli_bytes *source)
{
    bool color = cli_use_color();
    while (*lines) {
        size_t len = strcspn(lines, "\n"), kind = 0;
        uint64_t row, column;
        bool placed = find_place(lines, len, &row, &column, &kind);
        size_t kind_len = kind ? strcspn(lines + kind, ":") : 0;
        const char *shade = lines[kind] == 'e' ? "\033[1;31m" : lines[kind] == 'w' ? "\033[1;35m" : "\033[1;36m";
        if (color && kind)
            fprintf(stderr, "\033[1m%.*s%s%.*s\033[0m\033[1m%.*s\033[0m\n", (int)kind, lines, shade, (int)kind_len,
                    lines + kind, (int)(len - kind - kind_len), lines + kind + kind_len);
        else
            fprintf(stderr, "%.*s\n", (int)len, lines);
        if (placed && source->data && print_source_line(source, row, column))
            fputs(color ? "\033[1;32m^\033[0m\n" : "^\n", stderr);
        lines += len + (lines[len] == '\n');
    }
}

/* ---- Loading --------------------------------------------------------------------------------------------------- */

static void show_diagnostics(tsr_module *m)
{
    int color = cli_use_color();
    for (size_t i = 0; i < tsr_module_diagnostic_count(m); i++)
        fputs(tsr_module_diagnostic_text(m, i, color), stderr);
}

int cli_load(const char *path, bool show, tsr_module **out, struct cli_bytes *keep)
{
    struct cli_bytes source = {0};
    *out = NULL;
    int status = cli_read_file(path, CLI_TEXT, SOURCE_BYTES_MAX, &source);
    if (status != CLI_DONE) return status;
    tsr_compile_args args = {.name = strcmp(path, "-") == 0 ? "<stdin>" : path,
                             .source = (const char *)source.data,
                             .source_bytes = source.size_bytes,
                             .ir_text = is_ir(path)};
    tsr_status st = tsr_compile(&args, out);
    if (keep)
        *keep = source;
    else
        free(source.data);
    if (*out && show) show_diagnostics(*out);
    if (st == TSR_OK) return CLI_DONE;
    return *out ? CLI_BAD_INPUT : cli_fail(st);
}
