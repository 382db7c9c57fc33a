/*
 * Parts of a state that events carry whole: flags of seats, monsters of the fight, rewards owed,
 * effects that last, frames.
 */
#ifndef CORE_STATE_RECORD_H
#define CORE_STATE_RECORD_H

#include <stdint.h>

#include "core/base/ids.h"
#include "core/state/frame_record.h"

enum seat_flag {
    SEAT_SEX_CHANGED = 1,
    SEAT_READY = 2,      /**< said done in the set-up */
    SEAT_NEEDS_DEAL = 4, /**< died: draws four and four at the next own turn (DEATH-8) */
    SEAT_SKIPS = 8,      /**< skips the next turn */
    SEAT_FLEW = 16       /**< escaped by sacrifice or card in this fight */
};

/** A monster of the fight. Its strength is derived from `group`, the text of `face`, its
 * enhancers and `fixed`. */
struct monster {
    uint16_t card;   /**< the card lying there */
    uint16_t face;   /**< the card whose text and figures act (another for a Mate) */
    uint16_t group;  /**< the card its enhancers lie with: its own, or its original's for a Mate */
    int16_t fixed;   /**< what its `fixed` rows came to on entering */
    uint8_t flags;   /**< enum monster_flag */
    uint8_t escaped; /**< bits of seats done with it in flight */
    uint8_t caught;  /**< bits of seats that it caught */
    uint8_t seat;    /**< who brought it in */
};

enum monster_flag {
    MONSTER_WANDERED = 1, /**< joined, was not met first */
    MONSTER_GONE = 2,     /**< left or was slain early; stays listed for the order of discards */
    MONSTER_PASSED = 4,   /**< optional and let go unfought */
    MONSTER_FOLLOWS = 8   /**< goes to the next fight, not to the discards */
};

/** A reward that waits for the end of the fight (CONF-4). */
struct owed {
    uint8_t seat;
    uint8_t levels;
    int16_t treasures;
    uint16_t card; /**< the monster it is for */
    uint8_t kill;  /**< 1: a kill; kill triggers act */
    uint8_t unused;
};

/** An effect that lasts without a card of its own. */
struct lasting {
    uint8_t op;    /**< enum effect_op (a counted op), LASTING_USED for a counter, 0xFF free */
    uint8_t seat;  /**< on whom */
    uint8_t until; /**< enum duration */
    uint8_t arg;   /**< the op's argument a; for counters the ability; or LASTING_OF_ITEM */
    int16_t n;
    uint16_t source; /**< the card it came from, or the Item it is of */
    uint16_t about;  /**< for counters: victim seat or NO_CARD; else filter + 1 */
    uint8_t fought;  /**< until next_fight: 1 once the fight has begun */
    uint8_t by;      /**< who caused it (a helper's leaves with the helper, RUL-150) */
};

enum { LASTING_FREE = 0xFF, LASTING_USED = 0xFE, LASTING_OF_ITEM = 0xFF };

/** Whether it is of the Item `source` and goes with it: of an op without an argument of its own. */
static inline bool lasting_of_item(const struct lasting *lasting)
{
    return lasting->arg == LASTING_OF_ITEM && lasting->op < LASTING_USED;
}

/** A free entry: all of them are alike. */
static inline struct lasting lasting_none(void)
{
    return (struct lasting){.op = LASTING_FREE, .source = NO_CARD, .about = NO_CARD};
}

#endif
