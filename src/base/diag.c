/* Diagnostics: collected in the order of their finding, printed as clang prints them. What comes from the user's text
 * is shown so that no byte of it can move the cursor, recolour the terminal or hide what it is. */
#include "base/diag.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ERROR_LIMIT   100
#define ROW_WIDTH     118 /* cells of a source line that are shown */
#define LEAD_FULL     90  /* a caret up to here needs no cut */
#define LEAD_CUT      60  /* cells kept before the caret when the line is cut */
#define CUT_MARK      "..."
#define MESSAGE_BYTES 2048

void tsr_diags_init(tsr_diags *d, tsr_arena *arena, tsr_source *source)
{
    *d = (tsr_diags){.arena = arena, .source = source, .limit = ERROR_LIMIT};
}

static const struct {
    tsr_diag_code code;
    const char *title;
} titles[] = {
#define DIAG(name, number, title) {TSR_E_##name, title},
#include "base/diag.def"
};

const char *tsr_diag_title(tsr_diag_code code)
{
    for (size_t i = 0; i < TSR_COUNT_OF(titles); i++) {
        if (titles[i].code == code) return titles[i].title;
    }
    return "";
}

const char *tsr_severity_name(tsr_severity s)
{
    switch (s) {
    case TSR_SEVERITY_OFF: return "off";
    case TSR_SEVERITY_INFO: return "info";
    case TSR_SEVERITY_WARNING: return "warning";
    case TSR_SEVERITY_ERROR: return "error";
    }
    return "off";
}

/* ---- One piece of the user's text, safe to show --------------------------------------------------------------- */

/* Controls, and what reorders or hides text (Unicode bidirectional formatting, zero-width and interlinear marks). */
static bool is_hidden(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0xad || (code >= 0x200b && code <= 0x200f) ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) || code == 0xfeff ||
           (code >= 0xfff9 && code <= 0xfffb) || (code >= 0xe0000 && code <= 0xe0fff);
}

/* Cells on a terminal: marks that sit on the letter before take none, East Asian wide letters and emoji two. */
static unsigned get_width(uint32_t code)
{
    static const struct {
        uint32_t first, last;
    } none[] = {{0x300, 0x36f}, {0x1ab0, 0x1aff}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}},
      wide[] = {{0x1100, 0x115f}, {0x2e80, 0xa4cf}, {0xac00, 0xd7a3},   {0xf900, 0xfaff},  {0xfe30, 0xfe6f},
                {0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x1f300, 0x1faff}, {0x20000, 0x3fffd}};
    for (size_t i = 0; i < TSR_COUNT_OF(none); i++) {
        if (code >= none[i].first && code <= none[i].last) return 0;
    }
    for (size_t i = 0; i < TSR_COUNT_OF(wide); i++) {
        if (code >= wide[i].first && code <= wide[i].last) return 2;
    }
    return 1;
}

/* The code point, or the one malformed byte, at the front of a text. */
struct piece {
    uint32_t code;
    unsigned bytes, cells; /* cells that show_piece fills; a tab counts as one */
    bool malformed, hidden;
};

static struct piece read_piece(const char *s, size_t len)
{
    struct piece p = {0};
    p.bytes = tsr_utf8_decode(s, len, &p.code);
    p.malformed = p.bytes == 0;
    if (p.malformed) {
        p.code = (unsigned char)s[0];
        p.bytes = 1;
        p.cells = sizeof "<00>" - 1;
        return p;
    }
    p.hidden = p.code != '\t' && is_hidden(p.code);
    p.cells = p.hidden ? (p.code > 0xffff ? sizeof "<U+00000>" : sizeof "<U+0000>") - 1 : get_width(p.code);
    return p;
}

static void show_piece(tsr_text *out, const char *s, struct piece p)
{
    if (p.malformed)
        tsr_text_printf(out, "<%02X>", (unsigned)p.code);
    else if (p.hidden)
        tsr_text_printf(out, "<U+%04X>", (unsigned)p.code);
    else
        tsr_text_add(out, s, p.bytes);
}

static void show_all(tsr_text *out, const char *s, size_t len)
{
    struct piece p;
    for (size_t i = 0; i < len; i += p.bytes) {
        p = read_piece(s + i, len - i);
        show_piece(out, s + i, p);
    }
}

/* ---- Collecting ----------------------------------------------------------------------------------------------- */

/* The message as one safe line in the arena; a very long one (a name of megabytes) is cut. */
static const char *make_message(tsr_diags *d, const char *fmt, va_list args)
{
    char raw[MESSAGE_BYTES];
    int need = vsnprintf(raw, sizeof raw, fmt, args);
    size_t len = need > 0 ? strlen(raw) : 0;
    bool cut = need >= (int)sizeof raw;
    while (cut && len && ((unsigned char)raw[len - 1] & 0xc0) == 0x80)
        len--; /* the rest of a code point cut apart */
    if (cut && len && (unsigned char)raw[len - 1] >= 0xc0) len--;
    tsr_text safe;
    tsr_text_init(&safe, d->arena);
    show_all(&safe, raw, len);
    if (cut) tsr_text_puts(&safe, CUT_MARK);
    return tsr_text_get(&safe);
}

