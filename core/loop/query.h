/*
 * What a table shows, read from a state: for bot/, which hands in the *redacted* state of the
 * viewer (game_redact), so that nothing here can leak. Cards that the viewer does not know are not
 * listed; counts count them.
 */
#ifndef CORE_LOOP_QUERY_H
#define CORE_LOOP_QUERY_H

#include "core/game.h"
#include "core/numbers/strength.h"
#include "core/seen/moves.h"
#include "core/state/pile.h"
#include "core/state/stage.h"

/** A list of cards, in pile order. */
struct card_list {
    uint16_t count;
    uint16_t cards[MB_CARDS_MAX];
};

unsigned query_phase(const struct game *game); /**< enum phase; running and looting included */
unsigned query_turn(const struct game *game);
unsigned query_round(const struct game *game);
unsigned query_seat_count(const struct game *game);
unsigned query_winners(const struct game *game); /**< bits */
uint32_t query_version(const struct game *game); /**< 0 in redacted states */
/** A number that changes with what happens in public, and with nothing else: to vary wordings by.
 */
uint32_t query_public_mark(const struct game *game);

unsigned query_level(const struct game *game, unsigned seat);
bool query_alive(const struct game *game, unsigned seat);
bool query_female(const struct game *game, unsigned seat);
/** Seats that have taken a bribe not to help in this fight, as bits. */
unsigned query_bribed(const struct game *game);
/** Number of cards of a pile (enum pile + seat), known or not. */
unsigned query_count(const struct game *game, unsigned pile);
/** Walks a pile, cards known or not: the first one, then each one's next; NO_CARD at the end. */
uint16_t query_first(const struct game *game, unsigned pile);
uint16_t query_next(const struct game *game, uint16_t card);
/** The known cards of a pile; discards: the newest first; decks: nothing. */
void query_pile(const struct game *game, unsigned pile, struct card_list *out);
/** Where a card is (enum pile + seat), or PILE_TOTAL if the viewer does not know. */
unsigned query_where(const struct game *game, uint16_t card);
/** Whether it lies in somebody's hand, known or not. */
bool query_in_hand(const struct game *game, uint16_t card);
/** Whose it is, or who played it; NO_SEAT: nobody's. */
unsigned query_owner(const struct game *game, uint16_t card);
/** Seats that know what and where a card is, as bits; all eight of them: everybody. */
unsigned query_knowers(const struct game *game, uint16_t card);
/** Whether an effect that came from the card lasts. */
bool query_lasts(const struct game *game, uint16_t card);
/** bits of enum card_flag */
unsigned query_flags(const struct game *game, uint16_t card);
/** The card it lies with, or NO_CARD. */
uint16_t query_host(const struct game *game, uint16_t card);

int query_strength(const struct game *game, const struct box *box, unsigned seat);
int query_hand_limit(const struct game *game, const struct box *box, unsigned seat);
int query_run_bonus(const struct game *game, const struct box *box, unsigned seat);
/** How many hand cards are too many for the seat, 0 if none. */
int query_excess(const struct game *game, const struct box *box, unsigned seat);
/** Why an Item that is or would be before the seat cannot be equipped as things are. */
void query_obstacles(const struct game *game, const struct box *box, unsigned seat, uint16_t card,
                     struct refusal *why);
/** Whether it can be. */
bool query_wearable(const struct game *game, const struct box *box, unsigned seat, uint16_t card);
/** Whether more is equipped than some slot holds. */
bool query_overdressed(const struct game *game, const struct box *box, unsigned seat);
/** Gold Pieces that a card counts for in its owner's next sale. */
int query_sale_value(const struct game *game, const struct box *box, uint16_t card);
int query_rank_total(const struct game *game, const struct box *box, unsigned seat);
int query_rank_limit(const struct game *game, const struct box *box, unsigned seat);

