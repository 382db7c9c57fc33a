#include "tests/support/faulty_store.h"

#include <assert.h>
#include <stdlib.h>

#include <signal.h>

#include "bot/store_impl.h"

/** A request that is asked inside; or, if it fails before, only waits for its turn. */
struct asked {
    struct asked *next;
    enum store_kind kind;
    enum fault fault;
    uint64_t ticket, inner;
    bool dies;
};

struct kept_answer {
    struct kept_answer *next;
    struct store_answer *answer;
};

struct faulty_store {
    struct store store;
    struct store *inner;
    struct asked *asked, **asked_end;
    struct kept_answer *again, *late;
    enum fault fault;
    unsigned long fault_in, requests;
    unsigned commits;
    bool mortal, alone;
    struct death death;
};

static bool faulty_start(struct store *store, struct mb_error *err);
static bool faulty_ask(struct store *store, struct store_request *request);
static struct store_answer *faulty_take(struct store *store);
static bool faulty_shared(const struct store *store);
static void faulty_stop(struct store *store);
static void faulty_destroy(struct store *store);

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
    struct faulty_store *const faulty = calloc(1, sizeof *faulty);
    if (faulty == NULL || inner == NULL) {
        free(faulty);
        return NULL;
    }
    faulty->store.ops = &OPS;
    faulty->inner = inner;
    faulty->asked_end = &faulty->asked;
    return &faulty->store;
}

void faulty_store_alone(struct store *store)
{
    faulty_of(store)->alone = true;
}

static bool faulty_start(struct store *store, struct mb_error *err)
{
    return store_start(faulty_of(store)->inner, err);
}

static bool faulty_shared(const struct store *store)
{
    const struct faulty_store *const faulty = (const struct faulty_store *)store;
    return !faulty->alone && store_shared(faulty->inner);
}

static void die(void)
{
    (void)raise(SIGKILL);
}

static bool is_death(const struct faulty_store *faulty, const struct store_request *request)
{
    return faulty->mortal && request->kind == faulty->death.kind &&
           faulty->commits >= faulty->death.commits;
}

static bool faulty_ask(struct store *store, struct store_request *request)
{
    struct faulty_store *const faulty = faulty_of(store);
    struct asked *const asked = calloc(1, sizeof *asked);
    if (asked == NULL) {
        return false;
    }
    faulty->requests++;
    const bool now = faulty->fault_in > 0 && --faulty->fault_in == 0;
    const bool dies = is_death(faulty, request);
    if (dies && !faulty->death.after) {
        die();
    }
    *asked = (struct asked){.kind = request->kind,
                            .fault = now ? faulty->fault : FAULT_NONE,
                            .ticket = request->ticket,
                            .dies = dies};
    if (asked->fault != FAULT_BEFORE && !store_ask(faulty->inner, request, &asked->inner)) {
        free(asked);
        return false;
    }
    faulty->commits += request->kind == STORE_COMMIT ? 1 : 0;
    *faulty->asked_end = asked;
    faulty->asked_end = &asked->next;
    store_request_free(request);
    return true;
}

static struct asked *find_asked(struct faulty_store *faulty, uint64_t inner)
{
    struct asked **at = &faulty->asked;
    while (*at != NULL && (*at)->inner != inner) {
        at = &(*at)->next;
    }
    struct asked *const found = *at;
    if (found != NULL) {
        *at = found->next;
        faulty->asked_end = found->next == NULL ? at : faulty->asked_end;
    }
    return found;
}

static void keep(struct kept_answer **list, struct store_answer *answer)
{
    struct kept_answer *const node = calloc(1, sizeof *node);
    if (node == NULL || answer == NULL) {
        free(node);
        store_answer_free(answer);
        return;
    }
    *node = (struct kept_answer){.next = *list, .answer = answer};
    *list = node;
}

static struct store_answer *first_of(struct kept_answer **list)
{
    struct kept_answer *const node = *list;
    struct store_answer *const answer = node != NULL ? node->answer : NULL;
    *list = node != NULL ? node->next : NULL;
    free(node);
    return answer;
}

static struct store_answer *failed(const struct asked *asked)
{
    const struct store_answer answer = {
        .kind = asked->kind, .result = STORE_FAILED, .ticket = asked->ticket};
    return store_answer_copy(&answer);
}

// What comes of an answer of the store inside; NULL: nothing now.
static struct store_answer *bend(struct faulty_store *faulty, const struct asked *asked,
                                 struct store_answer *answer)
{
    if (asked->dies) {
        die();
    }
    answer->ticket = asked->ticket;
    switch (asked->fault) {
    case FAULT_AFTER:
        store_answer_free(answer);
        return failed(asked);
    case FAULT_FORGETS:
        store_answer_free(answer);
        return NULL;
    case FAULT_LATE:
        keep(&faulty->late, answer);
        return NULL;
    case FAULT_TWICE:
        keep(&faulty->again, store_answer_copy(answer));
        return answer;
    case FAULT_NONE:
    case FAULT_BEFORE:
        break;
    }
    return answer;
}

static struct store_answer *faulty_take(struct store *store)
{
    struct faulty_store *const faulty = faulty_of(store);
    struct store_answer *answer = first_of(&faulty->again);
    while (answer == NULL && faulty->asked != NULL) {
        struct asked *asked = faulty->asked;
        if (asked->fault == FAULT_BEFORE) {
            asked = find_asked(faulty, asked->inner);
            answer = failed(asked);
            free(asked);
            continue;
        }
        struct store_answer *const inner = store_take(faulty->inner);
        if (inner == NULL) {
            return NULL;
        }
        asked = find_asked(faulty, inner->ticket);
        answer = asked != NULL ? bend(faulty, asked, inner) : NULL;
        if (asked == NULL) {
            store_answer_free(inner);
        }
        free(asked);
    }
    return answer;
}

static void faulty_stop(struct store *store)
{
    struct faulty_store *const faulty = faulty_of(store);
    store_stop(faulty->inner);
    while (faulty->asked != NULL) {
        struct asked *const asked = faulty->asked;
        faulty->asked = asked->next;
        free(asked);
    }
    faulty->asked_end = &faulty->asked;
    while (faulty->again != NULL) {
        store_answer_free(first_of(&faulty->again));
    }
    while (faulty->late != NULL) {
        store_answer_free(first_of(&faulty->late));
    }
}

static void faulty_destroy(struct store *store)
{
    struct faulty_store *const faulty = faulty_of(store);
    faulty_stop(store);
    store_destroy(faulty->inner);
    free(faulty);
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

void faulty_store_release(struct store *store)
{
    struct faulty_store *const faulty = faulty_of(store);
    while (faulty->late != NULL) {
        keep(&faulty->again, first_of(&faulty->late));
    }
}

unsigned long faulty_store_requests(const struct store *store)
{
    assert(store->ops == &OPS);
    return ((const struct faulty_store *)store)->requests;
}

struct store *faulty_store_inner(struct store *store)
{
    return faulty_of(store)->inner;
}
