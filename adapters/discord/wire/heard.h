/*
 * Interactions that were heard of, each kept for a quarter of an hour: whether something has gone
 * out to it, and while nothing has, when something must.
 *
 * An answered one is small. How to call it back is kept of what each person did last alone: to tell
 * them more. Pure: the owner tells the time.
 */
#ifndef ADAPTERS_DISCORD_WIRE_HEARD_H
#define ADAPTERS_DISCORD_WIRE_HEARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adapters/discord/wire/interaction.h"

enum {
    HEARD_MAX = UINT16_MAX, /**< at once; behind that the oldest goes */
    HEARD_ID_SIZE = 24,
    HEARD_BUCKET_BITS = 14,
    HEARD_LAST_BITS = 12,
    HEARD_CHUNK = 1024,
    HEARD_CHUNKS = HEARD_MAX / HEARD_CHUNK + 1
};
#define HEARD_DEFER_MS INT64_C(1500)
#define HEARD_LIVE_MS  INT64_C(880000)

enum heard_state {
    HEARD_OPEN,     /**< nothing has gone out */
    HEARD_DEFERRED, /**< an empty acknowledgement has, or is on its way */
    HEARD_ANSWERED, /**< an answer has, or is on its way */
    HEARD_EDITED    /**< the same: it is the pressed message itself */
};

/** Who did it, and how to call back. */
struct heard_caller {
    struct heard_caller *next; /**< of its bucket */
    struct heard *heard;       /**< whose it is */
    int64_t defer_ms;
    char person[HEARD_ID_SIZE]; /**< "" : unknown */
    char token[];
};

/** Many are kept, so they name each other by numbers that count from 1, not by addresses; 0: none.
 */
struct heard {
    uint64_t id, message;        /**< and what was pressed, 0: unknown */
    struct heard_caller *caller; /**< never NULL while it is open */
    int32_t end_s;
    uint16_t next;         /**< of its bucket, or of those that are free */
    uint16_t older, newer; /**< of those that are open, or of the others */
    uint8_t state;         /**< enum heard_state */
    bool press;
};

struct heard_list {
    uint16_t oldest, newest;
};

/** All zero: there are none. What stands in a chunk stays where it is. */
struct heards {
    struct heard *chunks[HEARD_CHUNKS];
    uint16_t made, free; /**< of how many there is room, and the first that is not in use */
    uint16_t buckets[1 << HEARD_BUCKET_BITS];
    struct heard_caller *last[1 << HEARD_LAST_BITS];
    struct heard_list open, past;
    size_t count;
};

void heards_finish(struct heards *heards);
/** One that began `age_ms` ago, behind which the oldest may go. */
struct heard *heards_add(struct heards *heards, const struct interaction *interaction,
                         int64_t age_ms, int64_t now_ms);
/** NULL: there is none, or no more. */
struct heard *heards_find(const struct heards *heards, const char *id);
/** The one behind `heard` of those that are open, in their order; of NULL: the first. */
struct heard *heards_open(const struct heards *heards, const struct heard *heard);
/** Something goes out to it. */
void heards_move(struct heards *heards, struct heard *heard, enum heard_state state);
/** What somebody did last and was answered, or NULL. */
const struct heard_caller *heards_last(const struct heards *heards, const char *person);
/** Drops what is over. */
void heards_drop_past(struct heards *heards, int64_t now_ms);
/** When the next is over, or something must go out to one that is open; -1: never. */
int64_t heards_due_ms(const struct heards *heards);

#endif
