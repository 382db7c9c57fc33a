#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#include <sodium.h>

#include "core/codec/memory.h"

#include "adapters/matrix/account/account.h"
#include "adapters/matrix/account/asking.h"
#include "adapters/matrix/client/wire.h"

enum { TEXT_SIZE = 512, SEED_SIZE = 64, SEEDS = 3, WORDS = 1 + SEEDS };

static const char QUERY[] = "/_matrix/client/v3/keys/query";
static const char *const SEED_NAMES[SEEDS] = {"master", "self_signing", "user_signing"};

/* A login that is under way. */
struct login {
    const struct account_setup *setup;
    const struct account_login *how;
    struct account *account;
    struct mb_error *err;
    struct asking *asking;
    struct api *api; // of the account's session
    bool proven;     // the password has been told
    bool begun;      // the device has a store, and had none
    bool good;
};

/* The recovery file: a line for each identity that the account has had, with the account's id and
 * the seeds of the three keys. Only the newest is of use, but a login that is cut off between
 * keeping and uploading must not cost what was there before. */

struct seeds {
    char words[WORDS][CHAT_ID_SIZE];
};

static bool read_seeds(const char *line, size_t length, struct seeds *out)
{
    unsigned char seed[crypto_sign_SEEDBYTES];
    size_t count = 0;
    bool good = true;
    for (const char *at = line; good && at < line + length; count++) {
        const char *const blank = memchr(at, ' ', (size_t)(line + length - at));
        const size_t size = (size_t)((blank != NULL ? blank : line + length) - at);
        good = count < WORDS && size < CHAT_ID_SIZE;
        if (good) {
            memcpy(out->words[count], at, size);
            out->words[count][size] = '\0';
            good = count == 0 || asking_key(out->words[count], seed, sizeof seed);
        }
        at += size + 1;
    }
    sodium_memzero(seed, sizeof seed);
    return good && count == WORDS;
}

// Whether these are the seeds of the identity with that key.
static bool are_of(const struct seeds *seeds, const char *user_id, const char *master)
{
    unsigned char seed[crypto_sign_SEEDBYTES];
    unsigned char secret[crypto_sign_SECRETKEYBYTES];
    unsigned char is[crypto_sign_PUBLICKEYBYTES];
    unsigned char wanted[crypto_sign_PUBLICKEYBYTES];
    const bool good =
        strcmp(seeds->words[0], user_id) == 0 && asking_key(seeds->words[1], seed, sizeof seed) &&
        asking_key(master, wanted, sizeof wanted) &&
        crypto_sign_seed_keypair(is, secret, seed) == 0 && memcmp(is, wanted, sizeof is) == 0;
    sodium_memzero(seed, sizeof seed);
    sodium_memzero(secret, sizeof secret);
    return good;
}

// Looks for the identity with that key, or for none: NULL. `out`: taken, or NULL: it is not there.
// False: a line is none.
static bool find_seeds(const char *file, const char *user_id, const char *master, json_t **out,
                       struct mb_error *err)
{
    struct seeds seeds;
    unsigned number = 1;
    bool good = true;
    *out = NULL;
    for (const char *at = file; good && at != NULL && *at != '\0'; number++) {
        const size_t length = strcspn(at, "\n");
        good = read_seeds(at, length, &seeds) ||
               mb_fail(err, MB_ERR_INPUT,
                       "line %u of recovery_file is damaged: restore the file, or move it away",
                       number);
        if (good && *out == NULL && master != NULL && are_of(&seeds, user_id, master)) {
            *out = json_pack("{s:s, s:s, s:s}", SEED_NAMES[0], seeds.words[1], SEED_NAMES[1],
                             seeds.words[2], SEED_NAMES[2], seeds.words[3]);
        }
        at += length + (at[length] == '\n' ? 1 : 0);
    }
    sodium_memzero(&seeds, sizeof seeds);
    if (!good) {
        json_decref(*out);
        *out = NULL;
    }
    return good;
}

