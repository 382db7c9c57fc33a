#include "bot/store.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "bot/store_impl.h"

_Static_assert((int)STORE_TABLE_SIZE == (int)CHAT_TABLE_SIZE, "controls are bound to tables");

/* One walk measures a request or an answer and copies it: `at` is NULL while it measures. */

struct pack {
    char *at;
    size_t used;
};

enum { ALIGNED = 8 };

static const void *pack_block(struct pack *pack, const void *block, size_t size)
{
    if (block == NULL) {
        return NULL;
    }
    char *const to = pack->at != NULL ? pack->at + pack->used : NULL;
    pack->used += size;
    return to != NULL ? memcpy(to, block, size) : block;
}

static void pack_text(struct pack *pack, const char **text)
{
    if (*text != NULL) {
        *text = pack_block(pack, *text, strlen(*text) + 1);
    }
}

static void pack_bytes(struct pack *pack, struct store_bytes *bytes)
{
    bytes->at = pack_block(pack, bytes->at, bytes->size);
}

// Room for a list; NULL while it is only measured, or empty. What it holds is walked by the caller.
static void *pack_list(struct pack *pack, size_t count, size_t size)
{
    pack->used = (pack->used + ALIGNED - 1) / ALIGNED * ALIGNED;
    char *const to = pack->at != NULL && count > 0 ? pack->at + pack->used : NULL;
    pack->used += count * size;
    return to;
}

static void pack_pieces(struct pack *pack, const struct store_bytes **pieces, size_t count)
{
    struct store_bytes *const out = pack_list(pack, count, sizeof *out);
    for (size_t i = 0; i < count; i++) {
        struct store_bytes piece = (*pieces)[i];
        pack_bytes(pack, &piece);
        if (out != NULL) {
            out[i] = piece;
        }
    }
    *pieces = out != NULL ? out : *pieces;
}

static void pack_messages(struct pack *pack, const struct store_message **messages, size_t count)
{
    struct store_message *const out = pack_list(pack, count, sizeof *out);
    for (size_t i = 0; i < count; i++) {
        struct store_message message = (*messages)[i];
        pack_text(pack, &message.reader);
        pack_text(pack, &message.narration);
        pack_bytes(pack, &message.bytes);
        if (out != NULL) {
            out[i] = message;
        }
    }
    *messages = out != NULL ? out : *messages;
}

static void pack_texts(struct pack *pack, const char *const **texts, size_t count)
{
    const char **const out = pack_list(pack, count, sizeof *out);
    for (size_t i = 0; i < count; i++) {
        const char *text = (*texts)[i];
        pack_text(pack, &text);
        if (out != NULL) {
            out[i] = text;
        }
    }
    *texts = out != NULL ? out : *texts;
}

static void pack_places(struct pack *pack, struct store_commit *commit)
{
    struct store_place *const out = pack_list(pack, commit->place_count, sizeof *out);
    for (size_t i = 0; i < commit->place_count; i++) {
        struct store_place place = commit->places[i];
        pack_text(pack, &place.network);
        pack_text(pack, &place.place);
        pack_text(pack, &place.name);
        pack_text(pack, &place.community);
        if (out != NULL) {
            out[i] = place;
        }
    }
    commit->places = out != NULL ? out : commit->places;
}

static void pack_sits(struct pack *pack, struct store_commit *commit)
{
    struct store_sit *const out = pack_list(pack, commit->sit_count, sizeof *out);
    for (size_t i = 0; i < commit->sit_count; i++) {
        struct store_sit sit = commit->sits[i];
        pack_text(pack, &sit.network);
        pack_text(pack, &sit.person);
        if (out != NULL) {
            out[i] = sit;
        }
    }
    commit->sits = out != NULL ? out : commit->sits;
}

static void pack_records(struct pack *pack, struct store_commit *commit)
{
    struct store_record *const out = pack_list(pack, commit->record_count, sizeof *out);
    for (size_t i = 0; i < commit->record_count; i++) {
        struct store_record record = commit->records[i];
        pack_text(pack, &record.community);
        pack_text(pack, &record.network);
        pack_text(pack, &record.person);
        if (out != NULL) {
            out[i] = record;
        }
    }
    commit->records = out != NULL ? out : commit->records;
}

static void pack_cards(struct pack *pack, struct store_commit *commit)
{
    struct store_card *const out = pack_list(pack, commit->card_count, sizeof *out);
    for (size_t i = 0; i < commit->card_count; i++) {
        struct store_card card = commit->cards[i];
        pack_text(pack, &card.word);
        pack_bytes(pack, &card.bytes);
        if (out != NULL) {
            out[i] = card;
        }
    }
    commit->cards = out != NULL ? out : commit->cards;
}

