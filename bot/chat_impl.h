/*
 * What an adapter must fill in to be a chat: for adapters/ and bot/chat.c only.
 *
 * `struct chat` is the first member of every adapter; the downcast asserts `ops`. All functions are
 * mandatory and called on the loop thread only. A fifth needs a decision record.
 */
#ifndef BOT_CHAT_IMPL_H
#define BOT_CHAT_IMPL_H

#include "bot/chat.h"

struct chat_ops {
    const char *name;
    uint32_t caps; /**< bits of CHAT_CAP_* */
    bool (*start)(struct chat *chat, struct mb_error *err);
    bool (*send)(struct chat *chat, const struct chat_out *out, struct mb_error *err);
    void (*stop)(struct chat *chat);
    void (*destroy)(struct chat *chat);
};

/** Where an adapter puts what it hears; the queue is the host's. */
struct chat_sink {
    struct chat_queue *queue;
};

struct chat {
    const struct chat_ops *ops;
    struct chat_sink sink;
};

#endif
