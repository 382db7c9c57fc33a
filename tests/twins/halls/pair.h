/*
 * Pairs of halls: two that differ in one secret of one seat, told apart by nobody else.
 *
 * Both halls hear the same at the same virtual time; the secret seat alone does something else, or
 * holds something else (kinds.c). All that anybody else is sent is written down (told.c): who, what
 * and how in full, edits, controls, pings, bonds, in its order and with its instant; and so are
 * what is offered to whoever types, and what falls due when. After each step both accounts must be
 * equal. Of ids and of a message's mark it is written down which of those seen before it is: they
 * are hashes, and so differ.
 *
 * A pair is over when the rules let others know what differs: a card is laid out or drawn, all have
 * answered, half of a win window is over. The step that does so is not compared.
 *
 * Chance comes from the pair's number alone: a failure is repeated by `--pairs 1 --first N`.
 */
#ifndef TESTS_TWINS_HALLS_PAIR_H
#define TESTS_TWINS_HALLS_PAIR_H

#include "tests/support/stage.h"
#include "tests/twins/halls/through_discord.h"

/** What public cards show: of each others see nothing of what is secret. */
enum pair_moment { PAIR_LOBBY, PAIR_TURN, PAIR_FIGHT, PAIR_QUESTION, PAIR_END, PAIR_MOMENTS };

enum { PAIR_PEOPLE = 4, PAIR_STEPS_MAX = 40, PAIR_SWAPS_MAX = 32 };

extern const char PAIR_PLACE[];
extern const char *const PAIR_NAMES[PAIR_PEOPLE];

/** What others were told at one side since it was last compared. */
struct pair_told {
    char *text; /**< each message one line and its words */
    size_t length, room;
    size_t seen[2];               /**< messages of each chat that are in it */
    char (*ids)[CHAT_TABLE_SIZE]; /**< ids and marks that others have seen, each once */
    size_t id_count, id_room;
    bool shown;     /**< all at the place were shown something on Discord */
    int64_t now_ms; /**< virtual time of that side */
};

/** Cards of the secret hand: what it holds at either side, the other's being in the deck. */
struct pair_swap {
    uint16_t cards[2][PAIR_SWAPS_MAX];
    unsigned count;
};

struct pair;

/** What differs. */
struct pair_kind {
    const char *name;
    const char *sets; /**< that are played with */
    /** Makes the difference; false: luck brings none about. */
    bool (*begin)(struct pair *pair);
    /** Whether it is still nobody else's to know. */
    bool (*keeps)(struct pair *pair);
    /** How long time may pass before others may know. */
    int64_t (*patience)(const struct pair *pair);
    bool acts; /**< the secret seat goes on to play, in public alone */
};

extern const struct pair_kind PAIR_HAND, PAIR_PASS, PAIR_ORDER, PAIR_LOOK, PAIR_CALL, PAIR_CHOICE;

struct pair {
    struct stage side[2];
    struct pair_told told[2];
    struct through *through[2];          /**< NULL: Discord is not asked (through_discord.h) */
    unsigned long moments[PAIR_MOMENTS]; /**< told on Discord since there was a difference */
    struct pair_swap swap;
    struct mb_rng rng;
    const struct pair_kind *kind;
    uint64_t number;
    unsigned people, secret, steps;
    unsigned clock;    /**< enum clock_kind of what is sealed */
    unsigned question; /**< which decision, where that is what is sealed */
    int64_t public_ms; /**< instant from which on others may know */
    bool differs, over, talks, discord;
    bool acted; /**< somebody has since the difference was made: what `undo` takes back is later */
};

/** Both halls up to somewhere in a game; pair_close() in any case. */
void pair_open(struct pair *pair, const struct catalog *catalog);
void pair_close(struct pair *pair);
unsigned pair_below(struct pair *pair, unsigned bound);
const struct table *pair_table(const struct pair *pair, unsigned side);
const struct game *pair_game(const struct pair *pair, unsigned side);
/** Whether a game runs at both sides. */
bool pair_runs(const struct pair *pair);

/** Somebody says something at both sides, aloud or in private; or at one of them. */
void pair_say(struct pair *pair, unsigned seat, const char *line, bool aloud);
void pair_whisper_at(struct pair *pair, unsigned side, unsigned seat, const char *line);
void pair_pass_at(struct pair *pair, unsigned side, int64_t ms);
void pair_pass(struct pair *pair, int64_t ms);
/** What a policy would say for a seat at one side; false: nothing. */
bool pair_think(struct pair *pair, unsigned side, unsigned seat, const struct policy *policy,
                char line[STAGE_LINE_SIZE]);
/** Both games go on as they would, the secret seat playing too: towards what a kind needs. */
void pair_go_on(struct pair *pair, const struct policy *policy);
/** The next thing that others do, or time; with a kind that acts the secret seat, too. False: only
 * the secret seat could go on, and cannot without telling. */
bool pair_step(struct pair *pair);
/** The host ends the game and opens another table. */
void pair_end(struct pair *pair);

/* told.c */

/** Adds to the account. */
MB_PRINTF(2, 3)
void pair_note(struct pair_told *told, const char *format, ...);

/** Writes down what was delivered at a side; time has just come to told.now_ms there. */
void pair_hear(struct pair *pair, unsigned side);
/** Writes down what is offered to a person who types this. */
void pair_hear_offers(struct pair *pair, const char *person, const char *line);
/** Compares both accounts, and what falls due; then forgets them. */
void pair_compare(struct pair *pair);
/** The same without comparing. */
void pair_forget(struct pair *pair);
/** They differ; the first words are printed. */
void pair_differs(struct pair *pair, const char *what, const char *a, const char *b);

#endif
