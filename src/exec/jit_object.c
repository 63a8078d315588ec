/* Loads a relocatable ELF64 object: its allocated sections are laid out in one mapping, relocated, and made executable.
 * Symbols of the C library that LLVM may call are reached through stubs, for they can be too far for a direct call. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "exec/jit_inside.h"

#include <elf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define STUB_BYTES 32u

#if defined(__x86_64__)
#define MACHINE EM_X86_64
#elif defined(__aarch64__)
#define MACHINE EM_AARCH64
#else
#define MACHINE EM_NONE
#endif

typedef struct outside {
    const char *name;
    void (*function)(void);
} outside;

static const outside known[] = {
    {"memcpy", (void (*)(void))memcpy},
    {"memset", (void (*)(void))memset},
    {"memmove", (void (*)(void))memmove},
    {"tsr_host_part", (void (*)(void))tsr_jit_part},
    {"tsr_host_ahead", (void (*)(void))tsr_jit_ahead},
};
#define KNOWN_COUNT (sizeof known / sizeof known[0])

typedef struct loader {
    const unsigned char *file;
    size_t bytes;
    const char *name; /* NULL: nobody is told */
    bool perf;
    const Elf64_Ehdr *head;
    const Elf64_Shdr *section;
    unsigned char *memory;
    size_t *place; /* by section: offset in memory, SIZE_MAX when it is not loaded */
    size_t total, stubs;
    tsr_text *why;
} loader;

static bool fail(loader *l, const char *what)
{
    tsr_text_printf(l->why, "the object file cannot be loaded: %s", what);
    return false;
}

static bool in_file(const loader *l, uint64_t offset, uint64_t size)
{
    return offset <= l->bytes && size <= l->bytes - offset;
}

static bool check_head(loader *l)
{
    l->head = (const void *)l->file;
    if (l->bytes < sizeof *l->head || memcmp(l->head->e_ident, ELFMAG, SELFMAG) != 0)
        return fail(l, "it is no ELF file");
    if (l->head->e_ident[EI_CLASS] != ELFCLASS64 || l->head->e_type != ET_REL || l->head->e_machine != MACHINE)
        return fail(l, "it is not for this machine");
    if (l->head->e_shentsize != sizeof(Elf64_Shdr) ||
        !in_file(l, l->head->e_shoff, (uint64_t)l->head->e_shnum * sizeof(Elf64_Shdr)) || l->head->e_shoff % 8 != 0)
        return fail(l, "its sections lie outside");
    l->section = (const void *)(l->file + l->head->e_shoff);
    for (uint32_t i = 0; i < l->head->e_shnum; i++)
        if (l->section[i].sh_type != SHT_NOBITS && l->section[i].sh_type != SHT_NULL &&
            !in_file(l, l->section[i].sh_offset, l->section[i].sh_size))
            return fail(l, "a section lies outside");
    return true;
}

