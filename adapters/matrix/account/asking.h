/*
 * What a command asks the homeserver: a fibre on a loop of its own, for as long as that runs.
 */
#ifndef ADAPTERS_MATRIX_ACCOUNT_ASKING_H
#define ADAPTERS_MATRIX_ACCOUNT_ASKING_H

#include <jansson.h>
#include <uv.h>

#include "core/base/error.h"

#include "bot/fibre.h"

#include "adapters/matrix/account/account.h"
#include "adapters/matrix/client/api.h"
#include "adapters/matrix/say/seal.h"

enum { ASKING_SESSIONS_MAX = 4 };
enum { STATUS_OK = 200, STATUS_UNAUTHORIZED = 401, STATUS_FORBIDDEN = 403, STATUS_TOO_MANY = 429 };

struct asking;
typedef void asking_fn(struct fibre *fibre, struct asking *asking, void *user);

struct asking {
    const struct account_setup *setup;
    uv_loop_t loop;
    struct http *http;
    struct fibres *fibres;
    struct api *sessions[ASKING_SESSIONS_MAX];
    size_t session_count;
    struct seal *seal; /**< put here by who makes one, and destroyed with it; or NULL */
    asking_fn *run;
    void *user;
    bool over;
};

/** Until `run` has returned. False with an error: it cannot be begun. */
MB_MUST_CHECK
bool asking_run(const struct account_setup *setup, asking_fn *run, void *user,
                struct mb_error *err);
/** Calls with that token; NULL: with none. */
struct api *asking_as(struct asking *asking, const char *token);
/** The answer's body, taken, or NULL. `status` 0, with an error: there is no answer. */
json_t *asking_await(struct fibre *fibre, struct api *api, const struct api_call *call, int *status,
                     struct mb_error *err);

/** Tells what the homeserver shows others of a device's keys. `answer`: to a query for its account,
 * borrowed. Returns whether the account has signed the device. */
bool asking_tell_device(const json_t *answer, const char *user_id, const char *device_id,
                        account_line_fn *line, void *user);
/** Reads a key of `size` bytes as it is written in Matrix. */
MB_MUST_CHECK
bool asking_key(const char *text, unsigned char *out, size_t size);
/** The key of an account's identity, as such an answer tells it; NULL: it has none. Borrowed. */
const char *asking_master(const json_t *answer, const char *user_id);

#endif
