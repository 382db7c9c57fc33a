/*
 * A chat without a network: it remembers the bot's messages, and hears what a test says.
 *
 * A real adapter behind the real contract, for tests and dry runs. It delivers messages at once and
 * tells the outcome inside chat_send(). After fake_hold() messages wait until the test delivers
 * them: for one reader in order, readers in any. It can fail at the n-th message, lose its
 * connection, and never deliver what it took, as networks do.
 *
 * A table's room is the place "room"; there is only one. A message with a known key is not shown
 * again and has the same outcome.
 *
 * It remembers all delivered messages in order, edits as messages of their own. An edited message
 * is marked as no longer visible (fake_message.replaced).
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
    const char *event;    /**< the event that it answers, or "" */
    const char *answer;   /**< what it answers, in the chat's words, or "" */
    const char *replaces; /**< the id of the edited message, or "" */
    const char *text;
    char id[CHAT_TABLE_SIZE]; /**< the fake's own; an edit has the edited message's */
    struct chat_key key;
    uint64_t mark;
    enum chat_kind kind;
    struct refusal refusal; /**< of a reply that refuses; else code REFUSAL_NONE */
    bool replaced;          /**< a later message has replaced it */
    bool anew;              /**< it replaces the pressed message */
    struct chat_bond bond;
    const char *pings, *asked; /**< persons, each followed by a blank */
    size_t ping_count, control_count;
    const struct chat_control *controls;
    const char *path;   /**< the page of the controls, or "" */
    const char *prompt; /**< or "" */
    const char *story;  /**< without marks; or "" */
    const char *kept;   /**< the story of the replaced message, without marks; or "" */
    uint32_t chapter;
    bool tells; /**< it has a story */
    bool open;
    const char *moved; /**< or "" */
    int64_t clock_ms;
    bool idle, retries;
};

/** Makes a fake with these capabilities. */
struct chat *fake_create_with(struct chat_queue *queue, uint32_t caps);
/** Makes a fake of another network; the name is borrowed. */
struct chat *fake_create_named(const char *name, struct chat_queue *queue, uint32_t caps);

/** A person says a line; false: the queue does not take it, or the chat is not started. */
bool fake_hear(struct chat *chat, const char *place, const char *person, const char *line);
/** The same with everything that a platform tells; makes a missing event id. */
bool fake_hear_in(struct chat *chat, const struct chat_in *in);
/** A person presses a control of a message. */
bool fake_press(struct chat *chat, const struct fake_message *message, size_t control,
                const char *person);
/** The platform tells news; it has no event. */
bool fake_news(struct chat *chat, const struct chat_in *in);
/** Loses the network or finds it again, and tells so. */
bool fake_link(struct chat *chat, bool back);
/** Returns the number up to which the host has settled all lines. */
uint64_t fake_settled(const struct chat *chat);

/** Returns how many messages were delivered since the last fake_forget(). */
size_t fake_count(const struct chat *chat);
const struct fake_message *fake_message(const struct chat *chat, size_t index);
/** Returns the newest message to a person (NULL: to everybody) with the text; NULL: none. */
const struct fake_message *fake_find(const struct chat *chat, const char *person, const char *text);
/** Returns the newest message of a kind to a person (NULL: any) at a place; NULL: none. */
const struct fake_message *fake_newest(const struct chat *chat, enum chat_kind kind,
                                       const char *place, const char *person);
/** Returns how many messages of a kind were delivered. */
size_t fake_count_of(const struct chat *chat, enum chat_kind kind);
void fake_forget(struct chat *chat);

/** Makes only the n-th message from now fail (1: the next); a retry may work. */
void fake_fail_at(struct chat *chat, unsigned n);
/** Makes messages to a person (NULL: to places) fail with that code; MB_OK ends it. */
void fake_fail_to(struct chat *chat, const char *person, enum mb_code code);
/** Shows a message and names it; false: it cannot be shown now. */
typedef bool fake_show_fn(void *user, const struct chat_out *out, char id[CHAT_TABLE_SIZE]);
/** Shows messages to `show` at once from now on; none is remembered and none waits. */
void fake_show_to(struct chat *chat, fake_show_fn *show, void *user);
/** Sets how many bytes a message can show, 0: any number; longer ones are refused. */
void fake_show_at_most(struct chat *chat, size_t bytes);
/** Sets the capabilities, for halls to which it is added later. */
void fake_can(struct chat *chat, uint32_t caps);
/** Sets the chat_reach_ms() of a person. */
void fake_reach(struct chat *chat, const char *person, int64_t ms);
/** Loses the chat: it takes (MB_ERR_RETRY), hears and delivers nothing; or ends that. */
void fake_lose(struct chat *chat, bool lost);
/** Sets whether new messages wait for the test; those that wait go on waiting. */
void fake_hold(struct chat *chat, bool hold);
size_t fake_waiting(const struct chat *chat);
/** Returns the message that has waited longest, or NULL. */
const struct fake_message *fake_oldest(const struct chat *chat);
/** Delivers the oldest message that waits for a person ("": for a place, NULL: for anybody) and
 * tells its outcome; false: none waits. */
bool fake_deliver(struct chat *chat, const char *person);
/** The same, but tells that it was never delivered. */
bool fake_refuse(struct chat *chat, const char *person, enum chat_fate fate);
/** Deletes a message without telling the bot: it cannot be edited any more. */
void fake_remove(struct chat *chat, const char *id);
/** Tells an outcome of the test's making, for a message that was never sent. */
void fake_tell(struct chat *chat, const struct chat_outcome *outcome);

#endif
