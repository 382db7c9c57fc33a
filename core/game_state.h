/*
 * The whole state of a table, by value. For core/, core/codec/ and tests/core/ only; others see
 * core/game.h.
 *
 * Invariants: no pointers; every card is in exactly one pile; a pile is a list through `next`; all
 * numbers shown to players are derived (core/strength.h), never stored. The state changes only in
 * event_apply(). The waiting point is the top frame, a named step and its payload.
 */
#ifndef CORE_GAME_STATE_H
#define CORE_GAME_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/ids.h"
#include "core/rng.h"

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

/** Where a card is. HAND and TABLE come once a seat: see pile_hand(), pile_table(). */
enum pile {
    PILE_DOOR_DECK,
    PILE_TREASURE_DECK,
    PILE_DOOR_DISCARD,
    PILE_TREASURE_DISCARD,
    PILE_FACE_UP,   /**< turned up by a kick and neither taken nor gone yet */
    PILE_FIGHT,     /**< monsters and all cards played into the fight, in order */
    PILE_RESOLVING, /**< announced, not yet in effect */
    PILE_AWARD,     /**< Treasures lying face up to be shared */
    PILE_BODY,      /**< a dead player's cards laid out */
    PILE_ASIDE,     /**< out of the game */
    PILE_HAND,      /**< + seat */
    PILE_TABLE = PILE_HAND + MB_SEATS_MAX, /**< + seat: in play (ZONE-1) */
    PILE_TOTAL = PILE_TABLE + MB_SEATS_MAX
};

enum card_flag {
    CARD_EQUIPPED = 1,
    CARD_FROM_TABLE = 2,   /**< in the fight: came from its player's table */
    CARD_FOR_MONSTERS = 4, /**< in the fight: counts for the monsters' side */
    CARD_FRESH = 8,        /**< just received (ACT-2) */
    CARD_DOUBLED = 16,     /**< counts twice in the next sale (Double Price) */
    CARD_TURNED = 32,      /**< a follower that fights for the monsters */
    CARD_LATE = 64,  /**< received on another's turn: not sold before the own turn (TRADE-2) */
    CARD_BLANK = 128 /**< only in redacted states: what it is is not known */
};

struct card_state {
    uint16_t next;   /**< in its pile, or NO_CARD */
    uint16_t host;   /**< the card it lies with (Cheat! with an Item, an Item with a follower, an
                          enhancer with its monster), or NO_CARD */
    uint8_t pile;    /**< enum pile, seat added */
    uint8_t seat;    /**< who played it (fight, resolving, body), else the owner or NO_SEAT */
    uint8_t knowers; /**< bits of the seats that know what and where it is */
    uint8_t flags;   /**< enum card_flag */
};

struct pile_state {
    uint16_t first, last, count;
};

enum seat_flag {
    SEAT_SEX_CHANGED = 1,
    SEAT_READY = 2,      /**< said done in the set-up */
    SEAT_NEEDS_DEAL = 4, /**< died: draws four and four at the next own turn (DEATH-8) */
    SEAT_SKIPS = 8,      /**< skips the next turn */
    SEAT_FLEW = 16       /**< escaped by sacrifice or card in this fight */
};

struct seat_state {
    uint8_t level;
    uint8_t female;
    uint8_t alive;
    uint8_t flags;      /**< enum seat_flag */
    uint8_t holds;      /**< used, at most three a game */
    uint8_t order_kind; /**< standing order, enum in command.h */
    uint8_t order_level;
    uint8_t unused;
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
    uint8_t firm;  /**< 1: paid even if the rest is fled (never today: MULTI-3) */
};

enum fight_flag {
    FIGHT_LOOT_AFTER = 1, /**< looting is allowed when it ends without a kill */
    FIGHT_WON = 2,
    FIGHT_FORCED_HELP = 4, /**< the helper came by Kneepads of Allure and its like */
    FIGHT_PICK_FIRST = 8,  /**< the helper picks first */
    FIGHT_GAVE_UP = 16,    /**< running has begun; strength decides nothing */
    FIGHT_TAKEN_OVER = 32,
    FIGHT_ROLLED = 64,    /**< a flight roll was made */
    FIGHT_SCATTERED = 128 /**< over because the last monster left */
};

