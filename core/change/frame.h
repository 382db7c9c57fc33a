/*
 * Frames: the waiting point as data. A stack of {kind, named step, payload}; a game can wait a
 * month.
 *
 * Each kind has one step function (core/loop/engine.c holds the table). A step either changes the
 * state and goes on, or waits for a command. A frame that ends may leave a result in its parent's
 * field `result`. What each kind holds: game_state.h; what it may hold: layout.h.
 */
#ifndef CORE_CHANGE_FRAME_H
#define CORE_CHANGE_FRAME_H

#include "core/change/emit.h"

enum frame_kind {
    FRAME_NONE,
    FRAME_SETUP,    /**< before the first turn */
    FRAME_TURN,     /**< a turn */
    FRAME_FIGHT,    /**< a fight until it is won or given up */
    FRAME_ENTER,    /**< a monster enters */
    FRAME_FLEE,     /**< running away */
    FRAME_ROLL,     /**< a die */
    FRAME_PROGRAM,  /**< rows of a card; see program.h */
    FRAME_CURSE,    /**< a Curse announced */
    FRAME_BODIES,   /**< looting the dead */
    FRAME_REWARD,   /**< after a won fight */
    FRAME_SHARE,    /**< sharing Treasures that lie face up */
    FRAME_DRAW,     /**< drawing cards */
    FRAME_REPAIR,   /**< the owner trims what has become too much */
    FRAME_WOULD,    /**< something would happen to a player */
    FRAME_THEFT,    /**< a thief tries to steal */
    FRAME_IDENTITY, /**< Secret Identity against a Trap */
    FRAME_WAITING,  /**< triggers and threatened cards that wait: see waiting.h */
    FRAME_PLAYED,   /**< a card played that may be answered; above the program it waits for */
    FRAME_TOTAL
};

enum step_result { STEP_ON, STEP_WAIT };

/** The topmost frame of a kind, or NULL. */
const struct frame *frame_find(const struct game *game, unsigned kind);
/** The top frame, or NULL. */
const struct frame *frame_top(const struct game *game);

/** The frame below the top one, or NULL. */
const struct frame *frame_below(const struct game *game);

/** Whether a Curse's frame, where it lies on the stack, is of one suffered out of the discards. */
bool frame_suffers(const struct frame *curse);

void frame_push(struct engine *engine, const struct frame *frame);
/** Replaces the top frame. */
void frame_set(struct engine *engine, const struct frame *frame);
void frame_pop(struct engine *engine);
/** Pops and leaves a result in the parent's `result`. */
void frame_return(struct engine *engine, int result);

#endif
