/* SPIR-V in other clothes: as text for people, and as an array of C for programs that carry their shaders. */
#include "emit/spirv.h"

/* Words of the module, as emitted; NULL after a report. */
static const uint32_t *emit_words(const tsr_program *p, const tsr_emit_options *options, tsr_diags *diags,
                                  uint32_t *count)
{
    tsr_text bytes;
    tsr_text_init(&bytes, diags->arena);
    if (!tsr_target_spirv.emit(p, options, &bytes, diags)) return NULL;
    *count = (uint32_t)(bytes.len / sizeof(uint32_t));
    return (const uint32_t *)(const void *)bytes.s; /* the arena aligns it */
}

static bool emit_text(const tsr_program *p, const tsr_emit_options *options, tsr_text *out, tsr_diags *diags)
{
    uint32_t count;
    const uint32_t *words = emit_words(p, options, diags, &count);
    if (!words) return false;
    tsr_spv_disassemble(out, diags->arena, words, count);
    return true;
}

/* The entry point's name as an identifier of C: WGSL's may hold letters that C does not take. */
static const char *c_name(const tsr_program *p, tsr_arena *arena)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    tsr_str name = tsr_symbols_get(p->ir->symbols, tsr_function_at(p->ir, p->entry)->name);
    char *text = tsr_arena_strndup(arena, name.s, name.len);
    for (size_t i = 0; i < name.len; i++) {
        bool good = false;
        for (const char *c = plain; *c; c++)
            good = good || *c == text[i];
        if (!good) text[i] = '_';
    }
    return text;
}

static bool emit_header(const tsr_program *p, const tsr_emit_options *options, tsr_text *out, tsr_diags *diags)
{
    enum { WORDS_A_LINE = 8 };
    uint32_t count;
    const uint32_t *words = emit_words(p, options, diags, &count), *size = p->workgroup_size;
    const char *name = c_name(p, diags->arena);
    if (!words) return false;
    tsr_text_printf(out, "/* Made by tessera: SPIR-V %u.%u, entry point \"%s\", workgroup size %u x %u x %u. */\n",
                    (unsigned)(words[1] >> 16), (unsigned)(words[1] >> 8 & 255),
                    tsr_symbols_cstr(p->ir->symbols, tsr_function_at(p->ir, p->entry)->name), (unsigned)size[0],
                    (unsigned)size[1], (unsigned)size[2]);
    tsr_text_printf(out, "#include <stdint.h>\n\nstatic const uint32_t %s_spirv[%u] = {", name, (unsigned)count);
    for (uint32_t i = 0; i < count; i++)
        tsr_text_printf(out, "%s0x%08x,", i % WORDS_A_LINE == 0 ? "\n    " : " ", (unsigned)words[i]);
    tsr_text_puts(out, "\n};\n");
    return true;
}

const tsr_target tsr_target_spirv_text = {
    .name = "spirv-text",
    .extension = "spvasm",
    .is_text = true,
    .summary = "the same, disassembled, with the program's names",
    .direct_pointers = true,
    .versions = SPV_VERSIONS,
    .emit = emit_text,
};

const tsr_target tsr_target_spirv_header = {
    .name = "spirv-header",
    .extension = "h",
    .is_text = true,
    .summary = "the same, as an array in a C header",
    .direct_pointers = true,
    .versions = SPV_VERSIONS,
    .emit = emit_header,
};
