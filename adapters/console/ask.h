/*
 * One question to a store whose store_take() waits, and its answer.
 */
#ifndef ADAPTERS_CONSOLE_ASK_H
#define ADAPTERS_CONSOLE_ASK_H

#include "bot/store.h"

/** The answer, the caller's; NULL without one. What others asked goes unanswered. */
struct store_answer *ask_store(struct store *store, const struct store_request *request);
/** Only what became of it. */
enum store_result ask_result(struct store *store, const struct store_request *request);

#endif
