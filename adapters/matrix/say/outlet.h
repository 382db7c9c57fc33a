/*
 * What waits to be sent by the bot's account: what goes next, and when.
 *
 * Homeservers count all that an account sends in all its rooms together, by default a first dozen
 * and then one event each five seconds. So there is one queue: within a room in order and one at a
 * time. Tables at which a game goes on go before all else, of which one event in OUTLET_LIVELY + 1
 * is let through. Each table has a share, and so has who causes what is said beside these; at a
 * table each who causes something has one of that. Nobody gets more than OUTLET_AHEAD events ahead
 * of others who wait; within that what is awaited most goes first. Of a share at most so many wait
 * (outlet_is_full()). A newer form of a message takes the place of one
 * that waits and was never tried; what may join others of its room goes with them as one event.
 * After "too many" everything rests; from then on the outlet keeps below the pace that it has
 * learned, and tries a little more when that was long enough. While events are few, a card that
 * asks nobody anew waits some seconds for its next form, hands of whom nobody waits for go only
 * with what is to spare, and where many tables share an account, so do such cards.
 *
 * Pure: the owner tells the time in milliseconds. Reference: Matrix, sections 6 and 12.
 */
#ifndef ADAPTERS_MATRIX_SAY_OUTLET_H
#define ADAPTERS_MATRIX_SAY_OUTLET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bot/chat.h"

/** What goes before what. */
enum outlet_urgency {
    OUTLET_PROMPT,  /**< a table's message that asks somebody */
    OUTLET_AWAITED, /**< the hand of whom the table waits for: before all when it is old */
    OUTLET_REPLY,
    OUTLET_TABLE, /**< a table's message that asks nobody, or what it asked before */
    OUTLET_OTHER  /**< other hands: with what is to spare */
};

enum {
    OUTLET_TOGETHER_MAX = 8,
    OUTLET_TOGETHER_MS = 2000,
    OUTLET_TABLES_MANY = 3,
    OUTLET_LIVELY = 3,
    OUTLET_AHEAD = 2,
    OUTLET_LIVE_MAX = 32, /**< that wait, of a table's share ... */
    OUTLET_OTHER_MAX = 12 /**< ... and of any other */
};

/** The caller keeps what is to be sent; the outlet knows its number. */
struct outlet_item {
    uint64_t number;      /**< the owner's; not 0 */
    const char *room;     /**< in order within it */
    const char *share;    /**< a table's id or a person's; NULL: the room's */
    const char *cause;    /**< at a table: the person who caused it, or NULL */
    const char *replaces; /**< what it edits: takes the place of what waits for the same; NULL */
    enum outlet_urgency urgency; /**< of both the one that goes first */
    bool joins;                  /**< with others of its room that do it can be one event ... */
    bool shows;                  /**< ... but only one that shows a board */
    bool live;                   /**< a game goes on there */
    bool apart;                  /**< what others cause in the room may go before it, and behind */
};

struct outlet;

struct outlet *outlet_create(void);
/** NULL is fine. */
void outlet_destroy(struct outlet *outlet);
/** Queues it. `gone` gets the number of what it has taken the place of, or
 * 0: that is never sent. */
void outlet_add(struct outlet *outlet, const struct outlet_item *item, int64_t now_ms,
                uint64_t *gone);
/** The table has come to wait for whom that room is: a hand that waits there is awaited. */
void outlet_hasten(struct outlet *outlet, const char *room, int64_t now_ms);
/** What goes now: it is under way until outlet_done(). 0: nothing does. */
uint64_t outlet_next(struct outlet *outlet, int64_t now_ms);
/** What goes with that as one event, in order, itself among it; how many. */
size_t outlet_together(const struct outlet *outlet, uint64_t number,
                       uint64_t numbers[OUTLET_TOGETHER_MAX]);
/** When outlet_next() is to be asked again, or -1: not until something is added or done. */
int64_t outlet_due_ms(const struct outlet *outlet, int64_t now_ms);

enum outlet_result {
    OUTLET_SENT,    /**< or refused for good: it is out of the queue */
    OUTLET_AGAIN,   /**< it must go once more, before all others of its room, after `wait_ms` */
    OUTLET_TOO_MANY /**< the same, and the whole account rests for `wait_ms` */
};
/** Of all that went with it. */
void outlet_done(struct outlet *outlet, uint64_t number, enum outlet_result result, int64_t wait_ms,
                 int64_t now_ms);
/** About how long until that is sent, or done; 0: it is not there. */
int64_t outlet_wait_ms(const struct outlet *outlet, uint64_t number, int64_t now_ms);
/** Whether no more is taken of that share. */
bool outlet_is_full(const struct outlet *outlet, const char *share, bool live);
/** Whether so many tables share the account that their cards change only when somebody is asked. */
bool outlet_is_crowded(const struct outlet *outlet, int64_t now_ms);
/** Writes limited, waited_ms, waiting and oldest_ms. */
void outlet_figures(const struct outlet *outlet, int64_t now_ms, struct chat_figures *out);

#endif
