/* `tessera explain`: what the number of a diagnostic means, with a wrong and a right example. The texts are rows of
 * explain.def. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

struct explanation {
    unsigned number;
    const char *text, *wrong, *right;
};

static const struct explanation explanations[] = {
#define EXPLAIN(number, text, wrong, right) {number, text, wrong, right},
#include "cli/explain.def"
};
enum { EXPLANATION_COUNT = sizeof explanations / sizeof *explanations, TEXT_COLUMNS = 80, NUMBER_MAX = 9999 };

static const struct explanation *find_explanation(unsigned number)
{
    for (size_t i = 0; i < EXPLANATION_COUNT; i++)
        if (explanations[i].number == number) return &explanations[i];
    return NULL;
}

/* "E0304", "e304", "304", "[E0304]": as it is printed, or as people type it. */
static bool parse_number(const char *s, unsigned *out)
{
    size_t len = strlen(s);
    uint64_t number;
    if (len >= 2 && s[0] == '[' && s[len - 1] == ']') {
        s++;
        len -= 2;
    }
    if (len > 1 && (*s == 'E' || *s == 'e')) {
        s++;
        len--;
    }
    if (!cli_parse_u64(s, len, &number) || number > NUMBER_MAX) return false;
    *out = (unsigned)number;
    return true;
}

/* Broken at spaces. */
static void print_wrapped(const char *text)
{
    for (size_t column = 0; *text;) {
        size_t len = strcspn(text, " ");
        if (column && column + 1 + len > TEXT_COLUMNS) {
            putchar('\n');
            column = 0;
        }
        column += (size_t)printf("%s%.*s", column ? " " : "", (int)len, text);
        text += len;
        text += *text == ' ';
    }
    putchar('\n');
}

static void print_example(const char *title, const char *text)
{
    printf("\n%s:\n\n", title);
    while (*text) {
        size_t len = strcspn(text, "\n");
        printf("    %.*s\n", (int)len, text);
        text += len;
        text += *text == '\n';
    }
}

static void print_list(void)
{
    for (size_t i = 0; i < EXPLANATION_COUNT; i++)
        printf("E%04u  %s\n", explanations[i].number, tsr_diagnostic_title(explanations[i].number));
}

static int explain(const char *word)
{
    unsigned number;
    if (!parse_number(word, &number)) {
        if (*word == 'S' || *word == 's')
            cli_error("%s is no number of a diagnostic; docs/sanitizer.md tells what the sanitizer's mean", word);
        else
            cli_error("%s is no number of a diagnostic, such as E0304; `tessera explain` lists them", word);
        return CLI_BAD_COMMAND;
    }
    const struct explanation *e = find_explanation(number);
    if (!e) {
        cli_error("there is no diagnostic E%04u; `tessera explain` lists them", number);
        return CLI_BAD_INPUT;
    }
    printf("E%04u: %s\n\n", number, tsr_diagnostic_title(number));
    print_wrapped(e->text);
    print_example("Wrong", e->wrong);
    print_example("Right", e->right);
    return CLI_DONE;
}

static int run_explain(const struct cli_command *self, int argc, char **argv)
{
    struct cli_args args = {.command = self, .argc = argc, .argv = argv};
    const char *value = NULL;
    int id, status = CLI_DONE, count = 0;
    while ((id = cli_next(&args, &value)) != CLI_ARG_END) {
        if (id == CLI_ARG_HELP) return cli_close_stdout(CLI_DONE);
        if (id == CLI_ARG_BAD) return CLI_BAD_COMMAND;
        if (count++) putchar('\n');
        int one = explain(value);
        if (one > status) status = one;
    }
    if (count == 0) print_list();
    return cli_close_stdout(status);
}

const struct cli_command cli_explain = {
    .name = "explain",
    .summary = "Tell what the number of a diagnostic means, with a wrong and a right example.",
    .usage = "[NUMBER...]",
    .details = "A NUMBER is as messages have it in brackets: E0304; 304 will do. Without one, all are listed.\n",
    .examples = "  tessera explain E0304\n  tessera explain\n",
    .run = run_explain,
};
