#include "adapters/matrix/client/account.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#include <sodium.h>

#include "adapters/matrix/client/wire.h"
#include "adapters/net/http.h"

enum { URL_SIZE = 1024, HEADER_SIZE = 640, TIMEOUT_MS = 30000, LINE_SIZE = 512 };
enum { STATUS_OK = 200, STATUS_UNAUTHORIZED = 401, STATUS_FORBIDDEN = 403, STATUS_TOO_MANY = 429 };

/* One call. */
struct asking {
    const struct account_setup *setup;
    const char *token; // or NULL
};

static json_t *ask_homeserver(const struct asking *asking, const char *method, const char *path,
                              const char *body, int *status, struct mb_error *err)
{
    char url[URL_SIZE];
    char authorization[HEADER_SIZE];
    struct http_once answer;
    json_error_t where;
    (void)snprintf(url, sizeof url, "%s%s", asking->setup->homeserver, path);
    (void)snprintf(authorization, sizeof authorization, "Authorization: Bearer %s",
                   asking->token != NULL ? asking->token : "");
    struct http_request request = {.method = method,
                                   .url = url,
                                   .body = body,
                                   .body_size = body != NULL ? strlen(body) : 0,
                                   .timeout_ms = TIMEOUT_MS};
    size_t headers = 0;
    if (asking->token != NULL) {
        request.headers[headers++] = authorization;
    }
    if (body != NULL) {
        request.headers[headers++] = "Content-Type: application/json";
    }
    *status = 0;
    if (!http_once(&request, asking->setup->user_agent, asking->setup->ca_file, &answer, err)) {
        return NULL;
    }
    *status = answer.status;
    json_t *const json = json_loadb(answer.body, answer.body_size, 0, &where);
    free(answer.body);
    return json;
}

/* Logging in. */

static char *login_body(const struct account_setup *setup, const char *password)
{
    json_t *const body = json_pack("{s:s, s:{s:s, s:s}, s:s, s:s}", "type", "m.login.password",
                                   "identifier", "type", "m.id.user", "user", setup->user_id,
                                   "password", password, "initial_device_display_name", "munchbot");
    if (setup->device_id != NULL) {
        (void)json_object_set_new(body, "device_id", json_string(setup->device_id));
    }
    char *const text = json_dumps(body, JSON_COMPACT);
    json_decref(body);
    return text;
}

static bool read_login(const json_t *json, int status, struct account *out, struct mb_error *err)
{
    const char *const user = wire_id(json, "user_id");
    const char *const device = wire_id(json, "device_id");
    const char *const token = wire_word(json, "access_token");
    const char *const why = wire_word(json, "error");
    if (status == STATUS_FORBIDDEN) {
        return mb_fail(err, MB_ERR_INPUT, "the homeserver rejected user_id or password");
    }
    if (status == STATUS_TOO_MANY) {
        return mb_fail(err, MB_ERR_RETRY, "the homeserver limits logins: wait some minutes");
    }
    if (status != STATUS_OK || user == NULL || device == NULL || token == NULL ||
        strlen(token) >= sizeof out->token) {
        return mb_fail(err, MB_ERR_INPUT,
                       "the homeserver does not allow login by password (%d%s%.200s)", status,
                       why != NULL ? ": " : "", why != NULL ? why : "");
    }
    (void)snprintf(out->user_id, sizeof out->user_id, "%s", user);
    (void)snprintf(out->device_id, sizeof out->device_id, "%s", device);
    (void)snprintf(out->token, sizeof out->token, "%s", token);
    return true;
}

bool account_login(const struct account_setup *setup, const char *password, struct account *out,
                   struct mb_error *err)
{
    const struct asking asking = {.setup = setup};
    int status = 0;
    char *const body = login_body(setup, password);
    json_t *const json = body != NULL ? ask_homeserver(&asking, "POST", "/_matrix/client/v3/login",
                                                       body, &status, err)
                                      : NULL;
    if (body != NULL) {
        memset(body, 0, strlen(body));
    }
    free(body);
    const bool good = status != 0 && read_login(json, status, out, err);
    json_decref(json);
    return good;
}

/* Checking. */

struct checking {
    struct asking asking;
    account_line_fn *line;
    void *user;
    bool good;
};

static void tell_line(struct checking *checking, bool problem, const char *line)
{
    checking->good = checking->good && !problem;
    checking->line(checking->user, problem, line);
}

