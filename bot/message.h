/*
 * What the bot says: platform-neutral messages, made by render, carried by chats.
 *
 * A list owns its texts. Private messages go to one seat only. Filter by viewer before filling a
 * list (event_for_viewer, game_redact): nothing downstream can tell what is secret.
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
    MESSAGE_REPLY,   /**< privately to the person who commanded: refusals, help, looks */
    MESSAGE_CARD,    /**< the table as it is, at the place `site` */
    MESSAGE_HAND,    /**< to `seat` alone: their hand */
    MESSAGE_ROOM,    /**< a room for the table at the place `site`, or the people in it (`pings`) */
    MESSAGE_LINK,    /**< at the old place of the table at `site`: the way to it */
    MESSAGE_WHISPER  /**< to `seat` alone when it leaves: what no hand message can say */
};

struct message {
    enum message_to to;
    unsigned seat;  /**< for private messages and replies */
    unsigned pings; /**< bits of the seats that a message for the table notifies */
    char *text;     /**< UTF-8, lines end with \n */
    /** A reply that refuses: code, rule, card and amount, which the text does not spell out.
     * REFUSAL_NONE otherwise. */
    struct refusal refusal;
    /* Of card, hand and panel: */
    unsigned site;
    uint32_t version;              /**< counts the forms shown */
    uint16_t decision;             /**< the open question, or 0 */
    struct chat_control *controls; /**< NULL: none */
    size_t control_count;
    uint32_t turn;                 /**< of a board: round and turn in one number, 0 before a game */
    uint32_t chapter;              /**< of a card: grows with each turn and each call */
    uint8_t mood;                  /**< of a card: enum chat_mood */
    bool tells;                    /**< of a card: it tells the narration of its step */
    char prompt[CHAT_PROMPT_SIZE]; /**< whom the table waits for, and for what; or "" */
    char path[CHAT_PATH_SIZE];     /**< the page of the controls; "" : none */
    unsigned asked; /**< of a card or hand: bits of the seats for which the table waits */
    struct chat_question question; /**< of a card */
    /* For paced chats (bot/chat.h): */
    int64_t clock_ms; /**< of a card: the time left on its clock; -1: none */
    bool idle;        /**< of a hand: its owner can only pass */
};

/** Words that a list shares with the messages made from it: they live while anybody holds them and
 * never change once said. */
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

/** Returns the pool for the words of the list's messages. */
struct mb_pool *message_words(struct message_list *list);
/** Appends a copy of the text. */
void message_add(struct message_list *list, enum message_to to, unsigned seat, const char *text);
/** Replaces a message's text by a copy of `text`. */
void message_retell(struct message_list *list, struct message *message, const char *text);
/** Appends a reply that refuses. */
void message_add_refusal(struct message_list *list, unsigned seat, const char *text,
                         const struct refusal *why);
/** Lets the newest message notify these seats. */
void message_ping(struct message_list *list, unsigned seats);
/** Sets the line by which the newest message notifies its readers. */
void message_prompt(struct message_list *list, const char *line);
/** Joins the messages for the table into one, and those private to a seat into one each. Refusals
 * and other replies stay apart. So everything between two decisions of people is one message. */
void message_list_gather(struct message_list *list);
/** Gives the newest message a copy of the controls. */
void message_control(struct message_list *list, const struct chat_control *controls, size_t count);
void message_list_clear(struct message_list *list);
/** Frees everything; the list may be used again. */
void message_list_finish(struct message_list *list);

#endif
