/*
 * What an adapter must fill in to be a chat: for adapters/ and bot/chat.c only.
 *
 * `struct chat` is the first member of every adapter; the downcast asserts `ops`. All functions are
 * mandatory and called on the loop thread only. A fifth needs a decision record.
 */
#ifndef BOT_CHAT_IMPL_H
#define BOT_CHAT_IMPL_H

#include "bot/chat.h"
#include "bot/chat_queue.h"

struct chat_ops {
    const char *name;
    uint32_t caps;   /**< bits of CHAT_CAP_* */
    size_t text_max; /**< bytes that one message can show, 0: any number */
    bool (*start)(struct chat *chat, struct mb_error *err);
    bool (*send)(struct chat *chat, const struct chat_out *out, struct mb_error *err);
    void (*stop)(struct chat *chat);
    void (*destroy)(struct chat *chat);
};

/** Between an adapter and its host. */
struct chat_sink {
    struct chat_queue *queue; /**< the host's: what is heard goes there */
    chat_outcome_fn *outcome; /**< the host's, or NULL */
    /** The host's, or NULL: candidates for a line; see bot/parse/complete.h. */
    chat_complete_fn *complete;
    void *user; /**< of `outcome` and `complete` */
    /** The adapter's, or NULL: all that was pushed up to that number is settled. */
    void (*settled)(struct chat *chat, uint64_t number);
};

struct chat {
    const struct chat_ops *ops;
    struct chat_sink sink;
};

/** Tells what became of a message: once for each that was taken, never after chat_stop(). */
void chat_tell(struct chat *chat, const struct chat_outcome *outcome);

#endif
