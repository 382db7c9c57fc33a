/*
 * Every figure of the hall in one place: how much of what, and how long.
 */
#ifndef BOT_HALL_HALL_LIMITS_H
#define BOT_HALL_HALL_LIMITS_H

#include <stdint.h>

enum {
    HALL_CHATS_MAX = 8,
    HALL_LIVE_MAX = 2048,      /**< tables in memory; the one used longest ago goes */
    HALL_LINES_MAX = 32,       /**< lines that wait for a table or a person; then: come again */
    HALL_LINES_OF_PERSON = 12, /**< of these one person's */
    /** People who are remembered: for their rate and for what they said last. The one who was
     * silent longest is forgotten first. */
    HALL_PEOPLE_MAX = 16384,

    /** Events of a table's place that are remembered: a redelivery among the latest so many is
     * ignored. Platforms redeliver after a lost connection, within seconds. What was committed the
     * store knows for an hour. */
    HALL_EVENTS_OF_TABLE = 64,
    HALL_EVENTS_OF_PERSON = 16, /**< the same for what is said in private or at no table */

    HALL_PERSON_BURST = 12, /**< commands of one person at once ... */
    HALL_PERSON_REFILL_MS = 500,
    HALL_PLACE_BURST = 40, /**< ... of those who play at one table, and of all others there */
    HALL_PLACE_REFILL_MS = 100,

    HALL_NOISY_MAX = 1024, /**< places whose openings of tables are counted */

    HALL_UNREADABLE_BURST = 8, /**< lines of a log about tables that cannot be read ... */
    HALL_UNREADABLE_REFILL_MS = 60000,

    HALL_RECALL_MS = 600000, /**< one person calls others to play again so often at most */

    HALL_STEPS_MAX =
        256, /**< things that fall due in one hall_advance(), so that others are heard */
    HALL_TEXT_MAX = 32768,

    HALL_ATTEMPTS_MAX = 5, /**< at a step that others have overtaken */
    HALL_ASKS_MAX = 8192,  /**< questions to the store whose answers are known again */
    HALL_ANSWER_MS = 5000, /**< what the store has not answered by then is asked for again */
    HALL_STORE_RETRY_MS = 200,
    HALL_BEAT_MS = 1000,
    HALL_WATCH_MS = 100,  /**< what other processes commit is looked for so often, ... */
    HALL_ROUND_MS = 1000, /**< and what they leave behind */

    HALL_SEEK_MS = 600000,  /**< so long nobody who speaks in private is looked for again */
    HALL_LINK_MS = 600000,  /**< store time that a code is good for */
    HALL_SILENT_MS = 15000, /**< so long one of a table's networks is away before the other hears */
    HALL_REACH_MS = 120000, /**< so long a start waits for who can be written to soon ... */
    HALL_REACH_LOOK_MS = 1000, /**< ... and is looked at again */
    HALL_ROOM_MS = 10000,      /**< so long what is said waits for a room */
    HALL_UNSENT_MAX = 32,      /**< messages of a table that wait to be tried again */
    HALL_RETRY_FIRST_MS = 1000,
    HALL_RETRY_LAST_MS = 60000
};

/** What falls due soon after its network is back is taken out of the store, to show what its clocks
 * have left: within so long, and so many times as long as it was away. */
#define HALL_AHEAD_TIMES      INT64_C(10)
#define HALL_AHEAD_MS         INT64_C(600000)
#define HALL_HOUR_MS          INT64_C(3600000)
#define HALL_IDLE_OVER_MS     (HALL_HOUR_MS) /**< a game that is over can be looked at so long */
#define HALL_IDLE_MS          (24 * HALL_HOUR_MS) /**< a lobby in which nobody says a word */
#define HALL_IDLE_DESERTED_MS (6 * HALL_HOUR_MS)  /**< a game that all have left */
#define HALL_GONE_MS          (720 * HALL_HOUR_MS) /**< what is left of a community that has put us out */
#define HALL_IDLE_REST_MS     (720 * HALL_HOUR_MS) /**< a paused table, or one nobody comes to */

#endif
