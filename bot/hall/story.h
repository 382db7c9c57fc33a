/*
 * What a turn has told so far: the latest lines of its narrations, in their order.
 *
 * Pure. The same narrations make the same story whether they come one by one or after a restart.
 */
#ifndef BOT_HALL_STORY_H
#define BOT_HALL_STORY_H

enum { STORY_LINES = 20, STORY_SIZE = 3000 /**< bytes, with the end */ };

/** The story (NULL: none yet) with one narration more: allocated, the caller's; the old one stays.
 * NULL without memory. */
char *story_with(const char *story, const char *narration);

#endif
