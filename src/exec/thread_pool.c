/* One piece of work at a time: items are handed out under a lock to whichever thread is awake. */
#include "exec/thread_pool.h"

#include "base/clock.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#define THREADS_MAX 1024u

struct tsr_thread_pool {
    pid_t owner; /* threads do not follow into a forked process */
    atomic_flag taken;
    pthread_mutex_t lock;
    pthread_cond_t begun, finished;
    pthread_t threads[THREADS_MAX];
    uint32_t thread_count;
    /* Under lock. */
    void (*work)(void *item);
    unsigned char *items;
    size_t item_bytes;
    uint32_t next, end, running;
    bool closing;
};

/* ---- Threads. */

static void *thread_main(void *user)
{
    tsr_thread_pool *p = user;
    pthread_mutex_lock(&p->lock);
    while (!p->closing) {
        if (p->next == p->end) {
            pthread_cond_wait(&p->begun, &p->lock);
            continue;
        }
        void *item = p->items + p->item_bytes * p->next++;
        p->running++;
        pthread_mutex_unlock(&p->lock);
        p->work(item);
        pthread_mutex_lock(&p->lock);
        if (--p->running == 0 && p->next == p->end) pthread_cond_signal(&p->finished);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* Signals go to threads of the program that uses us. */
static void make_threads(tsr_thread_pool *p, uint32_t wanted)
{
    sigset_t all, before;
    if (wanted > THREADS_MAX) wanted = THREADS_MAX;
    if (p->thread_count >= wanted) return;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (p->thread_count < wanted && pthread_create(&p->threads[p->thread_count], NULL, thread_main, p) == 0)
        p->thread_count++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* ---- The pool. */

tsr_thread_pool *tsr_thread_pool_new(void)
{
    pthread_condattr_t clock;
    tsr_thread_pool *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->owner = getpid();
    atomic_flag_clear(&p->taken);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->begun, NULL);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&p->finished, &clock);
    pthread_condattr_destroy(&clock);
    return p;
}

void tsr_thread_pool_free(tsr_thread_pool *p)
{
    if (!p) return;
    if (p->owner == getpid()) {
        pthread_mutex_lock(&p->lock);
        p->closing = true;
        pthread_cond_broadcast(&p->begun);
        pthread_mutex_unlock(&p->lock);
        for (uint32_t i = 0; i < p->thread_count; i++)
            pthread_join(p->threads[i], NULL);
        pthread_cond_destroy(&p->finished);
        pthread_cond_destroy(&p->begun);
        pthread_mutex_destroy(&p->lock);
    }
    free(p);
}

tsr_thread_pool *tsr_thread_pool_take(tsr_thread_pool *shared)
{
    bool free_here = shared && shared->owner == getpid() && !atomic_flag_test_and_set(&shared->taken);
    return free_here ? shared : tsr_thread_pool_new();
}

void tsr_thread_pool_give(tsr_thread_pool *shared, tsr_thread_pool *taken)
{
    if (taken == shared)
        atomic_flag_clear(&shared->taken);
    else
        tsr_thread_pool_free(taken);
}

/* ---- Work. */

bool tsr_thread_pool_start(tsr_thread_pool *p, void (*work)(void *item), void *items, size_t item_bytes, uint32_t count)
{
    make_threads(p, count);
    if (p->thread_count == 0) return false;
    pthread_mutex_lock(&p->lock);
    p->work = work;
    p->items = items;
    p->item_bytes = item_bytes;
    p->next = 0;
    p->end = count;
    for (uint32_t i = 0; i < count && i < p->thread_count; i++)
        pthread_cond_signal(&p->begun);
    pthread_mutex_unlock(&p->lock);
    return true;
}

static struct timespec time_after(uint64_t ns)
{
    uint64_t at = tsr_now_ns() + ns;
    return (struct timespec){.tv_sec = (time_t)(at / 1000000000u), .tv_nsec = (long)(at % 1000000000u)};
}

bool tsr_thread_pool_wait(tsr_thread_pool *p, uint64_t timeout_ns, bool withdraw)
{
    pthread_mutex_lock(&p->lock);
    if (withdraw) p->end = p->next;
    bool over = p->running == 0 && p->next == p->end;
    if (!over) {
        struct timespec until = time_after(timeout_ns);
        pthread_cond_timedwait(&p->finished, &p->lock, &until);
        over = p->running == 0 && p->next == p->end;
    }
    pthread_mutex_unlock(&p->lock);
    return over;
}
