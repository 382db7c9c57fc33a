/*
 * What a kind of card is: figures, and rows of effect data. Immutable after loading.
 *
 * A *row* says {when, what (op), amount, on whom, for how long, cost, limit, requirements}. The
 * vocabulary is closed: triggers, ops, selectors, sources and requirements are the enums made from
 * the .def lists, which also give the words of the card files (cards/README.md). Everything that
 * makes one card differ from another stands in these structs; no code anywhere asks which card it
 * has before it.
 *
 * All arrays belong to the box; a def refers to its rows, requirements, filters and costs by index.
 */
#ifndef CORE_CARD_CARD_H
#define CORE_CARD_CARD_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/ids.h"

enum card_deck { DECK_DOOR, DECK_TREASURE };

#define WORD(id, ...) id,
enum card_kind {
#include "core/words/kind.def"
    KIND_TOTAL
};
enum slot {
#include "core/words/slot.def"
    SLOT_TOTAL
};
enum trigger {
#include "core/words/trigger.def"
    TRIGGER_TOTAL
};
enum selector {
#include "core/words/selector.def"
    SELECTOR_TOTAL
};
enum amount_source {
#include "core/words/source.def"
    SOURCE_TOTAL
};
enum requirement_kind {
#include "core/words/requirement.def"
    REQUIREMENT_TOTAL
};
enum range {
#include "core/words/range.def"
    RANGE_TOTAL
};
enum duration {
#include "core/words/duration.def"
    DURATION_TOTAL
};
enum chooser {
#include "core/words/chooser.def"
    CHOOSER_TOTAL
};
enum place {
#include "core/words/place.def"
    PLACE_TOTAL
};
enum limit_scope {
#include "core/words/scope.def"
    SCOPE_TOTAL
};
enum timing_bit {
#include "core/words/timing.def"
    TIMING_TOTAL
};
enum target_rule {
#include "core/words/target.def"
    TARGET_RULE_TOTAL
};
enum exclusion {
#include "core/words/exclusion.def"
    EXCLUSION_TOTAL
};
enum bar {
#include "core/words/bar.def"
    BAR_TOTAL
};
enum removal {
#include "core/words/removal.def"
    REMOVAL_TOTAL
};
enum whose {
#include "core/words/whose.def"
};
enum goal {
#include "core/words/goal.def"
    GOAL_TOTAL
};
#undef WORD

#define COUNTED(id, ...) EFFECT_##id,
#define DONE(id, ...)    EFFECT_##id,
enum effect_op {
#include "core/card/effects.def"
    EFFECT_TOTAL
};
#undef COUNTED
#undef DONE

/** Whether what acts at a trigger is played or used as an answer. */
static inline bool when_answers(unsigned when)
{
    return when == WHEN_ANSWER_CURSE || when == WHEN_ANSWER_ROLL || when == WHEN_ANSWER_PLAY;
}

/** Tags the rules themselves know; the loader gives further tags the numbers after these. */
enum { TAG_UNDEAD, TAG_GOBLIN, TAG_FIRE, TAG_KNOWN };

/** Which cards are meant. Zero means "does not matter" in every field. */
struct filter {
    uint32_t kinds;    /**< bits of enum card_kind */
    uint8_t place;     /**< enum place */
    uint8_t slot;      /**< enum slot + 1 */
    uint8_t size;      /**< 1 small, 2 big */
    uint8_t side;      /**< enum side: of what was thrown into the fight */
    uint8_t item;      /**< 1 Items only (one-shots included), 2 permanent Items only, 3 no Items */
    uint8_t trait;     /**< trait + 1: gives this trait */
    int16_t value_min; /**< Gold Pieces */
    int16_t value_max; /**< Gold Pieces; 0 no limit */
    int16_t level_max; /**< monsters: printed Level; 0 no limit */
    /** Printed bonus, what it depends on left out; 0: no limit. */
    int16_t bonus_min, bonus_below;
    uint16_t name;    /**< name id + 1: cards of just this name */
    uint16_t or_else; /**< filter + 1: fits too, place and all; 0: there is no other */
    uint8_t attached; /**< 1 something lies with it, 2 it lies with something */
    uint64_t tags;    /**< bits by tag: has all of them */
};

/** A number: k times what the source counts, plus base; cap (if not 0) bounds its size. */
struct amount {
    uint8_t source; /**< enum amount_source */
    uint8_t who;    /**< enum selector: whose Level, whose cards */
    int16_t k;
    int16_t base;
    int16_t cap;
    uint16_t arg;  /**< trait, tag or filter + 1, as the source wants */
    bool half;     /**< half of what is counted, rounded up */
    bool drawback; /**< of a trait: it is counted as a disadvantage (CHAR-7) */
};

