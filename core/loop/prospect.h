/*
 * What may happen: questions of callers that weigh moves by trying them on a copy, as bot
 * players do. Pure; nothing here knows what anything is worth to anybody.
 */
#ifndef CORE_LOOP_PROSPECT_H
#define CORE_LOOP_PROSPECT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/card/box.h"

struct game;

/** What winning the fight as it stands would bring a fighter. */
struct prospect_reward {
    int levels, treasures;
};
struct prospect_reward prospect_reward(const struct game *game, const struct box *box,
                                       unsigned seat);
/** Treasures to be had by winning it, for whomever: what can be offered for help. */
int prospect_treasures(const struct game *game, const struct box *box);

/** What a die must show for a seat to escape the monster at a place of the fight: from 1 down it
 * always escapes, above 6 it never does. */
int prospect_escape(const struct game *game, const struct box *box, unsigned seat, unsigned index);

/** The roll that is being answered. */
struct prospect_roll {
    unsigned seat;
    unsigned what; /**< enum roll_for */
    uint16_t card; /**< what it is about: a flight's monster */
    int face;
    int total; /**< the face with all that is added to it */
    int need;
    bool succeeds;
};
/** False: what is being answered is no roll. */
bool prospect_roll(const struct game *game, const struct box *box, struct prospect_roll *out);

/** Whether chance had a part in what came between two states of a game. */
bool prospect_drew(const struct game *before, const struct game *after);
/** Lets the next die of a copy show a face, 1 to 6; what else chance decides there follows from the
 * face. */
void prospect_set_die(struct game *copy, unsigned face);
/** Whether a seat is what it was, as far as can be seen at a glance: Level, hand, cards in play,
 * effects that last. */
bool prospect_same_seat(const struct game *before, const struct game *after, unsigned seat);

#endif
