/*
 * What a chat is asked to do that shows no message: CHAT_ROOM, CHAT_SEEK, CHAT_FORGET.
 *
 * A room is a thread of a card; who belongs in it is led in behind its outcome, and a room without
 * a name is woken. Discord tells nobody who leaves a server, unless the bot may hear of all that
 * members do, so it is asked about one at a time. What the bot has written to somebody in private
 * is deleted page by page, the latest first: messages are found in the private channel itself, so
 * that nothing is left of those whose ids nobody keeps any more; what the person has written there
 * is theirs and stays. Reference: Discord, sections 2.5 and 5.
 */
#ifndef ADAPTERS_DISCORD_SAY_CHORES_H
#define ADAPTERS_DISCORD_SAY_CHORES_H

#include "bot/chat_impl.h"

#include "adapters/discord/rest/rest.h"

/** The owner's; must outlive its fibres. */
struct chores {
    struct fibres *fibres;
    struct rest *rest;
    struct chat *chat; /**< is told the outcome, within or later; and what is found */
};

void chores_do(const struct chores *chores, const struct chat_out *out);

#endif
