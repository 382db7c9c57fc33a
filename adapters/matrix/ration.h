/*
 * How much of what there is to tell a sync is asked for at once.
 *
 * An answer is read up to a bound. One that is longer is asked for again with one event of each
 * room's timeline, for the rest of that is fetched behind it (gap.h); then, since all that is left
 * is what rooms are like, up to a greater bound. Beyond that only whoever runs the bot can help.
 * Pure. Reference: Matrix, sections 4 and 5.
 */
#ifndef ADAPTERS_MATRIX_RATION_H
#define ADAPTERS_MATRIX_RATION_H

#include "adapters/matrix/api.h"
#include "adapters/net/net_log.h"

/** All zero in the beginning, and again when an answer has come; its member is ration.c's. */
struct ration {
    unsigned cuts;
};

/** Writes the path of a sync: of all rooms and at once, or of news, waiting `wait_ms` for them.
 * `since`: the token, or "". False: it does not fit. */
MB_MUST_CHECK
bool ration_path(const struct ration *ration, const char *since, bool all, int wait_ms,
                 char path[API_PATH_SIZE]);
/** Bytes that the answer may have. */
size_t ration_body_max(const struct ration *ration);
/** The answer was longer: tells the operator so. In how many ms to ask again, for less where that
 * is to be had. */
int64_t ration_cut(struct ration *ration, net_log_fn *log, void *log_user);

#endif
