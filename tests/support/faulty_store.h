/*
 * Any store with faults: what goes wrong at its n-th request, a time in which nothing is done or
 * nothing answered, and a process that dies at a boundary of a commit or of an outcome.
 *
 * Stands between whoever asks and a store whose store_take() waits, which it takes over. It works
 * when an answer is taken: a request is asked inside then, so answers keep their order. A fault
 * happens to one request only.
 */
#ifndef TESTS_SUPPORT_FAULTY_STORE_H
#define TESTS_SUPPORT_FAULTY_STORE_H

#include "bot/store.h"

enum fault {
    FAULT_NONE,
    FAULT_BEFORE,  /**< STORE_FAILED, nothing has changed */
    FAULT_AFTER,   /**< STORE_FAILED, all has changed */
    FAULT_FORGETS, /**< done, and no answer ever comes */
    FAULT_LATE,    /**< done, and the answer comes after faulty_store_release() */
    FAULT_TWICE    /**< done, and the answer comes twice */
};

/** When the process dies, by SIGKILL: at the first request of that kind once so many commits have
 * been asked for, before it is asked or after it is answered. */
struct death {
    enum store_kind kind;
    unsigned commits;
    bool after;
};

struct store *faulty_store_create(struct store *inner);
/** It says that no other process serves it, so that nobody looks for others ten times a second. */
void faulty_store_alone(struct store *store);
/** What happens to the n-th request from now (1: the next). */
void faulty_store_fault(struct store *store, enum fault fault, unsigned long n);
void faulty_store_die(struct store *store, const struct death *death);
/** Somebody else changes a table just before each of the next `commits`: they are conflicts. */
void faulty_store_overtake(struct store *store, unsigned commits);
/** Until told otherwise nothing is done and everything fails. */
void faulty_store_down(struct store *store, bool down);
/** Until told otherwise requests wait; nothing is answered. */
void faulty_store_hold(struct store *store, bool hold);
/** Answers that were late come now. */
void faulty_store_release(struct store *store);
/** Requests taken so far. */
unsigned long faulty_store_requests(const struct store *store);
/** The store behind it: what is asked there counts as nothing. */
struct store *faulty_store_inner(struct store *store);

#endif
