/*
 * The servers that the bot is in, as the gateway tells of them; and what it tells besides of
 * places: all of it news for the queue (bot/chat.h, enum chat_in_kind).
 *
 * Discord is away until every shard of this process has been connected; then a shard that is lost
 * takes the servers with it that hang on it, and Discord is away again when none is left. A server
 * in an outage is away by itself, one without us is gone. Which there were is kept, so that one
 * that has put us out, or taken us in again, while no process lived is told of with the next READY.
 * Reference: Discord, sections 2.5 and 2.8.
 */
#ifndef ADAPTERS_DISCORD_GATEWAY_GUILDS_H
#define ADAPTERS_DISCORD_GATEWAY_GUILDS_H

#include <stdbool.h>
#include <stddef.h>

#include "bot/chat_queue.h"
#include "bot/fibre.h"

struct guilds;

/** A shard is connected, or lost. */
struct shard_link {
    unsigned shard, shards;
    unsigned live; /**< how many this process has that are connected now ... */
    unsigned own;  /**< ... and how many it is to have, of all */
    bool linked;
    bool handed_on; /**< lost, but to another process */
};

/** Both are borrowed. Without a chat nothing is kept. */
struct guilds *guilds_create(struct fibres *fibres, struct chat_queue *queue, struct chat *chat);
/** NULL is fine. */
void guilds_destroy(struct guilds *guilds);
/** An event of a shard; `data` is JSON. What is none of theirs is passed over. */
void guilds_heard(struct guilds *guilds, const char *event, const char *data, size_t size);
/** Whether we are not in a server, as far as its shard has told: only our commands are there. */
bool guilds_lacks(const struct guilds *guilds, const char *guild);
void guilds_linked(struct guilds *guilds, const struct shard_link *link);

#endif
