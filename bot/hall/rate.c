#include "bot/hall/rate.h"

int64_t rate_open_ms(const struct rate_bucket *bucket, const struct rate_rule *rule)
{
    const int32_t least = rule->steady ? 1 : rule->burst / 2;
    return bucket->full_ms - (int64_t)(rule->burst - least) * rule->refill_ms;
}

bool rate_is_full(const struct rate_bucket *bucket, int64_t now_ms)
{
    return bucket->full_ms <= now_ms;
}

enum rate_result rate_take(struct rate_bucket *bucket, const struct rate_rule *rule, int64_t now_ms)
{
    if (bucket->closed && rate_open_ms(bucket, rule) <= now_ms) {
        bucket->closed = false;
    }
    if (bucket->closed) {
        return RATE_HUSH;
    }
    const int64_t full_ms = bucket->full_ms > now_ms ? bucket->full_ms : now_ms;
    if (full_ms + rule->refill_ms > now_ms + (int64_t)rule->burst * rule->refill_ms) {
        bucket->closed = !rule->steady;
        return RATE_TELL;
    }
    bucket->full_ms = full_ms + rule->refill_ms;
    return RATE_TAKEN;
}
