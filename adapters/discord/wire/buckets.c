#include "adapters/discord/wire/buckets.h"

#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "core/codec/memory.h"

enum {
    SLACK_MS = 50,
    SECOND_MS = 1000,
    INVALID_SLICES = 20,
    SLICE_MS = BUCKETS_INVALID_MS / INVALID_SLICES,
    SLOTS_FIRST = 256,
    SLOTS_MAX = BUCKETS_LANES_MAX * 2,
    KEY_SIZE = crypto_shorthash_KEYBYTES
};
_Static_assert((SLOTS_FIRST & (SLOTS_FIRST - 1)) == 0 && SLOTS_MAX % SLOTS_FIRST == 0 &&
                   (SLOTS_MAX & (SLOTS_MAX - 1)) == 0,
               "slots are found by a mask");

/* What is left of a limit. */
struct count {
    uint32_t remaining, in_flight;
    bool known;       /* it was told */
    int64_t reset_ms; /* when its requests are there again */
};

// What lanes share. A lane whose bucket is not known has one of its own, under its own key.
struct bucket {
    uint64_t key; /* 0: free */
    struct count count;
    int64_t hold_ms; /* nothing before that: after a 429 */
};

/* Lanes of one bucket may be counted apart all the same, so each knows what it was told itself. */
struct lane {
    uint64_t key;    /* 0: free */
    uint64_t bucket; /* the key of its bucket */
    struct count count;
    int64_t hold_ms; /* a limit of this lane alone */
};

struct buckets {
    unsigned char secret[KEY_SIZE]; /* nobody can make all lanes fall into one place */
    uint32_t global_per_s, invalid_max, lane_count, bucket_count;
    int64_t sent_ms[BUCKETS_GLOBAL_PER_S]; /* the latest requests, a ring */
    uint32_t sent_at;                      /* where the next goes */
    int64_t stop_ms;                       /* nothing at all before */
    uint32_t invalid[INVALID_SLICES];
    int64_t invalid_slice;
    size_t slots; /* of both tables, of which half are free */
    struct lane *lanes;
    struct bucket *buckets;
};

static uint64_t hash(const struct buckets *buckets, const char *a, const char *b)
{
    uint64_t parts[2];
    uint64_t out = 0;
    (void)crypto_shorthash((unsigned char *)&parts[0], (const unsigned char *)a, strlen(a),
                           buckets->secret);
    (void)crypto_shorthash((unsigned char *)&parts[1], (const unsigned char *)b, strlen(b),
                           buckets->secret);
    (void)crypto_shorthash((unsigned char *)&out, (const unsigned char *)parts, sizeof parts,
                           buckets->secret);
    return out != 0 ? out : 1;
}

/* Both tables are probed in order from a key's place; an entry that goes leaves no hole, for both
 * are made anew when one is half full. */

static struct lane *find_lane(struct buckets *buckets, uint64_t key)
{
    size_t at = (size_t)key & (buckets->slots - 1);
    while (buckets->lanes[at].key != 0 && buckets->lanes[at].key != key) {
        at = (at + 1) & (buckets->slots - 1);
    }
    return &buckets->lanes[at];
}

static struct bucket *find_bucket(struct buckets *buckets, uint64_t key)
{
    size_t at = (size_t)key & (buckets->slots - 1);
    while (buckets->buckets[at].key != 0 && buckets->buckets[at].key != key) {
        at = (at + 1) & (buckets->slots - 1);
    }
    return &buckets->buckets[at];
}

static struct bucket *bucket_of_key(struct buckets *buckets, uint64_t key)
{
    struct bucket *const bucket = find_bucket(buckets, key);
    if (bucket->key == 0) {
        *bucket = (struct bucket){.key = key, .count.remaining = 1};
        buckets->bucket_count++;
    }
    return bucket;
}

static void make_tables(struct buckets *buckets, size_t slots)
{
    buckets->lanes = mb_new(slots, sizeof *buckets->lanes);
    buckets->buckets = mb_new(slots, sizeof *buckets->buckets);
    buckets->slots = slots;
    buckets->lane_count = 0;
    buckets->bucket_count = 0;
}

static void drop_tables(struct buckets *buckets)
{
    free(buckets->lanes);
    free(buckets->buckets);
}

// But for what nothing is to be known of: no request under way, its time up.
static void take_over(struct buckets *buckets, const struct buckets *old, int64_t now_ms)
{
    for (size_t i = 0; i < old->slots; i++) {
        const struct bucket *const bucket = &old->buckets[i];
        if (bucket->key != 0 && (bucket->count.in_flight > 0 || bucket->count.reset_ms > now_ms ||
                                 bucket->hold_ms > now_ms)) {
            *find_bucket(buckets, bucket->key) = *bucket;
            buckets->bucket_count++;
        }
    }
    for (size_t i = 0; i < old->slots; i++) {
        const struct lane *const lane = &old->lanes[i];
        const bool wanted =
            lane->key != 0 && (lane->hold_ms > now_ms || lane->count.in_flight > 0 ||
                               find_bucket(buckets, lane->bucket)->key != 0);
        if (wanted) {
            *find_lane(buckets, lane->key) = *lane;
            buckets->lane_count++;
        }
    }
}

