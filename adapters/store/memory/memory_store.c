#include "adapters/store/memory/memory_store.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "adapters/store/memory/memory_impl.h"

struct answer_node {
    struct answer_node *next;
    struct store_answer *answer;
};

static bool memory_start(struct store *store, struct mb_error *err);
static bool memory_ask(struct store *store, struct store_request *request);
static struct store_answer *memory_take(struct store *store);
static void memory_stop(struct store *store);
static void memory_destroy(struct store *store);

static const struct store_ops OPS = {
    .name = "memory",
    .start = memory_start,
    .ask = memory_ask,
    .take = memory_take,
    .stop = memory_stop,
    .destroy = memory_destroy,
};

static struct memory_store *memory_of(struct store *store)
{
    assert(store->ops == &OPS);
    return (struct memory_store *)store;
}

static const struct memory_store *memory_of_const(const struct store *store)
{
    assert(store->ops == &OPS);
    return (const struct memory_store *)store;
}

struct store *memory_store_create(void)
{
    struct memory_store *const memory = calloc(1, sizeof *memory);
    if (memory == NULL || sodium_init() < 0) {
        free(memory);
        return NULL;
    }
    memory->store.ops = &OPS;
    memory->ready_end = &memory->ready;
    memory->place_free = KEYED_NONE;
    memory->people_free = KEYED_NONE;
    randombytes_buf(memory->secret, sizeof memory->secret);
    // Never the epochs of another store: keys made of them name messages for ever.
    randombytes_buf(&memory->epoch, sizeof memory->epoch);
    memory->epoch >>= 1;
    struct keyed_map *const maps[] = {&memory->row_map,    &memory->place_map,
                                      &memory->people_map, &memory->community_map,
                                      &memory->opened_by,  &memory->opened_in};
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
        keyed_map_init(maps[i], memory->secret);
    }
    return &memory->store;
}

static bool memory_start(struct store *store, struct mb_error *err)
{
    (void)err;
    memory_of(store)->started = true;
    return true;
}

static bool memory_ask(struct store *store, struct store_request *request)
{
    struct memory_store *const memory = memory_of(store);
    if (!memory->started || memory->waiting == STORE_QUEUE_MAX) {
        return false;
    }
    memory->requests[(memory->first + memory->waiting++) % STORE_QUEUE_MAX] = request;
    store_wake(store);
    return true;
}

// The answer comes after all that wait; without memory it is lost.
static void put(struct memory_store *memory, struct store_answer *answer)
{
    struct answer_node *const node = answer != NULL ? calloc(1, sizeof *node) : NULL;
    if (node == NULL) {
        store_answer_free(answer);
        return;
    }
    node->answer = answer;
    *memory->ready_end = node;
    memory->ready_end = &node->next;
}

static void be_overtaken(struct memory_store *memory, const struct store_commit *commit)
{
    struct row *const row = memory->overtaken > 0 ? memory_row(memory, commit->table) : NULL;
    if (row != NULL) {
        memory->overtaken--;
        row->version++;
    }
}

static struct store_answer *work(struct memory_store *memory, const struct store_request *request)
{
    struct store_answer answer = {.kind = request->kind};
    switch (request->kind) {
    case STORE_COMMIT:
        be_overtaken(memory, &request->commit);
        memory_commit(memory, &request->commit, &answer);
        break;
    case STORE_CONFIRM:
        answer.result = memory_confirm(memory, request);
        break;
    case STORE_HELLO:
    case STORE_BEAT:
    case STORE_PLACE:
    case STORE_PERSON:
    case STORE_LOAD:
    case STORE_EARLIER:
    case STORE_LOG:
    case STORE_JOURNAL:
    case STORE_STATISTICS:
    case STORE_STEP:
    case STORE_DUE:
    case STORE_KEEP:
    case STORE_KEPT:
    case STORE_HOLD:
    case STORE_CARD:
    case STORE_LIST:
    case STORE_KNOWN:
    case STORE_FORGET:
        return memory_read(memory, request);
    }
    return store_answer_copy(&answer);
}

static enum memory_fault next_fault(struct memory_store *memory)
{
    memory->taken++;
    if (memory->fault_in > 0 && --memory->fault_in == 0) {
        return memory->fault;
    }
    return memory->down ? MEMORY_FAILS_BEFORE : MEMORY_WELL;
}

