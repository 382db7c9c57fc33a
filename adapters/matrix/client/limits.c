#include "adapters/matrix/client/limits.h"

enum { STATUS_TOO_MANY = 429, APART_MAX_MS = 60000, CALM_TURNS = 10 };

// A homeserver counts what enters a room as a message, too: who waits for a table goes first.
static const int64_t APART_MIN_MS[LIMITS_COUNT] = {[LIMITS_JOIN] = 30000};

int64_t limits_wait_ms(struct limits *limits, enum limits_of of, struct limits_turn *turn,
                       int64_t now_ms)
{
    struct limits_kind *const kind = &limits->kinds[of];
    if (now_ms - kind->refused_ms >= CALM_TURNS * kind->apart_ms) {
        kind->apart_ms = 0;
    }
    if (!turn->taken || turn->round != kind->round) {
        turn->taken = true;
        turn->round = kind->round;
        turn->at_ms = now_ms > kind->next_ms ? now_ms : kind->next_ms;
        kind->next_ms = turn->at_ms + kind->apart_ms;
    }
    return turn->at_ms > now_ms ? turn->at_ms - now_ms : 0;
}

bool limits_again(struct limits *limits, enum limits_of of, struct limits_turn *turn,
                  const struct api_answer *answer, int64_t now_ms)
{
    struct limits_kind *const kind = &limits->kinds[of];
    turn->taken = false;
    if (!api_is_unseen(answer)) {
        kind->tries = 0;
        return false;
    }
    int64_t wait = api_wait_ms(answer, kind->tries++);
    if (answer->status == STATUS_TOO_MANY) {
        wait = wait > APART_MIN_MS[of] ? wait : APART_MIN_MS[of];
        kind->apart_ms = wait < APART_MAX_MS ? wait : (int64_t)APART_MAX_MS;
        kind->refused_ms = now_ms;
    }
    kind->next_ms = now_ms + wait;
    kind->round++;
    return true;
}

bool limits_await(struct fibre *fibre, struct limits *limits, enum limits_of of, struct api *api,
                  const struct api_call *call, struct api_answer *out)
{
    struct limits_turn turn = {.taken = false};
    bool goes_on = true;
    do {
        int64_t wait_ms = limits_wait_ms(limits, of, &turn, api_now_ms(api));
        while (goes_on && wait_ms > 0) {
            goes_on = api_sleep(fibre, api, wait_ms);
            wait_ms = limits_wait_ms(limits, of, &turn, api_now_ms(api));
        }
        json_incref(call->body); // each call takes one
        goes_on = goes_on && api_await(fibre, api, call, out);
    } while (goes_on && limits_again(limits, of, &turn, out, api_now_ms(api)));
    json_decref(call->body);
    return goes_on;
}
