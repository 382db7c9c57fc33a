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
static bool memory_shared(const struct store *store);
static void memory_stop(struct store *store);
static void memory_destroy(struct store *store);

static const struct store_ops OPS = {
    .name = "memory",
    .start = memory_start,
    .ask = memory_ask,
    .take = memory_take,
    .shared = memory_shared,
    .stop = memory_stop,
    .destroy = memory_destroy,
};

/** A process's way to the store: requests, answers, and what goes wrong on it. */
struct memory_door {
    struct store store;
    struct memory_store *memory;
    unsigned number;
    struct store_request *requests[STORE_QUEUE_MAX];
    size_t first, waiting;
    struct answer_node *ready, **ready_end, *late;
    enum memory_fault fault;
    unsigned long fault_in, taken;
    bool down, hold, started;
};

static struct memory_door *door_of(struct store *store)
{
    assert(store->ops == &OPS);
    return (struct memory_door *)store;
}

static const struct memory_door *door_of_const(const struct store *store)
{
    assert(store->ops == &OPS);
    return (const struct memory_door *)store;
}

static struct memory_door *make_door(struct memory_store *memory)
{
    struct memory_door *const door = calloc(1, sizeof *door);
    if (door != NULL) {
        door->store.ops = &OPS;
        door->memory = memory;
        door->ready_end = &door->ready;
        door->number = ++memory->doors;
        memory->users++;
    }
    return door;
}

struct store *memory_store_create(void)
{
    struct memory_store *const memory = calloc(1, sizeof *memory);
    struct memory_door *const door =
        memory != NULL && sodium_init() >= 0 ? make_door(memory) : NULL;
    if (door == NULL) {
        free(memory);
        return NULL;
    }
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
    return &door->store;
}

struct store *memory_store_join(struct store *store)
{
    struct memory_store *const memory = door_of(store)->memory;
    assert(memory->doors < MEMORY_DOORS_MAX);
    struct memory_door *const door = make_door(memory);
    return door != NULL ? &door->store : NULL;
}

static bool memory_start(struct store *store, struct mb_error *err)
{
    (void)err;
    door_of(store)->started = true;
    return true;
}

static bool memory_shared(const struct store *store)
{
    return door_of_const(store)->memory->doors > 1;
}

static bool memory_ask(struct store *store, struct store_request *request)
{
    struct memory_door *const door = door_of(store);
    if (!door->started || door->waiting == STORE_QUEUE_MAX) {
        return false;
    }
    door->requests[(door->first + door->waiting++) % STORE_QUEUE_MAX] = request;
    store_wake(store);
    return true;
}

// The answer comes after all that wait; without memory it is lost.
static void put(struct memory_door *door, struct store_answer *answer)
{
    struct answer_node *const node = answer != NULL ? calloc(1, sizeof *node) : NULL;
    if (node == NULL) {
        store_answer_free(answer);
        return;
    }
    node->answer = answer;
    *door->ready_end = node;
    door->ready_end = &node->next;
}

static void be_overtaken(struct memory_store *memory, const struct store_commit *commit)
{
    struct row *const row = memory->overtaken > 0 ? memory_row(memory, commit->table) : NULL;
    if (row != NULL) {
        memory->overtaken--;
        row->version++;
    }
}

static struct store_answer *work(struct memory_door *door, const struct store_request *request)
{
    struct memory_store *const memory = door->memory;
    memory->me = door->number;
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
    case STORE_LOOK:
    case STORE_WATCH:
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
    case STORE_STAND:
        return memory_read(memory, request);
    }
    return store_answer_copy(&answer);
}

static enum memory_fault next_fault(struct memory_door *door)
{
    door->taken++;
    if (door->fault_in > 0 && --door->fault_in == 0) {
        return door->fault;
    }
    return door->down ? MEMORY_FAILS_BEFORE : MEMORY_WELL;
}

static struct store_answer *fail(const struct store_request *request)
{
    const struct store_answer answer = {.kind = request->kind, .result = STORE_FAILED};
    return store_answer_copy(&answer);
}