static tsr_diag *append_diag(tsr_diags *d, tsr_severity severity, tsr_span span, tsr_diag_code code, const char *text)
{
    tsr_diag *diag = TSR_NEW(d->arena, tsr_diag);
    *diag = (tsr_diag){.severity = severity, .code = code, .span = span, .text = text};
    if (d->last)
        d->last->next = diag;
    else
        d->first = diag;
    d->last = diag;
    return diag;
}

/* Counts the report; false when it is over the limit or switched off, and so is not kept. */
static bool count_report(tsr_diags *d, tsr_severity severity)
{
    if (severity == TSR_SEVERITY_OFF) return false;
    uint32_t *count = severity == TSR_SEVERITY_ERROR ? &d->error_count : &d->warning_count;
    if (*count < UINT32_MAX) ++*count;
    if (*count <= d->limit) return true;
    if (*count == d->limit + 1) {
        append_diag(d, TSR_SEVERITY_INFO, (tsr_span){0, 0}, TSR_E_NONE,
                    severity == TSR_SEVERITY_ERROR ? "too many errors; the rest is not shown"
                                                   : "too many warnings; the rest is not shown");
    }
    return false;
}

static tsr_diag *report(tsr_diags *d, tsr_severity severity, tsr_span span, tsr_diag_code code, const char *fmt,
                        va_list args)
{
    if (count_report(d, severity)) return append_diag(d, severity, span, code, make_message(d, fmt, args));
    if (!d->unkept) d->unkept = TSR_NEW(d->arena, tsr_diag);
    *d->unkept = (tsr_diag){.severity = severity, .code = code, .span = span, .text = ""};
    return d->unkept;
}

tsr_diag *tsr_error(tsr_diags *d, tsr_span span, tsr_diag_code code, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    tsr_diag *diag = report(d, TSR_SEVERITY_ERROR, span, code, fmt, args);
    va_end(args);
    return diag;
}

tsr_diag *tsr_report(tsr_diags *d, tsr_severity severity, tsr_span span, tsr_diag_code code, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    tsr_diag *diag = report(d, severity, span, code, fmt, args);
    va_end(args);
    return diag;
}

void tsr_note(tsr_diags *d, tsr_diag *to, tsr_span span, const char *fmt, ...)
{
    if (to == d->unkept) return;
    va_list args;
    va_start(args, fmt);
    tsr_diag_note *note = TSR_NEW(d->arena, tsr_diag_note);
    *note = (tsr_diag_note){.span = span, .text = make_message(d, fmt, args)};
    va_end(args);
    tsr_diag_note **end = &to->notes;
    while (*end)
        end = &(*end)->next;
    *end = note;
}

/* ---- Places --------------------------------------------------------------------------------------------------- */

/* The length of the line break at text[i]: LF, CR or CR LF, as editors count lines; 0 when there is none. */
static unsigned get_break(const tsr_source *src, size_t i)
{
    if (src->text[i] == '\n') return 1;
    if (src->text[i] != '\r') return 0;
    return i + 1 < src->len && src->text[i + 1] == '\n' ? 2 : 1;
}

static void index_lines(tsr_source *src, tsr_arena *arena)
{
    size_t count = 1;
    for (size_t i = 0; i < src->len; i++) {
        unsigned n = get_break(src, i);
        count += n > 0;
        i += n > 1;
    }
    src->line_start = TSR_NEW_ARRAY(arena, uint32_t, count);
    src->line_count = 1;
    for (size_t i = 0; i < src->len; i++) {
        unsigned n = get_break(src, i);
        if (n) src->line_start[src->line_count++] = (uint32_t)(i + n);
        i += n > 1;
    }
}

