#include "bot/fibre.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <sys/mman.h>
#include <unistd.h>

#include <ucontext.h>

#include "core/codec/memory.h"

// The sanitizers want to know of each switch. What they are called by is declared here: not every
// compiler that looks at this file has their headers.
#ifdef __has_feature
#define FIBRE_FEATURE(name) __has_feature(name)
#else
#define FIBRE_FEATURE(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || FIBRE_FEATURE(address_sanitizer)
#define FIBRE_ADDRESSES
// NOLINTBEGIN(readability-identifier-naming)
void __sanitizer_start_switch_fiber(void **fake, const void *stack, size_t size);
void __sanitizer_finish_switch_fiber(void *fake, const void **stack, size_t *size);
// NOLINTEND(readability-identifier-naming)
#endif
#if defined(__SANITIZE_THREAD__) || FIBRE_FEATURE(thread_sanitizer)
#define FIBRE_THREADS
void *__tsan_get_current_fiber(void);
void *__tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void *fiber);
void __tsan_switch_to_fiber(void *fiber, unsigned flags);
#endif

enum { STACKS_KEPT = 32, HALF_BITS = 32 };

/* A stack, between two guard pages, that nobody uses. */
struct stack {
    struct stack *next;
};

/* Where a switch leads; but for the first of these it is what the sanitizers want to know. */
struct side {
    ucontext_t context;
    const void *stack;
    size_t size;
    void *fake, *thread;
};

struct fibre {
    struct fibre *next, **before;
    struct fibres *fibres;
    fibre_fn *run;
    void *user, *place; // of the answer that it waits for
    struct side own, waker;
    char *stack;
    bool waits, ended;
};

struct fibres {
    struct fibre *first;
    struct stack *stacks;
    size_t stack_count, count; // count: of fibres that have not ended
    bool stopped;
};

/* Stacks. */

static size_t page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static char *stack_take(struct fibres *fibres)
{
    struct stack *const stack = fibres->stacks;
    if (stack != NULL) {
        fibres->stacks = stack->next;
        fibres->stack_count--;
        return (char *)stack;
    }
    const size_t page = page_size();
    char *const memory = mmap(NULL, FIBRE_STACK_SIZE + 2 * page, PROT_NONE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED ||
        mprotect(memory + page, FIBRE_STACK_SIZE, PROT_READ | PROT_WRITE) != 0) {
        (void)fputs("no memory for a stack\n", stderr);
        abort();
    }
    return memory + page;
}

static void stack_give(struct fibres *fibres, char *memory, size_t most)
{
    if (fibres->stack_count < most) {
        struct stack *const stack = (void *)memory;
        stack->next = fibres->stacks;
        fibres->stacks = stack;
        fibres->stack_count++;
    } else {
        (void)munmap(memory - page_size(), FIBRE_STACK_SIZE + 2 * page_size());
    }
}

/* Switching. */

static void finish_switch(void *fake, struct side *from)
{
#ifdef FIBRE_ADDRESSES
    __sanitizer_finish_switch_fiber(fake, &from->stack, &from->size);
#else
    (void)fake;
    (void)from;
#endif
}

static void switch_sides(struct side *from, struct side *to, bool for_good)
{
#ifdef FIBRE_ADDRESSES
    __sanitizer_start_switch_fiber(for_good ? NULL : &from->fake, to->stack, to->size);
#else
    (void)for_good;
#endif
#ifdef FIBRE_THREADS
    from->thread = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(to->thread, 0);
#endif
    (void)swapcontext(&from->context, &to->context);
    finish_switch(from->fake, to);
}

// A pointer goes through makecontext() as two numbers.
static void enter_fibre(unsigned high, unsigned low)
{
    struct fibre *const fibre = (void *)((uintptr_t)high << HALF_BITS | low);
    finish_switch(NULL, &fibre->waker);
    fibre->run(fibre, fibre->user);
    fibre->ended = true;
    switch_sides(&fibre->own, &fibre->waker, true);
}

