#include "bot/store.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "bot/store_impl.h"

_Static_assert((int)STORE_TABLE_SIZE == (int)CHAT_TABLE_SIZE, "controls are bound to tables");

/* Copies of requests: what a structure names besides itself. */

struct shape {
    size_t size;
    size_t count, texts[9]; // where
    bool has_bytes;
    size_t bytes; // where
};

#define AT(type, member) offsetof(struct store_##type, member)

static const struct shape TEXT = {.size = sizeof(char *), .count = 1, .texts = {0}};
static const struct shape PIECE = {.size = sizeof(struct store_bytes), .has_bytes = true};
static const struct shape SEEN = {
    .size = sizeof(struct store_seen), .count = 1, .texts = {AT(seen, table)}};
static const struct shape CARD = {.size = sizeof(struct store_card),
                                  .count = 1,
                                  .texts = {AT(card, word)},
                                  .has_bytes = true,
                                  .bytes = AT(card, bytes)};
static const struct shape MESSAGE = {.size = sizeof(struct store_message),
                                     .count = 2,
                                     .texts = {AT(message, reader), AT(message, narration)},
                                     .has_bytes = true,
                                     .bytes = AT(message, bytes)};
static const struct shape PLACE = {
    .size = sizeof(struct store_place),
    .count = 4,
    .texts = {AT(place, network), AT(place, place), AT(place, name), AT(place, community)}};
static const struct shape SIT = {
    .size = sizeof(struct store_sit), .count = 2, .texts = {AT(sit, network), AT(sit, person)}};
static const struct shape RECORD = {
    .size = sizeof(struct store_record),
    .count = 3,
    .texts = {AT(record, community), AT(record, network), AT(record, person)}};
static const struct shape COMMIT = {
    .size = sizeof(struct store_commit),
    .count = 7,
    .texts = {AT(commit, table), AT(commit, opener_network), AT(commit, opener),
              AT(commit, community), AT(commit, from), AT(commit, event), AT(commit, narration)},
    .has_bytes = true,
    .bytes = AT(commit, bytes)};
static const struct shape REQUEST = {
    .size = sizeof(struct store_request),
    .count = 9,
    .texts = {AT(request, table), AT(request, network), AT(request, networks), AT(request, place),
              AT(request, person), AT(request, community), AT(request, id), AT(request, after),
              AT(request, word)},
    .has_bytes = true,
    .bytes = AT(request, bytes)};

// What the structure names lies in the pool from now on.
static void own_texts(struct mb_pool *pool, void *item, const struct shape *shape)
{
    char *const at = item;
    for (size_t i = 0; i < shape->count; i++) {
        const char **const text = (const char **)(void *)(at + shape->texts[i]);
        *text = mb_pool_text(pool, *text);
    }
    struct store_bytes *const bytes = (struct store_bytes *)(void *)(at + shape->bytes);
    if (shape->has_bytes && bytes->at != NULL) {
        void *const copy = mb_pool_new(pool, bytes->size, 1);
        bytes->at = memcpy(copy, bytes->at, bytes->size);
    }
}

static void *own_list(struct mb_pool *pool, const void *list, size_t count,
                      const struct shape *shape)
{
    if (count == 0) {
        return NULL;
    }
    char *const copy = memcpy(mb_pool_new(pool, count, shape->size), list, count * shape->size);
    for (size_t i = 0; i < count; i++) {
        own_texts(pool, copy + i * shape->size, shape);
    }
    return copy;
}

static void own_commit(struct mb_pool *pool, struct store_commit *commit)
{
    own_texts(pool, commit, &COMMIT);
    commit->journal = own_list(pool, commit->journal, commit->journal_count, &PIECE);
    commit->log = own_list(pool, (const void *)commit->log, commit->log_count, &TEXT);
    commit->cards = own_list(pool, commit->cards, commit->card_count, &CARD);
    commit->messages = own_list(pool, commit->messages, commit->message_count, &MESSAGE);
    commit->places = own_list(pool, commit->places, commit->place_count, &PLACE);
    commit->sits = own_list(pool, commit->sits, commit->sit_count, &SIT);
    commit->records = own_list(pool, commit->records, commit->record_count, &RECORD);
}

struct owned_request {
    struct store_request request;
    struct mb_pool pool;
};