static bool keep_seeds(void *user, const json_t *seeds)
{
    const struct login *const login = user;
    const char *const before = login->how->recovery != NULL ? login->how->recovery : "";
    const size_t length = strlen(before);
    const size_t size = length + CHAT_ID_SIZE + (size_t)SEEDS * SEED_SIZE + 2;
    char *const text = mb_new(1, size);
    size_t at = (size_t)snprintf(text, size, "%s%s%s", before,
                                 length > 0 && before[length - 1] != '\n' ? "\n" : "",
                                 login->account->user_id);
    bool good = true;
    for (size_t i = 0; good && i < SEEDS; i++) {
        unsigned char seed[crypto_sign_SEEDBYTES];
        const char *const word = json_string_value(json_object_get(seeds, SEED_NAMES[i]));
        good = asking_key(word, seed, sizeof seed) ||
               mb_fail(login->err, MB_ERR_STATE, "munchbot-crypto has told no seeds");
        at += good ? (size_t)snprintf(text + at, size - at, " %s", word) : 0;
        sodium_memzero(seed, sizeof seed);
    }
    (void)snprintf(text + at, size - at, "\n");
    good = good && login->how->keep(login->how->user, text, login->err);
    sodium_memzero(text, size);
    free(text);
    return good;
}

/* Sessions. */

static json_t *post(struct fibre *fibre, const struct login *login, struct api *api,
                    const char *path, json_t *body, int *status)
{
    const struct api_call call = {.method = "POST", .path = path, .body = body};
    return asking_await(fibre, api, &call, status, login->err);
}

static void log_out(struct fibre *fibre, struct api *api)
{
    struct mb_error err = {0};
    const struct api_call call = {.method = "POST", .path = "/_matrix/client/v3/logout"};
    int status = 0;
    json_decref(asking_await(fibre, api, &call, &status, &err));
}

