#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#include <sodium.h>

#include "adapters/matrix/account/account.h"
#include "adapters/matrix/account/asking.h"
#include "adapters/matrix/client/wire.h"

enum { LINE_SIZE = 512 };

struct checking {
    const struct account_setup *setup;
    const char *token;
    struct fibre *fibre;
    struct api *api;
    account_line_fn *line;
    void *user;
    bool good, signs; // signs: the account has signed the device
    char own[CHAT_ID_SIZE];
};

static json_t *get(const struct checking *checking, const char *path, int *status)
{
    struct mb_error err = {0};
    const struct api_call call = {.method = "GET", .path = path};
    return asking_await(checking->fibre, checking->api, &call, status, &err);
}

// The body is taken.
static json_t *post(const struct checking *checking, const char *path, json_t *body, int *status)
{
    struct mb_error err = {0};
    const struct api_call call = {.method = "POST", .path = path, .body = body};
    return asking_await(checking->fibre, checking->api, &call, status, &err);
}

static void tell_line(struct checking *checking, bool problem, const char *line)
{
    checking->good = checking->good && !problem;
    checking->line(checking->user, problem, line);
}

// `nobody`: it needs no token.
static bool check_server(struct checking *checking, struct api *nobody)
{
    static const struct api_call CALL = {.method = "GET", .path = "/_matrix/client/versions"};
    struct mb_error err = {0};
    int status = 0;
    char line[LINE_SIZE];
    json_t *const json = asking_await(checking->fibre, nobody, &CALL, &status, &err);
    const json_t *const odd = json_object_get(json, "unstable_features");
    const bool answers = json_is_array(json_object_get(json, "versions"));
    if (!answers) {
        (void)snprintf(
            line, sizeof line, "%s does not answer as a homeserver (%s): check \"homeserver\"",
            checking->setup->homeserver, status == 0 ? err.text : "no versions in its answer");
        tell_line(checking, true, line);
    } else if (checking->setup->crypto_path == NULL &&
               json_is_true(json_object_get(odd, "io.element.e2ee_forced.private"))) {
        tell_line(
            checking, true,
            "this homeserver encrypts every private room, so the bot cannot show hands without "
            "crypto_path: set it, or ask its operator to change "
            "encryption_enabled_by_default_for_room_type");
    }
    json_decref(json);
    return answers;
}

/* The keys of the bot's device, as others get them. Reference: Matrix, section 15. */

enum { NAME_SIZE = CHAT_ID_SIZE + 16 };

bool asking_key(const char *text, unsigned char *out, size_t size)
{
    size_t length = 0;
    return text != NULL &&
           sodium_base642bin(out, size, text, strlen(text), NULL, &length, NULL,
                             sodium_base64_VARIANT_ORIGINAL_NO_PADDING) == 0 &&
           length == size;
}

