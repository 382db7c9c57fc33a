#include "adapters/matrix/say/seal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/chat.h"

#include "adapters/matrix/client/wire.h"
#include "adapters/matrix/say/vault.h"

enum {
    EVENTS_SIZE = VAULT_FRAME_MAX / 2, // of the events in one frame
    DEPTH_MAX = 100,                   // munchbot-crypto reads 127, with what is around them
    ANSWER_MAX = VAULT_FRAME_MAX - 4096,
    LIST_MAX = 500,     // people of a kind in one frame
    REQUEST_MS = 15000, // a homeserver waits 10 s for another
    PATH_SIZE = 4096,
    TRIES = 8,
    GROUP = 4,
    VERIFIES_MAX = 4 // that are answered, of a sync
};

static const struct api_answer UNSAID = {.errcode = "", .why = ""};
static const char COUNTS[] = "device_one_time_keys_count";
static const char UNUSED[] = "device_unused_fallback_key_types";

struct seal {
    struct seal_setup setup;
    struct vault *vault; // NULL: no keys
    json_t *counts;      // of keys, as the latest sync has told them; or NULL
    bool tends, again;   // a fibre sees to the own device's keys, and is to do it once more
    bool reads;          // the own device is signed, and at its homeserver
    bool has_read;       // it was, in this process
    bool unfit;          // it was said that it is not, and it never was
    json_t *skip;        // people, until when
    bool asks;           // for people who have said something
    const struct seal_identity *identity; // while the device gets one, or NULL
    struct waiting *waiting;
    bool watches; // a fibre, for whom waits too long
    char fingerprint[SEAL_FINGERPRINT_SIZE];
    char program[PATH_SIZE], user[CHAT_ID_SIZE];
};

static void log_line(const struct seal *seal, enum net_log_level level, const char *text)
{
    seal->setup.log(seal->setup.user, level, "crypto", text);
}

