/*
 * A chat that only confirms: every message is delivered at once, and nobody reads it.
 *
 * It counts what was confirmed, and what came a second time under a key that was confirmed before.
 * With a file it is a platform that outlives the bot: each message that is shown is a line there
 * (key, kind, reader, hash of its text), and what comes again under a key of the file is not shown
 * again, as a nonce has it.
 */
#ifndef BOT_TOOLS_SOAK_CHAT_H
#define BOT_TOOLS_SOAK_CHAT_H

#include "bot/chat.h"
#include "bot/chat_queue.h"

/** `platform`: the file, opened by chat_start(), or NULL. */
struct chat *soak_chat_create(struct chat_queue *queue, const char *platform);
unsigned long soak_chat_confirmed(const struct chat *chat);
unsigned long soak_chat_doubled(const struct chat *chat);

#endif
