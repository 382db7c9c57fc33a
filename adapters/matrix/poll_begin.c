#include <stdio.h>
#include <string.h>

#include "adapters/matrix/poll_impl.h"

/* The homeserver's list of the rooms that the bot is in, before it is told of them all. */

// A server that has no such list is as good: then nothing is held against it.
static void told_joined(void *user, const struct api_answer *answer)
{
    struct poll *const poll = user;
    json_t *const list = json_object_get(answer->body, "joined_rooms");
    if (poll->stopped || poll_is_over(poll, answer)) {
        return;
    }
    if (poll->lost) {
        poll_begin_anew(poll);
    } else if (api_is_later(answer)) {
        poll_step_again(poll, answer);
    } else {
        json_decref(poll->joined);
        poll->joined = api_good(answer) && json_is_array(list) ? json_incref(list) : NULL;
        poll->step = STEP_SYNC;
        poll_step(poll);
    }
}

void poll_ask_joined(struct poll *poll)
{
    const struct api_call call = {.method = "GET", .path = "/_matrix/client/v3/joined_rooms"};
    if (api_call(poll->setup.api, &call, told_joined, poll) == 0) {
        poll_not_asked(poll);
    }
}

/* Who it is. */

static void told_since(void *user)
{
    struct poll *const poll = user;
    poll->step = STEP_JOINED;
    if (poll->lost) {
        poll_begin_anew(poll);
    } else if (!poll->stopped) {
        poll_step(poll);
    }
}

void poll_ask_since(struct poll *poll)
{
    if (!stream_read(poll->stream, told_since, poll)) {
        poll_not_asked(poll);
    }
}

static void told_name(void *user, const struct api_answer *answer)
{
    struct poll *const poll = user;
    const char *const name = wire_word(answer->body, "displayname");
    struct mb_error err = {0};
    if (poll->stopped) {
        return;
    }
    if (!poll->setup.begin(poll->setup.user, poll->bot, name != NULL ? name : "")) {
        (void)mb_fail(&err, MB_ERR_INPUT, "out of memory");
        poll->setup.fatal(poll->setup.log_user, &err);
        return;
    }
    poll->step = STEP_HOLD;
    poll_step(poll);
}

void poll_ask_name(struct poll *poll)
{
    char path[API_PATH_SIZE];
    const struct api_call call = {.method = "GET", .path = path};
    if (!api_path(path, "/_matrix/client/v3/profile/", poll->bot, "") ||
        api_call(poll->setup.api, &call, told_name, poll) == 0) {
        poll_not_asked(poll);
    }
}

static bool is_other(const char *wanted, const char *is)
{
    return wanted != NULL && (is == NULL || strcmp(wanted, is) != 0);
}

static void told_who(void *user, const struct api_answer *answer)
{
    struct poll *const poll = user;
    const char *const id = wire_id(answer->body, "user_id");
    struct mb_error err = {0};
    if (poll->stopped || poll_is_over(poll, answer)) {
        return;
    }
    if (!api_good(answer) || id == NULL) {
        poll_step_again(poll, answer);
        return;
    }
    if (is_other(poll->setup.user_id, id) ||
        is_other(poll->setup.device_id, wire_word(answer->body, "device_id"))) {
        (void)mb_fail(&err, MB_ERR_INPUT,
                      "the token belongs to another account or device than configured: correct "
                      "user_id and device_id, or log in again");
        poll->setup.fatal(poll->setup.log_user, &err);
        return;
    }
    (void)snprintf(poll->bot, sizeof poll->bot, "%s", id);
    poll->tries = 0;
    poll->step = STEP_PROFILE;
    poll_step(poll);
}

void poll_ask_who(struct poll *poll)
{
    const struct api_call call = {.method = "GET", .path = "/_matrix/client/v3/account/whoami"};
    if (api_call(poll->setup.api, &call, told_who, poll) == 0) {
        poll_not_asked(poll);
    }
}
