/*
 * Events: the only way a state changes, and what players are told.
 *
 * event_apply() is total: it refuses nothing, draws no chance, asks nobody; outcomes (faces, drawn
 * cards, orders) stand in the event. Applying the events of a command to the state before it gives
 * the state after it. What each type says in which field, and who is told it, stands in event.def;
 * event_for_viewer() blanks the rest.
 */
#ifndef CORE_STATE_EVENT_H
#define CORE_STATE_EVENT_H

#include <stdbool.h>

#include "core/deal/deal_terms.h"
#include "core/state/record.h"

struct game;

#define EVENT(id, name, ...) EVENT_##id,
enum event_type {
#include "core/state/event.def"
    EVENT_TOTAL
};
#undef EVENT

#define NOTE(id, name) NOTE_##id,
enum note {
#include "core/state/note.def"
    NOTE_TOTAL
};
#undef NOTE

#define MOVE_WHY(id, name) MOVE_##id,
enum move_why {
#include "core/state/move_why.def"
    MOVE_TOTAL
};
#undef MOVE_WHY

enum level_why {
    LEVEL_CARD,
    LEVEL_KILL,
    LEVEL_SALE,
    LEVEL_HELP,
    LEVEL_BAD_STUFF,
    LEVEL_CURSE,
    LEVEL_THEFT,
    LEVEL_PAID
};
enum seat_field { SEAT_FIELD_FEMALE, SEAT_FIELD_ALIVE, SEAT_FIELD_FLAGS, SEAT_FIELD_HOLDS };
enum game_field {
    GAME_PHASE,
    GAME_TURN,
    GAME_ROUND,
    GAME_BRIBED,
    GAME_AFTER_FIGHT,
    GAME_MET_MONSTER,
    GAME_DYING,
    GAME_DOOMED,
    GAME_LOOTED,
    GAME_CHARITY_OPEN,
    GAME_DEAL_NEXT,
    GAME_DEATHS_CLEAR,
    GAME_DICE_USED,
    GAME_PICKS_USED
};
enum fight_field { FIGHT_FLAGS, FIGHT_HELPER_TREASURES, FIGHT_ENTERING, FIGHT_REFUSED };
enum roll_for { ROLL_FLIGHT, ROLL_THEFT, ROLL_IDENTITY, ROLL_FIRST, ROLL_LOOT, ROLL_EFFECT };
enum pause_change { PAUSE_OPENS, PAUSE_RESTARTS, PAUSE_CLOSES, PAUSE_HELD };

enum { EVENT_LIST_MAX = 24 };

/** What an event may say, for its audiences. */
enum event_field {
    EVENT_FIELD_HAPPENED, /**< that it happened at all */
    EVENT_FIELD_SEAT,
    EVENT_FIELD_SEAT2,
    EVENT_FIELD_WHY,
    EVENT_FIELD_FROM,
    EVENT_FIELD_TO,
    EVENT_FIELD_KNOWERS,
    EVENT_FIELD_MASK,
    EVENT_FIELD_CARD,
    EVENT_FIELD_CARD2,
    EVENT_FIELD_N,
    EVENT_FIELD_M,
    EVENT_FIELD_DECIDE, /**< without subject and source */
    EVENT_FIELD_SUBJECT,
    EVENT_FIELD_SOURCE,
    EVENT_FIELD_DEAL,     /**< without promises and answers */
    EVENT_FIELD_PROMISES, /**< which cards; how many goes with the deal */
    EVENT_FIELD_LASTING,
    EVENT_FIELD_MONSTER,
    EVENT_FIELD_OWED,
    EVENT_FIELD_TOTAL
};

enum audience { AUDIENCE_NONE, AUDIENCE_ALL, AUDIENCE_KNOWERS, AUDIENCE_MASK, AUDIENCE_PARTIES };

enum waiting_change { WAITING_NOTED, WAITING_DONE, WAITING_ALL_DONE };

struct event {
    uint8_t type; /**< enum event_type */
    uint8_t seat;
    uint8_t seat2;
    uint8_t why;
    uint8_t from, to; /**< piles */
    uint8_t knowers;  /**< MOVE: seats that know the card after it */
    uint8_t mask;
    uint16_t card, card2;
    int32_t n, m;
    union {
        uint16_t list[EVENT_LIST_MAX];
        struct frame frame;
        struct lasting lasting;
        struct deal deal;
        struct monster monster;
        struct owed owed;
        struct {
            uint8_t kind, seats, min, max, own_only, may_pass;
            uint16_t subject, source;
            int16_t value_min;
        } decide;
    } u;
};

struct event_list {
    struct event *items;
    uint32_t count, capacity;
    bool overflow; /**< more than capacity were emitted; the command must be dropped */
};

/** Changes the state by one event. */
void event_apply(struct game *game, const struct event *event);
/** Who is told a field (enum event_field) of a type of event. */
enum audience event_audience(unsigned type, unsigned field);
/** The event as `viewer` may see it (NO_SEAT: an onlooker): cards and seats not told become NO_CARD
 * and NO_SEAT, all else not told 0. False: the viewer learns nothing. */
bool event_for_viewer(const struct event *event, unsigned viewer, struct event *out);
const char *event_name(unsigned type);

#endif
