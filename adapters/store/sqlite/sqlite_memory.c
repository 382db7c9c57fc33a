// A store in memory: the same statements on a database that nobody keeps, run by the thread that
// takes the answer. Each door is another process on it, which lives by store time.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "adapters/store/sqlite/sqlite_impl.h"

struct held_word {
    struct held_word *next;
    int64_t door;
    char word[];
};

struct door {
    struct store store;
    struct sqlite_memory *memory;
    int64_t number;
    struct store_request *requests[STORE_QUEUE_MAX]; // a ring
    size_t first, waiting;
    bool started;
};

static struct door *door_of(struct store *store);

static bool memory_start(struct store *store, struct mb_error *err)
{
    (void)err;
    door_of(store)->started = true;
    return true;
}

static bool memory_ask(struct store *store, struct store_request *request)
{
    struct door *const door = door_of(store);
    if (!door->started || door->waiting == STORE_QUEUE_MAX) {
        return false;
    }
    door->requests[(door->first + door->waiting++) % STORE_QUEUE_MAX] = request;
    store_wake(store);
    return true;
}

static struct store_request *next_request(struct door *door)
{
    struct store_request *const request = door->requests[door->first];
    door->first = (door->first + 1) % STORE_QUEUE_MAX;
    door->waiting--;
    return request;
}

// Time has passed, and this process lives; false: it had been given up.
static bool beat_door(struct door *door, int64_t ms)
{
    struct sqlite_memory *const memory = door->memory;
    int64_t *const lives = &memory->lives_ms[door->number - 1];
    memory->now_ms = ms > memory->now_ms ? ms : memory->now_ms;
    const bool lived = *lives > memory->now_ms;
    *lives = memory->now_ms + STORE_LEASE_MS;
    return lived;
}

static struct store_answer *memory_take(struct store *store)
{
    struct door *const door = door_of(store);
    if (door->waiting == 0) {
        return NULL;
    }
    struct sqlite_memory *const memory = door->memory;
    struct store_request *const request = next_request(door);
    const bool beats = request->kind == STORE_BEAT;
    const bool lived =
        (!beats && request->kind != STORE_HELLO) || beat_door(door, beats ? request->ms : 0);
    memory->asks = door->number;
    struct store_answer *const answer = db_step(&memory->db, request, door->number, memory->secret);
    if (beats && !lived && answer->result == STORE_DONE) {
        answer->result = STORE_NOTHING;
    }
    answer->ticket = request->ticket;
    store_request_free(request);
    return answer;
}

static bool memory_shared(const struct store *store)
{
    return ((const struct door *)store)->memory->doors > 1;
}

static void memory_stop(struct store *store)
{
    struct door *const door = door_of(store);
    while (door->waiting > 0) {
        store_request_free(next_request(door));
    }
    if (door->started) { // what it held is anybody's
        door->memory->lives_ms[door->number - 1] = 0;
    }
    door->started = false;
}

static void memory_destroy(struct store *store)
{
    struct sqlite_memory *const memory = door_of(store)->memory;
    memory_stop(store);
    free(store);
    if (--memory->users > 0) {
        return;
    }
    while (memory->held != NULL) {
        struct held_word *const word = memory->held;
        memory->held = word->next;
        free(word);
    }
    db_close(&memory->db);
    free(memory);
}

static const struct store_ops OPS = {
    .name = "memory",
    .start = memory_start,
    .ask = memory_ask,
    .take = memory_take,
    .shared = memory_shared,
    .stop = memory_stop,
    .destroy = memory_destroy,
};

static struct door *door_of(struct store *store)
{
    assert(store->ops == &OPS);
    return (struct door *)store;
}

struct sqlite_memory *sqlite_memory_of(struct store *store)
{
    return door_of(store)->memory;
}

/* What statements call. */

static bool is_alive(const struct sqlite_memory *memory, int64_t door)
{
    return door >= 1 && door <= memory->doors && memory->lives_ms[door - 1] > memory->now_ms;
}

static void lives_function(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    sqlite3_result_int(context,
                       is_alive(sqlite3_user_data(context), sqlite3_value_int64(values[0])));
}

// A word is the asking door's own as long as that lives.
static void hold_function(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    struct sqlite_memory *const memory = sqlite3_user_data(context);
    const char *const word = (const char *)sqlite3_value_text(values[0]);
    struct held_word *at = memory->held;
    while (at != NULL && strcmp(at->word, word) != 0) {
        at = at->next;
    }
    if (at == NULL) {
        at = mb_new(1, sizeof *at + strlen(word) + 1);
        at->next = memory->held;
        memcpy(at->word, word, strlen(word) + 1);
        memory->held = at;
    }
    const bool taken = at->door != memory->asks && is_alive(memory, at->door);
    at->door = taken ? at->door : memory->asks;
    sqlite3_result_int(context, !taken);
}

/* Life. */

static struct store *make_door(struct sqlite_memory *memory)
{
    struct door *const door = mb_new(1, sizeof *door);
    door->store.ops = &OPS;
    door->memory = memory;
    door->number = ++memory->doors;
    memory->users++;
    return &door->store;
}

struct store *sqlite_memory_create(void)
{
    struct sqlite_memory *const memory = mb_new(1, sizeof *memory);
    struct mb_error err = {0};
    (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); // as for a file
    const bool good = sodium_init() >= 0 && sqlite_open_memory(&memory->db, &err) &&
                      sqlite_functions(&memory->db, memory, lives_function, hold_function);
    if (!good) { // for want of memory, which nobody survives
        abort();
    }
    randombytes_buf(memory->secret, sizeof memory->secret);
    db_run(&memory->db, DB_SECRET_KEEP,
           DB(db_bytes((struct store_bytes){.at = memory->secret, .size = sizeof memory->secret})));
    return make_door(memory);
}

struct store *sqlite_memory_join(struct store *store)
{
    struct sqlite_memory *const memory = door_of(store)->memory;
    assert(memory->doors < SQLITE_DOORS_MAX);
    return make_door(memory);
}
