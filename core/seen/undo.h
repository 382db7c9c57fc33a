/*
 * Taking a command back: a state put in the place of a later one, without rewinding chance.
 *
 * The session keeps earlier states and hands one in. That state comes back with three changes: the
 * generator stays where it is now, the version goes on counting, and a deck from which cards came
 * meanwhile is shuffled again, so that nobody knows what comes next. Whether people agree is not
 * the core's business.
 */
#ifndef CORE_SEEN_UNDO_H
#define CORE_SEEN_UNDO_H

#include "core/game.h"

/** Whether from `before` to `now` nothing came of chance and nobody learned a card that `author`
 * did not know before. Then nobody gains anything by the undo. */
bool undo_is_fair(const struct game *before, const struct game *now, unsigned author);
/** Puts `before` in the place of the state. The events (may be NULL) tell of shuffles only. */
void undo_apply(struct game *game, const struct box *box, const struct game *before,
                struct event_list *out);

#endif
