/*
 * How much of what there is to tell a sync is asked for at once.
 *
 * Only the kinds of events that are read here, of the members only those who have said something,
 * and of a room's timeline a few events; without a token one, for then no message counts. A part of
 * the answer is read up to a bound, and so is all of it (sieve.h). If something was left out, it is
 * asked for again with one event of each room's timeline, for the rest of that is fetched behind it
 * (poll.h); then up to a greater bound. What is too much then is a room's state, and left out for
 * good. Pure. Reference: Matrix, sections 4 and 5.
 */
#ifndef ADAPTERS_MATRIX_LISTEN_RATION_H
#define ADAPTERS_MATRIX_LISTEN_RATION_H

#include "adapters/matrix/client/api.h"
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

#endif
