/*
 * What the bot has written to one person in private, deleted: page by page, the latest first.
 *
 * Messages are found in the private channel itself, so that nothing is left of those whose ids
 * nobody keeps any more. What the person has written there is theirs and stays.
 */
#ifndef ADAPTERS_DISCORD_DIRECT_PURGE_H
#define ADAPTERS_DISCORD_DIRECT_PURGE_H

#include <stdbool.h>

#include "bot/chat.h"

#include "adapters/discord/rest.h"

/** Never within direct_purge(). */
typedef void direct_purge_done_fn(void *user, const struct chat_outcome *outcome);

/** Of a CHAT_FORGET. False when requests have ended, then there is no outcome; else it is
 * CHAT_DELIVERED, or CHAT_UNREACHABLE where there is no private channel, or CHAT_REFUSED: later it
 * may be tried again.
 */
MB_MUST_CHECK
bool direct_purge(struct rest *rest, const struct chat_out *out, direct_purge_done_fn *done,
                  void *user);

#endif
