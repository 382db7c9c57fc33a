/*
 * Every figure of the hall in one place: how much of what, and how long.
 */
#ifndef BOT_HALL_HALL_LIMITS_H
#define BOT_HALL_HALL_LIMITS_H

#include <stdint.h>

enum {
    HALL_CHATS_MAX = 8,
    HALL_TABLES_MAX = 20000,
    HALL_TABLES_OF_PERSON = 8, /**< at which one may sit at once */
    /** People who sit nowhere and are remembered all the same: for their rate and for what they
     * said last. The one who was silent longest is forgotten first. */
    HALL_STRANGERS_MAX = 16384,

    /** Events of a table's place that are remembered: a redelivery among the latest so many is
     * ignored. Platforms redeliver after a lost connection, within seconds. */
    HALL_EVENTS_OF_TABLE = 64,
    HALL_EVENTS_OF_PERSON = 16, /**< the same for what is said in private or at no table */

    HALL_PERSON_BURST = 12, /**< commands of one person at once ... */
    HALL_PERSON_REFILL_MS = 500,
    HALL_PLACE_BURST = 40, /**< ... and of everybody at one table */
    HALL_PLACE_REFILL_MS = 100,

    HALL_STEPS_MAX = 256, /**< tables dealt with in one hall_advance(), so that others are heard */
    HALL_NARRATION_MAX = 12288, /**< bytes of one narration; the oldest lines give way */
    HALL_NEWS_MAX = 2048,       /**< bytes of what a player has learnt since they last acted */
    HALL_TEXT_MAX = 32768,

    HALL_UNSENT_MAX = 32, /**< messages of a table that wait to be tried again */
    HALL_RETRY_FIRST_MS = 1000,
    HALL_RETRY_LAST_MS = 60000
};

#define HALL_HOUR_MS      INT64_C(3600000)
#define HALL_IDLE_OVER_MS (HALL_HOUR_MS)       /**< a game that is over can be looked at so long */
#define HALL_IDLE_MS      (24 * HALL_HOUR_MS)  /**< a lobby in which nobody says a word */
#define HALL_IDLE_REST_MS (720 * HALL_HOUR_MS) /**< a paused table, or one that all have left */

#endif