struct fight {
    uint8_t on; /**< 1 while a fight lasts, flight included */
    uint8_t main, helper;
    uint8_t flags; /**< enum fight_flag */
    uint8_t monster_count;
    uint8_t owed_count;
    uint8_t helper_treasures;
    uint8_t fled;    /**< bits of seats that have finished their flight */
    uint8_t refused; /**< bits of seats that would not help or whose help was not wanted: public,
                          for who asks without remembering */
    uint8_t promise_count;
    uint8_t entering;                     /**< monsters whose entering is being carried out */
    uint8_t helper_before;                /**< who was helper when the flight began (for deaths) */
    uint16_t promised[MB_DEAL_CARDS * 2]; /**< Items and hand cards promised to the helper */
    struct monster monsters[MB_MONSTERS_MAX];
    struct owed owed[MB_OWED_MAX];
};

/** An effect that lasts without a card of its own. */
struct lasting {
    uint8_t op;    /**< enum effect_op (a counted op), LASTING_USED for a counter, 0xFF free */
    uint8_t seat;  /**< on whom */
    uint8_t until; /**< enum duration */
    uint8_t arg;   /**< the op's argument a; for counters the ability */
    int16_t n;
    uint16_t source; /**< the card it came from */
    uint16_t about;  /**< for counters: victim seat or NO_CARD; else filter + 1 */
    uint8_t fought;  /**< until next_fight: 1 once the fight has begun */
    uint8_t by;      /**< who caused it (a helper's leaves with the helper, RUL-150) */
};

enum { LASTING_FREE = 0xFF, LASTING_USED = 0xFE };

/** Something that is due for a card in play, see core/due.h. */
struct due {
    uint16_t card;
    uint8_t what; /**< enum trigger */
    uint8_t seat; /**< before whom the card lay */
};

