/*
 * The hall: all tables of one process, and who sits at them.
 *
 * What is said in a chat goes in (hall_hear), what tables say goes out (chat_send). A table is at
 * one place of one chat (channel, thread, room); a person is one of a chat's, known by the
 * platform's id, shown by a name made safe (bot/table/person_name.h), and may sit at several
 * tables. What is said in private goes to the only table of that person, or to the one that it
 * names ("at 2 kick"), or to the one chosen before ("at 2").
 *
 * A table's messages: narration between two decisions of people is one message, held back while
 * only bot players act, and they act at once then. The table card and each player's hand are sent
 * when and only when they have changed. A control answers to what its message shows and to nothing
 * later. What a chat cannot do is degraded as bot/chat.h says.
 *
 * Nobody is listened to without bounds: a person's and a place's commands are rationed
 * (bot/hall/hall_limits.h), the same event is not heard twice, chats are heard in turn and tables
 * dealt with in turn. Messages that a chat cannot take now are tried again, in order for each
 * reader; those given up are counted and owned up to.
 *
 * Time is virtual: hall_advance() moves it. Catalog and chats are borrowed and outlive the hall;
 * sessions are the hall's. One thread.
 */
#ifndef BOT_HALL_HALL_H
#define BOT_HALL_HALL_H

#include "bot/chat.h"
#include "bot/hall/rate.h"
#include "bot/session/session.h"

struct hall;

struct hall_setup {
    const struct catalog *catalog;
    struct rate_rule person, place; /**< all zero: as in bot/hall/hall_limits.h */
};

struct hall_stats {
    unsigned long heard;         /**< lines dealt with */
    unsigned long repeated;      /**< events that had been heard before */
    unsigned long rationed;      /**< lines dropped for being too many */
    unsigned long stale;         /**< controls that came too late */
    unsigned long sent;          /**< messages a chat took */
    unsigned long retried;       /**< messages it did not take at first */
    unsigned long undeliverable; /**< messages it never took */
};

/** NULL only without memory. */
struct hall *hall_create(const struct hall_setup *setup);
/** NULL is fine. */
void hall_destroy(struct hall *hall);
/** Adds a started chat, whose inbox the hall drains from now on; at most HALL_CHATS_MAX. */
MB_MUST_CHECK
bool hall_add_chat(struct hall *hall, struct chat *chat, struct mb_error *err);

/** Deals with everything that was heard, one line of each chat in turn. */
void hall_hear(struct hall *hall);
/** Moves the clock; what falls due on the way happens in its order, at most HALL_STEPS_MAX things.
 * False if more is due already: call again with 0 when the chats have been heard. */
bool hall_advance(struct hall *hall, int64_t ms);
/** Until something falls due; 0 now, -1 never. */
int64_t hall_due_ms(const struct hall *hall);

size_t hall_table_count(const struct hall *hall);
/** The table at a place of a chat; NULL if there is none. */
struct session *hall_session(struct hall *hall, const struct chat *chat, const char *place);
const struct hall_stats *hall_stats(const struct hall *hall);

#endif
