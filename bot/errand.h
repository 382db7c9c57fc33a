/*
 * Errands: work that is kept before it begins, and begun again by the next process, until it says
 * that it is done.
 *
 * An errand is a fibre (bot/fibre.h) and what the store has of it: a text under a word of its own.
 * One that ends because its owner stops stays in the store. What has no text is not kept. For
 * adapters and bot/hall/; also how a fibre asks for what a chat keeps.
 */
#ifndef BOT_ERRAND_H
#define BOT_ERRAND_H

#include "bot/chat_impl.h"
#include "bot/fibre.h"

struct errand {
    struct errand *next;
    struct errands *errands;
    struct fibre *fibre;
    char *name;    /**< the word behind what all of these begin with */
    char *text;    /**< or NULL: it is not kept */
    bool taken_up; /**< an earlier process has begun it */
    bool ended;    /**< errand.c's */
    void *own;     /**< its run's, for others to find; NULL in the beginning if taken up */
};

/** True: it is done; false: its owner stops. */
typedef bool errand_fn(struct fibre *fibre, struct errand *errand);

struct errands {
    struct fibres *fibres;
    struct chat *chat;
    const char *begins; /**< the words of what is kept begin so */
    errand_fn *run;
    void (*drop)(void *own); /**< frees what was begun with `own` and will not run; or NULL */
    bool boundless;          /**< begins however many fibres there are */
    void *user;              /**< of whom they are */
    struct errand *first;    /**< under way, the latest first; its members below are errand.c's */
    bool asked, reading;
};

/** The one of that name that is under way, or NULL. */
struct errand *errands_find(const struct errands *errands, const char *name);
/** Begins one, unless it is under way; `text` or NULL is kept first. `own`: see there. False: it is
 * under way, or too many are (fibres_are_many()), so that it is only kept, for the next process;
 * `own` is still the caller's. */
bool errands_begin(struct errands *errands, const char *name, const char *text, void *own);
/** Goes on with all of them that wait. */
void errands_wake(struct errands *errands);
/** Another text is kept of it. */
void errand_keep(struct errand *errand, const char *text);
/** Begins what earlier processes have left, the latest STORE_KEPT_MAX; once, however often it is
 * called. */
void errands_take_up(struct errands *errands);

/* What a chat keeps, waited for (bot/chat_impl.h); false: the owner stops. Items are there until
 * the next wait. Without a host nothing is kept, and nothing waits. */
struct kept_items {
    const struct chat_kept *items;
    size_t count;
};

/** Gives a fibre (`user`) what it has asked a keeper for by fibre_asks(), at a `struct kept_items`.
 */
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
