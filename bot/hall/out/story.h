/*
 * What a turn has told so far: the latest lines of its narrations, in their order.
 *
 * Pure. The same narrations make the same story whether they come one by one or after a restart.
 */
#ifndef BOT_HALL_OUT_STORY_H
#define BOT_HALL_OUT_STORY_H

#include <stddef.h>

enum { STORY_LINES = 20, STORY_SIZE = 3000 /**< bytes, with the end */ };

/** The story (NULL: none yet) with one narration more: allocated, the caller's; the old one stays.
 */
char *story_with(const char *story, const char *narration);

/** What of a story fits so many lines of a phone, below a line that says where the rest is: its
 * latest lines. Jokes that were told go first, then what was told, then other jokes, then the
 * oldest. Allocated, the caller's. `told`: by the message that is edited, or
 * NULL. */
char *story_fit(const char *story, const char *told, size_t lines);

#endif
