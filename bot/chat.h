/*
 * Chats: where people talk to the bot. What the bot may do with one, and what it hears from it.
 *
 * A chat is an adapter behind four functions (bot/chat_impl.h). Everything a person reads goes
 * through chat_send(); everything a person says arrives as a chat_in in the bounded queue of the
 * sink, which the session's host drains at its own pace. Texts are UTF-8.
 */
#ifndef BOT_CHAT_H
#define BOT_CHAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

#include "bot/message.h"

enum {
    CHAT_ID_SIZE = 64,
    CHAT_LINE_SIZE = 512,
    CHAT_QUEUE_MAX = 256,
    CHAT_CAP_BUTTONS = 1,
    CHAT_CAP_PRIVATE = 2,
    CHAT_CAP_EDIT = 4
};

/** A command of a person at a place, in the one grammar. */
struct chat_in {
    char place[CHAT_ID_SIZE];  /**< channel, thread or room: the table's */
    char person[CHAT_ID_SIZE]; /**< who, in the platform's own terms */
    char event[CHAT_ID_SIZE];  /**< the platform's id of it: redeliveries have the same */
    char line[CHAT_LINE_SIZE];
};

/** What is said. Borrowed during the call only. */
struct chat_out {
    const char *place;
    const char *person; /**< NULL: everybody at the place */
    enum message_to to;
    const char *text;
};

/** What was heard and not yet dealt with, oldest first. Bounded: when full, pushing fails. */
struct chat_queue {
    struct chat_in items[CHAT_QUEUE_MAX];
    size_t first, count;
};

struct chat;

void chat_queue_init(struct chat_queue *queue);
/** A copy of `in`; false when full, which the adapter answers as its platform does. */
bool chat_queue_push(struct chat_queue *queue, const struct chat_in *in);
bool chat_queue_pop(struct chat_queue *queue, struct chat_in *out);

const char *chat_name(const struct chat *chat);
/** bits of CHAT_CAP_* */
uint32_t chat_caps(const struct chat *chat);
MB_MUST_CHECK
bool chat_start(struct chat *chat, struct mb_error *err);
/** Queues a copy. */
MB_MUST_CHECK
bool chat_send(struct chat *chat, const struct chat_out *out, struct mb_error *err);
/** Idempotent; nothing is heard afterwards. */
void chat_stop(struct chat *chat);
/** NULL is fine. */
void chat_destroy(struct chat *chat);

#endif
