/* Messages of the validation layers. They come in the middle of a call, from any thread; errors are kept and make the
 * call fail, at the line of the program that they are about, warnings go to standard error.
 *
 * The layers tell of SPIR-V by its ids ("%57", "57[%57]", "%name"). Modules carry the program's lines when a device
 * validates, so an id leads to the instruction that makes it, and that to a line. What names no id of a function stands
 * at the entry point. */
#include "device/vulkan.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEAD_WORDS = 5,
    OP_NAME = 5,
    OP_LINE = 8,
    OP_FUNCTION = 54,
    OP_FUNCTION_END = 56,
    OP_LABEL = 248,
    OP_NO_LINE = 317
};

void tsr_vk_log_add(vk_log *log, const char *text)
{
    size_t bytes = strlen(text) + 1;
    pthread_mutex_lock(&log->lock);
    char *copy = log->count < VK_MESSAGES_MAX ? malloc(bytes) : NULL;
    if (copy) memcpy(copy, text, bytes), log->items[log->count++] = copy;
    log->errors++;
    pthread_mutex_unlock(&log->lock);
}

void tsr_vk_log_fini(vk_log *log)
{
    for (uint32_t i = 0; i < log->count; i++) {
        fprintf(stderr, "vulkan: error: %s\n", log->items[i]);
        free(log->items[i]);
    }
    pthread_mutex_destroy(&log->lock);
}

/* ---- From an id to a line. */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The id with that name, as the layers write names: what is no letter or digit is '_', and those that come again end in
 * _0, _1, ... 0 when there is none. */
static uint32_t id_of_name(const uint32_t *words, size_t count, const char *name, size_t len)
{
    uint32_t nth = 0, seen = 0;
    size_t digits = 0;
    while (digits < len && isdigit((unsigned char)name[len - digits - 1]))
        digits++;
    for (int pass = 0; pass < 2; pass++) { /* as it stands, then without the number at its end */
        if (pass == 1) {
            if (digits == 0 || digits > 6 || len < digits + 2 || name[len - digits - 1] != '_') return 0;
            nth = (uint32_t)strtoul(name + len - digits, NULL, 10) + 1;
            len -= digits + 1;
        }
        for (size_t i = HEAD_WORDS; i < count && words[i] >> 16; i += words[i] >> 16) {
            size_t room = (words[i] >> 16) * sizeof *words, at = 0;
            if ((words[i] >> 16) > count - i || (words[i] & 0xffffu) == OP_FUNCTION) break;
            if ((words[i] & 0xffffu) != OP_NAME || room < 12) continue;
            const char *own = (const char *)&words[i + 2];
            while (at < len && at < room - 8 && (is_word(own[at]) ? own[at] == name[at] : own[at] && name[at] == '_'))
                at++;
            if (at == len && at < room - 8 && own[at] == 0 && seen++ == nth) return words[i + 1];
        }
        seen = 0;
    }
    return 0;
}

/* The next id at *at: a number behind '%' or before "[%", or a name behind '%'. */
static bool next_id(const uint32_t *words, size_t count, const char **at, uint32_t *id)
{
    bool follows = false; /* a '%' */
    for (const char *s = *at; *s;) {
        size_t len = 0, digits = 0;
        while (is_word(s[len]))
            digits += isdigit((unsigned char)s[len++]) != 0;
        if (len == 0) {
            follows = *s++ == '%';
            continue;
        }
        bool is_number = digits == len && len < 10, is_id = follows || strncmp(s + len, "[%", 2) == 0;
        *id = !is_id ? 0 : is_number ? (uint32_t)strtoul(s, NULL, 10) : id_of_name(words, count, s, len);
        *at = s += len;
        follows = false;
        if (*id) return true;
    }
    return false;
}

/* The first instruction in a function whose second operand is the id is the one that makes it, since ids are made
 * before they are used; 0 when there is none, or it has no line. */
static uint32_t line_of_id(const uint32_t *words, size_t count, uint32_t id, uint32_t *column)
{
    uint32_t line = 0;
    bool inside = false;
    *column = 0;
    for (size_t i = HEAD_WORDS; i < count && words[i] >> 16; i += words[i] >> 16) {
        uint32_t op = words[i] & 0xffffu, length = words[i] >> 16;
        if (length > count - i) break;
        if (op == OP_FUNCTION) inside = true;
        if (op == OP_FUNCTION_END || op == OP_NO_LINE || op == OP_LABEL) line = 0;
        if (op == OP_LINE && length > 3)
            line = words[i + 2], *column = words[i + 3];
        else if (inside && op != OP_FUNCTION && length > 2 && words[i + 2] == id)
            return line;
    }
    return 0;
}

uint32_t tsr_vk_find_line(const uint32_t *words, size_t count, const char *text, uint32_t *column)
{
    uint32_t id, line;
    while (next_id(words, count, &text, &id))
        if ((line = line_of_id(words, count, id, column)) > 0) return line;
    return 0;
}

/* ---- At the end of a call. */

static void add_message(tsr_text *out, const vk_pipeline *p, const char *text)
{
    uint32_t line = 0, column = 0;
    if (p && p->words) line = tsr_vk_find_line(p->words, p->word_count, text, &column);
    if (p && !line) {
        tsr_built *b = p->head.build;
        tsr_span span = tsr_function_at(b->program.ir, b->program.entry)->span;
        tsr_source_locate(&b->source, &b->arena, span.pos, &line, &column);
    }
    if (p) tsr_text_printf(out, "%s:%u:%u: ", p->head.build->source.name, (unsigned)line, (unsigned)column);
    tsr_text_printf(out, "%svalidation layer: %s\n", p ? "error: " : "vulkan: ", text);
}

tsr_status tsr_vk_check_messages(vk_state *d, const vk_pipeline *p, tsr_status st)
{
    vk_log *log = &d->host.log;
    tsr_text out;
    if (!d->host.validates) return st;
    tsr_text_init(&out, NULL);
    pthread_mutex_lock(&log->lock);
    uint32_t errors = log->errors;
    for (uint32_t i = 0; i < log->count; i++) {
        add_message(&out, p, log->items[i]);
        free(log->items[i]);
    }
    if (errors > log->count) tsr_text_printf(&out, "vulkan: %u messages more\n", (unsigned)(errors - log->count));
    log->errors = log->count = 0;
    pthread_mutex_unlock(&log->lock);
    if (errors) {
        if (st != TSR_OK) tsr_text_puts(&out, tsr_last_error());
        size_t len = out.len;
        if (len && out.s[len - 1] == '\n') out.s[len - 1] = 0;
        st = tsr_fail(TSR_ERR_VALIDATION, "%s", tsr_text_get(&out));
    }
    tsr_text_fini(&out);
    return st;
}
