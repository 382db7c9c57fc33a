#include "adapters/matrix/say/seal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/chat.h"

#include "adapters/matrix/say/vault.h"

enum {
    HEARD_SIZE = VAULT_FRAME_MAX / 2, // of the to-device events in one frame
    ANSWER_MAX = VAULT_FRAME_MAX - 4096,
    REQUEST_MS = 20000,
    PATH_SIZE = 4096,
    TRIES = 8
};

static const char COUNTS[] = "device_one_time_keys_count";
static const char UNUSED[] = "device_unused_fallback_key_types";

struct seal {
    struct seal_setup setup;
    struct vault *vault; // NULL: no keys
    json_t *counts;      // of keys, as the latest sync has told them; or NULL
    bool tends, again;   // a fibre sees to the own device's keys, and is to do it once more
    char program[PATH_SIZE], user[CHAT_ID_SIZE];
};

static void log_line(const struct seal *seal, enum net_log_level level, const char *text)
{
    seal->setup.log(seal->setup.user, level, "crypto", text);
}

/* The own device's keys. */

// Whether the homeserver has other keys of the own device than the store: then one of the two is
// not this device's. `out` gets whether it has any.
static bool has_others(const struct seal *seal, const json_t *status, const json_t *answer,
                       bool *out)
{
    static const char *const KINDS[] = {"curve25519", "ed25519"};
    const char *const device = vault_device(seal->vault);
    const json_t *const told = json_object_get(
        json_object_get(json_object_get(json_object_get(answer, "device_keys"), seal->user),
                        device),
        "keys");
    bool others = false;
    *out = json_is_object(told);
    for (size_t i = 0; *out && i < sizeof KINDS / sizeof *KINDS; i++) {
        char name[CHAT_ID_SIZE + 16];
        (void)snprintf(name, sizeof name, "%s:%s", KINDS[i], device);
        const char *const is = json_string_value(json_object_get(told, name));
        const char *const own = json_string_value(json_object_get(status, KINDS[i]));
        others = others || is == NULL || own == NULL || strcmp(is, own) != 0;
    }
    return others;
}

static void end_for_good(struct seal *seal)
{
    struct mb_error err = {0};
    (void)mb_fail(&err, MB_ERR_INPUT,
                  "the homeserver has other keys for this device than crypto_path: \"munchbot "
                  "matrix login\" makes a new device");
    vault_rest(seal->vault);
    seal->setup.fatal(seal->setup.user, &err);
}

// Sends a request of the helper's and tells it the answer. `answer`: taken, or NULL.
static bool send_request(struct fibre *fibre, struct seal *seal, const json_t *request,
                         json_t **answer)
{
    const char *const path = json_string_value(json_object_get(request, "path"));
    const char *const method = json_string_value(json_object_get(request, "method"));
    struct api_answer said = {.errcode = "", .why = ""};
    *answer = NULL;
    for (unsigned tries = 0; path != NULL && method != NULL && tries < TRIES; tries++) {
        const struct api_call call = {.method = method,
                                      .path = path,
                                      .body = json_incref(json_object_get(request, "body")),
                                      .timeout_ms = REQUEST_MS,
                                      .body_max = ANSWER_MAX};
        if (!api_await(fibre, seal->setup.api, &call, &said)) {
            return false;
        }
        if (!api_is_later(&said)) {
            break;
        }
        if (!api_sleep(fibre, seal->setup.api, api_wait_ms(&said, tries))) {
            return false;
        }
    }
    if (api_good(&said)) {
        *answer = json_incref(said.body);
    } else {
        log_line(seal, NET_LOG_WARN, "the homeserver does not take a request for keys");
    }
    return true;
}

static bool tell_answer(struct fibre *fibre, struct seal *seal, const json_t *request,
                        json_t *answer)
{
    json_t *told = NULL;
    json_t *const ask =
        json_pack("{s:O*, s:o*}", "request", json_object_get(request, "request"), "body", answer);
    const bool goes_on = vault_await(fibre, seal->vault, "answered", ask, &told);
    json_decref(told);
    return goes_on;
}

// One after the other: the own identity is asked for before keys are given out.
static bool send_first(struct fibre *fibre, struct seal *seal, const json_t *status,
                       const json_t *first)
{
    const bool uploaded = json_is_true(json_object_get(status, "uploaded"));
    for (size_t i = 0; i < json_array_size(first); i++) {
        const json_t *const request = json_array_get(first, i);
        const char *const kind = json_string_value(json_object_get(request, "kind"));
        const bool query = kind != NULL && strcmp(kind, "query") == 0;
        json_t *answer = NULL;
        bool has = false;
        if (!send_request(fibre, seal, request, &answer)) {
            return false;
        }
        if (query && answer != NULL &&
            (has_others(seal, status, answer, &has) || (uploaded && !has))) {
            json_decref(answer);
            end_for_good(seal);
            return false;
        }
        const bool taken = answer != NULL;
        if (!tell_answer(fibre, seal, request, answer)) {
            return false;
        }
        if (!taken) {
            return true; // what comes behind it waits for another time
        }
    }
    return true;
}

