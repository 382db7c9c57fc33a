/*
 * The rooms in which hands are shown, one a person: found, made, or asked for again.
 *
 * Making one has no transaction: the same request twice makes two rooms, and an answer that is lost
 * says nothing. So a room counts when a sync tells of it, whole; what was asked for and is not told
 * of by then is asked for again, some times. Where a homeserver has encrypted it unasked, which is
 * looked at behind the answer, no hand is shown. Who has left theirs is invited into it again. A
 * request costs as much as a message, so it waits in the same queue. Reference: Matrix, section 8.
 */
#ifndef ADAPTERS_MATRIX_SAY_HANDS_H
#define ADAPTERS_MATRIX_SAY_HANDS_H

#include "adapters/matrix/client/api.h"
#include "adapters/matrix/client/room.h"
#include "adapters/matrix/say/outlet.h"
#include "adapters/net/net_log.h"

struct hands_setup {
    struct api *api;
    struct fibres *fibres;
    struct rooms *rooms;
    struct outlet *outlet;
    struct limits *limits;
    const char *bot;
    uint64_t *numbers; /**< of the outlet's items: the latest that was given */
    net_log_fn *log;
    void *log_user;
    /** Somebody's room is there; NULL: it will not be. */
    void (*release)(void *user, const char *person, const char *room);
    void (*pump)(void *user); /**< the outlet is to be looked at */
    void *user;
};

struct hands;

struct hands *hands_create(const struct hands_setup *setup);
/** NULL is fine; when its fibres have ended. */
void hands_destroy(struct hands *hands);
/** Somebody's room, if it is there; NULL. */
const char *hands_room(const struct hands *hands, const char *person);
/** Has it made, unless that is under way; false: it could not be, lately. */
bool hands_make(struct hands *hands, const char *person);
/** 0: somebody is in their room. CHAT_REACH_INVITED: they are invited, or will be at once.
 * CHAT_REACH_NEVER: they have left it or will not have one. Above 0: the ms until the room can be
 * made, 5,000 or more. Has the room made if nobody has asked for it. */
int64_t hands_wait_ms(struct hands *hands, const char *person);
/** The outlet lets that request go now. */
void hands_ask(struct hands *hands, uint64_t number);
/** A room is known better than before. */
void hands_know(struct hands *hands, const struct room *room);
/** A sync has come. */
void hands_synced(struct hands *hands);
/** They ask for it: what could not be made may be tried again. */
void hands_retry(struct hands *hands, const char *person);

#endif
