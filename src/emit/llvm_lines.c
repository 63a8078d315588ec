/* Source lines for debuggers and profilers: each instruction names the place in the WGSL text that it comes from, as
 * LLVM metadata. Functions that are copied to their calls are inlined there, as far as a debugger sees. */
#include "emit/llvm_inside.h"

#include <string.h>

static uint32_t new_node(tsr_ll *e)
{
    return e->lines.next++;
}

/* A string of metadata: quotes, backslashes and what is not printable are escaped. */
static void put_string(tsr_text *t, const char *s)
{
    for (; *s; s++) {
        if (*s == '"' || *s == '\\' || (unsigned char)*s < 0x20 || (unsigned char)*s > 0x7e)
            tsr_text_printf(t, "\\%02X", (unsigned)(unsigned char)*s);
        else
            tsr_text_printf(t, "%c", *s);
    }
}

static void locate(tsr_ll *e, tsr_span span, uint32_t *line, uint32_t *column)
{
    tsr_source_locate(&e->lines.source, e->arena, span.pos, line, column);
}

enum { NODE_UNIT, NODE_FILE, NODE_VERSION, NODE_DWARF, NODE_TYPE, NODE_NONE, NODE_FIRST };

static uint32_t subprogram(tsr_ll *e, uint32_t function)
{
    if (e->lines.subprogram[function]) return e->lines.subprogram[function];
    const tsr_function *fn = tsr_function_at(e->ir, function);
    uint32_t node = new_node(e), line, column;
    locate(e, fn->span, &line, &column);
    tsr_text_printf(&e->lines.nodes, "!%u = distinct !DISubprogram(name: \"", node);
    put_string(&e->lines.nodes, tsr_symbols_cstr(e->ir->symbols, fn->name));
    tsr_text_printf(&e->lines.nodes,
                    "\", scope: !%d, file: !%d, line: %u, type: !%d, scopeLine: %u, spFlags: DISPFlagDefinition | "
                    "DISPFlagOptimized, unit: !%d)\n",
                    NODE_FILE, NODE_FILE, line, NODE_TYPE, line, NODE_UNIT);
    e->lines.subprogram[function] = node;
    return node;
}

/* The node of a place in the function at hand; calls have one of their own each time. */
static uint32_t location(tsr_ll *e, tsr_span span, bool distinct)
{
    uint32_t line, column, node;
    locate(e, span, &line, &column);
    uint64_t key[4] = {line, column, e->lines.scope, e->lines.inlined_at}, hash = tsr_hash_bytes(key, sizeof key, 31);
    if (!distinct && tsr_map_find(&e->made, hash, &node)) return node;
    node = new_node(e);
    tsr_text_printf(&e->lines.nodes, "!%u = %s!DILocation(line: %u, column: %u, scope: !%u", node,
                    distinct ? "distinct " : "", line, column, e->lines.scope);
    if (e->lines.inlined_at) tsr_text_printf(&e->lines.nodes, ", inlinedAt: !%u", e->lines.inlined_at);
    tsr_text_puts(&e->lines.nodes, ")\n");
    if (!distinct) tsr_map_set(&e->made, hash, node);
    return node;
}

void tsr_ll_lines_at(tsr_ll *e, tsr_id id)
{
    tsr_span span = tsr_ll_inst(e, id)->span;
    if (!e->lines.scope || (span.pos == 0 && span.len == 0)) return;
    e->lines.at = location(e, span, false);
}

tsr_ll_scope tsr_ll_lines_enter(tsr_ll *e, uint32_t function, tsr_id call)
{
    tsr_ll_scope outside = {e->lines.scope, e->lines.inlined_at, e->lines.at};
    if (!e->lines.subprogram) return outside;
    if (call) e->lines.inlined_at = location(e, tsr_ll_inst(e, call)->span, true);
    e->lines.scope = subprogram(e, function);
    e->lines.at = location(e, tsr_function_at(e->ir, function)->span, false);
    return outside;
}

void tsr_ll_lines_leave(tsr_ll *e, tsr_ll_scope outside)
{
    e->lines.scope = outside.scope;
    e->lines.inlined_at = outside.inlined_at;
    e->lines.at = outside.at;
}

void tsr_ll_lines_begin(tsr_ll *e)
{
    if (!e->o->source) return;
    e->lines.source = *e->o->source;
    e->lines.source.line_start = NULL; /* its table lives in our arena */
    e->lines.subprogram = TSR_NEW_ARRAY(e->arena, uint32_t, e->ir->functions.count);
    e->lines.next = NODE_FIRST;
    tsr_text_init(&e->lines.nodes, e->arena);
    (void)tsr_ll_lines_enter(e, e->program->entry, 0);
}

void tsr_ll_lines_write_attribute(tsr_ll *e, tsr_text *out)
{
    if (e->lines.subprogram) tsr_text_printf(out, "!dbg !%u ", subprogram(e, e->program->entry));
}

void tsr_ll_lines_write(tsr_ll *e, tsr_text *out)
{
    enum { DWARF = 4 }; /* which every debugger of today reads */
    if (!e->lines.subprogram) return;
    tsr_text_printf(out, "\n!llvm.dbg.cu = !{!%d}\n!llvm.module.flags = !{!%d, !%d}\n", NODE_UNIT, NODE_VERSION,
                    NODE_DWARF);
    tsr_text_printf(out,
                    "!%d = distinct !DICompileUnit(language: DW_LANG_C11, file: !%d, producer: \"tessera\", "
                    "isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)\n",
                    NODE_UNIT, NODE_FILE);
    tsr_text_printf(out, "!%d = !DIFile(filename: \"", NODE_FILE);
    put_string(out, e->lines.source.name);
    tsr_text_printf(out, "\", directory: \"\")\n!%d = !{i32 2, !\"Debug Info Version\", i32 3}\n", NODE_VERSION);
    tsr_text_printf(out, "!%d = !{i32 7, !\"Dwarf Version\", i32 %d}\n", NODE_DWARF, DWARF);
    tsr_text_printf(out, "!%d = !DISubroutineType(types: !%d)\n!%d = !{}\n", NODE_TYPE, NODE_NONE, NODE_NONE);
    tsr_text_add(out, tsr_text_get(&e->lines.nodes), e->lines.nodes.len);
}
