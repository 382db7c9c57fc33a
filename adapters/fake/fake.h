/*
 * A chat without a network: remembers what it was told to say, and hears what a test says.
 *
 * A real adapter behind the real contract, for tests and dry runs. It can be made to fail at the
 * n-th message, as networks do, for a while or for good. Edits are remembered as messages of their
 * own: the newest of a kind is what a reader would see.
 */
#ifndef ADAPTERS_FAKE_FAKE_H
#define ADAPTERS_FAKE_FAKE_H

#include "bot/chat.h"

enum { FAKE_CAPS_ALL = CHAT_CAP_BUTTONS | CHAT_CAP_PRIVATE | CHAT_CAP_EDIT };

struct fake_message {
    char place[CHAT_ID_SIZE];
    char person[CHAT_ID_SIZE]; /**< "" : to everybody at the place */
    char event[CHAT_ID_SIZE];  /**< of what it answers, or "" */
    enum chat_kind kind;
    struct chat_bond bond;
    size_t ping_count, control_count;
    struct chat_control *controls;
    const char *text; /**< as the controls, the fake's until fake_forget() */
};

/** NULL only without memory; what is heard goes into `queue`. It can do everything but edit and
 * show buttons. */
struct chat *fake_create(struct chat_queue *queue);
/** One with these capabilities. */
struct chat *fake_create_with(struct chat_queue *queue, uint32_t caps);

/** Somebody says a line; false when the queue is full, the chat not started or a word too long. */
bool fake_hear(struct chat *chat, const char *place, const char *person, const char *line);
/** The same with all that a platform tells; without an event id it gets one. */
bool fake_hear_in(struct chat *chat, const struct chat_in *in);
/** Somebody presses a control of a message that was said. */
bool fake_press(struct chat *chat, const struct fake_message *message, size_t control,
                const char *person);

/** What was said since the last fake_forget(). */
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

#endif
