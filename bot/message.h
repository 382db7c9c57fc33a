/*
 * What the bot says: platform-neutral messages, made by render, carried by chats.
 *
 * A list owns its texts. Private messages go to one seat only; whoever fills a list has filtered by
 * viewer before (event_for_viewer, game_redact): nothing downstream can tell what is secret.
 */
#ifndef BOT_MESSAGE_H
#define BOT_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/codec/memory.h"
#include "core/state/refusal.h"

#include "bot/chat.h"

enum message_to {
    MESSAGE_TABLE,   /**< narration, into the channel */
    MESSAGE_PRIVATE, /**< to `seat` alone */
    MESSAGE_REPLY,   /**< to the one who commanded, privately: refusals, help, looks */
    MESSAGE_CARD,    /**< the table as it is, at the place `site` */
    MESSAGE_HAND,    /**< to `seat` alone: their hand */
    MESSAGE_ROOM,   /**< a room for the table at the place `site`, or who belongs in it (`pings`) */
    MESSAGE_LINK,   /**< where the table at the place `site` came from: the way to it */
    MESSAGE_WHISPER /**< to `seat` alone, on the way out: what no hand message can say */
};

struct message {
    enum message_to to;
    unsigned seat;  /**< for private messages and replies */
    unsigned pings; /**< bits of seats whom a message for the table is to call */
    char *text;     /**< UTF-8, lines end with \n */
    /** A reply that refuses: code, rule, card and amount, which the text does not spell out.
     * REFUSAL_NONE otherwise. */
    struct refusal refusal;
    /* Of card, hand and panel: */
    unsigned site;
    uint32_t version;              /**< counts what is shown */
    uint16_t decision;             /**< the question that is open, or 0 */
    struct chat_control *controls; /**< NULL: none */
    size_t control_count;
    uint32_t turn;                 /**< of a card: round and turn in one number, 0 before a game */
    uint32_t chapter;              /**< of a card: grows with each turn and each call */
    uint8_t mood;                  /**< of a card: enum chat_mood */
    bool tells;                    /**< of a card: the narration of its step is told with it */
    char prompt[CHAT_PROMPT_SIZE]; /**< whom the table waits for, and for what; or "" */
    char path[CHAT_PATH_SIZE];     /**< the page that they make, "" : none */
    unsigned asked;                /**< of a card or hand: bits of the seats that are waited for */
    struct chat_question question; /**< of a card */
    /* For paced chats (bot/chat.h): */
    int64_t clock_ms; /**< of a card: what is left on the clock that it shows, -1: none */
    bool idle;        /**< of a hand: its owner can only pass */
};

/** Words that a list and messages made of it share: whole as long as anybody holds them, and never
 * changed once they are said. */
struct said {
    unsigned holders;
    struct mb_pool words;
};

struct said *said_hold(struct said *said);
/** NULL is fine. */
void said_drop(struct said *said);

struct message_list {
    struct said *said; /**< all texts and controls of its messages; NULL: none yet */
    struct message *items;
    size_t count, capacity;
};

/** Where words of its messages belong. */
struct mb_pool *message_words(struct message_list *list);
/** Appends a copy of the text. */
void message_add(struct message_list *list, enum message_to to, unsigned seat, const char *text);
/** Another text for a message of the list: a copy. */
void message_retell(struct message_list *list, struct message *message, const char *text);
/** The same for a reply that refuses. */
void message_add_refusal(struct message_list *list, unsigned seat, const char *text,
                         const struct refusal *why);
/** The newest message is to call these seats. */
void message_ping(struct message_list *list, unsigned seats);
/** The newest message is to call its readers by this line. */
void message_prompt(struct message_list *list, const char *line);
/** Makes one message of all that is for the same readers: everything for the table, all that is
 * private to a seat. Refusals and other replies stay by themselves. What happens between two
 * decisions of people is one message then. */
void message_list_gather(struct message_list *list);
/** Gives the newest message controls: a copy. */
void message_control(struct message_list *list, const struct chat_control *controls, size_t count);
void message_list_clear(struct message_list *list);
/** Frees everything; the list may be used again. */
void message_list_finish(struct message_list *list);

#endif
