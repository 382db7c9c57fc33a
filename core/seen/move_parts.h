/*
 * The parts of moves_list(), by verb. Candidates are asked of game_allows(), the same check
 * that decides; a part only makes sure that few hopeless candidates are asked, and none whose
 * answer follows from that of another.
 */
#ifndef CORE_SEEN_MOVE_PARTS_H
#define CORE_SEEN_MOVE_PARTS_H

#include "core/seen/moves.h"

struct move_maker {
    const struct game *game;
    const struct box *box;
    unsigned seat;
    bool all; /**< asks, gifts, trades and bribes too, of which there may be many, and what is
                   pointless */
    struct move_list *out;
};

/** Adds the command if it is legal; returns whether it was. */
bool move_add(struct move_maker *maker, const struct command *command);
/** Adds a command that is legal because another one was; false if there is no room. */
bool move_add_checked(struct move_maker *maker, const struct command *command);
/** Adds a template whose command is one valid completion. */
void move_add_template(struct move_maker *maker, const struct move *wanted);
/** Whether no earlier card of its pile is interchangeable with it. */
bool move_first_alike(const struct move_maker *maker, uint16_t card);

void moves_choose(struct move_maker *maker);
void moves_charity(struct move_maker *maker);
void moves_play(struct move_maker *maker);
void moves_items(struct move_maker *maker);
void moves_use(struct move_maker *maker);
void moves_deals(struct move_maker *maker);

#endif