static void fibre_free(struct fibre *fibre)
{
    *fibre->before = fibre->next;
    if (fibre->next != NULL) {
        fibre->next->before = fibre->before;
    }
    free(fibre);
}

static void go_on(struct fibre *fibre)
{
    struct fibres *const fibres = fibre->fibres;
    switch_sides(&fibre->waker, &fibre->own, false);
    if (fibre->ended) {
#ifdef FIBRE_THREADS
        __tsan_destroy_fiber(fibre->own.thread);
#endif
        fibres->count--;
        stack_give(fibres, fibre->stack, STACKS_KEPT);
        if (!fibres->stopped) { // else somebody may still answer it
            fibre_free(fibre);
        }
    }
}

void fibres_start(struct fibres *fibres, fibre_fn *run, void *user)
{
    struct fibre *const fibre = mb_new(1, sizeof *fibre);
    fibre->fibres = fibres;
    fibre->run = run;
    fibre->user = user;
    fibre->stack = stack_take(fibres);
    fibre->next = fibres->first;
    fibre->before = &fibres->first;
    if (fibre->next != NULL) {
        fibre->next->before = &fibre->next;
    }
    fibres->first = fibre;
    fibres->count++;
    fibre->own.stack = fibre->stack;
    fibre->own.size = FIBRE_STACK_SIZE;
#ifdef FIBRE_THREADS
    fibre->own.thread = __tsan_create_fiber(0);
#endif
    ucontext_t *const context = &fibre->own.context;
    (void)getcontext(context);
    context->uc_stack.ss_sp = fibre->stack;
    context->uc_stack.ss_size = FIBRE_STACK_SIZE;
    makecontext(context, (void (*)(void))enter_fibre, 2, (unsigned)((uintptr_t)fibre >> HALF_BITS),
                (unsigned)(uintptr_t)fibre);
    go_on(fibre);
}

bool fibre_wait(struct fibre *fibre)
{
    if (!fibre->fibres->stopped) {
        fibre->waits = true;
        switch_sides(&fibre->own, &fibre->waker, false);
    }
    return !fibre->fibres->stopped;
}

void fibre_wake(struct fibre *fibre)
{
    if (fibre->waits) {
        fibre->waits = false;
        go_on(fibre);
    }
}

/* Questions. */

bool fibre_asks(struct fibre *fibre, void *place)
{
    assert(fibre->place == NULL);
    fibre->place = fibre->fibres->stopped ? NULL : place;
    return fibre->place != NULL;
}

bool fibre_wait_answer(struct fibre *fibre)
{
    while (fibre->place != NULL && fibre_wait(fibre)) {
    }
    const bool answered = fibre->place == NULL;
    fibre->place = NULL;
    return answered;
}

void *fibre_answered(struct fibre *fibre)
{
    void *const place = fibre->place;
    fibre->place = NULL;
    return place;
}

/* Whole. */

struct fibres *fibres_create(void)
{
    return mb_new(1, sizeof(struct fibres));
}

bool fibres_are_many(const struct fibres *fibres)
{
    return fibres->count >= FIBRES_MANY;
}

// One that does not wait has called this.
void fibres_stop(struct fibres *fibres)
{
    fibres->stopped = true;
    for (struct fibre *at = fibres->first, *next = NULL; at != NULL; at = next) {
        next = at->next; // from now on none is freed
        fibre_wake(at);
    }
}

void fibres_destroy(struct fibres *fibres)
{
    for (struct fibre *at = fibres != NULL ? fibres->first : NULL, *next = NULL; at != NULL;
         at = next) {
        next = at->next;
        assert(at->ended);
        free(at);
    }
    while (fibres != NULL && fibres->stacks != NULL) {
        stack_give(fibres, stack_take(fibres), 0);
    }
    free(fibres);
}
