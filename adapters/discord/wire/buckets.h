/*
 * When a request may be sent: Discord's rate limits, kept by what its answers say.
 *
 * A request belongs to a *lane*: its route (method and path with the ids left out) and the id that
 * tells one channel, guild or token from the next. The first answer names the lane's bucket, which
 * other lanes may share. Requests of a bucket go one by one until its limits are known; when none
 * are left they wait, and are let go one by one. Over all lies the global limit, from which answers
 * to interactions are free. A 429 that came while requests were left is a limit of that lane alone.
 * What has got no answer gives its place back, or the lane would be dead for ever.
 *
 * Too many refusals (401, 403, 429) get an address banned: far below that nothing is sent any more
 * for the rest of ten minutes. A ban that is there already stops everything for as long as it says.
 *
 * Pure: the caller tells the time, in milliseconds of a clock that never goes back; waits come from
 * "reset after", never from a wall clock. Reference: Discord, section 8; lessons 21 to 25.
 */
#ifndef ADAPTERS_DISCORD_WIRE_BUCKETS_H
#define ADAPTERS_DISCORD_WIRE_BUCKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BUCKETS_GLOBAL_PER_S = 40,  /**< of Discord's 50 */
    BUCKETS_INVALID_MAX = 1000, /**< of 10,000 in ten minutes */
    BUCKETS_NEW_SHARE = 8,      /**< who does not know the others yet takes an eighth */
    BUCKETS_LANES_MAX = 8192,   /**< remembered; the longest unused is forgotten */
    BUCKETS_KEPT = 2,
    BUCKETS_HASH_SIZE = 64
};
#define BUCKETS_INVALID_MS INT64_C(600000)

/** What an answer's headers say; all zero: nothing. */
struct bucket_headers {
    const char *hash; /**< X-RateLimit-Bucket, or NULL */
    bool limited;     /**< the next two are there */
    uint32_t remaining;
    int64_t reset_after_ms;
};

struct bucket_lane {
    const char *route;
    const char *major; /**< the top-level id, or "" */
    bool free;         /**< of the global limit: answers to interactions */
    bool yields;       /**< leaves the last BUCKETS_KEPT requests of its bucket to other lanes */
};

enum bucket_scope { BUCKET_USER, BUCKET_SHARED, BUCKET_GLOBAL, BUCKET_BANNED };

struct buckets;

/** All the bot is granted is this process's. */
struct buckets *buckets_create(void);
/** NULL is fine. */
void buckets_destroy(struct buckets *buckets);

/** When a request of the lane may be sent: `now_ms` or later; INT64_MAX: not before another one is
 * answered. */
int64_t buckets_ready_ms(struct buckets *buckets, const struct bucket_lane *lane, int64_t now_ms);
/** It is sent. */
void buckets_sent(struct buckets *buckets, const struct bucket_lane *lane, int64_t now_ms);
/** It was answered with this HTTP status, but for 429. */
void buckets_answered(struct buckets *buckets, const struct bucket_lane *lane, int status,
                      const struct bucket_headers *headers, int64_t now_ms);
/** It was answered with 429: not before so long. */
void buckets_refused(struct buckets *buckets, const struct bucket_lane *lane,
                     enum bucket_scope scope, int64_t after_ms,
                     const struct bucket_headers *headers, int64_t now_ms);
/** No answer came. */
void buckets_lost(struct buckets *buckets, const struct bucket_lane *lane);

/** Until when nothing is sent at all, or 0. */
int64_t buckets_stopped_ms(const struct buckets *buckets, int64_t now_ms);
/** Refusals in the last ten minutes. */
uint32_t buckets_invalid(const struct buckets *buckets, int64_t now_ms);
/** From now on one of so many processes that share the global limit and what refusals are allowed;
 * 0: how many is not known yet. */
void buckets_share(struct buckets *buckets, unsigned of);

#endif
