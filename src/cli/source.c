/* A program from a file. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

/* What tsr_compile takes, so that an endless file is refused before memory is. */
#define SOURCE_BYTES_MAX (UINT64_C(1) << 31)

static bool is_ir(const char *path)
{
    size_t len = strlen(path);
    return len > 3 && strcmp(path + len - 3, ".ir") == 0;
}

static void show_diagnostics(tsr_module *m)
{
    int color = cli_use_color();
    for (size_t i = 0; i < tsr_module_diagnostic_count(m); i++) fputs(tsr_module_diagnostic_text(m, i, color), stderr);
}

int cli_load(const char *path, bool show, tsr_module **out)
{
    struct cli_bytes source;
    *out = NULL;
    int status = cli_read_file(path, SOURCE_BYTES_MAX, &source);
    if (status != CLI_DONE) return status;
    tsr_compile_args args = {.name = strcmp(path, "-") == 0 ? "<stdin>" : path,
                             .source = (const char *)source.data,
                             .source_bytes = source.size_bytes,
                             .ir_text = is_ir(path)};
    tsr_status st = tsr_compile(&args, out);
    free(source.data);
    if (*out && show) show_diagnostics(*out);
    if (st == TSR_OK) return CLI_DONE;
    return *out ? CLI_BAD_INPUT : cli_fail(st);
}
