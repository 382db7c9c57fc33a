/*
 * The hall: every table of a process, from what is heard to what is said.
 *
 * One loop carries them all: hear, fetch, decide, commit, post. A line is heard from a chat; its
 * table is fetched from the store unless it is live; bot/table decides what comes of it; that is
 * committed in one piece; and only then said. Bot players go on in the same step while they alone
 * may act, a move at a time with other tables in between. What changes nothing commits nothing.
 *
 * A line for a table that is being fetched, decided or committed waits in that table's queue, and
 * other tables go on. A commit that finds another version is dropped, the table fetched and the
 * line decided again. A table that is not used gives way to others and is fetched again when it is.
 *
 * A table is at one place of one chat (channel, thread, room), found in the store's directory. What
 * is said in private goes to the only table of that person, or to the one that it names ("at 2
 * kick"), or to the one chosen before ("at 2"). A control answers to what its message shows, at the
 * place or to the person that message was for, and to nothing later.
 *
 * Nobody is listened to without bounds: a person's commands are rationed, those of who plays at a
 * table, and those of all others there (bot/hall/hall_limits.h); the same event is not heard twice;
 * chats are heard in turn and tables dealt with in turn. A message has its row in the store until
 * its outcome; what a chat cannot take now is tried again, in order for each reader.
 *
 * Several halls, each in a process of its own, may serve one store. Any of them hears any line: a
 * live table is compared with the store first, and of two that commit the loser decides again. One
 * sends what a table says and sees to what falls due there; who heard a line answers it.
 *
 * Time is virtual: hall_advance() moves it, and the store's with it. A table's time runs from the
 * outcomes of all that its last step has said to everybody, and stands while the store fails.
 * Catalog, store and chats are borrowed and outlive the hall; destroying it stops nothing and loses
 * nothing that was committed. One thread.
 */
#ifndef BOT_HALL_HALL_H
#define BOT_HALL_HALL_H

#include "bot/chat.h"
#include "bot/hall/hall_limits.h"
#include "bot/hall/rate.h"
#include "bot/store.h"
#include "bot/table/table.h"

struct hall;

enum hall_note_kind {
    HALL_NOTE_OPENED,
    HALL_NOTE_CHANGED,
    HALL_NOTE_CLOSED,
    HALL_NOTE_LOOKED, /**< a command was answered and changed nothing */
    HALL_NOTE_REFUSED,
    HALL_NOTE_UNREADABLE
};

/** What an operator may be told of what happens at a table: nothing that anybody has typed but a
 * command's word, and nothing of any hand. Borrowed during the call; "" : there is none. */
struct hall_note {
    enum hall_note_kind kind;
    const char *table;
    uint64_t version;    /**< after the step, or as it is */
    const char *network; /**< of the line, or "" : it happened by itself */
    const char *event;   /**< the platform's id of the line */
    const char *verb;    /**< the command's whole word; static */
    const char *refusal; /**< the code; "" unless it was refused; static */
    const char *reason;  /**< why it cannot be read, or "" */
};

/** Whom a hall serves, and how much each may do there. Words are borrowed. All zero: everybody, and
 * commands as bot/hall/hall_limits.h has them. */
struct hall_policy {
    struct rate_rule person, place; /**< commands; burst 0: as in hall_limits.h */
    struct rate_rule person_tables; /**< that one person opens; burst 0: as many as they like */
    struct rate_rule place_tables;  /**< the same of a channel or room */
    int64_t keep_ms; /**< so long games that are over are kept, in store time; 0: as many as the
                        store has room for */
    struct hall_lists {
        const char *network; /**< or NULL */
        /** Servers, channels or rooms, and people (chat_list_names()). Where there is a list to
         * allow, a line is heard if its server, its place or its speaker is on it; a thread's
         * channel counts, too. Of what is said in private for a table, the table's places count.
         * Lines of people and places on `block` are not heard. NULL: none. */
        const char *allow, *block;
    } lists[2];
};

