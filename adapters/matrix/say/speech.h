/*
 * What is said, on its way into rooms, and what became of each message.
 *
 * What is for one person goes into their hand room, which is made when the first such message comes
 * and found again by what it says of itself (room.h). Each time it is asked anew whether a hand
 * may be shown there. Everything is one queue (outlet.h): answers and the hand of one person go as
 * one event, a newer card takes the place of one that waits. What is to be sent once bears its key
 * as the transaction's id, so that sending it twice shows it once; what an earlier process may have
 * sent, or this one half a day ago, is looked for in its room first, a thousand messages deep.
 * Reference: Matrix, sections 6, 8 and 12.
 */
#ifndef ADAPTERS_MATRIX_SAY_SPEECH_H
#define ADAPTERS_MATRIX_SAY_SPEECH_H

#include <uv.h>

#include "bot/chat.h"
#include "bot/text/text.h"

#include "adapters/matrix/client/api.h"
#include "adapters/matrix/client/room.h"
#include "adapters/matrix/say/lobbies.h"
#include "adapters/matrix/say/numbers.h"
#include "adapters/matrix/say/seal.h"
#include "adapters/net/net_log.h"

struct speech;

struct speech_setup {
    uv_loop_t *loop;
    struct api *api;
    struct fibres *fibres;
    struct seal *seal;
    struct chat *chat; /**< is told outcomes, within speech_say() or later */
    struct lobbies *lobbies;
    struct rooms *rooms;
    struct limits *limits;
    struct numbers *numbers; /**< is told of hands */
    const char *bot;
    const char *prefix; /**< of commands in rooms of many, without its "!" */
    net_log_fn *log;
    void *log_user;
};

struct speech *speech_create(const struct speech_setup *setup);
/** NULL is fine. Behind speech_stop() and with the loop empty. */
void speech_destroy(struct speech *speech);
/** Queues a copy. */
void speech_say(struct speech *speech, const struct chat_out *out);
/** Somebody wants to play: their hand room is to be there. */
void speech_reach(struct speech *speech, const char *person);
/** In how many ms they can be told what is theirs, as chat_reach_ms(). */
int64_t speech_reach_ms(struct speech *speech, const char *person);
/** Somebody's hand room; NULL: there is none yet. */
const char *speech_hand_room(const struct speech *speech, const char *person);
/** Whether somebody can be told there what is theirs. */
bool speech_shows(const struct speech *speech, const struct room *room, const char *person);
/** A message, whosever it is, lies in a room now, below all others. */
void speech_below(struct speech *speech, const char *room, const char *event);
/** A line was said in the thread below `root`: what answers it is said there, too. */
void speech_threaded(struct speech *speech, const char *event, const char *root);
/** Somebody has deleted a message, the bot's or not. */
void speech_deleted(struct speech *speech, const char *event);
/** Whether too much waits already of the table or person that it is of. */
bool speech_is_full(const struct speech *speech, const struct chat_out *out);
/** Something was not taken for that: the operator is told, now and then. */
void speech_note_full(struct speech *speech);
/** What is known of a room has changed: hands that waited for it may go. */
void speech_room(struct speech *speech, const struct room *room);
/** A sync has come: whatever was made before it was asked for is known. */
void speech_synced(struct speech *speech);
/** They ask for it: a hand room that they have left or that could not be made is tried again. */
void speech_retry(struct speech *speech, const char *person);
/** Whether so many tables have come to share the account that their cards wait (outlet.h): true
 * once. */
bool speech_turns_crowded(struct speech *speech);
/** As outlet_figures(). */
void speech_figures(const struct speech *speech, struct chat_figures *out);
/** Somebody's device would compare keys with the bot's: that is cancelled, and says why. Where they
 * are with the bot they are told the fingerprint, once an hour. */
void speech_verify(struct speech *speech, const char *person, const char *device,
                   const char *transaction);
/** The same by an event in the room of that id, where that is cancelled: some an hour. */
void speech_verify_in(struct speech *speech, const char *id, const char *person, const char *event);
/** What somebody says in the encrypted room of that id is not heard: they are told so there, once
 * an hour. */
void speech_unheard(struct speech *speech, const char *id, const char *person,
                    enum seal_unheard why);
/** Whether an event is a message that was sent from here, lately. */
bool speech_is_own(const struct speech *speech, const char *event);
/** Lets go of the loop; nothing is sent any more. */
void speech_stop(struct speech *speech);

/*
 * What is said beside all tables, which no host keeps: once, for what it is about names it.
 */

struct aside {
    const char *about;  /**< an event's id, or what else happens once */
    const char *place;  /**< where, or NULL */
    const char *person; /**< to whom alone, or NULL */
    enum text_id text;
    const struct text_arg *args; /**< of the sentence, or NULL */
};

void aside_say(struct speech *speech, const struct aside *aside);

#endif
