/*
 * What many whole games say about a deck and a table: how long they last, who wins, what kills, and
 * how often the one who puts a card in play wins. A simulation feeds it with every event; it only
 * counts and knows no rule.
 *
 * A card counts for its player in games in which exactly one seat ever put a card of that
 * definition in play (played or laid it): those games, and how many of them that seat won. A
 * share is worth reading from BALANCE_GAMES_MIN such games on. What is out of bounds is judged by
 * tests/balance.
 */
#ifndef BOT_TOOLS_BALANCE_H
#define BOT_TOOLS_BALANCE_H

#include <stdint.h>
#include <stdio.h>

#include "core/card/box.h"
#include "core/codec/catalog.h"
#include "core/game.h"
#include "core/seen/moves.h"

/** A step of a simulated game: the states before and after a command, its events, and what each
 * seat could have done instead. */
struct simulate_step {
    const struct game *before, *after;
    const struct event_list *events;
    const struct move_list *moves; /**< by seat, before the command */
    unsigned players;
    unsigned careful;     /**< bits of the seats that are to defend with cards of their hands too */
    struct game *scratch; /**< contents irrelevant */
};

/**
 * What becomes of cards in the hands of players, by definition and in cases.
 *
 * A case is one stay of a card with one seat, in hand and on the table, from its coming to its
 * leaving or the end of the game. It could be used if the seat was once offered to play, equip,
 * fight or use it, or to hand it over, sacrifice it or play it with another card; it was used if
 * the seat did so. A Monster is used when it is paid with, too. Laying a card down is no use of it.
 * A one-shot for the players' side alone could be used in fights of one's own: elsewhere it helps
 * an opponent. Of what happened to it only the end of the stay counts: paid, sold, given away,
 * given up.
 */
struct usage_card {
    unsigned long held, could, used, paid, sold, given, dropped;
};

struct usage_stay {
    uint8_t seat; /**< NO_SEAT: with nobody */
    bool could, used;
};

/**
 * In which moments cards are put in play, and how often the seat that does so in such a moment
 * wins.
 *
 * A player who is about to win plays other cards than one who is behind: a card of such moments is
 * in winners' hands without being strong. A moment is how many Levels the seat and its best rival
 * have to go, and whether a fight is on, of one's own or of others. What a card is expected to win
 * is what all cards together won in the moments in which it was put in play. Of each definition and
 * seat only the first time in a game counts.
 */
struct moments {
    const struct box *box;
    unsigned players;
    struct moment {
        unsigned long games, wins;
    } *all;          /**< of all cards, by moment */
    uint32_t *games; /**< by definition and moment */
    uint16_t *now;   /**< in the present game, by definition and seat */
};

/**
 * A pair of exact cards: a row that names another card does nothing until both are there. In how
 * many games do they meet?
 *
 * They meet when the card with the row takes part (it is in the fight, in play, or in a hand from
 * which it could be played) while its row's filter or requirement finds the other one for a seat
 * that it concerns. Looked for before and after each command, so that what meets and leaves at once
 * has met. A card that looks in several places has met in a game if one of them had the other card.
 */
struct pair {
    uint16_t def, named;  /**< definitions */
    uint16_t filter, req; /**< what looks for it, + 1; one of them is 0 */
    uint16_t first_card;  /**< of `def`; its copies follow */
    bool anybody;         /**< has the other one */
    bool main;            /**< the main fighter alone is asked for it */
    bool met;             /**< by this row, in the present game */
    unsigned long games;  /**< in which they met, by any row */
};

struct pairs {
    const struct box *box;
    struct pair *items;
    unsigned count;
};

/**
 * Finals are fights that would win the game. How many are reached, how many are won, and how many
 * of those an opponent could have stopped by playing one card and nothing else: a one-shot that lay
 * openly before it or, of careful seats, a card held.
 *
 * What would have stopped it is found by playing each such card on a copy of the state in which the
 * win window closed; where chance decides, the card does not count.
 */
struct finals {
    unsigned long reached, won;
    unsigned long open_left; /**< won although a one-shot in play would have stopped it */
    unsigned long held_left; /**< won although none in play would have, but a card of a hand */
    bool on;                 /**< the present fight is one */
};

/**
 * What players make of each other's offers. A request counts when one seat was asked and answered;
 * a call for everybody's help does not, nor does an ask that answers an offer. A request is haggled
 * over when the one asked answers with an offer of its own, whatever comes of that.
 */
enum { BARGAINS_PRICES = 8 };

