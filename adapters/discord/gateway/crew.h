/*
 * Several processes of one bot: how many there are, and who may identify now.
 *
 * Each beats once a second: it keeps a word of its own in the store and reads those of all. A
 * process is dead if its word has not changed for some seconds. So all know how many they are, and
 * each takes its share of what Discord grants the bot as a whole; a new one takes little until the
 * others must have seen it. No clock but each process's own counts, and only how much time has
 * passed on it.
 *
 * To identify, a process holds a word of the store for some seconds, one word for each of Discord's
 * keys: identifications of one key are five seconds apart. The first seconds after processes begin
 * to share a store nobody identifies: one may have done so when it was alone.
 *
 * A process that has the store for itself asks nobody.
 *
 * Pure but for what is kept. Reference: Discord, section 2.8.
 */
#ifndef ADAPTERS_DISCORD_GATEWAY_CREW_H
#define ADAPTERS_DISCORD_GATEWAY_CREW_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/chat_impl.h"

enum {
    CREW_MAX = 64,
    CREW_ID_SIZE = 17,
    CREW_BEAT_MS = 1000,
    CREW_DEAD_MS = 6000,
    CREW_SPACE_MS = 5000, /**< between two identifications of one key */
    CREW_USE_MS = 2000,   /**< from asking for leave to its last use */
    CREW_SLACK_MS = 1500, /**< for the way there, and for beats by which processes' times differ */
    CREW_HOLD_MS = CREW_SPACE_MS + CREW_USE_MS + CREW_SLACK_MS,
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
/** When it beats next. */
int64_t crew_due_ms(const struct crew *crew);

#endif