/** No limits: for a terminal, and for games without people. */
extern const struct hall_policy HALL_AT_WILL;

struct hall_setup {
    const struct catalog *catalog;
    struct library *library; /**< of the catalog, lent, for several halls; NULL: one of its own */
    struct store *store;     /**< started; maybe served by other processes, too */
    /** Borrowed; its owner may change it between two calls. NULL: all zero. */
    const struct hall_policy *policy;
    /** How much one call of hall_hear() or hall_advance() does at most, in lines, answers of the
     * store, turns of tables and things that fall due: others wait no longer. 0: all there is. */
    unsigned pieces;
    /** Of the store's tables only those matter that are opened, shown or spoken to here: another
     * hall serves the others. */
    bool alone;
    /** Seconds since 1970, for tables' quiet hours and nothing else; NULL: it is never quiet. */
    int64_t (*wall_s)(void *user);
    void *wall_user;
    void (*note)(void *user, const struct hall_note *note); /**< or NULL */
    void *note_user;
    /** Makes a "former player" of somebody in the whole store (bot/kept/kept_table.h), beside the
     * loop, and calls hall_forgotten() later, one person at a time. NULL: that is the operator's.
     */
    void (*forget)(void *user, const char *network, const char *person);
    void *forget_user;
};

/* How long something took, each time: counts by fixed bounds, as Prometheus has histograms. */

enum { HISTOGRAM_BOUNDS = 14 };

/** In ms; what took longer counts in the total alone. */
static const int32_t HISTOGRAM_MS[HISTOGRAM_BOUNDS] = {1,   2,   5,    10,   25,   50,    100,
                                                       250, 500, 1000, 2500, 5000, 15000, 60000};

struct histogram {
    uint64_t at_most[HISTOGRAM_BOUNDS]; /**< not cumulative: each duration counts once */
    uint64_t count, sum_ms;
};

static inline void histogram_note(struct histogram *histogram, int64_t ms)
{
    const uint64_t took_ms = ms > 0 ? (uint64_t)ms : 0;
    unsigned at = 0;
    while (at < HISTOGRAM_BOUNDS && took_ms > (uint64_t)HISTOGRAM_MS[at]) {
        at++;
    }
    if (at < HISTOGRAM_BOUNDS) {
        histogram->at_most[at]++;
    }
    histogram->count++;
    histogram->sum_ms += took_ms;
}

struct hall_stats {
    unsigned long heard;         /**< lines dealt with */
    unsigned long repeated;      /**< events that had been heard before */
    unsigned long rationed;      /**< lines dropped for being too many */
    unsigned long barred;        /**< lines not heard, by the operator's lists */
    unsigned long crowded;       /**< lines dropped because too many waited already */
    unsigned long stale;         /**< controls that came too late, or from elsewhere */
    unsigned long steps;         /**< committed */
    unsigned long conflicts;     /**< commits that found another version */
    unsigned long fetched;       /**< tables taken out of the store */
    unsigned long sent;          /**< messages a chat took */
    unsigned long retried;       /**< messages it did not take at first */
    unsigned long undeliverable; /**< messages it never took or delivered */
    unsigned long commit_bytes;  /**< of tables, journals and messages in commits */
    struct histogram heard_to_commit;
    struct histogram heard_to_delivery[HALL_CHATS_MAX]; /**< of messages of a step, by chat */
    struct histogram commit;                            /**< from the question to its answer */
};

struct hall_chat_figures {
    const struct chat *chat;
    bool speaks;       /**< this process speaks there */
    size_t heard;      /**< lines and news that wait in the chat's queue */
    size_t unsent;     /**< messages without an outcome */
    int64_t oldest_ms; /**< how long the oldest of them has waited */
};

