/* Lines of the emitter's own LLVM IR: what they define and use, blocks and types. */
#include "emit/llvm_read.h"

#include <stdio.h>
#include <string.h>

#define INDENT 2u

/* ---- Words of a line. */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static uint32_t read_number(const char *s, const char *end)
{
    uint32_t n = 0;
    for (; s < end && is_digit(*s); s++)
        n = n * 10 + (uint32_t)(*s - '0');
    return n;
}

static bool starts(const char *s, const char *end, const char *word)
{
    size_t len = strlen(word);
    return (size_t)(end - s) >= len && memcmp(s, word, len) == 0;
}

static const char *line_end(const tsr_lr_line *l)
{
    return l->text.s + l->text.len;
}

bool tsr_lr_begins(const tsr_lr_line *l, const char *word)
{
    return l->text.len > INDENT && starts(l->text.s + INDENT, line_end(l), word);
}

/* Behind "  %t12 = ". */
static const char *op_of(const tsr_lr_line *l)
{
    const char *s = l->text.s, *end = line_end(l);
    for (; s + 2 < end; s++)
        if (s[0] == ' ' && s[1] == '=' && s[2] == ' ') return s + 3;
    return end;
}

bool tsr_lr_is_op(const tsr_lr_line *l, const char *op)
{
    size_t len = strlen(op);
    const char *s = op_of(l), *end = line_end(l);
    return l->def && starts(s, end, op) && (size_t)(end - s) > len && s[len] == ' ';
}

/* %tN, %mask: the name; 0 for what else stands behind a `%`. */
static uint32_t name_at(const tsr_lr *r, const char *s, const char *end)
{
    if (end - s > 2 && s[1] == 't' && is_digit(s[2])) return read_number(s + 2, end);
    return starts(s, end, "%mask") ? r->mask : 0;
}

/* 1 + the label, or 0. */
static uint32_t label_at(const char *s, const char *end)
{
    if (end - s > 2 && s[1] == 'b' && is_digit(s[2])) return 1 + tsr_lr_label(read_number(s + 2, end));
    if (starts(s, end, "%start")) return 1 + TSR_LR_START;
    return starts(s, end, "%stopped") ? 1 + TSR_LR_STOPPED : 0;
}

uint32_t tsr_lr_name_len(const tsr_lr_line *line, const tsr_lr_use *use)
{
    uint32_t n = use->at + 1;
    while (n < line->text.len && (is_digit(line->text.s[n]) || (line->text.s[n] >= 'a' && line->text.s[n] <= 'z')))
        n++;
    return n - use->at;
}

/* ---- Types. */

/* Behind a type or an operand: brackets and what they hold, or a word. */
static const char *skip_part(const char *s, const char *end)
{
    uint32_t depth = 0;
    for (; s < end; s++) {
        if (*s == '<' || *s == '[' || *s == '{' || *s == '(') depth++;
        if (*s == '>' || *s == ']' || *s == '}' || *s == ')') depth--;
        if (depth == 0 && (*s == ' ' || *s == ',')) return s;
    }
    return s;
}

static const char *skip_gap(const char *s, const char *end)
{
    while (s < end && (*s == ' ' || *s == ','))
        s++;
    return s;
}

static uint32_t scalar_bytes(const char *s, size_t len)
{
    static const struct {
        const char *name;
        uint32_t bytes;
    } table[] = {{"i1", 1},  {"i8", 1},    {"i16", 2},    {"half", 2}, {"i32", 4},
                 {"i64", 8}, {"float", 4}, {"double", 8}, {"ptr", 8}};
    for (size_t i = 0; i < TSR_COUNT_OF(table); i++)
        if (strlen(table[i].name) == len && memcmp(table[i].name, s, len) == 0) return table[i].bytes;
    return 0;
}

uint32_t tsr_lr_type_bytes(tsr_str t)
{
    if (t.len < 2) return 0;
    if (t.s[0] != '<' && t.s[0] != '[') return scalar_bytes(t.s, t.len);
    const char *end = t.s + t.len - 1, *x = t.s + 1;
    uint32_t count = read_number(x, end);
    while (x < end && *x != 'x')
        x++;
    return end - x > 2 ? count * scalar_bytes(x + 2, (size_t)(end - x - 2)) : 0;
}

static tsr_str part(const char *s, const char *end)
{
    return (tsr_str){s, (size_t)(skip_part(s, end) - s)};
}

