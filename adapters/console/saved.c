#include "adapters/console/saved.h"

#include <stdio.h>
#include <string.h>

#include <sodium.h>

#include "bot/store_call.h"

static const char NETWORK[] = "console";
static const char PREFIX[] = "console/";

enum { WORD_SIZE = SAVED_PLACE_SIZE + sizeof PREFIX, PEOPLE_SIZE = MB_SEATS_MAX * CHAT_ID_SIZE };

static void word_of(const struct saved *saved, char out[WORD_SIZE])
{
    (void)snprintf(out, WORD_SIZE, "%s%s", PREFIX, saved->place);
}

// Under a word: the names one after the other, each with its end.
static bool read_saved(const char *word, struct store_bytes bytes, struct saved *out)
{
    *out = (struct saved){.people_count = 0};
    if (strlen(word) >= WORD_SIZE) {
        return false;
    }
    (void)snprintf(out->place, sizeof out->place, "%s", word + sizeof PREFIX - 1);
    for (size_t at = 0; at < bytes.size; out->people_count++) {
        const char *const name = (const char *)bytes.at + at;
        const size_t length = strnlen(name, bytes.size - at);
        if (length == bytes.size - at || length >= CHAT_ID_SIZE ||
            out->people_count == MB_SEATS_MAX) {
            return false;
        }
        memcpy(out->people[out->people_count], name, length + 1);
        at += length + 1;
    }
    return true;
}

static bool hold(struct store *store, const struct saved *saved)
{
    char word[WORD_SIZE];
    word_of(saved, word);
    const struct store_request request = {.kind = STORE_HOLD, .word = word};
    return store_call_result(store, &request) == STORE_DONE;
}

// Nothing more is known of its table, if there is one.
static void drop_table(struct store *store, const struct saved *saved)
{
    const struct store_request place = {
        .kind = STORE_PLACE, .network = NETWORK, .place = saved->place};
    struct store_answer *const found = store_call(store, &place);
    const bool there = found != NULL && found->result == STORE_DONE;
    const struct store_request load = {.kind = STORE_LOAD, .table = there ? found->table : ""};
    struct store_answer *const loaded = there ? store_call(store, &load) : NULL;
    if (loaded != NULL && loaded->result == STORE_DONE) {
        struct store_request gone = {
            .kind = STORE_COMMIT,
            .commit = {.table = found->table, .expected = loaded->version, .event = ""}};
        randombytes_buf(&gone.commit.step, sizeof gone.commit.step);
        (void)store_call_result(store, &gone); // what stays makes room one day
    }
    store_answer_free(loaded);
    store_answer_free(found);
}

void saved_end(struct store *store, const struct saved *saved, bool drop)
{
    char word[WORD_SIZE];
    if (drop) {
        drop_table(store, saved);
    }
    word_of(saved, word);
    const struct store_request forget = {.kind = STORE_KEEP, .word = word};
    (void)store_call_result(store,
                            &forget); // if it fails, a game that is over is gone on with, and ends
}

static struct store_answer *list(struct store *store)
{
    const struct store_request request = {.kind = STORE_KEPT, .word = PREFIX};
    return store_call(store, &request);
}

// Room for one more: the oldest go that nobody plays.
static void make_room(struct store *store)
{
    struct store_answer *const all = list(store);
    struct saved saved;
    size_t left = all != NULL && all->result == STORE_DONE ? all->count : 0;
    for (size_t i = left; i > 0 && left >= SAVED_MAX; i--) {
        if (read_saved(all->texts[i - 1], all->pieces[i - 1], &saved) && hold(store, &saved)) {
            saved_end(store, &saved, true);
            left--;
        }
    }
    store_answer_free(all);
}

bool saved_begin(struct store *store, struct saved *saved, struct mb_error *err)
{
    unsigned char bytes[PEOPLE_SIZE];
    unsigned char chance[8];
    char word[WORD_SIZE];
    size_t size = 0;
    make_room(store);
    randombytes_buf(chance, sizeof chance);
    (void)sodium_bin2hex(saved->place, sizeof saved->place, chance, sizeof chance);
    for (unsigned i = 0; i < saved->people_count; i++) {
        const size_t length = strlen(saved->people[i]) + 1;
        memcpy(bytes + size, saved->people[i], length);
        size += length;
    }
    word_of(saved, word);
    const struct store_request keep = {
        .kind = STORE_KEEP, .word = word, .bytes = {.at = bytes, .size = size}};
    return (hold(store, saved) && store_call_result(store, &keep) == STORE_DONE) ||
           mb_fail(err, MB_ERR_IO, "the store does not save the game: check its disk");
}

static bool has_table(struct store *store, const struct saved *saved)
{
    const struct store_request place = {
        .kind = STORE_PLACE, .network = NETWORK, .place = saved->place};
    return store_call_result(store, &place) != STORE_NOTHING;
}

bool saved_find(struct store *store, struct saved *out, struct mb_error *err)
{
    struct store_answer *const all = list(store);
    bool found = false;
    bool held = false;
    const bool read = all != NULL && all->result == STORE_DONE;
    for (size_t i = 0; read && !found && i < all->count; i++) {
        if (!read_saved(all->texts[i], all->pieces[i], out)) {
            continue;
        }
        if (!hold(store, out)) {
            held = true;
        } else if (has_table(store, out)) {
            found = true;
        } else {
            saved_end(store, out, false); // it never began
        }
    }
    store_answer_free(all);
    if (!read) {
        return mb_fail(err, MB_ERR_IO, "cannot read the store: check its disk");
    }
    if (!found && held) {
        return mb_fail(err, MB_ERR_STATE, "another process plays every unfinished game");
    }
    return found ||
           mb_fail(err, MB_ERR_STATE, "no interrupted game here: start one without --resume");
}
