/*
 * Token buckets: how much somebody may say.
 *
 * A bucket holds `burst` tokens and gains one every `refill_ms`. Once it is empty nothing is
 * accepted until it is half full again, so that of a flood nothing trickles through; that is told
 * once (RATE_TELL), and then there is silence until the bucket has been half full. A bucket that
 * many people share is steady: otherwise two of them could keep it closed for all. Time comes from
 * the caller and never goes back.
 */
#ifndef BOT_HALL_RATE_H
#define BOT_HALL_RATE_H

#include <stdbool.h>
#include <stdint.h>

struct rate_rule {
    int32_t burst;
    int32_t refill_ms;
    bool steady; /**< an empty bucket does not close: the next token may be taken */
};

/** All zero: full. */
struct rate_bucket {
    int64_t full_ms; /**< when it is full again */
    bool closed;     /**< was emptied; opens when half full */
};

enum rate_result {
    RATE_TAKEN,
    RATE_TELL, /**< refused, and it was not said yet */
    RATE_HUSH  /**< refused, as was said before */
};

enum rate_result rate_take(struct rate_bucket *bucket, const struct rate_rule *rule,
                           int64_t now_ms);
/** When the bucket listens again; now or earlier if it does. */
int64_t rate_open_ms(const struct rate_bucket *bucket, const struct rate_rule *rule);
/** Whether nothing of it need be remembered. */
bool rate_is_full(const struct rate_bucket *bucket, int64_t now_ms);

#endif
