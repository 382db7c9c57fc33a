/*
 * Calls of Matrix's client-server API: one request, one answer, told once.
 *
 * The token goes with each and into no log. Nothing is retried and nothing paced here (outlet.h is
 * for that). An answer that is no JSON, as proxies give, is one without a body. Reference: Matrix,
 * sections 1, 12 and 13.
 */
#ifndef ADAPTERS_MATRIX_CLIENT_API_H
#define ADAPTERS_MATRIX_CLIENT_API_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>
#include <uv.h>

#include "bot/fibre.h"

#include "adapters/net/http.h"

enum { API_PATH_SIZE = 4096, API_URL_SIZE = 512 };

struct api_setup {
    uv_loop_t *loop;
    struct http *http;
    const char *homeserver; /**< "https://example.org": borrowed, as is the token */
    const char *token;      /**< or NULL */
};

struct api_call {
    const char *method;
    const char *path;   /**< behind the homeserver's URL, its parts escaped */
    json_t *body;       /**< taken; or NULL: {} where a body is needed */
    int64_t timeout_ms; /**< 0: as for what is answered at once */
    size_t body_max;    /**< as http_request's */
    size_t part_max;    /**< of a sync: longer parts of it are left out (wire.h); 0: all is read */
    bool once;          /**< as http_request's */
};

struct api_room_call {
    const char *method;
    const char *room, *what; /**< "/leave" */
    json_t *body;            /**< taken, or NULL */
    size_t body_max;         /**< as http_request's */
    bool once;               /**< the same */
};

struct api_answer {
    int status;          /**< 0: there is none */
    bool unknown;        /**< of status 0: what came of it nobody knows */
    bool too_long;       /**< of status 0: it is longer than `body_max` */
    unsigned cut;        /**< how many parts of it were left out */
    const char *errcode; /**< of an error: "M_FORBIDDEN"; or "" */
    const char *why;     /**< one line; or "" */
    int64_t retry_ms;    /**< how long the server wants to be left alone; 0: it does not say */
    json_t *body;        /**< or NULL. All borrowed */
};

typedef void api_done_fn(void *user, const struct api_answer *answer);

struct api;

struct api *api_create(const struct api_setup *setup);
/** NULL is fine. Only when no call is under way any more. */
void api_destroy(struct api *api);
/** The number of the call; 0: it cannot be made, and `done` is never called. Otherwise it is, once,
 * and not within this call; NULL: nobody wants to know. */
MB_MUST_CHECK
uint64_t api_call(struct api *api, const struct api_call *call, api_done_fn *done, void *user);
extern const char API_MEMBERS[]; /**< behind a room: who is there or invited */
/** Gives back a long answer that was kept (json_incref()): it is freed by another thread. */
void api_discard(struct api *api, json_t *body);
/** All that are under way are never answered. */
void api_close(struct api *api);

/** The same in a fibre; false: its owner stops. The answer is there until the next wait. A call
 * that cannot be made is answered as one that was never sent. */
MB_MUST_CHECK
bool api_await(struct fibre *fibre, struct api *api, const struct api_call *call,
               struct api_answer *out);
/** Of a room's own: "/_matrix/client/v3/rooms/ROOM/..." */
MB_MUST_CHECK
bool api_room_await(struct fibre *fibre, struct api *api, const struct api_room_call *call,
                    struct api_answer *out);
/** Whether a room is encrypted, as the homeserver says if it is asked again and again. */
enum api_sealed { API_SEALED_NOT, API_SEALED, API_SEALED_UNSAID };
MB_MUST_CHECK
bool api_sealed_await(struct fibre *fibre, struct api *api, const char *room, enum api_sealed *out);
/** The fibre rests so long. */
MB_MUST_CHECK
bool api_sleep(struct fibre *fibre, const struct api *api, int64_t ms);
/** The same, or until it is woken when `*enough` (or NULL) has become true. */
MB_MUST_CHECK
bool api_sleep_until(struct fibre *fibre, const struct api *api, int64_t ms, const bool *enough);
int64_t api_now_ms(const struct api *api);

static inline bool api_good(const struct api_answer *answer)
{
    return answer->status >= 200 && answer->status < 300;
}

/** Whether it says nothing of what was asked, so that asking again may help: the server is away or
 * busy, or does not know the session; if it is over for good, who listens says so (poll.h). An
 * answer that is too long would come again. */
bool api_is_later(const struct api_answer *answer);
/** Whether nobody has looked at what was asked: it was never sent, the server does not know the
 * session, or it is too much for it just now. However often that is answered, it is no reason to
 * give anything up. */
bool api_is_unseen(const struct api_answer *answer);

/** How long to wait before something is tried again that has failed `tries` times, the last one
 * with this answer: as the server says, or twice as long each time, up to a minute. */
int64_t api_wait_ms(const struct api_answer *answer, unsigned tries);

/** Writes a path of which `id` is a part, whatever stands in it; false: it does not fit, and there
 * is none. */
MB_MUST_CHECK
bool api_path(char out[API_PATH_SIZE], const char *before, const char *id, const char *behind);

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

enum limits_of { LIMITS_JOIN, LIMITS_ROOM, LIMITS_INVITE, LIMITS_COUNT };

struct limits_kind {
    int64_t next_ms;    // when the next turn can be
    int64_t apart_ms;   // two turns; 0: nothing is known
    int64_t refused_ms; // when the server said "too many", the latest time
    unsigned round;     // turns of an earlier one count no more
    unsigned tries;     // in a row that nobody has looked at
};

/** All zero in the beginning; its members are api.c's. */
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
