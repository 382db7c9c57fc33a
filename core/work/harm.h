/*
 * Gaining and losing: Levels, cards, life. What every rule that gives or takes goes through, so
 * that floors, the winning Level, protection and "the dead receive nothing" hold everywhere.
 */
#ifndef CORE_WORK_HARM_H
#define CORE_WORK_HARM_H

#include "core/change/emit.h"

/** Gains n Levels; only `may_win` reaches the last one (CONF-5). Returns whether it changed. */
bool level_gain(struct engine *engine, unsigned seat, int n, enum level_why why, bool may_win);
/** Loses n Levels, not below the floor (CONF-2). Returns whether it changed. */
bool level_lose(struct engine *engine, unsigned seat, int n, enum level_why why);

/** What a card that Curses and Bad Stuff do not take saves its owner from (I15, I30). */
enum immunity {
    IMMUNE_NOT,    /**< nothing: it can be lost */
    IMMUNE_ITSELF, /**< itself: the alternative to losing it is suffered */
    IMMUNE_SPARES  /**< that too */
};
/** *by names what keeps the card. */
enum immunity card_immune(const struct game *game, const struct box *box, uint16_t card,
                          uint16_t *by);
/** A card of a player is lost: to its discards, with what hangs on it (HIRE-2). */
void card_lose(struct engine *engine, uint16_t card, unsigned seat);
/** The card goes before a player: carried, never equipped (TRADE-2). */
void card_to_table(struct engine *engine, uint16_t card, unsigned seat, enum move_why why,
                   unsigned from);
void card_to_hand(struct engine *engine, uint16_t card, unsigned seat, enum move_why why,
                  unsigned from);
/** A random one of `count` cards; a scenario may say which. */
uint16_t card_random_of(struct engine *engine, const uint16_t *cards, unsigned count);
/** A random card of a hand, or NO_CARD: scripted picks first. */
uint16_t card_random(struct engine *engine, unsigned seat);

/** Dies: Origins go, the rest is laid out for looting (DEATH-1, DEATH-2, ORIGIN-2). */
void seat_dies(struct engine *engine, unsigned seat);

/** Lasting effects. Returns false when there is no room. */
bool lasting_add(struct engine *engine, const struct lasting *lasting);
void lasting_remove(struct engine *engine, unsigned index);
/** Removes all with this end on this seat (NO_SEAT: any). */
/** Brings a card to a player's table or hand, or on top of its discards. */
void move_to_goal(struct engine *engine, uint16_t card, unsigned seat, enum goal goal);
/** What waited for a later fight of the seat now waits for its next one. */
void lasting_comes_near(struct engine *engine, unsigned seat);
void lasting_end(struct engine *engine, unsigned seat, unsigned until);
unsigned lasting_free(const struct game *game);
/** Counters of limits (A30). */
int limit_used(const struct game *game, const struct box *box, unsigned seat, uint16_t source,
               const struct row *row, uint16_t about);
void limit_use(struct engine *engine, unsigned seat, uint16_t source, const struct row *row,
               uint16_t about, int n);

#endif
