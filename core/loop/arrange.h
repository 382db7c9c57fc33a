/*
 * Setting a table up exactly: for scenarios and tests, never for play.
 *
 * Order of calls: arrange_begin, then seats, cards, decks, then arrange_finish, which opens the
 * first frame. Knowledge is set as if everything had come about in play: hands are known to their
 * owners, tables and discards to all.
 */
#ifndef CORE_LOOP_ARRANGE_H
#define CORE_LOOP_ARRANGE_H

#include "core/game.h"

/** All cards face down in their decks, in card order but those with `drawn` rows last. */
void arrange_begin(struct game *game, const struct box *box, unsigned seat_count,
                   const uint8_t seed[32]);
void arrange_seat(struct game *game, unsigned seat, unsigned level, bool female, bool changed,
                  bool alive);
/** Moves a card out of wherever it is to the end of a pile (enum pile + seat). */
void arrange_card(struct game *game, uint16_t card, unsigned pile, unsigned flags, uint16_t host);
/** The next cards of a deck, first drawn first; they are moved to its top. */
void arrange_top(struct game *game, unsigned deck_pile, const uint16_t *cards, unsigned count);
/** Sets all cards of a deck aside, out of the game. */
void arrange_empty(struct game *game, unsigned deck_pile);
void arrange_dice(struct game *game, const uint8_t *faces, unsigned count);
void arrange_picks(struct game *game, const uint16_t *cards, unsigned count);
/** Opens the first frame: phase is PHASE_SETUP, PHASE_START, PHASE_OPENED or PHASE_CHARITY. */
bool arrange_finish(struct game *game, const struct box *box, unsigned turn, unsigned phase,
                    struct event_list *out);
/** Two cards change places, with all that is known and said of what lies there, but for what names
 * them elsewhere (fights, frames, deals). */
void arrange_swap(struct game *game, uint16_t a, uint16_t b);
/** Whether anything apart from its pile names a card: then another card in its place is another
 * situation. */
bool arrange_named(const struct game *game, uint16_t card);
/** Another count of accepted commands: to compare states that differ in nothing else. */
void arrange_version(struct game *game, uint32_t version);
/** A card of the definition that lies in its deck, or NO_CARD when all are used. */
uint16_t arrange_find(const struct game *game, const struct box *box, uint16_t def);
/** Changes what others than the seat may have done in secret: passed, answered a call for help,
 * named what is sealed until all have. */
void arrange_secretly(struct game *game, unsigned seat);

#endif
