/*
 * In which moments cards are put in play, and how often whoever put something in play in such a
 * moment wins.
 *
 * Who is about to win plays other cards than who is behind: a card of such moments is in winners'
 * hands without being strong. A moment is how many Levels the seat and its best rival have to go,
 * and whether a fight is on, of one's own or of others. What a card is expected to win is what all
 * cards together won in the moments in which it was put in play. Of each definition and seat only
 * the first time in a game counts.
 */
#ifndef BOT_TOOLS_MOMENTS_H
#define BOT_TOOLS_MOMENTS_H

#include "core/base/error.h"
#include "core/card/box.h"
#include "core/state/event.h"

#include "bot/tools/step.h"

struct moment {
    unsigned long games, wins;
};

struct moments {
    const struct box *box;
    unsigned players;
    struct moment *all; /**< of all cards, by moment */
    uint32_t *games;    /**< by definition and moment */
    uint16_t *now;      /**< in the present game, by definition and seat */
};

/** The box is borrowed. */
void moments_init(struct moments *moments, const struct box *box, unsigned players);
/** All zeros are fine. */
void moments_finish(struct moments *moments);
/** A card that a seat puts in play; not a Curse that a kick turned up. */
bool moments_puts(const struct box *box, const struct event *event);
/** A game begins. */
void moments_begin(struct moments *moments);
/** What a command changed. */
void moments_step(struct moments *moments, const struct simulate_step *step);
/** The game is over: a definition that one seat alone put in play, and whether that seat won. */
void moments_count(struct moments *moments, unsigned def, unsigned seat, bool won);
/** How many games a definition would have won, had it won what others did in its moments. */
double moments_expected(const struct moments *moments, unsigned def);

#endif