// Whether a key has signed an object, of `user`.
static bool has_signed(json_t *object, const char *user, const char *name, const char *key)
{
    unsigned char public_key[crypto_sign_PUBLICKEYBYTES];
    unsigned char signature[crypto_sign_BYTES];
    const json_t *const by = json_object_get(json_object_get(object, "signatures"), user);
    if (!asking_key(key, public_key, sizeof public_key) ||
        !asking_key(json_string_value(json_object_get(by, name)), signature, sizeof signature)) {
        return false;
    }
    json_t *const said = json_copy(object);
    (void)json_object_del(said, "signatures");
    (void)json_object_del(said, "unsigned");
    char *const text = json_dumps(said, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(said);
    const bool good =
        text != NULL && crypto_sign_verify_detached(signature, (const unsigned char *)text,
                                                    strlen(text), public_key) == 0;
    free(text);
    return good;
}

// Whether the key of an identity that signs devices is its master key's, and has signed the device.
static bool is_signed(const json_t *answer, const char *user, json_t *device)
{
    json_t *const master = json_object_get(json_object_get(answer, "master_keys"), user);
    json_t *const signs = json_object_get(json_object_get(answer, "self_signing_keys"), user);
    json_t *const parts[] = {master, signs, device};
    bool good = true;
    for (size_t i = 0; good && i + 1 < sizeof parts / sizeof *parts; i++) {
        void *const key = json_object_iter(json_object_get(parts[i], "keys"));
        good = key != NULL && has_signed(parts[i + 1], user, json_object_iter_key(key),
                                         json_string_value(json_object_iter_value(key)));
    }
    return good;
}

const char *asking_master(const json_t *answer, const char *user_id)
{
    const json_t *const master = json_object_get(json_object_get(answer, "master_keys"), user_id);
    void *const key = json_object_iter(json_object_get(master, "keys"));
    return key != NULL ? json_string_value(json_object_iter_value(key)) : NULL;
}

bool asking_tell_device(const json_t *answer, const char *user_id, const char *device_id,
                        account_line_fn *line, void *user)
{
    char name[NAME_SIZE];
    char fingerprint[SEAL_FINGERPRINT_SIZE];
    char text[LINE_SIZE];
    json_t *const device = json_object_get(
        json_object_get(json_object_get(answer, "device_keys"), user_id), device_id);
    (void)snprintf(name, sizeof name, "ed25519:%s", device_id);
    const char *const key =
        json_string_value(json_object_get(json_object_get(device, "keys"), name));
    if (key == NULL) {
        line(user, false,
             "the device has no keys at the homeserver: \"munchbot run\" uploads them");
        return false;
    }
    seal_write_fingerprint(key, fingerprint);
    (void)snprintf(text, sizeof text, "the device's fingerprint is %s", fingerprint);
    line(user, false, text);
    const bool good = is_signed(answer, user_id, device);
    line(user, false,
         good ? "the account has signed the device: it can read and write in encrypted rooms"
              : "the account has not signed the device: it cannot use encrypted rooms "
                "(\"munchbot matrix login\" makes one that can)");
    return good;
}

// An upload of nothing, which says how many there are.
static void tell_keys_left(struct checking *checking)
{
    int status = 0;
    char line[LINE_SIZE];
    json_t *const json = post(checking, "/_matrix/client/v3/keys/upload", NULL, &status);
    const json_t *const count =
        json_object_get(json_object_get(json, "one_time_key_counts"), "signed_curve25519");
    if (status == STATUS_OK) {
        (void)snprintf(line, sizeof line, "%lld one-time keys are left",
                       (long long)json_integer_value(count));
        tell_line(checking, false, line);
    }
    json_decref(json);
}

static void check_keys(struct checking *checking, const char *user, const char *device)
{
    int status = 0;
    if (checking->setup->crypto_path == NULL) {
        return;
    }
    if (device == NULL) {
        tell_line(checking, true,
                  "the token names no device, so the bot cannot have keys: use the "
                  "token of a device, or remove crypto_path");
        return;
    }
    json_t *const answer = post(checking, "/_matrix/client/v3/keys/query",
                                json_pack("{s:{s:[]}}", "device_keys", user), &status);
    if (status == STATUS_OK) {
        (void)snprintf(checking->own, sizeof checking->own, "%s", user);
        checking->signs = asking_tell_device(answer, user, device, checking->line, checking->user);
        tell_keys_left(checking);
    } else {
        tell_line(checking, true, "the homeserver did not answer for the keys of the device");
    }
    json_decref(answer);
}

// How often the account may speak. Only administrators may ask.
static void check_limits(struct checking *checking, const char *user)
{
    char path[API_PATH_SIZE];
    char line[LINE_SIZE];
    int status = 0;
    json_t *const json = api_path(path, "/_synapse/admin/v1/users/", user, "/override_ratelimit")
                             ? get(checking, path, &status)
                             : NULL;
    const json_t *const each = json_object_get(json, "messages_per_second");
    if (status == STATUS_OK && json_is_number(each) && json_number_value(each) <= 0) {
        tell_line(checking, false, "the homeserver does not limit how often the bot speaks");
    } else {
        (void)snprintf(line, sizeof line,
                       "the homeserver does not tell how often the bot may speak (Synapse: one "
                       "message in five "
                       "seconds, ten at once). Its administrator can exempt the bot: POST "
                       "/_synapse/admin/v1/users/%s/override_ratelimit with "
                       "{\"messages_per_second\": 0, \"burst_count\": 0}",
                       user);
        tell_line(checking, false, line);
    }
    json_decref(json);
}

static void check_identity(struct checking *checking, const json_t *json)
{
    const struct account_setup *const setup = checking->setup;
    const char *const user = wire_id(json, "user_id");
    const char *const device = wire_id(json, "device_id");
    char line[LINE_SIZE + 2 * CHAT_ID_SIZE];
    if (setup->user_id != NULL && strcmp(setup->user_id, user) != 0) {
        (void)snprintf(line, sizeof line, "the token belongs to %s, but user_id is %s: correct one",
                       user, setup->user_id);
        tell_line(checking, true, line);
    } else if (setup->device_id != NULL &&
               (device == NULL || strcmp(setup->device_id, device) != 0)) {
        (void)snprintf(line, sizeof line,
                       "the token belongs to device %s, but device_id is %s: correct one",
                       device != NULL ? device : "(none)", setup->device_id);
        tell_line(checking, true, line);
    } else {
        (void)snprintf(line, sizeof line, "the bot is %s, device %s", user,
                       device != NULL ? device : "(none)");
        tell_line(checking, false, line);
        check_limits(checking, user);
        check_keys(checking, user, device);
    }
}

static void check_token(struct checking *checking)
{
    int status = 0;
    char line[LINE_SIZE];
    json_t *const json = get(checking, "/_matrix/client/v3/account/whoami", &status);
    if (status == STATUS_OK && wire_id(json, "user_id") != NULL) {
        check_identity(checking, json);
    } else if (status == STATUS_UNAUTHORIZED) {
        tell_line(checking, true,
                  "the homeserver rejected the token: \"munchbot matrix login\" creates a new one");
    } else {
        (void)snprintf(line, sizeof line, "the homeserver did not say whose token this is (%d)",
                       status);
        tell_line(checking, true, line);
    }
    json_decref(json);
}

/* Whom nobody reaches: what is said in an encrypted room goes to devices that read, and these have
 * none. */

enum { TOLD_MAX = 20, TOGETHER = 100 };

// Adds who is in a room, if what the bot says there is sealed, or would be.
static bool add_people(const struct checking *checking, const char *room, json_t *people)
{
    char path[API_PATH_SIZE];
    enum api_sealed sealed = API_SEALED;
    int status = 0;
    if ((!checking->setup->always &&
         !api_sealed_await(checking->fibre, checking->api, room, &sealed)) ||
        sealed != API_SEALED ||
        !api_path(path, "/_matrix/client/v3/rooms/", room, "/joined_members")) {
        return sealed != API_SEALED_UNSAID;
    }
    json_t *const answer = get(checking, path, &status);
    json_t *const joined = json_object_get(answer, "joined");
    for (void *at = json_object_iter(joined); at != NULL; at = json_object_iter_next(joined, at)) {
        if (strcmp(json_object_iter_key(at), checking->own) != 0 &&
            strlen(json_object_iter_key(at)) < CHAT_ID_SIZE) {
            (void)json_object_set_new(people, json_object_iter_key(at), json_array());
        }
    }
    json_decref(answer);
    return status == STATUS_OK;
}

static bool has_reader(const struct checking *checking, const json_t *answer, const char *person)
{
    json_t *const devices = json_object_get(json_object_get(answer, "device_keys"), person);
    bool has = false;
    for (void *at = json_object_iter(devices); at != NULL && !has;
         at = json_object_iter_next(devices, at)) {
        json_t *const device = json_object_iter_value(at);
        has = !json_is_true(json_object_get(device, "dehydrated")) &&
              (checking->setup->all_devices || is_signed(answer, person, device));
    }
    return has;
}

// Of these: `people` is taken. False: the homeserver has not said it of all.
static bool tell_unreached(struct checking *checking, json_t *people, size_t *count)
{
    int status = 0;
    char line[LINE_SIZE + CHAT_ID_SIZE];
    json_t *const answer = post(checking, "/_matrix/client/v3/keys/query",
                                json_pack("{s:O}", "device_keys", people), &status);
    const json_t *const told = json_object_get(answer, "device_keys");
    bool good = status == STATUS_OK;
    for (void *at = json_object_iter(people); at != NULL && status == STATUS_OK;
         at = json_object_iter_next(people, at)) {
        const char *const person = json_object_iter_key(at);
        good = good && json_object_get(told, person) != NULL; // else their homeserver is away
        if (json_object_get(told, person) != NULL && !has_reader(checking, answer, person) &&
            ++*count <= TOLD_MAX) {
            (void)snprintf(line, sizeof line,
                           "nobody reaches %s in encrypted rooms: they have no %s", person,
                           checking->setup->all_devices ? "device with keys" : "verified device");
            tell_line(checking, false, line);
        }
    }
    json_decref(answer);
    json_decref(people);
    return good;
}

static void check_people(struct checking *checking, const json_t *rooms)
{
    char line[LINE_SIZE];
    json_t *const people = json_object();
    json_t *some = json_object();
    size_t count = 0;
    bool all = true;
    for (size_t i = 0; i < json_array_size(rooms); i++) {
        const char *const room = json_string_value(json_array_get(rooms, i));
        all = room != NULL && add_people(checking, room, people) && all;
    }
    for (void *at = json_object_iter(people); at != NULL; at = json_object_iter_next(people, at)) {
        (void)json_object_set(some, json_object_iter_key(at), json_object_iter_value(at));
        if (json_object_size(some) == TOGETHER) {
            all = tell_unreached(checking, some, &count) && all;
            some = json_object();
        }
    }
    all = tell_unreached(checking, some, &count) && all;
    if (count > TOLD_MAX) {
        (void)snprintf(line, sizeof line, "nor does anybody reach %zu more", count - TOLD_MAX);
        tell_line(checking, false, line);
    }
    if (!all) {
        tell_line(checking, false, "the homeserver did not tell of everybody's devices");
    } else if (count == 0) {
        tell_line(checking, false, "everybody in encrypted rooms with the bot can read it");
    }
    json_decref(people);
}

static void check_rooms(struct checking *checking)
{
    int status = 0;
    char line[LINE_SIZE];
    json_t *const json = get(checking, "/_matrix/client/v3/joined_rooms", &status);
    const json_t *const rooms = json_object_get(json, "joined_rooms");
    if (status == STATUS_OK) {
        (void)snprintf(line, sizeof line, "the bot is in %zu rooms", json_array_size(rooms));
        tell_line(checking, false, line);
        if (checking->signs) {
            check_people(checking, rooms);
        }
    }
    json_decref(json);
}

static void check(struct fibre *fibre, struct asking *asking, void *user)
{
    struct checking *const checking = user;
    checking->fibre = fibre;
    checking->api = asking_as(asking, checking->token);
    if (check_server(checking, asking_as(asking, NULL))) {
        check_token(checking);
    }
    if (checking->good) {
        check_rooms(checking);
    }
}

bool account_check(const struct account_setup *setup, const char *token, account_line_fn *line,
                   void *user)
{
    struct mb_error err = {0};
    struct checking checking = {
        .setup = setup, .token = token, .line = line, .user = user, .good = true};
    if (!asking_run(setup, check, &checking, &err)) {
        tell_line(&checking, true, err.text);
    }
    return checking.good;
}
