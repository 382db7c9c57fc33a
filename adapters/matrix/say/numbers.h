/*
 * What numbers mean that people type in their hand rooms: what stood there when they said it.
 *
 * A hand says what its numbers stand for, and counts from the moment on at which it stands in the
 * room, which the room itself tells: a line behind it is meant by it, a line before it by the one
 * before. What meant something else a moment ago is doubtful. Of several tables the one that was
 * replied to is meant. What nobody knows here (after a start) means what the table says.
 * Pure. Reference: Matrix, section 14.
 */
#ifndef ADAPTERS_MATRIX_SAY_NUMBERS_H
#define ADAPTERS_MATRIX_SAY_NUMBERS_H

#include "bot/chat.h"

enum {
    NUMBERS_DOUBT_MS = 5000,
    NUMBERS_READ_MS = 2000 /**< so soon nobody has read that a number was doubtful */
};

struct numbers;

/** A hand as it was sent. Words are borrowed. */
struct numbers_hand {
    const char *room;
    const char *event; /**< that has shown it */
    const char *board; /**< the message in which it stands */
    struct chat_bond bond;
    char *const *lines; /**< what each number says, from 1 on */
    size_t line_count;
};

enum numbers_meaning {
    NUMBERS_UNKNOWN, /**< it is for the table to say */
    NUMBERS_MEANT,
    NUMBERS_DOUBTFUL /**< a moment ago it was `before` */
};

struct numbers_meant {
    struct chat_bond bond;
    const char *line, *before; /**< good until the next hand; of what is doubtful `line` may be
                                * NULL: it means nothing now */
    unsigned now;              /**< the number that `before` has now, or 0 */
};

struct numbers *numbers_create(void);
/** NULL is fine. */
void numbers_destroy(struct numbers *numbers);
void numbers_sent(struct numbers *numbers, const struct numbers_hand *hand);
/** A message of the bot's own stands in its room, since that time. */
void numbers_stands(struct numbers *numbers, const char *event, int64_t ms);
/** What a number means that is said there at that time, in reply to a message (or NULL). A
 * number is doubtful until its reader has been told so; they look at the hand then. */
enum numbers_meaning numbers_mean(struct numbers *numbers, const char *room, unsigned number,
                                  int64_t ms, const char *replied, struct numbers_meant *out);

#endif
