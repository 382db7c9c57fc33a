#include "adapters/discord/gateway/lease.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "core/codec/memory.h"

enum { WORD_SIZE = 64 };

enum lease_state {
    LEASE_FREE,    // not ours: to be asked for
    LEASE_ASKING,  // whether it can be
    LEASE_READING, // it is: with which session?
    LEASE_HELD
};

struct lease {
    struct lease_setup setup;
    enum lease_state state;
    int64_t due_ms;  // when it is asked for, or again
    int64_t keep_ms; // when the session may be kept next
    int64_t now_ms;
    bool renewing, keeping; // and not answered yet
    struct gateway_session noted, kept;
    char hold[WORD_SIZE], word[WORD_SIZE];
};

/* Sessions as they are kept. */

static struct gateway_session parse(const struct chat_kept *kept)
{
    struct gateway_session session = {.id = ""};
    json_t *const object = json_loadb(kept->at, kept->size, 0, NULL);
    const char *const id = json_string_value(json_object_get(object, "id"));
    const char *const url = json_string_value(json_object_get(object, "url"));
    const json_int_t sequence = json_integer_value(json_object_get(object, "seq"));
    if (id != NULL && url != NULL && strlen(id) < sizeof session.id &&
        strlen(url) < sizeof session.url && sequence >= 0) {
        (void)snprintf(session.id, sizeof session.id, "%s", id);
        (void)snprintf(session.url, sizeof session.url, "%s", url);
        session.sequence = (uint64_t)sequence;
    }
    json_decref(object);
    return session;
}

static void on_read(void *user, const struct chat_kept *items, size_t count)
{
    struct lease *const lease = user;
    struct gateway_session session = {.id = ""};
    for (size_t i = 0; i < count; i++) {
        if (strcmp(items[i].word, lease->word) == 0) {
            session = parse(&items[i]);
        }
    }
    lease->state = LEASE_HELD;
    lease->due_ms = lease->now_ms + LEASE_RENEW_MS;
    lease->noted = session;
    lease->kept = session;
    lease->setup.taken(lease->setup.user, &session);
}

static void be_free(struct lease *lease, int64_t ms)
{
    lease->state = LEASE_FREE;
    lease->due_ms = lease->now_ms + ms;
}

static void on_held(void *user, const struct chat_kept *items, size_t count)
{
    struct lease *const lease = user;
    (void)items;
    lease->renewing = false;
    if (count > 0 && lease->state == LEASE_ASKING) {
        lease->state = LEASE_READING;
        lease->due_ms = INT64_MAX;
        if (!chat_read(lease->setup.chat, lease->word, on_read, lease)) {
            be_free(lease, LEASE_ASK_MS); // nothing is kept here
        }
    } else if (count == 0) {
        const bool held = lease->state == LEASE_HELD;
        be_free(lease, LEASE_ASK_MS);
        if (held) {
            lease->setup.lost(lease->setup.user);
        }
    }
}

static void ask_for_it(struct lease *lease)
{
    const bool asked = chat_hold(lease->setup.chat, lease->hold, on_held, lease);
    if (lease->state == LEASE_HELD) {
        lease->renewing = asked;
        lease->due_ms = lease->now_ms + LEASE_RENEW_MS;
    } else if (asked) {
        lease->state = LEASE_ASKING;
        lease->due_ms = INT64_MAX;
    } else {
        be_free(lease, LEASE_AGAIN_MS);
    }
}

/* Keeping. */

static void on_kept(void *user, const struct chat_kept *items, size_t count)
{
    (void)items;
    (void)count;
    ((struct lease *)user)->keeping = false;
}

static bool is_to_keep(const struct lease *lease)
{
    return lease->state == LEASE_HELD && !lease->keeping && lease->noted.id[0] != '\0' &&
           (lease->noted.sequence != lease->kept.sequence ||
            strcmp(lease->noted.id, lease->kept.id) != 0);
}

static void keep(struct lease *lease)
{
    json_t *const object = json_pack("{s:s, s:s, s:I}", "id", lease->noted.id, "url",
                                     lease->noted.url, "seq", (json_int_t)lease->noted.sequence);
    char *const text = object != NULL ? json_dumps(object, JSON_COMPACT) : NULL;
    const struct chat_kept item = {
        .word = lease->word, .at = text, .size = text != NULL ? strlen(text) : 0};
    if (text != NULL && chat_keep(lease->setup.chat, &item, on_kept, lease)) {
        lease->kept = lease->noted;
        lease->keeping = true;
    }
    lease->keep_ms = lease->now_ms + LEASE_KEEP_MS;
    free(text);
    json_decref(object);
}

void lease_note(struct lease *lease, const struct gateway_session *session)
{
    if (strcmp(session->id, lease->noted.id) != 0) {
        lease->keep_ms = lease->now_ms; // a new one at once
    }
    lease->noted = *session;
}

/* Time. */

void lease_tick(struct lease *lease, bool may_take, int64_t now_ms)
{
    lease->now_ms = now_ms;
    if (lease->due_ms <= now_ms) {
        if (lease->state != LEASE_HELD ? may_take
                                       : chat_shares(lease->setup.chat) && !lease->renewing) {
            ask_for_it(lease);
        } else {
            lease->due_ms = now_ms + (lease->state == LEASE_HELD ? LEASE_RENEW_MS : LEASE_AGAIN_MS);
        }
    }
    if (is_to_keep(lease) && lease->keep_ms <= now_ms) {
        keep(lease);
    }
}

int64_t lease_due_ms(const struct lease *lease)
{
    return is_to_keep(lease) && lease->keep_ms < lease->due_ms ? lease->keep_ms : lease->due_ms;
}

bool lease_is_held(const struct lease *lease)
{
    return lease->state == LEASE_HELD;
}

bool lease_is_asked_for(const struct lease *lease)
{
    return lease->state == LEASE_ASKING || lease->state == LEASE_READING;
}

struct lease *lease_create(const struct lease_setup *setup)
{
    struct lease *const lease = mb_new(1, sizeof *lease);
    lease->setup = *setup;
    (void)snprintf(lease->hold, sizeof lease->hold, "shard/%u/%u.", setup->count, setup->shard);
    (void)snprintf(lease->word, sizeof lease->word, "session/%u/%u.", setup->count, setup->shard);
    return lease;
}

void lease_destroy(struct lease *lease)
{
    free(lease);
}
