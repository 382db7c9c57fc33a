// What the files of listening share: poll.c listens, poll_begin.c finds out first who the bot is
// and what rooms it is in.
#ifndef ADAPTERS_MATRIX_POLL_IMPL_H
#define ADAPTERS_MATRIX_POLL_IMPL_H

#include "bot/chat_impl.h"

#include "adapters/matrix/cuts.h"
#include "adapters/matrix/gap.h"
#include "adapters/matrix/poll.h"
#include "adapters/matrix/ration.h"
#include "adapters/matrix/seal.h"
#include "adapters/matrix/stream.h"

enum poll_step { STEP_WHOAMI, STEP_PROFILE, STEP_HOLD, STEP_SINCE, STEP_JOINED, STEP_SYNC };

struct poll {
    struct poll_setup setup;
    struct stream *stream;
    struct gap *gap;
    struct ration ration;
    struct cuts cuts;
    bool alone;     // what is asked for and told is the first of these, and no sync of all
    json_t *joined; // the list of rooms that the next sync is held against, or NULL
    char bot[CHAT_ID_SIZE];
    char next[STREAM_TOKEN_SIZE]; // of the sync that is being told
    struct sync_walk walk;
    uv_idle_t idle; // while it is
    enum poll_step step;
    unsigned tries;
    uv_timer_t timer;   // until the next try
    uv_timer_t silence; // until nothing has been heard for too long
    uv_timer_t renew;
    bool stopped;
    bool walked;   // a sync is told, and not in the queue yet
    bool all_told; // of all rooms
    bool lost;     // another process listens: whatever comes is not ours
};

/* What is done at the step that it has come to. */
void poll_step(struct poll *poll);
/* The same once more, later. */
void poll_step_again(struct poll *poll, const struct api_answer *answer);
/* The question itself could not be put: once more, later. */
void poll_not_asked(struct poll *poll);
/* Whether the session is gone, which the operator is told; no one gets it back by asking again. */
bool poll_is_over(const struct poll *poll, const struct api_answer *answer);
/* Another process listens: waits until it is this one's again. */
void poll_begin_anew(struct poll *poll);

/* The steps before the first sync (poll_begin.c). */
void poll_ask_who(struct poll *poll);
void poll_ask_name(struct poll *poll);
void poll_ask_since(struct poll *poll);
void poll_ask_joined(struct poll *poll);

#endif
