/*
 * Whether somebody is still in a server. Discord tells nobody who leaves, unless the bot may hear
 * of all that members do: it is asked about one at a time. Reference: Discord, section 2.5.
 */
#ifndef ADAPTERS_DISCORD_MEMBERS_H
#define ADAPTERS_DISCORD_MEMBERS_H

#include <stdbool.h>

#include "bot/chat_queue.h"

#include "adapters/discord/rest.h"

/** The owner's; must outlive what it asks. */
struct members {
    struct rest *rest;
    struct chat_queue *queue; /**< told what is found */
    void (*done)(void *user, const struct chat_outcome *outcome);
    void *user;
};

/** Of a CHAT_SEEK. False when requests have ended, then there is no outcome. */
bool members_seek(const struct members *members, const struct chat_out *out);

#endif
