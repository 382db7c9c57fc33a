/*
 * What a game is remembered by: its biggest fight, its dirtiest trick, its most mortal player.
 *
 * Plain values without pointers, kept by the table while the game runs and told when somebody has
 * won. Only what everybody saw gets in: what is told of a fight, and cards played into the open.
 */
#ifndef BOT_RENDER_HIGHLIGHTS_H
#define BOT_RENDER_HIGHLIGHTS_H

#include "core/state/event.h"

#include "bot/parse/names.h"

enum trick_kind { TRICK_NONE, TRICK_CARD, TRICK_THEFT, TRICK_TAKE_OVER, TRICK_TOTAL };

struct highlight_fight {
    int16_t players, monsters; /**< strengths at the win; both 0: no fight was won yet */
    uint16_t monster, round;
    uint8_t seats; /**< bits of who won it */
};

struct highlight_trick {
    uint8_t kind; /**< enum trick_kind */
    uint8_t by, on;
    uint8_t level; /**< of the victim, just before */
    uint8_t meanness;
    uint16_t card, round;
};

struct highlights {
    struct highlight_fight fight; /**< the biggest */
    struct highlight_fight last;
    struct highlight_trick trick;
    uint8_t deaths[MB_SEATS_MAX];
};

/** What the events of one command add; they led from `before` to `after`. */
void highlights_note(struct highlights *highlights, const struct game *before,
                     const struct game *after, const struct box *box, const struct event *events,
                     size_t count);
/** Tells them, a line each. */
size_t render_highlights(const struct table_words *words, const struct highlights *highlights,
                         char *out, size_t size);
/** The fight that won the game, or the card that did. */
size_t render_deciding_fight(const struct table_words *words, const struct highlights *highlights,
                             char *out, size_t size);
/** The one that is worth a line of its own. */
size_t render_best_moment(const struct table_words *words, const struct highlights *highlights,
                          char *out, size_t size);

#endif
