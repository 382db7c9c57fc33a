/*
 * What a fake chat has shown, found by the sentence that is meant (tests/support/says.h).
 */
#ifndef TESTS_SUPPORT_SHOWN_H
#define TESTS_SUPPORT_SHOWN_H

#include "bot/text/text.h"
#include "bot/tools/fake.h"

/** The newest message to a person (NULL: to everybody) that says the sentence; NULL if none does.
 */
const struct fake_message *shown(const struct chat *chat, const char *person, enum text_id id,
                                 const struct text_arg *args);

#endif