// Tables of so many slots with what is still wanted of those that there are.
static void remake(struct buckets *buckets, size_t slots, int64_t now_ms)
{
    const struct buckets old = *buckets;
    make_tables(buckets, slots);
    take_over(buckets, &old, now_ms);
    drop_tables(&(struct buckets){.lanes = old.lanes, .buckets = old.buckets});
}

// What is over is forgotten. Should that not do the tables grow, and once they may not grow any
// more all but what is under way is forgotten: answers tell it anew.
static void make_room(struct buckets *buckets, int64_t now_ms)
{
    remake(buckets, buckets->slots, now_ms);
    if (buckets->lane_count >= buckets->slots / 4 || buckets->bucket_count >= buckets->slots / 4) {
        const bool may_grow = buckets->slots < SLOTS_MAX;
        remake(buckets, may_grow ? buckets->slots * 2 : buckets->slots,
               may_grow ? now_ms : INT64_MAX);
    }
}

static struct lane *lane_of(struct buckets *buckets, const struct bucket_lane *lane, int64_t now_ms)
{
    // Here alone, where nobody holds what stands in them; a call adds two buckets at most.
    if (buckets->lane_count >= buckets->slots / 2 || buckets->bucket_count >= buckets->slots / 2) {
        make_room(buckets, now_ms);
    }
    const uint64_t key = hash(buckets, lane->route, lane->major);
    struct lane *const found = find_lane(buckets, key);
    if (found->key != 0) {
        return found;
    }
    *found = (struct lane){.key = key, .bucket = key, .count.remaining = 1};
    buckets->lane_count++;
    return found;
}

/* The global limit and refusals. */

// When another may go: so many in any second, wherever Discord lets its own begin.
static int64_t global_ready_ms(const struct buckets *buckets)
{
    const uint32_t back = buckets->sent_at + BUCKETS_GLOBAL_PER_S - buckets->global_per_s;
    return buckets->sent_ms[back % BUCKETS_GLOBAL_PER_S] + SECOND_MS;
}

static void turn_slices(struct buckets *buckets, int64_t now_ms)
{
    const int64_t slice = now_ms / SLICE_MS;
    int64_t steps = slice - buckets->invalid_slice;
    for (; steps > 0; steps--) {
        buckets->invalid[(slice - steps + 1) % INVALID_SLICES] = 0;
        if (steps > INVALID_SLICES) {
            steps = INVALID_SLICES + 1;
        }
    }
    buckets->invalid_slice = slice;
}

uint32_t buckets_invalid(const struct buckets *buckets, int64_t now_ms)
{
    const int64_t slice = now_ms / SLICE_MS;
    uint32_t sum = 0;
    for (int64_t i = 0; i < INVALID_SLICES; i++) {
        const int64_t of = buckets->invalid_slice - i;
        if (of >= 0 && slice - of < INVALID_SLICES) {
            sum += buckets->invalid[of % INVALID_SLICES];
        }
    }
    return sum;
}

static void note_invalid(struct buckets *buckets, int64_t now_ms)
{
    turn_slices(buckets, now_ms);
    buckets->invalid[buckets->invalid_slice % INVALID_SLICES]++;
    if (buckets_invalid(buckets, now_ms) >= buckets->invalid_max) {
        const int64_t until = now_ms + BUCKETS_INVALID_MS;
        buckets->stop_ms = until > buckets->stop_ms ? until : buckets->stop_ms;
        memset(buckets->invalid, 0, sizeof buckets->invalid);
    }
}

int64_t buckets_stopped_ms(const struct buckets *buckets, int64_t now_ms)
{
    return buckets->stop_ms > now_ms ? buckets->stop_ms : 0;
}

/* Requests. */

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

// When another may go of what is counted, `kept` of them left; INT64_MAX: once one is answered.
static int64_t count_ready_ms(struct count *count, uint32_t kept, int64_t now_ms)
{
    if (count->known && count->reset_ms <= now_ms) {
        count->known = false; // full again, but by how much only an answer tells
        count->remaining = 1;
    }
    if (count->remaining > count->in_flight + (count->known ? kept : 0)) {
        return now_ms;
    }
    return count->in_flight > 0 ? INT64_MAX : later(now_ms, count->reset_ms);
}

int64_t buckets_ready_ms(struct buckets *buckets, const struct bucket_lane *lane, int64_t now_ms)
{
    struct lane *const own = lane_of(buckets, lane, now_ms);
    struct bucket *const bucket = bucket_of_key(buckets, own->bucket);
    int64_t ready = later(later(now_ms, buckets->stop_ms), later(own->hold_ms, bucket->hold_ms));
    const uint32_t kept = lane->yields ? BUCKETS_KEPT : 0;
    ready = later(ready, count_ready_ms(&bucket->count, kept, now_ms));
    ready = later(ready, count_ready_ms(&own->count, 0, now_ms));
    return lane->free ? ready : later(ready, global_ready_ms(buckets));
}

