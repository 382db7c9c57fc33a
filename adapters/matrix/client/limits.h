/*
 * When the account may do again what a homeserver counts apart from messages: enter rooms, make
 * them, invite people.
 *
 * Whoever does such a thing takes a turn here, so that what one of them has been refused holds for
 * all. While the server says nothing turns are at once; behind "too many" the whole kind rests, and
 * then its turns are as far apart as the server wanted (rooms are entered once in half a minute at
 * most), until it has been calm for a while. An answer that nobody has looked at is no reason to
 * give up, however often it comes. Reference: Matrix, section 12.
 */
#ifndef ADAPTERS_MATRIX_CLIENT_LIMITS_H
#define ADAPTERS_MATRIX_CLIENT_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "adapters/matrix/client/api.h"

enum limits_of { LIMITS_JOIN, LIMITS_ROOM, LIMITS_INVITE, LIMITS_COUNT };

struct limits_kind {
    int64_t next_ms;    // when the next turn can be
    int64_t apart_ms;   // two turns; 0: nothing is known
    int64_t refused_ms; // when the server said "too many", the latest time
    unsigned round;     // turns of an earlier one count no more
    unsigned tries;     // in a row that nobody has looked at
};

/** All zero in the beginning; its members are limits.c's. */
struct limits {
    struct limits_kind kinds[LIMITS_COUNT];
};

/** Somebody's turn; all zero: they have none yet. */
struct limits_turn {
    bool taken;
    unsigned round;
    int64_t at_ms;
};

/** In how many ms it is their turn, which they have from then on; 0: now. Behind the wait they ask
 * again: it may have become later. */
int64_t limits_wait_ms(struct limits *limits, enum limits_of of, struct limits_turn *turn,
                       int64_t now_ms);
/** The answer to what they did with their turn, which is over: true if nobody has looked at it, and
 * they take another. */
bool limits_again(struct limits *limits, enum limits_of of, struct limits_turn *turn,
                  const struct api_answer *answer, int64_t now_ms);
/** Makes a call when it is its turn, as often as it takes until somebody has looked at it; as
 * api_await(). */
MB_MUST_CHECK
bool limits_await(struct fibre *fibre, struct limits *limits, enum limits_of of, struct api *api,
                  const struct api_call *call, struct api_answer *out);

#endif
