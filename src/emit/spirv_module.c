/* The module as lists of words, one a section: ids, instructions, declarations that exist once, and how all of it is
 * put together. Source: SPIR-V 1.6, "Logical Layout of a Module". */
#include "emit/spirv.h"

#include <string.h>

/* ---- Words. */

void tsr_words_add(tsr_words *w, tsr_arena *arena, const uint32_t *words, uint32_t count)
{
    enum { FIRST = 64 };
    if (count == 0) return;
    if (w->cap - w->count < count) {
        uint32_t cap = w->cap ? w->cap : FIRST;
        while (cap - w->count < count)
            cap *= 2;
        uint32_t *grown = TSR_NEW_ARRAY(arena, uint32_t, cap);
        if (w->count) memcpy(grown, w->at, w->count * sizeof *grown);
        w->at = grown;
        w->cap = cap;
    }
    memcpy(w->at + w->count, words, count * sizeof *words);
    w->count += count;
}

void tsr_words_add_string(tsr_words *w, tsr_arena *arena, const char *s)
{
    size_t len = strlen(s);
    for (size_t i = 0; i <= len; i += 4) {
        uint32_t word = 0;
        for (size_t k = 0; k < 4 && i + k < len; k++)
            word |= (uint32_t)(unsigned char)s[i + k] << (8 * k);
        tsr_words_add1(w, arena, word);
    }
}

/* ---- Instructions. */

uint32_t tsr_spv_new_id(tsr_spv *s)
{
    return s->next_id++;
}

/* An instruction's first word holds its length in 16 bits. */
static void begin_instruction(tsr_spv *s, tsr_words *to, tsr_spv_op op, uint32_t count)
{
    const tsr_span nowhere = {0, 0};
    if (count > UINT16_MAX && !s->failed) {
        s->failed = true;
        tsr_error(
            s->diags, nowhere, TSR_E_SPIRV_TOO_LONG,
            "an instruction would have %u words, and SPIR-V ends at 65535; split the value or switch that is so long",
            (unsigned)count);
    }
    tsr_words_add1(to, s->arena, (count & UINT16_MAX) << 16 | (uint32_t)op);
}

void tsr_spv_put(tsr_spv *s, tsr_words *to, tsr_spv_op op, const uint32_t *words, uint32_t count)
{
    begin_instruction(s, to, op, count + 1);
    tsr_words_add(to, s->arena, words, count);
}

void tsr_spv_do(tsr_spv *s, tsr_spv_op op, const uint32_t *words, uint32_t count)
{
    if (s->label) tsr_spv_put(s, &s->body, op, words, count);
}

static uint32_t put_value(tsr_spv *s, tsr_words *to, tsr_spv_op op, uint32_t type, const uint32_t *words,
                          uint32_t count)
{
    uint32_t id = tsr_spv_new_id(s);
    begin_instruction(s, to, op, count + (type ? 3 : 2));
    if (type) tsr_words_add1(to, s->arena, type);
    tsr_words_add1(to, s->arena, id);
    tsr_words_add(to, s->arena, words, count);
    return id;
}

uint32_t tsr_spv_value(tsr_spv *s, tsr_spv_op op, uint32_t type, const uint32_t *words, uint32_t count)
{
    if (!s->label) return tsr_spv_undef(s, type);
    return put_value(s, &s->body, op, type, words, count);
}

uint32_t tsr_spv_ext(tsr_spv *s, uint32_t instruction, uint32_t type, const uint32_t *words, uint32_t count)
{
    uint32_t all[8]; /* no instruction of GLSL.std.450 has more operands */
    if (!s->glsl) s->glsl = tsr_spv_new_id(s);
    all[0] = s->glsl;
    all[1] = instruction;
    memcpy(all + 2, words, count * sizeof *words);
    return tsr_spv_value(s, SPV_ExtInst, type, all, count + 2);
}

uint32_t tsr_spv_value_of(tsr_spv *s, tsr_spv_op op, const uint32_t *words, uint32_t count)
{
    return tsr_spv_value(s, op, words[0], words + 1, count - 1);
}

uint32_t tsr_spv_ext_of(tsr_spv *s, uint32_t instruction, const uint32_t *words, uint32_t count)
{
    return tsr_spv_ext(s, instruction, words[0], words + 1, count - 1);
}

uint32_t tsr_spv_local(tsr_spv *s, uint32_t type)
{
    uint32_t storage = SPV_StorageClass_Function;
    return put_value(s, &s->variables, SPV_Variable, tsr_spv_pointer_type(s, storage, type), &storage, 1);
}

/* ---- Declarations. */

uint32_t tsr_spv_declare_new(tsr_spv *s, tsr_spv_op op, uint32_t type, const uint32_t *words, uint32_t count)
{
    return put_value(s, &s->declarations, op, type, words, count);
}

/* Whether the declaration at `at` is this one. */
static bool is_declaration(const tsr_spv *s, uint32_t at, tsr_spv_op op, uint32_t type, const uint32_t *words,
                           uint32_t count)
{
    const uint32_t *d = s->declarations.at + at;
    uint32_t head = type ? 3 : 2;
    if (d[0] != ((count + head) << 16 | (uint32_t)op) || (type && d[1] != type)) return false;
    return count == 0 || memcmp(d + head, words, count * sizeof *words) == 0;
}

uint32_t tsr_spv_declare(tsr_spv *s, tsr_spv_op op, uint32_t type, const uint32_t *words, uint32_t count)
{
    uint32_t at, result_at = type ? 2 : 1;
    uint64_t hash = tsr_hash_bytes(words, count * sizeof *words, (uint64_t)op << 32 | type);
    while (tsr_map_find(&s->unique, hash, &at)) { /* a hash that another content has: the next one */
        if (is_declaration(s, at, op, type, words, count)) return s->declarations.at[at + result_at];
        hash++;
    }
    tsr_map_set(&s->unique, hash, s->declarations.count);
    return tsr_spv_declare_new(s, op, type, words, count);
}

