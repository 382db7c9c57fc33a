/*
 * The whole state of a table, by value. For core/, core/codec/ and tests/core/ only
 * (tests/arch/state_is_opaque.sh); others ask core/loop/query.h.
 *
 * Invariants: no pointers; every card is in exactly one pile; a pile is a list through `next`; all
 * numbers shown to players are derived (core/numbers/strength.h), never stored. The state changes
 * only in event_apply(). The waiting point is the top frame, a named step and its payload.
 */
#ifndef CORE_STATE_GAME_STATE_H
#define CORE_STATE_GAME_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/rng.h"
#include "core/deal/deal_terms.h"
#include "core/state/pile.h"
#include "core/state/record.h"
#include "core/state/stage.h"

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

struct seat_state {
    uint8_t level;
    uint8_t female;
    uint8_t alive;
    uint8_t flags; /**< enum seat_flag */
    uint8_t holds; /**< used, at most three a game */
    uint8_t unused;
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
    uint8_t refused; /**< bits of seats that would not help or whose help was not wanted: public,
                          for who asks without remembering */
    uint8_t promise_count;
    uint8_t entering;                     /**< monsters whose entering is being carried out */
    uint16_t promised[MB_DEAL_CARDS * 2]; /**< Items and hand cards promised to the helper */
    struct monster monsters[MB_MONSTERS_MAX];
    struct owed owed[MB_OWED_MAX];
};

/** Something that waits for a card in play, see core/work/waiting.h. */
struct waiting {
    uint16_t card;
    uint8_t what; /**< enum trigger */
    uint8_t seat; /**< before whom the card lay */
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
    uint8_t charity_open;  /**< `done` was said with too many cards */
    uint8_t waiting_count; /**< entries of `waiting` */
    uint8_t waiting_next;  /**< the first that is not carried out yet */
    uint8_t lasting_top;   /**< entries of `lasting` from here on are free */
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
    struct waiting waiting[MB_WAITING_MAX];
    uint8_t script_dice[16];  /**< scenarios: the next rolls; a count first in script_dice_count */
    uint16_t script_picks[8]; /**< scenarios: the next random picks */
    uint8_t script_dice_count, script_dice_used, script_pick_count, script_pick_used;
    struct card_state cards[MB_CARDS_MAX];
};

_Static_assert(sizeof(struct game) <= 16384, "a state fits 16 KiB");
_Static_assert(sizeof(struct card_state) == 8, "a card takes 8 bytes");

static inline bool card_set_has(const uint8_t *set, uint16_t card)
{
    return ((unsigned)set[card >> 3] >> ((unsigned)card & 7u) & 1u) != 0;
}

static inline void card_set_add(uint8_t *set, uint16_t card)
{
    set[card >> 3] = (uint8_t)((unsigned)set[card >> 3] | (1u << ((unsigned)card & 7u)));
}

#endif