/* The first type from here on: flags of an instruction stand before it. */
static const char *find_type(const char *s, const char *end)
{
    while (s < end && *s != '<' && *s != '[' && *s != '{' && !tsr_lr_type_bytes(part(s, end)))
        s = skip_gap(skip_part(s, end), end);
    return s;
}

/* The type of the operand after this one, whose type is at `s`. */
static const char *next_type(const char *s, const char *end)
{
    s = skip_gap(skip_part(s, end), end);
    return skip_gap(skip_part(s, end), end);
}

static tsr_str like(tsr_lr *r, tsr_str vector, const char *element)
{
    char buf[48];
    uint32_t count = read_number(vector.s + 1, vector.s + vector.len);
    int n = vector.s[0] == '<' ? snprintf(buf, sizeof buf, "<%u x %s>", count, element)
                               : snprintf(buf, sizeof buf, "%s", element);
    return (tsr_str){tsr_arena_strndup(r->arena, buf, (size_t)n), (size_t)n};
}

static tsr_str element_of(tsr_str vector)
{
    const char *x = vector.s, *end = vector.s + vector.len;
    while (x < end && *x != 'x')
        x++;
    return end - x > 3 ? (tsr_str){x + 2, (size_t)(end - x - 3)} : (tsr_str){NULL, 0};
}

static bool is_one_of(const tsr_lr_line *l, const char *const *ops, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (tsr_lr_is_op(l, ops[i])) return true;
    return false;
}

tsr_str tsr_lr_type(tsr_lr *r, const tsr_lr_line *l)
{
    static const char *const pointers[] = {"getelementptr", "alloca", "inttoptr"};
    static const char *const casts[] = {"zext",   "sext",   "trunc",  "fpext",  "fptrunc", "bitcast",
                                        "uitofp", "sitofp", "fptoui", "fptosi", "ptrtoint"};
    static const char *const others[] = {"atomicrmw", "cmpxchg", "extractvalue", "insertvalue", "invoke"};
    const char *end = line_end(l), *s = op_of(l);
    if (is_one_of(l, others, TSR_COUNT_OF(others))) return (tsr_str){NULL, 0};
    if (is_one_of(l, pointers, TSR_COUNT_OF(pointers))) return TSR_STR("ptr");
    const char *type = find_type(skip_gap(skip_part(s, end), end), end);
    tsr_str first = part(type, end);
    if (tsr_lr_is_op(l, "icmp") || tsr_lr_is_op(l, "fcmp")) return like(r, first, "i1");
    if (tsr_lr_is_op(l, "extractelement")) return element_of(first);
    if (tsr_lr_is_op(l, "select")) return part(next_type(type, end), end);
    if (tsr_lr_is_op(l, "shufflevector")) {
        tsr_str mask = part(next_type(next_type(type, end), end), end), element = element_of(first);
        return element.len ? like(r, mask, tsr_arena_strndup(r->arena, element.s, element.len)) : element;
    }
    if (is_one_of(l, casts, TSR_COUNT_OF(casts))) {
        for (; s + 4 < end; s++)
            if (memcmp(s, " to ", 4) == 0) return part(s + 4, end);
        return (tsr_str){NULL, 0};
    }
    return first;
}

/* ---- Reading. */

static bool read_tokens(tsr_lr *r, tsr_lr_line *l, bool ends_block)
{
    const char *end = line_end(l), *open = NULL;
    uint32_t pending = 0;
    l->use = r->use_count;
    l->is_phi = false;
    for (const char *s = l->text.s; s < end; s++) {
        if (*s == '[') open = s, pending = 0;
        if (*s != '%') continue;
        uint32_t name = name_at(r, s, end), label = label_at(s, end);
        if (name >= r->name_count || label > r->label_count) return false;
        if (name && s == l->text.s + INDENT && !ends_block) {
            l->def = name;
            l->is_phi = tsr_lr_is_op(l, "phi");
        } else if (name) {
            r->use[r->use_count] = (tsr_lr_use){.name = name, .at = (uint32_t)(s - l->text.s)};
            pending = ++r->use_count;
        } else if (label && ends_block) {
            r->edge[r->edge_count++] = label - 1;
        } else if (label && open && pending) {
            r->use[pending - 1].from = label - 1;
        }
    }
    l->use_count = r->use_count - l->use;
    return true;
}