/** {kind, range, present}. `drawback`: asks for a trait as a disadvantage (CHAR-7). */
struct requirement {
    uint8_t kind;  /**< enum requirement_kind */
    uint8_t range; /**< enum range */
    bool absent;
    bool drawback;
    int16_t n;    /**< number, trait, tag, slot or name id, as the kind wants */
    uint16_t arg; /**< filter + 1 for kinds that count cards */
};

/** What must be paid. Cards are paid to the discards in the order named. */
struct cost {
    uint8_t min, max; /**< how many cards; 0, 0 with whole_hand: the hand */
    bool whole_hand;  /**< the whole hand, of at least `min` cards */
    bool self;        /**< the card itself goes */
    int16_t levels;   /**< Levels of one's own */
    uint16_t filter;  /**< filter + 1: which cards may pay; 0 any of one's own, hand or table */
};

enum row_flag {
    ROW_ELSE = 1,     /**< acts only if the row before it found nothing to do */
    ROW_MAY = 2,      /**< the affected player may decline */
    ROW_FIXED = 4,    /**< a static amount that is fixed when the monster enters */
    ROW_KILL = 8,     /**< removing counts as a kill */
    ROW_FACE_UP = 16, /**< draws face up */
    ROW_INSTEAD = 32, /**< an enhancer's: the monster's own rows of the trigger do not act */
    ROW_THEN = 64     /**< acts only if the row before it did something */
};

struct row {
    uint8_t when;    /**< enum trigger */
    uint8_t op;      /**< enum effect_op */
    uint8_t who;     /**< enum selector */
    uint8_t until;   /**< enum duration */
    uint8_t chooser; /**< enum chooser */
    uint8_t flags;   /**< enum row_flag */
    uint8_t limit;   /**< enum limit_scope */
    uint8_t limit_n; /**< how often (cards, if the cost is counted in cards) in that scope */
    struct amount n;
    int16_t a, b;    /**< the op's own arguments, see its definition */
    uint16_t filter; /**< filter + 1 */
    uint16_t cost;   /**< cost + 1 */
    uint16_t first_req;
    uint8_t req_count;
    uint8_t ability; /**< ability id + 1 of rows that are used by a name */
    uint8_t target;  /**< enum target_rule: what `on` names */
    uint8_t whose;   /**< enum whose: to whom it has to happen */
};

enum def_flag {
    DEF_BIG = 1,
    DEF_VALUE = 2,        /**< has a Gold Piece value (also 0 = "No Value" on an Item) */
    DEF_STAYS = 4,        /**< a special Treasure or Curse that stays in play when played */
    DEF_HUMAN = 8,        /**< a Race that leaves one human (CHAR-16) */
    DEF_SACRIFICE = 16,   /**< a follower that may be sacrificed (HIRE-4) */
    DEF_ON_SELF = 32,     /**< may be played on oneself only */
    DEF_KEPT = 64,        /**< kept on death though its kind is not (DEATH-2) */
    DEF_EXTRA_ARMOR = 128 /**< fills the Armor and the Headgear slot */
};

/** Where an op stands in card_def.static_ops. */
static inline uint64_t row_op_bit(unsigned op)
{
    return UINT64_C(1) << (op % 64);
}

struct card_def {
    uint16_t name; /**< name id: equal for same-named cards of all sets */
    uint8_t set;   /**< index of the set */
    uint8_t kind;  /**< enum card_kind */
    uint8_t deck;  /**< enum card_deck */
    uint8_t level; /**< a Monster's Level */
    uint8_t treasures;
    uint8_t levels; /**< Levels for the kill */
    uint8_t rank;   /**< a Power's Rank */
    uint8_t slot;   /**< enum slot */
    uint8_t flags;  /**< enum def_flag */
    uint8_t trait;  /**< the trait an identity card gives, or NO_TRAIT */
    int16_t gold;
    uint16_t timing; /**< bits of enum timing_bit: when it may be played for its effect */
    uint64_t tags;   /**< bits by tag */
    /** Bit per op, modulo 64, of its rows that always hold: who looks for one passes by all others
     */
    uint64_t static_ops;
    uint16_t first_row;
    uint16_t first_need; /**< requirements for playing (identity, Powers) or equipping (Items) */
    uint8_t row_count;
    uint8_t need_count;
    uint8_t sides; /**< one-shots: bit 0 may be played for the players, bit 1 for the monsters */
};

#endif
