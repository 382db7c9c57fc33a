/*
 * Errands: work that the store keeps before it begins. The next process begins it again, until it
 * says that it is done.
 *
 * An errand is a fibre (bot/fibre.h) and a text in the store under a word of its own. It stays in
 * the store if its owner stops first. An errand without a text is not kept. For adapters and
 * bot/hall/; also how a fibre asks for what a chat keeps.
 */
#ifndef BOT_ERRAND_H
#define BOT_ERRAND_H

#include "bot/chat_impl.h"
#include "bot/fibre.h"

struct errand {
    struct errand *next;
    struct errands *errands;
    struct fibre *fibre;
    char *name;    /**< the word, without the common beginning */
    char *text;    /**< NULL: it is not kept */
    bool taken_up; /**< an earlier process has begun it */
    bool ended;    /**< errand.c's */
    void *own;     /**< the run's, for others to find; NULL at first if taken up */
};

/** Returns true when the errand is done, false when its owner stops. */
typedef bool errand_fn(struct fibre *fibre, struct errand *errand);

struct errands {
    struct fibres *fibres;
    struct chat *chat;
    const char *begins; /**< the beginning of all their words in the store */
    errand_fn *run;
    void (*drop)(void *own); /**< frees the `own` of an errand that will not run; or NULL */
    bool boundless;          /**< begins even if there are many fibres */
    void *user;              /**< the owner */
    struct errand *first;    /**< under way, the latest first; its members below are errand.c's */
    bool asked, reading;
};

/** Returns the errand of that name that is under way, or NULL. */
struct errand *errands_find(const struct errands *errands, const char *name);
/** Keeps `text` (unless NULL), then begins an errand. False, and the caller keeps `own`: it is
 * under way already, or too many are (fibres_are_many()), so it is only kept for the next process.
 */
bool errands_begin(struct errands *errands, const char *name, const char *text, void *own);
/** Wakes all errands that wait. */
void errands_wake(struct errands *errands);
/** Keeps another text of it. */
void errand_keep(struct errand *errand, const char *text);
/** Begins what earlier processes left, the newest STORE_KEPT_MAX. Only the first call does. */
void errands_take_up(struct errands *errands);

/* These wait for what a chat keeps (bot/chat_impl.h); false: the owner stops. Items are valid until
 * the next wait. Without a host nothing is kept, and nothing waits. */
struct kept_items {
    const struct chat_kept *items;
    size_t count;
};

/** Gives a fibre (`user`) a keeper's answer, in the `struct kept_items` of its fibre_asks(). */
chat_kept_fn kept_tell;
MB_MUST_CHECK
bool chat_keep_await(struct fibre *fibre, struct chat *chat, const struct chat_kept *item);
MB_MUST_CHECK
bool chat_read_await(struct fibre *fibre, struct chat *chat, const char *begins,
                     struct kept_items *out);
MB_MUST_CHECK
bool chat_hold_await(struct fibre *fibre, struct chat *chat, const char *word,
                     struct kept_items *out);

#endif
