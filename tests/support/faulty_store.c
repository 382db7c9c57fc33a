#include "tests/support/faulty_store.h"

#include <assert.h>
#include <stdlib.h>

#include <signal.h>

#include "core/codec/memory.h"

#include "bot/store.h"
#include "bot/store_impl.h"

struct answers {
    struct store_answer *at[2 * STORE_QUEUE_MAX]; // a ring
    size_t first, count;
};

struct faulty_store {
    struct store store;
    struct store *inner;
    struct store_request *requests[STORE_QUEUE_MAX]; // a ring
    size_t first, waiting;
    struct answers ready, late;
    enum fault fault;
    unsigned long fault_in, taken;
    unsigned commits, overtaken;
    bool mortal, alone, down, hold, started;
    struct death death;
};

static struct faulty_store *faulty_of(struct store *store);

static void put(struct answers *answers, struct store_answer *answer)
{
    enum { ROOM = 2 * STORE_QUEUE_MAX };
    assert(answers->count < ROOM);
    answers->at[(answers->first + answers->count++) % ROOM] = answer;
}

static struct store_answer *first_of(struct answers *answers)
{
    enum { ROOM = 2 * STORE_QUEUE_MAX };
    if (answers->count == 0) {
        return NULL;
    }
    struct store_answer *const answer = answers->at[answers->first];
    answers->first = (answers->first + 1) % ROOM;
    answers->count--;
    return answer;
}

static bool faulty_start(struct store *store, struct mb_error *err)
{
    struct faulty_store *const faulty = faulty_of(store);
    faulty->started = store_start(faulty->inner, err);
    return faulty->started;
}

static bool faulty_shared(const struct store *store)
{
    const struct faulty_store *const faulty = (const struct faulty_store *)store;
    return !faulty->alone && store_shared(faulty->inner);
}

static bool faulty_ask(struct store *store, struct store_request *request)
{
    struct faulty_store *const faulty = faulty_of(store);
    if (!faulty->started || faulty->waiting == STORE_QUEUE_MAX) {
        return false;
    }
    faulty->requests[(faulty->first + faulty->waiting++) % STORE_QUEUE_MAX] = request;
    store_wake(store);
    return true;
}

/* What happens to a request. */

static void die(void)
{
    (void)raise(SIGKILL);
}

// The table's next version is as it was.
static void be_overtaken(struct faulty_store *faulty, const char *table)
{
    static uint64_t steps;
    const struct store_request load = {.kind = STORE_LOAD, .table = table};
    struct store_answer *const there = store_call(faulty->inner, &load);
    if (there->result == STORE_DONE && there->version > 0) {
        const struct store_request change = {.kind = STORE_COMMIT,
                                             .commit = {.step = {.epoch = 1, .number = ++steps},
                                                        .table = table,
                                                        .expected = there->version,
                                                        .bytes = there->bytes,
                                                        .since_ms = there->since_ms,
                                                        .due_ms = there->due_ms,
                                                        .until_ms = there->until_ms,
                                                        .event = ""}};
        faulty->overtaken--;
        (void)store_call_result(faulty->inner, &change);
    }
    store_answer_free(there);
}

static struct store_answer *work(struct faulty_store *faulty, const struct store_request *request)
{
    const bool dies = faulty->mortal && request->kind == faulty->death.kind &&
                      faulty->commits >= faulty->death.commits;
    if (dies && !faulty->death.after) {
        die();
    }
    if (request->kind == STORE_COMMIT && faulty->overtaken > 0 && !request->commit.directories) {
        be_overtaken(faulty, request->commit.table);
    }
    faulty->commits += request->kind == STORE_COMMIT ? 1 : 0;
    struct store_answer *const answer = store_call(faulty->inner, request);
    if (dies) {
        die();
    }
    return answer;
}

static enum fault next_fault(struct faulty_store *faulty)
{
    faulty->taken++;
    if (faulty->fault_in > 0 && --faulty->fault_in == 0) {
        return faulty->fault;
    }
    return faulty->down ? FAULT_BEFORE : FAULT_NONE;
}