void buckets_sent(struct buckets *buckets, const struct bucket_lane *lane, int64_t now_ms)
{
    struct lane *const own = lane_of(buckets, lane, now_ms);
    own->count.in_flight++;
    bucket_of_key(buckets, own->bucket)->count.in_flight++;
    if (!lane->free) {
        buckets->sent_ms[buckets->sent_at] = now_ms;
        buckets->sent_at = (buckets->sent_at + 1) % BUCKETS_GLOBAL_PER_S;
    }
}

static void land(struct buckets *buckets, struct lane *own)
{
    struct count *const shared = &bucket_of_key(buckets, own->bucket)->count;
    shared->in_flight -= shared->in_flight > 0 ? 1 : 0;
    own->count.in_flight -= own->count.in_flight > 0 ? 1 : 0;
}

// The lane's bucket as the answer names it; what is known moves along.
static struct bucket *named(struct buckets *buckets, const struct bucket_lane *lane,
                            struct lane *own, const struct bucket_headers *headers)
{
    if (headers->hash != NULL) {
        own->bucket = hash(buckets, headers->hash, lane->major);
    }
    return bucket_of_key(buckets, own->bucket);
}

static void learn(struct count *count, const struct bucket_headers *headers, int64_t now_ms)
{
    const int64_t reset = now_ms + headers->reset_after_ms + SLACK_MS;
    if (!headers->limited) {
        if (!count->known) {
            count->remaining = 1;
        }
        return;
    }
    // Answers overtake each other: of one span the least counts.
    if (!count->known || reset > count->reset_ms + SLACK_MS ||
        headers->remaining < count->remaining) {
        count->remaining = headers->remaining;
        count->reset_ms = reset;
    }
    count->known = true;
}

void buckets_answered(struct buckets *buckets, const struct bucket_lane *lane, int status,
                      const struct bucket_headers *headers, int64_t now_ms)
{
    enum { UNAUTHORIZED = 401, FORBIDDEN = 403 };
    struct lane *const own = lane_of(buckets, lane, now_ms);
    land(buckets, own);
    learn(&own->count, headers, now_ms);
    learn(&named(buckets, lane, own, headers)->count, headers, now_ms);
    if (status == UNAUTHORIZED || status == FORBIDDEN) {
        note_invalid(buckets, now_ms);
    }
}

void buckets_refused(struct buckets *buckets, const struct bucket_lane *lane,
                     enum bucket_scope scope, int64_t after_ms,
                     const struct bucket_headers *headers, int64_t now_ms)
{
    struct lane *const own = lane_of(buckets, lane, now_ms);
    const int64_t until = now_ms + after_ms + SLACK_MS;
    land(buckets, own);
    struct bucket *const bucket = named(buckets, lane, own, headers);
    switch (scope) {
    case BUCKET_USER:
    case BUCKET_SHARED:
        // While some were left it is a hidden limit of this kind of request; else the bucket's.
        if (headers->limited && headers->remaining > 0) {
            own->hold_ms = later(own->hold_ms, until);
        } else {
            bucket->hold_ms = later(bucket->hold_ms, until);
            bucket->count.known = false;
            bucket->count.remaining = 1; // then one by one
        }
        break;
    case BUCKET_GLOBAL:
    case BUCKET_BANNED:
        buckets->stop_ms = later(buckets->stop_ms, until);
        break;
    }
    if (scope != BUCKET_SHARED) {
        note_invalid(buckets, now_ms);
    }
}

void buckets_lost(struct buckets *buckets, const struct bucket_lane *lane)
{
    struct lane *const own = find_lane(buckets, hash(buckets, lane->route, lane->major));
    if (own->key != 0) {
        land(buckets, own);
    }
}

void buckets_share(struct buckets *buckets, unsigned of)
{
    const uint32_t parts = of > 0 ? of : BUCKETS_NEW_SHARE;
    const uint32_t per_s = BUCKETS_GLOBAL_PER_S / parts;
    buckets->global_per_s = per_s > 0 ? per_s : 1;
    buckets->invalid_max = BUCKETS_INVALID_MAX / parts;
}

struct buckets *buckets_create(void)
{
    struct buckets *const buckets = mb_new(1, sizeof *buckets);
    make_tables(buckets, SLOTS_FIRST);
    randombytes_buf(buckets->secret, sizeof buckets->secret);
    buckets_share(buckets, 1);
    for (size_t i = 0; i < BUCKETS_GLOBAL_PER_S; i++) {
        buckets->sent_ms[i] = -SECOND_MS;
    }
    return buckets;
}

void buckets_destroy(struct buckets *buckets)
{
    if (buckets != NULL) {
        drop_tables(buckets);
    }
    free(buckets);
}
