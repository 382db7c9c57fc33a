/*
 * A chat without a network: remembers what it was told to say, and hears what a test says.
 *
 * A real adapter behind the real contract, for tests and dry runs. Messages are delivered at once,
 * and their outcome is told inside chat_send(); or, after fake_hold(), they wait until the test
 * delivers them, each reader's in order, readers in any. It can be made to fail at the n-th
 * message, to lose its connection, and never to deliver what it took, as networks do.
 *
 * The room that a table gets is the place "room", of which there is one.
 *
 * What comes again under a key that it remembers is not shown again, and has the same outcome.
 *
 * All that was delivered is remembered in that order, edits as messages of their own; of a message
 * that was edited it is known that nobody sees it any more (fake_message.replaced).
 */
#ifndef BOT_TOOLS_FAKE_H
#define BOT_TOOLS_FAKE_H

#include "bot/chat.h"
#include "bot/chat_queue.h"

enum { FAKE_CAPS_ALL = CHAT_CAP_BUTTONS | CHAT_CAP_PRIVATE | CHAT_CAP_EDIT };

/** Words are the fake's until fake_forget(). */
struct fake_message {
    const char *place;
    const char *person;   /**< "" : to everybody at the place */
    const char *event;    /**< of what it answers, or "" */
    const char *answer;   /**< what it answers, in the chat's words, or "" */
    const char *replaces; /**< the id of the message it has edited, or "" */
    const char *text;
    char id[CHAT_TABLE_SIZE]; /**< the fake's own; an edit has that of what it edits */
    struct chat_key key;
    uint64_t mark;
    enum chat_kind kind;
    struct refusal refusal; /**< of a reply that refuses; its code is REFUSAL_NONE otherwise */
    bool replaced;          /**< a later one stands in its place */
    bool anew;              /**< it stands in the place of what was pressed */
    struct chat_bond bond;
    const char *pings, *asked; /**< persons, each with a blank behind */
    size_t ping_count, control_count;
    const struct chat_control *controls;
    const char *path;   /**< the page that they make, or "" */
    const char *prompt; /**< or "" */
    const char *story;  /**< without marks; or "" */
    const char *kept;   /**< what the message that it replaces tells, without marks; or "" */
    uint32_t chapter;
    bool tells; /**< it has a story */
    bool open;
    const char *moved; /**< or "" */
    int64_t clock_ms;
    bool idle, retries;
};

/** One with these capabilities. */
struct chat *fake_create_with(struct chat_queue *queue, uint32_t caps);
/** One of another network; the name is borrowed. */
struct chat *fake_create_named(const char *name, struct chat_queue *queue, uint32_t caps);

/** Somebody says a line; false when the queue takes it not or the chat is not started. */
bool fake_hear(struct chat *chat, const char *place, const char *person, const char *line);
/** The same with all that a platform tells; without an event id it gets one. */
bool fake_hear_in(struct chat *chat, const struct chat_in *in);
/** Somebody presses a control of a message that was said. */
bool fake_press(struct chat *chat, const struct fake_message *message, size_t control,
                const char *person);
/** The platform tells something that nobody says; it has no event. */
bool fake_news(struct chat *chat, const struct chat_in *in);
/** The network is lost, or found again: so it is with all messages, and that is told. */
bool fake_link(struct chat *chat, bool back);
/** Up to which number the host has said that all it heard is settled. */
uint64_t fake_settled(const struct chat *chat);

/** What was delivered since the last fake_forget(). */
size_t fake_count(const struct chat *chat);
const struct fake_message *fake_message(const struct chat *chat, size_t index);
/** The newest message to a person (NULL: to everybody) that holds the text; NULL if there is none.
 */
const struct fake_message *fake_find(const struct chat *chat, const char *person, const char *text);
/** The newest of a kind to a person (NULL: any) at a place; NULL if there is none. */
const struct fake_message *fake_newest(const struct chat *chat, enum chat_kind kind,
                                       const char *place, const char *person);
/** How many of a kind were said. */
size_t fake_count_of(const struct chat *chat, enum chat_kind kind);
void fake_forget(struct chat *chat);

/** The n-th message from now fails (1: the next), and only that one; it may be tried again. */
void fake_fail_at(struct chat *chat, unsigned n);
/** Messages to a person (NULL: to places) fail with that code until it is MB_OK again. */
void fake_fail_to(struct chat *chat, const char *person, enum mb_code code);
/** Is shown a message, and names it; false: it cannot be shown now. */
typedef bool fake_show_fn(void *user, const struct chat_out *out, char id[CHAT_TABLE_SIZE]);
/** From now on messages are shown to that at once, and none is remembered or waits. */
void fake_show_to(struct chat *chat, fake_show_fn *show, void *user);
/** Messages show so many bytes from now on, 0: any number; longer ones are refused. */
void fake_show_at_most(struct chat *chat, size_t bytes);
/** What it can do from now on, for halls that it is added to later. */
void fake_can(struct chat *chat, uint32_t caps);
/** In how many ms somebody can be written to in private (chat_reach_ms). */
void fake_reach(struct chat *chat, const char *person, int64_t ms);
/** While it is lost nothing is taken (MB_ERR_RETRY), heard or delivered. */
void fake_lose(struct chat *chat, bool lost);
/** Whether what is taken waits to be delivered; what waits already goes on waiting. */
void fake_hold(struct chat *chat, bool hold);
size_t fake_waiting(const struct chat *chat);
/** What waits longest, or NULL. */
const struct fake_message *fake_oldest(const struct chat *chat);
/** Delivers the oldest message that waits for a person ("": for a place, NULL: for anybody) and
 * tells its outcome; false if none does. */
bool fake_deliver(struct chat *chat, const char *person);
/** The same, but it is never delivered. */
bool fake_refuse(struct chat *chat, const char *person, enum chat_fate fate);
/** A message is deleted behind the bot's back: it cannot be edited any more. */
void fake_remove(struct chat *chat, const char *id);
/** An outcome of the test's making, for one that was never sent. */
void fake_tell(struct chat *chat, const struct chat_outcome *outcome);

#endif
