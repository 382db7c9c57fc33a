/*
 * One answer to a sync, told in the order in which it counts.
 *
 * Invitations first, then rooms left, then each room's state before its timeline. What was said
 * before the bot had joined is not told, nor is any message of a sync without a token: only what
 * rooms are like counts there. What the server has left out of a room's timeline, who is in a room
 * that the bot has made, and what was said as it was before it was sealed, are asked for on the
 * way. Who is asked may wait, for an answer can be longer than a loop may wait. Pure. Reference:
 * Matrix, sections 5 and 7.
 */
#ifndef ADAPTERS_MATRIX_CLIENT_SYNC_H
#define ADAPTERS_MATRIX_CLIENT_SYNC_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "adapters/matrix/client/room.h"
#include "adapters/matrix/client/wire.h"

struct sync_invitation {
    const char *room, *inviter;
    const char *predecessor; /**< the room whose place it has taken, as it says itself; or NULL */
    bool encrypted, space, direct;
};

struct sync_gap {
    const char *room;
    const char *from; /**< the token before the first event that came; NULL: its members lack */
};

/** What is needed on the way; where these wait a room may be forgotten. False: nothing more is to
 * be told. */
struct sync_waits {
    /** What the gap hid, the oldest first, or the members; taken. NULL: it is not to be had. */
    bool (*fill)(void *user, const struct sync_gap *gap, json_t **out);
    /** What people have said in a room, as they said it; taken. */
    bool (*open)(void *user, const char *room, json_t *events, json_t **out);
    /** Between two events. */
    bool (*rest)(void *user);
    void *user;
};

/** Who is told; words are borrowed during the call. */
struct sync_told {
    const char *bot;
    bool first; /**< there was no token: messages are not told */
    /** What is known of a room, made if need be. */
    struct room *(*room)(void *user, const char *id);
    void (*invited)(void *user, const struct sync_invitation *invitation);
    /** The bot is in a room that has too much state to be read; nothing else of it is told. */
    void (*too_large)(void *user, const char *room);
    /** The bot is out of it: by itself, or thrown out. */
    void (*left)(void *user, const char *room, bool thrown_out);
    /** The state of a room is known better than before; `fresh`: it has changed. */
    void (*changed)(void *user, struct room *room, const struct wire_event *event, bool fresh);
    /** What is no state: messages, and the echo of what the bot has sent. */
    void (*happened)(void *user, struct room *room, const struct wire_event *event);
    void *user;
};

/** The token from which the next sync goes on, borrowed from the answer; NULL: it is no answer to a
 * sync, and there is nothing to tell. */
const char *sync_next(const json_t *answer);
/** Tells all of it; false: not all. */
bool sync_tell(json_t *answer, const struct sync_told *told, const struct sync_waits *waits);

#endif
