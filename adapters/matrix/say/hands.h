/*
 * The rooms in which hands are shown, one a person: found, made, or asked for again.
 *
 * Making one has no transaction: the same request twice makes two rooms, and an answer that is lost
 * says nothing. So a room counts when a sync tells of it, whole; what was asked for and is not told
 * of by then is asked for again, some times. Who has left theirs is invited into it again. A
 * request costs as much as a message, so it waits in the same queue. Reference: Matrix, section 8.
 *
 * It is encrypted if its owner has a device that reads, and must be where `encryption = always`,
 * for who has had an encrypted one before, and for who is in an encrypted room with the bot: the
 * hands of a table that is told of in an encrypted room are never shown in clear, and who has sat
 * at such a table is shown nothing of theirs in clear any more, in no room and by no later process.
 * Who must have an encrypted one and has no such device is shown none. Whether the homeserver has
 * encrypted a room is looked at behind the answer. What the room is like is the first line there.
 */
#ifndef ADAPTERS_MATRIX_SAY_HANDS_H
#define ADAPTERS_MATRIX_SAY_HANDS_H

#include "adapters/matrix/client/api.h"
#include "adapters/matrix/client/room.h"
#include "adapters/matrix/say/outlet.h"
#include "adapters/matrix/say/seal.h"
#include "adapters/net/net_log.h"

struct hands_setup {
    struct api *api;
    struct chat *chat;
    struct fibres *fibres;
    struct seal *seal;
    struct rooms *rooms;
    struct outlet *outlet;
    struct limits *limits;
    const char *bot;
    uint64_t *numbers; /**< of the outlet's items: the latest that was given */
    net_log_fn *log;
    void *log_user;
    /** Somebody's room is there, and was made just now; or is there again; NULL: it will not be. */
    void (*release)(void *user, const char *person, const struct room *room, bool made);
    /** Somebody has no device that reads and gets no room for that, which is told behind this. */
    void (*left_out)(void *user, const char *person);
    void (*pump)(void *user); /**< the outlet is to be looked at */
    void *user;
};

struct hands;

struct hands *hands_create(const struct hands_setup *setup);
/** NULL is fine; when its fibres have ended. */
void hands_destroy(struct hands *hands);
/** Whether somebody's hand may be shown in a room, as far as syncs tell. */
bool hands_shows(const struct hands *hands, const struct room *room, const char *person);
/** Whether it is known which rooms show no hand any more; nothing may be sent before. */
bool hands_are_read(const struct hands *hands);
/** Somebody sits at a table in an encrypted room: nothing of theirs is told in clear any more. */
void hands_retire(struct hands *hands, const char *person);
/** Whether it is the first time that somebody is left out, in all processes. */
bool hands_leave_out(struct hands *hands, const char *person);
/** Whether somebody is told nothing of theirs in clear, whatever it is about. */
bool hands_seals(const struct hands *hands, const char *person);
/** Somebody's room, if it is there, for what must be `sealed` or need not be; NULL. */
const char *hands_room(const struct hands *hands, const char *person, bool sealed);
/** Has it made, unless that is under way; false: it could not be, lately. */
bool hands_make(struct hands *hands, const char *person, bool sealed);
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