static bool check_server(struct checking *checking)
{
    struct mb_error err = {0};
    int status = 0;
    char line[LINE_SIZE];
    const struct asking nobody = {.setup = checking->asking.setup}; // it needs no token
    json_t *const json =
        ask_homeserver(&nobody, "GET", "/_matrix/client/versions", NULL, &status, &err);
    const json_t *const odd = json_object_get(json, "unstable_features");
    const bool answers = json_is_array(json_object_get(json, "versions"));
    if (!answers) {
        (void)snprintf(line, sizeof line,
                       "%s does not answer as a homeserver (%s): check \"homeserver\"",
                       checking->asking.setup->homeserver,
                       status == 0 ? err.text : "no versions in its answer");
        tell_line(checking, true, line);
    } else if (checking->asking.setup->crypto_path == NULL &&
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

enum { NAME_SIZE = CHAT_ID_SIZE + 16, FINGERPRINT_SIZE = 64, GROUP = 4 };

// In groups of four, as clients show it.
static void write_fingerprint(const char *key, char out[FINGERPRINT_SIZE])
{
    size_t length = 0;
    for (size_t i = 0; key[i] != '\0' && length + 2 < FINGERPRINT_SIZE; i++) {
        if (i > 0 && i % GROUP == 0) {
            out[length++] = ' ';
        }
        out[length++] = key[i];
    }
    out[length] = '\0';
}

static bool read_key(const char *text, unsigned char *out, size_t size)
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
    if (!read_key(key, public_key, sizeof public_key) ||
        !read_key(json_string_value(json_object_get(by, name)), signature, sizeof signature)) {
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

static void tell_device(struct checking *checking, const json_t *answer, const char *user,
                        const char *id)
{
    char name[NAME_SIZE];
    char fingerprint[FINGERPRINT_SIZE];
    char line[LINE_SIZE];
    json_t *const device =
        json_object_get(json_object_get(json_object_get(answer, "device_keys"), user), id);
    (void)snprintf(name, sizeof name, "ed25519:%s", id);
    const char *const key =
        json_string_value(json_object_get(json_object_get(device, "keys"), name));
    if (key == NULL) {
        tell_line(checking, false,
                  "the device has no keys at the homeserver: \"munchbot run\" uploads them");
        return;
    }
    write_fingerprint(key, fingerprint);
    (void)snprintf(line, sizeof line, "the device's fingerprint is %s", fingerprint);
    tell_line(checking, false, line);
    tell_line(checking, false,
              is_signed(answer, user, device)
                  ? "the account has signed the device: it can read and write in encrypted rooms"
                  : "the account has not signed the device: it cannot use encrypted rooms");
}

// An upload of nothing, which says how many there are.
static void tell_keys_left(struct checking *checking)
{
    struct mb_error err = {0};
    int status = 0;
    char line[LINE_SIZE];
    json_t *const json = ask_homeserver(&checking->asking, "POST", "/_matrix/client/v3/keys/upload",
                                        "{}", &status, &err);
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
    struct mb_error err = {0};
    int status = 0;
    if (checking->asking.setup->crypto_path == NULL) {
        return;
    }
    if (device == NULL) {
        tell_line(checking, true,
                  "the token names no device, so the bot cannot have keys: use the "
                  "token of a device, or remove crypto_path");
        return;
    }
    json_t *const ask = json_pack("{s:{s:[]}}", "device_keys", user);
    char *const body = ask != NULL ? json_dumps(ask, JSON_COMPACT) : NULL;
    json_decref(ask);
    json_t *const answer = ask_homeserver(&checking->asking, "POST",
                                          "/_matrix/client/v3/keys/query", body, &status, &err);
    free(body);
    if (status == STATUS_OK) {
        tell_device(checking, answer, user, device);
        tell_keys_left(checking);
    } else {
        tell_line(checking, true, "the homeserver did not answer for the keys of the device");
    }
    json_decref(answer);
}

static void check_identity(struct checking *checking, const json_t *json)
{
    const struct account_setup *const setup = checking->asking.setup;
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
        check_keys(checking, user, device);
    }
}

static void check_token(struct checking *checking)
{
    struct mb_error err = {0};
    int status = 0;
    char line[LINE_SIZE];
    json_t *const json = ask_homeserver(&checking->asking, "GET",
                                        "/_matrix/client/v3/account/whoami", NULL, &status, &err);
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

static void check_rooms(struct checking *checking)
{
    struct mb_error err = {0};
    int status = 0;
    char line[LINE_SIZE];
    json_t *const json = ask_homeserver(&checking->asking, "GET", "/_matrix/client/v3/joined_rooms",
                                        NULL, &status, &err);
    if (status == STATUS_OK) {
        (void)snprintf(line, sizeof line, "the bot is in %zu rooms",
                       json_array_size(json_object_get(json, "joined_rooms")));
        tell_line(checking, false, line);
    }
    json_decref(json);
}

bool account_check(const struct account_setup *setup, const char *token, account_line_fn *line,
                   void *user)
{
    struct checking checking = {
        .asking = {.setup = setup, .token = token}, .line = line, .user = user, .good = true};
    if (check_server(&checking)) {
        check_token(&checking);
    }
    if (checking.good) {
        check_rooms(&checking);
    }
    return checking.good;
}
