/* A module as text, in the form that spirv-as reads: with the user's names where the module carries some, and names
 * that say what they are for types and constants. */
#include "base/number.h"
#include "emit/spirv.h"

#include <stdio.h>
#include <string.h>

struct row {
    const char *name, *operands;
};

/* By cases: a table over all numbers of instructions would be 80 kB of pointers, which each start relocates. */
#define SPV(name, opcode, operands)                                                                                    \
    case opcode: return (struct row){"Op" #name, operands};

static struct row get_op(uint32_t op)
{
    switch (op) {
#include "emit/spirv_op.def"
    default: return (struct row){"OpUnknown", ""};
    }
}

static const struct enumerant {
    const char *name;
    uint32_t value;
    char letter;
} enumerants[] = {
#define ENUM(kind, letter, name, value) {#name, value, letter},
#include "emit/spirv_enum.def"
};

struct text {
    tsr_text *out;
    tsr_arena *arena;
    const uint32_t *words;
    uint32_t count, bound;
    const char **names; /* by id */
    uint32_t *made_at;  /* by id: where the instruction that makes it begins; 0: nowhere */
    tsr_map taken;      /* hash of a name -> how often */
};

/* ---- Finding. */

static const char *find_enumerant(char letter, uint32_t value)
{
    for (size_t i = 0; i < TSR_COUNT_OF(enumerants); i++)
        if (enumerants[i].letter == letter && enumerants[i].value == value) return enumerants[i].name;
    return NULL;
}

static uint32_t op_at(const struct text *t, uint32_t at)
{
    return t->words[at] & UINT16_MAX;
}

/* Where the result id stands in an instruction, 0 when it has none. */
static uint32_t result_place(uint32_t op)
{
    const char *operands = get_op(op).operands;
    return operands[0] == 'R' ? 1 : operands[0] == 'T' ? 2 : 0;
}

static uint32_t type_at(const struct text *t, uint32_t id)
{
    uint32_t at = t->made_at[id];
    return at && get_op(op_at(t, at)).operands[0] == 'T' ? t->words[at + 1] : 0;
}

/* ---- Names. */

static char *text_of_name(struct text *t, const char *wanted)
{
    size_t len = strlen(wanted);
    char *name = tsr_arena_strndup(t->arena, wanted, len);
    for (size_t i = 0; i < len; i++) {
        char c = name[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        if (!plain) name[i] = '_';
    }
    return name;
}

/* Gives an id the name, with a number behind when another has it. */
static void set_name(struct text *t, uint32_t id, const char *wanted)
{
    char *name = text_of_name(t, wanted), tail[16];
    uint32_t times = 0;
    if (t->names[id]) return;
    for (;;) {
        uint64_t hash = tsr_hash_bytes(name, strlen(name), 0);
        bool is_taken = tsr_map_find(&t->taken, hash, &times);
        tsr_map_set(&t->taken, hash, is_taken ? times + 1 : 1);
        if (!is_taken) break;
        tsr_text longer;
        tsr_text_init(&longer, t->arena);
        snprintf(tail, sizeof tail, "_%u", (unsigned)times);
        tsr_text_puts(&longer, name);
        tsr_text_puts(&longer, tail);
        name = longer.s;
    }
    t->names[id] = name;
}

static const char *name_of(const struct text *t, uint32_t id)
{
    return id < t->bound && t->names[id] ? t->names[id] : "";
}

static const char *make(struct text *t, const char *fmt, ...) TSR_PRINTF(2, 3);
static const char *make(struct text *t, const char *fmt, ...)
{
    tsr_text text;
    va_list args;
    tsr_text_init(&text, t->arena);
    va_start(args, fmt);
    tsr_text_vprintf(&text, fmt, args);
    va_end(args);
    return tsr_text_get(&text);
}

static const char *number_name(struct text *t, const char *type, uint32_t type_id, uint32_t bits)
{
    uint32_t at = t->made_at[type_id];
    if (op_at(t, at) == SPV_TypeInt) {
        if (t->words[at + 3] && (int32_t)bits < 0) return make(t, "%s_m%u", type, 0u - bits);
        return make(t, "%s_%u", type, (unsigned)bits);
    }
    char number[40];
    if (t->words[at + 2] == 32)
        tsr_format_f32(number, tsr_f32_from_bits(bits));
    else if (t->words[at + 2] == 16)
        tsr_format_f16(number, (uint16_t)bits);
    else
        return NULL;
    if (number[0] == '-') number[0] = 'm';
    return make(t, "%s_%s", type, number);
}

/* left_f16_16x8: use, component, rows and columns, when these are constants. */
static const char *matrix_name(struct text *t, const uint32_t *w)
{
    static const char *const uses[] = {"left", "right", "result"};
    uint32_t number[3];
    for (int i = 0; i < 3; i++) {
        uint32_t at = t->made_at[w[4 + i]];
        if (!at || op_at(t, at) != SPV_Constant) return make(t, "matrix_%u", (unsigned)w[1]);
        number[i] = t->words[at + 3];
    }
    return make(t, "%s_%s_%ux%u", number[2] < 3 ? uses[number[2]] : "matrix", name_of(t, w[2]), (unsigned)number[0],
                (unsigned)number[1]);
}

/* What an unnamed type or constant is called; NULL: its number. */
static const char *natural_name(struct text *t, uint32_t at)
{
    const uint32_t *w = t->words + at;
    switch (op_at(t, at)) {
    case SPV_TypeVoid: return "void";
    case SPV_TypeBool: return "bool";
    case SPV_TypeInt: return make(t, "%c%u", w[3] ? 'i' : 'u', (unsigned)w[2]);
    case SPV_TypeFloat: return (w[0] >> 16) > 3 ? make(t, "float%u", (unsigned)w[2]) : make(t, "f%u", (unsigned)w[2]);
    case SPV_TypeVector: return make(t, "vec%u_%s", (unsigned)w[3], name_of(t, w[2]));
    case SPV_TypeMatrix: return make(t, "mat%u_%s", (unsigned)w[3], name_of(t, w[2]));
    case SPV_TypeArray: return make(t, "array_%s_%s", name_of(t, w[2]), name_of(t, w[3]));
    case SPV_TypeRuntimeArray: return make(t, "array_%s", name_of(t, w[2]));
    case SPV_TypeStruct: return make(t, "struct_%u", (unsigned)w[1]);
    case SPV_TypePointer: {
        const char *storage = find_enumerant('S', w[2]);
        return make(t, "ptr_%s_%s", storage ? storage : "", name_of(t, w[3]));
    }
    case SPV_TypeFunction: return make(t, "fn_%u", (unsigned)w[1]);
    case SPV_TypeCooperativeMatrixKHR: return matrix_name(t, w);
    case SPV_ConstantTrue: return "true";
    case SPV_ConstantFalse: return "false";
    case SPV_Constant: return number_name(t, name_of(t, w[1]), w[1], w[3]);
    case SPV_ConstantNull: return make(t, "zero_%s", name_of(t, w[1]));
    default: return NULL;
    }
}

static const char *string_at(const struct text *t, uint32_t at)
{
    return (const char *)(t->words + at); /* low byte first, as this machine has it */
}

static void name_ids(struct text *t)
{
    for (uint32_t at = SPV_HEADER_WORDS; at < t->count; at += t->words[at] >> 16) {
        uint32_t op = op_at(t, at), place = result_place(op);
        if (op == SPV_Name) set_name(t, t->words[at + 1], string_at(t, at + 2));
        if (place) t->made_at[t->words[at + place]] = at;
    }
    for (uint32_t at = SPV_HEADER_WORDS; at < t->count; at += t->words[at] >> 16) {
        uint32_t place = result_place(op_at(t, at));
        if (!place || t->names[t->words[at + place]]) continue;
        const char *name = natural_name(t, at);
        set_name(t, t->words[at + place], name ? name : make(t, "%u", (unsigned)t->words[at + place]));
    }
}

/* ---- Printing. */

static void print_id(const struct text *t, uint32_t id)
{
    const char *name = name_of(t, id);
    if (*name)
        tsr_text_printf(t->out, "%%%s", name);
    else
        tsr_text_printf(t->out, "%%%u", (unsigned)id);
}

static void print_string(const struct text *t, const char *s)
{
    tsr_text_puts(t->out, "\"");
    for (; *s; s++) {
        if (*s == '"' || *s == '\\') tsr_text_puts(t->out, "\\");
        tsr_text_add(t->out, s, 1);
    }
    tsr_text_puts(t->out, "\"");
}

/* Exactly, as hexadecimal: 0x1.8p+1. Infinities and NaN are the numbers that their bits would be. */
static void print_hex_float(const struct text *t, uint32_t bits)
{
    enum { MANTISSA_BITS = 23, BIAS = 127 };
    uint32_t mantissa = bits & ((1u << MANTISSA_BITS) - 1);
    int exponent = (int)(bits >> MANTISSA_BITS & 255) - BIAS;
    char digits[8];
    if (exponent == -BIAS) {
        for (exponent++; mantissa && !(mantissa >> MANTISSA_BITS); exponent--)
            mantissa <<= 1;
        mantissa &= (1u << MANTISSA_BITS) - 1;
    }
    snprintf(digits, sizeof digits, "%06x", (unsigned)(mantissa << 1));
    for (int n = 6; n > 0 && digits[n - 1] == '0'; n--)
        digits[n - 1] = '\0';
    tsr_text_printf(t->out, "%s0x1%s%sp%+d", bits >> 31 ? "-" : "", *digits ? "." : "", digits, exponent);
}

static void print_float(const struct text *t, uint32_t width, uint32_t bits)
{
    char number[40];
    if (width == 16) {
        uint32_t exponent = bits >> 10 & 31;
        float value = tsr_f16_to_f32((uint16_t)bits);
        if (exponent == 31)
            bits = (bits & 0x8000) << 16 | (16u + 127) << 23 | (bits & 1023) << 13;
        else
            bits = tsr_bits_from_f32(value);
    }
    if ((bits & 0x7fffffff) == 0) {
        tsr_text_puts(t->out, bits ? "-0" : "0");
    } else if (width == 32 && (bits >> 23 & 255) != 255) {
        tsr_text_puts(t->out, tsr_format_f32(number, tsr_f32_from_bits(bits)));
    } else {
        print_hex_float(t, bits);
    }
}

/* A number of the type; for OpSwitch that of the selector. */
static void print_number(const struct text *t, uint32_t type, uint32_t bits)
{
    uint32_t at = type ? t->made_at[type] : 0;
    if (at && op_at(t, at) == SPV_TypeFloat && t->words[at + 2] <= 32)
        print_float(t, t->words[at + 2], bits);
    else if (at && op_at(t, at) == SPV_TypeInt && t->words[at + 3])
        tsr_text_printf(t->out, "%d", (int)(int32_t)bits);
    else
        tsr_text_printf(t->out, "%u", (unsigned)bits);
}

static void print_enumerant(const struct text *t, char letter, uint32_t value)
{
    const char *name = find_enumerant(letter, value);
    if (name)
        tsr_text_puts(t->out, name);
    else
        tsr_text_printf(t->out, "%u", (unsigned)value);
}

static void print_mask(const struct text *t, char letter, uint32_t value)
{
    const char *between = "";
    if (value == 0) tsr_text_puts(t->out, "None");
    for (uint32_t bit = 1; bit && value; bit <<= 1) {
        if (!(value & bit)) continue;
        tsr_text_puts(t->out, between);
        print_enumerant(t, letter, bit);
        between = "|";
    }
}

/* What follows some enumerants; the letter of what it is. */
static char parameter_letter(char letter, uint32_t value)
{
    if (letter == 'D' && value == SPV_Decoration_BuiltIn) return 'b';
    return letter == 'D' || letter == 'X' ? 'l' : 0;
}

/* One operand that begins at word `at`; the words it takes. */
static uint32_t print_operand(const struct text *t, uint32_t start, uint32_t at, uint32_t end, char letter)
{
    uint32_t word = t->words[at], used = 1;
    tsr_text_puts(t->out, " ");
    switch (letter) {
    case 'T':
    case 'i': print_id(t, word); return 1;
    case 's': print_string(t, string_at(t, at)); return (uint32_t)strlen(string_at(t, at)) / 4 + 1;
    case 'l':
        if (op_at(t, start) == SPV_Switch)
            print_number(t, type_at(t, t->words[start + 1]), word);
        else
            tsr_text_printf(t->out, "%u", (unsigned)word);
        return 1;
    case 'n':
        if (end - at > 1) { /* 64 bits: only zero is emitted */
            tsr_text_puts(t->out, "0");
            return end - at;
        }
        print_number(t, t->words[start + 1], word);
        return 1;
    case 'F':
    case 'B':
    case 'P':
    case 'Y':
    case 'O': print_mask(t, letter, word); return 1;
    default: break;
    }
    print_enumerant(t, letter, word);
    for (char more = parameter_letter(letter, word); more && at + used < end; used++) {
        tsr_text_puts(t->out, " ");
        if (more == 'b')
            print_enumerant(t, more, t->words[at + used]);
        else
            tsr_text_printf(t->out, "%u", (unsigned)t->words[at + used]);
    }
    return used;
}

static void print_operands(const struct text *t, uint32_t start, uint32_t end)
{
    const char *letters = get_op(op_at(t, start)).operands, *again = NULL;
    uint32_t at = start + 1;
    while (at < end && (*letters || again)) {
        if (*letters == '*') again = ++letters;
        if (*letters == '\0') letters = again;
        char letter = *letters++;
        if (*letters == '?') letters++;
        if (letter == 'R')
            at++;
        else
            at += print_operand(t, start, at, end, letter);
    }
}

static void print_instruction(const struct text *t, uint32_t at)
{
    enum { COLUMN = 22 };
    uint32_t op = op_at(t, at), place = result_place(op), end = at + (t->words[at] >> 16);
    if (op == SPV_Function) tsr_text_puts(t->out, "\n");
    if (place) {
        const char *name = name_of(t, t->words[at + place]);
        tsr_text_printf(t->out, "%*s%%%s = ", (int)strlen(name) < COLUMN ? COLUMN - (int)strlen(name) : 0, "", name);
    } else {
        tsr_text_printf(t->out, "%*s", COLUMN + 4, "");
    }
    tsr_text_puts(t->out, get_op(op).name);
    print_operands(t, at, end);
    tsr_text_puts(t->out, "\n");
}

void tsr_spv_disassemble(tsr_text *out, tsr_arena *arena, const uint32_t *words, uint32_t count)
{
    struct text t = {.out = out, .arena = arena, .words = words, .count = count, .bound = words[3]};
    t.names = TSR_NEW_ARRAY(arena, const char *, t.bound);
    t.made_at = TSR_NEW_ARRAY(arena, uint32_t, t.bound);
    tsr_map_init(&t.taken, arena);
    name_ids(&t);
    tsr_text_printf(out, "; SPIR-V %u.%u, %u words\n", (unsigned)(words[1] >> 16), (unsigned)(words[1] >> 8 & 255),
                    (unsigned)count);
    for (uint32_t at = SPV_HEADER_WORDS; at < count; at += words[at] >> 16)
        print_instruction(&t, at);
}