static bool place_sections(loader *l)
{
    l->place = malloc((l->head->e_shnum + 1u) * sizeof *l->place);
    if (!l->place) return fail(l, "out of memory");
    for (uint32_t i = 0; i < l->head->e_shnum; i++) {
        const Elf64_Shdr *s = &l->section[i];
        l->place[i] = SIZE_MAX;
        if (!(s->sh_flags & SHF_ALLOC) || s->sh_size == 0) continue;
        size_t align = s->sh_addralign ? (size_t)s->sh_addralign : 1;
        if (align > 4096 || (align & (align - 1)) != 0 || s->sh_size > (UINT32_C(1) << 28))
            return fail(l, "a section is too large");
        l->total = (l->total + align - 1) / align * align;
        l->place[i] = l->total;
        l->total += s->sh_size;
        if (l->total > (UINT32_C(1) << 29)) return fail(l, "it is too large");
    }
    l->stubs = (l->total + 15) / 16 * 16;
    l->total = l->stubs + KNOWN_COUNT * STUB_BYTES;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    l->total = (l->total + page - 1) / page * page;
    l->memory = mmap(NULL, l->total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (l->memory == MAP_FAILED) {
        l->memory = NULL;
        return fail(l, "out of memory");
    }
    for (uint32_t i = 0; i < l->head->e_shnum; i++)
        if (l->place[i] != SIZE_MAX && l->section[i].sh_type != SHT_NOBITS)
            memcpy(l->memory + l->place[i], l->file + l->section[i].sh_offset, l->section[i].sh_size);
    return true;
}

/* A jump through an address that follows it. */
static void write_stubs(loader *l)
{
    for (size_t i = 0; i < KNOWN_COUNT; i++) {
        unsigned char *p = l->memory + l->stubs + i * STUB_BYTES;
        void (*to)(void) = known[i].function;
#if defined(__aarch64__)
        static const uint32_t code[] = {0x58000050u /* ldr x16, #8 */, 0xd61f0200u /* br x16 */};
        memcpy(p, code, 8);
        memcpy(p + 8, &to, sizeof to);
#else
        static const unsigned char code[] = {0xff, 0x25, 0x02, 0, 0, 0, 0x90, 0x90}; /* jmp *2(%rip) */
        memcpy(p, code, 8);
        memcpy(p + 8, &to, sizeof to);
#endif
    }
}

static const char *string_at(const loader *l, uint32_t table, uint32_t offset)
{
    if (table >= l->head->e_shnum) return "";
    const Elf64_Shdr *s = &l->section[table];
    if (s->sh_type != SHT_STRTAB || offset >= s->sh_size || l->file[s->sh_offset + s->sh_size - 1] != 0) return "";
    return (const char *)l->file + s->sh_offset + offset;
}

/* The address of a symbol; NULL when it is not here. */
static unsigned char *find_symbol(const loader *l, const Elf64_Shdr *table, uint32_t number)
{
    if (number >= table->sh_size / sizeof(Elf64_Sym)) return NULL;
    const Elf64_Sym *s = (const Elf64_Sym *)(const void *)(l->file + table->sh_offset) + number;
    if (s->st_shndx != SHN_UNDEF && s->st_shndx < l->head->e_shnum && l->place[s->st_shndx] != SIZE_MAX)
        return l->memory + l->place[s->st_shndx] + s->st_value;
    const char *name = string_at(l, table->sh_link, s->st_name);
    for (size_t i = 0; i < KNOWN_COUNT; i++)
        if (strcmp(known[i].name, name) == 0) return l->memory + l->stubs + i * STUB_BYTES;
    return NULL;
}

#if defined(__aarch64__)
static bool relocate(loader *l, unsigned char *at, uint32_t type, uint64_t value, uint64_t place)
{
    uint32_t code;
    int64_t near = (int64_t)(value - place),
            pages = (int64_t)((value & ~UINT64_C(0xfff)) - (place & ~UINT64_C(0xfff))) >> 12;
    uint32_t low = (uint32_t)value & 0xfff;
    int32_t word = (int32_t)near;
    memcpy(&code, at, 4);
    switch (type) {
    case R_AARCH64_ABS64: memcpy(at, &value, 8); return true;
    case R_AARCH64_PREL64: memcpy(at, &near, 8); return true;
    case R_AARCH64_PREL32: memcpy(at, &word, 4); return true;
    case R_AARCH64_CALL26:
    case R_AARCH64_JUMP26: code = (code & 0xfc000000u) | ((uint32_t)(near >> 2) & 0x03ffffffu); break;
    case R_AARCH64_ADR_PREL_PG_HI21:
        code = (code & 0x9f00001fu) | ((uint32_t)pages & 3u) << 29 | ((uint32_t)(pages >> 2) & 0x7ffffu) << 5;
        break;
    case R_AARCH64_ADD_ABS_LO12_NC:
    case R_AARCH64_LDST8_ABS_LO12_NC: code = (code & 0xffc003ffu) | low << 10; break;
    case R_AARCH64_LDST16_ABS_LO12_NC: code = (code & 0xffc003ffu) | (low >> 1) << 10; break;
    case R_AARCH64_LDST32_ABS_LO12_NC: code = (code & 0xffc003ffu) | (low >> 2) << 10; break;
    case R_AARCH64_LDST64_ABS_LO12_NC: code = (code & 0xffc003ffu) | (low >> 3) << 10; break;
    case R_AARCH64_LDST128_ABS_LO12_NC: code = (code & 0xffc003ffu) | (low >> 4) << 10; break;
    default: return fail(l, "a relocation of an unknown kind");
    }
    memcpy(at, &code, 4);
    return true;
}
#else
static bool relocate(loader *l, unsigned char *at, uint32_t type, uint64_t value, uint64_t place)
{
    int64_t near = (int64_t)(value - place);
    int32_t word = (int32_t)near;
    switch (type) {
    case R_X86_64_64: memcpy(at, &value, 8); return true;
    case R_X86_64_PC64: memcpy(at, &near, 8); return true;
    case R_X86_64_PC32:
    case R_X86_64_PLT32:
        if (word != near) return fail(l, "a part is too far away");
        memcpy(at, &word, 4);
        return true;
    default: return fail(l, "a relocation of an unknown kind");
    }
}
#endif

static bool relocate_section(loader *l, const Elf64_Shdr *s)
{
    if (s->sh_info >= l->head->e_shnum || l->place[s->sh_info] == SIZE_MAX) return true;
    if (s->sh_link >= l->head->e_shnum || s->sh_offset % 8 != 0) return fail(l, "a relocation without symbols");
    const Elf64_Shdr *table = &l->section[s->sh_link], *target = &l->section[s->sh_info];
    const Elf64_Rela *r = (const void *)(l->file + s->sh_offset);
    for (uint64_t i = 0; i < s->sh_size / sizeof *r; i++) {
        unsigned char *symbol = find_symbol(l, table, (uint32_t)ELF64_R_SYM(r[i].r_info));
        if (!symbol) return fail(l, "it calls something unknown");
        if (r[i].r_offset > target->sh_size || target->sh_size - r[i].r_offset < 4)
            return fail(l, "a relocation outside its section");
        unsigned char *at = l->memory + l->place[s->sh_info] + r[i].r_offset;
        uint64_t value = (uint64_t)(uintptr_t)symbol + (uint64_t)r[i].r_addend;
        if (!relocate(l, at, (uint32_t)ELF64_R_TYPE(r[i].r_info), value, (uint64_t)(uintptr_t)at)) return false;
    }
    return true;
}

static void *find_name(const loader *l, const char *name)
{
    for (uint32_t i = 0; i < l->head->e_shnum; i++) {
        const Elf64_Shdr *t = &l->section[i];
        if (t->sh_type != SHT_SYMTAB || t->sh_offset % 8 != 0) continue;
        const Elf64_Sym *s = (const void *)(l->file + t->sh_offset);
        for (uint32_t k = 0; k < t->sh_size / sizeof *s; k++)
            if (s[k].st_shndx != SHN_UNDEF && strcmp(string_at(l, t->sh_link, s[k].st_name), name) == 0)
                return find_symbol(l, t, k);
    }
    return NULL;
}

/* ---- Names for profilers: by line where the object has lines, else one. */

static const Elf64_Shdr *find_section(const loader *l, const char *name)
{
    for (uint32_t i = 0; i < l->head->e_shnum; i++)
        if (strcmp(string_at(l, l->head->e_shstrndx, l->section[i].sh_name), name) == 0) return &l->section[i];
    return NULL;
}

static void name_line(void *user, uint64_t from, uint64_t to, uint32_t line)
{
    const loader *l = user;
    tsr_debug_perf_name((const void *)(uintptr_t)from, (size_t)(to - from), l->name, line);
}

/* The addresses in a line table are relocations: 64-bit ones of sections that are loaded. */
static bool relocate_lines(loader *l, const Elf64_Shdr *relocations, unsigned char *lines, uint64_t bytes)
{
    const Elf64_Rela *r = (const void *)(l->file + relocations->sh_offset);
    if (relocations->sh_offset % 8 != 0 || relocations->sh_link >= l->head->e_shnum) return false;
    for (uint64_t i = 0; i < relocations->sh_size / sizeof *r; i++) {
        unsigned char *symbol = find_symbol(l, &l->section[relocations->sh_link], (uint32_t)ELF64_R_SYM(r[i].r_info));
        if (!symbol || r[i].r_offset > bytes || bytes - r[i].r_offset < 8) continue;
        uint64_t value = (uint64_t)(uintptr_t)symbol + (uint64_t)r[i].r_addend;
        memcpy(lines + r[i].r_offset, &value, 8);
    }
    return true;
}

static void tell_profiler(loader *l)
{
    const Elf64_Shdr *s = find_section(l, ".debug_line"), *r = find_section(l, ".rela.debug_line"),
                     *text = find_section(l, ".text");
    unsigned char *lines = s && r ? malloc(s->sh_size + 1) : NULL;
    if (lines) {
        memcpy(lines, l->file + s->sh_offset, s->sh_size);
        if (relocate_lines(l, r, lines, s->sh_size)) tsr_lines_read(lines, s->sh_size, name_line, l);
        free(lines);
    } else if (text && l->place[text - l->section] != SIZE_MAX) {
        tsr_debug_perf_name(l->memory + l->place[text - l->section], text->sh_size, l->name, 0);
    }
}

static bool load(loader *l, tsr_object *out)
{
    if (!check_head(l) || !place_sections(l)) return false;
    write_stubs(l);
    for (uint32_t i = 0; i < l->head->e_shnum; i++)
        if (l->section[i].sh_type == SHT_RELA && !relocate_section(l, &l->section[i])) return false;
    *out = (tsr_object){l->memory, l->total, find_name(l, "tsr_kernel"), find_name(l, "tsr_info"), NULL};
    if (!out->kernel || !out->info) return fail(l, "it lacks its entry");
    if (mprotect(l->memory, l->total, PROT_READ | PROT_EXEC) != 0)
        return fail(l, "memory cannot be made executable here");
#if defined(__GNUC__)
    __builtin___clear_cache((char *)l->memory, (char *)l->memory + l->total);
#endif
    if (l->name) out->debug = tsr_debug_register(l->file, l->bytes, l->memory, l->place);
    if (l->name && l->perf) tell_profiler(l);
    return true;
}

bool tsr_object_load(const unsigned char *file, size_t bytes, const char *name, bool perf, tsr_object *out,
                     tsr_text *why)
{
    loader l = {.file = file, .bytes = bytes, .name = name, .perf = perf, .why = why};
    bool ok = load(&l, out);
    free(l.place);
    if (!ok && l.memory) munmap(l.memory, l.total);
    if (!ok) *out = (tsr_object){0};
    return ok;
}

void tsr_object_unload(tsr_object *o)
{
    tsr_debug_unregister(o->debug);
    o->debug = NULL;
    if (o->memory) munmap(o->memory, o->bytes);
    o->memory = NULL;
}
