/* Times whole commands side by side: runs them in turn, again and again, and prints one line of JSON.
 *
 *   compare [--runs N] TITLE NAME COMMAND ARG... [-- NAME COMMAND ARG...]...
 *
 * For each command: median, 10th and 90th percentile of wall and CPU time in ms, and the greatest resident memory in
 * KiB; "ratio" is its median wall time divided by that of the first. Output of the commands goes to /dev/null; a
 * command that fails ends the program with status 1. */
#define _DEFAULT_SOURCE /* wait4: the memory of one child, not of all so far */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_COMMANDS = 8, MAX_RUNS = 1000 };

typedef struct command {
    const char *name;
    char **argv;
    double wall_ms[MAX_RUNS], cpu_ms[MAX_RUNS];
    long peak_kib;
} command;

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static double of_timeval(struct timeval t)
{
    return (double)t.tv_sec * 1e3 + (double)t.tv_usec * 1e-3;
}

static void become(char **argv)
{
    int null = open("/dev/null", O_RDWR);
    dup2(null, 0);
    dup2(null, 1);
    dup2(null, 2);
    execvp(argv[0], argv);
    _exit(127);
}

static void run(command *c, int i)
{
    double start = now_ms();
    pid_t child = fork();
    if (child == 0) become(c->argv);
    int status;
    struct rusage use;
    if (child < 0 || wait4(child, &status, 0, &use) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fprintf(stderr, "compare: %s failed (status %d)\n", c->name, child < 0 ? -1 : status);
        exit(1);
    }
    c->wall_ms[i] = now_ms() - start;
    c->cpu_ms[i] = of_timeval(use.ru_utime) + of_timeval(use.ru_stime);
    if (use.ru_maxrss > c->peak_kib) c->peak_kib = use.ru_maxrss;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double percentile(const double *sorted, int count, int percent)
{
    return sorted[(count - 1) * percent / 100];
}

static int read_commands(int argc, char **argv, command *commands)
{
    int count = 0;
    for (int i = 0; i < argc && count < MAX_COMMANDS;) {
        if (i + 1 >= argc) return 0;
        commands[count].name = argv[i];
        commands[count++].argv = &argv[i + 1];
        while (i < argc && strcmp(argv[i], "--") != 0)
            i++;
        if (i < argc) argv[i++] = NULL;
    }
    return count;
}

int main(int argc, char **argv)
{
    static command commands[MAX_COMMANDS];
    int runs = 31, first = 1;
    if (argc > 2 && strcmp(argv[1], "--runs") == 0) runs = atoi(argv[2]), first = 3;
    if (runs < 1 || runs > MAX_RUNS || argc < first + 3) {
        fprintf(stderr, "usage: compare [--runs N] TITLE NAME COMMAND ARG... [-- NAME COMMAND ARG...]...\n");
        return 2;
    }
    int count = read_commands(argc - first - 1, argv + first + 1, commands);
    for (int c = 0; c < count; c++)
        run(&commands[c], 0); /* warm: files in memory */
    for (int i = 0; i < runs; i++)
        for (int c = 0; c < count; c++)
            run(&commands[c], i);
    printf("{\"title\": \"%s\", \"runs\": %d, \"commands\": [", argv[first], runs);
    double base = 0;
    for (int c = 0; c < count; c++) {
        command *k = &commands[c];
        qsort(k->wall_ms, (size_t)runs, sizeof(double), by_value);
        qsort(k->cpu_ms, (size_t)runs, sizeof(double), by_value);
        double median = percentile(k->wall_ms, runs, 50);
        if (c == 0) base = median;
        printf("%s{\"name\": \"%s\", \"wall_ms\": %.3f, \"p10\": %.3f, \"p90\": %.3f, \"cpu_ms\": %.3f, \"peak_kib\": "
               "%ld, "
               "\"ratio\": %.3f}",
               c ? ", " : "", k->name, median, percentile(k->wall_ms, runs, 10), percentile(k->wall_ms, runs, 90),
               percentile(k->cpu_ms, runs, 50), k->peak_kib, median / base);
    }
    printf("]}\n");
    return 0;
}
