/* Stacks of their own: what a switch must keep, how the stack lies, many fibers at a time, on several threads. */
#include "exec/fiber.h"
#include "unit.h"

#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STACK = 64 * 1024, ROUNDS = 50, FIBERS = 20, LIVE = 24 };

typedef struct walk walk;
typedef struct round_robin {
    walk *walks;
    int at, alive; /* whose turn it is */
} round_robin;

struct walk {
    round_robin *all; /* NULL: alone, without a fiber */
    tsr_fiber *fiber;
    uint64_t seed, sum;
    double dsum;
    int rounds;
    bool misaligned, ended;
};

static void next_turn(round_robin *all)
{
    do
        all->at = (all->at + 1) % FIBERS;
    while (all->walks[all->at].ended && all->alive > 0);
}

static void pass_on(walk *w)
{
    next_turn(w->all);
    walk *next = &w->all->walks[w->all->at];
    if (next != w) tsr_fiber_pass(w->fiber, next->fiber);
}

static uint64_t mix(uint64_t x)
{
    x ^= x >> 29;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    return x ^ x >> 32;
}

/* More integers and more doubles live over the pause than there are registers that a callee keeps: each of those holds
 * something when the switch is called. Not inlined: the sums must be what they are without a pause, too. */
__attribute__((noinline)) static void hold(walk *w)
{
    uint64_t word[LIVE];
    double real[LIVE];
    for (int i = 0; i < LIVE; i++) {
        word[i] = mix(w->seed + (uint64_t)i);
        real[i] = (double)(word[i] >> 40) + 0.5;
    }
    for (int r = 0; r < w->rounds; r++) {
        uint64_t a = word[0], b = word[1], c = word[2], d = word[3], f = word[4], g = word[5], h = word[6], k = word[7],
                 l = word[8], m = word[9];
        double p = real[0], q = real[1], s = real[2], t = real[3], u = real[4], v = real[5], x = real[6], y = real[7];
        if (w->all) pass_on(w);
        word[r % LIVE] = mix(a + 3 * b + 5 * c + 7 * d + 11 * f + 13 * g + 17 * h + 19 * k + 23 * l + 29 * m);
        real[r % LIVE] = fmod(p + 3 * q + 5 * s + 7 * t + 11 * u + 13 * v + 17 * x + 19 * y, 1e6);
        memmove(word + 1, word, (LIVE - 1) * sizeof word[0]);
        memmove(real + 1, real, (LIVE - 1) * sizeof real[0]);
        w->sum += word[0];
        w->dsum += real[0];
    }
}

/* printf of doubles keeps vectors on the stack, which must be aligned for them. */
static void look_at_stack(walk *w)
{
    _Alignas(16) volatile char here[16];
    char text[64];
    here[0] = 1;
    if ((uintptr_t)here % 16 != 0) w->misaligned = true;
    snprintf(text, sizeof text, "%.3f %.3f %d", 1.5, 2.25, here[0]);
    if (strcmp(text, "1.500 2.250 1") != 0) w->misaligned = true;
}

static void enter(void *user)
{
    walk *w = user;
    look_at_stack(w);
    hold(w);
    w->ended = true;
    w->all->alive--;
    next_turn(w->all);
}

static void *walk_together(void *user)
{
    walk *w = calloc(FIBERS, sizeof *w);
    round_robin all = {.walks = w, .alive = FIBERS};
    bool *same = user;
    for (int i = 0; i < FIBERS; i++) {
        w[i].all = &all;
        w[i].seed = (uint64_t)i * 977;
        w[i].rounds = ROUNDS + i; /* they end at different times */
        w[i].fiber = tsr_fiber_new(STACK);
        tsr_fiber_start(w[i].fiber, enter, &w[i]);
    }
    while (all.alive > 0)
        tsr_fiber_resume(w[all.at].fiber);
    *same = true;
    for (int i = 0; i < FIBERS; i++) {
        walk alone = {.seed = w[i].seed, .rounds = w[i].rounds};
        hold(&alone);
        if (alone.sum != w[i].sum || alone.dsum != w[i].dsum || w[i].misaligned) *same = false;
        tsr_fiber_free(w[i].fiber);
    }
    free(w);
    return NULL;
}

static void test_registers(void **state)
{
    (void)state;
    bool same = false;
    walk_together(&same);
    assert_true(same);
}

static void test_threads(void **state)
{
    (void)state;
    pthread_t thread[4];
    bool same[4] = {false};
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, walk_together, &same[i]), 0);
    for (int i = 0; i < 4; i++) {
        pthread_join(thread[i], NULL);
        assert_true(same[i]);
    }
}

static void count_up(void *user)
{
    ++*(int *)user;
}

/* A fiber is used again and again, and its stack is all of what was asked for. */
static void use_stack(void *user)
{
    volatile char much[STACK - 8 * 1024];
    for (size_t i = 0; i < sizeof much; i += 256)
        much[i] = (char)i;
    *(int *)user += much[256] == 0;
}

static void test_again(void **state)
{
    (void)state;
    int count = 0;
    tsr_fiber *f = tsr_fiber_new(STACK);
    assert_non_null(f);
    for (int i = 0; i < 1000; i++) {
        tsr_fiber_start(f, count_up, &count);
        tsr_fiber_resume(f);
    }
    assert_int_equal(count, 1000);
    tsr_fiber_start(f, use_stack, &count);
    tsr_fiber_resume(f);
    assert_int_equal(count, 1001);
    tsr_fiber_free(f);
    tsr_fiber_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_registers), cmocka_unit_test(test_threads),
                                       cmocka_unit_test(test_again)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
