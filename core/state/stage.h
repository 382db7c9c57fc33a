/*
 * What a table is doing: the phase of the turn, what kind of question is open, which pause lets
 * others act.
 */
#ifndef CORE_STATE_STAGE_H
#define CORE_STATE_STAGE_H

#include <stdint.h>

enum phase {
    PHASE_SETUP,
    PHASE_START,
    PHASE_OPENED,
    PHASE_COMBAT,
    PHASE_RUNNING,
    PHASE_LOOTING_BODY,
    PHASE_CHARITY,
    PHASE_OVER,
    PHASE_TOTAL
};

enum decision_kind {
    DECIDE_CHOOSE_CARD,
    DECIDE_CHOOSE_CARDS,
    DECIDE_CHOOSE_PLAYER,
    DECIDE_CHOOSE_MONSTER,
    DECIDE_YES_NO,
    DECIDE_ORDER,
    DECIDE_NUMBER,
    DECIDE_ASK_HELP,
    DECIDE_OFFER,
    DECIDE_PICK_TREASURE,
    DECIDE_LOOT_BODY,
    DECIDE_CHARITY,
    DECIDE_ANSWER,
    DECIDE_TOTAL
};

enum pause_kind { PAUSE_NONE, PAUSE_WIN, PAUSE_ANSWER };

struct pause {
    uint8_t kind;
    uint8_t waited; /**< bits of seats whose pass ends it */
    uint8_t passed;
    uint8_t restarts; /**< counts openings and restarts: the session's clock follows it */
    uint8_t holds;    /**< how often it was lengthened since it opened */
    uint8_t shown;    /**< part of `passed` that all see: the seat that opened or restarted it */
    uint8_t unused[2];
};

#endif