static void pack_commit(struct pack *pack, struct store_commit *commit)
{
    pack_cards(pack, commit);
    pack_texts(pack, &commit->log, commit->log_count);
    pack_messages(pack, &commit->messages, commit->message_count);
    pack_pieces(pack, &commit->journal, commit->journal_count);
    pack_places(pack, commit);
    pack_sits(pack, commit);
    pack_records(pack, commit);
    pack_bytes(pack, &commit->bytes);
    pack_text(pack, &commit->table);
    pack_text(pack, &commit->opener_network);
    pack_text(pack, &commit->opener);
    pack_text(pack, &commit->community);
    pack_text(pack, &commit->from);
    pack_text(pack, &commit->event);
    pack_text(pack, &commit->narration);
}

static void pack_seen(struct pack *pack, struct store_request *request)
{
    struct store_seen *const out = pack_list(pack, request->seen_count, sizeof *out);
    for (size_t i = 0; i < request->seen_count; i++) {
        struct store_seen seen = request->seen[i];
        pack_text(pack, &seen.table);
        if (out != NULL) {
            out[i] = seen;
        }
    }
    request->seen = out != NULL ? out : request->seen;
}

static void pack_request(struct pack *pack, struct store_request *request)
{
    pack_texts(pack, &request->communities, request->community_count);
    if (request->kind == STORE_COMMIT) {
        pack_commit(pack, &request->commit);
    }
    if (request->kind == STORE_WATCH) {
        pack_seen(pack, request);
    }
    pack_text(pack, &request->table);
    pack_text(pack, &request->network);
    pack_text(pack, &request->networks);
    pack_text(pack, &request->place);
    pack_text(pack, &request->person);
    pack_text(pack, &request->community);
    pack_text(pack, &request->id);
    pack_text(pack, &request->after);
    pack_text(pack, &request->word);
    pack_bytes(pack, &request->bytes);
}

static void pack_boards(struct pack *pack, struct store_answer *answer)
{
    struct store_board *const out = pack_list(pack, answer->board_count, sizeof *out);
    for (size_t i = 0; i < answer->board_count; i++) {
        struct store_board board = answer->boards[i];
        pack_text(pack, &board.reader);
        pack_text(pack, &board.id);
        if (out != NULL) {
            out[i] = board;
        }
    }
    answer->boards = out != NULL ? out : answer->boards;
}

static void pack_events(struct pack *pack, struct store_answer *answer)
{
    uint64_t *const out = pack_list(pack, answer->event_count, sizeof *out);
    for (size_t i = 0; out != NULL && i < answer->event_count; i++) {
        out[i] = answer->events[i];
    }
    answer->events = out != NULL ? out : answer->events;
}

static void pack_sittings(struct pack *pack, struct store_answer *answer)
{
    const size_t count = answer->sittings != NULL ? answer->count : 0;
    struct store_sitting *const out = pack_list(pack, count, sizeof *out);
    for (size_t i = 0; i < count; i++) {
        struct store_sitting sitting = answer->sittings[i];
        pack_text(pack, &sitting.table);
        pack_text(pack, &sitting.place_name);
        pack_text(pack, &sitting.community);
        if (out != NULL) {
            out[i] = sitting;
        }
    }
    answer->sittings = out != NULL ? out : answer->sittings;
}

static void pack_aways(struct pack *pack, struct store_answer *answer)
{
    struct store_away *const out = pack_list(pack, answer->away_count, sizeof *out);
    for (size_t i = 0; i < answer->away_count; i++) {
        struct store_away away = answer->aways[i];
        pack_text(pack, &away.network);
        pack_text(pack, &away.community);
        if (out != NULL) {
            out[i] = away;
        }
    }
    answer->aways = out != NULL ? out : answer->aways;
}

static void pack_answer(struct pack *pack, struct store_answer *answer)
{
    pack_aways(pack, answer);
    pack_messages(pack, &answer->messages, answer->message_count);
    pack_pieces(pack, &answer->pieces, answer->pieces != NULL ? answer->count : 0);
    pack_boards(pack, answer);
    pack_events(pack, answer);
    pack_texts(pack, &answer->texts, answer->texts != NULL ? answer->count : 0);
    pack_sittings(pack, answer);
    pack_bytes(pack, &answer->bytes);
    pack_text(pack, &answer->table);
    pack_text(pack, &answer->community);
}

struct store_request *store_request_copy(const struct store_request *request)
{
    struct store_request walked = *request;
    struct pack pack = {.used = sizeof walked};
    pack_request(&pack, &walked);
    struct store_request *const copy = malloc(pack.used);
    if (copy != NULL) {
        *copy = *request;
        pack = (struct pack){.at = (char *)copy, .used = sizeof *copy};
        pack_request(&pack, copy);
    }
    return copy;
}

struct store_answer *store_answer_copy(const struct store_answer *answer)
{
    struct store_answer walked = *answer;
    struct pack pack = {.used = sizeof walked};
    pack_answer(&pack, &walked);
    struct store_answer *const copy = malloc(pack.used);
    if (copy != NULL) {
        *copy = *answer;
        pack = (struct pack){.at = (char *)copy, .used = sizeof *copy};
        pack_answer(&pack, copy);
    }
    return copy;
}

void store_request_free(struct store_request *request)
{
    free(request);
}

void store_answer_free(struct store_answer *answer)
{
    free(answer);
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
    if (copy == NULL) {
        return false;
    }
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