struct frame {
    uint8_t kind;  /**< enum frame_kind */
    uint8_t step;  /**< named steps of the kind */
    uint8_t seat;  /**< whose business it is */
    uint8_t other; /**< a second seat */
    uint16_t card;
    uint16_t card2;
    uint16_t row; /**< index into box.rows, for programs */
    int16_t a, b, c, d;
    uint8_t mask, mask2;
    uint8_t monster; /**< the monster concerned: its index + 1, or 0 */
    uint8_t did;     /**< programs: bits, see program.h */
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

enum { CARD_SET_BYTES = MB_CARDS_MAX / 8 };

/** The one question that is open. Cards offered are a set; others a short list of numbers. */
struct decision {
    uint8_t open;     /**< 1 while somebody has still to answer, 2 when all have */
    uint8_t kind;     /**< enum decision_kind */
    uint8_t seats;    /**< bits of who may answer */
    uint8_t answered; /**< bits of who has; sealed until all have */
    uint8_t min, max; /**< how many of the options each seat names */
    uint8_t own_only; /**< 1: each seat chooses among the cards that it owns */
    uint8_t option_count;
    uint16_t subject; /**< the card it is about */
    uint16_t source;  /**< the card or rule that asks */
    uint16_t id;
    uint8_t answer_count;
    uint8_t may_pass;  /**< 1: naming nothing is a legal answer */
    int16_t value_min; /**< the cards named must be worth as much, or be all of them */
    uint16_t options[MB_OPTIONS_MAX];
    uint16_t answers[MB_OPTIONS_MAX]; /**< in the order given */
    uint8_t answer_seats[MB_OPTIONS_MAX];
    uint8_t cards[CARD_SET_BYTES];
};

enum pause_kind { PAUSE_NONE, PAUSE_WIN, PAUSE_ANSWER };

struct pause {
    uint8_t kind;
    uint8_t waited; /**< bits of seats whose pass ends it */
    uint8_t passed;
    uint8_t restarts; /**< counts openings and restarts: the session's clock follows it */
    uint8_t holds;    /**< how often it was lengthened since it opened */
    uint8_t unused[3];
};

enum deal_kind { DEAL_NONE, DEAL_ASK, DEAL_VOLUNTEER, DEAL_GIFT, DEAL_TRADE, DEAL_BRIBE };

struct deal {
    uint8_t kind;
    uint8_t id;       /**< the number shown, 1 up */
    uint8_t from, to; /**< to: seat or ALL_SEATS */
    uint8_t treasures;
    uint8_t picking;           /**< 1: the helper picks first */
    uint8_t accepted, refused; /**< bits of seats (ask all) */
    uint8_t about;             /**< bribe: whom not to help, or NO_SEAT: anybody */
    uint8_t gives_count, wants_count, promises_count;
    uint16_t gives[MB_DEAL_CARDS];
    uint16_t wants[MB_DEAL_CARDS];
    uint16_t promises[MB_DEAL_CARDS];
};

struct game {
    uint16_t card_count;
    uint16_t decision_id;
    uint32_t version; /**< counts accepted commands */
    uint8_t seat_count;
    uint8_t phase;   /**< enum phase */
    uint8_t turn;    /**< whose turn it is */
    uint8_t winners; /**< bits */
    uint16_t round;
    uint8_t frame_count;
    uint8_t deal_next;
    uint8_t bribed; /**< bits of seats bound by a bribe in this fight */
    uint8_t
        after_fight; /**< 1 from the end of a fight to the next command that is not after_fight */
    uint8_t met_monster; /**< in this turn (TURN-7) */
    uint8_t dying;       /**< bits of seats that died in this fight, bodies not looted yet */
    uint8_t doomed;      /**< 1: the active player died; the turn passes without Charity */
    uint8_t looted;      /**< bits: bodies already looted */
    uint8_t death_order[MB_SEATS_MAX];
    uint8_t death_count;
    uint8_t charity_open; /**< `done` was said with too many cards */
    uint8_t due_count;    /**< entries of `due` */
    uint8_t due_next;     /**< the first that is not carried out yet */
    uint8_t lasting_top;  /**< entries of `lasting` from here on are free */
    struct mb_rng rng;
    struct pile_state piles[PILE_TOTAL];
    struct seat_state seats[MB_SEATS_MAX];
    struct fight fight;
    struct pause window; /**< the win window */
    struct pause moment; /**< the answer moment, may lie inside a win window */
    struct decision decision;
    struct deal deals[MB_DEALS_MAX];
    struct frame frames[MB_FRAMES_MAX];
    struct lasting lasting[MB_LASTING_MAX];
    struct due due[MB_DUE_MAX];
    uint8_t script_dice[16];  /**< scenarios: the next rolls; a count first in script_dice_count */
    uint16_t script_picks[8]; /**< scenarios: the next random picks */
    uint8_t script_dice_count, script_dice_used, script_pick_count, script_pick_used;
    struct card_state cards[MB_CARDS_MAX];
};

_Static_assert(sizeof(struct game) <= 16384, "a state fits 16 KiB");
_Static_assert(sizeof(struct card_state) == 8, "a card takes 8 bytes");

static inline unsigned pile_hand(unsigned seat)
{
    return PILE_HAND + seat;
}

static inline unsigned pile_table(unsigned seat)
{
    return PILE_TABLE + seat;
}

static inline bool pile_is_hand(unsigned pile)
{
    return pile >= PILE_HAND && pile < PILE_TABLE;
}

static inline bool pile_is_table(unsigned pile)
{
    return pile >= PILE_TABLE && pile < PILE_TOTAL;
}

/** In front of another player than seat: public, so a refusal may tell it. */
static inline bool pile_is_of_another(unsigned pile, unsigned seat)
{
    return pile_is_table(pile) && pile != pile_table(seat);
}

static inline bool card_set_has(const uint8_t *set, uint16_t card)
{
    return ((unsigned)set[card >> 3] >> ((unsigned)card & 7u) & 1u) != 0;
}

static inline void card_set_add(uint8_t *set, uint16_t card)
{
    set[card >> 3] = (uint8_t)((unsigned)set[card >> 3] | (1u << ((unsigned)card & 7u)));
}

#endif