static void answer_one(struct faulty_store *faulty)
{
    struct store_request *const request = faulty->requests[faulty->first];
    faulty->first = (faulty->first + 1) % STORE_QUEUE_MAX;
    faulty->waiting--;
    const enum fault fault = next_fault(faulty);
    struct store_answer *answer = fault == FAULT_BEFORE ? NULL : work(faulty, request);
    if (fault == FAULT_AFTER) {
        store_answer_free(answer);
        answer = NULL;
    }
    answer = answer != NULL ? answer : store_answer_failed(request);
    answer->ticket = request->ticket;
    if (fault == FAULT_FORGETS) {
        store_answer_free(answer);
    } else {
        put(fault == FAULT_LATE ? &faulty->late : &faulty->ready, answer);
    }
    if (fault == FAULT_TWICE) {
        store_answer_hold(answer);
        put(&faulty->ready, answer);
    }
    store_request_free(request);
}

static struct store_answer *faulty_take(struct store *store)
{
    struct faulty_store *const faulty = faulty_of(store);
    while (faulty->ready.count == 0 && faulty->waiting > 0 && !faulty->hold) {
        answer_one(faulty);
    }
    return first_of(&faulty->ready);
}

/* Life. */

static void faulty_stop(struct store *store)
{
    struct faulty_store *const faulty = faulty_of(store);
    store_stop(faulty->inner);
    faulty->started = false;
    for (; faulty->waiting > 0; faulty->waiting--) {
        store_request_free(faulty->requests[faulty->first]);
        faulty->first = (faulty->first + 1) % STORE_QUEUE_MAX;
    }
    struct answers *const lists[] = {&faulty->ready, &faulty->late};
    for (size_t i = 0; i < 2; i++) {
        while (lists[i]->count > 0) {
            store_answer_free(first_of(lists[i]));
        }
    }
}

static void faulty_destroy(struct store *store)
{
    struct faulty_store *const faulty = faulty_of(store);
    faulty_stop(store);
    store_destroy(faulty->inner);
    free(faulty);
}

static const struct store_ops OPS = {.name = "faulty",
                                     .start = faulty_start,
                                     .ask = faulty_ask,
                                     .take = faulty_take,
                                     .shared = faulty_shared,
                                     .stop = faulty_stop,
                                     .destroy = faulty_destroy};

static struct faulty_store *faulty_of(struct store *store)
{
    assert(store->ops == &OPS);
    return (struct faulty_store *)store;
}

struct store *faulty_store_create(struct store *inner)
{
    struct faulty_store *const faulty = mb_new(1, sizeof *faulty);
    faulty->store.ops = &OPS;
    faulty->inner = inner;
    return &faulty->store;
}

void faulty_store_alone(struct store *store)
{
    faulty_of(store)->alone = true;
}

void faulty_store_fault(struct store *store, enum fault fault, unsigned long n)
{
    faulty_of(store)->fault = fault;
    faulty_of(store)->fault_in = n;
}

void faulty_store_die(struct store *store, const struct death *death)
{
    faulty_of(store)->mortal = true;
    faulty_of(store)->death = *death;
}

void faulty_store_overtake(struct store *store, unsigned commits)
{
    faulty_of(store)->overtaken = commits;
}

void faulty_store_down(struct store *store, bool down)
{
    faulty_of(store)->down = down;
}

void faulty_store_hold(struct store *store, bool hold)
{
    faulty_of(store)->hold = hold;
}

void faulty_store_release(struct store *store)
{
    struct faulty_store *const faulty = faulty_of(store);
    while (faulty->late.count > 0) {
        put(&faulty->ready, first_of(&faulty->late));
    }
    store_wake(store);
}

unsigned long faulty_store_requests(const struct store *store)
{
    assert(store->ops == &OPS);
    return ((const struct faulty_store *)store)->taken;
}

struct store *faulty_store_inner(struct store *store)
{
    return faulty_of(store)->inner;
}
