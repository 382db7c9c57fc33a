/*
 * Messages on their way into channels and to people, and what became of each.
 *
 * A board's id, as bot/ keeps it, is "channel/message": a hand lies in the private channel with its
 * owner (direct.h), and is edited there. All for one channel goes in order. A board that has
 * scrolled far up (below.h) is posted anew when it changes, silently, and the old one deleted.
 * Reference: Discord, sections 6 and 7.
 */
#ifndef ADAPTERS_DISCORD_SAY_POST_H
#define ADAPTERS_DISCORD_SAY_POST_H

#include <stdbool.h>

#include "bot/chat.h"

#include "adapters/discord/rest/answers.h"
#include "adapters/discord/rest/rest.h"

struct post;

struct post_setup {
    uv_loop_t *loop;
    struct fibres *fibres;
    struct rest *rest;
    struct answers *answers;
    const char *command; /**< the name of the command that is registered */
    net_log_fn *log;
    void *log_user;
    struct chat *chat; /**< is told outcomes, within post_send() or later */
};

struct post *post_create(const struct post_setup *setup);
/** NULL is fine. Behind rest_close(), when its fibres have ended. */
void post_destroy(struct post *post);
/** Queues a copy. */
void post_send(struct post *post, const struct chat_out *out);
/** That message is the newest of its channel, whosever it is. */
void post_heard(struct post *post, const char *channel, const char *newest);
/** They have asked, or written: a private channel may be tried again. */
void post_retry(struct post *post, const char *person);

#endif
