/*
 * One shard's connection to the gateway, as a machine: what comes in, and what is to be done.
 *
 * It has no socket and no clock: its owner opens and closes sockets, asks REST for the address, and
 * tells it the time, in milliseconds of a clock that never goes back. So every order of events can
 * be tested, years of them in a second.
 *
 *   OFF ── start ──> ASKING ── url ──> CONNECTING ── opened ──> GREETING ── hello ──┐
 *                      ^                                                            │
 *                      └── main address unknown      RESUMING <── session ──────────┤
 *   WAITING <── any loss ──┐                            │                           │
 *      └── time ── CONNECTING or ASKING                 ├── RESUMED, READY ──> LIVE │
 *   FATAL: told once why, never connects again          └── IDENTIFYING <───────────┘
 *
 * What it keeps to (reference: Discord, sections 2.3 and 2.4; lessons 1 to 12):
 *   - A session is resumed whenever there is one; at most three times in a row, and a resume
 * address that cannot be reached twice is dropped for the main one and a new session.
 *   - The owner never closes with 1000 or 1001 but for gateway_stop(): those end the session.
 *   - No ack until the next beat falls due: the connection is dead. Acks are forgotten with it.
 *   - Each phase has its time. Attempts are spaced 1, 2, 4 ... 120 s apart, a fifth more or less;
 *     the first after a live minute goes at once.
 *   - Interactions that cease to come for a day, from a session that had some, are a session that
 *     has died unnoticed: a new one is made, once.
 *   - IDENTIFY waits until the owner lets it (gateway_setup.may_identify): one a shard and 5 s, and
 *     a floor under the day's budget, are for all processes together.
 */
#ifndef ADAPTERS_DISCORD_GATEWAY_GATEWAY_H
#define ADAPTERS_DISCORD_GATEWAY_GATEWAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"

enum {
    GATEWAY_URL_SIZE = 256,
    GATEWAY_SESSION_SIZE = 128,
    GATEWAY_TOKEN_SIZE = 256,
    GATEWAY_INTENTS = 1, /**< GUILDS; never a privileged one */
    GATEWAY_CLOSE_LOST = 1006,
    GATEWAY_CLOSE_OURS = 4000 /**< keeps the session; 1000 and 1001 would end it */
};
#define GATEWAY_NEVER INT64_C(-1)

enum gateway_state {
    GATEWAY_OFF,
    GATEWAY_ASKING, /**< the owner is to ask for the main address */
    GATEWAY_CONNECTING,
    GATEWAY_GREETING,    /**< open; HELLO has not come */
    GATEWAY_RESUMING,    /**< RESUME is sent */
    GATEWAY_QUEUING,     /**< IDENTIFY waits for leave */
    GATEWAY_IDENTIFYING, /**< IDENTIFY is sent */
    GATEWAY_LIVE,
    GATEWAY_WAITING, /**< until the next attempt */
    GATEWAY_FATAL
};

/** What a session is resumed by; all zero: there is none. */
struct gateway_session {
    char id[GATEWAY_SESSION_SIZE];
    char url[GATEWAY_URL_SIZE]; /**< where it is resumed */
    uint64_t sequence;          /**< of the latest event */
};

struct gateway_setup {
    const char *token; /**< without "Bot "; borrowed for ever */
    unsigned shard, shards;
    uint64_t chance; /**< where jitter begins */
    void *user;
    /* What is to be done; all mandatory. The machine may be told what came of it within the call,
     * except for `dispatch`. */
    void (*ask)(void *user); /**< GET /gateway/bot; gateway_found() or gateway_not_found() */
    void (*connect)(void *user, const char *url);
    void (*send)(void *user, const char *text, size_t size);
    void (*close)(void *user, int code); /**< at once; the peer is not waited for */
    /** Whether IDENTIFY may be sent now; if not, asked again each second. */
    bool (*may_identify)(void *user, unsigned shard);
    /** An event; `data` is JSON, borrowed. READY, RESUMED and those of the session come too. */
    void (*dispatch)(void *user, const char *event, const char *data, size_t size);
    /** It is over: one line for the operator, with what to do. */
    void (*fatal)(void *user, const struct mb_error *why);
};

struct gateway;

struct gateway *gateway_create(const struct gateway_setup *setup);
/** NULL is fine; closes nothing. */
void gateway_destroy(struct gateway *gateway);

/** Begins; with a session of an earlier process by resuming it. `session` may be NULL. */
void gateway_start(struct gateway *gateway, const struct gateway_session *session, int64_t now_ms);
/** The deliberate end: with `keep` the session lives on for a successor. */
void gateway_stop(struct gateway *gateway, bool keep);
/** The session is forgotten and a new one made: events had ceased to come. */
void gateway_identify_anew(struct gateway *gateway, int64_t now_ms);

/* What has happened. What comes when it is not waited for is ignored. */
void gateway_found(struct gateway *gateway, const char *url, int64_t now_ms);
void gateway_not_found(struct gateway *gateway, int64_t now_ms);
void gateway_opened(struct gateway *gateway, int64_t now_ms);
void gateway_heard(struct gateway *gateway, const char *text, size_t size, int64_t now_ms);
/** The socket is gone, or never came to be; GATEWAY_CLOSE_LOST without a code. */
void gateway_closed(struct gateway *gateway, int code, int64_t now_ms);

/** When something is to be done next, or GATEWAY_NEVER; then gateway_tick(). */
int64_t gateway_due_ms(const struct gateway *gateway);
void gateway_tick(struct gateway *gateway, int64_t now_ms);

enum gateway_state gateway_state(const struct gateway *gateway);
const struct gateway_session *gateway_session(const struct gateway *gateway);
/** IDENTIFYs sent since it was made. */
unsigned long gateway_identifies(const struct gateway *gateway);

#endif