/* The line, from 0, that holds byte `pos`. */
static uint32_t find_line(tsr_source *src, tsr_arena *arena, uint32_t pos)
{
    if (!src->line_start) index_lines(src, arena);
    uint32_t low = 0, high = src->line_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (src->line_start[middle] <= pos)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void tsr_source_locate(tsr_source *src, tsr_arena *arena, uint32_t pos, uint32_t *line, uint32_t *column)
{
    if (pos > src->len) pos = (uint32_t)src->len;
    uint32_t index = find_line(src, arena, pos);
    uint32_t count = 1;
    for (size_t i = src->line_start[index]; i < pos; count++) {
        i += read_piece(src->text + i, src->len - i).bytes;
        if (i > pos) break;
    }
    *line = index + 1;
    *column = count;
}

/* ---- Printing ------------------------------------------------------------------------------------------------- */

struct style {
    const char *bold, *error, *warning, *note, *caret, *off;
};

static const struct style plain = {"", "", "", "", "", ""};
static const struct style colored = {"\033[1m", "\033[1;31m", "\033[1;35m", "\033[1;36m", "\033[1;32m", "\033[0m"};

/* Where the piece that ends before text[at] begins; start < at. */
static size_t step_back(const char *text, size_t start, size_t at)
{
    for (size_t n = 1; n <= 4 && n <= at - start; n++) {
        struct piece p = read_piece(text + at - n, n);
        if (!p.malformed && p.bytes == n) return at - n;
    }
    return at - 1;
}

/* Room that a piece takes on the line: marks without a cell count too, so that no line of them is endless. */
static unsigned get_room(struct piece p)
{
    return p.cells ? p.cells : 1;
}

/* The first byte shown of the line that begins at `start`, when byte `pos` must be visible. */
static size_t find_window(const char *text, size_t start, size_t pos)
{
    size_t at = pos, cut = pos;
    for (unsigned room = 0; at > start;) {
        at = step_back(text, start, at);
        room += get_room(read_piece(text + at, pos - at));
        if (room <= LEAD_CUT) cut = at;
        if (room > LEAD_FULL) return cut;
    }
    return start;
}

static void repeat(tsr_text *out, char ch, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        tsr_text_add(out, &ch, 1);
}

/* What stands under one code point: nothing before the span, the caret at its first, a line under the others. */
static void mark_one(tsr_text *marks, size_t at, tsr_span span, bool is_tab, unsigned width)
{
    if (at < span.pos) {
        repeat(marks, is_tab ? '\t' : ' ', is_tab ? 1 : width);
    } else if (at == span.pos) {
        repeat(marks, '^', 1);
        if (is_tab)
            repeat(marks, '\t', 1);
        else if (width > 1)
            repeat(marks, '~', width - 1);
    } else if (at - span.pos < span.len) {
        repeat(marks, is_tab ? '\t' : '~', is_tab ? 1 : width);
    }
}

/* The source line of the span and the line of its caret; of a long line, the part around the caret. */
static void print_line(tsr_text *out, tsr_diags *d, tsr_span span, const struct style *style)
{
    const tsr_source *src = d->source;
    size_t start = src->line_start[find_line(d->source, d->arena, span.pos)];
    size_t at = find_window(src->text, start, span.pos);
    tsr_text marks;
    tsr_text_init(&marks, d->arena);
    if (at > start) {
        tsr_text_puts(out, CUT_MARK);
        repeat(&marks, ' ', sizeof CUT_MARK - 1);
    }
    unsigned used = 0;
    while (at < src->len && !get_break(src, at)) {
        if (used >= ROW_WIDTH) {
            tsr_text_puts(out, CUT_MARK);
            break;
        }
        struct piece p = read_piece(src->text + at, src->len - at);
        show_piece(out, src->text + at, p);
        mark_one(&marks, at, span, p.code == '\t', p.cells);
        used += get_room(p);
        at += p.bytes;
    }
    if (at <= span.pos) repeat(&marks, '^', 1);
    tsr_text_printf(out, "\n%s%s%s\n", style->caret, tsr_text_get(&marks), style->off);
}

static void print_one(tsr_text *out, tsr_diags *d, tsr_span span, const char *kind, const char *kind_style,
                      const char *text, unsigned number, const struct style *style)
{
    bool placed = d->source && (span.pos || span.len);
    bool named = d->source && (placed || strcmp(kind, "note") != 0); /* a hint belongs to the line above it */
    tsr_text_puts(out, style->bold);
    if (named) {
        show_all(out, d->source->name, strlen(d->source->name));
        tsr_text_puts(out, ":");
    }
    if (placed) {
        uint32_t line, column;
        if (span.pos > d->source->len) span = (tsr_span){(uint32_t)d->source->len, 0};
        tsr_source_locate(d->source, d->arena, span.pos, &line, &column);
        tsr_text_printf(out, "%u:%u:", (unsigned)line, (unsigned)column);
    }
    tsr_text_printf(out, "%s%s%s%s: %s%s%s", named ? " " : "", style->off, kind_style, kind, style->off, style->bold,
                    text);
    if (number) tsr_text_printf(out, " [E%04u]", number);
    tsr_text_printf(out, "%s\n", style->off);
    if (placed) print_line(out, d, span, style);
}

void tsr_diag_print(tsr_text *out, tsr_diags *d, const tsr_diag *diag, bool color)
{
    const struct style *style = color ? &colored : &plain;
    const char *kind_style = diag->severity == TSR_SEVERITY_ERROR     ? style->error
                             : diag->severity == TSR_SEVERITY_WARNING ? style->warning
                                                                      : style->note;
    print_one(out, d, diag->span, tsr_severity_name(diag->severity), kind_style, diag->text, (unsigned)diag->code,
              style);
    for (const tsr_diag_note *n = diag->notes; n; n = n->next)
        print_one(out, d, n->span, "note", style->note, n->text, 0, style);
}

void tsr_ice(const char *file, int line, const char *what)
{
    fprintf(stderr, "tessera: internal error at %s:%d: %s\nPlease report this, with the program that led to it.\n",
            file, line, what);
    abort();
}
