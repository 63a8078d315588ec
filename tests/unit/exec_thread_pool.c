/* The thread pool: every item once, at most as many as asked for, withdrawal, two runs at a time, fork. */
#include "exec/thread_pool.h"

#include "unit.h"

#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LONG_NS UINT64_C(10000000000)

struct item {
    atomic_uint times;
    bool slow;
};

static void work(void *user)
{
    struct item *item = user;
    struct timespec some = {0, 2000000};
    if (item->slow) nanosleep(&some, NULL);
    atomic_fetch_add(&item->times, 1);
}

static void expect_each_once(tsr_thread_pool *p, uint32_t count, bool slow)
{
    struct item items[64];
    for (uint32_t i = 0; i < count; i++)
        items[i] = (struct item){.slow = slow};
    assert_true(tsr_thread_pool_start(p, work, items, sizeof *items, count));
    while (!tsr_thread_pool_wait(p, LONG_NS, false)) {
    }
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(items[i].times, 1);
}

static void each_item_once(void **state)
{
    (void)state;
    tsr_thread_pool *p = tsr_thread_pool_new();
    for (uint32_t round = 0; round < 200; round++)
        expect_each_once(p, 1 + round % 5, false);
    expect_each_once(p, 4, true);
    expect_each_once(p, 64, false);
    tsr_thread_pool_free(p);
    tsr_thread_pool_free(tsr_thread_pool_new());
    tsr_thread_pool_free(NULL);
}

/* What has begun ends before the wait is over; what has not never does. */
static void withdrawn(void **state)
{
    (void)state;
    tsr_thread_pool *p = tsr_thread_pool_new();
    for (uint32_t round = 0; round < 50; round++) {
        struct item items[4];
        unsigned times[4];
        for (uint32_t i = 0; i < 4; i++)
            items[i] = (struct item){.slow = round % 2};
        assert_true(tsr_thread_pool_start(p, work, items, sizeof *items, 4));
        while (!tsr_thread_pool_wait(p, LONG_NS, true)) {
        }
        for (uint32_t i = 0; i < 4; i++)
            times[i] = items[i].times;
        nanosleep(&(struct timespec){0, 100000}, NULL);
        for (uint32_t i = 0; i < 4; i++) {
            assert_true(times[i] <= 1);
            assert_int_equal(items[i].times, times[i]);
        }
    }
    tsr_thread_pool_free(p);
}

static void timeout(void **state)
{
    (void)state;
    tsr_thread_pool *p = tsr_thread_pool_new();
    struct item item = {.slow = true};
    assert_true(tsr_thread_pool_start(p, work, &item, sizeof item, 1));
    assert_false(tsr_thread_pool_wait(p, 1000, false));
    while (!tsr_thread_pool_wait(p, LONG_NS, false)) {
    }
    assert_int_equal(item.times, 1);
    tsr_thread_pool_free(p);
}

static void two_at_a_time(void **state)
{
    (void)state;
    tsr_thread_pool *shared = tsr_thread_pool_new(), *a = tsr_thread_pool_take(shared),
                    *b = tsr_thread_pool_take(shared), *c = tsr_thread_pool_take(NULL);
    assert_ptr_equal(a, shared);
    assert_ptr_not_equal(b, shared);
    expect_each_once(a, 3, false);
    expect_each_once(b, 3, false);
    expect_each_once(c, 3, false);
    tsr_thread_pool_give(NULL, c);
    tsr_thread_pool_give(shared, b);
    tsr_thread_pool_give(shared, a);
    assert_ptr_equal(tsr_thread_pool_take(shared), shared);
    tsr_thread_pool_give(shared, shared);
    tsr_thread_pool_free(shared);
}

/* A forked process has none of the threads. */
static void forked(void **state)
{
    (void)state;
    tsr_thread_pool *shared = tsr_thread_pool_new();
    expect_each_once(shared, 3, false);
    pid_t child = fork();
    if (child == 0) {
        tsr_thread_pool *p = tsr_thread_pool_take(shared);
        if (p == shared) _exit(1);
        expect_each_once(p, 3, false);
        tsr_thread_pool_give(shared, p);
        tsr_thread_pool_free(shared);
        _exit(0);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    expect_each_once(shared, 3, false);
    tsr_thread_pool_free(shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_item_once), cmocka_unit_test(withdrawn), cmocka_unit_test(timeout),
        cmocka_unit_test(two_at_a_time),  cmocka_unit_test(forked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