static void answer_one(struct memory_door *door)
{
    struct store_request *const request = door->requests[door->first];
    door->first = (door->first + 1) % STORE_QUEUE_MAX;
    door->waiting--;
    const enum memory_fault fault = next_fault(door);
    struct store_answer *answer =
        fault == MEMORY_FAILS_BEFORE ? fail(request) : work(door, request);
    if (fault == MEMORY_FAILS_AFTER) {
        store_answer_free(answer);
        answer = fail(request);
    }
    if (answer != NULL) {
        answer->ticket = request->ticket;
    }
    if (fault == MEMORY_TWICE && answer != NULL) {
        put(door, store_answer_copy(answer));
    }
    if (fault == MEMORY_FORGETS) {
        store_answer_free(answer);
    } else if (fault == MEMORY_LATE && answer != NULL) {
        struct answer_node *const node = calloc(1, sizeof *node);
        assert(node != NULL);
        *node = (struct answer_node){.next = door->late, .answer = answer};
        door->late = node;
    } else {
        put(door, answer);
    }
    store_request_free(request);
}

static struct store_answer *memory_take(struct store *store)
{
    struct memory_door *const door = door_of(store);
    while (door->ready == NULL && door->waiting > 0 && !door->hold) {
        answer_one(door);
    }
    struct answer_node *const node = door->ready;
    if (node == NULL) {
        return NULL;
    }
    struct store_answer *const answer = node->answer;
    door->ready = node->next;
    door->ready_end = door->ready != NULL ? door->ready_end : &door->ready;
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
    struct memory_door *const door = door_of(store);
    while (door->waiting > 0) {
        store_request_free(door->requests[door->first]);
        door->first = (door->first + 1) % STORE_QUEUE_MAX;
        door->waiting--;
    }
    drop_answers(door->ready);
    drop_answers(door->late);
    door->ready = NULL;
    door->ready_end = &door->ready;
    door->late = NULL;
    if (door->started) { // what it held is anybody's
        door->memory->lives_ms[door->number - 1] = 0;
    }
    door->started = false;
}

static void forget_words(struct kept_word *list)
{
    while (list != NULL) {
        struct kept_word *const word = list;
        list = word->next;
        free(word->bytes);
        free(word);
    }
}

static void memory_destroy(struct store *store)
{
    struct memory_store *const memory = door_of(store)->memory;
    memory_stop(store);
    free(store);
    if (--memory->users > 0) {
        return;
    }
    memory_tables_finish(memory);
    memory_people_finish(memory);
    memory_away_finish(memory);
    forget_words(memory->kept);
    forget_words(memory->held);
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
    door_of(store)->fault = fault;
    door_of(store)->fault_in = n;
}

void memory_store_overtake(struct store *store, unsigned commits)
{
    door_of(store)->memory->overtaken = commits;
}

void memory_store_down(struct store *store, bool down)
{
    door_of(store)->down = down;
}

void memory_store_hold(struct store *store, bool hold)
{
    door_of(store)->hold = hold;
}

void memory_store_release(struct store *store)
{
    struct memory_door *const door = door_of(store);
    while (door->late != NULL) {
        struct answer_node *const node = door->late;
        door->late = node->next;
        node->next = NULL;
        *door->ready_end = node;
        door->ready_end = &node->next;
    }
    store_wake(store);
}

unsigned long memory_store_requests(const struct store *store)
{
    return door_of_const(store)->taken;
}

size_t memory_store_tables(const struct store *store)
{
    return door_of_const(store)->memory->row_count;
}

struct store_bytes memory_store_bytes(const struct store *store, const char *table)
{
    const struct row *const row = memory_row(door_of_const(store)->memory, table);
    return row != NULL ? (struct store_bytes){.at = row->bytes->at, .size = row->bytes->size}
                       : (struct store_bytes){.at = NULL};
}

size_t memory_store_unsent(const struct store *store)
{
    const struct memory_store *const memory = door_of_const(store)->memory;
    size_t count = 0;
    for (uint32_t i = 0; i < memory->row_room; i++) {
        const struct kept_message *at = memory->rows[i] != NULL ? memory->rows[i]->messages : NULL;
        for (; at != NULL; at = at->next) {
            count++;
        }
    }
    return count;
}
