/*
 * One answer to a sync, walked in the order in which it counts.
 *
 * Invitations first, then rooms left, then each room's state before its timeline. What was said
 * before the bot had joined is not told, nor is any message of a sync without a token: only what
 * rooms are like counts there. Where the server has left out a part of a room's timeline, the walk
 * says so before that room's events. Pure. Reference: Matrix, sections 5 and 7.
 */
#ifndef ADAPTERS_MATRIX_SYNC_H
#define ADAPTERS_MATRIX_SYNC_H

#include <stdbool.h>

#include <jansson.h>

#include "adapters/matrix/room.h"
#include "adapters/matrix/wire.h"

struct sync_invitation {
    const char *room, *inviter;
    bool encrypted, space, direct;
};

struct sync_gap {
    const char *room;
    const char *from; /**< the token before the first event that came */
};

/** Who walks is told; words are borrowed during the call. */
struct sync_told {
    const char *bot;
    bool first; /**< there was no token: messages are not told */
    /** What is known of a room, made if need be; NULL: no memory. */
    struct room *(*room)(void *user, const char *id);
    void (*invited)(void *user, const struct sync_invitation *invitation);
    /** The bot is out of it: by itself, or thrown out. */
    void (*left)(void *user, const char *room, bool thrown_out);
    void (*gap)(void *user, const struct sync_gap *gap);
    /** The state of a room is known better than before; `fresh`: it has changed. */
    void (*changed)(void *user, struct room *room, const struct wire_event *event, bool fresh);
    /** What is no state: messages, and the echo of what the bot has sent. */
    void (*happened)(void *user, struct room *room, const struct wire_event *event);
    void *user;
};

/** The token from which the next sync goes on, borrowed from the answer; NULL: it is no answer to a
 * sync, or memory is out. */
const char *sync_walk(const json_t *answer, const struct sync_told *told);

#endif
