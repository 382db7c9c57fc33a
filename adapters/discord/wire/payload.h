/*
 * What is said, as Discord's bodies: messages, boards, answers to interactions.
 *
 * Pure. Texts are escaped (markup.h) and cut to what one message shows; nobody is called but by
 * `pings`. Boards are Components V2; what is to be read on a lock screen is classic. Bodies are the
 * caller's. Reference: Discord, sections 4 to 6.
 */
#ifndef ADAPTERS_DISCORD_WIRE_PAYLOAD_H
#define ADAPTERS_DISCORD_WIRE_PAYLOAD_H

#include <jansson.h>

#include "bot/chat.h"

enum {
    PAYLOAD_CLASSIC_MAX = 2000, /**< characters of a classic message */
    PAYLOAD_BOARD_MAX = 4000,   /**< ... and of one of components */
    /* What is as long as this fits there, calls and what is escaped in an honest text included. */
    PAYLOAD_TEXT_BYTES = 1700,
    PAYLOAD_BOARD_BYTES = 3600,
    PAYLOAD_NONCE_SIZE = 26,
    PAYLOAD_EPHEMERAL = 64,
    PAYLOAD_SILENT = 4096
};

/** How an interaction is answered at first. */
enum payload_answer {
    PAYLOAD_ANSWER = 4,
    PAYLOAD_THINKING = 5, /**< an answer will follow: what is sent later takes its place */
    PAYLOAD_KEEP = 6,     /**< the pressed message stays as it is until it is edited */
    PAYLOAD_ANEW = 7,     /**< the pressed message becomes this */
    PAYLOAD_CHOICES = 8,
    PAYLOAD_FORM = 9 /**< only as the very first answer */
};

/** A text for all at a place, or one person's; with `flags` of the enum above. What calls somebody
 * is not silent. */
json_t *payload_text(const char *text, const char *const *pings, size_t ping_count, unsigned flags);
/** The same with a button that leads to an address. */
json_t *payload_link(const char *text, const char *label, const char *url, unsigned flags);
/** What is read on a lock screen first, about the table in a channel: the push says `line` and
 * where that is, and names no card; the text stands below. Without a line (NULL) it is a new hand.
 */
json_t *payload_first(const char *line, const char *place, const char *text, unsigned flags);
/** Below a text or board, small: in which channel its table is. */
void payload_place(json_t *body, const char *place);
/** What a board says, from top to bottom; NULL: not that. */
struct payload_board {
    const char *asks;         /**< of whom what is asked, with those it calls behind it */
    const char *const *pings; /**< whom a new message calls */
    size_t ping_count;
    const char *story; /**< shortened from its beginning, if not all finds room */
    const char *text;
    int64_t when_s; /**< when its clock runs out, in seconds since 1970, or 0 */
    uint8_t mood;   /**< enum chat_mood: its colour */
};
/** A card or hand; `edits` : in place of an earlier form. It calls nobody. */
json_t *payload_board(const struct payload_board *board, bool edits, unsigned flags);
/** A new card that calls people: the push says what is asked, the rest stands below. */
json_t *payload_call(const struct payload_board *board);
/** Rows of controls (controls.h; taken) below either. */
void payload_rows(json_t *body, json_t *rows);
/** The same body, to be sent once whatever happens: the message's mark (struct chat_out) goes with
 * it, as a nonce and, since Discord forgets that after minutes and tells it to nobody, as the
 * number of its first component. */
void payload_once(json_t *body, uint64_t mark);
/** That number, of a body or of a message that is there; 0: it has none. */
json_int_t payload_mark(const json_t *message);
/** An interaction's answer, of `data` (taken; or NULL). */
json_t *payload_callback(enum payload_answer type, json_t *data);

#endif
