/*
 * Talking to a store in tests: ask, wait for the answer, and commits made of few words.
 */
#ifndef TESTS_SUPPORT_STORE_TALK_H
#define TESTS_SUPPORT_STORE_TALK_H

#include "bot/store.h"

/** Asks and waits; others' answers are thrown away. Freed by the next call. */
const struct store_answer *store_talk(struct store *store, const struct store_request *request);
const struct store_answer *store_talk_commit(struct store *store,
                                             const struct store_commit *commit);
const struct store_answer *store_talk_load(struct store *store, const char *table);
const struct store_answer *store_talk_place(struct store *store, const char *place);
const struct store_answer *store_talk_person(struct store *store, const char *person);
/** Frees what the last call answered. */
void store_talk_end(void);

struct store_bytes store_word(const char *word);
/** A commit of a table's next version: opened by Ann in "town", nothing due, time running. Another
 * step at every call. */
struct store_commit store_change(const char *table, uint64_t expected, const char *word);

#endif
