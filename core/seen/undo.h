/*
 * Taking a command back: a state put in the place of a later one, without rewinding chance.
 *
 * Whoever keeps earlier states (the session) hands one in. What comes back is that state but for
 * three things: the generator stands where it stands now, the version goes on counting, and a deck
 * from which cards came meanwhile is shuffled anew, so that nobody knows what comes next. Whether
 * people agree to it is not the core's business.
 */
#ifndef CORE_SEEN_UNDO_H
#define CORE_SEEN_UNDO_H

#include "core/game.h"

/** Whether from `before` to `now` nothing came of chance and nobody learned a card that `author`
 * did not know before: then taking it back gives nobody anything. */
bool undo_is_fair(const struct game *before, const struct game *now, unsigned author);
/** Puts `before` in the place of the state. The events (may be NULL) tell of shuffles only. */
void undo_apply(struct game *game, const struct box *box, const struct game *before,
                struct event_list *out);

#endif
