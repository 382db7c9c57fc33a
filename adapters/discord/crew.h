/*
 * Several processes of one bot: how many there are, and who may identify now.
 *
 * Each beats once a second: it keeps a word of its own in the store and reads those of all. Whose
 * word has not changed for some seconds is dead. So all know how many they are, and each takes its
 * share of what Discord grants the bot as a whole; whoever is new takes little until the others
 * must have seen it.
 *
 * Identifications are granted by the one that leads, which the store lets one at a time hold: one
 * behind the other, five seconds apart for each of Discord's keys. Who wants one says so in its
 * word, and says when it has used it. No clock but each process's own counts, and only how much
 * time has passed on it.
 *
 * A process that has the store for itself needs none of that and asks nobody.
 *
 * Pure but for what is kept. Reference: Discord, section 2.8.
 */
#ifndef ADAPTERS_DISCORD_CREW_H
#define ADAPTERS_DISCORD_CREW_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/chat_impl.h"

enum {
    CREW_MAX = 64,
    CREW_ID_SIZE = 17,
    CREW_BEAT_MS = 1000,
    CREW_DEAD_MS = 6000,
    CREW_SPACE_MS = 5000, /**< between two identifications of one key ... */
    CREW_SLACK_MS = 500,  /**< ... and more, for the way there */
    CREW_GRANT_MS = 10000,
    CREW_KEYS = 64
};

struct crew;

/** The chat, whose host keeps words, is borrowed. `me`: of its own
 * choice, no two alike. */
struct crew *crew_create(struct chat *chat, uint64_t me);
/** NULL is fine. Behind the host's end. */
void crew_destroy(struct crew *crew);
/** All shards of its generation, and how many Discord lets identify at once (max_concurrency). */
void crew_set(struct crew *crew, unsigned shards, unsigned width);
/** Whether that shard may identify now; if not, ask again within a second or two. True: it does. */
bool crew_may_identify(struct crew *crew, unsigned shard, int64_t now_ms);
/** Another process may just have identified that shard. */
void crew_identified(struct crew *crew, unsigned shard, int64_t now_ms);
/** How many share what the bot is granted; 0: not known yet. */
unsigned crew_count(const struct crew *crew);
/** Those among them that share the shards of its generation. */
unsigned crew_peers(const struct crew *crew);
void crew_tick(struct crew *crew, int64_t now_ms);
/** -1: never, while it is alone. */
int64_t crew_due_ms(const struct crew *crew);

#endif