static void tend_keys(struct fibre *fibre, void *user)
{
    struct seal *const seal = user;
    bool goes_on = true;
    for (seal->again = true; goes_on && seal->again;) {
        json_t *status = NULL;
        json_t *said = NULL;
        seal->again = false;
        goes_on =
            vault_await(fibre, seal->vault, "status", json_object(), &status) &&
            (status == NULL || vault_await(fibre, seal->vault, "requests", json_object(), &said)) &&
            send_first(fibre, seal, status, json_object_get(said, "first"));
        json_decref(status);
        json_decref(said);
    }
    seal->tends = false;
}

static void tend_soon(struct seal *seal)
{
    seal->again = true;
    if (!seal->tends) {
        seal->tends = true;
        fibres_start(seal->setup.fibres, tend_keys, seal);
    }
}

/* What a sync tells. */

static json_t *copy_of(const json_t *sync, const char *key)
{
    json_t *const value = json_object_get(sync, key);
    return value != NULL ? json_incref(value) : NULL;
}

// A frame's part of the to-device events, from `*at` on.
static json_t *next_events(const json_t *events, size_t *at)
{
    json_t *const part = json_array();
    size_t size = 0;
    while (*at < json_array_size(events)) {
        json_t *const event = json_array_get(events, *at);
        char *const text = json_dumps(event, JSON_COMPACT);
        const size_t length = text != NULL ? strlen(text) : VAULT_FRAME_MAX;
        free(text);
        if (json_array_size(part) > 0 && size + length > HEARD_SIZE) {
            break;
        }
        if (length <= HEARD_SIZE) { // one that is longer no device has sent
            (void)json_array_append(part, event);
            size += length;
        }
        ++*at;
    }
    return part;
}

// Whether it tells what the one before has not.
static bool tells_news(struct seal *seal, const json_t *sync)
{
    const json_t *const lists = json_object_get(sync, "device_lists");
    json_t *const counts =
        json_pack("{s:o*, s:o*}", "counts", copy_of(sync, COUNTS), "unused", copy_of(sync, UNUSED));
    const bool same = seal->counts != NULL && json_equal(counts, seal->counts) != 0;
    json_decref(seal->counts);
    seal->counts = counts;
    return !same || json_array_size(json_object_get(lists, "changed")) > 0 ||
           json_array_size(json_object_get(lists, "left")) > 0 ||
           json_array_size(json_object_get(json_object_get(sync, "to_device"), "events")) > 0;
}

bool seal_heard_await(struct fibre *fibre, struct seal *seal, const json_t *sync)
{
    if (seal->vault == NULL || !tells_news(seal, sync)) {
        return true;
    }
    const json_t *const events = json_object_get(json_object_get(sync, "to_device"), "events");
    json_t *lists = copy_of(sync, "device_lists");
    size_t at = 0;
    bool goes_on = true;
    do {
        json_t *told = NULL;
        json_t *counts = copy_of(sync, COUNTS);
        json_t *const ask =
            json_pack("{s:o, s:o, s:o*, s:o*}", "to_device", next_events(events, &at), "counts",
                      counts != NULL ? counts : json_object(), "unused", copy_of(sync, UNUSED),
                      "lists", lists);
        lists = NULL; // once
        goes_on = vault_await(fibre, seal->vault, "heard", ask, &told);
        if (goes_on && told == NULL) {
            log_line(seal, NET_LOG_WARN, "what a sync told of keys was not taken");
        }
        json_decref(told);
    } while (goes_on && at < json_array_size(events));
    if (goes_on) {
        tend_soon(seal);
    }
    return goes_on;
}

/* Content. */

bool seal_content_await(struct fibre *fibre, const char *room, json_t *content, const char **type,
                        json_t **out)
{
    (void)fibre;
    (void)room;
    *type = "m.room.message";
    *out = content;
    return true;
}

bool seal_open_await(struct fibre *fibre, const char *room, json_t *events, json_t **out)
{
    (void)fibre;
    (void)room;
    *out = json_incref(events);
    return true;
}

/* Whole. */

bool seal_has_keys(const struct seal *seal)
{
    return seal->vault != NULL;
}

void seal_begin(struct seal *seal, const char *user, const char *device, uint64_t commits)
{
    if (seal->vault != NULL) {
        (void)snprintf(seal->user, sizeof seal->user, "%s", user);
        json_decref(seal->counts);
        seal->counts = NULL;
        vault_begin(seal->vault, user, device, commits);
    }
}

void seal_rest(struct seal *seal)
{
    if (seal->vault != NULL) {
        vault_rest(seal->vault);
    }
}

uint64_t seal_commits(const struct seal *seal)
{
    return seal->vault != NULL ? vault_commits(seal->vault) : 0;
}

struct seal *seal_create(const struct seal_setup *setup)
{
    struct seal *const seal = mb_new(1, sizeof *seal);
    seal->setup = *setup;
    if (setup->path != NULL && vault_find(seal->program, sizeof seal->program)) {
        const struct vault_setup vault = {.loop = setup->loop,
                                          .program = seal->program,
                                          .path = setup->path,
                                          .log = setup->log,
                                          .log_user = setup->user,
                                          .fatal = setup->fatal,
                                          .user = setup->user};
        seal->vault = vault_create(&vault);
    }
    return seal;
}

void seal_stop(struct seal *seal)
{
    if (seal->vault != NULL) {
        vault_stop(seal->vault);
    }
}

void seal_destroy(struct seal *seal)
{
    if (seal != NULL) {
        json_decref(seal->counts);
        vault_destroy(seal->vault);
    }
    free(seal);
}