/** The fighters, NO_SEAT without a fight or a helper; whether running has begun. */
unsigned query_main(const struct game *game);
unsigned query_helper(const struct game *game);
bool query_gave_up(const struct game *game);
/** Seats that would not help in this fight, were not wanted, or are bribed, as bits. */
unsigned query_unwilling(const struct game *game);
/** The monster at a place of the fight (below MB_MONSTERS_MAX), or NULL: none is there any more. */
const struct monster *query_monster(const struct game *game, unsigned index);

/** The fight as everyone sees it. */
struct query_fight {
    bool on;
    int players, monsters;
    bool players_win;
    unsigned main, helper; /**< helper: seat or NO_SEAT */
    int treasures;         /**< of the monsters still there */
    unsigned monster_count;
    uint16_t monster[MB_MONSTERS_MAX]; /**< the card lying there */
    uint16_t face[MB_MONSTERS_MAX];    /**< what it is called; differs for a Mate */
    int monster_strength[MB_MONSTERS_MAX];
    unsigned after[MB_MONSTERS_MAX]; /**< given up: bits of the seats it has still to be fled by */
    bool gave_up;
};
void query_fight(const struct game *game, const struct box *box, struct query_fight *out);
/** What a monster of the fight is called: itself, or the original of a copy; any other card itself.
 */
uint16_t query_face(const struct game *game, uint16_t card);
/** The explained sums: lines of a side, enum side. */
void query_sum(const struct game *game, const struct box *box, unsigned side, struct sum *out);

/** The open decision as one seat sees it; kind DECIDE_TOTAL if that seat has nothing to answer. */
struct query_decision {
    unsigned kind; /**< enum decision_kind */
    unsigned min, max;
    bool may_pass;
    uint16_t subject, source;
    uint16_t id;
    unsigned option_count;
    bool options_are_cards;
    bool value_rule; /**< the cards named must be worth value_min, or be all */
    int value_min;
    uint16_t options[MB_CARDS_MAX]; /**< cards, seats, monsters' cards, numbers, or 1 yes / 0 no */
};
void query_decision(const struct game *game, const struct box *box, unsigned seat,
                    struct query_decision *out);
/** Whether a decision is open, or answered and not carried out yet. */
bool query_asks(const struct game *game);
/** Seats that have still to answer the open decision. */
unsigned query_undecided(const struct game *game);

/** The win window (PAUSE_WIN) or the answer moment (PAUSE_ANSWER). */
struct pause query_pause(const struct game *game, unsigned kind);
/** The card being answered in the answer moment (a Curse), or NO_CARD for a roll. */
uint16_t query_answered_card(const struct game *game);
/** Whom a Curse or Trap in the answer moment is about to strike; NO_SEAT: it is none. */
unsigned query_answered_seat(const struct game *game);
/** The stakes of the win window: the Level that the win would give the main fighter. */
unsigned query_win_level(const struct game *game, const struct box *box);
/** Bits of the seats that would win the game by winning the fight. */
unsigned query_would_win(const struct game *game, const struct box *box);
/** Number of open deals; the i-th in order of opening. */
unsigned query_deal_count(const struct game *game);
/** What the helper of the fight was promised: the call for help as it was taken up; kind DEAL_NONE
 * without a helper. */
void query_bargain(const struct game *game, struct deal *out);
const struct deal *query_deal(const struct game *game, unsigned index);
/** Whether some open deal waits for that seat. */
bool query_offered(const struct game *game, unsigned seat);

/** Clocks that the session runs: whom it waits for, and for what. */
enum clock_kind { CLOCK_NONE, CLOCK_TURN, CLOCK_DECISION, CLOCK_ASK, CLOCK_ANSWER, CLOCK_WINDOW };
struct query_clock {
    unsigned kind;  /**< enum clock_kind */
    unsigned seats; /**< bits of those waited for */
};
/** The innermost clock that runs now. */
struct query_clock query_clock(const struct game *game);
/** Seats that the table waits for as far as everybody can see: those who have passed or answered in
 * secret are among them. */
unsigned query_awaited(const struct game *game);

#endif
