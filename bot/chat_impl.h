/*
 * What an adapter must fill in to be a chat: for adapters/ and bot/chat.c only.
 *
 * `struct chat` is the first member of every adapter; the downcast asserts `ops`. All functions but
 * `reach` and `figures` are mandatory; they are called on the loop thread only. Another needs a
 * decision record.
 */
#ifndef BOT_CHAT_IMPL_H
#define BOT_CHAT_IMPL_H

#include "bot/chat.h"
#include "bot/chat_queue.h"

struct chat_ops {
    const char *name;
    uint32_t caps;    /**< bits of CHAT_CAP_* */
    size_t text_max;  /**< bytes that one message can show, 0: any number */
    size_t board_max; /**< the same of card and hand; 0: as text_max */
    bool (*start)(struct chat *chat, struct mb_error *err);
    bool (*send)(struct chat *chat, const struct chat_out *out, struct mb_error *err);
    void (*stop)(struct chat *chat);
    void (*destroy)(struct chat *chat);
    /** Like chat_reach_ms(). NULL: the chat can message everybody, as far as it knows. */
    int64_t (*reach)(struct chat *chat, const char *person);
    /** Like chat_figures(); the figures are empty. NULL: no network lies between. */
    void (*figures)(const struct chat *chat, struct chat_figures *out);
};

/** Bytes that an adapter keeps under a word of its own. Borrowed. */
struct chat_kept {
    const char *word;
    const void *at; /**< NULL: forgets them */
    size_t size;
};

/** Told when bytes are kept (no items) or with the items read. */
typedef void chat_kept_fn(void *user, const struct chat_kept *items, size_t count);

/** Where adapters keep what outlives their process; the host's. The host repeats each question
 * until it is answered; questions about one word stay in order. `done` (or NULL) is called once,
 * never within the call, unless the host ends first. False: nothing can be kept. */
struct chat_keeper {
    bool (*keep)(void *user, struct chat *chat, const struct chat_kept *item, chat_kept_fn *done,
                 void *done_user);
    /** Reads the bytes under all words with that beginning, the newest first, at most
     * STORE_KEPT_MAX. */
    bool (*read)(void *user, struct chat *chat, const char *begins, chat_kept_fn *done,
                 void *done_user);
    /** Holds a word for this process while it lives: `done` gets one item, the word, once it is
     * held, and none while another living process has it. With `for_ms`: no process, this one
     * included, can hold it again for that long. Until then `done` gets no item. */
    bool (*hold)(void *user, struct chat *chat, const char *word, int64_t for_ms,
                 chat_kept_fn *done, void *done_user);
    /** Whether other processes share the words, as far as the host knows. */
    bool (*shared)(void *user);
};

/** Between an adapter and its host. */
struct chat_sink {
    struct chat_queue *queue; /**< the host's: takes what the chat hears */
    chat_outcome_fn *outcome; /**< the host's, or NULL */
    /** The host's, or NULL: candidates for a line; see bot/parse/complete.h. */
    chat_complete_fn *complete;
    const struct chat_keeper *keeper; /**< the host's; NULL: the chat has no host */
    void *user;                       /**< of `outcome`, `complete` and `keeper` */
    uint8_t secret[CHAT_SECRET_SIZE]; /**< the host's: keys chat_out.mark */
    /** The adapter's, or NULL: all lines up to that number are settled. */
    void (*settled)(struct chat *chat, uint64_t number);
};

struct chat {
    const struct chat_ops *ops;
    struct chat_sink sink;
};

/** Tells the outcome of a message: once for each that the chat took, never after chat_stop(). */
void chat_tell(struct chat *chat, const struct chat_outcome *outcome);

/** Like the keeper's; false also without a host: then nothing outlives the process. */
MB_MUST_CHECK
bool chat_keep(struct chat *chat, const struct chat_kept *item, chat_kept_fn *done, void *user);
MB_MUST_CHECK
bool chat_read(struct chat *chat, const char *begins, chat_kept_fn *done, void *user);
MB_MUST_CHECK
bool chat_hold(struct chat *chat, const char *word, chat_kept_fn *done, void *user);
MB_MUST_CHECK
bool chat_hold_for(struct chat *chat, const char *word, int64_t for_ms, chat_kept_fn *done,
                   void *user);
/** False also without a host. */
bool chat_shares(const struct chat *chat);

#endif