static bool ends(const tsr_lr_line *l)
{
    return tsr_lr_begins(l, "br ") || tsr_lr_begins(l, "switch ") || tsr_lr_begins(l, "ret ") ||
           tsr_lr_begins(l, "barrier ") || tsr_lr_begins(l, "unreachable");
}

static bool open_block(tsr_lr *r, uint32_t label)
{
    if (label >= r->label_count || r->block_of[label]) return false;
    r->block[r->block_count] = (tsr_lr_block){.label = label, .line = r->line_count};
    r->block_of[label] = ++r->block_count;
    return true;
}

/* A line of a block, or a label. */
static bool read_line(tsr_lr *r, const char *s, const char *end, bool *is_open)
{
    if (*s != ' ') {
        uint32_t label = starts(s, end, "stopped:") ? TSR_LR_STOPPED : tsr_lr_label(read_number(s + 1, end));
        bool is_label = end[-1] == ':' && (label == TSR_LR_STOPPED || (*s == 'b' && is_digit(s[1])));
        if (!is_label || *is_open) return false;
        *is_open = true;
        return open_block(r, label);
    }
    if (!*is_open) return false;
    tsr_lr_block *b = &r->block[r->block_count - 1];
    tsr_lr_line *l = &r->line[r->line_count++];
    *l = (tsr_lr_line){.text = {s, (size_t)(end - s)}};
    bool last = ends(l);
    if (last) {
        b->edge = r->edge_count;
        b->waits = tsr_lr_begins(l, "barrier ");
    }
    if (!read_tokens(r, l, last)) return false;
    b->end = r->line_count;
    if (last) {
        b->edge_count = r->edge_count - b->edge;
        *is_open = false;
    }
    return true;
}

static bool read_text(tsr_lr *r, const tsr_text *t, bool is_prologue)
{
    const char *s = tsr_text_get(t), *end = s + t->len;
    bool is_open = !is_prologue && r->block_count == 0;
    if (is_open && !open_block(r, TSR_LR_START)) return false;
    while (s < end) {
        const char *next = memchr(s, '\n', (size_t)(end - s));
        if (!next || next == s) return false;
        if (is_prologue) {
            r->line[r->line_count] = (tsr_lr_line){.text = {s, (size_t)(next - s)}};
            if (!read_tokens(r, &r->line[r->line_count++], false)) return false;
        } else if (!read_line(r, s, next, &is_open)) {
            return false;
        }
        s = next + 1;
    }
    return is_prologue || !is_open;
}

static void count(const tsr_text *t, uint32_t *lines, uint32_t *names)
{
    const char *s = tsr_text_get(t);
    for (size_t i = 0; i < t->len; i++) {
        if (s[i] == '\n') ++*lines;
        if (s[i] == '%') ++*names;
    }
}

/* Edges were read as labels. */
static bool find_edges(tsr_lr *r)
{
    for (uint32_t i = 0; i < r->edge_count; i++) {
        if (!r->block_of[r->edge[i]]) return false;
        r->edge[i] = r->block_of[r->edge[i]] - 1;
    }
    for (uint32_t i = 0; i < r->line_count; i++)
        for (uint32_t u = 0; r->line[i].is_phi && u < r->line[i].use_count; u++) {
            tsr_lr_use *use = &r->use[r->line[i].use + u];
            if (!r->block_of[use->from]) return false;
            use->from = r->block_of[use->from] - 1;
        }
    return true;
}

bool tsr_lr_read(tsr_lr *r, tsr_arena *arena, uint32_t mask, const tsr_text *prologue, const tsr_text *body,
                 const tsr_text *cold)
{
    uint32_t lines = 1, names = 1;
    *r = (tsr_lr){.arena = arena, .mask = mask, .name_count = mask + 1};
    r->label_count = tsr_lr_label(mask);
    count(prologue, &lines, &names);
    count(body, &lines, &names);
    count(cold, &lines, &names);
    r->line = TSR_NEW_ARRAY(arena, tsr_lr_line, lines);
    r->block = TSR_NEW_ARRAY(arena, tsr_lr_block, lines + 1);
    r->use = TSR_NEW_ARRAY(arena, tsr_lr_use, names);
    r->edge = TSR_NEW_ARRAY(arena, uint32_t, names);
    r->block_of = TSR_NEW_ARRAY(arena, uint32_t, r->label_count);
    if (!read_text(r, prologue, true)) return false;
    r->prologue_end = r->line_count;
    return read_text(r, body, false) && read_text(r, cold, false) && find_edges(r);
}
