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

#include "core/base/error.h"
#include "core/card/box.h"
#include "core/codec/catalog.h"
#include "core/state/event.h"

#include "bot/tools/bargains.h"
#include "bot/tools/finals.h"
#include "bot/tools/moments.h"
#include "bot/tools/pairs.h"
#include "bot/tools/usage.h"

enum { BALANCE_GAMES_MIN = 200 /**< and cases, of a card that the report names */ };

enum { BALANCE_LEVELS = 21, BALANCE_REASONS = LEVEL_PAID + 1 };

/** Of one definition. */
struct balance_card {
    unsigned long games, wins; /**< exactly one seat put it in play; that seat won */
    unsigned long faced, beat; /**< a Monster: exactly one seat kicked it open; that seat won */
    unsigned long deaths;      /**< a Monster: how many it killed */
    uint8_t seats;             /**< bits: who put it in play in the present game */
    uint8_t kicked;            /**< bits: who kicked it open in the present game */
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
    struct usage usage;
    struct bargains bargains;
    struct finals finals;
    struct moments moments;
    struct pairs pairs;
    /* The present game. */
    unsigned first_seat;
    uint16_t killer[MB_SEATS_MAX];
};

/** `games` is how many will be counted at most. */
void balance_init(struct balance *balance, const struct box *box, unsigned players,
                  unsigned long games);
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

/** The round in which `percent` of the games were over; 50 is the median. 0 without games. */
uint32_t balance_rounds(struct balance *balance, unsigned percent);
/** In percent, rounded to the nearest tenth: 253 is 25.3 %. */
unsigned balance_share(unsigned long part, unsigned long of);

/** The whole report for people. */
void balance_print(struct balance *balance, const struct catalog *catalog, FILE *to);
/** The same figures as one JSON object, without a line's end. */
void balance_print_json(struct balance *balance, const struct catalog *catalog, FILE *to);

#endif
