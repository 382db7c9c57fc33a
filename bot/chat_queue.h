/*
 * What a chat has heard and its host has not dealt with, oldest first.
 *
 * Bounded: when full, pushing fails (what nobody says has CHAT_NEWS_MAX more, for it cannot be said
 * again, and whether a network can be heard is always taken); so it does for one person who has
 * CHAT_QUEUE_SHARE lines waiting, so that others find room. A line is one block of memory, as long
 * as its words. It stays the queue's after it was taken, until it is settled: lines may be settled
 * in any order, and the queue knows up to which number all are. Adapters keep where they stand in
 * their platform's stream by that number.
 */
#ifndef BOT_CHAT_QUEUE_H
#define BOT_CHAT_QUEUE_H

#include "bot/chat.h"

enum {
    CHAT_QUEUE_MAX = 256,
    CHAT_NEWS_MAX = 1024,
    CHAT_QUEUE_SHARE = 32 /**< lines of one person that may wait in a queue */
};

enum chat_push {
    CHAT_PUSHED,
    CHAT_FULL,    /**< too much at once: later it may be taken */
    CHAT_FLOODS,  /**< this person says too much: theirs alone is not taken */
    CHAT_TOO_LONG /**< an id or the line: never taken */
};

struct chat_heard;

struct chat_queue {
    struct chat_heard *first, *last; /**< all that is not settled, taken lines too */
    struct chat_heard *next;         /**< the first that was not taken */
    size_t count;                    /**< that were not taken */
    uint64_t pushed;                 /**< the number of the newest line */
};

void chat_queue_init(struct chat_queue *queue);
/** Frees what is in it; it is empty then. */
void chat_queue_finish(struct chat_queue *queue);
/** Keeps a copy of `in`. Names are cut where they are too long to be shown, nothing else is. */
enum chat_push chat_queue_push(struct chat_queue *queue, const struct chat_in *in);
/** The oldest line, good until it is settled; NULL: none waits. No word of it is NULL. */
struct chat_in *chat_queue_take(struct chat_queue *queue);
/** The words of a line become copies in the pool, "" for NULL. */
void chat_in_keep(struct mb_pool *pool, struct chat_in *in);
/** As chat_settle(), for queues without a chat. True if chat_queue_settled() has changed. */
bool chat_queue_settle(struct chat_queue *queue, struct chat_in *in);
/** All lines up to that number are settled. */
uint64_t chat_queue_settled(const struct chat_queue *queue);

#endif
