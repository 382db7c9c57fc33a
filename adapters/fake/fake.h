/*
 * A chat without a network: remembers what it was told to say, and hears what a test says.
 *
 * A real adapter behind the real contract, for tests and dry runs. It can be made to fail at the
 * n-th message, as networks do.
 */
#ifndef ADAPTERS_FAKE_FAKE_H
#define ADAPTERS_FAKE_FAKE_H

#include "bot/chat.h"

struct fake_message {
    char place[CHAT_ID_SIZE];
    char person[CHAT_ID_SIZE]; /**< "" : to everybody at the place */
    enum message_to to;
    char *text;
};

/** NULL only without memory; what is heard goes into `queue`. */
struct chat *fake_create(struct chat_queue *queue);
/** Somebody says a line; false when the queue is full, the chat not started or a word too long. */
bool fake_hear(struct chat *chat, const char *place, const char *person, const char *line);

/** What was said since the last fake_forget(). */
size_t fake_count(const struct chat *chat);
const struct fake_message *fake_message(const struct chat *chat, size_t index);
/** The newest message to a person (NULL: to everybody) that holds the text; NULL if there is none.
 */
const struct fake_message *fake_find(const struct chat *chat, const char *person, const char *text);
void fake_forget(struct chat *chat);
/** The n-th message from now fails (1: the next), and only that one. */
void fake_fail_at(struct chat *chat, unsigned n);

#endif