// As text; SIZE_MAX: it is nested too deeply to be asked about, which nobody's device has sent.
static size_t size_of(const json_t *json)
{
    char *const text = json_dumps(json, JSON_COMPACT);
    bool deep = text == NULL;
    bool quoted = false;
    size_t size = 0;
    size_t depth = 0;
    for (; !deep && text[size] != '\0'; size++) {
        const char is = text[size];
        quoted = quoted != (is == '"');
        size += is == '\\' ? 1 : 0; // what is behind it ends no text
        depth += !quoted && (is == '[' || is == '{') ? 1 : 0;
        depth -= !quoted && (is == ']' || is == '}') ? 1 : 0;
        deep = depth > DEPTH_MAX;
    }
    free(text);
    return deep ? SIZE_MAX : size;
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

/* Requests of the helper's, which do not go through the outlet: no server counts them. */

// Where it goes by its kind: the helper's word alone is not enough.
static bool is_path_of(const char *kind, const char *path)
{
    static const char *const PATHS[][2] = {
        {"upload", "/_matrix/client/v3/keys/upload"},
        {"query", "/_matrix/client/v3/keys/query"},
        {"claim", "/_matrix/client/v3/keys/claim"},
        {"to-device", "/_matrix/client/v3/sendToDevice/m.room.encrypted/"},
        {"to-device", "/_matrix/client/v3/sendToDevice/m.room_key.withheld/"},
        {"signing-keys", "/_matrix/client/v3/keys/device_signing/upload"},
        {"signatures", "/_matrix/client/v3/keys/signatures/upload"},
    };
    bool is = false;
    for (size_t i = 0; i < sizeof PATHS / sizeof *PATHS; i++) {
        const size_t length = strlen(PATHS[i][1]);
        const bool open = PATHS[i][1][length - 1] == '/';
        is = is || (strcmp(kind, PATHS[i][0]) == 0 && strncmp(path, PATHS[i][1], length) == 0 &&
                    (open ? path[length] != '\0' && strpbrk(path + length, "/?#") == NULL
                          : path[length] == '\0'));
    }
    return is;
}

static bool has_word(const json_t *words, const char *word)
{
    bool has = false;
    for (size_t i = 0; i < json_array_size(words) && !has; i++) {
        const char *const at = json_string_value(json_array_get(words, i));
        has = at != NULL && strcmp(at, word) == 0;
    }
    return has;
}

// Whether it concerns nobody else; `own`: the bot's own account may be asked for.
static bool is_for(const json_t *people, const char *own, json_t *by_person)
{
    bool is = json_is_object(by_person);
    for (void *at = json_object_iter(by_person); is && at != NULL;
         at = json_object_iter_next(by_person, at)) {
        const char *const person = json_object_iter_key(at);
        is = (own != NULL && strcmp(person, own) == 0) || has_word(people, person);
    }
    return is;
}

// Whether each of an identity's keys is said to be the own account's.
static bool are_own(const struct seal *seal, json_t *keys)
{
    bool are = json_is_object(keys);
    for (void *at = json_object_iter(keys); are && at != NULL;
         at = json_object_iter_next(keys, at)) {
        const char *const whose =
            json_string_value(json_object_get(json_object_iter_value(at), "user_id"));
        are = whose != NULL && strcmp(whose, seal->user) == 0;
    }
    return are;
}

// Whether a request may be sent for these people. A key is for them alone, whoever asks.
static bool may_send(const struct seal *seal, const json_t *request, const json_t *people)
{
    const char *const kind = json_string_value(json_object_get(request, "kind"));
    const char *const path = json_string_value(json_object_get(request, "path"));
    json_t *const body = json_object_get(request, "body");
    if (kind == NULL || path == NULL || !is_path_of(kind, path)) {
        return false;
    }
    if (strcmp(kind, "signing-keys") == 0) {
        return seal->identity != NULL && seal->identity->seeds == NULL && are_own(seal, body);
    }
    if (strcmp(kind, "signatures") == 0) {
        return seal->identity != NULL && is_for(NULL, seal->user, body);
    }
    if (strcmp(kind, "to-device") == 0) {
        return is_for(people, NULL, json_object_get(body, "messages"));
    }
    if (strcmp(kind, "claim") == 0) {
        return is_for(people, NULL, json_object_get(body, "one_time_keys"));
    }
    return strcmp(kind, "query") != 0 ||
           is_for(people, seal->user, json_object_get(body, "device_keys"));
}

// The homeserver wants to know that it is the account itself: a proof is put into the body.
static bool add_proof(const struct seal *seal, const struct api_answer *said, json_t *body)
{
    const struct seal_identity *const identity = seal->identity;
    json_t *const proof = identity != NULL ? identity->prove(identity->user, said->body) : NULL;
    return proof != NULL && json_object_set_new(body, "auth", proof) == 0;
}

// Sends it, `tries` times while nobody has looked at it. `answer`: taken, or NULL.
static bool send_request(struct fibre *fibre, struct seal *seal, const json_t *request,
                         unsigned tries, json_t **answer)
{
    const char *const path = json_string_value(json_object_get(request, "path"));
    json_t *const body = json_copy(json_object_get(request, "body"));
    struct api_answer said = {.errcode = "", .why = ""};
    bool goes_on = true;
    bool later = true;
    *answer = NULL;
    for (unsigned i = 0; i < tries && goes_on && later; i++) {
        const struct api_call call = {.method =
                                          strstr(path, "/sendToDevice/") != NULL ? "PUT" : "POST",
                                      .path = path,
                                      .body = json_incref(body),
                                      .timeout_ms = REQUEST_MS,
                                      .body_max = ANSWER_MAX};
        goes_on = (i == 0 || api_sleep(fibre, seal->setup.api, api_wait_ms(&said, i - 1))) &&
                  api_await(fibre, seal->setup.api, &call, &said);
        const bool asks = goes_on && json_is_array(json_object_get(said.body, "flows"));
        later = goes_on && (asks ? add_proof(seal, &said, body) : api_is_later(&said));
    }
    if (goes_on && api_good(&said) && size_of(said.body) < SIZE_MAX) {
        *answer = json_incref(said.body);
    } else if (goes_on) {
        log_line(seal, NET_LOG_INFO, "the homeserver has not answered a request for keys");
    }
    json_decref(body);
    return goes_on;
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
// `*done`: false: the homeserver has not answered.
static bool send_first(struct fibre *fibre, struct seal *seal, const json_t *status,
                       const json_t *first, bool *done)
{
    *done = true;
    const bool uploaded = json_is_true(json_object_get(status, "uploaded"));
    for (size_t i = 0; i < json_array_size(first); i++) {
        const json_t *const request = json_array_get(first, i);
        const char *const kind = json_string_value(json_object_get(request, "kind"));
        const bool query = kind != NULL && strcmp(kind, "query") == 0;
        json_t *answer = NULL;
        bool has = false;
        if (!may_send(seal, request, NULL)) {
            log_line(seal, NET_LOG_ERROR,
                     "munchbot-crypto wants something sent that is not its own");
            return true;
        }
        if (!send_request(fibre, seal, request, TRIES, &answer)) {
            return false;
        }
        if (query && answer != NULL &&
            (has_others(seal, status, answer, &has) || (uploaded && !has))) {
            json_decref(answer);
            vault_end(seal->vault,
                      "the homeserver has other keys for this device than crypto_path: "
                      "\"munchbot matrix login\" makes a new device");
            return false;
        }
        const bool taken = answer != NULL;
        if (!tell_answer(fibre, seal, request, answer)) {
            return false;
        }
        if (!taken) {
            *done = false;
            return true; // what comes behind it waits for another time
        }
    }
    return true;
}

void seal_write_fingerprint(const char *key, char out[SEAL_FINGERPRINT_SIZE])
{
    size_t length = 0;
    for (size_t i = 0; key[i] != '\0' && length + 2 < SEAL_FINGERPRINT_SIZE; i++) {
        if (i > 0 && i % GROUP == 0) {
            out[length++] = ' ';
        }
        out[length++] = key[i];
    }
    out[length] = '\0';
}

const char *seal_fingerprint(const struct seal *seal)
{
    return seal->fingerprint;
}

// `out`: taken, or NULL: it has not said, and what it said before holds.
static bool ask_status(struct fibre *fibre, struct seal *seal, json_t **out)
{
    const bool goes_on = vault_await(fibre, seal->vault, "status", json_object(), out);
    if (*out != NULL) {
        seal->reads = json_is_true(json_object_get(*out, "uploaded")) &&
                      json_is_true(json_object_get(*out, "signed"));
        seal->has_read = seal->has_read || seal->reads;
        seal->unfit = !seal->has_read;
        const char *const key = json_string_value(json_object_get(*out, "ed25519"));
        seal_write_fingerprint(key != NULL ? key : "", seal->fingerprint);
    }
    return goes_on;
}

// Until the homeserver has answered all: no sync tells of it again.
static void tend_keys(struct fibre *fibre, void *user)
{
    struct seal *const seal = user;
    unsigned tries = 0;
    bool goes_on = true;
    for (seal->again = true; goes_on && seal->again;) {
        json_t *status = NULL;
        json_t *said = NULL;
        bool done = true;
        seal->again = false;
        goes_on =
            ask_status(fibre, seal, &status) &&
            (status == NULL || vault_await(fibre, seal->vault, "requests", json_object(), &said)) &&
            send_first(fibre, seal, status, json_object_get(said, "first"), &done);
        json_decref(status);
        json_decref(said);
        if (goes_on && !done && vault_is_wanted(seal->vault)) {
            seal->again = true;
            goes_on = api_sleep(fibre, seal->setup.api, api_wait_ms(&UNSAID, tries++));
        }
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

/* Who the own device is. */

// Asks the homeserver for the own account. `answer`: taken, or NULL.
static bool query_own(struct fibre *fibre, struct seal *seal, json_t **answer)
{
    json_t *said = NULL;
    bool goes_on = vault_await(fibre, seal->vault, "requests", json_object(), &said);
    const json_t *const first = json_object_get(said, "first");
    *answer = NULL;
    for (size_t i = 0; goes_on && *answer == NULL && i < json_array_size(first); i++) {
        const json_t *const request = json_array_get(first, i);
        const char *const kind = json_string_value(json_object_get(request, "kind"));
        if (kind != NULL && strcmp(kind, "query") == 0 && may_send(seal, request, NULL)) {
            goes_on = send_request(fibre, seal, request, TRIES, answer) &&
                      tell_answer(fibre, seal, request, json_incref(*answer));
        }
    }
    json_decref(said);
    return goes_on;
}

bool seal_fresh_await(struct fibre *fibre, struct seal *seal, json_t **known, bool *had)
{
    json_t *status = NULL;
    bool goes_on = ask_status(fibre, seal, &status);
    *known = NULL;
    *had = false;
    if (goes_on && status != NULL) {
        goes_on = query_own(fibre, seal, known);
        *had = has_others(seal, status, *known, had) || *had ||
               json_is_true(json_object_get(status, "uploaded"));
    }
    json_decref(status);
    return goes_on;
}

// In their order, for each is about those before it.
static bool send_identity(struct fibre *fibre, struct seal *seal, const json_t *first,
                          struct mb_error *err)
{
    bool goes_on = true;
    for (size_t i = 0; goes_on && err->code == MB_OK && i < json_array_size(first); i++) {
        const json_t *const request = json_array_get(first, i);
        json_t *answer = NULL;
        if (!may_send(seal, request, NULL)) {
            return mb_fail(err, MB_ERR_STATE,
                           "munchbot-crypto wants something sent that is not its own");
        }
        goes_on = send_request(fibre, seal, request, TRIES, &answer);
        if (answer == NULL) {
            (void)mb_fail(err, MB_ERR_RETRY, "the homeserver has not taken the keys");
        }
        goes_on = goes_on && (answer == NULL || tell_answer(fibre, seal, request, answer));
    }
    return goes_on;
}

static bool check_identity(struct fibre *fibre, struct seal *seal, json_t **known,
                           struct mb_error *err)
{
    json_t *status = NULL;
    const bool goes_on = query_own(fibre, seal, known) && ask_status(fibre, seal, &status);
    if (*known == NULL || !json_is_true(json_object_get(status, "signed")) || !seal->reads) {
        (void)mb_fail(err, MB_ERR_STATE, "the homeserver does not show the keys as they were sent");
    }
    json_decref(status);
    return goes_on;
}

bool seal_identify_await(struct fibre *fibre, struct seal *seal,
                         const struct seal_identity *identity, json_t **known, struct mb_error *err)
{
    json_t *said = NULL;
    json_t *const ask =
        json_pack("{s:O*, s:b}", "seeds", identity->seeds, "replace", identity->seeds == NULL);
    *known = NULL;
    bool goes_on = vault_await(fibre, seal->vault, "identity", ask, &said);
    if (said == NULL) {
        (void)mb_fail(err, MB_ERR_STATE, "munchbot-crypto has made no identity");
    } else if (identity->seeds == NULL &&
               !identity->keep(identity->user, json_object_get(said, "seeds"))) {
        (void)mb_fail(err, MB_ERR_IO, "the seeds of the identity cannot be kept");
    } else {
        seal->identity = identity;
        goes_on = send_identity(fibre, seal, json_object_get(said, "first"), err);
        seal->identity = NULL;
    }
    json_decref(said);
    goes_on = goes_on && (err->code != MB_OK || check_identity(fibre, seal, known, err));
    if (err->code != MB_OK) {
        json_decref(*known);
        *known = NULL;
    }
    return goes_on;
}

bool seal_forget_await(struct fibre *fibre, struct seal *seal)
{
    json_t *said = NULL;
    const bool goes_on = vault_await(fibre, seal->vault, "forget", json_object(), &said);
    json_decref(said);
    return goes_on;
}

/* What a sync tells. */

static fibre_fn hear_late; // what waited for a key

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
        const size_t length = size_of(event);
        const bool fits = length <= EVENTS_SIZE; // one that is longer no device has sent
        if (fits && size + length > EVENTS_SIZE) {
            break;
        }
        if (fits) {
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

// A part of the people who have other devices, from `*at` on; NULL: there are no more.
static json_t *next_lists(const json_t *lists, size_t *at)
{
    static const char *const KINDS[] = {"changed", "left"};
    json_t *const part = json_object();
    const size_t from = *at;
    bool any = false;
    *at += LIST_MAX;
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++) {
        const json_t *const all = json_object_get(lists, KINDS[i]);
        json_t *const some = json_array();
        for (size_t j = from; j < *at && j < json_array_size(all); j++) {
            any = true;
            if (json_string_length(json_array_get(all, j)) < CHAT_ID_SIZE) {
                (void)json_array_append(some, json_array_get(all, j));
            }
        }
        (void)json_object_set_new(part, KINDS[i], some);
    }
    if (!any) {
        json_decref(part);
    }
    return any ? part : NULL;
}

/* What a sync tells of keys, while it is told. */
struct hearing {
    struct seal *seal;
    const json_t *sync;
    bool keys; // some have come
};

// One frame; both are taken. It is told until the store can take it: the next sync deletes it.
static bool tell_frame(struct fibre *fibre, struct hearing *hearing, json_t *events, json_t *lists,
                       bool *taken)
{
    struct seal *const seal = hearing->seal;
    json_t *const counts = copy_of(hearing->sync, COUNTS);
    json_t *const ask = json_pack("{s:o, s:o, s:o*, s:o*}", "to_device", events, "counts",
                                  counts != NULL ? counts : json_object(), "unused",
                                  copy_of(hearing->sync, UNUSED), "lists", lists);
    json_t *told = NULL;
    bool goes_on = vault_await(fibre, seal->vault, "heard", json_copy(ask), &told);
    for (unsigned tries = 0; goes_on && told == NULL && vault_is_full(seal->vault); tries++) {
        log_line(seal, NET_LOG_ERROR,
                 "the store in crypto_path cannot be written: nothing is heard until it can");
        goes_on = api_sleep(fibre, seal->setup.api, api_wait_ms(&UNSAID, tries)) &&
                  vault_await(fibre, seal->vault, "heard", json_copy(ask), &told);
    }
    *taken = told != NULL;
    hearing->keys = hearing->keys || json_array_size(json_object_get(told, "keys")) > 0;
    json_decref(told);
    json_decref(ask);
    return goes_on && vault_is_wanted(seal->vault);
}

static bool tell_events(struct fibre *fibre, struct hearing *hearing, json_t *events)
{
    const size_t count = json_array_size(events);
    bool taken = false;
    bool goes_on = tell_frame(fibre, hearing, json_incref(events), NULL, &taken);
    // What was not taken together is the fault of one of them.
    for (size_t i = 0; goes_on && !taken && count > 1 && i < count; i++) {
        bool one = false;
        goes_on =
            tell_frame(fibre, hearing, json_pack("[O]", json_array_get(events, i)), NULL, &one);
    }
    if (goes_on && !taken) {
        log_line(hearing->seal, NET_LOG_WARN, "what a sync told of keys was not taken");
    }
    return goes_on;
}

static bool tell_keys(struct fibre *fibre, struct hearing *hearing)
{
    const json_t *const events =
        json_object_get(json_object_get(hearing->sync, "to_device"), "events");
    const json_t *const lists = json_object_get(hearing->sync, "device_lists");
    size_t at = 0;
    bool goes_on = true;
    for (json_t *part = NULL; goes_on && (part = next_lists(lists, &at)) != NULL;) {
        bool taken = false;
        goes_on = tell_frame(fibre, hearing, json_array(), part, &taken);
    }
    at = 0;
    do { // once without events, for the counts
        json_t *const part = next_events(events, &at);
        goes_on = goes_on && tell_events(fibre, hearing, part);
        json_decref(part);
    } while (goes_on && at < json_array_size(events));
    return goes_on;
}

static void tell_verifies(const struct seal *seal, const json_t *sync)
{
    const json_t *const events = json_object_get(json_object_get(sync, "to_device"), "events");
    unsigned count = 0;
    for (size_t i = 0; i < json_array_size(events) && count < VERIFIES_MAX; i++) {
        const json_t *const event = json_array_get(events, i);
        const json_t *const content = json_object_get(event, "content");
        const char *const type = wire_word(event, "type");
        const char *const sender = wire_id(event, "sender");
        const char *const device = wire_id(content, "from_device");
        const char *const transaction = wire_id(content, "transaction_id");
        if (type != NULL && strcmp(type, "m.key.verification.request") == 0 && sender != NULL &&
            device != NULL && transaction != NULL) {
            count++;
            seal->setup.verifies(seal->setup.user, sender, device, transaction);
        }
    }
}

bool seal_heard_await(struct fibre *fibre, struct seal *seal, const json_t *sync)
{
    struct hearing hearing = {.seal = seal, .sync = sync};
    json_t *status = NULL;
    if (seal->vault == NULL || !tells_news(seal, sync)) {
        return true;
    }
    const bool goes_on =
        tell_keys(fibre, &hearing) && ask_status(fibre, seal, &status); // before a room is told of
    json_decref(status);
    if (goes_on) {
        tend_soon(seal);
        tell_verifies(seal, sync);
    }
    if (goes_on && hearing.keys && seal->waiting != NULL) {
        fibres_start(seal->setup.fibres, hear_late, seal);
    }
    return goes_on;
}

/* Rooms. */

enum {
    WAITING_MAX = 256,
    LATE_MS = 300000,
    SKIP_MS = 60000,
    TOGETHER = 16, // events in one frame
    HANDS = 8,     // requests of one preparation at once
    ROUNDS = 16    // of preparations, before something is said later
};

/* What is done before something can be said or heard: devices asked for, keys claimed and shared.
 * Several fibres do it side by side, so that a homeserver that is slow holds up only its own. */
struct preparation {
    struct seal *seal;
    struct fibre *waits; // for the end, or NULL
    bool *over;          // is set then; NULL: nobody waits
    json_t *first;
    size_t next;
    unsigned hands; // that are at it
    bool heard;     // for what was heard: it is opened then
};

/* An event that waits for its key. */
struct waiting {
    struct waiting *next;
    int64_t until_ms;
    json_t *event;
    char room[CHAT_ID_SIZE];
};

// Whose homeserver has not answered lately.
static json_t *skipped(struct seal *seal)
{
    json_t *const names = json_array();
    const int64_t now_ms = api_now_ms(seal->setup.api);
    void *next = NULL;
    for (void *at = json_object_iter(seal->skip); at != NULL; at = next) {
        const char *const name = json_object_iter_key(at);
        const json_int_t until_ms = json_integer_value(json_object_iter_value(at));
        next = json_object_iter_next(seal->skip, at);
        if (until_ms > now_ms) {
            (void)json_array_append_new(names, json_string(name));
        } else {
            (void)json_object_del(seal->skip, name);
        }
    }
    return names;
}

// Who was asked for and did not answer is left out for a while; the own account never is.
static void skip_unanswered(struct seal *seal, const json_t *request)
{
    json_t *const keys = json_object_get(json_object_get(request, "body"), "device_keys");
    for (void *at = json_object_iter(keys); at != NULL; at = json_object_iter_next(keys, at)) {
        if (strcmp(json_object_iter_key(at), seal->user) != 0) {
            (void)json_object_set_new(seal->skip, json_object_iter_key(at),
                                      json_integer(api_now_ms(seal->setup.api) + SKIP_MS));
        }
    }
}

// Whether the homeserver has told of whom it was asked for.
static bool has_told(const json_t *request, const json_t *answer)
{
    json_t *const asked = json_object_get(json_object_get(request, "body"), "device_keys");
    const json_t *const told = json_object_get(answer, "device_keys");
    bool has = answer != NULL;
    for (void *at = json_object_iter(asked); at != NULL; at = json_object_iter_next(asked, at)) {
        has = has && json_object_get(told, json_object_iter_key(at)) != NULL;
    }
    return has;
}

static bool run_request(struct fibre *fibre, struct seal *seal, const json_t *request)
{
    const char *const kind = json_string_value(json_object_get(request, "kind"));
    const bool key = kind != NULL && strcmp(kind, "to-device") == 0;
    json_t *answer = NULL;
    if (!send_request(fibre, seal, request, key ? TRIES : 1, &answer)) {
        return false;
    }
    if (!key && !has_told(request, answer)) {
        skip_unanswered(seal, request);
    }
    return tell_answer(fibre, seal, request, answer);
}

// One hand less; the last one ends it. `fibre`: NULL if nothing goes on.
static void leave(struct fibre *fibre, struct preparation *preparation)
{
    const struct preparation was = *preparation;
    if (--preparation->hands > 0) {
        return;
    }
    json_decref(preparation->first);
    free(preparation);
    if (was.over != NULL) {
        *was.over = true;
        fibre_wake(was.waits);
    }
    if (was.heard) {
        was.seal->asks = false;
        if (fibre != NULL) {
            fibres_start(was.seal->setup.fibres, hear_late, was.seal);
        }
    }
}

static void prepare(struct fibre *fibre, void *user)
{
    struct preparation *const preparation = user;
    bool goes_on = true;
    while (goes_on && preparation->next < json_array_size(preparation->first)) {
        const json_t *const request = json_array_get(preparation->first, preparation->next++);
        goes_on = run_request(fibre, preparation->seal, request);
    }
    leave(goes_on ? fibre : NULL, preparation);
}

// False: one of the requests is for somebody else, and none is sent.
static bool may_send_all(const struct seal *seal, const json_t *first, const json_t *people)
{
    bool may = true;
    for (size_t i = 0; i < json_array_size(first) && may; i++) {
        may = may_send(seal, json_array_get(first, i), people);
    }
    return may;
}

// `over` is set at the end, and `waits` woken; else what was heard is opened then.
static struct preparation *begin_preparation(struct seal *seal, json_t *first, struct fibre *waits,
                                             bool *over)
{
    const size_t count = json_array_size(first);
    struct preparation *const preparation = mb_new(1, sizeof *preparation);
    *preparation = (struct preparation){.seal = seal,
                                        .waits = waits,
                                        .first = json_incref(first),
                                        .hands = 1,
                                        .heard = over == NULL};
    preparation->over = over;
    for (size_t i = 0; i < count && i < HANDS; i++) {
        preparation->hands++;
        fibres_start(seal->setup.fibres, prepare, preparation);
    }
    return preparation;
}

static bool prepare_await(struct fibre *fibre, struct seal *seal, json_t *first)
{
    bool over = false;
    struct preparation *const preparation = begin_preparation(seal, first, fibre, &over);
    if (--preparation->hands == 0) { // all are done, or the end has come
        preparation->hands = 1;
        preparation->over = NULL;
        leave(NULL, preparation);
        return true;
    }
    while (!over) {
        if (!fibre_wait(fibre)) {
            if (!over) {
                preparation->over = NULL;
            }
            return false;
        }
    }
    return true;
}

/* Saying. */

// Of what was sealed nothing stands in clear but what it relates to.
static bool is_sealed(json_t *content)
{
    static const char *const FIELDS[] = {"algorithm",  "ciphertext", "device_id",
                                         "sender_key", "session_id", "m.relates_to"};
    const char *const algorithm = json_string_value(json_object_get(content, "algorithm"));
    bool is = algorithm != NULL && strcmp(algorithm, "m.megolm.v1.aes-sha2") == 0;
    for (void *at = json_object_iter(content); is && at != NULL;
         at = json_object_iter_next(content, at)) {
        bool known = false;
        for (size_t i = 0; i < sizeof FIELDS / sizeof *FIELDS; i++) {
            known = known || strcmp(json_object_iter_key(at), FIELDS[i]) == 0;
        }
        is = known;
    }
    return is;
}

// Once; `event`: its type and content. `first`: taken, what comes before, or NULL.
static bool try_seal(struct fibre *fibre, struct seal *seal, const struct seal_readers *readers,
                     json_t *event, struct seal_sealed *out, json_t **first)
{
    json_t *said = NULL;
    json_t *const ask =
        json_pack("{s:s, s:O, s:o, s:s, s:I, s:I}", "room", readers->room, "readers",
                  readers->people, "skip", skipped(seal), "visibility", readers->visibility,
                  "rotation_ms", (json_int_t)readers->rotation_ms, "rotation_messages",
                  (json_int_t)readers->rotation_messages);
    (void)json_object_update(ask, event);
    *first = NULL;
    if (!vault_await(fibre, seal->vault, "seal", ask, &said)) {
        return false;
    }
    json_t *const sealed = json_object_get(said, "sealed");
    json_t *const before = json_object_get(said, "first");
    if (sealed != NULL) {
        out->distrusted = !is_sealed(sealed);
        out->content = out->distrusted ? NULL : json_incref(sealed);
    } else if (json_array_size(before) > 0) {
        out->distrusted = !may_send_all(seal, before, readers->people);
        *first = out->distrusted ? NULL : json_incref(before);
    }
    json_decref(said);
    return true;
}

bool seal_content_await(struct fibre *fibre, struct seal *seal, const struct seal_readers *readers,
                        const char *type, json_t *content, struct seal_sealed *out)
{
    *out = (struct seal_sealed){.type = type, .content = content};
    if (readers == NULL) {
        return true;
    }
    *out = (struct seal_sealed){.type = "m.room.encrypted"};
    json_t *const event = json_pack("{s:s, s:o}", "type", type, "content", content);
    bool goes_on = true;
    json_t *first = NULL;
    for (unsigned rounds = 0; goes_on && seal->vault != NULL && rounds < ROUNDS; rounds++) {
        goes_on = try_seal(fibre, seal, readers, event, out, &first);
        if (first == NULL) {
            break;
        }
        goes_on = prepare_await(fibre, seal, first);
        json_decref(first);
        first = NULL;
    }
    if (out->distrusted) {
        log_line(seal, NET_LOG_ERROR,
                 "munchbot-crypto would have shown a message to others: nothing was sent");
    }
    json_decref(event);
    return goes_on;
}

/* Hearing. */

static bool is_type(const json_t *event, const char *type)
{
    const char *const is = json_string_value(json_object_get(event, "type"));
    return is != NULL && strcmp(is, type) == 0;
}

// What people say is sealed, and nothing else: no state, and nothing that takes back.
static bool is_said(const json_t *answer)
{
    return is_type(answer, "m.room.message") || is_type(answer, "m.reaction");
}

// Clients send a request to compare keys unencrypted.
static bool is_verification(const json_t *event)
{
    const char *const is = wire_word(json_object_get(event, "content"), "msgtype");
    return is != NULL && strcmp(is, "m.key.verification.request") == 0;
}

// With what was said in it in place of what was sealed.
static json_t *opened_copy(json_t *event, const json_t *said)
{
    json_t *const copy = json_copy(event);
    (void)json_object_set(copy, "type", json_object_get(said, "type"));
    (void)json_object_set(copy, "content", json_object_get(said, "content"));
    return copy;
}

static fibre_fn watch_waiting;

static void put_waiting(struct seal *seal, struct waiting *waiting)
{
    struct waiting **at = &seal->waiting;
    while (*at != NULL) {
        at = &(*at)->next;
    }
    *at = waiting;
    if (!seal->watches) {
        seal->watches = true;
        fibres_start(seal->setup.fibres, watch_waiting, seal);
    }
}

static void let_wait(struct seal *seal, const char *room, json_t *event)
{
    size_t count = 0;
    for (const struct waiting *at = seal->waiting; at != NULL; at = at->next) {
        count++;
    }
    if (count < WAITING_MAX) {
        struct waiting *const waiting = mb_new(1, sizeof *waiting);
        waiting->until_ms = api_now_ms(seal->setup.api) + LATE_MS;
        waiting->event = json_incref(event);
        (void)snprintf(waiting->room, sizeof waiting->room, "%s", room);
        put_waiting(seal, waiting);
    }
}

// `opened`: taken, for each event what was said or why not; NULL: none was.
static bool ask_opened(struct fibre *fibre, struct seal *seal, const char *room, json_t *events,
                       json_t **opened)
{
    json_t *said = NULL;
    json_t *const ask =
        json_pack("{s:s, s:O, s:o}", "room", room, "events", events, "skip", skipped(seal));
    *opened = NULL;
    if (!vault_await(fibre, seal->vault, "unseal", ask, &said)) {
        return false;
    }
    json_t *const first = json_object_get(said, "first");
    json_t *const answers = json_object_get(said, "opened");
    if (json_array_size(answers) == json_array_size(events)) {
        *opened = json_incref(answers);
    }
    if (json_array_size(first) > 0 && !seal->asks) {
        json_t *const senders = json_array();
        for (size_t i = 0; i < json_array_size(events); i++) {
            (void)json_array_append(senders, json_object_get(json_array_get(events, i), "sender"));
        }
        if (may_send_all(seal, first, senders)) {
            seal->asks = true;
            leave(NULL, begin_preparation(seal, first, NULL, NULL));
        } else {
            log_line(seal, NET_LOG_ERROR, "munchbot-crypto asks for people who have said nothing");
        }
        json_decref(senders);
    }
    json_decref(said);
    return true;
}

static void tell_unheard(const struct seal *seal, const char *room, const json_t *event,
                         enum seal_unheard why)
{
    const char *const sender = json_string_value(json_object_get(event, "sender"));
    if (sender != NULL && strlen(sender) < CHAT_ID_SIZE && strcmp(sender, seal->user) != 0) {
        seal->setup.unheard(seal->setup.user, room, sender, why);
    }
}

// It was said, and is not heard: its device is not signed, or keeps the key to itself.
static void tell_refused(const struct seal *seal, const char *room, const json_t *event,
                         const char *no)
{
    if (no != NULL && strcmp(no, "unsigned") == 0) {
        tell_unheard(seal, room, event, SEAL_UNSIGNED);
    } else if (no != NULL && strcmp(no, "withheld") == 0) {
        tell_unheard(seal, room, event, SEAL_UNOPENED);
    }
}

// Who has waited too long is never heard.
static void drop_late(struct seal *seal)
{
    struct waiting *late = NULL;
    struct waiting **end = &late;
    for (struct waiting **at = &seal->waiting; *at != NULL;) {
        struct waiting *const waiting = *at;
        if (waiting->until_ms > api_now_ms(seal->setup.api)) {
            at = &waiting->next;
            continue;
        }
        *at = waiting->next;
        waiting->next = NULL;
        *end = waiting;
        end = &waiting->next;
    }
    while (late != NULL) {
        struct waiting *const waiting = late;
        late = waiting->next;
        tell_unheard(seal, waiting->room, waiting->event, SEAL_UNOPENED);
        json_decref(waiting->event);
        free(waiting);
    }
}

static void watch_waiting(struct fibre *fibre, void *user)
{
    struct seal *const seal = user;
    bool goes_on = true;
    while (goes_on && seal->waiting != NULL) {
        int64_t until_ms = INT64_MAX;
        for (const struct waiting *at = seal->waiting; at != NULL; at = at->next) {
            until_ms = at->until_ms < until_ms ? at->until_ms : until_ms;
        }
        goes_on = api_sleep(fibre, seal->setup.api, until_ms - api_now_ms(seal->setup.api));
        if (goes_on) {
            drop_late(seal);
        }
    }
    seal->watches = false;
}

static void take_opened(struct seal *seal, const char *room, json_t *sealed, const json_t *opened,
                        json_t *out)
{
    for (size_t i = 0; i < json_array_size(sealed); i++) {
        const json_t *const answer = json_array_get(opened, i);
        const char *const no = json_string_value(json_object_get(answer, "no"));
        json_t *const event = json_array_get(sealed, i);
        if (no == NULL && is_said(answer)) {
            (void)json_array_append_new(out, opened_copy(event, answer));
        } else {
            (void)json_array_append(out, event);
            tell_refused(seal, room, event, no);
            if (no != NULL && strcmp(no, "later") == 0) {
                let_wait(seal, room, event);
            }
        }
    }
}

// Each by itself: what was not answered together is the fault of one of them.
static bool open_each(struct fibre *fibre, struct seal *seal, const char *room, json_t *sealed,
                      json_t *out)
{
    bool goes_on = true;
    for (size_t i = 0; goes_on && i < json_array_size(sealed); i++) {
        json_t *const one = json_pack("[O]", json_array_get(sealed, i));
        json_t *opened = NULL;
        goes_on = ask_opened(fibre, seal, room, one, &opened);
        if (goes_on) {
            take_opened(seal, room, one, opened, out);
        }
        json_decref(opened);
        json_decref(one);
    }
    return goes_on;
}

// Asks for some together, and puts them behind what is there.
static bool open_some(struct fibre *fibre, struct seal *seal, const char *room, json_t *sealed,
                      json_t *out)
{
    json_t *opened = NULL;
    bool goes_on = json_array_size(sealed) == 0 || ask_opened(fibre, seal, room, sealed, &opened);
    if (goes_on && opened == NULL && json_array_size(sealed) > 1) {
        goes_on = open_each(fibre, seal, room, sealed, out);
    } else if (goes_on) {
        take_opened(seal, room, sealed, opened, out);
    }
    json_decref(opened);
    (void)json_array_clear(sealed);
    return goes_on;
}

bool seal_open_await(struct fibre *fibre, struct seal *seal, const char *room, bool sealed,
                     json_t *events, json_t **out)
{
    if (!seal_is_ready(seal)) {
        *out = json_incref(events);
        return true;
    }
    json_t *const together = json_array();
    size_t size = 0; // of these
    bool goes_on = true;
    *out = json_array();
    for (size_t i = 0; goes_on && i < json_array_size(events); i++) {
        json_t *const event = json_array_get(events, i);
        const json_t *const key = json_object_get(event, "state_key");
        const bool own = json_is_string(key) && json_string_length(key) == 0;
        sealed = sealed || (own && is_type(event, "m.room.encryption")); // from there on
        const size_t length =
            sealed && key == NULL && is_type(event, "m.room.encrypted") ? size_of(event) : SIZE_MAX;
        if (length <= EVENTS_SIZE) {
            goes_on = (json_array_size(together) < TOGETHER && size + length <= EVENTS_SIZE) ||
                      open_some(fibre, seal, room, together, *out);
            size = json_array_size(together) == 0 ? length : size + length;
            (void)json_array_append(together, event);
            continue;
        }
        goes_on = open_some(fibre, seal, room, together, *out);
        json_t *const copy = json_copy(event);
        if (sealed && is_type(event, "m.room.message") && !is_verification(event)) {
            (void)json_object_set_new(copy, "type", json_string("org.munchbot.unsealed"));
        }
        (void)json_array_append_new(*out, copy);
    }
    goes_on = goes_on && open_some(fibre, seal, room, together, *out);
    json_decref(together);
    if (!goes_on) {
        json_decref(*out);
        *out = NULL;
    }
    return goes_on;
}

// Takes it: it is told, waits on, or is never heard.
static bool try_waiting(struct fibre *fibre, struct seal *seal, struct waiting *waiting)
{
    json_t *const events = json_pack("[O]", waiting->event);
    json_t *opened = NULL;
    const bool goes_on = ask_opened(fibre, seal, waiting->room, events, &opened);
    const json_t *const answer = json_array_get(opened, 0);
    const char *const no = json_string_value(json_object_get(answer, "no"));
    const bool later = answer == NULL || (no != NULL && strcmp(no, "later") == 0);
    if (later && goes_on) {
        put_waiting(seal, waiting);
    } else {
        if (goes_on) {
            tell_refused(seal, waiting->room, waiting->event, no);
        }
        if (no == NULL && is_said(answer) && goes_on) {
            json_t *const event = opened_copy(waiting->event, answer);
            seal->setup.late(seal->setup.user, waiting->room, event);
            json_decref(event);
        }
        json_decref(waiting->event);
        free(waiting);
    }
    json_decref(events);
    json_decref(opened);
    return goes_on;
}

// Each once more.
static bool open_waiting(struct fibre *fibre, struct seal *seal)
{
    drop_late(seal);
    struct waiting *list = seal->waiting;
    bool goes_on = true;
    seal->waiting = NULL;
    while (list != NULL) {
        struct waiting *const at = list;
        list = at->next;
        at->next = NULL;
        if (goes_on) {
            goes_on = try_waiting(fibre, seal, at);
        } else {
            json_decref(at->event);
            free(at);
        }
    }
    return goes_on;
}

static void hear_late(struct fibre *fibre, void *user)
{
    (void)open_waiting(fibre, user);
}

/* Who could. */

// Once; `first`: taken, what comes before, or NULL.
static bool try_readers(struct fibre *fibre, struct seal *seal, json_t *people, bool *out,
                        json_t **first)
{
    json_t *said = NULL;
    json_t *const ask = json_pack("{s:O, s:o}", "people", people, "skip", skipped(seal));
    *first = NULL;
    if (!vault_await(fibre, seal->vault, "readers", ask, &said)) {
        return false;
    }
    const json_t *const reads = json_object_get(said, "reads");
    json_t *const before = json_object_get(said, "first");
    *out = json_is_object(reads);
    for (size_t i = 0; i < json_array_size(people); i++) {
        const char *const person = json_string_value(json_array_get(people, i));
        *out = *out && person != NULL && json_integer_value(json_object_get(reads, person)) > 0;
    }
    if (!*out && json_array_size(before) > 0 && may_send_all(seal, before, people)) {
        *first = json_incref(before);
    }
    json_decref(said);
    return true;
}

bool seal_readers_await(struct fibre *fibre, struct seal *seal, json_t *people, bool *out)
{
    bool goes_on = true;
    json_t *first = NULL;
    *out = false;
    for (unsigned rounds = 0; goes_on && seal_is_ready(seal) && rounds < ROUNDS; rounds++) {
        goes_on = try_readers(fibre, seal, people, out, &first);
        if (first == NULL) {
            break;
        }
        goes_on = prepare_await(fibre, seal, first);
        json_decref(first);
        first = NULL;
    }
    return goes_on;
}

bool seal_is_ready(const struct seal *seal)
{
    return seal->vault != NULL && seal->reads;
}

bool seal_will_read(const struct seal *seal)
{
    return seal->vault != NULL && !seal->unfit;
}

bool seal_reads(const struct seal *seal, const struct room *room)
{
    int64_t ms = 0;
    int64_t messages = 0;
    return !room_is_encrypted(room) || (seal_is_ready(seal) && room_sealing(room, &ms, &messages));
}

enum seal_makes seal_makes(const struct seal *seal)
{
    return seal->setup.makes;
}

/* Whole. */

bool seal_is_wanted(const struct seal *seal)
{
    return seal->setup.path != NULL && seal->setup.makes != SEAL_OFF;
}

bool seal_has_keys(const struct seal *seal)
{
    return seal->vault != NULL;
}

void seal_begin(struct seal *seal, const char *user, const char *device, uint64_t commits)
{
    if (seal->vault != NULL) {
        seal->reads = seal->reads && strcmp(vault_device(seal->vault), device) == 0;
        (void)snprintf(seal->user, sizeof seal->user, "%s", user);
        json_decref(seal->counts);
        seal->counts = NULL;
        vault_begin(seal->vault, user, device, commits);
    } else if (seal->setup.makes == SEAL_ALWAYS) {
        log_line(seal, NET_LOG_ERROR,
                 "\"encryption = always\" needs munchbot-crypto beside munchbot: no hand is shown");
    } else if (seal_is_wanted(seal)) {
        log_line(
            seal, NET_LOG_WARN,
            "crypto_path is set and munchbot-crypto is not there: encrypted rooms are not read");
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
    seal->skip = json_object();
    if (seal_is_wanted(seal) && vault_find(seal->program, sizeof seal->program)) {
        const struct vault_setup vault = {.loop = setup->loop,
                                          .program = seal->program,
                                          .path = setup->path,
                                          .keys = setup->keys,
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
    while (seal != NULL && seal->waiting != NULL) {
        struct waiting *const waiting = seal->waiting;
        seal->waiting = waiting->next;
        json_decref(waiting->event);
        free(waiting);
    }
    if (seal != NULL) {
        json_decref(seal->counts);
        json_decref(seal->skip);
        vault_destroy(seal->vault);
    }
    free(seal);
}