/** How things stand, counted when asked. */
struct hall_figures {
    size_t tables[TABLE_OVER + 1]; /**< in memory, by enum table_state; EMPTY: being opened */
    size_t held;                   /**< tables for which this process speaks, if several do */
    size_t lines;                  /**< lines that wait for their table */
    struct hall_chat_figures chats[HALL_CHATS_MAX];
    unsigned chat_count;
};

struct hall *hall_create(const struct hall_setup *setup);
/** NULL is fine. */
void hall_destroy(struct hall *hall);
/** Has every accepted command told of before it is committed: checks. */
void hall_watch(struct hall *hall, const struct table_watcher *watcher);
/** Adds a started chat, whose inbox the hall drains and whose outcomes it hears from now on; at
 * most HALL_CHATS_MAX, each of another name. */
MB_MUST_CHECK
bool hall_add_chat(struct hall *hall, struct chat *chat, struct mb_error *err);
/** Opens a whole table at a place of a chat where none is: its seats are taken, and it starts with
 * that chance (TABLE_CHANCE_SIZE bytes). False if something is there already.
 * What comes of it is seen by hall_table() when the store has answered; borrowed until then. */
MB_MUST_CHECK
bool hall_open(struct hall *hall, struct chat *chat, const char *place,
               const struct deed_table *open, const uint8_t *chance);

/** Fetches the table at a place of a chat, if there is one, and shows its card and hands again: who
 * reads them has lost them with an earlier process. False if as many tables are live as can be. */
MB_MUST_CHECK
bool hall_show(struct hall *hall, struct chat *chat, const char *place);

/** Takes the store's answers and deals with everything that was heard, one line of each chat in
 * turn, as far as that goes without further answers. False if there is more: call again. */
bool hall_hear(struct hall *hall);
/** In place of hall_hear(), when the process is about to end: who says something is told so. */
void hall_dismiss(struct hall *hall);
/** Moves the clock; what falls due on the way happens in its order, at most HALL_STEPS_MAX things.
 * False if there is more already: call again with 0 when the chats have been heard. */
bool hall_advance(struct hall *hall, int64_t ms);
/** The process stood still for so long (it was stopped, its machine slept): neither tables nor the
 * store grow older by that. To be called before anything else is, when it goes on. */
void hall_stand(struct hall *hall, int64_t ms);
/** Until something falls due; 0 now, -1 never. While anything is to fall due the store is told how
 * much time has passed, each second. */
int64_t hall_due_ms(struct hall *hall);

/** Whether anything waits for an answer of the store, or the store fails: asked again when time
 * passes. */
bool hall_waits(const struct hall *hall);
/** Whether the store has not done what it was asked last: tables' time stands until it does. */
bool hall_lacks_store(const struct hall *hall);
/** Whether anything that was heard or said is under way: lines that are being dealt with, commits,
 * messages that a chat has and whose outcome it has not told, outcomes the store does not know,
 * what a chat wants kept and the store has not. */
bool hall_is_busy(const struct hall *hall);

/** What `forget` was called for is done; or not, and is to be tried again later. */
void hall_forgotten(struct hall *hall, bool done);

/** Whether this process sends what the live table there says. */
bool hall_holds(const struct hall *hall, const struct chat *chat, const char *place);
/** Lets go of every table at which nothing is under way; the store has them. */
void hall_forget(struct hall *hall);
/** Tables in memory. */
size_t hall_live_count(const struct hall *hall);
/** The live table at a place of a chat, good until the hall is called again; NULL if there is none.
 */
const struct table *hall_table(const struct hall *hall, const struct chat *chat, const char *place);
/** How often the live table there has changed, as the store counts it; 0: there is none. */
uint64_t hall_version(const struct hall *hall, const struct chat *chat, const char *place);
/** The words of a seat there; false if no table is live there. */
bool hall_words(struct hall *hall, const struct chat *chat, const char *place, unsigned seat,
                struct table_words *out);
const struct hall_stats *hall_stats(const struct hall *hall);
void hall_figures(const struct hall *hall, struct hall_figures *out);

#endif
