/* Reads the line table of an object: DWARF 4, section 6.2, as LLVM writes it for one unit. Fields and opcodes are the
 * standard's. What it does not know ends the reading: it is for profiles, nothing depends on it. */
#include "exec/jit_inside.h"

#include <string.h>

enum {
    LNS_COPY = 1,
    LNS_ADVANCE_PC,
    LNS_ADVANCE_LINE,
    LNS_SET_FILE,
    LNS_SET_COLUMN,
    LNS_NEGATE_STMT,
    LNS_SET_BASIC_BLOCK,
    LNS_CONST_ADD_PC,
    LNS_FIXED_ADVANCE_PC
};
enum { LNE_END_SEQUENCE = 1, LNE_SET_ADDRESS };

typedef struct reader {
    const unsigned char *at, *end;
    bool bad;
} reader;

static uint64_t fixed(reader *r, size_t bytes)
{
    uint64_t x = 0;
    if ((size_t)(r->end - r->at) < bytes) {
        r->bad = true;
        return 0;
    }
    memcpy(&x, r->at, bytes); /* the machines that we run on are little endian */
    r->at += bytes;
    return x;
}

static uint64_t leb(reader *r, bool is_signed)
{
    uint64_t x = 0;
    unsigned shift = 0;
    for (;;) {
        uint64_t byte = fixed(r, 1);
        if (r->bad || shift > 63) {
            r->bad = true;
            return 0;
        }
        x |= (byte & 0x7f) << shift;
        shift += 7;
        if (byte & 0x80) continue;
        if (is_signed && byte & 0x40 && shift < 64) x |= UINT64_MAX << shift;
        return x;
    }
}

typedef struct table {
    reader r;
    uint8_t min_length, line_range, opcode_base;
    int8_t line_base;
    const unsigned char *operands; /* of the standard opcodes: how many */
    tsr_line_fn give;
    void *user;
    uint64_t address, row_address;
    uint32_t line, row_line;
    bool has_row;
} table;

static bool read_header(table *t)
{
    uint64_t length = fixed(&t->r, 4), version = fixed(&t->r, 2);
    if (t->r.bad || length > (uint64_t)(t->r.end - t->r.at) + 2 || version != 4) return false;
    t->r.end = t->r.at - 2 + length;
    uint64_t header = fixed(&t->r, 4);
    if (t->r.bad || header > (uint64_t)(t->r.end - t->r.at)) return false;
    const unsigned char *program = t->r.at + header;
    t->min_length = (uint8_t)fixed(&t->r, 1);
    (void)fixed(&t->r, 2); /* operations an instruction; whether rows are statements at first */
    t->line_base = (int8_t)fixed(&t->r, 1);
    t->line_range = (uint8_t)fixed(&t->r, 1);
    t->opcode_base = (uint8_t)fixed(&t->r, 1);
    t->operands = t->r.at;
    if (t->r.bad || t->line_range == 0 || t->opcode_base == 0 || t->r.end - t->r.at < t->opcode_base) return false;
    t->r.at = program;
    return true;
}

/* A row says where its line begins; where it ends the next one says. */
static void put_row(table *t)
{
    if (t->has_row && t->address > t->row_address) t->give(t->user, t->row_address, t->address, t->row_line);
    t->has_row = true;
    t->row_address = t->address;
    t->row_line = t->line;
}

static void extended(table *t)
{
    uint64_t length = leb(&t->r, false);
    if (t->r.bad || length == 0 || length > (uint64_t)(t->r.end - t->r.at)) {
        t->r.bad = true;
        return;
    }
    const unsigned char *next = t->r.at + length;
    uint64_t op = fixed(&t->r, 1);
    if (op == LNE_SET_ADDRESS) t->address = fixed(&t->r, 8);
    if (op == LNE_END_SEQUENCE) {
        put_row(t);
        t->has_row = false;
        t->address = 0;
        t->line = 1;
    }
    t->r.at = next;
}

static void special(table *t, uint8_t adjusted)
{
    t->address += (uint64_t)(adjusted / t->line_range) * t->min_length;
    t->line += (uint32_t)(t->line_base + adjusted % t->line_range);
    put_row(t);
}

static void standard(table *t, uint8_t op)
{
    switch (op) {
    case LNS_COPY: put_row(t); break;
    case LNS_ADVANCE_PC: t->address += leb(&t->r, false) * t->min_length; break;
    case LNS_ADVANCE_LINE: t->line += (uint32_t)leb(&t->r, true); break;
    case LNS_CONST_ADD_PC: t->address += (uint64_t)((255 - t->opcode_base) / t->line_range) * t->min_length; break;
    case LNS_FIXED_ADVANCE_PC: t->address += fixed(&t->r, 2); break;
    default:
        for (unsigned i = 0; i < t->operands[op - 1]; i++)
            (void)leb(&t->r, false);
        break;
    }
}

void tsr_lines_read(const unsigned char *section, size_t bytes, tsr_line_fn give, void *user)
{
    table t = {.r = {section, section + bytes, false}, .give = give, .user = user, .line = 1};
    if (!read_header(&t)) return;
    while (t.r.at < t.r.end && !t.r.bad) {
        uint8_t op = (uint8_t)fixed(&t.r, 1);
        if (op >= t.opcode_base)
            special(&t, (uint8_t)(op - t.opcode_base));
        else if (op == 0)
            extended(&t);
        else
            standard(&t, op);
    }
}
