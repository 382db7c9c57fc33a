/*
 * Twins: two games that differ only in what one seat holds in secret, played side by side.
 *
 * The original and its twin begin from the same state, but in the twin some hidden cards of one
 * seat (the secret one) have changed places with undrawn cards of the same deck. Both go through a
 * session each, with people and bot players on the other seats, and get the same commands at the
 * same virtual times; commands that name a differing card are not given. After each command
 * everything that the other seats, onlookers and clocks can show must be equal. A pair ends when
 * the rules lay a differing card open, when the secret seat could only answer by naming one, or
 * when the game is over.
 *
 * Chance comes from the pair's number alone: a failure is repeated by `twins --pairs 1 --first N`.
 */
#ifndef TESTS_TWINS_TWINS_H
#define TESTS_TWINS_TWINS_H

#include <stdint.h>

#include "core/base/rng.h"
#include "core/game.h"
#include "core/seen/moves.h"

#include "bot/tools/solo.h"

enum { TWINS_DIFFER_MAX = 64, TWINS_STEPS_MAX = 64, TWINS_BYTES_MAX = 1 << 20 };

enum twins_end {
    TWINS_GOES_ON,
    TWINS_OVER,     /**< the game has a winner */
    TWINS_DRAWN,    /**< a differing card of a deck came to light */
    TWINS_OPENED,   /**< a differing card of the hand came to light */
    TWINS_SHOWN,    /**< a differing card was shown where it is */
    TWINS_CORNERED, /**< the secret seat must act and can only name a differing card */
    TWINS_LONG,     /**< enough commands */
    TWINS_SAME,     /**< nothing to differ in: no pair */
    TWINS_BROKEN,   /**< the promise does not hold */
    TWINS_ENDS
};

struct twins_setup {
    const struct catalog *catalog;
    const char *sets;           /**< "classic,super" */
    unsigned long number;       /**< of the pair: all its chance */
    unsigned long commands_max; /**< before a pair is long enough */
    bool talk;                  /**< prints every command */
};

struct twins_result {
    enum twins_end end;
    unsigned long commands; /**< carried out in both, elapsed clocks included */
    unsigned long probes;   /**< refused or looking lines and commands that were compared */
    unsigned long differ;   /**< cards that differed */
    unsigned long drawn;    /**< differing cards that the secret seat drew unseen */
    char what[512];         /**< what differs, if broken */
};

/** Plays one pair. False only without memory or with bad sets (what says so). */
bool twins_play(const struct twins_setup *setup, struct twins_result *out);

/* Inside of the program. */

/** One command as others were told it. */
struct twins_step {
    struct command command;
    size_t bytes;       /**< end of its told events in `told` */
    size_t messages;    /**< said before it */
    enum twins_end end; /**< not GOES_ON: a differing card came to light */
};

/** One of the two games. */
struct twin {
    struct solo *session;
    struct twins_step steps[TWINS_STEPS_MAX];
    unsigned step_count;
    unsigned char *told; /**< TWINS_BYTES_MAX: the other seats' events, in order */
    size_t told_count;
    struct move_list moves; /**< scratch */
};

struct invariants;

struct twins {
    const struct twins_setup *setup;
    struct twins_result *result;
    struct box box;
    struct mb_rng rng;
    unsigned seats, secret;
    struct twin twin[2];
    struct game *scratch[2];
    struct invariants *invariants; /**< of the original's commands */
    uint16_t differ[TWINS_DIFFER_MAX];
    unsigned differ_count;
    enum twins_end end;
};

/** The pair ends as broken; the first words stay. */
MB_PRINTF(2, 3)
void twins_break(struct twins *twins, const char *format, ...);
bool twins_differs(const struct twins *twins, uint16_t card);
bool twins_names(const struct twins *twins, const struct command *command);
unsigned twins_below(struct twins *twins, unsigned bound);

/** Makes both tables and plays them to where they part; `scratch` is a state. */
bool twins_seat(struct twins *twins, struct game *scratch);
/** Swaps hidden cards of the secret seat in `game`; fills `differ`. */
void twins_swap(struct twins *twins, struct game *game);

/** The next thing that happens: a command in both games, a line, or time. */
void twins_act(struct twins *twins);
/** Looks and damaged commands of the others: the same answers, nothing changed. */
void twins_probe(struct twins *twins);

/** Writes down what a command told the others; the session calls it. */
void twins_record(struct twins *twins, unsigned which, const struct table_step *step);
/** Compares what the last action did and, if it may have changed anything, how both stand now. */
void twins_compare(struct twins *twins, bool changed);

#endif
