/*
 * Rooms that were left out of a sync because all of it was too much.
 *
 * Each is asked for again by itself, from where that sync had begun, one behind each sync; so what
 * the rooms of others hold costs a room time and nothing else. What was said there meanwhile may be
 * told twice. Of more than CUTS_MAX the rest waits for the next process. Pure. Reference: Matrix,
 * section 5.
 */
#ifndef ADAPTERS_MATRIX_LISTEN_CUTS_H
#define ADAPTERS_MATRIX_LISTEN_CUTS_H

#include <stdbool.h>

#include <jansson.h>

#include "bot/chat.h"

#include "adapters/matrix/listen/stream.h"

enum { CUTS_MAX = 256, CUTS_TRIES = 4 };

struct cut {
    struct cut *next;
    unsigned tries;
    bool all; /**< the sync was to tell of all rooms */
    char room[CHAT_ID_SIZE], since[STREAM_TOKEN_SIZE];
};

/** All zero in the beginning; its members are cuts.c's but for the first. */
struct cuts {
    struct cut *first; /**< whose turn it is, or NULL */
    unsigned count;
};

/** Notes the rooms that an answer lacks (sieve.h): to be asked for from that token. */
void cuts_note(struct cuts *cuts, const json_t *answer, const char *since, bool all);
/** The first is told, or comes again after the others: CUTS_TRIES times. */
void cuts_told(struct cuts *cuts);
void cuts_again(struct cuts *cuts);
void cuts_clear(struct cuts *cuts);

#endif
