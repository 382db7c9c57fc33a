#include "adapters/discord/say/direct.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/chat.h"
#include "bot/text/text.h"

#include "adapters/discord/wire/payload.h"

enum { BUCKETS = 1024, CODE_QUARANTINED = 20026, CODE_TOO_FAST = 40003, CODE_BLOCKED = 50007 };

/* A fibre that waits for a channel. */
struct waiter {
    struct waiter *next;
    struct fibre *fibre;
    bool told;
};

enum door { DOOR_UNKNOWN, DOOR_OPENING, DOOR_OPEN, DOOR_SHUT };

struct direct {
    struct direct *next;
    struct directs *directs;
    char person[DIRECT_ID_SIZE], channel[DIRECT_ID_SIZE];
    enum door door;
    bool owed; // they are to be told that it is shut
    enum text_id why;
    struct waiter *first;
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
    if (at == NULL && strlen(person) < DIRECT_ID_SIZE) {
        at = mb_new(1, sizeof *at);
        at->directs = directs;
        (void)snprintf(at->person, sizeof at->person, "%s", person);
        at->next = *bucket;
        *bucket = at;
    }
    return at;
}

static void hint(struct direct *direct)
{
    char callback[CHAT_ANSWER_SIZE];
    const struct directs_setup *const setup = &direct->directs->setup;
    if (!direct->owed || !answers_last(setup->answers, direct->person, callback, sizeof callback)) {
        return;
    }
    json_t *const body = payload_text(text_sentence(direct->why), NULL, 0, PAYLOAD_EPHEMERAL);
    direct->owed = false;
    answers_say(setup->answers, callback, body, (int64_t)uv_now(setup->loop));
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

// In their order, each as far as it goes.
static void tell_waiting(struct direct *direct)
{
    while (direct->first != NULL) {
        struct waiter *const waiter = direct->first;
        direct->first = waiter->next;
        waiter->told = true;
        fibre_wake(waiter->fibre);
    }
}

bool directs_ask(struct fibre *fibre, struct rest *rest, const char *person,
                 char channel[DIRECT_ID_SIZE], struct rest_answer *answer)
{
    const struct rest_call call = {.method = "POST",
                                   .route = "POST /users/@me/channels",
                                   .major = "",
                                   .path = "/users/@me/channels",
                                   .order = "dm",
                                   .body = json_pack("{s:s}", "recipient_id", person),
                                   .repeats = true};
    if (!rest_await(fibre, rest, &call, answer)) {
        return false;
    }
    const char *const id = json_string_value(json_object_get(answer->body, "id"));
    const bool good = rest_is_good(answer) && id != NULL && discord_is_id(id);
    (void)snprintf(channel, DIRECT_ID_SIZE, "%s", good ? id : "");
    return true;
}

static void open_door(struct fibre *fibre, void *user)
{
    struct direct *const direct = user;
    const struct directs_setup *const setup = &direct->directs->setup;
    struct rest_answer answer;
    direct->door = DOOR_OPENING;
    if (!directs_ask(fibre, setup->rest, direct->person, direct->channel, &answer)) {
        return;
    }
    direct->door = DOOR_OPEN;
    if (direct->channel[0] == '\0') {
        const bool ours = is_ours(answer.code);
        setup->log(setup->log_user, ours ? NET_LOG_ERROR : NET_LOG_INFO, "dm-refused",
                   ours ? "Discord lets the bot open no more direct messages for now"
                        : "cannot open a direct message with somebody");
        shut(direct, answer.code);
    }
    tell_waiting(direct);
}

// Waits until somebody's channel is known. False: the end has come; nobody is told then.
static bool await_door(struct fibre *fibre, struct direct *direct)
{
    struct waiter *const waiter = mb_new(1, sizeof *waiter);
    struct waiter **at = &direct->first;
    while (*at != NULL) {
        at = &(*at)->next;
    }
    *at = waiter;
    waiter->fibre = fibre;
    if (direct->door == DOOR_UNKNOWN) {
        fibres_start(direct->directs->setup.fibres, open_door, direct);
    }
    while (!waiter->told && fibre_wait(fibre)) {
    }
    const bool told = waiter->told;
    for (at = &direct->first; !told && *at != waiter; at = &(*at)->next) {
    }
    if (!told) {
        *at = waiter->next;
    }
    free(waiter);
    return told;
}

bool directs_find(struct fibre *fibre, struct directs *directs, const char *person,
                  char channel[DIRECT_ID_SIZE])
{
    struct direct *const direct = direct_of(directs, person);
    const bool closed = direct == NULL || direct->door == DOOR_SHUT;
    if (!closed && direct->door != DOOR_OPEN && !await_door(fibre, direct)) {
        return false;
    }
    (void)snprintf(channel, DIRECT_ID_SIZE, "%s",
                   !closed && direct->door == DOOR_OPEN ? direct->channel : "");
    return true;
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
    directs->setup = *setup;
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
