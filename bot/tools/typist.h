/*
 * A simulated person: says what a person at a seat would type next at a table of a hall.
 *
 * Typists see what their seat may see, decide as a bot player of that level would, and word it as
 * people type it. For soak tests and tests of the hall.
 */
#ifndef BOT_TOOLS_TYPIST_H
#define BOT_TOOLS_TYPIST_H

#include "core/base/rng.h"

#include "bot/hall/hall.h"
#include "bot/policy/policy.h"

struct typist;

/** A seat for which to type; all borrowed. */
struct typist_seat {
    const struct chat *chat;
    const char *place;
    unsigned seat;
    const struct policy *policy;
    struct mb_rng *rng;
};

struct typist *typist_create(void);
/** NULL is fine. */
void typist_destroy(struct typist *typist);
/** Writes a line for a seat of the live table at a place; false: nothing to say, or no table is
 * live there. */
bool typist_line(struct typist *typist, struct hall *hall, const struct typist_seat *who,
                 char line[CHAT_LINE_SIZE]);

#endif