static void answer_one(struct memory_store *memory)
{
    struct store_request *const request = memory->requests[memory->first];
    memory->first = (memory->first + 1) % STORE_QUEUE_MAX;
    memory->waiting--;
    const enum memory_fault fault = next_fault(memory);
    const struct store_answer failed = {.kind = request->kind, .result = STORE_FAILED};
    struct store_answer *answer =
        fault == MEMORY_FAILS_BEFORE ? store_answer_copy(&failed) : work(memory, request);
    if (fault == MEMORY_FAILS_AFTER) {
        store_answer_free(answer);
        answer = store_answer_copy(&failed);
    }
    if (answer != NULL) {
        answer->ticket = request->ticket;
    }
    if (fault == MEMORY_TWICE && answer != NULL) {
        put(memory, store_answer_copy(answer));
    }
    if (fault == MEMORY_FORGETS) {
        store_answer_free(answer);
    } else if (fault == MEMORY_LATE && answer != NULL) {
        struct answer_node *const node = calloc(1, sizeof *node);
        assert(node != NULL);
        *node = (struct answer_node){.next = memory->late, .answer = answer};
        memory->late = node;
    } else {
        put(memory, answer);
    }
    store_request_free(request);
}

static struct store_answer *memory_take(struct store *store)
{
    struct memory_store *const memory = memory_of(store);
    while (memory->ready == NULL && memory->waiting > 0 && !memory->hold) {
        answer_one(memory);
    }
    struct answer_node *const node = memory->ready;
    if (node == NULL) {
        return NULL;
    }
    struct store_answer *const answer = node->answer;
    memory->ready = node->next;
    memory->ready_end = memory->ready != NULL ? memory->ready_end : &memory->ready;
    free(node);
    return answer;
}

static void drop_answers(struct answer_node *node)
{
    while (node != NULL) {
        struct answer_node *const next = node->next;
        store_answer_free(node->answer);
        free(node);
        node = next;
    }
}

static void memory_stop(struct store *store)
{
    struct memory_store *const memory = memory_of(store);
    while (memory->waiting > 0) {
        store_request_free(memory->requests[memory->first]);
        memory->first = (memory->first + 1) % STORE_QUEUE_MAX;
        memory->waiting--;
    }
    drop_answers(memory->ready);
    drop_answers(memory->late);
    memory->ready = NULL;
    memory->ready_end = &memory->ready;
    memory->late = NULL;
    memory->started = false;
}

static void memory_destroy(struct store *store)
{
    struct memory_store *const memory = memory_of(store);
    memory_stop(store);
    memory_tables_finish(memory);
    memory_people_finish(memory);
    while (memory->kept != NULL) {
        struct kept_word *const word = memory->kept;
        memory->kept = word->next;
        free(word->bytes);
        free(word);
    }
    struct keyed_map *const maps[] = {&memory->row_map,    &memory->place_map,
                                      &memory->people_map, &memory->community_map,
                                      &memory->opened_by,  &memory->opened_in};
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
        keyed_map_finish(maps[i]);
    }
    due_heap_finish(&memory->due);
    free(memory);
}

void memory_store_fault(struct store *store, enum memory_fault fault, unsigned long n)
{
    memory_of(store)->fault = fault;
    memory_of(store)->fault_in = n;
}

void memory_store_overtake(struct store *store, unsigned commits)
{
    memory_of(store)->overtaken = commits;
}

void memory_store_down(struct store *store, bool down)
{
    memory_of(store)->down = down;
}

void memory_store_hold(struct store *store, bool hold)
{
    memory_of(store)->hold = hold;
}

void memory_store_release(struct store *store)
{
    struct memory_store *const memory = memory_of(store);
    while (memory->late != NULL) {
        struct answer_node *const node = memory->late;
        memory->late = node->next;
        node->next = NULL;
        *memory->ready_end = node;
        memory->ready_end = &node->next;
    }
    store_wake(store);
}

unsigned long memory_store_requests(const struct store *store)
{
    return memory_of_const(store)->taken;
}

size_t memory_store_tables(const struct store *store)
{
    return memory_of_const(store)->row_count;
}

struct store_bytes memory_store_bytes(const struct store *store, const char *table)
{
    const struct row *const row = memory_row(memory_of_const(store), table);
    return row != NULL ? (struct store_bytes){.at = row->bytes->at, .size = row->bytes->size}
                       : (struct store_bytes){.at = NULL};
}

size_t memory_store_unsent(const struct store *store)
{
    const struct memory_store *const memory = memory_of_const(store);
    size_t count = 0;
    for (uint32_t i = 0; i < memory->row_room; i++) {
        const struct kept_message *at = memory->rows[i] != NULL ? memory->rows[i]->messages : NULL;
        for (; at != NULL; at = at->next) {
            count++;
        }
    }
    return count;
}