static bool read_login(const json_t *json, int status, struct account *out, struct mb_error *err)
{
    const char *const user = wire_id(json, "user_id");
    const char *const device = wire_id(json, "device_id");
    const char *const token = wire_word(json, "access_token");
    const char *const why = wire_word(json, "error");
    if (status == 0) {
        return false; // why is said
    }
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

// `device`: NULL: a new one.
static struct api *log_in_as(struct fibre *fibre, const struct login *login, const char *device,
                             struct account *out)
{
    const char *const password = login->how->password(login->how->user, login->err);
    int status = 0;
    if (password == NULL) {
        return NULL;
    }
    json_t *const body =
        json_pack("{s:s, s:{s:s, s:s}, s:s, s:s, s:s*}", "type", "m.login.password", "identifier",
                  "type", "m.id.user", "user", login->setup->user_id, "password", password,
                  "initial_device_display_name", "munchbot", "device_id", device);
    if (body == NULL) {
        (void)mb_fail(login->err, MB_ERR_INPUT, "the password is not UTF-8 text");
        return NULL;
    }
    json_t *const json = post(fibre, login, asking_as(login->asking, NULL),
                              "/_matrix/client/v3/login", body, &status);
    const bool good = read_login(json, status, out, login->err);
    json_decref(json);
    return good ? asking_as(login->asking, out->token) : NULL;
}

static bool had_keys(const struct login *login, const char *device)
{
    return mb_fail(login->err, MB_ERR_INPUT,
                   "device %.40s has had keys, and no device gets others: remove device_id, "
                   "or name a new one",
                   device);
}

// Logging in as a device that is there would end its session, so another one asks for it before.
static bool is_new(struct fibre *fibre, const struct login *login, const char *device)
{
    struct account other;
    int status = 0;
    struct api *const api = log_in_as(fibre, login, NULL, &other);
    if (api == NULL) {
        return false;
    }
    json_t *const answer =
        post(fibre, login, api, QUERY,
             json_pack("{s:{s:[s]}}", "device_keys", other.user_id, device), &status);
    const json_t *const keys = json_object_get(
        json_object_get(json_object_get(answer, "device_keys"), other.user_id), device);
    const bool good = status != STATUS_OK
                          ? mb_fail(login->err, MB_ERR_RETRY,
                                    "the homeserver did not answer for the keys of the device")
                          : keys == NULL || had_keys(login, device);
    json_decref(answer);
    log_out(fibre, api);
    sodium_memzero(&other, sizeof other);
    return good;
}

// The session of a token that is there.
static bool take_token(struct fibre *fibre, struct login *login)
{
    static const struct api_call CALL = {.method = "GET",
                                         .path = "/_matrix/client/v3/account/whoami"};
    struct account *const account = login->account;
    int status = 0;
    login->api = asking_as(login->asking, login->how->token);
    json_t *const json = asking_await(fibre, login->api, &CALL, &status, login->err);
    const char *const user = wire_id(json, "user_id");
    const char *const device = wire_id(json, "device_id");
    bool good = true;
    if (status != STATUS_OK || user == NULL) {
        good = mb_fail(login->err, MB_ERR_INPUT,
                       "the homeserver did not say whose token this is (%d)", status);
    } else if (strcmp(user, login->setup->user_id) != 0) {
        good = mb_fail(login->err, MB_ERR_INPUT, "the token is not user_id's: correct one");
    } else if (device == NULL ||
               (login->setup->device_id != NULL && strcmp(device, login->setup->device_id) != 0)) {
        good =
            mb_fail(login->err, MB_ERR_INPUT, "the token names %s, so the device cannot have keys",
                    device == NULL ? "no device" : "a device that is not device_id");
    } else {
        (void)snprintf(account->user_id, sizeof account->user_id, "%s", user);
        (void)snprintf(account->device_id, sizeof account->device_id, "%s", device);
        (void)snprintf(account->token, sizeof account->token, "%s", login->how->token);
    }
    json_decref(json);
    return good;
}

static bool open_session(struct fibre *fibre, struct login *login)
{
    const char *const device = login->setup->device_id;
    if (login->how->token != NULL) {
        return take_token(fibre, login);
    }
    if (device != NULL && login->setup->crypto_path != NULL && !is_new(fibre, login, device)) {
        return false;
    }
    login->api = log_in_as(fibre, login, device, login->account);
    return login->api != NULL;
}

/* Keys. */

static void give_up(struct fibre *fibre, void *user)
{
    const struct login *const login = user;
    if (api_sleep(fibre, login->api, 1)) { // whoever has told is not to be ended meanwhile
        seal_rest(login->asking->seal);
    }
}

static void cannot(struct login *login, const char *why)
{
    (void)mb_fail(login->err, MB_ERR_STATE, "%s", why);
    fibres_start(login->asking->fibres, give_up, login);
}

// Nobody waits for something to get better.
static void log_for(void *user, enum net_log_level level, const char *event, const char *text)
{
    (void)event;
    if (level >= NET_LOG_WARN) {
        cannot(user, text);
    }
}

static void fatal(void *user, const struct mb_error *why)
{
    cannot(user, why->text);
}

// By password, if the homeserver takes that.
static json_t *prove(void *user, const json_t *asked)
{
    struct login *const login = user;
    const char *const session = wire_word(asked, "session");
    const json_t *const flows = json_object_get(asked, "flows");
    bool takes = false;
    for (size_t i = 0; i < json_array_size(flows); i++) {
        const json_t *const stages = json_object_get(json_array_get(flows, i), "stages");
        const char *const stage = json_string_value(json_array_get(stages, 0));
        takes = takes || (json_array_size(stages) == 1 && stage != NULL &&
                          strcmp(stage, "m.login.password") == 0);
    }
    if (!takes || session == NULL || login->proven) {
        (void)mb_fail(login->err, MB_ERR_INPUT,
                      takes ? "the homeserver rejected the password"
                            : "the homeserver wants the new identity approved in a browser: do so "
                              "in the account's settings, then log in again");
        return NULL;
    }
    login->proven = true;
    const char *const password = login->how->password(login->how->user, login->err);
    return password == NULL
               ? NULL
               : json_pack("{s:s, s:{s:s, s:s}, s:s, s:s}", "type", "m.login.password",
                           "identifier", "type", "m.id.user", "user", login->account->user_id,
                           "password", password, "session", session);
}

static bool identify(struct fibre *fibre, struct login *login, json_t *seeds)
{
    const struct account *const account = login->account;
    const struct seal_identity identity = {
        .seeds = seeds, .keep = keep_seeds, .prove = prove, .user = login};
    json_t *known = NULL;
    const bool good =
        seal_identify_await(fibre, login->asking->seal, &identity, &known, login->err) &&
        known != NULL &&
        (asking_tell_device(known, account->user_id, account->device_id, login->how->line,
                            login->how->user) ||
         mb_fail(login->err, MB_ERR_STATE,
                 "the homeserver does not show that the account has signed the device"));
    json_decref(known);
    return good;
}

// By whom it is signed depends on what the homeserver knows.
static bool sign(struct fibre *fibre, struct login *login, const json_t *known)
{
    const char *const master = asking_master(known, login->account->user_id);
    json_t *seeds = NULL;
    if (!find_seeds(login->how->recovery, login->account->user_id, master, &seeds, login->err)) {
        return false;
    }
    if (login->how->replace) {
        json_decref(seeds);
        seeds = NULL;
    } else if (master != NULL && seeds == NULL) {
        return mb_fail(login->err, MB_ERR_INPUT,
                       "the account has an identity, which recovery_file does not hold: bring that "
                       "file, or make a new one with --replace");
    }
    const bool good = identify(fibre, login, seeds);
    if (good) {
        login->how->line(login->how->user, false,
                         seeds != NULL ? "the account's identity is the one in recovery_file"
                         : master != NULL
                             ? "the account has a new identity, kept in recovery_file: "
                               "people who have verified the bot have to do so again"
                             : "the account has an identity now, kept in recovery_file");
    }
    json_decref(seeds);
    return good;
}

static bool get_keys(struct fibre *fibre, struct login *login)
{
    const struct seal_setup setup = {.loop = &login->asking->loop,
                                     .api = login->api,
                                     .fibres = login->asking->fibres,
                                     .path = login->setup->crypto_path,
                                     .keys = "signed",
                                     .makes = SEAL_AUTO,
                                     .log = log_for,
                                     .fatal = fatal,
                                     .user = login};
    struct seal *const seal = seal_create(&setup);
    json_t *known = NULL;
    bool had = false;
    login->asking->seal = seal;
    if (!seal_has_keys(seal)) {
        login->how->line(login->how->user, false,
                         "munchbot-crypto is not beside munchbot, so the device has no keys: "
                         "install it, and log in again");
        return true;
    }
    seal_begin(seal, login->account->user_id, login->account->device_id, 0);
    bool good = seal_fresh_await(fibre, seal, &known, &had);
    login->begun = good && !had && seal_fingerprint(seal)[0] != '\0';
    if (good && had) {
        good = had_keys(login, login->account->device_id);
    } else if (good && known == NULL) {
        good = mb_fail(login->err, MB_ERR_RETRY,
                       "the homeserver did not answer for the keys of the device");
    }
    good = good && sign(fibre, login, known);
    json_decref(known);
    return good;
}

static void log_in(struct fibre *fibre, struct asking *asking, void *user)
{
    struct login *const login = user;
    login->asking = asking;
    login->good =
        open_session(fibre, login) && (login->setup->crypto_path == NULL || get_keys(fibre, login));
    if (!login->good && login->api != NULL && login->how->token == NULL) {
        log_out(fibre, login->api);
        (void)!(login->begun && seal_forget_await(fibre, asking->seal));
    }
}

bool account_login(const struct account_setup *setup, const struct account_login *how,
                   struct account *out, struct mb_error *err)
{
    struct login login = {.setup = setup, .how = how, .account = out, .err = err};
    json_t *none = NULL;
    return find_seeds(how->recovery, "", NULL, &none, err) &&
           asking_run(setup, log_in, &login, err) && login.good;
}
