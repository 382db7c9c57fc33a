/*
 * One answer to a sync, walked in the order in which it counts.
 *
 * Invitations first, then rooms left, then each room's state before its timeline. What was said
 * before the bot had joined is not told, nor is any message of a sync without a token: only what
 * rooms are like counts there. Where the server has left out a part of a room's timeline, or who is
 * in a room that the bot has made, the walk rests until it is given what it lacks, and so it does
 * until what was said is opened (seal.h). It goes as far at a time as it is let, for an answer can
 * be longer than a loop may wait. Pure. Reference: Matrix, sections 5 and 7.
 */
#ifndef ADAPTERS_MATRIX_SYNC_H
#define ADAPTERS_MATRIX_SYNC_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "adapters/matrix/room.h"
#include "adapters/matrix/wire.h"

struct sync_invitation {
    const char *room, *inviter;
    const char *predecessor; /**< the room whose place it has taken, as it says itself; or NULL */
    bool encrypted, space, direct;
};

/* What people have said in a room, as it came. */
struct sync_sealed {
    const char *room;
    json_t *events; /**< an array, borrowed */
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

/** A walk; its members are sync.c's. */
struct sync_walk {
    struct sync_told told;
    json_t *answer, *filled;
    unsigned part; // of the answer
    unsigned of;   // of a room that the bot is in
    bool known;    // the bot was in it before
    bool created;  // its creation is told in its state, and so all of that
    void *at;      // where in the part
    struct room *room;
    size_t event, from;
    json_t *opened;            // of the part of the room
    struct sync_gap gap;       /**< of SYNC_GAP and SYNC_MEMBERS, for everybody */
    struct sync_sealed sealed; /**< of SYNC_SEALED, the same */
};

enum sync_state {
    SYNC_MORE,
    SYNC_GAP,     /**< a part of a room's timeline is missing: sync_fill() */
    SYNC_MEMBERS, /**< who is in a room that the bot has made (gap.room) is missing: sync_fill() */
    SYNC_SEALED,  /**< what was said there is to be opened: sync_open() */
    SYNC_DONE,
    SYNC_BROKEN /**< memory is out */
};

/** The token from which the next sync goes on, borrowed from the answer; NULL: it is no answer to a
 * sync, and there is nothing to walk. The answer is borrowed until sync_end(). */
const char *sync_begin(struct sync_walk *walk, json_t *answer, const struct sync_told *told);
/** Walks on, over at most so many events or rooms. */
enum sync_state sync_go(struct sync_walk *walk, unsigned steps);
/** What the gap hid, the oldest first, or the members, taken; NULL: it is not to be had. */
void sync_fill(struct sync_walk *walk, json_t *events);
/** What was sealed, each event as it was said. */
void sync_open(struct sync_walk *walk, json_t *opened);
/** At any time, also all zero. */
void sync_end(struct sync_walk *walk);

#endif
