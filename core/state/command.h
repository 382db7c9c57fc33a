/*
 * What a seat can ask the core to do: one flat record for every verb.
 *
 * bot/parse makes commands out of words; moves are commands too. A command names cards by number;
 * the core checks all of it and trusts nothing. Which fields a verb reads its form says, and that
 * stands in its row of command.def.
 */
#ifndef CORE_STATE_COMMAND_H
#define CORE_STATE_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/ids.h"

#define COMMAND(id, ...) VERB_##id,
enum verb {
    VERB_NONE,
#include "core/state/command.def"
    VERB_TOTAL
};
#undef COMMAND

/** What a verb reads and how it is said; bot/parse reads and words each. */
enum command_form {
    FORM_NONE,
    FORM_PLAIN,     /**< nothing but the verb */
    FORM_CARD,      /**< card */
    FORM_CARDS,     /**< list */
    FORM_PLAY,      /**< card; on target, for side, with list, replacing more */
    FORM_HAND_OVER, /**< card; to target, a follower */
    FORM_USE,       /**< ability of card; with list, on target */
    FORM_GIFT,      /**< list; to */
    FORM_OFFER,     /**< list; for more, to; or as a bribe: for not helping about */
    FORM_NUMBER,    /**< n, the number of a deal; 0: the only one */
    FORM_ASK,       /**< to; offering n Treasures and list, picking, promising more */
    FORM_VOLUNTEER, /**< for n Treasures, picking */
    FORM_RUN,       /**< card, a monster; or NO_CARD */
    FORM_SACRIFICE, /**< card, a follower, or NO_CARD; with helper: n = 1 */
    FORM_CHOOSE,    /**< list: cards, or option numbers as the decision says */
    FORM_SHOW,      /**< list, or the whole hand: n = 1; to */
    FORM_CLOCK,     /**< n: the clock that has run out; nobody says it */
    FORM_TOTAL
};

/** What a verb belongs to, for lists of commands. */
enum command_group { GROUP_TURN, GROUP_CARDS, GROUP_FIGHT, GROUP_DEALS, GROUP_CLOCKS, GROUP_TOTAL };

enum command_telling { TELLING_OPEN, TELLING_SEALED };

/** Fields of a command, as bits. */
enum command_part {
    PART_CARD = 1,
    PART_TARGET = 2,
    PART_SIDE = 4,
    PART_LIST = 8,
    PART_MORE = 16,
    PART_TO = 32,
    PART_NUMBER = 64,
    PART_ABILITY = 128,
    PART_BRIBE = 256, /**< bribe and about */
    PART_PICKING = 512
};

enum side { SIDE_NONE, SIDE_PLAYERS, SIDE_MONSTERS };

enum target_kind {
    TARGET_NONE,
    TARGET_SEAT,
    TARGET_CARD,   /**< a card in play (an Item, a Class, a lasting Curse) or in the discards */
    TARGET_MONSTER /**< a monster of the fight, by its card */
};

enum { ORDER_PASS_BELOW = 1, ORDER_PASS_TURN, ORDER_ASK, ORDER_CLEAR };

struct command {
    uint8_t verb;        /**< enum verb */
    uint8_t seat;        /**< who commands */
    uint8_t side;        /**< enum side: `for players|monsters` */
    uint8_t target_kind; /**< enum target_kind: `on ...` */
    uint16_t card;       /**< the card the verb is about, or NO_CARD */
    uint16_t target;     /**< seat or card, by target_kind */
    uint8_t ability;     /**< VERB_USE: ability id */
    uint8_t to;          /**< `to <player>`, `ask <player>`: seat, ALL_SEATS or NO_SEAT */
    uint8_t about;       /**< `for not helping <player>`: seat or NO_SEAT; 1 bit bribe in `bribe` */
    uint8_t bribe;
    uint8_t picking; /**< 0 not said, 1 first, 2 second: the helper's place */
    uint8_t list_count, more_count;
    int16_t n; /**< Treasures offered, number of a deal (0 not said), order's Level */
    uint16_t list[MB_LIST_MAX]; /**< with / sell / discard / choose / give / offering / charity */
    uint16_t more[MB_MORE_MAX]; /**< replacing / wants / promising */
};

/** The verb as it is typed; "" for VERB_NONE. */
const char *command_word(unsigned verb);
/** Which of those that can be said is offered first: 1 to VERB_TOTAL - 1. */
unsigned command_rank(unsigned verb);
/** The verb of that rank. */
enum verb command_ranked(unsigned rank);
/** The verb of that word, VERB_NONE if it is none. */
unsigned command_find(const char *word);
enum command_form command_form(unsigned verb);
/** Whether a command says nothing that its verb does not read. */
bool command_fits(const struct command *command);
/** Takes out what the verb does not read. */
void command_trim(struct command *command);

/** A command that says no more than its verb. */
static inline struct command command_plain(unsigned seat, unsigned verb)
{
    return (struct command){.verb = (uint8_t)verb,
                            .seat = (uint8_t)seat,
                            .card = NO_CARD,
                            .target = NO_CARD,
                            .to = NO_SEAT,
                            .about = NO_SEAT};
}

#endif
