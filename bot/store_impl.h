/*
 * What an engine must fill in to be a store: for adapters/store/ and bot/store.c only.
 *
 * `struct store` is the first member of every engine; the downcast asserts `ops`. Functions are
 * called by the asking thread. An engine may have threads of its own, which call store_wake(); it
 * serves a table always on the same one. ask() hands the request to the engine, take() the answer
 * to the caller.
 */
#ifndef BOT_STORE_IMPL_H
#define BOT_STORE_IMPL_H

#include "core/codec/memory.h"

#include "bot/store.h"

struct store_ops {
    const char *name;
    bool (*start)(struct store *store, struct mb_error *err);
    /** Takes the request (store_request_free()). False: the queue is full, and the caller keeps it.
     */
    bool (*ask)(struct store *store, struct store_request *request);
    struct store_answer *(*take)(struct store *store);
    bool (*shared)(const struct store *store);
    void (*stop)(struct store *store);
    void (*destroy)(struct store *store);
};

struct store {
    const struct store_ops *ops;
    uint64_t tickets;
    void (*wake)(void *user);
    void *user;
};

void store_wake(const struct store *store);
struct store_request *store_request_copy(const struct store_request *request);
/** NULL is fine. */
void store_request_free(struct store_request *request);
/** Makes an answer that owns the pool; the pool holds everything that it names. */
struct store_answer *store_answer_own(const struct store_answer *answer, struct mb_pool *pool);
struct store_answer *store_answer_failed(const struct store_request *request);
/** The answer then takes one more store_answer_free(). */
void store_answer_hold(struct store_answer *answer);

#endif