struct store_request *store_request_copy(const struct store_request *request)
{
    struct owned_request *const owned = mb_new(1, sizeof *owned);
    struct store_request *const copy = &owned->request;
    *copy = *request;
    own_texts(&owned->pool, copy, &REQUEST);
    copy->communities =
        own_list(&owned->pool, (const void *)copy->communities, copy->community_count, &TEXT);
    if (copy->kind == STORE_COMMIT) {
        own_commit(&owned->pool, &copy->commit);
    }
    if (copy->kind == STORE_WATCH) {
        copy->seen = own_list(&owned->pool, copy->seen, copy->seen_count, &SEEN);
    }
    return copy;
}

void store_request_free(struct store_request *request)
{
    if (request != NULL) {
        mb_pool_finish(&((struct owned_request *)request)->pool);
        free(request);
    }
}

/* Answers. */

struct owned_answer {
    struct store_answer answer;
    struct mb_pool pool;
    unsigned holders;
};

struct store_answer *store_answer_own(const struct store_answer *answer, struct mb_pool *pool)
{
    struct owned_answer *const owned = mb_new(1, sizeof *owned);
    *owned = (struct owned_answer){.answer = *answer, .pool = *pool, .holders = 1};
    *pool = (struct mb_pool){.last = NULL};
    return &owned->answer;
}

struct store_answer *store_answer_failed(const struct store_request *request)
{
    struct mb_pool empty = {.last = NULL};
    return store_answer_own(&(struct store_answer){.kind = request->kind,
                                                   .result = STORE_FAILED,
                                                   .ticket = request->ticket},
                            &empty);
}

void store_answer_hold(struct store_answer *answer)
{
    ((struct owned_answer *)answer)->holders++;
}

void store_answer_free(struct store_answer *answer)
{
    struct owned_answer *const owned = (struct owned_answer *)answer;
    if (owned != NULL && --owned->holders == 0) {
        mb_pool_finish(&owned->pool);
        free(owned);
    }
}

_Static_assert(STORE_SECRET_SIZE == crypto_shorthash_KEYBYTES, "the secret is the hash's key");

uint64_t store_event(const uint8_t secret[STORE_SECRET_SIZE], const char *event)
{
    unsigned char bytes[crypto_shorthash_BYTES];
    uint64_t hash = 0;
    (void)crypto_shorthash(bytes, (const unsigned char *)event, strlen(event), secret);
    memcpy(&hash, bytes, sizeof hash);
    return hash | 1u;
}

const char *store_name(const struct store *store)
{
    return store->ops->name;
}

bool store_shared(const struct store *store)
{
    return store->ops->shared(store);
}

bool store_start(struct store *store, struct mb_error *err)
{
    return store->ops->start(store, err);
}

void store_on_wake(struct store *store, void (*wake)(void *user), void *user)
{
    store->wake = wake;
    store->user = user;
}

void store_wake(const struct store *store)
{
    if (store->wake != NULL) {
        store->wake(store->user);
    }
}

bool store_ask(struct store *store, const struct store_request *request, uint64_t *ticket)
{
    assert(request->kind != STORE_COMMIT || request->commit.directories ||
           request->commit.table[0] != '\0');
    struct store_request *const copy = store_request_copy(request);
    copy->ticket = ++store->tickets;
    *ticket = copy->ticket;
    if (!store->ops->ask(store, copy)) {
        store_request_free(copy);
        return false;
    }
    return true;
}

struct store_answer *store_take(struct store *store)
{
    return store->ops->take(store);
}

void store_stop(struct store *store)
{
    store->ops->stop(store);
}

void store_destroy(struct store *store)
{
    if (store != NULL) {
        store->ops->destroy(store);
    }
}

struct store_answer *store_call(struct store *store, const struct store_request *request)
{
    uint64_t ticket = 0;
    if (!store_ask(store, request, &ticket)) {
        return NULL;
    }
    struct store_answer *answer = store_take(store);
    while (answer != NULL && answer->ticket != ticket) {
        store_answer_free(answer);
        answer = store_take(store);
    }
    return answer;
}

enum store_result store_call_result(struct store *store, const struct store_request *request)
{
    struct store_answer *const answer = store_call(store, request);
    const enum store_result result = answer != NULL ? answer->result : STORE_FAILED;
    store_answer_free(answer);
    return result;
}
