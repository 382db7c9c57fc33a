/*
 * A step of a simulated game, for what counts along: the states before and after a command, its
 * events, and what each seat could have done instead.
 */
#ifndef BOT_TOOLS_STEP_H
#define BOT_TOOLS_STEP_H

#include "core/game.h"
#include "core/seen/moves.h"

struct simulate_step {
    const struct game *before, *after;
    const struct event_list *events;
    const struct move_list *moves; /**< by seat, before the command */
    unsigned players;
    unsigned careful;     /**< bits of the seats that are to defend with cards of their hands too */
    struct game *scratch; /**< contents irrelevant */
};

#endif
