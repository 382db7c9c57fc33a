/*
 * Listening: who the bot is, then one sync after the other, each told whole before the next.
 *
 * One process listens for a network: its word is held in the store (bot/chat_impl.h), the same by
 * which the host knows who speaks there, and whoever has lost it stops and asks for it again. The
 * first sync of a process tells of all rooms. What a sync leaves out is fetched before the rest of
 * it is told, and long answers are told in pieces, so that the loop is never held up. Reference:
 * Matrix, sections 3 and 5.
 */
#ifndef ADAPTERS_MATRIX_POLL_H
#define ADAPTERS_MATRIX_POLL_H

#include <uv.h>

#include "bot/chat.h"

#include "adapters/matrix/api.h"
#include "adapters/matrix/sync.h"
#include "adapters/net/net_log.h"

/** Words are borrowed for its life. */
struct poll_setup {
    uv_loop_t *loop;
    struct api *api;
    struct fibres *fibres;
    struct chat *chat;
    const char *user_id;   /**< whose token it should be, or NULL */
    const char *device_id; /**< the same */
    struct sync_told told; /**< but for the bot and `first` */
    /** It is known who the bot is. */
    void (*begin)(void *user, const char *bot, const char *name);
    /** A part of what was said in a room is lost for good. */
    void (*lost)(void *user, const char *room, const char *token);
    /** Before a sync that tells of all rooms is told: the homeserver's list of those that the bot
     * is in, from before that sync, and the answer. Not called where there is no such list. */
    void (*counted)(void *user, const json_t *joined, const json_t *sync);
    /** A sync is told whole: poll_go_on() when its lines are in the queue. */
    void (*walked)(void *user);
    /** Nothing has been heard for too long, or it is another process's to hear. */
    void (*silent)(void *user);
    net_log_fn *log;
    void (*fatal)(void *user, const struct mb_error *why);
    void *user;     /**< of all of the above */
    void *log_user; /**< of `log` and `fatal` */
};

struct poll;

struct poll *poll_create(const struct poll_setup *setup);
void poll_start(struct poll *poll);
/** What was told is in the queue: on to the next sync. Fine at any time. */
void poll_go_on(struct poll *poll);
/** All lines up to some number are dealt with. */
void poll_settle(struct poll *poll);
/** Whether this process listens, and has been told of all rooms. */
bool poll_is_told(const struct poll *poll);
/** Lets go of the loop; behind api_close(). */
void poll_stop(struct poll *poll);
/** NULL is fine; with the loop empty. */
void poll_destroy(struct poll *poll);

#endif
