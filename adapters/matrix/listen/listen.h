/*
 * What of the messages in a room is said to the bot, and as which line.
 *
 * Heard are: the prefix ("!munch kick") wherever it is said, bare words in a hand room, and what
 * begins with the bot's name, calls it, or replies to it. Only the first line of a message counts,
 * blanks of all kinds become one, a person who is named by a link becomes their id. Notices, edits
 * and what was taken back are not said to anybody; other bots' prefixes are none of ours.
 * Reference: Matrix, sections 6, 10 and 14.
 */
#ifndef ADAPTERS_MATRIX_LISTEN_LISTEN_H
#define ADAPTERS_MATRIX_LISTEN_LISTEN_H

#include "bot/chat.h"

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

#endif
