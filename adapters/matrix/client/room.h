/*
 * What is known of a room: who is in it, who has which power, what it is for.
 *
 * It is what the state events say that a sync has brought, one by one, in their order. A room that
 * was ever encrypted stays so here. Creators of a room of version 12 stand above all numbers.
 * Reference: Matrix, sections 7 to 9.
 */
#ifndef ADAPTERS_MATRIX_CLIENT_ROOM_H
#define ADAPTERS_MATRIX_CLIENT_ROOM_H

#include <stdbool.h>

#include "bot/chat.h"

#include "adapters/matrix/client/wire.h"

/** In the content of a hand room's creation: whose hand it is for. */
#define ROOM_HAND_OF "org.munchbot.hand_of"
/** The same of a table room: who has asked for it, and with which event. */
#define ROOM_OF "org.munchbot.room_of"
#define ROOM_BY "org.munchbot.room_by"

enum room_membership { ROOM_AWAY, ROOM_INVITED, ROOM_JOINED, ROOM_BANNED };

struct room_member {
    char *id, *name; /**< as they call themselves, or "" */
    enum room_membership membership;
};

struct room;

struct room *room_create(const char *id);
/** NULL is fine. */
void room_destroy(struct room *room);
const char *room_id(const struct room *room);
/** Takes what a state event says. */
void room_apply(struct room *room, const struct wire_event *event);

enum room_membership room_membership(const struct room *room, const char *person);
/** Whether anything was told of them there. */
bool room_knows(const struct room *room, const char *person);
/** Whether an event that the room has not taken in says anything new of who is in it. */
bool room_would_change(const struct room *room, const struct wire_event *event);
/** How somebody is shown there: their name, with the id behind it if another has the same; else the
 * id. */
void room_name_of(const struct room *room, const char *person, char *out, size_t size);
/** Members who have joined, or were invited and may. */
size_t room_count(const struct room *room, enum room_membership membership);
/** As the room calls itself, or "". */
const char *room_title(const struct room *room);
bool room_is_encrypted(const struct room *room);
/** Whether a sync has told that it is, and how. */
bool room_says_sealing(const struct room *room);
/** How its messages are sealed, and after what its key changes. False: it is not encrypted, or not
 * in the one way that is known, or has not always been, or is distrusted or crowded. */
bool room_sealing(const struct room *room, int64_t *rotation_ms, int64_t *rotation_messages);
/** The state that makes a new room encrypted. */
json_t *room_encryption(void);
/** Who is shown what was said there before: "joined", "invited", "shared" or "world_readable". */
const char *room_visibility(const struct room *room);
/** Of the server's list of its members: who reads what is said now, ids, an array. Whom it only
 * invited reads if its history is shown to them; the bot is none of them. NULL: the list cannot be
 * read. */
json_t *room_readers(const struct room *room, const json_t *members, const char *bot);
/** Whether somebody may do what takes that much power (50: a moderator). */
bool room_permits(const struct room *room, const char *person, int64_t power);
/** The room that has taken its place, or "". */
const char *room_replacement(const struct room *room);
/** The room whose place it has taken, as it says itself, or "". */
const char *room_predecessor(const struct room *room);
/** Whether somebody may say something there. */
bool room_may_write(const struct room *room, const char *person);
/** Whether a hand may be shown there, as far as syncs tell: `bot` has made it for that player and
 * for nobody else, nobody else is in it or can get in, what was said is shown to nobody who was not
 * invited, and if it is encrypted, then in the one way that is known. Whether it must be, and
 * whether there are keys, is not asked here (say/hands.h). */
bool room_is_hand(const struct room *room, const char *bot, const char *player);
/** Of the server's list of a room's members: whether these two are in it, the player maybe only
 * invited, and nobody else. */
bool room_is_between(const json_t *members, const char *bot, const char *player);
/** No hand is shown there any more, and nothing is sealed. */
void room_distrust(struct room *room);
/** More people are in it than what is sealed is shared with: nothing is sealed until one leaves. */
void room_crowd(struct room *room);
/** Who has asked `bot` for a table room, with which event, and when it was made, in ms since 1970;
 * NULL: it is none. */
const char *room_of(const struct room *room, const char *bot);
const char *room_by(const struct room *room, const char *bot);
int64_t room_made_ms(const struct room *room);
/** Encrypted for ever, whatever its state says. */
void room_seal(struct room *room);
/** When it was last used, in ms since 1970 and to a day, as its owner notes; 0: not known. */
int64_t room_used_ms(const struct room *room);
void room_use(struct room *room, int64_t now_ms);
/** Whose hand room it says it is, made by `bot`; or NULL. */
const char *room_hand_of(const struct room *room, const char *bot);

/*
 * The rooms the bot knows, by id; and which of them is whose hand room.
 *
 * Reference: Matrix, sections 7 and 8.
 */

struct rooms;

/** The bot's id is borrowed. */
struct rooms *rooms_create(const char *bot);
/** NULL is fine. */
void rooms_destroy(struct rooms *rooms);
/** Makes it if need be. */
struct room *rooms_get(struct rooms *rooms, const char *id);
/** NULL: not known. */
struct room *rooms_find(const struct rooms *rooms, const char *id);
void rooms_forget(struct rooms *rooms, const char *id);
/** One after the other, from NULL on to NULL; none may be forgotten meanwhile. */
struct room *rooms_next(const struct rooms *rooms, const struct room *before);
/** What else is wanted of a hand room. */
struct rooms_wanted {
    bool (*fits)(const void *user, const struct room *room, const char *person);
    const void *user;
};
/** The room in which somebody's hand may be shown; NULL: there is none. `wanted`: NULL: any. */
struct room *rooms_hand(const struct rooms *rooms, const char *person,
                        const struct rooms_wanted *wanted);
/** One in which it might if they came back; NULL: there is none. */
struct room *rooms_old_hand(const struct rooms *rooms, const char *person,
                            const struct rooms_wanted *wanted);

#endif
