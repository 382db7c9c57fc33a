/*
 * A hall that is fuzzed, and what must hold of it after whatever anybody did.
 *
 * Of every message that has arrived: a chat that can do it, clean text, private only to a person;
 * and no public one names a card that one player alone may know. Of every live table: a game that
 * keeps the invariants. Of every stored one: bytes that are a table.
 */
#ifndef TESTS_FUZZ_HALL_WATCH_H
#define TESTS_FUZZ_HALL_WATCH_H

#include "bot/hall/hall.h"
#include "bot/tools/fake.h"

#include "tests/support/memory_store.h"

enum { FUZZ_CHATS = 2, FUZZ_PLACES = 3 };

struct fuzz_chat {
    struct chat *chat;
    struct chat_queue queue;
    size_t seen; /**< messages looked at */
};

struct fuzz_hall {
    struct hall *hall;
    struct store *store;
    struct fuzz_chat chats[FUZZ_CHATS];
};

extern const char *const FUZZ_PLACE[FUZZ_PLACES];

/** What was seen of earlier inputs is forgotten. */
void watch_begin(void);
/** Looks at what has come since the last time. `late`: it may have waited, and what was played then
 * may be in a hand again. */
void watch_step(struct fuzz_hall *fuzz, bool late);
/** Card sets for all halls, which read none again: what an input does to a hall is not in them. */
struct library *watch_library(void);
/** The box of a live table; good until the next call. */
const struct box *watch_box(const struct table *table);

#endif
