/*
 * How much of what there is to tell a sync is asked for at once.
 *
 * Only the kinds of events that are read here, of the members only those who have said something,
 * and of a room's timeline a few events; without a token one, for then no message counts. A part of
 * the answer is read up to a bound, and so is all of it (wire.h). If something was left out, it is
 * asked for again with one event of each room's timeline, for the rest of that is fetched behind it
 * (poll.h); then up to a greater bound. What is too much then is a room's state, and left out for
 * good. Pure. Reference: Matrix, sections 4 and 5.
 */
#ifndef ADAPTERS_MATRIX_LISTEN_RATION_H
#define ADAPTERS_MATRIX_LISTEN_RATION_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "bot/chat.h"

#include "adapters/matrix/client/api.h"
#include "adapters/matrix/client/room.h"
#include "adapters/matrix/listen/poll.h"
#include "adapters/net/net_log.h"

/** All zero in the beginning, and again when an answer has come; its member is ration.c's. */
struct ration {
    unsigned cuts;
};

/** What a sync is asked for. */
struct ration_ask {
    const char *since; /**< the token, or "" */
    bool all;          /**< of all rooms and at once; else of news */
    int wait_ms;       /**< for news */
    const char *room;  /**< of this one alone, or NULL */
    bool sealed;       /**< of what is sealed, too */
};

/** Makes the call. The path is written to `path`. False: it does not fit. */
MB_MUST_CHECK
bool ration_call(const struct ration *ration, const struct ration_ask *ask,
                 char path[API_PATH_SIZE], struct api_call *out);
/** Whether less cannot be asked for. */
bool ration_is_least(const struct ration *ration);
/** Something was left out of the answer, or it was not read: tells the operator so. In how many ms
 * to ask again, for less where that is to be had. */
int64_t ration_cut(struct ration *ration, net_log_fn *log, void *log_user);

/*
 * Rooms that were left out of a sync because all of it was too much.
 *
 * Each is asked for again by itself, from where that sync had begun, one behind each sync; so what
 * the rooms of others hold costs a room time and nothing else. What was said there meanwhile may be
 * told twice. Of more than CUTS_MAX the rest waits for the next process. Pure. Reference: Matrix,
 * section 5.
 */

enum { CUTS_MAX = 256, CUTS_TRIES = 4 };

struct cut {
    struct cut *next;
    unsigned tries;
    bool all; /**< the sync was to tell of all rooms */
    char room[CHAT_ID_SIZE], since[STREAM_TOKEN_SIZE];
};

/** All zero in the beginning; its members are ration.c's but for the first. */
struct cuts {
    struct cut *first; /**< whose turn it is, or NULL */
    unsigned count;
};

/** Notes the rooms that an answer lacks (wire.h): to be asked for from that token. */
void cuts_note(struct cuts *cuts, const json_t *answer, const char *since, bool all);
/** The first is told, or comes again after the others: CUTS_TRIES times. */
void cuts_told(struct cuts *cuts);
void cuts_again(struct cuts *cuts);
void cuts_clear(struct cuts *cuts);

/*
 * Which rooms the bot is in by its homeserver's own list, held against those that it knows.
 *
 * Where syncs began anew, without a token or behind another process, no sync tells that the bot has
 * gone from a room meanwhile. The list is asked for before the sync that tells of all rooms: what
 * neither has is gone. A room that either has is never given up. Pure. Reference: Matrix,
 * section 7.
 */

/** The ids of all rooms that are known and that the bot is not in any more, an array. `joined`: the
 * list, an array; `sync`: the answer that tells of all rooms. */
json_t *census_gone(const struct rooms *rooms, const json_t *joined, const json_t *sync);
/** How many rooms of the list are not known, and that answer does not tell of. */
size_t census_untold(const struct rooms *rooms, const json_t *joined, const json_t *sync);

#endif
