/*
 * One question to a store whose store_take() waits, and its answer.
 */
#ifndef BOT_STORE_CALL_H
#define BOT_STORE_CALL_H

#include "bot/store.h"

/** The answer, the caller's; NULL without one. What others asked goes unanswered. */
struct store_answer *store_call(struct store *store, const struct store_request *request);
/** Only what became of it. */
enum store_result store_call_result(struct store *store, const struct store_request *request);

#endif