/* ---- Capabilities, extensions. */

static bool has_capability(const tsr_spv *s, uint32_t capability)
{
    for (uint32_t i = 1; i < s->capabilities.count; i += 2)
        if (s->capabilities.at[i] == capability) return true;
    return false;
}

void tsr_spv_capability(tsr_spv *s, uint32_t capability)
{
    if (!has_capability(s, capability)) tsr_spv_put(s, &s->capabilities, SPV_Capability, &capability, 1);
}

static void put_string(tsr_spv *s, tsr_words *to, tsr_spv_op op, const uint32_t *head, uint32_t head_count,
                       const char *text)
{
    begin_instruction(s, to, op, 1 + head_count + (uint32_t)(strlen(text) / 4) + 1);
    tsr_words_add(to, s->arena, head, head_count);
    tsr_words_add_string(to, s->arena, text);
}

void tsr_spv_extension(tsr_spv *s, const char *name)
{
    tsr_words one = {0};
    put_string(s, &one, SPV_Extension, NULL, 0, name);
    for (uint32_t i = 0; i < s->extensions.count; i += s->extensions.at[i] >> 16)
        if (s->extensions.at[i] == one.at[0] && memcmp(s->extensions.at + i, one.at, one.count * 4) == 0) return;
    tsr_words_add(&s->extensions, s->arena, one.at, one.count);
}

/* ---- Names and decorations. */

/* Names are for people: one that is so long that it would not fit is cut. */
static const char *short_name(tsr_spv *s, const char *name)
{
    enum { NAME_BYTES_MAX = 1000 };
    size_t len = strlen(name);
    return len <= NAME_BYTES_MAX ? name : tsr_arena_strndup(s->arena, name, NAME_BYTES_MAX);
}

void tsr_spv_name(tsr_spv *s, uint32_t id, const char *name)
{
    if (*name) put_string(s, &s->debug, SPV_Name, &id, 1, short_name(s, name));
}

void tsr_spv_name_sym(tsr_spv *s, uint32_t id, tsr_sym name)
{
    if (name) tsr_spv_name(s, id, tsr_symbols_cstr(s->ir->symbols, name));
}

void tsr_spv_name_member(tsr_spv *s, uint32_t id, uint32_t member, tsr_sym name)
{
    const char *text = tsr_symbols_cstr(s->ir->symbols, name);
    if (*text) put_string(s, &s->debug, SPV_MemberName, (const uint32_t[]){id, member}, 2, short_name(s, text));
}

void tsr_spv_decorate(tsr_spv *s, uint32_t id, uint32_t decoration, uint32_t value)
{
    tsr_spv_put(s, &s->decorations, SPV_Decorate, (const uint32_t[]){id, decoration, value},
                value == UINT32_MAX ? 2 : 3);
}

void tsr_spv_decorate_member(tsr_spv *s, uint32_t id, uint32_t member, uint32_t decoration, uint32_t value)
{
    tsr_spv_put(s, &s->decorations, SPV_MemberDecorate, (const uint32_t[]){id, member, decoration, value},
                value == UINT32_MAX ? 3 : 4);
}

/* ---- The whole. */

static void put_entry_point(tsr_spv *s, tsr_words *to)
{
    const tsr_function *entry = tsr_function_at(s->ir, s->p->entry);
    const char *name = tsr_symbols_cstr(s->ir->symbols, entry->name);
    uint32_t id = s->function_ids[s->p->entry];
    const uint32_t *size = s->p->workgroup_size;
    begin_instruction(s, to, SPV_EntryPoint, 3 + (uint32_t)(strlen(name) / 4) + 1 + s->interface.count);
    tsr_words_add(to, s->arena, (const uint32_t[]){SPV_ExecutionModel_GLCompute, id}, 2);
    tsr_words_add_string(to, s->arena, name);
    tsr_words_add(to, s->arena, s->interface.at, s->interface.count);
    tsr_spv_put(s, to, SPV_ExecutionMode,
                (const uint32_t[]){id, SPV_ExecutionMode_LocalSize, size[0], size[1], size[2]}, 5);
    if (s->reconverges)
        tsr_spv_put(s, to, SPV_ExecutionMode, (const uint32_t[]){id, SPV_ExecutionMode_MaximallyReconvergesKHR}, 2);
}

static void add_bytes(tsr_text *out, const tsr_words *w)
{
    if (w->count) tsr_text_add(out, (const char *)w->at, w->count * sizeof *w->at);
}

void tsr_spv_assemble(tsr_spv *s, tsr_text *out)
{
    tsr_words head = {0}, modes = {0};
    const uint32_t generator = 0; /* not registered. Source: SPIR-V registry, spir-v.xml */
    tsr_words_add(&head, s->arena, (const uint32_t[]){SPV_MAGIC, s->version, generator, s->next_id, 0},
                  SPV_HEADER_WORDS);
    if (s->glsl) put_string(s, &modes, SPV_ExtInstImport, &s->glsl, 1, "GLSL.std.450");
    tsr_spv_put(s, &modes, SPV_MemoryModel, (const uint32_t[]){SPV_AddressingModel_Logical, SPV_MemoryModel_Vulkan}, 2);
    put_entry_point(s, &modes);
    const tsr_words *const parts[] = {&head,     &s->capabilities, &s->extensions,   &modes,
                                      &s->debug, &s->decorations,  &s->declarations, &s->functions};
    for (size_t i = 0; i < TSR_COUNT_OF(parts); i++)
        add_bytes(out, parts[i]);
}
