/* Every accepted program of the repository: what the front end makes of it passes the verifier, prints, reads back,
 * passes again, and prints the same; so does a clone. */
#include "wgsl_whole.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const folders[] = {"tests/wgsl/accept", "tests/exec", "examples"};

static char *read_text(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text;
    long size;
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    size = ftell(f);
    rewind(f);
    text = malloc((size_t)size + 1);
    if (text == NULL || fread(text, 1, (size_t)size, f) != (size_t)size) fail_msg("cannot read %s", path);
    text[size] = '\0';
    fclose(f);
    return text;
}

static const char *print_ir(tsr_arena *arena, const tsr_ir *ir)
{
    tsr_text text;
    tsr_text_init(&text, arena);
    tsr_ir_print(&text, ir);
    return tsr_text_get(&text);
}

/* The text of a module read from text; NULL after showing why not. */
static const char *read_back(front *f, const char *text)
{
    tsr_source source = {.name = "printed.ir", .text = text, .len = strlen(text)};
    tsr_diags diags;
    tsr_symbols symbols;
    tsr_types types;
    tsr_ir ir;
    tsr_diags_init(&diags, &f->arena, &source);
    tsr_symbols_init(&symbols, &f->arena);
    tsr_types_init(&types, &f->arena, &symbols);
    tsr_ir_init(&ir, &f->arena, &symbols, &types);
    if (tsr_ir_parse(&ir, &diags) && tsr_ir_verify(&ir, &diags)) return print_ir(&f->arena, &ir);
    for (const tsr_diag *d = diags.first; d != NULL; d = d->next) {
        tsr_text report;
        tsr_text_init(&report, &f->arena);
        tsr_diag_print(&report, &diags, d, false);
        print_message("%s", tsr_text_get(&report));
    }
    return NULL;
}

/* Whether a program must compile is what other tests of its folder say; `required` holds for tests/wgsl/accept. */
static bool is_stable(const char *path, bool required)
{
    char *text = read_text(path);
    front f;
    const char *again, *cloned;
    bool ok;
    front_run(&f, text);
    ok = f.ok;
    if (!ok && f.ir_text.len == 0 && !required) {
        front_free(&f);
        free(text);
        return true;
    }
    if (!ok) print_message("%s does not compile:\n%s", path, tsr_text_get(&f.messages));
    again = ok ? read_back(&f, tsr_text_get(&f.ir_text)) : NULL;
    cloned = ok ? print_ir(&f.arena, tsr_ir_clone(&f.ir, &f.arena)) : NULL;
    if (ok && (again == NULL || strcmp(again, tsr_text_get(&f.ir_text)) != 0)) {
        print_message("%s: its IR does not come back from text\n", path);
        ok = false;
    }
    if (cloned != NULL && strcmp(cloned, tsr_text_get(&f.ir_text)) != 0) {
        print_message("%s: a clone of its IR is another program\n", path);
        ok = false;
    }
    front_free(&f);
    free(text);
    return ok;
}

static bool is_program(const char *name)
{
    const char *end = strrchr(name, '.');
    return end != NULL && strcmp(end, ".wgsl") == 0;
}

static void test_programs(void **state)
{
    unsigned count = 0, wrong = 0;
    (void)state;
    for (unsigned i = 0; i < TSR_COUNT_OF(folders); i++) {
        DIR *dir = opendir(folders[i]);
        const struct dirent *entry;
        while (dir != NULL && (entry = readdir(dir)) != NULL) {
            char path[512];
            if (!is_program(entry->d_name)) continue;
            snprintf(path, sizeof path, "%s/%.400s", folders[i], entry->d_name);
            wrong += !is_stable(path, i == 0);
            count++;
        }
        if (dir != NULL) closedir(dir);
    }
    print_message("%u programs\n", count);
    assert_int_equal(wrong, 0);
    assert_true(count > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_programs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
