/* `tessera run --dump`: what the program became on its way to the machine, a file a form, named after the entry point.
 */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *extension;
} forms[] = {{"ir", "ir"}, {"llvm", "ll"}, {"asm", "s"}};
enum { FORMS = sizeof forms / sizeof *forms };

int run_parse_dump(const char *list, uint32_t *out)
{
    for (const char *at = list;;) {
        size_t len = strcspn(at, ",");
        unsigned i = 0;
        while (i < FORMS && (strlen(forms[i].name) != len || strncmp(forms[i].name, at, len) != 0))
            i++;
        if (i == FORMS) {
            cli_error("--dump %s: it must be ir, llvm or asm, or several of them with commas", list);
            return CLI_BAD_COMMAND;
        }
        *out |= 1u << i;
        if (!at[len]) return CLI_DONE;
        at += len + 1;
    }
}

bool run_dump_path(const struct run_state *s, unsigned i, char *out, size_t bytes)
{
    if (i >= FORMS || !(s->args->dump >> i & 1u)) return false;
    snprintf(out, bytes, "%.200s.%s", s->entry, forms[i].extension);
    return true;
}

static int write_form(const struct run_state *s, unsigned i)
{
    char path[256], *text = NULL;
    if (!run_dump_path(s, i, path, sizeof path)) return CLI_DONE;
    tsr_status st = tsr_pipeline_dump(s->pipeline, forms[i].name, &text);
    if (st != TSR_OK) {
        cli_error("--dump %s: %s", forms[i].name, tsr_last_error());
        return CLI_ENVIRONMENT;
    }
    struct cli_output out = {.path = path, .data = text, .data_bytes = strlen(text)};
    int status = cli_write_outputs(&out, 1);
    free(text);
    return status;
}

int run_dump(const struct run_state *s)
{
    int status = CLI_DONE;
    for (unsigned i = 0; i < FORMS && status == CLI_DONE; i++)
        status = write_form(s, i);
    return status;
}
