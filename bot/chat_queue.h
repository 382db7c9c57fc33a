/*
 * What a chat has heard and its host has not settled, oldest first.
 *
 * The queue is bounded: pushing fails when it is full, and for a person with CHAT_QUEUE_SHARE lines
 * waiting, so that others find room. News has room for CHAT_NEWS_MAX more, for a platform does not
 * repeat it; whether a network can be heard is always taken. A line is one block of memory, as long
 * as its words. A taken line stays the queue's until it is settled. Lines may be settled in any
 * order, and the queue knows up to which number all are: adapters keep their position in the
 * platform's stream by that number.
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
    CHAT_FULL,    /**< the queue is full: try later */
    CHAT_FLOODS,  /**< this person has too many lines waiting */
    CHAT_TOO_LONG /**< an id or the line is too long: never taken */
};

struct chat_heard;

struct chat_queue {
    struct chat_heard *first, *last; /**< all lines not settled, taken ones too */
    struct chat_heard *next;         /**< the first line not taken */
    size_t count;                    /**< lines not taken */
    uint64_t pushed;                 /**< the number of the newest line */
};

void chat_queue_init(struct chat_queue *queue);
/** Frees all lines and empties the queue. */
void chat_queue_finish(struct chat_queue *queue);
/** Queues a copy of `in`. Cuts names that are too long to show, and nothing else. */
enum chat_push chat_queue_push(struct chat_queue *queue, const struct chat_in *in);
/** Takes the oldest line, valid until settled; NULL: none waits. None of its words is NULL. */
struct chat_in *chat_queue_take(struct chat_queue *queue);
/** Copies the words of a line into the pool, "" for NULL. */
void chat_in_keep(struct mb_pool *pool, struct chat_in *in);
/** Like chat_settle(), for queues without a chat. True: chat_queue_settled() has changed. */
bool chat_queue_settle(struct chat_queue *queue, struct chat_in *in);
/** Returns the number up to which all lines are settled. */
uint64_t chat_queue_settled(const struct chat_queue *queue);

#endif
