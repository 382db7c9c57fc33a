/*
 * Chats: where people talk to the bot. What the bot may do with one, and what it hears from it.
 *
 * A chat is an adapter behind four functions (bot/chat_impl.h). Everything a person reads goes
 * through chat_send(); everything a person says arrives as a chat_in in the bounded queue of the
 * sink, which the host (bot/hall/hall.h) drains at its own pace. Texts are UTF-8 and plain: an
 * adapter escapes what its platform would take for markup, and lets nobody be pinged but
 * chat_out.pings.
 *
 * What one chat can do and another cannot is a capability; what is done instead is bot/'s to say
 * (bot/hall/hall_speak.c):
 *   CHAT_CAP_EDIT     table card and hand are edited in place. Without: the card is posted when a
 *                     turn begins, the hand when its owner comes to be waited for.
 *   CHAT_CAP_BUTTONS  card and hand carry controls. Without: every command is typed, as it can be
 *                     everywhere.
 *   CHAT_CAP_PRIVATE  one person can be told what others do not read. Without: no table is opened
 *                     there, for a hand could be shown to nobody.
 */
#ifndef BOT_CHAT_H
#define BOT_CHAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "core/refusal.h"

enum {
    CHAT_ID_SIZE = 64,
    CHAT_NAME_SIZE = 256,
    CHAT_LINE_SIZE = 512,
    CHAT_LABEL_SIZE = 80,
    CHAT_CONTROLS_MAX = 25,
    CHAT_QUEUE_MAX = 256,
    CHAT_QUEUE_SHARE = 32, /**< lines of one person that may wait in a queue */
    CHAT_CAP_BUTTONS = 1,
    CHAT_CAP_PRIVATE = 2,
    CHAT_CAP_EDIT = 4
};

/** What a message is, and so who reads it and whether it takes the place of an earlier one. */
enum chat_kind {
    CHAT_NARRATION, /**< to everybody at the place; what has happened */
    CHAT_CARD,      /**< to everybody: the table as it is; one a table, edited in place */
    CHAT_WHISPER,   /**< to one person; what only they learn */
    CHAT_HAND,      /**< to one person: their hand; one a table and person, edited in place */
    CHAT_REPLY      /**< to one person: the answer to what they said; nobody else sees it */
};

static inline bool chat_kind_is_private(enum chat_kind kind)
{
    return kind >= CHAT_WHISPER;
}

/** Where a control stands. A typed line has none. */
enum chat_control_on { CHAT_TYPED, CHAT_ON_CARD, CHAT_ON_HAND };

/** What a control is bound to: pressed later than that, it is stale. Comes back as it was sent. */
struct chat_bond {
    char table[CHAT_ID_SIZE]; /**< the table's id, "" with typed lines */
    uint32_t version;         /**< counts what the message has shown */
    uint16_t decision;        /**< the question that was open, or 0 */
    uint8_t on;               /**< enum chat_control_on */
};

/** A command of a person at a place, in the one grammar. */
struct chat_in {
    char place[CHAT_ID_SIZE];  /**< channel, thread or room; the private room if `direct` */
    char person[CHAT_ID_SIZE]; /**< who, in the platform's own terms */
    char event[CHAT_ID_SIZE];  /**< the platform's id of it: redeliveries have the same; or "" */
    char line[CHAT_LINE_SIZE];
    char name[CHAT_NAME_SIZE];       /**< as the platform shows the person; "" : as `person` */
    char place_name[CHAT_NAME_SIZE]; /**< as it shows the place; "" : as `place` */
    char community[CHAT_ID_SIZE];    /**< the server or space of the place; "" : the place */
    bool direct;                     /**< said where only the bot listens */
    bool moderator;                  /**< the platform lets the person moderate the place */
    struct chat_bond bond;           /**< of the control that was pressed */
};

/** A button or a line of a menu: what it says and the line that pressing it says. */
struct chat_control {
    const char *label;
    const char *line;
};

/** What is said. Borrowed during the call only. */
struct chat_out {
    enum chat_kind kind;
    const char *place;
    const char *person; /**< for private kinds only; else NULL */
    const char *event;  /**< of a reply: the event it answers, or NULL */
    const char *text;
    const struct refusal *refusal; /**< of a reply that refuses: its code and rule; or NULL */
    const char *const *pings;      /**< persons whom the message is to call */
    size_t ping_count;
    struct chat_bond bond; /**< of card and hand; the table's id of all that is said at one */
    const struct chat_control *controls;
    size_t control_count;
};

/** What was heard and not yet dealt with, oldest first. Bounded: when full, pushing fails; so it
 * does for one person who has CHAT_QUEUE_SHARE lines waiting, so that others find room. */
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
/** Where it puts what it hears; the host's. */
struct chat_queue *chat_inbox(const struct chat *chat);
/** Idempotent. */
MB_MUST_CHECK
bool chat_start(struct chat *chat, struct mb_error *err);
/** Queues a copy. False with MB_ERR_RETRY: later may help; with another code it never will. What is
 * private never goes to a place: it is refused without a person, or where nothing is private. */
MB_MUST_CHECK
bool chat_send(struct chat *chat, const struct chat_out *out, struct mb_error *err);
/** Idempotent; nothing is heard afterwards. */
void chat_stop(struct chat *chat);
/** NULL is fine. */
void chat_destroy(struct chat *chat);

#endif
