/*
 * The guided first turn: what a newcomer is told, when it first happens to them, and once.
 *
 * Each hint has a moment in the true game; the moment is read from the newcomer's own redacted view
 * and nothing else. With the end of the first own turn the guide takes its leave; what has not come
 * up until then (a flight, a question, an offer) is still explained when it first does.
 */
#ifndef BOT_RENDER_GUIDE_H
#define BOT_RENDER_GUIDE_H

#include <stdint.h>

#include "bot/parse/names.h"

enum guide_hint {
    GUIDE_PROMPT,
    GUIDE_SETUP,
    GUIDE_KICK,
    GUIDE_LOSING,
    GUIDE_WINNING,
    GUIDE_WINDOW, /**< of another player's fight */
    GUIDE_RUN,
    GUIDE_ANSWER,
    GUIDE_CHOICE,
    GUIDE_OFFER,
    GUIDE_OPENED,
    GUIDE_CHARITY,
    GUIDE_EXCESS,
    GUIDE_BYE,
    GUIDE_TOTAL
};

/** One newcomer's; zero is a new one's. */
struct guide {
    uint32_t told; /**< bits of enum guide_hint */
    bool in_turn;  /**< the first own turn has begun */
};

/** Words what is to be told now, a line each, and notes it as told; "" if nothing is. */
size_t guide_next(struct guide *guide, const struct table_words *words, char *out, size_t size);

#endif
