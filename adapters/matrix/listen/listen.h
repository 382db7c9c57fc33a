/*
 * What of the messages in a room is said to the bot, and as which line.
 *
 * Heard are: the prefix ("!munch kick") wherever it is said, bare words in a hand room, and what
 * begins with the bot's name, calls it, or replies to it, and then is a command, or a question,
 * which asks for help; what else people say of it is their own talk. Only the first line of a
 * message counts, blanks of all kinds become one, a person who is named by a link becomes their id.
 * Notices, edits and what was taken back are not said to anybody; other bots' prefixes are none of
 * ours. Reference: Matrix, sections 6, 10 and 14.
 */
#ifndef ADAPTERS_MATRIX_LISTEN_LISTEN_H
#define ADAPTERS_MATRIX_LISTEN_LISTEN_H

#include <stddef.h>

#include <jansson.h>

#include "bot/chat.h"

#include "adapters/matrix/client/room.h"
#include "adapters/matrix/client/wire.h"

struct listener {
    const char *bot;    /**< its id */
    const char *name;   /**< as it calls itself there, or "" */
    const char *prefix; /**< without "!" */
    bool hand;          /**< a hand room: every word is for the bot */
    /** Whether an event is the bot's own message: what replies to it is said to it. */
    bool (*is_own)(void *user, const char *id);
    void *user;
};

enum listen_result {
    LISTEN_SILENT,  /**< it is not for the bot */
    LISTEN_HEARD,   /**< `line` is */
    LISTEN_TOO_LONG /**< it is, and longer than any command: never cut */
};

/** `line` may be empty: it was called and nothing more was said. */
enum listen_result listen_to(const struct listener *listener, const struct wire_event *event,
                             char line[CHAT_LINE_SIZE]);

/*
 * Cards that people have named in a room, where all read it, by a command that was refused: they
 * are told so once a game.
 *
 * Pure. Of the latest such lines the events are remembered until it is known what came of them.
 */

struct blurted;

struct blurted *blurted_create(void);
/** NULL is fine. */
void blurted_destroy(struct blurted *blurted);
/** Somebody has said that in a room: a line that names a card of theirs, or opens a game. */
void blurted_said(struct blurted *blurted, const char *room, const char *person, const char *event,
                  const char *line);
/** A line was refused for that reason; whether its author is to be told that the card is known now:
 * not again before the next game there. */
bool blurted_refused(struct blurted *blurted, const char *event, unsigned code);

/*
 * What a change of a room's state means for who plays there.
 *
 * Pure. A table room's members come and go, it is closed to the bot and open again, another takes
 * its place; a hand room's owner can be reached or not. Reference: Matrix, sections 7 to 9.
 */

/** Of an event that the room has taken in already; false: it means nothing. `opens`: what belongs
 * there can be said there: a hand, or what all read. Words are borrowed from all of them. */
bool news_of(const struct rooms *rooms, const struct room *room, const struct wire_event *event,
             const char *bot, bool opens, struct chat_in *out);
/** The bot is out of a room, and not by itself. */
void news_left(const struct room *room, const char *bot, struct chat_in *out);

#endif
