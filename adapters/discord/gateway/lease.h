/*
 * Which shards are this process's, and what their sessions are resumed by: both kept in the store.
 *
 * A shard is led by one process at a time: its word is held (STORE_HOLD) as long as the process
 * lives. Whoever takes one is told the session that the last one had, and resumes it: nothing that
 * was done meanwhile is lost, and no identification is spent. A session is kept as soon as it is
 * new, and once a second with how far its events are settled; what came behind that comes again,
 * and is told apart by the host. Generations with different numbers of shards have words of their
 * own, so that they can live side by side.
 *
 * While other processes serve the store one's own are asked for again and again, so that a loss is
 * noticed; another's are, so that they are taken when it has died.
 *
 * Pure but for what is kept: the owner tells the time. Reference: Discord, sections 2.4 and 2.8.
 */
#ifndef ADAPTERS_DISCORD_GATEWAY_LEASE_H
#define ADAPTERS_DISCORD_GATEWAY_LEASE_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/chat_impl.h"

#include "adapters/discord/gateway/gateway.h"

enum {
    LEASE_KEEP_MS = 1000, /**< between two keepings of a session */
    LEASE_ASK_MS = 1000,  /**< until another's is asked for again */
    LEASE_AGAIN_MS = 100, /**< until one that may not be taken yet is thought of again */
    LEASE_RENEW_MS = 2000 /**< between two looks at one's own */
};

struct lease_setup {
    struct chat *chat; /**< whose host keeps it: borrowed */
    unsigned count;    /**< of all shards */
    unsigned shard;
    /** It is ours now; the session may be all zero. */
    void (*taken)(void *user, const struct gateway_session *session);
    /** It is another process's: nothing more is to be heard of it. */
    void (*lost)(void *user);
    void *user;
};

/** The lease of one shard. */
struct lease;

struct lease *lease_create(const struct lease_setup *setup);
/** NULL is fine. Behind the host's end, for what was asked may still be answered. */
void lease_destroy(struct lease *lease);
/** What its session is resumed by when all that is settled is behind it. */
void lease_note(struct lease *lease, const struct gateway_session *session);
bool lease_is_held(const struct lease *lease);
/** Whether the store is being asked for it. */
bool lease_is_asked_for(const struct lease *lease);
/** Does what is due. `may_take`: it may become ours. */
void lease_tick(struct lease *lease, bool may_take, int64_t now_ms);
int64_t lease_due_ms(const struct lease *lease);

#endif
