/*
 * What is said beside all tables, which no host keeps: once, for what it is about names it.
 */
#ifndef ADAPTERS_MATRIX_SAY_ASIDE_H
#define ADAPTERS_MATRIX_SAY_ASIDE_H

#include "bot/text/text.h"

#include "adapters/matrix/say/speech.h"

struct aside {
    const char *about;  /**< an event's id, or what else happens once */
    const char *place;  /**< where, or NULL */
    const char *person; /**< to whom alone, or NULL */
    enum text_id text;
    const struct text_arg *args; /**< of the sentence, or NULL */
};

void aside_say(struct speech *speech, const struct aside *aside);

#endif