struct bargain {
    struct deal deal; /**< kind DEAL_NONE: nothing is open here */
    bool made, refused;
    bool countered; /**< answered with another price */
    bool counters;  /**< such an answer itself */
};

struct bargains {
    unsigned long asked, declined, haggled;
    unsigned long price[BARGAINS_PRICES]; /**< bargains for help by their Treasures */
    unsigned long volunteered, hired;     /**< offers to help that nobody asked for; taken */
    unsigned long bribes, bribed;         /**< offered, taken */
    struct bargain open[MB_DEALS_MAX];    /**< as the game has them */
};

enum { BALANCE_GAMES_MIN = 200 /**< and cases, of a card that the report names */ };

enum { BALANCE_LEVELS = 21, BALANCE_REASONS = LEVEL_PAID + 1 };

/** Of one definition. */
struct balance_card {
    unsigned long games, wins; /**< exactly one seat put it in play; that seat won */
    unsigned long faced, beat; /**< a Monster: exactly one seat kicked it open; that seat won */
    unsigned long deaths;      /**< a Monster: how many it killed */
    struct usage_card usage;
    uint8_t seats;  /**< bits: who put it in play in the present game */
    uint8_t kicked; /**< bits: who kicked it open in the present game */
};

struct balance {
    const struct box *box;
    unsigned players;
    unsigned long games;
    unsigned long wins_by_seat[MB_SEATS_MAX];
    unsigned long wins_by_order[MB_SEATS_MAX];     /**< counted from who had the first turn */
    unsigned long wins, joint;                     /**< winners; games with more than one */
    unsigned long losers_by_level[BALANCE_LEVELS]; /**< final Levels; higher ones in the last */
    unsigned long gained[BALANCE_REASONS], lost[BALANCE_REASONS]; /**< Levels, by enum level_why */
    unsigned long fights_alone, fights_helped, fights_fled, deaths;
    uint32_t *rounds; /**< of every game counted, in the order of their end until summed */
    size_t rounds_capacity;
    struct balance_card *cards; /**< by definition */
    struct usage_stay *stays;   /**< by card */
    struct bargains bargains;
    struct finals finals;
    struct moments moments;
    struct pairs pairs;
    /* The present game. */
    unsigned first_seat;
    uint16_t killer[MB_SEATS_MAX];
};

/** The box is borrowed. `games` is how many will be counted at most. */
void balance_init(struct balance *balance, const struct box *box, unsigned players,
                  unsigned long games);
/** All zeros are fine. */
void balance_finish(struct balance *balance);

/** A game begins; a game that never ends is not counted. */
void balance_begin(struct balance *balance);
/** What happened, in order, from the first event of the game on. */
void balance_events(struct balance *balance, const struct event_list *events);
/** What a seat may do now; `fighters` are the bits of the seats that fight. */
void balance_offers(struct balance *balance, const struct move_list *moves, unsigned fighters);
/** A command that was accepted, before its events. */
void balance_command(struct balance *balance, const struct command *command);
/** What a command made of the game, after its events were counted. */
void balance_step(struct balance *balance, const struct simulate_step *step);
/** The game is over; `game` is its last state. */
void balance_end(struct balance *balance, const struct game *game);

/** The round in which `percent` of so many games were over; 50 is the median. 0 without games.
 * Sorts the rounds. */
uint32_t balance_within(uint32_t *rounds, size_t count, unsigned percent);
/** In percent, rounded to the nearest tenth: 253 is 25.3 %. */
unsigned balance_share(unsigned long part, unsigned long of);

/* Its parts, each counted by itself: for tests. */

void moments_init(struct moments *moments, const struct box *box, unsigned players);
void moments_finish(struct moments *moments);
void moments_begin(struct moments *moments);
void moments_step(struct moments *moments, const struct simulate_step *step);
/** The game is over: a definition that one seat alone put in play, and whether that seat won. */
void moments_count(struct moments *moments, unsigned def, unsigned seat, bool won);
/** How many games a definition would have won, had it won what others did in its moments. */
double moments_expected(const struct moments *moments, unsigned def);
/** A card that a seat puts in play; not a Curse that a kick turned up. */
bool moments_puts(const struct box *box, const struct event *event);
void pairs_init(struct pairs *pairs, const struct box *box);
void pairs_finish(struct pairs *pairs);
void pairs_begin(struct pairs *pairs);
void pairs_step(struct pairs *pairs, const struct simulate_step *step);
void pairs_end(struct pairs *pairs);
void finals_step(struct finals *finals, const struct box *box, const struct simulate_step *step);

#endif
