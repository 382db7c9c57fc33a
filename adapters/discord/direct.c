#include "adapters/discord/direct.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/chat.h"
#include "bot/text/text.h"

#include "adapters/discord/payload.h"

enum {
    BUCKETS = 1024,
    PERSON_SIZE = 32,
    STATUS_OK = 200,
    STATUS_MULTIPLE = 300,
    CODE_QUARANTINED = 20026,
    CODE_TOO_FAST = 40003,
    CODE_BLOCKED = 50007
};

/* Somebody who waits for a channel. */
struct waiter {
    struct waiter *next;
    directs_fn *then;
    void *user;
};

enum door { DOOR_UNKNOWN, DOOR_OPENING, DOOR_OPEN, DOOR_SHUT };

struct direct {
    struct direct *next;
    struct directs *directs;
    char person[PERSON_SIZE], channel[PERSON_SIZE];
    enum door door;
    bool owed; // they are to be told that it is shut
    enum text_id why;
    struct waiter *first, **end;
};

struct directs {
    struct directs_setup setup;
    struct direct *buckets[BUCKETS];
};

static struct direct *direct_of(struct directs *directs, const char *person)
{
    struct direct **const bucket = &directs->buckets[strtoull(person, NULL, 10) % BUCKETS];
    struct direct *at = *bucket;
    while (at != NULL && strcmp(at->person, person) != 0) {
        at = at->next;
    }
    if (at == NULL && strlen(person) < PERSON_SIZE) {
        at = mb_new(1, sizeof *at);
        at->directs = directs;
        at->end = &at->first;
        (void)snprintf(at->person, sizeof at->person, "%s", person);
        at->next = *bucket;
        *bucket = at;
    }
    return at;
}

static void nothing(void *user, enum answer_fate fate, const char *id)
{
    (void)user;
    (void)fate;
    (void)id;
}

static void hint(struct direct *direct)
{
    char words[CHAT_ANSWER_SIZE];
    const struct directs_setup *const setup = &direct->directs->setup;
    if (!direct->owed || !answers_last(setup->answers, direct->person, words, sizeof words)) {
        return;
    }
    json_t *const body = payload_text(text_sentence(direct->why), NULL, 0, PAYLOAD_EPHEMERAL);
    direct->owed = false;
    (void)(body != NULL &&
           answers_send(setup->answers, words, body, (int64_t)uv_now(setup->loop), nothing, NULL));
}

// Whether it says nothing of whoever is written to.
static bool is_ours(int code)
{
    return code == CODE_QUARANTINED || code == CODE_TOO_FAST;
}

static void shut(struct direct *direct, int code)
{
    direct->door = DOOR_SHUT;
    direct->owed = !is_ours(code);
    direct->why = code == CODE_BLOCKED ? TEXT_DIRECT_BLOCKED : TEXT_DIRECT_CLOSED;
    hint(direct);
}

static bool await(struct direct *direct, directs_fn *then, void *user)
{
    struct waiter *const waiter = mb_new(1, sizeof *waiter);
    *waiter = (struct waiter){.then = then, .user = user};
    *direct->end = waiter;
    direct->end = &waiter->next;
    return true;
}

static void tell_waiting(struct direct *direct, const char *channel)
{
    struct waiter *waiter = direct->first;
    direct->first = NULL;
    direct->end = &direct->first;
    while (waiter != NULL) {
        struct waiter *const next = waiter->next;
        waiter->then(waiter->user, channel);
        free(waiter);
        waiter = next;
    }
}

static void opened(void *user, const struct rest_answer *answer)
{
    struct direct *const direct = user;
    const char *const id = json_string_value(json_object_get(answer->body, "id"));
    const bool good = answer->status >= STATUS_OK && answer->status < STATUS_MULTIPLE &&
                      id != NULL && discord_is_id(id);
    direct->door = DOOR_OPEN;
    (void)snprintf(direct->channel, sizeof direct->channel, "%s", good ? id : "");
    if (!good) {
        const struct directs_setup *const setup = &direct->directs->setup;
        const bool ours = is_ours(answer->code);
        setup->log(setup->log_user, ours ? NET_LOG_ERROR : NET_LOG_INFO, "dm-refused",
                   ours ? "Discord lets the bot open no more direct messages for now"
                        : "cannot open a direct message with somebody");
        shut(direct, answer->code);
    }
    tell_waiting(direct, good ? direct->channel : NULL);
}

static bool open_door(struct direct *direct)
{
    const struct rest_call call = {.method = "POST",
                                   .route = "POST /users/@me/channels",
                                   .major = "",
                                   .path = "/users/@me/channels",
                                   .order = "dm",
                                   .body = json_pack("{s:s}", "recipient_id", direct->person),
                                   .repeats = true};
    direct->door = DOOR_OPENING;
    return rest_call(direct->directs->setup.rest, &call, opened, direct);
}

void directs_find(struct directs *directs, const char *person, directs_fn *then, void *user)
{
    struct direct *const direct = direct_of(directs, person);
    if (direct != NULL && direct->door == DOOR_OPEN) {
        then(user, direct->channel);
        return;
    }
    if (direct == NULL || direct->door == DOOR_SHUT || !await(direct, then, user)) {
        then(user, NULL);
        return;
    }
    if (direct->door == DOOR_UNKNOWN && !open_door(direct)) {
        direct->door = DOOR_UNKNOWN;
        tell_waiting(direct, NULL);
    }
}

void directs_refused(struct directs *directs, const char *person, int code)
{
    struct direct *const direct = direct_of(directs, person);
    if (direct != NULL && direct->door != DOOR_SHUT) {
        shut(direct, code);
    }
}

void directs_retry(struct directs *directs, const char *person)
{
    struct direct *const direct = direct_of(directs, person);
    if (direct != NULL && direct->door == DOOR_SHUT) {
        direct->door = DOOR_UNKNOWN;
    }
}

void directs_answered(struct directs *directs, const char *person)
{
    struct direct *const direct = direct_of(directs, person);
    if (direct != NULL) {
        hint(direct);
    }
}

struct directs *directs_create(const struct directs_setup *setup)
{
    struct directs *const directs = mb_new(1, sizeof *directs);
    if (directs != NULL) {
        directs->setup = *setup;
    }
    return directs;
}

void directs_destroy(struct directs *directs)
{
    for (size_t i = 0; directs != NULL && i < BUCKETS; i++) {
        while (directs->buckets[i] != NULL) {
            struct direct *const direct = directs->buckets[i];
            directs->buckets[i] = direct->next;
            free(direct);
        }
    }
    free(directs);
}
