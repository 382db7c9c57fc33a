/*
 * Games of the terminal that a store keeps, so that what was interrupted can be gone on with.
 *
 * Each lies at a place of its own. Under the word "console/PLACE" the store keeps who is at the
 * keyboard; the process that plays holds that word, so that nobody else goes on with the game
 * meanwhile. A game that is over or was left loses its word. Only so many that were interrupted are
 * kept: the oldest makes room.
 */
#ifndef ADAPTERS_CONSOLE_SAVED_H
#define ADAPTERS_CONSOLE_SAVED_H

#include "core/base/limits.h"

#include "bot/chat.h"
#include "bot/store.h"

enum { SAVED_PLACE_SIZE = 32, SAVED_MAX = 6 };

struct saved {
    char place[SAVED_PLACE_SIZE];
    unsigned people_count;
    char people[MB_SEATS_MAX][CHAT_ID_SIZE];
};

/** A place for a new game of these people. */
bool saved_begin(struct store *store, struct saved *saved, struct mb_error *err);
/** The newest game that was interrupted and nobody plays. */
bool saved_find(struct store *store, struct saved *out, struct mb_error *err);
/** It is not gone on with; `drop`: nor looked at again. */
void saved_end(struct store *store, const struct saved *saved, bool drop);

#endif
